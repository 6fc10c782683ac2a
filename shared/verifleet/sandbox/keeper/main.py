"""The keeper: takes jobs on stdin, forks a jailed process for each, relays bounded output on stdout.

It holds no secrets: it starts with an empty environment, receives its source and jobs over stdin, and leaves when
stdin closes. Messages both ways: two big-endian u32 (length of a JSON header, length of the bytes after it), header,
bytes. See verifleet.sandbox.supervisor for the other end.
"""

from __future__ import annotations

import collections
import gc
import heapq
import json
import math
import os
import resource
import select
import shutil
import signal
import struct
import sys
import time
from dataclasses import replace
from typing import Any, NamedTuple

from verifleet.sandbox.guest import runner
from verifleet.sandbox.keeper.node_nursery import NodeNursery
from verifleet.sandbox.keeper.python_nursery import PythonNursery
from verifleet.sandbox.keeper.unit import Spawn, Unit
from verifleet.sandbox.walls import jail, kernel

MAX_RUNNING = 192  # those that sleep included
IDLE_AFTER_S = 0.01
QUIET_S = 0.001
IDLE_SHARE = 0.25
BROKEN_MAX = 20
STARTS_MAX = 3
PAUSE_S = 0.05  # before a run's next start; four times as long before the one after


class Lane(NamedTuple):
    """Runs that have used about as much CPU time: `cpu_s` at most, `a_cpu` of them at once for each CPU."""

    cpu_s: float
    nice: int
    a_cpu: int


# What a program costs shows while it runs. Each begins in the quick lane; what it uses, with the runs of its request
# before, moves it on to where it gets the CPU that quicker ones leave, and no quicker one waits for its place.
LANES = (Lane(0.03, 0, 1), Lane(1.0, 10, 2), Lane(math.inf, 19, 4))


