"""The only caller of google-genai: grounded checks of claims, open pairs, unread languages, briefs, second opinions.

What a report or a response says is passed as JSON data between marks and never as instructions; URLs are taken from
the grounding metadata of a search alone. Every call is bounded in time, attempts and size of the answer; whatever goes
wrong becomes GeminiUnavailableError, so that callers fall back to what they know without it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import httpx
from pydantic import BaseModel, Field

from verifleet import observability
from verifleet.errors import GeminiUnavailableError
from verifleet.model_data import DATA_RULE, with_data
from verifleet.settings import Settings

if TYPE_CHECKING:
    from google.genai import Client


logger = logging.getLogger(__name__)

MAX_SEARCHES = 2
MAX_SOURCES = 12
MAX_PAIRS = 16
"""Pairs in one question, whatever the setting says."""
MAX_FOREIGN = 8
MAX_FOREIGN_CHARS = 4000
"""Characters of a report in an unread language that are asked about."""
MAX_ANSWER_BYTES = 1024 * 1024
MAX_OUTPUT_TOKENS = 2048
ATTEMPTS = 3
FIRST_RETRY_S = 0.5
FAILURES_IN_A_ROW = 3
REST_S = 20.0
RETRIED = [408, 429, 500, 502, 503, 504]

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")

_JUDGE = (
    "Each entry of the data is a pair: a claim made by one report of an incident, and what another report tells. Judge "
    "each pair by these words and times alone, with no knowledge of your own. supports: the other report says so too, "
    "in whatever words or language. refutes: both cannot be right about the same thing at the same time, or the other "
    "denies it. updates: both are right at their times and the later one brings the earlier one up to date (a toll "
    "that grew, a warning that ended, a suspect who is caught). neutral: they are about different things, or it is not "
    "clear. An earlier, smaller or rounder count never refutes a later one. When in doubt: neutral. Answer for every "
    "pair with its number, the stance and one short sentence why."
)
_EXTRACT = (
    "List the claims of fact about an incident that the report in the data makes: what happened, where, how many, what "
    "is closed or ordered, who says so. No feelings, wishes, prayers, advice, offers, adverts or questions. Quote each "
    "claim exactly as it stands in the report, and give it in English with its figures, names and negations kept. No "
    "claims: an empty list."
)


class _Cited(BaseModel):
    source: int = Field(ge=1, le=MAX_SOURCES, description="number of the source in the list")
    stance: Literal["supports", "refutes", "neutral"]
    reason: str = Field(max_length=600)


class _Step(BaseModel):
    """One turn of the answer-or-search loop."""

    action: Literal["answer", "search"]
    query: str = Field("", max_length=300, description="what to search for, when action is search")
    evidence: list[_Cited] = Field(default_factory=list, max_length=MAX_SOURCES)


class _JudgedPair(BaseModel):
    pair: int = Field(ge=1, le=MAX_PAIRS, description="number of the pair in the list")
    stance: Literal["supports", "refutes", "updates", "neutral"]
    reason: str = Field("", max_length=300)


class _JudgedPairs(BaseModel):
    judged: list[_JudgedPair] = Field(default_factory=list, max_length=MAX_PAIRS)


class _ForeignClaim(BaseModel):
    quote: str = Field(max_length=600, description="the claim as it stands in the report, letter by letter")
    english: str = Field(max_length=600, description="the same in English")


class _ForeignClaims(BaseModel):
    claims: list[_ForeignClaim] = Field(default_factory=list, max_length=MAX_FOREIGN)


class _Brief(BaseModel):
    summary: str = Field(max_length=4000)


@dataclass(frozen=True, slots=True)
class GroundedEvidence:
    """What one page that a search found says about a claim."""

    url: str
    title: str
    stance: Literal["supports", "refutes", "neutral"]
    reason: str


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A claim and what another report tells, of which no rule says how they stand to each other."""

    claim: str
    claim_time: datetime
    claim_source: str
    other: str
    other_time: datetime
    other_source: str


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """How the other report of a pair stands to its claim."""

    stance: Literal["supports", "refutes", "updates", "neutral"]
    reason: str


