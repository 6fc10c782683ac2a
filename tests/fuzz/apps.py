"""The seven functions' own apps in this process, called over ASGI; what they publish is kept in memory."""

from __future__ import annotations

import asyncio
import base64
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.types import ASGIApp, Message

from tests.functions.processes import FUNCTIONS, ROOT
from tests.fuzz.generator import Request
from verifleet.envelopes import Envelope, parse_envelope
from verifleet.jobs.code_runner import result_envelope, results_message
from verifleet.jobs.runner_keeper import Warmed
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.messaging.topology import CODE_EXECUTIONS, RUNNER_RESULTS
from verifleet.serving import app as app_factories
from verifleet.serving import code
from verifleet.settings import Settings, load_settings
from verifleet.verification import VerificationResult


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class NoRunner:
    """Launches nothing: RunnerAtOnce judges what is published."""

    wanted = 1

    async def ensure(self, backlog: Any) -> None:
        """Nothing to do."""

    async def warm(self, programs: int, stay_s: float) -> Warmed:
        """Nothing to do."""
        return Warmed(0, 0, 0)

    def tasks(self, programs: int) -> int:
        """As many for all."""
        return self.wanted


@dataclass
class RunnerAtOnce(InMemoryPublisher):
    """Keeps what is published, and gives each execution a result as the code runner's topic would."""

    app: ASGIApp | None = None
    under_way: set[asyncio.Task[Answer]] = field(default_factory=set)

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Keep a message; of an execution, deliver a result."""
        await super().publish_raw(topic, data, attributes)
        if topic.startswith(CODE_EXECUTIONS) and self.app is not None:
            task = asyncio.create_task(call(self.app, _result_of(parse_envelope(json.loads(data)))))
            self.under_way.add(task)
            task.add_done_callback(self.under_way.discard)


def _result_of(execution: Envelope[Any]) -> Request:
    judged = {"verifier": "code", "score": 1.0, "status": "scored", "verdict": "correct", "reason": "It ran."}
    result = VerificationResult.model_validate(judged)
    if execution.schema_ == "code_execution_v1":
        data = result_envelope(execution, result, "runner", None).encode()
    else:
        labels = [program.request_id for program in execution.data.requests()]
        results = [result.model_copy(update={"request_id": label}) for label in labels]
        data, _ = results_message(execution, results, "runner", None)
    message = {"data": base64.b64encode(data).decode(), "messageId": "1"}
    push = {"message": message, "subscription": f"projects/p/subscriptions/{RUNNER_RESULTS}"}
    return "POST", "/", [("content-type", "application/json")], json.dumps(push).encode()


def real_apps(folder: Path, publisher: RunnerAtOnce, patch: pytest.MonkeyPatch, **settings: Any) -> dict[str, ASGIApp]:
    """Every function's app as its main.py builds it, on one SQLite store."""
    patch.setattr(app_factories, "PubSubPublisher", lambda settings: publisher)
    patch.setattr(code, "_keeper", lambda settings, store: NoRunner())
    settings.setdefault("store", f"sqlite:///{folder / 'store.db'}")
    settings.setdefault("stream_s", 0.05)
    loaded = load_settings(data_dir=folder, **settings)
    apps = {name: _built(name, loaded, publisher, patch) for name in FUNCTIONS}
    publisher.app = apps["code_verifier"]
    return apps


def _built(name: str, settings: Settings, publisher: RunnerAtOnce, patch: pytest.MonkeyPatch) -> ASGIApp:
    module = _main_of(name)
    if hasattr(module, "PubSubPublisher"):
        patch.setattr(module, "PubSubPublisher", lambda settings: publisher)
    app: ASGIApp = module.build(settings)
    return app


def _main_of(name: str) -> ModuleType:
    # Loading it builds the app from the environment once; only its `build` is wanted.
    spec = importlib.util.spec_from_file_location(f"function_{name}", ROOT / "functions" / name / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    start = app_factories.start
    app_factories.start = lambda function, build: None  # type: ignore[assignment, return-value]
    try:
        spec.loader.exec_module(module)
    finally:
        app_factories.start = start
    return module


async def call(app: ASGIApp, request: Request) -> Answer:
    """One request's answer."""
    method, target, headers, body = request
    raw_path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(raw_path),
        "raw_path": raw_path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (b"host", b"fuzz"),
            (b"content-length", str(len(body)).encode()),
            *((name.encode(), value.encode("latin-1")) for name, value in headers),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    start: Message = {}
    parts: list[bytes] = []

    async def receive() -> Message:
        if given:
            return given.pop()
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    answered = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
    return Answer(start["status"], answered, b"".join(parts))


async def call_all(app: ASGIApp, requests: Sequence[Request], at_once: int = 8) -> list[Answer]:
    """All answers, in order; an exception is the answer 500 that the framework makes of it."""
    waiting = list(enumerate(requests))[::-1]
    answers: dict[int, Answer] = {}

    async def work() -> None:
        while waiting:
            index, request = waiting.pop()
            try:
                answers[index] = await call(app, request)
            except Exception as error:
                answers[index] = Answer(500, {}, repr(error).encode())

    await asyncio.gather(*(work() for _ in range(at_once)))
    return [answers[index] for index in range(len(requests))]
