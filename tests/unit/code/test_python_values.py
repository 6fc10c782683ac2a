# ruff: noqa: E501
"""Values of a Python solution as its test program sees them, each against a right and a wrong solution."""

import pytest

from tests.unit.solutions import judged, spoiled
from verifleet.verification import VerificationResult
from verifleet.verifiers.code import CodeVerifier

RIGHT = """\
import copy, asyncio, dataclasses, collections, enum, math, itertools, functools, contextlib
class Node:
    def __init__(self,val,next=None): self.val=val; self.next=next
class Stack:
    def __init__(self,items=()): self.items=list(items)
    def push(self,x): self.items.append(x); return self
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __eq__(self,o): return isinstance(o,Stack) and self.items==o.items
    def __repr__(self): return f"Stack({self.items})"
    def __contains__(self,x): return x in self.items
    def __getitem__(self,i): return self.items[i]
    def __add__(self,o): return Stack(self.items+o.items)
    def __lt__(self,o): return len(self)<len(o)
    def __bool__(self): return bool(self.items)
    def __hash__(self): return hash(tuple(self.items))
    def __call__(self): return 'called'
    def __enter__(self): return self
    def __exit__(self,*a): self.items.clear()
    @property
    def top(self): return self.items[-1]
    @classmethod
    def of(cls,*a): return cls(a)
    @staticmethod
    def kind(): return 'stack'
class ValidationError(ValueError):
    def __init__(self,msg,field): super().__init__(msg); self.field=field
def validate(x):
    if not x: raise ValidationError('empty','x')
    return True
def counter():
    c=0
    def inc():
        nonlocal c; c+=1; return c
    return inc
def gen(n):
    for i in range(n): yield i*i
async def aget(x): await asyncio.sleep(0); return x*2
async def agen(n):
    for i in range(n): yield i
def sort_in(a): a.sort()
def same(a): return a
def clone(o): return copy.deepcopy(o)
def mapper(f,xs): return [f(x) for x in xs]
def memo(f):
    d={}
    def g(x):
        if x not in d: d[x]=f(x)
        return d[x]
    return g
@dataclasses.dataclass
class Pt:
    x:int; y:int=0
    def dist(self): return math.hypot(self.x,self.y)
class Color(enum.Enum): RED=1; BLUE=2
NT=collections.namedtuple('NT','a b')
def nt(): return NT(1,2)
def deq(): return collections.deque([1,2])
def dd(): d=collections.defaultdict(list); d['a'].append(1); return d
def cnt(s): return collections.Counter(s)
def od(): return collections.OrderedDict([('a',1),('b',2)])
def cplx(): return 1+2j
def frac():
    from fractions import Fraction; return Fraction(1,3)
def dec():
    from decimal import Decimal; return Decimal('1.10')
def dt():
    import datetime; return datetime.date(2024,1,31)
def by(): return b'hi'
def nan(): return float('nan')
def rng(): return range(3)
def pr(x): print('got',x)
@contextlib.contextmanager
def cm(l):
    l.append('in'); yield 5; l.append('out')
def deco(f):
    @functools.wraps(f)
    def g(*a,**k): return f(*a,**k)+1
    return g
def kw(a,*,b=2,**c): return (a,b,sorted(c))
def lst(head):
    n=None
    for v in reversed(head): n=Node(v,n)
    return n
def inp(): return int(input())+1
class Shape:
    def area(self): raise NotImplementedError
class Sq(Shape):
    def __init__(s,a): s.a=a
    def area(s): return s.a**2
CONST=42
state=[]
def bump(): state.append(1); return len(state)
"""
FAULTS = {
    'self.items.pop()': 'self.items.pop(0)',
    'c+=1; return c': 'c+=2; return c',
    'yield i*i': 'yield i',
    'return x*2': 'return x*3',
    'yield i\n': 'yield i+1\n',
    'a.sort()': 'a.sort(reverse=True)',
    'def same(a): return a': 'def same(a): return a[:]',
    'copy.deepcopy(o)': 'copy.copy(o)',
    '[f(x) for': '[f(x+1) for',
    'if x not in d: ': '',
    'math.hypot(self.x,self.y)': 'self.x',
    'RED=1': 'RED=3',
    'NT(1,2)': 'NT(2,1)',
    'deque([1,2])': 'deque([2,1])',
    "d['a'].append(1)": "d['a'].append(2)",
    'Counter(s)': 'Counter(s+s)',
    "[('a',1),('b',2)]": "[('b',2),('a',3)]",
    '1+2j': '2+1j',
    'Fraction(1,3)': 'Fraction(1,4)',
    "'1.10'": "'1.11'",
    '1,31': '1,30',
    "b'hi'": "b'ho'",
    "float('nan')": '0.0',
    'range(3)': 'range(4)',
    "'got'": "'gut'",
    "l.append('out')": 'pass',
    '+1\n    return g': '\n    return g',
    'b=2': 'b=3',
    'reversed(head)': 'head',
    'int(input())+1': 'int(input())',
    's.a**2': 's.a*3',
    'CONST=42': 'CONST=43',
    'return len(state)': 'return 1',
    "'empty','x'": "'empty','y'",
    'items+o.items': 'items',
    'self.items[-1]': 'self.items[0]',
    "'stack'": "'stuck'",
    "'called'": "'c'",
    'x in self.items': 'True',
    'len(self)<len(o)': 'True',
    'Stack({self.items})': 'S({self.items})',
    'self.items.clear()': 'pass',
    'hash(tuple(self.items))': 'id(self)',
    'bool(self.items)': 'True',
}  # fmt: skip
PROGRAMS = {
    'stack': 's=Stack(); s.push(1).push(2); assert s.pop()==2; assert len(s)==1',
    'iter': 's=Stack([1,2]); s.pop(); assert list(s)==[1]; assert [x for x in s]==[1]',
    'repr': "s=Stack([1,2]); s.pop(); assert repr(s)=='Stack([1])' and str(s)=='Stack([1])'",
    'contains': 's=Stack([1]); assert 1 in s; assert 5 not in s',
    'getitem': 's=Stack([4,5]); s.pop(); assert s[0]==4 and s[-1]==4',
    'add': 'assert list(Stack([1])+Stack([2]))==[1,2]',
    'sorted': 'a=sorted([Stack([1,2]),Stack([3])]); assert list(a[0])==[3]; assert not (Stack([1,2])<Stack([1]))',
    'bool': 'assert not Stack(); assert Stack([1])',
    'hash': 'assert len({Stack([1]),Stack([1])})==1',
    'call': "assert Stack()()=='called'",
    'with': 's=Stack([1])\nwith s as t: assert t is s\nassert len(s)==0',
    'prop': 'assert Stack([1,2]).top==2',
    'classmethod': "assert Stack.of(1,2).pop()==2; assert Stack.kind()=='stack'",
    'eq obj': 's=Stack([1,2]); s.pop(); assert s==Stack([1])',
    'err field': "try:\n    validate(0)\n    assert False\nexcept ValidationError as e:\n    assert e.field=='x' and str(e)=='empty'\n",
    'err super': "try:\n    validate(0)\nexcept ValueError as e:\n    assert e.field=='x'\nelse: assert 0",
    'counter': 'c=counter(); c(); assert c()==2',
    'gen': 'assert list(gen(3))==[0,1,4]; g=gen(3); next(g); assert next(g)==1; assert next(g)==4',
    'async': 'import asyncio\nassert asyncio.run(aget(2))==4',
    'agen': 'import asyncio\nasync def main(): return [x async for x in agen(3)]\nassert asyncio.run(main())==[0,1,2]',
    'sort': 'a=[3,1,2]; sort_in(a); assert a==[1,2,3]',
    'identity': 'a=[1]; assert same(a) is a',
    'clone': "o={'a':[1]}; c=clone(o); c['a'].append(2); assert o=={'a':[1]}",
    'clone ident': "o={'a':[1]}; c=clone(o); assert c==o and c is not o and c['a'] is not o['a']",
    'mapper': 'assert mapper(lambda x:x*2,[1,2])==[2,4]',
    'memo': 'n=[]\nm=memo(lambda x:(n.append(x),x)[1]); m(1); m(1); assert n==[1]',
    'dataclass': 'p=Pt(3,4); assert p.dist()==5; assert p==Pt(3,4); assert p.x==3',
    'dataclass set': 'p=Pt(3); p.y=4; assert p.dist()==5.0',
    'dc repr': "assert repr(Pt(1,2))=='Pt(x=1, y=2)'; assert CONST==42",
    'enum': "assert Color.RED.value==1; assert Color(1) is Color.RED; assert Color['RED'].name=='RED'",
    'nt': 'assert nt().a==1; assert nt()==(1,2); a,b=nt(); assert b==2',
    'deque': 'import collections\nassert deq()==collections.deque([1,2]); assert deq()[0]==1; assert list(deq())==[1,2]',
    'defaultdict': "assert dd()=={'a':[1]}; assert dd()['zz']==[]",
    'counter2': "from collections import Counter\nassert cnt('aab')==Counter(a=2,b=1); assert cnt('aab').most_common(1)==[('a',2)]",
    'ordered': "assert list(od())==['a','b']; assert od()=={'a':1,'b':2}",
    'complex': 'assert cplx()==1+2j; assert cplx().imag==2',
    'fraction': 'from fractions import Fraction\nassert frac()==Fraction(1,3); assert frac().denominator==3',
    'decimal': "from decimal import Decimal\nassert dec()==Decimal('1.1')",
    'date': "import datetime\nassert dt()==datetime.date(2024,1,31); assert dt().isoformat()=='2024-01-31'",
    'bytes': "assert by()==b'hi'; assert isinstance(by(),bytes)",
    'nan': 'import math\nassert math.isnan(nan())',
    'range': 'assert list(rng())==[0,1,2]; assert rng()==range(3)',
    'capture': "import io,contextlib\nb=io.StringIO()\nwith contextlib.redirect_stdout(b): pr(3)\nassert b.getvalue()=='got 3\\n'",
    'deco': '@deco\ndef f(x): return x\nassert f(2)==3',
    'deco name': "@deco\ndef f(x): return x\nassert f(2)==3 and f.__name__=='f'",
    'kw': "assert kw(1,z=3)==(1,2,['z'])",
    'linked': 'n=lst([1,2]); out=[]\nwhile n: out.append(n.val); n=n.next\nassert out==[1,2]',
    'linked arg': 'n=Node(1,Node(2)); assert n.next.val==2; assert lst([1,2]).val==1',
    'sub': 'assert isinstance(Sq(2),Shape); assert Sq(2).area()==4\ntry:\n    Shape().area(); assert 0\nexcept NotImplementedError: pass',
    'subclass': 'class T(Shape):\n    def area(self): return CONST\nassert T().area()==42 and isinstance(T(),Shape)',
    'state': 'bump(); assert bump()==2',
    'pytest raises': "import pytest\ndef test_a():\n    with pytest.raises(ValidationError) as e: validate(0)\n    assert e.value.field=='x'",
    'pytest param': "import pytest\n@pytest.mark.parametrize('n,e',[(1,[0]),(3,[0,1,4])])\ndef test_g(n,e): assert list(gen(n))==e",
    'pytest fixture': 'import pytest\n@pytest.fixture\ndef s(): return Stack([1,2])\ndef test_p(s): assert s.pop()==2\ndef test_q(s): assert len(s)==2',
    'unittest': "import unittest\nclass T(unittest.TestCase):\n    def setUp(self): self.s=Stack([1,2])\n    def test_a(self): self.assertEqual(self.s.pop(),2)\n    def test_b(self):\n        with self.assertRaises(ValidationError): validate(0)\nif __name__=='__main__': unittest.main()",
    'unittest regex': "import unittest\nclass T(unittest.TestCase):\n    def test_b(self):\n        with self.assertRaisesRegex(ValueError,'emp') as c: validate(0)\n        self.assertEqual(c.exception.field,'x')\n    def test_c(self): self.assertListEqual(list(gen(3)),[0,1,4]); self.assertAlmostEqual(Pt(3,4).dist(),5.0); self.assertCountEqual(cnt('ab'),['b','a']); self.assertIsInstance(Sq(1),Shape)\nunittest.main()",
    'mock': 'from unittest.mock import Mock\nm=Mock(return_value=3); assert mapper(m,[1,2])==[3,3]; assert m.call_count==2; m.assert_any_call(1)',
    'patch input': "from unittest.mock import patch\nwith patch('builtins.input',return_value='4'): assert inp()==5",
    'async unittest': 'import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self): self.assertEqual(await aget(3),6)\nunittest.main()',
    'main guard': "def main():\n    assert list(gen(3))==[0,1,4]\nif __name__=='__main__':\n    main(); print('ok')",
    'import solution': 'from solution import gen\nimport solution\nassert list(gen(3))==[0,1,4] and solution.CONST==42',
    'map lazy': 'assert sum(map(lambda x:x, gen(4)))==14; assert max(gen(4))==9',
    'zip star': 'assert list(zip(gen(2),gen(2)))==[(0,0),(1,1)] and dict(enumerate(gen(3)))=={0:0,1:1,2:4}',
    'callable': "assert callable(gen) and gen.__name__=='gen' and list(gen(3))==[0,1,4]",
    'inspect sig': "import inspect\nassert list(inspect.signature(kw).parameters)==['a','b','c'] and kw(1)==(1,2,[])",
    'hasattr': "assert hasattr(Stack(),'push') and not hasattr(Stack(),'nope') and Stack([1,2]).pop()==2",
}  # fmt: skip


