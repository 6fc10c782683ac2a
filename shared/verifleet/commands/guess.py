"""`verifleet guess`: which reader fits a data set, and its first rows as requests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from verifleet.errors import ShapeError
from verifleet.readers import Reader, guess, no_rows, placed_rows, reader_named
from verifleet.readers.shapes import SAMPLE
from verifleet.scoring.bulk import source_files
from verifleet.verification import parse_request

SHOWN_CHARS = 2_000
ODD_SHOWN = 5


def run_guess(file: Path, rows: int, name: str | None = None, join: Sequence[str] = ()) -> Iterator[str]:
    """The lines to show, by the reader of that name if one is given. Raises ShapeError where none fits."""
    files = source_files(file, join)
    read = list(islice(placed_rows(files), SAMPLE))
    sample = [row for row in read if not isinstance(row, ShapeError)]
    none = [row for row in read if isinstance(row, ShapeError)]
    if not sample:
        raise ShapeError(no_rows(files, none))
    yield from _first(none)
    fitting = guess(sample) if name is None else [_taking(reader_named(name), sample)]
    if not fitting:
        raise ShapeError(
            f"no reader takes the rows of {file}; the first has the columns {', '.join(sample[0])}. "
            "Name yours with --reader VERIFIER:PROMPT:REFERENCE, such as math:question:gold"
        )
    reader = fitting[0]
    others = f" (so do {', '.join(other.name for other in fitting[1:])})" if len(fitting) > 1 else ""
    odd = {number: why for number, row in enumerate(sample, 1) if (why := _refused(reader, row)) is not None}
    first = f"the first {len(sample)} rows" if not odd else f"{len(sample) - len(odd)} of the first {len(sample)} rows"
    yield f"{file}: {reader.name} takes {first}{others}"
    yield from _first(list(odd.values()))
    for row in [row for number, row in enumerate(sample, 1) if number not in odd][:rows]:
        request = reader.request(row)
        verifier = request["verifier"]
        yield f"\n# {verifier}" + ("" if request["response"] else ": the row holds no response")
        body = {name: value for name, value in request.items() if value is not None and name != "verifier"}
        text = json.dumps(body, ensure_ascii=False, default=str)
        yield text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}… ({len(text)} characters)"
        try:
            parse_request(verifier, body)
        except ShapeError as error:
            yield f"! its reference can't be used: {error}"


def _first(odd: Sequence[object]) -> Iterator[str]:
    """What is wrong with the first rows that are odd, and how many more there are."""
    yield from (f"! {why}" for why in odd[:ODD_SHOWN])
    if len(odd) > ODD_SHOWN:
        yield f"! and {len(odd) - ODD_SHOWN} more"


def _refused(reader: Reader, row: dict[str, Any]) -> str | None:
    """Why a reader does not take a row."""
    try:
        reader.request(row)
    except ShapeError as error:
        return str(error)
    return None


def _taking(reader: Reader, rows: Sequence[dict[str, Any]]) -> Reader:
    """The reader, if it takes any row. Raises ShapeError for the first if it does not."""
    if not any(reader.takes(row) for row in rows):
        reader.request(rows[0])
    return reader
