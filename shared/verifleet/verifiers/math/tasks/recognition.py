"""What a prompt asks, where there is no reference: its formulas, and the task they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from verifleet.verifiers.math.algebra.regions import Region, region
from verifleet.verifiers.math.question import Question, fold
from verifleet.verifiers.math.syntax.expression import Node, derivative, names_in, num
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.runs import FORMULA
from verifleet.verifiers.math.syntax.vocabulary import phrased

Kind = Literal[
    "equation", "system", "inequality", "derivative", "integral", "limit", "value", "simplify", "expand", "factor"
]
MAX_TASK = 2_500  # characters of a prompt; longer ones are no plain tasks
_DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\])d[a-z](?![A-Za-z])|\\mathrm\s*\{\s*d\s*[a-z]?\s*\}")
_LIMIT = r"\$?(?:[a-z]\s*=\s*)?([^\s$,?]+)\$?"
_LIMITS = re.compile(
    rf"\bfrom\s+{_LIMIT}\s+to\s+{_LIMIT}|\bbetween\s+{_LIMIT}\s+and\s+{_LIMIT}|"
    r"\b(?:over|on)\s+(?:the\s+)?(?:closed\s+)?(?:interval\s+)?\$?[\[(]([^\s,\[\]]+)\s*,\s*([^\s,\[\]]+)[\])]"
)
_APPROACHES = re.compile(
    r"\bas\s+\$?([a-z])\$?\s*(?:approaches|tends to|goes to|->|→|\\to|\\rightarrow)\s*\$?([^\s$,?]+)"
)
_ORDERS = {"second": 2, "third": 3, "fourth": 4, "2nd": 2, "3rd": 3, "4th": 4}
_ASKS_DERIVATIVE = re.compile(phrased("recognition.derivative"))
_FORMS = {
    form: phrased(f"recognition.form_{form}")
    for form in "scientific prime power partial mixed factor expand simplify".split()
}
_REWRITINGS: tuple[Kind, ...] = ("factor", "expand", "simplify")
_SOLVING = re.compile(phrased("recognition.solving"))
_BEYOND = re.compile(phrased("recognition.beyond"))
_NO_VALUES = frozenset("rel list interval tuple union set ratio text num dec var const".split())
_EVALUATING = re.compile(phrased("recognition.evaluating"))
_BEYOND_VALUE = re.compile(phrased("recognition.beyond_value"))
_N = r"\$?(-?\d+(?:\.\d+)?)\$?"
_LIST = r"\s*(?:of|for|\()?\s*((?:\$?\d+\$?(?:\s*,\s*(?:and\s+)?|\s+and\s+))+\$?\d+\$?)"
_SEPARATED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_SIGNS = {
    **dict.fromkeys(("sum", "plus"), "+"),
    **dict.fromkeys(("difference", "minus"), "-"),
    **dict.fromkeys(("quotient", "divided by"), "/"),
    **dict.fromkeys(("product", "times", "multiplied by"), r"\times"),
    "square": "2",
    "cube": "3",
}
_WORDED = (
    (rf"(?:greatest common (?:divisor|factor)|highest common factor|gcd|gcf|hcf){_LIST}", r"\gcd({})"),
    (rf"(?:(?:least|lowest) common multiple|lcm){_LIST}", r"\lcm({})"),
    (rf"remainder (?:when|of|if)\s+\$*(.+?)\$*\s+(?:is\s+)?divided by\s+{_N}", r"({}) \mod ({})"),
    (rf"{_N}\s*(?:\\?%|percent)\s+of\s+{_N}", r"({}) / 100 \times ({})"),
    (rf"what (?P<percent>percent)(?:age)?\s+of\s+{_N}\s+is\s+{_N}", r"({2}) / ({1}) \times 1"),
    (rf"(\d+)\s*/\s*(\d+)\s+of\s+{_N}", r"({}) / ({}) \times ({})"),
    (rf"what is {_N} (plus|minus|times|multiplied by|divided by) {_N}", "({}) {} ({})"),
    (rf"(square|cube) root of\s+{_N}(?![\d^])", r"\sqrt[{}]{{{}}}"),
    (rf"(sum|product|difference|quotient) of\s+{_N}\s+and\s+{_N}", "({1}) {0} ({2})"),
)
"""Arithmetic tasks that are set in words, and the formula that they mean."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked: the kind, the expressions concerned, and the unknown or the variable."""

    kind: Kind
    parts: tuple[Node, ...]
    names: tuple[str, ...] = ()
    domain: Region | None = None  # where solutions are wanted
    real: bool = False
    complex: bool = False
    positive: bool = False


# --- recognition -------------------------------------------------------------


