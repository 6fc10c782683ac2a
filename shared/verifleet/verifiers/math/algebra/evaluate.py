"""Values of expressions: exact rationals, doubles, and 100-digit numbers.

Every evaluator is bounded: a value that would be large is never formed. `NotEvaluableError`
means that this evaluator can't say, never that something is wrong with the answer.
"""

from __future__ import annotations

import cmath
import math
import operator
import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

from verifleet.verifiers.math.syntax.expression import INFINITY, Node, num

MAX_BITS = 20_000  # of an exact numerator or denominator
MAX_TERMS = 2_000  # of a finite sum or product
MAX_MAGNITUDE = 2_000  # bits before the point of an argument to exp, sin, gamma
MAX_WORK = 60_000  # cost of all evaluations in one comparison; one step with doubles costs 1
_RATIONAL = frozenset("num dec var add mul neg div percent pow".split())
DIGITS = 100
SHORT = 40  # digits in which sums without end are extrapolated
SLOW = 400  # how much smaller the 1,000th term has to be than the 10th: 1/(n log n) is 300 times
MAX_ORDER = 4  # of a derivative
MAX_DERIVED = 600  # digits in which something is differentiated

_ELEMENTARY = "sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh exp ln sqrt".split()

_local = threading.local()

_RECIPROCALS = {"cot": "tan", "sec": "cos", "csc": "sin", "coth": "tanh", "sech": "cosh", "csch": "sinh"}
_INVERSE_RECIPROCALS = {"arcsec": "arccos", "arccsc": "arcsin"}


class NotEvaluableError(ArithmeticError):
    """This evaluator has no value for the expression (at this point)."""


# --- exact rationals ---------------------------------------------------------


def exact(node: Node) -> Fraction | None:
    """The exact rational value, or None: irrational, too large, or not a number at all."""
    try:
        return _exact(node)
    except (ArithmeticError, ValueError, KeyError):
        return None


def _exact(node: Node) -> Fraction:
    return _bounded(_EXACT[node.op](node))


def _bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        _refuse()
    return value


def _exact_power(node: Node) -> Fraction:
    base, power = _exact(node.args[0]), _exact(node.args[1])
    if power.denominator != 1:
        return _exact_root(base**power.numerator if abs(power.numerator) < 64 else _refuse(), power.denominator)
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(power.numerator) > MAX_BITS or (size - 1) * abs(power.numerator) > MAX_BITS or base == power == 0:
        _refuse()
    return Fraction(base**power.numerator)


def _refuse() -> NoReturn:
    raise NotEvaluableError("no exact value, or too large a one")


def _exact_root(value: Fraction, index: int) -> Fraction:
    if index < 1 or index > 64 or (value < 0 and index % 2 == 0):
        _refuse()
    sign = -1 if value < 0 else 1
    top, bottom = integer_root(abs(value.numerator), index), integer_root(value.denominator, index)
    if top is None or bottom is None:
        _refuse()
    return Fraction(sign * top, bottom)


