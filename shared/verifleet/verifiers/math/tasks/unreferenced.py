"""Judging without a reference: what the prompt itself asks is checked."""

from __future__ import annotations

from verifleet.verification import WorkerPool
from verifleet.verifiers.math.algebra.roots import SearchLimitError
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.expression import Node, num
from verifleet.verifiers.math.tasks.analysis import (
    asked_value,
    check_antiderivative,
    check_derivative,
    check_value,
)
from verifleet.verifiers.math.tasks.asked_form import (
    evaluation_fault,
    expansion_fault,
    factorisation_fault,
    simplification_fault,
)
from verifleet.verifiers.math.tasks.copying import copied
from verifleet.verifiers.math.tasks.recognition import Task
from verifleet.verifiers.math.tasks.solving import Finding, check_equation, check_inequality, check_system


def check_task(task: Task, text: str, answer: Node, question: Question, workers: WorkerPool) -> Finding:
    """Check an answer (as written, and parsed) against a task."""
    try:
        return _checked(task, text, answer, question, workers)
    except SearchLimitError:
        return Finding(None, "The solutions could not be searched for within bounds.")


def _checked(task: Task, text: str, answer: Node, question: Question, workers: WorkerPool) -> Finding:
    if task.kind == "equation":
        return _equation(task, answer, question)
    if task.kind == "system":
        return check_system(task.parts, task.names, answer)
    if task.kind == "inequality":
        return check_inequality(task.parts[0], task.names[0], answer, task.domain)
    if task.kind == "derivative":
        point = task.parts[1] if len(task.parts) > 1 else None
        return check_derivative(task.parts[0], task.names[0], point, answer, question)
    if task.kind == "integral":
        return check_antiderivative(task.parts[0], task.names[0], answer, question)
    finding = check_value(task.parts[0], answer, question, workers, percent=task.names == ("percent",))
    if not finding.right:
        return finding
    fault = form_fault(task, text, answer, question)
    return finding if fault is None else Finding(False, fault)


def form_fault(task: Task, text: str, answer: Node, question: Question) -> str | None:
    """Why an answer of the right value lacks the form that is asked for, or None."""
    value = asked_value(answer)
    source = task.parts[0]
    if task.kind in ("expand", "factor") and value == source:
        return "The answer is copied from the prompt."
    if task.kind == "expand":
        return expansion_fault(value)
    if task.kind == "factor":
        return factorisation_fault(value)
    if copied(text, value, question):
        return "The answer is copied from the prompt."
    if task.kind == "simplify":
        return simplification_fault(value, source)
    return evaluation_fault(value, source) if task.kind == "value" else None


def _equation(task: Task, answer: Node, question: Question) -> Finding:
    """An equation; `log` without a base may be the common or the natural logarithm."""
    finding = check_equation(task.parts[0], task, answer, question.places)
    equation = _common_logarithms(task.parts[0])
    if finding.right or equation == task.parts[0]:
        return finding
    common = check_equation(equation, task, answer, question.places)
    return common if common.right else finding


def _common_logarithms(node: Node) -> Node:
    args = tuple(map(_common_logarithms, node.args))
    if node.op == "fn" and node.value == "log" and len(args) == 1:
        args = (*args, num(10))
    return Node(node.op, args, node.value)
