"""JSON from outsiders: refused where parsers disagree, and never deeper than what follows can handle."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from verifleet.errors import ShapeError, TooLargeError

MAX_DEPTH = 200
"""Nested arrays and objects; the serialiser behind it stops at 255."""

MAX_VALUES = 250_000
"""Members and items in all; validating millions would take minutes and gigabytes for a body of 16 MiB."""
_TOO_DEEP = f"the body is nested more than {MAX_DEPTH} levels deep"


def loads(body: bytes, max_values: int = MAX_VALUES) -> Any:
    """Decode a JSON text.

    Raises:
        ShapeError: not UTF-8, not JSON, a duplicate name, NaN or a number too large for a double, integers of
            thousands of digits, nesting deeper than MAX_DEPTH. Lone surrogates written as escapes are kept.
        TooLargeError: more than `max_values` values.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refusal(f"the body is not UTF-8: {error.reason} at byte {error.start}") from None
    return loads_text(text, max_values)


def loads_text(text: str, max_values: int = MAX_VALUES) -> Any:
    """Decode a JSON text that is characters already. Raises as `loads` does."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _refusal(f"the body is not JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise _refusal(_TOO_DEEP) from None
    except ValueError as error:  # from our own hooks, or an integer beyond Python's limit of digits
        raise _refusal(f"the body is not acceptable JSON: {error}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH or text.count(",") > max_values:
        _check_structure(value, max_values)
    return value


def _check_structure(value: Any, max_values: int) -> None:
    level, values = _nested([value]), 1
    for _ in range(MAX_DEPTH):
        below: list[dict[str, Any] | list[Any]] = []
        for parent in level:
            values += len(parent)
            if values > max_values:
                raise TooLargeError(f"the body has more than {max_values} values")
            below += _nested(parent.values() if isinstance(parent, dict) else parent)
        level = below
        if not level:
            return
    raise _refusal(_TOO_DEEP)


def _nested(values: Iterable[Any]) -> list[dict[str, Any] | list[Any]]:
    return [value for value in values if isinstance(value, (dict, list))]


def _refusal(message: str) -> ShapeError:
    return ShapeError(message, code="invalid_json")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"the name {name[:80]!r} occurs twice in one object")
            seen.add(name)
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant)
