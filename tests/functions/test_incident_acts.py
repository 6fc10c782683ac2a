"""What people decide holds once, is told with who and why, weighs on verdicts, and can be taken back."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.fuzz.apps import RunnerAtOnce, real_apps

SESSION = "acts"


@dataclass
class Desk:
    """The three agents on one store; what they publish is carried by hand."""

    summarizer: TestClient
    verifier: TestClient
    ingest: TestClient
    publisher: RunnerAtOnce
    carried: int = 0
    dead: list[Any] = field(default_factory=list)

    def report(self, content: str, author: str, source: str, minute: int = 0) -> None:
        raw = {
            "source": source,
            "content": content,
            "location": "Porto",
            "timestamp": f"2026-03-01T10:{minute:02}:00Z",
            "metadata": {"author": author},
            "session_id": SESSION,
        }
        assert self.ingest.post("/tasks", json=raw).status_code == 200
        self.carry()

    def carry(self) -> None:
        """Deliver what was published to whom it is for, until nothing more comes."""
        to = {
            "events": {"verifier_agent": self.verifier},
            "verified-events": {"summarizer_agent": self.summarizer},
            "incident-acts": {"summarizer_agent": self.summarizer, "verifier_agent": self.verifier},
        }
        while self.carried < len(self.publisher.messages):
            message = self.publisher.messages[self.carried]
            self.carried += 1
            for name, client in to.get(message.topic, {}).items():
                subscription = f"projects/p/subscriptions/{message.topic}.{name}"
                data = {"data": base64.b64encode(message.data).decode(), "messageId": uuid.uuid4().hex}
                pushed = {"message": {**data, "attributes": {}}, "subscription": subscription}
                assert client.post("/", json=pushed).status_code == 204

    def act(self, kind: str, status: int = 200, **told: Any) -> Any:
        body = {"kind": kind, "reason": "seen on site", "by": "Ana", **told}
        answer = self.summarizer.post(f"/acts?session_id={SESSION}", json=body)
        assert answer.status_code == status, answer.text
        self.carry()
        return answer.json()

    def ask(self, path: str) -> Any:
        answer = self.summarizer.get(f"{path}{'&' if '?' in path else '?'}session_id={SESSION}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def row(self) -> Any:
        (row,) = self.ask("/incidents")["incidents"]
        return row

    def claim(self, author: str) -> Any:
        """The first claim of an author's report."""
        for row in self.ask("/incidents")["incidents"]:
            for report in self.ask(f"/incidents/{row['incident_id']}")["reports"]:
                if report["author"] == author:
                    return report["claims"][0]
        raise AssertionError(f"{author} reported nothing")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    publisher = RunnerAtOnce()
    apps = real_apps(tmp_path, publisher, monkeypatch)
    names = ("summarizer_agent", "verifier_agent", "ingest_agent")
    with TestClient(apps[names[0]]) as one, TestClient(apps[names[1]]) as two, TestClient(apps[names[2]]) as three:
        yield Desk(one, two, three, publisher)


@pytest.fixture
def storm(desk: Desk) -> Desk:
    desk.report("62 people were injured by the storm in Porto", "ana", "social", 1)
    return desk


@pytest.mark.parametrize(
    ("kind", "state"), [("confirm", "confirmed"), ("dismiss", "dismissed"), ("close", "closed"), ("reopen", "open")]
)
def test_an_incident_has_the_state_that_was_decided_and_tells_who_and_why(storm: Desk, kind: str, state: str) -> None:
    before = storm.row()
    done = storm.act(kind, incident_id=before["incident_id"])
    row = storm.row()
    assert done["incident"] == row
    assert (row["state"], row["acts"]) == (state, before["acts"] + 1)
    assert (row["act"]["kind"], row["act"]["by"], row["act"]["reason"]) == (kind, "Ana", "seen on site")
    assert storm.ask(f"/incidents?state={state}")["incidents"] == [row]
    (act,) = storm.ask(f"/incidents/{row['incident_id']}")["acts"]
    assert (act["act_id"], act["caller"], act["before"]) == (done["act"]["act_id"], "local", "open")


