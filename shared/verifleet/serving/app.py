"""The two app factories: every function is one of these, handed to functions-framework.

What a route needs is imported when it is first called, so that a start costs little more than the framework's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import functions_framework.aio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from verifleet import observability
from verifleet.errors import SettingsError
from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving import strict_json
from verifleet.serving.a2a import AgentProfile, a2a_routes
from verifleet.serving.backends import (
    Backend,
    InProcessBackend,
    Pending,
    StoredBackend,
    WorkerBackend,
)
from verifleet.serving.callers import LOCAL, Callers, IdTokens, PushAccount, RequestQuota
from verifleet.serving.delivery import (
    Coerce,
    Decode,
    Delivery,
    Handler,
    Output,
    Receiver,
    decode_delivery,
    on_first_use,
    refuse_unwrapped,
)
from verifleet.serving.health import Health
from verifleet.serving.http import Edge, answer_http_exception, check_media_type, off_loop, read_body
from verifleet.serving.openapi import openapi_route
from verifleet.serving.tasks import tasks_route
from verifleet.serving.verify import VerifierRoutes, is_reward_call, judge_and_publish
from verifleet.storage.idempotency import Idempotency

if TYPE_CHECKING:
    from a2a.server.agent_execution import AgentExecutor

    from verifleet.messaging.publisher import Publisher
    from verifleet.serving.asking import GeminiPart
    from verifleet.settings import Settings
    from verifleet.storage.store import Store
    from verifleet.verification import VerifierName

__all__ = [
    "Backend",
    "Delivery",
    "Handler",
    "InProcessBackend",
    "Output",
    "Pending",
    "StoredBackend",
    "WorkerBackend",
    "agent_app",
    "cloud_function",
    "on_first_use",
    "start",
    "verifier_app",
]

OPERATIONS = {
    "/": "deliver",
    "/verify": "verify",
    "/verify/batch": "verify_batch",
    "/reward": "reward",
    "/verifications/": "verifications",
    "/batches/": "batches",
    "/warm": "warm",
    "/get_reward": "get_reward",
    "/rm": "rm",
    "/nemo-gym/": "nemo_gym",
    "/test_program": "test_program",
    "/test_program_stdio": "test_program",
    "/run_code": "run_code",
    "/tasks": "tasks",
    "/a2a/": "a2a",
    "/incidents": "incidents",
    "/incidents/": "incidents",
    "/incidents/stream": "incidents_stream",
    "/reports/": "reports",
    "/claims/": "claims",
    "/acts": "acts",
    "/verifiers": "verifiers",
    "/verifiers/": "verifiers",
    "/desk": "desk",
    "/desk/": "desk",
}
"""Names for metrics, by path or by its first part; what is not here is not counted."""

GARBAGE_THRESHOLDS = (50_000, 10, 10)
"""What a hundred requests at once hold is no garbage: with Python's own 700 it is looked through again and again."""


def cloud_function(function: str, build: Callable[[Settings], Starlette]) -> Callable[[Request], Any]:
    """What functions-framework serves as `function`: every route of the app that `build` makes."""
    from verifleet.settings import settings

    app = start(function, build)
    _bound_connections(settings())

    async def serve(request: Request) -> Any:
        return app

    serve.__name__ = serve.__qualname__ = function
    return functions_framework.aio.http(serve)


def _bound_connections(settings: Settings) -> None:
    """Have the framework's server bound what one connection may cost; it has no setting for that."""
    with contextlib.suppress(ImportError):  # without gunicorn the framework serves for development only
        from uvicorn_worker import UvicornWorker

        from verifleet.serving.connections import BoundedConnection

        BoundedConnection.wait_s = settings.connection_wait_s
        UvicornWorker.CONFIG_KWARGS = {**UvicornWorker.CONFIG_KWARGS, "http": BoundedConnection, "ws": "none"}


def start(function: str, build: Callable[[Settings], Starlette]) -> Starlette:
    """Build a function's app from the process's settings and send its logs to stdout.

    A wrong setting ends the process with one sentence that says what to do.
    """
    # Searching for garbage among fresh modules finds none. Pydantic, which the first request imports, would search for
    # plugins in every installed package.
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from verifleet.settings import settings

        current = settings()
        observability.keep_secret(current.google_api_key)
        observability.configure(
            function,
            level=current.log_level,
            project=current.google_cloud_project,
            otlp_endpoint=current.otlp_endpoint,
        )
        return build(current)
    except SettingsError as error:
        raise SystemExit(f"{function}: {error}") from None
    finally:
        gc.enable()
        gc.freeze()
        # Requests that wait are many objects and no garbage; looking through all of them is seldom worth it.
        gc.set_threshold(*GARBAGE_THRESHOLDS)


