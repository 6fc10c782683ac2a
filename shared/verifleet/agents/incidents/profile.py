"""An incident as others are compared with it: counts of its kinds, places and signs, all bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, with_config

from verifleet.agents.incidents.signs import Signs, own_names
from verifleet.envelopes import MAX_REVISION, Timestamp
from verifleet.reading.gazetteer import Spot, fold

OPEN_FOR = timedelta(days=7)
"""An incident is open for so long before its first and after its last event."""
NAMED, LEAST_NAMED = 0.2, 3
"""Share and number of its events that have a word for an incident to be called by it."""
MAX_KINDS = 12
MAX_SPOTS = 12
MAX_TOKENS = 40
MAX_LINKS = 6
MAX_APART = 20

Id = Annotated[str, Field(pattern=r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
"""Of an incident, as `derived_id` makes it."""
Counts = Mapping[str, Annotated[int, Field(ge=0, le=MAX_REVISION)]]


@with_config(ConfigDict(allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Incident:
    """What is kept of an incident to find out what belongs to it.

    Attributes:
        events: how many it has.
        kinds, places, tokens: how many of them have each; places by folded name.
        spots: what the gazetteer knows of the places; `bare` are those of which no report has told which is meant.
        links: other incidents, and how many events could belong to either.
        merged_into: the incident that this one turned out to be.
        merged_by: the event that showed it, or who decided it.
        apart: incidents that people parted from it: no report makes them one again.
    """

    incident_id: Id
    first: Timestamp
    last: Timestamp
    events: Annotated[int, Field(ge=1, le=MAX_REVISION)] = 0
    kinds: Counts = field(default_factory=dict)
    places: Counts = field(default_factory=dict)
    spots: Mapping[str, Spot] = field(default_factory=dict)
    bare: Annotated[tuple[str, ...], Field(max_length=MAX_SPOTS)] = ()
    tokens: Counts = field(default_factory=dict)
    links: Counts = field(default_factory=dict)
    merged_into: Id | Literal[""] = ""
    merged_by: str = ""
    apart: tuple[Id, ...] = ()

    def open_at(self, time: datetime) -> bool:
        """Whether an event of this time may still belong to it."""
        # As differences: a sum of a time and a window may lie beyond all times.
        return self.first - time <= OPEN_FOR and time - self.last <= OPEN_FOR

    @property
    def names(self) -> frozenset[str]:
        """Tags and names, not of places, that many of its events have: what it is called."""
        often = self._often(max(LEAST_NAMED, self.events * NAMED))
        return frozenset(token for token in often if token[0] != "@" and token not in self.places)

    @property
    def own(self) -> frozenset[str]:
        """Names that are its and no other's."""
        return own_names(self._often(min(LEAST_NAMED, self.events * NAMED)), self.spots.values())

    def _often(self, least: float) -> list[str]:
        return [token for token, count in self.tokens.items() if count >= least]

    def with_event(self, signs: Signs) -> Incident:
        """The incident with one more event."""
        named = {fold(spot.name): spot for spot in signs.places}
        found = (filter(None, (signs.kind, *signs.kinds)), (*named, *signs.named), signs.tokens)
        kinds, places, tokens = (dict.fromkeys(names, 1) for names in found)
        alone = Incident(self.incident_id, signs.time, signs.time, 1, kinds, places, named, signs.bare, tokens)
        return self.with_incident(alone)

    def with_link(self, other: str) -> Incident:
        """The incident with one more event that could belong to another one, too."""
        return replace(self, links=_most(MAX_LINKS, self.links, {other: 1}))

    def with_incident(self, other: Incident) -> Incident:
        """The incident with all that another one has."""
        places = _most(MAX_SPOTS, self.places, other.places)
        known = {**other.spots, **self.spots}
        mine, theirs = (one.spots.keys() - {*one.bare} for one in (self, other))
        known |= {name: other.spots[name] for name in theirs - mine}
        links = _most(MAX_LINKS, self.links, other.links)
        return replace(
            self,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
            events=self.events + other.events,
            kinds=_most(MAX_KINDS, self.kinds, other.kinds),
            places=places,
            spots={name: known[name] for name in places if name in known},
            bare=tuple(sorted({*self.bare, *other.bare} & places.keys() - mine - theirs)),
            tokens=_most(MAX_TOKENS, self.tokens, other.tokens),
            links={id: count for id, count in links.items() if id not in {self.incident_id, other.incident_id}},
            apart=tuple(dict.fromkeys((*self.apart, *other.apart)))[-MAX_APART:],
        )

    def parted(self, fresh: Incident, other: str) -> Incident:
        """The incident as its events show it afresh, after a person said that another one is not it."""
        apart = tuple(dict.fromkeys((*self.apart, other)))[-MAX_APART:]
        links = {id: count for id, count in self.links.items() if id != other}
        return replace(fresh, links=links, merged_into=self.merged_into, merged_by=self.merged_by, apart=apart)

    def found_by(self) -> tuple[str, ...]:
        """What it is found by; see `Signs.found_by`."""
        countries = [self.spots[name].country for name in _most(4, self.places) if name in self.spots]
        named = {"p": self.places, "c": countries, "k": _most(3, self.kinds), "t": self.tokens}
        return tuple(dict.fromkeys(f"{mark}|{name}" for mark, names in named.items() for name in names))


def _most(limit: int, *counts: Mapping[str, int]) -> dict[str, int]:
    """The sums of counts: the `limit` highest, the latest of equal ones."""
    total = sum(map(Counter, counts), Counter[str]())
    kept = set(sorted(reversed(total), key=lambda name: -total[name])[:limit])
    return {name: count for name, count in total.items() if name in kept}
