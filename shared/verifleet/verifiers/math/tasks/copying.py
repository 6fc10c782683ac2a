"""Answers that only repeat the prompt, or leave the asked arithmetic undone."""

from __future__ import annotations

import re
from math import gcd

from verifleet.verifiers.math.algebra.amounts import unit_letter
from verifleet.verifiers.math.algebra.equality import in_order
from verifleet.verifiers.math.algebra.equivalence import without_approximation
from verifleet.verifiers.math.algebra.evaluate import exact
from verifleet.verifiers.math.question import Question, fold
from verifleet.verifiers.math.syntax.expression import I, Node

_OPERATION = re.compile(
    r"[+*/^=<>!]|(?<=.)-|\\(?:frac|sqrt|times|div|binom|int|sum|lim|log|ln|sin|cos|tan|le|ge|mod|overline)"
)
_FORM = re.compile(r"\\(?:overline|bar|dot|ldots)|\.\.\.")  # a way to write a number that is worth changing
_BRACES = re.compile(r"[{}]")
MAX_COPY = 1_000  # characters of an answer that may stand in the prompt

_PLAIN_ARITHMETIC = frozenset({"num", "dec", "neg", "add", "mul"})


def copied(answer: str, node: Node | None, question: Question) -> bool:
    """Whether an answer that is worth computing stands in the prompt: as it is, or up to the order of terms."""
    if node is not None and node.op == "list" and node.value == "or":
        return any(copied("", part, question) for part in node.args)
    text = _BRACES.sub("", fold(answer)).strip(".,;")
    if question.converts and node is not None and any(node.said == given for _, given in question.formulas):
        return True
    worth = node is None or not _is_plain(node) or _FORM.search(text) is not None
    operated = _OPERATION.search(text) is not None and len(text) > 2
    if not worth or (text and not operated and (node is None or not node.has("fn", "root"))):
        return False
    wanted = None if node is None else in_order(asserted(node))
    for written, given in question.formulas:
        if text and text == _BRACES.sub("", written).strip(".,;"):
            return True
        sides = (given, *given.args) if given.op == "rel" else (given,)
        if wanted is not None and not _is_plain(wanted) and any(wanted == in_order(side) for side in sides):
            return True
    prompt = _BRACES.sub("", question.folded)
    return (
        0 < len(text) <= MAX_COPY
        and re.search(rf"(?<![A-Za-z0-9.]){re.escape(text)}(?![A-Za-z0-9])", prompt) is not None
    )


def asserted(node: Node) -> Node:
    """Of `2^{64} ≈ 1.8 · 10^{19}` and `y = x + 1` the exact side that is worth something."""
    node = without_approximation(node)
    return node.said if node.name and len(node.args) == 2 else node


def _is_plain(node: Node) -> bool:
    """Numbers, variables, reduced fractions, and the likes of √2 and 2π: nothing is left to do."""
    if node.op in ("num", "dec", "var", "const", "text", "base", "ratio"):
        return True
    if node.op in ("neg", "unit", "deg", "percent"):
        return _is_plain(node.args[0])
    if node.op == "div":
        top, bottom = exact(node.args[0]), exact(node.args[1])
        if all(arg.op in ("num", "neg") for arg in node.args) and top is not None and bottom:
            return top.denominator == bottom.denominator == 1 and gcd(top.numerator, bottom.numerator) == 1
    if node.name:
        return _is_plain(node.said)
    if node.op in ("interval", "tuple", "list", "set"):
        return all(map(_is_plain, node.args))
    return False


def unevaluated(node: Node) -> bool:
    """Whether it is a sum or product of plain numbers that was left as it is: `48 · 45`, not `3 · 10^5`."""
    if node.op == "unit":
        return unevaluated(Node(*node.args[0]))
    while node.op == "neg":
        node = node.args[0]
    if node.op == "root":
        return exact(node) is not None or unevaluated(Node(*node.args[0]))
    if node.op == "pow" and node.args[0].has("const") and I in node.args[0].walk():
        return exact(node.args[1]) is not None  # (2i)^2
    if node.op not in ("add", "mul"):
        return False
    if all(part.op in _PLAIN_ARITHMETIC for part in node.walk()):
        return True
    return node.op == "add" and sum(map(_is_step, node.args)) > 1


def _is_step(node: Node) -> bool:
    """A product or a small power of numbers, as in `4^2 + 3 · 4`."""
    while node.op == "neg":
        node = node.args[0]
    if node.op == "pow":
        base, power = map(exact, node.args)
        return base is not None and power in (2, 3) and all(arg.op in ("num", "dec", "neg") for arg in node.args)
    return node.op == "mul" and all(part.op in _PLAIN_ARITHMETIC for part in node.walk())


def padded(node: Node) -> bool:
    """Whether it is a calculation with variables, such as `42 + 0x`, rather than an amount such as `42 m`."""
    return (
        node.op in ("add", "mul", "div", "pow", "fn")
        and bool(node.variables())
        and not node.has("tuple")
        and unit_letter(node) is None
    )
