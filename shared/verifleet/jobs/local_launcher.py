"""The code runner as a process on this machine, one whoever starts it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from verifleet.jobs.launcher import LaunchError
from verifleet.jobs.lifeline import PARENT_VARIABLE

LOCK_FILE = "code_runner.lock"


class LocalLauncher:
    """One runner process on this machine, whichever worker of code_verifier started it.

    A file lock that the runner holds tells every other process that it is up.
    """

    near = True

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


def _is_locked(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
