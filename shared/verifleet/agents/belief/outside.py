"""Evidence from outside: pages that a search found."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from verifleet.agents.belief.credibility import official_domain
from verifleet.agents.belief.evidence import DENIAL_WEIGHT, Item
from verifleet.agents.relate.types import Stance
from verifleet.envelopes import VerifiedClaim

PAGE_WEIGHT = 1.5
MAX_SEARCHED = 5
"""Claims of one event that are searched for, the most checkworthy."""


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
