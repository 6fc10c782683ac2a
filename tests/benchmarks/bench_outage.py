"""Store and broker taken away from a fleet under load and given back: what is answered meanwhile, what comes out.

    python -m tests.benchmarks.bench_outage [sqlite|firestore] [SECONDS away] [INPUTS a second] [ROUNDS]

Asserts that while a part is away every route of every function answers within 10 s, 503 where it needs the part and
never 500; and that all that was accepted (2xx, or acknowledged by Pub/Sub) comes out, under one envelope_id each.
Firestore means Google's emulator, behind a relay: away is once a connection that is refused, once one that hangs.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import itertools
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.api_core.retry import Retry

from tests.benchmarks.figures import row
from tests.contract.away import Relay
from verifleet.commands.demo import free_addresses
from verifleet.commands.publish import attributes_of, wrap
from verifleet.local.addresses import BROKER
from verifleet.local.local_fleet import Fleet
from verifleet.local.pulling import pulled
from verifleet.messaging.topology import FUNCTIONS

ANSWER_WITHIN_S = 10.0
AGENTS = ("ingest_agent", "verifier_agent", "summarizer_agent")
VERIFIERS = ("math", "code", "knowledge", "format")
ASKED = {
    "math": {"prompt": "What is 1 + 1?", "response": "2", "reference": {"answer": "2"}},
    "knowledge": {"prompt": "Who wrote Faust?", "response": "Goethe", "reference": {"answer": "Goethe"}},
    "format": {"prompt": "Give JSON.", "response": "{}", "reference": {"format": "json"}},
    "code": {
        "prompt": "Print the sum.",
        "response": "print(sum(map(int, input().split())))",
        "reference": {"language": "python", "tests": [{"input": "1 2", "output": "3"}]},
        "options": {"wait_s": 1},
    },
}


def report(index: int) -> dict[str, Any]:
    place = ("Leeds", "Rotterdam", "Medan", "Calgary")[index % 4]
    return {"source": "news", "content": f"At least {index % 90 + 3} people injured in flooding in {place}"}


def asked(verifier: str, label: str) -> dict[str, Any]:
    """A request that was not made before: a program that was judged already is answered whatever is away."""
    body = ASKED[verifier]
    return {
        **body,
        "prompt": f"{body['prompt']} ({label})" if verifier == "code" else body["prompt"],
        "request_id": label,
    }


def request_envelope(verifier: str, label: str) -> dict[str, Any]:
    return wrap({"verifier": verifier, **asked(verifier, label)}, "outage")


# --- the parts, and how they are away ------------------------------------------


class Backing:
    """A store for a fleet, and the ways in which it can be away."""

    environment: dict[str, str]
    ways: tuple[str, ...]

    def away(self, way: str) -> contextlib.AbstractContextManager[None]:
        raise NotImplementedError


class OnSqlite(Backing):
    ways = ("locked", "gone")

    def __init__(self, folder: Path) -> None:
        self.environment = {}
        self._path = folder / "store.db"

    @contextlib.contextmanager
    def away(self, way: str) -> Iterator[None]:
        if way == "gone":
            elsewhere = self._path.with_name("taken-away.db")
            self._path.rename(elsewhere)
            try:
                yield
            finally:
                elsewhere.rename(self._path)
            return
        other = sqlite3.connect(self._path, isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.close()


class OnFirestore(Backing):
    ways = ("refusing", "hanging")

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        command = ["gcloud", "emulators", "firestore", "start", f"--host-port={address}", "--quiet"]
        log = folder / "firestore.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        deadline = time.monotonic() + 60
        while "running" not in log.read_text(errors="replace"):
            assert time.monotonic() < deadline, log.read_text(errors="replace")
            time.sleep(0.2)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._relay = Relay(address)
        self._do(self._relay.start())
        self.environment = {"VERIFLEET_STORE": "firestore", "FIRESTORE_EMULATOR_HOST": self._relay.address}

    def _do(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    @contextlib.contextmanager
    def away(self, way: str) -> Iterator[None]:
        if way == "refusing":
            self._do(self._relay.stop())
        else:
            os.killpg(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            if way == "refusing":
                self._do(self._relay.start())
            else:
                os.killpg(self._process.pid, signal.SIGCONT)

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


# --- what is asked of every route while something is away ----------------------


@dataclass(frozen=True, slots=True)
class Probe:
    """One request, and which parts it can't do without."""

    function: str
    method: str
    path: str
    body: Any = None
    reads: bool = False
    writes: bool = False
    publishes: bool = False


