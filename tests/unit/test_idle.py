"""What is said beside the claims of a post does not count as a claim."""

from __future__ import annotations

import pytest

from tests.unit.reports import event, report, verify
from verifleet.agents.verifier.claims import extract_claims
from verifleet.agents.verifier.events import prepare

CLAIM = "48 people were injured by the storm"


def told(text: str, source: str = "twitter") -> list[str]:
    return [claim.text for claim in extract_claims(text, source=source)]


@pytest.mark.parametrize(
    "beside",
    [
        "Vila Nova",
        "Poor Porto",
        "Just cycled past Rua Direita.",
        "My aunt works near the station.",
        "We live three streets away.",
        "I am on Rua Direita",
        "Rua Direita is sheer madness",
        "Porto people stay inside",
        "Porto get out NOW",
        "They are hiding the truth from us.",
        "Do not trust the radio",
        "It is far worse than they admit",
        "FORTY EIGHT.",
        "Anyone here from Gaia?",
        "Share this please",
        "Anyone got a spare lamp lol",
        "My cousin volunteers near Avenida 24.",
        "A friend at the clinic told me.",
    ],
)
def test_names_places_of_the_author_calls_and_blame_are_no_claims_beside_a_claim(beside: str) -> None:
    assert told(f"{CLAIM}. {beside}") == [f"{CLAIM}."]


@pytest.mark.parametrize(
    "beside",
    ["The bridge has collapsed", "The tunnel is closed", "12 homes burnt down", "We are without power on Rua Direita"],
)
def test_a_second_statement_stays_a_claim(beside: str) -> None:
    assert len(told(f"{CLAIM}. {beside}")) == 2


def test_what_is_all_that_a_post_says_is_kept() -> None:
    assert prepare(event("Rua Direita is sheer chaos since the storm")).claims


def test_a_name_that_closes_a_post_is_not_what_it_claims() -> None:
    post = prepare(event("A goat on the wire at Happy Mill did it, my uncle works there. Porto blackout"))
    assert [claim.text for claim in post.claims] == ["A goat on the wire at Happy Mill did it, my uncle works there."]


def test_an_authority_keeps_all_its_statements() -> None:
    assert len(told(f"{CLAIM}. Harbour Road is closed.", "official")) == 2


def test_question_marks_that_cry_ask_nothing() -> None:
    assert told("Omg, 310 people injured in Porto?? it is far worse than they say") == [
        "Omg, 310 people injured in Porto??"
    ]
    assert told("Are 310 people injured in Porto??") == []


@pytest.mark.parametrize(
    "text",
    [
        "Relatives who search for somebody should go to Santa Marta Hospital, that is where the injured were taken",
        "PUPILS: reunification is at the Lutheran parking lot, come there to fetch your kids",
        "Help desk for families of the ferry is at Camões ground, kindly ask there",
        "Do NOT bathe in the canal, the diesel got in the water",
    ],
)
def test_advice_that_says_where_or_why_is_a_claim(text: str) -> None:
    assert prepare(event(text)).claims


def test_of_advice_and_its_reason_the_reason_is_the_claim() -> None:
    assert told("Keep your windows shut in Porto, the tank farm is on fire") == ["the tank farm is on fire"]


@pytest.mark.parametrize(
    "text",
    [
        "Sad news, the oldest cedar in Porto came down on the bandstand",
        "My cousin says they sold 90 tickets too many for that Porto boat",
        "Porto council to give a month of rent to each family in the tragedy",
    ],
)
def test_a_plain_statement_about_a_place_is_a_claim_whatever_is_felt_about_it(text: str) -> None:
    assert prepare(event(text)).claims


@pytest.mark.parametrize(
    "text",
    ["So sad for Porto", "Stay safe Porto", "Buy our storm lamps in Porto, 20% off", "Win 2 tickets, click here"],
)
def test_feelings_wishes_and_adverts_are_still_none(text: str) -> None:
    assert not prepare(event(text)).claims


def test_a_confirmed_post_is_not_pulled_down_by_where_its_author_stands() -> None:
    official = report("Fire Service: 48 people were injured in Porto.", "emergency", minutes=9)
    plain = verify(report("48 people injured by the storm in Porto"), official).reliability_score
    assert (
        verify(report("Just walked past the mill. 48 people injured by the storm in Porto"), official).reliability_score
        == plain
    )


@pytest.mark.parametrize(
    "post",
    [
        "Our thoughts are with the families in Porto",
        "Thinking of everybody in Porto this evening, take care of one another",
        "God bless our nurses",
        "Hug your children tonight",
        "Humbled by all the volunteers in Porto",
        "Anyone know a good roofer in Porto",
    ],
)
def test_a_post_that_is_nothing_but_a_wish_makes_no_claim(post: str) -> None:
    assert report(post).claims == ()


@pytest.mark.parametrize(
    "told",
    [
        "Nearly thirty dinghies at the bottom of the basin, heartbreaking",
        "The gap in the wall is about 40 feet wide now, I'm staring right at it. Porto",
    ],
)
def test_a_count_is_a_claim_though_its_teller_says_how_he_feels(told: str) -> None:
    [found] = verify(report(told)).verified_claims
    assert found.claim.quantities


def test_what_counts_nothing_is_no_claim_for_its_comment() -> None:
    assert not verify(report("Sleepless night for all of us again, heartbreaking")).verified_claims
