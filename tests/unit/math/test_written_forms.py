"""Right answers in the forms that people write them in, each beside a near miss."""

from __future__ import annotations

import time

import pytest

from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.math import MathVerifier

_VERIFIER = MathVerifier()


def judged(prompt: str, reference: str | None, response: str) -> VerificationResult:
    raw = {"prompt": prompt, "reference": reference and {"answer": reference}, "response": response}
    return _VERIFIER.check(parse_request("math", raw))


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("How many rolls?", "60", "5 dozen", "50 dozen"),
        ("How many dozen rolls?", "4", "4 dozen", "4 gross and 5 dozen"),
        ("How many cups?", r"\frac{3}{4}", "3/4 cup", "4/3 cup"),
        ("When does it end?", "8:15 p.m.", "8:15pm", "8:15am"),
        ("Find its domain.", r"(-\infty,4)\cup(4,\infty)", "R - {4}", "R - {-4}"),
        ("Find its domain.", r"(-\infty,4)\cup(4,\infty)", "All reals but x = 4.", "All reals but x = 3."),
        ("How fast is it?", r"15\text{ m/s}", "15 m·s⁻¹", "15 m·s⁻²"),
        ("Solve $2x ≡ 1$ (mod 9).", r"x \equiv 5 \pmod 9", "x ≡ -4 mod 9", "x ≡ -5 mod 9"),
        ("Solve $2x ≡ 1$ (mod 9).", r"x \equiv 5 \pmod 9", "x ≡ 14 (mod 9)", "x ≡ 15 (mod 9)"),
        ("Solve $2x ≡ 1$ (mod 9).", r"x \equiv 5 \pmod 9", "x is congruent to 5 modulo 9",
         "x is congruent to 4 modulo 9"),
        ("Write $|x-1|$ by cases.", r"\begin{cases} x-1 & x \ge 1 \\ 1-x & x < 1 \end{cases}",
         "It is x - 1 if x ≥ 1 and 1 - x if x < 1.", "It is x - 1 if x ≤ 1 and 1 - x if x > 1."),
        ("Find the midpoint.", r"\left(\frac12,4\right)", "N(1/2, 4)", "N(4, 1/2)"),
        ("Solve the system.", "(3,3,3)", "x = y = z = 3", "x = y = 3"),
        ("How many ways?", r"\binom{8}{3}", "8 choose 3", "8 choose 4"),
        ("How many ways?", r"\binom{8}{3}", "C(8, 3)", "P(8, 3)"),
        ("How many ways?", r"\binom{8}{3}", "8C3", "8C4"),
        ("Find the constant solution.", "3C_1", "y = 3C_1", "y = 3"),
        ("What is x?", "42", "42", "1 if a and 2" + "-" * 60),  # hostile: each dash was read in two ways
        ("How many ways?", r"\binom{8}{3}", "8!/(3!5!)", "8!/(3!4!)"),
        ("Find the chance.", r"\frac{1}{3}", "33 1/3 %", "33 2/3 %"),
        ("Write it as a decimal.", r"0.\overline{7}", "0.7\u0305", "0.7"),
        ("What is x?", r"-\frac{5}{2}", "minus five halves", "minus five"),
        ("Divide 23 by 5.", r"4 \text{ remainder } 3", "4 R 3", "3 R 4"),
        ("How cold is it?", r"-7^\circ\text{C}", "-7 degrees", "7 degrees"),
        ("True or false: it is even.", "True", "T", "F"),
        ("Is 57 prime?", "No", "False", "True"),
        ("Solve $3x+y=2$ for y.", "y=2-3x", "y = -3x + 2", "x = (2-y)/3"),
        ("Find the antiderivative.", "x^2+C", "x^2 + K", "y^2 + C"),
        ("For which $x$ is it positive?", "1<x<4", "Exactly for x in ]1; 4[.", "Exactly for x in [1; 4[."),
        ("For which $x$ is it negative?", "x \\le 2", "It is so for x in ]−∞; 2].", "It is so for x in ]−∞; 2[."),
        ("What is the probability?", r"\frac{6}{36}=\frac16", "It is 1 in 6.", "It is 1 to 6."),
        ("What is the probability?", r"\frac{6}{36}=\frac16", "1/6 = 6/36", "1/7 = 6/42"),
        ("Make 24 of 3, 3, 8 and 8.", "8/(3-8/3)=24", "8/(3-8/3) = 24", "24"),
        ("Evaluate it.", r"\pi", "4 arctan x from 0 to 1 = 4·(π/4) = π.\n\n(Numerically: about 3.14159.)",
         "4 arctan x from 0 to 1 = 4·(π/2) = 2π.\n\n(Numerically: about 6.28319.)"),
        ("Evaluate it.", r"\pi", "Das Integral ist π.\n\n(Numerisch: etwa 3,14159.)",
         "Das Integral ist 2π.\n\n(Numerisch: etwa 6,28319.)"),
        ("Evaluate it.", r"\pi", "It is π.\n\n(As a decimal: 3.14159...)", "It is π.\n\n(Numerically: 6.28.)"),
        ("Find a vector normal to it.", r"(1,-1) \text{ (or any nonzero multiple)}", "(-2, 2)", "(-2, -2)"),
        ("Find a vector normal to it.", r"(1,-1) \text{ or any scalar multiple}", "(3, -3)", "(0, 0)"),
        ("Find a polynomial.", "x^2-3x+2 (or any constant multiple)", "2x² - 6x + 4", "x³ - 3x² + 2x"),
        ("Find a period.", "12 (or any nonzero multiple)", "12", "6"),
        ("Find all f with f(x+y) = f(x)+y.", r"f(x)=x+c,\ c\in\mathbb{R}",
         "So f(t) = t + a where a is a fixed real number, and these all work: x + y + a = (x + a) + y.", "f(t) = at"),
        ("Find all f with f(xy) = f(x)f(y).", r"f(x)=x^c,\ c\in\mathbb{R}", "f(t) = t^k", "f(t) = kt"),
        ("Does it converge or diverge?", "diverges", "The sums are unbounded and the series is not convergent.",
         "The sums are bounded and the series is not divergent."),
        ("Does it converge or diverge?", "diverges", "It fails to converge.", "It is not absolutely convergent."),
        ("Does it converge or diverge?", "converges", "It does not diverge.", "It is not clear that it diverges."),
        ("Konvergiert oder divergiert sie?", "divergiert", "Sie konvergiert nicht.", "Sie divergiert nicht."),
        ("Is it finite or infinite?", "infinite", "The set is not finite.", "The set is not infinite."),
        ("Is f even or odd?", "odd", "It is odd.", "It is not even."),
        ("Find all triples.", "(1,1,2),(1,2,1),(2,1,1)", "Answer: (1, 1, 2) and all of its permutations.",
         "Answer: (1, 1, 2) and some of its permutations."),
        ("Find all triples.", "(1,1,2),(1,2,1),(2,1,1)", "All permutations of (1, 1, 2).",
         "Not all permutations of (1, 1, 2)."),
        ("Find all triples.", "(1,1,2),(1,2,1),(2,1,1)", "(1, 1, 2) und alle Permutationen davon", "(1, 1, 2)"),
        ("Find all triples.", "(1,1,2),(1,2,1)", "(1, 1, 2) and (1, 2, 1)", "(1, 1, 2) and its permutations"),
        ("Find all triples.", r"(1,1,2)\text{ and permutations}", "(1,2,1), (2,1,1), (1,1,2)", "(1,2,1), (2,1,1)"),
        ("Solve $z^4=1$.", "1, i, -1, -i", "$z_k=e^{\\pi i k/2}$ for $k=0,1,2,3$.",
         "$z_k=e^{\\pi i k/2}$ for $k=0,1,2$."),
        ("Find its zeros.", r"\pi, 2\pi", "Die Nullstellen sind x = kπ mit k = 1, 2.", "x = kπ mit k = 0, 1"),
        ("What is the ratio of girls to boys?", "3:2", "So there are 3 girls to 2 boys.",
         "So there are 3 boys to 2 girls."),
        ("What is the ratio of girls to boys?", "3:2", "There are two boys for every three girls.",
         "There are two girls for every three boys."),
        ("What is the ratio of girls to boys?", "3:2", "3 girls to 2 boys", "3 girls to 2 boys or 2 girls to 3 boys"),
        ("Wie ist das Verhältnis von Mädchen zu Jungen?", "3:2", "Es gibt 3 Mädchen auf 2 Jungen.",
         "Es gibt 3 Jungen auf 2 Mädchen."),
        ("The ratio of cats to dogs is 3:2. With 12 cats, how many dogs?", "8",
         "With 3 cats to 2 dogs, there are 8 dogs.", "With 3 cats to 2 dogs, there are 18 dogs."),
        ("Find its domain.", "[0,3)", "The domain is [0; 3[.", "The domain is ]0; 3]."),
    ],
)  # fmt: skip
def test_a_form_is_read_and_its_near_miss_is_not(prompt: str, reference: str, right: str, wrong: str) -> None:
    assert judged(prompt, reference, right).score == 1.0
    assert judged(prompt, reference, wrong).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("What is it?", "It is 15. A common mistake is \\boxed{14}."),
        ("What is it?", "It is 15. Some students think \\boxed{14}."),
        ("What is it?", "It is 14 if n is even and 15 otherwise."),
        ("What is it?", "14 when n > 0, 15 when n < 0"),
        ("How many?", "14 dozen"),
    ],
)
def test_what_is_not_said_to_be_the_answer_is_not_paid(prompt: str, response: str) -> None:
    assert judged(prompt, "14", response).score == 0.0


