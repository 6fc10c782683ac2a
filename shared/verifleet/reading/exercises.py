"""Exercises, drills and test messages: reports that say of themselves that nothing has happened.

What counts is that the report calls itself one: in a label at its head or in brackets, or in a sentence that says so.
"This is not a drill", an explosion during a military exercise and an oil drill are none.
"""

from __future__ import annotations

import re

MAX_TEXT = 4_096
"""Characters looked at: a report calls itself an exercise at its head, or at the end of a short one."""

_WORD = r"(?:exercise|drill|simulation|simulacro|esercitazione|\w{0,20}übung|exercice|simulado|tatbikat)"
_KIND = (
    r"(?:(?:emergency|full[- ]scale|table[- ]?top|training|mass[- ]casualty|fire|evacuation|earthquake|tsunami|disaster"
    r"|planned|scheduled|annual|monthly|weekly|routine|national|regional|joint|multi[- ]agency)[ ,]){0,3}"
)
_LABEL = re.compile(
    rf"^\W*{_KIND}(?:{_WORD}|test (?:message|alert|broadcast)|(?-i:TEST))(?: in progress| only)?"
    r"\s{0,2}[:|\]–—-](?!\w)"
    r"|\b(exercise|drill|test)[\W_]{1,4}\1\b"
    r"|[\[(*]\s{0,2}(?:exercise|drill|(?:test|training) (?:message|only))(?: only)?\s{0,2}[\])*]",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?:\b(?:is|are|was|were)|['’]s) (?:(?:only|just|all|purely) ){0,2}"
    rf"(?:(?:part of )?an? {_KIND}(?:drill|exercise|simulation)\b(?! (?:in|for|of|rig|that|gone|turned)\b)"
    r"|an? (?:\w{3,12} ){0,2}test(?:(?=[.!:;,)]|$)| only| message| alert"
    r"| (?:of|for) (?:the |our |a )?(?:\w{1,15} ){0,3}(?:alert\w{0,4}|warning|emergency|sirens?|broadcast|system)))"
    r"|\bfor (?:exercise|training|drill|test(?:ing)?) (?:purposes?|use)\b"
    rf"|(?<!no )(?<!non )(?<!não )\b(?:es un |ist eine |ceci est un |è un['’]|é um ){_WORD}\b",
    re.IGNORECASE,
)
_REAL = re.compile(
    r"\b(?:thought|believed|assumed|hoped|mistook|claim(?:ed|s)?|whether|if)\b[^.!?\n]{0,40}\b(?:drill|exercise|test)\b"
    r"|\b(?:during|after|at) (?:an?|the|its|their) ?(?:[\w-]{1,20} ){0,4}?(?:drill|exercise)\b"
    r"|\bno[- ](?:duff|drill)\b",
    re.IGNORECASE,
)
_HINTS = ("exerc", "drill", "test", "training", "simul", "esercit", "bung", "tatbik")
"""One of these is in all that the patterns find; looking for them first is cheap."""


def calls_itself_exercise(text: str) -> bool:
    """Whether a report says of itself that it is an exercise, a drill or a test message."""
    text = text[:MAX_TEXT]
    lower = text.lower()
    if not any(hint in lower for hint in _HINTS) or _REAL.search(text) is not None:
        return False
    return _LABEL.search(text) is not None or _SAID.search(text) is not None
