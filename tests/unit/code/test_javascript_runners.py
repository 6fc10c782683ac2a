# ruff: noqa: E501
"""Test programs in the ways of jest, vitest, mocha, chai and node:test, each against a right and a wrong solution."""

import shutil

import pytest

from tests.unit.solutions import judged
from verifleet.verification import VerificationResult
from verifleet.verifiers.code import CodeVerifier

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")


RIGHT = """\
const f=x=>x*x;
const g=(x,cb)=>setTimeout(()=>cb(null,x*x),5);
const h=async x=>x*x;
const s=(x,cb)=>cb(x*x);
class P{constructor(x){this.x=x} get sq(){return this.x**2} add(o){return new P(this.x+o.x)}};
function thrower(x){ if(x<0) throw new RangeError('negative'); return x};
async function rej(x){ if(x<0) throw new RangeError('negative'); return x};
const mk=x=>({a:x,b:[x,{c:x}]});
const ee=()=>{const E=require('events');return new E()};
function* gen(n){for(let i=0;i<n;i++) yield i*i};
const st=x=>String(x);
const deb=(fn)=>{let t;return (...a)=>{clearTimeout(t);t=setTimeout(()=>fn(...a),10)}};
module.exports={f,g,h,s,P,thrower,rej,mk,gen,st,deb};
"""

WRONG = """\
const f=x=>String(x*x);
const g=(x,cb)=>{};
const h=async x=>String(x*x);
const s=(x,cb)=>{};
class P{constructor(x){this.x=x+1} get sq(){return 7} add(o){return 3}};
function thrower(x){return x};
async function rej(x){return x};
const mk=x=>({a:x,b:[x,{c:String(x)}]});
function* gen(n){yield 1};
const st=x=>x;
const deb=fn=>()=>{};
module.exports={f,g,h,s,P,thrower,rej,mk,gen,st,deb};
"""

