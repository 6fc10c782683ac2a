"""One thin adapter for each trainer: the trainer's own signature in front, a verifier or a client behind.

A verifier is anything with `check_batch(requests)`: `MathVerifier()` in the trainer's process, or a `VerifierClient`
of a deployed function, wrapped in `RemoteJudge`. A result of status `error` is a fault of ours and never a reward
of 0.0: each adapter says how its trainer is told. Neither is a reference that can't be used: RewardReferenceError,
which is a ValueError, names column, row and fault at once, for a trainer must not train on zeros that mean nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from verifleet.client import VerifierClient
from verifleet.errors import RewardReferenceError, ShapeError
from verifleet.references import read_reference
from verifleet.verification import (
    Options,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    parse_request,
    unusable_reference,
)


class Judge(Protocol):
    """What an adapter needs of a verifier."""

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        """Judge many, in order."""
        ...


class RemoteJudge:
    """A deployed verifier as a Judge.

    Args:
        client: of the verifier's URL.
        verifier: which of the four it is; then plain values mean what they mean to it (`json` a format, not an answer),
            and references are checked before they are sent.
    """

    def __init__(self, client: VerifierClient, verifier: VerifierName | None = None) -> None:
        self._client = client
        self.name = verifier

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        """Judge many, in order, with one HTTP request."""
        return self._client.verify_batch(requests)


def text_of(completion: Any) -> str:
    """The text of a completion: a string as it is, of a message list the last message's text."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and completion:
        completion = completion[-1]
    content = completion.get("content", "") if isinstance(completion, dict) else str(completion)
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return str(content)


def checked_options(options: Mapping[str, Any] | None) -> Options:
    """The options of an adapter; raises ShapeError for a name or value that is not known."""
    try:
        return Options.model_validate(dict(options or {}))
    except ValidationError as error:
        raise ShapeError.from_validation(error, "options") from None


def request_of(
    judge: Judge, prompt: str, response: str, value: Any, options: Options, *, column: str, row: Any
) -> VerificationRequest:
    """The request for one row of a data set, whose `value` is as `read_reference` takes it.

    Raises:
        RewardReferenceError: the value is no reference of the judge's verifier.
    """
    verifier: VerifierName | None = getattr(judge, "name", None)
    raw: dict[str, Any] = {"prompt": prompt, "response": response, "options": options}
    try:
        raw["reference"] = read_reference(verifier or "math", value)
        return VerificationRequest.model_validate(raw) if verifier is None else parse_request(verifier, raw)
    except ShapeError as error:
        raise RewardReferenceError(f"{_place(column, row)}: {error.message}", error.fields) from None


def check_length(column: str, values: Sequence[Any], responses: Sequence[Any]) -> None:
    """See that a column has a value for each response; raises RewardReferenceError with both lengths."""
    if len(values) != len(responses):
        raise RewardReferenceError(
            f"column {column!r} holds {len(values)} values for {len(responses)} responses; it takes one for each."
        )


def _place(column: str, row: Any) -> str:
    return f"column {column!r}" + ("" if row is None else f", row {row}")


def check_batch(
    judge: Judge, requests: Sequence[VerificationRequest], column: str, rows: Sequence[Any] | None = None
) -> list[VerificationResult]:
    """Judge the rows of a data set, which are counted from 0 where `rows` does not name them.

    Raises:
        RewardReferenceError: what a row's reference asks for can't be used, such as a schema that is none.
    """
    results = judge.check_batch(requests)
    for row, result in zip(rows if rows is not None else range(len(results)), results, strict=True):
        if unusable_reference(result) or (result.verdict == "malformed" and "fields" in result.details):
            raise RewardReferenceError(f"{_place(column, row)}: {result.reason}")
    return results
