"""`verifleet act`: what people decide on incidents and claims."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from verifleet.commands.desk_client import SHORT, Asker
from verifleet.commands.incident_texts import AsJson, Json, Session, console
from verifleet.commands.options import PortOffset, Url
from verifleet.incident_forms import line


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
                print(json.dumps(done), flush=True)
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
