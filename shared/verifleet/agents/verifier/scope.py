"""Scope: whether what a statement says reaches a claim at all, or is of some only, of another thing, or of today.

Applied to what has been found, so that a figure of those in intensive care is not held against all who were hurt, an
open tunnel not against a bridge that is to be closed, and a road that is closed does not bear out plans for a school.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.arithmetic import sums
from verifleet.agents.verifier.counts import Count
from verifleet.agents.verifier.finding import Finding
from verifleet.agents.verifier.memory import Report, Statement

_GRAVE = caseless(
    r"\b(?:intensive care|intensive therapy|icus?|itu|(?:critically|seriously|gravely|severely)\b(?! damaged)"
    r"|(?:critical|serious|grave|severe|stable|guarded)(?: but stable)? (?:conditions?|states?|cases?|patients?"
    r"|injur\w+|wounds?|burns?)"
    r"|(?:in|are|is|as|being|remain|\d|of whom|them) (?:critical|serious)\b"
    r"(?! \w*(?:storm|flood|fire|crash|quake|inciden|acciden))"
    r"|life[- ]threatening|ventilat\w+|life support|in surgery|operating theatre|operated on|on oxygen|on drips?"
    r"|in (?:a )?coma|high[- ]dependency|transplant\w*|airlifted|air ambulance|helicoptered|flown out|discharged"
    r"|(?:still|remain\w*) in (?:the )?hospital|for observation)\b|\A ?critical\b",
)
_LIMITED = caseless(
    r"\b(?:only|just|merely|no more than|not more than|fewer|less than|the (?:rest|others)|exaggerat\w*|inflat\w*"
    r"|(?:real|true|actual) (?:figure|number|toll|count)|lies?|lying|fake\w*|nonsense|not \d+|all that|in total"
    r"|overall"
    r"|total(?:s|led)?)\b",
)
"""What says of a number that there are no more, so that it is not of some of them."""
MAX_NAME = 4
"""Words of a name in front of the thing that it names."""
REACH = 110
"""Characters around a number within which a word says of which of them it is."""

_PLANNED = caseless(
    r"\b(?:will|won['’]t|shall|(?:is|are|am|['’]re|['’]s) (?:all )?(?:going|about|due|set|supposed|likely|planning) to"
    r"|gonna|(?:is|are) to (?:be|stay|remain|close|shut)"
    r"|to be (?:closed|shut|cut|suspended|cancel+ed|moved|locked|sealed)"
    r"|plan\w* to"
    r"|(?:from|until|till|through) (?:tomorrow|tonight|next|mon|tues|wednes|thurs|fri|satur|sun)\w*"
    r"|for (?:the )?(?:next )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|couple of|few)"
    r" (?:more )?(?:nights?|days?|weeks?|months?))\b"
    r"|['’]ll\b",
)
_STOPS = caseless(
    r"\b(?:close[sd]?|closing|closures?|shut\w*|suspend\w*|suspension|cut|block\w*|lock(?:ed|ing|s)?|cancel\w*|halt\w*|stop\w*|seal\w*"
    r"|off limits"
    r"|no (?:classes|lessons|school|trains?|buses|flights|service))\b",
)
_DENIES = caseless(
    r"\b(?:no (?:plans?|intention|decision|need|reason)|not? (?:going|planned|be(?:ing)?|closing|shutting|true)|untrue"
    r"|false|rumou?rs?|nonsense|fake|incorrect|wrong|won['’]t|will not|contrary|as (?:usual|normal|planned|scheduled)"
    r"|normal(?:ly)?)\b",
)

_FAMILIES = (
    "bridge bridges overpass flyover viaduct footbridge",
    "road roads street streets highway highways motorway freeway expressway avenue lane route boulevard carriageway",
    "railway railways rail train trains metro subway tram trams line lines track tracks station stop",
    "school schools class classes lesson lessons kindergarten kindergartens nursery nurseries college colleges pupils"
    " university universities campus madrasa",
    "tunnel tunnels underpass underpasses subway",
    "airport airports runway flight flights airfield airspace departures arrivals planes",
    "port ports harbour harbor ferry ferries pier quay crossing crossings sailing sailings",
    "market markets shop shops mall malls store stores supermarket bazaar stalls bakery bakeries cafe cafes pub pubs"
    " bar bars restaurant restaurants pharmacy pharmacies",
    "hospital hospitals clinic clinics ward surgery",
    "border crossing checkpoint",
    "bus buses depot coach",
    "beach beaches lake seafront promenade",
    "factory plant refinery mill works",
    "museum library theatre cinema zoo park stadium pool",
    "church mosque temple cathedral",
    "curfew lockdown",
    "office offices court courts bank banks",
)
_FAMILY: dict[str, frozenset[int]] = {}
for _number, _listed in enumerate(_FAMILIES):
    for _word in _listed.split():
        _FAMILY[_word] = _FAMILY.get(_word, frozenset()) | {_number}
_WORD = re.compile(r"[a-z]+")
_ORDERS = caseless(
    r"\b(curfew|lock-?downs?|quarantine|warnings?|watch|advisor(?:y|ies)|alerts?|boil|evacuation|evacuate|cordons?"
    r"|shelter[- ]in[- ]place|exclusion zone|(?:smoking|fishing|travel|traffic) ban)\b",
)
_KIN = {"watch": "warning", "advisory": "warning", "advisorie": "warning", "alert": "warning", "evacuate": "evacuation"}


def reaches(finding: Finding, claim: Statement, own: Report, statement: Statement) -> bool:
    """Whether a finding that supports or refutes a claim is about what the claim is about."""
    if own.official or finding.stance == "neutral":
        return True
    if finding.figure:
        slot = finding.figure[0] != "#" and not any(count.kind == "animal" for count in statement.counts)
        return finding.stance == "supports" or not (slot and _of_other_animals(claim, statement.text[:400]))
    mine, theirs = claim.text[:400], statement.text[:400]
    planned = is_planned(mine)
    if finding.stance == "supports" and (not planned or finding.place):
        return True
    places = frozenset(word for place in own.places for word in place.split())
    if finding.stance == "supports":
        told = _things(theirs)
        one = not told.isdisjoint(_subject(mine)) and not _others(mine, theirs, places)
        return one or (not told and is_planned(theirs))
    if _of_other_animals(claim, theirs) or _only_at(claim, own, theirs):
        return False
    orders, others = _orders(mine), _orders(theirs)
    if orders and others and orders.isdisjoint(others):
        return False
    if not _STOPS.search(mine):
        return True
    if _others(mine, theirs, places):
        return False
    subject, told = _subject(mine), _things(theirs)
    if not subject:
        return True
    if told:
        now = not planned or (_AIRPORT.search(mine) is not None and _TO_COME.search(mine) is None)
        ahead = now or statement.denial or statement.negative or _AHEAD.search(theirs) is not None
        return not subject.isdisjoint(told) and ahead and (not planned or _FIGURES.search(theirs) is None)
    return not planned or statement.denial or statement.negative or _DENIES.search(theirs) is not None


def _of_other_animals(claim: Statement, theirs: str) -> bool:
    """Whether a claim counts animals, and what is held against it names neither those nor animals."""
    if any(count.kind != "animal" for count in claim.counts):
        return False
    counted = [count.noun for count in claim.counts]
    told = theirs.lower()
    return bool(counted) and "animal" not in told and not any(noun and noun[:4] in told for noun in counted)


_ONLY_AT = caseless(
    r"\b(?:no|reports? of|rumou?rs? of|claims? of|talk of) (?:[a-z]+ ){1,2}"
    r"(?:at(?! risk\b| least\b| present\b)|in|near|inside) ((?:[\w'’-]+ ?){1,5})",
)


def _only_at(claim: Statement, own: Report, theirs: str) -> bool:
    """Whether something is denied at one place only, and a claim names another: no fire at the depot."""
    named = {word for name in claim.site.names for word in name.words} if claim.site else set()
    if not named:
        return False
    denied = _ONLY_AT.search(theirs)
    if denied is None or denied[1].lower().startswith(("any", "all", "either", "this", "that")):
        return False
    there = {word.lower() for word in _TOKEN.findall(denied[1])} - _NO_NAME
    there -= {word for place in own.places for word in place.split()}
    said = {word.lower() for word in _TOKEN.findall(claim.text)}
    return bool(there) and there.isdisjoint(said)


_AHEAD = caseless(
    rf"{_DENIES.pattern}|\b(?:remain\w*|stay\w*|continu\w*|keeps?|kept|will|throughout|never|usual|fully|all|both|lifted|over)\b",
)
"""What tells of more than the state of now, so that it speaks of plans as well."""
_AIRPORT = caseless(r"\b(?:airport|airfield|runway)\b")
"""What there is one of, so that it is not shut till Sunday where planes land now."""
_TO_COME = caseless(
    r"\b(?:will|won['’]t|shall|going to|gonna|to be"
    r"|plans|planned|planning|from (?:tomorrow|tonight|\w+day))\b|['’]ll\b",
)
_FIGURES = caseless(r"\b\d+ (?:people|patients|persons|casualties|injured|dead)\b")


@lru_cache(maxsize=2048)
def is_planned(text: str) -> bool:
    """Whether a text says that something is to be closed or stopped, or for how long it will be."""
    return _STOPS.search(text) is not None and _PLANNED.search(text) is not None


_TOKEN = re.compile(r"[\w'’-]+")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b")
"""A time of day, which names no flight and no train."""
_NO_NAME = frozenset(
    "the a all main this our every some high no county state north south east west and they we in at on city my".split()
)


def _others(mine: str, theirs: str, places: frozenset[str]) -> bool:
    """Whether two texts name things of one kind, and none in common: Carter Bridge, Third Mainland Bridge."""
    one, other = _called(mine), _called(theirs)
    kinds = one.keys() & other.keys() & _subject(mine)
    told = [(one[kind] - places, other[kind] - places) for kind in kinds]
    return bool(told) and all(a and b and a.isdisjoint(b) for a, b in told)


@lru_cache(maxsize=1024)
def _called(text: str) -> dict[int, frozenset[str]]:
    """The names of things in a text, as words, by kind of thing: of "Carter Bridge", of "Highway 44"."""
    found: dict[int, frozenset[str]] = {}
    tokens = _TOKEN.findall(_CLOCK.sub(" ", text))
    for at, token in enumerate(tokens):
        behind = tokens[at + 1] if at + 1 < len(tokens) else ""
        if token.lower() not in _FAMILY or behind.lower() in _FAMILY:
            continue
        first = at - 1 if at and tokens[at - 1][0].islower() else at  # "the Keswick dam road"
        while first > 0 and at - first < MAX_NAME and _name_like(tokens[first - 1]):
            first -= 1
        words = {word.lower() for word in tokens[first:at] if _name_like(word)}
        if behind[:1].isdigit():
            words.add(behind.lower())
        named = words - _NO_NAME - _FAMILY.keys()
        for kind in _FAMILY[token.lower()] if named else ():
            found[kind] = found.get(kind, frozenset()) | named
    return found


def _name_like(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


@lru_cache(maxsize=1024)
def _subject(text: str) -> frozenset[int]:
    """The kinds of thing that a text speaks of first: of "the school near Station Road" it is the school."""
    found: frozenset[int] = frozenset()
    for word in _WORD.findall(text.lower()):
        kinds = _FAMILY.get(word)
        if kinds:
            found = kinds  # of "highway bridge" it is the bridge
        elif found:
            break
    return found


@lru_cache(maxsize=1024)
def _things(text: str) -> frozenset[int]:
    return frozenset[int]().union(*(_FAMILY.get(word, frozenset()) for word in _WORD.findall(text.lower())))


def _orders(text: str) -> frozenset[str]:
    found = (re.sub(r"[ -]", "", match[1].lower()).rstrip("s") for match in _ORDERS.finditer(text))
    return frozenset(_KIN.get(word, word) for word in found)


def of_some(text: str, number: str, value: float, counts: Sequence[Count]) -> bool:
    """Whether a number in a text is of those who are worst off, or have left: of some, when others give them all.

    What several reports count alike is the number that everybody means, unless a greater one stands beside it.
    """
    if any(c.learnt and c.low == value for c in counts) and not any(c.low > value for c in counts):
        return False
    spelt = f"|{_SPELT[int(value)]}" if value < len(_SPELT) else ""
    at = re.search(rf"(?<![\w.,])(?:{re.escape(number.strip())}{spelt})(?!\w)", text, re.IGNORECASE)
    if at is None:
        return False
    first, last = at.span()
    before = _CLAUSE.split(text[max(0, first - REACH) : first])[-1]
    behind = _NEXT.split(text[last : last + REACH], 1)[0]
    return _GRAVE.search(before) is not None or _GRAVE.search(behind) is not None


_SPELT = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
_CLAUSE = re.compile(r"[.,;:!?]|\band\b")
_NEXT = re.compile(r"[.;:!?]|, \d|\band \d")


def may_be_some(claim: Statement, own: Report) -> bool:
    """Whether a lower figure in a post may be of some of those whom others count: nothing says that it is of all."""
    return own.credibility in {"social", "other"} and _LIMITED.search(claim.text) is None


def adds_up(text: str) -> bool:
    """Whether a text gives the parts of what it counts: it tells of those, one by one."""
    return any(made.adds_up for made in sums(text))
