"""`verifleet doctor`: what a user's own reward makes of the rollouts they have."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.table import Table

from verifleet import html_page
from verifleet.audits.answers import Rate
from verifleet.code_languages import languages_line
from verifleet.commands.canaries import read_targets
from verifleet.commands.doctoring import Visit, examine
from verifleet.commands.score import JOIN
from verifleet.doctor.contracts import CONTRACTS
from verifleet.doctor.findings import KINDS, OURS, THEIRS, Case, Findings, case_json
from verifleet.doctor.page import findings_page
from verifleet.doctor.sample import REWARD, ROLLOUTS
from verifleet.doctor.theirs import MEMORY_MB
from verifleet.errors import SettingsError, ShapeError
from verifleet.scoring.rows import How
from verifleet.terminal import plain_console

console = plain_console()
SAMPLE_TIMEOUT_S = 4.0
LINE_CHARS = 160


def doctor_command(
    rollouts: Annotated[
        Path | None, typer.Argument(exists=True, help="JSON, JSONL, Parquet, or a folder of them, with responses.")
    ] = None,
    reward: Annotated[
        str | None,
        typer.Option(help="Yours: module:function, file.py:function, or column:NAME of its recorded values."),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The shipped rollouts, and a naive reward.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write all of it as one page.")] = None,
    reader: Annotated[
        str | None, typer.Option(help="Of the rows; without it, the one that fits. VERIFIER:PROMPT:REFERENCE: columns.")
    ] = None,
    response: Annotated[str | None, typer.Option(help="The column with the response.")] = None,
    join: Annotated[list[str] | None, typer.Option(help=JOIN)] = None,
    options: Annotated[str, typer.Option(help='JSON for our verifiers, e.g. {"partial": true}')] = "{}",
    url: Annotated[list[str] | None, typer.Option(help="NAME=URL of a verifier to ask, not judging here.")] = None,
    contract: Annotated[str, typer.Option(help=f"How yours is called, if not told right: {', '.join(CONTRACTS)}")] = "",
    rows: Annotated[int, typer.Option(min=0, help="At most so many; 0 is all.")] = 1000,
    probes: Annotated[int, typer.Option(min=0, help="Rows that probes are made of.")] = 20,
    timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds of a call, 10 without.")] = None,
    slow: Annotated[float, typer.Option(min=0, help="Seconds from which a call counts as slow.")] = 1.0,
    accept: Annotated[float, typer.Option(help="The value of yours from which a response is accepted.")] = 0.5,
    memory_mb: Annotated[int, typer.Option(min=0, help="Of the process of yours; 0 is no limit.")] = MEMORY_MB,
    show: Annotated[int, typer.Option(min=0, help="Rows of each finding.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON only.")] = False,
) -> None:
    """Your reward beside our verdicts. 0: nothing was found, 1: something was, 2: it could not be run."""
    source, target = (ROLLOUTS, reward or REWARD) if sample and rollouts is None else (rollouts, reward)
    if source is None or target is None:
        raise SettingsError("give ROLLOUTS and --reward module:function, or --sample")
    if contract not in ("", *CONTRACTS):
        raise SettingsError(f"--contract {contract}: there are {', '.join(CONTRACTS)}")
    try:
        wanted = json.loads(options)
    except ValueError as error:
        raise ShapeError(f"--options is not JSON: {error}") from None
    urls = read_targets(url or [], option="--url")
    how = How(reader or ("verifleet" if source == ROLLOUTS else ""), response, wanted, urls)
    limit = timeout or (SAMPLE_TIMEOUT_S if source == ROLLOUTS else 10.0)
    with _Cases() as cases:
        every = cases.add if as_json else lambda kind, case: None
        visit = Visit(source, target, how, contract, rows, probes, limit, slow, accept, memory_mb, join or [], every)
        try:
            with console.status("reading") as status:
                found = examine(visit, status.update)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        if html is not None:
            html_page.write(html, findings_page(found, str(source), target))
        if as_json:
            cases.print(found)
        else:
            _show(found, target, show, cut=found.rows == rows, asked_elsewhere="code" in urls)
            if html is not None:
                _print(f"all of it: {html}")
    raise typer.Exit(1 if found.kinds() else 0)


class _Cases(ExitStack):
    """Every case, by its kind in files that are gone when it is closed: there may be as many as rows."""

    def __init__(self) -> None:
        super().__init__()
        self._files: dict[str, IO[str]] = {}

    def add(self, kind: str, case: Case) -> None:
        """Keep one."""
        if kind not in self._files:
            file = tempfile.TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 - closed with the others
            self._files[kind] = self.enter_context(file)
        self._files[kind].write(json.dumps(case_json(case)) + "\n")

    def print(self, found: Findings) -> None:
        """The findings as one JSON object, cases after the figures."""
        print(json.dumps(found.as_json())[:-1], end=', "cases": {')
        for number, kind in enumerate(found.kinds()):
            print(f"{', ' if number else ''}{json.dumps(kind)}: [", end="")
            self._files[kind].seek(0)
            for place, line in enumerate(self._files[kind]):
                print(f"{', ' if place else ''}{line.rstrip()}", end="")
            print("]", end="")
        print("}}")


def _print(line: str, style: str | None = None) -> None:
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def _show(found: Findings, target: str, show: int, *, cut: bool, asked_elsewhere: bool) -> None:
    more = " (--rows 0 looks at all)" if cut else ""
    _print(f"{found.rows} rows{more}, read as {found.reader}; {target} is {_called(found)}")
    table = Table("yours / ours", *OURS, width=80)
    for theirs in THEIRS:
        table.add_row(theirs, *(str(found.table[theirs, ours] or "") for ours in OURS))
    console.print(table)
    _print(f"agreement {rate(found.agreement)}")
    for whose, name in (("theirs", "yours"), ("ours", "ours")):
        accepted, refused = found.mistakes(whose)
        if accepted.total or refused.total:
            line = f"{name}: wrong answers accepted {rate(accepted)}, right ones refused {rate(refused)}"
            _print(line)
    if found.contract != "recorded":
        _print(f"yours: {found.their_times.line()}")
    _print(f"ours: {found.our_times.line()}")
    if found.verifiers["code"] and not asked_elsewhere:
        _print(f"languages of programs here: {languages_line()}")
    for kind in found.kinds():
        _print(f"\n{KINDS[kind]}: {found.count(kind)}", style="bold red")
        for case in found.shown[kind][:show]:
            _print(f"  {line_of(case)}")
    if not found.kinds():
        _print("Nothing was found.")


def _called(found: Findings) -> str:
    return "read" if found.contract == "recorded" else f"called as {found.contract}"


def line_of(case: Case) -> str:
    """A case on one line."""
    ours = f"ours {score(case.ours['score'])}: {case.ours['reason']}" if case.ours["reason"] else ""
    told = [f"{case.label} {html_page.plain(case.response, LINE_CHARS)!r}", f"yours {said(case)}", ours, case.note]
    return " | ".join(html_page.plain(part, 2 * LINE_CHARS) for part in told if part)


def said(case: Case) -> str:
    """What theirs said of a case."""
    return (
        score(case.theirs.value) if case.theirs.kind == "number" else f"{case.theirs.kind} {case.theirs.said}".strip()
    )


def score(value: float | None) -> str:
    """A score, or that there is none."""
    return "none" if value is None else f"{value:g}"


def rate(share: Rate) -> str:
    """A share with its interval."""
    if not share.total:
        return "-"
    low, high = share.interval
    return f"{share.share:.1%} ({share.count}/{share.total}, {low:.1%}–{high:.1%})"
