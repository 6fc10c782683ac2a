"""Mode `sql`: run one query on the given database and on others made from it, and send back rows or table contents.

Gold and candidate run in separate processes; the databases are made anew in each, the same by a fixed seed.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from typing import Any

from verifleet.sandbox.guest import other_databases, runner, wire

MAX_ROWS = 50_000
_STEP = 20_000
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 500,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 500,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_NEVER = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA}
_BAD_FUNCTIONS = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_dbpage"}


class TooManyRowsError(Exception):
    """More rows than are compared."""


def run(job: dict[str, Any]) -> None:
    """Send one frame for each database: `=` and {kind, columns, rows or tables} or `!` and how it failed."""
    try:
        original = connect()
        original.executescript(job["schema"])
        original.commit()
    except sqlite3.Error as error:
        _fail({"outcome": "schema", "error": type(error).__name__})
        runner.leave()
    databases = [original, *other_databases.variants(original, job["variants"], connect, job["constants"])]
    for number, database in enumerate(databases):
        answers = [_answer(database, job)]
        if job["gold"]:  # does its result depend on the order in which rows happen to be stored or read?
            answers += [_answer(other, job) for other in other_databases.reordered(database, connect)]
            keyed = _answer(database, {**job, "query": job["keyed"]}) if job["keyed"] else b"!"
            runner.send_frame(b"=" + wire.encode([number, keyed[1:], *[part[1:] for part in answers]]))
        else:
            runner.send_frame(answers[0])
            if answers[0][:1] == b"!":
                break  # one failure decides
    runner.leave()


def connect() -> sqlite3.Connection:
    """An empty database in memory with tight limits."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    for limit, value in _LIMITS.items():
        database.setlimit(limit, value)
    return database


def _fail(report: dict[str, Any]) -> None:
    runner.send_frame(b"!" + json.dumps(report).encode())


def _answer(database: sqlite3.Connection, job: dict[str, Any]) -> bytes:
    """Run the query on a copy, guarded."""
    copy = connect()
    database.backup(copy)
    if database.execute("PRAGMA reverse_unordered_selects").fetchone()[0]:
        copy.execute("PRAGMA reverse_unordered_selects=ON")
    deadline = time.process_time() + job["cpu_s"]
    copy.set_progress_handler(lambda: time.process_time() > deadline, _STEP)
    copy.set_authorizer(_authorizer(writing=job["writing"]))
    try:
        try:
            return b"=" + wire.encode(_result(copy, job))
        finally:
            copy.set_authorizer(None)
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            return b"!" + json.dumps({"outcome": "timeout"}).encode()
        return (
            b"!"
            + json.dumps({"outcome": "exception", "error": "SQL", "message": runner.shortened(str(error))}).encode()
        )
    except sqlite3.Error as error:
        outcome = {"outcome": "exception", "error": type(error).__name__, "message": runner.shortened(str(error))}
        return b"!" + json.dumps(outcome).encode()
    except (TooManyRowsError, wire.WireError):
        return b"!" + json.dumps({"outcome": "output_limit"}).encode()
    except MemoryError:
        return b"!" + json.dumps({"outcome": "memory"}).encode()
    finally:
        copy.close()


def _result(database: sqlite3.Connection, job: dict[str, Any]) -> dict[str, Any]:
    if not job["writing"]:
        cursor = database.execute(job["query"])
        if cursor.description is not None:
            return {"columns": len(cursor.description), "rows": _rows(cursor)}
        if not job["gold"]:
            raise sqlite3.OperationalError("the statement returns no rows")
    else:
        database.executescript(job["query"])
        database.set_authorizer(None)
        database.set_progress_handler(None, 0)
    everything = "SELECT * FROM {}"
    contents = {
        n: _rows(database.execute(everything.format(other_databases.quoted(n))))
        for n in other_databases.names(database)
    }
    return {"tables": contents}


def _rows(cursor: sqlite3.Cursor) -> list[Any]:
    rows: list[Any] = []
    for row in cursor:
        rows.append(row)
        if len(rows) > MAX_ROWS:
            raise TooManyRowsError
    return rows


def _authorizer(*, writing: bool) -> Callable[..., int]:
    def authorize(action: int, first: str | None, second: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _BAD_FUNCTIONS:
            return sqlite3.SQLITE_DENY
        if action in _NEVER or (not writing and action not in _READING):
            return sqlite3.SQLITE_DENY
        if action == getattr(sqlite3, "SQLITE_CREATE_VTABLE", 29):
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    return authorize
