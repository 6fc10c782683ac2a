"""Runners are as many as the programs that wait at all instances of code_verifier need, not those at one."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.contract.cloud_run_admin import JOB, CloudRunAdmin
from verifleet.jobs.cloud_run_launcher import CloudRunLauncher
from verifleet.jobs.runner_keeper import LAUNCH_LEASE_S, TOLD_EVERY_S, RunnerKeeper
from verifleet.storage.elapsed import Clocks
from verifleet.storage.sqlite import SqliteStore


class Fleet:
    """Instances of code_verifier on one Store, and the time that they share."""

    def __init__(self, admin: CloudRunAdmin, folder: Path, instances: int, max_tasks: int) -> None:
        self.now = datetime.now(UTC)
        self.admin = admin
        began = self.now
        clocks = Clocks(running=lambda: (self.now - began) // timedelta(microseconds=1))
        store = SqliteStore(folder / "store.db", clocks=clocks)
        launcher = CloudRunLauncher(JOB, admin.endpoint)
        self.keepers = [
            RunnerKeeper(launcher, store, backlog_per_task=50, max_tasks=max_tasks, gather_s=0.0, now=lambda: self.now)
            for _ in range(instances)
        ]

    def look(self, times: int, waiting: int) -> None:
        """Every so often, each instance looks after its own `waiting` programs."""
        for _ in range(times):
            for keeper in self.keepers:
                asyncio.run(keeper.ensure(lambda: waiting))
                keeper._quiet_until = keeper._tell_at = 0.0
            self.now += timedelta(seconds=TOLD_EVERY_S)


@pytest.fixture
def admin() -> Iterator[CloudRunAdmin]:
    with CloudRunAdmin() as server:
        yield server


def test_a_burst_over_many_instances_gets_the_runners_that_it_needs_in_two_launches(
    admin: CloudRunAdmin, tmp_path: Path
) -> None:
    fleet = Fleet(admin, tmp_path, instances=8, max_tasks=100)
    fleet.look(8, waiting=200)
    # Four for the first instance's own at once; a lease later 8 * 200 / 50 in all, however often they look.
    assert [execution.task_count for execution in admin.executions] == [4, 28]


def test_no_more_than_the_installation_allows(admin: CloudRunAdmin, tmp_path: Path) -> None:
    fleet = Fleet(admin, tmp_path, instances=8, max_tasks=10)
    fleet.look(8, waiting=200)
    assert admin.tasks == 10


def test_what_an_instance_told_long_ago_no_longer_counts(admin: CloudRunAdmin, tmp_path: Path) -> None:
    fleet = Fleet(admin, tmp_path, instances=2, max_tasks=100)
    fleet.look(1, waiting=200)
    gone = fleet.keepers.pop()
    assert gone
    fleet.now += timedelta(seconds=LAUNCH_LEASE_S)
    fleet.look(4, waiting=200)
    assert admin.tasks == 4
