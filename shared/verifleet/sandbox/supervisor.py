"""The sandbox on this machine: starts a jail keeper, proves its walls, and drives it over stdin and stdout."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, cast

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import boot, platform
from verifleet.sandbox import packages as offered
from verifleet.sandbox.jobs import PLATFORM, AnyRung, Job, JobResult, ProcessResult, Rung
from verifleet.sandbox.toolchain import Toolchain, installed

logger = logging.getLogger(__name__)

_LADDER: tuple[Rung, ...] = ("A", "B", "C")
_START_S = 30.0
_RETRY_START_S = 10.0


class _KeeperLostError(SandboxUnavailableError):
    """The keeper's process ended."""


class LocalSandbox:
    """Runs untrusted programs on this Linux machine behind the strongest walls that hold here.

    Starts lazily, is safe to use from many threads, and dies with its process. `launcher` is put before the keeper's
    command line (an outer sandbox); where no rung holds behind it, each process of a run gets an outer sandbox of its
    own instead. `min_rung` is the weakest isolation of ours accepted ("A", "B" or "C"); `parallel` is how many runs may
    be busy at once (default: one for each CPU). JavaScript runs are forked from a warm node unless `warm_node` is
    false or that does not hold here; then each starts node anew, which takes ten times the CPU time. `packages` of
    those that sandbox.packages lists may be imported by Python programs; they must be installed beside verifleet.
    """

    def __init__(
        self,
        launcher: Sequence[str] = (),
        min_rung: Rung = "C",
        parallel: int = 0,
        *,
        ladder: Sequence[Rung] = _LADDER,
        warm_node: bool = True,
        packages: Sequence[str] = (),
    ) -> None:
        self._launcher = tuple(launcher)
        self._rungs = [rung for rung in ladder if rung <= min_rung]
        self._parallel = parallel or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._keeper: _Keeper | platform.PlatformRuns | None = None
        self._rung: AnyRung | None = None
        self._refusal: tuple[float, str] | None = None
        self._node = shutil.which("node")
        self._warm_node = warm_node
        self._packages = tuple(packages)
        self._given = (self._launcher, min_rung, parallel, tuple(ladder), warm_node, self._packages)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_of, self._given  # where it comes out, its processes start anew

    @property
    def node(self) -> str | None:
        """Path of the node executable, if there is one."""
        return self._node

    @property
    def toolchain(self) -> Toolchain | None:
        """The C++ compiler, if there is one."""
        return installed()

    @property
    def rung(self) -> str:
        """The isolation in force. Raises SandboxUnavailableError."""
        self._started()
        return str(self._rung)

    def submit(self, job: Job) -> Future[JobResult]:
        """Queue a run; a run whose keeper was lost through no fault of its own is tried once more."""
        outer: Future[JobResult] = Future()
        self._attempt(job, outer, retries=1)
        return outer

    def run(self, job: Job) -> JobResult:
        """Run and wait. Raises SandboxUnavailableError."""
        return self.submit(job).result()

    def close(self) -> None:
        """End all runs; the sandbox starts anew if it is used again."""
        with self._lock:
            keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.close()

    def __enter__(self) -> LocalSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _attempt(self, job: Job, outer: Future[JobResult], retries: int) -> None:
        def finished(inner: Future[JobResult]) -> None:
            error = inner.exception()
            if error is None:
                outer.set_result(inner.result())
            elif isinstance(error, _KeeperLostError) and retries:
                # not on this thread: it is the lost keeper's reader
                threading.Thread(target=self._attempt, args=(job, outer, retries - 1), daemon=True).start()
            else:
                outer.set_exception(error)

        try:
            self._started().submit(job).add_done_callback(finished)
        except SandboxUnavailableError as error:
            outer.set_exception(error)

    def _started(self) -> _Keeper | platform.PlatformRuns:
        with self._lock:
            keeper = self._keeper
            if keeper is not None and keeper.owner == os.getpid() and keeper.alive:
                return keeper
            if keeper is not None and keeper.owner == os.getpid():
                keeper.close()
            if self._refusal and time.monotonic() - self._refusal[0] < _RETRY_START_S:
                raise SandboxUnavailableError(self._refusal[1])
            try:
                self._keeper = self._climb()
            except SandboxUnavailableError as error:
                self._refusal = (time.monotonic(), str(error))
                raise
            weakref.finalize(self, self._keeper.close)
            return self._keeper

    def _climb(self) -> _Keeper | platform.PlatformRuns:
        """Start a keeper on the best rung whose walls hold; behind a launcher, its sandbox alone is the last resort."""
        if sys.platform != "linux":
            raise SandboxUnavailableError(
                f"Untrusted code can only be isolated on Linux, not on {sys.platform}: run verifleet in a Linux "
                "container or virtual machine."
            )
        folders = offered.folders(self._packages)
        reasons = []
        for rung in self._rungs if self._rung is None else [r for r in self._rungs if r == self._rung]:
            try:
                keeper = _Keeper(
                    self._launcher,
                    rung,
                    self._parallel,
                    self._node,
                    folders,
                    self.toolchain,
                    warm_node=self._warm_node,
                )
            except SandboxUnavailableError as error:
                reasons.append(f"rung {rung}: {error}")
                continue
            escapes = _probe(keeper)
            if escapes:
                keeper.close()
                reasons.append(f"rung {rung}: the self-probe got through: {', '.join(escapes)}")
                continue
            self._announce(rung, reasons)
            return keeper
        if self._launcher and shutil.which(self._launcher[0]) and self._rung in (None, PLATFORM):
            runs = platform.PlatformRuns(self._launcher, 2 * self._parallel, self._node, folders)
            escapes = platform.probe(runs)
            if not escapes:
                self._announce(PLATFORM, reasons)
                return runs
            runs.close()
            reasons.append(f"the launcher's own sandbox: the self-probe got through: {', '.join(escapes)}")
        raise SandboxUnavailableError("Untrusted code can't be isolated on this machine. " + "; ".join(reasons))

    def _announce(self, rung: AnyRung, reasons: list[str]) -> None:
        if self._rung is None:
            level = logging.INFO if rung in ("A", "B") else logging.WARNING
            why = f" ({'; '.join(reasons)})" if reasons else ""
            logger.log(level, "untrusted code is isolated on rung %s%s", rung, why)
        self._rung = rung


