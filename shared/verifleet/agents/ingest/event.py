"""Ingest: from a report as it was published to an event that can be verified.

`normalise` cleans the text, finds out where and what, and names the event so that the same author's same text always
has the same id. `SourceRules` decide the source class from the publisher's identity.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from verifleet.agents.ingest import cap
from verifleet.agents.ingest.signs import signs_of
from verifleet.agents.ingest.sources import TRUSTING, SourceRules, source_class
from verifleet.envelopes import EVENT_TYPES, EventData, RawEventData, derived_id
from verifleet.errors import FieldProblem, ShapeError
from verifleet.reading.exercises import calls_itself_exercise
from verifleet.reading.hazards import NAMED, event_type, hazard_votes
from verifleet.reading.legible import clean
from verifleet.reading.names import organisations
from verifleet.reading.places import Place, places_of
from verifleet.reading.sensors import reading_of, readings_of

MAX_CONTENT = 250_000
"""Characters of content kept in an event: its JSON must fit a Pub/Sub message however it is escaped."""
MAX_LOCATION = 300
MAX_URLS = 32
MAX_ENTITIES = 64
FUTURE = timedelta(days=1)
"""A report dated further ahead is dated to when it came in; its own date is kept in the metadata."""
NOT_ACTUAL = frozenset({"test", "exercise", "draft", "system"})
"""Values of a CAP alert's status with which nothing has happened."""
CLOCK_WAS_SET = datetime(1970, 1, 2, tzinfo=UTC)
"""A device dates its reports before this when nothing has told it the time since it was started."""

# --- the event ----------------------------------------------------------------

_URL = re.compile(r"https?://[^\s<>\"']{4,500}")
_EVENT_FIELDS = frozenset(EventData.model_fields)


def normalise(raw: RawEventData, *, session_id: str, now: datetime, rules: SourceRules = TRUSTING) -> EventData:
    """The event of a raw report.

    Args:
        raw: the report as it was published.
        session_id: the session it belongs to; part of the event's id.
        now: when it was published; stands in for a timestamp that is missing or can't be.
        rules: decide the source class.
    """
    content = clean(raw.content, MAX_CONTENT)
    metadata = raw.metadata.model_dump(exclude_none=True) if raw.metadata else {}
    source = rules.decide(raw.source, metadata.get("author"), _text(metadata.get("domain")))
    id = event_id(raw, session_id, content)
    readings = readings_of(content, raw.timestamp or now)
    if readings and content[0] in "{[":
        content = ". ".join(reading.sentence() for reading in readings) + "."
    timestamp = raw.timestamp or next((reading.time for reading in readings if reading.time), now)
    if timestamp > now + FUTURE or timestamp < CLOCK_WAS_SET:
        metadata["reported_timestamp"], timestamp = timestamp.isoformat(), now
    if len(raw.content) > MAX_CONTENT:
        metadata["content_cut_from"] = len(raw.content)
    if source != raw.source:
        metadata["declared_source"] = raw.source
    places, votes = places_of(content), hazard_votes(content)
    entities = _entities(content, places)
    urls = list(dict.fromkeys([*(metadata.get("urls") or []), *(match[0] for match in _URL.finditer(content))]))
    signs = signs_of(content, places, votes, readings, located=bool(raw.location))
    found = {
        "urls": urls[:MAX_URLS],
        "signs": signs.as_json(),
        "readings": [reading.as_json() for reading in readings],
        "entities": entities,
    }
    metadata |= {name: told for name, told in found.items() if told}
    location = clean(raw.location or "", MAX_LOCATION) or next((r.place for r in readings if r.place), None)
    extra = {name: value for name, value in (raw.model_extra or {}).items() if name not in _EVENT_FIELDS}
    return EventData.model_validate(
        {
            **extra,
            "event_id": id,
            "source": source,
            "content": content,
            "entities": [entity["text"] for entity in entities],
            "location": location or (places[0].location if places else None),
            "event_type": _event_type(raw, content, metadata, votes),
            "timestamp": timestamp,
            "metadata": metadata or None,
        }
    )


def event_id(raw: RawEventData, session_id: str, content: str) -> str:
    """The id of an event: the same for the same session, source, author and text.

    A sensor's reading is told from the next one with the same value by its time.
    """
    author = (raw.metadata.author if raw.metadata else None) or ""
    reading = raw.timestamp.isoformat() if raw.timestamp and source_class(raw.source) == "sensor" else ""
    name = "\x1f".join((session_id, raw.source.strip().casefold(), author.strip().casefold(), content, reading))
    return derived_id(name)


