"""The marks of a repost: "RT @x: ...", "... MT @x ...", “@x: ...”, "@x: ...", "... via @x"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.reading.document import Span

MAX_MARKED = 4_000
"""Characters in which marks are looked for; reposts are posts, and posts are short."""
LEAST_ORIGINAL = 8
"""Fewer characters behind a mark ("RT @x pls") are no original."""

_FORWARD = re.compile(r"(?<![\w@#])(?:R[Tt]|MT|QT|HT|rt|mt)[ :\-]{0,3}@(\w{1,50})(?:[ ]?:|(?=\s))\s*+")
_QUOTED = re.compile(r"[“\"«]\s?\.?@(\w{1,50})(?:[ ]?:|(?=\s))\s*+")
_NAMED = re.compile(r"[^\w@]{0,5}+@(\w{1,50}):\s*+")
_NAME = r"(?:[A-Z][\w.!']{1,30}\s(?:(?:of|the|de|del|di|da|do)\s)?){0,3}[A-Z][\w.!']{1,30}"
_SIGNED = re.compile(
    rf"(?:(?<=\s)[-–—|>]\s|\()(?:[@#]?({_NAME})|@(\w{{2,30}}))"
    r"(?=\s*(?:[)\-–—|:>…#@]|https?:|\.(?:\W|$)|$))"
)
_HEADED = re.compile(rf"\s?({_NAME})(?=\s?[-–—|>:]\s)")
_VIA = re.compile(r"(?<!\w)[Vv][Ii][Aa] @(\w{1,50})[^\w]{0,5}+(?:https?://\S++\s*+)?$")


@dataclass(frozen=True, slots=True)
class Repost:
    """What was reposted of a text.

    Attributes:
        author: handle of whom it is from, folded, without "@"; "" when the text is the poster's own.
        original: where the reposted words stand; the whole text when it is the poster's own.
        added: where the poster's own words stand, before and behind.
    """

    author: str
    original: Span
    added: tuple[Span, ...] = ()


def marks(text: str) -> list[tuple[Span, str]]:
    """Where the marks of reposts stand in the beginning of a text, in order, each with the handle that it names."""
    head = text[:MAX_MARKED]
    found = [*_FORWARD.finditer(head), *_QUOTED.finditer(head)]
    named = _NAMED.match(head)
    return sorted((match.span(), match[1]) for match in (*found, *([named] if named and not found else [])))


def find_repost(text: str) -> Repost:
    """The innermost original in a text, and what the poster adds."""
    closing = max(text[:MAX_MARKED].rfind(mark) for mark in '”"»')
    first, author, original = -1, "", (0, len(text))
    for (start, end), handle in marks(text):
        stop = closing if text[start] in '“"«' and closing >= end else len(text)
        if stop - end >= LEAST_ORIGINAL:
            first, author, original = start if first < 0 else first, handle, (end, stop)
    if author:
        sides = ((0, first), (original[1], len(text)))
        added = tuple(span for span in sides if any(letter.isalnum() for letter in text[slice(*span)]))
        return Repost(author.casefold(), original, added)
    via = _VIA.search(text, max(0, len(text) - 600)) if len(text) <= MAX_MARKED else None
    if via is not None and via.start() >= LEAST_ORIGINAL:
        return Repost(via[1].casefold(), (0, via.start()))
    return Repost("", original)


def signatures(text: str) -> list[str]:
    """What may be the name of whoever a text is from: "- Reuters", "(AP)", "- @dailycamera", "BBC News - ..."."""
    headed = _HEADED.match(text)
    signed = _SIGNED.finditer(text[:MAX_MARKED])
    return [match[1] or f"@{match[2]}" for match in signed] + ([headed[1]] if headed else [])
