"""All three agents over A2A, driven by the official SDK's client; real functions-framework processes and broker."""

import asyncio
import base64
import json
import os
import re
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import new_data_part
from a2a.types.a2a_pb2 import Message, Role, SendMessageRequest, TaskState
from google.protobuf.json_format import MessageToDict

from verifleet.commands.demo import free_addresses
from verifleet.commands.publish import attributes_of
from verifleet.envelopes import EventData, make_envelope
from verifleet.local.local_fleet import Fleet
from verifleet.local.pulling import pulled

AGENTS = ("ingest_agent", "verifier_agent", "summarizer_agent")


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    addresses = free_addresses()
    environment = {"SUMMARIZER_URL": addresses.url("summarizer_agent")}
    running = Fleet(tmp_path_factory.mktemp("agents"), addresses, environment)
    running.members = [member for member in running.members if member.name in ("broker", *AGENTS)]
    running.start()
    yield running
    running.stop()


def raw_event(session: str) -> dict[str, Any]:
    return {
        "schema": "raw_event_v1",
        "session_id": session,
        "timestamp": "2026-03-01T10:00:00Z",
        "source_agent": "test",
        "payload": {
            "type": "raw_event",
            "data": {"source": "emergency", "content": "12 people injured in a fire in Leeds", "location": "Leeds"},
        },
    }


async def send(fleet: Fleet, agent: str, content: dict[str, Any], binding: str, streaming: bool) -> list[Any]:
    """The stream of responses that the official client gives for one message."""
    message = Message(role=Role.ROLE_USER, message_id=str(uuid.uuid4()), parts=[new_data_part(content)])
    # The SDK's own client gives up after 5 s, which a first call on a busy machine may take.
    async with httpx.AsyncClient(timeout=60) as http:
        config = ClientConfig(httpx_client=http, supported_protocol_bindings=[binding], streaming=streaming)
        client = await ClientFactory(config).create_from_url(fleet.addresses.url(agent))
        async with client:
            return [response async for response in client.send_message(SendMessageRequest(message=message))]


def outcome(responses: list[Any]) -> tuple[int, dict[str, Any]]:
    """Final state and the artifact's data, from a task or from a stream's events."""
    state, artifact = 0, {}
    for response in responses:
        if response.HasField("task"):
            state = response.task.status.state
            for item in response.task.artifacts:
                artifact = MessageToDict(item.parts[0].data)
        elif response.HasField("status_update"):
            state = response.status_update.status.state
        elif response.HasField("artifact_update"):
            artifact = MessageToDict(response.artifact_update.artifact.parts[0].data)
    return state, artifact


@pytest.mark.parametrize("streaming", [False, True], ids=["send", "stream"])
@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
def test_an_event_goes_through_all_three_agents(fleet: Fleet, binding: str, streaming: bool) -> None:
    content = raw_event(str(uuid.uuid4()))
    for agent, schema in zip(AGENTS, ("event_v1", "verified_event_v1", "incident_brief_v1"), strict=True):
        state, answer = outcome(asyncio.run(send(fleet, agent, content, binding, streaming)))
        assert state == TaskState.TASK_STATE_COMPLETED, answer
        assert answer["schema"] == "mcp_envelope_v1"
        content = answer["payload"]["data"]["result"]
        assert content["schema"] == schema
    assert "Leeds" in content["payload"]["data"]["summary"]


def test_a_malformed_envelope_fails_with_its_fields(fleet: Fleet) -> None:
    content = raw_event("s") | {"payload": {"type": "raw_event", "data": {}}}
    state, answer = outcome(asyncio.run(send(fleet, "ingest_agent", content, "JSONRPC", False)))
    assert state == TaskState.TASK_STATE_FAILED
    assert answer["error"]["fields"][0]["path"] == "payload.data.content"


