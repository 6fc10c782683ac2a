"""Several answers to one question: a response that is a row of bare things of one kind, of which the answer is one.

A text is cut wherever a row may be: at sentence and line ends, commas, bars, brackets, "and" and "or". A piece is an
item if nothing but a name, a number or a few words is left once "it is", "maybe" and the words of the question are
gone; a sentence leaves more than that. What is apposed to an answer is of another kind ("Ana Lindt, painter") or a
place that it lies in ("Norburg, Freedonia").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.claims import OPENING
from verifleet.verifiers.knowledge.clauses import in_date, verb_at
from verifleet.verifiers.knowledge.dates import MONTHS, find_dates
from verifleet.verifiers.knowledge.golds import Gold
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.names import NAME_ENDINGS, PARTICLES, TITLES
from verifleet.verifiers.knowledge.places import holds_places
from verifleet.verifiers.knowledge.reading import AUXILIARIES, BE, Prompted, Reading, retitled
from verifleet.verifiers.knowledge.spans import Occurrence, same_script
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, once, stem

MAX_WORDS = 5
MAX_SYMBOLS = 5
MAX_PLURAL = 12
"""More items than this are stuffing even where several are asked for."""
_CUT = re.compile(r"[,;\n|/\t•·→>:()\[\]]|\s[-–—+]\s")
_HARD = re.compile(r"[;\n|\t•·→>/.!?]")
"""What stands between things that are no apposition to each other."""
_JOINTS = frozenset("and or".split())
_HEDGES = frozenset("or maybe perhaps possibly probably alternatively likely also and else".split())
_FRAME = ARTICLES | BE | _HEDGES | languages.FRAME | languages.COPULAS | listed("rows.frame")
_BEHIND = frozenset("is are also possible too likely plausible well as may might could be".split())
_FILLER = listed("rows.filler") | OPENING
_DENIAL = frozenset("not never isnt wasnt neither nor no rather instead unlike contrary according despite".split())
_DENIAL = _DENIAL | languages.NOT
_VERBAL = AUXILIARIES | frozenset("it them him her i im".split())
_OPENS, _CLOSES = re.compile(r"[(\[]"), re.compile(r"[)\]]")
_OF_THE_ROW = frozenset("these those them".split())
_PREPOSITIONS = tuple("in on at by from for with during since near".split())
_LINKING = ARTICLES | PARTICLES | {"of", "in", "and", "for", "on"}
# What a person may be said to be, or to belong to.
_NO_PERSON = listed("rows.no_person") | TITLES


class _Piece(NamedTuple):
    """Where a piece begins and what tokens are left of it, none where it says nothing; `prose` if it is no item."""

    start: int
    core: tuple[int, ...] = ()
    prose: bool = False
    led: str = ""
    """The preposition, pronoun or "is" that leads in, or whatever else of a frame does."""
    hard: bool = False
    """Cut off by more than a comma."""
    joint: bool = False
    """Behind "and" or "or"."""


def row(
    reading: Reading, found: Sequence[Occurrence], golds: Sequence[Gold], prompted: Prompted, retracted: int
) -> str:
    """`list of candidates` if the answer is one of several given to a question for one, else an empty string.

    What ends before the offset `retracted` in the text was taken back and is no candidate.
    """
    tokens, said = reading.tokens, frozenset(i for o in found for i in range(o.start, o.end))
    inside = frozenset(i for o in found for i in range(o.start + 1, o.end))
    pieces = once(tokens, ("row", inside, prompted.words), lambda: _pieces(reading, inside, prompted))
    pieces = [p for p in pieces if p.core and tokens[p.core[0]].start >= retracted]
    mine = [p for p in pieces if said.intersection(p.core)]
    short = sum(len(p.core) <= MAX_WORDS and not p.prose for p in pieces)
    if len(pieces) > MAX_PLURAL and len(mine) * 3 < len(pieces) and short * 5 > len(pieces) * 4:
        return "list of candidates"
    own = next((p for p in mine if not p.prose), None)
    if own is None or prompted.definition or any(g.parts for g in golds):
        return ""
    named = all(g.capital for g in golds)
    others = [p for p in pieces if p not in mine and not p.prose and p.led in ("", "is", own.led)]
    others = [p for p in others if max(p, own).hard or not max(p, own).led]  # "As far as I know, it is X"
    others = [
        p for p in others if p > own or p.led or not own.led or "!" not in tokens[own.start].gap
    ]  # "Nice one! It is X"
    whole = named or any(tokens[i].number for i in own.core) or said.issuperset(own.core)
    others = [p for p in others if whole and _alike(tokens, own, p, named)]
    return "list of candidates" if others and _is_row(tokens, pieces, mine, own, others, golds, prompted) else ""


def more_items(reading: Reading, places: Sequence[Occurrence], prompted: Prompted) -> bool:
    """`red, green and black` for red and green: another thing of the same kind in the row of what is required."""
    tokens, said = reading.tokens, frozenset(i for o in places for i in range(o.start, o.end))
    pieces = _pieces(reading, frozenset(i for o in places for i in range(o.start + 1, o.end)), prompted)
    for before, after in pairwise(pieces):
        mine, other = (before, after) if said.intersection(before.core) else (after, before)
        if (
            not (after.joint or "," in tokens[after.start].gap)
            or not said.intersection(mine.core)
            or said.intersection(other.core)
        ):
            continue
        first, item = tokens[min(said.intersection(mine.core))], [tokens[i] for i in other.core]
        plain = len(item) == 1 and not item[0].text.endswith(("ly", "ed", "ing"))
        if (
            item
            and not any(t.number or t.text in _FILLER for t in item)
            and (all(t.capital for t in item) if first.capital else plain)
        ):
            return len(item) <= MAX_WORDS // 2 + 1
    return False


def is_longer_row(reading: Reading, places: Sequence[Occurrence], prompted: Prompted) -> bool:
    """`red, blue, green` for red and blue: a response that is a row of things and no more, and not of these alone."""
    tokens, said = reading.tokens, frozenset(i for o in places for i in range(o.start, o.end))
    inside = frozenset(i for o in places for i in range(o.start + 1, o.end))
    pieces = [p for p in _pieces(reading, inside, prompted) if p.core]
    mine = [p for p in pieces if said.intersection(p.core)]
    if any(p.prose for p in pieces) or not mine:
        return False
    own, named = mine[0], all(tokens[i].capital for i in mine[0].core)
    others = [p for p in pieces if p not in mine and p.led in {m.led for m in mine}]
    return any(all(tokens[i].capital for i in p.core) == named and _alike(tokens, own, p, named) for p in others)


def _is_row(
    tokens: Sequence[Token], pieces: Sequence[_Piece], mine: Sequence[_Piece], own: _Piece, others: Sequence[_Piece],
    golds: Sequence[Gold], prompted: Prompted,
) -> bool:  # fmt: skip
    """Whether the pieces are nothing but things of one kind, or two sentences of one form stand side by side."""
    number = any(tokens[i].number for i in own.core)
    whole = all(p in mine or p in others or (number and tokens[p.core[0]].number) for p in pieces)
    if prompted.plural:
        return whole and _too_many(prompted, len(mine), len(pieces))
    if not whole:
        at = pieces.index(own)
        beside = [p for p in pieces[max(0, at - 1) : at + 2] if p in others]
        return bool(own.led) and any(p.led and max(p, own).hard for p in beside)
    last = max((own, *others))
    chained = own is pieces[0] or holds_places([tokens[i].text for i in own.core])
    if chained and last is not own and not last.hard and holds_places([tokens[i].text for i in last.core]):
        return False  # "Ajaccio, Corsica, France"
    if len(others) > 1 or any(max(p, own).hard for p in others) or any(tokens[i].number for i in own.core):
        return True
    if last.joint:
        return prompted.words[:1] != ("who",) or prompted.words[1:3] in (("was", "the"), ("is", "the"))
    mine_words, its = ([tokens[i].text for i in p.core] for p in (own, others[0]))
    if any(g.person or g.name for g in golds):
        return _NO_PERSON.isdisjoint(its) and (last is own or len(its) == len(mine_words))
    symbols = len(its) == len(mine_words) == 1 and len(its[0] + mine_words[0]) <= MAX_SYMBOLS
    return tokens[own.core[0]].capital and len(its) == 1 and (last is own or "capital" in prompted.words or symbols)


def _too_many(prompted: Prompted, matched: int, count: int) -> bool:
    """More things than were asked for, or far more than are right."""
    stated = {w for w in prompted.words if w.isascii() and w.isdigit() and 1 < int(w[:4]) <= MAX_PLURAL}
    if prompted.several and str(matched) in stated and count > matched:
        return True
    return count > MAX_PLURAL or (count > 6 and matched * 3 < count and not prompted.several)


def _pieces(reading: Reading, inside: Collection[int], prompted: Prompted) -> list[_Piece]:
    starts = [at for at in range(len(reading.tokens)) if not at or _cut(reading, at, inside)]
    found: list[_Piece] = []
    depth, denied = 0, False
    for start, end in pairwise((*starts, len(reading.tokens))):
        gap = reading.tokens[start].gap
        depth = max(0, depth + len(_OPENS.findall(gap)) - len(_CLOSES.findall(gap)))
        if not depth or (_OPENS.search(gap) and reading.tokens[start].text in _HEDGES):
            goes_on = denied and reading.tokens[start].text in ("or", "nor")  # "and not Y or Z"
            denied = goes_on or not _DENIAL.isdisjoint(t.text for t in reading.tokens[start:end])
            found.append(_Piece(start) if goes_on else _piece(reading, start, end, prompted))
    return found


def _cut(reading: Reading, at: int, inside: Collection[int]) -> bool:
    """Whether a piece begins with a token; never inside a place of the answer."""
    tokens = reading.tokens
    if reading.sentence_of[at] != reading.sentence_of[at - 1]:
        return True
    if at in inside or tokens[at].text in NAME_ENDINGS or in_date(tokens, at) or retitled(tokens, at):
        return False
    label = tokens[at].text == "answer" and any(":" in t.gap for t in tokens[at + 1 : at + 2])
    return label or tokens[at].text in _JOINTS or _CUT.search(tokens[at].gap) is not None


def _piece(reading: Reading, start: int, end: int, prompted: Prompted) -> _Piece:
    tokens, gap = reading.tokens, reading.tokens[start].gap
    words = [t.text for t in tokens[start:end]]
    behind = tokens[end].gap if end < len(tokens) else ""
    mark = len(words) == 1 and len(words[0]) < 3 and behind.startswith((". ", ") "))  # "1. Oslo"
    if mark or reading.sentences[reading.sentence_of[start]].barred or not _DENIAL.isdisjoint(words):
        return _Piece(start)
    first, last = start, end
    while first < end and _leads(tokens, first, prompted):
        first += 1
    while last > first and tokens[last - 1].text in _BEHIND:
        last -= 1
    core = tuple(i for i in range(first, last) if tokens[i].text not in _LINKING | {*prompted.words})
    told = not _OF_THE_ROW.isdisjoint(words) and not any(
        tokens[i].capital or tokens[i].number for i in core if i > start
    )
    if told or all(
        tokens[i].text in _FILLER or (len(tokens[i].text) > 5 and tokens[i].text.endswith("ly")) for i in core
    ):
        return _Piece(start)  # "Any of these could be right."
    verbs = [i for i in range(first, last) if tokens[i].text in _VERBAL or (last - first > 1 and verb_at(tokens, i))]
    verbs = [i for i in verbs if not tokens[i].capital]
    epithet = words[0] in ARTICLES and "of" in words and not tokens[core[0]].number
    leads = {w for t in tokens[start : core[0]] for w in (t.text, t.base)}
    led = next((w for w in (*_PREPOSITIONS, "it") if w in leads), "is" if leads & (BE | {"answer"}) else "")
    led = led or " ".join(sorted(leads - ARTICLES - _HEDGES - _JOINTS))
    hard = start > 0 and (reading.sentence_of[start] != reading.sentence_of[start - 1] or bool(_HARD.search(gap)))
    prose = ":" in behind or last - first > MAX_WORDS or bool(verbs) or epithet
    core = tuple(i for i in core if not verbs or i < verbs[0]) or core[:1]
    return _Piece(start, core, prose, led, hard, tokens[start].text in _JOINTS)


def _leads(tokens: Sequence[Token], at: int, prompted: Prompted) -> bool:
    """A word of the question or of a frame, not the capital that a name begins with inside a piece."""
    token = tokens[at]
    if token.capital and (
        token.text in MONTHS or (at and token.text not in _FRAME and token.text not in prompted.words)
    ):
        return False
    return not {token.text, token.base}.isdisjoint(_FRAME | {*prompted.words})


def _alike(tokens: Sequence[Token], own: _Piece, other: _Piece, named: bool) -> bool:
    """Whether another piece is another answer of the same sort: two names, numbers of one thing, plain words."""
    mine, its = ([tokens[i] for i in p.core] for p in (own, other))
    marked = [t for t in its if t.capital or t.number]
    if (marked and not {t.base for t in marked} - {t.base for t in mine}) or not same_script(mine[0].text, its[0].text):
        return False  # "Оттава (Ottawa)"
    kinds = [(bool(find_dates(ts)), _years(ts)[:1], _units(ts)) for ts in (mine, its)]
    if kinds[0][1] or kinds[1][1]:
        return kinds[0] == kinds[1] and "percent" not in kinds[0][2] and _plain(mine) >= _plain(its)
    if named and any(t.capital for t in mine):
        return any(t.capital for t in its) and _plain(mine) == _plain(its)
    return not (own.led or any(t.capital for t in its[1:])) and len(mine + its) <= MAX_WORDS


def _plain(tokens: Sequence[Token]) -> set[str]:
    """The words without capitals, numbers and units aside."""
    return {stem(t.base) for t in tokens if not (t.capital or t.number or stem(t.text) in UNITS)}


def _years(tokens: Sequence[Token]) -> list[bool]:
    """Whether each number may be a year; digits that belong to a symbol (`CO2`) are no number."""
    numbers = (t for n, t in enumerate(tokens) if t.number and (not n or t.gap))
    return [len(t.text) == 4 and t.text.isdigit() for t in numbers]


def _units(tokens: Sequence[Token]) -> set[str]:
    return {stem(t.text) for t in tokens if stem(t.text) in UNITS}
