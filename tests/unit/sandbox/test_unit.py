"""The keeper's record of a run, in the order in which things may happen to reach it."""

import os
import struct
from collections.abc import Sequence

import pytest

from verifleet.sandbox.guest import runner
from verifleet.sandbox.keeper.unit import LATE_S, START_S, STARVED_S, Unit
from verifleet.sandbox.walls.jail import Walls

LIMITS = {"cpu_s": 5.0, "wall_s": 5.0, "memory_mb": 64, "output_bytes": 1000, "marks": 0}


def frames(*parts: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def pair(judge: bytes, solution: bytes, printed: bytes = b"") -> Unit:
    """A judge and a solution that have written these results and ended; nothing of it is read."""
    said = {"judge": judge, "solution": solution}

    def spawn(role: str, slot: int, memory_mb: int, descriptors: Sequence[int]) -> int:
        os.write(descriptors[3], said[role])
        if role == "solution" and printed:
            os.write(descriptors[1], printed)
        return os.posix_spawnp("true", ["true"], {})

    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    unit = Unit(("judge+solution", 0), 0, Walls("A"), proc, {"judge": spawn, "solution": spawn})
    unit.begin({"id": 1, "spent_s": 0.0, "limits": LIMITS, "sizes": [0, 0]}, b"")
    return unit


def close(unit: Unit) -> None:
    for descriptor in (*unit.inputs, *unit.outputs, unit.proc):
        os.close(descriptor)
    unit.bury()


def reap(unit: Unit, index: int) -> None:
    pid, status, usage = os.wait4(unit.processes[index].pid, 0)
    unit.exited(pid, status, usage)


def test_what_a_solution_said_before_it_ended_is_reported_though_its_judge_is_heard_first() -> None:
    unit = pair(frames(b"", b"{}", runner.LEFT + b"\0"), frames(b"", b'{"own": 1}'), b"printed")
    reap(unit, 1)
    assert unit.read(unit.processes[0].result)
    assert unit.over()
    head, blob = unit.report()
    assert head["processes"][1] | {"cpu_s": 0, "peak_kb": 0} == {
        "exit": 0,
        "killed_for": "",
        "cpu_s": 0,
        "peak_kb": 0,
        "sizes": [7, 0, len(frames(b"", b'{"own": 1}'))],
    }
    assert blob.endswith(b"printed" + frames(b"", b'{"own": 1}'))
    close(unit)


def test_a_solution_that_has_said_that_it_leaves_has_left_with_its_own_code() -> None:
    unit = pair(frames(b"", b"{}", runner.LEFT + b"\0"), frames(b"", runner.LEFT + b"\3"))
    assert unit.read(unit.processes[0].result)
    row = unit.report()[0]["processes"][1]
    assert (row["exit"], row["killed_for"], row["sizes"][2]) == (3, "", len(frames(b"")))
    close(unit)


def test_a_run_that_the_machine_gives_no_cpu_is_given_up_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = pair(b"", b"")
    monkeypatch.setattr(unit, "_starved", lambda: STARVED_S)
    unit.enforce(unit.started + STARVED_S)
    assert not unit.given_up
    monkeypatch.setattr(unit, "_starved", lambda: 1.0)
    unit.enforce(unit.started + STARVED_S + 1)
    assert unit.given_up
    assert unit.report()[0]["op"] == "failed"
    close(unit)


def test_a_run_in_which_both_processes_said_that_they_are_ready_took_place() -> None:
    unit = pair(frames(b""), frames(b""))
    for process in unit.processes:
        assert unit.read(process.result)
    reap(unit, 1)
    reap(unit, 0)
    assert unit.unstarted() == ""
    close(unit)


@pytest.mark.parametrize(("judge", "solution"), [(b"", frames(b"")), (frames(b"", b"{}", runner.LEFT + b"\0"), b"")])
def test_a_run_did_not_take_place_where_a_process_never_said_that_it_is_ready(judge: bytes, solution: bytes) -> None:
    unit = pair(judge, solution)
    for process in unit.processes:
        unit.read(process.result)
    if not unit.over():
        reap(unit, 1)
        reap(unit, 0)
    assert unit.unstarted()
    close(unit)


def test_the_wall_clock_begins_when_all_processes_are_ready() -> None:
    unit = pair(frames(b""), frames(b""))
    unit.started -= 8.0
    unit.read(unit.processes[0].result)
    unit.enforce(unit.started + 8.0)
    assert [process.killed_for for process in unit.processes] == ["", ""]
    unit.read(unit.processes[1].result)
    assert unit.report_wall() < 1.0
    close(unit)


def test_a_process_that_is_not_ready_in_time_is_ended_as_one_that_did_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = pair(b"", b"")
    monkeypatch.setattr(unit, "sleeps", lambda: True)
    monkeypatch.setattr(unit, "_starved", lambda: 0.0)
    unit.last_check = unit.next_check = unit.started + START_S + 1.0
    unit.enforce(unit.started + START_S + 1.0)
    assert {process.killed_for for process in unit.processes} == {"start"}
    assert unit.unstarted()
    close(unit)


def ready(monkeypatch: pytest.MonkeyPatch, *, sleeps: bool, cpu_s: float = 0.0, waits: bool = False) -> Unit:
    """A run that sleeps or not, and uses so much CPU time between two looks."""
    unit = pair(frames(b""), frames(b""))
    for process in unit.processes:
        unit.read(process.result)
    monkeypatch.setattr(unit, "sleeps", lambda: sleeps)
    monkeypatch.setattr(unit, "_cpu", lambda process: process.cpu_seen + cpu_s)
    if not waits:
        monkeypatch.setattr(unit, "_starved", lambda: 0.0)
    return unit


def looked_at(unit: Unit, after_s: float, late_s: float = 0.0) -> str:
    """Why the unit's first process was killed when it was looked at then, so much later than planned."""
    unit.next_check = unit.started + after_s - late_s
    unit.enforce(unit.started + after_s)
    return unit.processes[0].killed_for


def test_a_run_that_only_sleeps_reaches_the_wall_clock_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ready(monkeypatch, sleeps=True)
    assert looked_at(unit, 4.9) == ""
    assert looked_at(unit, 5.1) == "wall"
    close(unit)


def test_time_in_which_the_keeper_itself_could_not_look_is_not_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ready(monkeypatch, sleeps=True)
    assert looked_at(unit, 9.0, late_s=8.0) == ""
    assert looked_at(unit, 12.0, late_s=LATE_S / 2) == ""
    assert looked_at(unit, 14.0) == "wall"
    close(unit)


def test_of_threads_that_wait_for_a_cpu_the_hungriest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ready(monkeypatch, sleeps=True, waits=True)
    waits = {1: 0, 2: 0}
    told = {"1/task/1/schedstat": 1, "1/task/2/schedstat": 2}
    monkeypatch.setattr(unit, "_all", lambda: [1])
    monkeypatch.setattr(unit, "_threads", lambda pid: [*waits])
    monkeypatch.setattr(unit, "_told", lambda pid, name: b"0 %d 0" % waits[told[f"{pid}/{name}"]])
    waits[2] = 3_000_000_000
    assert looked_at(unit, 4.0) == ""
    waits.update({1: 1_000_000_000, 2: 4_000_000_000})
    assert looked_at(unit, 8.9) == ""
    assert looked_at(unit, 9.1) == "wall"
    close(unit)


def test_a_run_that_waits_for_a_cpu_right_now_is_not_ended_by_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ready(monkeypatch, sleeps=False)
    assert looked_at(unit, 6.0) == ""
    assert looked_at(unit, 4.0 + STARVED_S) == ""
    assert looked_at(unit, 6.0 + STARVED_S) == "starved"
    assert unit.given_up
    close(unit)


def test_a_run_that_computes_is_ended_by_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = ready(monkeypatch, sleeps=False, cpu_s=0.1)
    assert looked_at(unit, 6.0) == "wall"
    close(unit)
