"""Names in a text that are no places: organisations, named fires, short names and other capitalised words."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from verifleet.reading.document import Span
from verifleet.reading.places import is_headline
from verifleet.reading.tokens import Token
from verifleet.reading.words import data

MAX_TEXT = 16_384
"""Characters of a text in which organisations are looked for."""

SHORT, CODE = 3, 6
"""Letters up to which a capitalised word tells nothing; in capitals, from the one to the other it is a short name."""
_CAPITAL = r"[A-Z][\w'’&.-]{0,40}"
_BODIES, _KNOWN = ("|".join(data("organisations")[name]) for name in ("bodies", "known"))
_ORGANISATION = re.compile(
    r"\b(?:(?:The|A|An|In|At|On|From|By|For|And|But|Breaking|Update|RT) )?"
    rf"(?P<body>(?:{_CAPITAL} (?:(?:of|for|and|de|del|the) )?){{1,4}}(?:{_BODIES})\b(?: (?:of|for|de) {_CAPITAL})?"
    r"|(?:Ministry|Department|Office|University|Bank|Bureau|Government) of (?:the )?"
    rf"{_CAPITAL}(?: {_CAPITAL})?|(?:{_KNOWN})\b)"
)


_BEFORE = ",'’\"“(-"
"""Marks behind which a capitalised word begins no sentence."""


def organisations(text: str) -> Iterator[tuple[str, Span]]:
    """Bodies by what their names end with, and known ones by their short names."""
    return ((match["body"], match.span("body")) for match in _ORGANISATION.finditer(text[:MAX_TEXT]))


def other_names(pieces: Sequence[Token], places: Container[str]) -> Iterator[str]:
    """Fires by their names ("highparkfire"), then other capitalised words; `places`: folded words of places."""
    for one, other, fire in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if fire.low == "fire" and _is_name(one) and _is_name(other) and not (one.low in places or other.low in places):
            yield f"{one.low}{other.low}fire"
    # Among capitals in all words, as headlines have them, none tells a name.
    for before, word in pairwise(() if is_headline(pieces) else pieces):
        opens = before.kind == "line" or (before.kind == "mark" and before.text not in _BEFORE)
        if _is_name(word) and len(word.text) > SHORT and not opens:
            yield word.low.removesuffix("'s")
    words = [word for word in pieces if word.kind == "word"]
    short = [word.low for word in words if word.text.isupper() and SHORT <= len(word.text) <= CODE]
    yield from short if any(word.text.islower() for word in words) else ()


def _is_name(piece: Token) -> bool:
    """Whether a word begins with its only capital."""
    return piece.kind == "word" and piece.text[0].isupper() and piece.low[1:].removesuffix("'s") == piece.text[1:]
