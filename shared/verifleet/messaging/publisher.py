"""Publishing to topics: the Publisher protocol, Pub/Sub behind it, and an in-memory one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from verifleet.errors import PublishError, UnpublishableError
from verifleet.messaging.topology import topic_path
from verifleet.messaging.wires import GoogleWire, RefusedError, RestWire, Wire
from verifleet.outage import Outage

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.settings import Settings

# Parameters of the client's `publish`, which takes attributes as keyword arguments.
_RESERVED_NAMES = frozenset({"self", "topic", "data", "ordering_key", "retry", "timeout"})
MAX_UNDER_WAY = 2
WAITED_SHARE = 0.5
"""Of the time limit; a publish that failed after as much has waited."""
_MAX_MESSAGES = 1000
_MAX_BYTES = 9_000_000
MAX_BYTES = 10_000_000
"""What one message may come to with its attributes: Pub/Sub's limit for a request."""
_MAX_ATTRIBUTES = 100
_MAX_KEY_BYTES = 256
_MAX_VALUE_BYTES = 1024


class Publisher(Protocol):
    """Sends messages to topics, which go by their short names ("events")."""

    async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
        """Publish an envelope with its attributes; returns once it is acknowledged.

        Raises PublishError for what may be published later, UnpublishableError for what never can.
        """
        ...

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Publish bytes as they are; returns once they are acknowledged. Raises as `publish`."""
        ...

    async def publish_many(self, topic: str, messages: Sequence[tuple[bytes, Mapping[str, str]]]) -> None:
        """Publish data with its attributes, as many as there are; returns once all are acknowledged.

        Raises as `publish`; some may have been published then.
        """
        ...

    async def close(self) -> None:
        """Send what is still under way and let go of connections."""
        ...


class PubSubPublisher:
    """Publishes to the cloud, or to the broker at `settings.pubsub_emulator_host`, connected with the first message.

    Messages that come while MAX_UNDER_WAY requests to their topic are under way share the next one.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection: _Connection | None = None
        self._connecting = threading.Lock()
        self._outage = Outage("Pub/Sub")

    def away(self) -> str | None:
        """Why nothing can be published, as the last messages told; None while they are acknowledged."""
        return self._outage.away()

    async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
        """Publish an envelope with its attributes; returns once it is acknowledged. Raises PublishError."""
        from verifleet.envelopes import message_attributes

        await self.publish_raw(topic, envelope.encode(), message_attributes(envelope))

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Publish bytes as they are; returns once they are acknowledged. Raises PublishError."""
        await self.publish_many(topic, [(data, attributes)])

    async def publish_many(self, topic: str, messages: Sequence[tuple[bytes, Mapping[str, str]]]) -> None:
        """Publish several; returns once all are acknowledged. Raises PublishError."""
        waiting = [_Waiting(data, pubsub_attributes(attributes)) for data, attributes in messages]
        largest = max((message.size for message in waiting), default=0)
        if largest > MAX_BYTES:
            raise UnpublishableError(topic, f"comes to {largest} bytes, and a message has at most {MAX_BYTES}")
        resting = self._outage.resting()
        if resting is not None:
            raise PublishError(resting)
        if self._connection is None and not self._settings.pubsub_emulator_host:
            await asyncio.to_thread(self._import)  # takes what a busy machine makes it take, and is no wait for Pub/Sub
        until = time.monotonic() + self._settings.publish_timeout_s
        try:
            connection = self._connection
            if connection is None or connection.loop is not asyncio.get_running_loop():
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + self._settings.publish_timeout_s):
                    connection = await self._connect()
            await connection.outbox(topic).send(waiting, until)
        except (PublishError, TimeoutError) as error:
            limit = self._settings.publish_timeout_s
            reason = str(error) or f"Pub/Sub did not acknowledge a message to {topic} within {limit:g} s"
            raise self._failed(reason, until) from error
        except RefusedError as error:
            raise UnpublishableError(topic, f"is refused by Pub/Sub: {error}") from error
        except Exception as error:
            # Google's client raises its own, gRPC's and google.api_core's errors; to a sender they are all the same.
            raise self._failed(f"Pub/Sub took no message to {topic}: {error}", until) from error
        self._outage.answered()

    def _failed(self, reason: str, until: float) -> PublishError:
        left = until - time.monotonic()
        self._outage.failed(reason, waited=left < WAITED_SHARE * self._settings.publish_timeout_s)
        return PublishError(reason)

    async def close(self) -> None:
        """Send what is still under way and let go of connections."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connect(self) -> _Connection:
        loop, broker = asyncio.get_running_loop(), self._settings.pubsub_emulator_host
        try:
            credentials = None if broker else await asyncio.to_thread(_credentials)
            if self._connection is None or self._connection.loop is not loop:
                wire: Wire = RestWire(broker) if broker else GoogleWire(credentials)
                self._connection = _Connection(self._settings, loop, wire)
        except Exception as error:
            # Mostly missing credentials, which come in several kinds of error.
            raise PublishError(
                f"can't connect to Pub/Sub: {error} "
                "(set PUBSUB_EMULATOR_HOST for a local broker, or give Google Cloud credentials)"
            ) from error
        return self._connection

    def _import(self) -> None:
        with self._connecting:
            import google.pubsub_v1  # noqa: F401


def _credentials() -> Any:
    """Looked for over the network."""
    import google.auth

    return google.auth.default()[0]


