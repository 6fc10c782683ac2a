"""How rare a content word is in reports of incidents, by a table that was counted on real ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from verifleet.agents.lexicon import shipped

UNKNOWN = 7.0
"""Rarity of a word that is not in the table, as the natural logarithm of one over its share of reports."""


@cache
def _table() -> Mapping[str, float]:
    found: dict[str, float] = shipped("relate/rarity.json")["words"]
    return found


def rarity(words: Iterable[str]) -> float:
    """The rarity of words together."""
    known = _table().get
    return sum([known(word, UNKNOWN) for word in words])