@dataclass(frozen=True, slots=True)
class ForeignClaim:
    """A claim of a report in a language that is not read: where it stands, and what it says in English."""

    span: tuple[int, int]
    english: str


@dataclass(frozen=True, slots=True)
class _Source:
    url: str
    title: str
    said: tuple[str, ...]


@dataclass(slots=True)
class Usage:
    """What was used since the process started."""

    calls: int = 0
    failures: int = 0
    searches: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class Rest:
    """After FAILURES_IN_A_ROW failures nobody asks for REST_S seconds, so that an outage costs no time per event.

    Silence for a whole time limit is enough by itself: an event and its revisions wait for it once.
    """

    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _until: float = 0.0

    def check(self) -> None:
        """Raises GeminiUnavailableError while resting."""
        if self.clock() < self._until:
            raise GeminiUnavailableError("Gemini failed repeatedly and is left alone for a while")

    def note(self, *, ok: bool, silent: bool = False) -> None:
        """Count a call's outcome; `silent` when nothing at all was answered in its time."""
        self._failed = 0 if ok else self._failed + (FAILURES_IN_A_ROW if silent else 1)
        if self._failed >= FAILURES_IN_A_ROW:
            self._until = self.clock() + REST_S


@dataclass(slots=True)
class Budget:
    """At most `per_minute` claims in any 60 seconds."""

    per_minute: int
    clock: Callable[[], float] = time.monotonic
    _taken: deque[float] = field(default_factory=deque)

    def take(self) -> bool:
        """Whether one more claim is within the budget; counts it if so."""
        now = self.clock()
        while self._taken and now - self._taken[0] >= 60.0:
            self._taken.popleft()
        if len(self._taken) >= self.per_minute:
            return False
        self._taken.append(now)
        return True


