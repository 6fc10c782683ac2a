"""Which incident an event belongs to."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.unit.reports import NOW
from verifleet.agents.incidents.assign import to_merge
from verifleet.agents.incidents.profile import Incident
from verifleet.agents.incidents.signs import Signs, signs_of
from verifleet.agents.ingest.event import normalise
from verifleet.agents.ingest.signs import Carried, carried
from verifleet.audits.incidents import Memory, audit_incidents
from verifleet.envelopes import EventData, RawEventData


def event_of(content: str, *, minutes: float = 0, **fields: Any) -> EventData:
    raw = {"source": "twitter", "content": content, "timestamp": NOW + timedelta(minutes=minutes)}
    return normalise(RawEventData.model_validate(raw | fields), session_id="s", now=NOW + timedelta(days=99))


def signs(content: str, *, minutes: float = 0, tells: bool = True, **fields: Any) -> Signs:
    return signs_of(event_of(content, minutes=minutes, **fields), tells=tells)


def incidents_of(*reports: Signs) -> list[str]:
    memory = Memory()
    return [memory.add(one) for one in reports]


ALBERTA = signs("Flooding in Calgary forces 75,000 from their homes #abflood #yycflood")


@pytest.mark.parametrize(
    "content",
    [
        "Calgary's mayor: flood crest expected at noon",
        "Bow River flooding: downtown is closed #yycflood",
        "Our basement is full of water, three feet deep #abflood",
        "Flooding all over southern Alberta, High River is under water",
        "Canada floods: two dead",
    ],
)
def test_a_report_of_the_same_flood_joins_by_place_region_country_or_hashtag(content: str) -> None:
    first, second = incidents_of(ALBERTA, signs(content, minutes=90))
    assert second == first


@pytest.mark.parametrize(
    "content",
    [
        "Floods in Manila, knee-deep water in Taft Avenue",
        "Shooting in Calgary, two people wounded, police are looking for a gunman",
        "Flood in Toronto: subway stations closed",
    ],
)
def test_another_place_or_kind_is_another_incident(content: str) -> None:
    first, second = incidents_of(ALBERTA, signs(content, minutes=90))
    assert second not in {first, ""}


def test_chatter_opens_no_incident_but_joins_one() -> None:
    prayer = signs("Praying for everybody hit by the flood in Calgary", tells=False)
    assert incidents_of(prayer) == [""]
    first, second = incidents_of(ALBERTA, prayer)
    assert second == first


def test_a_declared_place_opens_an_incident_for_a_claim_and_not_for_chatter_unless_a_service_reports_it() -> None:
    assert incidents_of(signs("Lovely coffee this morning, have a nice day", location="Calgary", tells=False)) == [""]
    assert incidents_of(signs("12 dead in Calgary", location="Calgary")) != [""]
    assert incidents_of(signs("Smoke", location="Calgary", source="emergency", tells=False)) != [""]


def test_a_report_without_a_place_joins_the_only_open_incident_of_its_kind_or_opens_one() -> None:
    plain = signs("Flood: 3 people are missing", minutes=30)
    (alone,) = incidents_of(plain)
    assert alone
    first, second = incidents_of(ALBERTA, plain)
    assert second == first


def test_two_incidents_that_reports_show_to_be_one_are_merged() -> None:
    memory = Memory()
    first = memory.add(signs("Explosion at the plant, two dead #clutha"))
    second = memory.add(signs("Blast in Glasgow, 30 injured", minutes=1))
    assert first != second
    for minute in range(2, 7):
        last = memory.add(signs(f"Explosion in Glasgow: {minute} more hurt #clutha", minutes=minute))
    assert set(memory.members) == {last}
    assert len(memory.members[last]) == 7


def test_a_flood_and_a_storm_somewhere_in_one_country_are_two_incidents_and_of_one_name_one() -> None:
    storm = [signs(f"Typhoon #pablo: {n} dead in the Philippines", minutes=n) for n in range(2, 6)]
    *_, other, same = incidents_of(
        *storm,
        signs("Flood in the Philippines, 9 missing #habagat", minutes=8),
        signs("Flood in the Philippines, 3 missing #pablo", minutes=9),
    )
    first = incidents_of(*storm)[0]
    assert other != first
    assert same == first


def test_what_names_no_kind_does_not_join_an_incident_of_a_country_for_its_tag() -> None:
    flood = [signs(f"Flood in Canada, {n} dead #canada", minutes=n) for n in range(2, 6)]
    *_, photo = incidents_of(*flood, signs("What a view over the lake #canada", minutes=9, tells=False))
    assert photo == ""


def test_after_a_week_of_silence_it_is_another_incident() -> None:
    first, second = incidents_of(ALBERTA, signs("Flooding in Calgary again", minutes=60 * 24 * 8))
    assert second != first


def test_two_towns_of_one_name_have_two_incidents() -> None:
    told = [
        signs("Mill fire, nine dead", location=place, minutes=minute)
        for minute, place in enumerate(("Springfield, Illinois", "Springfield, IL", "Springfield, Massachusetts"))
    ]
    first, second, third = incidents_of(*told)
    assert second == first
    assert third not in {first, ""}


def test_reports_of_a_town_that_no_gazetteer_knows_are_one_incident_and_of_two_such_towns_two() -> None:
    told = [
        signs("Barn on fire, two hurt", location=place, minutes=n) for n, place in enumerate("Au,Au,Egg".split(","))
    ]
    first, second, third = incidents_of(*told)
    assert second == first
    assert third not in {first, ""}


def test_words_of_any_incident_open_none_until_a_report_names_what_happened() -> None:
    assert incidents_of(signs("Two houses in Denver sold and closed, 3 people hurt")) == [""]
    assert incidents_of(signs("Avalanche near Denver, 3 people hurt")) != [""]


def test_a_flood_and_a_fire_of_one_state_are_not_merged() -> None:
    flood, fire = (
        Incident(f"incident {n}", NOW, NOW, 9, {kind: 9}, links={f"incident {3 - n}": 9})
        for n, kind in enumerate(("flood", "fire"), start=1)
    )
    assert not to_merge(flood, fire)
    assert to_merge(flood, replace(fire, kinds={"storm": 9}))


def test_a_rumour_of_another_kind_that_comes_first_is_of_the_incident_it_names() -> None:
    rumour = signs("The train derailment in Porto was an attack, gunmen were seen")
    first, second = incidents_of(rumour, signs("Train derailed in Porto, two carriages on their side", minutes=1))
    assert second == first


def test_two_named_fires_of_one_state_are_two_incidents_and_what_names_none_is_of_the_one_of_late() -> None:
    old = [signs(f"{n} acres burnt in Colorado #HighParkFire", minutes=n) for n in range(5)]
    new = [signs(f"{n} homes lost near Colorado Springs #WaldoCanyonFire", minutes=5_000 + n) for n in range(5)]
    told = incidents_of(
        *old,
        *new,
        signs("Colorado wildfire claims first victim, two missing", minutes=5_010),
        signs("The High Park Fire is as large as Manhattan, 3 hurt", minutes=5_011),
    )
    first, second = told[0], told[5]
    assert set(told[:5]) == {first}
    assert set(told[5:10]) == {second} - {first}
    assert told[10:] == [second, first]


def test_two_incidents_that_are_called_by_one_tag_are_merged_though_one_has_a_namesake_of_a_town() -> None:
    memory = Memory()
    for minute in range(4):
        memory.add(signs(f"Flood in Boulder, Colorado: {minute} dead #coflood", minutes=minute))
    memory.add(signs("Army rescues 60 from flood in Jamestown, Saint Helena #coflood", minutes=5))
    for minute in range(6, 10):
        memory.add(signs(f"Flood: {minute} of the army's helicopters over Jamestown #coflood", minutes=minute))
    for minute in range(10, 16):
        last = memory.add(signs(f"Flood: {minute} more rescued #coflood", minutes=minute))
    assert set(memory.members) == {last}


def test_the_audit_tells_how_many_incidents_each_event_has_and_how_pure_they_are() -> None:
    def row(event: str, text: str) -> dict[str, str]:
        return {"event": event, "time": NOW.isoformat(), "text": text}

    scores = audit_incidents(
        [
            row("a", "Flood in Calgary: 2 dead"),
            row("a", "Flood in Calgary: 3 dead"),
            row("b", "Earthquake in Italy kills 7 people"),
            row("b", "Good morning everybody"),
        ]
    )
    assert (scores.purity, scores.median_incidents) == (1.0, 1)
    assert [(one.event, one.incidents, one.alone) for one in scores.events] == [("a", 1, 0), ("b", 1, 1)]


def test_an_earthquake_that_nobody_felt_is_no_incident_unless_something_came_of_it() -> None:
    slight = signs("M 1.1, Southern California: September 08, 2012 13:29:28 GMT")
    felt = signs("A magnitude-3.5 earthquake struck Los Angeles, California")
    harmful = signs("A magnitude-2.9 earthquake in Los Angeles, California, injured 3 people")
    assert incidents_of(slight, felt, slight, harmful) == ["", "incident 1", "", "incident 1"]


EXPLODED, SMOKE, DENIED, *FIRES = (
    signs(content, location="Rotterdam", minutes=minutes)
    for minutes, content in enumerate(
        (
            "A chemical tank exploded at Waalhaven, 30 dead",
            "Air quality in Rotterdam: PM2.5 at 180 micrograms per cubic metre",
            "There was no explosion at Waalhaven, Rotterdam",
            "Fire in a warehouse at Waalhaven, Rotterdam. Three people injured",
            "Fire at a paint warehouse in Rotterdam",
            "60 firefighters are at the warehouse fire in Rotterdam",
        )
    )
)


@pytest.mark.parametrize(
    "order", [(EXPLODED, DENIED, FIRES[0], SMOKE), (EXPLODED, SMOKE, *FIRES), (SMOKE, EXPLODED, DENIED, *FIRES)]
)
def test_what_a_fire_brings_is_one_incident_with_it_whichever_is_told_first(order: tuple[Signs, ...]) -> None:
    memory = Memory()
    for one in order:
        memory.add(one)
    assert len(memory.members) == 1


def test_signs_of_an_earlier_version_are_read() -> None:
    apart = {"tags": ["abflood"], "names": ["bow"], "handles": ["cityofcalgary"], "kinds": ["flood"]}
    assert carried(apart).tokens == ("abflood", "bow", "@cityofcalgary")
    assert carried({"tags": 7, "names": [3]}) == Carried()


@pytest.mark.parametrize("bare_first", [False, True])
def test_a_citys_name_by_itself_is_that_of_the_incident_whose_place_is_told_in_full(bare_first: bool) -> None:
    full = signs("Chemical plant explosion in Toledo, Ohio injures 12 workers")
    bare = signs("Huge explosion in Toledo, windows broken downtown", minutes=9)
    later = signs("People evacuated in Toledo after the explosion", minutes=30)
    told = [bare, full] if bare_first else [full, bare]
    assert len(set(incidents_of(*told, later))) == 1
    assert len(set(incidents_of(full, signs("Explosion in Toledo, Spain: three workers injured", minutes=5)))) == 2
