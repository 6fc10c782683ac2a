"""`relate`: all that a report says about a claim, each finding with the rule that made it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from verifleet.agents.relate import overlap, quantities, states
from verifleet.agents.relate.types import Finding, Told

MOST = 0.95
"""What shared words count at most."""
_ORDER = {"refutes": 3, "updates": 2, "supports": 1, "neutral": 0}


def relate(claim: Told, other: Told, without: Iterable[str] = ()) -> list[Finding]:
    """What a report says about a claim, the finding that counts first; `without`: rules left out, to measure them.

    A figure or a state that is compared decides; what is shared beside it counts where nothing of the kind is told.
    What agrees bears a claim out if the weigher finds that the report tells what the claim does, a reading as it is.
    """
    left_out = frozenset(without)
    found = [*quantities.findings(claim, other), *states.findings(claim, other)]
    found = [finding for finding in found if finding.rule not in left_out]
    found.sort(key=lambda finding: (-_ORDER[finding.stance], -finding.strength, finding.rule, finding.reason))
    if claim.measured:
        return found
    agreed = [finding for finding in found if finding.stance == "supports"]
    rest = [finding for finding in found if finding.stance != "supports"]
    rule = agreed[0].rule if agreed else "" if found or overlap.RULE in left_out else overlap.RULE
    likely = round(overlap.likely(claim, other, rule), 3) if rule else 0.0
    if likely < (overlap.LIKELY_IN_KIND if agreed else overlap.LIKELY):
        return rest
    agreed = agreed or [Finding("supports", overlap.RULE, MOST, overlap.reason(claim, other))]
    return [*rest, *(replace(finding, strength=min(finding.strength, likely)) for finding in agreed)]
