"""What a prompt asks, where there is no reference: its formulas, and the task they belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from verifleet.verifiers.math.expression import Node, has_op, num, substitute, variables, walk
from verifleet.verifiers.math.parser import parse
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.regions import NotARegionError, Region, region
from verifleet.verifiers.math.tokens import FUNCTIONS, GREEK, MathSyntaxError, plain_signs

Kind = Literal[
    "equation", "system", "inequality", "derivative", "integral", "limit", "value", "simplify", "expand", "factor"
]


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
    source: tuple[str, ...] = field(default=())  # the formulas as written


MAX_TASK = 2_500  # characters of a prompt; longer ones are no plain tasks
_SPAN = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_ENVIRONMENT = re.compile(
    r"\\begin\{(align\*?|aligned|cases|gather\*?|equation\*?|eqnarray\*?)\}(.+?)\\end\{\1\}", re.DOTALL
)
_LETTERS = re.compile(r"\\?[A-Za-z]+")
_MATHEMATICAL = re.compile(r"^[-+*/^=<>()\[\]{}|\\.,;:!%0-9A-Za-z_'&~?$]+$")
_SHORT_PRODUCTS = frozenset("xy yz xz ab bc ac dx dy dt du xyz abc mn pq kx ax bx cx nx mx by".split())
_ALONE = frozenset("aAI")
# What follows a coefficient a, rather than the article: an operator, or a power, sum or product of a letter.
_TIMES_NEXT = re.compile(rf"[=+*/^<>-]|[a-zA-Z]\s?(?:[=+*/^]|d[a-z](?![a-z]))|(?:{'|'.join(sorted(FUNCTIONS))})\(")


def formulas(text: str) -> list[str]:
    """The formulas of a prompt in order: delimited ones if there are any, else runs of mathematical words."""
    delimited = [next(group for group in match.groups() if group) for match in _SPAN.finditer(text)]
    if not delimited:
        delimited = [match.group(2) for match in _ENVIRONMENT.finditer(text)]
    if delimited:
        return [piece.strip() for piece in delimited if piece.strip()]
    return _runs(plain_signs(text))


def _runs(text: str) -> list[str]:
    runs: list[str] = []
    current: list[str] = []

    def close() -> None:
        formula = " ".join(current).strip(" ,;:.?")
        if re.search(r"[0-9=<>^\\+*/(]", formula) or (formula and len(current) > 1):
            runs.append(formula)
        current.clear()

    words = re.sub(r"\s+", " ", text).split(" ")
    for index, word in enumerate(words):
        bare = word if re.fullmatch(r"\\.", word) else re.sub(r"[.,;:?]+$|(?<![0-9a-z)])!$", "", word)
        if not _is_formula_word(bare, words[index - 1] if index else "", words[index + 1 : index + 3]):
            close()
            continue
        depth = sum(" ".join([*current, word]).count(sign) for sign in "([{") - sum(
            " ".join([*current, word]).count(sign) for sign in ")]}"
        )
        current.append(word)
        ends = word != bare and not re.fullmatch(r"\\.", word)
        if ends and depth <= 0:
            close()
    close()
    return runs


def _is_formula_word(word: str, before: str, after: list[str]) -> bool:
    if not word:
        return True
    if not _MATHEMATICAL.match(word):
        return False
    for letters in _LETTERS.findall(word):
        if letters.startswith("\\") or len(letters) == 1:
            continue
        lower = letters.lower()
        if lower in FUNCTIONS and lower not in ("sign", "mod", "re", "im", "arg", "max", "min"):
            continue
        if lower == "mod" or letters in GREEK or lower in ("pi", "lim", "infinity", "inf"):
            continue
        if letters in _SHORT_PRODUCTS or re.fullmatch(r"d[xytu]", letters):
            continue
        return False
    if word in _ALONE:
        return bool(re.search(r"[=+*/^<>-]$", before) or _TIMES_NEXT.match(" ".join(after)))
    return True


def readable(text: str) -> list[tuple[str, Node]]:
    """The formulas that can be read, as written and parsed."""
    result = []
    for formula in formulas(text):
        cleaned = re.sub(r"=\s*\??\s*$", "", formula).strip().rstrip(".,;")
        cleaned = re.sub(
            r"\\begin\{(?:align\*?|aligned|cases|gather\*?|equation\*?)\}|\\end\{[a-z]+\*?\}", "", cleaned
        ).strip()
        try:
            result.append((cleaned, parse(cleaned)))
        except MathSyntaxError:
            continue
    return result


# --- recognition -------------------------------------------------------------


def recognise(question: Question) -> Task | None:
    """The task a prompt sets; None if it is not one of those that can be checked."""
    if len(question.text) > MAX_TASK:
        return None
    worded = _worded(question)
    if worded is not None:
        return worded
    found = [pair for pair in readable(question.text) if not _is_mere_name(pair[1])]
    if not found:
        return None
    for rule in (_integral, _limit, _derivative, _rewriting, _substitution, _relations, _value):
        task = rule(question.lower, found)
        if task is not None:
            return task
    return None


@lru_cache(maxsize=1024)
def task_of(question: Question) -> Task | None:
    """The task of a question; equal questions are recognised once."""
    return recognise(question)


def _is_mere_name(node: Node) -> bool:
    return node.op == "var"


Found = list[tuple[str, Node]]


def _first_expression(found: Found) -> tuple[str, Node] | None:
    """The first formula that is an expression; of `f(x) = ...` the right side."""
    for text, node in found:
        if node.op == "rel" and node.value == ("=",) and node.args[0].op == "var":
            if not (variables(node.args[1]) or has_op(node.args[1], "int", "lim", "sum")):
                continue
            return text.partition("=")[2].strip(), node.args[1]
        if node.op not in ("rel", "list", "interval", "tuple"):
            return text, node
    return None


def _assignments(found: Found, lower: str) -> dict[str, Node]:
    """`x = 3` after an expression: where it is to be taken."""
    result = {}
    for _, node in found:
        for part in node.args if node.op == "list" else (node,):
            if part.op == "rel" and part.value == ("=",) and part.args[0].op == "var" and not variables(part.args[1]):
                result[str(part.args[0].value)] = part.args[1]
    return result


def _single_variable(node: Node, lower: str = "") -> str | None:
    asked = re.search(r"(?:with respect to|w\.r\.t\.?)\s+\\?\$?([a-z])\b", lower)
    if asked:
        return asked.group(1)
    names = sorted(variables(node))
    if len(names) == 1:
        return names[0]
    for preferred in ("x", "t", "y", "z"):
        if preferred in names:
            return preferred
    return None


def _integral(lower: str, found: Found) -> Task | None:
    for text, node in found:
        body = node.args[1] if node.op == "rel" and len(node.args) == 2 else node
        if has_op(body, "int"):
            if body.op == "int" and len(body.args) == 1:
                return Task("integral", (body.args[0],), (str(body.value),), source=(text,))
            return None if _has_indefinite(body) else Task("value", (body,), source=(text,))
    if not re.search(r"integral|integrate|antiderivative|primitive", lower):
        return None
    integrand = _integrand(lower, found)
    if integrand is None:
        return None
    indefinite = re.search(r"indefinite|antiderivative|primitive", lower)
    if (
        re.search(r"\bfrom\b.+\bto\b", lower)
        or "definite integral" in lower.replace("indefinite integral", "")
        or (_LIMITS.search(lower) and not indefinite)
    ):
        return _definite_in_words(lower, integrand)
    return Task("integral", (integrand.body,), (integrand.name,), source=(integrand.text,))


class _Integrand(NamedTuple):
    text: str
    body: Node
    name: str


_DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\])d[a-z](?![A-Za-z])|\\mathrm\s*\{\s*d\s*[a-z]?\s*\}")


def _integrand(lower: str, found: Found) -> _Integrand | None:
    r"""What is integrated, without its dx; the dx names the variable, as in `2x dx` or `\frac{dx}{x}`."""
    for text, _ in found:
        written = re.sub(r"^\s*[a-z]\s*(?:\([a-z]\))?\s*=", "", text)  # f(x) = 2x dx
        if _DIFFERENTIAL.search(written):
            try:
                whole = parse(rf"\int {written}")
            except MathSyntaxError:
                return None
            if whole.op == "int" and len(whole.args) == 1:
                return _Integrand(text, whole.args[0], str(whole.value))
            return None
    first = _first_expression(found)
    name = None if first is None else _single_variable(first[1], lower)
    return None if first is None or name is None else _Integrand(*first, name)


def _has_indefinite(node: Node) -> bool:
    return any(part.op == "int" and len(part.args) == 1 for part in walk(node))


_LIMIT = r"\$?(?:[a-z]\s*=\s*)?([^\s$,?]+)\$?"
_LIMITS = re.compile(
    rf"\bfrom\s+{_LIMIT}\s+to\s+{_LIMIT}|\bbetween\s+{_LIMIT}\s+and\s+{_LIMIT}|"
    r"\b(?:over|on)\s+(?:the\s+)?(?:closed\s+)?(?:interval\s+)?\$?[\[(]([^\s,\[\]]+)\s*,\s*([^\s,\[\]]+)[\])]"
)


def _definite_in_words(lower: str, integrand: _Integrand) -> Task | None:
    limits = _LIMITS.search(lower)
    if limits is None:
        return None
    try:
        low, high = (parse(part.rstrip(".")) for part in limits.groups() if part is not None)
    except MathSyntaxError:
        return None
    return Task("value", (Node("int", (integrand.body, low, high), integrand.name),), source=(integrand.text,))


def _limit(lower: str, found: Found) -> Task | None:
    for text, node in found:
        body = node.args[1] if node.op == "rel" and len(node.args) == 2 else node
        if body.op == "lim":
            return Task("limit", (body,), source=(text,))
    spoken = re.search(
        r"limit\s+of\s+.+?\bas\s+\$?([a-z])\$?\s*(?:approaches|"
        r"tends to|goes to|->|→|\\to|\\rightarrow)\s*\$?([^\s$,?]+)",
        lower,
    ) or re.search(
        r"\bas\s+\$?([a-z])\$?\s*(?:approaches|tends to|goes to|->|→|\\to|\\rightarrow)\s*\$?([^\s$,?]+)", lower
    )
    if "limit" not in lower or spoken is None:
        return None
    first = _first_expression(found)
    try:
        point = parse(spoken.group(2).rstrip("."))
    except MathSyntaxError:
        return None
    if first is None:
        return None
    side = (
        "+"
        if "from the right" in lower or "from above" in lower
        else "-"
        if "from the left" in lower or "from below" in lower
        else ""
    )
    return Task("limit", (Node("lim", (first[1], point), (spoken.group(1), side)),), source=(first[0],))


_ORDERS = {"second": 2, "third": 3, "fourth": 4, "2nd": 2, "3rd": 3, "4th": 4}


def _derivative(lower: str, found: Found) -> Task | None:
    for text, node in found:
        body = node.args[1] if node.op == "rel" and len(node.args) == 2 else node
        if has_op(body, "deriv"):
            values = _assignments(found, lower)
            name = next(part.value[0] for part in walk(body) if part.op == "deriv")
            return Task("derivative", (body, *_point(values, name)), (name,), source=(text,))
    if (
        not re.search(
            r"derivative|differentiate|\bf'+\s*\(|\\frac\{dy\}\{dx\}|dy/dx|\by'|slope of the tangent|"
            r"instantaneous rate",
            lower,
        )
        or "antiderivative" in lower
    ):
        return None
    first = _first_expression(found)
    if first is None:
        return None
    name = _single_variable(first[1], lower)
    if name is None:
        return None
    order = next(
        (value for word, value in _ORDERS.items() if re.search(rf"\b{word}\b[\s-]*(?:order\s+)?derivative", lower)), 1
    )
    order = 2 if re.search(r"f''\s*\(|y''", lower) else order
    body = Node("deriv", (first[1],), (name, order))
    values = _assignments(found, lower)
    spoken = re.search(r"f'+\s*\(\s*(-?[0-9./]+)\s*\)", lower)
    if spoken:
        values[name] = parse(spoken.group(1))
    return Task("derivative", (body, *_point(values, name)), (name,), source=(first[0],))


def _point(values: dict[str, Node], name: str) -> tuple[Node, ...]:
    return (values[name],) if name in values else ()


def _rewriting(lower: str, found: Found) -> Task | None:
    kinds: tuple[tuple[Kind, str], ...] = (
        ("factor", r"\bfactori[sz]e|\bfactor\b(?!ial)|\bfactored form"),
        ("expand", r"\bexpand|\bmultiply out|\bexpanded form"),
        ("simplify", r"\bsimplif|\bsimplest|\breduce\b|lowest terms|\brationali[sz]e"),
    )
    for kind, pattern in kinds:
        if re.search(pattern, lower):
            first = _first_expression(found)
            if first is not None:
                return Task(kind, (first[1],), tuple(sorted(variables(first[1]))), source=(first[0],))
    return None


_SOLVING = re.compile(
    r"solv|solution|root|zero|find|what is|what are|determine|value|calculate|compute|satisf|if\b|\bwhich\b"
)
_BEYOND = re.compile(
    r"how many|number of|sum of|product of|difference of|discriminant|vertex|"
    r"graph|slope|intercept|largest|smallest|greatest|least|maximum|minimum|"
    r"prove|show that|probability|expected|integers? (?:between|"
    r"from|less|greater)"
)


def _substitution(lower: str, found: Found) -> Task | None:
    """`x^2 + 1 when x = 3`: an expression, and values for all its variables."""
    values = _assignments(found, lower)
    if not values or any(node.op == "rel" and node.args[0].op != "var" for _, node in found):
        return None
    first = _first_expression(found)
    if first is None or not variables(first[1]) or not variables(first[1]) <= set(values):
        return None
    return Task("value", (substitute(first[1], values),), source=(first[0],))


def _relations(lower: str, found: Found) -> Task | None:
    relations = []
    sources = []
    for text, node in found:
        for part in node.args if node.op == "list" else (node,):
            if part.op == "rel":
                relations.append(part)
                sources.append(text)
    named_zero = re.search(r"\b(?:zeros?|zeroes|roots?|x-intercepts?)\s+of\b", lower)
    if named_zero and not any(set(part.value) == {"="} and part.args[0].op != "var" for part in relations):
        first = _first_expression(found)
        if first is None:
            return None
        relations, sources = [Node("rel", (first[1], num(0)), ("=",))], [first[0]]
    if not relations or not _SOLVING.search(lower) or _BEYOND.search(_without_formulas(lower)):
        return None
    domain, relations = _split_domain(relations, lower)
    return _relational_task(relations, domain, _unknown(lower), lower, tuple(sources))


def _unknown(lower: str) -> str | None:
    """The letter that is asked for: "for x", "the value of x", "find x"."""
    letter = r"\s+(?:all\s+)?(?:real\s+)?(?:values?\s+of\s+)?\\?\(?\s?\$?([a-z])\$?(?![a-z'(])"
    match = re.search(rf"\b(?:for|values? of){letter}(?!\s*=)", lower) or re.search(
        rf"\b(?:find|what is|what are|determine){letter}(?!\s*[-+*/=^])", lower
    )
    return match.group(1) if match else None


def _without_formulas(lower: str) -> str:
    return _SPAN.sub(" ", lower)


def _split_domain(relations: list[Node], lower: str) -> tuple[Region | None, list[Node]]:
    """Take out `0 <= x < 2 pi` and `x in [0, 2 pi)`, where another relation is left to solve."""
    domain: Region | None = None
    rest = []
    for part in relations:
        bounds = part.value == ("in",) or (
            len(relations) > 1
            and set(part.value) & {"<", ">", "<=", ">="}
            and any(arg.op == "var" for arg in part.args)
        )
        if bounds and len(relations) > 1:
            try:
                domain = region(part)
                continue
            except NotARegionError:
                pass
        rest.append(part)
    if domain is None:
        match = re.search(
            r"(?:interval|on|in|for|"
            r"over)\s+(?:the interval\s+)?\$?((?:\\left)?[\[(][^()\[\]$]*,[^()\[\]$]*(?:\\right)?[\])])",
            lower,
        )
        if match:
            try:
                domain = region(parse(match.group(1)))
            except (NotARegionError, MathSyntaxError):
                domain = None
    return domain, rest


def _relational_task(
    relations: list[Node], domain: Region | None, unknown: str | None, lower: str, sources: tuple[str, ...]
) -> Task | None:
    names = sorted(frozenset[str]().union(*map(variables, relations))) if relations else []
    if not relations:
        return None
    real = re.search(r"\breals?\b", lower) is not None
    complex_wanted = "complex" in lower
    if any(set(part.value) - {"="} for part in relations):
        if len(relations) != 1 or len(names) != 1 or set(relations[0].value) - {"<", ">", "<=", ">=", "!="}:
            return None
        return Task("inequality", tuple(relations), (names[0],), domain, source=sources)
    if any(len(part.args) != 2 for part in relations):
        return None
    positive = re.search(r"\bpositive\b", lower) is not None
    unknown = next((name for name in names if name.lower() == unknown), unknown)
    if len(relations) == 1:
        name = unknown if unknown in names else (names[0] if len(names) == 1 else None)
        if name is None:
            name = (
                next((preferred for preferred in ("x", "y", "t", "z") if preferred in names), None)
                if not unknown
                else None
            )
        if name is None:
            return None
        return Task("equation", tuple(relations), (name,), domain, real, complex_wanted, positive, sources)
    if len(names) < 2:
        return None
    return Task("system", tuple(relations), tuple(names), domain, real, complex_wanted, positive, sources)


def _value(lower: str, found: Found) -> Task | None:
    if _BEYOND_VALUE.search(_without_formulas(lower)):
        return None
    expressions = [
        (text, node)
        for text, node in found
        if node.op not in ("rel", "list", "interval", "tuple", "union", "set", "ratio", "text")
    ]
    if not expressions:
        return None
    text, node = expressions[0] if len(expressions) == 1 else max(expressions, key=lambda pair: len(pair[0]))
    names = variables(node)
    values = _assignments(found, lower)
    if names and names <= set(values):
        return Task("value", (substitute(node, values),), source=(text,))
    if names and not has_op(node, "sum", "prod"):
        return None
    if len(expressions) > 1 or len(found) > len(expressions):
        return None
    if node.op in ("num", "dec", "var", "const"):
        return None
    if (
        not re.search(
            r"evaluate|compute|calculate|what|find|value|work out|determine|"
            r"=\s*\??\s*$|how much|add|subtract|multiply|divide|sum|product",
            lower,
        )
        and len(lower) > len(text) + 12
    ):
        return None
    return Task("value", (node,), source=(text,))


_BEYOND_VALUE = re.compile(
    r"how many|probability|number of (?:ways|digits|divisors|factors)|digits?\b|\bbase\b|"
    r"binary|\bprime|as a (?:decimal|percent|fraction)|expected|angle|area|perimeter|volume|"
    r"triangle|circle|nearest|convert|scientific|remainder|divisor|"
    r"divisible|factors? of|multiple|ones place|units|mean\b|median|average"
)

# --- tasks in words ----------------------------------------------------------

_N = r"\$?(-?\d+(?:\.\d+)?)\$?"
_LIST = r"((?:\$?\d+\$?(?:\s*,\s*(?:and\s+)?|\s+and\s+))+\$?\d+\$?)"


def _numbers(text: str) -> tuple[Node, ...]:
    return tuple(num(int(digits)) for digits in re.findall(r"\d+", text))


def _worded(question: Question) -> Task | None:
    text = " ".join(question.lower.split())
    for pattern, name in (
        (
            rf"(?:greatest common (?:divisor|factor)|highest common factor|gcd|gcf|hcf)\s*(?:of|for|\()?\s*{_LIST}",
            "gcd",
        ),
        (rf"(?:least common multiple|lowest common multiple|lcm)\s*(?:of|for|\()?\s*{_LIST}", "lcm"),
    ):
        match = re.search(pattern, text)
        if match:
            return Task("value", (Node("fn", _numbers(match.group(1)), name),), source=(match.group(),))
    match = re.search(rf"remainder (?:when|of|if)\s+(.+?)\s+(?:is\s+)?divided by\s+{_N}", text)
    if match:
        return _modulo(match.group(1), match.group(2))
    match = re.search(rf"{_N}\s*(?:\\?%|percent)\s+of\s+{_N}", text)
    if match:
        share, whole = (parse(part) for part in match.groups())
        return Task("value", (Node("mul", (Node("percent", (share,)), whole)),), source=(match.group(),))
    match = re.search(rf"what percent(?:age)?\s+of\s+{_N}\s+is\s+{_N}", text)
    if match:
        whole, part = (parse(piece) for piece in match.groups())
        return Task("value", (Node("div", (part, whole)),), ("percent",), source=(match.group(),))
    match = re.search(rf"(\d+)\s*/\s*(\d+)\s+of\s+{_N}", text)
    if match:
        top, bottom, whole = map(parse, match.groups())
        return Task("value", (Node("mul", (Node("div", (top, bottom)), whole)),), source=(match.group(),))
    match = re.search(rf"what is {_N} (plus|minus|times|multiplied by|divided by) {_N}", text)
    if match:
        names = {"plus": "sum", "minus": "difference", "divided by": "quotient"}
        return _named_operation(names.get(match.group(2), "product"), match.group(1), match.group(3))
    match = re.search(rf"(square|cube) root of\s+{_N}(?![\d^])", text)
    if match and "imag" not in text:
        index = num(2 if match.group(1) == "square" else 3)
        return Task("value", (Node("root", (parse(match.group(2)), index)),), source=(match.group(),))
    match = re.search(rf"(sum|product|difference|quotient) of\s+{_N}\s+and\s+{_N}", text)
    if match:
        return _named_operation(*match.groups())
    return None


def _modulo(left: str, right: str) -> Task | None:
    try:
        return Task("value", (Node("mod", (parse(left.strip("$ ")), parse(right))),), source=(left,))
    except MathSyntaxError:
        return None


def _named_operation(name: str, left: str, right: str) -> Task:
    first, second = parse(left), parse(right)
    nodes = {
        "sum": Node("add", (first, second)),
        "product": Node("mul", (first, second)),
        "difference": Node("add", (first, Node("neg", (second,)))),
        "quotient": Node("div", (first, second)),
    }
    return Task("value", (nodes[name],), source=(f"{left} {right}",))