class Keeper:
    """One thread, one loop: control messages, output of runs, deaths of children, limits."""

    def __init__(self, control_in: int, control_out: int, config: dict[str, Any], walls: jail.Walls, proc: int) -> None:
        self.walls, self.proc = walls, proc
        self.parallel: int = config["parallel"]
        self.spawners: dict[str, Spawn] = {}
        forked = []
        if config["tools"]:  # first, for the others are not to find the compiler
            compilers = PythonNursery(replace(walls, ruleset=walls.compiling), proc, may_exec=True, may_fork=True)
            jail.put_tools_away(walls)
            natives = PythonNursery(replace(walls, ruleset=walls.executing), proc, may_exec=True)
            self.spawners |= {"compiler": compilers.spawn, "native": natives.spawn}
            forked = [compilers.pid, natives.pid]
        pythons, nodes = PythonNursery(walls, proc), NodeNursery(walls, proc, config)
        self.spawners |= {"python": pythons.spawn, "node": nodes.spawn}
        self.nurseries = {*forked, pythons.pid, nodes.pid}
        self.control_in, self.control_out = control_in, control_out
        self.parent = os.getppid()
        self.poller = select.epoll()
        self.readers: dict[int, Unit] = {}
        self.writers: dict[int, Unit] = {}
        self.by_pid: dict[int, Unit] = {}
        self.queues: list[collections.deque[tuple[dict[str, Any], bytes]]] = [collections.deque() for _ in LANES]
        self.running: dict[int, Unit] = {}
        self.resting: list[tuple[float, dict[str, Any], bytes]] = []  # to be started again, and when
        self.spare: dict[tuple[str, int], list[Unit]] = {}
        self.free_slots = list(range(900))
        self.left: list[Unit] = []  # reported; what is left of them is to be killed
        self.quiet_until = 0.0
        self.broken = 0  # units that died before they were given a job
        self.inbox = bytearray()
        self.outbox: collections.deque[memoryview] = collections.deque()
        self.wake_read, self.wake_write = os.pipe()
        for descriptor in (self.wake_read, self.wake_write, control_in, control_out):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(self.wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poller.register(control_in, select.EPOLLIN)
        self.poller.register(self.wake_read, select.EPOLLIN)

    # --- the loop -------------------------------------------------------------

    def run(self) -> None:
        """Serve until stdin closes; leaves no child behind."""
        self._send({"op": "ready", **self.walls.describe()})
        try:
            while self._turn():
                pass
        finally:
            for unit in list(self.by_pid.values()):
                unit.kill()
            for unit in {id(u): u for u in self.by_pid.values()}.values():
                unit.bury()
            if self.walls.scratch:
                shutil.rmtree(self.walls.scratch, ignore_errors=True)

    def _turn(self) -> bool:
        """One wait and what came of it; False when the supervisor is gone."""
        events = self.poller.poll(self._next_chore() if self.left or self._wants_spares() else self._next_check())
        for descriptor, _ in events:
            if descriptor == self.control_in:
                if not self._receive():
                    return False
            elif descriptor == self.control_out:
                self._flush()
            elif descriptor == self.wake_read:
                os.read(self.wake_read, 4096)
            elif descriptor in self.readers:
                self._read(descriptor)
            elif descriptor in self.writers:
                self._write(descriptor)
        self._reap()
        self._enforce()
        self._start_queued()
        if not events and os.getppid() != self.parent:
            return False
        if self._next_chore() <= 0:
            self._end_left()
            if not events:
                self._make_spare()
        return True

    def _next_chore(self) -> float:
        """Seconds until there is time to end what waits for its end and to make new jails.

        Both take a CPU for a while, which the one who has just got his result, and his next request, need more.
        """
        if self._somebody_waits() or len(self.left) > self.parallel:
            return 0
        return max(0.0, self.quiet_until - time.monotonic())

    def _end_left(self) -> None:
        for unit in self.left:
            unit.kill()
        self.left.clear()

    def _next_check(self) -> float:
        soonest = min(
            (*(unit.next_check for unit in self.running.values()), *(due for due, _, _ in self.resting)),
            default=math.inf,
        )
        most = IDLE_AFTER_S if self._somebody_waits() else 1.0
        return min(most, max(0.001, soonest - time.monotonic()))

    # --- control channel --------------------------------------------------------

    def _receive(self) -> bool:
        try:
            data = os.read(self.control_in, 1 << 20)
        except BlockingIOError:
            return True
        if not data:
            return False
        self.inbox += data
        while len(self.inbox) >= 8:
            head, body = struct.unpack_from(">II", self.inbox)
            if len(self.inbox) < 8 + head + body:
                break
            message = json.loads(bytes(self.inbox[8 : 8 + head]))
            blob = bytes(self.inbox[8 + head : 8 + head + body])
            del self.inbox[: 8 + head + body]
            self._handle(message, blob)
        return True

    def _handle(self, message: dict[str, Any], blob: bytes) -> None:
        if message["op"] == "run":
            self._enqueue(message, blob)
        elif message["op"] == "cancel":
            unit = self.running.get(message["id"])
            if unit is not None:
                unit.stop("cancelled")
                return
            for queue in self.queues:
                for item in [item for item in queue if item[0]["id"] == message["id"]]:
                    queue.remove(item)
                    self._send({"op": "failed", "id": message["id"], "reason": "cancelled"})
            for rest in [rest for rest in self.resting if rest[1]["id"] == message["id"]]:
                self.resting.remove(rest)
                self._send({"op": "failed", "id": message["id"], "reason": "cancelled"})

    def _enqueue(self, message: dict[str, Any], blob: bytes) -> None:
        lane = next(index for index, lane in enumerate(LANES) if message["spent_s"] <= lane.cpu_s)
        self.queues[lane].append((message, blob))

    def _send(self, message: dict[str, Any], blob: bytes = b"") -> None:
        head = json.dumps(message).encode()
        idle = not self.outbox
        self.outbox.append(memoryview(struct.pack(">II", len(head), len(blob)) + head + blob))
        if idle:
            self._flush()

    def _flush(self) -> None:
        while self.outbox:
            try:
                written = os.write(self.control_out, self.outbox[0])
            except BlockingIOError:
                self._watch_control(True)
                return
            if written == len(self.outbox[0]):
                self.outbox.popleft()
            else:
                self.outbox[0] = self.outbox[0][written:]
        self._watch_control(False)

    def _watch_control(self, wanted: bool) -> None:
        watched = getattr(self, "_watched", False)
        if wanted and not watched:
            self.poller.register(self.control_out, select.EPOLLOUT)
        elif watched and not wanted:
            self.poller.unregister(self.control_out)
        self._watched = wanted

    # --- runs ---------------------------------------------------------------------

    def _somebody_waits(self) -> bool:
        return any(self.queues)

    def _start_queued(self) -> None:
        now = time.monotonic()
        for rest in [rest for rest in self.resting if rest[0] <= now]:
            self.resting.remove(rest)
            self._enqueue(*rest[1:])
        for lane, queue in enumerate(self.queues):
            while queue and len(self.running) < MAX_RUNNING and self._has_room(lane):
                self._start(*queue.popleft(), lane)

    def _start(self, message: dict[str, Any], blob: bytes, lane: int) -> None:
        key = (message["kind"], message["limits"]["memory_mb"] if "node" in message["kind"] else 0)
        spares = self.spare.setdefault(key, [])
        try:
            unit = spares.pop(0) if spares else self._make(key)
        except OSError as error:
            self._start_again(message, blob, str(error))
            return
        self.running[message["id"]] = unit
        for descriptor in unit.begin(message, blob):
            if unit.write(descriptor):
                self.writers[descriptor] = unit
                self.poller.register(descriptor, select.EPOLLOUT)
            else:
                os.close(descriptor)
        self._move(unit, lane)

    def _start_again(self, message: dict[str, Any], blob: bytes, why: str) -> None:
        """Let a run that did not take place begin once more a little later; give it up after some times."""
        starts = message["starts"] = message.get("starts", 0) + 1
        if starts < STARTS_MAX:
            self.resting.append((time.monotonic() + PAUSE_S * 4 ** (starts - 1), message, blob))
        else:
            reason = f"a sandboxed process did not start, {starts} times: {why}"
            self._send({"op": "failed", "id": message["id"], "reason": reason})

    def _has_room(self, lane: int) -> bool:
        """So many runs for each CPU; but those that sleep don't count."""
        busy = sum(unit.lane == lane and not unit.idle for unit in self.running.values())
        return busy < LANES[lane].a_cpu * self.parallel

    def _move(self, unit: Unit, lane: int) -> None:
        unit.lane = lane
        unit.yield_to_others(LANES[lane].nice)

    def _demote(self, unit: Unit) -> None:
        """Move a run that has outgrown its lane to the next. If that is full and others wait, it begins anew there.

        What it did so far is thrown away, which is little: nothing is known of it outside.
        """
        while unit.used > LANES[unit.lane].cpu_s:
            lane = unit.lane + 1
            if self._has_room(lane):
                self._move(unit, lane)
            elif self.queues[unit.lane]:
                del self.running[unit.job_id or 0]
                self.queues[lane].append(unit.job)
                unit.reported = True
                unit.kill()
                return
            else:
                return

    def _make(self, key: tuple[str, int]) -> Unit:
        slot = heapq.heappop(self.free_slots)
        try:
            unit = Unit(key, slot, self.walls, self.proc, self.spawners)
        except OSError:
            heapq.heappush(self.free_slots, slot)
            raise
        for descriptor in unit.outputs:
            self.readers[descriptor] = unit
            self.poller.register(descriptor, select.EPOLLIN)
        for process in unit.processes:
            self.by_pid[process.pid] = unit
        return unit

    def _wants_spares(self) -> bool:
        if self.broken > BROKEN_MAX or len(self.by_pid) > MAX_RUNNING * 2:
            return False
        return any(len(spares) < self.parallel for spares in self.spare.values())

    def _make_spare(self) -> None:
        for key, spares in self.spare.items():
            if len(spares) < self.parallel and self._wants_spares():
                try:
                    spares.append(self._make(key))
                except OSError:
                    self.broken += 1
                return

    def _read(self, descriptor: int) -> None:
        unit = self.readers[descriptor]
        more = unit.read(descriptor)
        if unit.over():
            self._report(unit)
        if not more:
            self._forget(self.readers, descriptor)
            self._finish(unit)

    def _write(self, descriptor: int) -> None:
        if not self.writers[descriptor].write(descriptor):
            self._forget(self.writers, descriptor)

    def _forget(self, table: dict[int, Unit], descriptor: int) -> None:
        del table[descriptor]
        self.poller.unregister(descriptor)
        os.close(descriptor)

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.nurseries:
                raise ChildProcessError("the nursery has ended")
            unit = self.by_pid.pop(pid, None)
            if unit is not None:
                unit.exited(pid, status, usage)
                self._finish(unit)

    def _finish(self, unit: Unit) -> None:
        """Report a unit whose processes are all gone and whose output is read to its end."""
        if not unit.complete(self.readers):
            return
        for descriptor in unit.inputs:
            if self.writers.get(descriptor) is unit:  # numbers are reused: another unit may have it by now
                self._forget(self.writers, descriptor)
            elif unit.job_id is None:
                os.close(descriptor)
        unit.bury()
        heapq.heappush(self.free_slots, unit.slot)
        if unit.job_id is None:
            self.broken += 1
            for spares in self.spare.values():
                if unit in spares:
                    spares.remove(unit)
            return
        if not unit.reported:
            self._report(unit)

    def _report(self, unit: Unit) -> None:
        del self.running[unit.job_id or 0]
        why = "" if unit.given_up else unit.unstarted()
        if why:
            unit.reported = True
            self._start_again(*unit.job, why)
        else:
            self._send(*unit.report())
        self.left.append(unit)
        self.quiet_until = time.monotonic() + QUIET_S

    def _enforce(self) -> None:
        """Hold running units to their limits; where others wait for a turn, find out who only sleeps."""
        now = time.monotonic()
        waited_for = self._somebody_waits()
        for unit in list(self.running.values()):
            asked = waited_for and not unit.idle and unit.last_check + IDLE_AFTER_S <= now
            if unit.next_check <= now or asked:
                unit.enforce(now)
                unit.idle = unit.recent_share < IDLE_SHARE and unit.sleeps()
                self._demote(unit)


def load(config: dict[str, Any]) -> None:
    """Import all that runs need; what forks share should lie together."""
    runner.preload(config["packages"])


def main(config: dict[str, Any]) -> None:
    """Enclose this process on the rung asked for, say so, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor, which closes our stdin
    os.umask(0o022)  # runs have other user ids, and must pass what is made here whatever we were started with
    control_in, control_out = os.dup(0), os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    try:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 16384), most))
        proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        jail.remember_size()
        programs = [*filter(None, (config["node"], config["libraries"]))]
        folders = [folder for parts in config["packages"].values() for folder in parts]
        walls = jail.raise_walls(config["rung"], programs, config["scratch"], folders, config["tools"])
        kernel.limit_arenas()
        gc.collect()
        gc.freeze()
        gc.disable()
        keeper = Keeper(control_in, control_out, config, walls, proc)
    except Exception as error:  # noqa: BLE001 - whatever stops the keeper from starting is the answer
        head = json.dumps({"op": "refused", "reason": f"{type(error).__name__}: {error}"}).encode()
        os.write(control_out, struct.pack(">II", len(head), 0) + head)
        sys.exit(1)
    keeper.run()
