"""`verifleet incidents`, `show`, `why` and `export`: what the fleet knows of incidents, and why."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from verifleet.errors import ShapeError
from verifleet.incident_forms import FORMS, line
from verifleet.incident_views import SEVERITIES
from verifleet.instants import for_people, read_instant
from verifleet.local.asking import MAX_LOOKED_THROUGH, SHORT, Asker
from verifleet.local.options import PortOffset, Url, fleet_options
from verifleet.terminal import plain_console

Json = dict[str, Any]

console = plain_console()
hints = plain_console(stderr=True)
NARROWEST = 160
"""Columns of a table that goes to a file or a pipe."""
REPORTS_SHOWN = 12
REVISIONS_SHOWN = 5
_AGO = re.compile(r"(\d{1,4})([mhd])")
_SPANS = {"m": "minutes", "h": "hours", "d": "days"}
_COLOURS = {
    "extreme": "bold red", "severe": "red", "moderate": "yellow", "supported": "green", "refuted": "red",
    "conflicting": "yellow", "outdated": "cyan", "confirmed": "green", "disputed": "yellow",
}  # fmt: skip
_WAYS = {
    "open": ("confirm", "dismiss", "close", "merge --into OTHER", "split --report EVENT"),
    "confirmed": ("close", "dismiss", "merge --into OTHER", "split --report EVENT"),
    "closed": ("reopen", "dismiss"),
    "dismissed": ("reopen", "confirm"),
}
"""What is decided of an incident by its state."""
_STANCES = (("supports", "for"), ("refutes", "against"), ("updates", "tells of later"), ("neutral", "beside it"))


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

Session = Annotated[
    str | None, typer.Option(help="session_id; by default VERIFLEET_DEFAULT_SESSION, else the agent's default one.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON only.")]


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
                _wide().print(_table(rows) if rows else "no incidents; `verifleet publish FILE` sends reports")
            if found.more or len(rows) < len(found.rows):
                of = "more" if found.more else str(len(found.rows))
                told = f"{len(rows)} of {of}: --most {min(2 * most, MAX_LOOKED_THROUGH)} shows others, filters fewer"
                (hints if as_json else console).print(told, style="dim", highlight=False)
            return
        try:
            _follow(asker, rows, found.as_of, filters, as_json)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


def show_command(
    incident_id: Annotated[str, typer.Argument(help="An incident's id, or the beginning of it.")],
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """One incident: its brief, its facts with their sources, its latest reports and changes."""
    with Asker(url, session, port_offset) as asker:
        found = asker.incident(incident_id)
        revisions = asker.revisions(found["incident"]["incident_id"], REVISIONS_SHOWN)
        if as_json:
            print(json.dumps({**found, "revisions": revisions}))
            return
        where = fleet_options(url, session, port_offset)
        for part in (*_incident(found, revisions), *_next_commands(found, where)):
            console.print(part, soft_wrap=True, highlight=False)


def why_command(
    id: Annotated[str, typer.Argument(metavar="CLAIM|EVENT", help="The id of a claim or of a report's event.")],
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """Why a claim has its verdict, or all claims of a report: evidence, source, rule and time, as a tree."""
    with Asker(url, session, port_offset) as asker:
        report = asker.report(id)
        answer = asker.claim(id) if report is None else None
        if report is None and answer is None:
            raise ShapeError(f"no report and no claim is called {id!r} here: `verifleet show INCIDENT` names them")
        if as_json:
            print(json.dumps(report or answer))
        elif answer is not None:
            _wide().print(_why([answer["claim"]], answer["report"], {0: answer["earlier"]}))
        elif report is not None:
            earlier = {
                index: [
                    {"at": one["at"], "verdict": one["verdicts"][index]}
                    for one in report["earlier"]
                    if index < len(one["verdicts"])
                ]
                for index in range(len(report["claims"]))
            }
            _wide().print(_why(report["claims"], report, earlier))


def export_command(
    incident_id: Annotated[str, typer.Argument(help="An incident's id, or the beginning of it.")],
    form: Annotated[str, typer.Option("--as", help=f"{', '.join(FORMS)}.")] = "json",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write this file instead of printing.")] = None,
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """One incident for other programs: a CAP alert, GeoJSON, CSV, JSON, or Markdown to read."""
    form = "json" if as_json else form
    if form not in FORMS:
        raise ShapeError(f"--as {form!r}: use {', '.join(FORMS)}")
    with Asker(url, session, port_offset) as asker:
        made = FORMS[form](asker.whole(incident_id))
    if out is None:
        print(made, end="")
        return
    try:
        out.write_text(made, encoding="utf-8", newline="")
    except OSError as error:
        raise ShapeError(f"{out} can't be written: {error.strerror}") from None


def act_command(
    kind: Annotated[str, typer.Argument(help="confirm, dismiss, close, reopen, merge, split, mark or undo.")],
    ids: Annotated[
        list[str],
        typer.Argument(metavar="ID...", help="Of one or several incidents; mark: of a claim; undo: of an act."),
    ],
    why: Annotated[str, typer.Option(help="The reason, which stays with it.")],
    by: Annotated[str | None, typer.Option(help="Who decides; by default the account that is signed in.")] = None,
    into: Annotated[str | None, typer.Option(help="merge: the incident that it is in truth.")] = None,
    report: Annotated[
        list[str] | None, typer.Option(help="split: a report that leaves it for a new one; give several.")
    ] = None,
    as_: Annotated[str | None, typer.Option("--as", help="mark: true, false or outdated.")] = None,
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """Decide on incidents or a claim; each is published with who decided it and why."""
    with Asker(url, session, port_offset) as asker:
        into = asker.whole_id(into) if into else None
        for id in ids:
            told: dict[str, str | int | list[str] | None] = {"kind": kind, "reason": why, "by": by, "verdict": as_}
            if kind in ("mark", "undo"):
                told["claim_id" if kind == "mark" else "undoes"] = id
            else:
                row = asker.incident(id)["incident"]
                told |= {"incident_id": row["incident_id"], "expects": row["acts"], "into": into, "reports": report}
            done = asker.act(**told)
            if as_json:
                _print_json(done)
            else:
                _print_done(done)


def _print_done(done: Json) -> None:
    row = done["incident"]
    now = f"; incident {line(row['incident_id'][:SHORT])} is {row['state']} now" if row else ""
    console.print(f"done{now}", markup=False, highlight=False)
    if done["act"]["kind"] == "split":
        where = f"verifleet show {line(done['act']['into'][:SHORT])}"
        console.print(f"The new incident: {where}", markup=False, highlight=False)
    taken_back = f"verifleet act undo {line(done['act']['act_id'])} --why ..."
    console.print(f"To take it back: {taken_back}", markup=False, highlight=False, soft_wrap=True, style="dim")


def _wide() -> Console:
    return console if console.is_terminal else plain_console(width=max(console.width, NARROWEST))


def _since(text: str) -> str:
    ago = _AGO.fullmatch(text.strip())
    if ago is None:
        return text
    return (datetime.now(UTC) - timedelta(**{_SPANS[ago[2]]: int(ago[1])})).isoformat()


def _text(value: object, style: str = "") -> Text:
    """A text of a report: nothing in it is markup or a command to the terminal."""
    return Text(line(value), style=style)


def _coloured(word: str) -> Text:
    return _text(word, _COLOURS.get(word, ""))


def _when(text: str | None) -> str:
    return for_people(read_instant(text)).removesuffix(" UTC") if text else ""


def _lately(text: str | None) -> str:
    """A time of today without its date, another one without its year."""
    return _when(text).removeprefix(f"{datetime.now(UTC):%Y-%m-%d} ").removeprefix(f"{datetime.now(UTC):%Y}-")


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
            _text(row["incident_id"][:SHORT]),
            _lately(row["changed_at"]),
            _lately(row["reported_at"]),
            _coloured(row["state"]),
            _coloured(row["severity"]),
            _text(row["event_type"]),
            _text(row["location"] or "?"),
            _text(row["headline"]),
            _standing(row),
            str(row["reports"]),
        )
    return table


def _standing(row: Json) -> Text:
    """How many facts are confirmed (+), only reported (?), disputed (!)."""
    told = Text()
    for name, sign, style in (("confirmed", "+", "green"), ("reported", "?", ""), ("disputed", "!", "yellow")):
        if row[name]:
            told.append(f"{row[name]}{sign} ", style)
    return told


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
        f" {_when(row['changed_at'])} ",
        _coloured(row["state"]),
        " ",
        _coloured(row["severity"]),
        f" {where}: {line(row['headline'])} (revision {row['revision']}, ",
        _standing(row),
        f"of {row['reports']} reports)",
    )
    console.print(told, soft_wrap=True, highlight=False)


def _incident(found: Json, revisions: list[Json]) -> Iterable[Any]:
    row, brief = found["incident"], found["brief"]
    yield Text.assemble(
        (f"{line(row['event_type'])}, {line(row['location'] or 'place unknown')}", "bold"),
        "  ",
        _coloured(row["state"]),
        ", severity ",
        _coloured(row["severity"]),
        f", reliability {row['reliability_score']:.2f}, {row['reports']} reports, revision {row['revision']} of "
        f"{_when(row['changed_at'])} UTC",
    )
    if row["merged_into"]:
        yield Text.assemble("It turned out to be incident ", (line(row["merged_into"]), "bold"))
    yield _text(brief["summary"])
    if found["facts"]:
        yield Text("\nFacts", "bold")
    for fact in found["facts"]:
        names = dict.fromkeys(line(source["author"] or source["source"]) for source in fact["sources"])
        why = "".join(f"  why {line(id)}" for id in fact["claim_ids"][:1])
        yield Text.assemble(_coloured(fact["status"]), "  ", _text(fact["text"]))
        yield Text(f"    {', '.join(names)}{why}", "dim")
    for tip in brief["guidance"]:
        yield _text(f"Advice: {tip}")
    if revisions:
        yield Text("\nChanges", "bold")
    for one in revisions:
        by = line(one["author"] or one["source"] or "")
        yield Text.assemble(f"{_when(one['at'])}  revision {one['revision']}  ", _text("; ".join(one["changes"])))
        yield Text(f"    {by}", "dim")
    if found["acts"]:
        yield Text("\nDecisions", "bold")
    for act in found["acts"]:
        what = " ".join(line(part) for part in (act["kind"], act["claim_id"], act["verdict"], act["into"]) if part)
        undone = ", undone" if act["undone"] else ""
        yield _text(f"{_when(act['at'])}  {what} by {act['by']}: {act['reason']} ({act['act_id']}{undone})")
    yield Text("\nReports", "bold")
    for one in sorted(found["reports"], key=lambda one: not one["claims"])[:REPORTS_SHOWN]:  # those with claims first
        verdicts = ", ".join(claim["verdict"] for claim in one["claims"]) or "no claim"
        by = line(one["author"] or one["source"])
        yield Text.assemble(
            f"{_when(one['time'])}  ", (by, "bold"), f" ({line(one['source'])}): ", _text(one["content"][:200])
        )
        yield Text(f"    {verdicts}  why {line(one['event_id'])}", "dim")
    left = row["reports"] - min(len(found["reports"]), REPORTS_SHOWN)
    if left > 0:
        yield Text(f"and {left} other reports (--json has 30, `verifleet export` all of them)", "dim")


def _next_commands(found: Json, where: str) -> Iterable[Any]:
    """The incident's id, and what is of use with it."""
    row = found["incident"]
    id = line(row["incident_id"])
    yield Text.assemble("\nIncident ", (id, "bold"))
    claim = next((id for fact in found["facts"] for id in fact["claim_ids"]), None)
    commands = [(f"why {line(claim)}", "")] if claim is not None else []
    if row["merged_into"]:
        commands.append((f"show {line(row['merged_into'])}", "which it turned out to be"))
    else:
        first, *others = _WAYS[row["state"]]
        commands.append((f"act {first} {id} --why '...'", f"or {', '.join(others)}"))
    commands.append((f"export {id} --as cap", f"or {', '.join(form for form in FORMS if form != 'cap')}"))
    for command, told in commands:
        yield Text.assemble(f"  verifleet {command}{where}", (f"   {told}" if told else "", "dim"))


