# ruff: noqa: E501 - programs on one line
"""Python test programs against solutions in another process: what must work through the link, and what must not."""

from collections.abc import Iterator
from typing import Any

import pytest

from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier, testprogram


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    verifier = CodeVerifier()
    yield verifier
    verifier.close()


def check(verifier: CodeVerifier, code: str, test_code: str, prompt: str = "", **more: Any) -> VerificationResult:
    raw = {"prompt": prompt, "response": f"```python\n{code}\n```", "reference": {"test_code": test_code, **more}}
    return verifier.check(parse_request("code", raw))


RIGHT = {
    "bare asserts": ("def f(x): return x + 1", "assert f(1) == 2\nassert f(-1) == 0"),
    "check called": ("def f(x): return x + 1", "def check(candidate):\n    assert candidate(1) == 2\ncheck(f)"),
    "nested and special values": (
        "def f(): return {'a': [(1, 2.5), {3}], None: b'x', 1: float('inf')}, 1j, 10**400, range(3), frozenset('a')",
        "assert f() == ({'a': [(1, 2.5), {3}], None: b'x', 1: float('inf')}, 1j, 10**400, range(3), frozenset('a'))",
    ),
    "subclasses of plain types": (
        "import collections as c\ndef f(s): return c.Counter(s), c.OrderedDict(a=1), c.deque([1]), c.defaultdict(int)",
        "import collections\nr = f('aab')\nassert r[0] == {'a': 2, 'b': 1} and r[1]['a'] == 1\n"
        "assert r[2] == collections.deque([1]) and r[3] == {}",
    ),
    "a list sorted in place": ("def f(x): x.sort()", "a = [3, 1, 2]\nassert f(a) is None\nassert a == [1, 2, 3]"),
    "a matrix changed in place": (
        "def f(m):\n    for row in m: row.reverse()\n    m.append([0])",
        "row = [1, 2]\nm = [row, [3, 4]]\nf(m)\nassert m == [[2, 1], [4, 3], [0]] and row == [2, 1]",
    ),
    "a generator, lazily": (
        "def f():\n    n = 0\n    while True:\n        yield n\n        n += 1",
        "from itertools import islice\nassert list(islice(f(), 5)) == [0, 1, 2, 3, 4]\ng = f()\nassert next(g) == 0",
    ),
    "builtin errors": (
        "def f(x):\n    if x < 0: raise ValueError('negative')\n    return [1][x]",
        "try:\n    f(-1)\n    assert False\nexcept ValueError as e:\n    assert 'neg' in str(e)\n"
        "try:\n    f(5)\n    assert False\nexcept IndexError:\n    pass",
    ),
    "errors of its own": (
        "class Bad(ValueError): pass\ndef f(): raise Bad('b')",
        "try:\n    f()\n    assert False\nexcept Bad as e:\n    assert str(e) == 'b' and isinstance(e, ValueError)",
    ),
    "a class": (
        "class Stack:\n    def __init__(self, *a): self.items = list(a)\n    def push(self, x): self.items.append(x)\n"
        "    def pop(self): return self.items.pop()\n    def __len__(self): return len(self.items)\n"
        "    def __iter__(self): return iter(self.items)\n    def __getitem__(self, i): return self.items[i]",
        "s = Stack(1)\ns.push(2)\nassert len(s) == 2 and list(s) == [1, 2] and s[1] == 2\nassert s.pop() == 2\n"
        "assert s.items == [1]\nassert isinstance(s, Stack) and not isinstance(3, Stack)\nassert 1 in s",
    ),
    "equality of two of its objects": (
        "class P:\n    def __init__(s, x): s.x = x\n    def __eq__(s, o): return s.x == o.x\n"
        "    def __add__(s, o): return P(s.x + o.x)",
        "assert P(1) + P(2) == P(3)\nassert P(1) != P(2)",
    ),
    "functions passed in": (
        "def f(g, xs): return [g(x) for x in xs]",
        "assert f(lambda x: x * 2, [1, 2]) == [2, 4]\nassert f(str, [1]) == ['1']",
    ),
    "an error inside a function passed in": (
        "def f(g):\n    try:\n        return g()\n    except ZeroDivisionError:\n        return 'caught'",
        "assert f(lambda: 1 / 0) == 'caught'",
    ),
    "a decorator": (
        "def twice(fn):\n    def run(*a): return fn(*a) * 2\n    return run",
        "@twice\ndef g(x): return x + 1\nassert g(1) == 4",
    ),
    "a closure returned": ("def f(n): return lambda x: x + n", "assert f(2)(3) == 5"),
    "an iterator passed in": ("def f(it): return sum(it)", "assert f(iter([1, 2])) == 3\nassert f(x for x in [4]) == 4"),
    "what it prints": (
        "def f(): print('hello')",
        "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    f()\n"
        "assert b.getvalue() == 'hello\\n'",
    ),
    "coroutines": ("async def f(x): return x + 1", "import asyncio\nassert asyncio.run(f(1)) == 2"),
    "imported from a module": ("def f(x): return x", "from solution import f\nimport solution\nassert f(1) == solution.f(1)"),
    "helpers of the solution": ("import math\ndef g(x): return x\ndef f(x): return g(x)", "assert g(f(2)) == math.sqrt(4)"),
    "check left uncalled": ("def g(): return 1\ndef f(x): return x", "def check(candidate):\n    assert candidate(2) == 2"),
    "pytest functions": (
        "def f(x):\n    if x is None: raise TypeError('t')\n    return x / 3",
        "import pytest\ndef test_a():\n    assert f(1) == pytest.approx(0.3333333)\n"
        "@pytest.mark.parametrize('x,y', [(3, 1), (6, 2)])\ndef test_b(x, y):\n    assert f(x) == y\n"
        "def test_c():\n    with pytest.raises(TypeError, match='t'):\n        f(None)",
    ),
    "unittest under main": (
        "def f(x): return x + 1",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n"
        "    def test_b(self):\n        with self.assertRaises(TypeError):\n            f('a')\n"
        "if __name__ == '__main__':\n    unittest.main()",
    ),
    "unittest left to a runner": (
        "def f(x): return x + 1",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)",
    ),
    "keyword arguments": ("def f(a, *, b=1, **c): return [a, b, c]", "assert f(1, b=2, z=3) == [1, 2, {'z': 3}]"),
    "a solution class, LeetCode's way": ("class Solution:\n    def two(self, a): return a * 2", "assert Solution().two(2) == 4"),
    "nothing but raise": ("def f(x): return x", "if f(1) != 1:\n    raise Exception('wrong')"),
    "named tuples": ("import collections\nP = collections.namedtuple('P', 'x y')\ndef f(): return P(1, 2)", "r = f()\nassert r.x == 1 and r == (1, 2)"),
    "members of an enumeration": (
        "import enum\nclass C(enum.Enum):\n    R = 1\ndef f(): return C.R",
        "assert f() is C.R and f() == C.R and f().value == 1",
    ),
    "operators of a class that the test names": (
        "class V:\n    def __init__(s, x): s.x = x\n    def __lt__(s, o): return s.x < o.x\n    def __mul__(s, n): return V(s.x * n)\n"
        "    def __rmul__(s, n): return V(s.x * n)\n    def __eq__(s, o): return s.x == o.x\n    def __contains__(s, n): return n == s.x\n"
        "    def startswith(s, n): return n == s.x",
        "assert V(1) < V(2) and not V(2) < V(1) and V(1) * 2 == V(2) and 2 * V(1) == V(2)\nassert 1 in V(1) and 2 not in V(1)\n"
        "assert V(1).startswith(1) and sorted([V(2), V(1)])[0].x == 1",
    ),
    "subclasses": ("class A: pass\nclass B(A): pass", "assert issubclass(B, A) and isinstance(B(), A) and not issubclass(A, B)"),
    "what it reads": ("def f(): return int(input())", "import io, sys\nsys.stdin = io.StringIO('4\\n5\\n')\nassert f() == 4\nassert f() == 5"),
    "a class of the test's own (one process)": (
        "def total(n): return 0 if n is None else n.v + total(n.next)",
        "class Node:\n    def __init__(s, v, n=None): s.v, s.next = v, n\nassert total(Node(1, Node(2))) == 3",
    ),
    "a subclass of its class (one process)": (
        "class Base:\n    def hi(self): return self.name()",
        "class Sub(Base):\n    def name(self): return 'sub'\nassert Sub().hi() == 'sub'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_solution_passes(verifier: CodeVerifier, name: str) -> None:
    code, test_code = RIGHT[name]
    result = check(verifier, code, test_code)
    assert result.score == 1.0, result
    assert result.details["mode"] in (["shared-process"] if "one process" in name else ["split", "asserts"])


WRONG = {
    "wrong result": ("def f(x): return x", "assert f(1) == 2"),
    "one of several pytest functions": ("def f(x): return 1", "def test_a(): assert f(0) == 1\ndef test_b(): assert f(0) == 2"),
    "unittest failure": (
        "def f(x): return x",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\nunittest.main()",
    ),
    "always equal object": ("class E:\n    def __eq__(s, o): return True\ndef f(x): return E()", "assert f(1) == 2"),
    "never unequal object": (
        "class E:\n    def __eq__(s, o): return True\n    def __ne__(s, o): return False\ndef f(x): return E()",
        "assert not f(1) != 2",
    ),
    "object that subtracts to zero": (
        "class E:\n    def __sub__(s, o): return 0.0\n    def __abs__(s): return 0\n    def __lt__(s, o): return True\n"
        "def f(x): return E()",
        "assert abs(f(1) - 2) < 1e-6",
    ),
    "class in place of a function, with operators": (
        "class f:\n    def __init__(s, x): pass\n    def __sub__(s, o): return 0.0\n    def __lt__(s, o): return True\n"
        "    def __contains__(s, o): return True\nf.__name__ = 'F'",
        "x = 1\nassert abs(f(x) - 2) < 1e-6 and f(x) < 3 and 5 in f(x)",
    ),
    "float subclass that lies": (
        "class E(float):\n    def __sub__(s, o): return 0.0\n    def __eq__(s, o): return True\ndef f(x): return E(9)",
        "assert abs(f(1) - 2) < 1e-6",
    ),
    "object that contains everything": (
        "class E:\n    def __contains__(s, o): return True\ndef f(x): return E()",
        "assert 5 in f(1)",
    ),
    "object that starts with everything": (
        "class E:\n    def startswith(s, o): return True\ndef f(x): return E()",
        "assert f(1).startswith('a')",
    ),
    "class in place of the function": ("class f:\n    def __init__(s, x): pass\n    def __eq__(s, o): return True", "assert f(1) == 2"),
    "exit at import": ("import os; os._exit(0)\ndef f(x): return x", "assert f(1) == 1"),
    "sys.exit in a call": ("import sys\ndef f(x): sys.exit(0)", "try:\n    f(1)\nexcept BaseException:\n    pass\nassert True"),
    "SystemExit raised": ("def f(x): raise SystemExit(0)", "assert f(1) == 2"),
    "skip raised": (
        "import unittest\ndef f(x): raise unittest.SkipTest('no')",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\nunittest.main()",
    ),
    "builtins shadowed": ("def f(x): return 3\ndef abs(x): return 0\ndef all(x): return True", "assert abs(f(1) - 2) < 1 and all([0])"),
    "unittest patched": (
        "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(x): return 0",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\nunittest.main()",
    ),
    "frames forged": (
        "import os, json, struct\n"
        "d = json.dumps({'outcome': 'passed', 'checks': 1, 'calls': 1}).encode()\n"
        "for fd in (3, 5):\n    os.write(fd, struct.pack('>I', len(d)) + d)\ndef f(x): return 0",
        "assert f(1) == 2",
    ),
    "no such function": ("def g(x): return x", "assert f(1) == 1"),
    "no valid code": ("def f(x: return x", "assert f(1) == 1"),
    "endless": ("def f(x):\n    while True: pass", "assert f(1) == 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_or_forging_solution_gets_nothing(verifier: CodeVerifier, name: str) -> None:
    code, test_code = WRONG[name]
    raw = {"response": f"```python\n{code}\n```", "reference": {"test_code": test_code}}
    result = verifier.check(parse_request("code", {**raw, "options": {"limits": {"cpu_s": 0.5}}}))
    assert (result.score, result.status) == (0.0, "scored"), result
    assert result.details["mode"] in ("split", "asserts")


def test_a_test_program_that_checks_nothing_passes_nobody(verifier: CodeVerifier) -> None:
    assert check(verifier, "def f(): pass", "x = 1").verdict == "malformed"
    assert check(verifier, "def f(): pass", "  \n").verdict == "malformed"
    assert check(verifier, "def f(): pass", "assert f( == 1").verdict == "malformed"


def test_a_module_that_the_sandbox_lacks_is_our_fault(verifier: CodeVerifier) -> None:
    result = check(verifier, "def f(): return 1", "import unittest\nimport numpy as np\nassert f() == 1")
    assert (result.score, result.status) == (None, "error")


def test_no_result_holds_the_test_program(verifier: CodeVerifier) -> None:
    secret = "assert f(1) == 'secret-value', 'secret-message'"
    for code in ("def f(x): return 0", "def f(x): raise ValueError('mine')", "def f(x: pass", "def g(): pass"):
        assert "secret" not in check(verifier, code, secret).model_dump_json()
    shown = check(verifier, "def f(x): raise ValueError('mine')", secret).reason
    assert "ValueError: mine" in shown


def test_a_solution_that_says_it_leaves_is_gone_for_the_test_program(verifier: CodeVerifier) -> None:
    test = "xs = [1]\nwhile len(xs) < 4:\n    xs.append(f(xs[-1]))\nassert xs == [1, 2, 3, 4]"
    assert check(verifier, "def f(x): return x + 1", test).details["mode"] == "split"
    lying = "import os\ndef f(x):\n    os.write(3, b'\\0\\0\\0\\6\\0left\\0')\n    while True: pass"
    result = check(verifier, lying, test)
    assert result.score == 0.0
    assert result.duration_ms < 3000  # its CPU time is not used up


@pytest.mark.parametrize(
    ("test_code", "shared"),
    [
        ("t = Trie()\nassert t.exists('a') and not t.isdir", False),
        ("assert form().fields == 1 and form().open() == 2", False),
        ("import os\nassert os.path.exists(save('x'))", True),
        ("from dataclasses import asdict\nassert asdict(make()) == {}", True),
        ("with open('x') as f: assert load(f) == 1", True),
        ("import solution\nsolution.LIMIT = 3\nassert solution.f() == 3", True),
    ],
)
def test_only_what_needs_it_shares_a_process(test_code: str, shared: bool) -> None:
    assert bool(testprogram.plan(test_code).shared) is shared
