"""The fleet on one machine: broker and functions as real processes, watched, restarted, stopped whole."""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifleet.errors import SettingsError
from verifleet.jobs.lifeline import PARENT_VARIABLE
from verifleet.local.addresses import BROKER, HOST, PORTS, Addresses, functions_folder
from verifleet.local.broker import DATA_FAULT
from verifleet.local.logs import LogKeeper
from verifleet.messaging.topology import FUNCTIONS, GEMINI_FUNCTIONS, LOCAL_TIMING

START_TIMEOUT_S = 30.0
STOP_TIMEOUT_S = 5.0
LOOK_AT_STORE_S = 2.0
"""What reading all of a big store may take; its first pages are looked at in any case."""
STEADY_S = 30.0
"""A process that ran so long begins anew with the shortest pause when it has to be restarted."""
PROVISION_TIMEOUT_S = 10.0
OURS = ("broker.db*", "store.db*", "*.lock", "logs", "logs/*")
"""What the fleet keeps in its data folder; nobody else's to read."""
BROKER_OPTIONS = {"another --data path": "another --data-dir", "another --port": "another --port-offset"}
"""What the broker's messages advise, as the fleet's own options do it."""
NEEDED_MODULES = ("functions_framework", "starlette", "google.cloud.pubsub_v1", "grpc", "httpx", "rich", "sympy")

_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD)(_|$)")
_GEMINI_KEYS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
_OPINION_KEYS = ("VERIFLEET_SECOND_OPINION_KEY",)
ALERTS_OUT = "summarizer_agent"
"""Who sends alerts, and may know what their rules name."""
_OPINION_FUNCTIONS = ("math_verifier", "knowledge_verifier")

_CLIENT_OPTIONS = [
    ("grpc.max_receive_message_length", -1),
    # Clients of one process share connections, and their pauses of up to two minutes after a broker was away.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_reconnect_backoff_ms", 1000),
]

Progress = Callable[[str, str], None]
"""Told (process name, what happened)."""


