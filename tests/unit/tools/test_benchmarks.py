"""The table of `make bench` has every benchmark and reads what each tells."""

from pathlib import Path

import pytest

from tests.benchmarks import figures, table
from tests.functions.processes import ROOT


def test_every_benchmark_is_in_the_table() -> None:
    there = {path.stem.removeprefix("bench_") for path in (ROOT / "tests" / "benchmarks").glob("bench_*.py")}
    assert set(table.SHORT) == there


def test_a_row_tells_the_ratio_to_a_peer_and_whether_it_is_what_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "SHORT", {"two": ()})
    monkeypatch.setattr(table.subprocess, "run", lambda command, **how: _two(how["env"]))
    rows, wrong = table.rows_of("two", tmp_path)
    assert wrong == ""
    assert [(row["ratio"], row["met"]) for row in rows] == [(2.0, True), (2.0, False)]
    assert table.line(rows[1]).endswith("2.00 at most 1.25  MISSED")


def _two(environment: dict[str, str]) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(figures.VARIABLE, environment[figures.VARIABLE])
        figures.row("events", 500, "events/s", against=250, of="goal", wanted=1)
        figures.row("cold start", 800, "ms", against=400, of="bare function", wanted=1.25, better="less")
    return type("Done", (), {"returncode": 0})()
