"""How much a word tells: how rare it is in reports of incidents, by a table counted on real ones, and in its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from verifleet.agents.lexicon import shipped

UNKNOWN = 7.0
"""Rarity of a word that is not in the table, as the natural logarithm of one over its share of reports."""
LEAST, MOST = 1.5, 6.5
"""The least and the most that a word tells in an incident."""
FEW, KNOWN = 3, 5
"""Reports of an incident from which its words are counted, and as many as count like the table together."""
OWN = 2.0
"""What rarity in one incident counts beside that in all."""


@cache
def _table() -> Mapping[str, float]:
    found: dict[str, float] = shipped("relate/rarity.json")["words"]
    return found


def rarity(words: Iterable[str]) -> float:
    """The rarity of words together."""
    known = _table().get
    return sum([known(word, UNKNOWN) for word in words])


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """The words of each report of an incident: those of many name it, and make nothing specific."""

    told: Sequence[frozenset[str]] = ()
    _weights: dict[str, float] = field(default_factory=dict)

    def weight(self, words: Iterable[str]) -> float:
        """How much words tell together in this incident."""
        known = self._weights
        return sum([known[word] if word in known else self._weigh(word) for word in words])

    def _weigh(self, word: str) -> float:
        made, reports = min(_table().get(word, UNKNOWN), MOST), len(self.told)
        if reports >= FEW:
            own = -OWN * math.log((sum([word in words for words in self.told]) + 0.5) / (reports + 1))
            made += reports / (reports + KNOWN) * (min(max(own, LEAST), MOST) - made)
        self._weights[word] = made
        return made


UNHEARD = Heard()
"""Of an incident of which nothing else is known."""
