"""Denials that name no rumour: what an authority says of a thing, against what is said of it that cannot be so."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.verifier.contrary import sides, things

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("the governor flew out before it hit", "Region: the governor is at the crisis room and leads the work."),
        ("Skipper was hammered", "Water Police: the captain's breath test came back negative."),
        ("the hill above the market is moving again", "Geology Office: the slope is stable, no movement was measured."),
        ("Two bears got out of the zoo", "Zoo: every animal is in its enclosure."),
        ("They caught the arsonist, he is in handcuffs", "Police: nobody has been arrested over the fire."),
        ("the flats next door are about to go as well", "City: it is not true that the neighbouring block is falling."),
        ("the train was doing 160 through the curve", "Railways: the train ran at the permitted speed."),
        ("fire alarms never went off", "Fire Service: the alarms sounded as they should."),
        ("hospital is full, they turn people away", "Health Office: the hospital is open and admitting patients."),
        ("All trams stopped, nothing gets through", "City Transport: trams are running on schedule."),
        ("Nurses walked out over the storm", "Health Office: there is no industrial action at any hospital."),
        ("train drivers are on strike", "Railways: every driver is on duty."),
        ("the obelisk toppled onto the crowd", "Fire Service: the obelisk is upright and nobody was near it."),
        ("The whole town has to leave before dark", "Civil Protection: nobody has been ordered to leave."),
        ("everybody is being evacuated right now", "Civil Protection: residents should stay indoors."),
        ("the whole city is without power", "Power Company: the rest of the city is supplied."),
        ("Soldiers shot live rounds into the queue", "Army: the soldiers carried no firearms."),
        ("the gauges were switched off that night", "River Office: the gauges were on and transmitting."),
        ("they have called off the search", "Coast Guard: the search is continuing through the night."),
        ("ambulances can't get through, the coast road is under water", "Police: the coast road is passable."),
        ("the clinic has run out of oxygen", "Health Office: the clinic has oxygen for twelve days."),
        ("The emergency number 112 is dead", "Region: 112 is answering calls."),
        ("they switched off all networks", "Ministry: the networks are all up."),
        ("the hurricane turned, a direct hit tonight", "Weather Office: the hurricane is moving away."),
        ("all flights are cancelled", "Airport: departures are running with short delays."),
        ("the abbey is gone, the slide took it", "Police: the abbey is unharmed."),
        ("half the police deserted", "Police: all officers are at their posts."),
        ("the pilot is dead", "Hospital: the pilot is awake and talking to doctors."),
        ("the ferry has capsized", "Coast Guard: the ferry is afloat."),
        ("volcano is at alert level 4", "Geology Office: the alert level has not changed and remains at 2."),
    ],
)
def test_a_state_that_cannot_be_beside_an_authority_s_is_refuted(told: str, official: str) -> None:
    assert claim(report(told), report(official, OFFICIAL, minutes=20)).verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        # Of another thing, of the first of two, or no alarm.
        ("the governor flew out before it hit", "Region: the mayor is at the crisis room and leads the work."),
        ("A block of flats came down in the old town", "City: the neighbouring block is stable and was inspected."),
        ("captain was pulled out of the water", "Water Police: the captain's breath test came back negative."),
        ("the school is closed on Monday", "City: the water at the school is safe to drink."),
        ("Silva School is shut", "City: a rest centre was opened at Silva School."),
        ("They opened the gates of the park early", "Water Office: the gates of the dam have stayed closed."),
        ("the footbridge by the mill is closed", "Police: the road bridge is open to traffic."),
        ("They evacuated the school by the mill", "Civil Protection: nobody has been ordered to leave home."),
        ("two houses by the mill were evacuated", "Civil Protection: residents should stay indoors."),
        ("our street is without power", "Power Company: the rest of the city is supplied."),
        ("the little ferry is not sailing for 3 days", "Coast Guard: 60 ferry passengers are receiving first aid."),
        ("the drivers at the brewery walked out", "Fire Service: crews are at work on every road."),
        ("the nursery by the mill is shut, its boiler broke", "City: all primary schools are open."),
        ("my flight to Oslo was cancelled", "Airport: departures are running with short delays."),
        ("the lorry is under water at the quay", "Port Office: the port is open."),
        ("a baker burnt his hand at the mill", "Fire Service: no firefighter was hurt at the mill in Porto."),
        ("level 4 of the car park is flooded", "Geology Office: the alert level remains at 2."),
    ],
)
def test_what_can_be_so_at_the_same_time_is_left_alone(told: str, official: str) -> None:
    assert claim(report(told), report(official, OFFICIAL, minutes=20)).verdict != "refuted"


def test_what_is_said_to_be_well_means_the_one_post_that_alarms_about_it() -> None:
    well = report("Port Office: the lighthouse is working as usual.", OFFICIAL, minutes=20)
    assert claim(report("the lighthouse was smashed to pieces"), well).verdict == "refuted"
    assert claim(report("40 sheep drowned on the meadow"), well).verdict == "insufficient"


def test_of_two_posts_the_one_nearer_to_the_denial_is_meant() -> None:
    denied = report("Museum: it is untrue that paintings were carried off from the Silva museum.", OFFICIAL, minutes=20)
    rumour = report("Paintings stolen from the Silva museum!!", minutes=2)
    assert claim(report("the museum café has no coffee"), denied, rumour).verdict != "refuted"
    assert claim(rumour, denied).verdict == "refuted"


def test_he_is_who_was_spoken_of_before() -> None:
    denied = report("Coast Guard: the captain gave evidence. Claims that he abandoned the ship are untrue.", OFFICIAL)
    assert claim(report("the captain jumped first and is in hiding"), denied).verdict == "refuted"


def test_a_negated_side_is_the_other_and_an_authority_turns_what_it_calls_untrue() -> None:
    about = things("the captain was drunk")
    assert sides("the captain was drunk", about) >= {"-drunk"}
    assert sides("the captain was not drunk", about) >= {"+drunk"}
    assert sides("Claims that the captain was drunk are false", about, answers=True) >= {"+drunk"}


def test_every_question_is_of_things_that_have_words_and_no_word_both_alarms_and_calms() -> None:
    data = json.loads(files("verifleet.agents.verifier").joinpath("contraries.json").read_text("utf-8"))
    assert {kind for question in data["questions"].values() for kind in question["of"] or ()} <= set(data["kinds"])
    assert set(data["tones"]["alarm"]).isdisjoint(data["tones"]["calm"])


def test_masks_that_run_short_are_answered_by_enough_of_them() -> None:
    official = report("City: there are enough masks for everybody.", OFFICIAL, minutes=20)
    assert claim(report("the clinic has run out of masks"), official).verdict == "refuted"


@pytest.mark.parametrize("text", ["It is not safe to go near the fumes.", "The fire is not yet under control."])
def test_what_is_not_safe_calms_nobody(text: str) -> None:
    assert "+any" not in sides(text, things(text), answers=True)
    assert "+any" in sides("The fumes are not poisonous.", things("The fumes are not poisonous."), answers=True)


@pytest.mark.parametrize(
    ("rumour", "answer"),
    [
        (
            "Nobody is reporting it but Ponte Nova has been swept away",
            "Ponte Nova stands and carries traffic both ways.",
        ),
        ("The frescoes are ruined", "The frescoes hang in the attic, where they were taken on Monday."),
        ("a second gunman is on the loose", "The man held at the scene acted alone."),
        ("diesel is gushing out of the tanker", "Divers went round her. The tanks of the ship are tight."),
        ("Curfew from nine, they arrest everyone outside", "No such order has been given."),
    ],
)
def test_a_rumour_is_answered_by_how_things_stand_with_what_it_is_about(rumour: str, answer: str) -> None:
    assert claim(report(rumour), report(f"City: {answer}", OFFICIAL, minutes=20)).verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("The pier at Salir lost its railing", "Ponte Nova stands and carries traffic both ways."),
        ("The fish market on Cais Street moves out next week", "Cais Street is calm and every shop front is whole."),
        ("No buses to Cais before noon, the lane is washed out", "Ponte Nova stands and carries traffic both ways."),
        ("the gallery has lost its windows", "The rest of the gallery is standing."),
    ],
)
def test_how_things_stand_with_one_thing_says_nothing_of_another(told: str, answer: str) -> None:
    assert claim(report(told), report(f"City: {answer}", OFFICIAL, minutes=20)).verdict == "insufficient"


def test_what_stands_does_not_bear_out_that_it_is_gone() -> None:
    official = report("Water board: the plant is dry and pumps at full rate.", OFFICIAL, minutes=20)
    assert claim(report("the water plant is flooded and will run dry"), official).verdict != "supported"
    post = report("No trams to the lake, the track bed is washed out", author="b", minutes=5)
    assert claim(report("Ponte Nova has been swept away"), post).verdict == "insufficient"


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ("the bakery van has lost its mirror", "The baker is at home and is well."),
        ("35 poplars fell close to Cais Street", "It is not correct that Mercado Velho is closed."),
        ("The market is off on Saturday after the flood, my grocer says", "The flood came from a broken sluice."),
        ("The cable car is out of service", "Ponte Nova was checked and is passable to all vehicles."),
    ],
)
def test_an_answer_that_shares_a_passing_word_with_a_post_leaves_it_alone(told: str, answer: str) -> None:
    assert claim(report(told), report(f"City: {answer}", OFFICIAL, minutes=20)).verdict == "insufficient"


@pytest.mark.parametrize(
    ("post", "official", "verdict"),
    [
        (
            "the shelter at the Rivoli is full, turning people away",
            "Council: the Rivoli has space for 80 more.",
            "refuted",
        ),
        (
            "no power in Matosinhos since noon",
            "Grid Office: there is no indication of a cyberattack on the grid.",
            "insufficient",
        ),
        (
            "the dam upstream will be opened at midnight without warning",
            "Water Board: no release from the dam is planned.",
            "refuted",
        ),
        (
            "They let the animals at the pound burn",
            "Council: all 40 animals of the pound were taken to the fair.",
            "refuted",
        ),
    ],
)
def test_what_an_authority_says_of_the_same_thing(post: str, official: str, verdict: str) -> None:
    assert claim(report(post), report(official, "emergency", minutes=9)).verdict == verdict


def test_a_monitor_that_calls_it_normal_is_not_refuted_by_who_calls_it_normal() -> None:
    monitor = report("Radiation monitor Porto: 0.09 uSv/h, normal background", "sensor")
    told = claim(monitor, report("Nuclear Office: radiation levels are normal.", "emergency", minutes=9))
    assert told.verdict != "refuted"
    post = claim(report("benzene is off the charts"), report("Air monitor: benzene below detection limit", "sensor"))
    assert post.verdict != "supported"


@pytest.mark.parametrize(
    ("post", "official", "verdict"),
    [
        (
            "typhoid has broken out at the pier camp!!",
            "Not a single case of typhoid has been found in Porto, according to the Health Office, which asked all.",
            "refuted",
        ),
        (
            "the runway has split in two",
            "Porto Airport works as usual after engineers found the runway intact, the Norte Office advises.",
            "refuted",
        ),
        (
            "A second van with armed men is driving around!!",
            "We have no indication whatever of a second vehicle.",
            "refuted",
        ),
        (
            "URGENT!!! a tiger got out of the Gaia zoo",
            "The office has checked with Gaia zoo: every tiger is behind its fence.",
            "refuted",
        ),
        (
            "the river gauge at Foz has passed 13 metres",
            "The river gauge at Foz stands at 9.8 metres and is falling.",
            "refuted",
        ),
        ("Foz Road is going to be off limits for a month", "Operations around Foz Road continue.", "insufficient"),
    ],
)
def test_an_answer_is_read_without_who_gives_it(post: str, official: str, verdict: str) -> None:
    assert claim(report(post), report(official, "emergency", minutes=9)).verdict == verdict


def test_posts_that_share_a_street_do_not_contradict_each_other() -> None:
    post = report("2300 houses have no drinking water around Rua XV de Novembro by the look of it")
    other = report(
        "14 dogs picked up from the water at Rua XV de Novembro: nine adult dogs and five puppies", author="b"
    )
    assert claim(post, other).verdict == "insufficient"
