"""Quantities in other units: 26.2 miles are 42.2 km, 24 months are two years; quantities within a tolerance."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import COMPOUND_UNITS, UNITS, Token, once, stem, tokenize

# How many of the first unit of its dimension one unit is (international yard and pound of 1959).
_DIMENSIONS = (
    {"meter": 1.0, "kilometer": 1000.0, "centimeter": 0.01, "millimeter": 0.001, "mile": 1609.344, "foot": 0.3048,
     "inch": 0.0254, "yard": 0.9144},
    {"kilogram": 1.0, "gram": 0.001, "milligram": 1e-6, "pound": 0.45359237, "ounce": 0.028349523125, "ton": 1000.0},
    {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0},
    {"month": 1.0, "year": 12.0, "decade": 120.0, "century": 1200.0},
    {"square meter": 1.0, "square kilometer": 1e6, "square centimeter": 1e-4, "square mile": 2_589_988.110336,
     "square foot": 0.09290304, "square yard": 0.83612736, "hectare": 1e4, "acre": 4046.8564224},
    {"cubic meter": 1.0, "liter": 0.001, "milliliter": 1e-6, "cubic centimeter": 1e-6, "cubic kilometer": 1e9},
    {"meter/second": 3.6, "kmh": 1.0, "kilometer/hour": 1.0, "mph": 1.609344, "mile/hour": 1.609344,
     "kilometer/second": 3600.0, "foot/second": 1.09728},
)  # fmt: skip
_YEAR = 365.25 * 86_400.0
_TIMES = {"month": _YEAR / 12, "year": _YEAR, "decade": 10 * _YEAR, "century": 100 * _YEAR}
"""In seconds, for what need not be exact."""
_DEGREES = {"celsius": (1.0, 0.0), "fahrenheit": (5 / 9, -160 / 9), "kelvin": (1.0, -273.15)}
"""Factor and offset to degrees Celsius."""
_ABBREVIATED = table("measures.abbreviated")
_ABOUT = listed("measures.about")
_KNOWN = UNITS | {unit for dimension in (*_DIMENSIONS, _DEGREES) for unit in dimension} | listed("measures.known")
HALF_A_DEGREE = 0.5
MAX_UNITS = 4
EXACT = 1e-9
ROUNDING = 0.005
"""Relative difference that rounding in another unit may leave."""


class Amount(NamedTuple):
    """A quantity in tokens `start` to `end` (exclusive), in the first unit of its dimension; `units` as written."""

    start: int
    end: int
    value: float
    dimension: Mapping[str, float]
    units: tuple[str, ...]


def amounts(tokens: Sequence[Token]) -> Iterator[Amount]:
    """`42.2 km`, `26 miles and 385 yards`, `four foot eight and a half inches`."""
    end = 0
    for start, token in enumerate(tokens):
        first = _amount(tokens, start) if token.number and start >= end else None
        while first is not None:
            end = first.end
            joined = end < len(tokens) and tokens[end].text == "and"
            behind = _amount(tokens, end + joined)
            smaller = behind is not None and behind.dimension is first.dimension and behind.units != first.units[-1:]
            if behind is None or not smaller or behind.value >= first.value or len(first.units) == MAX_UNITS:
                yield first
                break
            units = (*first.units, *behind.units)
            first = Amount(start, behind.end, first.value + behind.value, first.dimension, units)


def _amount(tokens: Sequence[Token], at: int) -> Amount | None:
    value = _value(tokens[at].text) if at < len(tokens) and tokens[at].number else None
    if value is None:
        return None
    half = [t.text for t in tokens[at + 1 : at + 4]] == ["and", "a", "half"]
    unit_at = at + 4 if half else at + 1
    unit = stem(tokens[unit_at].text) if unit_at < len(tokens) else ""
    dimension = next((d for d in _DIMENSIONS if unit in d), None)
    if dimension is None:
        return None
    return Amount(at, unit_at + 1, (value + half / 2) * dimension[unit], dimension, (unit,))


def find_converted(tokens: Sequence[Token], number: str, unit: str, given: Collection[str]) -> Iterator[Occurrence]:
    """Places that say the quantity in another unit of the same dimension, other than the `given` ones."""
    target = _value(number)
    if unit in _DEGREES and target is not None:
        yield from _find_degrees(tokens, target, unit, given)
    dimension = next((d for d in _DIMENSIONS if unit in d), None)
    if dimension is not None and target is not None:
        yield from _equal(tokens, target * dimension[unit], dimension, given)


def find_compound(tokens: Sequence[Token], meant: Sequence[Token]) -> Iterator[Occurrence]:
    """Places that say in any units what several units say together: `88,775 seconds` for 24 h 39 min 35 s."""
    whole = next(amounts(meant), None)
    if whole is not None and len(whole.units) > 1 and (whole.start, whole.end) == (0, len(meant)):
        yield from _equal(tokens, whole.value, whole.dimension, ())


def _equal(
    tokens: Sequence[Token], target: float, dimension: Mapping[str, float], given: Collection[str]
) -> Iterator[Occurrence]:
    for amount in once(tokens, "amounts", lambda: list(amounts(tokens))):
        rounding = EXACT if len(amount.units) == 1 and amount.units[0] in given else ROUNDING
        if amount.dimension is dimension and abs(amount.value - target) <= rounding * target:
            yield Occurrence(amount.start, amount.end, exact=False)


def _find_degrees(tokens: Sequence[Token], target: float, unit: str, given: Collection[str]) -> Iterator[Occurrence]:
    """`212 °F` for 100 °C, to the nearest degree."""
    for i, token in enumerate(tokens):
        value = _value(token.text) if token.number else None
        other, end = _named(tokens, i + 1) if value is not None and i + 1 < len(tokens) else ("", 0)
        if value is not None and other in _DEGREES and other not in given:
            meant = _converted(target, unit, other)
            if meant is not None and abs(value - meant) <= HALF_A_DEGREE:
                yield Occurrence(i, end, exact=False)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, empty where it has none: `square kilometer`, `meter/second`, `celsius`."""

    value: float
    unit: str


