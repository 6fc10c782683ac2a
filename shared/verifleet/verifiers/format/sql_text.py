"""SQL syntax: SQLite's own parser decides first, then sqlglot for what belongs to other dialects.

sqlglot is made to translate, not to refuse, so what it lets pass is read again for the slips that it forgives.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown
from verifleet.verifiers.format.program_syntax import check_program
from verifleet.verifiers.format.sql_slips import is_complete, slip

_MAX_USES: Final = 20  # of a word, among which the faulty one is looked for
_DIALECTS: Final = ("", "postgres", "mysql", "tsql", "oracle")
_SYNTAX = re.compile(
    r"syntax error|incomplete input|unrecognized token|malformed|parser stack overflow|too large|too many"
    r"|JOIN clause is required|clause should come|unknown join type"
)
_NEAR = re.compile(r'near "(.*)": syntax error|unrecognized token: "(.*)"', re.DOTALL)
_ALTER = re.compile(r"\s*ALTER\b", re.IGNORECASE)
_MISSING = re.compile(r"no such table: (?:\w+\.)?(.+)", re.DOTALL)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_HASH_COMMENT = re.compile(r"^[ \t]*+#[^\n]*", re.MULTILINE)
_EXPLAIN = re.compile(r"\s*EXPLAIN\b", re.IGNORECASE)
_COMMANDS_WORDS = """
ANALYZE BEGIN CALL CHECKPOINT CLOSE CLUSTER COMMENT COPY DEALLOCATE DECLARE DENY DO END EXEC EXECUTE EXPLAIN FETCH
FLUSH GRANT HANDLER KILL LISTEN LOAD LOCK MOVE NOTIFY OPEN OPTIMIZE PREPARE REASSIGN REFRESH REINDEX RELEASE
REPLACE RESET REVOKE ROLLBACK SAVEPOINT SHOW START STOP UNLISTEN UNLOCK VACUUM
"""
_COMMANDS: Final = frozenset(_COMMANDS_WORDS.split())
_DEFINED_WORDS = """
AGGREGATE CAST COLLATION CONSTRAINT DATABASE DEFINER DOMAIN EVENT EXTENSION EXTERNAL FOREIGN FULLTEXT FUNCTION
GLOBAL INDEX LANGUAGE LOCAL LOGIN MATERIALIZED OPERATOR OR POLICY PROC PROCEDURE PUBLICATION ROLE RULE SCHEMA
SEQUENCE SERVER SPATIAL STATISTICS SUBSCRIPTION SYNONYM TABLESPACE TEMP TEMPORARY TRIGGER TYPE UNIQUE UNLOGGED USER
VIEW VIRTUAL
"""
_DEFINED: Final = frozenset(_DEFINED_WORDS.split())


def check_sql(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a trimmed text as SQL statements of SQLite, PostgreSQL, MySQL, SQL Server or Oracle."""
    return check_program(text, "SQL statement", workers, sql_fault)


def sql_fault(text: str) -> Fault | None:
    """The first fault; in a worker, since long nesting takes long. No statement is run."""
    if "\0" in text:
        return Fault("null_character", "SQL can't hold a NUL character.", text.find("\0"))
    if not _HASH_COMMENT.sub("", _COMMENT.sub("", text)).strip(" \t\r\n;"):
        return Fault("empty", "There is no SQL statement.", 0)
    found = _sqlite_complaint(text)
    if found is None:
        return None
    furthest: int | None = None
    for dialect in _DIALECTS:
        accepted, place = _sqlglot_accepts(text, dialect)
        if accepted:
            return None
        furthest = place if place is not None and (furthest is None or place > furthest) else furthest
    message, statement, start = found
    offset = _near(statement, message)
    offset = furthest if offset is None else start + offset
    return Fault("syntax", f"This is not SQL of any known dialect: {shown(message)}.", offset)


def _near(statement: str, message: str) -> int | None:
    """Where SQLite's complaint points: at the first use of the named word up to which the complaint is the same."""
    near = _NEAR.search(message)
    if near is None:
        return len(statement) if "incomplete" in message else None
    word = near[1] or near[2]
    first = at = statement.find(word)
    for _ in range(_MAX_USES):
        if at < 0:
            break
        cut = _sqlite_complaint(statement[: at + len(word)])
        if cut is not None and cut[0] == message:
            return at
        at = statement.find(word, at + 1)
    return first if first >= 0 else None


