"""A Markdown table as an answer: only the cells that may answer stay, the others are blanked, so offsets stay.

The column is one whose heading speaks of what was asked or says "answer", the row one that names what was asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import pairwise

from verifleet.reading.struck import blanks

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_WORD = re.compile(r"[^\W_]+")
_ARTICLES, _ANSWERS = frozenset("a an the".split()), frozenset("answer result solution".split())
_WRONG = frozenset({"wrong", "incorrect", "false"})
_ORDER = {"first": 0, "top": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "bottom": -1, "last": -1}
_RANK = rf"(?P<%s>{'|'.join(_ORDER)})"
_CHOSEN_ROW = re.compile(
    r"(?:^|(?<=[.!?\n]))[^.!?\n]{0,80}?(?:"
    rf"\b(?:row|line|entry)\b(?:(?! not )[^.;\n]){{0,40}} is (?:in )?the {_RANK % 'one'}(?: one)?\b|"
    rf"\b(?:answer|it)(?:'s| is) (?:in )?the {_RANK % 'two'} (?:row|line|entry)\b|"
    rf"\bsee (?:the )?{_RANK % 'three'} (?:row|line|entry)\b)",
    re.IGNORECASE,
)
"""`the row you want is the second one`, `it is the last row`."""
MAX_LINES = 100
Cell = tuple[int, int]


def without_other_cells(text: str, words: Collection[str], plain: Callable[[str], str]) -> str:
    """The text with blanks for all but the answering cells of its table; the text itself where it has none.

    A row that the text behind the table chooses by its place answers. `words` are those of the question, `plain` the
    form in which words are compared.
    """
    if "|" not in text or "--" not in text:
        return text
    lines = _lines(text)
    if len(lines) > MAX_LINES:
        return text
    rules = (i for i, line in enumerate(lines) if i and _RULE.fullmatch(text, *line) and "|" in text[slice(*line)])
    if not (rule := next(rules, 0)):
        return text
    asked = {plain(form) for w in words for form in (w, w.removesuffix("th"))} - _ARTICLES

    def said(cell: Cell) -> set[str]:
        return {plain(w) for w in _WORD.findall(text[slice(*cell)])} - _ARTICLES

    heading = _cells(text, lines[rule - 1])
    rows = [_cells(text, line) for line in lines[rule + 1 :] if "|" in text[slice(*line)]]
    named = [row for row in rows if any(said(cell) and said(cell) <= asked for cell in row)]
    named = [row for row in named if said(row[0]) and said(row[0]) <= asked] or named
    chosen = _CHOSEN_ROW.search(text, rows[-1][-1][1]) if rows else None
    row = _ORDER[next(filter(None, chosen.groups())).lower()] if chosen is not None else len(rows)
    named = [rows[row]] if row < len(rows) else named
    columns = [i for i, cell in enumerate(heading) if said(cell) & (asked | _ANSWERS)]
    wrong = {i for i, cell in enumerate(heading) if said(cell) & _WRONG}
    columns = [i for i in columns if not all(i < len(r) and said(r[i]) <= asked for r in rows)]
    kept = [
        cell
        for row in named or rows
        for i, cell in enumerate(row)
        if (i in columns or not columns) and i not in wrong and not said(cell) <= asked
    ]
    if not kept:
        return text
    if chosen is not None and row < len(rows):  # "the answer is the last row" says no more
        text = text[: chosen.start()] + blanks(chosen[0]) + text[chosen.end() :]
    start, end = lines[rule - 1][0], max(cell[1] for row in rows for cell in row)
    edges = [start, *(at for cell in kept for at in cell), end]
    blanked = "".join(blanks(text[a:b]) if n % 2 == 0 else text[a:b] for n, (a, b) in enumerate(pairwise(edges)))
    return text[:start] + blanked + text[end:].lstrip(" |\t")


def _lines(text: str) -> list[Cell]:
    return [m.span() for m in re.finditer(r"[^\n]+", text)]


def _cells(text: str, line: Cell) -> list[Cell]:
    """The cells of a line without the bars and blanks around them."""
    start = line[0]
    parts = re.finditer(r"[^|]+", text[slice(*line)])
    spans = ((m.start() + len(m[0]) - len(m[0].lstrip()), m.start() + len(m[0].rstrip())) for m in parts)
    return [(start + a, start + b) for a, b in spans if a < b]
