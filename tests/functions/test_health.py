"""`GET /health`: what is away, known without asking for it."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.functions.conftest import EventMaker, ExactVerifier, raw_event
from verifleet.code_languages import languages_line
from verifleet.messaging.publisher import InMemoryPublisher, PubSubPublisher
from verifleet.outage import KNOWN_FOR_S, REST_S, Outage
from verifleet.serving import health
from verifleet.serving.app import InProcessBackend, agent_app, verifier_app
from verifleet.serving.asking import GeminiPart
from verifleet.serving.code import CodeDispatch
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import Settings, load_settings
from verifleet.storage.sqlite import SqliteStore


@contextmanager
def agent_on(store: SqliteStore, settings: Settings, publisher: object) -> Iterator[TestClient]:
    app = agent_app(
        "ingest_agent",
        expects=("raw_event_v1",),
        handler=EventMaker(),
        settings=settings,
        store=store,
        profile=ingest_profile(),
        publisher=publisher,  # type: ignore[arg-type]
    )
    with TestClient(app) as client:
        yield client


def push(client: TestClient, content: str) -> int:
    import base64

    from tests.functions.conftest import as_json

    data = base64.b64encode(as_json(raw_event(content))).decode()
    body = {"message": {"data": data, "messageId": content}, "subscription": "raw-events.ingest_agent"}
    return client.post("/", json=body).status_code


def test_a_store_that_is_away_is_named_with_the_reason_and_gone_from_it_when_it_is_back(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LOOK_EVERY_S", 0.0)
    path, elsewhere = tmp_path / "store.db", tmp_path / "elsewhere.db"
    with agent_on(SqliteStore(path), settings, InMemoryPublisher()) as client:
        assert push(client, "a") == 204
        assert client.get("/health").json() == {"status": "ok", "function": "ingest_agent"}
        path.rename(elsewhere)
        assert push(client, "b") == 503
        answer = client.get("/health")
        assert answer.status_code == 503
        told = answer.json()
        assert (told["status"], told["away"]) == ("unavailable", ["store"])
        assert "store.db is gone" in told["reasons"]["store"]
        elsewhere.rename(path)
        assert client.get("/health").status_code == 200, "it is looked at without a request that needs it"
        assert push(client, "b") == 204


def test_a_publisher_that_is_away_is_named(tmp_path: Path, settings: Settings) -> None:
    nobody = replace(settings, pubsub_emulator_host="127.0.0.1:9", publish_timeout_s=0.3)
    with agent_on(SqliteStore(tmp_path / "store.db"), settings, PubSubPublisher(nobody)) as client:
        assert push(client, "a") == 503
        assert client.get("/health").json()["away"] == ["pubsub"]


def test_a_verifier_says_when_its_backend_is_away(settings: Settings) -> None:
    class Busy(InProcessBackend):
        def away(self) -> str | None:
            return "no worker is free"

    app = verifier_app("knowledge", Busy(ExactVerifier), settings=settings, publisher=InMemoryPublisher())
    with TestClient(app) as client:
        answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == {"workers": "no worker is free"}


def test_asking_for_health_waits_for_nothing_and_asks_seldom() -> None:
    asked = 0

    async def look() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(60)

    async def work() -> float:
        state = health.Health("f")
        state.add("store", lambda: "away", look)
        started = time.monotonic()
        for _ in range(50):
            assert (await state.answer(None)).status_code == 503  # type: ignore[arg-type]
        for task in state._looking:
            task.cancel()
        return time.monotonic() - started

    assert asyncio.run(work()) < health.LOOK_FOR_S + 2.0
    assert asked == 1


def test_an_outage_is_logged_once_rests_after_a_long_wait_and_is_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    now = 1000.0
    outage = Outage("store", lambda: now)
    assert outage.away() is None
    for _ in range(3):
        outage.failed("the store does not answer", waited=True)
    assert outage.resting() == outage.away() == "the store does not answer"
    now += REST_S + 0.1
    assert outage.resting() is None
    assert outage.away() is not None
    outage.answered(write=False)
    assert outage.away() is not None, "it was a write that failed"
    outage.answered()
    assert outage.away() is None
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    outage.failed("again", waited=False)
    assert outage.resting() is None
    now += KNOWN_FOR_S + 0.1
    assert outage.away() is None


def test_health_names_the_languages_whose_programs_can_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(**more: Any) -> Any:
        settings = load_settings(google_cloud_project="test-project", **more)
        dispatch = CodeDispatch(settings, SqliteStore(tmp_path / "store.db"), InMemoryPublisher())
        with TestClient(verifier_app("code", dispatch, settings=settings, publisher=InMemoryPublisher())) as client:
            return client.get("/health").json()["languages"]

    (tmp_path / "g++").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert told() == ["python", "sql", "cpp"]
    assert languages_line() == "python, sql, cpp; not installed: javascript (no node on the PATH)"
    job = "projects/p/locations/l/jobs/code-runner"
    assert told(code_runner_job=job) == ["python", "javascript", "sql"]
    assert told(code_runner_job=job, sandbox_languages=("cpp",)) == ["python", "javascript", "sql", "cpp"]


def test_whether_gemini_is_on_is_in_health_and_in_the_agent_card(tmp_path: Path) -> None:
    for settings, told in ((load_settings(), {"on": False}), (load_settings(google_api_key="k"), {"on": True})):
        app = agent_app(
            "verifier_agent",
            expects=("event_v1",),
            handler=EventMaker(),
            settings=settings,
            store=SqliteStore(tmp_path / "store.db"),
            profile=ingest_profile(),
            publisher=InMemoryPublisher(),
            gemini=GeminiPart(settings),
        )
        with TestClient(app) as client:
            shown = client.get("/health").json()
            assert (shown["status"], shown["gemini"]["on"]) == ("ok", told["on"])
            card = client.get("/.well-known/agent-card.json").json()
            assert ("Gemini is on" if told["on"] else "Gemini is off") in card["description"]
