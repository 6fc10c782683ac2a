"""What an official body denies, confirms or ends, in nearly the words of the report it speaks of."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.verifier.wording import near_copy, signature

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("The Douro weir has burst", "The Douro weir has not burst."),
        ("There is a sniper on the roof of the opera", "There is no sniper on the roof of the opera."),
        ("Bomb found under the Arrabida bridge", "FALSE: Bomb found under the Arrabida bridge"),
        ("Hostages taken at the customs house", "Hostages were not taken at the customs house."),
    ],
)
def test_a_denial_in_the_words_of_the_rumour_is_no_copy_of_it(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict == "refuted"


@pytest.mark.parametrize(
    ("one", "other", "copies"),
    [
        ("the old bridge over the river has fallen", "the old bridge over the river has not fallen", False),
        ("12 people hurt in the market hall fire", "15 people hurt in the market hall fire", False),
        ("three people hurt in the market hall fire", "nine people hurt in the market hall fire", False),
        ("the curfew in the harbour district was lifted", "the curfew in the harbour district was extended", False),
        ("12 people hurt in the market hall fire", "12 people hurt in the market hall fire today", True),
        ("12 people hurt in the market hall fire", "omg 12 people hurt in the market hall fire", True),
    ],
)
def test_what_turns_a_text_or_its_figures_makes_it_no_copy(one: str, other: str, copies: bool) -> None:
    assert near_copy(signature(one), signature(other)) is copies


@pytest.mark.parametrize(
    "denied",
    [
        "There were no casualties in Porto.",
        "No one was hurt in Porto.",
        "Nobody came to harm in Porto.",
        "Everyone is safe.",
        "All residents are unharmed.",
        "No injuries or deaths were reported in Porto.",
        "There were no deaths in Porto.",
    ],
)
def test_who_counts_no_harm_at_all_denies_the_dead(denied: str) -> None:
    told = claim(report("Storm in Porto kills 3 people"), report(denied, OFFICIAL, minutes=5))
    assert told.verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("Storm in Porto injured 3 people", "There were no deaths in Porto."),
        ("Storm in Porto kills 3 people", "There were no injuries in Porto."),
        ("Storm in Porto kills 3 people", "There were no serious casualties in Porto."),
        ("Storm in Porto kills 3 people", "All firefighters are safe."),
        ("Storm in Porto kills 3 people", "Everyone is safe to return home now."),
    ],
)
def test_who_counts_none_of_one_kind_leaves_the_other(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict == "insufficient"
