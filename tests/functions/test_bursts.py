"""Many programs of one request: in chunks there and back, found again when the request is repeated, run once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from tests.functions.test_code_results import RESULTS, WATCHDOG, deliver, judged
from tests.fuzz.apps import NoRunner, RunnerAtOnce
from verifleet.client import VerifierClient
from verifleet.envelopes import parse_envelope
from verifleet.errors import PublishError
from verifleet.jobs.code_runner import fitting, result_envelope, results_message
from verifleet.jobs.runner_keeper import Warmed
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import verifier_app
from verifleet.serving.chunks import MAX_CHARS, split
from verifleet.serving.code import EXPECTS, GIVE_UP_AT, CodeDispatch
from verifleet.settings import Settings
from verifleet.storage.sqlite import SqliteStore
from verifleet.verification import VerificationRequest, VerificationResult

REFERENCE = {"language": "python", "tests": [{"input": "", "output": "1"}]}


class Place:
    """Instances of code_verifier on one store; a runner that judges when it is told to."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.folder = folder
        self.publisher = InMemoryPublisher()
        self.apps = []
        for _ in range(2):
            dispatch = CodeDispatch(settings, SqliteStore(folder / "store.db"), self.publisher, NoRunner())
            given = {"settings": settings, "publisher": self.publisher, "expects": EXPECTS, "handler": dispatch.handle}
            self.apps.append(verifier_app("code", dispatch, **given))
        self.clients = [TestClient(app) for app in self.apps]
        self.code = self.clients[0]
        self.taken = 0

    def executions(self) -> list[Any]:
        """What was sent to the runner since the last time."""
        sent = [one for one in self.publisher.messages if one.topic.startswith("code-executions")]
        new, self.taken = sent[self.taken :], len(sent)
        return [parse_envelope(json.loads(one.data)) for one in new]

    def judge(self, executions: list[Any], score: float | None = 1.0, instance: int = 0) -> None:
        """The runner's results, delivered to an instance."""
        for execution in executions:
            assert deliver(self.clients[instance], results(execution, score)) == 204

    def post(self, count: int, deadline_ms: float = 0, instance: int = 0, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.clients[instance].post("/verify/batch", json=batch(count, deadline_ms), headers=named)
        assert answer.status_code == 200, answer.text
        return answer.json()


def batch(count: int, deadline_ms: float = 0) -> dict[str, Any]:
    requests = [{"request_id": f"r{n}", "response": f"print(1) # {n}"} for n in range(count)]
    return {"requests": requests, "defaults": {"reference": REFERENCE}, "deadline_ms": deadline_ms}


def results(execution: Any, score: float | None = 1.0) -> Any:
    """What the runner sends; each reason names the program."""
    verdict = {None: ("error", "error"), 0.0: ("scored", "incorrect")}.get(score, ("scored", "correct"))
    made = [
        VerificationResult(
            request_id=one.request_id, verifier="code", score=score, status=verdict[0], verdict=verdict[1],
            reason=one.response,
        )
        for one in execution.data.requests()
    ]  # fmt: skip
    if execution.schema_ == "code_execution_v1":
        return result_envelope(execution, made[0], "c", None).as_json()
    return json.loads(results_message(execution, made, "c", None)[0])


@pytest.fixture
def place(settings: Settings, tmp_path: Path) -> Iterator[Place]:
    place = Place(settings, tmp_path)
    for client in place.clients:
        client.__enter__()
    yield place
    for client in place.clients:
        client.__exit__(None, None, None)


def test_programs_go_in_chunks_as_many_as_the_tasks_that_they_get() -> None:
    assert [len(chunk) for chunk in split([100] * 4096, 10)] == [64] * 64
    assert [len(chunk) for chunk in split([100] * 200, 4)] == [25] * 8
    assert [len(chunk) for chunk in split([100] * 3, 1)] == [2, 1]
    assert split([100], 1) == [[0]]
    # Long programs fill a message sooner; one alone has a message of its own.
    assert split([MAX_CHARS // 2, MAX_CHARS // 2, 10, 5 * MAX_CHARS, 10], 1) == [[0, 1], [2], [3], [4]]


def test_a_batch_answers_what_is_done_at_its_deadline_and_a_handle_for_the_rest(place: Place) -> None:
    answer = place.post(130)
    executions = place.executions()
    assert [len(one.data.programs) for one in executions if one.schema_ == "code_executions_v1"] == [64, 64, 2]
    assert {result["status"] for result in answer["results"]} == {"error"}
    assert (answer["pending"]["done"], answer["pending"]["pending"]) == (0, 130)
    location = answer["pending"]["location"]

    place.judge(executions[:1], instance=1)
    assert place.code.get(location).status_code == 202
    state = place.clients[1].get(location)
    assert (state.json()["done"], state.json()["pending"], state.headers["retry-after"]) == (64, 66, "1")
    again = place.post(130, instance=1)
    assert [result["status"] for result in again["results"]] == ["scored"] * 64 + ["error"] * 66
    assert again["pending"]["batch_id"] == answer["pending"]["batch_id"]

    place.judge(executions[1:])
    done = place.code.get(location)
    assert done.status_code == 200
    names = {result["verification_id"]: result["reason"] for result in done.json()["results"]}
    # Each of those that were missing is found by the name that it was given.
    for index, missing in enumerate(answer["results"]):
        assert names[missing["details"]["verification_id"]] == f"print(1) # {index}"
        one = place.code.get(f"/verifications/{missing['details']['verification_id']}").json()
        assert (one["reason"], one["request_id"]) == (f"print(1) # {index}", f"r{index}")
    assert place.executions() == [], "nothing was sent twice"
    sent = [json.loads(one.data)["payload"]["data"] for one in place.publisher.to("verification-results")]
    assert sorted(one["verification_id"] for one in sent) == sorted(names)
    assert place.code.get("/batches/unknown").status_code == 404
    name = f"{executions[0].data.verification_id}.64"
    assert place.code.get(f"/verifications/{name}").status_code == 404


def test_equal_programs_are_sent_once_and_refused_ones_not_at_all(place: Place) -> None:
    body = batch(4)
    body["requests"] += [{"request_id": "twin", "response": "print(1) # 0"}, {"nothing": 1}]
    place.code.post("/verify/batch", json=body)
    executions = place.executions()
    assert sum(len(one.data.requests()) for one in executions) == 4
    place.judge(executions)
    answer = place.code.post("/verify/batch", json=body).json()
    assert [one["request_id"] for one in answer["results"][:5]] == ["r0", "r1", "r2", "r3", "twin"]
    assert answer["summary"]["verdict"] == {"correct": 5, "malformed": 1}
    assert "pending" not in answer


@pytest.mark.parametrize("path", ["/verify", "/reward"])
def test_a_single_request_that_is_repeated_finds_its_program(place: Place, path: str) -> None:
    one = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}
    body = one if path == "/verify" else {
        "example": {"references": {"reference": json.dumps(REFERENCE), "options": '{"wait_s": 0}'}},
        "response": {"parts": [{"text": "print(1)"}]},
    }  # fmt: skip
    first = [place.clients[instance].post(path, json=body) for instance in (0, 1)]
    assert {answer.status_code for answer in first} == {202 if path == "/verify" else 503}
    (execution,) = place.executions()
    place.judge([execution])
    assert place.clients[1].post(path, json=body).status_code == 200
    assert place.executions() == []


def test_a_request_whose_sender_was_lost_is_sent_by_the_next_unless_something_tells_that_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifleet.serving.sent.SENDING_S", 0.0)
    one = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}
    name = place.code.post("/verify", json=one).json()["verification_id"]
    # It goes on, says its document: nobody sends it again, however long ago it was begun.
    assert place.clients[1].post("/verify", json=one).json()["verification_id"] == name
    assert len(place.executions()) == 1
    asyncio.run(SqliteStore(place.folder / "store.db").delete("result", name))
    assert place.clients[1].post("/verify", json=one).json()["verification_id"] == name
    (again,) = place.executions()
    assert again.data.verification_id == name


def test_a_key_names_a_request_and_is_good_for_one_content(place: Place) -> None:
    one = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}

    def ask(key: str, **change: Any) -> httpx.Response:
        return place.code.post("/verify", json=one | change, headers={"Idempotency-Key": key})

    assert ask("a").json()["verification_id"] == ask("a").json()["verification_id"]
    assert len(place.executions()) == 1
    assert ask("b").json()["verification_id"] != ask("a").json()["verification_id"]
    assert len(place.executions()) == 1
    refused = ask("a", response="print(2)")
    assert (refused.status_code, refused.json()["error"]["fields"][0]["path"]) == (400, "Idempotency-Key")
    assert ask("x" * 256).status_code == 400


