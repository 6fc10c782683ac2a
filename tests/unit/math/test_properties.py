"""Properties of the math verifier over generated expressions and texts."""

from contextlib import suppress
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier
from verifleet.verifiers.math.algebra.amounts import stands_for
from verifleet.verifiers.math.algebra.equality import constant_multiple, precise_value, same_value
from verifleet.verifiers.math.algebra.evaluate import exact
from verifleet.verifiers.math.algebra.polynomials import real_roots
from verifleet.verifiers.math.algebra.roots import find_roots
from verifleet.verifiers.math.syntax.expression import num, var
from verifleet.verifiers.math.syntax.lexer import MathSyntaxError
from verifleet.verifiers.math.syntax.parser import parse
from verifleet.verifiers.math.syntax.vectors import components

VERIFIER = MathVerifier()
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def score(reference: str, answer: str) -> float | None:
    raw = {"response": rf"\boxed{{{answer}}}", "reference": {"answer": reference}}
    return VERIFIER.check(parse_request("math", raw)).score


numbers = st.one_of(
    st.integers(-999, 999).map(str),
    st.tuples(st.integers(-99, 99), st.integers(2, 60)).map(lambda p: rf"\frac{{{p[0]}}}{{{p[1]}}}"),
    st.tuples(st.integers(0, 99), st.integers(1, 99)).map(lambda p: f"{p[0]}.{p[1]}"),
    st.integers(2, 50).map(lambda n: rf"\sqrt{{{n}}}"),
    st.just(r"\pi"),
)
variables = st.sampled_from(["x", "y", "t"])


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: rf"({p[0]}) + ({p[1]})"),
        st.tuples(inner, inner).map(lambda p: rf"({p[0]}) \cdot ({p[1]})"),
        st.tuples(inner, st.integers(2, 4)).map(lambda p: rf"({p[0]})^{{{p[1]}}}"),
        st.tuples(st.sampled_from([r"\sin", r"\cos", r"\arctan"]), inner).map(lambda p: rf"{p[0]}({p[1]})"),
        inner.map(lambda text: f"-({text})"),
    )


expressions = st.recursive(st.one_of(numbers, variables), _combined, max_leaves=6)


@quick
@given(expressions)
def test_every_answer_equals_itself(text: str) -> None:
    assert score(text, text) == 1.0


@quick
@given(expressions)
def test_an_equal_rewrite_is_accepted(text: str) -> None:
    for rewrite in (
        rf"\left({text}\right)",
        rf"{text} + 0",
        rf"\frac{{2({text})}}{{2}}",
        rf"-(-({text}))",
        rf"1 + ({text}) - 1",
    ):
        assert score(text, rewrite) == 1.0, rewrite


@quick
@given(expressions, st.sampled_from(["1", r"\frac{1}{1000}", "10^{-9}", "-2", r"\sqrt{3}"]))
def test_a_change_of_value_is_rejected(text: str, change: str) -> None:
    assert score(text, rf"({text}) + ({change})") == 0.0


@quick
@given(st.text(max_size=200))
def test_parsing_never_raises_anything_but_its_own_error(text: str) -> None:
    with suppress(MathSyntaxError):
        parse(text)


pieces = st.sampled_from(
    r"\frac \sqrt { } ( ) [ ] | ^ _ + - = < \le , ; : . 1 23 4.5 x y e i \pi \infty \sin \log \sum \int dx ".split()
    + r"\lim \to \text{or} \begin{pmatrix} \end{pmatrix} & \\ \cup \{ \} \pm ! % ^\circ \binom \left \right ".split()
    + r"\boxed \mathbb{R} ' \$ and".split()
)


@settings(quick, max_examples=200)
@given(st.lists(pieces, max_size=25))
def test_no_arrangement_of_signs_breaks_the_verifier(parts: list[str]) -> None:
    text = " ".join(parts)
    for reference, answer in ((text, "7"), ("7", text), (text, text)):
        raw = {"response": f"The final answer is ${answer}$", "reference": {"answer": reference}}
        assert VERIFIER.check(parse_request("math", raw)).status != "error"


@quick
@given(st.text(max_size=300), st.text(max_size=300), st.one_of(st.none(), st.text(max_size=50)))
def test_any_text_is_judged(prompt: str, response: str, reference: str | None) -> None:
    raw: dict[str, object] = {"prompt": prompt, "response": response}
    if reference is not None:
        raw["reference"] = {"answer": reference}
    result = VERIFIER.check(parse_request("math", raw))
    assert result.status in ("scored", "unknown")


fractions = st.fractions(min_value=-50, max_value=50, max_denominator=60)


@quick
@given(fractions, fractions)
def test_exact_arithmetic_agrees_with_fractions(a: Fraction, b: Fraction) -> None:
    text = rf"\frac{{{a.numerator}}}{{{a.denominator}}} + ({b.numerator}) / {b.denominator}"
    assert exact(parse(text)) == a + b


