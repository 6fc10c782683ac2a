"""The ingest agent through its edge: what comes in by `/tasks` and by Pub/Sub, what goes to `events`."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from verifleet.agents.ingest.sources import read_source_rules
from verifleet.envelopes import parse_envelope
from verifleet.errors import SettingsError
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import agent_app
from verifleet.serving.ingest import IngestAgent, coerce_report, decode_report, source_rules
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore

NOW = datetime.now(UTC)
"""The store drops what has expired by the real clock."""
ALERT = """<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
  <identifier>TRI13970876.2</identifier><sender>trinet@caltech.example</sender>
  <sent>2026-05-24T11:49:00-00:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
  <info><language>en-US</language><category>Geo</category><event>Earthquake</event><urgency>Past</urgency>
    <severity>Minor</severity><certainty>Observed</certainty><senderName>Southern Seismic Network</senderName>
    <headline>EQ 3.4 Imperial County</headline>
    <description>A minor earthquake measuring 3.4 on the Richter scale near Brawley &amp; Imperial.</description>
    <area><areaDesc>1 mi. WSW of Brawley, CA</areaDesc><circle>32.9525,-115.5527 0</circle></area></info>
</alert>"""


@pytest.fixture
def publisher() -> InMemoryPublisher:
    return InMemoryPublisher()


@pytest.fixture
def agent(tmp_path: Path, publisher: InMemoryPublisher) -> Iterator[TestClient]:
    settings = load_settings(default_session="default")
    store = SqliteStore(tmp_path / "store.db")
    app = agent_app(
        "ingest_agent",
        profile=ingest_profile(),
        expects=("raw_event_v1",),
        handler=IngestAgent(store, now=lambda: NOW),
        settings=settings,
        store=store,
        publisher=publisher,
        coerce=coerce_report(settings.default_session),
        decode=decode_report,
    )
    with TestClient(app) as client:
        yield client


def events(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    result = parse_envelope(answer.json(), "mcp_envelope_v1").data.result
    return [
        parse_envelope(item, "event_v1").payload.data for item in (result if isinstance(result, list) else [result])
    ]


def push(client: TestClient, data: bytes, **attributes: str) -> int:
    message = {"data": base64.b64encode(data).decode(), "messageId": "m1", "attributes": attributes}
    return client.post("/", json={"message": message, "subscription": "projects/p/subscriptions/s"}).status_code


def test_a_report_without_a_time_has_that_of_its_message_however_late_it_is_handled(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    raw = json.dumps({"source": "news", "content": "At least 72 people injured in a fire in Leeds"}).encode()
    published_at = (NOW - timedelta(minutes=30)).isoformat()
    for published in (published_at, (NOW + timedelta(hours=1)).isoformat()):
        message = {"data": base64.b64encode(raw).decode(), "messageId": published, "publishTime": published}
        attributes = {"session_id": f"s-{published}"}
        body = {"message": message | {"attributes": attributes}, "subscription": "projects/p/subscriptions/s"}
        assert agent.post("/", json=body).status_code == 204
    times = [parse_envelope(json.loads(one.data), "event_v1").data.timestamp for one in publisher.to("events")]
    assert times == [NOW - timedelta(minutes=30), NOW]


def test_a_raw_event_becomes_an_event_with_place_type_and_entities(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    text = (
        "RT @cityfire: Warehouse fire near Colon Street in Cebu City, at least 20 injured &amp; 3 missing http://t.co/x"
    )
    (event,) = events(agent.post("/tasks", json={"source": "twitter", "content": text, "metadata": {"author": "ana"}}))
    assert (event.event_type, event.location, event.source) == ("fire", "Cebu City", "twitter")
    assert {"Cebu City", "Colon Street"} <= set(event.entities)
    assert "injured & 3" in event.content
    assert event.metadata.urls == ["http://t.co/x"]
    assert event.timestamp == NOW
    (message,) = publisher.to("events")
    assert message.attributes["schema"] == "event_v1"


def test_the_same_report_sent_again_is_the_same_event(agent: TestClient) -> None:
    report = {"source": "news", "content": "Flood in Boulder", "metadata": {"author": "daily"}}
    ids = {events(agent.post("/tasks", json=report))[0].event_id for _ in range(2)}
    other = events(agent.post("/tasks", json=report | {"metadata": {"author": "weekly"}}))[0].event_id
    assert len(ids) == 1
    assert other not in ids


def test_a_near_copy_names_the_event_it_repeats_and_a_resend_does_not(agent: TestClient) -> None:
    text = "The Eastgate dam has burst, leave the valley now"
    first = {"source": "social", "content": text, "metadata": {"author": "a"}}
    copy = first | {"content": f"RT @a: {text}!!", "metadata": {"author": "b"}}
    original = events(agent.post("/tasks", json=first))[0]
    copied = events(agent.post("/tasks", json=copy))[0]
    again = events(agent.post("/tasks", json=first))[0]
    elsewhere = events(agent.post("/tasks", json=copy | {"session_id": "another"}))[0]
    assert copied.metadata.near_copy_of == original.event_id
    assert getattr(again.metadata, "near_copy_of", None) != again.event_id
    assert getattr(elsewhere.metadata, "near_copy_of", None) is None


def test_of_copies_in_one_list_all_but_one_are_marked(agent: TestClient) -> None:
    text = "The Eastgate dam has burst, leave the valley now"
    copies = [{"content": f"{text} {mark}", "metadata": {"author": mark}} for mark in ("!", "!!", "...", "?!")]
    made = events(agent.post("/tasks", json=copies))
    assert [event.metadata.author for event in made] == ["!", "!!", "...", "?!"]
    assert sum(getattr(event.metadata, "near_copy_of", None) is None for event in made) == 1


def test_several_reports_of_several_forms_come_at_once(agent: TestClient) -> None:
    several = [{"content": "Quake in Modena"}, "Train derails near Leeds", {"content": "Haze over Singapore"}]
    assert [event.event_type for event in events(agent.post("/tasks", json=several))] == [
        "earthquake",
        "transport",
        "airquality",
    ]


def test_a_bare_text_is_one_report(agent: TestClient) -> None:
    (event,) = events(agent.post("/tasks", content="Bridge collapsed in Genoa", headers={"content-type": "text/plain"}))
    assert (event.event_type, event.location) == ("collapse", "Genoa")


@pytest.mark.parametrize("media_type", ["application/xml", "application/cap+xml", "text/xml"])
def test_an_alert_in_xml_is_an_official_report(agent: TestClient, media_type: str) -> None:
    (event,) = events(agent.post("/tasks", content=ALERT, headers={"content-type": media_type}))
    assert (event.source, event.event_type, event.location) == ("emergency", "earthquake", "1 mi. WSW of Brawley, CA")
    assert event.metadata.author == "Southern Seismic Network"
    assert event.metadata.cap["identifier"] == "TRI13970876.2"
    assert "Brawley & Imperial" in event.content
    assert event.timestamp == datetime(2026, 5, 24, 11, 49, tzinfo=UTC)


def test_an_alert_arrives_over_pubsub_with_no_attribute_at_all(agent: TestClient, publisher: InMemoryPublisher) -> None:
    assert push(agent, ALERT.encode(), origin="station") == 204
    assert len(publisher.to("events")) == 1


def test_a_text_arrives_over_pubsub_when_its_attribute_says_that_it_is_one(
    agent: TestClient, publisher: InMemoryPublisher
) -> None:
    assert push(agent, b"Flood in Boulder", content_type="text/plain") == 204
    assert push(agent, b"Flood in Boulder") == 204
    assert (len(publisher.to("events")), len(publisher.to("dead-letters"))) == (1, 1)


@pytest.mark.parametrize(
    ("body", "media_type", "path"),
    [
        (b'{"source": "news"}', "application/json", "payload.data.content"),
        (b'[{"content": "x"}, {"content": 5}]', "application/json", "1.payload.data.content"),
        (b'[{"content": "x"}, 5]', "application/json", "1"),
        (b"not json", "application/json", "(body)"),
        (b"<alert><sent>x</sent>", "application/xml", "(body)"),
        (b"<html/>", "application/xml", "(body)"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><alert>&b;</alert>', "application/xml", "(body)"),
    ],
)
def test_what_can_never_be_an_event_is_refused_with_the_place_of_the_fault(
    agent: TestClient, publisher: InMemoryPublisher, body: bytes, media_type: str, path: str
) -> None:
    answer = agent.post("/tasks", content=body, headers={"content-type": media_type})
    assert answer.status_code == 400
    assert path in [field["path"] for field in answer.json()["error"]["fields"]] or path == "(body)"
    assert push(agent, body, content_type=media_type) == 204
    assert len(publisher.to("dead-letters")) == 1
    assert not publisher.to("events")


def test_the_source_class_follows_from_the_rules_of_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"trust_declared": False, "rules": [{"source": "emergency", "authors": ["@LAFD"]}]}))
    rules = source_rules(load_settings(source_rules=path))
    assert rules.decide("twitter", "lafd") == "emergency"
    assert rules.decide("official", "somebody") == "social"
    path.write_text('{"rules": [{"source": "king"}]}')
    with pytest.raises(SettingsError, match=r"VERIFLEET_SOURCE_RULES.*rules\.0\.source"):
        source_rules(load_settings(source_rules=path))


def test_an_event_is_of_the_class_that_a_rule_grants_and_keeps_what_was_declared(
    tmp_path: Path, publisher: InMemoryPublisher
) -> None:
    rules = read_source_rules({"rules": [{"source": "official", "domains": ["gov.example"]}]})
    store = SqliteStore(tmp_path / "other.db")
    settings = load_settings()
    handler = IngestAgent(store, rules, now=lambda: NOW)
    app = agent_app(
        "ingest_agent",
        profile=ingest_profile(),
        expects=("raw_event_v1",),
        handler=handler,
        settings=settings,
        store=store,
        publisher=publisher,
        coerce=coerce_report("s"),
    )
    report = {
        "source": "twitter",
        "content": "Main Street is closed",
        "metadata": {"author": "https://works.gov.example"},
    }
    with TestClient(app) as client:
        (event,) = events(client.post("/tasks", json=report))
    assert (event.source, event.metadata.declared_source) == ("official", "twitter")
