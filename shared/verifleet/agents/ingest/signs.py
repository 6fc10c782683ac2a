"""What a report carries beside its claims by which others of its incident are known: places, tags, links, names.

They travel in the event's metadata as `signs`, so that later steps need no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verifleet.agents.ingest.event_types import CUE, STRONG
from verifleet.agents.ingest.gazetteer import Spot, fold
from verifleet.agents.ingest.places import Place, best_place, is_headline, says_nothing

MAX_SIGNS = 12
"""Of each kind."""
_TAG = re.compile(r"[#＃](\w{2,60})")
_HANDLE = re.compile(r"@(\w{2,40})")
_CAPITALS = re.compile(r"\b[A-Z]{3,6}\b")
_NAME = re.compile(r"(?<![.!?:…\n][ \n])(?<=[^\W_][ ,'’\"“(-])[A-Z][^\W\d_A-Z]{3,30}\b(?![’'](?:t|re|ve|ll|m)\b)")
_FIRE = re.compile(r"\b([A-Z][^\W\d_]{1,20}) ([A-Z][^\W\d_]{1,20}) [Ff]ire\b")
_MASK = re.compile(r"(?:https?:?/{0,2}|www\.)\S+|[@#＃]\w+")


def signs_of(content: str, places: Sequence[Place], urls: Iterable[str], votes: Mapping[str, int]) -> dict[str, Any]:
    """The signs of a report, each left out where there is none.

    places: spots of the gazetteer, that of the report first; sites: streets and sites; tags: hashtags that say more
    than a hazard's name; kinds: that its words point to, and sure: whether they name one; names: other capitalised
    words.
    """
    text = content[:4_096]
    best = best_place(places)
    ordered = sorted(places, key=lambda place: place is not best)
    spots = list(dict.fromkeys(place.spot for place in ordered if place.spot is not None))
    taken = {word for place in places if place.spot for word in fold(place.name).split()}
    masked = _MASK.sub(" ", text)
    # Among capitals in all words, as headlines have them, none tells a name.
    capitals = [] if text.isupper() else _CAPITALS.findall(masked)
    fires = [match for match in _FIRE.findall(masked) if taken.isdisjoint(map(fold, match))]
    names = [
        *(f"{''.join(match)}fire" for match in fires),
        *([] if is_headline(masked) else _NAME.findall(masked)),
        *capitals,
    ]
    found: dict[str, Any] = {
        "places": [spot_json(spot) for spot in spots[:MAX_SIGNS]],
        "sites": _first(fold(place.name) for place in places if place.spot is None),
        "tags": _first(tag for tag in map(fold, _TAG.findall(text)) if not says_nothing(tag)),
        "handles": _first(handle.lower() for handle in _HANDLE.findall(text)),
        "urls": _first(url.rstrip(".,;:)…")[:200] for url in urls if not url.endswith("…")),
        "names": _first(name for name in map(fold, names) if name not in taken and not says_nothing(name)),
        "kinds": sorted((kind for kind in votes if votes[kind] >= CUE), key=lambda kind: -votes[kind]),
        "sure": any(count >= STRONG for count in votes.values()),
    }
    return {kind: told for kind, told in found.items() if told}


def _first(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))[:MAX_SIGNS]


def spot_json(spot: Spot) -> dict[str, Any]:
    """A place of the gazetteer as plain data."""
    told = {name: getattr(spot, name) for name in ("name", "level", "country", "region")}
    return {name: value for name, value in told.items() if value} | (
        {"at": list(spot.at), "radius": spot.radius} if spot.at else {}
    )
