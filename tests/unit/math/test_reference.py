"""The math verifier with a reference: equal values in every dress, and nothing else."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(reference: object, response: str, prompt: str = "", **options: object) -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}, "options": options}
    return VERIFIER.check(parse_request("math", raw)).score


SAME = [
    (r"\frac{3}{4}", "0.75"),
    (r"\frac{3}{4}", r"\tfrac34"),
    (r"\frac{3}{4}", "3/4"),
    (r"\frac{3}{4}", "75%"),
    ("3/2", r"1\frac{1}{2}"),
    ("3/2", "1 1/2"),
    ("1234567", "1,234,567"),
    ("1234567", r"1{,}234{,}567"),
    ("1/6", r"0.1\overline{6}"),
    ("120000", r"1.2 \times 10^5"),
    ("120000", "1.2e5"),
    (r"2\sqrt{3}", r"\sqrt{12}"),
    (r"2\sqrt{3}", "2√3"),
    (r"\frac{\sqrt{2}}{2}", r"\frac{1}{\sqrt2}"),
    (r"\sin 2x", r"2\sin x\cos x"),
    (r"(x+1)^2", "x^2 + 2x + 1"),
    (r"[2, \infty)", r"x \ge 2"),
    (r"(-\infty,1)\cup(3,\infty)", "x < 1 or x > 3"),
    (r"(-\infty,2)\cup(2,\infty)", r"x \ne 2"),
    ("1, 2", "x = 2 or x = 1"),
    ("1, 2", r"\{2, 1\}"),
    (r"3 \pm \sqrt5", r"3+\sqrt5, 3-\sqrt5"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{bmatrix}1\\2\end{bmatrix}"),
    ("y = 2x + 3", "2x - y + 3 = 0"),
    ("3:5", "6:10"),
    ("101_2", "101_{2}"),
    ("90", r"90^\circ"),
    (r"45 \text{ cm}", "45"),
    ("1 m", "100 cm"),
    (r"\text{(C)}", "C"),
    (r"\text{Paris}", "paris"),
    ("pi", "3.14159265"),
    (r"\emptyset", "no solution"),
    ("x=5", "5"),
    ("7 + 4i", "4i+7"),
    (r"\binom{10}{3}", "120"),
]  # fmt: skip

DIFFERENT = [
    ("10", "100"),
    ("0.37", "37"),
    (r"3^{-77}", r"3^{-76}"),
    (r"\frac{1}{1500!}", r"\frac{1}{1501!}"),
    ("3e-8", "5e-8"),
    ("(4,9)", r"\{4,9\}"),
    ("(1,2)", "(2,1)"),
    ("(1,2)", "[1,2]"),
    ("6", r"6\sqrt7"),
    ("1,2", "1"),
    ("1,2", "1,2,3"),
    ("1", "1,2"),
    ("101_2", "101_3"),
    ("3:5", "5:3"),
    ("9:40", "9:50"),
    ("5 cm", "5 m"),
    ("5 cm", "5 kg"),
    (r"\sqrt5", "2.24"),
    ("pi", "3.14"),
    ("x^2", "x^3"),
    (r"\text{Paris}", r"\text{not Paris}"),
    ("A", "B"),
    (r"10^{100}+\sqrt2", r"10^{100}+\sqrt3"),
    (r"\infty", r"10^{100}"),
    (r"\mathbb{R}", r"\mathbb{R}^2"),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_equal_answers_in_another_dress_are_accepted(reference: str, answer: str) -> None:
    assert score(reference, rf"So \boxed{{{answer}}}") == 1.0
    assert score(answer, rf"The final answer is ${reference}$.") == 1.0


@pytest.mark.parametrize(("reference", "answer"), DIFFERENT)
def test_different_answers_are_rejected(reference: str, answer: str) -> None:
    assert score(reference, rf"So \boxed{{{answer}}}") == 0.0
    assert score(reference, f"The final answer is ${answer}$.") == 0.0


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{}",
        r"\boxed{ }",
        r"It is \boxed{7}, so \boxed{",
        r"The answer is not \boxed{7}.",
        r"\boxed{7} is wrong.",
        "It is false that the answer is 7.",
        "I don't think the answer is 7.",
        "x is not 7.",
        r"\boxed{\text{anything but }7}",
        r"The answer is \boxed{7} or \boxed{8}.",
        r"\boxed{7 \text{ or } 8}",
        r"\boxed{6}\boxed{7}\boxed{8}",
        "So $x=7$ or $x=8$.",
        r"<think>\boxed{7}",
        r"<think>It is \boxed{7}.</think> \boxed{8}",
        r"We get \boxed{7}. Wait, I made an error: \boxed{8}",
        r"\boxed{\text{the correct answer}}",
        "The final answer is 8. (Note: 7 would be wrong.)",
        "",
    ],
)
def test_what_is_no_single_final_answer_is_rejected(response: str) -> None:
    assert score("7", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        r"We get \boxed{8}. Wait, I made an error. Redoing it, the final answer is \boxed{7}.",
        r"<think>Maybe \boxed{8}? No.</think> The final answer is \boxed{7}.",
        "reasoning without an opening tag </think>\n#### 7",
        "<answer>7</answer>",
        "**Final Answer:** 7",
        "So she has 7 apples left.",
        "x = 7",
        r"\[ \boxed{\mathbf{7}} \]",
    ],
)
def test_the_last_word_of_an_honest_answer_counts(response: str) -> None:
    assert score("7", response) == 1.0


TAKEN_BACK = [
    "\\boxed{7}\n\nWait, actually it's 8.",
    r"\boxed{7}. Correction: 8.",
    "The answer is 7. No wait, 8.",
    "Answer: 7\nSorry, it's 8",
    "#### 7\nWait, it's 8",
    r"\boxed{7} Oops, I made a mistake. It should be $8$.",
    r"\boxed{7} Wait, that's wrong.",
    r"\boxed{\cancel{7}}",
    r"$\cancel{\boxed{7}}$",
    r"~~\boxed{7}~~",
]
STANDS = [
    r"\boxed{7} Wait, let me double-check: 3 + 4 = 7. Yes.",
    "\\boxed{7}\nWait, 8 - 1 = 7.",
    r"\boxed{7}. Wait, it's 8? No, it's 7.",
    r"\boxed{7}. Actually, 3 of the cases remain.",
    "\\boxed{7}\n\nSorry for the long explanation.",
    r"\boxed{8} Sorry, it's 7.",
    r"~~\boxed{8}~~ \boxed{7}",
    r"\boxed{\frac{\cancel{2} \cdot 7}{\cancel{2}}}",
]


@pytest.mark.parametrize("response", TAKEN_BACK)
def test_an_answer_that_is_taken_back_afterwards_is_no_answer(response: str) -> None:
    assert score("7", response) == 0.0


@pytest.mark.parametrize("response", STANDS)
def test_a_remark_after_an_answer_that_takes_nothing_back_changes_nothing(response: str) -> None:
    assert score("7", response) == 1.0


def test_a_copy_of_the_prompt_is_no_answer() -> None:
    assert score("1024", r"\boxed{2^{10}}", prompt="Compute $2^{10}$.") == 0.0
    assert score("1024", r"\boxed{2^{10}}", prompt="How many subsets has a set of ten?") == 1.0
    assert score("629", r"\boxed{37 \times 17}", prompt="What are 37 boxes of 17 pens?") == 0.0
    question = "What is the sum of the first 7 odd numbers that are greater than 7?"
    assert score("7", question, prompt=question) == 0.0
    assert score("120", "5!", prompt="Compute 5!.") == 0.0
    assert score("120", "5!", prompt="How many ways are there to line up five people?") == 1.0


def test_what_is_still_to_be_worked_out_is_no_answer() -> None:
    assert score("2x", r"\frac{d}{dx} x^2", prompt="Find the derivative of x^2.") == 0.0
    assert score("2", "17 mod 5", prompt="Find 17 mod 5.") == 0.0
    assert score("3", "3 mod 7", prompt="What is 10 in the integers modulo 7?") == 1.0


def test_rounding_is_accepted_only_where_the_prompt_asks_for_it() -> None:
    assert score("12.57", r"\boxed{4\pi}", prompt="Find the area to the nearest hundredth.") == 1.0
    assert score("3.33", r"\boxed{\frac{10}{3}}", prompt="Find the value.") == 0.0
    assert score("0.6428", r"\boxed{0.643}", prompt="Find the value.") == 0.0
    assert score("100", r"\boxed{101}", prompt="", tolerance=0.02) == 1.0


def test_part_of_a_list_earns_credit_only_if_asked_for() -> None:
    assert score("1,2", r"\boxed{1}") == 0.0
    assert score("1,2", r"\boxed{1}", partial=True) == 0.25
    assert score("1,2", r"\boxed{1,3}", partial=True) == 0.0


def test_of_several_references_any_one_is_right() -> None:
    assert score(["7", "8"], r"\boxed{8}") == 1.0


def test_nothing_that_leaves_tells_the_reference() -> None:
    raw = {"response": r"\boxed{17}", "reference": {"answer": "987654321"}}
    result = VERIFIER.check(parse_request("math", raw))
    assert "987654321" not in result.model_dump_json()
    assert result.details["answer"] == "17"


@pytest.mark.parametrize(
    ("reference", "response", "expected"),
    [
        (r"2e^{i\pi/3}", "2 cis(π/3)", 1.0),
        (r"2e^{i\pi/3}", "2 cis(π/6)", 0.0),
        (r"\frac{2\pi}{3}", "It is two thirds of pi.", 1.0),
        (r"\frac{2}{3}", "It is two thirds of pi.", 0.0),
        ("0.7, 3/4, 4/5", "0.7 < 3/4 < 4/5", 1.0),
        ("0.7, 3/4, 4/5", "0.7 > 3/4 > 4/5", 0.0),
    ],
)
def test_cis_shares_of_pi_and_chains_are_read_as_what_they_say(reference: str, response: str, expected: float) -> None:
    raw = {"prompt": "What is it?", "response": response, "reference": {"answer": reference}}
    assert MathVerifier().check(parse_request("math", raw)).score == expected


def test_a_letter_of_the_choices_offered_counts_in_either_case() -> None:
    prompt = "Which is prime? (A) 4 (B) 7 (C) 9"
    assert [score("B", f"The answer is {letter}.", prompt) for letter in "bcB"] == [1.0, 0.0, 1.0]


def test_j_is_the_imaginary_unit_where_the_reference_has_it() -> None:
    assert [score("3+4i", said) for said in ("3+4j", "(3 + 4j)", "3-4j")] == [1.0, 1.0, 0.0]
    assert score("4y", "4j") == 0.0


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("2^{1000000}", "4^{500000}", "2^{1000000} + 1"),
        ("2^{1000000} + 1", "1 + 2 \\cdot 2^{999999}", "2^{1000000}"),
        (r"\frac{3^{100001} - 1}{2}", "0.5(3^{100001} - 1)", r"\frac{3^{100001}}{2}"),
        ("10^{10^{10}}", "100^{5 \\cdot 10^9}", "10^{10^{10}} + 1"),
        ("3000!", r"\boxed{3000 \cdot 2999!}", "3000! + 1"),
        ("1 - 2^{-1000000}", "1 - 1/2^{1000000}", "1"),
    ],
)
def test_numbers_beyond_all_bounds_are_told_apart(reference: str, right: str, wrong: str) -> None:
    assert score(reference, right) == 1.0
    assert score(reference, wrong) == 0.0


@pytest.mark.parametrize(
    ("reference", "response"), [("e^{10000}", "e^{10000} + 1"), ("2^{500000}", "√2^{1000000} + 1")]
)
def test_numbers_that_cannot_be_told_apart_are_not_paid(reference: str, response: str) -> None:
    assert score(reference, response) in (0.0, None)
