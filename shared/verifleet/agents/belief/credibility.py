"""Source credibility: how much a report counts because of who sends it.

Classes and their weights (log-odds) are in `sources.json` beside this module, with the domains and handles of official
bodies; a learnt adjustment follows from how a source's earlier claims fared. Everything can be read and changed there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifleet.agents.ingest.sources import host_of
from verifleet.agents.lexicon import shipped
from verifleet.agents.voices.originals import fold_author
from verifleet.envelopes import EventData, VerifiedClaim
from verifleet.reading.speakers import is_impostor

MAX_RECORD = 100
"""How many of a source's latest events its record counts."""
_SOURCES: Mapping[str, Any] = shipped("belief/sources.json")
_DOMAINS, _HANDLES = (tuple(_SOURCES[name]) for name in ("official_domains", "official_handles"))
_OFFICIAL_NAME = re.compile("|".join(_SOURCES["official_handle_patterns"]), re.IGNORECASE)
_PRIOR = 3.0
_SCALE = 0.8
_LEAST, _MOST = -1.5, 0.8

_HANDLE = re.compile(r"[a-z0-9_&' -]{2,60}")
_DISGUISE = re.compile(r"(?:official|real|the|hq|team|updates?|alerts?|news|[_\d &'-])+")


@dataclass(frozen=True, slots=True)
class Credibility:
    """A source's class and weight in log-odds, with what they follow from."""

    name: str
    weight: float
    reason: str


def author_of(event: EventData) -> str:
    """The name by which a report's author is told from others; "" when unknown."""
    return fold_author(event.published.author)


def classify(event: EventData) -> Credibility:
    """The class of an event's source by rule, before anything was learnt about it."""
    verified = bool(event.published.verified)
    name = _SOURCES["classes"].get(event.source.strip().casefold()[:40], "other")
    named = event.published.author or ""
    reason = f"source class {name}"
    # An author whose name only looks like that of an authority, in letters of other scripts, is none.
    official = _official_rule(author_of(event), verified) if name != "official" and named.isascii() else None
    if official:
        name, reason = "official", official
    elif name == "social" and verified:
        name, reason = "verified_social", "verified social account"
    return Credibility(name, _SOURCES["weights"][name], reason)


def learnt(base: Credibility, record: Mapping[str, Any] | None) -> Credibility:
    """`base` adjusted by a source's record `{event_id: [supported, refuted]}`.

    The adjustment is 0.8 · ln((supported + 3) / (refuted + 3)), at least -1.5 and at most 0.8.
    """
    if not record:
        return base
    supported = sum(int(counts[0]) for counts in record.values())
    refuted = sum(int(counts[1]) for counts in record.values())
    change = max(_LEAST, min(_MOST, _SCALE * math.log((supported + _PRIOR) / (refuted + _PRIOR))))
    if not change:
        return base
    told = f"{base.reason}; record {supported} supported, {refuted} refuted ({change:+.2f})"
    return Credibility(base.name, max(0.1, base.weight + change), told)


def with_outcome(record: Mapping[str, Any] | None, event_id: str, supported: int, refuted: int) -> dict[str, Any]:
    """A source's record with the outcome of one event written or replaced; the latest MAX_RECORD events stay."""
    kept = {key: value for key, value in (record or {}).items() if key != event_id}
    kept[event_id] = [supported, refuted]
    return dict(list(kept.items())[-MAX_RECORD:])


def fared(claims: Iterable[VerifiedClaim]) -> tuple[int, int]:
    """How many claims of an event were supported by evidence of others, and how many refuted."""
    verdicts = Counter(
        claim.verdict
        for claim in claims
        if claim.verdict != "supported" or any(evidence.stance == "supports" for evidence in claim.evidence)
    )
    return verdicts["supported"], verdicts["refuted"]


def official_domain(host: str) -> bool:
    """Whether a host name is under the domain of an official body."""
    host = host_of(host)
    return f".{host}".endswith(_DOMAINS)


def _official_rule(author: str, verified: bool) -> str | None:
    if author in _HANDLES:
        return f"official handle {author}"
    host = host_of(author)
    if official_domain(host):
        return f"official domain {host}"
    if verified and not host and _is_own_name(author) and _OFFICIAL_NAME.search(author):
        return f"verified account of an official body: {author}"
    return None


def _is_own_name(author: str) -> bool:
    """Whether a handle or name is no dressed-up version of a known official handle ("fema_official_") and no parody.

    Platforms verify that an account is its holder's, not that the holder is who the name suggests.
    """
    if not _HANDLE.fullmatch(author) or is_impostor(author):
        return False
    bare = _DISGUISE.sub("", author)
    return not any(bare == _DISGUISE.sub("", handle) for handle in _HANDLES)
