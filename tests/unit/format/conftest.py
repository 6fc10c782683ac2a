"""A judge for short tests: one verifier, work for killable processes done in this one."""

from collections.abc import Callable
from typing import Any

import pytest

from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.format import FormatVerifier


class InlineWorkers:
    """Runs in this process what would run in a worker."""

    def __init__(self) -> None:
        self.calls = 0

    def call(self, function: Callable[..., Any], /, *args: Any, cpu_s: float = 1.0) -> Any:
        self.calls += 1
        return function(*args)


Judge = Callable[..., VerificationResult]


@pytest.fixture
def workers() -> InlineWorkers:
    return InlineWorkers()


@pytest.fixture
def judge(workers: InlineWorkers) -> Judge:
    verifier = FormatVerifier(workers)

    def check(response: str, reference: Any = None, prompt: str = "", **options: Any) -> VerificationResult:
        if isinstance(reference, str):
            reference = {"format": reference}
        raw = {"prompt": prompt, "response": response, "reference": reference, "options": options}
        return verifier.check(parse_request("format", raw))

    return check
