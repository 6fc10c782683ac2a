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

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

COLLECTIONS = frozenset({"list", "set", "tuple", "interval", "union", "inter", "diff", "setbuilder", "matrix"})


class Node(NamedTuple):
    """One node of an expression tree."""

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None

    def walk(self) -> Iterator[Node]:
        """The node and all below it."""
        stack = [self]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(current.args)

    def has(self, *ops: str) -> bool:
        """Whether any node of these ops occurs."""
        return any(part.op in ops for part in self.walk())

    @property
    def is_equation(self) -> bool:
        """Whether it is a chain of equalities."""
        return self.op == "rel" and not set(self.value) - {"=", "~", "=="}

    @property
    def said(self) -> Node:
        """What an equation says last; any other node itself."""
        return self.args[-1] if self.is_equation else self

    @property
    def name(self) -> str:
        """The name that an equation gives a value to, if it does."""
        return str(self.args[0].value) if self.is_equation and self.args[0].op == "var" else ""

    def variables(self) -> frozenset[str]:
        """Names of the free variables; those bound by a big operator are left out."""
        if self.op == "var":
            return frozenset((self.value,))
        if not self.args:
            return frozenset()
        found = names_in(self.args)
        bound = self._bound()
        if bound is None or (self.op == "int" and len(self.args) == 1):
            return found
        return (found - {bound}) | names_in(self.args[1:])

    def _bound(self) -> str | None:
        if self.op in ("sum", "prod", "int"):
            return str(self.value)
        return str(self.value[0]) if self.op in ("lim", "deriv") else None

    def substitute(self, values: dict[str, Node]) -> Node:
        """The same with expressions for free variables."""
        if self.op == "var":
            return values.get(self.value, self)
        if not self.args:
            return self
        bound = self._bound() if len(self.args) > 1 else None
        inside = {name: value for name, value in values.items() if name != bound}
        args = (self.args[0].substitute(inside), *(arg.substitute(values) for arg in self.args[1:]))
        return Node(self.op, args, self.value)

    def rebuilt(self, change: Callable[[Node], Node]) -> Node:
        """The tree with each node changed, from the leaves up."""
        return change(self._replace(args=tuple(arg.rebuilt(change) for arg in self.args)) if self.args else self)


def names_in(nodes: Iterable[Node]) -> frozenset[str]:
    """The free variables of several expressions."""
    return frozenset[str]().union(*(node.variables() for node in nodes))


ZERO = Node("num", (), Fraction(0))
ONE = Node("num", (), Fraction(1))
PI = Node("const", (), "pi")
E = Node("const", (), "e")
I = Node("const", (), "i")  # noqa: E741 - its name in mathematics
INFINITY = Node("const", (), "oo")
EMPTY_SET = Node("const", (), "emptyset")
REALS = Node("const", (), "reals")
UNDEFINED = Node("const", (), "undefined")


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


def deeper_than(node: Node, limit: int) -> bool:
    """Whether more than `limit` nodes stand below each other."""
    level: tuple[Node, ...] = (node,)
    for _ in range(limit):
        level = tuple(arg for node in level for arg in node.args)
        if not level:
            return False
    return True
