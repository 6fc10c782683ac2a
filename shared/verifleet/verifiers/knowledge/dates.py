"""Where a response gives a date, as finely as its question asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from verifleet.reading.dates import OTHER_MONTHS, WEEKDAYS, Date, dates_in
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.questions import question_words
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.tokens import Token, once

_FILLERS = frozenset({"of", "in", "on", "at", "ad", "utc", "gmt", "est"})
_LEADING = _FILLERS | listed("golds.leading")
MAX_PROMPT_CHARS = 1000
_PART = re.compile(
    r"(?i)(?:\b(?:what|which|exact|full|complete|precise|and|or)\s+|[,/(]\s*)(?:the\s+)?(?:\w+\s+)?(day|month|date)\b",
)
_PAST = frozenset("was were did happened had".split())
# A question about one of these is answered by a day of the year.
_ANY_YEAR = frozenset("day birthday anniversary holiday festival annually yearly every celebrated observed".split())


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
        if figures or OTHER_MONTHS.get(tokens[i].text) == gold.month:
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
    return once(tokens, "dates", lambda: dates_in(tokens))
