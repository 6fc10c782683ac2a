"""Figures against figures: tolls that grow, readings that move, magnitudes that are revised."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import timedelta

from verifleet.agents.facts.types import Quantity
from verifleet.agents.relate.types import ANSWERABLE, Finding, Told, of_office, of_sensor
from verifleet.reading.gazetteer import meanings
from verifleet.reading.quantities import ENDING
from verifleet.reading.words import fold

READINGS = frozenset({"psi", "24-hour psi", "level", "containment", "wind speed", "area"})
"""What is measured again and again: the latest counts."""
MAY_FALL = frozenset({"missing", "trapped", "evacuated", "affected", "without power", "arrested"}) | READINGS
ONCE = frozenset({"speed"})
"""What was so at one moment, so that no later figure takes the place of it."""
LATER = timedelta(hours=12)
SOON = timedelta(minutes=40)
ONE_QUAKE = timedelta(hours=30)
ONE_SHOCK = timedelta(minutes=2)
"""Measured times that differ by less are of one earthquake."""
SAME, DIFFERENT, ANOTHER = 0.05, 0.15, 1.05
"""Magnitudes that differ by less are one figure, one measure of several networks; by more, those of two earthquakes."""
PART = frozenset("hospital among including nationals intensiv critical serious grav condition".split())
"""Words beside figures of a part of those whom something befell."""
GROUPS = frozenset({"people", "workers", "officers", "soldiers", "firefighters", "tourists", "nationals"})
"""Whose tolls stand for those of people, where the figures are the same."""
LOOSE, BOUND = 0.04, 0.08
"""Share by which a rough figure may differ from what bears it out, and by which "at least" so many may be exceeded."""
CONVERTED = 0.005
"""Share by which a figure differs from itself in another unit: 95 mph and 153 km/h."""
ABOVE = 1.6
"""A figure so many times larger than an authority's is no estimate of the same."""
STALE = 3.0
"""A figure so many times smaller than one told before is out of date."""
SETTLED = timedelta(hours=2)
"""As long as first magnitudes still go round beside the revised ones, and no count falls to a third."""


def findings(claim: Told, other: Told) -> Iterator[Finding]:
    """What the other's figures say about those of the claim."""
    for own in claim.main_figures:
        for its in other.quantities:
            reason = f"tells of {told(its)}, this claim of {told(own)}"
            one = own.subject == its.subject or ({own.subject, its.subject} <= GROUPS and own.low == its.low > 1)
            if not one or own.attribute != its.attribute or own.unit != its.unit:
                continue
            if own.polarity == "denied" or "before" in (own.comparison, its.comparison):
                ended = its.comparison == "before" != own.comparison and its.attribute in ENDING and close(own, its)
                if ended and other.time > claim.time:
                    yield Finding("updates", "toll.fallen", 0.7, f"tells of {told(its)} before")
                continue
            if _one_scope(own, its, claim, other):
                compared = _magnitudes if own.unit == "magnitude" else _figures
                found = compared(own, its, claim, other, reason)
                if found is not None:
                    yield found


def value(fact: Quantity) -> float:
    """The figure that is told."""
    return fact.low if fact.low != float("-inf") else fact.high


def told(fact: Quantity) -> str:
    """A figure in words."""
    bound = "at least " if fact.high == float("inf") else "at most " if fact.low == float("-inf") else ""
    about = "about " if fact.approximate else ""
    low, high, one = (f"{number:,.10g}" for number in (fact.low, fact.high, value(fact)))
    span = f"{low} to {high}" if not bound and low != high else one
    if fact.unit == "magnitude":
        return f"magnitude {bound}{about}{span}"
    name = fact.subject if fact.attribute in ("count", "amount") else f"{fact.subject} {fact.attribute}"
    return f"{bound}{about}{span} {name}"


def _one_scope(own: Quantity, its: Quantity, claim: Told, other: Told) -> bool:
    """Whether two figures can be of one place: names of the one that the other's report has not are of another."""
    mine, theirs = ([{*name.split(), *_place(name).split()} for name in fact.scope] for fact in (own, its))
    if {word for name in mine for word in name} & {word for name in theirs for word in name}:
        return True
    known, told = other.words | claim.setting, claim.words | other.setting
    return all(name & known for name in mine) or all(name & told for name in theirs)


def _place(name: str) -> str:
    """A folded name, of regions and countries the one in English: "sardegna" is "sardinia"."""
    large = (fold(spot.name) for spot in meanings(name) if spot.level != "city")
    return next(large, name)


def close(own: Quantity, its: Quantity) -> bool:
    """Whether two figures are the same within what estimates differ by."""
    one, two = value(own), value(its)
    if one == two:
        return not (own.high == math.inf > its.high and its.approximate)  # "nearly 1,000" bears out no "over 1,000"
    if _vague(own) or _vague(its):
        # "Dozens" is borne out by 79, and bears out no 79.
        return _vague(own) and own.low <= (its.low if _vague(its) else two) <= own.high
    if its.high == math.inf > own.high and not own.approximate:
        return False  # "at least 78" bears out no 79
    if not (one.is_integer() and two.is_integer()) and abs(one - two) <= CONVERTED * max(one, two):
        return True
    if min(one, two) < 20:
        return False
    if own.high == math.inf and (one < two or its.high == math.inf):
        return 0 < two - one <= BOUND * two
    loose = own.approximate or its.approximate or math.inf in (own.high, its.high)
    return abs(one - two) <= (LOOSE if loose else 0.0) * max(one, two)


