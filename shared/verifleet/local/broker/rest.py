"""google.pubsub.v1 over REST (JSON), as gcloud and curl speak it: the same calls as over gRPC, in another dress."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf import json_format
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from verifleet.local.broker import protos
from verifleet.local.broker.faults import (
    BrokerError,
    InvalidArgumentError,
    NotFoundError,
    NotImplementedHereError,
)
from verifleet.local.broker.service import PubSubHandler

MAX_BODY_BYTES = 32 * 1024 * 1024
_METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"]
_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
}
_LEFT_OUT = re.compile(
    r"/v1/projects/[^/]+/(?:(?:topics|subscriptions|snapshots|schemas)/[^/]+:(\w+)|(snapshots|schemas)|.+/(snapshots))"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One HTTP method and path; the name in the path becomes `field` of the call's request."""

    method: str
    path: re.Pattern[str]
    call: str
    field: str


def _rule(method: str, path: str, call: str, field: str) -> _Rule:
    pattern = re.escape(path).replace("TOPIC", "(projects/[^/]+/topics/[^/:]+)")
    pattern = pattern.replace("SUBSCRIPTION", "(projects/[^/]+/subscriptions/[^/:]+)")
    return _Rule(method, re.compile("/v1/" + pattern.replace("PROJECT", "(projects/[^/]+)")), call, field)


# As in the google.api.http options of google/pubsub/v1/pubsub.proto.
_RULES = (
    _rule("PUT", "TOPIC", "CreateTopic", "name"),
    _rule("PATCH", "TOPIC", "UpdateTopic", "topic.name"),
    _rule("GET", "TOPIC", "GetTopic", "topic"),
    _rule("DELETE", "TOPIC", "DeleteTopic", "topic"),
    _rule("GET", "PROJECT/topics", "ListTopics", "project"),
    _rule("GET", "TOPIC/subscriptions", "ListTopicSubscriptions", "topic"),
    _rule("POST", "TOPIC:publish", "Publish", "topic"),
    _rule("PUT", "SUBSCRIPTION", "CreateSubscription", "name"),
    _rule("PATCH", "SUBSCRIPTION", "UpdateSubscription", "subscription.name"),
    _rule("GET", "SUBSCRIPTION", "GetSubscription", "subscription"),
    _rule("DELETE", "SUBSCRIPTION", "DeleteSubscription", "subscription"),
    _rule("GET", "PROJECT/subscriptions", "ListSubscriptions", "project"),
    _rule("POST", "SUBSCRIPTION:pull", "Pull", "subscription"),
    _rule("POST", "SUBSCRIPTION:acknowledge", "Acknowledge", "subscription"),
    _rule("POST", "SUBSCRIPTION:modifyAckDeadline", "ModifyAckDeadline", "subscription"),
    _rule("POST", "SUBSCRIPTION:modifyPushConfig", "ModifyPushConfig", "subscription"),
    _rule("POST", "SUBSCRIPTION:detach", "DetachSubscription", "subscription"),
)


class RestServer:
    """Makes a protocol for each HTTP connection."""

    def __init__(self, handler: PubSubHandler) -> None:
        """Serve the calls of this handler."""
        self._calls = handler.calls
        app = Starlette(routes=[Route("/{path:path}", self._answer, methods=_METHODS)])
        self._config = Config(
            app, http="httptools", ws="none", lifespan="off", log_config=None, access_log=False, proxy_headers=False
        )
        self._config.load()
        self._state = ServerState()

    def connection(self) -> asyncio.Protocol:
        """The protocol of a new connection."""
        protocol: asyncio.Protocol = HttpToolsProtocol(self._config, self._state, {})
        return protocol

    async def _answer(self, request: Request) -> Response:
        try:
            # Only a browser names an origin: no page that somebody reads may reach this broker.
            if "origin" in request.headers:
                return _error(403, "PERMISSION_DENIED", "requests from web pages are refused")
            if request.url.path in ("/", "/health") and request.method == "GET":
                return JSONResponse(
                    {"status": "ok", "serves": "google.pubsub.v1 over gRPC and REST (/v1/projects/...)"}
                )
            answer = await self._called(request)
        except BrokerError as error:
            return _error(_STATUS.get(error.code, 500), error.code.name, str(error))
        return JSONResponse(json_format.MessageToDict(answer))

    async def _called(self, request: Request) -> Any:
        path = request.url.path if request.scope["path"].isascii() else ""
        for rule in _RULES:
            match = rule.path.fullmatch(request.scope["path"])
            if match is not None and rule.method == request.method:
                method, request_type = self._calls[rule.call]
                message = _parsed(await _body(request), request.query_params, rule.field, match[1], request_type)
                answer = await _while_connected(request, method(message, _Context()))
                return protos.PullResponse.FromString(answer) if isinstance(answer, bytes) else answer
        left_out = _LEFT_OUT.fullmatch(path)
        if left_out is not None:
            raise NotImplementedHereError(next(name for name in left_out.groups() if name))
        raise NotFoundError(f"no method of google.pubsub.v1 answers {request.method} {path}")


class _Context:
    """What a call may ask of its gRPC context."""

    def time_remaining(self) -> None:
        """No deadline over HTTP: the client just leaves."""


async def _body(request: Request) -> dict[str, Any]:
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in request.stream():
            chunks.append(chunk)
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise InvalidArgumentError(f"a request has at most {MAX_BODY_BYTES} bytes")
    except ClientDisconnect:
        raise InvalidArgumentError("the request ended early") from None
    try:
        body = json.loads(b"".join(chunks) or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"the body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise InvalidArgumentError("the body must be a JSON object")
    return body


def _parsed(body: dict[str, Any], query: Mapping[str, str], field: str, name: str, request_type: Any) -> Any:
    for key in ("pageSize", "pageToken"):
        if key in query:
            body[key] = query[key]
    inside = body
    *outer, last = field.split(".")
    for key in outer:
        inside = inside.setdefault(key, {})
        if not isinstance(inside, dict):
            raise InvalidArgumentError(f"{key} must be a JSON object")
    inside[last] = name
    try:
        return json_format.ParseDict(body, request_type())
    except (json_format.ParseError, ValueError, TypeError, RecursionError) as error:
        raise InvalidArgumentError(str(error).encode("ascii", "backslashreplace").decode()[:500]) from None


async def _while_connected(request: Request, call: Any) -> Any:
    """What the call answers; who waits for messages and leaves must not take any."""
    answering = asyncio.ensure_future(call)
    leaving = asyncio.ensure_future(request.receive())  # after the body, nothing but the end comes
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise InvalidArgumentError("the client left")
        return answering.result()
    finally:
        for task in (answering, leaving):
            task.cancel()


def _error(status: int, name: str, message: str) -> JSONResponse:
    """Google's form of an error."""
    return JSONResponse({"error": {"code": status, "message": message, "status": name}}, status)
