"""The words of mathematics, from the data files: signs and commands, units, and what joins, conditions and denies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction as F
from functools import cache, lru_cache
from importlib.resources import files
from math import prod
from typing import Any

from verifleet.reading.words import spoken


@cache
def data(name: str) -> dict[str, Any]:
    """A data file of this folder."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("data", f"{name}.json").read_text("utf-8"))
    return found


def listed(name: str) -> frozenset[str]:
    """The words of one class, named after the module that uses it."""
    return frozenset(data("lists")[name].split())


def table(name: str) -> dict[str, str]:
    """What words and signs stand for, named likewise: in the file they stand behind what they mean."""
    return {word: meaning for meaning, words in data("tables")[name].items() for word in words.split()}


def phrased(name: str) -> str:
    """The phrases of one class, named likewise, as a regular expression; a blank in them is any white space."""
    return "|".join(data("phrases")[name]).replace(" ", r"\s+")


# --- units -------------------------------------------------------------------

SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""Words that multiply."""
PERCENT_WORDS = listed("vocabulary.percent") | {"%", "per cent", "percentage points"}
PER = listed("vocabulary.per")
_POWER_BEFORE, _POWER_BEHIND = table("vocabulary.power_before"), table("vocabulary.power_behind")
POWER_WORDS = frozenset(_POWER_BEFORE) | frozenset(_POWER_BEHIND)
"""Words that raise the unit beside them to a power."""
_OF_HEAT = re.compile(r"\bdegrees? (?=(?:celsius|fahrenheit)\b)", re.IGNORECASE)
_EITHER = {"angle": {"celsius", "fahrenheit"}, "¥": {"jpy", "cny"}}
"""What words and signs of two meanings measure, and what they may mean: `-5 degrees`, ¥."""
_TOKEN = re.compile(r"[^\W\d_]+|\^?\s*\{?\s*(-?[1-3])\s*\}?|/")


def _units() -> Iterator[tuple[str, tuple[dict[str, int], F]]]:
    """Each word of a unit, with the powers of the base quantities that it measures and its factor to their units."""
    for quantities, kinds in data("units").items():
        powers = {name: int(power or 1) for name, _, power in (part.partition("^") for part in quantities.split())}
        for factor, words in kinds.items():
            yield from ((word, (powers, F(factor))) for word in words.split())


_UNITS = dict(_units())

# Words that are units even in undelimited text, where a single letter or "in" is more likely something else.
PLAIN_UNIT_WORDS = frozenset(word for word in _UNITS if len(word) > 1 and word.islower()) | {"sq", "square", "cubic"}
UNIT_SIGNS = frozenset(word for word in _UNITS if not word.islower())
"""Signs in which capitals count, such as MW; without a number before it, MN is a line."""


@lru_cache(maxsize=4096)
def dimension(words: str) -> tuple[tuple[tuple[str, int], ...], F] | None:
    """Dimension and factor of a unit phrase such as "km / h", "square inches", "cm^2"; None for other words."""
    found: list[tuple[str, int]] = []
    sign, pending = 1, 1
    for match in _TOKEN.finditer(_OF_HEAT.sub("", words)):
        written = match.group().strip()
        piece = written if written in UNIT_SIGNS else written.lower()  # mW, MW, but Km as km
        if piece in PER:
            sign = -1
        elif piece in _POWER_BEFORE:
            pending = int(_POWER_BEFORE[piece])
        elif found and (power := match.group(1) or _POWER_BEHIND.get(piece)):
            found.append((found[-1][0], sign * (int(power) - 1)))
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
        kinds = {quantity for quantity, _ in (*source[0], *target[0])}
        alike = any(either in kinds and kinds & others for either, others in _EITHER.items())
        return F(1) if alike or (kinds == {"gbp", "mass"} and "pound" in from_words + to_words) else None
    return source[1] / target[1]


# --- words -------------------------------------------------------------------

OR = r"(?:\b(?:oder|ou|или|або|atau|hoặc)\b|或者?|または|又は|또는|أو)"
JOINING = table("vocabulary.joining")
"""Words that join values, and what they are in English."""
JOINING_IN_TEXT = JOINING | {"ou": "or", "o": "or", "et": "and", "y": "and", "e": "and"}
"""Those that are names of variables outside `\\text{}`."""
NOT = rf"(?:\b(?:{phrased('vocabulary.not')})\b|{phrased('vocabulary.not_in_script')})"
"""Words that deny (a regular expression)."""
JOINING_WORDS = JOINING_IN_TEXT | {"or": "or", "and": "and", "&": "and", "as well as": "and", "sowie": "and"}
REFUSING = re.compile(
    rf"{NOT}|\b(?:not|never|extraneous|reject|discard|invalid|inadmissible|impossible|fail|wrong"
    rf"|incorrect|false|untrue)",
    re.IGNORECASE,
)
"""Words in brackets that take back the value before them."""
CONDITIONAL = listed("vocabulary.conditional")
CONDITIONAL_HINT = r"\b(?:for|where|whenever|with|para|donde|pour|où|avec|für|wobei|mit|com|onde)\b|для|где"
QUANTIFIERS = listed("vocabulary.quantifiers")
NUMBERED = listed("vocabulary.numbered")

_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MAX_UNIT = 20


# What a word after a number must not say, if it is to be taken as a unit.
_NO_UNIT = spoken(rf"{NOT}|{OR}|{phrased('vocabulary.no_unit')}")


def may_be_unit(word: str) -> bool:
    """Whether a word of another script may be a unit, or what is counted."""
    if dimension(word) is not None:
        return True
    return len(word) <= MAX_UNIT and not _NO_UNIT.search(word) and (len(word) > 2 or bool(_IDEOGRAPHS.search(word)))
