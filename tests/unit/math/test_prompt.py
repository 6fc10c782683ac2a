"""The math verifier without a reference: what the prompt itself asks."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(prompt: str, response: str, **options: object) -> float | None:
    raw = {"prompt": prompt, "response": response, "options": options}
    result = VERIFIER.check(parse_request("math", raw))
    assert result.status == "scored", result.reason
    return result.score


RIGHT_AND_WRONG = [
    ("Find the limit of sin(x)/x as x approaches 0.", "1", "0"),
    ("Find the limit of (x^2 - 1)/(x - 1) as x tends to 1.", "2", "1"),
    ("Solve for x: 2x + 3 = 7", "x = 2", "x = 3"),
    ("Solve for x: 2x + 3 = 7", "2", "2x = 4"),
    ("What is x if 4x - 1 = 11?", "3", "4"),
    ("Solve $x^2 - 5x + 6 = 0$.", "x = 2 \\text{ or } x = 3", "x = 2"),
    ("Solve $x^2 - 5x + 6 = 0$.", "2, 3", "2, 3, 4"),
    ("Find the roots of x^2 - 2.", r"\pm\sqrt{2}", r"\sqrt{2}"),
    ("Solve $x^2 + 1 = 0$ over the complex numbers.", r"\pm i", r"\text{no solution}"),
    ("Solve x^2 + 1 = 0 over the reals", r"\text{no solution}", "i, -i"),
    (r"Solve $\frac{1}{x} + \frac{1}{x+1} = \frac{3}{2}$.", r"1, -\frac{2}{3}", "1"),
    (r"Solve $\frac{x^2-1}{x-1} = 3$.", "2", "1"),
    (r"Solve $\sqrt{x+6} = x$.", "3", "3, -2"),
    (r"Solve $2^x = 32$.", "5", "4"),
    (r"Solve $|x - 3| = 5$.", "8, -2", "8"),
    (r"Solve $\ln(x) + \ln(x-1) = \ln 2$.", "2", "2, -1"),
    (r"Solve $2\sin x = 1$ for $0 \le x < 2\pi$.", r"\frac{\pi}{6}, \frac{5\pi}{6}", r"\frac{\pi}{6}"),
    (r"Solve the system: x + y = 5, x - y = 1", "(3, 2)", "(2, 3)"),
    (r"Solve the system: x + y = 5, x - y = 1", "x = 3, y = 2", "x = 3"),
    ("Solve the inequality: 3x - 1 > 5", "x > 2", r"x \ge 2"),
    ("Solve the inequality: x^2 - 4 >= 0", r"(-\infty, -2] \cup [2, \infty)", "[-2, 2]"),
    (r"Solve $\frac{x-1}{x+2} \le 0$.", "(-2, 1]", "[-2, 1]"),
    ("Differentiate $x^3 + \\sin x$.", r"3x^2 + \cos x", r"3x^2 - \cos x"),
    ("Find the second derivative of $x^4$.", "12x^2", "4x^3"),
    ("Find the derivative of $x^2$ at $x = 3$.", "6", "2x"),
    (r"Evaluate $\int x^2 \, dx$.", r"\frac{x^3}{3} + C", r"\frac{x^3}{3}"),
    (r"Find an antiderivative of $\cos x$.", r"\sin x", r"-\sin x"),
    (r"Evaluate $\int_0^2 x^2 \, dx$.", r"\frac{8}{3}", r"\frac{4}{3}"),
    (r"Evaluate $\int_0^\infty e^{-x} \, dx$.", "1", "2"),
    (r"Compute $\lim_{x \to 0} \frac{\sin 3x}{x}$.", "3", "1"),
    (r"Compute $\lim_{x \to 0} \frac{1}{x^2}$.", r"\infty", "0"),
    (r"Compute $\sum_{k=1}^{10} k^2$.", "385", "384"),
    (r"Find $\sum_{n=1}^{\infty} \frac{1}{n^2}$.", r"\frac{\pi^2}{6}", r"\frac{\pi^2}{8}"),
    ("Simplify $\\frac{x^2-4}{x-2}$.", "x+2", r"\frac{x^2-4}{x-2}"),
    (r"Simplify $\sqrt{72}$.", r"6\sqrt{2}", r"3\sqrt{8}"),
    ("Simplify $3x + 5x - 2$.", "8x - 2", "3x + 5x - 2"),
    ("Expand $(x+1)^3$.", "x^3 + 3x^2 + 3x + 1", "(x+1)(x+1)^2"),
    ("Factor $x^2 - 5x + 6$.", "(x-2)(x-3)", "x^2 - 5x + 6"),
    ("Factor completely $2x^3 - 8x$.", "2x(x-2)(x+2)", "2x(x^2-4)"),
    ("What is 12 * 13?", "156", "12 * 13"),
    ("What is 15% of 80?", "12", "15"),
    ("Find the greatest common divisor of 84 and 36.", "12", "6"),
    ("What is the least common multiple of 4, 6 and 10?", "60", "120"),
    ("What is the remainder when 100 is divided by 7?", "2", "14"),
    ("Evaluate $x^2 + 1$ when $x = 3$.", "10", "9"),
    ("Compute 5!", "120", "5!"),
    ("Integrate 2x dx", "x^2 + C", "x^2"),
    (r"Integrate $2x\,dx$", "x^2 + C", "x^3 + C"),
    ("Find the integral of 3x^2 dx.", "x^3 + C", "6x"),
    ("Evaluate the indefinite integral of 3x^2 dx", "x^3 + C", "x^3 + x + C"),
    ("Integrate (2x+1) dx", "x^2 + x + C", "2"),
    ("Integrate x y dy", r"\frac{x y^2}{2} + C", r"\frac{x^2 y}{2} + C"),
    (r"Integrate $\frac{dx}{x}$.", r"\ln|x| + C", "x + C"),
    (r"Integrate $x e^x \, \mathrm{d}x$.", "x e^x - e^x + C", "x e^x + C"),
    ("Integrate sin(x) dx from 0 to pi", "2", r"-\cos x + C"),
    ("Integrate x^2 dx over [0, 3]", "9", r"\frac{x^3}{3} + C"),
    (r"Find the antiderivative of $\frac{1}{x}$ on $(0, \infty)$.", r"\ln x + C", r"\infty"),
]


@pytest.mark.parametrize(("prompt", "right", "wrong"), RIGHT_AND_WRONG)
def test_a_right_answer_is_accepted_and_a_wrong_one_is_not(prompt: str, right: str, wrong: str) -> None:
    assert score(prompt, rf"\boxed{{{right}}}") == 1.0
    assert score(prompt, f"The answer is ${right}$.") == 1.0
    assert score(prompt, rf"\boxed{{{wrong}}}") == 0.0


def test_some_of_several_roots_earn_credit_only_if_asked_for() -> None:
    assert score("Solve $x^2 - 5x + 6 = 0$.", r"\boxed{2}", partial=True) == 0.25
    assert score("Solve $x^2 - 5x + 6 = 0$.", r"\boxed{2, 4}", partial=True) == 0.0


def test_a_prompt_without_a_task_is_unknown_and_earns_nothing() -> None:
    result = VERIFIER.check(parse_request("math", {"prompt": "Who wrote Hamlet?", "response": r"\boxed{7}"}))
    assert (result.status, result.score) == ("unknown", 0.0)


def test_a_letter_before_a_power_is_a_coefficient_rather_than_an_article() -> None:
    assert score("Integrate a t^2 dt", r"\boxed{\frac{a t^3}{3} + C}") == 1.0
    assert score("Integrate a t^2 dt", r"\boxed{\frac{t^3}{3} + C}") == 0.0
    assert score("Integrate a x dx", r"\boxed{\frac{x^2}{2} + C}") == 0.0
    assert score("Find a solution of x + 4 = 9", r"\boxed{5}") == 1.0


def test_a_factor_in_brackets_is_no_aside() -> None:
    assert score(r"Differentiate $x^2 \cos x$.", r"x(2\cos x - x\sin x)") == 1.0
    assert score(r"Differentiate $x^2 \cos x$.", "x") == 0.0


def test_the_reason_says_whether_there_are_solutions() -> None:
    raw = {"prompt": "Solve $x^2 + 1 = 0$ over the real numbers.", "response": "There are no real solutions."}
    none = VERIFIER.check(parse_request("math", raw))
    assert (none.score, none.reason) == (1.0, "None was given, and none that is asked for solves the equation.")
    two = VERIFIER.check(parse_request("math", {"prompt": "Solve $x^2 = 1$.", "response": "x = 1 or x = -1"}))
    assert (two.score, two.reason) == (1.0, "All solutions were given, and each one solves the equation.")


SAID_IN_WORDS = [
    ("Find the limit as x approaches 0 of sin(x)/x.", "1", "0"),
    ("What is the limit as x approaches infinity of (2x+1)/(x-3)?", "2", r"\infty"),
    ("Evaluate the limit of $x^2$ as $x \\to 2$.", "4", "2"),
    ("Find the limit of |x|/x as x approaches 0 from the left.", "-1", "1"),
    ("Find the sum of n^2 from n=1 to 10.", "385", "100"),
    ("Find the sum of the series 1/2^n from n=1 to infinity", "1", "2"),
    ("Solve x^2=9 for x>0.", "3", "3, -3"),
    ("Find x if x^2 = 16 and x < 0.", "-4", "4, -4"),
    (r"Evaluate $\int 2x\,dx$ from 0 to 3.", "9", "x^2 + C"),
    ("If f(x)=x^4, find f'''(x).", "24x", "4x^3"),
    ("Evaluate 3x - 2 for x = 4", "10", "12"),
    ("Solve x^2 = 2 to 3 decimal places.", "1.414, -1.414", "1.41, -1.41"),
    (r"Please solve 2x+1=7 for x. Reason step by step, and put your final answer within \boxed{}.", "3", "4"),
    ("Löse die Gleichung 2x+1=7.", "3", "4"),
    ("Calcule 12 * 3.", "36", "15"),
]


@pytest.mark.parametrize(("prompt", "right", "wrong"), SAID_IN_WORDS)
def test_what_the_words_beside_a_formula_say_is_part_of_the_task(prompt: str, right: str, wrong: str) -> None:
    assert score(prompt, rf"\boxed{{{right}}}") == 1.0
    assert score(prompt, rf"\boxed{{{wrong}}}") == 0.0


MORE_IS_ASKED = [
    ("What is half of 7-1?", "6"),
    ("What is the absolute value of 3-8?", "-5"),
    ("What is 3/4 of 56, minus 2?", "42"),
    ("What is 20 percent of 50 increased by 5?", "10"),
    ("What is the square root of 9/4?", "3"),
    ("Solve 3x = 12. What is 2x?", "4"),
    ("Solve $3x = 12$. What is 2x?", "4"),
    ("If 2x + 3 = 11, what is x + 10?", "4"),
    ("Solve 2x+1=7 for y.", "3"),
    ("Solve x+y=5, x-y=1 for x.", "(3, 2)"),
    ("Solve |x|=3 and find the larger solution.", "3, -3"),
    ("What is the number of solutions of x^2=9?", "3, -3"),
    ("Solve x^2 > 4 for positive x.", "x > 2 or x < -2"),
    ("Factor x^2-4 and find its roots.", "(x-2)(x+2)"),
    ("Find twice the limit of sin(x)/x as x approaches 0.", "1"),
    ("Find the derivative and the integral of x^2.", r"\frac{x^3}{3} + C"),
    ("If f'(x) = 2x, find f(x).", "2"),
    ("A box has 3+4 balls; what is twice that?", "7"),
]


@pytest.mark.parametrize(("prompt", "paid_before"), MORE_IS_ASKED)
def test_a_word_or_a_formula_that_is_left_over_means_that_no_task_is_known(prompt: str, paid_before: str) -> None:
    result = VERIFIER.check(parse_request("math", {"prompt": prompt, "response": rf"\boxed{{{paid_before}}}"}))
    assert (result.status, result.score) == ("unknown", 0.0)
