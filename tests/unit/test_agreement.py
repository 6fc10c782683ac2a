"""Agreement: which side a statement is on, and of which place it speaks."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report


@pytest.mark.parametrize(
    ("authority", "post"),
    [
        ("Police: the station gunman is in custody", "Gunman at the station is in custody"),
        ("The Torrão dam is intact", "The dam at Torrão is holding"),
        ("Water board: tap water is safe to drink", "The tap water in Porto is safe"),
    ],
)
def test_what_calms_is_borne_out_by_an_authority_that_calms(authority: str, post: str) -> None:
    assert claim(report(post, minutes=5), report(authority, "official")).verdict == "supported"


@pytest.mark.parametrize(
    ("calm", "alarm"),
    [
        ("The Torrão dam is operating normally", "Torrão dam has failed"),
        ("Police: station gunman is in custody", "Station gunman still at large"),
    ],
)
def test_what_alarms_never_bears_out_what_calms_nor_the_reverse(calm: str, alarm: str) -> None:
    official, post = report(calm, "official", minutes=5), report(alarm)
    assert all(e.source != "twitter" and "says the same" not in e.reason for e in claim(official, post).evidence)
    assert claim(post, official).verdict != "supported"


NOT_THERE = "Police: there is no shooting at Canal Street. The shooting is at Abbey Lane."


@pytest.mark.parametrize("post", ["Shooting at Abbey Lane in Porto", "Shooting in Porto, people are running"])
def test_a_denial_for_one_place_leaves_another_and_the_event_at_large_alone(post: str) -> None:
    assert claim(report(post, minutes=3), report(NOT_THERE, "emergency")).verdict == "supported"


def test_a_denial_for_a_place_refutes_the_event_there() -> None:
    assert (
        claim(report("Shooting at Canal Street, Porto", minutes=3), report(NOT_THERE, "emergency")).verdict == "refuted"
    )


def test_that_another_bridge_is_open_says_nothing_of_the_one_that_fell() -> None:
    post = report("Arrábida Bridge collapsed", minutes=3)
    fell = report("Port authority: Arrábida Bridge in Porto has collapsed", "emergency")
    another = report("Freixo Bridge in Porto is open to all traffic", "official", minutes=9)
    told = claim(post, fell, another)
    assert told.verdict == "supported"
    assert not any(e.stance == "refutes" for e in told.evidence)


@pytest.mark.parametrize(
    ("authority", "post"),
    [
        ("The Torrão dam has failed", "The Torrão dam is holding"),
        ("The mayor was killed in the crash", "The mayor is alive"),
        ("Tap water in Porto must be boiled", "Tap water in Porto is fine to drink"),
        ("The message about a dam failure at Torrão was an exercise", "Dam failure at Torrão"),
    ],
)
def test_an_authority_refutes_what_calms_or_alarms_against_it(authority: str, post: str) -> None:
    assert claim(report(post, minutes=5), report(authority, "official")).verdict == "refuted"


def test_that_a_dam_held_until_it_broke_is_not_refuted() -> None:
    assert (
        claim(report("The Torrão dam is holding"), report("The Torrão dam has failed", "official", minutes=30)).verdict
        != "refuted"
    )


def test_one_stranger_does_not_settle_what_another_says() -> None:
    caught = report("Gunman at the station is in custody")
    assert claim(report("Station gunman still at large", minutes=3), caught).verdict != "refuted"


def test_authorities_of_whom_one_has_whole_what_another_has_lost_are_in_conflict() -> None:
    lost = report("The levee in Porto has been breached", "official")
    kept = report("The levee in Porto is holding", "official", minutes=5)
    assert claim(lost, kept).verdict == claim(kept, lost).verdict == "conflicting"
    later = report("The levee in Porto has been breached", "official", minutes=40)
    assert claim(kept, later).verdict == "supported"


def test_a_fire_that_is_contained_is_under_control() -> None:
    post = report("The tannery fire is contained", minutes=5, event_type="fire")
    assert (
        claim(post, report("The tannery fire is under control", "emergency", event_type="fire")).verdict == "supported"
    )


def test_that_a_thing_is_safe_does_not_bear_out_what_alarms_about_it() -> None:
    safe = report("Fire Service: the brine works at the quay is secured and safe.", "emergency", minutes=20)
    assert claim(report("the brine works at the quay is about to go up, run"), safe).verdict != "supported"
    alive = report("Mine Rescue: the trapped miners at the quay pit are alive.", "emergency", minutes=20)
    assert claim(report("the miners trapped in the quay pit are alive"), alive).verdict == "supported"
