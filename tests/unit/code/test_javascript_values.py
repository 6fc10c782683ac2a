# ruff: noqa: E501
"""Values of a JavaScript solution as its test program sees them, each against a right and a wrong solution."""

import shutil

import pytest

from tests.unit.solutions import judged, spoiled
from verifleet.verification import VerificationResult
from verifleet.verifiers.code import CodeVerifier

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
EQUAL = "const assert = require('assert'); const same_ = assert.deepStrictEqual;\n"

RIGHT = """\
class Node{constructor(v,n=null){this.val=v;this.next=n}}
class Stack{constructor(){this.items=[]} push(x){this.items.push(x);return this} pop(){return this.items.pop()} get size(){return this.items.length} isEmpty(){return this.items.length===0} *[Symbol.iterator](){yield* this.items} static of(...a){const s=new Stack();a.forEach(x=>s.push(x));return s} toString(){return `Stack(${this.items})`} toJSON(){return this.items} }
class ValidationError extends Error{constructor(m,f){super(m);this.name='ValidationError';this.field=f}}
function validate(x){ if(!x) throw new ValidationError('empty','x'); return true }
const fromArr=a=>a.reduceRight((n,v)=>new Node(v,n),null);
const counter=()=>{let c=0;return ()=>++c};
const counterObj=()=>{let c=0;return {inc(){return ++c},get value(){return c}}};
const curry=f=>a=>b=>f(a,b);
const memo=f=>{const m=new Map();return x=>{if(!m.has(x))m.set(x,f(x));return m.get(x)}};
const ordered=a=>{a.sort((x,y)=>x-y)};
const same=a=>a;
const big=n=>{let r=1n;for(let i=2n;i<=BigInt(n);i++)r*=i;return r};
const groups=a=>{const m=new Map();for(const x of a){const k=x%2?'odd':'even';m.set(k,[...(m.get(k)||[]),x])}return m};
const uniq=a=>new Set(a);
const people=()=>[{name:'Bo',age:3},{name:'Al',age:2}];
async function* agen(n){for(let i=0;i<n;i++)yield i}
const EventEmitter=require('events'); class Em extends EventEmitter{go(x){this.emit('done',x*2)}}
const retry=async(fn,n)=>{for(let i=0;;i++){try{return await fn()}catch(e){if(i+1>=n)throw e}}};
const compose=(...fs)=>x=>fs.reduceRight((v,f)=>f(v),x);
const deepClone=o=>structuredClone(o);
const flat=a=>a.flat(Infinity);
const sym=()=>undefined; const nan=()=>NaN; const negz=()=>-0;
const sleep=ms=>new Promise(r=>setTimeout(r,ms));
const date=()=>new Date(0); const re=()=>/a+/gi; const buf=()=>Buffer.from('hi'); const u8=()=>new Uint8Array([1,2]);
const mapper=(a,cb)=>a.map((x,i)=>cb(x,i)); const filt=(a,cb)=>a.filter(cb); const red=(a,cb,i)=>a.reduce(cb,i);
const err=()=>new TypeError('bad');
const tree={value:1,left:{value:2,left:null,right:null},right:null}; const depth=t=>t?1+Math.max(depth(t.left),depth(t.right)):0;
const CONST=42; let state=0; const bump=()=>{state++;return state};
"""
FAULTS = {
    "return this.items.pop()": "return this.items.shift()",
    "++c": "c++",
    "sort((x,y)=>x-y)": "sort()",
    "yield i}": "yield i+1}",
    "x*2": "x*3",
    "const same=a=>a": "const same=a=>[...a]",
    "r*=i": "r+=i",
    "'odd':'even'": "'even':'odd'",
    "new Set(a)": "new Set([...a,99])",
    "'Bo'": "'Bob'",
    "this.field=f": "this.field=1",
    "if(!m.has(x))": "",
    "i+1>=n": "i>=0",
    "reduceRight((v,f)": "reduce((v,f)",
    "structuredClone(o)": "o",
    "a.flat(Infinity)": "a.flat()",
    "NaN;": "0;",
    "-0;": "0;",
    "new Date(0)": "new Date(5)",
    "/a+/gi": "/a/",
    "'hi'": "'ho'",
    "[1,2])": "[1,3])",
    "=>cb(x,i))": "=>cb(i,x))",
    "a.filter(cb)": "a.filter(x=>!cb(x))",
    "a.reduce(cb,i)": "a.reduce(cb,i+1)",
    "TypeError('bad')": "Error('bad')",
    "1+Math.max": "2+Math.max",
    "CONST=42": "CONST=43",
    "state++": "state--",
    "setTimeout(r,ms)": "{}",
    "reduceRight((n,v)": "reduce((n,v)",
    "'empty'": "'emp'",
}  # fmt: skip
PROGRAMS = {
    'stack': EQUAL + 'const s=new Stack();s.push(1).push(2);same_(s.pop(),2);same_(s.size,1);same_(s.isEmpty(),false)',
    'iter': EQUAL + 'const s=Stack.of(1,2);s.pop();same_([...s],[1])',
    'tostring': EQUAL + "const s=Stack.of(1,2);s.pop();same_(`${s}`,'Stack(1)')",
    'json': EQUAL + 'const s=Stack.of(1,2);s.pop();same_(JSON.stringify(s),\'[1]\');same_(JSON.stringify({a:s}),\'{"a":[1]}\')',
    'custom err': "test('x',()=>{expect(()=>validate(0)).toThrow(ValidationError);try{validate(0)}catch(e){expect(e.field).toBe('x');expect(e.name).toBe('ValidationError');expect(e).toBeInstanceOf(Error)}})",
    'err name': EQUAL + "assert.throws(()=>validate(0),{name:'ValidationError',message:'empty'})",
    'linked': EQUAL + 'let n=fromArr([1,2,3]);const out=[];while(n){out.push(n.val);n=n.next}same_(out,[1,2,3])',
    'linked2': EQUAL + 'const n=new Node(1,new Node(2));same_(n.next.val,2);same_(fromArr([1,2]).val,1);',
    'counter': EQUAL + 'const c=counter();c();same_(c(),2)',
    'counterObj': EQUAL + 'const c=counterObj();c.inc();c.inc();same_(c.value,2);same_(c.inc(),3)',
    'curry': EQUAL + 'same_(counter()(),1);same_(curry((a,b)=>a-b)(5)(3),2)',
    'memo': EQUAL + 'let n=0;const m=memo(x=>{n++;return x*2});m(2);m(2);same_(n,1)',
    'sort in place': EQUAL + 'const a=[10,9,1];ordered(a);same_(a,[1,9,10])',
    'identity': EQUAL + 'const a=[1];assert.strictEqual(same(a),a)',
    'toBe identity': "test('x',()=>{const a={};const b=[a];expect(same(b)).toBe(b)})",
    'bigint': EQUAL + 'same_(big(20),2432902008176640000n)',
    'map': EQUAL + "same_(groups([1,2,3]),new Map([['odd',[1,3]],['even',[2]]]));assert(groups([1]).get('odd')[0]===1)",
    'set': "test('x',()=>{expect(uniq([1,1])).toEqual(new Set([1]));expect(uniq([1]).size).toBe(1)})",
    'people': EQUAL + "same_(people().map(p=>p.name).sort(),['Al','Bo'])",
    'agen': EQUAL + '(async()=>{const out=[];for await(const x of agen(2))out.push(x);same_(out,[0,1])})()',
    'emitter': "test('x',()=>{const e=new Em();const cb=jest.fn();e.on('done',cb);e.go(2);expect(cb).toHaveBeenCalledWith(4)})",
    'retry': "test('x',async()=>{let n=0;const r=await retry(async()=>{n++;if(n<3)throw new Error('x');return n},5);expect(r).toBe(3)})",
    'compose': EQUAL + 'same_(compose(x=>x+1,x=>x*10)(1),11)',
    'clone': EQUAL + 'const o={a:{b:1}};const c=deepClone(o);c.a.b=2;same_(o.a.b,1);same_(CONST,42)',
    'clone ident': "test('x',()=>{const o={a:{b:1}};const c=deepClone(o);expect(c).toEqual(o);expect(c).not.toBe(o)})",
    'flat': EQUAL + 'same_(flat([1,[2,[3]]]),[1,2,3])',
    'nan': EQUAL + 'assert(Number.isNaN(nan()))',
    'negz': "test('x',()=>expect(negz()).toBe(-0))",
    'sleep': "test('x',async()=>{const t=Date.now();await sleep(30);expect(Date.now()-t).toBeGreaterThanOrEqual(25)})",
    'date': EQUAL + "same_(date().toISOString(),'1970-01-01T00:00:00.000Z')",
    'regex': EQUAL + "same_(re().flags,'gi');const q=re();assert(q.test( 'A'))",
    'buffer': EQUAL + "same_(buf().toString(),'hi')",
    'u8': "test('x',()=>expect(u8()).toEqual(new Uint8Array([1,2])))",
    'mapper': EQUAL + 'same_(mapper([5,6],(x,i)=>x-i),[5,5])',
    'filt': EQUAL + 'same_(filt([1,2,3],x=>x>1),[2,3])',
    'red': EQUAL + 'same_(red([1,2],(a,b)=>a+b,0),3)',
    'err value': "test('x',()=>{expect(err()).toBeInstanceOf(TypeError);expect(err().message).toBe('bad')})",
    'depth': EQUAL + 'same_(depth(tree),2)',
    'const': EQUAL + "same_(CONST,42);same_(typeof CONST,'number')",
    'state': EQUAL + 'bump();same_(bump(),2)',
    'instanceof': EQUAL + 'assert(new Stack() instanceof Stack);assert(Array.isArray(Stack.of(1,2).items));const q=Stack.of(1,2);q.pop();assert.deepStrictEqual(q.items,[1])',
    'deepEq cls': EQUAL + 'const q=Stack.of(1,2);q.pop();assert.deepStrictEqual(q,Stack.of(1))',
    'ctor name': EQUAL + "const q=new Stack();same_(q.constructor.name,'Stack');same_(CONST,42)",
}  # fmt: skip


