"""The nursery of node processes: it only starts jailed processes, and never sees a job.

A fork inherits its parent's memory. The keeper's memory holds the test programs of every request it relays, so it must
not be what untrusted processes are forked from. The nursery is forked from the keeper before the first job; it gets
the ends of a run's pipes and makes the keeper the parent of what it starts: a fork of a warm node, or a new node.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
from collections.abc import Sequence
from typing import Any

from verifleet.sandbox.keeper import warm_node
from verifleet.sandbox.walls import jail, kernel

_MESSAGE = 4096
_DATA_MB = 144  # what node may need besides the program's share and what it holds from the start
_USUAL_MB, _MEASURED_S = 48, 5.0
_WAITING = "const fs = require('fs'); fs.writeSync(1, '!'); fs.readSync(0, Buffer.alloc(1))"


class NodeNursery:
    """The keeper's side: asks for processes. `config` has the keys node, node_source and warm_node."""

    def __init__(self, walls: jail.Walls, proc: int, config: dict[str, Any]) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._link.close()
                kernel.die_with_parent()
                _serve(theirs, walls, proc, config)
            finally:
                os._exit(0)
        theirs.close()

    def spawn(self, role: str, slot: int, memory_mb: int, ends: Sequence[int]) -> int:
        """Start a jailed node, a child of this process, with `ends` as its descriptors from 0; returns its pid."""
        assert role == "node"
        message = json.dumps({"slot": slot, "memory_mb": memory_mb}).encode()
        socket.send_fds(self._link, [message], list(ends))
        answer = self._link.recv(_MESSAGE)
        if not answer:
            raise OSError("the nursery has ended")
        found = json.loads(answer)
        if "error" in found:
            raise OSError(found["error"])
        return int(found["pid"])


def _serve(link: socket.socket, walls: jail.Walls, proc: int, config: dict[str, Any]) -> None:
    """Start what is asked for until the keeper is gone."""
    signal.set_wakeup_fd(-1)

    def become(memory_mb: int, started: str) -> None:
        data = (memory_mb + _DATA_MB + held_mb) * jail.MIB
        resource.setrlimit(resource.RLIMIT_DATA, (data, data))
        _exec_node(config["node"], memory_mb, "-e", config["node_source"], "--", started)

    warm_nodes = warm_node.WarmNodes(walls, proc, become) if config["warm_node"] else None
    held_mb = 0
    while True:
        message, ends, _, _ = socket.recv_fds(link, _MESSAGE, 16)
        if not message:
            return
        order, answer = json.loads(message), dict[str, object]()
        held_mb = held_mb or _held_mb(config["node"], proc)
        pid = warm_nodes.fork(order["memory_mb"], order["slot"], ends) if warm_nodes else None
        try:
            if pid is None:
                pid = kernel.fork_into(walls.namespaces, sibling=True)
        except OSError as error:
            pid = -1
            answer = {"error": str(error)}
        if pid == 0:
            _become_new(order, walls, ends, become)
        for descriptor in ends:
            os.close(descriptor)
        if pid > 0:
            answer = {"pid": pid}
        link.send(json.dumps(answer).encode())


def _become_new(order: dict[str, int], walls: jail.Walls, ends: Sequence[int], become: warm_node.Become) -> None:
    """In the child: take the run's descriptors, close the walls, become node, which waits for the job. No return."""
    try:
        ends = [*ends, walls.ruleset] if walls.ruleset >= 0 else ends
        warm_node.take_descriptors(ends)
        walls.ruleset = len(ends) - 1 if walls.ruleset >= 0 else -1
        jail.enter(walls, order["slot"], may_exec=True)
        become(order["memory_mb"], "kept")
    except BaseException as error:  # noqa: BLE001 - nothing may unwind into the nursery's frames
        with contextlib.suppress(OSError):
            os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(120)


def _held_mb(node: str, proc: int) -> int:
    """What RLIMIT_DATA counts of a node that does nothing; from version 24 on it reserves 512 MiB for code."""
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            warm_node.take_descriptors([read_in, write_out, os.open("/dev/null", os.O_WRONLY)])
            _exec_node(node, _USUAL_MB, "-e", _WAITING)
        finally:
            os._exit(120)
    os.close(write_out)
    held = 0
    with contextlib.suppress(OSError):
        if warm_node.readable(read_out, _MEASURED_S) and os.read(read_out, 1):
            held = int(warm_node.field(warm_node.text(proc, f"{pid}/status"), "VmData")) // 1024
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    for descriptor in (read_in, write_in, read_out):
        os.close(descriptor)
    return held or _USUAL_MB


def _exec_node(node: str, memory_mb: int, *arguments: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    heap = f"--max-old-space-size={max(16, memory_mb)}"
    environment = {"PATH": "", "UV_THREADPOOL_SIZE": "1", "UV_USE_IO_URING": "0"}
    # One thread of V8's own, and nothing for it to do: what works at the side can't be forked at rest.
    quiet = ["--single-threaded", "--no-memory-reducer", "--v8-pool-size=1", "--no-warnings"]
    os.execve(node, [node, heap, *quiet, "--stack-size=3000", "--random-seed=1", *arguments], environment)  # noqa: S606