def probes(label: str) -> list[Probe]:
    found = [Probe(name, "GET", path) for name in FUNCTIONS for path in ("/health", "/metrics")]
    raw = wrap(report(1), label)
    for agent in AGENTS:
        envelope = raw if agent == "ingest_agent" else _later_envelope(agent, label)
        found.append(Probe(agent, "POST", "/", pushed(envelope), reads=True, writes=True, publishes=True))
        found.append(Probe(agent, "POST", "/tasks", envelope, reads=True, writes=True, publishes=True))
        message = {"role": "ROLE_USER", "messageId": label, "parts": [{"data": envelope}]}
        found.append(
            Probe(
                agent,
                "POST",
                "/a2a/jsonrpc",
                {"jsonrpc": "2.0", "id": "1", "method": "SendMessage", "params": {"message": message}},
            )
        )
        found.append(Probe(agent, "POST", "/a2a/rest/message:send", {"message": message}))
        found.append(Probe(agent, "GET", "/a2a/rest/tasks/none"))
    for verifier in VERIFIERS:
        function, code = f"{verifier}_verifier", verifier == "code"
        push = pushed(request_envelope(verifier, label))
        found.append(Probe(function, "POST", "/", push, reads=code, writes=code, publishes=True))
        body = asked(verifier, label)
        found.append(Probe(function, "POST", "/verify", body, reads=code, writes=code, publishes=code))
        # Of two requests for one program at a time one alone publishes it, so what the other answers tells nothing.
        batch = {"requests": [asked(verifier, f"{label}-batch")], "deadline_ms": 3000}
        found.append(Probe(function, "POST", "/verify/batch", batch))
    found.append(Probe("code_verifier", "GET", f"/verifications/{uuid.uuid4()}", reads=True))
    return found


def _later_envelope(agent: str, label: str) -> dict[str, Any]:
    event = {**report(1), "event_id": label, "entities": [], "location": "Leeds", "event_type": "flood"}
    event["timestamp"] = "2026-03-01T12:00:00Z"
    if agent == "verifier_agent":
        return _wrapped("event_v1", "event", event, label)
    claim = {"text": event["content"], "source": event["source"]}
    verified = {
        "event_id": label,
        "reliability_score": 0.5,
        "unverified": False,
        "verified_claims": [{"claim": claim, "verified": True, "verdict": "insufficient", "confidence": 0.5}],
        "verification_timestamp": "2026-03-01T12:00:00Z",
        "original_event": event,
        "revision": 1,
        "method": "heuristic",
    }
    return _wrapped("verified_event_v1", "verified_event", verified, label)


def _wrapped(schema: str, kind: str, data: dict[str, Any], label: str) -> dict[str, Any]:
    head = {"schema": schema, "session_id": label, "timestamp": "2026-03-01T12:00:00Z", "source_agent": "outage"}
    return {**head, "payload": {"type": kind, "data": data}, "metadata": {"envelope_id": str(uuid.uuid4())}}


def pushed(envelope: dict[str, Any]) -> dict[str, Any]:
    data = base64.b64encode(json.dumps(envelope).encode()).decode()
    message = {"data": data, "messageId": uuid.uuid4().hex, "attributes": attributes_of(envelope)}
    return {"message": message, "subscription": "projects/p/subscriptions/outage-probe"}


