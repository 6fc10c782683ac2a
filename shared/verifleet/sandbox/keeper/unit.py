"""A unit of work: one jailed process, or a judge and a candidate joined by pipes, with limits and bounded output."""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import shutil
import signal
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verifleet.sandbox.guest import runner
from verifleet.sandbox.walls import jail, kernel

RESULT_BYTES = 16 * 1024 * 1024
STDERR_BYTES = 16 * 1024
Spawn = Callable[[str, int, int, Sequence[int]], int]  # role, slot, memory in MB, descriptors from 0 on; the pid
_CPUS = os.cpu_count() or 1
_TICKS = os.sysconf("SC_CLK_TCK")
# A run that waited so long for a CPU, or so many times its wall limit, is given up: no verdict on the program.
STARVED_S = 60.0
STARVED_WALLS = 4
START_S = 10.0  # for the first frames, which come before anything of a program
LATE_S = 0.1  # that the keeper may be behind its own plan before the machine is to blame
# Why a process is ended that need not have come to its first frame for the run to have taken place.
_ENDED_BY_US = ("cancelled", "closed", "disk")


class Process:
    """One process of a unit: what it wrote, what it used, how it ended."""

    def __init__(self, pid: int, pipes: dict[str, int]) -> None:
        self.pid = pid
        self.stdin, self.out, self.err, self.result = (
            pipes["in"],
            pipes.get("out", -1),
            pipes.get("err", -1),
            pipes["result"],
        )
        self.pending = memoryview(b"")
        self.stdout, self.stderr, self.results = bytearray(), bytearray(), bytearray()
        self.frames = 0
        self.frame_end = 4
        self.left: int | None = None
        self.cpu_start = self.cpu_base = 0.0
        self.cpu_seen = 0.0
        self.status: int | None = None
        self.reaped = False
        self.cpu_s = 0.0
        self.peak_kb = 0
        self.killed_for = ""

    @property
    def outputs(self) -> list[int]:
        """The descriptors to read."""
        return [descriptor for descriptor in (self.out, self.err, self.result) if descriptor >= 0]

    def kill(self, reason: str) -> None:
        """SIGKILL, once; the first reason counts."""
        if not self.reaped:
            self.killed_for = self.killed_for or reason
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def ended(self, descriptor: int) -> None:
        """Forget an output that came to its end: its number will be somebody else's."""
        self.out = -1 if descriptor == self.out else self.out
        self.err = -1 if descriptor == self.err else self.err
        self.result = -1 if descriptor == self.result else self.result

    def count_frames(self) -> int:
        """How many complete result frames arrived since the last call; takes the last one, that says good-bye, away."""
        before = self.frames
        while len(self.results) >= self.frame_end:
            (length,) = struct.unpack_from(">I", self.results, self.frame_end - 4)
            if len(self.results) < self.frame_end + length:
                break
            if length == len(runner.LEFT) + 1 and self.results.startswith(runner.LEFT, self.frame_end):
                self.left = self.results[self.frame_end + len(runner.LEFT)]
                del self.results[self.frame_end - 4 :]
                break
            self.frame_end += length + 4
            self.frames += 1
        return self.frames - before


