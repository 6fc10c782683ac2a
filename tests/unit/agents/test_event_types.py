"""What kind of incident a report is about."""

from __future__ import annotations

import pytest

from verifleet.reading.hazards import event_type


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A flood of mud and water tore through Ouro", "flood"),
        ("The water is rising fast on Ouro Street, cars are floating", "flood"),
        ("The floods spoiled the drinking water in Ouro", "flood"),
        ("Drinking water in Ouro is safe.", "other"),
        ("Landslide in the hills above Ouro after days of rain", "flood"),
        ("Lake outburst sweeps away a hydropower plant", "flood"),
        ("Earthquake triggers a tsunami warning", "earthquake"),
        ("The typhoon flooded half of the town", "storm"),
        ("Missile hit a block of flats", "attack"),
        ("Armed men abducted pupils from a school", "attack"),
        ("Batteries ignited on deck, the crew jumped", "fire"),
        ("The church tower is alight", "fire"),
        ("The viaduct gives way under a lorry", "collapse"),
        ("The plane lost contact with the control tower", "transport"),
        ("Soldiers came under fire, two killed in a shooting", "attack"),
        ("The bank building collapsed, five trapped", "collapse"),
        ("Fire at the cinema during a film, 12 injured", "fire"),
        ("A bus crashed into the stadium, fans hurt", "transport"),
        ("Le zone colpite dall'alluvione", "flood"),
        ("Back from #Firenze and #Bahamas", "none"),
        ("Look at this #nswfires", "fire"),
    ],
)
def test_the_hazard_decides_the_type_whatever_is_around(text: str, kind: str) -> None:
    assert event_type(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "A meteor blew up above the town and the blast broke hundreds of windows",
        "Fireball and explosion as #meteorite falls near the lake",
        "Explosive eruption this morning, ash on every roof",
    ],
)
def test_what_fell_from_the_sky_or_out_of_a_volcano_is_the_cause_of_its_blast(text: str) -> None:
    assert event_type(text) == "other"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Police: the road to Ouro is open", "none"),
        ("State Police: eleven bodies were found so far", "other"),
        ("Cars were pulled out of the flooded river", "flood"),
        ("County police: the curfew begins at nine", "other"),
        ("Residents are told to shelter in place", "other"),
        ("A weather station measured 30 cm of snow", "storm"),
        ("USGS gauge on the Ouro: 12.1 ft and rising", "flood"),
        ("Ammonia escaped at a plant in Ouro, many in hospital", "other"),
        ("Avalanche buried two, a rescue helicopter is on its way", "other"),
        ("Police helicopter crashed onto a roof", "transport"),
        ("Helicopters took 1,000 people off the flooded roofs", "flood"),
        ("M 6.3 - 21km SSE of Ouro", "earthquake"),
        ("Police: two officers stabbed", "attack"),
        ("Police are responding to an incident at the mall", "attack"),
    ],
)
def test_who_comes_to_help_and_by_what_means_is_no_sign_of_what_happened(text: str, kind: str) -> None:
    assert event_type(text) == kind
