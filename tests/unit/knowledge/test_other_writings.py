"""The expected value or name in another writing that means the same."""

from __future__ import annotations

import pytest

from tests.unit.knowledge.test_guards import judge

SAME = (
    ("In which year did the tower of Lund fall?", "1987", "It came down in May '87.", "It came down in May '86."),
    ("At what temperature does dorine boil in degrees Celsius?", "60 °C", "It boils at 140 °F.", "It boils at 60 °F."),
    ("How many grains are in the jar?", "345,678,901", "≈ 3.457 × 10^8", "≈ 3.457 × 10^7"),
    ("Who wrote the ballad?", "Fyodor Lentovsky", "It was F. M. Lentovskiy.", "It was F. M. Lentovich."),
    ("Who drew the map?", "Pavel Tereev", "That map is Terejew's.", "That map is Tereschkow's."),
    ("Which king of Norland was the 6th?", "Otto Lind", "| # | King |\n|---|---|\n| 5 | Bo Moe |\n| 6 | Otto Lind |",
     "| # | King |\n|---|---|\n| 6 | Bo Moe |\n| 5 | Otto Lind |"),
    ("What was Pim's real name?", "Samuel Lind", "Sam Lind", "Sam Moe"),
    ("Did Otto Lind build the tower for the king?", "No", "Not quite. He built it for the town.",
     "Not only that: he built it twice."),
)  # fmt: skip


@pytest.mark.parametrize(("question", "answer", "same", "other"), SAME, ids=[s[1] for s in SAME])
def test_another_writing_of_the_answer_is_the_answer(question: str, answer: str, same: str, other: str) -> None:
    assert judge(question, same, answer).score == 1.0
    assert judge(question, other, answer).score == 0.0
