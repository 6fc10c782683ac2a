"""Which incident a verified event belongs to: the reading and writing around `agents.incidents`.

An incident has one document of bounded size, which is found by keys of its places and signs. The member document of an
event is written last, so an event that is handled again after a fault does what was left undone.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from verifleet.agents.incidents.assign import choose, to_merge
from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import Signs, signs_of_verified
from verifleet.agents.memory.keys import session_key
from verifleet.envelopes import VerifiedEventData, derived_id
from verifleet.errors import ConflictError, ShapeError
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR, Member, Opened
from verifleet.storage.store import MAX_FIND_KEYS, Document, Store, get_all

logger = logging.getLogger(__name__)

CLUSTERS, MEMBERS, OPENINGS = "cluster", "member", "opening"
MOST_SPECIFIC, MOST_BROAD = 30, 15
"""Incidents that are looked at for an event: by places and signs, and by country and kind."""
MAX_HOPS = 8
MAX_OPENED = 8
Keep = Callable[[str], Awaitable[None]]
"""Keeps an event with an incident."""


@dataclass(frozen=True, slots=True)
class Found:
    """The incident of an event, "" for none.

    Attributes:
        merged: the incidents that the event showed to be the same one.
        former: the incidents that the event was in before they were merged into this one.
    """

    incident_id: str
    merged: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


class Incidents:
    """The incidents of all sessions in a store; every method raises StoreUnavailableError."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By session: no report finds an incident of another one."""

    async def of(self, session: str, verified: VerifiedEventData, keep: Keep) -> Found:
        """Put an event into its incident: the one it was put into before, one that fits, or a new one.

        The event itself is kept with that incident at the same time.
        """
        signs = signs_of_verified(verified)
        mark = key_of(session, f"m|{signs.event_id}")
        member = f"{session_key(session)}|{signs.event_id}"
        known = await self._store.get(MEMBERS, member)
        belongs = records.read(Member, signs.event_id, known.data) if known else None
        if belongs is not None:
            merged = await self._look_up([mark], MOST_SPECIFIC)
            *former, live = await self._lives(session, belongs.incident_id)
            await keep(live)
            return Found(live, tuple(i.incident_id for i in merged), tuple(former))
        # Of reports that come at once, the first opens the incident and the others find it.
        opening = self._opening.setdefault(session_key(session), asyncio.Lock())
        placed = await self._placed(session, signs, mark, opens=False) if opening.locked() else None
        if placed is None:
            async with opening:
                placed = await self._placed(session, signs, mark, opens=True)
        if placed is None:
            return Found("")
        joined, also = placed
        await asyncio.gather(self._belong(session, member, verified, joined), keep(joined))
        return Found(joined, also)

    async def _placed(
        self, session: str, signs: Signs, mark: str, *, opens: bool
    ) -> tuple[str, tuple[str, ...]] | None:
        """The incident that an event has joined, and those that it showed to be the same; None where none fits."""
        keys = [mark, *(key_of(session, key) for key in signs.found_by())][:MAX_FIND_KEYS]
        found = [
            *await self._look_up(keys, MOST_SPECIFIC),
            *await self._look_up([key_of(session, key) for key in signs.found_broadly_by()], MOST_BROAD),
        ]
        merged = [i for i in found if i.merged_into and i.merged_by == signs.event_id]
        if merged:
            return await self.live(session, merged[0].incident_id), tuple(i.incident_id for i in merged)
        replied = await self._replied(session, signs)
        candidates = list({i.incident_id: i for i in (*found, *([replied] if replied else []))}.values())
        choice = choose(signs, candidates, replied.incident_id if replied else "")
        if not choice.incident_id and not (choice.opens and opens):
            return None
        chosen = choice.incident_id or await self._opened(session, signs)
        incident = await self._join(session, chosen, signs, choice.also)
        if choice.also and (loser := await self._merge(session, incident, choice.also, signs.event_id)):
            return await self.live(session, incident.incident_id), (loser.incident_id,)
        return incident.incident_id, ()

    async def live(self, session: str, incident_id: str) -> str:
        """The incident that an incident has been merged into, itself when it has not."""
        return (await self._lives(session, incident_id))[-1]

    async def _lives(self, session: str, incident_id: str) -> list[str]:
        """An incident and those it has been merged into, one after the other."""
        lives = [incident_id]
        for _ in range(MAX_HOPS):
            document = await self._store.get(CLUSTERS, id_of(session, lives[-1]))
            if document is None or not document.data.get("merged_into"):
                break  # as nearly all: not worth reading whole
            incident = self._read(lives[-1], document)
            if incident is None or not incident.merged_into:
                break
            lives.append(incident.merged_into)
        return lives

    async def _look_up(self, keys: Sequence[str], limit: int) -> list[Incident]:
        if not keys:
            return []
        found = await self._store.find(CLUSTERS, keys, limit=limit)
        read = (self._read(id, document) for id, document in found)
        return [incident for incident in read if incident is not None]

    async def _replied(self, session: str, signs: Signs) -> Incident | None:
        """The incident of what the event answers."""
        keys = [key_of(session, f"r|{id}") for id in _answered(signs.replies_to)][:MAX_FIND_KEYS]
        for id, document in await self._store.find(MEMBERS, keys, limit=1) if keys else ():
            member = records.read(Member, id, document.data)
            incident_id = await self.live(session, member.incident_id) if member else ""
            return self._read(incident_id, await self._store.get(CLUSTERS, id_of(session, incident_id)))
        return None

    async def _opened(self, session: str, signs: Signs) -> str:
        """A new incident; of several events that open one of a place and kind at the same time, the first one's."""
        where = next((key for key in signs.found_by() if key.startswith("p|")), "")
        mine = derived_id(json.dumps([session_key(session), where, signs.kind, signs.event_id]))
        outcome: list[str] = []

        def open_one(present: Document | None) -> Document | None:
            known = records.read(Opened, mine, present.data) if present else None
            earlier = known.incidents if known else {}
            near = [id for id, time in earlier.items() if abs(time - signs.time) <= timedelta(hours=1)]
            outcome[:] = [mine if mine in earlier else near[0] if near else mine]
            if outcome[0] != mine or mine in earlier:
                return None
            kept = dict([*earlier.items(), (mine, signs.time)][-MAX_OPENED:])
            data = {"incidents": {id: time.isoformat() for id, time in kept.items()}}
            return Document(data, (), None, self._now() + KEPT_FOR)

        await self._store.update(OPENINGS, key_of(session, f"o|{where}|{signs.kind}"), open_one)
        return outcome[0]

    async def _join(self, session: str, incident_id: str, signs: Signs, also: str) -> Incident:
        """The incident with one more event, or what it was merged into meanwhile."""
        for _ in range(MAX_HOPS):
            outcome: list[Incident] = []

            def change(
                present: Document | None, incident_id: str = incident_id, outcome: list[Incident] = outcome
            ) -> Document | None:
                known = self._read(incident_id, present) or Incident(incident_id, signs.time, signs.time)
                if known.merged_into:
                    outcome[:] = [known]
                    return None
                known = known.with_event(signs)
                outcome[:] = [known.with_link(also) if also and also != incident_id else known]
                return self._document(session, outcome[0])

            await self._store.update(CLUSTERS, id_of(session, incident_id), change)
            if not outcome[0].merged_into:
                break
            incident_id = outcome[0].merged_into
        return outcome[0]

    async def _merge(self, session: str, incident: Incident, also: str, event_id: str) -> Incident | None:
        """The one of two incidents that is now part of the other, if they turned out to be one."""
        other = self._read(also, await self._store.get(CLUSTERS, id_of(session, also)))
        if other is None or other.merged_into or other.incident_id == incident.incident_id:
            return None
        if not to_merge(incident, other):
            return None
        winner, loser = sorted((incident, other), key=lambda one: (one.first, one.incident_id))
        return await self._unite(session, winner, loser, event_id)

    async def merge(self, session: str, incident_id: str, into: str, by: str) -> tuple[str, str]:
        """Make an incident part of another one, as `by` decided: the ids of both, as far as they were merged before.

        Raises ShapeError where one of them is not known, or both are one already, unless `by` made them so.
        """
        winner_id = await self.live(session, into)
        loser = self._read(incident_id, await self._store.get(CLUSTERS, id_of(session, incident_id)))
        winner = self._read(winner_id, await self._store.get(CLUSTERS, id_of(session, winner_id)))
        if loser is None or winner is None:
            raise ShapeError.at("payload.data.into" if winner is None else "payload.data.incident_id", "is not known")
        if loser.merged_by != by:
            if loser.merged_into or loser.incident_id == winner.incident_id:
                raise ConflictError.at("payload.data.incident_id", "is that incident already, or part of another one")
            await self._unite(session, winner, loser, by)
        return loser.incident_id, await self.live(session, incident_id)

    async def belong(self, session: str, event_ids: Collection[str]) -> dict[str, str]:
        """The incident that each of these events belongs to now; without those of which it is not known."""
        ids = {f"{session_key(session)}|{id}": id for id in event_ids}
        found = await get_all(self._store, MEMBERS, list(ids))
        members = {ids[key]: records.read(Member, ids[key], document.data) for key, document in found.items()}
        lives = {one.incident_id: "" for one in members.values() if one is not None}
        for incident_id in lives:
            lives[incident_id] = await self.live(session, incident_id)
        return {id: lives[one.incident_id] for id, one in members.items() if one is not None}

    async def move(self, session: str, event_ids: Collection[str], incident_id: str) -> None:
        """Make events part of another incident."""
        found = await get_all(self._store, MEMBERS, [f"{session_key(session)}|{id}" for id in event_ids])
        expires_at = self._now() + KEPT_FOR
        moved = {
            key: Document({"incident_id": incident_id}, document.keys, document.time, expires_at)
            for key, document in found.items()
        }
        await self._store.put_many(MEMBERS, moved)

    async def unmerge(self, session: str, incident_id: str, by: str) -> None:
        """Make an incident one of its own again, where `by` made it part of another one.

        Raises ConflictError where somebody or something else did.
        """

        def change(present: Document | None) -> Document | None:
            known = self._read(incident_id, present)
            if known is None or (known.merged_into and known.merged_by != by):
                raise ConflictError.at("payload.data.undoes", "is no longer why the incident is part of another one")
            if not known.merged_into:
                return None
            return self._document(session, replace(known, merged_into="", merged_by=""))

        await self._store.update(CLUSTERS, id_of(session, incident_id), change)

    async def part(self, session: str, one: Incident, other: Incident) -> None:
        """Keep two incidents as their events show them, and apart from each other."""
        for fresh, apart in ((one, other.incident_id), (other, one.incident_id)):

            def change(present: Document | None, fresh: Incident = fresh, apart: str = apart) -> Document:
                known = self._read(fresh.incident_id, present) or fresh
                return self._document(session, known.parted(fresh, apart))

            await self._store.update(CLUSTERS, id_of(session, fresh.incident_id), change)

    async def _unite(self, session: str, winner: Incident, loser: Incident, event_id: str) -> Incident | None:
        """The loser, which is part of the winner from now on; None when somebody else made it part of another one."""
        outcome: list[Incident] = []

        def end(present: Document | None) -> Document | None:
            known = self._read(loser.incident_id, present) or loser
            outcome[:] = [known]
            if known.merged_into:
                return None
            outcome[:] = [replace(known, merged_into=winner.incident_id, merged_by=event_id)]
            return self._document(session, outcome[0])

        def grow(present: Document | None) -> Document | None:
            known = self._read(winner.incident_id, present) or winner
            return self._document(session, known.with_incident(outcome[0]))

        await self._store.update(CLUSTERS, id_of(session, loser.incident_id), end)
        if outcome[0].merged_by != event_id:
            return None  # somebody else merged it
        await self._store.update(CLUSTERS, id_of(session, winner.incident_id), grow)
        return outcome[0]

    async def _belong(self, session: str, member: str, verified: VerifiedEventData, incident_id: str) -> None:
        keys = tuple(key_of(session, f"r|{id}") for id in _own_ids(verified))

        def belong(present: Document | None) -> Document | None:
            known = records.read(Member, verified.event_id, present.data) if present else None
            return None if known else Document({"incident_id": incident_id}, keys, None, self._now() + KEPT_FOR)

        await self._store.update(MEMBERS, member, belong)

    def _read(self, id: str, present: Document | None) -> Incident | None:
        return records.read(Incident, id, present.data) if present else None

    def _document(self, session: str, incident: Incident) -> Document:
        # A merged one is found by the event that showed it alone.
        keys = [f"m|{incident.merged_by}"] if incident.merged_into else incident.found_by()
        # By the hour and the day, so that the keys need not be written anew for each event.
        time = incident.last.replace(minute=0, second=0, microsecond=0)
        expires = (self._now() + KEPT_FOR + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return Document(records.plain(incident), tuple(sorted(key_of(session, key) for key in keys)), time, expires)


def _own_ids(verified: VerifiedEventData) -> Iterable[str]:
    """What others may call the event when they answer it: our id, the publisher's, an alert's identifier."""
    event = verified.original_event
    cap = event.carries("cap")
    ids = (event.event_id, event.carries("id"), cap.get("identifier") if isinstance(cap, dict) else None)
    return dict.fromkeys(str(id)[:200] for id in ids if isinstance(id, str | int) and id != "")


def _answered(references: Iterable[str]) -> Iterable[str]:
    """The ids in references; an alert's is its identifier between sender and time."""
    return dict.fromkeys(part[:200] for one in references for part in (one, *one.split(",")[1:2]))


def key_of(session: str, name: str) -> str:
    """A key of fixed length, so that no text of a report stands in an index."""
    digest = hashlib.blake2b(name.encode("utf-8", "backslashreplace"), digest_size=10).hexdigest()
    return f"{session_key(session)}|{digest}"


def id_of(session: str, name: str) -> str:
    """The id of a session's document: of an incident, an event."""
    return f"{session_key(session)}|{name}"