def _made_of(
    launcher: tuple[str, ...],
    min_rung: Rung,
    parallel: int,
    ladder: tuple[Rung, ...],
    warm_node: bool,
    packages: tuple[str, ...],
) -> LocalSandbox:
    return LocalSandbox(launcher, min_rung, parallel, ladder=ladder, warm_node=warm_node, packages=packages)


class _Keeper:
    """One keeper process and the conversation with it."""

    def __init__(
        self,
        launcher: Sequence[str],
        rung: Rung,
        parallel: int,
        node: str | None,
        packages: dict[str, list[str]],
        toolchain: Toolchain | None,
        *,
        warm_node: bool = True,
    ) -> None:
        if launcher and shutil.which(launcher[0]) is None:
            raise SandboxUnavailableError(f"the sandbox launcher {launcher[0]!r} is not on this machine")
        self.owner = os.getpid()
        self.alive = True
        self._pending: dict[int, Future[JobResult]] = {}
        self._ids = 0
        self._lock = threading.Lock()
        self._scratch = tempfile.mkdtemp(prefix="verifleet-sandbox-") if rung == "C" else ""
        if self._scratch:
            os.chmod(self._scratch, 0o711)  # noqa: S103 - runs have other user ids and must pass, not look
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        self._process = boot.start(launcher, self._errors)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        config: dict[str, Any] = {"rung": rung, "parallel": parallel, "node": node or "", "scratch": self._scratch}
        config |= {"node_source": boot.node_source(), "warm_node": warm_node, "packages": packages}
        config |= {"tools": toolchain.tools if toolchain else (), "libraries": toolchain.libraries if toolchain else ""}
        try:
            self._input.write(boot.bundle("verifleet.sandbox.keeper.main", config))
            self._input.flush()
            watchdog = threading.Timer(_START_S, self._process.kill)
            watchdog.start()
            ready = self._read()
            watchdog.cancel()
        except OSError:
            ready = None
        if ready is None or ready[0]["op"] != "ready":
            reason = ready[0].get("reason", "") if ready else self._last_words()
            self.close()
            raise SandboxUnavailableError(reason or "the jail keeper did not start")
        self._reader = threading.Thread(target=self._listen, name="verifleet-sandbox", daemon=True)
        self._reader.start()

    def submit(self, job: Job) -> Future[JobResult]:
        future: Future[JobResult] = Future()
        limits = {
            "cpu_s": job.cpu_s,
            "wall_s": job.wall_s,
            "memory_mb": job.memory_mb,
            "output_bytes": job.output_bytes,
            "marks": job.marks,
        }
        sizes = [len(payload) for payload in job.payloads]
        with self._lock:
            if not self.alive:
                raise SandboxUnavailableError("the jail keeper has ended")
            self._ids += 1
            about = {"op": "run", "id": self._ids, "kind": job.kind, "sizes": sizes, "spent_s": job.spent_s}
            head = json.dumps({**about, "limits": limits})
            blob = b"".join((*job.payloads, job.stdin))
            self._pending[self._ids] = future
            try:
                self._input.write(struct.pack(">II", len(head), len(blob)) + head.encode() + blob)
                self._input.flush()
            except (OSError, ValueError):
                del self._pending[self._ids]
                future.set_exception(_KeeperLostError("the jail keeper has ended"))
        return future

    def close(self) -> None:
        """Close the keeper's stdin, which makes it kill all runs and leave; then make sure that it did."""
        self.alive = False
        if self.owner != os.getpid():
            return  # a fork of the owner: not ours to close
        with contextlib.suppress(OSError):
            self._input.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        reader = getattr(self, "_reader", None)
        if reader is not None and reader is not threading.current_thread():
            reader.join(5)
        self._output.close()
        self._errors.close()
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _listen(self) -> None:
        try:
            while self._hear():
                pass
        except (OSError, ValueError):
            logger.debug("the conversation with the jail keeper broke off", exc_info=True)
        with self._lock:
            closed, self.alive = not self.alive, False
            lost, self._pending = list(self._pending.values()), {}
        for future in lost:
            future.set_exception(
                SandboxUnavailableError("the sandbox was closed while the program ran")
                if closed
                else _KeeperLostError("the jail keeper ended while the program ran")
            )

    def _hear(self) -> bool:
        """Hand one answer to whoever waits for it; False at the end.

        While this thread waits for the next, it holds nothing of the last: a future leads to its sandbox, and a sandbox
        that nobody else holds is to be closed.
        """
        message = self._read()
        if message is None:
            return False
        head, blob = message
        future = self._pending.pop(head["id"], None)
        if future is None:
            return True
        if head["op"] == "failed":
            future.set_exception(SandboxUnavailableError(f"the run did not happen: {head['reason']}"))
        else:
            future.set_result(_result(head, blob))
        return True

    def _read(self) -> tuple[dict[str, Any], bytes] | None:
        lengths = self._output.read(8)
        if len(lengths) < 8:
            return None
        head, blob = struct.unpack(">II", lengths)
        return json.loads(self._output.read(head)), self._output.read(blob)

    def _last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read(2000).decode(errors="replace").strip()


