"""Compare what a program gave with what was expected, in the supervisor, where no candidate code can reach."""

from __future__ import annotations

import collections
import math
import re
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 200  # of values in values, as of bodies (a set counts as two); deeper ones are equal to nothing
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_SETS: tuple[type[Any], ...] = (set, frozenset, type({}.keys()), type({}.items()))
_SEQUENCES: tuple[type[Any], ...] = (list, tuple, collections.deque, range, type({}.values()))


def same_output(actual: str, expected: str, whitespace: str, tolerance: float | None) -> bool:
    """Compare stdout texts.

    `whitespace`: "exact"; "trailing" ignores white space at the ends of lines and empty lines at the end; "any"
    takes every run of white space for one blank. With a relative `tolerance`, words that are numbers may differ by it.
    """
    if whitespace != "exact":
        actual, expected = _trimmed(actual), _trimmed(expected)
    if whitespace == "any":
        actual, expected = " ".join(actual.split()), " ".join(expected.split())
    if actual == expected:
        return True
    if tolerance is None:
        return False
    # Blanks must agree as the whitespace option says; between them, words are compared as numbers where they are.
    left, right = re.split(r"(\s+)", actual), re.split(r"(\s+)", expected)
    return len(left) == len(right) and all(_same_word(a, b, tolerance) for a, b in zip(left, right, strict=True))


def _trimmed(text: str) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def _same_word(actual: str, expected: str, tolerance: float) -> bool:
    if actual == expected:
        return True
    if not (_NUMBER.match(actual) and _NUMBER.match(expected)):
        return False
    return math.isclose(float(actual), float(expected), rel_tol=tolerance, abs_tol=tolerance * 1e-3)


def same_value(actual: Any, expected: Any, tolerance: float | None, depth: int = 0) -> bool:
    """Compare plain values.

    `expected` is JSON, so tuples equal lists, sets equal lists without regard to order, and keys of dicts equal their
    texts. Booleans are not numbers; NaN equals NaN.
    """
    if depth > MAX_DEPTH:
        return False
    if isinstance(expected, bool) or isinstance(actual, bool):
        return isinstance(expected, bool) and isinstance(actual, bool) and expected == actual
    if isinstance(expected, (int, float)):
        return isinstance(actual, (int, float)) and _same_number(actual, expected, tolerance)
    if expected is None or isinstance(expected, str):
        return type(actual) is type(expected) and bool(actual == expected)
    if isinstance(expected, Mapping):
        return isinstance(actual, dict) and _same_mapping(actual, expected, tolerance, depth)
    if isinstance(expected, _SEQUENCES):
        return _same_sequence(actual, [*expected], tolerance, depth)
    return type(actual) is type(expected) and bool(actual == expected)


def _same_number(actual: float, expected: float, tolerance: float | None) -> bool:
    if actual == expected:
        return True
    try:
        if math.isnan(actual) and math.isnan(expected):
            return True
        return tolerance is not None and math.isclose(actual, expected, rel_tol=tolerance, abs_tol=tolerance * 1e-3)
    except OverflowError:
        return False  # an integer beyond every float


def _same_mapping(actual: dict[Any, Any], expected: Mapping[Any, Any], tolerance: float | None, depth: int) -> bool:
    if len(actual) != len(expected):
        return False
    by_text = {_key(key): value for key, value in actual.items()}
    return len(by_text) == len(expected) and all(
        _key(key) in by_text and same_value(by_text[_key(key)], value, tolerance, depth + 1)
        for key, value in expected.items()
    )


def _key(key: object) -> str:
    """A dict key as JSON would write it."""
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return key if isinstance(key, str) else repr(key)


def _same_sequence(actual: Any, expected: list[Any], tolerance: float | None, depth: int) -> bool:
    if isinstance(actual, _SETS):
        return _same_set([*actual], expected, tolerance, depth)
    if not isinstance(actual, _SEQUENCES) or len(actual) != len(expected):
        return False
    return all(same_value(a, b, tolerance, depth + 1) for a, b in zip(actual, expected, strict=True))


def _same_set(actual: list[Any], expected: list[Any], tolerance: float | None, depth: int) -> bool:
    if len(actual) != len(expected) or len(actual) > 10_000:
        return False
    left = list(expected)
    for item in actual:
        match = next((i for i, other in enumerate(left) if same_value(item, other, tolerance, depth + 2)), None)
        if match is None:
            return False
        left.pop(match)
    return True
