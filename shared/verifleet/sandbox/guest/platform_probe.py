"""Mode `platform_probe`: try to get out of a sandbox that is not ours, by effects that show outside or later.

What merely exists inside, such as processes, sockets or a password file, may belong to that sandbox; so nothing is
counted here but what reaches the supervisor's own canaries, and what a later run finds of an earlier one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import time
from typing import Any

from verifleet.sandbox.guest import runner

_METADATA = ("169.254.169.254", 80)
_PATIENCE_S = 0.5


def run(job: dict[str, Any]) -> None:
    """Send {"escapes": [names], "made": [paths]}; leave a file in every place and a process behind."""
    found = [name for name, attempt in _ATTEMPTS.items() if _works(attempt, job)]
    if job["later"]:
        found += [f"a file of an earlier run in {p}" for p in job["places"] if os.path.exists(_mark(p, job))]
    made = [place for place in job["places"] if _works(_make, _mark(place, job))]
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            os.setsid()
            name = f"vf-{job['token'][:12]}".encode()
            ctypes.CDLL(None).prctl(15, name, 0, 0, 0)  # PR_SET_NAME, by which it is looked for outside
            time.sleep(60)
    runner.send({"escapes": found, "made": made})
    os._exit(0)


def _mark(place: str, job: dict[str, Any]) -> str:
    return os.path.join(place, f".verifleet-{job['token']}")


def _make(path: str) -> bool:
    with open(path, "w") as file:
        return file.write("x") > 0


def _works(attempt: Any, argument: Any) -> bool:
    try:
        return bool(attempt(argument))
    except BaseException:  # noqa: BLE001 - any refusal is a refusal
        return False


def _overwrite(job: dict[str, Any]) -> bool:
    with open(job["canary"], "r+") as file:
        return file.write(job["token"][::-1]) > 0


def _local_socket(job: dict[str, Any]) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(_PATIENCE_S)
        client.connect("\0verifleet-" + job["token"])
    return True


def _process_seen(job: dict[str, Any]) -> bool:
    for name in os.listdir("/proc"):
        for part in ("cmdline", "environ"):
            with contextlib.suppress(OSError), open(f"/proc/{name}/{part}", "rb") as file:
                if job["token"].encode() in file.read(1 << 16):
                    return True
    return False


def _kill(job: dict[str, Any]) -> bool:
    """Whether it was the sentinel that was hit is seen outside."""
    if job["sentinel"] not in (os.getpid(), os.getppid()):
        os.kill(job["sentinel"], signal.SIGKILL)
    return False


_ATTEMPTS: dict[str, Any] = {
    "network": lambda job: socket.create_connection(("127.0.0.1", job["port"]), _PATIENCE_S),
    "metadata server": lambda job: socket.create_connection(_METADATA, _PATIENCE_S),
    "local socket": _local_socket,
    "canary file written": _overwrite,
    "process of the supervisor seen": _process_seen,
    "process of the supervisor killed": _kill,
}
