"""The expressions that a text may stand for: words, bounds, values said twice, formulas with what surrounds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from verifleet.verifiers.math.algebra.amounts import unit_letter
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.bounds_in_words import bound_of, region_in_words
from verifleet.verifiers.math.answer.restated import agreed, contradicted, restated
from verifleet.verifiers.math.answer.value import PERMUTED, without_aside
from verifleet.verifiers.math.answer.wording import meaning, said_meaning, undressed, words
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.expression import COLLECTIONS, EMPTY_SET, REALS, UNDEFINED, Node
from verifleet.verifiers.math.syntax.lexer import MAX_LENGTH
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.runs import INDEXED, runs_of, unconditioned

_REMAINDER = re.compile(
    r"\s*\+\s*(?:\\mathcal\{O\}|O)\s*(?:\\left)?\([^()]*\)\s*$|(?<=[a-zA-Z0-9)}!])\s*\+\s*(?:\.{3}|…|⋯|\\[cl]?dots)\s*$"
)
_NUMERAL = re.compile(r"^\s*\\overline\s*\{\s*(\d+)\s*\}(?=\s*(?:_|$))")
_PAIR = re.compile(
    r"\(\s*([-−+\d\\][^();|,]{0,40}?)(?:;|(?:\\,)?\|(?:\\,)?)\s*([-−+\d\\][^();|,]{0,40}?)(?=\s*(?:\\right\s?)?\))"
)
"""`(3; 2)` and `(3 | 2)`."""
_NAMED = re.compile(r"^\s*(?:\\[a-z]{2,6}|[a-zπE])\s?:(?:\s|\\ )+(?=[^:=]*[a-z][^:=]*=[^:=]*$)")
"""The name of a line or plane before its equation."""
_AND = re.compile(r"(?<=[^\s=&] )&(?= [^\s=&])")  # 5 & 7
_MATRIX = re.compile(r"\\begin\{|\\&")
_SPACED = re.compile(r"\\[ ,;](?=\s*\(\s*(?:≈|\\approx))")
_SIDES = re.compile(r"\\?[({\[]|\\?[)}\]]|(?<![<>!:\\])=(?!=|>)|≈|\\approx(?![A-Za-z])|:\s")
_IN_WORDS = (EMPTY_SET, REALS, UNDEFINED)
_OFFER = re.compile(r"\b(?:or|and|one\s+of|either)\b|\\[(\[]")
_LABELLED = re.compile(r"[:=]\s[^:=]*(?:[,;\n]|\band\b)[^:=\d,;\n]{0,40}(?<=[A-Za-z]{3})\}?\s*$")
"""A label behind the value of another: `quotient: x + 1, remainder`."""
MAX_LABEL_WORDS = 6
MAX_PERMUTED = 5
_MONEY = re.compile(r"\A([^$\\]*)\$(?=\s?[\d.][^$]*\Z)")
"""A dollar sign that opens no formula."""
_LABEL_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_LABEL = re.compile(r"[A-Za-z\]})|]")
_AMBIGUOUS_COMMA = re.compile(r"[0-9],[0-9]{3}(?![0-9])")
_DECIMAL_COMMA = re.compile(
    r"\s*(?:\\?[$€£]\s?)?-?(?:[0-9]+,[0-9]{1,2}|0,[0-9]+|[0-9]+,[0-9]{4,})\s*(?=(?:[^0-9,]|\\,)*$)"
)
_DOTTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])")  # 2.500.000
_LIST_COMMA = re.compile(r"(?<!\d),|,(?!\d{1,2}(?!\d))")  # any but that of a decimal, as in 1 − 0,49 = 0,51
_POINT = re.compile(r"(?<=\d),(?=\d)")
_SOLUTIONS = re.compile(r"\s+or\s+|;\s+")
_DOUBLED = re.compile(r"\\\\(?=[a-zA-Z])")
_TEXT_ASIDE = re.compile(r"\\text\s*\{\s*(\([^(){}0-9]*\))\s*\}\s*$")
_ALL_BUT = re.compile(
    r"(?:.{0,60} )?(?:all|any|every) (?:real(?: numbers?| values?)?|reals|integers?|numbers?|values)"
    r"(?: (?:of )?[a-z])? (?:except|but|other than|excluding)"
    r"(?: for)?(?: [a-z] ?=)? ?(.+)"
)
_DENIED_LABEL = re.compile(
    r"\b(?:not|no|never|neither|nor|doubt|deny|wrong|false|incorrect|or|except|non|than|if|but"
    r"|anything|excluding|without)\b|\bun(?!its?\b)"
)  # NO/BO is a ratio of lengths


def _undressed(text: str) -> str:
    """Without closing punctuation and conditions; `2.500.000,50` as 2500000.50."""
    if _DOTTED.search(text):
        text = _POINT.sub(".", _DOTTED.sub(lambda match: match.group().replace(".", ""), text))
    if not text.rstrip(" .").endswith(r"\ldots") and "..." not in text[-6:]:
        text = text.rstrip(" .,;:\n\t") if not text.endswith("\\ ") else text
    text = _NAMED.sub("", _PAIR.sub("(\\1, \\2", text))
    text = _NUMERAL.sub(r"\1", _REMAINDER.sub("", text))
    text = unconditioned(INDEXED.sub(", ", text))
    if "&" in text and not _MATRIX.search(text):
        text = _AND.sub("and", text).replace("&", "")
    return text


def _last_side(text: str) -> str | None:
    """What stands behind the last sign of equality of a text that can't be read as a whole; before it is a label."""
    depth, last = 0, None
    for match in _SIDES.finditer(text):
        sign = match.group()
        if sign[-1] in "({[":
            depth += 1
        elif sign[-1] in ")}]":
            depth -= 1
        elif depth == 0:
            last = match
    label = text[: last.start()] if last else ""
    if last is None or "$" in label or any(sign.search(label) for sign in (_DENIED_LABEL, _LABELLED, _OFFER)):
        return None
    if len(_LABEL_WORD.findall(label)) > MAX_LABEL_WORDS:
        return None
    return text[last.end() :] if _LABEL.search(label) or not label.strip() else None


