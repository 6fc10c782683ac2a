"""Clocks that jump: leases end when their time has passed, and nothing that is alive expires."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from verifleet.jobs.launcher import LaunchError
from verifleet.jobs.runner_keeper import RunnerKeeper
from verifleet.storage import elapsed
from verifleet.storage.elapsed import Clocks
from verifleet.storage.idempotency import Idempotency
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
JUMPS = [8 * DAY, -HOUR, -3 * HOUR, 3 * HOUR]


class Machine:
    """The clocks of one machine: its wall clock can be set, and it can be booted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set_ahead = timedelta()
        self.ran_us = 5_000_000
        self.boots = 1
        self.clocks = Clocks(wall=self.wall, running=lambda: self.ran_us, boot=lambda: f"boot {self.boots}")
        self._start = elapsed.micros(datetime.now(UTC)) or 0
        self._passed_us = 0
        monkeypatch.setattr("verifleet.storage.idempotency._now", self.now)

    def wall(self) -> int:
        return self._start + self._passed_us + self.set_ahead // timedelta(microseconds=1)

    def now(self) -> datetime:
        moment = elapsed.moment_of(self.wall())
        assert moment is not None
        return moment

    def run(self, seconds: float) -> None:
        self.ran_us += int(seconds * 1e6)
        self._passed_us += int(seconds * 1e6)

    def boot(self, off_for: timedelta) -> None:
        self.boots += 1
        self.ran_us = 1_000_000
        self._passed_us += off_for // timedelta(microseconds=1)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_lease_ends_when_its_time_has_passed_whatever_the_clock_is_set_to(
    tmp_path: Path, machine: Machine, jump: timedelta, restart: bool
) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
        records = Idempotency(store, ttl_s=24 * 3600, lease_s=60)
        assert (await records.start("crashed")).state == "started"
        machine.run(30)
        machine.set_ahead = jump
        if restart:
            await store.close()
            store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
            records = Idempotency(store, ttl_s=24 * 3600, lease_s=60)
        assert (await records.start("crashed")).state == "busy"
        machine.run(31)
        assert (await records.start("crashed")).state == "started"
        await store.close()

    asyncio.run(work())


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_results_and_records_live_as_long_as_they_were_given_whatever_the_clock_is_set_to(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch, jump: timedelta, restart: bool
) -> None:
    monkeypatch.setattr("verifleet.storage.sqlite.PURGE_EVERY_S", 0.0)

    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
        records = Idempotency(store, ttl_s=24 * 3600, lease_s=60)
        await records.complete(await records.start("done"))
        await store.put("result", "r", Document({"n": 1}, ("k",), machine.now(), machine.now() + DAY))
        machine.set_ahead = jump
        if restart:
            await store.close()
            store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
            records = Idempotency(store, ttl_s=24 * 3600, lease_s=60)
        await store.put("result", "later", Document({}, ("k",), machine.now(), machine.now() + DAY))
        machine.run(23 * 3600)
        await store.put("result", "purges", Document({}))
        assert (await records.start("done")).state == "done"
        assert await store.get("result", "r") is not None
        assert {id for id, _ in await store.find("result", ["k"])} == {"r", "later"}
        machine.run(3601)
        assert (await records.start("done")).state == "started"
        assert await store.get_many("result", ["r", "later"]) == {}
        await store.close()

    asyncio.run(work())


def test_what_was_alive_when_the_machine_went_off_is_alive_when_it_is_on_again(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifleet.storage.sqlite.PURGE_EVERY_S", 0.0)

    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
        machine.run(3600)
        await store.put("result", "r", Document({"n": 1}, expires_at=machine.now() + DAY))
        await store.close()
        machine.boot(off_for=8 * DAY)
        store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
        assert (await store.get("result", "r")) == Document({"n": 1}, expires_at=machine.now() + DAY)
        machine.run(24 * 3600 + 1)
        assert await store.get("result", "r") is None
        await store.close()

    asyncio.run(work())


class CountingLauncher:
    """Counts launches; nothing is ever up."""

    near = False

    def __init__(self) -> None:
        self.launched = 0
        self.fails = False

    async def running(self) -> int:
        return 0

    async def launch(self, tasks: int, stay_s: float = 0.0) -> None:
        if self.fails:
            raise LaunchError("no")
        self.launched += 1


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_runner_is_launched_when_the_lease_has_ended_whatever_the_clock_is_set_to(
    tmp_path: Path, machine: Machine, jump: timedelta
) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db", clocks=machine.clocks)
        launcher = CountingLauncher()

        def keeper() -> RunnerKeeper:
            return RunnerKeeper(launcher, store, backlog_per_task=50, max_tasks=10, gather_s=0.0, now=machine.now)

        await keeper().ensure(lambda: 1)
        machine.set_ahead = jump
        await keeper().ensure(lambda: 1)
        assert launcher.launched == 1, "the lease is held"
        machine.run(16)
        await keeper().ensure(lambda: 1)
        assert launcher.launched == 2
        await store.close()

    asyncio.run(work())
