"""Checking solutions by substitution, and that none is missing by counting or searching the roots.

Nothing is solved symbolically: a claimed root has to satisfy the equation, and every root that
the polynomial (of a rational function) or a search on a grid (all others) knows of has to be claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from operator import eq, ge, gt, le, lt, ne

from verifleet.verifiers.math.algebra import polynomials
from verifleet.verifiers.math.algebra.amounts import stands_for
from verifleet.verifiers.math.algebra.equality import real_double, same_value
from verifleet.verifiers.math.algebra.equivalence import expand_signs, listed, named_list, strip_membership
from verifleet.verifiers.math.algebra.evaluate import exact
from verifleet.verifiers.math.algebra.regions import ALL, Region, contains, region
from verifleet.verifiers.math.algebra.roots import NEAR, Roots, distinct_points, find_roots, real_at
from verifleet.verifiers.math.algebra.spans import rank
from verifleet.verifiers.math.syntax.expression import EMPTY_SET, UNDEFINED, Node, sub
from verifleet.verifiers.math.syntax.vectors import components
from verifleet.verifiers.math.tasks.recognition import Task

_ORDER = {"<": lt, ">": gt, "<=": le, ">=": ge, "!=": ne, "=": eq}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: right, wrong, or None for can't tell; `part` is the share of the roots that was found."""

    right: bool | None
    reason: str
    part: float = 0.0


# --- checking equations ------------------------------------------------------


def claimed_solutions(answer: Node, name: str) -> list[Node] | None:
    """The values an answer gives to the unknown; None if it does not (an unsolved equation, another name)."""
    answer = listed(strip_membership(answer))
    if answer in (EMPTY_SET, UNDEFINED):
        return []
    if answer.value == "named":
        return None
    values: list[Node] = []
    for part in answer.args if answer.op in ("list", "set") else (answer,):
        part = expand_signs(part)
        if part.is_equation:
            if part.name.lower().split("_")[0] != name.lower():
                return None
            part = part.said
        if part.op in ("rel", "tuple", "interval", "union", "ratio"):
            return None
        values.append(part)
    return None if any(name in value.variables() for value in values) else values


def satisfies(left: Node, right: Node, name: str, value: Node) -> bool:
    """Whether a value solves an equation exactly, and if it is real, with every root and logarithm defined."""
    first, second = (side.substitute({name: value}) for side in (left, right))
    real = real_double(value) is not None
    return same_value(first, second) is True and not (real and any(map(_leaves_reals, (*first.walk(), *second.walk()))))


def _leaves_reals(part: Node) -> bool:
    if part.op == "root":
        return exact(part.args[1]) not in (3, 5, 7) and (real_double(part.args[0]) or 0.0) < -1e-12
    argument = real_double(part.args[0]) if part.op == "fn" and part.value in ("ln", "log") else None
    return argument is not None and argument <= 0


def check_equation(equation: Node, task: Task, answer: Node, places: int | None) -> Finding:
    """Whether an answer is the set of solutions of an equation in the one unknown of a task."""
    left, right = equation.args
    name = task.names[0]
    if len(equation.variables()) > 1:
        return Finding(None, "An equation with parameters is not checked.")
    roots = find_roots(left, right, name, task.domain)
    if task.positive:
        roots = Roots(tuple(root for root in roots.real if root > 0), 0, roots.identity)
    if roots.identity:
        return Finding(region(answer) == ALL, "Every number solves the equation.")
    values = claimed_solutions(answer, name)
    if values is None:
        return Finding(False, "The answer is no list of values for the unknown.")
    if any(value.variables() for value in values):
        return Finding(None, "A family of solutions can't be checked.")
    return _check_roots(equation, task, values, roots, places)


def _check_roots(equation: Node, task: Task, values: list[Node], roots: Roots, places: int | None) -> Finding:
    left, right = equation.args
    name, real = task.names[0], task.real or task.domain is not None or task.positive
    distinct = _distinct_values(values)
    missing = list(roots.real)
    beyond_search = not roots.real and roots.others is None  # there may be roots outside the searched range only
    others = 0
    for value in distinct:
        number = real_double(value)
        near = [root for root in missing if number is not None and abs(number - root) <= NEAR * max(1.0, abs(root))]
        exactly = bool(near or beyond_search or number is None) and satisfies(left, right, name, value)
        rounded = [root for root in missing if number is not None and stands_for(value, root, places)]
        if rounded or (near and exactly):
            missing.remove((rounded or near)[0])
        elif number is None and not real and exactly:
            others += 1
        elif not beyond_search or number is None or not exactly:
            return Finding(False, "A value of the answer does not solve the equation, or not in the asked range.")
    if missing:
        found = len(roots.real) - len(missing)
        return Finding(False, "Not all solutions were given.", found / len(roots.real))
    if (others or task.complex) and roots.others is not None and others != roots.others and not real:
        total = len(roots.real) + roots.others
        return Finding(False, "Not all complex solutions were given.", (len(roots.real) + others) / total)
    none = "None was given, and none that is asked for solves the equation."
    return Finding(True, "All solutions were given, and each one solves the equation." if values else none)


