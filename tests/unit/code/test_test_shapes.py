# ruff: noqa: E501 - solutions on one line
"""Test programs of many shapes: each accepts its right solution and none of its wrong ones."""

from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import pytest

from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier


@dataclass
class Case:
    name: str
    test_code: str
    right: str
    wrong: tuple[str, ...]
    reference: dict[str, Any] = field(default_factory=dict)


CASES: list[Case] = []


def case(name: str, test_code: str, right: str, *wrong: str, **reference: Any) -> None:
    CASES.append(Case(name, dedent(test_code), dedent(right), tuple(map(dedent, wrong)), reference))


ADD, SUB = "def add(a, b): return a + b", "def add(a, b): return a - b"
EXIT = "import sys; sys.exit(0)"


def forge(name: str) -> str:
    """A function whose results say yes to everything."""
    yes = "class A:\n" + "".join(
        f"    def __{method}__(s, *o): return {value}\n"
        for method, value in [
            *((m, True) for m in ("eq", "lt", "gt", "le", "ge", "bool", "contains")),
            *((m, 0) for m in ("ne", "sub", "rsub", "abs", "hash", "len")),
            ("float", 0.0),
            ("iter", "iter(())"),
        ]
    )
    return f"{yes}def {name}(*a, **k): return A()"


