"""The platform's own sandbox as the wall, with a stand-in for the platform's `sandbox` command.

The stand-in makes namespaces with unshare(1), a read-only file system and a filter that denies further namespaces, so
no rung of ours that needs them holds behind it. It shows that runs go through the command one by one, are judged
right, limited and ended, and that the self-probe tells such a sandbox from commands that wall off too little. How well
Cloud Run's own sandbox isolates it can't show: that is what the self-probe is for.
"""

import json
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.sandbox.test_local import UNPRIVILEGED
from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox
from verifleet.sandbox.walls import seccomp
from verifleet.verification import parse_request
from verifleet.verifiers.code import CodeVerifier

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None, reason="the stand-in needs root and unshare"
)
WALLED = """#!/bin/sh
echo started >> {log}
shift 2
exec unshare -m -p -n -i -u --fork --kill-child --mount-proc /bin/sh -c '
for place in /tmp /var/tmp /dev/shm; do mount -t tmpfs tmpfs $place; done
mount -o remount,bind,ro / && exec "$@"' sh {python} {filter} "$@"
"""
OPEN = """#!/bin/sh
shift 2
exec env -i "$@"
"""
DENIES_NAMESPACES = (
    UNPRIVILEGED.partition('if "filter"')[0] + "deny_namespaces()\nos.execv(sys.argv[1], sys.argv[1:])\n"
)


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "started"


@pytest.fixture(scope="module")
def launcher(log: Path) -> Iterator[tuple[str, ...]]:
    # Not below /tmp, which the stand-in covers.
    place = Path("/opt") / f"verifleet-test-{os.getpid()}"
    place.mkdir()
    numbers = ", ".join(str(seccomp.number(name)) for name in ("unshare", "clone", "seccomp")) + ", 435"
    deny = place / "deny.py"
    deny.write_text(DENIES_NAMESPACES.replace("NUMBERS", numbers))
    words = {"log": log, "python": os.path.realpath(sys.executable), "filter": deny}
    command = executable(place / "sandbox", WALLED.format(**words))
    try:
        yield (str(command), "do", "--")
    finally:
        shutil.rmtree(place)


@pytest.fixture(scope="module")
def sandbox(launcher: tuple[str, ...]) -> Iterator[LocalSandbox]:
    with LocalSandbox(launcher=launcher, min_rung="B", parallel=2) as sandbox:
        yield sandbox


def script(source: str, stdin: bytes = b"", **limits: float) -> Job:
    payload = json.dumps({"mode": "script", "source": source}).encode()
    return Job("python", (payload,), stdin=stdin, **limits)  # type: ignore[arg-type]


def score(sandbox: LocalSandbox, response: str, reference: dict[str, object]) -> tuple[float | None, str]:
    request = parse_request("code", {"response": f"```\n{response}\n```", "reference": reference})
    result = CodeVerifier(sandbox).check(request)
    return result.score, str((result.details or {}).get("rung"))


def test_without_namespaces_behind_the_launcher_each_run_gets_its_own_outer_sandbox(
    sandbox: LocalSandbox, log: Path
) -> None:
    assert sandbox.rung == "platform"
    before = len(log.read_text().splitlines())
    assert sandbox.run(script("print(int(input()) * 2)", b"21")).processes[0].stdout == b"42\n"
    assert sandbox.run(script("import os; print(os.listdir('.'))")).processes[0].stdout == b"[]\n"
    assert len(log.read_text().splitlines()) == before + 2


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ({"tests": [{"input": "ab", "output": "ba"}] * 3}, "print(input()[::-1])", "print('ba' * 2)"),
        ({"entry_point": "f", "cases": [{"args": [2], "expected": 4}]}, "def f(x): return x * x", "def f(x): return 5"),
        (
            {"test_code": "import random\nn = random.randint(1, 9)\nassert f([n]) == [n, n]"},
            "def f(x): return x * 2",
            "class A:\n    def __eq__(self, o): return True\ndef f(x): return A()",
        ),
        ({"language": "sql", "schema": "create table t (a); insert into t values (1), (2)", "query": "select a from t"},
         "select t.a from t", "select max(a) from t"),
    ],
)  # fmt: skip
def test_programs_are_judged_as_on_the_other_rungs(
    sandbox: LocalSandbox, reference: dict[str, object], right: str, wrong: str
) -> None:
    assert score(sandbox, right, reference) == (1.0, "platform")
    assert score(sandbox, wrong, reference) == (0.0, "platform")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_javascript_is_judged_too(sandbox: LocalSandbox) -> None:
    test_code = "const t = () => { console.assert(f(3) === 9) }; t()"
    reference = {"language": "javascript", "test_code": test_code}
    assert score(sandbox, "const f = (x) => x * x", reference) == (1.0, "platform")
    assert score(sandbox, "const f = (x) => x + 1; console.assert = () => {}", reference)[0] == 0.0


