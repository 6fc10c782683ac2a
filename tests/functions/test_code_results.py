"""What the code verifier does with a result of the runner, delivery by delivery."""

import base64
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.fuzz.apps import NoRunner
from verifleet.errors import PublishError
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import verifier_app
from verifleet.serving.code import EXPECTS, GIVE_UP_AT, CodeDispatch
from verifleet.settings import Settings
from verifleet.storage.sqlite import SqliteStore

RESULTS, WATCHDOG = "code-results.code_verifier", "code-executions.watchdog"


@pytest.fixture
def code(settings: Settings, publisher: InMemoryPublisher, tmp_path: Path) -> Iterator[TestClient]:
    dispatch = CodeDispatch(settings, SqliteStore(tmp_path / "store.db"), publisher, NoRunner())
    app = verifier_app(
        "code", dispatch, settings=settings, publisher=publisher, expects=EXPECTS, handler=dispatch.handle
    )
    with TestClient(app) as client:
        yield client


def asked(code: TestClient, publisher: InMemoryPublisher) -> dict[str, Any]:
    """The execution that a request becomes."""
    reference = {"language": "python", "tests": [{"input": "", "output": "1"}]}
    body = {"response": "```python\nprint(1)\n```", "reference": reference, "options": {"wait_s": 0}}
    assert code.post("/verify", json=body).status_code == 202
    sent: dict[str, Any] = json.loads(publisher.to("code-executions")[-1].data)
    return sent


def judged(execution: dict[str, Any], score: float | None = 1.0, **more: Any) -> dict[str, Any]:
    """The result that a runner sends for an execution."""
    given = execution["payload"]["data"]
    verdict = {None: ("error", "error"), 0.0: ("scored", "incorrect")}.get(score, ("scored", "correct"))
    data = {"verifier": "code", "score": score, "status": verdict[0], "verdict": verdict[1], "reason": "So it is."}
    about = {"verification_id": given["verification_id"], "proof": given["proof"]}
    envelope = {key: execution[key] for key in ("session_id", "timestamp", "source_agent")}
    return {
        **envelope,
        "schema": "verification_result_v1",
        "payload": {"type": "verification_result", "data": {**data, **about, **more}},
        "metadata": {"envelope_id": str(uuid.uuid4())},
    }


def deliver(code: TestClient, data: dict[str, Any], subscription: str = RESULTS, attempt: int = 1) -> int:
    message = {"data": base64.b64encode(json.dumps(data).encode()).decode(), "messageId": uuid.uuid4().hex}
    name = f"projects/p/subscriptions/{subscription}"
    return code.post("/", json={"subscription": name, "message": message, "deliveryAttempt": attempt}).status_code


def stored(code: TestClient, execution: dict[str, Any]) -> Any:
    answer = code.get(f"/verifications/{execution['payload']['data']['verification_id']}")
    return (answer.status_code, answer.json().get("score"), answer.json()["status"])


def test_a_result_whose_publishing_failed_is_published_by_its_redelivery(
    code: TestClient, publisher: InMemoryPublisher
) -> None:
    execution = asked(code, publisher)
    result = judged(execution)
    publisher.failure = PublishError("away")
    assert deliver(code, result) == 503
    assert stored(code, execution) == (200, 1.0, "scored")
    publisher.failure = None
    assert deliver(code, result) == 204
    assert deliver(code, judged(execution, duration_ms=7.0)) == 204
    first, second = publisher.to("verification-results")
    assert first == second
    assert first.attributes["verifier"] == "code"
    assert execution["payload"]["data"]["proof"] not in first.data.decode()
    assert publisher.to("dead-letters") == []


def test_a_verdict_that_nobody_waits_for_is_counted_once(code: TestClient, publisher: InMemoryPublisher) -> None:
    def counted() -> list[float]:
        lines = code.get("/metrics").text.splitlines()
        told = [line for line in lines if line.startswith("verdicts_total{") and 'verdict="incorrect"' in line]
        return [float(line.rpartition(" ")[2]) for line in told]

    before = sum(counted())
    execution = asked(code, publisher)
    for result in (judged(execution, 0.0), judged(execution, 0.0), judged(execution)):
        deliver(code, result)
    assert sum(counted()) == before + 1


