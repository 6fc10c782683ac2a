"""Counts: how many of one class of things a report counts, and in what family of words it says what befell them.

`count_agreement` compares those of two reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from verifleet.agents.caseless import caseless
from verifleet.agents.count_words import (
    CLASSES,
    COMMON,
    OF_PEOPLE,
    OF_THINGS,
    SENT_HOME,
    SLOT_FATES,
    SUPPLIES,
    class_of,
)
from verifleet.agents.numbers import Number, Token, numbers_in, word_at
from verifleet.agents.quantities import Quantity
from verifleet.agents.quantity_slots import BREAKS, FATES, MEASURED, STOPS
from verifleet.agents.quantity_words import SKIPPED, UNITS, singular, words
from verifleet.agents.verifier.wording import VAGUE, concepts, stem

MAX_COUNTS = 2
AHEAD, BEHIND = 10, 6
"""Words after and before a number that may say what befell what it counts."""
SMALL = 12
"""Numbers up to this one are counted of many things at once."""
UNSAID, GREAT = "?", 1000
"""Class of a number of which nothing tells what it counts, kept from this one on: others have to give it, too."""


@dataclass(slots=True, unsafe_hash=True)
class Count:
    """One number of things of a class. Nobody changes one; see `memory.Statement`.

    Attributes:
        low: the number, or its lower bound.
        high: its upper bound; None for "more than".
        kind: the class of things ("person", "building", "vessel", "tree"), else the noun itself.
        noun: the noun, in the singular; "" where none is said.
        fate: the family of what befell them ("hurt", "ruin", "wet"); "" where no known word says it.
        told: the specific words that say it.
        deed: the first of them behind the noun, its verb as a rule.
        whole: said to be no more ("only 2").
        some: of some of them only ("another 12", "3 more").
        text: the number as written.
        learnt: several independent reports give it.
        disputes: told by somebody who says that the true number is kept back.
        about: said to be a rough number ("nearly fifty", "a couple of hundred").
        where: the common nouns that say where they were ("headhouse", "lift").
        fates: the families in which those reports say it; without them that of `fate`.
    """

    low: float
    high: float | None
    kind: str
    noun: str = ""
    fate: str = ""
    told: frozenset[str] = frozenset()
    whole: bool = False
    some: bool = False
    text: str = ""
    learnt: bool = False
    deed: str = ""
    fates: frozenset[str] = frozenset()
    disputes: bool = False
    about: bool = False
    where: frozenset[str] = frozenset()

    @property
    def value(self) -> float:
        """One representative number."""
        return self.low if self.high is None else (self.low + self.high) / 2

    @property
    def telling(self) -> bool:
        """Whether two reports hardly name this number by chance: it is neither small nor round."""
        digits = f"{self.value:.0f}".rstrip("0")
        return self.value > SMALL and len(digits) > 1 and self.low == self.high


def count_to_json(count: Count) -> list[Any]:
    """Plain data for the Store: its fields in order, sets of words as one text."""
    values = [getattr(count, name) for name in Count.__slots__]
    return [" ".join(sorted(value)) if isinstance(value, frozenset) else value for value in values]


def count_from_json(data: Sequence[Any]) -> Count:
    """A count from what `count_to_json` made."""
    low, high, kind, noun, fate, told, whole, some, text, learnt, deed, fates, disputed, about, where = (
        *data,
        *_LATER_FIELDS[len(data) - len(Count.__slots__) :],
    )[: len(Count.__slots__)]
    sets = [frozenset(said.split()) for said in (told, fates, where)]
    return Count(
        low, high, kind, noun, fate, sets[0], whole, some, text, learnt, deed, sets[1], disputed, about, sets[2]
    )


_LATER_FIELDS: tuple[Any, ...] = (False, "")
"""What the last fields are in a count that was kept before it had them."""


# --- found in a text ----------------------------------------------------------

_DERIDING = words("what joke lie lies nonsense rubbish wrong fake laughable bull bs false myth fiction bollocks")
_NO_THINGS = words(
    "am pm days day hours hour minutes weeks months years times percent per cent degrees metres meters miles "
    "km january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday euros dollars pounds rupees naira bucks storey storeys stories floor floors lanes "
    "kv kilovolt kilovolts volt volts kw kilowatt kilowatts mw megawatt megawatts gw kva mva watts amps hz hertz"
)
_LINKS = words(
    "pass passed passes has have had now at to reached reach hit hits is are was stands stood over tops don "
    "numbering numbered totalling totaling"
)
_NO_TELLING = (
    VAGUE
    | frozenset(stem(word) for word in (*CLASSES, *SKIPPED, *UNITS) if " " not in word)
    | frozenset(
        stem(word)
        for word in "tell telling told swear swears reckon reckons count counted figure figures number "
        "numbers total least "
        "nearly almost some hundred thousand million dozen dozens half couple near around across here there area way "
        "terrible scene scenes poor god pls omg wow bad worse massive huge building buildings train vehicle worker "
        "passenger school shop hospital road street house flat real lying lie liar hiding hide hidden truth "
        "cover media "
        "since today local locals live blog follow following result due storm crash blast fire quake flood collapse "
        "verified statement situation early late again soon onl far".split()
    )
    | frozenset({"building", "train", "vehicle", "worker", "passenger", "school", "shop", "hospital", "road", "blaze"})
)
_PLACED = words("at to in on near from of off along around outside inside by via into")
_DETERMINERS = words("the a an our my this that its their his her one")


_DISPUTING = caseless(
    r"\b(?:got|gets|getting|have|has) (?:it|this|that|the \w+) (?:\w+ )?wrong\b|\b(?:real|true|actual) "
    r"(?:figure|number|toll|count)|\b(?:lying|lies|liars?|hid(?:e|es|ing|den)\b(?! (?:in|inside|under|behind|at"
    r"|out|there|from (?!us|you|the public))\b)|cover(?:ed|ing)?[- ]?(?:it )?up"
    r"|hush\w*|deceiv\w*|conceal\w*|silent|silence|downplay\w*|play\w* (?:it |this )?down|lowball\w*|fudg\w*|massag\w+"
    r"|censor\w*|propaganda|(?:won['’]?t|don['’]?t|not|never|refuse to) (?:say|tell|admit|report|show)\w*"
    r"|(?:than|what) (?:they|the (?:news|media|tv|government|police|council|city)) (?:\w+ "
    r")?(?:say|tell|admit|claim|report)\w*"
    r"|do(?:n['’]?t| not) (?:believe|trust)|wag maniwala|far worse|before (?:it|this|they) (?:gets? )?delete\w*)\b",
)


def disputes(content: str) -> bool:
    """Whether a post says that the number others give is not the true one ("they are hiding it", "real figure")."""
    return _DISPUTING.search(content) is not None


def counts_of(text: str, quantities: Sequence[Quantity], without: AbstractSet[str]) -> tuple[Count, ...]:
    """The counts in a claim; `without` are the stems that only name its place and its kind of event."""
    tokens, told = numbers_in(text[:1_000])
    if not told:
        return ()
    numbers = [number for number in told if not _derided(tokens, number)]
    taken = {q.span[0]: q for q in quantities}
    found: list[Count] = []
    starts = {number.number for number in numbers}
    for number in numbers:
        made = _count(tokens, number, starts, taken, without)
        if made is not None:
            found.append(made)
            if len(found) > MAX_COUNTS:
                return ()  # a list, of which each part is compared by its slot
    if len(found) == 1 and not found[0].fate:
        # "The hospital is overflowing, 260 passengers are in there"
        whole = _main_clauses(tokens)
        fate = _fate(found[0].kind, whole)
        found = [replace(found[0], fate="" if fate in SUPPLIES else fate)]
    return tuple(found)


def _main_clauses(tokens: Sequence[Token]) -> str:
    """The words of a text without what happened meanwhile: "five were in the lift when the tower was hit"."""
    kept: list[str] = []
    meanwhile = False
    for token in tokens:
        meanwhile = token.low in _MEANWHILE or (meanwhile and token.low not in BREAKS | _COMMA)
        if token.kind == "word" and not meanwhile:
            kept.append(token.low)
    return " ".join(kept)


def _derided(tokens: Sequence[Token], number: Number) -> bool:
    """Whether somebody names a number only to gainsay it: "500 people fell in, 41 is a joke", "190, not 27"."""
    before = word_at(tokens, number.first - 1)
    if before in {"not", "than", "admit", "admitted"} or (
        before == "of" and word_at(tokens, number.first - 2) == "instead"
    ):
        return True
    if word_at(tokens, number.last) in {"is", "was"}:
        return not _DERIDING.isdisjoint(token.low for token in tokens[number.last + 1 : number.last + 4])
    return before in {"say", "said", "claim", "us"} and word_at(tokens, number.first - 2) in {"they", "tell", "told"}


def _count(
    tokens: Sequence[Token],
    number: Number,
    starts: AbstractSet[int],
    taken: Mapping[int, Quantity],
    without: AbstractSet[str],
) -> Count | None:
    quantity = taken.get(tokens[number.first].start)
    if number.currency or number.low < 1 or (quantity is not None and quantity.unit):
        return None
    noun_behind = _noun_after(tokens, number.last)
    noun = noun_behind or ("people" if _inside(tokens, number.last) else _noun_before(tokens, number.first))
    if noun in _NO_THINGS:
        return None
    kind = class_of(noun) or singular(noun)
    if quantity is not None and quantity.slot in _MEASURED:
        return None
    if quantity is not None and quantity.slot in FATES and not noun_behind and kind not in _LIVING:
        noun, kind = "", "person"  # "fatalities in the ferry sinking rise to eight"
    first, last = _around(tokens, number, starts)
    window = [token.low for token in tokens[first:last] if token.kind == "word"]
    passage = " ".join(window)
    if not kind:
        people = _speaks_of_people(tokens, number.last, passage, word_at(tokens, number.first - 1))
        if quantity is None and not people:
            return Count(number.low, number.high, UNSAID) if number.low >= GREAT else None
        kind = "person"
    fate = SLOT_FATES.get(quantity.slot, "") if quantity is not None else ""
    if kind not in _LIVING and (fate in _OF_THE_LIVING or (fate == "moved" and kind not in COMMON)):
        fate = ""
    if not fate:
        fate = next(
            filter(None, (_fate(kind, _until(tokens, number, first, last, marks)) for marks in _ASIDE)),
            "",
        )
    if not fate and noun in _HURT_BY_NAME:
        fate = "hurt"
    if fate in SUPPLIES:
        kind = "served"
    elif fate == "moved" and SENT_HOME.search(passage):
        fate = "home early"
    said = _without_places(tokens, first, number.first) + " " + _without_places(tokens, number.last, last)
    told = concepts(said, without) - _NO_TELLING - {stem(noun), noun, kind}
    before = word_at(tokens, number.number - 1)
    return Count(
        number.low,
        number.high,
        kind,
        singular(noun),
        fate,
        told,
        whole=before in {"only", "just"} or _leaves_others(tokens, number.last),
        some=before in {"another", "further", "additional"} or _of_more(tokens, number.last),
        text=" ".join(token.raw for token in tokens[number.first : number.last]),
        deed=_deed(tokens, number.last, last, noun, told),
        about=number.approximate,
        where=_where(tokens, number.last, last),
    )


_HURT_BY_NAME = words("patient patients casualty casualties wounded injured")
"""Who is hurt, whatever else is told of them."""


def _leaves_others(tokens: Sequence[Token], index: int) -> bool:
    """Whether others are spoken of behind a count, so that it is of all: "4 got out, the rest did not"."""
    behind = [token.low for token in tokens[index : index + 12]]
    return any(pair in _OTHERS for pair in pairwise(behind))


_OTHERS = frozenset(
    {("the", "rest"), ("the", "others"), ("all", "others"), ("everyone", "else"), ("everybody", "else")}
)


def _until(tokens: Sequence[Token], number: Number, first: int, last: int, marks: AbstractSet[str]) -> str:
    """The words around a number up to the next mark: "30 passengers got off, the others never made it".

    What else happened then is of others: "17 monks were at table when the wall gave way".
    """
    end = next((at for at in range(number.last, last) if tokens[at].low in marks), last)
    return " ".join(token.low for token in tokens[first:end] if token.kind == "word")


_COMMA = frozenset({","})
_MEANWHILE = frozenset({"when", "while", "before", "until"})
_BECAUSE = words("following because due amid owing thanks result wake")
_ASIDE = (_COMMA | _MEANWHILE | _BECAUSE, _COMMA | _MEANWHILE, _MEANWHILE)
"""Where what is told of others, or of why, may begin; nearer ones first."""


def _of_more(tokens: Sequence[Token], index: int) -> bool:
    """Whether a number is of some of a greater one: "3 more", "four of the six", "4 of 6"."""
    behind = word_at(tokens, index)
    if behind in {"more", "others"}:
        return True
    vague = word_at(tokens, index - 1).endswith("s") and singular(word_at(tokens, index + 1)) != word_at(
        tokens, index + 1
    )
    return behind == "of" and word_at(tokens, index + 1) not in _OURS and not vague  # "dozens of swimmers" are all


_LIVING = frozenset({"person", "animal"})
_OF_THE_LIVING = frozenset({"stuck", "dead", "safe", "missing", "hurt"})


def _deed(tokens: Sequence[Token], first: int, last: int, noun: str, told: AbstractSet[str]) -> str:
    """What is said right behind the noun: "500 people are hanging", "246 bystanders burned"."""
    at = next((at + 1 for at in range(first, last) if tokens[at].low == noun), first)
    while at < last and (tokens[at].low in _AUXILIARIES or tokens[at].low in SKIPPED or tokens[at].raw[:1].isupper()):
        at += 1
    said = concepts(tokens[at].raw) & told if at < last else frozenset()
    return min(said, default="")


_AUXILIARIES = words(
    "with in under by suffering having are is were was have has had been being be got get getting "
    "still now all just don dey ang ay"
)


def _fate(kind: str, passage: str) -> str:
    """The family of what a passage says befell things of a class; "" when no known word says it."""
    families = OF_PEOPLE if kind in _LIVING else OF_THINGS
    unserved = kind not in {"person", "building", "served"}
    found = (name for name, said in families if said.search(passage))
    return next((name for name in found if not (unserved and name in SUPPLIES)), "")


_MEASURED = MEASURED | {"percent", "duration"}
_PASSED_OVER = SKIPPED | words(
    "of my your our power utility house fishing street big school rail train bus tram delivery parked passenger "
    "old small wooden residential single-storey local schoolboy more than hostel primary"
)


def _noun_after(tokens: Sequence[Token], index: int) -> str:
    """The noun that says what is counted: a known one among the next words, else the first plural."""
    for at in range(index, min(len(tokens), index + 4)):
        token = tokens[at]
        word = token.low
        if token.kind != "word":
            if word == "-" and at == index:
                continue
            break
        if word in _NO_THINGS:
            return word
        if word in _VERBS or word in _PREPOSITIONS:
            break
        if word == "ones" and word_at(tokens, at - 1) in {"little", "young", "loved"}:
            return "children"
        known = class_of(word)
        ahead = word_at(tokens, at + 1)
        heads = singular(word) == word and _plural(ahead)  # "73 house roofs", "20 bus passengers"
        if word in _BODIES and ahead == "of" and class_of(word_at(tokens, at + 2)):
            return word_at(tokens, at + 2)  # "60 carcasses of sheep"
        if known and not heads and not (word in _PASSED_OVER and class_of(ahead)):
            return word
        if not known and _plural(word):
            return word
        if not known and word not in _PASSED_OVER and at - index >= 2:
            break
    return ""


_BODIES = words("body bodies corpse corpses carcass carcasses head heads")


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 and word not in _VERBS


_PREPOSITIONS = words(
    "in on at by for from with to into under across off out down who which that were was are is have has"
)
_VERBS = words(
    "fall fell falls held hold feared dead died killed hurt injured wounded rescued saved missing trapped "
    "stranded flee "
    "fled evacuated arrested got came come went made crammed packed inside aboard burned burnt shot stabbed "
    "hit gone lost "
    "left sick ill sickened hospitalised hospitalized treated drowned pulled plucked plunge plunged fainted needed need"
)
_PRONOUNS = words("us them you")
_OURS = _PRONOUNS | words("my our his her their your")


def _speaks_of_people(tokens: Sequence[Token], index: int, passage: str, before: str) -> bool:
    """Whether a bare number counts people: "41 fall into river", "31 on board", "1,900 of us"."""
    behind = [token.low for token in tokens[index : index + 3]]
    if behind[:1] == ["in"] and before in {"are", "were", "we’re", "we're"}:
        return True
    if behind[:1] == ["of"]:
        return len(behind) > 1 and behind[1] in _PRONOUNS
    if not behind or tokens[index].kind != "word":
        return False
    if behind[0] in _VERBS or " ".join(behind[:2]) in {"on board", "were carried", "were taken", "of us", "had to"}:
        return True
    if behind[0] == "without":
        return True
    if behind[0] in _WITHIN and any(class_of(token.low) in _RIDDEN for token in tokens[index + 1 : index + 4]):
        return True  # "46 on the bus"
    if behind[0] in _WITHIN and before not in _PREPOSITIONS and any(said.search(passage) for _, said in _BEFALLEN):
        return True  # "150 in that home have measles"
    if behind[0] == "off":
        return behind[1:2] != ["the"]
    if behind[0].endswith("ed") and len(behind[0]) > 4:
        return True
    return behind[0] in {"are", "were", "have"} and any(said.search(passage) for _, said in OF_PEOPLE)


_BEFALLEN = tuple(family for family in OF_PEOPLE if family[0] in {"dead", "hurt", "sick", "missing", "held"})
_RIDDEN = frozenset({"vehicle", "vessel", "aircraft", "train"})


def _inside(tokens: Sequence[Token], index: int) -> bool:
    """Whether a bare number is of those in something: "the bus had 58 in it"."""
    behind = [token.low for token in tokens[index : index + 2]]
    return behind[:1] in (["aboard"], ["onboard"]) or behind in (["in", "it"], ["on", "it"], ["on", "board"])


def _noun_before(tokens: Sequence[Token], index: int) -> str:
    """The noun in front of a number that was reached: "cholera cases have passed 600"."""
    if word_at(tokens, index - 1) not in _LINKS:
        return ""
    for at in range(index - 2, max(-1, index - 8), -1):
        word = tokens[at].low
        if tokens[at].kind == "number" or word in {".", ";", "!", "?"}:
            break
        if word in CLASSES and word not in _PRONOUNS:
            return word
    return ""


def _around(tokens: Sequence[Token], number: Number, starts: AbstractSet[int]) -> tuple[int, int]:
    """The tokens around a number that may say what befell what it counts: to the next number or end of a sentence."""
    last = number.last
    while last < len(tokens) and last - number.last < AHEAD and last not in starts and tokens[last].low not in BREAKS:
        last += 1
    first = number.first
    while first > 0 and number.first - first < BEHIND and tokens[first - 1].low not in BREAKS | {",", "–", "—"}:
        if first - 1 in starts:
            break
        first -= 1
    return first, last


def _without_places(tokens: Sequence[Token], first: int, last: int) -> str:
    """The words of a passage without those that only place it: "at the concert", "on that coach"."""
    kept = []
    at = first
    while at < last:
        word = tokens[at].low
        if word in _PLACED:
            at += 1
            while at < last and tokens[at].low in _DETERMINERS:
                at += 1
            at += 1
            continue
        if tokens[at].kind == "word":
            kept.append(tokens[at].raw)
        at += 1
    return " ".join(kept)


def _where(tokens: Sequence[Token], first: int, last: int) -> frozenset[str]:
    """The common nouns behind a count that say where they were: "in the headhouse of the elevator"."""
    found = set()
    for at in range(first, last - 1):
        if tokens[at].low not in _WITHIN:
            continue
        ahead = at + 1
        while ahead < last and tokens[ahead].low in _DETERMINERS:
            ahead += 1
        for token in tokens[ahead : min(last, ahead + 3)]:
            if not token.raw.islower() or token.low in STOPS or token.low in _PREPOSITIONS or token.low in _VERBS:
                break
            found.add("gymnasium" if token.low == "gym" else singular(token.low))
    return frozenset(found) - _NOWHERE


_WITHIN = words("in inside on at aboard under beneath")
_NOWHERE = words(
    "area place site scene city town village region district country street road hospital clinic ward total all "
    "danger trouble critical condition need fear time morning evening night afternoon day hour minute week case "
    "custody water rubble debris fire smoke blast explosion crash accident attack storm flood quake earthquake "
    "incident collapse disaster dark home school shelter camp centre center north south east west way it them there "
    "board foot one front state intensive care least once last rear back first second other same whole big old new top "
    "upper lower main small large burning nearby local time now still people"
)
"""What tells no scene from another, or no scene at all."""
