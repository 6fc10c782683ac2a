"""Answers said in plain sentences, and answers said twice: exactly and as a decimal."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()
APPLES = "How many apples are left?"
MEETING = "When does the meeting end?"


def score(reference: str, response: str, prompt: str = "") -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}}
    return VERIFIER.check(parse_request("math", raw)).score


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        (r"9\pi", r"\boxed{9\pi \approx 28.27}"),
        (r"9\pi", r"\boxed{9\pi \text{ cm}^2 \approx 28.27 \text{ cm}^2}"),
        (r"9\pi", "The area is 9π, which is approximately 28.27."),
        (r"9\pi", r"The area is $9\pi$, approximately 28.27."),
        (r"9\pi", r"The area is $9\pi \approx 28.27$."),
        (r"9\pi", "The answer is 9π (about 28.27)."),
        (r"9\pi", "The answer is 9π or about 28.27."),
        (r"9\pi \approx 28.27", r"\boxed{9\pi}"),
        ("28.27433", r"\boxed{9\pi \approx 28.27433}"),
        ("1/6", r"\boxed{\frac{1}{6} \approx 0.167}"),
        (r"\sqrt{2}", r"\boxed{\sqrt{2} ≈ 1.414}"),
        ("28", "The area is 9π, which is approximately 28."),
        ("0.33", r"\boxed{\frac{1}{3} \approx 0.33}"),
        ("150", "It takes 2.5 hours, or 150 minutes."),
        ("3/8", "The probability is 3/8 (37.5%)."),
        ("3/8", "The probability is 3/8, or 37.5%."),
        ("2.5", "It takes 2.5 hours, or 150 minutes."),
        ("2.5", "It takes 2.5 hours (150 minutes)."),
    ],
)
def test_an_exact_value_decides_where_the_value_said_again_agrees(reference: str, response: str) -> None:
    assert score(reference, response) == 1.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        (r"9\pi", r"\boxed{8\pi \approx 28.27}"),
        (r"9\pi", r"\boxed{9\pi \approx 29.27}"),
        (r"9\pi", r"\boxed{9\pi \approx 25.13}"),
        (r"8\pi", r"\boxed{9\pi \approx 25.13}"),
        ("25.13", r"\boxed{9\pi \approx 25.13}"),
        (r"9\pi", "The area is 8π, which is approximately 28.27."),
        (r"9\pi", "The area is 9π, which is approximately 31.4."),
        (r"9\pi", r"The area is $9\pi$, approximately 31.4."),
        (r"9\pi", "The answer is 9π (about 31.4)."),
        ("1/6", r"\boxed{\frac{1}{7} \approx 0.167}"),
        ("1/6", r"\boxed{0.2 \approx \frac{1}{6}}"),
        (r"\sqrt{2}", r"\boxed{\sqrt{3} \approx 1.414}"),
        ("4", r"\boxed{3.9 \approx 4}"),
        ("29", "The area is 9π, which is approximately 29."),
        ("3/8", "The probability is 3/8 (62.5%)."),
        ("3/8", "The probability is 5/8 (37.5%)."),
        ("3/8", "The probability is 3/8 or 5/8."),
        ("2.5", "It takes 2.5 hours, or 140 minutes."),
        ("2.5", "It takes 3.5 hours, or 150 minutes."),
        ("2.5", "It takes 2.5 hours, or 3 hours."),
    ],
)
def test_values_that_disagree_or_a_wrong_exact_value_are_no_answer(reference: str, response: str) -> None:
    assert score(reference, response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "12 apples are left.",
        "<answer>12 apples are left</answer>",
        "Answer: 12 apples are left.",
        "The answer is that 12 apples are left.",
        "She started with 20, gave away 8. **12 apples** are left.",
        "She started with 20 and gave away 8, so 12 remain.",
        "12 apples are left, not 11.",
        r"\boxed{12\text{ apples are left}}",
        r"\boxed{\text{12 apples are left}}",
        "She started with 20 and gave away 8. There remain 12 apples.",
    ],
)
def test_a_plain_sentence_states_its_number(response: str) -> None:
    assert score("12", response, APPLES) == 1.0
    assert score("11", response, APPLES) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "She has 9 eggs left. 9*2 = 18.",
        "She has 16-3-4=9 eggs left. 9*2 = $18 per day.",
        "There are 9 left. 18 dollars.",
    ],
)
def test_a_calculation_behind_a_sentence_is_a_sentence_of_its_own(response: str) -> None:
    assert score("18", response) == 1.0
    assert score("9", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "11 apples are left, not 12.",
        "<answer>11 apples are left, not 12</answer>",
        r"\boxed{\text{11 apples are left, not 12}}",
        r"\boxed{\text{12 apples are not left}}",
        "12 apples are gone, 8 apples are left.",
        "12 apples are not left.",
        "12 apples are left? No.",
        "If 12 apples are left, she is lucky.",
        "At least 12 apples are left.",
        "Answer: 12 or 13 apples are left.",
        "**11 apples** are left.",
        "She started with 20 and gave away 8, so 11 remain.",
    ],
)
def test_a_number_that_is_denied_supposed_or_another_is_not_stated(response: str) -> None:
    assert score("12", response, APPLES) == 0.0


def test_a_sentence_states_a_time_of_day_whole() -> None:
    assert score("3:45 PM", "The meeting ends at 3:45 PM.", MEETING) == 1.0
    assert score("3:45 PM", "The meeting ends at 3:45 p.m.", MEETING) == 1.0
    assert score("3:45 PM", "The meeting ends at 3:45 AM.", MEETING) == 0.0
    assert score("3:45 PM", "The meeting ends at 3:54 PM.", MEETING) == 0.0
    assert score("3:45 PM", "The meeting does not end at 3:45 PM.", MEETING) == 0.0


@pytest.mark.parametrize(
    "response", ["The tallest is Maria.", "<answer>The tallest is Maria.</answer>", "So the tallest one is **Maria**."]
)
def test_a_sentence_ends_on_the_name_it_states(response: str) -> None:
    assert score("Maria", response) == 1.0
    assert score("Maria", response, "Who is the tallest?") == 1.0
    assert score("Maria", response, "Who is the shortest?") == 0.0
    assert score("Anna", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The tallest is not Maria.",
        "The tallest is Anna, not Maria.",
        "The tallest is Anna or Maria.",
        "The tallest is Maria or Anna.",
        "The tallest is Anna, whose sister is Maria.",
        "It is false that the tallest is Maria.",
        "Some say the tallest is Maria.",
        "Nobody is Maria.",
        "The tallest is Maria?",
    ],
)
def test_a_name_that_is_denied_or_one_of_several_is_not_stated(response: str) -> None:
    assert score("Maria", response) == 0.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        ("yes", "Yes, 97 is prime."),
        ("Yes", "Yes. 97 is prime."),
        ("no", "No, because 91 = 7 * 13."),
        ("no", "No, 91 is not prime."),
        ("yes", "<answer>Yes, it is.</answer>"),
        ("yes", r"\boxed{\text{Yes, it is prime}}"),
        ("no", r"\boxed{\text{No, it is not prime}}"),
        ("yes", "The answer is yes, 97 is prime."),
        ("yes", "Yes.\n\nNo prime up to 9 divides 97."),
        ("false", "False, since 2 is prime."),
        ("True", "<answer>True, since 2 is prime</answer>"),
    ],
)
def test_yes_and_no_may_go_on_to_say_why(reference: str, response: str) -> None:
    opposite = {"yes": "no", "no": "yes", "true": "false", "false": "true"}[reference.lower()]
    assert score(reference, response) == 1.0
    assert score(opposite, response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "Yes and no.",
        "Yes, no, maybe.",
        "Yes, but actually no.",
        "Yes, or rather no.",
        "No, wait, yes.",
        "Yes, it is not.",
        "No, it is.",
        "Yes? No? Both.",
        "No doubt it is.",
        r"\boxed{\text{Yes or no}}",
        r"\boxed{\text{Yes, no}}",
        "<answer>Yes, no, perhaps</answer>",
    ],
)
def test_who_wavers_between_yes_and_no_has_answered_neither(response: str) -> None:
    assert score("yes", response) == 0.0
    assert score("no", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The answer is 42. Alternatively, 43.",
        "42 (or 43)",
        r"\boxed{42}. If that is wrong, then 43.",
        "Answer: 42 (though it could be 43 or 44)",
        r"\boxed{42} <answer>43</answer>",
        r"\boxed{42 = 43}",
        "The answer is 42. Just kidding, it's 43.",
        "I can't determine whether the answer is 42.",
        "Nobody thinks the answer is 42.",
        "Someone said the answer is 42 but they are wrong.",
    ],
)
def test_an_answer_with_another_beside_it_or_that_nobody_gives_is_none(response: str) -> None:
    assert score("42", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The answer is 42 (or 42.0).",
        "The answer is 42, or in words, forty-two.",
        "\\boxed{42}\n\nThis may be verified: 42/6 = 7.",
        "The answer is 42. If you're not sure, check it again.",
        "$$\\begin{aligned} x &= 40+2 \\\\ &= 42\\end{aligned}$$",
    ],
)
def test_the_same_answer_in_another_dress_beside_it_takes_nothing_back(response: str) -> None:
    assert score("42", response) == 1.0
