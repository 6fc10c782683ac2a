"""What makes two reports reports of one incident: session, place, kind of event, time."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from functools import lru_cache

from verifleet.reading import gazetteer
from verifleet.reading.hazards import CASCADES, KINDS, event_type

WINDOW = timedelta(days=10)
"""Reports further apart than this are not about one incident."""
NOWHERE = "?"
ANYWHERE = "*"
NEAR_KM = 200
"""Kilometres within which two places may be struck by one incident."""


@lru_cache(maxsize=1024)
def family(kind: str) -> str:
    """The kind of event that a declared one means, "" when it means none ("other", "none", unknown words)."""
    kind = kind[:100].casefold().replace("_", " ")
    found = kind if kind in KINDS else event_type(kind)
    return found if found in KINDS else ""


def compatible(one: str, other: str) -> bool:
    """Whether two kinds of event can be of one incident; "" for one that is not known."""
    return not one or not other or one == other or frozenset((one, other)) in CASCADES


def same_place(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two lists of places (see `names_in`) tell one place: one begins with a name that the other has.

    No place is in two states or countries: "Richmond, Virginia" is not "Richmond, California".
    """
    return (one[0] in other or other[0] in one) and near(one, other) is not False


@lru_cache(maxsize=16384)
def near(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Whether two lists of places lie in one another or close by; None where that is not known."""
    pairs = [(a, b, gazetteer.distance(a, b)) for a in gazetteer.located(one) for b in gazetteer.located(other)]
    if any(gazetteer.within(a, b) or gazetteer.within(b, a) for a, b, _ in pairs):
        return True
    if any(away is not None and away <= NEAR_KM for _, _, away in pairs):
        return True
    unknown = not pairs or any(away is None and a.country == b.country for a, b, away in pairs)
    return None if unknown else False


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
