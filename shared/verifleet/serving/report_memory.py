"""The incident memory in the Store: a report in to be kept, the earlier reports that may speak about it out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from verifleet.agents.belief.voices import set_apart
from verifleet.agents.memory import keys
from verifleet.agents.memory import report as memory
from verifleet.agents.memory.report import from_json, to_json
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import MAX_FIND_KEYS, Document, Store

if TYPE_CHECKING:
    from verifleet.agents.memory.report import Report

REPORTS = "report"
MAX_RELATED = 30
MAX_RELATED_OFFICIAL = 15
WIDER = 2
"""How many times more reports are read where reposts take the room of others."""
MAX_HELD = 8_000
"""Claims and facts of the incident memory, each report counting as one more, that are kept at hand in the process: some
1,000 posts. Those held longest make room."""


class ReportMemory:
    """The reports of all sessions; every coroutine raises StoreUnavailableError.

    Args:
        store: keeps them.
        now: the clock.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self._reports: dict[str, tuple[Mapping[str, Any], Report | None]] = {}
        self._held = 0

    async def remember(self, session: str, report: Report) -> None:
        """Keep a report, so that others find it."""
        document = Document(
            to_json(report),
            memory.stored_keys(session, report),
            report.time,
            expires_at=self._now() + KEPT_FOR,
        )
        await self._store.put(REPORTS, keys.in_session(session, report.event_id), document)

    async def related(self, session: str, report: Report, most: int = MAX_RELATED) -> list[Report]:
        """Earlier and simultaneous reports that may speak about this one, official ones first looked for.

        Reposts that add nothing come last, so that they take no other report's room.
        """
        official, others = await self._find(session, report, MAX_RELATED_OFFICIAL, most)
        kept, reposts = set_apart((*official, *others))
        if reposts and len(others) >= most:
            official, others = await self._find(session, report, MAX_RELATED_OFFICIAL, WIDER * most)
            kept, reposts = set_apart((*official, *others))
        room = len(official) + most
        return [*kept, *reposts][:room]

    async def _find(self, session: str, report: Report, *limits: int) -> tuple[list[Report], list[Report]]:
        """Official reports and further ones that may speak about this one, at most `limits`, newest first."""
        after, before = report.time - keys.WINDOW, report.time + keys.WINDOW
        looked_up = [
            self._store.find(
                REPORTS,
                memory.query_keys(session, report, official=official, limit=MAX_FIND_KEYS),
                after=after,
                before=before,
                limit=limit,
            )
            for official, limit in zip((True, False), limits, strict=True)
        ]
        met = {keys.in_session(session, report.event_id)}
        found: list[list[Report]] = []
        for documents in await asyncio.gather(*looked_up):
            new = [(id, document) for id, document in documents if id not in met]
            met.update(id for id, _ in new)
            found.append([made for id, document in new if (made := self.report(id, document.data)) is not None])
        return found[0], found[1]

    def report(self, id: str, data: Mapping[str, Any]) -> Report | None:
        """The report in a document, made once for as long as the document stays the same; None where it can't be."""
        known = self._reports.get(id)
        if known is None or known[0] != data:
            self._let_go(id)
            known = self._reports[id] = (data, _read(id, data))
            self._held += _size(known[1])
            while self._held > MAX_HELD:
                self._let_go(next(iter(self._reports)))
        return known[1]

    def _let_go(self, id: str) -> None:
        if id in self._reports:
            self._held -= _size(self._reports.pop(id)[1])


def _size(report: Report | None) -> int:
    return 1 + (len(report.claims) + len(report.facts) if report else 0)


def _read(id: str, data: Mapping[str, Any]) -> Report | None:
    try:
        return from_json(data)
    except ValueError as error:
        # During an upgrade two versions share the memory; an event must not fail for that.
        records.left_out("report", id, error)
        return None
