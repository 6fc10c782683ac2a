"""The formulas in the text of a prompt: text comes in, each formula as written, and parsed, goes out."""

from __future__ import annotations

import re

from verifleet.verifiers.math.syntax.expression import Node
from verifleet.verifiers.math.syntax.lexer import MathSyntaxError
from verifleet.verifiers.math.syntax.parser import parse
from verifleet.verifiers.math.syntax.runs import FORMULA, formula_text, runs_of

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n")
_SAYS = re.compile(r"[0-9=<>^\\+*/(]|\S\s*\S")
_SHEET = re.compile(r"\\(?:begin|end)\{(?:align|aligned|gather|equation|eqnarray)\*?\}")
_ASKED = re.compile(r"=\s*\??\s*$")


def formulas(text: str) -> list[str]:
    """The formulas of a prompt in order: delimited ones if there are any, else its runs of mathematics."""
    delimited = [formula_text(match).strip() for match in FORMULA.finditer(text)]
    return [formula for formula in delimited if formula] or [
        formula for sentence in _SENTENCE_END.split(text) for formula in _runs(sentence) if _SAYS.search(formula)
    ]


def _runs(sentence: str) -> list[str]:
    """The runs of a sentence, with the sign of a factorial that ends one."""
    return [run.text.strip(" ,;:.?") + "!" * sentence.startswith("!", run.end) for run in runs_of(sentence)]


def readable(text: str) -> list[tuple[str, Node]]:
    """The formulas that can be read, as written and parsed."""
    result = []
    for formula in formulas(text):
        cleaned = _SHEET.sub("", _ASKED.sub("", formula)).strip().rstrip(".,;")
        try:
            result.append((cleaned, parse(cleaned)))
        except MathSyntaxError:
            continue
    return result
