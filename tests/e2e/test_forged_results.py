"""Results of code that the runner did not send: none is believed, whichever way it comes; the true verdict stands."""

import base64
import json
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.contract.cloud_run_admin import JOB, CloudRunAdmin
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet
from verifleet.local.pulling import pulled
from verifleet.messaging.topology import TOPICS

WRONG = "```python\nprint('not this')\n```"
EVENT_TYPE = "google.cloud.pubsub.topic.v1.messagePublished"


class Place:
    """Broker and code verifier as real processes; a runner is up only while `run` has it run."""

    def __init__(self, folder: Path, admin: CloudRunAdmin) -> None:
        variables = {
            "VERIFLEET_CODE_RUNNER_JOB": JOB,
            "VERIFLEET_RUN_API_ENDPOINT": admin.endpoint,
            "VERIFLEET_RUNNER_IDLE_S": "0.5",
        }
        self.fleet = Fleet(folder, free_addresses(), variables)
        self.fleet.members = [one for one in self.fleet.members if one.name in ("broker", "code_verifier")]
        self.fleet.start()
        self.http = httpx.Client(base_url=self.fleet.addresses.url("code_verifier"), timeout=60)

    def ask(self, **fields: str) -> str:
        """The id of a verification that waits for a runner; its program is wrong."""
        reference = {"language": "python", "tests": [{"input": "", "output": uuid.uuid4().hex}]}
        body = {"response": WRONG, "reference": reference, "options": {"wait_s": 0}, **fields}
        answer = self.http.post("/verify", json=body)
        assert answer.status_code == 202
        return str(answer.json()["verification_id"])

    def run(self) -> None:
        """Have a runner judge all that waits."""
        command = [sys.executable, "-m", "verifleet.jobs.code_runner"]
        subprocess.run(command, env=self.fleet.environment, check=True, timeout=60, capture_output=True)

    def verdict(self, verification_id: str) -> Any:
        """(HTTP status, score) of a verification."""
        answer = self.http.get(f"/verifications/{verification_id}")
        return answer.status_code, answer.json().get("score")

    def judged(self, verification_id: str) -> Any:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.verdict(verification_id)[0] != 200:
            time.sleep(0.05)
        return self.verdict(verification_id)

    def refused(self) -> dict[str, int]:
        """How many results were refused, by why."""
        found = re.findall(r'refused_results_total\{.*?why="(\w+)"\} (\d+)', self.http.get("/metrics").text)
        return {why: int(count) for why, count in found}

    def kept(self, topic: str, count: int) -> list[dict[str, Any]]:
        """The data of what is in a topic's archive, once it has `count` messages or time is up."""
        messages: list[dict[str, Any]] = []
        with self.fleet.clients() as (_, subscriber):
            name = f"projects/{self.fleet.project}/subscriptions/{topic}.archive"
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and len(messages) < count:
                received = pulled(subscriber, name, 200, 0.5)
                if received:
                    subscriber.acknowledge(subscription=name, ack_ids=[item.ack_id for item in received])
                messages += [json.loads(item.message.data) for item in received]
        return messages

    def publish(self, topic: str, envelope: dict[str, Any]) -> None:
        with self.fleet.clients() as (publisher, _):
            path = f"projects/{self.fleet.project}/topics/{topic}"
            attributes = {"schema": envelope["schema"], "session_id": "s", "verifier": "code"}
            publisher.publish(path, json.dumps(envelope).encode(), **attributes).result(timeout=15)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with CloudRunAdmin() as admin:
        place = Place(tmp_path, admin)
        try:
            yield place
        finally:
            place.http.close()
            place.fleet.stop()


def result(verification_id: str, **more: Any) -> dict[str, Any]:
    """A result as the runner would send it, with a verdict that somebody would like."""
    data = {"verifier": "code", "score": 1.0, "status": "scored", "verdict": "correct", "reason": "All passed."}
    return envelope("verification_result_v1", {**data, "verification_id": verification_id, **more})


def execution(verification_id: str, **more: Any) -> dict[str, Any]:
    """An execution as the watchdog gets it, which at its last attempt becomes an error."""
    data = {"verification_id": verification_id, "prompt": "", "response": WRONG}
    reference = {"language": "python", "tests": [{"input": "", "output": "x"}]}
    return envelope("code_execution_v1", {**data, "reference": reference, **more})


def envelope(schema: str, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": schema,
        "session_id": "default",
        "timestamp": "2026-05-01T10:00:00Z",
        "source_agent": "code_runner",
        "payload": {"type": schema.removesuffix("_v1"), "data": data},
        "metadata": {"envelope_id": str(uuid.uuid4())},
    }


def push(data: dict[str, Any], subscription: str) -> dict[str, Any]:
    message = {"data": base64.b64encode(json.dumps(data).encode()).decode(), "messageId": uuid.uuid4().hex}
    attributes = {"schema": data["schema"], "verifier": "code"}
    name = f"projects/verifleet-local/subscriptions/{subscription}"
    return {"subscription": name, "message": {**message, "attributes": attributes}, "deliveryAttempt": 20}


def plain(client: httpx.Client, body: dict[str, Any]) -> httpx.Response:
    return client.post("/", json=body)


def binary_event(client: httpx.Client, body: dict[str, Any]) -> httpx.Response:
    return client.post("/", json=body, headers={"ce-id": "1", "ce-specversion": "1.0", "ce-type": EVENT_TYPE})


