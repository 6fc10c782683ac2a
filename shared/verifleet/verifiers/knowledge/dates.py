"""Calendar dates in running text, in any usual order, as (year, month, day) with unknown parts left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from verifleet.reading.numerals import roman
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.questions import question_words
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.tokens import Token, once

MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
# In other languages, with a day or a year beside them: "mars" alone may be the planet.
_OTHER_MONTHS = {name: MONTHS[month] for name, month in table("dates.months").items()}
_BETWEEN = frozenset({"of", "the", "in", "de", "del", "day", "er"})
_ERAS = {"ad": 1, "bc": -1}
_THIS_CENTURY = 30
_FILLERS = frozenset({"of", "in", "on", "at", "ad", "utc", "gmt", "est"})
_LEADING = _FILLERS | listed("golds.leading")
MAX_PROMPT_CHARS = 1000
_PART = re.compile(
    r"(?:\b(?:what|which|exact|full|complete|precise|and|or)\s+|[,/(]\s*)(?:the\s+)?(?:\w+\s+)?(day|month|date)\b",
    re.IGNORECASE,
)
_PAST = frozenset("was were did happened had".split())
# A question about one of these is answered by a day of the year.
_ANY_YEAR = frozenset("day birthday anniversary holiday festival annually yearly every celebrated observed".split())
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


@dataclass(frozen=True, slots=True)
class Date:
    """A date that takes tokens `start` to `end` (exclusive). `other` is the other reading of 03/04/2005."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    other: tuple[int, int] | None = None

    def agrees(self, gold: Date) -> bool:
        """Every part that both give is equal, in one reading; at least the finest shared part decides."""
        if gold.year is not None and self.year is not None and gold.year != self.year:
            return False
        readings = [(self.month, self.day)] + ([self.other] if self.other else [])
        golds = [(gold.month, gold.day)] + ([gold.other] if gold.other else [])
        return any(_same(a, b) for a in readings for b in golds)

    def answers(self, gold: Date, parts: frozenset[str], year_known: bool) -> bool:
        """As fine as the gold date or as the question asks: month and year answer "when" as people use it."""
        if parts == {"month"} or gold.month is None:
            return self.month is not None or gold.month is None
        if gold.day is not None and self.day is None and ("day" in parts or gold.year is None):
            return False  # "December" for December 25
        if gold.year is not None and self.year is None:
            return year_known and self.day is not None and gold.day is not None
        return self.month is not None


def _same(a: tuple[int | None, int | None], b: tuple[int | None, int | None]) -> bool:
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


@lru_cache(maxsize=1024)
def parts_asked(prompt: str) -> frozenset[str]:
    """Which of day, month and year a question asks for in so many words."""
    asked = {m[1].lower().replace("date", "day") for m in _PART.finditer(prompt[:MAX_PROMPT_CHARS])}
    return frozenset(asked | ({"year"} & {*question_words(prompt)}))


def find_date(tokens: Sequence[Token], gold: Date, prompt: str) -> Iterator[Occurrence]:
    """Where a date stands, as finely as the question asks.

    A day without its year is enough where the year is told elsewhere, or a day of any year is asked for.
    """
    parts, words, year = parts_asked(prompt), {*question_words(prompt)}, str(gold.year)
    told = any(t.text == year for t in tokens) or any(year in w for w in words)
    known = told or not words.isdisjoint(_ANY_YEAR) or words.isdisjoint(_PAST)
    for date in find_dates(tokens):
        if date.agrees(gold) and date.answers(gold, parts, known):
            exact = (date.day is not None or gold.day is None) and (date.year is not None or gold.year is None)
            yield Occurrence(date.start, date.end, exact)
    for i in range(len(tokens) if gold.month and not (gold.day or gold.year) else 0):
        figures = tokens[i].text == str(gold.month) and [t.text for t in tokens[i + 1 : i + 2]] == ["月"]
        if figures or _OTHER_MONTHS.get(tokens[i].text) == gold.month:
            yield Occurrence(i, i + 1 + figures)
    for i in range(len(tokens) if parts == {"year"} else 0):
        if tokens[i].text == year and bounded(tokens, i, i + 1):
            yield Occurrence(i, i + 1, exact=False)


def read_date(tokens: Sequence[Token]) -> Date | None:
    """The date that an answer is, without weekday and the like; None if it is anything else."""
    if any(t.text.endswith("th") and after.text in WEEKDAYS for t, after in pairwise(tokens)):
        return None  # "second Sunday in March"
    rest = [t for t in tokens if t.text not in WEEKDAYS]
    while rest and rest[0].text in _LEADING:
        rest = rest[1:]
    while rest and rest[-1].text in _FILLERS:
        rest = rest[:-1]
    dates = find_dates(rest)
    return dates[0] if len(dates) == 1 and (dates[0].start, dates[0].end) == (0, len(rest)) else None


