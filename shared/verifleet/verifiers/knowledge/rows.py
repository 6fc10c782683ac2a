"""Rows of things: far more than were asked for, or another one among those that are required.

A text is cut wherever a row may be: at sentence and line ends, commas, bars, brackets, "and" and "or". A piece is an
item if nothing but a name, a number or a few words is left once "it is", "maybe" and the words of the question are
gone; a sentence leaves more than that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile
from math import inf
from typing import NamedTuple

from verifleet.reading.dates import MONTHS
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.claims import OPENING
from verifleet.verifiers.knowledge.clauses import in_date, verb_at
from verifleet.verifiers.knowledge.denials import last_retraction
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.names import NAME_ENDINGS
from verifleet.verifiers.knowledge.reading import AUXILIARIES, BE, Prompted, Reading, retitled
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, Token

MAX_WORDS = 5
SHORT_ROW = 3
MAX_PLURAL = 12
"""More items than this are stuffing even where several are asked for."""
_CUT = re.compile(r"[,;\n|/\t•·→>:()\[\]]|\s[-–—+]\s")
_JOINTS, _WHEN = frozenset("and or plus".split()), frozenset("when whenever if while".split())
_WITHIN = frozenset("from in at".split())
_LINKS, _MARK = re.compile(r"[,;/|]"), re.compile(r"(?:\n|^)[ \t]*[-*+•·–][ \t]")
_HEDGES = frozenset("or maybe perhaps possibly probably alternatively likely also and else".split())
FRAME = ARTICLES | BE | _HEDGES | languages.FRAME | languages.COPULAS | listed("rows.frame")
_BEHIND = frozenset("is are also possible too likely plausible well as may might could be".split())
_FILLER = listed("rows.filler") | OPENING
_DENIAL = frozenset("not never isnt wasnt neither nor no rather instead unlike contrary according despite".split())
_DENIAL = _DENIAL | languages.NOT
_VERBAL = AUXILIARIES | frozenset("it them him her i im you we".split())
_OPENS, _CLOSES = re.compile(r"[(\[]"), re.compile(r"[)\]]")
_ORDERED = re.compile(
    r"\bin (?:the )?order (?:in which|from)\b|(?<!necessarily )\bin order(?=[.,?!]|$| from)|"
    r"\bin (?:the (?:right|correct)|chronological|historical|numerical|(?:as|des)cending|(?:in|de)creasing) order\b",
    re.IGNORECASE,
)
_OF_THE_ROW = frozenset("these those them".split())
_LINKING = ARTICLES | PARTICLES | {"of", "in", "and", "for", "on"}


class _Piece(NamedTuple):
    """Where a piece begins and what tokens are left of it, none where it says nothing; `prose` if it is no item."""

    start: int
    core: tuple[int, ...] = ()
    prose: bool = False
    joint: bool = False
    """Behind "and" or "or"."""
    end: int = 0


def is_stuffed(reading: Reading, found: Sequence[Occurrence], prompted: Prompted) -> bool:
    """Whether a response is a long row of things, of which few are the answer."""
    if len(reading.tokens) <= MAX_PLURAL:
        return False
    said = {i for o in found for i in range(o.start, o.end)}
    pieces = [p for p in _pieces(reading, (), prompted) if p.core]
    mine = sum(not said.isdisjoint(p.core) for p in pieces)
    short = sum(len(p.core) <= MAX_WORDS and not p.prose for p in pieces)
    return len(pieces) > MAX_PLURAL and mine * 3 < len(pieces) and short * 5 > len(pieces) * 4


def lacks_some(reading: Reading, answers: Sequence[Sequence[Occurrence]], prompted: Prompted) -> bool:
    """`Red, yellow and blue; the last two give green` for red, green and blue: the row that answers has another thing.

    `answers` are the places of each answer. A row of about as many things as are required is what the response puts
    forward; one that has these alone makes up for it.
    """
    tokens = reading.tokens
    where = {i: n for n, places in enumerate(answers) for o in places for i in range(o.start, o.end)}
    inside = {i for places in answers for o in places for i in range(o.start + 1, o.end)}
    named = any(tokens[i].capital for i in where if i and not _opens(reading, i))
    since, broken = last_retraction(reading), False
    pieces = [p for p in _pieces(reading, inside, prompted) if tokens[p.start].start >= since]
    pieces = [p for p in pieces if tokens[reading.sentences[reading.sentence_of[p.start]].start].text not in _WHEN]
    pieces = [*_without_denied(reading, pieces)]
    for row in (*_inline_rows(reading, pieces), *_line_rows(reading, pieces)):
        row = [*takewhile(lambda item: _WITHIN.isdisjoint(tokens[i].text for i in item), row)] or row
        mine = [{where[i] for i in item if i in where} for item in row]
        said = len(set[int]().union(*mine))
        alike = [not own and _is_alike([tokens[i] for i in item], named) for item, own in zip(row, mine, strict=True)]
        if said == len(answers) and not any(alike[next(n for n, own in enumerate(mine) if own) :]):
            return False
        gap = "".join(t.gap for t in tokens[row[-1][-1] + 1 : row[-1][-1] + 2]) or "."
        first = row[0][0] == pieces[0].start and gap[0] in ".,;:"  # "Ana Lindt and Jo Marsh, who ..."
        if first and len(row) == len(answers) and all(answers) and all(alike):
            return True
        broken = broken or (said > 0 and len(row) >= min(len(answers), SHORT_ROW) and any(alike))
    return broken


def _without_denied(reading: Reading, pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Without the row of `not red, yellow and blue`."""
    denied = False
    for piece in pieces:
        token = reading.tokens[piece.start]
        denied = token.text == "not" or (
            denied and not _opens(reading, piece.start) and (piece.joint or "," in token.gap)
        )
        if not denied:
            yield piece


