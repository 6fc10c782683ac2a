"""A push endpoint as fast as Python allows, in its own process: it must not be what a benchmark measures.

Prints its port, then, whenever a line comes in on stdin, the number of requests answered so far.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, cast

import httptools

_ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"
answered = 0


class Endpoint(asyncio.Protocol):
    """Answers every request with 204 once it is complete."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._parser: Any = httptools.HttpRequestParser(self)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        global answered
        answered += 1
        self._transport.write(_ANSWER)


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Endpoint, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(answered, flush=True)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
