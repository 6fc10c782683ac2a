"""What verifiers did is kept by the hour: what grew between two looks, once, whatever restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from verifleet import observability
from verifleet.errors import ShapeError, TransientError
from verifleet.serving.desk.tallies import Tallies, Tally, hours_of, read_metrics
from verifleet.storage.sqlite import SqliteStore


class Verifier:
    """Counters that a test sets, and a clock."""

    def __init__(self, store: SqliteStore) -> None:
        self.now = datetime.now(UTC).replace(minute=2, second=0, microsecond=0)
        self.asked: dict[str, int] | None = {"ok": 0}
        self.store = store

    async def metrics(self, url: str) -> str:
        if self.asked is None:
            raise TransientError("away")
        return "".join(
            f'agent_requests_total{{function="math_verifier",operation="verify",outcome="{name}"}} {count}.0\n'
            for name, count in self.asked.items()
        )

    def tallies(self) -> Tallies:
        return Tallies(self.store, {"math": "http://127.0.0.1:9"}, lambda: self.now, self.metrics)

    async def look(self, asked: dict[str, int] | None, later: float = 60) -> None:
        self.asked = asked
        self.now += timedelta(seconds=later)
        await self.tallies().look()

    async def math(self, hours: int = 24) -> Any:
        return (await self.tallies().verifiers(hours))["verifiers"][0]


def run(tmp_path: Path, scenario: Callable[[Verifier], Awaitable[None]]) -> None:
    async def main() -> None:
        store = SqliteStore(tmp_path / "store.db")
        try:
            await scenario(Verifier(store))
        finally:
            await store.close()

    asyncio.run(main())


def test_what_came_between_two_looks_is_counted_in_its_five_minutes(tmp_path: Path) -> None:
    async def scenario(verifier: Verifier) -> None:
        await verifier.look({"ok": 5})
        await verifier.look({"ok": 7, "failed": 1})
        await verifier.look({"ok": 17, "failed": 1}, 300)
        await verifier.look({"ok": 17, "failed": 1}, 60)  # nothing came
        told = await verifier.math()
        assert [(slot["requests"], slot["failed"]) for slot in told["slots"]] == [(8, 1), (10, 0)]
        assert (told["total"]["requests"], told["state"]) == (18, "up")

    run(tmp_path, scenario)


def test_a_process_that_began_anew_is_counted_from_its_beginning(tmp_path: Path) -> None:
    async def scenario(verifier: Verifier) -> None:
        await verifier.look({"ok": 5})
        await verifier.look(None)
        assert (await verifier.math())["state"] == "away"
        await verifier.look({"ok": 2})
        told = await verifier.math()
        assert (told["total"]["requests"], told["total"]["away"], told["state"]) == (7, 1, "up")

    run(tmp_path, scenario)


def test_of_several_who_look_one_counts(tmp_path: Path) -> None:
    async def scenario(verifier: Verifier) -> None:
        verifier.asked = {"ok": 5}
        verifier.now += timedelta(minutes=1)
        await asyncio.gather(*(verifier.tallies().look() for _ in range(5)))
        assert (await verifier.math())["total"]["requests"] == 5

    run(tmp_path, scenario)


def test_what_is_older_than_asked_for_is_left_out(tmp_path: Path) -> None:
    async def scenario(verifier: Verifier) -> None:
        await verifier.look({"ok": 5})
        await verifier.look({"ok": 6}, 2 * 3600)
        assert (await verifier.math(1))["total"]["requests"] == 1
        assert (await verifier.math(3))["total"]["requests"] == 6

    run(tmp_path, scenario)


def test_the_metrics_of_a_function_are_read_as_they_are_written() -> None:
    with observability.request_context("format_verifier", "verify", {}, ""):
        before = read_metrics(observability.metrics_text()[0].decode())
        observability.count_verdicts({"partial": 3})
        observability.count_request("verify", "ok", 0.02)
        observability.count_request("deliver", "failed", 9.0)
    now = read_metrics(observability.metrics_text()[0].decode()).since(before)
    assert now.verdicts["partial"] == 3
    assert sum(now.requests.values()) == 1
    half = now.quantile(0.5)
    assert half is not None
    assert 10 <= half <= 25


def test_a_share_of_no_requests_takes_no_time_and_one_beyond_all_bounds_the_last() -> None:
    assert Tally().quantile(0.5) is None
    assert Tally(seconds={"1.0": 0, "300.0": 0, "inf": 4}).quantile(0.95) == 300_000


@pytest.mark.parametrize("given", ["0", "169", "-1", "1.5", "many", ""])
def test_hours_that_are_none_are_refused(given: str) -> None:
    with pytest.raises(ShapeError, match="from 1 to 168"):
        hours_of(given)
