"""What came of a reward beside ours: counts of everything, and the first rows of each finding; `every` gets all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from verifleet.audits.answers import Rate
from verifleet.doctor.theirs import Answer
from verifleet.figures import Spread
from verifleet.html_page import cut
from verifleet.verification import ACCEPTED_FROM

MAX_SHOWN: Final = 200
"""Rows of one finding that a page shows; all are counted."""
MAX_CHARS: Final = 4_000

KINDS: Final = {
    "hang": "Your reward did not come back in time",
    "died": "The process of your reward ended",
    "unasked": "Your reward was not asked any more",
    "exception": "Your reward raised an exception",
    "no_number": "Your reward returned what is no number",
    "slow": "Your reward was slow",
    "unsteady": "Your reward gave the same row another value when asked again",
    "special_tokens": "Your reward turns on the tokens of the chat format",
    "unreadable": "The row can't be read",
    "reference": "The reference can't be used",
    "unjudged": "Ours could not judge the row",
    "reference_conflict": "One prompt has several references",
    "reference_refused": "Your reward refuses the reference itself, in every form that was tried",
    "empty": "Your reward accepts a response without an answer",
    "echo": "Your reward accepts the prompt, or a piece of it, given back",
    "several": "Your reward accepts several answers to choose from",
    "accepts_wrong": "Your reward accepts what ours refuses",
    "refuses_right": "Your reward refuses what ours accepts",
}
"""In the order in which they are shown."""

_BROKEN: Final = {"other": "no_number", **{kind: kind for kind in ("hang", "died", "unasked", "exception")}}
"""Findings, by the kind of an answer that is no usable reward."""

THEIRS: Final = ("accepted", "refused", "none", "fault")
OURS: Final = ("accepted", "refused", "malformed", "unknown", "error")


@dataclass(frozen=True, slots=True)
class Case:
    """A row, or a probe made of it, and what both said."""

    row: int
    id: str
    prompt: str
    response: str
    theirs: Answer
    ours: Mapping[str, Any]
    expected: float | None = None
    note: str = ""

    @property
    def label(self) -> str:
        """What the row is called."""
        return f"row {self.row}" + (f" ({self.id})" if self.id else "")


@dataclass(slots=True)
class Findings:
    """All that was found.

    Args:
        accept_from: from which value of theirs a response counts as accepted.
        slow_s: from which time on a call counts as slow.
        every: is told each row and probe that shows a finding, of which the first are kept here.
    """

    accept_from: float = ACCEPTED_FROM
    slow_s: float = 1.0
    every: Callable[[str, Case], None] = lambda kind, case: None
    contract: str = ""
    reader: str = ""
    rows: int = 0
    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    probes: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[Case]] = field(default_factory=dict)
    verifiers: Counter[str] = field(default_factory=Counter)
    """Of ours, by name, with the rows that each judged."""
    their_times: Spread = field(default_factory=Spread)
    our_times: Spread = field(default_factory=Spread)
    labels: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)
    """(whose, right by its label, accepted) of labelled rows that have a verdict."""

    def accepts(self, answer: Answer) -> bool:
        """Whether theirs accepts."""
        return answer.value is not None and answer.value >= self.accept_from

    def add(self, case: Case, shows: list[str]) -> None:
        """Count a row of the rollouts; `shows` are the patterns that its response has."""
        self.rows += 1
        ours, theirs = side_of(case.ours), self._side(case.theirs)
        self.table[theirs, ours] += 1
        self.verifiers[case.ours.get("verifier") or "none"] += 1
        if case.theirs.kind in _BROKEN:
            self.note(_BROKEN[case.theirs.kind], case)
        if case.theirs.kind == "number":
            self.their_times.add(case.theirs.ms, case.label)
            if case.theirs.ms > 1000.0 * self.slow_s:
                self.note("slow", case, f"{case.theirs.ms / 1000.0:.1f} s")
        fault = unusable(case.ours)
        if fault != "unjudged":
            self.our_times.add(case.ours["duration_ms"], case.label)
        if fault:
            self.note(fault, case)
            return
        self._label(case, ours, theirs)
        if (theirs, ours) == ("refused", "accepted"):
            for kind in shows or ["refuses_right"]:
                self.note(kind, case)
        elif theirs == "accepted" and ours in ("refused", "malformed"):
            for kind in shows or ["accepts_wrong"]:
                self.note(kind, case)

    def probe(self, kind: str, case: Case) -> None:
        """Count what came of a probe; a call that gave no usable reward counts as that."""
        kind = _BROKEN.get(case.theirs.kind, kind)
        self.probes[kind] += 1
        self._keep(kind, replace(case, note=f"probe: {case.note}" if case.note else "probe"))

    def note(self, kind: str, case: Case, note: str = "") -> None:
        """Count a row."""
        self.counts[kind] += 1
        self._keep(kind, replace(case, note=note or case.note))

    @property
    def unjudged(self) -> str:
        """Why ours could judge no row at all; nothing where it judged one, or was asked about none."""
        if not self.counts["unjudged"] or any(ours != "error" and count for (_, ours), count in self.table.items()):
            return ""
        return str(self.shown["unjudged"][0].ours["reason"])

    def kinds(self) -> list[str]:
        """What was found, in the order in which it is shown."""
        return [kind for kind in KINDS if self.counts[kind] or self.probes[kind]]

    def unshown(self, kind: str) -> int:
        """How many of a finding's rows and probes are not among those that are shown."""
        return self.counts[kind] + self.probes[kind] - len(self.shown[kind])

    def count(self, kind: str) -> str:
        """How many rows and probes show a finding."""
        told = ((self.counts[kind], "row"), (self.probes[kind], "probe"))
        return ", ".join(f"{number} {name}{'s' if number > 1 else ''}" for number, name in told if number)

    @property
    def agreement(self) -> Rate:
        """Rows on which both accept or both refuse, of those that both judged."""
        same = self.table["accepted", "accepted"]
        same += self.table["refused", "refused"] + self.table["refused", "malformed"]
        judged = sum(self.table[t, o] for t in THEIRS[:2] for o in OURS[:3])
        return Rate(same, judged)

    def mistakes(self, whose: str) -> tuple[Rate, Rate]:
        """False positives and false negatives by the labels of the rows."""
        wrong = [self.labels[whose, False, accepted] for accepted in (True, False)]
        right = [self.labels[whose, True, accepted] for accepted in (False, True)]
        return Rate(wrong[0], sum(wrong)), Rate(right[0], sum(right))

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "rows": self.rows,
            "contract": self.contract,
            "reader": self.reader,
            "verifiers": dict(self.verifiers),
            "agreement": {"count": self.agreement.count, "total": self.agreement.total, "share": self.agreement.share},
            "table": {theirs: {ours: self.table[theirs, ours] for ours in OURS} for theirs in THEIRS},
            "findings": {kind: {"rows": self.counts[kind], "probes": self.probes[kind]} for kind in self.kinds()},
        }

    def _keep(self, kind: str, case: Case) -> None:
        ours = {name: case.ours[name] for name in ("score", "status", "verdict", "reason", "duration_ms")}
        case = replace(case, prompt=cut(case.prompt, MAX_CHARS), response=cut(case.response, MAX_CHARS), ours=ours)
        self.every(kind, case)
        shown = self.shown.setdefault(kind, [])
        if len(shown) < MAX_SHOWN:
            shown.append(case)

    def _side(self, answer: Answer) -> str:
        if answer.kind == "none":
            return "none"
        if answer.value is None:
            return "fault"
        return "accepted" if self.accepts(answer) else "refused"

    def _label(self, case: Case, ours: str, theirs: str) -> None:
        if case.expected is None:
            return
        right = case.expected >= ACCEPTED_FROM
        if ours in ("accepted", "refused", "malformed"):
            self.labels["ours", right, ours == "accepted"] += 1
        if theirs in ("accepted", "refused"):
            self.labels["theirs", right, theirs == "accepted"] += 1


def side_of(result: Mapping[str, Any]) -> str:
    """On which side a verdict of ours is."""
    if result["score"] is None:
        return "error"
    if result["status"] == "unknown":
        return "unknown"
    if result["score"] >= ACCEPTED_FROM:
        return "accepted"
    return "malformed" if result["verdict"] == "malformed" else "refused"


def unusable(result: Mapping[str, Any]) -> str:
    """`unreadable` or `reference` where the row is at fault, `unjudged` where ours is; nothing where it judged."""
    details = result.get("details") or {}
    fault = details.get("fault")
    where = fault.get("in") if isinstance(fault, Mapping) else None
    if where == "row" or (result["verdict"] == "malformed" and "fields" in details):
        return "unreadable"
    if where == "reference":
        return "reference"
    return "unjudged" if result["score"] is None else ""


def case_json(case: Case) -> dict[str, Any]:
    """A case as plain data."""
    theirs = {"kind": case.theirs.kind, "value": case.theirs.value, "said": case.theirs.said, "ms": case.theirs.ms}
    return {
        "row": case.row,
        "id": case.id,
        "note": case.note,
        "prompt": case.prompt,
        "response": case.response,
        "theirs": theirs,
        "ours": dict(case.ours),
    }
