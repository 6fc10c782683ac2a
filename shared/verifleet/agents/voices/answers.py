"""Replies and what they answer: linked by id, whichever came first; kept without text; a denial counts a little."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from verifleet.agents.voices.originals import NO_ORIGINAL, Original, turns
from verifleet.agents.voices.replies import Reply, read_reply
from verifleet.envelopes import EventData

DENIES = "voices.reply_denies"
"""The rule of a finding made of a reply. Supporting replies make none: agreeing is not witnessing."""
STRENGTH = 0.3
LANGUAGE = "en"
"""The only language whose replies the model was trained on; other replies are linked, and have no stance."""
MAX_ID = 200
_KEPT = 60
"""Marks and words of a reply that are kept; posts have fewer."""


def answers(event: EventData) -> str:
    """The id of what an event replies to, an event's or its publisher's own; "" when it is no reply."""
    named = event.metadata.in_reply_to if event.metadata else None
    id = (named or "").strip()
    return id if len(id) <= MAX_ID else ""


def published_id(event: EventData) -> str:
    """The id that an event's publisher gave it (`metadata.id`), "" when there is none."""
    named = (event.metadata.model_extra or {}).get("id") if event.metadata else None
    id = named.strip() if isinstance(named, str) else str(named) if type(named) is int else ""
    return id if len(id) <= MAX_ID else ""


def links(*ids: str) -> tuple[str, ...]:
    """The features by which a reply and what it answers find each other.

    Both are found by the links of all ids that they have: their own, the publisher's, and that of what they answer.
    """
    return tuple(f"a:{hashlib.sha256(id.encode('utf-8', 'replace')).hexdigest()[:16]}" for id in ids if id)


def kept_reply(event: EventData, language: str, original: Original = NO_ORIGINAL) -> Reply | None:
    """What is kept of a reply, or of a repost with words added that turn it, for its stance.

    None for what is neither, or in a language that is not judged.
    """
    if not (answers(event) or turns(original)) or language != LANGUAGE:
        return None
    reply = read_reply(event.content)
    words, quoted = (frozenset(sorted(found)[:_KEPT]) for found in (reply.words, reply.quoted))
    marks = dict(list(reply.marks.items())[: 2 * _KEPT])
    return replace(reply, marks=marks, words=words, quoted=quoted, handles=reply.handles[:_KEPT])
