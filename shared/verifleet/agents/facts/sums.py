"""Totals that a report gives with their parts, and that do not add up.

"8 vehicles crushed: 3 cars and 2 trucks"; "9 men and 5 women injured, 23 people in all".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from verifleet.reading.document import Document, Quantity, Span

MAX_SUMS = 8
MOST_PARTS = 6


def wrong_sums(document: Document) -> tuple[tuple[Span, str], ...]:
    """Where the totals stand whose parts, behind a colon or before "in all", do not come to them, each with why."""
    found = []
    for span, told, total in _told(document):
        parts = [part.low for part in told]
        if 2 <= len(parts) <= MOST_PARTS and sum(parts) != total.low > max(parts):
            found.append((span, f"{' + '.join(f'{part:g}' for part in parts)} is not {total.low:g}"))
    return tuple(found[:MAX_SUMS])


def _told(document: Document) -> Iterator[tuple[Span, Sequence[Quantity], Quantity]]:
    """Where totals stand with their parts, which are counted exactly, and both."""
    for sentence in document.sentences:
        for first, second in pairwise(sentence.clauses):
            totals = list(filter(_is_count, first.quantities))
            if len(totals) == 1 and document.text[first.span[1] : second.span[0]].strip() == ":":
                yield (first.span[0], second.span[1]), list(filter(_is_count, second.quantities)), totals[0]
        counted = [number for clause in sentence.clauses for number in clause.quantities if not number.unit]
        last = next((at for at, number in enumerate(counted) if number.comparison == "total"), 0)
        if last and not counted[last].predicate and all(map(_is_count, counted[: last + 1])):
            yield (counted[0].span[0], counted[last].span[1]), counted[:last], counted[last]


def _is_count(number: Quantity) -> bool:
    exact = number.low == number.high and not number.approximate
    return exact and not number.unit and bool(number.noun or number.predicate)
