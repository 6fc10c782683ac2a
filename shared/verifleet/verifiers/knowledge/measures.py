"""Quantities in other units: 26.2 miles are 42.2 km, 24 months are two years."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import Token, stem

# How many of the first unit of its dimension one unit is (international yard and pound of 1959).
_DIMENSIONS = (
    {"meter": 1.0, "kilometer": 1000.0, "centimeter": 0.01, "millimeter": 0.001, "mile": 1609.344, "foot": 0.3048,
     "inch": 0.0254, "yard": 0.9144},
    {"kilogram": 1.0, "gram": 0.001, "milligram": 1e-6, "pound": 0.45359237, "ounce": 0.028349523125, "ton": 1000.0},
    {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0},
    {"month": 1.0, "year": 12.0, "decade": 120.0, "century": 1200.0},
    {"mph": 1.609344, "kmh": 1.0},
)  # fmt: skip
ROUNDING = 0.005
"""Relative difference that rounding in another unit may leave."""


def find_converted(tokens: Sequence[Token], number: str, unit: str, given: Collection[str]) -> Iterator[Occurrence]:
    """Places that say the quantity in another unit of the same dimension, other than the `given` ones."""
    dimension = next((d for d in _DIMENSIONS if unit in d), None)
    target = _value(number)
    if dimension is None or target is None:
        return
    for i in range(len(tokens) - 1):
        other = stem(tokens[i + 1].text)
        if not tokens[i].number or other in given or other not in dimension:
            continue
        value = _value(tokens[i].text)
        if value is not None and abs(value * dimension[other] - target * dimension[unit]) <= (
            ROUNDING * target * dimension[unit]
        ):
            yield Occurrence(i, i + 2, exact=False)


def _value(text: str) -> float | None:
    plain = text.removeprefix("-").replace(".", "", 1)
    return float(text) if plain.isascii() and plain.isdigit() and len(text) <= 18 else None
