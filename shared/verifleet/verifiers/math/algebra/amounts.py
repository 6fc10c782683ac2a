"""Amounts: a value with its unit, a decimal with its digits, and whether two of them plainly differ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifleet.verifiers.math.algebra.equality import precise_value, same_value
from verifleet.verifiers.math.algebra.evaluate import exact, precise_field
from verifleet.verifiers.math.syntax.expression import COLLECTIONS, Node, add, mul, names_in, neg, num
from verifleet.verifiers.math.syntax.vocabulary import SCALES, conversion, dimension

SIGNIFICANT_DIGITS = 6  # of a decimal given for an irrational or non-terminating value
_HALF = 0.5000001
_POWERS = (-3, -2, -1, 2, 3)
_ZEROS = {
    "celsius": (Fraction("273.15"), Fraction(1)),
    "fahrenheit": (Fraction("459.67"), Fraction(5, 9)),
    "kelvin": (Fraction(0), Fraction(1)),
}
_UNIT_LETTERS = frozenset({*"msghLlNJWVAKup", "Omega"})


def strip_unit(node: Node) -> tuple[Node, str]:
    """A quantity and its unit's words; a degree sign counts as a unit."""
    if node.op == "unit":
        inner, _ = strip_unit(node.args[0])
        return inner, str(node.value)
    if node.op == "deg":
        return Node(*node.args[0]), "degrees"
    if node.op in ("neg", "mul", "div", "add") and not any(arg.has("unit", "deg") for arg in node.args[:-1]):
        *before, last = node.args
        inner, unit = strip_unit(last) if node.op == "add" or last.op in ("unit", "deg") else (last, "")
        if unit:
            return neg(inner) if node.op == "neg" else Node(node.op, (*before, inner), node.value), unit
    return node, ""


def in_full(node: Node) -> tuple[Node, str]:
    """`1.25 million dollars` as 1250000 dollars, and the word that multiplies; any other node unchanged, and ""."""
    word, _, rest = str(node.value).lower().partition(" ") if node.op == "unit" else ("", "", "")
    if word not in SCALES:
        return node, ""
    value = mul(num(SCALES[word]), node.args[0])
    return Node("unit", (value,), rest) if rest else value, word


def in_kelvin(node: Node, unit: str) -> tuple[str, Node] | None:
    """The scale of a temperature, and what it is in kelvins; None for other amounts."""
    known = dimension(unit)
    scale = known[0][0][0] if known and [power for _, power in known[0]] == [1] else ""
    if scale not in _ZEROS:
        return None
    zero, step = _ZEROS[scale]
    return scale, mul(add(node, num(zero)), num(step))


def unit_letter(node: Node) -> Node | None:
    """`5 m` read as a product, read as an amount."""
    if node.op != "mul":
        return None
    bases = [arg.args[0] if arg.op == "pow" and exact(arg.args[1]) in _POWERS else arg for arg in node.args]
    first = next((at for at, base in enumerate(bases) if base.op == "var"), len(bases))
    if not 0 < first < len(bases) or not all(
        base.op == "var" and base.value in _UNIT_LETTERS for base in bases[first:]
    ):
        return None
    powers = (f" ^{exact(arg.args[1])}" if arg.op == "pow" else "" for arg in node.args[first:])
    words = " ".join(f"{base.value}{power}" for base, power in zip(bases[first:], powers, strict=True))
    return None if names_in(node.args[:first]) else Node("unit", (mul(*node.args[:first]),), words)


def decimal_digits(node: Node) -> tuple[int, int] | None:
    """Digits after the point and significant digits of a decimal or whole number as written; None for other forms."""
    if node.op == "neg":
        return decimal_digits(node.args[0])
    if node.op == "dec":
        value, places = node.value
        return places, len(str(abs(value * Fraction(10) ** places).__trunc__()))
    if node.op == "num" and node.value.denominator == 1:
        return 0, len(str(abs(node.value.numerator)))
    if node.op == "mul" and len(node.args) == 2 and node.args[1].op == "pow" and node.args[1].args[0] == num(10):
        inner, power = decimal_digits(node.args[0]), exact(node.args[1].args[1])
        if inner is not None and power is not None and power.denominator == 1 and abs(power) < 400:
            return inner[0] - power.numerator, inner[1]
    if node.op == "percent":
        inner = decimal_digits(node.args[0])
        return None if inner is None else (inner[0] + 2, inner[1])
    return None


def terminates(node: Node) -> bool:
    """Whether the exact value is a terminating decimal: its denominator divides a power of ten."""
    value = exact(node)
    return value is not None and pow(10, value.denominator.bit_length(), value.denominator) == 0


def stands_for(decimal: Node, value: Any, places: int | None) -> bool:
    """Whether a decimal is a value cut off or rounded, after enough digits or as many as are asked for."""
    digits, given = decimal_digits(decimal), precise_value(decimal)
    if digits is None or given is None:
        return False
    gap = abs(given - value) * precise_field().rational(Fraction(10) ** digits[0])
    if digits[0] > 0 and digits[1] >= SIGNIFICANT_DIGITS:
        return bool(gap <= 1)
    return places is not None and digits[0] >= places and bool(gap <= _HALF)


def plainly_differ(first: Node, second: Node) -> bool:
    """Whether two numbers differ, however a unit or percent sign is read, and however decimals were rounded."""
    if first.variables() or second.variables() or same_value(first, second) is not False:
        return False
    (left, unit), (right, other) = strip_unit(first), strip_unit(second)
    if unit and other:
        return False  # units are compared where the answer is
    if left.op in COLLECTIONS or right.op in COLLECTIONS or _near(left, right):
        return False
    left, right = (node.args[0] if node.op == "percent" else node for node in (left, right))
    return not _near(left, right)


def _near(first: Node, second: Node) -> bool:
    """Whether two numbers are equal, up to the rounding of the decimals in them."""
    values = precise_value(first), precise_value(second)
    if values[0] is None or values[1] is None:
        return True
    field = precise_field()
    allowed, size = field.rational(Fraction(0)), abs(values[0])
    for side in (first, second):
        scale = Fraction(1, 100) if side.op == "percent" else Fraction(1)
        for node in side.walk():
            if node.op == "dec":
                value, places = node.value
                step = Fraction(10) ** -places
                allowed = max(allowed, field.rational(step * scale), field.rational(step / (abs(value) or 1)) * size)
    return bool(abs(values[0] - values[1]) <= allowed)


def agree(value: Node, again: Node, rounded: bool) -> bool:
    """Whether two constants say the same, up to the digits written and the units; `rounded`: whole numbers too."""
    if same_value(value, again):
        return True
    (left, unit), (right, other) = strip_unit(value), strip_unit(again)
    if unit and other:
        factor = conversion(unit, other)
        if factor is None:
            return False
        left = left if factor == 1 else mul(num(factor), left)
    first, second, digits = precise_value(left), exact(right), decimal_digits(right)
    if first is None or precise_value(right) is None or (digits and digits[0] and digits == decimal_digits(left)):
        return same_value(left, right) is True
    if not plainly_differ(left, right):
        return True
    if not rounded or second is None or digits is None:
        return False
    field = precise_field()
    return bool(abs(first - field.rational(second)) <= field.rational(Fraction(10) ** -digits[0] / 2))