@quick
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6))
def test_all_real_roots_of_a_polynomial_are_found(roots: list[int]) -> None:
    coefficients = [Fraction(1)]
    for root in roots:
        shifted = [Fraction(0), *coefficients]
        coefficients = [a - root * b for a, b in zip(shifted, [*coefficients, Fraction(0)], strict=True)]
    found = real_roots(coefficients)
    assert len(found) == len(set(roots))
    assert all(abs(a - b) < 1e-9 for a, b in zip(found, sorted(set(roots)), strict=True))


@quick
@given(st.integers(2, 10**6), st.integers(100, 900), st.integers(10**5, 10**9))
def test_large_powers_are_compared_exactly_and_huge_ones_never_formed(base: int, power: int, huge: int) -> None:
    left = parse(rf"{base}^{{{power}}}")
    assert same_value(left, parse(rf"{base} \cdot {base}^{{{power - 1}}}")) is True
    assert same_value(left, parse(rf"{base}^{{{power + 1}}}")) is False
    assert same_value(left, num(base)) is False
    assert same_value(parse(rf"{base}^{{{huge}}}"), parse(rf"{base}^{{{huge + 1}}}")) is not True
    assert same_value(parse(rf"{base}^{{{huge}}} \bmod 7"), num(pow(base, huge, 7))) is True


@pytest.mark.parametrize(
    ("equation", "roots"),
    [(r"e^x = 5", [1.6094379]), (r"\cos x = x", [0.7390851]), (r"x e^x = 1", [0.5671433]), (r"e^{2x}-2e^x+1=0", [0.0])],
)
def test_roots_are_searched_for_where_no_polynomial_has_them(equation: str, roots: list[float]) -> None:
    found = find_roots(*parse(equation).args, "x").real
    assert [round(root, 7) for root in found] == roots


def test_trees_are_immutable_and_equal_by_value() -> None:
    assert parse("x+1") == parse(" x + 1 ")
    assert hash(parse("x")) == hash(var("x"))


def test_an_equation_knows_its_name_and_what_it_says_last() -> None:
    chain = parse("A = 2 + 3 = 5")
    assert (chain.name, chain.said) == ("A", num(5))
    bound = parse("x > 2")
    assert (bound.name, bound.said) == ("", bound)


def test_a_decimal_stands_for_a_value_after_six_digits_or_as_many_as_are_asked_for() -> None:
    root = precise_value(parse(r"\sqrt{2}"))
    assert stands_for(parse("1.41421"), root, None)
    assert not stands_for(parse("1.4142"), root, None)
    assert stands_for(parse("1.41"), root, 2)
    assert not stands_for(parse("1.42"), root, 2)


def test_components_are_those_of_columns_rows_and_tuples_alike() -> None:
    for vector in ("(1, 2)", r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1 & 2\end{pmatrix}"):
        assert components(parse(vector)) == [num(1), num(2)]
    assert components(parse(r"\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}")) == []


_FORMS = st.tuples(*[st.integers(-3, 3)] * 6).filter(any)
_TERMS = ("a", "b", "c"), ("m", "n", "k"), ("x^2", "y^2", "xy")


@quick
@given(_FORMS, st.sampled_from(_TERMS))
def test_forms_are_equal_only_with_equal_coefficients(numbers: tuple[int, ...], terms: tuple[str, ...]) -> None:
    first, second = (
        " + ".join(f"({number}){term}" for number, term in zip(half, terms, strict=True))
        for half in (numbers[:3], numbers[3:])
    )
    one, other = (parse(text) for text in (first, second))
    assert same_value(one, other) is (numbers[:3] == numbers[3:])
    if any(numbers[:3]) and any(numbers[3:]):
        crossed = [a * d - b * c for (a, b), (c, d) in combinations(zip(numbers[:3], numbers[3:], strict=True), 2)]
        assert (constant_multiple(one, other) is not None) is (not any(crossed))


@pytest.mark.parametrize(
    ("one", "other"), [("m-n", "p-q"), ("b-a", "x-b"), ("x+2y=0", "x+y=0"), ("x+y+z=0", "x+y-z=0")]
)
def test_other_names_and_other_homogeneous_equations_are_not_the_same(one: str, other: str) -> None:
    raw = {"prompt": "", "response": other, "reference": {"answer": one}}
    assert VERIFIER.check(parse_request("math", raw)).score == 0.0


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        (r"\sin x + C", r"\sin b + C", 0.0),
        (r"\sin x + C", r"\sin x + K", 1.0),
        ("e^{4x^2} + C", "e^{8x^3} + C", 0.0),
        ("e^{4x^2} + C", "C + (e^{2x})^{2x}", 1.0),
    ],
)
def test_a_family_of_functions_has_its_variable_and_its_size(reference: str, answer: str, expected: float) -> None:
    raw = {"prompt": "Find the antiderivative of $f(x)$.", "response": answer, "reference": {"answer": reference}}
    assert VERIFIER.check(parse_request("math", raw)).score == expected
