"""Contraries: states of one thing that cannot hold together, such as fled and present, cracked and sound.

An authority often denies a rumour without naming it: "the mayor has been at the operations centre since yesterday".
Both sides are read for where they stand on the questions that rumours are about (`contraries.json` beside this module);
a report speaks against a claim that stands on the other side of the same question about the same thing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Protocol

from verifleet.agents.caseless import caseless, lowered
from verifleet.agents.verifier import levels
from verifleet.agents.verifier.denial import denies_footage, is_denial, within_limit
from verifleet.agents.verifier.subjects import Subject, subject, tells
from verifleet.agents.verifier.wording import DEEDS, GENERIC, HAPPENINGS, VAGUE, body, concepts, stem, words

_NOT = r"\b(?:no|nae|not|never|none|nobody|nothing|neither|nor|without|cannot|nowhere|zero|free (?:of|from))\b|n['’]t\b"
_NEGATES = caseless(rf"(?:{_NOT})(?! (?:estimated|further details|later than|only|just|yet))")
_COUNTS = caseless(
    r"\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|dozens?|hundreds?"
    r"|thousands?)"
    r"\s+(?:[\w-]+\s+){0,4}?(?:dead|killed|died|injur\w+|hurt|wounded|missing|trapped|evacuat\w+|rescued|treated"
    r"|fatalit\w+|casualt\w+|without|bodies|deaths|patients|people|persons|homes|houses|customers|residents)\b",
)
_LONG_AGO = caseless(r"\b(?:(?:last|this|next) (?:year|month)|(?:years?|months?) ago)\b")
_NOT_BEFORE = caseless(
    rf"(?:{_NOT})(?:(?!\b(?:but|though|although|yet\b(?! to\b)|however|because|while"
    rf"|and (?:it|he|she|they|the|is|are|was|were|has|have))\b)[^.;:!?,]){{0,48}}$"
)
"""A negation whose clause reaches to the end of a text: not that of "it has not fallen and is standing"."""
_DOUBLED = caseless(r"\b(?:not (?:only|just)|no (?:longer|more)|until|unless|before)\b")
_FURTHER = caseless(
    r"\b(?:second|third|another|more|further|again|too|also|next|new|fresh|other|still|about to|going to|gonna|will"
    r"|coming|any (?:minute|moment|second|time)|moving|starting|keeps|now|soon|imminent|ready to"
    r"|cracking|might|could)\b",
)
_BESIDE = caseless(
    r"\b(?:next[- ]door|neighbou?ring|neighbou?r(?:'s|s)?|adjacent|adjoining|beside|next to|opposite"
    r"|across the (?:street|road)|behind it|nearby|other|second|twin|sister)\b",
)
_REMAINS = caseless(r"\b(?:the (?:rest|remainder)|remaining|what (?:is|was|remains) left)\b")
"""What is left of something when the rest of it is gone."""
_REFERS_BACK = caseless(
    r"^\W*(?:it|he|she|they|there|this|these|those|both|all|his|her|its|their)\b|\bthat (?:he|she|it|they)\b"
    r"|^\W*(?:no|neither|both|every|each)(?: of (?:it|them))? (?:part|section|stretch|lane|side|wing|direction)s?\b",
)


@dataclass(frozen=True, slots=True)
class _Question:
    """What can be so or not so of a thing.

    Attributes:
        alarm: the wordings of the side that rumours are on, for a text in lower case.
        calm: those of the other.
        of: the kinds of thing that both must name one of; empty for any thing that both name.
        one: the question is about one thing only, so that nobody need name it.
        hints: one of these is in all that the wordings find, and looking for them first is cheap; empty for no such.
    """

    alarm: re.Pattern[str]
    calm: re.Pattern[str]
    of: frozenset[str]
    one: bool
    hints: tuple[str, ...] = ()


def _wordings(listed: Sequence[str]) -> re.Pattern[str]:
    return caseless(rf"\b(?:{'|'.join(listed)})(?!\w)").re


_OFTEN_NO_THING = frozenset({"main"})
"""Words of a kind of thing that mostly tell something else: Main Street."""


def _read() -> tuple[dict[str, _Question], dict[str, frozenset[str]], frozenset[str], frozenset[str]]:
    """The questions, the kinds of thing that a word or its stem stands for, the words that alarm and that calm."""
    data = json.loads(resources.files(__package__).joinpath("contraries.json").read_text("utf-8"))
    questions = {
        name: _Question(
            _wordings(question["alarm"]),
            _wordings(question["calm"]),
            frozenset(f"={kind}" for kind in question["of"] or ()),
            question["of"] is None,
            tuple(question.get("hints", ())),
        )
        for name, question in data["questions"].items()
    }
    kinds: dict[str, frozenset[str]] = {}
    for name, listed in data["kinds"].items():
        for word in listed.split():
            for form in {word, stem(word)} - _OFTEN_NO_THING:
                kinds[form] = kinds.get(form, frozenset()) | {f"={name}"}
    alarm, calm = (frozenset(data["tones"][tone]) for tone in ("alarm", "calm"))
    return questions, kinds, alarm, calm


_QUESTIONS, _KINDS, _ALARM, _CALM = _read()
_MILD = frozenset(
    "dry empty full out run running left down sent gas prison reached leave leaving cover ends price cut caught "
    "arrested removed closed shut turning entered sealed locked stopped jumped".split()
)
"""Words that alarm in a rumour, and in what an authority says may as well calm."""
_STRONG = _ALARM - _MILD
_TONES = frozenset(form for word in _ALARM | _CALM for form in (word, stem(word)))
ANY = "any"
"""The question whether all is well with a thing, whatever is said to be wrong with it."""
OTHERWISE = "otherwise"
"""The question how things stand with what both are about, when nothing says whether that is well."""
LEVEL = "level"
"""The question at which step of a scale an alert or a storm stands."""
NEVER_COUNTED = frozenset(
    {"fate", "shut", "broken", "another", "for money", "meant", "scarce", "poisoned", ANY, OTHERWISE}
)
"""Questions on which a count of people or things is compared as a count only."""
_LIFEJACKET = caseless(r"\blife[- ]?(?:jackets?|vests?)\b")
_PERSON = r"(?:man|men|woman|women|person|people|teenager|youth|boy|individual|pair|couple|brothers|\d\d-year-old)"
_NAMED_BY = (
    ("=lifejacket", _LIFEJACKET),
    (
        "=perpetrator",
        caseless(
            rf"\b{_PERSON} (?:\w+ ){{0,2}}?(?:arrested|detained|held|seized|caught|in custody|responsible|who did)\b"
            r"|\b(?:acted|acting) alone\b|\b(?:any(?:one|body)|no(?:body| one)) else\b"
            r"|\b(?:he|she) (?:was|is|has been|had been) (?:\w+ ){0,6}?"
            r"(?:arrested|handcuff\w*|in custody|detained|charged)\b"
        ),
    ),
    ("=pipe", caseless(r"\b(?:gas|water|steam|oil) mains?\b")),
    (
        "=owner",
        caseless(
            r"\b(?:head|chief|chair\w*|president|director|founder|partner|chief executive|proprietor)s?"
            r" (?:of|at) (?:the|that|a) (?:\w+ ){0,3}?(?:firm|company|contractors?|business|builders?|developers?)\b"
        ),
    ),
)
"""Kinds of thing that a text names by more than one word."""
_NO_THING = (
    HAPPENINGS
    | DEEDS
    | VAGUE
    | frozenset(
        stem(word)
        for word in "tonight tomorrow monday tuesday wednesday thursday friday saturday sunday since whole entire "
        "total public available normal normally working country everyone guys seriously literally currently remain "
        "remains single case cases quarter anyone person persons area areas centre "
        "center site line video photo picture".split()
    )
)


def things(text: str, around: Collection[str] = ()) -> frozenset[str]:
    """What a text speaks of: kinds of thing ("=owner") and its other specific words."""
    return _things(text[:600], frozenset(around))


@lru_cache(maxsize=2048)
def _things(text: str, around: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for word in words(text):
        found |= _KINDS.get(word) or _KINDS.get(stem(word), frozenset())
    found.update(kind for kind, named in _NAMED_BY if named.search(text))
    return frozenset(found | (concepts(text, around) - _NO_THING))


def sides(text: str, about: frozenset[str], *, answers: bool = False) -> frozenset[str]:
    """Where a text stands: "-gone" for who fled, "+gone" for who is there, for each question on the things it is about.

    A negated side is the other one. `answers`: the text is an authority's, whose denials turn what they repeat.
    """
    asked = tuple(name for name, question in _QUESTIONS.items() if not question.of or not question.of.isdisjoint(about))
    return _sides(text[:400], asked, answers)


@lru_cache(maxsize=2048)
def _sides(text: str, asked: tuple[str, ...], answers: bool) -> frozenset[str]:
    denies = answers and is_denial(text)
    low = lowered(text)
    found: set[str] = set()
    for name in asked:
        question = _QUESTIONS[name]
        if question.hints and not any(hint in low for hint in question.hints):
            continue
        said = _said(question, low, denies)
        if len(said) > 1 and name != "shut":
            said = {"+"} if answers else {"-"}
        if len(said) == 1:
            found.add(f"{said.pop()}{name}")
    tone = _tone(text, denies, answers)
    steps = levels.stated(low, denies=denies)
    return frozenset({*found, *steps, f"{tone}{ANY}"} if tone else found | steps)


_ENDS = frozenset({"broken", "fate", "poisoned", "loose"})
_STATES = frozenset({"loose", "broken", "poisoned", "shut", "fate", "spreading", "scarce", "full", "too high"})
"""Questions that say by themselves whether a thing is well."""


@lru_cache(maxsize=2048)
def stands(text: str) -> frozenset[str]:
    """Where a text stands on whether a thing is well: "+broken" for a dam that holds; nothing where it says both."""
    about, denies = things(text), is_denial(text)
    low = lowered(text[:400])
    found = set()
    for name in _STATES:
        question = _QUESTIONS[name]
        if question.of and question.of.isdisjoint(about):
            continue
        said = _said(question, low, denies)
        if len(said) == 1:
            found.add(f"{said.pop()}{name}")
    return frozenset(found)


_LOST = caseless(
    r"\b(?:collapsed?|breached|burst|failed|failure|giv(?:en|es) way|gave way|(?:washed|swept) away|destroyed|fallen"
    r"|fell|dead|died|killed|perished|drowned)\b",
)
_KEPT = caseless(r"\b(?:intact|holds|holding|held|undamaged|standing|operating normally|alive|survived|unharmed)\b")


def gives_back(before: str, after: str) -> bool:
    """Whether a later text has whole or alive what an earlier one has lost: what is lost does not come back."""
    if not _KEPT.search(after) or _LOST.search(after) or not _LOST.search(before) or _KEPT.search(before):
        return False
    if is_denial(before) or is_denial(after) or _BESIDE.search(f"{before} {after}"):
        return False
    lost, kept = stands(before[:400]), stands(after[:400])
    shared = things(before) & things(after)
    return any(
        f"-{name}" in lost and f"+{name}" in kept and not shared.isdisjoint(kinds)
        for name, kinds in (("broken", _QUESTIONS["broken"].of), ("fate", _ONES))
    )


def agrees(claim: str, answer: str) -> bool:
    """Whether both have one caught, or one fire under control, and name what it is in at least two words."""
    if {"+loose", "+spreading"}.isdisjoint(stands(claim[:400]) & stands(answer[:400])):
        return False
    shared = {word for word in set(words(claim)) & set(words(answer)) if len(word) > SHORT_WORD}
    return len(shared - _OF_STATES) > 1


SHORT_WORD = 3
_OF_STATES = frozenset("under control contained custody arrested detained caught safe police been that this".split())


def alarms(text: str) -> bool:
    """Whether a text tells of something bad."""
    return _tone(text[:400], denies=False, answers=False) == "-"


def at_odds(claim: str, answer: str, *, event: bool) -> bool:
    """Whether a claim has no word for what is well, and an answer only such: neither bears the other out.

    Nor does what has no word in common with it that alarms, of the same subject. `event`: the claim names a kind of
    event that the answer does not.
    """
    told = words(answer[:400])
    if not _ALARM.isdisjoint([word for word in told if word not in _MILD]) or _UNSAFE.search(answer):
        return False
    said = words(claim[:400])
    if not _CALM.isdisjoint(said):
        return False
    befell = _ALARM.intersection(said) - _MILD
    if not _CALM.isdisjoint(told):
        return True
    return bool(befell) and befell.isdisjoint(told) and (event or _other_predicate(claim, answer))


def _other_predicate(claim: str, answer: str) -> bool:
    """Whether two sentences share nothing beside what they are about."""
    about = subject(claim)
    where = concepts(" ".join(match[1] for match in _WHERE.finditer(claim[:400])))
    return concepts(claim) & concepts(answer) <= about.others | {about.head} | where


_WHERE = caseless(
    r"\b(?:at|in|on|near|from|under|behind|inside|outside|beside|by|of) (?:(?:the|an?|our|this|that|its|their) )?"
    r"([\w'’-]+(?: [\w'’-]+)?)"
)


def _tone(text: str, denies: bool, answers: bool) -> str:
    """Whether a text alarms ("-") or, an authority's, calms or denies ("+")."""
    told = words(text)
    if answers:
        if _COUNTS.search(text) and not denies:
            return ""
        if denies_footage(text) or (not denies and _UNSAFE.search(text)):
            return ""
        plain = _ALARM.isdisjoint([word for word in told if word not in _MILD])
        calms = denies or _NEGATES.search(text) or (plain and not _CALM.isdisjoint(told))
        return "+" if calms else "=" if plain and not _ASKS.search(text) else ""
    if _LONG_AGO.search(text):
        return ""
    if _NEGATES.search(text):
        return "-"
    return "-" if not _ALARM.isdisjoint(told) or "!!" in text or any(word.endswith("n't") for word in told) else ""


