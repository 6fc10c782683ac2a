"""An explanation counts in other words where the encoder is sure of it, and nothing else does."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

ICE = "Why does ice float on water?"
LIGHTER = "Because ice is less dense than liquid water"


@pytest.mark.parametrize(
    ("prompt", "expected", "response"),
    [
        (ICE, LIGHTER, "Water expands when it freezes, so ice has a lower density than the liquid."),
        (
            "Why do leaves look green?",
            "Because chlorophyll reflects green light",
            "Their chlorophyll absorbs red and blue light and reflects the green.",
        ),
    ],
)
def test_an_explanation_in_other_words_is_right(prompt: str, expected: str, response: str) -> None:
    result = judge(prompt, response, expected)
    assert (result.score, result.details["match"]) == (1.0, "explained")


def test_more_beside_an_explanation_makes_it_no_less_right() -> None:
    beside = (
        "Water expands when it freezes, so ice has a lower density than the liquid. The molecules of ice form hexagons."
    )
    assert judge(ICE, beside, LIGHTER).details["match"] == "explained"
    taken_back = (
        "Frozen water has a lower density than the liquid. No, wait, that is wrong. Ice is kept up by the wind."
    )
    assert judge(ICE, taken_back, LIGHTER).score == 0.0


@pytest.mark.parametrize("end", ["", ".", "!"])
def test_how_an_explanation_ends_changes_nothing(end: str) -> None:
    said = f"Water expands when it freezes, so ice has a lower density than the liquid{end}"
    assert judge(ICE, said, LIGHTER).score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "Ice is denser than liquid water.",
        "Because of the salt in it.",
        "It is because of the underlying mechanism that makes this happen, which is well understood.",
        "Their chlorophyll absorbs red and blue light and reflects the green.",
        "This response is correct and says exactly what the expected answer says.",
        "xBecauseiceislessdensethanliquidwaterton",
        "Ice is very cold. Or maybe: it is heavier. Or maybe: frozen water has a lower density than liquid water.",
        "I'm sorry, but I don't know.",
        "",
    ],
)
def test_what_explains_something_else_or_nothing_earns_nothing(response: str) -> None:
    assert judge(ICE, response, LIGHTER).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "expected", "response"),
    [
        ("How high is the dam?", "83 m", "It is as high as a house of twenty-five floors."),
        ("Why was the town renamed?", "Queen Ada", "After the wife of the king, who had visited it."),
        ("When did it open?", "5 May 1931", "It opened in the spring of that year."),
        ("Who built it?", "the city's own masons", "Workers that the town itself employed."),
    ],
)
def test_values_dates_and_names_are_never_taken_as_explained(prompt: str, expected: str, response: str) -> None:
    assert judge(prompt, response, expected).details.get("match") != "explained"


def test_key_terms_keep_their_share() -> None:
    terms = ["scattering", "sunlight"]
    result = judge("Why is the sky blue?", "Because of the scattering of sunlight.", LIGHTER, key_terms=terms)
    assert result.score == 0.8
