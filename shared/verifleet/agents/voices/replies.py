"""Replies and what they answer: linked by id, whichever came first, and the stance of the one to the other.

A reply is read once, by itself, into a `Reply` that can be kept without its text; its stance (support, deny, query or
comment) is found when what it answers is at hand, by a small trained model: logistic, over marks, word classes and some
words; `reply_model.json`, trained by tools/train_replies.py.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from verifleet.agents.lexicon import Model, shipped
from verifleet.agents.voices.originals import fold_author
from verifleet.envelopes import EventData
from verifleet.reading.replies import Reply, reply_of
from verifleet.reading.reposts import Original

Stance = Literal["comment", "deny", "query", "support"]
STANCES: tuple[Stance, ...] = ("comment", "deny", "query", "support")
DENIES = "voices.reply_denies"
"""The rule of a finding made of a reply. Supporting replies make none: agreeing is not witnessing."""
STRENGTH = 0.3
LANGUAGE = "en"
"""The only language whose replies the model was trained on; other replies are linked, and have no stance."""
MAX_ID = 200
_QUOTED_FROM = 0.6


# --- links --------------------------------------------------------------------


def answers(event: EventData) -> str:
    """The id of what an event replies to, an event's or its publisher's own; "" when it is no reply."""
    return _bounded(event.published.in_reply_to)


def published_id(event: EventData) -> str:
    """The id that an event's publisher gave it (`metadata.id`), "" when there is none."""
    named = event.carries("id")
    return _bounded(str(named) if type(named) is int else named)


def _bounded(named: object) -> str:
    id = named.strip() if isinstance(named, str) else ""
    return id if len(id) <= MAX_ID else ""


def links(*ids: str) -> tuple[str, ...]:
    """The features by which a reply and what it answers find each other.

    Both are found by the links of all ids that they have: their own, the publisher's, and that of what they answer.
    """
    return tuple(f"a:{hashlib.sha256(id.encode('utf-8', 'replace')).hexdigest()[:16]}" for id in ids if id)


# --- a reply and what it answers ----------------------------------------------


def read_reply(text: str) -> Reply:
    """What a reply says by itself, with the words that the model knows."""
    return reply_of(text, _model()["vocabulary"])


def kept_reply(event: EventData, language: str) -> Reply | None:
    """What is kept of a reply for its stance; None for what is none, or in a language that is not judged."""
    return read_reply(event.content) if answers(event) and language == LANGUAGE else None


def features(reply: Reply, answered: Original, *, author: str = "") -> dict[str, float]:
    """What the model sees of a reply by `author` to the words of another author."""
    heard = frozenset(answered.words)
    part = len(reply.words & heard) / max(1, len(reply.words))
    quotes = len(reply.quoted & heard) > _QUOTED_FROM * max(3, len(reply.quoted))
    source = fold_author(answered.author)
    return {
        **reply.marks,
        "quotes_it": float(quotes),
        "only_quotes_it": float(quotes and not reply.words),
        "shared": part,
        "negates_shared": float("negated" in reply.marks and part > 0.2),
        "aside": float(bool(source) and bool(reply.handles) and reply.handles[0] != source),
        "own_source": float(bool(source) and source == fold_author(author)),
    }


def chances(marks: Mapping[str, float], models: Mapping[Stance, Model] | None = None) -> dict[Stance, float]:
    """The chance of each stance by the model."""
    odds = [(models or _models())[stance].sum(marks) for stance in STANCES]
    weights = [math.exp(value - max(odds)) for value in odds]
    return {stance: weight / sum(weights) for stance, weight in zip(STANCES, weights, strict=True)}


def denies_firmly(reply: Reply, answered: Original, *, author: str) -> bool:
    """Whether a reply may count against what it answers: a brief, plain denial addressed to its author.

    The model's denials are right in one case of four. Those that negate what the answered report names, or call it
    false at once, in few words and without asking, are right in more than half, whatever the model says.
    """
    marks = features(reply, answered, author=author)
    negates = marks.get("negated_brief") and (marks["negates_shared"] or marks.get("doubt"))
    calls_false = marks.get("false_brief") and marks.get("false_first")
    return bool(negates or calls_false) and not any(marks.get(name) for name in ("aside", "asks", "own_source"))


@cache
def _model() -> Mapping[str, Any]:
    found: Mapping[str, Any] = shipped("voices/reply_model.json")
    return {**found, "vocabulary": frozenset(found["vocabulary"])}


@cache
def _models() -> Mapping[Stance, Model]:
    return {stance: Model(_model()["biases"][stance], _model()["weights"][stance]) for stance in STANCES}
