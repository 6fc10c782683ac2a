"""What is particular to the SQLite store: its file, its faults, its speed at size."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from verifleet.errors import SettingsError, StoreUnavailableError
from verifleet.settings import load_settings
from verifleet.storage import open_store, sqlite
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document

T0 = datetime(2026, 3, 1, tzinfo=UTC)


def test_settings_name_the_file_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "store.db"

    async def work() -> None:
        store = open_store(load_settings(store=f"sqlite:///{path}"))
        await store.put("brief", "b", Document({}))
        await store.close()

    asyncio.run(work())
    assert path.exists()


def test_a_folder_that_can_not_be_made_stops_with_a_sentence_that_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match=r"can't make the folder .*file/data.* VERIFLEET_STORE=sqlite:///PATH"):
        SqliteStore(tmp_path / "file" / "data" / "store.db")
    with pytest.raises(SettingsError, match="can't write to"):
        SqliteStore(tmp_path)


DAMAGED = r"the store .*store\.db is damaged \(.+\): move it, .* to another place and start again"


def test_a_file_that_is_no_database_stops_the_start_with_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("this is not a database, " * 100)
    with pytest.raises(SettingsError, match=DAMAGED):
        SqliteStore(path)


def write(path: Path, documents: int = 1) -> None:
    async def work() -> None:
        store = SqliteStore(path)
        await store.put_many("brief", {f"b{n}": Document({"text": "x" * 1000}, ("k",), T0) for n in range(documents)})
        await store.close()

    asyncio.run(work())


def test_damage_deep_inside_the_file_is_found_when_all_of_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    write(path, documents=200)
    assert sqlite.damage(path, look_for_s=10.0) is None
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 8192)
    problem = sqlite.damage(path, look_for_s=10.0)
    assert problem is not None
    assert "is damaged" in problem


def test_damage_met_under_way_is_logged_once_as_an_error_and_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "store.db"
    write(path)

    async def work() -> None:
        store = SqliteStore(path)
        path.write_bytes(b"this is not a database, " * 1000)
        for _ in range(3):
            with pytest.raises(StoreUnavailableError, match=DAMAGED):
                await store.get("brief", "b0")
        assert "is damaged" in (store.away() or "")
        await store.close()

    asyncio.run(work())
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_the_file_and_a_folder_made_for_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "made" / "store.db"

    async def work() -> list[str]:
        store = SqliteStore(path)
        await store.put("brief", "b", Document({}))
        modes = [f"{file.name} {file.stat().st_mode & 0o777:o}" for file in sorted(path.parent.iterdir())]
        await store.close()
        return modes

    assert asyncio.run(work()) == ["store.db 600", "store.db-shm 600", "store.db-wal 600"]
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o644)
    asyncio.run(work())
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_moved_away_is_unavailable_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "store.db", tmp_path / "elsewhere.db"

    async def work() -> None:
        store = SqliteStore(path)
        await store.put("brief", "b", Document({"n": 1}))
        path.rename(elsewhere)
        with pytest.raises(StoreUnavailableError, match=r"store\.db is gone"):
            await store.put("brief", "b", Document({"n": 2}))
        with pytest.raises(StoreUnavailableError, match=r"store\.db is gone"):
            await store.get("brief", "b")
        assert not path.exists()
        elsewhere.rename(path)
        assert await store.get("brief", "b") == Document({"n": 1})
        await store.put("brief", "b", Document({"n": 3}))
        assert store.away() is None
        await store.close()

    asyncio.run(work())


def test_a_process_that_starts_while_the_file_is_away_begins_no_empty_one(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "store.db", tmp_path / "elsewhere.db"

    async def work() -> None:
        store, started = SqliteStore(path), SqliteStore(path)
        await store.put("brief", "b", Document({"n": 1}))
        path.rename(elsewhere)
        for use in (started.get("brief", "b"), started.put("brief", "b", Document({"n": 2}))):
            with pytest.raises(StoreUnavailableError, match=r"store\.db is gone, .* or remove store\.db-wal"):
                await use
        assert not path.exists()
        elsewhere.rename(path)
        assert await store.get("brief", "b") == await started.get("brief", "b") == Document({"n": 1})
        await store.close()
        await started.close()

    asyncio.run(work())


def test_another_file_put_in_its_place_is_used_from_then_on(tmp_path: Path) -> None:
    path, other = tmp_path / "store.db", tmp_path / "other.db"
    write(other)

    async def work() -> None:
        store = SqliteStore(path)
        await store.put("brief", "mine", Document({"n": 1}))
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        other.rename(path)
        assert await store.get("brief", "mine") is None
        assert await store.get("brief", "b0") is not None
        await store.put("brief", "mine", Document({"n": 2}))
        await store.close()

    asyncio.run(work())
    assert sqlite.damage(path, look_for_s=10.0) is None


def test_a_store_that_stays_locked_is_unavailable_and_recovers(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def work() -> None:
        store = SqliteStore(path, timeout_s=0.5)
        await store.put("brief", "b", Document({"n": 1}))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="locked"):
            await store.put("brief", "b", Document({"n": 2}))
        assert await store.get("brief", "b") == Document({"n": 1})
        assert "locked" in (store.away() or ""), "that it can be read does not tell that it can be written"
        other.execute("ROLLBACK")
        other.close()
        for _ in range(20):  # While the thread that waited is on its way back, the store refuses for REST_S.
            try:
                await store.put("brief", "b", Document({"n": 3}))
                break
            except StoreUnavailableError:
                await asyncio.sleep(0.5)
        assert await store.get("brief", "b") == Document({"n": 3})
        assert store.away() is None
        await store.close()

    asyncio.run(work())


def test_a_closed_store_opens_again_when_it_is_used(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.put("brief", "b", Document({"n": 1}))
        await store.close()
        assert await store.get("brief", "b") == Document({"n": 1})
        await store.close()
        await store.close()

    asyncio.run(work())


def test_expired_documents_leave_the_file(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sqlite, "PURGE_EVERY_S", 0.0)
    path = tmp_path / "store.db"
    past = datetime.now(UTC) - timedelta(hours=1)

    async def work() -> None:
        store = SqliteStore(path)
        await store.put_many("r", {str(n): Document({}, ("k",), T0, past) for n in range(1200)})
        for _ in range(4):
            await store.put("r", "live", Document({}, ("k",), T0))
        await store.close()

    asyncio.run(work())
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM documents").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM document_keys").fetchone() == (1,)
    db.close()


def test_find_reads_only_the_index_rows_that_it_returns(tmp_path: Path) -> None:
    """Flat at any size: no scan and no sort of what was not asked for, shown by SQLite's count of its own steps."""

    def steps(documents: int) -> int:
        path = tmp_path / f"{documents}.db"
        counted = 0

        async def work() -> None:
            store = SqliteStore(path)
            await store.put_many(
                "r", {str(n): Document({}, ("hot", f"k{n % 7}"), T0 + timedelta(seconds=n)) for n in range(documents)}
            )

            def count() -> int:
                nonlocal counted
                counted += 1
                return 0

            await store.get("r", "0")
            assert store._near is not None
            store._near.set_progress_handler(count, 10)
            found = await store.find("r", ["hot", "k1", "k2"], before=T0 + timedelta(days=1), limit=20)
            store._near.set_progress_handler(None, 0)
            assert len(found) == 20
            await store.close()

        asyncio.run(work())
        return counted

    assert 0 < steps(4000) < 1.5 * steps(400)


