"""One thin adapter for each trainer: the trainer's own signature in front, a verifier or a client behind.

A verifier is anything with `check_batch(requests)`: `MathVerifier()` in the trainer's process, or a `VerifierClient`
of a deployed function, wrapped in `RemoteJudge`. A result of status `error` is a fault of ours and never a reward
of 0.0: each adapter says how its trainer is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from verifleet.client import VerifierClient
from verifleet.verification import VerificationRequest, VerificationResult


class Judge(Protocol):
    """What an adapter needs of a verifier."""

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        """Judge many, in order."""
        ...


class RemoteJudge:
    """A deployed verifier as a Judge."""

    def __init__(self, client: VerifierClient) -> None:
        self._client = client

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


def reference_of(value: Any) -> Any:
    """A dataset's column as a reference: objects and lists as they are, plain values as the expected answer."""
    return value if value is None or isinstance(value, (dict, list)) else {"answer": str(value)}
