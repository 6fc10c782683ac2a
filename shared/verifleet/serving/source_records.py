"""How the claims of each source fared, in the Store: a verified event in, what is learnt of its author out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from verifleet.agents.belief import credibility
from verifleet.agents.memory import keys
from verifleet.envelopes import EventData, VerifiedEventData
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR, SourceRecord
from verifleet.storage.store import Document, Store

SOURCES = "source"


class SourceRecords:
    """The records of all sessions' sources; every method raises StoreUnavailableError.

    Args:
        store: keeps them.
        now: the clock.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def of(self, session: str, event: EventData) -> Mapping[str, tuple[int, int]] | None:
        """What is known of an event's author: claims supported and refuted, by event; None where nothing is."""
        author = credibility.author_of(event)
        stored = await self._store.get(SOURCES, keys.in_session(session, author)) if author else None
        known = records.read(SourceRecord, event.event_id, stored.data) if stored else None
        return known.events if known else None

    async def learn(self, session: str, verified: VerifiedEventData) -> None:
        """Keep how the claims of an event fared, by evidence of others."""
        author = credibility.author_of(verified.original_event)
        outcome = credibility.fared(verified.verified_claims)

        def change(present: Document | None) -> Document | None:
            known = records.read(SourceRecord, verified.event_id, present.data) if present else None
            record = known.events if known else {}
            if record.get(verified.event_id, (0, 0)) == outcome:
                return None
            kept = credibility.with_outcome(record, verified.event_id, *outcome)
            return Document({"author": author, "events": kept}, (), self._now(), self._now() + KEPT_FOR)

        if author and any(outcome):
            await self._store.update(SOURCES, keys.in_session(session, author), change)
