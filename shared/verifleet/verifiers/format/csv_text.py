"""CSV by the grammar of RFC 4180, with LF allowed beside CRLF and any text in the fields."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from verifleet.verification import FormatReference
from verifleet.verifiers.format.fault import Fault, shown, surrogate_fault

MAX_FIELDS: Final = 100_000  # of the faulty row; beyond, a fault names its row but not its field

_QUOTED: Final = r'"(?:[^"]++|"")*+"'


class _Grammar:
    """The patterns of one delimiter."""

    def __init__(self, delimiter: str) -> None:
        mark = re.escape(delimiter)
        self.delimiter = delimiter
        # A quoted field stands between separators; what is left of quotes after removing those is a fault.
        self.quoted = re.compile(rf"(?:(?<=[{mark}\n])|\A){_QUOTED}(?=[{mark}\n]|\r\n|\Z)")
        self.field = re.compile(rf'(?:{_QUOTED}|[^"{mark}\r\n]*+)')
        self.separator = re.compile(rf"{mark}|\r?\n|\Z")

    def rows(self, width: int) -> re.Pattern[str]:
        """As many whole rows of `width` fields as there are; an empty row has one field, where one is declared."""
        field = self.field.pattern
        more = rf"(?:{re.escape(self.delimiter)}{field}){{{width - 1}}}+"
        return re.compile(rf"(?:{field}{more}\r?\n)*+")


@lru_cache(maxsize=64)
def _grammar(delimiter: str) -> _Grammar:
    return _Grammar(delimiter)


def check_csv(text: str, reference: FormatReference) -> Fault | None:
    """The first fault of a text as CSV: its grammar, at least two columns or the declared ones, equal widths."""
    delimiter = reference.delimiter or ","
    if delimiter in '"\r\n':
        return Fault("delimiter", "The delimiter can't be a quote or a line break.", kind="reference")
    if not text.strip(" \t\r\n"):
        return Fault("empty", "There are no rows: the text is empty.", 0)
    if (fault := surrogate_fault(text)) is not None:
        return fault
    columns = reference.columns
    names = columns if isinstance(columns, list) else None
    width = len(names) if names is not None else columns if isinstance(columns, int) else None
    grammar = _grammar(delimiter)
    plain = grammar.quoted.sub("q", text) if '"' in text else text
    bad_return = "\r" in plain and plain.count("\r") != plain.count("\r\n")
    rows = plain.split("\n")
    if not rows[-1]:
        rows.pop()
    expected = rows[0].count(delimiter) + 1 if width is None else width
    if width is None and expected < 2 and '"' not in rows[0]:
        message = "There is only one column; CSV without declared columns needs two or more."
        return Fault("columns", message, 0)
    if '"' in plain or bad_return:
        return _located(text, grammar, expected)
    separators = expected - 1
    for row in rows:
        if row.count(delimiter) != separators or (not row.rstrip("\r") and expected != 1):
            return _located(text, grammar, expected)
    if names is not None and reference.header is not False:
        return _header_fault(text, grammar, names)
    return None


def _located(text: str, grammar: _Grammar, width: int) -> Fault:
    """Skip the good rows at the speed of C, then walk field by field to the exact first fault."""
    start = grammar.rows(width).match(text).end()  # type: ignore[union-attr]  # the pattern matches no row at all
    row = re.sub(_QUOTED, "", text[:start]).count("\n") + 1
    at = start
    for fields in range(1, MAX_FIELDS + 1):
        end = grammar.field.match(text, at).end()  # type: ignore[union-attr]  # the pattern matches the empty field
        separator = grammar.separator.match(text, end)
        if separator is None:
            return _bad_field(text, at, end, f"/{row - 1}/{fields - 1}")
        at = separator.end()
        if separator[0] != grammar.delimiter:
            message = f"Row {row} has {fields} field{'s' * (fields != 1)}, not {width}."
            return Fault("width", message, start, f"/{row - 1}", more={"row": row})
    message = f"Row {row} is not one of RFC 4180 with {width} field{'s' * (width != 1)}."
    return Fault("row", message, start, f"/{row - 1}", more={"row": row})


def _bad_field(text: str, start: int, end: int, path: str) -> Fault:
    if text.startswith('"', start) and end == start:
        return Fault("unclosed_quote", "A quoted field is never closed.", start, path)
    if text.startswith('"', start):
        message = "After the closing quote of a field only a separator may stand."
        return Fault("after_quote", message, end, path)
    if text.startswith('"', end):
        return Fault("quote", "A quote stands inside a field that is not quoted.", end, path)
    return Fault("line_break", "A carriage return stands without a line feed.", end, path)


def _header_fault(text: str, grammar: _Grammar, names: list[str]) -> Fault | None:
    at = 0
    for number, name in enumerate(names):
        match = grammar.field.match(text, at)
        assert match is not None
        raw = match[0]
        found = raw[1:-1].replace('""', '"') if raw.startswith('"') else raw
        if found != name:
            message = f"Column {number + 1} of the header is {shown(found, 60)!r}, not {shown(name, 60)!r}."
            return Fault("header", message, at, f"/0/{number}", "incorrect")
        at = match.end() + 1
    return None
