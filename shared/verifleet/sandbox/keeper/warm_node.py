"""Jailed node processes forked from a warm one, which saves each run node's start: 40 ms of CPU.

node has no fork. So a template (one for each memory limit) starts node with the worker, lets it warm up, and is then
stopped for good, by ptrace, in the read that waits for a job. For each run it is made to clone itself, and the clone is
made to close the walls around itself (what jail.enter does for other runs) before it goes on. No job reaches the
template, so there is nothing of another run to inherit.

What a clone would share with its siblings is made anew: descriptors, event queues, counters. node's other threads,
which are idle, are made again too, each as a copy of the template's. A trial run shows that all this holds; where it
does not, node is started for each run.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import platform
import re
import resource
import select
import signal
import socket
import struct
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifleet.sandbox.keeper import ptrace
from verifleet.sandbox.walls import jail, kernel, seccomp

MOST_TEMPLATES = 4
_FAILURES_MAX, _REST_S = 3, 60.0
_HANGS_S = 5.0
_START_S = 15.0
_TRIAL_SLOT = 999
_TRIAL = """
const fs = require('fs'), crypto = require('crypto');
setTimeout(() => fs.promises.writeFile('t', 'o').then(() => crypto.randomBytes(8, () => {
  console.log(fs.readFileSync('t', 'utf8') + fs.readFileSync(0, 'utf8'));
  process.reallyExit(7);
})), 2);
"""
_TRIAL_ENDS = 7 << 8
_CLONE_SETTID, _CLONE_CLEARTID, _CLONE_PARENT = 0x01000000, 0x00200000, 0x00008000
_CLONE_THREAD = 0x00050F00  # VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
_CLOEXEC, _NONBLOCK = 0o2000000, 0o4000
_HEAD = 16  # bytes that the read takes; then there is room for the process id
_PLACES = 7  # descriptors from 0 that a run may be given
_EPOLL_ADD = 1
_IDLE_CALLS = ("futex", "epoll_wait", "epoll_pwait")

_WATCHED = re.compile(r"^tfd:\s*(\d+) events:\s*([0-9a-f]+) data:\s*([0-9a-f]+)", re.MULTILINE)
_SPAN = re.compile(r"([0-9a-f]+)-([0-9a-f]+) ")
_MADV_DOFORK = 11

_Call = tuple[str, tuple[int | bytes, ...]]
Become = Callable[[int, str], None]  # become node: the memory limit in MB, and how it is started


class WarmNodes:
    """The templates, by memory limit; the least used one makes room for a new one."""

    def __init__(self, walls: jail.Walls, proc: int, become: Become) -> None:
        self._walls, self._proc, self._become = walls, proc, become
        self._templates: dict[int, Template] = {}
        self._failures = 0
        self._not_before = 0.0 if platform.machine() == "x86_64" else math.inf
        signal.signal(signal.SIGALRM, _give_up)

    def fork(self, memory_mb: int, slot: int, ends: Sequence[int]) -> int | None:
        """A jailed node waiting for its job; None where no template is ready, and then one is on its way."""
        if time.monotonic() < self._not_before:
            return None
        # A kernel that traces in another way than Linux does must not keep the nursery waiting.
        signal.setitimer(signal.ITIMER_REAL, _HANGS_S, _HANGS_S)
        try:
            return self._fork(memory_mb, slot, ends)
        except OSError as error:
            self._failures += 1
            if self._failures >= _FAILURES_MAX:
                self._not_before = time.monotonic() + _REST_S
                os.write(2, f"sandbox: node is started for each run, for {_REST_S:.0f} s: {error}\n".encode())
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _fork(self, memory_mb: int, slot: int, ends: Sequence[int]) -> int | None:
        template = self._templates.pop(memory_mb, None)
        if template is None:
            while len(self._templates) >= MOST_TEMPLATES:
                self._templates.pop(next(iter(self._templates))).close()
            template = Template(self._walls, self._proc, memory_mb, self._become)
        try:
            pid = template.fork(slot, ends) if template.is_ready() else None
        except OSError:
            template.close()
            raise
        self._templates[memory_mb] = template
        if pid is not None:
            self._failures = 0
        return pid


def _give_up(*_: object) -> None:
    raise TimeoutError("a warm node can't be held or cloned here")


@dataclass
class _Renewal:
    """The call that makes descriptors, the numbers they get with their flags, and the calls after that."""

    call: _Call
    numbers: dict[int, int]
    then: Sequence[_Call] = ()


class Template:
    """One warm node process."""

    def __init__(self, walls: jail.Walls, proc: int, memory_mb: int, become: Become) -> None:
        self._walls, self._proc = walls, proc
        self._deadline = time.monotonic() + _START_S
        self._ready = False
        self._trial, self._trial_pid, self._shown = -1, 0, b""
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        nursery = os.getpid()
        self.pid = kernel.fork_into(0, sibling=True)
        if self.pid == 0:
            try:
                kernel.allow_tracer(nursery)
                kernel.die_with_parent()
                kernel.forbid_new_privileges()
                kernel.filter_system_calls(seccomp.refusing("io_uring_setup"))  # its queues can't be made anew
                take_descriptors([theirs.fileno(), *(os.open("/dev/null", os.O_RDWR) for _ in range(1, _PLACES))])
                become(memory_mb, "warm")
            finally:
                os._exit(120)
        theirs.close()

    def is_ready(self) -> bool:
        """Whether it can be forked by now; never waits. Raises OSError when it has failed."""
        if self._ready:
            return True
        if time.monotonic() > self._deadline:
            raise TimeoutError("the warm node did not get ready")
        if not self._trial_pid and readable(self._link):
            if not self._link.recv(16):
                raise ProcessLookupError("the warm node has ended")
            self._park()
            self._begin_trial()
        elif self._trial_pid:
            self._watch_trial()
        return self._ready

    def fork(self, slot: int, ends: Sequence[int], *, watched: bool = False) -> int:
        """A jailed process with `ends` as its descriptors from 0, waiting for its job; returns its pid.

        A `watched` one stays traced, so that its end is seen here before its parent, the keeper, sees it.
        """
        rulesets = [self._walls.ruleset] if self._walls.ruleset >= 0 else []
        own = [jail.own_ruleset(self._walls, slot)] if self._walls.scratch else []
        socket.send_fds(self._link, [b"!"], [*ends, *rulesets, *own])
        for descriptor in own:
            os.close(descriptor)

        flags = self._walls.namespaces | _CLONE_PARENT | _CLONE_SETTID | _CLONE_CLEARTID | signal.SIGCHLD
        batch = ptrace.Batch(self._scratch)
        batch.call("clone", flags, 0, 0, self._main.at.fs_base + self._tid_offset, 0)
        (child,) = ptrace.run(self.pid, self._main.at, self._scratch, batch)
        try:
            pid = 1 if self._walls.namespaces else child  # as it sees itself
            batch = ptrace.Batch(self._scratch)
            received = self._renew_descriptors(batch, len(ends), len(rulesets) + len(own))
            self._close_walls(batch, slot, received, pid)
            for thread in self._others:
                number = thread.at.fs_base + self._tid_offset
                batch.call("clone", _CLONE_THREAD | _CLONE_SETTID | _CLONE_CLEARTID, 0, 0, number, 0)
            ptrace.write_memory(child, self._main.at.rsi + _HEAD, struct.pack("=I", pid))
            made = ptrace.run(child, self._main.at, self._scratch, batch)
            for tid, thread in zip(made, self._others, strict=True):
                ptrace.release(tid, thread)
            ptrace.release(child, self._main, detach=not watched)
        except OSError:
            self._kill(child)
            raise
        return child

    def close(self) -> None:
        """Kill it; its parent, the keeper, reaps it."""
        self._link.close()
        if self._trial >= 0:
            self._kill(self._trial_pid)
            os.close(self._trial)
        self._kill(self.pid)

    def _kill(self, pid: int) -> None:
        with contextlib.suppress(OSError):
            ptrace.kill(pid, [tid for tid in self._numbers(f"{pid}/task") if tid != pid])

    # --- getting ready -----------------------------------------------------------

    def _park(self) -> None:
        """Stop every thread for good, the main one in its read, and prepare what all clones have in common."""
        self._main = self._stop(self.pid, ("read",))
        others = [tid for tid in self._numbers(f"{self.pid}/task") if tid != self.pid]
        self._others = [self._stop(tid, _IDLE_CALLS) for tid in others]
        self._scratch = ptrace.single(self.pid, self._main.at, "mmap", 0, ptrace.SCRATCH_BYTES, 7, 0x22, -1, 0)
        self._tid_offset = self._find_tids()
        self._renewals = self._list_renewals()
        own = ((resource.RLIMIT_NPROC, jail.TASKS),) if self._walls.own_uid else ()
        for kind, value in (*jail.LIMITS, (resource.RLIMIT_NOFILE, jail.OPEN_FILES), *own):
            resource.prlimit(self.pid, kind, (value, value))
        batch = ptrace.Batch(self._scratch)
        for start, end in self._kept_from_forks():
            batch.call("madvise", start, end - start, _MADV_DOFORK)
        ptrace.run(self.pid, self._main.at, self._scratch, batch)
        with contextlib.suppress(OSError):  # what is not ours to drop, clones don't have either
            batch = ptrace.Batch(self._scratch)
            for capability in range(int(text(self._proc, "sys/kernel/cap_last_cap")) + 1):
                batch.call("prctl", kernel.PR_CAPBSET_DROP, capability)
            ptrace.run(self.pid, self._main.at, self._scratch, batch)

    def _kept_from_forks(self) -> list[tuple[int, int]]:
        """The memory that V8 asks forks to leave out: its heap. Neighbours are joined."""
        found, span = list[tuple[int, int]](), (0, 0)
        for line in text(self._proc, f"{self.pid}/smaps").splitlines():
            if match := _SPAN.match(line):
                span = int(match[1], 16), int(match[2], 16)
            elif line.startswith("VmFlags:") and "dc" in line.split():
                if found and found[-1][1] == span[0]:
                    span = found.pop()[0], span[1]
                found.append(span)
        return found

    def _stop(self, tid: int, idle_calls: Sequence[str]) -> ptrace.Thread:
        """Stop a thread where it waits in one of these calls."""
        ptrace.seize(tid)
        wanted = {seccomp.number(name) for name in idle_calls}
        for _ in range(1000):
            thread = ptrace.interrupt(tid)
            if thread.at.orig_rax in wanted and not self._is_woken(thread.at):
                return thread
            ptrace.resume(tid)
            time.sleep(0.001)
        raise OSError("the warm node is not at rest")

    def _is_woken(self, at: ptrace.Registers) -> bool:
        """Whether a thread that waits for a futex has been woken and only lacks a CPU: its word has changed."""
        if at.orig_rax != seccomp.number("futex"):
            return False
        return bool(_word(ptrace.read_memory(self.pid, at.rdi, 4)) != at.rdx % 2**32)

    def _find_tids(self) -> int:
        """Where the C library keeps a thread's own id, from the base of the thread's data on: the same for all."""
        threads = (self._main, *self._others)
        blocks = [(thread.tid, ptrace.read_memory(self.pid, thread.at.fs_base, 1024)) for thread in threads]
        for offset in range(0, 1024, 4):
            if all(_word(block, offset) == tid for tid, block in blocks):
                return offset
        raise OSError("the C library's thread ids were not found")

    def _numbers(self, folder: str) -> list[int]:
        """The entries of a folder in /proc: descriptors or threads."""
        descriptor = os.open(folder, os.O_RDONLY, dir_fd=self._proc)
        try:
            return sorted(map(int, os.listdir(descriptor)))
        finally:
            os.close(descriptor)

    def _begin_trial(self) -> None:
        """Let a clone run a program that uses timers, threads, files and descriptors, and come to its end."""
        (read_in, write_in), (self._trial, write_out), null = os.pipe(), os.pipe(), os.open("/dev/null", os.O_WRONLY)
        try:
            if self._walls.scratch:
                own = jail.own_folder(self._walls, _TRIAL_SLOT)
                os.makedirs(own, exist_ok=True)
                os.chmod(own, 0o777)  # noqa: S103 - its parent is closed to others
            job = json.dumps({"mode": "script", "source": _TRIAL}).encode()
            os.write(write_in, struct.pack(">IdI", 0, 0.0, len(job)) + job + b"k")
            self._trial_pid = self.fork(_TRIAL_SLOT, (read_in, write_out, null, null), watched=True)
        finally:
            for descriptor in (read_in, write_in, write_out, null):
                os.close(descriptor)

    def _watch_trial(self) -> None:
        """Take what the trial shows, then its end, if they are there. Raises OSError unless both are right."""
        if self._trial >= 0 and readable(self._trial):
            shown = os.read(self._trial, 4096)
            self._shown += shown
            if not shown:
                os.close(self._trial)
                self._trial = -1
        if self._trial < 0:
            pid, status = os.waitpid(self._trial_pid, ptrace.WALL | os.WNOHANG)
            if pid and (status != _TRIAL_ENDS or self._shown != b"ok\n"):
                if os.WIFSTOPPED(status):
                    self._kill(pid)
                raise OSError(f"the trial of a forked node ended with {status:#x} and gave {self._shown!r}")
            self._ready = pid != 0

    # --- walls -----------------------------------------------------------------------

    def _close_walls(self, batch: ptrace.Batch, slot: int, rulesets: Sequence[int], pid: int) -> None:
        """The calls that jail.enter makes, in its order; the limits are the template's already."""
        home = os.fsencode(jail.own_folder(self._walls, slot)) + b"\0"
        batch.call("setsid")
        if self._walls.namespaces:
            flags = kernel.MS_NOSUID | kernel.MS_NODEV
            batch.call("mount", b"tmpfs\0", home, b"tmpfs\0", flags, jail.TMP_OPTIONS.encode() + b"\0")
        batch.call("chdir", home)
        if self._walls.own_uid:
            uid = self._walls.user(slot)
            batch.call("setgroups", 0, 0)
            batch.call("setresgid", uid, uid, uid)
            batch.call("setresuid", uid, uid, uid)
        batch.call("capset", kernel.CAPSET_HEADER, kernel.NO_CAPABILITIES)
        batch.call("prctl", kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        batch.call("prctl", kernel.PR_SET_DUMPABLE, 0)
        for ruleset in rulesets:
            batch.call("landlock_restrict_self", ruleset, 0)
            batch.call("close", ruleset)
        program = seccomp.program(pid)
        batch.call("seccomp", 1, 0, struct.pack("=Q", len(program) // 8) + struct.pack("=Q", batch.put(program)))

    # --- descriptors -----------------------------------------------------------------

    def _list_renewals(self) -> list[_Renewal]:
        """How a clone gets its own of each descriptor that node has for itself. Raises OSError for an unknown kind."""
        plain, queues, pipes = list[_Renewal](), list[_Renewal](), dict[str, dict[int, tuple[int, int]]]()
        for number in self._numbers(f"{self.pid}/fd"):
            if number < _PLACES:
                continue
            info = text(self._proc, f"{self.pid}/fdinfo/{number}")
            flags, kind = int(field(info, "flags"), 8), os.readlink(f"{self.pid}/fd/{number}", dir_fd=self._proc)
            if kind == "/dev/null":
                plain.append(_Renewal(("openat", (-100, b"/dev/null\0", flags)), {number: flags}))
            elif kind == "anon_inode:[eventfd]":
                count = int(field(info, "eventfd-count"), 16)
                plain.append(_Renewal(("eventfd2", (count, flags & (_CLOEXEC | _NONBLOCK))), {number: flags}))
            elif kind == "anon_inode:[eventpoll]":
                watched: list[_Call] = [
                    ("epoll_ctl", (number, _EPOLL_ADD, int(tfd), struct.pack("=IQ", int(events, 16), int(data, 16))))
                    for tfd, events, data in _WATCHED.findall(info)
                ]
                queues.append(_Renewal(("epoll_create1", (flags & _CLOEXEC,)), {number: flags}, watched))
            elif kind.startswith("pipe:"):
                pipes.setdefault(kind, {})[flags & os.O_ACCMODE] = (number, flags)
            else:
                raise OSError(f"the warm node holds a descriptor of an unknown kind, {kind}")
        return [*plain, *(self._pipe(ends) for ends in pipes.values()), *queues]

    def _pipe(self, ends: dict[int, tuple[int, int]]) -> _Renewal:
        """A pipe that node talks to itself through, with what is in it; only its length counts."""
        (reader, flags), (writer, _) = ends[os.O_RDONLY], ends[os.O_WRONLY]
        descriptor = os.open(f"{self.pid}/fd/{reader}", os.O_RDONLY | os.O_NONBLOCK, dir_fd=self._proc)
        with open(descriptor, "rb", buffering=0) as pipe:
            (held,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
        filled: list[_Call] = [("write", (writer, b"*" * held, held))] if held else []
        kept = flags & (_CLOEXEC | _NONBLOCK)
        return _Renewal(("pipe2", (bytes(8), kept)), {reader: flags, writer: flags}, filled)

    def _renew_descriptors(self, batch: ptrace.Batch, ends: int, extra: int) -> list[int]:
        """Take what was sent over the link and replace what is shared; returns the numbers of the extra ones."""
        used = {0, *range(_PLACES)}.union(*(renewal.numbers for renewal in self._renewals))
        free = [number for number in range(jail.OPEN_FILES) if number not in used]  # the kernel takes the lowest
        got, free = free[: ends + extra], free[ends + extra :]
        vector = batch.put(struct.pack("=QQ", batch.put(bytes(8)), 8))
        room = socket.CMSG_SPACE(4 * len(got))
        header = struct.pack("=QQQQQQQ", 0, 0, vector, 1, batch.put(bytes(room)), room, 0)
        batch.call("recvmsg", 0, header, socket.MSG_DONTWAIT)
        for number in range(_PLACES):
            if number < ends:
                batch.call("dup3", got[number], number, 0)
                batch.call("close", got[number])
            else:
                batch.call("close", number)
        free = sorted([*range(ends, _PLACES), *got[:ends], *free])
        for renewal in self._renewals:
            batch.call(renewal.call[0], *renewal.call[1])
            for made, (number, flags) in zip(free, renewal.numbers.items(), strict=False):
                batch.call("dup3", made, number, flags & _CLOEXEC)
            for made, _ in zip(free, renewal.numbers, strict=False):
                batch.call("close", made)
            for name, arguments in renewal.then:
                batch.call(name, *arguments)
        return got[ends:]


def readable(source: int | socket.socket, wait_s: float = 0) -> bool:
    """Whether there is something to read, or the end."""
    return bool(select.select([source], [], [], wait_s)[0])


def text(proc: int, path: str) -> str:
    """A file in /proc, of which `proc` is a descriptor."""
    with open(os.open(path, os.O_RDONLY, dir_fd=proc)) as file:
        return file.read()


def _word(memory: bytes, offset: int = 0) -> int:
    return int(struct.unpack_from("=I", memory, offset)[0])


def field(info: str, name: str) -> str:
    """A value in a /proc file of `name: value` lines."""
    return next(line.split()[1] for line in info.splitlines() if line.startswith(f"{name}:"))


def take_descriptors(ends: Sequence[int]) -> None:
    """Make these the process's descriptors from 0, and its only ones."""
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 400) for descriptor in ends]
    for number, descriptor in enumerate(high):
        os.dup2(descriptor, number, inheritable=True)
    os.closerange(len(ends), 65536)