def test_what_ended_as_a_fault_of_ours_is_run_again_when_it_is_asked_for_again(place: Place) -> None:
    place.post(130)
    first, *others = place.executions()
    place.judge([first], None)
    place.judge(others)
    place.post(130)
    again = place.executions()
    assert sum(len(one.data.requests()) for one in again) == 64
    place.judge(again)
    answer = place.post(130)
    assert answer["summary"]["verdict"] == {"correct": 130}
    assert [one["reason"] for one in answer["results"]] == [f"print(1) # {n}" for n in range(130)]
    assert place.executions() == []


def test_what_could_not_be_published_is_sent_by_the_next_request_and_the_rest_is_not(place: Place) -> None:
    publish, count = place.publisher.publish_raw, 0

    async def once(topic: str, data: bytes, attributes: Any) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise PublishError("away")
        await publish(topic, data, attributes)

    place.publisher.publish_raw = once  # type: ignore[method-assign]
    assert place.code.post("/verify/batch", json=batch(130)).status_code == 503
    assert place.post(130)["pending"]["pending"] == 130
    executions = place.executions()
    assert sorted(one.response for sent in executions for one in sent.data.requests()) == sorted(
        f"print(1) # {n}" for n in range(130)
    )


def test_a_client_that_leaves_while_programs_are_sent_finds_them_all_sent(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(settings, tmp_path)

    async def leave() -> None:
        transport = httpx.ASGITransport(place.apps[0])
        publish = place.publisher.publish_raw

        async def slowly(*message: Any) -> None:
            await asyncio.sleep(0.05)
            await publish(*message)

        monkeypatch.setattr(place.publisher, "publish_raw", slowly)
        async with httpx.AsyncClient(transport=transport, base_url="http://code") as client:
            asking = asyncio.ensure_future(client.post("/verify/batch", json=batch(130, 60_000)))
            await asyncio.sleep(0.03)
            asking.cancel()
            await asyncio.sleep(0.2)
            answer = (await client.post("/verify/batch", json=batch(130))).json()
        assert answer["pending"]["pending"] == 130

    asyncio.run(leave())
    assert sum(len(one.data.requests()) for one in place.executions()) == 130


@pytest.mark.parametrize("instance", [0, 1])
@pytest.mark.parametrize("back", [True, False])
def test_of_like_requests_at_once_each_handle_is_of_programs_that_were_sent(
    settings: Settings, tmp_path: Path, instance: int, back: bool
) -> None:
    place = Place(settings, tmp_path)
    publish, begun, away = place.publisher.publish_raw, asyncio.Event(), asyncio.Event()

    async def fails_once(*message: Any) -> None:
        if not begun.is_set():
            begun.set()
            await away.wait()
            place.publisher.failure = None if back else PublishError("away")
            raise PublishError("away")
        await publish(*message)

    place.publisher.publish_raw = fails_once  # type: ignore[method-assign]
    body = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}

    async def ask() -> tuple[int, int, str]:
        first, second = (
            httpx.AsyncClient(transport=httpx.ASGITransport(place.apps[one]), base_url="http://code")
            for one in (0, instance)
        )
        async with first, second:
            sending = asyncio.ensure_future(first.post("/verify", json=body))
            await begun.wait()
            place.publisher.failure = PublishError("away")
            if back and instance:
                place.publisher.failure = None
            like = asyncio.ensure_future(second.post("/verify", json=body))
            await asyncio.sleep(0.05)
            away.set()
            answers = [await sending, await like]
        return answers[0].status_code, answers[1].status_code, answers[1].json().get("verification_id", "")

    failed, answered, handle = asyncio.run(ask())
    assert (failed, answered) == (503, 202 if back else 503)
    assert [one.data.verification_id for one in place.executions()] == ([handle] if back else [])


