"""Answers that do not choose: "either A or B", "maybe A, maybe B", "A/B", and lists of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from verifleet.reading.units import UNITS_OF_SIZE
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.lists import listed, listed_all
from verifleet.verifiers.knowledge.names import TITLES
from verifleet.verifiers.knowledge.reading import AUXILIARIES, Prompted, Reading, retitled
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, once, stem

_OR_EXEMPT, _OR_STOP, _DENYING, _UNDECIDED = listed_all("alternatives", "or_exempt or_stop denying undecided")
_MAYBE = languages.MAYBE | frozenset("maybe perhaps possibly alternatively".split())
_CALLED, _NAMING = listed("guards.called"), listed("guards.naming")
_UNITS = (UNITS | UNITS_OF_SIZE) - {"degree"}
LIST_REACH = 60
"""Words that a list may have before its last or."""
ITEM_WORDS = 4
ITEM_REACH = 12
"""Words that its last item may have."""


def alternative(reading: Reading, occurrence: Occurrence, occurrences: Sequence[Occurrence], prompted: Prompted) -> str:
    """`alternatives` if the text leaves open which of several things it claims, else an empty string."""
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    inside = range(sentence.start, sentence.end)
    hedged = False
    for at in inside:
        word = tokens[at].text
        hedged = hedged or word == "either" or _could_be(tokens, at)
        if word == "or" and hedged and at >= occurrence.end and not _both_sides(at, occurrences):
            return "alternatives"
        foreign = word in languages.OR and reading.text[tokens[at].start] != "が"
        if foreign and _foreign_or(tokens, at, occurrence, occurrences):
            return "alternatives"
        beside = word == "or" and not occurrence.start <= at < occurrence.end and not prompted.definition
        beside = beside and not _joins_names(tokens, occurrence.end, at)
        if beside and _in_or_list(reading, at, occurrence, occurrences, prompted):
            return "alternatives"
        undecided = word == "between" and at < occurrence.start <= at + 6
        led = at > sentence.start and tokens[at - 1].base in ("is", "it", "its", "thats") and occurrence.start == at + 1
        led = led and "between" not in prompted.words and [t.text for t in tokens[occurrence.end :][:1]] == ["and"]
        if undecided and (led or any(t.text in _UNDECIDED for t in tokens[sentence.start : at])):
            return "alternatives"
        apart = beside and tokens[at].gap.strip() != "" and _names_another(tokens[at + 1 : sentence.end])
        apart = apart or word == "alternatively" or [t.text for t in tokens[at : at + 3]] == ["as", "well", "as"]
        apart = apart and at == occurrence.end and sentence.end - at <= ITEM_WORDS + 2 * (word == "as")
        if apart and not (_both_sides(at, occurrences) or retitled(tokens, at) or prompted.plural):
            return "alternatives"  # "X - or Y"
    if not prompted.several and _slashed(tokens, occurrence, occurrences):
        return "alternatives"
    hedges = once(
        tokens, "hedges", lambda: [i for i, t in enumerate(tokens) if t.text in _MAYBE or _could_be(tokens, i)]
    )
    if len(hedges) > 1:
        return "alternatives"
    return ""


def _foreign_or(tokens: Sequence[Token], at: int, occurrence: Occurrence, occurrences: Sequence[Occurrence]) -> bool:
    """`X o Y`, `XかY`: right beside the place, with another name, number or plain word on the other side."""
    named = not at or tokens[at].capital or (at > 0 and tokens[at - 1].text in languages.COPULAS)
    if tokens[at].text == "か" and "\u3040" <= tokens[at - 1].text < "\u30a0":
        return False  # the end of another word: たしか
    if tokens[at].text == "o" and named:
        return False  # the Portuguese article
    behind = at + 1 + (tokens[at + 1 : at + 2] != [] and tokens[at + 1].text in languages.IN | ARTICLES)
    commas = [i for i in range(occurrence.end, at) if "," in tokens[i].gap]
    ended = at == occurrence.end or (commas[:1] == [occurrence.end] and at - commas[-1] < ITEM_WORDS)
    other = at - 1 if behind == occurrence.start else behind if ended else -1
    if not 0 <= other < len(tokens) or any(o.start <= other < o.end for o in occurrences):
        return False
    first, there = tokens[occurrence.start], tokens[other]
    opens = 0 in (occurrence.start, other) and there.text not in ARTICLES
    return there.number == first.number and (first.number or opens or there.capital == first.capital)


def _could_be(tokens: Sequence[Token], at: int) -> bool:
    behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return tokens[at].text in ("could", "might", "may") and behind in ("be", "also", "have")


def _names_another(behind: Sequence[Token]) -> bool:
    """`Oslo - or Bergen`, `elm - or oak`; `watt - or joule per second` says it in other words."""
    words = [t for t in behind if t.text not in ARTICLES]
    return any(t.capital or t.number for t in words[:1]) or len(words) == 1


def _in_or_list(
    reading: Reading, at: int, occurrence: Occurrence, occurrences: Sequence[Occurrence], prompted: Prompted
) -> bool:
    """`X or Y`, `A, B or X`, but neither another name ("the tibia, or shinbone,") nor what is denied ("not A or B")."""
    tokens = reading.tokens
    if tokens[at + 1 : at + 2] == [] or tokens[at + 1].text in _OR_EXEMPT or retitled(tokens, at):
        return False
    left, right = _or_left(reading, at), _or_right(reading, at)
    if not left <= occurrence.start < right or any(t.text in _DENYING for t in tokens[left:at]):
        return False
    commas = sum("," in t.gap for t in tokens[left + 1 : at])
    if "," in tokens[at].gap:
        ended = right < len(tokens) and tokens[right].gap.startswith((",", ")"))
        asked = {t.text for t in tokens[at + 1 : right]} - ARTICLES
        if asked & {*prompted.words} or (ended and not commas):
            return False
    units = _units_of(tokens[left:at])
    if units and not commas and _units_of(tokens[at:right]) - units:
        return False  # "50 km, or 31 miles": the same in another unit
    return commas > 0 or not _both_sides(at, [o for o in occurrences if left <= o.start < right])


def _units_of(tokens: Sequence[Token]) -> set[str]:
    """The units behind the numbers; of "degrees Celsius" the scale."""
    behind = [t for number, t in pairwise(tokens) if number.number or stem(number.text) == "degree"]
    return {stem(t.text) for t in behind if stem(t.text) in _UNITS}


def _joins_names(tokens: Sequence[Token], start: int, at: int) -> bool:
    """`X, also known as Y or Z`: other names of one thing; unlike `X, also known as Y, or Z`."""
    led = [t.text for t in takewhile(lambda t: t.text in _CALLED, tokens[start:at])]
    named = not _NAMING.isdisjoint(led) and ("known" not in led or "as" in led)
    return named and ("," not in tokens[at].gap or any("," in t.gap for t in tokens[start + len(led) : at]))


def _both_sides(at: int, occurrences: Sequence[Occurrence]) -> bool:
    return any(o.start < at for o in occurrences) and any(at < o.start for o in occurrences)


def _or_left(reading: Reading, at: int) -> int:
    stop = AUXILIARIES | _OR_STOP
    places = range(at, max(0, at - LIST_REACH), -1)
    return next(
        (i for i in places if reading.clause_break(i) or reading.tokens[i - 1].text in stop), max(0, at - LIST_REACH)
    )


def _or_right(reading: Reading, at: int) -> int:
    tokens, end = reading.tokens, min(len(reading.tokens), at + ITEM_REACH)
    stops = (i for i in range(at + 2, end) if "," in tokens[i].gap or tokens[i].text in AUXILIARIES)
    breaks = (i for i in range(at + 2, end) if reading.clause_break(i))
    return min(next(stops, end), next(breaks, end))


def _slashed(tokens: Sequence[Token], occurrence: Occurrence, occurrences: Sequence[Occurrence]) -> bool:
    starts = {o.start for o in occurrences}
    ends = {o.end for o in occurrences}
    first = occurrence.start
    while first and tokens[first].gap == " " and tokens[first - 1].text in ARTICLES | TITLES:
        first -= 1  # "won/the yen"
    before = "/" in tokens[first].gap and first and first not in ends
    behind = occurrence.end < len(tokens) and "/" in tokens[occurrence.end].gap and occurrence.end not in starts
    return bool(before or behind)
