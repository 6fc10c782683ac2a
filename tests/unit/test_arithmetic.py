"""Sums inside a report are told by the build of its counts, not by a list of nouns."""

from __future__ import annotations

import pytest

from verifleet.agents.verifier.arithmetic import sums


@pytest.mark.parametrize(
    ("text", "total", "parts"),
    [
        ("21 pontoons adrift off Bari: 12 plastic ones and 6 steel ones", 21, (12, 6)),
        ("26 greenhouses flattened near Lleida - 11 tomato growers and 9 pepper growers", 26, (11, 9)),
        ("17 mopeds under the wall in Hue. 9 red and 5 black", 17, (9, 5)),
        ("24 stuck in the cable car in Cusco: 10 Peruvians, 6 Chileans and 5 Swiss", 24, (10, 6, 5)),
        ("15 benches thrown about in Malaga, 7 on Calle Larios and 5 on Calle Granada", 15, (7, 5)),
        ("We are 31 in the school in Hilo: 14 ladies and 12 gents, that's everyone", 31, (14, 12)),
        ("5 cooks and 7 cleaners, so 15 in all, climbed out", 15, (5, 7)),
        ("Thirteen donkeys dug out, that is six mares and four foals", 13, (6, 4)),
        ("28 crates sank, i.e. 12 of fruit and 9 of tools", 28, (12, 9)),
        ("My count of smashed domes is 19, made up of 8 glass and 7 plastic", 19, (8, 7)),
        ("A dozen barges loose in Ghent: 5 tugs and 4 tankers", 12, (5, 4)),
        ("22 of us left the tower, 9 men 8 women", 22, (9, 8)),
        ("18 on the rafts, of whom 8 are men and 7 women", 18, (8, 7)),
        ("17 shelves fell, 7 of them steel ones and the remaining 5 oak ones", 17, (7, 5)),
        ("21 on the roof in Riga - 11 are Letts, the other 7 Finns", 21, (11, 7)),
        ("6 monks, 9 novices. That's 18 people on the ledge", 18, (6, 9)),
        ("Nine kayaks plus three rafts, so fourteen craft were taken by the river altogether", 14, (9, 3)),
        ("13 patients in the yard in Split: 6 broken arms and 4 heart cases", 13, (6, 4)),
    ],
)
def test_a_whole_and_its_parts_are_found_whatever_they_are(text: str, total: float, parts: tuple[float, ...]) -> None:
    found = [(made.total, made.parts, made.adds_up) for made in sums(text)]
    assert found == ([(total, parts, False)])


@pytest.mark.parametrize(
    "text",
    [
        "14 hurt in Cuenca, 4 roads closed and 3 schools shut",
        "2 trams collided: 6 dead and 11 hurt",
        "30 people reached the gym, including 12 children and 5 nurses",
        "20 wounded, mostly boys: 9 pupils and 4 apprentices",
        "26 in the ward: 9 critical and 6 serious",
        "30 homes flooded in Worcester, 14 shops and 11 pubs",
        "The tower has 14 floors, 6 lifts and 3 exits",
        "Fire at 16 Station Road: 6 engines and 5 ambulances",
        "Help for 50 families: 20 tents and 18 stoves",
        "17 trapped in Arequipa, 5 dead and 9 rescued",
        "Within 15 minutes 6 crews and 5 boats were on the water",
        "A team of 12 from Bergen, 5 dogs and 4 drones",
        "16 passengers left the bus in Tula, 5 of them children and 4 of them nuns",
        "3 gas explosions in Cork: 8 men and 5 women hurt",
        "9 saved and 3 injured. That's 15 minutes after the call",
        "5 lorries and 3 vans burnt, so 4 crews came",
        "18 hurt, 6 of them badly and the other 12 slightly",
        "20 in the boat, 5 of them children, the other 4 boats are empty",
    ],
)
def test_other_counts_are_no_parts_of_the_first(text: str) -> None:
    assert all(made.adds_up for made in sums(text))


def test_a_row_of_three_parts_is_read_whole() -> None:
    [made] = sums("16 wrecks on the beach in Chania: 5 sloops, 8 ketches and 3 skiffs")
    assert (made.total, made.parts, made.adds_up) == (16, (5, 8, 3), True)


@pytest.mark.parametrize(
    "text", ["20 men 5 women " * 2_000, "5 men" + " " * 20_000 + ", 6 cats", "5 men, 3 women: " * 2_000]
)
def test_long_rows_of_counts_are_bounded(text: str) -> None:
    assert len(sums(text)) <= 16


def test_what_a_colon_opens_is_of_the_count_in_front_of_it_and_no_wrong_sum_of_an_earlier_one():
    assert not [made for made in sums("31 dead, 640 injured: 22 in hospital, 14 in intensive care") if not made.adds_up]
    assert [made.adds_up for made in sums("31 dead, 36 injured: 22 men, 10 women")] == [False]


@pytest.mark.parametrize(
    ("text", "total", "parts"),
    [
        ("27 officers at the cordon in Ulm: 13 state and 11 county", 27, (13, 11)),
        ("22 crews at J.F. Marques Park: 12 city and 7 county", 22, (12, 7)),
        ("28 hoses laid out on A. B. Lopes Street: 15 Hondas and 10 Yamahas", 28, (15, 10)),
    ],
)
def test_parts_are_told_by_whose_they_are_and_initials_end_no_sentence(
    text: str, total: float, parts: tuple[float, ...]
) -> None:
    assert [(made.total, made.parts, made.adds_up) for made in sums(text)] == [(total, parts, False)]


