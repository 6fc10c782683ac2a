"""Which open incident an event belongs to, by points for place, kind, links and shared signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import FIRE, Signs
from verifleet.agents.ingest import gazetteer
from verifleet.agents.ingest.event_types import CASCADES
from verifleet.agents.ingest.gazetteer import Spot, fold

JOINS = 2.0
"""Points from which an event belongs to an incident."""
LIKELY = 0.5
"""Points from which an event without place and kind belongs to the only incident that has so many."""
ALIKE = 0.2
"""Points by which less an incident fits as well: of these it is the one that has had most of late."""
FEW = 3
"""So many events say little of which signs those of their incident have."""
LINKED = 3
"""Events that could belong to either of two incidents from which the two are one."""
REACH = {"earthquake": 300, "storm": 600, "flood": 250, "airquality": 500, "fire": 120, "other": 150}
"""Kilometres within which two places may be struck by one incident of a kind; LOCAL for the others."""
LOCAL = 40
_WEIGHTS = {"/": 3.0, "@": 0.8, "~": 1.5}
SHARED = 2.5
"""Points for a tag or a name that most events of an incident have and no other incident has."""


LARGER = 10
"""So many times larger the best incident is, for what has no place and fits another one nearly as well."""
OFTEN = 4
"""A kind that one in so many events of an incident name is one of its kinds."""
SAME_COUNTRY = 1.5
"""Points for the same country: enough with the kind, too few without it, for a country has many incidents."""
OTHER_NAME = -0.5
"""Points for an event with names and tags where the incident has its own, and they share none."""
NAMED_OTHERWISE = -9.0
"""Points for an event with a name that is one incident's, where that is not this one."""
INSIDE = 2.2
"""Points for a place in or around another one: what names a state may be of any incident in it."""
NEAR = 0.8
"""Points for two towns within the reach of one incident: too few without a shared sign."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The incident that an event joins, "" for none; whether it opens one; another incident that it could belong to."""

    incident_id: str = ""
    opens: bool = False
    also: str = ""


def choose(signs: Signs, candidates: Sequence[Incident], replied: str = "") -> Choice:
    """Where an event belongs among the incidents found for it; `replied` is that of what it answers."""
    near = [incident for incident in candidates if incident.open_at(signs.time) and not incident.merged_into]
    if any(incident.incident_id == replied for incident in near):
        return Choice(replied)
    if signs.slight:
        return Choice()
    ranked = sorted(
        ((_points(signs, incident, near), incident) for incident in near),
        key=lambda item: (-item[0], -item[1].events, item[1].first, item[1].incident_id),
    )
    fitting = [(points, incident) for points, incident in ranked if points >= JOINS]
    if fitting:
        best = fitting[0][1]
        if best.own:  # of several named ones, what names none is of the one that has had most of late
            near_best = (incident for points, incident in fitting if points > fitting[0][0] - ALIKE)
            best = max(near_best, key=lambda incident: incident.pace(signs.time))
        others = ((points, incident) for points, incident in ranked if incident is not best)
        also = next((i for points, i in others if points >= JOINS), None)
        return Choice(best.incident_id, also=also.incident_id if also else "")
    if not signs.placed:
        alike = [(p, i) for p, i in ranked if p >= (1 if signs.kind else LIKELY)]
        first, second = ([incident for _, incident in alike] + [None, None])[:2]
        if first and (not second or first.events > LARGER * second.events):
            return Choice(first.incident_id)
    return Choice(opens=_opens(signs, bool(ranked)))


def _opens(signs: Signs, others: bool) -> bool:
    """Whether an event that fits nowhere is an incident of its own: one that was put down at a place, or news."""
    return signs.tells and (signs.deliberate or (bool(signs.kind) and (signs.placed or bool(signs.own) or not others)))


def _points(signs: Signs, incident: Incident, near: Sequence[Incident]) -> float:
    mine, its = signs.own, incident.own
    one = _one_name(mine, its)
    if len(mine) == 1 and its and not one:
        return NAMED_OTHERWISE
    kind, tokens, place = _kind(signs, incident), _tokens(signs, incident, near), _place(signs, incident)
    return (max(place, 0.0) if one else place) + kind + (max(tokens, 0.0) if kind >= 1 else tokens)


def _one_name(mine: frozenset[str], its: frozenset[str]) -> bool:
    """Whether two have a name in common: "waldofire" is "waldocanyonfire", too."""
    cores = [[name.removesuffix(FIRE) for name in names] for names in (mine, its)]
    return any(one.startswith(other) or other.startswith(one) for one in cores[0] for other in cores[1])


