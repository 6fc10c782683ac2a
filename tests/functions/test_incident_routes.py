"""Incidents can be asked for: by a real process over HTTP, what it says is what its briefs and reports said."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.functions.processes import Running, running_broker, running_function
from tests.functions.test_callers import bearer
from tests.functions.test_push_account import unsigned
from tests.fuzz.apps import RunnerAtOnce, real_apps
from tests.unit.facts import count, says
from verifleet.envelopes import IncidentBriefData, VerifiedEventData, make_envelope
from verifleet.local.pubsub import EMULATOR
from verifleet.serving.desk import routes
from verifleet.serving.desk.kept import Desk
from verifleet.serving.desk.queries import Queries
from verifleet.storage.sqlite import SqliteStore

HOSTILE = '<script>alert(1)</script>"\'=HYPERLINK("x")\u202e\ud800\x00'
OFFICER, READER = "officer@p.iam.gserviceaccount.com", "reader@p.iam.gserviceaccount.com"


@pytest.fixture(scope="module")
def summarizer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("desk")
    with running_broker(folder) as broker:
        project = "desk-test"
        host = f"127.0.0.1:{broker.port}"
        for topic in ("incident-briefs", "incident-acts", "dead-letters"):
            path = f"/v1/projects/{project}/topics/{topic}"
            connection = http.client.HTTPConnection("127.0.0.1", broker.port, timeout=30)
            connection.request("PUT", path, b"{}", {"Content-Type": "application/json"})
            assert connection.getresponse().status == 200
            connection.close()
        variables = {EMULATOR: host, "GOOGLE_CLOUD_PROJECT": project, "VERIFLEET_STREAM_S": "600"}
        with running_function("summarizer_agent", folder, **variables) as server:
            yield server


@pytest.fixture
def session() -> str:
    return str(uuid.uuid4())


def sent(server: Running, session: str, *told: VerifiedEventData) -> list[dict[str, Any]]:
    """Send verified events; the briefs that came of them."""
    briefs = []
    for data in told:
        made = make_envelope(
            "verified_event_v1",
            data,
            session_id=session,
            source_agent="verifier_agent",
            timestamp=data.verification_timestamp,
            cause=f"{data.event_id}:{data.revision}",
        )
        answer = server.post("/tasks", made.encode())
        assert answer.status == 200, answer.body[:500]
        result = json.loads(answer.body)["payload"]["data"]["result"]
        briefs += [one["payload"]["data"] for one in (result if isinstance(result, list) else [result])]
    return briefs


def asked(server: Running, path: str, session: str, status: int = 200) -> Any:
    answer = server.get(f"{path}{'&' if '?' in path else '?'}session_id={session}")
    assert answer.status == status, answer.body[:500]
    return json.loads(answer.body)


def test_an_incident_is_found_with_its_brief_facts_reports_and_claims(summarizer: Running, session: str) -> None:
    told = [
        says("12 dead after the storm", count(12), by="ana", minutes=0),
        says("12 dead after the storm, officials say", count(12), by="Civil Protection", source="official", minutes=5),
    ]
    brief = sent(summarizer, session, *told)[-1]
    (row,) = asked(summarizer, "/incidents", session)["incidents"]
    assert (row["incident_id"], row["reports"], row["state"]) == (brief["incident_id"], 2, "open")
    assert row["position"] == pytest.approx([41.15, -8.61], abs=0.3)
    assert row["severity"] == "extreme"
    found = asked(summarizer, f"/incidents/{row['incident_id']}", session)
    assert found["brief"]["summary"] == brief["summary"]
    assert {one["event_id"] for one in found["reports"]} == {one.event_id for one in told}
    assert [one["text"] for one in found["facts"]] == [one["text"] for one in brief["key_facts"]]
    for fact in found["facts"]:
        assert fact["claim_ids"]
        for claim_id in fact["claim_ids"]:
            why = asked(summarizer, f"/claims/{claim_id}", session)
            assert why["claim"]["text"] in {one.verified_claims[0].claim.text for one in told}
    assert asked(summarizer, "/incidents", str(uuid.uuid4()))["incidents"] == []


def test_revisions_tell_what_changed_and_which_report_changed_it(summarizer: Running, session: str) -> None:
    first = says("12 dead", count(12), by="ana", minutes=0)
    later = says("15 dead, officials say", count(15), by="Civil Protection", source="official", minutes=30)
    brief = sent(summarizer, session, first, later)[-1]
    revisions = asked(summarizer, f"/incidents/{brief['incident_id']}/revisions", session)["revisions"]
    assert [one["revision"] for one in revisions] == [2, 1]
    assert [one["event_id"] for one in revisions] == [later.event_id, first.event_id]
    assert revisions[0]["changes"] == brief["changes"]
    assert (revisions[0]["author"], revisions[0]["source"]) == ("Civil Protection", "official")


def test_why_a_report_is_in_no_incident_is_told(summarizer: Running, session: str) -> None:
    drill = says("EXERCISE EXERCISE EXERCISE: 12 dead", count(12), minutes=1)
    chatter = says("praying", minutes=2, event={"location": None, "event_type": "none"})
    chatter = chatter.model_copy(update={"verified_claims": []})
    assert sent(summarizer, session, drill, chatter) == []
    for data, why in ((drill, "exercise"), (chatter, "no incident")):
        report = asked(summarizer, f"/reports/{data.event_id}", session)
        assert (report["kept_out"], report["incident_id"]) == (why, None)
    asked(summarizer, "/reports/nothing", session, 404)


def test_hostile_text_comes_back_as_it_is(summarizer: Running, session: str) -> None:
    data = says(f"{HOSTILE} 12 dead", count(12), by=HOSTILE, against=HOSTILE, event={"location": f"Porto {HOSTILE}"})
    (brief,) = sent(summarizer, session, data)
    found = asked(summarizer, f"/incidents/{brief['incident_id']}", session)
    assert found["reports"][0]["author"] == HOSTILE
    assert found["reports"][0]["claims"][0]["evidence"][0]["source"] == HOSTILE
    answer = summarizer.get(f"/incidents/{brief['incident_id']}?session_id={session}")
    assert answer.headers["content-type"] == "application/json"
    answer.body.decode("ascii")


class Stream:
    """A client of server-sent events."""

    def __init__(self, server: Running, path: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=110)
        self._connection.request("GET", path)
        self.answer = self._connection.getresponse()

    def events(self) -> Iterator[tuple[str, Any, str]]:
        name, data, id = "", "", ""
        for raw in self.answer:
            line = raw.decode().rstrip("\n")
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data = value
            elif field == "id":
                id = value
            elif not line and name:
                yield name, json.loads(data), id
                name = data = id = ""

    def close(self) -> None:
        self._connection.close()


def test_who_listens_is_told_of_new_and_changed_incidents_and_of_no_mere_count(
    summarizer: Running, session: str
) -> None:
    as_of = asked(summarizer, "/incidents", session)["as_of"].replace("+", "%2B")
    stream = Stream(summarizer, f"/incidents/stream?session_id={session}&since={as_of}")
    assert stream.answer.status == 200
    assert stream.answer.headers["content-type"].startswith("text/event-stream")
    events = stream.events()
    first = says("12 dead", count(12), by="ana", minutes=0)
    (brief,) = sent(summarizer, session, first)
    name, row, last = next(events)
    assert (name, row["incident_id"], row["revision"]) == ("incident", brief["incident_id"], 1)
    sent(summarizer, session, says("12 dead", count(12), by="bea", minutes=1))
    changed = says("15 dead, officials say", count(15), by="Police", source="official", minutes=30)
    brief = sent(summarizer, session, changed)[-1]
    revisions = []
    while not revisions or revisions[-1] < brief["revision"]:
        revisions.append(next(events)[1]["revision"])
    assert revisions == sorted(set(revisions))
    stream.close()
    # Who comes back says what it saw last, and is told of what came since.
    again = Stream(summarizer, f"/incidents/stream?session_id={session}&since={last.replace('+', '%2B')}")
    assert next(again.events())[1]["revision"] == brief["revision"]
    again.close()


def test_who_missed_too_much_is_told_to_ask_anew_who_keeps_up_is_not_and_filters_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MAX_CHANGES", 3)
    monkeypatch.setattr(routes, "LOOK_EVERY_S", 0.01)
    store, now = SqliteStore(tmp_path / "store.db"), datetime.now(UTC)
    clock = [now]
    desk = Desk(store, lambda: clock[0])

    def brief(number: int) -> IncidentBriefData:
        told = {"incident_id": f"i{number}", "summary": "x", "reliability_score": 0.5, "created_at": now}
        return IncidentBriefData.model_validate({**told, "updated_at": now})

    async def names(since: datetime, **filters: str) -> list[str]:
        given = [one async for one in routes._events(Queries(store), "s", since, 0.05, filters)]
        return [
            line.removeprefix("event: ") for one in given for line in one.splitlines() if line.startswith("event: ")
        ]

    async def scenario() -> tuple[list[str], list[str]]:
        for number in range(6):
            clock[0] = now + timedelta(milliseconds=number)
            await desk.show("s", brief(number), says("12 dead"))
        behind, abreast = await names(now - timedelta(minutes=1)), await names(now + timedelta(milliseconds=4))
        assert "incident" in await names(now, type="other", state="open")
        assert "incident" not in await names(now, type="flood")
        assert "incident" not in await names(now, state="merged")
        await store.close()
        return behind, abreast

    behind, abreast = asyncio.run(scenario())
    assert behind == ["reset", "incident", "incident", "incident"]
    assert "reset" not in abreast


@pytest.mark.parametrize(
    "path",
    [
        "/incidents?limit=x",
        "/incidents/stream?since=x",
        "/incidents/stream?severity=x",
        f"/incidents?session_id={'x' * 201}",
    ],
)
def test_a_wrong_parameter_is_refused(summarizer: Running, path: str) -> None:
    answer = summarizer.get(path)
    assert answer.status == 400
    assert json.loads(answer.body)["error"]["fields"][0]["path"].startswith("query.")


def test_an_account_that_may_only_read_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps = real_apps(
        tmp_path,
        RunnerAtOnce(),
        monkeypatch,
        push_checked_by_platform=True,
        readers=(READER,),
        google_cloud_project="p",
    )
    with TestClient(apps["summarizer_agent"]) as client:
        for account, allowed in ((OFFICER, True), (READER, False)):
            told = {"email": account, "email_verified": True, "exp": time.time() + 600}
            claims = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
            headers = bearer(unsigned(f"e30.{claims}.x"))
            assert client.get("/incidents", headers=headers).status_code == 200
            for path in ("/tasks", "/", "/a2a/jsonrpc"):
                answer = client.post(path, json={}, headers=headers)
                assert (answer.status_code == 403) is not allowed, (account, path, answer.text)
