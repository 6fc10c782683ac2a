"""Processes that judge: each is asked by one thread at a time, can be killed, and ends when this one does."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from verifleet.errors import SettingsError, VerifleetError

R = TypeVar("R")
END_S = 10.0
"""In which a process that has nothing to do ends by itself."""


class ProcessDiedError(Exception):
    """A process that was asked died before it answered."""


class Processes:
    """At most `size` of them, started when they are needed. What is called in them are functions of modules."""

    def __init__(self, size: int) -> None:
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._closed = False

    def ask(self, function: Callable[..., R], *args: Any) -> R:
        """What a function returns; raises what it raises, ProcessDiedError, and SettingsError where none can start."""
        with self._free:
            process = self._taken()
            try:
                answered = process.ask(function, args)
            except (EOFError, OSError):
                self._ended(process)
                raise ProcessDiedError(process.end()) from None
            except BaseException:
                self._ended(process)
                process.kill()
                raise
            with self._lock:
                self._idle.append(process)
        succeeded, value = answered
        if not succeeded:
            raise value
        result: R = value
        return result

    def close(self) -> None:
        """End them all, those that are at work in the middle of it: who waits for an answer gets ProcessDiedError."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            processes, self._all = self._all, set()
        for process in processes:
            process.leave() if process in idle else process.kill()
        for process in processes:
            process.end(END_S)

    def _taken(self) -> _Process:
        with self._lock:
            if self._closed:
                raise ProcessDiedError("closed")
            if self._idle:
                return self._idle.pop()
            process = _Process()
            self._all.add(process)
            return process

    def _ended(self, process: _Process) -> None:
        with self._lock:
            self._all.discard(process)


class _Process:
    """One process, and the pipe on which it is asked."""

    def __init__(self) -> None:
        self._channel, theirs = multiprocessing.Pipe()
        self._process: SpawnProcess = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(theirs,), name="verifleet-score", daemon=True
        )
        resource_tracker.ensure_running()  # which leaves SIGINT let through
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            self._process.start()  # Ctrl-C is for us alone: it does not even disturb their start
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
        self._started = False

    def ask(self, function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
        """Whether it succeeded, and what came of it. Raises EOFError, OSError, SettingsError."""
        if not self._started:
            try:
                self._channel.recv()
            except (EOFError, OSError):
                raise SettingsError(f"a process that judges can't be started: {self.end()}") from None
            self._started = True
        self._channel.send((function, args))
        answered: tuple[bool, Any] = self._channel.recv()
        return answered

    def kill(self) -> None:
        """End it."""
        self._process.kill()

    def leave(self) -> None:
        """Have it end by itself."""
        self._channel.close()

    def end(self, patience_s: float = 0.0) -> str:
        """How it ended; killed if it did not in time."""
        self._process.join(patience_s)
        self._process.kill()
        self._process.join()
        code = self._process.exitcode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def _serve(channel: Connection) -> None:
    """In the process: answer until nobody asks any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        channel.send("ready")
        while True:
            function, args = channel.recv()
            try:
                answer = (True, function(*args))
            except VerifleetError as error:
                answer = (False, error)
            except Exception as error:  # noqa: BLE001 - every exception belongs to who asked, but not all can travel
                answer = (False, RuntimeError(f"{type(error).__name__}: {error}"))
            channel.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
