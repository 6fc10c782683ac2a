"""Real broker processes for the contract suite and the benchmark: ours, and Google's emulator where installed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
_EMULATOR_FOLDERS = (
    Path("/usr/lib/google-cloud-sdk/platform/pubsub-emulator/lib"),
    Path.home() / "google-cloud-sdk/platform/pubsub-emulator/lib",
)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def google_emulator() -> list[str] | None:
    """The command line of Google's emulator, or None if it or Java is not installed."""
    java = shutil.which("java")
    jars = [jar for folder in _EMULATOR_FOLDERS for jar in sorted(folder.glob("cloud-pubsub-emulator-*-all.jar"))]
    return [java, "-jar", str(jars[-1])] if java and jars else None


@dataclass
class BrokerProcess:
    """A broker under its own process group."""

    command: list[str]
    port: int
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    @classmethod
    def ours(cls, data: Path, port: int | None = None) -> BrokerProcess:
        port = port or free_port()
        module = [sys.executable, "-m", "verifleet.local.broker"]
        return cls([*module, "--port", str(port), "--data", str(data)], port)

    @classmethod
    def google(cls) -> BrokerProcess:
        port = free_port()
        command = google_emulator()
        assert command is not None
        return cls([*command, "--host=127.0.0.1", f"--port={port}"], port)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            env={**os.environ, "PYTHONPATH": str(ROOT / "shared")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        give_up_at = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            if self.process.poll() is not None or time.monotonic() > give_up_at:
                raise AssertionError(f"{self.command} did not start: exit status {self.process.poll()}")
            time.sleep(0.01)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


@contextlib.contextmanager
def clients(address: str) -> Iterator[tuple[Any, Any]]:
    """The unmodified google-cloud-pubsub publisher and subscriber, connected to this address."""
    from google.cloud import pubsub_v1

    with mock.patch.dict(os.environ, {"PUBSUB_EMULATOR_HOST": address}):
        publisher = pubsub_v1.PublisherClient()
        subscriber = pubsub_v1.SubscriberClient()
    try:
        yield publisher, subscriber
    finally:
        publisher.stop()
        publisher.transport.close()
        subscriber.close()
