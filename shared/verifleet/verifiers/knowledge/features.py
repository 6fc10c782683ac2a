"""What tells of a place of a response whether the thing that stands there is its answer.

A place is described by its clause: what governs it there, whether the clause speaks of what is asked, what the marks
around it set apart, where in the text it is, what else stands beside it. Each of these is a feature with a name; the
weights of `weighing` say what it is worth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifleet.verifiers.knowledge.claims import (
    BEATING,
    BESIDE,
    COPULAS,
    CREDITED,
    KIN,
    NEXT,
    OPENING,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
    SUBJECTS,
    Sought,
    deed_of,
    degrees,
    doings_of,
    is_bygone,
    is_compared,
    is_frame,
)
from verifleet.verifiers.knowledge.clauses import CONJUNCTIONS, Piece, contracted, lemma, pieces_of, verb_at
from verifleet.verifiers.knowledge.lists import groups, listed
from verifleet.verifiers.knowledge.places import COUNTRIES, PEOPLES
from verifleet.verifiers.knowledge.questions import DOERS, FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import CONCESSIVE, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, stem

ROOT = 5
"""Letters that forms of one word share at least."""
MAX_DESCRIPTION = 5
"""Words that describe a thing in front of it: `the English author X`."""
OPENING_WORDS = 3
"""Words of a sentence that may set it after or against the one before."""
_DASH, _ENDS, _APART = re.compile(r"[—–]|\s-\s"), re.compile(r"[.!?\n]"), re.compile(r"[^\s*_\"'“‘]")
_QUOTES, _EQUALS, _OPERATORS = frozenset("\"“”‘’«»'*_"), frozenset("=≈→≃"), frozenset("×*+÷−")
_AT_TIMES = listed("features.at_times")
_TURNS = frozenset("but however yet actually instead really though aber sondern pero sino mais mas но".split())
CONCLUDES = frozenset("so therefore thus hence consequently accordingly overall finally".split())
_CONCEDES = CONCESSIVE | frozenset("because since as after before when".split())
_RESTATES = frozenset("i.e ie namely meaning equals words aka alias called named".split())
_UNSURE = frozenset("might may could maybe perhaps possibly probably".split())
_RELATIVES = frozenset("who which whose whom where".split())
_RANKS = frozenset("most least last only first 1th 2th 3th 4th 5th 6th".split())
_LESSER = frozenset({"2th", "3th", "4th", "runner", "former", "previous", "next"})
_GOVERNING = frozenset("by of to with from for against as in at on under about than like after before and or".split())
_PLACING = frozenset("in at on of to from for".split())
_JOINING = ARTICLES | {"and", "or"}
_MARKS = frozenset("= - – — | → =>".split())
_GIVEN = listed("names.given")


class Place(NamedTuple):
    """Where something of the sought kind stands, and whether it is the expected answer."""

    start: int
    end: int
    mine: bool


@dataclass(frozen=True, slots=True)
class _Clause:
    """What all places in a clause share."""

    piece: Piece
    number: int
    echoed: frozenset[str]
    """The question's terms in it."""
    verbs: tuple[int, ...]
    own: frozenset[int]
    """Verbs that are the question's."""
    linking: tuple[int, ...]
    related: tuple[int, ...]
    """Words of the relation that is asked for."""
    unrelated: tuple[int, ...]
    """Words of other relations."""
    pronoun: bool
    """It begins with a pronoun."""
    named: bool
    """It names somebody that the question does not."""
    relative: int | None
    """Where the relative clause in it begins."""
    label: bool
    """It is what stands before a colon."""

    @classmethod
    def of(cls, tokens: Sequence[Token], pieces: Sequence[Piece], number: int, asked: Sought) -> _Clause:
        piece = pieces[number]
        verbs = tuple(i for i in piece.tokens if verb_at(tokens, i) or contracted(tokens[i]))
        own = (i for i in piece.tokens if asked.verb and _is_deed(tokens[i], asked))
        linking = tuple(i for i in piece.tokens if tokens[i].text in COPULAS or contracted(tokens[i]))
        wanted, common = _asked_relations(asked), asked.terms - asked.proper
        related, unrelated = [], []
        for i in piece.tokens:
            word = lemma(tokens[i].base)
            said = _relations().get(word, frozenset())
            if word in common or said & wanted:
                related.append(i)
            elif said and not tokens[i].capital:
                unrelated.append(i)
        opening = CONJUNCTIONS | _TURNS | CONCLUDES
        first = tokens[next((i for i in piece.tokens if tokens[i].text not in opening), piece.tokens[0])]
        pronoun = first.base in SUBJECT_PRONOUNS or first.text in ("that", "this")
        named = any(_is_new_name(tokens[i], asked) for i in piece.tokens)
        labels = any(piece.tokens == one.label for one in pieces[number + 1 : number + 2])
        jumps = (b for a, b in pairwise(piece.tokens) if b - a > 1 and tokens[b - 1].text in _RELATIVES)
        return cls(piece, number, _echoed(tokens, piece.tokens, asked), verbs, frozenset(own), linking, tuple(related),
                   tuple(unrelated), pronoun, named, next(jumps, None), labels)  # fmt: skip

    @property
    def said(self) -> int:
        """How much of the question it says."""
        return len(self.echoed) + bool(self.related)


