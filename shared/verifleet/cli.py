"""The `verifleet` command. Every sub-command imports only what it needs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from verifleet.errors import SettingsError, ShapeError, VerifleetError

app = typer.Typer(
    name="verifleet",
    help="Verification as a serverless fleet: scores for RL, reliability for incident reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
console = Console()
errors = Console(stderr=True)

DataDir = Annotated[Path, typer.Option("--data-dir", help="Where messages, results and logs are kept.")]
PortOffset = Annotated[int, typer.Option("--port-offset", min=0, max=50000, help="Move all ports by this much.")]


@app.command()
def up(data_dir: DataDir = Path(".verifleet"), port_offset: PortOffset = 0) -> None:
    """Keep the whole fleet running on this machine until Ctrl-C."""
    from verifleet.local.running import run_fleet

    run_fleet(data_dir, port_offset, console)


@app.command()
def demo(
    data_dir: Annotated[Path | None, typer.Option(help="Keep the data here; by default it is thrown away.")] = None,
    port_offset: Annotated[int | None, typer.Option(help="Move all ports; by default free ones are found.")] = None,
) -> None:
    """Run the main job on the shipped samples and show claims, briefs and scores."""
    from verifleet.local.demo import run_demo

    raise typer.Exit(run_demo(console, data_dir, port_offset))


@app.command()
def verify(
    kind: Annotated[str, typer.Argument(help="math, code, knowledge or format")],
    response: Annotated[str, typer.Option(help="The text to score; - reads it from standard input.")],
    prompt: Annotated[str, typer.Option(help="What was asked.")] = "",
    reference: Annotated[str | None, typer.Option(help="JSON, or plain text for math, knowledge and format.")] = None,
    options: Annotated[str | None, typer.Option(help='JSON, e.g. {"tolerance": 0.01}')] = None,
    url: Annotated[str | None, typer.Option(help="Ask this running verifier instead of judging here.")] = None,
) -> None:
    """Score one response and say why."""
    from verifleet.local.judging import judge_here, judge_there, read_reference

    request: dict[str, Any] = {"prompt": prompt, "response": sys.stdin.read() if response == "-" else response}
    if reference is not None:
        request["reference"] = read_reference(kind, reference)
    if options is not None:
        request["options"] = _json("--options", options)
    result = judge_there(url, request) if url else judge_here(kind, request)
    console.print_json(json.dumps(result))
    raise typer.Exit(1 if result.get("status") == "error" else 0)


@app.command()
def publish(
    file: Annotated[Path, typer.Argument(help="JSON or JSONL: raw events, verification requests, or envelopes.")],
    session: Annotated[str | None, typer.Option(help="session_id for what is not yet an envelope.")] = None,
    project: Annotated[str | None, typer.Option(help="Google Cloud project; without it the local fleet.")] = None,
    port_offset: PortOffset = 0,
) -> None:
    """Publish a file to the running fleet, or with --project to Pub/Sub."""
    from verifleet.local.publishing import publish_file

    counts = publish_file(file, session, project, port_offset)
    for topic, count in counts.items():
        console.print(f"{count} published to {topic}")
    if not counts:
        raise ShapeError(f"{file} holds nothing to publish")


@app.command()
def guide(
    task: Annotated[str, typer.Argument(help="What the answers are about; empty lists everything.")] = "",
) -> None:
    """Which verifier for which task, and what it wants as a reference."""
    from verifleet.verifiers.selection import guide as lookup

    found = lookup(task)
    if not found:
        raise SettingsError(f"no guide for {task!r}; run `verifleet guide` for all tasks")
    table = Table("task", "verifier")
    for entry in found:
        table.add_row(escape(entry.task), entry.verifier)
    console.print(table)
    console.print("\nA request for each, as POST /verify takes it:")
    for entry in found:
        console.print(f"\n# {entry.verifier}: {entry.task}", markup=False, highlight=False, soft_wrap=True)
        console.print(entry.example, markup=False, highlight=False, soft_wrap=True)  # in one piece, to be copied


@app.command()
def smoke(
    project: Annotated[str | None, typer.Option(help="Google Cloud project; without it the local fleet.")] = None,
    port_offset: PortOffset = 0,
    timeout: Annotated[float, typer.Option(help="Seconds for all of it.")] = 180.0,
) -> None:
    """After a deploy: publish a report and an answer for each verifier, wait for what comes back."""
    from verifleet.local.smoke import run_smoke

    for line in run_smoke(project, port_offset, timeout):
        console.print(f"✓ {line}", markup=False)


@app.command()
def canaries(
    verifier: Annotated[list[str], typer.Option(help="NAME=URL, for each verifier to check.")],
) -> None:
    """Send labelled answers through running verifiers; one JSON log line each, 1 when any was misjudged."""
    from verifleet.local.canaries import read_targets, run_canaries
    from verifleet.messaging.identity import identity_headers

    healthy = True
    for name, url in read_targets(verifier).items():
        outcome = run_canaries(name, url, identity_headers(url))
        print(outcome.log_line(), flush=True)
        healthy = healthy and not (outcome.accepted_wrong or outcome.refused_right or outcome.errors)
    raise typer.Exit(0 if healthy else 1)


def _add_sub_commands() -> None:
    from verifleet.local.audit_cli import audit_command
    from verifleet.local.dead_letters import app as dead_letters
    from verifleet.local.kb_cli import app as kb

    app.command("audit")(audit_command)
    app.add_typer(dead_letters, name="dead-letters")
    app.add_typer(kb, name="kb")


def _json(option: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ShapeError(f"{option} is not JSON: {error}") from None


def main() -> None:
    """Run the command line; what went wrong is said in one sentence."""
    _add_sub_commands()
    try:
        app()
    except VerifleetError as error:
        errors.print(f"[bold red]verifleet:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
