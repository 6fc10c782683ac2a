"""The expected answer is weighed against the other things of a response."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge
from verifleet.verifiers.knowledge import guards, weighing

LIKELY: list[float] = []
QUESTION = "What does the gland produce to lower the pressure?"


@pytest.fixture(autouse=True)
def likely(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How likely the weighing takes the expected answer to be, of each answer that is judged."""
    LIKELY.clear()

    def kept(*given: object) -> weighing.Weighed | None:
        found = weighing.weigh(*given)  # type: ignore[arg-type]
        LIKELY.append(1.0 if found is None else found.likely)
        return found

    monkeypatch.setattr(guards, "weigh", kept)
    return LIKELY


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("The gland produces norin to lower the pressure. It works together with sudin.", 1.0),
        ("To lower the pressure, the gland produces sudin. Sudin works together with norin in the liver.", 0.0),
        ("To lower the pressure, the gland produces norin. Norin works together with sudin in the liver.", 1.0),
    ],
)
def test_what_stands_where_the_question_asks_for_it_is_the_answer(response: str, score: float) -> None:
    assert judge(QUESTION, response, "norin").score == score


def test_the_answer_of_the_clause_asked_for_is_likelier_than_one_in_passing() -> None:
    judge("Who beat Otto Lind in the final?", "Ida Brun beat Otto Lind. She had met Max Roth before.", "Ida Brun")
    judge("Who beat Otto Lind in the final?", "Ida Brun beat Otto Lind. She had met Max Roth before.", "Max Roth")
    assert LIKELY[0] > 0.7
    assert all(one < 0.3 for one in LIKELY[1:])


@given(st.lists(st.sampled_from(["Ida Brun", "Max Roth", "won", "in", "1931", ",", ".", "and", "who", "it", "(", ")"])))
def test_any_text_gives_a_share(words: list[str]) -> None:
    LIKELY.clear()
    judge("Who won in 1931?", " ".join(words), "Ida Brun")
    assert all(0.0 <= one <= 1.0 for one in LIKELY)


def test_many_names_take_linear_time() -> None:
    text = "Ida Brun met Max Roth, " * 2_000
    started = time.perf_counter()
    judge("Who won in 1931?", text, "Ida Brun")
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("tail", [", to be exact.", ", to be precise.", ", with the whole town behind them."])
def test_an_aside_and_a_pronoun_are_no_other_answer(tail: str) -> None:
    assert judge("What sort of tale is it?", f"It is usually filed as horror{tail}", "horror").score == 1.0


def test_a_name_with_a_particle_is_one_name() -> None:
    assert judge("Where does it hang?", "In the Salle des Étoiles, Porto.", "Porto").score == 1.0
