"""`verifleet audit`: a verifier against labelled rows, with bounds that make it fail."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from verifleet import html_page
from verifleet.audits.answers import Audit, Rate, audit, label_of, read_rows, violations
from verifleet.commands.audit_page import audit_page
from verifleet.commands.options import PortOffset
from verifleet.errors import SettingsError, ShapeError
from verifleet.incident_forms import line
from verifleet.scoring.one_request import make_verifier
from verifleet.terminal import plain_console
from verifleet.verification import VERIFIER_NAMES

console = plain_console()
MAX_TOLD = 240
"""Characters of a prompt or response beside a disagreement."""
TABLE_WIDTH = 170  # rows stay whole when the output is a file or a log
WRITTEN = ("replies", "incidents", "pairs")
"""Audits with an OUT beside FILE: `verifleet audit replies FILE --json OUT`."""
Share = Annotated[float | None, typer.Option(min=0, max=1, help="share from 0 to 1")]


def audit_command(
    verifier: Annotated[
        str, typer.Argument(help="math, code, knowledge, format, claims, streams, pairs, replies or incidents")
    ],
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="JSONL: {id, kind, prompt, response, reference, expected}"),
    ],
    out: Annotated[
        Path | None, typer.Argument(dir_okay=False, help="replies, pairs: where figures and a row each are written")
    ] = None,
    min_accuracy: Share = None,
    max_false_positives: Share = None,
    max_false_negatives: Share = None,
    max_unknown: Share = None,
    max_errors: Share = None,
    show: Annotated[int, typer.Option(help="how many disagreements to list")] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="print the figures as JSON only")] = False,
    html: Annotated[Path | None, typer.Option(help="write all of it as one page")] = None,
    record: Annotated[bool, typer.Option("--record", help="have the figures kept and shown at /desk")] = False,
    url: Annotated[
        str | None, typer.Option(help="--record: the summarizer agent's; without it on this machine")
    ] = None,
    port_offset: PortOffset = 0,
) -> None:
    """Measure a verifier on labelled rows; a broken bound exits with 1, so it can watch false positives in CI."""
    rows = read_rows(file)
    bounds = (min_accuracy, max_false_positives, max_false_negatives, max_unknown, max_errors)
    if out is not None and verifier not in WRITTEN:
        raise SettingsError(f"audit {verifier} writes no file; {', '.join(WRITTEN)} do")
    if (html is not None or record) and verifier not in VERIFIER_NAMES:
        what = "writes no page" if html is not None else "is not recorded"
        raise SettingsError(f"audit {verifier} {what}; {', '.join(VERIFIER_NAMES)} do")
    if verifier in WRITTEN:
        audits = {"replies": _audit_replies, "incidents": _audit_incidents, "pairs": _audit_pairs}
        audits[verifier](rows, out, as_json)
        return
    if verifier in ("claims", "streams") and (as_json or any(bound is not None for bound in bounds)):
        raise SettingsError(f"audit {verifier} takes no bounds and no --json; they are for the four verifiers")
    if verifier == "claims":
        _audit_claims(rows)
        return
    if verifier == "streams":
        _audit_streams(rows, show)
        return
    judge = make_verifier(verifier)
    with Progress(console=console, transient=True, disable=as_json) as progress:
        task = progress.add_task(f"auditing {verifier}", total=len(rows))
        outcome = audit(judge, rows, lambda count: progress.advance(task, count))
    by_id = {label_of(number, row): row for number, row in enumerate(rows, 1)}
    if as_json:
        print(json.dumps(outcome.as_json()))
    else:
        _show(outcome, by_id, show)
    broken = violations(
        outcome,
        [
            ("accuracy", "at least", min_accuracy),
            ("false_positives", "at most", max_false_positives),
            ("false_negatives", "at most", max_false_negatives),
            ("unknown", "at most", max_unknown),
            ("errors", "at most", max_errors),
        ],
    )
    if html is not None:
        html_page.write(html, audit_page(verifier, outcome, by_id, broken))
    if record:
        from verifleet.commands.desk_client import Asker

        versions = sorted({row.result.verifier_version for row in outcome.rows})
        told = {"verifier": verifier, "file": file.name[:200], "version": ", ".join(versions)[:80]}
        Asker(url, None, port_offset).record(told | outcome.as_json())
    for bound in broken:
        console.print(f"[bold red]bound broken:[/] {bound}")
    raise typer.Exit(1 if broken else 0)


def _audit_claims(rows: list[dict[str, Any]]) -> None:
    """Rows measure check-worthiness by label, event types by event_type, and which posts claim by informative."""
    from verifleet.agents.claims.extract import checkworthiness
    from verifleet.audits.claims import audit_claims, audit_event_types, audit_yields
    from verifleet.reading.hazards import event_type

    posts = [row for row in rows if "informative" in row]
    labelled = [row for row in rows if "label" in row]
    typed = [row for row in rows if "event_type" in row]
    if labelled:
        console.print(f"claims: {audit_claims(labelled, checkworthiness)}")
    if typed:
        outcome = audit_event_types(typed, event_type)
        console.print(f"event types: {outcome}")
        for kind, share in outcome.by_type.items():
            console.print(f"  {kind}: {share:.1%}")
    if posts:
        console.print(f"posts that yield a claim: {audit_yields(posts, lambda event: None)}")
    if not labelled and not typed and not posts:
        raise ShapeError("no row has a label (0 or 1), an event_type, or what is informative")


def _audit_incidents(rows: list[dict[str, Any]], out: Path | None, as_json: bool) -> None:
    """Rows `{event, time, text}` of known events, all in one session: how many incidents each gets, and how pure."""
    from verifleet.audits.incidents import audit_incidents

    scores = {"as they came": audit_incidents(rows), "all in one week": audit_incidents(rows, one_week=True)}
    plain = {name: outcome.as_json() for name, outcome in scores.items()}
    if out is not None:
        out.write_text(json.dumps(plain, indent=1) + "\n", "utf-8")
    if as_json and out is None:
        print(json.dumps(plain))
    for name, outcome in scores.items() if not as_json or out is not None else ():
        table = Table("event", "reports", "incidents", "of one report", "in none", "purity")
        for one in outcome.events:
            counts = (one.reports, one.incidents, one.singletons, one.alone)
            table.add_row(one.event, *map(str, counts), f"{one.purity:.3f}")
        plain_console(width=max(console.width, TABLE_WIDTH)).print(table, no_wrap=True)
        console.print(f"{name}: purity {outcome.purity:.3f}, median of {outcome.median_incidents:g} incidents")


def _audit_streams(rows: list[dict[str, Any]], show: int) -> None:
    """Rows `{id, events}` whose events have a tier measure how reliability ranks them after the whole stream."""
    from verifleet.audits.streams import audit_streams

    outcome = audit_streams(rows)
    console.print(f"streams: {outcome}")
    for (higher, lower), count in list(outcome.confused.items())[:show]:
        console.print(f"  {higher} not above {lower}: {count}", markup=False)


def _audit_pairs(rows: list[dict[str, Any]], out: Path | None, as_json: bool) -> None:
    """Two reports each, with what the other says to a claim of the one, measure findings between reports."""
    from verifleet.audits.pairs import audit_pairs

    outcome = audit_pairs(rows)
    if not _written(outcome.as_json(), [row.as_json() for row in outcome.outcomes], out, as_json):
        console.print(str(outcome), highlight=False)


def _audit_replies(rows: list[dict[str, Any]], out: Path | None, as_json: bool) -> None:
    """Threads with the stance of every reply measure how well that is told."""
    from verifleet.agents.voices.replies import STANCES
    from verifleet.audits import replies

    scores, told = replies.audit_replies(rows)
    figures = replies.as_json(scores)
    if _written(figures, told, out, as_json):
        return
    table = Table("stance", "precision", "recall", "F1", *(f"found {name}" for name in STANCES))
    for name, rates in figures["by_stance"].items():
        counts = map(str, figures["confusion"][name].values())
        table.add_row(name, f"{rates['precision']:.1%}", f"{rates['recall']:.1%}", f"{rates['f1']:.3f}", *counts)
    plain_console(width=max(console.width, TABLE_WIDTH)).print(table, no_wrap=True)
    console.print(f"replies: macro-F1 {scores.macro_f1:.3f} ({len(told)} replies)")


def _written(figures: dict[str, Any], rows: Sequence[Mapping[str, Any]], out: Path | None, as_json: bool) -> bool:
    """Writes figures and rows where they are wanted; whether the figures were printed as JSON."""
    if out is not None:
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        out.write_text(f'{{"figures": {json.dumps(figures)},\n"rows": [\n{lines}\n]}}\n', "utf-8")
    if as_json:
        print(json.dumps(figures))
    return as_json


def _show(outcome: Audit, rows: Mapping[str, Mapping[str, Any]], show: int) -> None:
    table = Table("kind", "rows", "accuracy", "false positives", "false negatives", "unknown", "errors")
    for kind, group in [*outcome.by_kind().items(), ("all", outcome)]:
        rates = (group.accuracy, group.false_positives, group.false_negatives, group.unknown, group.errors)
        table.add_row(kind, str(len(group.rows)), *map(_rate, rates), style="bold" if group is outcome else None)
    plain_console(width=max(console.width, TABLE_WIDTH)).print(table, no_wrap=True)
    console.print(f"scores exactly as expected: {_rate(outcome.exact_scores)}")
    slow = ", ".join(f"{row.id} {row.result.duration_ms:.1f} ms" for row in outcome.slowest())
    console.print(f"slowest: {slow}", highlight=False)
    wrong = outcome.disagreements()
    for row in wrong[:show]:
        score = "none" if row.result.score is None else f"{row.result.score:g}"
        said = f"{row.disagreement}: {row.id} expected {row.expected:g}, score {score}: {row.result.reason}"
        console.print(said, markup=False)
        for name in ("prompt", "response"):
            text = textwrap.shorten(line(rows.get(row.id, {}).get(name)), MAX_TOLD, placeholder=" …")
            console.print(f"  {name}: {text}", markup=False, highlight=False)
    if len(wrong) > show:
        console.print(f"... and {len(wrong) - show} more disagreements (--show)")


def _rate(rate: Rate) -> str:
    if not rate.total:
        return "-"
    low, high = rate.interval
    return f"{rate.share:.2%} ({rate.count}/{rate.total}) {low:.1%}–{high:.1%}"
