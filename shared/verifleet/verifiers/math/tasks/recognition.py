"""What a prompt asks, where there is no reference: its formulas, and the task they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Literal

from verifleet.verifiers.math.algebra.regions import Region, region
from verifleet.verifiers.math.question import Question, fold
from verifleet.verifiers.math.syntax.expression import ZERO, Node, derivative, names_in
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.runs import beside, readable
from verifleet.verifiers.math.syntax.vocabulary import data, phrased

Kind = Literal[
    "equation", "system", "inequality", "derivative", "integral", "limit", "value", "simplify", "expand", "factor"
]
MAX_TASK = 2_500  # characters of a prompt; longer ones are no plain tasks
_DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\])d[a-z](?![A-Za-z])|\\mathrm\s*\{\s*d\s*[a-z]?\s*\}")
_ORDERS = {"second": 2, "third": 3, "fourth": 4, "2nd": 2, "3rd": 3, "4th": 4}
_ASKS_DERIVATIVE = re.compile(phrased("recognition.derivative"))
_FORMS = {key[17:]: phrased(key) for key in data("phrases") if key.startswith("recognition.form_")}
_REWRITINGS: tuple[Kind, ...] = ("factor", "expand", "simplify")
_NO_VALUES = frozenset("rel list interval tuple union set ratio text num dec var const".split())
_NUMBER = r"(?:\d+(?:\.\d+)?|[-+/()√π]|\\?(?:pi|infty|sqrt)\b|infinity\b|oo\b)+"
_CONDITION, _COUNTED, _LIMITS, _APPROACHES, _ROUNDED = (
    re.compile(phrased(f"recognition.{said}").replace("NUMBER", _NUMBER), re.I)
    for said in ("condition", "counted", "limits", "approaches", "rounded")
)
_PRIMED = re.compile(
    r"\$?\b(?:[a-z]('+)(?:\s*\(\s*(?:(-?[\d./]+)|[a-z])\s*\))?|d[a-z]/d[a-z])\$?(?!\s*=\s*[^\s?])", re.I
)
_PARTS = re.compile(r"[^.!?:\n]*(?:[.!?:](?!\s|$)[^.!?:\n]*)*(?:[.!?:\n]|$)\s*")
_HOW_TO_ANSWER = re.compile(phrased("recognition.how_to_answer"), re.I)
"""Sentences, and those that tell how an answer is written: in tags, in a box, on a line of its own, step by step."""
_SEPARATED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_SIGNS: dict[str, str] = data("rewrites")["recognition.signs"]
_WORDED: list[tuple[str, str]] = data("rewrites")["recognition.worded"]
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
    """The task a prompt sets; None if it is not one of those that can be checked, or if more is asked for."""
    if len(question.text) > MAX_TASK:
        return None
    stated = [(said, node) for said in _CONDITION.findall(question.text) if (node := read(said))]
    text = _CONDITION.sub(" ", question.text) if stated else question.text
    text = "".join(part for part in _PARTS.findall(text) if not _HOW_TO_ANSWER.search(part) or re.search(r"\d", part))
    return _worded(question) or next((task for rule in _RULES if (task := _told(rule, text, stated))), None)


def _told(rule: str, text: str, stated: Found) -> Task | None:
    """The task that a rule sees in a text, if the rule accounts for each word of it, and for each formula."""
    spoken, lower = _SPOKEN.get(rule), text.lower()
    text = spoken.sub(" ", text, count=1) if spoken else text
    found = [(fold(said), node) for said, node in readable(text) if node.op != "var"] + stated
    first, values = _one_expression(found), _assignments(found)
    taken = first.variables() if first and rule in ("derivative", "value") else set()
    if rule != "relations" and (first is None or not values.keys() <= taken):
        return None
    task = _RULES[rule](lower, first or ZERO, found)
    rest = beside(text).lower() if task else ""
    named = set(re.findall(r"\b[a-z]\b", rest)) & set(task.names if task and task.kind == "system" else ())
    return task if task and named in (set(), set(task.names)) and _accounted(rest, rule, found) else None


def _accounted(rest: str, rule: str, found: Found) -> bool:
    """Whether what stands beside formulas is nothing but their letters, courtesy, and what a rule reads or may."""
    letters = "".join({"a", *re.findall(r"(?<![a-z\\])[a-z](?![a-z])", " ".join(text for text, _ in found).lower())})
    left = re.sub(rf"\b[{letters}]\b", " ", _words(rule).sub(" ", rest.lower()))
    return re.search(r"[^\W_]|[-+*/^=<>%|\\]", left.rstrip(" =?")) is None


@cache
def _words(rule: str) -> re.Pattern[str]:
    phrases = "|".join(sorted(data("phrases")["accounted.any"] + data("phrases")[f"accounted.{rule}"], key=len)[::-1])
    return re.compile(rf"(?<![\w\\'’-])(?:{phrases})(?![\w'’-])".replace(" ", r"\s+"))


Found = list[tuple[str, Node]]


def _one_expression(found: Found) -> Node | None:
    """The one formula that is more than a given value; of `f(x) = ...` the right side."""
    nodes = [node for _, node in found if not (node.name and not node.said.variables())]
    node = nodes[0].said if len(nodes) == 1 and nodes[0].name else nodes[0] if len(nodes) == 1 else None
    return None if node is None or node.op in ("rel", "list", "interval", "tuple") else node


def _assignments(found: Found) -> dict[str, Node]:
    """`x = 3` after an expression: where it is to be taken."""
    return {part.name: part.said for part in _statements(found) if part.name and not part.said.variables()}


def _statements(found: Found) -> Iterator[Node]:
    for _, node in found:
        yield from node.args if node.op == "list" else (node,)


def _single_variable(node: Node, lower: str) -> str | None:
    asked = re.search(r"(?:with respect to|w\.r\.t\.?)\s+\\?\$?([a-z])\b", lower)
    if asked:
        return asked.group(1)
    names = sorted(node.variables())
    return names[0] if len(names) == 1 else next((name for name in ("x", "t", "y", "z") if name in names), None)


def _integral(lower: str, first: Node, found: Found) -> Task | None:
    if first.has("int") and (first.op != "int" or len(first.args) > 1):
        indefinite = any(part.op == "int" and len(part.args) == 1 for part in first.walk())
        return None if indefinite else Task("value", (first,))
    asked = first.op == "int" or re.search(r"integral|integrate|antiderivative|primitive", lower)
    integrand = _integrand(lower, first, found[0][0]) if asked else None
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


def _integrand(lower: str, first: Node, text: str) -> tuple[Node, str] | None:
    r"""What is integrated, and its variable; a dx names it, as in `2x dx` or `\frac{dx}{x}`."""
    written = re.sub(r"^\s*[a-z]\s*(?:\([a-z]\))?\s*=", "", text)  # f(x) = 2x dx
    whole = read(rf"\int {written}") if first.op != "int" and _DIFFERENTIAL.search(written) else first
    if whole is not first or first.op == "int":
        return (whole.args[0], str(whole.value)) if whole and whole.op == "int" and len(whole.args) == 1 else None
    name = _single_variable(first, lower)
    return (first, name) if name else None


def _limit(lower: str, first: Node, _: Found) -> Task | None:
    if first.op == "lim":
        return Task("limit", (first,))
    spoken = _APPROACHES.search(lower)
    if "limit" not in lower or spoken is None:
        return None
    point = read(spoken.group(2).rstrip("."))
    side = re.search(r"from (?:the )?(?:(right|above)|left|below)", lower)
    sign = "" if side is None else "+" if side.group(1) else "-"
    return Task("limit", (Node("lim", (first, point), (spoken.group(1), sign)),)) if point else None


def _derivative(lower: str, first: Node, found: Found) -> Task | None:
    values = _assignments(found)
    if first.has("deriv"):
        return Task("derivative", (first.substitute(values),))
    name = _single_variable(first, lower) if _ASKS_DERIVATIVE.search(lower) else None
    if name is None:
        return None
    asked = re.search(rf"\b({'|'.join(_ORDERS)})\b[\s-]*(?:order\s+)?derivative", lower)
    spoken = _PRIMED.search(lower)
    order = _ORDERS[asked.group(1)] if asked else len(spoken[1] or "'") if spoken else 1
    point = read(spoken[2]) if spoken and spoken[2] else values.get(name)
    return Task("derivative", (derivative(first, name, order).substitute({name: point} if point else {}),))


def asked_form(lower: str) -> str | None:
    """The form in which a prompt asks for its answer, or the notation of its number."""
    return next((form for form, pattern in _FORMS.items() if re.search(pattern, lower)), None)


def _rewriting(kind: Kind, lower: str, first: Node, _: Found) -> Task | None:
    return Task(kind, (first,), tuple(sorted(first.variables()))) if re.search(_FORMS[kind], lower) else None


def _sum(lower: str, _: Node, found: Found) -> Task | None:
    """`the sum of n^2 from n = 1 to 10`."""
    spoken = _COUNTED.search(lower) if re.search(r"\b(?:sum|series)\b", lower) else None
    value = spoken and read(rf"\sum_{{{spoken[1]}={spoken[2]}}}^{{{spoken[3]}}} ({found[0][0]})")
    return Task("value", (value,)) if value and not value.variables() else None


def _relations(lower: str, _: Node, found: Found) -> Task | None:
    relations = [part for part in _statements(found) if part.op == "rel"]
    others = [part for part in _statements(found) if part.op != "rel"]
    named_zero = re.search(r"\b(?:zeros?|zeroes|roots?|x-intercepts?)\s+of\b", lower)
    if named_zero and not any(set(part.value) == {"="} and not part.name for part in relations):
        named = [part for part in relations if part.name] or others[:1]
        relations = [part for part in relations if part not in named]
        relations += [Node("rel", (part.said, ZERO), ("=",)) for part in named]
        others = others if named != others[:1] else others[1:]
    domain, equations = _split_domain(relations, found, lower)
    if not equations or len(relations) - len(equations) + len(others) != (domain is not None):
        return None
    return _relational_task(equations, domain, _unknown(lower), lower)


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
    real, positive = (re.search(pattern, lower) is not None for pattern in (r"\breals?\b", r"\bpositive\b"))
    if positive and (len(parts) > 1 or set(parts[0].value) != {"="}):
        return None
    if any(set(part.value) - {"="} for part in parts):
        if len(parts) != 1 or len(names) != 1 or set(parts[0].value) - {"<", ">", "<=", ">=", "!="}:
            return None
        return Task("inequality", parts, (names[0],), domain)
    if not parts or any(len(part.args) != 2 for part in parts):
        return None
    if len(parts) > 1:
        return Task("system", parts, tuple(names), domain) if len(names) > 1 else None
    asked = [name for name in names if name.lower() == unknown] or (names if len(names) == 1 else [])
    if not asked and not unknown:
        asked = [name for name in ("x", "y", "t", "z") if name in names]
    return Task("equation", parts, (asked[0],), domain, real, "complex" in lower, positive) if asked else None


def _value(_: str, first: Node, found: Found) -> Task | None:
    """`3 + 4`, or `x^2 + 1 when x = 3`: an expression, and values for all its variables."""
    node = first.substitute(_assignments(found))
    valued = node.op not in _NO_VALUES and (not node.variables() or node.has("sum", "prod"))
    return Task("value", (node,)) if valued else None


def _worded(question: Question) -> Task | None:
    """An arithmetic task that is set in words: `the remainder when 17 is divided by 5`."""
    text = " ".join(question.lower.split())
    for pattern, formula in _WORDED:
        match = re.search(pattern, text)
        if match is not None and _accounted(f"{text[: match.start()]} {text[match.end() :]}", "value", []):
            said = (_SEPARATED.sub(", ", _SIGNS.get(group, group)) for group in match.groups())
            value = read(formula.format(*said))
            return Task("value", (value,), tuple(match.groupdict())) if value and not value.has("text") else None
    return None


_RULES: dict[str, Callable[[str, Node, Found], Task | None]] = {
    **{"integral": _integral, "limit": _limit, "derivative": _derivative, "sum": _sum},
    **{kind: partial(_rewriting, kind) for kind in _REWRITINGS},
    **{"relations": _relations, "value": _value},
}
_SPOKEN = dict(
    relations=_ROUNDED, value=_ROUNDED, integral=_LIMITS, limit=_APPROACHES, derivative=_PRIMED, sum=_COUNTED
)
"""What rules read from the words of a prompt: it is taken out before the formulas are read."""
