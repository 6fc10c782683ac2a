"""A2A 1.0 with 0.3 compatibility, by the official SDK: agent card, JSON-RPC and REST over an agent's own handler.

An envelope travels in a data part of a message; the answer is an artifact with a `mcp_envelope_v1`. A data part
`{"skill": ID, "input": {...}}` calls one of the card's skills on its own. Tasks live in our Store; all work is done
before the response, because a function gets no CPU after it.

The SDK costs 370 ms to import, so it is imported when the first of these routes is called.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verifleet.errors import ShapeError
from verifleet.serving import strict_json
from verifleet.serving.http import read_body

if TYPE_CHECKING:
    from a2a.server.agent_execution import AgentExecutor
    from a2a.types.a2a_pb2 import AgentCard

    from verifleet.storage.store import Store

CARD_PATH = "/.well-known/agent-card.json"
JSONRPC_PATH = "/jsonrpc"
REST_PATH = "/rest"
MOUNT = "/a2a"
PARSE_ERROR = -32700
A2A_JSON = b"application/a2a+json"
MAX_BYTES = 16 * 1024 * 1024
INPUT_MODES = ("application/json",)
"""Media types of message parts that every agent takes; a part that names none is taken too, and read as JSON."""

SkillFunction = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Takes a skill's input and gives its output. Raises ShapeError for a wrong input, TransientError for our fault."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One thing that an agent can do, as its card says it; `run` makes it callable on its own."""

    id: str
    name: str
    description: str
    tags: tuple[str, ...]
    example: str
    run: SkillFunction | None = None


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """What an agent's card says about it."""

    name: str
    description: str
    version: str
    skills: Sequence[Skill]
    input_modes: Sequence[str] = INPUT_MODES


def a2a_routes(
    profile: AgentProfile,
    make_executor: Callable[[], AgentExecutor],
    store: Store,
    started: float,
    max_bytes: int = MAX_BYTES,
) -> list[BaseRoute]:
    """The agent card and both bindings; nothing of the SDK is imported before one of them is called.

    Args:
        profile: for the card.
        make_executor: makes what handles messages.
        store: keeps tasks.
        started: POSIX time of the process's start, for the card's Last-Modified.
        max_bytes: longer bodies are refused (413).
    """
    served = _Served(profile, make_executor, store, started, max_bytes)
    return [Route(CARD_PATH, served.card, methods=["GET"]), Mount(MOUNT, app=served)]


