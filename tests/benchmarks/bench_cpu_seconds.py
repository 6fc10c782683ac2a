"""CPU seconds that a verification or an event costs each function, and a program the code runner.

    python -m tests.benchmarks.bench_cpu_seconds [-o tools/measured_cpu.json]

Each function runs as in the cloud, under functions-framework, with a SQLite file and a broker on this machine in
place of Firestore and Pub/Sub; what is counted is the CPU time of its own processes over many warm requests, which a
busy machine changes little. tools/cost_model.py and tools/simulate_scale.py read the file that this writes.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import row
from tests.benchmarks.process_cpu import session_cpu_ns, session_cpu_s
from tests.contract.cloud_run_admin import JOB, CloudRunAdmin
from tests.functions.processes import ROOT, Running, running_broker, running_function
from tests.fuzz.apps import NoRunner
from verifleet.messaging.topology import TOPICS

PROJECT = "cpu-seconds"
WARM_UP = 30
SINGLE = 300
BATCHES, IN_A_BATCH, IN_A_BURST = 12, 64, 4096
GROUPS = 20
EVENTS = 200
PROGRAMS = (20, 140)
PLACES = ("Leeds", "Rotterdam", "Medan", "Calgary", "Hobart", "Lille", "Porto", "Tulsa")

Maker = Callable[[random.Random], dict[str, Any]]


def math_request(dice: random.Random) -> dict[str, Any]:
    """Seven word problems with a number, two algebraic answers, one equation without a reference."""
    a, b = dice.randint(2, 999), dice.randint(2, 99)
    kind = dice.randrange(10)
    if kind < 7:
        given = a * b + dice.choice((0, 0, 1))
        steps = f"<think>{'We multiply the rows by the seats. ' * 20}</think>So there are {a} times {b} seats: "
        return {
            "prompt": f"A hall has {a} rows of {b} seats. How many seats are there?",
            "response": f"{steps}\\boxed{{{given}}}",
            "reference": {"answer": str(a * b)},
        }
    if kind < 9:
        return {
            "prompt": "Expand the product.",
            "response": f"It is $x^2 + {a + b}x + {a * b}$.",
            "reference": {"answer": f"(x+{a})(x+{b})"},
        }
    return {"prompt": f"Solve x^2 - {a + b}x + {a * b} = 0.", "response": f"x = {a} or x = {b}"}


def knowledge_request(dice: random.Random) -> dict[str, Any]:
    """A sentence that holds the answer, or another's."""
    year, other = dice.randint(1200, 2000), dice.randint(1200, 2000)
    place = dice.choice(PLACES)
    return {
        "prompt": f"In which year was the old bridge of {place} opened?",
        "response": f"The old bridge of {place} was opened in {dice.choice((year, year, other))}, as far as is known.",
        "reference": {"answer": str(year), "aliases": [f"the year {year}"]},
    }


def format_request(dice: random.Random) -> dict[str, Any]:
    """About 1 kB of JSON under a schema, sometimes broken."""
    rows = [{"id": dice.randrange(10**6), "name": dice.choice(PLACES), "tags": ["a", "b"]} for _ in range(20)]
    text = json.dumps(rows)
    item = {"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer"}}}
    return {
        "prompt": "List them as JSON.",
        "response": text if dice.random() < 0.8 else text[:-1],
        "reference": {"format": "json", "json_schema": {"type": "array", "items": item}},
    }


def code_request(dice: random.Random) -> dict[str, Any]:
    """A function of the length that models write, with five calls."""
    shift = dice.randint(1, 10**6)
    lines = ("def total(values):", f"    result = {shift}", "    for value in values:", "        result += value")
    code = "\n".join((*lines, "    return result", ""))
    cases = [{"args": [list(range(size))], "expected": shift + sum(range(size))} for size in (0, 1, 5, 50, 500)]
    return {
        "prompt": "Write total(values).",
        "response": f"Here it is:\n```python\n{code}```",
        "reference": {"language": "python", "entry_point": "total", "cases": cases},
    }


VERIFIERS: dict[str, Maker] = {"math": math_request, "knowledge": knowledge_request, "format": format_request}


