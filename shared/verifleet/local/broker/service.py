"""google.pubsub.v1 over gRPC: Publisher and Subscriber, and the health check."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf import empty_pb2

from verifleet.local.broker import protos
from verifleet.local.broker.config import check_project
from verifleet.local.broker.core import Broker
from verifleet.local.broker.faults import (
    BrokerError,
    InvalidArgumentError,
    NotFoundError,
    NotImplementedHereError,
    UnavailableError,
)
from verifleet.local.broker.queue import Delivery, Queue, ack_id

_LOG = logging.getLogger(__name__)

_ACK_ID = re.compile(r"(\d{1,18})-(\d{1,18})-(\d{1,9})")
_PULL_WAIT_S = 20.0
_BATCH_MESSAGES = 500
_BATCH_BYTES = 1024 * 1024  # Google's client refuses answers above 4 MB when it talks to an emulator
_UNLIMITED = 2**62
_LEFT_OUT = {
    "Seek": "seek",
    "CreateSnapshot": "snapshots",
    "GetSnapshot": "snapshots",
    "ListSnapshots": "snapshots",
    "ListTopicSnapshots": "snapshots",
    "UpdateSnapshot": "snapshots",
    "DeleteSnapshot": "snapshots",
}

Method = Callable[[Any, Any], Awaitable[Any]]


class PubSubHandler(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Routes every call of google.pubsub.v1 (and IAM, and health) to its method here."""

    def __init__(self, broker: Broker) -> None:
        """Serve this broker."""
        self._broker = broker
        self._stopping = asyncio.Event()
        publisher: dict[str, tuple[Method, Any]] = {
            "CreateTopic": (self._create_topic, protos.Topic),
            "UpdateTopic": (self._update_topic, protos.UpdateTopicRequest),
            "GetTopic": (self._get_topic, protos.GetTopicRequest),
            "ListTopics": (self._list_topics, protos.ListTopicsRequest),
            "ListTopicSubscriptions": (self._list_topic_subscriptions, protos.ListTopicSubscriptionsRequest),
            "DeleteTopic": (self._delete_topic, protos.DeleteTopicRequest),
            "Publish": (self._publish, protos.PublishRequest),
            "DetachSubscription": (self._detach_subscription, protos.DetachSubscriptionRequest),
        }
        subscriber: dict[str, tuple[Method, Any]] = {
            "CreateSubscription": (self._create_subscription, protos.Subscription),
            "UpdateSubscription": (self._update_subscription, protos.UpdateSubscriptionRequest),
            "GetSubscription": (self._get_subscription, protos.GetSubscriptionRequest),
            "ListSubscriptions": (self._list_subscriptions, protos.ListSubscriptionsRequest),
            "DeleteSubscription": (self._delete_subscription, protos.DeleteSubscriptionRequest),
            "ModifyPushConfig": (self._modify_push_config, protos.ModifyPushConfigRequest),
            "Acknowledge": (self._acknowledge, protos.AcknowledgeRequest),
            "ModifyAckDeadline": (self._modify_ack_deadline, protos.ModifyAckDeadlineRequest),
            "Pull": (self._pull, protos.PullRequest),
        }
        self.calls = publisher | subscriber
        """Every unary call: its method, and the type of its request."""
        self._handlers: dict[str, Any] = {
            f"/google.pubsub.v1.{service}/{name}": grpc.unary_unary_rpc_method_handler(
                _answering(method), request.FromString, _serialized
            )
            for service, methods in (("Publisher", publisher), ("Subscriber", subscriber))
            for name, (method, request) in methods.items()
        }
        self._handlers["/google.pubsub.v1.Subscriber/StreamingPull"] = grpc.stream_stream_rpc_method_handler(
            self._streaming_pull, protos.StreamingPullRequest.FromString, None
        )
        self._handlers["/grpc.health.v1.Health/Check"] = grpc.unary_unary_rpc_method_handler(_healthy, None, None)

    def service(self, handler_call_details: Any) -> Any:
        """The handler of a call; what is left out answers UNIMPLEMENTED by name."""
        path: str = handler_call_details.method
        handler = self._handlers.get(path)
        if handler is None and path.startswith(("/google.pubsub.v1.", "/google.iam.v1.")):
            return _left_out(path)
        return handler

    def stop(self) -> None:
        """End all streams, so that their clients reconnect elsewhere or later."""
        self._stopping.set()

    # Publisher.

    async def _create_topic(self, request: Any, _context: Any) -> Any:
        return self._broker.create_topic(request)

    async def _update_topic(self, request: Any, _context: Any) -> Any:
        return self._broker.update_topic(request.topic, list(request.update_mask.paths))

    async def _get_topic(self, request: Any, _context: Any) -> Any:
        return self._broker.topic(request.topic)

    async def _list_topics(self, request: Any, _context: Any) -> Any:
        topics, token = _page(request, self._broker.topics(check_project(request.project)), lambda topic: topic.name)
        return protos.ListTopicsResponse(topics=topics, next_page_token=token)

    async def _list_topic_subscriptions(self, request: Any, _context: Any) -> Any:
        names, token = _page(request, self._broker.topic_subscriptions(request.topic), str)
        return protos.ListTopicSubscriptionsResponse(subscriptions=names, next_page_token=token)

    async def _delete_topic(self, request: Any, _context: Any) -> Any:
        self._broker.delete_topic(request.topic)
        return empty_pb2.Empty()

    async def _publish(self, request: Any, _context: Any) -> Any:
        return protos.PublishResponse(message_ids=await self._broker.publish(request.topic, request.messages))

    async def _detach_subscription(self, request: Any, _context: Any) -> Any:
        self._broker.detach_subscription(request.subscription)
        return protos.DetachSubscriptionResponse()

    # Subscriber.

    async def _create_subscription(self, request: Any, _context: Any) -> Any:
        return self._broker.create_subscription(request)

    async def _update_subscription(self, request: Any, _context: Any) -> Any:
        return self._broker.update_subscription(request.subscription, list(request.update_mask.paths))

    async def _get_subscription(self, request: Any, _context: Any) -> Any:
        return self._broker.subscription(request.subscription)

    async def _list_subscriptions(self, request: Any, _context: Any) -> Any:
        found, token = _page(request, self._broker.subscriptions(check_project(request.project)), lambda s: s.name)
        return protos.ListSubscriptionsResponse(subscriptions=found, next_page_token=token)

    async def _delete_subscription(self, request: Any, _context: Any) -> Any:
        self._broker.delete_subscription(request.subscription)
        return empty_pb2.Empty()

    async def _modify_push_config(self, request: Any, _context: Any) -> Any:
        update = protos.Subscription(name=request.subscription, push_config=request.push_config)
        self._broker.update_subscription(update, ["push_config"])
        return empty_pb2.Empty()

    async def _acknowledge(self, request: Any, _context: Any) -> Any:
        queue = self._broker.queue(request.subscription)
        _acknowledge_all(queue, _parsed_ids(request.ack_ids))
        return empty_pb2.Empty()

    async def _modify_ack_deadline(self, request: Any, _context: Any) -> Any:
        queue = self._broker.queue(request.subscription)
        seconds = request.ack_deadline_seconds
        _check_deadline(seconds)
        _modify_all(queue, [(parsed, seconds) for parsed in _parsed_ids(request.ack_ids)])
        return empty_pb2.Empty()

    async def _pull(self, request: Any, context: Any) -> Any:
        queue = self._broker.queue_for_pull(request.subscription)
        if request.max_messages <= 0:
            raise InvalidArgumentError("max_messages must be positive")
        consumer = _Stream()
        wait = min(_PULL_WAIT_S, (context.time_remaining() or _PULL_WAIT_S) - 0.1)
        give_up_at = asyncio.get_running_loop().time() + (0 if request.return_immediately else wait)
        queue.attach(consumer)
        try:
            while True:
                deliveries = queue.take(
                    min(request.max_messages, 1000), 3 * _BATCH_BYTES, queue.rules.ack_deadline_s, consumer
                )
                if deliveries or queue.closed or self._stopping.is_set():
                    break
                try:
                    async with asyncio.timeout_at(give_up_at):
                        await consumer.woken()
                except TimeoutError:
                    break
        finally:
            queue.detach(consumer)
        if queue.closed:
            raise NotFoundError(f"subscription {request.subscription} was deleted or detached")
        return _encoded(queue, deliveries)

    async def _streaming_pull(self, _requests: Any, context: Any) -> None:
        try:
            await self._stream(context)
        except BrokerError as error:
            await context.abort(error.code, str(error))

    async def _stream(self, context: Any) -> None:
        first = await context.read()
        if first is grpc.aio.EOF:
            return
        queue = self._broker.queue_for_pull(first.subscription)
        stream = _Stream(first)
        _check_stream_deadline(stream.deadline_s)
        _apply(queue, first)
        queue.attach(stream)
        reader = asyncio.create_task(stream.read(queue, context))
        stopped = asyncio.create_task(self._stopping.wait())
        stopped.add_done_callback(lambda _: stream.wake())
        reader.add_done_callback(lambda _: stream.wake())
        try:
            while not reader.done():
                if self._stopping.is_set():
                    raise UnavailableError("the broker is shutting down")
                self._broker.queue_for_pull(first.subscription)  # deleted, detached, or pushed by now
                if queue.closed:
                    raise NotFoundError(f"subscription {first.subscription} was deleted")
                if not await self._send(queue, stream, context):
                    await stream.woken()
            reader.result()
        finally:
            queue.detach(stream)
            reader.cancel()
            stopped.cancel()

    async def _send(self, queue: Queue, stream: _Stream, context: Any) -> bool:
        """Send what flow control allows; False if there was nothing to send."""
        deliveries = stream.take(queue)
        if not deliveries:
            if stream.keepalive_due:
                stream.keepalive_due = False
                await context.write(b"")
            return False
        try:
            await context.write(_encoded(queue, deliveries))
        except BaseException:
            queue.put_back(deliveries)
            raise
        return True


