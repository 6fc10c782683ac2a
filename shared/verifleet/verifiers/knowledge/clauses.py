"""Clauses of a reading: what stands together, what is in brackets, what has the subject of the clause before it.

The only place that knows how clauses are told apart, so that a better reader can take its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from verifleet.reading.dates import MONTHS, WEEKDAYS
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.names import TITLES
from verifleet.verifiers.knowledge.questions import IRREGULAR, normal_word
from verifleet.verifiers.knowledge.reading import BE, CONCESSIVE, Reading, Sentence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once, stem

PAST_FORMS = IRREGULAR | table("clauses.past_forms")
_MODALS = frozenset("can could will would may might must shall should has have had do does did".split())
_PRESENT = listed("clauses.present")
_BASES = frozenset(PAST_FORMS.values()) | _PRESENT
_PREFIXES = ("over", "under", "out", "with", "fore")
_CUT = re.compile(r"[,;:；：，、。\n|/]|\s[-–—]{1,2}\s|[—–]|--")
_OPENS, _CLOSES = re.compile(r"[(\[（]"), re.compile(r"[)\]）]")
CONJUNCTIONS = listed("clauses.conjunctions")
_SUBJECTS = frozenset("it he she they".split())
_CONTRACTED = _SUBJECTS | {"that", "this", "there", "here", "what"}
_SPEAKERS = frozenset("i we you".split())
_ONLY_SUBJECTS = frozenset("i we they he she".split())
_NO_VERBS = ARTICLES | frozenset("who all both also never always not too and or but often once still just".split())
_RELATIVES = frozenset("which who whom whose".split())
_BREAKS = frozenset("of in on at of by from for with to and or as than".split())
_BEHIND_PARTICIPLES = frozenset("by as in on at with for from of to after".split())
_PARTICIPLES = frozenset("born called named nicknamed dubbed known".split())
_LOOK = 8
_FAR = 60  # tokens before an "and" that are looked at


@dataclass(frozen=True, slots=True)
class Piece:
    """Token positions of one clause, brackets in it left out.

    A clause that begins with its verb, or with "which" or "who", has the words first that it speaks of. `aside` tells
    what stands in brackets, `trails` what follows a clause and has no verb; `label` is what stands before a colon.
    """

    tokens: tuple[int, ...]
    aside: bool = False
    trails: bool = False
    label: tuple[int, ...] = ()

    def __contains__(self, at: int) -> bool:
        return at in self.tokens


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """One form for the forms of a word: `sank`, `sinks` and `sinking` are `sink`; good enough to compare by."""
    if (known := normal_word(word)) != stem(word):
        return known.removesuffix("e")
    prefix = next((p for p in _PREFIXES if word.startswith(p) and word.removeprefix(p) in PAST_FORMS), "")
    if word in PAST_FORMS or prefix:
        return (PAST_FORMS.get(word) or prefix + PAST_FORMS[word.removeprefix(prefix)]).removesuffix("e")
    for ending in ("ied", "ies"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + "y"
    for ending in ("ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("eed"):
            cut = word[: -len(ending)]
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sl" else cut.removesuffix("e")
    return stem(word).removesuffix("e")


_DEGREES = {"more": "most", "less": "least", "better": "best", "worse": "worst", "further": "farthest"}


def superlative(word: str) -> str:
    """`largest` for `larger`; empty for a word that is no comparative."""
    return _DEGREES.get(word, word[:-1] + "st" if word.endswith("er") and len(word) > len("older") - 1 else "")


@lru_cache(maxsize=8192)
def is_verb(word: str, third_person: bool = False) -> bool:
    """Whether a plain word is a verb as far as its form or a short list tells; `third_person` trusts an -s."""
    if word in BE or word.removesuffix("nt") in _MODALS or word in PAST_FORMS or word in _PRESENT:
        return True
    if word.startswith(_PREFIXES) and any(word.removeprefix(prefix) in PAST_FORMS for prefix in _PREFIXES):
        return True
    if word.endswith("ed") and len(word) > 4:
        return True
    return third_person and len(word) > 3 and word.endswith("s") and not word.endswith("ss")


def pieces_of(reading: Reading) -> list[Piece]:
    """The clauses of all sentences, in order; kept with the reading."""
    return once(reading.tokens, "pieces", lambda: [p for s in reading.sentences for p in _pieces(reading, s)])


def _pieces(reading: Reading, sentence: Sentence) -> list[Piece]:
    tokens = reading.tokens
    main: list[int] = []
    asides: list[list[int]] = []
    depth = 0
    for i in range(sentence.start, sentence.end):
        gap = tokens[i].gap
        if i:
            depth = max(0, depth - len(_CLOSES.findall(gap)))
            if _OPENS.search(gap):
                depth += 1
                asides.append([])
        (asides[-1] if depth and asides else main).append(i)
    parts: list[list[int]] = [[]]
    for i in main:
        if parts[-1] and ";" in tokens[i].gap:
            parts.append([])
        parts[-1].append(i)
    found = [piece for part in parts for piece in _cut(tokens, part, aside=False)]
    for inner in asides:
        found += _cut(tokens, inner, aside=True)
    return found


def _cut(tokens: Sequence[Token], places: Sequence[int], aside: bool) -> list[Piece]:
    groups: list[list[int]] = []
    told = spoken = False  # whether the group so far has a verb, or somebody who says something
    for n, i in enumerate(places):
        joins = tokens[i].text in CONJUNCTIONS and not (n and tokens[places[n - 1]].text in BE)
        joins = joins or (told and n > 1 and tokens[i].text == "that" and (spoken or _begins_said(tokens, i)))
        cut = n == 0 or _CUT.search(tokens[i].gap) or joins or _and_clause(tokens, places, n, told)
        if cut and not (n and _CUT.fullmatch(tokens[i].gap.strip()) and in_date(tokens, i)):
            groups.append([])
            told = spoken = False
        groups[-1].append(i)
        told = told or verb_at(tokens, i) or contracted(tokens[i])
        spoken = spoken or tokens[i].base in _SPEAKERS
    pieces: list[Piece] = []
    subject: tuple[int, ...] = ()
    head: tuple[int, ...] = ()
    label: tuple[int, ...] = ()
    for group in groups:
        label = pieces[-1].tokens if pieces and ":" in tokens[group[0]].gap and not label and not head else ()
        verb = next((n for n, i in enumerate(group) if verb_at(tokens, i) or contracted(tokens[i])), None)
        own = verb is not None and any(not _joins(tokens[i]) for i in group[:verb])
        own = own or (verb is not None and contracted(tokens[group[verb]]))
        relative = verb is not None and tokens[group[0]].text in _RELATIVES and bool(pieces)
        if relative:
            named = _antecedent(tokens, pieces[-1].tokens)
            pieces.append(Piece((*named, *group[1:]), aside))
            continue
        if verb is None and head and tokens[group[0]].text == "and" and _long_numbers(tokens, group):
            pieces.append(Piece((*head, *group), aside))  # "won one in 1999 and the other in 2001"
            continue
        head = tuple(group[: verb + 1]) if verb is not None else head
        participle = verb is not None and bool(pieces) and _is_participle(tokens, group, verb)
        inherits = verb is not None and not own and bool(pieces) and not participle
        led = all(_introduces(tokens, p) for p in pieces)
        trails = (verb is None or participle) and bool(pieces) and not label and not led
        goes_on = len(pieces) > 1 and pieces[-1].trails and tokens[group[0]].text not in _PARTICIPLES
        goes_on = goes_on and len(group) > 1 and tokens[group[1]].text not in _BEHIND_PARTICIPLES
        finite = verb is not None and (goes_on or tokens[group[verb]].text in BE | _MODALS)
        if inherits and finite and not label and pieces[0].tokens == subject:
            del pieces[0]  # "X, another guest, had left"
        pieces.append(Piece((*subject, *group) if inherits and not label else tuple(group), aside, trails, label))
        if own or (verb is None and len(pieces) == 1):
            subject = tuple(group[:verb])
    return pieces


def _introduces(tokens: Sequence[Token], piece: Piece) -> bool:
    """`Leaving Y aside, X`, `Despite Y, X`: the clause itself comes behind."""
    first = tokens[piece.tokens[0]].text
    verbal = any(verb_at(tokens, i) for i in piece.tokens)
    return first in CONCESSIVE or (first.endswith("ing") and first not in TITLES and not verbal)


def _begins_said(tokens: Sequence[Token], at: int) -> bool:
    """Whether what stands behind a verb and its "that" is a clause of its own: `studies have shown that ...`."""
    said = takewhile(lambda i: not _CUT.search(tokens[i].gap), range(at + 1, min(at + _LOOK, len(tokens))))
    return verb_at(tokens, at - 1) and tokens[at - 1].text not in BE and any(verb_at(tokens, i) for i in said)


def _is_participle(tokens: Sequence[Token], group: Sequence[int], verb: int) -> bool:
    """`..., blended with Y`: a clause that only adds to the one before."""
    behind = tokens[group[1]].text if len(group) > 1 else ""
    return verb == 0 and "," in tokens[group[0]].gap and behind in ("with", "by") and tokens[group[0]].text not in BE


def _antecedent(tokens: Sequence[Token], places: Sequence[int]) -> tuple[int, ...]:
    """What a relative clause is about: the last words of the clause before, back to a preposition or verb."""
    start = len(places)
    while start and not (verb_at(tokens, places[start - 1]) or tokens[places[start - 1]].text in _BREAKS):
        start -= 1
    return tuple(places[start:])


def _joins(token: Token) -> bool:
    adverb = token.text.endswith("ly") and not token.capital
    return adverb or token.text in CONJUNCTIONS or token.text in ("and", "or", "then", "so", "also", "that")


def in_date(tokens: Sequence[Token], at: int) -> bool:
    """The comma of "July 20, 1969" and of "Sunday, July 20"."""
    token, before = tokens[at], tokens[at - 1]
    if token.gap != ", " or before.text in WEEKDAYS:
        return token.gap == ", "
    day = before.number and len(before.text.removesuffix("th")) < 3
    return token.number and len(token.text) == 4 and (day or before.text in MONTHS)


def _and_clause(tokens: Sequence[Token], places: Sequence[int], n: int, told: bool) -> bool:
    """`and` before a verb, or before a subject with its verb where one is `told` before: not in `X and Y are`."""
    if tokens[places[n]].text != "and":
        return False
    behind = places[n + 1 : n + 1 + _LOOK]
    role = _role(tokens, behind)
    before = places[max(0, n - _FAR) : n]
    if role and any(role == _role(tokens, before[m:]) for m in range(len(before))):
        return True
    if _long_numbers(tokens, before) and _long_numbers(tokens, behind) and not tokens[behind[0]].number:
        return True
    for m, i in enumerate(behind if told else ()):
        if verb_at(tokens, i):
            return m == 0 or not any("," in tokens[j].gap for j in behind[: m + 1])
    return False


def _role(tokens: Sequence[Token], places: Sequence[int]) -> str:
    """The preposition of `Y on bass`, where nothing but a name stands before it."""
    at = next((n for n, i in enumerate(places) if not tokens[i].capital), 0)
    return tokens[places[at]].text if at and tokens[places[at]].text in _BREAKS - {"and", "or", "of"} else ""


def verb_at(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token is a verb: a plain word of that form with no article before it ("the won")."""
    token = tokens[at]
    if token.capital or token.number:
        return False
    if not is_verb(token.text):
        return _is_predicate(tokens, at)
    return not at or tokens[at - 1].text not in ARTICLES or token.gap != " "


def _is_predicate(tokens: Sequence[Token], at: int) -> bool:
    """A plain word right behind a pronoun that can only be a subject: `they call it`, `that leaves Oslo`."""
    if not at or tokens[at].gap != " ":
        return False
    before, word, behind = tokens[at - 1], tokens[at].text, tokens[at + 1 : at + 2]
    if before.text in ("that", "it", "this") and behind and behind[0].gap == " ":
        return word.endswith("s") and (behind[0].capital or behind[0].text in ARTICLES)
    goes_on = bool(behind) and behind[0].gap == " "
    if goes_on and word in _BASES and stem(before.text) != before.text:
        return True  # "plants take in"
    if goes_on and before.text == "and" and word.endswith("s") and word[:-1] in _BASES:
        return True  # "and freezes at"
    plain = before.text == before.base or before.text.endswith(("d", "ll", "ve"))
    return plain and before.base in _ONLY_SUBJECTS and not (word.endswith("ly") or word in _NO_VERBS)


def contracted(token: Token) -> bool:
    """`it's`, `that's`, `he'd`: a subject with its verb."""
    return token.text != token.base and token.base in _CONTRACTED


def _long_numbers(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    return any(tokens[i].number and len(tokens[i].text) == 4 for i in places)