def event(dice: random.Random, index: int) -> dict[str, Any]:
    """A report as ingest_agent makes an event of it; four to an incident."""
    place = f"{dice.choice(PLACES)} {index // 4}"
    content = f"At least {dice.randint(3, 90)} people injured in flooding in {place}, 120 homes without power"
    return {
        "event_id": f"e-{index}",
        "source": dice.choice(("news", "social", "official")),
        "content": content,
        "entities": [],
        "location": place,
        "event_type": "flood",
        "timestamp": "2026-01-05T10:00:00Z",
        "metadata": {"author": f"desk-{index}"},
    }


def envelope(kind: str, agent: str, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": f"{kind}_v1",
        "session_id": "cpu-seconds",
        "timestamp": "2026-01-05T10:00:00Z",
        "source_agent": agent,
        "payload": {"type": kind, "data": data},
    }


def post(server: Running, path: str, bodies: Iterator[Any]) -> list[Any]:
    """One request after the other over one connection; raises when any is not answered 2xx."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    answers = []
    for body in bodies:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        if response.status >= 300:
            raise SystemExit(f"{path} answered {response.status}: {text[:500]!r}")
        answers.append(json.loads(text))
    connection.close()
    return answers


def used(server: Running, work: Callable[[], Any], count: int) -> float:
    """CPU seconds of the server's processes for each of `count` items of `work`."""
    before = session_cpu_s(server.process.pid)
    work()
    return (session_cpu_s(server.process.pid) - before) / count


def spread(server: Running, bodies: Iterator[Any]) -> list[float]:
    """How single requests' CPU times spread: the means of twenty equal groups, as shares of the mean of all."""
    times = []
    for body in bodies:
        before = session_cpu_ns(server.process.pid)
        post(server, "/verify", iter([body]))
        times.append(session_cpu_ns(server.process.pid) - before)
    times.sort()
    size, mean = len(times) // GROUPS, sum(times) / len(times)
    return [sum(times[at : at + size]) / size / mean for at in range(0, size * GROUPS, size)]


def verifier_cpu(name: str, folder: Path, broker: str) -> dict[str, Any]:
    """CPU seconds of one verification, alone and in a batch, and how they spread."""
    dice = random.Random(7)
    make = VERIFIERS[name]
    with running_function(f"{name}_verifier", folder, PUBSUB_EMULATOR_HOST=broker) as server:
        post(server, "/verify", (make(dice) for _ in range(WARM_UP)))
        single = used(server, lambda: post(server, "/verify", (make(dice) for _ in range(SINGLE))), SINGLE)
        batches = ({"requests": [make(dice) for _ in range(IN_A_BATCH)]} for _ in range(BATCHES))
        batch = used(server, lambda: post(server, "/verify/batch", batches), BATCHES * IN_A_BATCH)
        spread_ = spread(server, (make(dice) for _ in range(SINGLE)))
    return {"single": single, "batch": batch, "spread": spread_}


def dispatch_cpu(folder: Path, broker: str) -> dict[str, float]:
    """CPU seconds that code_verifier spends to admit and dispatch one program; the runner's own are not in it."""
    dice = random.Random(7)
    with CloudRunAdmin() as admin:
        variables = {"VERIFLEET_CODE_RUNNER_JOB": JOB, "VERIFLEET_RUN_API_ENDPOINT": admin.endpoint}
        variables |= {"PUBSUB_EMULATOR_HOST": broker, "GOOGLE_CLOUD_PROJECT": PROJECT}
        with running_function("code_verifier", folder, **variables) as server:
            requests = [code_request(dice) | {"options": {"wait_s": 0}} for _ in range(WARM_UP + SINGLE)]
            post(server, "/verify", iter(requests[:WARM_UP]))
            single = used(server, lambda: post(server, "/verify", iter(requests[WARM_UP:])), SINGLE)
            batches = (
                {"requests": [code_request(dice) for _ in range(IN_A_BATCH)], "deadline_ms": 0} for _ in range(BATCHES)
            )
            batch = used(server, lambda: post(server, "/verify/batch", batches), BATCHES * IN_A_BATCH)
    return {"single": single, "batch": batch}


