"""A run's rewards as a page."""

from __future__ import annotations

from collections.abc import Iterable

from verifleet.commands.watching import VERDICTS, Between, Run, Step, Watched
from verifleet.doctor.page import spread_table, told
from verifleet.html_page import COLOURS, Markup, folded, line_chart, page, pre, share_chart, table, tag

COLUMNS = ("", "rows", "mean score", *VERDICTS, "groups without variance", "mean characters")
REASONS = 30
_LINES = {"mean score": "#2e8b57", "groups without variance": "#b9770e"}


def run_page(run: Run, place: str) -> str:
    """All of it as one document."""
    parts = [tag("p", f"{sum(one.rows for one in run.rewards.values())} rows of {place}.", class_="said")]
    if run.broken:
        parts.append(tag("p", f"{run.broken} lines are none of a log, such as one that was being written."))
    parts += [part for name in sorted(run.rewards) for part in _reward(run.rewards[name])]
    if run.pairs():
        parts.append(tag("h2", "Accepted by one only"))
        parts += [part for one in run.pairs() for part in _between(one)]
    return page("verifleet watch", *parts)


def figures(label: str, step: Step) -> tuple[object, ...]:
    """A row of the table of steps."""
    shares = (f"{step.share(verdict):.1%}" if step.verdicts[verdict] else "" for verdict in VERDICTS)
    flat = f"{step.flat.share:.1%} of {step.flat.total}" if step.flat.total else ""
    chars = sum(step.chars.values()) / step.rows if step.rows else 0.0
    return (label, step.rows, f"{step.mean:.3f}", *shares, flat, f"{chars:.0f}")


def lengths(one: Watched) -> list[tuple[str, int, float, float]]:
    """Of each verdict its rows, and the median and 99th percentile of the characters of their responses."""
    spreads = ((verdict, one.lengths[verdict]) for verdict in VERDICTS if verdict in one.lengths)
    return [(verdict, spread.count, spread.quantile(0.5), spread.quantile(0.99)) for verdict, spread in spreads]


def _reward(one: Watched) -> Iterable[Markup]:
    steps = one.over_steps()
    yield tag("h2", one.name)
    yield table(COLUMNS, [figures("all", one.whole())])
    yield tag("h3", "Verdicts over steps")
    yield share_chart([(label, {verdict: step.share(verdict) for verdict in COLOURS}) for label, step in steps])
    yield tag("h3", "Mean score, and groups without variance")
    curves = [
        (label, {"mean score": step.mean, "groups without variance": step.flat.share if step.flat.total else None})
        for label, step in steps
    ]
    yield line_chart(curves, _LINES)
    yield tag("h3", "Characters by verdict")
    yield line_chart([(label, {verdict: step.length(verdict) for verdict in COLOURS}) for label, step in steps])
    rows = [(name, *(f"{figure:.0f}" for figure in (row, p50, p99))) for name, row, p50, p99 in lengths(one)]
    yield table(("verdict", "rows", "p50 characters", "p99 characters"), rows)
    accepted, refused = one.mistakes()
    if accepted.total or refused.total:
        yield tag("p", f"By the labels of the rows: wrong accepted {told(accepted)}, right refused {told(refused)}")
    if one.times.count:
        yield spread_table({"time of a row": one.times})
    reasons = [(verdict, reason, count) for (verdict, reason), count in one.reasons.most_common(REASONS)]
    yield folded("Reasons", table(("verdict", "reason", "rows"), reasons))
    yield folded("Steps", table(COLUMNS, [figures(label, step) for label, step in steps]))


def _between(one: Between) -> Iterable[Markup]:
    first, second = one.names
    counts = [(*(("refuses", "accepts")[side] for side in sides), count) for sides, count in sorted(one.counts.items())]
    yield table((first, second, "rows"), counts)
    for sides, name in (((True, False), first), ((False, True), second)):
        rows = [
            (pre(row.get("prompt", "")), pre(row["response"]), row.get("reason", ""))
            for row in one.shown.get(sides, ())
        ]
        if rows:
            yield folded(f"Only {name} accepts", table(("prompt", "response", "reason of the later"), rows))
