"""What follows an answer or stands beside it: remarks, labels, other names, boxes around what leads to it."""

from __future__ import annotations

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

_VERIFIER = MathVerifier()


def is_right(prompt: str, reference: str, response: str) -> bool:
    raw = {"prompt": prompt, "reference": {"answer": reference}, "response": response}
    return _VERIFIER.check(parse_request("math", raw)).verdict == "correct"


@pytest.mark.parametrize(
    ("prompt", "right", "wrong", "response"),
    [
        ("Find the odds.", r"\frac{5}{14}", r"\frac{9}{25}", "P = 20/56 = {}.\n\nThat's roughly a 36% chance."),
        ("How many degrees has it?", "135", "45", "It has {} degrees. The exterior angle would be 50°."),
        ("What is the area?", r"60\pi", r"50\pi", "together: ${}$ cm², that's roughly 188.5 cm²"),
        ("What is the share?", r"\frac{1}{6}", r"\frac{1}{5}", "6 of the 36 cases, so about 16.7 %, exactly ${}$."),
        ("Find the numbers.", "7, 13", "6, 13", "The numbers are {}. Their product, by the way, is 91."),
        ("How many subsets?", "56", "61", "So {} of the 64 subsets contain one."),
        ("How many hours?", "2", "3", "They meet after {} hours, 140 km from the start."),
        ("Factor $6x^2+x-2$.", "(3x+2)(2x-1)", "(3x-2)(2x+1)", "So it is {}.\nZeros: x = 1/2 and x = -2/3."),
        ("How much is it?", "8", "6", "Each is $2, for a total of ${}. That is about 67 cents per apple."),
        ("Solve it.", "9", "10", "$x-1=8$, so $x={}$. Since $9-1=8>0$, this is admissible."),
        ("Find the period.", r"\pi", r"2\pi", "So it equals ${}$. The amplitude 3 and the phase don't affect it."),
        ("Find the determinant.", "7", "6", "It is 3 + 4 = {}. Since det ≠ 0, the matrix is invertible."),
        ("What's 15% of 240?", "36", "34", "10% is 24 and 5% is 12; together {}."),
        ("How far?", "12", "13", "It reaches {} m up the wall — a classic 5-12-13 triangle."),
        ("How many divisors has 360?", "24", "22", "4·3·2 gives {} divisors. Their sum is 1170."),
        ("Find the eigenvalues.", "2, 3", "2, 4", "So the eigenvalues are {}. The determinant is 6, the trace is 5."),
        ("How many are left?", "36", "34", "{} stickers are left. That's three quarters of what he had."),
        ("What is the remainder?", "2", "3", "1024 = 7·146 + 2, so the quotient is 146 and the remainder {}."),
        ("Find 7² - 20.", "29", "28", "49 - 20 = {}. Multiplication comes first, so it's not 580."),
        ("Evaluate f(2).", "11", "12", "f(2) = 12 - 1 = {}. So the point (2, {}) lies on the graph."),
        ("What is the slope?", "2", "3", "y = {}x - 4. Slope: {}. Intercept: −4."),
        ("How many edges has a cube?", "twelve", "eight", "A cube has {} edges, along with 8 vertices and 6 faces."),
        ("Find the area.", "30", "60", "Area = 1/2 × base × height = 1/2 × 10 × 6 = {} cm²."),
        ("Find $z$.", "2-2i", "2+2i", "So $z = {}$, a number of modulus $2\\sqrt2$."),
        ("What fraction is blue?", r"\frac12", r"\frac13", "${}$ is blue; 3/10 are red and 1/5 are green."),
        ("What is its area?", "15", "16", "2·5 + 5 = {}, while its perimeter is 18."),
        ("What is the average speed?", "8", "7", "So {} km/h. A common mistake is to answer 9 km/h."),
        ("How many subsets?", "16", "15", "An element is either in or out: {} subsets. (If proper, it would be 3.)"),
        ("Compute the determinant.", "21", "20", r"It is ${}$, with $\det(A^{-1}) = \frac{1}{21}$."),
        ("Find $x>0$.", "4", "3", "x = {}; -4 is excluded by the condition."),
        ("Find the sum.", "5050", "5055", "There are fifty pairs of 101 each. That makes {}."),
        ("Find each interior angle.", "150", "160", "Interior: 180 − 30. Each interior angle measures {} degrees."),
        ("5 boxes hold 6 apples each. How many?", "30", "6", "There are {} apples. Each box holds 6."),
        ("How old is he?", "24", "25", "He is {}. (In 8 years: 16 and 32 ✓.)"),
        ("Find $x$.", "7", "14", "x = {}. (2·7 = 14 ✓)"),
    ],
)  # fmt: skip
def test_what_follows_an_answer_is_not_taken_for_it(prompt: str, right: str, wrong: str, response: str) -> None:
    assert is_right(prompt, right, response.replace("{}", right))
    assert not is_right(prompt, right, response.replace("{}", wrong))


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("What is the price after the discount?", "30", "The discount is $30. You pay $90."),
        ("What is the area?", "12", "The base is 12, so the region measures 36 square units."),
        ("What is the distance in km?", "3.5", "7 · 50 000 = 350 000 cm. That makes 35 km."),
        ("What percentage is that?", "45%", "18 ÷ 40 = 0.45, so 0.45% of the students play chess."),
        ("How many are left?", "24", "24 were there, so 20 of them are left."),
        ("What is the average speed?", "4", "6/1.5 = 4 hours"),
        ("What is 5 choose 2?", "10", "5·4 = 20, which is 10 too many."),
        ("Find the range.", "(-1,4)", "y is at least −1 and at most 4."),
        ("What fraction is shaded?", r"\frac38", "5/8 is shaded; 3/8 is blank."),
        ("How many zeros has 100!?", "24", "It has at least 24 zeros."),
        ("Find the roots of $x^2-5x+6$.", "2,3", "Either x = 2, or it is x = 3, I can't tell."),
        ("Which number?", "5", "At first I thought 5, but the parcels weigh 6."),
        ("Solve $-3x+4>10$.", "x<-2", "−3x > 6, divide by −3: x > −2"),
    ],
)  # fmt: skip
def test_a_value_before_another_answer_is_not_the_answer(prompt: str, reference: str, response: str) -> None:
    assert not is_right(prompt, reference, response)


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("23 chickens and 12 rabbits", "12 rabbits, 23 chickens", "23 rabbits, 12 chickens"),
        ("23 chickens and 12 rabbits", "23 chickens and 12 rabbits", "23 chickens or 12 rabbits"),
        ("鸡23只,兔12只", "答:兔12只,鸡23只。", "答:兔23只,鸡12只。"),
        ("mean 6, median 4", "Median: 4\nMean: 6", "Median: 6\nMean: 4"),
        ("4 at x=4", "The minimum is 4, attained when $x=4$.", "The minimum is 4, attained when $x=-4$."),
        ("(4,0), (0,3)", "x-intercept (4, 0), y-intercept (0, 3)", "x-intercept (0, 3), y-intercept (4, 0)"),
        ("length 12, width 5", "It measures 12 m by 5 m (length 12 m, width 5 m).", "length 5 m, width 12 m"),
        ("1,3", r"$\lambda_1 = 3$ with $(1,1)$, $\lambda_2 = 1$.", r"$\lambda_1 = 3$ with $(1,1)$, $\lambda_2 = 2$."),
    ],
)  # fmt: skip
def test_parts_go_together_by_what_they_are_called(reference: str, right: str, wrong: str) -> None:
    assert is_right("What are they?", reference, right)
    assert not is_right("What are they?", reference, wrong)


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        (r"f(x)=ax+b, \ a,b\in\mathbb{R}", "$f(x)=mx+c$ with real constants $m,c$.", "$f(x)=mx$ with real $m$."),
        ("y = C_1e^{2x}+C_2e^{-2x}", "y = A e^(2x) + B e^(−2x), A and B being constants.", "y = A e^(2x) + B e^(2x)"),
        (r"x=2+5t,\ y=-1-3t,\ t\in\mathbb Z", "$x=2+5k$, $y=-1-3k$ with $k∈ℤ$.", "$x=2+3k$, $y=-1-5k$ with $k∈ℤ$."),
        ("y=3x-1", "y = 3x − 1, or in standard form 3x − y = 1.", "y = 3x − 1, or in standard form 3x − y = 2."),
    ],
)
def test_constants_and_forms_may_differ(reference: str, right: str, wrong: str) -> None:
    assert is_right("Find it.", reference, right)
    assert not is_right("Find it.", reference, wrong)