def check(verifier: CodeVerifier, code: str, test_code: str) -> VerificationResult:
    return judged(verifier, "javascript", code, test_code)


@pytest.fixture(scope="module")
def wrong() -> str:
    return spoiled(RIGHT, FAULTS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_value_is_seen_as_if_there_were_one_process(verifier: CodeVerifier, wrong: str, name: str) -> None:
    results = [check(verifier, code, PROGRAMS[name]) for code in (RIGHT, wrong)]
    assert [(result.status, result.score) for result in results] == [("scored", 1.0), ("scored", 0.0)]


@pytest.mark.parametrize(
    ("code", "test_code"),
    [
        ("const clone = o => ({ ...o })", "const o = { a: { b: 1 } }; const c = clone(o); expect(c.a).not.toBe(o.a)"),
        ("const clone = o => o", "const o = [1, [2]]; expect(clone(o)).not.toBe(o)"),
        ("const clone = o => { o.x = 1; return o.a }", "const o = { a: { b: 1 } }; expect(clone(o)).toBe(o.b)"),
        ("const clone = o => ({ size: 1, get value() { return 3 }, is: () => true })", "const c = clone(1); expect(c).toEqual({ size: 1, value: 2 })"),
    ],
)  # fmt: skip
def test_what_is_the_same_object_and_what_is_not_can_be_told(verifier: CodeVerifier, code: str, test_code: str) -> None:
    assert check(verifier, code, f"test('x', () => {{ {test_code} }})").score == 0.0


def test_an_object_that_was_changed_and_moved_has_its_new_content(verifier: CodeVerifier) -> None:
    code = "const order = a => { a.sort((x, y) => x.n - y.n); return a[0] }"
    test_code = "const a = [{ n: 2 }, { n: 1 }]; const first = order(a); expect(first).toEqual({ n: 1 }); expect(a).toEqual([{ n: 1 }, { n: 2 }])"
    assert check(verifier, code, f"test('x', () => {{ {test_code} }})").score == 1.0
