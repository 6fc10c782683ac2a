"""Reports that call themselves exercises, and reports that only mention one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.reports import NOW, claim, report, verify
from verifleet.agents.ingest.event import normalise
from verifleet.envelopes import RawEventData
from verifleet.reading.exercises import calls_itself_exercise


@pytest.mark.parametrize(
    "text",
    [
        "EXERCISE EXERCISE: mass casualty bus crash in York, 40 injured",
        "This is only a drill: fire at Leeds station, 12 injured",
        "EXERCISE EXERCISE EXERCISE Gas explosion at Hull docks, 9 dead. EXERCISE EXERCISE EXERCISE",
        "[EXERCISE] Flooding in Otley, 300 evacuated",
        "Drill: chemical leak at the Teesside plant, 20 casualties",
        "Fire drill - Building 4 evacuated, two people trapped",
        "TEST MESSAGE: tsunami warning for Honolulu",
        "TEST: Tornado warning for Tulsa",
        "This is a test of the Emergency Alert System. A tornado has struck Tulsa.",
        "THIS IS A TEST. Flood in Boulder, evacuate now.",
        "Earthquake of magnitude 7 in Lisbon, 200 dead (this is an exercise)",
        "Bus crash in York with 40 injured. For exercise purposes only.",
        "Exercise only - train derailed near Crewe",
        "Full-scale emergency exercise: plane crash at Leeds Bradford airport, 60 casualties",
        "The smoke and sirens at Leeds station are part of a planned exercise.",
        "Tsunami drill in progress: residents of Padang are evacuated",
        "Esto es un simulacro: terremoto en Lima, 20 heridos",
        "Dies ist eine Übung: Hochwasser in Graz",
        "Ceci est un exercice : explosion à Lyon, 12 blessés",
        "Please note this is just a training exercise. 3 people trapped in a collapsed building in Derby.",
        "*** EXERCISE *** flood in York",
        "It's only a drill! Fire at the school in Leeds",
        "Monthly test of the sirens: this is a monthly test of the warning sirens in Tulsa",
    ],
)
def test_a_report_that_calls_itself_an_exercise_is_no_incident(text: str) -> None:
    assert calls_itself_exercise(text)
    event = normalise(RawEventData(source="emergency", content=text), session_id="s", now=NOW)
    assert event.event_type == "none"


@pytest.mark.parametrize(
    "text",
    [
        "THIS IS NOT A DRILL: ballistic missile inbound to Hawaii",
        "Military exercise explosion kills 3 in Texas",
        "Three soldiers killed during a military exercise near Fort Hood",
        "Explosion at NATO exercise in Estonia injures 12",
        "Exercise caution: flooded roads in York",
        "Exercise Caution: flooded roads in York",
        "Exercise Extreme Caution Today: flooded roads in York",
        "A helicopter crashed while it took part in Exercise Silver Bridge, 4 soldiers killed",
        "Exercise extreme caution near the A64, 3 cars crashed",
        "EXERCISE CAUTION ON ROADS NEAR YORK: FLOODING",
        "40 people test positive for Legionella in Leeds",
        "Test results show contamination in Flint",
        "Oil drill explodes off Norway, 3 workers killed",
        "Fire on the drill rig, 12 injured",
        "Man injured by power drill in Leeds",
        "Student hurt after a fire drill at Leeds school",
        "Fire drill: student breaks leg during the drill at a school in Leeds",
        "Residents thought this is only a drill until the blast killed 3",
        "No drill, real fire at Leeds station, 12 injured",
        "This is an exercise in futility, the flood took 40 houses",
        "This is a test of our resilience, says mayor as flood hits York",
        "NO DUFF: casualty at the exercise area in York, 1 injured",
        "Police test-fired weapons; 2 injured",
        "Bomb test kills 4 in Nevada",
        "Nuclear test site fire burns 300 acres",
        "Military exercise: explosion kills 3 in Texas",
        "The plane that crashed was part of a military exercise",
        "Ceci n'est pas un exercice : explosion à Lyon",
        "No es un simulacro: terremoto en Lima",
        "2 killed as army drill goes wrong in Pune",
        "Crash test facility in Leeds on fire",
        "This is the biggest test for the hospital in York: 40 injured",
        "Fire at the exercise studio in York, 4 injured",
        "A drill sergeant was killed in a blast at Fort Hood",
    ],
)
def test_a_report_that_only_mentions_an_exercise_or_a_test_is_judged_as_any_other(text: str) -> None:
    assert not calls_itself_exercise(text)


def test_an_exercise_has_no_claims_and_says_why() -> None:
    played = report("EXERCISE EXERCISE: 62 people were injured by the storm in Porto.", "emergency")
    verified = verify(played)
    assert (verified.verified_claims, verified.reliability_score) == ([], 0.0)
    assert verified.unverified_reason == "no checkable claim: the report says that it is an exercise or a test"


def test_an_exercise_is_no_evidence() -> None:
    played = report("This is only a drill: 62 people were injured in Porto.", "emergency", minutes=5)
    assert claim(report("62 people injured by the storm in Porto"), played).verdict == "insufficient"
    assert claim(report("9 people injured by the storm in Porto"), played).verdict == "insufficient"


@given(st.text(max_size=300), st.sampled_from(["exercise ", "this is ", "not a ", "[ ", "fire ", "during the ", "if "]))
def test_any_text_is_read_in_time(text: str, repeated: str) -> None:
    started = time.thread_time()
    assert calls_itself_exercise(repeated * 2000 + text) in {True, False}
    assert time.thread_time() - started < 3