@lru_cache(maxsize=1024)
def task_of(question: Question) -> Task | None:
    """The task a prompt sets; None if it is not one of those that can be checked."""
    if len(question.text) > MAX_TASK:
        return None
    worded = _worded(question)
    if worded is not None:
        return worded
    found = [pair for pair in question.formulas if pair[1].op != "var"]
    rules = (_integral, _limit, _derivative, _rewriting, _substitution, _relations, _value)
    return next((task for rule in rules if (task := rule(question.lower, found))), None) if found else None


Found = list[tuple[str, Node]]


def _first_expression(found: Found) -> Node | None:
    """The first formula that is an expression; of `f(x) = ...` the right side."""
    for _, node in found:
        if node.name:
            if node.said.variables() or node.said.has("int", "lim", "sum"):
                return node.said
        elif node.op not in ("rel", "list", "interval", "tuple"):
            return node
    return None


def _assignments(found: Found) -> dict[str, Node]:
    """`x = 3` after an expression: where it is to be taken."""
    return {part.name: part.said for part in _statements(found) if part.name and not part.said.variables()}


def _statements(found: Found) -> Iterator[Node]:
    for _, node in found:
        yield from node.args if node.op == "list" else (node,)


def _bodies(found: Found) -> list[Node]:
    """The formulas, of equations the right side."""
    return [node.args[1] if node.op == "rel" and len(node.args) == 2 else node for _, node in found]


def _single_variable(node: Node, lower: str) -> str | None:
    asked = re.search(r"(?:with respect to|w\.r\.t\.?)\s+\\?\$?([a-z])\b", lower)
    if asked:
        return asked.group(1)
    names = sorted(node.variables())
    return names[0] if len(names) == 1 else next((name for name in ("x", "t", "y", "z") if name in names), None)


def _integral(lower: str, found: Found) -> Task | None:
    for body in _bodies(found):
        if body.has("int"):
            if body.op == "int" and len(body.args) == 1:
                return Task("integral", (body.args[0],), (str(body.value),))
            indefinite = any(part.op == "int" and len(part.args) == 1 for part in body.walk())
            return None if indefinite else Task("value", (body,))
    if not re.search(r"integral|integrate|antiderivative|primitive", lower):
        return None
    integrand = _integrand(lower, found)
    if integrand is None:
        return None
    if (
        re.search(r"\bfrom\b.+\bto\b", lower)
        or "definite integral" in lower.replace("indefinite integral", "")
        or (_LIMITS.search(lower) and not re.search(r"indefinite|antiderivative|primitive", lower))
    ):
        spoken = _LIMITS.search(lower)
        limits = [read(part.rstrip(".")) for part in spoken.groups() if part is not None] if spoken else []
        body, name = integrand
        return Task("value", (Node("int", (body, *filter(None, limits)), name),)) if all(limits) and limits else None
    return Task("integral", integrand[:1], integrand[1:])


def _integrand(lower: str, found: Found) -> tuple[Node, str] | None:
    r"""What is integrated, and its variable; a dx names it, as in `2x dx` or `\frac{dx}{x}`."""
    for text, _ in found:
        written = re.sub(r"^\s*[a-z]\s*(?:\([a-z]\))?\s*=", "", text)  # f(x) = 2x dx
        if _DIFFERENTIAL.search(written):
            whole = read(rf"\int {written}")
            indefinite = whole is not None and whole.op == "int" and len(whole.args) == 1
            return (whole.args[0], str(whole.value)) if whole and indefinite else None
    first = _first_expression(found)
    name = first and _single_variable(first, lower)
    return (first, name) if first and name else None


def _limit(lower: str, found: Found) -> Task | None:
    for body in _bodies(found):
        if body.op == "lim":
            return Task("limit", (body,))
    spoken, first = _APPROACHES.search(lower), _first_expression(found)
    if "limit" not in lower or spoken is None or first is None:
        return None
    point = read(spoken.group(2).rstrip("."))
    side = re.search(r"from (?:the )?(?:(right|above)|left|below)", lower)
    sign = "" if side is None else "+" if side.group(1) else "-"
    return Task("limit", (Node("lim", (first, point), (spoken.group(1), sign)),)) if point else None


def _derivative(lower: str, found: Found) -> Task | None:
    values = _assignments(found)
    for body in _bodies(found):
        if body.has("deriv"):
            return Task("derivative", (body.substitute(values),))
    first = _first_expression(found) if _ASKS_DERIVATIVE.search(lower) else None
    name = first and _single_variable(first, lower)
    if first is None or name is None:
        return None
    asked = re.search(rf"\b({'|'.join(_ORDERS)})\b[\s-]*(?:order\s+)?derivative", lower)
    order = 2 if re.search(r"f''\s*\(|y''", lower) else _ORDERS[asked.group(1)] if asked else 1
    spoken = re.search(r"f'+\s*\(\s*(-?[0-9./]+)\s*\)", lower)
    point = read(spoken.group(1)) if spoken else values.get(name)
    return Task("derivative", (derivative(first, name, order).substitute({name: point} if point else {}),))


