"""What a brief keeps of a verified claim."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from verifleet.agents.brief.fact import SLOT_ORDER
from verifleet.agents.none_left import of_here
from verifleet.agents.places import find_places, is_kind_of_place
from verifleet.agents.quantities import Quantity, extract_quantities
from verifleet.agents.text import sentences
from verifleet.agents.verifier.arithmetic import ARITHMETIC
from verifleet.agents.verifier.denial import denials, is_denial
from verifleet.agents.verifier.evidence import OWN_AUTHORITY
from verifleet.agents.verifier.incident import places
from verifleet.agents.verifier.status import status_of
from verifleet.agents.verifier.venues import place_names
from verifleet.agents.verifier.wording import concepts, fold
from verifleet.envelopes import EventData, VerifiedClaim, VerifiedEventData

MAX_TEXT = 240
MAX_QUANTITIES = 4
SITES_WITHIN = 600
"""Characters of a report in which its streets and sites are looked for."""
_DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the|a|an|and|of|de|la)$")
_BULLET = re.compile(r"^[\s*•·>#|–—-]+(?=\D)")
_SUPPOSED = re.compile(
    r"(?i)\b(?:until|till|unless|if|in case|as soon as|(?<!at )once|in the event)\b[^.;:!?\n]*$",
)
"""Before a figure that is no reading but a condition: "closed until winds drop below 40 mph"."""
_SUBJECT_BEFORE = re.compile(r"\W*(?:it|they|he|she)\b", re.IGNORECASE)


_JOINERS = "\u200c\u200d"
"""Invisible, but part of how Persian, Hindi and others are spelt."""


def plain(text: str) -> str:
    """A text on one line, without invisible characters, marks of a list, and quotes that could close those around it.

    What a report says must not pass for a line or a label of the brief.
    """
    return _BULLET.sub("", _on_one_line(text)).replace("“", "‘").replace("”", "’")


def claim_data(claim: VerifiedClaim, verified: VerifiedEventData) -> dict[str, Any]:
    """A claim of a report as plain data, for `facts_of`."""
    event = verified.original_event
    text = " ".join(claim.claim.text.split())[:MAX_TEXT]
    against = next((e.reason for e in claim.evidence if e.stance == "refutes"), "")
    return {
        "text": text,
        "shown": plain(_with_subject(claim, verified))[:MAX_TEXT],
        "verdict": claim.verdict,
        "confidence": round(claim.confidence, 4),
        "sources": claim.sources[:8],
        "official": any("official" in e.reason for e in claim.evidence if e.stance == "supports"),
        "own": any(e.reason == OWN_AUTHORITY for e in claim.evidence if e.stance == "supports"),
        "against": _on_one_line(against)[:MAX_TEXT],
        "bad_sum": any(e.source == ARITHMETIC and e.stance == "refutes" for e in claim.evidence),
        "quantities": [asdict(q) for q in _figures(text, event.location or "")][:MAX_QUANTITIES],
        "site": _sites(text, event),
        "words": sorted(concepts(text))[:20],
        **_status(claim, text),
    }


def _on_one_line(text: str) -> str:
    kept = (" " if unicodedata.category(c)[0] in "CZ" and c not in _JOINERS else c for c in text)
    return " ".join("".join(kept).split())


def _with_subject(claim: VerifiedClaim, verified: VerifiedEventData) -> str:
    """The claim's words; with the rest of the sentence, or the one before, if they name no subject without it.

    Only where all that is told with them stands as they do.
    """
    text, content = claim.claim.text, verified.original_event.content
    start, end = claim.claim.span or (0, 0)
    pronoun = _SUBJECT_BEFORE.match(text) is not None
    if not (pronoun or text[:1].islower()) or not 0 <= start < end <= len(content):
        return text
    spans = sentences(content)
    at = next((index for index, (first, last) in enumerate(spans) if first <= start and end <= last), None)
    if at is None:
        return text
    amid = bool(content[spans[at][0] : start].strip())
    first = spans[at][0] if amid else spans[at - 1][0] if at and pronoun else start
    whole = content[first : spans[at][1]].strip()
    if first == start or len(whole) > MAX_TEXT:
        return text
    within = [
        c for c in verified.verified_claims if (span := c.claim.span) and span[0] < spans[at][1] and first < span[1]
    ]
    return whole if all(c.verdict == claim.verdict for c in within) else text


def _sites(text: str, event: EventData) -> list[str]:
    return sorted(_named_sites(text) or _named_sites(event.content) or _named_sites(event.location or ""))[:12]


def _figures(text: str, location: str) -> list[Quantity]:
    """The figures that a claim states, without those it takes back ("our report of 3 dead was wrong") or supposes."""
    found = [q for q in extract_quantities(text) if q.slot in SLOT_ORDER and not _SUPPOSED.search(text[: q.span[0]])]
    found = list(of_here(found, text, frozenset(word for place in places(location) for word in place.split())))
    if not found or not is_denial(text):
        return found
    denied = [denial.text for denial in denials(text)]
    return [q for q in found if q.value == 0 or not any(q.text in told for told in denied)]


@lru_cache(maxsize=512)
def _named_sites(text: str) -> frozenset[str]:
    """The words that tell which streets and sites a text names, in its beginning."""
    streets = [place for place in find_places(text[:SITES_WITHIN]) if place.kind == "street"]
    words = place_names(text[:SITES_WITHIN]).union(*(fold(place.name).split() for place in streets))
    return frozenset(word for word in words if not (is_kind_of_place(word) or _DAY.match(word)))


def _status(claim: VerifiedClaim, text: str) -> dict[str, Any]:
    """What a claim says of the status of something, as a brief keeps it."""
    status = status_of(text)
    denied = bool((claim.claim.model_extra or {}).get("denies")) and status is not None and status.phase == "ends"
    return {"phase": status.phase, "marks": sorted(status.marks)} if status and not denied else {}
