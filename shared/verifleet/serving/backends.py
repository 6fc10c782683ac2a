"""What stands behind a verifier's routes: an in-process verifier, or one that answers later."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from verifleet.errors import VerifierUnavailableError, VerifleetError

if TYPE_CHECKING:
    from verifleet.jobs.runner_keeper import Warmed
    from verifleet.serving.worker_judging import Make
    from verifleet.serving.worker_verifier import AtOnce, WorkerVerifier
    from verifleet.verification import BaseVerifier, VerificationRequest, VerificationResult, VerifierName

T = TypeVar("T")
logger = logging.getLogger(__name__)

THREADS = 16


@dataclass(frozen=True, slots=True)
class Pending:
    """A verification that goes on; its result will be at `/verifications/{verification_id}`."""

    verification_id: str


@dataclass(frozen=True, slots=True)
class BatchState:
    """A batch that goes on: its handle, and how many different requests have their result by now and how many not."""

    batch_id: str
    done: int
    pending: int


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """Results of a batch; with `state` they are not all."""

    results: list[VerificationResult]
    state: BatchState | None = None


class Backend(Protocol):
    """Judges typed requests. Raises ShapeError for a bad one, TransientError when a retry may help."""

    async def check(self, request: VerificationRequest) -> VerificationResult | Pending:
        """Judge one."""
        ...

    async def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None
    ) -> list[VerificationResult]:
        """Judge many, in order; `deadline` is on time.monotonic()'s scale, what it cuts off is an error result."""
        ...


@runtime_checkable
class StoredBackend(Backend, Protocol):
    """A backend whose results can be asked for later; gives the app its `/verifications/{id}` route."""

    async def result(self, verification_id: str) -> VerificationResult | Pending | None:
        """The stored result; Pending while it is under way; None for an unknown id."""
        ...


@runtime_checkable
class QueuedBackend(StoredBackend, Protocol):
    """A backend that has requests judged elsewhere; gives the app its routes `/batches/{id}` and `/warm`.

    A request with the key of an earlier one of its caller, or without a key with its content, finds what that one sent.
    """

    async def check(self, request: VerificationRequest, key: str | None = None) -> VerificationResult | Pending:
        """Judge one."""
        ...

    async def send_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None, key: str | None = None
    ) -> BatchAnswer:
        """Judge many, in order; what the deadline cuts off is an error result and goes on."""
        ...

    async def batch(self, batch_id: str) -> BatchAnswer | None:
        """The results of a batch's different requests once all are there; None for an unknown id."""
        ...

    async def warm(self, programs: int, stay_s: float) -> Warmed:
        """Make ready for so many that are to come, for so many seconds. Raises TransientError."""
        ...


class WorkerBackend:
    """Runs a verifier in killable worker processes; nothing is imported or started before the first request.

    Args:
        name: which verifier.
        make: gives what makes the verifier in a worker.
        at_once: gives what judges here, in the server, what costs less than asking a worker.
    """

    def __init__(
        self,
        name: VerifierName,
        make: Callable[[], Make],
        at_once: Callable[[], AtOnce] | None = None,
    ) -> None:
        self._name = name
        self._make = make
        self._at_once = at_once
        self._verifier: WorkerVerifier | None = None
        self._starting = threading.Lock()

    async def check(self, request: VerificationRequest) -> VerificationResult:
        """Judge one."""
        return await (await self._ready()).check(request)

    async def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None
    ) -> list[VerificationResult]:
        """Judge many, in order; at the deadline what is not ready becomes an error result."""
        return await (await self._ready()).check_batch(requests, deadline)

    def away(self) -> str | None:
        """Why nothing could be judged now; None where it could."""
        return None if self._verifier is None else self._verifier.lanes.away()

    def state(self) -> dict[str, Any]:
        """What the workers are doing."""
        return {} if self._verifier is None else self._verifier.lanes.state()

    def close(self) -> None:
        """End the worker processes."""
        if self._verifier is not None:
            self._verifier.lanes.close()

    async def _ready(self) -> WorkerVerifier:
        return await asyncio.to_thread(self._started) if self._verifier is None else self._verifier

    def _started(self) -> WorkerVerifier:
        from verifleet.serving.worker_verifier import WorkerVerifier

        with self._starting:
            if self._verifier is None:
                at_once = None if self._at_once is None else self._at_once()
                self._verifier = WorkerVerifier(self._name, _made(self._make), at_once)
            return self._verifier


