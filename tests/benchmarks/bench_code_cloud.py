"""Bursts of programs as on Google Cloud: instances of code_verifier behind one address, runners that a job starts.

    python -m tests.benchmarks.bench_code_cloud [--instances 1 4 16] [--programs 512 4096] [--warm] [--network-s 60]

All are processes of this machine: the broker, as many instances under functions-framework on one store, at most four
runner tasks. A loopback Admin API starts tasks 15 s after it is asked to, answers in pages and with a delay, and a task
reaches Pub/Sub 60 s after its start. Connections to the instances go round. `idle` begins without a runner, `warm` with
four that wait. A machine with few CPUs tells little of rates, which all share; what each part used is its CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.code_programs import forked_rate, function_rows
from tests.benchmarks.figures import row
from tests.benchmarks.process_cpu import own_and_jailed_s, session_cpu_s
from tests.contract.cloud_run_admin import JOB, CloudRunAdmin
from tests.functions.processes import Running, free_port, running_broker, running_function
from verifleet.local.provision import Place, provision
from verifleet.messaging.topology import FUNCTIONS

PROJECT = "cloud"
TASKS = 4
START_S, NETWORK_S = 15.0, 60.0
ADMIN_DELAY_S = 0.2
OLD_EXECUTIONS = 250
"""Executions of the job that ended before."""


class RoundRobin:
    """One address for many servers: each new connection goes to the next."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.port = free_port()
        self._next = itertools.cycle(ports)
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait(10)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", self.port))
        ready.set()
        self._loop.run_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", next(self._next))
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._copy(reader, there[1]), self._copy(there[0], writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 18):
                writer.write(data)
                await writer.drain()
        writer.close()


class Cloud:
    """A project with so many instances of code_verifier."""

    def __init__(self, stack: contextlib.ExitStack, folder: Path, instances: int, network_s: float) -> None:
        self.store = folder / "store.db"
        self.broker = stack.enter_context(running_broker(folder))
        late = [sys.executable, "-m", "tests.benchmarks.late_network", str(network_s)]
        self.admin = stack.enter_context(CloudRunAdmin(late, delay_s=ADMIN_DELAY_S, start_s=START_S))
        variables = {
            "PUBSUB_EMULATOR_HOST": f"127.0.0.1:{self.broker.port}",
            "GOOGLE_CLOUD_PROJECT": PROJECT,
            "VERIFLEET_CODE_RUNNER_JOB": JOB,
            "VERIFLEET_RUN_API_ENDPOINT": self.admin.endpoint,
            "VERIFLEET_RUNNER_MAX_TASKS": str(TASKS),
            "VERIFLEET_DATA_DIR": str(folder),
            "VERIFLEET_RUNNER_IDLE_S": "60",
        }
        self.admin.ended_before(OLD_EXECUTIONS)
        self.instances: list[Running] = []
        for _ in range(instances):
            self.instances.append(stack.enter_context(running_function("code_verifier", folder, **variables)))
        self.admin.environment = _environment(folder, variables)
        front = RoundRobin([one.port for one in self.instances])
        self.client = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{front.port}", timeout=300))
        self._provision(front.port)

    def _provision(self, port: int) -> None:
        from verifleet.jobs.code_runner import _clients
        from verifleet.settings import load_settings

        subscriber, publisher = _clients(load_settings(pubsub_emulator_host=f"127.0.0.1:{self.broker.port}"))
        place = Place(dict.fromkeys(FUNCTIONS, f"http://127.0.0.1:{port}"))
        for _ in provision(publisher, subscriber, PROJECT, place):  # type: ignore[arg-type]
            pass
        publisher.transport.close()  # type: ignore[no-untyped-call]
        subscriber.transport.close()  # type: ignore[no-untyped-call]

    def runners(self) -> list[Any]:
        return [process for execution in self.admin.executions for process in execution.processes]

    def cpu_s(self) -> dict[str, float]:
        """CPU seconds so far of each part; of the runners that are up now."""
        parts = {"broker": session_cpu_s(self.broker.process.pid)}
        parts["code_verifier"] = sum(session_cpu_s(one.process.pid) for one in self.instances)
        used = [own_and_jailed_s(process.pid) for process in self.runners() if process.poll() is None]
        return parts | {"runner": sum(own for own, _ in used), "sandbox": sum(jailed for _, jailed in used)}

    def documents(self) -> dict[str, int]:
        """Documents in the store by kind."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as db:
                return dict(db.execute("SELECT kind, count(*) FROM documents GROUP BY kind").fetchall())
        except sqlite3.OperationalError:  # it is made with the first document
            return {}

    def deliveries(self) -> int:
        """Messages that were pushed to the instances."""
        found = 0.0
        for one in self.instances:
            text = one.get("/metrics").body.decode()
            lines = re.findall(r'^agent_requests_total\{[^}]*operation="deliver"[^}]*\} (\S+)', text, re.MULTILINE)
            found += sum(map(float, lines))
        return int(found)

    def none_up(self) -> None:
        """End all runners, as when they were idle for long."""
        for process in self.runners():
            process.send_signal(signal.SIGKILL)
            process.wait()
        for execution in self.admin.executions:
            execution.ended = True
        time.sleep(2.1)  # what was seen of them is looked at again

    def four_up(self) -> None:
        """Start runners ahead, wait until they wait, and have every instance load what it needs."""
        told = self.client.post("/warm", json={"programs": 50 * TASKS, "stay_s": 600}).raise_for_status().json()
        assert told["running"] == TASKS, told
        for number in range(1 + len(self.instances) // 2):
            self.judge(128, salt=f"first {number}")

    def judge(self, count: int, salt: str) -> tuple[float, float]:
        """Seconds to the first verdict in the store, and to the answer with all; every program must be judged right."""
        before = self.documents().get("result", 0)
        started = time.perf_counter()
        with ThreadPoolExecutor(1) as threads:
            body = {"requests": requests(count, salt)}
            asking = threads.submit(self.client.post, "/verify/batch", json=body)
            while self.documents().get("result", 0) == before and not asking.done():
                time.sleep(0.02)
            first = time.perf_counter() - started
            answer = asking.result().raise_for_status().json()
        assert answer["summary"]["verdict"] == {"correct": count}, answer["summary"]
        return first, time.perf_counter() - started


def requests(count: int, salt: str) -> list[dict[str, Any]]:
    """Programs in HumanEval's form, no two alike."""
    rows = itertools.islice(itertools.cycle(function_rows()), count)
    return [
        {"prompt": f"{salt} {index}", "response": f"```python\n{code}\n```", "reference": {"test_code": test}}
        for index, (code, test) in enumerate(rows)
    ]


