"""Work on hostile text in a killable process: running out of time or memory is an outcome, not an accident."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from verifleet.errors import WorkerLostError, WorkerTimeoutError
from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault

R = TypeVar("R")

CPU_S: Final = 0.8


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
            workers.call(_alive, cpu_s=CPU_S)  # raises where the pool itself is broken
        return Fault("memory_limit", "Reading the response used up its memory and was stopped.", kind="undecided")


def _alive() -> bool:
    return True
