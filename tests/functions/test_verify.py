"""`/verify` and `/verify/batch`: results out in the order of the requests."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.functions.conftest import ExactVerifier
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import InProcessBackend, Pending, verifier_app
from verifleet.settings import Settings
from verifleet.verification import BaseVerifier, VerificationRequest, VerificationResult


def test_a_prompt_may_be_a_list_of_messages(client: TestClient) -> None:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "2+2?"}]
    assert client.post("/verify", json={"prompt": messages, "response": "4"}).json()["details"] == {"asked": "2+2?"}
    body = {"defaults": {"prompt": messages}, "requests": [{"response": "4"}, {"response": "4", "prompt": messages}]}
    results = client.post("/verify/batch", json=body).json()["results"]
    assert [result["details"] for result in results] == [{"asked": "2+2?"}] * 2


def test_a_result_has_every_field_of_the_contract(client: TestClient) -> None:
    body = {"request_id": "r-1", "prompt": "p", "response": "no", "reference": {"answer": "yes"}}
    result = client.post("/verify", json=body).json()
    duration_ms = result.pop("duration_ms")
    assert duration_ms >= 0
    assert result == {
        "request_id": "r-1",
        "verifier": "knowledge",
        "score": 0.0,
        "status": "scored",
        "verdict": "incorrect",
        "reason": "different",
        "details": {"given": "no"},
        "verifier_version": "1",
    }


@pytest.mark.parametrize("response", ["unavailable", "defect"])
def test_a_fault_of_ours_is_an_error_without_a_score(client: TestClient, response: str) -> None:
    answer = client.post("/verify", json={"response": response})
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["score"]) == ("error", None)


def test_a_verifier_that_can_not_be_made_is_an_error_that_names_the_module(
    settings: Settings, publisher: InMemoryPublisher
) -> None:
    def make() -> BaseVerifier:
        import no_such_module  # type: ignore[import-not-found]

        return no_such_module.Verifier()

    with TestClient(verifier_app("math", InProcessBackend(make), settings=settings, publisher=publisher)) as client:
        result = client.post("/verify", json={"response": "1"}).json()
        assert result["status"] == "error"
        assert "no_such_module" in result["reason"]
        batch = client.post("/verify/batch", json={"requests": [{"response": "1"}]}).json()
        assert batch["results"][0]["status"] == "error"


def test_a_batch_keeps_the_order_and_scores_what_is_well_shaped(client: TestClient) -> None:
    requests: list[Any] = [
        {"request_id": "a", "response": "x", "reference": {"answer": "x"}},
        {"request_id": "b", "response": 7},
        "not an object",
        {"request_id": "d", "response": "y", "reference": {"answer": "x"}},
        {"request_id": "e", "response": "z", "options": {"partial": "perhaps"}},
    ]
    answer = client.post("/verify/batch", json={"requests": requests})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["request_id"] for result in results] == ["a", "b", None, "d", "e"]
    assert [result["score"] for result in results] == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert [result["verdict"] for result in results] == ["correct", "malformed", "malformed", "incorrect", "malformed"]
    assert results[1]["details"]["fields"][0]["path"] == "requests.1.response"
    assert results[4]["details"]["fields"][0]["path"] == "requests.4.options.partial"
    summary = answer.json()["summary"]
    assert summary["verdict"] == {"correct": 1, "malformed": 3, "incorrect": 1}
    assert summary["status"] == {"scored": 5}


def test_an_empty_batch_has_no_results(client: TestClient) -> None:
    answer = client.post("/verify/batch", json={"requests": []}).json()
    assert answer["results"] == []
    assert answer["summary"]["count"] == 0


def test_equal_content_is_judged_once_and_keeps_each_label(client: TestClient, verifier: ExactVerifier) -> None:
    requests = [{"request_id": str(number), "response": "same"} for number in range(20)]
    results = client.post("/verify/batch", json={"requests": requests}).json()["results"]
    assert [result["request_id"] for result in results] == [str(number) for number in range(20)]
    assert verifier.judged == ["same"]


def test_defaults_lie_under_each_request_and_options_merge_field_by_field(
    settings: Settings, publisher: InMemoryPublisher
) -> None:
    seen: list[VerificationRequest] = []

    class Recorder:
        async def check(self, request: VerificationRequest) -> VerificationResult:
            raise AssertionError

        async def check_batch(
            self, requests: Sequence[VerificationRequest], deadline: float | None
        ) -> list[VerificationResult]:
            seen.extend(requests)
            return [ExactVerifier().check(request) for request in requests]

    body = {
        "defaults": {
            "prompt": "shared",
            "reference": {"answer": "x"},
            "options": {"partial": True, "limits": {"cpu_s": 2}},
        },
        "requests": [
            {"response": "1"},
            {"response": "2", "prompt": "own", "options": {"tolerance": 0.1}},
            {"response": "3", "reference": {"answer": "y"}, "options": {"partial": False}},
        ],
    }
    with TestClient(verifier_app("knowledge", Recorder(), settings=settings, publisher=publisher)) as client:
        assert client.post("/verify/batch", json=body).status_code == 200
    first, second, third = seen
    assert (first.prompt, first.reference.answer, first.options.partial) == ("shared", "x", True)
    assert (second.prompt, second.options.partial, second.options.tolerance) == ("own", True, 0.1)
    assert (third.reference.answer, third.options.partial, third.options.limits.cpu_s) == ("y", False, 2)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "requests"),
        ({"requests": {}}, "requests"),
        ({"requests": [0] * 50_001}, "requests"),
        ({"requests": [], "defaults": []}, "defaults"),
        ({"requests": [], "defaults": {"response": "x"}}, "defaults.response"),
        ({"requests": [], "defaults": {"options": 3}}, "defaults.options"),
        ({"requests": [{"response": "x"}], "defaults": {"options": {"extrct": "auto"}}}, "defaults.options.extrct"),
        (
            {"requests": [{"response": "x"}], "defaults": {"reference": {"anwser": "x"}}},
            "defaults.reference.answer defaults.reference.anwser",
        ),
        ({"requests": [{"response": "x"}], "defaults": {"prompt": 1}}, "defaults.prompt"),
        ({"requests": [], "default": {"reference": {"answer": "x"}}}, "default"),
        ({"requests": [], "reference": {"answer": "x"}}, "reference"),
        ({"requests": [], "deadline_ms": "soon"}, "deadline_ms"),
        ({"requests": [], "deadline_ms": -1}, "deadline_ms"),
        ({"requests": [], "deadline_ms": True}, "deadline_ms"),
    ],
)
def test_a_batch_of_the_wrong_shape_is_refused(
    settings: Settings, publisher: InMemoryPublisher, body: Any, path: str
) -> None:
    wide = replace(settings, max_http_bytes=10**6)
    with TestClient(
        verifier_app("knowledge", InProcessBackend(ExactVerifier), settings=wide, publisher=publisher)
    ) as client:
        answer = client.post("/verify/batch", json=body)
    assert answer.status_code == 400
    assert [field["path"] for field in answer.json()["error"]["fields"]] == path.split()


def test_a_rows_own_reference_under_a_common_name_lies_over_the_defaults(client: TestClient) -> None:
    requests = [{"response": "x"}, {"response": "y", "label": "y"}, {"response": "y", "label": {"answr": "y"}}]
    body = {"requests": requests, "defaults": {"reference": {"answer": "x"}}}
    results = client.post("/verify/batch", json=body).json()["results"]
    assert [result["score"] for result in results] == [1.0, 1.0, 0.0]
    assert results[2]["details"]["fields"][0]["path"] == "requests.2.label.answer"


def test_defaults_that_would_multiply_a_batch_beyond_bounds_are_refused(client: TestClient) -> None:
    body = {"requests": [{"response": ""}] * 1_000, "defaults": {"prompt": "x" * 40_000}}
    assert client.post("/verify/batch", json=body).status_code == 200
    body["requests"] = [0] * 10_000
    assert client.post("/verify/batch", json=body).status_code == 413


def test_a_deadline_cuts_off_what_was_not_reached(client: TestClient) -> None:
    requests = [{"request_id": str(number), "response": f"slow {number}"} for number in range(60)]
    started = time.monotonic()
    answer = client.post("/verify/batch", json={"requests": requests, "deadline_ms": 500}).json()
    assert time.monotonic() - started < 5
    results = answer["results"]
    assert [result["request_id"] for result in results] == [str(number) for number in range(60)]
    statuses = [result["status"] for result in results]
    assert statuses[0] == "unknown"
    assert "error" in statuses
    assert all(result["score"] is None for result in results if result["status"] == "error")
    assert answer["summary"]["status"]["error"] == statuses.count("error")


def test_nothing_is_judged_after_the_deadline_has_passed(client: TestClient, verifier: ExactVerifier) -> None:
    answer = client.post("/verify/batch", json={"requests": [{"response": "a"}], "deadline_ms": 0}).json()
    assert answer["results"][0]["status"] == "error"
    assert verifier.judged == []


def test_a_batch_stops_when_its_client_goes_away(settings: Settings, publisher: InMemoryPublisher) -> None:
    verifier = ExactVerifier()
    app = verifier_app("knowledge", InProcessBackend(lambda: verifier), settings=settings, publisher=publisher)
    body = json.dumps({"requests": [{"response": f"slow {number}"} for number in range(100)]}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        if len(messages) == 1:
            await asyncio.sleep(0.2)
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/verify/batch", "headers": [], "query_string": b""}
    asyncio.run(app(scope, receive, send))
    assert sent == []
    time.sleep(0.6)
    assert 0 < len(verifier.judged) < 30


def test_a_verification_that_outlasts_the_wait_can_be_asked_for_later(
    settings: Settings, publisher: InMemoryPublisher
) -> None:
    results: dict[str, VerificationResult | Pending] = {"v-1": Pending("v-1")}

    class Later:
        async def check(self, request: VerificationRequest) -> Pending:
            return Pending("v-1")

        async def check_batch(
            self, requests: Sequence[VerificationRequest], deadline: float | None
        ) -> list[VerificationResult]:
            return []

        async def result(self, verification_id: str) -> VerificationResult | Pending | None:
            return results.get(verification_id)

    with TestClient(verifier_app("code", Later(), settings=settings, publisher=publisher)) as client:
        accepted = client.post("/verify", json={"response": "print(1)"})
        assert accepted.status_code == 202
        location = accepted.headers["location"]
        assert location == "/verifications/v-1"
        assert client.get(location).status_code == 202
        results["v-1"] = ExactVerifier().check(VerificationRequest(response="x"))
        assert client.get(location).json()["verdict"] == "unknown"
        unknown = client.get("/verifications/unheard-of")
        assert unknown.status_code == 404
        assert unknown.json()["error"]["code"] == "not_found"


def test_a_verifier_without_stored_results_has_no_route_for_them(client: TestClient) -> None:
    assert client.get("/verifications/v-1").status_code == 404


def test_the_four_metrics_count_by_function_operation_and_outcome(client: TestClient) -> None:
    client.post("/verify", json={"response": "x"})
    client.post("/verify", json={})
    text = client.get("/metrics").text
    assert 'agent_requests_total{function="knowledge_verifier",operation="verify",outcome="ok"}' in text
    assert 'agent_errors_total{function="knowledge_verifier",operation="verify",outcome="rejected"}' in text
    assert 'agent_request_duration_seconds_bucket{function="knowledge_verifier",le="0.001"' in text
    assert "tool_invocations_total" in text
    assert 'operation="health"' not in text
