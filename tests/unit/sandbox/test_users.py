"""Whom programs run as: never root, also where root itself starts the sandbox without being able to make namespaces."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox
from verifleet.sandbox.jobs import Rung
from verifleet.sandbox.walls import jail

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


WHO = "import os; print(os.getuid())"
MANY_THREADS = """
import threading, time
threading.stack_size(1 << 16)
try:
    for count in range(1000):
        threading.Thread(target=time.sleep, args=(0.3,), daemon=True).start()
except RuntimeError:
    print(count, flush=True)
"""


def printed(sandbox: LocalSandbox, source: str) -> int:
    payload = json.dumps({"mode": "script", "source": source}).encode()
    return int(sandbox.run(Job("python", (payload,))).processes[0].stdout)


def with_own_users(sandbox: LocalSandbox) -> LocalSandbox:
    try:
        if printed(sandbox, WHO) < jail.FIRST_UID:
            pytest.skip("runs have no users of their own here")
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    return sandbox


@pytest.mark.parametrize("rung", ["A", "C"])
def test_runs_of_two_sandboxes_never_count_as_one_user_for_the_kernel(rung: Rung) -> None:
    with LocalSandbox(ladder=(rung,), parallel=1) as one, LocalSandbox(ladder=(rung,), parallel=1) as other:
        users = [{printed(with_own_users(sandbox), WHO) for _ in range(5)} for sandbox in (one, other)]
    assert not users[0] & users[1]


def test_a_run_starts_as_many_threads_as_its_own_user_may_and_no_more() -> None:
    with LocalSandbox(parallel=1) as sandbox:
        assert jail.TASKS // 2 < printed(with_own_users(sandbox), MANY_THREADS) < jail.TASKS


@pytest.mark.parametrize(
    ("users", "groups", "low", "high"),
    [
        pytest.param("0 0 4294967295", "0 0 4294967295", 0x70000000, 0x7FFE0000, id="all ids"),
        pytest.param("0 1000000 1000000000", "0 1000000 1000000000", 1 << 16, 1_000_000_000, id="a large map"),
        pytest.param("0 1000 1\n1 100000 65536", "0 1000 1\n1 100000 65536", 62000, 62000, id="a small map"),
        pytest.param("0 0 4294967295", "0 0 65536", 62000, 62000, id="groups with a small map"),
    ],
)
def test_users_of_runs_are_drawn_from_those_that_nobody_has_and_that_exist(
    tmp_path: Path, users: str, groups: str, low: int, high: int
) -> None:
    maps = [tmp_path / "uid_map", tmp_path / "gid_map"]
    for path, text in zip(maps, (users, groups), strict=True):
        path.write_text(text + "\n")
    drawn = [jail.own_users([str(path) for path in maps]) for _ in range(50)]
    assert min(drawn) >= low
    assert max(drawn) <= max(low, high - jail.USERS)
    assert len(set(drawn)) > 40 or low == high


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
