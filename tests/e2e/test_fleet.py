"""The fleet as a stranger runs it: real processes, the real Pub/Sub client, real signals."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e import closed_network
from tests.e2e.conftest import ALERTED
from tests.functions.processes import ROOT
from tests.unit.alerts.test_alerts import Receiver
from verifleet.commands.demo import free_addresses
from verifleet.commands.publish import attributes_of, wrap
from verifleet.local.addresses import PORTS
from verifleet.local.local_fleet import Fleet
from verifleet.local.pulling import pulled

pytestmark = pytest.mark.slow


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "verifleet.cli", *arguments]


def in_group_of(path: Path) -> list[int]:
    """Processes whose environment names this data folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(path).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@dataclass(frozen=True)
class Demo:
    done: subprocess.CompletedProcess[str]
    reached: dict[str, int] | None
    """What was looked for outside loopback, by protocol, address and port; None where no network could be made."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Broker, seven functions and runner on every sample, in a network of their own where that is allowed."""
    report = tmp_path_factory.mktemp("network") / "reached.json"
    closed = [sys.executable, "-m", "tests.e2e.closed_network", str(report), *command("demo")]
    options = {"capture_output": True, "text": True, "timeout": 110, "check": False, "cwd": ROOT}
    done = subprocess.run(closed, **options)
    if done.returncode == closed_network.REFUSED:
        return Demo(subprocess.run(command("demo"), **options), None)
    return Demo(done, json.loads(report.read_text()))


def test_the_demo_gets_every_sample_right(demo: Demo) -> None:
    assert demo.done.returncode == 0, demo.done.stdout[-3000:] + demo.done.stderr[-2000:]
    assert "Incident briefs" in demo.done.stdout


def test_the_fleet_looks_for_no_other_machine_than_it_was_told_of(demo: Demo) -> None:
    if demo.reached is None:
        pytest.skip("this user may make no network of its own")
    # The probe that ends the watch shows that a packet would have been seen.
    assert demo.reached == {f"udp {closed_network.ELSEWHERE} 9": 1}


def test_up_killed_with_9_leaves_no_process_and_no_port(tmp_path: Path) -> None:
    addresses = free_addresses()
    up = subprocess.Popen(
        command("up", "--data-dir", str(tmp_path), "--port-offset", str(addresses.offset)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"VERIFLEET_DATA_DIR": str(tmp_path)},
    )
    try:
        assert up.stdout is not None
        for line in up.stdout:
            if "The fleet is up" in line:
                break
        # A code request brings up the runner and its sandbox too.
        body = {"prompt": 'Test 1: input="a", output="a"', "response": "```python\nprint(input())\n```"}
        assert httpx.post(f"{addresses.url('code_verifier')}/verify", json=body, timeout=40).json()["score"] == 1.0
        assert len(in_group_of(tmp_path)) > 8
    finally:
        up.kill()
        up.communicate()
    # A process that ends gives back its memory, by which it is found here, before its sockets.
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and (in_group_of(tmp_path) or any(map(taken, map(addresses.port, PORTS)))):
        time.sleep(0.1)
    assert in_group_of(tmp_path) == []
    assert [name for name in PORTS if taken(addresses.port(name))] == []


def taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_busy_port_is_named_with_what_to_do(tmp_path: Path) -> None:
    addresses = free_addresses()
    with socket.socket() as busy:
        busy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        busy.bind(("127.0.0.1", addresses.port("math_verifier")))
        busy.listen()
        arguments = ("up", "--data-dir", str(tmp_path), "--port-offset", str(addresses.offset))
        done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert f"port {addresses.port('math_verifier')} for math_verifier is busy" in done.stderr
    assert "--port-offset" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unwritable_data_folder_is_named_with_what_to_do() -> None:
    done = subprocess.run(
        command("up", "--data-dir", "/proc/nowhere"), capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    assert "/proc/nowhere" in done.stderr
    assert "--data-dir" in done.stderr


def test_damaged_broker_data_is_one_sentence_on_the_terminal_at_once(tmp_path: Path) -> None:
    (tmp_path / "broker.db").write_bytes(b"SQLite format 3\0" + b"\xa5" * 100_000)
    started = time.monotonic()
    arguments = ("up", "--data-dir", str(tmp_path), "--port-offset", str(free_addresses().offset))
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"{tmp_path}/broker.db is damaged" in done.stderr
    assert f"mv {tmp_path}/broker.db" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert time.monotonic() - started < 30


def test_a_damaged_store_is_one_sentence_on_the_terminal_at_once(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"SQLite format 3\0" + b"\xa5" * 100_000)
    arguments = ("up", "--data-dir", str(tmp_path), "--port-offset", str(free_addresses().offset))
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"the store {tmp_path}/store.db is damaged" in done.stderr
    assert "to another place and start again" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_broker_data_that_is_damaged_while_it_runs_stops_the_fleet_with_the_sentence(tmp_path: Path) -> None:
    addresses = free_addresses()
    up = subprocess.Popen(
        command("up", "--data-dir", str(tmp_path), "--port-offset", str(addresses.offset)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"GITHUB_TOKEN": "s3cret"},
    )
    try:
        assert up.stdout is not None
        for line in up.stdout:
            if "The fleet is up" in line:
                break
        body = {"prompt": 'Test 1: input="a", output="a"', "response": "```python\nprint(input())\n```"}
        assert httpx.post(f"{addresses.url('code_verifier')}/verify", json=body, timeout=40).json()["score"] == 1.0
        private = {path: path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")}
        assert set(private.values()) == {0}, private
        assert {path.name for path in private} >= {"broker.db", "store.db", "logs", "code_verifier.log"}
        members = [pid for pid in in_group_of(tmp_path) if pid != up.pid]
        assert members
        assert not [pid for pid in members if b"s3cret" in Path(f"/proc/{pid}/environ").read_bytes()]
        # Killed while its log is cut off: what it wrote last is missing when it is started again.
        (broker,) = [pid for pid in members if b"local.broker" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(broker, signal.SIGSTOP)
        (tmp_path / "broker.db-wal").write_bytes(b"")
        os.kill(broker, signal.SIGKILL)
        said = up.communicate(timeout=30)[1]
    finally:
        up.kill()
        up.wait()
    assert up.returncode == 2
    assert "broker.db-wal was cut off" in said
    assert len(said.strip().splitlines()) == 1


class Inbox:
    """Collects the payloads of one topic."""

    def __init__(self, fleet: Fleet, clients: tuple[Any, Any], topic: str) -> None:
        self._subscriber = clients[1]
        self._name = f"projects/{fleet.project}/subscriptions/test-{uuid.uuid4().hex[:10]}"
        self._subscriber.create_subscription(name=self._name, topic=f"projects/{fleet.project}/topics/{topic}")

    def pull(self) -> list[Any]:
        answer = pulled(self._subscriber, self._name, 500)
        if answer:
            self._subscriber.acknowledge(subscription=self._name, ack_ids=[item.ack_id for item in answer])
        return [item.message for item in answer]

    def until(self, count: int, seconds: float, session: str) -> list[Any]:
        """Messages of one session, until there are `count` different envelope ids."""
        got: list[Any] = []
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and len({m.attributes["envelope_id"] for m in got}) < count:
            got += [message for message in self.pull() if message.attributes.get("session_id") == session]
            time.sleep(0.1)
        return got


def publish(fleet: Fleet, clients: tuple[Any, Any], topic: str, envelope: dict[str, Any]) -> None:
    path = f"projects/{fleet.project}/topics/{topic}"
    clients[0].publish(path, json.dumps(envelope).encode(), **attributes_of(envelope)).result(timeout=15)


def test_a_function_killed_while_it_works_loses_nothing(fleet: Fleet, clients: tuple[Any, Any]) -> None:
    session = str(uuid.uuid4())
    events = Inbox(fleet, clients, "events")
    envelopes = [
        wrap({"source": "news", "content": f"{n} people injured in a fire in Leeds"}, session) for n in range(2, 42)
    ]
    for index, envelope in enumerate(envelopes):
        publish(fleet, clients, "raw-events", envelope)
        if index == 10:
            ingest = next(member for member in fleet.members if member.name == "ingest_agent")
            assert ingest.process is not None
            os.killpg(ingest.process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 60
    got: list[Any] = []
    while time.monotonic() < deadline and len({m.attributes["envelope_id"] for m in got}) < len(envelopes):
        fleet.watch()
        got += events.until(1, 0.3, session)
    assert len({message.attributes["envelope_id"] for message in got}) == len(envelopes)


def test_alerts_arrive_once_and_in_order_though_the_target_is_down_and_the_function_killed(
    fleet: Fleet, clients: tuple[Any, Any], hooks: Receiver
) -> None:
    summarizer = next(member for member in fleet.members if member.name == "summarizer_agent")

    def told() -> list[tuple[str, str]]:
        return [
            (headers["webhook-id"], json.loads(body)["changes"][0]["text"].partition(" (")[0])
            for _, headers, body in list(hooks.got)
        ]

    def until(enough: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline and not enough():
            fleet.watch()
            time.sleep(0.1)
        assert enough(), told()

    def report(dead: int, hour: int) -> None:
        content = f"Storm in Porto, Portugal: {dead} people dead, Civil Protection confirms."
        told = {"source": "official", "content": content, "timestamp": f"2026-05-04T{hour}:00:00Z"}
        told["metadata"] = {"author": "Civil Protection"}
        publish(fleet, clients, "raw-events", wrap(told, ALERTED))

    report(12, 10)
    until(lambda: len(told()) == 1)
    hooks.answers = [503]
    report(15, 12)
    until(lambda: len(told()) == 2)  # refused, and owed from now on
    assert summarizer.process is not None
    os.killpg(summarizer.process.pid, signal.SIGKILL)
    report(19, 14)
    until(lambda: told()[-1][1] == "19 people have died")
    assert [text for _, text in told()][:4] == [f"{many} people have died" for many in (12, 15, 15, 19)]
    ids = [id for id, _ in told()]
    assert ids[1] == ids[2]  # the same alert, tried again
    assert len(set(ids)) == len(ids) - 1


def test_an_unroutable_request_becomes_a_dead_letter_with_its_reason(fleet: Fleet, clients: tuple[Any, Any]) -> None:
    dead = Inbox(fleet, clients, "dead-letters")
    envelope = wrap({"verifier": "math", "response": "4", "reference": {"answer": "4"}}, str(uuid.uuid4()))
    path = f"projects/{fleet.project}/topics/verification-requests"
    clients[0].publish(path, json.dumps(envelope).encode()).result(timeout=15)
    deadline = time.monotonic() + 20
    found: list[Any] = []
    while time.monotonic() < deadline and not found:
        found = [message for message in dead.pull() if json.loads(message.data) == envelope]
        time.sleep(0.1)
    assert found
    assert "verifier" in found[0].attributes["reason"]


def test_a_runner_killed_with_200_requests_in_flight_loses_none(fleet: Fleet, clients: tuple[Any, Any]) -> None:
    session = str(uuid.uuid4())
    results = Inbox(fleet, clients, "verification-results")
    program = "```python\nimport time\ntime.sleep(0.05)\nprint(input())\n```"
    for n in range(200):
        reference = {"language": "python", "tests": [{"input": str(n), "output": str(n)}]}
        request = {"verifier": "code", "request_id": str(n), "response": program, "reference": reference}
        publish(fleet, clients, "verification-requests", wrap(request, session))
    got = results.until(20, 60, session)
    killed = [pid for pid in in_group_of(fleet.data_dir) if b"code_runner" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    got += results.until(200 - len({m.attributes["envelope_id"] for m in got}), 100, session)
    ids = {message.attributes["envelope_id"] for message in got}
    answers = {json.loads(m.data)["payload"]["data"]["request_id"]: json.loads(m.data) for m in got}
    assert len(ids) == 200
    assert set(answers) == {str(n) for n in range(200)}
    assert all(answer["payload"]["data"]["score"] == 1.0 for answer in answers.values())
