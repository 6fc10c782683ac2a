# ruff: noqa: E501 - queries on one line
"""SQL in real sandboxes: equivalent queries pass, hard-coded and wrong ones don't, on databases made from the given one."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifleet.sandbox.guest import other_databases, sql
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier, constants, ordering

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
    made = other_databases.variants(original, 8, connect)
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
    made = other_databases.variants(given_database, 8, sql.connect)
    assert len(made) == 8
    for database in made:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        for table in ("p", "c"):
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] > 0
        database.close()
    given_database.close()


STAFF = """
CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT, dept TEXT, salary REAL, age INTEGER, hired TEXT);
INSERT INTO staff VALUES (1, 'Ann', 'A', 100, 31, '2020-01-01'), (2, 'Bob', 'A', 120, 52, '2021-02-03'), (3, 'Cyd', 'B', 90, 31, '2019-05-06'),
 (4, 'Dan', 'C', 200, 40, '2022-07-08'), (5, 'Eve', 'B', 310, 28, '2018-09-10'), (6, 'Fay', 'C', 80, NULL, '2020-11-12');
"""
NEAR = [
    ("SELECT dept FROM staff GROUP BY dept HAVING SUM(salary) > 150", "SELECT dept FROM staff GROUP BY dept HAVING SUM(salary) > 199"),
    ("SELECT dept, COUNT(*) FROM staff GROUP BY dept", "SELECT dept, COUNT(DISTINCT salary) FROM staff GROUP BY dept"),
    ("SELECT name FROM staff WHERE dept LIKE 'A%'", "SELECT name FROM staff WHERE dept = 'A'"),
    ("SELECT name FROM staff WHERE dept = 'A'", "SELECT name FROM staff WHERE dept LIKE '%A'"),
    ("SELECT name FROM staff WHERE salary > 1000", "SELECT name FROM staff WHERE salary > 5000"),
    ("SELECT name FROM staff WHERE salary > 1000", "SELECT name FROM staff WHERE 1000 <= salary"),
    ("SELECT COUNT(*) FROM staff WHERE age BETWEEN 60 AND 70", "SELECT COUNT(*) FROM staff WHERE age BETWEEN 60 AND 69"),
    ("SELECT name FROM staff WHERE dept IN ('A', 'X')", "SELECT name FROM staff WHERE dept = 'A'"),
    ("SELECT name FROM staff WHERE hired > '2023-01-01'", "SELECT name FROM staff WHERE hired >= '2023-01-01'"),
    ("DELETE FROM staff WHERE salary > 1000", "DELETE FROM staff WHERE salary > 2000"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "query"), NEAR)
def test_constants_that_the_given_rows_do_not_reach_are_told_apart(
    verifier: CodeVerifier, gold: str, query: str
) -> None:
    assert check(verifier, query, gold, STAFF).score == 0.0
    assert check(verifier, gold, gold, STAFF).score == 1.0


ALIKE = [
    ("SELECT name FROM staff WHERE salary > 1000", "SELECT name FROM staff WHERE NOT (1000.0 >= salary)"),
    ("SELECT name FROM staff WHERE age > 60", "SELECT name FROM staff WHERE age >= 61"),
    ("SELECT name FROM staff WHERE salary IS NOT NULL", "SELECT name FROM staff WHERE salary > 0"),
    ("SELECT name FROM staff WHERE dept = 'Q'", "SELECT name FROM staff WHERE dept LIKE 'q'"),
    ("SELECT name FROM staff WHERE dept LIKE 'A%'", "SELECT name FROM staff WHERE SUBSTR(dept, 1, 1) = 'A'"),
    ("SELECT name FROM staff WHERE name LIKE '%an%'", "SELECT name FROM staff WHERE INSTR(LOWER(name), 'an') > 0"),
    ("SELECT name FROM staff WHERE hired LIKE '2020%'", "SELECT name FROM staff WHERE STRFTIME('%Y', hired) = '2020'"),
    ("SELECT name FROM staff WHERE hired > '2020-12-31'", "SELECT name FROM staff WHERE DATE(hired) >= '2021-01-01'"),
    ("SELECT COUNT(*) FROM staff WHERE age = 31 OR age = 99", "SELECT SUM(age IN (31, 99)) FROM staff"),
    ("SELECT name FROM staff ORDER BY salary DESC LIMIT 1", "SELECT name FROM staff WHERE salary = (SELECT MAX(salary) FROM staff)"),
    ("UPDATE staff SET age = 1 WHERE salary >= 1000", "UPDATE staff SET age = 1 WHERE NOT salary < 1000"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "query"), ALIKE)
def test_values_around_constants_fail_no_equivalent_query(verifier: CodeVerifier, gold: str, query: str) -> None:
    assert check(verifier, query, gold, STAFF).score == 1.0
    assert check(verifier, gold, query, STAFF).score == 1.0


def test_constants_are_those_compared_with_a_column() -> None:
    query = (
        "SELECT 7, 'x' FROM t -- WHERE a = 1\nWHERE t.\"A\" >= -2.5 AND b NOT IN ('u', 'it''s') AND c BETWEEN 1 AND 3 "
        "AND 9 < d AND UPPER(t.e) LIKE 'A%' AND COALESCE(f, 4) = 5 AND g + 1 = 2 AND h = i LIMIT 6"
    )
    assert constants.compared(query) == {
        "a": [["=", -2.5]],
        "b": [["=", "u"], ["=", "it's"]],
        "c": [["=", 1], ["=", 3]],
        "d": [["=", 9]],
        "e": [["like", "A%"]],
    }
    assert constants.compared("SELECT 1 FROM t WHERE a = 1e999 OR a = '" + "x" * 99 + "'") == {}


@given(st.text(max_size=60) | st.lists(st.sampled_from("a . ( ) = < IN BETWEEN AND NOT LIKE 'x' 1 - , -- \n \"".split(" "))).map(" ".join))  # fmt: skip
def test_any_text_is_searched_for_constants(text: str) -> None:
    constants.compared(text, text)


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 9), st.sampled_from("ABC"), st.none() | st.integers(1, 6)), min_size=2, max_size=9
    ),
    bound=st.integers(0, 12),
    pattern=st.sampled_from(["A%", "%B", "C", "Z"]),
)
@example(
    rows=[(6, "B", 1), (3, "C", None), (6, "C", 3), (2, "B", 4), (1, "C", 3), (3, "C", 3), (7, "A", 1), (4, "A", None)],
    bound=9,
    pattern="A%",
)
@settings(max_examples=40, deadline=None)
def test_values_around_constants_keep_keys_checks_and_references(
    rows: list[tuple[int, str, int | None]], bound: int, pattern: str
) -> None:
    original = sql.connect()
    original.executescript(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, low INTEGER NOT NULL, kind TEXT CHECK (length(kind) < 3), top INTEGER CHECK (top < 20));"
        "CREATE TABLE c (p_id INTEGER NOT NULL REFERENCES p(id), low INTEGER, PRIMARY KEY (p_id, low))"
    )
    for number, (low, kind, more) in enumerate(rows, 1):
        top = None if more is None else low + more
        original.execute("INSERT INTO p VALUES (?, ?, ?, ?)", (number, low, kind, top))
        original.execute("INSERT INTO c VALUES (?, ?)", (number, low))
    compared = {"low": [["=", bound]], "top": [["=", bound + 5]], "kind": [["like", pattern]], "p_id": [["=", 77]]}
    made = other_databases.variants(original, 6, sql.connect, compared)
    assert len(made) == 12
    for database in made:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT COUNT(*) FROM p").fetchone()[0] > 0
        assert database.execute("SELECT COUNT(*) FROM p WHERE low <= 0").fetchone() == (0,)
        both = [(low, low + more) for low, _, more in rows if more is not None]
        # Where all of one are below all of the other, that need not be more than chance.
        if len(both) > 3 and max(low for low, _ in both) >= min(top for _, top in both):
            assert database.execute("SELECT COUNT(*) FROM p WHERE top < low").fetchone() in [(0,)]
        database.close()
    original.close()
