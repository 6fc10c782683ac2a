"""The Store on one SQLite file, shared by all processes of one machine.

`documents` holds each document, `document_keys` one row for each of its keys, sorted as `find` reads them, so
that a look-up touches only what it returns. Write-ahead logging lets readers run beside the one writer. A commit
survives the death of any process; with `synchronous=NORMAL` the last few may be lost when the machine itself dies.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from verifleet.errors import SettingsError, StoreUnavailableError
from verifleet.storage.store import MAX_FIND_KEYS, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0
PURGE_EVERY_S = 30.0
PURGE_AT_ONCE = 500
PUT_AT_ONCE = 200

_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id BLOB NOT NULL,
    data TEXT NOT NULL, keys TEXT NOT NULL, time INTEGER, expires INTEGER, UNIQUE (kind, id));
CREATE INDEX IF NOT EXISTS documents_by_expiry ON documents (expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS document_keys (
    kind TEXT NOT NULL, key BLOB NOT NULL, time INTEGER NOT NULL, id BLOB NOT NULL, expires INTEGER,
    PRIMARY KEY (kind, key, time, id)) WITHOUT ROWID;
"""
_NO_TIME = -(2**63)  # sorts after every real time, newest first, and lies outside every window
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class SqliteStore:
    """Documents in the SQLite file at `path`, which is made with its folder where it is missing.

    Raises SettingsError at once when the folder can't be used. Work is done in one thread of its own, started on
    first use (so after a server has forked), because a commit may have to wait for another process.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).expanduser()
        self._connection: sqlite3.Connection | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._starting = threading.Lock()
        self._purge_at = 0.0
        _check_folder(self._path)

    async def get(self, kind: str, id: str) -> Document | None:
        """The document, or None when absent or expired."""
        return await self._run(lambda db: _read(db, kind, _blob(id)))

    async def put(self, kind: str, id: str, document: Document) -> None:
        """Write or replace; visible to every reader once this returns."""
        await self._write(lambda db: _put(db, kind, _blob(id), document))

    async def put_many(self, kind: str, documents: Mapping[str, Document]) -> None:
        """Write or replace several, in batches of one transaction each."""
        items = list(documents.items())
        for start in range(0, len(items), PUT_AT_ONCE):
            batch = items[start : start + PUT_AT_ONCE]

            def put_batch(db: sqlite3.Connection, batch: list[tuple[str, Document]] = batch) -> None:
                for id, document in batch:
                    _put(db, kind, _blob(id), document)

            await self._write(put_batch)

    async def update(self, kind: str, id: str, change: Callable[[Document | None], Document | None]) -> Document | None:
        """Read, change, write in one transaction; `change` runs in the store's thread."""

        def read_change_write(db: sqlite3.Connection) -> Document | None:
            present = _read(db, kind, _blob(id))
            changed = change(present)
            if changed is None:
                return present
            _put(db, kind, _blob(id), changed)
            return _read(db, kind, _blob(id))

        return await self._write(read_change_write)

    async def delete(self, kind: str, id: str) -> None:
        """Remove; no error when absent."""
        await self._write(lambda db: _delete(db, kind, _blob(id)))

    async def find(
        self,
        kind: str,
        keys: Sequence[str],
        *,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 100,
    ) -> list[tuple[str, Document]]:
        """(id, document) of documents with any of `keys`, newest first. Raises ValueError above MAX_FIND_KEYS keys."""
        wanted = sorted({_blob(key) for key in keys})
        if len(wanted) > MAX_FIND_KEYS:
            raise ValueError(f"find takes at most {MAX_FIND_KEYS} keys, not {len(wanted)}")
        if not wanted or limit <= 0:
            return []
        return await self._run(lambda db: _find(db, kind, wanted, after, before, limit))

    async def close(self) -> None:
        """Close the file and end the thread; the store opens again when it is used again."""
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._disconnect)
            thread.shutdown(wait=False)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def in_transaction(db: sqlite3.Connection) -> T:
            with _transaction(db):
                result = work(db)
                self._purge(db)
            return result

        return await self._run(in_transaction)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = _connect(self._path)
            return work(self._connection)
        except sqlite3.Error as error:
            raise StoreUnavailableError(f"the store {self._path} does not answer: {error}") from error

    def _purge(self, db: sqlite3.Connection) -> None:
        if time.monotonic() < self._purge_at:
            return
        self._purge_at = time.monotonic() + PURGE_EVERY_S
        old = db.execute(
            "SELECT kind, id FROM documents WHERE expires IS NOT NULL AND expires <= ? LIMIT ?", (_now(), PURGE_AT_ONCE)
        ).fetchall()
        for kind, id in old:
            _delete(db, kind, id)
        if len(old) == PURGE_AT_ONCE:
            self._purge_at = 0.0


