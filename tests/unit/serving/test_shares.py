"""Which programs go ahead, and how many one caller may have under way."""

import itertools

import pytest

from verifleet.errors import QuotaExceededError, TooLargeError
from verifleet.messaging.topology import CODE_EXECUTIONS, CODE_EXECUTIONS_BULK
from verifleet.serving.shares import FEW, KEPT_S, SHARE, Shares

IDS = itertools.count()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def ahead(shares: Shares, caller: str, programs: int, of: int = 1) -> int:
    """How many of so many new programs go ahead."""
    topics = [shares.topic(caller, f"{caller}-{next(IDS)}-{number}", of=of) for number in range(programs)]
    assert set(topics) <= {CODE_EXECUTIONS, CODE_EXECUTIONS_BULK}
    return topics.count(CODE_EXECUTIONS)


def test_a_few_of_each_caller_go_ahead_whatever_another_has_sent() -> None:
    shares = Shares(100_000)
    assert ahead(shares, "a", 5000, of=5000) == SHARE // 2
    assert ahead(shares, "b", 10) == 10


def test_a_batch_leaves_room_for_its_callers_own_single_programs() -> None:
    shares = Shares(100_000)
    ahead(shares, "a", 5000, of=5000)
    assert ahead(shares, "a", FEW) == FEW
    assert ahead(shares, "a", SHARE) == SHARE // 2 - FEW


def test_what_has_its_verdict_makes_room_and_what_is_not_known_makes_none() -> None:
    shares = Shares(100_000)
    for number in range(SHARE):
        assert shares.topic("a", str(number)) == CODE_EXECUTIONS
    shares.finished("another instance's")
    assert shares.topic("a", "more") == CODE_EXECUTIONS_BULK
    shares.finished("7")
    shares.finished("7")
    assert shares.topic("a", "next") == CODE_EXECUTIONS
    assert shares.topic("a", "after it") == CODE_EXECUTIONS_BULK


def test_an_end_that_another_instance_saw_counts_no_more_after_a_while() -> None:
    clock = Clock()
    shares = Shares(SHARE, clock)
    ahead(shares, "a", SHARE)
    with pytest.raises(QuotaExceededError):
        shares.admit("a", 1)
    clock.now = KEPT_S
    shares.admit("a", SHARE)
    assert ahead(shares, "a", 1) == 1


def test_programs_of_one_caller_are_bounded_and_anothers_are_not() -> None:
    shares = Shares(100)
    shares.admit("a", 100)
    ahead(shares, "a", 90, of=90)
    shares.admit("a", 10)
    with pytest.raises(QuotaExceededError, match=r"90 programs of a .* at most 100"):
        shares.admit("a", 11)
    shares.admit("b", 100)
    with pytest.raises(TooLargeError, match="101"):
        shares.admit("b", 101)


def test_programs_that_travel_together_go_ahead_together_or_not() -> None:
    shares = Shares(100_000)
    topics = [shares.topic("a", str(number), 64, of=4096) for number in range(3)]
    assert topics == [CODE_EXECUTIONS, CODE_EXECUTIONS_BULK, CODE_EXECUTIONS_BULK]
    shares.finished("0")
    assert shares.topic("a", "3", 64, of=4096) == CODE_EXECUTIONS
