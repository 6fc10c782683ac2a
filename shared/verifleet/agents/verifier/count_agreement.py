"""Whether two reports count the same, in whatever words they say what befell what they count.

Two independent reports of one incident that count the same unround number of one class of things mean the same, though
one speaks of people burned and the other of burns treated. What such reports say of it is then one thing, so that a
third that uses the words of either with another number contradicts both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from verifleet.agents.count_words import AKIN, ALIKE, COMMON, SORTS
from verifleet.agents.quantity_words import GENERIC_PEOPLE
from verifleet.agents.verifier.counts import SMALL, UNSAID, Count

DIFFERS_BEYOND = 0.25
"""Two figures that are further apart than this share of the greater one contradict each other."""
NEAR_WITHIN = 0.1
WIDEST = 1.5
"""How far the bounds of a rough number may be apart so that another within them is the same."""
RARE = 24
"""Unround numbers from this one on hardly come twice by chance."""


def agree(mine: Count, theirs: Count) -> bool:
    """Whether two counts are one: the same number of one class, and nothing known to have befallen them differs."""
    if mine.some != theirs.some or mine.kind == UNSAID:
        return False
    if not _same_number(mine, theirs):
        if mine.kind != theirs.kind or not mine.fate or not _near(mine, theirs):
            return False
        return _are_alike(mine, theirs)
    same_kind = mine.kind == theirs.kind
    if _of_two_sorts(mine.noun, theirs.noun):
        return False
    unknown = mine.kind == mine.noun and theirs.kind == theirs.noun  # kegs may be drums
    if not (same_kind or unknown) and frozenset((mine.kind, theirs.kind)) not in AKIN:
        return False
    known = bool(mine.fate and theirs.fate)
    if known and not _are_alike(mine, theirs):
        return False
    if mine.value <= SMALL:
        if mine.value == 1 and not (mine.told & theirs.told or _one_noun(mine, theirs)):
            return False  # one guy with burns is not the one officer who choked
        return same_kind and mine.fate == theirs.fate and (known or bool(mine.where & theirs.where))
    one_noun = _one_noun(mine, theirs) and (mine.kind not in COMMON or mine.telling)
    one_scene = not (mine.fate or theirs.fate) and not mine.where.isdisjoint(theirs.where)
    if known or mine.told & theirs.told or one_noun or one_scene:
        return same_kind or mine.telling or theirs.telling
    return mine.value >= RARE and (mine.telling or theirs.telling)


def _are_alike(mine: Count, theirs: Count) -> bool:
    return mine.fate == theirs.fate or frozenset((mine.fate, theirs.fate)) in ALIKE


def _one_noun(mine: Count, theirs: Count) -> bool:
    """Whether both name what they count alike; of animals also by another word for the same sort ("cows", "cattle")."""
    if mine.noun == theirs.noun:
        return True
    return mine.kind == "animal" and mine.noun in SORTS and SORTS[mine.noun] == SORTS.get(theirs.noun)


def count_otherwise(mine: Iterable[Count], theirs: Sequence[Count]) -> bool:
    """Whether two statements count things of one class, and never the same number of them."""
    pairs = [(one.low, other.low) for one in mine for other in theirs if one.kind == other.kind]
    return bool(pairs) and all(one != other for one, other in pairs)


def _of_two_sorts(one: str, other: str) -> bool:
    """Whether two nouns of one class can't be said of the same things."""
    return one != other and one in SORTS and other in SORTS and SORTS[one] != SORTS[other]


def _same_number(mine: Count, theirs: Count) -> bool:
    return mine.low == theirs.low and (mine.high == theirs.high or None in {mine.high, theirs.high})


def _near(mine: Count, theirs: Count) -> bool:
    """Whether one is the round number of the other: "more than 600" of 632, "nearly fifty" of 48."""
    least, most = sorted((mine, theirs), key=lambda count: count.low)
    if least.low <= SMALL:
        return False
    if least.high is None or not (mine.about or theirs.about):
        return least.high is None and least.low >= (1 - NEAR_WITHIN) * most.low
    if most.high is None or max(least.high / least.low, most.high / most.low) > WIDEST:
        return False  # "dozens" may be any of many
    return max(least.high, least.low) >= (1 - NEAR_WITHIN) * most.low


