r"""What a response takes back: text it strikes out, and answers it corrects after giving them.

A correction counts only where it is unmistakable: it opens with a word such as `wait` or `sorry`,
names another value, and ends there. `Wait, 43 - 1 = 42.` goes on reasoning and takes nothing back.
"""

from __future__ import annotations

import re

from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.stance import CUE
from verifleet.verifiers.math.answer.statement import leading_value
from verifleet.verifiers.math.answer.value import Stated, comparable
from verifleet.verifiers.math.syntax.vocabulary import spoken

MAX_AFTERWORD = 20_000  # characters after an answer in which it may be taken back

_STRUCK = re.compile(
    r"(?<![^\s(*_$\"'>])~~(?=[^\s~])[^~\n]{1,500}(?<!\s)~~(?![^\s.,;:!?)*_$\"'<])|"
    r"<(?P<tag>s|del|strike)>[^<]{1,500}</(?P=tag)>|"
    r"(?P<opening>\\(?:boxed|fbox)\s?\{\s?|\$\s?)\\(?:[xbh]?cancel|sout)\s?\{[^{}]{1,500}\}(?=\s?[$}])|"
    r"\\(?:[xbh]?cancel|sout)\s?\{\\boxed\s?\{[^{}]{1,500}\}\s?\}"
)

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SUBJECT = (
    r"(?:it|(?:the|my)\s+(?:(?:correct|actual|real|right|true|final|new)\s+)?(?:answer|result|value|solution|total))"
)
_IS = r"(?:['’]s|\s+(?:is|was|equals|(?:should|must|would|ought\s+to)\s+(?:\w+ly\s+)?(?:be|have\s+been))|\s*[=:])"
_SAID = rf"(?:{_SUBJECT}{_IS}|should\s+(?:be|have\s+been)|make\s+(?:that|it)|(?:I|we)\s+(?:now\s+)?get)"
_CORRECTION = spoken(
    rf"""\A[\s*_$.)\]\\>,;:—–-]{{0,20}}(?:(?:no|but|or rather)\b,?\s*)?(?P<it>it(?:['’]s| is)) |
    (?:\A|[\n.!?;,:—–(>-])[\s*_$.)\]\\>,;:—–-]{{0,20}}{CUE}{{1,6}}(?:(?:but|that|so|then|and|now|
    I (?:now )?(?:think|believe)) ){{0,3}}(?:(?P<said>{_SAID}|(?:that|this){_IS})\s*(?:(?:actually|really|just|
    instead|indeed|in fact) )?)?"""
)
_REST = spoken(
    r"""[*_\s]*(?P<unit>(?!(?:not|instead|rather|and|or|more|less|times|of|is|are|
    was)\b)[A-Za-z°²³%]{1,15}(?: [A-Za-z]{1,15})?)?[*_\s]*(?:$|[.!;)\n]|\.{3}|—|–|,?\s*(?:and )?(?:not|instead|
    rather than)\b|</answer>)"""
)
_UNDONE = re.compile(r"[0-9)}]\s*(?:\*|\\cdot|\\times|\+|-)\s*[0-9(\\]")

MAX_STATED = 400


def without_struck_out(text: str) -> str:
    r"""The text with blanks for what it strikes out: `~~42~~`, `<del>42</del>`, `\\boxed{\\cancel{42}}`.

    A factor cancelled within a formula stays. The length stays the same.
    """
    if not any(sign in text for sign in ("~~", "</", "cancel", "\\sout")):
        return text
    return _STRUCK.sub(lambda match: (match.group("opening") or "").ljust(len(match.group())), text)


def withdrawn(text: str, end: int, own: str) -> bool:
    """Whether the response says of its answer afterwards that it is to be disregarded, or that it has none."""
    for match in phrases.WITHDRAWAL.finditer(text, end, end + MAX_AFTERWORD):
        numbers = _NUMBER.findall(match.group("what") or "")
        if not numbers or any(number in _NUMBER.findall(own) for number in numbers):
            return True
    return False


def corrected_after(text: str, end: int, own: str) -> Stated | None:
    """The other value by which a response replaces the answer `own` that ends at `end`; None if it stands."""
    corrections = list(_CORRECTION.finditer(text[end : end + MAX_AFTERWORD]))
    values = [(value, match) for match in corrections if (value := _value(match, own)) is not None]
    if not values or comparable(values[-1][0]).lower() == comparable(own).lower():
        return None
    value, match = values[-1]
    return Stated(value, *match.span()).moved(end)


def _value(match: re.Match[str], own: str) -> str | None:
    """The value that follows the words of a correction, if they say so or nothing else follows."""
    said = match.group("said") or match.group("it")
    stated = leading_value(match.string[match.end() : match.end() + MAX_STATED])
    if stated is None:
        return None
    value, rest = stated
    end = _REST.match(rest)
    if end is None or "boxed" in value:
        return None
    if end.group("unit"):
        return None  # "Actually, 3 cases remain."
    if not said:
        head, equals, _ = value.partition("=")
        if _UNDONE.search(value) or (equals and not re.match(rf"\s*{re.escape(head.strip())}\s*=", own)):
            return None  # a calculation, or some other quantity
    return value.strip()