def test_one_of_the_words_that_the_prompt_offers_is_the_answer() -> None:
    prompt = "Does the series converge or does it diverge? Say converges or diverges."
    assert is_right(prompt, "converges", "By the p-test the series **converges** (its sum is π²/6).")
    assert not is_right(prompt, "diverges", "By the p-test the series **converges** (its sum is π²/6).")
    assert is_right("Is 2 a root of x^3 - 3x - 2?", "yes", "8 − 6 − 2 = 0. So yes, 2 is a root.")


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        (r"6\sqrt{2}", "six times the square root of 2", "six times the square root of 3"),
        (r"\frac{15}{8}", "The sum is one and seven-eighths.", "The sum is one and five eighths."),
        (r"\frac{1}{6}", "one in six", "one in seven"),
        (r"\frac{1}{36}", "one thirty-sixth", "one thirty-seventh"),
        ("2i,-2i", "x is plus or minus 2i.", "x is plus or minus 3i."),
        ("-i", "The answer is negative i.", "The answer is i."),
        ("360", "Each has $90, so they earn three hundred and sixty dollars.", "So they earn ninety dollars."),
    ],
)  # fmt: skip
def test_values_in_words_are_read_as_such(reference: str, right: str, wrong: str) -> None:
    assert is_right("Find it.", reference, right)
    assert not is_right("Find it.", reference, wrong)


