"""The broker over REST, as curl and gcloud speak it, on the same port as gRPC."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.contract.broker_backends import BrokerProcess, clients

TOPIC = "projects/rest/topics/events"
SUBSCRIPTION = "projects/rest/subscriptions/events.agent"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess.ours(tmp_path_factory.mktemp("rest") / "broker.db")
    yield process
    process.stop()


@pytest.fixture
def http(broker: BrokerProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{broker.address}/v1", timeout=30) as client:
        client.put(f"/{TOPIC}")
        client.put(f"/{SUBSCRIPTION}", json={"topic": TOPIC, "ackDeadlineSeconds": 20})
        yield client
        client.delete(f"/{SUBSCRIPTION}")
        client.delete(f"/{TOPIC}")


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["status"]


def test_topics_and_subscriptions_are_made_listed_changed_and_deleted(http: httpx.Client) -> None:
    other = "projects/rest/topics/other"
    assert http.put(f"/{other}", json={"labels": {"a": "b"}}).json()["name"] == other
    assert error(http.put(f"/{other}")) == (409, "ALREADY_EXISTS")
    assert [topic["name"] for topic in http.get("/projects/rest/topics").json()["topics"]] == [TOPIC, other]
    page = http.get("/projects/rest/topics", params={"pageSize": 1}).json()
    assert [topic["name"] for topic in page["topics"]] == [TOPIC]
    rest = http.get("/projects/rest/topics", params={"pageToken": page["nextPageToken"]}).json()
    assert [topic["name"] for topic in rest["topics"]] == [other]
    changed = http.patch(f"/{other}", json={"topic": {"labels": {"c": "d"}}, "updateMask": "labels"})
    assert changed.json()["labels"] == {"c": "d"}
    assert http.get(f"/{TOPIC}/subscriptions").json() == {"subscriptions": [SUBSCRIPTION]}
    assert http.get(f"/{SUBSCRIPTION}").json()["ackDeadlineSeconds"] == 20
    assert len(http.get("/projects/rest/subscriptions").json()["subscriptions"]) == 1
    assert http.delete(f"/{other}").json() == {}
    assert error(http.get(f"/{other}")) == (404, "NOT_FOUND")


def test_messages_go_from_rest_to_grpc_and_back(broker: BrokerProcess, http: httpx.Client) -> None:
    data = base64.b64encode(b"by curl").decode()
    published = http.post(f"/{TOPIC}:publish", json={"messages": [{"data": data, "attributes": {"k": "v"}}]})
    (number,) = published.json()["messageIds"]
    with clients(broker.address) as (publisher, subscriber):
        (received,) = subscriber.pull(subscription=SUBSCRIPTION, max_messages=5).received_messages
        assert (received.message.message_id, received.message.data) == (number, b"by curl")
        subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[received.ack_id])
        publisher.publish(TOPIC, b"by gRPC", k="w").result(timeout=5)
    for _ in range(2):
        (entry,) = http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 5}).json()["receivedMessages"]
        assert base64.b64decode(entry["message"]["data"]) == b"by gRPC"
        assert entry["message"]["attributes"] == {"k": "w"}
        given_back = {"ackIds": [entry["ackId"]], "ackDeadlineSeconds": 0}
        assert http.post(f"/{SUBSCRIPTION}:modifyAckDeadline", json=given_back).json() == {}
    (entry,) = http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 5}).json()["receivedMessages"]
    assert http.post(f"/{SUBSCRIPTION}:acknowledge", json={"ackIds": [entry["ackId"]]}).json() == {}
    empty = http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 5, "returnImmediately": True})
    assert empty.json() == {}


def test_who_waits_for_messages_and_leaves_takes_none(broker: BrokerProcess, http: httpx.Client) -> None:
    with pytest.raises(httpx.ReadTimeout):
        http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 5}, timeout=0.3)
    time.sleep(0.1)
    http.post(f"/{TOPIC}:publish", json={"messages": [{"data": "eA=="}]})
    assert len(http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 5}).json()["receivedMessages"]) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 100_000, 400),
        (b'{"messages": [{"data": 5}]}', 400),
        (b'{"messages": [{"data": "!!e30="}]}', 400),
        (b'{"messages": [{"data": "e30!="}]}', 400),
        (b'{"messages": [{"data": "e"}]}', 400),
        (b'{"messages": [{"data": "eA==", "no such": 1}]}', 400),
        (b'{"messages": [{"attributes": {"a": "\\ud800"}}]}', 400),
        (b'{"messages": []}', 400),
        (b"\xff\xfe", 400),
        (b"", 400),
    ],
)
def test_a_wrong_body_is_a_clients_mistake_in_googles_form(http: httpx.Client, body: bytes, status: int) -> None:
    answer = http.post(f"/{TOPIC}:publish", content=body)
    assert error(answer) == (status, "INVALID_ARGUMENT")
    assert answer.json()["error"]["message"]


def test_a_query_of_too_many_fields_is_answered_and_not_left_waiting(http: httpx.Client) -> None:
    answer = http.get("/projects/p/topics?" + "&".join(f"f{n}=1" for n in range(21)))
    assert error(answer) == (400, "INVALID_ARGUMENT")


def test_what_is_left_out_is_named_and_what_does_not_exist_is_404(http: httpx.Client) -> None:
    for method, path in (("POST", f"/{SUBSCRIPTION}:seek"), ("GET", "/projects/rest/snapshots")):
        answer = http.request(method, path)
        assert error(answer) == (501, "UNIMPLEMENTED")
        assert "Cloud Pub/Sub has it" in answer.json()["error"]["message"]
    assert error(http.get("/nothing")) == (404, "NOT_FOUND")
    assert error(http.post(f"/{TOPIC}:publish", headers={"origin": "https://evil.example"})) == (
        403,
        "PERMISSION_DENIED",
    )


def test_first_bytes_that_come_one_by_one_and_ends_before_them_do_no_harm(broker: BrokerProcess) -> None:
    host, port = broker.address.split(":")
    with socket.create_connection((host, int(port)), timeout=5) as slow:
        for byte in b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n":
            slow.sendall(bytes([byte]))
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
    for start in (b"", b"PRI", b"\0\0\0"):
        with socket.create_connection((host, int(port)), timeout=5) as short:
            short.sendall(start)
    assert httpx.get(f"http://{broker.address}/health").json()["status"] == "ok"


def test_large_messages_pass_in_both_dresses(broker: BrokerProcess, http: httpx.Client) -> None:
    data = os.urandom(3_000_000)
    body = {"messages": [{"data": base64.b64encode(data).decode()}]}
    assert http.post(f"/{TOPIC}:publish", json=body).status_code == 200
    with clients(broker.address) as (publisher, subscriber):
        publisher.publish(TOPIC, data).result(timeout=10)
        (received,) = subscriber.pull(subscription=SUBSCRIPTION, max_messages=1).received_messages
        assert received.message.data == data
        subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[received.ack_id])
    (entry,) = http.post(f"/{SUBSCRIPTION}:pull", json={"maxMessages": 1}).json()["receivedMessages"]
    assert base64.b64decode(entry["message"]["data"]) == data


@pytest.mark.skipif(shutil.which("gcloud") is None, reason="gcloud is not installed")
def test_gcloud_lists_topics_with_its_endpoint_overridden(
    broker: BrokerProcess, http: httpx.Client, tmp_path: Path
) -> None:
    environment = os.environ | {
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB": f"http://{broker.address}/",
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
        "CLOUDSDK_CONFIG": str(tmp_path),
    }
    command = ["gcloud", "pubsub", "topics", "list", "--project=rest", "--format=value(name)"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == [TOPIC], done.stderr


def test_requests_sent_at_once_are_answered_in_their_order_over_one_connection(broker: BrokerProcess) -> None:
    host, port = broker.address.split(":")
    asked = [b"GET /health", b"GET /nothing", b"GET /health"]
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(b"".join(b"%b HTTP/1.1\r\nHost: x\r\n\r\n" % one for one in asked))
        received = b""
        while received.count(b"HTTP/1.1 ") < 3 or not received.endswith(b"}"):
            received += connection.recv(10_000)
    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nno header\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_a_request_beyond_bounds_or_grammar_is_refused_and_its_connection_closed(
    broker: BrokerProcess, request_bytes: bytes
) -> None:
    host, port = broker.address.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(request_bytes)
        received = b""
        while part := connection.recv(10_000):
            received += part
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"INVALID_ARGUMENT" in received
