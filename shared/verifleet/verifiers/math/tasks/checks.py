"""Judging without a reference: derivatives, integrals, limits and values against what the prompt states."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, TypeVar

from verifleet.errors import WorkerTimeoutError
from verifleet.verification import WorkerPool
from verifleet.verifiers.math.algebra.amounts import stands_for, strip_unit
from verifleet.verifiers.math.algebra.equality import precise_value, same_value
from verifleet.verifiers.math.algebra.equivalence import UNFINISHED, Comparison, UndecidedError, without_constant
from verifleet.verifiers.math.algebra.evaluate import precise_field
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.expression import INFINITY, UNDEFINED, Node, derivative, neg, num
from verifleet.verifiers.math.tasks import asked_form
from verifleet.verifiers.math.tasks.recognition import Task
from verifleet.verifiers.math.tasks.solving import Finding, check_equation, check_inequality, check_system

CPU_SECONDS = 0.6
_LEAST_SECONDS = 0.02  # less is not worth a process
R = TypeVar("R")

_NO_NUMBER = {INFINITY: "oo", neg(INFINITY): "-oo", UNDEFINED: "undefined"}


def check_task(task: Task, text: str, answer: Node, question: Question, workers: WorkerPool) -> Finding:
    """Check an answer (as written, and parsed) against a task."""
    try:
        if task.kind == "equation":
            return _equation(task, answer, question)
        if task.kind == "system":
            return check_system(task.parts, task.names, answer)
        if task.kind == "inequality":
            return check_inequality(task.parts[0], task.names[0], answer, task.domain)
        if task.kind == "integral":
            return check_antiderivative(task.parts[0], task.names[0], answer, question)
        finding = check_value(task, answer, question, workers)
    except UndecidedError:
        return Finding(None, "Whether the answer is right could not be decided.")
    if not finding.right or task.kind == "derivative":
        return finding
    fault = form_fault(task, text, answer, question)
    return finding if fault is None else Finding(False, fault)


def form_fault(task: Task, text: str, answer: Node, question: Question) -> str | None:
    """Why an answer of the right value lacks the form that is asked for, or None."""
    value = answer.said
    source = task.parts[0]
    if task.kind in ("expand", "factor") and value == source:
        return "The answer is copied from the prompt."
    if task.kind in ("expand", "factor"):
        return asked_form.missing_form(task.kind, value)
    if asked_form.copied(text, value, question):
        return "The answer is copied from the prompt."
    if task.kind == "simplify":
        return asked_form.simplification_fault(value, source)
    return asked_form.evaluation_fault(value, source) if task.kind == "value" else None


def _verdict(right: bool, what: str) -> Finding:
    return Finding(right, f"The answer is {what}." if right else f"The answer is not {what}.")


def check_antiderivative(integrand: Node, name: str, answer: Node, question: Question) -> Finding:
    """Whether the derivative of an answer is the integrand, and the constant of integration is there."""
    given = answer.said
    if given.has(*UNFINISHED) or given.op in ("list", "set", "tuple", "rel"):
        return Finding(False, "The answer is no antiderivative.")
    _, constant = without_constant(given)
    if given.variables() - integrand.variables() - {name, constant}:
        return Finding(False, "The answer holds other unknowns.")
    verdict = same_value(derivative(given, name), integrand)
    if verdict is None:
        raise UndecidedError
    if not verdict:
        return Finding(False, "The derivative of the answer is not the integrand.")
    if constant is None and not question.any_constant:
        return Finding(False, "The constant of integration is missing.")
    return Finding(True, "The derivative of the answer is the integrand.")


def check_value(task: Task, answer: Node, question: Question, workers: WorkerPool) -> Finding:
    """Whether an answer is the value of a task's expression."""
    expression = task.parts[0]
    what = "the derivative" if task.kind == "derivative" else "the value that was asked for"
    given, _ = strip_unit(answer.said)
    if given.has(*UNFINISHED):
        return Finding(False, "The answer still has to be worked out.")
    if task.names == ("percent",) and given.op != "percent":
        given = Node("percent", (given,))
    unknown = same_value(expression, given) is None and expression.has(*UNFINISHED) and not expression.variables()
    if unknown or given in _NO_NUMBER:
        return _against(symbolically(workers, "number", expression), expression, given, what)
    comparison = Comparison(question, decide=lambda a, b: symbolically(workers, "same", a, b))
    return _verdict(comparison.same_number(expression, given), what)


def _against(known: str | None, expression: Node, given: Node, what: str) -> Finding:
    """Whether an answer is what computer algebra knows an expression to be; a decimal may be rounded after six."""
    if known is None:
        return Finding(None, "The value could not be found.")
    value = precise_value(given)
    if value is None or known in _NO_NUMBER.values():
        endless = given == UNDEFINED and known.endswith("oo") and expression.op in ("sum", "int")
        return _verdict(endless or _NO_NUMBER.get(given) == known, what)
    expected = precise_field().rational(Fraction(known))
    near = abs(value - expected) <= 1e-18 * max(abs(expected), 1)
    return _verdict(bool(near) or stands_for(given, expected, None), what)


def _equation(task: Task, answer: Node, question: Question) -> Finding:
    """An equation; `log` without a base may be the common or the natural logarithm."""
    equations = dict.fromkeys((task.parts[0], task.parts[0].rebuilt(_common_logarithm)))
    findings = (check_equation(equation, task, answer, question.places) for equation in equations)
    first = next(findings)
    return first if first.right else next((finding for finding in findings if finding.right), first)


def _common_logarithm(node: Node) -> Node:
    lone = node.op == "fn" and node.value == "log" and len(node.args) == 1
    return Node("fn", (*node.args, num(10)), "log") if lone else node


# --- computer algebra, in a worker ----------------------------------------------------------


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


def symbolically(workers: WorkerPool, what: Literal["same", "number"], *nodes: Node) -> Any:
    """Whether computer algebra finds expressions equal, or what number it finds; raises WorkerTimeoutError."""
    from verifleet.verifiers.math.algebra import symbolic

    return workers.call(getattr(symbolic, what), *nodes, cpu_s=CPU_SECONDS)
