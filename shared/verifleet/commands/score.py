"""`verifleet score`: a data set scored, or the rest of one, with what changed against an earlier version."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import nullcontext
from itertools import islice
from typing import Annotated

import typer

from verifleet.commands.canaries import read_targets
from verifleet.errors import SettingsError, ShapeError
from verifleet.scoring.bulk import Changes, Job, Summary, check_results, score, score_again, summary_json
from verifleet.scoring.rows import DEADLINE_S
from verifleet.terminal import plain_console

console = plain_console()
TOLD_S = 10.0
"""Between two lines of progress where there is no terminal."""

JOIN = "More files, whose columns the rows with the same id have too."
READER = "Of the rows; without it, the one that fits. For columns of your own VERIFIER:PROMPT:REFERENCE, such as "
READER += "math:problem:gold; all others: `verifleet guess`."
_ALONE = (("INDEX", "0"), ("COUNT", "1"))


def score_command(
    source: Annotated[str, typer.Argument(help="JSON, JSONL, Parquet, or a folder of them; a path or gs://...")],
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", help="A line for each row, in order; NAME.parquet and gs://...: a folder of parts."
        ),
    ],
    reader: Annotated[str | None, typer.Option(help=READER)] = None,
    response: Annotated[str | None, typer.Option(help="The column with the response.")] = None,
    join: Annotated[list[str] | None, typer.Option(help=JOIN)] = None,
    options: Annotated[str, typer.Option(help='JSON, e.g. {"partial": true}')] = "{}",
    url: Annotated[
        list[str] | None, typer.Option(help="NAME=URL of a verifier to ask, not judging its rows here.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each CPU.")] = 0,
    deadline: Annotated[
        float, typer.Option(min=0.1, help="Seconds for what a --url is asked at once; then its rows are errors.")
    ] = DEADLINE_S,
    ray: Annotated[
        str | None, typer.Option(help="Judge on the Ray cluster of this address; auto: the one that runs.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Judge the rows anew that are errors; others stay.")] = False,
    against: Annotated[
        str | None, typer.Option(help="Earlier results, of one or all shards: show what changed.")
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="How many changes to list.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON only.")] = False,
) -> None:
    """Score a data set; the same command goes on where it was interrupted. Rows without a verdict: 1."""
    try:
        wanted = json.loads(options)
    except ValueError as error:
        raise ShapeError(f"--options is not JSON: {error}") from None
    if against is not None:
        check_results(against)
    shard, shards = _share()
    targets = read_targets(url or [], option="--url")
    job = Job(source, out, reader, response, wanted, targets, workers, shard, shards, ray, deadline, join or [])
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is judged is still written
    live = console.status("scoring") if console.is_terminal and not as_json else nullcontext()
    try:
        with live as status:
            run = score_again if again else score
            summary = run(job, _Lines() if status is None else lambda so_far: status.update(_line(so_far)))
    except KeyboardInterrupt:
        console.print(f"stopped; the same command goes on from what is in {out}", soft_wrap=True)
        raise typer.Exit(130) from None
    if as_json:
        print(json.dumps(summary_json(summary)))
    else:
        _show(summary)
    if against is not None:
        _show_changes(against, summary.place, show)
    raise typer.Exit(1 if summary.errors else 0)


class _Lines:
    """Progress as lines of a log."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, summary: Summary) -> None:
        if time.monotonic() - self._last >= TOLD_S:
            self._last = time.monotonic()
            plain_console(stderr=True, highlight=False).print(_line(summary), markup=False, soft_wrap=True)


def _share() -> tuple[int, int]:
    """Which share of the rows is ours: a task of a Cloud Run job has one of as many as there are."""
    try:
        shard, shards = (int(os.environ.get(f"CLOUD_RUN_TASK_{name}", value)) for name, value in _ALONE)
    except ValueError:
        raise SettingsError("CLOUD_RUN_TASK_INDEX and CLOUD_RUN_TASK_COUNT are whole numbers") from None
    if not 0 <= shard < shards:
        raise SettingsError(f"CLOUD_RUN_TASK_INDEX={shard} is none of CLOUD_RUN_TASK_COUNT={shards}")
    return shard, shards


def _line(summary: Summary) -> str:
    slow = f", slowest row {summary.slowest[0][1]} {summary.slowest[0][0]:.0f} ms" if summary.slowest else ""
    return f"{summary.rows} rows, {summary.rate:.0f} a second, {summary.errors} errors{slow}"


def _show(summary: Summary) -> None:
    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    before = f" ({summary.resumed} of them before)" if summary.resumed else ""
    say(f"{summary.rows} rows{before} in {summary.seconds:.1f} s, {summary.rate:.0f} a second → {summary.place}")
    say(", ".join(f"{verdict} {count}" for verdict, count in summary.verdicts.most_common()))
    say("no score: no row was judged" if summary.mean is None else f"mean score {summary.mean:.4f}")
    say("slowest: " + ", ".join(f"row {row} {ms:.1f} ms" for ms, row in summary.slowest))
    if summary.first_error:
        say(f"{summary.errors} errors; the first: {summary.first_error}")


def _show_changes(old: str, new: str, show: int) -> None:
    found = Changes(old, new)
    every = iter(found)

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    for before, after in islice(every, show):
        what = f"{before['verdict']} {before['score']} → {after['verdict']} {after['score']}"
        say(f"row {after['row']}: {what}: {after['reason']}")
    for _ in every:
        pass
    for (was, is_now), count in found.verdicts.most_common():
        say(f"{was} → {is_now}: {count}")
    missing = f"; {found.only_new} rows are not in it" if found.only_new else ""
    say(f"{found.verdicts.total()} of {found.rows} rows changed against {old}{missing}")
