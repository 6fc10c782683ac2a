"""`relate`: all that a report says about a claim, each finding with the rule that made it."""

from __future__ import annotations

from collections.abc import Iterable

from verifleet.agents.relate import overlap, quantities, states
from verifleet.agents.relate.types import Finding, Told

MUCH = 3
"""Words that make a claim more than what another report tells."""
_ORDER = {"refutes": 3, "updates": 2, "supports": 1, "neutral": 0}


def relate(claim: Told, other: Told, without: Iterable[str] = ()) -> list[Finding]:
    """What a report says about a claim, the finding that counts first; `without`: rules left out, to measure them.

    A figure or a state that is compared decides; what is shared beside it counts where nothing of the kind is told,
    and never for a reading, whose words are those of its form.
    """
    left_out = frozenset(without)
    found = [*quantities.findings(claim, other), *states.findings(claim, other)]
    found = [finding for finding in found if finding.rule not in left_out]
    found.sort(key=lambda finding: (-_ORDER[finding.stance], -finding.strength, finding.rule, finding.reason))
    if not found and not claim.measured and "overlap.content" not in left_out:
        shared = overlap.finding(claim, other)
        found = [shared] if shared else []
    if not any(one.stance == "supports" for one in found):
        return found
    whole = quantities.all_told(claim, other) and not _more(claim, other)
    return found if whole else [one for one in found if one.stance != "supports"]


def _more(claim: Told, other: Told) -> bool:
    """Whether most of what makes a claim specific among the reports of its incident is told by the claim alone."""
    own = claim.specific - other.setting
    alone = own - other.words
    return bool(claim.common) and len(alone) >= MUCH and 2 * len(alone) > len(own)
