"""What a report carries beside its claims by which others of its incident are known: places, tags, links, names.

They travel in the event's metadata as `signs`, so that later steps need no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from verifleet.reading.gazetteer import Spot, fold
from verifleet.reading.hazards import STRONG
from verifleet.reading.names import other_names
from verifleet.reading.places import Place, says_nothing, spots_of
from verifleet.reading.tokens import Token, tokens

MAX_SIGNS = 12
"""Of each kind."""


Texts = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=MAX_SIGNS)]


@dataclass(frozen=True, slots=True)
class Carried:
    """The signs of a report.

    Attributes:
        places: spots of the gazetteer, that of the report first.
        tags: hashtags that say more than a hazard's name.
        names: other capitalised words.
        kinds: that its words point to; `sure`: whether they name one.
        located: its sender said where it is.
    """

    places: Annotated[tuple[Spot, ...], Field(max_length=MAX_SIGNS)] = ()
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
    pieces, most = tokens(content), max(votes.values(), default=0)
    taken = {word for place in places if place.spot for word in fold(place.name).split()}
    return Carried(
        spots_of(places)[:MAX_SIGNS],
        _first(tag for tag in _of(pieces, "tag") if not says_nothing(tag)),
        _first(_of(pieces, "handle")),
        _first(url.rstrip(".,;:)…")[:200] for url in urls if not url.endswith("…")),
        _first(name for name in other_names(pieces, taken) if name not in taken and not says_nothing(name)),
        tuple(sorted((kind for kind in votes if votes[kind] >= min(most, STRONG)), key=lambda kind: -votes[kind])),
        most >= STRONG,
        located,
    )


def _of(pieces: Sequence[Token], kind: str) -> Iterator[str]:
    return (piece.low[1:] for piece in pieces if piece.kind == kind)


def _first(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, values)))[:MAX_SIGNS]
