"""Forwarding an envelope to another agent over A2A, with retries; the caller falls back to the topic."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from typing import TYPE_CHECKING, Any

from verifleet.errors import TransientError
from verifleet.messaging.identity import identity_headers

if TYPE_CHECKING:
    import httpx

    from verifleet.envelopes import Envelope

logger = logging.getLogger(__name__)

ATTEMPTS = 3
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 10.0
TIMEOUT_S = 20.0


class ForwardingError(TransientError):
    """The other agent did not take the envelope."""


class A2AForwarder:
    """Sends envelopes to the agent at `url` by A2A's JSON-RPC `SendMessage`.

    Tried ATTEMPTS times, after waits of 1 s, doubled to 10 s at most, with jitter.
    """

    def __init__(self, url: str, *, first_wait_s: float = FIRST_WAIT_S, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url.rstrip("/")
        self._first_wait_s = first_wait_s
        self._timeout_s = timeout_s
        self._client: httpx.AsyncClient | None = None

    async def forward(self, envelope: Envelope[Any]) -> None:
        """Return once the other agent has handled it; raises ForwardingError when it did not."""
        from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

        body = _send_message(envelope)
        waiting = wait_random_exponential(multiplier=self._first_wait_s, max=LONGEST_WAIT_S, min=self._first_wait_s / 2)
        async for attempt in AsyncRetrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=waiting,
            retry=retry_if_exception_type(TransientError),
            reraise=True,
        ):
            with attempt:
                await self._send(body)

    async def _send(self, body: bytes) -> None:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=self._timeout_s)
        headers = {"Content-Type": "application/json", "A2A-Version": "1.0"}
        headers |= await asyncio.to_thread(identity_headers, self._url)
        try:
            answer = await self._client.post(f"{self._url}/a2a/jsonrpc", content=body, headers=headers)
            answer.raise_for_status()
            outcome = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ForwardingError(f"{self._url} does not answer: {error or type(error).__name__}") from error
        _check_outcome(self._url, outcome)


def _send_message(envelope: Envelope[Any]) -> bytes:
    metadata = envelope.metadata
    message = {
        "role": "ROLE_USER",
        "messageId": (metadata.envelope_id if metadata else None) or str(uuid.uuid4()),
        "parts": [{"data": envelope.as_json(), "mediaType": "application/json"}],
    }
    call = {"jsonrpc": "2.0", "id": message["messageId"], "method": "SendMessage", "params": {"message": message}}
    return json.dumps(call, ensure_ascii=True).encode("ascii")


def _check_outcome(url: str, outcome: Any) -> None:
    if not isinstance(outcome, dict) or "error" in outcome:
        raise ForwardingError(f"{url} refused: {str(outcome)[:300]}")
    task = (outcome.get("result") or {}).get("task") or {}
    state = (task.get("status") or {}).get("state")
    if state != "TASK_STATE_COMPLETED":
        raise ForwardingError(f"{url} ended the task with {state}")
