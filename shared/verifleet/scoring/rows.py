"""Rows of a data set to results: read, checked, and judged by verifiers of this process or by deployed ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from verifleet.errors import SettingsError, ShapeError, VerifleetError
from verifleet.messages import is_completion
from verifleet.readers import Reader, reader_named
from verifleet.readers.files import Raw, decoded
from verifleet.readers.shapes import response_column
from verifleet.verification import VerificationRequest, VerificationResult, Verifier, VerifierName, parse_request

CHUNK: Final = 128
"""Rows that are judged together."""

CHUNK_BYTES: Final = 1024 * 1024
"""From which a chunk is cut though it has fewer rows."""

RawT = TypeVar("RawT", bound=Raw)

DEADLINE_S: Final = 1800.0
"""Programs of a large data set wait for runners: they are given up late."""

Result = dict[str, Any]
Chunk = Sequence[tuple[int, Raw]]
"""Rows with their numbers."""

Answer = VerificationResult | ShapeError
"""What a verifier says of a request body, or what is wrong with that."""

Asked = Callable[[VerifierName, list[dict[str, Any]]], Sequence[Answer]]
_OF_BATCH: Final = re.compile(r"^requests\.\d+\.")
FIELDS: Final = {
    "row": "int64",
    "request_id": "string",
    "verifier": "string",
    "score": "float64",
    "status": "string",
    "verdict": "string",
    "reason": "string",
    "details": "string",
    "duration_ms": "float64",
    "verifier_version": "string",
}
"""Of a result, with their Arrow types; `details` is JSON there."""
_verifiers: dict[str, Verifier] = {}
"""Of this process: they stay warm."""


@dataclass(frozen=True, slots=True)
class How:
    """How rows are read and judged.

    Args:
        reader: by its name.
        response: the column with the response; looked for without.
        options: verifier options for every row.
        urls: deployed verifiers by name, which are asked instead of judging here.
        workers: processes; by default one for each CPU. With URLs, requests under way are at least 16.
        deadline_s: for what deployed verifiers are asked at once, all attempts together; then its rows are errors.
    """

    reader: str
    response: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    urls: Mapping[VerifierName, str] = field(default_factory=dict)
    workers: int = 0
    deadline_s: float = DEADLINE_S


def judge_here(chunk: Chunk, how: How) -> list[Result]:
    """Results by verifiers of this process. Raises SettingsError."""
    return judge(chunk, how, check_here)


def check_here(name: VerifierName, bodies: list[dict[str, Any]]) -> list[Answer]:
    """What the verifier of this process says of requests. Raises SettingsError."""
    parsed = [_parsed(name, body) for body in bodies]
    asked = [request for request in parsed if not isinstance(request, ShapeError)]
    results = iter(_verifier(name).check_batch(asked))
    return [request if isinstance(request, ShapeError) else next(results) for request in parsed]


def _parsed(name: VerifierName, body: dict[str, Any]) -> VerificationRequest | ShapeError:
    try:
        return parse_request(name, body)
    except ShapeError as error:
        return error


def _verifier(name: VerifierName) -> Verifier:
    from verifleet.scoring.one_request import make_verifier

    if name not in _verifiers:
        _verifiers[name] = make_verifier(name)
    return _verifiers[name]


def judge(chunk: Chunk, how: How, asked: Asked) -> list[Result]:
    """A result for each row, in order: one that can't be read, or that no verifier answered for, is an error.

    Args:
        chunk: the rows.
        how: they are read.
        asked: gives the answers to request bodies.

    Raises:
        SettingsError: a setting is wrong, so that no row can be judged.
    """
    found: dict[int, Result] = {}
    bodies: dict[VerifierName, list[tuple[int, dict[str, Any]]]] = {}
    reader = reader_named(how.reader)
    for number, raw in chunk:
        try:
            verifier, body = request_of(raw, reader, how)
            bodies.setdefault(verifier, []).append((number, body))
        except ShapeError as error:
            found[number] = error_of(number, str(error))
    for verifier, numbered in bodies.items():
        found |= _judged(verifier, numbered, asked)
    return [found[number] for number, _ in chunk]


def request_of(raw: Raw, reader: Reader, how: How) -> tuple[VerifierName, dict[str, Any]]:
    """Who is asked about a row, and the request's body. Raises ShapeError for what is no row of the data set."""
    row = decoded(raw)
    body = reader.request(row, how.response)
    if not body["response"] and not _responds(row, how):
        raise ShapeError(f"a row holds no response; it has {', '.join(row)}")
    verifier: VerifierName = body.pop("verifier")
    return verifier, {"options": dict(how.options)} | body


def refused_by_all(rows: Iterable[Raw], how: How) -> str | None:
    """Why each of some rows is refused, where a column or an option that was named is the reason for all of them."""
    reader, reasons = reader_named(how.reader), set()
    for raw in rows:
        try:
            verifier, body = request_of(raw, reader, how)
        except ShapeError as error:
            reasons.add(str(error))
            continue
        try:
            parse_request(verifier, body | {"reference": None})
            return None
        except ShapeError as error:
            if not any(field.path.startswith("options") for field in error.fields):
                return None
            reasons.add(str(error))
    return reasons.pop() if len(reasons) == 1 else None


def _responds(row: Mapping[str, Any], how: How) -> bool:
    """Whether a row has what a model said, though that may be nothing."""
    column = response_column(row, how.response)
    return column is not None and is_completion(row[column])


def _judged(verifier: VerifierName, numbered: list[tuple[int, dict[str, Any]]], asked: Asked) -> dict[int, Result]:
    try:
        results = asked(verifier, [body for _, body in numbered])
    except SettingsError:
        raise
    except VerifleetError as error:
        return {number: error_of(number, str(error), verifier) for number, _ in numbered}
    except Exception as error:  # noqa: BLE001 - the fault of one row is none of the others'
        if len(numbered) == 1:
            return {numbered[0][0]: error_of(numbered[0][0], f"{type(error).__name__}: {error}", verifier)}
        return {number: one for item in numbered for number, one in _judged(verifier, [item], asked).items()}
    return {number: _told(number, result) for (number, _), result in zip(numbered, results, strict=True)}


def _told(number: int, answer: Answer) -> Result:
    if isinstance(answer, ShapeError):
        return error_of(number, str(answer))
    if answer.verdict == "malformed" and "fields" in answer.details:  # so a deployed one says it
        problems = (f"{_OF_BATCH.sub('', one['path'])}: {one['problem']}" for one in answer.details["fields"])
        return error_of(number, "; ".join(problems))
    return {"row": number, **answer.model_dump(mode="python")}


def error_of(number: int, reason: str, verifier: VerifierName | None = None) -> Result:
    """The result of a row that has no verdict."""
    return {
        "row": number,
        "request_id": None,
        "verifier": verifier,
        "score": None,
        "status": "error",
        "verdict": "error",
        "reason": reason,
        "details": {"fault": {"in": "row" if verifier is None else "verifier"}},
        "duration_ms": 0.0,
        "verifier_version": "",
    }


def in_chunks(rows: Iterable[tuple[int, RawT]], most: int = CHUNK) -> Iterator[list[tuple[int, RawT]]]:
    """Numbered rows in chunks."""
    chunk: list[tuple[int, RawT]] = []
    size = 0
    for number, row in rows:
        chunk.append((number, row))
        size += _size(row)
        if len(chunk) == most or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _size(row: Raw) -> int:
    if isinstance(row, bytes):
        return len(row)
    return sum(len(value) for value in row.values() if isinstance(value, str)) if isinstance(row, dict) else 0
