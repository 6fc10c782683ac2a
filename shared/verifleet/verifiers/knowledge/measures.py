"""Quantities in other units: 26.2 miles are 42.2 km, 24 months are two years; quantities within a tolerance."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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
EXACT = 1e-9
ROUNDING = 0.005
"""Relative difference that rounding in another unit may leave."""


class Quantity(NamedTuple):
    """A number in tokens `start` to `end` (exclusive) in its unit, empty where it has none; `units` as written."""

    start: int
    end: int
    value: float
    unit: str = ""
    units: tuple[str, ...] = ()


def quantities(tokens: Sequence[Token]) -> list[Quantity]:
    """`7`, `42.2 km`, `26 miles and 385 yards`, `four foot eight and a half inches`; kept with the tokens."""
    return once(tokens, "quantities", lambda: list(_quantities(tokens)))


def _quantities(tokens: Sequence[Token]) -> Iterator[Quantity]:
    end = 0
    for start in range(len(tokens)):
        first = _quantity(tokens, start) if start >= end else None
        while first is not None:
            end = first.end
            behind = _quantity(tokens, end + (end < len(tokens) and tokens[end].text == "and"))
            more = _converted(behind.value, behind.unit, first.unit) if behind and behind.unit and first.unit else None
            if behind is None or more is None or behind.unit in first.units or not 0 <= more < first.value:
                yield first
                break
            first = Quantity(start, behind.end, first.value + more, first.unit, (*first.units, behind.unit))


def _quantity(tokens: Sequence[Token], at: int) -> Quantity | None:
    value = _value(tokens[at].text) if at < len(tokens) and tokens[at].number else None
    if value is None:
        return None
    half = [t.text for t in tokens[at + 1 : at + 4]] == ["and", "a", "half"]
    unit, end = _unit(tokens, at + 4 if half else at + 1)
    if half and not unit:
        return Quantity(at, at + 1, value)
    return Quantity(at, end, value + half / 2, unit, (unit,) if unit else ())


def read_quantity(text: str) -> Quantity | None:
    """The quantity that a text is, "about" and the like aside; None if it is anything else."""
    tokens = tokenize(text)
    meant = next(iter(_quantities(tokens)), None)
    if meant is None or not all(t.text in _ABOUT for t in tokens[: meant.start]):
        return None
    counted = not meant.unit and meant.end + 1 == len(tokens)  # "7 goals"
    return meant if meant.end == len(tokens) or counted else None


def find_quantity(
    tokens: Sequence[Token], meant: Quantity, scale: str, given: Collection[str], tolerance: float | None
) -> Iterator[Occurrence]:
    """Places whose quantity is the one meant in another unit, or that is it within a relative tolerance in any.

    In the units `given`, in which the answer or an alias of it is known, no rounding is allowed for. With a tolerance a
    number without a unit is taken in the unit meant; one in a unit that can't be converted is another quantity.
    `scale` is the unit in which the question asks, for a quantity that is meant without one.
    """
    unit = meant.unit or scale
    for said in quantities(tokens):
        value = _converted(meant.value, unit, said.unit) if said.unit and unit else None
        if tolerance is not None:
            value = meant.value if not said.unit or not unit else value
            near = tolerance * max(abs(said.value), abs(value or 0))
        elif said.units[1:] or said.unit not in given:
            near = HALF_A_DEGREE if unit in _DEGREES else ROUNDING * abs(value or 0)
        else:
            near = EXACT * abs(said.value)
        other = tolerance is not None or said.units != meant.units
        if other and value is not None and abs(value - said.value) <= near:
            yield Occurrence(said.start, said.end, exact=tolerance is not None)


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
    word, following = tokens[at].text, tokens[at + 1].text if at + 1 < len(tokens) else ""
    if word in ("degree", "degrees") and _ABBREVIATED.get(following, following) in _DEGREES:
        return _ABBREVIATED.get(following, following), at + 2
    if word == "light" and stem(following) == "year":
        return "light-year", at + 2
    unit = _ABBREVIATED.get(word) or stem(word)
    return (unit, at + 1) if unit in _KNOWN or unit in COMPOUND_UNITS else ("", at)


def _value(text: str) -> float | None:
    plain = text.removeprefix("-").replace(".", "", 1)
    return float(text) if plain.isascii() and plain.isdigit() and len(text) <= 18 else None