class _Connection:
    """The wire of one event loop, and the outbox of each topic."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop, wire: Wire) -> None:
        self.loop = loop
        self._settings = settings
        self._wire = wire
        self._outboxes: dict[str, _Outbox] = {}

    def outbox(self, topic: str) -> _Outbox:
        outbox = self._outboxes.get(topic)
        if outbox is None:
            path = topic_path(self._settings.google_cloud_project, topic, self._settings.prefix)
            outbox = self._outboxes[topic] = _Outbox(self._wire, path, self._settings.publish_timeout_s)
        return outbox

    async def close(self) -> None:
        for outbox in self._outboxes.values():
            await outbox.emptied()
        if asyncio.get_running_loop() is self.loop:
            await self._wire.close()


@dataclass(slots=True)
class _Waiting:
    """A message to be sent, and who waits for its acknowledgement."""

    data: bytes
    attributes: dict[str, str]
    acknowledged: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    size: int = 0

    def __post_init__(self) -> None:
        named = sum(len(key.encode()) + len(value.encode()) + 16 for key, value in self.attributes.items())
        self.size = len(self.data) + named + 100


class _Outbox:
    """What is to be sent to one topic."""

    def __init__(self, wire: Wire, path: str, timeout_s: float) -> None:
        self._wire = wire
        self._path = path
        self._timeout_s = timeout_s
        self._waiting: deque[_Waiting] = deque()
        self._under_way: set[asyncio.Task[None]] = set()

    async def send(self, messages: Sequence[_Waiting], until: float) -> None:
        """Return once the messages are acknowledged; raises what the wire raises, TimeoutError after `until`."""
        if not messages:
            return
        self._waiting.extend(messages)
        self._go_on()
        try:
            # Not asyncio.timeout: when this loop itself was late, an acknowledgement that is there still counts.
            await asyncio.wait(
                [message.acknowledged for message in messages], timeout=max(0.0, until - time.monotonic())
            )
        finally:
            for message in messages:
                if not message.acknowledged.done():
                    message.acknowledged.cancel()
        if any(message.acknowledged.cancelled() for message in messages):
            raise TimeoutError
        failures = [message.acknowledged.exception() for message in messages]
        for failure in failures:
            if failure is not None:
                raise failure

    async def emptied(self) -> None:
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _go_on(self) -> None:
        if self._waiting and len(self._under_way) < MAX_UNDER_WAY:
            # The task starts when all that is ready now has run, and takes what they have sent as well.
            task = asyncio.get_running_loop().create_task(self._publish())
            self._under_way.add(task)
            task.add_done_callback(self._published)

    def _published(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._go_on()

    async def _publish(self) -> None:
        batch = self._batch()
        if batch:
            await self._send(batch)

    async def _send(self, batch: list[_Waiting]) -> None:
        try:
            await self._wire.publish(
                self._path, [(message.data, message.attributes) for message in batch], self._timeout_s
            )
        except BaseException as error:
            if len(batch) > 1 and isinstance(error, RefusedError):
                for message in batch:  # one of them: the others are taken by themselves
                    await self._send([message])
                return
            for message in batch:
                if not message.acknowledged.done():
                    message.acknowledged.set_exception(_for_each(error))
            if not isinstance(error, Exception):
                raise
        else:
            for message in batch:
                if not message.acknowledged.done():
                    message.acknowledged.set_result(None)

    def _batch(self) -> list[_Waiting]:
        """The next messages of one request; whoever was cancelled while waiting no longer wants to send."""
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < _MAX_MESSAGES:
            message = self._waiting[0]
            if not message.acknowledged.cancelled():
                size += message.size
                if batch and size > _MAX_BYTES:
                    break
                batch.append(message)
            self._waiting.popleft()
        return batch


def _for_each(error: BaseException) -> Exception:
    return error if isinstance(error, Exception) else ConnectionError("the sender was stopped")


def pubsub_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """Attributes as Pub/Sub takes them: 100 at most, valid UTF-8, keys of 256 and values of 1024 bytes at most."""
    fitting: dict[str, str] = {}
    for key, value in list(attributes.items())[:_MAX_ATTRIBUTES]:
        name = f"original_{key}" if key in _RESERVED_NAMES else key
        fitting[_cut(name, _MAX_KEY_BYTES)] = _cut(value, _MAX_VALUE_BYTES)
    fitting.pop("", None)
    return fitting


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit and text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace")[:limit].decode("utf-8", "ignore")


@dataclass(frozen=True, slots=True)
class Message:
    """One message that was published in memory."""

    topic: str
    data: bytes
    attributes: Mapping[str, str]


@dataclass
class InMemoryPublisher:
    """Keeps what is published; with `failure` set, every publish raises it."""

    messages: list[Message] = field(default_factory=list)
    failure: PublishError | None = None

    async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
        """Keep an envelope as the message it would be."""
        from verifleet.envelopes import message_attributes

        await self.publish_raw(topic, envelope.encode(), message_attributes(envelope))

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Keep a message."""
        if self.failure is not None:
            raise self.failure
        if len(data) > MAX_BYTES:
            raise UnpublishableError(topic, f"comes to {len(data)} bytes, and a message has at most {MAX_BYTES}")
        self.messages.append(Message(topic, data, pubsub_attributes(attributes)))

    async def publish_many(self, topic: str, messages: Sequence[tuple[bytes, Mapping[str, str]]]) -> None:
        """Keep several."""
        for data, attributes in messages:
            await self.publish_raw(topic, data, attributes)

    def to(self, topic: str) -> list[Message]:
        """What was published to `topic`, oldest first."""
        return [message for message in self.messages if message.topic == topic]

    async def close(self) -> None:
        """Nothing to let go of."""
