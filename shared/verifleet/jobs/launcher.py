"""Makes sure that a code runner is up: as a Cloud Run job's execution, or as a process on this machine.

A runner drains many executions, so it is launched for a backlog and never for a single request. A lease in the
Store allows one launch in LAUNCH_LEASE_S over all instances; what is already up counts against what is wanted.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import math
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, TypeVar

from verifleet.errors import TransientError
from verifleet.jobs.lifeline import PARENT_VARIABLE
from verifleet.settings import Settings
from verifleet.storage.store import Document, Store

logger = logging.getLogger(__name__)

T = TypeVar("T")

LAUNCH_LEASE_S = 15.0
LOOK_S = 2.0
"""All instances together ask for what runs once in this time; each knows what the last one found."""
PAGE = 100
MAX_PAGES = 20
LONGEST_S = 5 * 24 * 3600.0
"""Above what an execution can take: its tasks end after a day, and are tried four times."""
WARM_POLL_S = 1.0
FIRST_LOOK_S = 5.0
"""How long an instance waits for the first look of all, which another has begun."""
STAY_S = 23 * 3600.0
"""How long one of the least stays: Cloud Run ends a task after a day, and it is to leave by itself before."""
LOOKED = "code-runner-looked"
ADMIN_TIMEOUT_S = 4.0
GATHER_S = 0.1
"""A burst is gathered this long before its runners are counted."""
TOLD_EVERY_S = 5.0
"""How often an instance whose own backlog has runners enough tells it to the others, and asks for theirs."""
TOLD_FOR = timedelta(seconds=15)
KEPT_FOR = timedelta(hours=1)
MAX_INSTANCES = 1000

LOCK_FILE = "code_runner.lock"


class LaunchError(TransientError):
    """A runner could not be started now."""


class JobLauncher(Protocol):
    """Starts runners and tells how many there are."""

    async def running(self) -> int:
        """Tasks that are up or starting."""
        ...

    async def launch(self, tasks: int, stay_s: float = 0.0) -> None:
        """Start `tasks` more, without waiting for their end; raises LaunchError.

        They leave no sooner than `stay_s` seconds from then, even without work.
        """
        ...


@dataclass(frozen=True, slots=True)
class Warmed:
    """What a call to start runners ahead came to: tasks that are wanted, up or starting by now, launched for it."""

    wanted: int
    running: int
    launched: int


class CloudRunLauncher:
    """Executions of a Cloud Run job, through the unmodified google-cloud-run client.

    Args:
        job: `projects/P/locations/L/jobs/J`.
        endpoint: another endpoint of the Admin API, e.g. `http://127.0.0.1:1234`, called without credentials.
        timeout_s: for one call.
    """

    def __init__(self, job: str, endpoint: str | None = None, timeout_s: float = ADMIN_TIMEOUT_S) -> None:
        self.job = job
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._clients: tuple[Any, Any] | None = None

    async def running(self) -> int:
        """Tasks of this job's executions that have not ended."""
        listed, token, before = 0, "", ""
        for _ in range(MAX_PAGES):
            # The time limit is for each page: a job keeps a thousand executions that ended long ago.
            page, token = await self._asked(partial(self._page, token), f"the executions of {self.job} can't be listed")
            listed += sum(_open_tasks(execution) for execution in page)
            began = [_began(execution) for execution in page]
            if not token or _all_before(began, before, datetime.now(UTC) - timedelta(seconds=LONGEST_S)):
                return listed
            before = began[-1] if began else before
        logger.warning(
            "the job %s has more than %d executions; later ones are not looked at", self.job, MAX_PAGES * PAGE
        )
        return listed

    async def launch(self, tasks: int, stay_s: float = 0.0) -> None:
        """Run one execution with `tasks` tasks; the operation is not awaited."""
        await self._asked(lambda: self._launch(tasks, stay_s), f"the job {self.job} can't be run")

    async def _asked(self, call: Callable[[], T], problem: str) -> T:
        """The answer of a blocking call within the time limit. Raises LaunchError for whatever goes wrong."""
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError

        try:
            # The client's own limit is for each read of each page, credentials have none.
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.to_thread(call)
        except TimeoutError as error:
            raise LaunchError(f"{problem}: no answer within {self._timeout_s:g} s") from error
        except (GoogleAPIError, GoogleAuthError, OSError) as error:  # OSError: what the client's transport raises
            raise LaunchError(f"{problem}: {getattr(error, 'message', error)}") from error

    def _page(self, token: str) -> tuple[list[Any], str]:
        from google.cloud.run_v2 import ListExecutionsRequest

        _, executions = self._connect()
        request = ListExecutionsRequest(parent=self.job, page_size=PAGE, page_token=token)
        page = next(executions.list_executions(request=request, retry=None, timeout=self._timeout_s).pages)
        return list(page.executions), page.next_page_token

    def _launch(self, tasks: int, stay_s: float) -> None:
        from google.cloud.run_v2 import RunJobRequest

        jobs, _ = self._connect()
        overrides = RunJobRequest.Overrides(task_count=tasks)
        if stay_s:
            staying = RunJobRequest.Overrides.ContainerOverride(args=["--stay", f"{stay_s:.0f}"])
            overrides.container_overrides = [staying]
        request = RunJobRequest(name=self.job, overrides=overrides)
        jobs.run_job(request=request, retry=None, timeout=self._timeout_s)

    def _connect(self) -> tuple[Any, Any]:
        if self._clients is None:
            from google.api_core.client_options import ClientOptions
            from google.auth.credentials import AnonymousCredentials
            from google.cloud.run_v2 import ExecutionsClient, JobsClient

            options: dict[str, Any] = {"transport": "rest"}
            if self._endpoint:
                options |= {
                    "credentials": AnonymousCredentials(),  # type: ignore[no-untyped-call]
                    "client_options": ClientOptions(api_endpoint=self._endpoint),
                }
            self._clients = JobsClient(**options), ExecutionsClient(**options)
        return self._clients


