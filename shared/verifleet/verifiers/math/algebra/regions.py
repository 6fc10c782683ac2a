"""Sets of real numbers by their ends: intervals, inequalities, unions, set-builders, and points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import NamedTuple

from verifleet.verifiers.math.algebra.equality import real_double, same_value
from verifleet.verifiers.math.syntax.expression import INFINITY, Node, add, neg, num, sub

MAX_ENDS = 128
_FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class End(NamedTuple):
    """Where a set begins or stops: a double orders it, an expression decides equality."""

    value: float
    node: Node


class Region(NamedTuple):
    """A set of reals; `holds`: whether it has what lies below its first end, that end, what lies above, and so on."""

    ends: tuple[End, ...]
    holds: tuple[bool, ...]


ALL, _NOTHING = Region((), (True,)), Region((), (False,))


class NotARegionError(ValueError):
    """The expression is no set of reals in one variable that is solved for that variable."""


def region(node: Node) -> Region | None:
    """A set of reals; None for what is none, or not solved for its one variable."""
    try:
        return _region(node)
    except NotARegionError:
        return None


def contains(where: Region, value: float, near: float = 0.0, above: int = 0) -> bool:
    """Whether a number, or what lies just above it, is in a region; its ends count as wide as `near`."""
    for index, end in enumerate(where.ends):
        if abs(value - end.value) <= near:
            return where.holds[2 * index + 1 + above]
        if value < end.value:
            return where.holds[2 * index]
    return where.holds[-1]


def same_region(left: Region, right: Region) -> bool:
    """Whether two sets of reals are the same."""
    pairs = zip(left.ends, right.ends, strict=False)
    return left.holds == right.holds and all(same_value(a.node, b.node) is True for a, b in pairs)


def _region(node: Node) -> Region:
    rule = _RULES.get(node.op)
    return _point(node) if rule is None else rule(node)


def _made(ends: Iterable[End], has: Callable[[float, int], bool]) -> Region:
    """The region that has certain numbers, and what lies just above them; the ends that matter are among those."""
    known = sorted({end.value: end for end in ends if math.isfinite(end.value)}.values())
    if len(known) > MAX_ENDS:
        raise NotARegionError("too many ends")
    holds = [has(-math.inf, 1), *(has(end.value, above) for end in known for above in (0, 1))]
    kept = [index for index in range(len(known)) if len(set(holds[2 * index : 2 * index + 3])) > 1]
    sides = (holds[2 * index + side] for index in kept for side in (1, 2))
    return Region(tuple(known[index] for index in kept), (holds[0], *sides))


def _combined(how: Callable[[Iterable[bool]], bool], *parts: Region) -> Region:
    """The numbers that all parts have, or any of them."""
    ends = [end for part in parts for end in part.ends]
    return _made(ends, lambda value, above: how(contains(part, value, above=above) for part in parts))


def _complement(where: Region) -> Region:
    return Region(where.ends, tuple(not held for held in where.holds))


def _segment(low: Node, high: Node, low_open: bool, high_open: bool) -> Region:
    first, last = _end(low), _end(high)
    if first.value > last.value:
        raise NotARegionError("ends in the wrong order")
    start, stop = (first.value, int(low_open)), (last.value, 0 if high_open else 1)
    return _made((first, last), lambda value, above: start <= (value, above) < stop)


def _end(node: Node) -> End:
    value = real_double(node)
    if value is None:
        raise NotARegionError("an end that is no real number")
    return End(value, node)


def _point(node: Node) -> Region:
    if math.isinf(_end(node).value):
        raise NotARegionError("infinity as a point")
    return _segment(node, node, False, False)


def _tuple(node: Node) -> Region:
    if len(node.args) != 2 or node.value != "()":
        raise NotARegionError("a tuple")
    return _segment(node.args[0], node.args[1], True, True)


def _set_builder(node: Node) -> Region:
    element, condition = node.args
    name = element.args[0] if element.op == "rel" and element.value == ("in",) else element
    if name.op != "var":
        raise NotARegionError("a set of something composed")
    return _region(condition)


def _half_line(left: Node, operator: str, right: Node) -> Region:
    if operator in ("in", "notin") and left.op == "var":
        return _region(right) if operator == "in" else _complement(_region(right))
    if right.op == "abs":
        left, right, operator = right, left, _FLIP.get(operator, operator)
    if left.op == "abs" and not right.variables():
        return _distance(left.args[0], operator, right)
    if left.op != "var":
        left, right, operator = right, left, _FLIP.get(operator, "")
    if left.op != "var" or right.variables():
        raise NotARegionError("an inequality that is not solved")
    if operator in ("<", "<="):
        return _segment(neg(INFINITY), right, True, operator == "<")
    if operator in (">", ">="):
        return _segment(right, INFINITY, operator == ">", True)
    if operator in ("=", "!="):
        return _point(right) if operator == "=" else _complement(_point(right))
    raise NotARegionError(f"the relation {operator}")


def _distance(inner: Node, operator: str, bound: Node) -> Region:
    """`|x - a| < r` and the like."""
    centre = num(0)
    if inner.op == "add" and len(inner.args) == 2 and inner.args[0].op == "var" and not inner.args[1].variables():
        inner, centre = inner.args[0], neg(inner.args[1])
    if inner.op != "var" or operator not in ("<", "<=", ">", ">="):
        raise NotARegionError("an inequality that is not solved")
    low, high = sub(centre, bound), add(centre, bound)
    if operator in ("<", "<="):
        return _segment(low, high, operator == "<", operator == "<")
    return _combined(any, _half_line(inner, _FLIP[operator], low), _half_line(inner, operator, high))


def _list(node: Node) -> Region:
    if len({name for arg in node.args if arg.op == "rel" for name in arg.variables()}) > 1:
        raise NotARegionError("several variables")
    first = node.args[0]
    if first.op == "rel" and first.value == ("!=",):  # x ≠ 2, -2
        parts = (part if part.op == "rel" else Node("rel", (first.args[0], part), ("!=",)) for part in node.args)
        return _combined(all, *map(_region, parts))
    regions = [_region(part) for part in node.args]
    either = _combined(any, *regions)
    relations = all(part.op == "rel" for part in node.args)
    stated = not all(part.op == "rel" and part.value == ("=",) for part in node.args)
    if relations and (node.value in ("and", "∧") or (node.value == "," and stated)):
        both = _combined(all, *regions)
        # "x < -1, x > 3" and even "x < -1 and x > 3" are said for the union, never for nothing at all
        return either if both == _NOTHING else both
    if node.value == "or" and stated and any(_combined(all, *pair) != _NOTHING for pair in combinations(regions, 2)):
        raise NotARegionError("alternatives, one of which holds the other")
    return either


_RULES: dict[str, Callable[[Node], Region]] = {
    "interval": lambda node: _segment(node.args[0], node.args[1], *node.value),
    "tuple": _tuple,
    "const": lambda node: {"reals": ALL, "emptyset": _NOTHING}.get(node.value) or _point(node),
    "union": lambda node: _combined(any, *map(_region, node.args)),
    "inter": lambda node: _combined(all, *map(_region, node.args)),
    "diff": lambda node: _combined(all, _region(node.args[0]), _complement(_region(node.args[1]))),
    "set": lambda node: _combined(any, *map(_point, node.args)),
    "setbuilder": _set_builder,
    "rel": lambda node: _combined(all, *map(_half_line, node.args, node.value, node.args[1:])),
    "list": _list,
}
