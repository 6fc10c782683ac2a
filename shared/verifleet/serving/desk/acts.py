"""What people decide on incidents: checked against what is there, applied once, kept with who decided it and why.

An act on an incident is applied in one change of its row, which knows the last acts by their ids; so an act that comes
twice changes nothing the second time, and of two people who act at once the second is told that somebody else has.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from verifleet.agents.memory.keys import session_key
from verifleet.envelopes import ActKind, IncidentActData, derived_id
from verifleet.errors import ConflictError, ShapeError
from verifleet.incident_views import ActView, IncidentRow, LastAct, ReportView, State
from verifleet.serving import records
from verifleet.serving.desk.kept import ACTS, EVERY, FINDINGS, LISTING, act_key, as_data
from verifleet.serving.desk.parting import Parting
from verifleet.serving.incidents import Incidents, id_of, key_of
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store

logger = logging.getLogger(__name__)

MAX_APPLIED = 16
"""Acts that an incident's row knows by their ids."""
BECOMES: Mapping[ActKind, State] = {
    "confirm": "confirmed",
    "dismiss": "dismissed",
    "close": "closed",
    "reopen": "open",
    "merge": "merged",
    "split": "open",
}
"""What an incident is after an act; of a split the new one."""
NEEDS: Mapping[ActKind, tuple[str, ...]] = {
    **dict.fromkeys(("confirm", "dismiss", "close", "reopen"), ("incident_id",)),
    "merge": ("incident_id", "into"),
    "split": ("incident_id", "reports", "expects"),
    "mark": ("claim_id", "verdict"),
    "undo": ("undoes",),
}


@dataclass(frozen=True, slots=True)
class Applied:
    """An act that holds now, and what follows of it.

    Attributes:
        merged: the incident that ended, and the one that it is part of.
        parted: the incident that reports leave, and the one that they belong to.
    """

    act: ActView
    merged: tuple[str, str] | None = None
    parted: tuple[str, str] | None = None