def _environment(folder: Path, variables: Mapping[str, str]) -> dict[str, str]:
    from tests.functions.processes import ROOT, environment

    known = environment(folder, **variables)
    return known | {"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}", "VERIFLEET_LOG_LEVEL": "ERROR"}


@contextlib.contextmanager
def cloud(instances: int, network_s: float) -> Iterator[Cloud]:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        yield Cloud(stack, Path(folder), instances, network_s)


def measure(place: Cloud, count: int, state: str) -> float:
    """Print a line of the table; returns programs a second."""
    before, deliveries, kept = place.cpu_s(), place.deliveries(), place.documents()
    looks = len(place.admin.looks)
    salt = f"{state} {time.monotonic()}"
    first, last = place.judge(count, salt)
    used = {part: (s - before.get(part, 0.0)) / count * 1000 for part, s in place.cpu_s().items()}
    chunks = place.documents().get("result", 0) - kept.get("result", 0)
    documents = chunks + place.documents().get("batch", 0) - kept.get("batch", 0)
    outside = sum(ms for part, ms in used.items() if part != "sandbox")
    parts = ", ".join(f"{part} {ms:.2f}" for part, ms in used.items())
    print(
        f"| {len(place.instances)} | {state} | {count} | {first:.1f} | {last:.1f} | {outside:.2f} ({parts}) "
        f"| {(2 * chunks + count) / count:.3f} | {(place.deliveries() - deliveries) / count:.3f} "
        f"| {documents / count:.3f} | {len(place.admin.looks) - looks} |",
        flush=True,
    )
    return count / last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--programs", type=int, nargs="+", default=[512, 4096])
    parser.add_argument("--warm", action="store_true", help="no bursts from idle")
    parser.add_argument("--network-s", type=float, default=NETWORK_S)
    chosen = parser.parse_args()
    rates = []
    print(
        "| instances | runners | programs | first s | last s | CPU ms a program, without the sandbox (parts) "
        "| messages published a program | pushed | documents | pages of executions |\n|" + "--:|" * 10
    )
    for instances in chosen.instances:
        with cloud(instances, 0.0 if chosen.warm else chosen.network_s) as place:
            for count in () if chosen.warm else chosen.programs:
                measure(place, count, "idle")
                place.none_up()
        with cloud(instances, 0.0) as place:
            place.four_up()
            rates += [measure(place, count, "warm") for count in chosen.programs]
    baseline = forked_rate(function_rows())
    rate = max(rates)
    row("code: programs as on Google Cloud, warm", rate, "programs/s", against=baseline, of="not isolated", wanted=3)
    print(
        f"\nwarm, at best {rate:.0f} programs/s; forked executor {baseline:.0f}; ratio {rate / baseline:.1f} (wanted 3)"
    )


if __name__ == "__main__":
    main()
