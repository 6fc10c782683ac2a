"""Yes or no: the verdict that a response settles on counts, with a lead-in, a reason or an aside around it."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

STAR = "Is the sun a star?"
FISH = "Is a whale a fish?"


@pytest.mark.parametrize(
    ("prompt", "response", "answer", "other"),
    [
        (STAR, "The answer is yes, the Sun is a star.", "yes", "no"),
        (STAR, "I think the answer is yes.", "yes", "no"),
        (STAR, "Astronomically yes, it fuses hydrogen.", "yes", "no"),
        (STAR, "The answer is yes because it fuses hydrogen.", "yes", "no"),
        (STAR, "Some say no, but the answer is yes.", "yes", "no"),
        (STAR, "No. Actually, yes.", "yes", "no"),
        (STAR, "No doubt about it, yes.", "yes", "no"),
        (STAR, "Yes, no doubt about it.", "yes", "no"),
        (STAR, "Yes, it has no solid surface but is a star.", "yes", "no"),
        (FISH, "A whale is a mammal, so the answer is no.", "no", "yes"),
        (FISH, "A whale is a mammal, so no.", "no", "yes"),
        (FISH, "A whale is not a fish, so no.", "no", "yes"),
        (FISH, "It is not a mammal, so yes.", "yes", "no"),
        (FISH, "It has no gills, so my answer is no.", "no", "yes"),
        (FISH, "A whale lives in water, so the answer is yes.", "yes", "no"),
        (STAR, "The Sun is a star.", "yes", "no"),
        (STAR, "Astronomically speaking it is.", "yes", "no"),
        (FISH, "Whales are not fish.", "no", "yes"),
        (FISH, "Whales are mammals, not fish.", "no", "yes"),
        ("Is Norland larger than Lund?", "Norland is smaller than Lund.", "no", "yes"),
        ("Is Norland larger than Lund?", "Norland is about four times larger than Lund.", "yes", "no"),
        (STAR, "The statement is true, since it fuses hydrogen.", "true", "false"),
        (STAR, "The statement is false, the Sun is a planet.", "false", "true"),
        (STAR, "Yep, an ordinary one.", "Yes", "No"),
        (FISH, "Negative; it is a mammal.", "No", "Yes"),
        (FISH, "Non, jamais.", "No", "Yes"),
    ],
)
def test_the_verdict_a_response_settles_on_is_its_answer(prompt: str, response: str, answer: str, other: str) -> None:
    assert judge(prompt, response, answer).score == 1.0
    assert judge(prompt, response, other).score == 0.0


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize(
    "response",
    [
        "Yes and no.",
        "Yes. No.",
        "The answer is yes. The answer is no.",
        "Maybe yes, maybe no.",
        "It is either yes or no.",
        "There is no evidence for that.",
        "I do not know whether the answer is yes.",
        "No one knows.",
        "A whale has no gills.",
    ],
)
def test_a_response_without_one_verdict_answers_neither(response: str, answer: str) -> None:
    assert judge(FISH, response, answer).score == 0.0


@pytest.mark.parametrize("response", ["It is not, therefore, Lyon.", "It isn't, thus, Lyon."])
def test_an_aside_within_a_denial_does_not_end_it(response: str) -> None:
    assert judge("What is the capital of Zork?", response, "Lyon").score == 0.0


def test_a_verdict_whose_own_clause_says_otherwise_is_none() -> None:
    question = "Is the north of Norland cold?"
    assert judge(question, "Yes. It is cold.", "yes").score == 1.0
    assert judge(question, "Yes. It is not cold at all.", "yes").score == 0.0
    assert judge(question, "Yes. It is not mild.", "yes").score == 1.0
    assert judge(question, "No. It is not cold.", "no").score == 1.0
    assert judge(question, "Absolutely.", "yes").score == 1.0


@pytest.mark.parametrize(
    ("response", "answer", "score"),
    [
        ("Strictly speaking it is one: it shines by itself.", "yes", 1.0),
        ("Strictly speaking it is one: it shines by itself.", "no", 0.0),
        ("It isn't one, it only shines like it.", "no", 1.0),
        ("Technically it is not one.", "yes", 0.0),
        ("It used to be one.", "yes", 0.0),
        ("People say it is one.", "yes", 0.0),
        ("Many believe it is.", "yes", 0.0),
        ("I'd say it is.", "yes", 1.0),
    ],
)
def test_it_is_one_says_what_is_asked(response: str, answer: str, score: float) -> None:
    assert judge(STAR, response, answer).score == score