def differ(mine: Count, theirs: Count) -> bool:
    """Whether a count contradicts another of the same things: many more of them, or expressly no more than a few.

    A lower number may always be of some of them.
    """
    if mine.some or theirs.some or mine.kind != theirs.kind or mine.kind == UNSAID:
        return False
    if _of_two_sorts(mine.noun, theirs.noun):
        return False
    if not _far_above(mine, theirs) and not (mine.whole and _far_above(theirs, mine)):
        return False
    common = mine.kind in COMMON
    shared = len(mine.told & theirs.told)
    one_fate = mine.fate != "" and (mine.fate == theirs.fate or mine.fate in theirs.fates)
    if common and not theirs.learnt:
        # One of the many things counted of them, unless all that is said of both is the same.
        return one_fate and mine.fate in _OF_ALL and bool(shared or mine.where & theirs.where)
    if mine.where & theirs.where and (_are_alike(mine, theirs) or (not mine.fate and theirs.fate in _OF_ALL_THERE)):
        return True  # so many were there
    if mine.whole and not (mine.fate or mine.told) and mine.noun == theirs.noun and mine.noun not in GENERIC_PEOPLE:
        return True  # "there were only 40 passengers"
    if common and theirs.value <= SMALL and not one_fate:
        return False
    if mine.fate and theirs.fate:
        alike = shared > 0 or (mine.noun == theirs.noun and mine.noun not in GENERIC_PEOPLE)
        pair = frozenset((mine.fate, theirs.fate))
        return one_fate or (alike and (pair in _ONE_TALE or (mine.kind == "animal" and pair == _BURNED)))
    if mine.disputes and theirs.learnt:
        return True  # a true number kept back is that of what everybody counts
    if mine.kind == "animal" and theirs.fate and not shared:
        return False
    if not common and not mine.fate and mine.deed and mine.deed not in theirs.told:
        return False  # "25 boats have lost their nets" counts none of the sunk ones
    # Of a known fate the words are known: others that they share tell of the same scene rather than of the same.
    return not common or shared > (1 if theirs.fate else 0) or mine.deed in theirs.told


_OF_ALL_THERE = frozenset({"", "moved", "safe", "aboard", "stuck", "waiting", "attending"})
"""Families that are told of everybody in a place."""
_BURNED = frozenset({"hurt", "dead"})
"""What is told alike of animals in a fire."""
_OF_ALL = frozenset({"fell", "aboard"})
"""Families that are told of a whole company at once."""
_ONE_TALE = frozenset({frozenset({"hurt", "sick"}), frozenset({"ruin", "wet"})})
"""Families of which a report may use either for one thing."""


def _far_above(one: Count, other: Count) -> bool:
    top = one.low
    if other.high is None and not other.learnt:
        return False  # "more than 20" may be any number above
    bound = other.low if other.high is None else other.high
    return top > bound and (top - bound) / top > DIFFERS_BEYOND


def learnt_counts(voices: Iterable[Iterable[Iterable[Count]]]) -> dict[tuple[float, str], list[Count]]:
    """What independent voices count alike, with all they say of it, in each class that they name; by number and class.

    `voices` gives for each voice the counts of each of its statements.
    """
    heard: dict[float, list[tuple[int, Count]]] = {}
    for number, voice in enumerate(voices):
        for statement in voice:
            for count in statement:
                heard.setdefault(count.low, []).append((number, count))
    found: dict[tuple[float, str], list[Count]] = {}
    for low, told in heard.items():
        if len({number for number, _ in told}) < 2:
            continue
        for number, count in told:
            if (low, count.kind) in found:
                continue
            alike = [count, *(other for n, other in told if n != number and agree(count, other))]
            if len(alike) > 1:
                found[low, count.kind] = _in_each_class(alike)
    return found


def _in_each_class(alike: Sequence[Count]) -> list[Count]:
    fate = next((count.fate for count in alike if count.fate), "")
    told = frozenset[str]().union(*(count.told for count in alike))
    fates = frozenset(count.fate for count in alike if count.fate)
    first = {count.kind: count for count in reversed(alike)}
    return [
        replace(count, fate=count.fate or fate, told=told, learnt=True, whole=False, fates=fates)
        for count in first.values()
    ]