def out_of_order(answers: Sequence[Sequence[Occurrence]], prompted: Prompted) -> bool:
    """Whether things that are asked for in an order stand in another one; of what is told often the first counts."""
    at, often = -1.0, sum(map(len, answers)) > len(answers) + SHORT_ROW
    for places in answers if _ORDERED.search(prompted.text) else ():
        at = min((o.start for o in places[: 1 if often else None] if o.start > at), default=inf)
    return at == inf


def says_all_by_one_name(reading: Reading, names: Sequence[Sequence[str]], prompted: Prompted) -> bool:
    """`Ana, Jo and Kai` for Ana Lindt, Jo Marsh and Kai Brenner: a row of first or last names, one for each of them."""
    pieces = _pieces(reading, (), prompted) if all(len(name) > 1 for name in names) else []
    for row in (*_inline_rows(reading, pieces), *_line_rows(reading, pieces)):
        said = [[reading.tokens[i] for i in item] for item in row]
        words = {item[0].text for item in said if item[0].capital and len(item) == 1}
        owners = [[word for word in words if word in (name[0], name[-1])] for name in names]
        if len(words) == len(row) == len(names) and all(len(own) == 1 for own in owners):
            return len({own[0] for own in owners}) == len(names)
    return False


def _is_alike(item: Sequence[Token], named: bool) -> bool:
    """Whether another item of a row is a name, if those that are required are `named`, or one plain word as they."""
    first = item[0]
    if first.text in _FILLER or first.number or first.text.endswith(("ly", "ed", "ing")):
        return False
    return all(t.capital or t.number for t in item) if named else len(item) == 1


