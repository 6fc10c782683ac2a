"""The expression tree: small, immutable, hashable, and nothing but data.

A node is `(op, args, value)`. Which ops there are:

| group | op | args | value |
|---|---|---|---|
| numbers | num | | Fraction |
| | dec | | (Fraction, digits after the point) |
| | const | | pi, e, i, oo, emptyset, reals, ... |
| | var | | name |
| arithmetic | add mul pow neg div mod | operands | |
| | pm | a, b (a ± b) | +1 for ±, -1 for ∓ |
| | root | radicand, index | |
| | fn | arguments | name |
| | fact, binom, abs, floor, ceil, det, percent, deg | operands | |
| big operators | sum prod | body, low, high | variable |
| | int | body[, low, high] | variable |
| | lim | body, point | (variable, side) |
| | deriv | body, point | (variable, order) |
| structures | list set tuple | elements | list: separator; tuple: brackets |
| | interval | low, high | (low open, high open) |
| | union inter diff | sets | |
| | setbuilder | element, condition | |
| | matrix | rows as tuple nodes | |
| | rel | chain of sides | tuple of operators |
| | ratio | parts | |
| others | base | | (digits, base) |
| | unit | quantity | unit words |
| | text | | words |
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple


class Node(NamedTuple):
    """One node of an expression tree."""

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None


ZERO = Node("num", (), Fraction(0))
ONE = Node("num", (), Fraction(1))
TWO = Node("num", (), Fraction(2))
PI = Node("const", (), "pi")
E = Node("const", (), "e")
I = Node("const", (), "i")  # noqa: E741 - its name in mathematics
INFINITY = Node("const", (), "oo")
EMPTY_SET = Node("const", (), "emptyset")
REALS = Node("const", (), "reals")
UNDEFINED = Node("const", (), "undefined")

COLLECTIONS = frozenset({"list", "set", "tuple", "interval", "union", "inter", "diff", "setbuilder", "matrix"})


def num(value: Fraction | int) -> Node:
    """A rational number."""
    return Node("num", (), Fraction(value))


def var(name: str) -> Node:
    """A variable."""
    return Node("var", (), name)


def neg(node: Node) -> Node:
    """The negative, folded for plain numbers."""
    if node.op == "num":
        return Node("num", (), -node.value)
    return Node("neg", (node,))


def add(*terms: Node) -> Node:
    """A sum; of one term, that term."""
    return terms[0] if len(terms) == 1 else Node("add", terms)


def sub(left: Node, right: Node) -> Node:
    """A difference."""
    return Node("add", (left, neg(right)))


def mul(*factors: Node) -> Node:
    """A product; of one factor, that factor."""
    return factors[0] if len(factors) == 1 else Node("mul", factors)


def derivative(body: Node, name: str, order: int = 1) -> Node:
    """The derivative of an expression with respect to a variable, at that variable."""
    return Node("deriv", (body, var(name)), (name, order))


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(current.args)


def deeper_than(node: Node, limit: int) -> bool:
    """Whether more than `limit` nodes stand below each other."""
    level: tuple[Node, ...] = (node,)
    for _ in range(limit):
        level = tuple(arg for node in level for arg in node.args)
        if not level:
            return False
    return True


def variables(node: Node) -> frozenset[str]:
    """Names of the free variables; those bound by a big operator are left out."""
    if node.op == "var":
        return frozenset((node.value,))
    if not node.args:
        return frozenset()
    found = frozenset[str]().union(*map(variables, node.args))
    bound = _bound_variable(node)
    if bound is None or (node.op == "int" and len(node.args) == 1):
        return found
    outside = frozenset[str]().union(*map(variables, node.args[1:])) if len(node.args) > 1 else frozenset[str]()
    return (found - {bound}) | outside


def _bound_variable(node: Node) -> str | None:
    if node.op in ("sum", "prod", "int"):
        return str(node.value)
    return str(node.value[0]) if node.op in ("lim", "deriv") else None


def substitute(node: Node, values: dict[str, Node]) -> Node:
    """Replace free variables by expressions."""
    if node.op == "var":
        return values.get(node.value, node)
    if not node.args:
        return node
    bound = _bound_variable(node) if len(node.args) > 1 else None
    inside = {name: value for name, value in values.items() if name != bound}
    args = (substitute(node.args[0], inside), *(substitute(arg, values) for arg in node.args[1:]))
    return Node(node.op, args, node.value)


def has_op(node: Node, *ops: str) -> bool:
    """Whether any node of these ops occurs."""
    return any(part.op in ops for part in walk(node))
