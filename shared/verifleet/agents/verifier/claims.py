"""Checkable statements in a report: what is said, how it is said, and how much it is worth checking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verifleet import envelopes
from verifleet.agents.quantities import Quantity

CHECKWORTHY_FROM = 0.5
MAX_CLAIMS = 64

Kind = Literal["factual", "quantity", "entity", "causal", "status"]
Modality = Literal["asserted", "possible", "predicted"]


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """One checkable statement.

    Attributes:
        text: the sentence or clause as it stands in the report.
        source: the report's source class.
        span: [start, end) in characters of the report's content.
        kind: quantity (counts or measures something), causal (says what caused what), status (what state something
            is in: closed, open, evacuated), entity (names who or where), factual (any other checkable statement).
        checkworthiness: 0..1; a claim has at least CHECKWORTHY_FROM.
        negated: the statement says that something is not so ("the bridge is not closed").
        modality: asserted, possible ("may have", "feared"), predicted ("is about to", "will").
        hearsay: told by others ("hearing that", "people say", "reportedly", unconfirmed).
        attribution: who is said to have said it ("Civil Protection Agency"), or None.
        denies: the text of the statement that this one calls false ("a tsunami is about to hit the coast"), or None.
            Set for direct denials ("denied claims that X", "reports that X are false") and indirect ones ("nothing
            of the kind was found": "" stands for whatever was rumoured).
        update: the statement brings an earlier figure up to date ("rises to six", "as of 14:00", "now").
        quantities: the quantities in it, spans relative to the report's content.
    """

    text: str
    source: str
    span: tuple[int, int]
    kind: Kind
    checkworthiness: float
    negated: bool
    modality: Modality
    hearsay: bool
    attribution: str | None
    denies: str | None
    update: bool
    quantities: tuple[Quantity, ...]

    def as_claim(self) -> envelopes.Claim:
        """The claim as envelopes carry it; negation, modality, hearsay, denial and quantities ride as extra fields."""
        raise NotImplementedError


def extract_claims(content: str, *, source: str) -> list[ExtractedClaim]:
    """The checkable statements of `content`, in order; at most MAX_CLAIMS."""
    raise NotImplementedError


def checkworthiness(sentence: str) -> float:
    """How much a sentence is worth checking: 0 for opinion, wish, question or advert, 1 for a hard fact."""
    raise NotImplementedError
