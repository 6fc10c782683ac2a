"""A comma in the reference: between two numbers, a decimal comma, or not to be told; and long lists of numbers."""

from __future__ import annotations

import pytest

from verifleet.verification import Options, VerificationRequest, VerificationResult
from verifleet.verifiers.math import MathVerifier
from verifleet.verifiers.math.algebra import equivalence
from verifleet.verifiers.math.algebra.equivalence import Comparison
from verifleet.verifiers.math.question import Question

_verifier = MathVerifier()


def judged(prompt: str, reference: str, response: str, **options: object) -> VerificationResult:
    return _verifier.check(
        VerificationRequest(
            prompt=prompt,
            response=response,
            reference={"answer": reference},  # type: ignore[arg-type]
            options=Options.model_validate(options),
        )
    )


@pytest.mark.parametrize(
    ("prompt", "reference", "responses"),
    [
        ("Find all solutions of x^2+7x=0.", "-7,0", ["-7", "x=-7", r"\boxed{-7}", "-7.0"]),
        ("Find all solutions of x^2-6x+5=0.", "5,1", ["5.1", r"\boxed{51/10}"]),
        ("Solve (x-1)(x-5)=0.", "1,5", ["1.5", "3/2"]),
        ("What are the roots of x^2-3x=0?", "0,3", ["0.3", "3/10"]),
        ("Find both roots of x^2-4x=0.", "4,0", ["4", "4.0"]),
        ("Give the ordered pair (x,y) with x+y=2, x-y=2.", "2,0", ["2"]),
        ("Which numbers satisfy it? Enter them separated by commas.", "2,0", ["2"]),
        ("What values can n take?", "2,5", ["2.5"]),
        ("The curve meets (0,3). Find all x with f(x)=0.", "4,0", ["4"]),
        ("For n=1,2 find all solutions of x^2=nx.", "1,0", ["1"]),
    ],
)
def test_where_several_are_asked_for_a_comma_in_the_reference_separates(
    prompt: str, reference: str, responses: list[str]
) -> None:
    for response in responses:
        result = judged(prompt, reference, response)
        assert (result.status, result.score) == ("scored", 0.0), response
    both = reference.replace(",", " and ")
    assert judged(prompt, reference, f"The answer is ${both.replace(' and ', '$ and $')}$.").score == 1.0


@pytest.mark.parametrize(("reference", "response"), [("5,1", "5.1"), ("1,5", r"\boxed{\frac{3}{2}}"), ("4,0", "4")])
def test_a_comma_that_the_prompt_does_not_explain_is_not_decided(reference: str, response: str) -> None:
    for prompt in ("", "What is the result?"):
        assert (judged(prompt, reference, response).status, judged(prompt, reference, response).score) == (
            "unknown",
            0.0,
        )
        assert judged(prompt, reference, "The answer is 77.").status == "scored"
        assert judged(prompt, reference, reference.replace(",", " and ")).score == 1.0


def test_a_prompt_with_decimal_commas_has_a_reference_with_one() -> None:
    for prompt in ("Solve 1,5 x = 3,75 for x.", "Wie viel macht 1{,}5 + 1?"):
        assert judged(prompt, "2,5", "2.5").score == 1.0
        assert judged(prompt, "2,5", r"\boxed{\frac52}").score == 1.0
        assert judged(prompt, "2,5", "5,2").score == 0.0


@pytest.mark.parametrize(("reference", "response"), [("3{,}5", "3.5"), ("2,05", "2.05")])
def test_a_comma_that_no_list_has_is_decimal_in_the_reference(reference: str, response: str) -> None:
    assert judged("What is the result?", reference, response).score == 1.0


def test_a_list_of_numbers_that_repeats_one_is_right_in_any_order_and_not_without_it() -> None:
    assert judged("List the prime factors of 12.", "2, 2, 3", "3, 2, 2").score == 1.0
    assert judged("List the prime factors of 12.", "2, 2, 3", "3, 2").score == 0.0


@pytest.mark.parametrize("separator", [",", ", "])
def test_long_lists_of_exact_numbers_are_compared_by_value_and_not_in_pairs(
    monkeypatch: pytest.MonkeyPatch, separator: str
) -> None:
    compared = 0
    same = Comparison.same

    def counted(self: Comparison, *nodes: object) -> bool:
        nonlocal compared
        compared += 1
        return same(self, *nodes)  # type: ignore[arg-type]

    monkeypatch.setattr(Comparison, "same", counted)
    numbers = [str(number) for number in range(1_000)]
    reference = separator.join(numbers)
    assert judged("", reference, rf"\boxed{{{separator.join(reversed(numbers))}}}").score == 1.0
    wrong = separator.join([*reversed(numbers[1:]), "5000"])
    assert judged("", reference, rf"\boxed{{{wrong}}}").score == 0.0
    assert judged("", reference, rf"\boxed{{{separator.join(numbers[1:])}}}", partial=True).score == pytest.approx(
        0.4995
    )
    assert compared < 100


def test_what_is_compared_in_pairs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equivalence, "MAX_PAIRS", 5)
    reference, response = r"\pi, \pi+1, \pi+2, \pi+3, \pi+4", r"\boxed{5+\pi, 6+\pi, 7+\pi, 8+\pi, 9+\pi}"
    assert judged("", reference, response).status == "unknown"
    assert Question("").several is False
