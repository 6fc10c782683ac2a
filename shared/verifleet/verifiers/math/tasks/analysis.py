"""Checking derivatives, integrals, limits and values against what a prompt states."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from verifleet.errors import WorkerTimeoutError
from verifleet.verification import WorkerPool
from verifleet.verifiers.math.algebra.amounts import decimal_digits, strip_unit
from verifleet.verifiers.math.algebra.equality import precise_value, same_value
from verifleet.verifiers.math.algebra.equivalence import SIGNIFICANT_DIGITS, Comparison, UndecidedError, is_equation
from verifleet.verifiers.math.algebra.evaluate import Evaluation, NotEvaluableError, precise_field
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.expression import INFINITY, UNDEFINED, Node, derivative, neg, num
from verifleet.verifiers.math.tasks.solving import Finding

_UNFINISHED = ("int", "sum", "prod", "lim", "deriv")
CPU_SECONDS = 0.6
_LEAST_SECONDS = 0.02  # less is not worth a process
R = TypeVar("R")

_ASKED = "the value that was asked for"

_STEPS = (10**8, 10**16, 10**24)


def asked_value(answer: Node) -> Node:
    """The expression an answer gives: of `f'(x) = 2x` the right side, of `2 + 3 = 5` the last."""
    if is_equation(answer):
        return answer.args[-1]
    return answer


def check_derivative(stated: Node, name: str, point: Node | None, answer: Node, question: Question) -> Finding:
    """Whether an answer is the derivative (at a point, if one is given)."""
    given, _ = strip_unit(asked_value(answer))
    if given.has(*_UNFINISHED):
        return Finding(False, "The answer still has to be worked out.")
    expected = stated if point is None else stated.substitute({name: point})
    return _compared(Comparison(question), expected, given, "the derivative")


def _verdict(right: bool, what: str) -> Finding:
    return Finding(right, f"The answer is {what}." if right else f"The answer is not {what}.")


def _compared(comparison: Comparison, expected: Node, given: Node, what: str) -> Finding:
    try:
        same = comparison.same_number(expected, given)
    except UndecidedError:
        return Finding(None, "Whether the values are equal could not be decided.")
    return _verdict(same, what)


def check_antiderivative(integrand: Node, name: str, answer: Node, question: Question) -> Finding:
    """Whether the derivative of an answer is the integrand, and the constant of integration is there."""
    given = asked_value(answer)
    if given.has(*_UNFINISHED) or given.op in ("list", "set", "tuple", "rel"):
        return Finding(False, "The answer is no antiderivative.")
    strangers = given.variables() - integrand.variables() - {name}
    if len(strangers) > 1:
        return Finding(False, "The answer holds other unknowns.")
    verdict = same_value(derivative(given, name), integrand)
    if verdict is None:
        return Finding(None, "Whether the values are equal could not be decided.")
    if not verdict:
        return Finding(False, "The derivative of the answer is not the integrand.")
    varies = any(
        same_value(given.substitute({stranger: num(0)}), given.substitute({stranger: num(1)})) is False
        for stranger in strangers
    )
    if not varies and not (question.any_constant and not strangers):
        return Finding(False, "The constant of integration is missing.")
    return Finding(True, "The derivative of the answer is the integrand.")


def check_value(
    expression: Node, answer: Node, question: Question, workers: WorkerPool, *, percent: bool = False
) -> Finding:
    """Whether an answer is the value of an expression."""
    given, _ = strip_unit(asked_value(answer))
    if given.has(*_UNFINISHED):
        return Finding(False, "The answer still has to be worked out.")
    if percent and given.op != "percent":
        given = Node("percent", (given,))
    if given in (INFINITY, neg(INFINITY), UNDEFINED):
        return _infinite(expression, given, workers)
    if same_value(expression, given) is None and expression.has(*_UNFINISHED) and not expression.variables():
        return _against_number(expression, given, workers)
    comparison = Comparison(question, decide=lambda a, b: symbolically_same(workers, a, b))
    return _compared(comparison, expression, given, _ASKED)


class SharedTime:
    """A pool for one judgement: all that it asks of computer algebra shares CPU_SECONDS and a little more."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._left = 1.5 * CPU_SECONDS

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = CPU_SECONDS) -> R:
        """As `WorkerPool.call`, with no more time than is left."""
        if self._left < _LEAST_SECONDS:
            raise WorkerTimeoutError("the time of this comparison is used up")
        value, seconds = self._pool.call(_timed, function, args, cpu_s=min(cpu_s, self._left))
        self._left -= seconds
        result: R = value
        return result


def _timed(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, float]:
    """In the worker: what the function returns, and the CPU seconds it took."""
    began = time.process_time()
    return function(*args), time.process_time() - began


