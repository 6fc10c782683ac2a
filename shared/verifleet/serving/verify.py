"""The routes of a verifier: `/verify`, `/verify/batch`, `/reward`, those of what goes on, and its Pub/Sub handler."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from verifleet import observability
from verifleet.errors import (
    FieldProblem,
    ShapeError,
    TooLargeError,
    TransientError,
    VerifierUnavailableError,
    nearest_name,
)
from verifleet.messaging.topology import UNROUTABLE, VERIFICATION_RESULTS
from verifleet.serving import strict_json
from verifleet.serving.backends import Backend, BatchAnswer, BatchState, Pending, QueuedBackend, StoredBackend
from verifleet.serving.delivery import Handler, Output, current_delivery
from verifleet.serving.http import (
    IDEMPOTENCY_KEY,
    LONG_WORK,
    RETRY_AFTER_S,
    check_media_type,
    error_response,
    json_response,
    off_loop,
    read_body,
    read_json,
    while_connected,
)
from verifleet.serving.trainers import trainer_routes

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.verification import VerificationRequest, VerificationResult, VerifierName

MAX_BATCH = 50_000
MANY = 256
"""Results whose JSON is made in a thread."""

MAX_WARM = 1_000_000
STAY_S, MAX_STAY_S = 300, 3600
"""How long a runner that was started ahead waits for its first program, unless it is told."""

MAX_KEY = 255
STILL_JUDGED = "the code runner has not judged this program yet: ask again"
MAX_EXPANDED = 256 * 1024 * 1024
"""Bytes that a batch's defaults may come to, counted once for each request: a short body can stand for a long one."""
_BATCH_FIELDS = ("requests", "defaults", "deadline_ms")
_DEFAULTS = ("prompt", "reference", "options")