def test_the_four_tools_are_skills_that_can_be_called_on_their_own(fleet: Fleet) -> None:
    def call(skill: str, given: dict[str, Any]) -> Any:
        state, answer = outcome(
            asyncio.run(send(fleet, "verifier_agent", {"skill": skill, "input": given}, "JSONRPC", False))
        )
        assert state == TaskState.TASK_STATE_COMPLETED, answer
        return answer["output"]

    claims = call("extract_claims", {"content": "12 people injured in a fire in Leeds. Stay safe!", "source": "news"})
    assert [claim["text"] for claim in claims["claims"]] == ["12 people injured in a fire in Leeds."] or claims[
        "claims"
    ]
    verified = call("verify_claim", {"claim": "12 people injured in a fire in Leeds", "location": "Leeds"})
    assert verified["verified_claims"][0]["verdict"] == "insufficient"
    score = call("score_reliability", {"verified_claims": verified["verified_claims"], "source": "twitter"})
    assert score["unverified"] is True
    card = httpx.get(f"{fleet.addresses.url('verifier_agent')}/.well-known/agent-card.json").json()
    assert {"extract_claims", "verify_claim", "score_reliability", "forward_to_summarizer"} == {
        skill["id"] for skill in card["skills"]
    }
    metrics = httpx.get(f"{fleet.addresses.url('verifier_agent')}/metrics").text
    assert 'tool_invocations_total{function="verifier_agent",operation="extract_claims"' in metrics


@pytest.mark.parametrize("agent", AGENTS)
def test_every_example_on_a_card_can_be_sent_as_it_stands(fleet: Fleet, agent: str) -> None:
    card = httpx.get(f"{fleet.addresses.url(agent)}/.well-known/agent-card.json").json()
    for skill in card["skills"]:
        for example in skill["examples"]:
            state, answer = outcome(asyncio.run(send(fleet, agent, json.loads(example), "JSONRPC", False)))
            assert state == TaskState.TASK_STATE_COMPLETED, (skill["id"], answer)


def test_the_documented_calls_of_tools_are_those_of_the_card(fleet: Fleet) -> None:
    card = httpx.get(f"{fleet.addresses.url('verifier_agent')}/.well-known/agent-card.json").json()
    page = (Path(__file__).parents[2] / "docs/a2a.md").read_text()
    documented = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert documented == [json.loads(skill["examples"][0]) for skill in card["skills"]]


def test_a_verified_event_is_forwarded_over_a2a(fleet: Fleet) -> None:
    session = str(uuid.uuid4())
    now = datetime(2026, 3, 1, 10, tzinfo=UTC)
    event = EventData(
        event_id="e1", source="emergency", content="40 people evacuated in Hull", location="Hull", timestamp=now
    )
    envelope = make_envelope(
        "event_v1", event, session_id=session, source_agent="test", timestamp=now, cause=session
    ).as_json()
    answer = httpx.post(f"{fleet.addresses.url('verifier_agent')}/tasks", json=envelope, timeout=30).json()
    verified = answer["payload"]["data"]["result"]
    state, forwarded = outcome(
        asyncio.run(
            send(fleet, "verifier_agent", {"skill": "forward_to_summarizer", "input": verified}, "JSONRPC", False)
        )
    )
    assert state == TaskState.TASK_STATE_COMPLETED, forwarded
    assert forwarded["output"] == {"forwarded": "a2a"}


class Inbox:
    """The messages of one topic and session, whoever else reads the topic."""

    def __init__(self, fleet: Fleet, subscriber: Any, topic: str, session: str) -> None:
        self._subscriber = subscriber
        self._session = session
        self._name = f"projects/{fleet.project}/subscriptions/inbox-{topic}-{session[:8]}"
        subscriber.create_subscription(name=self._name, topic=f"projects/{fleet.project}/topics/{topic}")

    def collect(self, wanted: int, meanwhile: Callable[[], object]) -> list[Any]:
        """Messages until there are `wanted` of them, and whatever comes in the second after."""
        got: list[Any] = []
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            meanwhile()
            received = pulled(self._subscriber, self._name, 100, 0.5)
            if received:
                self._subscriber.acknowledge(subscription=self._name, ack_ids=[item.ack_id for item in received])
            got += [item.message for item in received if item.message.attributes["session_id"] == self._session]
            if len(got) >= wanted:
                deadline = min(deadline, time.monotonic() + 1)
        return got