class Gemini:
    """Gemini behind the settings' key, model and limits. One instance serves one event loop and any threads.

    Args:
        settings: key or Vertex project, model, base URL, time limit, claims a minute.
        clock: seconds, for the budget.
    """

    def __init__(self, settings: Settings, *, clock: Callable[[], float] = time.monotonic) -> None:
        observability.keep_secret(settings.google_api_key)  # services echo keys in their errors
        self._settings = settings
        self._clients: dict[asyncio.AbstractEventLoop, Client] = {}
        self._thread_loop: asyncio.AbstractEventLoop | None = None
        """Where threads have their questions asked, so that a time limit ends those too."""
        self._starting = threading.Lock()
        self._answered_at = 0.0
        self.usage = Usage()
        self.budget = Budget(settings.gemini_claims_per_minute, clock)
        self.rest = Rest(clock)

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self._settings.gemini_model

    @property
    def pairs_per_event(self) -> int:
        """How many open pairs of an event it may be asked about."""
        return self._settings.gemini_pairs_per_event

    async def close(self) -> None:
        """Let go of connections."""
        clients, self._clients = self._clients, {}
        own, self._thread_loop = self._thread_loop, None
        for loop, client in clients.items():
            closing = client.aio.aclose()
            if loop is own:
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(closing, loop))
            else:
                await closing
            client.close()
        if own is not None:
            own.call_soon_threadsafe(own.stop)

    async def ground(self, claim: str, context: dict[str, Any]) -> list[GroundedEvidence]:
        """What pages found by Google Search say about a claim, by an answer-or-search loop.

        Args:
            claim: the claim's text.
            context: what is known of its report (place, time, kind, evidence so far), plain JSON data.

        Raises:
            GeminiUnavailableError: no usable answer in time, or the budget is used up.
        """
        return await self._bounded(lambda: self._ground(claim, context))

    async def judge(self, pairs: Sequence[OpenPair]) -> list[JudgedPair]:
        """How the other report of each pair stands to the pair's claim, by what both say alone; one question for all.

        Counts as one claim of the budget. A pair that the answer leaves out is neutral; beyond MAX_PAIRS none is asked.

        Raises:
            GeminiUnavailableError: no usable answer in time, or the budget is used up.
        """
        asked = pairs[:MAX_PAIRS]
        if not asked:
            return []
        listed = {f"pair {number}": _pair(pair) for number, pair in enumerate(asked, start=1)}
        answer = await self._bounded(lambda: self._ask(with_data(_JUDGE, listed), _JudgedPairs))
        by_number = {item.pair: JudgedPair(item.stance, item.reason) for item in answer.judged}
        return [by_number.get(number, JudgedPair("neutral", "")) for number in range(1, len(asked) + 1)]

    async def foreign_claims(self, text: str) -> list[ForeignClaim]:
        """The claims of fact in a report whose language is not read; counts as one claim of the budget.

        What the answer quotes must stand in the text; anything else is dropped.

        Raises:
            GeminiUnavailableError: no usable answer in time, or the budget is used up.
        """
        text = text[:MAX_FOREIGN_CHARS]
        answer = await self._bounded(lambda: self._ask(with_data(_EXTRACT, {"report": text}), _ForeignClaims))
        found: dict[tuple[int, int], ForeignClaim] = {}
        for claim in answer.claims:
            quote, english = claim.quote.strip(), claim.english.strip()
            start = text.find(quote) if quote and english else -1
            if start >= 0:
                span = (start, start + len(quote))
                found.setdefault(span, ForeignClaim(span, english))
        return [found[span] for span in sorted(found)]

    async def summarise(self, facts: dict[str, Any]) -> str:
        """A brief of at most 200 words from facts; counts as one claim of the budget. Raises GeminiUnavailableError."""
        prompt = (
            "Write a brief of at most 180 words for emergency responders from the facts in the data. Use only these "
            "facts and their figures; say what is confirmed, what is contradicted and what is open. Plain sentences, "
            "no headings."
        )
        answer = await self._bounded(lambda: self._ask(with_data(prompt, facts), _Brief))
        return answer.summary

    def reply(self, system: str, question: str, timeout_s: float) -> str:
        """The text of an answer in JSON (`second_opinion.Model`); blocks its thread.

        Raises GeminiUnavailableError where none can be had.
        """
        asking = asyncio.wait_for(self._within_limit(lambda: self._replied(system, question)), timeout_s)
        try:
            return asyncio.run_coroutine_threadsafe(asking, self._loop_for_threads()).result()
        except TimeoutError:
            raise GeminiUnavailableError(f"Gemini took longer than {timeout_s:g} s") from None

    async def _replied(self, system: str, question: str) -> str:
        from google.genai import types

        config = types.GenerateContentConfig(
            system_instruction=system,
            response_mime_type="application/json",
            temperature=0.0,
            max_output_tokens=MAX_OUTPUT_TOKENS,
        )
        response = await self._call(question, config)
        with self._failures():
            if not (text := response.text):
                raise GeminiUnavailableError("Gemini answered nothing")
            return str(text)

    def _loop_for_threads(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._thread_loop is None:
                self._thread_loop = asyncio.new_event_loop()
                threading.Thread(target=_run_and_close, args=(self._thread_loop,), name="gemini", daemon=True).start()
            return self._thread_loop

    async def _bounded(self, work: Callable[[], Awaitable[R]]) -> R:
        """Work within the budget and the time limit."""
        self.rest.check()
        if not self.budget.take():
            raise GeminiUnavailableError(f"the budget of {self.budget.per_minute} claims a minute is used up")
        return await self._within_limit(work)

    async def _within_limit(self, work: Callable[[], Awaitable[R]]) -> R:
        """Work within the time limit, with all that it asks and all that the client tries again."""
        self.rest.check()
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._settings.gemini_timeout_s):
                result = await work()
        except (TimeoutError, GeminiUnavailableError) as error:
            self.rest.note(ok=False, silent=isinstance(error, TimeoutError) and self._answered_at < began)
            if isinstance(error, GeminiUnavailableError):
                raise
            self.usage.failures += 1
            raise GeminiUnavailableError(f"Gemini took longer than {self._settings.gemini_timeout_s:g} s") from None
        self.rest.note(ok=True)
        return result

    async def _ground(self, claim: str, context: dict[str, Any]) -> list[GroundedEvidence]:
        sources: list[_Source] = []
        for turn in range(MAX_SEARCHES + 1):
            step = await self._ask(_step_prompt(claim, context, sources, may_search=turn < MAX_SEARCHES), _Step)
            if step.action == "answer" or turn == MAX_SEARCHES:
                return _cited(step, sources)
            sources = _merged(sources, await self._search(step.query or claim, claim, context))
        return []

    async def _search(self, query: str, claim: str, context: dict[str, Any]) -> list[_Source]:
        from google.genai import types

        self.usage.searches += 1
        prompt = with_data(
            "Search the web for what reliable sources say about the claim in the data. Report what they say, "
            "with figures and times, in a few sentences.",
            {"query": query, "claim": claim, "context": context},
        )
        config = types.GenerateContentConfig(
            system_instruction=DATA_RULE,
            tools=[types.Tool(google_search=types.GoogleSearch())],
            temperature=0.0,
            max_output_tokens=MAX_OUTPUT_TOKENS,
        )
        response = await self._call(prompt, config)
        return _sources(response)

    async def _ask(self, prompt: str, model: type[T]) -> T:
        response = await self._call(prompt, _structured(model))
        with self._failures():
            return _parsed(response, model)

    async def _call(self, prompt: str, config: Any) -> Any:
        with observability.tool("gemini", model=self.model) as call, self._failures():
            client = await self._connect()
            response = await client.aio.models.generate_content(model=self.model, contents=prompt, config=config)
            call.fields |= self._count(response)
            return response

    def _failures(self) -> _Failures:
        return _Failures(self.usage)

    def _count(self, response: Any) -> dict[str, Any]:
        used = getattr(response, "usage_metadata", None)
        prompt = getattr(used, "prompt_token_count", None) or 0
        output = getattr(used, "candidates_token_count", None) or 0
        self._answered_at = time.monotonic()
        self.usage.calls += 1
        self.usage.prompt_tokens += prompt
        self.usage.output_tokens += output
        return {"prompt_tokens": prompt, "output_tokens": output}

    async def _connect(self) -> Client:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            client = await asyncio.to_thread(_make_client, self._settings)
            self._clients.setdefault(loop, client)
        return self._clients[loop]