def _why(claims: list[Json], report: Json, earlier: dict[int, list[Json]]) -> Tree:
    head = Text.assemble(
        (line(report["author"] or report["source"]), "bold"),
        f" ({line(report['source'])}) {_when(report['time'])} UTC {line(report['url'] or '')}\n",
        _text(report["content"][:400], "italic"),
    )
    tree = Tree(head)
    score = f"reliability {report['reliability_score']:.2f}, revision {report['revision']}, {report['method']}"
    tree.add(_text(f"{score}; {report['unverified_reason']}" if report["unverified_reason"] else score))
    tree.add(
        _text(f"in incident {report['incident_id']}" if report["incident_id"] else f"in none: {report['kept_out']}")
    )
    for index, claim in enumerate(claims):
        branch = tree.add(
            Text.assemble(
                ("claim ", "dim"), _text(claim["text"]), " → ", _coloured(claim["verdict"]),
                f" (belief {claim['confidence']:.2f})  ", (line(claim["claim_id"]), "dim"),
            )
        )  # fmt: skip
        for one in earlier.get(index, ()):
            branch.add(Text.assemble((f"until {_when(one['at'])} UTC ", "dim"), _coloured(one["verdict"])))
        for stance, told in _STANCES:
            found = [one for one in claim["evidence"] if one["stance"] == stance]
            if found:
                side = branch.add(Text(f"{told}: {len(found)}", "bold"))
                for one in found:
                    side.add(_evidence(one))
        if not claim["evidence"]:
            branch.add(Text("nobody else speaks for or against it", "dim"))
        if claim["more_evidence"]:
            branch.add(Text(f"and {claim['more_evidence']} more", "dim"))
    if not claims:
        tree.add(Text("no claim that can be checked", "dim"))
    return tree


def _evidence(one: Json) -> Text:
    when = f" {_when(one['observed_at'])} UTC" if one["observed_at"] else ""
    return Text.assemble(
        (line(one["source"]), "bold"), f"{when}: {line(one['reason'])} ",
        (f"[{line(one['rule'])}]" if one["rule"] else "", "dim"), f" {line(one['url'] or '')}",
    )  # fmt: skip
