"""Status: whether what is said to be in force or cut off holds, or has ended.

An order, a warning, a closure or a power cut holds until somebody ends it, and "the evacuation order has been lifted"
shares nearly all its words with "the evacuation order is in effect". Two statements are compared only where they speak
of one thing; which of them counts is then a matter of who said it, and when.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.wording import concepts

Phase = Literal["holds", "ends", ""]

_ORDER = (
    r"(?:orders?|warnings?|watch(?:es)?|advisor(?:y|ies)|alerts?|(?<!further )notices?|bans?|curfews?"
    r"|lock ?downs?|lock-downs?|restrictions?|quarantines?|state of (?:emergency|disaster)|shelter[- ]in[- ]place"
    r"|evacuations?|prohibitions?|suspensions?|closures?|exclusion zones?|no-fly zones?|cordons?|emergency declaration)"
)
_ENDED = (
    r"(?:lifted|cancel+ed|withdrawn|rescinded|revoked|expired|ended|ends|removed|dropped|terminated|discontinued"
    r"|called off"
    r"|cleared|stood down|repealed|annulled|deactivated|retracted|concluded|(?:is|are|was|were|now) (?:all )?over"
    r"|downgraded|no longer (?:in (?:effect|force|place)|active|valid|needed|required|necessary|appl(?:y|ies)|stands?))"
)
_NOT_YET = (
    r"(?:not|n['’]t|never|until|till|when|if|will|to be|before|once|unless|may|could|might|should|expected|would"
    r"|due|because"
    r"|after|partial\w*|partly|except|despite|amid|won['’]t|cannot)"
)
_GAP = rf"(?:(?!\b{_NOT_YET}\b)[^.;:!?\n]){{0,90}}?"
_PASSIVE = caseless(rf"\b{_ORDER}\b{_GAP}\b{_ENDED}\b(?! (?:tomorrow|later))")
_ACTIVE = caseless(
    r"\b(?:lift(?:s|ed)?|cancel(?:s|led|ed)?|withdr(?:aws|ew)|rescind(?:s|ed)?|revoke[sd]?|end(?:s|ed)|remove[sd]"
    r"|drop(?:s|ped)|terminate[sd]|call(?:s|ed) off|discontinue[sd]|annul(?:s|led)"
    r"|end of|cancellation of|lifting of)\s+"
    rf"(?:(?!{_NOT_YET}\b|over\b|under\b|by\b|following\b|for\b|and\b)[\w'’-]+\s+){{0,5}}?{_ORDER}\b",
)
_LABEL = caseless(
    r"^\W*(?:cancel+ed|cancellation|cancel|lifted|ended|withdrawn|expired|rescinded|all[- ]clear)"
    r"\s*[:–—-]+\s*",
)
_ALL_CLEAR = caseless(
    r"\ball[- ]clear\b|\b(?:may|can|allowed to|able to|free to|permitted to|safe to|okay to|clear to)"
    r" (?:now |safely |all )?"
    r"(?:re-?enter|return|go (?:back )?home|leave (?:their|your) (?:homes?|shelters?))\b"
    r"|\b(?:no longer (?:need|have) to|(?:can|may) stop) (?:\w+ ){0,2}?(?:boil\w*|evacuate|shelter\w*|stay\w*)\b"
    r"|\bsafe to drink (?:again|without boiling)\b",
)
_WAITING = caseless(
    r"\b(?:no|not|n['’]t|until|till|await\w*|wait(?:ing)? (?:for|until)|before|when|without|once|if|unless|cannot)\b",
)
_UNTIL = caseless(r"\b(?:until|till|before|once|unless|after|when)\b")
_NOT_NOW = caseless(rf"\b{_NOT_YET}\b")
_HELD_ON = caseless(rf"\b{_ORDER}\b.{{0,90}}\b(?:not|never)\b.{{0,30}}\b{_ENDED}\b")
_HOLDS = caseless(rf"\b{_ORDER}\b")
_FORBIDS = caseless(r"\W*do[ -]not[ -]")
_DENIED = caseless(r"\b(?:no|not|never|without|nor)\b(?!-)|n['’]t\b")
_TOLD_TO = caseless(
    r"\b(?:told|ordered|asked|urged|instructed|advised|must|have to|need to) (?:to )?(?:immediately |now )?"
    r"(?:evacuate|leave|boil|shelter|stay (?:inside|indoors|home))\b",
)
_SUPPLY = (
    r"(?:power|electricity|water supply|water supplies|running water|gas supply|phone service|mobile service|internet)"
)
_CUT = caseless(
    rf"\b(?:blackouts?|(?:power|water|gas|phone|internet) (?:cuts?|outages?|failure)|outages?"
    rf"|(?:without|no|lost|losing) {_SUPPLY}"
    rf"|{_SUPPLY} (?:is |are |was |has been |still |all )*(?:out|off|down|cut(?: off)?))\b",
)
_RESTORED = caseless(
    rf"\b(?:{_SUPPLY}\b[^.;:!?\n]{{0,60}}?\b(?:restored|(?:back|come|came) (?:back )?on|is back|are back|reconnected)"
    rf"|restored? (?:the )?{_SUPPLY}"
    r"|suppl(?:y|ies)\b[^.;:!?\n]{0,60}?\b(?:fully|completely|entirely) (?:restored|back)"
    rf"|(?:blackout|outage|power cut)s?\b{_GAP}\b(?:over|ended|resolved|fixed|repaired))\b",
)
_REFUGE = r"(?:shelters?|(?:evacuation|reception|rest|relief|warming|cooling|assistance) (?:centres?|centers?|points?))"
_REFUGE_SHUT = caseless(rf"\b{_REFUGE}\b{_GAP}\b(?:closed|shut|closes|stood down|no longer open)\b")
_REFUGE_OPEN = caseless(
    rf"\b{_REFUGE}\b{_GAP}\b(?:open(?:ed|s)?|available|set up)\b"
    rf"|\bopen\w* (?:an? |the )?(?:\w+ ){{0,2}}{_REFUGE}\b",
)
_STOPPED = caseless(r"\b(?:suspension|closure)s?\b")
_FREED = caseless(
    r"\b(?:re-?open(?:s|ed)?|open(?:ed)?(?: \w+){0,3} again|back open|passable again|clear(?:ed)? again|resumed"
    r"|(?:running|operating|back in service) again|back in (?:service|operation))\b",
)
_BLOCKED = caseless(
    r"\b(?:closed|shut|blocked|suspended|halted|impassable|not running|at a standstill"
    r"|out of service|cancel+ed)\b",
)
_NONE_RUN = caseless(
    r"\bno (?:\w+ ){0,2}?(?:trains?|trams?|bus(?:es)?|flights?|ferr(?:y|ies)|services?) (?:is |are )"
    r"(?:now |currently )?(?:running|operating|sailing|flying|departing)\b"
)
_CAUSE = caseless(r"\b(?:because of|due to|on account of|owing to|thanks to|as a result of|caused by)\b[^,.;:!?\n]*")
"""Why a way is closed makes it no other's: a market and a school may be shut by one haze."""
_ZONE = caseless(r"\b(?:zone|district|sector|ward|section|level|stage)s? ([a-z]|\d{1,3}[a-z]?)\b")
_GRADES = ("watch", "warning", "advisory")
_RETURN = caseless(r"\b(?:return|go (?:back )?home|re-?enter)\b")
_NO_MATTER = concepts(
    "order orders warning warnings watch advisory advisories alert notice ban lifted cancelled canceled withdrawn lift "
    "cancel rescinded revoked expired ended removed effect force place issued remains remain current active extended "
    "declared imposed mandatory immediate voluntary precautionary clear longer required needed return homes status "
    "restored restore reopened open closed back again both ways way under over noon midday full fully all standing "
    "still halt close suspension closure suspended "
    "restriction until further terminated discontinued dropped called off going home now customers inside cover take"
) | concepts("indoors keep supply supplies service safe boiling everywhere anywhere blocked out down lost traffic stay")
"""Words that only tell in what state a thing is."""


