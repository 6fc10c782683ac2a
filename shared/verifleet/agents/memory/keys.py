"""What makes two reports reports of one incident: session, place, kind of event, time."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from functools import lru_cache

from verifleet.reading import gazetteer
from verifleet.reading.hazards import CASCADES, KINDS, event_type
from verifleet.reading.words import fold

WINDOW = timedelta(days=10)
"""Reports further apart than this are not about one incident."""
NOWHERE = "?"
ANYWHERE = "*"
MAX_PLACES = 3
NEAR_KM = 200
"""Kilometres within which reports may be of one incident."""

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
    """Whether two lists of places (see `places`) tell one place: one begins with a name that the other has.

    No place is in two states or countries: "Richmond, Virginia" is not "Richmond, California".
    """
    return (one[0] in other or other[0] in one) and near(one, other) is not False


@lru_cache(maxsize=16384)
def near(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Whether two lists of places lie in one another or close by; None where that is not known."""
    pairs = [(a, b, gazetteer.distance(a, b)) for a in _spots(one) for b in _spots(other)]
    if any(gazetteer.within(a, b) or gazetteer.within(b, a) for a, b, _ in pairs):
        return True
    if any(away is not None and away <= NEAR_KM for _, _, away in pairs):
        return True
    unknown = not pairs or any(away is None and a.country == b.country for a, b, away in pairs)
    return None if unknown else False


def _spots(named: tuple[str, ...]) -> list[gazetteer.Spot]:
    """What the first of some names that is known may be: in the states and countries behind it, else these."""
    for at, name in enumerate(named):
        if found := gazetteer.meanings(gazetteer.fold(name)):
            wider = [
                spot for behind in named[at + 1 :] for spot in (*gazetteer.meanings(behind), *gazetteer.coded(behind))
            ]
            regions = [spot for spot in wider if spot.level != "city"]
            inside = [spot for spot in found if any(gazetteer.within(spot, region) for region in regions)]
            return (inside or regions or list(found))[:4]
    return []


def within_window(one: datetime, other: datetime) -> bool:
    """Whether two event times are near enough for one incident."""
    return abs(one - other) <= WINDOW


def key(session_id: str, place: str, feature: str) -> str:
    """What a report is found by in the Store; sessions never share a key."""
    return in_session(session_id, f"{place}|{feature}")


@lru_cache(maxsize=1024)
def session_key(session_id: str) -> str:
    """A short, fixed-form name of a session, so that no text in a session id can reach into another session."""
    return hashlib.sha256(session_id.encode("utf-8", "backslashreplace")).hexdigest()[:20]


def in_session(session_id: str, name: str) -> str:
    """The id under which the Store keeps what has a name within a session."""
    return f"{session_key(session_id)}|{name}"