class InProcessBackend:
    """Runs any verifier in threads of this process: for one of your own, whose work is bounded.

    Args:
        make: makes the verifier; called on the first request, so that what it imports costs a start nothing.
        threads: requests judged at once.
    """

    def __init__(self, make: Callable[[], BaseVerifier], *, threads: int = THREADS) -> None:
        self._make = make
        self._threads = threads
        self._verifier: BaseVerifier | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._starting = threading.Lock()

    async def check(self, request: VerificationRequest) -> VerificationResult:
        """Judge one."""
        return await asyncio.get_running_loop().run_in_executor(
            self._executor(), copy_context().run, self._check, request
        )

    async def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None
    ) -> list[VerificationResult]:
        """Judge many at once, equal content once; at the deadline what is not ready becomes an error result."""
        from verifleet.verification import DEADLINE_MISSED

        loop = asyncio.get_running_loop()
        verifier = await loop.run_in_executor(self._executor(), self._ready)
        if has_own_batches(verifier):
            return await loop.run_in_executor(self._executor(), verifier.check_batch, requests, deadline)
        digests = await loop.run_in_executor(self._executor(), lambda: [request.digest() for request in requests])
        batch = _Batch(verifier, dict(zip(digests, requests, strict=True)), deadline)
        await batch.run(self._executor(), max(1, self._threads // 2))  # the rest is left for single requests
        results = []
        for digest, request in zip(digests, requests, strict=True):
            result = batch.results.get(digest) or verifier.stamp(request, DEADLINE_MISSED)
            results.append(result.model_copy(update={"request_id": request.request_id}))
        return results

    def _check(self, request: VerificationRequest) -> VerificationResult:
        return self._ready().check(request)

    def _executor(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="verifier")
        return self._pool

    def _ready(self) -> BaseVerifier:
        if self._verifier is None:
            with self._starting:
                if self._verifier is None:
                    self._verifier = _made(self._make)
        return self._verifier


def _made(make: Callable[[], T]) -> T:
    try:
        return make()
    except VerifleetError as error:
        raise VerifierUnavailableError(str(error)) from error
    except ImportError as error:
        logger.exception("the verifier could not be made")
        raise VerifierUnavailableError(
            f"{error.name} can't be imported ({error}); install the function's requirements.txt"
        ) from error


def has_own_batches(verifier: BaseVerifier) -> bool:
    """Whether a verifier knows a better way to judge many than one by one."""
    from verifleet.verification import BaseVerifier

    return type(verifier).check_batch is not BaseVerifier.check_batch


class _Batch:
    """One batch under way: threads take the next request each until none is left or time is up."""

    def __init__(
        self, verifier: BaseVerifier, requests: dict[str, VerificationRequest], deadline: float | None
    ) -> None:
        self.results: dict[str, VerificationResult] = {}
        self._verifier = verifier
        self._waiting = list(reversed(requests.items()))
        self._deadline = deadline

    async def run(self, pool: ThreadPoolExecutor, threads: int) -> None:
        """Judge until all is done or the deadline has come."""
        loop = asyncio.get_running_loop()
        workers = [loop.run_in_executor(pool, self._work) for _ in range(min(threads, len(self._waiting)))]
        if not workers:
            return
        timeout = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        try:
            done, _ = await asyncio.wait(workers, timeout=timeout)
        finally:
            self._waiting.clear()  # nobody waits for the rest any more
        for worker in done:
            worker.result()

    def _work(self) -> None:
        while self._deadline is None or time.monotonic() < self._deadline:
            try:
                digest, request = self._waiting.pop()
            except IndexError:
                return
            self.results[digest] = self._verifier.check(request)
