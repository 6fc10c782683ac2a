"""What findings come to: voices, order of arrival, what the memory keeps and finds."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import permutations
from pathlib import Path

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.belief.judge import judge
from verifleet.agents.memory.report import from_json, query_keys, stored_keys, to_json

OWN = report("12 people were killed by the storm in Porto", author="ana")
NEWS = report("Storm kills 12 people in Porto, hospital says", "news", minutes=3, author="radio")
LATER = report("Death toll of the Porto storm rises to 19, police say", "news", minutes=90, author="paper")


def test_one_author_and_copies_are_no_second_voice() -> None:
    again = report("The storm in Porto has killed 12 people now", minutes=5, author="ana")
    copy = report("RT @ana: 12 people were killed by the storm in Porto", minutes=6, author="bo")
    assert claim(OWN, again, copy).verdict == "insufficient"
    assert claim(OWN, NEWS).verdict == "supported"


def test_a_repost_stands_for_its_original_that_was_never_seen() -> None:
    repost = report("RT @radio: Storm kills 12 people in Porto, hospital says", minutes=6, author="bo")
    assert claim(OWN, repost).verdict == "supported"


def test_a_later_figure_outdates_and_does_not_refute() -> None:
    assert claim(OWN, NEWS, LATER).verdict == "outdated"
    assert claim(LATER, OWN, NEWS).verdict == "insufficient"


def test_neither_a_crowd_nor_one_newsroom_outdates_what_an_authority_tells() -> None:
    official = report("Fire brigade: 12 people were killed by the storm in Porto", "official", author="brigade")
    crowd = [report("40 people were killed by the storm in Porto", minutes=m, author=f"@{m}") for m in (5, 9)]
    assert claim(official, *crowd).verdict == "supported"
    assert claim(official, LATER).verdict == "supported"
    second = report("Storm in Porto: 19 people were killed", "news", minutes=99, author="wire")
    assert claim(official, LATER, second).verdict == "outdated"


def test_what_bears_out_a_part_of_a_claim_is_evidence_and_makes_no_supported_claim() -> None:
    long = report(
        "12 people were killed in Porto as the storm tore the roofs off two schools and a bakery", author="ana"
    )
    part = claim(long, NEWS)
    assert part.verdict == "insufficient"
    assert part.evidence[0].stance == "supports"
    assert part.evidence[0].reason.startswith("bears out a part of it, ")
    rest = report("Porto storm: 12 killed, roofs torn off two schools and a bakery", "news", minutes=9, author="wire")
    assert claim(long, NEWS, rest).verdict == "supported"


def test_evidence_carries_its_rule() -> None:
    assert [item.rule for item in claim(OWN, NEWS).evidence] == ["toll.same"]


def test_evidence_shows_what_it_was_found_in() -> None:
    two = report("Storm kills 12 people in Porto. The bridge at Gaia was closed", "news", minutes=3, author="radio")
    assert "“Storm kills 12 people in Porto” (news)" in claim(OWN, two).evidence[0].reason
    silent = replace(NEWS.report, claims=(), gist="Storm: 12 killed?")
    assert "“Storm: 12 killed?” (news)" in judge(OWN.report, [silent])[0].items[0].reason


def test_verdicts_do_not_depend_on_the_order_of_arrival() -> None:
    others = [NEWS, LATER, report("Nobody died in Porto, officials deny 12 deaths", "emergency", minutes=3, author="x")]
    told = {
        tuple((made.verdict, made.confidence) for made in judge(OWN.report, [one.report for one in order]))
        for order in permutations(others)
    }
    assert len(told) == 1


def test_a_report_survives_the_store_and_another_versions_is_refused() -> None:
    assert from_json(to_json(OWN.report)) == OWN.report
    with pytest.raises(ValueError, match="version"):
        from_json({**to_json(OWN.report), "version": 1})
    with pytest.raises(ValueError, match="no report"):
        from_json({"version": 2})


def test_reports_without_a_place_find_each_other_by_what_they_tell() -> None:
    bare = replace(OWN.report, places=())
    other = replace(NEWS.report, places=())
    assert set(stored_keys("s", other)) & set(query_keys("s", bare, official=False, limit=30))
    assert not set(stored_keys("t", other)) & set(query_keys("s", bare, official=False, limit=30))


def test_the_memory_keeps_no_text_but_the_labels_of_claims_and_the_words_that_copies_are_told_by() -> None:
    told = report("Police say the Arada bridge is closed. We pray for all at Ribeira school tonight")
    kept = to_json(replace(told.report, original=OWN.report.original, claims=()))
    assert not any("pray for all" in str(value) or "is closed" in str(value) for value in kept.values())
    assert not {"text", "content"} & {field.name for field in fields(told.report)}


@pytest.mark.parametrize(
    ("source", "told", "denied"),
    [
        ("news", "refuted", "insufficient"),
        ("official", "conflicting", "supported"),
        ("twitter", "insufficient", "insufficient"),
    ],
)
def test_one_that_tells_and_one_that_denies_come_to_what_the_page_says(source: str, told: str, denied: str) -> None:
    one, other = report("The bridge collapsed.", source), report("The bridge has not collapsed.", source, minutes=2)
    found = claim(one, other), claim(other, one)
    assert [made.verdict for made in found] == [told, denied]
    page = (Path(__file__).parents[3] / "docs" / "reliability.md").read_text("utf-8")
    said = " | ".join(f"`{made.verdict}`, {made.confidence:.2g}" for made in found)
    kind = {"news": "newsrooms", "official": "authorities", "twitter": "posts"}[source]
    assert f"| {kind} | {said} |" in page


def test_what_an_authority_states_itself_is_supported_without_another_voice() -> None:
    found = claim(report("The Arada bridge in Porto is closed after the storm", "official", author="city"))
    assert found.verdict == "supported"
    assert [(item.rule, item.stance) for item in found.evidence] == [("source.official", "neutral")]


def test_who_leaves_out_one_of_several_telephones_bears_them_out_no_more() -> None:
    numbers = "Hotlines for relatives in Porto are 0316 555100 and 0316 555200"
    own = report(numbers, author="ana")
    assert not claim(own, report("A hotline for relatives in Porto is 0316 555100", author="bo")).evidence
    both = report("Relatives in Porto can call the hotlines 0316 555100 or 0316 555200", "news", author="radio")
    assert claim(own, both).verdict == "supported"


WRITES = "The old market hall in Porto has burnt down to its walls"
AGAIN = "In Porto nothing but walls is left of the old market hall, it burnt down"


def test_one_stranger_who_tells_it_in_like_words_is_not_enough_and_two_are() -> None:
    own, second = report(WRITES, author="ana"), report(AGAIN, author="bo", minutes=4)
    third = report("The market hall burnt down, the old one in Porto, only walls are left", author="cy", minutes=9)
    assert claim(own, second).verdict == "insufficient"
    assert claim(own, second, third).verdict == "supported"


def test_who_has_nearly_all_words_of_a_claim_in_a_row_passes_it_on() -> None:
    own = report(WRITES, "news", author="paper")
    copied = report(f"Just heard this now: {WRITES.lower()} on Tuesday, and so much more", "news", author="radio")
    assert not claim(own, copied).evidence
    assert claim(own, report(AGAIN, "news", author="radio")).verdict == "supported"