def _kind(signs: Signs, incident: Incident) -> float:
    if not signs.kind:
        return -0.5
    main = _main(incident)
    if (signs.kind == "other" and not signs.kinds) or main == "other":
        return 0.5 if signs.kind == main else 0.0
    told = {name: count for name, count in incident.kinds.items() if name != "other"}
    if main in signs.kinds:
        return 1.0
    its = [name for name, count in told.items() if count * OFTEN >= sum(told.values())]
    if signs.kind in its:
        return 0.9
    if not signs.sure:
        return -0.5
    # A crash here and a fire there are two incidents.
    mine, theirs = ({token for token in tokens if token[:1] == "~"} for tokens in (signs.tokens, incident.tokens))
    apart = bool(mine and theirs) and mine.isdisjoint(theirs)
    return 0.3 if not apart and any(frozenset((signs.kind, kind)) in CASCADES for kind in its) else -2.0


def _place(signs: Signs, incident: Incident) -> float:
    """How well the places fit: the same, one in the other, near, unknown, or elsewhere."""
    if not signs.placed or not incident.places:
        return 0.0
    known = [(name, incident.spots[name]) for name in incident.places if name in incident.spots]
    total, reach = sum(incident.places.values()), REACH.get(_main(incident), LOCAL)
    best = -3.0
    for spot in signs.spots[:4]:
        for name, other in known:
            often = incident.places[name] * 12 >= total
            points = _fit(spot, other, reach) - (0.0 if often else 0.7)
            best = max(best, points)
    return best


def _fit(one: Spot, other: Spot, reach: float) -> float:
    if fold(one.name) == fold(other.name) and one.country == other.country:
        if "country" in (one.level, other.level):
            return SAME_COUNTRY
        return (2.5 if one.level == "city" else INSIDE) if one.region == other.region else -3.0
    inside = gazetteer.within(one, other) or gazetteer.within(other, one)
    if inside:
        return 1.5 if "country" in (one.level, other.level) else INSIDE
    away = gazetteer.distance(one, other)
    return NEAR if away is not None and away <= reach else -3.0


def _tokens(signs: Signs, incident: Incident, near: Sequence[Incident]) -> float:
    """Points for shared signs, fewer for those that other incidents have, too."""
    points = 0.0
    placed = {fold(spot.name) for spot in signs.spots}
    for token in signs.tokens:
        mine = incident.tokens.get(token, 0)
        if mine and token not in placed and token not in incident.places:
            share = _share(token, incident)
            others = max((_share(token, other) for other in near if other is not incident), default=0.0)
            weight = _WEIGHTS.get(token[:1], SHARED) * min(1.0, 0.5 + 3 * share)
            points += weight * share / (share + others)
    if not points and incident.names and any(_is_name(token) for token in signs.tokens if token not in placed):
        return OTHER_NAME
    return min(points, 4.0)


def _share(token: str, incident: Incident) -> float:
    """The share of an incident's events that have a sign, less of one that has few."""
    return incident.tokens.get(token, 0) / (incident.events + FEW)


def _is_name(token: str) -> bool:
    return token[:1] not in _WEIGHTS


def to_merge(incident: Incident, other: Incident) -> bool:
    """Whether two incidents that events could belong to either of are one: not of two names, nor of two places."""
    if other.incident_id in incident.apart or incident.incident_id in other.apart:
        return False
    linked = max(incident.links.get(other.incident_id, 0), other.links.get(incident.incident_id, 0))
    if linked < LINKED or _main(incident) == "other" or _main(other) == "other":
        return False
    called_alike = not incident.names.isdisjoint(other.names)
    if incident.names and other.names and not called_alike:
        return False
    if incident.own and other.own and not _one_name(incident.own, other.own):
        return False
    return called_alike or not incident.places or not other.places or _places_meet(incident, other)


def _places_meet(incident: Incident, other: Incident) -> bool:
    """Whether the most frequent places below countries are near each other, or one of them has none."""
    mine, theirs = _seat(incident), _seat(other)
    if mine is None or theirs is None:
        return bool({spot.country for spot in incident.spots.values()} & {s.country for s in other.spots.values()})
    return _fit(mine, theirs, REACH.get(_main(incident), LOCAL)) > 0


def _seat(incident: Incident) -> Spot | None:
    known = [name for name in incident.places if name in incident.spots and incident.spots[name].level != "country"]
    return incident.spots[max(known, key=lambda name: incident.places[name])] if known else None


def _main(incident: Incident) -> str:
    """The kind that most of its events name."""
    told = {kind: count for kind, count in incident.kinds.items() if kind != "other"}
    best = max(told, key=lambda kind: told[kind], default="other")
    return best if OFTEN * told.get(best, 0) >= incident.kinds.get("other", 0) else "other"
