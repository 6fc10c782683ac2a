"""What stands between HTTP and the A2A SDK: what the SDK gets to read, and what of its answers goes out.

A body is decoded and checked once, and the SDK reads it in a form that it can carry (`a2a_values`). Its answers are
held until they begin with something, so that a request that fails before that is answered with its protocol's error.
What the SDK can't make a request of is the client's mistake; what fails afterwards is a fault of ours or something that
is away. Each is logged here once, without what the client sent; the SDK's own log lines, which hold it, are not.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import DefaultRequestHandler, build_error_response
from a2a.types import a2a_pb2
from a2a.utils.error_handlers import build_rest_error_payload
from a2a.utils.errors import A2AError, ContentTypeNotSupportedError, InternalError, InvalidParamsError
from google.protobuf.json_format import ParseError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verifleet.errors import ShapeError, TransientError, VerifierUnavailableError
from verifleet.serving import strict_json
from verifleet.serving.a2a_values import MAX_DEPTH, MAX_VALUES, carried, carried_text, plain, plain_json
from verifleet.serving.http import OUTCOME, RETRY_AFTER_S, json_response, off_loop, read_body

logger = logging.getLogger(__name__)

A2A_JSON = b"application/a2a+json"
EVENT_STREAM = b"text/event-stream"
PARSE_ERROR, INTERNAL_ERROR = -32700, -32603
JSONRPC_PATHS = ("/jsonrpc", "/jsonrpc/")
"""Some clients post to the interface's URL with a slash behind it."""
SHOWN_PROBLEM = 300
DEFECT = "a defect of ours; it has been logged"

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]

_call: ContextVar[_Call | None] = ContextVar("a2a_call", default=None)


@dataclass(slots=True)
class _Call:
    """What is known of the request at hand."""

    jsonrpc: bool
    names_a2a_json: bool = False
    """The request is in the protocol's own media type, or asks for an answer in it."""
    id: str | int | None = None
    reached: bool = False
    """The SDK could make a request of it."""
    away: Exception | None = None
    """What of ours did not answer."""
    told: bool = False
    """Its fault has been logged."""
    noted: _ExcInfo | None = None
    """The last exception that the SDK logged."""


