"""A subscription's queue against a simple model: nothing lost, nothing delivered to two at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifleet.local.broker import protos
from verifleet.local.broker.config import check_subscription, rules_of
from verifleet.local.broker.core import Broker
from verifleet.local.broker.journal import Journal
from verifleet.local.broker.queue import Delivery, Queue


class Taker:
    """A consumer that counts what it is told."""

    def __init__(self) -> None:
        self.woken = 0
        self.held = 0
        self.expired = 0

    def wake(self) -> None:
        self.woken += 1

    def released(self, message: int, size: int, *, expired: bool) -> None:
        self.held -= 1
        self.expired += expired


def rules(**fields: Any) -> Any:
    config = protos.Subscription(name="projects/p/subscriptions/sub", topic="projects/p/topics/top", **fields)
    return rules_of(check_subscription(config))


class Clock:
    """The machine's monotonic clock, and hours that a test adds to it."""

    def __init__(self) -> None:
        self.added_s = 0.0

    def __call__(self) -> int:
        return time.monotonic_ns() + int(self.added_s * 1e9)


def with_queue(
    path: Path,
    steps: Callable[[Queue, Journal, list[int]], Awaitable[None]],
    clock: Clock | None = None,
    reasons: list[str] | None = None,
    **fields: Any,
) -> None:
    async def main() -> None:
        journal = Journal(path, clock or Clock())
        dead: list[int] = []

        def dead_letter(_queue: Queue, message: int, _failures: int, reason: str, done: Callable[[bool], None]) -> None:
            dead.append(message)
            if reasons is not None:
                reasons.append(reason)
            done(True)

        queue = Queue(journal.create_subscription("sub", b""), rules(**fields), journal, dead_letter)
        try:
            await steps(queue, journal, dead)
        finally:
            queue.close()
            journal.close()

    asyncio.run(main())


async def publish(queue: Queue, journal: Journal, count: int, age_s: float = 0) -> list[int]:
    first = journal.now_us - int(age_s * 1e6)
    messages = list(range(first, first + count))
    journal.append([(m, b"body") for m in messages], [(m, queue.id) for m in messages], lambda _: queue.offer(messages))
    journal.flush()
    return messages


def numbers(deliveries: list[Delivery]) -> list[int]:
    return [delivery.message for delivery in deliveries]


def test_taken_messages_are_not_given_to_anybody_else_until_their_lease_expires(tmp_path: Path) -> None:
    async def steps(queue: Queue, journal: Journal, _dead: list[int]) -> None:
        taker = Taker()
        queue.attach(taker)
        messages = await publish(queue, journal, 3)
        assert numbers(queue.take(10, 1000, 0.05, taker)) == messages
        assert queue.take(10, 1000, 0.05, taker) == []
        await asyncio.sleep(0.12)
        assert taker.expired == 3
        again = queue.take(10, 1000, 10, taker)
        assert numbers(again) == messages
        assert {delivery.attempt for delivery in again} == {2}

    with_queue(tmp_path / "b.db", steps)


def test_put_back_messages_come_first_and_count_no_attempt(tmp_path: Path) -> None:
    async def steps(queue: Queue, journal: Journal, _dead: list[int]) -> None:
        taker = Taker()
        messages = await publish(queue, journal, 3)
        first = queue.take(1, 1000, 10, taker)
        queue.put_back(first)
        assert numbers(queue.take(3, 1000, 10, taker)) == messages
        assert first[0].attempt == 1

    with_queue(tmp_path / "b.db", steps)


def test_a_byte_limit_lets_one_larger_message_through_alone(tmp_path: Path) -> None:
    async def steps(queue: Queue, journal: Journal, _dead: list[int]) -> None:
        await publish(queue, journal, 3)
        taker = Taker()
        assert len(queue.take(10, 1, 10, taker)) == 1
        assert len(queue.take(10, 8, 10, taker)) == 2

    with_queue(tmp_path / "b.db", steps)


def test_messages_older_than_the_retention_are_dropped(tmp_path: Path) -> None:
    async def steps(queue: Queue, journal: Journal, _dead: list[int]) -> None:
        await publish(queue, journal, 2, age_s=700)
        fresh = await publish(queue, journal, 2)
        assert queue.drop_expired() == 2
        assert queue.pending == 2
        assert numbers(queue.take(10, 1000, 10, Taker())) == fresh
        await publish(queue, journal, 1, age_s=800)
        assert queue.take(10, 1000, 10, Taker()) == []
        journal.flush()
        assert sorted(row.message for row in journal.pending()) == fresh

    with_queue(tmp_path / "b.db", steps, message_retention_duration={"seconds": 600})


DEAD_LETTERS = {"dead_letter_topic": "projects/p/topics/dead", "max_delivery_attempts": 5}


def test_what_outlives_the_retention_is_dead_lettered_with_its_reason_where_there_is_a_policy(tmp_path: Path) -> None:
    clock, reasons = Clock(), list[str]()

    async def steps(queue: Queue, journal: Journal, dead: list[int]) -> None:
        swept = await publish(queue, journal, 2)
        clock.added_s += 700
        assert queue.drop_expired() == 0
        assert dead == swept
        met = await publish(queue, journal, 2)
        clock.added_s += 700
        fresh = await publish(queue, journal, 1)
        assert numbers(queue.take(10, 1000, 10, Taker())) == fresh
        assert dead == swept + met
        journal.flush()
        assert sorted(row.message for row in journal.pending()) == fresh

    fields = {"message_retention_duration": {"seconds": 600}, "dead_letter_policy": DEAD_LETTERS}
    with_queue(tmp_path / "b.db", steps, clock, reasons, **fields)
    assert set(reasons) == {"not handled within the subscription's retention of 600 s"}


