"""The form that a prompt asks for, and answers that lead up to their value or count it."""

from __future__ import annotations

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier
from verifleet.verifiers.math.syntax.parser import parse
from verifleet.verifiers.math.tasks.asked_form import simplification_fault

_VERIFIER = MathVerifier()


def verdict(prompt: str, reference: str, response: str) -> str:
    raw = {"prompt": prompt, "reference": {"answer": reference}, "response": response}
    return _VERIFIER.check(parse_request("math", raw)).verdict


@pytest.mark.parametrize(
    ("prompt", "reference", "unfinished", "other"),
    [
        ("What share is blue? Give a simplified fraction.", "2/3", "8/12", "0.6666667 ≈ 2/3"),
        (r"Simplify $\sqrt{72}$.", r"6\sqrt{2}", r"3\sqrt{8}", r"\sqrt{2} \cdot 6"),
        ("Factor $2x^3 - 18x$ completely.", "2x(x-3)(x+3)", "2x(x^2-9)", "2(x+3)(x-3)x"),
        ("Factor $x^4 - y^4$.", "(x-y)(x+y)(x^2+y^2)", "(x^2-y^2)(x^2+y^2)", "(y+x)(x-y)(x^2+y^2)"),
        ("Write the ratio 36:48 in simplest form.", "3:4", "6:8", "3 to 4"),
        ("Simplify the ratio 0.5 : 1.5.", "1:3", "0.5:1.5", "1 to 3"),
        ("Simplify $36/12$.", "3", "6/2", "+3"),
        ("Factor $12x + 6$.", "6(2x+1)", "3(4x+2)", "(2x+1) \\cdot 6"),
        (
            "Write 1/(x^2 - 1) in partial fractions.",
            r"\frac{1}{2(x-1)}-\frac{1}{2(x+1)}",
            "1/((x-1)(x+1))",
            "1/2 (1/(x-1) - 1/(x+1))",
        ),
    ],
)
def test_the_form_that_is_asked_for_is_held_against_the_answer(
    prompt: str, reference: str, unfinished: str, other: str
) -> None:
    assert verdict(prompt, reference, rf"\boxed{{{unfinished}}}") == "incorrect"
    assert verdict(prompt, reference, rf"\boxed{{{other}}}") == "correct"
    assert verdict("What is the result?", reference, rf"\boxed{{{unfinished}}}") == "correct"


def test_a_form_that_the_reference_lacks_is_not_asked_of_the_answer() -> None:
    assert verdict("Reduce the ratio.", "10/15", r"\boxed{20/30}") == "correct"


def test_a_fraction_is_not_refused_where_reduce_is_no_task() -> None:
    assert verdict("By how much does the sale reduce the price?", "1/6", r"\boxed{6/36}") == "correct"


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Find x if 3x + 4 = 16.", "4", "So 3x = 12 and x = 4.", "So 3x = 15 and x = 5."),
        ("Berechne die Fläche.", r"9\pi", "r = 3; A = πr² = 9π.", "r = 3; A = 2πr = 6π."),
        ("Wo liegen die Extrema?", "x = -2, x = 2", "Bei x₁ = 2 (Minimum) und x₂ = −2 (Maximum).",
         "Bei x₁ = 2 (Minimum) und x₂ = −3 (Maximum)."),
        ("Löse das System.", "x=5, y=1", "L = {(5 | 1)}", "L = {(1 | 5)}"),
        ("Wie viele Teiler hat 6?", "4", "1, 2, 3 und 6, also vier Teiler.", "1, 2, 3 und 6, also fünf Teiler."),
        ("How many divisors has 6?", "4", "1, 2, 3 and 6, so four divisors.", "1, 2, 3 and 6, so five divisors."),
        ("Quelle est la probabilité ?", "0,6", r"Elle vaut \boxed{\frac{3}{5}}", r"Elle vaut \boxed{\frac{2}{5}}"),
        ("Its surface is 36π. Find the volume.", r"36\pi", "V = (4/3)π·27 = 36π ≈ 113.1.", "V = 27π ≈ 84.8."),
    ],
)  # fmt: skip
def test_steps_asides_counts_and_pairs_are_read(prompt: str, reference: str, right: str, wrong: str) -> None:
    assert verdict(prompt, reference, right) == "correct"
    assert verdict(prompt, reference, wrong) == "incorrect"


@pytest.mark.parametrize("aside", ["wrong", "extraneous", "falsch"])
def test_a_value_that_its_aside_rejects_is_no_part_of_the_answer(aside: str) -> None:
    assert verdict("Solve.", "x = 1, x = -1", f"x = 1 ({aside}) and x = -1") != "correct"


