"""Several verifiers behind one client: routed by what a row says, through gates, and guessed only on request."""

import asyncio
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.test_client import RESULT, Answer, Server
from verifleet.client import VerifierClient, VerifierFleet
from verifleet.errors import SettingsError, ShapeError
from verifleet.routing import guessed


def judged(verifier: str, request: dict[str, Any]) -> dict[str, Any]:
    """Format is right where a response is in tags, an answer where it ends with its reference."""
    response = request["response"]
    if response == "?":
        fault = {"score": None, "status": "error", "verdict": "error", "reason": "no worker"}
        return {**RESULT, **fault, "verifier": verifier, "request_id": request.get("request_id")}
    wanted = str((request.get("reference") or {}).get("answer", request.get("label")))
    right = response.startswith("<a>") if verifier == "format" else response.endswith(wanted)
    return {**RESULT, "verifier": verifier, "score": float(right), "request_id": request.get("request_id")}


def by_path(method: str, path: str, body: Any) -> Answer:
    return 200, {}, {"results": [judged(path.split("/")[1], request) for request in body["requests"]]}


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    one = Server()
    one.answer = by_path
    yield one
    one.http.shutdown()
    one.http.server_close()


@pytest.fixture
def server(running: Server) -> Server:
    running.asked.clear()
    return running


def client(server: Server, name: Any) -> VerifierClient:
    return VerifierClient(f"{server.url}/{name}", verifier=name)


def asked(server: Server, name: str) -> list[str]:
    bodies = [body for _, path, body, _ in server.asked if path.startswith(f"/{name}/")]
    return [one["response"] for body in bodies for one in body["requests"]]


ROWS = [
    {"data_source": "gsm8k", "response": "It is 4", "label": "4", "request_id": "a"},
    {"data_source": "trivia", "response": "Paris", "reference": {"answer": "Paris"}, "request_id": "b"},
    {"data_source": "gsm8k", "response": "5", "label": "4", "request_id": "c"},
]


def test_each_row_goes_to_the_verifier_that_its_column_names_and_results_come_in_order(server: Server) -> None:
    seen: list[tuple[int, int]] = []
    with VerifierFleet({"gsm8k": client(server, "math"), "trivia": client(server, "knowledge")}) as fleet:
        results = fleet.verify_batch(ROWS, deadline_s=60, progress=lambda done, of: seen.append((done, of)))
        assert [one.request_id for one in asyncio.run(fleet.averify_batch(ROWS))] == ["a", "b", "c"]
        with pickle.loads(pickle.dumps(fleet)) as copy:
            assert copy.verify(ROWS[0]).score == asyncio.run(copy.averify(ROWS[0])).score == 1.0
    assert [(one.verifier, one.score) for one in results] == [("math", 1.0), ("knowledge", 1.0), ("math", 0.0)]
    assert seen[-1] == (3, 3)
    assert "data_source" not in server.asked[0][2]["requests"][0]
    assert fleet.verify_batch([]) == []


def test_what_does_not_pass_a_gate_is_not_judged_and_says_which_gate_it_was(server: Server) -> None:
    rows = [{**ROWS[0], "kind": "m", "response": text} for text in ("<a>4", "4", "?", "<a>5")]
    gates = [(client(server, "format"), "<a>{text}</a>")]
    with VerifierFleet({"m": client(server, "math")}, column="kind", all_of=gates) as fleet:
        results = fleet.verify_batch(rows)
    assert [(one.verifier, one.score) for one in results] == [
        ("math", 1.0),
        ("format", 0.0),
        ("format", None),
        ("math", 0.0),
    ]
    assert [one.details.get("gate") for one in results] == [None, 0, 0, None]
    assert asked(server, "math") == ["<a>4", "<a>5"]
    with pytest.raises(ShapeError, match=r"all_of\.0: reference\.format"):
        VerifierFleet({"m": client(server, "math")}, all_of=[(client(server, "format"), "jsn")])


def test_a_row_that_names_no_verifier_is_refused_before_anything_is_asked_unless_a_guess_is_wanted(
    server: Server,
) -> None:
    clients = {"gsm8k": client(server, "math"), "trivia": client(server, "knowledge")}
    unnamed = [{"response": "x = 4", "label": "4"}, {"response": "Paris", "label": "Paris"}]
    with VerifierFleet(clients) as fleet, pytest.raises(ShapeError, match=r"requests\.1\.data_source: is None; there"):
        fleet.verify_batch([ROWS[0], *unnamed])
    assert server.asked == []
    with VerifierFleet(clients, guess=True) as fleet:
        assert [one.verifier for one in fleet.verify_batch([*unnamed, ROWS[1]])] == ["math", "knowledge", "knowledge"]
        with pytest.raises(ShapeError, match=r"requests\.0\.data_source: is 'other'"):
            fleet.verify({"data_source": "other", "response": "4", "prompt": "2+2?"})
    with pytest.raises(ShapeError, match=r"requests\.0\.response: is required"):
        VerifierFleet(clients).verify({"data_source": "gsm8k"})
    for wrong in ({}, {"a": VerifierClient(server.url)}):
        with pytest.raises(SettingsError, match="a fleet needs clients"):
            VerifierFleet(wrong, guess=True)


ALL = ("math", "code", "knowledge", "format")


@pytest.mark.parametrize(
    ("row", "verifier"),
    [
        ({"reference": {"answer": "42"}}, "math"),
        ({"label": "\\frac{1}{2}"}, "math"),
        ({"solution": ["2", "x = 3"]}, "math"),
        ({"reference": {"answer": "Paris"}}, "knowledge"),
        ({"reference": {"answer": "1889", "aliases": ["in 1889"]}}, "knowledge"),
        ({"label": "json"}, "format"),
        ({"label": "<a>{text}</a>"}, "format"),
        ({"reference": {"json_schema": {"type": "object"}}}, "format"),
        ({"reference": {"tests": [{"input": "1", "output": "2"}]}}, "code"),
        ({"label": "assert f(1) == 2"}, "code"),
        ({"prompt": "2+2?", "response": "4"}, None),
        ({"reference": {"colour": "red"}}, None),
    ],
)
def test_a_verifier_is_guessed_by_the_reference_alone(row: dict[str, Any], verifier: str | None) -> None:
    assert guessed(row, ALL) == verifier  # type: ignore[arg-type]
    if verifier is not None:
        assert guessed(row, [verifier]) == verifier  # type: ignore[list-item]
