"""The Store on one SQLite file, shared by all processes of one machine.

`documents` holds each document, `document_keys` one row for each of its keys, sorted as `find` reads them, so
that a look-up touches only what it returns. Both are found by id or key first and kind second: those of one session
begin alike, so what an event writes lies on few pages, however large the file is. Write-ahead logging lets readers run
beside the one writer. A commit survives the death of any process; with `synchronous=NORMAL` the last few may be lost
when the machine itself dies. A commit waits for no disk either, so what finds nobody else writing is written where it
is asked for: all that is asked for in one turn of the event loop in one transaction, of which each writer hears once it
is committed.

The log is copied into the file beside the work, by a thread of its own: that waits for the disk, and no event does.

What expires and how old a document is goes by elapsed time (`storage.elapsed`), whatever the wall clock was set to.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from verifleet.errors import SettingsError, StoreUnavailableError
from verifleet.outage import Outage
from verifleet.storage import elapsed
from verifleet.storage.elapsed import Clocks, Elapsed, micros, moment_of
from verifleet.storage.store import MAX_FIND_KEYS, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT_S = 4.0
BUSY_SHARE = 0.8
"""Of the time limit of a call, what the thread waits for another writer."""
PURGE_EVERY_S = 30.0
PURGE_AT_ONCE = 500
PUT_AT_ONCE = 200
TOGETHER = 100
KEYS_AT_ONCE = 100
SHORT_ROW = 4_096
KEPT_DOCUMENTS = 2_048
"""Documents of at most SHORT_ROW characters that are kept decoded, by what was read: about 12 MB."""
TRIES = 8
RETRY_S = 0.001
"""How often a write is tried again where it is asked for while another process writes, which takes less than that."""
LOOK_AGAIN_S = 0.01
"""For which a file that was at its path is not looked for again by who only reads."""
COPY_LOG_EVERY = 16_000
"""Rows written after which the write-ahead log is copied into the file."""
PAGE_BYTES = 2_048
"""An event writes rows of a hundred bytes in twenty places: small pages are less to write and to read."""
END_OF_LOG_S = 0.1
"""How long who copies the log waits for a turn among the writers."""
LONGEST_LOG_PAGES = 65_536
"""A log of this many pages (128 MiB) is copied by the writer itself: the copying beside it does not keep up."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id BLOB NOT NULL,
    data TEXT NOT NULL, keys TEXT NOT NULL, time INTEGER, expires INTEGER, written INTEGER, UNIQUE (id, kind));
