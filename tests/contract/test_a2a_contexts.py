"""Messages that continue a task, to the product's A2A routes behind the conformance kit's executor."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.contract.a2a_kit_agent import application


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(application(tmp_path), headers={"A2A-Version": "1.0"}) as client:
        yield client


def sent(client: TestClient, message_id: str, binding: str, **message: Any) -> dict[str, Any]:
    """The task in the answer to a message."""
    message |= {"role": "ROLE_USER", "messageId": message_id, "parts": [{"text": "go on"}]}
    if binding == "REST":
        answer = client.post("/a2a/rest/message:send", json={"message": message}).json()
    else:
        call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
        answer = client.post("/a2a/jsonrpc", json=call).json().get("result", {})
    task: dict[str, Any] = answer["task"]
    return task


@pytest.mark.parametrize("binding", ["REST", "JSON-RPC"])
def test_a_message_that_names_only_its_task_is_in_the_tasks_context(client: TestClient, binding: str) -> None:
    task = sent(client, "tck-input-required-1", binding)
    for turn in ("2", "3", "4"):
        later = sent(client, f"tck-input-required-{turn}", binding, taskId=task["id"])
        assert later["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        assert (later["id"], later["contextId"]) == (task["id"], task["contextId"])
    done = sent(client, "tck-complete-task-5", binding, taskId=task["id"])
    assert done["status"]["state"] == "TASK_STATE_COMPLETED"
    assert {message["contextId"] for message in done["history"]} == {task["contextId"]}


def test_a_message_to_a_finished_task_is_refused_and_leaves_nothing_behind(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    task = sent(client, "tck-complete-task-1", "JSON-RPC")
    message = {"role": "ROLE_USER", "messageId": "m-2", "parts": [{"text": "more"}], "taskId": task["id"]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    assert client.post("/a2a/jsonrpc", json=call).json()["error"]["code"] == -32004
    refused = client.post("/a2a/rest/message:send", json={"message": message}).json()["error"]
    assert refused["details"][0]["reason"] == "UNSUPPORTED_OPERATION"
    gc.collect()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
