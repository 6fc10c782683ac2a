"""Whether an answer has the form that was asked for: no copy of the prompt, worked out, simplified, factored."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import takewhile
from math import gcd, isqrt

from verifleet.verifiers.math.algebra import polynomials
from verifleet.verifiers.math.algebra.amounts import unit_letter
from verifleet.verifiers.math.algebra.equality import in_order
from verifleet.verifiers.math.algebra.evaluate import exact
from verifleet.verifiers.math.question import Question, fold
from verifleet.verifiers.math.syntax.expression import I, Node, num

_OPERATION = re.compile(
    r"[+*/^=<>!]|(?<=.)-|\\(?:frac|sqrt|times|div|binom|int|sum|lim|log|ln|sin|cos|tan|le|ge|mod|overline)"
)
_FORM = re.compile(r"\\(?:overline|bar|dot|ldots)|\.\.\.")  # a way to write a number that is worth changing
_BRACES = re.compile(r"[{}]")
_OPERATORS = frozenset({"deriv", "int", "lim", "sum"})
"""What says that something is to be worked out, and not what comes of it."""
MAX_COPY = 1_000  # characters of an answer that may stand in the prompt

_PLAIN_ARITHMETIC = frozenset({"num", "dec", "neg", "add", "mul"})


def bare(node: Node) -> Node:
    """Without unit, degree or percent sign, and minus."""
    while node.op in ("neg", "unit", "deg", "percent"):
        node = node.args[0]
    return node


# --- copied, or left undone --------------------------------------------------


def copied(answer: str, node: Node | None, question: Question) -> bool:
    """Whether an answer that is worth computing stands in the prompt: as it is, or up to the order of terms."""
    if node is not None and node.op == "list" and node.value == "or":
        return any(copied("", part, question) for part in node.args)
    text = _BRACES.sub("", fold(answer)).strip(".,;")
    if question.converts and node is not None and any(node.said == given for _, given in question.formulas):
        return True
    worth = node is None or not _is_plain(node) or _FORM.search(text) is not None
    operated = _OPERATION.search(text) is not None and (len(text) > 2 or text.endswith("!"))
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
    """Of `y = x + 1` the side that is worth something."""
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
    """Whether plain numbers were left to be worked out (`48 · 45`, not `3 · 10^5`), or a derivative and the like."""
    node = bare(node)
    if node.op in _OPERATORS:
        return True
    if node.op == "mod":
        number, divisor = map(exact, node.args)
        return number is not None and divisor is not None and not 0 <= number < divisor
    if node.op == "root":
        return exact(node) is not None or unevaluated(node.args[0])
    if node.op == "pow" and node.args[0].has("const") and I in node.args[0].walk():
        return exact(node.args[1]) is not None  # (2i)^2
    if node.op not in ("add", "mul"):
        return False
    if all(part.op in _PLAIN_ARITHMETIC for part in node.walk()):
        return True
    return node.op == "add" and sum(map(_is_step, node.args)) > 1


def _is_step(node: Node) -> bool:
    """A product or a small power of numbers, as in `4^2 + 3 · 4`."""
    node = bare(node)
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


# --- worked out --------------------------------------------------------------


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


def missing_form(form: str | None, answer: Node, own: Node | None = None) -> str | None:
    """Why an answer lacks the form that is asked for, and that its reference has if there is one; or None."""
    if form == "factor" and own and not own.variables():
        form = "prime"
    faults = (fault(answer) for fault in _FAULTS.get(form or "", ()) if own is None or fault(own) is None)
    found = next(filter(None, faults), None)
    if found is None and form == "factor" and own and len(_unknown(answer)) < len(_unknown(own)):
        return "A factor can still be factored."
    if form == "power" and own and own.op == "pow" and answer.args[:1] != own.args[:1]:
        return "The answer is not in the form that is asked for."
    return found


def _mixed_fault(node: Node) -> str | None:
    """A mixed number is read as one number, a fraction as a quotient."""
    node = bare(node)
    said = node.op == "list" or (node.op == "num" and node.value.denominator > 1)  # 1 and 7/12
    return None if said else "The answer is no mixed number."


def _scientific_fault(node: Node) -> str | None:
    """Nothing but 1 to 10 stands before a power of ten; a number without one says nothing of it."""
    node = bare(node)
    if node.op != "mul" or node.args[-1].op != "pow" or node.args[-1].args[0] != num(10):
        return None
    value = exact(bare(node.args[0]))
    return None if value is None or 1 <= value < 10 else "The number before the power of ten is not from 1 to 10."


def _prime_fault(node: Node) -> str | None:
    """No factor of a product of numbers is a product itself; those of large numbers are not looked for."""
    exactly = filter(None, map(exact, polynomials.factors(node)))
    values = {abs(value.numerator) for value in exactly if value.denominator == 1}
    composite = any(value % d == 0 for value in values for d in range(2, min(isqrt(value), 1_000) + 1))
    return "A factor is not prime." if composite else None


def _partial_fault(node: Node) -> str | None:
    """Partial fractions are a sum of quotients, each over powers of one factor."""
    sums = (part for part in node.walk() if part.op == "add")
    apart = any(sum(term.has("div") for term in part.args) > 1 for part in sums)
    bottoms = (part.args[1] for part in node.walk() if part.op == "div")
    if not apart or any(len(set(_unknown(bottom))) > 1 for bottom in bottoms):
        return "The answer is not in partial fractions."
    return None


# --- simplified --------------------------------------------------------------


def simplification_fault(answer: Node, source: Node) -> str | None:
    """Why an answer is not simplified, or None."""
    if not source.variables():
        return evaluation_fault(answer, source) or missing_form("simplify", answer)
    return "The answer is not simplified." if answer == source else missing_form("simplify", answer)


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


def _ratio_fault(node: Node) -> str | None:
    """`6:8` and `0.5:1`."""
    parts = [part for part in map(exact, node.args) if part is not None]
    lowest = gcd(*(part.numerator for part in parts)) == 1 and all(part.denominator == 1 for part in parts)
    known = node.op == "ratio" and len(parts) == len(node.args)
    return "A ratio is not in lowest terms." if known and not lowest else None


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


_FAULTS: dict[str, tuple[Callable[[Node], str | None], ...]] = {
    "scientific": (_scientific_fault,),
    "partial": (_partial_fault,),
    "mixed": (_mixed_fault,),
    "prime": (_prime_fault,),
    "simplify": (_fraction_fault, _ratio_fault, _radical_fault, _uncollected),
    "expand": (expansion_fault,),
    "factor": (factorisation_fault,),
}
