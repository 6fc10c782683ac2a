# ruff: noqa: E501 - programs on one line
"""C++: compiled in the jail, judged by tests on stdin or by calls of a function."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from verifleet.errors import SandboxUnavailableError, ShapeError
from verifleet.jobs.probe import OFFERED
from verifleet.sandbox import Job, JobResult, LocalSandbox, ProcessResult
from verifleet.sandbox.toolchain import Toolchain, installed
from verifleet.settings import SETTINGS, allowed
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier
from verifleet.verifiers.code.cpp import NO_COMPILER, _compiled

needs_gxx = pytest.mark.skipif(installed() is None, reason="needs g++")
pytestmark = pytest.mark.timeout(400)  # compilers yield to everybody else on a busy machine
ECHO = '#include <iostream>\n#include <string>\nint main() { std::string s; std::getline(std::cin, s); std::cout << s << "\\n"; }'


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    verifier = CodeVerifier()
    yield verifier
    verifier.close()


def judged(
    verifier: CodeVerifier, code: str, reference: dict[str, Any], options: dict[str, Any] | None = None
) -> VerificationResult:
    raw = {"response": f"```cpp\n{code}\n```", "reference": {"language": "cpp", **reference}, "options": options or {}}
    return verifier.check(parse_request("code", raw))


def outcomes(result: VerificationResult) -> list[str]:
    return [test["outcome"] for test in result.details["tests"]]


def called(verifier: CodeVerifier, code: str, name: str, *cases: tuple[list[Any], Any]) -> VerificationResult:
    reference = {"entry_point": name, "cases": [{"args": given, "expected": expected} for given, expected in cases]}
    return judged(verifier, code, reference)


def stdin(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"tests": [{"input": given, "output": expected} for given, expected in pairs]}


# --- programs ------------------------------------------------------------------------------


@needs_gxx
def test_every_test_of_a_program_is_a_process_of_its_own(verifier: CodeVerifier) -> None:
    code = "#include <bits/stdc++.h>\nint calls; int main() { int n; std::cin >> n; std::cout << n * ++calls; }"
    result = judged(verifier, code, stdin(*((str(n), str(n)) for n in range(12))))
    assert (result.score, result.verdict, result.details["mode"]) == (1.0, "correct", "stdin")


@needs_gxx
def test_a_program_is_credited_for_the_tests_it_passes(verifier: CodeVerifier) -> None:
    code = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n; }"
    result = judged(verifier, code, stdin(("2", "4"), ("3", "9"), ("4", "15")))
    assert outcomes(result) == ["passed", "passed", "wrong_output"]
    assert result.verdict == "partial"
    strict = judged(verifier, code, stdin(("4", "15"), ("2", "4"), ("3", "9")), {"all_or_nothing": True})
    assert strict.score == 0.0


@needs_gxx
def test_a_checker_judges_the_output_of_a_program(verifier: CodeVerifier) -> None:
    checker = "import sys\nprint(int(sorted(open(sys.argv[3]).read().split()) == ['1', '2']))"
    code = '#include <iostream>\nint main() { std::cout << "2 1"; }'
    assert judged(verifier, code, {**stdin(("", "1 2")), "checker": checker}).score == 1.0


@needs_gxx
def test_what_does_not_compile_is_incorrect_and_says_why_in_the_compilers_words(verifier: CodeVerifier) -> None:
    result = judged(verifier, "int main() {\n  return lots;\n}", stdin(("", ""), ("1", "")))
    assert (result.score, result.verdict, outcomes(result)) == (0.0, "incorrect", ["syntax_error"] * 2)
    assert "solution.cpp:2:10: error: 'lots' was not declared in this scope" in result.reason
    assert result.details["compiler"].startswith("solution.cpp: In function 'int main()':")


@needs_gxx
def test_a_program_that_does_not_link_is_incorrect(verifier: CodeVerifier) -> None:
    result = judged(verifier, "int far(); int main() { return far(); }", stdin(("", "")))
    assert outcomes(result) == ["syntax_error"]
    assert "undefined reference" in result.reason


@needs_gxx
def test_warnings_do_not_matter(verifier: CodeVerifier) -> None:
    code = '#include <cstdio>\nint f() {}\nint main() { int unused; char s[9]; printf("%d", 7L); return 0; }'
    assert judged(verifier, code, stdin(("", "7"))).score == 1.0


@needs_gxx
@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("int main() { for (;;); }", "timeout"),
        ("#include <unistd.h>\nint main() { sleep(100); }", "timeout"),
        ("#include <vector>\nint main() { std::vector<int> v; for (;;) v.push_back(1); }", "memory"),
        ("#include <cstdio>\nint main() { for (;;) puts(\"x\"); }", "output_limit"),
        ("int main() { return 3; }", "exception"),
        ("int main() { int* p = nullptr; *p = 1; }", "killed"),
        ("#include <stdexcept>\nint main() { throw std::runtime_error(\"no\"); }", "killed"),
        ("int f(int n) { volatile char a[999]; a[0] = n; return f(n + 1) + a[0]; } int main() { return f(0); }", "killed"),
    ],
)  # fmt: skip
def test_how_a_program_fails_is_told(verifier: CodeVerifier, code: str, outcome: str) -> None:
    limits = {"cpu_s": 0.5, "wall_s": 3.0, "memory_mb": 64}
    assert outcomes(judged(verifier, code, stdin(("", "right")), {"limits": limits})) == [outcome]


@needs_gxx
def test_a_program_has_a_stack_for_deep_recursion(verifier: CodeVerifier) -> None:
    code = (
        "#include <cstdio>\nint f(int n) { return n ? 1 + f(n - 1) : 0; }\n" + 'int main() { printf("%d", f(300000)); }'
    )
    assert judged(verifier, f'#pragma GCC optimize("O0")\n{code}', stdin(("", "300000"))).score == 1.0


@needs_gxx
@pytest.mark.parametrize(
    "code",
    [
        '#include "/dev/zero"\nint main() {}',
        "#include </etc/passwd>\nint main() {}",
        "template <int N> struct A { A<N + 1> a; }; int main() { A<0> a; }",
        "template <int N, int M> struct A { A<N - 1, M> a; A<N - 1, M + 1> b; };"
        "template <int M> struct A<0, M> { int x; }; int main() { return sizeof(A<24, 0>); }",
        "#define A x x x x x x x x\n#define B A A A A A A A A\n#define C B B B B B B B B\n#define D C C C C C C C C\n"
        "#define E D D D D D D D D\n#define F E E E E E E E E\n#define G F F F F F F F F\n#define H G G G G G G G G\n"
        "int main() { H }",
        "static int a[1 << 27] = {1}; int main() { return a[5]; }",
        'asm(".rept 100000000\\n.quad 1\\n.endr"); int main() {}',
        'asm(".incbin \\"/etc/passwd\\""); int main() {}',
        'asm(".include \\"/dev/zero\\""); int main() {}',
        "#include __FILE__\nint main() {}",
        "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); } constexpr long x = f(60); int main() {}",
        "int main() { " + "(" * 200_000 + "1" + ")" * 200_000 + "; }",
        '#error ' + "x" * 100_000 + "\nint main() {}",
    ],
)  # fmt: skip
def test_a_source_that_attacks_the_compiler_is_incorrect_and_costs_little(
    verifier: CodeVerifier, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as short:  # for the attack alone: an honest source may need more on a slow machine
        short.setattr("verifleet.verifiers.code.cpp.COMPILE_CPU_S", 2.0)
        result = judged(verifier, code, stdin(("", "right")))
    assert (result.score, result.verdict) == (0.0, "incorrect")
    assert len(result.reason) < 1000
    assert len(result.details.get("compiler", "")) <= 2000
    assert judged(verifier, ECHO, stdin(("right", "right"))).score == 1.0


# --- functions -----------------------------------------------------------------------------


@needs_gxx
def test_a_method_of_solution_is_called_without_headers_of_its_own(verifier: CodeVerifier) -> None:
    code = """class Solution {
public:
    vector<int> twoSum(vector<int>& nums, int target) {
        unordered_map<int, int> seen;
        for (int i = 0; i < (int)nums.size(); i++) {
            if (seen.count(target - nums[i])) return {seen[target - nums[i]], i};
            seen[nums[i]] = i;
        }
        return {};
    }
};"""
    result = called(verifier, code, "twoSum", ([[2, 7, 11, 15], 9], [0, 1]), ([[3, 3], 6], [0, 1]), ([[3], 7], []))
    assert (result.score, result.details["mode"], result.details["language"]) == (1.0, "cases", "cpp")


@needs_gxx
@pytest.mark.parametrize(
    ("code", "given", "expected"),
    [
        ("string f(string s) { return s + s; }", ["é\n\"\\😀\u0001/"], "é\n\"\\😀\u0001/" * 2),
        ("long long f(int a, long long b) { return a * b; }", [3, 10**12], 3 * 10**12),
        ("double f(double x) { return x / 3; }", [1], 1 / 3),
        ("double f(int x) { return x / 0.0; }", [0], float("nan")),
        ("bool f(const vector<bool>& b) { return !b[1]; }", [[True, False]], True),
        ("vector<vector<int>> f(vector<vector<int>> g) { g.push_back({7}); return g; }", [[[1, 2], []]], [[1, 2], [], [7]]),
        ("vector<string> f(vector<string>& w) { sort(w.begin(), w.end()); return w; }", [["b", "a"]], ["a", "b"]),
        ("map<string, int> f(vector<char> c) { return {{string(1, c[0]), 4}}; }", [["x"]], {"x": 4}),
        ("set<int> f(set<int> s) { s.erase(2); return s; }", [[3, 2, 1]], [3, 1]),
        ("tuple<int, string> f(pair<int, int> p) { return {p.second, \"x\"}; }", [[1, 2]], [2, "x"]),
        ("optional<int> f(optional<int> x) { return x; }", [None], None),
        ("#define int long long\nint f(int a) { return a; }\nsigned main() { return 1; }", [2**40], 2**40),
        ("int read() { return 1; }\nint write(int x) { return x; }\nint f(int a) { return write(a + read()); }", [1], 2),
        ("auto _ = [] { return cin.tie(nullptr); }();\nint f(int a) { cout << 9; return a; }", [1], 1),
        ("bool f(int a, int b) { return a < b; } bool f(int a) { return f(a, 5); }", [1], True),
    ],
)  # fmt: skip
def test_plain_data_goes_in_and_comes_out(verifier: CodeVerifier, code: str, given: list[Any], expected: Any) -> None:
    if expected != expected:  # a NaN is no JSON
        assert outcomes(called(verifier, code, "f", (given, 0.0))) == ["wrong_output"]
    else:
        result = called(verifier, code, "f", (given, expected))
        assert result.score == 1.0, result.reason


@needs_gxx
def test_a_call_that_kills_the_process_costs_only_itself(verifier: CodeVerifier) -> None:
    code = """int f(int a) {
    if (a == 2) throw runtime_error("two");
    if (a == 3) { int* p = 0; *p = 1; }
    if (a == 4) throw 5;
    if (a == 5) exit(0);
    if (a == 6) for (;;);
    return a;
}"""
    cases = [{"args": [n], "expected": n} for n in range(1, 8)]
    result = judged(verifier, code, {"entry_point": "f", "cases": cases}, {"limits": {"cpu_s": 0.5}})
    assert outcomes(result) == [
        "passed",
        "exception",
        "killed",
        "exception",
        "exception",
        "timeout",
        "passed",
    ]
    assert result.details["tests"][1]["message"] == "two"


@needs_gxx
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("int g(int a) { return a; }", "there is no f with 1 parameter"),
        ("struct Node { int v; }; int f(Node* n) { return 1; }", "plain data can't be given to a parameter"),
        ("int f(int a, int b) { return a; }", "there is no f with 1 parameter"),
    ],
)
def test_a_function_that_is_not_there_or_takes_other_data_is_named(
    verifier: CodeVerifier, code: str, said: str
) -> None:
    result = called(verifier, code, "f", ([1], 1))
    assert (result.score, result.verdict) == (0.0, "incorrect")
    assert said in result.reason


@needs_gxx
def test_an_argument_that_its_parameter_cannot_hold_fails_that_call_only(verifier: CodeVerifier) -> None:
    result = called(verifier, "int f(int a) { return a; }", "f", ([2**40], 2**40), ([5], 5), (["x"], 1))
    assert outcomes(result) == ["exception", "passed", "exception"]


@needs_gxx
def test_answers_can_only_be_given_and_never_verdicts(verifier: CodeVerifier) -> None:
    forged = """#include <unistd.h>