@pytest.mark.parametrize("asked", ["Give an exact answer.", "Use simplest radical form.", "Give the exact value."])
def test_no_decimal_will_do_for_an_exact_value(asked: str) -> None:
    assert judged(f"Find the side. {asked}", r"\sqrt{3}", "1.7320508").score == 0.0
    assert judged("Find the side.", r"\sqrt{3}", "1.7320508").score == 1.0


@pytest.mark.parametrize("reference", [r"\frac{1}{", "(((", r"\sqrt{2"])
def test_a_reference_that_never_closes_is_at_fault(reference: str) -> None:
    result = judged("Find it.", reference, "2")
    assert (result.verdict, result.details["fault"]["in"]) == ("malformed", "reference")


@pytest.mark.parametrize(
    ("series", "right", "wrong"),
    [
        (r"\sum_{n=1}^\infty \frac{1}{n^2}", r"\frac{\pi^2}{6}", r"\frac{\pi^2}{8}"),
        (r"\sum_{n=1}^\infty \frac{(-1)^n}{n}", r"-\ln 2", r"\ln 2"),
    ],
)
def test_a_sum_without_end_needs_no_computer_algebra(series: str, right: str, wrong: str) -> None:
    began = time.thread_time()
    assert judged(f"Evaluate ${series}$.", None, right).score == 1.0
    assert judged(f"Evaluate ${series}$.", None, wrong).verdict == "incorrect"
    assert time.thread_time() - began < 2.0