def test_what_is_verified_while_the_summarizer_is_down_arrives_afterwards_once(fleet: Fleet) -> None:
    session = str(uuid.uuid4())
    now = datetime(2026, 3, 1, 10, tzinfo=UTC)
    places = ("Hull", "Leeds", "Bristol", "Cardiff", "Derby", "Exeter")
    summarizer = next(member for member in fleet.members if member.name == "summarizer_agent")
    assert summarizer.process is not None
    with fleet.clients() as (publisher, subscriber):
        verified = Inbox(fleet, subscriber, "verified-events", session)
        briefs = Inbox(fleet, subscriber, "incident-briefs", session)
        os.killpg(summarizer.process.pid, signal.SIGKILL)
        for place in places:
            content = f"40 people evacuated in {place}"
            event = EventData(event_id=f"e-{place}", source="emergency", content=content, location=place, timestamp=now)
            envelope = make_envelope(
                "event_v1", event, session_id=session, source_agent="test", timestamp=now, cause=place
            ).as_json()
            topic = f"projects/{fleet.project}/topics/events"
            publisher.publish(topic, json.dumps(envelope).encode(), **attributes_of(envelope)).result(timeout=15)
        # Three attempts each over A2A, with the real waits; then the topic.
        assert len(verified.collect(len(places), lambda: None)) == len(places)
        arrived = briefs.collect(len(places), fleet.watch)
    assert len({message.attributes["envelope_id"] for message in arrived}) == len(places)
    written = [json.loads(message.data)["payload"]["data"] for message in arrived]
    assert {brief["revision"] for brief in written} == {1}
    assert {event for brief in written for event in brief["event_ids"]} == {f"e-{place}" for place in places}


ODD = {
    "empty": "",
    "emoji": "\U0001f631\U0001f525" * 500,
    "long": "The dam has burst and 12 people were injured near Leeds. " * 18_000,
    "one word": "a" * 1_000_000,
    "right to left": "انفجار كبير في بيروت، 12 جريحا والعشرات عالقون",
    "scripts": "火事 пожар fire 화재 आग in Köln, 12 injured \u202e",
    "numbers": " ".join(f"{number} injured," for number in range(3_000)),
    "broken": "Fire\x00 in Leeds \ud800 12 injured",
}
TELLING = {"long", "scripts", "broken"}
"""Of these, what surely claims something; the others need not open an incident."""
FUTURE = "2099-01-01T00:00:00Z"


def odd_event(session: str, name: str) -> dict[str, Any]:
    raw = raw_event(session)
    raw["payload"]["data"] |= {"content": ODD[name], "location": f"Town of {name}", "timestamp": FUTURE}
    return raw


@pytest.mark.parametrize("name", ODD)
def test_whatever_a_report_says_every_agent_handles_it(fleet: Fleet, name: str) -> None:
    content = odd_event(f"odd-{name}", name)
    for agent, schema in zip(AGENTS, ("event_v1", "verified_event_v1", "incident_brief_v1"), strict=True):
        body, json_type = json.dumps(content), {"Content-Type": "application/json"}
        answer = httpx.post(f"{fleet.addresses.url(agent)}/tasks", content=body, headers=json_type, timeout=30)
        assert answer.status_code == 200, answer.text[:500]
        content = answer.json()["payload"]["data"]["result"]
        if name not in TELLING and content == []:
            return
        assert content["schema"] == schema
    assert len(content["payload"]["data"]["summary"].split()) <= 200


