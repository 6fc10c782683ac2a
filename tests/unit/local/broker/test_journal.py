"""The journal: what is committed when, what a full disk does, and that nothing acknowledged is kept."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from verifleet.local.broker.faults import BrokerStartError, UnavailableError
from verifleet.local.broker.journal import Journal, Pending

Steps = Callable[[Journal], Awaitable[None]]


def run(path: Path, steps: Steps) -> None:
    async def main() -> None:
        journal = Journal(path)
        try:
            await steps(journal)
        finally:
            journal.close()

    asyncio.run(main())


async def append(journal: Journal, *messages: int, subscriptions: tuple[int, ...] = (1,), body: bytes = b"x") -> None:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def committed(error: Exception | None) -> None:
        done.set_exception(error) if error else done.set_result(None)

    pending = [(message, subscription) for message in messages for subscription in subscriptions]
    journal.append([(message, body) for message in messages], pending, committed)
    await done


def rows(path: Path, table: str) -> int:
    with sqlite3.connect(path) as database:
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
    database.close()
    return int(count)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "broker.db"


def test_an_append_is_on_disk_when_its_callback_comes(path: Path) -> None:
    async def steps(journal: Journal) -> None:
        await append(journal, 1, 2, 3)
        assert rows(path, "messages") == 3

    run(path, steps)


def test_a_message_goes_when_its_last_subscription_is_settled(path: Path) -> None:
    async def steps(journal: Journal) -> None:
        first = journal.create_subscription("a", b"")
        second = journal.create_subscription("b", b"")
        await append(journal, 7, subscriptions=(first, second))
        journal.settle(7, first)
        journal.flush()
        assert (rows(path, "messages"), rows(path, "pending")) == (1, 1)
        assert not journal.is_pending(7, first)
        assert journal.is_pending(7, second)
        journal.settle(7, second)
        journal.flush()
        assert (rows(path, "messages"), rows(path, "pending")) == (0, 0)

    run(path, steps)


def test_what_is_pending_comes_back_in_order_with_its_failures(path: Path) -> None:
    async def write(journal: Journal) -> None:
        subscription = journal.create_subscription("a", b"config")
        await append(journal, 5, 6, subscriptions=(subscription,), body=b"body")
        journal.record_failure(6, subscription, 3, 123.5)

    async def read(journal: Journal) -> None:
        [(subscription, config)] = journal.subscriptions()
        assert config == b"config"
        assert list(journal.pending()) == [Pending(5, subscription, 0, 0.0), Pending(6, subscription, 3, 123.5)]
        assert journal.body(6) == b"body"
        assert journal.now_us > 6

    run(path, write)
    run(path, read)


def test_ids_of_messages_that_are_gone_are_not_used_again(path: Path) -> None:
    latest = 0

    async def write(journal: Journal) -> None:
        nonlocal latest
        latest = journal.now_us + 5_000_000
        await append(journal, latest)
        journal.settle(latest, 1)

    async def read(journal: Journal) -> None:
        assert journal.now_us > latest

    run(path, write)
    assert rows(path, "messages") == 0
    run(path, read)


def test_time_goes_on_from_where_the_last_broker_left_it_whatever_the_clock_says(path: Path) -> None:
    hour = 3600 * 10**9
    boot = [5 * hour]

    async def first() -> int:
        journal = Journal(path, lambda: boot[0])
        begun = journal.now_us
        boot[0] += hour
        journal.keep_time()
        boot[0] += hour  # not written: killed
        os.close(journal._lock)
        return begun

    async def second() -> int:
        journal = Journal(path, lambda: 7)  # another boot of the machine
        journal.close()
        return journal.now_us

    begun = asyncio.run(first())
    assert abs(begun / 1e6 - time.time()) < 60
    assert asyncio.run(second()) == begun + hour // 1000


def test_pending_messages_of_a_deleted_subscription_are_removed_at_the_next_start(path: Path) -> None:
    async def write(journal: Journal) -> None:
        subscription = journal.create_subscription("a", b"")
        await append(journal, 1, subscriptions=(subscription,))
        journal.delete_subscription(subscription)

    async def read(journal: Journal) -> None:
        assert list(journal.pending()) == []

    run(path, write)
    run(path, read)
    assert (rows(path, "messages"), rows(path, "pending")) == (0, 0)


def test_a_full_disk_refuses_the_publish_and_keeps_the_acknowledgements_for_later(path: Path) -> None:
    async def steps(journal: Journal) -> None:
        subscription = journal.create_subscription("a", b"")
        await append(journal, 1, subscriptions=(subscription,))
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count={pages}")
        journal.settle(1, subscription)
        with pytest.raises(UnavailableError, match="full"):
            await append(journal, 2, subscriptions=(subscription,), body=b"x" * 1_000_000)
        assert rows(path, "pending") == 1
        journal._db.execute("PRAGMA max_page_count=100000")
        await append(journal, 3, subscriptions=(subscription,))
        assert [row.message for row in journal.pending()] == [3]

    run(path, steps)


def test_damage_met_while_it_runs_is_reported_with_what_to_do(path: Path) -> None:
    reported: list[bool] = []

    async def main() -> None:
        journal = Journal(path, on_damage=lambda: reported.append(True))
        await append(journal, *range(1, 300), body=b"x" * 3000)
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal._db.execute("PRAGMA shrink_memory")
        journal._db.execute("PRAGMA cache_size=1")
        journal._bodies.clear()
        with path.open("r+b") as file:
            file.seek(8192)
            file.write(b"\xa5" * (path.stat().st_size - 8192))
        with pytest.raises(UnavailableError, match="malformed"):
            journal.body(150)
        assert f"{path} is damaged" in journal.damage
        assert "mv " in journal.damage
        journal.close()

    asyncio.run(main())
    assert reported == [True]


def test_what_nobody_waits_for_any_more_is_not_held_in_memory(path: Path) -> None:
    async def scenario() -> None:
        journal = Journal(path)
        for number, waiting in ((1, (1, 2)), (2, (1,))):
            journal.append([(number, b"body")], [(number, subscription) for subscription in waiting], lambda _: None)
        journal.flush()
        journal.settle(1, 1)
        journal.settle(2, 1)
        assert list(journal._bodies) == [1], "another subscription waits for it"
        journal.settle(1, 2)
        assert (journal._cached_bytes, journal._waited_for) == (0, {})
        journal.close()

    asyncio.run(scenario())


def test_bodies_are_read_from_the_file_once_they_left_the_cache(path: Path) -> None:
    async def steps(journal: Journal) -> None:
        for message in range(1, 41):
            await append(journal, message, body=bytes([message]) * 1_000_000)
        assert len(journal._bodies) < 40
        assert journal.body(1) == b"\x01" * 1_000_000
        assert journal.body(40) == b"\x28" * 1_000_000
        assert journal.body(41) is None

    run(path, steps)


def test_two_journals_never_share_a_file(path: Path) -> None:
    async def steps(_journal: Journal) -> None:
        with pytest.raises(BrokerStartError, match="another broker"):
            Journal(path)

    run(path, steps)
    run(path, lambda _: asyncio.sleep(0))
