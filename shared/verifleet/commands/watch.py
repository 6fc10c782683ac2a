"""`verifleet watch`: what the log of a run's rewards says, once or again and again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from verifleet import html_page
from verifleet.audits.answers import Rate
from verifleet.commands.watch_page import COLUMNS, REASONS, figures, lengths, run_page
from verifleet.commands.watching import VERDICTS, Run, Watched, read_run
from verifleet.terminal import plain_console

console = plain_console()
WIDTH = 150


def watch_command(
    run: Annotated[Path, typer.Argument(exists=True, help="The file that a reward's log= names, or a folder of them.")],
    html: Annotated[Path | None, typer.Option(help="Write all of it as one page.")] = None,
    every: Annotated[float, typer.Option(min=0, help="Seconds, after which it is read again, until Ctrl-C.")] = 0.0,
    steps: Annotated[int, typer.Option(min=1, help="At most so many rows of steps.")] = 12,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON only.")] = False,
) -> None:
    """Verdicts over the steps of a training, from what its rewards logged."""
    found = read_run(run)
    if html is not None:
        html_page.write(html, run_page(found, str(run)))
    if as_json:
        print(json.dumps(as_plain(found)))
        return
    if not every:
        plain_console(width=max(console.width, WIDTH)).print(_shown(found, steps))
        return
    try:
        with Live(_shown(found, steps), console=console, auto_refresh=False) as live:
            while True:
                time.sleep(every)
                found = read_run(run)
                live.update(_shown(found, steps), refresh=True)
                if html is not None:
                    html_page.write(html, run_page(found, str(run)))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def as_plain(run: Run) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "rewards": {name: _plain(one) for name, one in sorted(run.rewards.items())},
        "accepted_by_one_only": [
            {
                one.names[0]: one.counts[True, False],
                one.names[1]: one.counts[False, True],
                "both": one.counts[True, True],
            }
            for one in run.pairs()
        ],
        "broken_lines": run.broken,
    }


def _plain(one: Watched) -> dict[str, Any]:
    whole = one.whole()
    accepted, refused = one.mistakes()
    return {
        "rows": one.rows,
        "mean": whole.mean,
        "verdicts": {verdict: whole.verdicts[verdict] for verdict in VERDICTS if whole.verdicts[verdict]},
        "groups_without_variance": _rate(whole.flat),
        "false_positives": _rate(accepted),
        "false_negatives": _rate(refused),
        "characters": {verdict: {"rows": rows, "p50": p50, "p99": p99} for verdict, rows, p50, p99 in lengths(one)},
        "reasons": [
            {"verdict": verdict, "reason": reason, "rows": count}
            for (verdict, reason), count in one.reasons.most_common(REASONS)
        ],
        "p50_ms": one.times.quantile(0.5),
        "p99_ms": one.times.quantile(0.99),
        "slowest": [{"row": label, "ms": ms} for ms, label in one.times.slowest],
        "steps": [
            {
                "step": label,
                "rows": step.rows,
                "mean": step.mean,
                "verdicts": dict(step.verdicts),
                "mean_characters": {verdict: step.length(verdict) for verdict in step.verdicts},
            }
            for label, step in one.over_steps()
        ],
    }


def _rate(rate: Rate) -> dict[str, float]:
    low, high = rate.interval
    return {"count": rate.count, "total": rate.total, "share": rate.share, "low": low, "high": high}


def _shown(run: Run, steps: int) -> Group:
    parts: list[Any] = []
    for name in sorted(run.rewards):
        one = run.rewards[name]
        table = Table(*COLUMNS, title=escape(name), title_justify="left")
        for label, step in [*one.over_steps(steps), ("all", one.whole())]:
            table.add_row(*(str(value) for value in figures(label, step)))
        parts.append(table)
        told = ", ".join(f"{verdict} p50 {p50:.0f}, p99 {p99:.0f}" for verdict, _, p50, p99 in lengths(one))
        parts.append(_line(f"characters: {told}"))
        if one.times.count:
            parts.append(_line(one.times.line()))
        accepted, refused = one.mistakes()
        if accepted.total or refused.total:
            parts.append(_line(f"by labels: wrong accepted {_told(accepted)}, right refused {_told(refused)}"))
    for pair in run.pairs():
        counts = pair.counts
        only = f"only {pair.names[0]} {counts[True, False]}, only {pair.names[1]} {counts[False, True]}"
        parts.append(_line(f"accepted by {only}, both {counts[True, True]}, neither {counts[False, False]}"))
    if run.broken:
        parts.append(_line(f"{run.broken} lines are none of a log"))
    return Group(*parts)


def _line(text: str) -> Text:
    return Text(html_page.plain(text))


def _told(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.share:.1%} ({rate.count}/{rate.total}, {low:.1%}–{high:.1%})" if rate.total else "-"