class RequestHandler(DefaultRequestHandler):
    """The SDK's, whose faults are told apart: the client's mistakes, what is away, defects."""

    async def on_message_send(
        self, params: a2a_pb2.SendMessageRequest, context: ServerCallContext
    ) -> a2a_pb2.Message | a2a_pb2.Task:
        """Handle a message."""
        with _faults_told():
            answer: a2a_pb2.Message | a2a_pb2.Task = await super().on_message_send(params, context)
            return answer

    async def on_message_send_stream(
        self, params: a2a_pb2.SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Handle a message and tell how it goes."""
        with _faults_told():
            async for event in super().on_message_send_stream(params, context):
                yield event

    async def on_subscribe_to_task(
        self, params: a2a_pb2.SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Tell how a task goes on."""
        with _faults_told():
            async for event in super().on_subscribe_to_task(params, context):
                yield event

    async def on_get_task(self, params: a2a_pb2.GetTaskRequest, context: ServerCallContext) -> a2a_pb2.Task | None:
        """Look a task up."""
        with _faults_told():
            answer: a2a_pb2.Task | None = await super().on_get_task(params, context)
            return answer

    async def on_list_tasks(
        self, params: a2a_pb2.ListTasksRequest, context: ServerCallContext
    ) -> a2a_pb2.ListTasksResponse:
        """List tasks."""
        with _faults_told():
            answer: a2a_pb2.ListTasksResponse = await super().on_list_tasks(params, context)
            return answer

    async def on_cancel_task(
        self, params: a2a_pb2.CancelTaskRequest, context: ServerCallContext
    ) -> a2a_pb2.Task | None:
        """Cancel a task."""
        with _faults_told():
            answer: a2a_pb2.Task | None = await super().on_cancel_task(params, context)
            return answer


@contextmanager
def _faults_told() -> Iterator[None]:
    call = _call.get() or _Call(jsonrpc=False)
    call.reached = True
    try:
        yield
    except A2AError as error:
        call.noted = (type(error), error, error.__traceback__)
        raise
    except (TransientError, VerifierUnavailableError) as error:
        call.away = error
        logger.warning("unavailable: %s", error)
        raise InternalError(message=carried_text(f"{error}; try again")) from error
    except Exception as error:
        call.told = True
        logger.exception("defect in an A2A call")
        raise InternalError(message=DEFECT) from error


class A2AEdge:
    """Around the SDK's routes. Raises what every route of ours may raise that reads a body.

    Args:
        app: the routes, without the path that they are mounted at.
        max_bytes: longer bodies are refused.
    """

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        _take_the_sdks_logs()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        call = _Call(jsonrpc=path in JSONRPC_PATHS, names_a2a_json=_names_a2a_json(scope))
        answer = _Answer(call, scope, send)
        refused = None
        if scope["method"] == "POST":
            request = Request(scope, receive)
            body = await read_body(request, self._max_bytes)
            refused = _refusal_of_type(request, body, call)
            if refused is None:
                body, refused = await off_loop(len(body), _readable, body, call)
            receive = _replay(body, receive)
        token = _call.set(call)
        try:
            await (self._app if refused is None else refused)(scope, receive, answer.send)
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - every request is answered
            await answer.fail(error)
        finally:
            _call.reset(token)
            answer.log()


def _names_a2a_json(scope: Scope) -> bool:
    return any(name in (b"accept", b"content-type") and A2A_JSON in value.lower() for name, value in scope["headers"])


def _refusal_of_type(request: Request, body: bytes, call: _Call) -> Response | None:
    """The answer to a body that does not claim to be JSON. Some calls, such as :cancel, have neither body nor type."""
    given = request.headers.get("content-type", "")
    media_type = given.partition(";")[0].strip().lower()
    is_json = media_type == "application/json" or (
        media_type.startswith("application/") and media_type.endswith("+json")
    )
    if is_json or not (call.jsonrpc or body):
        return None
    problem = f"content type {given[:80]!r} is not supported: send application/json"
    return _error_response(call, ContentTypeNotSupportedError(problem))


def _readable(body: bytes, call: _Call) -> tuple[bytes, Response | None]:
    """The body as the SDK can read it; else the answer to what it can't. Raises TooLargeError."""
    if not call.jsonrpc and not body.strip():
        return b"", None
    try:
        value = strict_json.loads(body, MAX_VALUES)
    except ShapeError as error:
        if call.jsonrpc:
            return b"", _jsonrpc_response({"code": PARSE_ERROR, "message": error.message}, None)
        return b"", _rest_response(400, "INVALID_ARGUMENT", error.message)
    try:
        if not call.jsonrpc and not isinstance(value, dict):
            raise ShapeError("the body is not a JSON object")
        given = value.get("id") if isinstance(value, dict) else None
        call.id = given if isinstance(given, (str, int)) and not isinstance(given, bool) else None
        return json.dumps(carried(value, MAX_DEPTH), ensure_ascii=False).encode(), None
    except ShapeError as error:
        return b"", _error_response(call, InvalidParamsError(error.message))


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


class _Answer:
    """The SDK's answer on its way out, which begins with its first content: until then another can take its place."""

    def __init__(self, call: _Call, scope: Scope, send: Send) -> None:
        self._call = call
        self._scope = scope
        self._send = send
        self._start: Message | None = None
        self._begun = self._ended = False
        self._status = 0
        self._code: object = None

    async def send(self, message: Message) -> None:
        """Take one message of the answer."""
        if self._ended:
            return
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            await self._body(message)
        else:
            await self._send(message)

    async def _body(self, message: Message) -> None:
        content, ending = plain_json(message.get("body", b"")), not message.get("more_body", False)
        if not self._begun:
            other = self._other(message.get("body", b""))
            if other is not None:
                await self._instead(other)
                return
            self._begun = True
            await self._send(self._plain_start(len(content) if ending else None))
        self._ended = ending
        await self._send({**message, "body": content})

    def _other(self, body: bytes) -> Response | None:
        """What is to be answered instead of an answer that begins with `body`; None where it may go out."""
        assert self._start is not None
        call, status = self._call, self._start["status"]
        if call.away is not None:
            return _unavailable(call)
        streams = _streams(self._start)
        error = _jsonrpc_error(body) if call.jsonrpc and not streams else None
        self._code = error.get("code") if error else None
        if call.reached or not (streams or status >= 500 or self._code == INTERNAL_ERROR):
            return None
        return _error_response(call, InvalidParamsError(self._unread(call.noted and call.noted[1])))

    def _plain_start(self, length: int | None) -> Message:
        """The start of an answer of `length` bytes: what stands for other characters has another length than they."""
        assert self._start is not None
        self._status = self._start["status"]
        headers = []
        for name, value in self._start["headers"]:
            if name == b"content-length" and length is not None:
                value = str(length).encode()
            if name == b"content-type" and value == A2A_JSON and not self._call.names_a2a_json:
                value = b"application/json"  # what clients of 1.0.0 expect; 1.0.1 has its own type
            headers.append((name, value))
        return {**self._start, "headers": headers}

    async def _instead(self, other: Response) -> None:
        self._begun = self._ended = True
        self._status = other.status_code
        self._code = (_jsonrpc_error(bytes(other.body)) or {}).get("code") if self._call.jsonrpc else None
        await other(self._scope, _nothing, self._send)

    async def fail(self, error: Exception) -> None:
        """Answer a request whose handling ended with an error."""
        while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        call = self._call
        if not call.reached and not isinstance(error, A2AError):
            error = InvalidParamsError(self._unread(error))
        if not isinstance(error, A2AError):
            call.noted = (type(error), error, error.__traceback__)
            error = InternalError(message=DEFECT)
        if not self._begun:
            await self._instead(_unavailable(call) if call.away else _error_response(call, error))
        elif not self._ended:
            content = json.dumps(_error_payload(call, error)).encode()
            self._ended = True
            event = b"event: error\r\ndata: " + content + b"\r\n\r\n"
            await self._send({"type": "http.response.body", "body": event, "more_body": False})

    @staticmethod
    def _unread(error: BaseException | None) -> str:
        return f"the request can't be read: {error}"[:SHOWN_PROBLEM] if error else "the request can't be read"

    def log(self) -> None:
        """Log what became of a request that was not answered as asked, and note it for the metrics."""
        call, code = self._call, self._code
        if call.away is not None:
            self._scope[OUTCOME] = "failed"
        elif self._status >= 500 or code == INTERNAL_ERROR:
            self._scope[OUTCOME] = "failed"
            if not call.told:
                logger.error("defect in an A2A answer", exc_info=call.noted)
        elif self._status >= 400 or code is not None:
            self._scope[OUTCOME] = "rejected"
            logger.warning("an A2A request is refused: %s", f"HTTP {self._status}" if code is None else f"code {code}")


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _streams(start: Message) -> bool:
    return any(name == b"content-type" and value.startswith(EVENT_STREAM) for name, value in start["headers"])


def _jsonrpc_error(body: bytes) -> dict[str, Any] | None:
    """The error in an answer of JSON-RPC; an answer with a result, which may be long, is not read for that."""
    error, result = body.find(b'"error"'), body.find(b'"result"')
    if error < 0 or 0 <= result < error:
        return None
    try:
        told = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return None
    return told if isinstance(told, dict) else None


def _error_payload(call: _Call, error: A2AError) -> dict[str, Any]:
    if call.jsonrpc:
        return {**plain(build_error_response(None, error)), "id": call.id}
    payload: dict[str, Any] = plain(build_rest_error_payload(error))
    return payload


def _error_response(call: _Call, error: A2AError) -> Response:
    payload = _error_payload(call, error)
    return json_response(payload, 200 if call.jsonrpc else payload["error"]["code"])


def _unavailable(call: _Call) -> Response:
    message = f"{call.away}; try again"
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    if call.jsonrpc:
        return _jsonrpc_response({"code": INTERNAL_ERROR, "message": message}, call.id, 503, headers)
    return _rest_response(503, "UNAVAILABLE", message, headers)


def _jsonrpc_response(
    error: dict[str, Any], id: str | int | None, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    return json_response({"jsonrpc": "2.0", "id": id, "error": error}, status, headers)


def _rest_response(status: int, name: str, message: str, headers: dict[str, str] | None = None) -> Response:
    return json_response({"error": {"code": status, "status": name, "message": message}}, status, headers)


# --- the SDK's logs -----------------------------------------------------------


class _TakenLogs(logging.Handler):
    """Keeps the exceptions that the SDK logs for who answers the request; its lines hold what clients sent."""

    def emit(self, record: logging.LogRecord) -> None:
        call = _call.get()
        if record.exc_info and record.exc_info[1] is not None and call is not None:
            call.noted = (type(record.exc_info[1]), record.exc_info[1], record.exc_info[2])


def _take_the_sdks_logs() -> None:
    for name in ("a2a", "sse_starlette"):
        sdk = logging.getLogger(name)
        if not any(isinstance(handler, _TakenLogs) for handler in sdk.handlers):
            sdk.addHandler(_TakenLogs())
            sdk.propagate = False
            sdk.setLevel(logging.WARNING)
    asyncio_logs = logging.getLogger("asyncio")
    if _not_told_before not in asyncio_logs.filters:
        asyncio_logs.addFilter(_not_told_before)


def _not_told_before(record: logging.LogRecord) -> bool:
    """False for what a task of the SDK leaves behind whose fault was told to whoever waited for it."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, (A2AError, ParseError, TransientError))
