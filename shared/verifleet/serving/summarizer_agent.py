"""The summarizer agent: the reading and writing around the pure cores of incidents and briefs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from verifleet import observability
from verifleet.agents import briefs
from verifleet.agents.briefs import State
from verifleet.agents.memory import keys as incident
from verifleet.agents.pipeline import is_exercise_event
from verifleet.envelopes import (
    Envelope,
    EnvelopeMetadata,
    IncidentActData,
    IncidentBriefData,
    VerifiedEventData,
    make_envelope,
    output_id,
)
from verifleet.errors import GeminiUnavailableError, StoreUnavailableError
from verifleet.instants import read_instant
from verifleet.messaging.topology import INCIDENT_ACTS, INCIDENT_BRIEFS
from verifleet.observability import tool
from verifleet.serving import records
from verifleet.serving.delivery import Output, current_delivery
from verifleet.serving.desk.acts import Acts
from verifleet.serving.desk.kept import Because, Desk
from verifleet.serving.desk.parting import BRIEFS, Parting, known_state
from verifleet.serving.first_made import first_made, made_before
from verifleet.serving.incidents import Found, Incidents, id_of
from verifleet.serving.records import KEPT_FOR, OUTPUTS_KEPT_FOR, Outline
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.gemini import Gemini
    from verifleet.serving.desk.alerting import Alerting

logger = logging.getLogger(__name__)

SUMMARIZER, SCHEMA, ACT_SCHEMA = "summarizer_agent", "incident_brief_v1", "incident_act_v1"
OWN = {"before", "undone"}
"""What the desk keeps of an act beside what it was sent with."""
INCIDENTS = "incident"
MAX_COMPARED, MAX_AGAIN = 20, 3
News = Literal["revision", "count", "again", "outdated", "gone"]


class SummarizerAgent:
    """`verified_event_v1` in; the brief of its incident out, for the topic `incident-briefs`.

    Args:
        store: incidents and their members, briefs and outlines of incidents.
        alerting: notes what briefs owe to whom, and sends it when they come back; without it nothing does.
        gemini: writes the summary; without it, or when its text has a figure that no fact has, it is made of the facts.
        now: the clock.
    """

    def __init__(
        self,
        store: Store,
        *,
        gemini: Gemini | None = None,
        alerting: Alerting | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._alerting = alerting
        self._store = store
        self._incidents = Incidents(store, now)
        self._desk = Desk(store, now)
        self._parting = Parting(store, self._incidents, self._desk, now)
        self._acts = Acts(store, self._incidents, self._parting, now)
        self._gemini = gemini
        self._now = now

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Put one verified event into its incident's brief, or apply what somebody decided.

        Nothing comes of an exercise or an outdated revision.
        """
        if envelope.schema_ == ACT_SCHEMA:
            return await self._act(envelope, cause)
        if envelope.schema_ == SCHEMA:
            return await self._alerting(envelope, cause=cause) if self._alerting else []
        verified: VerifiedEventData = envelope.data
        return _once(await self._reported(envelope.session_id, verified, cause))

    async def _reported(
        self, session: str, verified: VerifiedEventData, cause: str, again: int = 0
    ) -> Sequence[Output]:
        if is_exercise_event(verified.original_event):
            logger.info("event %s is an exercise or a test: no incident, no brief", verified.event_id)
            await self._desk.keep(session, verified, "", "exercise")
            return []
        with tool("cluster_incident", event_id=verified.event_id) as call:
            found = await self._incidents.of(session, verified, partial(self._desk.keep, session, verified))
            incident_id = call.fields["incident_id"] = found.incident_id
            if not incident_id:
                call.outcome = "no_incident"
        if not incident_id:
            logger.info("event %s belongs to no incident", verified.event_id)
            await self._desk.keep(session, verified, "", "no incident")
            return []
        outputs = await self._of_others(session, found, cause, verified)
        state, news = await self._merge(session, incident_id, verified)
        if news == "gone":  # somebody gave it to another incident between the two
            if again == MAX_AGAIN:
                raise StoreUnavailableError(f"event {verified.event_id} goes from incident to incident")
            return [*outputs, *await self._reported(session, verified, cause, again + 1)]
        live = await self._incidents.live(session, incident_id)
        if live != incident_id:  # merged between the two: what was just told must not be lost
            outputs += await self._made_by(session, _ended(state), cause, verified)
            return [*outputs, *await self._absorbed(session, live, incident_id, cause, verified)]
        if news in ("again", "outdated"):
            outputs += await self._made_by(session, state, cause, verified)
        if news == "outdated":
            logger.info("event %s revision %d is out of date", verified.event_id, verified.revision)
            return outputs
        if news != "count":
            with tool("write_brief", incident_id=incident_id, revision=state.revision):
                outputs.append(await self._told(session, state, cause, verified))
        if news == "count" or (news == "again" and state.reports > state.counted):
            with tool("count_report", incident_id=incident_id, reports=state.reports):
                known = await self._made(session, state, cause, verified)
                outputs.append(await self._published(session, briefs.counted(known, state), cause, verified))
        return outputs

    async def _act(self, envelope: Envelope[Any], cause: str) -> list[Output]:
        """Apply an act; what came over the topic is not published to it again."""
        session, act = envelope.session_id, envelope.data.model_copy(update={"caller": observability.caller()})
        with tool("apply_act", kind=act.kind):
            applied = await self._acts.apply(session, act)
        outputs: list[Output] = []
        if applied.merged is not None:
            ended, incident_id = applied.merged
            outputs += await self._absorbed(session, incident_id, ended, cause, act)
        if applied.parted is not None and (states := await self._parting.part(session, *applied.parted, act.act_id)):
            for one in states:
                outputs += await self._made_by(session, one, cause, act)
                outputs.append(await self._told(session, one, cause, act))
        if current_delivery() is None:
            sent = IncidentActData(**applied.act.model_dump(exclude=OWN))
            payload = envelope.payload.model_copy(update={"data": sent})
            metadata = envelope.metadata or EnvelopeMetadata(envelope_id=output_id(cause, SUMMARIZER, ACT_SCHEMA))
            outputs.append(
                Output(INCIDENT_ACTS, envelope.model_copy(update={"payload": payload, "metadata": metadata}))
            )
        return outputs

    async def _of_others(self, session: str, found: Found, cause: str, verified: VerifiedEventData) -> list[Output]:
        """The briefs of incidents that became one, before and by this event."""
        outputs: list[Output] = []
        for other in found.former:
            if document := await self._store.get(BRIEFS, id_of(session, other)):
                outputs += await self._made_by(session, _ended(self._known(other, document)), cause, verified)
        for other in found.merged:
            outputs += await self._absorbed(session, found.incident_id, other, cause, verified)
        return outputs

    async def _made_by(self, session: str, state: State, cause: str, because: Because) -> list[Output]:
        """The earlier revisions of an incident that a report or an act made, whoever was killed before telling them."""
        made = briefs.revisions_by(state, _id(because))
        return [await self._published(session, briefs.render(earlier), cause, because) for earlier in made]

    async def _published(self, session: str, brief: IncidentBriefData, cause: str, because: Because) -> Output:
        made = self._envelope(session, brief, cause)
        first = await first_made(self._store, made, self._now() + OUTPUTS_KEPT_FOR)
        shown = self._desk.show(session, first.data, because)
        if self._alerting is None:
            await shown
            return Output(INCIDENT_BRIEFS, first)
        _, attributes = await asyncio.gather(shown, self._alerting.note(session, first.data))
        return Output(INCIDENT_BRIEFS, first, attributes=attributes)

    def _envelope(self, session: str, brief: IncidentBriefData, cause: str) -> Envelope[Any]:
        key = f"{brief.incident_id}:{brief.revision}"
        return make_envelope(
            SCHEMA,
            brief,
            session_id=session,
            source_agent=SUMMARIZER,
            timestamp=self._now(),
            cause=cause,
            # A brief tells of all events so far: whichever of their messages publishes a revision, it is the same one.
            output_key=key if brief.kind == "brief" else f"{key}:{brief.reports}",
            caused_by_many=True,
        )

    async def _told(self, session: str, state: State, cause: str, because: Because) -> Output:
        """The brief of what is known of an incident now, which others are compared with from here on."""
        own = briefs.outline(state)
        kind = incident.key(session, incident.ANYWHERE, own["family"] or "other")
        brief = briefs.render(state, await self._similar(own, kind))
        if self._gemini is not None:
            brief = await self._written(self._gemini, brief)
        outline = Document(own, (kind,), read_instant(own["first"]), self._expiry())
        published, _ = await asyncio.gather(
            self._published(session, brief, cause, because),
            self._store.put(INCIDENTS, id_of(session, own["incident_id"]), outline),
        )
        return published

    async def _made(self, session: str, state: State, cause: str, because: Because) -> IncidentBriefData:
        """The brief of the present revision as it was made, or made now where whoever was to make it has not yet."""
        id = output_id("", SUMMARIZER, SCHEMA, f"{state.incident_id}:{state.revision}")
        known = await made_before(self._store, id, SCHEMA)
        if known is None:
            known = (await self._told(session, state, cause, because)).envelope
        brief: IncidentBriefData = known.data
        return brief

    async def _absorbed(self, session: str, incident_id: str, other: str, cause: str, because: Because) -> list[Output]:
        """The last brief of an incident that turned out to be another one, and that one's brief with all it told."""
        document = await self._store.get(BRIEFS, id_of(session, other))
        if document is None:
            return []
        lost = self._known(other, document)
        outcome: list[State] = []

        def change(present: Document | None) -> Document | None:
            state = self._known(incident_id, present) if present else briefs.untold(lost, incident_id)
            news = [id for id, (revision, _) in lost.seen.items() if state.seen.get(id, (0, 0.0))[0] < revision]
            if not news:
                outcome[:] = [state]
                return None
            outcome[:] = [briefs.with_incident(state, lost, _id(because))]
            return Document(outcome[0].data(), (), self._now(), self._expiry())

        await self._store.update(BRIEFS, id_of(session, incident_id), change)
        last = briefs.render(replace(lost, revision=lost.revision + 1))
        told = {"merged_into": incident_id, "changes": [f"merged into incident {incident_id}"]}
        return [
            await self._published(session, last.model_copy(update=told), cause, because),
            *await self._made_by(session, outcome[0], cause, because),
            await self._told(session, outcome[0], cause, because),
        ]

    async def _merge(self, session: str, incident_id: str, verified: VerifiedEventData) -> tuple[State, News]:
        """What is known of the incident afterwards: another revision of its brief, or only one report more.

        "again" is for an event that is in it already, "outdated" for one of which a later revision is, "gone" for one
        that somebody gave to another incident.
        """
        outcome: list[tuple[State, News]] = []
        family = incident.family(verified.original_event.event_type)

        def change(present: Document | None) -> Document | None:
            state = self._known(incident_id, present) if present else briefs.new(incident_id, verified, self._now())
            if briefs.given_mark(verified.event_id) in state.given:
                outcome[:] = [(state, "gone")]
                return None
            merged = briefs.with_event(state, verified, family, self._now())
            if merged is None:
                same = state.seen[verified.event_id][0] == verified.revision
                outcome[:] = [(state, "again" if same else "outdated")]
                return None
            after = briefs.revised(merged, event=verified.event_id)
            outcome[:] = [(after, "revision" if after.revision > state.revision else "count")]
            return Document(after.data(), (), self._now(), self._expiry())

        await self._store.update(BRIEFS, id_of(session, incident_id), change)
        return outcome[0]

    def _known(self, incident_id: str, present: Document) -> State:
        return known_state(incident_id, present, self._now())

    async def _similar(self, own: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
        found = await self._store.find(INCIDENTS, [kind], limit=MAX_COMPARED)
        others = (records.read(Outline, id, other.data) for id, other in found)
        return briefs.similar_incidents(own, (other for other in others if other is not None))

    async def _written(self, gemini: Gemini, brief: IncidentBriefData) -> IncidentBriefData:
        facts: dict[str, Any] = {
            "key_facts": [{"text": fact.text, "status": fact.status} for fact in brief.key_facts],
            "extract": brief.summary,
            "guidance": brief.guidance,
        }
        try:
            summary = briefs.shorten(await gemini.summarise(facts))
        except GeminiUnavailableError as error:
            logger.warning("the summary is made of the facts: %s", error)
            return brief
        if not briefs.rests_on(summary, facts):
            logger.warning("the summary is made of the facts: Gemini's text has figures that the facts do not have")
            return brief
        return brief.model_copy(update={"summary": summary})

    def _expiry(self) -> datetime:
        return self._now() + KEPT_FOR


def _ended(state: State) -> State:
    """An incident that was merged: its last revision is an earlier one too."""
    return replace(state, revision=state.revision + 1)


def _id(because: Because) -> str:
    return because.act_id if isinstance(because, IncidentActData) else because.event_id


def _once(outputs: Sequence[Output]) -> list[Output]:
    """Each envelope once, in the order in which they came."""
    return list({output.envelope.envelope_id: output for output in outputs}.values())