_ASKS = caseless(
    r"\b(?:please|ask(?:s|ed|ing)?|urge[sd]?|should|must|needs?|avoid|appeal\w*|call(?:s|ed|ing)? (?:for|on)"
    r"|contact|register|bring|wait"
    r"|will be|(?:is|are) to|confirm\w*|known|aware|investigat\w+|expected|continue[sd]? to)\b|\?"
)
"""What asks something of people, or tells of the incident rather than of how things stand."""
_UNSAFE = caseless(
    r"(?:\bnot|n['’]t|\bno longer|\bnever|\bnowhere) (?:\w+ ){0,2}?"
    r"(?:safe|clear|contained|under control|over|stable|drinkable|passable|ruled out)\b",
)
"""What is not well, though it is told by a negation."""


def _said(question: _Question, text: str, denies: bool) -> set[str]:
    """The sides of a question on which a text in lower case stands, by each of its wordings."""
    said: set[str] = set()
    for wordings, side in ((question.alarm, "-"), (question.calm, "+")):
        if wordings.search(text) is not None:
            said.update(
                _side(text, match, side, denies)
                for match in wordings.finditer(text)
                if not (denies and _TAKEN_AS_KNOWN.match(text, max(0, match.start() - 6)))
            )
    return said


_TAKEN_AS_KNOWN = re.compile(
    r".{0,6}?\b(?:the|this|that|its) (?:collapsed|fallen|burnt|burned|burning|derailed|sunken|capsized|crashed|damaged"
    r"|ruptured|destroyed|flooded|closed|broken) (?!and\b|or\b)[a-z]"
)
"""What a thing that is spoken of is known to have suffered: who denies something else of it does not deny that."""