def test_of_like_requests_at_once_one_sends_for_all(settings: Settings, tmp_path: Path) -> None:
    place = Place(settings, tmp_path)
    publish = place.publisher.publish_raw

    async def slowly(*message: Any) -> None:
        await asyncio.sleep(0.05)
        await publish(*message)

    place.publisher.publish_raw = slowly  # type: ignore[method-assign]
    body = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(place.apps[0])
        async with httpx.AsyncClient(transport=transport, base_url="http://code") as client:
            answers = await asyncio.gather(*(client.post("/verify", json=body) for _ in range(8)))
        return [one.status_code for one in answers]

    assert asyncio.run(ask()) == [202] * 8
    assert len(place.executions()) == 1


def test_the_watchdog_of_a_chunk_is_answered_at_once_and_gives_up_for_all_of_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.post(3)
    executions = place.executions()
    for execution in executions:
        assert deliver(place.code, execution.as_json(), WATCHDOG) == 503
    chunk = executions[0]
    assert deliver(place.code, chunk.as_json(), WATCHDOG, GIVE_UP_AT) == 204
    errors = place.publisher.to("verification-results")
    assert [json.loads(one.data)["payload"]["data"]["status"] for one in errors] == ["error"] * 2
    assert deliver(place.code, results(chunk)) == 204
    (late,) = place.publisher.to("dead-letters")
    assert "too late" in late.attributes["reason"]


