"""Messages as earlier versions wrote them are read, and keep what they say; see docs/compatibility.md."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from verifleet.envelopes import SCHEMAS, parse_envelope

KEPT = sorted((Path(__file__).parent / "kept_messages").glob("*.json"))


def missing(kept: Any, read: Any, at: str = "") -> list[str]:
    """Where what was read lacks or changes something of what was kept."""
    if isinstance(kept, dict) and isinstance(read, dict):
        return [place for name, value in kept.items() for place in missing(value, read.get(name), f"{at}.{name}")]
    if isinstance(kept, list) and isinstance(read, list) and len(kept) == len(read):
        return [place for n, (a, b) in enumerate(zip(kept, read, strict=True)) for place in missing(a, b, f"{at}.{n}")]
    return [] if kept == read or _same_instant(kept, read) else [at]


def _same_instant(kept: Any, read: Any) -> bool:
    try:
        return datetime.fromisoformat(kept) == datetime.fromisoformat(read)
    except (TypeError, ValueError):
        return False


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_kept_message_is_read_and_says_what_it_said(file: Path) -> None:
    kept = json.loads(file.read_text("utf-8"))
    envelope = parse_envelope(kept)
    assert missing(kept, json.loads(envelope.model_dump_json(by_alias=True))) == []


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_field_of_a_later_version_is_no_error_and_travels_along(file: Path) -> None:
    kept = json.loads(file.read_text("utf-8"))
    kept["payload"]["data"]["of_a_later_version"] = {"n": 1}
    envelope = parse_envelope(kept)
    assert missing(kept, json.loads(envelope.model_dump_json(by_alias=True))) == []


@pytest.mark.parametrize("schema", ["verification_request_v1", "code_execution_v1", "code_executions_v1"])
def test_the_requests_of_a_kept_message_can_be_judged(schema: str) -> None:
    [file] = [file for file in KEPT if file.stem == schema]
    data = parse_envelope(json.loads(file.read_text("utf-8"))).payload.data
    requests = data.requests() if hasattr(data, "requests") else [data.request()]
    assert requests
    assert all(request.reference is not None for request in requests)


def test_every_schema_has_a_kept_message() -> None:
    kept = {json.loads(file.read_text("utf-8"))["schema"] for file in KEPT}
    assert sorted(SCHEMAS.keys() - kept) == []
