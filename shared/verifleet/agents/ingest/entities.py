"""Entities of a report by rule: places, organisations and people, each with its kind and span.

People are found only where the text itself shows that a name is a person's (a title, an age, "... said").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from verifleet.agents.ingest.places import Place
from verifleet.agents.lexicon import shipped

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_ENTITIES = 64

_CAPITAL = r"[A-Z][\w'’&.-]{0,40}"
_NAME = r"[A-Z][a-zà-ÿ'’-]{1,30}"
_NAMES = rf"{_NAME}(?: [A-Z]\.)?(?: (?:de|del|da|van|von|al|bin|la))?(?: {_NAME}){{1,2}}"

_WORDS = shipped("ingest/entity_words.json")
_BODIES, _KNOWN, _TITLES = ("|".join(_WORDS[name]) for name in ("bodies", "known", "titles"))
_ORGANISATION = re.compile(
    r"\b(?:(?:The|A|An|In|At|On|From|By|For|And|But|Breaking|Update|RT) )?"
    rf"(?P<body>(?:{_CAPITAL} (?:(?:of|for|and|de|del|the) )?){{1,4}}(?:{_BODIES})\b(?: (?:of|for|de) {_CAPITAL})?"
    r"|(?:Ministry|Department|Office|University|Bank|Bureau|Government) of (?:the )?"
    rf"{_CAPITAL}(?: {_CAPITAL})?|(?:{_KNOWN})\b)"
)
_PERSON = re.compile(
    rf"\b(?:{_TITLES})\.? (?P<titled>{_NAME}(?: {_NAME}){{0,2}})"
    rf"|(?P<shown>{_NAMES})(?:(?:, \d{{1,3}},)? (?:said|says|told|tweeted|announced|confirmed)\b"
    r"|, (?:aged )?\d{1,3}\b| \(\d{1,3}\))"
)


def find_entities(text: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The entities of a report in order of their place in it, each text once; at most MAX_ENTITIES."""
    text = text[:MAX_TEXT]
    found = [
        {**_entity(place.name, "place", place.span), "place": place.kind}
        | ({"country": place.country} if place.country else {})
        for place in places
    ]
    found += [_entity(match["body"], "organisation", match.span("body")) for match in _ORGANISATION.finditer(text)]
    for match in _PERSON.finditer(text):
        kind = "titled" if match["titled"] else "shown"
        start, end = match.span(kind)
        placed = any(start < place.span[1] and place.span[0] < end for place in places)  # "Costa Rica says"
        if not placed and match[kind].split()[-1] not in _WORDS["bodies"]:
            found.append(_entity(match[kind], "person", match.span(kind)))
    unique: dict[tuple[str, str], dict[str, Any]] = {}
    for entity in sorted(found, key=lambda entity: entity["span"]):
        unique.setdefault((entity["kind"], entity["text"].casefold()), entity)
    return list(unique.values())[:MAX_ENTITIES]


def _entity(text: str, kind: str, span: tuple[int, int]) -> dict[str, Any]:
    return {"text": text, "kind": kind, "span": list(span)}