def _worded(text: str) -> tuple[Node, ...] | None:
    """What words alone say: none, all, all but some, at least so much, by cases; None for other texts."""
    phrase = words(text)
    cases = phrases.BY_CASES.match(undressed(text, r" \1 "))
    if cases is not None:
        one, first, other, last = (said and said.strip(" $,") for said in cases.group("one", "first", "other", "last"))
        one = one.rpartition(" is ")[2].rpartition("=")[2]
        sheet = rf"\begin{{cases}}{one} & {first} \\ {other} & {last or 'otherwise'}\end{{cases}}"
        return tuple(filter(None, (read(sheet),)))
    known = meaning(phrase) or said_meaning(phrase)
    if known is not None:
        return (known,)
    exception, bound = _ALL_BUT.match(phrase), bound_of(text)
    if exception is not None:
        left_out = meaning(exception.group(1)) or read(exception.group(1))
        elements = left_out and (left_out.args if left_out.op == "list" else (left_out,))
        return (Node("diff", (REALS, Node("set", elements))),) if elements else ()
    region = read(f"x {' '.join(bound)}" if bound else region_in_words(text) or "")
    return (region,) if region else () if bound else None


def kind_of(node: Node) -> str:
    """`number`, also of values of names; `function`, which holds variables; `any` for other things."""
    if node.op == "list":
        kinds = set(map(kind_of, node.args))
        return kinds.pop() if len(kinds) == 1 else "any"
    if node.op in COLLECTIONS or (node.op == "rel" and ("==" in node.value or not node.is_equation)):
        return "any"
    if node.op == "var" or node in _IN_WORDS or (node.op == "rel" and len(node.args) == 2 and not node.name):
        return "any"  # a choice, none, an equation to be solved
    return "function" if node.said.variables() and unit_letter(node.said) is None else "number"


