"""A fleet under steady load for a long time: what grows beyond its bounds? `make soak`

    python -m tests.reliability.soak [--minutes 20] [--share 0.7] [--json build/soak.json]

First its capacity is measured, events and verifications together: what is answered as fast as it can be asked for, and
of that the most that it keeps up with when it comes evenly, one by one (which costs more for each than what comes at
once). Then both flow at a share of that. Sampled all the time: memory, descriptors and threads of each process, the
SQLite files, the logs, the time of a verification and from publish to brief. At the end the last quarter is held
against the second one, after everything was loaded and used:

- memory, descriptors and threads stay as they are, within what a garbage collector and a pool of threads may add;
- p99 stays within twice what it was;
- SQLite files grow by what is kept (`retention`), so no more for an event than they did before; their logs are bounded;
- the log files are bounded by their rotation.

Exit code 1 where one is beyond its bound.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks import bench_cpu_seconds as requests
from tests.benchmarks.bench_pipeline import report
from tests.reliability.campaign import own_addresses
from verifleet.commands.publish import attributes_of, wrap
from verifleet.local.local_fleet import Fleet
from verifleet.local.logs import MAX_BYTES, OLDER_KEPT

REPORTS_PER_SESSION = 5
CALIBRATION_S = 20.0
SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
"""Of what is answered at most, tried one after the other: the first that it keeps up with is its capacity."""
BEHIND_S = 1.0
"""It keeps up as long as no more is on the way than comes in this time."""
SAMPLES = 60
"""Over the whole run."""
CLIENTS = 4
MORE_MB, MORE_DESCRIPTORS, MORE_THREADS = 48.0, 24.0, 8.0
SLOWER, SLOWER_MS = 2.0, 250.0
MORE_BYTES_AN_EVENT = 1.5
LOG_OF_SQLITE = 128 * 2**20
LOGS = (OLDER_KEPT + 2) * MAX_BYTES


@dataclass
class Flow:
    """Events and verifications that flow until it is stopped, each at a rate or as fast as they are answered."""

    fleet: Fleet
    publisher: Any
    stopping: threading.Event = field(default_factory=threading.Event)
    sent: dict[str, float] = field(default_factory=dict)
    briefed: list[float] = field(default_factory=list)
    verified: list[float] = field(default_factory=list)
    published: int = 0
    failed: list[str] = field(default_factory=list)

    def received(self, message: Any) -> None:
        """A brief came."""
        began = self.sent.pop(message.attributes.get("session_id", ""), None)
        if began is not None:
            self.briefed.append(time.perf_counter() - began)
        message.ack()

    def events(self, rate: float | None) -> None:
        """Publish; the first report of each session is timed. Without a rate at most 50 are on the way."""
        topic = f"projects/{self.fleet.project}/topics/raw-events"
        began, session, futures = time.perf_counter(), "", []
        while not self.stopping.is_set():
            if rate is None and len(self.sent) >= 50:
                self.stopping.wait(0.005)
                continue
            if rate is not None:
                self.stopping.wait(max(0.0, began + self.published / rate - time.perf_counter()))
            if rate is None or self.published % REPORTS_PER_SESSION == 0:
                session = f"soak-{uuid.uuid4()}"
                self.sent[session] = time.perf_counter()
            envelope = wrap(report(self.published), session)
            futures.append(self.publisher.publish(topic, json.dumps(envelope).encode(), **attributes_of(envelope)))
            self.published += 1
            if len(futures) > 200:
                futures.pop(0).result(60)

    def verifications(self, rate: float | None, number: int) -> None:
        """Ask one verifier after the other; what is not answered with a score is kept in `failed`."""
        dice = requests.random.Random(number)
        makers = list(requests.VERIFIERS.items())
        began, asked = time.perf_counter(), 0
        with httpx.Client(timeout=60) as client:
            while not self.stopping.is_set():
                if rate is not None:
                    self.stopping.wait(max(0.0, began + asked / rate - time.perf_counter()))
                name, make = makers[asked % len(makers)]
                at = time.perf_counter()
                try:
                    answer = client.post(f"{self.fleet.addresses.url(f'{name}_verifier')}/verify", json=make(dice))
                    if answer.status_code != 200 or answer.json()["status"] == "error":
                        self.failed.append(f"{name}: {answer.status_code} {answer.text[:200]}")
                except httpx.HTTPError as error:
                    self.failed.append(f"{name}: {error!r}")
                self.verified.append(time.perf_counter() - at)
                asked += 1


@contextlib.contextmanager
def flowing(fleet: Fleet, clients: tuple[Any, Any], events_rate: float | None, rate: float | None) -> Iterator[Flow]:
    """A flow that runs meanwhile."""
    publisher, subscriber = clients
    flow = Flow(fleet, publisher)
    inbox = f"projects/{fleet.project}/subscriptions/soak-{uuid.uuid4().hex[:8]}"
    subscriber.create_subscription(name=inbox, topic=f"projects/{fleet.project}/topics/incident-briefs")
    stream = subscriber.subscribe(inbox, callback=flow.received)
    with ThreadPoolExecutor(CLIENTS + 1) as threads:
        running = [threads.submit(flow.events, events_rate)]
        each = rate / CLIENTS if rate is not None else None
        running += [threads.submit(flow.verifications, each, number) for number in range(CLIENTS)]
        try:
            yield flow
        finally:
            flow.stopping.set()
            for one in running:
                one.result()
            stream.cancel()
            stream.result()
            subscriber.delete_subscription(subscription=inbox)


def sessions(fleet: Fleet) -> dict[str, list[int]]:
    """The processes of each member."""
    leaders = {member.process.pid: member.name for member in fleet.members if member.process is not None}
    found: dict[str, list[int]] = {name: [] for name in leaders.values()}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            leader = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
            if leader in leaders:
                found[leaders[leader]].append(int(folder.name))
    return found


def size(folder: Path, pattern: str) -> int:
    """Bytes of all files that match."""
    total = 0
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            total += path.stat().st_size
    return total


def p99(times: list[float]) -> float:
    """Of seconds, in ms; 0 of none."""
    return sorted(times)[int(len(times) * 0.99)] * 1000 if times else 0.0


def kept_up_with(fleet: Fleet, clients: tuple[Any, Any], events: float, rate: float) -> bool:
    """Whether so many events and verifications a second leave no backlog."""
    with flowing(fleet, clients, events, rate) as flow:
        time.sleep(CALIBRATION_S)
        waiting = len(flow.sent)
        flow.stopping.set()
        until = time.monotonic() + CALIBRATION_S * 3  # what is on the way would burden the next try
        while flow.sent and time.monotonic() < until:
            time.sleep(0.1)
    return waiting <= max(2.0, BEHIND_S * events / REPORTS_PER_SESSION)


def sample(fleet: Fleet, flow: Flow) -> dict[str, float]:
    """What is there now, and how long things took since the last sample."""
    told: dict[str, float] = {}
    for name, pids in sessions(fleet).items():
        memory = descriptors = threads = 0.0
        for pid in pids:
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_text()
                memory += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")) / 1024
                threads += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads"))
                descriptors += len(list(Path(f"/proc/{pid}/fd").iterdir()))
        told |= {f"MB {name}": memory, f"descriptors {name}": descriptors, f"threads {name}": threads}
        told[f"log bytes {name}"] = size(fleet.logs, f"{name}.log*")
    for name in ("store.db", "broker.db"):
        told[f"bytes {name}"] = size(fleet.data_dir, name)
        told[f"bytes {name}-wal"] = size(fleet.data_dir, f"{name}-wal")
    told["events"] = flow.published
    for name, times in (("verification", flow.verified), ("publish to brief", flow.briefed)):
        told[f"p99 ms {name}"] = p99(times[:])
        del times[:]
    return told


def beyond(samples: list[dict[str, float]]) -> list[str]:
    """What grew beyond its bound between the second quarter of the samples and the last."""
    quarter = max(1, len(samples) // 4)
    first, last = samples[quarter : 2 * quarter], samples[-quarter:]
    wrong = []
    bounds = {"MB": MORE_MB, "descriptors": MORE_DESCRIPTORS, "threads": MORE_THREADS}
    for name in samples[-1]:
        before, after = (statistics.median(one[name] for one in some) for some in (first, last))
        kind = name.partition(" ")[0]
        most = before + bounds[kind] if kind in bounds else None
        if name.startswith("p99"):
            most = SLOWER * before + SLOWER_MS
        elif name.startswith("log bytes"):
            most = LOGS
        elif name.endswith("-wal"):
            most = LOG_OF_SQLITE
        if most is not None and after > most:
            wrong.append(f"{name}: {before:,.0f} became {after:,.0f}, at most {most:,.0f}")
    half = len(samples) // 2
    for name in ("bytes store.db", "bytes broker.db"):
        each = [
            (some[-1][name] - some[0][name]) / max(1.0, some[-1]["events"] - some[0]["events"])
            for some in (samples[quarter:half], samples[half:])
            if len(some) > 1
        ]
        if len(each) == 2 and each[1] > MORE_BYTES_AN_EVENT * each[0] + 4096:
            wrong.append(f"{name}: {each[0]:,.0f} bytes for an event became {each[1]:,.0f}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--share", type=float, default=0.7, help="of the measured capacity")
    parser.add_argument("--json", type=Path, default=Path("build/soak.json"))
    given = parser.parse_args()
    samples: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        fleet = Fleet(Path(folder), own_addresses())
        fleet.start()
        try:
            with fleet.clients() as clients:
                with flowing(fleet, clients, None, None):
                    time.sleep(CALIBRATION_S / 4)  # whatever is loaded with the first
                with flowing(fleet, clients, None, None) as flow:
                    time.sleep(CALIBRATION_S)
                    events, rate = len(flow.briefed) / CALIBRATION_S, len(flow.verified) / CALIBRATION_S
                print(f"at most {events:.0f} events/s and {rate:.0f} verifications/s are answered together", flush=True)
                asked = ((share * events, share * rate) for share in SHARES)
                kept = next((each for each in asked if kept_up_with(fleet, clients, *each)), None)
                if kept is None:
                    sys.exit("it keeps up with nothing: see that the machine has nothing else to do")
                events, rate = kept
                print(f"capacity: {events:.0f} events/s and {rate:.0f} verifications/s together", flush=True)
                began, every = time.monotonic(), given.minutes * 60 / SAMPLES
                with flowing(fleet, clients, max(1.0, given.share * events), max(4.0, given.share * rate)) as flow:
                    for number in range(1, SAMPLES + 1):
                        while time.monotonic() < began + number * every:
                            fleet.watch()
                            time.sleep(0.1)
                        samples.append(sample(fleet, flow))
                    failed, late = flow.failed, len(flow.sent)
        finally:
            fleet.stop()
    wrong = beyond(samples)
    restarted = [member.name for member in fleet.members if member.failures]
    wrong += [f"{len(failed)} verifications failed: {failed[:3]}"] if failed else []
    wrong += [f"restarted: {', '.join(restarted)}"] if restarted else []
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"samples": samples, "wrong": wrong}, indent=1) + "\n")
    print(f"{'':28} {'first':>14} {'2nd quarter':>14} {'last quarter':>14}")
    quarter = max(1, len(samples) // 4)
    for name in samples[-1]:
        middle, last = (
            statistics.median(s[name] for s in some) for some in (samples[quarter : 2 * quarter], samples[-quarter:])
        )
        print(f"{name:28} {samples[0][name]:14,.0f} {middle:14,.0f} {last:14,.0f}")
    print(f"{given.minutes:g} minutes, {samples[-1]['events']:,.0f} events, {late} briefs on the way; in {given.json}")
    print("\n".join(wrong) or "nothing grew beyond its bound")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
