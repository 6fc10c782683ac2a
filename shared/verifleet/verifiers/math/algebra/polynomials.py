"""Exact polynomials over the rationals: normal forms, division, and real roots."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from verifleet.verifiers.math.algebra.evaluate import exact, precise_field
from verifleet.verifiers.math.syntax.expression import Node

MAX_DEGREE = 40
MAX_MONOMIALS = 400
MAX_ROOT_STEPS = 38_000  # of approaching all roots, each with as many operations as the square of the degree

Monomial = tuple[tuple[str, int], ...]  # sorted (name, power)
Polynomial = dict[Monomial, Fraction]
Ratio = tuple[Polynomial, Polynomial]
Coefficients = list[Fraction]  # of one variable, lowest power first, no zero at the end


class NotPolynomialError(ValueError):
    """The expression is no polynomial (or rational function) over the rationals, or too large a one."""


# --- normal forms ------------------------------------------------------------


def rational_function(node: Node) -> Ratio:
    """Numerator and denominator, not reduced; raises NotPolynomialError."""
    value = exact(node)
    if value is not None:
        return _constant(value), _constant(Fraction(1))
    if node.op == "var":
        return {((str(node.value), 1),): Fraction(1)}, _constant(Fraction(1))
    if node.op == "neg":
        return _product((_constant(Fraction(-1)), _constant(Fraction(1))), rational_function(node.args[0]))
    if node.op == "add":
        return reduce(_sum, map(rational_function, node.args))
    if node.op == "mul":
        return reduce(_product, map(rational_function, node.args))
    if node.op == "div":
        first, (top, bottom) = map(rational_function, node.args)
        return _product(first, (bottom, top))
    if node.op == "pow":
        return _power(node)
    raise NotPolynomialError(node.op)


def polynomial(node: Node) -> Polynomial:
    """The polynomial an expression is; raises NotPolynomialError if a variable stands below a fraction bar."""
    top, bottom = rational_function(node)
    if set(bottom) - {()} or not bottom:
        raise NotPolynomialError("a denominator")
    return {monomial: factor / bottom[()] for monomial, factor in top.items()}


def _constant(value: Fraction) -> Polynomial:
    return {(): value} if value else {}


def _power(node: Node) -> Ratio:
    power = exact(node.args[1])
    if power is None or power.denominator != 1 or abs(power) > MAX_DEGREE:
        raise NotPolynomialError("a power")
    top, bottom = rational_function(node.args[0])
    if power < 0:
        top, bottom = bottom, top
    one = _constant(Fraction(1)), _constant(Fraction(1))
    return reduce(_product, [(top, bottom)] * abs(power.numerator), one)


def _product(left: Ratio, right: Ratio) -> Ratio:
    return multiply(left[0], right[0]), multiply(left[1], right[1])


def _sum(left: Ratio, right: Ratio) -> Ratio:
    if left[1] == right[1]:
        return add(left[0], right[0]), left[1]
    return add(multiply(left[0], right[1]), multiply(right[0], left[1])), multiply(left[1], right[1])


def add(left: Polynomial, right: Polynomial) -> Polynomial:
    """The sum."""
    result = dict(left)
    for monomial, factor in right.items():
        result[monomial] = result.get(monomial, Fraction(0)) + factor
    return {monomial: factor for monomial, factor in result.items() if factor}


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product; raises NotPolynomialError if it gets too large."""
    result: Polynomial = {}
    if len(left) * len(right) > MAX_MONOMIALS * 20:
        raise NotPolynomialError("too many terms")
    for first, a in left.items():
        for second, b in right.items():
            powers = Counter(dict(first))
            powers.update(dict(second))
            if sum(powers.values()) > 3 * MAX_DEGREE:
                raise NotPolynomialError("too high a degree")
            monomial = tuple(sorted(powers.items()))
            result[monomial] = result.get(monomial, Fraction(0)) + a * b
    result = {monomial: factor for monomial, factor in result.items() if factor}
    if len(result) > MAX_MONOMIALS:
        raise NotPolynomialError("too many terms")
    return result


def coefficients(value: Polynomial, name: str) -> Coefficients:
    """Of a polynomial in this one variable; raises NotPolynomialError if there are others."""
    result: Coefficients = []
    for monomial, factor in value.items():
        if any(other != name for other, _ in monomial):
            raise NotPolynomialError("other variables")
        power = monomial[0][1] if monomial else 0
        if power > MAX_DEGREE:
            raise NotPolynomialError("too high a degree")
        result += [Fraction(0)] * (power + 1 - len(result))
        result[power] = factor
    return result


# --- one variable ------------------------------------------------------------


def divide(left: Coefficients, right: Coefficients) -> tuple[Coefficients, Coefficients]:
    """Quotient and remainder."""
    rest = list(left)
    quotient = [Fraction(0)] * max(0, len(left) - len(right) + 1)
    while len(rest) >= len(right):
        shift = len(rest) - len(right)
        factor = rest[-1] / right[-1]
        quotient[shift] = factor
        for index, value in enumerate(right):
            rest[shift + index] -= factor * value
        rest.pop()
        while rest and not rest[-1]:
            rest.pop()
    return quotient, rest


def common_divisor(left: Coefficients, right: Coefficients) -> Coefficients:
    """The monic greatest common divisor."""
    while right:
        left, right = right, _primitive(divide(left, right)[1])
    return [value / left[-1] for value in left]


def _primitive(values: Coefficients) -> Coefficients:
    if not values:
        return values
    scale = Fraction(lcm(*(value.denominator for value in values)), gcd(*(value.numerator for value in values)))
    return [value * abs(scale) for value in values]


def square_free(values: Coefficients) -> Coefficients:
    """The polynomial with the same roots, each once."""
    if len(values) < 3:
        return values
    slopes = [index * value for index, value in enumerate(values)][1:]
    return divide(values, common_divisor(values, slopes))[0]


def evaluate(values: Coefficients, point: Fraction) -> Fraction:
    """The value at a point."""
    return reduce(lambda result, value: result * point + value, reversed(values), Fraction(0))


def real_roots(values: Coefficients) -> list[float]:
    """All distinct real roots in order, to double precision; raises NotPolynomialError if they can't be found."""
    values = square_free(_primitive(values))
    if len(values) < 2:
        return []
    context, steps = precise_field(40).context, min(100, MAX_ROOT_STEPS // len(values) ** 2)
    try:
        found = context.polyroots([context.mpf(int(v)) for v in reversed(values)], maxsteps=steps, extraprec=200)
    except context.NoConvergence:
        raise NotPolynomialError("roots that are not found") from None
    near = context.mpf(10) ** -20
    return sorted(float(root.real) for root in found if abs(root.imag) <= near * (1 + abs(root)))


def factors(node: Node) -> list[Node]:
    """The factors of a product, those of a power as often as it says."""
    if node.op == "neg":
        return factors(node.args[0])
    if node.op == "mul":
        return [factor for arg in node.args for factor in factors(arg)]
    if node.op == "div" and not node.args[1].variables():
        return factors(node.args[0])
    if node.op == "pow" and (exact(node.args[1]) or 0) >= 1:
        return factors(node.args[0]) * min(int(exact(node.args[1]) or 1), 20)
    return [node]
