"""Causes: another cause of the event speaks against a claim, the same one for it."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.verifier.causes import against, cause

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "official", "verdict"),
    [
        ("a cow on the rails caused the derailment", "Railways: a broken rail caused the derailment.", "refuted"),
        ("fishermen with fireworks did it", "Fire Service: the fire was started by a faulty heater.", "refuted"),
        ("It fell because of the party on the roof", "City: corroded beams brought the hall down.", "refuted"),
        ("the blaze started because of a heater", "Fire Service: a faulty heater caused the blaze.", "supported"),
        ("it is chlorine that leaked", "Fire Service: only ammonia was released.", "refuted"),
        ("the milk caused the outbreak", "Health Office: the milk did not cause the outbreak.", "refuted"),
        ("Kids with a pallet, that's why the tram derailed", "Railways: findings point to a worn switch.", "refuted"),
        ("It was fireworks that started the blaze", "Fire Service: we traced the blaze to a heater.", "refuted"),
        ("Boys on the line, thats what crashed the tram", "Railways: a worn switch caused the crash.", "refuted"),
        ("the wagons are full of chlorine", "Railways: the wagons were carrying grain.", "refuted"),
        ("a lorry full of hay is stuck", "Railways: the lorry was loaded with cement.", "insufficient"),
        ("a van loaded with dynamite drove off", "Railways: the wagons were carrying grain.", "insufficient"),
        ("the mast failed because of thieves", "Power Company: the mast failed because of rust.", "refuted"),
        ("thieves did this", "Power Company: a falling branch caused the line to trip.", "refuted"),
        ("the cloud is pure phosgene", "Fire Service: the smoke is from crude oil.", "refuted"),
        ("the fire came from fireworks, not from a heater", "Fire Service: a heater caused the fire.", "refuted"),
    ],
)
def test_another_cause_of_one_event_speaks_against_the_one_that_is_claimed(
    told: str, official: str, verdict: str
) -> None:
    assert claim(report(told), report(official, OFFICIAL, minutes=20)).verdict == verdict


@pytest.mark.parametrize(
    "told",
    [
        "the school is closed because of the smoke",
        "12 people were hurt by falling glass after the blast",
        "firemen started the pumps",
        "samples show no chlorine",
        "the outage caused the school to close",
    ],
)
def test_what_came_of_the_event_is_no_cause_of_it(told: str) -> None:
    assert not cause(told)


def test_causes_of_one_class_do_not_exclude_each_other() -> None:
    short, battery = cause("a short circuit caused the fire"), cause("a battery caused the fire")
    assert against(short, battery) is None
    assert against(short, cause("the fire was caused by children")) is True