def structured_event(client: httpx.Client, body: dict[str, Any]) -> httpx.Response:
    event = {"specversion": "1.0", "id": "1", "source": "//pubsub", "type": EVENT_TYPE, "data": body}
    return client.post("/", content=json.dumps(event), headers={"Content-Type": "application/cloudevents+json"})


def structured_in_base64(client: httpx.Client, body: dict[str, Any]) -> httpx.Response:
    data = base64.b64encode(json.dumps(body).encode()).decode()
    event = {"specversion": "1.0", "id": "1", "source": "//pubsub", "type": EVENT_TYPE, "data_base64": data}
    return client.post("/", content=json.dumps(event), headers={"Content-Type": "application/cloudevents+json"})


DELIVERIES: tuple[Callable[[httpx.Client, dict[str, Any]], httpx.Response], ...] = (
    plain,
    binary_event,
    structured_event,
    structured_in_base64,
)
SUBSCRIPTIONS = (
    "code-results.code_verifier",
    "verification-results.code_verifier",
    "verification-requests.code_verifier",
    "code-executions.watchdog",
)
PROOFS = ("", "0" * 64, None, 7, "\ud800")


def forge_over_http(place: Place, ids: list[str]) -> int:
    """Every form of delivery over every subscription, with results and executions; how many were sent."""
    sent = 0
    for deliver in DELIVERIES:
        for subscription in SUBSCRIPTIONS:
            for verification_id in ids:
                proof = PROOFS[sent % len(PROOFS)]
                assert deliver(place.http, push(result(verification_id, proof=proof), subscription)).status_code == 204
                last = push(execution(verification_id, proof=str(proof)), subscription)
                assert deliver(place.http, last).status_code == 204
                sent += 2
    return sent


def forge_over_topics(place: Place, ids: list[str]) -> int:
    """Every topic that somebody could publish to; how many of these messages reach the code verifier."""
    for topic in TOPICS:
        for verification_id in ids:
            place.publish(topic, result(verification_id))
            place.publish(topic, execution(verification_id))
    # Both over verification-requests, code-results and two watchdogs; and what the runner makes of two executions.
    return 10 * len(ids)


def refuse_bare(place: Place, ids: list[str]) -> None:
    """Bodies that are no delivery are refused as such."""
    for verification_id in ids:
        assert place.http.post("/", json=result(verification_id)).status_code == 400
        assert place.http.put(f"/verifications/{verification_id}", json=result(verification_id)).status_code == 405
        assert place.http.post(f"/verifications/{verification_id}", json=result(verification_id)).status_code == 405


def test_a_forged_result_is_never_stored_whichever_way_it_comes(place: Place) -> None:
    finished = place.ask()
    place.run()
    assert place.judged(finished) == (200, 0.0)
    pending, unknown = place.ask(), str(uuid.uuid4())
    ids = [finished, pending, unknown]

    refuse_bare(place, ids)
    over_http = forge_over_http(place, ids)
    over_topics = forge_over_topics(place, ids)
    assert len(DELIVERIES) * len(SUBSCRIPTIONS) + len(TOPICS) > 20

    # Forged executions are judged too, for whoever sent them: what comes of them proves nothing.
    place.run()
    assert place.judged(pending) == (200, 0.0)
    assert [place.verdict(one) for one in ids] == [(200, 0.0), (200, 0.0), (404, None)]

    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and sum(place.refused().values()) < over_http + over_topics:
        time.sleep(0.1)
    assert sum(place.refused().values()) == over_http + over_topics
    assert set(place.refused()) == {"origin", "unproven"}
    published = [one for one in place.kept("verification-results", 2 + 6) if one["source_agent"] == "code_verifier"]
    assert sorted(one["payload"]["data"]["verification_id"] for one in published) == sorted([finished, pending])
    assert [one["payload"]["data"]["score"] for one in published] == [0.0, 0.0]


def test_a_second_and_different_result_is_tampering_and_the_first_one_stands(place: Place) -> None:
    verification_id = place.ask()
    with place.fleet.clients() as (_, subscriber):
        name = f"projects/{place.fleet.project}/subscriptions/code-executions.code_runner"
        (received,) = pulled(subscriber, name, 1, 10)
        subscriber.acknowledge(subscription=name, ack_ids=[received.ack_id])
    proof = json.loads(received.message.data)["payload"]["data"]["proof"]

    right = {"score": 0.25, "verdict": "partial", "proof": proof}
    place.publish("code-results", result(verification_id, **right))
    assert place.judged(verification_id) == (200, 0.25)
    place.publish("code-results", result(verification_id, **right, duration_ms=3.0))
    place.publish("code-results", result(verification_id, proof=proof))
    dead = place.kept("dead-letters", 1)
    assert [one["payload"]["data"]["score"] for one in dead] == [1.0]
    assert place.refused() == {"different": 1}
    assert place.verdict(verification_id) == (200, 0.25)

    published = place.kept("verification-results", 2)
    assert len({json.dumps(one) for one in published}) == 1, "a result that comes again goes out word for word"
    answers = [*published, place.http.get(f"/verifications/{verification_id}").json()]
    assert not [one for one in answers if proof in json.dumps(one)]


def test_a_request_can_not_choose_its_id_or_its_proof(place: Place) -> None:
    finished = place.ask()
    place.run()
    assert place.judged(finished) == (200, 0.0)
    other = place.ask(verification_id=finished, proof="0" * 64)
    assert other != finished
    place.run()
    assert place.judged(other) == (200, 0.0)
    assert place.refused() == {}