class _Stream:
    """The consumer behind one pull or streaming pull: what it may still take before it has to acknowledge."""

    def __init__(self, first: Any = None) -> None:
        self._event = asyncio.Event()
        self._messages_left = _UNLIMITED
        self._bytes_left = _UNLIMITED
        self.deadline_s = 0.0
        self.keepalive_due = False
        if first is not None:
            self.deadline_s = float(first.stream_ack_deadline_seconds)
            self._messages_left = first.max_outstanding_messages if first.max_outstanding_messages > 0 else _UNLIMITED
            self._bytes_left = first.max_outstanding_bytes if first.max_outstanding_bytes > 0 else _UNLIMITED

    def wake(self) -> None:
        self._event.set()

    def released(self, message: int, size: int, *, expired: bool) -> None:
        self._messages_left += 1
        self._bytes_left += size
        self._event.set()

    async def woken(self) -> None:
        await self._event.wait()
        # Another consumer may be quicker: whoever finds nothing has to wait again.
        self._event.clear()

    def take(self, queue: Queue) -> list[Delivery]:
        self._event.clear()
        if self._messages_left <= 0 or self._bytes_left <= 0:
            return []
        limit = min(self._messages_left, _BATCH_MESSAGES)
        deliveries = queue.take(limit, min(self._bytes_left, _BATCH_BYTES), self.deadline_s, self)
        self._messages_left -= len(deliveries)
        self._bytes_left -= sum(len(delivery.body) for delivery in deliveries)
        return deliveries

    async def read(self, queue: Queue, context: Any) -> None:
        """Handle the client's side of the stream until it ends."""
        while (request := await context.read()) is not grpc.aio.EOF:
            if request.subscription:
                raise InvalidArgumentError("only a stream's first request names the subscription")
            if request.stream_ack_deadline_seconds:
                _check_stream_deadline(request.stream_ack_deadline_seconds)
                self.deadline_s = float(request.stream_ack_deadline_seconds)
            _apply(queue, request)
            if request.protocol_version >= 1 or not request.ListFields():
                self.keepalive_due = True
                self.wake()