def test_odd_reports_pass_through_the_whole_pipeline_over_pubsub(fleet: Fleet) -> None:
    session = str(uuid.uuid4())
    topic = f"projects/{fleet.project}/topics/raw-events"
    with fleet.clients() as (publisher, subscriber):
        briefs = Inbox(fleet, subscriber, "incident-briefs", session)
        for name in ODD:
            envelope = odd_event(session, name)
            attributes = {"schema": "raw_event_v1", "session_id": session}
            publisher.publish(topic, json.dumps(envelope).encode(), **attributes).result(timeout=15)
        arrived = briefs.collect(len(TELLING), fleet.watch)
    assert len({message.attributes["envelope_id"] for message in arrived}) >= len(TELLING)


def test_only_the_card_of_the_agent_that_takes_text_says_so(fleet: Fleet) -> None:
    urls = {agent: f"{fleet.addresses.url(agent)}/.well-known/agent-card.json" for agent in AGENTS}
    cards = {agent: httpx.get(url).json() for agent, url in urls.items()}
    modes = {agent: set(card["defaultInputModes"]) for agent, card in cards.items()}
    assert modes["verifier_agent"] == modes["summarizer_agent"] == {"application/json"}
    assert {"application/json", "text/plain", "application/cap+xml"} <= modes["ingest_agent"]
    assert all(set(skill["inputModes"]) == modes[agent] for agent in AGENTS for skill in cards[agent]["skills"])


def test_the_card_can_be_cached(fleet: Fleet) -> None:
    url = f"{fleet.addresses.url('ingest_agent')}/.well-known/agent-card.json"
    first = httpx.get(url)
    assert first.headers["last-modified"]
    assert httpx.get(url, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    assert {(i["protocolBinding"], i["protocolVersion"]) for i in first.json()["supportedInterfaces"]} == {
        ("JSONRPC", "1.0"),
        ("HTTP+JSON", "1.0"),
        ("JSONRPC", "0.3"),
        ("HTTP+JSON", "0.3"),
    }


def test_a_content_type_other_than_json_is_refused_by_name(fleet: Fleet) -> None:
    url = f"{fleet.addresses.url('ingest_agent')}/a2a/jsonrpc/"
    answer = httpx.post(url, content=b"{}", headers={"Content-Type": "text/plain", "A2A-Version": "1.0"})
    assert answer.json()["error"]["code"] == -32005


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("jsonrpc", b"[" * 100_000, 200, -32700),
        ("rest/message:send", b"[" * 100_000, 400, 400),
        ("rest/message:send", b"null", 400, 400),
        ("jsonrpc", b" " * (17 * 1024 * 1024), 413, "too_large"),
    ],
)
def test_hostile_bodies_are_refused_by_name(fleet: Fleet, path: str, body: bytes, status: int, code: object) -> None:
    url = f"{fleet.addresses.url('ingest_agent')}/a2a/{path}"
    answer = httpx.post(
        url, content=body, headers={"Content-Type": "application/json", "A2A-Version": "1.0"}, timeout=30
    )
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == code


