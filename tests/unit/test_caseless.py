"""Patterns without regard to case find what `re.IGNORECASE` finds, at the same places."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.agents import caseless as module
from verifleet.agents.caseless import caseless, lowered

PATTERN = r"\b(?:fire|no (?P<what>[a-z]+) found|\w+ is (?:shut|closed))\b"
TEXTS = st.text(alphabet="FIREfire NOno shutSHUT isIS Found.,ÄßİŁé1", max_size=60)


@given(TEXTS)
def test_matches_stand_where_those_of_ignorecase_stand(text: str) -> None:
    flagged = re.compile(PATTERN, re.IGNORECASE)
    assert [m.span() for m in caseless(PATTERN).finditer(text)] == [m.span() for m in flagged.finditer(text)]
    assert caseless(PATTERN).sub("-", text) == flagged.sub("-", text)
    for start in (0, 3):
        found, expected = caseless(PATTERN).search(text, start, 40), flagged.search(text, start, 40)
        assert (found and found.span()) == (expected and expected.span())
        found, expected = caseless(PATTERN).match(text, start), flagged.match(text, start)
        assert (found and found.span("what")) == (expected and expected.span("what"))


@given(st.text(max_size=80))
def test_each_character_keeps_its_place_in_lower_case(text: str) -> None:
    low = lowered(text)
    assert len(low) == len(text)
    assert all(small in {char.lower(), "i" if char == "İ" else "ς"} for small, char in zip(low, text, strict=True))


def test_every_character_there_is_keeps_its_place_in_lower_case() -> None:
    assert all(len(lowered(chr(code))) == 1 for code in range(sys.maxunicode + 1))


def test_a_long_text_is_put_in_lower_case_once_however_often_it_is_searched() -> None:
    text = "İ: NO Fire found. " * 2000
    module._kept.cache_clear()
    for start in range(0, len(text), 18):
        assert caseless(PATTERN).search(text, start, start + 18) is not None
    assert module._kept.cache_info().misses == 1


def test_what_is_replaced_leaves_the_rest_in_its_own_case() -> None:
    assert caseless(r"\bno\b").sub("-", "NO Fire, no Smoke, No") == "- Fire, - Smoke, -"
    assert caseless("fire").fullmatch("FIRE")
    assert not caseless("fire").fullmatch("FIRES")


@pytest.mark.parametrize("pattern", ["the Fire", "[A-Z]+ works", "(?-i:x)y"])
def test_a_pattern_in_which_case_counts_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="regard to case"):
        caseless(pattern)


def test_escapes_and_names_of_groups_may_have_capitals() -> None:
    assert caseless(r"(?P<Who>\S+)\W+(?P=Who)\D").search("Ann, ann!")
