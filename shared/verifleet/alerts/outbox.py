"""Which alerts an incident still owes to whom, in one document of the Store: each once, in order, also after a restart.

A brief's changes are put into the document in the transaction that notes them as known, so they are made once. Before
an alert is sent the document says that it is being sent, so nobody sends it a second time: one whose sender was stopped
in between may have arrived, and is given up. Later ones for the same target wait for it. All of this is pure.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from verifleet.alerts.changes import Change, Kept, Known, news_of
from verifleet.alerts.rule_file import Rules
from verifleet.envelopes import IncidentBriefData, Timestamp
from verifleet.incident_views import IncidentRow, Severity
from verifleet.verification import Text

LOG = 12
"""Material changes that are kept for feeds, revisions each."""
MAX_OWED = 300
"""Alerts that one incident may owe; more of its briefs wait."""
MAX_FAILED = 100
SENDING_FOR = timedelta(seconds=60)
"""After which whoever was sending was stopped."""
OWED_FOR = timedelta(hours=6)
"""Longer than Pub/Sub delivers a brief again: what is owed after that has nobody who sends it, and holds up nobody."""
Key = tuple[int, int]
"""A brief: its revision and its number of reports."""
Turn = Literal["send", "wait", "unsure", "done"]


class Owed(Kept):
    """An alert that a target is owed. `failed`: not for now, while others of its brief are tried; `dead`: told so."""

    key: Key
    target: Text
    changes: list[Change]
    at: Timestamp
    state: Literal["waiting", "sending", "failed", "dead"] = "waiting"
    until: Timestamp | None = None
    reason: Text = ""


class Told(Kept):
    """The material changes of one brief."""

    key: Key
    at: Timestamp
    changes: list[Change]


class Outbox(Kept):
    """What is known of an incident, what it owes, and what it told."""

    known: Known = Field(default_factory=Known)
    owed: list[Owed] = Field(default_factory=list)
    log: Annotated[list[Told], Field(description="the latest last")] = Field(default_factory=list)

    def of(self, key: Key) -> list[Owed]:
        """What a brief owes."""
        return [one for one in self.owed if one.key == key]

    def taking(
        self, brief: IncidentBriefData, session: str, row: IncidentRow, severity: Severity, rules: Rules, now: datetime
    ) -> Outbox | None:
        """With the changes of a brief; None where it has none that anybody needs to keep."""
        found = news_of(self.known, brief, severity)
        if found is None:
            return None
        known, changes = found
        if not changes:
            # Only a count of reports moved: not worth a write each.
            return None if brief.kind == "count" else self.model_copy(update={"known": known})
        key = (brief.revision, brief.reports)
        told = Told(key=key, at=now, changes=changes)
        # Whoever dismissed it or merged it wants to hear no more of it.
        heard = row.state not in ("dismissed", "merged")
        chosen = rules.chosen(changes, session, row) if heard else {}
        owed = [Owed(key=key, target=name, changes=some, at=now) for name, some in chosen.items()]
        fresh = [one for one in self.owed if now - one.at < OWED_FOR]
        dead = [one for one in fresh if one.state == "dead"]
        kept = [one for one in fresh if one.state != "dead" or one in dead[-MAX_FAILED:]]
        return self.model_copy(update={"known": known, "owed": [*kept, *owed], "log": [*self.log, told][-LOG:]})

    def again(self, key: Key) -> Outbox | None:
        """With what a brief has failed to tell tried once more, when all it owes was told as dead; None else."""
        mine = self.of(key)
        if not mine or any(one.state != "dead" for one in mine):
            return None
        return self._with(*(one.model_copy(update={"state": "waiting", "reason": ""}) for one in mine))

    def turn(self, key: Key, target: str, now: datetime) -> Turn:
        """Whether it is the turn of what a brief owes to a target."""
        for one in self.owed:
            if one.target != target or one.state in ("failed", "dead"):
                continue
            if one.key == key:
                if one.state == "waiting":
                    return "send"
                return "unsure" if one.until is None or one.until <= now else "wait"
            if one.key < key and now - one.at < OWED_FOR:
                return "wait"
        return "done"

    def sending(self, key: Key, target: str, now: datetime) -> Outbox:
        """With an alert that is being sent from now on."""
        return self._set(key, target, state="sending", until=now + SENDING_FOR)

    def waiting(self, key: Key, target: str, reason: str) -> Outbox:
        """With an alert that was not taken and is tried again."""
        return self._set(key, target, state="waiting", until=None, reason=reason)

    def failed(self, key: Key, target: str, reason: str) -> Outbox:
        """With an alert that is given up."""
        return self._set(key, target, state="failed", until=None, reason=reason)

    def sent(self, key: Key, target: str) -> Outbox:
        """Without an alert that was taken."""
        left = [one for one in self.owed if (one.key, one.target) != (key, target)]
        return self.model_copy(update={"owed": left})

    def buried(self, key: Key) -> Outbox:
        """With all that a brief still owes given up for good."""
        return self._with(*(one.model_copy(update={"state": "dead", "until": None}) for one in self.of(key)))

    def _set(self, key: Key, target: str, **fields: object) -> Outbox:
        return self._with(*(one.model_copy(update=fields) for one in self.of(key) if one.target == target))

    def _with(self, *changed: Owed) -> Outbox:
        new = {(one.key, one.target): one for one in changed}
        return self.model_copy(update={"owed": [new.get((one.key, one.target), one) for one in self.owed]})
