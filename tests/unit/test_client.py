"""The client against a real HTTP server: cutting, retries, deadlines, handles, tokens, and what travels in a pickle."""

import asyncio
import json
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from verifleet import client as client_module
from verifleet import identity
from verifleet.client import NO_ANSWER, VerifierClient
from verifleet.errors import ForbiddenError, SettingsError, ShapeError, TooLargeError, TransientError
from verifleet.verification import parse_request

Answer = tuple[int, dict[str, str], Any]
RESULT = {"verifier": "math", "score": 1.0, "status": "scored", "verdict": "correct", "reason": "fine"}
REQUEST = parse_request("math", {"response": "4", "reference": {"answer": "4"}})


class Server:
    """Answers by a function of (method, path, body), and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any, dict[str, str]]] = []
        self.answer: Callable[[str, str, Any], Answer] = by_response
        self.busy = self.most_busy = 0
        self.drop = 0  # bytes at a time of an answer that drips in
        self.stopped = threading.Event()
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers.get("content-length", 0)))
                body = json.loads(text) if text else None
                with lock:
                    outer.asked.append((self.command, self.path, body, dict(self.headers)))
                    outer.busy += 1
                    outer.most_busy = max(outer.busy, outer.most_busy)
                status, headers, answer = outer.answer(self.command, self.path, body)
                with lock:
                    outer.busy -= 1
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in ({"content-length": str(len(data))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                for start in range(0, len(data), outer.drop or len(data) or 1):
                    self.wfile.write(data[start : start + (outer.drop or len(data))])
                    outer.stopped.wait(0.05 if outer.drop else 0)

            do_GET = do_POST

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.handle_error = lambda *given: None  # type: ignore[method-assign]  # clients leave in the middle
        self.http.handle_error = lambda *of: None  # type: ignore[method-assign]  # a client that hangs up
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def queue(self, *answers: Answer) -> None:
        left = list(answers)
        self.answer = lambda method, path, body: left.pop(0)


def by_response(method: str, path: str, body: Any) -> Answer:
    """Judges a request right whose response is 4."""

    def judged(request: dict[str, Any]) -> dict[str, Any]:
        score = float(request["response"].startswith("4"))
        return {**RESULT, "score": score, "request_id": request.get("request_id")}

    if path == "/verify":
        return 200, {}, judged(body)
    return 200, {}, {"results": [judged(request) for request in body["requests"]], "summary": {}}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(client_module, "FIRST_WAIT_S", 0.01)
    one = Server()
    yield one
    one.stopped.set()
    one.http.shutdown()
    one.http.server_close()


def numbered(count: int) -> list[dict[str, Any]]:
    return [{"request_id": str(n), "response": "4" if n % 2 else "5"} for n in range(count)]


def test_a_pending_verification_is_asked_after_and_a_busy_server_tried_again_under_the_same_name(
    server: Server,
) -> None:
    server.queue((503, {}, {}), (202, {"retry-after": "0"}, {"location": "/verifications/1"}), (200, {}, RESULT))
    with VerifierClient(server.url) as client:
        assert client.verify(REQUEST).score == 1.0
    posts = [headers["Idempotency-Key"] for method, _, _, headers in server.asked if method == "POST"]
    assert len(posts) == 2
    assert len(set(posts)) == 1


def test_a_batch_is_cut_by_count_and_bytes_sent_side_by_side_and_answered_in_order(server: Server) -> None:
    def slowly(method: str, path: str, body: Any) -> Answer:
        time.sleep(0.05)
        return by_response(method, path, body)

    server.answer = slowly
    seen: list[tuple[int, int]] = []
    with VerifierClient(server.url, concurrency=3, piece_count=20) as client:
        results = client.verify_batch(numbered(200), progress=lambda done, of: seen.append((done, of)))
    assert [result.request_id for result in results] == [str(n) for n in range(200)]
    assert [result.score for result in results] == [0.0, 1.0] * 100
    assert [len(body["requests"]) for _, _, body, _ in server.asked] == [20] * 10
    assert 1 < server.most_busy <= 3
    assert seen[-1] == (200, 200)
    server.asked.clear()
    with VerifierClient(server.url, piece_bytes=1000) as client:
        client.verify_batch([{"response": "4" * 400} for _ in range(5)])
    assert sorted(len(body["requests"]) for _, _, body, _ in server.asked) == [1, 2, 2]


def test_what_is_too_large_is_cut_again_and_one_that_is_too_large_alone_spares_the_others(server: Server) -> None:
    def limited(method: str, path: str, body: Any) -> Answer:
        return (413, {}, {}) if len(json.dumps(body)) > 300 else by_response(method, path, body)

    server.answer = limited
    with VerifierClient(server.url, verifier="math") as client:
        results = client.verify_batch([*numbered(10), {"request_id": "long", "response": "4" * 500}])
    assert [result.score for result in results[:10]] == [0.0, 1.0] * 5
    assert (results[10].status, results[10].request_id) == ("error", "long")
    assert "413" in results[10].reason


def test_a_dead_or_failing_server_gives_results_that_say_so_and_the_other_pieces_their_scores(server: Server) -> None:
    def half(method: str, path: str, body: Any) -> Answer:
        return (500, {}, {}) if body["requests"][0]["request_id"] == "0" else by_response(method, path, body)

    server.answer = half
    with VerifierClient(server.url, attempts=2) as client:
        results = client.verify_batch(numbered(32))
        assert [result.status for result in results] == ["error"] * 16 + ["scored"] * 16
        assert results[0].details == NO_ANSWER
        assert "answered 500 (2 attempts)" in results[0].reason
    with VerifierClient("http://127.0.0.1:1", attempts=1) as client:
        assert [result.status for result in client.verify_batch(numbered(2))] == ["error"] * 2
        with pytest.raises(TransientError, match="can't be reached"):
            client.verify(REQUEST)


def test_at_the_deadline_what_is_there_is_given(server: Server) -> None:
    def late(method: str, path: str, body: Any) -> Answer:
        assert 0 < body["deadline_ms"] < 1000
        if body["requests"][0]["request_id"] == "0":
            time.sleep(20)
        return by_response(method, path, body)

    server.answer = late
    started = time.monotonic()
    with VerifierClient(server.url) as client:
        results = client.verify_batch(numbered(32), deadline_s=0.6)
    assert time.monotonic() - started < 15
    assert [result.status for result in results] == ["error"] * 16 + ["scored"] * 16
    assert "deadline" in results[0].reason


def test_programs_of_a_batch_that_go_on_are_asked_after_by_its_handle(server: Server) -> None:
    missed = {**RESULT, "score": None, "status": "error", "verdict": "error", "details": {"verification_id": "b"}}
    waits: Answer = (202, {"retry-after": "0"}, {"location": "/batches/1"})
    pending = {"results": [RESULT, missed], "summary": {}, "pending": {"location": "/batches/1"}}
    found = {"results": [{**RESULT, "verification_id": "a"}, {**RESULT, "verification_id": "b", "score": 0.0}]}
    for result in (RESULT, missed):
        result["request_id"] = None
    server.queue((200, {}, pending), waits, waits, (200, {}, found))
    with VerifierClient(server.url) as client:
        assert [result.score for result in client.verify_batch([REQUEST, REQUEST])] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        ((400, {}, {"error": {"message": "response: Field required"}}), ShapeError, "400: response: Field required"),
        ((403, {}, b"<html>"), ForbiddenError, "403: <html>"),
        ((404, {}, b""), ShapeError, "404: no reason given"),
        ((200, {}, b"<html>"), ShapeError, "not as a verifier does"),
        ((200, {}, []), ShapeError, "not as a verifier does"),
    ],
)
def test_what_is_refused_is_said_and_not_tried_again(
    server: Server, answer: Answer, error: type[Exception], said: str
) -> None:
    with VerifierClient(server.url) as client:
        for call in (lambda: client.verify(REQUEST), lambda: client.verify_batch([REQUEST])):
            server.queue(answer)
            with pytest.raises(error, match=said):
                call()


def test_a_server_with_too_many_requests_is_asked_again_when_it_says(server: Server) -> None:
    import httpx

    busy = (429, {"retry-after": "0"}, {"error": {"message": "too many"}})
    for call, answer in (("verify", RESULT), ("verify_batch", {"results": [RESULT]})):
        server.queue(busy, busy, (200, {}, answer))
        with VerifierClient(server.url) as client:
            result = getattr(client, call)(REQUEST if call == "verify" else [REQUEST])
        assert (result if call == "verify" else result[0]).score == 1.0
    assert len(server.asked) == 6
    server.answer = lambda *_: busy
    with VerifierClient(server.url, attempts=2) as client:
        assert "answered 429 (2 attempts)" in client.verify_batch([REQUEST])[0].reason
    waits = [client_module._backed_off(0, httpx.Response(429, headers={"retry-after": said})) for said in ("7", "900")]
    assert waits == [7.0, client_module.LONGEST_WAIT_S]


def test_an_answer_that_drips_in_is_given_up_also_without_a_deadline(server: Server) -> None:
    server.drop = 1
    with VerifierClient(server.url, timeout_s=0.3, attempts=2) as client:
        with pytest.raises(TransientError, match=r"did not answer within 0\.3 s \(2 attempts\)"):
            client.verify(REQUEST)
        assert "did not answer within 0.3 s" in client.verify_batch([REQUEST])[0].reason
    with VerifierClient(server.url) as client, pytest.raises(TransientError, match="deadline passed"):
        client.verify(REQUEST, deadline_s=0.3)


def test_an_answer_of_any_size_is_not_read_and_a_batch_asked_for_in_halves(server: Server) -> None:
    def long(method: str, path: str, body: Any) -> Answer:
        status, headers, answer = by_response(method, path, body)
        for result in answer.get("results", [answer]):
            result["reason"] = "fine" + "!" * 2000
        return status, headers, answer

    server.answer = long
    with VerifierClient(server.url, answer_bytes=5000) as client:
        assert [result.score for result in client.verify_batch(numbered(8))] == [0.0, 1.0] * 4
    with VerifierClient(server.url, answer_bytes=1000, verifier="math") as client:
        assert "answered more than 1000 bytes" in client.verify_batch([REQUEST])[0].reason
        with pytest.raises(TooLargeError, match="answered more than 1000 bytes"):
            client.verify(REQUEST)


def test_what_is_pending_for_ever_is_given_up_at_the_deadline_and_without_one_after_a_time(server: Server) -> None:
    missed = {**RESULT, "score": None, "status": "error", "verdict": "error", "reason": "still running"}
    missed |= {"details": {"verification_id": "b"}}

    def never(method: str, path: str, body: Any) -> Answer:
        if path == "/verify/batch":
            return 200, {}, {"results": [missed], "pending": {"location": "/batches/1"}}
        return 202, {"retry-after": "0"}, {"location": "/verifications/1"}

    server.answer = never
    for settings, asked in (({}, {"deadline_s": 0.2}), ({"pending_s": 0.2}, {})):
        with VerifierClient(server.url, **settings) as client:
            with pytest.raises(TransientError, match="deadline passed"):
                client.verify(REQUEST, **asked)
            with pytest.raises(TransientError, match="deadline passed"):
                asyncio.run(client.averify(REQUEST, **asked))
            assert client.verify_batch([REQUEST], **asked)[0].status == "error"


@pytest.mark.parametrize("told", [{}, {"location": 7}, {"location": "@elsewhere.example/x"}, {"location": "http://x/"}])
def test_a_handle_that_is_none_on_this_server_is_no_answer_of_a_verifier(server: Server, told: Any) -> None:
    with VerifierClient(server.url) as client:
        server.queue((202, {}, told))
        with pytest.raises(ShapeError, match="answered 202, but not as a verifier does"):
            client.verify(REQUEST)
        for pending in (told, "soon"):
            server.queue((200, {}, {"results": [RESULT], "pending": pending}))
            with pytest.raises(ShapeError, match="not as a verifier does"):
                client.verify_batch([REQUEST])


@pytest.mark.parametrize("found", [None, {}, {"results": 4}, {"results": [7, {}]}])
def test_what_comes_of_a_handle_and_is_no_result_is_told_or_left(server: Server, found: Any) -> None:
    missed = {**RESULT, "score": None, "status": "error", "verdict": "error", "details": {"verification_id": "b"}}
    server.queue((200, {}, {"results": [missed], "pending": {"location": "/batches/1"}}), (200, {}, found))
    with VerifierClient(server.url) as client:
        if found == {"results": [7, {}]}:
            assert client.verify_batch([REQUEST])[0].status == "error"
        else:
            with pytest.raises(ShapeError, match="not as a verifier does"):
                client.verify_batch([REQUEST])


@pytest.mark.parametrize(("given", "seconds"), [("3", 3.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("x", 1.0)])
def test_what_a_busy_server_says_of_when_to_come_again_is_read(given: str, seconds: float) -> None:
    import httpx

    assert client_module._told_to_wait(httpx.Response(503, headers={"retry-after": given}), 1.0) == seconds
    assert client_module._told_to_wait(httpx.Response(503), 1.0) == 1.0


def test_a_client_serves_threads_and_loops_and_comes_out_of_a_pickle_and_a_fork(server: Server) -> None:
    async def several(client: VerifierClient) -> list[float | None]:
        both = await asyncio.gather(client.averify(REQUEST), client.averify_batch([REQUEST]))
        return [both[0].score, both[1][0].score]

    with VerifierClient(server.url, verifier="math", headers={"x-team": "a"}) as client:
        assert client.verify(REQUEST).score == 1.0
        assert asyncio.run(several(client)) == asyncio.run(several(client)) == [1.0, 1.0]
        child = os.fork()
        if child == 0:
            os._exit(0 if client.verify(REQUEST).score == 1.0 else 1)
        assert os.waitpid(child, 0)[1] == 0
        with pickle.loads(pickle.dumps(client)) as copy:
            assert copy.settings == client.settings
            assert copy.verify(REQUEST).score == 1.0
    assert server.asked[-1][3]["x-team"] == "a"
    assert client.verify(REQUEST).score == 1.0  # opened again
    client.close()


def test_an_address_that_is_no_url_and_another_verifier_behind_it_are_told(server: Server) -> None:
    with pytest.raises(SettingsError, match="'localhost:8101' is no URL of a verifier: it begins with http"):
        VerifierClient("localhost:8101")
    with VerifierClient(server.url, verifier="knowledge") as client:
        for call in (client.verify, client.verify_json, lambda request: client.verify_batch([request])):
            with pytest.raises(SettingsError, match="is a math verifier, not the knowledge verifier that was named"):
                call(REQUEST)


def test_what_is_under_way_when_a_client_is_closed_is_given_up(server: Server) -> None:
    from concurrent.futures import CancelledError, ThreadPoolExecutor

    asked, answered = threading.Event(), threading.Event()

    def never(method: str, path: str, body: Any) -> Answer:
        asked.set()
        answered.wait(60)
        return 200, {}, RESULT

    server.answer = never
    client = VerifierClient(server.url)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.verify, REQUEST)
        assert asked.wait(60)
        client.close()
        with pytest.raises(CancelledError):
            waiting.result(60)
    answered.set()


def test_many_threads_may_make_the_first_call_together(server: Server) -> None:
    from concurrent.futures import ThreadPoolExecutor

    for _ in range(5):
        with VerifierClient(server.url) as client, ThreadPoolExecutor(8) as pool:
            assert [one.score for one in pool.map(client.verify, [REQUEST] * 16)] == [1.0] * 16


def test_any_text_travels(server: Server) -> None:
    with VerifierClient(server.url) as client:
        assert client.verify_json({"response": "4 \ud800 \u2028"})["score"] == 1.0
    assert server.asked[0][2] == {"response": "4 \ud800 \u2028"}


class Google:
    """Gives a new token each time it is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.given: list[str] = []
        monkeypatch.setattr(identity, "_kept", {})
        monkeypatch.setattr("google.oauth2.id_token.fetch_id_token", self._fetch)

    def _fetch(self, request: Any, audience: str) -> str:
        self.given.append(audience)
        return f"token{len(self.given)}"


