"""The plain words of a brief: labels on one line, figures, times, and texts within their bounds."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from verifleet.envelopes import BRIEF_WORD_LIMIT
from verifleet.reading.words import data

BRIEF_CHARACTERS = 2_000
"""What 200 words come to: a text without blanks has one word, however long it is."""
_WORD = re.compile(r"\S+")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*+")
_JOINERS = "\u200c\u200d"
"""Invisible, but part of how Persian, Hindi and others are spelt."""
UNITS: Mapping[str, tuple[float, str]] = {
    "m": (1, " m"), "m2": (1e-4, " ha"), "m/s": (3.6, " km/h"), "degC": (1, " °C"), "usd": (1, " US dollars"),
    "%": (1, " %"), "s": (1 / 3600, " h"), "magnitude": (1, ""), "psi": (1, ""), "": (1, ""),
}  # fmt: skip

_MANY = (
    (1_000_000, "millions of"), (100_000, "hundreds of thousands of"), (10_000, "tens of thousands of"),
    (1_000, "thousands of"), (100, "hundreds of"), (20, "dozens of"),
)  # fmt: skip


def plain(text: str, most: int = 200) -> str:
    """A label on one line, without invisible characters and without quotes that could close those around it."""
    text = text[: 4 * most]
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(c)[0] in "CZ" and c not in _JOINERS else c for c in text)
    line = " ".join(text.split()).replace("“", "‘").replace("”", "’").rstrip(" .;:,-–—")
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0] + "…"


def clock(moment: datetime, today: datetime, *, zone: bool = True, dated: bool = False) -> str:
    """A time as read on the day of `today`: "07:40 UTC", with its date when that is another day, or `dated`."""
    day = "" if moment.date() == today.date() and not dated else f"{moment.day} {moment:%b} "
    year = "" if moment.year == today.year else f"{moment:%Y} "
    return f"{day}{year}{moment:%H:%M}" + (" UTC" if zone else "")


def quoted(reason: str) -> str:
    """What a reason quotes, "" when it quotes nothing."""
    start, end = reason.find("“"), reason.rfind("”")
    return reason[start + 1 : end] if 0 <= start < end else ""


def figure(low: float | None, high: float | None, unit: str = "", approximate: bool = False) -> str:
    """An interval as people say it: "12", "about 300", "at least 20", "up to 60", "10–12"."""
    scale, sign = UNITS.get(unit, (1, f" {plain(unit, 12)}" if unit else ""))
    acre = data("units")["units"]["acre"][1]
    acres = (low if low is not None else high or 0) / acre
    if unit == "m2" and acres >= 1 and abs(acres - round(acres)) < 1e-6 * acres:  # as it was told
        scale, sign = 1 / acre, " acres"
    if low is None and high is None:
        return "an unknown number of"
    if high is None:
        told = f"at least {_number(low or 0, scale)}"
    elif low == 3 and approximate and high <= 20:
        told = "several"
    elif low and approximate and high > 3 * low:
        told = next((word for least, word in _MANY if low >= least), f"at least {_number(low, scale)}")
    elif low is None or (not low and high):
        told = f"up to {_number(high, scale)}"
    elif low == high:
        told = ("about " if approximate else "") + (_number(low, scale) if low or unit else "no")
    else:
        told = f"{_number(low, scale)}–{_number(high, scale)}"
    return told + sign


def _number(value: float, scale: float) -> str:
    scaled = value * scale
    return f"{scaled:,.0f}" if scaled == int(scaled) or abs(scaled) >= 100 else f"{scaled:.3g}"


def shorten(text: str, limit: int = BRIEF_WORD_LIMIT) -> str:
    """At most `limit` words and BRIEF_CHARACTERS, cut after a sentence in the second half, else with an ellipsis."""
    text = text.strip()
    ends = [word.end() for word in itertools.islice(_WORD.finditer(text), limit + 1)]
    if len(ends) <= limit and len(text) <= BRIEF_CHARACTERS:
        return text
    kept = [end for end in ends[:limit] if end <= BRIEF_CHARACTERS]
    if not kept:
        return text[: BRIEF_CHARACTERS - 1] + "…"
    whole = next((end for end in reversed(kept[len(kept) // 2 + 1 :]) if text[end - 1] in ".!?"), 0)
    return text[:whole] if whole else text[: kept[: limit - 1][-1]] + " …"


def rests_on(summary: str, facts: Mapping[str, Any]) -> bool:
    """Whether a summary written by a model has no figure that the facts do not have, and is not empty."""
    known = set(_FIGURE.findall(" ".join(str(value) for value in facts.values())))
    return bool(summary.strip()) and set(_FIGURE.findall(summary)) <= known
