"""Solutions and the test programs that judge them, for the tests of the code verifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier


@contextmanager
def code_verifier() -> Iterator[CodeVerifier]:
    """A code verifier on a sandbox of this machine."""
    verifier = CodeVerifier(LocalSandbox())
    try:
        yield verifier
    finally:
        verifier.close()


def judged(verifier: CodeVerifier, language: str, code: str, test_code: str) -> VerificationResult:
    """The verdict of a test program on a solution."""
    raw = {"response": f"```{language}\n{code}\n```", "reference": {"language": language, "test_code": test_code}}
    return verifier.check(parse_request("code", raw))


def spoiled(code: str, faults: Mapping[str, str]) -> str:
    """The solution with every right part replaced by its fault."""
    for right, fault in faults.items():
        assert right in code
        code = code.replace(right, fault)
    return code
