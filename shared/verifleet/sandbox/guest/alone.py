# ruff: noqa: S606
"""One run in a sandbox that is not ours: forks the program's process and carries its channels over stdin and stdout.

No namespaces are made here, so the program may do what it likes to this process. That gains it nothing: everything
that this process says is about the program and is taken as untrusted outside. Only the limits on CPU depend on it, and
behind them stands the wall clock outside.

Messages both ways: channel (u8), length (u32, big-endian), bytes; an empty one ends its channel.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import resource
import select
import signal
import struct
import sys
import tempfile
from typing import Any, NoReturn

from verifleet.sandbox.guest import platform_probe, runner
from verifleet.sandbox.walls import kernel, seccomp

STDIN, STDOUT, STDERR, FRAMES, LINK_IN, LINK_OUT, END = 0, 1, 2, 3, 4, 5, 9
HEAD = struct.Struct(">BI")
_MIB = 1024 * 1024
_LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_FSIZE, 32 * _MIB),
    (resource.RLIMIT_NOFILE, 64),
    (resource.RLIMIT_NPROC, 64),
    (resource.RLIMIT_MEMLOCK, 0),
    (resource.RLIMIT_MSGQUEUE, 0),
)


def load(config: dict[str, Any]) -> None:
    """Import all that a Python program may need."""
    runner.preload(config["packages"] if config["role"] == "python" else {})


def main(config: dict[str, Any]) -> NoReturn:
    """Run one program as `config` says: role, linked, cpu_s, marks, memory_mb, node, node_source."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipes = {channel: os.pipe() for channel in (STDIN, STDOUT, STDERR, FRAMES)}
    if config["linked"]:
        pipes |= {LINK_IN: os.pipe(), LINK_OUT: os.pipe()}
    inwards = (STDIN, LINK_IN)
    theirs = {channel: ends[0 if channel in inwards else 1] for channel, ends in pipes.items()}
    ours = {channel: ends[1 if channel in inwards else 0] for channel, ends in pipes.items()}
    pid = os.fork()
    if pid == 0:
        _become(config, [theirs[channel] for channel in sorted(theirs)])
    for descriptor in theirs.values():
        os.close(descriptor)
    _Relay(pid, ours, config).run()


# --- the program's process ---------------------------------------------------------------


def _become(config: dict[str, Any], ends: list[int]) -> NoReturn:
    try:
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 400) for descriptor in ends]
        for number, descriptor in enumerate(high):
            os.dup2(descriptor, number, inheritable=True)
        os.closerange(len(ends), 4096)
        os.setsid()
        with contextlib.suppress(OSError):
            os.chdir(tempfile.mkdtemp())
        signal.signal(signal.SIGINT, signal.default_int_handler)
        node = config["role"] == "node"
        _bound(config, node=node, may_exec=config["role"] != "python", may_fork=config["role"] == "compiler")
        if node:
            heap = f"--max-old-space-size={max(16, config['memory_mb'])}"
            environment = {"HOME": os.getcwd(), "TMPDIR": os.getcwd(), "PATH": "", "UV_THREADPOOL_SIZE": "1"}
            flags = [heap, "--no-warnings", "--stack-size=3000", "--v8-pool-size=0"]
            os.execve(config["node"], ["node", *flags, "-e", config["node_source"], "--", ""], environment)
        _serve()
    except BaseException as error:  # noqa: BLE001 - nothing may unwind into the relay's frames
        with contextlib.suppress(OSError):
            os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(120)


def _bound(config: dict[str, Any], *, node: bool, may_exec: bool, may_fork: bool) -> None:
    """Set the limits; give up what a program does not need, as far as the kernel here knows how."""
    cpu_s = int(config["cpu_s"] * max(1, config["marks"])) + 1
    if node:
        data = (config["memory_mb"] + 192) * _MIB
        memory: tuple[tuple[int, int], ...] = ((resource.RLIMIT_DATA, data),)
    else:
        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        memory = ((resource.RLIMIT_AS, held + config["memory_mb"] * _MIB), (resource.RLIMIT_STACK, 64 * _MIB))
    for kind, value in (*_LIMITS, (resource.RLIMIT_CPU, cpu_s)):
        resource.setrlimit(kind, (value, value))
    for step in (
        kernel.drop_capabilities,
        kernel.forbid_new_privileges,
        lambda: kernel.filter_system_calls(seccomp.program(os.getpid(), may_exec=may_exec, may_fork=may_fork)),
    ):
        with contextlib.suppress(OSError):
            step()
    for kind, value in memory:
        resource.setrlimit(kind, (value, value))


