"""The keeper's record of a run, in the order in which things may happen to reach it."""

import os
import struct
from collections.abc import Sequence

import pytest

from verifleet.sandbox.guest import runner
from verifleet.sandbox.keeper.unit import STARVED_S, Unit
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
    monkeypatch.setattr(unit, "_starved", lambda: STARVED_S + 1)
    unit.enforce(unit.started + STARVED_S)
    assert unit.given_up
    assert unit.report()[0]["op"] == "failed"
    close(unit)
