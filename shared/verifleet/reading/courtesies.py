"""Courtesies before and behind an answer, "I hope this helps.", and what runs on behind it, blanked."""

from __future__ import annotations

import re

from verifleet.reading.struck import blank, blanks
from verifleet.reading.words import data

_NEXT_QUESTION = re.compile(r"^[ \t]{0,4}(?:Question|Q|User|Human)[ \t]?\d{0,2}:[ \t]*([^\n]{1,500})", re.MULTILINE)
_PHRASES = {name: "|".join(phrases) for name, phrases in data("courtesies").items()}
_IDIOM = re.compile(rf"(?:{_PHRASES['idioms']})(?=\W|$)", re.IGNORECASE)
"""These hold "or", "not" and "no" that choose and deny nothing."""
_BEFORE = re.compile(rf"\s*(?:{_PHRASES['courtesies']})[.!:]+(?=\s)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=[\n.!?])\s*(?:{_PHRASES['farewells']})[.!]*\s*\Z", re.IGNORECASE)


def without_next_question(text: str, prompt: str) -> str:
    """The text up to a line that puts another question than the prompt, as a model does that runs on."""
    for line in _NEXT_QUESTION.finditer(text):
        asked = {*re.findall(r"\w+", line[1].lower())}
        if text[: line.start()].strip() and asked and not asked <= {*re.findall(r"\w+", prompt.lower())}:
            return text[: line.start()]
    return text


def without_courtesies(text: str) -> str:
    """The text with blanks for its opening and closing courtesies."""
    opening = _BEFORE.match(text)
    text = text if opening is None else blanks(opening.group()) + text[opening.end() :]
    return _IDIOM.sub(blank, _BEHIND.sub(blank, text))
