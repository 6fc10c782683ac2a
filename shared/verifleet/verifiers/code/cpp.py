"""C++: compiled once for each content, behind the same walls as programs; then every test is a process of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, JobResult, Sandbox
from verifleet.sandbox.guest import wire
from verifleet.sandbox.toolchain import PROGRAM, SOURCE, Toolchain
from verifleet.verification import CodeReference, FunctionCase, Options
from verifleet.verifiers.code.outcomes import TestOutcome, measured, shown, started

NO_COMPILER = "C++ can't be judged here: g++ is not installed, or not on the PATH."
COMPILE_CPU_S, COMPILE_WALL_S, COMPILE_MB = 15.0, 120.0, 1024
TOLD = 2000
"""Characters of the compiler's messages that come back."""
_REMEMBERED, _REMEMBERED_BYTES = 512, 64 * 1024 * 1024
_SLOW_LANE_S = 0.05  # a compilation is never a short program
_TRIAL = "int main() {}"
_ERROR = re.compile(
    r"^[^\n]*?\b(?:fatal )?error: [^\n]*|^[^\n]*: (?:multiple definition|undefined reference)[^\n]*", re.M
)
_OURS = re.compile(r"^driver\.[ch]pp:[^\n]* error: ", re.M)
_SOLUTION = re.compile(r"\b(?:class|struct)\s+Solution\b")
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_NAME: Final = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program as base64; or why there is none, with what the compiler said."""

    program: str = ""
    loader: str = ""
    failed: TestOutcome | None = None
    told: str = ""

    def job(self, options: Options, wall_s: float, stdin: bytes, results: int = 1) -> Job:
        """A run of it; `results` is how many frames it may send, with the CPU limit for each."""
        limits = options.limits
        order = {"mode": "native", "name": PROGRAM, "program": self.program, "loader": self.loader}
        return Job(
            "native",
            (json.dumps({**order, "memory_mb": limits.memory_mb}).encode(),),
            stdin=stdin,
            cpu_s=limits.cpu_s,
            wall_s=wall_s,
            memory_mb=limits.memory_mb,
            output_bytes=limits.output_kb * 1024 * results,
            marks=results,
        )


class Programs:
    """Compiled programs, remembered by source, flags and compiler: nobody but this process can put one there."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Future[Compiled]] = OrderedDict()
        self._bytes = 0
        self._proven: set[str] = set()
        self._lock = threading.Lock()
        self._places = threading.Semaphore(os.cpu_count() or 1)  # each takes a quarter of a gigabyte

    def __reduce__(self) -> tuple[Any, ...]:
        return Programs, ()  # each process remembers its own

    def get(self, sandbox: Sandbox, source: str) -> Compiled:
        """The program. Whoever asks first has it compiled, the others wait for that.

        Raises SandboxUnavailableError where the compiler, or what it makes, can't be run here at all.
        """
        toolchain = sandbox.toolchain
        assert toolchain is not None
        key = hashlib.sha256(f"{toolchain.version}\0{source}".encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock:
            known = self._known.get(key)
            if known is None:
                future = self._known[key] = Future()
            else:
                self._known.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            self._prove(sandbox, toolchain)
            compiled = self._compile(sandbox, toolchain, source)
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            future.set_exception(error)
            raise
        self._remember(key, compiled)
        future.set_result(compiled)
        return compiled

    def _remember(self, key: str, compiled: Compiled) -> None:
        """Keep it, and the oldest no longer; a limit that was reached may not be the next time."""
        with self._lock:
            if compiled.failed is not None and compiled.failed.outcome != "syntax_error":
                self._known.pop(key, None)
                return
            self._bytes += len(compiled.program)
            for old in [name for name, future in self._known.items() if future.done()]:
                if self._bytes <= _REMEMBERED_BYTES and len(self._known) <= _REMEMBERED:
                    return
                self._bytes -= len(self._known.pop(old).result().program)

    def _prove(self, sandbox: Sandbox, toolchain: Toolchain) -> None:
        """Make and run a program of ours once: if that fails, nothing is known of anybody's."""
        if toolchain.version in self._proven:
            return
        compiled = self._compile(sandbox, toolchain, _TRIAL)
        if compiled.failed is not None:
            raise SandboxUnavailableError(
                f"C++ can't be compiled here: {compiled.failed.message} {compiled.told[:300]}"
            )
        process = sandbox.submit(compiled.job(Options(), 60.0, b"")).result().processes[0]
        if process.exit != 0:
            raise SandboxUnavailableError(
                f"A compiled program does not run here: {shown(process.stderr)} {process.exit}"
            )
        self._proven.add(toolchain.version)

    def _compile(self, sandbox: Sandbox, toolchain: Toolchain, source: str) -> Compiled:
        toolchain.note(source)
        order = {"mode": "compile", "source": source, "source_name": SOURCE, "name": PROGRAM, "steps": toolchain.steps}
        job = Job(
            "compiler",
            (json.dumps(order).encode(),),
            cpu_s=COMPILE_CPU_S,
            wall_s=COMPILE_WALL_S,
            memory_mb=COMPILE_MB,
            spent_s=_SLOW_LANE_S,
        )
        with self._places:
            return _compiled(sandbox.submit(job).result(), toolchain.loader)


def _compiled(result: JobResult, loader: str) -> Compiled:
    """What came of a compilation: all of it was made under the source's influence."""
    process = result.processes[0]
    started(process)
    told = process.stderr.decode("utf-8", "backslashreplace")
    frame = process.frames[1] if len(process.frames) > 1 else b""
    if process.killed_for == "wall":
        raise SandboxUnavailableError("The compiler was not done in time, and not for what it had to do.")
    if frame[:1] == b"=" and not process.killed_for:
        return Compiled(base64.b64encode(frame[1:]).decode(), loader)
    why = process.killed_for or frame[1:].decode("ascii", "replace")
    if why in ("", "fault"):  # no source has a way to the process that takes the steps
        raise SandboxUnavailableError(f"A step of the compiler could not be started: {shown(told)}")
    if why == "cpu":
        outcome, message = "timeout", f"to compile it takes more than {COMPILE_CPU_S:g} s of CPU time"
    elif why in ("size", "output", "disk"):
        outcome, message = "output_limit", "what the compiler makes of it is too large"
    elif "out of memory" in told or "memory exhausted" in told:
        outcome, message = "memory", f"to compile it takes more than {COMPILE_MB} MB"
    else:
        error = _ERROR.search(told)
        outcome, message = "syntax_error", shown(error[0]) if error else f"the compiler gave up: {why}"
    return Compiled(failed=measured(result, process, outcome, message), told=told[:TOLD])


# --- functions ----------------------------------------------------------------------------


def calling(code: str, reference: CodeReference, toolchain: Toolchain) -> str:
    """The source of a program that calls the entry point with what it reads.

    Sites that take such solutions include all headers and use std for them. A main of the solution's own is kept apart,
    and of several functions of the name, the one with as many parameters as the cases have arguments is called.
    """
    assert reference.cases is not None
    count = len(reference.cases[0].args)
    entry = _entry(code, str(reference.entry_point))
    types = "".join(f", class A{index}" for index in range(count))
    given = ", ".join(f"A{index}" for index in range(count))
    using = "" if "std::" in code else "using namespace std;\n"
    return (
        f'{toolchain.driver}\n{using}#define main verifleet_main\n#line 1 "{SOURCE}"\n{code}\n'
        f'#undef main\n#line 1 "driver.cpp"\nnamespace verifleet_ {{\n'
        f"template <class R{types}> auto chosen(R (*function)({given})) {{ return function; }}\n"
        f"template <class C, class R{types}> auto chosen(R (C::*method)({given})) {{ return method; }}\n"
        f"template <class C, class R{types}> auto chosen(R (C::*method)({given}) const) {{ return method; }}\n"
        f"}}\nsigned main() {{ ::verifleet_::serve(::verifleet_::chosen(&{entry})); }}\n"
    )


def _entry(code: str, name: str) -> str:
    """How C++ calls the entry point: a method of LeetCode's class Solution where it is one."""
    name = name.replace(".", "::")
    body = _body_of_solution(_NOT_CODE.sub(" ", code))
    return f"Solution::{name}" if "::" not in name and re.search(rf"\b{re.escape(name)}\s*\(", body) else f"::{name}"


def _body_of_solution(bare: str) -> str:
    found = _SOLUTION.search(bare)
    if found is None:
        return ""
    depth = 0
    for brace in re.finditer(r"[{}]", bare[found.end() :]):
        depth += 1 if brace[0] == "{" else -1
        if depth <= 0:
            return bare[found.end() : found.end() + brace.end()]
    return bare[found.end() :]


def unusable(reference: CodeReference) -> tuple[str, str] | None:
    """What C++ can't be asked: the problem and the field."""
    if not _NAME.fullmatch(str(reference.entry_point)):
        return "The entry point is no name of C++.", "entry_point"
    if any(case.kwargs for case in reference.cases or ()):
        return "A function of C++ has no arguments by name.", "cases"
    return None


def explained(compiled: Compiled, reference: CodeReference) -> TestOutcome:
    """Why there is no program; where only our own lines fail, the function is missing or takes other data."""
    assert compiled.failed is not None
    errors = _ERROR.findall(compiled.told)
    if compiled.failed.outcome != "syntax_error" or not errors or not all(map(_OURS.match, errors)):
        return compiled.failed
    count = len((reference.cases or [])[0].args)
    wanted = f"{reference.entry_point} with {count} parameter{'' if count == 1 else 's'} that take plain data"
    detail = errors[0].partition(" error: ")[2]
    return TestOutcome("exception", f"there is no {wanted}, or what it returns is none: {shown(detail)}")


def packed_calls(cases: list[FunctionCase]) -> bytes:
    """The calls as the driver reads them. Raises WireError."""
    return b"".join(wire.encode(list(case.args)) + b"\n" for case in cases)
