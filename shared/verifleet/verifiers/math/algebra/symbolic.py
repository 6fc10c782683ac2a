"""What needs a computer algebra system; runs in killable worker processes only.

SymPy objects are built from our own tree through an allow-list, never from text. Everything here
may take for ever or exhaust memory: whoever calls it does so through a WorkerPool.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath
import sympy

from verifleet.verifiers.math.algebra.evaluate import elementary, exact
from verifleet.verifiers.math.syntax.expression import Node

DIGITS = 30
MAX_POWER = 10_000

_CALLS: dict[str, Callable[..., Any]] = {
    **elementary(sympy, *"cot sec csc coth arccot arcsec arccsc log gcd lcm gamma erf re im arg".split()),
    **{"max": sympy.Max, "min": sympy.Min, "conj": sympy.conjugate, "sgn": sympy.sign},
    **{"add": sympy.Add, "mul": sympy.Mul, "neg": operator.neg, "div": operator.truediv, "root": sympy.root},
    **{"fact": sympy.factorial, "binom": sympy.binomial, "abs": sympy.Abs},
    **{"floor": sympy.floor, "ceil": sympy.ceiling},
    "percent": lambda value: value / 100,
    "deg": lambda value: value * sympy.pi / 180,
}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}

_symbol = partial(sympy.Symbol, real=True)

_UNFINISHED = (sympy.Integral, sympy.Sum, sympy.Limit, sympy.Product)


class NotSymbolicError(ValueError):
    """The expression holds something that has no SymPy counterpart here."""


def to_sympy(node: Node) -> Any:
    """Build the SymPy expression of a tree; raises NotSymbolicError."""
    if node.op in ("num", "dec"):
        value = node.value if node.op == "num" else node.value[0]
        return sympy.Rational(value.numerator, value.denominator)
    if node.op == "var":
        return _symbol(node.value)
    if node.op == "const" and node.value in _CONSTANTS:
        return _CONSTANTS[node.value]
    call = _CALLS.get(node.value if node.op == "fn" else node.op)
    if call is not None:
        return call(*map(to_sympy, node.args))
    rule = _RULES.get(node.op)
    if rule is None:
        raise NotSymbolicError(node.op)
    return rule(node)


def _power(node: Node) -> Any:
    exponent = exact(node.args[1])
    if exponent is not None and abs(exponent) > MAX_POWER:
        raise NotSymbolicError("a large power")
    return sympy.Pow(to_sympy(node.args[0]), to_sympy(node.args[1]))


def _sum(node: Node) -> Any:
    body, low, high = map(to_sympy, node.args)
    return (sympy.Sum if node.op == "sum" else sympy.Product)(body, (_symbol(node.value), low, high))


def _integral(node: Node) -> Any:
    body, *limits = map(to_sympy, node.args)
    return sympy.Integral(body, (_symbol(node.value), *limits) if limits else _symbol(node.value))


def _limit(node: Node) -> Any:
    name, side = node.value
    point = to_sympy(node.args[1])
    direction = side or ("-" if point == sympy.oo else "+" if point == -sympy.oo else "+-")
    return sympy.Limit(to_sympy(node.args[0]), _symbol(name), point, direction)


_RULES: dict[str, Callable[[Node], Any]] = {
    "pow": _power,
    "deriv": lambda node: (
        to_sympy(node.args[0])
        .diff(_symbol(node.value[0]), node.value[1])
        .subs(_symbol(node.value[0]), to_sympy(node.args[1]))
    ),
    "sum": _sum,
    "prod": _sum,
    "int": _integral,
    "lim": _limit,
}

_FAILURES = (NotSymbolicError, MemoryError, RuntimeError, ValueError, TypeError, ArithmeticError)


# --- what workers are asked --------------------------------------------------


def number(node: Node) -> str | None:
    """A constant with integrals, sums or limits in it, to 25 digits.

    Or one of "oo", "-oo", "undefined"; None for can't tell.
    """
    try:
        return _quadrature(node) or _as_number(to_sympy(node).doit())
    except _FAILURES:
        return None


def _as_number(value: Any) -> str | None:
    if value is sympy.nan or value.has(sympy.AccumBounds, sympy.zoo, sympy.nan):
        return "undefined"
    if value in (sympy.oo, -sympy.oo):
        return str(value)
    value = value.evalf(DIGITS)
    return _digits(value) if value.is_number and not value.has(*_UNFINISHED) else None


def _digits(value: Any) -> str | None:
    real, imaginary = value.as_real_imag()
    if not (real.is_Float or real.is_Rational) or abs(imaginary) > 1e-20:
        return None
    with mpmath.workdps(DIGITS):
        return str(mpmath.nstr(mpmath.mpf(str(real)), 25))


def _quadrature(node: Node) -> str | None:
    """A single definite integral in numbers, where more digits change nothing."""
    if node.op != "int" or len(node.args) != 3 or node.args[0].has("int", "sum", "prod", "lim"):
        return None
    first, second = (to_sympy(node).evalf(digits) for digits in (DIGITS, DIGITS + 10))
    near = first.is_Float and second.is_Float and abs(first - second) <= 1e-20 * max(1, abs(first))
    return _digits(first) if near else None


def same(left: Node, right: Node) -> bool | None:
    """Whether two expressions are equal after everything is carried out and simplified; None for can't tell."""
    try:
        first, second = to_sympy(left), to_sympy(right)
        if first == second:
            return True
        difference = sympy.simplify((first - second).doit())
    except _FAILURES:
        return None
    if difference == 0:
        return True
    if difference.is_number or not difference.has(*_UNFINISHED):
        zero = difference.equals(0)
        return None if zero is None else bool(zero)
    return None