def _side(text: str, match: re.Match[str], side: str, denies: bool) -> str:
    before = text[max(0, match.start() - 60) : match.start()]
    negated = _NOT_BEFORE.search(before) is not None and not _DOUBLED.search(before)
    return {"-": "+", "+": "-"}[side] if negated or (denies and side == "-") else side


def refers_back(text: str) -> bool:
    """Whether a sentence names what it is about by a pronoun only."""
    return _REFERS_BACK.search(text) is not None


def tells_of_further(text: str) -> bool:
    """Whether a text tells of more to come, beside what has happened."""
    return _FURTHER.search(text) is not None


class Standing(Protocol):
    """A statement with where it stands, and on what."""

    @property
    def text(self) -> str:
        """The statement as it stands."""

    @property
    def sides(self) -> frozenset[str]:
        """See `sides`."""

    @property
    def things(self) -> frozenset[str]:
        """See `things`."""


_GOES_ON = caseless(
    r"\b(?:operations?|works?|efforts?|search(?:es)?|clean-?up|recovery|firefighting)\b[^.;]{0,60}\bcontinu"
)


def speaks_against(
    claim: Standing, answer: Standing, places: frozenset[str] = frozenset(), *, later: bool = True
) -> tuple[str, frozenset[str]]:
    """The question on which an authority's answer stands against a claim, and what of the same things both name.

    ("", empty) for none. `places` are the stems that name the place of the incident, which all reports of it share;
    `later`: the answer is not older than the claim.
    """
    shared = (claim.things & answer.things) - places
    for side in sorted(claim.sides):
        name = side[1:]
        if side[0] == levels.MARK:
            if levels.excluded(side, answer.text, answer.sides, later=later):
                return LEVEL, shared
            continue
        if name == ANY or ("-" if side[0] == "+" else "+") + name not in answer.sides:
            continue
        if side[0] == "+" and name != "shut" and not (name in _ENDS and f"-{name}" in stands(answer.text)):
            continue  # rumours alarm; what calms is contradicted where a thing is closed or is no more
        if name in _OF_ALL and not _ALL.search(claim.text):
            continue
        question = _QUESTIONS[name]
        of_one = shared & question.of or (question.of & claim.things and _one_named(claim.text, answer.text, shared))
        if not (question.one or (of_one if question.of else shared)):
            continue
        if name == "shut" and _GOES_ON.search(answer.text):
            continue  # the work of the crews goes on
        if not _narrower(claim, answer, name, shared, places):
            return name, shared
    if f"-{ANY}" in claim.sides and _all_well(claim, answer) and not _narrower(claim, answer, ANY, shared, places):
        named = shared - _TONES
        if named and (_plainly_alarms(claim.text) or subject(claim.text).head in named) and _connected(claim, answer):
            return ANY, named
    return _of_one_subject(claim, answer, places)


