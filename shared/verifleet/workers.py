"""Killable worker processes for work that may never end.

    caller threads ──► ProcessWorkers ──control socket──► zygote ──fork──► worker
                             └───────────── one socket pair for each worker ─┘

The zygote is a fresh, single-threaded Python that imports the heavy modules once and then only
forks; so a worker never comes from a process with threads, whatever `__main__` is, and a killed
one is replaced within milliseconds. A call's limit is CPU time, enforced by the kernel in the
worker itself (ITIMER_PROF); wall time is only a backstop. A worker or a zygote that is stopped
(SIGSTOP) is noticed within a second and replaced. Everything ends with the caller's process: the
zygote reads end-of-file on its control socket and exits, and its workers die with it.

Within a worker, `call_in_child` gives a part of a call a limit of its own, in a forked child.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
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
from math import inf
from typing import Any, TypeVar, cast

from verifleet.errors import (
    BrokenByContentError,
    DisturbedError,
    VerifierUnavailableError,
    WorkerLostError,
    WorkerTimeoutError,
)

logger = logging.getLogger(__name__)
R = TypeVar("R")

CALLS_BEFORE_RENEWAL = 500  # libraries keep caches; a renewed worker gives the memory back
START_TIMEOUT_S = 60.0  # of the zygote, which imports what is to be preloaded
FORK_TIMEOUT_S = 10.0
WAIT_S = 120.0  # for one of the workers to become free
KEPT_ENDS = 256
GARBAGE_THRESHOLDS = (700, 10, 100)  # of a worker: all objects are looked through ten times less often than by default
LOOK_S = 0.5  # between two looks at whether a process that doesn't answer is stopped
_CONTENT_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
_PR_SET_PDEATHSIG = 1
_TICK_S = 0.004
HEADER = struct.Struct("!I")
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "HOME")
_BOOT = "import sys; from verifleet.workers import _run_zygote; _run_zygote(int(sys.argv[1]))"
_ends: dict[int, int] = {}  # of workers that were given up, in case somebody asks


@dataclass
class Worker:
    """One worker process, and the socket on which it is asked."""

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
        self._lock = threading.Lock()  # of the zygote
        self._idle: list[Worker] = []
        self._zygote: _Zygote | None = None
        self._owner = os.getpid()
        weakref.finalize(self, _close_channels, self._idle)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.preload, self.size, self.memory_mb)  # where it comes out, processes start anew

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        """Run a module-level function in a worker; see `verification.WorkerPool.call`."""
        self._after_fork()
        request = packed(function, args, cpu_s)
        if not self._slots.acquire(timeout=WAIT_S):
            raise WorkerLostError(f"no worker became free within {WAIT_S:g} s")
        try:
            try:
                reply = self._asked(request, cpu_s)
            except DisturbedError:
                self.end_idle()
                reply = self._asked(request, cpu_s)
        finally:
            self._slots.release()
        return cast("R", unpacked(reply))

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

    # For callers that wait in their own way: take a worker (idle() or spawn()), exchange messages, give it back.

    def idle(self) -> Worker | None:
        """A worker that waits for work, if there is one; never blocks."""
        self._after_fork()
        while True:
            try:
                worker = self._idle.pop()
            except IndexError:
                return None
            if not _ended(worker.channel):
                return worker
            worker.channel.close()  # it died of something else while it was idle

    def end_idle(self) -> None:
        """End the workers that wait for work: what disturbed one may have disturbed all."""
        while (worker := self.idle()) is not None:
            self.give_back(worker, keep=False)

    def spawn(self) -> Worker:
        """A new worker; blocks while it is forked. Raises WorkerLostError."""
        self._after_fork()
        with self._lock:
            for attempt in (1, 2):
                if self._zygote is None:
                    self._zygote = _Zygote(self.preload, self.memory_mb)
                try:
                    return self._zygote.spawn()
                except (OSError, DisturbedError) as error:
                    self._zygote.close()
                    self._zygote = None
                    if attempt == 2:
                        raise WorkerLostError(f"no worker process could be started: {error}") from error
        raise AssertionError("unreachable")

    def give_back(self, worker: Worker, *, keep: bool) -> None:
        """Take a worker into use again, or end it; never blocks."""
        worker.calls += 1
        if keep and worker.calls < CALLS_BEFORE_RENEWAL and len(self._idle) < self.size:
            self._idle.append(worker)
        else:
            ended = _ended(worker.channel)
            worker.channel.close()
            if not ended:  # its id may belong to another process by now
                _kill(worker.pid)

    def cause_of_death(self, worker: Worker, cpu_s: float) -> VerifierUnavailableError:
        """Why a worker that closed its channel did so; may block for a moment."""
        with self._lock:
            status = None if self._zygote is None else self._zygote.reap(worker.pid)
        if status is None:
            return DisturbedError("a worker process died")
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if number in (signal.SIGPROF, signal.SIGXCPU):
            return WorkerTimeoutError(f"it used more than {cpu_s:g} s of CPU time")
        if number is None or number in _CONTENT_SIGNALS:
            return BrokenByContentError("a worker process crashed" + (f" of signal {number}" if number else ""))
        return DisturbedError(f"a worker process died of signal {number}")

    def _warm(self) -> None:
        try:
            worker = self.idle() or self.spawn()
        except WorkerLostError as error:
            logger.warning("workers could not be started: %s", error)
            return
        self._idle.append(worker)

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

    def _asked(self, request: bytes, cpu_s: float) -> bytes:
        """The reply of a worker; raises DisturbedError where it is worth trying another."""
        worker = self.idle() or self.spawn()
        limit = backstop(cpu_s)
        deadline = time.monotonic() + limit
        reply = None
        try:
            try:
                _send(worker.channel, request, deadline, worker.pid)
                reply = _receive(worker.channel, deadline, worker.pid)
            except TimeoutError:
                raise WorkerLostError(f"it did not end within {limit:g} s of wall time") from None
            except OSError:
                pass
        finally:
            self.give_back(worker, keep=reply is not None)
        if reply is None:
            raise self.cause_of_death(worker, cpu_s)
        return reply


def backstop(cpu_s: float) -> float:
    """Seconds of wall time after which a call is given up, however crowded the machine is."""
    return 10.0 + 20.0 * cpu_s


def packed(function: Callable[..., Any], args: tuple[Any, ...], cpu_s: float, nice: int = 0) -> bytes:
    """The message that asks a worker for a call."""
    return pickle.dumps((function, args, cpu_s, nice), pickle.HIGHEST_PROTOCOL)


def unpacked(reply: bytes) -> Any:
    """What the function returned; raises what it raised."""
    succeeded, value = pickle.loads(reply)  # noqa: S301 - written by our own code in the worker
    if not succeeded:
        raise value
    return value


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
        self._patience_s = START_TIMEOUT_S
        self._finalizer = weakref.finalize(self, _stop, self.process, ours)
        _send(ours, pickle.dumps((preload, memory_mb)))

    def spawn(self) -> Worker:
        """Fork a worker; raises OSError, DisturbedError."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self.control, [b"s"], [theirs.fileno()])
            reply = _receive(self.control, time.monotonic() + self._patience_s, self.process.pid)
            if reply is None:
                raise OSError("the process that forks them ended")
        except BaseException:
            ours.close()
            raise
        self._patience_s = FORK_TIMEOUT_S
        return Worker(int(reply), ours)

    def reap(self, pid: int) -> int | None:
        """The exit status of a worker that is dead or dying; None where it can't be had."""
        try:
            self.control.sendall(b"r" + struct.pack("!I", pid))
            reply = _receive(self.control, time.monotonic() + FORK_TIMEOUT_S, self.process.pid)
        except (OSError, DisturbedError):
            self.process.kill()  # what it answers later would be taken for the answer to something else
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


