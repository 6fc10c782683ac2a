"""The pairs that rules leave open: a claim and another voice's report that share much, of which no rule is sure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verifleet.agents.belief.judge import is_evidence, said
from verifleet.agents.belief.voices import same_author, voices
from verifleet.agents.memory.report import Report
from verifleet.agents.relate.overlap import RULE as GUESS
from verifleet.agents.relate.overlap import score
from verifleet.agents.relate.rarity import UNHEARD

RULE = "gemini.pair"
"""The rule of a finding that Gemini made of such a pair."""
STRENGTH = 0.6
"""What such a finding counts: less than a figure or a state that a rule compared."""
NEAR, SURE = 0.15, 0.8
"""How likely a report has to be about a claim by what they share, and from where that alone settles it."""


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A claim of a report, by its index, and a report of which no rule is sure how it stands to the claim."""

    index: int
    other: Report
    likely: float


def open_pairs(own: Report, related: Iterable[Report], most: int) -> list[OpenPair]:
    """The open pairs of a report's claims, the least sure first, at most `most`.

    A claim that an official body refutes or brings up to date is settled and has none, and one report speaks for a
    voice that has said nothing sure about a claim.
    """
    if most <= 0:
        return []
    heard = voices(report for report in related if is_evidence(own, report) and not same_author(own, report))
    found: list[OpenPair] = []
    for index, claim in enumerate(own.told_by_claim):
        by_voice = [[(report, said(own, claim, report)) for report in group] for group in heard]
        if any(one.stance in ("refutes", "updates") for g in by_voice for r, made in g if r.official for one in made):
            continue
        for group in by_voice:
            if any(finding.rule != GUESS for _, made in group for finding in made):
                continue
            pairs = [
                OpenPair(index, report, score(claim, report.told, UNHEARD)) for report, _ in group if report.claims
            ]
            best = max(pairs, key=lambda pair: (pair.likely, pair.other.event_id), default=None)
            sure = SURE if any(made for _, made in group) else 1.0  # what is told otherwise is settled by no guess
            if best is not None and NEAR <= best.likely < sure:
                found.append(best)
    return sorted(found, key=lambda pair: (abs(pair.likely - 0.5), pair.index, pair.other.event_id))[:most]


def told_by(report: Report) -> str:
    """What a report claims, as it is shown."""
    return " / ".join(claim.label for claim in report.claims)
