"""Syntax of Python, JavaScript and SQL."""

import pytest

from tests.unit.format.conftest import InlineWorkers
from verifleet.verification import FormatReference
from verifleet.verifiers.format.checkers import CHECKERS
from verifleet.verifiers.format.fault import Fault


def check(name: str, text: str) -> Fault | None:
    return CHECKERS[name](text, FormatReference(format=name), InlineWorkers())


ACCEPTED = {
    "python": [
        "x = 1",
        "def f(a, /, b, *, c):\n    return [a async for a in b]\n".replace("async ", ""),
        "async def f():\n    async with a as b:\n        await c\n",
        "match x:\n    case {'a': [1, *rest]}:\n        pass\n",
        'print(f"{a!r:>{w}}")',
        's = "\\d"  # an odd escape is only a warning',
        "x is 1",
        "é = 'ü'\n",
    ],
    "javascript": [
        "const x = a?.b ?? 1n;",
        "class A extends B { #p = 1; static { this.q = 2; } get p() { return this.#p; } static async *g() {} }",
        "async () => { for await (const x of y) await x; }",
        "import a, { b as c } from 'd'; export default function () {} export { c };",
        "const { a, ...b } = { ...c, [`k${1}`]: /[/]\\/(?<n>x)/giu };",
        "await fetch('x');",
        "label: while (true) { break label; }",
        "#!/usr/bin/env node\nlet x;",
        "a ||= b; c **= 2; d = 1_000;",
        "function f() { return\n1 }",
        "while (true) {}",
        "throw new Error('never run');",
        "let s = 'a.#b'; /x.#y/; // z.#q",
        "new A()?.b; '; new a?.b'; x ? new a : b",
    ],
    "sql": [
        "SELECT 1",
        "SELECT a, COUNT(*) FROM t WHERE b > 1 GROUP BY a HAVING COUNT(*) > 1 ORDER BY a LIMIT 3;",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT * FROM c",
        "INSERT INTO t (a) VALUES (1); UPDATE t SET a = 2 WHERE a = 1; DELETE FROM t;",
        "-- a comment; with a semicolon\nSELECT 'it''s; fine'",
        "CREATE TABLE t (id SERIAL PRIMARY KEY, at TIMESTAMP WITH TIME ZONE DEFAULT NOW())",
        "SELECT a::int FROM t WHERE b ILIKE '%x%' FOR UPDATE",
        "SELECT `a` FROM `t` WHERE d > DATE_SUB(NOW(), INTERVAL 1 DAY)",
        "SELECT TOP 5 * FROM [my table]",
        "SELECT x FROM t WHERE a IS NOT DISTINCT FROM b",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE u SET a = 1; END",
        "ATTACH DATABASE '/etc/passwd' AS x",
        "ALTER TABLE t ADD COLUMN a INT; ALTER TABLE main.u RENAME TO v",
        "CREATE TABLE t LIKE u",
        "CREATE TABLE t AS SELECT 1",
        "UPDATE t SET (a, b) = (1, 2)",
        "SELECT a FROM t GROUP BY ROLLUP (a)",
        "SET NOCOUNT ON; SELECT TOP 1 a FROM t WITH (NOLOCK)",
        "SELECT a::int, COUNT(*) OVER () FROM t WHERE NOT EXISTS (SELECT 1) AND b IS DISTINCT FROM c",
        "INSERT INTO t (a, b) VALUES (NOW(), CASE WHEN x::int THEN 1 END) ON DUPLICATE KEY UPDATE a = 1",
        "UPDATE t JOIN (SELECT 1 AS a WHERE 1) u USING (a) SET t.b = 1 WHERE t.a::int > 0",
        "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = 1",
        "CREATE INDEX i ON t USING gin (lower(a))",
        "SELECT a.x FROM a, b WHERE a.id = b.id(+)",
    ],
}
REFUSED = {
    "python": [
        ("", 0),
        ("def f(:\n    pass", 6),
        ("return 1", 0),
        ("x = (1", 4),
        ("print 'a'", 0),
        ("if x:\npass", 6),
        ("  x = 1", None),
        ("x = 1\n\ty = 2", None),
        ("x = '\0'", 5),
        ("a = \ud800", 4),
        ("await x", None),
        ("x = 5 = y", None),
        ("```python\nx = 1\n```", 0),
        ("Here is the code:\nx = 1", None),
        ("nonlocal x", None),
        ("(" * 5_000, None),
        ("-" * 100_000 + "1", None),
    ],
    "javascript": [
        ("", 0),
        ("function (", None),
        ("let a; let a;", None),
        ("return 1", 0),
        ("if (x {", 6),
        ("const x;", None),
        ("let x = ;", 8),
        ("'use strict'; with (a) {}", None),
        ("class A { constructor() {} constructor() {} }", None),
        ("x = /(/", None),
        ("`${", None),
        ("import a from 'b'; import a from 'c';", None),
        ("Here is the code: f()", None),
        ("```js\nf()\n```", 0),
        ("1 = 2", None),
        ("function* g() { yield = 1 }", None),
        ("({a: 1", None),
        ("x.#y", 2),
        ("new a?.b()", 5),
        ("(" * 100_000, None),
        ("\ud800", 0),
    ],
    "sql": [
        ("", 0),
        ("-- only a comment", 0),
        ("SELEC 1", None),
        ("SELECT FROM t", None),
        ("SELECT '\0'", 8),
        ("SELECT 1; SELEC 2", 10),
        ("SELECT a, a FROM t WHERE a a", 27),
        ("INSERT INTO t", None),
        ("SELECT * FROM t ORDER", None),
        ("SELECT a,, b FROM t", 9),
        ("SELECT a, FROM t", 10),
        ("SELECT * FROM t WHERE", None),
        ("SELECT (1", None),
        ("SELECT 'a", None),
        ("SELECT * FROM t ORDER BY a GROUP BY b", 27),
        ("UPDATE t SET", None),
        ("CREATE TABLE t (a INT,)", None),
        ("CREATE t TABLE (a INT)", None),
        ("SELECT 1; DROP", None),
        ("CREATE TABLE t", None),
        ("ALTER TABLE t ADD", None),
        ("UPDATE t SET a WHERE b = 1", None),
        ("SELECT a FROM t GROUP BY", None),
        ("SELECT a FROM t GROUP", None),
        ("SELECT a FROM t WHERE a IN", None),
        ("SELECT a FROM t JOIN u ON", None),
        ("SELECT a FROM t USING (a)", None),
        ("SELECT * t", None),
        ("SELECT , a FROM t", None),
        ("SELECT a FROM t WHERE ()", None),
        ("SELECT CASE WHEN a 1 END", None),
        ("SELECT CASE a WHEN 1 THEN ELSE 2 END", None),
        ("SELECT a FROM t WHERE EXISTS", None),
        ("SELECT 1; FROM t", None),
        ("INSERT INTO t SELECT", None),
        ("INSERT INTO t (a b) VALUES (1, 2)", None),
        ("INSERT INTO t VALUES 1, 2", None),
        ("UPDATE t WHERE a = 1 SET b = 2", None),
        ("ALTER TABLE t DROP COLUMN", None),
        ("CREATE VIEW v", None),
        ("CREATE INDEX i ON t", None),
        ("EXPLAIN", None),
        ("hello world", None),
        ("The answer is 42", None),
        ("Here is the query: SELECT 1", None),
        ("```sql\nSELECT 1\n```", None),
        ("print('hello')", None),
    ],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in ACCEPTED.items() for text in texts])
def test_a_program_is_accepted(name: str, text: str) -> None:
    assert check(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "offset"),
    [(name, text, offset) for name, cases in REFUSED.items() for text, offset in cases],
    ids=lambda value: str(value)[:20].encode("ascii", "replace"),
)
def test_a_program_with_a_syntax_fault_is_refused(name: str, text: str, offset: int | None) -> None:
    fault = check(name, text)
    assert fault is not None
    assert fault.kind == "malformed"
    assert offset is None or fault.offset == offset


def test_javascript_is_parsed_and_never_run() -> None:
    assert check("javascript", "var hits = []; hits.push(1); for (;;) { hits.push(hits); }") is None
    assert check("javascript", "import 'file:///etc/passwd'; for (;;) {}") is None
