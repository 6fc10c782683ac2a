"""Quantities in reports: "at least eighty-four people hurt" is >= 84 in the slot `injured`.

A quantity has bounds in the slot's base unit, a qualifier and a slot. Many wordings share one slot (injured, hurt,
wounded, hospitalised, casualties are all `injured`), so that two reports can be compared. Clock times, dates, street
and road numbers, ages in names, handles, hashtags and links are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from verifleet.agents.quantity_words import (
    AMBIGUOUS_NUMBERS,
    BUILDINGS,
    CURRENCIES,
    DAMAGED,
    DESTROYED,
    GENERIC_PEOPLE,
    GENERIC_VEHICLES,
    HOUSEHOLDS,
    INDEFINITE,
    NEGATIONS,
    NUMBERS,
    PEOPLE,
    QUALIFIERS_AFTER,
    QUALIFIERS_BEFORE,
    SCALES,
    SKIPPED,
    SLOT_PHRASES,
    UNITS,
    VEHICLES,
    Slot,
    Unit,
    singular,
)

MAX_TEXT = 65_536
"""Characters of a text that are looked at."""
MAX_QUANTITIES = 256
REACH = 9
"""How many words a number and the word that says what it counts may be apart."""

Qualifier = Literal["exact", "at_least", "at_most", "about", "range"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with what it counts.

    Attributes:
        low: lower bound in `unit` (0 for at_most).
        high: upper bound in `unit`, equal to `low` for a single number; None for at_least.
        qualifier: exact, at_least ("more than 20"), at_most ("up to 20"), about ("nearly 20"), range ("20-30", "dozens").
        approximate: the report itself calls it approximate, or it is a rounded word ("dozens").
        slot: what is counted or measured: `injured`, `killed`, `missing`, `evacuated`, `trapped`, `rescued`,
            `arrested`, `without_power`, `buildings_destroyed`, `buildings_damaged`, `vehicles`, `people`,
            `area_burned`, `magnitude`, `wind_speed`, `water_level`, `duration`, ...; else the singular head noun.
        noun: the special group counted ("child", "truck"); "" for people, residents, homes, vehicles in general.
        unit: base unit of the bounds ("ha", "km/h", "m", "h", ...); "" for counts.
        span: [start, end) in characters of the text, qualifier included.
        text: the words at `span`.
    """

    low: float
    high: float | None
    qualifier: Qualifier
    approximate: bool
    slot: str
    noun: str
    unit: str
    span: tuple[int, int]
    text: str

    @property
    def value(self) -> float:
        """One representative number: the figure stated, or the middle of a range."""
        if self.high is None:
            return self.low
        return self.high if self.qualifier == "at_most" else (self.low + self.high) / 2


def extract_quantities(text: str) -> list[Quantity]:
    """The quantities of `text`, in order; at most MAX_QUANTITIES from its first MAX_TEXT characters."""
    return []
