"""`POST /tasks`: an envelope in, the complete envelope produced out."""

import json
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.functions.conftest import EventMaker, raw_event
from verifleet.envelopes import parse_envelope
from verifleet.errors import PublishError
from verifleet.messaging.publisher import InMemoryPublisher


def test_the_answer_holds_the_envelope_that_was_published(agent: TestClient, publisher: InMemoryPublisher) -> None:
    answer = agent.post("/tasks", json=raw_event("smoke"))
    assert answer.status_code == 200
    response = parse_envelope(answer.json(), "mcp_envelope_v1")
    assert (response.payload.type, response.data.status, response.session_id) == ("response", "completed", "session-1")
    produced = parse_envelope(response.data.result, "event_v1")
    assert produced.data.content == "smoke"
    (message,) = publisher.to("events")
    assert parse_envelope(response.data.result).encode() == message.data


def test_a_bare_event_and_a_list_of_them_are_taken(agent: TestClient, publisher: InMemoryPublisher) -> None:
    one = agent.post("/tasks", json={"content": "smoke"}).json()["payload"]["data"]["result"]
    assert one["payload"]["data"]["content"] == "smoke"
    several = agent.post("/tasks", json=[{"content": "a"}, raw_event("bb")]).json()["payload"]["data"]["result"]
    assert [event["payload"]["data"]["content"] for event in several] == ["a", "bb"]
    assert len(publisher.to("events")) == 3


def test_a_list_is_handled_at_once_in_its_order_and_each_keeps_its_session_and_trace(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    event_maker.pause_s = 0.1
    traces = [f"00-{number:032x}-{number:016x}-01" for number in range(1, 9)]
    listed = [raw_event("x" * len(traces[:n]) + "y", f"c{n}", trace=trace) for n, trace in enumerate(traces)]
    started = time.monotonic()
    agent.post("/tasks", json=listed)
    assert time.monotonic() - started < 8 * event_maker.pause_s
    produced = [parse_envelope(json.loads(message.data)) for message in publisher.to("events")]
    assert [len(envelope.data.content) for envelope in produced] == list(range(1, 9))
    assert [envelope.metadata.trace for envelope in produced if envelope.metadata] == traces


def test_the_same_task_again_gives_outputs_of_the_same_ids(agent: TestClient, publisher: InMemoryPublisher) -> None:
    for _ in range(2):
        agent.post("/tasks", json={"content": "smoke"})
    first, second = publisher.to("events")
    assert first.attributes["envelope_id"] == second.attributes["envelope_id"]


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["schema"]),
        (raw_event("x") | {"schema": "event_v1"}, ["schema"]),
        (raw_event("x") | {"session_id": "", "timestamp": "soon"}, ["session_id", "timestamp"]),
        ([raw_event("x"), raw_event("y") | {"timestamp": "soon"}], ["1.timestamp"]),
        ([], []),
        ("text", []),
    ],
)
def test_a_malformed_envelope_is_refused_with_its_field_paths(
    agent: TestClient, event_maker: EventMaker, body: Any, paths: list[str]
) -> None:
    answer = agent.post("/tasks", json=body)
    assert answer.status_code == 400
    assert [field["path"] for field in answer.json()["error"]["fields"]] == paths
    assert event_maker.handled == []


def test_a_task_whose_output_can_not_be_published_is_unavailable(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    publisher.failure = PublishError("the broker is away")
    answer = agent.post("/tasks", json=raw_event("x"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")


def test_an_agent_has_health_and_metrics(agent: TestClient) -> None:
    assert agent.get("/health").json() == {"status": "ok", "function": "ingest_agent"}
    agent.post("/tasks", json=raw_event("x"))
    assert 'agent_requests_total{function="ingest_agent",operation="tasks",outcome="ok"}' in agent.get("/metrics").text