def _event_type(raw: RawEventData, content: str, metadata: Mapping[str, Any], votes: Mapping[str, int]) -> str:
    """By the text, and by what the sender calls it where the text names no hazard."""
    if is_exercise(content, metadata):
        return "none"
    cap = metadata.get("cap")
    hint = _text((raw.model_extra or {}).get("event_type")) or _text(isinstance(cap, dict) and cap.get("event"))
    hint = hint.replace("_", " ").strip().casefold()[:200]
    hinted, by_text = hint if hint in EVENT_TYPES else event_type(hint), event_type(content)
    if hinted in {"none", "other"}:
        return "other" if by_text == "none" and (hint == "other" or cap) else by_text
    return by_text if max(votes.values(), default=0) >= NAMED else hinted


def is_exercise(content: str, metadata: Mapping[str, Any]) -> bool:
    """Whether a report is an exercise or a test: by the status of its CAP alert, or by its own words."""
    cap = metadata.get("cap")
    status = str(cap.get("status", "Actual")) if isinstance(cap, dict) else "Actual"
    return status.lower() in NOT_ACTUAL or calls_itself_exercise(content)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _entities(content: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The places and organisations of a report in order, each text once."""
    found: list[dict[str, Any]] = [
        {"text": place.name, "kind": "place", "span": list(place.span), "place": place.level}
        | ({"country": place.spot.country} if place.spot else {})
        for place in places
    ]
    found += [{"text": body, "kind": "organisation", "span": list(span)} for body, span in organisations(content)]
    unique: dict[tuple[str, str], dict[str, Any]] = {}
    for entity in sorted(found, key=lambda entity: entity["span"]):
        unique.setdefault((entity["kind"], entity["text"].casefold()), entity)
    return list(unique.values())[:MAX_ENTITIES]


# --- what comes in ------------------------------------------------------------


def raw_envelopes(received: Any, *, session_id: str, now: datetime) -> list[Any]:
    """Raw envelopes of what came in: an envelope, a bare raw event, a bare text, or a list of these.

    An envelope is passed on as it is, to be validated like any other. A bare raw event may name its own `session_id`.

    Raises:
        ShapeError: neither of these, or an empty text.
    """
    if isinstance(received, list):
        return [made for i, item in enumerate(received) for made in _enveloped(item, f"{i}", session_id, now)]
    return _enveloped(received, "(body)", session_id, now)


def raw_reading(item: Mapping[str, Any]) -> dict[str, Any]:
    """The raw event of a sensor's reading in JSON; any other object as it is."""
    reading = reading_of(item) if "content" not in item else None
    if reading is None:
        return dict(item)
    own = {name: item[name] for name in ("session_id", "metadata") if name in item}
    content, given = json.dumps({name: value for name, value in item.items() if name not in own}), own.get("metadata")
    metadata = {"author": reading.sensor or "sensor", **(given if isinstance(given, dict) else {})}
    return {**own, "source": "sensor", "content": content, "metadata": metadata}


def _texts(text: str) -> list[dict[str, Any]]:
    """Raw events in a text: the alerts of a CAP document, else the text itself as one report."""
    head = text[:2000].lstrip("\ufeff \t\r\n")
    if head.startswith("<") and cap.NAMESPACE_START in head:
        with suppress(ShapeError):
            return [event.model_dump(exclude_none=True) for event in cap.parse_alerts(text)]
    return [{"content": text}]


def _enveloped(item: Any, where: str, session_id: str, now: datetime) -> list[Any]:
    if isinstance(item, dict) and ("schema" in item or "payload" in item):
        return [item]
    if isinstance(item, str) and not item.strip():
        raise ShapeError(f"{where}: the text is empty", [FieldProblem(where, "is empty")])
    if not isinstance(item, str | dict):
        raise ShapeError.at(where, "must be a raw event {source, content, ...}, an envelope, or a text")
    made = []
    for data in _texts(item) if isinstance(item, str) else [raw_reading(item)]:
        own = data.pop("session_id", None)
        envelope = {"schema": "raw_event_v1", "session_id": session_id if own is None else own, "timestamp": now}
        payload = {"type": "raw_event", "data": data}
        made.append({**envelope, "source_agent": "publisher", "payload": payload})
    return made