class Unit:
    """The processes of one run, pre-forked into their jails and waiting for a job on their stdin."""

    def __init__(
        self, key: tuple[str, int], slot: int, walls: jail.Walls, proc: int, spawners: Mapping[str, Spawn]
    ) -> None:
        self.key, self.slot, self.walls, self.proc = key, slot, walls, proc
        self.job_id: int | None = None
        self.job: tuple[dict[str, Any], bytes] = ({}, b"")
        self.idle = False
        self.lane = self.nice = 0
        self.unranked: list[int] = []
        self.spent_before = 0.0  # by the runs of the same request
        self.begun = False  # every process has sent its first frame
        self.starved = self.waited_s = self.late_s = 0.0
        self.waited: dict[int, int] = {}  # nanoseconds that a thread was seen to wait for a CPU
        self.given_up = False
        self.reported = False
        self.recent_share = 1.0
        self.started = self.next_check = self.last_check = 0.0
        self.limits: dict[str, Any] = {}
        self.processes: list[Process] = []
        self.starts_others = key[0] == "compiler"
        roles = key[0].split("+")
        crossing = [os.pipe(), os.pipe()] if len(roles) == 2 else []
        try:
            for index, role in enumerate(roles):
                peers = (crossing[index][0], crossing[1 - index][1]) if crossing else ()
                self.processes.append(self._spawn(spawners[role], role, index, peers))
        except OSError:
            self.kill()
            for process in self.processes:
                for descriptor in (process.stdin, *process.outputs):
                    os.close(descriptor)
            raise
        finally:
            for pair in crossing:
                os.close(pair[0])
                os.close(pair[1])
        self.outputs = [descriptor for process in self.processes for descriptor in process.outputs]
        self.inputs = [p.stdin for p in self.processes]

    def _folder(self, index: int) -> int:
        return self.slot + 1000 * index

    def _spawn(self, spawn: Spawn, role: str, index: int, peers: tuple[int, ...]) -> Process:
        slot = self._folder(index)
        if self.walls.scratch:
            folder = os.path.join(self.walls.scratch, str(slot))
            os.mkdir(folder)
            os.chmod(folder, 0o777)  # noqa: S103 - the parent folder is closed to others
        # What a judge prints is nobody's business: it is the test program's.
        printed = () if peers and index == 0 else ("out", "err")
        pipes = {name: os.pipe() for name in ("in", *printed, "result")}
        null = {name: (-1, os.open("/dev/null", os.O_WRONLY)) for name in ("out", "err") if name not in printed}
        ends = pipes | null
        theirs = (ends["in"][0], ends["out"][1], ends["err"][1], ends["result"][1])
        ours = {"in": pipes["in"][1]} | {name: pipes[name][0] for name in (*printed, "result")}
        try:
            pid = spawn(role, slot, self.key[1], (*theirs, *peers))
        except OSError:
            for descriptor in ours.values():
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        for descriptor in ours.values():
            os.set_blocking(descriptor, False)
        return Process(pid, ours)

    # --- a job -----------------------------------------------------------------

    def begin(self, message: dict[str, Any], blob: bytes) -> list[int]:
        """Hand the job to the waiting processes; returns the descriptors to write to when they are ready."""
        self.job_id, self.limits, self.job = message["id"], message["limits"], (message, blob)
        self.spent_before = message["spent_s"]
        self.started = self.last_check = time.monotonic()
        self.next_check = self.started + min(0.2, self.limits["cpu_s"] / _CPUS, self.limits["wall_s"])
        total_cpu = self.limits["cpu_s"] * max(1, self.limits["marks"])
        view, offset = memoryview(blob), 0
        for process, size in zip(self.processes, message["sizes"], strict=True):
            payload = bytes(view[offset : offset + size])
            offset += size
            head = struct.pack(">IdI", self.limits["memory_mb"], total_cpu, size)
            process.pending = memoryview(head + payload)
            process.cpu_start = process.cpu_base = process.cpu_seen = self._cpu(process)
        last = self.processes[-1]  # in a pair the candidate comes last and owns the stdin text
        last.pending = memoryview(bytes(last.pending) + bytes(view[offset:]))
        return self.inputs

    def write(self, descriptor: int) -> bool:
        """Feed a process; False when its stdin is to be closed."""
        process = next(p for p in self.processes if p.stdin == descriptor)
        try:
            written = os.write(descriptor, process.pending[: 1 << 16])
        except BlockingIOError:
            return True
        except OSError:
            return False
        process.pending = process.pending[written:]
        return len(process.pending) > 0

    def read(self, descriptor: int) -> bool:
        """Take output; False at its end."""
        process = next(p for p in self.processes if descriptor in (p.out, p.err, p.result))
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return True
        if not data:
            process.ended(descriptor)
            return False
        limit = self.limits.get("output_bytes", 1 << 16)
        if descriptor == process.out:
            process.stdout += data[: limit + 1 - len(process.stdout)]
            if len(process.stdout) > limit:
                process.kill("output")
        elif descriptor == process.err:
            process.stderr += data[: STDERR_BYTES - len(process.stderr)]
        else:
            process.results += data[: RESULT_BYTES + 1 - len(process.results)]
            if len(process.results) > RESULT_BYTES:
                process.kill("output")
            elif process.count_frames() and process.frames <= self.limits.get("marks", 0):
                process.cpu_base = self._cpu(process)
            if not self.begun and all(one.frames for one in self.processes):
                self._start_clock()
            if process.left is not None and process.status is None:
                self._take_leave(process)
        return True

    def _start_clock(self) -> None:
        """The wall clock is for programs: how long their processes took to get ready is not theirs."""
        self.begun, self.starved, self.waited_s, self.late_s = True, 0.0, 0.0, 0.0
        self.started = time.monotonic()

    def unstarted(self) -> str:
        """Why a process of the run did not come to its first frame; empty where all did.

        Programs have no say in this: each process sends that frame before it looks at its program, and a judge waits
        for it before it looks at the test program.
        """
        for process in self.processes:
            if not process.frames and process.killed_for not in _ENDED_BY_US:
                said = process.stderr.decode("utf-8", "replace").strip()[:300]
                slow = f"not within {START_S:.0f} s" if process.killed_for == "start" else ""
                return said or slow or f"status {process.status}"
        return ""

    def over(self) -> bool:
        """Whether all is said though the processes may still be there: their end can take longer than a short run."""
        return self.processes[0].left is not None and not self.reported

    def _take_leave(self, process: Process) -> None:
        """Note that a process has said that it leaves. If it was the first, all of the unit now wait to be killed.

        One that lies gains what it would gain by leaving.
        """
        if process is not self.processes[0]:
            process.kill("")
        for ending in self.processes if process is self.processes[0] else [process]:
            self._drain(ending)  # a partner that is gone may have left unread what it said
            if ending.status is not None:
                continue
            ending.cpu_s, ending.peak_kb = self._cpu(ending), self._peak_kb(ending)
            if ending.left is not None:
                ending.status = ending.left << 8
            else:
                ending.status, ending.killed_for = signal.SIGKILL, ending.killed_for or "done"

    def _drain(self, process: Process) -> None:
        """Take all that a process has written so far, up to its good-bye."""
        for taken, descriptor, most in (
            (process.stdout, process.out, self.limits.get("output_bytes", 1 << 16) + 1),
            (process.stderr, process.err, STDERR_BYTES),
            (process.results, process.result if process.left is None else -1, RESULT_BYTES),
        ):
            with contextlib.suppress(BlockingIOError):
                while descriptor >= 0 and len(taken) < most and (data := os.read(descriptor, most - len(taken))):
                    taken += data
        if process.left is None:
            process.count_frames()

    def _peak_kb(self, process: Process) -> int:
        _, found, after = self._told(process.pid, "status").partition(b"VmHWM:")
        return int(after.split(None, 1)[0]) if found else 0  # a zombie has none

    def exited(self, pid: int, status: int, usage: resource.struct_rusage) -> None:
        """Note a death. When the judge of a pair is gone, its candidate has no one to talk to."""
        for process in self.processes:
            if process.pid == pid:
                process.reaped = True
            if process.pid == pid and process.status is None:
                process.status = status
                process.cpu_s = usage.ru_utime + usage.ru_stime
                process.peak_kb = usage.ru_maxrss
        if self.processes[0].status is not None:
            self.stop("done")

    def stop(self, reason: str) -> None:
        """Kill what is left of the unit."""
        for process in self.processes:
            process.kill(reason)

    def kill(self) -> None:
        """Kill without a report."""
        self.stop("closed")

    def complete(self, open_descriptors: dict[int, Any]) -> bool:
        """All processes reaped and all output read."""
        gone = all(process.reaped for process in self.processes)
        return gone and not any(open_descriptors.get(descriptor) is self for descriptor in self.outputs)

    def bury(self) -> None:
        """Reap what is not reaped yet and remove the run's folders."""
        for process in self.processes:
            if not process.reaped:
                process.kill("closed")
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, 0)
        if self.walls.scratch:
            for index in range(len(self.processes)):
                shutil.rmtree(os.path.join(self.walls.scratch, str(self._folder(index))), ignore_errors=True)

    # --- limits -------------------------------------------------------------------

    def _cpu(self, process: Process) -> float:
        try:
            used = kernel.cpu_seconds(process.pid)
        except OSError:
            return process.cpu_seen
        if self.starts_others:
            ended = self._told(process.pid, "stat").rpartition(b")")[2].split()[13:15]
            used += sum(map(int, ended)) / _TICKS
            for pid in self._others(process):
                with contextlib.suppress(OSError):
                    used += kernel.cpu_seconds(pid)
        return max(used, process.cpu_seen)

    def _others(self, process: Process) -> list[int]:
        """What the process has started and not waited for; nothing where the kernel doesn't tell."""
        return [int(pid) for pid in self._told(process.pid, f"task/{process.pid}/children").split()]

    def _all(self) -> list[int]:
        """Process ids of the unit."""
        own = [process.pid for process in self.processes]
        return own + [pid for p in self.processes for pid in self._others(p)] if self.starts_others else own

    @property
    def used(self) -> float:
        """CPU seconds that the run, and those of its request before, were seen to use."""
        return self.spent_before + sum(process.cpu_seen - process.cpu_start for process in self.processes)

    def yield_to_others(self, nice: int) -> None:
        """Give all threads of the run that rank; the kernel hands it on to those that they start."""
        if nice == self.nice:
            return
        self.nice = nice
        self.unranked = [process.pid for process in self.processes]
        self._rank_sessions()
        for process in self.processes:
            try:
                tasks = os.open(f"{process.pid}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.proc)
            except OSError:
                continue
            try:
                for thread in os.listdir(tasks):
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.setpriority(os.PRIO_PROCESS, int(thread), nice)
            finally:
                os.close(tasks)

    def _rank_sessions(self) -> None:
        """Where the kernel shares the CPU among sessions first, a thread's rank counts within its own session only.

        One that has just begun may still be in ours: it is looked at again.
        """
        self.unranked = [pid for pid in self.unranked if not self._rank_session(pid)]

    def _rank_session(self, pid: int) -> bool:
        try:
            session = os.open(f"{pid}/autogroup", os.O_RDWR, dir_fd=self.proc)
        except OSError:
            return True  # a kernel without them, or a process that has ended
        try:
            own = os.open("self/autogroup", os.O_RDONLY, dir_fd=self.proc)
            try:
                if os.read(own, 64).split()[:1] == os.read(session, 64).split()[:1]:
                    return False
                os.write(session, str(self.nice).encode())
            finally:
                os.close(own)
        except OSError:
            return False  # the kernel lets it be changed so many times a second only
        finally:
            os.close(session)
        return True

    def enforce(self, now: float) -> None:
        """Kill what is over its CPU, wall or disk limit; decide when to look again."""
        if self.unranked:
            self._rank_sessions()
        used, left = 0.0, self.limits["cpu_s"]
        for process in self.processes:
            if process.status is None:
                cpu = self._cpu(process)
                used += cpu - process.cpu_seen
                process.cpu_seen = cpu
                left = min(left, self.limits["cpu_s"] - (cpu - process.cpu_base))
                if process.frames and cpu - process.cpu_base >= self.limits["cpu_s"]:
                    process.kill("cpu")
        self.recent_share = used / max(1e-6, now - self.last_check)
        self._count_starved(now)
        most = self.limits["wall_s"] if self.begun else START_S
        wall_left = most - (now - self.started) + self.starved
        # A wait for a CPU is counted when it ends: one that lasts until now is not known yet.
        if wall_left <= 0 and (used or self.sleeps()):
            self.stop("wall" if self.begun else "start")
        if self.starved > max(STARVED_S, STARVED_WALLS * self.limits["wall_s"]) or wall_left < -STARVED_S:
            self.given_up = True
            self.stop("starved")
        if self.walls.scratch and self._disk_used() > jail.TMP_BYTES:
            self.stop("disk")
        self.last_check = now
        self.next_check = now + max(0.01, min(0.2, left / _CPUS, wall_left if wall_left > 0 else 0.05))

    def _count_starved(self, now: float) -> None:
        """Count the seconds in which the machine was busy with others: not the program's fault.

        That is where a thread was ready to run but got no CPU, or where this process itself came late, which has to
        feed the program and to read from it. Both may tell of the same seconds.
        """
        late = now - self.next_check
        self.late_s += late if late > LATE_S else 0.0
        self.waited_s += self._starved()
        self.starved = min(max(self.starved, self.waited_s, self.late_s), now - self.started)

    def _starved(self) -> float:
        """Seconds since the last call that the processes waited for a CPU, each as long as its hungriest thread."""
        total = 0
        for pid in self._all():
            longest = 0
            for thread in self._threads(pid):
                if wait := self._told(pid, f"task/{thread}/schedstat").split():
                    longest = max(longest, int(wait[1]) - self.waited.get(thread, 0))
                    self.waited[thread] = int(wait[1])
            total += longest
        return total / 1e9

    def _threads(self, pid: int) -> list[int]:
        """As many as a user may have: a run without a user of its own may have more than there is time to look at."""
        try:
            tasks = os.open(f"{pid}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.proc)
        except OSError:
            return []
        try:
            return [int(thread) for thread in itertools.islice(os.listdir(tasks), jail.TASKS)]
        except OSError:
            return []
        finally:
            os.close(tasks)

    def sleeps(self) -> bool:
        """Whether no process of the unit could use a CPU just now."""
        return all(self._told(pid, "stat").rpartition(b")")[2].split()[:1] != [b"R"] for pid in self._all())

    def _told(self, pid: int, name: str) -> bytes:
        """The start of what /proc says of a process; nothing once it is gone."""
        try:
            descriptor = os.open(f"{pid}/{name}", os.O_RDONLY, dir_fd=self.proc)
        except OSError:
            return b""
        try:
            return os.read(descriptor, 4096)
        except ProcessLookupError:
            return b""
        finally:
            os.close(descriptor)

    def _disk_used(self) -> int:
        total = 0
        for index in range(len(self.processes)):
            with contextlib.suppress(OSError), os.scandir(f"{self.walls.scratch}/{self._folder(index)}") as entries:
                for entry in entries:
                    total += 4096 + entry.stat(follow_symlinks=False).st_size
        return total

    def report_wall(self) -> float:
        """Seconds since all processes were ready, without those in which the machine was busy with others."""
        now = time.monotonic()
        self._count_starved(now)
        return now - self.started - self.starved

    def report(self) -> tuple[dict[str, Any], bytes]:
        """The answer to the supervisor."""
        self.reported = True
        if self.given_up:
            reason = f"it waited {self.starved:.0f} s for a CPU, the machine has too much other work"
            return {"op": "failed", "id": self.job_id, "reason": reason}, b""
        wall = self.report_wall()
        rows, blobs = [], []
        for process in self.processes:
            assert process.status is not None
            rows.append(
                {
                    "exit": os.waitstatus_to_exitcode(process.status),
                    "killed_for": process.killed_for,
                    "cpu_s": max(0.0, process.cpu_s - process.cpu_start),
                    "peak_kb": process.peak_kb,
                    "sizes": [len(process.stdout), len(process.stderr), len(process.results)],
                }
            )
            blobs += [process.stdout, process.stderr, process.results]
        return {"op": "done", "id": self.job_id, "wall_s": wall, "processes": rows}, b"".join(blobs)