@cache
def _relations() -> dict[str, frozenset[int]]:
    """The groups of words of one relation that a word belongs to: `penned`, `author`."""
    found: dict[str, set[int]] = {}
    for n, group in enumerate(groups("features.relations")):
        for word in group:
            found.setdefault(lemma(word), set()).add(n)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@lru_cache(maxsize=1024)
def _asked_relations(asked: Sought) -> frozenset[int]:
    words = (asked.terms - asked.proper) | {asked.verb, lemma(asked.sort)}
    return frozenset(n for word in words for n in _relations().get(word, ()))


def _is_deed(token: Token, asked: Sought) -> bool:
    """The question's verb, or another for the same deed; not who does it: `the author`."""
    doer = token.text in DOERS or token.text.endswith(("er", "or"))
    return not (doer or token.capital) and deed_of(token.text) == deed_of(asked.verb)


def _is_new_name(token: Token, asked: Sought) -> bool:
    named = token.capital and not token.number and token.text not in FUNCTION_WORDS | OPENING
    return named and lemma(token.base) not in asked.terms


def features(reading: Reading, places: Sequence[Place], asked: Sought) -> list[dict[str, float]]:
    """What tells of each place whether its thing is the answer, by name; what is not there counts nothing."""
    tokens = reading.tokens
    pieces = pieces_of(reading)
    clauses = [_Clause.of(tokens, pieces, n, asked) for n in range(len(pieces))]
    there: dict[int, list[_Clause]] = {}
    for clause in clauses:
        for i in clause.piece.tokens:
            there.setdefault(i, []).append(clause)
    own = [max(there.get(place.start, clauses[:1]), key=lambda one: len(one.echoed)) for place in places]
    top = max((clause.said for clause in clauses if clause.verbs), default=0)
    known = next((place for place in places if place.mine), None)
    made = []
    for n, (place, clause) in enumerate(zip(places, own, strict=True)):
        told: dict[str, float | bool] = {}
        told |= _in_text(reading, places, n, clause, asked)
        told |= _in_question(tokens, place, clause, asked)
        told |= _governed(tokens, place, clause, asked)
        told |= _set_apart(reading, place)
        told |= _among_verbs(tokens, place, clause, asked)
        told |= _beside(tokens, places, n, clause)
        told |= _taken_up(places, n, clause, clauses)
        told["said less than somewhere"] = clause.said < top
        told["said far less than somewhere"] = clause.said + 1 < top
        if known is not None and not place.mine:
            told |= _unlike(tokens, place, known, asked)
        told |= _crossed(told, clause, asked)
        made.append({name: float(value) for name, value in told.items() if value})
    return made


