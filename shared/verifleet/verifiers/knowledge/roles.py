"""Whether a thing stands in the role that the question asks for: who did it, or to whom it was done.

"Who defeated Norland?" asks for the agent of a deed whose patient is Norland: "A defeated Norland" and "Norland was
defeated by A" give it, "Norland defeated A" has A on the other side, "A defeated Sudland" speaks of another deed. Nouns
are deeds too, and a deed has a converse: "Who is B's father?" is answered by "A is B's father" and "B is A's son".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from verifleet.reading import arguments
from verifleet.reading.arguments import EXCLUDED, HAVING_IT_DONE, UNREAL, Deed, Part, deeds, is_head, noun_deeds
from verifleet.reading.numerals import roman
from verifleet.verifiers.knowledge.claims import PRONOUNS, deed_of, main_verb
from verifleet.verifiers.knowledge.clauses import is_verb, lemma, verb_at
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.questions import DOERS, FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import BE, CONCESSIVE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once, stem, tokenize

FILLS, OTHER_SIDE, ANOTHER, UNDONE = "fills", "other side of the verb", "another deed", "no more than attempted"
ELSEWHERE = "in another year or round"
NO_ANSWER = frozenset((OTHER_SIDE, UNDONE, ELSEWHERE))
ALL_SAID = "all is said"
"""FILLS where the response is the question's own clause with the answer in its place, and nothing beside it."""
MUTUAL = listed("roles.mutual")
"""Verbs that say the same of both sides: `marry`."""
CONVERSE = table("roles.converse")
"""The deeds that have the sides of another one exchanged, verbs with the preposition that leads what is their agent."""
NOUNS = listed("roles.nouns")
_EXCLUDED = {"marry": "divorc"}
_TURNING = UNREAL | CONCESSIVE | listed("roles.turning")
"""With one of these in the sentence the converse of a deed doesn't tell who did it."""
_ASKING = frozenset("who whom which what".split())
_IN_THE_END, _THEN = frozenset("did succeeded managed".split()), frozenset("and later finally eventually".split())
_DID = frozenset("did does do".split())
_SLOTS = {"agent": "patient", "patient": "agent"}
MAX_ASKED, MAX_KIND, MAX_PLAIN, YEAR = 500, 6, 2, 4


class Relation(NamedTuple):
    """The deed that a question asks about, the side that it asks for, and what it says stands on the other one."""

    verb: str
    slot: str
    other: frozenset[str]
    named: bool
    sort: frozenset[str] = frozenset()
    """The noun behind "which"."""
    years: frozenset[str] = frozenset()
    round: str = ""
    """The noun behind "in the" at the end."""


@lru_cache(maxsize=1024)
def relation(prompted: Prompted) -> Relation | None:
    """`Who defeated Norland?`, `Which town did Norland take?`, `Who was defeated by Norland?`; None for all others."""
    tokens = tokenize(prompted.text[:MAX_ASKED])
    at = next((i for i, token in enumerate(tokens) if token.text in _ASKING), len(tokens))
    if 0 < at < len(tokens) and "," in tokens[at].gap:
        tokens, at = tokens[at:], 0  # "In Greek myth, who ..."
    words = [token.text for token in tokens]
    did = next((i for i in range(at + 1, min(len(words), at + 5)) if words[i] in _DID), 0)
    verbs = [i for i in range(1, min(len(words), 2 if words[:1] == ["who"] else MAX_KIND)) if _may_be_verb(tokens, i)]
    if (noun := _of_noun(tokens)) is not None or at or (not verbs and not did) or words[1:2] == ["year"]:
        return noun
    if verbs and words[verbs[0]] in BE:
        verbs = [i for i in range(verbs[0], len(words)) if _may_be_verb(tokens, i)]
    verbs = [i for i in verbs if words[i] not in BE | _DID]
    if did:
        proper = {lemma(t.base) for t in tokens if t.capital}
        told = main_verb([w for w in words if w not in ARTICLES], proper)
        verbs = [i for i in range(did + 1, len(words)) if lemma(words[i]) == told and not tokens[i].capital]
    deed = next(deeds(tokens, verbs[:1], 0, len(tokens), partial(verb_at, tokens)), None)
    if deed is not None and did and words[deed.at - 1] in ARTICLES:
        return None  # "who does the voice of X"
    if deed is None or not (MUTUAL - CONVERSE.keys()).isdisjoint((deed_of(words[deed.at]), lemma(words[deed.at]))):
        return None
    by = words[deed.at + 1 : deed.at + 2] == ["by"]
    slot = "patient" if did or (by and words[-1] != "by") else "agent"
    part = deed.part(_SLOTS[slot])
    free = not did or deed.patient[0] == deed.patient[1]
    passive = slot == "agent" and (deed.agent[0] > 1 or not BE.isdisjoint(words[at : deed.at]))
    if not _ASKING.isdisjoint(words[deed.at :]) or passive or not free or part[0] == part[1]:
        return None
    other = _terms(tokens, (did + 1 or 1, len(tokens))) - {lemma(words[deed.at])}
    named = any(tokens[i].capital for i in range(*part))
    years = frozenset(t.text for led, t in pairwise(tokens) if led.text == "in" and t.number and len(t.text) == YEAR)
    last = words[-1] if words[-3:-1] in (["in", "the"], ["at", "the"]) else ""
    return Relation(deed_of(words[deed.at]), slot, other, named, _terms(tokens, (1, did or 1)), years, last)


