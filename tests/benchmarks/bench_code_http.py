"""Programs over HTTP, through topics and runner and back, on a real local fleet: rate, latency, CPU of each process.

    python -m tests.benchmarks.bench_code_http [PROGRAMS]

The runner is warm: its start is reported apart. `sandbox` is what the jailed programs themselves and their keeper use.
"""

from __future__ import annotations

import contextlib
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.code_programs import compare, forked_rate, function_rows
from tests.benchmarks.process_cpu import code_fleet_cpu_s, told
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet

BATCH = 600
SLEEPERS = 50
SLEEPER = {
    "response": "```python\nimport time\ntime.sleep(3600)\n```",
    "reference": {"language": "python", "tests": [{"input": "", "output": ""}]},
    "options": {"limits": {"wall_s": 8}},
}


def program(index: int, salt: str) -> dict[str, Any]:
    code = f"```python\nprint(int(input()) + {index})  # {salt}\n```"
    tests = [{"input": "1", "output": str(index + 1)}]
    return {"request_id": str(index), "response": code, "reference": {"language": "python", "tests": tests}}


def batch(client: httpx.Client, requests: list[dict[str, Any]]) -> float:
    """Seconds that a batch took; every program must be judged right."""
    started = time.perf_counter()
    answer = client.post("/verify/batch", json={"requests": requests}).raise_for_status().json()
    seconds = time.perf_counter() - started
    assert answer["summary"]["verdict"] == {"correct": len(requests)}, answer["summary"]
    return seconds


def single(client: httpx.Client, request: dict[str, Any]) -> float:
    """Seconds that one request took."""
    started = time.perf_counter()
    answer = client.post("/verify", json=request).raise_for_status().json()
    assert answer["score"] == 1.0, answer
    return time.perf_counter() - started


def beside_sleepers(client: httpx.Client, count: int) -> float:
    """Seconds that a batch takes while SLEEPERS programs sleep until their time is up."""
    with ThreadPoolExecutor(SLEEPERS) as threads:
        sleeping = [threads.submit(client.post, "/verify", json=SLEEPER | {"prompt": str(n)}) for n in range(SLEEPERS)]
        time.sleep(1.0)
        seconds = batch(client, [program(index, "beside") for index in range(count)])
        still = sum(not future.done() for future in sleeping)
    print(f"while {still} of {SLEEPERS} programs slept on:", end=" ")
    return seconds


@contextlib.contextmanager
def code_fleet() -> Iterator[tuple[Fleet, httpx.Client]]:
    """Broker, code verifier and a runner that is up, as real processes, and a client of the code verifier."""
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(Path(folder), free_addresses())
        fleet.members = [member for member in fleet.members if member.name in ("broker", "code_verifier")]
        started = time.perf_counter()
        fleet.start()
        limits = httpx.Limits(max_connections=SLEEPERS + 10, max_keepalive_connections=SLEEPERS + 10)
        try:
            with httpx.Client(base_url=fleet.addresses.url("code_verifier"), timeout=280, limits=limits) as client:
                ready = time.perf_counter()
                answered = single(client, program(0, "first"))
                print(f"cold start: broker and function {ready - started:.2f} s, ", end="")
                print(f"first answer with the runner started for it {answered:.2f} s")
                batch(client, [program(index, "warm") for index in range(40)])
                yield fleet, client
        finally:
            fleet.stop()


def functions(fleet: Fleet, client: httpx.Client, rows: list[tuple[str, str]]) -> None:
    """Test programs in HumanEval's form through /verify/batch, against one forked unisolated executor for each."""
    salts = itertools.count()

    def requests(times: int) -> list[dict[str, Any]]:
        # Equal content is judged once for many, so that of every request differs by its prompt.
        return [
            {"prompt": f"{next(salts)}", "response": f"```python\n{code}\n```", "reference": {"test_code": test}}
            for _ in range(times)
            for code, test in rows
        ]

    times = max(1, round(BATCH / len(rows)))
    before = code_fleet_cpu_s(fleet)
    compare(
        f"test programs over HTTP, batches of {times * len(rows)}",
        "programs/s",
        lambda: times * len(rows) / batch(client, requests(times)),
        lambda: forked_rate(rows),
        3,
    )
    count = 3 * times * len(rows)
    print(f"  CPU for each program: {told(before, code_fleet_cpu_s(fleet), count)}")
    for clients in (1, 8):
        with ThreadPoolExecutor(clients) as threads:
            took = sorted(threads.map(lambda body: single(client, body), requests(max(1, round(320 / len(rows))))))
        cuts = statistics.quantiles(took, n=100)
        print(f"  /verify, {clients} at a time: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms", flush=True)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with code_fleet() as (fleet, client):
        functions(fleet, client, function_rows())
        before = code_fleet_cpu_s(fleet)
        seconds = batch(client, [program(index, "batch") for index in range(count)])
        print(f"batch of {count} with one stdin test each: {count / seconds:.0f} programs/s")
        print(f"  CPU for each program: {told(before, code_fleet_cpu_s(fleet), count)}")
        alone = batch(client, [program(index, "alone") for index in range(100)])
        beside = beside_sleepers(client, 100)
        print(f"100 others in {beside:.1f} s, {alone:.1f} s without the sleepers")


if __name__ == "__main__":
    main()
