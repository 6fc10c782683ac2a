"""Orders, warnings, closures and cuts: what is in force, what has ended, and what that says about other reports."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.reports import NOW, claim, report, verify
from verifleet.agents import summarizer
from verifleet.agents.verifier.events import Prepared
from verifleet.agents.verifier.status import one_thing, status_of
from verifleet.envelopes import VerifiedEventData

OFFICIAL = "emergency"

ENDED = [
    ("The quarantine order has been revoked.", "The quarantine order is in force"),
    ("The city lifted the curfew at noon.", "Curfew in effect tonight"),
    ("The do-not-use notice for tap water was withdrawn.", "A do-not-use notice is in place for tap water"),
    ("All clear: the shelter-in-place has ended.", "Shelter in place order for Porto"),
    ("Residents may return to their homes.", "Evacuation order issued for Porto"),
    ("The avalanche warning expired this morning.", "Avalanche warning still active"),
    ("Electricity is back on.", "Blackout in Porto, power is out"),
    ("Water supply has been restored.", "No running water in Porto"),
    ("The Arrabida Bridge has reopened to traffic.", "The Arrabida Bridge is closed"),
    ("The emergency shelter has closed.", "An emergency shelter is open"),
    ("Cancelled: Tsunami Warning for the coast", "Tsunami warning for the coast"),
    ("The red warning was downgraded to a watch.", "Red warning in force"),
    ("Suspension of classes in the harbour schools is lifted.", "Classes in the harbour schools are suspended"),
]
NOT_ENDED = [
    "The evacuation order has not been lifted.",
    "The evacuation order will be lifted on Monday.",
    "Stay out until the evacuation order is lifted.",
    "Wait for the all clear.",
    "Do not return home until the order has been cancelled.",
    "Schools are closed because of the tornado warning.",
    "Power will be restored by evening.",
    "The warning expires at 6 pm.",
    "The evacuation order was partially lifted.",
]


@pytest.mark.parametrize(("ended", "holds"), ENDED)
def test_a_lift_is_the_opposite_of_what_it_ends(ended: str, holds: str) -> None:
    lifted, held = status_of(ended), status_of(holds)
    assert lifted is not None
    assert held is not None
    assert (lifted.phase, held.phase) == ("ends", "holds")
    assert one_thing(held.marks, lifted.marks)


@pytest.mark.parametrize("text", NOT_ENDED)
def test_what_is_not_ended_yet_does_not_end(text: str) -> None:
    status = status_of(text)
    assert status is None or status.phase == "holds"


@pytest.mark.parametrize(("ended", "holds"), ENDED)
def test_an_official_end_makes_later_reports_untrue_and_earlier_ones_outdated(ended: str, holds: str) -> None:
    end = report(ended, OFFICIAL, minutes=10)
    assert claim(report(holds, minutes=20), end).verdict == "refuted"
    earlier = claim(report(holds), end)
    assert earlier.verdict == "insufficient"
    assert any("has ended since" in evidence.reason for evidence in earlier.evidence)


def test_an_order_supports_nothing_that_is_told_after_its_end() -> None:
    order = report("The evacuation order is in effect.", OFFICIAL)
    end = report("The evacuation order has been lifted.", OFFICIAL, minutes=30, author="civil protection")
    assert claim(report("Evacuation order in effect", minutes=10), order, end).verdict == "supported"
    assert claim(report("Evacuation order in effect", minutes=40), order, end).verdict == "refuted"
    again = report("A new evacuation order is in effect.", OFFICIAL, minutes=50, author="police")
    assert claim(report("Evacuation order in effect", minutes=60), order, end, again).verdict == "supported"


@pytest.mark.parametrize(
    ("told", "official", "verdict"),
    [
        ("The tsunami alert was lifted", "The tsunami alert remains in effect.", "refuted"),
        ("The tsunami alert was lifted", "It is not true that the tsunami alert has been lifted.", "refuted"),
        ("The tsunami alert was lifted", "The tsunami alert has been cancelled.", "supported"),
        ("Tsunami alert in effect", "The tsunami alert has NOT been lifted.", "supported"),
        ("Flood warning in effect", "The tornado warning has been cancelled.", "insufficient"),
        ("Evacuation order in effect for zone A", "The evacuation order for zone B was lifted.", "insufficient"),
        ("Tornado warning in effect", "The tornado watch has ended.", "insufficient"),
        ("The Arrabida Bridge is closed", "The Freixo Bridge has reopened to traffic.", "insufficient"),
    ],
)
def test_a_status_speaks_only_of_its_own_thing(told: str, official: str, verdict: str) -> None:
    assert claim(report(told), report(official, OFFICIAL, minutes=5)).verdict == verdict


def test_what_one_thing_closes_is_not_one_thing() -> None:
    shut, opened = (
        status_of("Six banks are closed because of the dust."),
        status_of("The mill reopened, thanks to less dust"),
    )
    assert shut is not None
    assert opened is not None
    assert not one_thing(shut.marks, opened.marks)


def test_no_crowd_ends_what_an_authority_ordered() -> None:
    order = report("The evacuation order is in effect.", OFFICIAL)
    posts = [report(f"evacuation order was lifted, {n}", minutes=n, author=f"a{n}") for n in range(1, 6)]
    assert claim(order, *posts).verdict == "supported"


def brief(*judged: VerifiedEventData) -> str:
    state = None
    for verified in judged:
        state = summarizer.merge(state, verified, "i", NOW) or state
    assert state is not None
    return summarizer.render(state, summarizer.facts_of(state)).summary


def test_a_brief_tells_what_has_ended_as_ended() -> None:
    order = report("The evacuation order is in effect.", OFFICIAL)
    post = report("Tsunami warning in effect", minutes=2)
    end = report("The evacuation order has been lifted.", OFFICIAL, minutes=30, author="civil protection")
    told = brief(verify(order), verify(post), verify(end, order))
    assert "The evacuation order has been lifted (stated by an official source; no longer so:" in told
    assert "Not confirmed: “Tsunami warning in effect”" in told


def alert(content: str, minutes: float, **details: str) -> Prepared:
    references = details.pop("references", None)
    metadata = {"author": "met office", "in_reply_to": references, "cap": details}
    return report(content, OFFICIAL, minutes=minutes, metadata=metadata)


def test_a_cancelled_alert_is_no_more_in_the_brief_of_its_incident() -> None:
    first = alert("Storm warning for Porto. Winds of 150 km/h were measured.", 0, identifier="A1", msgType="Alert")
    ends = {"identifier": "A2", "msgType": "Cancel", "references": "met@x.pt,A1,2026-05-04T12:00:00Z"}
    cancel = alert("Cancelled: Storm warning for Porto", 30, **ends)
    told = brief(verify(first), verify(cancel, first))
    assert "Cancelled: Storm warning for Porto (stated by an official source; no longer so:" in told
    assert "measured" not in told


@pytest.mark.parametrize("kind", ["Cancel", "Error"])
def test_what_was_in_force_by_an_alert_taken_back_is_no_more(kind: str) -> None:
    first = alert("Storm warning for Porto. The coast road is closed.", 0, identifier="A1", msgType="Alert")
    ends = {"identifier": "A2", "msgType": kind, "references": "met@x.pt,A1,2026-05-04T12:00:00Z"}
    cancel = alert("Cancelled: Storm warning for Porto.\nThe alert was sent in error.", 30, **ends)
    assert "road is closed" in brief(verify(first))
    assert "road is closed" not in brief(verify(first), verify(cancel, first))


def test_nobody_else_cancels_an_alert() -> None:
    first = alert("Storm warning for Porto. Winds of 150 km/h were measured.", 0, identifier="A1", msgType="Alert")
    metadata = {"author": "eva", "in_reply_to": "x,A1,y", "cap": {"identifier": "A2", "msgType": "Cancel"}}
    told = brief(
        verify(first), verify(report("Cancelled: Storm warning for Porto", minutes=9, metadata=metadata), first)
    )
    assert "measured" in told
    assert "no longer so" not in told


@given(st.text(max_size=300))
def test_any_text_has_a_status_or_none(text: str) -> None:
    status = status_of(text)
    assert status is None or (
        status.phase in {"holds", "ends"} and one_thing(status.marks, status.marks) in {True, False}
    )


def test_a_text_made_to_be_slow_has_its_status_soon() -> None:
    for piece in ("the order ", "warning for ", "power ", "shelter open ", "cancel the "):
        started = time.process_time()
        status_of(piece * 5_000)
        assert time.process_time() - started < 1.0
