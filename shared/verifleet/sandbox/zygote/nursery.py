"""The nursery: a process that only forks jailed processes, and never sees a job.

A fork inherits its parent's memory. The keeper's memory holds the test programs of every request it relays, so it must
not be what untrusted processes are forked from. The nursery is forked from the keeper before the first job; it gets
the ends of a run's pipes and makes the keeper the parent of what it forks.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
from collections.abc import Sequence

from verifleet.sandbox.guest import runner
from verifleet.sandbox.zygote import jail, kernel, warm_node

_MESSAGE = 4096


class Nursery:
    """The keeper's side: asks for processes."""

    def __init__(self, walls: jail.Walls, proc: int, node: str, node_source: str) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._link.close()
                kernel.die_with_parent()
                _serve(theirs, walls, proc, node, node_source)
            finally:
                os._exit(0)
        theirs.close()

    def spawn(self, role: str, slot: int, memory_mb: int, ends: Sequence[int]) -> int:
        """Fork a jailed process, a child of this process, with `ends` as its descriptors from 0; returns its pid."""
        message = json.dumps({"role": role, "slot": slot, "memory_mb": memory_mb}).encode()
        socket.send_fds(self._link, [message], list(ends))
        answer = self._link.recv(_MESSAGE)
        if not answer:
            raise OSError("the nursery has ended")
        found = json.loads(answer)
        if "error" in found:
            raise OSError(found["error"])
        return int(found["pid"])


def _serve(link: socket.socket, walls: jail.Walls, proc: int, node: str, node_source: str) -> None:
    """Fork what is asked for until the keeper is gone."""
    signal.set_wakeup_fd(-1)
    warm_nodes = warm_node.WarmNodes(walls, proc, lambda *how: _exec_node(node, node_source, *how))
    while True:
        message, ends, _, _ = socket.recv_fds(link, _MESSAGE, 16)
        if not message:
            return
        order, answer = json.loads(message), dict[str, object]()
        pid = warm_nodes.fork(order["memory_mb"], order["slot"], ends) if order["role"] == "node" else None
        try:
            if pid is None:
                pid = kernel.fork_into(walls.namespaces, sibling=True)
        except OSError as error:
            pid = -1
            answer = {"error": str(error)}
        if pid == 0:
            _become(order, walls, ends, node, node_source)
        for descriptor in ends:
            os.close(descriptor)
        if pid > 0:
            answer = {"pid": pid}
        link.send(json.dumps(answer).encode())


def _become(order: dict[str, object], walls: jail.Walls, ends: Sequence[int], node: str, node_source: str) -> None:
    """In the child: take the run's descriptors, close the walls, wait for the job. Never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        ends = [*ends, walls.ruleset] if walls.ruleset >= 0 else ends
        warm_node.take_descriptors(ends)
        walls.ruleset = len(ends) - 1 if walls.ruleset >= 0 else -1
        memory_mb, slot = int(str(order["memory_mb"])), int(str(order["slot"]))
        if order["role"] == "python":
            jail.enter(walls, slot, may_exec=False)
            runner.serve()
        else:
            jail.enter(walls, slot, may_exec=True)
            _exec_node(node, node_source, memory_mb)
    except BaseException as error:  # noqa: BLE001 - nothing may unwind into the nursery's frames
        with contextlib.suppress(OSError):
            os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(120)


def _exec_node(node: str, source: str, memory_mb: int, *arguments: str) -> None:
    data = (memory_mb + 192) * jail.MIB
    resource.setrlimit(resource.RLIMIT_DATA, (data, data))
    heap = f"--max-old-space-size={max(16, memory_mb)}"
    environment = {"PATH": "", "UV_THREADPOOL_SIZE": "1", "UV_USE_IO_URING": "0"}
    flags = [heap, "--single-threaded", "--no-memory-reducer", "--no-warnings", "--stack-size=3000", "--v8-pool-size=1"]
    os.execve(node, [node, *flags, "-e", source, "--", *arguments], environment)  # noqa: S606
