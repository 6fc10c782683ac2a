"""Publishing a file of events or verification requests to a running fleet."""

from __future__ import annotations

import csv
import io
import json
import os
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from verifleet.agents.ingest.cap import parse_alerts
from verifleet.agents.ingest.event import raw_reading
from verifleet.commands.desk_client import default_session
from verifleet.commands.options import fleet_options
from verifleet.envelopes import SCHEMAS
from verifleet.errors import PublishError, SettingsError, ShapeError
from verifleet.local.addresses import Addresses
from verifleet.local.pubsub import choose_fleet
from verifleet.messaging.topology import (
    EVENTS,
    RAW_EVENTS,
    VERIFICATION_REQUESTS,
    VERIFICATION_RESULTS,
    VERIFIED_EVENTS,
    topic_path,
)
from verifleet.settings import settings
from verifleet.verification import VERIFIER_NAMES

TOPIC_OF = {
    "raw_event_v1": RAW_EVENTS,
    "event_v1": EVENTS,
    "verified_event_v1": VERIFIED_EVENTS,
    "verification_request_v1": VERIFICATION_REQUESTS,
}
_COLUMNS = {"text": "content", "time": "timestamp", "date": "timestamp", "place": "location", "user": "author"}
_OF_EVENT = frozenset({"source", "content", "timestamp", "location", "event_type", "session_id"})


def wrap(item: dict[str, Any], session: str) -> dict[str, Any]:
    """An envelope for a bare raw event, of its own session if it names one, or a bare verification request.

    Envelopes are left as they are.

    Raises ShapeError for what is neither, and for a verification request that doesn't name its verifier.
    """
    if "schema" in item:
        return item
    if "response" in item and "content" not in item and "verifier" not in item:
        raise ShapeError(f"a verification request needs a verifier: {', '.join(VERIFIER_NAMES)}")
    item = raw_reading(item)
    is_request = "verifier" in item and "response" in item
    if not is_request and "content" not in item:
        raise ShapeError("is neither a report (content) nor a reading nor a verification request (verifier, response)")
    schema = "verification_request_v1" if is_request else "raw_event_v1"
    own = None if is_request else item.pop("session_id", None)
    if own is not None and not (isinstance(own, str) and own):
        raise ShapeError(f"session_id must be a text, not {json.dumps(own)}")
    return {
        "schema": schema,
        "session_id": session if own is None else own,
        "timestamp": datetime.now(UTC).isoformat(),
        "source_agent": "cli",
        "payload": {"type": SCHEMAS[schema].payload_types[0], "data": item},
        "metadata": {"envelope_id": str(uuid.uuid4())},
    }


