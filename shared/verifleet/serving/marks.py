"""What people marked claims as, in the Store: an act in, evidence of an authority's weight out.

No crowd outweighs it, and another authority may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, with_config

from verifleet.agents.belief.evidence import Item
from verifleet.agents.memory import keys
from verifleet.agents.relate.types import Stance
from verifleet.envelopes import IncidentActData, Timestamp, plain_json
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store
from verifleet.verification import Text

Verdict = Literal["true", "false", "outdated"]
MARKS = "mark"
RULE = "desk.marked"
_SAYS: dict[Verdict, tuple[Stance, float]] = {
    "true": ("supports", 3.0),
    "false": ("refutes", -4.0),
    "outdated": ("updates", 0.0),
}
"""The stance of each mark and what it weighs, in log-odds."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What somebody marked a claim as, and why."""

    verdict: Verdict
    by: Text
    reason: Text
    at: Timestamp

    def item(self) -> Item:
        """The mark as evidence."""
        stance, weight = _SAYS[self.verdict]
        reason = f"marked {self.verdict}: {self.reason[:400]}"
        return Item(self.by or "an officer", stance, reason, weight, self.at, rule=RULE, authority=True)


@with_config(ConfigDict(allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a report's claims, by their index."""

    marks: Annotated[dict[str, Mark], Field(max_length=60)]


class MarkedClaims:
    """The marks of all sessions' claims; every coroutine raises StoreUnavailableError.

    Args:
        store: keeps them.
        now: the clock.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def of(self, session: str, event_id: str) -> Mapping[str, Mark]:
        """The marks of an event's claims, by their index."""
        return _marks(event_id, await self._store.get(MARKS, keys.in_session(session, event_id)))

    async def apply(self, session: str, act: IncidentActData) -> str:
        """Keep or take back the mark that an act speaks of; the event it is of, "" for other acts."""
        event_id, _, number = (act.claim_id or "").rpartition(".")
        if act.kind not in ("mark", "undo") or not event_id or not number.isdecimal():
            return ""
        mark = Mark(act.verdict, act.by, act.reason, act.at) if act.kind == "mark" and act.verdict else None

        def change(present: Document | None) -> Document | None:
            known = _marks(event_id, present)
            marks = {name: one for name, one in known.items() if name != number} | ({number: mark} if mark else {})
            if marks == known:
                return None
            told = plain_json({"marks": {name: asdict(one) for name, one in marks.items()}})
            return Document(told, (), None, self._now() + KEPT_FOR)

        await self._store.update(MARKS, keys.in_session(session, event_id), change)
        return event_id


def _marks(event_id: str, present: Document | None) -> Mapping[str, Mark]:
    known = records.read(Marks, event_id, present.data) if present else None
    return known.marks if known else {}
