"""What of a new brief is material: pure, of the brief and of what was known before.

Everything a brief tells anew is in its `changes`. Few of these are worth waking somebody: that there is an incident, or
that it became more severe; that a fact is confirmed or refuted; that an authority corrects a figure; that the reports
can be relied on now, or no longer.
"""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from verifleet.envelopes import UNVERIFIED_BELOW, BriefFact, IncidentBriefData
from verifleet.incident_views import SEVERITIES, Severity
from verifleet.verification import Text

ChangeKind = Literal["new", "confirmed", "refuted", "corrected", "reliability"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
AUTHORITIES = frozenset({"official", "emergency"})
MAX_FACTS = 300
"""Facts that are known of one incident: those that the brief told last."""
MAX_CHANGES = 20
MAX_TEXT = 500
_RANK = {severity: rank for rank, severity in enumerate(reversed(SEVERITIES))}


class Kept(BaseModel):
    """A part of a stored document, which outlives the program that wrote it: what a later one adds is passed over."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Change(Kept):
    """One material change of an incident."""

    kind: ChangeKind
    text: Text
    fact_id: Text | None = Field(None, description="of the brief's fact that it is about")
    severity: Severity = Field("unknown", description="of the incident, after it")
    before: Severity | None = Field(None, description="new: how severe it was; null for an incident nobody knew")


class KnownFact(Kept):
    """How a fact stood when a brief told it last."""

    status: Text
    refuted: bool = False
    low: float | None = None
    high: float | None = None


class Known(Kept):
    """What was told of an incident so far."""

    revision: int = 0
    reports: int = 0
    severity: Severity | None = None
    relied_on: bool | None = None
    facts: dict[str, KnownFact] = Field(default_factory=dict)


def reaches(severity: Severity | None, least: Severity) -> bool:
    """Whether a severity is at least another; no severity, that of an incident not known, is below all."""
    return severity is not None and _RANK[severity] >= _RANK[least]


def news_of(known: Known, brief: IncidentBriefData, severity: Severity) -> tuple[Known, list[Change]] | None:
    """What is known with this brief, and what of it is material; None for a brief that is not later than another."""
    if (brief.revision, brief.reports) <= (known.revision, known.reports):
        return None
    relied_on = brief.reliability_score >= UNVERIFIED_BELOW
    found: list[Change] = []
    most = severity if known.severity is None or reaches(severity, known.severity) else known.severity
    if most != known.severity:
        headline = brief.key_facts[0].text if brief.key_facts else brief.summary
        found.append(Change(kind="new", text=_cut(headline), before=known.severity))
    for fact in brief.key_facts:
        found += _of_fact(known.facts.get(fact.id), fact)
    if known.relied_on is not None and relied_on != known.relied_on:
        side = "can be relied on now" if relied_on else "can no longer be relied on"
        text = f"reports {side}: reliability {brief.reliability_score:.2f}, the limit is {UNVERIFIED_BELOW:g}"
        found.append(Change(kind="reliability", text=text))
    told = {fact.id: _stands(fact) for fact in brief.key_facts}
    facts = {id: fact for id, fact in known.facts.items() if id not in told} | told
    after = Known(
        revision=brief.revision,
        reports=brief.reports,
        severity=most,
        relied_on=relied_on,
        facts=dict(list(facts.items())[-MAX_FACTS:]),
    )
    return after, [one.model_copy(update={"severity": severity}) for one in found[:MAX_CHANGES]]


def _of_fact(before: KnownFact | None, fact: BriefFact) -> list[Change]:
    now = _stands(fact)
    text = _cut(fact.text)
    if now.refuted:
        return [] if before is not None and before.refuted else [Change(kind="refuted", text=text, fact_id=fact.id)]
    if now.status != "confirmed":
        return []
    if before is None or before.status != "confirmed":
        return [Change(kind="confirmed", text=text, fact_id=fact.id)]
    official = any(source.source in AUTHORITIES for source in fact.sources)
    if official and (before.low, before.high) != (now.low, now.high):
        return [Change(kind="corrected", text=text, fact_id=fact.id)]
    return []


def _stands(fact: BriefFact) -> KnownFact:
    value = fact.value or {}
    low, high = (one if isinstance(one, int | float) else None for one in (value.get("low"), value.get("high")))
    return KnownFact(status=fact.status, refuted=fact.refuted, low=low, high=high)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
