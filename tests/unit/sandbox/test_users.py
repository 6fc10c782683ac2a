"""Whom programs run as: never root, also where root itself starts the sandbox without being able to make namespaces."""

import os
import subprocess
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared"
SYSTEM_PYTHON = "/usr/bin/python3"
SLEEPER = """
import json, sys, time
from pathlib import Path
from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox

def ancestors(pid):
    while pid > 1:
        yield pid
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])

def users(keeper):
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":\\t", 1) for line in status.read_text().splitlines() if ":\\t" in line)
            if keeper in ancestors(int(told["Pid"])):
                yield told["Uid"].split()[0]
        except OSError:
            pass  # gone meanwhile

with LocalSandbox(ladder=sys.argv[1], parallel=1) as sandbox:
    try:
        sandbox.rung
    except SandboxUnavailableError as error:
        sys.exit(f"refused: {error}")
    source = "open('x', 'w').write('x'); print(open('x').read()); import time; time.sleep(9)"
    sandbox.submit(Job("python", (json.dumps({"mode": "script", "source": source}).encode(),)))
    time.sleep(0.2)
    print(*sorted(set(users(sandbox._keeper._process.pid))))
"""


def as_root(rung: str, *before: str) -> subprocess.CompletedProcess[str]:
    if os.geteuid() != 0 or not Path(SYSTEM_PYTHON).exists():
        pytest.skip("needs root and a system Python")
    told = subprocess.run([SYSTEM_PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], check=False)
    if told.returncode:
        pytest.skip("the system's Python is too old")
    return subprocess.run(
        [*before, SYSTEM_PYTHON, "-c", SLEEPER, rung],
        env={"PYTHONPATH": str(SHARED), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_behind_a_user_namespace_of_root_programs_run_as_an_ordinary_user() -> None:
    done = as_root("B")
    if done.stderr.startswith("refused: ") and "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout.split(), done.stderr
    assert "0" not in done.stdout.split()


def test_a_root_that_can_not_become_another_user_is_refused_rather_than_used() -> None:
    without = ("setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-setuid,-setgid")
    done = as_root("B", *without)
    assert "rung B never runs programs as root" in done.stderr, done.stdout