def _of_noun(tokens: Sequence[Token]) -> Relation | None:
    """`Who was A's uncle?`, `What is the name of the uncle of A?`: the deed of a noun."""
    nouns = [i for i in range(len(tokens)) if _is_noun(tokens, i)]
    deed = next(noun_deeds(tokens, nouns, 0, len(tokens), partial(verb_at, tokens)), None) if len(nouns) == 1 else None
    led = tokens[slice(*deed.agent)] if deed else []
    named = not led and "name" in (t.text for t in tokens[:MAX_KIND])
    if deed is None or (tokens[0] if named else (*led, tokens[-1])[0]).text not in _ASKING | {"name"}:
        return None
    other = _terms(tokens, (1, len(tokens))) - {lemma(tokens[deed.at].text), "name"}
    named = any(t.capital for t in tokens[slice(*deed.patient)])
    return Relation(deed_of(tokens[deed.at].text), "agent", other, named)


def _may_be_verb(tokens: Sequence[Token], at: int) -> bool:
    return verb_at(tokens, at) or (at == 1 and is_verb(tokens[at].text, third_person=True))


def _terms(tokens: Sequence[Token], part: Part) -> frozenset[str]:
    words = (tokens[i] for i in range(*part))
    plain = (t for t in words if t.text not in FUNCTION_WORDS | ARTICLES | PRONOUNS)
    return frozenset((roman(t.base) if t.capital else None) or lemma(t.base) for t in plain)  # "Ada II's"


def role(reading: Reading, place: Occurrence, asked: Relation) -> str:
    """What it is to the deed asked about; empty for what has no part in it."""
    tokens, told, sentence = reading.tokens, "", reading.sentences[reading.sentence_of[place.start]]
    behind = tokens[place.end : place.end + 2]
    ends = len(behind) < 2 or ";" in behind[1].gap
    if asked.slot == "agent" and not place.start and [t.text for t in behind[:1]] == ["did"] and ends:
        return ALL_SAID  # "A did; ..."
    for deed in _deeds(reading, reading.sentence_of[place.start], asked.verb):
        part, other = deed.part(asked.slot), deed.part(_SLOTS[asked.slot])
        near = deed.near and asked.slot == "agent"
        inside = [is_head(tokens, place.start, place.end, p, n, deed.free) for p, n in ((part, near), (other, False))]
        if deed.tried and asked.slot == "agent":
            later = pairwise(t.text for t in tokens[deed.at : sentence.end])
            done = any(b in _IN_THE_END and a in PRONOUNS | _THEN for a, b in later)
            told = told or (UNDONE if inside[0] and not done else "")
        if deed.unreal:
            continue
        if deed.how == EXCLUDED:
            told = OTHER_SIDE if any(inside) else told
        elif inside[0]:
            same = _is_same(tokens, other, asked)
            against = deed.how and not _TURNING.isdisjoint(t.text for t in tokens[sentence.start : sentence.end])
            if same and arguments.elsewhere(tokens, deed, sentence.start, sentence.end, asked.years, asked.round):
                told = told or ELSEWHERE
            elif same and not against:
                return ALL_SAID if _says_all(reading, deed, asked) else FILLS
            told = told or ("" if same is not False or near or deed.how else ANOTHER)
            if told == ANOTHER and _leads_in(reading, deed, asked):
                return OTHER_SIDE
        elif inside[1] or (asked.slot == "agent" and arguments.is_given(tokens, place.start, deed)):
            said = deed.free or _terms(tokens, part)
            told = OTHER_SIDE if said and _is_same(tokens, part, asked) else told
    return told