@dataclass(slots=True)
class Member:
    """One process of the fleet and its life so far."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float = 0.0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None


class Fleet:
    """Starts, watches and stops the processes of one fleet.

    Args:
        data_dir: where the broker's messages, the store and the logs are kept.
        addresses: the ports.
        environment: further variables for every process.

    Raises:
        SettingsError: from `start`, when something on this machine stands in the way; says what to do.
    """

    def __init__(
        self, data_dir: Path, addresses: Addresses | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self.data_dir = data_dir.resolve()
        self.addresses = addresses or Addresses()
        self.project = "verifleet-local"
        self.logs = self.data_dir / "logs"
        self._extra = dict(environment or {})
        self._progress: Progress = lambda name, what: None
        self._keeper: LogKeeper | None = None
        self.members = [Member(BROKER, self._broker_command())]
        self.members += [Member(name, self._function_command(name)) for name in FUNCTIONS]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the fleet's processes, and of any client that wants to talk to it."""
        # The fleet's project is its own; Vertex AI is asked in the one that the caller is in.
        project = os.environ.get("GOOGLE_CLOUD_PROJECT")
        return {
            **({"VERIFLEET_GEMINI_PROJECT": project} if project else {}),
            **os.environ,
            "PUBSUB_EMULATOR_HOST": self.addresses.broker,
            "GOOGLE_CLOUD_PROJECT": self.project,
            "VERIFLEET_STORE": f"sqlite:///{self.data_dir / 'store.db'}",
            "VERIFLEET_DATA_DIR": str(self.data_dir),
            "VERIFLEET_ACK_DEADLINE_S": str(LOCAL_TIMING.ack_deadline_s),
            "VERIFLEET_VERIFIER_URLS": " ".join(
                f"{name.removesuffix('_verifier')}={self.addresses.url(name)}"
                for name in FUNCTIONS
                if name.endswith("_verifier")
            ),
            "PYTHONUNBUFFERED": "1",
            **self._extra,
        }

    def start(self, progress: Progress | None = None) -> None:
        """Start everything and return once every process is healthy. Call from the main thread."""
        self._progress = progress or self._progress
        self._check_machine()
        names = [member.name for member in self.members]
        self._keeper = LogKeeper(self.logs, names, without_secrets(self.environment))
        try:
            broker = self.members[0]
            self._spawn(broker)
            self._await(broker, lambda: _accepts(self.addresses.port(BROKER)))
            self._provision()
            self._progress(BROKER, "ready")
            for member in self.members[1:]:
                self._spawn(member)
            for member in self.members[1:]:
                self._await(member, lambda name=member.name: _healthy(self.addresses.port(name)))  # type: ignore[misc]
                self._progress(member.name, "ready")
        except BaseException:
            self.stop()
            raise

    def watch(self) -> None:
        """Restart what died, with a growing pause; call it regularly from the main thread.

        Raises SettingsError where restarting does not help: the broker's data is damaged.
        """
        if self._keeper is not None:
            self._keeper.watch()
        now = time.monotonic()
        for member in self.members:
            if member.alive:
                continue
            if member.process is not None:
                _kill_group(member.process.pid)
                self._check_broker_data(member)
                self._progress(member.name, f"ended with {member.process.returncode}; see {self._log(member)}")
                member.process = None
                member.failures = 1 if now - member.started_at > STEADY_S else member.failures + 1
                member.restart_at = now + min(5.0, 0.1 * 2 ** min(member.failures, 6))
            if now >= member.restart_at:
                self._spawn(member)
                self._progress(member.name, "restarted")

    def stop(self) -> None:
        """End every process and its whole group; returns once none is left."""
        running = [member.process for member in reversed(self.members) if member.process is not None]
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_TIMEOUT_S
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            _kill_group(process.pid)
            process.wait()
        for member in self.members:
            member.process = None
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None

    def _broker_command(self) -> list[str]:
        port = str(self.addresses.port(BROKER))
        data = str(self.data_dir / "broker.db")
        return _python("verifleet.local.broker", "--host", HOST, "--port", port, "--data", data)

    def _function_command(self, name: str) -> list[str]:
        return _python("verifleet.local.serve", name, "--host", HOST, "--port", str(self.addresses.port(name)))

    def _check_machine(self) -> None:
        missing = [name for name in NEEDED_MODULES if not _importable(name)]
        if missing:
            raise SettingsError(f"missing Python modules: {', '.join(missing)}; run: pip install -e '.[local]'")
        functions_folder()
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            self._tighten()
            probe = self.data_dir / ".writable"
            probe.write_text("")
            probe.unlink()
        except OSError as error:
            raise SettingsError(
                f"the data folder {self.data_dir} can't be written ({error.strerror}); choose another with --data-dir"
            ) from None
        self._check_store()
        for name in PORTS:
            port = self.addresses.port(name)
            if not _free(port):
                raise SettingsError(
                    f"port {port} for {name} is busy; stop what uses it or move all ports with --port-offset, e.g. 1000"
                )

    def _check_store(self) -> None:
        from verifleet.storage.sqlite import damage, left_behind

        path = Path(self.environment["VERIFLEET_STORE"].removeprefix("sqlite:///"))
        problem = left_behind(path) or damage(path, look_for_s=LOOK_AT_STORE_S)
        if problem is not None:
            raise SettingsError(problem)

    def _tighten(self) -> None:
        """What an earlier version left for everybody to read."""
        found = [path for pattern in OURS for path in self.data_dir.glob(pattern)]
        if self.data_dir.name == ".verifleet":  # any other may hold what is not ours
            found.append(self.data_dir)
        for path in found:
            if path.stat().st_mode & 0o077 and path.stat().st_uid == os.getuid() and not path.is_symlink():
                path.chmod(0o700 if path.is_dir() else 0o600)

    def _provision(self) -> None:
        from google.api_core.exceptions import GoogleAPIError

        from verifleet.local.provision import on_this_machine, provision

        try:
            with self.clients() as (publisher, subscriber):
                place = on_this_machine(self.addresses)
                list(provision(publisher, subscriber, self.project, place, timeout_s=PROVISION_TIMEOUT_S))
        except GoogleAPIError as error:
            broker = self.members[0]
            with contextlib.suppress(subprocess.TimeoutExpired):
                assert broker.process is not None
                broker.process.wait(2.0)  # it ends by itself where it can't use its data
            self._check_broker_data(broker)
            if not broker.alive:
                raise SettingsError(f"the {self._end_of(broker)}") from error
            raise SettingsError(f"the broker refuses the fleet's topics: {error} (log: {self._log(broker)})") from error

    def _check_broker_data(self, member: Member) -> None:
        if member.name == BROKER and member.process is not None and member.process.poll() == DATA_FAULT:
            raise SettingsError(self._last_words(member).removeprefix("verifleet broker: "))

    @contextlib.contextmanager
    def clients(self) -> Iterator[tuple[Any, Any]]:
        """The unmodified Google clients, (PublisherClient, SubscriberClient), connected to this fleet's broker."""
        os.environ["PUBSUB_EMULATOR_HOST"] = self.addresses.broker
        import grpc
        from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient
        from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport
        from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

        to, by = (grpc.insecure_channel(self.addresses.broker, options=_CLIENT_OPTIONS) for _ in range(2))
        publisher = PublisherClient(transport=PublisherGrpcTransport(channel=to))
        subscriber = SubscriberClient(transport=SubscriberGrpcTransport(channel=by))
        try:
            yield publisher, subscriber
        finally:
            publisher.stop()
            publisher.transport.close()
            subscriber.close()

    def _spawn(self, member: Member) -> None:
        environment = without_secrets(self.environment, keys_of(member.name)) | {PARENT_VARIABLE: str(os.getpid())}
        assert self._keeper is not None
        output = self._keeper.pipe(member.name)
        member.process = subprocess.Popen(
            member.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
            umask=0o077,
        )
        member.started_at = time.monotonic()

    def _await(self, member: Member, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not ready():
            if not member.alive or time.monotonic() > deadline:
                self._check_broker_data(member)
                raise SettingsError(self._end_of(member))
            time.sleep(0.03)

    def _end_of(self, member: Member) -> str:
        """Why a process does not serve."""
        happened = "did not get ready in time" if member.alive else "ended at once"
        words = self._last_words(member).removeprefix("verifleet broker: ")
        for advice, own in BROKER_OPTIONS.items() if member.name == BROKER else ():
            words = words.replace(advice, own)
        return f"{member.name} {happened}: {words} (log: {self._log(member)})"

    def _log(self, member: Member) -> Path:
        return self.logs / f"{member.name}.log"

    def _last_words(self, member: Member) -> str:
        if self._keeper is not None:
            self._keeper.sync()
        try:
            lines = self._log(member).read_text(errors="replace").strip().splitlines()
        except OSError:
            lines = []
        return lines[-1][:1000] if lines else "it said nothing"


def keys_of(function: str) -> tuple[str, ...]:
    """The variables with keys that a function may know."""
    gemini = _GEMINI_KEYS if function in GEMINI_FUNCTIONS else ()
    alerts = [name for name in os.environ if name.startswith("VERIFLEET_ALERT_")] if function == ALERTS_OUT else []
    return (*gemini, *(_OPINION_KEYS if function in _OPINION_FUNCTIONS else ()), *alerts)


def without_secrets(environment: Mapping[str, str], but: Collection[str] = ()) -> dict[str, str]:
    """Without the keys, tokens and passwords that a shell may hold; no process of the fleet needs any but Gemini's."""
    return {name: value for name, value in environment.items() if name in but or not _SECRET.search(name.upper())}


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "verifleet.jobs.lifeline", module, *arguments]


def _importable(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def all_free(addresses: Addresses) -> bool:
    """Whether a fleet could listen on all of these ports."""
    return all(_free(addresses.port(name)) for name in PORTS)


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
