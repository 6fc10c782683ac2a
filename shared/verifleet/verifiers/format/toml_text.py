"""TOML 1.0 through tomllib."""

from __future__ import annotations

import datetime
import re
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

PLAIN_LENGTH: Final = 50_000  # characters up to which a text is read in this process
PLAIN_DOTS: Final = 200  # in one line: the time for a dotted key grows with the square of its parts
_PLACE = re.compile(r"^(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S)


def check_toml(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a text as TOML; an empty text is an empty table."""
    fault = surrogate_fault(text)
    if fault is not None:
        return fault
    if len(text) <= PLAIN_LENGTH and max(line.count(".") for line in text.split("\n")) <= PLAIN_DOTS:
        return toml_fault(text)
    return in_worker(workers, toml_fault, text)


def toml_fault(text: str) -> Fault | None:
    """The first fault; pure Python, so it may take long but never crashes."""
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.match(str(error))
        what = place["what"] if place else str(error)
        offset = len(text)
        if place and place["line"]:
            # The parser counts in a text whose CRLF are LF.
            offset = offset_of(text, int(place["line"]), int(place["column"]))
        return Fault("syntax", f"This is not TOML: {shown(what)}.", offset)
    except RecursionError:
        return Fault("depth", "The nesting is too deep.", None)
    except ValueError as error:  # a number of too many digits, a date that does not exist
        return Fault("value", f"A value is out of range: {shown(str(error))}.", None)
    return None


def toml_value(text: str) -> Any:
    """The table as JSON values: dates and times as RFC 3339 text; raises ValueError where it is not TOML."""
    import tomllib

    return _plain(tomllib.loads(text))


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value) for value in node]
    if isinstance(node, (datetime.datetime, datetime.date, datetime.time)):
        return node.isoformat()
    if isinstance(node, float) and node - node != 0.0:
        raise ValueError("a number is not finite")
    return node
