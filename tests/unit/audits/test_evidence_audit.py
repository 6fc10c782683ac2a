"""The measure of how reliability ranks a stream."""

from __future__ import annotations

from typing import Any

import pytest

from verifleet.audits.pairs import audit_pairs
from verifleet.audits.streams import audit_streams
from verifleet.errors import ShapeError


def item(key: str, tier: float | None, text: str, source: str = "twitter", minute: int = 0) -> dict[str, Any]:
    time = f"2026-05-04T12:{minute:02}:00Z"
    about = {"author": key, "time": time, "location": "Porto", "event_type": "storm"}
    return {"key": key, "tier": tier, "text": text, "source": source, **about}


STREAM = {
    "id": "x",
    "events": [
        item("single", 2, "9,000 homes without power in Porto"),
        item("official", 4, "Fire Service: 62 people were injured in Porto.", "emergency", 5),
        item("wrong", 1, "400 people injured in Porto", minute=9),
        item("background", None, "so sad for Porto"),
    ],
}


def test_a_row_of_pairs_that_can_not_be_read_is_told_by_its_own_fields() -> None:
    row = {"claim": "a", "claim_text": "a fire, 3 hurt"}
    with pytest.raises(ShapeError, match=r"^row 1, claim_source: is required$"):
        audit_pairs([row])
    row |= {"claim_source": "news", "claim_time": "yesterday"}
    with pytest.raises(ShapeError, match=r"^row 1, claim_time: Input should be a valid datetime"):
        audit_pairs([row])


def test_pairs_of_different_tiers_are_counted_and_confusions_named() -> None:
    scores = audit_streams([STREAM])
    assert (scores.streams, scores.pairs, scores.ordered, scores.share) == (1, 3, 3, 1.0)
    events = [dict(event) for event in STREAM["events"]]  # type: ignore[attr-defined]
    events[0]["tier"], events[1]["tier"] = 4, 2
    scores = audit_streams([{"id": "y", "events": events}])
    assert (scores.ordered, dict(scores.confused)) == (2, {("single", "official"): 1})
    assert "66.7% of 3 pairs" in str(scores)


@pytest.mark.parametrize(
    "row",
    [{}, {"events": [{}]}, {"events": ["x"]}, {"events": [item("a", 1, "x") | {"time": "never"}]}, {"events": []}],
)
def test_a_wrong_row_is_named(row: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        audit_streams([row])
