"""`make example-trl`: docs/examples/grpo_trl.py three times, 20 steps each, on a processor, in a venv of its own.

With the verifiers in the trainer's process, by URL of a fleet as `make run` starts it, and with the math server killed
after step 10: that run goes on and says what it could not have judged. It fails where this takes more than ten minutes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tools.toolbox import ROOT
from tools.trainers import TORCH, TRL, python_with, versions

OFFSET = 21_000
MATH, FORMAT, KILLED = 8101 + OFFSET, 8104 + OFFSET, 8109 + OFFSET
START_S = 180.0
MOST_S = 600.0
"""Of the three trainings and the start of what they ask: installing has its own time."""


def main() -> int:
    """Install, serve, train."""
    started = time.monotonic()
    try:
        python = python_with("trl", TORCH, TRL)
    except SystemExit as error:
        print(
            f"{error}\nThe example trains with {TORCH} and {TRL} and can't run without them; TORCH=... names another."
        )
        return 2
    print(versions(python, "torch", "trl", "transformers", "verifleet"))
    installed = time.monotonic()
    verifleet = str(Path(sys.executable).with_name("verifleet"))
    with tempfile.TemporaryDirectory(prefix="verifleet-") as folder:
        fleet = [verifleet, "up", "--port-offset", str(OFFSET), "--data-dir", folder]
        alone = [verifleet, "serve", "math_verifier", "--port", str(KILLED)]
        log = Path(folder) / "servers.log"
        with _served(fleet, MATH, log), _served(alone, KILLED, log) as killed:
            _await(FORMAT)
            runs = [str(python), str(ROOT / "tools" / "grpo_runs.py"), str(MATH), str(FORMAT), str(KILLED), str(killed)]
            code = subprocess.run(runs, check=False, cwd=ROOT, env={**os.environ, **_QUIET}).returncode
    seconds = time.monotonic() - installed
    print(f"{time.monotonic() - started:.0f} s in all, {seconds:.0f} s without installing")
    if seconds > MOST_S:
        print(f"that is more than {MOST_S:.0f} s, which the three trainings are to take at most", file=sys.stderr)
        return code or 1
    return code


_QUIET = {"PYTHONWARNINGS": "ignore", "TRANSFORMERS_VERBOSITY": "error", "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}


@contextlib.contextmanager
def _served(command: list[str], port: int, log: Path) -> Iterator[int]:
    """A server in a process group of its own, from when it answers; yields the group."""
    with log.open("ab") as told:
        process = subprocess.Popen(command, cwd=ROOT, stdout=told, stderr=told, start_new_session=True)
    try:
        _await(port)
        yield process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _await(port: int) -> None:
    until = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        if time.monotonic() > until:
            raise SystemExit(f"nothing answers on port {port}")
        time.sleep(0.3)


if __name__ == "__main__":
    sys.exit(main())
