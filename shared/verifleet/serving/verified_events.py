"""Verified events in the Store: an outcome in, its revision out; and the events that wait for a revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from verifleet.agents.belief.revisions import MAX_REVISED
from verifleet.agents.memory import keys
from verifleet.envelopes import EventData, VerifiedEventData
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR, Verified, Waiting
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.agents.memory.report import Report
    from verifleet.agents.relate.rarity import Heard

VERIFIED, WAITING = "verified", "waiting"
MAX_WAITING = 200
"""Events of a place that the next reports there revise, MAX_REVISED each, being too many for one."""
MAX_STORED_CONTENT = 200_000
ASKED_FOR = timedelta(hours=1)
"""As long as an event that is being verified is asked to be read again."""


class VerifiedEvents:
    """The verified events of all sessions; every method raises StoreUnavailableError.

    Args:
        store: keeps them.
        now: the clock.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def keep(
        self, session: str, verified: VerifiedEventData, heard: Heard, cause: str, *, always: bool
    ) -> tuple[Verified, frozenset[str]]:
        """Write verdicts with the next revision number; returns what is stored and who asked for a second look.

        Not `always`: only when a verdict differs from the stored one, or when it was this cause that changed it.
        """
        verdicts = _verdicts(verified)
        asked: set[str] = set()

        def change(present: Document | None) -> Document | None:
            asked.clear()
            earlier = _verified(verified.event_id, present)
            asked.update(earlier.asked)
            if earlier.revision and verdicts == earlier.verdicts and (not always or earlier.cause == cause):
                return None
            data = {
                "event": _storable(verified.original_event),
                "revision": earlier.revision + 1,
                "verdicts": list(verdicts),
                "cause": cause,
                "asked": [],
                "heard": {"reports": heard.reports, "uses": dict(heard.uses)},
            }
            return Document(data, (), verified.original_event.timestamp, self._now() + KEPT_FOR)

        document = await self._store.update(VERIFIED, keys.in_session(session, verified.event_id), change)
        return _verified(verified.event_id, document), frozenset(asked)

    async def of(self, session: str, event_ids: Sequence[str]) -> dict[str, Verified]:
        """What is stored of each of these events; nothing is known of one that is not there."""
        if not event_ids:
            return {}
        ids = {event_id: keys.in_session(session, event_id) for event_id in event_ids}
        documents = await self._store.get_many(VERIFIED, list(ids.values()))
        return {event_id: _verified(event_id, documents.get(id)) for event_id, id in ids.items()}

    async def ask(self, session: str, event_id: str, by: str) -> Verified:
        """Ask whoever is verifying an event right now to read again, as the event `by` has come in."""

        def change(present: Document | None) -> Document | None:
            known = _verified(event_id, present)
            if known.revision:
                return None
            return Document({"asked": [*known.asked, by][-MAX_REVISED:]}, (), None, self._now() + ASKED_FOR)

        stored = await self._store.update(VERIFIED, keys.in_session(session, event_id), change)
        return _verified(event_id, stored)

    async def take_waiting(self, session: str, new: Report, cause: str) -> list[str]:
        """Events of the place of a new report that wait for a revision, MAX_REVISED at most.

        Those that the same `cause` took before, where there are any: the same message again publishes the same again.
        """
        id = _place(session, new)
        if not _taken(_waiting(new.event_id, await self._store.get(WAITING, id)), cause):
            return []
        taken: list[str] = []

        def take(present: Document | None) -> Document | None:
            events = _waiting(new.event_id, present)
            taken[:] = _taken(events, cause)
            return Document({"events": {**events, **dict.fromkeys(taken, cause)}}, (), None, self._now() + KEPT_FOR)

        await self._store.update(WAITING, id, take)
        return taken

    async def let_wait(self, session: str, new: Report, event_ids: Sequence[str]) -> None:
        """Leave events to the next reports from the place of this one."""

        def add(present: Document | None) -> Document | None:
            earlier = _waiting(new.event_id, present)
            events = {id: cause for id, cause in earlier.items() if id not in event_ids} | dict.fromkeys(event_ids, "")
            kept = dict(list(events.items())[-MAX_WAITING:])
            return Document({"events": kept}, (), None, self._now() + KEPT_FOR)

        await self._store.update(WAITING, _place(session, new), add)


def _place(session: str, report: Report) -> str:
    return keys.in_session(session, (report.places or (keys.NOWHERE,))[0])


def _taken(events: Mapping[str, str], cause: str) -> list[str]:
    """Of the waiting events those that `cause` took before, else the next ones."""
    mine = [id for id, taker in events.items() if taker == cause]
    return mine or [id for id, taker in events.items() if not taker][:MAX_REVISED]


def _verdicts(verified: VerifiedEventData) -> tuple[str, ...]:
    return tuple(claim.verdict for claim in verified.verified_claims)


def _storable(event: EventData) -> dict[str, Any]:
    """The event as plain data; very long content is cut, since a document holds less than 900 kB."""
    # Not mode="json", which refuses lone surrogates.
    data = event.model_dump(mode="python")
    return {**data, "timestamp": event.timestamp.isoformat(), "content": event.content[:MAX_STORED_CONTENT]}


def _verified(event_id: str, present: Document | None) -> Verified:
    known = records.read(Verified, event_id, present.data) if present else Verified()
    # A revision goes on counting whatever else can't be read: a lower one than was published would be ignored.
    return known or Verified(revision=records.revision_of(present and present.data))


def _waiting(id: str, present: Document | None) -> Mapping[str, str]:
    known = records.read(Waiting, id, present.data) if present else None
    return known.events if known else {}