def test_one_writer_s_fault_is_its_own_also_when_many_write_at_once(tmp_path: Path) -> None:
    def fail(present: Document | None) -> Document | None:
        raise ZeroDivisionError

    async def work() -> list[Any]:
        store = SqliteStore(tmp_path / "store.db")
        await store.put("brief", "first", Document({}))
        asked = [store.put("brief", str(n), Document({"n": n}, (f"k{n % 3}",), T0)) for n in range(50)]
        answers = await asyncio.gather(*asked, store.update("brief", "0", fail), return_exceptions=True)
        stored = [await store.get("brief", str(n)) for n in range(50)]
        assert [document and document.data["n"] for document in stored] == list(range(50))
        await store.close()
        return answers

    answers = asyncio.run(work())
    assert answers[:50] == [None] * 50
    assert isinstance(answers[50], ZeroDivisionError)


def test_updates_of_one_document_that_come_at_once_all_count(tmp_path: Path) -> None:
    def add(present: Document | None) -> Document:
        return Document({"n": (present.data["n"] if present else 0) + 1})

    async def work() -> Any:
        stores = [SqliteStore(tmp_path / "store.db") for _ in range(2)]
        await asyncio.gather(*(stores[n % 2].update("brief", "b", add) for n in range(200)))
        found = await stores[0].get("brief", "b")
        for store in stores:
            await store.close()
        return found

    assert asyncio.run(work()) == Document({"n": 200})


