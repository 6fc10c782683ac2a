# ruff: noqa: E501 - programs on one line
"""Thirty programs, right and wrong, for each shape in which data sets have their tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier


@dataclass
class Task:
    """A reference as a data set has it, with programs that are right and wrong by it."""

    reference: Any
    right: list[str]
    wrong: list[str]
    prompt: str = ""


TASKS: dict[str, list[Task]] = {}


def add(shape: str, reference: Any, right: list[str], wrong: list[str], prompt: str = "") -> None:
    TASKS.setdefault(shape, []).append(Task(reference, right, wrong, prompt))


def method(name: str, arguments: str, body: str) -> str:
    return f"class Solution:\n    def {name}(self, {arguments}):\n        {body}"


# --- APPS, TACO, PRIME: {inputs, outputs}, with fn_name for functions ---------------

IO = "APPS, TACO, PRIME"
add(
    IO,
    {"inputs": ["3\n1 2 3\n", "1\n-4\n"], "outputs": ["6\n", "-4\n"]},
    [
        "n = int(input())\nprint(sum(map(int, input().split())))",
        "import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n",
    ],
    ["n = int(input())\nprint(n * (n + 1) // 2)", "print(6)"],
)
add(
    IO,
    {"inputs": [["2", "ab", "cd"], ["1", "x"]], "outputs": [["ba", "dc"], ["x"]]},
    ["for _ in range(int(input())):\n    print(input()[::-1])"],
    [
        "for _ in range(int(input())):\n    print(input())",
        "n = int(input())\nprint(' '.join(input()[::-1] for _ in range(n)))",
    ],
)
add(
    IO,
    json.dumps({"inputs": ["5\n", "0\n"], "outputs": ["120\n", "1\n"]}),
    [
        "import math\nprint(math.factorial(int(input())))",
        "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nprint(f(int(input())))",
    ],
    ["n = int(input())\nr = 1\nfor i in range(1, n):\n    r *= i\nprint(r)"],
)
add(
    IO,
    {"input_output": json.dumps({"inputs": ["1 1\n", "2 8\n"], "outputs": ["YES", "NO"]}), "difficulty": "easy"},
    ["a, b = input().split()\nprint('YES' if a == b else 'NO')"],
    ["a, b = input().split()\nprint('Yes' if a == b else 'No')", "print('YES')\nprint('NO')"],
)
add(
    IO,
    {"fn_name": "twice", "inputs": [[3], [-1]], "outputs": [[6], [-2]]},
    ["def twice(x):\n    return 2 * x", "twice = lambda x: x + x", method("twice", "x: int", "return x * 2")],
    ["def twice(x):\n    print(2 * x)", "def twice(x):\n    return x ** 2", "def double(x):\n    return 2 * x"],
)
add(
    IO,
    {"fn_name": "pairs", "inputs": [[[1, 2, 3], 4], [[], 1]], "outputs": [[[[1, 3]]], [[]]]},
    [
        "def pairs(xs, s):\n    return [[a, b] for i, a in enumerate(xs) for b in xs[i + 1:] if a + b == s]",
        method(
            "pairs",
            "xs: List[int], s: int",
            "return [(a, b) for i, a in enumerate(xs) for b in xs[i + 1:] if a + b == s]",
        ),
    ],
    [
        "def pairs(xs, s):\n    return []",
        "def pairs(xs, s):\n    return [[a, b] for a in xs for b in xs if a + b == s]",
    ],
)
add(
    IO,
    {"fn_name": "shout", "inputs": [["a b"], [""]], "outputs": ["A B!", "!"]},
    ["def shout(s):\n    return s.upper() + '!'"],
    ["def shout(s):\n    return s.upper()", "def shout(s):\n    return s.lower() + '!'"],
)
add(
    IO,
    {"inputs": ["2 3\n"], "outputs": ["0.6666666667\n"]},
    ["a, b = map(int, input().split())\nprint(f'{a / b:.10f}')"],
    [
        "a, b = map(int, input().split())\nprint(a // b)",
        "a, b = map(int, input().split())\nprint(f'{b / a:.10f}')",
        "print('0.67')",
    ],
)

# --- LiveCodeBench: functional tests and a starter with class Solution --------------

LCB = "LiveCodeBench functional"


def functional(name: str, *pairs: tuple[list[Any], Any], private: bool = False) -> dict[str, Any]:
    tests = [
        {
            "input": "\n".join(json.dumps(one) for one in arguments),
            "output": json.dumps(result),
            "testtype": "functional",
        }
        for arguments, result in pairs
    ]
    hidden = {"private_test_cases": json.dumps(tests[1:])} if private else {}
    return {
        "public_test_cases": json.dumps(tests[:1] if private else tests),
        **hidden,
        "metadata": json.dumps({"func_name": name}),
    }


add(
    LCB,
    functional("minSum", ([[3, 1, 2], 2], 3), ([[5], 1], 5), private=True),
    [
        method("minSum", "nums: List[int], k: int", "return sum(sorted(nums)[:k])"),
        "from heapq import nsmallest\n" + method("minSum", "nums: List[int], k: int", "return sum(nsmallest(k, nums))"),
    ],
    [
        method("minSum", "nums: List[int], k: int", "return sum(nums[:k])"),
        method("minSum", "nums: List[int], k: int", "return min(nums)"),
        method("maxSum", "nums: List[int], k: int", "return sum(sorted(nums)[:k])"),
    ],
)
add(
    LCB,
    functional("isGood", (["abcabc"], True), (["aab"], False)),
    [method("isGood", "s: str -> bool".split(" ->")[0], "return len(set(Counter(s).values())) == 1")],
    [
        method("isGood", "s: str", "return 'True'"),
        method("isGood", "s: str", "return len(s) % 2 == 0 and 1"),
        method("isGood", "s: str", "return True"),
    ],
)
add(
    LCB,
    functional("groups", ([["eat", "tea", "b"]], [["eat", "tea"], ["b"]]), ([[]], [])),
    [
        method(
            "groups",
            "ws: List[str]",
            "d = defaultdict(list)\n        for w in ws: d[''.join(sorted(w))].append(w)\n        return list(d.values())",
        )
    ],
    [
        method("groups", "ws: List[str]", "return [[w] for w in ws]"),
        method("groups", "ws: List[str]", "return [ws] if ws else []"),
    ],
)
add(
    LCB,
    functional("median", ([[1, 2]], 1.5), ([[3]], 3.0)),
    [method("median", "a: List[int]", "a.sort(); n = len(a)\n        return (a[(n - 1) // 2] + a[n // 2]) / 2")],
    [
        method("median", "a: List[int]", "return a[len(a) // 2]"),
        method("median", "a: List[int]", "return sum(a) // len(a)"),
    ],
)
add(
    LCB,
    functional("rotate", ([[[1, 2], [3, 4]]], [[3, 1], [4, 2]]), ([[[7]]], [[7]])),
    [
        method("rotate", "m: List[List[int]]", "return [list(r) for r in zip(*m[::-1])]"),
        method("rotate", "m: List[List[int]]", "return list(zip(*reversed(m)))"),
    ],
    [
        method("rotate", "m: List[List[int]]", "return [list(r) for r in zip(*m)]"),
        method("rotate", "m: List[List[int]]", "return m"),
    ],
)
add(
    LCB,
    functional("count", ([""], 0), (["a\nb c"], 3), (["é ü"], 2)),
    [method("count", "s: str", "return len(s.split())")],
    [method("count", "s: str", "return s.count(' ') + 1"), method("count", "s: str", "return len(s.split(' '))")],
)
add(
    LCB,
    functional("maxDepth", (["(()())"], 2), (["((()))"], 3), ([""], 0)),
    [
        method(
            "maxDepth",
            "s: str",
            "d = best = 0\n        for c in s:\n            d += 1 if c == '(' else -1\n            best = max(best, d)\n        return best",
        )
    ],
    [
        method("maxDepth", "s: str", "return s.count('(')"),
        "class Solution:\n    def maxDepth(self, s: str):\n        return self.depth(s)",
        "def solve():\n    pass",
    ],
)
add(
    LCB,
    functional("power", ([2, 100], 1267650600228229401496703205376), ([5, 0], 1)),
    [
        method("power", "a: int, b: int", "return pow(a, b)"),
        "class Solution:\n    @staticmethod\n    def power(a, b):\n        return a ** b",
    ],
    [
        method("power", "a: int, b: int", "return a ** b % (10 ** 9 + 7)"),
        method("power", "a: int, b: int", "return float(a) ** b + 1"),
    ],
)

# --- MBPP: a list of asserts ----------------------------------------------------

MBPP = "MBPP"


def asserts(*lines: str, **more: Any) -> dict[str, Any]:
    return {"text": "Write a python function.", "test_list": list(lines), "test_setup_code": "", **more}


add(
    MBPP,
    asserts("assert is_even(2) == True", "assert is_even(3) == False", "assert is_even(0) == True"),
    ["def is_even(n):\n    return n % 2 == 0", "def is_even(n):\n    return not n & 1"],
    ["def is_even(n):\n    return True", "def is_even(n):\n    return n % 2", "def even(n):\n    return n % 2 == 0"],
)
add(
    MBPP,
    asserts("assert first_last([1, 2, 3]) == (1, 3)", "assert first_last(['a']) == ('a', 'a')"),
    ["def first_last(xs):\n    return xs[0], xs[-1]"],
    ["def first_last(xs):\n    return [xs[0], xs[-1]]", "def first_last(xs):\n    return xs[0], xs[1]"],
)
add(
    MBPP,
    asserts(
        "assert math.isclose(area(1), 3.141592653589793, rel_tol=0.001)",
        "assert math.isclose(area(2), 12.566370614359172, rel_tol=0.001)",
        test_imports=["import math"],
    ),
    ["import math\ndef area(r):\n    return math.pi * r * r", "def area(r):\n    return 3.14159 * r ** 2"],
    ["def area(r):\n    return 3 * r * r", "def area(r):\n    return 2 * 3.14159 * r"],
)
add(
    MBPP,
    asserts(
        "assert depth(root) == 3",
        test_setup_code="class Node:\n    def __init__(self, left=None, right=None):\n        self.left, self.right = left, right\nroot = Node(Node(Node()))",
    ),
    ["def depth(n):\n    return 0 if n is None else 1 + max(depth(n.left), depth(n.right))"],
    ["def depth(n):\n    return 0 if n is None else 1 + depth(n.right)", "def depth(n):\n    return 2"],
)
add(
    MBPP,
    asserts(
        "assert set(common([1, 2], [2, 3])) == {2}",
        "assert sorted(common([], [1])) == []",
        challenge_test_list=["assert common([4, 4], [4]) == [4]"],
    ),
    ["def common(a, b):\n    return list(set(a) & set(b))"],
    ["def common(a, b):\n    return [x for x in a if x in b]", "def common(a, b):\n    return a"],
)
add(
    MBPP,
    asserts('assert clean("  a  b ") == "a b"', 'assert clean("") == ""'),
    [
        "import re\ndef clean(s):\n    return re.sub(r'\\s+', ' ', s).strip()",
        "def clean(s):\n    return ' '.join(s.split())",
    ],
    [
        "def clean(s):\n    return s.strip()",
        "def clean(s):\n    return s.replace(' ', '')",
        "def clean(s):\n    import sys\n    sys.exit(0)",
    ],
)
add(
    MBPP,
    json.dumps(asserts("assert fib(10) == 55", "assert fib(1) == 1")),
    [
        "def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a",
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)",
    ],
    [
        "def fib(n):\n    return 55",
        "def fib(n):\n    a, b = 1, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a",
    ],
)
add(
    MBPP,
    asserts("assert merge({'a': 1}, {'b': 2}) == {'a': 1, 'b': 2}", "assert merge({'a': 1}, {'a': 3}) == {'a': 3}"),
    ["def merge(x, y):\n    return {**x, **y}", "def merge(x, y):\n    return x | y"],
    [
        "def merge(x, y):\n    return {**y, **x}",
        "class Always(dict):\n    def __eq__(self, other):\n        return True\ndef merge(x, y):\n    return Always()",
    ],
)

# --- HumanEval: a prompt, test and entry_point -----------------------------------

HUMANEVAL = "HumanEval"


def evaluated(
    head: str, entry_point: str, *lines: str, before: str = "METADATA = {'author': 'x', 'dataset': 'test'}\n\n\n"
) -> tuple[dict[str, Any], str]:
    test = f"\n\n{before}def check(candidate):\n" + "".join(f"    {line}\n" for line in lines) + "\n"
    return {"task_id": "T/1", "prompt": head, "test": test, "entry_point": entry_point}, head


def human(head: str, name: str, lines: list[str], right: list[str], wrong: list[str], **more: Any) -> None:
    reference, prompt = evaluated(head, name, *lines, **more)
    add(HUMANEVAL, reference, right, wrong, prompt)


human(
    'def add(x: int, y: int):\n    """Add two numbers x and y\n    >>> add(2, 3)\n    5\n    """\n',
    "add",
    [
        "import random",
        "assert candidate(0, 1) == 1",
        "for i in range(10):",
        "    x, y = random.randint(0, 1000), random.randint(0, 1000)",
        "    assert candidate(x, y) == x + y",
    ],
    ["def add(x: int, y: int):\n    return x + y", "    return x + y\n"],
    ["def add(x: int, y: int):\n    return 1", "    return x - y\n"],
)
human(
    'from typing import List\n\n\ndef below_zero(operations: List[int]) -> bool:\n    """Does the balance fall below zero?"""\n',
    "below_zero",
    ["assert candidate([]) == False", "assert candidate([1, -4, 5]) == True", "assert candidate([1, 2, -3]) == False"],
    [
        "def below_zero(operations: List[int]) -> bool:\n    b = 0\n    for o in operations:\n        b += o\n        if b < 0:\n            return True\n    return False",
        "    from itertools import accumulate\n    return any(b < 0 for b in accumulate(operations))\n",
    ],
    [
        "def below_zero(operations: List[int]) -> bool:\n    return sum(operations) < 0",
        "    return False\n",
        "    return operations.below_zero()\n",
    ],
)
human(
    'def mean(xs):\n    """The mean."""\n',
    "mean",
    ["assert abs(candidate([1.0, 2.0]) - 1.5) < 1e-6", "assert abs(candidate([3.0]) - 3.0) < 1e-6"],
    ["def mean(xs):\n    return sum(xs) / len(xs)"],
    ["def mean(xs):\n    return sum(xs) // len(xs)", "def mean(xs):\n    return 1.5"],
)
human(
    'import math\n\n\ndef poly(xs: list, x: float):\n    """Evaluate."""\n    return sum(c * math.pow(x, i) for i, c in enumerate(xs))\n\n\ndef at_one(xs: list):\n    """Of the polynomial."""\n',
    "at_one",
    ["assert abs(candidate([1, 2, 3]) - 6) < 1e-9", "assert candidate([]) == 0"],
    [
        "def at_one(xs: list):\n    return poly(xs, 1.0)",
        "    return poly(xs, 1)\n",
        "def at_one(xs):\n    return sum(xs)",
    ],
    ["def at_one(xs: list):\n    return poly(xs, 0.0)", "    return len(xs)\n"],
)
human(
    'def words(s):\n    """Split into words."""\n',
    "words",
    [
        "assert candidate('Hi, my name') == ['Hi', 'my', 'name'], 'first'",
        "assert candidate('') == []",
        "assert True, 'Never fails'",
    ],
    ["def words(s):\n    return s.replace(',', ' ').split()"],
    ["def words(s):\n    return s.split(',')", "def words(s):\n    return s.split(' ')"],
    before="",
)
human(
    'def encode(s: str):\n    """Shift by five."""\n    return "".join(chr((ord(c) + 5 - 97) % 26 + 97) for c in s)\n\n\ndef decode(s: str):\n    """Back."""\n',
    "decode",
    [
        "from random import randint",
        "letters = 'abcxyz'",
        "for _ in range(20):",
        "    text = ''.join(letters[randint(0, 5)] for _ in range(8))",
        "    encoded = ''.join(chr((ord(c) + 5 - 97) % 26 + 97) for c in text)",
        "    assert candidate(encoded) == text",
    ],
    ["def decode(s: str):\n    return ''.join(chr((ord(c) - 5 - 97) % 26 + 97) for c in s)"],
    ["def decode(s: str):\n    return encode(s)", "def decode(s: str):\n    return s"],
)
human(
    'def tri(n):\n    """Triangular numbers up to n."""\n',
    "tri",
    [
        "assert candidate(3) == [0, 1, 3, 6]",
        "assert candidate(0) == [0]",
        "try:",
        "    candidate(-1)",
        "    assert False",
        "except ValueError:",
        "    pass",
    ],
    ["def tri(n):\n    if n < 0:\n        raise ValueError(n)\n    return [i * (i + 1) // 2 for i in range(n + 1)]"],
    ["def tri(n):\n    return [i * (i + 1) // 2 for i in range(n + 1)]", "def tri(n):\n    raise ValueError"],
)
human(
    'def swap(d: dict) -> dict:\n    """Keys for values."""\n',
    "swap",
    [
        "assert candidate({'a': 1}) == {1: 'a'}",
        "assert candidate({}) == {}",
        "d = {'x': 'y'}",
        "candidate(d)",
        "assert d == {'x': 'y'}",
    ],
    ["def swap(d: dict) -> dict:\n    return {v: k for k, v in d.items()}"],
    [
        "def swap(d: dict) -> dict:\n    return d",
        "def swap(d: dict) -> dict:\n    d.clear()\n    return d",
        "class E(dict):\n    def __eq__(self, o): return True\ndef swap(d):\n    return E()",
    ],
)

# --- Codeforces: tests with a checker ---------------------------------------------

CODEFORCES = "Codeforces with a checker"


def checked(shape: str, *tests: tuple[str, str]) -> dict[str, Any]:
    return {"tests": [{"input": given, "output": answer} for given, answer in tests], "checker": shape}


PERMUTATION = """
import sys
given, answer, output = (open(path).read().split() for path in sys.argv[1:4])
n = int(given[0])
if sorted(output) != sorted(str(i) for i in range(1, n + 1)):
    print("wrong answer: no permutation")
    sys.exit(1)
