"""A GitHub-flavoured Markdown table: header, delimiter row, rows of equal width."""

from __future__ import annotations

import re
from typing import Final

from verifleet.verification import FormatReference
from verifleet.verifiers.format.fault import Fault, shown, surrogate_fault

MAX_LENGTH: Final = 1_000_000  # characters

_DELIMITER = re.compile(r":?-+:?")
_BAR = re.compile(r"\\.|(\|)", re.DOTALL)


def check_markdown_table(text: str, reference: FormatReference) -> Fault | None:
    """The first fault of a trimmed text as one table and nothing else; declared columns are its header."""
    if not text:
        return Fault("empty", "There is no table: the text is empty.", 0)
    if len(text) > MAX_LENGTH:
        return Fault("length", f"The table is longer than {MAX_LENGTH} characters.", MAX_LENGTH, kind="undecided")
    fault = surrogate_fault(text)
    if fault is not None:
        return fault
    starts, lines, at = [], text.split("\n"), 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    header = _cells(lines[0])
    if "|" not in lines[0]:
        return Fault("header", "The first line is not the header row of a table.", 0)
    if len(lines) < 2:
        return Fault("delimiter_row", "The delimiter row is missing.", len(text))
    delimiters = _cells(lines[1])
    bad = next((number for number, cell in enumerate(delimiters) if not _DELIMITER.fullmatch(cell)), None)
    if bad is not None:
        return Fault("delimiter_row", "The second line is not a delimiter row of dashes.", starts[1], f"/1/{bad}")
    for number, line in enumerate(lines[1:], 1):
        cells = delimiters if number == 1 else _cells(line)
        if not line.strip() or (number > 1 and "|" not in line):
            return Fault("row", f"Line {number + 1} is not a row of the table.", starts[number], f"/{number}")
        if len(cells) != len(header):
            message = f"Line {number + 1} has {len(cells)} cell{'s' * (len(cells) != 1)}, the header {len(header)}."
            return Fault("width", message, starts[number], f"/{number}")
    return _columns_fault(header, reference.columns)


def _cells(line: str) -> list[str]:
    """The cells of a row; a bar after a backslash belongs to its cell, the outer bars are optional."""
    line = line.strip(" \t\r")
    cells, start = [], 0
    for match in _BAR.finditer(line):
        if match[1]:
            cells.append(line[start : match.start()].strip())
            start = match.end()
    cells.append(line[start:].strip())
    if line.startswith("|"):
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1] and start == len(line):
        cells.pop()
    return cells


def _columns_fault(header: list[str], columns: list[str] | int | None) -> Fault | None:
    if columns is None:
        return None
    width = columns if isinstance(columns, int) else len(columns)
    if len(header) != width:
        return Fault("columns", f"The table has {len(header)} columns, not {width}.", 0, "/0", "incorrect")
    for number, name in enumerate(columns if isinstance(columns, list) else ()):
        if header[number] != name:
            message = f"Column {number + 1} is {shown(header[number], 60)!r}, not {shown(name, 60)!r}."
            return Fault("columns", message, 0, f"/0/{number}", "incorrect")
    return None