_EXCEPT = caseless(r"\b(?:except\w*|apart from|other than|but for|aside from|excluding|bar|save for|unless|until)\b")


@lru_cache(maxsize=2048)
def _plainly_alarms(text: str) -> bool:
    """Whether a text alarms by more than a word that may as well be harmless: a market that moves out."""
    told = words(text[:400])
    return not _STRONG.isdisjoint(told) or "!!" in text or not tells(text) or bool(_NEGATES.search(text))


def _connected(claim: Standing, answer: Standing) -> bool:
    """Whether what one of two texts is about is named by the other, so that they meet in more than a passing word."""
    mine, theirs = subject(claim.text), subject(answer.text)
    if not (mine.head and theirs.head and tells(claim.text)):
        return True
    if _names_it(theirs, claim) or _names_it(mine, answer):
        return True
    none = _NONE_OF.search(answer.text)
    return none is not None and not concepts(none[1]).isdisjoint(mine.others | {mine.head})


_NONE_OF = caseless(r"\b(?:no|without any|free of) ([\w'’-]+(?: [\w'’-]+)?)")


def _names_it(about: Subject, other: Standing) -> bool:
    kinds = _KINDS.get(about.head, _NOTHING)
    return about.head in other.things or about.head in concepts(other.text) or not kinds.isdisjoint(other.things)