print("ok")
"""
NEAR = """
import sys
a, b = (float(open(path).read()) for path in sys.argv[2:4])
sys.exit(0 if abs(a - b) <= 1e-6 * max(1.0, abs(a)) else 1)
"""
PATH = """
import sys
def main():
    given = open(sys.argv[1]).read().split()
    answer = open(sys.argv[2]).read().split()
    output = open(sys.argv[3]).read().split()
    if answer == ["-1"]:
        return output == ["-1"]
    n, m = int(given[0]), int(given[1])
    edges = {frozenset(given[2 + 2 * i : 4 + 2 * i]) for i in range(m)}
    return (len(output) == len(answer) and output[:1] == ["1"] and output[-1:] == [str(n)]
            and all(frozenset(pair) in edges for pair in zip(output, output[1:])))
print(1 if main() else 0)
"""
BFS = """import sys
from collections import deque
data = sys.stdin.read().split()
n, m = int(data[0]), int(data[1])
near = {i: [] for i in range(1, n + 1)}
for i in range(m):
    a, b = int(data[2 + 2 * i]), int(data[3 + 2 * i])
    near[a].append(b); near[b].append(a)
came = {1: 0}
queue = deque([1])
while queue:
    a = queue.popleft()
    for b in ORDER(near[a]):
        if b not in came:
            came[b] = a; queue.append(b)
