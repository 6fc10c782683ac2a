"""The summarizer agent tells who wants to know: pushes of briefs become signed webhooks, feeds and dead letters."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from tests.fuzz.apps import RunnerAtOnce, real_apps
from tests.unit.alerts.test_alerts import Receiver, receiver
from tests.unit.facts import count, says
from verifleet.agents.ingest.cap import parse_alerts
from verifleet.envelopes import VerifiedEventData, make_envelope

__all__ = ["receiver"]

HOSTILE = "<script>alert(1)</script> & ]]>\ufffe\ud800\x00"
ATOM, CAP = "{http://www.w3.org/2005/Atom}", "{urn:oasis:names:tc:emergency:cap:1.2}"
POLICE: dict[str, Any] = {"by": "police", "source": "official", "verdict": "supported"}


@dataclass
class Fleet:
    """The summarizer agent with rules; what it publishes is carried by hand."""

    app: TestClient
    publisher: RunnerAtOnce
    carried: int = 0

    def report(self, data: VerifiedEventData) -> list[int]:
        """Send a verified event; how the pushes of its briefs that owe alerts are answered."""
        made = make_envelope(
            "verified_event_v1",
            data,
            session_id="default",
            source_agent="verifier_agent",
            timestamp=data.verification_timestamp,
            cause=data.event_id,
        )
        assert self.app.post("/tasks", content=made.encode()).status_code == 200
        new = [one for one in self.publisher.messages[self.carried :] if one.attributes.get("alerts") == "owed"]
        assert all(one.topic == "incident-briefs" for one in new)
        self.carried = len(self.publisher.messages)
        return [self.push(one.data) for one in new]

    def push(self, data: bytes, attempt: int = 1) -> int:
        message = {"data": base64.b64encode(data).decode(), "messageId": uuid.uuid4().hex, "attributes": {}}
        name = "projects/p/subscriptions/incident-briefs.summarizer_agent"
        body = {"message": message, "subscription": name, "deliveryAttempt": attempt}
        return self.app.post("/", json=body).status_code


@pytest.fixture
def fleet(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fleet]:
    rules = f"targets:\n  pager: {{webhook: '{receiver.url}', allow_private: true}}\nrules: [{{name: a, to: [pager]}}]"
    publisher = RunnerAtOnce()
    apps = real_apps(tmp_path, publisher, monkeypatch, alerts=rules)
    with TestClient(apps["summarizer_agent"]) as app:
        yield Fleet(app, publisher)


def test_what_is_material_is_told_and_what_is_not_is_not(fleet: Fleet, receiver: Receiver) -> None:
    assert fleet.report(says("12 dead", count(12), by="ana")) == [204]
    assert fleet.report(says("12 dead", count(12), by="rui", minutes=1)) == [], "it comes back for nothing"
    assert fleet.report(says("12 dead, says police", count(12), minutes=5, **POLICE)) == [204]
    told = [[change["kind"] for change in json.loads(body)["changes"]] for _, _, body in receiver.got]
    assert told[0] == ["new"]
    assert told[-1] == ["confirmed"]
    assert len(told) == 2


def test_a_target_that_is_down_has_the_push_come_again_and_at_the_end_dead_lettered_with_its_reason(
    fleet: Fleet, receiver: Receiver
) -> None:
    receiver.answers = [503, 503]
    assert fleet.report(says("12 dead", count(12))) == [503]
    (brief,) = (one.data for one in fleet.publisher.messages if one.topic == "incident-briefs")
    assert fleet.push(brief, attempt=20) == 204
    (letter,) = (one for one in fleet.publisher.messages if one.topic == "dead-letters")
    assert letter.data == brief
    assert letter.attributes["path"] == "targets.pager"
    assert "answers 503" in letter.attributes["reason"]
    assert fleet.push(brief) == 204  # replayed
    assert fleet.push(brief) == 204
    assert len(receiver.got) == 3


def test_a_feed_has_the_incident_as_a_cap_alert_and_every_text_as_text(fleet: Fleet) -> None:
    data = says(f"{HOSTILE} 12 dead", count(12), by=HOSTILE, event={"location": f"Porto {HOSTILE}"})
    assert fleet.report(data) == [204]
    answer = fleet.app.get("/incidents/feed.atom?severity=extreme&type=storm")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    (entry,) = ElementTree.fromstring(answer.text).findall(f"{ATOM}entry")
    alert = entry.find(f"{ATOM}content/{CAP}alert")
    assert alert is not None
    assert alert.findtext(f"{CAP}msgType") == "Alert"
    assert "<script>" in (entry.findtext(f"{ATOM}summary") or "")
    (row,) = fleet.app.get("/incidents").json()["incidents"]
    links = [link.get("href") or "" for link in entry.findall(f"{ATOM}link")]
    assert any(link.endswith(f"/desk?session_id=default#{row['incident_id']}") for link in links)
    alone = fleet.app.get(f"/incidents/{row['incident_id']}/cap")
    assert alone.headers["content-type"] == "application/cap+xml; charset=utf-8"
    assert len(parse_alerts(alone.text)) == 1
    (item,) = ElementTree.fromstring(fleet.app.get("/incidents/feed.rss").text).iter("item")
    assert "&lt;script&gt;" in (item.findtext("description") or "")


def test_a_feed_is_filtered_and_tells_what_is_wrong_with_a_filter(fleet: Fleet) -> None:
    assert ElementTree.fromstring(fleet.app.get("/incidents/feed.atom").text).findall(f"{ATOM}entry") == []
    fleet.report(says("12 dead", count(12)))
    for query, entries in (("", 1), ("type=flood", 0), ("severity=minor", 0), ("place=porto", 1), ("session_id=x", 0)):
        found = fleet.app.get(f"/incidents/feed.atom?{query}")
        assert len(ElementTree.fromstring(found.text).findall(f"{ATOM}entry")) == entries, query
    assert fleet.app.get("/incidents/feed.atom?colour=red").status_code == 400
    assert fleet.app.get("/incidents/feed.json").status_code == 404
    assert fleet.app.get("/incidents/nothing/cap").status_code == 404