def integer_root(value: int, index: int) -> int | None:
    """The exact root of a non-negative integer, or None."""
    if value < 2:
        return value
    root = 1 << value.bit_length() // index + 1
    while (lower := ((index - 1) * root + value // root ** (index - 1)) // index) < root:  # Newton's method
        root = lower
    return root if root**index == value else None


def _natural(value: Fraction, limit: int) -> int:
    if value.denominator != 1 or not 0 <= value.numerator <= limit:
        _refuse()
    return value.numerator


def _exact_function(node: Node) -> Fraction:
    values = [_exact(arg) for arg in node.args]
    if node.value not in ("gcd", "lcm") or any(value.denominator != 1 for value in values):
        _refuse()
    return Fraction(getattr(math, node.value)(*(value.numerator for value in values)))


def _exact_modulo(node: Node) -> Fraction:
    modulus = _exact(node.args[1])
    return Fraction(_residue(node.args[0], modulus.numerator)) if modulus.denominator == 1 <= modulus else _refuse()


_EXACT: dict[str, Callable[[Node], Fraction]] = {
    "num": lambda node: node.value,
    "dec": lambda node: node.value[0],
    "add": lambda node: sum((_exact(arg) for arg in node.args), Fraction(0)),
    "mul": lambda node: reduce(lambda product, factor: _bounded(product * _exact(factor)), node.args, Fraction(1)),
    "div": lambda node: _exact(node.args[0]) / _exact(node.args[1]),
    "neg": lambda node: -_exact(node.args[0]),
    "pow": _exact_power,
    "root": lambda node: _exact_root(_exact(node.args[0]), _natural(_exact(node.args[1]), 64)),
    "fact": lambda node: Fraction(math.factorial(_natural(_exact(node.args[0]), 2_000))),
    "binom": lambda node: Fraction(
        math.comb(_natural(_exact(node.args[0]), 2_000), _natural(_exact(node.args[1]), 2_000))
    ),
    "abs": lambda node: abs(_exact(node.args[0])),
    "floor": lambda node: Fraction(math.floor(_exact(node.args[0]))),
    "ceil": lambda node: Fraction(math.ceil(_exact(node.args[0]))),
    "percent": lambda node: _exact(node.args[0]) / 100,
    "mod": _exact_modulo,
    "fn": _exact_function,
}


def residue(node: Node, modulus: int) -> int | None:
    """What is left of a rational value modulo a prime, also of one too large to be formed; None for other values."""
    try:
        return _residue(node, modulus)
    except (ArithmeticError, ValueError, KeyError):
        return None


def _residue(node: Node, modulus: int) -> int:
    if node.op == "pow" and (power := _exact(node.args[1])).denominator == 1 and power.numerator.bit_length() < 1_000:
        return pow(_residue(node.args[0], modulus), power.numerator, modulus)
    if node.op == "fact":
        return math.factorial(_natural(_exact(node.args[0]), 5_000)) % modulus
    if node.op not in ("add", "mul", "neg", "div"):
        value = _exact(node)
        return value.numerator * pow(value.denominator, -1, modulus) % modulus
    args = [_residue(arg, modulus) for arg in node.args]
    args[-1] = pow(args[-1], -1, modulus) if node.op == "div" else args[-1]
    return (sum(args) if node.op == "add" else -args[0] if node.op == "neg" else math.prod(args)) % modulus


def exact_at(node: Node, values: Mapping[str, int]) -> Fraction | None:
    """The exact value of a rational expression at a point; None for other expressions, and where it is too large."""
    for part in node.walk():
        power = exact(part.args[1]) if part.op == "pow" else None
        if (part.op not in _RATIONAL or (power and power.denominator > 1)) and part.variables():
            return None
    return exact(node.substitute({name: num(value) for name, value in values.items()}))


# --- floating point ----------------------------------------------------------


def _real(value: Any) -> float:
    if abs(value.imag) > 1e-12 * abs(value.real) + 1e-30:
        raise NotEvaluableError("not real")
    return float(value.real)


def _bounded_factorial(value: complex) -> complex:
    real = _real(value)
    if real > 165:
        raise NotEvaluableError("large")
    return complex(math.gamma(real + 1))


def elementary(library: Any, *others: str) -> dict[str, Callable[..., Any]]:
    """The elementary functions, and others, of a library that calls arcsin asin and ln log."""
    names = (*_ELEMENTARY, *others)
    return {name: getattr(library, "log" if name == "ln" else name.replace("arc", "a")) for name in names}


class _Doubles:
    """Complex doubles: the fast evaluator, good enough to tell most different values apart."""

    cost = 1

    _CALLS: ClassVar[dict[str, Callable[..., Any]]] = elementary(cmath) | {
        "abs": lambda z: complex(abs(z)), "conj": lambda z: z.conjugate(),
        "re": lambda z: complex(z.real), "im": lambda z: complex(z.imag), "arg": lambda z: complex(cmath.phase(z)),
        "floor": lambda z: complex(math.floor(_real(z))), "ceil": lambda z: complex(math.ceil(_real(z))),
        "fact": _bounded_factorial, "gamma": lambda z: _bounded_factorial(z - 1),
        "erf": lambda z: complex(math.erf(_real(z))),
    }  # fmt: skip
    _CONSTANTS: ClassVar = {"pi": complex(math.pi), "e": complex(math.e), "i": 1j}

    rational = staticmethod(complex)
    power = staticmethod(operator.pow)

    def constant(self, name: str) -> complex:
        return self._CONSTANTS[name]

    def call(self, name: str, *values: complex) -> complex:
        result: complex = self._CALLS[name](*values)
        return result


class _PreciseNumbers:
    """mpmath numbers in a context of their own; arguments that would explode are refused."""

    def __init__(self, digits: int) -> None:
        from mpmath.ctx_mp import MPContext

        self.cost = 8 + digits // 50
        self.context = context = MPContext()
        context.dps = digits
        self._calls = elementary(context, *"conj re im arg floor ceil gamma erf".split())
        self._calls |= {"abs": abs, "fact": context.factorial}
        self._cheap = frozenset({"abs", "conj", "re", "im", "sqrt"})
        if digits > DIGITS:  # one value takes seconds
            for name in ("fact", "gamma", "erf"):
                del self._calls[name]

    def rational(self, value: Fraction) -> Any:
        return self.context.mpf(value.numerator) / value.denominator

    def constant(self, name: str) -> Any:
        return {"pi": +self.context.pi, "e": +self.context.e, "i": self.context.mpc(0, 1)}[name]

    def call(self, name: str, *values: Any) -> Any:
        if name not in self._cheap:
            for value in values:
                self._bound(value, 200 if name in ("fact", "gamma", "erf") else MAX_MAGNITUDE)
        if name not in self._calls:
            raise NotEvaluableError(name)
        return self._calls[name](*values)

    def power(self, base: Any, exponent: Any) -> Any:
        if base == 0:
            if exponent == 0 or self.context.re(exponent) < 0:
                raise NotEvaluableError("zero to no positive power")
            return self.context.mpf(0)
        self._bound(exponent * self.context.log(base), MAX_MAGNITUDE)
        return base**exponent

    def _bound(self, value: Any, bits: int) -> None:
        if value != 0 and self.context.mag(value) > bits:
            raise NotEvaluableError("a value beyond all bounds")


Field = _Doubles | _PreciseNumbers
DOUBLES = _Doubles()


def precise_field(digits: int = DIGITS) -> _PreciseNumbers:
    """This thread's own field of so many digits (mpmath contexts can't be shared between threads)."""
    fields: dict[int, _PreciseNumbers] | None = getattr(_local, "fields", None)
    if fields is None:
        fields = _local.fields = {}
    if digits not in fields:
        fields[digits] = _PreciseNumbers(digits)
    return fields[digits]


class Budget:
    """How much work a comparison may still do."""

    def __init__(self, left: int = MAX_WORK) -> None:
        self.left = left


class Evaluation:
    """One evaluation of an expression in a field, with a bound on the work."""

    def __init__(self, field: Field, values: Mapping[str, Any], budget: Budget | None = None) -> None:
        self.field = field
        self.values = dict(values)
        self.budget = budget or Budget()
        self.scale: Any = 0.0  # largest summand met: cancellation is measured against it

    def value(self, node: Node) -> Any:
        """The value; raises NotEvaluableError."""
        try:
            result = self._value(node)
        except (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise NotEvaluableError(str(error)) from None
        if result != result or (isinstance(result, complex) and cmath.isinf(result)):
            raise NotEvaluableError("no finite value")
        return result

    def _value(self, node: Node) -> Any:
        self.budget.left -= self.field.cost
        if self.budget.left < 0:
            raise NotEvaluableError("too much work")
        return _RULES[node.op](self, node)

    def _sum(self, node: Node) -> Any:
        total: Any = 0
        for term in node.args:
            value = self._value(term)
            total = total + value
            self.scale = max(self.scale, abs(value))
        return total

    def _product(self, node: Node) -> Any:
        result = self._value(node.args[0])
        for factor in node.args[1:]:
            result = result * self._value(factor)
        return result

    def _power(self, node: Node) -> Any:
        base, power = node.args
        if base.op == "const" and base.value == "e":
            return self.field.call("exp", self._value(power))
        rational = exact(power)
        value = self._value(base)
        if rational is not None and rational.denominator % 2 and rational.denominator > 1 and _is_negative(value):
            root = self.field.power(-value, self.field.rational(Fraction(1, rational.denominator)))
            return self.field.power(-root, self.field.rational(Fraction(rational.numerator)))
        return self.field.power(value, self._value(power))

    def _root(self, node: Node) -> Any:
        radicand, index = node.args
        if exact(index) == 2:
            return self.field.call("sqrt", self._value(radicand))
        return self._power(Node("pow", (radicand, Node("div", (num(1), index)))))

    def _function(self, node: Node) -> Any:
        name = node.value
        values = [self._value(arg) for arg in node.args]
        self.scale = max(self.scale, *map(abs, values))  # sin(pi) is only as small as pi is exact
        if name == "log":
            base = values[1] if len(values) == 2 else self.field.constant("e")
            return self.field.call("ln", values[0]) / self.field.call("ln", base)
        if name in _RECIPROCALS:
            return 1 / self.field.call(_RECIPROCALS[name], *values)
        if name in _INVERSE_RECIPROCALS:
            return self.field.call(_INVERSE_RECIPROCALS[name], 1 / values[0])
        if name == "arccot":
            return self.field.constant("pi") / 2 - self.field.call("arctan", values[0])
        return self.field.call(name, *values)

    def _binomial(self, node: Node) -> Any:
        top, bottom = (self._value(arg) for arg in node.args)
        call = self.field.call
        return call("fact", top) / (call("fact", bottom) * call("fact", top - bottom))

    def _repeated(self, node: Node) -> Any:
        body, low, high = node.args
        first, last = exact(low), exact(high)
        if high == INFINITY and node.op == "sum" and first is not None and first.denominator == 1:
            return self._endless(node, first.numerator)
        if first is None or last is None or first.denominator != 1 or last.denominator != 1:
            raise NotEvaluableError("limits that are no integers")
        if last - first >= MAX_TERMS:
            raise NotEvaluableError("too many terms")
        inner = Evaluation(self.field, self.values, self.budget)
        result = self.field.rational(Fraction(0 if node.op == "sum" else 1))
        for index in range(first.numerator, last.numerator + 1):
            inner.values[node.value] = self.field.rational(Fraction(index))
            term = inner._value(body)
            result = result + term if node.op == "sum" else result * term
        self.scale = max(self.scale, inner.scale)
        return result

    def _endless(self, node: Node, first: int) -> Any:
        """A sum without end whose terms alternate, or fall faster than 1/n: others may seem to converge."""
        context = getattr(self.field, "context", None)
        if context is None or context.dps != SHORT:
            raise NotEvaluableError("nothing is extrapolated here")
        inner = Evaluation(self.field, self.values, self.budget)

        def term(index: Any) -> Any:
            inner.values[node.value] = context.mpf(index)
            return inner._value(node.args[0])

        near, far, behind = (term(first + step) for step in (10, 1_000, 1_001))
        alternates = context.re(far * behind) < 0 and 5 * abs(far) < abs(near)
        if not alternates and SLOW * abs(far) >= abs(near):
            raise NotEvaluableError("terms that fall too slowly")
        return context.nsum(term, [first, context.inf])

    def _derivative(self, node: Node) -> Any:
        """By central differences, in so many digits that nothing is lost of those of the field."""
        name, order = node.value
        if not isinstance(self.field, _PreciseNumbers) or not 0 < order <= MAX_ORDER:
            raise NotEvaluableError("a derivative")
        if name not in node.args[0].variables():
            return self.field.rational(Fraction(0))
        context = self.field.context
        digits = context.dps
        if digits > MAX_DERIVED:
            raise NotEvaluableError("derivatives within each other")
        point, inner = self._value(node.args[1]), Evaluation(self.field, self.values, self.budget)
        with context.workdps((order + 2) * digits):
            step, total = context.mpf(10) ** -digits, context.mpf(0)
            for index in range(order + 1):
                inner.values[name] = point + (context.mpf(order) / 2 - index) * step
                total += (-1) ** index * math.comb(order, index) * inner._value(node.args[0])
            total /= step**order
        self.scale = max(self.scale, inner.scale)
        return +total


def value_at(
    node: Node, field: Field, values: Mapping[str, Any] = MappingProxyType({}), budget: Budget | None = None
) -> Any:
    """The value of an expression at a point, in the numbers of a field; None where it has none."""
    try:
        return Evaluation(field, values, budget).value(node)
    except NotEvaluableError:
        return None


def _is_negative(value: Any) -> bool:
    return bool(value.imag == 0 and value.real < 0)


_RULES: dict[str, Callable[[Evaluation, Node], Any]] = {
    "num": lambda self, node: self.field.rational(node.value),
    "dec": lambda self, node: self.field.rational(node.value[0]),
    "const": lambda self, node: self.field.constant(node.value),
    "var": lambda self, node: self.values[node.value],
    "add": Evaluation._sum,
    "mul": Evaluation._product,
    "neg": lambda self, node: -self._value(node.args[0]),
    "div": lambda self, node: self._value(node.args[0]) / self._value(node.args[1]),
    "pow": Evaluation._power,
    "root": Evaluation._root,
    "fn": Evaluation._function,
    **dict.fromkeys(
        ("fact", "abs", "floor", "ceil"), lambda self, node: self.field.call(node.op, self._value(node.args[0]))
    ),
    "binom": Evaluation._binomial,
    "percent": lambda self, node: self._value(node.args[0]) / 100,
    "deg": lambda self, node: self._value(node.args[0]) * self.field.constant("pi") / 180,
    "sum": Evaluation._repeated,
    "prod": Evaluation._repeated,
    "mod": lambda self, node: self.field.rational(_exact(node)),
    "deriv": Evaluation._derivative,
}