def test_a_property_answers_the_question_for_it_or_for_its_opposite() -> None:
    assert is_right(
        "Does the series converge?", "diverges", "No, it doesn't converge; its partial sums grow like ln n."
    )
    assert not is_right("Does the series converge?", "diverges", "It converges, by the p-test.")
    assert is_right(
        "Is it true that every square is a rectangle?", "True", "Yes, every square is, but not every rectangle."
    )
    assert is_right("Is 91 prime?", "No", "91 is composite.")
    assert not is_right("Is 91 prime?", "No", "91 is not composite.")
    assert is_right("Is 91 a prime number?", "No", "7 * 13 = 91, so 91 is composite, not prime.")
    assert not is_right("Is 91 a prime number?", "No", "91 is a prime number.")
    assert not is_right("Is 91 a prime number?", "No", "91 is composite and prime.")


def test_a_number_that_is_to_be_rounded_has_the_places_that_are_asked_for() -> None:
    assert is_right("Round 3.14159 to the nearest hundredth.", "3.14", "3.14")
    assert not is_right("Express 0.375 as a fraction in lowest terms.", r"\frac{3}{8}", "37.5/100")
    assert not is_right("Round 3.14159 to the nearest hundredth.", "3.14", "3.142")


def test_what_is_taken_back_behind_an_answer_is_no_remark() -> None:
    assert not is_right("What is the sum?", "25", "The sum is 25. No, actually it would be 24.")
    assert not is_right("What is the probability?", r"\frac{1}{6}", "The odds are 1 to 6.")


@pytest.mark.parametrize(
    ("prompt", "reference", "response"),
    [
        ("Find the area of the circle.", r"25\pi", r"The circumference is $\boxed{10\pi}$. The area might be $25\pi$."),
        ("How many subsets?", "56", "Of the 64 subsets, 8 contain one; 56 would be the complement."),
        ("Differentiate $f(x)=x^2$.", "2x", "A student says 2x. The derivative is 5."),
        ("Find them.", "x=3, y=1", "x = 3, y = 1 or x = 1, y = 3"),
        ("Find them.", "x=3, y=1", "x = 3, y = 2. It would be y = 1 if the sign were other."),
    ],
)
def test_what_is_only_offered_or_said_by_others_is_no_answer(prompt: str, reference: str, response: str) -> None:
    assert not is_right(prompt, reference, response)


