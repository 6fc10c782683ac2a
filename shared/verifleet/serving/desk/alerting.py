"""Alerts out: what is material in a brief, and who is told of it.

What a brief owes is noted before it is published. Only one that owes something comes back from its topic, and it is
acknowledged when all of that is sent or given up. Until then Pub/Sub delivers it again, with its own growing pauses:
that is the retrying. What a target refuses for good, or still does not take at the last delivery, ends with its reason
in `dead-letters`; replaying it tries once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from verifleet.alerts.changes import news_of
from verifleet.alerts.forms import Alert
from verifleet.alerts.outbox import MAX_OWED, Key, Outbox, Owed, Turn
from verifleet.alerts.reaching import NotTakenError, send
from verifleet.alerts.rule_file import Rules, Target
from verifleet.envelopes import Envelope, IncidentBriefData, derived_id
from verifleet.errors import FieldProblem, ShapeError, TransientError
from verifleet.incident_views import IncidentRow
from verifleet.messaging.topology import BRIEFS_TO_ALERT, MAX_DELIVERY_ATTEMPTS, OWES_ALERTS
from verifleet.observability import tool
from verifleet.serving import records
from verifleet.serving.delivery import Output, current_delivery
from verifleet.serving.desk.kept import ALERTS, FEED, LISTING, row_of, severity_of
from verifleet.serving.incidents import id_of, key_of
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store

logger = logging.getLogger(__name__)

WAIT_S, LOOK_EVERY_S = 6.0, 0.2
"""How long an alert waits in place for an earlier one that is being sent."""

NOTHING: Mapping[str, str] = {}
Send = Callable[[Alert, Target], Awaitable[None]]


class FullError(TransientError):
    """An incident owes so many alerts that more of its briefs wait."""


class Alerting:
    """`incident_brief_v1` in; alerts out to the targets of the rules. Nothing is published.

    Args:
        store: what is owed.
        rules: who is told of what.
        send: how an alert reaches a target.
        now: the clock.
    """

    def __init__(
        self,
        store: Store,
        rules: Rules,
        *,
        send: Send = send,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._rules = rules
        self._send = send
        self._now = now

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Send what is material. Raises TransientError until all of it is sent, ShapeError for what is given up."""
        delivery = current_delivery()
        if delivery is None or delivery.subscription != BRIEFS_TO_ALERT:
            raise ShapeError.at("schema", f"briefs are taken from the subscription {BRIEFS_TO_ALERT} only")
        brief: IncidentBriefData = envelope.data
        session = envelope.session_id
        key = (brief.revision, brief.reports)
        outbox, row = await self._taken(session, brief)
        if not outbox.of(key):
            return []
        mine = [one for one in outbox.of(key) if one.state not in ("failed", "dead")]
        await asyncio.gather(*(self._tell(session, brief, row, one) for one in mine))
        await self._settle(session, brief.incident_id, key, last=delivery.attempt >= MAX_DELIVERY_ATTEMPTS)
        return []

    async def note(self, session: str, brief: IncidentBriefData) -> Mapping[str, str]:
        """Note what a brief owes, before it is published with these attributes, by which it comes back.

        What owes too much already comes back as well, and waits on its topic.
        """
        key = (brief.revision, brief.reports)
        if brief.kind == "count" and not await self._matters(session, brief, key):
            return NOTHING
        try:
            outbox, _ = await self._taken(session, brief)
        except FullError:
            return OWES_ALERTS
        return OWES_ALERTS if outbox.of(key) else NOTHING

    async def _matters(self, session: str, brief: IncidentBriefData, key: Key) -> bool:
        """Whether a mere count of reports changes anything, which it seldom does."""
        outbox = await self._read(session, brief.incident_id)
        found = news_of(outbox.known, brief, severity_of(brief))
        return bool(outbox.of(key) or (found and found[1]))

    async def _taken(self, session: str, brief: IncidentBriefData) -> tuple[Outbox, IncidentRow]:
        """What the incident owes with this brief, and how it is listed."""
        listed = await self._store.get(LISTING, id_of(session, brief.incident_id))
        known = records.read(IncidentRow, brief.incident_id, listed.data) if listed else None
        is_listed = known is not None and (known.revision, known.reports) >= (brief.revision, brief.reports)
        row = known if known is not None and is_listed else row_of(brief, known, self._now())

        def taking(outbox: Outbox) -> Outbox | None:
            if len([one for one in outbox.owed if one.state == "waiting"]) > MAX_OWED:
                raise FullError(f"incident {brief.incident_id} owes more than {MAX_OWED} alerts")
            key = (brief.revision, brief.reports)
            taken = outbox.taking(brief, session, row, severity_of(brief), self._rules, self._now())
            return taken or outbox.again(key)

        return await self._change(session, brief.incident_id, taking), row

    async def _tell(self, session: str, brief: IncidentBriefData, row: IncidentRow, owed: Owed) -> None:
        """Send one alert when it is its turn; what comes of it is in the outbox."""
        incident_id, key, name = brief.incident_id, owed.key, owed.target
        turn = await self._turn(session, incident_id, key, name)
        if turn == "unsure":
            reason = "whoever sent it was stopped before it was answered: it may have arrived"
            await self._change(session, incident_id, lambda outbox: outbox.failed(key, name, reason))
        if turn != "send":
            return
        target = self._rules.targets.get(name)
        outcome: Callable[[Outbox], Outbox]
        with tool("send_alert", incident_id=incident_id, revision=brief.revision, target=name) as call:
            try:
                if target is None:
                    raise NotTakenError("is no longer among the targets", "lasting")
                await self._send(self._alert(session, brief, row, owed), target)
                outcome = _sent(key, name)
            except NotTakenError as error:
                call.outcome = error.outcome.replace(" ", "_")
                again = error.outcome == "may pass" or (error.outcome == "unsure" and _repeats(target))
                outcome = _not_taken(key, name, str(error), again=again)
        await self._change(session, incident_id, outcome)

    async def _turn(self, session: str, incident_id: str, key: Key, name: str) -> Turn:
        """Take the turn to send; waits in place while an earlier one is on its way."""
        turns: list[Turn] = []

        def take(outbox: Outbox) -> Outbox | None:
            turns[:] = [outbox.turn(key, name, self._now())]
            return outbox.sending(key, name, self._now()) if turns == ["send"] else None

        for _ in range(round(WAIT_S / LOOK_EVERY_S)):
            outbox = await self._change(session, incident_id, take)
            if turns != ["wait"] or not any(one.state == "sending" and one.target == name for one in outbox.owed):
                break
            await asyncio.sleep(LOOK_EVERY_S)
        return turns[0]

    async def _settle(self, session: str, incident_id: str, key: Key, *, last: bool) -> None:
        """Acknowledge, ask to be called again, or give up with the reasons of all that was not taken."""
        outbox = await self._read(session, incident_id)
        mine = [one for one in outbox.of(key) if one.state != "dead"]
        left = [one for one in mine if one.state != "failed"]
        if left and not last:
            raise TransientError("; ".join(f"alert to {one.target}: {one.reason or 'waits'}" for one in left))
        if mine:
            await self._change(session, incident_id, lambda outbox: outbox.buried(key))
            told = [
                FieldProblem(f"targets.{one.target}", one.reason or "an earlier alert was on its way") for one in mine
            ]
            raise ShapeError.of(told)

    def _alert(self, session: str, brief: IncidentBriefData, row: IncidentRow, owed: Owed) -> Alert:
        name = f"alert|{session}|{brief.incident_id}|{owed.key[0]}|{owed.key[1]}|{owed.target}"
        return Alert(derived_id(name), session, row, brief.summary, owed.changes, owed.at, self._rules.desk)

    async def _read(self, session: str, incident_id: str) -> Outbox:
        return _outbox(incident_id, await self._store.get(ALERTS, id_of(session, incident_id)))

    async def _change(self, session: str, incident_id: str, make: Callable[[Outbox], Outbox | None]) -> Outbox:
        """Change what an incident owes in one transaction."""
        after: list[Outbox] = []

        def change(present: Document | None) -> Document | None:
            outbox = _outbox(incident_id, present)
            changed = make(outbox)
            after[:] = [changed or outbox]
            if changed is None:
                return None
            told = changed.log[-1].at if changed.log else None
            keys = (key_of(session, FEED),) if told else ()
            return Document(changed.model_dump(), keys, told, self._now() + KEPT_FOR)

        await self._store.update(ALERTS, id_of(session, incident_id), change)
        return after[0]


def _outbox(incident_id: str, document: Document | None) -> Outbox:
    return (records.read(Outbox, incident_id, document.data) if document else None) or Outbox()


def _sent(key: Key, name: str) -> Callable[[Outbox], Outbox]:
    return lambda outbox: outbox.sent(key, name)


def _not_taken(key: Key, name: str, reason: str, *, again: bool) -> Callable[[Outbox], Outbox]:
    return lambda outbox: outbox.waiting(key, name, reason) if again else outbox.failed(key, name, reason)


def _repeats(target: Target | None) -> bool:
    return bool(getattr(target, "repeat_unsure", False))
