"""Publishing to topics: the Publisher protocol, Pub/Sub's own client behind it, and an in-memory one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from verifleet.errors import PublishError

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.settings import Settings

# Parameters of the client's `publish`, which takes attributes as keyword arguments.
_RESERVED_NAMES = frozenset({"self", "topic", "data", "ordering_key", "retry", "timeout"})
_MAX_ATTRIBUTES = 100
_MAX_KEY_BYTES = 256
_MAX_VALUE_BYTES = 1024


class Publisher(Protocol):
    """Sends messages to topics, which go by their short names ("events")."""

    async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
        """Publish an envelope with its attributes; returns once it is acknowledged. Raises PublishError."""
        ...

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Publish bytes as they are; returns once they are acknowledged. Raises PublishError."""
        ...

    async def close(self) -> None:
        """Send what is still under way and let go of connections."""
        ...


class PubSubPublisher:
    """Publishes with google-cloud-pubsub, to the cloud or to `settings.pubsub_emulator_host`.

    The client is made on the first publish: importing it costs about 170 ms, and it must not exist
    before a server forks its workers.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: Any = None
        self._connecting = threading.Lock()

    async def publish(self, topic: str, envelope: Envelope[Any]) -> None:
        """Publish an envelope with its attributes; returns once it is acknowledged. Raises PublishError."""
        from verifleet.envelopes import message_attributes

        await self.publish_raw(topic, envelope.encode(), message_attributes(envelope))

    async def publish_raw(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> None:
        """Publish bytes as they are; returns once they are acknowledged. Raises PublishError."""
        client = self._client or await asyncio.to_thread(self._connect)
        path = f"projects/{self._settings.google_cloud_project}/topics/{topic}"
        try:
            future = client.publish(path, data, **pubsub_attributes(attributes))
            await asyncio.wait_for(asyncio.wrap_future(future), self._settings.publish_timeout_s)
        except TimeoutError as error:
            limit = self._settings.publish_timeout_s
            raise PublishError(f"Pub/Sub did not acknowledge a message to {topic} within {limit:g} s") from error
        except Exception as error:
            # The client raises its own, gRPC's and google.api_core's errors; to a sender they are all the same.
            raise PublishError(f"could not publish to {topic}: {error}") from error

    async def close(self) -> None:
        """Send what is still under way and let go of connections."""
        client, self._client = self._client, None
        if client is not None:
            await asyncio.to_thread(_stop, client)

    def _connect(self) -> Any:
        with self._connecting:
            if self._client is None:
                try:
                    self._client = _make_client(self._settings)
                except Exception as error:
                    # Mostly missing credentials, which come in several kinds of error.
                    raise PublishError(
                        f"can't connect to Pub/Sub: {error} "
                        "(set PUBSUB_EMULATOR_HOST for a local broker, or give Google Cloud credentials)"
                    ) from error
            return self._client


def _make_client(settings: Settings) -> Any:
    from google.api_core.retry import Retry
    from google.cloud import pubsub_v1

    # Latency first: a batch waits 2 ms for company, and its RPC is retried as long as a sender would wait.
    batching = pubsub_v1.types.BatchSettings(max_latency=0.002, max_messages=500, max_bytes=4_000_000)
    wait = settings.publish_timeout_s
    options = pubsub_v1.types.PublisherOptions(
        retry=Retry(initial=0.05, maximum=1.0, multiplier=2.0, timeout=wait), timeout=wait
    )
    if settings.pubsub_emulator_host is None:
        return pubsub_v1.PublisherClient(batching, options)
    import grpc
    from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport

    unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    channel = grpc.insecure_channel(settings.pubsub_emulator_host, options=unlimited)
    return pubsub_v1.PublisherClient(batching, options, transport=PublisherGrpcTransport(channel=channel))


def _stop(client: Any) -> None:
    client.stop()
    client.transport.close()


def pubsub_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """Attributes as Pub/Sub takes them: 100 at most, valid UTF-8, keys of 256 and values of 1024 bytes at most."""
    fitting: dict[str, str] = {}
    for key, value in list(attributes.items())[:_MAX_ATTRIBUTES]:
        name = f"original_{key}" if key in _RESERVED_NAMES else key
        fitting[_cut(name, _MAX_KEY_BYTES)] = _cut(value, _MAX_VALUE_BYTES)
    fitting.pop("", None)
    return fitting


def _cut(text: str, limit: int) -> str:
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
        self.messages.append(Message(topic, data, pubsub_attributes(attributes)))

    def to(self, topic: str) -> list[Message]:
        """What was published to `topic`, oldest first."""
        return [message for message in self.messages if message.topic == topic]

    async def close(self) -> None:
        """Nothing to let go of."""
