"""Forwarding over A2A to a summarizer that fails in all the ways that one can."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from verifleet.envelopes import Envelope, EventData, make_envelope
from verifleet.messaging.forwarding import ATTEMPTS, A2AForwarder, ForwardingError
from verifleet.serving.delivery import Output
from verifleet.serving.verifier_forwarding import VerifierWithForwarding
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, 10, tzinfo=UTC)

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
    event = EventData(event_id="e1", content="Fire in Leeds", timestamp=NOW)
    return make_envelope("event_v1", event, session_id="s", source_agent="test", timestamp=NOW, cause="c")


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


def test_a_refusal_is_told_by_its_code_without_what_it_quotes(summarizer: Summarizer) -> None:
    summarizer.answers = [(200, {"error": {"code": -32602, "message": "can't read Fire in Leeds"}})]
    with pytest.raises(ForwardingError) as refused:
        forward(summarizer.url)
    assert str(refused.value) == f"{summarizer.url} answers with the error -32602"


def test_nobody_listening_is_said_with_the_address() -> None:
    with pytest.raises(ForwardingError, match=r"http://127\.0\.0\.1:9 does not answer"):
        forward("http://127.0.0.1:9")


class Silent:
    """A loopback server that takes connections and requests and never answers, or with `drop` a byte at a time."""

    def __init__(self, drop: bytes = b"") -> None:
        self.attempts = 0
        self.drop = drop
        self.address = ("127.0.0.1", 0)
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Silent":
        self._server = await asyncio.start_server(self._never, *self.address)
        self.address = self._server.sockets[0].getsockname()
        self.url = "http://{}:{}".format(*self.address)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _never(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.attempts += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(asyncio.CancelledError, OSError):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" if self.drop else b"")
            while not reader.at_eof():
                writer.write(self.drop)
                await asyncio.sleep(0.02)
        writer.close()


async def outcome(forwarder: A2AForwarder) -> str:
    try:
        await forwarder.forward(envelope())
    except ForwardingError as error:
        return str(error)
    return "taken"


async def shut(forwarder: A2AForwarder) -> None:
    if forwarder._client is not None:
        await forwarder._client.aclose()


def test_an_agent_that_never_answers_is_left_alone_after_three_attempts_and_asked_again_later(
    summarizer: Summarizer,
) -> None:
    async def run() -> None:
        async with Silent() as silent:
            forwarder = A2AForwarder(silent.url, first_wait_s=0.01, timeout_s=0.1, probe_every_s=0.8)
            assert "does not answer within 0.1 s" in await outcome(forwarder)
            assert silent.attempts == ATTEMPTS
            told = [await outcome(forwarder) for _ in range(50)]
            assert all("was silent 3 times in a row and is asked again in" in one for one in told)
            assert silent.attempts == ATTEMPTS
            await asyncio.sleep(0.9)
            # One event asks again; the others do not wait for what comes of it.
            told = await asyncio.gather(*(outcome(forwarder) for _ in range(20)))
            assert silent.attempts == ATTEMPTS + 1
            assert sum("does not answer" in one for one in told) == 1
            forwarder._url = summarizer.url  # it has come back
            summarizer.answers = [(200, COMPLETED)]
            await asyncio.sleep(0.9)
            assert [await outcome(forwarder) for _ in range(3)] == ["taken"] * 3
            await shut(forwarder)

    asyncio.run(run())


def test_events_at_once_do_not_wait_for_a_silent_agent_one_after_the_other() -> None:
    async def run() -> None:
        async with Silent() as silent:
            forwarder = A2AForwarder(silent.url, first_wait_s=0.01, timeout_s=0.3, probe_every_s=60)
            started = time.monotonic()
            told = await asyncio.gather(*(outcome(forwarder) for _ in range(150)))
            # One time-out for all of them; three each, one after the other, would be 135 s.
            assert time.monotonic() - started < 5
            assert "taken" not in told
            assert silent.attempts <= 150
            await shut(forwarder)

    asyncio.run(run())


def test_an_answer_that_never_ends_is_no_answer() -> None:
    async def run() -> None:
        async with Silent(drop=b" ") as silent:
            forwarder = A2AForwarder(silent.url, first_wait_s=0.01, timeout_s=0.1, probe_every_s=60)
            assert "does not answer within 0.1 s" in await outcome(forwarder)
            assert silent.attempts == ATTEMPTS
            await shut(forwarder)

    asyncio.run(run())


def test_an_agent_that_says_it_is_busy_is_not_taken_for_silent(summarizer: Summarizer) -> None:
    summarizer.answers = [(503, {})] * 2 * ATTEMPTS + [(200, COMPLETED)]

    async def run() -> None:
        forwarder = A2AForwarder(summarizer.url, first_wait_s=0.01)
        told = [await outcome(forwarder) for _ in range(3)]
        assert told[2] == "taken"
        await shut(forwarder)

    asyncio.run(run())


def test_what_a_silent_summarizer_does_not_take_goes_to_the_topic_each_event_one_way(
    summarizer: Summarizer, tmp_path: Path
) -> None:
    summarizer.answers = [(200, COMPLETED)]

    class Publisher:
        async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
            raise AssertionError("the receiver publishes what has a topic")

    async def run() -> None:
        async with Silent() as silent:
            store = SqliteStore(tmp_path / "store.db")
            agent = VerifierWithForwarding(load_settings(summarizer_url=silent.url), store, cast("Any", Publisher()))
            forwarder = A2AForwarder(silent.url, first_wait_s=0.01, timeout_s=0.1, probe_every_s=0.2)
            agent._forwarder = forwarder

            async def verify(number: int) -> Sequence[Output]:
                event = EventData(event_id=f"e{number}", content="40 people hurt in Leeds", timestamp=NOW)
                given = make_envelope("event_v1", event, session_id="s", source_agent="t", timestamp=NOW, cause="c")
                return await agent(given, cause=f"c{number}")

            outputs = list(await asyncio.gather(*(verify(number) for number in range(20))))
            forwarder._url = summarizer.url
            await asyncio.sleep(0.3)
            outputs += [await verify(number) for number in range(20, 25)]
            to_topic = {output.envelope.envelope_id for made in outputs for output in made if output.topic}
            taken = {
                body["params"]["message"]["parts"][0]["data"]["metadata"]["envelope_id"] for _, body in summarizer.asked
            }
            assert all(made for made in outputs)
            assert to_topic | taken == {output.envelope.envelope_id for made in outputs for output in made}
            assert not to_topic & taken
            assert len(to_topic) >= 20
            assert len(taken) >= 5
            await shut(forwarder)
            await store.close()

    asyncio.run(run())