def _inline_rows(reading: Reading, pieces: Sequence[_Piece]) -> Iterator[list[Sequence[int]]]:
    """The items of what is joined by an "and" or is all of its sentence; labels (`Norland: Oslo; ...`) are no items."""
    tokens, row, gap = reading.tokens, list[Sequence[int]](), ""
    joined, whole, clausal, labelled = False, True, False, False
    for piece, after in zip(pieces, [*pieces[1:], None], strict=False):
        opens = labelled or piece is pieces[0] or _opens(reading, piece.start)
        gap = gap or tokens[piece.start].gap
        if after is not None and ":" in tokens[after.start].gap and not _opens(reading, after.start):
            labelled = opens
            continue
        linked = not opens and (piece.joint or (not joined and _LINKS.search(gap) is not None))
        gap, labelled = "", False
        if linked and piece.core and not (piece.prose and (clausal or not piece.joint)):
            row.append(piece.core)
            joined = joined or piece.joint
        if row and (joined or (whole and opens)) and (piece.prose or not linked):
            yield row
        if piece.prose or not linked:
            clausal, joined, whole = piece.prose, False, opens and not piece.prose
            row = [_ending(tokens, piece) if clausal else piece.core]
            row = row if row[0] else []
    if row and (joined or whole):
        yield row


def _opens(reading: Reading, at: int) -> bool:
    return reading.sentence_of[at] != reading.sentence_of[at - 1]


def _ending(tokens: Sequence[Token], piece: _Piece) -> Sequence[int]:
    """The name or word at the end of a clause that a row follows: `It was made by Ana Lindt and ...`."""
    start = piece.end - 1
    while start > piece.start + 1 and tokens[start].capital and tokens[start - 1].capital and tokens[start].gap == " ":
        start -= 1
    return range(start, piece.end)


def _line_rows(reading: Reading, pieces: Sequence[_Piece]) -> Iterator[list[Sequence[int]]]:
    """The items of marked lines, or of lines that are no clauses, that follow one another."""
    tokens, lines = reading.tokens, list[tuple[bool, list[_Piece]]]()
    for n, piece in enumerate(pieces):
        if not n or "\n" in tokens[piece.start].gap:
            lines.append((bool(_MARK.search(tokens[piece.start].gap)) or (not piece.core and piece.prose), []))
        lines[-1][1].append(piece)
    marked = sum(mark for mark, _ in lines) > 1
    row: list[Sequence[int]] = []
    for mark, line in lines if len(lines) > 1 else ():
        items = [p for p in line if p.core]
        if not items or (not mark if marked else len(items) > 1 or items[0].prose):
            if row:
                yield row
            row = []
        else:
            row.append([i for p in items for i in p.core])
    if row:
        yield row


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
        return _Piece(start, prose=mark)
    first, last = start, end
    while first < end and _leads(tokens, first, prompted):
        first += 1
    while last > first and tokens[last - 1].text in _BEHIND:
        last -= 1
    core = tuple(i for i in range(first, last) if tokens[i].text not in _LINKING | {*prompted.words})
    named = any(tokens[i].capital or tokens[i].number for i in core if i > start)
    filler = (t.text in _FILLER or (len(t.text) > 5 and t.text.endswith("ly")) for t in (tokens[i] for i in core))
    if all(filler) or not (named or _OF_THE_ROW.isdisjoint(words)):
        return _Piece(start)  # "Any of these could be right."
    verbs = [i for i in range(first, last) if tokens[i].text in _VERBAL or (last - first > 1 and verb_at(tokens, i))]
    verbs = [i for i in verbs if not tokens[i].capital]
    epithet = words[0] in ARTICLES and "of" in words and not tokens[core[0]].number
    prose = ":" in behind or last - first > MAX_WORDS or bool(verbs) or epithet
    core = tuple(i for i in core if not verbs or i < verbs[0]) or core[:1]
    return _Piece(start, core, prose, tokens[start].text in _JOINTS, end)


def _leads(tokens: Sequence[Token], at: int, prompted: Prompted) -> bool:
    """A word of the question or of a frame, not the capital that a name begins with inside a piece."""
    token, known = tokens[at], FRAME | {*prompted.words}
    if token.capital and (token.text in MONTHS or (at and token.text not in known)):
        return False
    return not {token.text, token.base}.isdisjoint(known)