PROGRAMS = {
    'toEqual prim': "test('a',()=>{expect(f(2)).toEqual(4)})",
    'toEqual deep': "test('a',()=>{expect(mk(2)).toEqual({a:2,b:[2,{c:2}]})})",
    'toMatchObject': "test('a',()=>{expect(mk(2)).toMatchObject({b:[2,{c:2}]})})",
    'resolves': "test('a',async()=>{await expect(h(2)).resolves.toBe(4)})",
    'rejects': "test('a',async()=>{await expect(rej(-1)).rejects.toThrow('negative')})",
    'rejects cls': "test('a',()=>expect(rej(-1)).rejects.toThrow(RangeError))",
    'throws': "test('a',()=>{expect(()=>thrower(-1)).toThrow(RangeError)})",
    'throws err': "test('a',()=>{expect(()=>thrower(-1)).toThrow(new Error('negative'))})",
    'done cb': "test('a',(done)=>{g(2,(e,r)=>{expect(r).toBe(4);done()})})",
    'promise cb': "test('a',async()=>{const r=await new Promise((res,rej)=>g(2,(e,v)=>e?rej(e):res(v)));expect(r).toBe(4)})",
    'promisify': "const {promisify}=require('util');test('a',async()=>{expect(await promisify(g)(2)).toBe(4)})",
    'sync cb': "test('a',()=>{let r;s(2,v=>{r=v});expect(r).toBe(4)})",
    'sync cb check inside': "test('a',()=>{s(2,v=>{expect(v).toBe(4)})})",
    'jest.fn': "test('a',()=>{const cb=jest.fn();s(2,cb);expect(cb).toHaveBeenCalledTimes(1);expect(cb).toHaveBeenCalledWith(4)})",
    'iife': "const assert=require('assert');(async()=>{const r=await new Promise(res=>g(2,(e,v)=>res(v)));assert.strictEqual(r,4)})()",
    'iife h': "const assert=require('assert');(async()=>{assert.strictEqual(await h(2),4)})()",
    'then': "const assert=require('assert');h(2).then(r=>assert.strictEqual(r,4))",
    'class': "test('a',()=>{const p=new P(3);expect(p.sq).toBe(9);expect(p.add(new P(1)).x).toBe(4)})",
    'instance': "test('a',()=>{expect(new P(3).add(new P(4))).toBeInstanceOf(P);expect(new P(3).x).toBe(3)})",
    'beforeEach nested': "describe('o',()=>{let p;beforeEach(()=>{p=new P(3)});describe('i',()=>{let q;beforeEach(()=>{q=new P(p.x)});it('x',()=>{expect(q.sq).toBe(9)})});it('y',()=>expect(p.x).toBe(3))})",
    'it.skip': "it.skip('no',()=>{throw 1});it('x',()=>expect(f(2)).toBe(4))",
    'it.each tpl': "it.each`a|b\n${2}|${4}\n${3}|${9}`('$a',({a,b})=>{expect(f(a)).toBe(b)})",
    'describe.each': "describe.each([[2,4],[3,9]])('%i',(a,b)=>{it('x',()=>expect(f(a)).toBe(b))})",
    'expect.any': "it('x',()=>expect(mk(2)).toEqual({a:expect.any(Number),b:[2,{c:expect.any(Number)}]}))",
    'arrayContaining': "it('x',()=>expect(mk(2).b).toEqual(expect.arrayContaining([{c:2}])))",
    'toContainEqual': "it('x',()=>expect(mk(2).b).toContainEqual({c:2}))",
    'toHaveProperty': "it('x',()=>expect(mk(2)).toHaveProperty('b.1.c',2))",
    'spread gen': "it('x',()=>expect([...gen(3)]).toEqual([0,1,4]))",
    'import jest': "import {describe,expect,test} from '@jest/globals';\nimport {f} from './solution';\ntest('x',()=>{expect(f(2)).toBe(4)})",
    'vitest': "import {describe,it,expect,vi} from 'vitest';\nimport {s} from './solution.js';\nit('x',()=>{const cb=vi.fn();s(2,cb);expect(cb).toHaveBeenCalledWith(4)})",
    'expect.assertions': "it('x',async()=>{expect.assertions(1);try{await rej(-1)}catch(e){expect(e.message).toBe('negative')}})",
    'debounce': "test('a',async()=>{let n=0;const d=deb(()=>n++);d();d();await new Promise(r=>setTimeout(r,50));expect(n).toBe(1)})",
    'fake timers': "jest.useFakeTimers();test('a',()=>{const cb=jest.fn();const d=deb(cb);d();d();jest.advanceTimersByTime(20);expect(cb).toHaveBeenCalledTimes(1)})",
    'console.log only': "console.log(f(2)===4?'ok':'bad'); if(f(2)!==4) process.exit(1)",
    'tap': "const assert=require('assert/strict');assert.deepEqual(mk(2),{a:2,b:[2,{c:2}]})",
    'throws async': "const assert=require('assert');(async()=>{await assert.rejects(()=>rej(-1),RangeError)})()",
    'assert.throws': "const assert=require('assert');assert.throws(()=>thrower(-1),{name:'RangeError',message:'negative'})",
    'afterAll': "let n=0;afterAll(()=>{expect(n).toBe(4)});it('x',()=>{n=f(2)})",
    'xit': "xit('no',()=>{throw 1});it('x',()=>expect(f(2)).toBe(4))",
    'closeTo': "it('x',()=>expect(f(1.1)).toBeCloseTo(1.21))",
    'strictEqual cls': "it('x',()=>expect(new P(3).add(new P(1))).toEqual(new P(4)))",
    'typeof': "const assert=require('assert');assert(typeof f(2)==='number');assert(Array.isArray(mk(2).b))",
    'chai equal': "const {expect}=require('chai');describe('x',()=>it('y',()=>{expect(f(2)).to.equal(4)}))",
    'chai deep': "const {expect}=require('chai');it('y',()=>{expect(mk(2)).to.deep.equal({a:2,b:[2,{c:2}]});expect(mk(2)).to.have.property('a').that.is.a('number');expect(mk(2).b).to.be.an('array').with.lengthOf(2)})",
    'chai throw': "import {expect} from 'chai';it('y',()=>{expect(()=>thrower(-1)).to.throw(RangeError,/nega/);expect(()=>thrower(1)).to.not.throw()})",
    'chai include': "const chai=require('chai');const expect=chai.expect;it('y',()=>{expect([...gen(3)]).to.include(4).and.have.members([4,1,0]);expect(st(5)).to.be.a('string').that.equals('5')})",
    'chai assert': "const {assert}=require('chai');it('y',()=>{assert.strictEqual(f(2),4);assert.deepEqual(mk(1),{a:1,b:[1,{c:1}]});assert.isTrue(f(2)===4);assert.throws(()=>thrower(-1),RangeError)})",
    'mocha this': "describe('x',function(){this.timeout(500);before(function(){this.timeout(5)});it('y',function(){this.slow(3);require('assert').strictEqual(f(2),4)})})",
    'mocha done': "const assert=require('assert');describe('x',()=>{it('y',function(done){g(3,(e,r)=>{try{assert.strictEqual(r,9);done()}catch(e){done(e)}})})})",
    'hooks order': "const log=[];beforeAll(()=>log.push('A'));beforeEach(()=>log.push('b'));afterEach(()=>log.push('a'));describe('i',()=>{beforeEach(()=>log.push('bi'));it('1',()=>{log.push(f(2))})});it('2',()=>{expect(log).toEqual(['A','b','bi',4,'a','b'])})",
    'only': "it.only('x',()=>expect(f(2)).toBe(4));it('y',()=>{throw new Error('not run')})",
    'describe.only': "describe.only('d',()=>{it('x',()=>expect(f(2)).toBe(4))});it('y',()=>{throw new Error('not run')})",
    'toThrow msg re': "it('x',()=>expect(()=>thrower(-1)).toThrow(/^neg/))",
    'not.toThrow': "it('x',()=>{expect(()=>thrower(1)).not.toThrow();expect(f(2)).toBe(4)})",
    'toStrictEqual': "it('x',()=>expect(mk(2)).toStrictEqual({a:2,b:[2,{c:2}]}))",
    'nested describe': "describe('a',()=>{describe('b',()=>{describe('c',()=>{test('d',async()=>{expect(await h(3)).toBe(9)})})})})",
    'Promise.all': "it('x',async()=>{const r=await Promise.all([1,2,3].map(x=>h(x)));expect(r).toEqual([1,4,9])})",
    'async iter top': "const assert=require('assert');async function main(){assert.deepStrictEqual(await Promise.all([1,2].map(h)),[1,4])}\nmain().catch(e=>{console.error(e);process.exit(1)})",
    'rejects msg': "const assert=require('assert');test('x',async()=>{await assert.rejects(rej(-1),{message:'negative'})})",
    'mock impl': "it('x',()=>{const cb=jest.fn().mockReturnValueOnce(7).mockReturnValue(8);expect(s(2,cb)).toBe(7);expect(cb.mock.calls).toEqual([[4]])})",
    'mock.calls': "it('x',()=>{const cb=jest.fn();s(3,cb);expect(cb.mock.calls[0][0]).toBe(9);expect(cb).toHaveBeenLastCalledWith(9)})",
    'spy console': "it('x',()=>{const spy=jest.spyOn(console,'log').mockImplementation(()=>{});console.log(f(2));expect(spy).toHaveBeenCalledWith(4);spy.mockRestore()})",
    'node plan': "const {test}=require('node:test');test('x',(t)=>{t.plan(2);t.assert.strictEqual(f(2),4);t.assert.strictEqual(f(3),9)})",
    'node nested await': "const {test}=require('node:test');const assert=require('node:assert');test('x',async t=>{for(const n of [1,2,3]) await t.test(`n${n}`,()=>assert.strictEqual(f(n),n*n))})",
    'node top await': "const {test}=require('node:test');const assert=require('node:assert/strict');await test('x',()=>assert.equal(f(2),4));await test('y',()=>assert.equal(f(3),9));",
    'node describe it': "import { describe, it, beforeEach } from 'node:test';\nimport assert from 'node:assert/strict';\ndescribe('q',()=>{let n;beforeEach(()=>{n=3});it('a',()=>assert.equal(f(n),9));it('b',{skip:true},()=>{throw 1})})",
    'vitest ctx': "import {test} from 'vitest';\ntest('x',({expect})=>{expect(f(2)).toBe(4)})",
    'each obj': "test.each([{a:1,e:1},{a:2,e:4}])('$a',({a,e})=>{expect(f(a)).toBe(e)})",
    'each single': "test.each([1,2,3])('%i',(n)=>{expect(f(n)).toBe(n*n)})",
    'arrow returns promise': "it('x',()=>h(2).then(r=>expect(r).toBe(4)))",
    'extend': "expect.extend({toBeSq(r,n){return {pass:r===n*n,message:()=>''}}});it('x',()=>expect(f(3)).toBeSq(3))",
    'async cb arg': "async function twice(fn,x){return (await fn(x))*1};it('x',async()=>{expect(f(await twice(async y=>y,2))).toBe(4)})",
    'stringContaining': "it('x',()=>expect({m:st(12)}).toEqual({m:expect.stringContaining('1')}))",
    'class method': "const p=new P(5);describe('P',()=>{it('sq',()=>{expect(p.sq).toEqual(25);expect(p).toHaveProperty('x',5);expect(p).toMatchObject({x:5})})})",
    'setTimeout test': "it('x',(done)=>{setTimeout(()=>{expect(f(2)).toBe(4);done()},5)})",
    'done.fail': "it('x',(done)=>{g(2,(e,r)=>{ if(r!==4) return done(new Error('bad')); done() })})",
    'plain throw': "if (f(2) !== 4) throw new Error('bad');",
    'exit1': 'if (f(2) !== 4) process.exit(1);',
    'then no assert': 'h(2).then(r=>{ if(r!==4) process.exit(1) })',
    'chai beside describe': "const {expect}=require('chai');describe('x',()=>it('y',()=>{expect(f(2)).to.equal(4)}))",
    'node test': "const test=require('node:test');const assert=require('node:assert');test('a',()=>{assert.strictEqual(f(2),4)});",
    'node import': "import test from 'node:test';\nimport assert from 'node:assert';\ntest('a',()=>{assert.strictEqual(f(2),4)});",
    'node hooks': "const {describe,it,before}=require('node:test');const assert=require('node:assert');describe('x',()=>{let z;before(()=>{z=4});it('a',async()=>{assert.strictEqual(await f(2),z)})});",
    'node subtests': "const {test}=require('node:test');const assert=require('node:assert');test('x',async(t)=>{await t.test('a',()=>{assert.strictEqual(f(2),4)});});",
    'node mock': "const {test,mock}=require('node:test');const assert=require('assert');test('x',(t)=>{const cb=mock.fn();s(2,cb);assert.deepStrictEqual(cb.mock.calls[0].arguments,[4])});",
    'node done': "const test=require('node:test');const assert=require('assert');test('x',(t,done)=>{g(2,(e,r)=>{assert.strictEqual(r,4);done()})});",
}  # fmt: skip