def _run_and_close(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


class _Failures:
    """Every way in which a call can fail, as GeminiUnavailableError; counted."""

    def __init__(self, usage: Usage) -> None:
        self._usage = usage

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or not isinstance(error, Exception) or isinstance(error, TimeoutError):
            return
        self._usage.failures += 1
        if isinstance(error, GeminiUnavailableError):
            return
        # The client raises its own, httpx's, pydantic's and json's errors; to a caller they are all the same.
        # Their texts may repeat what was asked or answered, and this one is logged: only kind and code are told.
        code = getattr(error, "code", None)
        told = f"{type(error).__name__} {code}" if isinstance(code, int) else type(error).__name__
        raise GeminiUnavailableError(f"Gemini gave no usable answer: {told}") from error


def _make_client(settings: Settings) -> Client:
    from google.genai import Client, types

    limit_ms = max(1, int(settings.gemini_timeout_s * 1000))
    options = types.HttpOptions(
        base_url=settings.google_gemini_base_url,
        # Searching and JSON Schemas are in the beta version of the protocol.
        api_version="v1beta1" if settings.google_genai_use_vertexai else "v1beta",
        timeout=limit_ms,
        headers={"Accept-Encoding": "identity"},
        retry_options=types.HttpRetryOptions(
            attempts=ATTEMPTS,
            initial_delay=FIRST_RETRY_S,
            max_delay=4.0,
            exp_base=2.0,
            jitter=FIRST_RETRY_S,
            http_status_codes=RETRIED,
        ),
        httpx_client=httpx.Client(transport=_BoundedTransport(httpx.HTTPTransport())),
        httpx_async_client=httpx.AsyncClient(transport=_BoundedAsyncTransport(httpx.AsyncHTTPTransport())),
    )
    if settings.google_genai_use_vertexai:
        return Client(
            vertexai=True,
            project=settings.gemini_project or settings.google_cloud_project,
            location=settings.google_cloud_location,
            http_options=options,
        )
    return Client(api_key=settings.google_api_key, http_options=options)


def _structured(model: type[BaseModel]) -> Any:
    from google.genai import types

    return types.GenerateContentConfig(
        system_instruction=DATA_RULE,
        response_mime_type="application/json",
        response_json_schema=model.model_json_schema(),
        temperature=0.0,
        max_output_tokens=MAX_OUTPUT_TOKENS,
    )


def _parsed(response: Any, model: type[T]) -> T:
    """The structured answer; validated here, since a model may answer anything. Raises ValueError."""
    text = response.text
    if not text:
        raise GeminiUnavailableError("Gemini answered nothing")
    return model.model_validate_json(text)


def _step_prompt(claim: str, context: dict[str, Any], sources: Sequence[_Source], *, may_search: bool) -> str:
    listed = [
        {"source": number, "title": source.title, "says": list(source.said)}
        for number, source in enumerate(sources, start=1)
    ]
    asked = (
        "Judge what the numbered sources say about the claim: for each that speaks about it give its number, its "
        "stance (supports, refutes, neutral) and one sentence why. Use no knowledge of your own. "
    )
    asked += (
        "If the sources do not settle the claim, answer with action search and a better query."
        if may_search
        else "Answer with action answer."
    )
    return with_data(asked, {"claim": claim, "context": context, "sources": listed})


def _pair(pair: OpenPair) -> dict[str, dict[str, str]]:
    return {
        "claim": {"by": pair.claim_source, "at": pair.claim_time.isoformat(), "says": pair.claim},
        "other": {"by": pair.other_source, "at": pair.other_time.isoformat(), "says": pair.other},
    }


def _sources(response: Any) -> list[_Source]:
    """The pages of a grounded answer with the sentences that rest on each; nothing else of it is used."""
    candidates = getattr(response, "candidates", None) or []
    grounding = getattr(candidates[0], "grounding_metadata", None) if candidates else None
    chunks = (getattr(grounding, "grounding_chunks", None) or [])[:MAX_SOURCES]
    said: dict[int, list[str]] = {}
    for support in (getattr(grounding, "grounding_supports", None) or [])[: 10 * MAX_SOURCES]:
        text = (support.segment.text or "") if support.segment else ""
        for index in support.grounding_chunk_indices or []:
            said.setdefault(index, []).append(text[:500])
    return [
        _Source(chunk.web.uri[:2000], (chunk.web.title or "")[:300], tuple(said.get(index, ())[:5]))
        for index, chunk in enumerate(chunks)
        if chunk.web and _is_web_address(chunk.web.uri) and said.get(index)
    ]


def _is_web_address(uri: str | None) -> bool:
    return bool(uri) and str(uri).lower().startswith(("https://", "http://"))


def _merged(known: Sequence[_Source], found: Sequence[_Source]) -> list[_Source]:
    by_url = {source.url: source for source in known}
    for source in found:
        by_url.setdefault(source.url, source)
    return list(by_url.values())[:MAX_SOURCES]


def _cited(step: _Step, sources: Sequence[_Source]) -> list[GroundedEvidence]:
    """The evidence of an answer; what cites no source that a search gave is dropped."""
    return [
        GroundedEvidence(sources[cited.source - 1].url, sources[cited.source - 1].title, cited.stance, cited.reason)
        for cited in {item.source: item for item in step.evidence}.values()
        if cited.source <= len(sources)
    ]


# --- answers of bounded size -------------------------------------------------


def _check_size(size: int) -> None:
    if size > MAX_ANSWER_BYTES:
        raise GeminiUnavailableError(f"Gemini's answer is larger than {MAX_ANSWER_BYTES} bytes")


class _BoundedStream(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            _check_size(size)
            yield part

    def close(self) -> None:
        self._stream.close()


class _BoundedAsyncStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            _check_size(size)
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


class _BoundedTransport(httpx.BaseTransport):
    """Refuses to read an answer beyond MAX_ANSWER_BYTES."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _BoundedStream(response.stream)
        return response

    def close(self) -> None:
        self._inner.close()


class _BoundedAsyncTransport(httpx.AsyncBaseTransport):
    """Refuses to read an answer beyond MAX_ANSWER_BYTES."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _BoundedAsyncStream(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()
