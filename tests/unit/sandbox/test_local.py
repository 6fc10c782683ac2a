# ruff: noqa: E501
"""The sandbox itself: where it runs, what it refuses, what it leaves behind, who waits for whom."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import venv
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox, boot, supervisor
from verifleet.sandbox.jobs import Rung
from verifleet.sandbox.walls import seccomp

SHARED = str(Path(__file__).parents[3] / "shared")
SYSTEM_PYTHON = "/usr/bin/python3"


def script(source: str, stdin: bytes = b"", **limits: float) -> Job:
    payload = json.dumps({"mode": "script", "source": source}).encode()
    return Job("python", (payload,), stdin=stdin, **limits)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    with LocalSandbox(parallel=2) as sandbox:
        yield sandbox


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_many_threads_share_one_sandbox(sandbox: LocalSandbox) -> None:
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda n: sandbox.run(script("print(int(input()) * 2)", b"%d" % n)), range(60)))
    assert [r.processes[0].stdout for r in results] == [b"%d\n" % (2 * n) for n in range(60)]


def test_runs_do_not_see_each_others_files(sandbox: LocalSandbox) -> None:
    sandbox.run(script("open('left', 'w').write('x')"))
    for _ in range(4):
        assert sandbox.run(script("import os; print(os.listdir('.'))")).processes[0].stdout == b"[]\n"


def test_a_run_sees_no_environment_of_ours(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "x")
    sandbox.close()
    seen = sandbox.run(script("import os; print(sorted(os.environ))")).processes[0].stdout.decode()
    assert "SECRET" not in seen
    assert "TMPDIR" in seen


def test_sets_of_texts_have_the_same_order_in_every_run(sandbox: LocalSandbox) -> None:
    job = script("print(list(set('abcdefghijk')))")
    first = sandbox.run(job).processes[0].stdout
    sandbox.close()
    assert sandbox.run(job).processes[0].stdout == first


def test_fifty_endless_sleepers_do_not_hold_up_the_others(sandbox: LocalSandbox) -> None:
    def others() -> float:
        started = time.monotonic()
        for job in [sandbox.submit(script(f"print({n})")) for n in range(40)]:
            assert job.result().processes[0].exit == 0
        return time.monotonic() - started

    alone = others()
    sleepers = [sandbox.submit(script("import time; time.sleep(60)", wall_s=9.0)) for _ in range(50)]
    assert others() < 3 * alone + 2
    sandbox.close()
    assert all(sleeper.exception() for sleeper in sleepers)


def test_long_computations_leave_room_for_short_ones(sandbox: LocalSandbox) -> None:
    endless = [sandbox.submit(script("while True: pass", cpu_s=1.0)) for _ in range(2)]
    assert sandbox.run(script("print(1)")).processes[0].stdout == b"1\n"
    assert not any(job.done() for job in endless)
    assert {job.result().processes[0].killed_for for job in endless} == {"cpu"}


def test_a_sandbox_that_nobody_holds_any_more_ends_its_keeper_at_once() -> None:
    dropped = LocalSandbox(parallel=1)
    assert dropped.run(script("print(1)")).processes[0].stdout == b"1\n"
    assert isinstance(dropped._keeper, supervisor._Keeper)
    process, held = dropped._keeper._process, weakref.ref(dropped)
    del dropped
    assert held() is None
    assert process.wait(10) is not None


@pytest.mark.parametrize("rung", ["A", "B", "C"])
def test_without_machine_code_the_walls_are_closed_all_the_same(monkeypatch: pytest.MonkeyPatch, rung: Rung) -> None:
    try:
        LocalSandbox(ladder=(rung,)).run(script(""))
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    modules = boot._modules()
    name = "verifleet.sandbox.keeper.python_nursery"
    source = modules["modules"][name]
    modules["modules"][name] = source.replace("_SERVE.get(platform.machine()", "_SERVE.get(''")
    assert modules["modules"][name] != source
    monkeypatch.setattr(boot, "_modules", lambda: modules)
    with LocalSandbox(ladder=(rung,)) as sandbox:
        assert sandbox.rung == rung
        assert [sandbox.run(script("print(1)")).processes[0].stdout for _ in range(3)] == [b"1\n"] * 3


def test_an_interpreter_below_tmp_has_the_same_walls(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        venv.create(folder, symlinks=False, with_pip=False)
        monkeypatch.setattr(sys, "executable", f"{folder}/bin/python")
        with LocalSandbox() as below:
            assert below.rung == sandbox.rung
            assert below.run(script("import shelve, os; print(os.listdir())")).processes[0].stdout == b"[]\n"


def test_chance_repeats_itself_in_every_run(sandbox: LocalSandbox) -> None:
    source = "import random; print(random.random())"
    assert len({sandbox.run(script(source)).processes[0].stdout for _ in range(3)}) == 1


def test_what_a_program_does_at_its_exit_is_done(sandbox: LocalSandbox) -> None:
    source = (
        "import atexit, sys, threading, time\n"
        "atexit.register(lambda: print('left'))\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print('joined'))).start()\n"
        "print('end'); sys.exit(0)"
    )
    assert sandbox.run(script(source)).processes[0].stdout == b"end\njoined\nleft\n"


def test_to_say_that_one_leaves_is_to_leave(sandbox: LocalSandbox) -> None:
    source = (
        "import os, time\nprint('a', flush=True)\nos.write(3, b'\\0\\0\\0\\6\\0left\\0')\ntime.sleep(9)\nprint('b')"
    )
    process = sandbox.run(script(source)).processes[0]
    assert (process.exit, process.stdout, process.frames) == (0, b"a\n", [b""])


def test_it_starts_anew_after_its_keeper_was_killed(sandbox: LocalSandbox) -> None:
    assert sandbox.rung in "ABC"
    flying = sandbox.submit(script("import time; time.sleep(0.5); print('done')"))
    time.sleep(0.2)
    os.kill(sandbox._keeper._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
    assert flying.result(20).processes[0].stdout == b"done\n"
    assert sandbox.run(script("print(1)")).processes[0].stdout == b"1\n"


@pytest.mark.parametrize("rungs", ["ABC", "C"])
def test_kill_9_of_the_parent_leaves_no_process_and_no_file(tmp_path: Path, rungs: str) -> None:
    program = textwrap.dedent(
        """
        import json, os, sys, time
        from verifleet.sandbox import Job, LocalSandbox
        sandbox = LocalSandbox(ladder=RUNGS)
        sandbox.rung
        for _ in range(4):
            sandbox.submit(Job("python", (json.dumps({"mode": "script", "source": "while True: pass"}).encode(),), cpu_s=50))
        time.sleep(0.5)
        print("ready", flush=True)
        time.sleep(60)
        """
    )
    program = program.replace("RUNGS", repr(tuple(rungs)))
    environment = {"PYTHONPATH": SHARED, "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    family = _descendants(parent.pid)
    assert len(family) > 3
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while alive(family) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(family) == []
    assert list(tmp_path.iterdir()) == []


def _descendants(root: int) -> list[int]:
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents[int(name)] = int(Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {root})


def test_a_rung_below_the_accepted_one_is_refused() -> None:
    with pytest.raises(SandboxUnavailableError, match="can't be isolated"):
        LocalSandbox(min_rung="A", ladder=("B", "C")).run(script("print(1)"))


def test_other_systems_are_told_to_use_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SandboxUnavailableError, match="Linux"):
        LocalSandbox().run(script("print(1)"))


def test_a_launcher_that_is_missing_is_named() -> None:
    with pytest.raises(SandboxUnavailableError, match="no-such-launcher"):
        LocalSandbox(launcher=("no-such-launcher", "do")).run(script("print(1)"))


def test_a_launcher_goes_before_the_keeper() -> None:
    with LocalSandbox(launcher=("/usr/bin/env", "-u", "PATH")) as sandbox:
        assert sandbox.run(script("print(1)")).processes[0].stdout == b"1\n"


UNPRIVILEGED = """
import ctypes, json, os, struct, sys
def deny_namespaces():
    line = lambda *a: struct.pack("<HBBI", *a)
    unshare, clone, seccomp, clone3 = NUMBERS
    code = b"".join([line(0x20, 0, 0, 0), line(0x15, 0, 1, unshare), line(6, 0, 0, 0x50001), line(0x15, 0, 1, clone3),
        line(6, 0, 0, 0x50026), line(0x15, 0, 3, clone), line(0x20, 0, 0, 16), line(0x45, 0, 1, 0x7E020080),
        line(6, 0, 0, 0x50001), line(6, 0, 0, 0x7FFF0000)])
    class Program(ctypes.Structure):
        _fields_ = [("n", ctypes.c_ushort), ("f", ctypes.c_char_p)]
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    assert libc.syscall(seccomp, 1, 0, ctypes.byref(Program(len(code) // 8, code))) == 0
if "filter" in sys.argv:
    deny_namespaces()
if "nobody" in sys.argv:
    os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
from verifleet.sandbox import Job, LocalSandbox
from verifleet.sandbox.jobs import Rung
with LocalSandbox() as sandbox:
    source = "import os; open('x', 'w').write('x'); print(open('x').read())"
    result = sandbox.run(Job("python", (json.dumps({"mode": "script", "source": source}).encode(),)))
    print(sandbox.rung, result.processes[0].stdout.decode().strip())
"""


@pytest.mark.skipif(os.geteuid() != 0 or not Path(SYSTEM_PYTHON).exists(), reason="needs root and a system Python")
@pytest.mark.parametrize(("circumstances", "rung"), [(["nobody"], "B"), (["nobody", "filter"], "C"), (["filter"], "C")])
def test_ordinary_users_and_containers_without_namespaces_get_their_rung(
    circumstances: list[str], rung: str, tmp_path: Path
) -> None:
    version = subprocess.run(
        [SYSTEM_PYTHON, "-c", "import sys; print(sys.version_info >= (3, 11))"], capture_output=True
    )
    if version.stdout != b"True\n":
        pytest.skip("the system's Python is too old")
    place = tmp_path / "shared"  # where an ordinary user can read it
    shutil.copytree(f"{SHARED}/verifleet/sandbox", place / "verifleet" / "sandbox")
    for name in ("__init__.py", "errors.py"):
        shutil.copy(f"{SHARED}/verifleet/{name}", place / "verifleet")
    for folder in [tmp_path, *tmp_path.parents[:3]]:
        if not os.stat(folder).st_mode & 0o001:
            folder.chmod(0o755)
    numbers = ", ".join(str(seccomp.number(name)) for name in ("unshare", "clone", "seccomp")) + ", 435"
    program = UNPRIVILEGED.replace("NUMBERS", numbers)
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", program, *circumstances],
        env={"PYTHONPATH": str(place), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=60,
    )
    words = done.stdout.decode().split()
    assert words, done.stderr.decode()
    assert words[1] == "x"
    assert words[0] >= rung  # where user namespaces are forbidden to ordinary users, C serves


def test_every_filter_is_short_and_allows_threads_only() -> None:
    program = seccomp.program(1234)
    assert len(program) // 8 < 700
    assert seccomp.program(1) != program