def check(verifier: CodeVerifier, code: str, test_code: str) -> VerificationResult:
    return judged(verifier, "javascript", code, test_code)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_test_program_accepts_the_right_solution_and_refuses_the_wrong_one(verifier: CodeVerifier, name: str) -> None:
    right, wrong = (check(verifier, code, PROGRAMS[name]) for code in (RIGHT, WRONG))
    assert (right.status, right.score) == ("scored", 1.0), right.reason
    assert (wrong.status, wrong.score) == ("scored", 0.0), wrong.reason


@pytest.mark.parametrize(
    ("test_code", "wanted"),
    [
        ("test('x', () => { expect(f(2)).toMatchSnapshot() })", "toMatchSnapshot"),
        ("test('x', () => { try { expect(f(2)).toBeSquare() } catch {} })", "toBeSquare"),
        ("jest.mock('fs'); test('x', () => { expect(f(2)).toBe(4) })", "jest.mock"),
        ("const { expect } = require('chai'); it('x', () => { expect(f(2)).to.be.reasonable() })", "reasonable"),
        ("const sinon = require('sinon'); it('x', () => { expect(f(2)).toBe(4) })", "sinon"),
    ],
)
def test_what_a_test_program_asks_for_and_is_not_there_is_no_fault_of_the_solution(
    verifier: CodeVerifier, test_code: str, wanted: str
) -> None:
    result = check(verifier, RIGHT, test_code)
    assert (result.status, result.score) == ("error", None)
    assert wanted in result.reason