class VerifierRoutes:
    """The HTTP side of one verifier."""

    def __init__(self, name: VerifierName, backend: Backend, max_bytes: int) -> None:
        self._name = name
        self._backend = backend
        self._max_bytes = max_bytes

    def routes(self) -> list[Route]:
        """All of them."""
        routes = [
            Route("/verify", self.verify, methods=["POST"]),
            Route("/verify/batch", self.batch, methods=["POST"]),
            Route("/reward", self.reward, methods=["POST"]),
        ]
        if isinstance(self._backend, StoredBackend):
            routes.append(Route("/verifications/{verification_id}", self.verification))
        if isinstance(self._backend, QueuedBackend):
            routes.append(Route("/batches/{batch_id}", self.sent_batch))
            routes.append(Route("/warm", self.warm, methods=["POST"]))
        return [*routes, *trainer_routes(self._name, self._judged, self._max_bytes)]

    async def _judged(
        self, request: Request, requests: Sequence[VerificationRequest], wait_s: float
    ) -> list[VerificationResult]:
        """For calls in trainers' own shapes."""
        deadline = time.monotonic() + wait_s
        answered = await while_connected(request, self._check_batch(list(requests), deadline, _key(request)))
        _note(answered.results)
        return answered.results

    async def verify(self, request: Request) -> Response:
        """One request in, its result out; 202 with a Location when it takes longer than the caller waits."""
        from verifleet.verification import parse_request

        parsed = parse_request(self._name, await read_json(request, self._max_bytes))
        outcome = await while_connected(request, self._check(parsed, _key(request)))
        _note([outcome])
        return _pending(outcome) if isinstance(outcome, Pending) else json_response(result_json(outcome))

    async def batch(self, request: Request) -> Response:
        """Many requests in, as many results out in the same order, with a summary, and the handle of what goes on."""
        from verifleet.verification import summarize

        check_media_type(request)
        body = await read_body(request, self._max_bytes)
        items, defaults, deadline = _batch_parts(self._name, await off_loop(len(body), strict_json.loads, body))
        parsed = await off_loop(len(body), _parse_items, self._name, items, defaults)
        good = [item for item in parsed if not isinstance(item, _Refused)]
        answered = BatchAnswer([])
        if good:
            answered = await while_connected(request, self._check_batch(good, deadline, _key(request)))
        judged = iter(answered.results)
        results = [item.result(self._name) if isinstance(item, _Refused) else next(judged) for item in parsed]
        _note(results)

        def answer() -> Response:
            content: dict[str, Any] = {"results": [*map(result_json, results)], "summary": summarize(results)}
            if answered.state is not None:
                content["pending"] = _batch_state(answered.state)
            return json_response(content)

        return await off_loop(len(body), answer)

    async def reward(self, request: Request) -> Response:
        """Gemini reinforcement tuning's call: an example and a response in, a reward out."""
        return await self.reward_call(request, await read_json(request, self._max_bytes))

    async def reward_call(self, request: Request, raw: Any) -> Response:
        """The answer to the decoded body of such a call."""
        from verifleet.serving.reward import reward_answer, reward_request
        from verifleet.verification import unusable_reference

        outcome = await while_connected(request, self._check(reward_request(self._name, raw), _key(request)))
        _note([outcome])
        if isinstance(outcome, Pending) or outcome.score is None:
            reason = STILL_JUDGED if isinstance(outcome, Pending) else outcome.reason
            return error_response(503, "unavailable", reason, headers={"Retry-After": str(RETRY_AFTER_S)})
        if unusable_reference(outcome):
            return error_response(400, "invalid_reference", outcome.reason)
        return json_response(reward_answer(outcome))

    async def verification(self, request: Request) -> Response:
        """The result of an earlier request: 200 with it, 202 while it is under way, 404 for an unknown id."""
        assert isinstance(self._backend, StoredBackend)
        verification_id = request.path_params["verification_id"]
        outcome = await self._backend.result(verification_id)
        if outcome is None:
            return error_response(404, "not_found", f"there is no verification {verification_id[:80]!r}")
        return _pending(outcome) if isinstance(outcome, Pending) else json_response(result_json(outcome))

    async def sent_batch(self, request: Request) -> Response:
        """The results of a batch's different requests: 200 with all, 202 until then, 404 for an unknown id."""
        from verifleet.verification import summarize

        assert isinstance(self._backend, QueuedBackend)
        batch_id = request.path_params["batch_id"]
        answered = await self._backend.batch(batch_id)
        if answered is None:
            return error_response(404, "not_found", f"there is no batch {batch_id[:80]!r}")
        if answered.state is not None:
            content = {"status": "pending", **_batch_state(answered.state)}
            return json_response(content, 202, {"Location": content["location"], "Retry-After": str(RETRY_AFTER_S)})
        results = answered.results

        def answer() -> Response:
            return json_response({"results": [*map(result_json, results)], "summary": summarize(results)})

        return await off_loop(LONG_WORK if len(results) > MANY else 0, answer)

    async def warm(self, request: Request) -> Response:
        """Have runners started for programs that are to come."""
        assert isinstance(self._backend, QueuedBackend)
        programs, stay_s = _warm_parts(await read_json(request, self._max_bytes))
        warmed = await self._backend.warm(programs, stay_s)
        return json_response({"wanted": warmed.wanted, "running": warmed.running, "launched": warmed.launched})

    async def _check(self, request: VerificationRequest, key: str | None) -> VerificationResult | Pending:
        try:
            with observability.span("judge", verifier=self._name):
                if isinstance(self._backend, QueuedBackend):
                    return await self._backend.check(request, key)
                return await self._backend.check(request)
        except VerifierUnavailableError as error:
            return _unavailable(self._name, request, error)

    async def _check_batch(
        self, requests: list[VerificationRequest], deadline: float | None, key: str | None
    ) -> BatchAnswer:
        try:
            with observability.span("judge", verifier=self._name, count=len(requests)):
                if isinstance(self._backend, QueuedBackend):
                    return await self._backend.send_batch(requests, deadline, key)
                return BatchAnswer(await self._backend.check_batch(requests, deadline))
        except VerifierUnavailableError as error:
            return BatchAnswer([_unavailable(self._name, request, error) for request in requests])


def _note(outcomes: Sequence[VerificationResult | Pending]) -> None:
    """For the alert on errors among results: status codes say nothing of them."""
    errors = sum(not isinstance(outcome, Pending) and outcome.status == "error" for outcome in outcomes)
    observability.note(results=len(outcomes), error_results=errors)
    _count(outcomes)


def _count(outcomes: Sequence[VerificationResult | Pending]) -> None:
    verdicts: Counter[str] = Counter(outcome.verdict for outcome in outcomes if not isinstance(outcome, Pending))
    observability.count_verdicts(verdicts)


def _unavailable(name: VerifierName, request: VerificationRequest, error: Exception) -> VerificationResult:
    from verifleet.verification import VerificationResult

    return VerificationResult(
        request_id=request.request_id, verifier=name, score=None, status="error", verdict="error", reason=str(error)
    )


