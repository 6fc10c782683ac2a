"""The verifier agent: the reading and writing around its pure core.

Order matters: a report is written to the incident memory before related reports are read, so of two
reports handled at the same time at least one sees the other, and that one sees to it that both are revised.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from verifleet.agents.belief.evidence import Item
from verifleet.agents.belief.judge import hears
from verifleet.agents.belief.outside import to_search
from verifleet.agents.belief.revisions import concerned, may_change, overturns, turn
from verifleet.agents.pipeline import Prepared, prepare, verify_event
from verifleet.envelopes import Envelope, EventData, IncidentActData, VerifiedEventData, make_envelope
from verifleet.messaging.topology import VERIFIED_EVENTS
from verifleet.observability import tool
from verifleet.serving import records
from verifleet.serving.delivery import Output
from verifleet.serving.first_made import first_made
from verifleet.serving.grounding import Grounding
from verifleet.serving.marks import MarkedClaims
from verifleet.serving.records import OUTPUTS_KEPT_FOR, Verified
from verifleet.serving.report_memory import ReportMemory
from verifleet.serving.source_records import SourceRecords
from verifleet.serving.verified_events import MAX_WAITING, VerifiedEvents
from verifleet.storage.store import Store

if TYPE_CHECKING:
    from verifleet.agents.memory.report import Report
    from verifleet.agents.relate.rarity import Heard
    from verifleet.gemini import Gemini

logger = logging.getLogger(__name__)

VERIFIER = "verifier_agent"


class VerifierAgent:
    """`event_v1` in; the verified event and revisions of earlier ones out, for the topic `verified-events`.

    Args:
        store: reports, verified events and source records.
        gemini: judges what rules leave open, reads other languages and searches the web; without it rules decide.
        now: the clock.
    """

    def __init__(
        self,
        store: Store,
        *,
        gemini: Gemini | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._memory = ReportMemory(store, now)
        self._events = VerifiedEvents(store, now)
        self._sources = SourceRecords(store, now)
        self._marks = MarkedClaims(store, now)
        self._grounding = Grounding(store, gemini, now) if gemini is not None else None
        self._now = now

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Verify one event, or anew what somebody marked. Raises StoreUnavailableError."""
        if envelope.schema_ == "incident_act_v1":
            made = await self._marked(envelope.session_id, envelope.data, cause)
        else:
            made = await self._reported(envelope.session_id, envelope.data, cause)
        outputs = (self.forward_to_summarizer(data, envelope.session_id, cause) for data in made)
        return await asyncio.gather(*(self._as_first_made(output) for output in outputs))

    async def _reported(self, session: str, event: EventData, cause: str) -> list[VerifiedEventData]:
        prepared = await self._prepare(session, event)
        await self._memory.remember(session, prepared.report)
        related = await self._memory.related(session, prepared.report)
        verified = await self._settle(session, prepared, related, cause)
        return [verified, *await self._revise(session, prepared.report, related, cause)]

    async def _as_first_made(self, output: Output) -> Output:
        expires_at = self._now() + OUTPUTS_KEPT_FOR
        first = await first_made(self._store, output.envelope, expires_at, apart=("original_event",))
        return replace(output, envelope=first)

    def forward_to_summarizer(self, data: VerifiedEventData, session: str, cause: str) -> Output:
        """The output for one verified event: the topic that the summarizer reads."""
        if data.unverified:
            told = {"event_id": data.event_id, "score": data.reliability_score, "reason": data.unverified_reason}
            told["unverified"] = True  # the metric of unverified events counts these lines
            logger.info("event %s is unverified: %s", data.event_id, data.unverified_reason, extra={"fields": told})
        with tool("forward_to_summarizer", event_id=data.event_id):
            envelope = make_envelope(
                "verified_event_v1",
                data,
                session_id=session,
                source_agent=VERIFIER,
                timestamp=self._now(),
                cause=cause,
                output_key=f"{data.event_id}:{data.revision}",
            )
        return Output(VERIFIED_EVENTS, envelope)

    async def assess(self, session: str, event: EventData) -> VerifiedEventData:
        """Verify a statement against the session's reports without adding it to them. Raises StoreUnavailableError."""
        prepared = await self._prepare(session, event)
        related = await self._memory.related(session, prepared.report)
        return await self._verify(session, prepared, related, hears(prepared.report, related))

    async def _prepare(self, session: str, event: EventData) -> Prepared:
        record = await self._sources.of(session, event)
        with tool("extract_claims", event.content, event_id=event.event_id) as call:
            prepared = prepare(event, record, arrived=self._now())
            if prepared.unread and self._grounding is not None:
                told = await self._grounding.foreign(session, event)
                prepared = prepare(event, record, arrived=self._now(), told=told)
            call.output = len(prepared.claims)
        return prepared

    async def _settle(
        self, session: str, prepared: Prepared, related: Sequence[Report], cause: str
    ) -> VerifiedEventData:
        """Verify, and store the outcome; once more when a report came in between reading and storing."""
        heard = hears(prepared.report, related)
        verified = await self._verify(session, prepared, related, heard)
        stored, poked = await self._keep(session, verified, heard, cause, always=True)
        if poked - {report.event_id for report in related}:
            related = await self._memory.related(session, prepared.report)
            verified = await self._verify(session, prepared, related, heard)
            stored, _ = await self._keep(session, verified, heard, cause, always=True)
        return verified.model_copy(update={"revision": stored.revision})

    async def _verify(
        self, session: str, prepared: Prepared, related: Sequence[Report], heard: Heard
    ) -> VerifiedEventData:
        with tool("verify_claim", event_id=prepared.event.event_id) as call:
            known = await self._beside(session, prepared)
            verified = verify_event(prepared, related, now=self._now(), external=known, heard=heard)
            if self._grounding is not None and verified.verified_claims:
                verified = await self._asked(self._grounding, session, prepared, related, heard, known, verified)
            call.fields["verdicts"] = [claim.verdict for claim in verified.verified_claims]
        with tool("score_reliability", event_id=prepared.event.event_id) as call:
            call.output = verified.reliability_score
        return verified

    async def _marked(self, session: str, act: IncidentActData, cause: str) -> list[VerifiedEventData]:
        """An event whose claim somebody marked, or whose mark was taken back, with its next revision.

        Nothing for other acts, and for an event that is not known or can't be read.
        """
        event_id = await self._marks.apply(session, act)
        stored = (await self._events.of(session, [event_id]))[event_id] if event_id else Verified()
        event = records.read(EventData, event_id, stored.event) if stored.event else None
        if event is None:
            return []
        verified, heard = await self._verified_anew(session, event, stored)
        outcome, _ = await self._keep(session, verified, heard, cause, always=True)
        return [verified.model_copy(update={"revision": outcome.revision})]

    async def _verified_anew(self, session: str, event: EventData, known: Verified) -> tuple[VerifiedEventData, Heard]:
        """An event verified again, by what was heard before it at first."""
        prepared = await self._prepare(session, event)
        related = await self._memory.related(session, prepared.report)
        heard = known.heard or hears(prepared.report, related)
        return await self._verify(session, prepared, related, heard), heard

    async def _beside(self, session: str, prepared: Prepared) -> list[list[Item]]:
        """What people say about each claim."""
        marks = await self._marks.of(session, prepared.event.event_id) if prepared.claims else {}
        return [[marks[str(i)].item()] if str(i) in marks else [] for i in range(len(prepared.claims))]

    async def _asked(
        self,
        grounding: Grounding,
        session: str,
        prepared: Prepared,
        related: Sequence[Report],
        heard: Heard,
        known: Sequence[Sequence[Item]],
        judged: VerifiedEventData,
    ) -> VerifiedEventData:
        """The event verified with what Gemini and a web search say too; less sure where the search failed."""
        claims = judged.verified_claims
        ranked = to_search(claims)
        searches = (grounding.pages(session, prepared.event, claims[index]) for index in ranked)
        opened, found = await asyncio.gather(
            grounding.pairs(session, prepared.report, related), asyncio.gather(*searches)
        )
        pages = dict(zip(ranked, found, strict=True))
        external = [[*known[index], *(pages.get(index) or ())] for index in range(len(claims))]
        failed = frozenset(index for index, items in pages.items() if items is None)
        method: Literal["gemini", "heuristic"] = "heuristic" if failed or opened is None else "gemini"
        return verify_event(
            prepared,
            related,
            now=self._now(),
            external=external,
            unsearched=failed,
            method=method,
            opened=opened,
            heard=heard,
        )

    async def _keep(
        self, session: str, verified: VerifiedEventData, heard: Heard, cause: str, *, always: bool
    ) -> tuple[Verified, frozenset[str]]:
        """Store the outcome and what it tells of the author; see `VerifiedEvents.keep`."""
        kept, _ = await asyncio.gather(
            self._events.keep(session, verified, heard, cause, always=always), self._sources.learn(session, verified)
        )
        return kept

    async def _revise(
        self, session: str, new: Report, related: Sequence[Report], cause: str
    ) -> list[VerifiedEventData]:
        """Earlier events whose verdicts the new report changes, verified again, one step only.

        MAX_REVISED at most, up to MAX_OVERTURNED where what was published as supported is so no longer; the rest of
        those waits for the next reports from there, and those that waited for this one come behind.
        """
        again = await self._events.of(session, await self._events.take_waiting(session, new, cause))
        waited = [await self._verify_again(session, event_id, known, cause) for event_id, known in again.items()]
        revised = [outcome for outcome in waited if outcome is not None]
        bears_on = concerned(new, related)
        if not bears_on:
            return revised
        told = [*related, new]
        stored = await self._events.of(session, [report.event_id for report, _ in bears_on])
        done = {verified.event_id for verified in revised}
        count, waiting = 0, []
        first = [(overturns(stored[report.event_id].verdicts, said), report, said) for report, said in bears_on]
        for overturned, report, stances in sorted(first, key=lambda item: not item[0]):
            known, when = stored[report.event_id], turn(overturned, count)
            if report.event_id in done or when == "never":
                continue
            if when == "waits":
                if may_change(known.verdicts, report, stances, told, known.heard):
                    waiting.append(report.event_id)
                continue
            outcome = await self._revise_one(session, new, report, stances, told, cause, known)
            if outcome is not None:
                revised.append(outcome)
                count += 1
        if waiting:
            met = {report.event_id for report in related}
            wider = [r for r in await self._memory.related(session, new, MAX_WAITING) if r.event_id not in met]
            waiting += [report.event_id for report, said in concerned(new, wider) if "refutes" in said.values()]
            await self._events.let_wait(session, new, waiting)
        return revised

    async def _revise_one(
        self,
        session: str,
        new: Report,
        earlier: Report,
        stances: Mapping[int, str],
        told: Sequence[Report],
        cause: str,
        known: Verified,
    ) -> VerifiedEventData | None:
        if not known.revision:
            known = await self._events.ask(session, earlier.event_id, new.event_id)
            if not known.revision:
                return None  # whoever is verifying it now reads again
        if known.cause != cause and not may_change(known.verdicts, earlier, stances, told, known.heard):
            return None
        return await self._verify_again(session, earlier.event_id, known, cause)

    async def _verify_again(self, session: str, event_id: str, known: Verified, cause: str) -> VerifiedEventData | None:
        """An earlier event's next revision; None when its verdicts are what they were, or it can't be read."""
        event = records.read(EventData, event_id, known.event) if known.event else None
        if event is None:
            return None
        verified, heard = await self._verified_anew(session, event, known)
        stored, _ = await self._keep(session, verified, heard, cause, always=False)
        if stored.cause != cause or (stored.revision == known.revision and known.cause != cause) or not stored.revision:
            return None
        return verified.model_copy(update={"revision": stored.revision})
