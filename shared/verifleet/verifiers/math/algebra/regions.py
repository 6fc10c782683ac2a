"""Sets of real numbers as sorted segments: intervals, inequalities, unions, set-builders, and points."""

from __future__ import annotations

import math
from typing import NamedTuple

from verifleet.verifiers.math.algebra.equality import real_double, same_value
from verifleet.verifiers.math.syntax.expression import INFINITY, Node, add, neg, num, sub

MAX_SEGMENTS = 64
_FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class End(NamedTuple):
    """An end of a segment: a double and a side order it, an expression decides equality.

    Side 0 is the number itself, 1 just above it (an open low end), -1 just below (an open high end).
    """

    value: float
    side: int
    node: Node


class Segment(NamedTuple):
    """Reals between two ends."""

    low: End
    high: End


Region = tuple[Segment, ...]
_LOWEST, _HIGHEST = End(float("-inf"), 1, neg(INFINITY)), End(float("inf"), -1, INFINITY)
ALL: Region = (Segment(_LOWEST, _HIGHEST),)


def _place(end: End) -> tuple[float, int]:
    return end.value, end.side


class NotARegionError(ValueError):
    """The expression is no set of reals in one variable that is solved for that variable."""


def region(node: Node) -> Region | None:
    """A set of reals; None for what is none, or not solved for its one variable."""
    try:
        return _merge(_region(node))
    except NotARegionError:
        return None


def _region(node: Node) -> list[Segment]:
    rule = _RULES.get(node.op)
    if rule is None:
        return [_point(node)]
    segments = rule(node)
    if len(segments) > MAX_SEGMENTS:
        raise NotARegionError("too many segments")
    return segments


def _segment(low: Node, high: Node, low_open: bool, high_open: bool) -> list[Segment]:
    first, last = _end(low), _end(high)
    if first > last:
        raise NotARegionError("ends in the wrong order")
    if first == last and (low_open or high_open):
        return []
    left = End(first, int(low_open or first == _LOWEST.value), low)
    return [Segment(left, End(last, -int(high_open or last == _HIGHEST.value), high))]


def _end(node: Node) -> float:
    value = real_double(node)
    if value is None:
        raise NotARegionError("an end that is no real number")
    return value


def _point(node: Node) -> Segment:
    value = _end(node)
    if value in (float("inf"), float("-inf")):
        raise NotARegionError("infinity as a point")
    return Segment(End(value, 0, node), End(value, 0, node))


def _tuple(node: Node) -> list[Segment]:
    if len(node.args) != 2 or node.value != "()":
        raise NotARegionError("a tuple")
    return _segment(node.args[0], node.args[1], True, True)


def _constant(node: Node) -> list[Segment]:
    if node.value == "reals":
        return list(ALL)
    if node.value == "emptyset":
        return []
    return [_point(node)]


def _union(node: Node) -> list[Segment]:
    return [segment for arg in node.args for segment in _region(arg)]


def _intersection(node: Node) -> list[Segment]:
    result = _region(node.args[0])
    for arg in node.args[1:]:
        result = intersect(_merge(result), _merge(_region(arg)))
    return result


def intersect(left: Region, right: Region) -> list[Segment]:
    """What two regions have in common."""
    both = [Segment(max(a.low, b.low, key=_place), min(a.high, b.high, key=_place)) for a in left for b in right]
    return [segment for segment in both if _place(segment.low) <= _place(segment.high)]


def _complement(segments: Region) -> list[Segment]:
    lows = [_LOWEST, *(End(end.value, end.side + 1, end.node) for _, end in segments)]
    highs = [*(End(end.value, end.side - 1, end.node) for end, _ in segments), _HIGHEST]
    gaps = map(Segment, lows, highs)
    return [gap for gap in gaps if gap.low.value < _HIGHEST.value and _place(gap.low) <= _place(gap.high)]


def _difference(node: Node) -> list[Segment]:
    return intersect(_merge(_region(node.args[0])), tuple(_complement(_merge(_region(node.args[1])))))


def _set_builder(node: Node) -> list[Segment]:
    element, condition = node.args
    name = element.args[0] if element.op == "rel" and element.value == ("in",) else element
    if name.op != "var":
        raise NotARegionError("a set of something composed")
    return _region(condition)


def _relation(node: Node) -> list[Segment]:
    result: Region = ALL
    for left, operator, right in zip(node.args, node.value, node.args[1:], strict=False):
        result = _merge(intersect(result, _merge(_half_line(left, operator, right))))
    return list(result)


