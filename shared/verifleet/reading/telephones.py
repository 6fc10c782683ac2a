"""Telephones in a text, by their digits and as they are written, and the places that they are of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from verifleet.reading.dates import YEARS
from verifleet.reading.gazetteer import spot_of

LEAST_DIGITS, MOST_DIGITS = 6, 15
_TELEPHONE = re.compile(r"\+?\d[\d ()/-]{4,58}\d(?!\w)")
_BY_SMS = re.compile(
    r"\bsms\b(?:\W{1,3}(?:to|al?|ao|au|an|the|il|el|n[or]?|num[eé]ro|number|solidale|solidario)\b){0,4}"
    r"\W{1,3}(\d{4,6})\b",
    re.IGNORECASE,
)
_WARNED = re.compile(
    r"\b(?:scams?|fraud\w*|fake|hoax|out of (?:order|service)|do not (?:call|use|donate)|don'?t call|estafa|truffa"
    r"|fals[oai]|no llam\w+|non chiamat\w*|arnaque)\b",
    re.IGNORECASE,
)
"""What warns of the telephones beside it, or says that they do not answer."""
_JOINED = re.compile(r"(?<=\d{6})-(?=\d{6})| ")
LONGEST_NAME, SHORTEST = 3, 4
"""Words of a name that stands alone between two telephones, and letters of a place that is looked for."""


@lru_cache(maxsize=8192)
def telephones(text: str) -> tuple[str, ...]:
    """The telephones in a text, by their digits."""
    return tuple("".join(filter(str.isdigit, number)) for number in _numbers(text))


def _numbers(text: str) -> list[str]:
    """The telephones in a text as they are written: each part of a row ends one that makes one by itself."""
    found: list[list[str]] = []
    for row in _TELEPHONE.findall(text):
        found.append([])
        for part in filter(None, _JOINED.split(row)):
            if len(part) == len("2012") and part.isdigit() and int(part) in YEARS and found[-1]:  # the end of a date
                found += [[]]
                continue
            found[-1].append(part)
            if sum(map(str.isdigit, part)) >= LEAST_DIGITS:
                found.append([])
    numbers = map(" ".join, found)
    long = [number for number in numbers if LEAST_DIGITS <= sum(map(str.isdigit, number)) <= MOST_DIGITS]
    return long or _BY_SMS.findall(text)


def warns(text: str) -> bool:
    """Whether a text warns of the telephones in it, or says that they do not answer."""
    return _WARNED.search(text) is not None


def placed_telephones(text: str) -> list[tuple[str, str]]:
    """The telephones in a text as they are written, each behind the place that it is of, "" for none."""
    found: list[tuple[str, str]] = []
    behind = text.replace(":", " ")
    for number in _numbers(text):
        before, _, behind = behind.partition(number)
        found.append((_place_of(before.split(), between=bool(found)), number))
    return found


def _place_of(words: Sequence[str], *, between: bool) -> str:
    """The place that is named last before a number, or the name that stands there: alone, where it is between two."""
    known = (spot_of(word.strip(".,()'\"").title()) for word in reversed(words) if len(word) >= SHORTEST)
    names = [word.strip(".,;-–/#") for word in words if not word.startswith("(")]
    alone = between and 0 < len(names := [name for name in names if name]) <= LONGEST_NAME
    if alone and all(name[:1].isupper() and name.isalpha() for name in names):
        return " ".join(names).title()
    name = list(takewhile(lambda word: word[:1].isupper() and word.isalpha(), reversed(words)))[::-1]
    named = 0 < len(name) <= min(LONGEST_NAME, len(words) - 1)  # behind other words: "…: San Felice 800 210644"
    return next((spot.name for spot in known if spot), " ".join(name).title() if named else "")
