"""Whether a report says what a claim says, by what both have in common: one rule, with measured weights."""

from __future__ import annotations

import math

from verifleet.agents.lexicon import model, probability
from verifleet.agents.relate.quantities import close
from verifleet.agents.relate.rarity import rarity
from verifleet.agents.relate.types import Finding, Told, elsewhere

FEATURES = ("words", "covered", "short", "hours", "figure", "figures", "figures missing", "state")
MODEL = "relate/overlap.json"
LIKELY = 0.47
"""Chance from which a report supports a claim."""
LEAST = 3
"""Words and figures that are shared, together."""
OWN_SHARE = 0.7
"""Share of what a claim tells beside words common in the incident, where these are known, that a report has to tell
that does not tell all of it."""


def features(claim: Told, other: Told) -> dict[str, float]:
    """What a claim and a report have in common: words beside the place, time, telling figures, states; each 0..1.5."""
    mine = claim.words - claim.setting - other.setting
    shared = len(mine & other.words)
    figures = len(claim.figures & other.figures)
    hours = abs((claim.time - other.time).total_seconds()) / 3600
    return {
        "words": min(shared / 6.0, 1.5),
        "covered": shared / max(len(mine), 1),
        "short": float(len(mine) <= 3),
        "hours": min(math.log1p(hours) / 5.0, 1.0),
        "figure": float(figures > 0),
        "figures": float(figures > 1),
        "figures missing": min((len(claim.figures) - figures) / 2.0, 1.0),
        "state": float(bool(_states(claim) & _states(other)) and not elsewhere(claim, other)),
    }


def _states(told: Told) -> set[tuple[str, str, str]]:
    """What it tells to hold or to have ended, warnings apart, of which there are many at a time."""
    return {(fact.subject, fact.state, fact.phase) for fact in told.statuses if fact.subject != "warning"}


def score(claim: Told, other: Told) -> float:
    """How likely it is that the report supports the claim."""
    return probability(model(MODEL).sum(features(claim, other)))


def otherwise(claim: Told, other: Told) -> bool:
    """Whether anything is told otherwise: another figure of the same, or the opposite."""
    for own in (*claim.main_figures, *(fact for fact in claim.quantities if fact.attribute == "amount")):
        its = [fact for fact in other.quantities if (fact.attribute, fact.unit) == (own.attribute, own.unit)]
        if its and not any(close(own, fact) for fact in its):
            return True
    own_words = claim.words - claim.setting
    turned = {fact.polarity == "denied" for fact in other.statements if not own_words.isdisjoint(fact.about)}
    return bool(turned) and turned.isdisjoint(fact.polarity == "denied" for fact in claim.statements)


def _specific(claim: Told, other: Told) -> bool:
    """Whether a report tells all of a claim, or most of what is not common to the reports of its incident."""
    if claim.words - claim.setting - other.setting <= other.words:
        return True
    rare, figures = claim.specific - other.setting, len(claim.figures & other.figures)
    return len(rare & other.words) + figures >= max(OWN_SHARE * (len(rare) + figures), 1)


def finding(claim: Told, other: Told) -> Finding | None:
    """That the report supports the claim, where enough is shared and nothing of it is told otherwise."""
    likely = score(claim, other)
    shared = sorted(claim.words & other.words, key=lambda word: (-rarity((word,)), word))[:6]
    if likely < LIKELY or len(shared) + len(claim.figures & other.figures) < LEAST or otherwise(claim, other):
        return None
    if claim.common and not _specific(claim, other):
        return None
    return Finding("supports", "overlap.content", round(min(likely, 0.95), 3), f"tells the same ({', '.join(shared)})")
