"""Code runners as executions of a Cloud Run job: asked for, and how many there are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from verifleet.jobs.launcher import LaunchError

logger = logging.getLogger(__name__)

T = TypeVar("T")

PAGE = 100
MAX_PAGES = 20
LONGEST_S = 5 * 24 * 3600.0
"""Above what an execution can take: its tasks end after a day, and are tried four times."""
ADMIN_TIMEOUT_S = 4.0


class CloudRunLauncher:
    """Executions of a Cloud Run job, through the unmodified google-cloud-run client.

    Args:
        job: `projects/P/locations/L/jobs/J`.
        endpoint: another endpoint of the Admin API, e.g. `http://127.0.0.1:1234`, called without credentials.
        timeout_s: for one call.
    """

    near = False

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
