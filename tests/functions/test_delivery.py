"""`POST /`: the three forms of a Pub/Sub delivery, and what acknowledges it."""

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.functions.conftest import EventMaker, ExactVerifier, as_json, raw_event
from verifleet.envelopes import Envelope, make_envelope, output_id, parse_envelope
from verifleet.errors import PublishError, StoreUnavailableError
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import Output, agent_app
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import Settings
from verifleet.storage.sqlite import SqliteStore
from verifleet.verification import VerificationRequest

EVENT_TYPE = "google.cloud.pubsub.topic.v1.messagePublished"
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def push(data: Any, subscription: str = "raw-events.ingest_agent", **message: Any) -> dict[str, Any]:
    raw = data if isinstance(data, bytes) else as_json(data)
    return {
        "subscription": f"projects/p/subscriptions/{subscription}",
        "message": {
            "data": base64.b64encode(raw).decode(),
            "messageId": "m-1",
            "publishTime": "2026-03-01T10:00:00Z",
            "attributes": {"schema": "raw_event_v1"},
            **message,
        },
        "deliveryAttempt": 1,
    }


def plain(client: TestClient, body: Any) -> Any:
    return client.post("/", json=body)


def binary_cloud_event(client: TestClient, body: Any) -> Any:
    headers = {"ce-id": "m-1", "ce-specversion": "1.0", "ce-type": EVENT_TYPE, "ce-source": "//pubsub/t"}
    return client.post("/", json=body, headers=headers)


def structured_cloud_event(client: TestClient, body: Any) -> Any:
    event = {"id": "m-1", "specversion": "1.0", "type": EVENT_TYPE, "source": "//pubsub/t", "data": body}
    headers = {"content-type": "application/cloudevents+json; charset=utf-8"}
    return client.post("/", content=as_json(event), headers=headers)


def structured_in_base64(client: TestClient, body: Any) -> Any:
    data = base64.b64encode(as_json(body)).decode()
    event = {"id": "m-1", "specversion": "1.0", "type": EVENT_TYPE, "source": "//pubsub/t", "data_base64": data}
    return client.post("/", content=as_json(event), headers={"content-type": "application/cloudevents+json"})


FORMS = [plain, binary_cloud_event, structured_cloud_event, structured_in_base64]


@pytest.mark.parametrize("deliver", FORMS)
def test_all_forms_of_a_delivery_are_handled_alike(
    agent: TestClient, publisher: InMemoryPublisher, deliver: Any
) -> None:
    assert deliver(agent, push(raw_event("water \ud800"))).status_code == 204
    (message,) = publisher.messages
    assert message.topic == "events"
    event = parse_envelope(json.loads(message.data))
    assert event.data.content == "water \ud800"
    assert event.envelope_id == output_id("cause-1", "ingest_agent", "event_v1", event.data.event_id)
    assert message.attributes["envelope_id"] == event.envelope_id
    assert message.attributes["schema"] == "event_v1"