def _of_one_subject(claim: Standing, answer: Standing, places: frozenset[str]) -> tuple[str, frozenset[str]]:
    """What an answer that neither alarms nor counts says of the very thing about which a claim alarms."""
    if f"-{ANY}" not in claim.sides or answer.sides.isdisjoint(_AT_EASE):
        return "", _NOTHING
    mine = subject(claim.text)
    if not mine.head or mine.head in places or not mine.same_as(subject(answer.text), places):
        return "", _NOTHING
    if (
        _EXCEPT.search(answer.text)
        or _BESIDE.search(answer.text)
        or _REMAINS.search(answer.text)
        or _ONE_RIDE.search(claim.text)
    ):
        return "", _NOTHING
    return OTHERWISE, frozenset({mine.head})


_NOTHING: frozenset[str] = frozenset()
_AT_EASE = frozenset({f"+{ANY}", f"={ANY}"})


def _all_well(claim: Standing, answer: Standing) -> bool:
    """Whether an answer calms, and is not about something more special than what the claim alarms about."""
    if f"+{ANY}" not in answer.sides:
        return False
    return len(answer.sides) == 1 or len(claim.sides) == 1


_ONES = (_QUESTIONS["gone"].of | {"=animal"}) - {"=perpetrator"}
"""Who there are few of, so that "the driver" is the driver."""
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?!\w| (?:Street|Road|Avenue|Lane|Square))")
_REFUGE = caseless(
    r"\b(?:shelters?|(?:cent(?:re|er)|point|hub|site|desk)s? (?:for|has|is|was|at|set|open)|parcels?"
    r"|donat\w+|reunite\w*)\b",
)


