"""What makes two reports reports of one incident: session, place, kind of event, time."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from functools import lru_cache

from verifleet.agents.ingest import gazetteer
from verifleet.agents.ingest.event_types import CASCADES, KINDS, event_type
from verifleet.reading.words import fold

WINDOW = timedelta(days=10)
"""Reports further apart than this are not about one incident."""
NOWHERE = "?"
ANYWHERE = "*"
MAX_PLACES = 3
NEAR_KM = 200
"""Kilometres within which reports may be of one incident."""

_STREET = re.compile(
    r"\b(?:street|st|avenue|ave|road|rd|lane|drive|highway|hwy|boulevard|blvd|bridge|square"
    r"|station|platform|exit|junction"
    r"|building|block|campus|hospital|school|mall|plant|refinery|warehouse|route|calle|via|rue"
    r"|jalan|rua|stra(?:ss|ß)e)\b|\d"
)
_STATE_CODE = re.compile(r"(?<=[^\W\d_]{3}),? ([A-Z]{2})$")
"""A state's code behind a town without a comma: "Tulsa OK"."""
_PLACE_NOISE = re.compile(r"^(?:the|near|in|at|around|downtown|central|greater|city of|town of|outside)\s+")


@lru_cache(maxsize=1024)
def family(kind: str) -> str:
    """The kind of event that a declared one means, "" when it means none ("other", "none", unknown words)."""
    kind = kind[:100].casefold().replace("_", " ")
    found = kind if kind in KINDS else event_type(kind)
    return found if found in KINDS else ""


def compatible(one: str, other: str) -> bool:
    """Whether reports of these two families can be about one incident."""
    return not one or not other or one == other or frozenset((one, other)) in CASCADES


def places(location: str | None) -> tuple[str, ...]:
    """The places a location names, most specific first: "Peoria Avenue, Tulsa" gives ("peoria avenue", "tulsa")."""
    return _places(location[:300]) if location else ()


@lru_cache(maxsize=4096)
def _places(location: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in re.split(r"[,;/|()]", fold(_STATE_CODE.sub(r", \1", location))):
        name = _PLACE_NOISE.sub("", " ".join(re.findall(r"[\w'’-]+", part)))
        if name and name not in found:
            found.append(name)
    return tuple(found[-MAX_PLACES:])


def same_place(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two lists of places (see `places`) can be one place.

    One contains the other ("Tulsa" and "Tulsa, Oklahoma"), or they agree in the most specific part that is no street:
    "Tulsa, Oklahoma" is not "Norman, Oklahoma", and no place is in two states or countries.
    """
    if namesakes(one, other):
        return False
    mine, theirs = settled(one), settled(other)
    return mine[:1] == theirs[:1] or set(mine) <= set(theirs) or set(theirs) <= set(mine)


@lru_cache(maxsize=16384)
def near(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Whether two lists of places lie in one another or close by; None where one of them is not known."""
    mine, theirs = _spots(one), _spots(other)
    if not mine or not theirs:
        return None
    for a in mine:
        for b in theirs:
            apart = gazetteer.distance(a, b)
            if gazetteer.within(a, b) or gazetteer.within(b, a) or (apart is not None and apart <= NEAR_KM):
                return True
    return False


def _spots(named: tuple[str, ...]) -> list[gazetteer.Spot]:
    """What the gazetteer knows of the first of some names that it knows."""
    return next((list(found[:4]) for name in named if (found := gazetteer.meanings(gazetteer.fold(name)))), [])


def namesakes(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two lists of places begin with one name, and the states or countries behind it are different ones."""
    mine, theirs = regions(one), regions(other)
    apart = not any(gazetteer.within(a, b) or gazetteer.within(b, a) for a in mine for b in theirs)
    return one[:1] == other[:1] and bool(mine) and bool(theirs) and apart


@lru_cache(maxsize=4096)
def regions(named: tuple[str, ...]) -> tuple[gazetteer.Spot, ...]:
    """What is known of the states and countries behind the first of some names."""
    spots = (
        s for name in named[1:] for s in (*gazetteer.meanings(name), *(gazetteer.coded(name) if len(name) < 4 else ()))
    )
    return tuple(spot for spot in spots if spot.level != "city")


@lru_cache(maxsize=4096)
def settled(named: tuple[str, ...]) -> tuple[str, ...]:
    """Places without streets and sites, unless nothing else is named."""
    return tuple(place for place in named if not _STREET.search(place)) or named


def within_window(one: datetime, other: datetime) -> bool:
    """Whether two event times are near enough for one incident."""
    return abs(one - other) <= WINDOW


def key(session_id: str, place: str, feature: str) -> str:
    """What a report is found by in the Store; sessions never share a key."""
    return f"{session_key(session_id)}|{place}|{feature}"


@lru_cache(maxsize=1024)
def session_key(session_id: str) -> str:
    """A short, fixed-form name of a session, so that no text in a session id can reach into another session."""
    return hashlib.sha256(session_id.encode("utf-8", "backslashreplace")).hexdigest()[:20]


def in_session(session_id: str, name: str) -> str:
    """The id under which the Store keeps what has a name within a session."""
    return f"{session_key(session_id)}|{name}"
