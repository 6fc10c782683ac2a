"""C++ against the sandbox, the compiler and the verdict, on every rung that holds here: no escape and no remains."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.security import cpp_programs as cpp
from tests.security.test_code_attacks import children, left_files
from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import LocalSandbox
from verifleet.sandbox.toolchain import Toolchain, installed
from verifleet.verification import VerificationRequest, parse_request
from verifleet.verifiers.code import CodeVerifier
from verifleet.verifiers.code.cpp import Programs

pytestmark = [pytest.mark.skipif(installed() is None, reason="needs g++"), pytest.mark.timeout(550)]
LIMITS = {"cpu_s": 0.25, "wall_s": 1.0, "memory_mb": 96, "output_kb": 16}
SQUARES = [{"args": [2], "expected": 4}, {"args": [3], "expected": 9}]


def stdin(code: str, given: str = "", expected: str = "ESCAPED") -> VerificationRequest:
    return request(code, {"tests": [{"input": given, "output": expected}]})


def request(code: str, reference: dict[str, Any]) -> VerificationRequest:
    raw = {"response": f"```cpp\n{code}\n```", "reference": {"language": "cpp", **reference}}
    return parse_request("code", {**raw, "options": {"limits": LIMITS}})


def function(code: str) -> VerificationRequest:
    return request(code, {"entry_point": "square", "cases": SQUARES})


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    found = installed()
    assert found is not None
    assert found.precompile()
    return found


@pytest.fixture(scope="module")
def compiled() -> Programs:
    """What is compiled on the first rung need not be on the others: the source is the same."""
    return Programs()


@pytest.fixture
def others() -> set[int]:
    """Processes that other tests of this run left to its end."""
    return children()


@pytest.fixture(params=["A", "B", "C"])
def verifier(
    others: set[int], toolchain: Toolchain, compiled: Programs, request: pytest.FixtureRequest
) -> Iterator[CodeVerifier]:
    sandbox = LocalSandbox(ladder=(request.param,))
    try:
        sandbox.rung  # noqa: B018 - starts it
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    verifier = CodeVerifier(sandbox)
    verifier._compiled = compiled
    yield verifier
    verifier.close()


def honest() -> list[VerificationRequest]:
    right = [stdin(*program) for program in cpp.RIGHT.values()]
    return [*right, function("int square(int x) { return x * x; }")]


@pytest.fixture(autouse=True)
def canary() -> Iterator[None]:
    """A file that everybody may write to but who is in a jail."""
    cpp.CANARY.write_text(cpp.SECRET)
    cpp.CANARY.chmod(0o666)
    try:
        yield
        assert cpp.CANARY.read_text() == cpp.SECRET
    finally:
        cpp.CANARY.unlink()


def succeeded(verifier: CodeVerifier, requests: dict[str, VerificationRequest]) -> dict[str, str]:
    results = zip(requests, verifier.check_batch(list(requests.values())), strict=True)
    return {name: result.reason for name, result in results if result.score != 0.0}


def test_right_programs_pass_and_no_other_output_does(verifier: CodeVerifier) -> None:
    assert [result.reason for result in verifier.check_batch(honest()) if result.score != 1.0] == []
    wrong = {name: stdin(code, given, expected + "1") for name, (code, given, expected) in cpp.RIGHT.items()}
    assert succeeded(verifier, wrong) == {}


def test_no_program_gets_through_the_walls_or_leaves_anything(
    verifier: CodeVerifier, toolchain: Toolchain, others: set[int]
) -> None:
    header = Path(toolchain.precompiled)
    content, before = hashlib.sha256(header.read_bytes()).digest(), left_files()
    beside = sorted(header.parent.parent.rglob("*"))
    attacks = {**cpp.walls(str(header.parent.parent)), **cpp.LIMITS}
    assert succeeded(verifier, {name: stdin(code) for name, code in attacks.items()}) == {}
    assert verifier.check(honest()[0]).score == 1.0
    assert hashlib.sha256(header.read_bytes()).digest() == content
    assert sorted(header.parent.parent.rglob("*")) == beside
    verifier.close()
    deadline = time.monotonic() + 30
    while children() - others and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not children() - others
    assert left_files() <= before


def test_no_source_gets_more_of_the_compiler_than_a_program(
    verifier: CodeVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = {name: stdin(code) for name, code in cpp.COMPILER.items()}
    with monkeypatch.context() as short:  # for the attacks alone: an honest source may need more on a slow machine
        short.setattr("verifleet.verifiers.code.cpp.COMPILE_CPU_S", 2.0)
        assert succeeded(verifier, requests) == {}
    verifier._compiled = Programs()  # compiled anew, after all that
    assert [result.reason for result in map(verifier.check, (honest()[3], honest()[-1])) if result.score != 1.0] == []


def test_no_function_forges_a_verdict(verifier: CodeVerifier) -> None:
    assert succeeded(verifier, {name: function(code) for name, code in cpp.VERDICTS.items()}) == {}
    assert verifier.check(honest()[-1]).score == 1.0


def test_there_are_a_hundred_programs() -> None:
    assert len(cpp.walls("")) + len(cpp.LIMITS) + len(cpp.COMPILER) + len(cpp.VERDICTS) + 2 * len(cpp.RIGHT) > 150


def test_what_a_source_made_the_compiler_do_stays_with_that_source(verifier: CodeVerifier) -> None:
    """Two sources that differ in a comment are two programs; the same source is the same one, whoever asks."""
    one, other = (f'// {n}\n#include <cstdio>\nint main() {{ puts("{n}"); }}' for n in (1, 2))
    batch = [stdin(one, "", "1"), stdin(other, "", "2"), stdin(one, "", "2"), stdin(other, "", "1")]
    for _ in range(2):
        assert [result.score for result in verifier.check_batch(batch)] == [1.0, 1.0, 0.0, 0.0]
