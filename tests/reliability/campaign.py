"""Parts of a real fleet killed, starved and taken away while inputs flow; afterwards every input is accounted for.

    python -m tests.reliability.campaign [--seeds 20] [--first 1] [--events 2000] [--requests 2000] [--keep FOLDER]

One seed is one fleet, one plan of inputs and one plan of faults; the seed that is printed replays both plans. Inputs
go over the topics with the unmodified Pub/Sub client: reports of shared sessions, requests to all four verifiers, some
published twice under one envelope_id, some hours late or early by their sender's clock, all shuffled within a moment,
and some that are no envelope at all. Faults: SIGKILL for each function, the broker, the program runner and the whole
fleet (started again on the same data), a store that is locked, slow or gone, Gemini that refuses, hangs or fails, and,
where the campaign may mount a file system of its own (root), a full disk.

At the end of each seed: every accepted input has exactly one final output or is a dead letter with a reason, and not
both; no revision of a verified event or a brief came under two envelope_ids, and none is missing. Exit code 1 if not.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from google.api_core.exceptions import GoogleAPICallError
from google.api_core.retry import Retry

from verifleet.commands.publish import attributes_of, wrap
from verifleet.errors import SettingsError
from verifleet.local.addresses import BROKER, Addresses
from verifleet.local.local_fleet import Fleet, Member, all_free
from verifleet.messaging.topology import (
    DEAD_LETTERS,
    FUNCTIONS,
    INCIDENT_BRIEFS,
    RAW_EVENTS,
    VERIFICATION_REQUESTS,
    VERIFICATION_RESULTS,
    VERIFIED_EVENTS,
    subscription_path,
    topic_path,
)

SESSION_EVENTS = 50
TWICE, SKEWED, MALFORMED = 0.1, 0.05, 0.02
WITHIN_S = 240.0
"""How long after the last fault what was accepted may take to come out; redelivery backs off up to a minute."""
FULL_DISK_MB = 192

_PLACES = ("Leeds", "Rotterdam", "Medan", "Calgary", "Quito", "Osaka")
_HAPPENED = (
    "At least {n} people injured in flooding in {place}",
    "{n} houses destroyed by the fire in {place}, the fire service says",
    "The bridge in {place} is closed after the earthquake",
    "Officials in {place} confirm {n} people are missing after the landslide",
    "No one was hurt in the explosion in {place}",
)
_ASKED: dict[str, dict[str, Any]] = {
    "math": {"prompt": "What is {n} + 1?", "response": "{m}", "reference": {"answer": "{m}"}},
    "knowledge": {"prompt": "Who wrote Faust? ({n})", "response": "Goethe", "reference": {"answer": "Goethe"}},
    "format": {"prompt": "Give JSON.", "response": '{{"a": {n}}}', "reference": {"format": "json"}},
    "code": {
        "prompt": "Print the sum of two numbers and {n}.",
        "response": "print(sum(map(int, input().split())) + {n})",
        "reference": {"language": "python", "tests": [{"input": "1 0", "output": "{m}"}]},
    },
}


# --- inputs --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Input:
    """One message for a topic; `label` finds it again in what comes out."""

    label: str
    topic: str
    data: bytes
    attributes: dict[str, str]


def inputs(chance: random.Random, events: int, requests: int) -> list[Input]:
    """All that is sent, in order; what is sent twice stands there twice."""
    run = f"{chance.getrandbits(32):08x}"
    sent: list[Input] = []
    for index in range(events):
        text = chance.choice(_HAPPENED).format(n=chance.randint(3, 90), place=chance.choice(_PLACES))
        report: dict[str, Any] = {"source": "news", "content": text, "metadata": {"sample": f"e{index}-{run}"}}
        if chance.random() < SKEWED:
            skew = timedelta(hours=chance.uniform(-72, 72))
            report["timestamp"] = (datetime.now(UTC) + skew).isoformat()
        sent.append(_input(chance, f"e{index}-{run}", RAW_EVENTS, report, f"{run}-{index // SESSION_EVENTS}"))
    for index in range(requests):
        verifier = chance.choice(tuple(_ASKED))
        body = _filled(_ASKED[verifier], n=index, m=index + 1)
        request = {"verifier": verifier, "request_id": f"r{index}-{run}", **body}
        sent.append(_input(chance, f"r{index}-{run}", VERIFICATION_REQUESTS, request, run))
    for index in range(int((events + requests) * MALFORMED)):
        sent.append(Input(f"x{index}-{run}", RAW_EVENTS, f'{{"no": "envelope", "x": "x{index}-{run}"'.encode(), {}))
    sent += chance.sample(sent, int(len(sent) * TWICE))
    chance.shuffle(sent)
    return sent


def _input(chance: random.Random, label: str, topic: str, item: dict[str, Any], session: str) -> Input:
    envelope = wrap(item, session)
    envelope["metadata"]["envelope_id"] = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    return Input(label, topic, json.dumps(envelope).encode(), attributes_of(envelope))


def _filled(value: Any, **numbers: int) -> Any:
    if isinstance(value, str):
        return value.format(**numbers)
    if isinstance(value, dict):
        return {key: _filled(part, **numbers) for key, part in value.items()}
    return [_filled(part, **numbers) for part in value] if isinstance(value, list) else value


class Load(threading.Thread):
    """Publishes all inputs at a rate; what Pub/Sub acknowledged is accepted."""

    def __init__(self, fleet: Fleet, publisher: Any, todo: list[Input], rate: float) -> None:
        super().__init__(daemon=True)
        self.accepted: set[str] = set()
        self._fleet, self._publisher, self._todo, self._rate = fleet, publisher, todo, rate
        self._lock = threading.Lock()

    def run(self) -> None:
        # The client's own waits grow to a minute, long after the broker is back.
        retry = Retry(initial=0.1, maximum=1.0, timeout=90.0)
        began, futures = time.monotonic(), []
        for index, item in enumerate(self._todo):
            time.sleep(max(0.0, began + index / self._rate - time.monotonic()))
            path = topic_path(self._fleet.project, item.topic)
            future = self._publisher.publish(path, item.data, retry=retry, **item.attributes)
            future.add_done_callback(lambda done, label=item.label: self._done(done, label))
            futures.append(future)
        for future in futures:
            with contextlib.suppress(Exception):
                future.result(120)

    def _done(self, future: Any, label: str) -> None:
        if future.exception() is None:
            with self._lock:
                self.accepted.add(label)


# --- faults --------------------------------------------------------------------


class Faults:
    """What can happen to a fleet; each fault returns once the part is given back (not: once it works again)."""

    def __init__(self, fleet: Fleet, chance: random.Random, gemini: GeminiServer, disk: Path | None) -> None:
        self._fleet, self._chance, self._gemini, self._disk = fleet, chance, gemini, disk
        self._store = fleet.data_dir / "store.db"

    def kinds(self) -> list[str]:
        """The names of all faults that can be made here."""
        kills = [f"kill {name}" for name in (*FUNCTIONS, BROKER, "runner")]
        others = [
            "kill all",
            "store locked",
            "store slow",
            "store gone",
            "gemini refuses",
            "gemini hangs",
            "gemini 500",
        ]
        return kills + others + (["disk full"] if self._disk else [])

    def make(self, kind: str) -> None:
        """Make one fault happen. Call from the main thread."""
        what, _, which = kind.partition(" ")
        if what == "kill":
            self._kill(which)
        elif what == "gemini":
            self._gemini.mode = which
            self._wait(self._chance.uniform(2, 5))
            self._gemini.mode = "answers"
        elif kind == "disk full":
            self._fill()
        else:
            getattr(self, f"_{which}")()

    def _kill(self, which: str) -> None:
        if which == "runner":
            for pid in runners(self._fleet.data_dir):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return
        members = self._fleet.members if which == "all" else [m for m in self._fleet.members if m.name == which]
        for member in members:
            _killed(member)
        if which == "all":
            self._fleet.stop()
            restarted(self._fleet)

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._fleet.watch()
            time.sleep(0.05)

    def _locked(self) -> None:
        with self._writer():
            self._wait(self._chance.uniform(1, 6))

    def _slow(self) -> None:
        for _ in range(20):
            with self._writer():
                self._wait(0.3)
            self._wait(0.05)

    def _gone(self) -> None:
        elsewhere = self._store.with_name("taken-away.db")
        while not self._store.exists():  # made by the first that uses it
            self._wait(0.1)
        self._store.rename(elsewhere)
        _killed(self._chance.choice(self._fleet.members[1:]))  # one starts while there is no store
        try:
            self._wait(self._chance.uniform(1, 4))
        finally:
            elsewhere.rename(self._store)

    @contextlib.contextmanager
    def _writer(self) -> Iterator[None]:
        other = sqlite3.connect(self._store, isolation_level=None, timeout=30)
        try:
            other.execute("BEGIN IMMEDIATE")
            yield
        finally:
            other.close()

    def _fill(self) -> None:
        assert self._disk is not None
        filler = self._disk / "filler"
        try:
            with filler.open("wb", buffering=0) as out:
                with contextlib.suppress(OSError):
                    while True:
                        out.write(bytes(1 << 16))
                with contextlib.suppress(OSError):
                    while True:
                        out.write(bytes(512))
            self._wait(self._chance.uniform(1, 5))
        finally:
            filler.unlink()


def _killed(member: Member) -> None:
    if member.process is not None and member.alive:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(member.process.pid, signal.SIGKILL)
        member.process.wait()


def own_addresses() -> Addresses:
    """Ports that no other fleet of this machine looks for, which would take them while all of this one are killed."""
    offsets = [20_000 + 110 * number for number in range(1, 40)]
    random.Random(os.getpid()).shuffle(offsets)
    return next(addresses for addresses in map(Addresses, offsets) if all_free(addresses))


def restarted(fleet: Fleet) -> None:
    """Start a fleet whose ports may still be given back by what was killed."""
    until = time.monotonic() + 30
    while True:
        try:
            return fleet.start()
        except SettingsError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def runners(data_dir: Path) -> list[int]:
    """The processes of program runners of this fleet."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            runner = entry.name.isdigit() and b"code_runner" in (entry / "cmdline").read_bytes()
            if runner and str(data_dir).encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