def symbolically_same(workers: WorkerPool, left: Node, right: Node) -> bool | None:
    """Whether computer algebra finds two expressions equal; raises WorkerTimeoutError."""
    from verifleet.verifiers.math.algebra import symbolic

    return workers.call(symbolic.same, left, right, cpu_s=CPU_SECONDS)


def _number(expression: Node, workers: WorkerPool) -> str | None:
    from verifleet.verifiers.math.algebra import symbolic

    return workers.call(symbolic.number, expression, cpu_s=CPU_SECONDS)


def _infinite(expression: Node, given: Node, workers: WorkerPool) -> Finding:
    known = _number(expression, workers)
    if known is None:
        return Finding(None, "The value could not be found.")
    wanted = {INFINITY: "oo", neg(INFINITY): "-oo", UNDEFINED: "undefined"}[given]
    if given == UNDEFINED and known in ("oo", "-oo"):
        return _verdict(expression.op in ("sum", "int"), _ASKED)
    return _verdict(known == wanted, _ASKED)


def _against_number(expression: Node, given: Node, workers: WorkerPool) -> Finding:
    value = precise_value(given)
    if value is None:
        return _verdict(False, _ASKED)
    known = _number(expression, workers)
    if known is None:
        return Finding(None, "The value could not be found.")
    if known in ("oo", "-oo", "undefined"):
        return _verdict(False, _ASKED)
    expected = precise_field().rational(Fraction(known))
    return _verdict(close_to(value, expected, given), _ASKED)


def close_to(value: Any, expected: Any, given: Node) -> bool:
    """Whether a value equals a number known to 20 digits; a decimal may be rounded after six."""
    gap = abs(value - expected)
    if gap <= abs(expected) * precise_field().rational(Fraction(1, 10**18)) or (expected == 0 and abs(value) < 1e-18):
        return True
    digits = decimal_digits(given)
    return digits is not None and digits[0] > 0 and digits[1] >= SIGNIFICANT_DIGITS and gap < 10.0 ** -digits[0]


# --- limits ------------------------------------------------------------------


def check_limit(limit: Node, answer: Node, question: Question, workers: WorkerPool) -> Finding:
    """Whether an answer is a limit: by approaching the point, else by computer algebra."""
    given, _ = strip_unit(asked_value(answer))
    if given.has(*_UNFINISHED):
        return Finding(False, "The answer still has to be worked out.")
    approached = _approached(limit, given)
    if approached is not None:
        return _verdict(approached, "the limit")
    return check_value(limit, given, question, workers)


def _approached(limit: Node, given: Node) -> bool | None:
    """Follow the expression towards the point; True or False if the outcome is beyond doubt."""
    body, point = limit.args
    name, side = limit.value
    if body.variables() - {name}:
        return None
    sides = _arguments(point, side)
    if sides is None:
        return None
    verdicts = [_converges(body, name, arguments, given) for arguments in sides]
    if any(verdict is None for verdict in verdicts):
        return None
    return all(verdicts)


def _followed(body: Node, name: str, arguments: list[Any]) -> list[Any] | None:
    """Real values of an expression along a sequence, or None."""
    try:
        values = [Evaluation(precise_field(), {name: argument}).value(body) for argument in arguments]
    except (NotEvaluableError, ArithmeticError, ValueError, TypeError):
        return None
    return [value.real for value in values] if all(abs(value.imag) <= 1e-30 for value in values) else None


def _arguments(point: Node, side: str) -> list[list[Any]] | None:
    field = precise_field()
    if point in (INFINITY, neg(INFINITY)):
        sign = 1 if point == INFINITY else -1
        return [[field.rational(Fraction(sign * step)) for step in (10**3, 10**6, 10**9)]]
    centre = precise_value(point)
    if centre is None:
        return None
    signs = {"+": (1,), "-": (-1,)}.get(side, (1, -1))
    return [[centre + field.rational(Fraction(sign, step)) for step in _STEPS] for sign in signs]


def _converges(body: Node, name: str, arguments: list[Any], given: Node) -> bool | None:
    values = _followed(body, name, arguments)
    claimed = precise_value(num(0) if given == UNDEFINED else given)
    if values is None or claimed is None:  # no value is known to be infinite
        return None
    first, second, third = values
    gaps = [abs(value - claimed) for value in values]
    size = 1 if given == UNDEFINED else max(1, abs(claimed))
    settled = abs(third - second) <= abs(second - first) / 100 and abs(third - second) < size * 1e-6
    if given == UNDEFINED:
        return False if settled else None
    if (gaps[2] <= gaps[1] / 100 <= gaps[0] / 10_000 and gaps[2] < size * 1e-6) or not any(gaps):
        return True
    return False if settled and gaps[2] > size * 1e-4 else None
