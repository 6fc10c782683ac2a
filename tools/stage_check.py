"""Proves that every function runs from exactly what is uploaded.

Each is staged, installed by its own requirements.txt into a clean environment, `pip check`ed, started by
functions-framework in the staged folder, asked `/health` and one real request:

    python -m tools.stage_check [NAME ...]

Prints a table of what each environment weighs and how long a cold start takes. Needs a package index; takes minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.stage import FUNCTIONS, ROOT, stage
from verifleet.commands.demo import free_addresses

FOLDER = ROOT / ".verifleet" / "stage-check"
PROJECT = "stage-check"
STARTS = 3
START_TIMEOUT_S = 90.0
# The broker pushes each function's messages to its port, so that all ports are chosen beforehand.
ADDRESSES = free_addresses()
_SESSIONS: dict[int, int] = {}

FLOOD = {
    "content": "Flooding on Harbour Street in Riverton, 120 people evacuated.",
    "source": "official",
    "timestamp": "2026-01-05T10:00:00Z",
}
REQUESTS: Mapping[str, Any] = {
    "math_verifier": {"prompt": "Solve x^2 - 5x + 6 = 0.", "response": "x = 2 or x = 3"},
    "knowledge_verifier": {
        "prompt": "What is the capital of France?",
        "response": "The capital of France is Paris.",
    },
    "format_verifier": {
        "prompt": "Answer in JSON.",
        "response": '{"a": 1}',
        "reference": {"format": "json", "json_schema": {"type": "object", "required": ["a"]}},
    },
    "code_verifier": {
        "prompt": "Write a program that reverses its input.",
        "response": "```python\nprint(input()[::-1])\n```",
        "reference": {"language": "python", "tests": [{"input": "hello", "output": "olleh"}]},
    },
}


class StageCheckError(Exception):
    """A staged function can't be installed, started or used; says which and why."""


@dataclass(frozen=True)
class Row:
    """What was found out about one function."""

    name: str
    zip_kb: float
    installed_mb: float
    cold_start_ms: float
    memory_mb: float
    answer: str


def check(name: str, broker: str) -> Row:
    """Stage, install, start and ask one function. Raises StageCheckError."""
    folder = stage(name, FOLDER)
    python = install(name, folder)
    starts = [cold_start_s(name, python, folder, broker) for _ in range(STARTS)]
    with serving(name, python, folder, broker) as port:
        await_health(name, port)
        answer = ask(name, port)
        memory = memory_mb(port)
    packages = next(python.parents[1].glob("lib/*/site-packages"))
    installed = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
    packed = (FOLDER / f"{name}.zip").stat().st_size
    return Row(name, packed / 1024, installed / 1e6, statistics.median(starts) * 1000, memory, answer)


def install(name: str, folder: Path) -> Path:
    """A clean environment with nothing but the function's requirements; returns its python."""
    environment = FOLDER / "venvs" / name
    venv.create(environment, clear=True, with_pip=True)
    python = environment / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    run(name, [*pip, "install", "-q", "-r", str(folder / "requirements.txt")])
    run(name, [*pip, "check"])
    return python


