"""Levels: at which step of its scale an alert, a warning signal or a storm stands."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.verifier.levels import differ, excluded, steps

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the volcano is on alert level four now", {"@level 4"}),
        ("alert for the river stays at level 2", {"@level 2"}),
        ("cat 5 hurricane heading for us", {"@category 5"}),
        ("storm signal no. 3 is hoisted", {"@signal 3"}),
        ("level 3 of the car park is flooded", set()),
        ("the water rose to level 2.4", set()),
        ("stage 2 of the race is off", set()),
    ],
)
def test_a_step_counts_where_a_text_speaks_of_its_scale(text: str, found: set[str]) -> None:
    assert steps(text) == found


def test_what_was_raised_or_lowered_may_have_stood_there_before() -> None:
    assert excluded("@level 4", "the alert stays at level 2", frozenset({"@level 2"}), later=False)
    assert not excluded("@level 4", "the alert is at level 2", frozenset({"@level 2"}), later=False)
    assert not excluded("@level 4", "the alert was raised to level 5", frozenset({"@level 5"}), later=True)
    assert not excluded("@level 4", "the alert was lowered to level 3", frozenset({"@level 3"}), later=True)
    assert excluded("@level 4", "the alert was raised to level 3", frozenset({"@level 3"}), later=True)
    assert not excluded("@category 4", "the alert is at level 3", frozenset({"@level 3"}), later=True)


def test_another_step_of_a_scale_bears_nothing_out() -> None:
    assert differ("Level 3 of the car park is flooded", "the flood alert remains at level 2")
    assert not differ("the flood alert is at level 2", "the flood alert remains at level 2")
    told = claim(report("volcano went to alert level 5"), report("Office: alert level is 2.", OFFICIAL, minutes=9))
    assert told.verdict == "refuted"
    rumour = report("Office: reports of alert level 5 are false, the volcano is quiet.", OFFICIAL, minutes=9)
    assert claim(report("volcano went to alert level 5"), rumour).verdict == "refuted"
