"""`verifleet score` on a mixed data set: in processes of this machine, by the fleet, and on Ray.

    python -m tests.benchmarks.bench_score [--rows N] [--ways cores,fleet,ray] [--large MB]

Of a hundred rows, 60 are math (of ten, one without a reference and two algebraic), 25 JSON of 1 kB under a schema, 10
knowledge and 5 programs with five calls. Memory is that of the command and of all processes below it, shared pages
counted once; CPU tells on a busy machine what a rate can't. What the client adds is its CPU seconds beside those of the
functions that it asks (of programs, beside the runner's too). Ray is used where `make test-ray` has installed it.

With --large, instead: files of a tenth and of all of so many MB, rows of 64 kB as a trainer dumps them with their token
ids; it fails where the large one takes more than 1.5 times the memory of the small one.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.toolbox import FOLDER, ROOT

from tests.benchmarks.bench_cpu_seconds import code_request, format_request, knowledge_request, math_request
from tests.benchmarks.figures import row
from tests.benchmarks.process_cpu import code_fleet_cpu_s
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet

MIX = (("math", math_request, 60), ("format", format_request, 25), ("knowledge", knowledge_request, 10))
ROWS = 20_000
LOOK_S = 0.5
GROWTH = 1.5
RAY_PYTHON = FOLDER / "ray" / "venv" / "bin" / "python"
CLUSTER = """
import sys
from ray.cluster_utils import Cluster
nodes = {"num_cpus": 1, "object_store_memory": 128 * 1024 * 1024}
cluster = Cluster(initialize_head=True, head_node_args=nodes)
cluster.add_node(**nodes)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the command took."""

    rows: int
    seconds: float
    cpu_s: float
    """Of the command and of what it started and waited for."""
    memory_mb: float


def write_rows(file: Path, count: int, seed: int = 1) -> None:
    """A mixed data set, the same for the same seed."""
    dice = random.Random(seed)
    makers = [(name, maker) for name, maker, share in MIX for _ in range(share)] + [("code", code_request)] * 5
    with file.open("w") as out:
        for number in range(count):
            name, maker = dice.choice(makers)
            out.write(json.dumps({"id": number, "verifier": name, **maker(dice)}) + "\n")


def write_large(file: Path, megabytes: int, seed: int = 1) -> int:
    """Answers with the ids of their tokens beside them, until there are so many MB; how many rows that is."""
    dice = random.Random(seed)
    ids = [dice.randrange(100_000) for _ in range(10_000)]
    rows = 0
    with file.open("w") as out:
        while out.tell() < megabytes * 1_000_000:
            row = {"id": rows, "verifier": "math", **math_request(dice), "token_ids": ids[rows % 100 :]}
            out.write(json.dumps(row) + "\n")
            rows += 1
    return rows


def large(folder: Path, megabytes: int) -> None:
    """Memory does not grow with the file. Stops where it does."""
    peaks = []
    for size in (max(1, megabytes // 10), megabytes):
        source = folder / "large.jsonl"
        rows = write_large(source, size)
        run = score(source, folder / f"large-{size}.jsonl")
        peaks.append(run.memory_mb)
        tell(f"a file of {source.stat().st_size / 1e6:,.0f} MB", run, f"{rows:,} rows were written")
    if peaks[1] > GROWTH * peaks[0]:
        raise SystemExit(f"memory grew with the file: {peaks[0]:.0f} MB to {peaks[1]:.0f} MB")


def score(source: Path, out: Path, *more: str, python: str = sys.executable) -> Run:
    """Run the command and look at it meanwhile; stops where a row has no verdict."""
    command = [python, "-m", "verifleet.cli", "score", str(source), "-o", str(out), "--json", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "shared")}
    started = time.monotonic()
    with (out.parent / "stderr").open("w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment)
    peak = [0.0]
    watching = threading.Thread(target=_watch, args=(process.pid, peak), daemon=True)
    watching.start()
    assert process.stdout is not None
    told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    watching.join()
    if status:
        raise SystemExit(
            f"{' '.join(command)} ended with {status}: {told[-500:]!r}\n{(out.parent / 'stderr').read_text()}"
        )
    return Run(json.loads(told)["rows"], seconds, usage.ru_utime + usage.ru_stime, peak[0])


def _watch(pid: int, peak: list[float]) -> None:
    while Path(f"/proc/{pid}/smaps_rollup").exists():
        used = sum(_memory_mb(one) for one in _tree(pid))
        if not used:
            return
        peak[0] = max(peak[0], used)
        time.sleep(LOOK_S)


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))


def _memory_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/smaps_rollup").read_text().split("\nPss:")[1].split()[0]) / 1000
    except (OSError, IndexError):
        return 0.0


def cores(source: Path, folder: Path) -> None:
    """In processes of this machine."""
    run = score(source, folder / "cores.jsonl")
    tell("one process for each CPU", run, f"CPU {run.cpu_s / run.rows * 1000:.2f} ms a row")


def fleet(source: Path, folder: Path) -> None:
    """By the fleet of `make run`."""
    running = Fleet(folder / "fleet", free_addresses())
    running.start()
    try:
        names = ("math", "format", "knowledge", "code")
        urls = [part for name in names for part in ("--url", f"{name}={running.addresses.url(f'{name}_verifier')}")]
        score(_head(source, 2_000), folder / "warm.jsonl", *urls)
        before = code_fleet_cpu_s(running)
        run = score(source, folder / "fleet.jsonl", *urls)
        used = _difference(code_fleet_cpu_s(running), before)
    finally:
        running.stop()
    functions = sum(used[f"{name}_verifier"] for name in names)
    served = functions + used["runner"] + used["sandbox"] + used["broker"]
    what = (
        f"CPU of the client {run.cpu_s:.0f} s, of the functions {functions:.0f} s, of all that serve {served:.0f} s: "
    )
    tell("by the fleet", run, what + f"{run.cpu_s / functions:.1%} and {run.cpu_s / served:.1%}")


def on_ray(source: Path, folder: Path) -> None:
    """On two nodes of one CPU, as processes of this machine."""
    if not RAY_PYTHON.exists():
        print("on Ray: skipped, `make test-ray` installs it")
        return
    python = str(RAY_PYTHON)
    cluster = subprocess.Popen([python, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert cluster.stdout is not None
    try:
        address = cluster.stdout.readline().strip()
        run = score(source, folder / "ray.jsonl", "--ray", address, python=python)
    finally:
        cluster.communicate("")
    tell("on Ray, two nodes of one CPU", run, f"memory and CPU ({run.cpu_s:.0f} s) are those of the command alone")


def tell(what: str, run: Run, more: str) -> None:
    """One line."""
    rate, load = run.rows / run.seconds, os.getloadavg()[0]
    took = f"{run.rows:,} rows in {run.seconds:.0f} s, {rate:,.0f} a second"
    print(f"{what}: {took}, peak memory {run.memory_mb:.0f} MB; {more} (load {load:.1f})", flush=True)
    row(f"verifleet score {what}", rate, "rows/s")


def _difference(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: after[name] - before.get(name, 0.0) for name in after}


def _head(source: Path, rows: int) -> Path:
    part = source.with_name("head.jsonl")
    with source.open() as lines, part.open("w") as out:
        for _, line in zip(range(rows), lines, strict=False):
            out.write(line)
    return part


WAYS = {"cores": cores, "fleet": fleet, "ray": on_ray}


def main() -> None:
    """Make the rows and score them each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--large", type=int, metavar="MB", default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.large:
            large(Path(folder), given.large)
            return
        source = Path(folder) / "rows.jsonl"
        write_rows(source, given.rows)
        print(f"{given.rows:,} rows, {source.stat().st_size / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)
        for way in given.ways.split(","):
            WAYS[way](source, Path(folder))


if __name__ == "__main__":
    main()
