"""What a checker finds: the first fault of a text, with its rule and place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

SHOWN = 200
_NEAR = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that keeps a text from being what was asked.

    `offset` counts code points from the start of the checked text. `kind` tells a text that is not in the
    format at all (malformed) from one that breaks a declared rule (incorrect), a reference that can't be
    used (reference), and a comparison that was given up (undecided). `share` in 0..1 is the part of the
    rules that is satisfied, where that can be counted.
    """

    rule: str
    message: str
    offset: int | None = None
    path: str | None = None
    kind: Literal["malformed", "incorrect", "reference", "undecided"] = "malformed"
    share: float = 0.0
    more: Mapping[str, Any] = field(default_factory=dict)


def shown(text: str, limit: int = SHOWN) -> str:
    """A short form of untrusted text for messages."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= limit else text[:limit] + "…"


def surrogate_fault(text: str) -> Fault | None:
    """The first surrogate without its other half: no text of any format holds one."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return Fault("lone_surrogate", "A surrogate stands without its other half.", error.start)
    return None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of `offset` in `text`, both counted from 1; CRLF, LF and CR each end a line."""
    before = text[:offset]
    line = before.count("\n") + before.count("\r") - before.count("\r\n") + 1
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    return line, offset - start + 1


def line_start(text: str, line: int) -> int:
    """The offset at which a line, counted from 1 and ended by LF, begins (the text's end if there is none)."""
    breaks = line - 1
    if text.count("\n") < breaks:
        return len(text)
    start, end = 0, len(text)
    while end - start > _NEAR:  # halve at the speed of C: a text may have millions of lines
        middle = (start + end) // 2
        before = text.count("\n", start, middle)
        if before >= breaks:
            end = middle
        else:
            start, breaks = middle, breaks - before
    for _ in range(breaks):
        start = text.index("\n", start) + 1
    return start


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a place that a parser names by line and column, both counted from 1."""
    return max(0, min(len(text), line_start(text, max(1, line)) + max(0, column - 1)))
