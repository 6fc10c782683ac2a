"""What of a verified event tells its incident: when, what kind, where, and the signs that link it to others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from verifleet.agents.ingest.signs import MAX_SIGNS, Carried, carried
from verifleet.envelopes import EventData, VerifiedEventData
from verifleet.reading.gazetteer import Spot, fold, located, names_in
from verifleet.reading.hazards import KINDS

MAX_KEYS = 30
"""As many as one look-up takes."""
FIRE, SHORT = "fire", 3
"""How the name of a fire ends, and characters of what before that may be short for a state."""
SERVICES = frozenset({"emergency", "official", "sensor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs(Carried):
    """What is known of an event without its text: what it carries, the place where it is first, and its circumstances.

    Attributes:
        kind: one of KINDS, "other", or "" for no incident.
        named: folded names of a location that the gazetteer does not know.
        tells: it has a claim of fact, or is a service's report of a place.
        deliberate: its sender said where it is, or is a service: no mere post that names a place.
        replies_to: ids of what it answers or refers to.
    """

    event_id: str
    time: datetime
    kind: str
    named: tuple[str, ...]
    tells: bool
    deliberate: bool
    replies_to: tuple[str, ...]

    @property
    def placed(self) -> bool:
        """Whether it names any place."""
        return bool(self.places or self.named)

    @property
    def named_kind(self) -> bool:
        """Whether it names what happened, and not only words of any incident."""
        return self.kind in KINDS or (bool(self.kind) and self.sure)

    @property
    def own(self) -> frozenset[str]:
        """Names that are one incident's and no other's."""
        return own_names(self.tokens, self.places)

    def found_by(self) -> tuple[str, ...]:
        """What incidents that it may belong to are found by, the most telling first."""
        places = [f"p|{fold(spot.name)}" for spot in self.places[:6]] + [f"p|{name}" for name in self.named[:3]]
        return tuple(dict.fromkeys([*places, *(f"t|{token}" for token in self.tokens)]))[:MAX_KEYS]

    def found_broadly_by(self) -> tuple[str, ...]:
        """The same by country and kind alone."""
        countries = dict.fromkeys(spot.country for spot in self.places[:4])
        return (*(f"c|{country}" for country in countries), *([f"k|{self.kind}"] if self.kind else []))


def signs_of(event: EventData, *, tells: bool = True) -> Signs:
    """The signs of an event; of another program's event by location and kind alone."""
    told = carried(event.carries("signs"))
    declared = bool(event.location) and (told.located or told == Carried())
    named = names_in(event.location)
    there = [spot for spot in located(named)[:1] if spot not in told.places]
    kind = event.event_type if event.event_type in (*KINDS, "other") else ""
    kinds = tuple(kind for kind in told.kinds if kind in KINDS)
    service, spots = event.source in SERVICES, (*there, *told.places)[:MAX_SIGNS]
    return Signs(
        spots,
        told.tokens,
        kinds or ((kind,) if kind in KINDS else ()),
        told.sure or told == Carried() or (kind in KINDS and not kinds),
        told.located,
        told.slight,
        () if declared else told.bare,
        event_id=event.event_id,
        time=event.timestamp,
        kind=kind,
        named=named if declared and not spots else (),
        tells=tells or (service and bool(spots or named)),
        deliberate=service or declared,
        replies_to=tuple((event.published.in_reply_to or "").split()[:4]),
    )


def signs_of_verified(verified: VerifiedEventData) -> Signs:
    """The signs of a verified event."""
    return signs_of(verified.original_event, tells=bool(verified.verified_claims))


def own_names(tokens: Iterable[str], spots: Iterable[Spot]) -> frozenset[str]:
    """Names of fires, "highparkfire": two are two incidents; none that is of a country or a state."""
    wide = {"".join(fold(spot.name).split()) for spot in spots if spot.level != "city"}
    cores = ((token, token.removesuffix(FIRE)) for token in tokens if token.endswith(FIRE))
    return frozenset(token for token, core in cores if len(core) > SHORT and core not in wide)