def test_the_log_is_copied_into_the_file_beside_the_work(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sqlite, "COPY_LOG_EVERY", 20)
    path = tmp_path / "store.db"

    async def work() -> None:
        store = SqliteStore(path)
        await store.put_many("r", {str(n): Document({"n": n}, ("k",), T0) for n in range(50)})
        deadline = time.monotonic() + 5
        while _documents_in_the_file_alone(path, tmp_path / "copy.db") < 50 and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        assert _documents_in_the_file_alone(path, tmp_path / "copy.db") == 50
        await store.close()

    asyncio.run(work())


def _documents_in_the_file_alone(path: Path, copy: Path) -> int:
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as db:
        known = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'documents'").fetchone()[0]
        return int(db.execute("SELECT count(*) FROM documents").fetchone()[0]) if known else 0


def test_what_was_written_survives_the_death_of_the_process_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    program = f"""
import asyncio
import sys
sys.path[:] = {sys.path!r}
from verifleet.storage import sqlite
from verifleet.storage.store import Document
sqlite.COPY_LOG_EVERY = 10
async def work():
    store = sqlite.SqliteStore({str(path)!r})
    for n in range(100_000):
        await store.put("r", str(n), Document({{"n": n}}, ("k", "l")))
        print(n, flush=True)
asyncio.run(work())
"""
    writer = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    told = 0
    while told < 300:
        told = int(writer.stdout.readline())
    writer.kill()
    told = max([told, *map(int, writer.stdout.read().splitlines())])
    writer.wait()
    writer.stdout.close()

    async def read() -> dict[str, Document]:
        store = SqliteStore(path)
        found = await store.get_many("r", [str(n) for n in range(told + 1)])
        await store.close()
        return found

    assert len(asyncio.run(read())) == told + 1


def test_a_write_that_nobody_is_in_the_way_of_is_done_where_it_is_asked_for(tmp_path: Path) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("the thread was asked")

    def add(present: Document | None) -> Document:
        return Document({"n": (present.data["n"] if present else 0) + 1}, ("k",), T0)

    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.put("brief", "b", Document({"n": 1}, ("k",), T0))
        assert store._thread is not None
        submit = store._thread.submit
        store._thread.submit = refuse  # type: ignore[assignment]
        assert await store.update("brief", "b", add) == Document({"n": 2}, ("k",), T0)
        await store.put("brief", "c", Document({"n": 3}, ("k",), T0))
        await store.delete("brief", "b")
        assert [id for id, _ in await store.find("brief", ["k"])] == ["c"]
        store._thread.submit = submit  # type: ignore[method-assign]
        await store.close()

    asyncio.run(work())


def test_a_write_that_fails_leaves_nothing_behind_and_the_next_one_is_done(tmp_path: Path) -> None:
    def fail(present: Document | None) -> Document | None:
        raise ZeroDivisionError

    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.put("brief", "b", Document({"n": 1}))
        with pytest.raises(ZeroDivisionError):
            await store.update("brief", "b", fail)
        await store.put("brief", "c", Document({"n": 2}))
        assert await store.get("brief", "b") == Document({"n": 1})
        await store.close()

    asyncio.run(work())


def test_the_log_stays_short_however_much_is_written(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sqlite, "COPY_LOG_EVERY", 100)
    path = tmp_path / "store.db"

    async def work() -> int:
        store = SqliteStore(path)
        longest = 0
        for n in range(2000):
            await store.put("r", str(n), Document({"n": n}, (f"k{n % 50}",), T0))
            if store._copying is not None:
                store._copying.join()
            longest = max(longest, Path(f"{path}-wal").stat().st_size)
        await store.close()
        return longest

    assert asyncio.run(work()) < 1000 * 4096  # 2,000 writes of 4 pages and more


