"""A client for deployed or local verifiers over HTTP, to be called from plain and from asynchronous code.

One engine does the work, on an event loop of its own in a thread: so a client may be used from any thread and any
loop, be pickled (its settings travel, connections are made anew) and go through a fork.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from pydantic import ValidationError

from verifleet.errors import ForbiddenError, SettingsError, ShapeError, TooLargeError, TransientError
from verifleet.verification import VERIFIER_NAMES, VerificationRequest, VerificationResult, VerifierName
from verifleet.verifier_fleet import VerifierFleet

if TYPE_CHECKING:
    import concurrent.futures

    import httpx

__all__ = ["NO_ANSWER", "Auth", "ClientSettings", "VerifierClient", "VerifierFleet"]

T = TypeVar("T")
Request = VerificationRequest | Mapping[str, Any]

ATTEMPTS: Final = 4
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
PIECE_BYTES: Final = 4 * 1024 * 1024
PIECE_COUNT: Final = 256
SMALLEST_PIECE: Final = 16

TOLD_SHARE: Final = 0.9
"""The share of what is left until the deadline that the server is told: its answer has to travel."""

POLL_S: Final = 0.05
"""The least time between two questions after what is pending, whatever the server says."""

NO_ANSWER: Final[Mapping[str, Any]] = {"fault": {"in": "network"}}
"""The details of a result that stands for an answer which did not come."""

_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504})
Auth = Literal["auto", "google", "none"]
_LATE: Final = "The deadline passed before this request was answered."

_engines: weakref.WeakSet[_Engine] = weakref.WeakSet()


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """All that a client is: what is pickled of it.

    Args:
        url: base URL of the verifier, e.g. `http://localhost:8101`.
        verifier: which of the four it is; without it each answer says so.
        headers: sent with every request.
        auth: `auto`: a Google ID token for https URLs where there are Application Default Credentials and no
            Authorization among the headers, `google`: the same, and a fault without credentials, `none`: never.
        timeout_s: for one HTTP request and the whole of its answer, however slowly it drips in.
        pending_s: for programs that go on after their request was answered, where the caller names no deadline.
        answer_bytes: the largest answer that is read; a larger one of a batch is asked for in two halves.
        attempts: for one HTTP request that fails through no fault of its own.
        concurrency: HTTP requests at once.
        piece_count, piece_bytes: the most that one request of a batch holds.
        smallest_piece: requests, below which a batch is not cut further for the sake of more instances.

    Raises:
        SettingsError: the URL is none of http or https.
    """

    url: str
    verifier: VerifierName | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    auth: Auth = "auto"
    timeout_s: float = 300.0
    pending_s: float = 3600.0
    answer_bytes: int = 64 * 1024 * 1024
    attempts: int = ATTEMPTS
    concurrency: int = 16
    piece_count: int = PIECE_COUNT
    piece_bytes: int = PIECE_BYTES
    smallest_piece: int = SMALLEST_PIECE

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise SettingsError(f"{self.url!r} is no URL of a verifier: it begins with http:// or https://")


class VerifierClient:
    """Asks one verifier; busy and failing answers are tried again, a wrong request is not.

    Each method has a twin for asynchronous callers, named `a...`. Takes the arguments of `ClientSettings`.
    """

    def __init__(self, url: str, **settings: Any) -> None:
        given = ClientSettings(url.rstrip("/"), **settings)
        self.settings = replace(given, headers=dict(given.headers))
        self._engine = _Engine(self.settings)
        self._ended = weakref.finalize(self, self._engine.end)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_of, (self.settings,)

    @property
    def name(self) -> VerifierName | None:
        """Which verifier this is said to be."""
        return self.settings.verifier

    def verify(self, request: Request, *, deadline_s: float | None = None) -> VerificationResult:
        """Judge one; a code verification that takes longer than it was waited for is asked after until it is there.

        Args:
            request: a request, or its fields; a prompt may be a list of messages.
            deadline_s: seconds for all of it; without it each HTTP request has its time, and what is pending its own.

        Raises:
            ShapeError: the verifier refused the request, or does not answer as one; carries what it said.
            ForbiddenError: it refused the caller. TooLargeError: the request or its answer is too large.
            TransientError: no answer after all attempts, or by the deadline.
            SettingsError: another verifier than was named answers there.
        """
        return _result(self.verify_json(request, deadline_s=deadline_s), self.settings.url)

    async def averify(self, request: Request, *, deadline_s: float | None = None) -> VerificationResult:
        """As `verify`."""
        return _result(await self._engine.awaited(self._engine.one(request, deadline_s)), self.settings.url)

    def verify_json(self, request: Request, *, deadline_s: float | None = None) -> dict[str, Any]:
        """As `verify`, the result as the JSON object that came."""
        return self._engine.done(self._engine.one(request, deadline_s))

    def verify_batch(
        self,
        requests: Sequence[Request],
        *,
        defaults: Mapping[str, Any] | None = None,
        deadline_s: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[VerificationResult]:
        """Judge many, in order, in several HTTP requests at once.

        What could not be judged, because no answer came or not before the deadline, has a result of status `error`
        that says why: the other results are there all the same.

        Args:
            requests: each as `verify` takes it.
            defaults: {prompt, reference, options} for what a request lacks.
            deadline_s: seconds for all of it; without it, programs that go on are waited for `pending_s`.
            progress: called with (judged, all) as answers come in, from another thread.

        Raises:
            ShapeError: the verifier refused a request as a whole. ForbiddenError: it refused the caller.
            SettingsError: another verifier than was named answers there.
        """
        return self._engine.done(self._engine.many(requests, defaults, deadline_s, progress))

    async def averify_batch(
        self,
        requests: Sequence[Request],
        *,
        defaults: Mapping[str, Any] | None = None,
        deadline_s: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[VerificationResult]:
        """As `verify_batch`."""
        return await self._engine.awaited(self._engine.many(requests, defaults, deadline_s, progress))

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """As a verifier in this process: `deadline` is on time.monotonic()'s scale."""
        return self.verify_batch(requests, deadline_s=None if deadline is None else deadline - time.monotonic())

    async def acheck_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """As `check_batch`."""
        return await self.averify_batch(requests, deadline_s=None if deadline is None else deadline - time.monotonic())

    def warm(self, programs: int, *, stay_s: float | None = None) -> dict[str, int]:
        """Have runners of a code verifier started for so many programs that are to come; they wait `stay_s` for them.

        Returns the runner tasks that are wanted, running (or starting) and launched. Raises as `verify` does.
        """
        body = {"programs": programs} | ({} if stay_s is None else {"stay_s": stay_s})
        told: dict[str, int] = self._engine.done(self._engine.warm(body))
        return told

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of work for a loop, run on this client's own and waited for."""
        return self._engine.done(work)

    def close(self) -> None:
        """Close connections, and give up what is asked on them; the next call opens new ones."""
        self._engine.close()

    def __enter__(self) -> VerifierClient:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _made_of(settings: ClientSettings) -> VerifierClient:
    return VerifierClient(**{name: getattr(settings, name) for name in ClientSettings.__dataclass_fields__})