def agents_cpu(folder: Path, broker: str) -> dict[str, float]:
    """CPU seconds of one event at each agent; each is given what the one before it made."""
    dice = random.Random(7)
    variables = {"PUBSUB_EMULATOR_HOST": broker, "GOOGLE_CLOUD_PROJECT": PROJECT}
    events = [event(dice, index) for index in range(WARM_UP + EVENTS)]
    reports = [{key: one[key] for key in ("source", "content", "location", "timestamp", "metadata")} for one in events]
    verified: list[Any] = []
    found = {}
    with running_function("ingest_agent", folder, **variables) as server:
        post(server, "/tasks", iter(reports[:WARM_UP]))
        found["ingest_agent"] = used(server, lambda: post(server, "/tasks", iter(reports[WARM_UP:])), EVENTS)
    with running_function("verifier_agent", folder, **variables) as server:
        made = [envelope("event", "ingest_agent", one) for one in events]
        verified += post(server, "/tasks", iter(made[:WARM_UP]))
        rest = iter(made[WARM_UP:])
        found["verifier_agent"] = used(server, lambda: verified.extend(post(server, "/tasks", rest)), EVENTS)
    results = [answer["payload"]["data"]["result"] for answer in verified]
    made = [first[0] if isinstance(first, list) else first for first in results]
    with running_function("summarizer_agent", folder, **variables) as server:
        post(server, "/tasks", iter(made[:WARM_UP]))
        found["summarizer_agent"] = used(server, lambda: post(server, "/tasks", iter(made[WARM_UP:])), EVENTS)
    return found


class CountingStore:
    """A SQLite store that counts what Firestore would bill: documents read, written, deleted."""

    def __init__(self, path: Path) -> None:
        from verifleet.storage.sqlite import SqliteStore

        self._store = SqliteStore(str(path))
        self.count = {"reads": 0, "writes": 0, "deletes": 0}

    async def get(self, kind: str, id: str) -> Any:
        self.count["reads"] += 1
        return await self._store.get(kind, id)

    async def get_many(self, kind: str, ids: Any) -> Any:
        self.count["reads"] += len(ids)
        return await self._store.get_many(kind, ids)

    async def put(self, kind: str, id: str, document: Any) -> None:
        self.count["writes"] += 1
        await self._store.put(kind, id, document)

    async def put_many(self, kind: str, documents: Any) -> None:
        self.count["writes"] += len(documents)
        await self._store.put_many(kind, documents)

    async def update(self, kind: str, id: str, change: Any) -> Any:
        written = 0

        def counted(present: Any) -> Any:
            nonlocal written
            changed = change(present)
            written = int(changed is not None)
            return changed

        stored = await self._store.update(kind, id, counted)
        self.count["reads"] += 1
        self.count["writes"] += written
        return stored

    async def delete(self, kind: str, id: str) -> None:
        self.count["deletes"] += 1
        await self._store.delete(kind, id)

    async def find(self, kind: str, keys: Any, **window: Any) -> Any:
        found = await self._store.find(kind, keys, **window)
        self.count["reads"] += max(1, len(found))
        return found

    async def close(self) -> None:
        await self._store.close()