@dataclass(frozen=True, slots=True)
class Status:
    """A thing that holds or has ended, and by which marks two of them are told to be one.

    `marks`: its kind ("#order", "#supply", "#refuge", "#way"), what it is of as words, its zone and grade.
    """

    phase: Phase
    marks: frozenset[str]


@lru_cache(maxsize=1024)
def status_of(text: str) -> Status | None:
    """The status that a statement gives; None where it gives none, or denies that there is one."""
    text = text[:600]
    label = _LABEL.match(text)
    if label:
        return Status("ends", _marks("#order", text[label.end() :]))
    order = _HOLDS.search(text)
    return _end_of_order(text, ordered=order is not None) or _supply(text) or _held(text, order)


def _end_of_order(text: str, *, ordered: bool) -> Status | None:
    if ordered and _HELD_ON.search(text):
        return Status("holds", _marks("#order", text))
    cleared = _ALL_CLEAR.search(text)
    freed = cleared is not None and not _WAITING.search(text, 0, cleared.start())
    if freed or (ordered and (_ended(text) or _ended_actively(text))):
        return Status("ends", _marks("#order", text))
    return None


def _supply(text: str) -> Status | None:
    """The status of a shelter, or of power, water and lines."""
    lowered = text.lower()
    if any(word in lowered for word in _REFUGES):
        if _REFUGE_SHUT.search(text):
            return Status("ends", _marks("#refuge", text))
        if _REFUGE_OPEN.search(text):
            return Status("holds", _marks("#refuge", text))
    if any(word in lowered for word in _SUPPLIES):
        restored = _RESTORED.search(text)
        if restored:
            waiting = _NOT_NOW.search(text, 0, restored.end())
            return None if waiting else Status("ends", _marks("#supply", text))
        if _CUT.search(text):
            return Status("holds", _marks("#supply", text))
    return None