def _serve() -> None:
    """Read the job and run it in its mode."""
    _, _, size = struct.unpack(">IdI", runner.read_exactly(16))
    job = json.loads(runner.read_exactly(size))
    gc.enable()
    runner.send_frame(b"")
    home = os.getcwd()
    os.environ.clear()
    os.environ.update({"HOME": home, "TMPDIR": home, "PATH": "", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"})
    if job["mode"] == "platform_probe":
        platform_probe.run(job)
    runner.guest(job["mode"])(job)


# --- carrying --------------------------------------------------------------------------------


class _Relay:
    """Carries messages until the program has ended, or stdin has."""

    def __init__(self, pid: int, ends: dict[int, int], config: dict[str, Any]) -> None:
        self.pid, self.config = pid, config
        self.channels = {descriptor: channel for channel, descriptor in ends.items()}
        self.ends = ends
        self.pending = {channel: bytearray() for channel in ends if channel in (STDIN, LINK_IN)}
        self.closing: set[int] = set()
        self.inbox = bytearray()
        self.frames = bytearray()
        self.marks = 0
        self.cpu_base = 0.0
        self.killed_for = ""
        self.end: dict[str, Any] = {}
        for channel in self.pending:
            os.set_blocking(ends[channel], False)

    def run(self) -> NoReturn:
        while not self._ended():
            readable = [0, *(d for d, c in self.channels.items() if c not in self.pending)]
            writable = [self.ends[c] for c in self.pending if c in self.ends and (self.pending[c] or c in self.closing)]
            ready, free, _ = select.select(readable, writable, [], 0.02)
            for descriptor in ready:
                if descriptor == 0:
                    self._receive()
                else:
                    self._carry(descriptor)
            for descriptor in free:
                self._feed(self.channels[descriptor])
        for descriptor, channel in list(self.channels.items()):
            while channel in self.ends and channel not in self.pending and select.select([descriptor], [], [], 0)[0]:
                self._carry(descriptor)
        data = json.dumps(self.end).encode()
        _write(HEAD.pack(END, len(data)) + data)
        os._exit(0)

    def _receive(self) -> None:
        data = os.read(0, 1 << 16)
        if not data:  # nobody wants the answer any more
            os.kill(self.pid, signal.SIGKILL)
            os._exit(0)
        self.inbox += data
        while len(self.inbox) >= HEAD.size:
            channel, length = HEAD.unpack_from(self.inbox)
            if len(self.inbox) < HEAD.size + length:
                return
            part = self.inbox[HEAD.size : HEAD.size + length]
            del self.inbox[: HEAD.size + length]
            if not length:
                self.closing.add(channel)
            elif channel in self.pending:
                self.pending[channel] += part

    def _feed(self, channel: int) -> None:
        descriptor, pending = self.ends[channel], self.pending[channel]
        try:
            if pending:
                del pending[: os.write(descriptor, pending[: 1 << 16])]
        except BlockingIOError:
            return
        except OSError:
            self.closing.add(channel)
            pending.clear()
        if not pending and channel in self.closing:
            self._close(channel)

    def _carry(self, descriptor: int) -> None:
        channel = self.channels[descriptor]
        data = os.read(descriptor, 1 << 16)
        _write(HEAD.pack(channel, len(data)) + data)
        if not data:
            self._close(channel)
        elif channel == FRAMES:
            self._count(data)

    def _count(self, data: bytes) -> None:
        """A result frame begins a new measure of CPU time, as long as there are not too many."""
        self.frames += data
        while len(self.frames) >= 4:
            (length,) = struct.unpack_from(">I", self.frames)
            if len(self.frames) < 4 + length:
                return
            del self.frames[: 4 + length]
            self.marks += 1
            if self.marks <= self.config["marks"]:
                with contextlib.suppress(OSError):
                    self.cpu_base = kernel.cpu_seconds(self.pid)

    def _ended(self) -> bool:
        """Whether the program has; what it may have left behind goes with the sandbox."""
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if pid:
            self.end = {
                "exit": os.waitstatus_to_exitcode(status),
                "cpu_s": usage.ru_utime + usage.ru_stime,
                "peak_kb": usage.ru_maxrss,
                "killed_for": self.killed_for,
            }
            return True
        with contextlib.suppress(OSError):
            if not self.killed_for and kernel.cpu_seconds(self.pid) - self.cpu_base >= self.config["cpu_s"]:
                self.killed_for = "cpu"
                os.kill(self.pid, signal.SIGKILL)
        return False

    def _close(self, channel: int) -> None:
        descriptor = self.ends.pop(channel)
        del self.channels[descriptor]
        os.close(descriptor)


def _write(data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(1, view) :]
    except BrokenPipeError:
        sys.exit(0)
