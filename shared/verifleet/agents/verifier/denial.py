"""Denials: which statements a report calls untrue, also when it says so indirectly."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.agents.verifier.wording import concepts

MAX_SENTENCES = 120
MAX_DENIALS = 12

_CUE = re.compile(
    r"\b(?:den(?:y|ied|ies|ying)|false(?:ly)?|untrue|fake[ds]?|hoax(?:es)?|bogus|unfounded|baseless|groundless|debunk\w*"
    r"|mis-?information|dis-?information|fabricat\w+|incorrect|inaccurate|erroneous|mistaken|misleading|doctored"
    r"|dismiss(?:ed|es)|reject(?:ed|s)|refut(?:ed|es)|quash(?:ed|es)|rul(?:ed?|es|ing) out|contrary to|disprov\w+"
    r"|not (?:true|correct|accurate|the case|so)|isn['’]t true|wrong|nonsense|scaremongering"
    r"|no (?:truth|evidence|indication|sign|signs|trace|basis|confirmation|substance|foundation|merit|such|threat|risk"
    r"|danger|need to)|without (?:any )?(?:basis|foundation|substance|merit)"
    r"|nothing (?:of the (?:kind|sort)|like (?:it|that)|suspicious|was found|has been found|to suggest|to indicate"
    r"|to support|to worry)|(?:found|turned up|discovered) nothing"
    r"|never (?:happened|took place|occurred|existed)|did(?: not|n['’]t) (?:happen|take place|occur)"
    r"|(?:stop|do not|don['’]t|please avoid|refrain from)"
    r" (?:sharing|spreading|believ\w+|forwarding|circulating|repeating)"
    r"|all[- ]clear|false alarm|negative for|tested negative|old (?:photo|video|footage|picture|image)s?"
    r"|(?:photo|video|footage|picture|image|clip|recording)s? (?:is|are|was|were|dates?)"
    r" (?:old|years|from|not|fake|edited)"
    r"|(?:rumou?rs?|claims?|reports?|stories|talk|posts?|messages?)\b.{0,80}"
    r"\b(?:circulating|untrue|false|wrong|not true|no truth)"
    r")\b",
    re.IGNORECASE,
)
_STATED_AS_FACT = re.compile(
    r"\b(?:wrong (?:way|side|turn|track)|no need to|false (?:ceiling|teeth|floor))\b", re.IGNORECASE
)
_ANAPHORA = re.compile(
    r"\b(?:this|that|these|those|such|it|they|them|the (?:rumou?rs?|claims?|reports?|story|stories|posts?|messages?"
    r"|allegations?|suggestions?)|nothing of the (?:kind|sort)|the case|so)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…])[\s\"”’)]+|\n+|;\s+")
_TURN = re.compile(
    r"[,;]?\s+(?:but|however|although|though|while|whereas|yet)\s+(?!nothing|no\b|found|there (?:is|was|are|were) no)"
    r"|\s+[–—]\s+|,\s+(?:and\s+)?(?=(?:\w+\s+){0,3}(?:is|are|was|were|remains?|has|have)\s+(?:at|open|in|been|still)\b)",
    re.IGNORECASE,
)

_OPPOSITES = (
    (
        r"intact|holding(?: firm)?|undamaged|structurally sound|in no danger of collapse|secure and stable"
        r"|remains? stable",
        "burst",
    ),
    (r"(?:re-?)?opened|(?:is|are|remains?|stays?) open|passable|open to traffic", "closed"),
    (r"safe to drink|drinkable|potable|meets? (?:all )?(?:safety |quality )?standards", "contaminated unsafe poisoned"),
    (r"sober", "drunk"),
    (r"accidental(?:ly)?|electrical (?:fault|failure|short)|short circuit|lightning strike|an accident", "arson"),
    (
        r"calm(?: and)?|orderly|trading as usual|business as usual|trading normally|open as (?:usual|normal)",
        "looting riot",
    ),
    (r"running (?:normally|as normal|again)|operating (?:normally|as usual)|resumed", "suspended cancelled"),
    (
        r"accounted for|safe(?:ly)? inside|locked in|in custody|recaptured"
        r"|still in (?:its|their|the) (?:enclosures?|cells?|cages?)",
        "escaped",
    ),
    (r"full(?:y)? (?:stocked|supplied)|plenty of", "shortage"),
)
_OPPOSITE = tuple((re.compile(rf"\b(?:{wordings})\b", re.IGNORECASE), opposite) for wordings, opposite in _OPPOSITES)
_WARNING = re.compile(
    r"\b(?:please\s+)?(?:do not|don['’]?t|never|avoid|nobody should)\s+(?!shar|spread|believ|forward)\w+", re.I
)
_NOT = re.compile(r"\b(?:not|no longer|never|cannot|n['’]t)\b|n['’]t\b", re.IGNORECASE)


def sentences(content: str) -> list[str]:
    """The sentences of a report; at most MAX_SENTENCES."""
    return [part.strip() for part in _SENTENCE.split(content[:20_000]) if part.strip()][:MAX_SENTENCES]


@dataclass(frozen=True, slots=True)
class Denial:
    """A passage that calls something untrue: as it stands, and the words for what is denied."""

    text: str
    denied: str


def denials(content: str) -> list[Denial]:
    """What a report calls untrue; at most MAX_DENIALS.

    "Nothing of the kind was found" or "there is no truth to this" deny what the sentence before them tells.
    """
    parts = [clause for sentence in sentences(content) for clause in _clauses(sentence)]
    found = []
    for index, part in enumerate(parts):
        if not is_denial(part):
            continue
        text, denied = part, _CUE.sub(" ", part)
        if _ANAPHORA.search(part) and len(concepts(denied)) < 3 and index:
            text, denied = f"{parts[index - 1]} {text}", f"{parts[index - 1]} {denied}"
        if concepts(denied):
            found.append(Denial(text[:300], denied[:600]))
    return found[:MAX_DENIALS]


def without_warnings(text: str) -> str:
    """A text without what it tells people not to do: "do not drink the water" denies nothing."""
    return _WARNING.sub(" ", text)


def is_denial(text: str) -> bool:
    """Whether a clause calls something untrue."""
    return bool(_CUE.search(text)) and not _STATED_AS_FACT.search(text)


def negative_form(text: str) -> str:
    """The statement that `text` rules out by saying the opposite ("the dam is intact": "the dam is burst"), or ""."""
    for pattern, opposite in _OPPOSITE:
        if pattern.search(text) and not _NOT.search(text):
            return pattern.sub(opposite, text)
    return ""


def _clauses(sentence: str) -> list[str]:
    return [clause.strip() for clause in _TURN.split(sentence) if clause and clause.strip()]
