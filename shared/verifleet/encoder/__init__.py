"""A small trained encoder that reads two texts as a pair and answers a question about them with log-odds.

`tools/train_encoder.py` makes its data. It reads English; what it costs is told in docs/decisions/0120-encoder.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from verifleet.encoder import wordpiece

if TYPE_CHECKING:
    from verifleet.encoder.transformer import Transformer

BEGIN, END, OPEN, CLOSE = "[CLS]", "[SEP]", "[unused0]", "[unused1]"
"""What stands before a pair, behind each text, and around a marked place."""
VOCABULARY = "vocabulary.json"
MAX_PIECES = 176
"""Pieces of a pair, marks and all; what is too long is cut."""


@cache
def vocabulary() -> Mapping[str, int]:
    """The pieces that the encoder knows, by number; read on first use."""
    known: list[str] = json.loads(files(__package__).joinpath("data", VOCABULARY).read_text("utf-8"))
    return {piece: number for number, piece in enumerate(known)}


@cache
def trained() -> Transformer:
    """The trained encoder; numpy is imported and the weights are read on first use."""
    from verifleet.encoder.weights import read

    return read()


def pieces(text: str) -> tuple[int, ...]:
    """A text as the encoder reads it."""
    return tuple(wordpiece.pieces(text, vocabulary()))


def marked(text: str, places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The same with a mark before and behind each of some places, given in order as offsets; what overlaps is cut."""
    known, found, end = vocabulary(), list[int](), 0
    for start, stop in ((max(start, end), stop) for start, stop in places):
        if start >= stop:
            continue
        found += [*pieces(text[end:start]), known[OPEN], *pieces(text[start:stop]), known[CLOSE]]
        end = stop
    return (*found, *pieces(text[end:]))


def odds(question: str, first: Sequence[Sequence[int]], second: Sequence[int]) -> float:
    """The log-odds of "yes" to a question about a pair; `first` may be several short texts, `second` is cut to fit.

    Of a second text that is too long the part around its first mark stays, or its beginning.
    """
    known = vocabulary()
    opening = [known[BEGIN], *(number for text in first for number in (*text, known[END]))]
    room = MAX_PIECES - len(opening) - 1
    mark = next((at for at, number in enumerate(second) if number == known[OPEN]), 0)
    start = max(0, min(mark - room // 2, len(second) - room))
    return trained().odds(question, opening, [*second[start : start + room], known[END]])
