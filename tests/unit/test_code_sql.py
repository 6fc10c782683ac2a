# ruff: noqa: E501 - queries on one line
"""SQL in real sandboxes: equivalent queries pass, hard-coded and wrong ones don't, on databases made from the given one."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifleet.sandbox.guest import sql, tables
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier, ordering

SCHEMA = """
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), amount REAL CHECK (amount > 0), opened TEXT, closed TEXT);
INSERT INTO customers VALUES (1, 'Ann', 'NL'), (2, 'Bob', 'NL'), (3, 'Cyd', NULL), (4, 'Dan', 'FR'), (5, 'Ann', 'FR'), (6, 'Eve', 'FR');
INSERT INTO orders VALUES (1, 1, 10.5, '2024-01-01', '2024-01-03'), (2, 1, 20, '2024-01-02', '2024-01-02'), (3, 2, 5, '2024-02-01', '2024-02-09'),
 (4, 4, 7.25, '2024-02-02', '2024-03-01'), (5, 4, 7.25, '2024-03-01', '2024-03-02'), (6, NULL, 1, '2024-03-05', '2024-03-06'), (7, 6, 20, '2024-04-01', '2024-04-05');
"""


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    verifier = CodeVerifier()
    yield verifier
    verifier.close()


def check(verifier: CodeVerifier, query: str, gold: str, schema: str = SCHEMA, **more: Any) -> VerificationResult:
    reference = {"language": "sql", "schema": schema, "query": gold, **more}
    return verifier.check(parse_request("code", {"response": f"```sql\n{query}\n```", "reference": reference}))


TOTALS = "SELECT c.name, SUM(o.amount) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id"
SAME = [
    ("SELECT name FROM customers WHERE country = 'NL'", "SELECT c.name FROM customers AS c WHERE c.country LIKE 'nl' ORDER BY 1 DESC;"),
    (TOTALS, "WITH t AS (SELECT customer_id k, SUM(amount) s FROM orders GROUP BY k) SELECT name, s FROM t JOIN customers ON id = k"),
    ("SELECT COUNT(*) FROM orders", "select count(id) n from orders -- all of them"),
    ("SELECT AVG(amount) FROM orders", "SELECT SUM(amount) / COUNT(*) FROM orders"),
    ("SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)", "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id)"),
    ("SELECT id FROM orders WHERE closed >= opened", "SELECT id FROM orders"),
    ("SELECT country, COUNT(*) FROM customers GROUP BY country", "SELECT country, SUM(1) FROM customers GROUP BY 1"),
    ("SELECT o.id FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE o.customer_id NOT NULL", "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "query"), SAME)
def test_an_equivalent_query_passes(verifier: CodeVerifier, gold: str, query: str) -> None:
    result = check(verifier, query, gold)
    assert result.score == 1.0, result
    assert result.details["databases"] > 1


DIFFERENT = [
    ("SELECT name FROM customers WHERE country = 'NL'", "SELECT 'Ann' UNION ALL SELECT 'Bob'"),
    ("SELECT COUNT(*) FROM orders", "SELECT 7"),
    ("SELECT COUNT(*) FROM orders WHERE amount > 100", "SELECT 0 FROM orders"),
    ("SELECT DISTINCT country FROM customers WHERE id < 3", "SELECT country FROM customers WHERE id < 2"),
    ("SELECT amount FROM orders", "SELECT DISTINCT amount FROM orders"),
    ("SELECT name FROM customers WHERE country <> 'NL'", "SELECT name FROM customers WHERE country IS NOT 'NL'"),
    ("SELECT name, country FROM customers", "SELECT country, name FROM customers"),
    ("SELECT name FROM customers", "SELECT name, country FROM customers"),
    ("SELECT MAX(amount) FROM orders", "SELECT 20.0"),
    ("SELECT name FROM customers", "DELETE FROM customers"),
    ("SELECT name FROM customers", "SELECT nosuch FROM customers"),
    ("SELECT name FROM customers", "SELECT name FROM customers; SELECT 1"),
    ("SELECT NULL", "SELECT 0"),
    ("SELECT '1'", "SELECT 1"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "query"), DIFFERENT)
def test_a_different_query_fails(verifier: CodeVerifier, gold: str, query: str) -> None:
    assert check(verifier, query, gold).score == 0.0


def test_order_counts_where_the_reference_query_has_an_order_unless_the_reference_says_otherwise(
    verifier: CodeVerifier,
) -> None:
    gold, query = "SELECT id FROM customers ORDER BY id", "SELECT id FROM customers ORDER BY id DESC"
    assert check(verifier, query, gold).score == 0.0
    assert check(verifier, query, gold, ordered=None).score == 0.0
    assert check(verifier, query, gold, ordered=True).score == 0.0
    assert check(verifier, query, gold, ordered=False).score == 1.0
    assert check(verifier, "SELECT id FROM customers ORDER BY -id DESC", gold).score == 1.0
    assert check(verifier, query, "SELECT id FROM customers").score == 1.0
    cut = "SELECT id FROM customers ORDER BY id LIMIT 3"
    assert check(verifier, f"SELECT * FROM ({cut}) ORDER BY id DESC", cut).score == 0.0
    assert check(verifier, f"SELECT * FROM ({cut}) ORDER BY id", cut).score == 1.0


@pytest.mark.parametrize(
    ("query", "ordered"),
    [
        ("select a from t Order  By a limit 2", True),
        ("SELECT a FROM t UNION SELECT b FROM t ORDER BY 1", True),
        ("WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY a", True),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 2)", False),
        ("SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t", False),
        ("SELECT 'ORDER BY a' FROM t -- order by a", False),
        ('SELECT "order by" FROM t', False),
        ("SELECT a FROM t WHERE a == ?!? ORDER BY a", True),  # past the parser
        ("SELECT a FROM (?!? SELECT ')' ORDER BY a)", False),
        ("(" * 9000 + " order by ", False),
    ],
)
def test_only_an_order_of_the_query_itself_orders_its_result(query: str, ordered: bool) -> None:
    assert ordering.has_order(query) is ordered


def test_a_limit_that_cuts_through_ties_fails_nobody(verifier: CodeVerifier) -> None:
    gold = "SELECT name FROM customers LIMIT 2"
    assert check(verifier, "SELECT name FROM (SELECT name FROM customers ORDER BY id) LIMIT 2", gold).score == 1.0


def test_statements_that_change_data_are_judged_by_the_tables(verifier: CodeVerifier) -> None:
    gold = "UPDATE orders SET amount = amount * 2 WHERE customer_id = 1"
    same = "UPDATE orders SET amount = amount + amount WHERE id IN (SELECT id FROM orders WHERE customer_id = 1);"
    assert check(verifier, same, gold).score == 1.0
    assert check(verifier, "UPDATE orders SET amount = amount * 2", gold).score == 0.0
    assert check(verifier, "SELECT 1", gold).score == 0.0


def test_an_endless_query_is_stopped(verifier: CodeVerifier) -> None:
    query = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"
    raw = {"response": query, "reference": {"language": "sql", "schema": SCHEMA, "query": "SELECT 1"}}
    result = verifier.check(parse_request("code", {**raw, "options": {"limits": {"cpu_s": 0.3}}}))
    assert result.details["tests"][0]["outcome"] == "timeout"


def test_a_broken_reference_is_malformed_and_not_shown(verifier: CodeVerifier) -> None:
    result = check(verifier, "SELECT 1", "SELECT secret_column FROM customers")
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert "secret" not in result.model_dump_json()
    assert check(verifier, "SELECT 1", "SELECT 1", schema="CREATE TABLE (").verdict == "malformed"


def test_made_databases_keep_what_holds_in_the_given_one() -> None:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(":memory:", isolation_level=None)

    original = connect()
    original.executescript(SCHEMA)
    before = original.execute("SELECT * FROM orders ORDER BY id").fetchall()
    made = tables.variants(original, 8, connect)
    assert len(made) == 8
    contents = set()
    for database in made:
        assert database.execute("SELECT COUNT(*) FROM customers").fetchone()[0] > 1
        assert database.execute("SELECT COUNT(*) FROM orders").fetchone()[0] > 1
        lost = (
            "SELECT COUNT(*) FROM orders WHERE customer_id NOT NULL AND customer_id NOT IN (SELECT id FROM customers)"
        )
        assert database.execute(lost).fetchone() == (0,)
        assert database.execute("SELECT COUNT(*) FROM orders WHERE closed < opened OR amount <= 0").fetchone() == (0,)
        assert database.execute("SELECT COUNT(*) FROM customers WHERE name IS NULL").fetchone() == (0,)
        allowed = {row[2] for row in before}
        assert {row[0] for row in database.execute("SELECT amount FROM orders")} <= allowed
        contents.add(str(database.execute("SELECT * FROM orders ORDER BY id").fetchall()))
        database.close()
    original.close()
    assert len(contents) > 4


@given(data=st.data(), people=st.integers(2, 10), orders=st.integers(2, 12))
@settings(max_examples=40, deadline=None)
def test_made_databases_never_break_a_foreign_key_and_are_never_empty(
    data: st.DataObject, people: int, orders: int
) -> None:
    given_database = sql.connect()
    given_database.executescript(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES p, score REAL);"
        "CREATE TABLE c (id INTEGER PRIMARY KEY, p_id INTEGER NOT NULL REFERENCES P(ID), kind TEXT, UNIQUE (p_id, kind))"
    )
    for number in range(1, people + 1):
        boss = data.draw(st.none() | st.integers(1, people))
        row = (number, data.draw(st.sampled_from("abc")), boss, data.draw(st.sampled_from([None, 1.5, 2.0])))
        given_database.execute("INSERT INTO p VALUES (?, ?, ?, ?)", row)
    for number in range(1, orders + 1):
        row = (number, data.draw(st.integers(1, people)), data.draw(st.sampled_from("xyz")))
        given_database.execute("INSERT OR IGNORE INTO c VALUES (?, ?, ?)", row)
    made = tables.variants(given_database, 8, sql.connect)
    assert len(made) == 8
    for database in made:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        for table in ("p", "c"):
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] > 0
        database.close()
    given_database.close()
