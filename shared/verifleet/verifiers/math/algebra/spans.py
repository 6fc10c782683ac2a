"""Families of vectors and functions with free constants: the same where they hold the same members.

`(1, 2, 3) + t(2, -1, 1)` is a line, whichever of its points and directions is written; `A cosh x + B sinh x` is
`C_1 e^x + C_2 e^{-x}`; each multiple of an eigenvector is one, and a basis is as good as another one of its span.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifleet.verifiers.math.algebra.evaluate import DOUBLES, Budget, Evaluation, NotEvaluableError
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.expression import Node
from verifleet.verifiers.math.syntax.vectors import carried_out, components
from verifleet.verifiers.math.syntax.vocabulary import phrased

MAX_CONSTANTS = 4
MAX_VECTORS = 6

Vector = list[complex]

_CONSTANT = re.compile(r"[A-DK]|[A-Zack]_\{?\d\}?|c")
_SPANNING = re.compile(phrased("spans.spanning"))
_WHOLE = re.compile(r"\b(?:integers?|whole|natural|diophantine|unit|mod)\b|\\mathbb\s?\{?[ZN]")
_POINTS = (0.37, -0.81, 1.43, 0.93, -1.27, 0.59, 1.11)
_TINY = 1e-9


def same_span(reference: Node, answer: Node, question: Question, multiples: bool = False) -> bool:
    """Whether both say the same family, or vectors of the same span where any of them is asked for."""
    if not (reference.args and answer.args) or _WHOLE.search(question.lower):
        return False
    try:
        if multiples or _SPANNING.search(question.lower):
            first, second = (_values(_vectors(node), {}) for node in (reference, answer))
            ranks = {rank(vectors) for vectors in (first, second, [*first, *second])}
            return len(first) == len(second) and ranks == {len(first)} != {0}
        first, second = _family(reference, question), _family(answer, question, _variables(reference, question))
    except NotEvaluableError:
        return False
    if len(first) != len(second) or len(first) < 2:
        return False
    pairs = zip(first[0], second[0], strict=False)
    apart = [0j if abs(a - b) < _TINY * (1 + abs(a)) else a - b for a, b in pairs]
    same = len(first[0]) == len(second[0]) and rank(first[1:]) == rank(second[1:]) == len(first) - 1
    return same and rank([*first[1:], *second[1:], apart]) == len(first) - 1


def _variables(node: Node, question: Question) -> list[str]:
    """The names in a function that are no free constants."""
    names = sorted({name for cell in _cells(node) for name in cell.variables()})
    return [name for name in names if not _CONSTANT.fullmatch(name) or question.uses(name)]


def _family(node: Node, question: Question, known: Sequence[str] = ()) -> list[Vector]:
    """A member of a family and the directions in which it extends; [] for anything else, or of other variables."""
    cells = _cells(node)
    names = sorted({name for cell in cells for name in cell.variables()})
    scalar = len(cells) == 1
    others = _variables(node, question) if scalar else []
    others = [name for name in names if name in known or question.uses(name)] if scalar and known else others
    free = [name for name in names if name not in others]
    if scalar and others != known and known:
        return []  # sin b, where sin x is sought
    if not cells or not 0 < len(free) <= MAX_CONSTANTS or len(others) != scalar:
        return []
    samples = [{name: complex(point) for name in others} for point in (_POINTS if scalar else _POINTS[:1])]

    def at(*values: float) -> Vector:
        constants = {name: complex(value) for name, value in zip(free, values, strict=True)}
        return [value for sample in samples for value in _values([cells], {**sample, **constants})[0]]

    base = at(*([0.0] * len(free)))
    ends = [at(*(float(one == name) for one in free)) for name in free]
    ways = [[a - b for a, b in zip(end, base, strict=True)] for end in ends]
    mixed = at(*_POINTS[: len(free)])
    sums = [b + sum(p * way[i] for p, way in zip(_POINTS, ways, strict=False)) for i, b in enumerate(base)]
    linear = all(abs(a - b) < _TINY * (1 + abs(a)) for a, b in zip(mixed, sums, strict=True))
    return [base, *ways] if linear else []


def _cells(node: Node) -> Sequence[Node]:
    """The components of a vector, also of `x = 1 + t, y = 2 - t`; a function alone."""
    if node.op == "list" and len(node.args) > 1 and all(arg.name for arg in node.args):
        return [arg.said for arg in sorted(node.args, key=lambda arg: arg.name)]
    node = carried_out(node.said)
    return components(node) if node.op in ("matrix", "tuple", "interval", "list", "set", "rel") else [node]


def _vectors(node: Node) -> list[Sequence[Node]]:
    node = node.said
    parts = node.args if node.op in ("list", "set") else (node,)
    cells = [_cells(part) for part in parts[: MAX_VECTORS + 1]]
    return cells if len({*map(len, cells)}) == 1 and len(cells[0]) > 1 and len(cells) <= MAX_VECTORS else []


def _values(vectors: Sequence[Sequence[Node]], names: dict[str, complex]) -> list[Vector]:
    evaluation = Evaluation(DOUBLES, names, Budget())
    return [[complex(evaluation.value(cell)) for cell in cells] for cells in vectors]


def rank(vectors: Sequence[Vector]) -> int:
    """How many vectors of some are independent."""
    sizes = [max(map(abs, vector), default=0.0) or 1.0 for vector in vectors]
    rows, found = [[value / size for value in vector] for vector, size in zip(vectors, sizes, strict=True)], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = max(range(found, len(rows)), key=lambda index: abs(rows[index][column]), default=None)
        if pivot is None or abs(rows[pivot][column]) <= _TINY:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for row in rows[found + 1 :]:
            factor = row[column] / rows[found][column]
            row[:] = [a - factor * b for a, b in zip(row, rows[found], strict=True)]
        found += 1
    return found