def asked_form(lower: str) -> str | None:
    """The form in which a prompt asks for its answer, or the notation of its number."""
    return next((form for form, pattern in _FORMS.items() if re.search(pattern, lower)), None)


def _rewriting(lower: str, found: Found) -> Task | None:
    kind = next((kind for kind in _REWRITINGS if re.search(_FORMS[kind], lower)), None)
    first = _first_expression(found)
    return Task(kind, (first,), tuple(sorted(first.variables()))) if kind and first is not None else None


def _substitution(lower: str, found: Found) -> Task | None:
    """`x^2 + 1 when x = 3`: an expression, and values for all its variables."""
    values = _assignments(found)
    if not values or any(node.op == "rel" and node.args[0].op != "var" for _, node in found):
        return None
    first = _first_expression(found)
    if first is None or not first.variables() or not first.variables() <= set(values):
        return None
    return Task("value", (first.substitute(values),))


def _relations(lower: str, found: Found) -> Task | None:
    relations = [part for part in _statements(found) if part.op == "rel"]
    named_zero = re.search(r"\b(?:zeros?|zeroes|roots?|x-intercepts?)\s+of\b", lower)
    if named_zero and not any(set(part.value) == {"="} and part.args[0].op != "var" for part in relations):
        first = _first_expression(found)
        if first is None:
            return None
        relations = [Node("rel", (first, num(0)), ("=",))]
    if not relations or not _SOLVING.search(lower) or _BEYOND.search(FORMULA.sub(" ", lower)):
        return None
    domain, relations = _split_domain(relations, found, lower)
    return _relational_task(relations, domain, _unknown(lower), lower)


def _unknown(lower: str) -> str | None:
    """The letter that is asked for: "for x", "the value of x", "find x"."""
    letter = r"\s+(?:all\s+)?(?:real\s+)?(?:values?\s+of\s+)?\\?\(?\s?\$?([a-z])\$?(?![a-z'(])"
    match = re.search(rf"\b(?:for|values? of){letter}(?!\s*=)", lower) or re.search(
        rf"\b(?:find|what is|what are|determine){letter}(?!\s*[-+*/=^])", lower
    )
    return match.group(1) if match else None


def _split_domain(relations: list[Node], found: Found, lower: str) -> tuple[Region | None, list[Node]]:
    """Take out `0 <= x < 2 pi` and `x in [0, 2 pi)`, where another relation is left to solve; or else an interval."""
    bounds = [part for part in relations if set(part.value) & {"<", ">", "<=", ">=", "in"} and part.has("var")]
    bounds = [part for part in bounds if len(relations) > 1 and region(part) is not None]
    brackets = ("interval", "tuple") if re.search(r"\b(?:interval|on|in|over)\W*\(", lower) else ("interval",)
    stated = bounds or [node for _, node in found if node.op in brackets]
    domains = [where for part in stated if (where := region(part)) is not None]
    return domains[-1] if domains else None, [part for part in relations if part not in bounds]


def _relational_task(relations: list[Node], domain: Region | None, unknown: str | None, lower: str) -> Task | None:
    parts, names = tuple(relations), sorted(names_in(relations))
    if any(set(part.value) - {"="} for part in parts):
        if len(parts) != 1 or len(names) != 1 or set(parts[0].value) - {"<", ">", "<=", ">=", "!="}:
            return None
        return Task("inequality", parts, (names[0],), domain)
    if not parts or any(len(part.args) != 2 for part in parts):
        return None
    real, positive = (re.search(pattern, lower) is not None for pattern in (r"\breals?\b", r"\bpositive\b"))
    if len(parts) > 1:
        return Task("system", parts, tuple(names), domain) if len(names) > 1 else None
    asked = [name for name in names if name.lower() == unknown] or (names if len(names) == 1 else [])
    if not asked and not unknown:
        asked = [name for name in ("x", "y", "t", "z") if name in names]
    return Task("equation", parts, (asked[0],), domain, real, "complex" in lower, positive) if asked else None


def _value(lower: str, found: Found) -> Task | None:
    if len(found) != 1 or _BEYOND_VALUE.search(FORMULA.sub(" ", lower)):
        return None
    text, node = found[0]
    if node.op in _NO_VALUES or (node.variables() and not node.has("sum", "prod")):
        return None
    bare = len(fold(lower)) <= len(text) + 12
    return Task("value", (node,)) if bare or _EVALUATING.search(lower) else None


def _worded(question: Question) -> Task | None:
    """An arithmetic task that is set in words: `the remainder when 17 is divided by 5`."""
    text = " ".join(question.lower.split())
    for pattern, formula in _WORDED:
        match = re.search(pattern, text)
        if match is not None:
            said = (_SEPARATED.sub(", ", _SIGNS.get(group, group)) for group in match.groups())
            value = read(formula.format(*said))
            return value and Task("value", (value,), tuple(match.groupdict()))
    return None