def _apply(queue: Queue, request: Any) -> None:
    """The acknowledgements and deadlines in a StreamingPullRequest."""
    if len(request.modify_deadline_seconds) != len(request.modify_deadline_ack_ids):
        raise InvalidArgumentError("modify_deadline_seconds and modify_deadline_ack_ids differ in length")
    for seconds in request.modify_deadline_seconds:
        _check_deadline(seconds)
    if request.ack_ids:
        _acknowledge_all(queue, _parsed_ids(request.ack_ids))
    if request.modify_deadline_ack_ids:
        ids = _parsed_ids(request.modify_deadline_ack_ids)
        _modify_all(queue, list(zip(ids, request.modify_deadline_seconds, strict=True)))


def _acknowledge_all(queue: Queue, ids: list[tuple[int, int, int]]) -> None:
    for subscription, message, _ in ids:
        if subscription == queue.id:
            queue.acknowledge(message)


def _modify_all(queue: Queue, changes: list[tuple[tuple[int, int, int], int]]) -> None:
    for (subscription, message, attempt), seconds in changes:
        if subscription == queue.id:
            queue.modify_deadline(message, attempt, seconds)


def _parsed_ids(ack_ids: Any) -> list[tuple[int, int, int]]:
    if not ack_ids:
        raise InvalidArgumentError("no ack_ids given")
    parsed = []
    for text in ack_ids:
        match = _ACK_ID.fullmatch(text)
        if not match:
            raise InvalidArgumentError(f"invalid ack_id {text[:60]!r}")
        subscription, message, attempt = match.groups()
        parsed.append((int(subscription), int(message), int(attempt)))
    return parsed


