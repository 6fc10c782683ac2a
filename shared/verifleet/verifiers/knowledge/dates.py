"""Calendar dates in running text, in any usual order, as (year, month, day) with unknown parts left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifleet.verifiers.knowledge.tokens import Token, once

MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_BETWEEN = frozenset({"of", "the", "in"})
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

    def covers(self, gold: Date) -> bool:
        """As fine as the gold date, apart from the day: month and year answer "when" as people use it."""
        if gold.year is None and gold.day is not None and self.day is None:
            return False  # "December" for December 25
        if gold.year is not None and self.year is None:
            return gold.month is not None and self.day is not None and gold.day is not None
        return gold.month is None or self.month is not None


def _same(a: tuple[int | None, int | None], b: tuple[int | None, int | None]) -> bool:
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


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
    return value if value is not None and 100 <= value <= 9999 else None


def _day(tokens: Sequence[Token], at: int) -> int | None:
    if not 0 <= at < len(tokens) or not tokens[at].number:
        return None
    value = _int(tokens[at])
    return value if value is not None and 1 <= value <= 31 else None


def _dotted(tokens: Sequence[Token], at: int) -> Date | None:
    """2.3.2016 is one token; the day comes first, as wherever dates have dots."""
    parts = tokens[at].text.split(".")
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() for p in parts) or len(parts[2]) != 4:
        return None
    day, month, year = (int(p[:4]) for p in parts)
    return Date(at, at + 1, year, month, day) if 1 <= day <= 31 and 1 <= month <= 12 else None


def _numeric(tokens: Sequence[Token], at: int) -> Date | None:
    """2016-03-02, 3/2/2016."""
    if tokens[at].number and "." in tokens[at].text:
        return _dotted(tokens, at)
    if at + 2 >= len(tokens) or tokens[at + 1].gap not in ("-", "/") or tokens[at + 2].gap != tokens[at + 1].gap:
        return None
    values = [_int(t) if t.number else None for t in tokens[at : at + 3]]
    if any(v is None for v in values):
        return None
    first, second, third = (v or 0 for v in values)
    if first >= 1000 and 1 <= second <= 12 and 1 <= third <= 31:
        return Date(at, at + 3, first, second, third)
    if third < 100:
        return None
    readings = [(m, d) for m, d in ((first, second), (second, first)) if 1 <= m <= 12 and 1 <= d <= 31]
    if not readings:
        return None
    (month, day), other = readings[0], readings[-1]
    return Date(at, at + 3, third, month, day, other if other != (month, day) else None)


def _named(tokens: Sequence[Token], at: int) -> Date | None:
    month = MONTHS.get(tokens[at].text)
    if month is not None:
        if tokens[at].text == "may" and not tokens[at].capital and len(tokens) > 1 and _day(tokens, at + 1) is None:
            return None  # the verb
        after = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].text == "the")
        day = _day(tokens, after)
        end = after + 1 if day is not None else at + 1
        return _with_year(tokens, at, end, month, day)
    day = _day(tokens, at)
    if day is None:
        return None
    i = at + 1
    while i < len(tokens) and i < at + 3 and tokens[i].text in ("of", "day"):
        i += 1
    month = MONTHS.get(tokens[i].text) if i < len(tokens) else None
    return None if month is None else _with_year(tokens, at, i + 1, month, day)


def _with_year(tokens: Sequence[Token], start: int, end: int, month: int, day: int | None) -> Date:
    at = end
    while at < len(tokens) and at < end + 2 and tokens[at].text in _BETWEEN:
        at += 1
    year = _year(tokens, at)
    return Date(start, end if year is None else at + 1, year, month, day)