def test_a_choice_that_is_only_spoken_of_is_not_chosen() -> None:
    response = "That is choice (C). Choice (B) forgets the inner derivative."
    assert is_right("Choose (A) 1 (B) 2 (C) 3.", "C", response)
    assert not is_right("Choose (A) 1 (B) 2 (C) 3.", "B", response)


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Simplify $\\frac{x^2-9}{x^2-x-6}$.", r"\frac{x+3}{x+2}",
         "(x-3)(x+3)/((x-3)(x+2)) = (x+3)/(x+2), x ≠ 3", "(x-3)(x+3)/((x-3)(x+2)) = (x-3)/(x+2), x ≠ 3"),
        ("Solve $y''+4y=0$.", r"y=C_1\cos 2x+C_2\sin 2x",
         "y = A sin(2x) + B cos(2x) for arbitrary constants A and B",
         "y = A sin(x) + B cos(x) for arbitrary constants"),
        ("Solve $y''+4y=0$.", r"y=C_1\cos 2x+C_2\sin 2x", "y = C_1 sin 2x + C_2 cos 2x", "y = C_1 sin 2x + C_1 cos 2x"),
        ("Compute 3/4 + 5/6 as a mixed number.", r"1\frac{7}{12}", "19/12 = 1 7/12", "9/12 + 10/12 = 19/12"),
        ("True or false: every square is a rhombus.", "True", "The statement is true.",
         "The statement is not always true."),
        ("True or false: every square is a rhombus.", "True", "Yes! Its sides are equal. The statement is true.",
         "No, its sides are equal. The statement is true."),
    ],
)  # fmt: skip
def test_conditions_constants_and_the_way_asked_for_are_read(
    prompt: str, reference: str, right: str, wrong: str
) -> None:
    assert is_right(prompt, reference, right)
    assert not is_right(prompt, reference, wrong)


def test_what_is_said_of_the_converse_takes_nothing_back() -> None:
    prompt = "True or false: every differentiable function is continuous."
    assert is_right(prompt, "True", "True. The converse is false.")
    assert not is_right(prompt, "True", "True. No, it is false.")


def test_values_of_unknowns_are_taken_from_the_sentences_that_conclude_them() -> None:
    prompt = "Solve the system $x+y=10$, $x-y=4$."
    worked = "Adding the two equations: 2x = 14, x = 7. Plugging back in: 7 + y = 10, so y = {}. Check: 7 - 3 = 4."
    assert is_right(prompt, "(7,3)", worked.format(3))
    assert not is_right(prompt, "(7,3)", worked.format(4))
    assert not is_right(prompt, "(7,3)", "2x = 12, x = 6. Then 7 + y = 10, so y = 3.")


def test_a_number_in_brackets_has_its_base_as_a_small_figure() -> None:
    assert is_right("Write 45 in base 2.", "101101", "45 = (101101)₂")
    assert not is_right("Write 45 in base 2.", "101101", "45 = (101100)₂")


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Find a line.", r"\mathbf r=(1,2,3)+t(2,-1,1)", "r(s) = (3,1,4) + s(-2,1,-1)", "r(s) = (3,1,5) + s(-2,1,-1)"),
        ("Find a line.", "(x,y,z)=(1,2,0)+t(1,-2,1)", "x = s+2, y = -2s, z = s+1", "x = s+2, y = 2s, z = s+1"),
        ("Solve $y''=y$.", "y=C_1e^{x}+C_2e^{-x}", "y = A·cosh x + B·sinh x", "y = A·cos x + B·sin x"),
        ("Solve $y''=y$.", "y=C_1e^{x}+C_2e^{-x}", "y = A·cosh x + B·e^x", "y = A·cosh x"),
        ("Solve $y''+4y=8$.", r"y=C_1\cos 2x+C_2\sin 2x+2", "y = 2 + A sin(2x) + B cos(2x)",
         "y = A sin(2x) + B cos(2x)"),
        ("Find a basis.", r"\{(1,-1,0),(1,0,-1)\}", "{(0,1,-1), (2,-1,-1)}", "{(0,1,-1), (0,2,-2)}"),
        ("Find an eigenvector.", "(1,3)", "v = (−2, −6)", "v = (0, 0)"),
        ("Find a normal vector.", "(2,-1,3)", "n = (-4, 2, -6)", "n = (4, 2, 6)"),
        ("Find all integer solutions.", "x=2+5t, y=-1-3t", "x = 7+5t, y = -4-3t", "x = 2+10t, y = -1-6t"),
    ],
)  # fmt: skip
def test_families_are_the_same_where_they_hold_the_same(prompt: str, reference: str, right: str, wrong: str) -> None:
    assert is_right(prompt, reference, right) or "integer" in prompt
    assert not is_right(prompt, reference, wrong)


