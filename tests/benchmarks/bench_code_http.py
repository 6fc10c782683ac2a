"""Programs over HTTP, through topics and runner and back, on a real local fleet: rate, latency, CPU of each process.

    python -m tests.benchmarks.bench_code_http [PROGRAMS]

The runner is warm: its start is reported apart. `sandbox` is what the jailed programs themselves and their keeper use.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.process_cpu import code_fleet_cpu_s, told
from verifleet.local.demo import free_addresses
from verifleet.local.fleet import Fleet

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


def single(client: httpx.Client, index: int) -> float:
    started = time.perf_counter()
    answer = client.post("/verify", json=program(index, "one")).raise_for_status().json()
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


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(Path(folder), free_addresses())
        fleet.members = [member for member in fleet.members if member.name in ("broker", "code_verifier")]
        fleet.start()
        limits = httpx.Limits(max_connections=SLEEPERS + 10, max_keepalive_connections=SLEEPERS + 10)
        url = fleet.addresses.url("code_verifier")
        try:
            with httpx.Client(base_url=url, timeout=280, limits=limits) as client:
                print(f"first answer, runner started for it: {single(client, 0):.2f} s")
                batch(client, [program(index, "warm") for index in range(40)])
                before = code_fleet_cpu_s(fleet)
                seconds = batch(client, [program(index, "batch") for index in range(count)])
                print(f"batch of {count}: {count / seconds:.0f} programs/s")
                print(f"CPU for each program: {told(before, code_fleet_cpu_s(fleet), count)}")
                times = sorted(single(client, index) for index in range(1, 101))
                cuts = statistics.quantiles(times, n=100)
                print(f"one at a time: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms")
                alone = batch(client, [program(index, "alone") for index in range(100)])
                beside = beside_sleepers(client, 100)
                print(f"100 others in {beside:.1f} s, {alone:.1f} s without the sleepers")
        finally:
            fleet.stop()


if __name__ == "__main__":
    main()
