"""`POST /tasks`: an envelope in, what became of it out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from verifleet.errors import ShapeError
from verifleet.serving.delivery import TEXT_TYPES, Output, Receiver, content_digest, in_session
from verifleet.serving.http import check_media_type, json_response, off_loop, read_body, read_json

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope


def tasks_route(function: str, receiver: Receiver, max_bytes: int) -> Route:
    """The route; it answers with a `mcp_envelope_v1` once the outputs are published."""

    async def tasks(request: Request) -> Response:
        raw = await _read(request, receiver, max_bytes)
        _refuse_skill(raw)
        session = request.query_params.get("session_id")
        envelopes = receiver.parse(raw, session)
        cause = content_digest(in_session(raw, session))
        outputs = await receiver.handle(envelopes, cause)
        return json_response(completed(function, envelopes[0].session_id, cause, outputs).as_json())

    return Route("/tasks", tasks, methods=["POST"])


def _refuse_skill(raw: Any) -> None:
    if isinstance(raw, dict) and "skill" in raw and not {"schema", "payload", "content"} & raw.keys():
        problem = (
            "skills are called over A2A, in a data part of a message to /a2a/jsonrpc or /a2a/rest; "
            "POST /tasks takes what the agent handles, such as an envelope"
        )
        raise ShapeError.at("skill", problem)


async def _read(request: Request, receiver: Receiver, max_bytes: int) -> Any:
    if receiver.decode is None:
        return await read_json(request, max_bytes)
    check_media_type(request, TEXT_TYPES)
    body = await read_body(request, max_bytes)
    return await off_loop(len(body), receiver.decode, body, request.headers.get("content-type", ""))


def completed(function: str, session_id: str, cause: str, outputs: Sequence[Output]) -> Envelope[Any]:
    """The answer to a task: `payload.data.result` is the envelope produced; a list of them unless there is just one."""
    from verifleet.envelopes import McpData, make_envelope

    produced = [output.envelope.as_json() for output in outputs]
    result = produced[0] if len(produced) == 1 else produced
    return make_envelope(
        "mcp_envelope_v1",
        McpData(status="completed", result=result),
        session_id=session_id,
        source_agent=function,
        timestamp=datetime.now(UTC),
        cause=cause,
    )
