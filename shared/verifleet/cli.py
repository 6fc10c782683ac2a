"""The `verifleet` command. Every sub-command imports only what it needs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from verifleet import __version__
from verifleet.commands.options import PortOffset
from verifleet.errors import SettingsError, ShapeError, VerifleetError
from verifleet.terminal import plain_console

app = typer.Typer(
    name="verifleet",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
console = plain_console()
errors = plain_console(stderr=True)

DataDir = Annotated[Path, typer.Option("--data-dir", help="Where messages, results and logs are kept.")]


def _say_version(wanted: bool) -> None:
    if wanted:
        console.print(f"verifleet {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _verifleet(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Which verifleet this is.")
    ] = False,
) -> None:
    """Verification as a serverless fleet: scores for RL, reliability for incident reports."""


@app.command()
def up(
    data_dir: DataDir = Path(".verifleet"),
    port_offset: PortOffset = 0,
    trace: Annotated[bool, typer.Option("--trace", help="Show what becomes of each request, as a tree.")] = False,
) -> None:
    """Keep the whole fleet running on this machine until Ctrl-C."""
    from verifleet.local.running import run_fleet

    run_fleet(data_dir, port_offset, console, trace=trace)


@app.command("serve")
def serve_command(
    name: Annotated[str, typer.Argument(help="The function, e.g. math_verifier.")],
    port: Annotated[int | None, typer.Option(help="By default the one it has in the fleet.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Serve a single function until Ctrl-C, with the settings of the environment."""
    from verifleet.local.addresses import PORTS, function_source
    from verifleet.local.serve import serve

    function_source(name)
    serve(name, host, PORTS[name] if port is None else port)


