"""`verifleet why`: the evidence for and against a claim, as a tree."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from verifleet.commands.desk_client import Asker
from verifleet.commands.incident_texts import AsJson, Json, Session, coloured, shown, when, wide_console
from verifleet.commands.options import PortOffset, Url
from verifleet.errors import ShapeError
from verifleet.incident_forms import line

_STANCES = (("supports", "for"), ("refutes", "against"), ("updates", "tells of later"), ("neutral", "beside it"))


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
            wide_console().print(_why([answer["claim"]], answer["report"], {0: answer["earlier"]}))
        elif report is not None:
            earlier = {
                index: [
                    {"at": one["at"], "verdict": one["verdicts"][index]}
                    for one in report["earlier"]
                    if index < len(one["verdicts"])
                ]
                for index in range(len(report["claims"]))
            }
            wide_console().print(_why(report["claims"], report, earlier))


def _why(claims: list[Json], report: Json, earlier: dict[int, list[Json]]) -> Tree:
    head = Text.assemble(
        (line(report["author"] or report["source"]), "bold"),
        f" ({line(report['source'])}) {when(report['time'])} UTC {line(report['url'] or '')}\n",
        shown(report["content"][:400], "italic"),
    )
    tree = Tree(head)
    score = f"reliability {report['reliability_score']:.2f}, revision {report['revision']}, {report['method']}"
    tree.add(shown(f"{score}; {report['unverified_reason']}" if report["unverified_reason"] else score))
    tree.add(
        shown(f"in incident {report['incident_id']}" if report["incident_id"] else f"in none: {report['kept_out']}")
    )
    for index, claim in enumerate(claims):
        branch = tree.add(
            Text.assemble(
                ("claim ", "dim"), shown(claim["text"]), " → ", coloured(claim["verdict"]),
                f" (belief {claim['confidence']:.2f})  ", (line(claim["claim_id"]), "dim"),
            )
        )  # fmt: skip
        for one in earlier.get(index, ()):
            branch.add(Text.assemble((f"until {when(one['at'])} UTC ", "dim"), coloured(one["verdict"])))
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
    at = f" {when(one['observed_at'])} UTC" if one["observed_at"] else ""
    return Text.assemble(
        (line(one["source"]), "bold"), f"{at}: {line(one['reason'])} ",
        (f"[{line(one['rule'])}]" if one["rule"] else "", "dim"), f" {line(one['url'] or '')}",
    )  # fmt: skip
