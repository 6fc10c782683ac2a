"""Fractions and ratios in words, as percentages: `3 quarters`, `¾`, `2 out of every 3`, `78.1 parts in a hundred`."""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.reading import numerals
from verifleet.reading.document import Word

PARTS = {"half": 2, "quarter": 4}
MAX_PART = 3
"""Digits of a fraction's numbers."""
_HEDGES = {1: {"over", "above", "more"}, -1: {"under", "below", "less", "nearly", "almost"}}
_BEFORE = frozenset("a an the than".split())


def share(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """`three quarters`, `3/4`, `¾`, `half` in percent, and where it ends."""
    over, _, under = words[at].text.partition("/")
    behind = words[at + 1] if at + 1 < len(words) else None
    end = at + 1
    if not under and (part := PARTS.get(over, 0)):
        over, under = "1", str(part)
    elif not under and behind is not None:
        part_of = PARTS.get(behind.text.removesuffix("s"), 0) or numerals.ordinal_of(behind.text)
        below = behind.text if behind.gap == "/" else str(part_of)
        over, under, end = "1" if over == "a" else over, below, at + 2
    digits = all(number.isascii() and number.isdigit() and len(number) <= MAX_PART for number in (over, under))
    if not digits or not 0 < int(over) < int(under) or any(word.gap == "/" for word in words[end : end + 1]):
        return None
    return 100 * int(over) / int(under), end


def ratio(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """`2 out of every 3` and `78.1 parts in a hundred` likewise."""
    texts = [word.text for word in words[at : at + 6]] if words[at].number else []
    end = 2 if texts[1:2] in (["part"], ["parts"]) else 1
    joint = 2 if texts[end : end + 2] == ["out", "of"] else texts[end : end + 1] in (["in"], ["per"])
    end += joint
    end += texts[end : end + 1] in (["every"], ["each"], ["a"])
    over, under = (numerals.decimal_of(text) for text in (texts[0], texts[end])) if texts[end:] else (None, None)
    if not joint or over is None or under is None or not 0 < over < under < 10 ** (MAX_PART + 1):
        return None
    return 100 * float(over) / float(under), at + end + 1


def hedge(words: Sequence[Word], at: int) -> int:
    """1 for `a little over 7 tenths`, -1 for `just under 4 fifths`, 0 for neither."""
    before = [word.text for word in words[max(0, at - 3) : at] if word.text not in _BEFORE]
    return next((sign for sign, known in _HEDGES.items() if known & {*before[-1:]}), 0)
