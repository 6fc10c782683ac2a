"""`verifleet export`: one incident in the forms of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifleet.commands.desk_client import Asker
from verifleet.commands.incident_texts import AsJson, Session
from verifleet.commands.options import PortOffset, Url
from verifleet.errors import ShapeError
from verifleet.incident_forms import FORMS


def export_command(
    incident_id: Annotated[str, typer.Argument(help="An incident's id, or the beginning of it.")],
    form: Annotated[str, typer.Option("--as", help=f"{', '.join(FORMS)}.")] = "json",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write this file instead of printing.")] = None,
    url: Url = None,
    session: Session = None,
    port_offset: PortOffset = 0,
    as_json: AsJson = False,
) -> None:
    """One incident for other programs: a CAP alert, GeoJSON, CSV, JSON, or Markdown to read."""
    form = "json" if as_json else form
    if form not in FORMS:
        raise ShapeError(f"--as {form!r}: use {', '.join(FORMS)}")
    with Asker(url, session, port_offset) as asker:
        made = FORMS[form](asker.whole(incident_id))
    if out is None:
        print(made, end="")
        return
    try:
        out.write_text(made, encoding="utf-8", newline="")
    except OSError as error:
        raise ShapeError(f"{out} can't be written: {error.strerror}") from None
