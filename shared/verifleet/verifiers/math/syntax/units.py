"""Units of measurement: which words are units, and how two amounts relate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction as F
from functools import lru_cache
from math import prod

from verifleet.verifiers.math.syntax.tables import data, listed

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Words that multiply by a power of ten."""
PERCENT_WORDS = listed("units.percent") | {"%", "per cent", "percentage points"}
_PER = frozenset({"/", "per"})
_TOKEN = re.compile(r"[^\W\d_]+|\^?\s*\{?\s*(-?[1-3])\s*\}?|/")


def _units() -> Iterator[tuple[str, tuple[dict[str, int], F]]]:
    """Each word of a unit, with the powers of the base quantities that it measures and its factor to their units."""
    for quantities, kinds in data("units").items():
        powers = {name: int(power or 1) for name, _, power in (part.partition("^") for part in quantities.split())}
        for factor, words in kinds.items():
            yield from ((word, (powers, F(factor))) for word in words.split())


_UNITS = dict(_units())

# Words that are units even in undelimited text, where a single letter or "in" is more likely something else.
PLAIN_UNIT_WORDS = frozenset(word for word in _UNITS if len(word) > 1) | {"sq", "square", "cubic"}


@lru_cache(maxsize=4096)
def dimension(words: str) -> tuple[tuple[tuple[str, int], ...], F] | None:
    """Dimension and factor of a unit phrase such as "km / h", "square inches", "cm^2"; None for other words."""
    found: list[tuple[str, int]] = []
    sign, pending = 1, 1
    for match in _TOKEN.finditer(words.lower()):
        piece = match.group().strip()
        if piece in _PER:
            sign = -1
        elif piece in ("square", "sq", "cubic", "cu"):
            pending = 2 if piece.startswith("sq") else 3
        elif (match.group(1) or piece in ("squared", "cubed")) and found:
            power = int(match.group(1) or 2 + (piece == "cubed"))
            found.append((found[-1][0], sign * (power - 1)))
        elif (name := "inch" if piece == "in" else piece) in _UNITS:
            found.append((name, sign * pending))
            pending = 1
        else:
            break  # `m long`, `cups of feed`
    total = Counter[str]()
    for name, power in found:
        total.update({quantity: exponent * power for quantity, exponent in _UNITS[name][0].items()})
    factor = prod((_UNITS[name][1] ** power for name, power in found), start=F(1))
    return (tuple(sorted(item for item in total.items() if item[1])), factor) if found else None


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
