"""Counts that have come to nothing: the last of the missing is found, everybody has power again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifleet.agents.quantity_words import PEOPLE
from verifleet.agents.verifier.wording import fold

if TYPE_CHECKING:
    from verifleet.agents.quantities import Quantity

_NOT_SO = (
    r"(?:not|never|n['’]t|nearly|almost|until|till|when|once|if|unless|before|will|to be|expected|would|could|may|might"
    r"|should|due|cannot|partly|partially|most|hope\w*|aim\w*|working|try\w*|efforts?|part|some)"
)
_BEFORE = re.compile(rf"\b{_NOT_SO}\b|n['’]t\b", re.IGNORECASE)
_BEHIND = re.compile(
    r"\b(?:except|apart from|aside from|other than|save for|but (?:for|not|some|\d)|with the exception|by \d"
    r"|(?:by|before) (?:tonight|tomorrow|noon|midnight|morning|evening|the end))\b",
    re.IGNORECASE,
)
_IN_PART = re.compile(
    r"\b(?:north|south|east|west|central|inner|outer|lower|upper)\w*\b|\b(?:downtown|suburbs?|neighbou?rhoods?|quarter)\b"
    r"|\b(?<!all )districts?\b|^ (?:to|at|for) (?!all\b|every|\d\d?(?:[:.]\d\d| ?[ap]\.?m)|about|around|noon|midnight)",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:[Ii]n|[Aa]cross|[Tt]hroughout|[Tt]o|[Aa]t|[Ff]or) (?:the )?((?:[^\W\d_a-z][\w'’-]+ ?)+)")
_WORD = re.compile(r"[\w'’-]+")
_SOUGHT = re.compile(
    r"\b(?:the (?:last|final)(?: of the)?|all(?: of)?(?: the)?)(?: \w+)? (?:missing|unaccounted[- ]for)"
    r"(?: (?P<who>[\w'’-]+))? (?:is|are|was|were|has|have)(?: now| also| both| all| been)*"
    r" (?:found|located|rescued|recovered|traced|brought (?:out|down|home|to safety)|pulled out|dug out)\b",
    re.IGNORECASE,
)
_FREED = re.compile(
    r"\b(?:the (?:last|final)|all)(?: of)?(?: the| those)?(?: \w+){0,2}? (?:trapped|stranded|stuck)"
    r"(?: (?!not\b)[\w'’-]+){0,6}? (?:is|are|was|were|has|have)(?: now| also| both| all| been)*"
    r" (?:freed|rescued|released|brought (?:out|down|up|ashore|to safety)|pulled out|dug out|evacuated|saved)\b",
    re.IGNORECASE,
)
_FULLY = r"(?:fully|completely|entirely|totally)"
_POWER = r"(?:power|electricity|(?<!water )(?<!gas )(?<!food )(?<!fuel )(?<!blood )(?<!medical )suppl(?:y|ies))"
_ALL_CUSTOMERS = (
    r"(?:all(?: of)?(?: the| its| our)?(?: affected| remaining)*|every(?: single)?)"
    r" (?:customers?|households?|homes?|houses?|consumers?|residents?|subscribers?|users|premises|property|properties)"
)
_SUPPLIED = re.compile(
    rf"\b{_POWER}(?: supply| supplies)?\b[^.,;:!?\n]{{0,50}}? (?:is|are|was|were|has|have)(?: now| again| been| all)*"
    rf" (?:{_FULLY} (?:restored|back)|(?:restored|back) (?:{_FULLY}|everywhere|(?:to|for) {_ALL_CUSTOMERS}))\b"
    rf"|\brestored (?:the )?(?:power|electricity)(?: supply)? (?:everywhere|to {_ALL_CUSTOMERS})\b"
    rf"|\b{_FULLY} restored (?:the )?(?:power|electricity)\b"
    rf"|\b{_ALL_CUSTOMERS} (?:now )?(?:have|has|had) (?:their |got )*(?:power|electricity)(?: back| again)\b"
    rf"|\b{_ALL_CUSTOMERS} (?:have|has) been reconnected\b",
    re.IGNORECASE,
)
_MAY_BE = re.compile(r"(?i)missing|unaccounted|trapped|stranded|stuck|restored|reconnected|\b(?:back|again)\b")
"""What the patterns need; looking for it first is cheap."""


def none_left(text: str) -> list[tuple[str, tuple[int, int]]]:
    """The slots in which a text says that nobody is left, `missing`, `trapped` or `without_power`, and where."""
    if not _MAY_BE.search(text):
        return []
    found = []
    for slot, pattern in (("missing", _SOUGHT), ("trapped", _FREED), ("without_power", _SUPPLIED)):
        for match in pattern.finditer(text):
            before = _SENTENCE_END.split(text[max(0, match.start() - 90) : match.end()])[-1]
            behind = _SENTENCE_END.split(text[match.end() : match.end() + 90], maxsplit=1)[0]
            if _BEFORE.search(before) or _BEHIND.search(behind):
                continue
            people = slot == "trapped" or (slot == "missing" and _is_person((match["who"] or "").lower()))
            everywhere = "water" not in before.lower() and not (_IN_PART.search(before) or _IN_PART.search(behind))
            if people or (slot == "without_power" and everywhere):
                found.append((slot, match.span()))
    return found


def of_here(quantities: Sequence[Quantity], text: str, home: frozenset[str]) -> Sequence[Quantity]:
    """Figures of a text without the 0 of those without power where that is told of a place other than `home`."""
    if not any(q.slot == "without_power" and q.high == 0 for q in quantities) or _all_have_power(text, home):
        return quantities
    return [q for q in quantities if q.slot != "without_power" or q.high != 0]


def _all_have_power(text: str, home: frozenset[str]) -> bool:
    for slot, (start, end) in none_left(text):
        if slot == "without_power":
            first = max(text.rfind(mark, 0, start) for mark in ".;!?\n") + 1
            behind = _SENTENCE_END.split(text[end : end + 90], maxsplit=1)[0]
            named = _PLACED.findall(text[first:end] + behind)
            if named and not any(word in home for name in named for word in _WORD.findall(fold(name))):
                return False
    return True


def _is_person(noun: str) -> bool:
    return not noun or noun in PEOPLE or noun.endswith(_DOERS)


_DOERS = ("er", "ers", "or", "ors", "man", "men", "ee", "ees")
_SENTENCE_END = re.compile(r"[.;!?\n]")
