"""Arithmetic inside a report: do the parts add up to the total it states?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.agents.quantity_words import (
    BUILDINGS,
    NUMBERS,
    PEOPLE,
    SCALES,
    SKIPPED,
    SLOT_PHRASES,
    UNITS,
    VEHICLES,
)

MAX_TEXT = 20_000
MAX_SUMS = 16
ANY_KIND = "any"
REACH = 120
"""Characters between a total and the list of its parts."""

_WORDS = "|".join(sorted((re.escape(word) for word in NUMBERS), key=len, reverse=True))
_SPELT = rf"(?:{_WORDS})(?:[- ](?:{_WORDS}))?(?:[- ](?:dozen|hundred|thousand))?"
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}}(?:\.\d+)?k?|{_SPELT})"
_NOUNS = r"(?:\s+(?:of\s+)?[^\W\d_][\w'’-]*){1,6}?"
_SEPARATOR = r"\s*(?:,\s*(?:and|plus|&)?|;|&|\+|\band\b|\bplus\b|\bas well as\b)\s*"
_PART = rf"(?:{_NUMBER}|an?){_NOUNS}"
_LIST = re.compile(rf"(?<![\w.,:/-]){_NUMBER}{_NOUNS}(?:{_SEPARATOR}{_PART}){{1,7}}(?![\w-])", re.IGNORECASE)
_SPLIT = re.compile(rf"({_SEPARATOR})(?=(?:{_NUMBER}|an?)\s)", re.IGNORECASE)
_ITEM = re.compile(rf"^({_NUMBER}|an?)\s+(.+)$", re.IGNORECASE)
_COUNT = re.compile(
    rf"(?<![\w.,:/#$€£-])({_NUMBER})(?![\w:./-]*\d)(?:\s+((?:[^\W\d_][\w'’-]*\s*){{0,3}}))?", re.IGNORECASE
)
_OPENS_LIST = re.compile(
    r"(?:[:(\[–—]|\s-\s|=|,?\s*\b(?:made up of|consisting of|comprising|namely|including|among (?:them|whom)"
    r"|of (?:them|whom|which)|broken down as|split (?:as|into))\b|,)\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\b(?:including|among|of (?:them|whom|which))\b", re.IGNORECASE)
_SAYS_TOTAL = re.compile(r"\b(?:a total of|in total|total(?:ling|ing)?|altogether|in all|overall)\W*$", re.IGNORECASE)
_TOTAL_AFTER = re.compile(
    rf"^[^.!?\n]{{0,60}}?(?:=\s*|\b(?:total(?:ling|ing|s|ed)?(?:\s+(?:of|is|to|to be|at))?|altogether"
    rf"|making|makes|making it)\s+)({_NUMBER})(?![\w%-])",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    rf"^[^.!?\n]{{0,60}}?\b({_NUMBER})(?:\s+\w+){{0,3}}?\s+(?:in all|in total|altogether|all told|overall|combined)\b",
    re.IGNORECASE,
)
_NO_TOTAL_BEFORE = re.compile(
    r"\b(?:magnitude|route|highway|road|exit|engine|ladder|flight|level|category|sector|zone|number|no|unit|bus|line|phase|day|m)[\s#.-]*$",
    re.IGNORECASE,
)
_NO_COUNT = frozenset(
    "am pm gmt utc est pst january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec th st nd rd year years old".split()
) | frozenset(word for unit in UNITS for word in unit.split())
_SITED = re.compile(r"(?:on|in|at|by|near|from|inside|outside|around)\b", re.IGNORECASE)
_LOOSE = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some|estimated|up to|more than|over|at least)\W*$",
    re.IGNORECASE,
)
_STATES = {
    phrase[0]: slot.name
    for phrase, slot in SLOT_PHRASES.items()
    if len(phrase) == 1
    and slot.name
    in {"killed", "injured", "missing", "evacuated", "trapped", "rescued", "arrested", "infected", "affected"}
}
_MORE_PEOPLE = frozenset(
    "boys girls males females seniors pensioners toddlers infants foreigners nationals civilians others".split()
)

_DIVISIONS = frozenset(
    "men women man woman boys girls boy girl males females male female adults children adult child kids "
    "minors infants toddlers teenagers pensioners seniors civilians soldiers officers passengers crew "
    "students pupils teachers staff locals foreigners cars trucks lorries buses vans motorcycles "
    "motorbikes taxis car truck lorry bus van houses flats apartments shops".split()
)
"""Groups that divide a total among them."""
_RANKS = frozenset(
    "professional professionals volunteer career part-time full-time local foreign elderly young serving retired "
    "civilian uniformed large small navy army military private public police electric diesel petrol timber steel brick "
    "wooden wood concrete".split()
)
"""What tells the parts of one group apart: "25 firefighters, 12 professional and 8 volunteer"."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A total and the parts that a report gives for it; `span` covers both, in characters of the report."""

    total: float
    parts: tuple[float, ...]
    partial: bool
    loose: bool
    span: tuple[int, int]

    @property
    def adds_up(self) -> bool:
        """Whether the parts make the total; parts introduced by "including" may make less."""
        made = sum(self.parts)
        slack = 0.1 * self.total if self.loose else 1e-9
        return made <= self.total + slack if self.partial else abs(made - self.total) <= slack

    @property
    def reason(self) -> str:
        """The sum in words."""
        shown = " + ".join(f"{part:g}" for part in self.parts)
        relation = "adds up" if self.adds_up else "does not add up"
        return f"the sum {relation}: {shown} = {sum(self.parts):g}, stated total {self.total:g}"


