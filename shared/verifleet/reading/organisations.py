"""Entities of a report by rule: places and organisations, each with its kind and span."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from verifleet.reading.places import Place
from verifleet.reading.words import data

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_ENTITIES = 64

_CAPITAL = r"[A-Z][\w'’&.-]{0,40}"
_BODIES, _KNOWN = ("|".join(data("organisations")[name]) for name in ("bodies", "known"))
_ORGANISATION = re.compile(
    r"\b(?:(?:The|A|An|In|At|On|From|By|For|And|But|Breaking|Update|RT) )?"
    rf"(?P<body>(?:{_CAPITAL} (?:(?:of|for|and|de|del|the) )?){{1,4}}(?:{_BODIES})\b(?: (?:of|for|de) {_CAPITAL})?"
    r"|(?:Ministry|Department|Office|University|Bank|Bureau|Government) of (?:the )?"
    rf"{_CAPITAL}(?: {_CAPITAL})?|(?:{_KNOWN})\b)"
)


def find_entities(text: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The entities of a report in order of their place in it, each text once; at most MAX_ENTITIES."""
    found: list[dict[str, Any]] = [
        {"text": place.name, "kind": "place", "span": list(place.span), "place": place.level}
        | ({"country": place.spot.country} if place.spot else {})
        for place in places
    ]
    found += [
        {"text": match["body"], "kind": "organisation", "span": list(match.span("body"))}
        for match in _ORGANISATION.finditer(text[:MAX_TEXT])
    ]
    unique: dict[tuple[str, str], dict[str, Any]] = {}
    for entity in sorted(found, key=lambda entity: entity["span"]):
        unique.setdefault((entity["kind"], entity["text"].casefold()), entity)
    return list(unique.values())[:MAX_ENTITIES]
