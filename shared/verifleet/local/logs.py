"""The logs of a fleet's processes: one small process reads what they write and keeps it in files of bounded size.

Each process of the fleet writes into a pipe whose reading end the fleet holds as well, so that a keeper that dies loses
nothing: the next one goes on reading. When the fleet is killed, the keeper reads what its processes left and ends.

`python -m verifleet.local.logs FOLDER NAME=DESCRIPTOR...` keeps FOLDER/NAME.log.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

MAX_BYTES = 16 * 1024 * 1024
OLDER_KEPT = 4
"""NAME.log, NAME.log.1 (the one before) up to NAME.log.4."""

_CHUNK = 64 * 1024
_PIPE_BYTES = 1024 * 1024
_PAUSE_S = 0.02
"""Between two rounds: many lines are read together, and the processor is the functions'."""
_AFTERWARDS_S = 2.0
_SYNC_S = 2.0
_F_SETPIPE_SZ = 1031  # fcntl.F_SETPIPE_SZ is not everywhere


class RotatingFile:
    """A log file that makes room for the next one at the end of a line."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES, older_kept: int = OLDER_KEPT) -> None:
        """Opened with the first write."""
        self._path = path
        self._max_bytes = max_bytes
        self._older_kept = older_kept
        self._file = -1
        self._size = 0
        self._lost = 0

    def write(self, data: bytes) -> None:
        """Append; the folder is made anew where it was removed, and what the disk does not take is counted."""
        try:
            self._open()
            if self._size + len(data) > self._max_bytes:
                line_end = data.rfind(b"\n") + 1
                if line_end or self._size > 2 * self._max_bytes:
                    data, rest = data[: line_end or len(data)], data[line_end or len(data) :]
                    self._append(data)
                    self._rotate()
                    data = rest
            if data:
                self._append(data)
        except OSError as error:
            self._lost += len(data)
            with contextlib.suppress(OSError):
                print(f"{self._path} can't be written: {error.strerror}", file=sys.stderr, flush=True)

    def _append(self, data: bytes) -> None:
        self._open()
        if self._lost:
            data = b"(%d bytes of this log could not be written)\n%b" % (self._lost, data)
            self._lost = 0
        while data:
            written = os.write(self._file, data)
            self._size += written
            data = data[written:]

    def _open(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):
                if os.path.samestat(os.stat(self._path), os.fstat(self._file)):
                    return
            os.close(self._file)
            self._file = -1
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._size = os.fstat(self._file).st_size

    def _rotate(self) -> None:
        os.close(self._file)
        self._file = -1
        names = [self._path, *(Path(f"{self._path}.{n}") for n in range(1, self._older_kept + 1))]
        for newer, older in reversed(list(pairwise(names))):
            with contextlib.suppress(FileNotFoundError):
                newer.replace(older)


class LogKeeper:
    """The keeper's process and the pipes into it, from the fleet's side."""

    def __init__(self, folder: Path, names: Iterable[str], environment: Mapping[str, str]) -> None:
        """Start it; `pipe(name)` is where a process writes."""
        self._folder = folder
        self._environment = dict(environment)
        self._pipes = {name: os.pipe() for name in names}
        for reading, _ in self._pipes.values():
            os.set_blocking(reading, False)
            _widen(reading)
        self._process = self._started()

    def pipe(self, name: str) -> int:
        """The descriptor that this process's output goes to."""
        return self._pipes[name][1]

    def watch(self) -> None:
        """Start it again where it died; call it regularly."""
        if self._process.poll() is not None:
            self._release()
            self._process = self._started()

    def sync(self) -> None:
        """Return once all that was written before is in the files, or after two seconds."""
        self.watch()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(b".")
            self._process.stdin.flush()
            if select.select([self._process.stdout], [], [], _SYNC_S)[0]:
                os.read(self._process.stdout.fileno(), 1)

    def close(self) -> None:
        """Write what is left and end. The processes that write must have ended."""
        for _, writing in self._pipes.values():
            os.close(writing)
        self._release()
        try:
            self._process.wait(2 * _AFTERWARDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reading, _ in self._pipes.values():
            os.close(reading)

    def _started(self) -> subprocess.Popen[bytes]:
        descriptors = [f"{name}={reading}" for name, (reading, _) in self._pipes.items()]
        return subprocess.Popen(
            [sys.executable, "-m", "verifleet.local.logs", str(self._folder), *descriptors],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            pass_fds=[reading for reading, _ in self._pipes.values()],
            start_new_session=True,
            umask=0o077,
        )

    def _release(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def keep(folder: Path, descriptors: Mapping[str, int]) -> None:
    """Read until every pipe is at its end; once standard input ends, the fleet is gone, at most two seconds more.

    A byte on standard input is answered with one on standard output when all that was there is written.
    """
    with selectors.DefaultSelector() as selector:
        for name, descriptor in descriptors.items():
            selector.register(descriptor, selectors.EVENT_READ, RotatingFile(folder / f"{name}.log"))
        selector.register(0, selectors.EVENT_READ, None)
        give_up_at = float("inf")
        while len(selector.get_map()) > (give_up_at == float("inf")) and time.monotonic() < give_up_at:
            for key, _ in selector.select(None if give_up_at == float("inf") else 0.1):
                if key.data is not None:
                    _pass_on(selector, key, _CHUNK)
                elif os.read(0, 1):
                    for each in list(selector.get_map().values()):
                        if each.data is not None:
                            _pass_on(selector, each, 2 * _PIPE_BYTES)
                    os.write(1, b".")
                else:
                    selector.unregister(0)
                    give_up_at = time.monotonic() + _AFTERWARDS_S
            time.sleep(_PAUSE_S)


def _pass_on(selector: selectors.BaseSelector, key: selectors.SelectorKey, at_most: int) -> None:
    while at_most > 0:
        try:
            data = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            with contextlib.suppress(KeyError):  # met twice in one round
                selector.unregister(key.fd)
            return
        key.data.write(data)
        at_most -= len(data)


def _widen(descriptor: int) -> None:
    """A burst of lines must not hold up who writes them."""
    import fcntl

    with contextlib.suppress(OSError):  # above what this user may have
        fcntl.fcntl(descriptor, _F_SETPIPE_SZ, _PIPE_BYTES)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), {name: int(fd) for name, fd in (pair.split("=") for pair in sys.argv[2:])})