def sums(content: str) -> list[Sum]:
    """The totals of a report for which it also gives the parts, in order; at most MAX_SUMS."""
    content = content[:MAX_TEXT]
    found = []
    for match in _LIST.finditer(content):
        parts = _parts(match.group())
        made = _headed(content, match, parts) or _with_total(content, match.start(), match.end(), parts)
        if made:
            found.append(made)
            if len(found) == MAX_SUMS:
                break
    return found


def _parts(text: str) -> list[tuple[float, str, str]]:
    """(count, kind, noun) of each part; empty unless all count different things of one kind."""
    pieces = _SPLIT.split(text)[::2]
    items = [match for piece in pieces if (match := _ITEM.match(piece.strip()))]
    nouns = [match.group(2).lower().split()[-1] for match in items]
    kinds = {_kind(match.group(2)) or _kind(noun) for match, noun in zip(items, nouns, strict=True)}
    if all(_SITED.match(match.group(2)) for match in items):
        kinds = {ANY_KIND}  # "6 on the hill and 8 by the river": what the total counts
    if len(kinds) == 2:
        kinds.discard("")  # "9 ferries and 5 trawlers": one word known is enough
    if len(items) < 2 or len(items) != len(pieces) or len(set(nouns)) != len(nouns) or len(kinds) != 1:
        return []
    if any(word in _NO_COUNT for match in items for word in match.group(2).lower().split()[:1]):
        return []
    kind = kinds.pop()
    return [(_value(match.group(1)), kind, noun) for match, noun in zip(items, nouns, strict=True)]


_MIXED = frozenset(
    "volunteers responders rescuers helpers personnel people staff professionals workers experts".split()
)
_PROFESSIONS = frozenset(
    "doctors nurses paramedics medics firefighters divers engineers drivers cooks handlers".split()
)