def find_dates(tokens: Sequence[Token]) -> list[Date]:
    """All dates that name a month, in order; a bare year is not one (it is compared as a number)."""
    return once(tokens, "dates", lambda: _dates_of(tokens))


def _dates_of(tokens: Sequence[Token]) -> list[Date]:
    found: list[Date] = []
    i = 0
    while i < len(tokens):
        date = _numeric(tokens, i) or _named(tokens, i)
        if date is None:
            i += 1
        else:
            i = date.end
            if date.start and tokens[date.start - 1].text in WEEKDAYS:
                date = replace(date, start=date.start - 1)
            found.append(date)
    return found


def _int(token: Token) -> int | None:
    text = token.text.removesuffix("th")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _year(tokens: Sequence[Token], at: int) -> int | None:
    if at >= len(tokens) or not tokens[at].number or tokens[at].text.endswith("th"):
        return None
    value = _int(tokens[at])
    if value is not None and at + 1 < len(tokens) and tokens[at + 1].text in _ERAS:
        return value * _ERAS[tokens[at + 1].text]
    if value is not None and value < 100 and tokens[at].gap.endswith(("'", "’", "‘")):
        return value + (2000 if value < _THIS_CENTURY else 1900)  # "11 Feb. '90"
    return value if value is not None and 100 <= value <= 9999 else None


def _day(tokens: Sequence[Token], at: int) -> int | None:
    if not 0 <= at < len(tokens) or not tokens[at].number:
        return None
    value = _int(tokens[at])
    return value if value is not None and 1 <= value <= 31 else None


def _numeric(tokens: Sequence[Token], at: int) -> Date | None:
    """2016-03-02, 3/2/2016, 2.III.2016, 2016年3月2日; 2.3.2016 is one token; dots have the day first wherever."""
    texts, gaps, end = [t.text for t in tokens[at : at + 3]], {t.gap for t in tokens[at + 1 : at + 3]}, at + 3
    texts[1:2] = [roman(text) or text for text in texts[1:2] if gaps <= {".", ". "}] or texts[1:2]
    spaced = gaps <= {".", ". "} and len(texts[-1]) == 4  # 2. 3. 2016
    dotted = spaced or "." in texts[0]
    if dotted and not spaced:
        texts, end = texts[0].split("."), at + 1
    elif texts[1:2] == ["年"]:
        texts, end = [t.text for t in tokens[at : at + 5 : 2]], at + 6
    elif gaps not in ({"-"}, {"/"}) and not spaced:
        return None
    if len(texts) != 3 or not all(w.isascii() and w.isdigit() and len(w) <= 4 for w in texts):
        return None
    first, second, third = map(int, texts)
    if first >= 1000 and 1 <= second <= 12 and 1 <= third <= 31:
        return Date(at, end, first, second, third)
    both = ((second, first),) if dotted else ((first, second), (second, first))
    readings = [(m, d) for m, d in both if 1 <= m <= 12 and 1 <= d <= 31]
    era = _ERAS.get(tokens[end].text, 0) if end < len(tokens) else 0
    if (third < 100 and not era) or not readings:
        return None
    (month, day), other = readings[0], readings[-1]
    return Date(at, _behind_era(tokens, end), third * (era or 1), month, day, other if other != (month, day) else None)


def _named(tokens: Sequence[Token], at: int) -> Date | None:
    month = MONTHS.get(tokens[at].text)
    if month is not None:
        if tokens[at].text == "may" and not tokens[at].capital and len(tokens) > 1 and _day(tokens, at + 1) is None:
            return None  # the verb
        after = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].text == "the")
        day = _day(tokens, after)
        end = after + 1 if day is not None else at + 1
        return _with_year(tokens, at, end, month, day)
    day, i = _day(tokens, at), at + 1
    while day is not None and i < len(tokens) and i < at + 3 and tokens[i].text in _BETWEEN:
        i += 1
    word = tokens[i if day is not None else at].text if i < len(tokens) else ""
    month = MONTHS.get(word) or _OTHER_MONTHS.get(word)
    if day is not None and month is not None:
        return _with_year(tokens, at, i + 1, month, day)
    date = _with_year(tokens, at, at + 1, _OTHER_MONTHS.get(tokens[at].text, 0), None)
    return date if date.month and date.year is not None else None  # "juillet 1789"


def _with_year(tokens: Sequence[Token], start: int, end: int, month: int, day: int | None) -> Date:
    at = end
    while at < len(tokens) and at < end + 2 and tokens[at].text in _BETWEEN:
        at += 1
    year = _year(tokens, at)
    return Date(start, end if year is None else _behind_era(tokens, at + 1), year, month, day)


def _behind_era(tokens: Sequence[Token], at: int) -> int:
    return at + (at < len(tokens) and tokens[at].text in _ERAS)
