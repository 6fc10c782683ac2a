"""How rates hold as clients, batches and what is stored grow, as plots: `make plots`.

    python -m tests.benchmarks.curves [clients batches events facts] [--to docs/images] [--longest 20]

Four curves, each an SVG named scaling-NAME.svg, and their points in build/curves.json: requests a second of math by
clients at once (1 to 64) and by the size of a batch (1 to 4,096), events a second of the verifier agent by earlier
events in its store (10^2 to 10^5), look-ups a CPU second by facts of the knowledge base (10^2 to 10^6). Points of one
curve are measured one after the other: what else the machine does falls on them differently. Needs matplotlib: the
extra `plots`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks import bench_agents, bench_batch, bench_knowledge
from tests.benchmarks.bench_math import generated
from tests.functions.processes import running_function
from verifleet.knowledge_base.build import build
from verifleet.serving.app import GARBAGE_THRESHOLDS
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.storage.sqlite import SqliteStore

CLIENTS = (1, 2, 4, 8, 16, 32, 64)
BATCHES = (1, 4, 16, 64, 256, 1024, 4096)
EVENTS = (100, 1_000, 10_000, 100_000)
FACTS = (100, 1_000, 10_000, 100_000, 1_000_000)
MEASURED = 200

Points = dict[str, list[tuple[int, float]]]
"""Of each line by its name: (how many, figure)."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One plot: its axes, and what measures it within so many seconds a point."""

    across: str
    up: str
    measure: Callable[[float], Points]


def math_rows(seed: int) -> Iterator[dict[str, Any]]:
    """Requests of which no two are equal, without end."""
    turn = 0
    while True:
        for item in generated(500, seed=seed):
            yield {name: item[name] for name in bench_batch.FIELDS} | {"request_id": f"{turn}"}
        turn, seed = turn + 1, seed + 1


def clients(longest: float) -> Points:
    """Requests to `/verify` of math, each client one after the other on a connection of its own."""
    found: Points = {"requests a second": [], "p99, ms": []}

    async def at_once(url: str, count: int) -> tuple[float, float]:
        took: list[float] = []
        rows = math_rows(count)
        until = time.perf_counter() + longest

        async def one(client: httpx.AsyncClient) -> None:
            while time.perf_counter() < until:
                began = time.perf_counter()
                (await client.post(url, json=next(rows))).raise_for_status()
                took.append(time.perf_counter() - began)

        async with httpx.AsyncClient(limits=httpx.Limits(max_connections=count), timeout=60) as client:
            began = time.perf_counter()
            await asyncio.gather(*(one(client) for _ in range(count)))
            return len(took) / (time.perf_counter() - began), sorted(took)[int(len(took) * 0.99)] * 1000

    with tempfile.TemporaryDirectory() as folder, running_function("math_verifier", Path(folder)) as server:
        url = f"http://127.0.0.1:{server.port}/verify"
        asyncio.run(at_once(url, 2))
        for count in CLIENTS:
            rate, p99 = asyncio.run(at_once(url, count))
            found["requests a second"].append((count, rate))
            found["p99, ms"].append((count, p99))
    return found


def batches(longest: float) -> Points:
    """Requests of `/verify/batch` of math, one batch after the other."""
    found: Points = {"requests a second": []}
    with tempfile.TemporaryDirectory() as folder, running_function("math_verifier", Path(folder)) as server:
        for size in (16, *BATCHES):
            rows, sent = math_rows(size), 0
            began = time.perf_counter()
            while (spent := time.perf_counter() - began) < longest or not sent:
                bench_batch.over_http(server, [next(rows) for _ in range(size)], size, 1)
                sent += size
            found["requests a second"].append((size, sent / spent))
    del found["requests a second"][0]  # what is loaded with the first
    return found


def events(longest: float) -> Points:
    """Events of the verifier agent alone, in process, beside reports of the same incidents."""
    found: Points = {"events a second": [], "p99, ms": []}

    async def beside(earlier: int) -> tuple[float, float]:
        incidents = max(1, earlier // bench_agents.REPORTS_PER_INCIDENT)
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "store.db")
            await bench_agents.remember(store, earlier, incidents)
            agent, took = VerifierAgent(store), []
            until = time.perf_counter() + longest
            for number in range(MEASURED + 20):
                given = bench_agents.envelope("event_v1", bench_agents.event(earlier + number * 7, incidents))
                began = time.perf_counter()
                await agent(given, cause=f"c-{number}")
                took.append(time.perf_counter() - began)
                if time.perf_counter() > until and number > 50:
                    break
            await store.close()
        took = sorted(took[20:])
        return 1 / statistics.fmean(took), took[int(len(took) * 0.99)] * 1000

    for earlier in EVENTS:
        rate, p99 = asyncio.run(beside(earlier))
        found["events a second"].append((earlier, rate))
        found["p99, ms"].append((earlier, p99))
    return found


def facts(longest: float) -> Points:
    """Exact and misspelt look-ups in knowledge bases, by CPU time, each in a fresh process."""
    found: Points = {"exact": [], "misspelt": []}
    with tempfile.TemporaryDirectory() as folder:
        for count in FACTS:
            path = Path(folder) / f"{count}.db"
            build(bench_knowledge.facts(count), path)
            values = bench_knowledge.measured(path, count)
            for name, points in found.items():
                points.append((count, values[name]))
            path.unlink()
    return found


CURVES: dict[str, Curve] = {
    "clients": Curve("clients at once", "math over /verify", clients),
    "batches": Curve("requests in a batch", "math over /verify/batch", batches),
    "events": Curve("earlier events in the store", "verifier agent", events),
    "facts": Curve("facts", "look-ups a CPU second", facts),
}


def plot(name: str, curve: Curve, points: Points, machine: str, to: Path) -> None:
    """Draw one curve; both axes are logarithmic. Raises ImportError without matplotlib."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "verifleet"}
    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    for line, values in points.items():
        axes.plot(*zip(*values, strict=True), marker="o", label=line)
    axes.set(xscale="log", yscale="log", xlabel=curve.across, ylabel=curve.up)
    axes.set_title(machine, fontsize=8)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    figure.savefig(to / f"scaling-{name}.svg", metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CURVES)}; all by default")
    parser.add_argument("--to", type=Path, default=Path("docs/images"))
    parser.add_argument("--longest", type=float, default=5.0, help="seconds for a point")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(CURVES):
        parser.error(f"no curve {', '.join(sorted(unknown))}; there are: {', '.join(CURVES)}")
    logging.disable(logging.CRITICAL)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    kept = Path("build/curves.json")
    known = json.loads(kept.read_text()) if kept.exists() else {}
    for name in chosen.names or CURVES:
        curve = CURVES[name]
        points = curve.measure(chosen.longest)
        load = os.getloadavg()[0]
        machine = f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, load {load:.0f}"
        for line, values in points.items():
            told = ", ".join(f"{count:,}: {value:,.4g}" for count, value in values)
            print(f"{name}, {line}: {told} ({machine})", flush=True)
        known[name] = {"machine": machine, "points": points}
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(known, indent=1) + "\n")
        chosen.to.mkdir(parents=True, exist_ok=True)
        plot(name, curve, points, machine, chosen.to)


if __name__ == "__main__":
    main()
