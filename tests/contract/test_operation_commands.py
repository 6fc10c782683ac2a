"""`verifleet smoke`, `canaries` and `dead-letters` through the unmodified Pub/Sub client and HTTP."""

import json
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from tests.contract.broker_backends import BrokerProcess, clients, free_port, google_emulator
from verifleet import cli
from verifleet.commands import dead_letters
from verifleet.commands.canaries import read_targets, run_canaries
from verifleet.commands.dead_letters import ARCHIVE, Archive
from verifleet.commands.smoke import run_smoke
from verifleet.errors import PublishError, SettingsError, TransientError
from verifleet.local.addresses import Addresses
from verifleet.local.provision import on_this_machine, provision
from verifleet.local.pulling import pulled
from verifleet.local.samples import load
from verifleet.messaging import topology
from verifleet.messaging.topology import RETIRED_SUBSCRIPTIONS, VERIFICATION_RESULTS


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess.ours(tmp_path_factory.mktemp("broker") / "broker.db")
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture
def pubsub(broker: BrokerProcess, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", broker.address)
    with clients(broker.address) as pair:
        yield pair


def topic(name: str, project: str) -> str:
    return f"projects/{project}/topics/{name}"


def subscription(name: str, project: str) -> str:
    return f"projects/{project}/subscriptions/{name}"


# --- provision ------------------------------------------------------------------------


def told(*arguments: str) -> list[str]:
    shown = CliRunner().invoke(cli.app, ["provision", *arguments])
    assert shown.exit_code == 0, shown.output
    return shown.output.splitlines()


@pytest.fixture(params=["ours", "google"])
def emulator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    if request.param == "google" and google_emulator() is None:
        pytest.skip("Google's emulator is not installed")
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", "127.0.0.1:9")
    process = BrokerProcess.google() if request.param == "google" else BrokerProcess.ours(tmp_path / "broker.db")
    yield process.address
    process.stop()


def test_provision_makes_what_is_missing_and_says_it_and_does_nothing_twice(emulator: str) -> None:
    here = ("--project", "provisioned", "--emulator", emulator)
    total = len(topology.TOPICS) + len(topology.SUBSCRIPTIONS)
    dry = told(*here, "--dry-run")
    assert len([line for line in dry if line.startswith("would be: ")]) == total
    with clients(emulator) as (publisher, subscriber):
        assert list(publisher.list_topics(project="projects/provisioned")) == []
        done = told(*here)
        assert [f"would be: {line}" for line in done[:-1]] == dry[:-1]
        assert done[-1] == f"provisioned on {emulator}: {total} changed"
        assert told(*here) == [f"provisioned on {emulator}: nothing changed"]
        other = told(*here, "--url", "math_verifier=http://127.0.0.1:9101")
        assert other[0] == "subscription verification-requests.math_verifier pushes to http://127.0.0.1:9101/"
        assert len(other) == 2
        for wanted in topology.SUBSCRIPTIONS:
            found = subscriber.get_subscription(subscription=subscription(wanted.name, "provisioned"))
            assert found.filter == wanted.filter
            assert bool(found.push_config.push_endpoint) == bool(wanted.push_to)
            assert bool(found.dead_letter_policy.dead_letter_topic) == wanted.dead_letters


def test_provision_where_nobody_answers_says_so_at_once() -> None:
    shown = CliRunner().invoke(cli.app, ["provision", "--emulator", "127.0.0.1:9"])
    assert isinstance(shown.exception, TransientError)
    assert "127.0.0.1:9" in str(shown.exception)
    wrong = CliRunner().invoke(cli.app, ["provision", "--url", "nobody=http://x"])
    assert "NAME=URL" in str(wrong.exception)


def test_serve_starts_a_single_function(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "verifleet.cli", "serve", "math_verifier", "--port", str(port)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        body = {"response": "\\boxed{42}", "reference": {"answer": "42"}}
        deadline = time.monotonic() + 30
        score = None
        while score is None and time.monotonic() < deadline:
            with suppress(httpx.TransportError):
                score = httpx.post(f"http://127.0.0.1:{port}/verify", json=body, timeout=20).json()["score"]
            time.sleep(0.05)
        assert score == 1.0
    finally:
        process.terminate()
        process.wait(10)
    shown = CliRunner().invoke(cli.app, ["serve", "nobody"])
    assert "there are: ingest_agent" in str(shown.exception)


# --- dead letters ---------------------------------------------------------------------


@pytest.fixture
def project(pubsub: tuple[Any, Any]) -> str:
    """A project of its own for each test, provisioned as a fleet is, with a look at what is replayed."""
    publisher, subscriber = pubsub
    name = f"project-{uuid.uuid4().hex[:8]}"
    list(provision(publisher, subscriber, name, on_this_machine(Addresses(50000))))
    subscriber.create_subscription(name=subscription("seen", name), topic=topic("raw-events", name))
    return name


def bury(publisher: Any, project: str, data: bytes, **attributes: str) -> str:
    return str(publisher.publish(topic("dead-letters", project), data, **attributes).result(timeout=10))


def left(subscriber: Any, name: str, project: str) -> list[Any]:
    return [item.message for item in pulled(subscriber, subscription(name, project), 10, wait_s=0.3)]


def test_listing_takes_nothing_away(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, _ = pubsub
    bury(publisher, project, b"not json", reason="content: missing", origin="raw-events.ingest_agent")
    for _ in range(2):
        shown = CliRunner().invoke(dead_letters.app, ["list", "--project", project])
        assert shown.exit_code == 0
        assert "raw-events" in shown.output
        assert "1 dead letters" in shown.output


def test_a_replayed_letter_goes_back_as_it_came_and_leaves_the_archive(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, subscriber = pubsub
    data = b"\x00\xff{"
    own = {"session_id": "s-1", "schema": "raw_event_v1"}
    bury(publisher, project, data, reason="r", path="content", origin="raw-events.ingest_agent", **own)
    shown = CliRunner().invoke(dead_letters.app, ["replay", "--all", "--project", project])
    assert shown.exit_code == 0, shown.output
    (message,) = left(subscriber, "seen", project)
    assert (message.data, dict(message.attributes)) == (data, own)
    assert left(subscriber, ARCHIVE, project) == []


def test_a_letter_of_a_topic_of_several_functions_goes_to_the_one_that_refused_it(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    origin = "incident-acts.verifier_agent"
    bury(publisher, project, b"x", reason="r", origin=f"{origin}/verifier_agent/1", replayed_for="incident-acts.other")
    archive = Archive(project, publisher, subscriber)
    (letter,) = archive.letters()
    archive.replay([letter])
    (act,) = left(subscriber, "incident-acts.archive", project)
    assert dict(act.attributes) == {"replayed_for": origin}


def test_only_the_named_letters_are_replayed_and_the_others_stay(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, subscriber = pubsub
    first = bury(publisher, project, b"first", origin="raw-events.ingest_agent")
    second = bury(publisher, project, b"second", origin="raw-events.ingest_agent")
    shown = CliRunner().invoke(dead_letters.app, ["replay", first, "--project", project])
    assert shown.exit_code == 0, shown.output
    assert [message.data for message in left(subscriber, "seen", project)] == [b"first"]
    assert [message.message_id for message in left(subscriber, ARCHIVE, project)] == [second]


def test_a_letter_that_pubsub_itself_forwarded_finds_its_topic(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, subscriber = pubsub
    source = subscription("events.verifier_agent", project)
    bury(
        publisher,
        project,
        b"x",
        CloudPubSubDeadLetterSourceSubscription=source,
        CloudPubSubDeadLetterSourceDeliveryCount="20",
    )
    archive = Archive(project, publisher, subscriber)
    (letter,) = archive.letters()
    assert (letter.topic, letter.reason) == ("events", "given up after 20 deliveries")
    archive.replay([letter])
    assert left(subscriber, ARCHIVE, project) == []


def test_a_letter_without_an_origin_is_kept_and_named_and_the_others_are_replayed(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    lost = bury(publisher, project, b"x")
    bury(publisher, project, b"y", origin="raw-events.ingest_agent")
    for chosen in (lost, "--all"):
        shown = CliRunner().invoke(dead_letters.app, ["replay", chosen, "--project", project])
        assert isinstance(shown.exception, PublishError)
        assert lost in str(shown.exception)
    assert [message.data for message in left(subscriber, "seen", project)] == [b"y"]
    assert [message.message_id for message in left(subscriber, ARCHIVE, project)] == [lost]


def test_every_look_shows_all_letters_and_a_replay_right_after_it_replays_all(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    bodies = {b"letter %d" % number for number in range(10)}
    for body in bodies:
        bury(publisher, project, body, origin="raw-events.ingest_agent")
    for _ in range(6):
        assert "10 dead letters" in CliRunner().invoke(dead_letters.app, ["list", "--project", project]).output
    shown = CliRunner().invoke(dead_letters.app, ["replay", "--all", "--project", project])
    assert "10 dead letters replayed" in shown.output
    assert {message.data for message in left(subscriber, "seen", project)} == bodies
    assert left(subscriber, ARCHIVE, project) == []


def test_an_archive_of_an_earlier_release_that_backs_off_is_mended_when_the_fleet_starts(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    path = subscription(ARCHIVE, project)
    slow = {"minimum_backoff": {"seconds": 60}, "maximum_backoff": {"seconds": 600}}
    change = {"subscription": {"name": path, "retry_policy": slow}, "update_mask": {"paths": ["retry_policy"]}}
    subscriber.update_subscription(request=change)
    list(provision(publisher, subscriber, project, on_this_machine(Addresses(50000))))
    assert not subscriber.get_subscription(subscription=path).retry_policy


def test_a_fleet_that_starts_on_a_broker_of_an_earlier_release_gets_no_results_past_the_runners_topic(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    for name in RETIRED_SUBSCRIPTIONS:
        subscriber.create_subscription(
            name=subscription(name, project), topic=topic(VERIFICATION_RESULTS, project), ack_deadline_seconds=10
        )
    list(provision(publisher, subscriber, project, on_this_machine(Addresses(50000))))
    paths = publisher.list_topic_subscriptions(topic=topic(VERIFICATION_RESULTS, project))
    assert {path.rpartition("/")[2] for path in paths} == {f"{VERIFICATION_RESULTS}.archive"}


def test_a_look_that_fails_half_way_gives_back_what_it_took(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, subscriber = pubsub
    bury(publisher, project, b"x", origin="raw-events.ingest_agent")
    assert CliRunner().invoke(dead_letters.app, ["show", "no-such-id", "--project", project]).exit_code
    assert [message.data for message in left(subscriber, ARCHIVE, project)] == [b"x"]


def test_letters_that_come_straight_back_are_replayed_once_and_stay_listed(
    pubsub: tuple[Any, Any], project: str
) -> None:
    publisher, subscriber = pubsub
    first = {bury(publisher, project, b"bad %d" % number, origin="raw-events.ingest_agent") for number in range(4)}
    replayed: list[bytes] = []

    def refuse(message: Any) -> None:
        replayed.append(message.data)
        bury(publisher, project, message.data, origin="raw-events.ingest_agent")
        message.ack()

    stream = subscriber.subscribe(subscription("seen", project), callback=refuse)
    try:
        shown = CliRunner().invoke(dead_letters.app, ["replay", "--all", "--project", project])
        deadline = time.monotonic() + 10
        while len(replayed) < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        stream.cancel()
        stream.result(timeout=10)
    assert shown.exit_code == 0, shown.output
    assert "4 dead letters replayed" in shown.output
    assert sorted(replayed) == [b"bad %d" % number for number in range(4)]
    back = Archive(project, publisher, subscriber).letters()
    assert sorted(letter.data for letter in back) == sorted(replayed)
    assert first.isdisjoint(letter.message_id for letter in back)


def test_a_look_that_is_terminated_gives_back_what_it_took(pubsub: tuple[Any, Any], project: str) -> None:
    publisher, subscriber = pubsub
    bury(publisher, project, b"x", origin="raw-events.ingest_agent")

    def look() -> None:
        with dead_letters._archive(project, 0) as archive:
            assert len(archive.letters()) == 1
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        look()
    assert [message.data for message in left(subscriber, ARCHIVE, project)] == [b"x"]


def test_missing_credentials_are_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PUBSUB_EMULATOR_HOST", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    shown = CliRunner().invoke(dead_letters.app, ["list", "--project", "some-project"])
    assert isinstance(shown.exception, SettingsError)
    for words in ("export PUBSUB_EMULATOR_HOST=", "gcloud auth application-default login"):
        assert words in str(shown.exception)


def test_an_unknown_id_and_no_id_at_all_are_refused(pubsub: tuple[Any, Any], project: str) -> None:
    bury(pubsub[0], project, b"another")
    for arguments in (["show", "nothing"], ["replay", "nothing"], ["replay"]):
        shown = CliRunner().invoke(dead_letters.app, [*arguments, "--project", project])
        assert isinstance(shown.exception, SettingsError)


# --- smoke ----------------------------------------------------------------------------

TOPICS = ("raw-events", "verification-requests", "verification-results", "incident-briefs")


@contextmanager
def fleet(pubsub: tuple[Any, Any], project: str, *, silent: str = "") -> Iterator[None]:
    """Answers as the fleet would, except for one verifier that stays silent."""
    publisher, subscriber = pubsub
    streams = []

    def on_report(message: Any) -> None:
        data = {"incident_id": "i-1", "summary": "Fire in Leeds."}
        _answer("incident-briefs", message, data)

    def on_request(message: Any) -> None:
        asked = json.loads(message.data)["payload"]["data"]
        if asked["verifier"] != silent:
            _answer("verification-results", message, {"request_id": asked["request_id"], "score": 1.0})
        else:
            message.ack()

    def _answer(to: str, message: Any, data: dict[str, Any]) -> None:
        body = json.dumps({"payload": {"data": data}}).encode()
        publisher.publish(topic(to, project), body, session_id=message.attributes["session_id"]).result(timeout=10)
        message.ack()

    for name in TOPICS:
        publisher.create_topic(name=topic(name, project))
    handlers: dict[str, Callable[[Any], None]] = {"raw-events": on_report, "verification-requests": on_request}
    for name, handler in handlers.items():
        path = subscription(f"{name}.fleet", project)
        subscriber.create_subscription(name=path, topic=topic(name, project))
        streams.append(subscriber.subscribe(path, callback=handler))
    try:
        yield
    finally:
        for stream in streams:
            stream.cancel()
            stream.result(timeout=10)


def inboxes(subscriber: Any, project: str) -> list[str]:
    found = subscriber.list_subscriptions(project=f"projects/{project}")
    return [one.name for one in found if "/subscriptions/smoke-" in one.name]


def test_smoke_waits_for_a_brief_and_every_verifier_and_leaves_nothing_behind(pubsub: tuple[Any, Any]) -> None:
    with fleet(pubsub, "smoke-all"):
        lines = run_smoke("smoke-all", 0, timeout_s=20)
    assert sorted(line.split(":")[0] for line in lines) == ["brief", "code", "format", "knowledge", "math"]
    assert inboxes(pubsub[1], "smoke-all") == []


def test_smoke_names_who_did_not_answer(pubsub: tuple[Any, Any]) -> None:
    with fleet(pubsub, "smoke-but-one", silent="code"), pytest.raises(TransientError, match=r"from: code$"):
        run_smoke("smoke-but-one", 0, timeout_s=2)
    assert inboxes(pubsub[1], "smoke-but-one") == []


# --- canaries ---------------------------------------------------------------------------


@contextmanager
def verifier(judge: Callable[[dict[str, Any]], float | None], name: str = "math") -> Iterator[str]:
    """A verifier whose scores are `judge`'s; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["requests"]
            body = json.dumps(
                {"results": [{"verifier": name, "score": judge(request)} | FIELDS for request in requests]}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


FIELDS = {"status": "scored", "verdict": "correct", "reason": ""}
CANARIES = {
    row["request"]["request_id"]: row["expect"]["score"] for row in load("requests") if row["verifier"] == "math"
}
WRONG = [label for label, score in CANARIES.items() if score < 0.5]


def test_canaries_that_are_judged_right_are_healthy() -> None:
    with verifier(lambda request: CANARIES[request["request_id"]]) as url:
        outcome = run_canaries("math", url)
    assert (outcome.rows, outcome.wrong, outcome.false_positive_share) == (len(CANARIES), len(WRONG), 0.0)
    line = json.loads(outcome.log_line())
    assert line["severity"] == "INFO"
    assert line["canaries"]["verifier"] == "math"


def test_accepted_wrong_answers_are_the_share_that_the_metric_reads() -> None:
    with verifier(lambda request: 1.0) as url:
        outcome = run_canaries("math", url)
    line = json.loads(outcome.log_line())
    assert (line["severity"], line["canaries"]["false_positive_share"]) == ("ERROR", 1.0)
    extracted = {"verifier", "false_positive_share"}
    terraform = (Path(__file__).parents[2] / "infra/modules/observability/main.tf").read_text()
    assert all(f"EXTRACT(jsonPayload.canaries.{name})" in terraform for name in extracted)


def test_refused_right_answers_and_faults_of_ours_are_no_false_positives() -> None:
    for score, refused, errors in ((0.0, len(CANARIES) - len(WRONG), 0), (None, 0, len(CANARIES))):
        with verifier(lambda request, score=score: score) as url:
            outcome = run_canaries("math", url)
        assert (outcome.false_positive_share, outcome.refused_right, outcome.errors) == (0.0, refused, errors)
        assert json.loads(outcome.log_line())["severity"] == "ERROR"


def test_a_verifier_that_is_not_there_is_said_to_be_so() -> None:
    with pytest.raises(TransientError, match=r"math at http://127\.0\.0\.1:1 did not answer"):
        run_canaries("math", "http://127.0.0.1:1")


def test_a_verifier_of_another_kind_is_refused_rather_than_measured() -> None:
    with verifier(lambda request: 1.0) as url, pytest.raises(SettingsError, match="not the format verifier"):
        run_canaries("format", url)


def test_targets_are_names_with_urls() -> None:
    assert read_targets(["math=https://m.example/"]) == {"math": "https://m.example"}
    for wrong in ("math", "maths=https://m", "math=ftp://m"):
        with pytest.raises(SettingsError, match="NAME=URL"):
            read_targets([wrong])
