"""Store and broker taken away from a fleet under load and given back; the long form is `make bench-outage`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.bench_outage import OnSqlite, campaign, doubled, missing
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Fleet]:
    limits = {"VERIFLEET_STORE_TIMEOUT_S": "0.5", "VERIFLEET_PUBLISH_TIMEOUT_S": "0.5"}
    running = Fleet(tmp_path, free_addresses(), limits)
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.mark.timeout(200)
def test_while_store_or_broker_is_away_every_route_says_so_and_all_that_was_accepted_comes_out(
    impatient: Fleet, tmp_path: Path
) -> None:
    outcomes, load, came, _ = campaign(
        impatient, OnSqlite(tmp_path), seconds=0.5, rate=8, verifiers=("math", "format"), within_s=100.0
    )
    assert [wrong for outcome in outcomes for wrong in outcome.wrong] == []
    assert {(outcome.part, outcome.way) for outcome in outcomes} == {
        ("store", "locked"),
        ("store", "gone"),
        ("broker", "killed"),
    }
    assert load.reports
    assert load.requests
    assert missing(load, came) == set()
    assert doubled(load, came) == set()
    assert came.dead == []
