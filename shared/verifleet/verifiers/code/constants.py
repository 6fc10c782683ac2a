"""Constants with which queries compare columns, so that databases can be made on which they matter.

The candidate's query is read too, so this is a tokenizer of linear time and no parser.
"""

from __future__ import annotations

import re
from functools import lru_cache

Constants = dict[str, list[list[str | float]]]
_MAX_QUERY = 20_000
_MAX_EACH = 12  # constants of one column
_MAX_NUMBER = 1e12
_MAX_TEXT = 60
_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<text>'(?:[^']|'')*')|(?P<number>(?<![\w.])(?:\d+\.?\d*"""
    r"""|\.\d+)(?:[eE][-+]?\d{1,3})?)"""
    r"""|(?P<name>"[^"]*"|`[^`]*`|\[[^\]]*\]|[^\W\d]\w*)|(?P<sign><>|[<>=!]=|\|\||[^\s\w])""",
    re.DOTALL,
)
_COMPARES = {"=", "==", "<", ">", "<=", ">=", "<>", "!=", "like", "glob", "is"}
_SWAPPED = {"=", "==", "<", ">", "<=", ">=", "<>", "!="}
_OF_ONE_COLUMN = {"sum", "total", "avg", "min", "max", "abs", "lower", "upper", "trim"}
_OF_DATES = {"strftime", "date", "datetime", "julianday", "unixepoch", "substr", "substring", "year", "month", "cast"}
_NOT_NAMES = {
    "and",
    "or",
    "not",
    "in",
    "between",
    "like",
    "glob",
    "is",
    "null",
    "where",
    "having",
    "on",
    "when",
    "then",
}
Token = tuple[str, str]  # kind and text: text, number, name or sign
_LONGEST_CALL = 12  # tokens
_TYPE_WORDS = {"as", "integer", "int", "text", "real"}


def compared(*queries: str) -> Constants:
    """Constants by lower-case column name: [what compares, the constant]; those of the first query come first."""
    found: Constants = {}
    for query in queries:
        for column, how, constant in _compared(query):
            known = found.setdefault(column, [])
            if [how, constant] not in known and len(known) < _MAX_EACH:
                known.append([how, constant])
    return found


@lru_cache(maxsize=512)
def _compared(query: str) -> tuple[tuple[str, str, str | float], ...]:
    if len(query) > _MAX_QUERY:
        return ()
    tokens = _tokens(query)
    found = []
    for place, (kind, text) in enumerate(tokens):
        if text in _COMPARES or (kind == "name" and text in ("between", "in")):
            for column, literals in _sides(tokens, place):
                how = "like" if text in ("like", "glob") else "="
                if place and tokens[place - 1] == ("sign", ")") and _date_column(tokens, place - 1):
                    how = "date"
                found += [(column, how, value) for literal in literals if (value := _value(*literal)) is not None]
    return tuple(found)


def _tokens(query: str) -> list[Token]:
    """Tokens without comments; names in lower case and unquoted; a minus belongs to the number after it."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(query):
        kind, text = match.lastgroup, match[0]
        if kind is None:
            continue
        if kind == "name":
            text = text.strip('"`[]').lower()
        if kind == "number" and tokens[-1:] == [("sign", "-")] and tokens[-2:-1] and tokens[-2][1] in {*_COMPARES, "("}:
            tokens.pop()
            text = "-" + text
        tokens.append((kind, text))
    return tokens


def _sides(tokens: list[Token], place: int) -> list[tuple[str, list[Token]]]:
    """A column beside the comparison at `place`, and the constants on its other side."""
    before = place - 1
    if before >= 0 and tokens[before] == ("name", "not"):
        before -= 1
    column = _column_before(tokens, before)
    after = tokens[place + 1 : place + 4]
    if column:
        if tokens[place][1] == "in":
            return [(column, _listed(tokens, place + 1))]
        if tokens[place][1] == "between":
            return [(column, [token for token in after if token[0] in ("text", "number")])]
        return [(column, [token for token in after[:1] if token[0] in ("text", "number")])]
    if tokens[place][1] in _SWAPPED and before >= 0 and tokens[before][0] in ("text", "number") and after:
        names = [token for token in after[:1] + after[2:3] * (after[1:2] == [("sign", ".")]) if token[0] == "name"]
        return [(names[-1][1], [tokens[before]])] if names and names[-1][1] not in _NOT_NAMES else []
    return []


def _column_before(tokens: list[Token], end: int) -> str:
    """The column that ends at `end`, by itself or as the one argument of a function; empty for anything else."""
    start_of_call = end
    if end >= 3 and tokens[end] == ("sign", ")"):
        start = end - 2
        if tokens[start] == ("sign", "."):
            start -= 2
        simple = start >= 1 and tokens[start] == ("sign", "(") and tokens[start - 1][1] in _OF_ONE_COLUMN
        end = end - 1 if simple else -1
    if end < 0 and (column := _date_column(tokens, start_of_call)):
        return column
    if end < 0 or tokens[end][0] != "name" or tokens[end][1] in _NOT_NAMES:
        return ""
    return tokens[end][1]


def _date_column(tokens: list[Token], end: int) -> str:
    """The column inside a function of dates or parts of texts whose call ends at `end`; empty for anything else."""
    start = end
    while start > 0 and tokens[start] != ("sign", "("):
        start -= 1
        if end - start > _LONGEST_CALL:
            return ""
    if start < 1 or tokens[start - 1][1] not in _OF_DATES:
        return ""
    names = [text for kind, text in tokens[start + 1 : end] if kind == "name" and text not in _TYPE_WORDS]
    return names[-1] if names else ""


def _listed(tokens: list[Token], start: int) -> list[Token]:
    """The constants of a list in parentheses."""
    if tokens[start : start + 1] != [("sign", "(")]:
        return []
    found = []
    for token in tokens[start + 1 :]:
        if token[0] in ("text", "number"):
            found.append(token)
        elif token != ("sign", ","):
            break
    return found


def _value(kind: str, text: str) -> str | float | None:
    if kind == "text":
        value = text[1:-1].replace("''", "'")
        return value if len(value) <= _MAX_TEXT else None
    number = float(text)
    if abs(number) > _MAX_NUMBER:
        return None
    return int(number) if number.is_integer() else number