_OF_ALL = frozenset({"all ordered out", "all without power", "all without water", "all without network"})
"""Questions on which only what is said of everybody is contradicted: some may be in the dark where others are not."""
_ALL = caseless(
    r"\b(?:whole|entire|entirely|all|every|everyone|everybody|everywhere|complete|completely|total|totally"
    r"|general|mass|city-?wide|town-?wide|nationwide)\b",
)
_ELSE = caseless(
    r"\b(?:else|other|others|additional|outside|beyond|longer|yet|anymore|general|mass|full(?:-scale)?|further)\b"
)
_PREMISES = frozenset(
    f"={kind}" for kind in "building church hospital hotel prison school shop stand station zoo park plane".split()
)
"""What may have to be left though nobody is told to leave home."""
_OF_FEW = frozenset(f"={kind}" for kind in "dam wall wheel statue spire mast chimney crane footbridge church".split())
"""What there are few of, so that the one that stands is the one that is said to have fallen."""
_ONE_RIDE = caseless(
    r"\b(?:my|our|his|her|one|a|this) (?:\w+ )?(?:flight|train|bus|tram|ferry|plane|coach)\b|\b"
    r"(?:flight|train|bus|tram|line) (?:no\.? )?[a-z]{0,3}\d+\b",
)
"""One that does not run, where the others do."""
_PARTS = frozenset(
    f"={kind}" for kind in "alarm camera door exit gate generator line pump roof sensor signal wall brake bed".split()
)
"""Kinds of what is a part of something else, which tells one from another."""


def _names(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _NAME.finditer(text))


def _narrower(
    claim: Standing, answer: Standing, name: str, shared: frozenset[str], places: frozenset[str] = frozenset()
) -> bool:
    """Whether an answer is about another one of a kind than the claim: the tower next door, a second slide.

    Nor is the gate of the dam that of the park, and who says that nobody had to leave may not speak of one house.
    """
    if name in {"shut", "broken", ANY} and _names_another(claim.text, answer.text, places):
        return True
    if name == "ordered out" and (_ELSE.search(answer.text) or not (claim.things & _PREMISES) <= answer.things):
        return True
    kinds = frozenset(thing for thing in shared if thing[0] == "=")
    if kinds and kinds <= _PARTS and all(thing in kinds or kinds & _KINDS.get(thing, _NOTHING) for thing in shared):
        mine, theirs = (frozenset(t for t in s.things - kinds if t[0] == "=") for s in (claim, answer))
        if mine and theirs and mine.isdisjoint(theirs):
            return True
    if name in {"shut", ANY} and (_ONE_RIDE.search(claim.text) or not within_limit("except", answer.text, claim.text)):
        return True
    if name == "fate" and _of_something_else(subject(claim.text), shared):
        return True
    if name == "fate":
        named = _names(claim.text) & _names(answer.text)
        return not shared & _ONES and all(stem(word) in places for word in named)
    return _tells_of_another(claim.text, answer.text, name, shared)


