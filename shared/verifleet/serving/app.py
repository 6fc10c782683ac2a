"""The two app factories: every function is one of these, handed to functions-framework.

What a route needs is imported when it is first called, so that a start costs little more than the framework's own.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Callable, Sequence
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
from verifleet.serving.a2a import AgentProfile, a2a_routes
from verifleet.serving.backends import Backend, InProcessBackend, Pending, StoredBackend
from verifleet.serving.delivery import (
    Coerce,
    Decode,
    Delivery,
    Handler,
    Output,
    Receiver,
    decode_delivery,
    on_first_use,
)
from verifleet.serving.http import Edge, answer_http_exception, check_media_type, json_response, off_loop, read_body
from verifleet.serving.tasks import tasks_route
from verifleet.serving.verify import VerifierRoutes, judge_and_publish
from verifleet.storage.idempotency import Idempotency

if TYPE_CHECKING:
    from a2a.server.agent_execution import AgentExecutor

    from verifleet.messaging.publisher import Publisher
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
    "/tasks": "tasks",
    "/a2a/": "a2a",
}
"""Names for metrics, by path or by its first part; what is not here is not counted."""

GARBAGE_THRESHOLDS = (700, 10, 100)
"""Python's own for young objects; all are looked through ten times less often."""


def cloud_function(function: str, build: Callable[[Settings], Starlette]) -> Callable[[Request], Any]:
    """What functions-framework serves as `function`: every route of the app that `build` makes."""
    app = start(function, build)

    async def serve(request: Request) -> Any:
        return app

    serve.__name__ = serve.__qualname__ = function
    return functions_framework.aio.http(serve)


def start(function: str, build: Callable[[Settings], Starlette]) -> Starlette:
    """Build a function's app from the process's settings and send its logs to stdout.

    A wrong setting ends the process with one sentence that says what to do.
    """
    # Checking the settings means importing pydantic, most of what a start costs beyond the framework's own. Searching
    # for garbage among fresh modules finds none, and pydantic's search for plugins reads every installed package.
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from verifleet.settings import settings

        current = settings()
        observability.configure(function, level=current.log_level, project=current.google_cloud_project)
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
    """
    function = f"{name}_verifier"
    receiver = Receiver(
        function=function,
        expects=expects,
        handler=handler or judge_and_publish(name, backend),
        publisher=publisher or PubSubPublisher(settings),
        idempotency=_idempotency(store, settings),
        max_message_bytes=settings.max_message_bytes,
    )
    routes = VerifierRoutes(name, backend, settings.max_http_bytes).routes()
    return _app(function, settings, receiver, [*routes, *extra_routes])


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
    """
    receiver = Receiver(
        function=name,
        expects=expects,
        handler=handler,
        publisher=publisher or PubSubPublisher(settings),
        idempotency=_idempotency(store, settings),
        max_message_bytes=settings.max_message_bytes,
        coerce=coerce,
        decode=decode,
    )
    tasks = tasks_route(name, receiver, settings.max_http_bytes)

    def make_executor() -> AgentExecutor:
        from verifleet.serving.a2a_tasks import EnvelopeExecutor

        return EnvelopeExecutor(profile, receiver)

    return _app(
        name,
        settings,
        receiver,
        [tasks, *a2a_routes(profile, make_executor, store, time.time(), settings.max_http_bytes)],
    )


def _idempotency(store: Store | None, settings: Settings) -> Idempotency | None:
    return None if store is None else Idempotency(store, settings.idempotency_ttl_s, settings.ack_deadline_s)


def _app(function: str, settings: Settings, receiver: Receiver, routes: Sequence[BaseRoute]) -> Starlette:
    async def health(request: Request) -> Response:
        return json_response({"status": "ok", "function": function})

    async def metrics(request: Request) -> Response:
        # The first call imports the client library, and a scrape walks every series: not on the event loop.
        body, content_type = await asyncio.to_thread(observability.metrics_text)
        return Response(body, media_type=content_type)

    async def deliver(request: Request) -> Response:
        check_media_type(request)
        body = await read_body(request, settings.max_http_bytes)
        delivery = await off_loop(len(body), decode_delivery, request.headers, body)
        await receiver.deliver(delivery)
        return Response(status_code=204)

    common = [
        Route("/health", health),
        Route("/metrics", metrics),
        Route("/", deliver, methods=["POST"]),
    ]
    edge = Middleware(
        Edge, function=function, project=settings.google_cloud_project, operations=OPERATIONS, deliver=deliver
    )
    return Starlette(
        routes=[*common, *routes],
        middleware=[edge],
        exception_handlers={HTTPException: answer_http_exception},
    )
