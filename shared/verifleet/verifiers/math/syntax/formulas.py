"""The formulas in the text of a prompt: text comes in, each formula as written, and parsed, goes out."""

from __future__ import annotations

import re

from verifleet.verifiers.math.syntax.expression import Node
from verifleet.verifiers.math.syntax.lexer import FUNCTIONS, GREEK, MathSyntaxError, plain_signs
from verifleet.verifiers.math.syntax.parser import parse

DELIMITED = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_ENVIRONMENT = re.compile(
    r"\\begin\{(align\*?|aligned|cases|gather\*?|equation\*?|eqnarray\*?)\}(.+?)\\end\{\1\}", re.DOTALL
)
_LETTERS = re.compile(r"\\?[A-Za-z]+")
_MATHEMATICAL = re.compile(r"^[-+*/^=<>()\[\]{}|\\.,;:!%0-9A-Za-z_'&~?$]+$")
_SHORT_PRODUCTS = frozenset("xy yz xz ab bc ac dx dy dt du xyz abc mn pq kx ax bx cx nx mx by".split())
_ALONE = frozenset("aAI")
# What follows a coefficient a, rather than the article: an operator, or a power, sum or product of a letter.
_TIMES_NEXT = re.compile(rf"[=+*/^<>-]|[a-zA-Z]\s?(?:[=+*/^]|d[a-z](?![a-z]))|(?:{'|'.join(sorted(FUNCTIONS))})\(")
_FORMULA_NAMES = FUNCTIONS - {"sign", "re", "im", "arg", "max", "min"} | {"mod", "pi", "lim", "infinity", "inf"}


def formulas(text: str) -> list[str]:
    """The formulas of a prompt in order: delimited ones if there are any, else runs of mathematical words."""
    delimited = [next(group for group in match.groups() if group) for match in DELIMITED.finditer(text)]
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
        current.append(word)
        open_brackets = sum((sign in "([{") - (sign in ")]}") for part in current for sign in part)
        if word != bare and open_brackets <= 0:
            close()
    close()
    return runs


def _is_formula_word(word: str, before: str, after: list[str]) -> bool:
    if (word and not _MATHEMATICAL.match(word)) or not all(map(_is_formula_name, _LETTERS.findall(word))):
        return False
    return word not in _ALONE or bool(re.search(r"[=+*/^<>-]$", before) or _TIMES_NEXT.match(" ".join(after)))


def _is_formula_name(letters: str) -> bool:
    if letters.startswith("\\") or len(letters) == 1 or letters in GREEK or letters in _SHORT_PRODUCTS:
        return True
    return letters.lower() in _FORMULA_NAMES or re.fullmatch(r"d[xytu]", letters) is not None


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
