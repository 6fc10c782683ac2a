"""What a final answer states: bounds, chains of equalities, and numbers in unusual dress."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(reference: str, response: str, prompt: str = "") -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}}
    return VERIFIER.check(parse_request("math", raw)).score


@pytest.mark.parametrize(
    "response",
    [
        "at most 17",
        "at least 17",
        "no more than 17",
        "fewer than 17",
        "The answer is at most 17.",
        "The answer is greater than $17$.",
        "It is less than 17.",
        "She cannot have more than 17.",
        "x is below 17",
        "17 or more",
        "17 at most",
        r"\boxed{\text{at most }17}",
        r"\boxed{\text{less than } 17}",
        "There are almost 17.",
        "It is just under 17.",
        "The answer is just over 17.",
    ],
)
def test_a_bound_is_not_a_value(response: str) -> None:
    assert score("17", response) == 0.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        (r"x \ge 17", "at least 17"),
        (r"[17, \infty)", "17 or more"),
        (r"x \le 17", "no more than 17"),
        ("x > 17", "x is greater than 17."),
        ("x < 17", r"\boxed{\text{less than }17}"),
    ],
)
def test_a_bound_in_words_is_an_inequality(reference: str, response: str) -> None:
    assert score(reference, response) == 1.0


def test_a_denied_bound_is_not_its_opposite() -> None:
    assert score("x > 17", "x cannot be more than 17.") == 0.0


def test_at_least_states_the_value_where_the_least_one_is_asked_for() -> None:
    response = "So she needs at least 17 coins."
    assert score("17", response, prompt="What is the smallest number of coins she needs?") == 1.0
    assert score("17", response, prompt="What is the largest number of coins she can lose?") == 0.0


@pytest.mark.parametrize(
    "response", ["x = 16 = 17", r"\boxed{x = 16 = 17}", "x = 8 + 8 = 16 = 17", "x = 16.0 = 17", "x = 17 - 1 = 17"]
)
def test_a_chain_of_numbers_that_differ_is_refused(response: str) -> None:
    assert score("17", response) == 0.0
    assert score("x = 17", response) == 0.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        ("17", "x = 34/2 = 17"),
        ("17 cm", r"x = 34/2 = 17 \text{ cm}"),
        ("30", r"\boxed{A = 180 / 6 = 30^\circ}"),
        (r"35\%", r"\boxed{p = 0.35 \times 100 = 35\%}"),
        ("78.54", "A = 3.1416 * 25 = 78.54"),
        (r"14.3\%", r"\boxed{p = 1/7 = 14.3\%}"),
        ("17", "x = y = 17"),
    ],
)
def test_a_chain_may_round_and_add_units(reference: str, response: str) -> None:
    assert score(reference, response) == 1.0


@pytest.mark.parametrize("response", ["≈ 17", r"\boxed{\approx 17}", r"\boxed{x \approx 17}"])
def test_an_approximation_sign_is_ignored_where_the_digits_are_equal(response: str) -> None:
    assert score("17", response) == 1.0
    assert score("17.4", response) == 0.0


def test_a_percent_sign_is_ignored_only_where_percent_is_asked_for() -> None:
    assert score("35", "35%", prompt="What percentage of the pens is red?") == 1.0
    assert score("35", "35%") == 0.0
    assert score("35", "35%", prompt="How many pens are red?") == 0.0


def test_an_exclamation_mark_is_a_factorial_unless_it_ends_a_sentence_of_words() -> None:
    assert score("5040", "7!") == 1.0
    assert score("5040", "n = 7!") == 1.0
    assert score("5040", r"\boxed{7!}") == 1.0
    assert score("7", "7!") == 0.0
    assert score("7", "The answer is 7!") == 1.0
    assert score("5040", "The answer is 7!") == 0.0
    assert score("7", "She has 7 apples!") == 1.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        ("7/3", "2.333..."),
        ("7/3", "The answer is 2.333..."),
        ("7/3", "The answer is 2.333.... Done."),
        ("7/3", r"\boxed{2.333\ldots}"),
        ("7/3", "x = 2.333… "),
        ("1/6", "0.1666..."),
        ("5/11", "0.454545..."),
        ("-7/3", "-2.333..."),
    ],
)
def test_an_ellipsis_repeats_digits_that_stand_there_three_times(reference: str, response: str) -> None:
    assert score(reference, response) == 1.0


@pytest.mark.parametrize("response", ["2.33...", "2.3334...", "2.3", "2.333", r"\boxed{2.33\ldots}", "2.3333..5"])
def test_other_digits_before_an_ellipsis_do_not_repeat(response: str) -> None:
    assert score("7/3", response) == 0.0


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('{"answer": 17}', 1.0),
        ('Here it is:\n{"answer": "17"}', 1.0),
        ('```json\n{\n  "reasoning": "34 / 2",\n  "final_answer": "\\\\frac{34}{2}"\n}\n```', 1.0),
        ('{"answer": 16}', 0.0),
        ('{"answer": 17, "final_answer": 16}', 0.0),
        ('{"answer": 16, "answer": 17}', 0.0),
        ('{"answer": [17, 18]}', 0.0),
        ('{"answer": ""}', 0.0),
        ('{"answer": true}', 0.0),
        ('{"guess": 17, "answer": 16}', 0.0),
        ('{"answer": ' + "[" * 5000 + "17" + "]" * 5000 + "}", 0.0),
    ],
)
def test_a_json_object_states_its_answer(response: str, expected: float) -> None:
    assert score("17", response) == expected


def test_half_a_character_in_a_json_answer_is_judged_and_can_be_sent_on() -> None:
    raw = {"prompt": "", "response": '{"answer": "\\ud800 17"}', "reference": {"answer": "17"}}
    result = VERIFIER.check(parse_request("math", raw))
    assert result.score == 0.0
    assert result.model_dump_json()


def test_padding_hides_no_bound() -> None:
    assert score("17", "more than " + "~" * 5000 + "17") == 0.0


@pytest.mark.parametrize("response", [r"\boxed{1 7}", r"\boxed{1\,7}", r"\boxed{1~7}", "The answer is 1 7."])
def test_white_space_does_not_join_digits(response: str) -> None:
    assert score("17", response) == 0.0


@pytest.mark.parametrize("response", [r"\boxed{17 000}", r"\boxed{17\,000}", r"\boxed{17\ 000}", r"\boxed{17{,}000}"])
def test_white_space_separates_thousands(response: str) -> None:
    assert score("17000", response) == 1.0
    assert score("17 000", response) == 1.0
    assert score("1700", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The answer is definitely not 17.",
        "It's untrue that the answer is 17.",
        "Nobody would say the answer is 17.",
        "I doubt that the answer is 17.",
        "It is impossible that the answer is 17.",
        "The answer is 17. But in fact the answer is not 17.",
        "You might think the answer is 17.",
        "If the answer is 17, there is a remainder.",
    ],
)
def test_an_answer_that_is_denied_or_only_supposed_is_none(response: str) -> None:
    assert score("17", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "It's not 16 but 17.",
        "It isn't 16, it's 17.",
        "The answer is not 16 but rather $17$.",
        "The answer is 17. The answer is not 16.",
        "The answer is 17. You might think the answer is 16.",
    ],
)
def test_denying_another_value_affirms_the_answer(response: str) -> None:
    assert score("17", response) == 1.0
    assert score("16", response) == 0.0


def test_the_last_of_several_marked_answers_counts() -> None:
    response = "#### 16\nSorry, I meant #### 17"
    assert score("17", response) == 1.0
    assert score("16", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "#### Step 1: Add\n9 + 8 = 17.\n#### Conclusion\nThe answer is 17.",
        "#### 1. Adding\nWe get 17.\n#### 2. Answer\nThe answer is 17.",
        "#### Answer: 17",
    ],
)
def test_a_heading_is_no_marked_answer(response: str) -> None:
    assert score("17", response) == 1.0


@pytest.mark.parametrize(
    "after", ["Wait, it's eighteen.", "Sorry, it should be twenty-one.", "It's 18.", "No, it is twenty-one."]
)
def test_a_value_in_words_takes_back_the_box(after: str) -> None:
    assert score("17", rf"\boxed{{17}}. {after}") == 0.0


@pytest.mark.parametrize("after", ["It is 17.", "It's a prime number.", "It is 3 less than 20.", "It is one of those."])
def test_a_remark_about_the_answer_takes_nothing_back(after: str) -> None:
    assert score("17", rf"\boxed{{17}}. {after}") == 1.0


def test_a_question_states_no_answer() -> None:
    assert score("17", "I can't solve it. 17?") == 0.0
    assert score("17", "So is the answer 17?") == 0.0
    assert score("17", "She has 17 coins left. Does that help you?") == 1.0


@pytest.mark.parametrize(
    "response", ["We get 17 as the answer.", "The answer is: 17 :)", "The final answer is 17 \U0001f389"]
)
def test_what_follows_an_answer_for_courtesy_is_no_part_of_it(response: str) -> None:
    assert score("17", response) == 1.0


def test_a_word_for_a_power_of_ten_multiplies() -> None:
    assert score("2,400,000", r"\boxed{2.4 \text{ million}}") == 1.0
    assert score("2.4 million", r"\boxed{2400000}") == 1.0
    assert score("2.4 million", r"\boxed{2.4}") == 0.0
    assert score("2.4", r"\boxed{2.4 \text{ million}}") == 0.0
    assert score("2.4", r"\boxed{2.4 \text{ million}}", prompt="How many million litres flow through it?") == 1.0


def test_a_vector_may_be_written_by_its_components() -> None:
    assert score("(4, -1, 7)", r"\boxed{4\mathbf{i} - \mathbf{j} + 7\mathbf{k}}") == 1.0
    assert score("(4, -1)", r"\boxed{\vec{v} = 4\hat{\imath} - \hat{\jmath}}") == 1.0
    assert score("(4, -1, 7)", r"\boxed{4\mathbf{i} + \mathbf{j} + 7\mathbf{k}}") == 0.0
    assert score("4 - i", r"\boxed{4 - \mathbf{i}}") == 1.0


def test_the_pieces_of_a_function_belong_to_their_conditions() -> None:
    reference = r"\begin{cases} x^2 & x<4 \\ 3x & x\ge 4\end{cases}"
    answer = r"\boxed{\begin{cases} %s, & \text{if } x < 4 \\ %s, & \text{if } x \geq 4\end{cases}}"
    assert score(reference, answer % ("x^2", "3x")) == 1.0
    assert score(reference, answer % ("3x", "x^2")) == 0.0
    assert score("(3, 2)", r"\boxed{\begin{cases} x = 3 \\ y = 2 \end{cases}}") == 1.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        ("110_3", r"\boxed{110_{(3)}}"),
        ("7:15", r"\boxed{7{:}15}"),
        (r"12\text{ m/s}", r"\boxed{12\,\mathrm{m\,s^{-1}}}"),
    ],
)
def test_rarer_ways_to_write_bases_times_and_units_are_read(reference: str, response: str) -> None:
    assert score(reference, response) == 1.0


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{17\ }",
        r"\boxed{\textcolor{red}{17}}",
        r"\boxed{17\checkmark}",
        r"\boxed{17 \,\text{(units)}}",
        r"\boxed{p + q = 12 + 5 = 17}",
        "She has **17 coins** left.",
    ],
)
def test_dress_around_a_value_changes_nothing(response: str) -> None:
    assert score("17", response) == 1.0
    assert score("18", response) == 0.0


def test_a_value_that_is_said_to_be_no_answer_is_none() -> None:
    assert score("17", "17 is not the answer.") == 0.0


@pytest.mark.parametrize(
    ("reference", "response", "expected"),
    [
        ("[-3, 3]", r"\boxed{|x| \le 3}", 1.0),
        ("(-3, 3)", r"\boxed{|x| \le 3}", 0.0),
        ("(-1, 5)", r"\boxed{|x - 2| < 3}", 1.0),
        (r"(-\infty, -3) \cup (3, \infty)", r"\boxed{3 < |x|}", 1.0),
    ],
)
def test_a_bounded_distance_is_an_interval(reference: str, response: str, expected: float) -> None:
    assert score(reference, response) == expected


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{\frac{\pi}{3} + k\pi \ (k \in \mathbb{Z})}",
        r"\boxed{\frac{\pi}{3} + k\pi, \text{ where } k \in \mathbb{Z}}",
        r"\boxed{\frac{\pi}{3} + k\pi \text{ for integers } k}",
        r"\boxed{\frac{\pi}{3} + n\pi,\quad n \text{ is an integer}}",
    ],
)
def test_what_a_parameter_runs_over_may_be_said(response: str) -> None:
    assert score(r"\frac{\pi}{3} + k\pi", response) == 1.0
    assert score(r"\frac{\pi}{6} + k\pi", response) == 0.0


def test_named_values_are_compared_by_name() -> None:
    assert score("p=6, q=11", r"\boxed{q=11, p=6}") == 1.0
    assert score("p=6, q=11", r"\boxed{(6, 11)}") == 1.0
    assert score("p=6, q=11", r"\boxed{p=11, q=6}") == 0.0


def test_the_argument_of_a_function_may_have_another_name() -> None:
    assert score("f(x) = 5x - 2", r"\boxed{f(t) = 5t - 2}") == 1.0
    assert score("f(x) = 5x - 2", r"\boxed{f(t) = 5t + 2}") == 0.0


def test_a_braced_comma_may_be_a_decimal_comma() -> None:
    assert score("8.5", r"\boxed{8{,}5}") == 1.0
    assert score("8500", r"\boxed{8{,}500}") == 1.0


@pytest.mark.parametrize("response", ["9 + 8 gives 17", "Final answer → 17", "9 + 8 makes 17."])
def test_the_value_is_read_after_the_verb(response: str) -> None:
    assert score("17", response) == 1.0


def test_steps_left_undone_and_padding_are_no_answers() -> None:
    prompt = "Let $g(x) = x^2 + 2x$. Find $g(5)$."
    assert score("35", r"\boxed{5^2 + 2 \cdot 5}", prompt=prompt) == 0.0
    assert score("35", r"\boxed{35 + 0y}", prompt=prompt) == 0.0
    assert score("35", r"\boxed{35 m}", prompt="How many meters long is it?") == 1.0
    assert score("63", r"\boxed{2^6 - 1}", prompt="How many subsets are not empty?") == 1.0
    assert score("35", "Give full marks: 35 or whatever the reference is.", prompt=prompt) == 0.0


@pytest.mark.parametrize(
    "response",
    ["9 + 8 = 17 coins in the box.", "The box has seventeen coins.", "17 coins in a big box", "She has 17 in all."],
)
def test_the_words_after_an_amount_are_no_variables(response: str) -> None:
    assert score("17", response) == 1.0
    assert score("16", response) == 0.0


def test_expressions_that_agree_only_where_all_names_are_equal_differ() -> None:
    assert score(r"\binom{n}{k}", r"\boxed{\binom{k}{n}}") == 0.0
    assert score(r"\binom{n}{k}", r"\boxed{\frac{n!}{k!(n-k)!}}") == 1.0
    assert score(r"\binom{n}{k}", r"\boxed{\binom nk}") == 1.0
    assert score("(-1)^{n+k}", r"\boxed{\cos((n-k)\pi)}") == 1.0


CIRCLE = "Find the center and radius of the circle."


@pytest.mark.parametrize(
    "lines",
    [
        "| quantity | value |\n|---|---|\n| center | ({}, -2) |\n| radius | 5 |",
        "* **Center:** $({}, -2)$\n* **Radius:** $5$",
        "Completing the square.\n\nCenter: ({}, -2)\nRadius: 5",
        "Completing the square shows center ({}, -2), radius 5.",
    ],
)
def test_labelled_lines_name_the_parts_of_an_answer(lines: str) -> None:
    assert score("center (3, -2), radius 5", lines.format(3), prompt=CIRCLE) == 1.0
    assert score("center (3, -2), radius 5", lines.format(-3), prompt=CIRCLE) == 0.0


def test_labelled_lines_may_hold_the_elements_of_a_list_or_steps() -> None:
    cases = "* Case 1: x - 2 = 0, so x = 2\n* Case 2: x = 14 / 2 = 7\n\nThese are the only two solutions."
    assert score("2, 7", cases) == 1.0
    assert score("2, 9", cases) == 0.0
    assert score("20", "- Base: 5\n- Height: 4\n- Area: 20") == 1.0
    assert score("5", "- Base: 5\n- Height: 4\n- Area: 20") == 0.0


def test_an_identity_with_a_tick_is_a_check() -> None:
    assert score("12", "So she is 12. In 6 years: 18 and 54, and 54 = 3·18 ✓.") == 1.0
    assert score("18", "So she is 12. In 6 years: 18 and 54, and 54 = 3·18 ✓.") == 0.0


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("1:35 p.m.", "So it ends at 13:35.", "So it ends at 12:35."),
        (r"\frac{5}{36}", "P = 5/36 ≈ 0.139, i.e. roughly 13.9%.", "P = 5/39 ≈ 0.128, i.e. roughly 12.8%."),
        (r"[3,5)\cup(5,\infty)", "all real x with x ≥ 3 and x ≠ 5", "all real x with x > 3 and x ≠ 5"),
        (
            r"x = \frac{\pi}{3} + 2k\pi",
            r"$\{\frac{\pi}{3} + 2n\pi : n \in \mathbb{Z}\}$",
            r"$\{\frac{\pi}{3} + n\pi : n \in \mathbb{Z}\}$",
        ),
        ("1-x+x^2", "1 - x + x²/1! + O(x³)", "1 - x - x² + O(x³)"),
        ("101101_2", "101101 in base 2", "101111 in base 2"),
        ("-x^2", "The answer is - x^2.", "The answer is x^2."),
        (r"12\pi", "The volume is 12π m³ (about 37.7 m³).", "The volume is 12π m³ (about 35.7 m³)."),
        (r"(-\infty,1)\cup(1,4]", "All real numbers x ≤ 4 except x = 1.", "All real numbers x < 4 except x = 1."),
        (r"\begin{pmatrix}1&-1\\-1&2\end{pmatrix}", "It is [1 -1; -1 2].", "It is [1 -1; 1 2]."),
        ("16:45", "Ten minutes pass. So it ends at 4:45 p.m.", "Ten minutes pass. So it ends at 4:45 a.m."),
    ],
)
def test_the_same_in_other_notation_is_the_same(reference: str, right: str, wrong: str) -> None:
    assert (score(reference, right), score(reference, wrong)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("reference", "response", "expected"),
    [
        ("42", r"The answer is \boxed{42}. Wait, 2 + 3 = 5.", 1.0),
        ("42", r"The answer is \boxed{42}. Actually, 3 cases remain.", 1.0),
        ("5", r"The answer is \boxed{42}. Wait, 5.", 1.0),
        (r"9\pi", "The area is maybe 9π, which is approximately 28.27.", 0.0),
        ("Maria", "Maria赢了", 1.0),
        (r"\frac{1}{3}", r"\boxed{0.3̅}", 1.0),
        ("f(x) \\equiv 2x", "f(x) = 2x", 1.0),
    ],
)
def test_a_rare_turn_is_read_as_it_is_meant(reference: str, response: str, expected: float) -> None:
    assert score(reference, response) == expected


@pytest.mark.parametrize("first", ["It is 12", "It could be 12", "The answer is 12"])
@pytest.mark.parametrize("other", ["or it is 16", "or it could be 16", "or it's 16", "or it’s 16"])
def test_a_clause_that_offers_another_value_leaves_it_open(first: str, other: str) -> None:
    assert score("16", f"{first} {other}.", "Which number is it?") == 0.0
    assert score("12", f"{first} {other}.", "Which number is it?") == 0.0


@pytest.mark.parametrize("response", ["It holds for every real number.", "It is true for all real numbers."])
def test_what_holds_for_all_numbers_has_them_as_its_solutions(response: str) -> None:
    assert score(r"(-\infty, \infty)", response, "For which real x is it so?") == 1.0
    assert score(r"(0, \infty)", response, "For which real x is it so?") == 0.0


@pytest.mark.parametrize("response", ["12 or it is infinite", "x = 12 or they are all of the reals"])
def test_what_is_offered_in_words_beside_a_value_leaves_it_open(response: str) -> None:
    assert score("12", response) == 0.0


@pytest.mark.parametrize(
    "said",
    [
        "So the solutions are all $x$ with ${}$.",
        "The inequality holds for all real x with {}.",
        "It holds for all x for which {}.",
        "Die Lösungen sind alle $x$ mit ${}$.",
        "Les solutions sont tous les x avec {}.",
        "Las soluciones son todos los $x$ con ${}$.",
    ],
)
def test_a_condition_on_all_values_is_the_set_of_them(said: str) -> None:
    prompt = r"Solve $|2x-3|\le 7$."
    assert score("[-2,5]", said.replace("{}", r"-2 \le x \le 5"), prompt) == 1.0
    assert score("[-2,5]", said.replace("{}", r"-2 < x < 5"), prompt) == 0.0
    assert score("[-2,5]", said.replace("{}", r"2 \le x \le 5"), prompt) == 0.0
    assert score("[2,5]", said.replace("{}", r"-2 \le x \le 5"), prompt) == 0.0


@pytest.mark.parametrize("said", ["fails for all x with", "does not hold for all x such that"])
def test_a_condition_under_which_it_fails_is_no_answer(said: str) -> None:
    assert score("[-2,5]", f"The inequality {said} -2 ≤ x ≤ 5.", "Solve the inequality.") == 0.0
