"""What words do in a sentence, in the six languages that are read: label, ask, advise, join; `data/acts.json`."""

from __future__ import annotations

from functools import cache

from verifleet.reading.lexicon import Lexicon
from verifleet.reading.words import data


@cache
def acts() -> Lexicon:
    """All classes, to be looked up token by token."""
    return Lexicon.of(data("acts"))


@cache
def listed(name: str) -> frozenset[str]:
    """The single words of a class."""
    return frozenset(data("acts")[name].split(","))