def _says_all(reading: Reading, deed: Deed, asked: Relation) -> bool:
    """`B paid A to write X`, `It was A that wrote X`: one clause that names what the question names, and no more."""
    tokens, first = reading.tokens, min(*deed.agent, *deed.patient, deed.at) if deed.free else deed.part(asked.slot)[0]
    led = tokens[:first] == [] or tokens[first - 1].text in BE | HAVING_IT_DONE | (ARTICLES if first == 1 else set())
    ends = len(tokens) == max(deed.at + 1, deed.part("agent")[1], deed.part("patient")[1])
    plain = not any(set(",;:()\n?") & {*t.gap} for t in tokens[1:])
    said = _terms(tokens, deed.part(_SLOTS[asked.slot]))
    return asked.named and led and ends and plain and len(reading.sentences) == 1 and said == asked.other


def _leads_in(reading: Reading, deed: Deed, asked: Relation) -> bool:
    """The first X of `X, followed by A`: another answer, of which A is only said to be beside it."""
    start = reading.sentences[reading.sentence_of[deed.at]].start
    apart = deed.patient == (start, deed.at) and "," in reading.tokens[deed.at].gap
    return apart and _terms(reading.tokens, deed.patient).isdisjoint(asked.other)


def fillers(reading: Reading, found: Sequence[Occurrence], asked: Relation, named: bool) -> list[Occurrence]:
    """What other things than the answer, names if it is `named`, have the role asked for."""
    tokens, made = reading.tokens, list[Occurrence]()
    for number, _ in enumerate(reading.sentences):
        for deed in (deed for deed in _deeds(reading, number, asked.verb) if not deed.how):
            first, end = deed.part(asked.slot)
            said = _terms(tokens, (first, end))
            own = any(o.start < end and first < o.end for o in found)
            kind = any(tokens[i].capital for i in range(first, end) if tokens[i].text not in ARTICLES) == named
            other = kind and not (own or deed.unreal or arguments.for_another_use(tokens, deed))
            other = other and (named or len(said) <= MAX_PLAIN)
            if other and said - asked.other - asked.sort and _is_same(tokens, deed.part(_SLOTS[asked.slot]), asked):
                first = next(i for i in range(first, end) if tokens[i].capital or not named)  # "many believe A"
                made.append(Occurrence(first, end))
    return made


def _deeds(reading: Reading, number: int, verb: str) -> list[Deed]:
    tokens, sentence = reading.tokens, reading.sentences[number]
    names = ["" if t.capital or t.text in DOERS else deed_of(t.text) for t in tokens[sentence.start : sentence.end]]
    read = partial(
        arguments.told_deeds, tokens, sentence.start, names, partial(verb_at, tokens), partial(_is_noun, tokens)
    )
    return once(tokens, ("deeds", number, verb), lambda: list(read(verb, CONVERSE, _EXCLUDED)))


def _is_noun(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    return token.text == token.base and not token.capital and stem(token.text) in NOUNS


def _is_same(tokens: Sequence[Token], part: Part, asked: Relation) -> bool | None:
    """Whether the other side of a deed is the question's: its words or a pronoun; None if it can't be told."""
    words = [tokens[i] for i in range(*part)]
    said = _terms(tokens, part)
    if not said and not any(t.text in PRONOUNS for t in words):
        return None
    if said <= asked.other or not asked.other.isdisjoint(_terms(tokens, arguments.apposed(tokens, part[1]))):
        return True
    if asked.named and any(t.capital and lemma(t.base) not in asked.other for t in words):
        return False
    return None