class LocalLauncher:
    """One runner process on this machine, whichever worker of code_verifier started it.

    A file lock that the runner holds tells every other process that it is up.
    """

    def __init__(self, data_dir: Path, environment: Mapping[str, str] | None = None) -> None:
        self.lock = data_dir / LOCK_FILE
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    async def running(self) -> int:
        """1 while a runner holds the lock or is starting, else 0."""
        if self._process is not None and self._process.poll() is None:
            return 1
        return int(_is_locked(self.lock))

    async def launch(self, tasks: int, stay_s: float = 0.0) -> None:
        """Start the runner; more than one task makes no sense on one machine."""
        # Spawned from the event loop's own thread: the kernel ties a child to the thread that made it.
        self.lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        environment = dict(self._environment or os.environ) | {PARENT_VARIABLE: str(os.getpid())}
        command = [sys.executable, "-m", "verifleet.jobs.lifeline", "verifleet.jobs.code_runner"]
        try:
            # Its output goes where ours goes, which is bounded there.
            self._process = subprocess.Popen(
                [*command, "--lock", str(self.lock), "--stay", f"{stay_s:.0f}"],
                stdin=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise LaunchError(f"the code runner can't be started: {error}") from error


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
        if isinstance(self._launcher, LocalLauncher):
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
        # A local runner that died is replaced at once: its file lock already keeps a second one away.
        return 1.0 if isinstance(self._launcher, LocalLauncher) else LAUNCH_LEASE_S


def make_launcher(settings: Settings) -> JobLauncher:
    """The launcher that the settings ask for: a Cloud Run job, else a local process."""
    if settings.code_runner_job:
        return CloudRunLauncher(settings.code_runner_job, settings.run_api_endpoint, settings.run_api_timeout_s)
    return LocalLauncher(settings.data_dir)


def _began(execution: Any) -> str:
    """When an execution was made, in a form that sorts."""
    return execution.create_time.isoformat() if execution.create_time else ""


def _all_before(began: Sequence[str], page_before: str, limit: datetime) -> bool:
    """Whether executions come newest first, as far as can be seen, and those of this page are too old to run still."""
    falling = all(later >= earlier for later, earlier in pairwise([page_before or "9", *began]))
    return bool(began) and falling and "" < began[0] < limit.isoformat()


def _open_tasks(execution: Any) -> int:
    if execution.completion_time:
        return 0
    ended = execution.succeeded_count + execution.failed_count + execution.cancelled_count
    return max(0, int(execution.task_count or 1) - int(ended))


def _is_locked(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
