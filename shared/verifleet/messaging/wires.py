"""How messages get to Pub/Sub: over Google's own client to the cloud, over plain REST to a broker on this machine.

Google's client talks gRPC, which costs both ends some five times the processor time of a small POST: threads that wait
for each other, and layers for what a broker on the same machine has no use for (tokens, TLS, other regions).
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from verifleet.messaging.http_posts import Connection, Endpoint, connect

MAY_PASS = frozenset((429, 500, 502, 503, 504))
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0
Sent = tuple[bytes, Mapping[str, str]]
"""A message's data and attributes."""


class RefusedError(Exception):
    """Pub/Sub says that this request can't succeed however often it is tried."""


class Wire(Protocol):
    """Sends requests of several messages; lives on one event loop."""

    async def publish(self, topic: str, messages: Sequence[Sent], timeout_s: float) -> None:
        """Publish to a topic, named in full; returns once it is acknowledged, and tries again what may pass.

        Raises RefusedError for what never can succeed, anything else for what did not until the time is over.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class RestWire:
    """Plain REST to the broker at `address`, for a machine's own fleet and for Google's emulator."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._idle: list[Connection] = []
        self._connections: set[Connection] = set()

    async def publish(self, topic: str, messages: Sequence[Sent], timeout_s: float) -> None:
        """Publish over a connection that is free, else over a new one."""
        endpoint = Endpoint.parse(f"http://{self._address}/v1/{topic}:publish", "verifleet")
        told = [{"data": base64.b64encode(data).decode("ascii"), "attributes": dict(own)} for data, own in messages]
        body = json.dumps({"messages": told}, separators=(",", ":")).encode("ascii")
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + timeout_s, FIRST_PAUSE_S
        while True:
            why: str
            try:
                async with asyncio.timeout_at(until):
                    status, said = await self._posted(endpoint, body)
            except TimeoutError:
                raise
            except OSError as error:
                why = f"can't connect to {self._address}: {error}"
            else:
                if status == 200:
                    return
                why = f"{status} {said}" if status else "the connection was closed before an answer"
                if status == 400:
                    raise RefusedError(said)
                if status and status not in MAY_PASS:
                    raise ConnectionError(why)
            if loop.time() + pause >= until:
                raise ConnectionError(why)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def close(self) -> None:
        """Close every connection."""
        for connection in list(self._connections):
            connection.abort()

    async def _posted(self, endpoint: Endpoint, body: bytes) -> tuple[int | None, str]:
        """The status of the answer, None without one, and what an error says."""
        while self._idle:
            connection = self._idle.pop()
            if connection.alive:
                answer = await self._asked(connection, endpoint, body)
                if answer[0] is not None:
                    return answer
                break  # closed by the other side just then: that is nobody's failure
        connection = await connect(endpoint, self._idle.append, self._lost)
        self._connections.add(connection)
        return await self._asked(connection, endpoint, body)

    async def _asked(self, connection: Connection, endpoint: Endpoint, body: bytes) -> tuple[int | None, str]:
        answered: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

        def note(status: int | None) -> None:
            if not answered.done():
                answered.set_result(status)

        connection.post(endpoint, body, note)
        try:
            status = await answered
        except asyncio.CancelledError:
            connection.abort()
            raise
        return status, "" if status == 200 else _words(connection.said)

    def _lost(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if connection in self._idle:
            self._idle.remove(connection)


class GoogleWire:
    """Google's asynchronous client, which costs half the processor time of the threaded one.

    Importing it takes about 170 ms, and it must not exist before a server forks its workers.
    """

    def __init__(self, credentials: Any) -> None:
        from google.pubsub_v1 import PublisherAsyncClient

        self._client: Any = PublisherAsyncClient(credentials=credentials)

    async def publish(self, topic: str, messages: Sequence[Sent], timeout_s: float) -> None:
        """Publish as the client does, with its idea of what may be tried again."""
        from google.api_core.exceptions import InvalidArgument
        from google.api_core.retry import AsyncRetry
        from google.pubsub_v1.types import PublishRequest, PubsubMessage

        # Built as the plain protobuf it is on the wire: the client's own wrapper of it costs more than the call.
        request = PublishRequest.pb()(
            topic=topic, messages=[PubsubMessage.pb()(data=data, attributes=own) for data, own in messages]
        )
        retry = AsyncRetry(initial=FIRST_PAUSE_S, maximum=LONGEST_PAUSE_S, multiplier=2.0, timeout=timeout_s)
        try:
            await self._client.publish(request=PublishRequest.wrap(request), retry=retry, timeout=timeout_s)
        except InvalidArgument as error:
            raise RefusedError(str(error)) from error

    async def close(self) -> None:
        """Close the client's channel."""
        await self._client.transport.close()


def _words(said: bytes) -> str:
    """The message of an error in Google's form, else the beginning of the body."""
    try:
        return str(json.loads(said)["error"]["message"])
    except (ValueError, TypeError, KeyError):
        return said[:200].decode("utf-8", "replace")
