"""Every function, alone, as the real functions-framework process that is deployed."""

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.functions.processes import (
    FUNCTIONS,
    Running,
    free_port,
    function_command,
    running,
    running_broker,
    running_function,
)
from verifleet.code_languages import installed_languages
from verifleet.errors import PublishError
from verifleet.messaging.publisher import PubSubPublisher
from verifleet.settings import load_settings

VERIFIERS = [name for name in FUNCTIONS if name.endswith("_verifier")]
PROJECT = "verifleet-local"
DEAD_LETTERS = f"projects/{PROJECT}/topics/dead-letters"
ARCHIVE = f"projects/{PROJECT}/subscriptions/dead-letters.archive"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running_broker(tmp_path_factory.mktemp("broker")) as server:
        yield server


@pytest.fixture(scope="module")
def pubsub(broker: Running) -> Iterator[Any]:
    """Google's own clients on the broker: (publisher, subscriber)."""
    from google.cloud import pubsub_v1

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUBSUB_EMULATOR_HOST", f"127.0.0.1:{broker.port}")
        publisher, subscriber = pubsub_v1.PublisherClient(), pubsub_v1.SubscriberClient()
        publisher.create_topic(name=DEAD_LETTERS)
        subscriber.create_subscription(name=ARCHIVE, topic=DEAD_LETTERS)
        yield publisher, subscriber
        publisher.stop()
        publisher.transport.close()
        subscriber.close()


@pytest.fixture(scope="module", params=FUNCTIONS)
def function(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, broker: Running, pubsub: Any
) -> Iterator[tuple[str, Running]]:
    folder = tmp_path_factory.mktemp(request.param)
    variables = {"PUBSUB_EMULATOR_HOST": f"127.0.0.1:{broker.port}", "GOOGLE_CLOUD_PROJECT": PROJECT}
    with running_function(request.param, folder, **variables) as server:
        yield request.param, server


ASKS_GEMINI = ("knowledge_verifier", "verifier_agent", "summarizer_agent")


def test_a_function_alone_answers_and_outlives_all_bad_input(function: tuple[str, Running], pubsub: Any) -> None:
    name, server = function
    healthy = {"status": "ok", "function": name}
    if name in ASKS_GEMINI:
        healthy["gemini"] = {"on": False}
    if name == "code_verifier":
        healthy["languages"] = installed_languages()
    assert json.loads(server.get("/health").body) == healthy
    routes = ["/", "/verify", "/verify/batch", "/reward"] if name in VERIFIERS else ["/", "/tasks"]
    for route in routes:
        assert server.post(route, b"[" * 100_000).status == 400
        assert server.post(route, b"{").status == 400
        assert server.post(route, b" " * 20_000_000).status == 413
        assert server.post(route, b"{}", "image/png").status == 415
        assert server.post(route, b"{}").status == 400
        assert server.get(route).status == 405
    missing = server.get("/nowhere")
    assert (missing.status, json.loads(missing.body)["error"]["code"]) == (404, "not_found")
    assert b"agent_requests_total{" in server.get("/metrics").body
    assert json.loads(server.get("/health").body).items() >= healthy.items()
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    assert lines
    assert {line["agent"] for line in lines} == {name}
    assert {line["severity"] for line in lines} <= {"INFO", "WARNING"}


def test_a_malformed_message_reaches_the_dead_letters_of_the_broker(function: tuple[str, Running], pubsub: Any) -> None:
    name, server = function
    data = f"not an envelope, for {name}".encode()
    message = {"messageId": "7", "data": base64.b64encode(data).decode(), "attributes": {}}
    body = json.dumps({"subscription": f"projects/p/subscriptions/t.{name}", "message": message}).encode()
    assert server.post("/", body).status == 204
    received = pubsub[1].pull(subscription=ARCHIVE, max_messages=10).received_messages
    assert [item.message.data for item in received] == [data]
    assert received[0].message.attributes["origin"] == f"t.{name}/{name}/7"
    pubsub[1].acknowledge(subscription=ARCHIVE, ack_ids=[item.ack_id for item in received])


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "long " * 400_000])
def test_odd_text_is_judged_by_every_verifier(function: tuple[str, Running], text: str) -> None:
    name, server = function
    if name not in VERIFIERS or name == "code_verifier":
        return  # agents have no /verify, and programs are judged by the runner
    answer = server.post("/verify", json.dumps({"prompt": text, "response": text, "request_id": text}).encode())
    assert answer.status == 200, answer.body[:500]
    result = json.loads(answer.body)
    assert result["request_id"] == text
    assert result["status"] in ("scored", "unknown"), result["reason"]


def test_a_wrong_setting_ends_the_start_with_one_sentence(tmp_path: Path) -> None:
    name, port = FUNCTIONS[0], free_port()
    command = function_command(Path(__file__).parents[2] / "functions" / name / "main.py", name, port)
    with running(command, port, tmp_path, VERIFLEET_STORE="mysql://nowhere") as server:
        assert server.process.wait(30) == 1
        printed = server.log.read_text()
    assert "VERIFLEET_STORE" in printed
    assert "Traceback" not in printed


def test_the_publisher_reaches_the_broker_and_tells_when_it_does_not(broker: Running, pubsub: Any) -> None:
    async def publish(port: int, count: int) -> None:
        settings = load_settings(
            pubsub_emulator_host=f"127.0.0.1:{port}", google_cloud_project=PROJECT, publish_timeout_s=2.0
        )
        publisher = PubSubPublisher(settings)
        try:
            odd = {"topic": "a reserved name", "value": "x" * 5000, "": "no name", "surrogate": "\ud800"}
            await asyncio.gather(*(publisher.publish_raw("dead-letters", b"%d" % n, odd) for n in range(count)))
        finally:
            await publisher.close()

    asyncio.run(publish(broker.port, 200))
    received: dict[bytes, Any] = {}
    while len(received) < 200:
        pulled = pubsub[1].pull(subscription=ARCHIVE, max_messages=200).received_messages
        received |= {item.message.data: item.message.attributes for item in pulled}
        pubsub[1].acknowledge(subscription=ARCHIVE, ack_ids=[item.ack_id for item in pulled])
    assert set(received) == {b"%d" % n for n in range(200)}
    assert dict(received[b"0"]) == {"original_topic": "a reserved name", "value": "x" * 1024, "surrogate": "\\ud800"}
    with pytest.raises(PublishError, match="dead-letters"):
        asyncio.run(publish(free_port(), 1))
