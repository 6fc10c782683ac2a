"""JavaScript on node: programs, functions and test programs, each judged outside the candidate's process."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from verifleet.sandbox import Job, JobResult, ProcessResult, Sandbox
from verifleet.verification import CodeReference, Judgement, Options, StdinTest
from verifleet.verifiers.code.comparison import same_output
from verifleet.verifiers.code.extraction import Extracted
from verifleet.verifiers.code.outcomes import (
    CPU_SPENT,
    TestOutcome,
    failure,
    from_report,
    judgement,
    measured,
    report_in,
    shown,
    started,
)
from verifleet.verifiers.code.testprogram import TestPlan

_DEFINED = re.compile(r"\b(?:function\s*\*?|class|const|let|var)\s+([A-Za-z_$][\w$]*)|exports\.([A-Za-z_$][\w$]*)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STRINGS = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_SHARED = (
    (re.compile(r"\b(?:setTimeout|setInterval|nextTick|useFakeTimers)\b"), "it uses timers"),
    (re.compile(r"\bclass\s+\w+"), "it has classes of its own"),
    (re.compile(r"\.prototype\b|\bReflect\b|\bProxy\b"), "it looks into objects"),
)
NO_NODE = "JavaScript can't be judged here: node is not installed, or not on the PATH."


def plan(test_code: str, solution: str) -> TestPlan:
    """How a JavaScript test program has to be run; `names` are those of the solution that it uses."""
    bare = _STRINGS.sub(" ", test_code)
    own = defined_names(bare)
    names = tuple(sorted(set(_NAME.findall(bare)) & defined_names(solution) - own))
    shared = next((why for pattern, why in _SHARED if pattern.search(bare)), "")
    return TestPlan(names=names, shared=shared)


def defined_names(source: str) -> set[str]:
    """Names that JavaScript source seems to define."""
    return {first or second for first, second in _DEFINED.findall(source)}


def judge(sandbox: Sandbox, found: Extracted, reference: CodeReference, options: Options) -> Judgement:
    """Stdin tests: several in one process; a failure there is confirmed by a process of its own with a real stdin."""
    assert reference.tests is not None
    tests, spent = reference.tests, 0.0
    outcomes: list[TestOutcome] = []
    faithful: bool | None = None  # does this program fail in the shared process as it does on its own?
    while len(outcomes) < len(tests):
        rest = tests[len(outcomes) :]
        if spent >= options.limits.wall_s or (options.all_or_nothing and any(o.outcome != "passed" for o in outcomes)):
            outcomes += [TestOutcome("not_run", "the request's time was used up")] * len(rest)
            break
        if faithful is False:
            result = sandbox.submit(_single(found.code, rest[0], options)).result()
            spent += result.wall_s
            outcomes.append(_single_outcome(result, rest[0], options))
            continue
        result = sandbox.submit(_several(found.code, rest, options, options.limits.wall_s - spent)).result()
        spent += result.wall_s
        for test, outcome in zip(rest, _several_outcomes(result, rest, options), strict=False):
            if faithful is None and _may_be_ours(outcome):
                alone = sandbox.submit(_single(found.code, test, options)).result()
                spent += alone.wall_s
                confirmed = _single_outcome(alone, test, options)
                faithful = confirmed.outcome == outcome.outcome and confirmed.stdout == outcome.stdout
                outcome = confirmed
            outcomes.append(outcome)
            if faithful is False:
                break
    return judgement(outcomes, all_or_nothing=options.all_or_nothing, **_details(sandbox, found, "stdin"))


def _may_be_ours(outcome: TestOutcome) -> bool:
    """Whether stand-ins for stdin and the like may be the cause of a failure; of a limit reached they aren't."""
    return outcome.outcome not in ("passed", "output_limit", "memory") and outcome.message != CPU_SPENT


def _details(sandbox: Sandbox, found: Extracted, mode: str) -> dict[str, Any]:
    return {"mode": mode, "language": "javascript", "rung": sandbox.rung, "span": found.span}


def _job(kind: Any, payloads: tuple[bytes, ...], stdin: bytes, options: Options, **more: Any) -> Job:
    limits = options.limits
    wall_s = more.pop("wall_s", limits.wall_s)
    return Job(
        kind,
        payloads,
        stdin=stdin,
        cpu_s=limits.cpu_s,
        wall_s=wall_s,
        memory_mb=limits.memory_mb,
        output_bytes=limits.output_kb * 1024,
        **more,
    )


def _several(code: str, tests: list[StdinTest], options: Options, wall_s: float) -> Job:
    inputs = [base64.b64encode(test.input.encode("utf-8", "surrogatepass")).decode() for test in tests]
    payload = {"mode": "scripts", "source": code, "inputs": inputs, "output_bytes": options.limits.output_kb * 1024}
    return _job("node", (json.dumps(payload).encode(),), b"", options, marks=len(tests) + 1, wall_s=wall_s)


def _single(code: str, test: StdinTest, options: Options) -> Job:
    payload = json.dumps({"mode": "script", "source": code}).encode()
    return _job("node", (payload,), test.input.encode("utf-8", "surrogatepass"), options)


def _several_outcomes(result: JobResult, tests: list[StdinTest], options: Options) -> list[TestOutcome]:
    process = result.processes[0]
    started(process)
    outcomes = []
    for test, frame in zip(tests, process.frames[1:], strict=False):
        report = report_in(frame)
        outcomes.append(_compared(result, process, report, test, options))
        if report.get("outcome") == "syntax_error":
            return outcomes * len(tests)
    if len(outcomes) < len(tests):
        outcomes.append(failure(result, process) or measured(result, process, "exception", "the program left"))
    return outcomes


def _compared(
    result: JobResult, process: ProcessResult, report: dict[str, Any], test: StdinTest, options: Options
) -> TestOutcome:
    try:
        output = base64.b64decode(str(report.get("out", "")))
    except ValueError:
        output = b""
    if report.get("outcome") == "output_limit":
        outcome = measured(result, process, "output_limit")
    elif report.get("outcome"):
        outcome = from_report(result, process, report)
    elif report.get("code"):
        outcome = measured(result, process, "exception", f"exit code {report['code']}")
    else:
        good = same_output(output.decode("utf-8", "replace"), test.output, options.whitespace, options.tolerance)
        outcome = measured(result, process, "passed" if good else "wrong_output")
    outcome.stdout = shown(output)
    return outcome


def _single_outcome(result: JobResult, test: StdinTest, options: Options) -> TestOutcome:
    process = result.processes[0]
    failed = failure(result, process, report_in(process.frames[1]) if len(process.frames) > 1 else None)
    if failed is not None:
        return failed
    if process.exit != 0:
        return measured(result, process, "exception", f"exit code {process.exit}")
    actual = process.stdout.decode("utf-8", "replace")
    good = same_output(actual, test.output, options.whitespace, options.tolerance)
    return measured(result, process, "passed" if good else "wrong_output")