class Acts:
    """Applies acts; every method raises StoreUnavailableError."""

    def __init__(self, store: Store, incidents: Incidents, parting: Parting, now: Callable[[], datetime]) -> None:
        self._store = store
        self._incidents = incidents
        self._parting = parting
        self._now = now

    async def apply(self, session: str, given: IncidentActData) -> Applied:
        """Apply an act, or find that it was applied before.

        Raises ShapeError for what can't be done, ConflictError where somebody else has acted since.
        """
        for name in NEEDS[given.kind]:
            if getattr(given, name) in (None, "", []):
                raise _wrong(name, f"is needed for {given.kind}")
        known = await self.act(session, given.act_id)
        if known is not None:
            if known.kind != given.kind:
                raise ConflictError.at("payload.data.act_id", f"is that of another act: {known.kind} by {known.by}")
            return await self._followed(session, known)
        act = ActView.model_validate({name: getattr(given, name) for name in IncidentActData.model_fields})
        if act.kind == "undo":
            act = await self._undone(session, act)
        elif act.kind == "mark":
            act = await self._marked(session, act)
        elif act.kind == "merge":
            act = await self._on_row(session, act, "merged")
        elif act.kind == "split":
            act = await self._split(session, act)
        else:
            act = await self._on_row(session, act, BECOMES[act.kind])
        applied = await self._followed(session, act)
        await self._keep(session, act)
        told = {"act_id": act.act_id, "kind": act.kind, "incident_id": act.incident_id, "caller": act.caller}
        logger.info("act %s on incident %s", act.kind, act.incident_id, extra={"fields": told})
        return applied

    async def act(self, session: str, act_id: str) -> ActView | None:
        """An act that was applied; None for one that is not known."""
        document = await self._store.get(ACTS, id_of(session, act_id))
        return records.read(ActView, "of a person", document.data) if document else None

    async def _on_row(
        self, session: str, act: ActView, becomes: State | None, *, back: bool = False, beside: str = ""
    ) -> ActView:
        """Change the state of an incident; None leaves it as it is.

        Args:
            session: of the incident.
            act: what is noted on it.
            becomes: its state afterwards.
            back: it was merged, and is one of its own again.
            beside: another incident than the act's own, on which the act is only noted.
        """
        incident_id = beside or act.incident_id or ""
        outcome: list[State] = []

        def change(present: Document | None) -> Document | None:
            row = records.read(IncidentRow, incident_id, present.data) if present else None
            if row is None or present is None:
                raise _wrong("incident_id", "is not known in this session, or no longer kept")
            outcome[:] = [row.state]
            if act.act_id in row.applied:
                return None
            if not beside:
                self._check(row, act, back=back)
            state = becomes or row.state
            changed = row.model_copy(
                update={
                    "state": row.state if act.kind == "merge" else state,  # it is told as merged with its last brief
                    "acts": row.acts + 1,
                    "act": LastAct(
                        act_id=act.act_id,
                        kind=act.kind,
                        by=act.by,
                        reason=act.reason,
                        at=act.at,
                        revision=row.revision,
                    ),
                    "applied": [*row.applied, act.act_id][-MAX_APPLIED:],
                    "changed_at": max(self._now(), row.changed_at),
                    "merged_into": None if back else row.merged_into,
                }
            )
            was, now = key_of(session, f"s|{row.state}"), key_of(session, f"s|{changed.state}")
            keys = (*((key_of(session, EVERY),) * back), *(now if key == was else key for key in present.keys))
            return Document(as_data(changed), keys, changed.changed_at, self._now() + KEPT_FOR)

        await self._store.update(LISTING, id_of(session, incident_id), change)
        return act.model_copy(update={"before": outcome[0]})

    def _check(self, row: IncidentRow, act: ActView, *, back: bool = False) -> None:
        if act.expects is not None and act.expects != row.acts:
            last = f": {row.act.kind} by {row.act.by or 'somebody'}: {row.act.reason[:200]}" if row.act else ""
            told = f"somebody decided after you looked{last} ({row.acts} acts, not {act.expects})"
            raise ConflictError.at("payload.data.expects", told)
        if row.state == "merged" and not back:
            raise ConflictError.at("payload.data.incident_id", f"was merged into {row.merged_into}")

    async def _followed(self, session: str, act: ActView) -> Applied:
        """What follows of an act for the incidents that it is about; nothing any more of one that was undone."""
        earlier = await self.act(session, act.undoes or "") if act.kind == "undo" else None
        one, other = act.incident_id or "", act.into or ""
        match (act.kind, earlier.kind if earlier else ""):
            case _ if act.undone:
                return Applied(act)
            case ("merge", _):
                return await self._merged(session, act, one, other)
            case ("undo", "split"):
                return await self._merged(session, act, other, one)
            case ("split", _):
                await self._incidents.move(session, act.reports, other)
                return await self._parted(session, act, one, other)
            case ("undo", "merge"):
                return await self._parted(session, act, other, one)
        return Applied(act)

    async def _merged(self, session: str, act: ActView, incident_id: str, into: str) -> Applied:
        merged = await self._incidents.merge(session, incident_id, into, act.act_id)
        await self._noted(session, act, merged[1])
        return Applied(act, merged=merged)

    async def _parted(self, session: str, act: ActView, source: str, target: str) -> Applied:
        live = await self._incidents.live(session, source)
        await self._noted(session, act, live)
        return Applied(act, parted=(live, target))

    async def _noted(self, session: str, act: ActView, incident_id: str) -> None:
        """Note an act on the other one of the two incidents that it is about, for whoever looks at that one."""
        if incident_id != act.incident_id and await self._store.get(LISTING, id_of(session, incident_id)):
            await self._on_row(session, act, None, beside=incident_id)

    async def _split(self, session: str, act: ActView) -> ActView:
        """A split with the id of the new incident, which its reports belong to from now on."""
        incident_id, leaving = act.incident_id or "", list(dict.fromkeys(act.reports))
        document = await self._store.get(LISTING, id_of(session, incident_id))
        row = records.read(IncidentRow, incident_id, document.data) if document else None
        if row is None:
            raise _wrong("incident_id", "is not known in this session, or no longer kept")
        if act.act_id not in row.applied:
            self._check(row, act)
        kept = await self._parting.reports(session, incident_id, "incident_id")
        if unknown := set(leaving) - set(kept):
            raise _wrong("reports", f"{min(unknown)[:60]!r} is no report of this incident")
        if len(leaving) == len(kept):
            raise _wrong("reports", "are all of the incident: nothing would be left of it")
        into = derived_id(json.dumps([session_key(session), "split", act.act_id]))
        return await self._on_row(session, act.model_copy(update={"reports": leaving, "into": into}), None)

    async def _marked(self, session: str, act: ActView) -> ActView:
        """A mark, with the incident of its claim's report."""
        event_id, _, number = (act.claim_id or "").rpartition(".")
        document = await self._store.get(FINDINGS, id_of(session, event_id))
        view = records.read(ReportView, event_id, document.data) if document else None
        if view is None or not any(claim.claim_id == f"{event_id}.{number}" for claim in view.claims):
            raise _wrong("claim_id", "is not known in this session, or no longer kept")
        incident_id = await self._incidents.live(session, view.incident_id) if view.incident_id else None
        act = act.model_copy(update={"incident_id": incident_id})
        listed = await self._store.get(LISTING, id_of(session, incident_id)) if incident_id else None
        return await self._on_row(session, act, None) if listed else act

    async def _undone(self, session: str, act: ActView) -> ActView:
        """The undoing of an act on whose incident nobody has decided anything else since, or of a mark."""
        earlier = await self.act(session, act.undoes or "")
        if earlier is None:
            raise _wrong("undoes", "is not known in this session, or no longer kept")
        if earlier.undone:
            raise ConflictError.at("payload.data.undoes", "was undone already")
        if earlier.kind == "undo":
            raise _wrong("undoes", "is an undo, which can't be taken back")
        told = {name: getattr(earlier, name) for name in ("incident_id", "claim_id", "into")}
        act = act.model_copy(update=told)
        if earlier.kind == "mark":
            act = await self._on_row(session, act, None) if earlier.incident_id else act
        else:
            await self._last_of_its_kind(session, earlier, act)
            act = await self._taken_back(session, earlier, act)
        await self._keep(session, earlier.model_copy(update={"undone": True}))
        return act

    async def _taken_back(self, session: str, earlier: ActView, act: ActView) -> ActView:
        if earlier.kind == "split":
            return await self._on_row(session, act, None)
        if earlier.kind != "merge":
            return await self._on_row(session, act, earlier.before)
        live = await self._incidents.live(session, earlier.into or "")
        await self._parting.reports(session, live, "undoes")
        await self._incidents.unmerge(session, earlier.incident_id or "", earlier.act_id)
        return await self._on_row(session, act, earlier.before, back=True)

    async def _last_of_its_kind(self, session: str, earlier: ActView, act: ActView) -> None:
        """Raises ConflictError where somebody decided otherwise since: that has to be taken back first."""
        incident_id = (earlier.into if earlier.kind == "split" else earlier.incident_id) or ""
        document = await self._store.get(LISTING, id_of(session, incident_id))
        row = records.read(IncidentRow, incident_id, document.data) if document else None
        if row is not None and act.act_id not in row.applied and row.state != BECOMES[earlier.kind]:
            raise ConflictError.at("payload.data.undoes", f"is no longer what holds: the incident is {row.state}")

    async def _keep(self, session: str, act: ActView) -> None:
        about = dict.fromkeys(id for id in (act.incident_id, act.into) if id)
        keys = tuple(act_key(session, id) for id in about)
        document = Document(as_data(act), keys, act.at, self._now() + KEPT_FOR)
        await self._store.put(ACTS, id_of(session, act.act_id), document)


def _wrong(name: str, problem: str) -> ShapeError:
    return ShapeError.at(f"payload.data.{name}", problem)