if n not in came: print(-1)
else:
    way = [n]
    while way[-1] != 1: way.append(came[way[-1]])
    print(*way[::-1])"""
SPLIT = """
import sys
from pathlib import Path
n = int(Path(sys.argv[1]).read_text())
lines = Path(sys.argv[3]).read_text().splitlines()
assert len(lines) == 2, "two lines"
parts = [[int(word) for word in line.split()[1:]] for line in lines]
assert all(int(line.split()[0]) == len(part) for line, part in zip(lines, parts))
assert sorted(parts[0] + parts[1]) == list(range(1, n + 1))
assert abs(sum(parts[0]) - sum(parts[1])) == n * (n + 1) // 2 % 2
"""
EVEN = """
import sys
n, k = map(int, open(sys.argv[1]).read().split())
word = open(sys.argv[3]).read().strip()
print(float(len(word) == n and len(set(word)) == k and all(a != b for a, b in zip(word, word[1:]))))
"""
add(
    CODEFORCES,
    checked(PERMUTATION, ("3\n", "1 2 3\n"), ("5\n", "1 2 3 4 5\n")),
    [
        "print(*range(1, int(input()) + 1))",
        "n = int(input())\nprint(*range(n, 0, -1))",
        "n = int(input())\nfor i in range(n):\n    print(n - i)",
    ],
    ["print(*range(int(input())))", "n = int(input())\nprint(*[1] * n)", "input()\nprint('ok')", "print(1, 2, 3)"],
)
add(
    CODEFORCES,
    checked(NEAR, ("2\n", "1.4142135624\n"), ("10000\n", "100\n")),
    [
        "print(int(input()) ** 0.5)",
        "import math\nprint(f'{math.sqrt(int(input())):.9f}')",
        "n = int(input())\nx = n\nfor _ in range(60):\n    x = (x + n / x) / 2\nprint(x)",
    ],
    ["print(int(int(input()) ** 0.5))", "print(int(input()) / 2)", "print('nan')", "input()"],
)
add(
    CODEFORCES,
    checked(PATH, ("4 4\n1 2 2 4 1 3 3 4\n", "1 2 4\n"), ("3 1\n1 2\n", "-1\n")),
    [BFS.replace("ORDER", "sorted"), BFS.replace("ORDER", "reversed")],
    ["print(-1)", "print('1 4')", BFS.replace("ORDER", "sorted").replace("[::-1]", "")],
)
add(
    CODEFORCES,
    checked(SPLIT, ("4\n", "2 1 4\n2 2 3\n"), ("5\n", "2 3 5\n3 1 2 4\n")),
    [
        "n = int(input())\na, b = [], []\nfor i in range(n, 0, -1):\n    (a if sum(a) <= sum(b) else b).append(i)\nprint(len(a), *a)\nprint(len(b), *b)"
    ],
    [
        "n = int(input())\nprint(n, *range(1, n + 1))\nprint(0)",
        "n = int(input())\nprint(*range(1, n + 1))",
        "import sys\nsys.stdout.write('assert True')",
        "raise SystemExit(0)",
    ],
)
add(
    CODEFORCES, checked(EVEN, ("5 2\n", "ababa\n"), ("4 4\n", "abcd\n")),
    ["n, k = map(int, input().split())\nprint(''.join(chr(97 + i % k) for i in range(n)))", "n, k = map(int, input().split())\nprint(''.join('zyxwv'[i % k] for i in range(n)))"],
    ["n, k = map(int, input().split())\nprint('a' * n)", "n, k = map(int, input().split())\nprint(''.join(chr(97 + i) for i in range(n)))", "print('ababa')", "print(1.0)"],
)  # fmt: skip

CASES = [
    (shape, number, program, right)
    for shape, tasks in TASKS.items()
    for number, task in enumerate(tasks)
    for programs, right in ((task.right, True), (task.wrong, False))
    for program in programs
]


@pytest.fixture(scope="module")
def results() -> list[VerificationResult]:
    """All of them judged in one batch."""
    requests = []
    for shape, number, program, _ in CASES:
        task = TASKS[shape][number]
        body = {"prompt": task.prompt, "response": f"```python\n{program}\n```", "reference": task.reference}
        requests.append(parse_request("code", body))
    with LocalSandbox() as sandbox:
        return CodeVerifier(sandbox).check_batch(requests)


@pytest.mark.parametrize("shape", TASKS)
def test_programs_are_judged_by_tests_in_the_shape_of_a_data_set(shape: str, results: list[VerificationResult]) -> None:
    wrong = [
        (number, program, right, result.score, result.reason)
        for (name, number, program, right), result in zip(CASES, results, strict=True)
        if name == shape and (result.score == 1.0) is not right
    ]
    assert not wrong
    assert sum(name == shape for name, *_ in CASES) >= 30
