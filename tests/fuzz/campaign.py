"""Hundreds of thousands of requests against real processes: `make fuzz`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import httptools

from tests.functions.processes import FUNCTIONS
from tests.fuzz import a2a, generator
from tests.fuzz.generator import AGENTS, Request
from verifleet.local.addresses import Addresses
from verifleet.local.local_fleet import Fleet

A2A_SHARE = 0.4
DEFECT = b"through a fault of its own"
"""What a verifier answers, also with 200, when it failed on a request."""


def all_requests(function: str, seed: int, count: int) -> Iterator[Request]:
    """`count` requests over every route of a function, A2A included."""
    of_a2a = int(count * A2A_SHARE) if function in AGENTS else 0
    return chain(generator.requests(function, seed, count - of_a2a), a2a.requests(seed, of_a2a))


def is_fault(status: int, headers: Mapping[str, str], body: bytes) -> bool:
    """Whether an answer is a fault of ours: 5xx, except a 503 that says what is away and when to come again."""
    if DEFECT in body:
        return True
    if status < 500:
        return False
    if status != 503 or "retry-after" not in headers:
        return True
    try:
        return len(json.loads(body)["error"]["message"]) < 10
    except (ValueError, KeyError, TypeError):
        return True


SHARES = {"code_verifier": 0.06}
"""Of all requests; programs cost tens of milliseconds each. The others share the rest."""

TIMEOUT_S = 90.0
CONNECTIONS = 6


@dataclass
class Tally:
    """What became of the requests to one function."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)
    away: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str, str]] = field(default_factory=list)

    def note(self, request: Request, status: int, headers: Mapping[str, str], body: bytes, seconds: float) -> None:
        route = _route(request)
        self.answers[route, status] += 1
        if is_fault(status, headers, body):
            sent = {"method": request[0], "path": request[1], "headers": request[2], "body": repr(request[3][:20_000])}
            self.faults.append({"status": status, "answer": repr(body[:2000]), **sent})
        elif status == 503:
            self.away[json.loads(body)["error"]["message"][:120]] += 1
        self.slowest.append((seconds, route, repr(request[3][:300])))
        if len(self.slowest) > 1000:
            self.slowest = sorted(self.slowest, reverse=True)[:10]


_ROUTES = {"/verify", "/verify/batch", "/reward", "/tasks", "/", "/health", "/metrics", "/.well-known/agent-card.json"}


def _route(request: Request) -> str:
    path = request[1].partition("?")[0]
    known = (
        "/verify",
        "/verify/batch",
        "/reward",
        "/tasks",
        "/",
        "/health",
        "/metrics",
        "/.well-known/agent-card.json",
    )
    if path in known:
        return f"{request[0]} {path}"
    first = "/".join(path.split("/")[:3])
    return f"{request[0]} {first if first in ('/a2a/jsonrpc', '/a2a/rest') else '(other)'}"


