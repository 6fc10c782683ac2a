"""The platform's own sandbox as the wall: every process of a run is started through the launcher prefix by itself.

For places where the launcher (`sandbox do --` of Cloud Run) is there, but no namespaces or filters of ours hold behind
it. Slower by a process start and an interpreter for each run. What comes back from inside is the program's own and
untrusted; expected values never go in.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import boot
from verifleet.sandbox.guest.alone import END, FRAMES, HEAD, LINK_IN, LINK_OUT, STDERR, STDIN, STDOUT
from verifleet.sandbox.jobs import Job, JobResult, ProcessResult

START_S = 30.0
STOP_S = 2.0
RESULT_BYTES = 16 * 1024 * 1024
STDERR_BYTES = 16 * 1024
_CHUNK = 1 << 16


class PlatformRuns:
    """Runs jobs behind `launcher`, at most `parallel` at once; `node` is the path of node, if there is one."""

    def __init__(
        self, launcher: Sequence[str], parallel: int, node: str | None, packages: dict[str, list[str]]
    ) -> None:
        self.owner = os.getpid()
        self.alive = True
        self._launcher = tuple(launcher)
        self._given = {"node": node or "", "node_source": boot.node_source(), "packages": packages}
        self._threads = ThreadPoolExecutor(parallel, thread_name_prefix="verifleet-platform")
        self._running: set[_Run] = set()
        self._lock = threading.Lock()

    def submit(self, job: Job) -> Future[JobResult]:
        """Queue a run."""
        if not self.alive:
            raise SandboxUnavailableError("the sandbox was closed")
        return self._threads.submit(self._run, job)

    def close(self) -> None:
        """End all runs."""
        self.alive = False
        if self.owner != os.getpid():
            return
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for run in self._running:
                run.stop("cancelled")
        self._threads.shutdown()

    def _run(self, job: Job) -> JobResult:
        run = _Run(job, self._launcher, self._given)
        with self._lock:
            self._running.add(run)
        try:
            return run.finish()
        finally:
            with self._lock:
                self._running.discard(run)


class _Side:
    """One process of a run, in a sandbox of its own, and what has come from it."""

    def __init__(self, launcher: Sequence[str], config: dict[str, Any], payload: bytes, job: Job) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by bury()
        try:
            self.process = boot.start(launcher, self.errors, session=True)
        except OSError:
            self.errors.close()
            raise
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        os.set_blocking(self.input.fileno(), False)
        self.waiting = bytearray(boot.bundle("verifleet.sandbox.guest.alone", config))
        self.inbox = bytearray()
        self.parts = {STDOUT: bytearray(), STDERR: bytearray(), FRAMES: bytearray()}
        self.killed_for = ""
        self.end: dict[str, Any] | None = None
        self.gone = False
        self.say(STDIN, struct.pack(">IdI", job.memory_mb, job.cpu_s * max(1, job.marks), len(payload)) + payload)

    def say(self, channel: int, data: bytes) -> None:
        """Put data on a channel; it is written as the process takes it."""
        for start in range(0, len(data), _CHUNK):
            part = data[start : start + _CHUNK]
            self.waiting += HEAD.pack(channel, len(part)) + part

    def say_end(self, channel: int) -> None:
        self.waiting += HEAD.pack(channel, 0)

    def messages(self, data: bytes) -> list[tuple[int, bytes]]:
        """The messages that are complete; one longer than any that we send ends the process."""
        self.inbox += data
        found: list[tuple[int, bytes]] = []
        while len(self.inbox) >= HEAD.size:
            channel, length = HEAD.unpack_from(self.inbox)
            if length > _CHUNK:
                self.kill("output")
                return found
            if len(self.inbox) < HEAD.size + length:
                break
            found.append((channel, bytes(self.inbox[HEAD.size : HEAD.size + length])))
            del self.inbox[: HEAD.size + length]
        return found

    def kill(self, reason: str) -> None:
        """End the launcher and with it the sandbox; the first reason counts."""
        if not self.gone:
            self.killed_for = self.killed_for or reason
            _signal(self.process, signal.SIGKILL)

    def bury(self) -> None:
        """Leave nothing of it: what closing its stdin and asking did not end is killed."""
        with contextlib.suppress(OSError):
            self.input.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                self.process.wait(STOP_S if number == signal.SIGKILL else STOP_S / 4)
                break
            except subprocess.TimeoutExpired:
                _signal(self.process, number)
        _signal(self.process, signal.SIGKILL)
        self.process.wait()
        self.output.close()
        self.errors.close()

    def last_words(self) -> str:
        """What the launcher or the interpreter said on its stderr."""
        self.errors.seek(0)
        return self.errors.read(300).decode(errors="replace").strip()

    def result(self) -> ProcessResult:
        end = self.end or {}
        code = end.get("exit")
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else -signal.SIGKILL
        spent = end.get("killed_for") == "cpu" or exit_code == -signal.SIGXCPU
        return ProcessResult(
            exit=exit_code,
            killed_for=self.killed_for or ("cpu" if spent else ""),
            cpu_s=_number(end.get("cpu_s")),
            peak_kb=int(_number(end.get("peak_kb"))),
            stdout=bytes(self.parts[STDOUT]),
            stderr=bytes(self.parts[STDERR]),
            frames=boot.frames(bytes(self.parts[FRAMES])),
        )


class _Run:
    """One job: one side, or a judge and a candidate whose link is carried here."""

    def __init__(self, job: Job, launcher: Sequence[str], given: dict[str, Any]) -> None:
        self.job = job
        self.selector = selectors.DefaultSelector()
        self.sides: list[_Side] = []
        self.started: float | None = None
        roles = job.kind.split("+")
        limits = {"cpu_s": job.cpu_s, "marks": job.marks, "memory_mb": job.memory_mb}
        try:
            for role, payload in zip(roles, job.payloads, strict=True):
                config = {"role": role, "linked": len(roles) > 1, **limits, **given}
                self.sides.append(_Side(launcher, config, payload, job))
        except OSError as error:
            for side in self.sides:
                side.bury()
            raise SandboxUnavailableError(f"the sandbox launcher can't be started: {error}") from error
        self.sides[-1].say(STDIN, job.stdin)
        for side in self.sides:
            side.say_end(STDIN)
            self.selector.register(side.output, selectors.EVENT_READ, side)

    def finish(self) -> JobResult:
        """Carry and watch until all sides are gone. Raises SandboxUnavailableError where one did not start."""
        begun = time.monotonic()
        try:
            while not all(side.gone for side in self.sides):
                self._turn()
                if self.started is None:
                    if all(side.parts[FRAMES] for side in self.sides):
                        self.started = time.monotonic()
                    elif time.monotonic() - begun > START_S:
                        raise SandboxUnavailableError("the platform's sandbox did not start in time")
                elif time.monotonic() - self.started > self.job.wall_s:
                    self.stop("wall")
            for side in self.sides:
                if not side.parts[FRAMES] and not side.killed_for:
                    said = side.last_words() or bytes(side.parts[STDERR][:300]).decode(errors="replace")
                    raise SandboxUnavailableError(f"the platform's sandbox did not start: {said.strip()}")
        finally:
            for side in self.sides:
                side.bury()
            self.selector.close()
        return JobResult(time.monotonic() - (self.started or begun), [side.result() for side in self.sides])

    def stop(self, reason: str) -> None:
        """Kill what is left."""
        for side in self.sides:
            side.kill(reason)

    def _turn(self) -> None:
        for side in self.sides:
            if not side.gone and side.waiting:
                self._write(side)
        pending = any(side.waiting for side in self.sides if not side.gone)
        for key, _ in self.selector.select(0.005 if pending else 0.1):
            self._read(key.data)

    def _write(self, side: _Side) -> None:
        try:
            written = os.write(side.input.fileno(), side.waiting[:_CHUNK])
            del side.waiting[:written]
        except BlockingIOError:
            pass
        except OSError:
            side.waiting.clear()

    def _read(self, side: _Side) -> None:
        data = os.read(side.output.fileno(), _CHUNK)
        if not data:
            side.gone = True
            self.selector.unregister(side.output)
            if side is self.sides[0]:
                self.stop("done")
            return
        for channel, part in side.messages(data):
            self._take(side, channel, part)

    def _take(self, side: _Side, channel: int, part: bytes) -> None:
        if channel == LINK_OUT and len(self.sides) == 2:
            other = self.sides[1 - self.sides.index(side)]
            if part:
                other.say(LINK_IN, part)
            else:
                other.say_end(LINK_IN)
            if len(other.waiting) > RESULT_BYTES:
                side.kill("output")
        elif channel == END:
            side.end = _object(part)
        elif channel in side.parts:
            self._keep(side, channel, part)

    def _keep(self, side: _Side, channel: int, part: bytes) -> None:
        if channel != FRAMES and len(self.sides) == 2 and side is self.sides[0]:
            return  # what a judge prints is nobody's business: it is the test program's
        limit = {STDOUT: self.job.output_bytes, STDERR: STDERR_BYTES, FRAMES: RESULT_BYTES}[channel]
        kept = side.parts[channel]
        kept += part[: limit + 1 - len(kept)]
        if len(kept) > limit:
            if channel == STDERR:
                del kept[limit:]
            else:
                side.kill("output")


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _number(value: object) -> float:
    return max(0.0, float(value)) if isinstance(value, (int, float)) else 0.0


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


# --- does it hold? -----------------------------------------------------------------------


def probe(runs: PlatformRuns) -> list[str]:
    """Two runs try to reach this process, its files and each other in earnest; the names of what worked."""
    token = secrets.token_hex(16)
    places = _places()
    sentinel = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "import time; time.sleep(120)", token],
        stdin=subprocess.DEVNULL,
        env={},
        start_new_session=True,
    )
    try:
        with tempfile.NamedTemporaryFile(prefix="verifleet-canary-") as canary, socket.socket() as listener:
            os.chmod(canary.name, 0o666)  # noqa: S103 - only the walls may stand in the way
            listener.bind(("127.0.0.1", 0))
            listener.listen(8)
            with _abstract_listener(f"\0verifleet-{token}"):
                task = {
                    "mode": "platform_probe",
                    "token": token,
                    "port": listener.getsockname()[1],
                    "canary": canary.name,
                    "sentinel": sentinel.pid,
                    "places": places,
                }
                escapes = [name for later in (False, True) for name in _tried(runs, {**task, "later": later})]
            if sentinel.poll() is not None:
                escapes.append("process of the supervisor killed")
            if Path(canary.name).stat().st_size:
                escapes.append("canary file written")
        return sorted({*escapes, *_left_outside(places, token)})
    finally:
        sentinel.kill()
        sentinel.wait()


def _tried(runs: PlatformRuns, task: dict[str, Any]) -> list[str]:
    try:
        process = runs.submit(Job("python", (json.dumps(task).encode(),), wall_s=20)).result(2 * START_S)
    except (SandboxUnavailableError, TimeoutError, OSError) as error:
        return [f"it could not run ({error})"]
    first = process.processes[0]
    if len(first.frames) < 2:
        return [f"it ended early ({first.stderr.decode(errors='replace').strip()[:300] or first.exit})"]
    return [str(name) for name in _object(first.frames[1]).get("escapes", ["it gave no report"])]


def _places() -> list[str]:
    """Folders in which nothing that a run writes may arrive."""
    shared = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - looked at, not used
    own = (tempfile.gettempdir(), os.getcwd(), sysconfig.get_path("stdlib"), str(Path.home()))
    return sorted({place for place in (*shared, *own) if os.path.isdir(place)})


@contextlib.contextmanager
def _abstract_listener(name: str) -> Any:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen(8)
        yield server


def _left_outside(places: list[str], token: str) -> list[str]:
    found = []
    for place in places:
        path = os.path.join(place, f".verifleet-{token}")
        if os.path.exists(path):
            found.append(f"a file was made outside, in {place}")
            with contextlib.suppress(OSError):
                os.unlink(path)
    for name in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if name.read_text().strip() == f"vf-{token[:12]}":
                found.append("a process outlived its run")
                os.kill(int(name.parent.name), signal.SIGKILL)
    return found