@pytest.mark.parametrize(
    ("prompt", "reference", "right", "wrong"),
    [
        ("Solve it.", r"\text{no real solutions}", "I'm sure that there is no solution.", "I'm sure that it is 3."),
        ("When is it?", r"12:15\text{ p.m.}", "At a quarter past twelve in the afternoon.", "It is half past twelve."),
        ("When is it?", "9:45 pm", "It ends at a quarter to ten in the evening.",
         "It is a quarter to ten in the morning."),
        ("Find the mean, the median.", r"\text{mean}=6,\ \text{median}=5", "| mean | 30/5 = 6 |\n| median | 5 |",
         "| mean | 30/5 = 5 |\n| median | 6 |"),
        ("What is the sum?", "1013", "| n | a |\n|---|---|\n| 6 | 294 |\n| **sum** | | **1013** |",
         "| a | b | 1013 |\n| c | d | 7 |"),
        ("Is $f$ even?\nTrue or false?", "True", "This one's true. The converse is false.", "This is false."),
        ("Can it be tiled?", "No", "There are 50 and 48 squares, so it's impossible.", "It is not impossible."),
        ("Evaluate the limit.", r"\text{DNE}", "The sides disagree, so there's no limit at $0$.",
         "So the limit is $0$."),
        ("What is its domain?", r"(-\infty,3)\cup(3,\infty)", "It's 0 at x = 3, so it is all real numbers except 3.",
         "So it is 3."),
        ("Find its angle.", r"60^\circ", "So each is π/3 radians.", "So each is π/6 radians."),
        ("It goes 90 km in 2.5 hours. How fast is it in metres per second?", "10", "So 10 m/s.", "90 / 2.5 = 36 km/h."),
        ("Write $2x+3y=6$ in slope-intercept form.", "y=-2x/3+2", "y = 2 − 2x/3", "2x + 3y − 6 = 0"),
        ("Round $\\pi^2$ to two decimal places.", "9.87", "π² = 9.8696, and since the next is 9 we get: 9.87",
         "It's 9.86"),
        ("How many edges has a cube?", "12", "A cube has 12 edges and 8 vertices.",
         "A cube has 12 vertices and 8 edges."),
        ("How many zeros has $2024!$?", "503", "**Answer**: $2024!$ ends in **503** zeros.",
         "**Answer**: $2024!$ has **504**."),
        ("How likely is one of 3 shots?", "0.488", "There's a 48.8% chance that at least one of the 3 hits.",
         "It is 48%."),
        ("Solve $x^2<9$.", "(-3,3)", "x is greater than −3 and less than 3", "x is greater than −3 or less than 3"),
        ("Solve $x^2>9$.", r"(-\infty,-3)\cup(3,\infty)", "Every x below −3 or above 3.",
         "Every x below −3 or above −2."),
        ("Find $dy/dx$.", r"\frac{dy}{dx} = -\frac{x}{y}", "So dy/dx = -x/y.", "So dy/dx = x/y."),
        ("Find the variance.", "4", "Variance = 4, σ = √4 = 2.", "Variance = 2, σ = 4."),
        ("What is the area?", "12", "A = (base × height)/2 = (6 × 4)/2 = 12 units.",
         "A = (base × height)/2 = 6 × 4 = 24."),
        ("What is the median?", "5.5", "five and a half", "five and a quarter"),
        ("What are the two roots?", "-2, 4", "One is 4, the other one −2.", "One is 4, the other one 2."),
        ("How much of each?", "7.5 liters of the 30% solution and 2.5 liters of the 70% solution",
         "Use 7.5 L of the 30% solution and 2.5 L of the 70% solution.",
         "Use 2.5 L of the 30% solution and 7.5 L of the 70% solution."),
        ("Does it converge or diverge?", "converges", "The series is convergent (in fact to 2).",
         "The series is divergent."),
        ("How long?", "85 minutes", "One hour and twenty-five minutes.", "One hour and twenty minutes."),
        ("What is 3^100 mod 7?", "4", "So the remainder is 81 mod 7 which is 4.",
         "So the remainder is 81 mod 7 which is 3."),
        ("Solve $2^x = 32$.", "5", "Dividing by two, x = 5. Substituting back: 2^5 = 32, which agrees.",
         "Dividing by two, x = 4. Substituting back: 2^5 = 32, which agrees."),
        ("Find the limit.", "7", r"So it is $7$. $\blacksquare$", r"So it is $6$. $\blacksquare$"),
        ("Write it in lowest terms.", "2/9", "It is 14/63, i.e. two ninths (2/9).", "It is 14/63."),
        ("What is its domain?", "(-6, 6)", "So it is all real numbers strictly between minus six and six.",
         "So it is all real numbers from minus six to six inclusive."),
        ("Solve $|x-3|=4$.", r"\{-1, 7\}", "x equals 7 or x equals minus one", "x equals 7"),
        ("Solve $x+3=11$.", "8", "Hence 8 = x.", "Hence 9 = x."),
        ("What part is it?", "1/3", "That makes a third.", "It makes a third party."),
        ("What does it cost?", "21", "It costs twenty-one (21) dollars.", "It costs twenty-two (22) dollars."),
        ("What does it cost?", "21", r"\boxed{\text{Total: }21}", r"\boxed{\text{Total: }22}"),
        ("What does it cost?", "£3.60", "It costs 360p.", "It costs 36p."),
        ("Find the remainder.", "9", "So 7^100 leaves remainder nine.", "So 7^100 leaves remainder ten."),
        ("Convert it.", r"25\text{ m/s}", "90 km/h = 90000 m / 3600 s, i.e. twenty-five meters per second.",
         "90 km/h = 90000 m / 3600 s, i.e. twenty-six meters per second."),
        ("What is it?", "42", "20 + 22 makes forty-two.", "20 + 22 makes forty-three."),
        ("What is p?", "x^2+1", "It is x^2 + 1, of degree two.", "It is x^2 + 2, of degree one."),
        ("Find all x.", "x=0, x=5", "It vanishes when x is zero or five.", "It vanishes when x is zero or six."),
        ("Find all x.", "x=0, x=5", "x is 0 or 5", "x is 5"),
        ("Find x.", "1, 2", "x is one or two", "x is one or three"),
        ("Find x.", "2", "x is two", "x is one or two"),
        ("Add them.", r"\frac{19}{12}", "That's 1 and 7/12.", "That's 7/12 and 1."),
        ("Where do they meet?", "(-4,-3),(3,4)", "Points: A(3; 4) and B(−4; −3)", "Points: A(3; -4) and B(−4; 3)"),
        ("Where are A and B?", "A(3,4), B(4,3)", "A(3, 4) and B(4, 3)", "A(4, 3) and B(3, 4)"),
        ("Where do they meet?", "(3,4),(4,3)", "A(3, 4) and B(4, 3)", "A(3, 4)"),
        ("What is the median?", "6", "middle two are 5 & 7 -> median 6.0", "middle two are 6 & 7 -> median 6.5"),
        ("What is the limit?", "5", "It tends to 5 as x -> infinity.", "It tends to infinity as x -> 5."),
        ("Solve $5x≡3$ (mod 11).", r"x\equiv 5\pmod{11}", "9·3 = 27 ≡ 5. All solutions: x = 11k + 5.",
         "9·3 = 27 ≡ 5. All solutions: x = 11k + 4."),
        ("Solve it.", "x=5, y=7", "x = 5 & y = 7", "x = 7 & y = 5"),
        ("How long?", "2.5 hours", "It takes 2 and 1/2 hours.", "It takes 2 and 1/3 hours."),
        ("Find all solutions.", "1, 7/12", "1 and 7/12", "19/12"),
        ("Find all solutions.", r"\frac{19}{12}", "19/12", "1 and 7/12"),
    ],
)  # fmt: skip
def test_answers_are_read_in_the_shapes_people_give_them(prompt: str, reference: str, right: str, wrong: str) -> None:
    assert is_right(prompt, reference, right)
    assert not is_right(prompt, reference, wrong)


@pytest.mark.parametrize(
    ("order", "reference", "right", "wrong"),
    [
        ("ascending", r"\frac{7}{12}, 0.59, 0.6", "So 7/12 < 0.59 < 0.6.", "So 0.6 > 0.59 > 7/12."),
        ("descending", r"0.6, 0.59, \frac{7}{12}", "So 0.6 > 0.59 > 7/12.", "So 7/12 < 0.59 < 0.6."),
        ("ascending", r"\frac{7}{12}, 0.59, 0.6", "So 7/12 < 0.59 < 0.6.", "So 7/12 < 0.6 < 0.59."),
    ],
)
def test_a_chain_behind_other_steps_is_the_order_asked_for(order: str, reference: str, right: str, wrong: str) -> None:
    prompt, steps = f"Arrange in {order} order: 0.6, 7/12, 0.59.", "As a decimal: 7/12 ≈ 0.583.\n\n"
    assert is_right(prompt, reference, steps + right)
    assert not is_right(prompt, reference, steps + wrong)
