"""Whether two expressions have the same value, cheapest proof first.

1. The same tree. 2. Exact rationals. 3. Exact values of rational expressions at two large points.
4. Doubles at sample points, to tell values apart. 5. 100 digits at the same points, to confirm.
All comparisons are relative; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verifleet.verifiers.math.algebra.evaluate import (
    DIGITS,
    DOUBLES,
    MAX_WORK,
    SHORT,
    Budget,
    Evaluation,
    NotEvaluableError,
    exact,
    exact_at,
    precise_field,
    residue,
    value_at,
)
from verifleet.verifiers.math.syntax.expression import INFINITY, Node, derivative, neg

_POSITIVE = tuple(map(Fraction, ("0.3719", "1.8303", "0.8117", "6.4127", "17.903", "3.1409")))
_NEGATIVE = tuple(map(Fraction, ("-0.6113", "-3.3071", "-9.7043")))
_SPREAD = tuple(map(Fraction, ("1", "1.3271", "0.7133", "1.8713", "0.4177", "1.6193", "2.2391", "0.2917")))
_LARGE_POINTS = (1_000_003, 776_531_401)
_MODULUS = 2**31 - 1  # a prime: the powers of a point in its residues have no simple relation to one another
_PRIMES = (2**127 - 1, 2**521 - 1)  # 2^1000000 and 2^1000000 + 1 are told apart by their remainders
_LARGE = 10**15
_INFINITE = {INFINITY: float("inf"), neg(INFINITY): float("-inf")}
_INTEGER_NAMES = frozenset("nkmN")

Point = Mapping[str, Fraction]


def same_value(left: Node, right: Node) -> bool | None:
    """True, False, or None where these means can't tell (integrals, limits, infinite sums)."""
    if left == right:
        return True
    left_value, right_value = exact(left), exact(right)
    if left_value is not None and right_value is not None:
        return left_value == right_value
    if in_order(left) == in_order(right):
        return True
    budget = Budget()
    names = sorted(left.variables() | right.variables())
    verdict = _same_exactly(left, right, names)
    if verdict is not None:
        return verdict
    if not names:
        remainders = [(residue(left, prime), residue(right, prime)) for prime in _PRIMES]
        alike = None if None in remainders[0] else all(first == second for first, second in remainders)
        verdict = False if alike is False else _compare(left, right, {}, budget)[0]
        extrapolated = verdict is None and (left.has("sum", "prod") or right.has("sum", "prod"))
        return _same_extrapolated(left, right) if extrapolated else alike if verdict is None else verdict
    verdict = _same_function(left, right, names, budget)
    if verdict is False and _INTEGER_NAMES.issuperset(names):
        return _same_sequence(left, right, names, budget)
    return verdict


def _same_extrapolated(left: Node, right: Node) -> bool | None:
    """Whether values with sums without end agree in 30 digits, or differ by more than a tenth."""
    first, second = (value_at(node, precise_field(SHORT), {}, Budget(3 * MAX_WORK)) for node in (left, right))
    if first is None or second is None:
        return None
    gap, size = abs(first - second), max(1, abs(first), abs(second))
    return True if gap <= size / 10**30 else False if gap > size / 10 else None


def in_order(node: Node) -> Node:
    """The tree with terms, factors and elements in a fixed order."""
    return node.rebuilt(_sorted)


def _sorted(node: Node) -> Node:
    free = node.op in ("add", "mul", "list", "set")
    return Node(node.op, tuple(sorted(node.args, key=repr)), node.value) if free else node


def _same_exactly(left: Node, right: Node, names: list[str]) -> bool | None:
    for first in _LARGE_POINTS:
        values = {name: pow(first, index + 1, _MODULUS) for index, name in enumerate(names)}
        a, b = exact_at(left, values), exact_at(right, values)
        if a is None or b is None:
            return None
        if a != b:
            return False
    return True