def _check_deadline(seconds: int) -> None:
    if not 0 <= seconds <= 600:
        raise InvalidArgumentError("an ack deadline must be between 0 and 600 seconds")


def _check_stream_deadline(seconds: float) -> None:
    if not 10 <= seconds <= 600:
        raise InvalidArgumentError("stream_ack_deadline_seconds must be between 10 and 600")


def _encoded(queue: Queue, deliveries: list[Delivery]) -> bytes:
    """A PullResponse or StreamingPullResponse."""
    with_attempt = queue.rules.max_delivery_attempts > 0
    return b"".join(
        protos.received_message(ack_id(queue, delivery), delivery.body, delivery.attempt if with_attempt else 0)
        for delivery in deliveries
    )


def _page(request: Any, items: list[Any], key: Callable[[Any], str]) -> tuple[list[Any], str]:
    """One page of a sorted list; the token is the last name of the page before."""
    if request.page_size < 0:
        raise InvalidArgumentError("page_size must not be negative")
    after = [item for item in items if key(item) > request.page_token]
    size = request.page_size or len(after)
    return after[:size], key(after[size - 1]) if len(after) > size else ""


def _answering(method: Method) -> Method:
    async def answer(request: Any, context: Any) -> Any:
        try:
            return await method(request, context)
        except BrokerError as error:
            await context.abort(error.code, str(error))

    return answer


def _serialized(response: Any) -> bytes:
    return response if isinstance(response, bytes) else response.SerializeToString()


def _left_out(path: str) -> Any:
    service, name = path.rsplit("/", 1)
    error = NotImplementedHereError(f"{service.lstrip('/')}.{name} ({_LEFT_OUT.get(name, 'not part of this broker')})")

    async def refuse(_request: Any, context: Any) -> Any:
        await context.abort(error.code, str(error))

    return grpc.unary_unary_rpc_method_handler(refuse, None, None)


async def _healthy(_request: bytes, _context: Any) -> bytes:
    return b"\x08\x01"  # HealthCheckResponse(status=SERVING)
