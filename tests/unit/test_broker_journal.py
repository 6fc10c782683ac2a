"""The journal: what is committed when, what a full disk does, and that nothing acknowledged is kept."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from verifleet.local.broker.errors import BrokerStartError, UnavailableError
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
        assert journal.high_water() == 6

    run(path, write)
    run(path, read)


def test_ids_of_messages_that_are_gone_are_not_used_again(path: Path) -> None:
    async def write(journal: Journal) -> None:
        await append(journal, 1000)
        journal.settle(1000, 1)

    async def read(journal: Journal) -> None:
        assert journal.high_water() == 1000

    run(path, write)
    assert rows(path, "messages") == 0
    run(path, read)


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
