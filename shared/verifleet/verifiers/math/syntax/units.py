"""Units of measurement: which words are units, and how two amounts relate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction as F
from functools import lru_cache

_TABLE = """
length: 1 m meter meters metre metres, 1/10 dm decimeters, 1/100 cm centimeter centimeters centimetre centimetres
length: 1/1000 mm millimeter millimeters millimetre millimetres, 1000 km kilometer kilometers kilometre kilometres kms
length: 1/1000000 um micrometer micrometers micron microns, 1/1000000000 nm nanometer nanometers
length: 0.0254 inch inches, 0.3048 ft foot feet, 0.9144 yd yds yard yards, 1609.344 mi mile miles
mass: 1 kg kgs kilogram kilograms, 1/1000 g gram grams gm gms, 1/1000000 mg milligram milligrams
mass: 1000 ton tons tonne tonnes, 0.45359237 lb lbs pound pounds, 0.028349523125 oz ounce ounces
time: 1 s sec secs second seconds, 1/1000 ms millisecond milliseconds, 60 min mins minute minutes
time: 3600 h hr hrs hour hours, 86400 day days, 604800 week weeks wk wks
years: 1 yr yrs year years, 1/12 month months mo
length^3: 1/1000 l liter liters litre litres, 1/1000000 ml milliliter milliliters millilitre millilitres cc
us_volume: 1 gal gallon gallons, 1/4 qt quart quarts, 1/8 pt pint pints, 1/16 cup cups
length time^-1: 0.44704 mph, 5/18 kph kmh kmph
angle: 1 degree degrees deg degs
radian: 1 rad rads radian radians
usd: 1 dollar dollars usd bucks, 1/100 cent cents penny pennies
eur: 1 euro euros eur
gbp: 1 gbp sterling
cny: 1 yuan rmb cny
inr: 1 rupee rupees inr rs
force: 1 n newton newtons, 1000 kn
energy: 1 j joule joules, 1000 kj
power: 1 w watt watts, 1000 kw
pressure: 1 pa pascal pascals, 1000 kpa
voltage: 1 v volt volts
resistance: 1 ohm ohms omega
current: 1 a amp amps ampere amperes
frequency: 1 hz hertz, 1000 khz
celsius: 1 celsius
fahrenheit: 1 fahrenheit
amount: 1 mol mole moles
length^2: 10000 ha hectare hectares
area: 1 acre acres
: 1 unit units u
"""
"""Base quantities with their powers: factors to the base unit, each with the words for it."""

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Words that multiply by a power of ten."""
PERCENT_WORDS = frozenset({"percent", "pct", "percentage", "per cent", "%", "percentage points"})
_FUSED = dict(sqft=("ft", 2), sqm=("m", 2), sqcm=("cm", 2), sqkm=("km", 2), sqin=("inch", 2), cuft=("ft", 3))
_PER = frozenset({"/", "per"})
_TOKEN = re.compile(r"[a-z]+|\^?\s*\{?\s*(-?[1-3])\s*\}?|/")


def _read(table: str) -> Iterator[tuple[str, tuple[dict[str, int], F]]]:
    for line in table.strip().splitlines():
        quantities, _, kinds = line.partition(":")
        powers = {name: int(power or 1) for name, _, power in (part.partition("^") for part in quantities.split())}
        for factor, *words in map(str.split, kinds.split(",")):
            yield from ((word, (powers, F(factor))) for word in words)


_UNITS = dict(_read(_TABLE))

# Words that are units even in undelimited text, where a single letter or "in" is more likely something else.
PLAIN_UNIT_WORDS = frozenset(word for word in _UNITS if len(word) > 1) | {"sq", "square", "cubic"} | set(_FUSED)


@lru_cache(maxsize=4096)
def dimension(words: str) -> tuple[tuple[tuple[str, int], ...], F] | None:
    """Dimension and factor of a unit phrase such as "km / h", "square inches", "cm^2"; None for other words."""
    total: dict[str, int] = {}
    factor = F(1)
    sign, pending, last = 1, 1, None
    for match in _TOKEN.finditer(words.lower()):
        piece = match.group().strip()
        if piece in _PER:
            sign = -1
        elif piece in ("square", "sq", "cubic", "cu"):
            pending = 2 if piece.startswith("sq") else 3
        elif match.group(1) or piece in ("squared", "cubed"):
            if last is None:
                return None
            factor = _apply(total, factor, last, sign * (int(match.group(1) or 2 + (piece == "cubed")) - 1))
        else:
            name, power = _FUSED.get(piece, ("inch" if piece == "in" else piece, 1))
            if name not in _UNITS and last is not None:
                break  # `m long`, `cups of feed`
            if name not in _UNITS:
                return None
            last = name
            factor = _apply(total, factor, name, sign * pending * power)
            pending = 1
    if last is None:
        return None
    return tuple(sorted((name, power) for name, power in total.items() if power)), factor


def _apply(total: dict[str, int], factor: F, name: str, power: int) -> F:
    parts, size = _UNITS[name]
    for quantity, exponent in parts.items():
        total[quantity] = total.get(quantity, 0) + exponent * power
    return factor * size**power


def conversion(from_words: str, to_words: str) -> F | None:
    """Factor from one unit to another; None if they are not of the same kind. Unknown words convert one to one."""
    source, target = dimension(from_words), dimension(to_words)
    if source is None or target is None or not source[0] or not target[0]:
        return F(1)  # things that are counted, not measured: "students", "square units"
    if source[0] != target[0]:
        return None
    return source[1] / target[1]


def lengths(first: str, second: str) -> bool:
    """Whether two units are both powers of a length, as cm and cm^2 are."""
    known = [dimension(words) for words in (first, second)]
    return all(unit is not None and [name for name, _ in unit[0]] == ["length"] for unit in known)
