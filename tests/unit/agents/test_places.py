"""Places of one name in two states or countries."""

from __future__ import annotations

import pytest

from tests.unit.reports import NOW, claim, report
from verifleet.agents.ingest.event import normalise
from verifleet.agents.memory.keys import same_place
from verifleet.envelopes import RawEventData
from verifleet.reading.gazetteer import located
from verifleet.reading.gazetteer import names_in as places
from verifleet.reading.places import places_of, spots_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Richmond, Virginia", "Richmond, California"),
        ("Richmond VA", "Richmond, British Columbia"),
        ("Perth, Scotland", "Perth, Western Australia"),
        ("High Street, Lincoln, England", "High Street, Lincoln, Nebraska"),
        ("Athens, Georgia", "Athens, Greece"),
        ("Cambridge, UK", "Cambridge, MA"),
        ("Santa Cruz, Manila", "Santa Cruz, California"),
    ],
)
def test_two_towns_of_one_name_are_two_places(one: str, other: str) -> None:
    assert not same_place(places(one), places(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Richmond", "Richmond, Virginia"),
        ("Richmond, VA", "Richmond, Virginia, USA"),
        ("Bergen, Norway", "Bergen, NO"),
        ("York, UK", "York, North Yorkshire"),
        ("York, Yorkshire", "York, England"),
        ("Bergen, Vestland", "Bergen, Norway"),
        ("Batumi, Georgia", "Batumi"),
    ],
)
def test_a_place_told_by_regions_of_two_levels_or_without_one_is_one_place(one: str, other: str) -> None:
    assert same_place(places(one), places(other))


def test_a_namesake_in_a_town_that_is_not_known_may_lie_anywhere() -> None:
    assert located(places("Santa Ana, Guaymallén")) == ()
    assert [spot.country for spot in located(places("Chelsea, London"))] == ["GB"]
    assert located(places("Leeds, Roundhay"))[0].country == "GB"


def test_what_is_told_of_a_namesake_is_no_evidence() -> None:
    news = report("Nine people died in the mill fire in Salem", "news", location="Salem, Oregon", event_type="fire")
    away = report(
        "Salem Fire Department: nobody died in the mill fire",
        "emergency",
        location="Salem, Massachusetts",
        event_type="fire",
        minutes=30,
    )
    assert claim(news, away).verdict == "insufficient"


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("Warehouse ablaze in Portland, Maine, smoke over the harbour", "Portland, Maine"),
        ("Warehouse ablaze in Portland, ME: three hurt", "Portland, ME"),
        ("Warehouse ablaze in Portland (Oregon)", "Portland, Oregon"),
        ("Warehouse ablaze in Portland, or is it only smoke", "Portland"),
        ("WAREHOUSE ABLAZE IN PORTLAND, OR IS IT SMOKE", "PORTLAND"),
        ("Warehouse ablaze in Portland, Jordan told us", "Portland"),
    ],
)
def test_the_region_behind_a_town_in_the_text_is_kept(text: str, location: str) -> None:
    raw = RawEventData.model_validate({"source": "twitter", "content": text})
    assert normalise(raw, session_id="s", now=NOW).location == location


@pytest.mark.parametrize(
    ("text", "name", "country"),
    [
        ("Mill on fire in West, Texas: many hurt", "West", "US"),
        ("Heavy shaking at San Marcos after the quake in Guatemala", "San Marcos", "GT"),
        ("Floods in Richmond, the rest of Virginia is dry", "Richmond", "US"),
        ("Paris: attackers were no US citizens", "Paris", "FR"),
        ("Volunteers are needed in Mission #yycflood", "Mission", "CA"),
        ("#nswfires close to the town", "New South Wales", "AU"),
        ("Runway closed after shots at LAX", "Los Angeles", "US"),
        ("Bundaberg hospital is cleared #qldfloods", "Bundaberg", "AU"),
        ("Have you seen it? #RussianMeteor", "Russia", "RU"),
        ("#terremoto Ml:2.9 Prov=MANTOVA,MODENA", "Modena", "IT"),
        ("Two shot in Atlanta, Georgia", "Atlanta", "US"),
        ("Tornado hits Georgia and Alabama", "Georgia", "US"),
        ("Flood in Georgia, Tbilisi zoo is empty", "Tbilisi", "GE"),
        ("Bus fire near Brazzaville, Congo", "Brazzaville", "CG"),
        ("Fire in Pyongyang, Korea", "Pyongyang", "KP"),
        ("Ferry sinks off Korea", "South Korea", "KR"),
        ("Train derails close to #Santiago de Compostela", "Santiago de Compostela", "ES"),
    ],
)
def test_a_name_means_the_place_that_its_region_its_company_or_a_hashtag_tell(
    text: str, name: str, country: str
) -> None:
    first = spots_of(places_of(text))[0]
    assert (first.name, first.country) == (name, country)


@pytest.mark.parametrize(
    "text",
    [
        "Heading west after the fire",
        "Cleaned up, says the Boston Herald",
        "Hurt: Georgia Miller",
        "Winds from the South Ridge",
        "Fight THE fire",
        "Felt in West and nel Nord",
        "#the #westexplosion",
        "#SGHail",
    ],
)
def test_compass_words_papers_people_and_letters_of_plain_words_are_no_places(text: str) -> None:
    assert spots_of(places_of(text)) == ()


@pytest.mark.parametrize(
    ("text", "name", "country"),
    [
        ("Explosion in Toledo, Spain injures three", "Toledo", "ES"),
        ("Floods in Ghent: the old bridge is closed", "Ghent", "BE"),
        ("Flooding in Łódź, two streets under water", "Łódź", "PL"),
        ("Floods in London, France and Italy", "London", "GB"),
    ],
)
def test_a_town_lies_in_the_country_told_behind_it_and_is_found_by_its_english_name(
    text: str, name: str, country: str
) -> None:
    place = places_of(text)[0]
    assert (place.name, place.spot and place.spot.country) == (name, country)


def test_a_code_of_two_letters_behind_a_town_names_no_country_that_has_no_such_town() -> None:
    (place, *_) = places_of("Incêndio em Santa Maria, RS, deixa mortos")
    assert (place.location, place.spot and place.spot.country) == ("Santa Maria", "BR")
