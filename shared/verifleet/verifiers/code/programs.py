"""Programs that read stdin and write stdout: one run a test, compared here."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import Future

from verifleet.sandbox import Job, JobResult, Sandbox
from verifleet.verification import CodeReference, Judgement, Options, StdinTest
from verifleet.verifiers.code.comparison import same_output
from verifleet.verifiers.code.extraction import Extracted
from verifleet.verifiers.code.outcomes import TestOutcome, failure, judgement, measured, report_in

AT_ONCE = 4


def judge(sandbox: Sandbox, found: Extracted, reference: CodeReference, options: Options) -> Judgement:
    """Run every test in its own process; stop early only where the rest can't matter or time is up."""
    assert reference.tests is not None
    payload = json.dumps({"mode": "script", "source": found.code}).encode()
    outcomes = _run_all(sandbox, payload, reference.tests, options)
    return judgement(
        outcomes,
        all_or_nothing=options.all_or_nothing,
        mode="stdin",
        language=reference.language,
        rung=sandbox.rung,
        span=found.span,
    )


def _run_all(sandbox: Sandbox, payload: bytes, tests: list[StdinTest], options: Options) -> list[TestOutcome]:
    outcomes: list[TestOutcome] = []
    flying: deque[Future[JobResult]] = deque()
    spent, stopped = 0.0, False
    index = 0
    while index < len(tests) or flying:
        while index < len(tests) and len(flying) < AT_ONCE and not stopped:
            flying.append(sandbox.submit(_job(payload, tests[index].input, options, options.limits.wall_s - spent)))
            index += 1
        if not flying:
            break
        result = flying.popleft().result()
        outcome = _outcome(result, tests[len(outcomes)].output, options)
        outcomes.append(outcome)
        spent += result.wall_s / AT_ONCE
        failed = outcome.outcome != "passed"
        stopped = stopped or spent >= options.limits.wall_s or outcome.outcome == "syntax_error"
        stopped = stopped or (failed and options.all_or_nothing)
    why = (
        "the program is not valid code" if outcomes[-1].outcome == "syntax_error" else "the request's time was used up"
    )
    outcomes += [TestOutcome("not_run", why) for _ in range(len(tests) - len(outcomes))]
    return outcomes


def _job(payload: bytes, text: str, options: Options, wall_s: float) -> Job:
    limits = options.limits
    return Job(
        "python",
        (payload,),
        stdin=text.encode("utf-8", "surrogatepass"),
        cpu_s=limits.cpu_s,
        wall_s=max(0.1, min(wall_s, limits.wall_s)),
        memory_mb=limits.memory_mb,
        output_bytes=limits.output_kb * 1024,
    )


def _outcome(result: JobResult, expected: str, options: Options) -> TestOutcome:
    process = result.processes[0]
    failed = failure(result, process, report_in(process.frames[1]) if len(process.frames) > 1 else None)
    if failed is not None:
        return failed
    if process.exit != 0:
        return measured(result, process, "exception", f"exit code {process.exit}")
    actual = process.stdout.decode("utf-8", "replace")
    if same_output(actual, expected, options.whitespace, options.tolerance):
        return measured(result, process, "passed")
    return measured(result, process, "wrong_output")
