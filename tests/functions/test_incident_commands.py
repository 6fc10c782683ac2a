"""`verifleet incidents`, `show`, `why` and `export` against a real summarizer agent."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.functions.processes import ROOT, Running
from tests.functions.test_incident_routes import HOSTILE, sent, session, summarizer
from tests.unit.facts import count, says
from verifleet.local import asking

__all__ = ["session", "summarizer"]

ESCAPED = "\x1b]0;owned\x07"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "verifleet", *arguments]


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT / "shared"), "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}


def run(server: Running, session: str, *arguments: str, code: int = 0) -> str:
    there = ["--url", f"http://127.0.0.1:{server.port}", "--session", session]
    done = subprocess.run(
        command(*arguments, *there), env=environment(), capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == code, done.stderr[-2000:]
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def brief(summarizer: Running, session: str) -> dict[str, Any]:
    told = [
        says(f"12 dead {ESCAPED}[bold]after the storm", count(12), by="ana", minutes=0, against="Officials"),
        says("12 dead after the storm", count(12), by="Civil Protection", source="official", minutes=5),
        says(f"{HOSTILE} 12 dead", count(12), by=HOSTILE, minutes=6),
    ]
    return sent(summarizer, session, *told)[-1]


def test_incidents_are_listed_as_a_table_and_as_json(summarizer: Running, session: str, brief: dict[str, Any]) -> None:
    table = run(summarizer, session, "incidents", "--place", "porto")
    assert brief["incident_id"][:8] in table
    assert "12 dead" in table
    (row,) = json.loads(run(summarizer, session, "incidents", "--since", "2h", "--state", "open", "--json"))
    assert (row["incident_id"], row["reports"]) == (brief["incident_id"], 3)
    assert json.loads(run(summarizer, session, "incidents", "--place", "tulsa", "--json")) == []


def test_an_incident_is_shown_by_the_beginning_of_its_id(
    summarizer: Running, session: str, brief: dict[str, Any]
) -> None:
    shown = run(summarizer, session, "show", brief["incident_id"][:8])
    assert "12 dead" in shown
    assert "Civil Protection" in shown
    assert "verifleet why" in shown
    assert "\x1b" not in shown
    found = json.loads(run(summarizer, session, "show", brief["incident_id"], "--json"))
    assert found["brief"]["revision"] == brief["revision"]
    assert found["revisions"]
    assert "no incident begins with" in run(summarizer, session, "show", "ffff", code=2)
    assert "is not known" in run(summarizer, session, "show", str(uuid.uuid4()), code=2)


def test_why_shows_the_claim_its_verdict_and_each_piece_of_evidence(
    summarizer: Running, session: str, brief: dict[str, Any]
) -> None:
    event_id = brief["event_ids"][0]
    for id in (event_id, f"{event_id}.0"):
        tree = run(summarizer, session, "why", id)
        for part in ("12 dead", "insufficient", "against: 1", "Officials", "says otherwise", f"{event_id}.0"):
            assert part in tree, (part, tree)
        assert "[bold]after the storm" in tree
        assert "\x1b" not in tree
    answer = json.loads(run(summarizer, session, "why", f"{event_id}.0", "--json"))
    assert answer["evidence_against"][0]["source"] == "Officials"
    assert "no report and no claim" in run(summarizer, session, "why", "nothing", code=2)


def test_an_incident_is_exported_with_all_of_its_reports(
    summarizer: Running, session: str, brief: dict[str, Any], tmp_path: Path
) -> None:
    id = brief["incident_id"]
    whole = json.loads(run(summarizer, session, "export", id, "--as", "json"))
    assert {one["event_id"] for one in whole["reports"]} == set(brief["event_ids"])
    assert len(whole["revisions"]) == brief["revision"]
    out = tmp_path / "incident.csv"
    assert run(summarizer, session, "export", id, "--as", "csv", "-o", str(out)) == ""
    rows = list(csv.DictReader(io.StringIO(out.read_bytes().decode(), newline="")))
    assert [row["text"] for row in rows] == [fact["text"] for fact in brief["key_facts"]]
    for form, begins in (("cap", "<?xml"), ("geojson", "{"), ("md", "# Storm")):
        assert run(summarizer, session, "export", id, "--as", form).startswith(begins)
    assert "--as 'pdf': use cap, csv" in run(summarizer, session, "export", id, "--as", "pdf", code=2)


def test_an_officer_decides_and_takes_it_back(summarizer: Running, session: str, brief: dict[str, Any]) -> None:
    id = brief["incident_id"]
    done = json.loads(run(summarizer, session, "act", "confirm", id[:8], "--why", "seen", "--by", "Ana", "--json"))
    assert (done["incident"]["state"], done["act"]["by"]) == ("confirmed", "Ana")
    assert "confirm by Ana: seen" in run(summarizer, session, "show", id)
    assert "is open now" in run(summarizer, session, "act", "undo", done["act"]["act_id"], "--why", "wrong place")
    assert "kind" in run(summarizer, session, "act", "burn", id, "--why", "x", code=2)


def test_following_goes_on_with_what_is_new(summarizer: Running, session: str, brief: dict[str, Any]) -> None:
    url = f"http://127.0.0.1:{summarizer.port}"
    following = subprocess.Popen(
        command("incidents", "--follow", "--type", "storm,fire", "--json", "--url", url, "--session", session),
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert following.stdout is not None
        first = json.loads(following.stdout.readline())
        assert first["incident_id"] == brief["incident_id"]
        fire = {"location": "Tulsa, Oklahoma", "event_type": "fire", "metadata": {"author": "radio"}}
        (other,) = sent(summarizer, session, says("3 injured in Tulsa", count(3, "injured"), minutes=9, event=fire))
        assert other["incident_id"] != brief["incident_id"]
        assert json.loads(following.stdout.readline())["incident_id"] == other["incident_id"]
    finally:
        following.kill()
        following.wait()
        if following.stdout is not None:
            following.stdout.close()


def test_an_agent_that_does_not_answer_is_named(session: str) -> None:
    done = subprocess.run(
        command("incidents", "--url", "http://127.0.0.1:9"),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "http://127.0.0.1:9 does not answer" in done.stderr


def test_a_command_asks_again_while_its_function_restarts_and_acts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content)["act_id"])
        if len(sent) == 1:
            raise httpx.ConnectError("refused")
        return httpx.Response(503 if len(sent) == 2 else 200, json={"act": {}})

    monkeypatch.setattr(asking, "AGAIN_S", 0.0)
    asker = asking.Asker("http://127.0.0.1:9", "s")
    asker._client = httpx.Client(transport=httpx.MockTransport(answer))
    assert asker.act(kind="confirm", reason="seen") == {"act": {}}
    assert len(sent) == 3
    assert len(set(sent)) == 1
