"""Reliability of an event: (verification_rate * 0.6 + avg_confidence * 0.4) * source_multiplier, clamped to 0..1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verifleet.envelopes import SOURCE_MULTIPLIERS, UNVERIFIED_BELOW, VerifiedClaim

RATE_WEIGHT = 0.6
CONFIDENCE_WEIGHT = 0.4
FORMULA = "(verification_rate*0.6 + avg_confidence*0.4) * source_multiplier, clamped to [0, 1]"


@dataclass(frozen=True, slots=True)
class Reliability:
    """A score 0..1 with the parts it is made of and, below UNVERIFIED_BELOW, the reason."""

    score: float
    parts: dict[str, Any]
    reason: str | None

    @property
    def unverified(self) -> bool:
        """Whether the score is too low for the event to count as verified."""
        return self.score < UNVERIFIED_BELOW


def score_reliability(claims: Sequence[VerifiedClaim], source: str) -> Reliability:
    """The reliability of an event with these claims from this source class; 0 without claims."""
    multiplier = SOURCE_MULTIPLIERS.get(source, 1.0)
    verified = sum(claim.verified for claim in claims)
    rate = verified / len(claims) if claims else 0.0
    confidence = sum(claim.confidence for claim in claims) / len(claims) if claims else 0.0
    score = max(0.0, min(1.0, (rate * RATE_WEIGHT + confidence * CONFIDENCE_WEIGHT) * multiplier))
    parts = {
        "verification_rate": rate,
        "avg_confidence": confidence,
        "source_multiplier": multiplier,
        "claims": len(claims),
        "verified_claims": verified,
        "formula": FORMULA,
    }
    return Reliability(score, parts, _reason(score, claims))


def _reason(score: float, claims: Sequence[VerifiedClaim]) -> str | None:
    if not claims:
        return "no checkable claim"
    if score >= UNVERIFIED_BELOW:
        return None
    counts = Counter(claim.verdict for claim in claims)
    told = [f"{counts[name]} {name}" for name in ("refuted", "conflicting", "insufficient") if counts[name]]
    return f"of {len(claims)} claims " + (", ".join(told) or "none is supported strongly enough")
