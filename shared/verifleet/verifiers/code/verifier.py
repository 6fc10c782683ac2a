"""CodeVerifier: what a request asks for, the program in its response, and the way to judge it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

from verifleet.sandbox import Job, JobResult, LocalSandbox, Sandbox
from verifleet.sandbox.toolchain import Toolchain
from verifleet.verification import (
    DEADLINE_MISSED,
    BaseVerifier,
    CodeReference,
    CodeRequest,
    Judgement,
    VerificationRequest,
    VerificationResult,
    VerifierName,
)
from verifleet.verifiers.code import assertions, cpp, functions, javascript, programs, prompts, sql_queries, testprogram
from verifleet.verifiers.code.checker import CheckerError
from verifleet.verifiers.code.extraction import Extracted, extract

_BATCH_THREADS = 64  # they wait; how many programs run at once is the sandbox's to say
_STAND_INS = (None, "candidate", "*")  # names in a test program that no solution defines


def _program(request: CodeRequest, language: str, names: tuple[str, ...], reads_input: bool = False) -> Extracted:
    """The program in prefilled + response, with its place in the response."""
    prefilled = request.options.prefilled
    found = extract(prefilled + request.response, language, names, reads_input)
    if not prefilled or found.span is None:
        return found
    start, end = (max(0, place - len(prefilled)) for place in found.span)
    return replace(found, span=(start, end))


def _set_up(found: Extracted, reference: CodeReference) -> Extracted:
    """The program behind the reference's setup; as it is where its first statement must come first."""
    if not reference.setup or reference.language != "python" or "__future__" in found.code:
        return found
    return replace(found, code=f"{reference.setup}\n{found.code}")


class _OneRequest:
    """The sandbox for one request: each run is told what those before it have used."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._spent_s = 0.0

    @property
    def rung(self) -> str:
        return self._sandbox.rung

    @property
    def node(self) -> str | None:
        return self._sandbox.node

    @property
    def toolchain(self) -> Toolchain | None:
        return self._sandbox.toolchain

    def submit(self, job: Job) -> Future[JobResult]:
        future = self._sandbox.submit(replace(job, spent_s=self._spent_s) if self._spent_s > job.spent_s else job)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[JobResult]) -> None:
        if not future.cancelled() and future.exception() is None:
            self._spent_s += sum(process.cpu_s for process in future.result().processes)

    def close(self) -> None:
        """The sandbox is its owner's."""


class CodeVerifier(BaseVerifier):
    """Judges programs by tests. Untrusted code runs in `sandbox` only; expected values never enter it."""

    name: ClassVar[VerifierName] = "code"
    version: ClassVar[str] = "1"

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self.sandbox: Sandbox = sandbox or LocalSandbox()
        self._gold = sql_queries.GoldResults()
        self._compiled = cpp.Programs()

    def judge(self, request: CodeRequest) -> Judgement:
        """Judge one program. Raises SandboxUnavailableError for a fault of ours."""
        reference = request.reference or prompts.reference_in(request.prompt)
        if reference is None:
            return Judgement.malformed(
                "There is no reference, and the prompt has no lines of the form Test 1: input=..."
            )
        return self._by_kind(request, reference)

    def _by_kind(self, request: CodeRequest, reference: CodeReference) -> Judgement:
        sandbox = _OneRequest(self.sandbox)
        if reference.language == "javascript" and self.sandbox.node is None:
            return Judgement.error(javascript.NO_NODE)
        if reference.language == "cpp" and self.sandbox.toolchain is None:
            return Judgement.error(cpp.NO_COMPILER)
        if reference.language == "sql":
            return self._by_query(sandbox, request, reference)
        if reference.tests is not None:
            return self._by_stdin(sandbox, request, reference)
        if reference.test_code is not None:
            return self._by_test_code(sandbox, request, reference)
        return self._by_cases(sandbox, request, reference)

    def _by_test_code(self, sandbox: Sandbox, request: CodeRequest, reference: CodeReference) -> Judgement:
        assert reference.test_code is not None
        if not reference.test_code.strip():
            return Judgement.unusable_reference("The test program is empty.", "test_code")
        if reference.language == "javascript":
            plan = javascript.plan(reference.test_code, f"{request.prompt}\n{request.response}")
        else:
            plan = testprogram.plan(reference.test_code)
        if plan.problem:
            return Judgement.unusable_reference(plan.problem, "test_code")
        entry_point = reference.entry_point or prompts.last_function(request.prompt)
        names = tuple(dict.fromkeys(name for name in (reference.entry_point, *plan.names) if name not in _STAND_INS))
        found = _program(request, reference.language, tuple(filter(None, names)))
        if found.problem:
            return Judgement.malformed(found.problem)
        asked = tuple(filter(None, (*names, entry_point)))
        found = prompts.completed(found, request.prompt, reference.language, asked)
        return assertions.judge(sandbox, found, reference, plan, entry_point, request.options)

    def _by_query(self, sandbox: Sandbox, request: CodeRequest, reference: CodeReference) -> Judgement:
        found = _program(request, "sql", ())
        if found.problem:
            return Judgement.malformed(found.problem)
        return sql_queries.judge(sandbox, self._gold, found, reference, request.options)

    def _by_stdin(self, sandbox: Sandbox, request: CodeRequest, reference: CodeReference) -> Judgement:
        if not reference.tests:
            return Judgement.unusable_reference("The list of tests is empty.", "tests")
        found = _program(request, reference.language, (), reads_input=True)
        if found.problem:
            return Judgement.malformed(found.problem)
        try:
            if reference.language == "cpp":
                return programs.judge_compiled(sandbox, self._compiled, found, reference, request.options)
            return programs.judge(sandbox, _set_up(found, reference), reference, request.options)
        except CheckerError as error:
            return Judgement.unusable_reference(str(error), "checker")

    def _by_cases(self, sandbox: Sandbox, request: CodeRequest, reference: CodeReference) -> Judgement:
        if not reference.cases:
            return Judgement.unusable_reference("The list of cases is empty.", "cases")
        assert reference.entry_point is not None
        names = (reference.entry_point,)
        found = _program(request, reference.language, names)
        if found.problem:
            return Judgement.malformed(found.problem)
        if reference.language == "cpp":
            return functions.judge_compiled(sandbox, self._compiled, found, reference, request.options)
        found = prompts.completed(found, request.prompt, reference.language, names)
        return functions.judge(sandbox, _set_up(found, reference), reference, request.prompt, request.options)

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """Judge many at once, in order; equal content once; what the deadline cuts off is an error result."""
        digests = [request.digest() for request in requests]
        unique = {digest: request for digest, request in zip(reversed(digests), reversed(requests), strict=True)}

        def judge(request: VerificationRequest) -> VerificationResult:
            if deadline is not None and time.monotonic() >= deadline:
                return self.stamp(request, DEADLINE_MISSED)
            return self.check(request)

        with ThreadPoolExecutor(_BATCH_THREADS, "verifleet-code") as pool:
            order = list(dict.fromkeys(digests))
            judged = dict(zip(order, pool.map(judge, [unique[digest] for digest in order]), strict=True))
        return [
            judged[digest].model_copy(update={"request_id": request.request_id})
            for digest, request in zip(digests, requests, strict=True)
        ]

    def close(self) -> None:
        """Close the sandbox."""
        self.sandbox.close()
