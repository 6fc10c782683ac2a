"""Real roots of an equation in one unknown: of a polynomial, or searched for on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from verifleet.verifiers.math.algebra import polynomials
from verifleet.verifiers.math.algebra.equivalence import UndecidedError
from verifleet.verifiers.math.algebra.evaluate import DOUBLES, Budget, value_at
from verifleet.verifiers.math.algebra.regions import Region, contains
from verifleet.verifiers.math.syntax.expression import Node, sub

NEAR = 1e-7

MAX_SEARCH = 150_000  # steps with doubles


@dataclass(frozen=True, slots=True)
class Roots:
    """Real roots as doubles; `others` is the number of distinct roots that are not real, if known."""

    real: tuple[float, ...]
    others: int | None
    identity: bool = False


def find_roots(left: Node, right: Node, name: str, domain: Region | None = None) -> Roots:
    """All real roots of left = right in a domain."""
    try:
        roots = _rational_roots(sub(left, right), name)
    except polynomials.NotPolynomialError:
        roots = None
    if roots is None:
        roots = _searched_roots(sub(left, right), name, domain)
    if domain is not None:
        roots = Roots(tuple(root for root in roots.real if contains(domain, root, NEAR)), roots.others, roots.identity)
    return roots


def _rational_roots(difference: Node, name: str) -> Roots:
    top, bottom = polynomials.rational_function(difference)
    if not top:
        return Roots((), None, identity=True)
    numerator = polynomials.square_free(polynomials.coefficients(top, name))
    denominator = polynomials.coefficients(bottom, name)
    if len(numerator) > 1 and len(denominator) > 1:
        shared = polynomials.common_divisor(numerator, denominator)
        if len(shared) > 1:
            numerator = polynomials.divide(numerator, shared)[0]
    found = polynomials.real_roots(numerator)
    return Roots(tuple(found), len(numerator) - 1 - len(found))


def _grid(domain: Region | None) -> list[float]:
    if domain is not None and domain.ends and not (domain.holds[0] or domain.holds[-1]):
        low, high = domain.ends[0].value, domain.ends[-1].value
        return [low + (high - low) * step / 2000 for step in range(2001)]
    inner = [step / 40 for step in range(-1200, 1201)]
    outer = [30.0 * 1.06**step for step in range(1, 140)]
    return [-value for value in reversed(outer)] + inner + outer


def _searched_roots(difference: Node, name: str, domain: Region | None) -> Roots:
    budget = Budget(MAX_SEARCH)

    def function(point: float) -> float | None:
        if budget.left < 0:
            raise UndecidedError
        return real_at(difference, name, point, budget)

    points = _grid(domain)
    shifted = [point + 1e-4 * (index % 7) * math.sqrt(2) * 0.01 for index, point in enumerate(points)]
    points = sorted(set(points) | set(shifted[:: max(1, len(shifted) // 400)]))
    values = [function(point) for point in points]
    defined = [value for value in values if value is not None]
    if len(defined) > 20 and all(abs(value) < 1e-9 for value in defined):
        return Roots((), None, identity=True)
    pairs = [*zip(points, values, strict=True), (0.0, None)]
    found = [point for point, value in pairs if value == 0.0]
    for (x, a), (y, b), (z, c) in zip(pairs, pairs[1:], pairs[2:], strict=False):
        if a is not None and b is not None:
            if a * b < 0:
                found += _root_between(function, x, y)
            elif c is not None and a * c >= 0 and abs(b) < min(abs(a), abs(c)):
                found += _root_between(function, x, z)
    return Roots(tuple(distinct_points(found)), None)


def distinct_points(values: Iterable[float]) -> list[float]:
    """The values in order, those that differ by rounding only once."""
    result: list[float] = []
    for value in sorted(values):
        if not result or abs(value - result[-1]) > 1e-6 * max(1.0, abs(value)):
            result.append(value)
    return result


def real_at(node: Node, name: str, point: float, budget: Budget | None = None) -> float | None:
    """The value at a point if it is real and finite."""
    value = value_at(node, DOUBLES, {name: complex(point)}, budget)
    return None if value is None or abs(value.imag) > 1e-9 * max(1.0, abs(value)) else float(value.real)


def _root_between(function: Callable[[float], float | None], low: float, high: float) -> list[float]:
    """Where |f| is least between two points, if it is zero there: at no pole."""
    size = max(abs(function(low) or 0.0), abs(function(high) or 0.0), 1.0)
    ratio = (math.sqrt(5) - 1) / 2
    first, second = high - ratio * (high - low), low + ratio * (high - low)
    left, right = function(first), function(second)
    for _ in range(70):
        if left is None or right is None:
            return []
        if abs(left) < abs(right):
            high, second, right, first = second, first, left, second - ratio * (second - low)
            left = function(first)
        else:
            low, first, left, second = first, second, right, first + ratio * (high - first)
            right = function(second)
    point = (low + high) / 2
    value = function(point)
    if value is None or abs(value) > 1e-10 * size:
        return []
    return [float(round(point)) if abs(point - round(point)) < 1e-6 else point]
