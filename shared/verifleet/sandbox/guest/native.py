# ruff: noqa: S606
"""Modes `compile` and `native`: make a program of C++ source by the compiler's own steps; become such a program.

A source may be made to attack the compiler. So each step is a process that can start no other, has no way to the
keeper, and only the file that it leaves counts.
"""

from __future__ import annotations

import base64
import contextlib
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from verifleet.sandbox.guest import runner
from verifleet.sandbox.walls import jail, kernel, seccomp

_LIBRARIES_MB = 16  # of address space, for what every program loads
_TRIES, _PAUSE_S = 200, 0.05
NOT_STARTED = 127  # the exit code of a step that did not come to be
MOST = 8 * 1024 * 1024  # bytes of a program


def run(job: dict[str, Any]) -> NoReturn:
    """Become the program. Its stdin is what follows the job."""
    with open(job["name"], "wb") as file:
        file.write(base64.b64decode(job["program"]))
    os.chmod(job["name"], 0o700)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):  # what Python ignores or handles
        signal.signal(number, signal.SIG_DFL)
    environment = {"HOME": os.getcwd(), "TMPDIR": os.getcwd(), "PATH": "", "LANG": "C.UTF-8"}
    most = (job["memory_mb"] + _LIBRARIES_MB) * jail.MIB
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with contextlib.suppress(OSError):  # as the platform's own sandbox may refuse
        jail.execute_only([job["name"], job["loader"]])
    with contextlib.suppress(OSError):  # tried before with a program of ours: this one is too large for its limits
        _patiently(lambda: os.execve(job["name"], [job["name"]], environment))
    os._exit(120)


def compile(job: dict[str, Any]) -> NoReturn:
    """Take the steps and send `=` and the program, or `!` and how a step ended; its messages are on stderr."""
    with open(job["source_name"], "wb") as file:
        file.write(job["source"].encode("utf-8", "surrogatepass"))
    for command in job["steps"]:
        failed = _failed(command)
        if failed:
            runner.send_frame(b"!" + failed.encode())
            os._exit(0)
    with open(job["name"], "rb") as file:
        program = file.read(MOST + 1)
    runner.send_frame(b"=" + program if len(program) <= MOST else b"!size")
    os._exit(0)


def _failed(command: Sequence[str]) -> str:
    """Take one step; how it failed: `cpu`, `size`, `fault`, `signal N` or `exit N`, empty where it did not."""
    parent, pid = os.getpid(), _patiently(os.fork)
    if pid == 0:
        _become(command, parent)
    _, status, usage = os.wait4(pid, 0)
    if status == 0:
        return ""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return "fault" if code == NOT_STARTED else f"exit {code}"
    if usage.ru_utime + usage.ru_stime >= resource.getrlimit(resource.RLIMIT_CPU)[0] - 0.5:
        return "cpu"
    return "size" if -code == signal.SIGXFSZ else f"signal {-code}"


def _patiently(call: Callable[[], int]) -> int:
    """Call; another sandbox of this machine may use up, for a moment, what a user of runs may start."""
    for _ in range(_TRIES):
        with contextlib.suppress(BlockingIOError):
            return call()
        time.sleep(_PAUSE_S)
    return call()


def _become(command: Sequence[str], parent: int) -> NoReturn:
    try:
        kernel.die_with_parent()
        if os.getppid() != parent:
            os._exit(NOT_STARTED)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        os.closerange(3, 64)
        kernel.filter_system_calls(seccomp.program(os.getpid(), may_exec=True))
        os.execve(command[0], list(command), {"PATH": "", "LC_ALL": "C", "TMPDIR": os.getcwd()})
    except BaseException as error:  # noqa: BLE001 - nothing may unwind into what was forked
        with contextlib.suppress(OSError):
            os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
    os._exit(NOT_STARTED)
