"""Courtesies before and behind an answer, "I hope this helps.", and what runs on behind it, blanked."""

from __future__ import annotations

import re

from verifleet.reading.struck import blank, blanks
from verifleet.verifiers.knowledge.lists import expression

_NEXT_QUESTION = re.compile(r"^[ \t]{0,4}(?:Question|Q|User|Human)[ \t]?\d{0,2}:[ \t]*([^\n]{1,500})", re.MULTILINE)
_IDIOM = expression("courtesies.idioms", r"(?=\W|$)")
"""These hold "or", "not" and "no" that choose and deny nothing."""
_BEFORE = expression("courtesies.courtesies", r"[.!:]+(?=\s)", r"\s*")
_BEHIND = expression("courtesies.farewells", r"[.!]*\s*\Z", r"(?<=[\n.!?])\s*")


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
