"""Otherwise: what an authority says of the very thing about which a claim alarms, and other subjects of like words.

Nobody foresees the words by which a rumour is answered. What counts is that an authority, which neither alarms nor
counts there, tells how things stand with what the claim is about, and nowhere tells what the claim does.
"""

from __future__ import annotations

from verifleet.agents.verifier.finding import TOUCHED, Finding
from verifleet.agents.verifier.memory import Report, Statement
from verifleet.agents.verifier.subjects import Subject, subject, tells
from verifleet.agents.verifier.wording import DEEDS, HAPPENINGS

_ITS_HAZARDS = {
    "fire": frozenset({"fire", "explosion"}),
    "explosion": frozenset({"fire", "explosion", "leak"}),
    "earthquake": frozenset({"quake"}),
    "flood": frozenset({"flood", "landslide", "storm"}),
    "storm": frozenset({"storm", "tornado", "flood"}),
    "transport": frozenset({"crash", "derailment", "sinking", "grounding"}),
    "collapse": frozenset({"collapse"}),
    "attack": frozenset({"attack", "shooting", "stabbing", "bomb", "explosion", "hostage"}),
}
"""The kinds of event that everybody tells of in an incident of a family."""


def _of_the_incident(claim: Statement, own: Report) -> bool:
    return not claim.hazards.isdisjoint(_ITS_HAZARDS.get(own.family, claim.hazards))


def _tells_it_too(claim: Statement, other: Report) -> bool:
    """Whether a report states somewhere what a claim says has happened, in a word of the same sense."""
    befell = claim.words & (HAPPENINGS | DEEDS)
    return any(
        not (s.negative or s.denial) and not (befell.isdisjoint(s.words) and claim.hazards.isdisjoint(s.hazards))
        for s in other.statements
    )


def otherwise(
    claim: Statement, own: Report, statement: Statement, other: Report, named: frozenset[str]
) -> Finding | None:
    """What a statement of an authority says against a claim about the same thing, which both call `named`."""
    if other.time < own.time or claim.phase or _of_the_incident(claim, own) or _tells_it_too(claim, other):
        return None
    reason = f"speaks of it otherwise: “{statement.text}”"
    return Finding("refutes", TOUCHED, reason, named=named, about=statement.things | named)


def only_subject(claim: str, statement: str) -> frozenset[str]:
    """The words for what a claim is about, where both it and a statement have a verb; else none."""
    about = subject(claim)
    return about.others | {about.head} if tells(claim) and tells(statement) else frozenset()


def of_another_subject(claim: Statement, statement: Statement) -> bool:
    """Whether each of two statements is about what the other does not name: a bridge, a track bed."""
    if not claim.names.isdisjoint(statement.names):
        return False
    mine, theirs = subject(claim.text), subject(statement.text)
    if not (mine.head and theirs.head) or {mine.head, theirs.head} & (HAPPENINGS | DEEDS):
        return False
    return _unnamed(mine, statement) and _unnamed(theirs, claim)


def _unnamed(about: Subject, statement: Statement) -> bool:
    named = about.others | {about.head}
    low = statement.text.lower()
    return named.isdisjoint(statement.words | statement.things) and not any(word[:4] in low for word in named)
