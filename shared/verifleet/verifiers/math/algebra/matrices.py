"""Sums and products of matrices and vectors, carried out entry by entry, and vectors written by their components."""

from __future__ import annotations

from verifleet.verifiers.math.syntax.components import with_components
from verifleet.verifiers.math.syntax.expression import I, Node, add, mul, num

Rows = list[list[Node]]

_ARRAYS = ("matrix", "tuple")

_PLAIN_BASIS = {"j": "unit:j", "k": "unit:k"}


def carried_out(node: Node) -> Node:
    """An expression of matrices or vectors as one, if that is what it is; any other node unchanged."""
    if node.op not in ("add", "neg", "mul", "div") or not node.has(*_ARRAYS):
        return node
    rows = _value(node)
    if rows is None:
        return node
    if not node.has("matrix"):
        return Node("tuple", tuple(row[0] for row in rows), "()")
    return Node("matrix", tuple(Node("tuple", tuple(row), "row") for row in rows))


def _value(node: Node) -> Rows | None:
    if node.op == "matrix":
        return [list(row.args) for row in node.args]
    if node.op == "tuple":
        return [[cell] for cell in node.args]
    if node.op == "add":
        terms = [_value(arg) for arg in node.args]
        if None in terms or len({_shape(term) for term in terms if term}) != 1:
            return None
        return [[add(*cells) for cells in zip(*rows, strict=True)] for rows in zip(*filter(None, terms), strict=True)]
    factors = {"neg": (num(-1), *node.args), "mul": node.args}.get(node.op, ())
    if node.op == "div" and not node.args[1].has(*_ARRAYS):
        factors = (Node("div", (num(1), node.args[1])), node.args[0])
    scalars = [arg for arg in factors if not arg.has(*_ARRAYS)]
    inner = _value(mul(*(arg for arg in factors if arg.has(*_ARRAYS)))) if scalars else None
    return inner and [[mul(*scalars, cell) for cell in row] for row in inner]


def _shape(rows: Rows) -> tuple[int, int]:
    return len(rows), len(rows[0])


def vector_like(node: Node, other: Node) -> Node:
    """`i - j + k` as a tuple of components, beside another vector of two or three; any other node unchanged."""
    size = _vector_size(other)
    if not size or node.op in ("tuple", "matrix", "rel", "list", "set") or not node.variables() & _PLAIN_BASIS.keys():
        return node
    found = with_components(_with_units(node))
    if found.op != "tuple" or len(found.args) > size:
        return node
    return Node(other.op, _shaped(found.args + (num(0),) * (size - len(found.args)), other), other.value)


def _with_units(node: Node) -> Node:
    """The same with unit vectors for i, j and k."""
    if node == I:
        return Node("var", (), "unit:i")
    if node.op == "var":
        return Node("var", (), _PLAIN_BASIS.get(str(node.value), node.value))
    return Node(node.op, tuple(map(_with_units, node.args)), node.value)


def _vector_size(node: Node) -> int:
    """How many components a vector has, if it has two or three."""
    if node.op == "tuple" and len(node.args) in (2, 3):
        return len(node.args)
    if node.op == "matrix" and {1} & set(_shape([list(row.args) for row in node.args])):
        size = max(_shape([list(row.args) for row in node.args]))
        return size if size in (2, 3) else 0
    return 0


def _shaped(cells: tuple[Node, ...], like: Node) -> tuple[Node, ...]:
    """The cells as the arguments of a node such as another."""
    if like.op == "tuple":
        return cells
    return (Node("tuple", cells, "row"),) if len(like.args) == 1 else tuple(Node("tuple", (c,), "row") for c in cells)
