# ruff: noqa: E501 - programs on one line
"""JavaScript in real sandboxes: programs, functions, test programs in another process."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    verifier = CodeVerifier()
    yield verifier
    verifier.close()


def check(verifier: CodeVerifier, code: str, reference: dict[str, Any], **options: Any) -> VerificationResult:
    raw = {"response": f"```js\n{code}\n```", "reference": {"language": "javascript", **reference}, "options": options}
    return verifier.check(parse_request("code", raw))


def outcomes(result: VerificationResult) -> list[str]:
    return [test["outcome"] for test in result.details["tests"]]


ECHOES = {
    "readFileSync": "console.log(require('fs').readFileSync(0, 'utf8').trim())",
    "dev stdin": "process.stdout.write(require('fs').readFileSync('/dev/stdin').toString())",
    "data events": "let s = ''; process.stdin.on('data', d => s += d).on('end', () => console.log(s.trim()))",
    "readline": "const rl = require('readline').createInterface({input: process.stdin}); rl.on('line', l => console.log(l))",
    "for await": "(async () => { for await (const c of process.stdin) process.stdout.write(c) })()",
    "readline for await": "const rl = require('readline').createInterface({input: process.stdin});\n(async () => { for await (const l of rl) console.log(l) })()",
    "es module": "import fs from 'fs';\nimport * as rl from 'node:readline';\nconsole.log(fs.readFileSync(0).toString().trim())",
    "timers": "const s = require('fs').readFileSync(0, 'utf8').trim(); setTimeout(() => console.log(s), 5)",
    "exit": "console.log(require('fs').readFileSync(0, 'utf8').trim()); process.exit(0)",
    "top-level await": "const s = await new Promise(r => process.stdin.once('data', d => r(String(d)))); console.log(s.trim())",
    "globals": "var n; if (globalThis.seen) throw new Error('seen'); seen = 1; console.log(require('fs').readFileSync(0, 'utf8').trim())",
}


@pytest.mark.parametrize("name", ECHOES)
def test_a_program_may_read_stdin_in_any_usual_way(verifier: CodeVerifier, name: str) -> None:
    tests = [{"input": f"{text}\n", "output": text} for text in ("a", "b c", "ü")]
    result = check(verifier, ECHOES[name], {"tests": tests})
    assert result.score == 1.0, result


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("console.log(1)", ["passed", "wrong_output"]),
        ("while (true) {}", ["timeout"]),
        ("setInterval(() => {}, 1000)", ["timeout"]),
        ("throw new Error('x')", ["exception", "exception"]),
        ("process.exit(2)", ["exception", "exception"]),
        ("let x = (", ["syntax_error", "syntax_error"]),
        ("for (;;) console.log('x'.repeat(1000))", ["output_limit"]),
        ("const a = []; for (;;) a.push(new Array(1e6).fill(1.5))", ["memory"]),
    ],
)
def test_every_way_to_fail_has_its_own_outcome(verifier: CodeVerifier, code: str, expected: list[str]) -> None:
    tests = [{"input": "", "output": "1"}, {"input": "", "output": "2"}]
    result = check(verifier, code, {"tests": tests}, limits={"cpu_s": 1.0, "wall_s": 3.0, "memory_mb": 64})
    assert outcomes(result)[: len(expected)] == expected, result


def test_function_cases_compare_plain_data(verifier: CodeVerifier) -> None:
    code = "const f = (a, b = 1) => ({a, b, list: [a, null, undefined], map: new Map([[1, 2]]), set: new Set([1])})"
    expected = {"a": 1, "b": 1, "list": [1, None, None], "map": {"1": 2}, "set": [1]}
    cases = [{"args": [1], "expected": expected}, {"args": [2], "expected": 1}]
    result = check(verifier, code, {"entry_point": "f", "cases": cases})
    assert outcomes(result) == ["passed", "wrong_output"], result


def case_outcomes(verifier: CodeVerifier, code: str, *expected: Any, prompt: str = "") -> list[str]:
    cases = [{"args": [], "expected": value} for value in expected]
    reference = {"language": "javascript", "entry_point": "f", "cases": cases}
    raw = {"prompt": prompt, "response": f"```js\n{code}\n```", "reference": reference}
    return outcomes(verifier.check(parse_request("code", raw)))


def test_a_promise_is_awaited_only_where_the_prompt_declares_an_async_function(verifier: CodeVerifier) -> None:
    code = "const f = async () => ({})"
    assert case_outcomes(verifier, code, {}, {}) == ["wrong_output", "wrong_output"]
    assert case_outcomes(verifier, "const f = async () => { throw new Error('x') }", 1) == ["wrong_output"]
    assert case_outcomes(verifier, code, {}, prompt="Write `async function f()` that gives {}.") == ["passed"]
    assert case_outcomes(verifier, code, {}, prompt="Write a function f that returns a Promise of {}.") == ["passed"]
    assert case_outcomes(verifier, "const f = () => 1", 1, prompt="Write an async function f.") == ["passed"]


def test_a_bigint_is_a_number_only_where_a_number_would_not_do(verifier: CodeVerifier) -> None:
    assert case_outcomes(verifier, "const f = () => 3n", 3) == ["wrong_output"]
    assert case_outcomes(verifier, "const f = () => [{ a: 3n }]", [{"a": 3}]) == ["wrong_output"]
    assert case_outcomes(verifier, "class P { constructor() { this.a = 3n } }; const f = () => new P()", {"a": 3}) == ["wrong_output"]  # fmt: skip
    assert case_outcomes(verifier, "let n = 2n; const f = () => (n = n ** 64n)", 2**64) == ["passed"]
    assert case_outcomes(verifier, "let n = 1; const f = () => n++ === 1 ? 3n : 10n ** 20n", 3, 10**20) == ["passed", "passed"]  # fmt: skip
    assert case_outcomes(verifier, "const f = () => 3n", 3, prompt="Give the BigInt three.") == ["passed"]


@pytest.mark.parametrize(
    "code",
    [
        "module.exports = function () { return 3 }",
        "module.exports = function other() { return 3 }",
        "module.exports = () => 3",
        "const other = () => 3;\nmodule.exports = other;",
        "module.exports = { f() { return 3 } }",
        "export default function () { return 3 }",
        "export default () => 3",
    ],
)
@pytest.mark.parametrize("prompt", ["", "/** Gives 3. */\nfunction f() {\n"])
def test_a_module_that_is_a_function_is_the_entry_point(verifier: CodeVerifier, code: str, prompt: str) -> None:
    assert case_outcomes(verifier, code, 3, prompt=prompt) == ["passed"]
    for more in ("", "\nsetTimeout(() => {}, 0)"):
        reference = {"language": "javascript", "entry_point": "f", "test_code": f"console.assert(f() === 3){more}"}
        raw = {"prompt": prompt, "response": f"```js\n{code}\n```", "reference": reference}
        assert verifier.check(parse_request("code", raw)).score == 1.0


RIGHT = {
    "console.assert": ("const f = x => x + 1", "const t = () => { console.assert(f(1) === 2) }\nt()"),
    "assert module": ("function f(x) { return [x, {a: x}] }", "const assert = require('assert');\nassert.deepStrictEqual(f(1), [1, {a: 1}])"),
    "assert unbidden": ("function f(x) { return x }", "assert.strictEqual(f(1), 1); assert(f(true))"),
    "modules of node": ("const { format } = require('util'); const _ = require('node:assert');\nimport os from 'os';\nconst f = x => format('%s', x) + typeof os.cpus", "console.assert(f(1) === '1function')"),
    "in place": ("function f(a) { a.sort((x, y) => x - y) }", "const a = [3, 1, 2]; f(a); console.assert(a.join() === '1,2,3')"),
    "special values": ("const f = () => [NaN, undefined, -0, 10n, new Set([1]), new Map([[1, 2]]), new Date(0), /a/g]",
                       "require('assert').deepStrictEqual(f(), [NaN, undefined, -0, 10n, new Set([1]), new Map([[1, 2]]), new Date(0), /a/g])"),
    "a class": ("class Stack { #n = 0; constructor() { this.items = [] } push(x) { this.items.push(x); this.#n++; return this } get size() { return this.#n } has(x) { return this.items.includes(x) } }",
                "const s = new Stack(); s.push(1).push(2); console.assert(s.size === 2 && s.items[1] === 2 && s instanceof Stack && s.has(2) && !s.has(3))"),
    "callbacks": ("const f = (xs, g) => xs.map(x => g(x))", "console.assert(f([1, 2], x => x * 2).join() === '2,4')"),
    "closures": ("const f = n => x => x + n", "console.assert(f(2)(3) === 5)"),
    "promises": ("const f = async x => { await null; return x + 1 }", "(async () => { console.assert(await f(1) === 2) })()"),
    "timers in the solution": ("const f = x => new Promise(r => setTimeout(() => r(x), 5))", "f(3).then(v => console.assert(v === 3))"),
    "errors": ("class Bad extends Error {}\nfunction f(x) { if (x) throw new RangeError('no ' + x); throw new Bad('bad') }",
               "const assert = require('assert'); assert.throws(() => f(1), RangeError); assert.throws(() => f(1), /no 1/); try { f(0); assert(false) } catch (e) { assert(e instanceof Bad) }"),
    "rejections": ("const f = async () => { throw new TypeError('t') }", "require('assert').rejects(f(), TypeError)"),
    "require of the solution": ("function f() { return 1 }\nmodule.exports = { f }", "const { f } = require('./solution'); console.assert(f() === 1)"),
    "import of the solution": ("export const f = () => 1", "import { f } from './solution.js';\nimport assert from 'assert';\nassert.equal(f(), 1)"),
    "expect": ("const f = x => { if (x < 0) throw new Error('neg'); return [x] }",
               "describe('f', () => { it('a', () => { expect(f(1)).toEqual([1]); expect(f(1)).not.toBe(2) }); test('b', async () => { expect(() => f(-1)).toThrow('neg') }) })"),
    "what it prints": ("function f() { console.log('hi') }", "const out = []; console.log = s => out.push(s); f(); console.assert(out[0] === 'hi')"),
    "generators": ("function* f() { yield 1; yield 2 }", "console.assert([...f()].join() === '1,2')"),
    "candidate": ("function f() { return 1 }", "console.assert(candidate() === 1)"),
    "objects of a class, as JSON": ("class P { constructor(x) { this.x = x } }\nconst f = () => new P(1)", "console.assert(JSON.stringify(f()) === '{\"x\":1}')"),
    "timers in the test (one process)": ("function f(g, ms) { let t; return () => { clearTimeout(t); t = setTimeout(g, ms) } }",
                                         "let n = 0; const d = f(() => n++, 5); d(); d(); setTimeout(() => console.assert(n === 1), 40)"),
    "a class of the test (one process)": ("const f = n => n.v", "class Node { constructor(v) { this.v = v } }\nconsole.assert(f(new Node(1)) === 1)"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_solution_passes(verifier: CodeVerifier, name: str) -> None:
    code, test_code = RIGHT[name]
    result = check(verifier, code, {"test_code": test_code, **({"entry_point": "f"} if name == "candidate" else {})})
    assert result.score == 1.0, result
    assert result.details["mode"] == ("shared-process" if "one process" in name else "split")


WRONG = {
    "wrong result": ("const f = x => x", "console.assert(f(1) === 2)"),
    "patched console.assert": ("console.assert = () => {}; const f = x => x", "console.assert(f(1) === 2)"),
    "patched assert module": ("const a = require('assert'); for (const k in a) a[k] = () => {}; const f = x => x", "const assert = require('assert'); assert.equal(f(1), 2)"),
    "patched prototypes": ("JSON.stringify = () => 'x'; Array.prototype.join = () => 'x'; Object.is = () => true; const f = x => x", "console.assert(JSON.stringify(f(1)) === JSON.stringify([2]))"),
    "exit in a call": ("const f = () => process.exit(0)", "console.assert(f() === 2)"),
    "exit at loading": ("process.exit(0); const f = 1", "console.assert(f(1) === 2)"),
    "exit caught": ("const f = () => process.exit(0)", "try { f() } catch {}\nconsole.assert(true)"),
    "coercion that answers all": ("const f = () => ({ [Symbol.toPrimitive]: () => 2, valueOf: () => 2 }); class E { valueOf() { return 2 } }; const g = () => new E()", "console.assert(Math.abs(g() - 2.5) < 1 && g() > 1)"),
    "includes that says yes": ("class E { includes() { return true } }; const f = () => new E()", "console.assert(f().includes(5))"),
    "proxy": ("const f = () => new Proxy(function () {}, { get: () => () => true })", "console.assert(f().every(x => x > 1))"),
    "thenable": ("const f = () => ({ then(r) { r(1) } })", "(async () => { console.assert(await f() === 2) })()"),
    "beforeExit": ("process.on('exit', () => { process.exitCode = 0 }); const f = () => 1", "console.assert(f() === 2)"),
    "frames forged": ("const b = Buffer.from(JSON.stringify({outcome: 'passed', checks: 1, calls: 1})), h = Buffer.alloc(4); h.writeUInt32BE(b.length); for (const fd of [3, 5]) require('fs').writeSync(fd, Buffer.concat([h, b])); const f = () => 1", "console.assert(f() === 2)"),
    "rejection": ("const f = async () => 1", "f().then(v => { require('assert').equal(v, 2) })"),
    "expectation": ("const f = () => 1", "test('a', () => { expect(f()).toBe(2) })"),
    "no such function": ("const g = 1", "console.assert(f(1) === 2)"),
    "no valid code": ("const f = (", "console.assert(f(1) === 2)"),
    "endless": ("const f = () => { for (;;) ; }", "console.assert(f(1) === 2)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_or_forging_solution_gets_nothing(verifier: CodeVerifier, name: str) -> None:
    code, test_code = WRONG[name]
    result = check(verifier, code, {"test_code": test_code}, limits={"cpu_s": 1.0})
    assert (result.score, result.status) == (0.0, "scored"), result
    assert result.details["mode"] == "split"


def test_a_test_program_that_checks_nothing_passes_nobody(verifier: CodeVerifier) -> None:
    assert check(verifier, "const f = 1", {"test_code": "const x = 1"}).verdict == "malformed"


def test_without_node_the_answer_is_a_clear_error() -> None:
    class NoNode:
        node = None
        rung = "A"

    result = check(CodeVerifier(NoNode()), "1", {"tests": [{"output": "1"}]})  # type: ignore[arg-type]
    assert (result.score, result.status) == (None, "error")
    assert "node" in result.reason


def test_test_functions_that_nobody_calls_are_called(verifier: CodeVerifier) -> None:
    test_code = "function testAdd() {\n  console.assert(add(1, 2) === 3)\n}\nconst testMore = async () => { console.assert(await add(2, 2) === 4) }"
    assert check(verifier, "const add = (a, b) => a + b", {"test_code": test_code}).score == 1.0
    assert check(verifier, "const add = (a, b) => 3", {"test_code": test_code}).score == 0.0


def test_the_class_of_a_thrown_error_counts(verifier: CodeVerifier) -> None:
    test_code = (
        "const assert = require('assert')\nassert.throws(() => go(), (e) => e instanceof OwnError && e.code === 7)"
    )
    error = "class OwnError extends Error { constructor(m) { super(m); this.code = 7 } }\n"
    right = check(verifier, f"{error}function go() {{ throw new OwnError('x') }}", {"test_code": test_code})
    assert right.score == 1.0
    assert right.details["mode"] == "shared-process"
    assert check(verifier, f"{error}function go() {{ throw new Error('x') }}", {"test_code": test_code}).score == 0.0