@pytest.mark.parametrize(
    ("source", "limits", "killed_for"),
    [
        ("while True: pass", {"cpu_s": 0.3}, "cpu"),
        ("import time; time.sleep(60)", {"wall_s": 0.5}, "wall"),
        ("while True: print('x' * 1000)", {"output_bytes": 5000}, "output"),
    ],
)
def test_limits_end_a_run(sandbox: LocalSandbox, source: str, limits: dict[str, float], killed_for: str) -> None:
    started = time.monotonic()
    assert sandbox.run(script(source, **limits)).processes[0].killed_for == killed_for
    assert time.monotonic() - started < 10


def test_memory_is_bounded(sandbox: LocalSandbox) -> None:
    process = sandbox.run(script("x = bytearray(400_000_000)", memory_mb=64)).processes[0]
    assert json.loads(process.frames[1])["outcome"] == "memory"


def test_numpy_is_there_where_it_is_offered_and_nothing_beside_it(launcher: tuple[str, ...]) -> None:
    pytest.importorskip("numpy")
    right = "import numpy as np\ndef f(x): return np.array(x) * 2"
    passed = {"test_code": "import numpy as np\nassert (f(np.array([1, 2])) == [2, 4]).all()"}
    with LocalSandbox(launcher=launcher, min_rung="B", parallel=2, packages=("numpy",)) as offered:
        assert score(offered, right, {"entry_point": "f", "cases": [{"args": [[1]], "expected": [2]}]}) == (
            1.0,
            "platform",
        )
        assert score(offered, right, passed) == (1.0, "platform")
        assert score(offered, right.replace("2", "3"), passed) == (0.0, "platform")
        assert b"No module" in offered.run(script("import pydantic")).processes[0].stderr
        big = offered.run(script("import numpy as np\nnp.ones(10**9)", memory_mb=64)).processes[0]
        assert json.loads(big.frames[1])["outcome"] == "memory"


def test_a_program_that_kills_its_carrier_only_ends_itself(sandbox: LocalSandbox) -> None:
    source = "import os\nprint('before', flush=True)\nos.kill(os.getppid(), 9)\nwhile True: pass"
    process = sandbox.run(script(source)).processes[0]
    assert process.exit != 0
    assert sandbox.run(script("print(1)")).processes[0].stdout == b"1\n"


def test_a_launcher_that_isolates_nothing_is_refused_with_what_got_through(tmp_path: Path) -> None:
    command = executable(tmp_path / "sandbox", OPEN)
    with (
        LocalSandbox(launcher=(str(command), "do", "--"), ladder=()) as sandbox,
        pytest.raises(SandboxUnavailableError, match=r"canary file written.*process of the supervisor seen"),
    ):
        sandbox.run(script("print(1)"))
    assert not list(Path("/dev/shm").glob(".verifleet-*"))
    assert not list(Path.home().glob(".verifleet-*"))


def test_a_launcher_that_fails_is_quoted(tmp_path: Path) -> None:
    command = executable(tmp_path / "sandbox", "#!/bin/sh\necho sandboxes are not enabled >&2\nexit 1\n")
    with (
        LocalSandbox(launcher=(str(command), "do", "--")) as sandbox,
        pytest.raises(SandboxUnavailableError, match="sandboxes are not enabled"),
    ):
        sandbox.run(script("print(1)"))
