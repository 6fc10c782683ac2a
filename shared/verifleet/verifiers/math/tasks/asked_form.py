"""Whether an answer has the form that was asked for: evaluated, simplified, expanded, factored."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from math import gcd, isqrt

from verifleet.verifiers.math.algebra import polynomials
from verifleet.verifiers.math.algebra.evaluate import exact
from verifleet.verifiers.math.syntax.expression import Node, num
from verifleet.verifiers.math.tasks.copying import unevaluated


def bare(node: Node) -> Node:
    """Without unit, degree or percent sign, and minus."""
    while node.op in ("neg", "unit", "deg", "percent"):
        node = node.args[0]
    return node


def evaluation_fault(answer: Node, source: Node | None = None) -> str | None:
    """Why a value is not yet worked out, or None."""
    if answer.has("int", "sum", "prod", "lim", "deriv", "mod") or answer == source:
        return "The answer still has to be worked out."
    inner = bare(answer)
    if unevaluated(inner):
        return "The arithmetic was left undone."
    if exact(inner) is not None and not _is_literal(inner):
        return "The answer still has to be worked out."
    return None


def _is_literal(node: Node) -> bool:
    """A number, a fraction of numbers, or a number in scientific notation."""
    if node.op in ("num", "dec"):
        return True
    if node.op == "div":
        return all(bare(arg).op in ("num", "dec") for arg in node.args)
    if node.op == "mul" and len(node.args) == 2:
        return node.args[0].op in ("num", "dec") and node.args[1].op == "pow" and node.args[1].args[0] == num(10)
    return node.op == "pow" and node.args[0].op == "num" and len(str(node.args[1].value)) > 3


def missing_form(form: str | None, answer: Node, own: Node) -> str | None:
    """Why an answer lacks the form that is asked for and that the reference has, or None."""
    if form == "scientific":
        refused = _mantissa(own) and not _mantissa(answer)
        return "The number before the power of ten is not from 1 to 10." if refused else None
    if form == "mixed":  # a mixed number is read as one number, a fraction as a quotient
        refused = _is_mixed(own) and not _is_mixed(answer)
        return "The answer is no mixed number." if refused else None
    if form == "prime" or (form == "factor" and not own.variables()):
        return "A factor is not prime." if _composite(answer) and not _composite(own) else None
    if form == "expand":
        return expansion_fault(answer) if expansion_fault(own) is None else None
    if form == "partial" or (form == "power" and own.op == "pow"):
        lacking = _split(own) and not _split(answer) if form == "partial" else answer.args[:1] != own.args[:1]
        return "The answer is not in the form that is asked for." if lacking else None
    if form == "factor":
        fewer = len(_unknown(answer)) < len(_unknown(own))
        fault = factorisation_fault(answer) if factorisation_fault(own) is None else None
        return fault or ("A factor can still be factored." if fewer else None)
    return _unsimplified(answer, own) if form == "simplify" else None


def _is_mixed(node: Node) -> bool:
    node = bare(node)
    return node.op == "num" and node.value.denominator > 1


def _split(node: Node) -> bool:
    """Whether it is a sum of fractions, or a number of times such a sum."""
    return any(part.op == "add" and part.has("div", "pow") for part in (node, *node.args[:-1], *node.args[-1:])[:3])


def _mantissa(node: Node) -> bool:
    """Whether nothing but 1 to 10 stands before a power of ten; a number without one says nothing of it."""
    node = bare(node)
    if node.op != "mul" or node.args[-1].op != "pow" or node.args[-1].args[0] != num(10):
        return True
    value = exact(bare(node.args[0]))
    return value is None or 1 <= value < 10


def _composite(node: Node) -> bool:
    """Whether a factor of a product of numbers is a product itself; those of large numbers are not looked for."""
    exactly = filter(None, map(exact, polynomials.factors(node)))
    values = {value for value in exactly if value.denominator == 1}
    return any(
        value.numerator % d == 0 for value in values for d in range(2, min(isqrt(abs(value.numerator)), 1_000) + 1)
    )


# --- simplified --------------------------------------------------------------


def simplification_fault(answer: Node, source: Node) -> str | None:
    """Why an answer is not simplified, or None."""
    if not source.variables():
        return evaluation_fault(answer, source) or _unsimplified(answer)
    return "The answer is not simplified." if answer == source else _unsimplified(answer)


def _unsimplified(answer: Node, own: Node | None = None) -> str | None:
    """The first fault of an answer that the reference has not."""
    checks = (_fraction_fault, _radical_fault, _uncollected)
    return next((fault for check in checks if not (own and check(own)) and (fault := check(answer))), None)


def _fraction_fault(node: Node) -> str | None:
    for part in node.walk():
        if part.op != "div":
            continue
        top, bottom = (bare(arg) for arg in part.args)
        if "dec" in (top.op, bottom.op) or (
            top.op == bottom.op == "num"
            and (bottom.value == 1 or (top.value / bottom.value).denominator != bottom.value)
        ):
            return "A fraction is not in lowest terms."
        names = part.variables()
        if len(names) == 1 and _polynomials_share(top, bottom, next(iter(names))):
            return "A fraction is not in lowest terms."
    return None


def _polynomials_share(top: Node, bottom: Node, name: str) -> bool:
    try:
        first, second = (polynomials.coefficients(polynomials.polynomial(part), name) for part in (top, bottom))
    except polynomials.NotPolynomialError:
        return False
    return bool(first) and bool(second) and len(polynomials.common_divisor(first, second)) > 1


def _radical_fault(node: Node) -> str | None:
    for part in node.walk():
        if part.op == "root":
            radicand, index = exact(part.args[0]), exact(part.args[1])
            if radicand is not None and index is not None and _has_power(radicand, int(index)):
                return "A root can still be simplified."
    return None


def _uncollected(node: Node) -> str | None:
    """`2√3 + 3√3`: like terms that stand apart."""
    for part in node.walk():
        if part.op == "add":
            roots = [frozenset(inner for inner in term.walk() if inner.op == "root") for term in part.args]
            if not part.variables() and any(roots.count(kind) > 1 for kind in roots if kind):
                return "Like terms are not collected."
    return None


def _has_power(radicand: Fraction, index: int) -> bool:
    if radicand.denominator != 1 or abs(radicand) > 10**12 or not 2 <= index <= 40:
        return False
    value = abs(radicand.numerator)
    bases = takewhile(lambda base: base**index <= value, range(2, 10_000))
    return value < 2 or any(value % base**index == 0 for base in bases)


# --- expanded ----------------------------------------------------------------


def expansion_fault(answer: Node) -> str | None:
    """Why an answer is not a sum of different monomials, or None."""
    terms = answer.args if answer.op == "add" else (answer,)
    for term in terms:
        for part in term.walk():
            if part.op == "add" or (part.op in ("pow", "mul") and any(bare(arg).op == "add" for arg in part.args)):
                return "The answer is not expanded."
    try:
        normal = polynomials.polynomial(answer)
    except polynomials.NotPolynomialError:
        return None
    return "Like terms are not collected." if len(terms) > max(1, len(normal)) else None


# --- factored ----------------------------------------------------------------


def factorisation_fault(answer: Node) -> str | None:
    """Why an answer is not completely factored over the integers (checked to degree three), or None."""
    unknown = _unknown(answer)
    for factor in unknown:
        try:
            normal = polynomials.polynomial(factor)
        except polynomials.NotPolynomialError:
            return "The answer is no product of polynomials."
        if len(normal) > 1 and (_common_factor(normal) or _splits(normal, factor.variables())):
            return "A factor can still be factored."
    return None if unknown else "The answer is not factored."


def _unknown(node: Node) -> list[Node]:
    """The factors that hold variables."""
    return [factor for factor in polynomials.factors(node) if factor.variables()]


def _common_factor(normal: polynomials.Polynomial) -> bool:
    """Whether all terms have a variable or a whole number in common."""
    shared = set.intersection(*({name for name, _ in monomial} for monomial in normal))
    whole = all(value.denominator == 1 for value in normal.values())
    return bool(shared) or (whole and gcd(*(value.numerator for value in normal.values())) != 1)


def _splits(normal: polynomials.Polynomial, names: frozenset[str]) -> bool:
    """Whether a polynomial of degree two or more in one variable has a rational root."""
    values = polynomials.coefficients(normal, *names) if len(names) == 1 else []
    guesses = (Fraction(root).limit_denominator(10_000) for root in polynomials.real_roots(values) if len(values) > 2)
    return any(polynomials.evaluate(values, guess) == 0 for guess in guesses)
