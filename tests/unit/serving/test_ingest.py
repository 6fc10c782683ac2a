"""Ingest: from a raw report to an event."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from verifleet.agents.ingest import cap
from verifleet.agents.ingest.event import MAX_CONTENT, normalise, raw_envelopes
from verifleet.agents.ingest.sources import read_source_rules, source_class
from verifleet.envelopes import EVENT_TYPES, EventData, RawEventData, make_envelope, parse_envelope
from verifleet.errors import ShapeError
from verifleet.reading.hazards import event_type
from verifleet.reading.legible import clean
from verifleet.reading.places import places_of
from verifleet.serving.delivery import Output
from verifleet.serving.ingest import IngestAgent
from verifleet.storage.sqlite import SqliteStore

NOW = datetime(2026, 5, 24, 12, 0, tzinfo=UTC)


def event(content: str, **fields: object) -> EventData:
    return normalise(RawEventData.model_validate({"content": content, **fields}), session_id="s", now=NOW)


# --- text ---


def test_cleaning_keeps_every_script_and_drops_what_can_not_be_seen() -> None:
    assert clean("a\x00b\u200b\u202ec  d\r\n\r\n e &amp; f \ud800") == "abc d\ne & f"
    assert clean("مياه الفيضانات  तूफ़ान 👩\u200d🚒") == "مياه الفيضانات तूफ़ान 👩\u200d🚒"
    assert clean("e" + "\u0301" * 50) == "é" + "\u0301" * 4
    assert clean("&#0;&bogus;&lt;b&gt;") == "\ufffd&bogus;<b>"


# --- place ---


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Quake in Modena, people in the streets", "Modena"),
        ("Smoke near Peoria Avenue in Tulsa", "Tulsa"),
        ("Bridge on Florida Road, Durban is closed", "Durban"),
        ("#CalgaryFlood downtown is under water", "Calgary"),
        ("#prayforboston", "Boston"),
        ("Reading about the fire in Santiago de Compostela", "Santiago de Compostela"),
        ("Flooding across Queensland, Australia", "Queensland, Australia"),
        ("Typhoon hits the Philippines", "Philippines"),
        ("Crowds outside Kirkstall Arena", "Kirkstall Arena"),
        ("Have a nice day, this is mobile reading of orange", None),
        ("There we met President Lincoln and Jordan Smith with a friend", None),
        ("More in The Denver Post", None),
        ("A Man Who Fell Died After The Earthquake, Said Costa Rican President", "Costa Rica"),
        ("", None),
    ],
)
def test_the_location_is_the_most_telling_place(text: str, place: str | None) -> None:
    assert next((found.location for found in places_of(text)), None) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Nine hurt in Fairview Mall blast, Dayton. Pass this on before it is gone", "Dayton"),
        ("Shots at Linden Park, Grace is safe", "Linden Park"),
        ("Crash on Quay Street, Green car on its roof", "Quay Street"),
    ],
)
def test_a_town_behind_a_comma_after_the_venue_is_the_place(text: str, place: str) -> None:
    assert next((found.location for found in places_of(text)), None) == place


def test_a_given_location_wins_over_the_text() -> None:
    assert event("Fire in Tulsa", location=" Boise,  Idaho ").location == "Boise, Idaho"
    assert event("Fire in Tulsa", location=" \x00 ").location == "Tulsa"


def test_places_know_their_kind_country_and_span() -> None:
    text = "Fire on Colon Street in Cebu City, Philippines"
    found = {place.name: (place.level, place.spot and place.spot.country) for place in places_of(text)}
    assert found == {
        "Colon Street": ("street", None),
        "Cebu City": ("city", "PH"),
        "Philippines": ("country", "PH"),
    }
    assert all(text[slice(*place.span)] == place.name for place in places_of(text))


# --- type ---


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Magnitude 6.1 quake brings down a building near Modena", "earthquake"),
        ("Terremoto de 7,4 grados sacude Guatemala", "earthquake"),
        ("Typhoon floods three provinces as it makes landfall", "storm"),
        ("River bursts its banks, streets flooded", "flood"),
        ("Alluvione in Sardegna", "flood"),
        ("Crews battle blaze in a warehouse", "fire"),
        ("Fertilizer plant explosion levels homes", "explosion"),
        ("Bomb explodes near the parade, suspect at large", "attack"),
        ("Gunman opens fire at the airport", "attack"),
        ("Freight train derails and burns", "transport"),
        ("Eight-storey building collapses on garment workers", "collapse"),
        ("#sghaze PSI rises to 401", "airquality"),
        ("Volcano erupts, villages evacuated", "other"),
        ("Residents evacuated, two people missing", "other"),
        ("Happy birthday to my best friend", "none"),
        ("", "none"),
    ],
)
def test_event_types(text: str, kind: str) -> None:
    assert event_type(text) == kind


def test_a_declared_type_helps_where_the_text_names_none() -> None:
    assert event("Bridge is closed", event_type="train_crash").event_type == "transport"
    assert event("The river is flooding Main Street", event_type="train_crash").event_type == "flood"


# --- entities ---


def test_entities_are_found_with_their_kinds() -> None:
    text = (
        "Mayor Anna Berger said 12 people were hurt when a bus hit the wall near Central Station at 14:30. "
        "The Civil Protection Agency and FEMA sent help to Graz."
    )
    found = {(e["kind"], e["text"]) for e in event(text).metadata.entities}
    assert {
        ("place", "Central Station"),
        ("place", "Graz"),
        ("organisation", "Civil Protection Agency"),
        ("organisation", "FEMA"),
    } <= found


# --- source ---


def test_sources_by_other_names_are_known() -> None:
    assert [source_class(name) for name in ("Tweet", "Facebook", "911", "gauge", "RSS", "gov", "?")] == [
        "twitter",
        "social",
        "emergency",
        "sensor",
        "news",
        "official",
        "other",
    ]


def test_rules_decide_by_author_pattern_and_domain_before_the_declared_source() -> None:
    rules = read_source_rules(
        {
            "rules": [
                {"source": "emergency", "authors": ["@LAFD"], "author_pattern": "^fire[_ ]dept"},
                {"source": "official", "domains": ["example.gov"]},
            ]
        }
    )
    assert rules.decide("twitter", "@lafd") == "emergency"
    assert rules.decide("twitter", "Fire Dept Boise") == "emergency"
    assert rules.decide("news", "https://water.example.gov/x") == "official"
    assert rules.decide("news", "notexample.gov") == "news"
    assert rules.decide("official", "anybody") == "official"


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ([], "(body)"),
        ({"rule": []}, "rule"),
        ({"trust_declared": "yes"}, "trust_declared"),
        ({"rules": [{"source": "news", "author_pattern": "("}]}, "rules.0.author_pattern"),
        ({"rules": [{"source": "news"}, {"source": "x"}]}, "rules.1.source"),
        ({"rules": [{"source": "news", "domains": "x.org"}]}, "rules.0.domains"),
    ],
)
def test_wrong_source_rules_are_refused_by_field(document: object, path: str) -> None:
    with pytest.raises(ShapeError) as refused:
        read_source_rules(document)
    assert refused.value.fields[0].path == path


# --- the event ---


def test_the_id_follows_from_session_source_author_and_text() -> None:
    raw = RawEventData.model_validate({"source": "news", "content": "Flood  in Boise", "metadata": {"author": "Ana"}})
    same = RawEventData.model_validate({"source": "news", "content": "Flood in Boise ", "metadata": {"author": "ana"}})
    ids = [normalise(r, session_id=s, now=NOW).event_id for r, s in ((raw, "s"), (same, "s"), (raw, "t"))]
    assert ids[0] == ids[1] != ids[2]
    assert uuid.UUID(ids[0]).version == 5


def test_readings_of_a_sensor_differ_by_their_time() -> None:
    readings = [event("level 3 m", source="sensor", timestamp=NOW - timedelta(hours=h)).event_id for h in (1, 2, 1)]
    assert readings[0] == readings[2] != readings[1]


@pytest.mark.parametrize("moment", ["2199-01-01T00:00:00Z", "1970-01-01T00:00:07Z"])
def test_a_date_that_can_not_be_is_kept_aside(moment: str) -> None:
    made = event("Fire in Tulsa", timestamp=moment)
    assert made.timestamp == NOW
    assert made.metadata.model_dump()["reported_timestamp"][:4] == moment[:4]


def test_unknown_fields_and_metadata_are_kept() -> None:
    made = event("Fire in Tulsa", metadata={"author": "a", "followers": 5, "colour": "red"}, extra_field=[1])
    plain = made.model_dump()
    assert (plain["extra_field"], plain["metadata"]["colour"], plain["metadata"]["followers"]) == ([1], "red", 5)


def test_a_very_long_report_is_cut_and_says_so() -> None:
    made = event("The river rose. " * 100_000)
    assert len(made.content) <= MAX_CONTENT
    assert made.metadata.model_dump()["content_cut_from"] == 1_600_000


@given(st.text(max_size=300), st.text(max_size=30), st.one_of(st.none(), st.text(max_size=30)))
@example("Fire in Boston", "news", None)
def test_any_text_becomes_an_event_that_fits_the_contract(content: str, source: str, location: str | None) -> None:
    made = event(content, source=source, location=location)
    assert made.event_type in EVENT_TYPES
    assert EventData.model_validate(json.loads(json.dumps(made.model_dump(mode="json")))) == made


# --- what comes in ---


def test_what_comes_in_is_made_an_envelope() -> None:
    received = [{"content": "a", "session_id": "mine"}, "b", {"schema": "raw_event_v1", "anything": 1}]
    first, second, third = raw_envelopes(received, session_id="default", now=NOW)
    assert parse_envelope(first).session_id == "mine"
    assert parse_envelope(second).session_id == "default"
    assert third == received[2]
    for wrong in (5, None, [[]], [{"content": "x"}, True]):
        with pytest.raises(ShapeError):
            raw_envelopes(wrong, session_id="default", now=NOW)


def alert(inside: str = "", sender: str = "<sender>s</sender>", sent: str = "2026-05-24T10:00:00+02:00") -> str:
    return (
        '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>i</identifier>'
        f"{sender}<sent>{sent}</sent><status>Actual</status><msgType>Alert</msgType>{inside}</alert>"
    )


INFO = (
    "<info><language>{}</language><event>Flood</event><headline>{}</headline>"
    "<area><areaDesc>{}</areaDesc></area></info>"
)


def test_an_alert_in_several_languages_is_taken_once() -> None:
    text = alert(INFO.format("de-AT", "Hochwasser", "Graz") + INFO.format("en", "Flood warning", "Graz; Leoben"))
    (raw,) = cap.parse_alerts(f"<feed><entry>{text}</entry></feed>")
    assert (raw.content, raw.location, raw.source) == ("Flood warning", "Graz; Leoben", "emergency")
    assert raw.timestamp == datetime(2026, 5, 24, 8, 0, tzinfo=UTC)


def test_an_alert_about_two_things_is_two_reports_and_one_thing_in_two_areas_is_one() -> None:
    text = alert(
        INFO.format("en-CA", "Severe thunderstorm", "Laval")
        + INFO.format("fr-CA", "Orage violent", "Laval")
        + INFO.format("en-CA", "Flash flood", "Longueuil")
        + INFO.format("en-CA", "Severe thunderstorm", "Brossard")
    )
    found = {raw.content: raw.location for raw in cap.parse_alerts(text)}
    assert found == {"Severe thunderstorm": "Laval; Brossard", "Flash flood": "Longueuil"}


def test_what_an_alert_says_in_codes_is_kept() -> None:
    code = "<geocode><valueName>SAME</valueName><value>006109</value></geocode>"
    wind = "<parameter><valueName>windGust</valueName><value>90</value></parameter>"
    info = INFO.format("en", "Storm warning", "Laval").replace("</area>", f"{code}</area>{wind}")
    (raw,) = cap.parse_alerts(alert(info))
    assert raw.metadata is not None
    details = raw.metadata.model_dump()["cap"]
    assert (details["geocodes"], details["parameters"]) == ({"SAME": ["006109"]}, {"windGust": ["90"]})


def test_alerts_inside_an_envelope_are_all_taken() -> None:
    several = "".join(alert(INFO.format("en", f"Flood {index}", "Graz")) for index in range(3))
    assert len(cap.parse_alerts(f"<EDXLDistribution>{several}</EDXLDistribution>".encode())) == 3


def test_an_exercise_is_no_incident() -> None:
    text = alert(INFO.format("en", "Flood warning", "Graz")).replace("Actual", "Exercise")
    (raw,) = cap.parse_alerts(text)
    assert normalise(raw, session_id="s", now=NOW).event_type == "none"


def test_headline_and_description_of_an_alert_are_sentences_of_their_own() -> None:
    told = "<description>The river is rising fast and people in low-lying\nstreets are asked to leave.</description>"
    info = INFO.format("en", "Flood warning for the Wharfe at Otley", "Otley").replace("<area>", f"{told}<area>")
    (raw,) = cap.parse_alerts(alert(info))
    assert raw.content == (
        "Flood warning for the Wharfe at Otley.\n"
        "The river is rising fast and people in low-lying streets are asked to leave."
    )
    places = [e["text"] for e in normalise(raw, session_id="s", now=NOW).metadata.entities if e["kind"] == "place"]
    assert places == ["Otley"]


def test_the_items_of_a_list_in_an_alert_stay_apart() -> None:
    told = "<description>* WHAT...Flooding caused by excessive rainfall is expected\n* WHERE...Tulsa</description>"
    (raw,) = cap.parse_alerts(alert(INFO.format("en", "Flood watch", "Tulsa").replace("<area>", f"{told}<area>")))
    assert raw.content.count("\n") == 2


def test_no_name_reaches_into_the_next_line() -> None:
    event = normalise(RawEventData(content="Two hurt near Wetherdale Mill\nThe road is shut"), session_id="s", now=NOW)
    assert event.location == "Wetherdale Mill"


@pytest.mark.parametrize(
    "told",
    [
        "The message was issued by mistake. All gates of the weir are working.",
        "The weir is intact. Nobody is missing.",
        "There is no danger to people in Graz.",
        "No flooding was observed.",
    ],
)
def test_a_cancelled_alert_keeps_what_takes_it_back(told: str) -> None:
    info = INFO.format("en", "Flood warning", "Graz").replace("<area>", f"<description>{told}</description><area>")
    (raw,) = cap.parse_alerts(alert(info).replace(">Alert<", ">Cancel<"))
    assert raw.content == f"Cancelled: Flood warning.\n{told}"


def test_a_cancelled_alert_that_tells_an_end_itself_is_not_called_cancelled() -> None:
    info = INFO.format("en", "Evacuation order lifted", "Graz")
    assert cap.parse_alerts(alert(info).replace(">Alert<", ">Cancel<"))[0].content == "Evacuation order lifted"


def test_what_a_cancelled_alert_repeats_is_kept_beside_its_content() -> None:
    told = "<description>The Mur is above its banks.</description>"
    info = INFO.format("en", "Flood warning", "Graz").replace("<area>", f"{told}<area>")
    (raw,) = cap.parse_alerts(alert(info).replace(">Alert<", ">Cancel<"))
    assert raw.metadata is not None
    assert raw.metadata.model_dump()["cap"]["description"] == "The Mur is above its banks."


def test_a_cancelled_alert_says_so_first() -> None:
    text = alert(INFO.format("en", "Flood warning", "Graz")).replace(">Alert<", ">Cancel<")
    assert cap.parse_alerts(text)[0].content == "Cancelled: Flood warning"


@pytest.mark.parametrize(
    ("told", "content"),
    [
        ("The Mur is above its banks. Move to higher ground.", "Cancelled: Flood warning"),
        (
            "The Mur is falling. The flood warning has been lifted.",
            "Cancelled: Flood warning.\nThe Mur is falling. The flood warning has been lifted.",
        ),
    ],
)
def test_a_cancelled_alert_repeats_nothing_of_what_it_cancels(told: str, content: str) -> None:
    info = INFO.format("en", "Flood warning", "Graz").replace("<area>", f"<description>{told}</description><area>")
    assert cap.parse_alerts(alert(info).replace(">Alert<", ">Cancel<"))[0].content == content


def test_an_alert_called_an_error_takes_back_what_it_names_like_a_cancelled_one() -> None:
    text = alert(INFO.format("en", "Leave Graz at once", "Graz")).replace(">Alert<", ">Error<")
    assert cap.parse_alerts(text)[0].content == "Cancelled: Leave Graz at once"


@pytest.mark.parametrize("info", ["", INFO.format("en", "Flood warning", "Graz")])
def test_an_acknowledged_alert_is_no_report_of_an_incident(info: str, tmp_path: Path) -> None:
    (raw,) = cap.parse_alerts(alert(info).replace(">Alert<", ">Ack<"))

    async def outputs() -> Sequence[Output]:
        store = SqliteStore(tmp_path / "store.db")
        made = make_envelope("raw_event_v1", raw, session_id="s", source_agent="p", timestamp=NOW, cause="c")
        try:
            return await IngestAgent(store)(made, cause="c")
        finally:
            await store.close()

    assert asyncio.run(outputs()) == []


def test_an_all_clear_says_so() -> None:
    info = INFO.format("en", "Flood in Graz", "Graz").replace("<area>", "<responseType>AllClear</responseType><area>")
    assert cap.parse_alerts(alert(info))[0].content == "All clear: Flood in Graz"


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ("<alert>", "not well-formed"),
        ("", "not well-formed"),
        ("<rss/>", "no CAP <alert>"),
        ("\ud800<alert/>", "can't be read"),
        (b'<?xml version="1.0" encoding="x-none"?><alert/>', "not well-formed|can't be read"),
        ('<!DOCTYPE alert SYSTEM "file:///etc/passwd"><alert/>', "document type"),
        ('<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><alert>&b;</alert>', "document type"),
        ("<a>" * 100_000, "deeper"),
        ("<a>" + "<b/>" * 100_000 + "</a>", "elements"),
        (alert(INFO.format("en", "x", "y"), sender=""), "sender"),
        (alert(INFO.format("en", "x", "y"), sent="soon"), "alert.sent"),
        (alert(), "headline"),
    ],
)
def test_xml_that_is_no_alert_or_an_attack_is_refused(document: str | bytes, problem: str) -> None:
    with pytest.raises(ShapeError, match=problem):
        cap.parse_alerts(document)
