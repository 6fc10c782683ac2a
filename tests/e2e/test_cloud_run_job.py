"""Programs judged by runners that the Admin API starts: the whole way, with the unmodified google-cloud-run client."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.contract.cloud_run_admin import JOB, CloudRunAdmin
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet

BACKLOG_PER_TASK = 100


@pytest.fixture
def admin() -> Iterator[CloudRunAdmin]:
    with CloudRunAdmin([sys.executable, "-m", "verifleet.jobs.code_runner"]) as server:
        yield server


@pytest.fixture
def service(admin: CloudRunAdmin, tmp_path: Path) -> Iterator[httpx.Client]:
    variables = {
        "VERIFLEET_CODE_RUNNER_JOB": JOB,
        "VERIFLEET_RUN_API_ENDPOINT": admin.endpoint,
        "VERIFLEET_RUNNER_BACKLOG_PER_TASK": str(BACKLOG_PER_TASK),
        "VERIFLEET_RUNNER_IDLE_S": "2",
    }
    fleet = Fleet(tmp_path, free_addresses(), variables)
    fleet.members = [member for member in fleet.members if member.name in ("broker", "code_verifier")]
    fleet.start()
    admin.environment = fleet.environment
    try:
        with httpx.Client(base_url=fleet.addresses.url("code_verifier"), timeout=100) as client:
            yield client
    finally:
        fleet.stop()


def request(number: int) -> dict[str, Any]:
    test = f"assert triple({number}) == {3 * number}"
    return {"response": "```python\ndef triple(x): return 3 * x\n```", "reference": {"test_code": test}}


def test_a_request_starts_a_runner_that_judges_it_and_ends_when_idle(
    admin: CloudRunAdmin, service: httpx.Client
) -> None:
    answer = service.post("/verify", json=request(7)).json()
    assert (answer["score"], answer["status"]) == (1.0, "scored")
    assert [execution.task_count for execution in admin.executions] == [1]
    (runner,) = admin.executions[0].processes
    assert runner.wait(30) == 0
    assert admin.executions[0].as_json()["succeededCount"] == 1


def test_a_burst_starts_one_execution_with_a_task_for_each_part_of_it(
    admin: CloudRunAdmin, service: httpx.Client
) -> None:
    requests = [request(number) for number in range(2 * BACKLOG_PER_TASK)]
    answer = service.post("/verify/batch", json={"requests": requests}).json()
    assert [result["score"] for result in answer["results"]] == [1.0] * len(requests)
    assert [execution.task_count for execution in admin.executions] == [2]


def test_a_launch_that_fails_is_tried_again_and_loses_nothing(admin: CloudRunAdmin, service: httpx.Client) -> None:
    admin.fail_with = 503
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(service.post, "/verify", json=request(5))
        time.sleep(1.5)
        assert admin.executions == []
        admin.fail_with = None
        assert answer.result(60).json()["score"] == 1.0
    assert admin.tasks == 1