@pytest.mark.parametrize(
    ("code", "test_code"),
    [
        ("const s = (x, cb) => { try { cb(0) } catch {} }", "test('x', () => { s(2, v => { expect(v).toBe(4) }) })"),
        ("const s = (x, cb) => {}", "const assert = require('assert'); s(2, v => assert.strictEqual(v, 4))"),
        ("const s = async (x) => new Promise(() => {})", "test('x', async () => { expect(await s(2)).toBe(4) })"),
        ("const s = () => ({ then() {} })", "test('x', async () => { expect(await s(2)).toBe(4) })"),
        ("const s = () => ({ asymmetricMatch: () => true, matches: () => true })", "test('x', () => { expect(s()).toEqual({ a: 1 }) })"),
        ("class P { get a() { return 2 } }; const s = () => new P()", "test('x', () => { expect(s()).toMatchObject({ a: 1 }) })"),
        ("const s = () => new Proxy({}, { get: () => 1, has: () => true, ownKeys: () => ['a'] })", "test('x', () => { expect(s()).toEqual({ a: 1, b: 2 }) })"),
        ("const s = () => [,]", "test('x', () => { expect(s()).toStrictEqual([1]) })"),
        ("const s = () => '4'", "test('x', () => { expect(s()).toBeCloseTo(4) })"),
        ("const s = () => null", "test('x', () => { expect(s()).not.toBeGreaterThan(4) })"),
        ("const s = () => { throw new Error('x') }", "const { expect } = require('chai'); it('x', () => { expect(s).to.throw(TypeError) })"),
        ("const describe = () => {}, it = () => {}, expect = () => ({}); const s = 0", "describe('d', () => { it('x', () => { expect(s).toBe(1) }) })"),
    ],
)  # fmt: skip
def test_a_solution_can_not_talk_its_way_past_a_check(verifier: CodeVerifier, code: str, test_code: str) -> None:
    result = check(verifier, code, test_code)
    assert (result.status, result.score) == ("scored", 0.0), result.reason


