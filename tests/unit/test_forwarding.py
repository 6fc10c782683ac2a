"""Forwarding over A2A to a summarizer that fails in all the ways that one can."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from verifleet.envelopes import Envelope, EventData, make_envelope
from verifleet.messaging.forwarding import ATTEMPTS, A2AForwarder, ForwardingError

FIRST_WAIT_S = 0.08
COMPLETED = {"result": {"task": {"id": "t", "status": {"state": "TASK_STATE_COMPLETED"}}}}


def failed(code: str) -> dict[str, Any]:
    artifact = {"parts": [{"data": {"status": "failed", "error": {"code": code, "message": "no"}}}]}
    return {"result": {"task": {"status": {"state": "TASK_STATE_FAILED"}, "artifacts": [artifact]}}}


class Summarizer:
    """A loopback server that gives the planned answers, the last one for ever; remembers when it was asked what."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Any]] = []
        self.asked: list[tuple[float, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((time.monotonic(), body))
                status, answer = outer.answers[min(len(outer.asked), len(outer.answers)) - 1]
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()


@pytest.fixture
def summarizer() -> Iterator[Summarizer]:
    running = Summarizer()
    yield running
    running.server.shutdown()
    running.server.server_close()


def envelope() -> Envelope[Any]:
    now = datetime(2026, 3, 1, 10, tzinfo=UTC)
    event = EventData(event_id="e1", content="Fire in Leeds", timestamp=now)
    return make_envelope("event_v1", event, session_id="s", source_agent="test", timestamp=now, cause="c")


def forward(url: str) -> None:
    async def run() -> None:
        forwarder = A2AForwarder(url, first_wait_s=FIRST_WAIT_S, timeout_s=2.0)
        try:
            await forwarder.forward(envelope())
        finally:
            if forwarder._client is not None:
                await forwarder._client.aclose()

    asyncio.run(run())


def test_a_passing_fault_is_waited_out_and_each_wait_is_twice_the_one_before(summarizer: Summarizer) -> None:
    summarizer.answers = [(503, {}), (500, b"oops"), (200, COMPLETED)]
    forward(summarizer.url)
    times = [when for when, _ in summarizer.asked]
    assert len(times) == 3
    assert times[1] - times[0] >= FIRST_WAIT_S
    assert times[2] - times[1] >= 2 * FIRST_WAIT_S
    # The same message each time: a summarizer that had taken the first gives the same brief again.
    assert len({body["params"]["message"]["messageId"] for _, body in summarizer.asked}) == 1


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (503, {}),
        (429, {}),
        (200, b"not JSON"),
        (200, []),
        (200, {"result": None}),
        (200, {"result": {"task": "?"}}),
        (200, failed("unavailable")),
        (200, {"error": {"code": -32603, "message": "internal"}}),
    ],
)
def test_what_may_pass_is_tried_three_times(summarizer: Summarizer, status: int, answer: Any) -> None:
    summarizer.answers = [(status, answer)]
    with pytest.raises(ForwardingError):
        forward(summarizer.url)
    assert len(summarizer.asked) == ATTEMPTS == 3


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (404, {}),
        (403, {}),
        (200, failed("malformed_envelope")),
        (200, {"error": {"code": -32602, "message": "invalid"}}),
    ],
)
def test_what_is_refused_for_good_is_tried_once(summarizer: Summarizer, status: int, answer: Any) -> None:
    summarizer.answers = [(status, answer)]
    with pytest.raises(ForwardingError):
        forward(summarizer.url)
    assert len(summarizer.asked) == 1


def test_nobody_listening_is_said_with_the_address() -> None:
    with pytest.raises(ForwardingError, match=r"http://127\.0\.0\.1:9 does not answer"):
        forward("http://127.0.0.1:9")
