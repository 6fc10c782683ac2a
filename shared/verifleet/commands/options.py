"""Options that several commands take, each with the variable that gives it where the command line does not."""

from __future__ import annotations

import os
import shlex
from typing import Annotated

import typer

Url = Annotated[
    str | None,
    typer.Option(
        envvar="VERIFLEET_DESK_URL", help="The summarizer agent's address; without it the fleet on this machine."
    ),
]
PortOffset = Annotated[
    int,
    typer.Option(
        "--port-offset",
        min=0,
        max=50_000,
        envvar="VERIFLEET_PORT_OFFSET",
        help="How far the ports of the fleet on this machine are moved.",
    ),
]


def fleet_options(url: str | None, session: str | None, port_offset: int) -> str:
    """The options that name a fleet and a session, as far as the environment does not, to be put behind a command."""
    options = (
        ("--url", url, "VERIFLEET_DESK_URL"),
        ("--session", session, "VERIFLEET_DEFAULT_SESSION"),
        ("--port-offset", str(port_offset) if port_offset else None, "VERIFLEET_PORT_OFFSET"),
    )
    named = [(name, value) for name, value, variable in options if value and value != os.environ.get(variable)]
    return "".join(f" {name} {shlex.quote(value)}" for name, value in named)