def _distinct_values(values: list[Node]) -> list[Node]:
    result: list[Node] = []
    for value in values:
        if not any(value == other or same_value(value, other) is True for other in result):
            result.append(value)
    return result


# --- systems -----------------------------------------------------------------


def check_system(equations: Sequence[Node], names: Sequence[str], answer: Node) -> Finding:
    """Whether an answer is the solution of a system; completeness is known for linear systems."""
    values = _assigned(answer, names)
    if values is None:
        return Finding(False, "The answer gives no value to each unknown.")
    for equation in equations:
        first, second = (side.substitute(values) for side in equation.args[:2])
        if same_value(first, second) is not True:
            return Finding(False, "The values of the answer do not solve the system.")
    if not _one_solution(equations, names):
        return Finding(None, "Whether there are more solutions is not known.")
    return Finding(True, "The answer is the one solution of the system.")


def _assigned(answer: Node, names: Sequence[str]) -> dict[str, Node] | None:
    """A value for each of the unknowns; None if the answer does not give them."""
    answer = strip_membership(answer)
    heads = [str(part.args[0].value) for part in answer.args if part.op == "rel"] if answer.op == "list" else []
    if heads and sorted(heads) != sorted(names):
        return None
    answer = named_list(answer)
    cells = answer.args if answer.op == "list" else components(answer)
    return dict(zip(sorted(names) if heads else names, cells, strict=True)) if len(cells) == len(names) else None


def _one_solution(equations: Sequence[Node], names: Sequence[str]) -> bool:
    """Whether a system is linear, of as many independent equations as there are unknowns."""
    matrix: list[list[complex]] = []
    for equation in equations:
        try:
            value = polynomials.polynomial(sub(equation.args[0], equation.args[1]))
        except polynomials.NotPolynomialError:
            return False
        if any(len(monomial) > 1 or monomial[0][1] > 1 for monomial in value if monomial):
            return False
        matrix.append([complex(value.get(((name, 1),), 0)) for name in names])
    return rank(matrix) == len(names)


# --- inequalities ------------------------------------------------------------


def check_inequality(inequality: Node, name: str, answer: Node, domain: Region | None) -> Finding:
    """Whether a region is the solution of an inequality: tested between all critical points and at each of them."""
    claimed = region(answer)
    if claimed is None:
        return Finding(False, "The answer is no set of numbers that is solved for the unknown.")
    if answer.has("var") and name not in answer.variables() and answer.variables():
        return Finding(False, "The answer is about another unknown.")
    critical = {end.value for end in claimed.ends}
    for left, right in zip(inequality.args, inequality.args[1:], strict=False):
        critical.update(_critical_points(left, right, name, domain))
    for end in claimed.ends:
        if _holds(inequality, name, end.node) is not contains(claimed, end.value):
            return Finding(False, "An end of the answer is wrong.")
    points = distinct_points(critical)
    for point in points:
        if any(abs(point - end.value) <= 1e-6 * max(1.0, abs(point)) for end in claimed.ends):
            continue
        if contains(claimed, point) and not _holds(inequality, name, point, near=True):
            return Finding(False, "The answer holds a number that is no solution.")
    for point in _between(points):
        holds = _holds(inequality, name, point) and (domain is None or contains(domain, point, NEAR))
        if holds is not contains(claimed, point):
            return Finding(False, "The answer is not the set of all solutions.")
    return Finding(True, "The answer is the set of all solutions.")


def _critical_points(left: Node, right: Node, name: str, domain: Region | None) -> set[float]:
    found = set(find_roots(left, right, name).real)
    with suppress(polynomials.NotPolynomialError):
        _, bottom = polynomials.rational_function(sub(left, right))
        found.update(polynomials.real_roots(polynomials.coefficients(bottom, name)))
    if domain is not None:
        found.update(end.value for end in domain.ends)
    return found


def _between(points: list[float]) -> list[float]:
    if not points:
        return [-1.0, 0.5, 3.0]
    inside = [(low + high) / 2 for low, high in pairwise(points)]
    return [points[0] - 1.0, points[0] - 100.0, *inside, points[-1] + 1.0, points[-1] + 100.0]


def _holds(inequality: Node, name: str, at: Node | float, near: bool = False) -> bool:
    """Whether it holds at a number, or at a point known as a double only, `near` which close sides are equal."""
    for left, operator, right in zip(inequality.args, inequality.value, inequality.args[1:], strict=False):
        if isinstance(at, Node):
            sides = left.substitute({name: at}), right.substitute({name: at})
            first, second = map(real_double, sides)
            equal = same_value(*sides) is True
        else:
            first, second = real_at(left, name, at), real_at(right, name, at)
            equal = near and abs((first or 0.0) - (second or 0.0)) <= 1e-9 * max(1.0, abs(first or 0.0))
        if first is None or second is None or not _ORDER[operator](first, first if equal else second):
            return False
    return True