def _result(head: dict[str, Any], blob: bytes) -> JobResult:
    processes, offset = [], 0
    for row in head["processes"]:
        parts = []
        for size in row["sizes"]:
            parts.append(blob[offset : offset + size])
            offset += size
        processes.append(
            ProcessResult(
                exit=row["exit"],
                killed_for=row["killed_for"],
                cpu_s=row["cpu_s"],
                peak_kb=row["peak_kb"],
                stdout=parts[0],
                stderr=parts[1],
                frames=boot.frames(parts[2]),
            )
        )
    return JobResult(head["wall_s"], processes)


def _probe(keeper: _Keeper) -> list[str]:
    """Let a jailed process try to escape in earnest; the names of what worked, or of why it could not tell."""
    with tempfile.NamedTemporaryFile(prefix="verifleet-canary-") as canary, socket.socket() as listener:
        os.chmod(canary.name, 0o666)  # noqa: S103 - only the walls may stand in the way
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        port = listener.getsockname()[1]
        payload = {"mode": "probe", "canary": canary.name, "pid": os.getpid(), "port": port}
        job = Job("python", (json.dumps(payload).encode(),), wall_s=20)
        try:
            process = keeper.submit(job).result(_START_S).processes[0]
        except (SandboxUnavailableError, TimeoutError) as error:
            return [f"it could not run ({error})"]
        if len(process.frames) < 2:
            return [f"it ended early ({process.stderr.decode(errors='replace').strip() or process.exit})"]
        escapes = cast(list[str], json.loads(process.frames[1])["escapes"])
        made = canary.name + ".made"
        if os.path.exists(made):
            os.unlink(made)
            escapes.append("a file was made outside")
        return escapes
