"""The routes of incidents: `GET /incidents` and what stands below it, `/reports/{id}`, `/claims/{id}`.

What they need is imported when they are first asked.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from verifleet import observability
from verifleet.errors import ShapeError, StoreUnavailableError
from verifleet.serving.desk.page import page_routes
from verifleet.serving.desk.verifiers import Watched
from verifleet.serving.http import error_response, json_response, read_json

if TYPE_CHECKING:
    from verifleet.serving.delivery import Receiver
    from verifleet.serving.desk.queries import Queries, Wanted
    from verifleet.settings import Settings
    from verifleet.storage.store import Store

LOOK_EVERY_S = 1.0
ALIVE_EVERY_S = 10.0
OVERLAP = timedelta(seconds=10)
"""Changes are looked for so long before the last one that was seen: clocks differ, and writing takes time."""
MAX_CHANGES = 200
"""Incidents that one look tells of; who missed more is told to ask for the list anew."""
MAX_SESSION = 200

Ask = Callable[["Queries", str, Request], Awaitable[dict[str, Any] | None]]


def incident_routes(settings: Settings, store: Store, receiver: Receiver) -> list[Route]:
    """The routes of a function on this store; each asks in one session, by default the settings' default one.

    What somebody decides is handled by `receiver`, like an envelope of the topic, and published to it.
    """
    made: list[Queries] = []
    watched = Watched(settings, store)

    def queries() -> Queries:
        if not made:
            from verifleet.serving.desk.queries import Queries

            made.append(Queries(store))
            watched.start()
        return made[0]

    def answering(what: str, ask: Ask) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            session = _session(request, settings)
            found = await ask(queries(), session, request)
            if found is None:
                message = f"there is no such {what} in the session {session[:80]!r}, or it is no longer kept"
                return error_response(404, "not_found", message)
            return json_response(found, headers={"Cache-Control": "no-store"})

        return answer

    async def stream(request: Request) -> Response:
        session = _session(request, settings)
        since = _since(request)
        events = _events(queries(), session, since, settings.stream_s, _params(request))
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        if request.method == "HEAD":
            return Response(headers=headers, media_type="text/event-stream")
        return StreamingResponse(events, headers=headers, media_type="text/event-stream")

    async def act(request: Request) -> Response:
        session = _session(request, settings)
        raw = await read_json(request, settings.max_http_bytes)
        envelope, act_id = _act_envelope(raw, session)
        (parsed,) = receiver.parse(envelope)
        await receiver.handle([parsed], act_id)
        done = await queries().act(session, act_id)
        if done is None:
            raise ShapeError.at("act_id", "was not applied")
        return json_response(done)

    return [
        *page_routes(),
        *watched.routes(),
        Route("/acts", act, methods=["POST"]),
        Route(
            "/incidents", answering("page", lambda asked, session, request: asked.incidents(session, _params(request)))
        ),
        Route("/incidents/stream", stream),
        *_feed_routes(settings, store, queries),
        Route(
            "/incidents/{incident_id}",
            answering("incident", lambda asked, session, request: asked.incident(session, _id(request, "incident_id"))),
        ),
        Route(
            "/incidents/{incident_id}/reports",
            answering(
                "incident",
                lambda asked, session, request: asked.reports(session, _id(request, "incident_id"), _params(request)),
            ),
        ),
        Route(
            "/incidents/{incident_id}/revisions",
            answering(
                "incident",
                lambda asked, session, request: asked.revisions(session, _id(request, "incident_id"), _params(request)),
            ),
        ),
        Route(
            "/reports/{event_id}",
            answering("report", lambda asked, session, request: asked.report(session, _id(request, "event_id"))),
        ),
        Route(
            "/claims/{claim_id}",
            answering("claim", lambda asked, session, request: asked.claim(session, _id(request, "claim_id"))),
        ),
    ]


def _feed_routes(settings: Settings, store: Store, queries: Callable[[], Queries]) -> list[Route]:
    async def feed(request: Request, form: str) -> Response:
        from verifleet.serving.desk.feeds import FEEDS, entries

        session = _session(request, settings)
        make, media_type = FEEDS[form]
        found = await entries(store, session, _params(request))
        base = str(request.base_url).rstrip("/")
        return _xml(make(found, base, session), media_type)

    async def cap(request: Request) -> Response:
        from verifleet.incident_forms import CAP_MEDIA_TYPE, as_cap

        session, incident_id = _session(request, settings), _id(request, "incident_id")
        found = await queries().incident(session, incident_id)
        told = await queries().revisions(session, incident_id, {})
        if found is None or told is None:
            return error_response(404, "not_found", f"there is no such incident in the session {session[:80]!r}")
        return _xml(as_cap({**found, **told}), CAP_MEDIA_TYPE)

    return [
        *(Route(f"/incidents/feed.{form}", partial(feed, form=form)) for form in ("atom", "rss")),
        Route("/incidents/{incident_id}/cap", cap),
    ]


def _events(
    queries: Queries, session: str, since: datetime, for_s: float, given: Mapping[str, str]
) -> AsyncIterator[str]:
    """Server-sent events of the incidents that `given` asks for. Raises ShapeError."""
    from verifleet.serving.desk.queries import STREAM, Wanted, known

    known(given, STREAM)
    filters = {name: value for name, value in given.items() if name != "since"}
    return _changes(queries, session, since, for_s, Wanted.in_any_state(session, filters))


async def _changes(queries: Queries, session: str, since: datetime, for_s: float, wanted: Wanted) -> AsyncIterator[str]:
    """Server-sent events of incidents that are new or tell something new; after `for_s` the client asks again.

    An incident may be told of more than once: whoever reads goes by its `incident_id` and `changed_at`.
    """
    until = time.monotonic() + for_s
    alive = time.monotonic()
    told: dict[str, datetime] = {}
    yield "retry: 1000\n\n"
    while True:
        try:
            rows = await queries.changed(session, since - OVERLAP, MAX_CHANGES, wanted)
        except StoreUnavailableError:
            rows = []
            yield _event("away", {})
        if len(rows) == MAX_CHANGES and rows[-1][0].changed_at > since:  # there may be some between these and the last
            yield _event("reset", {})
        for row, is_wanted in reversed(rows):
            if told.get(row.incident_id) == row.changed_at:
                continue
            told[row.incident_id] = row.changed_at
            since = max(since, row.changed_at)
            if is_wanted:
                yield _event("incident", row.model_dump(mode="python"), row.changed_at.isoformat())
        told = {id: at for id, at in told.items() if at >= since - OVERLAP}
        left = until - time.monotonic()
        if left <= 0:
            return
        if time.monotonic() - alive >= ALIVE_EVERY_S:
            alive = time.monotonic()
            yield ": alive\n\n"
        await asyncio.sleep(min(left, LOOK_EVERY_S))


def _event(name: str, data: Mapping[str, Any], id: str = "") -> str:
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), default=datetime.isoformat)
    return f"event: {name}\n" + (f"id: {id}\n" if id else "") + f"data: {text}\n\n"


def _xml(text: str, media_type: str) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(text, headers=headers, media_type=f"{media_type}; charset=utf-8")


def _session(request: Request, settings: Settings) -> str:
    session = request.query_params.get("session_id", settings.default_session)
    if not 0 < len(session) <= MAX_SESSION:
        raise ShapeError.at("query.session_id", f"has 1 to {MAX_SESSION} characters")
    return session


def _since(request: Request) -> datetime:
    """From when on changes are told: after the last one that the client saw, by default from now on."""
    from verifleet.instants import read_instant

    given = request.headers.get("last-event-id") or request.query_params.get("since")
    if not given:
        return datetime.now(UTC)
    try:
        return read_instant(given.replace(" ", "+"))
    except (ValueError, OverflowError):
        raise ShapeError.at("query.since", "is a time in ISO 8601, such as 2026-03-01T10:00:00Z") from None


def _act_envelope(raw: Any, session: str) -> tuple[dict[str, Any], str]:
    """The envelope of an act that came bare, and the act's id. Raises ShapeError."""
    if not isinstance(raw, dict):
        raise ShapeError.at("(body)", "an act is an object: kind, reason, incident_id ...")
    now = datetime.now(UTC).isoformat()
    data = {"act_id": str(uuid.uuid4()), **raw, "at": now}
    if not data.get("by"):
        data["by"] = observability.caller() or ""
    envelope = {
        "schema": "incident_act_v1",
        "session_id": session,
        "timestamp": now,
        "source_agent": "desk",
        "payload": {"type": "incident_act", "data": data},
        "metadata": {"envelope_id": f"act:{data['act_id']}"[:300]},
    }
    return envelope, str(data["act_id"])


def _params(request: Request) -> Mapping[str, str]:
    return request.query_params


def _id(request: Request, name: str) -> str:
    id: str = request.path_params[name]
    return id
