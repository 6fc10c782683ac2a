"""`verifleet demo`: the main job on the shipped samples, over the real topics and routes, shown as tables."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from verifleet.commands.demo_run import DemoOutcome, DemoRun
from verifleet.errors import SettingsError
from verifleet.local.addresses import Addresses
from verifleet.local.local_fleet import Fleet, all_free

TIMEOUT_S = 90.0


def run_demo(console: Console, data_dir: Path | None, port_offset: int | None) -> int:
    """Run it; 0 when every sample got what it should, else 1. Raises SettingsError."""
    addresses = Addresses(port_offset) if port_offset is not None else free_addresses()
    with tempfile.TemporaryDirectory(prefix="verifleet-demo-", ignore_cleanup_errors=True) as scratch:
        fleet = Fleet(data_dir or Path(scratch), addresses)
        states: dict[str, str] = {member.name: "starting" for member in fleet.members}
        with Live(_states(states), console=console, refresh_per_second=8, transient=True) as live:

            def show(name: str, what: str) -> None:
                states[name] = what
                live.update(_states(states))

            try:
                fleet.start(show)
                with fleet.clients() as (publisher, subscriber):
                    run = DemoRun(fleet, publisher, subscriber)
                    outcome = run.run(TIMEOUT_S, lambda text: live.update(Text(text)))
            finally:
                fleet.stop()
    _show(console, outcome)
    page = Addresses().url("summarizer_agent")
    console.print(f"To look at incidents: `make run`, `verifleet publish --sample`, and {page}/desk", markup=False)
    return 0 if not outcome.wrong() else 1


def free_addresses() -> Addresses:
    """The standard ports, or the first offset at which all are free; raises SettingsError."""
    for offset in (0, *range(700, 20000, 700)):
        addresses = Addresses(offset)
        if all_free(addresses):
            return addresses
    raise SettingsError("no free ports were found; stop another fleet or give --port-offset")


def _states(states: dict[str, str]) -> Group:
    lines = [Text(f"{'✓' if what == 'ready' else '…'} {name}: {what}") for name, what in states.items()]
    return Group(*lines)


def _show(console: Console, outcome: DemoOutcome) -> None:
    console.print(_claims_table(outcome))
    console.print(_briefs_table(outcome))
    console.print(_scores_table(outcome))
    for note in outcome.notes:
        console.print(note, markup=False)
    wrong = outcome.wrong()
    for line in wrong:
        console.print(f"✗ {line}", style="red", markup=False)
    done = f"{outcome.checked} samples, {outcome.checked - len(wrong)} as expected, in {outcome.seconds:.1f} s"
    console.print(done, style="bold red" if wrong else "bold green")


def _claims_table(outcome: DemoOutcome) -> Table:
    table = Table("report", "source", "claim", "verdict", "confidence", "reliability", title="Verified claims")
    for report in outcome.reports:
        event = report.event
        if event is None:
            table.add_row(f"{report.mark} {report.sample}", "", Text(report.text, style="dim"), report.what, "", "")
            continue
        reliability = f"{event['reliability_score']:.2f}{' unverified' if event['unverified'] else ''}"
        claims = event["verified_claims"] or [None]
        for index, claim in enumerate(claims):
            first = index == 0
            table.add_row(
                f"{report.mark} {report.sample}" if first else "",
                event["original_event"]["source"] if first else "",
                Text(claim["claim"]["text"] if claim else "(no checkable claim)"),
                claim["verdict"] if claim else "",
                f"{claim['confidence']:.2f}" if claim else "",
                reliability if first else "",
            )
    return table


def _briefs_table(outcome: DemoOutcome) -> Table:
    table = Table("place", "brief", "reports", "reliability", "revision", title="Incident briefs")
    for brief in outcome.briefs:
        events = str(len(brief["event_ids"]))
        reliability, revision = f"{brief['reliability_score']:.2f}", str(brief["revision"])
        table.add_row(brief["location"] or "", Text(brief["summary"]), events, reliability, revision)
    return table


def _scores_table(outcome: DemoOutcome) -> Table:
    table = Table("request", "by", "score", "verdict", "reason", "ms", title="Scores")
    for score in outcome.scores:
        result = score.result
        if result is None:
            table.add_row(f"{score.mark} {score.sample}", score.via, "", "", "no answer", "")
            continue
        shown = "–" if result["score"] is None else f"{result['score']:.2f}"
        name = f"{score.mark} {score.sample}"
        reason = Text(result["reason"])
        table.add_row(name, score.via, shown, result["verdict"], reason, f"{result['duration_ms']:.1f}")
    return table
