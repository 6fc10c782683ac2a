"""Everything durable: topics, subscriptions, messages and which subscription still waits for which message.

One SQLite file in WAL mode, written by group commit: whatever is handed in during one turn of the event loop (or, for
acknowledgements, within a few milliseconds) shares one transaction. It runs on the loop's own thread: a transaction of
a thousand rows takes milliseconds, while a second thread would wait for the interpreter lock at every row.
`synchronous=NORMAL`: what is committed survives the process being killed; a power cut can lose the last moments.

The journal also keeps the broker's own time, which advances only while a broker runs on this file: a clock that is set,
or a laptop that sleeps for a week, makes no message older. Every transaction writes it, and message ids are its
microseconds, so that age is a comparison of ids.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import sqlite3
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifleet.local.broker.faults import BrokerDataError, BrokerStartError, UnavailableError
from verifleet.local.broker.soundness import Mark, cut_off, damage_in, damaged, fault_in, removed

_LOG = logging.getLogger(__name__)

_SETTLE_DELAY_S = 0.005
_RETRY_DELAY_S = 1.0
_CACHED_BYTES = 16 * 1024 * 1024
"""Of messages that somebody waits for; what is older is read from the file."""
_FREE_PAGES_KEPT = 8_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS topics(name TEXT PRIMARY KEY, config BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS subscriptions(
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, config BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS messages(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS pending(
    message INTEGER NOT NULL, subscription INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0, not_before REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (message, subscription)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS high_water(only_row INTEGER PRIMARY KEY CHECK (only_row = 1), message INTEGER NOT NULL);
INSERT OR IGNORE INTO high_water VALUES (1, 0);
"""

Committed = Callable[[Exception | None], None]
Monotonic = Callable[[], int]
"""Nanoseconds that only grow, from any beginning."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A message that a subscription has not acknowledged, as found at the start."""

    message: int
    subscription: int
    failures: int
    not_before: float


@dataclass(slots=True)
class _Batch:
    """What the next transaction writes. Only messages and their pending rows may be refused, never forgotten."""

    messages: list[tuple[int, bytes]] = field(default_factory=list)
    pending: list[tuple[int, int]] = field(default_factory=list)
    committed: list[Committed] = field(default_factory=list)