def attributes_of(envelope: dict[str, Any]) -> dict[str, str]:
    """The Pub/Sub attributes of a decoded envelope."""
    metadata = _object(envelope.get("metadata"))
    data = _object(_object(envelope.get("payload")).get("data"))
    values = {
        "schema": envelope.get("schema"),
        "session_id": envelope.get("session_id"),
        "envelope_id": metadata.get("envelope_id"),
        "verifier": data.get("verifier"),
    }
    return {key: value for key, value in values.items() if isinstance(value, str) and value}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def read_items(file: Path) -> list[dict[str, Any]]:
    """What a file holds: JSON objects, the alerts of a CAP document (.xml), or the rows of a table (.csv).

    Raises ShapeError with the line of what is none.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ShapeError(f"{file} is not UTF-8: {error.reason} at byte {error.start}") from None
    if file.suffix.lower() == ".csv":
        return _rows(file, text)
    if text.lstrip("\ufeff \t\r\n")[:1] == "<":
        return [alert.model_dump(mode="json", exclude_none=True) for alert in parse_alerts(text)]
    try:
        whole = json.loads(text)
        items = whole if isinstance(whole, list) else [whole]
    except (ValueError, RecursionError):
        items = []
        for number, line in enumerate(text.split("\n"), 1):  # U+2028 and its like end no line of JSONL
            if line.strip():
                try:
                    items.append(json.loads(line))
                except (ValueError, RecursionError) as error:
                    raise ShapeError(f"{file} line {number} is not JSON: {error}") from None
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise ShapeError(f"{file} item {number} is not a JSON object")
    return items


def _rows(file: Path, text: str) -> list[dict[str, Any]]:
    """A raw event of each row of a table whose first line names its columns; a row without a text is a reading.

    Columns are `content` (or text), source, timestamp (time, date), location (place), event_type; others are metadata,
    such as author (user), in_reply_to and id.
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    items = []
    try:
        for row in rows:
            told = {str(name).strip().lower(): value for name, value in row.items() if isinstance(value, str) and value}
            known = {_COLUMNS.get(name, name): value for name, value in told.items()}
            if "content" not in known:
                items.append(raw_reading(told))
                if "content" not in items[-1]:
                    where = f"{file} line {rows.line_num}"
                    raise ShapeError(f"{where} has neither content nor a reading (sensor, value, unit)")
                continue
            event: dict[str, Any] = {name: known[name] for name in known if name in _OF_EVENT}
            metadata = {name: value for name, value in known.items() if name not in _OF_EVENT}
            items.append(event | ({"metadata": metadata} if metadata else {}))
    except csv.Error as error:
        raise ShapeError(f"{file} line {rows.line_num} is no CSV: {error}") from None
    return items


def look_at(counts: Mapping[str, int], session: str | None, project: str | None, port_offset: int) -> Iterator[str]:
    """Where what was published can be seen, a line each."""
    where = fleet_options("https://SUMMARIZER-AGENT" if project else None, session, 0 if project else port_offset)
    if counts.keys() & {RAW_EVENTS, EVENTS, VERIFIED_EVENTS}:
        yield f"See what becomes of it: verifleet incidents --follow{where}"
        if not project:
            session = session or default_session()
            named = f"?session_id={quote(session, safe='')}" if session else ""
            yield f"or {Addresses(port_offset).url('summarizer_agent')}/desk{named}"
    if VERIFICATION_REQUESTS in counts:
        yield f"Results are in the subscription {VERIFICATION_RESULTS}.archive"


def publish_file(file: Path, session: str | None, project: str | None, port_offset: int) -> dict[str, int]:
    """Publish every item of a file to the topic of its schema; how many went where, once all are acknowledged."""
    return publish_items(read_items(file), session, project, port_offset, of=f"{file} ")


def publish_items(
    given: Sequence[dict[str, Any]], session: str | None, project: str | None, port_offset: int, *, of: str = ""
) -> dict[str, int]:
    """Publish items, of which `of` names the place; see `publish_file`."""
    config = settings()
    items = []
    for number, item in enumerate(given, 1):
        try:
            items.append(wrap(item, session or config.default_session))
        except ShapeError as error:
            raise ShapeError(f"{of}item {number}: {error}") from None
    for number, item in enumerate(items, 1):
        if str(item.get("schema")) not in TOPIC_OF:
            raise ShapeError(
                f"{of}item {number}: schema {item.get('schema')!r} can't be published; use {', '.join(TOPIC_OF)}"
            )
    project = choose_fleet(project, port_offset)
    from google.cloud.pubsub_v1 import PublisherClient

    publisher = PublisherClient()
    counts: Counter[str] = Counter()
    pending = []
    for item in items:
        topic = TOPIC_OF[item["schema"]]
        path = topic_path(project, topic, config.prefix)
        pending.append(publisher.publish(path, json.dumps(item).encode(), **attributes_of(item)))
        counts[topic] += 1
    try:
        for future in pending:
            future.result(timeout=15)
    except Exception as error:
        where = os.environ.get("PUBSUB_EMULATOR_HOST", f"project {project}")
        why = str(error) or type(error).__name__
        raise PublishError(f"publishing to {where} failed ({why}); is the fleet up? (verifleet up)") from error
    return dict(counts)
