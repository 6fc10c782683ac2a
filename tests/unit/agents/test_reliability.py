"""The reliability formula and source credibility."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.reports import event, report, verify
from verifleet.agents.belief import credibility
from verifleet.agents.belief.reliability import score_reliability
from verifleet.envelopes import Claim, VerifiedClaim


def made(verified: bool, confidence: float, verdict: str = "insufficient") -> VerifiedClaim:
    return VerifiedClaim.model_validate(
        {
            "claim": Claim(text="x", source="news"),
            "verified": verified,
            "verdict": "supported" if verified else verdict,
            "confidence": confidence,
        }
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("news", 0.58),
        ("emergency", 0.638),
        ("official", 0.638),
        ("twitter", 0.522),
        ("social", 0.522),
        ("sensor", 0.58),
    ],
)
def test_the_formula_is_exact_for_every_source(source: str, expected: float) -> None:
    reliability = score_reliability([made(True, 0.9), made(False, 0.5)], source)
    assert reliability.score == pytest.approx(expected, abs=1e-12)
    assert reliability.parts["verification_rate"] == 0.5
    assert reliability.parts["avg_confidence"] == pytest.approx(0.7)
    assert reliability.reason is None


def test_the_score_is_clamped_at_one() -> None:
    assert score_reliability([made(True, 1.0)], "emergency").score == 1.0


def test_no_claim_is_zero_with_its_reason() -> None:
    reliability = score_reliability([], "emergency")
    assert (reliability.score, reliability.reason, reliability.unverified) == (0.0, "no checkable claim", True)
    verified = verify(report("So sad, praying for everyone tonight"))
    assert (verified.reliability_score, verified.unverified_reason) == (0.0, "no checkable claim")


def test_below_0_3_is_unverified_with_a_reason_and_0_3_is_not() -> None:
    low = score_reliability([made(False, 0.1, "refuted"), made(False, 0.3)], "news")
    assert low.unverified
    assert low.reason == "of 2 claims 1 refuted, 1 insufficient"
    assert not score_reliability([made(False, 0.75)], "news").unverified


@given(
    st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=8), st.sampled_from(["news", "twitter", "official"])
)
def test_the_score_follows_from_its_parts(claims: list[tuple[bool, float]], source: str) -> None:
    reliability = score_reliability([made(verified, confidence) for verified, confidence in claims], source)
    parts = reliability.parts
    expected = (parts["verification_rate"] * 0.6 + parts["avg_confidence"] * 0.4) * parts["source_multiplier"]
    assert reliability.score == max(0.0, min(1.0, expected))


def classified(source: str, author: str | None = None, verified: bool = False) -> credibility.Credibility:
    return credibility.classify(event("x", source, metadata={"author": author, "verified": verified}))


@pytest.mark.parametrize(
    ("source", "author", "verified", "expected"),
    [
        ("emergency", "anyone", False, "official"),
        ("news", None, False, "news"),
        ("twitter", "@USGS", False, "official"),
        ("twitter", "alerts@fema.gov", False, "official"),
        ("social", "https://www.londonfire.gov.uk/feed", False, "official"),
        ("twitter", "TulsaPolice", True, "official"),
        ("twitter", "TulsaPolice", False, "social"),
        ("twitter", "ana", True, "verified_social"),
        ("twitter", "fema.gov.evil.example", False, "social"),
        ("carrier pigeon", None, False, "other"),
    ],
)
def test_official_bodies_are_known_by_class_handle_and_domain(
    source: str, author: str | None, verified: bool, expected: str
) -> None:
    found = classified(source, author, verified)
    assert found.name == expected
    assert found.reason


def test_a_record_of_refuted_claims_lowers_the_weight_within_bounds_and_says_so() -> None:
    base = classified("twitter", "ana")
    worse = credibility.learnt(base, {"e1": [0, 3], "e2": [0, 4]})
    better = credibility.learnt(base, {"e1": [6, 0]})
    assert worse.weight < base.weight < better.weight
    assert "0 supported, 7 refuted" in worse.reason
    assert credibility.learnt(base, {str(i): [0, 50] for i in range(100)}).weight >= 0.1


def test_a_record_counts_an_event_once_and_forgets_the_oldest() -> None:
    record = credibility.with_outcome(credibility.with_outcome({}, "e", 1, 0), "e", 0, 1)
    assert record == {"e": [0, 1]}
    for index in range(300):
        record = credibility.with_outcome(record, str(index), 1, 0)
    assert len(record) == credibility.MAX_RECORD
    assert "e" not in record