class Journal:
    """The SQLite file of one broker. Not thread-safe: it belongs to the event loop that calls it."""

    def __init__(
        self, path: Path, monotonic: Monotonic = time.monotonic_ns, on_damage: Callable[[], None] = lambda: None
    ) -> None:
        """Open or create the file; raises BrokerStartError or BrokerDataError with what to do about it.

        `on_damage` is called when the file turns out to be damaged later; `damage` says then what to do.
        """
        self._path = path
        self._on_damage = on_damage
        self.damage = ""
        with contextlib.ExitStack() as on_failure:
            self._lock = _locked(path)
            on_failure.callback(os.close, self._lock)
            existed = path.exists()
            self._mark = Mark(path)
            on_failure.callback(self._mark.close)
            try:
                self._db = _opened(path)
            except BrokerDataError:
                self._mark.write(0)  # the file may be moved away now, without another word
                raise
            on_failure.callback(self._db.close)
            written, marked = self._highest(), self._mark.read()
            if marked > written:
                # Told once; ids that were given out in the time that is missing are not used again.
                self._db.execute("UPDATE high_water SET message = ?", (marked,))
                raise BrokerDataError(cut_off(path, written, marked) if existed else removed(path))
            on_failure.pop_all()
        self._batch = _Batch()
        self._settled: list[tuple[int, int]] = []
        self._failed: list[tuple[int, float, int, int]] = []
        self._timer: asyncio.TimerHandle | asyncio.Handle | None = None
        self._urgent = False
        self._bodies: OrderedDict[int, bytes] = OrderedDict()
        self._waited_for: dict[int, int] = {}
        """Of each of these, how many subscriptions wait for it."""
        self._cached_bytes = 0
        self._monotonic = monotonic
        # A new file begins near the present, so that ids look like Pub/Sub's; from then on only running counts.
        self._began_us = (written or time.time_ns() // 1000) - monotonic() // 1000

    @property
    def now_us(self) -> int:
        """The broker's own time: microseconds that grow only while a broker runs on this file."""
        return self._began_us + self._monotonic() // 1000

    # Topics and subscriptions: rare, so each is its own transaction.

    def topics(self) -> list[bytes]:
        """The stored topics, serialized."""
        return [config for (config,) in self._read("SELECT config FROM topics ORDER BY name")]

    def subscriptions(self) -> list[tuple[int, bytes]]:
        """The stored subscriptions: id and serialized configuration."""
        return self._read("SELECT id, config FROM subscriptions ORDER BY id")

    def save_topic(self, name: str, config: bytes) -> None:
        """Create or replace a topic; raises UnavailableError."""
        self._now("INSERT OR REPLACE INTO topics VALUES (?, ?)", (name, config))

    def delete_topic(self, name: str) -> None:
        """Forget a topic; raises UnavailableError."""
        self._now("DELETE FROM topics WHERE name = ?", (name,))

    def create_subscription(self, name: str, config: bytes) -> int:
        """Store a new subscription and return its id, which is never used twice; raises UnavailableError."""
        return self._now("INSERT INTO subscriptions(name, config) VALUES (?, ?)", (name, config))

    def save_subscription(self, subscription: int, config: bytes) -> None:
        """Replace a subscription's configuration; raises UnavailableError."""
        self._now("UPDATE subscriptions SET config = ? WHERE id = ?", (config, subscription))

    def delete_subscription(self, subscription: int) -> None:
        """Forget a subscription; its pending messages are settled by the caller, or at the next start."""
        self._now("DELETE FROM subscriptions WHERE id = ?", (subscription,))

    # Messages.

    def pending(self) -> Iterator[Pending]:
        """All that was not acknowledged, oldest first; what nobody waits for any more is removed before."""
        self._execute("DELETE FROM pending WHERE subscription NOT IN (SELECT id FROM subscriptions)")
        self._execute("DELETE FROM messages WHERE NOT EXISTS (SELECT 1 FROM pending WHERE message = messages.id)")
        rows = self._read("SELECT message, subscription, failures, not_before FROM pending ORDER BY message")
        return (Pending(*row) for row in rows)

    def _highest(self) -> int:
        """The time that was last written, at or above every message id; 0 in a new file."""
        (highest,) = self._db.execute(
            "SELECT max(message, (SELECT coalesce(max(id), 0) FROM messages)) FROM high_water"
        ).fetchone()
        return int(highest)

    def append(
        self, messages: Iterable[tuple[int, bytes]], pending: Iterable[tuple[int, int]], done: Committed
    ) -> None:
        """Write messages and (message, subscription) rows; `done` is called after the commit, or with its error."""
        self._batch.messages.extend(messages)
        self._batch.pending.extend(pending)
        self._batch.committed.append(done)
        self._schedule(0)

    def settle(self, message: int, subscription: int) -> None:
        """A subscription no longer waits for a message. Nobody waits for this to be on disk."""
        self._settled.append((message, subscription))
        self._schedule(_SETTLE_DELAY_S)
        if message in self._waited_for:
            self._waited_for[message] -= 1
            if self._waited_for[message] <= 0:
                self._let_go(message)

    def record_failure(self, message: int, subscription: int, failures: int, not_before: float) -> None:
        """A delivery failed for the `failures`th time; the next is due at `not_before` (seconds of our own time)."""
        self._failed.append((failures, not_before, message, subscription))
        self._schedule(_SETTLE_DELAY_S)

    def keep_time(self) -> None:
        """Write down how late it is, also where nothing happens."""
        self.flush()

    def is_pending(self, message: int, subscription: int) -> bool:
        """Whether this subscription still waits for this message."""
        if self._settled:
            self.flush()
        values = (message, subscription)
        return bool(self._read("SELECT 1 FROM pending WHERE message = ? AND subscription = ?", values))

    def body(self, message: int) -> bytes | None:
        """A message as it was appended, or None if it is gone; recent ones from memory."""
        body = self._bodies.get(message)
        if body is None:
            rows = self._read("SELECT body FROM messages WHERE id = ?", (message,))
            body = rows[0][0] if rows else None
        return body

    def report_damage(self, what: str) -> None:
        """Something in the file can't be read."""
        if not self.damage:
            self.damage = damaged(self._path, what)
            self._mark.write(0)
            _LOG.error("%s", self.damage)
            self._on_damage()

    def flush(self) -> None:
        """Commit now what is waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._urgent = False
        batch, self._batch = self._batch, _Batch()
        try:
            self._write(batch)
        except sqlite3.Error as error:
            fault = self._fault(error)
            _LOG.error("%s", fault)
            if self._settled or self._failed:
                self._schedule(_RETRY_DELAY_S)
            for done in batch.committed:
                done(fault)
            return
        self._waited_for.update(Counter(message for message, _ in batch.pending))
        for message, body in batch.messages:
            self._bodies[message] = body
            self._cached_bytes += len(body)
        while self._cached_bytes > _CACHED_BYTES:
            self._let_go(next(iter(self._bodies)))
        for done in batch.committed:
            done(None)

    def _let_go(self, message: int) -> None:
        """No longer hold a message in memory."""
        self._cached_bytes -= len(self._bodies.pop(message, b""))
        self._waited_for.pop(message, None)

    def close(self) -> None:
        """Commit what is waiting and close the file."""
        self.flush()
        if self._timer is not None:
            self._timer.cancel()
        self._db.close()
        self._mark.close()
        os.close(self._lock)

    def _schedule(self, delay: float) -> None:
        if self._timer is not None:
            if self._urgent or delay > 0:
                return
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._urgent = delay == 0
        self._timer = loop.call_soon(self.flush) if self._urgent else loop.call_later(delay, self.flush)

    def _write(self, batch: _Batch) -> None:
        with self._transaction(batch.messages[-1][0] if batch.messages else 0) as db:
            if batch.messages:
                db.executemany("INSERT INTO messages(id, body) VALUES (?, ?)", batch.messages)
                db.executemany("INSERT INTO pending(message, subscription) VALUES (?, ?)", batch.pending)
            if self._failed:
                db.executemany(
                    "UPDATE pending SET failures = ?, not_before = ? WHERE message = ? AND subscription = ?",
                    self._failed,
                )
            if self._settled:
                db.executemany("DELETE FROM pending WHERE message = ? AND subscription = ?", self._settled)
                db.executemany(
                    "DELETE FROM messages WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM pending WHERE message = ?1)",
                    [(message,) for message, _ in self._settled],
                )
        self._failed.clear()
        self._settled.clear()

    @contextlib.contextmanager
    def _transaction(self, newest: int = 0) -> Iterator[sqlite3.Connection]:
        """Raises sqlite3.Error, after which nothing has happened."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            now = max(newest, self.now_us)
            db.execute("UPDATE high_water SET message = max(message, ?)", (now,))
            db.execute("COMMIT")
        except sqlite3.Error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        if not self.damage:
            self._mark.write(now)

    def _now(self, statement: str, values: tuple[object, ...]) -> int:
        self.flush()
        return self._execute(statement, values)

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> int:
        try:
            with self._transaction() as db:
                return db.execute(statement, values).lastrowid or 0
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def _read(self, statement: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def _fault(self, error: sqlite3.Error) -> UnavailableError:
        what = damage_in(error)
        if what is not None:
            self.report_damage(what)
        return UnavailableError(f"the broker can't use its data: {error}")


def _locked(path: Path) -> int:
    """A lock that dies with the process, so that two brokers never share a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BrokerStartError(
            f"can't write to {path.parent} ({error.strerror}): make the folder writable or choose another --data path"
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise BrokerStartError(f"another broker already uses {path}: stop it or choose another --data path") from None
    return descriptor


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=1.0, isolation_level=None)
    try:
        fault = fault_in(db)
        if fault is not None:
            raise BrokerDataError(damaged(path, fault))
        db.execute("PRAGMA page_size=8192")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA wal_autocheckpoint=2000")
        db.execute("PRAGMA journal_size_limit=67108864")
        db.execute("PRAGMA cache_size=-16384")
        db.executescript(_SCHEMA)
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        (free,) = db.execute("PRAGMA freelist_count").fetchone()
        if free > max(_FREE_PAGES_KEPT, pages // 2):  # what a past backlog took is given back
            with contextlib.suppress(sqlite3.OperationalError):  # no room for the copy: then it stays large
                db.execute("VACUUM")
    except BrokerDataError:
        db.close()
        raise
    except sqlite3.Error as error:
        db.close()
        what = damage_in(error)
        if what is not None:
            raise BrokerDataError(damaged(path, what)) from None
        raise BrokerStartError(
            f"{path} can't be used as the broker's data ({error}): choose another --data path"
        ) from None
    return db
