"""Evidence on one claim: findings with what they weigh, grouped by voice, and the verdict that they come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from verifleet.agents.memory.report import Report
from verifleet.agents.relate.overlap import RULE as WORDS
from verifleet.agents.relate.types import ANSWERABLE, Finding, Stance
from verifleet.agents.voices.replies import DENIES
from verifleet.envelopes import Evidence
from verifleet.reading.speakers import is_newsroom, is_public

Verdict = Literal["supported", "refuted", "conflicting", "outdated", "insufficient"]

PRIOR = -1.0
"""Log-odds of a claim that nobody vouches for."""
CROWD = 0.5
"""What each further voice without authority counts of the one before."""
AGREEMENT = 0.6
DENIAL_WEIGHT = 1.6
REFUTED_AT_MOST = 0.2
VERIFIED_FROM = 0.5
INSUFFICIENT_AT_MOST = 0.49
IN_WORDS_FROM = 0.75
"""Belief from which one voice that tells a claim in like words is enough; of findings below, half were wrong."""
ELSEWHERE = 0.7
"""What counts of a report where one of the two names no place."""
HALF_LIFE_H = 72.0
EQUALS = 2.0
"""The most that one authority counts against another."""
PART = "bears out a part of it, "
"""How the reason of what bears out a part of a claim begins."""
OWN_AUTHORITY = "first-hand official report, its own authority"


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence with its signed weight in log-odds.

    `authority` when an official source gives it; `credible` unless it comes from anybody; `independent` unless it is
    the claim's own report; `whole` unless it bears out a part of the claim.
    """

    source: str
    stance: Stance
    reason: str
    weight: float
    observed_at: datetime | None = None
    url: str | None = None
    rule: str = ""
    independent: bool = True
    authority: bool = False
    credible: bool = True
    whole: bool = True

    def as_evidence(self) -> Evidence:
        """The item as envelopes carry it; what a report's own author brings is no support by another voice."""
        told = {name: getattr(self, name) for name in Evidence.model_fields}
        own = self.stance == "supports" and not self.independent
        return Evidence.model_validate(told | {"stance": "neutral"} if own else told)


def item_of(finding: Finding, own: Report, other: Report, label: str, *, whole: bool) -> Item:
    """What a report's finding on a claim of one's own counts; `label`: the other's words as they are shown."""
    part = finding.stance == "supports" and not whole
    hours = abs((own.time - other.time).total_seconds()) / 3600.0
    strength = finding.strength * 0.5 ** (hours / HALF_LIFE_H)
    if not (own.places and other.places):
        strength *= ELSEWHERE
    weight = 0.0
    if finding.stance == "supports":
        weight = strength * (other.weight + AGREEMENT)
    elif finding.stance == "refutes":
        weight = -strength * other.weight * DENIAL_WEIGHT
    reason = f"{PART}{finding.reason}" if part else finding.reason
    return Item(
        name_of(other),
        finding.stance,
        f"{reason}: “{label}” ({other.credibility})" if label else f"{reason} ({other.credibility})",
        weight,
        other.time,
        rule=finding.rule,
        authority=other.official,
        credible=other.credibility in ANSWERABLE,
        whole=not part,
    )


def own_authority(own: Report, polarity_possible: bool) -> list[Item]:
    """An official report is evidence on what it states itself, not on what it passes on of a newsroom or anybody."""
    author = own.original.author
    relayed = author and (is_newsroom(author) or not is_public(author))
    if not own.official or polarity_possible or relayed:
        return []
    made = Item(name_of(own), "supports", OWN_AUTHORITY, 0.3, own.time, rule="source.official")
    return [replace(made, independent=False, authority=True)]


def under_authority(items: Sequence[Item]) -> list[Item]:
    """Evidence on what an authority states first-hand: only another one, or two credible voices, shake it."""
    if not any(item.authority and not item.independent for item in items):
        return list(items)
    against = [item for item in items if item.weight < 0 and item.independent]
    credible = [item for item in against if item.credible]
    shaken = len(credible) > 1 or any(item.authority for item in credible)
    made = []
    for item in items:
        if item in against and not (shaken and item.credible):
            item = replace(item, weight=0.0, reason=f"does not outweigh an official statement: {item.reason}")
        elif item.authority and item.independent:
            item = replace(item, weight=max(item.weight, -EQUALS))
        made.append(item)
    return made


def decide(items: Sequence[Item], own_weight: float) -> tuple[Verdict, float]:
    """The verdict and the belief 0..1 from all evidence and the weight of who makes the claim."""
    support = _combined([item for item in items if item.weight > 0])
    refute = _combined([item for item in items if item.weight < 0])
    belief = 1.0 / (1.0 + math.exp(-(PRIOR + own_weight + support - refute)))
    has_support = any(item.stance == "supports" for item in items)
    against = [item for item in items if item.weight < 0]
    alone = against[0] if len(against) == 1 else None
    # A single voice that nobody answers for settles nothing; a reply alone only lowers belief.
    stranger = alone is not None and not alone.credible
    reply = alone is not None and alone.rule == DENIES
    outdone = refute >= 1.5 * (support + own_weight * 0.5) or belief <= REFUTED_AT_MOST
    if refute and outdone and not stranger:
        return "refuted", min(belief, REFUTED_AT_MOST)
    if refute and not reply and (not has_support or refute >= 0.5 * support):
        return "conflicting", belief if has_support else min(belief, INSUFFICIENT_AT_MOST)
    if _outdated(items):
        return "outdated", belief if has_support else min(belief, INSUFFICIENT_AT_MOST)
    backing = [item for item in items if item.stance == "supports"]
    in_words = len(backing) == 1 and backing[0].rule == WORDS
    if any(item.whole for item in backing) and (not in_words or belief >= IN_WORDS_FROM):
        return "supported", belief
    return "insufficient", min(belief, INSUFFICIENT_AT_MOST)


def _outdated(items: Sequence[Item]) -> bool:
    """Whether what a claim tells has moved on: by one who answers for it, or by two; an authority's, by two who do."""
    told = [item for item in items if item.stance == "updates"]
    if any(item.authority for item in told):
        return True
    credible = sum(item.credible for item in told)
    if any(item.authority and item.weight > 0 for item in items):
        return credible > 1
    return len(told) > 1 or credible > 0


def _combined(items: Sequence[Item]) -> float:
    """The weights of one side together: each further voice without authority counts less, so no crowd outvotes one."""
    others = sorted((abs(item.weight) for item in items if not item.authority), reverse=True)
    crowd = sum(weight * CROWD**index for index, weight in enumerate(others))
    return crowd + sum(abs(item.weight) for item in items if item.authority)


def name_of(report: Report) -> str:
    """How a report's source is named in evidence."""
    return report.author or f"{report.source} report {report.event_id[:12]}"