def test_what_is_replayed_for_another_subscription_of_the_topic_is_left_to_it(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    own, other = "incident-acts.summarizer_agent", "incident-acts.verifier_agent"
    for meant_for in (other, own, "incident-acts.nobody", "events.verifier_agent"):
        body = push(raw_event(meant_for), own, messageId=meant_for, attributes={"replayed_for": meant_for})
        assert plain(agent, body).status_code == 204
    assert len(publisher.to("events")) == 3


def test_without_an_envelope_id_the_message_id_names_the_output(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    assert plain(agent, push(raw_event("a", envelope_id=None))).status_code == 204
    assert event_maker.handled == ["m-1"]


def test_a_list_of_bare_events_becomes_as_many_outputs(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    assert plain(agent, push([{"content": "a"}, {"content": "bb"}])).status_code == 204
    assert event_maker.handled == ["m-1/0", "m-1/1"]
    assert len(publisher.to("events")) == 2


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"hello": "world"}, "message"),
        ({"message": "text", "subscription": "s"}, "message"),
        ({"message": {"messageId": "1", "data": "e30="}}, "subscription"),
        ({"message": {"data": "e30="}, "subscription": "s"}, "message.messageId"),
        ({"message": {"messageId": "1"}, "subscription": "s"}, "message.data"),
        ({"message": {"messageId": "1", "data": "%%%"}, "subscription": "s"}, "message.data"),
        ({"message": {"messageId": "1", "data": 5}, "subscription": "s"}, "message.data"),
        (
            {"message": {"messageId": "1", "data": "e30=", "attributes": {"a": 1}}, "subscription": "s"},
            "message.attributes",
        ),
    ],
)
def test_a_body_that_pubsub_never_sends_is_refused(
    agent: TestClient, publisher: InMemoryPublisher, body: Any, path: str
) -> None:
    answer = plain(agent, body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "not_a_delivery"
    assert answer.json()["error"]["fields"][0]["path"] == path
    assert publisher.messages == []


def test_a_cloud_event_of_another_type_is_refused(agent: TestClient) -> None:
    other = "google.cloud.storage.object.v1.finalized"
    headers = {"ce-id": "1", "ce-specversion": "1.0", "ce-type": other, "ce-source": "//storage"}
    answer = agent.post("/", json=push(raw_event("a")), headers=headers)
    assert (answer.status_code, answer.json()["error"]["fields"][0]["path"]) == (400, "ce-type")
    event = {"id": "1", "specversion": "1.0", "type": other, "source": "s", "data": push(raw_event("a"))}
    answer = agent.post("/", content=as_json(event), headers={"content-type": "application/cloudevents+json"})
    assert (answer.status_code, answer.json()["error"]["fields"][0]["path"]) == (400, "type")


MISSING_CONTENT = raw_event("x")
del MISSING_CONTENT["payload"]["data"]["content"]


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b"", "message.data"),
        (b"not json", "(body)"),
        (b"\xff\xfe", "(body)"),
        (b"[" * 10_000, "(body)"),
        (b" " * 40_000, "message.data"),
        (b"{}", "schema"),
        (b"[]", "(body)"),
        (as_json({**raw_event("a"), "schema": "event_v1"}), "schema"),
        (as_json({**raw_event("a"), "schema": "raw_event_v9"}), "schema"),
        (as_json({**raw_event("a"), "timestamp": "yesterday"}), "timestamp"),
        (as_json(MISSING_CONTENT), "payload.data.content"),
    ],
)
def test_what_can_never_succeed_goes_to_dead_letters_unchanged_and_is_acknowledged(
    agent: TestClient, publisher: InMemoryPublisher, data: bytes, path: str
) -> None:
    assert plain(agent, push(data, attributes={"session_id": "s-1", "path": "of the sender"})).status_code == 204
    (letter,) = publisher.messages
    assert letter.topic == "dead-letters"
    assert letter.data == data
    assert letter.attributes["reason"]
    assert letter.attributes["path"] == path
    assert letter.attributes["origin"] == "raw-events.ingest_agent/ingest_agent/m-1"
    assert letter.attributes["session_id"] == "s-1"


def test_a_message_is_not_acknowledged_until_its_dead_letter_is_out(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    publisher.failure = PublishError("the broker is away")
    answer = plain(agent, push(b"not json"))
    assert answer.status_code == 503
    publisher.failure = None
    assert plain(agent, push(b"not json")).status_code == 204
    assert len(publisher.to("dead-letters")) == 1


@pytest.mark.parametrize("failure", [PublishError("away"), StoreUnavailableError("locked")])
def test_a_passing_fault_answers_503_and_the_redelivery_succeeds(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker, failure: Exception
) -> None:
    event_maker.failure = failure
    answer = plain(agent, push(raw_event("a")))
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) >= 1
    event_maker.failure = None
    assert plain(agent, push(raw_event("a"))).status_code == 204
    assert len(publisher.to("events")) == 1


def test_a_message_is_not_acknowledged_until_its_output_is_out(agent: TestClient, publisher: InMemoryPublisher) -> None:
    publisher.failure = PublishError("the broker is away")
    assert plain(agent, push(raw_event("a"))).status_code == 503
    publisher.failure = None
    assert plain(agent, push(raw_event("a"))).status_code == 204
    assert len(publisher.to("events")) == 1


