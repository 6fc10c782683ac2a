"""Units of measurement: which words are units, and how two amounts relate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction as F
from functools import lru_cache

from verifleet.verifiers.math.syntax.tables import data

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Words that multiply by a power of ten."""
PERCENT_WORDS = frozenset({"percent", "pct", "percentage", "per cent", "%", "percentage points"})
_FUSED = dict(sqft=("ft", 2), sqm=("m", 2), sqcm=("cm", 2), sqkm=("km", 2), sqin=("inch", 2), cuft=("ft", 3))
_PER = frozenset({"/", "per"})
_TOKEN = re.compile(r"[a-z]+|\^?\s*\{?\s*(-?[1-3])\s*\}?|/")


def _units() -> Iterator[tuple[str, tuple[dict[str, int], F]]]:
    """Each word of a unit, with the powers of the base quantities that it measures and its factor to their units."""
    for quantities, kinds in data("units").items():
        powers = {name: int(power or 1) for name, _, power in (part.partition("^") for part in quantities.split())}
        for factor, words in kinds.items():
            yield from ((word, (powers, F(factor))) for word in words.split())


_UNITS = dict(_units())

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
