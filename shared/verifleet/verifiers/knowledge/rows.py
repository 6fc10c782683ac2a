"""Several answers to one question: a response that is a row of bare things of one kind, of which the answer is one.

A text is cut wherever a row may be: at sentence and line ends, commas, bars, brackets, "and" and "or". A piece is a
candidate if nothing but a name, a number or a few words is left once "it is", "the capital is", "maybe" and the words
of the question are gone; a sentence leaves more than that. What is apposed to an answer is of another kind ("Ana
Lindt, painter") or a place that it lies in ("Norburg, Freedonia").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

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
MAX_ASIDE = 200
MAX_PLURAL = 12
"""More candidates than this are stuffing even where several are asked for."""
_CUT = re.compile(r"[,;\n|/\t•·→>:()\[\]]|\s[-–—+]\s")
_HARD = re.compile(r"[;\n|\t•·→>/.!?]")
"""What stands between things that are no apposition to each other."""
_JOINTS = frozenset("and or".split())
_HEDGES = frozenset("or maybe perhaps possibly probably alternatively likely also and else".split())
_FRAME = ARTICLES | BE | _HEDGES | languages.FRAME | languages.COPULAS | listed("rows.frame")  # fmt: skip
_BEHIND = frozenset("is are also possible too likely plausible well as may might could be".split())
_FILLER = listed("rows.filler")
_DENIAL = frozenset("not never isnt wasnt neither nor no rather instead unlike contrary according despite".split())
_DENIAL = _DENIAL | languages.NOT
_ASIDE = re.compile(r"[(\[]")
_DASH = re.compile(r"\s[-–—]\s")
_OPENING = ARTICLES | _JOINTS | _HEDGES
_PREPOSITIONS = frozenset("in on at by from for with during since near".split())
_OBJECTS = frozenset("it them him her".split())
_SPEAKING = frozenset("i im ive ill".split())
_PRONOUNS = frozenset("it that thats".split())
_OF_THE_ROW = frozenset("these those them".split())
_LINKING = ARTICLES | PARTICLES | {"of", "in", "and", "for", "on"}
# What a person may be said to be, or to belong to.
_NO_PERSON = listed("rows.no_person")


@dataclass(frozen=True, slots=True)
class _Piece:
    """`core` are the token positions that are left, `kind` is candidate, neutral or prose."""

    kind: str
    core: tuple[int, ...] = ()
    framed: bool = False
    hard: bool = False
    """Cut off by more than a comma."""
    joint: bool = False
    """Behind "and" or "or"."""
    dash: bool = False
    bare: bool = False
    """Nothing but articles and the like before the core."""
    told: str = ""
    """The pronoun or preposition that leads in: "It is X", "is in X"."""


def row(
    reading: Reading, found: Sequence[Occurrence], golds: Sequence[Gold], prompted: Prompted, retracted: int
) -> str:
    """`list of candidates` if the answer is one of several given to a question for one, else an empty string.

    What ends before the offset `retracted` in the text was taken back and is no candidate.
    """
    if len(reading.tokens) < 2:
        return ""
    said = frozenset(i for o in found for i in range(o.start, o.end))
    inside = frozenset(i for o in found for i in range(o.start + 1, o.end))
    pieces = once(reading.tokens, ("row", inside, prompted.words), lambda: _pieces(reading, inside, prompted))
    pieces = [p for p in pieces if p.kind != "neutral" and reading.tokens[(p.core or (0,))[0]].start >= retracted]
    if not pieces or not any(p.core for p in pieces):
        return ""
    mine = [p for p in pieces if said.intersection(p.core)]
    short = sum(len(p.core) <= MAX_WORDS for p in pieces)
    if len(pieces) > MAX_PLURAL and len(mine) * 3 < len(pieces) and short * 5 > len(pieces) * 4:
        return "list of candidates"
    if prompted.definition or any(g.parts for g in golds):
        return ""
    named = all(g.capital for g in golds)
    where = prompted.words[:1] == ("where",) and bool(pieces[0].told)
    where = where and holds_places([reading.tokens[i].text for i in pieces[-1].core])  # "in the Hall, Lund, Sweden"
    for piece in mine:
        others = [p for p in pieces if p not in mine and _rivals(reading, piece, p, named, said)]
        others = [p for p in others if not where or max(p, piece, key=_at).hard]
        if others and _is_row(reading, pieces, mine, piece, others, golds, prompted):
            return "list of candidates"
    return ""


def more_items(reading: Reading, places: Sequence[Occurrence], words: Collection[str]) -> bool:
    """`red, green and black` for red and green: another thing of the same kind in the row of what is required."""
    tokens, mine = reading.tokens, {i for o in places for i in range(o.start, o.end)}
    for place in places:
        sentence = reading.sentences[reading.sentence_of[place.start]]
        ends = [
            (place.end, range(place.end, sentence.end)),
            (place.start, range(place.start - 1, sentence.start - 1, -1)),
        ]
        for edge, way in ends:
            item = _item(tokens, edge, way, sentence.end)
            if item and mine.isdisjoint(item) and _alike(tokens, item, place, words):
                return True
    return False


def _item(tokens: Sequence[Token], edge: int, way: range, end: int) -> list[int]:
    """What stands between a comma or "and" beside a place and the next one."""
    joint = edge < end and ("," in tokens[edge].gap or tokens[edge].text == "and")
    if way.step < 0:
        joint = bool(way) and ("," in tokens[edge].gap or tokens[edge - 1].text == "and")
    item: list[int] = []
    for i in way if joint and not any(")" in t.gap for t in tokens[max(0, edge - 1) : edge + 1]) else ():
        if tokens[i].text in _JOINTS | ARTICLES and not item:
            continue
        after = i if way.step > 0 else i + 1
        if item and (
            _CUT.search(tokens[after].gap)
            or tokens[i].text in _JOINTS
            or (verb_at(tokens, i) and way.step > 0)
            or (way.step < 0 and tokens[i].text in BE)
        ):
            return item
        item.append(i)
    return item


def _alike(tokens: Sequence[Token], item: Sequence[int], place: Occurrence, words: Collection[str]) -> bool:
    """One or two words of the same kind as a place: names beside a name, plain words beside a plain word."""
    said = [tokens[i] for i in item]
    first = tokens[place.start]
    if len(said) > 3 or any(t.number or t.text in _FRAME | _FILLER | _PREPOSITIONS or t.text in words for t in said):
        return False
    if first.capital:
        return all(t.capital for t in said) and tokens[min(item)].text not in OPENING
    return len(said) == 1 and not said[0].text.endswith(("ly", "ed", "ing"))


def _too_many(prompted: Prompted, matched: int, count: int) -> bool:
    """More things than were asked for, or far more than are right."""
    stated = {w for w in prompted.words if w.isascii() and w.isdigit() and 1 < int(w[:4]) <= MAX_PLURAL}
    if prompted.several and str(matched) in stated and count > matched:
        return True
    return count > MAX_PLURAL or (count > 6 and matched * 3 < count and not prompted.several)


def _is_row(
    reading: Reading, pieces: Sequence[_Piece], mine: Sequence[_Piece], own: _Piece, others: Sequence[_Piece],
    golds: Sequence[Gold], prompted: Prompted,
) -> bool:  # fmt: skip
    """Whether the pieces are nothing but things of one kind, or two sentences of one form stand side by side."""
    tokens = reading.tokens
    number = tokens[own.core[0]].number
    whole = all(p in mine or p in others or (number and p.core and tokens[p.core[0]].number) for p in pieces)
    if prompted.plural:
        denied = any(t.text in _DENIAL for t in tokens)
        return whole and not denied and _too_many(prompted, len(mine), len(pieces))
    if not whole:
        at = pieces.index(own)
        beside = [p for p in pieces[max(0, at - 1) : at + 2] if p in others]
        return own.framed and any(p.framed and max(p, own, key=_at).hard for p in beside)
    last = max((own, *others), key=_at)
    chained = own is pieces[0] or holds_places([tokens[i].text for i in own.core])
    if chained and last is not own and not last.hard and holds_places([tokens[i].text for i in last.core]):
        return False  # "Ajaccio, Corsica, France"
    if len(others) > 1 or any(max(p, own, key=_at).hard for p in others):
        return True
    return _is_pair([tokens[i] for i in own.core], [tokens[i] for i in others[0].core], last, own, golds, prompted)


def _is_pair(
    own: Sequence[Token], other: Sequence[Token], last: _Piece, mine: _Piece, golds: Sequence[Gold], prompted: Prompted
) -> bool:
    """Two things with no more than a comma or "and" between them, where one was asked for."""
    if any(t.number for t in own):
        return True
    who = prompted.words[:1] == ("who",)
    if last.joint:
        return not who or prompted.words[1:3] in (("was", "the"), ("is", "the"))
    if any(g.person or g.name for g in golds):
        words = {t.text for t in other}
        plain = not words & (_NO_PERSON | TITLES | {*prompted.words})
        return plain and (mine is last or len(own) == len(other))
    symbols = len(own) == len(other) == 1 and len(own[0].text + other[0].text) <= MAX_SYMBOLS
    return own[0].capital and len(other) == 1 and (mine is last or "capital" in prompted.words or symbols)


def _at(piece: _Piece) -> int:
    return piece.core[0]


def _pieces(reading: Reading, inside: Collection[int], prompted: Prompted) -> list[_Piece]:
    starts = [0, *(at for at in range(1, len(reading.tokens)) if _cut(reading, at, inside))]
    ends = [*starts[1:], len(reading.tokens)]
    pieces = [_piece(reading, start, end, prompted) for start, end in zip(starts, ends, strict=True)]
    denied = [not _DENIAL.isdisjoint(t.text for t in reading.tokens[a:b]) for a, b in zip(starts, ends, strict=True)]
    for n, start in enumerate(starts):
        if n and denied[n - 1] and reading.tokens[start].text in ("or", "nor"):
            pieces[n] = _Piece("neutral")  # "not X or Y"
    return pieces


def _cut(reading: Reading, at: int, inside: Collection[int]) -> bool:
    """Whether a piece begins with a token; never inside a place of the answer."""
    tokens = reading.tokens
    token = tokens[at]
    if reading.sentence_of[at] != reading.sentence_of[at - 1]:
        return True
    if (at in inside and "\n" not in token.gap) or token.text in NAME_ENDINGS:
        return False
    if in_date(tokens, at) or retitled(tokens, at):
        return False
    label = token.text == "answer" and at + 1 < len(tokens) and ":" in tokens[at + 1].gap
    return label or token.text in _JOINTS or _CUT.search(token.gap) is not None


def _piece(reading: Reading, start: int, end: int, prompted: Prompted) -> _Piece:
    tokens = reading.tokens
    source = start and tokens[start - 1].text in ("source", "sources") and ":" in tokens[start].gap
    if source or reading.sentences[reading.sentence_of[start]].barred or _is_mark(tokens, start, end):
        return _Piece("neutral")
    words = [t.text for t in tokens[start:end]]
    first = reading.sentences[reading.sentence_of[start]].start
    opens = tokens[first - 1].end if first else 0
    said = reading.text[max(opens, tokens[start].start - MAX_ASIDE) : tokens[start].start]
    if (_ASIDE.search(tokens[start].gap) or said.count("(") > said.count(")")) and words[0] not in _HEDGES:
        return _Piece("neutral")
    if not _DENIAL.isdisjoint(words):
        return _Piece("neutral" if len(words) <= MAX_WORDS + 3 else "prose")
    first = start
    while first < end and _asked(tokens[first], prompted) and not _is_name(tokens, first, prompted):
        first += 1
    last = end
    behind = tokens[end].gap if end < len(tokens) else ""
    while last > first and (
        tokens[last - 1].text in _BEHIND or (behind.startswith(")") and len(tokens[last - 1].text) == 1)
    ):
        last -= 1
    plain = (i for i in range(first, last) if tokens[i].text not in _LINKING and tokens[i].text not in prompted.words)
    core = tuple(plain)
    if words[0] in ("with", "plus") or (
        not _SPEAKING.isdisjoint(words) and not any(tokens[i].capital or tokens[i].number for i in core)
    ):
        return _Piece("prose" if words[0] in ("with", "plus") else "neutral")
    if not core or all(tokens[i].text in _FILLER | OPENING or _is_adverb(tokens[i]) for i in core):
        return _Piece("neutral")
    if not _OF_THE_ROW.isdisjoint(words) and not any(tokens[i].capital or tokens[i].number for i in core if i > start):
        return _Piece("neutral")  # "Any of these could be right."
    opening = tokens[start:first]
    told = next((t.text for t in tokens[start : core[0]] if t.text in _PREPOSITIONS), "")
    told = "it" if opening and opening[0].base in _PRONOUNS else told
    helped = any(
        (tokens[i].text in AUXILIARIES and not (tokens[i].capital and (i + 1 == end or _is_marked(tokens[i + 1]))))
        or tokens[i].text in _OBJECTS
        or ((i > core[0] or last - first > 1) and verb_at(tokens, i))
        for i in range(first, last)
    )
    epithet = words[0] in ARTICLES and "of" in words and not tokens[core[0]].number
    if ":" in behind or last - first > MAX_WORDS or helped or epithet:
        return _Piece("prose", core)
    framed = any(t.text in BE or (t.text.endswith("s") and t.base == "it") for t in opening)
    gap = tokens[start].gap
    gap = tokens[start - 1].gap + gap if start and _is_mark(tokens, start - 1, start) else gap
    hard = (start > 0 and reading.sentence_of[start] != reading.sentence_of[start - 1]) or bool(_HARD.search(gap))
    bare = all(t.text in _OPENING for t in opening)
    joint, dash = tokens[start].text in _JOINTS, bool(_DASH.search(gap))
    return _Piece("candidate", core, framed or "answer" in words, hard, joint, dash, bare, told)


def _is_mark(tokens: Sequence[Token], start: int, end: int) -> bool:
    """The number of a list item."""
    if end - start != 1 or end >= len(tokens) or len(tokens[start].text) > 2:
        return False
    return tokens[end].gap.startswith((". ", ") ", ".) ")) and (tokens[start].number or len(tokens[start].text) == 1)


def _asked(token: Token, prompted: Prompted) -> bool:
    words = {token.text, token.base}
    return not (token.capital and token.text in MONTHS) and not words.isdisjoint(_FRAME | {*prompted.words})


def _is_name(tokens: Sequence[Token], at: int, prompted: Prompted) -> bool:
    """A capital inside the piece that does not come from the question begins the candidate."""
    return tokens[at].capital and at > 0 and tokens[at].text not in _FRAME and tokens[at].text not in prompted.words


def _is_marked(token: Token) -> bool:
    return token.capital or token.number


def _is_adverb(token: Token) -> bool:
    return len(token.text) > 5 and token.text.endswith("ly")


def _rivals(reading: Reading, mine: _Piece, other: _Piece, named: bool, said: frozenset[int]) -> bool:
    """Whether `other` is another answer of the same sort: two names, two numbers of one thing, two plain words."""
    if mine.kind != "candidate" or other.kind != "candidate":
        return False
    own, theirs = ([reading.tokens[i] for i in p.core] for p in (mine, other))
    later = max(mine, other, key=_at)
    if not later.hard and not later.bare:
        return False  # "As far as I know, it is X"
    if mine.framed and not other.framed and _is_exclaimed(reading, other):
        return False  # "Nice one! It is X."
    if later is other and (other.told == "it" or other.framed) and mine.told != other.told and other.told:
        return False  # "The language is X. It is Y." tells more of X, "It is in Y" something else
    names = [t for t in theirs if t.capital or t.number]
    if (names and not {t.base for t in names} - {t.base for t in own}) or not same_script(own[0].text, theirs[0].text):
        return False  # "Оттава (Ottawa)"
    if _dated(own) or _dated(theirs):
        return _dated(own) and _dated(theirs)
    if own[0].number or theirs[0].number:
        kinds = [(_plain(ts), _units(ts), len(ts[0].text) == 4) for ts in (own, theirs)]
        alike = kinds[0][1:] == kinds[1][1:] and kinds[0][0] >= kinds[1][0]
        single = sum(t.number for t in own) == sum(t.number for t in theirs) == 1
        return own[0].number and theirs[0].number and alike and single
    if "percent" in _units(own) | _units(theirs):
        return False
    if named and any(t.capital for t in own):
        return any(t.capital for t in theirs) and _plain(own) == _plain(theirs)
    more = later is mine and not said.issuperset(mine.core)  # "dunno; prolly X"
    return (
        not (more or mine.told == "it")
        and not any(t.capital for t in theirs[1:])
        and len(own) + len(theirs) <= MAX_WORDS
    )


def _is_exclaimed(reading: Reading, piece: _Piece) -> bool:
    """All of a sentence that a mark ends."""
    sentence = reading.sentences[reading.sentence_of[piece.core[0]]]
    behind = reading.tokens[sentence.end].gap if sentence.end < len(reading.tokens) else ""
    return behind.startswith("!") and sentence.end - sentence.start <= len(piece.core) + 1


def _dated(tokens: Sequence[Token]) -> bool:
    return any(t.number for t in tokens) and bool(find_dates(list(tokens)))


def _plain(tokens: Sequence[Token]) -> set[str]:
    """The words without capitals, numbers and units aside."""
    return {stem(t.base) for t in tokens if not (t.capital or t.number or stem(t.text) in UNITS)}


def _units(tokens: Sequence[Token]) -> set[str]:
    return {stem(t.text) for t in tokens if stem(t.text) in UNITS}