_REFUGES = ("shelter", "cent", "point")
_SUPPLIES = ("power", "electric", "water", "gas", "phone", "mobile", "internet", "blackout", "outage", "suppl")
"""One of these is in all that the patterns of shelters and supplies find; looking for them first is cheap."""


def _held(text: str, order: re.Match[str] | None) -> Status | None:
    """What is in force, closed or free again."""
    if order or _TOLD_TO.search(text):
        denied = _DENIED.search(text, 0, order.start() if order else len(text)) and not _FORBIDS.match(text)
        return None if denied else Status("holds", _marks("#order", text))
    freed_way = _FREED.search(text)
    if freed_way:
        return None if _WAITING.search(text, 0, freed_way.start()) else Status("ends", _marks("#way", text))
    if _NONE_RUN.search(text):
        return Status("holds", _marks("#way", text))
    return Status("holds", _marks("#way", text)) if _BLOCKED.search(text) and not _DENIED.search(text) else None


def one_thing(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statuses, by their marks, are of one thing: "the warning" may be any, "the flood warning" is not."""
    kind = one & _KINDS
    if kind != other & _KINDS:
        return False
    for prefix in ("zone:", "grade:"):
        its, others = ({mark for mark in marks if mark.startswith(prefix)} for marks in (one, other))
        if its and others and its.isdisjoint(others):
            return False
    mine, theirs = _words(one), _words(other)
    if mine and theirs:
        return not mine.isdisjoint(theirs)
    return "#way" not in kind


def other_hours(claim: str, statement: str) -> bool:
    """Whether a claim gives an hour that a statement, which gives some too, does not: a curfew from six, not eight."""
    mine, theirs = _hours(claim), _hours(statement)
    return bool(mine and theirs) and not all(any(_near(hour, other) for other in theirs) for hour in mine)


def _near(hour: int, other: int) -> bool:
    apart = abs(hour - other) % (24 * 60)
    return min(apart, 24 * 60 - apart) <= SAME_HOUR_WITHIN


@lru_cache(maxsize=1024)
def _hours(text: str) -> frozenset[int]:
    """The times of day from or until which a text says that something is so, in minutes: "8 pm" is "20:00"."""
    found = set()
    for match in _TIME.finditer(". ".join(part for part in _CLAUSE.split(text[:600]) if _TIMED.search(part))):
        hour, minute = int(match["hour"] or match["hour24"]), int(match["minute"] or match["minute24"] or 0)
        half = (match["half"] or "").lower()
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour < 24 and minute < 60:
            found.add(hour * 60 + minute)
    return frozenset(found)


_CLAUSE = re.compile(r"[,;!?\n]|\.\s")
_TIMED = caseless(
    r"\b(?:from|until|till|to|starts?|starting|begins?|beginning|between|lifted|end(?:s|ed)|cancel+ed|effect|force"
    r"|as of|since|reopen\w*|open\w*|closed?|closes|closing|resum\w*|restored|extended|curfew)\b",
)
"""Beside a time of day that is one of the thing spoken of; "home at 15:30" is none."""
SAME_HOUR_WITHIN = 15
"""Minutes by which two tellings of one hour may differ."""
_TIME = re.compile(
    r"(?<![\d:.,])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d)(?!\d))?\s?(?P<half>[ap])\.?m\b|(?<![\d:.,])"
    r"(?P<hour24>\d{1,2}):(?P<minute24>\d\d)(?![\d:])",
    re.IGNORECASE,
)
_KINDS = frozenset({"#order", "#refuge", "#supply", "#way"})


def _words(marks: frozenset[str]) -> frozenset[str]:
    return frozenset(mark for mark in marks if mark[0] != "#" and ":" not in mark)


def _ended(text: str) -> bool:
    match = _PASSIVE.search(text)
    return match is not None and not _UNTIL.search(text, 0, match.start())


def _ended_actively(text: str) -> bool:
    match = _ACTIVE.search(text)
    return match is not None and not _WAITING.search(text, max(0, match.start() - 30), match.start())


def _marks(kind: str, text: str) -> frozenset[str]:
    lowered = text.lower()
    if "downgraded" in lowered:
        lowered = lowered.partition("downgraded")[0]  # "to a watch" is what holds now
    if kind == "#order" and _STOPPED.search(text):
        kind = "#way"
    marks = {kind, *(concepts(_CAUSE.sub(" ", text) if kind == "#way" else text) - _NO_MATTER)}
    marks |= {f"zone:{match[1].lower()}" for match in _ZONE.finditer(text)}
    marks |= {f"grade:{grade}" for grade in _GRADES if re.search(rf"\b{grade}", lowered)}
    if kind == "#order" and _RETURN.search(text):
        marks.add("evacuated")
    return frozenset(marks)
