"""How a response reads with its names taken out."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge
from verifleet.verifiers.knowledge import guards, pattern

ROWS: list[list[str]] = []
CREDENCE: list[float] = []


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of marks and the credences of what is judged."""
    ROWS.clear()
    CREDENCE.clear()

    def described(row: list[str], slot: str) -> dict[str, float]:
        ROWS.append(row)
        return pattern.described(row, slot)

    def credence(signs: dict[str, float]) -> float:
        CREDENCE.append(pattern.credence(signs))
        return CREDENCE[-1]

    monkeypatch.setattr(guards, "described", described)
    monkeypatch.setattr(guards, "credence", credence)


def test_names_are_told_by_what_they_are_to_the_question() -> None:
    judge("Who directed the film The Long Road?", "Ida Brun wrote it, but Max Roth directed it in 1931.", "Max Roth")
    assert ROWS[0] == ["OTHER", "wrote", "it", ",", "but", "ANSWER", "DEED", "it", "in", "NUMBER", "."]


def test_the_same_words_with_the_names_exchanged_are_less_credible() -> None:
    judge("Who directed the film The Long Road?", "Ida Brun wrote it, but Max Roth directed it.", "Max Roth")
    judge("Who directed the film The Long Road?", "Max Roth wrote it, but Ida Brun directed it.", "Max Roth")
    assert CREDENCE[0] > CREDENCE[1]


def test_which_names_they_are_does_not_matter() -> None:
    judge("Who directed the film The Long Road?", "Ida Brun wrote it, but Max Roth directed it.", "Max Roth")
    judge("Who directed the film The Long Road?", "Lena Holm wrote it, but Otto Lind directed it.", "Otto Lind")
    assert ROWS[0] == ROWS[1]


@given(st.lists(st.sampled_from(["Ida Brun", "Max Roth", "won", "1931", ",", ".", "\n", "—", "(", ")", "not", "Ǆ"])))
def test_any_text_gives_log_odds(words: list[str]) -> None:
    judge("Who won in 1931?", " ".join(words), "Ida Brun")
    assert all(map(isfinite, CREDENCE))


def test_the_outline_leaves_out_what_stands_between_things() -> None:
    row = ["OTHER", ",", "the", "w", "w-ly", "DEED", "ANSWER", "in", "NUMBER", "."]
    near = pattern.described(row, "agent")
    assert {"outline first 2 , DEED ANSWER", "as agent first 1 DEED ANSWER"} <= near.keys()
    assert "joined first 1 DEED ANSWER in" in near


def test_which_chemist_asks_for_somebody_and_which_river_does_not() -> None:
    assert judge("Which boxer won the fight in Oslo?", "Lind won.", "Otto Lind").score == 1.0
    assert judge("Which river flows through Oslo?", "Lind", "Otto Lind").score == 0.0
