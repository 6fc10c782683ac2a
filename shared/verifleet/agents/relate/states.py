"""States against states, and denials against what is claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import product

from verifleet.agents.facts.types import Fact, Statement, Status
from verifleet.agents.relate.rarity import rarity
from verifleet.agents.relate.types import ANSWERABLE, ENDED, Finding, Told, elsewhere, endings, ends
from verifleet.reading.words import data

DENIAL = "denial"
"""The rule of what who answers for it says is not so."""
BEFORE = timedelta(hours=6)
"""How long before a claim a denial is of what it claims, and before or behind it of the state that it tells."""
ONE_WARNING = timedelta(hours=12)
"""Warnings further apart are two."""
RANK = {"official": 2, "news": 1, "sensor": 1}
"""How well a source is placed to tell that what had ended holds again."""
DENIED_SHARE = 0.6
"""Share of what is denied, by rarity, that a claim has to say: of a rumour that many tell, too."""
SPECIFIC = 3.0
"""Rarity that the words in common have to have together."""
LASTING = frozenset({"warning", "emergency", "mourning", "boil water"})
"""What an incident has one of, so that two reports that name its place tell of the same."""
AGAIN = frozenset({"again"})
"""What the end of a state is told with: "open again"."""
EXCLUDED = {("dead", "alive"), ("failed", "intact")}
"""States that another state of the same excludes."""


def findings(claim: Told, other: Told) -> Iterator[Finding]:
    """What the other's states say about those of the claim, and what it denies."""
    for own in claim.statuses:
        for its in other.statuses:
            if own.subject == its.subject and own.polarity != "possible" and its.polarity != "possible":
                found = _states(own, its, claim, other)
                if found is not None:
                    yield found
    yield from _denials(claim, other)


def _states(own: Status, its: Status, claim: Told, other: Told) -> Finding | None:
    if not _one_thing(own, its):
        return None
    reason = f"tells that the {its.subject} is {_in_words(its)}, this claim that it is {_in_words(own)}"
    both = own.polarity == its.polarity
    excluded = (own.state, its.state) in EXCLUDED and other.time >= claim.time - BEFORE and other.answerable
    if own.subject == "shelter":  # an authority's place for people in need against anybody's
        apart = set(own.state.split()).isdisjoint(its.state.split())
        excluded = apart and other.source == "official" and claim.source not in ANSWERABLE
    if both and excluded:
        return Finding("refutes", "status.other", 0.8, reason)
    if its.polarity == "denied" and (own.state, own.phase) == (its.state, its.phase) and not both:
        mine = own.subject, own.state, own.phase, own.polarity
        if any((one.subject, one.state, one.phase, one.polarity) == mine for one in other.statuses):
            return None  # the other says that it holds elsewhere
        near = other.answerable and abs(other.time - claim.time) <= BEFORE and _named(its, own, other.setting)
        return Finding("refutes", DENIAL, 0.8, reason) if near else None
    if not both or own.state != its.state:
        return None
    if own.phase != its.phase:
        # Old news is told on after an authority has ended it; only who is placed as well tells that it began anew.
        placed = RANK.get(other.source, 0) >= RANK.get(claim.source, 0) or other.time > claim.time + BEFORE
        later = other.time > claim.time and (own.phase == "holds" or placed)
        return Finding("updates", "status.ended", 0.7, reason) if later else None
    again = own.subject == "warning" and abs(other.time - claim.time) > ONE_WARNING
    return None if again else Finding("supports", "status.same", 0.7, reason)


def _in_words(fact: Status) -> str:
    return f"{'not ' if fact.polarity == 'denied' else ''}{'no longer ' if fact.phase == 'ended' else ''}{fact.state}"


def _roots(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The beginnings of the words of each name."""
    return [tuple(word[:4] for word in name.split() if len(word) > 3) for name in names]


def _named(its: Fact, own: Fact, setting: frozenset[str]) -> bool:
    """Whether a place that a denial names beside its incident's is named by the other too: none in Peru, none in Chile.

    Who tells of no place that all is over is contradicted by any place where it is not.
    """
    beside = [name for name in its.scope if not setting.issuperset(name.split())]
    roots = list(filter(None, _roots(beside or its.scope)))
    everywhere = not own.scope and bool(its.about & ENDED)
    return not roots or everywhere or any(lemma.startswith(names) for names in roots for lemma in own.about)


def _one_thing(own: Status, its: Status) -> bool:
    """Whether two states are of one thing: of one place, where both name places."""
    if own.subject in ("suspect", "shelter"):
        return True
    mine = {word for name in own.scope for word in name.split()}
    theirs = {word for name in its.scope for word in name.split()}
    if mine and theirs and not (mine & (theirs | its.about) or theirs & own.about):
        return False
    shared = (own.about & its.about) - {own.subject}
    return (own.subject in LASTING and bool(mine & theirs)) or rarity(shared) >= SPECIFIC


def _denials(claim: Told, other: Told) -> Iterator[Finding]:
    """What is denied by who answers for it, not long before, and at the same places."""
    if not other.answerable or other.time < claim.time - BEFORE:
        return
    for its, own in product(other.denials, claim.statements):
        denied, over = its.polarity == "denied", ends(its, own)
        # What has not ended yet may have when somebody who answers for it says so later.
        later = other.time > claim.time or (denied and not (its.about & ENDED and claim.answerable))
        if own.polarity != "asserted" or not (later and (denied or over)):
            continue
        if denied and other.time < claim.time and claim.answerable and _counted(claim) & _counted(other, none=True):
            continue  # nobody had been hurt until then
        told = ", ".join(sorted(_denied(own, its, claim, other)))
        if told and denied:
            yield Finding("refutes", DENIAL, 0.7, f"denies it ({told})")
        elif told:
            yield Finding("updates", "status.ended", 0.7, f"tells that it is over ({told})")


def _counted(told: Told, *, none: bool = False) -> frozenset[str]:
    """What befell the people who are counted: some, or `none`."""
    return frozenset(one.attribute for one in told.quantities if (one.high == 0) == none and one.polarity == "asserted")


def _denied(own: Statement, its: Statement, claim: Told, other: Told) -> frozenset[str]:
    """The words of a claim that a denial or an end is about beside names; none where it is about something else."""
    ended = {fact.subject for fact in other.statuses if fact.polarity == "denied" and fact.about == its.about}
    if ended and ended.isdisjoint(fact.subject for fact in claim.statuses):
        return frozenset()
    roots = tuple(root for names in _roots(its.scope) for root in names)
    over = its.polarity == "asserted"
    names = frozenset(word for name in its.scope for word in name.split())
    told = its.about - claim.setting - other.setting - (endings().keys() | AGAIN if over else names)
    core = frozenset(word for word in told if over or not word.startswith(roots))
    shared = core & own.about
    if (
        elsewhere(claim, other, shared)
        or not _named(its, own, other.setting)
        or (not over and (its.about & ENDED) - own.about)
    ):
        return frozenset()
    if not over and other.source != "official" and shared <= data("lexicon")["hazards"].keys():
        return frozenset()  # that what happened did not happen at all is told by no newsroom alone
    return shared if rarity(shared) >= max(SPECIFIC, DENIED_SHARE * rarity(core)) else frozenset()
