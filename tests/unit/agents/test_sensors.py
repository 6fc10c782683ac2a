"""Readings of sensors, and files of them."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.reports import NOW
from verifleet.agents.facts.extract import facts_of_readings
from verifleet.agents.facts.types import Quantity
from verifleet.agents.ingest.event import normalise, raw_envelopes
from verifleet.agents.pipeline import prepare, verify_event
from verifleet.commands.publish import read_items
from verifleet.envelopes import EventData, RawEventData
from verifleet.errors import ShapeError
from verifleet.reading.sensors import readings_of


def event(item: Any) -> EventData:
    (made,) = raw_envelopes(item, session_id="s", now=NOW)
    return normalise(RawEventData.model_validate(made["payload"]["data"]), session_id="s", now=NOW)


@pytest.mark.parametrize(
    ("text", "magnitude", "place", "moment"),
    [
        (
            "M 7.2, 5km E of Balilihan, Philippines: Tuesday, October 15, 2013 00:12:37 UTC http://on.doi.gov/x",
            7.2, "Balilihan, Philippines", datetime(2013, 10, 15, 0, 12, 37, tzinfo=UTC),
        ),
        (
            "RT @LastQuake: NEW: Felt #earthquake M7.0 - Bohol, Philippines - October 15, 2013, 00:12 UTC (7 min ago)",
            7.0, "Bohol, Philippines", datetime(2013, 10, 15, 0, 12, tzinfo=UTC),
        ),
        (
            "#terremoto Ml:5.3 2012-05-29 10:55:57 UTC Lat=44.89 Lon=11.01 Prof=6.8Km Prov=MANTOVA,MODENA",
            5.3, "", datetime(2012, 5, 29, 10, 55, 57, tzinfo=UTC),
        ),
    ],
)  # fmt: skip
def test_a_line_of_a_seismic_network_is_a_magnitude_at_a_place_and_time(
    text: str, magnitude: float, place: str, moment: datetime
) -> None:
    reading = readings_of(text, NOW)[0]
    assert (reading.quantity, reading.value, reading.place, reading.time) == ("magnitude", magnitude, place, moment)


@pytest.mark.parametrize(
    "text",
    ["A magnitude 7.2 earthquake struck Bohol this morning", "M4 closed until 2013-10-15 00:12 local time", "{}", "[]"],
)
def test_prose_is_no_reading(text: str) -> None:
    assert readings_of(text, NOW) == ()


def test_an_airports_report_is_wind_gusts_sight_temperature_and_pressure() -> None:
    found = readings_of("METAR LPPR 041230Z 18022G35KT 3000 +TSRA BKN010CB M02/M04 Q0998", NOW)
    told = [(reading.quantity, round(reading.value, 1), reading.unit) for reading in found]
    assert told == [
        ("wind", 11.3, "m/s"), ("gusts", 18.0, "m/s"), ("visibility", 3000.0, "m"), ("temperature", -2.0, "degC"),
        ("pressure", 998.0, "hPa"),
    ]  # fmt: skip
    assert {reading.time for reading in found} == {datetime(2026, 5, 4, 12, 30, tzinfo=UTC)}


def test_a_json_reading_is_an_event_of_its_sensor_with_a_fact_of_its_time() -> None:
    made = event({"sensor": "gauge-7", "quantity": "water_level", "value": 490, "unit": "cm", "place": "Leeds",
                  "time": "2026-05-04T11:00:00Z"})  # fmt: skip
    assert (made.source, made.content, made.location) == ("sensor", "gauge-7, Leeds: water level 490 cm.", "Leeds")
    assert made.timestamp == datetime(2026, 5, 4, 11, tzinfo=UTC)
    assert made.metadata is not None
    assert made.metadata.author == "gauge-7"
    (fact,) = facts_of_readings((made.metadata.model_extra or {})["readings"], ("leeds",), NOW)
    assert (fact.subject, fact.attribute, fact.low, fact.unit) == ("gauge-7", "water level", pytest.approx(4.9), "m")
    assert fact.as_of == made.timestamp
    later = event({"sensor": "gauge-7", "quantity": "water_level", "value": 490, "unit": "cm",
                   "time": "2026-05-04T12:00:00Z"})  # fmt: skip
    assert later.event_id != made.event_id


@given(st.text(max_size=300), st.sampled_from(["M 7.2, ", "METAR ", '{"value":', "1 km of ", "Ml:5 2012-05-29 "]))
def test_any_text_is_read_in_time(text: str, repeated: str) -> None:
    started = time.thread_time()
    readings_of(repeated * 2000 + text, NOW)
    readings_of('{"sensor": "a", "value": 1e308, "unit": "km", "time": 1e300, "x": "' + text + '"}', NOW)
    assert time.thread_time() - started < 3


def test_a_csv_file_has_events_and_readings(tmp_path: Path) -> None:
    file = tmp_path / "reports.csv"
    file.write_text(
        "\ufefftime,source,text,place,author,sensor,value,unit\n"
        '2026-05-04T12:00:00Z,news,"Flood, 3 dead",Leeds,bbc,,,\n2026-05-04T12:05:00Z,,,,,gauge-7,4.9,m\n'
    )
    report, reading = read_items(file)
    assert report == {
        "timestamp": "2026-05-04T12:00:00Z", "source": "news", "content": "Flood, 3 dead", "location": "Leeds",
        "metadata": {"author": "bbc"},
    }  # fmt: skip
    assert event(reading).content == "gauge-7: reading 4.9 m."
    file.write_text("text,place\n,Leeds\n")
    with pytest.raises(ShapeError, match="line 2"):
        read_items(file)


def test_a_cap_file_has_its_alerts(tmp_path: Path) -> None:
    file = tmp_path / "alert.xml"
    file.write_text(
        '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A</identifier><sender>m@x.gov</sender>'
        "<sent>2026-05-04T12:00:00Z</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>"
        "<info><event>Flood</event><headline>Flooding in Leeds</headline></info></alert>"
    )
    (alert,) = read_items(file)
    assert (alert["source"], alert["content"]) == ("emergency", "Flooding in Leeds")


def gauge(level: float, minute: int, **fields: Any) -> dict[str, Any]:
    told = {"sensor_id": "gauge-7", "parameter": "water_level", "value": level, "unit": "m", "location": "Leeds"}
    return {**told, "timestamp": f"2026-03-14T06:{minute:02}:00Z", **fields}


def test_a_report_of_readings_claims_the_latest_of_each_quantity() -> None:
    series = [gauge(5.1, 10), gauge(4.9, 0), gauge(20, 10, parameter="flow", unit="m3/s")]
    made = prepare(event({"source": "sensor", "content": json.dumps(series)}))
    assert [claim.text for claim in made.claims] == [
        "gauge-7, Leeds: water level 5.1 m",
        "gauge-7, Leeds: flow 20 m3/s",
    ]
    measured = [claim.facts[0] for claim in made.report.claims]
    assert [(fact.attribute, fact.low) for fact in measured if isinstance(fact, Quantity)] == [
        ("water level", 5.1), ("flow", 20),
    ]  # fmt: skip


def test_a_later_reading_of_the_same_sensor_supersedes_an_earlier_one_and_not_the_other_way_round() -> None:
    early, late = prepare(event(gauge(5.3, 0))), prepare(event(gauge(4.9, 10)))
    (of_early,) = verify_event(early, [late.report], now=NOW).verified_claims
    (of_late,) = verify_event(late, [early.report], now=NOW).verified_claims
    assert (of_early.verdict, of_late.verdict) == ("outdated", "insufficient")


@pytest.mark.parametrize("readings", [7, [7], [{"value": "x"}], [{"value": 1e400}], [{"sensor": 7, "value": 1}] * 500])
def test_readings_of_any_form_can_be_prepared(readings: Any) -> None:
    made = event(gauge(4.9, 0)).model_dump()
    made["metadata"] = {"readings": readings}
    assert len(prepare(EventData.model_validate(made)).claims) <= 1
