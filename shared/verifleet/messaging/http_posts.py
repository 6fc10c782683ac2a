"""POST of JSON over HTTP/1.1 with keep-alive connections, as lean as one machine's messages need.

A general client costs several times as much for each request as all the rest of a delivery; here a request is one
write, and an answer one pass of llhttp. Of an answer the status counts; of its body the beginning is kept, for an
error's words.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlsplit

import httptools

_MAX_RESPONSE_BYTES = 1024 * 1024
_SAID_BYTES = 2_000
_CONNECT_TIMEOUT_S = 5.0

Answered = Callable[[int | None], None]
"""Called once with the status, or None if there was no answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to POST, taken apart once."""

    host: str
    port: int
    tls: bool
    head: bytes

    @classmethod
    def parse(cls, url: str, sender: str) -> Endpoint:
        """From a validated http:// or https:// URL; `sender` is what our requests call us."""
        parts = urlsplit(url)
        tls = parts.scheme == "https"
        host = parts.hostname or ""
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        authority = f"[{host}]" if ":" in host else host
        if parts.port is not None:
            authority += f":{parts.port}"
        head = (
            f"POST {target.replace(' ', '%20')} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: application/json\r\n"
            f"User-Agent: {sender}\r\nAccept: application/json\r\nContent-Length: "
        )
        return cls(host, parts.port or (443 if tls else 80), tls, head.encode("ascii"))


class Connection(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self, on_idle: Callable[[Connection], None], on_lost: Callable[[Connection], None]) -> None:
        """`on_idle` is called when the next request may be sent, `on_lost` when none can be any more."""
        self._on_idle = on_idle
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._parser: Any = None
        self._answered: Answered | None = None
        self._status: int | None = None
        self._complete = False
        self._keep = False
        self._received = 0
        self._busy = False
        self.used = False
        self.said = b""
        """The beginning of the last answer's body, as far as it came with the status."""

    def post(self, endpoint: Endpoint, body: bytes, answered: Answered) -> None:
        """Send a request; must be connected and idle."""
        assert self._transport is not None
        self._answered = answered
        self._busy = True
        self._complete = False
        self._status = None
        self._received = 0
        self.said = b""
        self._transport.write(b"%b%d\r\n\r\n%b" % (endpoint.head, len(body), body))

    @property
    def alive(self) -> bool:
        """Whether a request may be sent."""
        return self._transport is not None and not self._transport.is_closing()

    def abort(self) -> None:
        """Close at once; a request without an answer is answered None."""
        if self._transport is not None:
            self._transport.abort()
        self._answer(None)

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast(asyncio.Transport, transport)
        self._parser = httptools.HttpResponseParser(self)

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
        self._received += len(data)
        if not self._busy or self._received > _MAX_RESPONSE_BYTES:
            self.abort()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.abort()
            return
        if self._complete:  # first, so that whoever waits for the answer finds this connection idle
            self._finish()
        if self._status is not None:
            self._answer(self._status)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop."""
        self._transport = None
        self._parser = None
        self._answer(None)
        self._on_lost(self)

    # httptools callbacks

    def on_headers_complete(self) -> None:
        """The status is all that a delivery waits for. 102 counts as one; other interim answers are passed over."""
        status = self._parser.get_status_code()
        if self._status is None and status not in (100, 103):
            self._status = status

    def on_body(self, body: bytes) -> None:
        """A part of it."""
        if len(self.said) < _SAID_BYTES:
            self.said += body[:_SAID_BYTES]

    def on_message_complete(self) -> None:
        """The whole answer is read."""
        if self._status is not None:
            self._complete = True
            self._keep = self._status >= 200 and self._parser.should_keep_alive()  # known only now

    def _finish(self) -> None:
        self._complete = self._busy = False
        self.used = True
        if self._keep and self.alive:
            self._on_idle(self)
        elif self._transport is not None:
            self._transport.close()

    def _answer(self, status: int | None) -> None:
        answered, self._answered = self._answered, None
        if answered is not None:
            answered(status)


async def connect(
    endpoint: Endpoint, on_idle: Callable[[Connection], None], on_lost: Callable[[Connection], None]
) -> Connection:
    """A new connection; raises OSError (ssl.SSLError and TimeoutError are OSErrors)."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_CONNECT_TIMEOUT_S):
        _, connection = await loop.create_connection(
            lambda: Connection(on_idle, on_lost),
            endpoint.host,
            endpoint.port,
            ssl=_tls_context() if endpoint.tls else None,
        )
    return connection


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()
