"""Which session a report belongs to, however it comes in, and what holds no report at all."""

import base64
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import agent_app
from verifleet.serving.ingest import IngestAgent, coerce_report, decode_report
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore

ALERT = """<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A1</identifier><sender>m@example.gov</sender>
<sent>2026-03-01T10:00:00+00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
<info><category>Met</category><event>Flood Warning</event><urgency>Immediate</urgency><severity>Severe</severity>
<certainty>Observed</certainty><headline>Flooding</headline><area><areaDesc>York</areaDesc></area></info></alert>"""
PLAIN = {"content-type": "text/plain"}


@pytest.fixture
def publisher() -> InMemoryPublisher:
    return InMemoryPublisher()


@pytest.fixture
def agent(tmp_path: Path, publisher: InMemoryPublisher) -> Iterator[TestClient]:
    store = SqliteStore(tmp_path / "store.db")
    app = agent_app(
        "ingest_agent",
        profile=ingest_profile(),
        expects=("raw_event_v1",),
        handler=IngestAgent(store),
        settings=load_settings(default_session="shared"),
        store=store,
        publisher=publisher,
        coerce=coerce_report("shared"),
        decode=decode_report,
    )
    with TestClient(app) as client:
        yield client


def sessions(publisher: InMemoryPublisher) -> list[str]:
    return [json.loads(message.data)["session_id"] for message in publisher.to("events")]


def push(client: TestClient, data: bytes, **attributes: str) -> int:
    message = {"data": base64.b64encode(data).decode(), "messageId": uuid.uuid4().hex, "attributes": attributes}
    return client.post("/", json={"message": message, "subscription": "projects/p/subscriptions/s"}).status_code


def send(client: TestClient, *parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The task that an A2A message becomes."""
    message = {"role": "ROLE_USER", "messageId": uuid.uuid4().hex, "parts": list(parts), **fields}
    answer = client.post("/a2a/rest/message:send", json={"message": message}, headers={"A2A-Version": "1.0"})
    task: dict[str, Any] = answer.json()["task"]
    return task


def test_a_message_is_in_the_context_that_its_client_chose(agent: TestClient, publisher: InMemoryPublisher) -> None:
    for context in ("ctx-0", "ctx-1"):
        send(agent, {"text": "Fire in Leeds"}, contextId=context)
    assert sessions(publisher) == ["ctx-0", "ctx-1"]
    assert len({message.attributes["envelope_id"] for message in publisher.to("events")}) == 2


def test_a_session_id_goes_before_the_context(agent: TestClient, publisher: InMemoryPublisher) -> None:
    data = {"data": {"content": "Fire in Leeds", "session_id": "own"}, "metadata": {"session_id": "of part"}}
    text = {"text": "Fire in Leeds"}
    send(agent, data, contextId="c", metadata={"session_id": "of message"})
    send(agent, text | {"metadata": {"session_id": "of part"}}, contextId="c", metadata={"session_id": "of message"})
    send(agent, text, contextId="c", metadata={"session_id": "of message"})
    assert sessions(publisher) == ["own", "of part", "of message"]


def test_messages_without_a_context_stay_together_also_when_they_continue_one_of_ours(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    task = send(agent, {"text": "Fire in Leeds"})
    send(agent, {"text": "Fire in Hull"})
    send(agent, {"text": "Fire in York"}, contextId=task["contextId"])
    assert sessions(publisher) == ["shared"] * 3


def test_a_session_id_that_is_no_text_is_refused_rather_than_ignored(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    task = send(agent, {"text": "Fire in Leeds"}, metadata={"session_id": 5})
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    for body in ({"content": "Fire in Leeds", "session_id": 5}, {"content": "Fire in Leeds", "session_id": ""}):
        assert agent.post("/tasks", json=body).status_code == 400
    assert agent.post("/tasks?session_id=", content="Fire in Leeds", headers=PLAIN).status_code == 400
    assert push(agent, b"Fire in Leeds", content_type="text/plain", session_id="x" * 201) == 204
    assert (len(publisher.to("dead-letters")), sessions(publisher)) == (1, [])


def test_a_bare_report_is_in_the_session_of_its_query_or_of_its_own(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    agent.post("/tasks?session_id=abc", content="Fire in Leeds", headers=PLAIN)
    agent.post("/tasks?session_id=abc", content=ALERT, headers={"content-type": "application/xml"})
    agent.post("/tasks?session_id=abc", json=[{"content": "Fire in Hull"}, {"content": "Quake", "session_id": "own"}])
    agent.post("/tasks", json={"content": "Fire in Hull"})
    assert sessions(publisher) == ["abc", "abc", "abc", "own", "shared"]


def test_a_bare_report_over_pubsub_is_in_the_session_of_its_attribute(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    for session in ("s-1", "s-2", "s-1"):
        assert push(agent, b"Fire in Leeds", content_type="text/plain", session_id=session) == 204
        assert push(agent, ALERT.encode(), session_id=session) == 204
    assert sessions(publisher) == ["s-1", "s-1", "s-2", "s-2"]  # the same again in the same session is handled once


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({"url": "http://reports.example/report.txt", "mediaType": "text/plain"}, "nothing is fetched"),
        ({"text": ""}, "empty"),
        ({"text": " \n"}, "empty"),
        ({"raw": "", "mediaType": "text/plain"}, "empty"),
        ({"text": '""'}, "empty"),
    ],
)
def test_a_message_without_content_fails_with_the_reason(
    agent: TestClient, publisher: InMemoryPublisher, part: dict[str, Any], reason: str
) -> None:
    task = send(agent, part)
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert reason in task["status"]["message"]["parts"][0]["text"]
    assert not publisher.to("events")


def test_a_url_beside_a_text_is_refused_too_since_it_would_be_lost(agent: TestClient) -> None:
    task = send(agent, {"text": "see the report"}, {"url": "http://reports.example/report.txt"})
    assert task["status"]["state"] == "TASK_STATE_FAILED"


def test_an_empty_text_is_refused_and_an_empty_content_is_an_event(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    for body in ("", " \n"):
        assert agent.post("/tasks", content=body, headers=PLAIN).status_code == 400
        assert push(agent, body.encode(), content_type="text/plain") == 204
    assert (len(publisher.to("dead-letters")), len(publisher.to("events"))) == (2, 0)
    for content in ("", "🔥"):
        assert agent.post("/tasks", json={"content": content}).status_code == 200
    assert len(publisher.to("events")) == 2


def test_a_skill_sent_to_tasks_is_told_where_skills_are_called(agent: TestClient) -> None:
    answer = agent.post("/tasks", json={"skill": "verify_claim", "input": {"claim": "12 injured"}})
    assert answer.status_code == 400
    assert "/a2a/jsonrpc" in answer.json()["error"]["message"]