async def store_operations(folder: Path) -> dict[str, dict[str, float]]:
    """Documents read and written for each event, with the delivery's idempotency record, and for each program."""
    from verifleet.envelopes import parse_envelope
    from verifleet.messaging.publisher import InMemoryPublisher
    from verifleet.serving.code import CodeDispatch
    from verifleet.serving.ingest import IngestAgent
    from verifleet.serving.summarizer_agent import SummarizerAgent
    from verifleet.serving.verifier_agent import VerifierAgent
    from verifleet.settings import load_settings
    from verifleet.storage.idempotency import Idempotency
    from verifleet.verification import parse_request

    dice = random.Random(7)
    found: dict[str, dict[str, float]] = {}

    async def through(name: str, make: Callable[[Any], Any], inputs: list[Any], schema: str) -> list[Any]:
        store = CountingStore(folder / f"count-{name}.db")
        handler, records, outputs = make(store), Idempotency(store, 3600, 60), []
        for index, one in enumerate(inputs):
            attempt = await records.start(f"{name}:{index}")
            outputs += await handler(parse_envelope(one, schema), cause=f"c-{index}")
            await records.complete(attempt)
        found[name] = {key: count / len(inputs) for key, count in store.count.items()}
        await store.close()
        return [json.loads(output.envelope.encode()) for output in outputs]

    reports = [
        {key: one[key] for key in ("source", "content", "location", "timestamp", "metadata")}
        for one in (event(dice, index) for index in range(EVENTS))
    ]
    raw = [envelope("raw_event", "feed", one) for one in reports]
    events = await through("ingest_agent", IngestAgent, raw, "raw_event_v1")
    verified = await through("verifier_agent", VerifierAgent, events, "event_v1")
    await through("summarizer_agent", SummarizerAgent, verified, "verified_event_v1")

    # The result comes back by a push and is stored if it is the first: of a chunk one document.
    back = {"reads": 1, "writes": 1}
    for name, batch in (("code_verifier", 1), ("code_verifier_batch", IN_A_BATCH), ("code_verifier_burst", IN_A_BURST)):
        store, publisher = CountingStore(folder / f"count-{name}.db"), InMemoryPublisher()
        config = load_settings()
        keeper = NoRunner()
        keeper.wanted = min(config.runner_max_tasks, -(-batch // config.runner_backlog_per_task))
        dispatch = CodeDispatch(config, store, publisher, keeper)
        times = 20 if batch < IN_A_BURST else 1
        for _ in range(times):
            requests = [parse_request("code", code_request(dice) | {"options": {"wait_s": 0}}) for _ in range(batch)]
            if batch == 1:
                await dispatch.check(requests[0])
            else:
                await dispatch.send_batch(requests, 0.0)
        await asyncio.sleep(0.1)  # what is noted beside the answers
        chunks = len(publisher.messages)
        found[name] = {key: (count + chunks * back.get(key, 0)) / (times * batch) for key, count in store.count.items()}
        await store.close()
    return found


def runner_cpu() -> float:
    """CPU seconds of one program in the sandbox and its scoring: the slope between a short and a long run."""
    totals = []
    for count in PROGRAMS:
        command = [sys.executable, "-m", "tests.benchmarks.bench_cpu_seconds", "--programs", str(count)]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        totals.append(float(done.stdout.split()[-1]))
    return (totals[1] - totals[0]) / (PROGRAMS[1] - PROGRAMS[0])


def run_programs(count: int) -> None:
    """Print the CPU seconds of this process and its children for `count` programs."""
    from verifleet.sandbox import LocalSandbox
    from verifleet.verification import parse_request
    from verifleet.verifiers.code import CodeVerifier

    dice = random.Random(7)
    sandbox = LocalSandbox()
    verifier = CodeVerifier(sandbox=sandbox)
    for _ in range(count):
        result = verifier.check(parse_request("code", code_request(dice)))
        if result.score != 1.0:
            raise SystemExit(f"a right program was judged {result}")
    sandbox.close()
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(sum(one.ru_utime + one.ru_stime for one in spent))


def measure() -> dict[str, Any]:
    """Everything, in CPU seconds."""
    from google.cloud.pubsub_v1 import PublisherClient

    with tempfile.TemporaryDirectory() as name, running_broker(Path(name)) as broker_process:
        folder, broker = Path(name), f"127.0.0.1:{broker_process.port}"
        os.environ["PUBSUB_EMULATOR_HOST"] = broker
        publisher = PublisherClient()
        for topic in TOPICS:
            publisher.create_topic(name=f"projects/{PROJECT}/topics/{topic}")
        verifiers = {}
        for verifier in VERIFIERS:
            verifiers[verifier] = verifier_cpu(verifier, folder, broker)
            print(verifier, verifiers[verifier], flush=True)
        dispatch = dispatch_cpu(folder, broker)
        verifiers["code"] = dispatch
        runner = runner_cpu()
        print("code", dispatch, "runner", runner, flush=True)
        agents = agents_cpu(folder, broker)
        operations = asyncio.run(store_operations(folder))
        print("agents", agents, flush=True)
    return {
        "measured": datetime.now(UTC).date().isoformat(),
        "command": "python -m tests.benchmarks.bench_cpu_seconds",
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}",
        "unit": "CPU seconds of one verification, program or event",
        "verifiers": rounded(verifiers),
        "code_runner": rounded(runner),
        "agents": rounded(agents),
        "store_operations": rounded(operations),
    }


def rounded(value: Any) -> Any:
    """Three significant digits, which is more than they are worth."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--out", type=Path, help="write the figures here as JSON")
    parser.add_argument("--programs", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.programs:
        run_programs(chosen.programs)
        return
    found = measure()
    for name, used in (found["verifiers"] | found["agents"]).items():
        row(f"CPU of {name}, one", (used["single"] if isinstance(used, dict) else used) * 1000, "ms")
    figures = json.dumps(found, indent=2)
    print(figures)
    if chosen.out:
        chosen.out.write_text(figures + "\n")


if __name__ == "__main__":
    main()
