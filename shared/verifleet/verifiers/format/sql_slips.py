"""Slips that sqlglot forgives, since it is made to translate: found in its tokens and in its trees."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

_RANKS: Final = {
    "FROM": 1,
    "WHERE": 2,
    "GROUP_BY": 3,
    "HAVING": 4,
    "WINDOW": 5,
    "QUALIFY": 6,
    "ORDER_BY": 7,
    "LIMIT": 8,
    "OFFSET": 8,
    "FETCH": 8,
}
_SETS: Final = frozenset({"UNION", "EXCEPT", "INTERSECT"})
_RESTART: Final = _SETS | {"SELECT", "SEMICOLON", "INSERT", "UPDATE", "DELETE"}
_CLAUSES: Final = frozenset({"FROM", "WHERE", "GROUP_BY", "ORDER_BY", "HAVING", "LIMIT"})
# What ends an operand, a list or a statement; the empty name stands for the end of the text.
_CLOSERS: Final = _CLAUSES | _SETS | {"", "COMMA", "R_PAREN", "SEMICOLON"}
_OPERATORS: Final = frozenset({"AND", "OR", "EQ", "NEQ", "LTE", "GTE", "DPIPE", "LIKE", "ILIKE", "BETWEEN", "IN"})
_CLAUSE_HEADS: Final = frozenset({"SELECT", "WHERE", "HAVING", "GROUP_BY", "ORDER_BY", "PARTITION_BY"})
# After each of these a name or an expression must come.
_WANTING: Final = (
    _OPERATORS | _CLAUSE_HEADS | _SETS | {"COMMA", "ALIAS", "EXISTS", "OVER", "INTO", "JOIN", "NOT", "COLUMN"}
)
_BEFORE_COMMA: Final = _OPERATORS | _CLAUSE_HEADS | {"FROM", "L_PAREN", "DISTINCT", "ON", "SET"}
_NO_OPERAND: Final = _OPERATORS | {"WHERE", "HAVING", "FROM", "NOT", "ON"}  # () after these is nobody's arguments
_CASE_GAPS: Final = {
    "CASE": frozenset({"END", "ELSE"}),
    "WHEN": frozenset({"THEN", "END"}),
    "THEN": frozenset({"WHEN", "ELSE", "END"}),
    "ELSE": frozenset({"END", "WHEN"}),
}
_NAMES: Final = frozenset({"VAR", "IDENTIFIER"})
_CUT_SHORT: Final = frozenset({"ORDER", "GROUP"})  # without BY they are read as somebody's names
_ALONE: Final = frozenset("ABORT ANALYZE BEGIN CHECKPOINT COMMIT END REINDEX ROLLBACK VACUUM".split())


def slip(tokens: list[Any]) -> int | None:
    """The offset of the first slip in the tokens of a text."""
    start = 0
    for end, token in enumerate([*tokens, None]):
        if token is None or token.token_type.name == "SEMICOLON":
            statement = tokens[start:end]
            if statement and (found := _statement_slip(statement)) is not None:
                return found
            start = end + 1
    return None


def _statement_slip(tokens: list[Any]) -> int | None:
    names = [token.token_type.name for token in tokens]
    if names[0] == "FROM" or (len(tokens) == 1 and tokens[0].text.upper() not in _ALONE):
        return int(tokens[0].start)
    at = _gap(names, tokens)
    if at is None:
        at = _without_pair(names)
    place = None if at is None else int(tokens[at].start)
    order = _out_of_order(names, tokens)
    places = [found for found in (place, order) if found is not None]
    return min(places, default=None)


def _gap(names: list[str], tokens: list[Any]) -> int | None:
    """Where something is missing between two tokens: the index of the second (of the first at the end)."""
    joins = "JOIN" in names
    for index, (name, following) in enumerate(pairwise([*names, ""])):
        at = min(index + 1, len(names) - 1)
        if name == "VAR" and tokens[index].text.upper() in _CUT_SHORT:
            return index
        if name in _WANTING and following in _CLOSERS and not (name == "NOT" and following == "FROM"):
            return at
        if name == "ON" and joins and following in _CLOSERS:
            return at
        if following == "COMMA" and name in _BEFORE_COMMA:
            return at
        if following in _CASE_GAPS.get(name, ()):
            return at
        if name == "L_PAREN" and following == "R_PAREN" and index and names[index - 1] in _NO_OPERAND - {"IN"}:
            return at
    return None


def _without_pair(names: list[str]) -> int | None:
    """A WHEN of a CASE without its THEN; USING in a query that joins nothing; a list without its brackets or commas."""
    if names[0] == "INSERT":
        return _insert_gap(names)
    for index in range(2, len(names)):
        if names[index - 1] == "STAR" and names[index] in _NAMES and names[index - 2] in ("SELECT", "COMMA", "DOT"):
            return index
    if names[0] in ("SELECT", "WITH"):
        if names.count("WHEN") > names.count("THEN"):
            return names.index("WHEN")
        if "JOIN" not in names and ("USING", "L_PAREN") in pairwise(names):
            return names.index("USING")
    return None


def _insert_gap(names: list[str]) -> int | None:
    """Values without brackets, two names of columns without a comma."""
    values = names.index("VALUES") if "VALUES" in names else len(names)
    if values < len(names) - 1 and names[values - 1] != "DEFAULT" and names[values + 1] not in ("L_PAREN", "ROW"):
        return values + 1
    open_at = names.index("L_PAREN") if "L_PAREN" in names[:values] else values
    for index in range(open_at + 2, values):
        if names[index] == "R_PAREN" or names[index] == "SELECT":
            return None
        if names[index] in _NAMES and names[index - 1] in _NAMES:
            return index
    return None


def _out_of_order(names: list[str], tokens: list[Any]) -> int | None:
    """Clauses out of order, a CTE without AS."""
    ranks = [0]
    previous, before = "", ""
    ctes = False
    for index, name in enumerate(names):
        if name == "L_PAREN":
            following = names[index + 1] if index + 1 < len(names) else ""
            if ctes and following == "SELECT" and previous == "VAR" and before in ("WITH", "RECURSIVE", "COMMA"):
                return int(tokens[index].start)
            ranks.append(0)
        elif name == "R_PAREN" and len(ranks) > 1:
            ranks.pop()
        elif name == "SET" and names[0] == "UPDATE" and ranks[-1] >= _RANKS["WHERE"]:
            return int(tokens[index].start)
        elif name in _RESTART:
            ranks[-1] = 0
            ctes = False
        elif name in _RANKS and not (name == "FROM" and previous == "DISTINCT" and before in ("IS", "NOT")):
            if _RANKS[name] < ranks[-1]:
                return int(tokens[index].start)
            ranks[-1] = _RANKS[name]
        ctes = ctes or name == "WITH"
        previous, before = name, previous
    return None


def is_complete(tree: Any) -> bool:
    """Whether no part of a statement is empty that must not be: sqlglot leaves it out of the tree and goes on."""
    from sqlglot import exp

    if isinstance(tree, exp.Update):
        return bool(tree.expressions) and all(isinstance(item, exp.Binary) for item in tree.expressions)
    if isinstance(tree, exp.Alter):
        actions = tree.args.get("actions") or ()
        return all(not isinstance(action, exp.Command) or action.expression for action in actions)
    if isinstance(tree, exp.Create):
        return _defines(tree)
    return all(any(group.args.values()) for group in tree.find_all(exp.Group))


def _defines(tree: Any) -> bool:
    """Whether a CREATE says what is created."""
    from sqlglot import exp

    if tree.kind == "TABLE" and isinstance(tree.this, exp.Table):
        return any(tree.args.get(part) for part in ("expression", "properties", "clone", "with"))
    if tree.kind == "VIEW":
        return tree.args.get("expression") is not None
    if tree.kind == "INDEX":
        return tree.find(exp.Ordered, exp.Column, exp.Anonymous) is not None
    return True
