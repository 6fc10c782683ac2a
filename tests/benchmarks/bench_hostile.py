"""Normal requests beside hostile ones: 100 hostile bodies in bursts of 8 over HTTP against each real function.

Goal: p99 of the normal ones under 500 ms and no wrong verdict, for each verifier.
Run: python -m tests.benchmarks.bench_hostile [NUMBER of hostile ones] [math knowledge format]
"""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.figures import row
from tests.functions.processes import running_function
from tests.hostile import bodies

GOAL_MS = 500.0
HOSTILE = 100
BURST = 8
NORMAL_EVERY_S = 0.05
WAIT_S = 120.0
NAMES = ("math", "knowledge", "format")


@dataclass
class Seen:
    """What was measured at one function."""

    normal_ms: list[float] = field(default_factory=list)
    wrong: list[Any] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    hostile_s: list[tuple[float, str]] = field(default_factory=list)


async def stream(client: httpx.AsyncClient, name: str, seen: Seen, over: asyncio.Event) -> None:
    """Normal requests at a steady rate, whether or not the earlier ones are answered."""
    asking = []
    number = 0
    while not over.is_set():
        asking.append(asyncio.ensure_future(_normal(client, name, number, seen)))
        number += 1
        await asyncio.sleep(NORMAL_EVERY_S)
    await asyncio.gather(*asking)


async def _normal(client: httpx.AsyncClient, name: str, number: int, seen: Seen) -> None:
    body, score = bodies.normal(name, number)
    started = time.perf_counter()
    try:
        result = (await client.post("/verify", json=body)).json()
    except httpx.HTTPError as error:
        result = {"score": repr(error)}
    seen.normal_ms.append((time.perf_counter() - started) * 1000.0)
    if result.get("score") != score:
        seen.wrong.append((body, score, result))


async def _hostile(client: httpx.AsyncClient, label: str, body: bodies.Body, seen: Seen) -> None:
    started = time.perf_counter()
    content = json.dumps(body).encode()
    try:
        answer = await client.post("/verify", content=content, headers={"Content-Type": "application/json"})
        outcome = answer.json().get("status") if answer.status_code == 200 else f"HTTP {answer.status_code}"
    except httpx.HTTPError as error:
        outcome = type(error).__name__
    seen.statuses[str(outcome)] += 1
    seen.hostile_s.append((time.perf_counter() - started, label))
    if outcome == "error":
        print(f"  error: {label}: {answer.json()['reason'][:150]}")


async def measure(name: str, port: int, count: int) -> Seen:
    """Bursts one after the other, beside the stream."""
    seen, over = Seen(), asyncio.Event()
    limits = httpx.Limits(max_connections=1_000, max_keepalive_connections=0)  # the server ends idle ones by itself
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=WAIT_S, limits=limits) as client:
        for number in range(40):  # everything is imported
            await _normal(client, name, number, seen)
        await asyncio.sleep(2.0)
        seen = Seen()
        streaming = asyncio.ensure_future(stream(client, name, seen, over))
        corpus = bodies.hostile(name)
        drawn = [corpus[number % len(corpus)] for number in range(count)]
        for start in range(0, count, BURST):
            await asyncio.gather(*(_hostile(client, *item, seen) for item in drawn[start : start + BURST]))
        over.set()
        await streaming
    return seen


def main() -> None:
    """Print what was seen; exit 1 where the goal is missed."""
    good = True
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    count = numbers[0] if numbers else HOSTILE
    for name in [word for word in sys.argv[1:] if not word.isdigit()] or NAMES:
        with tempfile.TemporaryDirectory() as folder, running_function(f"{name}_verifier", Path(folder)) as server:
            started = time.perf_counter()
            seen = asyncio.run(measure(name, server.port, count))
            seconds = time.perf_counter() - started
        times = sorted(seen.normal_ms)
        p99 = times[int(len(times) * 0.99)]
        slowest, label = max(seen.hostile_s)
        print(
            f"{name:>9}: {len(times)} normal: p50 {statistics.median(times):.1f} ms, p99 {p99:.0f} ms,"
            f" max {times[-1]:.0f} ms, {len(seen.wrong)} wrong; {count} hostile: {dict(seen.statuses)},"
            f" slowest {slowest:.1f} s ({label}); {seconds:.0f} s",
            flush=True,
        )
        for body, score, result in seen.wrong[:3]:
            print("  wrong:", json.dumps(body)[:150], score, json.dumps(result)[:200])
        good &= p99 < GOAL_MS and not seen.wrong
        row(
            f"{name}: normal requests beside hostile ones, p99",
            p99,
            "ms",
            against=GOAL_MS,
            of="goal",
            wanted=1,
            better="less",
        )
    print(f"goal: p99 of the normal ones under {GOAL_MS:.0f} ms, none wrong: {'reached' if good else 'MISSED'}")
    sys.exit(not good)


if __name__ == "__main__":
    main()
