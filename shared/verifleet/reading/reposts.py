"""The marks of a repost, "RT @x: ...", "... MT @x ...", “@x: ...”, "@x: ...", "... via @x", and its original words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.reading.document import Span
from verifleet.reading.gazetteer import listed
from verifleet.reading.legible import legible
from verifleet.reading.speakers import is_newsroom
from verifleet.reading.tokens import tokens

MAX_MARKED = 4_000
"""Characters in which marks are looked for; reposts are posts, and posts are short."""
LEAST_ORIGINAL = 8
"""Fewer characters behind a mark ("RT @x pls") are no original."""
MAX_CHARS = 6_000
"""Characters of a text of which the original words are kept."""
MAX_KEPT = 80
"""Words of an original that are kept: posts are short, and copies of long texts begin alike."""

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
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts without blanks between words: each is a word here."""
_UNTOLD = frozenset({"url", "email", "handle", "line"})
_BREAKS = frozenset(".:;!?|-–—")


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


@dataclass(frozen=True, slots=True)
class Original:
    """The original words of a report.

    Attributes:
        author: handle of whom they are from where the report says so, else "".
        words: folded, in order, without links, handles and the tags behind; a word that was cut is left out.
        breaks: indices of words behind which a clause ends.
        cut: there were more of them.
        added: the reposter's own words, folded, in order.
    """

    author: str
    words: tuple[str, ...]
    breaks: frozenset[int]
    cut: bool
    added: tuple[str, ...] = ()


NO_ORIGINAL = Original("", (), frozenset(), False)


def original_of(text: str) -> Original:
    """The original in a report's text: the reposted words where it marks some as reposted, else its own.

    The name of a newsroom that signs it is none of its words.
    """
    text = legible(text[:MAX_CHARS])
    for signed in _SIGNED.finditer(text[:MAX_MARKED]):
        name = signed[1] or signed[2]
        if is_newsroom(name) and name.split()[-1].lower() not in listed("sites") | listed("kinds"):
            start, end = signed.span()
            end += len(text[end:]) - len(text[end:].lstrip(" .…"))
            text = f"{text[:start]}{'-':>{end - start}}{text[end:]}"
    repost = find_repost(text)
    words, breaks, cut = _words(text[slice(*repost.original)])
    added = [word for span in repost.added for word in _words(text[slice(*span)])[0]]
    kept = frozenset(index for index in breaks if index < MAX_KEPT)
    return Original(repost.author, tuple(words[:MAX_KEPT]), kept, cut or len(words) > MAX_KEPT, tuple(added[:MAX_KEPT]))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a piece of a legible text as those of an original are kept."""
    return tuple(_words(text[:MAX_CHARS])[0][:MAX_KEPT])


def _words(text: str) -> tuple[list[str], list[int], bool]:
    """The words of a text, the indices of those behind which a clause ends, and whether its end is cut off."""
    found = [token for token in tokens(text) if token.kind not in _UNTOLD]
    last = next((token.text for token in reversed(found) if token.text not in '"”“»'), "")
    while found and found[-1].kind in ("mark", "tag"):
        found.pop()
    words: list[str] = []
    breaks: list[int] = []
    for token in found:
        if token.kind == "mark":
            if words and token.text[0] in _BREAKS and not (token.text in "-–—" and token.glued):
                breaks.append(len(words) - 1)
        elif token.low.isascii() or not _UNSPACED.search(token.low):
            words.append(token.low.lstrip("#"))
        else:
            words += token.low
    cut = last.startswith(("…", ".."))
    return words[: len(words) - cut], breaks, cut  # the last one may be half a word
