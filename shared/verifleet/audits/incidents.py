"""How reports of known incidents are put into incidents: how many each gets, and how pure those are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any

from pydantic import ValidationError

from verifleet.agents.incidents.assign import Choice, choose, to_merge
from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import Signs, signs_of
from verifleet.agents.ingest.event import normalise
from verifleet.agents.pipeline import prepare
from verifleet.audits.scores import unreadable
from verifleet.envelopes import RawEventData
from verifleet.errors import ShapeError

MOST_SPECIFIC, MOST_BROAD = 30, 15
"""Incidents that are looked at for an event: by places and signs, and by country and kind."""


@dataclass(frozen=True, slots=True)
class EventScores:
    """What became of the reports of one known event."""

    event: str
    reports: int
    incidents: int
    singletons: int
    alone: int
    """Reports that belong to no incident."""
    purity: float
    """Share of its reports in incidents of which most reports are its own."""


@dataclass(frozen=True, slots=True)
class IncidentScores:
    """The scores of each event, and over all of them."""

    events: tuple[EventScores, ...]
    purity: float
    median_incidents: float

    def as_json(self) -> dict[str, Any]:
        """The scores as plain data."""
        told = [{name: getattr(one, name) for name in EventScores.__slots__} for one in self.events]
        return {"purity": round(self.purity, 4), "median_incidents": self.median_incidents, "events": told}


class Memory:
    """The incidents of one session, looked up as the agent does in its store."""

    def __init__(self) -> None:
        self.incidents: dict[str, Incident] = {}
        self.members: dict[str, list[str]] = {}
        self._found: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, signs: Signs) -> str:
        """The incident that the event is put into; "" for none."""
        found = [*self._look_up(signs.found_by(), MOST_SPECIFIC), *self._look_up(signs.found_broadly_by(), MOST_BROAD)]
        candidates = list({incident.incident_id: incident for incident in found}.values())
        choice = choose(signs, candidates)
        if choice.opens:
            choice = Choice(f"incident {len(self.incidents) + 1}")
            self.incidents[choice.incident_id] = Incident(choice.incident_id, signs.time, signs.time)
        if not choice.incident_id:
            return ""
        incident = self.incidents[choice.incident_id].with_event(signs)
        self.members.setdefault(choice.incident_id, []).append(signs.event_id)
        if choice.also:
            incident = incident.with_link(choice.also)
            if to_merge(incident, self.incidents[choice.also]):
                incident = self._merge(incident, self.incidents[choice.also])
        self._keep(incident)
        return incident.incident_id

    def _merge(self, one: Incident, other: Incident) -> Incident:
        winner, loser = sorted((one, other), key=lambda incident: (incident.first, incident.incident_id))
        self._keep(replace(loser, merged_into=winner.incident_id))
        self.members[winner.incident_id] += self.members.pop(loser.incident_id)
        return winner.with_incident(loser)

    def _keep(self, incident: Incident) -> None:
        self.incidents[incident.incident_id] = incident
        for key in incident.found_by():
            self._found[key].add(incident.incident_id)

    def _look_up(self, keys: Iterable[str], limit: int) -> list[Incident]:
        ids = {id for key in keys for id in self._found.get(key, ())}
        known = [self.incidents[id] for id in ids]
        live = [i for i in known if not i.merged_into and not set(keys).isdisjoint(i.found_by())]
        return sorted(live, key=lambda incident: incident.last, reverse=True)[:limit]


def audit_incidents(rows: Sequence[Mapping[str, Any]], *, one_week: bool = False) -> IncidentScores:
    """Put rows {"event", "time", "text"} into incidents, all in one session and in the order of time.

    With `one_week` all events begin at the same time. Raises ShapeError naming the row that is wrong.
    """
    reports = [(str(row.get("event")), _signs(number, row)) for number, row in enumerate(rows, start=1)]
    if not reports:
        raise ShapeError("no rows to audit")
    if one_week:
        starts: dict[str, datetime] = {}
        for event, signs in reports:
            starts[event] = min(signs.time, starts.get(event, signs.time))
        first = min(starts.values())
        reports = [(event, replace(signs, time=first + (signs.time - starts[event]))) for event, signs in reports]
    memory = Memory()
    event_of = {signs.event_id: event for event, signs in reports}
    for _, signs in sorted(reports, key=lambda item: item[1].time):
        memory.add(signs)
    return _scores(event_of, memory.members)


def _scores(event_of: Mapping[str, str], members: Mapping[str, Sequence[str]]) -> IncidentScores:
    told: dict[str, Counter[str]] = {id: Counter(event_of[one] for one in ids) for id, ids in members.items()}
    main = {id: counts.most_common(1)[0][0] for id, counts in told.items()}
    events = []
    for event, reports in Counter(event_of.values()).items():
        mine = {id: counts[event] for id, counts in told.items() if counts[event]}
        placed = sum(mine.values())
        own = sum(count for id, count in mine.items() if main[id] == event)
        single = sum(sum(told[id].values()) == 1 for id in mine)
        events.append(EventScores(event, reports, len(mine), single, reports - placed, own / placed if placed else 1.0))
    placed = sum(len(ids) for ids in members.values())
    own = sum(counts[main[id]] for id, counts in told.items())
    return IncidentScores(tuple(events), own / placed if placed else 1.0, median(one.incidents for one in events))


def _signs(number: int, row: Mapping[str, Any]) -> Signs:
    told = str(row.get("info_source", "")).lower()
    source = {"media": "news", "government": "official"}.get(told, "twitter")
    metadata = {"author": row.get("author"), "in_reply_to": row.get("in_reply_to")}
    raw = {"source": source, "content": row.get("text"), "timestamp": row.get("time"), "metadata": metadata}
    try:
        event = normalise(
            RawEventData.model_validate(raw), session_id=f"audit {number}", now=datetime.fromisoformat(str(row["time"]))
        )
    except (KeyError, ValueError, ValidationError) as error:
        raise unreadable(f"row {number}", error, {"content": "text", "timestamp": "time"}) from None
    return signs_of(event, tells=bool(prepare(event).report.claims))
