"""Values that are written in many ways: times of day, degrees of the compass, parts of decades and centuries.

They are read from words whose numbers are digits already: "half past 9", "52 degrees 30 minutes north".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from verifleet.reading.document import Word

MINUTES, HOURS = 60, 24
NOON = 12 * MINUTES
_NAMED = {"noon": NOON, "midday": NOON, "midnight": 0}
_HALF_DAYS = {"am": 0, "pm": 12, "morning": 0, "afternoon": 12, "evening": 12}
_FIRST_OF_NIGHT = 6
"""From this hour on "at night" is before midnight."""
_PARTS_OF_HOUR = {"half": 30, "quarter": 15}
_PAST, _TO = frozenset({"past", "after"}), frozenset({"to", "before", "till"})
_BEFORE_TIME = frozenset("at from by until till before after since about around".split())
_AXES = {
    name: (axis, sign)
    for axis, sides in (
        ("latitude", "n north northern,s south southern"),
        ("longitude", "e east eastern,w west western"),
    )
    for sign, names in zip((1, -1), sides.split(","), strict=True)
    for name in names.split()
}
_DEGREES = frozenset({"degree", "degrees", "deg"})
_SMALLER = (
    ("minute minutes min arcminutes".split(), ("′", "'", "’", "ʹ"), 60),
    ("second seconds sec arcseconds".split(), ("″", '"', "”", "ʺ", "''"), 3600),
)
_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minutes>\d{2}))?(?![\d:])(?![.,]\d)")
_IN_NUMBERS = (".", ":", "-", "/")
_SAME_ANGLE = 1e-4
_PARTS = {
    word: part
    for part, words in (
        ("early", "early earlier beginning start outset first opening"),
        ("mid", "mid middle midst"),
        ("late", "late later latter end close final last closing"),
    )
    for word in words.split()
}
RANGE_WORDS = frozenset("to until through and between from till".split())
_UP_TO = frozenset("to until through till".split())
_SCORED = frozenset(
    "goal goals point points game games set sets run runs frame frames vote votes match matches win wins".split()
)
_IN_RANGES = RANGE_WORDS | frozenset("up age aged ages year years".split())
_DASHES = frozenset("- – — −".split())
_OF_PERIOD = frozenset("the of in years part".split())
_BOUNDS = frozenset("by till until before after since".split())
_REACH = 6
"""Words between the part of a decade and the decade."""


class Written(NamedTuple):
    """A value in words `start` to `end` (exclusive): minutes of the day, degrees on an `axis`, a part of a period.

    `other` is what a time says too that does not tell its half of the day.
    """

    kind: str
    start: int
    end: int
    value: float = 0.0
    axis: str = ""
    other: float | None = None

    def is_said_by(self, said: Written) -> bool:
        """Whether another place has the value; a time that leaves its half of the day open is of the first one."""
        if self.kind != said.kind or (self.axis and said.axis and self.axis != said.axis):
            return False
        if self.kind == "time":
            return said.value in (self.value, self.other)
        return abs(self.value - said.value) < _SAME_ANGLE and (said.axis != "" or said.value < 0)


def written_values(text: str, words: Sequence[Word], kind: str = "") -> Iterator[Written]:
    """The values in the words of a text, of a kind or of each, in order."""
    end = 0
    for at in range(len(words)):
        if at < end:
            continue
        told = _time(text, words, at) if kind in ("", "time") else None
        told = told or (_angle(text, words, at) if kind in ("", "angle") else None)
        told = told or (_period(words, at) if kind in ("", "period") else None)
        if told is not None:
            end = told.end
            yield told


def _text(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""


def _below(words: Sequence[Word], at: int, limit: int) -> int:
    """The whole number at a place, -1 for none below the limit."""
    text = _text(words, at)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < limit else -1


def _time(text: str, words: Sequence[Word], at: int) -> Written | None:
    """`9:30`, `9.30am`, `half past 9 in the morning`, `20 minutes to 10`, `noon`."""
    if words[at].text in _NAMED and words[at].gap[-1:] != "-":
        return Written("time", at, at + 1, _NAMED[words[at].text])
    told = _spoken_time(words, at) or _clock_time(text, words, at)
    if told is None:
        return None
    hour, minutes, end, certain = told
    oclock = _text(words, end) == "oclock"
    end += oclock
    half, behind = _half_day(words, end, hour)
    value = (hour * MINUTES + minutes) % (HOURS * MINUTES)
    if not half:
        told_half = not 0 < hour < NOON // MINUTES or text[words[at].start] == "0"
        other = None if told_half else (value + NOON) % (2 * NOON)
        return Written("time", at, end, value, "", other) if certain or oclock else None
    if half in _NAMED:
        return Written("time", at, behind, _NAMED[half]) if (hour, minutes) == (12, 0) else None
    if not 0 < hour <= NOON // MINUTES or (hour == NOON // MINUTES and half in ("morning", "evening")):
        return None
    return Written("time", at, behind, (hour % 12 + _HALF_DAYS[half]) * MINUTES + minutes)


def _half_day(words: Sequence[Word], at: int, hour: int) -> tuple[str, int]:
    """The half of the day that is told at a place, and where it ends."""
    texts = [word.text for word in words[at : at + 3]]
    if texts[:2] == ["in", "the"] and texts[-1] in (*_HALF_DAYS, "daytime"):
        return ("noon" if texts[-1] == "daytime" else texts[-1]), at + 3
    if texts[:2] == ["at", "night"]:
        return ("pm" if _FIRST_OF_NIGHT <= hour < NOON // MINUTES else "am"), at + 2
    return (texts[0], at + 1) if texts and texts[0] in ("am", "pm", *_NAMED) else ("", at)


def _spoken_time(words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """Hour, minutes, where they end, and whether they can be nothing but a time."""
    part = _PARTS_OF_HOUR.get(words[at].text, 0)
    minutes = part or _below(words, at, MINUTES)
    named = _text(words, at + 1) in ("minute", "minutes")
    joint, hour = _text(words, at + 1 + named), _below(words, at + 2 + named, HOURS)
    if minutes <= 0 or hour < 0 or (part and named) or joint not in _PAST | _TO:
        return None
    if joint in _TO:
        hour, minutes = (hour - 1) or NOON // MINUTES, MINUTES - minutes
    return hour, minutes, at + 3 + named, bool(part) or named


def _clock_time(text: str, words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """Hour, minutes, where they end, and whether they are a time without more."""
    found = _CLOCK.match(text, words[at].start)
    if not words[at].number or (words[at].gap and words[at].gap[-1] in _IN_NUMBERS):
        return None
    if found is None:
        hour = _below(words, at, HOURS + 1)
        return (hour, 0, at + 1, False) if hour >= 0 else None
    hour, minutes = int(found["hour"]), int(found["minutes"] or 0)
    end = next((i for i in range(at + 1, min(len(words), at + 3)) if words[i].start >= found.end()), len(words))
    certain = found["mark"] == ":" or (found["mark"] == "." and _text(words, at - 1) in _BEFORE_TIME)
    return (hour, minutes, end, certain) if hour <= HOURS and minutes < MINUTES else None


def _angle(text: str, words: Sequence[Word], at: int) -> Written | None:
    """`52°30′ N`, `52.5 degrees north`, `-7.75 degrees`."""
    if not words[at].number or _text(words, at + 1) not in _DEGREES:
        return None
    try:
        value = float(words[at].text)
    except ValueError:
        return None
    size, end = abs(value), at + 2
    for names, marks, parts in _SMALLER:
        number = _text(words, end) if end < len(words) and words[end].number else ""
        named = _text(words, end + 1) in names
        marked = bool(number) and text.startswith(marks, words[end].end)
        if not number.replace(".", "", 1).isdigit() or not (named or marked):
            break
        size, end = size + float(number) / parts, end + 1 + named
    axis, sign = _AXES.get(_text(words, end), ("", 0))
    if not sign and len(_text(words, at - 1)) == 1 and words[at].gap == " ":
        axis, sign = _AXES.get(_text(words, at - 1), ("", 0))  # "N 52°30′"
        at, end = at - bool(sign), end - bool(sign)
    if not sign:
        return Written("angle", at, end, -size) if value < 0 else None
    return Written("angle", at, end + 1, sign * size, axis)


def _period(words: Sequence[Word], at: int) -> Written | None:
    """`late 1950s`, `the end of the 1950s`, `the final years of the 19th century`."""
    part = _PARTS.get(words[at].text, "")
    if {_text(words, at - 1), _text(words, at - 2)} & _BOUNDS:
        return None  # "by the end of the 1950s"
    end = at + 1
    while part and end < min(len(words), at + _REACH) and words[end].text in _OF_PERIOD:
        end += 1
    period = _text(words, end) if part else ""
    if period.endswith("th") and _text(words, end + 1) == "century":
        return Written("period", at, end + 2, axis=f"{part} {period}")
    decade = period.endswith("s") and len(period) == len("1950s") and period[:4].isdigit()
    return Written("period", at, end + 1, axis=f"{part} {period}") if decade else None


def ranges(words: Sequence[Word], span: tuple[str, str], months: Collection[str]) -> Iterator[tuple[int, int]]:
    """`from 28 January 1887 to 31 March 1889` is 1887 to 1889, and so is `1887-89`; `seven goals to one` is 7-1."""
    first, last = span
    ends = {last, last[2:]} if len(last) == 4 and last[:2] == first[:2] else {last}
    for i, word in enumerate(words):
        short = _is_short(word) and word.text == first[2:] and len(first) == 4  # "from '61 to '65"
        reach = range(i + 1, min(len(words), i + 7)) if word.text == first or short else ()
        j = next((j for j in reach if words[j].text in ends), i)
        counted = i + 1 + (_text(words, i + 1) in _SCORED)
        between = [t for t in words[counted:j] if t.text not in _IN_RANGES and t.text not in months]
        joined = len(last) > 3 or _are_joined(words, i, j)
        if (
            j > i
            and joined
            and (not short or _is_short(words[j]))
            and all(t.number and len(t.text.removesuffix("th")) < 3 < len(last) for t in between)
        ):
            yield i, j + 1


def _is_short(word: Word) -> bool:
    return word.number and word.gap[-1:] in ("'", "’", "‘") and len(word.text) == 2


def _are_joined(words: Sequence[Word], first: int, last: int) -> bool:
    """`12-15`, `12 up to 15`, `between 12 and 15`, unlike `12, 15`, `12 and 15` and `12-15-18`."""
    told = {t.text for t in words[first + 1 : last]}
    led = words[first - 1].text if first else ""
    dashed = last == first + 1 and words[last].gap.strip() in _DASHES
    further = [t.gap.strip() for t in words[last + 1 : last + 2] if t.number]
    further += [words[first].gap.strip()] if first and words[first - 1].number else []
    joined = dashed or not told.isdisjoint(_UP_TO) or (led == "between" and "and" in told)
    return joined and _DASHES.isdisjoint(further)
