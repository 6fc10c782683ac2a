"""Statements of many kinds, each told, denied, ended, asked, feared, of another year or place: what that says to it.

The law: who denies, ends, asks, hopes or plans something never bears it out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import pytest

from tests.unit.reports import event
from verifleet.agents.belief.judge import stances_of
from verifleet.agents.memory.report import Report
from verifleet.agents.pipeline import prepare


@dataclass(frozen=True)
class Kind:
    """A statement, the same as a noun, and sentences that tell its end."""

    told: str
    noun: str
    ends: tuple[str, ...] = field(default=())


KINDS = (
    Kind("7 people were killed in the {} train crash", "7 deaths in the {} train crash"),
    Kind(
        "15 people are missing after the flood in {}",
        "15 missing in the {} flood",
        ("all 15 missing people in the {} flood have been found",),
    ),
    Kind(
        "the A9 road near {} is closed",
        "a closure of the A9 road near {}",
        ("the A9 road near {} is no longer closed", "the A9 road near {} has reopened", "the A9 near {} is open again"),
    ),
    Kind(
        "a flood warning is in force for {}",
        "a flood warning for {}",
        ("the flood warning for {} was called off", "the flood warning for {} has expired"),
    ),
    Kind(
        "an evacuation order is in effect in {}",
        "an evacuation order in {}",
        ("the evacuation order in {} has been called off", "the evacuation order in {} is no longer in effect"),
    ),
    Kind(
        "the fire at the paper mill in {} is spreading",
        "a fire spreading at the paper mill in {}",
        ("the fire at the paper mill in {} is under control", "the fire at the paper mill in {} is out"),
    ),
    Kind("the Lindoso dam near {} has burst", "a burst of the Lindoso dam near {}"),
    Kind(
        "there is an active shooter at the university in {}",
        "an active shooter at the university in {}",
        ("the shooter at the university in {} has been arrested",),
    ),
    Kind(
        "12,000 customers are without power in {}",
        "an outage for 12,000 customers in {}",
        ("power has been restored to all 12,000 customers in {}",),
    ),
    Kind(
        "trains between Wien and {} are suspended",
        "a suspension of trains between Wien and {}",
        ("trains between Wien and {} are running again", "trains between Wien and {} are back to normal"),
    ),
    Kind(
        "blood donors are needed at the hospital in {}",
        "a need of blood donors at the hospital in {}",
        (
            "enough blood has been donated at the hospital in {}",
            "blood donors at the hospital in {} not needed anymore",
        ),
    ),
    Kind("the hotline for relatives in {} is 0316 555100", "a hotline at 0316 555100 for relatives in {}"),
)
DENIED = (
    "It is not true that {told}",
    "Police deny that {told}",
    "Reports that {told} are wrong",
    "Rumours that {told} are untrue",
    "There is no truth to reports that {told}",
    "Claims that {told} are unfounded",
    "False: {told}",
    "Reports of {noun} are wrong",
    "Police say reports of {noun} are false",
    "Rumours of {noun} are unfounded, police say",
    "Police refute rumours of {noun}",
    "Reports of {noun} turned out to be a hoax",
)
UNSURE = (
    "Is it true that {told}?",
    "Can anyone confirm that {told}?",
    "Any news on {noun}?",
    "We hope that {told} is not true",
    "Praying that {told} is only a rumour",
    "If {told}, shelters will open",
    "In case {told}, the mayor has a plan",
    "The city practises what to do if {told}",
    "In 1998 {told}",
)


def report(text: str, source: str = "news", minutes: float = 0) -> Report:
    return prepare(
        event(text[0].upper() + text[1:], source, minutes=minutes, location="Porto" if "Porto" in text else "Graz")
    ).report


def stances(own: Report, other: Report) -> set[str]:
    return set(stances_of(own, other).values())


def framed(frames: tuple[str, ...]) -> list[tuple[str, str]]:
    made = []
    for kind, frame in product(KINDS, frames):
        told, noun = kind.told.format("Graz"), kind.noun.format("Graz")
        made.append((told, frame.format(told=told, noun=noun)))
    return made


@pytest.mark.parametrize(("told", "other"), framed(DENIED))
def test_what_is_called_false_is_refuted(told: str, other: str) -> None:
    assert stances(report(told), report(other, "official", 60)) == {"refutes"}


@pytest.mark.parametrize(("told", "other"), framed(UNSURE))
def test_what_is_asked_hoped_planned_or_of_another_year_bears_nothing_out(told: str, other: str) -> None:
    assert not stances(report(told), report(other, "official", 60))


@pytest.mark.parametrize(
    ("told", "end"), [(kind.told.format("Graz"), end.format("Graz")) for kind in KINDS for end in kind.ends]
)
def test_an_end_updates_what_it_ends_and_who_denies_it_does_not_bear_it_out(told: str, end: str) -> None:
    ended = report(end, "official", 180)

    assert stances(report(told), ended) == {"updates"}
    for frame in ("Police deny that {}", "It is not true that {}", "Is it true that {}?"):
        assert "supports" not in stances(ended, report(frame.format(end), minutes=200))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_of_another_place_says_nothing_and_of_this_one_nothing_else(kind: Kind) -> None:
    own = report(kind.told.format("Graz"))

    assert not stances(own, report(kind.told.format("Porto"), "official", 60))
    assert stances(own, report(f"Police confirm: {kind.told.format('Graz')} tonight", "official", 60)) == {"supports"}


ROAD, OPEN = "the A9 road near Graz is closed", "the A9 road near Graz has reopened"
LINE = "The hotline for relatives in Graz is {}"


@pytest.mark.parametrize(
    ("told", "by", "other", "others", "minutes", "expected"),
    [
        (OPEN, "official", ROAD, "news", 60, set()),
        (OPEN, "official", ROAD, "news", 600, {"updates"}),
        (OPEN, "official", ROAD, "official", 60, {"updates"}),
        (OPEN, "news", ROAD, "news", 60, {"updates"}),
        (ROAD, "news", OPEN, "news", -60, set()),
    ],
)
def test_old_news_ends_nothing_that_an_authority_told(
    told: str, by: str, other: str, others: str, minutes: float, expected: set[str]
) -> None:
    assert stances(report(told, by), report(other, others, minutes)) == expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (LINE.format("0316 555100, police confirm tonight"), {"supports"}),
        (LINE.format("0316 555200"), set()),
        ("Relatives in Graz can call the hotline", set()),
    ],
)
def test_another_number_bears_none_out(other: str, expected: set[str]) -> None:
    assert stances(report(LINE.format("0316 555100")), report(other, "official", 60)) == expected


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        ("La carretera A9 cerca de Graz está cerrada", "La carretera A9 cerca de Graz ya no está cerrada"),
        ("La route A9 est fermée près de Graz", "La route A9 près de Graz n'est plus fermée"),
        ("Straße A9 bei Graz gesperrt", "Straße A9 bei Graz nicht mehr gesperrt"),
        ("La strada A9 per Graz è chiusa", "La strada A9 per Graz non è più chiusa"),
        ("A estrada A9 perto de Graz está fechada", "A estrada A9 perto de Graz já não está fechada"),
    ],
)
def test_what_is_no_longer_so_has_ended_in_all_languages(told: str, ended: str) -> None:
    assert stances(report(told), report(ended, "official", 120)) == {"updates"}


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("7 muertos en el accidente de Graz", "Los reportes de 7 muertos en el accidente de Graz son infundados"),
        ("7 Tote bei einem Unfall in Graz", "Meldungen über 7 Tote bei dem Unfall in Graz sind unbegründet"),
        ("7 morts dans l'accident à Graz", "Les rumeurs de 7 morts dans l'accident à Graz sont infondées"),
        ("7 morti nell'incidente a Graz", "Le voci di 7 morti nell'incidente a Graz sono infondate"),
        ("7 mortos no acidente em Graz", "Os boatos de 7 mortos no acidente em Graz são infundados"),
    ],
)
def test_a_count_within_what_is_called_false_is_refuted_in_all_languages(told: str, denied: str) -> None:
    assert stances(report(told), report(denied, "official", 120)) == {"refutes"}