CREATE INDEX IF NOT EXISTS documents_by_expiry ON documents (expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS document_keys (
    kind TEXT NOT NULL, key BLOB NOT NULL, time INTEGER NOT NULL, number INTEGER NOT NULL, expires INTEGER,
    PRIMARY KEY (key, kind, time, number)) WITHOUT ROWID;
"""
_SCHEMA += elapsed.SCHEMA
_FROM_FORMER_KEYS = """
INSERT INTO document_keys SELECT f.kind, f.key, f.time, d.number, f.expires
    FROM former_keys AS f JOIN documents AS d ON d.kind = f.kind AND d.id = f.id;
DROP TABLE former_keys;
"""
"""Files that were made when a key named its document by `id`, in rows half as long again."""
_NO_TIME = -(2**63)  # sorts after every real time, newest first, and lies outside every window

_Row = tuple[str, str, int | None, int | None, int, int | None]
"""What `documents` holds of one: data, keys, time, expires, number, written."""


@dataclass(slots=True)
class _Work:
    """One thing to do with the database, and who waits for it."""

    do: Callable[[sqlite3.Connection], Any]
    writes: bool
    waiting: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    result: Any = None
    error: BaseException | None = None
    timer: asyncio.TimerHandle | None = None


class SqliteStore:
    """Documents in the SQLite file at `path`, which is made with its folder where it is missing, for its owner alone.

    Raises SettingsError at once when the folder can't be used or the file is damaged. Whatever need not wait is done
    where it is asked for, because the way to a thread and back takes longer: reading always, writes when nobody else is
    writing, those of one turn of the event loop together. What has to wait, or is long, is done in a thread of its own,
    started on first use (so after a server has forked); what is asked for while it is busy is done together, too: one
    transaction for all writes, one way back for all answers.

    A file that was opened and is no longer at its path is away, not begun anew: what is written to it would be lost.
    So is one whose log lies there without it, for a process that starts meanwhile.

    Args:
        path: the file.
        timeout_s: after which a call that had to wait fails.
        clocks: the machine's.
    """

    def __init__(self, path: str | Path, timeout_s: float = TIMEOUT_S, *, clocks: Clocks | None = None) -> None:
        self._path = Path(path).expanduser()
        self._name = str(self._path)
        self._timeout_s = timeout_s
        self._elapsed = Elapsed(clocks)
        self._outage = Outage("store")
        self._file: tuple[int, int] | None = None
        """Which file is open, by its device and inode."""
        self._connection: sqlite3.Connection | None = None
        self._near: sqlite3.Connection | None = None
        """The connection used where a thing is asked for; it waits for nobody."""
        self._using_near = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._copying: threading.Thread | None = None
        self._written = 0
        self._copied = 0
        self._log_is_long = False
        self._lock = threading.Lock()
        self._in_this_turn: dict[asyncio.AbstractEventLoop, list[_Work]] = {}
        """What is to be written by each event loop."""
        self._seen_until = 0.0
        self._asked: deque[_Work] = deque()
        self._working = False
        self._purge_at = 0.0
        _check_folder(self._path)
        problem = damage(self._path)
        if problem is not None:
            raise SettingsError(problem)

    async def get(self, kind: str, id: str) -> Document | None:
        """The document, or None when absent or expired."""
        return await self._look(lambda db: _read(db, kind, _blob(id), self._elapsed)[0])

    async def get_many(self, kind: str, ids: Sequence[str]) -> dict[str, Document]:
        """Those of several documents that are there, by id."""
        return await self._look(lambda db: _read_many(db, kind, list(dict.fromkeys(ids)), self._elapsed))

    async def put(self, kind: str, id: str, document: Document) -> None:
        """Write or replace; visible to every reader once this returns."""
        await self._write_near(lambda db: _put(db, kind, _blob(id), document, self._elapsed))

    async def put_many(self, kind: str, documents: Mapping[str, Document]) -> None:
        """Write or replace several, in batches of one transaction each."""
        items = list(documents.items())
        for start in range(0, len(items), PUT_AT_ONCE):
            batch = items[start : start + PUT_AT_ONCE]

            def put_batch(db: sqlite3.Connection, batch: list[tuple[str, Document]] = batch) -> None:
                for id, document in batch:
                    _put(db, kind, _blob(id), document, self._elapsed)

            await self._ask(put_batch, writes=True)

    async def update(self, kind: str, id: str, change: Callable[[Document | None], Document | None]) -> Document | None:
        """Read, change, write in one transaction; `change` may run in the store's thread."""

        def read_change_write(db: sqlite3.Connection) -> Document | None:
            present, row = _read(db, kind, _blob(id), self._elapsed)
            changed = change(present)
            if changed is not None:
                _replace(db, kind, _blob(id), changed, row, self._elapsed)
            return changed or present

        return await self._write_near(read_change_write)

    async def delete(self, kind: str, id: str) -> None:
        """Remove; no error when absent."""
        await self._write_near(lambda db: _delete(db, kind, _blob(id)))

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
        return await self._look(lambda db: _find(db, kind, wanted, after, before, limit, self._elapsed))

    def away(self) -> str | None:
        """Why the file can't be used, as the last calls told."""
        return self._outage.away()

    async def close(self) -> None:
        """Close the file and end the thread; the store opens again when it is used again."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._disconnect)
            thread.shutdown(wait=False)

    async def _look(self, do: Callable[[sqlite3.Connection], T]) -> T:
        """Read; what can't be read at once (a log that is being recovered) is asked of the thread, which may wait."""
        if time.monotonic() < self._seen_until or self._in_place():
            try:
                with self._using_near:
                    if self._near is not None:
                        found = do(self._near)
                        self._outage.answered(write=False)
                        return found
            except sqlite3.OperationalError as error:
                logger.debug("read again in the store's thread: %s", error)
            except sqlite3.Error as error:
                raise self._unavailable(error) from error
        return await self._ask(do, writes=False)

    async def _write_near(self, do: Callable[[sqlite3.Connection], T]) -> T:
        """Write here, with all else that is asked for in this turn of the loop."""
        if self._must_wait():
            return await self._ask(do, writes=True)
        loop = asyncio.get_running_loop()
        work = _Work(do, True, loop.create_future(), loop)
        others = self._in_this_turn.get(loop)
        if others is None:
            self._in_this_turn[loop] = [work]
            # One turn further on, so that what a handler's other coroutines ask for next is written with it.
            loop.call_soon(lambda: loop.call_soon(self._write_turn, loop))
        else:
            others.append(work)
        result: T = await work.waiting
        return result

    def _must_wait(self) -> bool:
        """Whether a write would have to wait for the store's thread or for the disk, or is due to be longer."""
        return self._working or self._log_is_long or time.monotonic() >= self._purge_at

    def _write_turn(self, loop: asyncio.AbstractEventLoop, tries: int = TRIES) -> None:
        """Write what was asked for; a little later where somebody else writes, and in the thread in the end."""
        works = [work for work in self._in_this_turn.pop(loop) if not work.waiting.done()]
        while works and not self._must_wait():
            if self._write_here(works[:TOGETHER]):
                del works[:TOGETHER]
            elif tries:
                self._in_this_turn[loop] = works
                loop.call_later(RETRY_S, self._write_turn, loop, tries - 1)
                return
            else:
                break
        self._hand_over([work for work in works if not work.waiting.done()], loop)

    def _write_here(self, works: list[_Work]) -> bool:
        """Write all in one transaction, each in its own when one of them fails; False for what has to wait."""
        try:
            with self._using_near:
                if self._near is None or not self._in_place():
                    return False
                before = self._near.total_changes
                with _transaction(self._near) as db:
                    for work in works:
                        work.result = work.do(db)
                written = self._near.total_changes - before
        except sqlite3.OperationalError as error:
            logger.debug("to be written again: %s", error)
            return False
        except Exception as error:  # noqa: BLE001 - goes to whoever asked
            if len(works) > 1:
                return all([self._write_here([work]) for work in works])
            works[0].error = self._unavailable(error) if isinstance(error, sqlite3.Error) else error
        else:
            self._copy_log(written)
            self._outage.answered()
        _answer(works)
        return True

    async def _ask(self, do: Callable[[sqlite3.Connection], T], *, writes: bool) -> T:
        loop = asyncio.get_running_loop()
        work = _Work(do, writes, loop.create_future(), loop)
        self._hand_over([work], loop)
        result: T = await work.waiting
        return result

    def _hand_over(self, works: list[_Work], loop: asyncio.AbstractEventLoop) -> None:
        """Ask the thread; whoever waits for longer than the time limit is told that the store does not answer."""
        resting = self._outage.resting() if works else None
        if resting is not None:
            for work in works:
                work.error = StoreUnavailableError(resting)
            _answer(works)
            return
        for work in works:
            # In two turns: when this loop itself was late, an answer that is there still counts.
            work.timer = loop.call_later(self._timeout_s, loop.call_soon, self._give_up, work)
        with self._lock:
            self._asked.extend(works)
            if works and not self._working:
                self._working = True
                if self._thread is None:
                    self._thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
                self._thread.submit(self._answer_all)

    def _give_up(self, work: _Work) -> None:
        if not work.waiting.done():
            reason = f"the store {self._path} does not answer within {self._timeout_s:g} s"
            self._outage.failed(reason, waited=True, write=work.writes)
            work.waiting.set_exception(StoreUnavailableError(reason))

    def _in_place(self) -> bool:
        """Whether the file that is open is still the one at the path."""
        try:
            found = os.stat(self._name)
        except OSError:
            found = None
        here = found is not None and (found.st_dev, found.st_ino) == self._file
        self._seen_until = time.monotonic() + LOOK_AGAIN_S if here else 0.0
        return here

    # --- in the store's thread ---------------------------------------------------

    def _disconnect(self) -> None:
        if self._copying is not None:
            self._copying.join()
        self._let_go()

    def _let_go(self) -> None:
        with self._using_near:
            connections = (self._near, self._connection)
            self._near = self._connection = None
        for connection in connections:
            if connection is not None:
                connection.close()

    def _answer_all(self) -> None:
        while True:
            with self._lock:
                works = [self._asked.popleft() for _ in range(min(len(self._asked), TOGETHER))]
                if not works:
                    self._working = False
                    return
            # Whoever was cancelled while it waited, or waited too long, no longer wants it done.
            wanted = [work for work in works if not work.waiting.done()]
            before = self._connection.total_changes if self._connection is not None else 0
            self._write([work for work in wanted if work.writes])
            for work in wanted:
                if not work.writes and not work.waiting.done():
                    self._try(work, work.do)
            for loop in {work.loop for work in wanted}:
                with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody waits any more
                    loop.call_soon_threadsafe(_answer, [work for work in wanted if work.loop is loop])
            if self._connection is not None and any(work.writes for work in wanted):
                self._copy_log(self._connection.total_changes - before)

    def _write(self, works: list[_Work]) -> None:
        """Do all in one transaction; each in its own when one of them fails, so that the others are done."""
        if len(works) > 1:
            try:
                with _transaction(self._connected()) as db:
                    for work in works:
                        work.result = work.do(db)
                    self._purge(db)
            except StoreUnavailableError as error:  # gone: it meets all alike
                for work in works:
                    work.error = error
                return
            except sqlite3.OperationalError as error:  # locked, full: likewise
                for work in works:
                    work.error = self._unavailable(error)
                return
            except Exception:
                # It comes again below, to whom it belongs.
                logger.debug("writes are done one by one", exc_info=True)
            else:
                self._outage.answered()
                return
        for work in works:
            self._try(work, lambda db, work=work: self._write_one(db, work))  # type: ignore[misc]

    def _write_one(self, db: sqlite3.Connection, work: _Work) -> Any:
        with _transaction(db):
            result = work.do(db)
            self._purge(db)
        return result

    def _try(self, work: _Work, do: Callable[[sqlite3.Connection], Any]) -> None:
        work.result = None
        try:
            work.result = do(self._connected())
        except sqlite3.Error as error:
            work.error = self._unavailable(error, write=work.writes)
        except Exception as error:  # noqa: BLE001 - goes to whoever asked
            work.error = error
        else:
            self._outage.answered(write=work.writes)

    def _unavailable(self, error: sqlite3.Error, *, write: bool = True) -> StoreUnavailableError:
        locked = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
        reason = f"the store {self._path} does not answer: {error}"
        if _is_damage(error):
            reason = _damaged(self._path, error)
        self._outage.failed(reason, waited=locked, write=write)
        unavailable = StoreUnavailableError(reason)
        unavailable.__cause__ = error
        return unavailable

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and self._in_place():
            return self._connection
        gone = f"the store {self._path} is gone; put it back, or start again to begin an empty one"
        reason = left_behind(self._path) or (gone if self._file is not None and not self._path.exists() else None)
        if reason is not None:
            self._outage.failed(reason, waited=False)
            raise StoreUnavailableError(reason)
        if self._connection is not None:
            self._let_go()  # another file was put there
        self._connection = _connect(self._path, self._elapsed, self._timeout_s * BUSY_SHARE)
        found = self._path.stat()
        self._file = (found.st_dev, found.st_ino)
        near = sqlite3.connect(self._path, timeout=0.0, isolation_level=None, check_same_thread=False)
        near.execute("PRAGMA synchronous=NORMAL")
        near.execute("PRAGMA wal_autocheckpoint=0")
        with self._using_near:
            self._near = near
        return self._connection

    def _copy_log(self, written: int) -> None:
        """Have the log copied when enough rows were written since, unless that is going on."""
        with self._lock:
            self._written += written
            if self._written - self._copied < COPY_LOG_EVERY or (self._copying and self._copying.is_alive()):
                return
            self._copied = self._written
            self._copying = threading.Thread(target=self._checkpoint, name="sqlite-log", daemon=True)
            self._copying.start()

    def _checkpoint(self) -> None:
        """Copy what the log holds into the file, and have it begun anew.

        Nobody waits while most of it is copied; writers wait for the rest, which is little the second time. A log to
        which somebody adds while it is copied would otherwise grow for ever, and be copied by the writers in the end.
        """
        try:
            with contextlib.closing(sqlite3.connect(self._path, timeout=END_OF_LOG_S)) as db:
                for _ in range(2):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                busy, pages, _ = db.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
        except sqlite3.Error as error:  # nothing is lost: the log stays, and the writer copies it when it is long
            logger.warning("the log of the store %s is not copied: %s", self._path, error)
        else:
            self._log_is_long = bool(busy) and pages >= LONGEST_LOG_PAGES

    def _purge(self, db: sqlite3.Connection) -> None:
        if time.monotonic() < self._purge_at:
            return
        self._purge_at = time.monotonic() + PURGE_EVERY_S
        self._elapsed.note(db)
        old = db.execute(
            "SELECT kind, id FROM documents WHERE expires IS NOT NULL AND expires <= ? LIMIT ?",
            (self._elapsed.now(), PURGE_AT_ONCE),
        ).fetchall()
        for kind, id in old:
            _delete(db, kind, id)
        if len(old) == PURGE_AT_ONCE:
            self._purge_at = 0.0


def _answer(works: list[_Work]) -> None:
    for work in works:
        if work.timer is not None:
            work.timer.cancel()
        if work.waiting.done():
            continue
        if work.error is None:
            work.waiting.set_result(work.result)
        else:
            work.waiting.set_exception(work.error)


def left_behind(path: Path) -> str | None:
    """What to tell where the file was taken away from beside its log, None elsewhere.

    An empty file made there would take what the log holds from the one that is put back.
    """
    log = path.with_name(f"{path.name}-wal")
    if path.exists() or not log.exists():
        return None
    return (
        f"the store {path} is gone, and what was written last is in {log.name} beside it: put it back, or remove "
        f"{log.name} and {path.name}-shm to begin an empty one"
    )


def damage(path: Path, *, look_for_s: float = 0.0) -> str | None:
    """What to tell of a file that is no sound store, None for one that is, is missing, or can't be looked at now.

    Args:
        path: the file.
        look_for_s: seconds for which all of it is read; without, only what every use reads first.
    """
    if not path.is_file() or not path.stat().st_size:
        return None
    until = time.monotonic() + look_for_s
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=0.1)) as db:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                db.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone()  # noqa: S608 -- a name from the file itself
            if look_for_s:
                db.set_progress_handler(lambda: int(time.monotonic() > until), 10_000)
                (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
                return None if found == "ok" else _damaged(path, found)
    except sqlite3.Error as error:
        return _damaged(path, error) if _is_damage(error) else None
    return None


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _damaged(path: Path, problem: object) -> str:
    return (
        f"the store {path} is damaged ({str(problem).strip().splitlines()[-1]}): move it, with what lies beside it as "
        f"{path.name}-wal and -shm, to another place and start again, which begins an empty one; "
        f"`sqlite3 {path.name} .recover` may save what it holds"
    )


def _check_folder(path: Path) -> None:
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
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


def _for_its_owner(path: Path) -> None:
    """Make the file where it is missing, and let nobody else read it; SQLite gives the files beside it its mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with contextlib.suppress(OSError):  # not there, or another's, who decides
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _connect(path: Path, elapsed: Elapsed, busy_s: float) -> sqlite3.Connection:
    # While another process turns the new file to write-ahead logging, SQLite answers "locked" at once, whatever its
    # timeout: it is asked again.
    deadline = time.monotonic() + busy_s
    try:
        _for_its_owner(path)
    except OSError as error:
        raise sqlite3.OperationalError(f"can't open it: {error.strerror}") from error
    while True:
        try:
            return _opened(path, elapsed, busy_s)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _opened(path: Path, elapsed: Elapsed, busy_s: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=busy_s, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA page_size={PAGE_BYTES}")  # of a new file
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA wal_autocheckpoint={LONGEST_LOG_PAGES}")
        with _transaction(db):
            former = db.execute("SELECT 1 FROM pragma_table_info('document_keys') WHERE name = 'id'").fetchone()
            if former:
                db.execute("ALTER TABLE document_keys RENAME TO former_keys")
            for statement in (_SCHEMA + (_FROM_FORMER_KEYS if former else "")).split(";")[:-1]:
                db.execute(statement)
            if not db.execute("SELECT 1 FROM pragma_table_info('documents') WHERE name = 'written'").fetchone():
                db.execute("ALTER TABLE documents ADD COLUMN written INTEGER")
            elapsed.set_by(db)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _read(db: sqlite3.Connection, kind: str, id: bytes, clock: Elapsed) -> tuple[Document | None, _Row | None]:
    """A document, None when absent or expired; and its row, however old."""
    row = _row(db, kind, id)
    if row is None or (row[3] is not None and row[3] <= clock.now()):
        return None, row
    return replace(_document(clock.shift(), *row[:4]), age=clock.age(row[5])), row


def _read_many(db: sqlite3.Connection, kind: str, ids: Sequence[str], clock: Elapsed) -> dict[str, Document]:
    found: dict[str, Document] = {}
    shift = clock.shift()
    for start in range(0, len(ids), KEYS_AT_ONCE):
        some = [_blob(id) for id in ids[start : start + KEYS_AT_ONCE]]
        places = ", ".join("?" * len(some))
        rows = db.execute(
            "SELECT id, data, keys, time, expires FROM documents "  # noqa: S608 -- constants
            f"WHERE kind = ? AND id IN ({places}) AND (expires IS NULL OR expires > ?)",
            (kind, *some, clock.now()),
        )
        found.update((_text(id), _known(shift, *rest)) for id, *rest in rows.fetchall())
    return {id: found[id] for id in ids if id in found}


def _row(db: sqlite3.Connection, kind: str, id: bytes) -> _Row | None:
    row: _Row | None = db.execute(
        "SELECT data, keys, time, expires, number, written FROM documents WHERE kind = ? AND id = ?", (kind, id)
    ).fetchone()
    return row


def _put(db: sqlite3.Connection, kind: str, id: bytes, document: Document, clock: Elapsed) -> None:
    _replace(db, kind, id, document, _row(db, kind, id), clock)


def _replace(
    db: sqlite3.Connection, kind: str, id: bytes, document: Document, old: _Row | None, clock: Elapsed
) -> None:
    """Write a document over its old row."""
    moment, expires = micros(document.time), micros(document.expires_at)
    if expires is not None:
        expires -= clock.shift()
    data = document.stored()
    keys = json.dumps(list(document.keys)) if document.keys else "[]"
    if old is None:
        number = db.execute(
            "INSERT INTO documents (kind, id, data, keys, time, expires, written) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kind, id, data, keys, moment, expires, clock.now()),
        ).lastrowid
        _insert_keys(db, kind, number or 0, document.keys, moment, expires)
        return
    _, old_keys, old_moment, old_expires, number, _ = old
    if (keys, moment, expires) != (old_keys, old_moment, old_expires):
        _delete_keys(db, kind, number, old_keys, old_moment)
        _insert_keys(db, kind, number, document.keys, moment, expires)
    db.execute(
        "UPDATE documents SET data = ?, keys = ?, time = ?, expires = ?, written = ? WHERE number = ?",
        (data, keys, moment, expires, clock.now(), number),
    )


def _delete(db: sqlite3.Connection, kind: str, id: bytes) -> None:
    row = db.execute(
        "DELETE FROM documents WHERE kind = ? AND id = ? RETURNING number, keys, time", (kind, id)
    ).fetchone()
    if row is not None:
        _delete_keys(db, kind, *row)


# One statement for all keys: after each the thread waits for its turn among the process's threads.


def _insert_keys(
    db: sqlite3.Connection, kind: str, number: int, keys: Sequence[str], moment: int | None, expires: int | None
) -> None:
    different = list(dict.fromkeys(keys))
    for start in range(0, len(different), KEYS_AT_ONCE):
        some = [_blob(key) for key in different[start : start + KEYS_AT_ONCE]]
        rows = ", ".join(["(?1, ?2, ?3, ?4, ?)"] * len(some))
        db.execute(
            f"INSERT INTO document_keys (kind, time, number, expires, key) VALUES {rows}",  # noqa: S608 -- constants
            (kind, _NO_TIME if moment is None else moment, number, expires, *some),
        )


def _delete_keys(db: sqlite3.Connection, kind: str, number: int, keys: str, moment: int | None) -> None:
    old = _keys(keys)
    for start in range(0, len(old), KEYS_AT_ONCE):
        some = [_blob(key) for key in old[start : start + KEYS_AT_ONCE]]
        these = f"kind = ?1 AND time = ?2 AND number = ?3 AND key IN ({', '.join('?' * len(some))})"
        db.execute(
            f"DELETE FROM document_keys WHERE {these}",  # noqa: S608
            (kind, _NO_TIME if moment is None else moment, number, *some),
        )


def _find(
    db: sqlite3.Connection,
    kind: str,
    keys: list[bytes],
    after: datetime | None,
    before: datetime | None,
    limit: int,
    clock: Elapsed,
) -> list[tuple[str, Document]]:
    bounds = [moment for moment in (micros(after), micros(before)) if moment is not None]
    now, shift = clock.now(), clock.shift()
    values: list[Any] = []
    for key in keys:
        values += [kind, key, *bounds, now, limit]
    query = _find_query(len(keys), after is not None, before is not None)
    rows = db.execute(query, [*values, limit]).fetchall()
    return [(_text(id), _known(shift, *rest)) for id, *rest in rows]


@cache
def _find_query(keys: int, after: bool, before: bool) -> str:
    """The newest of each key, straight off its index; the newest of all are among them."""
    window = " AND time >= ?" * after + " AND time < ?" * before
    if window:
        window += f" AND time > {_NO_TIME}"
    of_one_key = (
        "SELECT * FROM (SELECT time, number FROM document_keys WHERE kind = ? AND key = ?"  # noqa: S608 -- constants
        f"{window} AND (expires IS NULL OR expires > ?) ORDER BY time DESC, number DESC LIMIT ?)"
    )
    newest = " UNION ".join([of_one_key] * keys) + " ORDER BY time DESC, number DESC LIMIT ?"
    return (
        "SELECT d.id, d.data, d.keys, d.time, d.expires "  # noqa: S608 -- constants
        f"FROM ({newest}) AS n JOIN documents AS d ON d.number = n.number ORDER BY n.time DESC, n.number DESC"
    )


def _known(shift: int, data: str, keys: str, moment: int | None, expires: int | None) -> Document:
    """A document of several read together; the reports of an incident under way are read again with each new one."""
    if len(data) + len(keys) > SHORT_ROW:
        return _document(shift, data, keys, moment, expires)
    return _short_document(shift, data, keys, moment, expires)


def _document(shift: int, data: str, keys: str, moment: int | None, expires: int | None) -> Document:
    at = None if expires is None else moment_of(expires + shift)
    return Document(json.loads(data), _keys(keys), moment_of(moment), at)


def _keys(text: str) -> tuple[str, ...]:
    if text == "[]":
        return ()
    # As written by `_replace`: a quote within a key, and whatever is not ASCII, comes with a backslash.
    return tuple(json.loads(text) if "\\" in text else text[2:-2].split('", "'))


_short_document = lru_cache(maxsize=KEPT_DOCUMENTS)(_document)


def _blob(text: str) -> bytes:
    # As bytes, because SQLite's text can hold neither lone surrogates nor, in comparisons, NUL.
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")
