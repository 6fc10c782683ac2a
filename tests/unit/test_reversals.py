"""What an official body denies, confirms or ends, in nearly the words of the report it speaks of."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report
from verifleet.agents.verifier.hazards import hazards
from verifleet.agents.verifier.wording import near_copy, signature

OFFICIAL = "emergency"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("The Douro weir has burst", "The Douro weir has not burst."),
        ("There is a sniper on the roof of the opera", "There is no sniper on the roof of the opera."),
        ("Bomb found under the Arrabida bridge", "FALSE: Bomb found under the Arrabida bridge"),
        ("Hostages taken at the customs house", "Hostages were not taken at the customs house."),
    ],
)
def test_a_denial_in_the_words_of_the_rumour_is_no_copy_of_it(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict == "refuted"


@pytest.mark.parametrize(
    ("one", "other", "copies"),
    [
        ("the old bridge over the river has fallen", "the old bridge over the river has not fallen", False),
        ("12 people hurt in the market hall fire", "15 people hurt in the market hall fire", False),
        ("three people hurt in the market hall fire", "nine people hurt in the market hall fire", False),
        ("the curfew in the harbour district was lifted", "the curfew in the harbour district was extended", False),
        ("12 people hurt in the market hall fire", "12 people hurt in the market hall fire today", True),
        ("12 people hurt in the market hall fire", "omg 12 people hurt in the market hall fire", True),
    ],
)
def test_what_turns_a_text_or_its_figures_makes_it_no_copy(one: str, other: str, copies: bool) -> None:
    assert near_copy(signature(one), signature(other)) is copies


@pytest.mark.parametrize(
    "denied",
    [
        "There were no casualties in Porto.",
        "No one was hurt in Porto.",
        "Nobody came to harm in Porto.",
        "Everyone is safe.",
        "All residents are unharmed.",
        "No injuries or deaths were reported in Porto.",
        "There were no deaths in Porto.",
    ],
)
def test_who_counts_no_harm_at_all_denies_the_dead(denied: str) -> None:
    told = claim(report("Storm in Porto kills 3 people"), report(denied, OFFICIAL, minutes=5))
    assert told.verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("Storm in Porto injured 3 people", "There were no deaths in Porto."),
        ("Storm in Porto kills 3 people", "There were no injuries in Porto."),
        ("Storm in Porto kills 3 people", "There were no serious casualties in Porto."),
        ("Storm in Porto kills 3 people", "All firefighters are safe."),
        ("Storm in Porto kills 3 people", "Everyone is safe to return home now."),
    ],
)
def test_who_counts_none_of_one_kind_leaves_the_other(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict == "insufficient"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("There is a fire at the Bolhão market", "Reports of a fire at the Bolhão market are false."),
        ("There is a fire at the Bolhão market", "Our crews looked everywhere: there is no fire at the Bolhão market."),
        ("Explosion near the Dragão stadium", "There is NO explosion or incident at or near the Dragão stadium."),
        ("Landslide at Miragaia", "It is not true that there was a landslide at Miragaia."),
        ("Landslide in Porto", "There is no landslide in Porto at present."),
        ("Tornado in Porto", "No tornado has touched down in Porto."),
    ],
)
def test_a_denial_of_the_kind_of_event_denies_the_bare_report(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("There is a fire at the Bolhão market", "There is no fire at the Dragão stadium."),
        ("There is a fire in Porto", "There is no fire at the Dragão stadium."),
        ("There is a fire at the Bolhão market", "The fire at the Bolhão market has not spread to other shops."),
        ("There is a fire at the Bolhão market", "No one was hurt in a fire at the Bolhão market."),
        ("There is a fire at the Bolhão market", "Rumours of a gas leak at the Bolhão market are false."),
        ("School shooting in Porto", "Police: there is no threat at other schools after the shooting."),
        ("There is a fire at the Bolhão market", "Reports that the fire killed a trader are false."),
    ],
)
def test_a_denial_of_something_else_leaves_the_report(told: str, denied: str) -> None:
    assert claim(report(told), report(denied, OFFICIAL, minutes=5)).verdict != "refuted"


@pytest.mark.parametrize(
    ("told", "confirmed"),
    [
        (
            "Fire at the Galp depot in Porto",
            "We can confirm a fire at the Galp depot. Rumours of a gas leak are false.",
        ),
        ("Shots fired at the customs house", "Shots were fired at the customs house. Claims that ten died are false."),
        (
            "Stabbing at the Bolhão market",
            "There was a stabbing at the Bolhão market. It is untrue that he is at large.",
        ),
        ("Train derailment in Porto", "We confirm a train derailment. Reports that the driver died are false."),
        ("Hostages taken at the bank", "Hostages were taken at the bank. It is untrue that hostages were killed."),
        (
            "Lorry drove into 2 stalls at Bolhão",
            "A lorry drove into 2 stalls at Bolhão. Reports of a second lorry are false.",
        ),
        ("Tornado touched down in Porto", "A tornado touched down in Porto. Posts that a school fell are fake."),
    ],
)
def test_a_denial_of_something_else_takes_nothing_from_what_the_same_report_confirms(told: str, confirmed: str) -> None:
    assert claim(report(told), report(confirmed, OFFICIAL, minutes=5)).verdict == "supported"


def test_an_authority_may_deny_a_rumour_under_another_kind_of_event() -> None:
    rumour = report("Flooding! The Douro dam has burst", event_type="flood")
    denial = report(
        "Our engineers assure that the Douro dam has not burst.", OFFICIAL, minutes=5, event_type="collapse"
    )
    assert claim(rumour, denial).verdict == "refuted"


@pytest.mark.parametrize(
    ("told", "confirmed", "verdict"),
    [
        ("Explosion at the Galp depot", "There has been an explosion at the Galp depot this morning.", "supported"),
        ("Fire at the Galp depot", "Firefighters are battling a blaze at the Galp depot.", "supported"),
        ("Storm and landslide in Porto", "A landslide occurred at dawn.", "insufficient"),
        ("Fire at the Galp depot", "There is a fire at the Repsol depot.", "insufficient"),
        ("Arsonists set the fire at the Galp depot", "There is a fire at the Galp depot.", "insufficient"),
        ("Fire at the Galp depot", "There may be a fire at the Galp depot.", "insufficient"),
        ("Fire at the Galp depot", "The fire station at the Galp depot has a fire drill on Monday.", "insufficient"),
    ],
)
def test_a_plain_report_is_supported_by_an_official_one_of_the_same_event(
    told: str, confirmed: str, verdict: str
) -> None:
    news, official = report(told, "news", event_type="fire"), report(confirmed, OFFICIAL, minutes=5, event_type="fire")
    assert claim(news, official).verdict == verdict


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The bush fire jumped the road after a gas explosion", {"fire", "explosion"}),
        ("The ferry ran aground and is sinking", {"grounding", "sinking"}),
        ("Quake, then a mudslide; the wall gave way", {"quake", "landslide", "collapse"}),
        ("Knife attack near the fire station", {"stabbing"}),
        ("Tornado warning: fire crews on alert", set()),
        ("A ceasefire was signed", set()),
    ],
)
def test_hazards_are_told_from_what_is_named_after_them(text: str, kinds: set[str]) -> None:
    assert hazards(text) == kinds


def test_what_is_taken_for_granted_is_not_told_anew() -> None:
    assert hazards("the fire caused an explosion", told_anew=True) == {"explosion"}


@pytest.mark.parametrize(
    ("told", "official", "verdict"),
    [
        (
            "At least 3 people killed in Porto",
            "The clinic stands. All patients are safe and it stays open.",
            "insufficient",
        ),
        ("At least 3 people killed in Porto", "All passengers are safe.", "insufficient"),
        ("At least 3 people killed in Porto", "No guests were killed.", "insufficient"),
        ("3 passengers killed in Porto", "All passengers are safe.", "refuted"),
        ("3 patients killed in Porto", "No patients were killed.", "refuted"),
        ("At least 3 people killed in Porto", "All people are safe.", "refuted"),
    ],
)
def test_who_counts_none_of_a_group_denies_that_group_alone(told: str, official: str, verdict: str) -> None:
    assert claim(report(told, "news"), report(official, OFFICIAL, minutes=5)).verdict == verdict


@pytest.mark.parametrize(
    ("told", "official", "verdict"),
    [
        ("Magnitude 6.1 earthquake hits Porto", "A magnitude 4.8 aftershock was recorded.", "insufficient"),
        ("An aftershock of magnitude 4.8 shook Porto", "A magnitude 6.1 earthquake struck.", "insufficient"),
        ("A magnitude 4.8 aftershock shook Porto", "A magnitude 4.9 aftershock was recorded.", "supported"),
        ("Magnitude 6.1 earthquake hits Porto", "A magnitude 6.3 earthquake struck; aftershocks follow.", "supported"),
        ("Magnitude 7.4 earthquake hits Porto", "A magnitude 6.3 earthquake struck.", "refuted"),
    ],
)
def test_an_aftershock_is_measured_apart_from_its_quake(told: str, official: str, verdict: str) -> None:
    own, other = report(told, event_type="earthquake"), report(official, OFFICIAL, minutes=5, event_type="earthquake")
    assert claim(own, other).verdict == verdict


@pytest.mark.parametrize(
    ("told", "official", "verdict"),
    [
        ("Explosion heard in Porto, I saw smoke", "The explosion was an industrial accident.", "supported"),
        ("Big explosion at the Lusol works", "The explosion was an industrial accident.", "insufficient"),
        ("Explosion at the Lusol works", "It was an industrial accident with no link to terrorism.", "insufficient"),
        ("The explosion was a terror attack", "The explosion was an industrial accident.", "refuted"),
        ("It was an attack at the Lusol works", "The explosion was an industrial accident.", "refuted"),
        ("The mill fire was arson", "The fire at the mill was caused by an electrical fault.", "refuted"),
        ("There is a fire at the mill", "The fire at the mill was caused by an electrical fault.", "supported"),
        ("Explosion heard in Porto", "There was no explosion; an electrical fault made the noise.", "refuted"),
    ],
)
def test_a_stated_cause_confirms_the_event_and_denies_another_cause_alone(
    told: str, official: str, verdict: str
) -> None:
    own, other = report(told, event_type="explosion"), report(official, OFFICIAL, minutes=5, event_type="explosion")
    assert claim(own, other).verdict == verdict
