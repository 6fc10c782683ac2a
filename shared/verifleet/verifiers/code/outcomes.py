"""What became of one test, and the judgement of them all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import JobResult, ProcessResult
from verifleet.verification import Judgement
from verifleet.verifiers.code import foreign

SHOWN = 500
WHOLE = 64 * 1024
"""Characters of a program's output that come back where they are asked for."""
CPU_SPENT = "the CPU limit was reached"
_KILLED = {
    "cpu": ("timeout", CPU_SPENT),
    "wall": ("timeout", "the wall-clock limit was reached"),
    "output": ("output_limit", "it wrote more than the output limit"),
    "disk": ("output_limit", "its files grew beyond the limit"),
}
_NAMES = {
    "passed": "passed",
    "wrong_output": "gave a wrong result",
    "exception": "raised an exception",
    "timeout": "ran out of time",
    "memory": "ran out of memory",
    "output_limit": "wrote too much",
    "syntax_error": "is not valid code",
    "killed": "died",
    "not_run": "was not run",
}
_OUT_OF_MEMORY = (b"heap out of memory", b"std::bad_alloc")  # node's and C++'s last words
_REPORTABLE = ("wrong_output", "exception", "memory", "syntax_error")


@dataclass(slots=True)
class TestOutcome:
    """One test: never holds what was expected."""

    __test__ = False

    outcome: str
    message: str = ""
    error: str = ""
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    memory_mb: float = 0.0
    stdout: str = ""
    stderr: str = ""

    def as_json(self, index: int) -> dict[str, Any]:
        """For `details.tests`; empty fields are left out."""
        fields = {
            "error": self.error,
            "message": self.message,
            "cpu_ms": round(self.cpu_ms, 2),
            "wall_ms": round(self.wall_ms, 2),
            "memory_mb": round(self.memory_mb, 1),
            "stdout": self.stdout,
            "stderr": self.stderr,
        }
        return {"index": index, "outcome": self.outcome, **{name: value for name, value in fields.items() if value}}


def shown(data: bytes | str, most: int = SHOWN) -> str:
    """The candidate's own output, shortened: the start and the end of it."""
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else data
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def measured(
    result: JobResult, process: ProcessResult, outcome: str, message: str = "", error: str = ""
) -> TestOutcome:
    """An outcome with what the run used and wrote."""
    return TestOutcome(
        outcome,
        message,
        error,
        cpu_ms=process.cpu_s * 1000,
        wall_ms=result.wall_s * 1000,
        memory_mb=process.peak_kb / 1024,
        stdout=shown(process.stdout),
        stderr=shown(process.stderr),
    )


def failure(result: JobResult, process: ProcessResult, report: dict[str, Any] | None = None) -> TestOutcome | None:
    """How a process failed on its own: killed for a limit, by a signal, by an exception it reported; else None."""
    started(process)
    if process.killed_for in _KILLED:
        outcome, message = _KILLED[process.killed_for]
        return measured(result, process, outcome, message)
    if report:
        return from_report(result, process, report)
    if process.exit < 0 and any(said in process.stderr for said in _OUT_OF_MEMORY):
        return measured(result, process, "memory", "the heap limit was reached")
    if process.exit < 0 and process.killed_for != "done":
        return measured(result, process, "killed", f"signal {-process.exit}")
    return None


def from_report(result: JobResult, process: ProcessResult, report: dict[str, Any]) -> TestOutcome:
    """A failure as the candidate's own process told it; whatever it says, it is a failure."""
    outcome = report.get("outcome")
    outcome = outcome if outcome in _REPORTABLE else "exception"
    return measured(
        result, process, outcome, shown(str(report.get("message", ""))), shown(str(report.get("error", "")))
    )


def started(process: ProcessResult) -> None:
    """Raise SandboxUnavailableError if the jail did not come to the point of starting the program."""
    if not process.frames and process.killed_for in ("", "cpu", "wall"):
        reason = process.stderr.decode("utf-8", "replace").strip()[:300]
        raise SandboxUnavailableError(f"A sandboxed process did not start: {reason or f'exit code {process.exit}'}")


def report_in(data: bytes) -> dict[str, Any]:
    """The JSON object in a frame; an empty one where it is not readable."""
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return report if isinstance(report, dict) else {}


def judgement(tests: list[TestOutcome], *, all_or_nothing: bool, **details: Any) -> Judgement:
    """Score = pass rate."""
    passed = sum(test.outcome == "passed" for test in tests)
    rows = [test.as_json(index) for index, test in enumerate(tests)]
    details = {**details, "passed": passed, "total": len(tests), "tests": rows}
    if passed == len(tests):
        what = "The test passed." if len(tests) == 1 else f"All {len(tests)} tests passed."
        return Judgement.correct(what, **details)
    first = next(i for i, test in enumerate(tests) if test.outcome != "passed")
    test = tests[first]
    name = "The program" if test.outcome == "syntax_error" or len(tests) == 1 else f"Test {first}"
    why = f"{name} {_NAMES[test.outcome]}"
    if needed := foreign.wanted(test.error, test.message):
        why = f"The program {foreign.lacking(needed)}"
        details["needs"] = needed
    elif test.error or test.message:
        why += f" ({': '.join(part for part in (test.error, test.message) if part)})"
    reason = f"{why}; {passed} of {len(tests)} tests passed." if len(tests) > 1 else f"{why}."
    score = 0.0 if all_or_nothing else passed / len(tests)
    return Judgement.partial(score, reason, **details)