def test_a_callback_that_must_not_be_called_may_stay_uncalled(verifier: CodeVerifier) -> None:
    test_code = "const assert = require('assert'); guard(1, () => assert.fail('called')); assert.ok(guard)"
    assert check(verifier, "const guard = (x, cb) => { if (x < 0) cb() }", test_code).score == 1.0


def test_names_of_a_solution_go_before_the_rarer_names_of_test_runners(verifier: CodeVerifier) -> None:
    code = "const context = () => 1, before = () => 2, suite = () => 3"
    test_code = "const assert = require('assert'); assert.deepStrictEqual([context(), before(), suite()], [1, 2, 3])"
    assert check(verifier, code, test_code).score == 1.0


EXPORTED = (
    "function add(a, b) { return a + b }\nmodule.exports = add",
    "export default function add(a, b) { return a + b }",
    "module.exports = (a, b) => a + b",
    "const add = (a, b) => a + b;\nexport default add",
)


@pytest.mark.parametrize("code", EXPORTED)
@pytest.mark.parametrize(
    "test_code",
    [
        "const add = require('./solution'); const cb = jest.fn(); test('x', () => { expect(add(1, 2)).toBe(3) })",
        "import plus from './solution.js';\nimport test from 'node:test';\nimport assert from 'node:assert';\ntest('x', () => assert.equal(plus(1, 2), 3))",
        "jest.useFakeTimers(); const add = require('./solution'); test('x', () => { expect(add(1, 2)).toBe(3) })",
    ],
)
def test_a_module_that_is_a_function_is_what_require_gives(verifier: CodeVerifier, code: str, test_code: str) -> None:
    assert check(verifier, code, test_code).score == 1.0
    assert check(verifier, code.replace("a + b", "a - b"), test_code).score == 0.0


def test_a_module_that_is_a_class_is_what_require_gives(verifier: CodeVerifier) -> None:
    test_code = "const Pair = require('./solution'); test('x', () => { const p = new Pair(1); expect(p.get()).toBe(1); expect(p).toBeInstanceOf(Pair) })"
    for head, tail in (("", "\nmodule.exports = Pair"), ("export default ", "")):
        code = head + "class Pair { constructor(a) { this.a = a } get() { return this.a } }" + tail
        assert check(verifier, code, test_code).score == 1.0
        assert check(verifier, code.replace("return this.a", "return 0"), test_code).score == 0.0
