"""How much a word tells: how rare it is in reports of incidents, by a table counted on real ones, and in its own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Annotated

from pydantic import Field

from verifleet.agents.lexicon import shipped

Count = Annotated[int, Field(ge=0)]

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


@dataclass(frozen=True)
class Heard:
    """How many reports of an incident there were before a claim, and how many of them had each of its words.

    Words of many name the incident, and make nothing specific. What comes later changes nothing of it, so that no
    support comes or goes with the order in which reports arrive.
    """

    reports: Count = 0
    uses: Mapping[str, Count] = field(default_factory=dict)

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {}

    def weight(self, words: Iterable[str]) -> float:
        """How much words of the claim tell together in this incident."""
        known = self._weights
        return sum([known[word] if word in known else self._weigh(word) for word in words])

    def _weigh(self, word: str) -> float:
        made = min(_table().get(word, UNKNOWN), MOST)
        if self.reports >= FEW:
            own = -OWN * math.log((self.uses.get(word, 0) + 0.5) / (self.reports + 1))
            made += self.reports / (self.reports + KNOWN) * (min(max(own, LEAST), MOST) - made)
        if self.reports:  # that of no report is of the whole process, and no word of a text stays in it
            self._weights[word] = made
        return made


def hear(words: frozenset[str], before: Collection[frozenset[str]]) -> Heard:
    """What was heard of some words in the reports before."""
    return Heard(len(before), Counter(word for told in before for word in words & told))


UNHEARD = Heard()
"""Of an incident of which nothing else is known."""
