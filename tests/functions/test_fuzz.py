"""No request makes a route fail: anything is judged, or refused in the one shape of errors."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.functions.conftest import ExactVerifier, bare_events, raw_event
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import InProcessBackend, agent_app, verifier_app
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore
from verifleet.verification import BaseVerifier, VerifierName

EXAMPLES = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
NAMES: tuple[VerifierName, ...] = ("math", "knowledge", "format")

texts = st.text(st.characters(), max_size=12) | st.sampled_from(["", "\ud800", "\x00", "42", "json", "http://[", "<a>"])
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
names = st.sampled_from(
    "prompt response reference options answer aliases key_terms format json_schema columns all_of weights partial "
    "limits tolerance wait_s request_id requests defaults deadline_ms example references contents parts text message "
    "data subscription messageId attributes schema session_id timestamp source_agent payload type metadata".split()
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | texts, inner, max_size=5), max_leaves=20
)
odd = st.one_of(values, texts)
requests = st.fixed_dictionaries(
    {"response": texts},
    optional={
        "prompt": odd,
        "request_id": odd,
        "options": st.dictionaries(names, values, max_size=3),
        "reference": st.fixed_dictionaries(
            {},
            optional={"answer": odd, "aliases": odd, "format": st.sampled_from(["json", "csv", "xml"]), "weights": odd},
        )
        | values,
    },
)


@pytest.fixture(scope="module")
def verifiers() -> dict[str, TestClient]:
    def made(name: VerifierName) -> BaseVerifier:
        from verifleet.verifiers.format import FormatVerifier
        from verifleet.verifiers.math import MathVerifier

        kinds: dict[str, type[BaseVerifier]] = {
            "math": MathVerifier,
            "knowledge": ExactVerifier,
            "format": FormatVerifier,
        }
        return kinds[name]()

    common: dict[str, Any] = {"settings": load_settings(), "publisher": InMemoryPublisher()}
    return {
        name: TestClient(verifier_app(name, InProcessBackend(lambda name=name: made(name)), **common)) for name in NAMES
    }


def checked(response: Any) -> Any:
    body = json.loads(response.content.decode("ascii")) if response.content else None
    assert response.status_code in (200, 204, 400, 413), response.text
    if response.status_code >= 400:
        error = body["error"]
        assert set(error) == {"code", "message", "fields"}
        assert all(set(field) == {"path", "problem"} for field in error["fields"])
    return body


def sent(client: TestClient, route: str, value: Any) -> Any:
    return client.post(route, content=json.dumps(value).encode(), headers={"content-type": "application/json"})


@pytest.mark.parametrize("name", NAMES)
@given(request=requests)
@EXAMPLES
def test_any_request_is_judged_or_refused(verifiers: dict[str, TestClient], name: str, request: Any) -> None:
    answer = sent(verifiers[name], "/verify", request)
    body = checked(answer)
    if answer.status_code == 200:
        assert body["status"] in ("scored", "unknown"), body
        assert 0.0 <= body["score"] <= 1.0
        assert body["request_id"] == request.get("request_id")


@given(route=st.sampled_from(["/verify", "/verify/batch", "/reward", "/"]), value=values | requests)
@EXAMPLES
def test_any_json_on_any_route_is_answered(verifiers: dict[str, TestClient], route: str, value: Any) -> None:
    checked(sent(verifiers["knowledge"], route, value))


@given(items=st.lists(requests | values, max_size=4), defaults=st.dictionaries(names, values, max_size=3) | values)
@EXAMPLES
def test_any_batch_gives_as_many_results_or_is_refused(
    verifiers: dict[str, TestClient], items: list[Any], defaults: Any
) -> None:
    answer = sent(verifiers["knowledge"], "/verify/batch", {"requests": items, "defaults": defaults})
    body = checked(answer)
    if answer.status_code == 200:
        assert len(body["results"]) == len(items)


@given(
    references=st.dictionaries(names | texts, texts, max_size=3) | values,
    contents=st.lists(st.fixed_dictionaries({"parts": st.lists(st.fixed_dictionaries({"text": texts}))})) | values,
    response=st.fixed_dictionaries({"parts": st.lists(st.fixed_dictionaries({"text": texts}))}) | values,
)
@EXAMPLES
def test_any_reward_call_is_answered(
    verifiers: dict[str, TestClient], references: Any, contents: Any, response: Any
) -> None:
    example = {"contents": contents, "references": references}
    for client in verifiers.values():
        body = checked(sent(client, "/reward", {"example": example, "response": response}))
        assert "error" in body or 0.0 <= body["reward"] <= 1.0


@given(body=st.binary(max_size=60))
@EXAMPLES
def test_any_bytes_are_answered(verifiers: dict[str, TestClient], body: bytes) -> None:
    checked(verifiers["knowledge"].post("/verify", content=body, headers={"content-type": "application/json"}))


@given(value=values, change=st.dictionaries(names, values, max_size=2), bare=st.booleans())
@EXAMPLES
def test_any_task_is_handled_or_refused(
    tmp_path_factory: pytest.TempPathFactory, event_maker: Any, value: Any, change: Any, bare: bool
) -> None:
    app = agent_app(
        "ingest_agent",
        profile=ingest_profile(),
        expects=("raw_event_v1",),
        handler=event_maker,
        settings=load_settings(),
        store=SqliteStore(tmp_path_factory.getbasetemp() / "fuzz.db"),
        publisher=InMemoryPublisher(),
        coerce=bare_events,
    )
    checked(sent(TestClient(app), "/tasks", value if bare else raw_event("x") | change))
