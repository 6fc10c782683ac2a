"""References for programs in the shapes that data sets have, as references of ours.

| shape | from |
|---|---|
| `{inputs, outputs, fn_name?}` | APPS, TACO, PRIME; also as the JSON text of it |
| `[{input, output, testtype}]` with `metadata.func_name` | LiveCodeBench; functional inputs are one JSON value a line |
| `{test_list, test_setup_code?, test_imports?, challenge_test_list?}` | MBPP |
| `{test, entry_point}` | HumanEval |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

MAX_TEXT: Final = 32 * 1024 * 1024
SETUP: Final = """\
from typing import *
import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys
from bisect import bisect_left, bisect_right, insort
from collections import Counter, OrderedDict, defaultdict, deque
from functools import cache, cmp_to_key, lru_cache, reduce
from heapq import heapify, heappop, heappush, heappushpop, heapreplace, nlargest, nsmallest
from itertools import accumulate, chain, combinations, count, groupby, permutations, product
from math import ceil, comb, factorial, floor, gcd, inf, isqrt, log, sqrt
"""
"""What the sites that functional tasks come from import before a solution."""
_TYPED: Final = ("tests", "public_test_cases", "private_test_cases")


def as_ours(given: Any) -> Any:
    """A reference in a known shape as one of ours; anything else as it is. Raises ValueError for a broken shape."""
    if isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
        given = _decoded(given)
    if isinstance(given, list) and given and isinstance(given[0], dict):
        given = {"tests": given} if "input" in given[0] else given
    if not isinstance(given, dict):
        return given
    for key in ("input_output", "tests", "public_test_cases", "private_test_cases"):
        if isinstance(given.get(key), str):
            given = {**given, key: _decoded(given[key])}
    if isinstance(given.get("input_output"), dict) and "inputs" in given["input_output"]:
        given = {**_without(given, "input_output"), **given["input_output"]}
    for shape, convert in _SHAPES:
        if shape(given):
            return convert(given)
    return given


def _decoded(text: str) -> Any:
    if len(text) > MAX_TEXT:
        raise ValueError(f"is longer than {MAX_TEXT} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("is a text that is not JSON") from None


def _without(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in names}


# --- APPS, TACO, PRIME ----------------------------------------------------------


def _has_pairs(given: Mapping[str, Any]) -> bool:
    return isinstance(given.get("inputs"), list) and isinstance(given.get("outputs"), list)


def _of_pairs(given: dict[str, Any]) -> dict[str, Any]:
    inputs, outputs = given["inputs"], given["outputs"]
    if len(inputs) != len(outputs):
        raise ValueError(f"has {len(inputs)} inputs and {len(outputs)} outputs; each input needs its output")
    rest = _without(given, "inputs", "outputs", "fn_name")
    name = given.get("fn_name")
    if not name:
        tests = [{"input": _text(one), "output": _text(other)} for one, other in zip(inputs, outputs, strict=True)]
        return {**rest, "tests": tests}
    # The result is wrapped in a list by some of these data sets and not by others, so both are right.
    cases = [
        {"args": one if isinstance(one, list) else [one], "expected": other, "or_expected": _unwrapped(other)}
        for one, other in zip(inputs, outputs, strict=True)
    ]
    return {"setup": SETUP, **rest, "entry_point": name, "cases": cases}


def _unwrapped(value: Any) -> list[Any]:
    return [value[0]] if isinstance(value, list) and len(value) == 1 else []


def _text(value: Any) -> str:
    """What a program reads or writes: a text, or a list of its lines."""
    if isinstance(value, list):
        return "\n".join(_text(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value)


# --- LiveCodeBench --------------------------------------------------------------


def _has_types(given: Mapping[str, Any]) -> bool:
    return any(_typed(given.get(name)) for name in _TYPED) or (
        _function(given) != "" and isinstance(given.get("tests"), list) and "cases" not in given
    )


def _typed(tests: Any) -> bool:
    return isinstance(tests, list) and bool(tests) and isinstance(tests[0], dict) and "testtype" in tests[0]


def _function(given: Mapping[str, Any]) -> str:
    metadata = given.get("metadata")
    if isinstance(metadata, str) and metadata.strip():
        metadata = _decoded(metadata)
    name = metadata.get("func_name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else ""


def _of_types(given: dict[str, Any]) -> dict[str, Any]:
    tests = [test for name in _TYPED for test in given.get(name) or () if isinstance(test, dict)]
    name = _function(given) or given.get("entry_point") or given.get("fn_name")
    rest = _without(given, *_TYPED, "metadata", "fn_name")
    if not (name or any(test.get("testtype") == "functional" for test in tests)):
        return {
            **rest,
            "tests": [{"input": _text(t.get("input", "")), "output": _text(t.get("output"))} for t in tests],
        }
    if not name:
        raise ValueError("has functional tests but no metadata.func_name, the function to call")
    return {"setup": SETUP, **rest, "entry_point": name, "cases": [_called(test) for test in tests]}


def _called(test: Mapping[str, Any]) -> dict[str, Any]:
    text, expected = test.get("input", ""), test.get("output")
    arguments = [_decoded(line) for line in text.split("\n") if line.strip()] if isinstance(text, str) else text
    return {"args": arguments, "expected": _decoded(expected) if isinstance(expected, str) else expected}


# --- MBPP, HumanEval --------------------------------------------------------------


def _has_asserts(given: Mapping[str, Any]) -> bool:
    return isinstance(given.get("test_list"), list) and "test_code" not in given


def _of_asserts(given: dict[str, Any]) -> dict[str, Any]:
    names = ("test_imports", "test_setup_code", "test_list", "challenge_test_list")
    parts = [_text(given[name]) for name in names if given.get(name)]
    return {**_without(given, *names), "test_code": "\n".join(parts) + "\n"}


def _has_check(given: Mapping[str, Any]) -> bool:
    return isinstance(given.get("test"), str) and "test_code" not in given and bool(given.get("entry_point"))


def _of_check(given: dict[str, Any]) -> dict[str, Any]:
    code = given["test"]
    call = f"\ncheck({given['entry_point']})\n" if "def check(" in code and "\ncheck(" not in code else ""
    return {**_without(given, "test"), "test_code": code + call}


_SHAPES: Final[tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[dict[str, Any]], dict[str, Any]]], ...]] = (
    (_has_pairs, _of_pairs),
    (_has_types, _of_types),
    (_has_asserts, _of_asserts),
    (_has_check, _of_check),
)
