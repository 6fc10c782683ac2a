"""`judge`: the claims of a report against what other reports tell, with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from verifleet.agents.belief.evidence import Item, Verdict, decide, item_of, own_authority, under_authority
from verifleet.agents.belief.voices import copies, one_incident, passes_on, same_author, voices
from verifleet.agents.memory.report import MAX_LABEL, Report
from verifleet.agents.relate import overlap
from verifleet.agents.relate.rarity import UNHEARD, Heard, hear
from verifleet.agents.relate.rules import relate
from verifleet.agents.relate.types import Finding, Stance, Told
from verifleet.agents.voices.replies import DENIES, STRENGTH, denies_firmly

MAX_EVIDENCE = 12
TELLS = 0.25
"""Share of what a report tells of a claim from which a further claim of it is shown."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a claim comes to."""

    verdict: Verdict
    confidence: float
    items: tuple[Item, ...]


def judge(
    own: Report,
    related: Iterable[Report],
    external: Sequence[Sequence[Item]] = (),
    without: frozenset[str] = frozenset(),
    opened: Mapping[tuple[int, str], Finding] | None = None,
    heard: Heard | None = None,
) -> list[Judged]:
    """The verdict on each claim of a report.

    Args:
        own: the report.
        related: reports that may speak about it.
        external: further evidence for each claim.
        without: rules left out.
        opened: findings on pairs of a claim, by its index, and an event that the rules leave open.
        heard: what was heard before it when it was first judged; by default what `related` tells of that.
    """
    if not own.claims:
        return []
    met = [report for report in related if is_evidence(own, report)]
    words = _heard_from(own, met) if heard is None else heard
    made = []
    for index in range(len(own.claims)):
        possible = _possible(own, index)
        found = [*own_authority(own, possible), *_from_memory(own, index, met, words, without, opened or {})]
        items = under_authority([*found, *(external[index] if index < len(external) else ())])
        verdict, confidence = decide(items, own.weight * (0.5 if possible and not own.official else 1.0))
        shown = sorted(items, key=lambda item: (-abs(item.weight), item.stance == "neutral", item.source, item.reason))
        made.append(Judged(verdict, confidence, tuple(shown)))
    return made


def stances_of(own: Report, other: Report) -> dict[int, Stance]:
    """What another report says about each claim of a report, by index; without those that it is neutral about."""
    if not own.claims or not is_evidence(own, other):
        return {}
    by_claim = (said(own, told, other) for told in own.told_by_claim)
    return {index: findings[0].stance for index, findings in enumerate(by_claim) if findings}


def said(
    own: Report, claim: Told, other: Report, words: Heard = UNHEARD, without: frozenset[str] = frozenset()
) -> list[Finding]:
    """What a report says about a claim by the rules.

    An author may correct and update themselves, but not bear themselves out. Of a report in a language that is not read
    only a translation is known, and no rule makes a contradiction of that.
    """
    found = relate(claim, other.told, words, without)
    if not (own.language and other.language):
        found = [finding for finding in found if finding.stance != "refutes"]
    if not found and DENIES not in without and _denies(own, other):
        found = [Finding("refutes", DENIES, STRENGTH, "a reply denies it")]
    return [finding for finding in found if finding.stance != "supports"] if same_author(own, other) else found


def _denies(own: Report, other: Report) -> bool:
    if other.reply is None or own.official or other.official or own.language != "en":
        return False
    asked = replace(own.original, author=own.author)
    return _is_answer(own, other) and denies_firmly(other.reply, asked, author=other.author)


def _is_answer(own: Report, other: Report) -> bool:
    return bool(other.answers) and other.answers in (own.event_id, own.original_id)


def is_evidence(own: Report, other: Report) -> bool:
    """Whether another report can say anything about the claims of one's own."""
    together = own.event_id != other.event_id and (_is_answer(own, other) or one_incident(own, other))
    return together and not copies(own, other)


def hears(own: Report, related: Iterable[Report]) -> Heard:
    """What was told of the words of a report's claims before it."""
    return _heard_from(own, (report for report in related if report.time < own.time and is_evidence(own, report)))


def _heard_from(own: Report, met: Iterable[Report]) -> Heard:
    """The same of reports that are known to be evidence, which is dear to find out."""
    words = frozenset[str]().union(*(told.core for told in own.told_by_claim))
    return hear(words, [report.words for report in met if report.time < own.time])


def _from_memory(
    own: Report,
    index: int,
    met: Sequence[Report],
    words: Heard,
    without: frozenset[str],
    asked: Mapping[tuple[int, str], Finding],
) -> list[Item]:
    """One item for each voice that says something about a claim: what it said last, of its support the most."""
    claim = own.told_by_claim[index]
    by_report: dict[str, Finding] = {}
    for report in met:
        answer = asked.get((index, report.event_id))
        found = [answer] if answer else said(own, claim, report, words, without)
        if found and found[0].stance == "supports" and passes_on(own, index, report):
            continue
        if found and found[0].stance != "neutral":
            by_report[report.event_id] = found[0]
    last = [_last(group, by_report) for group in voices(report for report in met if report.event_id in by_report)]
    told = [(by_report[report.event_id], report) for report in last]
    whole = overlap.whole(claim, [(one, other.told) for one, other in told if one.stance == "supports"], words)
    return [
        item_of(one, own, other, _label(claim, other, words), whole=whole or (index, other.event_id) in asked)
        for one, other in told
    ]


def _last(group: Sequence[Report], by_report: Mapping[str, Finding]) -> Report:
    """Which report of a voice counts: no further support takes from what it told before."""
    last = max(group, key=lambda report: (report.time, report.event_id))
    if by_report[last.event_id].stance != "supports":
        return last
    backing = (report for report in group if by_report[report.event_id].stance == "supports")
    return max(backing, key=lambda report: (by_report[report.event_id].strength, report.time, report.event_id))


def _label(claim: Told, other: Report, words: Heard) -> str:
    """Of what another report claims what is nearest to a claim, and what else tells much of it."""
    weight = words.weight
    own, kinds = claim.core, {(fact.subject, fact.attribute) for fact in claim.quantities}
    shown: list[str] = []
    left = weight(own & other.words)
    parts = list(zip(other.told_by_claim, other.claims, strict=True))
    while parts:
        near = [
            weight(own & told.words) + sum((fact.subject, fact.attribute) in kinds for fact in told.quantities)
            for told, _ in parts
        ]
        told, claimed = parts.pop(near.index(max(near)))
        if shown and weight(own & told.words) <= TELLS * left:
            break
        shown.append(claimed.label)
        own -= told.words
    return " … ".join(shown)[:MAX_LABEL] or other.gist


def _possible(own: Report, index: int) -> bool:
    facts = own.claims[index].facts
    return bool(facts) and all(fact.polarity == "possible" for fact in facts)