case(
    "pytest plain",
    """
    from solution import add
    def test_add():
        assert add(1, 2) == 3
    """,
    ADD,
    SUB,
    forge("add"),
    EXIT,
)
case(
    "pytest raises match",
    """
    import pytest
    from solution import parse
    def test_bad():
        with pytest.raises(ValueError, match=r"bad \\w+"):
            parse("x")
    def test_good():
        assert parse("1") == 1
    """,
    "def parse(s):\n    if not s.isdigit(): raise ValueError('bad input')\n    return int(s)",
    "def parse(s):\n    return int(s)",
    "def parse(s):\n    if s=='x': raise KeyError('bad input')\n    return 1",
    "def parse(s): return 1",
    forge("parse"),
)
case(
    "pytest excinfo",
    """
    import pytest
    def test_bad():
        with pytest.raises(ValueError) as e:
            parse("x")
        assert "bad" in str(e.value)
        assert e.type is ValueError
        assert e.value.args[0] == "bad input"
    """,
    "def parse(s):\n    raise ValueError('bad input')",
    "def parse(s):\n    raise ValueError('xx')",
)
case(
    "pytest raises tuple and custom",
    """
    import pytest
    from solution import Account, InsufficientFunds
    def test_it():
        a = Account(10)
        with pytest.raises(InsufficientFunds):
            a.withdraw(20)
        with pytest.raises((ValueError, TypeError)):
            a.withdraw(-1)
        assert a.balance == 10
        a.withdraw(3)
        assert a.balance == 7
    """,
    "class InsufficientFunds(Exception): pass\nclass Account:\n    def __init__(s,b): s.balance=b\n    def withdraw(s,n):\n        if n<0: raise ValueError\n        if n>s.balance: raise InsufficientFunds('x')\n        s.balance-=n",
    "class InsufficientFunds(Exception): pass\nclass Account:\n    def __init__(s,b): s.balance=b\n    def withdraw(s,n):\n        s.balance-=n",
)
case(
    "pytest approx",
    """
    import pytest
    from solution import area, stats, points
    def test_a():
        assert area(1) == pytest.approx(3.14159, rel=1e-4)
        assert pytest.approx(3.14159, abs=1e-2) == area(1)
        assert stats([1,2]) == pytest.approx({"mean": 1.5, "max": 2})
        assert points() == pytest.approx([0.1 + 0.2, 0.3])
        assert not (area(1) == pytest.approx(3.2))
        assert area(1) != pytest.approx(3.2)
    """,
    "import math\ndef area(r): return math.pi*r*r\ndef stats(x): return {'mean': sum(x)/len(x), 'max': max(x)}\ndef points(): return [0.3, 0.1+0.2]",
    "def area(r): return 3.2\ndef stats(x): return {'mean': sum(x)/len(x), 'max': max(x)}\ndef points(): return [0.3, 0.3]",
)
case(
    "pytest parametrize",
    """
    import pytest
    from solution import add
    @pytest.mark.parametrize("a,b,want", [(1,2,3), (0,0,0), pytest.param(-1, 1, 0, id="neg")])
    def test_add(a, b, want):
        assert add(a, b) == want
    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_one(n):
        assert add(n, 0) == n
    @pytest.mark.parametrize("x", [1, 2])
    @pytest.mark.parametrize("y", [3, 4])
    def test_two(x, y):
        assert add(x, y) == x + y
    @pytest.mark.parametrize(("p", "q"), [([1], [2]), ([], [])])
    def test_lists(p, q):
        assert add(p, q) == p + q
    @pytest.mark.parametrize(argnames="k", argvalues=[(1, 2), (3, 4)])
    def test_tuple_value(k):
        assert add(*k) == sum(k)
    """,
    ADD,
    SUB,
    "def add(a,b): return 3",
)
case(
    "pytest fixtures",
    """
    import pytest
    from solution import Stack
    @pytest.fixture
    def stack():
        s = Stack()
        s.push(1)
        return s
    @pytest.fixture()
    def two(stack):
        stack.push(2)
        yield stack
        stack.clear()
    @pytest.fixture(scope="module", params=[1, 2])
    def num(request):
        return request.param
    @pytest.fixture(autouse=True)
    def setup():
        yield
    def test_push(stack):
        assert stack.pop() == 1
    def test_two(two):
        assert two.pop() == 2
        assert len(two) == 1
    def test_num(num, stack):
        stack.push(num)
        assert stack.pop() == num
    """,
    "class Stack:\n    def __init__(s): s.i=[]\n    def push(s,x): s.i.append(x)\n    def pop(s): return s.i.pop()\n    def clear(s): s.i=[]\n    def __len__(s): return len(s.i)",
    "class Stack:\n    def __init__(s): s.i=[]\n    def push(s,x): s.i.append(x)\n    def pop(s): return s.i.pop(0)\n    def clear(s): s.i=[]\n    def __len__(s): return len(s.i)",
)
case(
    "pytest class",
    """
    import pytest
    from solution import add
    class TestAdd:
        def setup_method(self):
            self.base = 10
        def test_a(self):
            assert add(self.base, 1) == 11
        @pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])
        def test_b(self, a, b):
            assert add(a, b) == a + b
        @pytest.fixture
        def five(self):
            return 5
        def test_c(self, five):
            assert add(five, 5) == 10
    """,
    ADD,
    SUB,
    EXIT,
)
case(
    "pytest class only fails",
    """
    from solution import add
    class TestAdd:
        def test_a(self):
            assert add(1, 1) == 2
    """,
    ADD,
    SUB,
)
case(
    "pytest builtin fixtures",
    """
    import pytest
    from solution import hello, save, where
    def test_out(capsys):
        hello("Bob")
        out = capsys.readouterr().out
        assert out == "Hello Bob\\n"
        captured = capsys.readouterr()
        assert captured.out == ""
    def test_in(monkeypatch, capsys):
        monkeypatch.setattr("builtins.input", lambda *_: "Ann")
        assert where() == "Ann"
    """,
    "def hello(n): print('Hello', n)\ndef save(p): pass\ndef where(): return input('?')",
    "def hello(n): print('Hi', n)\ndef save(p): pass\ndef where(): return input('?')",
)
case(
    "pytest capsys only",
    """
    from solution import hello
    def test_out(capsys):
        hello("Bob")
        assert capsys.readouterr().out.strip() == "Hello Bob"
    """,
    "def hello(n): print('Hello', n)",
    "def hello(n): print('Hi', n)",
    "def hello(n): return 'Hello Bob'",
)
case(
    "pytest tmp_path",
    """
    from solution import count
    def test_it(tmp_path):
        p = tmp_path / "a.txt"
        p.write_text("a b c")
        assert p.read_text() == "a b c"
        assert count("a b c") == 3
    """,
    "def count(s): return len(s.split())",
    "def count(s): return 2",
)
case(
    "pytest main guard",
    """
    import pytest, sys
    from solution import add
    def test_add():
        assert add(1, 2) == 3
    if __name__ == "__main__":
        sys.exit(pytest.main([__file__, "-v"]))
    """,
    ADD,
    SUB,
)
case(
    "pytest skip/xfail",
    """
    import pytest
    from solution import add
    @pytest.mark.skip(reason="no")
    def test_skip():
        assert False
    @pytest.mark.skipif(True, reason="x")
    def test_skipif():
        assert False
    @pytest.mark.xfail
    def test_xfail():
        assert add(1, 1) == 3
    @pytest.mark.timeout(5)
    def test_ok():
        assert add(1, 1) == 2
    """,
    ADD,
    SUB,
)
case(
    "pytest warns/deprecated",
    """
    import pytest, warnings
    from solution import old
    def test_w():
        with pytest.warns(DeprecationWarning):
            warnings.warn("x", DeprecationWarning)
        assert old() == 1
    """,
    "def old(): return 1",
    "def old(): return 2",
)
case(
    "import other module name",
    """
    from my_module import add
    import my_module
    def test_add():
        assert my_module.add(1, 2) == 3
        assert add(2, 2) == 4
    """,
    ADD,
    SUB,
)
case(
    "bare functions called in main",
    """
    def test_add():
        assert add(1, 2) == 3, "wrong sum"
    def main():
        test_add()
        print("All tests passed!")
    if __name__ == "__main__":
        main()
    """,
    ADD,
    SUB,
)
case(
    "check with messages",
    """
    METADATA = {'author': 'x', 'dataset': 'test'}

    def check(candidate):
        # Check some simple cases
        assert candidate(1, 2) == 3, "This prints if this assert fails 1 (good for debugging!)"
        assert True, "This prints"
        # Check some edge cases
        assert candidate(0, 0) == 0, f"Error {1}"
    """,
    ADD,
    SUB,
    forge("add"),
    EXIT,
    entry_point="add",
)
case(
    "check floats",
    """
    def check(candidate):
        assert abs(candidate(3.5) - 0.5) < 1e-6
        assert abs(candidate(1.33) - 0.33) < 1e-6
        import math
        assert math.isclose(candidate(2.25), .25, rel_tol=1e-9)
    check(trunc)
    """,
    "def trunc(x): return x % 1.0",
    "def trunc(x): return 0.5",
    forge("trunc"),
)
case(
    "random loop reference",
    """
    import random
    def ref(xs): return sorted(xs, key=lambda x: (abs(x), x))
    def check(candidate):
        rng = random.Random(3)
        for _ in range(40):
            xs = [rng.randint(-50, 50) for _ in range(rng.randint(0, 12))]
            assert candidate(list(xs)) == ref(xs), (xs,)
            assert candidate(xs[:]) == ref(xs)
    check(order)
    """,
    "def order(xs): return sorted(xs, key=lambda x: (abs(x), x))",
    "def order(xs): return sorted(xs, key=abs)[::-1]",
    forge("order"),
)
case(
    "inplace mutation",
    """
    xs = [3, 1, 2]
    r = sort_inplace(xs)
    assert r is None
    assert xs == [1, 2, 3]
    m = [[1, 2], [3, 4]]
    rotate(m)
    assert m == [[3, 1], [4, 2]]
    d = {'a': [1]}
    extend(d)
    assert d == {'a': [1, 2], 'b': 3}
    """,
    "def sort_inplace(x): x.sort()\ndef rotate(m): m[:] = [list(r) for r in zip(*m[::-1])]\ndef extend(d): d['a'].append(2); d['b']=3",
    "def sort_inplace(x): return sorted(x)\ndef rotate(m): m[:] = [list(r) for r in zip(*m[::-1])]\ndef extend(d): d['a'].append(2); d['b']=3",
    "def sort_inplace(x): x.sort()\ndef rotate(m): return [list(r) for r in zip(*m[::-1])]\ndef extend(d): d['a'].append(2); d['b']=3",
)
case(
    "generator",
    """
    g = gen(3)
    assert next(g) == 0
    assert list(g) == [1, 2]
    assert list(gen(0)) == []
    import itertools
    assert list(itertools.islice(count_up(), 4)) == [0, 1, 2, 3]
    assert sum(gen(5)) == 10
    assert [x * 2 for x in gen(3)] == [0, 2, 4]
    import types
    assert isinstance(gen(1), types.GeneratorType)
    """,
    "def gen(n):\n    for i in range(n): yield i\ndef count_up():\n    i=0\n    while True:\n        yield i\n        i+=1",
    "def gen(n):\n    for i in range(n): yield i+1\ndef count_up():\n    i=0\n    while True:\n        yield i\n        i+=1",
)
case(
    "hasattr next",
    """
    g = gen(3)
    assert hasattr(g, '__next__') and hasattr(g, '__iter__')
    assert iter(g) is g
    assert list(g) == [0, 1, 2]
    try:
        next(g)
        assert False
    except StopIteration:
        pass
    """,
    "def gen(n):\n    for i in range(n): yield i",
    "def gen(n): return range(n)",
)
case(
    "expected exception try",
    """
    try:
        div(1, 0)
    except ZeroDivisionError:
        pass
    else:
        raise AssertionError("no error")
    assert div(4, 2) == 2
    """,
    "def div(a, b): return a / b",
    "def div(a, b): return 0 if b == 0 else a / b",
)
case(
    "expected exception flag",
    """
    raised = False
    try:
        div(1, 0)
    except ValueError as e:
        raised = True
        assert str(e) == "b is 0"
    assert raised
    """,
    "def div(a, b):\n    if b==0: raise ValueError('b is 0')\n    return a / b",
    "def div(a, b): return a/b",
)
case(
    "sets",
    """
    assert uniq([1, 2, 2]) == {1, 2}
    assert uniq([]) == set()
    assert isinstance(uniq([1]), set)
    assert 1 in uniq([1]) and 3 not in uniq([1])
    assert uniq([1, 2]) - {1} == {2}
    assert sorted(uniq([2, 1])) == [1, 2]
    assert uniq([1,2]) <= {1,2,3}
    assert frozenset(uniq([1])) == frozenset([1])
    """,
    "def uniq(x): return set(x)",
    "def uniq(x): return list(set(x))",
    "def uniq(x): return set(x) | {9}",
    forge("uniq"),
)
case(
    "nested data",
    """
    tree = {'v': 1, 'c': [{'v': 2, 'c': []}, {'v': 3, 'c': [{'v': 4, 'c': []}]}]}
    assert depth(tree) == 3
    assert flat(tree) == [1, 2, 3, 4]
    assert paths(tree) == {(1, 2), (1, 3, 4)}
    """,
    "def depth(t): return 1 + max((depth(c) for c in t['c']), default=0)\ndef flat(t): return [t['v']] + [x for c in t['c'] for x in flat(c)]\ndef paths(t):\n    if not t['c']: return {(t['v'],)}\n    return {(t['v'],)+p for c in t['c'] for p in paths(c)}",
    "def depth(t): return 2\ndef flat(t): return [1,2,3,4]\ndef paths(t): return {(1,2),(1,3,4)}",
)
case(
    "class solution",
    """
    lru = LRUCache(2)
    lru.put(1, 1); lru.put(2, 2)
    assert lru.get(1) == 1
    lru.put(3, 3)
    assert lru.get(2) == -1
    assert lru.get(3) == 3
    assert [lru.get(k) for k in (1, 2, 3)] == [1, -1, 3]
    """,
    "from collections import OrderedDict\nclass LRUCache:\n    def __init__(s,n): s.n=n; s.d=OrderedDict()\n    def get(s,k):\n        if k not in s.d: return -1\n        s.d.move_to_end(k); return s.d[k]\n    def put(s,k,v):\n        s.d[k]=v; s.d.move_to_end(k)\n        if len(s.d)>s.n: s.d.popitem(last=False)",
    "class LRUCache:\n    def __init__(s,n): s.d={}\n    def get(s,k): return s.d.get(k,-1)\n    def put(s,k,v): s.d[k]=v",
)
case(
    "class dunder ops",
    """
    a, b = Vec(1, 2), Vec(3, 4)
    assert a + b == Vec(4, 6)
    assert (a + b).x == 4
    assert repr(a) == "Vec(1, 2)"
    assert a != b
    assert a * 2 == Vec(2, 4)
    assert str(a) == "<1, 2>"
    assert len(a) == 2
    assert a < b
    assert -a == Vec(-1, -2)
    assert a[0] == 1
    assert bool(Vec(0, 0)) is False
    assert list(a) == [1, 2]
    assert 1 in a
    assert {a: 1}[Vec(1, 2)] == 1
    """,
    """
    class Vec:
        def __init__(s,x,y): s.x=x; s.y=y
        def __add__(s,o): return Vec(s.x+o.x,s.y+o.y)
        def __mul__(s,k): return Vec(s.x*k,s.y*k)
        def __eq__(s,o): return (s.x,s.y)==(o.x,o.y)
        def __hash__(s): return hash((s.x,s.y))
        def __repr__(s): return f"Vec({s.x}, {s.y})"
        def __str__(s): return f"<{s.x}, {s.y}>"
        def __len__(s): return 2
        def __lt__(s,o): return (s.x,s.y)<(o.x,o.y)
        def __neg__(s): return Vec(-s.x,-s.y)
        def __getitem__(s,i): return (s.x,s.y)[i]
        def __bool__(s): return bool(s.x or s.y)
        def __iter__(s): return iter((s.x,s.y))
        def __contains__(s,v): return v in (s.x,s.y)
    """,
    "class Vec:\n    def __init__(s,*a): pass\n    def __eq__(s,o): return True\n    def __add__(s,o): return s",
)
case(
    "dataclass attrs",
    """
    p = make("Bob", 3)
    assert p.name == "Bob"
    assert p.age == 3
    assert p == Person("Bob", 3)
    p.age += 1
    assert p.age == 4
    import dataclasses
    assert hasattr(p, 'name')
    """,
    "from dataclasses import dataclass\n@dataclass\nclass Person:\n    name: str\n    age: int\ndef make(n,a): return Person(n,a)",
    "from dataclasses import dataclass\n@dataclass\nclass Person:\n    name: str\n    age: int\ndef make(n,a): return Person(n,a+1)",
)
case(
    "linked list builder in test",
    """
    class ListNode:
        def __init__(self, val=0, next=None):
            self.val, self.next = val, next
    def build(xs):
        head = None
        for x in reversed(xs): head = ListNode(x, head)
        return head
    def to_list(n):
        out = []
        while n: out.append(n.val); n = n.next
        return out
    assert to_list(reverse(build([1, 2, 3]))) == [3, 2, 1]
    """,
    "def reverse(h):\n    p=None\n    while h: h.next,p,h=p,h,h.next\n    return p",
    "def reverse(h): return h",
)
case(
    "decorator higher-order",
    """
    calls = []
    @memo
    def sq(x):
        calls.append(x)
        return x * x
    assert sq(3) == 9 and sq(3) == 9
    assert calls == [3]
    assert compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
    assert apply(len, [1, 2]) == 2
    assert list(map(inc, [1, 2])) == [2, 3]
    assert sorted(["bb", "a"], key=length) == ["a", "bb"]
    """,
    "def memo(f):\n    c={}\n    def g(x):\n        if x not in c: c[x]=f(x)\n        return c[x]\n    return g\ndef compose(f,g): return lambda x: f(g(x))\ndef apply(f,*a): return f(*a)\ndef inc(x): return x+1\ndef length(s): return len(s)",
    "def memo(f): return f\ndef compose(f,g): return lambda x: f(g(x))\ndef apply(f,*a): return f(*a)\ndef inc(x): return x+1\ndef length(s): return len(s)",
)
case(
    "unittest main",
    """
    import unittest
    class TestCases(unittest.TestCase):
        @classmethod
        def setUpClass(cls): cls.base = 1
        def setUp(self): self.x = 2
        def test_one(self):
            self.assertEqual(task_func(self.base, self.x), 3)
        def test_err(self):
            with self.assertRaises(TypeError):
                task_func("a", 1)
            self.assertRaises(TypeError, task_func, "a", 1)
            with self.assertRaisesRegex(TypeError, "str"):
                task_func("a", 1)
        def test_more(self):
            for a in range(3):
                with self.subTest(a=a):
                    self.assertAlmostEqual(task_func(a, 0.5), a + .5)
            self.assertIsInstance(task_func(1, 1), int)
            self.assertTrue(task_func(1, 0))
            self.assertIn(task_func(1, 0), [1, 2])
            self.assertListEqual([task_func(1, 1)], [2])
            self.assertGreater(task_func(1, 1), 1)
            self.assertIsNone(None)
    if __name__ == "__main__":
        unittest.main()
    """,
    "def task_func(a,b): return a+b",
    "def task_func(a,b): return a-b",
    forge("task_func"),
    EXIT,
)
case(
    "unittest no main",
    """
    import unittest
    class TestCases(unittest.TestCase):
        def test_one(self):
            self.assertEqual(task_func(1, 2), 3)
        def test_dict(self):
            self.assertDictEqual({'a': task_func(1, 1)}, {'a': 2})
            self.assertCountEqual([task_func(1, 1), 1], [1, 2])
    """,
    "def task_func(a,b): return a+b",
    "def task_func(a,b): return 3",
)
case(
    "unittest patch",
    """
    import unittest
    from unittest.mock import patch, MagicMock
    class TestCases(unittest.TestCase):
        @patch("random.randint", return_value=4)
        def test_one(self, m):
            self.assertEqual(roll(), 4)
            m.assert_called_once()
        @patch("builtins.print")
        def test_print(self, p):
            hello()
            p.assert_called_with("hi")
        def test_mock_obj(self):
            m = MagicMock()
            m.get.return_value = 5
            self.assertEqual(use(m), 5)
    """,
    "import random\ndef roll(): return random.randint(1,6)\ndef hello(): print('hi')\ndef use(m): return m.get('x')",
    "import random\ndef roll(): return 3\ndef hello(): print('hi')\ndef use(m): return m.get('x')",
)
case(
    "unittest stdout capture",
    """
    import unittest, io
    from contextlib import redirect_stdout
    class T(unittest.TestCase):
        def test_p(self):
            buf = io.StringIO()
            with redirect_stdout(buf):
                hello("x")
            self.assertEqual(buf.getvalue(), "Hello x\\n")
    """,
    "def hello(n): print('Hello', n)",
    "def hello(n): print('Bye', n)",
)
case(
    "unittest tempfile in test",
    """
    import unittest, tempfile, os, json
    class T(unittest.TestCase):
        def setUp(self):
            self.dir = tempfile.mkdtemp()
            self.path = os.path.join(self.dir, "a.json")
            with open(self.path, "w") as f: json.dump({"a": 1}, f)
        def test_p(self):
            self.assertEqual(load(self.path), {"a": 1})
    """,
    "import json\ndef load(p):\n    with open(p) as f: return json.load(f)",
    "def load(p): return {}",
)
case(
    "function writes file",
    """
    import os
    save("out.txt", "hello")
    assert os.path.exists("out.txt")
    assert open("out.txt").read() == "hello"
    """,
    "def save(p, s):\n    with open(p, 'w') as f: f.write(s)",
    "def save(p, s): pass",
)
case(
    "doctest like print compare",
    """
    import io, sys
    old = sys.stdout
    sys.stdout = io.StringIO()
    hello()
    out = sys.stdout.getvalue()
    sys.stdout = old
    assert out == "hi\\n"
    """,
    "def hello(): print('hi')",
    "def hello(): print('ho')",
)
case(
    "MBPP asserts",
    """
    assert similar((3, 4, 5, 6), (5, 7, 4, 10)) == (4, 5)
    assert set(similar((1, 2), (2, 1))) == set((1, 2))
    """,
    "def similar(a, b): return tuple(sorted(set(a) & set(b)))",
    "def similar(a,b): return (4,5)",
)
case(
    "globals constants",
    """
    assert PI == 3.14
    assert CONFIG['a'] == 1
    assert NAMES[0] == 'x' and len(NAMES) == 2
    """,
    "PI=3.14\nCONFIG={'a':1}\nNAMES=['x','y']",
    "PI=3\nCONFIG={'a':1}\nNAMES=['x','y']",
)
case(
    "async",
    """
    import asyncio
    async def main():
        assert await fetch(2) == 4
        r = await asyncio.gather(fetch(1), fetch(3))
        assert r == [2, 6]
    asyncio.run(main())
    """,
    "import asyncio\nasync def fetch(x):\n    await asyncio.sleep(0)\n    return x*2",
    "async def fetch(x): return 0",
)
case(
    "pytest asyncio",
    """
    import pytest
    @pytest.mark.asyncio
    async def test_f():
        assert await fetch(2) == 4
    """,
    "import asyncio\nasync def fetch(x):\n    await asyncio.sleep(0)\n    return x*2",
    "async def fetch(x): return 0",
)
case(
    "inheritance by test",
    """
    class Dog(Animal):
        def sound(self): return "woof"
    assert Dog("Rex").speak() == "Rex says woof"
    try:
        Animal("x").speak()
        assert False
    except NotImplementedError:
        pass
    """,
    "class Animal:\n    def __init__(s,n): s.n=n\n    def sound(s): raise NotImplementedError\n    def speak(s): return f'{s.n} says {s.sound()}'",
    "class Animal:\n    def __init__(s,n): s.n=n\n    def sound(s): return ''\n    def speak(s): return ''",
)
case(
    "isinstance of solution classes",
    """
    from solution import Shape, Circle, make
    assert isinstance(make("circle"), Circle)
    assert isinstance(make("circle"), Shape)
    assert issubclass(Circle, Shape)
    assert type(make("circle")).__name__ == "Circle"
    assert type(make("circle")) is Circle
    """,
    "class Shape: pass\nclass Circle(Shape): pass\ndef make(k): return Circle()",
    "class Shape: pass\nclass Circle: pass\ndef make(k): return Circle()",
)
case(
    "enum",
    """
    assert Color.RED.value == 1
    assert Color.RED.name == "RED"
    assert Color(1) == Color.RED
    assert Color["RED"] is Color.RED
    assert [c.name for c in Color] == ["RED", "BLUE"]
    assert next_color(Color.RED) == Color.BLUE
    """,
    "from enum import Enum\nclass Color(Enum):\n    RED=1\n    BLUE=2\ndef next_color(c): return Color.BLUE",
    "from enum import Enum\nclass Color(Enum):\n    RED=1\n    BLUE=2\ndef next_color(c): return c",
)
case(
    "namedtuple/datetime/decimal",
    """
    from datetime import date, timedelta, datetime
    from decimal import Decimal
    from fractions import Fraction
    assert tomorrow(date(2024, 2, 28)) == date(2024, 2, 29)
    assert price(2) == Decimal("0.30")
    assert half(1) == Fraction(1, 2)
    p = pt(1, 2)
    assert p.x == 1 and p == (1, 2)
    """,
    "from datetime import timedelta\nfrom decimal import Decimal\nfrom fractions import Fraction\nfrom collections import namedtuple\nP=namedtuple('P','x y')\ndef tomorrow(d): return d+timedelta(1)\ndef price(n): return Decimal('0.15')*n\ndef half(n): return Fraction(n,2)\ndef pt(a,b): return P(a,b)",
    "from datetime import timedelta\ndef tomorrow(d): return d\ndef price(n): return .3\ndef half(n): return .5\ndef pt(a,b): return (a,b)",
)
case(
    "Counter/defaultdict/deque",
    """
    from collections import Counter, defaultdict, deque
    assert count("aab") == Counter({'a': 2, 'b': 1})
    assert count("aab") == {'a': 2, 'b': 1}
    assert count("aab").most_common(1) == [('a', 2)]
    assert group([1, 2, 3]) == {0: [2], 1: [1, 3]}
    assert dq([1, 2]) == deque([2, 1])
    """,
    "from collections import Counter, defaultdict, deque\ndef count(s): return Counter(s)\ndef group(x):\n    d=defaultdict(list)\n    for i in x: d[i%2].append(i)\n    return d\ndef dq(x): return deque(x[::-1])",
    "def count(s): return {}\ndef group(x): return {}\ndef dq(x): return x",
)
case(
    "string of type and bool identity",
    """
    assert f(2) is True
    assert f(3) is False
    assert f(2) == True
    assert type(f(2)) == bool
    assert type(g(1)) is int
    assert isinstance(h(), str)
    assert n() is None
    """,
    "def f(x): return x%2==0\ndef g(x): return x\ndef h(): return 's'\ndef n(): pass",
    "def f(x): return int(x%2==0)\ndef g(x): return x\ndef h(): return 's'\ndef n(): pass",
    "def f(x): return x%2==0\ndef g(x): return float(x)\ndef h(): return 's'\ndef n(): pass",
)
case(
    "timeit loop",
    """
    import time
    t = time.time()
    assert fib(80) == 23416728348467685
    assert time.time() - t < 3
    """,
    "def fib(n):\n    a,b=0,1\n    for _ in range(n): a,b=b,a+b\n    return a",
    "def fib(n): return n if n<2 else fib(n-1)+fib(n-2)",
)
case(
    "exit called in test end",
    """
    import sys
    assert add(1, 2) == 3
    print("ok")
    sys.exit(0)
    """,
    ADD,
    SUB,
)
case(
    "testcase results printed",
    """
    tests = [((1, 2), 3), ((2, 2), 4)]
    failed = 0
    for args, want in tests:
        got = add(*args)
        if got != want:
            print("FAIL", args, got, want)
            failed += 1
    assert failed == 0, f"{failed} failed"
    """,
    ADD,
    SUB,
    forge("add"),
)
case(
    "raise instead of assert",
    """
    if add(1, 2) != 3:
        raise Exception("wrong")
    """,
    ADD,
    SUB,
)
case(
    "exit code instead of assert",
    """
    import sys
    if add(1, 2) != 3:
        sys.exit(1)
    """,
    ADD,
    SUB,
)
case(
    "numpy missing but optional",
    """
    try:
        import numpy as np
    except ImportError:
        np = None
    assert add(1, 2) == 3
    """,
    ADD,
    SUB,
)
case(
    "candidate in list compare keys",
    """
    out = parse("a=1&b=2")
    assert list(out.keys()) == ["a", "b"]
    assert list(out.values()) == ["1", "2"]
    assert list(out.items())[0] == ("a", "1")
    assert out.get("zz") is None
    assert "a" in out
    assert out["a"] == "1"
    for k, v in out.items():
        assert v.isdigit() and k.isalpha()
    """,
    "def parse(s): return dict(p.split('=') for p in s.split('&'))",
    "def parse(s): return {}",
)
case(
    "iterator of tuples zip",
    """
    assert list(pairs([1, 2], 'ab')) == [(1, 'a'), (2, 'b')]
    assert dict(pairs([1], [2])) == {1: 2}
    assert all(isinstance(p, tuple) for p in pairs([1, 2], 'ab'))
    """,
    "def pairs(a,b): return zip(a,b)",
    "def pairs(a,b): return []",
)
case(
    "context manager",
    """
    with Timer() as t:
        x = 1
    assert t.done
    with managed() as m:
        assert m == 5
    """,
    "from contextlib import contextmanager\nclass Timer:\n    done=False\n    def __enter__(s): return s\n    def __exit__(s,*a): s.done=True\n@contextmanager\ndef managed(): yield 5",
    "from contextlib import contextmanager\nclass Timer:\n    done=False\n    def __enter__(s): return s\n    def __exit__(s,*a): pass\n@contextmanager\ndef managed(): yield 5",
)
case(
    "property and classmethod, static",
    """
    t = Temp(100)
    assert t.f == 212
    t.f = 32
    assert t.c == 0
    assert Temp.from_f(212).c == 100
    assert Temp.valid(5) is True
    assert Temp.SCALE == 'C'
    """,
    "class Temp:\n    SCALE='C'\n    def __init__(s,c): s.c=c\n    @property\n    def f(s): return s.c*9/5+32\n    @f.setter\n    def f(s,v): s.c=(v-32)*5/9\n    @classmethod\n    def from_f(k,v): return k((v-32)*5/9)\n    @staticmethod\n    def valid(x): return x>-273",
    "class Temp:\n    SCALE='C'\n    def __init__(s,c): s.c=c\n    f=212\n    @classmethod\n    def from_f(k,v): return k(0)\n    @staticmethod\n    def valid(x): return True",
)
case(
    "Solution class leet",
    """
    s = Solution()
    assert s.twoSum([2, 7, 11, 15], 9) == [0, 1]
    assert Solution().twoSum([3, 3], 6) == [0, 1]
    """,
    "class Solution:\n    def twoSum(self, a, t):\n        d={}\n        for i,x in enumerate(a):\n            if t-x in d: return [d[t-x], i]\n            d[x]=i",
    "class Solution:\n    def twoSum(self, a, t): return [0,2]",
)
case(
    "check Solution method",
    """
    def check(candidate):
        assert candidate(nums=[2, 7, 11, 15], target=9) == [0, 1]
        assert candidate(nums=[3, 3], target=6) == [0, 1]
    check(Solution().twoSum)
    """,
    "from typing import *\nclass Solution:\n    def twoSum(self, nums: List[int], target: int) -> List[int]:\n        d={}\n        for i,x in enumerate(nums):\n            if target-x in d: return [d[target-x], i]\n            d[x]=i",
    "class Solution:\n    def twoSum(self, nums, target): return [0,2]",
)
case(
    "comparison result sorted/any order",
    """
    result = perms([1, 2])
    assert sorted(result) == [[1, 2], [2, 1]]
    assert len(result) == 2
    assert all(sorted(r) == [1, 2] for r in result)
    assert any(r == [2, 1] for r in result)
    """,
    "from itertools import permutations\ndef perms(x): return [list(p) for p in permutations(x)]",
    "def perms(x): return [x,x]",
    forge("perms"),
)
case(
    "inputs unchanged",
    """
    import copy
    xs = [[1], [2]]
    before = copy.deepcopy(xs)
    out = doubled(xs)
    assert xs == before
    assert out == [[2], [4]]
    assert out is not xs
    """,
    "def doubled(x): return [[i*2 for i in r] for r in x]",
    "def doubled(x):\n    for r in x: r[0]*=2\n    return x",
)
case(
    "identity of returned arg",
    """
    xs = [1]
    assert same(xs) is xs
    """,
    "def same(x): return x",
    "def same(x): return list(x)",
)
case(
    "bytes, complex, huge int, nan",
    """
    import math
    assert enc("é") == b"\\xc3\\xa9"
    assert sq(1j) == -1
    assert fact(30) == math.factorial(30)
    assert math.isnan(nan())
    assert inf() == float('inf')
    """,
    "import math\ndef enc(s): return s.encode()\ndef sq(z): return z*z\ndef fact(n): return math.factorial(n)\ndef nan(): return float('nan')\ndef inf(): return math.inf",
    "import math\ndef enc(s): return s\ndef sq(z): return z*z\ndef fact(n): return math.factorial(n)\ndef nan(): return float('nan')\ndef inf(): return math.inf",
)
case(
    "stdin reading main in test",
    """
    import io, sys
    sys.stdin = io.StringIO("3\\n4\\n")
    out = io.StringIO()
    sys.stdout, old = out, sys.stdout
    main()
    sys.stdout = old
    assert out.getvalue().strip() == "7"
    """,
    "def main():\n    a=int(input()); b=int(input())\n    print(a+b)",
    "def main(): print(8)",
)
case(
    "test compares to own function f-string msg",
    """
    def _gold(n): return n * (n + 1) // 2
    for n in range(0, 200, 7):
        got = tri(n)
        assert got == _gold(n), f"tri({n}) = {got}"
        assert isinstance(got, int), type(got)
    """,
    "def tri(n): return n*(n+1)//2",
    "def tri(n): return n*(n+1)/2",
    forge("tri"),
)
case(
    "assertRaises lambda",
    """
    import unittest
    class T(unittest.TestCase):
        def test_a(self):
            self.assertRaises(ValueError, lambda: sqrt(-1))
            self.assertEqual(sqrt(4), 2)
    """,
    "def sqrt(x):\n    if x<0: raise ValueError\n    return x**.5",
    "def sqrt(x): return abs(x)**.5",
)
case(
    "unittest suite runner",
    """
    import unittest
    class T(unittest.TestCase):
        def test_a(self): self.assertEqual(add(1, 2), 3)
    suite = unittest.TestLoader().loadTestsFromTestCase(T)
    r = unittest.TextTestRunner(verbosity=0).run(suite)
    assert r.wasSuccessful()
    """,
    ADD,
    SUB,
)
case(
    "unittest suite runner no assert",
    """
    import unittest
    class T(unittest.TestCase):
        def test_a(self): self.assertEqual(add(1, 2), 3)
    suite = unittest.TestLoader().loadTestsFromTestCase(T)
    unittest.TextTestRunner(verbosity=0).run(suite)
    """,
    ADD,
    SUB,
)
case(
    "unittest main exit False",
    """
    import unittest
    class T(unittest.TestCase):
        def test_a(self): self.assertEqual(add(1, 2), 3)
    unittest.main(argv=[''], exit=False)
    """,
    ADD,
    SUB,
)
case(
    "signature inspection",
    """
    import inspect
    assert list(inspect.signature(add).parameters) == ["a", "b"]
    assert add(1, 2) == 3
    assert add.__name__ == "add"
    """,
    ADD,
    "def add(*x): return sum(x)",
)
case(
    "docstring",
    """
    assert add.__doc__
    assert add(1,2) == 3
    """,
    "def add(a,b):\n    'Adds.'\n    return a+b",
    ADD,
)
case(
    "typing annotations",
    """
    from typing import get_type_hints
    assert get_type_hints(add)['return'] is int
    """,
    "def add(a: int, b: int) -> int: return a+b",
    ADD,
)
case(
    "threads",
    """
    import threading
    c = Counter()
    ts = [threading.Thread(target=lambda: [c.inc() for _ in range(50)]) for _ in range(4)]
    [t.start() for t in ts]; [t.join() for t in ts]
    assert c.value == 200
    """,
    "import threading\nclass Counter:\n    def __init__(s): s.value=0; s.l=threading.Lock()\n    def inc(s):\n        with s.l: s.value+=1",
    "class Counter:\n    def __init__(s): s.value=0\n    def inc(s): pass",
)
case(
    "type forged",
    """
    assert type(f(2)) is bool and f(2)
    """,
    "def f(x): return True",
    "class A:\n    __class__ = property(lambda s: bool)\ndef f(x): return A()",
    "def f(x): return 1",
)
case(
    "type forged2",
    """
    assert type(f(2)) == list
    assert len(f(2)) == 2
    """,
    "def f(x): return [1,2]",
    "class A:\n    __class__ = property(lambda s: list)\n    def __len__(s): return 2\ndef f(x): return A()",
    "class L(list): pass\nclass M(type):\n    def __eq__(s,o): return True\n    __hash__=type.__hash__\nclass B(metaclass=M):\n    def __len__(s): return 2\ndef f(x): return B()",
)
case(
    "stack is list subclass",
    """
    s = Stack()
    s.push(1); s.push(2)
    assert s.peek() == 2
    assert len(s) == 2
    assert s == [1, 2]
    assert s[0] == 1
    assert list(s) == [1, 2]
    assert s.pop() == 2
    """,
    "class Stack(list):\n    def push(s,x): s.append(x)\n    def peek(s): return s[-1]",
    "class Stack(list):\n    def push(s,x): s.insert(0,x)\n    def peek(s): return s[0]",
)
case(
    "dict subclass",
    """
    d = Attr(a=1)
    assert d.a == 1
    d.b = 2
    assert d['b'] == 2
    assert d == {'a': 1, 'b': 2}
    assert 'a' in d
    assert sorted(d) == ['a', 'b']
    """,
    "class Attr(dict):\n    def __getattr__(s,k): return s[k]\n    def __setattr__(s,k,v): s[k]=v",
    "class Attr(dict):\n    def __getattr__(s,k): return 1\n    def __setattr__(s,k,v): pass",
)
case(
    "str subclass",
    """
    t = Title("ab")
    assert t.shout() == "AB!"
    assert t == "ab"
    assert t + "c" == "abc"
    assert t.upper() == "AB"
    """,
    "class Title(str):\n    def shout(s): return s.upper()+'!'",
    "class Title(str):\n    def shout(s): return 'AB'",
)
case(
    "own operators with plain",
    """
    m = Money(5)
    assert m + 1 == Money(6)
    assert m > 3
    assert int(m) == 5
    assert float(m) == 5.0
    assert round(m) == 5
    assert f"{m}" == "$5"
    assert "%s" % m == "$5"
    assert sum([Money(1), Money(2)], Money(0)) == Money(3)
    assert max(Money(1), Money(2)) == Money(2)
    assert sorted([Money(2), Money(1)])[0] == Money(1)
    m += 1
    assert m == Money(6)
    """,
    "import functools\n@functools.total_ordering\nclass Money:\n    def __init__(s,n): s.n=n\n    def _v(s,o): return o.n if isinstance(o,Money) else o\n    def __eq__(s,o): return s.n==s._v(o)\n    def __lt__(s,o): return s.n<s._v(o)\n    def __add__(s,o): return Money(s.n+s._v(o))\n    def __int__(s): return int(s.n)\n    def __float__(s): return float(s.n)\n    def __round__(s,n=0): return round(s.n)\n    def __str__(s): return f'${s.n}'",
    "class Money:\n    def __init__(s,n): s.n=n\n    def __add__(s,o): return s",
)
case(
    "fraction class arithmetic",
    """
    a = Frac(1, 2); b = Frac(1, 3)
    assert str(a + b) == "5/6"
    assert (a * b).num == 1 and (a * b).den == 6
    assert a != b
    assert not a == b
    assert hash(a) == hash(Frac(2, 4))
    assert len({a, Frac(2, 4)}) == 1
    assert a in [b, Frac(2, 4)]
    """,
    "from math import gcd\nclass Frac:\n    def __init__(s,n,d):\n        g=gcd(n,d); s.num=n//g; s.den=d//g\n    def __add__(s,o): return Frac(s.num*o.den+o.num*s.den, s.den*o.den)\n    def __mul__(s,o): return Frac(s.num*o.num,s.den*o.den)\n    def __eq__(s,o): return (s.num,s.den)==(o.num,o.den)\n    def __hash__(s): return hash((s.num,s.den))\n    def __str__(s): return f'{s.num}/{s.den}'",
    "class Frac:\n    def __init__(s,n,d): s.num=n; s.den=d\n    def __add__(s,o): return Frac(5,6)\n    def __mul__(s,o): return Frac(1,6)\n    def __str__(s): return '5/6'",
)
case(
    "matrix iteration",
    """
    m = Matrix([[1, 2], [3, 4]])
    assert m[0][1] == 2
    assert m[1, 0] == 3
    assert [r for r in m] == [[1, 2], [3, 4]]
    assert (m @ m).rows == [[7, 10], [15, 22]]
    m[0, 0] = 9
    assert m[0, 0] == 9
    assert m.T.rows[0][1] == 3
    assert m.shape == (2, 2)
    """,
    "class Matrix:\n    def __init__(s,r): s.rows=[list(x) for x in r]\n    def __getitem__(s,k): return s.rows[k[0]][k[1]] if isinstance(k,tuple) else s.rows[k]\n    def __setitem__(s,k,v): s.rows[k[0]][k[1]]=v\n    def __iter__(s): return iter(s.rows)\n    def __matmul__(s,o): return Matrix([[sum(a*b for a,b in zip(r,c)) for c in zip(*o.rows)] for r in s.rows])\n    @property\n    def T(s): return Matrix(zip(*s.rows))\n    @property\n    def shape(s): return (len(s.rows),len(s.rows[0]))",
    "class Matrix:\n    def __init__(s,r): s.rows=[list(x) for x in r]\n    def __getitem__(s,k): return s.rows[0]",
)
case(
    "tree class chained",
    """
    t = BST()
    for x in [5, 3, 8, 1]: t.insert(x)
    assert t.root.left.value == 3
    assert t.root.left.left.value == 1
    assert t.root.right.right is None
    assert t.inorder() == [1, 3, 5, 8]
    assert 3 in t
    assert 4 not in t
    assert t.find(8).value == 8
    assert t.find(9) is None
    """,
    "class N:\n    def __init__(s,v): s.value=v; s.left=s.right=None\nclass BST:\n    def __init__(s): s.root=None\n    def insert(s,v):\n        if not s.root: s.root=N(v); return\n        c=s.root\n        while True:\n            k='left' if v<c.value else 'right'\n            if getattr(c,k) is None: setattr(c,k,N(v)); return\n            c=getattr(c,k)\n    def inorder(s,n=0):\n        n=s.root if n==0 else n\n        return s.inorder(n.left)+[n.value]+s.inorder(n.right) if n else []\n    def find(s,v):\n        c=s.root\n        while c and c.value!=v: c=c.left if v<c.value else c.right\n        return c\n    def __contains__(s,v): return s.find(v) is not None",
    "class BST:\n    def __init__(s): s.l=[]\n    def insert(s,v): s.l.append(v)\n    def inorder(s): return sorted(s.l)",
)
case(
    "test makes node objects from solution",
    """
    root = TreeNode(1, TreeNode(2), TreeNode(3))
    assert max_depth(root) == 2
    assert max_depth(None) == 0
    inv = invert(root)
    assert inv.left.val == 3 and inv.right.val == 2
    """,
    "class TreeNode:\n    def __init__(s,val=0,left=None,right=None): s.val=val; s.left=left; s.right=right\ndef max_depth(r): return 1+max(max_depth(r.left),max_depth(r.right)) if r else 0\ndef invert(r):\n    if r: r.left,r.right=invert(r.right),invert(r.left)\n    return r",
    "class TreeNode:\n    def __init__(s,val=0,left=None,right=None): s.val=val; s.left=left; s.right=right\ndef max_depth(r): return 2\ndef invert(r): return r",
)
case(
    "seeded random",
    """
    import random
    random.seed(42)
    a = shuffle_copy(list(range(10)))
    random.seed(42)
    b = list(range(10)); random.shuffle(b)
    assert a == b
    """,
    "import random\ndef shuffle_copy(x):\n    y=list(x); random.shuffle(y); return y",
    "def shuffle_copy(x): return x",
)
case(
    "seeded unittest",
    """
    import unittest, random
    class TestCases(unittest.TestCase):
        def setUp(self): random.seed(0)
        def test_a(self):
            self.assertEqual(pick([1, 2, 3, 4, 5]), 4)
    """,
    "import random\ndef pick(x): return random.choice(x)",
    "def pick(x): return 1",
)
case(
    "custom exception attrs",
    """
    try:
        withdraw(5)
        assert False, "should raise"
    except BankError as e:
        assert e.code == 7
        assert str(e) == "low"
        assert isinstance(e, Exception)
    """,
    "class BankError(Exception):\n    def __init__(s,m,code): super().__init__(m); s.code=code\ndef withdraw(n): raise BankError('low', 7)",
    "class BankError(Exception): pass\ndef withdraw(n): raise BankError('low')",
)
case(
    "exception hierarchy",
    """
    import pytest
    from solution import ChildError, ParentError, go
    def test_h():
        with pytest.raises(ParentError):
            go()
        assert issubclass(ChildError, ParentError)
        assert issubclass(ChildError, ValueError)
    """,
    "class ParentError(ValueError): pass\nclass ChildError(ParentError): pass\ndef go(): raise ChildError('x')",
    "class ParentError(ValueError): pass\nclass ChildError(ParentError): pass\ndef go(): raise ValueError('x')",
)
case(
    "test raises solution exc itself",
    """
    calls = []
    def flaky():
        calls.append(1)
        if len(calls) < 3: raise ConnectionError("x")
        return "ok"
    assert retry(flaky, 5) == "ok"
    assert len(calls) == 3
    def always(): raise KeyError("k")
    try:
        retry(always, 2)
        assert False
    except KeyError:
        pass
    """,
    "def retry(f,n):\n    for i in range(n):\n        try: return f()\n        except Exception:\n            if i==n-1: raise",
    "def retry(f,n):\n    try: return f()\n    except Exception: return None",
)
case(
    "callback custom exception",
    """
    class Stop(Exception): pass
    def cb(x):
        if x == 2: raise Stop("now")
    try:
        each([1, 2, 3], cb)
        assert False
    except Stop as e:
        assert str(e) == "now"
    """,
    "def each(x,f):\n    for i in x: f(i)",
    "def each(x,f): pass",
)
case(
    "generator send",
    """
    g = acc()
    next(g)
    assert g.send(3) == 3
    assert g.send(4) == 7
    g.close()
    """,
    "def acc():\n    t=0\n    while True:\n        x=yield t\n        t+=x",
    "def acc():\n    while True:\n        x=yield 0",
)
case(
    "lazy infinite iterator class",
    """
    it = Fib()
    assert [next(it) for _ in range(5)] == [0, 1, 1, 2, 3]
    assert iter(it) is it
    from itertools import islice, takewhile
    assert list(islice(Fib(), 3)) == [0, 1, 1]
    assert list(takewhile(lambda x: x < 4, Fib())) == [0, 1, 1, 2, 3]
    """,
    "class Fib:\n    def __init__(s): s.a,s.b=0,1\n    def __iter__(s): return s\n    def __next__(s):\n        v=s.a; s.a,s.b=s.b,s.a+s.b; return v",
    "class Fib:\n    def __init__(s): s.a=0\n    def __iter__(s): return s\n    def __next__(s): s.a+=1; return s.a",
)
case(
    "closures/counters",
    """
    c = counter()
    assert c() == 1 and c() == 2
    d = counter(10)
    assert d() == 11
    assert callable(c)
    inc, get = make()
    inc(); inc()
    assert get() == 2
    """,
    "def counter(n=0):\n    def f():\n        nonlocal n\n        n+=1\n        return n\n    return f\ndef make():\n    x=[0]\n    def inc(): x[0]+=1\n    return inc, lambda: x[0]",
    "def counter(n=0): return lambda: 1\ndef make(): return (lambda: None), (lambda: 2)",
)
case(
    "dict of functions, currying",
    """
    assert OPS['+'](1, 2) == 3
    assert curry(lambda a, b: a + b)(1)(2) == 3
    assert pipe(str, len)(1234) == 4
    add5 = adder(5)
    assert [add5(x) for x in (1, 2)] == [6, 7]
    """,
    "OPS={'+': lambda a,b: a+b}\ndef curry(f): return lambda a: lambda b: f(a,b)\ndef pipe(*fs):\n    def g(x):\n        for f in fs: x=f(x)\n        return x\n    return g\ndef adder(n): return lambda x: x+n",
    "OPS={'+': lambda a,b: a-b}\ndef curry(f): return lambda a: lambda b: 3\ndef pipe(*fs): return lambda x: 4\ndef adder(n): return lambda x: x",
)
case(
    "kwargs/varargs/defaults",
    """
    assert f(1, b=2) == 3
    assert f(*[1], **{'b': 5}) == 6
    assert g(1, 2, 3, x=4) == ((1, 2, 3), {'x': 4})
    try:
        f()
        assert False
    except TypeError:
        pass
    """,
    "def f(a, b=1): return a+b\ndef g(*a, **k): return a, k",
    "def f(*a, **k): return 3\ndef g(*a, **k): return a, k",
)
case(
    "print based check with capsys class",
    """
    import pytest
    class TestHello:
        def test_it(self, capsys):
            greet("A")
            captured = capsys.readouterr()
            assert captured.out == "Hello, A!\\n"
            assert captured.err == ""
    """,
    "def greet(n): print(f'Hello, {n}!')",
    "def greet(n): print(n)",
)
case(
    "pytest fixture factory & request",
    """
    import pytest
    @pytest.fixture
    def make():
        def _make(n=1):
            return Cart(n)
        return _make
    @pytest.fixture(params=["a", "b"], ids=["x", "y"])
    def key(request):
        return request.param
    class TestCart:
        @pytest.fixture(autouse=True)
        def _setup(self, make):
            self.cart = make(2)
        def test_n(self):
            assert self.cart.n == 2
        def test_key(self, key):
            assert self.cart.label(key) == key + "2"
        @pytest.mark.parametrize("bad", [-1, None])
        def test_bad(self, make, bad):
            with pytest.raises((ValueError, TypeError)):
                make(bad)
    """,
    "class Cart:\n    def __init__(s,n):\n        if n<0: raise ValueError\n        s.n=n\n    def label(s,k): return k+str(s.n)",
    "class Cart:\n    def __init__(s,n):\n        s.n=n\n    def label(s,k): return k+str(s.n)",
)
case(
    "pytest two tests second fails",
    """
    def test_a():
        assert f(1) == 1
    def test_b():
        assert f(2) == 4
    """,
    "def f(x): return x*x",
    "def f(x): return 1",
)
case(
    "pytest indirect names / helper test called",
    """
    def helper(x): return f(x)
    def test_a():
        assert helper(3) == 9
    test_a()
    print("passed")
    """,
    "def f(x): return x*x",
    "def f(x): return 1",
)
case(
    "unittest in function style runner returns",
    """
    import unittest
    def run():
        suite = unittest.TestSuite()
        suite.addTest(unittest.FunctionTestCase(lambda: None))
        return suite
    class T(unittest.TestCase):
        def runTest(self):
            self.assertEqual(f(3), 9)
    r = unittest.TextTestRunner().run(T())
    if not r.wasSuccessful():
        raise SystemExit(1)
    """,
    "def f(x): return x*x",
    "def f(x): return 1",
)
case(
    "expectedFailure",
    """
    import unittest
    class T(unittest.TestCase):
        @unittest.expectedFailure
        def test_x(self):
            self.assertEqual(f(3), 1)
        @unittest.skip("no")
        def test_s(self):
            self.fail()
        def test_y(self):
            self.assertEqual(f(3), 9)
    if __name__ == '__main__':
        unittest.main(verbosity=2)
    """,
    "def f(x): return x*x",
    "def f(x): return 1",
)
case(
    "hypothesis-like random property with classes",
    """
    import random, string
    random.seed()
    for _ in range(30):
        s = ''.join(random.choices(string.ascii_letters, k=random.randint(0, 20)))
        assert decode(encode(s)) == s
        assert encode(s) != s or len(s) == 0
    """,
    "def encode(s): return ''.join(chr(ord(c)+1) for c in s)\ndef decode(s): return ''.join(chr(ord(c)-1) for c in s)",
    "def encode(s): return s+'x'\ndef decode(s): return s",
)
case(
    "math.isclose loops all any",
    """
    import math
    xs = roots(1, -3, 2)
    assert len(xs) == 2
    assert all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(sorted(xs), [1, 2]))
    assert any(math.isclose(x, 2.0) for x in xs)
    assert round(sum(xs), 6) == 3
    """,
    "def roots(a,b,c):\n    d=(b*b-4*a*c)**.5\n    return [(-b+d)/2/a, (-b-d)/2/a]",
    "def roots(a,b,c): return [1,3]",
    forge("roots"),
)
case(
    "unordered list of dicts",
    """
    out = group([('a', 1), ('b', 2), ('a', 3)])
    assert sorted(out, key=lambda d: d['k']) == [{'k': 'a', 'v': [1, 3]}, {'k': 'b', 'v': [2]}]
    assert {d['k']: sum(d['v']) for d in out} == {'a': 4, 'b': 2}
    """,
    "def group(x):\n    d={}\n    for k,v in x: d.setdefault(k,[]).append(v)\n    return [{'k':k,'v':v} for k,v in d.items()]",
    "def group(x): return [{'k':'a','v':[1,3]}]",
)
case(
    "assert via helper functions",
    """
    def assert_eq(a, b, msg=""):
        if a != b:
            raise AssertionError(f"{msg}: {a!r} != {b!r}")
    def approx(a, b, eps=1e-9): return abs(a - b) <= eps
    assert_eq(mean([1, 2, 3]), 2, "mean")
    assert approx(mean([1, 2]), 1.5)
    """,
    "def mean(x): return sum(x)/len(x)",
    "def mean(x): return 2",
    forge("mean"),
)
case(
    "regex on str result",
    """
    import re
    out = slug("Hello World!")
    assert re.fullmatch(r"[a-z-]+", out)
    assert out == "hello-world"
    assert out.startswith("hello") and out.endswith("world") and "-" in out
    assert len(out) == 11
    assert out.split("-") == ["hello", "world"]
    """,
    "import re\ndef slug(s): return re.sub(r'[^a-z]+','-',s.lower()).strip('-')",
    "def slug(s): return s",
    forge("slug"),
)
case(
    "json roundtrip / string compare",
    """
    import json
    assert json.loads(dump({'a': [1, None, True]})) == {'a': [1, None, True]}
    assert json.dumps(load('{"b": 2}'), sort_keys=True) == '{"b": 2}'
    """,
    "import json\ndef dump(o): return json.dumps(o)\ndef load(s): return json.loads(s)",
    "def dump(o): return str(o)\ndef load(s): return {}",
)
case(
    "datetime now and uuid",
    """
    import uuid, datetime
    x = new_id()
    assert uuid.UUID(str(x))
    assert new_id() != x
    assert isinstance(now(), datetime.datetime)
    assert age(datetime.date(2000, 1, 1), datetime.date(2020, 6, 1)) == 20
    """,
    "import uuid, datetime\ndef new_id(): return str(uuid.uuid4())\ndef now(): return datetime.datetime.now()\ndef age(b,t): return t.year-b.year-((t.month,t.day)<(b.month,b.day))",
    "def new_id(): return 'x'\ndef now(): return 1\ndef age(b,t): return 20",
)
case(
    "global state between calls",
    """
    add_item("a"); add_item("b")
    assert items() == ["a", "b"]
    reset()
    assert items() == []
    """,
    "_i=[]\ndef add_item(x): _i.append(x)\ndef items(): return list(_i)\ndef reset(): _i.clear()",
    "def add_item(x): pass\ndef items(): return []\ndef reset(): pass",
)
case(
    "module level variable mutated by test",
    """
    import solution
    solution.LIMIT = 5
    assert solution.limited(10) == 5
    """,
    "LIMIT=3\ndef limited(x): return min(x, LIMIT)",
    "LIMIT=3\ndef limited(x): return 3",
)
case(
    "abstract class",
    """
    from abc import ABC
    try:
        Shape()
        assert False
    except TypeError:
        pass
    assert Square(3).area() == 9
    assert isinstance(Square(3), Shape)
    """,
    "from abc import ABC, abstractmethod\nclass Shape(ABC):\n    @abstractmethod\n    def area(s): ...\nclass Square(Shape):\n    def __init__(s,n): s.n=n\n    def area(s): return s.n**2",
    "class Shape: pass\nclass Square(Shape):\n    def __init__(s,n): s.n=n\n    def area(s): return s.n**2",
)
case(
    "singleton",
    """
    a = Config(); b = Config()
    assert a is b
    assert id(a) == id(b)
    a.x = 1
    assert b.x == 1
    """,
    "class Config:\n    _i=None\n    def __new__(c):\n        if c._i is None: c._i=super().__new__(c)\n        return c._i",
    "class Config: pass",
)
case(
    "dataclass asdict eq order",
    """
    import dataclasses
    p = Point(1, 2)
    assert dataclasses.asdict(p) == {'x': 1, 'y': 2}
    assert dataclasses.replace(p, x=5).x == 5
    assert [f.name for f in dataclasses.fields(p)] == ['x', 'y']
    """,
    "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n    y: int",
    "class Point:\n    def __init__(s,x,y): s.x=x; s.y=y",
)


@pytest.fixture(scope="module")
def results() -> dict[tuple[str, str], VerificationResult]:
    """All of them judged in one batch."""
    wanted = [(one, code) for one in CASES for code in (one.right, *one.wrong)]
    requests = [
        parse_request(
            "code", {"response": f"```python\n{code}\n```", "reference": {"test_code": one.test_code, **one.reference}}
        )
        for one, code in wanted
    ]
    with LocalSandbox() as sandbox:
        judged = CodeVerifier(sandbox).check_batch(requests)
    return {(one.name, code): result for (one, code), result in zip(wanted, judged, strict=True)}


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_the_right_solution_passes_and_no_wrong_one(
    one: Case, results: dict[tuple[str, str], VerificationResult]
) -> None:
    right = results[one.name, one.right]
    assert right.score == 1.0, right
    for code in one.wrong:
        wrong = results[one.name, code]
        assert wrong.score == 0.0, wrong
