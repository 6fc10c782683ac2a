"""What C++ costs: a compilation, cold, with the library's header compiled beforehand and remembered; and a run.

Wall and CPU time, medians. CPU time is what counts where the machine has other work.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.figures import row
from verifleet.sandbox import Job, JobResult, LocalSandbox
from verifleet.sandbox.toolchain import Toolchain, installed
from verifleet.verification import parse_request
from verifleet.verifiers.code import CodeVerifier

REPEATED = int(sys.argv[1]) if sys.argv[1:] else 20
BODY = """using namespace std;
int main() {
    int n; cin >> n; vector<long long> a(n); for (auto& x : a) cin >> x; sort(a.begin(), a.end());
    map<string, int> m; unordered_map<int, int> u; for (auto x : a) { u[x]++; m[to_string(x)]++; }
    long long s = 0; for (auto& [k, v] : m) s += v; cout << s << "\\n";
}"""
WHOLE = f"#include <bits/stdc++.h>\n{BODY}"
SOME = "".join(f"#include <{name}>\n" for name in "iostream vector map unordered_map string algorithm".split()) + BODY
FUNCTION = "class Solution { public: vector<int> f(vector<int>& a, int k) { for (int& x : a) x *= k; return a; } };"
TESTS = {"language": "cpp", "tests": [{"input": "3\n1 2 2\n", "output": "3"}]}
CASES = {"language": "cpp", "entry_point": "f", "cases": [{"args": [[1, 2], 3], "expected": [3, 6]}]}


class Measured:
    """A sandbox that notes the CPU time of each run by its kind."""

    def __init__(self, sandbox: LocalSandbox, toolchain: Toolchain) -> None:
        self._sandbox, self.toolchain, self.cpu = sandbox, toolchain, dict[str, list[float]]()
        self.rung, self.node = sandbox.rung, sandbox.node

    def submit(self, job: Job) -> Any:
        future = self._sandbox.submit(job)
        future.add_done_callback(lambda done: self._note(job, done.result()))
        return future

    def _note(self, job: Job, result: JobResult) -> None:
        self.cpu.setdefault(job.kind, []).append(result.processes[0].cpu_s)

    def close(self) -> None:
        self._sandbox.close()


def times(call: Callable[[int], None], numbers: Iterable[int]) -> list[float]:
    """Wall time of each call in ms."""
    found = []
    for number in numbers:
        started = time.perf_counter()
        call(number)
        found.append(1000 * (time.perf_counter() - started))
    return found


def judge(verifier: CodeVerifier, code: str, reference: dict[str, Any], different: int) -> None:
    """Judge a program that differs by a comment from all others; it must be right."""
    raw = {"response": f"```cpp\n{code}\n// {different}\n```", "reference": reference}
    result = verifier.check(parse_request("code", raw))
    assert result.score == 1.0, result


def measure(name: str, sandbox: Measured, code: str, reference: dict[str, Any], *, same: bool = False) -> None:
    """Print medians for programs that are compiled each, or for one that is remembered."""
    verifier = CodeVerifier(sandbox)
    judge(verifier, code, reference, 0)
    sandbox.cpu.clear()
    wall = times(lambda n: judge(verifier, code, reference, 0 if same else n), range(1, REPEATED + 1))
    cpu = {kind: 1000 * statistics.median(found) for kind, found in sandbox.cpu.items()}
    told = ", ".join(f"{kind} {ms:.1f} ms CPU" for kind, ms in sorted(cpu.items()))
    print(f"{name:58} {statistics.median(wall):8.1f} ms   {told}")
    row(f"C++: {name}", statistics.median(wall), "ms")


def main() -> None:
    """Measure all."""
    toolchain = installed()
    assert toolchain is not None, "g++ is not installed"
    with TemporaryDirectory(dir="/var/tmp") as folder, LocalSandbox() as local:
        Path(folder).chmod(0o755)
        print(f"{toolchain.version}, rung {local.rung}; a program with one test; medians of {REPEATED}")
        started = time.perf_counter()
        empty = Toolchain("g++", folder)
        empty.precompile()
        print(f"{'bits/stdc++.h compiled beforehand, once':58} {1000 * (time.perf_counter() - started):8.1f} ms")
        toolchain.precompile()
        bare = Toolchain("g++", "/nonexistent")
        bare.note = lambda source: None  # type: ignore[method-assign]
        measure("compiled cold, bits/stdc++.h not compiled beforehand", Measured(local, bare), WHOLE, TESTS)
        sandbox = Measured(local, toolchain)
        measure("compiled, bits/stdc++.h compiled beforehand", sandbox, WHOLE, TESTS)
        measure("compiled, six headers", sandbox, SOME, TESTS)
        measure("compiled, a method of Solution and the driver", sandbox, FUNCTION, CASES)
        measure("remembered: one run", sandbox, WHOLE, TESTS, same=True)
        measure("remembered: a call", sandbox, FUNCTION, CASES, same=True)
        many = {**TESTS, "tests": [{"input": "3\n1 2 2\n", "output": "3"}] * 50}
        measure("remembered: 50 tests, a process each", sandbox, WHOLE, many, same=True)


if __name__ == "__main__":
    main()
