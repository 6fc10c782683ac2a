"""Making two incidents of one: both briefs are made anew of the reports that belong to each, nothing is subtracted.

Which incident a report belongs to is said by its member document alone; what a brief tells follows it. The new incident
is written before reports leave the old one, so that whoever is run again after a fault finds them in one of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from verifleet.agents import briefs
from verifleet.agents.briefs import State
from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import signs_of_verified
from verifleet.agents.memory import keys
from verifleet.envelopes import VerifiedEventData
from verifleet.errors import ConflictError, StoreUnavailableError
from verifleet.incident_views import IncidentRow
from verifleet.serving import records
from verifleet.serving.desk.kept import LISTING, Desk
from verifleet.serving.incidents import Incidents, id_of
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store

BRIEFS = "brief"
TURNS = 20
"""So often reports may come in between before the parting is left for another time."""


@dataclass(slots=True)
class _Half:
    """One of the two incidents, as its reports make it anew."""

    known: State
    fresh: State
    incident: Incident | None = None
    taken: dict[str, int] = field(default_factory=dict)
    missed: set[str] = field(default_factory=set)

    def grow(self, told: Iterable[VerifiedEventData], now: datetime) -> None:
        """With these reports, in this order."""
        for verified in told:
            event = verified.original_event
            self.fresh = briefs.with_event(self.fresh, verified, keys.family(event.event_type), now) or self.fresh
            if verified.event_id not in self.taken:
                signs = signs_of_verified(verified)
                self.incident = self.incident or Incident(self.known.incident_id, signs.time, signs.time)
                self.incident = self.incident.with_event(signs)
            self.taken[verified.event_id] = verified.revision


class Parting:
    """Parts incidents of a store; every method raises StoreUnavailableError."""

    def __init__(self, store: Store, incidents: Incidents, desk: Desk, now: Callable[[], datetime]) -> None:
        self._store = store
        self._incidents = incidents
        self._desk = desk
        self._now = now

    async def reports(self, session: str, incident_id: str, at: str) -> list[str]:
        """The reports of an incident. Raises ConflictError, naming the field `at`, where some are no longer kept."""
        document = await self._store.get(BRIEFS, id_of(session, incident_id))
        state = known_state(incident_id, document, self._now()) if document else None
        found = await self._desk.accounts(session, list(state.seen)) if state else {}
        if state is None or len(found) < state.reports:
            lost = f"has {state.reports} reports, and {len(found)} of them are" if state else "is not"
            raise ConflictError.at(f"payload.data.{at}", f"{lost} kept: it can't be taken apart")
        return list(found)

    async def part(self, session: str, source: str, target: str, by: str) -> tuple[State, State] | None:
        """Two incidents with the reports that belong to each; None where there is nothing to be made of one.

        Reports of the source that belong to the target by now go there; both get a revision where any do, made `by` an
        act.
        """
        halves: dict[str, _Half] = {}
        for _ in range(TURNS):
            known = {id: await self._known(session, id) for id in (source, target)}
            if not known[source].seen and not known[target].seen:
                return None
            belong = await self._incidents.belong(session, {**known[source].seen, **known[target].seen})
            mine: dict[str, dict[str, int]] = {source: {}, target: {}}
            for name in (source, target):
                for id, (revision, _) in known[name].seen.items():
                    if (place := belong.get(id, name)) in mine:
                        mine[place][id] = max(revision, mine[place].get(id, 0))
            moving = [id for id in known[source].seen if id in mine[target]]
            if not moving:
                await self._desk.move(session, mine[target], (target, *known[target].merged))
                return known[source], known[target]
            for name, state in known.items():
                half = halves.setdefault(name, _Half(state, briefs.emptied(state)))
                half.known = state
                await self._grow(session, half, mine[name])
            merged = await self._merged(session, known, source, target)
            if not await self._write(session, halves[target], moving, source, merged[target], by, came=True):
                continue
            if not await self._write(session, halves[source], moving, target, merged[source], by, came=False):
                continue
            await self._follow(session, halves[source], halves[target], moving, merged)
            return halves[source].known, halves[target].known
        raise StoreUnavailableError(f"incident {source} changes all the time")

    async def _known(self, session: str, incident_id: str) -> State:
        document = await self._store.get(BRIEFS, id_of(session, incident_id))
        now = self._now()
        time = now.timestamp()
        state = known_state(incident_id, document, now) if document else State(incident_id, time, time, time, time)
        listed = await self._store.get(LISTING, id_of(session, incident_id))
        row = records.read(IncidentRow, incident_id, listed.data) if listed else None
        # The last brief of an incident that was merged is above what is kept of it.
        return replace(state, revision=max(state.revision, row.revision if row else 0))

    async def _grow(self, session: str, half: _Half, mine: Mapping[str, int]) -> None:
        wanted = [id for id, revision in mine.items() if half.taken.get(id, 0) < revision and id not in half.missed]
        found = await self._desk.accounts(session, wanted)
        half.missed |= set(wanted) - set(found)
        told = [found[id] for id in wanted if id in found]
        await asyncio.to_thread(half.grow, told, self._now())

    async def _merged(
        self, session: str, known: Mapping[str, State], source: str, target: str
    ) -> dict[str, tuple[str, ...]]:
        """What each of both is made of now of the incidents that were merged before."""
        former = dict.fromkeys((*known[source].merged, *known[target].merged))
        lives = {id: await self._incidents.live(session, id) for id in former if id not in (source, target)}
        return {name: tuple(id for id, live in lives.items() if live == name) for name in (source, target)}

    async def _write(
        self, session: str, half: _Half, moving: list[str], other: str, merged: tuple[str, ...], by: str, *, came: bool
    ) -> bool:
        """Write one of both, unless reports came in between."""
        outcome: list[State] = []
        incident_id, snapshot = half.known.incident_id, half.known.seen
        many = f"{len(moving)} report{'' if len(moving) == 1 else 's'}"
        because = f"{many} {'came from' if came else 'went to'} incident {other}"

        def change(present: Document | None) -> Document | None:
            state = known_state(incident_id, present, self._now()) if present else replace(half.known, seen={})
            if present and state.seen != snapshot:
                outcome.clear()
                return None
            revision = max(state.revision, half.known.revision)
            fresh = half.fresh if half.taken else replace(half.fresh, first=state.first, latest=state.latest)
            made = replace(
                fresh,
                created_at=state.created_at,
                updated_at=self._now().timestamp(),
                revision=revision,
                told=state.told,
                causes=state.causes,
                merged=merged,
                given=state.given,
            )
            made = briefs.taken(made, moving) if came else briefs.given(made, moving)
            outcome[:] = [briefs.revised(made, because, event=by)]
            return Document(outcome[0].data(), (), self._now(), self._now() + KEPT_FOR)

        await self._store.update(BRIEFS, id_of(session, incident_id), change)
        if outcome:
            half.known = outcome[0]
        return bool(outcome)

    async def _follow(
        self,
        session: str,
        source: _Half,
        target: _Half,
        moving: list[str],
        merged: Mapping[str, tuple[str, ...]],
    ) -> None:
        """What is known of both beside their briefs."""
        if source.incident and target.incident:
            await self._incidents.part(session, source.incident, target.incident)
        name = target.known.incident_id
        await self._desk.move(session, moving, (name, *merged[name]))
        # Whoever repeats what merged one of these would bring back what it told then.
        for former in (*merged[source.known.incident_id], *merged[name]):
            await self._store.delete(BRIEFS, id_of(session, former))


def known_state(incident_id: str, present: Document, now: datetime) -> State:
    """The state of a stored brief; what can't be used of it is left out with a warning."""
    revision = records.revision_of(present.data)
    state, unusable = briefs.read(present.data, incident_id, revision, now)
    if unusable:
        left_out = ValueError(", ".join(unusable[:3]))
        records.left_out(f"part of the brief ({', '.join(unusable[:5])})", incident_id, left_out)
    return state
