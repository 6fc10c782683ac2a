"""A reference as people and data sets write it: a plain value, or an object as JSON text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from verifleet.errors import ShapeError
from verifleet.wire_names import VerifierName

_JSON_MEANT: Final = re.compile(r'\s*(\{\s*"|\[\s*[\["{])')
_TEMPLATE: Final = re.compile(r"<[^<>\s][^<>]*>|\{[\w-]*\}")
_LONG: Final = 100_000


def read_reference(verifier: VerifierName, value: Any) -> Any:
    """What a value amounts to as the reference of `verifier`; the shape of what comes back is not checked.

    A text is the answer (math, knowledge), the name of a format or a template with tags or placeholders (format), or
    a test program (code), and a list the answers or the tests; but an object, a list of objects or a list of texts
    written as JSON is what it says. Arrays of numpy are lists, fields of an object that hold None are absent: so
    columnar data sets hand over structures. None stays None; a NaN, pandas' missing value, is None.

    Raises:
        ShapeError: a text that is meant as JSON and is none; as a plain answer it would refuse every response.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if _missing(value):
        return None
    if isinstance(value, dict):
        return {name: part for name, part in value.items() if not _missing(part)}
    if isinstance(value, (list, tuple)):
        return _of_list(verifier, list(value))
    return _of_text(verifier, value if isinstance(value, str) else str(value))


def contradicting(verifier: VerifierName, named: Mapping[str, Any]) -> tuple[str, ...]:
    """The first two of one request's references, by their names, that can't both be meant; () where all can.

    Answers agree that have a form in common, and with a text in words that holds one: a worked solution. Other
    references agree where no field of both differs. A program that is called the solution is no test of one.
    """
    if len(named) < 2:
        return ()
    read = {
        name: _read_or_none(verifier, value)
        for name, value in named.items()
        if not (verifier == "code" and name == "solution" and "reference" in named)
    }
    pairs = combinations(read.items(), 2)
    return next(((one, other) for (one, a), (other, b) in pairs if not _agree(a, b)), ())


def _read_or_none(verifier: VerifierName, value: Any) -> Any:
    try:
        return read_reference(verifier, value)
    except ShapeError:
        return None


def _agree(one: Any, other: Any) -> bool:
    a, b = _answers(one), _answers(other)
    if a and b:
        return bool(a & b) or any(_holds(text, short) for x, y in ((a, b), (b, a)) for text in x for short in y)
    if not isinstance(one, dict) or not isinstance(other, dict):
        return True
    return all(one[name] == other[name] for name in one.keys() & other.keys())


def _answers(reference: Any) -> set[str]:
    """All forms of the answer that a reference names."""
    if isinstance(reference, list):
        return {text for part in reference for text in _answers(part)}
    if not isinstance(reference, dict):
        return set()
    given = [reference.get("answer"), reference.get("aliases")]
    parts = [part for value in given for part in (value if isinstance(value, list) else [value])]
    return {" ".join(str(part).split()).casefold() for part in parts if isinstance(part, (str, int, float))}


def _holds(text: str, answer: str) -> bool:
    """Whether a text in words holds an answer as a whole; of a long text that is taken for granted."""
    if len(text) > _LONG:
        return True
    return " " in text and answer in text and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) is not None


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _of_list(verifier: VerifierName, parts: list[Any]) -> Any:
    if verifier == "code":
        return {"tests": parts}
    if verifier == "format" or (parts and all(isinstance(part, dict) for part in parts)):
        return parts
    return {"answer": parts}


def _of_text(verifier: VerifierName, text: str) -> Any:
    try:
        written = json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
    except (ValueError, RecursionError) as error:
        if _JSON_MEANT.match(text):
            problem = f"is not JSON: {error}"
            raise ShapeError.at("reference", problem) from None
        written = None
    if written and isinstance(written, dict):
        return read_reference(verifier, written)
    # "[1, 2]" is an answer as it stands.
    if written and (all(isinstance(part, str) for part in written) or all(isinstance(part, dict) for part in written)):
        return _of_list(verifier, written)
    if verifier == "format":
        return {"template": text} if _TEMPLATE.search(text) else {"format": text.strip()}
    return {"test_code": text} if verifier == "code" else {"answer": text}
