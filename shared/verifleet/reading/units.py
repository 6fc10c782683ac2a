"""Units of measure: what each measures, its size, and values in another unit."""

from __future__ import annotations

from functools import cache

_YEAR = 365.25 * 86_400.0
# How many of the first unit of its dimension one unit is (international yard and pound of 1959).
_SIZES = {
    "length": {"meter": 1.0, "mile": 1609.344, "foot": 0.3048, "inch": 0.0254, "yard": 0.9144},
    "mass": {"gram": 0.001, "pound": 0.45359237, "ounce": 0.028349523125, "ton": 1000.0, "tonne": 1000.0},
    "time": {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0, "month": _YEAR / 12,
             "year": _YEAR, "decade": 10 * _YEAR, "century": 100 * _YEAR},
    "square length": {"hectare": 1e4, "acre": 4046.8564224},
    "cubic length": {"liter": 0.001},
    "length/time": {"kmh": 1 / 3.6, "mph": 0.44704, "knot": 1.852 / 3.6},
    "money": {"dollar": 0.0, "euro": 0.0, "yen": 0.0, "rupee": 0.0},
    "share": {"percent": 1.0, "permille": 0.1},
}  # fmt: skip
_PREFIXES = {"tera": 1e12, "giga": 1e9, "mega": 1e6, "kilo": 1e3, "hecto": 100.0, "deci": 0.1, "centi": 0.01,
             "milli": 1e-3, "micro": 1e-6, "nano": 1e-9}  # fmt: skip
_PREFIXED = "watt volt ampere joule newton pascal hertz ohm byte bit calorie electronvolt".split()
_SIZES |= {unit: {unit: 1.0} for unit in _PREFIXED}
_SIZES["pascal"]["bar"] = 1e5
DEGREES = {"celsius": (1.0, 0.0), "fahrenheit": (5 / 9, -160 / 9), "kelvin": (1.0, -273.15)}
"""Factor and offset to degrees Celsius."""
_SIMPLE = {unit: (dimension, size) for dimension, units in _SIZES.items() for unit, size in units.items()}
_SIMPLE |= {
    prefix + unit: (_SIMPLE[unit][0], _SIMPLE[unit][1] * times)
    for unit in ("meter", "gram", "liter", "second", "year", "bar", *_PREFIXED)
    for prefix, times in _PREFIXES.items()
}
_LETTERS = dict(zip("TGMkhdcm\u03bcn", _PREFIXES, strict=True))
# The signs of units and the prefixes that they are written with.
_SIGNED = {
    "TGMkhdcm\u03bcn": {"m": "meter"},
    "TGMkm\u03bcn": {"W": "watt", "V": "volt", "J": "joule", "N": "newton", "eV": "electronvolt", "\u03a9": "ohm"},
    "GMkm\u03bcn": {"A": "ampere", "Hz": "hertz"},
    "GMkhm\u03bcn": {"Pa": "pascal", "bar": "bar"},
    "Mkhdcm\u03bcn": {"g": "gram", "l": "liter", "L": "liter"},
    "Mm\u03bcn": {"s": "second"},
    "TGMk": {"B": "byte", "cal": "calorie"},
    "TGM": {"b": "bit"},
    "GMk": {"yr": "year", "a": "year", "ya": "year"},
}
UNITS_BY_CASE = {"Pa": "pascal", "Hz": "hertz", "eV": "electronvolt", "\u03a9": "ohm"} | {
    letter + sign: _LETTERS[letter] + unit
    for letters, signs in _SIGNED.items()
    for letter in letters
    for sign, unit in signs.items()
}
"""What signs stand for behind a number; a capital makes another unit of them: 3 mW is not 3 MW."""
_POWERS = {"": 1, "square": 2, "cubic": 3}
UNITS_OF_SIZE = frozenset(_SIMPLE)


@cache
def measures(unit: str) -> tuple[str, float] | None:
    """What a unit measures and its size: `square meter`, `kilometer/hour`."""
    above, per, below = unit.partition("/")
    if per:
        one, other = measures(above), measures(below)
        return (f"{one[0]}/{other[0]}", one[1] / other[1]) if one and other else None
    power, _, simple = unit.rpartition(" ")
    known = _SIMPLE.get(simple) or (("temperature", 0.0) if simple in DEGREES else None)
    return (f"{power} {known[0]}".strip(), known[1] ** _POWERS[power]) if known and power in _POWERS else known


def converted(value: float | None, unit: str, to: str) -> float | None:
    """A value in another unit; None where that is not the same kind."""
    if value is None or unit == to or {unit, to} - DEGREES.keys() == {"degree"}:
        return value
    if unit in DEGREES and to in DEGREES:
        factor, offset = DEGREES[unit]
        return (value * factor + offset - DEGREES[to][1]) / DEGREES[to][0]
    one, other = measures(unit), measures(to)
    return value * one[1] / other[1] if one and other and one[0] == other[0] and other[1] else None
