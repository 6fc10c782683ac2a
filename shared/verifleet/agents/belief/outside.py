"""Evidence from outside: pages that a search found, and a knowledge base of questions that claims answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from verifleet.agents.belief.credibility import official_domain
from verifleet.agents.belief.evidence import DENIAL_WEIGHT, Item
from verifleet.agents.relate.types import Stance
from verifleet.envelopes import VerifiedClaim
from verifleet.reading.words import fold

PAGE_WEIGHT = 1.5
MAX_SEARCHED = 5
"""Claims of one event that are searched for, the most checkworthy."""
KNOWN_WEIGHT = 2.0
MAX_CLAIM = 300
_STATES = re.compile(
    r"^(?P<subject>.{3,120}?)\s+(?P<verb>is|was|are|were)\s+(?:located\s+in\s+|in\s+)?(?P<stated>[^,;]{1,120})",
    re.IGNORECASE,
)
_ASKS = ("What {verb} {subject}?", "Who {verb} {subject}?", "Where {verb} {subject}?")
_WORD = re.compile(r"\w+")

Answers = Callable[[str], Sequence[str]]
"""The accepted answers to a question; empty when the base does not hold it."""


def known_evidence(claim: str, answers: Answers) -> Item | None:
    """What a knowledge base says about a claim of the form "X is Y"; None when it holds no such question.

    The stated answer supports the claim. Another number where the base has a number refutes it; other words say
    nothing, since two descriptions of one thing may both be right.
    """
    match = _STATES.match(claim[:MAX_CLAIM].strip())
    if match is None:
        return None
    for form in _ASKS:
        question = form.format(verb=match["verb"].lower(), subject=match["subject"])
        accepted = answers(question)
        if accepted:
            return _compared(match["stated"], question, accepted)
    return None


def _compared(stated: str, question: str, accepted: Sequence[str]) -> Item | None:
    said = frozenset(_WORD.findall(fold(stated)))
    answers = [frozenset(_WORD.findall(fold(answer))) for answer in accepted]
    if any(answer and answer <= said for answer in answers):
        return _item("supports", question, accepted[0], KNOWN_WEIGHT)
    numbers = {word for word in said if word[0].isdigit()}
    known = {word for answer in answers for word in answer if word[0].isdigit()}
    if numbers and known and numbers.isdisjoint(known):
        return _item("refutes", question, accepted[0], -KNOWN_WEIGHT)
    return None


def _item(stance: Stance, question: str, answer: str, weight: float) -> Item:
    reason = f"the knowledge base answers “{question}” with “{answer[:200]}”"
    return Item("knowledge base", stance, reason, weight, rule="knowledge.answer", authority=True)


def to_search(claims: Sequence[VerifiedClaim]) -> list[int]:
    """Which claims of an event are worth a search of the web, by their index."""
    return sorted(range(len(claims)), key=lambda index: -claims[index].claim.checkworthiness)[:MAX_SEARCHED]


def found_page(title: str, url: str, stance: Stance, reason: str) -> Item:
    """A page that a search found, as evidence; a page of an official body counts more."""
    host = urlsplit(url).hostname or ""
    official = official_domain(host) or official_domain(title)
    weight = PAGE_WEIGHT * (1.5 if official else 1.0)
    signed = {"supports": weight, "refutes": -weight * DENIAL_WEIGHT}.get(stance, 0.0)
    told = f"{reason} (web page{', official' if official else ''})"
    return Item(title or host, stance, told, signed, url=url, rule="search.page", authority=official)
