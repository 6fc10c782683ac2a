"""How the words around a value put it: denied, only supposed, asked, or stated."""

from __future__ import annotations

import re

from verifleet.reading.words import spoken
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.syntax.vocabulary import phrased

REACH = 120  # characters on either side of a value that are looked at
_DENIAL = re.compile(
    rf"(?:\b(?:{phrased('stance.denying')})\b)"
    rf"(?:\s+(?:{phrased('stance.between')})\b|[\s:*$\\(\[=,]|\\text|\\boxed\s*\{{|<answer>|\\;|\\,)*$",
    re.IGNORECASE,
)
"""A denial that reaches the value behind it."""
_CLAUSE_END = re.compile(r"[.!?;,:](?:\s|$)|\n|\b(?:but|so|hence|thus|therefore)\b")
CUE = rf"(?:(?:{phrased('stance.correcting')})\b[\s,.:;!*_…—–-]{{0,20}})"
"""Words that open a correction."""
_DISOWNED = spoken(
    rf"""[\s*_$.,;:!)}}\]\\>—–-]{{0,20}}(?:\?[\s$]*(?:no|nope|wrong|incorrect)\b|
    {CUE}{{0,6}}(?:(?:and |but )?(?:which|that|this|it|(?:the|my) answer)\b\s*)?(?:['’]s|is|was|would be|are|
    turns out to be) (?:[a-z]+ly )?(?:not (?:the )?(?:correct|right|answer|true|valid|final)|wrong|incorrect|false|
    a mistake|an error|impossible|invalid)\b)"""
)
"""What takes back the value before it: `that is wrong`."""
WAVERING = re.compile(rf"\b(?:{phrased('stance.wavering')})\b", re.IGNORECASE)
"""Words of somebody who changes his mind, or has none."""
_QUESTION = re.compile(r"[^\n.!?]{0,200}\?")
_SUPPOSED = spoken(phrased("stance.supposed"))
_BY_OTHERS = spoken(
    rf"""(?:(?:^|[.!?;:,\n]\s*|\b(?:but|so) )(?:{phrased("stance.others")}) (?:[a-z]+ ){{0,3}}
    (?:{phrased("stance.thinking")})\b|{phrased("stance.mistaken")}|
    {phrased("stance.told")})[^,;.\n]*$"""
)
_NOT_SO = spoken(phrased("stance.not_so"))
_NOT_VERB = spoken(phrased("stance.not_verb"))


def denied(text: str, start: int, end: int) -> bool:
    """Whether the words right before or after a value deny it or take it back."""
    before = text[max(0, start - REACH) : start]
    return bool(
        _DENIAL.search(_CLAUSE_END.split(before)[-1])
        or _DISOWNED.match(text, end)
        or phrases.denied(before, text[end : end + 60])
    )


def asked(text: str, end: int) -> bool:
    """Whether the sentence of a value goes on to a question mark."""
    return _QUESTION.match(text, end) is not None


def supposed(text: str, at: int) -> bool:
    """Whether the clause before a place only supposes what follows, or has somebody else say it."""
    return _SUPPOSED.search(text[max(0, at - REACH) : at]) is not None or by_others(text, at)


def by_others(text: str, at: int) -> bool:
    """Whether the clause before a place has what follows as somebody else's answer, that of a key, or as a mistake."""
    return _BY_OTHERS.search(text[max(0, at - REACH) : at]) is not None


def unsaid(sentence: str, start: int, end: int) -> bool:
    """Whether a sentence only supposes a value, or denies what it says of it: `12 apples are not left`."""
    return (
        supposed(sentence, start)
        or phrases.DENIAL.search(sentence, 0, start) is not None
        or _NOT_VERB.search(sentence, max(0, start - 60), start) is not None
        or _NOT_SO.match(sentence, end) is not None
    )
