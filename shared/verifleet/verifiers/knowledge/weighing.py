"""How likely it is the expected answer that a response puts forward, and not another thing of its kind.

Every place where one of them stands is described by its clause: what governs it, which words of the question are said
there and on which side, what the marks around it set apart, where in the text it is. A log-linear model scores the
places; the answer is what stands at one of them, or none of these. `tools/train_weighing.py` fits the weights.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from verifleet.verifiers.knowledge.claims import (
    BEATING,
    BESIDE,
    COPULAS,
    CREDITED,
    NEXT,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
    SUBJECTS,
    Sought,
    candidates,
    deed_of,
    degrees,
    doings_of,
    is_bygone,
    is_frame,
)
from verifleet.verifiers.knowledge.clauses import CONJUNCTIONS, Piece, contracted, lemma, pieces_of, verb_at
from verifleet.verifiers.knowledge.lists import weights
from verifleet.verifiers.knowledge.questions import DOERS, FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token

ROOT = 5
"""Letters that forms of one word share at least."""
MAX_PLACES = 60
MAX_DESCRIPTION = 5
"""Words that describe a thing in front of it: `the English author X`."""
_OPENING = 3
"""Words of a sentence that may set it after or against the one before."""
_DASH = re.compile(r"[—–]|\s-\s")
_QUOTES = frozenset("\"“”‘’«»'*_")
_ENDS = re.compile(r"[.!?\n]")
_APART = re.compile(r"[^\s*_\"'“‘]")
_AT_TIMES = frozenset(
    "later after afterwards then next since eventually subsequently following before earlier previously formerly "
    "former once originally initially until already first".split()
)
_RANKS = frozenset("most least last only first 1th 2th 3th 4th 5th 6th".split())
_RELATIONS = frozenset("by of to with from for against as in".split())
_JOINING = ARTICLES | {"and", "or"}
NOTHING = "nothing"
"""The name of the weight of what no place tells."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """What all places in a clause share: the question's terms in it, its verbs, and which of them is the question's."""

    piece: Piece
    echoed: frozenset[str]
    verbs: tuple[int, ...]
    own: frozenset[int]
    linking: tuple[int, ...]

    @classmethod
    def of(cls, tokens: Sequence[Token], piece: Piece, asked: Sought) -> _Clause:
        verbs = tuple(i for i in piece.tokens if verb_at(tokens, i) or contracted(tokens[i]))
        deed = deed_of(asked.verb)
        own = (i for i in piece.tokens if asked.verb and deed_of(tokens[i].text) == deed)
        linking = tuple(i for i in piece.tokens if tokens[i].text in COPULAS or contracted(tokens[i]))
        return cls(piece, _echoed(tokens, piece.tokens, asked), verbs, frozenset(own), linking)


def likelihood(
    reading: Reading,
    kept: Sequence[Occurrence],
    found: Sequence[Occurrence],
    asked: Sought,
    stands: Callable[[Occurrence], bool],
) -> float | None:
    """How likely the response answers with what stands at `kept`, from 0 to 1; None where too much stands there.

    `found` is wherever the expected answer stands; `stands` tells of a rival's place that no guard holds it back.
    """
    places = places_of(reading, kept, found, asked)
    if len(places) > MAX_PLACES:
        return None
    known = weights()
    mine = others = 0.0
    for place, described in zip(places, features(reading, places, kept, asked), strict=True):
        if place in kept:
            mine += math.exp(_score(described, known))
        elif stands(place):
            others += math.exp(_score(described, known))
    return mine / (mine + others + math.exp(known[NOTHING]))


def _score(described: Mapping[str, float], known: Mapping[str, float]) -> float:
    return min(30.0, sum(known.get(name, 0.0) * value for name, value in described.items()))


def places_of(
    reading: Reading, kept: Sequence[Occurrence], found: Sequence[Occurrence], asked: Sought
) -> list[Occurrence]:
    """Where the expected answer or another thing of its kind stands, in order."""
    mine = {i for place in found for i in range(place.start, place.end)}
    pieces = pieces_of(reading)
    labels = {piece.label for piece in pieces}
    others = {span for one in pieces if one.tokens not in labels for span in candidates(reading, one, asked)}
    rivals = [Occurrence(*span) for span in others if mine.isdisjoint(range(*span))]
    return sorted([*kept, *rivals], key=lambda place: (place.start, place.end))


def features(
    reading: Reading, places: Sequence[Occurrence], kept: Collection[Occurrence], asked: Sought
) -> list[dict[str, float]]:
    """What tells of each place whether its thing is the answer, by name; what is not there counts nothing."""
    tokens = reading.tokens
    clauses = [_Clause.of(tokens, piece, asked) for piece in pieces_of(reading)]
    there: dict[int, list[_Clause]] = {}
    for clause in clauses:
        for i in clause.piece.tokens:
            there.setdefault(i, []).append(clause)
    made = []
    for n, place in enumerate(places):
        clause = max(there.get(place.start, clauses[:1]), key=lambda one: len(one.echoed))
        told: dict[str, float | bool] = {}
        told |= _in_text(reading, place, asked)
        told |= _in_question(tokens, place, clause, asked)
        told |= _governed(tokens, place, clause, asked)
        told |= _set_apart(reading, place)
        told |= _among_verbs(tokens, place, clause, asked)
        told |= _beside(tokens, places, n, kept, clause)
        made.append({name: float(value) for name, value in told.items() if value})
    return made


def _in_text(reading: Reading, place: Occurrence, asked: Sought) -> dict[str, float | bool]:
    number, last = reading.sentence_of[place.start], len(reading.sentences) - 1
    sentence, tokens = reading.sentences[number], reading.tokens
    opening = {t.text for t in tokens[sentence.start : min(sentence.start + _OPENING, place.start)]}
    rest = [i for i in range(sentence.start, sentence.end) if not place.start <= i < place.end]
    return {
        "sentence": min(number, 5),
        "last sentence": number == last,
        "only sentence": not last,
        "at a time": not opening.isdisjoint(_AT_TIMES),
        "whole sentence": all(_is_mere(tokens[i], asked) for i in rest),
    }


def _in_question(tokens: Sequence[Token], place: Occurrence, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    said = clause.echoed - {lemma(tokens[i].base) for i in range(place.start, place.end)}
    common = asked.terms - asked.proper
    before = [i for i in clause.piece.tokens if i < place.start]
    return {
        "terms": len(said) / max(1, len(asked.terms)),
        "terms said": min(len(said), 5),
        "names said": len(said & asked.proper) / max(1, len(asked.proper)),
        "words said": len(said & common) / max(1, len(common)),
        "rank said": any(term.endswith("est") or term in _RANKS for term in said),
        "terms before": min(4, len(_echoed(tokens, before[-12:], asked))),
    }


def _governed(tokens: Sequence[Token], place: Occurrence, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    """What the thing depends on: the verb, preposition or owner before it and its description."""
    before = [i for i in clause.piece.tokens if i < place.start and tokens[i].text not in ARTICLES]
    at = len(before)
    behind = place.start
    named = False
    while at and len(before) - at < MAX_DESCRIPTION and _describes(tokens, before[at - 1], behind):
        at -= 1
        behind = before[at]
        named |= tokens[behind].capital
    described = {"description": len(before) - at, "described by a name": named}
    if not at:
        return {**described, "opens its clause": True}
    place_of, head = before[at - 1], tokens[before[at - 1]]
    if _APART.search(tokens[behind].gap):
        return {**described, "behind a mark": True}
    if place_of in clause.own and head.text not in DOERS:
        return {**described, "behind the verb asked for": True}
    if head.text in COPULAS or contracted(head):
        return {**described, "equated": True}
    if head.text in _RELATIONS:
        earlier = before[at - 2] if at > 1 else None
        return {
            **described,
            f"behind {head.text}": True,
            "of the verb asked for": earlier in clause.own,
            "of a term": earlier is not None and lemma(tokens[earlier].base) in asked.terms,
            "credited": earlier is not None and tokens[earlier].text in CREDITED,
        }
    if head.text in BESIDE | NEXT or lemma(head.text) in BEATING:
        return {**described, "beside": True}
    return {**described, "owned": head.text in ("his", "her", "its", "their", "whose") or head.text != head.base}


def _describes(tokens: Sequence[Token], at: int, behind: int) -> bool:
    """A plain word or name right before the thing or the rest of its description."""
    word = tokens[at]
    if _APART.search(tokens[behind].gap) or verb_at(tokens, at) or contracted(word) or word.number:
        return False
    closed = PREPOSITIONS | BESIDE | COPULAS | FUNCTION_WORDS | CONJUNCTIONS | PRONOUNS | {"and", "or"}
    return word.text not in closed and word.base not in PRONOUNS


def _set_apart(reading: Reading, place: Occurrence) -> dict[str, float | bool]:
    """The marks before and behind the thing."""
    tokens = reading.tokens
    before = tokens[place.start].gap if place.start else "\n"
    ends = place.end >= len(tokens)
    behind = reading.text[tokens[place.end - 1].end :] if ends else tokens[place.end].gap
    return {
        "bracket before": "(" in before,
        "line before": "\n" in before,
        "colon before": ":" in before,
        "bracket behind": "(" in behind,
        "comma behind": "," in behind,
        "dash behind": bool(_DASH.search(behind)),
        "semicolon behind": ";" in behind,
        "quote behind": not _QUOTES.isdisjoint(behind),
        "end behind": ends or bool(_ENDS.search(behind)),
    }


def _among_verbs(tokens: Sequence[Token], place: Occurrence, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    before = [i for i in clause.piece.tokens if i < place.start]
    behind = [i for i in clause.piece.tokens if i >= place.end]
    return {
        "verb before": any(i < place.start for i in clause.verbs),
        "verb behind": any(i >= place.end for i in clause.verbs),
        "linked before": any(i < place.start for i in clause.linking),
        "linked behind": any(i >= place.end for i in clause.linking),
        "pronoun before": any(tokens[i].base in SUBJECT_PRONOUNS for i in before),
        "words before": min(8, sum(tokens[i].text not in ARTICLES for i in before)),
        "words behind": min(8, len(behind)),
        "alone": all(_is_mere(tokens[i], asked) for i in (*before, *behind)),
        "bygone": asked.present and is_bygone([tokens[i].text for i in clause.piece.tokens]),
        "side": _side(tokens, place, clause, asked),
    }


def _side(tokens: Sequence[Token], place: Occurrence, clause: _Clause, asked: Sought) -> int:
    """1 on the side of the question's verb on which the answer stands, -1 on the other."""
    if asked.slot not in ("agent", "patient") or not clause.own:
        return 0
    passive = any(i + 1 in clause.own or i + 2 in clause.own for i in clause.linking)
    agents = any(tokens[i].text == "by" for i in clause.piece.tokens if place.start - 4 <= i < place.start)
    agents = agents or (not passive and any(i >= place.end for i in clause.own))
    patients = any((i >= place.end) if passive else (i < place.start) for i in clause.own)
    return 1 if (agents if asked.slot == "agent" else patients) else -1


