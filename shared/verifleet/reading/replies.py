"""What a reply says by itself: marks, classes of words, whom it addresses and what it quotes in another's name."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from verifleet.reading.legible import legible
from verifleet.reading.reposts import find_repost
from verifleet.reading.tokens import Token, tokens
from verifleet.reading.words import data

MAX_CHARS = 2_000
MAX_WORDS = 60
"""Words of a reply that are read; posts have fewer."""
_BRIEF = 8

_WORDS = data("replies")
_NEGATION = frozenset(_WORDS["negation"])
_FUNCTION = frozenset(_WORDS["function"])
_CLASSES = {name: frozenset(words) for name, words in _WORDS["reply"].items()}
_TOLD = ("word", "number", "clock")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says by itself, without its text.

    Attributes:
        marks: features by name; those that are 0 are left out.
        words: its own content words, folded.
        quoted: the words that it quotes in another's name, folded.
        handles: whom it addresses, in order.
    """

    marks: Mapping[str, float]
    words: frozenset[str]
    quoted: frozenset[str] = frozenset()
    handles: tuple[str, ...] = ()


def reply_of(text: str, vocabulary: Container[str]) -> Reply:
    """A reply with the handles and quotations in it; `vocabulary`: words and pairs of words to be marked."""
    text = legible(text[:MAX_CHARS])
    repost = find_repost(text)
    quoted, own = frozenset[str](), text
    if repost.author and (repost.added or not text.lstrip(" .").startswith("@")):
        quoted = frozenset(_said(tokens(text[slice(*repost.original)])))
        own = " ".join(text[slice(*span)] for span in repost.added)
    found = tokens(own)[: 2 * MAX_WORDS]
    lead = list(takewhile(lambda token: token.kind == "handle" or token.text in ".:,", found))
    handles = tuple(token.low[1:] for token in lead if token.kind == "handle")
    marks = _marks(found[len(lead) :], len(handles), vocabulary)
    content = frozenset(word for word in _said(found) if word not in _FUNCTION)
    return Reply({name: value for name, value in marks.items() if value}, content, quoted, handles)


def _said(found: Sequence[Token]) -> list[str]:
    return [token.low for token in found if token.kind in _TOLD][:MAX_WORDS]


def _marks(body: Sequence[Token], addressed: int, vocabulary: Container[str]) -> dict[str, float]:
    """Marks of length, punctuation and links, of negation and classes of words, and the words of a vocabulary."""
    words, asked = _said(body), [at for at, token in enumerate(body) if token.text == "?"]
    brief, negated = len(words) <= _BRIEF, not _NEGATION.isdisjoint(words)
    marks = {
        "length": math.log1p(len(words)) / 3,
        "addressed": min(addressed, 3) / 3,
        "links": min(sum(token.kind == "url" for token in body), 2) / 2,
        "asks": float(bool(asked)),
        "asks_often": float(len(asked) > 1),
        "asks_last": float(bool(asked) and not _said(body[asked[-1] :])),
        "tags": min(sum(token.kind == "tag" for token in body), 2) / 2,
        "picture": float(any(token.kind == "mark" and ord(token.text[0]) > 0x2600 for token in body)),
        "negated": float(negated),
        "negated_first": float(not _NEGATION.isdisjoint(words[:3])),
        "negated_brief": float(negated and brief),
    }
    for name, members in _CLASSES.items():
        if not members.isdisjoint(words):
            first = not members.isdisjoint(words[:2])
            marks |= {name: 1.0, f"{name}_first": float(first), f"{name}_brief": float(brief)}
    marks["begins_asking"] = float(bool(asked) and not (_CLASSES["wh"] | _CLASSES["aux"]).isdisjoint(words[:1]))
    spoken = ["^", *(token.low for token in body if token.kind in _TOLD or token.text[0] in "?!.…"), "$"]
    told = (*words, *(" ".join(pair) for pair in pairwise(spoken)))
    return marks | {f"w:{one}": 1.0 for one in told if one in vocabulary}
