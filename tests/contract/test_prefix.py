"""Two installations in one project: each has a prefix, and everything that it sends and takes stays with it."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.contract.broker_backends import BrokerProcess, clients
from verifleet import cli
from verifleet.commands import dead_letters
from verifleet.commands.publish import publish_file
from verifleet.commands.smoke import run_smoke
from verifleet.jobs.code_runner import Idleness, Runner
from verifleet.local.addresses import Addresses
from verifleet.local.provision import on_this_machine, provision
from verifleet.local.pulling import pulled
from verifleet.messaging.publisher import PubSubPublisher
from verifleet.messaging.topology import RUNNER, SUBSCRIPTIONS, TOPICS, subscription_path, topic_path
from verifleet.serving.delivery import decode_delivery
from verifleet.settings import SETTINGS, allowed, load_settings, settings

SHARED = Path(cli.__file__).parent
PROJECT, PREFIX = "shared-project", "stage-"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess.ours(tmp_path_factory.mktemp("broker") / "broker.db")
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture
def stage(broker: BrokerProcess, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """Clients of a project with an installation without a prefix and one with, as the environment of the latter."""
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", broker.address)
    with clients(broker.address) as (publisher, subscriber):
        settings.cache_clear()
        list(provision(publisher, subscriber, PROJECT, on_this_machine(Addresses(50000))))
        monkeypatch.setenv("VERIFLEET_PREFIX", PREFIX)
        settings.cache_clear()
        list(provision(publisher, subscriber, PROJECT, on_this_machine(Addresses(50000))))
        yield publisher, subscriber
    settings.cache_clear()


@pytest.fixture
def looks(stage: tuple[Any, Any], request: pytest.FixtureRequest) -> tuple[str, str]:
    """Subscriptions that see what comes to the topic named by the test, without the prefix and with it."""
    name = request.node.get_closest_marker("parametrize").args[1][0]
    paths = []
    for prefix in ("", PREFIX):
        paths.append(subscription_path(PROJECT, f"{name}.look-{request.node.name[:20]}", prefix))
        stage[1].create_subscription(name=paths[-1], topic=topic_path(PROJECT, name, prefix))
    return paths[0], paths[1]


def came(subscriber: Any, path: str) -> list[bytes]:
    return [item.message.data for item in pulled(subscriber, path, 10, wait_s=0.5)]


def test_both_installations_have_every_topic_and_subscription(stage: tuple[Any, Any]) -> None:
    publisher, subscriber = stage
    topics = {topic.name for topic in publisher.list_topics(project=f"projects/{PROJECT}")}
    present = {one.name for one in subscriber.list_subscriptions(project=f"projects/{PROJECT}")}
    for prefix in ("", PREFIX):
        assert {topic_path(PROJECT, name, prefix) for name in TOPICS} <= topics
        assert {subscription_path(PROJECT, one.name, prefix) for one in SUBSCRIPTIONS} <= present


@pytest.mark.parametrize("name", ["raw-events"])
def test_a_published_file_comes_to_its_installation_only(
    stage: tuple[Any, Any], looks: tuple[str, str], name: str, tmp_path: Path
) -> None:
    (tmp_path / "events.json").write_text(json.dumps({"source": "official", "content": "Fire in Leeds"}))
    assert publish_file(tmp_path / "events.json", "s", PROJECT, 0) == {name: 1}
    assert [len(came(stage[1], path)) for path in looks] == [0, 1]


@pytest.mark.parametrize("name", ["events"])
def test_what_a_function_publishes_comes_to_its_installation_only(
    stage: tuple[Any, Any], looks: tuple[str, str], name: str
) -> None:
    async def publish() -> None:
        publisher = PubSubPublisher(load_settings(google_cloud_project=PROJECT))
        await publisher.publish_raw(name, b"x", {})
        await publisher.close()

    asyncio.run(publish())
    assert [came(stage[1], path) for path in looks] == [[], [b"x"]]


@pytest.mark.parametrize("name", ["code-executions"])
def test_the_runner_works_for_its_installation_and_its_dead_letters_go_back_there(
    stage: tuple[Any, Any], looks: tuple[str, str], name: str
) -> None:
    publisher, subscriber = stage
    for prefix in ("", PREFIX):
        publisher.publish(topic_path(PROJECT, name, prefix), b"no envelope " + prefix.encode()).result(timeout=10)
    from google.pubsub_v1 import PublisherClient, SubscriberClient

    plain = SubscriberClient(transport=subscriber.transport), PublisherClient(transport=publisher.transport)
    options: dict[str, Any] = {"parallel": 4, "idleness": Idleness(0.1), "connect_s": 10.0, "publish_timeout_s": 5.0}
    Runner(None, *plain, project=PROJECT, prefix=PREFIX, **options).run()  # type: ignore[arg-type]
    assert came(subscriber, subscription_path(PROJECT, RUNNER)) == [b"no envelope "], "not its own, not taken"
    for path in looks:
        for item in pulled(subscriber, path, 10, wait_s=0.5):
            subscriber.acknowledge(subscription=path, ack_ids=[item.ack_id])
    shown = CliRunner().invoke(dead_letters.app, ["replay", "--all", "--project", PROJECT])
    assert "1 dead letters replayed" in shown.output, shown.output
    assert [came(subscriber, path) for path in looks] == [[], [b"no envelope stage-"]]


def test_a_dead_letter_that_pubsub_forwarded_says_its_topic_without_the_prefix(stage: tuple[Any, Any]) -> None:
    source = {"CloudPubSubDeadLetterSourceSubscription": f"projects/p/subscriptions/{PREFIX}events.verifier_agent"}
    assert dead_letters.DeadLetter("1", b"", source).topic == "events"


def test_smoke_asks_and_listens_in_its_installation(stage: tuple[Any, Any]) -> None:
    publisher, subscriber = stage
    asked = subscription_path(PROJECT, "verification-requests.asked", PREFIX)
    subscriber.create_subscription(name=asked, topic=topic_path(PROJECT, "verification-requests", PREFIX))

    def answer(message: Any) -> None:
        request = json.loads(message.data)["payload"]["data"]
        for topic, data in (
            ("verification-results", {"request_id": request["request_id"], "score": 1.0}),
            ("incident-briefs", {"incident_id": "i", "summary": "Fire."}),
        ):
            body = json.dumps({"payload": {"data": data}}).encode()
            publisher.publish(topic_path(PROJECT, topic, PREFIX), body, session_id=message.attributes["session_id"])
        message.ack()

    stream = subscriber.subscribe(asked, callback=answer)
    try:
        lines = run_smoke(PROJECT, 0, timeout_s=30)
    finally:
        stream.cancel()
        stream.result(timeout=10)
    assert sorted(line.split(":")[0] for line in lines) == ["brief", "code", "format", "knowledge", "math"]


def test_a_push_is_known_by_its_short_name_whatever_the_prefix() -> None:
    pushed = {"message": {"messageId": "1", "data": "eA=="}, "subscription": "projects/p/subscriptions/stage-a.b"}
    assert decode_delivery({}, pushed, PREFIX).subscription == "a.b"
    assert decode_delivery({}, pushed).subscription == "stage-a.b"


def test_full_names_are_made_in_one_place() -> None:
    made = re.compile(r"/(?:topics|subscriptions)/\{")
    allowed = {SHARED / "messaging" / "topology.py"}
    files = [file for file in SHARED.rglob("*.py") if "broker" not in file.parts and file not in allowed]
    assert not [str(file) for file in files if made.search(file.read_text())]


@pytest.mark.parametrize(
    ("prefix", "fits"),
    [("", True), ("stage-", True), ("a-", True), ("eightch-", True), ("stage", False), ("Stage-", False), ("-", False),
     ("ninechars-", False), ("1a-", False)],
)  # fmt: skip
def test_a_prefix_is_short_and_ends_with_a_hyphen_in_settings_as_in_terraform(prefix: str, fits: bool) -> None:
    pattern = allowed(SETTINGS["prefix"]).pattern
    assert pattern
    assert bool(re.search(pattern, prefix)) is fits
    for module in ("", "pipeline/"):
        assert f'regex("{pattern}", var.prefix)' in (SHARED.parents[1] / "infra" / module / "variables.tf").read_text()
