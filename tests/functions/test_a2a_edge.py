"""The agents' A2A routes against odd texts, deep values, clients' mistakes, and a store or a broker that is away."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import logging
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import ListTasksRequest, Task
from google.protobuf.json_format import ParseDict
from starlette.testclient import TestClient

from tests.functions.a2a_agents import AGENTS, RootLogs, agent
from verifleet.errors import PublishError
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.a2a_tasks import MAX_TASK_BYTES, StoreTaskStore
from verifleet.serving.a2a_values import carried, carried_text, plain, plain_json, plain_text
from verifleet.storage import sqlite
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document

ODD = "Fire \ud800 in Leeds \udfff \x00 \U0010fffd \U0010fffd\U0010f000 🔥"
NEW, OLD = {"A2A-Version": "1.0"}, {"A2A-Version": "0.3"}
JSON = {"Content-Type": "application/json"}


class SomePublisher(InMemoryPublisher):
    away = False

    async def publish(self, topic: str, envelope: Any) -> None:
        if self.away:
            raise PublishError("the broker does not answer")
        await super().publish(topic, envelope)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "store.db")


@pytest.fixture
def publisher() -> SomePublisher:
    return SomePublisher()


@pytest.fixture
def client(store: SqliteStore, publisher: SomePublisher) -> Iterator[TestClient]:
    with TestClient(agent("ingest_agent", store, publisher)) as client:
        yield client


def message(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": "ROLE_USER", "messageId": uuid.uuid4().hex, "parts": list(parts), **fields}


def old_message(**fields: Any) -> dict[str, Any]:
    parts = [{"kind": "text", "text": "Fire in Leeds"}]
    return {"kind": "message", "role": "user", "messageId": uuid.uuid4().hex, "parts": parts, **fields}


def old_rest_message(**fields: Any) -> dict[str, Any]:
    content = [{"text": "Fire in Leeds"}]
    return {"request": {"role": "ROLE_USER", "messageId": uuid.uuid4().hex, "content": content, **fields}}


def posted(client: TestClient, path: str, value: Any, version: dict[str, str] = NEW) -> httpx.Response:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return client.post(f"/a2a/{path}", content=body, headers=JSON | version)


def call(method: str, params: Any, id: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def events_of(task: dict[str, Any]) -> list[dict[str, Any]]:
    """The data of the events in the answer of a completed task."""
    result = task["artifacts"][0]["parts"][0]["data"]["payload"]["data"]["result"]
    return [envelope["payload"]["data"] for envelope in (result if isinstance(result, list) else [result])]


# --- any text survives ---------------------------------------------------------


@pytest.mark.parametrize("text", ["", "a", ODD, "\U0010fffd", "\U0010f800", "\ud83d", "é\ude00"])
def test_any_text_comes_back_as_it_was_carried(text: str) -> None:
    sent = carried_text(text)
    assert plain_text(sent) == text
    assert json.loads(plain_json(json.dumps([sent], ensure_ascii=False).encode())) == [text]
    assert plain(carried({text: [text, 3.0, None]})) == {text: [text, 3, None]}


def test_any_text_as_content_is_judged_and_comes_back_in_every_binding(client: TestClient) -> None:
    report = {"content": ODD, "location": ODD, "metadata": {"author": ODD, "x": {ODD: ODD}}}
    sent = message({"data": report}, metadata={ODD: ODD})
    rest = posted(client, "rest/message:send", {"message": sent}).json()["task"]
    rpc = posted(client, "jsonrpc", call("SendMessage", {"message": sent}, id=ODD)).json()
    old = old_message(parts=[{"kind": "data", "data": report}])
    rpc_old = posted(client, "jsonrpc", call("message/send", {"message": old}, id=ODD), OLD).json()
    assert (rpc["id"], rpc_old["id"]) == (ODD, ODD)
    rest_old = old_rest_message(content=[{"data": {"data": report}}])
    rest_old = posted(client, "rest/v1/message:send", rest_old, OLD).json()["task"]
    rest_old["artifacts"][0]["parts"][0] = rest_old["artifacts"][0]["parts"][0]["data"]
    kept = client.get(f"/a2a/rest/tasks/{rest['id']}", headers=NEW).json()
    for task in (rest, rpc["result"]["task"], rpc_old["result"], rest_old, kept):
        (event,) = events_of(task)
        assert (event["metadata"]["author"], event["metadata"]["x"]) == (ODD, {ODD: ODD}), task
    assert kept["history"][0]["metadata"] == {ODD: ODD}


def test_any_text_survives_a_stream(client: TestClient) -> None:
    report = {"content": ODD, "metadata": {"author": ODD}}
    answer = posted(client, "rest/message:stream", {"message": message({"data": report})})
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    (artifact,) = [event["artifactUpdate"]["artifact"] for event in events if "artifactUpdate" in event]
    assert events_of({"artifacts": [artifact]})[0]["metadata"]["author"] == ODD


@pytest.mark.parametrize(
    ("path", "headers", "media_type"),
    [
        ("rest/message:send", {}, "application/json"),
        ("rest/message:send", {"Accept": "application/json, text/event-stream"}, "application/json"),
        ("rest/message:send", {"Accept": "application/a2a+json"}, "application/a2a+json"),
        ("rest/message:send", {"Content-Type": "Application/A2A+JSON; charset=utf-8"}, "application/a2a+json"),
        ("jsonrpc", {"Accept": "application/a2a+json"}, "application/json"),
    ],
)
def test_an_answer_over_rest_is_in_the_protocols_media_type_for_who_names_it(
    client: TestClient, path: str, headers: dict[str, str], media_type: str
) -> None:
    params = {"message": message({"text": "Fire in Leeds"})}
    answer = posted(client, path, call("SendMessage", params) if path == "jsonrpc" else params, NEW | headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert "task" in answer.json().get("result", answer.json())


# --- what can't be read is refused by its protocol ------------------------------


UNREADABLE = {
    "invalid UTF-8": b'{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "\xff"}}',
    "surrogates in UTF-8": b'{"message": {"parts": [{"text": "\xed\xa0\x80"}]}}',
    "NaN": b'{"id": 1, "params": NaN}',
    "huge number": b'{"id": 1e999}',
    "many digits": b'{"id": ' + b"9" * 5000 + b"}",
    "twice": b'{"id": 1, "id": 2}',
    "deep": b"[" * 100_000,
    "not JSON": b"{",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_not_json_is_refused_by_its_protocol(client: TestClient, name: str) -> None:
    for version in (NEW, OLD):
        answer = posted(client, "jsonrpc", UNREADABLE[name], version)
        assert (answer.status_code, answer.json()["id"], answer.json()["error"]["code"]) == (200, None, -32700)
    for path in ("rest/message:send", "rest/message:stream", "rest/v1/message:send", "rest/v1/message:stream"):
        answer = posted(client, path, UNREADABLE[name], OLD if "v1" in path else NEW)
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT"), path


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("data", [{"content": "Fire", "a": nested(60)}, {"content": "Fire", "a": 10**400}])
def test_what_can_not_be_carried_is_refused_with_the_callers_id(client: TestClient, data: Any) -> None:
    sent = {"message": message({"data": data})}
    error = posted(client, "jsonrpc", call("SendMessage", sent, id="x")).json()
    assert (error["id"], error["error"]["code"]) == ("x", -32602)
    for path in ("rest/message:send", "rest/message:stream"):
        assert posted(client, path, sent).status_code == 400


@pytest.mark.parametrize("name", AGENTS)
def test_the_deepest_body_that_is_taken_is_answered(name: str, store: SqliteStore, publisher: SomePublisher) -> None:
    event = {"event_id": "e", "source": "news", "content": "Fire in Leeds", "location": "Leeds", "event_type": "fire"}
    event["timestamp"] = "2026-03-01T10:00:00Z"

    def data(depth: int) -> dict[str, Any]:
        deep = {"author": "a", "extra": nested(depth)}
        if name == "ingest_agent":
            return {"content": "Fire in Leeds", "metadata": deep}
        schema, kind, inner = "event_v1", "event", event | {"metadata": deep}
        if name == "summarizer_agent":
            judged = {"event_id": "e", "reliability_score": 1.0, "unverified": False, "verified_claims": []}
            schema, kind = "verified_event_v1", "verified_event"
            inner = judged | {"verification_timestamp": event["timestamp"], "original_event": inner}
        envelope = {"schema": schema, "session_id": "s", "timestamp": event["timestamp"], "source_agent": "t"}
        return envelope | {"payload": {"type": kind, "data": inner}}

    with TestClient(agent(name, store, publisher)) as client:
        taken = 0
        for depth in range(12, 30):
            answer = posted(client, "rest/message:send", {"message": message({"data": data(depth)})})
            assert answer.status_code in (200, 400), answer.text
            if answer.status_code == 200:
                taken = depth
                task = answer.json()["task"]
                assert task["status"]["state"] == "TASK_STATE_COMPLETED"
                assert client.get(f"/a2a/rest/tasks/{task['id']}", headers=NEW).status_code == 200
                as_old = posted(client, "jsonrpc", call("tasks/get", {"id": task["id"]}), OLD).json()
                assert as_old["result"]["status"]["state"] == "completed"
        assert 12 < taken < 29


def test_an_answer_deeper_than_protobuf_carries_is_a_json_text(client: TestClient) -> None:
    text = json.dumps({"content": "Fire in Leeds", "metadata": {"extra": nested(150)}})
    task = posted(client, "rest/message:send", {"message": message({"text": text})}).json()["task"]
    (part,) = task["artifacts"][0]["parts"]
    assert part["mediaType"] == "application/json"
    assert json.loads(part["text"])["payload"]["data"]["result"]["payload"]["data"]["content"] == "Fire in Leeds"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("tasks/%ED%A0%80", 404),
        ("tasks/" + "x" * 5_000, 404),
        ("tasks/x?historyLength=abc", 400),
        ("v1/tasks/x?historyLength=abc", 400),
        ("v1/tasks/x?historyLength=" + "9" * 5_000, 400),
        ("tasks?pageToken=" + "W1tb" * 2_000, 400),
        ("tasks?pageToken=" + "W1tb" * 50, 400),
        ("tasks?pageToken=%ff", 400),
        ("tasks?statusTimestampAfter=10000-01-01T00:00:00Z", 400),
        ("tasks?contextId=" + "x" * 5_000, 200),
        ("tasks?pageSize=2147483648", 400),
    ],
)
def test_hostile_paths_and_queries_are_refused_or_find_nothing(client: TestClient, path: str, status: int) -> None:
    version = OLD if path.startswith("v1") else NEW
    assert client.get(f"/a2a/rest/{path}", headers=version).status_code == status


def test_what_the_edge_says_of_a_body_is_said_over_a2a_too(client: TestClient) -> None:
    body = json.dumps({"message": message({"text": "Fire in Leeds"})}).encode()
    for coding, content, status in (("gzip", gzip.compress(body), 200), ("br", body, 415), ("gzip", body, 400)):
        headers = JSON | NEW | {"Content-Encoding": coding}
        for path in ("rest/message:send", "jsonrpc") if status != 200 else ("rest/message:send",):
            assert client.post(f"/a2a/{path}", content=content, headers=headers).status_code == status, (coding, path)


# --- streams ---------------------------------------------------------------------


def test_a_clients_mistake_in_a_stream_of_0_3_is_an_error_before_it_begins(client: TestClient) -> None:
    task = posted(client, "rest/v1/message:send", old_rest_message(), OLD).json()["task"]["id"]
    stream = "rest/v1/message:stream"
    wrong = [
        (posted(client, stream, old_rest_message(content=[]), OLD), 400),
        (posted(client, stream, old_rest_message(taskId=task), OLD), 400),
        (posted(client, stream, old_rest_message(taskId="unknown"), OLD), 404),
        (posted(client, stream, old_rest_message(content=[{"text": 5}]), OLD), 400),
        (posted(client, stream, old_rest_message(content=[{}]), OLD), 400),
        (posted(client, stream, b"{", OLD), 400),
        (posted(client, f"rest/v1/tasks/{task}:subscribe", b"", OLD), 400),
        (client.get("/a2a/rest/v1/tasks/unknown:subscribe", headers=OLD), 404),
        (posted(client, stream, {"message": message({"text": "a"}, taskId=task)}, {"A2A-Version": "9"}), 400),
    ]
    for answer, status in wrong:
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, status), answer.text
    good = posted(client, stream, old_rest_message(), OLD)
    assert (good.status_code, good.headers["content-type"].split(";")[0]) == (200, "text/event-stream")
    assert "TASK_STATE_COMPLETED" in good.text


STREAMS = {
    "JSON-RPC 1.0": ("jsonrpc", lambda: call("SendStreamingMessage", {"message": message({"text": "Fire"})}), NEW),
    "JSON-RPC 0.3": ("jsonrpc", lambda: call("message/stream", {"message": old_message()}), OLD),
    "REST 1.0": ("rest/message:stream", lambda: {"message": message({"text": "Fire"})}, NEW),
    "REST 0.3": ("rest/v1/message:stream", old_rest_message, OLD),
}


@pytest.mark.parametrize("name", STREAMS)
def test_what_fails_after_a_stream_has_begun_is_its_last_event(
    client: TestClient, publisher: SomePublisher, name: str
) -> None:
    path, body, version = STREAMS[name]
    publisher.away = True
    answer = posted(client, path, body(), version)
    assert answer.status_code == 200
    *before, last = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    assert before
    assert "try again" in last["error"]["message"]


# --- a store or a broker that is away ----------------------------------------------


def requests_of(task: str) -> dict[str, tuple[str, str, Any, dict[str, str]]]:
    sent = {"message": message({"text": "Fire in Leeds"})}
    return {
        "send": ("POST", "jsonrpc", call("SendMessage", sent), NEW),
        "stream": ("POST", "jsonrpc", call("SendStreamingMessage", sent), NEW),
        "get": ("POST", "jsonrpc", call("GetTask", {"id": task}), NEW),
        "list": ("POST", "jsonrpc", call("ListTasks", {}), NEW),
        "cancel": ("POST", "jsonrpc", call("CancelTask", {"id": task}), NEW),
        "subscribe": ("POST", "jsonrpc", call("SubscribeToTask", {"id": task}), NEW),
        "send 0.3": ("POST", "jsonrpc", call("message/send", {"message": old_message()}), OLD),
        "stream 0.3": ("POST", "jsonrpc", call("message/stream", {"message": old_message()}), OLD),
        "get 0.3": ("POST", "jsonrpc", call("tasks/get", {"id": task}), OLD),
        "cancel 0.3": ("POST", "jsonrpc", call("tasks/cancel", {"id": task}), OLD),
        "subscribe 0.3": ("POST", "jsonrpc", call("tasks/resubscribe", {"id": task}), OLD),
        "rest send": ("POST", "rest/message:send", sent, NEW),
        "rest stream": ("POST", "rest/message:stream", sent, NEW),
        "rest get": ("GET", f"rest/tasks/{task}", None, NEW),
        "rest list": ("GET", "rest/tasks", None, NEW),
        "rest cancel": ("POST", f"rest/tasks/{task}:cancel", {}, NEW),
        "rest subscribe": ("GET", f"rest/tasks/{task}:subscribe", None, NEW),
        "rest send 0.3": ("POST", "rest/v1/message:send", old_rest_message(), OLD),
        "rest stream 0.3": ("POST", "rest/v1/message:stream", old_rest_message(), OLD),
        "rest get 0.3": ("GET", f"rest/v1/tasks/{task}", None, OLD),
        "rest cancel 0.3": ("POST", f"rest/v1/tasks/{task}:cancel", {}, OLD),
        "rest subscribe 0.3": ("GET", f"rest/v1/tasks/{task}:subscribe", None, OLD),
    }


def is_unavailable(answer: httpx.Response, what: str) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.headers["retry-after"] == "1"
    error = answer.json()["error"]
    assert error["code"] == (-32603 if "jsonrpc" in str(answer.url) else 503)
    assert what in error["message"]


@pytest.mark.parametrize("name", requests_of("t"))
def test_a_store_that_is_away_is_503_on_every_route_until_it_is_back(
    client: TestClient, tmp_path: Path, name: str, logs: RootLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOOK_AGAIN_S", 0.0)  # else what is asked within 10 ms is still read
    task = posted(client, "rest/message:send", {"message": message({"text": "Fire"})}).json()["task"]["id"]
    method, path, body, version = requests_of(task)[name]
    content = None if body is None else json.dumps(body).encode()
    kept, away = tmp_path / "store.db", tmp_path / "elsewhere.db"
    kept.rename(away)
    is_unavailable(client.request(method, f"/a2a/{path}", content=content, headers=JSON | version), "the store")
    gc.collect()
    assert [record for record in logs.records if record.exc_info] == []
    away.rename(kept)
    assert client.request(method, f"/a2a/{path}", content=content, headers=JSON | version).status_code < 500


@pytest.mark.parametrize("name", [name for name in requests_of("t") if "send" in name])
def test_what_can_not_be_published_is_503_and_is_published_when_it_is_sent_again(
    client: TestClient, publisher: SomePublisher, name: str
) -> None:
    method, path, body, version = requests_of("t")[name]
    publisher.away = True
    content = json.dumps(body).encode()
    is_unavailable(client.request(method, f"/a2a/{path}", content=content, headers=JSON | version), "the broker")
    publisher.away = False
    assert client.request(method, f"/a2a/{path}", content=content, headers=JSON | version).status_code == 200
    assert len(publisher.to("events")) == 1


# --- sessions -------------------------------------------------------------------


def test_each_part_is_a_report_in_its_own_session(client: TestClient, publisher: SomePublisher) -> None:
    own = {"data": {"content": "Quake", "session_id": "of data"}, "metadata": {"session_id": "of part"}}
    parts = ({"text": "Fire in Leeds", "metadata": {"session_id": "of part"}}, {"text": "Flood in Rome"}, own)
    for fields in ({"metadata": {"session_id": "of message"}, "contextId": "of context"}, {"contextId": "of context"}):
        posted(client, "rest/message:send", {"message": message(*parts, **fields)})
    sessions = [json.loads(published.data)["session_id"] for published in publisher.to("events")]
    assert sessions == ["of part", "of message", "of data", "of part", "of context", "of data"]


def test_a_wrong_report_among_several_names_its_part(client: TestClient, publisher: SomePublisher) -> None:
    wrong = {"text": "Flood", "metadata": {"session_id": 5}}
    task = posted(client, "rest/message:send", {"message": message({"text": "Fire"}, wrong)}).json()["task"]
    assert "message.parts.1.metadata.session_id" in json.dumps(task["artifacts"])
    wrong = {"data": {"content": 5}}
    task = posted(client, "rest/message:send", {"message": message({"text": "Fire"}, wrong)}).json()["task"]
    assert "message.parts.1.payload.data.content" in json.dumps(task["artifacts"])
    assert not publisher.to("events")


# --- logs ------------------------------------------------------------------------


def test_clients_mistakes_are_warnings_without_what_they_sent(client: TestClient, logs: RootLogs) -> None:
    secret = "secret-of-a-client"
    mistakes: list[tuple[str, Any, dict[str, str]]] = [
        ("jsonrpc", call("SendMessage", {"message": {"role": secret, "parts": secret}}), NEW),
        ("jsonrpc", call("SendMessage", {"message": message({"text": 5, "raw": secret}, taskId=secret)}), NEW),
        ("jsonrpc", call("GetTask", {"id": secret}), NEW),
        ("jsonrpc", call(secret, {}), NEW),
        ("jsonrpc", {"jsonrpc": secret, "method": 5}, NEW),
        ("jsonrpc", call("message/send", {"message": {"parts": [secret]}}), OLD),
        ("jsonrpc", secret.encode(), NEW),
        ("jsonrpc", call("GetTask", {"id": secret}), {"A2A-Version": secret}),
        ("rest/message:send", {"message": {"parts": secret, "role": secret}}, NEW),
        ("rest/message:stream", {"message": {"parts": []}}, NEW),
        ("rest/v1/message:send", {"request": {"content": secret}}, OLD),
        ("rest/v1/message:stream", old_rest_message(taskId=secret), OLD),
        (f"rest/tasks/{secret}:cancel", {}, NEW),
        (f"rest/tasks/{secret}:subscribe", {}, NEW),
    ]
    for path, body, version in mistakes:
        logs.records.clear()
        posted(client, path, body, version)
        assert [record.levelname for record in logs.above(logging.WARNING)] == ["WARNING"], (path, body)
        ours = [record for record in logs.records if not record.name.startswith("httpx")]  # the test's own client
        assert secret not in " ".join(record.getMessage() + str(record.exc_info) for record in ours), (path, body)
    text = client.get("/metrics").text
    assert 'agent_requests_total{function="ingest_agent",operation="a2a",outcome="rejected"}' in text


def test_a_defect_of_ours_is_one_error_with_its_stack(
    client: TestClient, store: SqliteStore, logs: RootLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def defect(*_: Any) -> Any:
        raise RuntimeError("a defect")

    monkeypatch.setattr(store, "get", defect)
    for path, body in (("jsonrpc", call("GetTask", {"id": "t"})), ("rest/tasks/t:cancel", {})):
        logs.records.clear()
        answer = posted(client, path, body)
        code = answer.json()["error"]["code"]
        assert (answer.status_code, code) in ((200, -32603), (500, 500))
        (error,) = logs.above(logging.WARNING)
        assert error.levelname == "ERROR"
        assert error.exc_info


# --- bounds ------------------------------------------------------------------------


def test_what_is_kept_of_a_task_is_bounded_and_its_answer_is_not(client: TestClient, store: SqliteStore) -> None:
    author = "x" * 600_000
    report = {"data": {"content": "Fire in Leeds", "metadata": {"author": author}}}
    task = posted(client, "rest/message:send", {"message": message(report)}).json()["task"]
    assert events_of(task)[0]["metadata"]["author"] == author
    kept = client.get(f"/a2a/rest/tasks/{task['id']}", headers=NEW)
    assert kept.json()["status"]["state"] == "TASK_STATE_COMPLETED"
    assert len(kept.content) < MAX_TASK_BYTES
    assert "came with the response" in kept.text


def test_ids_longer_than_any_of_ours_are_refused(client: TestClient) -> None:
    for name in ("contextId", "messageId", "taskId"):
        sent = {"message": message({"text": "Fire"}) | {name: "x" * 1_000}}
        assert posted(client, "rest/message:send", sent).status_code == 400 if name != "taskId" else 404
        assert posted(client, "jsonrpc", call("SendMessage", sent)).json()["error"]["code"] in (-32602, -32001)


def test_listing_many_big_tasks_reads_a_few_at_a_time(tmp_path: Path) -> None:
    largest = 0

    class Watched(SqliteStore):
        async def find(self, kind: str, keys: Any, **window: Any) -> list[tuple[str, Document]]:
            nonlocal largest
            found = await super().find(kind, keys, **window)
            largest = max(largest, len(found))
            return found

    async def listed() -> tuple[list[str], int]:
        tasks, context = StoreTaskStore(Watched(tmp_path / "store.db"), "agent"), ServerCallContext()
        for number in range(230):
            status = {
                "state": "TASK_STATE_COMPLETED",
                "timestamp": f"2026-03-01T10:{number // 60:02}:{number % 60:02}Z",
            }
            history = [{"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "x" * 1000}]}]
            data = {"id": f"t-{number:03}", "contextId": "c", "status": status, "history": history}
            await tasks.save(ParseDict(data, Task()), context)
        seen: list[str] = []
        token = ""
        while True:
            page = await tasks.list(ListTasksRequest(page_size=100, page_token=token, context_id="c"), context)
            assert all(len(task.history) == 1 for task in page.tasks)
            seen += [task.id for task in page.tasks]
            token = page.next_page_token
            if not token:
                return seen, page.total_size

    seen, total = asyncio.run(listed())
    assert seen == [f"t-{number:03}" for number in reversed(range(230))]
    assert total == 230
    assert largest <= 50


def test_a_body_of_very_many_values_is_too_large(client: TestClient) -> None:
    started = time.monotonic()
    answer = posted(client, "rest/message:send", {"message": message({"data": [0] * 200_000})})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert time.monotonic() - started < 60