class _Engine:
    """The loop, its thread, and what is asked on it."""

    def __init__(self, settings: ClientSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._http: httpx.AsyncClient | None = None
        self._free: asyncio.Semaphore | None = None
        self._has_identity = True
        _engines.add(self)

    def after_fork(self) -> None:
        """In the child there is no thread of ours, and the lock may be held by one that is not there."""
        self._lock = threading.Lock()
        self._loop = self._thread = self._http = self._free = None

    # --- from other threads -------------------------------------------------------

    def submit(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start work on the loop, which is started when it is not there."""
        with self._lock:
            if self._loop is None:
                self._start()
            assert self._loop is not None
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def done(self, work: Coroutine[Any, Any, T]) -> T:
        """The work's outcome, waited for."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def awaited(self, work: Coroutine[Any, Any, T]) -> T:
        """The same for a caller on another loop."""
        return await asyncio.wrap_future(self.submit(work))

    def end(self) -> None:
        """Have the loop end when its connections are closed; never blocks."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._close(loop), loop)

    def close(self) -> None:
        """End the loop and wait for it."""
        self.end()
        if self._thread is not None:
            self._thread.join(10)

    def _start(self) -> None:
        loop = asyncio.new_event_loop()

        def run() -> None:
            loop.run_forever()
            loop.close()

        self._http, self._free = None, None
        self._thread = threading.Thread(target=run, name="verifleet-client", daemon=True)
        self._thread.start()
        self._loop = loop

    # --- on the loop --------------------------------------------------------------

    async def one(self, request: Request, deadline_s: float | None = None) -> dict[str, Any]:
        """The result of a single request, as it came."""
        until = None if deadline_s is None else time.monotonic() + deadline_s
        answer = await self._send("POST", "/verify", _body(_plain(request)), until)
        if answer.status_code == 202:
            answer = await self._ended(_location(_json(answer), answer), until)
        return self._ours(_json(answer))

    async def _ended(self, location: str, until: float | None) -> _Answer:
        """What there is at a location when it is pending no longer. Raises TransientError."""
        until = time.monotonic() + self._settings.pending_s if until is None else until
        while (answer := await self._send("GET", location, None, until)).status_code == 202:
            await _slept(max(POLL_S, _told_to_wait(answer, 1.0)), until)
        return answer

    async def warm(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What `/warm` answers."""
        return _json(await self._send("POST", "/warm", _body(body), None))

    async def many(
        self,
        requests: Sequence[Request],
        defaults: Mapping[str, Any] | None,
        deadline_s: float | None,
        progress: Callable[[int, int], None] | None,
    ) -> list[VerificationResult]:
        """The results of a batch, cut into pieces."""
        plain = await asyncio.to_thread(_encoded, requests)
        until = None if deadline_s is None else time.monotonic() + deadline_s
        common = b"" if not defaults else b'"defaults":' + _body(defaults) + b","
        judged = 0

        async def piece(part: list[bytes]) -> list[dict[str, Any]]:
            nonlocal judged
            results = await self._piece(part, common, until)
            judged += len(part)
            if progress is not None:
                progress(judged, len(plain))
            return results

        parts = _cut(plain, self._settings)
        tasks = [asyncio.create_task(piece(part)) for part in parts]
        try:
            answered = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        found = [result for results in answered for result in results]
        return [self._labelled(result, request) for result, request in zip(found, requests, strict=True)]

    async def _piece(self, part: list[bytes], common: bytes, until: float | None) -> list[dict[str, Any]]:
        """The results of one piece; one that is too large is cut once more."""
        try:
            return await self._asked(part, common, until)
        except TooLargeError as error:
            if len(part) == 1:
                return [_fault(str(error))]
            half = len(part) // 2
            return await self._piece(part[:half], common, until) + await self._piece(part[half:], common, until)
        except TransientError as error:
            return [_fault(str(error))] * len(part)

    async def _asked(self, part: list[bytes], common: bytes, until: float | None) -> list[dict[str, Any]]:
        left = b"" if until is None else b'"deadline_ms":%d,' % (max(0.0, _left(until)) * TOLD_SHARE * 1000)
        body = b"{" + common + left + b'"requests":[' + b",".join(part) + b"]}"
        answer = await self._send("POST", "/verify/batch", body, until)
        answered = _json(answer)
        results = answered.get("results")
        if not isinstance(results, list) or len(results) != len(part):
            raise _no_verifier(answer)
        pending = answered.get("pending")
        return results if pending is None else await self._completed(results, _location(pending, answer), until)

    async def _completed(
        self, results: list[dict[str, Any]], location: str, until: float | None
    ) -> list[dict[str, Any]]:
        """The results of a piece, with those that were not there yet, by the name that each was given."""
        try:
            answer = await self._ended(location, until)
        except TransientError:
            return results  # what is missing says so itself
        found = _json(answer).get("results")
        if not isinstance(found, list):
            raise _no_verifier(answer)
        by_name = {name: one for one in found if (name := _text_at(one, "verification_id")) is not None}
        return [_filled(result, by_name) for result in results]

    async def _send(self, method: str, path: str, body: bytes | None, until: float | None) -> _Answer:
        """One answer below 400. What is sent is tried again under the same name, so that nothing is run twice.

        Raises as `verify_batch` does, and TooLargeError.
        """
        import httpx

        key = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"} if body is not None else {}
        problem, wait_s, refreshed, attempt = "", 0.0, False, 0
        while attempt < self._settings.attempts:
            await _slept(wait_s, until)
            try:
                answer = await self._exchanged(method, path, body, key, until, fresh=refreshed)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                problem = f"can't be reached: {str(error) or type(error).__name__}"
                attempt, wait_s = attempt + 1, _backed_off(attempt, None)
                continue
            except TimeoutError:
                problem = f"did not answer within {self._settings.timeout_s:g} s"
                attempt, wait_s = attempt + 1, _backed_off(attempt, None)
                continue
            if answer.status_code == 401 and not refreshed and self._by_google():
                refreshed = True
                continue
            if answer.status_code not in _AGAIN:
                return self._accepted(path, answer)
            problem = f"answered {answer.status_code}"
            attempt, wait_s = attempt + 1, _backed_off(attempt, answer)
        raise TransientError(f"{self._settings.url}{path} {problem} ({self._settings.attempts} attempts)")

    async def _exchanged(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], until: float | None, *, fresh: bool
    ) -> _Answer:
        """Raises TransientError at the deadline, and TimeoutError when the time of one request is over before it."""
        if self._http is None:
            self._http = _connections(self._settings)
            self._free = asyncio.Semaphore(self._settings.concurrency)
        assert self._free is not None
        try:
            async with asyncio.timeout(None if until is None else _left(until)), self._free:
                sent = {**self._settings.headers, **headers, **await self._identity(fresh)}
                async with asyncio.timeout(self._settings.timeout_s):
                    return await self._received(self._http, method, path, body, sent)
        except TimeoutError:
            if until is None or _left(until) > 0:
                raise
            raise TransientError(_LATE) from None

    async def _received(
        self, http: httpx.AsyncClient, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> _Answer:
        url, content = self._settings.url + path, bytearray()
        async with http.stream(method, url, content=body, headers=headers) as answer:
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > self._settings.answer_bytes:
                    raise TooLargeError(f"{url} answered more than {self._settings.answer_bytes} bytes")
        return _Answer(url, answer.status_code, answer.headers, bytes(content))

    def _by_google(self) -> bool:
        """Whether requests carry a Google ID token."""
        own = any(name.lower() == "authorization" for name in self._settings.headers)
        return self._settings.auth != "none" and self._settings.url.startswith("https://") and not own

    async def _identity(self, fresh: bool) -> dict[str, str]:
        from verifleet.identity import IdentityError, identity_headers

        if not self._by_google() or not self._has_identity:
            return {}
        try:
            return await asyncio.to_thread(identity_headers, self._settings.url, fresh=fresh)
        except IdentityError:
            if self._settings.auth == "google":
                raise
            self._has_identity = False  # a public service; a private one answers 401
            return {}

    def _accepted(self, path: str, answer: _Answer) -> _Answer:
        status = answer.status_code
        if status < 400:
            return answer
        said = f"{self._settings.url}{path} answered {status}: {_reason(answer)}"
        if status in (401, 403):
            hint = "" if self._has_identity or not self._by_google() else " (no Google credentials were found here)"
            raise ForbiddenError(said + hint)
        if status == 413:
            raise TooLargeError(said)
        raise ShapeError(said)

    def _labelled(self, raw: dict[str, Any], request: Request) -> VerificationResult:
        if isinstance(raw, dict) and raw.get("details") == NO_ANSWER:
            label = request.request_id if isinstance(request, VerificationRequest) else request.get("request_id")
            raw = {**raw, "verifier": self._settings.verifier or VERIFIER_NAMES[0], "request_id": label}
        return _result(self._ours(raw), self._settings.url)

    def _ours(self, raw: dict[str, Any]) -> dict[str, Any]:
        """A result as it came. Raises SettingsError for one of another verifier than is asked here."""
        wanted, there = self._settings.verifier, raw.get("verifier") if isinstance(raw, dict) else None
        if wanted is not None and there in VERIFIER_NAMES and there != wanted:
            raise SettingsError(f"{self._settings.url} is a {there} verifier, not the {wanted} verifier that was named")
        return raw

    async def _close(self, loop: asyncio.AbstractEventLoop) -> None:
        http, self._http = self._http, None
        under_way = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
        for task in under_way:
            task.cancel()  # who waits for it must not wait for ever
        await asyncio.gather(*under_way, return_exceptions=True)
        if http is not None:
            await http.aclose()
        loop.call_soon(loop.stop)


def _after_fork() -> None:
    for engine in list(_engines):
        engine.after_fork()


os.register_at_fork(after_in_child=_after_fork)


def _connections(settings: ClientSettings) -> httpx.AsyncClient:
    import httpx

    limits = httpx.Limits(max_connections=settings.concurrency)
    return httpx.AsyncClient(limits=limits, timeout=settings.timeout_s)


def _result(raw: dict[str, Any], url: str) -> VerificationResult:
    try:
        return VerificationResult.model_validate(raw)
    except ValidationError:
        raise ShapeError(f"{url} did not answer as a verifier does; is the URL right?") from None


def _plain(request: Request) -> Mapping[str, Any]:
    if isinstance(request, VerificationRequest):
        return request.model_dump(mode="python", by_alias=True, exclude_unset=True)
    return request


def _body(value: Any) -> bytes:
    """JSON in ASCII: lone surrogates travel as escapes."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _encoded(requests: Sequence[Request]) -> list[bytes]:
    return [_body(_plain(request)) for request in requests]


def _cut(requests: list[bytes], settings: ClientSettings) -> list[list[bytes]]:
    """Pieces of at most so many requests and bytes, and small enough for several instances to share a batch."""
    shared = max(settings.smallest_piece, -(-len(requests) // settings.concurrency))
    most = min(settings.piece_count, shared)
    parts: list[list[bytes]] = []
    size = 0
    for request in requests:
        if not parts or len(parts[-1]) >= most or size + len(request) > settings.piece_bytes:
            parts.append([])
            size = 0
        parts[-1].append(request)
        size += len(request) + 1
    return parts


def _fault(reason: str) -> dict[str, Any]:
    return {"score": None, "status": "error", "verdict": "error", "reason": reason, "details": dict(NO_ANSWER)}


@dataclass(frozen=True, slots=True)
class _Answer:
    """An HTTP answer, read to its end."""

    url: str
    status_code: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """Raises ValueError."""
        try:
            return json.loads(self.content)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def _json(answer: _Answer) -> dict[str, Any]:
    try:
        value = answer.json()
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _no_verifier(answer)
    return value


def _no_verifier(answer: _Answer) -> ShapeError:
    said = f"{answer.url} answered {answer.status_code}, but not as a verifier does; is the URL right?"
    return ShapeError(said)


def _text_at(value: Any, name: str) -> str | None:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else None


def _location(told: Any, answer: _Answer) -> str:
    """Where on the same server to ask for what is pending; any other place would be given our token."""
    location = _text_at(told, "location")
    if location is None or not location.startswith("/"):
        raise _no_verifier(answer)
    return location


def _filled(result: Any, by_name: Mapping[str, Any]) -> Any:
    """A result, or what has come in its place since."""
    if _text_at(result, "status") != "error":
        return result
    found = by_name.get(_text_at(result.get("details"), "verification_id") or "")
    return result if found is None else {**found, "request_id": result.get("request_id")}


def _reason(answer: _Answer) -> str:
    """What an answer of 400 and more says."""
    try:
        fault = answer.json()["error"]
        return str(fault["message"]) if isinstance(fault, dict) else str(fault)
    except (ValueError, KeyError, TypeError):
        return answer.content[:500].decode("utf-8", "replace") or "no reason given"


def _left(until: float) -> float:
    return until - time.monotonic()


async def _slept(seconds: float, until: float | None) -> None:
    """Wait, but not beyond the deadline. Raises TransientError."""
    if until is not None and seconds >= _left(until):
        raise TransientError(_LATE)
    if seconds > 0:
        await asyncio.sleep(seconds)


def _backed_off(attempt: int, answer: _Answer | None) -> float:
    """Seconds before the next attempt: what the server says, else doubling; scattered, so that clients part."""
    doubled = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**attempt)
    scattered = doubled * (0.5 + random.random() / 2)
    return scattered if answer is None else max(scattered, _told_to_wait(answer, 0.0))


def _told_to_wait(answer: _Answer, default: float) -> float:
    """Retry-After as seconds or as a date."""
    given = answer.headers.get("retry-after", "")
    try:
        seconds = float(given)
    except ValueError:
        try:
            at = parsedate_to_datetime(given)
        except ValueError:
            return default
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()
    return min(max(0.0, seconds), LONGEST_WAIT_S) if seconds == seconds else default