@pytest.mark.parametrize(
    ("prompt", "reference", "wrong", "right"),
    [
        ("Write 0.00057 in scientific notation.", r"5.7 \times 10^{-4}", "It is 57 × 10⁻⁵.", "It is 5.7 × 10⁻⁴."),
        ("Write -57000 in scientific notation.", r"-5.7 \times 10^4", "-0.57 × 10^5", "-5.7e4"),
        ("Give the prime factorisation of 1001.", r"7 \times 11 \times 13", "1001 = 7 × 143", "1001 = 13 × 7 × 11"),
        ("Write 360 as a product of primes.", r"2^3 \cdot 3^2 \cdot 5", "8·9·5", "360 = 2·2·2·3·3·5"),
        ("Factor 60 completely.", r"2^2 \cdot 3 \cdot 5", "60", "2·2·3·5"),
        ("18 of 40 play chess. What percentage is that?", "45%", "18 ÷ 40 = 0.45, so 0.45% of the students play chess.",
         "18 ÷ 40 = 0.45, so 45% of the students play chess."),
        ("What is 20% of 50?", "10", "20% of 50 is 20.", "20% of 50 is 10."),
    ],
)  # fmt: skip
def test_a_number_has_the_notation_and_the_percent_sign_that_were_asked_for(
    prompt: str, reference: str, wrong: str, right: str
) -> None:
    assert verdict(prompt, reference, wrong) == "incorrect"
    assert verdict(prompt, reference, right) == "correct"


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        (r"Solve $3x \equiv 4 \pmod 7$.", r"x \equiv 6 \pmod 7", "x = 7k + 6", "x = 14k + 6"),
        ("Find the limit.", r"\infty", "The limit is positive infinity (+∞).", "The limit is negative infinity (−∞)."),
        ("Solve over the reals.", "no real solutions", "So the equation has no solution in ℝ.", "So x is in ℝ."),
        ("Solve over the reals.", r"\mathbb{R}", "Every real number.", "So the equation has no solution in ℝ."),
        ("You invest $2000. What is it worth after 3 years?", "2315.25",
         "2000(1.05)^3 = 2000(1.157625)\n\nThe investment is worth **$2,315.25** after 3 years.",
         "The investment is worth **$2,135.25** after 3 years."),
    ],
)  # fmt: skip
def test_a_class_an_infinity_and_an_amount_among_given_ones_are_read(
    prompt: str, reference: str, right: str, wrong: str
) -> None:
    assert verdict(prompt, reference, right) == "correct"
    assert verdict(prompt, reference, wrong) != "correct"


_TABLE = "So 1 part is $40.\n\n| Person | Amount |\n|---|---|\n| Ana | ${} |\n| Ben | ${} |\n| Cal | ${} |"


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Evaluate.", "-17", "-9 + (-8) = minus seventeen", "-9 + (-8) = seventeen"),
        ("What fraction is left?", "3/8", "8 - 5 = 3 remain, so three-eighths of it is left.",
         "8 - 5 = 3 remain, so two-eighths of it is left."),
        ("How many quarters has she?", "3", "She has three quarters left.", "She has two quarters left."),
        ("Wie viel kostet es?", "2500000", "2.000.000 € · 1,25 = 2.500.000 €.", "2.000.000 € · 1,25 = 2.500.001 €."),
        ("Today is Wednesday. What day is it in 100 days?", "Friday", "100 mod 7 = 2 → Wednesday + 2 = Fri.",
         "100 mod 7 = 1 → Wednesday + 1 = Thu."),
        ("How much did he find?", "$0.75", "He found 75 cents.", "He found 0.75 cents."),
        ("How much did he find?", r"\$75", "He found 75 dollars.", "He found 75 cents."),
        ("What percentage is that?", "45%", "18/40, so 45 percent of the students play.",
         "18/40 = 0.45, so 0.45 percent of the students play."),
        ("Solve the congruence.", r"x \equiv 6 \pmod 7", "x = 6 - 7k", "x = 6 - 14k"),
        ("List the subsets.", r"\{\emptyset,\{a\},\{b\},\{a,b\}\}", "P({a,b}) = { {a,b}, {b}, {a}, {} }",
         "P({a,b}) = { {a,b}, {b}, {} }"),
        ("True or false: such a function is continuous.", "True", "Yes, this statement is correct. It always is.",
         "Yes, this statement is false. It never is."),
        ("True or false: such a function is continuous.", "False", "No. The sign function has a jump.",
         "No, this is right."),
        ("Divide $360 among Ana, Ben and Cal.", "80, 120, 160", _TABLE.format(80, 120, 160),
         _TABLE.format(80, 160, 120)),
    ],
)  # fmt: skip
def test_amounts_in_words_cents_tables_and_short_names_are_read(
    prompt: str, reference: str, right: str, wrong: str
) -> None:
    assert verdict(prompt, reference, right) == "correct"
    assert verdict(prompt, reference, wrong) != "correct"


def test_a_root_of_an_immense_index_is_not_looked_into() -> None:
    assert simplification_fault(parse(r"\sqrt[3000000000000000]{5}"), parse("x + 1")) is None


@pytest.mark.parametrize("reference", ["B", "(B)", "(B) 6", r"\text{(B) }6"])
def test_a_letter_with_the_text_of_another_choice_is_not_chosen(reference: str) -> None:
    prompt = "Which is it? (A) 5 (B) 6 (C) 7"
    for response in ("B", "The answer is B. 6", r"\boxed{(B)\ 6}", "It is 6."):
        assert verdict(prompt, reference, response) == "correct"
    for response in ("A", "The answer is B. 5", r"\boxed{(B)\ 5}", "It is 5.", "The answer is A. 6"):
        assert verdict(prompt, reference, response) == "incorrect"