def test_an_act_is_published_once_sent_again_it_changes_nothing(storm: Desk) -> None:
    incident_id = storm.row()["incident_id"]
    first = storm.act("confirm", incident_id=incident_id, act_id="a1")
    storm.act("close", incident_id=incident_id, act_id="a2")
    again = storm.act("confirm", incident_id=incident_id, act_id="a1")
    assert again["act"] == first["act"]
    assert (storm.row()["state"], storm.row()["acts"]) == ("closed", 2)
    sent = [json.loads(one.data) for one in storm.publisher.messages if one.topic == "incident-acts"]
    assert {one["metadata"]["envelope_id"] for one in sent} == {"act:a1", "act:a2"}
    assert sent[0]["payload"]["data"]["reason"] == "seen on site"


def test_what_cannot_be_split_is_refused_and_nothing_changes(storm: Desk) -> None:
    row = storm.row()
    told = {"incident_id": row["incident_id"], "expects": 0}
    everything = list(reports_of(storm, row["incident_id"]).values())
    for reports, why in ((everything, "nothing would be left"), (["nothing"], "is no report of this incident")):
        assert why in storm.act("split", 400, **told, reports=reports)["error"]["message"]
    assert storm.row() == row


def test_an_act_that_comes_by_the_topic_holds_and_is_not_published_again(storm: Desk) -> None:
    told = {
        "act_id": "t1",
        "kind": "confirm",
        "incident_id": storm.row()["incident_id"],
        "reason": "radio",
        "by": "Bea",
        "caller": "forged@example.com",
        "at": "2026-03-01T11:00:00Z",
    }
    envelope = {
        "schema": "incident_act_v1",
        "session_id": SESSION,
        "timestamp": "2026-03-01T11:00:00Z",
        "source_agent": "radio",
        "payload": {"type": "incident_act", "data": told},
    }
    data = {"data": base64.b64encode(json.dumps(envelope).encode()).decode(), "messageId": "1", "attributes": {}}
    pushed = {"message": data, "subscription": "projects/p/subscriptions/incident-acts.summarizer_agent"}
    published = len(storm.publisher.messages)
    assert storm.summarizer.post("/", json=pushed).status_code == 204
    assert storm.row()["state"] == "confirmed"
    assert len(storm.publisher.messages) == published
    (act,) = storm.ask(f"/incidents/{storm.row()['incident_id']}")["acts"]
    assert (act["by"], act["caller"]) == ("Bea", f"session:{SESSION}")


def test_of_two_who_act_at_once_the_second_is_told_what_happened(storm: Desk) -> None:
    row = storm.row()
    storm.act("confirm", incident_id=row["incident_id"], expects=row["acts"])
    refused = storm.act("dismiss", 409, incident_id=row["incident_id"], expects=row["acts"], by="Bea")
    assert refused["error"]["code"] == "conflict"
    assert "confirm by Ana" in refused["error"]["message"]
    assert storm.row()["state"] == "confirmed"


def test_what_was_decided_is_taken_back_and_only_once(storm: Desk) -> None:
    incident_id = storm.row()["incident_id"]
    confirmed = storm.act("confirm", incident_id=incident_id)["act"]["act_id"]
    closed = storm.act("close", incident_id=incident_id)["act"]["act_id"]
    storm.act("undo", 409, undoes=confirmed)
    assert storm.act("undo", undoes=closed)["incident"]["state"] == "confirmed"
    storm.act("undo", 409, undoes=closed)
    assert storm.act("undo", undoes=confirmed)["incident"]["state"] == "open"
    assert [act["undone"] for act in storm.ask(f"/incidents/{incident_id}")["acts"]] == [False, False, True, True]


@pytest.mark.parametrize(
    ("mark", "verdict", "side"),
    [
        ("true", "supported", "evidence_for"),
        ("false", "refuted", "evidence_against"),
        ("outdated", "outdated", "evidence_updating"),
    ],
)
def test_a_marked_claim_is_judged_anew_and_says_who_marked_it(storm: Desk, mark: str, verdict: str, side: str) -> None:
    claim = storm.claim("ana")
    assert claim["verdict"] == "insufficient"
    done = storm.act("mark", claim_id=claim["claim_id"], verdict=mark)
    answer = storm.ask(f"/claims/{claim['claim_id']}")
    assert answer["claim"]["verdict"] == verdict
    (evidence,) = answer[side]
    assert (evidence["source"], evidence["rule"]) == ("Ana", "desk.marked")
    assert evidence["reason"] == f"marked {mark}: seen on site"
    assert [one["verdict"] for one in answer["earlier"]] == ["insufficient"]
    storm.act("undo", undoes=done["act"]["act_id"])
    assert storm.ask(f"/claims/{claim['claim_id']}")["claim"]["verdict"] == "insufficient"


