"""What a report carries beside its claims by which others of its incident are known: places, tags, links, names.

They travel in the event's metadata as `signs`, so that later steps need no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from verifleet.reading.gazetteer import Spot, fold
from verifleet.reading.hazards import STRONG
from verifleet.reading.places import Place, is_headline, says_nothing, spots_of
from verifleet.reading.tokens import tokens

MAX_SIGNS = 12
"""Of each kind."""
_TAG = re.compile(r"[#＃](\w{2,60})")
_HANDLE = re.compile(r"@(\w{2,40})")
_CAPITALS = re.compile(r"\b[A-Z]{3,6}\b")
_NAME = re.compile(r"(?<![.!?:…\n][ \n])(?<=[^\W_][ ,'’\"“(-])[A-Z][^\W\d_A-Z]{3,30}\b(?![’'](?:t|re|ve|ll|m)\b)")
_FIRE = re.compile(r"\b([A-Z][^\W\d_]{1,20}) ([A-Z][^\W\d_]{1,20}) [Ff]ire\b")
_MASK = re.compile(r"(?:https?:?/{0,2}|www\.)\S+|[@#＃]\w+")


Texts = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=MAX_SIGNS)]


@dataclass(frozen=True, slots=True)
class Carried:
    """The signs of a report.

    Attributes:
        places: spots of the gazetteer, that of the report first.
        sites: streets and sites.
        tags: hashtags that say more than a hazard's name.
        names: other capitalised words.
        kinds: that its words point to; `sure`: whether they name one.
        located: its sender said where it is.
    """

    places: Annotated[tuple[Spot, ...], Field(max_length=MAX_SIGNS)] = ()
    sites: Texts = ()
    tags: Texts = ()
    handles: Texts = ()
    urls: Texts = ()
    names: Texts = ()
    kinds: Texts = ()
    sure: bool = False
    located: bool = False

    def as_json(self) -> dict[str, Any]:
        """The signs as plain data, each left out where there is none."""
        told: dict[str, Any] = _FORM.dump_python(self, mode="json", exclude_defaults=True)
        return told


_FORM = TypeAdapter(Carried)


def carried(told: Any) -> Carried:
    """The signs in an event's metadata; none in what is of another form."""
    try:
        return _FORM.validate_python(told)
    except ValidationError:
        return Carried()


def signs_of(
    content: str, places: Sequence[Place], urls: Iterable[str], votes: Mapping[str, int], *, located: bool
) -> Carried:
    """The signs of a report; `located`: its sender said where it is."""
    text = content[:4_096]
    taken = {word for place in places if place.spot for word in fold(place.name).split()}
    masked, most = _MASK.sub(" ", text), max(votes.values(), default=0)
    names = [f"{''.join(words)}fire" for words in _FIRE.findall(masked) if taken.isdisjoint(map(fold, words))]
    # Among capitals in all words, as headlines have them, none tells a name.
    names += [] if is_headline(tokens(text)) else _NAME.findall(masked)
    names += [] if text.isupper() else _CAPITALS.findall(masked)
    return Carried(
        spots_of(places)[:MAX_SIGNS],
        _first(fold(place.name) for place in places if place.spot is None),
        _first(tag for tag in map(fold, _TAG.findall(text)) if not says_nothing(tag)),
        _first(handle.lower() for handle in _HANDLE.findall(text)),
        _first(url.rstrip(".,;:)…")[:200] for url in urls if not url.endswith("…")),
        _first(name for name in map(fold, names) if name not in taken and not says_nothing(name)),
        tuple(sorted((kind for kind in votes if votes[kind] >= min(most, STRONG)), key=lambda kind: -votes[kind])),
        most >= STRONG,
        located,
    )


def _first(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, values)))[:MAX_SIGNS]
