"""What one report says about another, in the wordings of incidents of many kinds."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report, verify
from verifleet.agents.verifier import manner
from verifleet.agents.verifier.arithmetic import sums

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("our boats hauled 58 people out of the lake", "Lake Rescue: 58 of the 61 on board were rescued."),
        ("They got 420ish people off the island", "Harbour Office: 420 people evacuated from the island."),
        ("19 people treated in hospital, none of them badly hurt", "Ambulance Service: 19 taken to hospital."),
        ("Steamer Aurora overturned off the pier", "Water Police: the Aurora capsized at 09:40."),
        ("ransomware on all our computers, nothing works", "City Hall: computers are down after an attack by hackers."),
        ("8 storey block of flats on Rua Nova has pancaked", "Fire Service: the tower on Rua Nova collapsed."),
        ("no school on monday, says our principal", "City: schools will be closed on Monday."),
        ("our gate was locked when it happened, gate B", "Police: gate B was locked at that time."),
        ("17 in hospital after the crush", "Red Cross: 64 people were treated, 17 were taken to hospital."),
        ("this storm is no joke, 17 came in with injuries", "Hospital: seventeen casualties of the storm."),
        ("Barosa highway cut at km 12", "Roads Agency: the Barosa Highway is blocked at km 12."),
    ],
)
def test_two_wordings_of_one_fact_support_each_other(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "supported", found.evidence


@pytest.mark.parametrize(
    ("told", "other"),
    [
        # A denial of one more is no denial of the first, one of all none of some.
        ("Gas leak at the paint works, one man hurt", "Fire Service: there has been no second leak."),
        ("Gas leak at the paint works", "Fire Service: all other tanks at the works are intact."),
        ("40 neighbours were moved to the school", "City: no general evacuation has been ordered."),
        # What a denial takes for granted, and what it excepts.
        ("Steamer Aurora overturned off the pier", "Police: no sign of a bomb in the sinking of the ship."),
        ("Steamer Aurora overturned off the pier", "Harbour Office: ships run on schedule except the Aurora."),
        # The name of a factory, the state of some, a part of all.
        ("Ammonia leak at the Silva works", "Fire Service: ammonia leak at the Silva works. Keep windows shut."),
        ("31 passengers treated in hospital", "Hospital: 31 passengers treated, two of them in a critical condition."),
        ("58 rescued from the ship", "Water Police: four of the six missing were found alive."),
        ("14 passengers sleep at our inn", "Railways: all 186 passengers have been looked after."),
        ("8 people died in the crush", "Ministry: two of the injured have died in hospital."),
        (
            "Block of flats on Rua Nova came down",
            "Fire Service: a block on Rua Nova collapsed. Teams are working there.",
        ),
        ("22 people from the tower got oxygen", "City Works: the tower is stable, contrary to what is being shared."),
        ("about 25 survivors sit in the mosque", "Water Police: 112 people rescued."),
    ],
)
def test_a_narrower_statement_does_not_speak_against_the_wider_one(told: str, other: str) -> None:
    found = claim(report(told, event_type="transport"), report(other, OFFICIAL, minutes=20, event_type="transport"))
    assert found.verdict != "refuted", found.evidence
    assert not any(e.stance == "refutes" for e in found.evidence)


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("a SECOND tank blew up at the paint works", "Fire Service: there has been no second explosion."),
        ("they ordered the evacuation of all the city", "City: no general evacuation has been ordered."),
        ("it was a bomb on the ship", "Police: there is no indication of an explosion on the ship."),
        ("all ferries are cancelled for a month", "Harbour Office: ferries are running as scheduled."),
        ("Three patients died because of the hackers", "Hospital: no patient has come to harm."),
        ("Just checked, the Sado bridge is open to traffic", "Roads Agency: the Sado bridge is closed."),
        (
            "Do not drink the tap water! chlorine got into the reservoir",
            "Waterworks: tap water is safe to drink. No contamination was found in the samples.",
        ),
        ("the Galp refinery is on fire", "Galp: production at the refinery was stopped. There is no fire."),
        ("gangs are emptying shops in the centre", "Police: there have been no reports of looting in the centre."),
        ("more than 150 passengers injured", "Health Service: 22 people were injured."),
        ("it was a 7.4 in Porto", "Observatory: magnitude 5.9 earthquake near Porto."),
        ("450 evacuees are being put in the Opera House", "City: those evacuated can rest at the Rosa Mota arena."),
        ("the tents for the displaced are at the airport", "City: tents for the displaced stand at the Bessa stadium."),
        ("survivors of the ship are at the cathedral now", "Police: the survivors were brought to the Serralves hall."),
        ("oil is pouring out of the ferry", "Harbour Office: the tanks of the ferry are undamaged, there is no oil."),
        (
            "cholera has broken out, dozens are sick",
            "Health Office: there is no cholera outbreak, tests were negative.",
        ),
        ("220 residents shifted to the Antas hall", "City: residents have been shifted to the Bessa stadium."),
        ("evacuees are sent to the ice rink", "City: the reception centre is at the Pedro Nunes school."),
    ],
)
def test_an_authority_speaks_against_what_it_means(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


def test_what_only_followed_from_the_incident_is_not_supported_by_the_incident() -> None:
    own = report("drove six patients to Braga because of the hospital hack")
    other = report("Hospital: our computers were hacked.", OFFICIAL, minutes=20)
    assert claim(own, other).verdict == "insufficient"


def test_a_count_is_not_supported_by_the_deed_without_it() -> None:
    own = report("Over 900 operations cancelled at the hospital")
    other = report("Hospital: planned operations are cancelled.", OFFICIAL, minutes=20)
    assert claim(own, other).verdict == "insufficient"


@pytest.mark.parametrize(
    "text",
    [
        "they won't tell you but the plant is leaking",
        "share this before it gets deleted, the dam is gone",
        "the mayor is lying about the numbers",
        "thousands are DEAD in the mine",
        "the mine is on fire!!!",
    ],
)
def test_a_post_in_the_manner_of_a_rumour_counts_like_hearsay(text: str) -> None:
    assert manner.is_alarmist(text)
    plain = report("the mine is on fire at shaft four, 12 inside")
    shouted = report("the mine is on fire at shaft four, 12 inside!!! share before they delete it")
    assert claim(shouted).confidence < claim(plain).confidence


@pytest.mark.parametrize("text", ["MINE FIRE AT SHAFT FOUR, 12 INSIDE", "we saw the mine burn from our street"])
def test_capitals_alone_and_witnesses_are_no_rumours(text: str) -> None:
    assert not manner.is_alarmist(text)


def test_what_is_said_aside_of_none_does_not_negate_the_statement() -> None:
    assert not manner.is_negated("19 were taken to hospital, none of them seriously hurt")
    assert manner.is_negated("none of the 19 was seriously hurt")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("25 firefighters were checked by medics, 12 professional and 13 volunteer", True),
        ("25 firefighters were checked by medics, 12 professional and 8 volunteer", False),
        ("60 volunteers came from Braga, 20 doctors and 25 nurses", False),
        ("28 divers searched the harbour: 11 navy, 12 civilian", False),
        ("41 sheds were lost, 20 of timber and 21 of steel", True),
    ],
)
def test_ranks_and_professions_divide_a_total(text: str, right: bool) -> None:
    assert [made.adds_up for made in sums(text)] == [right]


def conflict(*told: tuple[str, str, float]) -> tuple[str, str]:
    """Verdict on the first official report and the strongest reason against it, from (text, author, minutes)."""
    made = [report(text, OFFICIAL, author=author, minutes=minutes) for text, author, minutes in told]
    found = claim(*made)
    return found.verdict, next((e.reason for e in found.evidence if e.stance == "refutes"), "")


def test_two_bodies_with_different_figures_at_one_time_are_in_conflict() -> None:
    ministry = ("Health Ministry: 9 people were killed.", "minsaude", 0.0)
    verdict, reason = conflict(ministry, ("Fire Service: 21 people were killed.", "bombeiros", 10))
    assert (verdict, reason.split(":")[0]) == ("conflicting", "another official figure")
    assert conflict(ministry, ("Fire Service: 4 people were killed.", "bombeiros", 30))[0] == "conflicting"


@pytest.mark.parametrize(
    "later",
    [
        ("Health Ministry: 21 people were killed.", "minsaude", 10),
        ("Health Ministry: 21 people were killed.", "press-office", 10),
        ("Fire Service: the death toll rises to 21.", "bombeiros", 10),
        ("Fire Service: 21 people were killed.", "bombeiros", 70),
        ("Fire Service: 21 people were rescued.", "bombeiros", 10),
    ],
)
def test_the_same_body_an_update_and_a_count_grown_since_contradict_nothing(later: tuple[str, str, float]) -> None:
    assert conflict(("Health Ministry: 9 people were killed.", "minsaude", 0), later) == ("supported", "")


@pytest.mark.parametrize(
    "denial",
    [
        "The video of the collapsing bridge is from 2019.",
        "This is old footage of a bridge.",
        "The image of the bridge is AI generated.",
        "Fact check: the clip does not show the bridge.",
        "The photo of the bridge was taken in Chile years ago.",
    ],
)
def test_a_denial_of_footage_hits_who_shows_it_and_not_the_event(denial: str) -> None:
    shown = report("Video: the bridge collapsed, 3 cars fell into the river")
    told = report("The bridge collapsed, 3 cars fell into the river", author="eva")
    checked = report(denial, OFFICIAL, minutes=30)
    assert claim(shown, checked).verdict == "refuted"
    assert claim(told, checked).verdict == "insufficient"


@pytest.mark.parametrize(
    ("denial", "hit", "spared"),
    [
        ("Mill: all workers are accounted for.", "3 workers missing at the mill", "12 workers hurt at the mill"),
        ("Mill: the mill is operating normally.", "the mill is closed after a blast", "the mill was sold last year"),
        (
            "Police: there has been no such incident at the Ribeira mall.",
            "there is a shooting at the mall",
            "the mall got a new roof",
        ),
        ("Railways: trains are running as scheduled.", "all trains are cancelled", "a train driver was robbed at home"),
    ],
)
def test_an_indirect_denial_hits_exactly_what_it_denies(denial: str, hit: str, spared: str) -> None:
    assert claim(report(hit), report(denial, OFFICIAL, minutes=20)).verdict == "refuted"
    assert claim(report(spared), report(denial, OFFICIAL, minutes=20)).verdict == "insufficient"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("they predicted a magnitude 8 for tonight", "Observatory: we have issued no forecast of a magnitude 8."),
        ("no ferries from quay 12 until thursday", "Police: a ferry struck quay 12 this morning."),
        ("dozens are sick with cholera", "Fire Service: 63 people were injured by the storm."),
        ("five times more injured than last year", "Fire Service: 5 people were injured."),
        ("passengers of the ferry are at the cathedral", "Police: one passenger of the ferry has died."),
    ],
)
def test_what_only_shares_words_or_figures_supports_nothing(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert not any(e.stance == "supports" for e in found.evidence), found.evidence


@pytest.mark.parametrize(
    ("told", "other", "kind"),
    [
        ("omg our tram just left the tracks by the fish market", "City: derailment of a tram on line 4.", "transport"),
        (
            "we felt the blast, every window in our street is out",
            "Fire Service: an explosion in a bakery.",
            "explosion",
        ),
        ("whole street dark since nine, candles everywhere", "Grid Office: power has been cut in the north.", "storm"),
        ("the ground shook so hard, i am still under the table", "Survey: earthquake of magnitude 5.1.", "earthquake"),
    ],
)
def test_a_witness_of_the_incident_itself_is_supported_by_who_answers_for_it(told: str, other: str, kind: str) -> None:
    found = claim(report(told, event_type=kind), report(other, OFFICIAL, minutes=20, event_type=kind))
    assert found.verdict == "supported", found.evidence


@pytest.mark.parametrize(
    "told",
    [
        "omg another blast just now, we are running",
        "a friend saw the blast at the dam, our cousin too",
        "we can see the dam after the blast, it is damaged",
    ],
)
def test_what_is_passed_on_or_befell_something_else_is_not_supported_by_the_incident(told: str) -> None:
    official = report("Fire Service: an explosion in a bakery.", OFFICIAL, minutes=20, event_type="explosion")
    posted = report(told, event_type="explosion")
    assert all(found.verdict == "insufficient" for found in verify(posted, official).verified_claims)


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("there is a second gunman in the theatre", "Police: the attacker acted alone."),
        ("the harbour wall has huge cracks", "City Works: the harbour wall was found in good condition."),
        ("mains water is poisoned", "Water Board: the supply is fit for human consumption."),
        ("a bomb was under the stage, they won't tell you", "Police: no traces of explosives were found."),
        ("people are held as hostages in the bank", "Police: no persons are held."),
        ("one more boiler has exploded at the laundry", "Fire Service: nothing has blown up, we have looked."),
        ("chlorine is leaking from the pool", "Fire Service: no hazardous substances escaped, the air is safe."),
    ],
)
def test_a_reassurance_is_heard_that_never_names_the_rumour(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    "text",
    [
        "the hillside slid onto the track and nobody can get through",
        "zero lights in the valley tonight",
        "they won't tell you that the pier burned",
        "9 hikers not seen since the avalanche",
        "still no word from two nuns",
        "Seven rowers cannot be located",
    ],
)
def test_what_cannot_be_done_is_lacking_or_kept_quiet_denies_nothing(text: str) -> None:
    assert not manner.is_negated(text)


@pytest.mark.parametrize("text", ["A mine could not be found", "nobody has seen any thieves", "no trace of poison"])
def test_what_was_looked_for_in_vain_is_denied(text: str) -> None:
    assert manner.is_negated(text)


def test_where_the_hurt_are_taken_is_no_shelter_and_a_shelter_opens_no_school() -> None:
    care = report("Sixty patients were taken to Silva General.", "news")
    camp = report("Civil Protection: residents are housed at Ferro Stadium.", OFFICIAL, minutes=9)
    assert not any(item.stance == "refutes" for item in claim(care, camp).evidence)
    school = report("Garcia School is closed", minutes=1)
    opened = report("Civil Protection: a relief camp was opened at Garcia School.", OFFICIAL, minutes=9)
    assert claim(school, opened).verdict != "refuted"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("it was arson, somebody lit the sawmill", "Police: the cause is an electrical fault in a saw."),
        ("this was an attack on our port", "Police: involvement of third parties has been ruled out."),
        ("the smoke is toxic, whole families are falling over", "Health Office: there is no danger to health."),
    ],
)
def test_a_cause_or_harm_that_an_authority_excludes_is_not_believed(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    "told",
    [
        "I saw a crocodile swim past our gate, this flood is crazy",
        "Bear swimming along the flooded A-12 right now",
        "Look at this video we got of the flooded metro",
    ],
)
def test_an_event_bears_out_neither_the_beast_nor_the_pictures_told_beside_it(told: str) -> None:
    toll = report("Civil Protection: two deaths confirmed in the flooding", OFFICIAL, minutes=20, event_type="flood")
    assert verify(report(told, event_type="flood"), toll).reliability_score < 0.5


def test_a_fact_check_keeps_its_force_beside_an_official_toll_and_a_word_on_other_animals() -> None:
    post = report("Shark swimming on the flooded ring road", event_type="flood")
    check = report("The photo of a shark on the ring road is fake, fact-checkers say", "news", minutes=5)
    toll = report("Civil Protection: two deaths confirmed in the flooding", OFFICIAL, minutes=20, event_type="flood")
    zoo = report("City Zoo: all of our animals are safe and accounted for", "official", minutes=25)
    assert claim(post, check, toll).verdict in {"refuted", "conflicting"}
    assert claim(check, toll, zoo).verdict == "insufficient"


def test_a_post_from_another_year_is_denied_for_what_it_tells() -> None:
    hoax = report(
        "Council: we know of a post on the weir gates. It is a hoax dating from 2018.", "emergency", minutes=20
    )
    assert claim(report("they will open the weir gates at five"), hoax).verdict == "refuted"


def test_what_something_is_moved_for_is_not_what_is_told_of_it() -> None:
    local = report("Power Company: the outage is local.", "emergency", minutes=20)
    assert (
        claim(report("exams at the college are moved to Thursday because of the outage"), local).verdict != "supported"
    )


def test_no_second_one_at_risk_denies_the_second_one() -> None:
    safe = report("Fire Service: there is no second tank at risk in the harbour.", "emergency", minutes=20)
    assert claim(report("a second tank is about to blow near the silo"), safe).verdict == "refuted"


def test_a_market_that_will_not_open_because_of_an_outbreak_denies_no_outbreak() -> None:
    deaths = report("Health Office: three died of cholera.", "emergency", minutes=20, event_type="outbreak")
    told = report("the flea market stays shut at the weekend because of cholera", event_type="outbreak")
    assert claim(told, deaths).verdict != "refuted"


def test_what_a_company_is_going_to_pay_is_no_place_that_families_go_to() -> None:
    hall = report("City: families are being lodged at Silva Hall.", "emergency", minutes=20)
    assert claim(report("the mill is going to pay R900 per family by Friday"), hall).verdict != "refuted"


def test_that_there_is_none_of_something_at_a_place_says_nothing_of_what_else_is_told_of_that_place() -> None:
    none = report("Police: no robberies on the ring road were reported.", "emergency", minutes=20)
    assert claim(report("drivers on the ring road were handed water by students"), none).verdict != "refuted"
    assert claim(report("masked men are robbing drivers on the ring road"), none).verdict == "refuted"


def test_what_is_undamaged_says_nothing_of_what_else_fell() -> None:
    whole = report("Airport: the terminal is undamaged and the runway is dry.", "emergency", minutes=20)
    assert claim(report("a bakery roof came down by the mill"), whole).verdict != "refuted"
