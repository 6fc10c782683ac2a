"""Requests to several verifiers: each to its own, through the same gates first. Pure: says who is to be asked what."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from verifleet.errors import ShapeError
from verifleet.references import read_reference
from verifleet.verification import (
    REFERENCE_ALIASES,
    VERIFIER_NAMES,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    parse_request,
)

J = TypeVar("J")
Ask = tuple[J, list[VerificationRequest]]
PASSED: Final = 1.0
"""The score that a gate asks for."""
_LATEX: Final = re.compile(r"\\[A-Za-z]+")
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_FACTS: Final = frozenset({"aliases", "key_terms"})
_LONGEST_PROGRAM: Final = 100_000


@dataclass(frozen=True, slots=True)
class Routed:
    """What came of a request; `gate` is the place of the gate that stopped it, None where it was judged."""

    result: VerificationResult
    gate: int | None = None


def asks(
    requests: Mapping[int, tuple[J, VerificationRequest]], gates: Sequence[tuple[J, VerificationRequest]]
) -> Generator[list[Ask[J]], list[list[VerificationResult]], dict[int, Routed]]:
    """Yields what may be asked at once, takes the results of each, and returns what came of each request.

    A gate's request stands for all: prompt, response and what stands before it are those of the request at hand. What
    does not pass a gate, or can't be told to, goes no further.
    """
    came: dict[int, Routed] = {}
    for place, (judge, gate) in enumerate(gates):
        numbers = [number for number in requests if number not in came]
        if not numbers:
            break
        [results] = yield [(judge, [_through(gate, requests[number][1]) for number in numbers])]
        for number, result in zip(numbers, results, strict=True):
            if result.score is None or result.score < PASSED:
                came[number] = Routed(result, place)
    groups: dict[int, tuple[J, list[int]]] = {}
    for number, (judge, _) in requests.items():
        if number not in came:
            groups.setdefault(id(judge), (judge, []))[1].append(number)
    if groups:
        asked = yield [(judge, [requests[number][1] for number in numbers]) for judge, numbers in groups.values()]
        for (_, numbers), results in zip(groups.values(), asked, strict=True):
            came |= {number: Routed(result) for number, result in zip(numbers, results, strict=True)}
    return came


def _through(gate: VerificationRequest, request: VerificationRequest) -> VerificationRequest:
    said = {"request_id": request.request_id, "prompt": request.prompt, "response": request.response}
    options = gate.options.model_copy(update={"prefilled": request.options.prefilled})
    return gate.model_copy(update={**said, "options": options})


# --- which verifier, where nobody says so ------------------------------------------------------


def guessed(row: Mapping[str, Any], verifiers: Collection[VerifierName]) -> VerifierName | None:
    """Which of `verifiers` a row is for, by its reference alone; None where that does not tell.

    A reference that only one of them can read is for that one; an answer is for math where it is LaTeX, or nothing in
    it is a word, else for knowledge; a text is a test program where it is Python with an assertion.
    """
    value = next((row[name] for name in ("reference", *REFERENCE_ALIASES) if row.get(name) is not None), None)
    if value is None:
        return None
    able = [name for name in VERIFIER_NAMES if name in verifiers and _reads(name, value)]
    if len(able) > 1:
        meant: VerifierName = "math" if _is_value(value) else "knowledge"
        able = [name for name in ("code", "format", meant) if name in able] or able
    return able[0] if able else None


def _reads(verifier: VerifierName, value: Any) -> bool:
    try:
        reference = read_reference(verifier, value)
        parse_request(verifier, {"response": "", "reference": reference})
    except ShapeError:
        return False
    if verifier == "code" and isinstance(value, str) and isinstance(reference, dict) and "test_code" in reference:
        return _asserts(reference["test_code"])
    return verifier != "math" or not _FACTS & (reference.keys() if isinstance(reference, dict) else set())


def _asserts(text: Any) -> bool:
    try:
        tree = ast.parse(text if isinstance(text, str) and len(text) <= _LONGEST_PROGRAM else "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def _is_value(value: Any) -> bool:
    read = read_reference("math", value)
    answers = read.get("answer") if isinstance(read, dict) else read
    listed = answers if isinstance(answers, list) else [answers]
    texts = [str(one.get("answer") if isinstance(one, dict) else one) for one in listed]
    return all(_LATEX.search(text) or not _WORD.search(text) for text in texts)
