"""Killable worker processes for work that may never end.

    caller threads ──► ProcessWorkers ──control socket──► zygote ──fork──► worker
                             └───────────── one socket pair for each worker ─┘

The zygote is a fresh, single-threaded Python that imports the heavy modules once and then only
forks; so a worker never comes from a process with threads, whatever `__main__` is, and a killed
one is replaced within milliseconds. A call's limit is CPU time, enforced by the kernel in the
worker itself (ITIMER_PROF); wall time is only a backstop. Everything ends with the caller's
process: the zygote reads end-of-file on its control socket and exits, and its workers die with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import os
import pickle
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from verifleet.errors import WorkerLostError, WorkerTimeoutError

logger = logging.getLogger(__name__)
R = TypeVar("R")

CALLS_BEFORE_RENEWAL = 500  # libraries keep caches; a renewed worker gives the memory back
START_TIMEOUT_S = 60.0
_PR_SET_PDEATHSIG = 1
_HEADER = struct.Struct("!I")
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "HOME")
_BOOT = "import sys; from verifleet.workers import _run_zygote; _run_zygote(int(sys.argv[1]))"


@dataclass
class _Worker:
    pid: int
    channel: socket.socket
    calls: int = 0


class ProcessWorkers:
    """A pool of killable worker processes; implements `verification.WorkerPool`.

    Nothing is started before the first `call` (or `warm`). `preload` names modules that are imported
    once, in the zygote. `memory_mb` is what one worker may use beyond what the preloaded modules take.
    """

    def __init__(self, preload: tuple[str, ...] = (), size: int = 2, memory_mb: int = 512) -> None:
        self.preload = preload
        self.size = size
        self.memory_mb = memory_mb
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._zygote: _Zygote | None = None
        self._owner = os.getpid()
        weakref.finalize(self, _close_channels, self._idle)

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        """Run a module-level function in a worker; see `verification.WorkerPool.call`."""
        self._after_fork()
        request = pickle.dumps((function, args, cpu_s), pickle.HIGHEST_PROTOCOL)
        with self._slots:
            worker = self._take()
            kept = False
            try:
                reply = self._ask(worker, request, cpu_s)
                worker.calls += 1
                kept = worker.calls < CALLS_BEFORE_RENEWAL
            finally:
                self._give_back(worker, kept)
        succeeded, value = pickle.loads(reply)  # noqa: S301 - written by our own code in the worker
        if not succeeded:
            raise value
        result: R = value
        return result

    def warm(self) -> None:
        """Start the zygote in the background, so that the first call doesn't wait for its imports."""
        threading.Thread(target=self._warm, name="verifleet-workers-warm-up", daemon=True).start()

    def close(self) -> None:
        """Stop all processes; the next call starts new ones."""
        with self._lock:
            zygote, self._zygote = self._zygote, None
            _close_channels(self._idle)
        if zygote is not None:
            zygote.close()

    def _warm(self) -> None:
        with self._slots:
            try:
                worker = self._take()
            except WorkerLostError as error:
                logger.warning("workers could not be started: %s", error)
                return
            self._give_back(worker, keep=True)

    def _after_fork(self) -> None:
        """In a forked copy of the caller's process the pool begins anew: sockets must not be shared."""
        if self._owner == os.getpid():
            return
        self._slots = threading.BoundedSemaphore(self.size)
        self._lock = threading.Lock()
        _close_channels(self._idle)
        if self._zygote is not None:
            self._zygote.forget()
        self._zygote = None
        self._owner = os.getpid()

    def _take(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if not _ended(worker.channel):
                    return worker
                worker.channel.close()  # it died of something else while it was idle
                if self._zygote is not None:
                    self._zygote.reap(worker.pid)
            for attempt in (1, 2):
                if self._zygote is None:
                    self._zygote = _Zygote(self.preload, self.memory_mb)
                try:
                    return self._zygote.spawn()
                except OSError as error:
                    self._zygote.close()
                    self._zygote = None
                    if attempt == 2:
                        raise WorkerLostError(f"no worker process could be started: {error}") from error
        raise AssertionError("unreachable")

    def _give_back(self, worker: _Worker, keep: bool) -> None:
        if keep:
            with self._lock:
                self._idle.append(worker)
            return
        worker.channel.close()
        _kill(worker.pid)
        self._reap(worker)

    def _reap(self, worker: _Worker) -> int | None:
        with self._lock:
            return None if self._zygote is None else self._zygote.reap(worker.pid)

    def _ask(self, worker: _Worker, request: bytes, cpu_s: float) -> bytes:
        deadline = time.monotonic() + 10.0 + 20.0 * cpu_s
        try:
            _send(worker.channel, request)
            reply = _receive(worker.channel, deadline)
        except TimeoutError:
            raise WorkerTimeoutError(f"it did not end within {10.0 + 20.0 * cpu_s:g} s") from None
        except OSError:
            reply = None
        if reply is not None:
            return reply
        status = self._reap(worker)
        number = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None
        if number in (signal.SIGPROF, signal.SIGXCPU):
            raise WorkerTimeoutError(f"it used more than {cpu_s:g} s of CPU time")
        raise WorkerLostError("a worker process died" + (f" of signal {number}" if number else ""))


class _Zygote:
    """The process that forks workers, and the socket on which it is told to."""

    def __init__(self, preload: tuple[str, ...], memory_mb: int) -> None:
        ours, theirs = socket.socketpair()
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        environment |= {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONHASHSEED": "0"}
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment,
            )
        finally:
            theirs.close()
        self.control = ours
        self._finalizer = weakref.finalize(self, _stop, self.process, ours)
        _send(ours, pickle.dumps((preload, memory_mb)))

    def spawn(self) -> _Worker:
        """Fork a worker; raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.control, [b"s"], [theirs.fileno()])
        reply = _receive(self.control, time.monotonic() + START_TIMEOUT_S)
        if reply is None:
            ours.close()
            raise OSError("the process that forks them ended")
        return _Worker(int(reply), ours)

    def reap(self, pid: int) -> int | None:
        """The exit status of a worker that is dead or dying; None if it was asked for before."""
        try:
            self.control.sendall(b"r" + struct.pack("!I", pid))
            reply = _receive(self.control, time.monotonic() + 10.0)
        except OSError:
            return None
        return int(reply) if reply else None

    def close(self) -> None:
        """End the zygote and its workers."""
        self._finalizer()

    def forget(self) -> None:
        """In a forked copy: drop the socket without ending the processes of the original."""
        self._finalizer.detach()
        self.control.close()
        self.process.returncode = 0


def _close_channels(workers: list[_Worker]) -> None:
    while workers:
        workers.pop().channel.close()


def _stop(process: subprocess.Popen[bytes], control: socket.socket) -> None:
    control.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
        return
    process.kill()
    process.wait()


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _ended(channel: socket.socket) -> bool:
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    return bool(poll.poll(0))


# --- messages: four bytes of length, then the content ------------------------


def _send(channel: socket.socket, content: bytes) -> None:
    channel.sendall(_HEADER.pack(len(content)) + content)


def _receive(channel: socket.socket, deadline: float | None = None) -> bytes | None:
    """One message; None at end-of-file; raises TimeoutError."""
    header = _receive_exactly(channel, _HEADER.size, deadline)
    return None if header is None else _receive_exactly(channel, _HEADER.unpack(header)[0], deadline)


def _receive_exactly(channel: socket.socket, size: int, deadline: float | None) -> bytes | None:
    content = bytearray()
    while len(content) < size:
        if deadline is not None:
            poll = select.poll()
            poll.register(channel, select.POLLIN)
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000.0):
                raise TimeoutError
        piece = channel.recv(min(size - len(content), 1 << 20))
        if not piece:
            return None
        content += piece
    return bytes(content)


# --- in the zygote and in the workers ----------------------------------------


def _run_zygote(descriptor: int) -> None:
    """Import what is to be preloaded, then fork a worker for each socket received, until end-of-file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=descriptor)
    setup = _receive(control)
    if setup is None:
        return
    preload, memory_mb = pickle.loads(setup)  # noqa: S301 - from our own parent
    for module in preload:
        importlib.import_module(module)
    while True:
        command, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not command:
            return
        if command == b"r":
            (pid,) = struct.unpack("!I", control.recv(4, socket.MSG_WAITALL))
            _send(control, _status(pid))
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            _run_worker(socket.socket(fileno=descriptors[0]), memory_mb)
            os._exit(0)
        os.close(descriptors[0])
        _send(control, str(pid).encode())


def _status(pid: int) -> bytes:
    try:
        return str(os.waitpid(pid, 0)[1]).encode()
    except ChildProcessError:
        return b""


def _run_worker(channel: socket.socket, memory_mb: int) -> None:
    """Answer calls until the caller closes the socket."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with open("/proc/self/statm", encoding="ascii") as statm:
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    limit = mapped + memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while (request := _receive(channel)) is not None:
        _send(channel, _answer(request))


def _answer(request: bytes) -> bytes:
    try:
        function, args, cpu_s = pickle.loads(request)  # noqa: S301 - from the process that started us
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
        try:
            outcome = (True, function(*args))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps((False, WorkerLostError("the call needed more memory than a worker may use")))
    except Exception as error:  # noqa: BLE001 - every exception belongs to the caller
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    try:
        content = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(content)  # noqa: S301 - our own, a moment ago: some exceptions pickle but don't unpickle
        return content
    except Exception:  # noqa: BLE001 - any fault of a foreign __reduce__
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
