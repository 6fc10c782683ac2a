"""The `verifleet` command. Every sub-command imports only what it needs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
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
    port_offset: PortOffset = 0,
) -> None:
    """Publish a file to the running fleet (or to Pub/Sub, with PUBSUB_EMULATOR_HOST unset and --project set)."""
    from verifleet.local.publishing import publish_file

    counts = publish_file(file, session, port_offset)
    for topic, count in counts.items():
        console.print(f"{count} published to {topic}")


@app.command()
def guide(
    task: Annotated[str, typer.Argument(help="What the answers are about; empty lists everything.")] = "",
) -> None:
    """Which verifier for which task, and what it wants as a reference."""
    from verifleet.verifiers.selection import guide as lookup

    table = Table("task", "verifier", "reference", "example")
    for entry in lookup(task):
        table.add_row(entry.task, entry.verifier, entry.reference, entry.example)
    if not table.row_count:
        raise SettingsError(f"no guide for {task!r}; run `verifleet guide` for all tasks")
    console.print(table)


def _add_sub_commands() -> None:
    from verifleet.local.audit_cli import audit_command

    app.command("audit")(audit_command)


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
        errors.print(f"[bold red]verifleet:[/] {error}", highlight=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
