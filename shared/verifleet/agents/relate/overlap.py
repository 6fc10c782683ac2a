"""Whether a report tells what a claim asserts: a trained weigher of what both share and what the claim alone tells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from verifleet.agents.lexicon import model, probability
from verifleet.agents.relate.quantities import GROUPS, close, value
from verifleet.agents.relate.rarity import UNHEARD, Heard, rarity
from verifleet.agents.relate.types import ROOT, Finding, Told, ends, is_over, roots

RULE = "overlap.content"
"""The rule of findings that no figure and no state in common made."""
MODEL = "relate/overlap.json"
LIKELY = 0.53
"""Chance from which a report bears a claim out."""
LIKELY_IN_KIND = 0.12
"""The same where a figure or a state agrees already."""
LEAST = 3
"""Words and figures that are shared, together, where no figure and no state is."""
CONTACT = 7
"""Digits of a telephone or an account."""
MUCH = 20.0
"""What many words tell together."""
WHOLE, LEFT, TOGETHER = 0.4, 40.0, 2
"""How likely a claim has to be borne out as a whole, by the surest two, less the weight of what no report tells over
`LEFT`."""


def shares(claim: Told, other: Told) -> bool:
    """Whether a claim and a report share enough words and figures that the one may tell what the other does."""
    return len(claim.words & other.words) + len(claim.figures & other.figures) >= LEAST


def likely(claim: Told, other: Told, heard: Heard, rule: str) -> float:
    """How likely it is that a report says that what a claim asserts is so, where a rule found both to agree."""
    return 0.0 if otherwise(claim, other) else score(claim, other, heard, rule)


def score(claim: Told, other: Told, heard: Heard, rule: str = RULE) -> float:
    """The same by the weigher alone, whatever is told otherwise."""
    return probability(model(MODEL).sum(features(claim, other, heard, rule)))


def whole(claim: Told, found: Sequence[tuple[Finding, Told]], heard: Heard) -> bool:
    """Whether reports that each bear out at least a part of a claim tell together all that it asserts."""
    told = frozenset[str]().union(*(other.roots for _, other in found))
    left = heard.weight(claim.core - within(claim.core, told))
    doubts = sorted(1.0 - finding.strength for finding, _ in found)[:TOGETHER]
    return 1.0 - math.prod(doubts) - left / LEFT >= WHOLE


def within(words: frozenset[str], roots: frozenset[str]) -> frozenset[str]:
    """The words that are told by some other words, of which the roots are given."""
    return frozenset([word for word in words if word[:ROOT] in roots])


def reason(claim: Told, other: Told) -> str:
    """The words that both tell, the rarest first, as a finding's reason."""
    words = sorted(claim.words & other.words, key=lambda word: (-rarity((word,)), word))[:6]
    return f"tells the same ({', '.join(words)})"


def features(claim: Told, other: Told, heard: Heard, rule: str) -> dict[str, float]:
    """What a claim and a report have in common and what the claim alone tells, without a word of it; each 0..1.5."""
    weight = heard.weight
    setting = claim.setting | other.setting
    core = claim.core - other.setting
    told = within(core, other.roots)
    alone, shared, whole = core - told, weight(told), weight(core)
    shared_roots = roots(told)
    clauses = (clause for clause in other.clauses if not shared_roots.isdisjoint(clause))
    in_one = max([weight(within(told, clause)) for clause in clauses], default=0.0)
    names = claim.names - setting
    figures = len(claim.figures & other.figures)
    hours = abs((claim.time - other.time).total_seconds()) / 3600
    counted = [(fact.attribute, fact.unit) in other.kinds for fact in claim.quantities]
    own, its = ({(fact.subject, fact.state, fact.phase) for fact in one.statuses} for one in (claim, other))
    return {
        "covered": shared / whole if whole else 1.0,
        "in a clause": in_one / whole if whole else 1.0,
        "in its claims": (weight(within(core, other.claimed)) if other.claimed else shared) / whole if whole else 1.0,
        "claims nothing": float(not other.claimed),
        "shared": min(shared / MUCH, 1.5),
        "of the report": min(shared / max(UNHEARD.weight(other.words - setting), 1.0), 1.0),
        "left": min(weight(alone) / MUCH, 1.5),
        "words left": min(len(alone) / 4.0, 1.5),
        "names left": min(len(names - within(names, other.roots)) / 3.0, 1.0),
        "alone": float(heard.reports <= 1),
        "hours": min(math.log1p(hours) / 5.0, 1.0),
        "figure": float(figures > 0),
        "figures missing": min((len(claim.figures) - figures) / 2.0, 1.0),
        "toll": float(rule == "toll.same"),
        "magnitude": float(rule == "magnitude.same"),
        "quantities": min(sum(counted) / 2.0, 1.0),
        "quantities missing": min((len(counted) - sum(counted)) / 2.0, 1.0),
        "state": float(any(state[0] != "warning" for state in own & its)),
    }


def otherwise(claim: Told, other: Told) -> bool:
    """Whether a report tells the opposite of a claim, another figure for one of it, or not all that it counts."""
    counted = {f"{value(fact):.12g}" for fact in claim.quantities}
    if any(len(figure) >= CONTACT for figure in claim.figures - other.figures - counted):
        return True  # who leaves out a telephone or an account bears out no such number
    for own in claim.quantities:
        quake = own.unit == "magnitude"
        if quake and (own.beside or claim.statuses):
            continue
        its = [fact for fact in other.quantities if (fact.attribute, fact.unit) == (own.attribute, own.unit)]
        if any(own.subject in (fact.subject, *GROUPS) and close(own, fact) for fact in its):
            continue
        told = own in claim.main_figures
        if (its and (told or quake or own.attribute == "amount")) or (
            told and f"{value(own):.12g}" not in other.figures
        ):
            return True
    own_words = claim.words - claim.setting or claim.words
    pairs = product(claim.statements, other.statements)
    alike = max(pairs, key=lambda pair: len(own_words & pair[0].about & pair[1].about), default=None)
    if alike is None or not own_words & alike[0].about & alike[1].about:
        return False
    mine, theirs = alike
    unsure = theirs.polarity == "possible" != mine.polarity and mine.figures.isdisjoint(theirs.figures)
    return unsure or is_over(mine) != is_over(theirs) or ends(theirs, mine)
