"""Which open incident an event belongs to, by points for place, kind, links and shared signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import Signs
from verifleet.agents.memory.keys import compatible
from verifleet.reading import gazetteer
from verifleet.reading.gazetteer import Spot, fold

JOINS = 2.0
"""Points from which an event belongs to an incident."""
LIKELY = 0.5
"""Points from which an event without place and kind belongs to the only incident that has so many."""
LARGER = 10
"""So many times larger the best incident is, for what has no place and fits another one nearly as well."""
FEW = 3
"""So many events say little of which signs those of their incident have."""
LINKED = 3
"""Events that could belong to either of two incidents from which the two are one."""
SHARED, ADDRESSED = 2.5, 0.8
"""Points for a tag or a name, and for a handle, that most events of an incident have and no other incident has."""
OFTEN = 4
"""A kind that one in so many events of an incident name is one of its kinds."""
OTHER_KIND = -2.0
"""Points for an event that names another kind of incident, which none of its kinds brings."""
OTHER_NAME = -0.5
"""Points for an event with names and tags where the incident has its own, and they share none."""
NAMED_OTHERWISE = -9.0
"""Points for an event with a name that is one incident's, where that is not this one."""
INSIDE = 2.2
"""Points for a place in or around another one: what names a state may be of any incident in it."""
SAME_COUNTRY = 1.5
"""Points for the same country: enough with the kind, too few without it, for a country has many incidents."""
NAMESAKE = 2.5
"""Points for the same city, or for one of its name where nobody has told which of them is meant."""
ELSEWHERE = -3.0
SELDOM = 0.7
"""Points less for a place that fewer than one in twelve of an incident's places are."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The incident that an event joins, "" for none; another one that it could belong to; whether it opens one."""

    incident_id: str = ""
    also: str = ""
    opens: bool = False


def choose(signs: Signs, candidates: Sequence[Incident], replied: str = "") -> Choice:
    """Where an event belongs among the incidents found for it; `replied` is that of what it answers."""
    near = [incident for incident in candidates if incident.open_at(signs.time) and not incident.merged_into]
    if any(incident.incident_id == replied for incident in near):
        return Choice(replied)
    if signs.slight:
        return Choice()
    points = {incident.incident_id: _points(signs, incident, near) for incident in near}
    ranked = sorted(near, key=lambda i: (-points[i.incident_id], -i.events, i.first, i.incident_id))
    fitting = [incident for incident in ranked if points[incident.incident_id] >= JOINS]
    if fitting and fitting[0].own:  # of named ones that fit alike, what names none is of the one told of last
        fitting.sort(key=lambda i: (round(points[i.incident_id]), i.last), reverse=True)
    if fitting:
        return Choice(fitting[0].incident_id, fitting[1].incident_id if len(fitting) > 1 else "")
    if not signs.placed:
        least = 1 if signs.kind else LIKELY
        alike = [incident for incident in ranked if points[incident.incident_id] >= least]
        if alike and (len(alike) == 1 or alike[0].events > LARGER * alike[1].events):
            return Choice(alike[0].incident_id)
    # An incident of its own is at a place where it was put down or is news, or the first that is told.
    opens = signs.deliberate or signs.named_kind if signs.placed else signs.named_kind and not near
    return Choice(opens=signs.tells and opens)


def _points(signs: Signs, incident: Incident, near: Sequence[Incident]) -> float:
    mine, its = signs.own, incident.own
    one = not mine.isdisjoint(its)
    if len(mine) == 1 and its and not one:
        return NAMED_OTHERWISE
    kind, tokens, place = _kind(signs, incident), _tokens(signs, incident, near), _place(signs, incident)
    return (max(place, 0.0) if one else place) + kind + (max(tokens, 0.0) if kind >= 1 else tokens)


def _kind(signs: Signs, incident: Incident) -> float:
    if not signs.kind:
        return -0.5
    main = _main(incident)
    if (signs.kind == "other" and not signs.kinds) or main == "other":
        return 0.5 if signs.kind == main else 0.0
    told = {name: count for name, count in incident.kinds.items() if name != "other"}
    its = [name for name, count in told.items() if count * OFTEN >= sum(told.values())]
    if main in signs.kinds:
        return 1.0
    if signs.kind in its:
        return 0.9
    if not signs.sure:
        return -0.5
    return 0.3 if any(compatible(signs.kind, kind) for kind in its) else OTHER_KIND


def _place(signs: Signs, incident: Incident) -> float:
    """How well the places fit: the same, one in the other, near, unknown, or elsewhere."""
    if not incident.places.keys().isdisjoint(signs.named):
        return INSIDE
    if not incident.places or not signs.placed or (incident.spots and not signs.places):
        return 0.0  # a town that the gazetteer does not know may lie anywhere
    total = sum(incident.places.values())
    best = ELSEWHERE
    for spot in signs.places[:4]:
        for name, other in incident.spots.items():
            often = incident.places[name] * 12 >= total
            either = name == fold(spot.name) and (name in signs.bare or name in incident.bare)
            best = max(best, (NAMESAKE if either else _fit(spot, other)) - (0.0 if often else SELDOM))
    return best


def _fit(one: Spot, other: Spot) -> float:
    if fold(one.name) == fold(other.name) and one.country == other.country:
        if "country" in (one.level, other.level):
            return SAME_COUNTRY
        return (NAMESAKE if one.level == "city" else INSIDE) if one.region == other.region else ELSEWHERE
    if gazetteer.within(one, other) or gazetteer.within(other, one):
        return SAME_COUNTRY if "country" in (one.level, other.level) else INSIDE
    return ELSEWHERE


def _tokens(signs: Signs, incident: Incident, near: Sequence[Incident]) -> float:
    """Points for shared signs, fewer for those that other incidents have, too."""
    places = incident.places.keys() | {fold(spot.name) for spot in signs.places}
    tokens = [token for token in signs.tokens if token not in places]
    points = 0.0
    for token in incident.tokens.keys() & tokens:
        share = _share(token, incident)
        others = max((_share(token, other) for other in near if other is not incident), default=0.0)
        weight = (ADDRESSED if token[0] == "@" else SHARED) * min(1.0, 0.5 + 3 * share)
        points += weight * share / (share + others)
    if not points and incident.names and any(token[0] != "@" for token in tokens):
        return OTHER_NAME
    return points


def _share(token: str, incident: Incident) -> float:
    """The share of an incident's events that have a sign, less of one that has few."""
    return incident.tokens.get(token, 0) / (incident.events + FEW)


def to_merge(incident: Incident, other: Incident) -> bool:
    """Whether two incidents that events could belong to either of are one: called alike, or of a kind and a place."""
    linked = max(incident.links.get(other.incident_id, 0), other.links.get(incident.incident_id, 0))
    parted = other.incident_id in incident.apart or incident.incident_id in other.apart
    own = incident.own and other.own and incident.own.isdisjoint(other.own)
    kinds = (_main(incident), _main(other))
    if linked < LINKED or parted or own or "other" in kinds or not compatible(*kinds):
        return False
    if incident.names and other.names:
        return not incident.names.isdisjoint(other.names)
    most = [max(one.places, key=one.places.__getitem__) for one in (incident, other) if one.places]
    return len(set(most)) < 2


def _main(incident: Incident) -> str:
    """The kind that most of its events name."""
    told = {kind: count for kind, count in incident.kinds.items() if kind != "other"}
    best = max(told, key=lambda kind: told[kind], default="other")
    return best if OFTEN * told.get(best, 0) >= incident.kinds.get("other", 0) else "other"