def _statements(text: str) -> Iterator[tuple[str, int]]:
    """Each statement and where it begins."""
    statement, start = "", 0
    for part in text.split(";"):
        statement += part
        if sqlite3.complete_statement(statement + ";"):
            yield statement, start
            start += len(statement) + 1
            statement = ""
        else:
            statement += ";"
    yield statement.rstrip("; \t\r\n"), start


def _allowed(action: int, *_: Any) -> int:
    # Some pragmas take effect while they are prepared; "not authorized" is no syntax error.
    return sqlite3.SQLITE_DENY if action in (sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_ATTACH) else sqlite3.SQLITE_OK


def _sqlite_complaint(text: str) -> tuple[str, str, int] | None:
    """SQLite's first syntax error, its statement and where that begins; None where it finds none.

    Statements are compiled (EXPLAIN), never run.
    """
    connection = sqlite3.connect(":memory:")
    connection.set_authorizer(_allowed)
    try:
        for statement, start in _statements(text):
            bare = _COMMENT.sub(" ", statement)
            if not bare.strip():
                continue
            message = _compiled(connection, statement if _EXPLAIN.match(bare) else f"EXPLAIN {statement}")
            missing = _MISSING.match(message or "")
            if missing is not None and _ALTER.match(bare):  # the table is looked up before the rest is read
                connection.execute('CREATE TABLE "{}" (a)'.format(missing[1].replace('"', '""')))
                message = _compiled(connection, f"EXPLAIN {statement}")
            if message is not None and _SYNTAX.search(message):
                return message, statement, start
    finally:
        connection.close()
    return None


def _compiled(connection: sqlite3.Connection, statement: str) -> str | None:
    """What is wrong with a statement, if anything."""
    try:
        connection.execute(statement)
    except sqlite3.Error as error:
        return str(error)
    except (sqlite3.Warning, ValueError) as error:  # several statements in one, a text that can't be encoded
        return f"malformed: {error}"
    return None


def _sqlglot_accepts(text: str, dialect: str) -> tuple[bool, int | None]:
    """Whether sqlglot reads every statement without a slip, and the offset of its complaint."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        trees = sqlglot.parse(text, dialect=dialect or None)
        tokens = sqlglot.tokenize(text, dialect=dialect or None)
    except SqlglotError as error:
        entry = (getattr(error, "errors", None) or [{}])[0]
        if entry.get("line") and entry.get("col"):
            return False, offset_of(text, entry["line"], max(1, entry["col"] - len(entry.get("highlight") or "x") + 1))
        return False, None
    except (RecursionError, ValueError):
        return False, None
    place = slip(tokens)
    if place is not None:
        return False, place
    return all(tree is None or (_is_statement(tree) and is_complete(tree)) for tree in trees), None


def _is_statement(tree: Any) -> bool:
    """A whole statement, not an expression (which prose may look like)."""
    from sqlglot import exp

    if isinstance(tree, exp.Command):
        word = str(tree.this).upper()
        rest = str(tree.expression or "").split()
        return word in _COMMANDS or (word in ("CREATE", "ALTER", "DROP") and bool(rest) and rest[0].upper() in _DEFINED)
    if isinstance(tree, exp.Insert) and not (tree.args.get("expression") or tree.args.get("default")):
        return False
    if isinstance(tree, exp.Select) and not tree.expressions:
        return False
    if isinstance(tree, exp.Subquery):
        return _is_statement(tree.unnest())
    statements = ("Query", "Insert", "Update", "Delete", "Create", "Drop", "Alter", "Merge", "TruncateTable")
    others = ("Transaction", "Commit", "Rollback", "Use", "Set", "Describe", "Pragma", "Values", "Show", "Copy")
    more = ("Grant", "Revoke", "Analyze", "Attach", "Detach", "Comment", "Kill", "LoadData", "Block", "IfBlock")
    kinds = tuple(getattr(exp, name) for name in (*statements, *others, *more) if hasattr(exp, name))
    return isinstance(tree, kinds) and not isinstance(tree, exp.Table)
