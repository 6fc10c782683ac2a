"""Math over `/verify/batch` beside the same requests judged in process: how much of the rate is left over HTTP.

    python -m tests.benchmarks.bench_batch [--requests 4000] [--batch 500] [--clients 1]

Both sides have two worker processes at most as the machine has CPUs, and take turns, so that the machine's other work
falls on both. CPU time is that of all processes of a side: on a busy machine it tells more than the rates.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.bench_math import generated
from tests.benchmarks.figures import row
from tests.benchmarks.process_cpu import session_cpu_s
from tests.functions.processes import Running, running_function
from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

ROUNDS = 3
GOAL = 0.7
FIELDS = ("prompt", "response", "reference")


def over_http(server: Running, rows: list[dict[str, Any]], batch: int, clients: int) -> float:
    """Requests a second; every answer must be there."""
    bodies = [json.dumps({"requests": rows[at : at + batch]}).encode() for at in range(0, len(rows), batch)]

    def ask(body: bytes) -> int:
        answer = server.post("/verify/batch", body)
        assert answer.status == 200, answer.body[:300]
        return len(json.loads(answer.body)["results"])

    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        assert sum(threads.map(ask, bodies)) == len(rows)
    return len(rows) / (time.perf_counter() - started)


def in_process(verifier: MathVerifier, rows: list[dict[str, Any]]) -> float:
    """The same from parsed requests to results, by the verifier's own processes."""
    requests = [parse_request("math", dict(item)) for item in rows]
    started = time.perf_counter()
    assert len(verifier.check_batch(requests)) == len(rows)
    return len(rows) / (time.perf_counter() - started)


def distinct(rows: list[dict[str, Any]], turn: int) -> list[dict[str, Any]]:
    """The same responses with other white space at their end, so that nothing comes from what is remembered."""
    return [item | {"response": item["response"] + "\n" * turn} for item in rows]


def children_cpu_s() -> float:
    """CPU seconds of this process and of the processes below it."""
    return session_cpu_s(os.getsid(0))


def main() -> None:
    """Print both rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--clients", type=int, default=1)
    given = parser.parse_args()
    rows = [{name: item[name] for name in FIELDS} for item in generated(given.requests, seed=5)]
    with contextlib.suppress(PermissionError):
        os.setsid()  # so that its processes are told from others
    verifier = MathVerifier()
    http, inside, http_cpu, inside_cpu = [], [], [], []
    with tempfile.TemporaryDirectory() as folder, running_function("math_verifier", Path(folder)) as server:
        over_http(server, rows[:200], given.batch, 1)
        in_process(verifier, rows[:200])
        for turn in range(1, ROUNDS + 1):
            turned = distinct(rows, turn)
            before = session_cpu_s(server.process.pid)
            http.append(over_http(server, turned, given.batch, given.clients))
            after, then = session_cpu_s(server.process.pid), children_cpu_s()
            http_cpu.append((after - before) / len(rows) * 1000)
            inside.append(in_process(verifier, turned))
            inside_cpu.append((children_cpu_s() - then) / len(rows) * 1000)
    over, own = statistics.median(http), statistics.median(inside)
    print(
        f"over /verify/batch ({given.batch} at a time, {given.clients} at once): {over:,.0f}/s, in process {own:,.0f}/s"
    )
    print(f"ratio {statistics.median(a / b for a, b in zip(http, inside, strict=True)):.2f} (goal {GOAL})")
    served, judged = statistics.median(http_cpu), statistics.median(inside_cpu)
    print(f"CPU for each: function {served:.3f} ms, in process {judged:.3f} ms")
    row("math over /verify/batch", over, "requests/s", against=own, of="in process", wanted=GOAL)
    cpu = {"against": judged, "of": "in process", "wanted": 1 / GOAL, "better": "less"}
    row("math over /verify/batch, CPU of the function", served, "ms a request", **cpu)  # type: ignore[arg-type]
    verifier.close()


if __name__ == "__main__":
    main()