def sample_points(names: list[str], bases: tuple[Fraction, ...] = _POSITIVE) -> list[Point]:
    """Deterministic points, one for each base; no two in the same ratios, or `x + y = 0` were `x + 2y = 0`."""
    return [
        {
            name: base * _SPREAD[(index + turn) % len(_SPREAD)] + Fraction(index // len(_SPREAD), 7)
            for index, name in enumerate(names)
        }
        for turn, base in enumerate(bases)
    ]


def _same_function(left: Node, right: Node, names: list[str], budget: Budget) -> bool | None:
    agreed = tried = 0
    for point in sample_points(names):
        verdict, real = _compare(left, right, point, budget)
        if verdict is None:
            continue
        tried += 1
        if verdict is False and real:
            return False
        agreed += verdict
    if agreed < 2:
        return False if tried >= 2 else None
    # √(x²) is not x. With several variables textbooks mean positive ones, so only one alone is tried below zero.
    for point in sample_points(names, _NEGATIVE) if len(names) == 1 else ():
        verdict, real = _compare(left, right, point, budget)
        if verdict is False and real:
            return False
    return True


def _same_sequence(left: Node, right: Node, names: list[str], budget: Budget) -> bool:
    """Equal for whole numbers only, as (-1)^n and cos(n pi) are."""
    verdicts = [_compare(left, right, dict.fromkeys(names, Fraction(value)), budget)[0] for value in range(1, 9)]
    if len(names) > 1:
        points = [
            {name: Fraction((index + 2) * step % 7 + 1) for index, name in enumerate(names)} for step in range(1, 6)
        ]
        verdicts += [_compare(left, right, point, budget)[0] for point in points]
        if True not in verdicts[-len(points) :]:
            return False  # equal where all names have the same value says nothing
    return verdicts.count(True) >= 5 and False not in verdicts


def _compare(left: Node, right: Node, point: Point, budget: Budget) -> tuple[bool | None, bool]:
    """Whether the values at a point are equal, and whether both are real."""
    try:
        doubles = {name: complex(value) for name, value in point.items()}
        first, second = Evaluation(DOUBLES, doubles, budget), Evaluation(DOUBLES, doubles, budget)
        a, b = complex(first.value(left)), complex(second.value(right))
        size, gap, scale = max(abs(a), abs(b)), abs(a - b), max(first.scale, second.scale)
        if size < 1e250 and gap > 1e-6 * size and gap > 1e-8 * scale and gap > 1e-250:
            return False, abs(a.imag) <= 1e-9 * size and abs(b.imag) <= 1e-9 * size
    except NotEvaluableError:
        pass
    return _compare_precisely(left, right, point, budget)


def _compare_precisely(
    left: Node, right: Node, point: Point, budget: Budget, digits: int = DIGITS
) -> tuple[bool | None, bool]:
    field = precise_field(digits)
    numbers = {name: field.rational(value) for name, value in point.items()}
    first, second = Evaluation(field, numbers, budget), Evaluation(field, numbers, budget)
    try:
        a, b = first.value(left), second.value(right)
        gap, size = abs(a - b), max(abs(a), abs(b))
        if size > _LARGE and digits == DIGITS:  # small summands of a large sum need more digits
            return _compare_precisely(left, right, point, budget, 12 * DIGITS)
        if digits > DIGITS and field.context.mag(size) > 3 * digits:
            return None if gap <= size / _LARGE else False, False
        tiny = field.context.mpf(10) ** (20 - digits)
        real = bool(abs(a.imag) <= tiny * size and abs(b.imag) <= tiny * size)
        equal = gap <= tiny * size or gap <= tiny / 10**10 * max(first.scale, second.scale)
    except (ArithmeticError, ValueError, TypeError):
        return None, False
    return bool(equal), real


def precise_value(node: Node) -> Any:
    """The value of an expression without variables to 100 digits, as an mpmath number; None where it has none."""
    return value_at(node, precise_field())


def real_double(node: Node) -> float | None:
    """The value as a double if it is real (infinite for ∞), for ordering; None otherwise."""
    if node in _INFINITE:
        return _INFINITE[node]
    value = exact(node)
    if value is not None:
        try:
            return float(value)
        except OverflowError:
            return None
    number = value_at(node, DOUBLES)
    return number.real if number is not None and abs(number.imag) <= 1e-12 * max(1.0, abs(number)) else None


def constant_multiple(left: Node, right: Node) -> complex | None:
    """The constant c with left = c·right as functions, or None. Neither may be zero everywhere."""
    names = sorted(left.variables() | right.variables())
    ratios: list[Any] = []
    field = precise_field()
    budget = Budget()
    for point in sample_points(names, _POSITIVE + _NEGATIVE):
        numbers = {name: field.rational(value) for name, value in point.items()}
        a, b = (value_at(node, field, numbers, budget) for node in (left, right))
        if a is None or b is None:
            continue
        tiny = field.context.mpf(10) ** -70
        if abs(a) < tiny or abs(b) < tiny:
            return None
        ratios.append(a / b)
        if abs(ratios[-1] - ratios[0]) > tiny * abs(ratios[0]):
            return None
    return complex(ratios[0]) if len(ratios) >= 3 else None


def constant_difference(left: Node, right: Node, name: str) -> bool | None:
    """Whether left - right does not depend on a variable (where both are defined)."""
    return same_value(derivative(left, name), derivative(right, name))
