"""What reaches a claim: a figure of some, an open tunnel, a plan for another bridge do not."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report, verify

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("64 people hurt in the storm", "Hospital: 7 patients are in intensive care after the storm."),
        ("64 people hurt in the storm", "Hospital: of the injured, 5 are in critical condition."),
        ("6 stewards hurt at gate 2: 4 women and 2 men", "Ambulance Service: 64 people were injured."),
        ("Taxi drivers took 25 injured to hospital themselves", "Ambulance Service: 64 people were injured."),
        ("6 waiters hurt by falling tiles", "Police: doctors have seen no gunshot wounds."),
        ("The Lima footbridge will be closed for 9 days", "City: the Lima tunnel is open."),
        ("Carlos Bridge will be shut for 2 weeks", "City: Arrabida Bridge remains open."),
        ("The Lima footbridge will be closed for 9 days", "Railways: Lima station has reopened."),
        ("The mayor will order a curfew for 3 nights, all shops closed", "City: the storm warning has been lifted."),
        (
            "16 nurses are sleeping at the chapel in Foz",
            "City: the shelter is at the Rosa Mota hall, 480 people inside.",
        ),
        (
            "14 cats and dogs got out of the flats",
            "Fire Service: rumours are wrong. Nobody is trapped in the building.",
        ),
        ("19 commuters stuck at the barrier, they can't cross", "Fire Service: nobody is trapped in the building."),
        ("Flames have reached the chapel on Rua Nova", "Fire Service: there is no fire at the gas depot."),
        ("2,000 head of cattle were washed away", "Parks Office: no crocodile lives this far south."),
        ("64 people hurt in the storm", "Fire Service: 64 people hurt, 3 are in a critical condition."),
        ("The mall will open at 4 pm to charge phones", "Weather Service: signal no. 3 remains hoisted for Porto."),
    ],
)
def test_what_is_of_some_or_of_something_else_refutes_nothing(told: str, official: str) -> None:
    for minutes in (-20, 20):
        found = claim(report(told), report(official, OFFICIAL, minutes=minutes))
        assert not any(e.stance == "refutes" for e in found.evidence), found.evidence


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("They will shut the underpass at Rua Nova for 12 days", "Fire Service: Rua Nova stays cordoned off."),
        ("The Foz dam road will be closed for 8 days", "Fire Service: Highway 29 closed from Gaia to Maia."),
        ("My colleague says the shooter parked by the cake shop", "Police: five victims of the shooting were found."),
        ("3 officers hurt when their van hit a pole", "Hospital: 30 people hurt, 3 are in critical condition."),
    ],
)
def test_what_is_of_some_or_of_something_else_supports_nothing(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "insufficient", found.evidence


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("640 people hurt in the storm", "Hospital: 64 people injured in the severe storm."),
        ("Arrabida Bridge will be closed for 2 weeks", "City: there are no plans to close Arrabida Bridge."),
    ],
)
def test_what_is_of_all_and_of_the_same_still_refutes(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


def test_a_figure_that_an_authority_bears_out_is_not_shaken_by_a_denial_of_something_else() -> None:
    told = report("17 cars fell with the viaduct in Porto")
    found = verify(
        told,
        report("Fire Service: 17 cars have fallen with the viaduct.", OFFICIAL, minutes=10),
        report("City: the Foz viaduct is sound and open to traffic as usual.", OFFICIAL, minutes=20, author="city"),
    )
    assert {c.verdict for c in found.verified_claims} == {"supported"}, found.verified_claims
