"""Calendar dates in running text, in any usual order, as (year, month, day) with unknown parts left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifleet.reading.document import Word
from verifleet.reading.numerals import roman
from verifleet.reading.words import data

MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
# In other languages, with a day or a year beside them: "mars" alone may be the planet.
OTHER_MONTHS = {name: MONTHS[month] for name, month in data("months")["names"].items()}
YEARS = range(1900, 2100)
"""What a whole number may be as a year by itself."""
_BETWEEN = frozenset({"of", "the", "in", "de", "del", "day", "er"})
_ERAS = {"ad": 1, "bc": -1}
_THIS_CENTURY = 30
_DAYS = {
    ("new", "year", "day"): (1, 1),
    ("new", "year", "eve"): (12, 31),
    ("christmas", "day"): (12, 25),
    ("christmas", "eve"): (12, 24),
    ("boxing", "day"): (12, 26),
}
"""Days with a name of their own, as (month, day)."""
_BEFORE_DATES = frozenset("on is was it its of from since until till by to before after date dated born am the".split())
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


def dates_in(tokens: Sequence[Word]) -> list[Date]:
    """All dates that name a month, in order; a bare year is not one."""
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


def _int(token: Word) -> int | None:
    text = token.text.removesuffix("th")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _year(tokens: Sequence[Word], at: int) -> int | None:
    if at >= len(tokens) or not tokens[at].number or tokens[at].text.endswith("th"):
        return None
    value = _int(tokens[at])
    if value is not None and at + 1 < len(tokens) and tokens[at + 1].text in _ERAS:
        return value * _ERAS[tokens[at + 1].text]
    if value is not None and value < 100 and tokens[at].gap.endswith(("'", "’", "‘")):
        return _short_year(value)  # "11 Feb. '90"
    return value if value is not None and 100 <= value <= 9999 else None


def _short_year(value: int) -> int:
    return value + (2000 if value < _THIS_CENTURY else 1900)


def _day(tokens: Sequence[Word], at: int) -> int | None:
    if not 0 <= at < len(tokens) or not tokens[at].number:
        return None
    value = _int(tokens[at])
    return value if value is not None and 1 <= value <= 31 else None


def _numeric(tokens: Sequence[Word], at: int) -> Date | None:
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
    short = third < 100 and not era
    if not readings or (short and (len(texts[2]) != 2 or (third <= 31 and not dotted) or (dotted and end != at + 1))):
        return None
    if short and not _tells_when(tokens, at):
        return None
    third = _short_year(third) if short else third
    (month, day), other = readings[0], readings[-1]
    return Date(at, _behind_era(tokens, end), third * (era or 1), month, day, other if other != (month, day) else None)


def _tells_when(tokens: Sequence[Word], at: int) -> bool:
    """Whether a date is what stands there: `on 4.8.38`, but not `version 4.8.38`."""
    return not at or tokens[at - 1].text in _BEFORE_DATES | WEEKDAYS


def _named(tokens: Sequence[Word], at: int) -> Date | None:
    month = MONTHS.get(tokens[at].text)
    if month is not None:
        if tokens[at].text == "may" and not tokens[at].capital and len(tokens) > 1 and _day(tokens, at + 1) is None:
            return None  # the verb
        after = at + 1 + (at + 1 < len(tokens) and tokens[at + 1].text == "the")
        day = _day(tokens, after)
        end = after + 1 if day is not None else at + 1
        return _with_year(tokens, at, end, month, day)
    for name, (month, day) in _DAYS.items():
        said = [token.base for token in tokens[at : at + len(name)]] if tokens[at].text == name[0] else []
        if [word.removesuffix("s") if word == "years" else word for word in said] == [*name]:
            return _with_year(tokens, at, at + len(name), month, day)
    day, i = _day(tokens, at), at + 1
    while day is not None and i < len(tokens) and i < at + 3 and tokens[i].text in _BETWEEN:
        i += 1
    if day is not None and i > at + 1 and (counted := _counted_month(tokens, i)) is not None:
        return replace(counted, start=at, day=day)
    word = tokens[i if day is not None else at].text if i < len(tokens) else ""
    month = MONTHS.get(word) or OTHER_MONTHS.get(word)
    if day is not None and month is not None:
        return _with_year(tokens, at, i + 1, month, day)
    date = _with_year(tokens, at, at + 1, OTHER_MONTHS.get(tokens[at].text, 0), None)
    return date if date.month and date.year is not None else None  # "juillet 1789"


def _counted_month(tokens: Sequence[Word], at: int) -> Date | None:
    """The month of `the 4th day of the 8th month of 1838` and `the 4th of the 8th, 1838`."""
    while at < len(tokens) and tokens[at].text in _BETWEEN:
        at += 1
    month = _int(tokens[at]) if at < len(tokens) and tokens[at].text.endswith("th") else None
    named = tokens[at + 1 : at + 2] != [] and tokens[at + 1].text == "month"
    date = _with_year(tokens, at, at + 1 + named, month, None) if month and month <= len(MONTHS) else None
    ends = date is not None and (date.end >= len(tokens) or tokens[date.end].gap.strip() != "")
    return date if date is not None and (named or (date.year is not None and ends)) else None


def _with_year(tokens: Sequence[Word], start: int, end: int, month: int, day: int | None) -> Date:
    at = end
    while at < len(tokens) and at < end + 2 and tokens[at].text in _BETWEEN:
        at += 1
    year = _year(tokens, at)
    return Date(start, end if year is None else _behind_era(tokens, at + 1), year, month, day)


def _behind_era(tokens: Sequence[Word], at: int) -> int:
    return at + (at < len(tokens) and tokens[at].text in _ERAS)
