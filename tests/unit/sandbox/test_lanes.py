"""Who has used much CPU time waits where he holds up nobody who hasn't; what is slow stays right."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from verifleet.sandbox import Job, JobResult, LocalSandbox
from verifleet.sandbox.keeper.main import LANES
from verifleet.verification import VerificationRequest
from verifleet.verifiers.code import CodeVerifier

PARALLEL = 1
PLACES = sum(lane.a_cpu for lane in LANES) * PARALLEL
LOOP = "while True:\n    pass"
SOME_WORK = "x = 0\nfor i in range(3_000_000):\n    x += i\nprint(x)"  # more than the quick lane's share
THREADS = "import threading\nfor _ in range(3):\n    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"


@pytest.fixture
def sandbox() -> Iterator[LocalSandbox]:
    with LocalSandbox(parallel=PARALLEL) as sandbox:
        yield sandbox


def script(source: str, cpu_s: float = 60.0, wall_s: float = 240.0, spent_s: float = 0.0) -> Job:
    payload = json.dumps({"mode": "script", "source": source}).encode()
    return Job("python", (payload,), cpu_s=cpu_s, wall_s=wall_s, spent_s=spent_s)


def finished(runs: list[Future[JobResult]]) -> int:
    return sum(run.done() for run in runs)


def test_short_runs_are_done_while_more_long_ones_than_there_are_places_go_on(sandbox: LocalSandbox) -> None:
    loops = [sandbox.submit(script(LOOP)) for _ in range(PLACES + 5)]
    loops += [sandbox.submit(script(THREADS)) for _ in range(2)]
    for number in range(6):
        result = sandbox.submit(script(f"print({number})")).result(50)
        assert result.processes[0].stdout == f"{number}\n".encode()
    assert finished(loops) == 0


def test_a_longer_run_is_done_though_it_began_anew_behind_endless_ones(sandbox: LocalSandbox) -> None:
    loops = [sandbox.submit(script(LOOP)) for _ in range(5)]
    longer = [sandbox.submit(script(SOME_WORK, cpu_s=20, wall_s=20)) for _ in range(2)]
    for run in longer:
        result = run.result(100)
        assert (result.processes[0].stdout, result.processes[0].killed_for) == (b"4499998500000\n", "")
    assert finished(loops) == 0


def test_time_without_a_cpu_is_not_the_wall_time_of_a_run(sandbox: LocalSandbox) -> None:
    loops = [sandbox.submit(script(LOOP)) for _ in range(PLACES)]
    result = sandbox.submit(script(SOME_WORK, cpu_s=20, wall_s=20)).result(100)
    assert result.wall_s < result.processes[0].cpu_s + 2.0
    assert finished(loops) == 0


def test_runs_of_a_request_that_has_used_much_wait_for_the_last_places(sandbox: LocalSandbox) -> None:
    most = LANES[-1].a_cpu * PARALLEL
    loops = [sandbox.submit(script(LOOP, spent_s=100.0)) for _ in range(most)]
    later = sandbox.submit(script("print(1)", spent_s=100.0))
    assert sandbox.submit(script("print(2)")).result(50).processes[0].stdout == b"2\n"
    assert finished([*loops, later]) == 0


def test_long_runs_yield_to_others_with_all_their_threads(sandbox: LocalSandbox) -> None:
    sandbox.submit(script("print(1)")).result(50)
    run = sandbox.submit(script(THREADS, spent_s=100.0))
    keeper = children(os.getpid())
    ranks: set[int] = set()
    while len(ranks) == 0 or max(ranks) < LANES[-1].nice:
        assert not run.done()
        ranks = {nice for pid in keeper for child in children(pid) for nice in nices(child)}


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="the kernel does not rank sessions")
def test_the_session_of_a_long_run_yields_to_other_sessions(sandbox: LocalSandbox) -> None:
    sandbox.submit(script("print(1)")).result(50)
    run = sandbox.submit(script(LOOP, spent_s=100.0))
    own = Path("/proc/self/autogroup").read_text()
    ranks: set[str] = set()
    while not any(rank.endswith(f"nice {LANES[-1].nice}") for rank in ranks):
        assert not run.done()
        ranks = {session(child) for pid in children(os.getpid()) for child in children(pid)}
    assert Path("/proc/self/autogroup").read_text() == own, "those that run untrusted programs keep their rank"


def session(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/autogroup").read_text().strip()
    except OSError:
        return ""


def children(pid: int) -> list[int]:
    return [int(child) for text in texts(pid, "children") for child in text.split()]


def nices(pid: int) -> list[int]:
    return [int(text.rpartition(")")[2].split()[16]) for text in texts(pid, "stat")]


def texts(pid: int, name: str) -> list[str]:
    """What the kernel says of each thread; those that end meanwhile say nothing."""
    found = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found.append(Path(f"/proc/{pid}/task/{thread}/{name}").read_text())
    return found


def test_a_request_tells_each_run_what_those_before_it_have_used() -> None:
    spent = []

    class Watched(LocalSandbox):
        def submit(self, job: Job) -> Future[JobResult]:
            spent.append(job.spent_s)
            return super().submit(job)

    reference = {"tests": [{"input": "", "output": "1"}] * 3}
    source = "for i in range(300_000): pass\nraise SystemExit(1)"
    with Watched() as sandbox:
        request = VerificationRequest(response=source, reference=reference)
        assert CodeVerifier(sandbox).check(request).score == 0.0
        assert CodeVerifier(sandbox).check(request).score == 0.0
    assert spent[0] == 0.0
    assert max(spent) > 0.0
    assert spent.count(0.0) >= 2  # each request begins anew
