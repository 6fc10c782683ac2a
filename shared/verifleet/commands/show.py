"""`verifleet show`: one incident, with what can be done next."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.text import Text

from verifleet.commands.desk_client import Asker
from verifleet.commands.incident_texts import AsJson, Json, Session, coloured, console, shown, when
from verifleet.commands.options import PortOffset, Url, fleet_options
from verifleet.incident_forms import FORMS, line

REPORTS_SHOWN = 12
REVISIONS_SHOWN = 5
_WAYS = {
    "open": ("confirm", "dismiss", "close", "merge --into OTHER", "split --report EVENT"),
    "confirmed": ("close", "dismiss", "merge --into OTHER", "split --report EVENT"),
    "closed": ("reopen", "dismiss"),
    "dismissed": ("reopen", "confirm"),
}
"""What is decided of an incident by its state."""


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


def _incident(found: Json, revisions: list[Json]) -> Iterable[Any]:
    row, brief = found["incident"], found["brief"]
    yield Text.assemble(
        (f"{line(row['event_type'])}, {line(row['location'] or 'place unknown')}", "bold"),
        "  ",
        coloured(row["state"]),
        ", severity ",
        coloured(row["severity"]),
        f", reliability {row['reliability_score']:.2f}, {row['reports']} reports, revision {row['revision']} of "
        f"{when(row['changed_at'])} UTC",
    )
    if row["merged_into"]:
        yield Text.assemble("It turned out to be incident ", (line(row["merged_into"]), "bold"))
    yield shown(brief["summary"])
    if found["facts"]:
        yield Text("\nFacts", "bold")
    for fact in found["facts"]:
        names = dict.fromkeys(line(source["author"] or source["source"]) for source in fact["sources"])
        why = "".join(f"  why {line(id)}" for id in fact["claim_ids"][:1])
        yield Text.assemble(coloured(fact["status"]), "  ", shown(fact["text"]))
        yield Text(f"    {', '.join(names)}{why}", "dim")
    for tip in brief["guidance"]:
        yield shown(f"Advice: {tip}")
    if revisions:
        yield Text("\nChanges", "bold")
    for one in revisions:
        by = line(one["author"] or one["source"] or "")
        yield Text.assemble(f"{when(one['at'])}  revision {one['revision']}  ", shown("; ".join(one["changes"])))
        yield Text(f"    {by}", "dim")
    if found["acts"]:
        yield Text("\nDecisions", "bold")
    for act in found["acts"]:
        what = " ".join(line(part) for part in (act["kind"], act["claim_id"], act["verdict"], act["into"]) if part)
        undone = ", undone" if act["undone"] else ""
        yield shown(f"{when(act['at'])}  {what} by {act['by']}: {act['reason']} ({act['act_id']}{undone})")
    yield Text("\nReports", "bold")
    for one in sorted(found["reports"], key=lambda one: not one["claims"])[:REPORTS_SHOWN]:  # those with claims first
        verdicts = ", ".join(claim["verdict"] for claim in one["claims"]) or "no claim"
        by = line(one["author"] or one["source"])
        yield Text.assemble(
            f"{when(one['time'])}  ", (by, "bold"), f" ({line(one['source'])}): ", shown(one["content"][:200])
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
