"""Facts as plain JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from verifleet.agents.facts.types import Fact, Quantity, Statement, Status

_NAMES: Mapping[type[Fact], str] = {Quantity: "quantity", Status: "status", Statement: "statement"}
_FORMS: Mapping[str, TypeAdapter[Any]] = {kind: TypeAdapter(made) for made, kind in _NAMES.items()}
_FORMER: Mapping[str, str] = {"location": "statement", "cause": "statement"}
"""What former versions kept as facts of their own."""


def to_json(fact: Fact) -> dict[str, Any]:
    """A fact as plain JSON: its kind and fields; no bound of a quantity is null."""
    kind = _NAMES[type(fact)]
    return {"kind": kind, **_FORMS[kind].dump_python(fact, mode="json")}


def from_json(data: Mapping[str, Any]) -> Fact:
    """A fact from its JSON; raises ValueError for anything else."""
    try:
        fact: Fact = _FORMS[_FORMER.get(data["kind"], data["kind"])].validate_python(data)
    except (KeyError, TypeError, ValidationError) as error:
        raise ValueError(f"no fact: {error!r}") from None
    return fact
