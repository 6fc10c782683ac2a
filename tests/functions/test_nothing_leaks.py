"""Logs and answers hold neither our secrets nor, whole, what was sent to us."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.functions.processes import FUNCTIONS
from tests.fuzz import generator
from tests.fuzz.apps import RunnerAtOnce, call_all, real_apps
from tests.fuzz.generator import Request
from tests.unit.test_gemini import GeminiServer
from verifleet import observability
from verifleet.observability import JsonFormatter

KEY = "AIza-0123456789-the-key-of-this-test"
MARK = "planted-8d1f"
LONG = "a" * 1500 + MARK + "b" * 1500
JSON = ("content-type", "application/json")


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonFormatter())
        self.printed: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.printed.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observability, "_secrets", ())


def with_mark(value: Any) -> Iterator[Any]:
    """The same JSON with the long text in one place more, each time another; also where none belongs."""
    if isinstance(value, dict):
        for name in value:
            for planted in with_mark(value[name]):
                yield {**value, name: planted}
        yield {**value, LONG: 1}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for planted in with_mark(item):
                yield [*value[:index], planted, *value[index + 1 :]]
    yield LONG


def marked(name: str) -> list[Request]:
    envelopes = [envelope for right in generator._ENVELOPES[name] for envelope in with_mark(right)]
    pushes = [generator._push(json.dumps(envelope).encode(), {"a": LONG}, chance(0)) for envelope in envelopes]
    sent: list[tuple[str, Any]] = [("/", push) for push in pushes]
    sent += [("/", planted) for planted in with_mark(pushes[0])]
    if name in generator.VERIFIERS:
        requests = [planted for right in generator._REQUESTS[name] for planted in with_mark(right)]
        sent += [("/verify", request) for request in requests]
        sent += [("/verify/batch", {"requests": requests})]
        sent += [("/reward", p) for r in generator._REQUESTS[name] for p in with_mark(generator._reward(r))]
    else:
        sent += [("/tasks", envelope) for envelope in envelopes]
        sent += [("/tasks", planted) for planted in with_mark(generator._RAW)]
    made: list[Request] = [("POST", path, [JSON], json.dumps(value).encode()) for path, value in sent]
    made += [("POST", path, [JSON], f'{{"{MARK}": {LONG}'.encode()) for path in ("/", "/verify", "/tasks", "/a2a/rest")]
    made += [("POST", "/", [("content-type", LONG), ("traceparent", LONG)], b"{}"), ("GET", f"/{LONG}", [], b"")]
    return made


def chance(seed: int) -> Any:
    import random

    return random.Random(seed)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_log_holds_what_was_sent_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Lines, name: str
) -> None:
    app = real_apps(tmp_path, RunnerAtOnce(), monkeypatch)[name]
    requests = marked(name)
    answers = asyncio.run(call_all(app, requests))
    assert len(answers) == len(requests) > 40
    assert lines.printed
    assert not [line[:600] for line in lines.printed if MARK in line]


def test_a_defect_logs_no_whole_input(lines: Lines) -> None:
    try:
        raise ValueError(f"can't handle {LONG}\nand {LONG}")
    except ValueError:
        logging.getLogger("verifleet.x").exception("defect in %s", LONG, extra={"fields": {"given": LONG}})
    (line,) = lines.printed
    assert MARK not in line
    assert "can't handle" in json.loads(line)["stack_trace"]


def test_no_log_and_no_error_holds_a_secret(lines: Lines) -> None:
    observability.keep_secret(KEY, None, "short")
    long_before = "x" * (observability.LINE_CHARS - 10)
    try:
        raise ValueError(f"{long_before}{KEY}")
    except ValueError:
        logging.getLogger("verifleet.x").exception("key %s", KEY, extra={"fields": {"url": f"?key={KEY}", "n": [KEY]}})
    with observability.tool("gemini", f"{long_before}{KEY}") as tool_call:
        tool_call.output = {"echo": KEY}
    assert not [line for line in lines.printed if KEY[:9] in line]
    assert observability.redacted("a short text") == "a short text"


def test_a_key_that_gemini_echoes_is_in_no_log_and_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Lines
) -> None:
    server = GeminiServer()
    echo = {"error": {"code": 400, "message": f"API key not valid: {'x' * 190}{KEY}", "status": "INVALID_ARGUMENT"}}
    server.replies = [(400, json.dumps(echo).encode())]
    publisher = RunnerAtOnce()
    settings = {"google_api_key": KEY, "google_gemini_base_url": server.url}
    try:
        apps = real_apps(tmp_path, publisher, monkeypatch, **settings)
        judged = {"prompt": "Capital of France?", "response": "Lyon", "reference": {"answer": "Paris"}}
        sent: dict[str, list[Request]] = {
            "knowledge_verifier": [
                ("POST", "/verify", [JSON], json.dumps({**judged, "options": {"second_opinion": "decide"}}).encode())
            ],
            "verifier_agent": [
                ("POST", "/tasks", [JSON], json.dumps(generator._ENVELOPES["verifier_agent"][0]).encode())
            ],
            "summarizer_agent": [
                ("POST", "/tasks", [JSON], json.dumps(generator._ENVELOPES["summarizer_agent"][0]).encode())
            ],
        }
        answers = [answer for name in sent for answer in asyncio.run(call_all(apps[name], sent[name]))]
    finally:
        server.close()
    assert [answer.status for answer in answers] == [200, 200, 200]
    assert server.requests
    leaks = [line for line in lines.printed if KEY[:9] in line]
    leaks += [str(answer.body) for answer in answers if KEY[:9].encode() in answer.body]
    leaks += [str(message.data) for message in publisher.messages if KEY[:9].encode() in message.data]
    assert not leaks


@pytest.mark.parametrize("name", ["math", "knowledge", "code"])
def test_no_answer_holds_the_reference_of_a_wrong_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    app = real_apps(tmp_path, RunnerAtOnce(), monkeypatch)[f"{name}_verifier"]
    secret: dict[str, Any] = {"answer": "71828459"}
    if name == "code":
        secret = {"entry_point": "f", "cases": [{"args": [], "expected": "71828459"}, {"args": 71828459}]}
    requests: list[Request] = []
    for reference in (secret, [secret], {**secret, "aliases": 71828459}, {**secret, "tests": "71828459"}, "71828459"):
        given = {"prompt": "How many?", "response": "5", "reference": reference}
        requests += [("POST", "/verify", [JSON], json.dumps(given).encode())]
        requests += [("POST", "/verify/batch", [JSON], json.dumps({"requests": [given]}).encode())]
        requests += [("POST", "/reward", [JSON], json.dumps(generator._reward(given)).encode())]
    answers = asyncio.run(call_all(app, requests))
    assert not [answer.body for answer in answers if b"71828459" in answer.body]