def fits(text: str, asked: Question) -> bool:
    """Whether a text may be a value of the kind that is sought: no words alone; anything, where no kind is known."""
    kind = asked.kind
    node = next(readings(text), None) if kind else None
    if node is None:
        return not kind or bool(runs_of(text))
    bounded = kind == "number" and not asked.sorts and node.op == "rel" and bool(set(node.value) & {"<", ">"})
    return kind == "any" or (kind_of(node) in ("any", kind) and node.op not in ("tuple", "interval") and not bounded)


def readings(text: str, decimal_commas: bool = True) -> Iterator[Node]:
    """The expressions a text may stand for; none if it is no mathematics. `decimal_commas`: `3,5` may be 3.5."""
    if len(text) > MAX_LENGTH:
        return
    text = _MONEY.sub(r"\1\\$", text)
    worded = _worded(text)
    if worded is not None:
        yield from worded
        return
    permuted = PERMUTED.search(text) if "perm" in text.lower() else None
    if permuted is not None:
        nodes = map(_with_permutations, readings(text[: permuted.start()], decimal_commas))
        yield from filter(None, nodes)
        return
    said = restated(_SPACED.sub(" ", text))
    if said is not None:
        values = agreed(said)
        yield from values
        offered = text[len(said.text) :].lstrip(", ").startswith(("or ", "ou "))  # 3 or 5
        if values or (contradicted(said) and not offered):
            return
    text = _undressed(text)
    if said is None:  # else the brackets may hold the value once more
        text = without_aside(_TEXT_ASIDE.sub(r" \1", text))
    if _DOUBLED.search(text) and "\\begin" not in text.replace("\\\\begin", ""):
        text = text.replace("\\\\", "\\")  # escaped once too often
    text = text.replace("{.}", ".")
    node = read(text)
    side = _last_side(text) if node is None else None
    if side is not None:
        yield from readings(side, decimal_commas)
        return
    separated = read(text, commas=False) if _AMBIGUOUS_COMMA.search(text) else None
    plain_comma = text.replace("{,}", ",")
    last = plain_comma.rfind("=") + 1
    decimal = None
    chain = (last or "≈" in text) and "," in text and not _LIST_COMMA.search(text)
    if decimal_commas and (chain or _DECIMAL_COMMA.match(plain_comma, last)):
        decimal = read(_POINT.sub(".", plain_comma) if last or "≈" in text else plain_comma.replace(",", ".", 1))
    yield from filter(None, (node, separated, decimal, _named_solutions(text) if node and node.op == "list" else None))


def _with_permutations(node: Node) -> Node | None:
    """The tuples of a list, or one alone, with all their permutations."""
    tuples = node.said.args if node.said.op == "list" else (node.said,)
    if not all(part.op == "tuple" and len(part.args) <= MAX_PERMUTED for part in tuples):
        return None
    orders = ((part, order) for part in tuples for order in permutations(part.args))
    return Node("list", tuple(dict.fromkeys(Node("tuple", order, part.value) for part, order in orders)), ",")


def _named_solutions(text: str) -> Node | None:
    """`x = 3, y = 2 or x = 2, y = 3` as a list of tuples, in the order of their names."""
    nodes = [read(part) for part in _SOLUTIONS.split(text)]
    groups = [{side.name: side.said for side in node.args if side.name} for node in nodes if node and node.op == "list"]
    names = groups[0].keys() if groups else ()
    if not 2 <= len(groups) == len(nodes) or any(
        len(n.args) != len(g) or g.keys() != names for n, g in zip(filter(None, nodes), groups, strict=True)
    ):
        return None
    tuples = (Node("tuple", tuple(group[name] for name in sorted(names)), "()") for group in groups)
    return Node("list", tuple(tuples), ",")