def _vague(fact: Quantity) -> bool:
    return fact.low > 0 and fact.high != math.inf and fact.high > 2 * fact.low


def _figures(own: Quantity, its: Quantity, claim: Told, other: Told, reason: str) -> Finding | None:
    if its.polarity == "denied":
        same = value(own) == value(its)
        return Finding("refutes", "toll.denied", 0.9, f"says that it is not so: {told(its)}") if same else None
    if "more" in (own.comparison, its.comparison):
        grown = its.comparison == "more" and own.comparison != "more" and other.time > claim.time
        return Finding("updates", "toll.more", 0.6, reason) if grown else None
    if own.attribute in READINGS or (of_sensor(own) and of_sensor(its)):
        return _readings(own, its, claim, other, reason)
    if close(own, its):
        feared = its.polarity == "possible" != own.polarity
        return None if feared else Finding("supports", "toll.same", 0.8, reason)
    if own.attribute in ONCE:
        return None
    if _corrected(own, its, claim, other):
        return Finding("refutes", "toll.corrected", 0.8, reason)
    one, two = value(own), value(its)
    if other.time <= claim.time:
        stale = two > STALE * one and _known_before(own, its, claim, other)
        return Finding("refutes", "toll.stale", 0.6, f"before this claim another {reason}") if stale else None
    if two > one or own.attribute in MAY_FALL:
        return Finding("updates", "toll.grown" if two > one else "toll.fallen", 0.7, reason)
    # Newsrooms go on telling that nobody was harmed after another has counted.
    knows = other.source == "official" != claim.source if claim.answerable else other.answerable
    return Finding("refutes", "toll.denied", 0.7, reason) if two == 0 and its.polarity == "asserted" and knows else None


def _corrected(own: Quantity, its: Quantity, claim: Told, other: Told) -> bool:
    """Whether who has to know counts fewer: in a correction, as an authority at the time, or once it is settled."""
    exact = its.low == its.high and not its.approximate and its.polarity == "asserted"
    one, two, after, later = value(own), value(its), other.time - claim.time, other.time > claim.time
    missing = sum(value(fact) for fact in other.quantities if fact.attribute == "missing")
    if PART & its.about or not (exact and two > 0 and two + missing < one):
        return False
    if own.attribute in MAY_FALL:  # but not to a third of it at once
        return other.source == "official" and claim.source not in ANSWERABLE and two * STALE < one
    if other.marked and other.answerable:
        return later
    if other.source == "official" != claim.source and (later or claim.source not in ANSWERABLE):
        return abs(after) <= LATER and two * (1.1 if later else ABOVE) < one
    return of_office(its) and after >= LATER and (its.comparison == "total" or two * STALE > one)


def _known_before(own: Quantity, its: Quantity, claim: Told, other: Told) -> bool:
    """Whether an office had already told a figure that a claim after it falls far behind."""
    exact = own.high == own.low >= 2 and own.polarity == "asserted" and not its.approximate
    if own.attribute not in ("dead", "injured") or not exact or PART & claim.words:
        return False
    beyond = {word for name in own.scope for word in name.split()} - other.words - claim.setting
    return not beyond and (other.source == "official" or of_office(its))


def _readings(own: Quantity, its: Quantity, claim: Told, other: Told, reason: str) -> Finding | None:
    before, after = (own.as_of, its.as_of) if of_sensor(own) and of_sensor(its) else (claim.time, other.time)
    if close(own, its):
        return Finding("supports", "reading.same", 0.7, reason)
    if after > before:
        return Finding("updates", "reading.moved", 0.5 if after - before <= SOON else 0.7, reason)
    return None


def _magnitudes(own: Quantity, its: Quantity, claim: Told, other: Told, reason: str) -> Finding | None:
    one, two = value(own), value(its)
    apart = abs(one - two)
    if of_sensor(own) and of_sensor(its) and abs(own.as_of - its.as_of) > ONE_SHOCK:
        return None
    if abs(other.time - claim.time) > ONE_QUAKE or its.polarity != "asserted":
        return None
    if apart < SAME:  # beside a state, a magnitude is what it came of
        return None if claim.statuses else Finding("supports", "magnitude.same", 0.7, reason)
    if apart < DIFFERENT or apart > ANOTHER:  # two measures differ by less
        return None
    later = other.time - claim.time >= SETTLED
    settled = later and not own.attributed_to
    if other.marked or (settled and (other.source in ("official", "sensor") or of_office(its))):
        # First figures differ: what is told against one is that it was replaced, before the claim or since.
        when = "replaced since it was told" if other.time > claim.time else "replaced before it was told"
        return Finding("refutes", "magnitude.revised", 0.9 if other.marked else 0.7, f"{when}: {reason}")
    return Finding("updates", "magnitude.later", 0.6, reason) if later and other.answerable else None
