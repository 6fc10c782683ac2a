"""Real processes for tests and benchmarks: a function under functions-framework, a broker; killed as whole groups."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/main.py"))
START_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Running:
    """A process that serves on `port`; `log` holds what it prints."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def get(self, path: str) -> Answer:
        return self._answer(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}"))

    def post(self, path: str, body: bytes, content_type: str = "application/json") -> Answer:
        headers = {"Content-Type": content_type}
        return self._answer(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers))

    def _answer(self, request: urllib.request.Request) -> Answer:
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, response.read(), dict(response.headers))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read(), dict(error.headers))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def function_command(source: Path, target: str, port: int) -> list[str]:
    framework = [sys.executable, "-m", "functions_framework"]
    return [*framework, "--source", str(source), "--target", target, "--host", "127.0.0.1", "--port", str(port)]


def environment(folder: Path, **variables: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    store = f"sqlite:///{folder / 'store.db'}"
    return {**kept, "PYTHONPATH": str(ROOT / "shared"), "VERIFLEET_STORE": store, **variables}


@contextlib.contextmanager
def running(command: list[str], port: int, folder: Path, **variables: str) -> Iterator[Running]:
    """Start a command as a process group of its own; on leaving, the group is killed."""
    log = folder / f"{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(folder, **variables),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Running(process, port, log)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_port(server: Running) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and server.process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 1):
            return
        time.sleep(0.01)
    raise AssertionError(f"nothing serves on port {server.port}:\n{server.log.read_text()[-2000:]}")


@contextlib.contextmanager
def running_function(name: str, folder: Path, **variables: str) -> Iterator[Running]:
    port = free_port()
    command = function_command(ROOT / "functions" / name / "main.py", name, port)
    with running(command, port, folder, **variables) as server:
        await_port(server)
        yield server


@contextlib.contextmanager
def running_broker(folder: Path) -> Iterator[Running]:
    port = free_port()
    module = [sys.executable, "-m", "verifleet.local.broker", "--host", "127.0.0.1", "--port", str(port)]
    with running([*module, "--data", str(folder / "broker.db")], port, folder) as server:
        await_port(server)
        yield server