def verifier_app(
    name: VerifierName,
    backend: Backend,
    *,
    settings: Settings,
    publisher: Publisher | None = None,
    store: Store | None = None,
    expects: tuple[str, ...] = ("verification_request_v1",),
    handler: Handler | None = None,
    extra_routes: Sequence[BaseRoute] = (),
    gemini: GeminiPart | None = None,
) -> Starlette:
    """The app of a verifier.

    Args:
        name: which verifier; its function is called `{name}_verifier`.
        backend: judges; a StoredBackend adds `GET /verifications/{verification_id}`.
        settings: limits and names.
        publisher: where results of Pub/Sub requests and dead letters go; Pub/Sub by default.
        store: keeps idempotency records; none for a deterministic verifier, whose rerun gives the same output.
        expects: schemas taken over Pub/Sub.
        handler: what to do with them; by default they are judged and published to `verification-results`.
        extra_routes: further routes.
        gemini: for what asks Gemini; told at start and in `/health`.
    """
    function = f"{name}_verifier"
    publisher = publisher or PubSubPublisher(settings)
    health = Health(function)
    for part, of in (("workers", backend), ("pubsub", publisher)):
        health.add_part(part, of)
    if gemini is not None:
        gemini.tell()
        health.add_part("gemini", gemini)
    if languages := getattr(backend, "languages", None):
        health.tell("languages", languages)
    kept_in = store or getattr(backend, "store", None)
    if kept_in is not None:
        health.add_store(kept_in)
    receiver = Receiver(
        function=function,
        expects=expects,
        handler=handler or judge_and_publish(name, backend),
        publisher=publisher,
        idempotency=_idempotency(store, settings),
        max_message_bytes=settings.max_message_bytes,
    )
    verifier = VerifierRoutes(name, backend, settings.max_http_bytes)
    return _app(function, settings, receiver, health, [*verifier.routes(), *extra_routes], verifier.reward_call)


def agent_app(
    name: str,
    *,
    expects: tuple[str, ...],
    handler: Handler,
    settings: Settings,
    store: Store,
    profile: AgentProfile,
    publisher: Publisher | None = None,
    coerce: Coerce | None = None,
    decode: Decode | None = None,
    gemini: GeminiPart | None = None,
    unrecorded: tuple[str, ...] = (),
    extra_routes: Callable[[Receiver], Sequence[BaseRoute]] = lambda receiver: (),
) -> Starlette:
    """The app of an agent.

    Args:
        name: the function's name, e.g. `ingest_agent`.
        expects: schemas it handles.
        handler: what it does with an envelope; used alike for `POST /` and `POST /tasks`.
        settings: limits and names.
        store: keeps idempotency records of deliveries.
        profile: what its agent card says; A2A runs the same handler.
        publisher: where outputs and dead letters go; Pub/Sub by default.
        coerce: makes raw envelopes of simpler forms, over `/tasks` and Pub/Sub alike.
        decode: reads bodies that are more than JSON, likewise.
        gemini: for what asks Gemini; told at start, in `/health` and in the agent card.
        unrecorded: schemas of which no records are kept; see Receiver.
        extra_routes: makes further routes, of what takes envelopes.
    """
    publisher = publisher or PubSubPublisher(settings)
    health = Health(name)
    health.add_part("pubsub", publisher)
    health.add_store(store)
    if gemini is not None:
        gemini.tell()
        health.add_part("gemini", gemini)
        profile = replace(profile, description=f"{profile.description} {gemini.sentence()}")
    receiver = Receiver(
        function=name,
        expects=expects,
        handler=handler,
        publisher=publisher,
        idempotency=_idempotency(store, settings),
        max_message_bytes=settings.max_message_bytes,
        coerce=coerce,
        decode=decode,
        unrecorded=unrecorded,
    )
    tasks = tasks_route(name, receiver, settings.max_http_bytes)

    def make_executor() -> AgentExecutor:
        from verifleet.serving.a2a_tasks import EnvelopeExecutor

        return EnvelopeExecutor(profile, receiver)

    return _app(
        name,
        settings,
        receiver,
        health,
        [
            tasks,
            *extra_routes(receiver),
            *a2a_routes(profile, make_executor, store, time.time(), settings.max_http_bytes),
        ],
    )


def _idempotency(store: Store | None, settings: Settings) -> Idempotency | None:
    return None if store is None else Idempotency(store, settings.idempotency_ttl_s, settings.ack_deadline_s)


def _app(
    function: str,
    settings: Settings,
    receiver: Receiver,
    health: Health,
    routes: Sequence[BaseRoute],
    reward_call: Callable[[Request, Any], Awaitable[Response]] | None = None,
) -> Starlette:
    tokens = IdTokens(settings)
    push_account = PushAccount(settings, tokens)
    quota = RequestQuota(settings.caller_requests)

    async def metrics(request: Request) -> Response:
        # The first call imports the client library, and a scrape walks every series: not on the event loop.
        body, content_type = await asyncio.to_thread(observability.metrics_text)
        return Response(body, media_type=content_type)

    async def deliver(request: Request) -> Response:
        refuse_unwrapped(request.headers)
        check_media_type(request)
        body = await read_body(request, settings.max_http_bytes)
        raw = await off_loop(len(body), strict_json.loads, body)
        if reward_call is not None and is_reward_call(raw):
            observability.note_operation("reward")
            with quota.one_more(observability.caller() or LOCAL), observability.span("reward", entry=True):
                return await reward_call(request, raw)
        await push_account.check(request.headers)
        delivery = await off_loop(len(body), decode_delivery, request.headers, raw, settings.prefix)
        await receiver.deliver(delivery)
        return Response(status_code=204)

    common = [
        Route("/health", health.answer),
        Route("/metrics", metrics),
        openapi_route(function),
        Route("/", deliver, methods=["POST"]),
    ]
    edge = Middleware(
        Edge,
        function=function,
        project=settings.google_cloud_project,
        operations=OPERATIONS,
        deliver=deliver,
        callers=Callers(settings, tokens),
        quota=quota,
        readers=frozenset(settings.readers),
        max_bytes_in_hand=max(settings.max_bytes_in_hand, settings.max_http_bytes),
        body_wait_s=settings.body_wait_s,
    )
    return Starlette(
        routes=[*common, *routes],
        middleware=[edge],
        exception_handlers={HTTPException: answer_http_exception},
    )
