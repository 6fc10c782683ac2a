"""Vectors and matrices: sums and multiples carried out entry by entry, and vectors written by their components."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verifleet.verifiers.math.syntax.expression import ONE, ZERO, I, Node, add, mul, neg, num, var

Rows = Sequence[Sequence[Node]]

_ARRAYS = ("matrix", "tuple")
_BASIS = ("unit:i", "unit:j", "unit:k")
_PLAIN_BASIS = {"j": "unit:j", "k": "unit:k"}


def rows(node: Node) -> Rows | None:
    """A matrix as rows; tuples and vectors as a column."""
    if node.op == "matrix":
        return [row.args for row in node.args] if len(node.args) > 1 else [(cell,) for cell in node.args[0].args]
    if node.op not in ("tuple", "interval"):
        return None
    nested = all(arg.value in ("[]", (False, False)) and arg.op in ("tuple", "interval") for arg in node.args)
    return [arg.args if nested else (arg,) for arg in node.args]  # [[1, 2], [3, 4]]


def components(node: Node) -> list[Node]:
    """The components of a vector; none of anything else."""
    found = rows(node) or ()
    return [row[0] for row in found] if all(len(row) == 1 for row in found) else []


def carried_out(node: Node) -> Node:
    """An expression of matrices or vectors as one, if that is what it is; any other node unchanged."""
    if node.op not in ("add", "neg", "mul", "div") or not node.has(*_ARRAYS):
        return node
    found = _rows(node)
    if found is None:
        return node
    if not node.has("matrix"):
        return Node("tuple", tuple(row[0] for row in found), "()")
    return Node("matrix", tuple(Node("tuple", tuple(row), "row") for row in found))


def _rows(node: Node) -> Rows | None:
    if node.op in _ARRAYS:
        return rows(node)
    if node.op == "add":
        terms = [_rows(arg) for arg in node.args]
        if None in terms or len({_shape(term) for term in terms if term}) != 1:
            return None
        return [[_sum(cells) for cells in zip(*each, strict=True)] for each in zip(*filter(None, terms), strict=True)]
    if node.op == "neg":
        return _each(node.args[0], neg)
    if node.op == "div" and not node.args[1].has(*_ARRAYS):
        return _each(node.args[0], lambda cell: cell if cell == ZERO else Node("div", (cell, node.args[1])))
    arrays = [arg for arg in node.args if arg.has(*_ARRAYS)]
    scalars = [arg for arg in node.args if not arg.has(*_ARRAYS)]
    if node.op != "mul" or len(arrays) != 1:
        return None
    return _each(arrays[0], lambda cell: {ONE: mul(*scalars), ZERO: ZERO}.get(cell, mul(*scalars, cell)))


def _each(array: Node, change: Callable[[Node], Node]) -> Rows | None:
    found = _rows(array)
    return found and [list(map(change, row)) for row in found]


def _sum(cells: tuple[Node, ...]) -> Node:
    terms = [cell for cell in cells if cell != ZERO]
    return add(*terms) if terms else ZERO


def _shape(rows: Rows) -> tuple[int, int]:
    return len(rows), len(rows[0])


# --- by components -----------------------------------------------------------


def with_components(node: Node) -> Node:
    r"""`2\\mathbf{i} - \\mathbf{j}` as the tuple (2, -1); an i in bold elsewhere is the imaginary unit."""
    names = node.variables().intersection(_BASIS)
    if not names:
        return node
    if node.op in ("rel", "list", "set"):
        return Node(node.op, tuple(map(with_components, node.args)), node.value)
    basis = _BASIS if "unit:k" in names else _BASIS[:2]
    units = {name: Node("tuple", tuple(num(name == other) for other in basis), "()") for name in basis}
    found = carried_out(node.substitute(units))
    is_vector = found.op == "tuple" and node.op != "tuple" and not any(cell.has(*_ARRAYS) for cell in found.args)
    return found if is_vector else node.substitute({"unit:i": I})


def vector_like(node: Node, other: Node) -> Node:
    """`i - j + k` as a tuple of components, beside another vector of two or three; any other node unchanged."""
    size = len(components(other)) if other.op in _ARRAYS else 0
    if (
        size not in (2, 3)
        or node.op in ("tuple", "matrix", "rel", "list", "set")
        or not node.variables() & _PLAIN_BASIS.keys()
    ):
        return node
    found = with_components(node.rebuilt(_as_unit))
    if found.op != "tuple" or len(found.args) > size:
        return node
    return Node("tuple", found.args + (ZERO,) * (size - len(found.args)), other.value or "()")


def _as_unit(node: Node) -> Node:
    """The unit vector that i, j or k may be."""
    return var("unit:i") if node == I else var(_PLAIN_BASIS.get(node.value, node.value)) if node.op == "var" else node
