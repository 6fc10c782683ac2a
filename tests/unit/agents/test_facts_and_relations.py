"""What a clause says as typed facts, and what the facts of one report say to a claim of another."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import inf

import pytest

from tests.unit.reports import NOW, report, verify
from verifleet.agents.briefs import tolls
from verifleet.agents.facts.extract import facts_of
from verifleet.agents.facts.sums import wrong_sums
from verifleet.agents.facts.types import FACTS, Quantity, Statement, Status
from verifleet.agents.relate import quantities
from verifleet.agents.relate.overlap import within
from verifleet.agents.relate.rarity import UNHEARD, hear
from verifleet.agents.relate.rules import relate
from verifleet.agents.relate.types import Told, roots
from verifleet.reading.read import read
from verifleet.reading.words import data


def told(text: str, source: str = "news", *, hours: float = 0) -> Told:
    time = NOW + timedelta(hours=hours)
    facts = facts_of(read(text), time)
    words = frozenset(lemma for fact in facts for lemma in fact.about)
    return Told(facts, time, source, marked="corrected" in words)


def found(claim: Told, other: Told) -> tuple[str, str]:
    findings = relate(claim, other)
    return (findings[0].stance, findings[0].rule) if findings else ("", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At least 12 people were killed in the fire", ("people", "dead", 12)),
        ("1,600 homes destroyed in Colorado", ("homes", "destroyed", 1600)),
        ("No casualties in the fire", ("people", "dead", 0)),
        ("A 7.2-magnitude earthquake struck Bohol", ("earthquake", "magnitude", 7.2)),
        ("NDRRMC: 325 dead, 181k persons in evacuation centers", ("people", "evacuated", 181_000)),
        ("Storm Pablo now has winds of 180 kph, moving at 20 kph", ("storm", "wind speed", 50)),
    ],
)
def test_figures_have_a_subject_and_an_attribute(text: str, expected: tuple[str, str, float]) -> None:
    quantities = [fact for fact in told(text).facts if isinstance(fact, Quantity)]
    assert expected in [(fact.subject, fact.attribute, round(fact.low or 0, 3)) for fact in quantities]


@pytest.mark.parametrize(
    "text",
    [
        "Hundreds awaiting rescue in Colorado",
        "Calgary expecting 75,000 to 100,000 to be evacuated",
        "One of two missing canoeists found dead in a river",
        "Typhoon Pablo moves west northwest at 15kph",
    ],
)
def test_what_has_not_happened_a_part_and_the_pace_of_a_storm_are_no_figures(text: str) -> None:
    assert not [fact for fact in told(text).quantities if fact.polarity == "asserted"]


@pytest.mark.parametrize("text", ["A man opened fire at the school", "Eight confirmed dead, news says"])
def test_no_site_opens_by_fire_and_no_number_speaks(text: str) -> None:
    facts = told(text).facts
    assert not any(isinstance(fact, Status) for fact in facts)
    assert not any(fact.attributed_to for fact in facts)


def test_a_state_that_ended_is_the_same_state_in_another_phase() -> None:
    (lifted,) = (fact for fact in told("Tsunami warning for Chile lifted").facts if isinstance(fact, Status))
    assert (lifted.subject, lifted.state, lifted.phase) == ("warning", "in force", "ended")


def test_facts_survive_json_and_what_is_only_wished_is_none() -> None:
    facts = told("More than 40 people missing, the road is closed in Porto, police say").facts
    assert FACTS.validate_python(FACTS.dump_python(facts, mode="json")) == facts
    assert not told("Hope nobody was killed").facts
    with pytest.raises(ValueError, match="quantity"):
        FACTS.validate_python([{"kind": "quantity"}])


def test_a_total_that_its_parts_do_not_come_to_is_told() -> None:
    assert [why for _, why in wrong_sums(read("8 vehicles crushed: 3 cars and 2 trucks"))] == ["3 + 2 is not 8"]
    assert not wrong_sums(read("5 trapped: 3 adults and 2 children"))
    told_in_all = "9 men and 5 women were injured, {} people in all"
    assert [why for _, why in wrong_sums(read(told_in_all.format(23)))] == ["9 + 5 is not 23"]
    assert not wrong_sums(read(told_in_all.format(14)))


@pytest.mark.parametrize(("kind", "own"), [("cause", {"effect": "", "cause": "rain"}), ("location", {"place": "hall"})])
def test_facts_of_a_former_version_are_read_as_statements(kind: str, own: dict[str, str]) -> None:
    statement = next(fact for fact in told("Rain brought down the hall in Porto").facts if isinstance(fact, Statement))
    kept = FACTS.dump_python((statement,), mode="json")[0]
    assert FACTS.validate_python([{**kept, "kind": kind, **own}]) == (statement,)


@pytest.mark.parametrize(
    ("claim", "other", "hours", "expected"),
    [
        ("3 dead in the Bologna earthquake", "At least 4 killed by the earthquake in Bologna", 2, "updates"),
        ("At least 4 killed by the earthquake in Bologna", "3 dead in the Bologna earthquake", -2, ""),
        ("Three workers injured in the fire", "Three people injured, taken to hospital", 1, "supports"),
        ("Three workers injured in the fire", "Five people injured, taken to hospital", 1, ""),
        ("At least 20 houses collapsed in Medan", "21 houses collapsed, BNPB says", 1, "supports"),
        ("About 40 homes flooded in Leeds", "65 homes flooded in Leeds", 1, "updates"),
        ("River Aire gauge at Armley: water level 4.9 m", "40 homes evacuated. River Aire at 4.9 m", 0, "supports"),
        ("River Aire gauge at Armley: water level 4.9 m", "40 homes evacuated. River Wharfe at 4.9 m", 0, ""),
        ("Several injured in the crash", "61 treated after the crash", 1, "updates"),
        ("584 people unaccounted for in the flood", "Number of missing in the flood drops to 60", 20, "updates"),
        ("Magnitude 7.9 earthquake hits Costa Rica", "Revised (7.9 -> 7.6): 7.6 earthquake, Costa Rica", 1, "refutes"),
        ("Magnitude 7.6 earthquake hits Costa Rica", "Magnitude 7.9 earthquake hits Costa Rica", -1, ""),
        ("Magnitude 6.1 earthquake in Bohol", "4.6 earthquake in Bohol", 2, ""),
        ("245 dead in the fire", "It is not 245 dead in the fire, says the mayor", 2, "refutes"),
        ("Tsunami warning in force for Chile", "Tsunami warning for Chile lifted", 3, "updates"),
        ("The shooter is dead", "Suspect is alive in hospital, police say", 1, "refutes"),
        ("Terrorism caused the blast at the refinery", "Police: terrorism unlikely after the blast", 2, "refutes"),
        ("State of emergency declared in Sardinia", "In Sardinia dichiarato lo stato di emergenza", 1, "supports"),
        ("Emergency number for Modena: 059200200", "Numbers: Ferrara 0532771546, Modena 059200200", 2, "supports"),
        ("Emergency number for Modena: 059200200", "Emergency number for Olbia: 078952020", 2, ""),
        ("The zoo moved its lions to the Calgary court house", "There are NO zoo animals at the courts", 2, "refutes"),
        ("Boil water advisory for the Calgary Zone", "Cochrane crews: no boil water advisory", 1, ""),
        ("Close to 1,000 dead due to the typhoon", "548 dead in the typhoon, police confirm", 40, "refutes"),
        ("Up to 70 people killed in the Texas blast", "Officials: death toll in the Texas blast is 14", 30, "refutes"),
        ("131 injured in the train crash", "5 Americans injured in the train crash, officials say", 14, ""),
        ("30 buildings destroyed in the blast in Quebec", "Blast in Quebec: dozens of buildings destroyed", 0, ""),
        ("Dozens of buildings destroyed in Quebec", "30 buildings destroyed in the blast in Quebec", 0, "supports"),
        ("8 killed, 14 seriously injured in the Glasgow crash", "Eight people killed in the Glasgow crash", 1, ""),
        ("Dozens dead as magnitude-7.1 quake hits Bohol", "74 dead after the magnitude-7.4 quake in Bohol", 9, ""),
        ("Typhoon death toll rises to nearly 300", "325 dead in the typhoon", -1, ""),
        ("8 killed in the Glasgow crash", "Eight people killed, 14 injured in the Glasgow crash", 1, "supports"),
        ("32,000 flee the wildfire in Colorado", "Cabins are near the evacuation zone of the Colorado wildfire", 1, ""),
        ("245 teenagers dead in the nightclub fire", "At least 245 people killed in the nightclub fire", 1, ""),
        ("Toll of the train crash rises to 79 dead", "Train crash that killed at least 78 people", -24, ""),
        ("Tsunami alert for Chile after a 7.9 earthquake", "Revised (7.9 -> 7.6): 7.6 earthquake, Costa Rica", 1, ""),
        ("Earthquake in Italy, magnitude 6.0", "5.9 earthquake in Italy, initially told as magnitude 6.3", 1, ""),
        ("100 injured as the Ural meteor crashes", "Meteor over the Ural injures more than 700", -3, ""),
        ("Ural meteor injures 4", "The Ural meteor injured more than 400 people, police say", -3, "refutes"),
        ("Tsunami warning issued for Peru", "Tsunami alert declared for the coast of Chile, earthquake felt", 1, ""),
        ("The Lindoso dam in Porto has burst", "Engineers found the Lindoso dam in Porto sound", 1, "refutes"),
        ("Suspect went back to kill an officer at the airport", "Suspect in custody, police say", 1, ""),
        ("Nearly 350 homes destroyed in the fire", "346 homes destroyed by the fire", 1, "supports"),
        ("People were injured in the mill fire in Leeds", "There were no injuries in the Leeds mill fire", 1, ""),
        ("There were no injuries in the Leeds mill fire", "People were injured in the mill fire in Leeds", 1, ""),
    ],
)
def test_what_another_report_says_to_a_claim(claim: str, other: str, hours: float, expected: str) -> None:
    assert found(told(claim), told(other, hours=hours))[0] == expected


@pytest.mark.parametrize(("counted", "expected"), [(120, "refutes"), (500, "updates")])
def test_people_come_home_but_an_office_that_counts_a_fraction_of_them_corrects_a_post(
    counted: int, expected: str
) -> None:
    claim = replace(told("900 people evacuated in Leeds because of the flood"), source="other")
    other = replace(told(f"Flood in Leeds: {counted} people evacuated", hours=0.5), source="official")
    assert found(claim, other)[0] == expected


def test_a_report_that_counts_the_missing_apart_corrects_no_toll_that_has_them() -> None:
    claim = replace(told("Close to 1000 dead in the typhoon in Davao"), source="other")
    other = "548 dead in the typhoon in Davao, Mayor Cruz says"
    assert found(claim, told(other, hours=30))[0] == "refutes"
    assert found(claim, told(other.replace(" dead", " dead and 827 missing"), hours=30))[0] == ""


def test_a_figure_bears_out_little_of_a_claim_that_tells_much_more() -> None:
    other = told("8 people dead in the helicopter crash in Glasgow")
    claim = told(
        "David Traill was among the 8 killed in the helicopter crash in Glasgow, families confirm in a statement"
    )
    alone, among_many = (
        relate(claim, other, words)[0].strength for words in (UNHEARD, hear(claim.core, [other.words] * 20))
    )
    assert among_many < 0.4 < alone


def test_nearly_so_many_bear_out_no_more_than_so_many() -> None:
    claim = told("More than 1,000 people injured by the meteor in Russia")
    assert found(claim, told("More than 1,000 people are injured after the meteor in Russia"))[0] == "supports"
    assert found(claim, told("Nearly 1,000 people are injured after the meteor in Russia"))[0] == ""


def test_words_of_one_root_are_one() -> None:
    assert within(frozenset({"ronaldo", "russian", "sea"}), roots({"ronald", "russia", "seat"})) == {
        "ronaldo",
        "russian",
    }


def test_a_hashtag_tells_no_state() -> None:
    assert not told("Numbers for Olbia #TsunamiWarning").statuses
    assert told("A #tsunami warning was issued for Chile").statuses


def test_warnings_of_different_days_are_two() -> None:
    claim, other = "Red rainfall warning issued for Metro Manila", "Red rainfall warning for Metro Manila"
    assert found(told(claim), told(other, hours=2))[1] == "status.same"
    assert found(told(claim), told(other, hours=30))[1] != "status.same"


def test_what_many_reports_of_an_incident_tell_makes_nothing_specific() -> None:
    claim = told("David Villa donates to the victims of the train crash in Santiago de Compostela")
    other = told("Train crash in Santiago de Compostela: the victims")
    assert not relate(claim, other, hear(claim.core, [other.words] * 20))
    assert found(claim, told("David Villa donates to victims of the crash"))[0] == "supports"


def test_anybodys_figure_far_above_an_authoritys_is_refuted() -> None:
    official = told("12 people were injured in Porto", "official")
    assert found(told("500 people were injured in Porto", "social", hours=0.2), official)[0] == "refutes"


def test_a_rule_can_be_left_out() -> None:
    claim, other = told("3 dead in the fire in Porto"), told("5 dead in the fire in Porto", hours=1)
    assert [finding.rule for finding in relate(claim, other)] == ["toll.grown"]
    assert "toll.grown" not in [finding.rule for finding in relate(claim, other, without={"toll.grown"})]


@pytest.mark.parametrize(
    "text",
    [
        "Rainfall of {} mm in Porto within an hour",
        "Snow of {} cm fell in Porto",
        "The wave in Porto was {} m high",
        "The storm in Porto caused damage of {} million euros",
        "Temperature of {} degrees measured in Porto",
        "Winds of {} km/h were measured in Porto",
        "The flood in Porto spilled {}00 litres of oil",
    ],
)
def test_who_tells_another_figure_of_the_same_bears_nothing_out(text: str) -> None:
    first = told(text.format(4))
    assert found(first, told(text.format(4), hours=1)) == ("supports", "overlap.content")
    assert found(first, told(text.format(1), hours=1))[0] != "supports"


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Sessenta e quatro pessoas continuam internadas em estado grave", [("people", "badly injured", 64, "")]),
        ("Two people injured by the blast are in intensive care", [("people", "badly injured", 2, "")]),
        ("12 injured, three critically", [("people", "injured", 12, "")]),
        ("At least 19,000 homes damaged or destroyed", [("homes", "damaged or destroyed", 19_000, "")]),
        ("24 people died. Another 80 were injured", [("people", "dead", 24, ""), ("people", "injured", 80, "")]),
        ("5 dead. Two more bodies found", [("people", "dead", 5, ""), ("people", "dead", 2, "more")]),
        ("30 state highway bridges destroyed", [("bridges", "destroyed", 30, "")]),
    ],
)
def test_figures_have_the_state_and_the_thing_that_they_are_of(
    text: str, figures: list[tuple[str, str, float, str]]
) -> None:
    told = [one for one in facts_of(read(text), NOW) if isinstance(one, Quantity)]
    assert [(one.subject, one.attribute, one.low, one.comparison) for one in told] == figures


def test_every_attribute_that_rules_and_briefs_name_is_one_that_facts_have() -> None:
    lexicon = data("lexicon")
    measured = {"badly injured", "containment", "count", "damaged or destroyed", "magnitude", "wind speed", "area"}
    known = measured | {"psi", "24-hour psi", "level", "speed", *lexicon["states"], *lexicon["participles"]}
    named = {*quantities.MAY_FALL, *tolls.ASKED_FOR, *tolls.SHRINKING}
    assert sorted(named - known) == []


def test_a_flood_that_went_down_is_outdated_by_a_later_one_at_the_same_place_alone() -> None:
    subsided = told("All reported floods in Manila have already subsided")
    assert found(subsided, told("Already waist-high flood on Espana Boulevard, Manila", hours=22)) == (
        "updates",
        "status.ended",
    )
    assert found(subsided, told("The river is rising in Calgary, Alberta", hours=22)) == ("", "")
    assert [fact.phase for fact in subsided.statuses] == ["ended"]
    assert not told("Volunteers are stranded in the hospital until the water recedes").statuses


def test_a_fact_carries_the_place_that_a_hashtag_or_capitals_in_its_clause_name() -> None:
    assert told("Power outage in #Banff #yycflood").statements[0].scope == ("banff",)
    assert told("Floods are reported in MANILA today").statements[0].scope == ("manila",)
    assert told("Good morning #Banff").statements[0].scope == ()


@pytest.mark.parametrize(
    ("holds", "over"),
    [
        ("Shelter in place remains in effect for residents near the plant", "Shelter in place near the plant lifted"),
        ("Ground stop ordered at the airport terminal", "The airport terminal is open again"),
        ("12,000 customers without power in Raleigh", "3,100 customers are still without power in Raleigh"),
        ("3 miners are missing in the mine", "Three missing miners were found alive in the mine"),
    ],
)
def test_what_holds_is_outdated_by_the_word_of_its_end_and_never_borne_out(holds: str, over: str) -> None:
    assert found(told(holds), told(over, "official", hours=2))[0] == "updates"
    assert found(told(over, hours=2), told(holds, "official"))[0] != "supports"


@pytest.mark.parametrize(
    ("rumour", "denial"),
    [
        (
            "evacuation order for San Jacinto lifted, everyone can go home",
            "The evacuation order for San Jacinto has NOT been lifted",
        ),
        ("El puente Pueyrredón se cayó por la crecida", "El puente Pueyrredón no colapsó por la crecida"),
    ],
)
def test_what_is_told_the_other_way_round_refutes(rumour: str, denial: str) -> None:
    assert found(told(rumour), told(denial, "official", hours=1)) == ("refutes", "denial")
    assert found(told("Evacuation order for San Jacinto"), told(denial, "official", hours=1))[0] != "refutes"


def test_flights_that_resume_are_cancelled_no_more() -> None:
    claim = told("All flights from Ninoy Aquino airport are cancelled", "news")
    later = told("Flights from Ninoy Aquino airport have resumed, officials say", "news", hours=5)
    assert found(claim, later) == ("updates", "status.ended")
    assert found(later, replace(claim, time=later.time + timedelta(hours=1)))[0] != "supports"


def test_that_something_is_not_over_yet_says_nothing_against_an_authority_that_ends_it_later() -> None:
    denial = told("The evacuation order for San Jacinto and Eastridge has NOT been lifted", "official")
    lifted = "The evacuation order for San Jacinto is lifted"

    assert found(told(lifted, "official", hours=4), denial) == ("", "")
    assert found(told(lifted, "twitter", hours=4), denial) == ("refutes", "denial")
    assert found(told("evacuation order lifted, all can go home", "twitter"), denial) == ("refutes", "denial")


def test_a_shelter_that_opens_ends_no_evacuation() -> None:
    order = told("Evacuation order for residents of the valley")

    assert (
        found(order, told("Evacuation shelter open for residents of the valley", "official", hours=1))[0] != "updates"
    )


def test_what_stands_before_an_arrow_is_what_was_revised() -> None:
    revised = told("Revised (6.9 -> 6.4): 6.4 earthquake, Honduras", hours=0.3)
    assert found(told("A 6.9 earthquake struck Honduras"), revised)[1] == "magnitude.revised"
    assert found(told("A 6.4 earthquake struck Honduras"), revised) == ("supports", "magnitude.same")


def test_a_report_that_tells_where_a_warning_holds_and_where_not_refutes_none() -> None:
    claim = told("Tsunami warning in force for Chile after the earthquake", "twitter")
    other = told("Tsunami warning in force for Panama. There is no tsunami warning for the coasts.", hours=1)
    assert found(claim, other)[0] != "refutes"
    assert found(claim, told("There is no tsunami warning after the earthquake", "official", hours=1))[0] == "refutes"


def test_that_what_happened_did_not_happen_at_all_is_told_by_no_newsroom_alone() -> None:
    claim = told("A meteor fell in Chelyabinsk this morning", "twitter")
    assert found(claim, told("There was no meteor in Chelyabinsk, says party leader", hours=1))[0] != "refutes"
    assert found(claim, told("There was no meteor in Chelyabinsk", "official", hours=1))[0] == "refutes"


def test_no_warning_for_one_country_denies_none_of_another() -> None:
    setting = frozenset({"honduras"})
    claim = replace(told("A tsunami warning was issued for Honduras"), setting=setting)
    other = replace(
        told("The earthquake in Honduras does not cause a tsunami warning in Ecuador", hours=0.2), setting=setting
    )
    assert found(claim, other)[0] != "refutes"
    here = replace(told("No tsunami warning was issued for Honduras", "official", hours=0.2), setting=setting)
    assert found(claim, here)[0] == "refutes"


def test_digits_of_other_scripts_are_no_years_and_no_fault() -> None:
    assert facts_of(read("The flood in ፩፪፫፬ and in ²²²² killed 3 people"), NOW)


def test_an_official_count_of_nobody_refutes_what_a_stranger_counts() -> None:
    claim = report("12 people were killed by the storm in Porto", "twitter", author="ana", event_id="a")
    other = report("0 people were killed by the storm in Porto", "official", minutes=30, author="bo", event_id="b")
    assert [found.verdict for found in verify(claim, other).verified_claims] == ["refuted"]


def test_words_of_reports_stay_in_no_table_of_the_process() -> None:
    before = len(UNHEARD._weights)
    claim = report("The Arada bridge in Porto is closed by the storm", "twitter", author="ana", event_id="a")
    other = report(
        "The Arada bridge is closed tonight qwxyz qwvbn qwmnb", "twitter", minutes=9, author="b", event_id="b"
    )
    verify(claim, other)
    assert len(UNHEARD._weights) == before


@pytest.mark.parametrize(("text", "attribute"), [("No one is missing", "missing"), ("Nobody is trapped", "trapped")])
def test_that_nobody_is_missing_or_trapped_counts_them(text: str, attribute: str) -> None:
    (fact,) = (fact for fact in facts_of(read(text), NOW) if isinstance(fact, Quantity))
    assert (fact.attribute, fact.low, fact.high) == (attribute, 0, 0)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("A man has died in the flood in Leeds", [("dead", 1, inf)]),
        ("The missing man was found dead in Leeds", [("dead", 1, inf)]),
        ("The body of a hiker was recovered in Leeds", [("dead", 1, inf)]),
        ("All missing people in Leeds have been found", [("missing", 0, 0)]),
        ("The missing woman in Leeds was found alive", []),
        ("No man has died in Leeds", []),
        ("A man in Leeds kills a dog", []),
        ("A man who got away says 3 people died in Leeds", [("dead", 3, 3)]),
    ],
)
def test_one_victim_without_a_figure_is_one_at_least_and_all_found_are_none(text: str, counted: list[object]) -> None:
    told = [fact for fact in facts_of(read(text), NOW) if isinstance(fact, Quantity)]
    assert [(fact.attribute, fact.low, fact.high) for fact in told] == counted
