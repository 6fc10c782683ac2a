"""Labels with words in their brackets, plain unit vectors, per cent signs, and infinity."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(reference: str, response: str, prompt: str = "") -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}}
    result = VERIFIER.check(parse_request("math", raw))
    assert result.status == "scored", result.reason
    return result.score


@pytest.mark.parametrize(
    "label",
    ["P(sum = 8)", "P(sum=8)", "P(sum is 8)", "P(exactly 3)", "P(sum > 9)", "P(not 3)", "P(more than 3)",
     "Pr[at most 3]", "P((sum = 8) or (sum = 9))", "n(sum = 8)", "P($X$ is 3)"],
)  # fmt: skip
def test_a_label_with_words_in_its_brackets_is_read_as_a_whole(label: str) -> None:
    assert score("5/36", f"There are 36 outcomes.\n\n{label} = 5/36 ≈ 0.139.") == 1.0
    assert score("5/36", f"So {label} is $\\frac{{5}}{{36}}$.") == 1.0
    for inside in ("3", "8", "9"):
        assert score(inside, f"So {label} = 5/36.") == 0.0


def test_the_brackets_of_intervals_and_choices_need_no_partner_of_their_kind() -> None:
    assert score("[0, 1)", "It is [0, 1).") == 1.0
    assert score("A", "The correct choice is A) 15.", "How many? (A) 15 (B) 20") == 1.0


@pytest.mark.parametrize("response", ["P(sum = 8", "The result is 8) = 5/36"])
def test_a_bracket_that_stays_open_states_nothing(response: str) -> None:
    assert score("8", response) == score("5/36", response) == 0.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        (r"\langle 1,-1,1\rangle", "= **i − j + k**"),
        (r"\langle 1,-1,1\rangle", "= **i − j + k**, i.e. the vector $\\langle 1, -1, 1\\rangle$"),
        ("(2, 3)", "2**i** + 3**j**"),
        ("(3, 0, -4)", "v = 3i - 4k"),
        (r"\begin{pmatrix}2\\3\end{pmatrix}", "$2i + 3j$"),
        (r"2\mathbf{i} + 3\mathbf{j}", "2i + 3j"),
        ("2i + 3j", "(2, 3)"),
    ],
)
def test_unit_vectors_may_be_plain_letters(reference: str, response: str) -> None:
    assert score(reference, response, "Find the vector.") == 1.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        ("(2, 3)", "2i + 4j"),
        ("(2, 3)", "2 + 3i"),
        ("(1, -1, 1)", "= **i − j + k**, i.e. the vector $\\langle 1, -1, 2\\rangle$"),
    ],
)
def test_another_vector_or_a_complex_number_is_not_the_vector(reference: str, response: str) -> None:
    assert score(reference, response) == 0.0


@pytest.mark.parametrize("prompt", ["What is 15% of 60?", "What is $15\\%$ of 60?", "Find fifteen percent of 60."])
def test_a_per_cent_sign_counts_where_a_percentage_is_only_given(prompt: str) -> None:
    assert score("9", "9%", prompt) == 0.0
    assert score("9", "9", prompt) == 1.0


@pytest.mark.parametrize(
    "prompt",
    ["What percentage of 60 is 9?", "By how many per cent does 60% grow?", "9 is what % of 60?",
     "It fell 5%. At what rate?"],
)  # fmt: skip
def test_a_per_cent_sign_may_stand_where_a_percentage_is_asked_for(prompt: str) -> None:
    assert score("15", "15%", prompt) == 1.0


@pytest.mark.parametrize(
    ("reference", "response"), [("5", r"\infty"), (r"\infty", r"-\infty"), (r"-\infty", "7/2"), (r"\sqrt2", r"\infty")]
)
def test_infinity_differs_from_every_number_and_from_its_opposite(reference: str, response: str) -> None:
    assert score(reference, response) == 0.0
    assert score(response, reference) == 0.0


@pytest.mark.parametrize(
    "reference", ["(a) 3x^2-5; (b) 7", "(a) 3x^2-5\n(b) 7", "(a) $3x^2-5$ (b) $7$", "a) f'(x) = 3x^2-5, b) 7"]
)
@pytest.mark.parametrize(
    "response",
    [
        "a) f'(x) = -5 + {}x²\nb) plugging in 2 → 12 − 5 = 7",
        "(a) ${}x^2-5$\n(b) $7$",
        "**(b)** $7$\n\n**(a)** ${}x^2-5$",
        "(a) Term by term: f'(x) = {}x^2 - 5.\n\n(b) Plug in 2. f'(2) = 3*4 - 5 = 7.",
        "(a) $f'(x) = {}x^2-5$; (b) $f'(2) = 7$",
        r"\boxed{{}x^2-5} and \boxed{7}",
    ],
)
def test_parts_with_letters_are_compared_letter_by_letter(reference: str, response: str) -> None:
    prompt = "Let $f(x)=x^3-5x$. (a) Find $f'(x)$. (b) Find $f'(2)$."
    assert score(reference, response.replace("{}", "3"), prompt) == 1.0
    assert score(reference, response.replace("{}", "2"), prompt) == 0.0
    assert score(reference, response.replace("{}", "3").replace("7", "8"), prompt) == 0.0


@pytest.mark.parametrize("response", ["(a) 7\n(b) 3", "(b) 3\n(a) 7", "7", "(a) 3\n(b) It is unknown."])
def test_a_part_at_another_letter_or_at_none_is_wrong(response: str) -> None:
    assert score("(a) 3; (b) 7", response, "(a) Find p. (b) Find q.") == 0.0


@pytest.mark.parametrize(
    ("reference", "response"),
    [
        (r"x^2+x\cos(xy)", "Treat x as a constant: ∂f/∂y = x·(x + cos({}))"),
        (r"x^2+x\cos(xy)", "So it is x^2 + x cos({})."),
        ("e^{xy}+1", "It is e^({}) + 1."),
        ("xy+1", "So it is {} + 1."),
        ("3z-xy", "So it is 3z - {}."),
        (r"\frac{xy}{2}", "The area is ({})/2."),
    ],
)
def test_variables_side_by_side_are_a_product_in_a_sentence(reference: str, response: str) -> None:
    assert score(reference, response.replace("{}", "xy")) == 1.0
    assert score(reference, response.replace("{}", "xz")) == 0.0


@pytest.mark.parametrize("said", ["It lies in the xy plane, at 5.", "It (xy) is 5.", "The segment has length ab = 5."])
def test_letters_that_name_a_thing_are_no_product(said: str) -> None:
    assert score("5", said) == 1.0
    assert score("6", said) == 0.0


@pytest.mark.parametrize("reference", ["quotient: x^2-x-1, remainder: 3", "quotient = x^2-x-1 and remainder = 3"])
@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("quotient x² − x − 1, remainder 3", 1.0),
        ("remainder 3, quotient x² − x − 1", 1.0),
        ("The remainder is 3, the quotient is x² − x − 1.", 1.0),
        ("remainder 4, quotient x² − x − 1", 0.0),
        ("quotient 3, remainder x² − x − 1", 0.0),
        ("The remainder is 3.", 0.0),
        ("3", 0.0),
    ],
)
def test_a_labelled_value_behind_another_is_a_part(reference: str, response: str, expected: float) -> None:
    assert score(reference, response, "Find the quotient and the remainder.") == expected
