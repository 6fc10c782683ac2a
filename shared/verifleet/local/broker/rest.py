"""google.pubsub.v1 over REST (JSON), as functions publish and gcloud and curl speak it: the calls of gRPC.

A connection is one pass of llhttp over what comes, and one write for an answer: a server of general use costs several
times as much as what the broker does with a message.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import parse_qsl, unquote

import grpc
import httptools
from google.protobuf import json_format

from verifleet.local.broker import protos
from verifleet.local.broker.faults import (
    BrokerError,
    InvalidArgumentError,
    NotFoundError,
    NotImplementedHereError,
)
from verifleet.local.broker.service import PubSubHandler

_LOG = logging.getLogger(__name__)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")

MAX_BODY_BYTES = 32 * 1024 * 1024
MAX_HEAD_BYTES = 64 * 1024
MAX_QUERY_FIELDS = 20
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
    _rule("POST", "TOPIC:publish", "Publish", "topic"),
    _rule("PUT", "TOPIC", "CreateTopic", "name"),
    _rule("PATCH", "TOPIC", "UpdateTopic", "topic.name"),
    _rule("GET", "TOPIC", "GetTopic", "topic"),
    _rule("DELETE", "TOPIC", "DeleteTopic", "topic"),
    _rule("GET", "PROJECT/topics", "ListTopics", "project"),
    _rule("GET", "TOPIC/subscriptions", "ListTopicSubscriptions", "topic"),
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


@dataclass(slots=True)
class _Request:
    method: str = ""
    target: bytes = b""
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    keep: bool = True


class RestConnection(asyncio.Protocol):
    """One client's connection: its requests, answered one after the other."""

    def __init__(self, handler: PubSubHandler) -> None:
        """Answer with the calls of this handler."""
        self._calls = handler.calls
        self._parser = httptools.HttpRequestParser(self)
        self._coming = _Request()
        self._head_bytes = 0
        self._waiting: deque[_Request] = deque()
        self._answering: asyncio.Task[None] | None = None

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._coming.keep = False  # to what we do not speak: it is answered as it came
        except httptools.HttpParserError as error:
            cause = error.__context__
            self._refuse(str(cause) if isinstance(cause, _TooLongError) else "this is no request of HTTP/1.1")

    def connection_lost(self, exc: Exception | None) -> None:
        """Who waits for messages and leaves must not take any."""
        self._waiting.clear()
        if self._answering is not None:
            self._answering.cancel()

    # httptools callbacks

    def on_message_begin(self) -> None:
        """A request begins."""
        self._coming = _Request()
        self._head_bytes = 0

    def on_url(self, url: bytes) -> None:
        """A part of its target."""
        self._coming.target += self._bounded(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One of its headers."""
        self._coming.headers[self._bounded(name).lower()] = self._bounded(value)

    def on_headers_complete(self) -> None:
        """Its body may come."""
        self._coming.method = self._parser.get_method().decode("ascii")
        self._coming.keep = self._parser.should_keep_alive()
        if self._coming.headers.get(b"expect", b"").lower() == b"100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """A part of its body."""
        if len(self._coming.body) + len(body) > MAX_BODY_BYTES:
            raise _TooLongError(f"a request has at most {MAX_BODY_BYTES} bytes")
        self._coming.body += body

    def on_message_complete(self) -> None:
        """It is there; it is answered when those before it are."""
        if self._answering is None:
            self._answer(self._coming)
        else:
            self._waiting.append(self._coming)
            self._transport.pause_reading()

    # Inside.

    def _bounded(self, head: bytes) -> bytes:
        self._head_bytes += len(head)
        if self._head_bytes > MAX_HEAD_BYTES:
            raise _TooLongError(f"the head of a request has at most {MAX_HEAD_BYTES} bytes")
        return head

    def _refuse(self, why: str) -> None:
        if self._answering is None and not self._transport.is_closing():
            self._write(_Request(keep=False), *_error(400, "INVALID_ARGUMENT", why))
        self._transport.close()

    def _answer(self, request: _Request) -> None:
        self._answering = asyncio.get_running_loop().create_task(self._answered(request))

    async def _answered(self, request: _Request) -> None:
        status, told = await self._told(request)
        self._write(request, status, told)
        self._answering = None
        if not request.keep:
            self._transport.close()
        elif self._waiting:
            self._answer(self._waiting.popleft())
            if not self._waiting:
                self._transport.resume_reading()

    async def _told(self, request: _Request) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        try:
            # Only a browser names an origin: no page that somebody reads may reach this broker.
            if b"origin" in request.headers:
                return _error(403, "PERMISSION_DENIED", "requests from web pages are refused")
            path, query = _split(request.target)
            if path in ("/", "/health") and request.method == "GET":
                return 200, {"status": "ok", "serves": "google.pubsub.v1 over gRPC and REST (/v1/projects/...)"}
            answer = await self._called(request, path, query)
        except BrokerError as error:
            return _error(_STATUS.get(error.code, 500), error.code.name, str(error))
        except Exception:  # noqa: BLE001 - who asks must not wait for an answer that never comes
            _LOG.exception("a request over REST failed")
            return _error(500, "INTERNAL", "the broker failed on this request through a fault of its own")
        if isinstance(answer, protos.PublishResponse):
            return 200, {"messageIds": list(answer.message_ids)}
        return 200, json_format.MessageToDict(answer)

    async def _called(self, request: _Request, path: str, query: Mapping[str, str]) -> Any:
        for rule in _RULES:
            match = rule.path.fullmatch(path)
            if match is not None and rule.method == request.method:
                method, request_type = self._calls[rule.call]
                body = _decoded(request.body)
                message = _quickly(body, match[1]) if rule.call == "Publish" else None
                answer = await method(message or _parsed(body, query, rule.field, match[1], request_type), _Context())
                return protos.PullResponse.FromString(answer) if isinstance(answer, bytes) else answer
        left_out = _LEFT_OUT.fullmatch(path)
        if left_out is not None:
            raise NotImplementedHereError(next(name for name in left_out.groups() if name))
        raise NotFoundError(f"no method of google.pubsub.v1 answers {request.method} {path}")

    def _write(self, request: _Request, status: int, told: Any) -> None:
        body = json.dumps(told, separators=(",", ":")).encode("ascii")
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: {'keep-alive' if request.keep else 'close'}\r\n\r\n"
        )
        self._transport.write(head.encode("ascii") + (b"" if request.method == "HEAD" else body))


class _TooLongError(Exception):
    """A request has more than it may."""


class _Context:
    """What a call may ask of its gRPC context."""

    def time_remaining(self) -> None:
        """No deadline over HTTP: the client just leaves."""


def _split(target: bytes) -> tuple[str, dict[str, str]]:
    path, _, query = target.decode("latin-1").partition("?")
    try:
        return unquote(path), dict(parse_qsl(query, max_num_fields=MAX_QUERY_FIELDS))
    except ValueError as error:
        raise InvalidArgumentError(f"the query has more than {MAX_QUERY_FIELDS} fields") from error


def _decoded(given: bytearray) -> dict[str, Any]:
    try:
        body = json.loads(given or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"the body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise InvalidArgumentError("the body must be a JSON object")
    return body


def _quickly(body: dict[str, Any], topic: str) -> Any:
    """The request that publishes plain messages, as most are; None where the library is to look closer."""
    try:
        messages = [
            protos.PubsubMessage(data=base64.b64decode(one["data"], validate=True), attributes=one["attributes"])
            for one in body["messages"]
        ]
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    if len(body) > 1 or any(len(one) > 2 for one in body["messages"]):
        return None
    return protos.PublishRequest(topic=topic, messages=messages)


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
    _check_data(body.get("messages"))
    try:
        return json_format.ParseDict(body, request_type())
    except (json_format.ParseError, ValueError, TypeError, RecursionError) as error:
        raise InvalidArgumentError(str(error).encode("ascii", "backslashreplace").decode()[:500]) from None


def _check_data(messages: Any) -> None:
    """Refuse data that is no base64, of which the library would decode what it can."""
    for index, one in enumerate(messages if isinstance(messages, list) else ()):
        data = one.get("data") if isinstance(one, dict) else None
        if isinstance(data, str) and (not _BASE64.fullmatch(data) or len(data.rstrip("=")) % 4 == 1):
            raise InvalidArgumentError(f"messages[{index}].data is not base64")


def _error(status: int, name: str, message: str) -> tuple[int, Any]:
    """Google's form of an error."""
    return status, {"error": {"code": status, "message": message, "status": name}}
