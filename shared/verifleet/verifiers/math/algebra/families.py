"""Values for every integer: `π/6 + 2kπ or 5π/6 + 2kπ` and `(-1)^n π/6 + nπ` are the same numbers."""

from __future__ import annotations

from verifleet.verifiers.math.algebra.evaluate import DOUBLES, value_at
from verifleet.verifiers.math.syntax.expression import Node

REACH = 24
"""Integers to each side of zero for which values are worked out."""
MAX_PARTS = 8
_TINY = 1e-9


def same_family(reference: tuple[Node, ...], answer: tuple[Node, ...], parameters: frozenset[str]) -> bool | None:
    """Whether two lists of values by an integer hold the same numbers; None where one is no such list.

    `parameters` may name the integer. Numbers are compared up to where both lists are complete.
    """
    first, second = _numbers(reference, parameters), _numbers(answer, parameters)
    if first is None or second is None:
        return None
    if len(reference) < len(answer) and any(same_family(reference, (part,), parameters) for part in answer):
        return False  # "π/4, or π/4 + kπ" leaves open which it is
    reach = min(first[1], second[1]) * (1 - _TINY)
    ours, others = ([number for number in numbers if abs(number) < reach] for numbers, _ in (first, second))
    return all(any(_near(a, b) for b in others) for a in ours) and all(any(_near(a, b) for a in ours) for b in others)


def _near(first: float, second: float) -> bool:
    return abs(first - second) <= _TINY * (1 + abs(first))


def _numbers(parts: tuple[Node, ...], parameters: frozenset[str]) -> tuple[list[float], float] | None:
    """The values of a list, and up to which size all of them are there; None where they don't grow with the integer."""
    found: list[float] = []
    reach = float("inf")
    for part in parts[: MAX_PARTS + 1]:
        names = part.said.variables()
        if len(names) > 1 or not names <= parameters or len(parts) > MAX_PARTS:
            return None
        values = []
        for at in range(-REACH, REACH + 1) if names else (0,):
            value = value_at(part.said, DOUBLES, {name: complex(at) for name in names})
            if value is None or abs(value.imag) > _TINY:
                return None
            values.append(value.real)
        if names:
            inner = max(map(abs, values[REACH // 2 : -REACH // 2]))
            reach = min(reach, *map(abs, (*values[:2], *values[-2:])))
            if reach <= inner:
                return None
        found += values
    return (found, reach) if reach < float("inf") else None
