"""`relate`: all that a report says about a claim, each finding with the rule that made it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from verifleet.agents.relate import overlap, quantities, states
from verifleet.agents.relate.rarity import UNHEARD, Heard
from verifleet.agents.relate.types import Finding, Told

MOST = 0.95
"""What shared words count at most."""
_ORDER = {"refutes": 3, "updates": 2, "supports": 1, "neutral": 0}


def relate(claim: Told, other: Told, heard: Heard = UNHEARD, without: Collection[str] = ()) -> list[Finding]:
    """What a report says about a claim, the finding that counts first.

    `heard` is what was told in its incident before; `without`: rules left out, to measure them.

    A figure or a state that is compared decides; what is shared beside it counts where nothing of the kind is told.
    What agrees bears a claim out if the weigher finds that the report tells what the claim does, a reading as it is.
    """
    found: list[Finding] = []
    if not claim.kinds.isdisjoint(other.kinds):
        found += quantities.findings(claim, other)
    if other.denials or not claim.subjects.isdisjoint(other.subjects):
        found += states.findings(claim, other)
    if without:
        found = [finding for finding in found if finding.rule not in without]
    found.sort(key=lambda finding: (-_ORDER[finding.stance], -finding.strength, finding.rule, finding.reason))
    if claim.measured:
        return found
    agreed = [finding for finding in found if finding.stance == "supports"]
    rest = [finding for finding in found if finding.stance != "supports"]
    if not agreed and (rest or overlap.RULE in without or not overlap.shares(claim, other)):
        return rest
    rule = agreed[0].rule if agreed else overlap.RULE
    likely = round(overlap.likely(claim, other, heard, rule), 3)
    if likely < (overlap.LIKELY_IN_KIND if agreed else overlap.LIKELY):
        return rest
    agreed = agreed or [Finding("supports", overlap.RULE, MOST, overlap.reason(claim, other))]
    return [*rest, *(replace(finding, strength=min(finding.strength, likely)) for finding in agreed)]
