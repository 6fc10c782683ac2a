"""Events through all three agents of a real local fleet: rate, and time from publish to brief.

    python -m tests.benchmarks.bench_pipeline [EVENTS]

Every event is a report of its own session, so that each gives one brief and its time can be told.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import row
from tests.benchmarks.process_cpu import fleet_cpu_s, told
from verifleet.commands.demo import free_addresses
from verifleet.commands.publish import attributes_of, wrap
from verifleet.local.local_fleet import Fleet

PLACES = ("Leeds", "Rotterdam", "Medan", "Calgary", "Hobart", "Lille", "Porto", "Tulsa")
GOAL_RATE, GOAL_MS = 250.0, 100.0
HAZARDS = ("flooding", "a warehouse fire", "an earthquake", "a train derailment", "a severe storm")


def report(index: int) -> dict[str, Any]:
    place, hazard = PLACES[index % len(PLACES)], HAZARDS[index % len(HAZARDS)]
    content = f"At least {index % 90 + 3} people injured in {hazard} in {place}, crews are on Station Road"
    return {"source": "news", "content": content, "location": place, "metadata": {"author": f"desk-{index}"}}


def paced(fleet: Fleet, publisher: Any, subscriber: Any, count: int, rate: float | None) -> tuple[float, list[float]]:
    """Publish `count` events (at `rate` a second, or all at once); returns events a second and each one's seconds."""
    project = fleet.project
    inbox = f"projects/{project}/subscriptions/bench-{uuid.uuid4().hex[:8]}"
    subscriber.create_subscription(name=inbox, topic=f"projects/{project}/topics/incident-briefs")
    sent: dict[str, float] = {}
    took: dict[str, float] = {}
    all_there = threading.Event()

    def receive(message: Any) -> None:
        session = message.attributes["session_id"]
        if session in sent and session not in took:
            took[session] = time.perf_counter() - sent[session]
            if len(took) == count:
                all_there.set()
        message.ack()

    stream = subscriber.subscribe(inbox, callback=receive)
    started = time.perf_counter()
    futures = []
    for index in range(count):
        if rate is not None:
            time.sleep(max(0.0, started + index / rate - time.perf_counter()))
        envelope = wrap(report(index), f"bench-{uuid.uuid4()}")
        sent[envelope["session_id"]] = time.perf_counter()
        topic = f"projects/{project}/topics/raw-events"
        futures.append(publisher.publish(topic, json.dumps(envelope).encode(), **attributes_of(envelope)))
    for future in futures:
        future.result(timeout=30)
    if not all_there.wait(timeout=180):
        print(f"only {len(took)} of {count} briefs came back")
    seconds = time.perf_counter() - started
    stream.cancel()
    stream.result()
    subscriber.delete_subscription(subscription=inbox)
    return len(took) / seconds, sorted(took.values())


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(Path(folder), free_addresses())
        wanted = ("broker", "ingest_agent", "verifier_agent", "summarizer_agent")
        fleet.members = [member for member in fleet.members if member.name in wanted]
        fleet.start()
        try:
            with fleet.clients() as (publisher, subscriber):
                paced(fleet, publisher, subscriber, 50, None)
                before = fleet_cpu_s(fleet)
                rate, times = paced(fleet, publisher, subscriber, count, None)
                after = fleet_cpu_s(fleet)
                print(f"CPU for each event: {told(before, after, count)}")
                print(f"{count} events at once: {rate:.0f} events/s, p50 {_ms(times, 50)}, p99 {_ms(times, 99)}")
                row("events through all three agents", rate, "events/s", against=GOAL_RATE, of="goal", wanted=1)
                for name in after:
                    row(f"  CPU of {name}", (after[name] - before[name]) / count * 1000, "ms an event")
                for name, given in (("half that rate", rate / 2), ("half the wanted rate", GOAL_RATE / 2)):
                    got, times = paced(fleet, publisher, subscriber, max(100, count // 2), given)
                    print(f"at {name} ({got:.0f}/s): p50 {_ms(times, 50)}, p99 {_ms(times, 99)} publish to brief")
                    p99 = statistics.quantiles(times, n=100)[98] * 1000
                    goal = {"against": GOAL_MS, "of": "goal", "wanted": 1, "better": "less"}
                    row(f"publish to brief at {name}, p99", p99, "ms", **goal)
        finally:
            fleet.stop()


def _ms(times: list[float], percent: int) -> str:
    return f"{statistics.quantiles(times, n=100)[percent - 1] * 1000:.0f} ms"


if __name__ == "__main__":
    main()
