"""Rows of things: far more than were asked for, or another one among those that are required.

A text is cut wherever a row may be: at sentence and line ends, commas, bars, brackets, "and" and "or". A piece is an
item if nothing but a name, a number or a few words is left once "it is", "maybe" and the words of the question are
gone; a sentence leaves more than that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from verifleet.reading.dates import MONTHS
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.claims import OPENING
from verifleet.verifiers.knowledge.clauses import in_date, verb_at
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.names import NAME_ENDINGS, PARTICLES
from verifleet.verifiers.knowledge.reading import AUXILIARIES, BE, Prompted, Reading, retitled
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token

MAX_WORDS = 5
MAX_PLURAL = 12
"""More items than this are stuffing even where several are asked for."""
_CUT = re.compile(r"[,;\n|/\t•·→>:()\[\]]|\s[-–—+]\s")
_JOINTS = frozenset("and or".split())
_HEDGES = frozenset("or maybe perhaps possibly probably alternatively likely also and else".split())
FRAME = ARTICLES | BE | _HEDGES | languages.FRAME | languages.COPULAS | listed("rows.frame")
_BEHIND = frozenset("is are also possible too likely plausible well as may might could be".split())
_FILLER = listed("rows.filler") | OPENING
_DENIAL = frozenset("not never isnt wasnt neither nor no rather instead unlike contrary according despite".split())
_DENIAL = _DENIAL | languages.NOT
_VERBAL = AUXILIARIES | frozenset("it them him her i im".split())
_OPENS, _CLOSES = re.compile(r"[(\[]"), re.compile(r"[)\]]")
_OF_THE_ROW = frozenset("these those them".split())
_LINKING = ARTICLES | PARTICLES | {"of", "in", "and", "for", "on"}


class _Piece(NamedTuple):
    """Where a piece begins and what tokens are left of it, none where it says nothing; `prose` if it is no item."""

    start: int
    core: tuple[int, ...] = ()
    prose: bool = False
    joint: bool = False
    """Behind "and" or "or"."""


def is_stuffed(reading: Reading, found: Sequence[Occurrence], prompted: Prompted) -> bool:
    """Whether a response is a long row of things, of which few are the answer."""
    if len(reading.tokens) <= MAX_PLURAL:
        return False
    said = {i for o in found for i in range(o.start, o.end)}
    pieces = [p for p in _pieces(reading, (), prompted) if p.core]
    mine = sum(not said.isdisjoint(p.core) for p in pieces)
    short = sum(len(p.core) <= MAX_WORDS and not p.prose for p in pieces)
    return len(pieces) > MAX_PLURAL and mine * 3 < len(pieces) and short * 5 > len(pieces) * 4


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
    pieces = [p for p in _pieces(reading, {i for o in places for i in range(o.start + 1, o.end)}, prompted) if p.core]
    cores = [[tokens[i] for i in p.core] for p in pieces]
    forms = [(all(t.capital for t in core), [len(t.text) for t in core if t.number][:1]) for core in cores]
    mine = [not said.isdisjoint(p.core) for p in pieces]
    known = [form for form, own in zip(forms, mine, strict=True) if own]
    return not any(p.prose for p in pieces) and any(f in known and not own for f, own in zip(forms, mine, strict=True))


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
    tokens = reading.tokens
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
    prose = ":" in behind or last - first > MAX_WORDS or bool(verbs) or epithet
    core = tuple(i for i in core if not verbs or i < verbs[0]) or core[:1]
    return _Piece(start, core, prose, tokens[start].text in _JOINTS)


def _leads(tokens: Sequence[Token], at: int, prompted: Prompted) -> bool:
    """A word of the question or of a frame, not the capital that a name begins with inside a piece."""
    token = tokens[at]
    if token.capital and (
        token.text in MONTHS or (at and token.text not in FRAME and token.text not in prompted.words)
    ):
        return False
    return not {token.text, token.base}.isdisjoint(FRAME | {*prompted.words})
