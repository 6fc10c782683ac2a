"""`verifleet incidents`: what the fleet knows of incidents, as a list that can be followed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from verifleet.commands.desk_client import MAX_LOOKED_THROUGH, SHORT, Asker
from verifleet.commands.incident_texts import (
    AsJson,
    Json,
    Session,
    coloured,
    console,
    shown,
    standing,
    when,
    wide_console,
)
from verifleet.commands.options import PortOffset, Url
from verifleet.incident_forms import line
from verifleet.incident_views import SEVERITIES
from verifleet.terminal import plain_console

hints = plain_console(stderr=True)
_AGO = re.compile(r"(\d{1,4})([mhd])")
_SPANS = {"m": "minutes", "h": "hours", "d": "days"}


class Order(StrEnum):
    """What incidents are listed first."""

    changed = "changed"
    severity = "severity"
    reports = "reports"
    reported = "reported"


_FIRST: Mapping[Order, Callable[[Json], Any]] = {
    Order.changed: lambda row: row["changed_at"],
    Order.severity: lambda row: (-SEVERITIES.index(row["severity"]), row["reports"]),
    Order.reports: lambda row: row["reports"],
    Order.reported: lambda row: row["reported_at"] or row["created_at"],
}


def incidents_command(
    state: Annotated[str | None, typer.Option(help="open, confirmed, closed, dismissed, merged; with commas.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="flood, fire, ...; several with commas.")] = None,
    severity: Annotated[str | None, typer.Option(help="extreme, severe, moderate, minor, unknown.")] = None,
    place: Annotated[str | None, typer.Option(help="A place's name.")] = None,
    bbox: Annotated[str | None, typer.Option(help="west,south,east,north in degrees.")] = None,
    text: Annotated[str | None, typer.Option(help="Words that all stand in it.")] = None,
    since: Annotated[str | None, typer.Option(help="Changed since: 30m, 6h, 2d, or a time in ISO 8601.")] = None,
    sort: Annotated[Order, typer.Option(help="What is first: the latest change, the most severe ...")] = Order.changed,
    most: Annotated[int, typer.Option(min=1, max=MAX_LOOKED_THROUGH, help="At most so many.")] = 30,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what changes, until Ctrl-C.")] = False,
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """Incidents, those that changed last first or as --sort says; --follow goes on with what is new."""
    with Asker(url, session, port_offset) as asker:
        filters = {"state": state, "type": type_, "severity": severity, "place": place, "bbox": bbox, "text": text}
        looked = most if sort is Order.changed else MAX_LOOKED_THROUGH
        found = asker.incidents(looked, **filters, since=_since(since) if since else None)
        rows = sorted(found.rows, key=_FIRST[sort], reverse=True)[:most]
        if not follow:
            if as_json:
                print(json.dumps(rows))
            else:
                wide_console().print(_table(rows) if rows else "no incidents; `verifleet publish FILE` sends reports")
            if found.more or len(rows) < len(found.rows):
                of = "more" if found.more else str(len(found.rows))
                told = f"{len(rows)} of {of}: --most {min(2 * most, MAX_LOOKED_THROUGH)} shows others, filters fewer"
                (hints if as_json else console).print(told, style="dim", highlight=False)
            return
        try:
            _follow(asker, rows, found.as_of, filters, as_json)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


def _since(text: str) -> str:
    ago = _AGO.fullmatch(text.strip())
    if ago is None:
        return text
    return (datetime.now(UTC) - timedelta(**{_SPANS[ago[2]]: int(ago[1])})).isoformat()


def _lately(text: str | None) -> str:
    """A time of today without its date, another one without its year."""
    return when(text).removeprefix(f"{datetime.now(UTC):%Y-%m-%d} ").removeprefix(f"{datetime.now(UTC):%Y}-")


def _table(rows: Iterable[Json]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    for name in ("id", "changed UTC", "last report", "state", "severity", "type"):
        table.add_column(name, no_wrap=True)
    table.add_column("place", no_wrap=True, max_width=20)
    table.add_column("what", no_wrap=True, ratio=1)
    table.add_column("facts", no_wrap=True)
    table.add_column("reports", justify="right")
    for row in rows:
        table.add_row(
            shown(row["incident_id"][:SHORT]),
            _lately(row["changed_at"]),
            _lately(row["reported_at"]),
            coloured(row["state"]),
            coloured(row["severity"]),
            shown(row["event_type"]),
            shown(row["location"] or "?"),
            shown(row["headline"]),
            standing(row),
            str(row["reports"]),
        )
    return table


def _follow(asker: Asker, rows: list[Json], as_of: str, filters: Mapping[str, str | None], as_json: bool) -> None:
    show: Callable[[Json], None] = _print_json if as_json else _print_row
    for row in reversed(rows):
        show(row)
    shown = {row["incident_id"]: row["changed_at"] for row in rows}
    for name, data in asker.changes(as_of, **filters):
        news = asker.incidents(MAX_LOOKED_THROUGH, **filters, since=as_of).rows[::-1] if name == "reset" else [data]
        for row in news if name in ("reset", "incident") else ():
            if shown.get(row["incident_id"]) != row["changed_at"]:
                if len(shown) >= 2 * MAX_LOOKED_THROUGH:
                    shown.clear()
                shown[row["incident_id"]] = row["changed_at"]
                show(row)


def _print_json(row: Json) -> None:
    print(json.dumps(row), flush=True)


def _print_row(row: Json) -> None:
    where = f"{line(row['event_type'])}, {line(row['location'] or '?')}"
    told = Text.assemble(
        (line(row["incident_id"][:SHORT]), "bold"),
        f" {when(row['changed_at'])} ",
        coloured(row["state"]),
        " ",
        coloured(row["severity"]),
        f" {where}: {line(row['headline'])} (revision {row['revision']}, ",
        standing(row),
        f"of {row['reports']} reports)",
    )
    console.print(told, soft_wrap=True, highlight=False)
