"""The launcher against the Admin API's REST protocol, through the unmodified google-cloud-run client."""

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contract.away import hanging_server, refusing_server
from tests.contract.cloud_run_admin import JOB, CloudRunAdmin, Execution
from verifleet.jobs.cloud_run_launcher import CloudRunLauncher
from verifleet.jobs.launcher import LaunchError
from verifleet.jobs.runner_keeper import RunnerKeeper, Warmed
from verifleet.messaging.topology import CLOUD_TIMING, LOCAL_TIMING
from verifleet.settings import Settings
from verifleet.storage.elapsed import Clocks
from verifleet.storage.sqlite import SqliteStore


def in_event_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


@pytest.fixture
def admin() -> Iterator[CloudRunAdmin]:
    with CloudRunAdmin() as server:
        yield server


class Clock:
    def __init__(self) -> None:
        self.began = self.time = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    def running(self) -> int:
        return (self.time - self.began) // timedelta(microseconds=1)


def keeper(admin: CloudRunAdmin, folder: Path, clock: Clock | None = None, min_tasks: int = 0) -> RunnerKeeper:
    clock = clock or Clock()
    launcher = CloudRunLauncher(JOB, admin.endpoint)
    store = SqliteStore(folder / "store.db", clocks=Clocks(running=clock.running))
    return RunnerKeeper(
        launcher, store, backlog_per_task=50, max_tasks=10, min_tasks=min_tasks, gather_s=0.05, now=clock
    )


@in_event_loop
async def test_a_burst_of_500_starts_the_right_number_of_tasks_in_one_execution(
    admin: CloudRunAdmin, tmp_path: Path
) -> None:
    keep = keeper(admin, tmp_path)
    waiting = 0

    async def request() -> None:
        nonlocal waiting
        waiting += 1
        await keep.ensure(lambda: waiting)

    await asyncio.gather(*(request() for _ in range(500)))
    assert len(admin.executions) == 1
    assert admin.tasks == 10


@in_event_loop
async def test_many_instances_launch_once_between_them(admin: CloudRunAdmin, tmp_path: Path) -> None:
    instances = [keeper(admin, tmp_path) for _ in range(8)]
    await asyncio.gather(*(instance.ensure(lambda: 40) for instance in instances))
    assert admin.tasks == 1


@in_event_loop
async def test_what_runs_counts_against_what_is_wanted(admin: CloudRunAdmin, tmp_path: Path) -> None:
    clock = Clock()
    keep = keeper(admin, tmp_path, clock)
    await keep.ensure(lambda: 100)
    keep._quiet_until = 0.0
    clock.pass_(20)
    await keep.ensure(lambda: 400)
    assert [execution.task_count for execution in admin.executions] == [2, 6]
    clock.pass_(20)
    keep._quiet_until = 0.0
    await keep.ensure(lambda: 400)
    assert len(admin.executions) == 2


@in_event_loop
async def test_all_instances_together_look_once_in_two_seconds(admin: CloudRunAdmin, tmp_path: Path) -> None:
    clock = Clock()
    instances = [keeper(admin, tmp_path, clock) for _ in range(8)]

    async def ask() -> None:
        for instance in instances:
            instance._quiet_until = 0.0
        await asyncio.gather(*(instance.ensure(lambda: 400) for instance in instances))

    await ask()
    await ask()
    clock.pass_(1.9)
    await ask()
    assert (len(admin.looks), admin.tasks) == (1, 8)
    clock.pass_(0.2)
    await ask()
    assert len(admin.looks) == 2


@in_event_loop
async def test_a_look_goes_through_the_pages_and_no_further_than_to_what_may_run_still(admin: CloudRunAdmin) -> None:
    now = datetime.now(UTC)
    for number in range(950):
        ended = number not in (0, 150)
        admin.executions.append(Execution(f"e-{number}", 3, now - timedelta(hours=number), ended=ended))
    assert await CloudRunLauncher(JOB, admin.endpoint).running() == 6
    assert len(admin.looks) == 3  # of ten: an execution ends within five days


@in_event_loop
async def test_runners_are_started_ahead_and_stay_for_what_is_to_come(admin: CloudRunAdmin, tmp_path: Path) -> None:
    clock = Clock()
    keep = keeper(admin, tmp_path, clock)
    assert await keep.warm(400, 300) == Warmed(8, 8, 8)
    assert await keep.warm(400, 300) == Warmed(8, 8, 0)
    staying = {"taskCount": 8, "containerOverrides": [{"args": ["--stay", "300"]}]}
    assert [dict(one) for one in admin.overrides] == [staying]
    await keep.ensure(lambda: 400)
    assert admin.tasks == 8


@in_event_loop
async def test_the_least_is_up_without_work_and_stays_for_a_day(admin: CloudRunAdmin, tmp_path: Path) -> None:
    clock = Clock()
    keep = keeper(admin, tmp_path, clock, min_tasks=2)
    assert await keep.warm(0, 300) == Warmed(2, 2, 2)
    assert [one["containerOverrides"][0]["args"] for one in admin.overrides] == [["--stay", "82800"]]
    clock.pass_(20)
    await keep.ensure(lambda: 200)
    assert [execution.task_count for execution in admin.executions] == [2, 2]
    assert "containerOverrides" not in admin.overrides[1]
    admin.executions[0].ended = admin.executions[1].ended = True
    clock.pass_(20)
    keep._quiet_until = 0.0
    await keep.ensure(lambda: 0)
    assert [execution.task_count for execution in admin.executions] == [2, 2, 2]


@in_event_loop
async def test_the_lease_allows_one_launch_in_fifteen_seconds(admin: CloudRunAdmin, tmp_path: Path) -> None:
    clock = Clock()
    keep = keeper(admin, tmp_path, clock)
    await keep.ensure(lambda: 1)
    admin.executions[0].ended = True
    clock.pass_(12)
    await keep.ensure(lambda: 1)
    assert len(admin.executions) == 1
    clock.pass_(4)
    await keep.ensure(lambda: 1)
    assert len(admin.executions) == 2


@in_event_loop
async def test_a_failed_launch_is_reported_and_leaves_the_lease_free(admin: CloudRunAdmin, tmp_path: Path) -> None:
    keep = keeper(admin, tmp_path)
    admin.fail_with = 429
    with pytest.raises(LaunchError, match="can't be run"):
        await keep.ensure(lambda: 1)
    admin.fail_with = None
    await keep.ensure(lambda: 1)
    assert admin.tasks == 1


@pytest.mark.parametrize("server", [hanging_server, refusing_server])
@in_event_loop
async def test_an_admin_api_that_is_away_is_told_within_its_limit(
    server: Callable[[], AbstractContextManager[str]],
) -> None:
    with server() as address:
        launcher = CloudRunLauncher(JOB, f"http://{address}", timeout_s=0.5)
        for call in (launcher.running(), launcher.launch(1)):
            started = time.monotonic()
            with pytest.raises(LaunchError, match="can't be"):
                await call
            assert time.monotonic() - started < 5.0


@pytest.mark.parametrize(("timing", "lease_s"), [(CLOUD_TIMING, 120.0), (LOCAL_TIMING, 30.0)])
def test_a_subscription_retries_longer_than_three_leases(timing: object, lease_s: float) -> None:
    assert timing.total_backoff_s() > 3 * lease_s  # type: ignore[attr-defined]
    assert lease_s >= Settings().ack_deadline_s or timing is LOCAL_TIMING