def read_quantity(text: str) -> Quantity | None:
    """The quantity that a text is, "about" and the like aside; None if it is anything else."""
    tokens = tokenize(text)
    at = next((i for i, t in enumerate(tokens) if t.number), None)
    value = None if at is None else _value(tokens[at].text)
    if at is None or value is None or not all(t.text in _ABOUT for t in tokens[:at]):
        return None
    unit, end = _unit(tokens, at + 1)
    counted = not unit and end + 1 == len(tokens) and not tokens[end].number  # "7 goals"
    return Quantity(value, unit) if end == len(tokens) or counted else None


def find_near(tokens: Sequence[Token], meant: Quantity, scale: str, tolerance: float) -> Iterator[Occurrence]:
    """Places whose quantity is within a relative tolerance of the one meant, converted where units differ.

    A number without a unit is taken in the unit meant; one in a unit that can't be converted is another quantity.
    `scale` is the unit in which the question asks, for a quantity that is meant without one.
    """
    unit = meant.unit or scale
    for i, token in enumerate(tokens):
        value = _value(token.text) if token.number else None
        if value is None:
            continue
        said, end = _unit(tokens, i + 1)
        converted = _converted(value, said, unit) if said and unit else value
        if converted is not None and math.isclose(converted, meant.value, rel_tol=tolerance, abs_tol=0.0):
            yield Occurrence(i, end)


def _converted(value: float, unit: str, to: str) -> float | None:
    if unit == to or {unit, to} - _DEGREES.keys() == {"degree"}:
        return value
    if unit in _DEGREES and to in _DEGREES:
        factor, offset = _DEGREES[unit]
        return (value * factor + offset - _DEGREES[to][1]) / _DEGREES[to][0]
    for dimension in (*_DIMENSIONS, _DIMENSIONS[2] | _TIMES):
        if unit in dimension and to in dimension:
            return value * dimension[unit] / dimension[to]
    return None


def _unit(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The unit that begins with token `at` and where it ends; ("", at) if there is none."""
    if at >= len(tokens) or tokens[at].gap.strip().strip("-°$€£¥([*_ "):
        return "", at
    unit, end = _named(tokens, at)
    return (unit, end) if unit in _KNOWN or unit in COMPOUND_UNITS else ("", at)


def _named(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    word = tokens[at].text
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if word in ("degree", "degrees") and _ABBREVIATED.get(following, following) in _DEGREES:
        return _ABBREVIATED.get(following, following), at + 2
    if word == "light" and stem(following) == "year":
        return "light-year", at + 2
    return _ABBREVIATED.get(word) or stem(word), at + 1


def _value(text: str) -> float | None:
    plain = text.removeprefix("-").replace(".", "", 1)
    return float(text) if plain.isascii() and plain.isdigit() and len(text) <= 18 else None