class GeminiServer:
    """Speaks Gemini's REST protocol: finds nothing, refuses (503), hangs or fails (500)."""

    def __init__(self) -> None:
        self.mode = "answers"
        self.asked: Counter[str] = Counter()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                outer.asked[outer.mode] += 1
                if outer.mode == "hangs":
                    time.sleep(30)
                text = json.dumps({"action": "answer", "evidence": []})
                found = {
                    "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}]
                }
                status = {"refuses": 503, "500": 500}.get(outer.mode, 200)
                data = json.dumps(found if status == 200 else {"error": {"code": status, "message": "no"}}).encode()
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


# --- what came out --------------------------------------------------------------


@dataclass
class Came:
    """All outputs, and how each input is found among them."""

    results: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """request label → envelope_ids of results"""
    events: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """event label → event_ids"""
    revisions: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(event_id, revision) → envelope_ids"""
    briefs: dict[tuple[Any, ...], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(incident_id, revision, kind, reports) → envelope_ids"""
    briefed: set[str] = field(default_factory=set)
    """event_ids that a brief names"""
    dead: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """label → reasons"""
    strange: list[str] = field(default_factory=list)

    def pull(self, fleet: Fleet, subscriber: Any) -> int:
        """Take what is there; how many messages. None while there is no broker: whoever waited would not restart it."""
        taken = 0
        takers: dict[str, Callable[[Any, str], None]] = {
            VERIFICATION_RESULTS: self._result,
            VERIFIED_EVENTS: self._event,
            INCIDENT_BRIEFS: self._brief,
            DEAD_LETTERS: self._dead,
        }
        for topic, take in takers.items():
            path = subscription_path(fleet.project, f"{topic}.archive")
            with contextlib.suppress(GoogleAPICallError):
                answer = subscriber.pull(subscription=path, max_messages=1000, timeout=0.3, retry=None)
                for item in answer.received_messages:
                    take(item.message, dict(item.message.attributes).get("envelope_id", ""))
                taken += len(answer.received_messages)
                if ack_ids := [item.ack_id for item in answer.received_messages]:
                    subscriber.acknowledge(subscription=path, ack_ids=ack_ids, retry=None, timeout=5.0)
        return taken

    def _result(self, message: Any, envelope_id: str) -> None:
        self.results[_data(message)["request_id"]].add(envelope_id)

    def _event(self, message: Any, envelope_id: str) -> None:
        event = _data(message)
        self.events[event["original_event"]["metadata"]["sample"]].add(event["event_id"])
        self.revisions[event["event_id"], event["revision"]].add(envelope_id)

    def _brief(self, message: Any, envelope_id: str) -> None:
        brief = _data(message)
        self.briefs[brief["incident_id"], brief["revision"], brief.get("kind"), brief["reports"]].add(envelope_id)
        self.briefed.update(brief["event_ids"])

    def _dead(self, message: Any, envelope_id: str) -> None:
        attributes, text = dict(message.attributes), message.data.decode(errors="replace")
        reason = attributes.get("reason") or attributes.get("error") or json.dumps(attributes)
        try:
            data = json.loads(text)["payload"]["data"]
            label = data.get("request_id") or (data.get("metadata") or {}).get("sample") or "?"
        except (ValueError, KeyError, TypeError, AttributeError):
            label = text.rpartition('"x": "')[2].rstrip('"}')
        self.dead[label].append(reason)


