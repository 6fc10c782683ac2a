"""What a report carries beside its claims by which others of its incident are known: places, tags, names, handles.

They travel in the event's metadata as `signs`, so that later steps need no text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from verifleet.reading.gazetteer import Spot, fold, meanings
from verifleet.reading.hazards import STRONG
from verifleet.reading.names import other_names
from verifleet.reading.places import Place, says_nothing, spots_of
from verifleet.reading.sensors import Reading
from verifleet.reading.tokens import tokens

MAX_SIGNS, MAX_TAGS, MAX_NAMES, MAX_HANDLES = 12, 12, 8, 3
"""Of places, and of each kind of token."""
MAX_TOKENS = 24
LEAST_FELT = 3.0
"""Earthquakes of less are seldom felt, and there are hundreds a day."""

Texts = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=MAX_TOKENS)]


@dataclass(frozen=True, slots=True)
class Carried:
    """The signs of a report.

    Attributes:
        places: spots of the gazetteer, that of the report first.
        tokens: hashtags that say more than a hazard's name, other capitalised words, and "@handle".
        kinds: that its words point to; `sure`: whether they name one.
        located: its sender said where it is.
        slight: it is a seismic network's line on an earthquake that nobody felt.
        bare: folded names of its cities that several have, where nothing tells which is meant.
    """

    places: Annotated[tuple[Spot, ...], Field(max_length=MAX_SIGNS)] = ()
    tokens: Texts = ()
    kinds: Texts = ()
    sure: bool = False
    located: bool = False
    slight: bool = False
    bare: Texts = ()

    def as_json(self) -> dict[str, Any]:
        """The signs as plain data, each left out where there is none."""
        told: dict[str, Any] = _FORM.dump_python(self, mode="json", exclude_defaults=True)
        return told


_FORM = TypeAdapter(Carried)


def carried(told: Any) -> Carried:
    """The signs in an event's metadata; none in what is of another form."""
    try:
        if isinstance(told, Mapping) and "tokens" not in told:  # of a version that kept them apart
            apart = (*told.get("tags", ()), *told.get("names", ()), *(f"@{name}" for name in told.get("handles", ())))
            told = {**told, "tokens": apart[:MAX_TOKENS]}
        return _FORM.validate_python(told)
    except (ValidationError, TypeError):
        return Carried()


def signs_of(
    content: str, places: Sequence[Place], votes: Mapping[str, int], readings: Sequence[Reading], *, located: bool
) -> Carried:
    """The signs of a report; `located`: its sender said where it is."""
    pieces, most = tokens(content), max(votes.values(), default=0)
    taken = {word for place in places if place.spot for word in fold(place.name).split()}
    said = [name for name in other_names(pieces, taken) if name and name not in taken and not says_nothing(name)]
    of = {kind: [one.low[1:] for one in pieces if one.kind == kind and one.low[1:]] for kind in ("tag", "handle")}
    tags = [tag for tag in of["tag"] if not says_nothing(tag)]
    limits = ((tags, MAX_TAGS), (said, MAX_NAMES), ([f"@{handle}" for handle in of["handle"]], MAX_HANDLES))
    return Carried(
        spots_of(places)[:MAX_SIGNS],
        tuple(dict.fromkeys(token for some, most in limits for token in [*dict.fromkeys(some)][:most])),
        tuple(sorted((kind for kind in votes if votes[kind] >= min(most, STRONG)), key=lambda kind: -votes[kind])),
        most >= STRONG,
        located,
        any(reading.quantity == "magnitude" and reading.value < LEAST_FELT for reading in readings),
        tuple(dict.fromkeys(fold(place.spot.name) for place in places if place.spot and _is_bare(place, places))),
    )


def _is_bare(place: Place, places: Sequence[Place]) -> bool:
    """Whether a place is a city of a name that several have, and no other place tells which of them is meant."""
    spot = place.spot
    if spot is None or spot.level != "city" or place.inside or len(meanings(fold(place.name))) < 2:
        return False
    return not any(other.spot and other.spot != spot and other.spot.country == spot.country for other in places)
