"""CPU seconds of the fleet's processes, which tell on a busy machine what events a second can't."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from verifleet.local.fleet import Fleet

_TICKS = os.sysconf("SC_CLK_TCK")


def session_cpu_s(session: int, *, children: bool = True) -> float:
    """CPU seconds of all processes of a session, with those of the dead that they waited for."""
    return sum(
        (sum(times) if children else sum(times[:2])) / _TICKS for member, times in _processes() if member == session
    )


def fleet_cpu_s(fleet: Fleet) -> dict[str, float]:
    """CPU seconds so far of each process of the fleet, by name, and of this one as `client`."""
    used = {m.name: session_cpu_s(m.process.pid) for m in fleet.members if m.process is not None}
    times = os.times()
    return used | {"client": times.user + times.system}


def told(before: Mapping[str, float], after: Mapping[str, float], count: int) -> str:
    """What each process used for each of `count` items, in ms."""
    each = {name: (after[name] - before.get(name, 0.0)) / count * 1000 for name in after}
    return f"{sum(each.values()):.2f} ms ({', '.join(f'{name} {ms:.2f}' for name, ms in each.items())})"


def _processes() -> list[tuple[int, list[int]]]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found.append((int(fields[3]), [int(ticks) for ticks in fields[11:15]]))
    return found
