"""Memory of the verifier agent over a long run: RSS, live objects and entries of its caches.

    python -m tests.benchmarks.bench_agent_memory [EVENTS] [REPORTS_PER_INCIDENT]      (default 30000 20)

One process, SQLite, garbage collected as the functions do. What is kept to save time fills up over some 15,000 events
and stays as it is from there on.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from functools import _lru_cache_wrapper
from pathlib import Path

from tests.benchmarks.bench_agents import envelope, event
from tests.benchmarks.figures import row
from verifleet.serving.app import GARBAGE_THRESHOLDS
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.storage.sqlite import SqliteStore

EVERY = 2_000


def resident_mb() -> int:
    """What the process has in memory now."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1024


def _counts() -> tuple[int, int]:
    """Live objects, and entries of all caches; the list of them is let go, or it would keep them all alive."""
    objects = gc.get_objects()
    return len(objects), sum(o.cache_info().currsize for o in objects if isinstance(o, _lru_cache_wrapper))


async def run(events: int, per_incident: int) -> None:
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    print(f"{'events':>7} {'s':>6} {'MB':>5} {'objects':>8} {'cached':>8} {'reports':>8}")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "store.db")
        agent = VerifierAgent(store)
        for number in range(events):
            data = event(number, 10**9)
            place = f"Town{number // per_incident}"
            moment = data.timestamp.replace(minute=number % 60)
            data = data.model_copy(update={"location": place, "timestamp": moment})
            await agent(envelope("event_v1", data), cause=f"c{number}")
            if number % EVERY == EVERY - 1:
                gc.collect()
                told = (number + 1, time.monotonic() - started, resident_mb(), *_counts(), len(agent._memory._reports))
                print("{:7} {:6.0f} {:5} {:8} {:8} {:8}".format(*told), flush=True)
        row(f"verifier agent's memory after {events:,} events", resident_mb(), "MB")
        await store.close()


if __name__ == "__main__":
    asyncio.run(run(*(int(given) for given in (*sys.argv[1:], *("30000", "20")[len(sys.argv) - 1 :]))))