def _crossed(told: Mapping[str, float | bool], clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    """The part of a thing in its clause, together with what is asked and with what the clause is about."""
    part = _part(told)
    kind = "place" if asked.slot == "place" else "person" if asked.person else asked.kind
    of_it = clause.pronoun or not asked.proper or bool(clause.echoed & asked.proper)
    about = ("states" if of_it else "relates") if clause.related else ("of it" if of_it else "else")
    beside = {
        "first": told["first sentence"],
        "last": told["last sentence"] and not told["only sentence"],
        "turns": told["clause turns"] or told["sentence turns"],
        "trails": told["clause trails"],
        "aside": told["clause aside"],
        "taken up": told["taken up"],
        "only": told["only thing"],
        "less": told["said less than somewhere"],
        **{name: told[name] for name in ("another before", "another behind", "others named")},
    }
    crossed: dict[str, float | bool] = {part: True, about: True, f"{part}, {about}": True, f"{kind} {part}": True}
    crossed |= {f"{about}, {name}": value for name, value in beside.items()}
    crossed |= {f"{kind} {word}": told.get(f"behind {word}", False) for word in _PLACING}
    return {**crossed, f"{part}, first": told["first sentence"]}


def _part(told: Mapping[str, object]) -> str:
    """The part of the thing in its clause."""
    parts = {
        "alone": "alone", "opens its clause": "subject", "behind the verb asked for": "behind its verb",
        "equated": "equated", "behind a mark": "set apart", "behind by": "by", "credited": "credited",
        **{f"behind {word}": "governed" for word in _GOVERNING},
    }  # fmt: skip
    return next((part for name, part in parts.items() if told.get(name)), "behind a verb")


def _in_text(
    reading: Reading, places: Sequence[Place], n: int, clause: _Clause, asked: Sought
) -> dict[str, float | bool]:
    place, tokens = places[n], reading.tokens
    number, last = reading.sentence_of[place.start], len(reading.sentences) - 1
    sentence = reading.sentences[number]
    cut = next((i for i in range(place.start, sentence.start, -1) if ";" in tokens[i].gap), sentence.start)
    opening = {t.text for t in tokens[cut : min(cut + OPENING_WORDS, place.start)]}
    rest = [i for i in range(sentence.start, sentence.end) if not place.start <= i < place.end]
    item = _is_item(reading, places, n)
    led, piece = tokens[clause.piece.tokens[0]].text, clause.piece
    return {
        "first sentence": number == 0,
        "last sentence": number == last,
        "only sentence": not last,
        "first of the first": n == 0 and number == 0,
        "first thing": n == 0,
        "last thing": n == len(places) - 1,
        "only thing": len(places) == 1,
        "things before": min(n, 5),
        "things behind": min(len(places) - 1 - n, 5),
        "item": item,
        "whole sentence": not item and all(_is_mere(tokens[i], asked) for i in rest),
        "at a time": not opening.isdisjoint(_AT_TIMES),
        "sentence turns": not opening.isdisjoint(_TURNS),
        "sentence concludes": not opening.isdisjoint(CONCLUDES),
        "sentence concedes": not opening.isdisjoint(_CONCEDES),
        "clause turns": led in _TURNS,
        "clause concedes": led in _CONCEDES,
        "clause concludes": led in CONCLUDES,
        "clause trails": piece.trails,
        "clause aside": piece.aside,
        "relative clause": led in _RELATIVES or (clause.relative is not None and clause.relative <= place.start),
        "label": clause.label,
        "labelled": bool(piece.label),
        "label said": any(lemma(tokens[i].base) in asked.terms for i in piece.label),
    }


def _is_item(reading: Reading, places: Sequence[Place], n: int) -> bool:
    """A line of its own beside another line with a thing: an item of a list or table."""
    number = reading.sentence_of[places[n].start]
    beside = [one for one in places[max(0, n - 1) : n + 2] if abs(reading.sentence_of[one.start] - number) == 1]
    later = [reading.sentences[reading.sentence_of[max(one, places[n]).start]] for one in beside]
    return any("\n" in reading.tokens[sentence.start].gap for sentence in later)


def _in_question(tokens: Sequence[Token], place: Place, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    own = range(place.start, place.end)
    said = clause.echoed - {lemma(tokens[i].base) for i in own}
    common = asked.terms - asked.proper
    words = {tokens[i].text for i in clause.piece.tokens}
    return {
        "terms": len(said) / max(1, len(asked.terms)),
        "names said": len(said & asked.proper) / max(1, len(asked.proper)),
        "words said": len(said & common) / max(1, len(common)),
        "nothing said": not said and not clause.related,
        "rank said": any(term.endswith("est") or term in _RANKS for term in said),
        "another year": _other_year(tokens, clause.piece.tokens, asked),
        "others named": clause.named and bool(asked.proper) and not said & asked.proper,
        "lesser": asked.terms.isdisjoint(_LESSER) and not words.isdisjoint(_LESSER),
        "unsure": not words.isdisjoint(_UNSURE),
        "another": not words.isdisjoint(("other", "another", "others", "also", "too")),
        "bygone": asked.present and is_bygone([tokens[i].text for i in clause.piece.tokens]),
    }


def _other_year(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> bool:
    """`won in 2014`, where 2018 was asked for; `the root of 121`, where that of 144 was."""
    wanted = {p for p in asked.proper if p.isdigit()}
    years = {t.text for i in places if (t := tokens[i]).number and len(t.text) == 4 and t.text.isdigit()}
    pairs = {(tokens[i - 1].text, tokens[i].text) for i in places if i and tokens[i].number}
    other = not pairs & asked.numbered and not {a for a, _ in pairs}.isdisjoint(a for a, _ in asked.numbered)
    return other or (bool(wanted and years) and asked.kind != "number" and not years & wanted)


def _governed(tokens: Sequence[Token], place: Place, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    """What the thing depends on: the verb, preposition or owner before it and its description."""
    before = [i for i in clause.piece.tokens if i < place.start and tokens[i].text not in ARTICLES]
    at, behind = len(before), place.start
    while at and len(before) - at < MAX_DESCRIPTION and _describes(tokens, before[at - 1], behind):
        at -= 1
        behind = before[at]
    words = [tokens[i] for i in before[at:]]
    described: dict[str, float | bool] = {
        "description": len(words),
        "described by a name": any(t.capital for t in words),
        "kin": any(t.text in KIN for t in words),
        "described as asked": any(i in clause.related for i in before[at:]),
    }
    if not at:
        return {**described, "opens its clause": True}
    head, earlier = tokens[before[at - 1]], before[: at - 1]
    if _APART.search(tokens[behind].gap):
        return {**described, "behind a mark": True}
    if before[at - 1] in clause.own:
        return {**described, "behind the verb asked for": True}
    if head.text in COPULAS or contracted(head):
        return {**described, "equated": True, **_equated(tokens, head, earlier, clause)}
    beside = head.text in BESIDE | NEXT or lemma(head.text) in BEATING
    if head.text in _GOVERNING:
        return {**described, f"behind {head.text}": True, **_depends(tokens, place, head, earlier, clause, asked)}
    if beside:
        return {**described, "beside": True, "beaten": lemma(head.text) in BEATING}
    return {
        **described,
        "owned": head.text in ("his", "her", "its", "their", "whose") or head.text != head.base,
        "behind its relation": before[at - 1] in clause.related,
    }


def _describes(tokens: Sequence[Token], at: int, behind: int) -> bool:
    """A plain word or name right before the thing or the rest of its description."""
    word = tokens[at]
    if _APART.search(tokens[behind].gap) or verb_at(tokens, at) or contracted(word) or word.number:
        return False
    closed = _GOVERNING | PREPOSITIONS | BESIDE | COPULAS | FUNCTION_WORDS | CONJUNCTIONS | PRONOUNS
    return word.text not in closed and word.base not in PRONOUNS


def _equated(tokens: Sequence[Token], head: Token, subject: Sequence[int], clause: _Clause) -> dict[str, float | bool]:
    """What is said to be the thing: `the capital is X`, `it is X`, `Norland is X`."""
    asked = any(i in clause.related for i in subject)
    pronoun = any(tokens[i].base in SUBJECT_PRONOUNS | {"that", "this"} for i in subject)
    return {
        "equated to what is asked": asked,
        "equated to a pronoun": pronoun or contracted(head),
        "equated to another": not asked and any(tokens[i].capital for i in subject),
    }


def _depends(
    tokens: Sequence[Token], place: Place, head: Token, earlier: Sequence[int], clause: _Clause, asked: Sought
) -> dict[str, float | bool]:
    """What the preposition before the thing belongs to: `written by X`, `the capital of X`, `from X to`."""
    at = earlier[-1] if earlier else -1
    word = tokens[at] if earlier else None
    if word is None:
        return {}
    noun = not verb_at(tokens, at) and word.text not in FUNCTION_WORDS and at not in clause.related
    return {
        "of the verb asked for": at in clause.own,
        "of a term": lemma(word.base) in asked.terms,
        "of another relation": at in clause.unrelated,
        "of a noun": noun,
        "of kin": word.text in KIN,
        "credited": word.text in CREDITED,
        "next": head.text == "by" and word.text in NEXT,
        "moved to": head.text == "to" and any(tokens[i].text == "from" for i in earlier),
        "left": head.text == "from" and any(t.text == "to" for t in tokens[place.end : place.end + 1]),
        "beside": head.text in BESIDE | NEXT and head.text not in asked.terms,
    }


def _set_apart(reading: Reading, place: Place) -> dict[str, float | bool]:
    """The marks before and behind the thing."""
    tokens = reading.tokens
    before = tokens[place.start].gap if place.start else "\n"
    ends = place.end >= len(tokens)
    behind = reading.text[tokens[place.end - 1].end :] if ends else tokens[place.end].gap
    return {
        "bracket before": "(" in before,
        "line before": "\n" in before,
        "colon before": ":" in before,
        "comma before": "," in before,
        "dash before": bool(_DASH.search(before)),
        "quote before": not _QUOTES.isdisjoint(before),
        "equals before": not _EQUALS.isdisjoint(before),
        "stressed": "**" in before and "**" in behind,
        "reckoned with": not _OPERATORS.isdisjoint(before + behind),
        "bracket behind": "(" in behind,
        "comma behind": "," in behind,
        "dash behind": bool(_DASH.search(behind)),
        "semicolon behind": ";" in behind,
        "quote behind": not _QUOTES.isdisjoint(behind),
        "equals behind": not _EQUALS.isdisjoint(behind),
        "end behind": ends or bool(_ENDS.search(behind)),
    }


def _among_verbs(tokens: Sequence[Token], place: Place, clause: _Clause, asked: Sought) -> dict[str, float | bool]:
    before = [i for i in clause.piece.tokens if i < place.start]
    behind = [i for i in clause.piece.tokens if i >= place.end]
    side = _side(tokens, place, clause, asked)
    owner = tokens[place.end - 1]
    others = before if before and asked.slot == "agent" else behind
    return {
        "verb behind": any(i >= place.end for i in clause.verbs),
        "its verb behind": any(i >= place.end for i in clause.own),
        "its verb right behind": bool(behind) and behind[0] in clause.own,
        "pronoun before": any(tokens[i].base in SUBJECT_PRONOUNS for i in before),
        "pronoun behind": any(tokens[i].base in PRONOUNS for i in behind),
        "words before": min(8, sum(tokens[i].text not in ARTICLES for i in before)),
        "words behind": min(8, len(behind)),
        "verb before": any(i < place.start for i in clause.verbs),
        "alone": all(_is_mere(tokens[i], asked) for i in (*before, *behind)),
        "owner": owner.text != owner.base,
        "side": side,
        "exchanged": side < 0 and any(lemma(tokens[i].base) in asked.proper for i in others),
        "to another": asked.slot == "agent" and _done_to_another(tokens, behind, clause, asked),
        "compared": is_compared(tokens, place.start, asked),
        "restated": any(t.text in _RESTATES for t in tokens[max(0, place.start - 3) : place.start]),
        **_right_behind(tokens, place, behind, asked),
    }


def _right_behind(
    tokens: Sequence[Token], place: Place, behind: Sequence[int], asked: Sought
) -> dict[str, float | bool]:
    """A plain noun behind a name (`X sergeants`), or what a number counts."""
    word = tokens[behind[0]] if behind else None
    if word is None or word.gap != " " or word.capital or verb_at(tokens, behind[0]):
        return {}
    noun = word.text not in FUNCTION_WORDS | PREPOSITIONS | CONJUNCTIONS | BESIDE
    if asked.kind != "number":
        return {"plain word behind": noun}
    counted = noun and tokens[place.end - 1].number and word.text not in UNITS
    return {"counts another": counted and lemma(word.base) not in asked.terms}


def _side(tokens: Sequence[Token], place: Place, clause: _Clause, asked: Sought) -> int:
    """1 on the side of the question's verb on which the answer stands, -1 on the other."""
    if asked.slot not in ("agent", "patient") or not clause.own or tokens[place.start].gap.strip() in _MARKS:
        return 0
    helping = {i for i in clause.linking if i + 1 in clause.own or i + 2 in clause.own}
    helping |= {i for i in clause.own if [t.text for t in tokens[i + 1 : i + 2]] == ["by"]}  # "X is the thing made by"
    agents = any(tokens[i].text == "by" for i in clause.piece.tokens if place.start - 4 <= i < place.start)
    agents = agents or (not helping and any(i >= place.end for i in clause.own))
    patients = any((i >= place.end) if helping else (i < place.start) for i in clause.own)
    if patients and any(i < place.start for i in clause.linking if i not in helping):
        patients = False  # "the one who won was X"
    if not (agents or patients):
        return 0
    return 1 if (agents if asked.slot == "agent" else patients) else -1


def _done_to_another(tokens: Sequence[Token], behind: Sequence[int], clause: _Clause, asked: Sought) -> bool:
    """`X painted the bridge`, where the question asks who painted the harbour."""
    at = next((n for n, i in enumerate(behind) if i in clause.own), None)
    done_to = [tokens[i] for i in behind[at + 1 :]] if at is not None else []
    if not done_to or done_to[0].text == "by" or any(t.base in PRONOUNS for t in done_to):
        return False
    words = [t for t in done_to if not t.number and t.text not in FUNCTION_WORDS and not t.text.endswith("ly")]
    return bool(words) and not any({lemma(t.base), lemma(t.text)} & asked.terms for t in words)


def _beside(tokens: Sequence[Token], places: Sequence[Place], n: int, clause: _Clause) -> dict[str, float | bool]:
    """The other things around one."""
    place = places[n]

    def joined(one: Place, other: Place) -> bool:
        between = range(one.end, other.start)
        both = one.mine and other.mine
        return not both and len(between) <= 2 and all(tokens[i].text in _JOINING for i in between)

    def apposed(one: Place, other: Place) -> bool:
        return one.end == other.start and tokens[other.start].gap.strip() == ","

    others = [one for one in places if one is not place and one.start in clause.piece]
    return {
        "joined before": n > 0 and joined(places[n - 1], place),
        "joined behind": n + 1 < len(places) and joined(place, places[n + 1]),
        "apposed before": n > 0 and apposed(places[n - 1], place),
        "apposed behind": n + 1 < len(places) and apposed(place, places[n + 1]),
        "another before": any(one.start < place.start for one in others),
        "another behind": any(one.start > place.start for one in others),
    }


def _taken_up(places: Sequence[Place], n: int, clause: _Clause, clauses: Sequence[_Clause]) -> dict[str, float | bool]:
    """What the next clause says of the thing with a pronoun, and what a pronoun of its own clause goes back to."""
    place = places[n]
    opens = not any(one.start in clause.piece for one in places[:n])
    behind = next((c for c in clauses[clause.number + 1 :] if c.piece.tokens[0] > place.start), None)
    taken = opens and behind is not None and behind.pronoun
    before = clauses[clause.number - 1] if clause.number else None
    asked_before = before is not None and bool(before.related) and not clause.related
    empty = before is not None and not any(one.start in before.piece for one in places)
    return {
        "taken up": taken,
        "said of it behind": min(3, len(behind.echoed - clause.echoed)) if behind is not None and taken else 0,
        "relation said behind": taken and behind is not None and bool(behind.related),
        "refers back": clause.pronoun and before is not None,
        "refers back to what is asked": clause.pronoun and asked_before,
        "behind what is asked": asked_before and empty,
    }


def _unlike(tokens: Sequence[Token], place: Place, known: Place, asked: Sought) -> dict[str, float | bool]:
    """How far another thing is of another sort than the expected answer."""
    if asked.kind == "number":
        return {"of another unit": unit_of(tokens, place) != unit_of(tokens, known)}
    if asked.kind != "name":
        return {}
    sort = _sort(tokens, known)
    told: dict[str, float | bool] = {
        f"{'' if held else 'not '}{name}, unlike the answer": True
        for name, held in _sort(tokens, place).items()
        if held != sort[name]
    }
    return told


def _sort(tokens: Sequence[Token], place: Place) -> dict[str, bool]:
    """What sort of thing a name is, as far as short lists tell."""
    words = tuple(t.base for t in tokens[place.start : place.end] if t.text not in ARTICLES)
    return {
        "a person": len(words) > 1 and words[0] in _GIVEN,
        "a country": words in COUNTRIES,
        "a people": words in PEOPLES,
        "of one word": len(words) == 1,
        "of many words": len(words) > 3,
        "quoted": not _QUOTES.isdisjoint(tokens[place.start].gap),
        "numbered": any(t.number for t in tokens[place.start : place.end]),
    }


def unit_of(tokens: Sequence[Token], place: Place | Occurrence) -> frozenset[str]:
    """The unit of a number, if it has one: of `32 °F` the degree and its scale."""
    near = range(place.end, min(place.end + 2, len(tokens)))
    end = next((i for i in near if tokens[i].gap.strip(" -")), near.stop)
    return frozenset(word for t in tokens[place.start : end] if (word := stem(t.text)) in UNITS)


def _is_mere(token: Token, asked: Sought) -> bool:
    """A word that says no more than that an answer is given, nor does anything."""
    if token.text in COPULAS | SUBJECTS | UNITS:
        return True
    return is_frame(token, asked) and not (asked.verb and _is_deed(token, asked))


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