def _half_line(left: Node, operator: str, right: Node) -> list[Segment]:
    if operator == "in" and left.op == "var":
        return _region(right)
    if operator == "notin" and left.op == "var":
        return _complement(_merge(_region(right)))
    if right.op == "abs":
        left, right, operator = right, left, _FLIP.get(operator, operator)
    if left.op == "abs" and not right.variables():
        return _distance(left.args[0], operator, right)
    if left.op != "var":
        left, right, operator = right, left, _FLIP.get(operator, "")
    if left.op != "var" or right.variables():
        raise NotARegionError("an inequality that is not solved")
    if operator in ("<", "<="):
        return _segment(_LOWEST.node, right, True, operator == "<")
    if operator in (">", ">="):
        return _segment(right, INFINITY, operator == ">", True)
    if operator == "=":
        return [_point(right)]
    if operator == "!=":
        return _complement((_point(right),))
    raise NotARegionError(f"the relation {operator}")


def _distance(inner: Node, operator: str, bound: Node) -> list[Segment]:
    """`|x - a| < r` and the like."""
    centre = num(0)
    if inner.op == "add" and len(inner.args) == 2 and inner.args[0].op == "var" and not inner.args[1].variables():
        inner, centre = inner.args[0], neg(inner.args[1])
    if inner.op != "var" or operator not in ("<", "<=", ">", ">="):
        raise NotARegionError("an inequality that is not solved")
    strict = operator in ("<", ">")
    low, high = sub(centre, bound), add(centre, bound)
    if operator in ("<", "<="):
        return _segment(low, high, strict, strict)
    return [*_segment(_LOWEST.node, low, True, strict), *_segment(high, INFINITY, strict, True)]


def _list(node: Node) -> list[Segment]:
    if len({name for arg in node.args if arg.op == "rel" for name in arg.variables()}) > 1:
        raise NotARegionError("several variables")
    parts = list(node.args)
    if parts[0].op == "rel" and parts[0].value == ("!=",):  # x ≠ 2, -2
        parts = [part if part.op == "rel" else Node("rel", (parts[0].args[0], part), ("!=",)) for part in parts]
        return _intersection(Node("inter", tuple(parts)))
    relations = all(part.op == "rel" for part in parts)
    if node.value in ("and", "∧") or (
        node.value == "," and relations and not all(part.value == ("=",) for part in parts)
    ):
        if relations:
            both = _intersection(Node("inter", tuple(parts)))
            # "x < -1, x > 3" and even "x < -1 and x > 3" are said for the union, never for nothing at all
            return both or _union(node)
        return _union(node)
    if node.value == "or" and not all(part.op == "rel" and part.value == ("=",) for part in parts):
        regions = [_merge(_region(part)) for part in parts]
        if any(intersect(one, other) for index, one in enumerate(regions) for other in regions[index + 1 :]):
            raise NotARegionError("alternatives, one of which holds the other")
    return _union(node)


_RULES = {
    "interval": lambda node: _segment(*node.args, *node.value),
    "tuple": _tuple,
    "const": _constant,
    "union": _union,
    "inter": _intersection,
    "diff": _difference,
    "set": lambda node: [_point(arg) for arg in node.args],
    "setbuilder": _set_builder,
    "rel": _relation,
    "list": _list,
}


def _merge(segments: list[Segment]) -> Region:
    merged: list[Segment] = []
    for segment in sorted(segments, key=lambda segment: _place(segment.low)):
        last = merged[-1].high if merged else None
        if last is not None and _place(segment.low) <= (last.value, last.side + 1):
            merged[-1] = Segment(merged[-1].low, max(last, segment.high, key=_place))
        else:
            merged.append(segment)
    return tuple(merged)


def contains(segments: Region, value: float, near: float = 0.0) -> bool:
    """Whether a number is in a region; its ends count as wide as `near`."""
    return any(
        (value > low.value + near if low.side else value >= low.value - near)
        and (value < high.value - near if high.side else value <= high.value + near)
        for low, high in segments
    )


def same_region(left: Region, right: Region) -> bool:
    """Whether two sets of reals are the same."""
    return len(left) == len(right) and all(
        a.side == b.side and (a.value == b.value if math.isinf(a.value) else same_value(a.node, b.node) is True)
        for pair in zip(left, right, strict=True)
        for a, b in zip(*pair, strict=True)
    )
