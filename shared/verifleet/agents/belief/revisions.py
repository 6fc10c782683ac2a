"""Which earlier reports a new one bears on, and which of their published verdicts it may change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from verifleet.agents.belief.judge import judge, stances_of
from verifleet.agents.memory.report import Report
from verifleet.agents.relate.rarity import Heard
from verifleet.agents.relate.types import Stance

MAX_REVISED = 8
"""Earlier events that one new report may revise; a revision never causes another."""
MAX_OVERTURNED = 24
"""The same, counting those with a claim that was published as supported and is so no longer."""
MAX_CONCERNED = 12
Turn = Literal["now", "waits", "never"]


def concerned(new: Report, related: Iterable[Report]) -> list[tuple[Report, dict[int, Stance]]]:
    """Related reports of which the new one says something, refuted ones first, then the newest; stance by claim index.

    MAX_CONCERNED at most, and all of which an authority refutes something.
    """
    found = [(report, stances) for report in related if (stances := stances_of(report, new))]
    found.sort(key=lambda item: ("refutes" in item[1].values(), item[0].time, item[0].event_id), reverse=True)
    beyond = found[MAX_CONCERNED:] if new.official else []
    return found[:MAX_CONCERNED] + [item for item in beyond if "refutes" in item[1].values()]


def overturns(verdicts: Sequence[str], stances: Mapping[int, str]) -> bool:
    """Whether these stances speak against a claim that was published as supported."""
    return any(s == "refutes" and i < len(verdicts) and verdicts[i] == "supported" for i, s in stances.items())


def turn(overturned: bool, revised: int) -> Turn:
    """When an event that a new report concerns is verified again, after so many others that it revised."""
    if revised < MAX_REVISED:
        return "now"
    if not overturned:
        return "never"
    return "now" if revised < MAX_OVERTURNED else "waits"


def may_change(
    stored: Sequence[str], report: Report, stances: Mapping[int, str], related: Sequence[Report], heard: Heard | None
) -> bool:
    """Whether a stored verdict differs from what the reports at hand now tell.

    Support changes nothing that is supported already: what was `heard` before a claim stays what it was.
    """
    settled = {"supports": "supported", "refutes": "refuted", "updates": "outdated"}
    open_claims = [i for i, stance in stances.items() if i < len(stored) and stored[i] != settled[stance]]
    if not open_claims:
        return False
    judged = judge(report, related, heard=heard)
    return any(stored[index] != judged[index].verdict for index in open_claims)
