"""A value that is said twice: exactly and as a decimal, as a fraction and in percent, in one unit and another."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from verifleet.verifiers.math.amounts import plainly_differ, strip_unit, terminates
from verifleet.verifiers.math.equality import precise_value
from verifleet.verifiers.math.evaluate import exact, precise_field
from verifleet.verifiers.math.expression import COLLECTIONS, Node, mul, num, variables
from verifleet.verifiers.math.parser import parse
from verifleet.verifiers.math.tokens import MAX_LENGTH, MathSyntaxError
from verifleet.verifiers.math.units import conversion

MAX_TAIL = 120  # characters of the value said again

_ABOUT = r"(?:approximately|approx\.|about|roughly|around|nearly|≈|\\approx(?![A-Za-z]))"
_AGAIN = r"(?:or|i\.e\.,?|that\s+is,?|which\s+(?:is|equals))"
_UNIT = (
    r"\s?(?!(?:is|are|was|were|more|of)\b)[A-Za-z°²³]{{1,15}}"
    r"(?:\s(?!(?:is|are|was|were|left|remain)\b)[A-Za-z²³]{{1,15}})?"
)
_AMOUNT = rf"(?P<{{}}>[-−+]?[$€£]?\d[\d,]*(?:\.\d+)?(?:\s?\\?%|{_UNIT})?)"
_TAIL = re.compile(
    r"(?:"
    rf"\s*,?\s\(\s*(?:{_AGAIN}\s+)?(?P<inside>{_ABOUT})?[\s$]*{_AMOUNT.format('first')}\$?\s*\)|"
    rf"(?:\s*,?\s+{_AGAIN}|,|(?=\s*(?:≈|\\approx)))\s*(?P<after>{_ABOUT})[\s$]*{_AMOUNT.format('second')}|"
    rf"\s*,?\s+{_AGAIN}[\s$]+{_AMOUNT.format('third')}"
    r")[\s$.]*$"
)


class Restated(NamedTuple):
    """A value and the same once more; `rounded`: the second is said to be an approximation."""

    text: str
    again: str
    rounded: bool


def restated(text: str) -> Restated | None:
    """The two values of `9π, approximately 28.27`, `3/8 (37.5%)`, `2.5 hours, or 150 minutes`."""
    start = max(0, len(text) - MAX_TAIL)
    match = _TAIL.search(text, start)
    if match is None or not text[: match.start()].strip():
        return None
    again = match.group("first") or match.group("second") or match.group("third")
    return Restated(text[: match.start()], again, bool(match.group("inside") or match.group("after")))


def agreed(said: Restated) -> tuple[Node, ...]:
    """The values that may stand for both, if both are constants and the second is the first up to its rounding.

    A decimal rounded further stands for itself alone: `3.9 ≈ 4` is no 4.
    """
    both = _constants(said)
    if both is None or not agree(*both, said.rounded):
        return ()
    return both[:1] if said.rounded and terminates(both[0]) else both


def contradicted(said: Restated) -> bool:
    """Whether the second value is said to be about the first and is not."""
    both = _constants(said) if said.rounded else None
    return both is not None and not agree(*both, rounded=True)


def _constants(said: Restated) -> tuple[Node, Node] | None:
    if len(said.text) > MAX_LENGTH:
        return None
    with suppress(MathSyntaxError):
        both = parse(said.text), parse(said.again)
        return both if all(map(_is_constant, both)) else None
    return None


def _is_constant(node: Node) -> bool:
    return not variables(node) and node.op not in COLLECTIONS and node.op != "rel"


def agree(value: Node, again: Node, rounded: bool) -> bool:
    """Whether two constants say the same, up to the digits written and the units; `rounded`: whole numbers too."""
    (left, unit), (right, other) = strip_unit(value), strip_unit(again)
    if unit and other:
        factor = conversion(other, unit)
        if factor is None:
            return False
        right = mul(num(factor), right)
    if not plainly_differ(left, right):
        return True
    first, second = precise_value(left), exact(right)
    if not rounded or first is None or second is None or second.denominator != 1:
        return False
    field = precise_field()
    return bool(abs(first - field.rational(second)) <= field.rational(Fraction(1, 2)))
