"""Makes sure that a code runner is up: as a Cloud Run job's execution, or as a process on this machine.

A runner drains many executions, so it is launched for a backlog and never for a single request. A lease in the
Store allows one launch in LAUNCH_LEASE_S over all instances; what is already up counts against what is wanted.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from verifleet.jobs.launcher import JobLauncher, LaunchError
from verifleet.settings import Settings
from verifleet.storage.store import Document, Store

logger = logging.getLogger(__name__)

LAUNCH_LEASE_S = 15.0
LOOK_S = 2.0
"""All instances together ask for what runs once in this time; each knows what the last one found."""
WARM_POLL_S = 1.0
FIRST_LOOK_S = 5.0
"""How long an instance waits for the first look of all, which another has begun."""
STAY_S = 23 * 3600.0
"""How long one of the least stays: Cloud Run ends a task after a day, and it is to leave by itself before."""
LOOKED = "code-runner-looked"
GATHER_S = 0.1
"""A burst is gathered this long before its runners are counted."""
TOLD_EVERY_S = 5.0
"""How often an instance whose own backlog has runners enough tells it to the others, and asks for theirs."""
TOLD_FOR = timedelta(seconds=15)
KEPT_FOR = timedelta(hours=1)
MAX_INSTANCES = 1000


@dataclass(frozen=True, slots=True)
class Warmed:
    """What a call to start runners ahead came to: tasks that are wanted, up or starting by now, launched for it."""

    wanted: int
    running: int
    launched: int


class RunnerKeeper:
    """Launches runners for a backlog, at most once in LAUNCH_LEASE_S over all instances.

    First for what waits at this instance; once there are runners enough for that, for what waits at all of them, which
    they tell each other through the Store. A program can wait at two (its caller's, its watchdog's), so that sum may be
    twice too high, never too low. What runs is told through the Store, too: one instance asks, for all.

    Args:
        backlog_per_task: executions that one runner task is expected to drain.
        max_tasks: tasks at once, at most.
        min_tasks: tasks that are up whether there is work or not, as soon as anybody looks.
    """

    def __init__(
        self,
        launcher: JobLauncher,
        store: Store,
        *,
        backlog_per_task: int,
        max_tasks: int,
        min_tasks: int = 0,
        gather_s: float = GATHER_S,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._launcher = launcher
        self._store = store
        self._backlog_per_task = backlog_per_task
        self._max_tasks = max_tasks
        self._min_tasks = min(min_tasks, max_tasks)
        self._gather_s = gather_s
        self._now = now
        self._holder = str(uuid.uuid4())
        self._under_way: asyncio.Task[None] | None = None
        self._quiet_until = 0.0
        self._tell_at = 0.0

    async def ensure(self, backlog: Callable[[], int]) -> None:
        """Make sure that enough runners are up for `backlog()`; concurrent calls share one look. Raises LaunchError."""
        if self._under_way is None:
            if time.monotonic() < self._quiet_until:
                return
            self._under_way = asyncio.create_task(self._look(backlog))
            self._under_way.add_done_callback(self._looked)
        await asyncio.shield(self._under_way)

    async def warm(self, programs: int, stay_s: float) -> Warmed:
        """Make sure that enough runners are up for so many programs to come, and of the least. Raises LaunchError."""
        wanted = max(self._min_tasks, self.tasks(programs) if programs else 0)
        until = time.monotonic() + self._lease_s + WARM_POLL_S
        while True:
            running = await self._running()
            missing = wanted - running
            if missing <= 0:
                return Warmed(wanted, running, 0)
            if await self._take_lease():
                await self._launch(missing, running, stay_s)
                return Warmed(wanted, running + missing, missing)
            if time.monotonic() >= until:
                raise LaunchError("runners were launched a moment ago, and fewer than are wanted now: ask again")
            await asyncio.sleep(WARM_POLL_S)

    def tasks(self, programs: int) -> int:
        """Runner tasks that so many programs get."""
        return max(1, self._min_tasks, min(self._max_tasks, math.ceil(programs / self._backlog_per_task)))

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._under_way = None
        if not task.cancelled() and task.exception() is not None:
            logger.warning("no runner was launched: %s", task.exception())

    async def _look(self, backlog: Callable[[], int]) -> None:
        await asyncio.sleep(self._gather_s)
        running = await self._running()
        waiting = backlog()
        if running >= self.tasks(waiting):
            waiting = await self._everywhere(waiting)
        missing = self.tasks(waiting) - running
        if missing <= 0:
            self._quiet_until = time.monotonic() + 1.0
            return
        if not await self._take_lease():
            return
        await self._launch(missing, running, 0.0)
        logger.info("launched %d runner task(s) for a backlog of %d", missing, waiting)

    async def _running(self) -> int:
        """Tasks that are up or starting, as one instance found for all within the last LOOK_S. Raises LaunchError."""
        if self._launcher.near:
            return await self._launcher.running()  # a look at a file
        token, look = uuid.uuid4().hex, timedelta(seconds=LOOK_S)
        until = time.monotonic() + FIRST_LOOK_S
        while True:

            def take(present: Document | None) -> Document | None:
                if present is not None and present.age is not None and present.age < look:
                    return None
                before = None if present is None else present.data["tasks"]
                return Document({"tasks": before, "by": token}, expires_at=self._now() + KEPT_FOR)

            stored = await self._store.update("lease", LOOKED, take)
            if stored is None or stored.data["by"] == token:
                running = await self._launcher.running()
                await self._note_running(running, token)
                return running
            if stored.data["tasks"] is not None or time.monotonic() >= until:
                return int(stored.data["tasks"] or 0)
            await asyncio.sleep(self._gather_s)  # the first look of all is under way

    async def _note_running(self, tasks: int, by: str) -> None:
        await self._store.put("lease", LOOKED, Document({"tasks": tasks, "by": by}, expires_at=self._now() + KEPT_FOR))

    async def _launch(self, tasks: int, running: int, stay_s: float) -> None:
        """Launch under the lease that was taken; what is missing of the least stays. Raises LaunchError."""
        staying = min(tasks, max(0, self._min_tasks - running))
        try:
            if staying:
                await self._launcher.launch(staying, STAY_S)
            if tasks > staying:
                await self._launcher.launch(tasks - staying, stay_s)
        except LaunchError:
            await self._store.delete("lease", "code-runner")
            raise
        await self._note_running(running + tasks, self._holder)

    async def _everywhere(self, waiting: int) -> int:
        """What waits at all instances, as far as they told lately; tells them what waits at this one."""
        if self._max_tasks == 1 or time.monotonic() < self._tell_at:
            return waiting
        self._tell_at = time.monotonic() + TOLD_EVERY_S
        now = self._now()
        mine = Document({"executions": waiting}, ("code-runner",), time=now, expires_at=now + TOLD_FOR)
        await self._store.put("backlog", self._holder, mine)
        told = await self._store.find("backlog", ["code-runner"], after=now - TOLD_FOR, limit=MAX_INSTANCES)
        return waiting + sum(int(document.data["executions"]) for holder, document in told if holder != self._holder)

    async def _take_lease(self) -> bool:
        lease = timedelta(seconds=self._lease_s)
        mine = Document({"holder": self._holder, "taken": uuid.uuid4().hex}, expires_at=self._now() + lease + KEPT_FOR)

        def take(present: Document | None) -> Document | None:
            # Its age is counted by the store: a wall clock that was stepped neither ends a lease nor keeps it alive.
            free = present is None or present.age is None or present.age >= lease
            return mine if free else None

        stored = await self._store.update("lease", "code-runner", take)
        return stored is not None and stored.data == mine.data

    @property
    def _lease_s(self) -> float:
        # On this machine a file lock already keeps a second one away.
        return 1.0 if self._launcher.near else LAUNCH_LEASE_S


def make_launcher(settings: Settings) -> JobLauncher:
    """The launcher that the settings ask for: a Cloud Run job, else a local process."""
    if settings.code_runner_job:
        from verifleet.jobs.cloud_run_launcher import CloudRunLauncher

        return CloudRunLauncher(settings.code_runner_job, settings.run_api_endpoint, settings.run_api_timeout_s)
    from verifleet.jobs.local_launcher import LocalLauncher

    return LocalLauncher(settings.data_dir)