@pytest.mark.parametrize(
    "text",
    [
        "25 flights cancelled, 12 delayed and 8 diverted",
        "40 shops shut, 15 burnt and 9 flooded",
        "30 hurt in 11 states and 9 provinces",
    ],
)
def test_other_states_are_no_parts(text: str) -> None:
    assert not [made for made in sums(text) if not made.adds_up]


def test_what_is_counted_beside_a_whole_is_no_part_of_it() -> None:
    assert not sums("There were 30 cars on the ferry, 12 lorries and 8 vans too")


def test_a_whole_may_begin_with_the_letters_of_a_body() -> None:
    found = sums("19 PFD rigs parked on Canal St, Metz = 8 engines and 7 ladders")
    assert [made.adds_up for made in found] == [False]


@pytest.mark.parametrize(
    ("text", "total", "parts"),
    [
        ("By the quarry, 3 sheds and 5 garages. Eleven buildings flattened altogether", 11, (3, 5)),
        ("4 parrots, nine geese. Altogether that is 16 birds", 16, (4, 9)),
        ("The gale sank 6 ketches and 2 sloops, 11 boats all told", 11, (6, 2)),
        ("Total of eight kilns cracked at Deruta, made up of 6 gas kilns and 5 wood kilns", 8, (6, 5)),
        ("4 silage pits caught fire, that's three open pits and four covered pits", 4, (3, 4)),
        ("I make it seven organs soaked in all, 6 pipe organs and 5 reed organs", 7, (6, 5)),
        ("Five foxes trapped in the drain – 4 vixens and 3 cubs", 5, (4, 3)),
        ("12 rigs came (5 from Company 4, 4 from Company 9)", 12, (5, 4)),
    ],
)
def test_what_is_said_to_be_a_sum_is_read_as_one_however_far_it_is_out(
    text: str, total: float, parts: tuple[float, ...]
) -> None:
    assert [(made.total, made.parts, made.adds_up) for made in sums(text)] == [(total, parts, False)]


@pytest.mark.parametrize(
    "text",
    [
        "5 vans and 3 coaches in the ditch. Nine tow trucks needed, 30 hours in all",
        "3 clinics and 4 pharmacies shut. Nine surgeons on call altogether",
        "At least 4 nuns and 3 novices saved. Ten altogether",
        "2 more huts and 3 more barns went tonight. 9 buildings altogether",
        "4 barns burnt and 3 sheds were spared. 9 farms rebuilt in total",
        "6 grocers and 3 bakers in Ulm looted. 15 shops altogether in the region",
        "Three households cut off: 5 adults and 4 infants",
        "3 patrols made up of 4 guards and 2 guides each",
        "The lake took 5 piers and 2 slipways. 20 litres of oil in all",
    ],
)
def test_what_counts_more_than_the_list_or_other_things_is_no_total_of_it(text: str) -> None:
    assert not [made for made in sums(text) if not made.adds_up]


@pytest.mark.parametrize(
    "text",
    [
        "The lock has 8 sluices, 3 open and 2 guarded",
        "Bring 6 buckets, 4 spades and 12 brushes altogether",
        "17 fines: 9 for parking and 5 for litter, 4 of them for both",
        "Eleven shepherds freed 4 lambs and 3 ewes",
        "3 barges found, 4 skiffs missing. 12 boats in total on the lake",
    ],
)
def test_states_acts_and_overlaps_make_no_wrong_sum(text: str) -> None:
    assert not [made for made in sums(text) if not made.adds_up]


def test_the_last_words_in_front_of_a_list_may_be_a_part_of_it_and_counts_may_stand_behind() -> None:
    assert [
        made.adds_up for made in sums("The wave took 6 jetties, 5 cranes and 2 silos, altogether 13 structures")
    ] == [True]
    assert [made.adds_up for made in sums("Burnt down here: barns 5, stables 4. Twelve altogether")] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "12 hurt in the hall, including 8 women and 7 singers",
        "5 nuns and 4 monks put out the flames. Eleven pews were charred in the end",
        "9 wards: 4 on fire and 2 evacuated",
        "60 seats a day: 20 to Capri and 15 to Procida",
    ],
)
def test_what_overlaps_acts_or_is_usual_divides_nothing(text: str) -> None:
    assert not [made for made in sums(text) if not made.adds_up]


def test_a_compound_or_a_word_for_a_class_names_what_its_parts_are() -> None:
    for text in (
        "Four glasshouses broken off Quay Road, that's five tomato houses plus 2 pepper houses",
        "Nine ships aground at Faro: 3 yachts and 10 trawlers",
        "At Lake Road, four kilns & 7 ovens, Siena. Nine furnaces cracked altogether",
    ):
        assert [made.adds_up for made in sums(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "40 hens and 15 geese in the yard, 21 drowned in all",
        "3 couples and 2 toddlers. Eight guests altogether",
        "Alarms: 4 long and 3 short. 12 cellars open altogether",
        "3 pumps for 4 streets and 2 squares. Nine altogether would do",
        "7 trapped, 2 crews and 4 medics with them",
    ],
)
def test_some_of_the_listed_what_is_wished_and_what_holds_several_is_no_wrong_sum(text: str) -> None:
    assert not [made for made in sums(text) if not made.adds_up]


def test_the_first_item_of_a_list_is_no_whole_for_being_a_total() -> None:
    assert not [made for made in sums("Totals: 19 homes, 9 barns, 4 mills") if not made.adds_up]
    assert [made.adds_up for made in sums("In total 19 monks fled, 9 from Bari and 4 from Lecce")] == [False]
