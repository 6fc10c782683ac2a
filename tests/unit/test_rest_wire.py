"""The REST wire to a broker on this machine, against servers that behave well and badly."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import Awaitable, Callable

import pytest

from verifleet.messaging.wires import RefusedError, RestWire

TOPIC = "projects/p/topics/t"
LONG_S = 30.0
OK = (200, {"messageIds": ["1"]})
BUSY = (503, {"error": {"message": "away"}})
WRONG = (400, {"error": {"message": "too many attributes"}})
MISSING = (404, {"error": {"message": "topic t does not exist"}})

Answers = list[tuple[int, object] | None]
"""What each request gets: status and JSON, or the connection closed."""


def publishing(answers: Answers, publish: Callable[[RestWire], Awaitable[None]]) -> tuple[list[bytes], int]:
    """The bodies that came, and over how many connections."""
    bodies: list[bytes] = []
    connections: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        while head := await reader.readuntil(b"\r\n\r\n"):
            assert head.startswith(f"POST /v1/{TOPIC}:publish HTTP/1.1\r\n".encode())
            bodies.append(await reader.readexactly(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])))
            answer = answers.pop(0)
            if answer is None:
                break
            told = json.dumps(answer[1]).encode()
            writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%b" % (answer[0], len(told), told))
        writer.close()

    async def tolerant(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(tolerant, "127.0.0.1", 0)
        wire = RestWire(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        try:
            await publish(wire)
        finally:
            await wire.close()
            server.close()
            for writer in connections:
                writer.close()
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()

    asyncio.run(main())
    return bodies, len(connections)


async def once(wire: RestWire) -> None:
    await wire.publish(TOPIC, [(b"x", {"k": "v"})], LONG_S)


async def twice(wire: RestWire) -> None:
    await once(wire)
    await once(wire)


def test_messages_go_in_pubsubs_own_json_and_the_connection_is_kept() -> None:
    bodies, connections = publishing([OK, OK], twice)
    (message,) = json.loads(bodies[0])["messages"]
    assert (base64.b64decode(message["data"]), message["attributes"]) == (b"x", {"k": "v"})
    assert (len(bodies), connections) == (2, 1)


@pytest.mark.parametrize("fault", [BUSY, (429, {}), None])
def test_what_may_pass_is_tried_again(fault: tuple[int, object] | None) -> None:
    bodies, _ = publishing([fault, fault, OK], once)
    assert len(set(bodies)) == 1
    assert len(bodies) == 3


def test_a_kept_connection_that_the_other_side_closed_is_no_failure() -> None:
    bodies, connections = publishing([OK, None, OK], twice)
    assert (len(bodies), connections) == (3, 2)


def test_what_is_refused_for_good_is_not_tried_again_and_says_why() -> None:
    for answer, error in ((WRONG, RefusedError), (MISSING, ConnectionError)):
        said = str(answer[1]["error"]["message"])  # type: ignore[index]

        async def refused(wire: RestWire, error: type[Exception] = error, said: str = said) -> None:
            with pytest.raises(error, match=said):
                await once(wire)

        assert len(publishing([answer], refused)[0]) == 1
