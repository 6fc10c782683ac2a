"""CPU seconds of the fleet's processes, which tell on a busy machine what a rate can't."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verifleet.jobs.local_launcher import LOCK_FILE
from verifleet.local.local_fleet import Fleet

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    session: int
    command: str
    own_s: float
    reaped_s: float
    """Of the dead children that it waited for."""


def session_cpu_s(session: int) -> float:
    """CPU seconds of all processes of a session, with those of the dead that they waited for."""
    return _of_session(_processes(), session)


def session_cpu_ns(session: int) -> int:
    """CPU nanoseconds of all threads of a session that are alive, without what the dead used: for single requests."""
    total = 0
    for process in _processes():
        if process.session == session:
            for task in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError):
                    total += int(task.read_text().split()[0])
    return total


def _of_session(processes: list[_Process], session: int) -> float:
    return sum(p.own_s + p.reaped_s for p in processes if p.session == session)


def own_and_jailed_s(runner: int) -> tuple[float, float]:
    """CPU seconds of a code runner that leads its session, and of the sandbox's processes below it."""
    processes = [process for process in _processes() if process.session == runner]
    jailed = sum(process.own_s + process.reaped_s for process in processes if process.pid != runner)
    return sum(process.own_s for process in processes if process.pid == runner), jailed


def fleet_cpu_s(fleet: Fleet) -> dict[str, float]:
    """CPU seconds so far of each process of the fleet, by name, and of this one as `client`."""
    processes = _processes()
    used = {
        member.name: _of_session(processes, member.process.pid)
        for member in fleet.members
        if member.process is not None
    }
    times = os.times()
    return used | {"client": times.user + times.system}


def code_fleet_cpu_s(fleet: Fleet) -> dict[str, float]:
    """Like `fleet_cpu_s`, with the runner of this fleet and the sandbox's processes below it."""
    processes = _processes()
    lock = str(fleet.data_dir / LOCK_FILE)
    runners = [p for p in processes if lock in p.command]
    sessions = {p.session for p in runners}
    jailed = [p for p in processes if p.session in sessions and p not in runners]
    return fleet_cpu_s(fleet) | {
        "runner": sum(p.own_s for p in runners),
        "sandbox": sum(p.own_s + p.reaped_s for p in jailed),
    }


def told(before: Mapping[str, float], after: Mapping[str, float], count: int) -> str:
    """What each process used for each of `count` items, in ms."""
    each = {name: (after[name] - before.get(name, 0.0)) / count * 1000 for name in after}
    return f"{sum(each.values()):.2f} ms ({', '.join(f'{name} {ms:.2f}' for name, ms in each.items())})"


def _processes() -> list[_Process]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        user, system, waited_user, waited_system = (int(ticks) / _TICKS for ticks in fields[11:15])
        found.append(_Process(int(folder.name), int(fields[3]), command, user + system, waited_user + waited_system))
    return found