def secure(monkeypatch: pytest.MonkeyPatch, accepted: str, asked: list[str | None]) -> None:
    """Have https requests answered in this process: by a verifier that accepts one token."""
    import httpx

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("authorization"))
        right = asked[-1] == f"Bearer {accepted}"
        return httpx.Response(200 if right else 401, json=RESULT if right else {})

    transport = httpx.MockTransport(answer)
    monkeypatch.setattr(client_module, "_connections", lambda settings: httpx.AsyncClient(transport=transport))


def test_a_google_token_goes_with_https_and_is_renewed_once_when_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    google, asked = Google(monkeypatch), list[str | None]()
    secure(monkeypatch, "token2", asked)
    with VerifierClient("https://canary---math-x.a.run.app") as client:
        assert client.verify(REQUEST).score == client.verify(REQUEST).score == 1.0
    assert asked == ["Bearer token1", "Bearer token2", "Bearer token2"]
    assert google.given == ["https://math-x.a.run.app"] * 2
    secure(monkeypatch, "none", asked)
    with VerifierClient("https://math-x.a.run.app") as client, pytest.raises(ForbiddenError, match="401"):
        client.verify(REQUEST)
    assert len(google.given) == 3


def test_headers_of_the_users_own_are_left_alone_and_a_public_service_needs_no_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from google.auth.exceptions import DefaultCredentialsError

    google, asked = Google(monkeypatch), list[str | None]()
    secure(monkeypatch, "mine", asked)
    with VerifierClient("https://x.example", headers={"authorization": "Bearer mine"}) as client:
        assert client.verify(REQUEST).score == 1.0
    assert google.given == []

    def none_there(request: Any, audience: str) -> str:
        raise DefaultCredentialsError("none")

    monkeypatch.setattr("google.oauth2.id_token.fetch_id_token", none_there)
    with (
        VerifierClient("https://x.example") as client,
        pytest.raises(ForbiddenError, match="no Google credentials were found"),
    ):
        client.verify(REQUEST)
    with VerifierClient("https://x.example", auth="google") as client, pytest.raises(TransientError, match="identity"):
        client.verify(REQUEST)


def test_a_token_is_kept_until_shortly_before_its_own_end(monkeypatch: pytest.MonkeyPatch) -> None:
    import base64

    body = base64.urlsafe_b64encode(json.dumps({"exp": time.time() + 400}).encode()).decode().rstrip("=")
    assert identity._left_s(f"x.{body}.y") == pytest.approx(400, abs=5)
    assert identity._left_s("opaque") == identity.KEPT_S + identity.EARLY_S