def test_the_log_begins_anew_though_somebody_writes_while_it_is_copied(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "store.db"
    log = Path(f"{path}-wal")
    connect = sqlite3.connect

    class Interrupted(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if "PASSIVE" not in statement:
                return super().execute(statement, *values)
            with (
                closing(connect(path, isolation_level=None)) as reader,
                closing(connect(path, isolation_level=None)) as writer,
            ):
                reader.execute("BEGIN")
                reader.execute("SELECT * FROM documents").fetchall()
                writer.execute("UPDATE documents SET written = written + 1")
                return super().execute(statement, *values)  # not whole: the reader needs the log

    async def work() -> tuple[bytes, bytes]:
        store = SqliteStore(path)
        await store.put("r", "1", Document({"n": 1}))
        salt = log.read_bytes()[16:20]  # another one each time it begins
        monkeypatch.setattr(
            sqlite.sqlite3, "connect", lambda *args, **named: connect(*args, **named, factory=Interrupted)
        )
        store._checkpoint()
        monkeypatch.undo()
        await store.put("r", "2", Document({"n": 2}))
        assert set(await store.get_many("r", ["1", "2"])) == {"1", "2"}
        after = log.read_bytes()[16:20]
        await store.close()
        return salt, after

    before, after = asyncio.run(work())
    assert before != after


def test_a_file_of_the_former_layout_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript("""
            CREATE TABLE documents (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id BLOB NOT NULL,
                data TEXT NOT NULL, keys TEXT NOT NULL, time INTEGER, expires INTEGER, UNIQUE (kind, id));
            CREATE TABLE document_keys (kind TEXT NOT NULL, key BLOB NOT NULL, time INTEGER NOT NULL, id BLOB NOT NULL,
                expires INTEGER, PRIMARY KEY (kind, key, time, id)) WITHOUT ROWID;
            INSERT INTO documents VALUES (7, 'brief', CAST('b' AS BLOB), '{"n":1}', '["k"]', 5, NULL);
            INSERT INTO document_keys VALUES ('brief', CAST('k' AS BLOB), 5, CAST('b' AS BLOB), NULL);
        """)

    async def work() -> None:
        for _ in range(2):
            store = SqliteStore(path)
            assert [(id, document.data) for id, document in await store.find("brief", ["k"])] == [("b", {"n": 1})]
            await store.close()
        await store.put("brief", "b", Document({"n": 2}, ("l",), T0))
        assert await store.find("brief", ["k"]) == []
        assert [id for id, _ in await store.find("brief", ["l"])] == ["b"]
        await store.close()

    asyncio.run(work())


def test_reading_waits_for_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def work() -> None:
        store = SqliteStore(path)
        await store.put("brief", "b", Document({"n": 1}, ("k",), T0))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(store.put("brief", "b", Document({"n": 2}, ("k",), T0)))
            await asyncio.sleep(0.05)
            assert await store.get("brief", "b") == Document({"n": 1}, ("k",), T0)
            assert [id for id, _ in await store.find("brief", ["k"])] == ["b"]
            assert not writing.done()
            other.execute("ROLLBACK")
            await writing
        assert await store.get("brief", "b") == Document({"n": 2}, ("k",), T0)
        await store.close()

    asyncio.run(work())


def test_what_is_asked_for_in_one_turn_of_the_loop_is_one_transaction(tmp_path: Path) -> None:
    def fail(present: Document | None) -> Document | None:
        raise ZeroDivisionError

    async def work() -> None:
        store = SqliteStore(tmp_path / "store.db")
        await store.put("brief", "first", Document({}))
        assert store._near is not None
        while store._working:  # the thread is on its way out
            await asyncio.sleep(0.001)
        begun: list[str] = []
        store._near.set_trace_callback(lambda statement: begun.append(statement) if "BEGIN" in statement else None)
        await asyncio.gather(*(store.put("brief", str(n), Document({"n": n})) for n in range(20)))
        assert len(begun) == 1
        assert len(await store.get_many("brief", [str(n) for n in range(20)])) == 20
        given_up = asyncio.create_task(store.put("brief", "given up", Document({})))
        await asyncio.sleep(0)
        given_up.cancel()
        answers = await asyncio.gather(
            store.put("brief", "a", Document({})), store.update("brief", "b", fail), return_exceptions=True
        )
        assert [type(answer) for answer in answers] == [type(None), ZeroDivisionError]
        assert [await store.get("brief", id) is None for id in ("a", "b", "given up")] == [False, True, True]
        await store.close()

    asyncio.run(work())


def test_a_write_that_meets_another_process_s_is_done_when_that_one_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def work() -> None:
        store = SqliteStore(path)
        await store.put("brief", "a", Document({}))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = [asyncio.create_task(store.put("brief", id, Document({"id": id}))) for id in "bc"]
            await asyncio.sleep(0)
            joining = asyncio.create_task(store.put("brief", "d", Document({"id": "d"})))
            await asyncio.sleep(0)
            assert not any(task.done() for task in (*writing, joining))
            other.execute("COMMIT")
            await asyncio.gather(*writing, joining)
        assert sorted(await store.get_many("brief", ["b", "c", "d"])) == ["b", "c", "d"]
        await store.close()

    asyncio.run(work())
