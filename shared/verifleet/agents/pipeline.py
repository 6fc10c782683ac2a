"""The verifier agent's core: an event and what is remembered of its incident in, a verified event out, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal

from verifleet.agents.belief.credibility import Credibility, author_of, classify, learnt
from verifleet.agents.belief.evidence import VERIFIED_FROM, Item
from verifleet.agents.belief.judge import MAX_EVIDENCE, Judged, judge
from verifleet.agents.belief.reliability import score_reliability
from verifleet.agents.claims.extract import Claims, ClaimSpan, extract
from verifleet.agents.facts.extract import facts_of, facts_of_readings
from verifleet.agents.facts.extract import words_of as lemmas_of
from verifleet.agents.facts.sums import wrong_sums
from verifleet.agents.facts.types import FACTS, Fact, Quantity, Statement
from verifleet.agents.ingest.event import is_exercise
from verifleet.agents.memory.keys import family
from verifleet.agents.memory.report import MAX_CLAIMS, MAX_LABEL, KeptClaim, Report
from verifleet.agents.relate.rarity import Heard
from verifleet.agents.relate.types import Finding
from verifleet.agents.voices.originals import author_of_words
from verifleet.agents.voices.replies import answers, kept_reply, published_id
from verifleet.envelopes import Claim, EventData, VerifiedClaim, VerifiedEventData
from verifleet.reading.gazetteer import names_in
from verifleet.reading.pieces import plain
from verifleet.reading.read import read
from verifleet.reading.reposts import original_of, words_of

EXERCISE = "the report says that it is an exercise or a test"
SUM_WEIGHT = -0.9
"""Log-odds of a claim with a total that its parts do not come to."""
UNREAD = "its language is not read"
UNSEARCHED = 0.9
"""What is left of the confidence in a claim for which a search was due and failed."""
TRANSLATED = 0.7
"""Checkworthiness of a claim of which only a translation is known."""
MEASURED = 0.9
"""Checkworthiness of a sensor's reading."""
CORRECTED = "corrected"
"""Lemma of reports that call themselves revised or a correction."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event with its claims and their facts, what the memory keeps of it, and how much its source counts."""

    event: EventData
    claims: tuple[ClaimSpan, ...]
    guidance: tuple[str, ...]
    report: Report
    credibility: Credibility
    exercise: bool = False
    unread: bool = False


def prepare(
    event: EventData,
    record: Mapping[str, Any] | None = None,
    *,
    arrived: datetime | None = None,
    told: Sequence[tuple[int, int, str]] = (),
) -> Prepared:
    """Read an event, find its claims and their facts, and make its report.

    `record` is what was learnt of its author, `told` what it claims where its language is not read: from where to
    where, and what that says in English.

    An exercise, a drill or a test message claims nothing about the world, and is no evidence on what does.
    """
    document = read(event.content)
    exercise = is_exercise_event(event)
    found = Claims() if exercise else extract(document, event.source)
    time = event.timestamp
    if found.unread and told:
        spans = (ClaimSpan(says[:MAX_LABEL], (start, end), "factual", TRANSLATED) for start, end, says in told)
        found = Claims(tuple(spans)[:MAX_CLAIMS])
        claimed = [facts_of(read(claim.text), time) for claim in found.claims]
        facts = tuple(dict.fromkeys(fact for made in claimed for fact in made))
    else:
        claimed = [facts_of(document, time, claim.span) for claim in found.claims[:MAX_CLAIMS]]
        facts = () if exercise else facts_of(document, time)
        measured = [] if exercise else _measured(event)
        if measured:
            texts = ((plain(event.content[slice(*span)])[:MAX_LABEL], span) for _, span in measured)
            found = Claims(tuple(ClaimSpan(*text, "quantity", MEASURED) for text in texts), found.guidance)
            claimed = [(fact, *_stated(facts_of(document, time, span))) for fact, span in measured]
            facts = (*(fact for fact, _ in measured), *_stated(facts))
    credibility = learnt(classify(event), record)
    original = original_of(event.content)
    report = Report(
        event.event_id,
        time,
        source=event.source,
        credibility=credibility.name,
        weight=round(credibility.weight, 3),
        author=author_of_words(author_of(event), original),
        places=names_in(event.location),
        family=family(event.event_type),
        claims=tuple(
            KeptClaim(one.text[:MAX_LABEL], told, words_of(one.text))
            for one, told in zip(found.claims, claimed, strict=False)
        ),
        gist=""
        if found.claims
        else " ".join(clause.text for part in document.sentences for clause in part.clauses)[:MAX_LABEL],
        facts=facts,
        original=original,
        marked=CORRECTED in lemmas_of(document),
        language=document.language,
        answers=answers(event),
        original_id=published_id(event),
        reply=kept_reply(event, document.language),
        arrived=arrived.timestamp() if arrived else 0.0,
    )
    unread = found.unread and not exercise
    return Prepared(event, found.claims[:MAX_CLAIMS], found.guidance, report, credibility, exercise, unread)