class _Answer:
    """Reads one HTTP answer."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.head_done = self.done = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.head_done = True

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.done = True


class _Client:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        """The answer; status 599 when there is none."""
        reused = self._streams is not None
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self._send(request)
        except TimeoutError:
            self.close()
            return 599, {}, b"no answer in time"
        except (OSError, EOFError, httptools.HttpParserError) as error:
            self.close()
            if reused:  # the server may have closed it while it was idle
                return await self.send(request)
            return 599, {}, repr(error).encode()

    async def _send(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 22)
        reader, writer = self._streams
        method, path, headers, body = request
        lines = [f"{method} {path} HTTP/1.1", "host: fuzz", f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        answer = _Answer()
        while not (answer.done or (method == "HEAD" and answer.head_done)):
            part = await reader.read(1 << 20)
            if not part:
                raise EOFError("the connection was cut")
            answer.parser.feed_data(part)
        if method == "HEAD" or answer.headers.get("connection") == "close" or not answer.parser.should_keep_alive():
            self.close()
        return answer.parser.get_status_code(), answer.headers, bytes(answer.body)

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def attack(port: int, requests: Iterator[Request], tally: Tally) -> None:
    """Send all requests over a few connections."""

    async def work() -> None:
        client = _Client(port)
        for request in requests:
            started = time.perf_counter()
            status, headers, body = await client.send(request)
            tally.note(request, status, headers, body, time.perf_counter() - started)
        client.close()

    await asyncio.gather(*(work() for _ in range(CONNECTIONS)))


def servers(fleet: Fleet) -> dict[str, frozenset[int]]:
    """The processes of each function that serve: the master and its worker, which share their command line."""
    found = {}
    for member in fleet.members:
        assert member.process is not None
        pids = [member.process.pid]
        for pid in pids:
            children = [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in _words(path)]
            pids += [child for child in children if _command(child) == _command(pid)]
        found[member.name] = frozenset(pids)
    return found


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _only_programs_flow(fleet: Fleet) -> None:
    """Leave the subscriptions of code alone: what agents publish would only load the next one with right reports."""
    with fleet.clients() as (_, subscriber):
        for subscription in subscriber.list_subscriptions(request={"project": f"projects/{fleet.project}"}):
            if "code" not in subscription.name.rpartition("/")[2]:
                subscriber.delete_subscription(request={"subscription": subscription.name})


def main() -> None:
    """Run the campaign; exits with 1 when there is a fault."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--requests", type=int, default=300_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--port-offset", type=int, default=20_000)
    options.add_argument("--faults", type=Path, default=Path("build/fuzz-faults.jsonl"))
    given = options.parse_args()
    print(f"seed {given.seed}, {given.requests} requests", flush=True)
    with tempfile.TemporaryDirectory(prefix="verifleet-fuzz-") as folder:
        fleet = Fleet(Path(folder), Addresses(given.port_offset))
        fleet.start()
        try:
            _only_programs_flow(fleet)
            before = servers(fleet)
            started = time.monotonic()
            tallies = asyncio.run(_campaign(fleet, given.requests, given.seed))
            seconds = time.monotonic() - started
            after = servers(fleet)
        finally:
            fleet.stop()
    faults = [fault | {"function": name} for name, tally in tallies.items() for fault in tally.faults]
    given.faults.parent.mkdir(parents=True, exist_ok=True)
    given.faults.write_text("".join(json.dumps(fault) + "\n" for fault in faults))
    for name, tally in tallies.items():
        _print_tally(name, tally)
    restarted = [name for name in before if before[name] != after[name]]
    sent = sum(tally.answers.total() for tally in tallies.values())
    print(
        f"\n{sent} requests in {seconds:.0f} s; faults: {len(faults)} (in {given.faults}); restarts: {restarted or 0}"
    )
    sys.exit(1 if faults or restarted else 0)


async def _campaign(fleet: Fleet, count: int, seed: int) -> dict[str, Tally]:
    rest = (1 - sum(SHARES.values())) / (len(FUNCTIONS) - len(SHARES))
    tallies = {name: Tally() for name in FUNCTIONS}
    await asyncio.gather(
        *(
            attack(fleet.addresses.port(name), all_requests(name, seed, round(count * SHARES.get(name, rest))), tally)
            for name, tally in tallies.items()
        )
    )
    return tallies


def _print_tally(name: str, tally: Tally) -> None:
    print(f"\n{name}")
    routes: dict[str, list[str]] = {}
    for (route, status), count in sorted(tally.answers.items()):
        routes.setdefault(route, []).append(f"{status}: {count}")
    for route, counts in routes.items():
        print(f"  {route:36} {'  '.join(counts)}")
    for message, count in tally.away.most_common(5):
        print(f"  503 {count} times: {message}")
    for seconds, route, body in sorted(tally.slowest, reverse=True)[:3]:
        print(f"  slowest {seconds:6.2f} s {route} {body[:160]}")
    for fault in tally.faults[:5]:
        print(f"  FAULT {fault['status']} {fault['method']} {fault['path'][:80]} {fault['answer'][:300]}")


if __name__ == "__main__":
    main()
