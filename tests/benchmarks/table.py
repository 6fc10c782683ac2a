"""Every benchmark in a short form, one after the other, in one table: `make bench`.

    python -m tests.benchmarks.table [NAME ...] [--json build/bench.json]

Each row has our figure, that of a peer in the same run or the limit that is wanted, and the ratio. A whole benchmark
with all that it prints is `make bench-NAME`. Rates depend on the machine and its other work; ratios to a peer that ran
at the same time, and CPU time, mostly don't. Exit code 1 where a benchmark broke off without a figure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import VARIABLE

SHORT: dict[str, tuple[str, ...]] = {
    "math": (),
    "batch": ("--requests", "2000"),
    "code": (),
    "code_http": ("200",),
    "code_cloud": ("--instances", "1", "--programs", "512", "--warm"),
    "cpp": ("3",),
    "knowledge": ("1000", "100000"),
    "format": (),
    "claims": (),
    "agents": ("10", "1000"),
    "agent_memory": ("2000",),
    "pipeline": ("400",),
    "desk": (),
    "broker": ("--messages", "3000"),
    "coldstart": ("3",),
    "hostile": ("24",),
    "hostile_code": ("24",),
    "outage": ("sqlite", "3"),
    "score": ("--rows", "2000", "--ways", "cores,fleet"),
    "cpu_seconds": (),
}
"""The arguments of each benchmark's short form."""
LIMIT_S = 600.0


def rows_of(name: str, folder: Path) -> tuple[list[dict[str, Any]], str]:
    """What a benchmark told, and what went wrong with it, if anything did."""
    gathered, printed = folder / f"{name}.jsonl", folder / f"{name}.txt"
    command = [sys.executable, "-m", f"tests.benchmarks.bench_{name}", *SHORT[name]]
    with printed.open("w") as out:
        try:
            environment = {**os.environ, VARIABLE: str(gathered)}
            done = subprocess.run(command, stdout=out, stderr=out, timeout=LIMIT_S, env=environment, check=False)
            wrong = f"exit code {done.returncode}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            wrong = f"longer than {LIMIT_S:.0f} s"
    rows = [json.loads(line) for line in gathered.read_text().splitlines()] if gathered.exists() else []
    # A benchmark that misses its goal ends with 1 too; its rows say so.
    return rows, "" if rows else f"{wrong}: {printed.read_text()[-300:]!r}"


def amount(value: float | None) -> str:
    """A figure with three digits that count."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def line(row: dict[str, Any]) -> str:
    """One row of the table."""
    other = f"{amount(row['against'])} ({row['of']})" if row["against"] is not None else ""
    ratio = f"{row['ratio']:.2f}" if row["ratio"] is not None else ""
    wanted = f"{'at least' if row['better'] == 'more' else 'at most'} {row['wanted']:g}" if row["wanted"] else ""
    missed = "" if row["met"] in (True, None) else "  MISSED"
    return f"{row['what']:<58} {amount(row['ours']):>9} {row['unit']:<18} {other:<28} {ratio:>7} {wanted}{missed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SHORT)}; all by default")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"))
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(SHORT):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(SHORT)}")
    print(f"{'what':<58} {'ours':>9} {'':<18} {'peer or limit':<28} {'ratio':>7} wanted", flush=True)
    found: list[dict[str, Any]] = []
    broken: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.names or SHORT:
            began = time.monotonic()
            rows, wrong = rows_of(name, Path(folder))
            if wrong:
                broken[name] = wrong
                print(f"{name}: broke off: {wrong}", flush=True)
            for row in rows:
                found.append(row | {"benchmark": name, "took_s": round(time.monotonic() - began, 1)})
                print(line(row), flush=True)
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    head = {"measured": datetime.now(UTC).isoformat("T", "seconds"), "machine": machine, "load": os.getloadavg()[0]}
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(head | {"rows": found, "broken": broken}, indent=2) + "\n")
    missed = sum(row["met"] is False for row in found)
    print(f"{len(found)} figures, {missed} goals missed, {len(broken)} benchmarks broken off; in {chosen.json}")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
