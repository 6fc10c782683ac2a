"""Vectors written by their components: `2i - 3j` as a tuple."""

from __future__ import annotations

from verifleet.verifiers.math.syntax.expression import I, Node, add, mul, neg, num

_BASIS = ("unit:i", "unit:j", "unit:k")


def with_components(node: Node) -> Node:
    r"""`2\\mathbf{i} - \\mathbf{j}` as the tuple (2, -1); an i in bold elsewhere is the imaginary unit."""
    if not node.variables().intersection(_BASIS):
        return node
    if node.op in ("rel", "list", "set"):
        return Node(node.op, tuple(map(with_components, node.args)), node.value)
    components: dict[str, list[Node]] = {name: [] for name in _BASIS}
    whole = node.args[0] if node.op == "div" else node
    for term in whole.args if whole.op == "add" else (whole,):
        found = _component(term)
        if found is None:
            return node.substitute({"unit:i": I})
        components[found[0]].append(found[1])
    size = 3 if components["unit:k"] else 2
    cells = tuple(add(*components[name]) if components[name] else num(0) for name in _BASIS[:size])
    return Node("tuple", tuple(Node("div", (cell, node.args[1])) for cell in cells) if whole != node else cells, "()")


def _component(term: Node) -> tuple[str, Node] | None:
    """The unit vector of a term and its coefficient."""
    if term.op == "var" and term.value in _BASIS:
        return str(term.value), num(1)
    if term.op == "neg":
        inner = _component(term.args[0])
        return inner and (inner[0], neg(inner[1]))
    if term.op == "mul" and not any(factor.variables().intersection(_BASIS) for factor in term.args[:-1]):
        inner = _component(term.args[-1])
        return inner and (inner[0], mul(*term.args[:-1], inner[1]))
    return None