def _close_channels(workers: list[Worker]) -> None:
    while workers:
        workers.pop().channel.close()


def _stop(process: subprocess.Popen[bytes], control: socket.socket) -> None:
    control.close()
    if _stopped(process.pid):
        process.kill()
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


def _stopped(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] in (b"T", b"t")
    except OSError:
        return False


# --- messages: four bytes of length, then the content ------------------------


def framed(content: bytes) -> bytes:
    """A message as it travels."""
    return HEADER.pack(len(content)) + content


def _send(channel: socket.socket, content: bytes, deadline: float = inf, pid: int = 0) -> None:
    """Raises TimeoutError at the deadline, DisturbedError where the process at the other end is stopped."""
    left = memoryview(framed(content))
    while left:
        try:
            left = left[channel.send(left, socket.MSG_DONTWAIT) :]
        except BlockingIOError:
            _await(channel, select.POLLOUT, deadline, pid)


def _receive(channel: socket.socket, deadline: float = inf, pid: int = 0) -> bytes | None:
    """One message; None at end-of-file; raises as `_send` does."""
    header = _receive_exactly(channel, HEADER.size, deadline, pid)
    return None if header is None else _receive_exactly(channel, HEADER.unpack(header)[0], deadline, pid)


def _receive_exactly(channel: socket.socket, size: int, deadline: float, pid: int) -> bytes | None:
    content = bytearray()
    while len(content) < size:
        if deadline < inf:
            _await(channel, select.POLLIN, deadline, pid)
        piece = channel.recv(min(size - len(content), 1 << 20))
        if not piece:
            return None
        content += piece
    return bytes(content)


