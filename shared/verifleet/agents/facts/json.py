"""Facts as plain JSON, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from verifleet.agents.facts.types import Fact, Quantity, Statement, Status

# Former versions kept locations and causes as facts of their own.
_KINDS: Mapping[str, type[Fact]] = {
    "quantity": Quantity,
    "status": Status,
    "location": Statement,
    "cause": Statement,
    "statement": Statement,
}
_NAMES = {made: kind for kind, made in _KINDS.items()}


def to_json(fact: Fact) -> dict[str, Any]:
    """A fact as plain JSON: its kind and fields; no bound of a quantity is null."""
    plain: dict[str, Any] = {"kind": _NAMES[type(fact)]}
    for field in fields(fact):
        value = getattr(fact, field.name)
        if isinstance(value, datetime):
            value = value.isoformat()
        elif isinstance(value, frozenset):
            value = sorted(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, float) and math.isinf(value):
            value = None
        plain[field.name] = value
    return plain


def from_json(data: Mapping[str, Any]) -> Fact:
    """A fact from its JSON; raises ValueError for anything else."""
    try:
        made = _KINDS[data["kind"]]
        given: dict[str, Any] = {field.name: data[field.name] for field in fields(made) if field.name in data}
        given["as_of"] = _instant(given["as_of"])
        if not isinstance(given["attributed_to"], str):
            raise TypeError("attributed_to is no text")
        given["scope"] = tuple(map(str, given["scope"]))
        given["about"] = frozenset(map(str, given["about"]))
        if made is Statement:
            given["figures"] = frozenset(map(str, given.get("figures", ())))
        if made is Quantity:
            given["low"] = -math.inf if given["low"] is None else float(given["low"])
            given["high"] = math.inf if given["high"] is None else float(given["high"])
        return made(**given)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no fact: {error!r}") from None


def _instant(text: str) -> datetime:
    made = datetime.fromisoformat(text)
    return made if made.tzinfo else made.replace(tzinfo=UTC)