def run(name: str, command: list[str]) -> None:
    """Run to the end; raises StageCheckError with what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StageCheckError(f"{name}: {' '.join(command[1:])} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


@contextlib.contextmanager
def serving(name: str, python: Path, folder: Path, broker: str) -> Iterator[int]:
    """The function under functions-framework, started in the staged folder; yields its port."""
    port = ADDRESSES.port(name)
    log = FOLDER / f"{name}.log"
    command = [str(python), "-m", "functions_framework", "--target", name, "--host", "127.0.0.1", "--port", str(port)]
    with log.open("ab") as output, process(command, folder, output, environment_of(name, broker)) as session:
        _SESSIONS[port] = session
        yield port


@contextlib.contextmanager
def process(command: list[str], folder: Path, output: Any, environment: Mapping[str, str]) -> Iterator[int]:
    """A process group and session of its own, killed whole on leaving; yields its id."""
    started = subprocess.Popen(
        command, cwd=folder, env=dict(environment), stdout=output, stderr=output, start_new_session=True
    )
    try:
        yield started.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def environment_of(name: str, broker: str) -> dict[str, str]:
    """What the cloud would set, with a broker and a file in place of Pub/Sub and Firestore; nothing else of ours."""
    data = FOLDER / "data" / name
    data.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(data),
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "PUBSUB_EMULATOR_HOST": broker,
        "VERIFLEET_STORE": f"sqlite:///{data / 'store.db'}",
        "VERIFLEET_DATA_DIR": str(data),
        "VERIFLEET_RUNNER_IDLE_S": "5",
    }


def cold_start_s(name: str, python: Path, folder: Path, broker: str) -> float:
    """Process start to the first 200 of /health."""
    started = time.perf_counter()
    with serving(name, python, folder, broker) as port:
        await_health(name, port)
        return time.perf_counter() - started


def await_health(name: str, port: int) -> None:
    """Ask /health until it answers 200. Raises StageCheckError."""
    give_up_at = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < give_up_at:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if exchange(port, "GET", "/health")[0] == 200:
                return
        time.sleep(0.005)
    log = (FOLDER / f"{name}.log").read_text(errors="replace")
    raise StageCheckError(f"{name}: /health does not answer 200:\n{log[-3000:]}")


def ask(name: str, port: int) -> str:
    """One real request and what came of it in a few words. Raises StageCheckError when it is not what it should be."""
    if name in REQUESTS:
        status, answer = exchange(port, "POST", "/verify", REQUESTS[name])
        if status == 200 and answer["status"] == "scored" and answer["score"] == 1.0:
            return f"/verify: score {answer['score']}, {answer['verdict']}"
    else:
        status, answer = exchange(port, "POST", "/tasks", task_of(name))
        if status == 200 and answer["payload"]["data"]["status"] == "completed":
            return f"/tasks: completed, {answer['payload']['data']['result']['schema']}"
    raise StageCheckError(f"{name}: a real request was answered {status} {json.dumps(answer)[:1500]}")


def task_of(name: str) -> Any:
    """What each agent takes: a bare report, or the envelope that the agent before it would have made."""
    if name == "ingest_agent":
        return FLOOD
    event = {"event_id": "e-1", "entities": [], "location": "Riverton", "event_type": "flood", **FLOOD}
    if name == "verifier_agent":
        return envelope("event", "ingest_agent", event)
    verified = {
        "event_id": "e-1",
        "reliability_score": 0.8,
        "unverified": False,
        "verified_claims": [],
        "verification_timestamp": FLOOD["timestamp"],
        "original_event": event,
        "revision": 1,
        "method": "heuristic",
    }
    return envelope("verified_event", "verifier_agent", verified)


def envelope(kind: str, agent: str, data: Any) -> dict[str, Any]:
    """An envelope of the wire contract."""
    return {
        "schema": f"{kind}_v1",
        "session_id": "stage-check",
        "timestamp": FLOOD["timestamp"],
        "source_agent": agent,
        "payload": {"type": kind, "data": data},
    }


def exchange(port: int, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Status and decoded JSON of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    finally:
        connection.close()


def memory_mb(port: int) -> float:
    """Megabytes of all processes that belong to the server on `port`, shared pages counted once."""
    session = str(_SESSIONS[port])
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text().rpartition(")")[2].split()[3] == session:
                pages = (stat.parent / "smaps_rollup").read_text().split("\nPss:")[1].split()[0]
                total += int(pages)
    return total / 1000


@contextlib.contextmanager
def broker_with_topics() -> Iterator[str]:
    """A broker on this machine with the fleet's topics; yields its address."""
    from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient

    from verifleet.local.provision import on_this_machine, provision

    port = ADDRESSES.port("broker")
    address = ADDRESSES.broker
    data = FOLDER / "broker.db"
    for left in FOLDER.glob("broker.db*"):
        left.unlink()
    command = [sys.executable, "-m", "verifleet.local.broker", "--port", str(port), "--data", str(data)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "shared")}
    with (FOLDER / "broker.log").open("wb") as log, process(command, FOLDER, log, environment):
        os.environ["PUBSUB_EMULATOR_HOST"] = address
        give_up_at = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < give_up_at:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.02)
        with PublisherClient() as publisher, SubscriberClient() as subscriber:
            list(provision(publisher, subscriber, PROJECT, on_this_machine(ADDRESSES)))
        yield address


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what is named, or all; prints one row each."""
    parser = argparse.ArgumentParser(description="Stage, install, start and ask every function.")
    parser.add_argument("names", nargs="*", help=f"default: all of {', '.join(FUNCTIONS)}")
    names = parser.parse_args(arguments).names or FUNCTIONS
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(
        f"{'function':<20} {'zip kB':>7} {'installed MB':>13} {'cold start ms':>14} {'memory MB':>10}  one request",
        flush=True,
    )
    try:
        with broker_with_topics() as broker:
            for name in names:
                row = check(name, broker)
                print(
                    f"{row.name:<20} {row.zip_kb:7.0f} {row.installed_mb:13.1f} {row.cold_start_ms:14.0f}"
                    f" {row.memory_mb:10.0f}  {row.answer}",
                    flush=True,
                )
    except (StageCheckError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print("every function installs, starts and answers from what is uploaded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