def _data(message: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(message.data)["payload"]["data"]
    return data


def waiting(accepted: set[str], came: Came) -> set[str]:
    """The inputs of which nothing final is known yet."""
    done = set(came.results) | set(came.dead)
    done |= {label for label, ids in came.events.items() if ids & came.briefed}
    return accepted - done


def faults_of_accounting(accepted: set[str], came: Came) -> dict[str, list[str]]:
    """What breaks the promise, by kind; empty lists where it holds."""
    both = (set(came.results) | set(came.events)) & set(came.dead)
    doubled = [label for label, ids in came.results.items() if len(ids) > 1]
    doubled += [label for label, ids in came.events.items() if len(ids) > 1]
    doubled += [str(key) for key, ids in (*came.revisions.items(), *came.briefs.items()) if len(ids) > 1]
    return {
        "lost": sorted(waiting(accepted, came)),
        "both": sorted(both),
        "doubled": sorted(doubled),
        # A verified event may reach its second revision before the first was ever published; a brief's are counted out.
        "gaps": gaps(came),
        "refused": sorted(f"{label}: {why[0]}" for label, why in came.dead.items() if not label.startswith("x")),
        "without a reason": sorted(label for label, reasons in came.dead.items() if not all(reasons)),
    }


def gaps(came: Came) -> list[str]:
    """The incidents of which a revision has not come that is below the last."""
    by_id: dict[str, set[int]] = defaultdict(set)
    for incident_id, revision, *_ in came.briefs:
        by_id[incident_id].add(revision)
    return sorted(
        f"{key} has {sorted(numbers)}" for key, numbers in by_id.items() if numbers != set(range(1, max(numbers) + 1))
    )


# --- a campaign -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """What a seed came to."""

    seed: int
    accepted: int
    sent: int
    made: Counter[str]
    wrong: dict[str, list[str]]
    drained_s: float

    @property
    def right(self) -> bool:
        return not any(self.wrong.values())

    def told(self) -> str:
        wrong = "; ".join(f"{len(names)} {kind} {names[:4]}" for kind, names in self.wrong.items() if names)
        faults = ", ".join(f"{kind} x{count}" if count > 1 else kind for kind, count in sorted(self.made.items()))
        return (
            f"seed {self.seed}: {self.accepted:,} accepted of {self.sent:,}; {faults}; "
            f"all out {self.drained_s:.0f} s after the last; {wrong or '0 lost, 0 doubled'}"
        )


def campaign(
    seed: int,
    folder: Path,
    *,
    events: int,
    requests: int,
    rate: float,
    faults: int,
    disk: Path | None = None,
    within_s: float = WITHIN_S,
) -> Report:
    """One fleet in `folder` through one seed's inputs and faults."""
    chance = random.Random(seed)
    todo = inputs(chance, events, requests)
    gemini = GeminiServer()
    asks = {"GOOGLE_API_KEY": "campaign", "GOOGLE_GEMINI_BASE_URL": gemini.url} if seed % 2 == 0 else {}
    limits = {"VERIFLEET_STORE_TIMEOUT_S": "1", "VERIFLEET_PUBLISH_TIMEOUT_S": "1", "VERIFLEET_GEMINI_TIMEOUT_S": "2"}
    fleet = Fleet(folder, own_addresses(), {**limits, **asks})
    came, made = Came(), Counter[str]()
    try:
        fleet.start()
        plan = Faults(fleet, chance, gemini, disk)
        kinds = [kind for kind in plan.kinds() if asks or not kind.startswith("gemini")]
        with fleet.clients() as (publisher, subscriber):
            load = Load(fleet, publisher, todo, rate)
            load.start()
            # Each kind once before any comes again.
            todo_faults = (kinds * (faults // len(kinds) + 1))[:faults] if faults >= len(kinds) else kinds
            for kind in chance.sample(todo_faults, faults):
                _quiet(fleet, chance.uniform(0.2, 2.5))
                plan.make(kind)
                made[kind] += 1
            while load.is_alive():
                _quiet(fleet, 0.2)
            ended = time.monotonic()
            # What was killed between storing a revision and publishing it tells it when its message comes again.
            while (waiting(load.accepted, came) or gaps(came)) and time.monotonic() - ended < within_s:
                fleet.watch()
                came.pull(fleet, subscriber)
            drained = time.monotonic() - ended
            silent = 0
            while silent < 8:  # what is doubled may come last
                fleet.watch()
                silent = 0 if came.pull(fleet, subscriber) else silent + 1
                time.sleep(0.1)
            wrong = faults_of_accounting(load.accepted, came)
    finally:
        fleet.stop()
        gemini.close()
    labels = {item.label for item in todo}
    return Report(seed, len(load.accepted), len(labels), made, wrong, drained)


def _quiet(fleet: Fleet, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        fleet.watch()
        time.sleep(0.02)


def small_disk(folder: Path) -> Path | None:
    """A file system of this process and its children alone at `folder`; None where that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    clone_newns, ms_private_all = 0x00020000, (1 << 18) | 0x4000
    if os.geteuid() or libc.unshare(clone_newns) or libc.mount(b"none", b"/", None, ms_private_all, None):
        return None
    size = f"size={FULL_DISK_MB}m".encode()
    return None if libc.mount(b"tmpfs", str(folder).encode(), b"tmpfs", 0, size) else folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=60.0, help="inputs a second")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="copy here what a seed that went wrong left behind")
    given = parser.parse_args()
    reports = []
    with tempfile.TemporaryDirectory(
        ignore_cleanup_errors=True
    ) as place:  # a file system of its own stays until the end
        disk = small_disk(Path(place))
        if disk is None:
            print("no full disk: that needs root, to mount a file system for this campaign alone", flush=True)
        for seed in range(given.first, given.first + given.seeds):
            folder = Path(place, str(seed))
            load = {"events": given.events, "requests": given.requests, "rate": given.rate, "faults": given.faults}
            right = False
            try:
                reports.append(campaign(seed, folder, disk=disk, **load))
                right = reports[-1].right
                print(reports[-1].told(), flush=True)
            finally:
                if given.keep and not right:
                    shutil.copytree(folder, given.keep / str(seed), dirs_exist_ok=True)
            if reports[-1].right:
                for path in sorted(folder.rglob("*"), reverse=True):
                    path.rmdir() if path.is_dir() else path.unlink()
    failed = [report.seed for report in reports if not report.right]
    accepted, made = sum(report.accepted for report in reports), sum(sum(report.made.values()) for report in reports)
    print(f"{len(reports)} seeds, {accepted:,} inputs accepted, {made} faults: wrong in {failed or 'none'}")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
