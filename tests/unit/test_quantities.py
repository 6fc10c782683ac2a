"""Quantities: many wordings, one slot; and what is no quantity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.agents.quantities import MAX_QUANTITIES, Quantity, extract_quantities


def slots(text: str) -> list[tuple[str, float, float | None, str]]:
    return [(q.slot, q.low, q.high, q.qualifier) for q in extract_quantities(text)]


def only(text: str) -> Quantity:
    (quantity,) = extract_quantities(text)
    return quantity


@pytest.mark.parametrize(
    "text",
    [
        "84 people injured",
        "eighty-four people have been hurt",
        "injures 84 in the harbour",
        "84 passengers wounded",
        "84 were taken to hospital",
        "casualties: 84",
        "the number of injured has risen to 84",
        "84 heridos",
        "84 feriti",
        "84 guests hospitalised after the dinner",
    ],
)
def test_injured_has_many_wordings(text: str) -> None:
    assert [(slot, low) for slot, low, _, _ in slots(text)] == [("injured", 84)]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("six dead in the landslide", "killed", 6),
        ("death toll in the valley rises to six as of 14:00", "killed", 6),
        ("the toll climbs from 3 to 6", "killed", 6),
        ("the storm claimed 6 lives", "killed", 6),
        ("6 bodies were recovered", "killed", 6),
        ("12 hikers unaccounted for", "missing", 12),
        ("1.2k residents were evacuated", "evacuated", 1200),
        ("fire forces 7,000 from their homes", "evacuated", 7000),
        ("half a million people homeless", "evacuated", 500_000),
        ("two dozen miners trapped underground", "trapped", 24),
        ("19 pulled alive from the rubble", "rescued", 19),
        ("police arrested 3 men", "arrested", 3),
        ("12,500 homes without electricity", "without_power", 12500),
        ("12 500 customers off in the north", "without_power", 12500),
        ("power outages affecting 9,000 households", "without_power", 9000),
        ("power has been restored to 5,000 homes", "power_restored", 5000),
        ("fire destroyed 20 houses", "buildings_destroyed", 20),
        ("20 houses were flooded", "buildings_damaged", 20),
        ("8 vehicles crushed", "vehicles", 8),
        ("magnitude-6.4 quake", "magnitude", 6.4),
        ("a 6.4 earthquake", "magnitude", 6.4),
        ("Mag. 6.4 off the coast", "magnitude", 6.4),
        ("PSI is 290 at 9pm", "air_quality", 290),
        ("4 bridges closed", "bridge", 4),
        ("more than 1,20,000 people affected", "affected", 120_000),
        ("Nobody has heard from 17 hikers", "missing", 17),
        ("17 hikers still can't be found", "missing", 17),
        ("We heard from 17 hikers", "people", 17),
    ],
)
def test_a_slot_is_known_by_the_words_around_the_number(text: str, slot: str, value: float) -> None:
    quantity = only(text)
    assert (quantity.slot, quantity.value) == (slot, value)


@pytest.mark.parametrize(
    ("text", "slot", "value", "unit"),
    [
        ("the fire has burned 1,000 acres", "area_burned", 404.686, "ha"),
        ("winds of 100 mph", "wind_speed", 160.934, "km/h"),
        ("train was travelling at 190 km/h", "speed", 190, "km/h"),
        ("river crested at 10 feet", "water_level", 3.048, "m"),
        ("16.8m water level", "water_level", 16.8, "m"),
        ("200 mm of rain", "rainfall", 0.2, "m"),
        ("at a depth of 10 km", "depth", 10_000, "m"),
        ("closed for 5 days", "duration", 120, "h"),
        ("the fire is 35% contained", "containment", 35, "%"),
        ("temperature of 104°F", "temperature", 40, "°C"),
        ("$3 million in damage", "money", 3e6, "USD"),
    ],
)
def test_measures_come_in_one_base_unit(text: str, slot: str, value: float, unit: str) -> None:
    quantity = only(text)
    assert (quantity.slot, quantity.unit) == (slot, unit)
    assert quantity.value == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "low", "high", "qualifier", "approximate"),
    [
        ("at least 20 dead", 20, None, "at_least", False),
        ("more than twenty dead", 20, None, "at_least", False),
        ("20+ dead", 20, None, "at_least", False),
        ("up to 20 dead", 0, 20, "at_most", False),
        ("nearly 20 dead", 20, 20, "about", True),
        ("20-30 dead", 20, 30, "range", False),
        ("between 20 and 30 dead", 20, 30, "range", False),
        ("dozens dead", 24, 99, "range", True),
        ("al menos 20 muertos", 20, None, "at_least", False),
        ("one hundred and twenty dead", 120, 120, "exact", False),
    ],
)
def test_qualifiers_become_bounds(text: str, low: float, high: float | None, qualifier: str, approximate: bool) -> None:
    quantity = only(text)
    assert (quantity.low, quantity.high, quantity.qualifier, quantity.approximate) == (
        low,
        high,
        qualifier,
        approximate,
    )


def test_each_number_gets_its_own_word() -> None:
    assert slots("80 dead, 31 critically injured and 12 missing") == [
        ("killed", 80, 80, "exact"),
        ("injured", 31, 31, "exact"),
        ("missing", 12, 12, "exact"),
    ]
    assert [s[:2] for s in slots("Typhoon killed 6 people and injured 12")] == [("killed", 6), ("injured", 12)]
    assert [s[:2] for s in slots("Dead: 3, Injured: 45")] == [("killed", 3), ("injured", 45)]


def test_none_is_zero_and_a_person_is_one() -> None:
    assert [s[:2] for s in slots("No injuries or deaths were reported")] == [("injured", 0), ("killed", 0)]
    assert [s[:2] for s in slots("Nobody was hurt")] == [("injured", 0), ("killed", 0)]
    assert [(q.slot, q.low, q.noun) for q in extract_quantities("a firefighter was killed")] == [
        ("killed", 1, "firefighter")
    ]


def test_a_group_is_told_from_people_in_general() -> None:
    parts = extract_quantities("5 trapped at the quarry: 3 adults and 2 children")
    assert [(q.slot, q.noun, q.low) for q in parts] == [
        ("trapped", "", 5),
        ("people", "adult", 3),
        ("people", "child", 2),
    ]
    cars = extract_quantities("8 vehicles crushed: 5 cars and 3 trucks")
    assert [(q.noun, q.low) for q in cars] == [("", 8), ("car", 5), ("truck", 3)]


@pytest.mark.parametrize(
    "text",
    [
        "as of 14:00 on 12 May 2013",
        "Hwy 119 and I-25 are open",
        "fire at 12 Main Street",
        "Flight 214, a Boeing 777",
        "the 45-year-old man",
        "call 911 or 403-555-0199",
        "@user12 #sector7 http://t.co/a1b2c3",
        "in 2013",
        "the 3rd time",
        "",
    ],
)
def test_labels_times_and_addresses_are_no_quantities(text: str) -> None:
    assert slots(text) == []


def test_spans_point_at_the_words() -> None:
    text = "Police say more than twenty people were injured."
    quantity = only(text)
    assert text[slice(*quantity.span)] == quantity.text == "more than twenty"


@given(st.text(max_size=300))
def test_any_text_gives_quantities_within_it(text: str) -> None:
    for quantity in extract_quantities(text):
        start, end = quantity.span
        assert 0 <= start < end <= len(text)
        assert text[start:end] == quantity.text
        assert quantity.high is None or quantity.low <= quantity.high


def test_thousands_of_numbers_are_bounded() -> None:
    assert len(extract_quantities("12 people dead. " * 50_000)) <= MAX_QUANTITIES


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("the injured now number 45", "injured", 45),
        ("the clinic is treating 45 patients", "injured", 45),
        ("20 were rushed to hospital", "injured", 20),
        ("20 people suffered burns", "injured", 20),
        ("electricity cut to 3,200 households", "without_power", 3200),
        ("1,200 moved into shelters", "evacuated", 1200),
        ("two thousand people sleeping in tents", "evacuated", 2000),
        ("authorities raise the death toll from four to six", "killed", 6),
    ],
)
def test_rarer_wordings_are_known_too(text: str, slot: str, value: float) -> None:
    quantity = only(text)
    assert (quantity.slot, quantity.value, quantity.noun) == (slot, value, "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("112 of the 118 on board were rescued", [("rescued", "of 118", 112), ("people", "", 118)]),
        ("31 treated, two of them in a critical condition", [("injured", "", 31), ("injured", "severe", 2)]),
        ("four missing hikers were found alive", [("rescued", "missing", 4)]),
        ("81 injured in a severe storm", [("injured", "", 81)]),
        ("two of the injured have died", [("killed", "some", 2)]),
        ("another 12 people were hurt", [("injured", "some", 12)]),
        ("they got 420ish people off the island", [("evacuated", "", 420)]),
        ("pulled 58 people from the river", [("rescued", "", 58)]),
        ("5,310 people in 17 evacuation centres", [("evacuated", "", 5310), ("centre", "", 17)]),
        ("no serious injuries", [("injured", "severe", 0)]),
        ("nobody came to harm", [("injured", "", 0), ("killed", "", 0)]),
        ("Rosa Prats, 62, last seen at the station", []),
    ],
)
def test_parts_and_outcomes_are_told_apart(text: str, found: list[tuple[str, str, float]]) -> None:
    assert [(quantity.slot, quantity.noun, quantity.value) for quantity in extract_quantities(text)] == found


def test_the_hour_at_which_river_gates_open_is_no_level_of_the_water() -> None:
    assert not extract_quantities("they open the river gates at 8")
    assert extract_quantities("the river is at 8")[0].slot == "water_level"


@pytest.mark.parametrize(
    ("text", "low", "qualifier"),
    [("twenty-odd people hurt", 20, "about"), ("60-odd hurt", 60, "about"), ("fifty-plus hurt", 50, "at_least")],
)
def test_a_rough_number_may_be_told_by_its_ending(text: str, low: float, qualifier: str) -> None:
    [found] = extract_quantities(text)
    assert (found.low, found.qualifier) == (low, qualifier)


@pytest.mark.parametrize(
    "text",
    [
        "None of the injuries is thought to be serious",
        "None of those missing has been traced",
        "None of the 3 hurt is in danger",
        "None of those hurt was a tourist",
        "None of the 14 passengers injured has been named",
        "A seaman reported drowned and missing is alive",
        "Two hikers listed as dead turned up alive",
    ],
)
def test_those_of_whom_something_else_is_told_are_neither_none_nor_lost(text: str) -> None:
    assert [q for q in extract_quantities(text) if q.slot in {"injured", "missing", "killed"}] == []


def test_one_more_is_not_the_whole_count() -> None:
    assert only("A seventh victim has died").noun == "some"
    assert only("A sailor has died").noun == "sailor"


def test_none_of_a_group_to_whom_something_happened_is_none() -> None:
    assert ("injured", 0, 0, "exact") in slots("None of the 14 passengers was injured")
    assert ("injured", 0, 0, "exact") in slots("None of the 14 passengers injured, operator says")