def check(verifier: CodeVerifier, code: str, test_code: str) -> VerificationResult:
    return judged(verifier, "python", code, test_code)


@pytest.fixture(scope="module")
def wrong() -> str:
    return spoiled(RIGHT, FAULTS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_value_is_seen_as_if_there_were_one_process(verifier: CodeVerifier, wrong: str, name: str) -> None:
    results = [check(verifier, code, PROGRAMS[name]) for code in (RIGHT, wrong)]
    assert [(result.status, result.score) for result in results] == [("scored", 1.0), ("scored", 0.0)]


@pytest.mark.parametrize(
    ("code", "test_code", "score"),
    [
        ("def pick(a): return a[1]", "a = [[1], [2]]; b = pick(a); b.append(3); assert a == [[1], [2, 3]]", 1.0),
        ("def pick(d): return {'inner': d['x']}", "d = {'x': {}}; assert pick(d)['inner'] is d['x']", 1.0),
        ("def pick(a): a.sort(); return a[0]", "a = [[2], [1]]; assert pick(a) == [1] and a == [[1], [2]]", 1.0),
        ("def pick(a): return [*a]", "a = [[1]]; b = pick(a); assert b == a and b[0] is not a[0]", 0.0),
        ("def pick(t): return t[0]", "t = ([1],); assert pick(t) is t[0]", 1.0),
        ("def pick(a): return [list(x) for x in a]", "a = [[1]]; assert pick(a)[0] is not a[0]", 1.0),
    ],
)
def test_what_comes_back_is_the_object_that_was_passed_in(
    verifier: CodeVerifier, code: str, test_code: str, score: float
) -> None:
    assert check(verifier, code, f"for _ in range(1):\n    {test_code}").score == score
