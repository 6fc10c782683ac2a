"""Pub/Sub's protobuf classes, and the few bytes of them that are written by hand because they are hot."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

_ONE_BYTE = tuple(bytes((n,)) for n in range(128))


def _pubsub_types() -> Any:
    """The generated types alone.

    `google.pubsub_v1` imports every client and transport on the way, 0.35 s that a server has no use for; so the
    package is left unexecuted while its `types` are imported, and is forgotten afterwards: a later import is real.
    """
    name = "google.pubsub_v1"
    if name in sys.modules:
        return importlib.import_module(f"{name}.types.pubsub")
    google = importlib.import_module("google")
    bare = ModuleType(name)
    bare.__path__ = [f"{folder}/pubsub_v1" for folder in google.__path__]
    sys.modules[name] = bare
    try:
        return importlib.import_module(f"{name}.types.pubsub")
    finally:
        del sys.modules[name]


_types = _pubsub_types()

AcknowledgeRequest: Any = _types.AcknowledgeRequest.pb()
DeadLetterPolicy: Any = _types.DeadLetterPolicy.pb()
DeleteSubscriptionRequest: Any = _types.DeleteSubscriptionRequest.pb()
DeleteTopicRequest: Any = _types.DeleteTopicRequest.pb()
DetachSubscriptionRequest: Any = _types.DetachSubscriptionRequest.pb()
DetachSubscriptionResponse: Any = _types.DetachSubscriptionResponse.pb()
GetSubscriptionRequest: Any = _types.GetSubscriptionRequest.pb()
GetTopicRequest: Any = _types.GetTopicRequest.pb()
ListSubscriptionsRequest: Any = _types.ListSubscriptionsRequest.pb()
ListSubscriptionsResponse: Any = _types.ListSubscriptionsResponse.pb()
ListTopicsRequest: Any = _types.ListTopicsRequest.pb()
ListTopicsResponse: Any = _types.ListTopicsResponse.pb()
ListTopicSubscriptionsRequest: Any = _types.ListTopicSubscriptionsRequest.pb()
ListTopicSubscriptionsResponse: Any = _types.ListTopicSubscriptionsResponse.pb()
ModifyAckDeadlineRequest: Any = _types.ModifyAckDeadlineRequest.pb()
ModifyPushConfigRequest: Any = _types.ModifyPushConfigRequest.pb()
PublishRequest: Any = _types.PublishRequest.pb()
PublishResponse: Any = _types.PublishResponse.pb()
PubsubMessage: Any = _types.PubsubMessage.pb()
PullRequest: Any = _types.PullRequest.pb()
PullResponse: Any = _types.PullResponse.pb()
StreamingPullRequest: Any = _types.StreamingPullRequest.pb()
Subscription: Any = _types.Subscription.pb()
Topic: Any = _types.Topic.pb()
UpdateSubscriptionRequest: Any = _types.UpdateSubscriptionRequest.pb()
UpdateTopicRequest: Any = _types.UpdateTopicRequest.pb()


def received_message(ack_id: bytes, body: bytes, delivery_attempt: int) -> bytes:
    """One `received_messages` entry of a PullResponse or StreamingPullResponse (field 1 of both).

    `body` is a serialized PubsubMessage, which is stored as it is sent; `delivery_attempt` 0 leaves the field out.
    """
    inner = b"\x0a" + _varint(len(ack_id)) + ack_id + b"\x12" + _varint(len(body)) + body
    if delivery_attempt:
        inner += b"\x18" + _varint(delivery_attempt)
    return b"\x0a" + _varint(len(inner)) + inner


def publish_time(microseconds: int) -> bytes:
    """The serialized `publish_time` field of a PubsubMessage."""
    seconds, rest = divmod(microseconds, 1_000_000)
    inner = b"\x08" + _varint(seconds) + (b"\x10" + _varint(rest * 1000) if rest else b"")
    return b"\x22" + _varint(len(inner)) + inner


def published(message: Any, message_id: str, serialized_publish_time: bytes) -> bytes:
    """A PubsubMessage as it is stored and delivered: what the client sent, with the fields that the server sets."""
    if message.HasField("publish_time"):
        message.ClearField("publish_time")
    identity = message_id.encode("ascii")
    # Of a field that occurs twice the last one counts, so appending is setting.
    return b"%b\x1a%b%b%b" % (message.SerializeToString(), _varint(len(identity)), identity, serialized_publish_time)


def _varint(number: int) -> bytes:
    if number < 128:
        return _ONE_BYTE[number]
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
