"""A jailed Python process: wait for a job on stdin, run it in its mode, leave.

The job is JSON with a `mode`; what follows it on stdin is the program's own input. Frames (u32 length, bytes) go to
descriptor 3: first an empty one that says the jail holds and the program is about to start, then the mode's own.
"""

from __future__ import annotations

import _sitebuiltins
import atexit
import builtins
import contextlib
import gc
import importlib
import io
import json
import os
import signal
import struct
import sys
import threading
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from verifleet.sandbox.guest import packages
from verifleet.sandbox.walls import jail

FRAMES = 3
LEFT = b"\0left"  # and the exit code as a byte: the last frame of a process, which then waits for its end
FILE_NAME = "solution.py"
_PRELOADED = """abc array ast asyncio atexit base64 bisect builtins calendar cmath codecs collections collections.abc
contextlib copy csv ctypes dataclasses datetime decimal difflib enum errno fractions functools gc gettext hashlib heapq
hmac html inspect io itertools json keyword linecache locale math numbers operator os pathlib pickle posixpath pprint
queue random re reprlib secrets select shlex signal sqlite3 stat statistics string struct sys tempfile textwrap
threading time timeit tokenize traceback types typing unicodedata unittest unittest.mock uuid warnings weakref zlib
zoneinfo"""
_GUESTS = {
    "script": ("script", "run"),
    "scripts": ("script", "run_all"),
    "cases": ("cases", "run"),
    "candidate": ("candidate", "run"),
    "judge": ("judge", "run"),
    "shared": ("shared", "run"),
    "sql": ("sql", "run"),
    "native": ("native", "run"),
    "compile": ("native", "compile"),
    "probe": ("escape", "run"),
}
_streams: list[io.TextIOWrapper] = []


def preload(offered: Mapping[str, Sequence[str]]) -> None:
    """Import, before any fork, what most programs import; `offered` packages are found in their folders."""
    sys.modules["ssl"] = None  # type: ignore[assignment]  # asyncio does without, and there is no network
    for name in _PRELOADED.split():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    del sys.modules["ssl"]
    packages.offer(offered)
    for mode in _GUESTS:
        guest(mode)
    for name in ("exit", "quit"):  # site's, which this interpreter starts without
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D"))
    compile("x = [i for i in range(3)]", FILE_NAME, "exec")


def become_plain(home: str) -> None:
    """Give this process, and its forks, the environment of a run."""
    os.environ.clear()
    os.environ.update(environment(home))


def rehearse(home: str) -> None:
    """Before any fork, go the way that every program goes, and make what all of them need.

    A page that a run does not write to is not copied for it: what is made here need not be made there.
    """
    global _streams
    become_plain(home)
    atexit._clear()  # what our own imports have left: nothing that a run needs
    packages.seed()  # a program that forgets to seed gets the same verdict every time
    kept, pipes = [os.dup(number) for number in range(3)], os.pipe()
    for number in range(3):  # pipes, as those of a run are: the streams ask whether they can seek
        os.dup2(pipes[number > 0], number)
    for _ in range(20):
        _practise(_new_streams())
    _streams = _new_streams()
    gc.collect()
    gc.freeze()
    for number, descriptor in enumerate(kept):
        os.dup2(descriptor, number)
        os.close(descriptor)
    for descriptor in pipes:
        os.close(descriptor)


def _practise(streams: list[io.TextIOWrapper]) -> None:
    """Run a small program and leave no trace of it."""
    path, argv, main, own = sys.path[:], sys.argv, sys.modules["__main__"], (sys.stdin, sys.stdout, sys.stderr)
    job = json.loads(json.dumps({"mode": "script", "source": "def f(x):\n    return x + 1\nassert f(1) == 2\n"}))
    execute(job["source"], fresh_main(streams))
    _settle()
    sys.path[:], sys.argv, sys.modules["__main__"] = path, argv, main
    sys.stdin, sys.stdout, sys.stderr = own


def environment(home: str) -> dict[str, str]:
    """All that a program finds in os.environ."""
    return {"HOME": home, "TMPDIR": home, "PATH": "", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}


def guest(mode: str) -> Callable[[dict[str, Any]], None]:
    """What runs a job of this mode."""
    module, function = _GUESTS[mode]
    found: Callable[[dict[str, Any]], None] = getattr(
        importlib.import_module(f"verifleet.sandbox.guest.{module}"), function
    )
    return found


def serve() -> None:
    """Read one job and run it. Ends the process."""
    if _streams:
        _practise(_streams)  # most of the pages that a program writes to are copied now, while nobody waits
    memory_mb, cpu_s, size = struct.unpack(">IdI", read_exactly(16))
    job = json.loads(read_exactly(size))
    jail.bound(memory_mb, cpu_s)
    gc.enable()  # what was loaded before stays frozen: to look through it would copy its pages
    send_frame(b"")
    if os.getcwd() != os.environ["HOME"]:
        os.environ.update(environment(os.getcwd()))
    guest(job["mode"])(job)


