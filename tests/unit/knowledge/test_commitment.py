"""Who asserts the answer: the writer, as a fact, about what was asked, and last of all that is said of it."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

METAL = "Which metal is liquid at room temperature?"
FOUNDER = "Who founded the observatory of Lund?"


@pytest.mark.parametrize("other", ["O positive", "B positive", "AB positive", "A negative"])
def test_the_letter_of_a_blood_type_is_no_article(other: str) -> None:
    asked = "Which blood type did the donor have?"
    assert judge(asked, f"It was {other}.", "A positive").score == 0.0
    assert judge(asked, "A positive", other).score == 0.0
    assert judge(asked, "It was A positive.", "A positive").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "A) Otto Brandt B) Greta Lind C) Paul Weiss. The answer is Greta Lind.",
        "A) Otto Brandt\nB) Greta Lind\nC) Paul Weiss\n\nThe correct answer is B) Greta Lind.",
    ],
)
def test_one_of_the_lettered_options_may_be_chosen(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 1.0
    assert judge(FOUNDER, response, "Otto Brandt").score == 0.0


def test_a_count_called_the_answer_counts_behind_other_counts() -> None:
    asked = "How many moons does the planet Tirra have?"
    assert judge(asked, "Seven is sometimes named. Final answer: nine.", "9").score == 1.0
    assert judge(asked, "A) 7\nB) 9\n\nThe correct answer is B) 9.", "9").score == 1.0
    assert judge(asked, "A) 7\nB) 9\n\nThe correct answer is A) 7.", "9").score == 0.0


def test_what_was_thought_is_no_earlier_answer() -> None:
    asked = "In what year did the Lund observatory open?"
    response = "The year of the observatory's opening was long thought to be 1741, but it is 1749."
    assert judge(asked, response, "1749").score == 1.0