def is_reward_call(raw: Any) -> bool:
    """Whether the decoded body of `POST /` is a tuning job's, which is given the service's URI only.

    A body with a message is a delivery, whatever else it has.
    """
    return isinstance(raw, dict) and "example" in raw and "message" not in raw


def judge_and_publish(name: VerifierName, backend: Backend) -> Handler:
    """The Pub/Sub handler of a deterministic verifier: judges a request and gives its result to publish.

    A fault of ours raises TransientError, so that the request comes again instead of losing its verdict.
    """

    async def handle(envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        from verifleet.envelopes import make_envelope

        data = envelope.data
        _check_route(name, data.verifier)
        with observability.span("judge", verifier=name):
            outcome = await backend.check(data.request())
        _count([outcome])
        if isinstance(outcome, Pending) or outcome.score is None:
            raise TransientError(STILL_JUDGED if isinstance(outcome, Pending) else outcome.reason)
        result = make_envelope(
            "verification_result_v1",
            outcome,
            session_id=envelope.session_id,
            source_agent=f"{name}_verifier",
            timestamp=datetime.now(UTC),
            cause=cause,
        )
        return [Output(VERIFICATION_RESULTS, result)]

    return handle


def _check_route(name: VerifierName, wanted: str) -> None:
    """Refuse what reached this verifier only because its message names none."""
    delivery = current_delivery()
    if delivery is not None and delivery.subscription == UNROUTABLE:
        given = delivery.attributes.get("verifier")
        problem = "is missing" if given is None else f"is {given[:80]!r}"
        path, problem = "message.attributes.verifier", f"{problem}; publish with one of math, code, knowledge, format"
    elif wanted != name:
        path, problem = "payload.data.verifier", f"is {wanted!r}; this is the {name} verifier"
    else:
        return
    raise ShapeError(f"{path} {problem}", [FieldProblem(path, problem)])


def result_json(result: VerificationResult) -> dict[str, Any]:
    """A result as plain JSON data; text is kept as it is, lone surrogates included."""
    return result.model_dump(mode="python")


def _pending(pending: Pending) -> Response:
    location = f"/verifications/{pending.verification_id}"
    headers = {"Location": location, "Retry-After": str(RETRY_AFTER_S)}
    content = {"verification_id": pending.verification_id, "status": "pending", "location": location}
    return json_response(content, 202, headers)


def _key(request: Request) -> str | None:
    """The caller's name for this request, the same whenever it is repeated. Raises ShapeError."""
    given = request.headers.getlist(IDEMPOTENCY_KEY)
    if not given:
        return None
    if len(given) > 1 or not 0 < len(given[0]) <= MAX_KEY:
        raise ShapeError.at(IDEMPOTENCY_KEY, f"give one, of 1 to {MAX_KEY} characters")
    return given[0]


def _warm_parts(raw: Any) -> tuple[int, float]:
    """(programs, seconds); raises ShapeError."""
    if not isinstance(raw, dict):
        raise ShapeError("give a JSON object with programs")
    programs, stay_s = raw.get("programs"), raw.get("stay_s", STAY_S)
    problems = [FieldProblem(name, "is not known here") for name in sorted(raw.keys() - {"programs", "stay_s"})]
    if isinstance(programs, bool) or not isinstance(programs, int) or not 0 <= programs <= MAX_WARM:
        problems.append(FieldProblem("programs", f"give a whole number from 0 to {MAX_WARM}"))
    if isinstance(stay_s, bool) or not isinstance(stay_s, (int, float)) or not 0 <= stay_s <= MAX_STAY_S:
        problems.append(FieldProblem("stay_s", f"give a number of seconds from 0 to {MAX_STAY_S}"))
    if problems:
        raise ShapeError.of(problems)
    return int(programs), float(stay_s)  # type: ignore[arg-type]


# --- batches -----------------------------------------------------------------


def _batch_state(state: BatchState) -> dict[str, Any]:
    location = f"/batches/{state.batch_id}"
    return {"batch_id": state.batch_id, "done": state.done, "pending": state.pending, "location": location}


class _Refused:
    """An item of a batch whose shape is wrong."""

    def __init__(self, raw: Any, error: ShapeError) -> None:
        label = raw.get("request_id") if isinstance(raw, dict) else None
        self._label = label if isinstance(label, str) else None
        self._error = error

    def result(self, name: VerifierName) -> VerificationResult:
        from verifleet.verification import VerificationResult

        return VerificationResult(
            request_id=self._label,
            verifier=name,
            score=0.0,
            status="scored",
            verdict="malformed",
            reason=f"The request can't be judged: {self._error.message}",
            details={"fields": self._error.as_json()["fields"]},
        )


def _batch_slips(raw: dict[Any, Any]) -> list[FieldProblem]:
    """Fields of a batch's body that would silently do nothing: known names misspelt, or defaults beside `defaults`."""
    problems = []
    for name in sorted(raw.keys() - set(_BATCH_FIELDS)):
        if name in _DEFAULTS:
            problems.append(FieldProblem(name, f"is not known here; it belongs into defaults.{name}"))
        elif (near := nearest_name(name, _BATCH_FIELDS)) is not None:
            problems.append(FieldProblem(name, f"is not known here; did you mean {near}?"))
    return problems


def _batch_parts(name: VerifierName, raw: Any) -> tuple[list[Any], dict[str, Any], float | None]:
    """(requests, defaults, deadline on time.monotonic()'s scale); raises ShapeError."""
    from verifleet.verification import parse_request

    if not isinstance(raw, dict):
        raise ShapeError("a batch is a JSON object with requests")
    problems = _batch_slips(raw)
    items, defaults, deadline_ms = raw.get("requests"), raw.get("defaults"), raw.get("deadline_ms")
    if not isinstance(items, list):
        problems.append(FieldProblem("requests", "give a list of requests"))
    elif len(items) > MAX_BATCH:
        problems.append(FieldProblem("requests", f"give at most {MAX_BATCH} requests"))
    if defaults is not None and not isinstance(defaults, dict):
        problems.append(FieldProblem("defaults", f"give an object with any of {', '.join(_DEFAULTS)}"))
    elif defaults:
        unknown = [name for name in defaults if name not in _DEFAULTS]
        problems += [FieldProblem(f"defaults.{name}", f"only {', '.join(_DEFAULTS)}") for name in unknown]
        if not isinstance(defaults.get("options") or {}, dict):
            problems.append(FieldProblem("defaults.options", "give an object"))
    if deadline_ms is not None and (isinstance(deadline_ms, bool) or not isinstance(deadline_ms, (int, float))):
        problems.append(FieldProblem("deadline_ms", "give a number of milliseconds"))
    elif deadline_ms is not None and deadline_ms < 0:
        problems.append(FieldProblem("deadline_ms", "give a number of milliseconds, 0 or more"))
    if isinstance(items, list) and defaults and len(json.dumps(defaults)) * len(items) > MAX_EXPANDED:
        raise TooLargeError(f"the defaults would fill the requests with more than {MAX_EXPANDED} bytes")
    if problems:
        raise ShapeError.of(problems)
    if defaults:
        parse_request(name, {"response": "", **defaults}, "defaults")  # a fault of theirs is one of the whole body
    assert isinstance(items, list)
    deadline = None if deadline_ms is None else time.monotonic() + min(deadline_ms, 1e9) / 1000.0
    return items, defaults or {}, deadline


def _parse_items(
    name: VerifierName, items: list[Any], defaults: dict[str, Any]
) -> list[VerificationRequest | _Refused]:
    return [_parse_item(name, item, defaults, index) for index, item in enumerate(items)]


def _parse_item(name: VerifierName, raw: Any, defaults: dict[str, Any], index: int) -> VerificationRequest | _Refused:
    from verifleet.verification import parse_request

    try:
        return parse_request(name, with_defaults(raw, defaults), f"requests.{index}")
    except ShapeError as error:
        return _Refused(raw, error)


def with_defaults(raw: Any, defaults: dict[str, Any]) -> Any:
    """A request over the batch's defaults: its own fields win, its options field by field."""
    from verifleet.verification import REFERENCE_ALIASES

    if not isinstance(raw, dict) or not defaults:
        return raw
    if "reference" in defaults and any(raw.get(name) is not None for name in REFERENCE_ALIASES):
        defaults = {name: value for name, value in defaults.items() if name != "reference"}
    merged = {**defaults, **raw}
    own, common = raw.get("options"), defaults.get("options")
    if isinstance(own, dict) and isinstance(common, dict):
        merged["options"] = {**common, **own}
    return merged