def _beside(
    tokens: Sequence[Token], places: Sequence[Occurrence], n: int, kept: Collection[Occurrence], clause: _Clause
) -> dict[str, float | bool]:
    """The other things around one."""
    place = places[n]

    def joined(one: Occurrence, other: Occurrence) -> bool:
        between = range(one.end, other.start)
        both = one in kept and other in kept
        return not both and len(between) <= 2 and all(tokens[i].text in _JOINING for i in between)

    def apposed(one: Occurrence, other: Occurrence) -> bool:
        return one.end == other.start and tokens[other.start].gap.strip() == ","

    near = (*range(max(0, place.start - 2), place.start), *range(place.end, min(place.end + 2, len(tokens))))
    return {
        "joined before": n > 0 and joined(places[n - 1], place),
        "joined behind": n + 1 < len(places) and joined(place, places[n + 1]),
        "apposed before": n > 0 and apposed(places[n - 1], place),
        "apposed behind": n + 1 < len(places) and apposed(place, places[n + 1]),
        "or": any(tokens[i].text == "or" for i in near),
        "another before": any(one.start < place.start and one.start in clause.piece for one in places),
    }


def _is_mere(token: Token, asked: Sought) -> bool:
    return is_frame(token, asked) or token.text in COPULAS | SUBJECTS | UNITS


def _echoed(tokens: Sequence[Token], places: Iterable[int], asked: Sought) -> frozenset[str]:
    """The question's terms that some words take up, in whatever form."""
    words = [tokens[i] for i in places]
    said = {lemma(t.base) for t in words} | {lemma(t.text) for t in words}
    roots = {word[:ROOT] for word in said if len(word) >= ROOT}
    found = {t for t in asked.terms if t in said or (len(t) >= ROOT and t[:ROOT] in roots) or doings_of(t) & said}
    found |= asked.terms & {root for word in said for root in doings_of(word)} | asked.terms & degrees(words)
    if any(t.capital and t.text in asked.initials for t in words):
        found |= asked.proper
    if asked.verb in asked.terms and deed_of(asked.verb) in map(deed_of, said):
        found |= {asked.verb}
    return frozenset(found)
