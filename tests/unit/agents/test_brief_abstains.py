"""What a brief rather leaves out: places of one voice among several, figures told again, parts told as the whole."""

from __future__ import annotations

from typing import Any

from tests.unit.agents.test_briefs import POLICE, brief, state_of
from tests.unit.facts import count, fact, says
from verifleet.agents.briefs.sentences import sentence
from verifleet.agents.briefs.where import site, where
from verifleet.reading.read import read


def test_a_place_that_one_of_several_reports_names_is_not_that_of_all() -> None:
    def told(text: str, place: str, minutes: float) -> Any:
        return says(text, fact("statement", about=["storm"]), minutes=minutes, event={"location": place})

    told_of = [told(f"The storm is near, {n}", place, n) for n, place in enumerate(("", "United States", ""))]
    assert where(state_of(*told_of)) == ""
    assert where(state_of(*told_of[:2])) == "United States"


def test_one_report_of_another_place_than_its_claim_is_of_tells_no_place() -> None:
    blast = fact("statement", scope=["amuay"], about=["explosion"])
    assert where(state_of(says("The refinery exploded", blast, event={"location": "Argentina"}))) != "Argentina"


def test_homes_of_one_part_are_not_told_as_those_of_all_but_people_are() -> None:
    homes = count(20, "affected", subject="homes", scope=["valverde vega"])
    people = count(2000, "evacuated", scope=["valverde vega"])
    made = brief(says("20 homes hit in Valverde Vega", homes, **POLICE), says("2,000 had to leave", people, **POLICE))
    assert "20 homes" not in made.summary
    assert "2,000 people have had to leave their homes" in made.summary


def test_those_badly_injured_are_a_count_of_their_own() -> None:
    badly = says("14 seriously injured", count(14, "badly injured"), minutes=5, **POLICE)
    made = brief(says("32 injured", count(32, "injured"), **POLICE), badly)
    assert "has injured 32 people, according to police" in made.summary
    assert "14 people were badly injured" in made.summary


def test_an_accident_is_at_the_name_that_many_claims_have() -> None:
    crash = fact("statement", scope=["clutha"], about=["clutha", "crash", "helicopter"])
    told = [says(f"A helicopter hit the Clutha, says {by}", crash, by=by, minutes=n) for n, by in enumerate("abc")]
    assert site(state_of(*told), "helicopter") == "Clutha"
    assert site(state_of(*told[:2]), "helicopter") == ""


def test_words_without_a_verb_are_no_sentence_unless_they_are_a_telephone() -> None:
    assert sentence("Search and rescue dog unit at the scene of the accident") == ("", "")
    for text in ("A search and rescue dog unit is at the scene of the accident", "FEMA hotline 1-800-621-3362"):
        assert sentence(text) == (text, "")


def test_areas_are_read_from_acreage_and_behind_plus() -> None:
    def area(text: str) -> list[float]:
        (quantity,) = (q for s in read(text).sentences for c in s.clauses for q in c.quantities if q.unit == "m2")
        return [round(quantity.low / 4046.8564224)]

    assert area("New acreage for High Park Fire is 65,738") == [65_738]
    assert area("The fire is 83K-plus acres") == [83_000]


def test_a_brief_that_has_nothing_else_tells_what_a_newsroom_says() -> None:
    text = "Il terremoto è stato avvertito in tutto il Nord"
    felt = fact("event", subject="earthquake", about=["nord", "avvertito", "terremoto"])
    assert text in brief(says(text, felt, by="radio", source="news")).summary
    assert text not in brief(says(text, felt, by="ana")).summary


def test_a_few_words_of_one_alone_are_not_told() -> None:
    text = "The town must shut down"
    told = says(text, fact("statement", about=["town", "shut"]), by="radio", source="news")
    assert text not in brief(told).summary
    assert (
        f"{text} its old bridge"
        in brief(
            says(f"{text} its old bridge", fact("statement", about=["town", "shut"]), by="radio", source="news")
        ).summary
    )