def own_names(text: str, places: frozenset[str]) -> frozenset[str]:
    """The stems of the names that a text gives, without its sender's and those of where it is."""
    return _proper(body(text[:400])) - places


def _of_something_else(about: Subject, shared: frozenset[str]) -> bool:
    """Whether a sentence is about none of what another names, too: the kiosk by the zoo, an elephant."""
    kinds = _KINDS.get(about.head, _NOTHING)
    named = kinds | about.others | {about.head}
    return bool(about.head) and named.isdisjoint(shared)


def _names_another(claim: str, answer: str, places: frozenset[str]) -> bool:
    """Whether each text names something by its own name, and neither what the other does."""
    mine, theirs = _proper(claim[:400]) - places, _proper(answer[:400]) - places
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return False
    return theirs.isdisjoint(concepts(claim)) and mine.isdisjoint(concepts(answer))


def _tells_of_another(claim: str, answer: str, name: str, shared: frozenset[str]) -> bool:
    if name in {"shut", ANY} and _REFUGE.search(answer):
        return True
    if name not in {"broken", ANY}:
        return False
    if (_BESIDE.search(answer) and not _BESIDE.search(claim)) or _REMAINS.search(answer):
        return True
    if name == ANY or not shared.isdisjoint(_OF_FEW) or _FURTHER.search(claim):
        return False
    return not (_one_named(claim, answer, shared) or _one_subject(claim, answer))


def _one_subject(claim: str, answer: str) -> bool:
    """Whether two sentences are about one thing by more than its kind: the towers of the cathedral."""
    mine, theirs = subject(claim), subject(answer)
    if mine.head and any(stem(match[1].lower()) == mine.head for match in _CALLED_WHOLE.finditer(answer[:400])):
        return True  # "the inspection showed the runway undamaged"
    return mine.same_as(theirs) and not (mine.others & theirs.others).isdisjoint(concepts(answer))


_CALLED_WHOLE = caseless(
    r"\b(\w+) (?:(?:is|are|was|were|has been|have been|to be|as|found|still|itself) ){0,3}"
    r"(?:undamaged|intact|sound|unharmed|unaffected|whole|unscathed|untouched)\b"
)


_PROPER = re.compile(r"\b(?:[A-Z][\w'’-]* ?(?:of (?:the )?)?){1,4}")
_OF_KINDS = (
    frozenset(_KINDS)
    | GENERIC
    | frozenset("monday tuesday wednesday thursday friday saturday sunday easter christmas".split())
)


def _one_named(claim: str, answer: str, shared: frozenset[str]) -> bool:
    """Whether both texts speak of one thing by its own name, whatever else they call it: Lady's Bridge.

    The answer has to give it as a name; a post may write it in small letters.
    """
    told = frozenset(thing for thing in shared if thing[0] != "=")
    if not told:
        return False
    about = subject(claim)
    return not told.isdisjoint(_proper(answer[:400]) & (about.others | {about.head}))


@lru_cache(maxsize=1024)
def _proper(text: str) -> frozenset[str]:
    """The stems of the words of names in a text; what only opens a sentence is none ("Divers have gone")."""
    found: set[str] = set()
    for match in _PROPER.finditer(text):
        name = words(match[0])
        opens = not text[: match.start()].rstrip() or text[: match.start()].rstrip()[-1] in ".:!?"
        behind = words(text[match.end() : match.end() + 24])[:1]
        if len(name) > 1 or not opens or (behind and behind[0] in _KINDS):
            found.update(stem(word) for word in name if word not in _OF_KINDS and stem(word) not in _OF_KINDS)
    return frozenset(found)