def _headed(content: str, match: re.Match[str], parts: list[tuple[float, str, str]]) -> Sum | None:
    """A list whose first item is the total: "a total of 20 people, 12 men and 5 women"."""
    if len(parts) < 3:
        return None
    ahead = content[max(0, match.start() - 30) : match.start()]
    head = match.group().lower().split()[1]
    groups = _DIVISIONS | _RANKS | (_PROFESSIONS if head in _MIXED else frozenset())
    divided = parts[0][2] not in groups and all(noun in groups for _, _, noun in parts[1:])
    states = {_STATES[word] for word in match.group().lower().split() if word in _STATES}
    if (not divided or len(states) > 1) and not _SAYS_TOTAL.search(ahead):
        return None
    values = tuple(value for value, _, _ in parts)
    return Sum(values[0], values[1:], False, bool(_LOOSE.search(ahead)), match.span())


def _with_total(content: str, start: int, end: int, parts: list[tuple[float, str, str]]) -> Sum | None:
    if not parts:
        return None
    values = tuple(value for value, _, _ in parts)
    lead = re.split(r"[.!?](?:\s|$)|\n", content[max(0, start - REACH) : start])[-1]
    opening = _OPENS_LIST.search(lead)
    if opening:
        divided = all(noun in _DIVISIONS or noun in _RANKS for _, _, noun in parts)
        before = _total_before(lead[: opening.start()], opening.group(), parts[0][1], divided=divided)
        if before:
            total, at, loose = before
            begin = start - len(lead) + at
            return Sum(total, values, bool(_PARTIAL.search(opening.group())), loose, (begin, end))
    rest = content[end : end + REACH]
    after = _IN_ALL.search(rest) or _TOTAL_AFTER.search(rest)
    if after:
        return Sum(_value(after.group(1)), values, False, False, (start, end + after.end()))
    return None


def _total_before(lead: str, opening: str, kind: str, *, divided: bool) -> tuple[float, int, bool] | None:
    """(total, its position in `lead`, whether it is loose) of the count that the list of parts belongs to."""
    for match in reversed(list(_COUNT.finditer(lead))):
        words = (match.group(2) or "").lower().split()
        ahead = lead[: match.start()]
        stated = bool(_SAYS_TOTAL.search(ahead))
        if (words and words[0] in _NO_COUNT) or _NO_TOTAL_BEFORE.search(ahead) or not (words or stated):
            continue
        # A bare comma joins any two clauses: it opens a list of parts only behind "a total of".
        if opening.strip(" ") == "," and not (stated or divided):
            return None
        total_kind = _kind(" ".join(words)) or _kind(lead[match.end() :])
        apart = divided and opening.strip()[-1:] in {":", "(", "–", "—", "-", ","}
        if not (_may_divide(total_kind, kind, opening) or (apart and "" in (total_kind, kind))):
            return None
        return _value(match.group(1)), match.start(), bool(_LOOSE.search(ahead))
    return None


def _may_divide(total: str, parts: str, opening: str) -> bool:
    """Whether parts can be of this total: "15 cars (10 parked, 5 moving)", but not "2 blasts: 5 dead, 9 hurt"."""
    if parts in (total, ANY_KIND) or (parts == "" and total in {"vehicles", "buildings"}):
        return True
    return opening.strip() == "=" and "" in (total, parts)


def _kind(words: str) -> str:
    """people, vehicles or buildings, by the first word that is no adjective; else ""."""
    for word in re.findall(r"[^\W\d_]+", words.lower()):
        if word in SKIPPED or word.endswith("ly"):
            continue
        if word in PEOPLE or word in _STATES or word in _MORE_PEOPLE:
            return "people"
        if word in VEHICLES:
            return "vehicles"
        if word in BUILDINGS:
            return "buildings"
        return ""
    return ""


def _value(text: str) -> float:
    """The number that a figure or number words stand for."""
    plain = text.lower().replace(",", "")
    if plain in {"a", "an"}:
        return 1.0
    if plain[0].isdigit():
        return float(plain[:-1]) * 1000 if plain.endswith("k") else float(plain)
    total = 0.0
    for word in re.split(r"[- ]", plain):
        total = (total or 1.0) * SCALES[word] if word in SCALES else total + NUMBERS[word]
    return total