def _measured(event: EventData) -> list[tuple[Quantity, tuple[int, int]]]:
    """What a sensor's report measured and where it tells that: of its readings of one quantity the latest."""
    readings = event.carries("readings")
    facts = facts_of_readings(readings, names_in(event.location), event.timestamp)
    told = event.content.rstrip(". ").split(". ")
    spans = [(0, len(event.content))] * len(facts)
    if len(told) == len(facts) and all(fact.subject in part for fact, part in zip(facts, told, strict=True)):
        starts = map(event.content.find, told)
        spans = [(start, start + len(part)) for start, part in zip(starts, told, strict=True)]
    latest: dict[tuple[str, str], tuple[Quantity, tuple[int, int]]] = {}
    for fact, span in sorted(zip(facts, spans, strict=True), key=lambda item: item[0].as_of):
        latest[fact.subject, fact.attribute] = fact, span
    return sorted(latest.values(), key=lambda found: found[1])[:MAX_CLAIMS]


def _stated(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The statements among some facts: what was measured is known better than by its words."""
    return tuple(fact for fact in facts if isinstance(fact, Statement))


def is_exercise_event(event: EventData) -> bool:
    """Whether an event is an exercise, a drill or a test message by its own account."""
    return is_exercise(event.content, event.published.model_extra or {})


def verify_event(
    prepared: Prepared,
    related: Iterable[Report],
    *,
    now: datetime,
    external: Sequence[Sequence[Item]] = (),
    unsearched: frozenset[int] = frozenset(),
    method: Literal["gemini", "heuristic"] = "heuristic",
    without: frozenset[str] = frozenset(),
    opened: Mapping[tuple[int, str], Finding] | None = None,
    heard: Heard | None = None,
) -> VerifiedEventData:
    """Every claim of the event with its verdict, and the event's reliability; see `judge`."""
    sums = [_of_sums(prepared.event.content, claim) for claim in prepared.claims]
    beside = [[*own, *(external[at] if at < len(external) else ())] for at, own in enumerate(sums)]
    judged = judge(prepared.report, related, beside, without, opened, heard)
    claims = [
        _verified(prepared, index, outcome, UNSEARCHED if index in unsearched else 1.0)
        for index, outcome in enumerate(judged)
    ]
    reliability = score_reliability(claims, prepared.event.source)
    reason = EXERCISE if prepared.exercise else UNREAD if prepared.unread else ""
    if reason:
        reliability = replace(reliability, reason=f"{reliability.reason}: {reason}")
    return VerifiedEventData(
        event_id=prepared.event.event_id,
        reliability_score=reliability.score,
        reliability_parts={**reliability.parts, "source_credibility": asdict(prepared.credibility)},
        unverified=reliability.unverified,
        unverified_reason=reliability.reason,
        verified_claims=claims,
        guidance=list(prepared.guidance),
        verification_timestamp=now,
        original_event=prepared.event,
        method=method,
    )


def _of_sums(text: str, claim: ClaimSpan) -> list[Item]:
    """What the report's own arithmetic says against a claim in it."""
    wrong = ((why, span) for span, why in wrong_sums(read(text)) if span[0] < claim.span[1] and claim.span[0] < span[1])
    return [Item("arithmetic", "refutes", why, SUM_WEIGHT, rule="sum.wrong", independent=False) for why, _ in wrong]


def _verified(prepared: Prepared, index: int, judged: Judged, sure: float) -> VerifiedClaim:
    claim, facts = prepared.claims[index], prepared.report.claims[index].facts
    confidence = round(judged.confidence * sure, 4)
    supporting = [item.source for item in judged.items if item.stance == "supports"]
    return VerifiedClaim(
        claim=Claim(
            text=claim.text,
            source=prepared.event.source,
            span=claim.span,
            kind=claim.kind,
            checkworthiness=round(claim.checkworthiness, 4),
            facts=FACTS.dump_python(facts, mode="json"),
        ),
        verified=judged.verdict in ("supported", "outdated") and bool(supporting) and confidence >= VERIFIED_FROM,
        verdict=judged.verdict,
        confidence=confidence,
        sources=list(dict.fromkeys(supporting)),
        evidence=[item.as_evidence() for item in judged.items[:MAX_EVIDENCE]],
    )
