"""Numbers in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from verifleet.reading.dates import YEARS
from verifleet.reading.document import Clause
from verifleet.reading.tokens import Token, tokens
from verifleet.reading.words import LANGUAGES, data, fold

MAX_VALUE = 1e15
AND = frozenset("and y e et und".split())
GLUED: Mapping[str, tuple[str, ...]] = {"it": (), "es": ("i",), "de": ("und",)}
"""Languages that write several number words as one, and what joins them there."""
SHORTEST, LONGEST = 5, 30
"""Letters of what may be several number words."""

MAX_FIGURES = 12
SMALL, LONG = 31, 7
"""Whole numbers up to the one, and years, are everywhere; so many digits in a row are a telephone or an account."""
_RUN = re.compile(r"\d[\d,./ -]*")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{4}(?!\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2}(?!\d)")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_COUNT = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*+(?!\w)")


@cache
def named(language: str) -> Mapping[str, int]:
    """Numbers in words."""
    known = data("languages")
    numbers = known[language]["numbers"] if language in LANGUAGES else known["numbers"].get(language, {})
    return {fold(word): value for word, value in numbers.items()}


@cache
def vague(language: str) -> Mapping[str, tuple[int, int]]:
    """Words such as "dozens" with the least and the most that they may stand for."""
    if language not in LANGUAGES:
        return {}
    return {fold(word): (low, high) for word, (low, high) in data("languages")[language]["vague"].items()}


def in_digits(text: str, language: str) -> float | None:
    """The value of "1,600", "1.600", "7,9", "32 000"; None when it is no plain number."""
    text = text.replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")
    parts = text
    for mark in " '":
        parts = parts.replace(mark, "")
    commas, points = parts.count(","), parts.count(".")
    if commas and points:
        if commas > 1 and points > 1:
            return None
        decimal = "," if parts.rfind(",") > parts.rfind(".") else "."
        parts = parts.replace("." if decimal == "," else ",", "").replace(",", ".")
    elif commas or points:
        mark = "," if commas else "."
        groups = parts.split(mark)
        grouped = 1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:]) and groups[0] != "0"
        if len(groups) > 2 and not grouped:
            return None  # a version, an address, a list
        thousands = grouped and (mark == "," or len(groups) > 2 or language not in ("en", ""))
        parts = parts.replace(mark, "" if thousands else ".")
    try:
        value = float(parts)
    except ValueError:
        return None
    return value if value <= MAX_VALUE else None


def in_words(said: Sequence[Token], at: int, language: str) -> tuple[float, int] | None:
    """The value of the number words from a token on, and how many tokens they take: "thirty-two", "dos mil"."""
    total, group, index, last = 0.0, 0.0, at, -1
    while index < len(said) and index < at + 8:
        word = said[index].low
        if said[index].text == "-" and index > at:
            index += 1
            continue
        if word in AND and last >= at and index + 1 < len(said):
            behind = spelled(said[index + 1].low, language)
            if behind is None or not _fits_behind(behind, total, group):
                break
            index += 1
            continue
        value = spelled(word, language)
        if value is None:
            break
        teen = language == "fr" and group % 100 == 10 and 7 <= value <= 9  # "dix-sept"
        if (value < 20 and 0 < group % 100 < 20 and not teen) or (20 <= value < 100 and group % 100 >= 20):
            break
        if value >= 1000:
            total, group = total + (group or 1) * value, 0.0
        elif value == 100:
            group = (group or 1) * 100
        elif language == "fr" and (value, group % 100) == (20, 4):
            group += 76  # "quatre-vingts"
        else:
            group += value
        last = index
        index += 1
    if last < 0 or (last + 1 < len(said) and said[last + 1].kind == "number"):
        return None
    return total + group, last - at + 1


def with_digits(text: str, language: str) -> str:
    """The text, as long as before, with digits for the numbers of two and more in words: `ein` may be an article.

    English has readings of its own, and what is in no known language stays as it is.
    """
    said, at = tokens(text) if language not in ("", "en") else [], 0
    parts, told = [], 0
    while at < len(said):
        value, count = in_words(said, at, language) or (0, 1)
        amount = in_digits(said[at].text, language) if said[at].kind == "number" and at + 1 < len(said) else None
        scale = in_words(said, at + 1, language) if amount else None
        if amount and scale and scale[0] >= 1000:
            value, count = amount * scale[0], 1 + scale[1]
        start, end, digits = said[at].start, said[at + count - 1].end, str(int(value))
        if value > 1 and value == int(value) and len(digits) <= end - start:
            parts += [text[told:start], digits.ljust(end - start)]
            told = end
        at += count
    return "".join((*parts, text[told:]))


def _fits_behind(value: float, total: float, group: float) -> bool:
    """Whether a number behind "and" goes on with the one before: "sessenta e quatro", "mil e duzentos"."""
    if group:
        return 0 < value < (10 if group % 100 else 100) and group >= 20
    return 0 < value < 1000 <= total


@lru_cache(maxsize=8192)
def spelled(word: str, language: str) -> int | None:
    """The value of one number word, or of several written as one: "sessantaquattro", "veintitres", "vierundsechzig"."""
    known = named(language)
    if word in known or not SHORTEST < len(word) <= LONGEST or language not in GLUED:
        return known.get(word)
    for cut in range(len(word) - 3, 2, -1):
        head, tail = word[:cut], spelled(word[cut:], language)
        if tail is None:
            continue
        joint = next((joint for joint in GLUED[language] if head.endswith(joint) and head.removesuffix(joint)), "")
        first = next((known[one] for one in _forms(head, joint) if one in known), None)
        if first is None or not tail:
            continue
        low, high = sorted((first, tail))
        if language == "de" and joint:
            return first + tail if first < 10 <= tail < 100 else None
        if tail >= 100 and 1 < first < tail:
            return first * tail
        if first == high and (low < 10 if first < 100 else low < first):
            return first + tail
    return None


def _forms(head: str, joint: str) -> Iterator[str]:
    """How the first of two numbers that are written as one may be written alone."""
    yield from (head, head.removesuffix(joint))
    yield from (head + vowel for vowel in "aie")  # "vent|uno", "trent|otto"
    yield from (head.removesuffix(joint) + vowel for vowel in "ae" if joint)  # "veint|i|tres"


def telling_figures(clause: Clause) -> frozenset[str]:
    """The numbers in a clause that few others have, and what they make together: telephones, sums, no magnitudes."""
    found: set[str] = set()
    for run in _RUN.finditer(clause.text):
        digits = "".join(filter(str.isdigit, run[0]))
        if len(digits) >= LONG and not _DATE.match(run[0]):
            found.add(digits.lstrip("0"))
        numbers = (float(part.replace(",", "")) for part in _NUMBER.findall(run[0]))
        found.update(f"{number:.12g}" for number in numbers if number % 1 or (number > SMALL and number not in YEARS))
    found -= {f"{number.low:.12g}" for number in clause.quantities if number.unit == "magnitude"}
    return frozenset(sorted(found)[:MAX_FIGURES])


@lru_cache(maxsize=4096)
def figures_in(label: str) -> frozenset[float]:
    """The figures in a label, thousands with or without a comma, also as English words: thirty-two; no ordinals."""
    written = ([spelled(part, "en") for part in word.split("-")] for word in label.casefold().split())
    words = frozenset(float(sum(filter(None, parts))) for parts in written if None not in parts)
    return words.union(float(made) for told in _COUNT.findall(label) if (made := told.replace(",", "")).count(".") < 2)