@pytest.mark.parametrize("jump_s", [8 * 24 * 3600, -3 * 3600])
def test_a_clock_that_is_set_makes_no_message_older_and_holds_none_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    topic, name = "projects/p/topics/top", "projects/p/subscriptions/sub"
    wall, wall_ns = time.time, time.time_ns

    def set_clock() -> None:
        monkeypatch.setattr(time, "time", lambda: wall() + jump_s)
        monkeypatch.setattr(time, "time_ns", lambda: wall_ns() + jump_s * 10**9)

    async def before() -> list[int]:
        journal = Journal(tmp_path / "b.db")
        broker = Broker(journal)
        broker.create_topic(protos.Topic(name=topic))
        backoff = {"minimum_backoff": {"nanos": 10**8}, "maximum_backoff": {"seconds": 600}}
        broker.create_subscription(protos.Subscription(name=name, topic=topic, retry_policy=backoff))
        published = await broker.publish(topic, [protos.PubsubMessage(data=b"x") for _ in range(3)])
        queue = broker.queue(name)
        (failed,) = queue.take(1, 1000, 10, Taker())
        set_clock()
        queue.fail(failed)
        queue.drop_expired()
        published += await broker.publish(topic, [protos.PubsubMessage(data=b"y")])
        broker.close()
        journal.close()
        return [int(number) for number in published]

    async def after(messages: list[int]) -> None:
        journal = Journal(tmp_path / "b.db")
        broker = Broker(journal)
        queue = broker.queue(name)
        queue.drop_expired()
        assert numbers(queue.take(10, 1000, 10, Taker())) == messages[1:]
        await asyncio.sleep(0.15)
        assert [(d.message, d.attempt) for d in queue.take(10, 1000, 10, Taker())] == [(messages[0], 2)]
        broker.close()
        journal.close()

    messages = asyncio.run(before())
    monkeypatch.undo()  # the clock is right again at the restart
    asyncio.run(after(messages))


def test_a_closed_queue_names_everything_it_still_had(tmp_path: Path) -> None:
    async def steps(queue: Queue, journal: Journal, _dead: list[int]) -> None:
        messages = await publish(queue, journal, 4)
        taker = Taker()
        taken = queue.take(2, 1000, 10, taker)
        queue.fail(taken[0])
        assert sorted(queue.close()) == messages
        assert queue.take(10, 1000, 10, taker) == []

    with_queue(tmp_path / "b.db", steps, retry_policy={"minimum_backoff": {"seconds": 5}})


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["publish", "take", "acknowledge", "fail", "extend", "put_back", "late"]), st.integers(0, 7)
    ),
    max_size=40,
)


@settings(max_examples=40, deadline=None)
@given(actions=ACTIONS)
def test_every_message_is_acknowledged_dead_or_still_there(
    actions: list[tuple[str, int]], tmp_path_factory: Any
) -> None:
    async def steps(queue: Queue, journal: Journal, dead: list[int]) -> None:
        taker = Taker()
        published: set[int] = set()
        acknowledged: set[int] = set()
        leased: dict[int, Delivery] = {}
        seen: list[Delivery] = []
        for action, number in actions:
            if action == "publish":
                published.update(await publish(queue, journal, number % 3 + 1, age_s=1000 - len(published)))
            elif action == "take":
                for delivery in queue.take(number, 10_000, 100, taker):
                    assert delivery.message not in leased, "given to two at once"
                    assert delivery.message not in acknowledged
                    assert delivery.message not in dead
                    leased[delivery.message] = delivery
                    seen.append(delivery)
                    taker.held += 1
            elif action == "late" and seen:
                delivery = seen[number % len(seen)]
                if delivery.message not in dead:
                    queue.acknowledge(delivery.message)
                    acknowledged.add(delivery.message)
                    leased.pop(delivery.message, None)
            elif leased:
                delivery = leased[sorted(leased)[number % len(leased)]]
                if action == "acknowledge":
                    queue.acknowledge(delivery.message)
                    acknowledged.add(delivery.message)
                elif action == "fail":
                    queue.fail(delivery)
                elif action == "extend":
                    queue.modify_deadline(delivery.message, delivery.attempt, 50)
                    continue
                else:
                    queue.put_back([delivery])
                    seen.remove(delivery)  # it reached nobody, so nobody can acknowledge it
                del leased[delivery.message]
            assert taker.held == len(leased)
        rest = published - acknowledged - set(dead)
        assert queue.pending == len(rest)
        journal.flush()
        assert {row.message for row in journal.pending()} == rest
        for delivery in leased.values():
            queue.put_back([delivery])
        assert set(numbers(queue.take(1000, 10**6, 10, taker))) == rest

    path = tmp_path_factory.mktemp("queue") / "b.db"
    with_queue(path, steps, dead_letter_policy=DEAD_LETTERS)
