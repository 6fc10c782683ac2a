"""The facts that claims are made of; later floors (relate, belief, memory, briefs) see these and no report's text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, TypeAdapter

from verifleet.instants import instant

Polarity = Literal["asserted", "denied", "possible"]

Instant = Annotated[datetime, AfterValidator(instant), PlainSerializer(datetime.isoformat)]
Words = Annotated[frozenset[str], PlainSerializer(sorted)]
_FINITE = PlainSerializer(lambda bound: bound if math.isfinite(bound) else None)
Low = Annotated[float, BeforeValidator(lambda bound: -math.inf if bound is None else bound), _FINITE]
High = Annotated[float, BeforeValidator(lambda bound: math.inf if bound is None else bound), _FINITE]


@dataclass(frozen=True, slots=True)
class Shared:
    """What all facts share.

    Attributes:
        polarity: stated as so, as not so, or as possible (predicted, asked, feared).
        scope: places that it is about, folded, most specific first; () when it names none.
        as_of: the instant that it speaks of: its own time if told, else the report's.
        attributed_to: who is said to say so ("police"), "" for the author of the report.
        about: further content lemmas of its clause, for what two facts have in common beside their type.
    """

    polarity: Polarity
    scope: tuple[str, ...]
    as_of: Instant
    attributed_to: str
    about: Words


@dataclass(frozen=True, slots=True)
class Quantity(Shared):
    """`attribute` of `subject` is in [low, high]: ("people", "dead", 12, 12), ("earthquake", "magnitude", 7.6, 7.6).

    `beside`: it only tells what something came after or of, as in "an alert after a 7.9 earthquake".
    """

    subject: str
    attribute: str
    low: Low
    high: High
    unit: str = ""
    approximate: bool = False
    comparison: str = ""
    beside: bool = False
    kind: Literal["quantity"] = "quantity"


@dataclass(frozen=True, slots=True)
class Status(Shared):
    """`subject` is in `state`: ("road", "closed", "holds"), ("tsunami warning", "in force", "ended")."""

    subject: str
    state: str
    phase: Literal["holds", "ended"] = "holds"
    kind: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class Statement(Shared):
    """What a clause says as a whole, comparable by `about` and by the telling `figures` in it: 321, a telephone."""

    figures: Words = frozenset()
    kind: Annotated[Literal["statement", "location", "cause"], AfterValidator(lambda _: "statement")] = "statement"
    """Former versions kept what caused what, and where, as facts of their own."""


Fact = Annotated[Quantity | Status | Statement, Field(discriminator="kind")]
FACTS: TypeAdapter[tuple[Fact, ...]] = TypeAdapter(tuple[Fact, ...])
"""Facts as plain JSON, and back; no bound of a quantity is null."""
