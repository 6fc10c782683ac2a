"""The final statement as a grammar: clauses and what joins them, conditions, labels, parts of an amount, copies."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(reference: str, response: str, prompt: str = "") -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}}
    return VERIFIER.check(parse_request("math", raw)).score


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("", "12", "There are 4 choices for the first and 3 for the second, for a total of 4 × 3 = 12 ways."),
        ("", "2", "We get x = 2 or x = -5. Since x must be positive, we discard x = -5."),
        ("", "6", "x = 6\n\nVerification: 3·6 − 7 = 18 − 7 = 11 ✓"),
        ("", "7", "It is 7. I hope this helps! If you have 3 more questions, feel free to ask."),
        ("How old is Tom?", "12", "Tom is 12 years old and Ann is 8."),
        ("Find the maximum.", "5", "The maximum value of 5 occurs at x = 2."),
        ("Find x.", "7", "x = 7, y = 5"),
        ("", "(2, -1)", "x = 2\ny = -1"),
        ("", "-7, 0", "The solutions:\n\n- x = 0\n- x = -7"),
        ("", "f(x)=0, f(x)=x", "The solutions are $f(x)=0$ for all $x$ and $f(x)=x$ for all $x$."),
        ("", "2x+3", "$2x + 3, x \\ne 1$"),
        ("", "3:4", "The ratio is 6 to 8, which simplifies to 3 to 4."),
        ("", "1/6", "The probability is 1 in 6."),
        ("", "4", "AB = 4"),
        ("", "\\frac{NO}{BO}=1/2", "1/2"),
        ("", "7:32", "$S_1 : S = 7:32$"),
        ("", "1/4", "$P(X \\ge 3 | A) = 1/4$"),
        ("", "60\\text{ km/h}", "The speed is 60 km/h."),
        ("How many hours?", "2.5", "It took 2 hours and 30 minutes."),
        ("How many minutes?", "90", "It takes 1.5 hours."),
        ("", "70000", "The profit is $70k."),
        ("", "odd n", "It works if and only if $n$ is odd."),
        ("", "Tuesday", "100 mod 7 = 2, so it was a **Tuesday**."),
        ("", "f(x)=kx", "$f(x)=cx$ for any constant $c$"),
        ("", "1/3", "$\\left[\\frac{x^3}{3}\\right]_0^1 = \\frac13$"),
    ],
)
def test_the_clause_that_concludes_is_read_whole(prompt: str, reference: str, response: str) -> None:
    assert score(reference, response, prompt) == 1.0


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("", "18", "3x = 18, so x = 6."),
        ("How old is Tom?", "12", "Tom is 8 years old, and in 4 years he will be 12."),
        ("", "4", "$AB^2 = 4$"),
        ("", "7", "The answer is one of 6 and 7."),
        ("", "7", "I doubt that the sum is $x = 7$."),
        ("", "5", "the square of 5"),
        ("", "7", "Any number from 1 to 7."),
        ("How many hours?", "2.5", "2.5 minutes"),
        ("Who is oldest?", "Alice", "Bob is older than Alice."),
        ("", "odd n", "It is possible for all n, odd or even."),
        ("Compute $\\dbinom{8}{4}$.", "70", "$\\binom{8}{4}$"),
        ("Compute $2^{64}$.", "18446744073709551616", "$2^{64} \\approx 1.8447\\times 10^{19}$"),
        ("Write $0.\\overline{12}$ as a fraction.", "\\frac{4}{33}", "$0.\\overline{12}$"),
        ("Write 0.75 as a fraction.", "\\frac34", "0.75"),
        ("Factor $x^2-9$.", "(x-3)(x+3)", "$-9 + x^2$"),
        ("Please factor $x^2-9$ completely.", "(x-3)(x+3)", "x^2-9"),
    ],
)
def test_what_is_said_in_passing_or_copied_is_no_answer(prompt: str, reference: str, response: str) -> None:
    assert score(reference, response, prompt) == 0.0


@pytest.mark.parametrize(
    ("prompt", "reference", "response", "right"),
    [
        ("How many are left? (A) 15 (B) 20 (C) 24 (D) 30", "D", "Step 3: the correct choice is D.", 1.0),
        ("How many are left? (A) 15 (B) 20 (C) 24 (D) 30", "3", "Step 3: the correct choice is D.", 0.0),
        ("Find all solutions.", "-6, 2", r"The solution set is $x = -6$ rather than $x_1 = -6, x_2 = 2$.", 0.0),
        ("Find all solutions.", "no solution", "The solution set is simply no solution.", 1.0),
        ("Find the line.", "y = 3x + 9", "Вычислим 3 + 4 = 7, значит, ответ y - 3x = 9.", 1.0),
        ("How many people came?", "120", "One hundred twenty people came.", 1.0),
        ("", "5", r"\boxed{\boxed{5}}", 1.0),
        ("", "5", r"It is not true that the answer is <answer>5</answer>", 0.0),
    ],
)
def test_what_stands_near_a_value_is_not_the_value(prompt: str, reference: str, response: str, right: float) -> None:
    assert score(reference, response, prompt) == right


@pytest.mark.parametrize(
    "after", [" – any questions?", " Shall I explain more?", ", which answers: how many apples are left?"]
)
def test_a_question_behind_a_box_takes_nothing_back(after: str) -> None:
    assert score("5", rf"The answer is \boxed{{5}}{after}") == 1.0


@pytest.mark.parametrize(
    ("reference", "response", "right"),
    [
        ("Ann", r"The answer is one of **Tom** and \(\text{Ann}\).", 0.0),
        ("Ann", "It is either Tom or $Ann$.", 0.0),
        ("Ann", "Damit beträgt der gesuchte Wert **Ann**.", 1.0),
        ("Ann", "On trouve finalement Ann.", 1.0),
        ("Ann", "We compute $3 + 4 = 7$ and then, with some work, get Ann.", 1.0),
        ("Ann", "Some people say it is Ann.", 0.0),
        (r"18\pi", "答えは18πです。", 1.0),
        ("14000", r"The answer is \(\$14000.00\). Wait, no, it is $\$14,100$.", 0.0),
    ],
)
def test_one_of_several_is_no_answer_and_an_inverted_sentence_states_one(
    reference: str, response: str, right: float
) -> None:
    assert score(reference, response, "Which of them is the greatest?") == right


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("How much more does she need?", "5", "She has $50 and gets $45, that is $95. She needs $100 − $95 = $5 more."),
        ("", "y=3x-1", "2 = 3 + b, so b = −1. **y = 3x − 1**"),
        ("", r"[3,5)\cup(5,\infty)", "Hence the domain is {x : x ≥ 3, x ≠ 5}."),
        ("", r"(-\infty,-2)\cup(-2,2)\cup(2,\infty)", "The domain is ℝ \\ {−2, 2}."),
        ("", r"\frac{19}{12}", "9/12 + 10/12 = 19/12, or as a mixed number, $1\\frac{7}{12}$."),
        ("How many hours?", "5", "20 min × 15 = 300 minutes, or 5 hours."),
        ("Solve y' = 2y.", "y=Ce^{2x}", "ln|y| = 2x + c and y(x) = A·exp(2x) with A an arbitrary constant."),
        ("Solve y'' = -y.", r"y=C_1\cos x+C_2\sin x", r"$y = c_1\sin x + c_2\cos x$, where $c_1, c_2\in\mathbb{R}$."),
        ("Compute a·b.", "0", "a·b = 2 + 0 − 2. The dot product vanishes, so the vectors are perpendicular."),
        ("", "61", "We add 1. n = 61. Check: 61 = 2·30 + 1 = 3·20 + 1."),
        ("", "7", "The answer is not 5. It is 7."),
        ("", "(4, 1)", "At (1,2) the gradient is 4i + j."),
        ("How many divisors?", "3", "It has 2 + 1 = 3 divisors: 1, 2, 4."),
        ("How many real solutions?", "0", "x⁴ is never negative, so there are none."),
        ("Is 91 prime?", "No", "91 = 7 × 13, so it is not prime."),
        ("", "1", r"7^100 ≡ 2^100 ≡ 1^25 ≡ 1 (mod 5)"),
        ("", "27", "The cube is 3³ = 27 (8 + 9 + 10 = 27)."),
        ("", "2.718", "So e ≈ 2.718, rounded to 3 decimal places."),
        ("", "20", "80 · 0.25 = 20. (Disregard the 25 in my earlier message.)"),
        ("For which a is there a double root?", r"\pm 2", "a² − 4 vanishes when a = 2 or a = −2."),
    ],
)
def test_a_conclusion_is_read_in_the_notation_of_plain_text(prompt: str, reference: str, response: str) -> None:
    assert score(reference, response, prompt) == 1.0


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("", "80", "That would leave 80. However, please disregard the 80; I am unable to determine it."),
        ("", "20", "It would be 20 — but please ignore that figure."),
        ("", "7", "The answer is not 7. If it were 7, the sum would be even."),
        ("", r"\frac{23}{6}", r"$\frac{23}{6}$, or $3\frac{1}{6}$ as a mixed number."),
        ("Solve y' = 2y.", "y=Ce^{2x}", "y = e^{2x} + K"),
        ("Solve y'' = -y.", r"y=C_1\cos x+C_2\sin x", "y = A cos x + A sin x"),
        ("", r"(-\infty,-2)\cup(-2,2)\cup(2,\infty)", "The domain is ℝ \\ {2}."),
        ("Find the point.", "(1, 3)", "x = 1, y = 3. The answer could be (1, 3) or (3, 1)."),
        ("", "4", "2x = 14, so x = 7. (If it were 2x = 8 then x = 4.)"),
        ("What is the value of sin(15°)?", r"\frac{\sqrt6-\sqrt2}{4}", "sin 15° ≈ 0.26."),
        ("Find the height.", "24.94", "It is either 24.95 or 24.94."),
    ],
)
def test_a_value_that_is_withdrawn_or_contradicted_is_no_answer(prompt: str, reference: str, response: str) -> None:
    assert score(reference, response, prompt) == 0.0


@pytest.mark.parametrize(
    ("reference", "response", "expected"),
    [
        ("9", "The formula gives 9. I checked again, so I withdraw that: the number of diagonals is 15.", 0.0),
        ("15", "The formula gives 9. I checked again, so I withdraw that: the number of diagonals is 15.", 1.0),
        ("€7.20", "Each one pays 7 euros and 20 cents.", 1.0),
        ("€7.20", "€7,20", 1.0),
        ("€7.20", "7 euros and 30 cents", 0.0),
        ("3.5 hours", "3h30m", 1.0),
        ("3.5 hours", "3h30", 1.0),
        ("3.5 hours", "3h40", 0.0),
        ("35\\text{ cm}^2", "35 centímetros cuadrados", 1.0),
        ("35\\text{ cm}^2", "35 centímetros", 0.0),
        ("(2,\\infty)", "The domain is all real $x$ with $x>2$.", 1.0),
        ("(2,\\infty)", "The domain is all real $x$ with $x>3$.", 0.0),
        ("h=\\frac{2A}{b}", "Multiply by 2 and divide by $b$: $h=\\frac{2A}{b}$.", 1.0),
        ("\\frac12", "Cancelling gives $\\frac{1}{2}$ or, if you prefer decimals, $0.5$.", 1.0),
        ("\\frac12", "Cancelling gives $\\frac{1}{2}$ or, if you prefer decimals, $0.6$.", 0.0),
        ("\\mathbb{R}", "Every real number satisfies it.", 1.0),
        ("\\mathbb{R}", "No real number satisfies it.", 0.0),
    ],
)
def test_amounts_in_parts_withdrawn_values_and_values_said_again(
    reference: str, response: str, expected: float
) -> None:
    assert score(reference, response) == expected


def test_a_choice_is_no_copy_of_the_prompt() -> None:
    prompt = "Which of these is irrational? (A) $\\sqrt{16}$ (B) $0.5$ (C) $\\sqrt{7}$"
    assert [score(r"\text{C}", said, prompt) for said in ("C) $\\sqrt{7}$", "A) $\\sqrt{16}$")] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("prompt", "reference", "response", "expected"),
    [
        ("In how many ways?", "120", "$(6-1)!=5!=120$", 1.0),
        ("Find the area.", "84 cm²", "Heron: s = 21, A = √(21·8·7·6) = 84 cm².", 1.0),
        ("Find the smallest one.", "2", "x = 2 + 60k; the smallest positive one has k = 0, namely x = 2.", 1.0),
        ("Find the eigenvalues.", "1, 3", "Eigenvalues:\n- λ₁ = 3\n- λ₂ = 1", 1.0),
        ("Solve $xy=6$, $x+y=5$.", "(2,3),(3,2)", "* $x=3,\\;y=2$\n* $x=2,\\;y=3$", 1.0),
        ("Solve $xy=6$, $x+y=5$.", "(2,3),(3,2)", "* $x=3,\\;y=2$\n* $x=2,\\;y=4$", 0.0),
        ("Solve $xy=6$, $x+y=5$.", "(2,3),(3,2)", "x = 3, y = 2 or x = 2, y = 3", 1.0),
        ("Solve the system.", "(4,3)", '```json\n{"y": 3, "x": 4}\n```', 1.0),
        ("Solve the system.", "(4,3)", '```json\n{"y": 4, "x": 3}\n```', 0.0),
        ("Is 221 a prime number? Answer yes or no.", "No", "221 = 13 × 17, so it is composite.", 1.0),
        ("Solve for $x$ in terms of $a$ and $b$.", "x=b\\pm a", "So x − b = a and x = a + b.", 0.0),
    ],
)
def test_what_several_statements_say_together(prompt: str, reference: str, response: str, expected: float) -> None:
    assert score(reference, response, prompt) == expected


GENERAL = "Find the general solution."


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Given f(x+1) = x^2, find f(x).", "$(x-1)^2$", "Then f(t) = t² − 2t + 1.", "Then f(t) = t² − 2t."),
        ("Write 2023 in base 7.", "5620_7", r"$\overline{5620}$", r"$\overline{5630}$"),
        ("Write 2023 in base 7.", "5620_7", "In base 7 it is written $5620$.", "In base 7 it is $5621$."),
        (GENERAL, r"y=C_1\cos x+C_2\sin x", "y = A sin x + B cos x, A and B real constants", "y = A sin x, A constant"),
        (GENERAL, "y = A e^x + B e^{-x}", "y = C_1 e^x + C_2 e^{-x} with C_1, C_2 ∈ ℝ", "y = C_1 e^x with C_1 ∈ ℝ"),
        ("Asymptotes?", r"y=\pm\frac{3}{2}x", "The lines 3x − 2y = 0 and 3x + 2y = 0.", "3x − 2y = 0 and 2x + 3y = 0"),
        (
            "Solve sin x = 1/2.",
            r"x=\frac{\pi}{6}+2k\pi, x=\frac{5\pi}{6}+2k\pi",
            "x = (-1)^n π/6 + nπ, n ∈ ℤ",
            "x = π/6 + kπ, x = 5π/6 + kπ, k ∈ ℤ",
        ),
        ("tan x = 1", r"\frac{\pi}{4} + k\pi", "π/4 + 2kπ or 5π/4 + 2kπ", "It is either x = π/4 or x = π/4 + kπ."),
        ("cos x = 0", r"\frac{(2n+1)\pi}{2}", "x = π/2 + 2nπ or x = 3π/2 + 2nπ", "x = π/2 + 2nπ or x = π/3 + 2nπ"),
        ("Solve y' + 2y = 6.", "y=3+Ce^{-2x}", "y=3-ke^{-2x}, k ∈ ℝ", "y=3-ke^{2x}, k ∈ ℝ"),
        ("Asymptotes?", "x=3, y=2", "x - 3 = 0 and y = 2", "x - 2 = 0 and y = 3"),
        ("Vertex and axis?", "(-3,-4), x=-3", "Vertex: (-3,-4)\nAxis: x=-3", "Vertex: (-3,-4)\nAxis: y=-3"),
        (
            "Volume?",
            r"120\pi\text{ cm}^3",
            r"$\frac13\cdot\pi\cdot36\cdot10$, which is $120\pi$ cm³",
            "It is $120$ cm³.",
        ),
        (
            "Volume?",
            r"120\pi",
            r"It is $120\pi$.",
            r"$\frac13\cdot\pi\cdot36\cdot10$, which is $120$ cubic centimetres.",
        ),
        (
            r"Find $\frac{dy}{dx}$.",
            "-2x",
            r"$\frac{dx}{dy}=-\frac{1}{2x}$ and, after inverting, $\frac{dy}{dx}=-2x$.",
            r"$\frac{dx}{dy}=-2x$ and, after inverting, $\frac{dy}{dx}=-\frac{1}{2x}$.",
        ),
        (
            "Compute the gradient.",
            "(2xy, x^2)",
            "The gradient is (2xy, x^2).",
            "The partial derivatives are 2xy and x^2; adding them gives the gradient 2xy+x^2.",
        ),
        (
            "Maximum?",
            "5",
            "The largest value of f is five, attained only for x=2.",
            "It is two, attained only for x=5.",
        ),
        ("Zeros?", "24", "⌊100/5⌋ + ⌊100/25⌋ = 20 + 4 = 24 zeros.", "⌊100/5⌋ + ⌊100/25⌋ = 20 + 5 = 25 zeros."),
        ("Focus?", "(3,0)", r"focus $F(3\,|\,0)$", r"focus $F(0\,|\,3)$"),
        ("Midpoint?", "(3,2)", r"$M=\left(3;2\right)$", r"$M=\left(2;3\right)$"),
        ("Find k.", r"\pm 8", r"$k^2-64=0$, i.e. $k\in\{-8,8\}$.", r"$k^2-64=0$, i.e. $k\in\{8\}$."),
        (
            "When?",
            "3:10 PM",
            "The time is 3:10 PM. (It would be 4:10.)",
            "The time is 4:10 PM. (It would be 3:10 else.)",
        ),
        ("Roots?", "1, -1, i, -i", "i^k, k = 0, 1, 2, 3", "i^k, k = 0, 1, 2"),
        ("Solve |2x-3| <= 5.", "[-1,4]", "-2 <= 2x <= 8  ->  -1 <= x <= 4", "-2 <= 2x <= 8  ->  -1 <= x <= 5"),
    ],
)
def test_names_conditions_and_steps_around_an_answer_are_read(
    prompt: str, reference: str, right: str, wrong: str
) -> None:
    assert score(reference, right, prompt) == 1.0
    assert score(reference, wrong, prompt) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The limit is 5 as theta -> 0.",
        "It is 5, because the sequence satisfies x_n -> 0",
        "The image is 5 since 1 -> 0",
    ],
)
def test_an_arrow_that_tells_where_something_goes_concludes_nothing(response: str) -> None:
    assert score("5", response) == 1.0
    assert score("0", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "I got 3 but the key says 4",
        "I got 3, but the answer key says 4.",
        "I get 3. The answer key says 4.",
        "I got 3, but according to the answer key it is 4.",
        r"\boxed{3} (the key says 4)",
    ],
)
def test_what_a_key_says_is_not_what_the_response_says(response: str) -> None:
    assert (score("3", response), score("4", response)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "response",
    [
        "According to the answer key, the answer is 4.",
        "My result is 3 but the expected answer is 4.",
        r"I got 3 but the key says \boxed{4}",
    ],
)
def test_an_answer_told_from_a_key_is_no_own_answer(response: str) -> None:
    assert score("4", response) == 0.0


@pytest.mark.parametrize(
    "response", ["The key says 4, and so the answer is 4.", "The key has 4 teeth.", "The key step gives 4."]
)
def test_a_value_beside_a_key_is_an_answer(response: str) -> None:
    assert score("4", response) == 1.0


@pytest.mark.parametrize(
    ("prompt", "response", "right", "wrong"),
    [
        ("How many apples does Jo have?", "Sam has 12 apples and Jo has 15.", "15", "12"),
        ("How many apples does Sam have?", "Sam has 12 apples and Jo has 15.", "12", "15"),
        ("How many apples does Jo have?", "Jo has 15 apples, while Sam has 12.", "15", "12"),
        ("Jo has 3 more than Sam. How many has Jo?", "Jo has 15 apples. Sam has 12.", "15", "12"),
        ("How many blue balls?", "There are 3 red balls and 4 blue balls.", "4", "3"),
        ("How many red balls are there?", "There are 3 red balls and 4 blue balls in it.", "3", "4"),
        ("How old is Tom?", "Tom is 7 and Ann is 5.", "7", "5"),
        ("What is Tom's age?", "Tom's age is 7 and Ann's age is 5.", "7", "5"),
        ("How much is the pen?", "The pen costs $2 and the book costs $5.", "2", "5"),
        ("How many girls are in the class?", "There are 14 boys and 16 girls in the class.", "16", "14"),
    ],
)
def test_of_two_subjects_the_one_that_is_asked_about_counts(prompt: str, response: str, right: str, wrong: str) -> None:
    assert (score(right, response, prompt), score(wrong, response, prompt)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("prompt", "response", "values"),
    [
        ("How many apples does Kim have?", "Sam has 12 apples and Jo has 15.", ("12", "15")),
        ("How many apples do they have together?", "Sam has 12 apples and Jo has 15.", ("12", "15")),
        ("How many children are there?", "There are 14 boys and 16 girls.", ("14", "16")),
    ],
)
def test_of_two_subjects_none_counts_that_is_not_asked_about(
    prompt: str, response: str, values: tuple[str, ...]
) -> None:
    assert [score(value, response, prompt) for value in values] == [0.0, 0.0]


def test_a_sentence_about_the_same_one_goes_on() -> None:
    prompt = "Jo has 12 apples. She buys 3. How many apples does Jo have?"
    assert score("15", "Jo had 12 apples. She bought 3, so she has 15.", prompt) == 1.0
    assert score("15", "Jo had 12 apples. Adding 3 gives 15.", prompt) == 1.0


@pytest.mark.parametrize(
    ("prompt", "response", "right", "wrong"),
    [
        ("", "A costs $12, B costs $9, so A costs $3 more.", "3", "9"),
        ("", "So A costs $3 more than B.", "3", "12"),
        ("How much more does A cost than B?", "A costs $3 more than B, which costs $9.", "3", "9"),
        ("How many more apples does Jo have?", "Jo has 3 more apples than Sam.", "3", "15"),
        ("How much older is Tom than Ann?", "Tom is 2 years older than Ann.", "2", "7"),
        ("How much does A cost?", "A costs $3 more than B, so it costs $12.", "12", "3"),
    ],
)
def test_a_difference_is_the_answer_where_one_is_asked_for(prompt: str, response: str, right: str, wrong: str) -> None:
    assert (score(right, response, prompt), score(wrong, response, prompt)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("How much does A cost?", "A costs $3 more than B."),
        ("", "x is 3 more than 4"),
        ("", "x is 3 more than y"),
        ("What is the difference?", "It is 3 more than 4."),
        ("By how much is A bigger?", "A is 3 times bigger than B."),
    ],
)
def test_a_difference_is_no_other_amount(prompt: str, response: str) -> None:
    assert score("3", response, prompt) == 0.0