def ask(fleet: Fleet, probe: Probe) -> tuple[Probe, int, float]:
    connection = http.client.HTTPConnection("127.0.0.1", fleet.addresses.port(probe.function), timeout=60)
    started = time.monotonic()
    try:
        body = None if probe.body is None else json.dumps(probe.body)
        headers = {"Content-Type": "application/json", "A2A-Version": "1.0"}
        connection.request(probe.method, probe.path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return probe, answer.status, time.monotonic() - started
    except OSError:
        return probe, 0, time.monotonic() - started
    finally:
        connection.close()


# --- load -----------------------------------------------------------------------


@dataclass
class Load:
    """Inputs at a rate, by topic and by HTTP, and which of them were accepted."""

    fleet: Fleet
    publisher: Any
    rate: float
    verifiers: tuple[str, ...] = VERIFIERS
    reports: set[str] = field(default_factory=set)
    requests: set[str] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        kinds = itertools.cycle(("report", "task", *self.verifiers))
        with ThreadPoolExecutor(16) as pool:
            for index in itertools.count():
                if self.stopping.wait(1.0 / self.rate):
                    return
                pool.submit(self._send, next(kinds), index)

    def _send(self, kind: str, index: int) -> None:
        label = f"{kind}-{index}-{uuid.uuid4().hex[:8]}"
        try:
            if kind == "task":
                status = ask(self.fleet, Probe("ingest_agent", "POST", "/tasks", wrap(report(index), label)))[1]
                if status == 200:
                    self.reports.add(label)
                else:
                    self.refused[f"/tasks {status}"] += 1
                return
            if kind == "report":
                self._publish("raw-events", wrap(report(index), label))
                self.reports.add(label)
                return
            self._publish("verification-requests", request_envelope(kind, label))
            self.requests.add(label)
        except Exception as error:
            self.refused[type(error).__name__] += 1

    def _publish(self, topic: str, envelope: dict[str, Any]) -> None:
        path = f"projects/{self.fleet.project}/topics/{topic}"
        # The client's own waits grow to a minute, long after the broker is back.
        retry = Retry(initial=0.1, maximum=1.0, timeout=30.0)
        attributes = attributes_of(envelope)
        self.publisher.publish(path, json.dumps(envelope).encode(), retry=retry, **attributes).result(60)


@dataclass
class Came:
    """What came out, by input: the envelope ids of its outputs."""

    briefs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    results: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    dead: list[dict[str, str]] = field(default_factory=list)
    messages: int = 0

    def pull(self, fleet: Fleet, subscriber: Any) -> int:
        """Take what is there; how many messages."""
        taken = 0
        for name in ("incident-briefs.archive", "verification-results.archive", "dead-letters.archive"):
            path = f"projects/{fleet.project}/subscriptions/{name}"
            received = pulled(subscriber, path, 1000, 0.3)
            for item in received:
                attributes = dict(item.message.attributes)
                if name.startswith("dead-letters"):
                    self.dead.append(attributes)
                elif name.startswith("incident-briefs"):
                    self.briefs[attributes["session_id"]].add(attributes["envelope_id"])
                else:
                    label = json.loads(item.message.data)["payload"]["data"]["request_id"]
                    self.results[label].add(attributes["envelope_id"])
            if received:
                subscriber.acknowledge(subscription=path, ack_ids=[item.ack_id for item in received])
            taken += len(received)
        self.messages += taken
        return taken


# --- the campaign ---------------------------------------------------------------


@dataclass
class Outcome:
    """One outage: answers while it lasted."""

    part: str
    way: str
    slowest_s: float
    answers: Counter[int]
    wrong: list[str]


def outage(fleet: Fleet, part: str, way: str, away: contextlib.AbstractContextManager[None], seconds: float) -> Outcome:
    """Take a part away for at least `seconds` and ask every route of every function meanwhile, twice."""
    wrong: list[str] = []
    answers: Counter[int] = Counter()
    slowest = 0.0
    with away, ThreadPoolExecutor(64) as pool:
        began = time.monotonic()
        while True:
            for probe, status, took in pool.map(lambda probe: ask(fleet, probe), probes(f"probe-{uuid.uuid4().hex}")):
                answers[status] += 1
                slowest = max(slowest, took)
                needed = probe.publishes if part == BROKER else probe.writes or (probe.reads and way != "locked")
                right = status == 503 if needed else status in (200, 202, 204, 400, 404, 503)
                if not right or took > ANSWER_WITHIN_S:
                    wrong.append(f"{part} {way}: {probe.function} {probe.method} {probe.path} {status} in {took:.1f} s")
            if time.monotonic() - began >= seconds:
                break
    return Outcome(part, way, slowest, answers, wrong)


@contextlib.contextmanager
def broker_killed(fleet: Fleet) -> Iterator[None]:
    broker = fleet.members[0]
    assert broker.process is not None
    os.killpg(broker.process.pid, signal.SIGKILL)
    broker.process.wait()
    try:
        yield
    finally:
        deadline = time.monotonic() + 60
        while not broker.alive and time.monotonic() < deadline:
            fleet.watch()
            time.sleep(0.05)


def campaign(
    fleet: Fleet,
    backing: Backing,
    *,
    seconds: float,
    rate: float,
    rounds: int = 1,
    broker: bool = True,
    verifiers: tuple[str, ...] = VERIFIERS,
    within_s: float = 300.0,
    say: Callable[[str], None] = print,
) -> tuple[list[Outcome], Load, Came, float]:
    """Every outage in turn under load, then wait for what was accepted; the outcomes, and how long the rest took."""
    came, outcomes = Came(), []
    with fleet.clients() as (publisher, subscriber):
        load = Load(fleet, publisher, rate, verifiers)
        thread = threading.Thread(target=load.run)
        thread.start()
        try:
            with ThreadPoolExecutor(8) as pool:  # whatever is imported with the first request is by then
                warm = [answer for answer in pool.map(lambda probe: ask(fleet, probe), probes("warm"))]
            assert not [answer for answer in warm if answer[1] in (0, 500)], warm
            for _ in range(rounds):
                ways = [("store", way, backing.away(way)) for way in backing.ways]
                ways += [(BROKER, "killed", broker_killed(fleet))] if broker else []
                for part, way, away in ways:
                    outcomes.append(outage(fleet, part, way, away, seconds))
                    say(f"{part} {way}: {told(outcomes[-1])}")
                    time.sleep(min(2.0, seconds))
        finally:
            load.stopping.set()
            thread.join()
        ended = time.monotonic()
        while missing(load, came) and time.monotonic() - ended < within_s:
            fleet.watch()
            came.pull(fleet, subscriber)
        took = time.monotonic() - ended
        while came.pull(fleet, subscriber):
            pass
    return outcomes, load, came, took


def missing(load: Load, came: Came) -> set[str]:
    return (load.reports - came.briefs.keys()) | (load.requests - came.results.keys())


def doubled(load: Load, came: Came) -> set[str]:
    both = {**came.briefs, **came.results}
    return {label for label in load.reports | load.requests if len(both.get(label, ())) > 1}


def told(outcome: Outcome) -> str:
    answers = ", ".join(f"{count} x {status or 'no answer'}" for status, count in sorted(outcome.answers.items()))
    return f"{answers}; slowest {outcome.slowest_s:.1f} s; wrong: {outcome.wrong or 'none'}"


def main() -> None:
    arguments = sys.argv[1:] + [""] * 4
    on = arguments[0] or ("firestore" if shutil.which("gcloud") and shutil.which("java") else "sqlite")
    stores = [on] if arguments[0] or on == "sqlite" else ["sqlite", "firestore"]
    seconds, rate, rounds = float(arguments[1] or 20), float(arguments[2] or 10), int(arguments[3] or 1)
    failed = False
    for name in stores:
        with tempfile.TemporaryDirectory() as folder:
            backing = OnFirestore(Path(folder)) if name == "firestore" else OnSqlite(Path(folder))
            fleet = Fleet(Path(folder), free_addresses(), backing.environment)
            try:
                fleet.start()
                outcomes, load, came, took = campaign(fleet, backing, seconds=seconds, rate=rate, rounds=rounds)
            finally:
                fleet.stop()
                if isinstance(backing, OnFirestore):
                    backing.close()
        lost, twice = missing(load, came), doubled(load, came)
        accepted = len(load.reports) + len(load.requests)
        print(f"{name}: {accepted} accepted, {dict(load.refused)} not; all out {took:.1f} s after the load")
        slowest = max(outcome.slowest_s for outcome in outcomes)
        row("slowest answer while a part is away", slowest, "s", against=10.0, of="goal", wanted=1, better="less")
        print(f"{name}: {len(lost)} lost {sorted(lost)[:5]}, {len(twice)} doubled {sorted(twice)[:5]}")
        print(f"{name}: {len(came.dead)} dead letters {came.dead[:3]}")
        failed = failed or bool(lost or twice or came.dead or any(outcome.wrong for outcome in outcomes))
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