class _Served:
    """The SDK's application, made on the first request."""

    def __init__(
        self,
        profile: AgentProfile,
        make_executor: Callable[[], AgentExecutor],
        store: Store,
        started: float,
        max_bytes: int,
    ) -> None:
        self._profile = profile
        self._make_executor = make_executor
        self._store = store
        self._max_bytes = max_bytes
        self._last_modified = formatdate(started, usegmt=True)
        self._app: ASGIApp | None = None
        self._making = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request below /a2a."""
        if self._app is None:
            with self._making:
                self._app = self._app or _application(
                    self._profile, self._make_executor(), self._store, self._max_bytes
                )
        await self._app(scope, receive, send)

    async def card(self, request: Request) -> Response:
        """The card, with URLs as the caller sees this agent."""
        from a2a.server.request_handlers.response_helpers import agent_card_to_dict

        card = agent_card_to_dict(agent_card(self._profile, _base_url(request)))
        body = json.dumps(card, sort_keys=True, separators=(",", ":")).encode()
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": tag, "Last-Modified": self._last_modified, "Cache-Control": "public, max-age=300"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)


def agent_card(profile: AgentProfile, base_url: str) -> AgentCard:
    """The card of an agent that is reached at `base_url`."""
    from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentProvider, AgentSkill

    bindings = (("JSONRPC", JSONRPC_PATH), ("HTTP+JSON", REST_PATH))
    interfaces = [
        AgentInterface(url=f"{base_url}{MOUNT}{path}", protocol_binding=binding, protocol_version=version)
        for version in ("1.0", "0.3")
        for binding, path in bindings
    ]
    return AgentCard(
        name=profile.name,
        description=profile.description,
        version=profile.version,
        provider=AgentProvider(organization="verifleet", url="https://github.com/verifleet"),
        supported_interfaces=interfaces,
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=list(profile.input_modes),
        default_output_modes=["application/json"],
        skills=[
            AgentSkill(
                id=skill.id,
                name=skill.name,
                description=skill.description,
                tags=list(skill.tags),
                examples=[skill.example],
                input_modes=list(profile.input_modes),
                output_modes=["application/json"],
            )
            for skill in profile.skills
        ],
    )


def _application(profile: AgentProfile, executor: AgentExecutor, store: Store, max_bytes: int) -> ASGIApp:
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
    from starlette.applications import Starlette

    from verifleet.serving.a2a_tasks import ContextsOfTasks, StoreTaskStore

    tasks = StoreTaskStore(store, profile.name)
    handler = DefaultRequestHandler(
        agent_executor=executor,
        task_store=tasks,
        agent_card=agent_card(profile, ""),
        request_context_builder=ContextsOfTasks(tasks),
        validate_input_modes=True,
    )
    routes: list[BaseRoute] = []
    # Some clients post to the interface's URL with a slash behind it.
    for path in (JSONRPC_PATH, f"{JSONRPC_PATH}/"):
        routes += create_jsonrpc_routes(handler, path, enable_v0_3_compat=True)
    routes += create_rest_routes(handler, path_prefix=REST_PATH, enable_v0_3_compat=True)
    return _Conformance(Starlette(routes=routes), max_bytes)


class _Conformance:
    """What the protocol asks for and the SDK leaves open: content types in and out, and bounds on what comes in."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        jsonrpc = JSONRPC_PATH in scope["path"].removeprefix(scope.get("root_path", ""))
        if scope["method"] == "POST":
            body = await read_body(request, self._max_bytes)
            content_type = request.headers.get("content-type", "")
            # Some of REST's calls, such as :cancel, have no body and so no content type.
            if not _is_json(content_type) and (jsonrpc or body):
                await _content_type_refusal(content_type, jsonrpc)(scope, receive, send)
                return
            problem = _unreadable(body, jsonrpc)
            if problem:
                refusal = _jsonrpc_refusal(PARSE_ERROR, problem) if jsonrpc else _rest_refusal(problem)
                await refusal(scope, receive, send)
                return
            receive = _replay(body, receive)
        await self._app(scope, receive, _in_plain_json(send))


def _unreadable(body: bytes, jsonrpc: bool) -> str | None:
    """What the SDK's own parser would break on; ordinary faults are left to it."""
    if body.count(b"[") + body.count(b"{") > strict_json.MAX_DEPTH:
        try:
            strict_json.loads(body)
        except ShapeError as error:
            return error.message
    if not jsonrpc and body.strip() and not body.lstrip().startswith(b"{"):
        return "the body is not a JSON object"
    return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def _in_plain_json(send: Send) -> Send:
    async def send_plain_json(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, b"application/json" if name == b"content-type" and value == A2A_JSON else value)
                for name, value in message["headers"]
            ]
        await send(message)

    return send_plain_json


def _is_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


def _content_type_refusal(content_type: str, jsonrpc: bool) -> Response:
    from a2a.utils.error_handlers import build_error_details, build_rest_error_payload
    from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP, ContentTypeNotSupportedError

    error = ContentTypeNotSupportedError(f"content type {content_type[:80]!r} is not supported: send application/json")
    if jsonrpc:
        code = JSON_RPC_ERROR_CODE_MAP[ContentTypeNotSupportedError]
        return _jsonrpc_refusal(code, error.message, build_error_details(error))
    payload = build_rest_error_payload(error)
    return Response(json.dumps(payload), payload["error"]["code"], media_type="application/json")


def _jsonrpc_refusal(code: int, message: str, details: Sequence[Any] = ()) -> Response:
    error = {"code": code, "message": message, **({"data": list(details)} if details else {})}
    return Response(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}), media_type="application/json")


def _rest_refusal(message: str) -> Response:
    body = json.dumps({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": message}})
    return Response(body, 400, media_type="application/json")


def _base_url(request: Request) -> str:
    """Scheme and host as the caller sees them: behind Cloud Run's front end TLS ends before us."""
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme).split(",")[0].strip()
    return f"{scheme}://{request.headers.get('host', request.url.netloc)}"
