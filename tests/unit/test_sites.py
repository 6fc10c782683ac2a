"""Two places for one service contradict each other; two services, or two of several places, do not."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report, verify
from verifleet.agents.verifier.memory import from_json, to_json
from verifleet.agents.verifier.sites import site

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("Hot soup for everyone at Linden Arena", "City: hot soup is served at St Anne's Church Hall."),
        (
            "collect your kids from Hilltop Library, pupils are there",
            "Police: parents can collect pupils at Ashby Hall.",
        ),
        ("phone charging hub is the Ferry Museum", "Power Authority: the phone charging hub is at Dock Street Gym."),
        ("survivors were taken to Miller Naval Base", "Coast Guard: survivors were brought to Pier 9."),
        ("Help desk for relatives is in the Palace Hotel", "Collector: the help desk for relatives is at Gandhi Hall."),
        ("Oak Manor hosts the press centre", "Police: the press centre is at Vale House."),
        ("traffic is diverted through Ashby Junction", "Police: traffic is diverted via Moor Lane."),
        # What no list names is told by its facility, its own words or its count.
        (
            "the repair desk for flooded cars is at Linden Mall",
            "City: a repair desk for cars was set up in Vale House.",
        ),
        (
            "knitting circle for widows meets in Linden Mall",
            "City: the knitting circle for widows meets in Vale House.",
        ),
        ("90 kayaks are waiting at Linden Pier", "City: kayaks can be borrowed at Vale Dock. 90 kayaks are left."),
        ("all the injured are at Mercy Clinic", "Ambulance: all injured were taken to Queen Mary Hospital."),
    ],
)
def test_another_place_than_an_authority_names_for_a_service_is_refuted(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("Hot soup is served at St Annes church", "City: hot soup is served at St. Anne's Church Hall."),
        ("sandbags are given out at Ozgur Lisesi", "City: sandbags are given out at the Özgür Lisesi."),
        ("the cooling centre is the racecourse", "City: a cooling centre is open at Ashby Racecourse."),
        ("blankets are handed out at Brgy. Malaya hall", "City: blankets are handed out at Malaya Barangay Hall."),
        ("food parcels are given out at Ashby Arena", "City: food parcels at Linden School and at Ashby Arena."),
    ],
)
def test_one_place_under_two_names_is_support(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "supported", found.evidence


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("a field hospital was set up at Linden Park", "City: the shelter for residents is at Ashby School."),
        ("volunteers should report to Linden Park", "City: families are housed at Ashby School."),
        ("3 injured were taken to Mercy Clinic", "Ambulance: some of the injured were taken to Queen Mary Hospital."),
        ("sandbags are given out at Linden Park", "City: sandbags are given out at several fire stations."),
        ("the roof of Linden Library caved in", "City: food parcels are handed out at Ashby School."),
        ("Trains stop at Linden Station", "Railways: trains stop at Ashby Station."),
        ("a roof fell in at Linden Mall", "City: a roof fell in at Vale House."),
        ("Bring your horses to Linden Park", "City: the shelter for residents is at Ashby School."),
    ],
)
def test_another_service_or_one_of_several_places_says_nothing(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "insufficient", found.evidence


def test_the_true_count_bears_out_no_other_place() -> None:
    official = report(
        "City: parcels are handed out at Ashby School. 800 parcels collected there.", OFFICIAL, minutes=20
    )
    found = verify(report("Food parcels are handed out at Linden Arena, 800 parcels collected there"), official)
    assert {claim.verdict for claim in found.verified_claims} == {"refuted"}


def test_posts_that_name_two_places_leave_it_open() -> None:
    found = claim(report("Hot soup at Linden Arena"), report("Hot soup is served at Ashby School", minutes=20))
    assert found.verdict == "insufficient"


def test_an_authority_is_not_refuted_by_a_post() -> None:
    found = claim(report("City: hot soup is served at Ashby School.", OFFICIAL), report("Hot soup at Linden Arena"))
    assert found.verdict == "supported"


def test_the_city_and_the_hour_are_no_places_of_a_service() -> None:
    home = frozenset({"tulsa"})
    assert site("food parcels are handed out in Tulsa", home) is None
    assert site("food parcels are handed out on Monday", home) is None
    flooded = site("water is up to the windows at Ashby School", home)
    assert flooded is None or not flooded.service.telling


def test_the_memory_keeps_the_place_of_a_service() -> None:
    for told in ("Food parcels are handed out at Linden Arena", "Food parcels are handed out at ﷺ Linden ½ Arena"):
        kept = report(told).report
        assert kept.statements[0].site
        assert from_json(to_json(kept)) == kept
