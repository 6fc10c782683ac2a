"""References for programs as data sets have them, and checkers that judge outputs."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.code_references import as_ours
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code.verifier import CodeVerifier

ADD = "a, b = map(int, input().split())\nprint(a + b)"
SOLUTION = "class Solution:\n    def total(self, xs: List[int]) -> int:\n        return sum(xs)"
WRONG = "class Solution:\n    def total(self, xs: List[int]) -> int:\n        return sum(xs) + 1"


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    with_sandbox = CodeVerifier()
    yield with_sandbox
    with_sandbox.close()


def judged(verifier: CodeVerifier, program: str, reference: Any) -> VerificationResult:
    request = {"prompt": "", "response": f"```python\n{program}\n```", "reference": reference}
    return verifier.check(parse_request("code", request, ""))


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ({"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]}, ADD, "print(3)"),
        ({"inputs": [["1 2"]], "outputs": [["3"]]}, ADD, "print(4)"),
        (json.dumps({"inputs": ["1 2"], "outputs": ["3"]}), ADD, "print(4)"),
        ({"input_output": json.dumps({"inputs": ["1 2"], "outputs": ["3"]})}, ADD, "print(4)"),
        ({"inputs": [[[1, 2]]], "outputs": [[3]], "fn_name": "total"}, SOLUTION, WRONG),
        ({"inputs": [[[1, 2]]], "outputs": [3], "fn_name": "total"}, SOLUTION, WRONG),
        (
            {
                "public_test_cases": json.dumps([{"input": "[1, 2]", "output": "3", "testtype": "functional"}]),
                "metadata": json.dumps({"func_name": "total"}),
            },
            SOLUTION,
            WRONG,
        ),
        ([{"input": "1 2", "output": "3", "testtype": "stdin"}], ADD, "print(4)"),
        (
            {"test_list": ["assert twice(2) == 4"], "test_setup_code": ""},
            "def twice(x):\n    return 2 * x",
            "twice = abs",
        ),
        (
            {"test": "def check(candidate):\n    assert candidate(2) == 4", "entry_point": "twice"},
            "def twice(x):\n    return 2 * x",
            "def twice(x):\n    return x",
        ),
    ],
    ids="apps lines prime column function unwrapped livecodebench stdin mbpp humaneval".split(),
)
def test_a_data_set_s_reference_judges_as_it_is(verifier: CodeVerifier, reference: Any, right: str, wrong: str):
    assert judged(verifier, right, reference).score == 1.0
    assert judged(verifier, wrong, reference).score < 1.0


def test_inputs_without_outputs_are_told():
    with pytest.raises(ValueError, match="2 inputs and 1 outputs"):
        as_ours({"inputs": ["1", "2"], "outputs": ["1"]})


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda v: st.lists(v, max_size=3), max_leaves=6))
def test_any_inputs_and_outputs_become_tests_or_cases(value: Any):
    assert len(as_ours({"inputs": [value], "outputs": [value]})["tests"]) == 1
    assert len(as_ours({"inputs": [value], "outputs": [value], "fn_name": "f"})["cases"]) == 1


CHECKER = """
import sys
def main():
    given, answer, output = (open(path).read().split() for path in sys.argv[1:])
    n = int(given[0])
    ok = len(output) == 2 and all(word.isdigit() for word in output) and sum(map(int, output)) == n
    print(1 if ok else 0)
main()
"""
TESTS = [{"input": "7", "output": "3 4"}, {"input": "9", "output": "4 5"}]


def test_a_checker_takes_every_right_output(verifier: CodeVerifier):
    reference = {"tests": TESTS, "checker": CHECKER}
    assert judged(verifier, "n = int(input())\nprint(0, n)", reference).score == 1.0
    assert judged(verifier, "n = int(input())\nprint(0, n + 1)", reference).score == 0.0
    assert judged(verifier, "print(open('answer.txt').read())", reference).score == 0.0


def test_a_checker_that_refuses_its_own_answer_is_the_reference_s_fault(verifier: CodeVerifier):
    result = judged(verifier, "print(1)", {"tests": TESTS, "checker": "print(0)"})
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert "checker" in result.reason.lower()


def test_a_checker_can_not_be_talked_into_accepting(verifier: CodeVerifier):
    loud = "import sys\nprint('1\\nOK')\nsys.stdout.write('\\x00')"
    assert judged(verifier, loud, {"tests": TESTS, "checker": CHECKER}).score == 0.0
