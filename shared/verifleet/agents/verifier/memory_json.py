"""Reports as plain data for the Store, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from verifleet.agents.quantities import Quantity
from verifleet.agents.verifier.counts import count_from_json, count_to_json
from verifleet.agents.verifier.memory import Report, Statement
from verifleet.agents.verifier.sites import site_from, site_text
from verifleet.agents.verifier.venues import Venue

_REPORT, _STATEMENT = (tuple(item.name for item in fields(made)) for made in (Report, Statement))
_WORDS = ("words", "names", "background", "ruled_out", "hazards", "marks", "sides", "things", "cause")
"""The fields of a statement that are sets of words; words hold no bar, but may hold blanks."""


def to_json(report: Report) -> dict[str, Any]:
    """Plain data for the Store: texts and rows rather than lists and mappings, which take longer to read again."""
    data = {name: getattr(report, name) for name in _REPORT}
    data["places"] = list(report.places)
    data["time"] = report.time.isoformat()
    data["signature"] = " ".join(sorted(report.signature))
    data["statements"] = [_statement_json(statement) for statement in report.statements]
    return data


def from_json(data: Mapping[str, Any]) -> Report:
    """A report from what `to_json` made. Raises ValueError when another version of the program made it."""
    try:
        return Report(
            **{
                **data,
                "time": datetime.fromisoformat(data["time"]),
                "places": tuple(data["places"]),
                "signature": frozenset(data["signature"].split()),
                "statements": tuple([_statement_from(item) for item in data["statements"]]),
            }
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"a report is kept in a form of another version: {error}") from error


def _statement_json(statement: Statement) -> dict[str, Any]:
    data = {name: getattr(statement, name) for name in _STATEMENT}
    data |= {name: "|".join(sorted(data[name])) for name in _WORDS}
    data["quantities"] = [_quantity_row(quantity) for quantity in statement.quantities]
    data["counts"] = [count_to_json(count) for count in statement.counts]
    data["venue"] = [statement.venue.kind, *statement.venue.name] if statement.venue else None
    data["site"] = site_text(statement.site) if statement.site else None
    return {name: value for name, value in data.items() if value or name == "asserted"}


def _statement_from(data: Mapping[str, Any]) -> Statement:
    return Statement(**{name: _READ[name](value) if name in _READ else value for name, value in data.items()})


def _words_from(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


_READ: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_WORDS, _words_from),
    "quantities": lambda rows: tuple([_quantity(row) for row in rows]),
    "counts": lambda rows: tuple([count_from_json(row) for row in rows]),
    "venue": lambda named: Venue(named[0], tuple(named[1:])),
    "site": site_from,
}


def _quantity_row(q: Quantity) -> list[Any]:
    return [q.low, q.high, q.qualifier, q.approximate, q.slot, q.noun, q.unit, q.text, *q.span]


def _quantity(row: Sequence[Any]) -> Quantity:
    low, high, qualifier, approximate, slot, noun, unit, text, start, end = row
    return Quantity(low, high, qualifier, approximate, slot, noun, unit, (start, end), text)


def quantity_from(data: Mapping[str, Any]) -> Quantity:
    """A quantity from its plain data."""
    return Quantity(**{**data, "span": tuple(data["span"])})
