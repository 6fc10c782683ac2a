"""What a piece of a sentence guides its readers to, and what sort of claim it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from verifleet.agents.claims.checkworthiness import classes
from verifleet.agents.claims.pieces import HEAD, acts, listed
from verifleet.reading.document import Modality
from verifleet.reading.tokens import Token

Kind = Literal["factual", "quantity", "entity", "causal", "status"]


def guides(piece: Sequence[Token], modality: Modality) -> bool:
    """Whether a piece advises, asks for help, offers it, or names a number to call."""
    low = [token.low for token in piece if token.kind != "mark"]
    said = [word.lstrip("#") for word in low]
    named = set(acts().names(said))
    helps = "advice" in named or "help" in classes().names(low)
    if any(token.kind == "phone" for token in piece):
        return helps or "offer" in named
    if modality == "asked" or "wish" in acts().names(said[:HEAD]):
        return False
    if said[0] in listed("imperative") or "offer" in named:
        return bool(named & {"advice", "offer"})
    return helps and ("modal" in named or modality == "ordered")


def kind_of(piece: Sequence[Token]) -> Kind:
    """What sort of claim a piece is."""
    low = {token.low for token in piece}
    if any(token.kind == "number" for token in piece):
        return "quantity"
    if low & listed("cause"):
        return "causal"
    if low & listed("state"):
        return "status"
    return "entity" if low & listed("identity") else "factual"
