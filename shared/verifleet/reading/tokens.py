"""A text as tokens, in one linear pass; each token keeps where it stood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from verifleet.reading.document import Span
from verifleet.reading.words import fold, sense, unaccented

_TOKEN = re.compile(
    r"""(?P<url>(?:https?:|www\.)\S*+|\bht{1,2}p?s?(?=\ ?(?:…|\.{2,})\s*+$))
    |(?P<email>[\w.+-]{1,64}+@[\w-]{1,60}+\.[\w.-]{2,60}+)
    |(?P<handle>@\w{1,50}+)
    |(?P<tag>\#\w{1,100}+)
    |(?P<clock>\d{1,2}(?:[:.]\d{2})?\s?[ap](?:m\b|\.m\b\.?)|\d{1,2}:\d{2}(?::\d{2})?(?:Z\b)?
        |\d{1,2}h(?:\d{2})?\b)
    |(?P<date>\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?)?
        |\d{1,2}/(?:\d{1,2}|[A-Za-z]{3})/\d{2,4})
    |(?P<phone>\+\d[\d\s().-]{6,18}\d|(?<![\d.,])0\d{5,14}\b|(?<![\d.,])\d{7,15}\b(?![.,]\d)
        |(?<![\d.,$])(?:\d-)?\d{3,4}[-\ ]\d{3,4}[-\ ]\d{3,4}\b)
    |(?P<magnitude>\b[Mm][wWlLbB]?(?=\s?\d\.\d))
    |(?P<number>\d{1,3}(?:[\ \u00a0\u202f]\d{3})++(?![\d.,]\d)(?!\d)|\d++(?:[.,'’]\d++)*+)
    |(?P<word>[^\W\d_][^\W_]*+(?:['’][^\W\d_]++)*+)
    |(?P<line>\n\s*+)
    |(?P<mark>\.{2,}|[^\w\s]|_)""",
    re.VERBOSE,
)

_LED = re.compile(r"(?P<capitals>[A-Z]{2,40})(?P<word>[a-z]{4,40})")
_CAMEL = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")


@dataclass(slots=True)
class Token:
    """A piece of a text. `kind`: word, number, clock, date, phone, url, handle, tag, email, line or mark."""

    kind: str
    start: int
    end: int
    text: str
    low: str
    glued: bool
    """No blank before it."""

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end


def tag_parts(tag: str) -> list[str]:
    """The parts of a hashtag by its capitals; "#LAXshooting" is of LAX and a word that is known."""
    body = tag.removeprefix("#")
    plain = unaccented(body)
    led = _LED.fullmatch(plain)
    if led is not None and sense(led["word"], "en").name:
        return [led["capitals"], led["word"]]
    spans = (match.span() for match in _CAMEL.finditer(plain))
    return [body[start:end] if len(body) == len(plain) else plain[start:end] for start, end in spans]


def tokens(text: str) -> list[Token]:
    """The tokens of a legible text; the last few texts are remembered, since every floor that reads asks for them."""
    return list(_tokens(text))


@lru_cache(maxsize=4)
def _tokens(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        part = match[0]
        low = fold(part) if kind in ("word", "magnitude", "tag", "handle", "clock") else part
        if kind == "magnitude":
            kind, low = "word", "magnitude"
        found.append(Token(kind, match.start(), match.end(), part, low.replace("’", "'"), match.start() == end))
        end = match.end()
    return tuple(found)
