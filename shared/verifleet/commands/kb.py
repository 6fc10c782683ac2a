"""`verifleet kb`: build, show and extend knowledge bases. Mounted by the `verifleet` command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from verifleet.errors import KnowledgeBaseError
from verifleet.terminal import plain_console

if TYPE_CHECKING:
    from verifleet.knowledge_base import SqliteKnowledgeBase
    from verifleet.knowledge_base.build import BuildReport

MAX_SHOWN = 20
app = typer.Typer(no_args_is_help=True, help="Build, show and extend knowledge bases.")
_console = plain_console()
_errors = plain_console(stderr=True)


@app.command("build")
def build_command(
    source: Annotated[Path, typer.Argument(help="facts as .jsonl, .csv or .json")],
    out: Annotated[Path, typer.Option("-o", "--out", help="the knowledge base to write")],
    name: Annotated[str, typer.Option(help="name in results; default: the file's")] = "",
) -> None:
    """Build a knowledge base from facts."""
    from verifleet.knowledge_base.build import build, read_source

    with _explained(), _progress(source, 0) as progress:
        task = progress.task_ids[0]
        report = build(read_source(source), out, name, on_fact=lambda: progress.advance(task))
    _print_report(report, out)


@app.command("add")
def add_command(
    base: Annotated[Path, typer.Argument(help="an existing knowledge base")],
    source: Annotated[Path, typer.Argument(help="further facts as .jsonl, .csv or .json")],
) -> None:
    """Add facts to a knowledge base (it is built anew and replaced whole; open readers keep the old one)."""
    from verifleet.knowledge_base import SqliteKnowledgeBase
    from verifleet.knowledge_base.build import build, extended, read_source

    with _explained():
        known = SqliteKnowledgeBase(base)
        with _progress(source, len(known)) as progress:
            task = progress.task_ids[0]
            facts = extended(known, read_source(source))
            report = build(facts, base, known.meta["name"], on_fact=lambda: progress.advance(task))
    _print_report(report, base)


@app.command("show")
def show_command(
    base: Annotated[str | None, typer.Argument(help="path or gs:// address; default: the general base")] = None,
    ask: Annotated[str | None, typer.Option("--ask", "-q", help="a question to look up")] = None,
    limit: Annotated[int, typer.Option(help="how many facts to show")] = 10,
) -> None:
    """Show a knowledge base, or what it answers to a question."""
    from verifleet.knowledge_base.sqlite_base import FORMAT_VERSION, open_knowledge_base

    with _explained():
        opened = open_knowledge_base(base)
        if ask is not None:
            _print_answer(opened, ask)
            return
        _console.print(f"[bold]{opened.version}[/]  {len(opened)} facts, format {FORMAT_VERSION}, {opened.path}")
        table = Table("question", "answer", "aliases", box=None)
        for _, fact in zip(range(limit), opened, strict=False):
            answer = fact.reference.answer
            shown = answer if isinstance(answer, str) else ", ".join(answer)
            table.add_row(*map(escape, (fact.question, shown, ", ".join(fact.reference.aliases))))
        _console.print(table)


def _print_answer(base: SqliteKnowledgeBase, question: str) -> None:
    fact = base.lookup(question)
    if fact is None:
        _console.print("unknown: the base does not hold this question")
        raise typer.Exit(1)
    _console.print_json(data={"question": fact.question, **fact.reference.model_dump()})


def _print_report(report: BuildReport, out: Path) -> None:
    size = report.size_bytes / 1024
    _console.print(
        f"[bold]{out}[/]: {report.facts} facts, {report.duplicates} duplicates, {len(report.conflicts)} conflicts, "
        f"{size:.0f} KiB, content version {report.content_version[:12]}"
    )
    for conflict in report.conflicts[:MAX_SHOWN]:
        _errors.print(f"conflict, first kept: {conflict}", markup=False, highlight=False)
    if len(report.conflicts) > MAX_SHOWN:
        _errors.print(f"... and {len(report.conflicts) - MAX_SHOWN} more conflicts")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except KnowledgeBaseError as error:
        _errors.print(f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    except OSError as error:
        where = error.filename2 or error.filename or "the file"
        said = f"{where} can't be read or written: {error.strerror or error}"
        _errors.print(f"[red]error:[/] {escape(said)}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None


@contextmanager
def _progress(source: Path, known: int) -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_errors, transient=True) as progress:
        progress.add_task("building", total=known + _lines(source) or None)
        yield progress


def _lines(source: Path) -> int:
    """How many facts to expect; 0 for a JSON object, whose lines do not tell."""
    if not source.is_file() or source.suffix.lower() == ".json":
        return 0
    with source.open("rb") as lines:
        return sum(1 for _ in lines)