def test_a_defect_of_ours_answers_500_and_the_message_comes_again(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    event_maker.failure = RuntimeError("a defect")
    assert plain(agent, push(raw_event("a"))).status_code == 500
    event_maker.failure = None
    assert plain(agent, push(raw_event("a"))).status_code == 204


def test_a_duplicate_is_acknowledged_without_being_handled_again(
    agent: TestClient, publisher: InMemoryPublisher, event_maker: EventMaker
) -> None:
    for message_id in ("m-1", "m-1", "m-2"):
        assert plain(agent, push(raw_event("a"), messageId=message_id)).status_code == 204
    assert plain(agent, push(raw_event("a", trace=f"00-{'a' * 32}-{'b' * 16}-01"))).status_code == 204
    assert len(event_maker.handled) == 1
    assert plain(agent, push(raw_event("a"), subscription="raw-events.another")).status_code == 204
    assert len(event_maker.handled) == 2


def test_publishing_is_counted_as_a_tool(agent: TestClient) -> None:
    plain(agent, push(raw_event("a")))
    assert (
        'tool_invocations_total{function="ingest_agent",operation="publish",outcome="ok"}' in agent.get("/metrics").text
    )


def test_the_trace_of_a_message_is_passed_on(agent: TestClient, publisher: InMemoryPublisher) -> None:
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    plain(agent, push(raw_event("in the envelope", trace=trace)))
    plain(agent, push(raw_event("in the attributes", envelope_id="2"), attributes={"traceparent": trace}))
    cloud = {"x-cloud-trace-context": f"{'A' * 32}/{0xBBBBBBBBBBBBBBBB};o=1"}
    agent.post("/", json=push(raw_event("in the header", envelope_id="3")), headers=cloud)
    plain(agent, push(raw_event("nonsense", envelope_id="4", trace="nonsense")))
    traces = [message.attributes.get("traceparent") for message in publisher.to("events")]
    assert traces == [trace.replace("b" * 16, "bbbbbbbbbbbbbbbb"), trace, trace, None]


# --- verifiers ---------------------------------------------------------------


def request_envelope(verifier: str = "knowledge", response: str = "x", **data: Any) -> dict[str, Any]:
    return {
        "schema": "verification_request_v1",
        "session_id": "s-1",
        "timestamp": "2026-03-01T10:00:00Z",
        "source_agent": "trainer",
        "payload": {
            "type": "verification_request",
            "data": {"verifier": verifier, "response": response, "request_id": "r-1", **data},
        },
    }


VERIFIER_SUBSCRIPTION = "verification-requests.knowledge_verifier"


def test_a_request_over_pubsub_comes_out_as_a_result(client: TestClient, publisher: InMemoryPublisher) -> None:
    body = push(request_envelope(reference={"answer": "x"}), VERIFIER_SUBSCRIPTION)
    assert plain(client, body).status_code == 204
    assert plain(client, body).status_code == 204
    first, second = publisher.to("verification-results")
    assert first.attributes["verifier"] == "knowledge"
    assert first.attributes["envelope_id"] == second.attributes["envelope_id"]
    result = parse_envelope(json.loads(first.data), "verification_result_v1")
    assert (result.data.score, result.data.request_id, result.session_id) == (1.0, "r-1", "s-1")


@pytest.mark.parametrize("response", ["unavailable", "defect"])
def test_a_verdict_that_failed_by_our_fault_comes_again(
    client: TestClient, publisher: InMemoryPublisher, response: str
) -> None:
    answer = plain(client, push(request_envelope(response=response), VERIFIER_SUBSCRIPTION))
    assert answer.status_code == 503
    assert publisher.messages == []


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (request_envelope(verifier="math"), "payload.data.verifier"),
        (request_envelope(verifier="poetry"), "payload.data.verifier"),
        (request_envelope(reference={"aliases": []}), "payload.data.reference.answer"),
        (request_envelope(options={"partial": 7}), "payload.data.options.partial"),
    ],
)
def test_a_request_that_no_one_can_judge_is_dead_lettered(
    client: TestClient, publisher: InMemoryPublisher, data: Any, path: str
) -> None:
    assert plain(client, push(data, VERIFIER_SUBSCRIPTION)).status_code == 204
    (letter,) = publisher.messages
    assert (letter.topic, letter.attributes["path"]) == ("dead-letters", path)


@pytest.mark.parametrize("attributes", [{}, {"verifier": "poetry"}])
def test_a_request_that_was_not_routed_is_dead_lettered_even_if_its_data_names_this_verifier(
    client: TestClient, publisher: InMemoryPublisher, verifier: ExactVerifier, attributes: dict[str, str]
) -> None:
    body = push(request_envelope(), "verification-requests.unroutable", attributes=attributes)
    assert plain(client, body).status_code == 204
    (letter,) = publisher.messages
    assert letter.topic == "dead-letters"
    assert letter.attributes["path"] == "message.attributes.verifier"
    assert verifier.judged == []


def test_the_library_makes_envelopes_that_the_edge_takes(client: TestClient, publisher: InMemoryPublisher) -> None:
    from verifleet.envelopes import VerificationRequestData

    request = VerificationRequest(response="\x00\ud800")
    data = VerificationRequestData(verifier="knowledge", **dict(request))
    envelope = make_envelope(
        "verification_request_v1", data, session_id="s", source_agent="t", timestamp=NOW, cause="c"
    )
    assert plain(client, push(envelope.encode(), VERIFIER_SUBSCRIPTION)).status_code == 204
    assert publisher.messages[0].topic == "verification-results"


class Growing(EventMaker):
    """An agent's handler whose output is longer than any message may be."""

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        envelope.data.content *= 10_000_001
        return await super().__call__(envelope, cause=cause)


def test_what_can_never_be_published_is_dead_lettered_with_its_reason(
    tmp_path: Path, settings: Settings, publisher: InMemoryPublisher
) -> None:
    app = agent_app(
        "ingest_agent",
        expects=("raw_event_v1",),
        handler=Growing(),
        settings=settings,
        store=SqliteStore(tmp_path / "store.db"),
        profile=ingest_profile(),
        publisher=publisher,
    )
    with TestClient(app) as agent:
        sent = raw_event("a")
        assert plain(agent, push(sent)).status_code == 204
        [dead] = publisher.messages
        assert dead.topic == "dead-letters"
        assert json.loads(dead.data) == sent
        assert "what was made of it for events comes to" in dead.attributes["reason"]
        answer = agent.post("/tasks", json=sent)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "unpublishable"
        assert "at most 10000000" in answer.json()["error"]["message"]