__attribute__((constructor)) void early() {
    const char frame[] = {0, 0, 0, 22, '!', '{', '"', 'o', 'u', 't', 'c', 'o', 'm', 'e', '"', ':', '"', 'p', 'a', 's', 's', 'e', 'd', '"', '}', ' '};
    write(3, frame, sizeof frame);
    _exit(0);
}
int f(int a) { return 0; }"""
    result = called(verifier, forged, "f", ([1], 1), ([2], 2))
    assert result.score == 0.0


# --- what is remembered ----------------------------------------------------------------------


class _Counting:
    """A sandbox that counts what is compiled."""

    def __init__(self, sandbox: LocalSandbox) -> None:
        self._sandbox, self.compiled = sandbox, 0

    @property
    def rung(self) -> str:
        return self._sandbox.rung

    @property
    def node(self) -> str | None:
        return self._sandbox.node

    @property
    def toolchain(self) -> Toolchain | None:
        return self._sandbox.toolchain

    def submit(self, job: Job) -> Any:
        self.compiled += job.kind == "compiler"
        return self._sandbox.submit(job)

    def close(self) -> None:
        self._sandbox.close()


@needs_gxx
def test_equal_programs_are_compiled_once(verifier: CodeVerifier) -> None:
    assert isinstance(verifier.sandbox, LocalSandbox)
    counting = _Counting(verifier.sandbox)
    other = CodeVerifier(counting)
    broken = "int main() { return lots; }"
    for text in ("a", "b", "c"):
        assert judged(other, ECHO, stdin((text, text))).score == 1.0
        assert judged(other, broken, stdin((text, text))).score == 0.0
    assert counting.compiled == 3  # and the trial
    requests = [
        parse_request("code", {"prompt": str(n), "response": f"```cpp\n{ECHO} // same\n```", "reference": {"language": "cpp", **stdin(("x", "x"))}})
        for n in range(8)
    ]  # fmt: skip
    assert {result.score for result in other.check_batch(requests)} == {1.0}
    assert counting.compiled == 4


def test_a_verifier_travels_to_another_process_without_what_it_remembers() -> None:
    copied = pickle.loads(pickle.dumps(CodeVerifier()))
    assert isinstance(copied, CodeVerifier)


def test_a_language_that_is_not_installed_is_an_error_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifleet.sandbox.supervisor.installed", lambda: None)
    verifier = CodeVerifier()
    result = judged(verifier, ECHO, stdin(("a", "a")))
    assert (result.score, result.status, result.reason) == (None, "error", NO_COMPILER)
    verifier.close()


def test_a_compiler_that_is_no_gnu_compiler_is_none(tmp_path: Any) -> None:
    fake = tmp_path / "g++"
    fake.write_text("#!/bin/sh\necho hello\n")
    fake.chmod(0o755)
    with pytest.raises(ValueError, match="is no GNU compiler"):
        Toolchain(str(fake), str(tmp_path))


@needs_gxx
def test_a_compiled_header_that_is_damaged_changes_no_verdict(verifier: CodeVerifier, tmp_path: Any) -> None:
    """Whoever could write there could make programs fail, so only this user can; but what is cut off is passed over."""
    gxx = shutil.which("g++")
    assert gxx is not None
    (tmp_path / "bits").mkdir()
    (tmp_path / "bits" / "stdc++.h.gch").write_bytes(b"gpch" + bytes(1000))
    found = Toolchain(gxx, str(tmp_path))
    assert found.is_ready()
    assert any(str(tmp_path) in word for word in found.steps[0])


# --- the request ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cpp", "c++", "C++"])
def test_the_language_has_two_names(name: str) -> None:
    raw = {"response": "x", "reference": {"language": name, "inputs": ["1\n"], "outputs": ["2\n"]}}
    request = parse_request("code", raw)
    assert request.reference is not None
    assert request.reference.language == "cpp"


def test_a_test_program_in_cpp_is_refused() -> None:
    with pytest.raises(ShapeError, match="a C\\+\\+ program is judged by tests"):
        parse_request("code", {"response": "x", "reference": {"language": "cpp", "test_code": "int main() {}"}})


@needs_gxx
def test_arguments_by_name_are_no_cpp(verifier: CodeVerifier) -> None:
    case = {"kwargs": {"a": 1}, "expected": 1}
    result = judged(verifier, "int f(int a) { return a; }", {"entry_point": "f", "cases": [case]})
    assert result.verdict not in ("correct", "incorrect")


@needs_gxx
@pytest.mark.parametrize(
    "response",
    [
        "First the idea:\n```text\n1 2\n```\nThen:\n```c++\n{}\n```\nIt is O(1).",
        "```C++17\n{}\n```",
        "```\n{}\n```",
        "Here it is.\n\n{}\n\nThat is all.",
        "```cpp\nint helper();\n```\n```cpp\n{}\n```\n```cpp\nvoid unused() {{}}\n```",
    ],
)
def test_a_program_is_found_in_the_response(verifier: CodeVerifier, response: str) -> None:
    text = response.replace("{{}}", "{ }").replace("{}", ECHO)
    raw = {"response": text, "reference": {"language": "cpp", **stdin(("abc", "abc"))}}
    assert verifier.check(parse_request("code", raw)).score == 1.0


@needs_gxx
def test_shapes_of_data_sets_are_taken(verifier: CodeVerifier) -> None:
    code = "class Solution { public: int twice(int x) { return 2 * x; } };"
    pairs = {"fn_name": "twice", "inputs": [[1], [2]], "outputs": [[2], 4]}
    assert judged(verifier, code, pairs).score == 1.0
    livecodebench = {
        "tests": [{"input": "21", "output": "42", "testtype": "functional"}],
        "metadata": {"func_name": "twice"},
    }
    assert judged(verifier, code, livecodebench).score == 1.0


def test_a_prompts_own_tests_are_judged_in_its_language() -> None:
    prompt = 'Write it in C++.\nTest 1: input="a", output="b"'
    from verifleet.verifiers.code.prompts import reference_in

    found = reference_in(prompt)
    assert found is not None
    assert found.language == "cpp"


@needs_gxx
def test_a_compilation_that_ends_without_an_answer_is_our_fault(verifier: CodeVerifier) -> None:
    empty = ProcessResult(exit=120, killed_for="", cpu_s=0.1, peak_kb=1, stdout=b"", stderr=b"sandbox: x", frames=[b""])
    with pytest.raises(SandboxUnavailableError, match="could not be started: sandbox: x"):
        _compiled(JobResult(0.1, [empty]), "")
    not_begun = replace(empty, frames=[b"", b"!fault"])
    with pytest.raises(SandboxUnavailableError, match="could not be started"):
        _compiled(JobResult(0.1, [not_begun]), "")


@needs_gxx
def test_nothing_is_made_without_steps(verifier: CodeVerifier) -> None:
    order = '{"mode": "compile", "source": "int main() {}", "source_name": "a.cpp", "name": "a", "steps": []}'
    assert isinstance(verifier.sandbox, LocalSandbox)
    result: JobResult = verifier.sandbox.run(Job("compiler", (order.encode(),)))
    assert len(result.processes[0].frames) == 1  # nothing was made, and nothing is claimed


def test_the_same_languages_are_known_everywhere() -> None:
    languages = set(allowed(SETTINGS["sandbox_languages"]).one_of)
    assert languages == {"cpp"}
    assert languages <= set(OFFERED)
    root = Path(__file__).parents[3]
    for place in ("infra", "infra/pipeline"):
        assert 'contains(["", "cpp"], var.sandbox_languages)' in (root / place / "variables.tf").read_text()
    assert 'ARG SANDBOX_LANGUAGES=""' in (root / "infra" / "code_runner" / "Dockerfile").read_text()
