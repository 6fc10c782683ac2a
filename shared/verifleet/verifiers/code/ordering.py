"""What the order of a result leaves open: rows that are equal on the ORDER BY expressions may come in any order.

The reference query is read here, never the candidate's. It is run once more with its ORDER BY expressions as further
columns and without its LIMIT, which tells which rows are equal on them, and between which rows a LIMIT may choose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

Row = tuple[Any, ...]
_MAX_QUERY = 20_000
_WORDS = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[()]|(?P<order>\border\s+by\b)""",
    re.DOTALL | re.IGNORECASE,
)
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Keyed:
    """A reference query with its keys.

    `query` gives the result's columns and then `added` key columns; `columns` are those of the result (from 0) that
    are keys too. `limit` and `offset` are the reference's own.
    """

    query: str
    added: int
    columns: tuple[int, ...]
    limit: int | None
    offset: int


@lru_cache(maxsize=512)
def keyed(query: str) -> Keyed | None:
    """Read a reference query; None without an ORDER BY, or where its keys can't be found."""
    if len(query) > _MAX_QUERY or "order" not in query.lower():
        return None
    statement = _statement(query)
    if statement is None or statement.args.get("order") is None:
        return None
    tree = statement.copy()
    limit, offset = _literal(tree.args.get("limit")), _literal(tree.args.get("offset"))
    if limit is _UNKNOWN or offset is _UNKNOWN:
        return None
    tree.set("limit", None)
    tree.set("offset", None)
    found = _keys(tree)
    if found is None:
        return None
    columns, added = found
    if added:
        tree.set("expressions", [*tree.expressions, *added])
    rows = None if limit is None or int(limit) < 0 else int(limit)
    return Keyed(tree.sql(dialect="sqlite"), len(added), tuple(columns), rows, max(0, int(offset or 0)))


@lru_cache(maxsize=512)
def has_order(query: str) -> bool:
    """Whether a reference query itself has an ORDER BY; one in a subquery or a window orders no result."""
    if "order" not in query.lower():
        return False
    statement = _statement(query) if len(query) <= _MAX_QUERY else None
    if statement is not None:
        return statement.args.get("order") is not None
    return _order_outside_parentheses(query)


def _statement(query: str) -> Any:
    """The one query in a text; None where there is none, or it can't be read."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        statements = [tree for tree in sqlglot.parse(query, read="sqlite") if tree is not None]
    except (SqlglotError, RecursionError, ValueError):
        return None
    return statements[0] if len(statements) == 1 and isinstance(statements[0], exp.Query) else None


def _order_outside_parentheses(query: str) -> bool:
    """The same, from the words of a query that could not be read."""
    depth = 0
    for match in _WORDS.finditer(query):
        if match["order"] is not None and depth == 0:
            return True
        depth += {"(": 1, ")": -1}.get(match[0], 0)
    return False


def _literal(part: Any) -> Any:
    """The number in a LIMIT or OFFSET; None without one."""
    if part is None:
        return None
    value = part.args.get("expression")
    return int(value.this) if value is not None and value.is_int and value.this.isdecimal() else _UNKNOWN


def _keys(tree: Any) -> tuple[list[int], list[Any]] | None:
    """Places of the result's columns that are keys, and expressions to be added for the others."""
    from sqlglot import exp

    select = tree
    while isinstance(select, exp.SetOperation):
        select = select.this
    if not isinstance(select, exp.Select):
        return None
    starred = any(projection.is_star for projection in select.expressions)
    named: dict[str, int] = {}
    for number, projection in enumerate(select.expressions):
        named.setdefault(projection.alias_or_name.lower(), number)
    places, added = [], []
    for ordered in tree.args["order"].expressions:
        key = ordered.this
        if isinstance(key, exp.Literal) and key.is_int:
            places.append(int(key.this) - 1)
            continue
        place: int | None = named.get(key.name.lower()) if isinstance(key, exp.Column) and not key.table else None
        if place is None:
            place = next((n for n, p in enumerate(select.expressions) if p.unalias() == key), None)
        if place is not None and not starred:
            places.append(place)
        elif select is not tree or select.args.get("distinct"):
            return None  # no column can be added there
        else:
            added.append(select.expressions[place].unalias().copy() if place is not None else key.copy())
    return places, added


@dataclass(frozen=True, slots=True)
class Groups:
    """A reference's rows without its LIMIT, in groups of equal keys, and the part of them that it returns."""

    groups: tuple[tuple[Row, ...], ...]
    start: int
    stop: int

    def windows(self) -> list[tuple[tuple[Row, ...], int]]:
        """Each group that the LIMIT reaches, and how many of its rows are returned."""
        found, begin = [], 0
        for group in self.groups:
            count = min(begin + len(group), self.stop) - max(begin, self.start)
            if count > 0:
                found.append((group, count))
            begin += len(group)
        return found


def grouped(keyed: Keyed, rows: Sequence[Row]) -> Groups:
    """Rows of the keyed query as groups."""

    def key(row: Row) -> Row:
        return (*(row[place] for place in keyed.columns), *row[len(row) - keyed.added :])

    parts = [tuple(row[: len(row) - keyed.added] for row in group) for _, group in groupby(rows, key)]
    stop = len(rows) if keyed.limit is None else min(len(rows), keyed.offset + keyed.limit)
    return Groups(tuple(parts), keyed.offset, stop)


def fits(
    rows: Sequence[Row],
    gold: Groups,
    *,
    ordered: bool,
    same: Callable[[Sequence[Row], Sequence[Row]], bool],
    sort_key: Callable[[Row], Any],
) -> bool:
    """Whether rows are what the reference may return.

    Args:
        rows: what a query returned.
        gold: what the reference returns.
        ordered: whether the order of groups counts.
        same: compares two sequences of rows without regard to their order.
        sort_key: equal for equal rows.
    """
    windows = gold.windows()
    if len(rows) != sum(count for _, count in windows):
        return False
    if not ordered:
        whole = [row for group, count in windows if count == len(group) for row in group]
        partial = [row for group, count in windows if count < len(group) for row in group]
        if not partial:
            return same(rows, whole)
        left = _taken(rows, whole, sort_key)
        return left is not None and _taken(partial, left, sort_key) is not None
    begin = 0
    for group, count in windows:
        part = rows[begin : begin + count]
        if not (same(part, group) if count == len(group) else _taken(group, part, sort_key) is not None):
            return False
        begin += count
    return True


def _taken(rows: Sequence[Row], part: Sequence[Row], sort_key: Callable[[Row], Any]) -> list[Row] | None:
    """What is left of `rows` without `part`; None where that is not among them."""
    wanted = Counter(tuple(sort_key(row)) for row in part)
    left = []
    for row in rows:
        key = tuple(sort_key(row))
        if wanted[key]:
            wanted[key] -= 1
        else:
            left.append(row)
    return left if not +wanted else None
