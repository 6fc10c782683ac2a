"""Push delivery: messages of one subscription are POSTed to its endpoint, many at a time.

Each subscription has its own pusher with its own connections, so a slow or dead endpoint delays only itself. How many
requests are in flight is found as TCP finds its window: it grows with every acknowledgement and is halved by a failure.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from google.protobuf.message import DecodeError

from verifleet.local.broker import protos
from verifleet.local.broker.queue import Delivery, Queue
from verifleet.messaging.http_posts import Connection, Endpoint, connect

_LOG = logging.getLogger(__name__)

ACKNOWLEDGING = frozenset((102, 200, 201, 202, 204))
_MAX_WINDOW = 100
_START_WINDOW = 10
_MAX_BYTES_IN_FLIGHT = 32 * 1024 * 1024
_MAX_PAUSE_S = 1.0


class Pusher:
    """The consumer of a push subscription."""

    def __init__(self, name: str, queue: Queue) -> None:
        """Start delivering to the endpoint in the queue's rules; `name` is the subscription's full name."""
        self._name = name
        self._queue = queue
        self._loop = asyncio.get_running_loop()
        self._endpoint = Endpoint.parse(queue.rules.push_endpoint, "verifleet-broker")
        self._in_flight: dict[int, Connection | None] = {}
        self._bytes = 0
        self._idle: list[Connection] = []
        self._connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._window = float(_START_WINDOW)
        self._threshold = float(_MAX_WINDOW)
        self._failed_in_a_row = 0
        self._paused: asyncio.TimerHandle | None = None
        self._shrunk_at = 0.0
        self._reported = False
        self._closed = False
        queue.attach(self)
        self._loop.call_soon(self.wake)

    def close(self, *, abort: bool = False) -> None:
        """Take no more messages; requests in flight end normally, or at once with `abort`."""
        self._closed = True
        self._queue.detach(self)
        if self._paused is not None:
            self._paused.cancel()
        for connection in list(self._connections if abort else self._idle):
            connection.abort()

    # Consumer of the queue.

    def wake(self) -> None:
        """Send as many as the window allows."""
        while (
            not self._closed
            and self._paused is None
            and len(self._in_flight) < int(self._window)
            and self._bytes < _MAX_BYTES_IN_FLIGHT
        ):
            taken = self._queue.take(1, _MAX_BYTES_IN_FLIGHT, self._queue.rules.ack_deadline_s, self)
            if not taken:
                return
            self._send(taken[0])

    def released(self, message: int, size: int, *, expired: bool) -> None:
        """The lease ended: the ack deadline is the request's timeout."""
        self._bytes -= size
        connection = self._in_flight.pop(message, None)
        if not expired:
            return
        self._slow_down()
        if connection is not None:
            connection.abort()

    # Sending.

    def _send(self, delivery: Delivery) -> None:
        self._bytes += len(delivery.body)
        try:
            body = push_body(self._name, delivery, with_attempt=self._queue.rules.max_delivery_attempts > 0)
        except DecodeError:
            self._queue.unreadable(delivery)
            return
        while self._idle:
            connection = self._idle.pop()
            if connection.alive:
                self._post(connection, delivery, body)
                return
        self._post_on_new_connection(delivery, body)

    def _post_on_new_connection(self, delivery: Delivery, body: bytes) -> None:
        self._in_flight[delivery.message] = None
        task = self._loop.create_task(self._connect_and_post(delivery, body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect_and_post(self, delivery: Delivery, body: bytes) -> None:
        try:
            connection = await connect(self._endpoint, self._on_idle, self._on_lost)
        except OSError as error:
            self._window = 1.0
            self._report(f"can't connect: {error}")
            self._answered(delivery, None)
            return
        self._connections.add(connection)
        if delivery.message not in self._in_flight:  # expired meanwhile
            connection.abort()
            return
        self._post(connection, delivery, body)

    def _post(self, connection: Connection, delivery: Delivery, body: bytes) -> None:
        self._in_flight[delivery.message] = connection

        def answered(status: int | None) -> None:
            if status is None and connection.used and self._is_mine(delivery, connection):
                # A kept connection was closed by the other side just then: that is nobody's failure.
                connection.used = False
                self._post_on_new_connection(delivery, body)
                return
            self._answered(delivery, status)

        connection.post(self._endpoint, body, answered)

    def _is_mine(self, delivery: Delivery, connection: Connection) -> bool:
        return self._in_flight.get(delivery.message) is connection

    def _answered(self, delivery: Delivery, status: int | None) -> None:
        if delivery.message not in self._in_flight:
            return
        if status in ACKNOWLEDGING:
            self._failed_in_a_row = 0
            self._reported = False
            self._window = min(
                _MAX_WINDOW, self._window + (1.0 if self._window < self._threshold else 1.0 / self._window)
            )
            self._queue.acknowledge(delivery.message)
        else:
            if status is not None:
                self._report(f"answered {status}")
            self._slow_down()
            self._queue.fail(delivery)
        self.wake()

    def _slow_down(self) -> None:
        """Halve the window, once for all failures of one round; pause where nothing but failures comes back."""
        now = self._loop.time()
        self._failed_in_a_row += 1
        if now - self._shrunk_at > 0.05:
            self._shrunk_at = now
            self._threshold = max(2.0, self._window / 2)
            self._window = max(1.0, self._window / 2)
        if self._window == 1.0 and self._failed_in_a_row > 1 and self._paused is None:
            pause = min(_MAX_PAUSE_S, 0.01 * 2.0 ** min(self._failed_in_a_row - 2, 10))
            self._paused = self._loop.call_later(pause, self._resume)

    def _resume(self) -> None:
        self._paused = None
        self.wake()

    def _report(self, what: str) -> None:
        if not self._reported:
            self._reported = True
            _LOG.warning("push of %s to %s:%d %s", self._name, self._endpoint.host, self._endpoint.port, what)

    # Connections.

    def _on_idle(self, connection: Connection) -> None:
        if self._closed or len(self._idle) >= _MAX_WINDOW:
            connection.abort()
        else:
            self._idle.append(connection)

    def _on_lost(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if connection in self._idle:
            self._idle.remove(connection)


def push_body(subscription: str, delivery: Delivery, *, with_attempt: bool) -> bytes:
    """The JSON that Pub/Sub posts: {"message": {data?, attributes?, messageId, publishTime}, "subscription"}."""
    stored = protos.PubsubMessage.FromString(delivery.body)
    message: dict[str, Any] = {}
    if stored.data:
        message["data"] = base64.b64encode(stored.data).decode("ascii")
    if stored.attributes:
        message["attributes"] = dict(stored.attributes)
    message["messageId"] = stored.message_id
    message["publishTime"] = rfc3339(stored.publish_time)
    body: dict[str, Any] = {"message": message, "subscription": subscription}
    if with_attempt:
        body["deliveryAttempt"] = delivery.attempt
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def rfc3339(timestamp: Any) -> str:
    """A protobuf Timestamp as `2026-01-02T03:04:05.678901Z`."""
    return f"{_to_the_second(timestamp.seconds)}.{timestamp.nanos // 1000:06d}Z"


@lru_cache(maxsize=64)
def _to_the_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