@app.command("provision")
def provision_command(
    project: Annotated[str | None, typer.Option(help="Google Cloud project; without it the local fleet's.")] = None,
    emulator: Annotated[str | None, typer.Option(help="HOST:PORT of a broker or emulator, not Google Cloud.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="NAME=URL of a function to push to.")] = None,
    push_account: Annotated[str | None, typer.Option(help="In Google Cloud: the account that signs pushes.")] = None,
    port_offset: PortOffset = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
) -> None:
    """Create the fleet's topics and subscriptions on an emulator or in a project; what is there stays."""
    from verifleet.local.provision import run_provision

    for line in run_provision(project, emulator, url or [], push_account, port_offset, dry_run=dry_run):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


@app.command()
def demo(
    data_dir: Annotated[Path | None, typer.Option(help="Keep the data here; by default it is thrown away.")] = None,
    port_offset: Annotated[int | None, typer.Option(help="Move all ports; by default free ones are found.")] = None,
) -> None:
    """Run the main job on the shipped samples and show claims, briefs and scores."""
    from verifleet.commands.demo import run_demo

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
    from verifleet.scoring.one_request import judge_here, judge_there, read_reference

    request: dict[str, Any] = {"prompt": prompt, "response": sys.stdin.read() if response == "-" else response}
    if reference is not None:
        request["reference"] = read_reference(kind, reference)
    if options is not None:
        request["options"] = _json("--options", options)
    result = judge_there(kind, url, request) if url else judge_here(kind, request)
    console.print_json(json.dumps(result))
    raise typer.Exit(1 if result.get("status") == "error" else 0)


@app.command()
def publish(
    file: Annotated[
        Path | None, typer.Argument(help="JSON, JSONL, CSV or CAP XML: events, readings, requests.")
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The shipped sample reports, no file.")] = False,
    session: Annotated[str | None, typer.Option(help="session_id for what is not yet an envelope.")] = None,
    project: Annotated[str | None, typer.Option(help="Google Cloud project; without it the local fleet.")] = None,
    port_offset: PortOffset = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print what went where as JSON only.")] = False,
) -> None:
    """Publish a file to the running fleet, or with --project to Pub/Sub."""
    from verifleet.commands.publish import look_at, publish_file, publish_items

    if (file is None) is not sample:
        raise SettingsError("name a FILE, or give --sample for the shipped sample reports")
    if file is None:
        from verifleet.local.samples import load

        reports = [one["event"] for one in load("reports") if "event" in one]  # others are no events on purpose
        counts = publish_items(reports, session, project, port_offset)
    else:
        counts = publish_file(file, session, project, port_offset)
    if not counts:
        raise ShapeError(f"{file} holds nothing to publish")
    if as_json:
        print(json.dumps(counts))
        return
    for topic, count in counts.items():
        console.print(f"{count} published to {topic}")
    for line in look_at(counts, session, project, port_offset):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


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


@app.command("guess")
def guess_command(
    file: Annotated[Path, typer.Argument(exists=True, help="JSON, JSONL, Parquet, or a folder of them.")],
    rows: Annotated[int, typer.Option(min=0, help="How many to show as requests.")] = 3,
    reader: Annotated[
        str | None, typer.Option(help="Show this one's; VERIFIER:PROMPT:REFERENCE for columns of your own.")
    ] = None,
    join: Annotated[
        list[str] | None, typer.Option(help="More files, whose columns the rows with the same id have too.")
    ] = None,
) -> None:
    """Which reader fits a data set, and its first rows as requests.

    Where none fits, `score`, `doctor` and this take --reader VERIFIER:PROMPT:REFERENCE, such as math:problem:gold.
    """
    from verifleet.commands.guess import run_guess

    for line in run_guess(file, rows, reader, join or []):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


@app.command()
def smoke(
    project: Annotated[str | None, typer.Option(help="Google Cloud project; without it the local fleet.")] = None,
    port_offset: PortOffset = 0,
    timeout: Annotated[float, typer.Option(help="Seconds for all of it.")] = 180.0,
) -> None:
    """After a deploy: publish a report and an answer for each verifier, wait for what comes back."""
    from verifleet.commands.smoke import run_smoke

    for line in run_smoke(project, port_offset, timeout):
        console.print(f"✓ {line}", markup=False)


@app.command()
def canaries(
    verifier: Annotated[list[str], typer.Option(help="NAME=URL, for each verifier to check.")],
) -> None:
    """Send labelled answers through running verifiers; one JSON log line each, 1 when any was misjudged."""
    from verifleet.commands.canaries import read_targets, run_canaries

    healthy = True
    for name, url in read_targets(verifier).items():
        outcome = run_canaries(name, url)
        print(outcome.log_line(), flush=True)
        healthy = healthy and not (outcome.accepted_wrong or outcome.refused_right or outcome.errors)
    raise typer.Exit(0 if healthy else 1)


@app.command()
def release(
    project: Annotated[str, typer.Option(help="Google Cloud project.")],
    region: Annotated[str, typer.Option(help="Region of the functions.")],
    prefix: Annotated[str | None, typer.Option(help="Of the installation's names; else VERIFLEET_PREFIX.")] = None,
    hold: Annotated[Path | None, typer.Option(help="Before an apply: keep what serves now, and write it here.")] = None,
    held: Annotated[Path | None, typer.Option(help="After it: what --hold wrote, to return to on failure.")] = None,
    back: Annotated[Path | None, typer.Option(help="Return to what --hold wrote, at once.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for the canaries, and for each other step.")] = 1200.0,
) -> None:
    """Send all traffic to the newest revisions once the canaries pass on them; else keep the old ones, 1."""
    from verifleet.commands.release import Held, RefusedError, Release
    from verifleet.settings import settings

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    config = settings()
    if sum(file is not None for file in (hold, held, back)) > 1:
        raise SettingsError("give one of --hold, --held and --back")
    try:
        names = config.prefix if prefix is None else prefix
        made = Release(project, region, names, say, endpoint=config.run_api_endpoint, timeout_s=timeout)
        if hold:
            made.hold().write(hold)
        elif back:
            made.back(Held.read(back))
        else:
            made.forward(Held.read(held) if held else None)
    except RefusedError as error:
        errors.print(f"[bold red]not released:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None


def _add_sub_commands() -> None:
    from verifleet.commands.act import act_command
    from verifleet.commands.alerts import app as alerts
    from verifleet.commands.audit import audit_command
    from verifleet.commands.dead_letters import app as dead_letters
    from verifleet.commands.doctor import doctor_command
    from verifleet.commands.export import export_command
    from verifleet.commands.incidents import incidents_command
    from verifleet.commands.kb import app as kb
    from verifleet.commands.mcp import mcp_command
    from verifleet.commands.score import score_command
    from verifleet.commands.show import show_command
    from verifleet.commands.watch import watch_command
    from verifleet.commands.why import why_command

    app.command("audit")(audit_command)
    app.command("doctor")(doctor_command)
    app.command("score")(score_command)
    app.command("watch")(watch_command)
    app.command("mcp")(mcp_command)
    app.command("incidents")(incidents_command)
    app.command("show")(show_command)
    app.command("why")(why_command)
    app.command("export")(export_command)
    app.command("act")(act_command)
    app.add_typer(alerts, name="alerts")
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