def test_a_mark_weighs_as_an_authority_does_against_a_crowd(storm: Desk) -> None:
    for minute, author in enumerate(("bea", "carl", "dora", "emil"), 2):
        words = ("62 people were hurt here in Porto by the storm", "the storm in Porto has injured 62 people")
        storm.report(f"{author} says: {words[minute % 2]}", author, "social", minute)
    claim = storm.claim("ana")
    assert claim["verdict"] == "supported"
    storm.act("mark", claim_id=claim["claim_id"], verdict="false")
    assert storm.ask(f"/claims/{claim['claim_id']}")["claim"]["verdict"] == "refuted"


def test_an_incident_that_is_another_in_truth_is_merged_by_hand(storm: Desk) -> None:
    storm.report("A fire in Tulsa injured 3 people", "radio", "news", 9)
    rows = storm.ask("/incidents")["incidents"]
    first, second = rows[1]["incident_id"], rows[0]["incident_id"]
    storm.act("merge", incident_id=second, into=first)
    (row,) = storm.ask("/incidents")["incidents"]
    assert (row["incident_id"], row["reports"]) == (first, 2)
    (ended,) = storm.ask("/incidents?state=merged")["incidents"]
    assert (ended["incident_id"], ended["merged_into"]) == (second, first)
    revisions = storm.ask(f"/incidents/{first}/revisions")["revisions"]
    assert (revisions[0]["author"], revisions[0]["event_id"]) == ("Ana", None)
    assert len(storm.ask(f"/incidents/{first}")["reports"]) == 2
    storm.act("confirm", 409, incident_id=second)


def reports_of(desk: Desk, incident_id: str) -> dict[str, str]:
    return {one["author"]: one["event_id"] for one in desk.ask(f"/incidents/{incident_id}")["reports"]}


def test_reports_are_split_off_into_an_incident_of_their_own(storm: Desk) -> None:
    storm.report("62 people were injured by the storm in Porto, says a nurse", "bea", "news", 2)
    storm.report("Another storm: 9 people are missing in Porto", "carl", "social", 3)
    row = storm.row()
    carl = reports_of(storm, row["incident_id"])["carl"]
    before = storm.ask(f"/incidents/{row['incident_id']}")["facts"]
    assert any("missing" in fact["text"] for fact in before)
    split = {"incident_id": row["incident_id"], "reports": [carl], "expects": row["acts"]}
    done = storm.act("split", **split)
    other = done["act"]["into"]
    old, new = (storm.ask(f"/incidents/{id}") for id in (row["incident_id"], other))
    assert (old["incident"]["reports"], new["incident"]["reports"]) == (2, 1)
    assert old["incident"]["revision"] == row["revision"] + 1
    assert new["incident"]["revision"] == 1
    assert not any("missing" in fact["text"] for fact in old["facts"])
    assert any("missing" in fact["text"] for fact in new["facts"])
    assert reports_of(storm, other) == {"carl": carl}
    assert "carl" not in reports_of(storm, row["incident_id"])
    assert [one["act_id"] for one in (*old["acts"], *new["acts"])] == [done["act"]["act_id"]] * 2
    (last, *_) = storm.ask(f"/incidents/{row['incident_id']}/revisions")["revisions"]
    assert last["changes"][0] == f"1 report went to incident {other}"
    assert last["act_id"] == done["act"]["act_id"]
    refused = storm.act("split", 409, **split)  # a second officer looked before
    assert "split by Ana" in refused["error"]["message"]
    # What comes of that report from now on is told where it is.
    storm.act("mark", claim_id=f"{carl}.0", verdict="true")
    assert storm.ask(f"/incidents/{other}")["reports"][0]["claims"][0]["verdict"] == "supported"
    assert storm.ask(f"/incidents/{row['incident_id']}")["incident"]["reports"] == 2