def read_exactly(size: int) -> bytes:
    """Read from stdin; ends the process where it ends early."""
    parts = []
    while size:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            os._exit(0)  # the keeper is gone; no job will come
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send_frame(data: bytes) -> None:
    """Write one frame to the keeper."""
    view = memoryview(struct.pack(">I", len(data)) + data)
    while view:
        view = view[os.write(FRAMES, view) :]


def send(message: dict[str, Any]) -> None:
    """Write one JSON frame to the keeper."""
    send_frame(json.dumps(message).encode())


def fresh_main(streams: list[io.TextIOWrapper] | None = None) -> dict[str, Any]:
    """A new `__main__` module for a program, and new `streams`; returns the module's namespace."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    module.__dict__["__file__"] = FILE_NAME
    sys.modules["__main__"] = module
    sys.argv = [FILE_NAME]
    sys.path[:] = [*filter(None, sys.path), os.getcwd()]
    sys.stdin, sys.stdout, sys.stderr = streams or _new_streams()
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    return module.__dict__


def ready_streams() -> list[io.TextIOWrapper]:
    """The streams made before the fork, for descriptors that are pipes."""
    return _streams


def _new_streams() -> list[io.TextIOWrapper]:
    source = io.BufferedReader(io.FileIO(0, closefd=False))
    out = io.BufferedWriter(io.FileIO(1, "w", closefd=False), 1 << 16)
    errors = io.BufferedWriter(io.FileIO(2, "w", closefd=False))
    return [
        io.TextIOWrapper(source, "utf-8", "surrogateescape"),
        io.TextIOWrapper(out, "utf-8", "surrogateescape"),
        io.TextIOWrapper(errors, "utf-8", "backslashreplace", line_buffering=True),
    ]


def execute(source: str, namespace: dict[str, Any]) -> dict[str, Any] | None:
    """Run a program's source; None when it came to its end, else how it failed: outcome, error, message."""
    code, failed = compiled(source)
    return failed if code is None else executed(code, namespace)


def compiled(source: str) -> tuple[types.CodeType | None, dict[str, Any] | None]:
    """The program as code, or how it fails to be one."""
    try:
        return compile(source, FILE_NAME, "exec", dont_inherit=True), None
    except (SyntaxError, ValueError, RecursionError, OverflowError, MemoryError) as error:
        message = shortened(str(getattr(error, "msg", error)))
        return None, {"outcome": "syntax_error", "error": type(error).__name__, "message": message}


def executed(code: types.CodeType, namespace: dict[str, Any]) -> dict[str, Any] | None:
    """Run a program; None when it came to its end, else how it failed."""
    try:
        exec(code, namespace)  # noqa: S102 - this is the jail
    except SystemExit as error:
        return exit_failure(error)
    except BaseException as error:  # noqa: BLE001 - the program's own failure is its outcome
        return failure(error)
    return None


def exit_failure(error: SystemExit) -> dict[str, Any] | None:
    """What a program's sys.exit means: nothing for success, else an exception outcome."""
    if error.code is None or error.code == 0:
        return None
    return {"outcome": "exception", "error": "SystemExit", "message": shortened(str(error.code)), "exit": True}


def failure(error: BaseException) -> dict[str, Any]:
    """How an exception ended a program; its traceback goes to the program's own stderr."""
    with contextlib.suppress(BaseException):
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename.startswith("<verifleet"):
            own = own.tb_next
        sys.stderr.write("".join(traceback.format_exception(type(error), error, own, limit=20))[:8000])
        sys.stderr.flush()
    outcome = "memory" if isinstance(error, MemoryError) else "exception"
    message = ""
    with contextlib.suppress(BaseException):
        message = shortened(str(error))
    return {"outcome": outcome, "error": type(error).__name__, "message": message}


def shortened(text: str, length: int = 300) -> str:
    """At most `length` characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def leave(code: int = 0) -> NoReturn:
    """End like an interpreter does: threads joined, exit functions run, output flushed."""
    _settle()
    if _streams:  # forked by a nursery: the keeper ends this process, for to end itself would take its time
        with contextlib.suppress(OSError):
            send_frame(LEFT + bytes([code]))
            signal.pause()
    os._exit(code)


def _settle() -> None:
    if len(threading._active) > 1:  # type: ignore[attr-defined]
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()
    for name in ("stdout", "stderr", "__stdout__"):
        with contextlib.suppress(BaseException):
            getattr(sys, name).flush()