def test_results_of_a_chunk_need_its_proof_and_the_first_ones_stand(place: Place) -> None:
    place.post(130)
    chunk = place.executions()[0]
    true = results(chunk)
    for change in ({"proof": "0" * 64}, {"verification_id": "another"}):
        forged = {**true, "payload": {"type": "code_results", "data": {**true["payload"]["data"], **change}}}
        assert deliver(place.code, forged) == 204
    assert deliver(place.code, true, WATCHDOG) == 204
    assert place.post(130)["pending"]["done"] == 0
    assert deliver(place.code, true, RESULTS) == 204
    assert deliver(place.code, results(chunk, 0.0)) == 204
    assert place.post(130)["summary"]["verdict"] == {"correct": 64, "error": 66}
    assert len(place.publisher.to("dead-letters")) == 4
    kept = [*place.publisher.to("verification-results")]
    assert not [one for one in kept if chunk.data.proof in one.data.decode()]


def test_an_execution_of_an_earlier_version_is_watched_and_its_result_taken(place: Place) -> None:
    one = {"response": "print(1)", "reference": REFERENCE, "options": {"wait_s": 0}}
    name = place.code.post("/verify", json=one).json()["verification_id"]
    (execution,) = place.executions()
    assert execution.schema_ == "code_execution_v1"
    assert deliver(place.code, judged(execution.as_json())) == 204
    assert place.code.get(f"/verifications/{name}").json()["verification_id"] == name


def test_a_client_gets_all_results_of_a_batch_that_outlasts_its_deadline(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher = RunnerAtOnce()
    dispatch = CodeDispatch(settings, SqliteStore(tmp_path / "store.db"), publisher, NoRunner())
    app = verifier_app(
        "code", dispatch, settings=settings, publisher=publisher, expects=EXPECTS, handler=dispatch.handle
    )
    publisher.app = app
    transport = httpx.ASGITransport(app)
    monkeypatch.setattr("verifleet.client._connections", lambda settings: httpx.AsyncClient(transport=transport))
    monkeypatch.setattr("verifleet.serving.code.BATCH_WAIT_S", 0.0)
    with TestClient(app), VerifierClient("http://code") as client:
        requests = [VerificationRequest(response=f"\ud800 {n % 100}", reference=REFERENCE) for n in range(130)]
        found = client.verify_batch(requests)
    assert [one.score for one in found] == [1.0] * 130


def test_results_that_no_document_could_hold_lose_details_and_no_verdict() -> None:
    long = {"tests": ["x" * 300_000]}
    made = [
        VerificationResult(verifier="code", score=1.0, status="scored", verdict="correct", reason="", details=details)
        for details in ({}, long, long, {"tests": []}, long)
    ]
    fit = [json.loads(one) for one in fitting(made)]
    assert [one["score"] for one in fit] == [1.0] * 5
    assert sum("left_out" in one["details"] for one in fit) == 1
    assert len(json.dumps(fit)) < 700_000


class Warm(NoRunner):
    async def warm(self, programs: int, stay_s: float) -> Warmed:
        return Warmed(programs // 50, int(stay_s), 1)


def test_runners_are_started_ahead_of_programs(settings: Settings, tmp_path: Path) -> None:
    publisher = InMemoryPublisher()
    dispatch = CodeDispatch(settings, SqliteStore(tmp_path / "store.db"), publisher, Warm())
    with TestClient(verifier_app("code", dispatch, settings=settings, publisher=publisher)) as client:
        answer = client.post("/warm", json={"programs": 500, "stay_s": 7})
        assert (answer.status_code, answer.json()) == (200, {"wanted": 10, "running": 7, "launched": 1})
        for wrong in ({}, {"programs": -1}, {"programs": 1.5}, {"programs": 1, "stay_s": 1e9}, {"program": 1}, []):
            assert client.post("/warm", json=wrong).status_code == 400