def test_a_split_is_taken_back_whole(storm: Desk) -> None:
    storm.report("Another storm: 9 people are missing in Porto", "carl", "social", 3)
    row = storm.row()
    told = storm.ask(f"/incidents/{row['incident_id']}")
    leaving = [reports_of(storm, row["incident_id"])["carl"]]
    done = storm.act("split", incident_id=row["incident_id"], reports=leaving, expects=0)["act"]
    assert len(storm.ask("/incidents")["incidents"]) == 2
    storm.act("undo", undoes=done["act_id"])
    back = storm.ask(f"/incidents/{row['incident_id']}")
    assert [fact["text"] for fact in back["facts"]] == [fact["text"] for fact in told["facts"]]
    assert reports_of(storm, row["incident_id"]) == reports_of(storm, row["incident_id"]) | {"carl": leaving[0]}
    assert storm.row()["incident_id"] == row["incident_id"]
    assert storm.ask(f"/incidents/{done['into']}")["incident"]["merged_into"] == row["incident_id"]
    storm.act("undo", 409, undoes=done["act_id"])


def test_a_merge_is_taken_back_with_what_came_since(storm: Desk) -> None:
    storm.report("A fire in Tulsa injured 3 people", "radio", "news", 9)
    fire, flood = storm.ask("/incidents")["incidents"]
    first, second = flood["incident_id"], fire["incident_id"]
    storm.act("confirm", incident_id=second)
    told = {id: storm.ask(f"/incidents/{id}") for id in (first, second)}
    done = storm.act("merge", incident_id=second, into=first)["act"]
    assert storm.ask(f"/incidents/{first}")["incident"]["act"]["kind"] == "merge"
    storm.act("mark", claim_id=f"{reports_of(storm, first)['radio']}.0", verdict="true")  # it is told in the first now
    assert storm.act("undo", undoes=done["act_id"])["incident"]["state"] == "confirmed"
    for id in (first, second):
        back = storm.ask(f"/incidents/{id}")
        assert [one["id"] for one in back["facts"]] == [one["id"] for one in told[id]["facts"]]
        assert back["incident"]["reports"] == 1
        assert back["incident"]["revision"] > told[id]["incident"]["revision"]
        assert back["incident"]["merged_into"] is None
        assert [one["event_id"] for one in back["reports"]] == [one["event_id"] for one in told[id]["reports"]]
    assert storm.ask(f"/incidents/{second}")["reports"][0]["claims"][0]["verdict"] == "supported"
    assert {one["incident_id"] for one in storm.ask("/incidents")["incidents"]} == {first, second}
    # The merge that comes once more changes nothing.
    again = {"act_id": done["act_id"], "kind": "merge", "incident_id": second, "into": first}
    storm.act(**again)
    assert {one["incident_id"] for one in storm.ask("/incidents")["incidents"]} == {first, second}
    storm.act("undo", 409, undoes=done["act_id"])


@pytest.mark.parametrize(
    ("told", "at"),
    [
        ({"kind": "split"}, "incident_id"),
        ({"kind": "split", "incident_id": "nothing", "reports": ["x"]}, "expects"),
        ({"kind": "split", "incident_id": "nothing", "reports": [], "expects": 0}, "reports"),
        ({"kind": "split", "incident_id": "nothing", "reports": ["x"], "expects": 0}, "incident_id"),
        ({"kind": "confirm"}, "incident_id"),
        ({"kind": "confirm", "incident_id": "nothing"}, "incident_id"),
        ({"kind": "merge", "incident_id": "nothing", "into": "nothing"}, "incident_id"),
        ({"kind": "mark", "claim_id": "nothing.0", "verdict": "true"}, "claim_id"),
        ({"kind": "mark", "claim_id": "nothing.0", "verdict": "maybe"}, "verdict"),
        ({"kind": "undo", "undoes": "nothing"}, "undoes"),
        ({"kind": "burn", "incident_id": "x"}, "kind"),
        ({"kind": "confirm", "incident_id": "x", "reason": ""}, "reason"),
    ],
)
def test_what_cannot_be_decided_is_named(storm: Desk, told: dict[str, Any], at: str) -> None:
    refused = storm.act(status=400, **told)
    assert refused["error"]["fields"][0]["path"] == f"payload.data.{at}"
