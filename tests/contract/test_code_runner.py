"""The code runner against a real broker; what judges is as quick as can be."""

import json
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contract.broker_backends import BrokerProcess
from verifleet.envelopes import CodeExecutionData, make_envelope
from verifleet.jobs import code_runner
from verifleet.jobs.code_runner import Runner
from verifleet.messaging.topology import CODE_EXECUTIONS, DEAD_LETTERS, RUNNER, VERIFICATION_RESULTS
from verifleet.settings import load_settings
from verifleet.verification import BaseVerifier, Judgement

PROJECT = "projects/runner-test"


class LengthVerifier(BaseVerifier):
    """Tells the response's length; sleeps first when the response is a number of seconds."""

    name = "code"

    def judge(self, request: Any) -> Judgement:
        if request.prompt == "sleep":
            time.sleep(float(request.response))
        return Judgement.correct(str(len(request.response)))


class Place:
    """Topics, subscriptions and clients on one broker."""

    def __init__(self, broker: BrokerProcess) -> None:
        settings = load_settings(pubsub_emulator_host=broker.address)
        self.subscriber, self.publisher = code_runner._clients(settings)
        for topic in (CODE_EXECUTIONS, VERIFICATION_RESULTS, DEAD_LETTERS):
            self.create(topic, RUNNER if topic == CODE_EXECUTIONS else f"{topic}.all")

    def create(self, topic: str, subscription: str) -> None:
        self.publisher.create_topic(name=f"{PROJECT}/topics/{topic}")
        self.subscriber.create_subscription(
            name=f"{PROJECT}/subscriptions/{subscription}",
            topic=f"{PROJECT}/topics/{topic}",
            ack_deadline_seconds=10,
        )

    def runner(self, parallel: int = 32) -> Runner:
        return Runner(
            LengthVerifier(),
            self.subscriber,
            self.publisher,
            project=PROJECT.partition("/")[2],
            parallel=parallel,
            idle_s=0.6,
            publish_timeout_s=2.0,
        )

    def publish(self, *messages: bytes) -> None:
        request = {"topic": f"{PROJECT}/topics/{CODE_EXECUTIONS}", "messages": [{"data": data} for data in messages]}
        self.publisher.publish(request=request)

    def received(self, subscription: str) -> list[Any]:
        found: list[Any] = []
        while True:
            name = f"{PROJECT}/subscriptions/{subscription}"
            answer = self.subscriber.pull(subscription=name, max_messages=1000, timeout=1.0).received_messages
            if not answer:
                return found
            self.subscriber.acknowledge(subscription=name, ack_ids=[item.ack_id for item in answer])
            found += [item.message for item in answer]


def execution(response: str, prompt: str = "") -> bytes:
    data = CodeExecutionData(verification_id=str(uuid.uuid4()), response=response, prompt=prompt)
    return make_envelope(
        "code_execution_v1",
        data,
        session_id="s",
        source_agent="test",
        timestamp=datetime.now(UTC),
        cause=data.verification_id,
    ).encode()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    broker = BrokerProcess.ours(tmp_path / "broker.db")
    place = Place(broker)
    yield place
    place.publisher.transport.close()
    place.subscriber.transport.close()
    broker.kill()


def reasons(messages: list[Any]) -> list[str]:
    return [json.loads(message.data)["payload"]["data"]["reason"] for message in messages]


def test_every_execution_gets_one_result_also_one_above_grpc_s_own_limit(place: Place) -> None:
    place.publish(*(execution("x" * n) for n in range(300)))
    place.publish(execution("y" * 6_000_000))
    runner = place.runner()
    runner.run()
    assert runner.done == 301
    assert sorted(map(int, reasons(place.received(f"{VERIFICATION_RESULTS}.all")))) == [*range(300), 6_000_000]
    assert place.received(RUNNER) == []


def test_long_work_keeps_its_lease_and_does_not_hold_up_the_others(place: Place, monkeypatch: Any) -> None:
    monkeypatch.setattr(code_runner, "LEASE_S", 2)
    place.publish(*(execution("3.5", "sleep") for _ in range(8)), *(execution("x") for _ in range(60)))
    started = time.monotonic()
    runner = place.runner(parallel=12)
    runner.run()
    assert time.monotonic() - started < 10
    assert len(place.received(f"{VERIFICATION_RESULTS}.all")) == 68


def test_what_can_not_be_published_is_handed_back_and_not_lost(place: Place) -> None:
    place.publisher.delete_topic(topic=f"{PROJECT}/topics/{VERIFICATION_RESULTS}")
    place.publish(execution("abc"), b"not an execution")
    finished = code_runner._Finished
    runner = place.runner()
    pulled = runner._pull(10, 5.0)
    runner._lease([item.ack_id for item in pulled])
    for item in pulled:
        done = runner._execute(item.ack_id, item.message)
        assert isinstance(done, finished)
        runner._send([done])
    assert runner.done == 0
    dead = place.received(f"{DEAD_LETTERS}.all")
    assert [message.data for message in dead] == [b"not an execution"]
    assert dead[0].attributes["origin"] == RUNNER
    place.create(VERIFICATION_RESULTS, "results-again")
    place.runner().run()
    assert reasons(place.received("results-again")) == ["3"]
