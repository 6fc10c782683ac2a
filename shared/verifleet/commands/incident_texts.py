"""What the commands on incidents share: options, and rows of an incident as text of a terminal."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from verifleet.incident_forms import line
from verifleet.instants import for_people, read_instant
from verifleet.terminal import plain_console

Json = dict[str, Any]
console = plain_console()
NARROWEST = 160
"""Columns of a table that goes to a file or a pipe."""
_COLOURS = {
    "extreme": "bold red", "severe": "red", "moderate": "yellow", "supported": "green", "refuted": "red",
    "conflicting": "yellow", "outdated": "cyan", "confirmed": "green", "disputed": "yellow",
}  # fmt: skip

Session = Annotated[
    str | None, typer.Option(help="session_id; by default VERIFLEET_DEFAULT_SESSION, else the agent's default one.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON only.")]


def wide_console() -> Console:
    """The terminal, or a file's or pipe's lines of NARROWEST columns at least."""
    return console if console.is_terminal else plain_console(width=max(console.width, NARROWEST))


def shown(value: object, style: str = "") -> Text:
    """A text of a report: nothing in it is markup or a command to the terminal."""
    return Text(line(value), style=style)


def coloured(word: str) -> Text:
    """A word in the colour of what it says."""
    return shown(word, _COLOURS.get(word, ""))


def when(text: str | None) -> str:
    """A time to the minute, without its zone, which is UTC."""
    return for_people(read_instant(text)).removesuffix(" UTC") if text else ""


def standing(row: Json) -> Text:
    """How many facts are confirmed (+), only reported (?), disputed (!)."""
    told = Text()
    for name, sign, style in (("confirmed", "+", "green"), ("reported", "?", ""), ("disputed", "!", "yellow")):
        if row[name]:
            told.append(f"{row[name]}{sign} ", style)
    return told
