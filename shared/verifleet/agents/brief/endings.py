"""What was in force and is over: facts that an authority has ended since are told with what ended them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from verifleet.agents.brief.fact import Fact
from verifleet.agents.numbers import numbers_in, word_at
from verifleet.agents.verifier.status import one_thing, other_hours
from verifleet.agents.verifier.wording import concepts

MAX_ENDED = 3
_SAID = r"(?:[^:.;!?]{0,60}:\s+)?"
_INSTRUCTION = re.compile(
    rf"(?i)\A\W*{_SAID}(?:please |immediately |if you (?:are|live) [^,.]{{0,60}}, |all residents (?:should|must) )*"
    r"(?:evacuate|leave|move (?:up|to|away|inland)|go to|get to|stay|remain|shelter|boil|do not|don['’]t|avoid|keep"
    r"|close|seek|head)\b",
)
_ALARM = re.compile(
    r"(?i)\b(?:threat|evacuat(?:ed|ing)|evacuation|lock-? ?down|(?:security|bomb) (?:alert|scare)"
    r"|suspicious (?:\w+ )?(?:package|device|item|bag|object|vehicle|parcel))\b",
)
_CLEARED = re.compile(
    r"(?i)\ball[- ]clear\b|\bfalse alarm\b|\bnothing suspicious\b|\bno (?:\w+ )?(?:device|bomb|threat|explosives?)"
    r" (?:was |were |has been |have been )?(?:found|discovered|located)\b|\bturned out to be harmless\b",
)
_SEARCH, _FIRE = r"\bsearch(?:es)?\b[^.;!?]{0,60}", r"\b(?:fires?|blazes?|wildfires?)\b[^.;!?]{0,60}"
_OVERCOME = (
    (_ALARM, _CLEARED),
    (
        re.compile(rf"(?i){_SEARCH}\b(?:continu\w*|under ?way|ongoing|resum\w*|going on)\b|\bstill searching\b"),
        re.compile(
            rf"(?i){_SEARCH}\b(?:ended|over|completed?|concluded|called off|stood down)\b|\baccounted for\b"
            r"|\bthe last (?:of the )?(?:\w+ )?missing\b"
        ),
    ),
    (
        re.compile(rf"(?i){_FIRE}\b(?:burning|spreading|out of control|raging)\b"),
        re.compile(rf"(?i){_FIRE}(?<!not )(?<!not yet )\b(?:is out|are out|put out|under control|extinguished)\b"),
    ),
    (
        re.compile(r"(?i)\bevacuation\b[^.;!?]{0,40}\b(?:in progress|under ?way|ongoing|continu\w*|begun|started)\b"),
        re.compile(
            r"(?i)\bevacuation\b[^.;!?]{0,40}\b(?:complete\w*|finished|concluded)\b"
            r"|\b(?:everyone|everybody|all)\b[^.;!?]{0,40}\b(?:ashore|evacuated|brought (?:out|to safety))\b"
        ),
    ),
    (
        re.compile(r"(?i)\bhostages?\b(?![^.;!?]{0,40}\b(?:freed|released|rescued)\b)"),
        re.compile(r"(?i)\b(?:the|all|last)\b[^.;!?]{0,20}\bhostages?\b[^.;!?]{0,30}\b(?:freed|released|rescued)\b"),
    ),
    (
        re.compile(r"(?i)\b(?:at large|on the (?:run|loose)|manhunt|being sought)\b"),
        re.compile(
            r"(?i)(?<!not )(?<!not been )\b(?:arrested|in custody|caught|captured|detained|apprehended|shot dead)\b"
        ),
    ),
)
"""What goes on, and what tells that it does no longer."""
_NO_ALARM = re.compile(
    r"(?i)\b(?:no|not (?:a|any)|never any|without(?: any)?) (?:\w+ ){0,3}?(?:threat|danger|risk|hazard|warnings?"
    r"|alerts?|advisory|advisories|need to)\b",
)
_VOID = re.compile(
    r"(?i)\b(?:previous|earlier|last|preceding) (?:\w+ )?(?:bulletin|message|statement|notice|advice|advisory|release)"
    r"(?:s)? (?:is|are|was|were|has been|have been) (?:now |hereby )?(?:void|invalid|withdrawn|cancel+ed|superseded"
    r"|replaced|retracted|no longer valid)\b",
)
_CUES = {
    "instructs": _INSTRUCTION,
    "calm": _NO_ALARM,
    "voids": _VOID,
    "corrects": re.compile(r"(?i)\bcorrect(?:ion|ed|ing)\b"),
    "prolongs": re.compile(r"(?i)\b(?:extended|prolonged|brought forward|now|instead|changed)\b"),
}
_COUNTED = frozenset({"without_power|", "without_water|"})
_COMMON = concepts("threat danger risk hazard warning alert advisory issued coast area")


def without_ended(facts: Sequence[Fact], home: frozenset[str]) -> list[Fact]:
    """Facts without what an authority has since ended and names there, and without cancelled ones.

    What nobody confirmed while it was in force is no fact afterwards; what is refuted stays so.
    """
    stated = [fact for fact in facts if fact.official and fact.verdict == "supported"]
    ends = [fact for fact in stated if fact.phase == "ends"]
    over = {id(fact): end for fact in facts for end in ends if _has_ended(fact, end, home)}
    for fact in (fact for fact in facts if fact.official and fact.verdict != "refuted"):
        end = over.get(id(fact)) or _overtaken(fact, stated, over, home)
        if end is not None:
            over[id(fact)] = end
    ended: dict[int, list[str]] = {}
    corrected: dict[int, list[str]] = {}
    for fact in facts:
        end = over.get(id(fact))
        if end is not None and fact.verdict == "supported":
            (corrected if _corrects(end, fact, home) else ended).setdefault(id(end), []).append(fact.text)
            for other in facts:
                if other is not fact and other.text.startswith(fact.text):  # told in one sentence with it
                    ended.setdefault(id(other), []).append(fact.text)
    return [
        replace(
            fact,
            ended=tuple(ended.get(id(fact), ())[:MAX_ENDED]),
            corrected=tuple(corrected.get(id(fact), ())[:MAX_ENDED]),
        )
        for fact in facts
        if not fact.over and (id(fact) not in over or fact.verdict == "refuted")
    ]


def _has_ended(fact: Fact, end: Fact, home: frozenset[str]) -> bool:
    if fact.phase != "holds" or fact.since >= end.since or not _COUNTED.isdisjoint(fact.figures):
        return False  # how many are cut off is compared as a figure
    return one_thing(fact.marks - home, end.marks - home) and not _of_others_too(fact, end)


def _of_others_too(fact: Fact, end: Fact) -> bool:
    """Whether a fact names several places and what ends it one of those: an order for two zones, lifted in one."""
    listed = [re.findall(r"[\w'’-]+", match[0]) for match in _LISTED.finditer(fact.text)]
    told = set(re.findall(r"[\w'’-]+", end.text))
    return any(names and not told.issuperset(names) and not told.isdisjoint(names) for names in map(_capitals, listed))


def _capitals(words: Sequence[str]) -> list[str]:
    return [word for word in words if word[0].isupper() or word[0].isdigit()]


_NAME = r"(?:[A-Z][\w'’-]*|\d+)"
_LISTED = re.compile(rf"(?<!between )(?<!\w){_NAME}(?:, (?:the )?{_NAME})*,? (?:and|or|&) (?:the )?{_NAME}")


def _overtaken(fact: Fact, stated: Sequence[Fact], over: dict[int, Fact], home: frozenset[str]) -> Fact | None:
    """The later statement of the same authority after which this one holds no longer."""
    later = [end for end in stated if end.author == fact.author and end.since > fact.since]
    corrected = next((end for end in later if "corrects" in _cues(end.text) and _corrects(end, fact, home)), None)
    if corrected or not later or fact.figures:
        return corrected
    if fact.phase == "ends":
        return next((again for again in later if again.phase == "holds" and _holds_again(again, fact, home)), None)
    cues = _cues(fact.text)
    calm = "calm" in cues
    going_on = frozenset() if calm else frozenset(f"-{cue}" for cue in cues)
    about = _told_with(fact, stated) - home if going_on else frozenset()
    for end in later:
        ends = _cues(end.text)
        over_now = (
            (end.phase == "ends" and "instructs" in cues and _takes_back(fact, end, stated, over, home))
            or (end.phase == "holds" and "prolongs" in ends and _extends(end, fact, home))
            or (not going_on.isdisjoint(ends) and _is_about(end, about, home))
            or (calm and end.phase == "holds" and (_words(fact.text) & _words(end.text)) - home - _COMMON)
            or ("voids" in ends and not _between(fact, end, stated))
        )
        if over_now:
            return end
    return None


_words = lru_cache(maxsize=2048)(concepts)


@lru_cache(maxsize=2048)
def _cues(text: str) -> frozenset[str]:
    """What a text may do to others or have done to it; "0" that the first of what is overcome goes on, "-0" its end."""
    found = {name for name, pattern in _CUES.items() if pattern.search(text)}
    for number, (goes_on, over_by) in enumerate(_OVERCOME):
        found |= {f"{number}"} if goes_on.search(text) else set()
        found |= {f"-{number}"} if over_by.search(text) else set()
    return frozenset(found)


def _told_with(fact: Fact, stated: Sequence[Fact]) -> frozenset[str]:
    """The words of a fact and of those that came in one report with it."""
    together = (other for other in stated if other.reports & fact.reports)
    return _words(fact.text).union(*(_words(other.text) for other in together))


def _takes_back(fact: Fact, end: Fact, stated: Sequence[Fact], over: Mapping[int, Fact], home: frozenset[str]) -> bool:
    return _of_ended(fact, stated, over) or _lets_back(fact, end) or _lets_do(fact, end, home)


def _is_about(end: Fact, about: frozenset[str], home: frozenset[str]) -> bool:
    """Whether an end names nothing but the end, or something that the report before named, too."""
    named = _words(end.text) - home - _TELLING
    return not named or not named.isdisjoint(about)


_TELLING = concepts(
    "all clear false alarm search searches searched ended over complete completed concluded called off stood down dusk "
    "dawn noon midnight morning evening night afternoon found discovered located nothing suspicious device bomb threat "
    "explosive explosives everyone everybody people persons person accounted last missing alive safe dead ashore "
    "brought evacuated evacuation finished fire put out control extinguished blaze hostage hostages freed released "
    "rescued arrested custody caught captured detained man woman turned harmless given police officers unharmed "
    "suspect gunman attacker now today board aboard passengers crew"
)


def _holds_again(again: Fact, fact: Fact, home: frozenset[str]) -> bool:
    """Whether what had ended is in force again, by name."""
    named = {mark for mark in fact.marks & again.marks if mark[0] != "#" and ":" not in mark}
    return not named <= home and one_thing(fact.marks - home, again.marks - home)


def _corrects(end: Fact, fact: Fact, home: frozenset[str]) -> bool:
    """Whether a correction takes back a number of the fact and speaks of what that counts: "16 cars, not 14"."""
    if "corrects" not in _cues(end.text) or not fact.figures.keys().isdisjoint(end.figures):
        return False  # figures that the brief counts have a history
    tokens, numbers = numbers_in(end.text)
    taken_back = {n.low for n in numbers if word_at(tokens, n.first - 1) in _NOT and n.low > 0}
    if not taken_back or not (_words(fact.text) & _words(end.text)) - home:
        return False
    return not taken_back.isdisjoint(n.low for n in numbers_in(fact.text)[1])


_NOT = frozenset({"not", "than", "of"})
"""Before a number that another takes the place of: "not 14", "rather than 14", "instead of 14"."""


def _of_ended(fact: Fact, stated: Sequence[Fact], over: Mapping[int, Fact]) -> bool:
    """Whether an instruction came with a warning or an order, in one report, that has been ended."""
    with_it = [other for other in stated if other.phase == "holds" and other.reports & fact.reports]
    return bool(with_it) and all(id(other) in over for other in with_it)


def _lets_back(fact: Fact, end: Fact) -> bool:
    """Whether those told to leave may return, all of them."""
    if "evacuated" not in end.marks or not _LEAVE.search(fact.text):
        return False
    return not end.site or fact.site <= end.site


def _lets_do(fact: Fact, end: Fact, home: frozenset[str]) -> bool:
    """Whether what ends names what an instruction is of: "do not drink the water", "the water is safe to drink"."""
    return len((_words(fact.text) & _words(end.text)) - home - _COMMON) >= ENOUGH_WORDS


def _extends(end: Fact, fact: Fact, home: frozenset[str]) -> bool:
    """Whether one thing is in force for longer now, or from another hour: a curfew until nine, not until six."""
    return fact.phase == "holds" and one_thing(fact.marks - home, end.marks - home) and other_hours(end.text, fact.text)


ENOUGH_WORDS = 2
_LEAVE = re.compile(r"(?i)\b(?:evacuate|leave|move|go|get|head)\b")


def _between(fact: Fact, end: Fact, stated: Sequence[Fact]) -> bool:
    """Whether the authority said something else in between, which is then what it calls its last."""
    return any(o.author == fact.author and fact.since < o.since < end.since for o in stated)