def _check_folder(path: Path) -> None:
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"can't make the folder {folder} for the store: {error.strerror}; set VERIFLEET_STORE=sqlite:///PATH "
            "to a path that can be written"
        ) from error
    target = path if path.exists() else folder
    if path.is_dir() or not os.access(target, os.W_OK):
        raise SettingsError(
            f"can't write to {target}, where the store should be; set VERIFLEET_STORE=sqlite:///PATH "
            "to a path that can be written"
        )


def _connect(path: Path) -> sqlite3.Connection:
    # While another process turns the new file to write-ahead logging, SQLite answers "locked" at once, whatever its
    # timeout: it is asked again.
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            return _opened(path)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        with _transaction(db):
            for statement in _SCHEMA.split(";")[:-1]:
                db.execute(statement)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _read(db: sqlite3.Connection, kind: str, id: bytes) -> Document | None:
    row = db.execute(
        "SELECT data, keys, time, expires FROM documents "
        "WHERE kind = ? AND id = ? AND (expires IS NULL OR expires > ?)",
        (kind, id, _now()),
    ).fetchone()
    return None if row is None else _document(*row)


def _put(db: sqlite3.Connection, kind: str, id: bytes, document: Document) -> None:
    _delete(db, kind, id)
    moment, expires = _micros(document.time), _micros(document.expires_at)
    data = json.dumps(document.data, ensure_ascii=True, separators=(",", ":"))
    db.execute(
        "INSERT INTO documents (kind, id, data, keys, time, expires) VALUES (?, ?, ?, ?, ?, ?)",
        (kind, id, data, json.dumps(list(document.keys)), moment, expires),
    )
    sort_time = _NO_TIME if moment is None else moment
    db.executemany(
        "INSERT INTO document_keys (kind, key, time, id, expires) VALUES (?, ?, ?, ?, ?)",
        [(kind, _blob(key), sort_time, id, expires) for key in dict.fromkeys(document.keys)],
    )


def _delete(db: sqlite3.Connection, kind: str, id: bytes) -> None:
    row = db.execute("DELETE FROM documents WHERE kind = ? AND id = ? RETURNING keys, time", (kind, id)).fetchone()
    if row is not None:
        sort_time = _NO_TIME if row[1] is None else row[1]
        db.executemany(
            "DELETE FROM document_keys WHERE kind = ? AND key = ? AND time = ? AND id = ?",
            [(kind, _blob(key), sort_time, id) for key in json.loads(row[0])],
        )


def _find(
    db: sqlite3.Connection,
    kind: str,
    keys: list[bytes],
    after: datetime | None,
    before: datetime | None,
    limit: int,
) -> list[tuple[str, Document]]:
    # The newest `limit` of each key, straight off its index; the newest of all are among them.
    window, bounds = "", []
    for comparison, moment in ((">=", _micros(after)), ("<", _micros(before))):
        if moment is not None:
            window += f" AND time {comparison} ?"
            bounds.append(moment)
    if bounds:
        window += f" AND time > {_NO_TIME}"
    of_one_key = (
        "SELECT * FROM (SELECT time, id FROM document_keys WHERE kind = ? AND key = ?"  # noqa: S608 -- constants
        f"{window} AND (expires IS NULL OR expires > ?) ORDER BY time DESC, id DESC LIMIT ?)"
    )
    newest = " UNION ".join([of_one_key] * len(keys)) + " ORDER BY time DESC, id DESC LIMIT ?"
    query = (
        "SELECT d.id, d.data, d.keys, d.time, d.expires "  # noqa: S608 -- constants
        f"FROM ({newest}) AS n JOIN documents AS d ON d.kind = ? AND d.id = n.id ORDER BY n.time DESC, n.id DESC"
    )
    now = _now()
    values: list[Any] = []
    for key in keys:
        values += [kind, key, *bounds, now, limit]
    rows = db.execute(query, [*values, limit, kind]).fetchall()
    return [(_text(id), _document(*rest)) for id, *rest in rows]


def _document(data: str, keys: str, moment: int | None, expires: int | None) -> Document:
    return Document(json.loads(data), tuple(json.loads(keys)), _datetime(moment), _datetime(expires))


def _blob(text: str) -> bytes:
    # As bytes, because SQLite's text can hold neither lone surrogates nor, in comparisons, NUL.
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")


def _now() -> int:
    return time.time_ns() // 1000


def _micros(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND


def _datetime(micros: int | None) -> datetime | None:
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)
