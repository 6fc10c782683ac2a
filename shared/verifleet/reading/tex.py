r"""LaTeX around figures and words as plain text, of the same length: `299\,792\ \text{km}` reads 299 792 km."""

from __future__ import annotations

import re

_GROUPS = re.compile(r"(?<=\d)(?:\\[,!]|\{,\})(?=\d{3}(?!\d))")
_BLANKS = re.compile(r"\\[,;:! ](?=[\w\\{])|(?<=\d)~(?=[^\W\d]|\\)|\\[()\[\]]")
_DRESSED = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|textit|operatorname)\s?\{([^{}\n]{0,100})\}")
_NARROW, _NOTHING = "\u202f", "\u200b"


def without_tex(text: str) -> str:
    """The text with its marks of LaTeX blanked; a group of three digits keeps to the one before."""
    if "\\" not in text and "{,}" not in text:
        return text
    text = _GROUPS.sub(lambda m: _NARROW + _NOTHING * (len(m[0]) - 1), text)
    text = _BLANKS.sub(lambda m: " " * len(m[0]), text)
    return _DRESSED.sub(lambda m: m[1].rjust(len(m[0]), _NOTHING), text)


_FORMULA = re.compile(r"\s*[-−]?\s*(?:[A-Za-zα-ω]{1,6}\s*[(^²³]|[a-zα-ω]\s*$|(?:sin|cos|tan|log|ln|exp|sqrt)\b)")
"""The beginning of a formula."""
_MINUS = re.compile(r"(?:^|[^\w)])[-−](?!\s)[\\({\[$*`]*$")
"""A minus before what a text ends with: no dash and no bullet."""


def signed_alike(text: str, start: int, formula: str) -> bool:
    """Whether what begins at `start` has the sign of a formula: `sin(x)` is no `-sin(x)`; true of what is none."""
    if not _FORMULA.match(formula):
        return True
    return (_MINUS.search(text, 0, start) is not None) == formula.strip(" $").startswith(("-", "−"))
