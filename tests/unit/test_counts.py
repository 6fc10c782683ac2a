"""Counts of one class of things: what agrees by its number and what contradicts it, in words that no list holds."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report, verify
from verifleet.agents.verifier.count_agreement import agree, differ
from verifleet.agents.verifier.counts import Count, count_from_json, count_to_json, counts_of
from verifleet.agents.verifier.events import Prepared

OFFICIAL = "emergency"


def _counts(text: str) -> list[tuple[float, str]]:
    return [(count.low, count.kind) for count in counts_of(text, (), frozenset())]


def _yachts() -> list[Prepared]:
    """A newsroom and an authority that count the same yachts, each in words of its own."""
    return [
        report("Harbour Radio: 37 yachts ended up on the rocks.", "news", minutes=6),
        report("Coast Office: 37 vessels were holed by the gale.", OFFICIAL, minutes=9),
    ]


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("29 flats were boarded up", [(29, "building")]),
        ("Twenty-nine cottages lost their slates", [(29, "building")]),
        ("86 concertgoers keeled over", [(86, "person")]),
        ("53 of us had to climb the fence", [(53, "person")]),
        ("53 plunge from pier", [(53, "person")]),
        ("Measles patients have passed 230", [(230, "person")]),
        ("64 house roofs peeled away", [(64, "roof")]),
        ("7 storey block", []),
        ("470 people leapt in, 38 is a joke", [(470, "person")]),
        ("half a million without electricity", [(500_000, "served")]),
    ],
)
def test_a_number_is_read_with_the_class_of_what_it_counts(text: str, counted: list[tuple[float, str]]) -> None:
    assert _counts(text) == counted


def test_the_same_unround_number_of_one_class_supports_whatever_the_words() -> None:
    found = claim(report("37 sailing boats got chewed up at the quay"), *_yachts())
    assert found.verdict == "supported", found.evidence


def test_a_far_larger_count_of_the_same_things_is_refuted() -> None:
    told = report("290 boats got chewed up at the quay", minutes=20)
    found = claim(told, *_yachts(), report("37 boats got chewed up at the quay", minutes=3))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    "told",
    [
        "7,300 homes around the quay have no broadband",
        "410 pupils were sent home from the quay school",
        "12 boats are tied up under the bridge",
        "52 swans are walking on the ring road",
        "640 travellers slept in the station",
    ],
)
def test_a_lone_count_of_something_else_stays_open(told: str) -> None:
    found = claim(report(told, minutes=20), *_yachts(), report("37 boats got chewed up at the quay", minutes=3))
    assert found.verdict == "insufficient", found.evidence


def test_counts_with_two_known_and_different_fates_are_two_counts() -> None:
    found = claim(report("43 people are missing"), report("Police: 43 people were arrested.", OFFICIAL, minutes=5))
    assert found.verdict == "insufficient", found.evidence


def test_what_agreeing_reports_say_is_learnt_as_one_thing() -> None:
    """One says scalds, the other frizzled: a third that says frizzled with another number contradicts both."""
    told = report("460 swimmers frizzled at the lido", minutes=20, event_type="other")
    others = [
        report("46 bathers frizzled at the lido", minutes=2, event_type="other"),
        report("Ambulance Service: 46 people were treated for scalds at the lido.", OFFICIAL, event_type="other"),
    ]
    assert claim(told, *others).verdict == "refuted"


def test_a_lone_post_with_another_figure_speaks_against_nobody() -> None:
    one, other = report("58 people were hurt on the pier"), report("580 people were hurt on the pier", minutes=9)
    assert claim(one, other).verdict == claim(other, one).verdict == "insufficient"


def test_a_count_is_not_supported_by_a_report_of_the_event_alone() -> None:
    told = report("Measles patients have passed 900 here", event_type="other")
    official = report("Health Office: measles confirmed. The measles ward is open.", OFFICIAL, event_type="other")
    assert claim(told, official).verdict != "supported"


def test_a_number_that_is_right_does_not_make_its_place_right() -> None:
    told = report("The helpers' hub is at the fish market, 66 lads there", minutes=9)
    official = report("City: 66 labourers have come to the hub in the stadium.", OFFICIAL)
    assert claim(told, official).verdict != "supported"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a couple of hundred people hurt", 250),
        ("couple hundred people hurt", 250),
        ("over a couple of thousand people hurt", 2000),
        ("two-score people hurt", 40),
        ("five dozen people hurt", 60),
        ("half a thousand people hurt", 500),
    ],
)
def test_vague_sizes_are_numbers(text: str, value: float) -> None:
    [count] = counts_of(text, (), frozenset())
    assert count.value == value


def test_a_lower_count_may_be_of_some_unless_it_is_said_to_be_all() -> None:
    whole = Count(48, 48, "person", fate="safe", learnt=True)
    assert not differ(Count(5, 5, "person", fate="safe"), whole)
    assert differ(Count(5, 5, "person", fate="safe", whole=True), whole)


def test_small_numbers_agree_only_on_one_known_fate() -> None:
    assert not agree(Count(3, 3, "person"), Count(3, 3, "person", fate="dead"))
    assert agree(Count(3, 3, "person", fate="dead"), Count(3, 3, "person", fate="dead"))


def test_a_count_survives_the_store() -> None:
    count = Count(37, None, "vessel", "yacht", "ruin", frozenset({"rock"}), text="37")
    assert count_from_json(count_to_json(count)) == count


def test_a_count_of_those_who_have_not_done_something_is_no_denial() -> None:
    told = report("26 ramblers have not come down off the fell")
    official = report("Mountain Rescue: 26 ramblers have not been located.", OFFICIAL, minutes=5)
    assert claim(told, official).verdict == "supported"


def test_a_count_with_the_rest_of_them_is_of_all() -> None:
    told = report("6 guests got out of the inn, the others never made it", minutes=9, event_type="fire")
    others = [
        report("47 guests carried to safety from burning inn", "news", minutes=4, event_type="fire"),
        report("Fire Service: 47 guests of the inn were rescued.", OFFICIAL, minutes=5, event_type="fire"),
    ]
    assert claim(told, *others).verdict == "refuted"


def test_who_says_the_true_number_is_hidden_speaks_of_what_everybody_counts() -> None:
    told = "640 trekkers got zonked"
    others = [
        report("64 trekkers were treated for frostbite", "news", minutes=4),
        report("Mountain Rescue: 64 people were treated for frostbite.", OFFICIAL, minutes=5),
    ]
    assert claim(report(told, minutes=9), *others).verdict == "insufficient"
    assert claim(report(f"They are hiding it, {told}", minutes=9), *others).verdict == "refuted"


def _hall() -> list[Prepared]:
    """A newsroom and an authority that count those in one hall."""
    return [
        report("Seven people were in the boiler room when the roof fell in, Radio Douro hears.", "news", minutes=6),
        report("Fire Service: seven fitters were in the boiler room when the roof caved in.", OFFICIAL, minutes=9),
    ]


def test_a_small_number_of_people_at_one_and_the_same_spot_agrees() -> None:
    assert claim(report("7 lads were down in that boiler room, foreman says"), *_hall()).verdict == "supported"
    assert claim(report("60 men were down in that boiler room", minutes=20), *_hall()).verdict == "refuted"


@pytest.mark.parametrize(
    "told",
    [
        "60 men were queueing at the gate this morning",
        "60 people were in the canteen, all shaking",
        "Guard says 40 visitors are still hiding in the cellar",
        "15 lorries were parked by the boiler room",
    ],
)
def test_people_elsewhere_are_not_those_at_one_spot(told: str) -> None:
    assert claim(report(told, minutes=20), *_hall()).verdict == "insufficient"


@pytest.mark.parametrize(
    "told",
    [
        "nearly forty sailing boats smashed on the rocks",
        "about 38 boats ended up on the rocks",
        "close to 40 yachts wrecked, heartbreaking",
    ],
)
def test_a_rough_number_agrees_with_the_exact_one(told: str) -> None:
    assert claim(report(told), *_yachts()).verdict == "supported"


def test_dozens_agree_with_no_number() -> None:
    assert not agree(
        Count(24, 99, "vessel", fate="ruin", about=True), Count(37, 37, "vessel", fate="ruin", noun="boat")
    )
    assert agree(Count(200, 300, "person", fate="safe", about=True), Count(215, 215, "person", fate="safe"))


@pytest.mark.parametrize(
    "told",
    [
        "64 boats can't leave the harbour",
        "My uncle says 85 boats have lost their nets",
        "64 boats are waiting for fuel",
    ],
)
def test_boats_of_which_something_else_is_told_are_not_those_that_sank(told: str) -> None:
    assert claim(report(told, minutes=20), *_yachts()).verdict == "insufficient"


def test_what_happened_meanwhile_befell_others() -> None:
    [count] = counts_of("31 waiters were inside when the pavilion fell", (), frozenset())
    assert count.fate == "stuck"
    [count] = counts_of("31 waiters were at work when the pavilion was hit", (), frozenset())
    assert not count.fate


def test_a_toll_counts_people_whatever_sank() -> None:
    boats = report("64 boats are waiting off the bar", minutes=20)
    assert claim(boats, report("Deaths in the ferry sinking rise to nine.", OFFICIAL, minutes=25)).verdict != "refuted"


def test_vehicles_that_fell_are_counted_against_one_another() -> None:
    official = report("Port Police: four vehicles rolled off the ramp into the harbour.", OFFICIAL, minutes=9)
    news = report("Vehicles numbering four went into the harbour, staff say.", "news", minutes=6)
    assert claim(report("4 cars fell off the ramp, saw it"), official, news).verdict == "supported"
    assert claim(report("19 cars fell off the ramp", minutes=20), official, news).verdict == "refuted"
    assert claim(report("19 cars are stuck in the queue at the ramp", minutes=20), official).verdict == "insufficient"


def test_a_count_from_before_it_had_all_its_fields_is_read() -> None:
    count = Count(37, None, "vessel", "yacht", "ruin", frozenset({"rock"}), text="37")
    assert count_from_json(count_to_json(count)[:-2]) == count


def test_pupils_who_had_to_leave_school_were_sent_home() -> None:
    official = report("School Board: 4,000 pupils were sent home because of the smoke.", OFFICIAL, minutes=9)
    news = report("Smoke: 4,000 pupils sent home.", "news", minutes=6)
    assert claim(report("50,000 pupils had to leave school", minutes=20), official, news).verdict == "refuted"


def test_that_the_papers_are_wrong_denies_nothing() -> None:
    official = report("Civil Guard: 46 residents are cut off by the slide.", OFFICIAL, minutes=9)
    told = report("The radio has it backwards, four hundred farmers are cut off by the slide", minutes=20)
    assert claim(told, official).verdict == "refuted"


def test_a_figure_counts_for_the_place_that_a_statement_names_beside_another() -> None:
    told = report("33 pupils sick and dizzy at Miragaia Primary School", event_type="pollution")
    official = report(
        "Health Board: thirty-three children of Miragaia Primary School are being seen at the clinic for nausea.",
        OFFICIAL,
        minutes=9,
        event_type="pollution",
    )
    assert claim(told, official).verdict == "supported"


@pytest.mark.parametrize(
    "told",
    [
        "90 mopeds were knocked over at the school",
        "240 sheds were flattened on the allotments",
        "300 houses have cracks in the plaster",
        "250 houses will be looked at by surveyors",
    ],
)
def test_counts_of_another_sort_or_of_lesser_harm_contradict_nothing(told: str) -> None:
    others = [
        report("Civil Guard: 57 houses collapsed and 14 lorries overturned.", OFFICIAL, minutes=9),
        report("57 homes down, 14 trucks on their sides.", "news", minutes=6),
    ]
    assert claim(report(told, minutes=20), *others).verdict == "insufficient"
    assert claim(report("At least 400 houses collapsed", minutes=20), *others).verdict == "refuted"


def test_little_ones_are_children() -> None:
    assert _counts("43 little ones have measles") == [(43, "person")]


def test_horses_taken_elsewhere_are_not_those_that_died() -> None:
    others = [
        report("Vets: 22 mares died in the fire at the stud farm.", OFFICIAL, minutes=9),
        report("22 horses dead at stud farm.", "news", minutes=6),
    ]
    assert claim(report("40 horses were brought to our meadow", minutes=20), *others).verdict == "insufficient"
    assert claim(report("95 horses burned at the stud farm", minutes=20), *others).verdict == "refuted"


def test_who_is_given_oxygen_and_who_is_on_it_are_counted_alike() -> None:
    official = report("Ambulance Service: medics gave oxygen to 34 packers at the cold store.", OFFICIAL, minutes=9)
    news = report("34 packers given oxygen at cold store.", "news", minutes=6)
    assert claim(report("34 packers on oxygen here"), official, news).verdict == "supported"
    assert claim(report("270 packers on oxygen here", minutes=20), official, news).verdict == "refuted"


@pytest.mark.parametrize("behind", ["the media won't touch it", "tv is asleep", "nobody dares report it"])
def test_that_nobody_tells_of_it_denies_nothing(behind: str) -> None:
    official = report("Fire Service: crews brought 26 people off roofs at the quay.", OFFICIAL, minutes=9)
    news = report("26 plucked from roofs at the quay.", "news", minutes=6)
    told = report(f"They pulled 310 people off roofs at the quay, {behind}", minutes=20)
    assert claim(told, official, news).verdict == "refuted"


def test_the_dead_of_a_herd_are_animals() -> None:
    assert _counts("60 carcasses of sheep lie in the meadow") == [(60, "animal")]
    toll = report("Civil Guard: the death toll stands at 34.", OFFICIAL, minutes=9)
    assert claim(report("60 carcasses of sheep lie in the meadow", minutes=20), toll).verdict == "insufficient"


def test_another_number_of_things_is_not_the_same_statement() -> None:
    news = report("Car park fire: 26 cars gone.", "news", minutes=6)
    assert claim(report("14 engines outside the car park"), news).verdict != "supported"


@pytest.mark.parametrize(
    ("post", "official"),
    [
        ("Rustlers took 140 heifers off the moor", "Police: 140 cattle were stolen from the moor."),
        ("31 on the minibus that went in the ditch", "Police: the minibus was carrying thirty-one people."),
        ("36 gators slipped out of the park", "Wildlife Office: thirty-six alligators have escaped from the park."),
        ("26 toddlers at the creche have tummy cramps", "Health Board: 26 children fell ill at the creche."),
    ],
)
def test_one_number_is_told_in_the_words_of_people_and_of_authorities(post: str, official: str) -> None:
    assert claim(report(post), report(official, OFFICIAL, minutes=9)).verdict == "supported"


def test_why_it_happened_is_not_what_befell_the_counted() -> None:
    (counted,) = counts_of("27 vans remain wedged as a result of the deck collapse", (), frozenset())
    assert counted.fate == "stuck"


def test_a_headline_without_a_verb_counts_what_was_hit() -> None:
    told = verify(report("70 boats sunk!! whole harbour is wrecked")).verified_claims
    assert told[0].claim.text == "70 boats sunk!!"


def test_many_more_in_the_place_where_others_count_all_of_them() -> None:
    others = [
        report("1,130 evacuees fill the gymnasium.", "news", minutes=6),
        report("Civil Protection: 1,130 individuals are housed at the gymnasium.", OFFICIAL, minutes=9),
    ]
    assert claim(report("1,130 of us in the gym"), *others).verdict == "supported"
    assert claim(report("there's 5,000 of us in the gym", minutes=20), *others).verdict == "refuted"


@pytest.mark.parametrize(
    ("post", "official", "verdict"),
    [
        ("the Tamega at 12 metres!!!", "River gauge Tamega: 4.10 m", "refuted"),
        ("avalanche level is only 1", "Snow Institute: avalanche danger is at level 4 of 5", "refuted"),
        (
            "a boy was pulled alive from the ruins",
            "Fire Service: a nine-year-old boy was rescued from the ruins.",
            "supported",
        ),
        ("still four missing in the mine", "Mine Rescue: all 31 people are accounted for.", "refuted"),
        ("still four missing in the mine", "Mine Rescue: not all people are accounted for.", "insufficient"),
    ],
)
def test_levels_ages_and_who_is_accounted_for(post: str, official: str, verdict: str) -> None:
    assert claim(report(post, minutes=5), report(official, OFFICIAL, minutes=9)).verdict == verdict


def test_one_person_here_is_not_one_person_there() -> None:
    official = report("Fire Service: one officer was treated for smoke inhalation.", OFFICIAL, minutes=9)
    told = claim(official, report("one guy with bad burns at the boatyard", minutes=2))
    assert [item.source for item in told.evidence if item.stance == "supports"] == [told.sources[0]]


def test_a_number_of_others_in_the_same_words_is_no_confirmation() -> None:
    others = [
        report("38 residents of the care home tested positive.", "news", minutes=6),
        report("Health Board: thirty-eight cases at the facility.", OFFICIAL, minutes=9),
    ]
    first = report("38 oldies in the home have got covid")
    assert claim(first, *others).verdict == "supported"
    assert claim(report("150 in that home have got covid", minutes=20), first, *others).verdict == "refuted"


def test_people_are_cleared_out() -> None:
    (counted,) = counts_of("they cleared 400 people out of that tower", (), frozenset())
    assert (counted.fate, counted.kind) == ("moved", "person")


def test_who_is_in_it_is_counted_as_people() -> None:
    assert _counts("the coach had 58 in it") == [(58, "person")]
    assert _counts("22 bicycles were crushed") == [(22, "vehicle")]


@pytest.mark.parametrize(
    ("post", "official", "verdict"),
    [
        ("Porto weather station: 29 °C", "Weather Office: up to 38 degrees are forecast for tomorrow", "insufficient"),
        ("my kid has a fever of 39.5 degrees", "Weather Office: it is 45 degrees in Porto", "insufficient"),
        ("the Tamega is at 4 m now", "Water Board: the Tamega is expected to peak at 5.2 m", "insufficient"),
        ("two still missing at Foz", "Police: two people reported missing at Foz have been found safe", "insufficient"),
        ("140 homes evacuated in Foz", "Council: the rest centre is at the Lapa Sports Hall", "insufficient"),
        ("23 pupils treated for food poisoning", "Police: no evidence of deliberate poisoning", "insufficient"),
        ("Lapa shelter is full", "Council: shelter at Lapa is open", "insufficient"),
    ],
)
def test_what_is_forecast_found_left_or_open_is_something_else(post: str, official: str, verdict: str) -> None:
    assert claim(report(post), report(official, OFFICIAL, minutes=9)).verdict == verdict


def test_a_figure_that_was_official_is_outdated_and_not_refuted_by_a_lower_one() -> None:
    was = report("Coast Guard: 12 people are missing", OFFICIAL)
    now = report("Coast Guard: four people are missing", OFFICIAL, minutes=60)
    assert (
        claim(report("Twelve missing after the ferry ran aground", "news", minutes=20), was, now).verdict == "supported"
    )
    assert claim(report("12 missing they say", minutes=90), was, now).verdict == "refuted"