@pytest.mark.parametrize(("score", "dead"), [(0.0, 1), (None, 0)])
def test_the_first_result_stands_whatever_comes_after_it(
    code: TestClient, publisher: InMemoryPublisher, score: float | None, dead: int
) -> None:
    execution = asked(code, publisher)
    assert deliver(code, judged(execution)) == 204
    assert deliver(code, judged(execution, score)) == 204
    assert stored(code, execution) == (200, 1.0, "scored")
    assert len(publisher.to("dead-letters")) == dead
    assert {json.loads(one.data)["payload"]["data"]["score"] for one in publisher.to("verification-results")} == {1.0}


def test_the_watchdog_gives_up_with_an_error_and_again_when_that_could_not_be_published(
    code: TestClient, publisher: InMemoryPublisher
) -> None:
    execution = asked(code, publisher)
    publisher.failure = PublishError("away")
    assert deliver(code, execution, WATCHDOG, GIVE_UP_AT) == 503
    publisher.failure = None
    assert deliver(code, execution, WATCHDOG, GIVE_UP_AT + 1) == 204
    (error,) = publisher.to("verification-results")
    assert json.loads(error.data)["payload"]["data"]["status"] == "error"
    assert stored(code, execution) == (200, None, "error")
    # What comes after that is told apart from tampering, and kept.
    assert deliver(code, judged(execution)) == 204
    assert stored(code, execution) == (200, None, "error")
    (late,) = publisher.to("dead-letters")
    assert "too late" in late.attributes["reason"]


@pytest.mark.parametrize("change", [{"proof": ""}, {"proof": "0" * 64}, {"verification_id": "another"}])
def test_a_forged_last_attempt_makes_no_error(
    code: TestClient, publisher: InMemoryPublisher, change: dict[str, str]
) -> None:
    execution = asked(code, publisher)
    forged = {**execution, "payload": {"type": "code_execution", "data": {**execution["payload"]["data"], **change}}}
    assert deliver(code, forged, WATCHDOG, 20) == 204
    assert stored(code, execution)[0] == 202
    assert publisher.to("verification-results") == []
    assert len(publisher.to("dead-letters")) == 1


def test_a_true_result_outlives_the_watchdogs_last_attempt(code: TestClient, publisher: InMemoryPublisher) -> None:
    execution = asked(code, publisher)
    assert deliver(code, judged(execution)) == 204
    assert deliver(code, execution, WATCHDOG, 20) == 204
    assert stored(code, execution) == (200, 1.0, "scored")
    first, second = publisher.to("verification-results")
    assert first == second


def test_a_result_over_another_subscription_is_refused_though_its_proof_holds(
    code: TestClient, publisher: InMemoryPublisher
) -> None:
    execution = asked(code, publisher)
    for subscription in ("verification-results.code_verifier", "verification-requests.code_verifier", WATCHDOG):
        assert deliver(code, judged(execution), subscription) == 204
    assert stored(code, execution)[0] == 202
    assert len(publisher.to("dead-letters")) == 3
    assert 'refused_results_total{function="code_verifier",why="origin"}' in code.get("/metrics").text


def test_instances_that_share_a_store_share_the_key(settings: Settings, tmp_path: Path) -> None:
    publisher = InMemoryPublisher()
    apps = []
    for _ in range(2):
        dispatch = CodeDispatch(settings, SqliteStore(tmp_path / "store.db"), publisher, NoRunner())
        given = {"settings": settings, "publisher": publisher, "expects": EXPECTS, "handler": dispatch.handle}
        apps.append(verifier_app("code", dispatch, **given))
    with TestClient(apps[0]) as one, TestClient(apps[1]) as other:
        execution = asked(one, publisher)
        assert deliver(other, judged(execution)) == 204
        assert stored(one, execution) == (200, 1.0, "scored")
