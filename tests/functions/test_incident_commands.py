"""`verifleet incidents`, `show`, `why` and `export` against a real summarizer agent."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import uuid
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from typer.testing import CliRunner

from tests.functions.processes import ROOT, Running
from tests.functions.test_incident_routes import HOSTILE, sent, session, summarizer
from tests.unit.facts import count, says
from verifleet import cli
from verifleet.commands import desk_client, incidents
from verifleet.commands.act import act_command
from verifleet.commands.options import fleet_options
from verifleet.commands.show import show_command
from verifleet.errors import ShapeError
from verifleet.instants import read_instant
from verifleet.settings import load_settings

__all__ = ["session", "summarizer"]

ESCAPED = "\x1b]0;owned\x07"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "verifleet", *arguments]


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT / "shared"), "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}


def run(server: Running, session: str, *arguments: str, code: int = 0) -> str:
    there = ["--url", f"http://127.0.0.1:{server.port}", "--session", session]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["verifleet", *arguments, *there])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    assert (ended.value.code or 0) == code, err.getvalue()[-2000:]
    return out.getvalue() if code == 0 else err.getvalue()


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
    assert "12 people have died" in table
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


def here(server: Running, session: str) -> dict[str, str]:
    return {"url": f"http://127.0.0.1:{server.port}", "session": session}


def test_a_list_can_be_ordered_and_says_that_there_are_others(
    summarizer: Running, session: str, brief: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    late = brief["reported_at"]
    fire = {"location": "Tulsa, Oklahoma", "event_type": "fire", "metadata": {"author": "radio"}}
    sent(summarizer, session, says("3 injured in Tulsa", count(3, "injured"), minutes=-9, event=fire))
    listed: dict[str, list[Any]] = {}
    for order in incidents.Order:
        incidents.incidents_command(sort=order, as_json=True, **here(summarizer, session))
        listed[order] = [(row["event_type"], row["reports"]) for row in json.loads(capsys.readouterr().out)]
    assert listed["changed"] == [("fire", 1), ("storm", 3)]
    assert listed["severity"] == listed["reports"] == listed["reported"] == [("storm", 3), ("fire", 1)]
    incidents.incidents_command(most=1, sort=incidents.Order.reported, **here(summarizer, session))
    table = capsys.readouterr().out
    assert "1 of 2: --most 2" in table
    assert read_instant(late).strftime("%H:%M") in table
    incidents.incidents_command(most=1, **here(summarizer, session))
    assert "1 of more: --most 2" in capsys.readouterr().out
    incidents.incidents_command(most=2, **here(summarizer, session))
    assert "--most" not in capsys.readouterr().out


def test_an_incident_that_is_shown_names_itself_and_what_can_be_done_with_it(
    summarizer: Running, session: str, brief: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    chatter = says("thoughts and prayers for Porto", by="eve", minutes=20).model_copy(update={"verified_claims": []})
    sent(summarizer, session, chatter)
    show_command(brief["incident_id"][:8], **here(summarizer, session))
    shown = capsys.readouterr().out
    there = f"--url http://127.0.0.1:{summarizer.port} --session {session}"
    assert f"Incident {brief['incident_id']}\n" in shown
    for command in (f"why {brief['event_ids'][1]}.0", f"act confirm {brief['incident_id']} --why '...'"):
        assert f"verifleet {command} {there}" in shown
    reports = shown.partition("\nReports\n")[2]
    assert reports.index("Civil Protection") < reports.index("thoughts and prayers")


def test_several_incidents_are_merged_into_one_at_once(
    summarizer: Running, session: str, brief: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    places = ("Tulsa, Oklahoma", "Leeds, England")
    others = [
        sent(summarizer, session, says(f"3 injured in {place}", count(3, "injured"), event={"location": place}))[0]
        for place in places
    ]
    ids = [one["incident_id"] for one in others]
    act_command("merge", ids, "one storm", into=brief["incident_id"], **here(summarizer, session))
    assert capsys.readouterr().out.count("is merged now") == 2
    incidents.incidents_command(as_json=True, **here(summarizer, session))
    assert [row["incident_id"] for row in json.loads(capsys.readouterr().out)] == [brief["incident_id"]]


def test_commands_ask_about_the_session_and_the_fleet_that_publish_takes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk_client, "settings", load_settings)
    assert desk_client.Asker(None, None).session is None  # whichever the agent's is
    monkeypatch.setenv("VERIFLEET_DEFAULT_SESSION", "night shift")
    monkeypatch.setenv("VERIFLEET_PORT_OFFSET", "4000")
    assert desk_client.Asker(None, None).session == "night shift"
    assert fleet_options(None, "night shift", 4000) == ""
    assert fleet_options(None, "day shift", 5000) == " --session 'day shift' --port-offset 5000"
    asked: list[tuple[Any, ...]] = []

    def ask(*given: Any) -> Any:
        asked.append(given)
        raise ShapeError("it was only asked")

    for module in ("incidents", "show", "why", "export", "act"):
        monkeypatch.setattr(f"verifleet.commands.{module}.Asker", ask)
    monkeypatch.setattr("verifleet.commands.publish.publish_file", ask)
    monkeypatch.setattr(cli, "app", app := typer.Typer())
    app.command("publish")(cli.publish)
    cli._add_sub_commands()
    for line in ("incidents", "show X", "why X", "export X", "act confirm X --why x", f"publish {__file__}"):
        CliRunner().invoke(app, line.split())
    assert [one[-1] for one in asked] == [4000] * 6


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

    monkeypatch.setattr(desk_client, "AGAIN_S", 0.0)
    asker = desk_client.Asker("http://127.0.0.1:9", "s")
    asker._client = httpx.Client(transport=httpx.MockTransport(answer))
    assert asker.act(kind="confirm", reason="seen") == {"act": {}}
    assert len(sent) == 3
    assert len(set(sent)) == 1
