"""`verifleet alerts`: whether a file of rules is right, and whether its targets can be reached."""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from verifleet.alerts.changes import Change
from verifleet.alerts.forms import Alert
from verifleet.alerts.reaching import NotTakenError, send
from verifleet.alerts.rule_file import Rules, Target, read_rules
from verifleet.errors import SettingsError
from verifleet.incident_forms import line
from verifleet.incident_views import IncidentRow
from verifleet.terminal import plain_console

app = typer.Typer(name="alerts", help="Who is told of incidents: the file of rules.", no_args_is_help=True)
console = plain_console()


@app.callback()
def _commands() -> None:
    """Keeps `check` a command of its own while it is the only one."""


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(help="The YAML file that VERIFLEET_ALERTS names.")],
    send_to: Annotated[list[str] | None, typer.Option("--send", help="Send a test to this target; or all.")] = None,
) -> None:
    """Say what the rules in a file do; with --send, send a test alert, 1 when one is not taken."""
    try:
        rules = read_rules(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} can't be read: {error}") from None
    for told in _described(rules):
        _say(told)
    names = list(rules.targets) if send_to and "all" in send_to else send_to or []
    unknown = [name for name in names if name not in rules.targets]
    if unknown:
        raise SettingsError(f"--send {unknown[0]}: there are {', '.join(rules.targets) or 'no targets'}")
    outcomes = [_tried(name, rules.targets[name], rules.desk) for name in names]
    if not all(outcomes):
        raise typer.Exit(1)


def _described(rules: Rules) -> list[str]:
    used = {name for rule in rules.rules for name in rule.to}
    lines = [f"{len(rules.rules)} rules, {len(rules.targets)} targets"]
    for rule in rules.rules:
        only = [f"severity {rule.severity} and above"] if rule.severity != "unknown" else []
        only += [f"type {' or '.join(rule.type)}"] if rule.type else []
        only += [f"place {line(rule.place)}"] if rule.place else []
        only += [f"session {' or '.join(map(line, rule.session))}"] if rule.session else []
        told = f"; {', '.join(only)}" if only else ""
        lines.append(f"{rule.name}: {', '.join(rule.changes)}{told} -> {', '.join(rule.to)}")
    lines += [f"{name} is named by no rule" for name in rules.targets if name not in used]
    return lines


def _tried(name: str, target: Target, desk: str | None) -> bool:
    try:
        asyncio.run(send(_test_alert(desk), target))
    except NotTakenError as error:
        _say(f"{name}: not taken: {error}")
        return False
    _say(f"{name}: taken")
    return True


def _test_alert(desk: str | None) -> Alert:
    now = datetime.now(UTC)
    row = IncidentRow(
        incident_id="test", event_type="test", headline="Test", created_at=now, changed_at=now, updated_at=now
    )
    change = Change(kind="new", text="This is a test of verifleet's alerts. Nothing happened.")
    return Alert(str(uuid.uuid4()), "test", row, "Nothing happened.", [change], now, desk)


def _say(text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
