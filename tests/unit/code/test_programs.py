# ruff: noqa: E501 - programs on one line
"""Programs judged by stdin tests and by cases, in real sandboxes."""

from collections.abc import Iterator
from typing import Any

import pytest

from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    verifier = CodeVerifier(LocalSandbox())
    yield verifier
    verifier.close()


def check(
    verifier: CodeVerifier, response: str, reference: Any, prompt: str = "", **options: Any
) -> VerificationResult:
    raw = {"prompt": prompt, "response": response, "reference": reference, "options": options}
    return verifier.check(parse_request("code", raw))


def fenced(code: str, tag: str = "python") -> str:
    return f"Here it is:\n```{tag}\n{code}\n```\nDone."


REVERSE = {"tests": [{"input": "abc", "output": "cba\n"}, {"input": "xy", "output": "yx"}]}


def outcomes(result: VerificationResult) -> list[str]:
    return [test["outcome"] for test in result.details["tests"]]


def test_a_right_program_passes_every_test(verifier: CodeVerifier) -> None:
    result = check(verifier, fenced("print(input()[::-1])"), REVERSE)
    assert (result.score, result.verdict) == (1.0, "correct")
    assert result.details["rung"] in "ABC"


def test_the_score_is_the_share_of_passed_tests_unless_all_are_asked_for(verifier: CodeVerifier) -> None:
    half = fenced("s = input()\nprint('cba' if s == 'abc' else s)")
    assert check(verifier, half, REVERSE).score == 0.5
    assert check(verifier, half, REVERSE, all_or_nothing=True).score == 0.0


def test_the_prompts_own_test_lines_serve_where_there_is_no_reference(verifier: CodeVerifier) -> None:
    prompt = 'Reverse a text.\nTest 1: input="hello", output="olleh"\nTest 2: input="", output=""'
    assert check(verifier, fenced("import sys\nprint(sys.stdin.read()[::-1])"), None, prompt).score == 1.0
    assert check(verifier, fenced("print('olleh')"), None, prompt).score == 0.5


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("while True: pass", "timeout"),
        ("import time; time.sleep(60)", "timeout"),
        ("x = bytearray(10**9)", "memory"),
        ("while True: print('x' * 1000)", "output_limit"),
        ("print(", "syntax_error"),
        ("raise ValueError('no')", "exception"),
        ("import sys; sys.exit(3)", "exception"),
        ("import ctypes; ctypes.string_at(0)", "killed"),
        ("print('cbx')", "wrong_output"),
    ],
)
def test_every_way_to_fail_has_its_own_outcome(verifier: CodeVerifier, code: str, outcome: str) -> None:
    reference = {"tests": [{"input": "abc", "output": "cba"}]}
    result = check(verifier, fenced(code), reference, limits={"cpu_s": 0.4, "wall_s": 1.5})
    assert outcomes(result) == [outcome]
    assert (result.score, result.status) == (0.0, "scored")


def test_what_was_expected_is_nowhere_in_a_result(verifier: CodeVerifier) -> None:
    reference = {"tests": [{"input": "", "output": "the-secret-answer"}]}
    assert "secret" not in check(verifier, fenced("print('no')"), reference).model_dump_json()


def test_output_is_compared_without_trailing_blanks_unless_told_otherwise(verifier: CodeVerifier) -> None:
    reference = {"tests": [{"input": "", "output": "1 2\n3\n"}]}
    program = fenced("print('1 2  '); print('3'); print()")
    assert check(verifier, program, reference).score == 1.0
    assert check(verifier, program, reference, whitespace="exact").score == 0.0
    assert check(verifier, fenced("print('1   2 3')"), reference, whitespace="any").score == 1.0
    assert check(verifier, fenced("print('1.0001 2')\nprint(3)"), reference, tolerance=0.001).score == 1.0


@pytest.mark.parametrize(
    ("prompt", "code", "expected"),
    [
        ("", "async def f(): return 3", "wrong_output"),
        ("Write a function f.", "async def f(): return 3", "wrong_output"),
        ("async def f():\n    # gives 3\n", "async def f(): return 3", "passed"),
        ("Write an asynchronous function f that gives 3.", "async def f(): return 3", "passed"),
        ("Write a coroutine function f.", "def f(): return 3", "passed"),
        ("Call it from async def main().", "async def f(): return 3", "wrong_output"),
    ],
)
def test_a_coroutine_is_awaited_only_where_the_prompt_declares_an_async_function(
    verifier: CodeVerifier, prompt: str, code: str, expected: str
) -> None:
    reference = {"entry_point": "f", "cases": [{"args": [], "expected": 3}]}
    raw = {"prompt": prompt, "response": f"```python\n{code}\n```", "reference": reference}
    assert outcomes(verifier.check(parse_request("code", raw))) == [expected]


def test_function_cases_compare_plain_data(verifier: CodeVerifier) -> None:
    code = fenced("def f(a, b=1):\n    return (a, {b}, {a: b}, None, True)")
    cases = [
        {"args": [3], "expected": [3, [1], {"3": 1}, None, True]},
        {"args": [3], "kwargs": {"b": 2}, "expected": 7},
    ]
    assert outcomes(check(verifier, code, {"entry_point": "f", "cases": cases})) == ["passed", "wrong_output"]


def test_a_case_that_ends_the_process_costs_only_itself(verifier: CodeVerifier) -> None:
    code = "import os\ndef f(a):\n    if a == 1: os._exit(0)\n    if a == 2: raise KeyError(a)\n    if a == 3:\n        while 1: pass\n    return a"
    cases = [{"args": [n], "expected": n} for n in range(5)]
    result = check(verifier, fenced(code), {"entry_point": "f", "cases": cases}, limits={"cpu_s": 0.3})
    assert outcomes(result) == ["passed", "exception", "exception", "timeout", "passed"]


def test_an_always_equal_object_equals_nothing(verifier: CodeVerifier) -> None:
    code = "class E(int):\n    def __eq__(s, o): return True\n    def __hash__(s): return 0\ndef f(a): return E(9)"
    assert check(verifier, fenced(code), {"entry_point": "f", "cases": [{"args": [1], "expected": 1}]}).score == 0.0


def test_a_bare_body_continues_the_prompt(verifier: CodeVerifier) -> None:
    reference = {"entry_point": "f", "cases": [{"args": [2], "expected": 3}]}
    assert check(verifier, "    return a + 1\n", reference, 'def f(a):\n    """Add one."""\n').score == 1.0


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "no code"),
        ("I can't help with that.", "no code"),
        ("```python\nprint(1)", "never closed"),
        ("<think>hmm", "never closed"),
        ("```python\n" + "#" * 2_000_000 + "\n```", "2000001 characters"),
    ],
)
def test_a_response_without_a_program_is_malformed(verifier: CodeVerifier, response: str, reason: str) -> None:
    result = check(verifier, response, REVERSE)
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert reason in result.reason


def test_an_empty_list_of_tests_is_malformed(verifier: CodeVerifier) -> None:
    assert check(verifier, fenced("print(1)"), {"tests": []}).verdict == "malformed"


def test_a_batch_judges_equal_content_once_and_keeps_the_order(verifier: CodeVerifier) -> None:
    raws = [
        {"request_id": str(i), "response": fenced(f"print({i % 2})"), "reference": {"tests": [{"output": "1"}]}}
        for i in range(6)
    ]
    results = verifier.check_batch([parse_request("code", raw) for raw in raws])
    assert [(r.request_id, r.score) for r in results] == [(str(i), float(i % 2)) for i in range(6)]
    assert results[1].duration_ms == results[3].duration_ms
