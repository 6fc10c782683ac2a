"""The gazetteer: what a name may mean, where that is, and whether two places can be one.

Countries, states, provinces and larger cities come from `data/gazetteer.json` (GeoNames data, CC BY 4.0, built by
tools/build_gazetteer.py): places, and what each name, each word for a people and each code may mean, the largest first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import cos, hypot, radians
from typing import Annotated, Any, Literal

from pydantic import Field

from verifleet.reading import words

Level = Literal["city", "region", "country"]
LONGEST = 5
"""The most words of a name that are looked up."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of the gazetteer.

    Attributes:
        name: its first name there.
        level: city, region (state, province, island) or country.
        country: ISO 3166 code.
        region: the folded name of the state that a city lies in; of a region its own.
        at: latitude and longitude; None where unknown.
        radius: how far it reaches, in km.
        size: digits of its population; above all cities for regions and countries.
        common: no name that reports often give without a word such as "in": taken with care.
    """

    name: Annotated[str, Field(max_length=80)]
    level: Level
    country: Annotated[str, Field(max_length=2)]
    region: Annotated[str, Field(max_length=80)] = ""
    at: tuple[float, float] | None = None
    radius: float = 10
    size: Annotated[int, Field(exclude=True)] = field(default=0, compare=False)
    common: Annotated[bool, Field(exclude=True)] = field(default=False, compare=False)


def fold(name: str) -> str:
    """The name without case, accents and dots."""
    return words.fold(name).replace("’", "'").replace(".", "")


def meanings(name: str) -> tuple[Spot, ...]:
    """What a folded name may mean, the largest first."""
    return _index("names").get(name, ())


def of_people(word: str) -> tuple[Spot, ...]:
    """The country of a folded word for its people ("filipino")."""
    return _index("people").get(word, ())


def coded(code: str) -> tuple[Spot, ...]:
    """What an airport's code, a country's or a state's code may mean, in capitals or not."""
    return _index("codes").get(code.upper(), ())


def distance(one: Spot, other: Spot) -> float | None:
    """Kilometres between two places, those within a place's own radius left out; None where a position is unknown."""
    if one.at is None or other.at is None:
        return None
    return max(0.0, _away(one.at, other.at) - one.radius - other.radius)


def _away(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Kilometres between two positions."""
    wide = abs(one[1] - other[1])
    return 111 * hypot(one[0] - other[0], min(wide, 360 - wide) * cos(radians((one[0] + other[0]) / 2)))


@cache
def middle(country: str) -> tuple[float, float] | None:
    """A point of a country: of its states, else its cities, the one that has the others nearest around it."""
    known = {spot for spots in _index("names").values() for spot in spots if spot.country == country and spot.at}
    states = {spot for spot in known if spot.level == "region"}
    points = sorted({spot.at for spot in states or known if spot.at})
    return min(points, key=lambda one: sum(_away(one, other) for other in points), default=None)


def within(small: Spot, large: Spot) -> bool:
    """Whether one place is the other or lies in it."""
    if small.country != large.country:
        return False
    if large.level == "country":
        return True
    return large.level == "region" and small.level != "country" and small.region == large.region


_Index = dict[str, tuple[Spot, ...]]


@cache
def _index(kind: Literal["names", "people", "codes"]) -> _Index:
    """Spots by folded name, by the word for their people, or by code."""
    document, spots = _document()
    return {name: tuple(spots[at] for at in found) for name, found in document[kind].items()}


@cache
def _document() -> tuple[Any, list[Spot]]:
    document = words.data("gazetteer")
    return document, [
        Spot(name, level, country, region, at and (at[0], at[1]), radius, size, bool(common))
        for name, level, country, region, at, radius, size, common in document["spots"]
    ]


@lru_cache(maxsize=1)
def joined() -> dict[str, tuple[Spot, ...]]:
    """Names of several words without the blanks, as hashtags have them."""
    names = _index("names").items()
    return {name.replace(" ", "").replace("-", "").replace("'", ""): spots for name, spots in names}
