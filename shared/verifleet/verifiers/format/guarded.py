"""Work on hostile text in a killable process: running out of time or memory is an outcome, not an accident."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from verifleet.errors import WorkerLostError, WorkerTimeoutError
from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault

R = TypeVar("R")

CPU_S: Final = 0.8  # of one call
BUDGET_S: Final = 0.95  # of all that one request asks for
HURRY_S: Final = 0.15  # of one call at the first look at one part of many
RESERVE_S: Final = 0.1  # of them for the request's own thread, so that light parts are judged after heavy ones
_LEAST_S: Final = 0.02  # less than this is not worth a process


class MeteredWorkers:
    """A pool for one request: its calls, and what the request's own thread does meanwhile, share BUDGET_S."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._began = time.thread_time()
        self._used = 0.0
        self._most = CPU_S

    @property
    def left(self) -> float:
        """Seconds of CPU time that are left for a worker, at least 0."""
        left = BUDGET_S - self._used - max(self._own, RESERVE_S)
        return left if left >= _LEAST_S else 0.0

    @property
    def exhausted(self) -> bool:
        """Whether nothing more should be begun, not even in the request's own thread."""
        return self._used + self._own >= BUDGET_S and self._own >= RESERVE_S

    @property
    def _own(self) -> float:
        return time.thread_time() - self._began

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Meanwhile no call takes longer, so that one part of many doesn't use up what is left."""
        before = self._most
        self._most = min(before, seconds)
        try:
            yield
        finally:
            self._most = before

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = CPU_S) -> R:
        """As `WorkerPool.call`, with no more time than is left."""
        granted = min(cpu_s, self._most, self.left)
        if not granted:
            raise WorkerTimeoutError("the request's time is used up")
        try:
            value, seconds = self._pool.call(_timed, function, args, cpu_s=granted)
        except (WorkerTimeoutError, WorkerLostError):
            self._used += granted  # a lost worker doesn't tell how long it lived
            raise
        self._used += seconds
        if isinstance(value, ValueError):
            raise value
        result: R = value
        return result


def _timed(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, float]:
    """In the worker: what the function returns, or the ValueError it raises, and the CPU seconds it took."""
    began = time.process_time()
    try:
        value = function(*args)
    except ValueError as error:
        value = error
    return value, time.process_time() - began


def in_worker(workers: WorkerPool, function: Callable[..., R], *args: Any) -> R | Fault:
    """What `function` returns, or an undecided Fault where the text uses up the worker's time or memory.

    Raises:
        WorkerLostError: no worker can be had at all, which is no property of the text.
    """
    try:
        return workers.call(function, *args, cpu_s=CPU_S)
    except WorkerTimeoutError:
        return Fault("time_limit", "Reading the response took too long and was stopped.", kind="undecided")
    except (WorkerLostError, MemoryError) as error:
        if isinstance(error, WorkerLostError):
            with suppress(WorkerTimeoutError):
                workers.call(_alive, cpu_s=CPU_S)  # raises where the pool itself is broken
        return Fault("memory_limit", "Reading the response used up its memory and was stopped.", kind="undecided")


def _alive() -> bool:
    return True
