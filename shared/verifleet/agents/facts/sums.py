"""Totals that a report gives with their parts, and that do not add up: "8 vehicles crushed: 3 cars and 2 trucks"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from verifleet.reading.document import Document, Quantity, Span

MOST_PARTS = 6


def wrong_sums(document: Document) -> Iterator[tuple[Span, str]]:
    """Where the totals stand whose parts behind a colon do not come to them, each with why."""
    for sentence in document.sentences:
        for first, second in pairwise(sentence.clauses):
            totals, parts = ([one.low for one in clause.quantities if _is_count(one)] for clause in (first, second))
            told = document.text[first.span[1] : second.span[0]].strip() == ":" and 2 <= len(parts) <= MOST_PARTS
            if told and len(totals) == 1 and sum(parts) != totals[0] > max(parts):
                why = f"{' + '.join(f'{part:g}' for part in parts)} is not {totals[0]:g}"
                yield (first.span[0], second.span[1]), why


def _is_count(number: Quantity) -> bool:
    exact = number.low == number.high and not number.approximate
    return exact and not number.unit and bool(number.noun or number.predicate)
