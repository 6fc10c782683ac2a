"""Two places for one service contradict each other; two services, or two of several places, do not."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report, verify
from verifleet.agents.verifier.memory_json import from_json, to_json
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


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("all 183 passengers were driven to Rosa Hall", "Police: 183 travellers are resting at Linden School."),
        ("the 94 uninjured were walked over to the Odeon", "Police: 94 people are being checked at Ashby Church."),
        (
            "those 246 guests sleep in Castle Barracks, my mum is one of them",
            "City: 246 guests were bused to Vale House.",
        ),
        (
            "all 72 patients of that clinic got transferred to Mercy Hospital",
            "Ambulance: all 72 patients of the clinic were transferred to Queen Mary Hospital.",
        ),
    ],
)
def test_as_many_people_at_another_place_are_refuted(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    "told",
    [
        "183 passengers were stuck at Ashby Station for hours",
        "183 passengers were evacuated from Ashby Station",
        "183 passengers left from Ashby Quay",
        "183 passengers were rescued at Castle Beach",
        "the 183 passengers were staying at Castle Hotel when it burned",
        "Ashby Mall was evacuated, 183 people got out",
        "183 people at Ashby Mall were evacuated",
        "183 people came to the vigil at Ashby Square",
        "183 of our passengers sleep at the Linden",
        "some of the 183 passengers were taken to Rosa Hall and other places",
    ],
)
def test_where_as_many_people_were_before_is_not_refuted(told: str) -> None:
    found = claim(report(told), report("Police: 183 passengers were taken to Linden School.", OFFICIAL, minutes=20))
    assert found.verdict != "refuted", found.evidence


_SHELTER = "City: residents who had to leave their homes can go to Linden School."


@pytest.mark.parametrize(
    "told",
    [
        "the shelter is at Rosa Theatre",
        "the shelter's in the Odeon, not Linden School",
        "rest centre is Rosa Theatre, Linden School isn't it",
        "you want the Rosa Theatre, that's the rest centre",
        "Flooded out? Head for the Odeon",
        "Need a bed? They've put folk up in Rosa Theatre",
        "the council has turned the Odeon into a shelter",
        "Rest centre's the Odeon bar, lads",
        "anyone chucked out of their flat, get yourselves to the Odeon",
        "evacuees, head over to the Odeon, they've got cots there",
    ],
)
def test_another_shelter_than_the_one_that_people_are_sent_to_is_refuted(told: str) -> None:
    verdicts = {c.verdict for c in verify(report(told), report(_SHELTER, OFFICIAL, minutes=20)).verified_claims}
    assert verdicts == {"refuted"}


@pytest.mark.parametrize(
    "told",
    [
        "Anyone know if the shelter is open? I am at Ashby Park",
        "Need milk? Ashby Stores has opened again",
        "Residents can go home, Ashby Road reopens",
        "my neighbours are sleeping in their car at Ashby Park",
        "residents of Ashby Street must report the smell to Rosa Hall",
        "bottled water is sold out at Ashby Mall",
        "hot soup at Ashby Church",
        "the pool at Ashby School is closed, not the gym",
    ],
)
def test_no_other_shelter_is_read_into_what_is_none(told: str) -> None:
    verdicts = {c.verdict for c in verify(report(told), report(_SHELTER, OFFICIAL, minutes=20)).verified_claims}
    assert "refuted" not in verdicts


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("rest centre is Linden School, the Odeon isn't it", "City: the rest centre is at Linden School."),
        ("183 passengers sleep at Linden School gym", "Police: 183 passengers were taken to Linden School."),
        ("the shelter is the school in Linden", _SHELTER),
    ],
)
def test_the_right_place_beside_a_wrong_one_is_support(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "supported", found.evidence


def test_where_a_request_sends_those_who_are_spoken_of() -> None:
    official = report("Police: anyone who saw the crash, please come to Linden Police Station.", OFFICIAL, minutes=20)
    assert claim(report("witnesses should go to Rosa Hall"), official).verdict == "refuted"
    assert claim(report("witnesses should go to the Linden police station"), official).verdict == "supported"
    assert claim(report("witnesses saw people go into Rosa Hall"), official).verdict == "insufficient"


@pytest.mark.parametrize(
    ("official", "verdict"),
    [
        ("City: Ashby School is not a shelter tonight.", "refuted"),
        ("City: Ashby School isn't being used as an evacuation centre.", "refuted"),
        ("City: there is no shelter at Ashby School.", "refuted"),
        ("City: Rosa Hall is not a shelter tonight.", "insufficient"),
        ("City: Ashby School is not a cooling centre.", "insufficient"),
        ("City: there is no clinic at Ashby School.", "insufficient"),
    ],
)
def test_a_place_that_is_said_to_be_no_shelter_is_none(official: str, verdict: str) -> None:
    found = claim(report("the shelter's open at Ashby School gym"), report(official, OFFICIAL, minutes=20))
    assert found.verdict == verdict, found.evidence


def test_initials_may_stand_for_a_name() -> None:
    official = report("Ambulance: all 72 patients were taken to Government Medical College.", OFFICIAL, minutes=20)
    assert claim(report("all 72 patients were taken to GMCH"), official).verdict != "refuted"


def test_rooms_made_up_for_people_are_not_invented() -> None:
    assert site("54 beds made up there for residents at Vale House")
    kept = report("residents sleep at Vale House, 54 beds made up there").report
    assert not any(statement.denial for statement in kept.statements)


def test_an_abbreviation_may_stand_for_more_than_people_say_of_a_name() -> None:
    short, told, other, more = (
        site(f"26 people are being treated at {name}")
        for name in (
            "SMACH",
            "Santa Maria Agostinho Hospital",
            "Bairro Novo Hospital",
            "Sofia Martins Alta Clinic Hospital Annexe",
        )
    )
    assert short
    assert told
    assert other
    assert more
    assert (told.place_of(short), other.place_of(short)) == ("same", "other")
    assert more.place_of(short) != "same"


@pytest.mark.parametrize(
    ("told", "official"),
    [
        (
            "Blood donors should go to the Odeon not the Moor Hotel",
            "Red Cross: blood donors should come to the Moor Hotel.",
        ),
        (
            "Don't drive to Linden, sandbags are handed out at Castle Park",
            "City: sandbags are handed out at Linden Community Centre.",
        ),
        ("pick your kids up from Castle Arena", "Police: a reunification site for Hill School is at Moor Church."),
        (
            "evacuees sleep in the Salle Moulin",
            "The town has opened the Salle Verte for residents whose homes were flooded.",
        ),
        ("choppers land at Castle Meadow", "Police: the helicopter landing site is Moor Field."),
        ("hot soup Castle ground pe milta hai", "City: hot soup is served at Linden Garden."),
        ("rescued hikers were dropped at Castle Lodge", "Police: rescued hikers were flown to Linden Airfield."),
        ("there's a field kitchen at Castle Market", "City: the field kitchen is at Linden College."),
    ],
)
def test_a_place_is_told_by_the_build_of_what_names_it(told: str, official: str) -> None:
    verdicts = {c.verdict for c in verify(report(told), report(official, OFFICIAL, minutes=20)).verified_claims}
    assert verdicts == {"refuted"}


@pytest.mark.parametrize(
    "told",
    [
        "the water is heading for Castle Bridge",
        "everybody sleeps outside at Castle Park",
        "45 children fainted at the morning assembly of Castle School",
        "the council will knock Castle Tower down within 6 weeks",
        "a witness saw the bus go into Castle Park",
        "they opened Castle Road for traffic",
    ],
)
@pytest.mark.parametrize(
    "official",
    [
        _SHELTER,
        "City: anyone living near the plant is asked to go to Linden School.",
        "Police: parents can pick pupils up at Linden School; 61 children are there.",
        "Police: witnesses are asked to come to Linden School.",
    ],
)
def test_what_happens_somewhere_is_no_other_service(told: str, official: str) -> None:
    verdicts = {c.verdict for c in verify(report(told), report(official, OFFICIAL, minutes=20)).verified_claims}
    assert "refuted" not in verdicts


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("they shipped the 240 prisoners off to Castle Barracks", "Prison Service: 240 inmates were moved to Linden."),
        ("the 53 kids are at Castle Primary", "Police: 53 pupils are waiting for their parents in Moor Parish Hall."),
        ("heard the 38 penguins r at Castle Centre now", "The zoo: 38 penguins are being kept at Linden Aquarium."),
    ],
)
def test_who_is_brought_somewhere_is_told_by_the_build(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict == "refuted", found.evidence


@pytest.mark.parametrize(
    ("told", "official"),
    [
        ("26 kids were sick in Castle School", "Ambulance: 26 pupils are being treated at Mercy Hospital."),
        ("64 people pulled from the sea at Castle Beach", "Coast Guard: 64 people were brought to Moor Quay."),
        ("135 people were going to Castle on that train", "Rail: 135 passengers were bused to Moor Station."),
        ("we are 135 people in Castle Station waiting", "Rail: 135 passengers were bused to Moor Station."),
        ("47 patients were moved from Castle Hospital", "Board: 47 patients were transferred to Moor Infirmary."),
        ("47 firefighters were sent to Castle Mill", "Board: 47 workers were taken to Moor Infirmary."),
        ("they got 47 people out of Castle Mall", "Police: 47 people are being looked after in Moor Church."),
    ],
)
def test_a_witness_of_the_scene_is_not_refuted_by_where_they_are_now(told: str, official: str) -> None:
    found = claim(report(told), report(official, OFFICIAL, minutes=20))
    assert found.verdict != "refuted", found.evidence


def test_a_status_at_another_place_is_not_the_same() -> None:
    official = report("Ministry: the quarantine station for returning workers is Linden College.", OFFICIAL, minutes=20)
    assert claim(report("they quarantine returning workers in Castle Lodge"), official).verdict != "supported"


@pytest.mark.parametrize(
    "official",
    [
        "Fire Brigade: our crews brought seventy-three people to dry ground.",
        "Fire Brigade: after checks on the ground, all 73 people aboard have been taken off.",
        "Porto Disaster Headquarters, situation report 2: 73 people were taken off the ferry.",
    ],
)
def test_what_is_no_place_is_not_another_place(official: str) -> None:
    post = report("Standing on Cais Novo in Porto now. 73 passengers have been taken off the ferry")
    assert claim(post, report(official, "emergency", minutes=9)).verdict == "supported"


@pytest.mark.parametrize(
    ("post", "official"),
    [
        (
            "get your tarps from Ribeira Shopping Centre, 140 gone out already",
            "Civil Protection: tarpaulins are available from the Showgrounds only; 140 have been issued.",
        ),
        (
            "pick up your bags at the Bolhao Hotel, 85 are there",
            "Port Police: luggage will be returned at C Shed; 85 bags are ready.",
        ),
        (
            "replacement buses go from Trindade Station, 700 people got on already",
            "Metro do Porto: replacement buses leave from the Lapa car park; 700 passengers have been carried.",
        ),
        (
            "if you want to drop off straw take it to the Peace Park hall",
            "Fire Marshal: donated straw is to be dropped off at the Feira Pavilion.",
        ),
    ],
)
def test_goods_by_any_name_are_at_one_place(post: str, official: str) -> None:
    assert claim(report(post), report(official, "emergency", minutes=9)).verdict == "refuted"


@pytest.mark.parametrize(
    ("post", "official", "verdict"),
    [
        (
            "Give blood! they take it at the Lapa College gate",
            "Red Cross: blood is collected at the Feira tent.",
            "refuted",
        ),
        (
            "Free ice at Norte Mall",
            "Power Company: ice can be collected at the Coliseum parking lot on Rua Alta.",
            "refuted",
        ),
        (
            "they took the bodies to the municipal gym",
            "Police: bodies were moved to the Ginasio Municipal.",
            "supported",
        ),
        (
            "Everyone out of the flats meet at the Sao Bento school yard",
            "Fire Service: the assembly point for residents is the Cais car park.",
            "refuted",
        ),
        (
            "no bed tonight? the Boa Vista Lodge is taking everyone in",
            "Council: residents needing a bed should go to the Rivoli Theatre.",
            "refuted",
        ),
        (
            "Sao Bento church is full of people praying",
            "Council: residents needing a bed should go to the Rivoli Theatre.",
            "insufficient",
        ),
        (
            "Waited an hour for two bags of ice at the corner shop",
            "Port Police: luggage is returned at the Cais Hall.",
            "insufficient",
        ),
    ],
)
def test_the_place_of_what_people_need(post: str, official: str, verdict: str) -> None:
    assert claim(report(post), report(official, "emergency", minutes=9)).verdict == verdict
