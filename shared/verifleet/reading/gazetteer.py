"""The gazetteer: what a name may mean, where that is, and whether two places can be one.

Countries, states, provinces and larger cities come from `data/gazetteer.json` (GeoNames data, CC BY 4.0, built by
tools/build_gazetteer.py): places, and what each name, each word for a people and each code may mean, the largest first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import cos, hypot, radians
from typing import Annotated, Any, Literal

from pydantic import Field

from verifleet.reading import words

Level = Literal["city", "region", "country"]
_STATE_CODE = re.compile(r"(?<=[^\W\d_]{3}),? ([A-Z]{2})$")
"""A state's code behind a town without a comma: "Tulsa OK"."""
_DISTRICTS = frozenset("county province district parish valley".split())
_NOISE = re.compile(r"^(?:the|near|in|at|around|downtown|central|greater|city of|town of|outside)\s+")
MAX_NAMES, MAX_MEANINGS = 3, 4
"""How many names of a location are taken, and how many places one may be."""
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


@cache
def listed(name: str) -> frozenset[str]:
    """A list of words that tell of names whether they are places."""
    return frozenset(words.data("place_words")[name].split())


def meanings(name: str) -> tuple[Spot, ...]:
    """What a folded name may mean, the largest first."""
    return _index("names").get(name, ())


def of_people(word: str) -> tuple[Spot, ...]:
    """The country of a folded word for its people ("filipino")."""
    return _index("people").get(word, ())


def coded(code: str) -> tuple[Spot, ...]:
    """What an airport's code, a country's or a state's code may mean, in capitals or not."""
    return _index("codes").get(code.upper(), ())


def regions(name: str) -> tuple[Spot, ...]:
    """The states and countries that a folded name or code may mean, states first."""
    found = (spot for spot in (*meanings(name), *coded(name)) if spot.level != "city")
    return tuple(sorted(found, key=lambda spot: spot.level == "country"))


def is_common(name: str) -> bool:
    """Whether a folded name of the gazetteer may be a plain word."""
    short = " " not in name and (len(name) < 4 or name in listed("common") or is_stop(name))
    return short or (" " not in name and any(spot.common for spot in meanings(name)[:1]))


def is_stop(word: str) -> bool:
    """Whether a folded word is a function word of a language that is read."""
    return any(word in words.words_of(language, "stop") for language in words.LANGUAGES)


@lru_cache(maxsize=8192)  # each count and claim of each revision names the same few
def spot_of(name: str) -> Spot | None:
    """What a name is that stands for one place and for nothing else; None for a plain word."""
    key = fold(name).strip()
    found = () if is_common(key) else meanings(key) or of_people(key)
    return next(iter(found), None)


def known_place(name: str) -> str:
    """A place by the gazetteer's name, "" for what it does not know."""
    spot = spot_of(name)
    return spot.name if spot else ""


def district(name: str) -> str:
    """A part of a state or country by its kind, "" for any other name: "Larimer County"."""
    *own, kind = name.split() or [""]
    return name.title() if 0 < len(own) < 3 and kind in _DISTRICTS else ""


def names_in(location: str | None) -> tuple[str, ...]:
    """The names in a location, most specific first: "Peoria Avenue, Tulsa" gives ("peoria avenue", "tulsa")."""
    return _names_in(location[:300]) if location else ()


@lru_cache(maxsize=4096)  # many reports name one place
def _names_in(location: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in re.split(r"[,;/|()]", words.fold(_STATE_CODE.sub(r", \1", location))):
        name = _NOISE.sub("", " ".join(re.findall(r"[\w'’-]+", part)))
        if name and name not in found:
            found.append(name)
    return tuple(found[-MAX_NAMES:])


def located(named: tuple[str, ...]) -> tuple[Spot, ...]:
    """What the first known of the names in a location may be: in the states and countries behind it, else these."""
    for at, name in enumerate(named):
        if found := meanings(fold(name)):
            wider = [spot for behind in named[at + 1 :] for spot in around(behind)]
            inside = [spot for spot in found if any(together(spot, region) for region in wider)]
            if not inside and wider and wider[0].level != "country":
                wider = [unlisted(name.title(), wider[0])]
            if not wider and at + 1 < len(named) and any(spot.size == found[0].size for spot in found[1:]):
                return ()  # in a place that is not known, a name that two of a size bear
            return tuple(inside or wider or found)[:MAX_MEANINGS]
    return ()


def around(name: str) -> tuple[Spot, ...]:
    """What a name behind a comma may mean: states and countries, else towns."""
    return regions(name) or meanings(name)


def together(one: Spot, other: Spot) -> bool:
    """Whether one place lies in the other, or both in one state."""
    return within(one, other) or within(other, one) or (one.region, one.country) == (other.region, other.country)


def unlisted(name: str, around: Spot) -> Spot:
    """A town somewhere in a state or country that the gazetteer does not know."""
    return replace(around, name=name, level="city")


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