def test_rest_refuses_other_content_types_and_parts_that_no_skill_takes(fleet: Fleet) -> None:
    url = f"{fleet.addresses.url('ingest_agent')}/a2a/rest/message:send"
    version = {"A2A-Version": "1.0"}
    message: dict[str, Any] = {"role": "ROLE_USER", "messageId": "m", "parts": [{"text": "Fire in Leeds"}]}
    answer = httpx.post(url, content=json.dumps({"message": message}), headers=version | {"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]["details"][0]["reason"]) == (400, "CONTENT_TYPE_NOT_SUPPORTED")
    message["parts"] = [{"raw": "AAAA", "mediaType": "image/png"}]
    answer = httpx.post(url, json={"message": message}, headers=version)
    assert (answer.status_code, answer.json()["error"]["details"][0]["reason"]) == (400, "CONTENT_TYPE_NOT_SUPPORTED")


@pytest.mark.parametrize("kind", ["text", "raw"])
def test_the_ingest_agent_takes_a_cap_alert_and_a_bare_text_as_message_parts(fleet: Fleet, kind: str) -> None:
    alert = (
        '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A1</identifier><sender>m@example.gov</sender>'
        "<sent>2026-03-01T10:00:00+00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>"
        "<info><category>Met</category><event>Flood Warning</event><urgency>Immediate</urgency>"
        "<severity>Severe</severity><certainty>Observed</certainty><headline>Flooding on the Ouse</headline>"
        "<area><areaDesc>York</areaDesc></area></info></alert>"
    )
    part = {"text": alert} if kind == "text" else {"raw": base64.b64encode(alert.encode()).decode()}
    message = {
        "role": "ROLE_USER",
        "messageId": str(uuid.uuid4()),
        "parts": [part | {"mediaType": "application/cap+xml"}],
    }
    url = f"{fleet.addresses.url('ingest_agent')}/a2a/rest/message:send"
    answer = httpx.post(url, json={"message": message}, headers={"A2A-Version": "1.0"}, timeout=30).json()
    result = answer["task"]["artifacts"][0]["parts"][0]["data"]["payload"]["data"]["result"]
    assert (result["payload"]["data"]["event_type"], result["payload"]["data"]["location"]) == ("flood", "York")


def test_each_text_part_of_a_message_to_the_ingest_agent_is_a_report_of_its_own(fleet: Fleet) -> None:
    parts = [{"text": "Warehouse fire in Leeds, 3 injured"}, {"text": " "}, {"text": "Flood in Rome, 2 dead"}]
    message = {"role": "ROLE_USER", "messageId": str(uuid.uuid4()), "parts": parts}
    url = f"{fleet.addresses.url('ingest_agent')}/a2a/rest/message:send"
    answer = httpx.post(url, json={"message": message}, headers={"A2A-Version": "1.0"}, timeout=30).json()
    result = answer["task"]["artifacts"][0]["parts"][0]["data"]["payload"]["data"]["result"]
    made = [(one["payload"]["data"]["event_type"], one["payload"]["data"]["location"]) for one in result]
    assert made == [("fire", "Leeds"), ("flood", "Rome")]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({"skill": "brew_coffee", "input": {}}, "skill"),
        ({"skill": "extract_claims", "input": ["12 injured"]}, "input"),
        ({"skill": "verify_claim", "input": {"claim": " "}}, "input.claim"),
    ],
)
def test_a_wrong_call_of_a_skill_names_the_field(fleet: Fleet, content: dict[str, Any], path: str) -> None:
    state, answer = outcome(asyncio.run(send(fleet, "verifier_agent", content, "JSONRPC", False)))
    assert state == TaskState.TASK_STATE_FAILED
    assert [field["path"] for field in answer["error"]["fields"]] == [path]


def test_protocol_0_3_is_answered_too(fleet: Fleet) -> None:
    message = {"kind": "message", "role": "user", "messageId": str(uuid.uuid4())}
    message["parts"] = [{"kind": "data", "data": raw_event("s-0.3")}]  # type: ignore[assignment]
    call = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
    answer = httpx.post(f"{fleet.addresses.url('ingest_agent')}/a2a/jsonrpc", json=call, timeout=30).json()
    assert answer["result"]["status"]["state"] == "completed", json.dumps(answer)[:500]


def test_tasks_are_kept_in_the_store(fleet: Fleet) -> None:
    responses = asyncio.run(send(fleet, "ingest_agent", raw_event("s-kept"), "JSONRPC", False))
    task_id = next(response.task.id for response in responses if response.HasField("task"))
    base = f"{fleet.addresses.url('ingest_agent')}/a2a/rest"
    headers = {"A2A-Version": "1.0"}
    kept = httpx.get(f"{base}/tasks/{task_id}", headers=headers).json()
    assert kept["status"]["state"] == "TASK_STATE_COMPLETED"
    listed = httpx.get(f"{base}/tasks", headers=headers).json()
    assert task_id in [task["id"] for task in listed["tasks"]]
    assert Path(fleet.data_dir / "store.db").exists()