def _await(channel: socket.socket, event: int, deadline: float, pid: int) -> None:
    poll = select.poll()
    poll.register(channel, event)
    while True:
        left = deadline - time.monotonic()
        if poll.poll(None if left == inf else max(0.0, min(left, LOOK_S)) * 1000.0):
            return
        if left <= 0.0:
            raise TimeoutError
        check_running(pid)


def check_running(pid: int) -> None:
    """Raises DisturbedError for a process that is stopped."""
    if pid and _stopped(pid):
        raise DisturbedError("a worker process is stopped")


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
        _preload(module)
        while _ended(control):  # whoever is asked for meanwhile does without the rest
            if not _obey(control, memory_mb):
                return
    with contextlib.suppress(ConnectionError):  # the caller was killed in the middle of an exchange
        while _obey(control, memory_mb):
            pass


def _preload(name: str) -> None:
    """Import `module`, or call `module:function`."""
    module, _, function = name.partition(":")
    imported = importlib.import_module(module)
    if function:
        getattr(imported, function)()


def _obey(control: socket.socket, memory_mb: int) -> bool:
    """One command of the caller; False at end-of-file."""
    command, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not command:
        return False
    if command == b"r":
        (pid,) = struct.unpack("!I", control.recv(4, socket.MSG_WAITALL))
        _send(control, _status(pid))
        return True
    _reap_the_dead()
    pid = os.fork()
    if pid == 0:
        control.close()
        _run_worker(socket.socket(fileno=descriptors[0]), memory_mb)
        os._exit(0)
    os.close(descriptors[0])
    _send(control, str(pid).encode())
    return True


def _reap_the_dead() -> None:
    with contextlib.suppress(ChildProcessError):
        while (end := os.waitpid(-1, os.WNOHANG))[0]:
            _ends[end[0]] = end[1]
    while len(_ends) > KEPT_ENDS:
        del _ends[next(iter(_ends))]


def _status(pid: int) -> bytes:
    if pid in _ends:
        return str(_ends.pop(pid)).encode()
    try:
        return str(os.waitpid(pid, 0)[1]).encode()
    except ChildProcessError:
        return b""


def _run_worker(channel: socket.socket, memory_mb: int) -> None:
    """Answer calls until the caller closes the socket."""
    _die_with_parent()
    gc.freeze()  # what was preloaded is no garbage: looking through it costs time, and copies of its pages
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with open("/proc/self/statm", encoding="ascii") as statm:
        mapped = int(statm.read().split()[0]) * resource.getpagesize()
    limit = mapped + memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ConnectionError):
        while (request := _receive(channel)) is not None:
            _send(channel, _answer(request))


def _answer(request: bytes) -> bytes:
    try:
        function, args, cpu_s, nice = pickle.loads(request)  # noqa: S301 - from the process that started us
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller should know
        return _pickled_error(error)
    if nice:
        os.nice(nice)
    return _outcome(function, args, cpu_s)


def _outcome(function: Callable[..., Any], args: tuple[Any, ...], cpu_s: float) -> bytes:
    try:
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
        try:
            outcome = (True, function(*args))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps((False, BrokenByContentError("the call needed more memory than a worker may use")))
    except Exception as error:  # noqa: BLE001 - every exception belongs to the caller
        return _pickled_error(error)


def call_in_child(function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
    """Within a worker: `ProcessWorkers.call` in a forked child, whose CPU time counts for the worker's own call."""
    left, _ = signal.getitimer(signal.ITIMER_PROF)
    granted = min(cpu_s, left) if left else cpu_s
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _die_with_parent()
        os.close(reading)
        with open(writing, "wb") as out:
            out.write(_outcome(function, args, granted))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as received:
        reply = received.read()
    _, status, usage = os.wait4(pid, 0)
    if left:
        left = signal.getitimer(signal.ITIMER_PROF)[0] - usage.ru_utime - usage.ru_stime
        if left < _TICK_S:
            signal.raise_signal(signal.SIGPROF)  # as the timer would have, had the work been the worker's own
        signal.setitimer(signal.ITIMER_PROF, left)
    if status == 0:
        return cast("R", unpacked(reply))
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    if number in (signal.SIGPROF, signal.SIGXCPU):
        raise WorkerTimeoutError(f"it used more than {granted:g} s of CPU time")
    raise BrokenByContentError("a worker process crashed" + (f" of signal {number}" if number else ""))


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _pickled_error(error: Exception) -> bytes:
    try:
        content = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(content)  # noqa: S301 - our own, a moment ago: some exceptions pickle but don't unpickle
        return content
    except Exception:  # noqa: BLE001 - any fault of a foreign __reduce__
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
