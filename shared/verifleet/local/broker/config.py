"""What topics, subscriptions and messages may look like, and what a subscription's settings mean.

Limits are those of Cloud Pub/Sub, so that what works here is accepted there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from google.protobuf.field_mask_pb2 import FieldMask

from verifleet.local.broker.faults import InvalidArgumentError, NotImplementedHereError
from verifleet.local.broker.filters import Filter, FilterError, parse_filter

MIB = 1024 * 1024
DAY_S = 24 * 3600
DELETED_TOPIC = "_deleted-topic_"

MAX_PUBLISH_BYTES = 10 * MIB
MAX_PUBLISH_MESSAGES = 1000
MAX_ATTRIBUTES = 100
MAX_KEY_BYTES = 256
MAX_VALUE_BYTES = 1024

_PROJECT = re.compile(r"projects/[^/\s]+")
_NAME = re.compile(r"projects/[^/\s]+/(topics|subscriptions)/([^/]+)")
_ID = re.compile(r"[A-Za-z][A-Za-z0-9\-_.~+%]{2,254}")

_TOPIC_LEFT_OUT = (
    "message_storage_policy",
    "kms_key_name",
    "schema_settings",
    "message_retention_duration",
    "ingestion_data_source_settings",
    "message_transforms",
)
_SUBSCRIPTION_LEFT_OUT = (
    "bigquery_config",
    "cloud_storage_config",
    "bigtable_config",
    "retain_acked_messages",
    "enable_message_ordering",
    "enable_exactly_once_delivery",
    "message_transforms",
)
TOPIC_CHANGEABLE = ("labels", "tags")
SUBSCRIPTION_CHANGEABLE = (
    "push_config",
    "ack_deadline_seconds",
    "message_retention_duration",
    "labels",
    "expiration_policy",
    "dead_letter_policy",
    "retry_policy",
    "tags",
)


@dataclass(frozen=True, slots=True)
class Rules:
    """A subscription's settings, ready to use; times in seconds, 0 attempts: no dead-letter policy."""

    ack_deadline_s: float
    retention_s: float
    expires_after_s: float
    backoff_min_s: float
    backoff_max_s: float
    dead_letter_topic: str
    max_delivery_attempts: int
    push_endpoint: str
    filter: Filter | None

    def backoff(self, failures: int) -> float:
        """Seconds before the next attempt after so many failed ones: doubling, between the policy's bounds."""
        return min(self.backoff_max_s, self.backoff_min_s * 2.0 ** min(failures - 1, 60))


def check_project(name: str) -> str:
    """`projects/P`, or InvalidArgumentError."""
    if not _PROJECT.fullmatch(name):
        raise InvalidArgumentError(f"invalid project {name!r}: expected projects/PROJECT_ID")
    return name


def check_name(name: str, kind: str) -> str:
    """A topic's or subscription's full name (`kind` is topics or subscriptions), or InvalidArgumentError."""
    match = _NAME.fullmatch(name)
    if not match or match.group(1) != kind:
        raise InvalidArgumentError(f"invalid name {name!r}: expected projects/PROJECT_ID/{kind}/ID")
    if not _ID.fullmatch(match.group(2)) or match.group(2).startswith("goog"):
        raise InvalidArgumentError(
            f"invalid name {name!r}: an ID has 3 to 255 letters, digits and - _ . ~ + %, "
            "starts with a letter and not with 'goog'"
        )
    return name


def check_topic(topic: Any) -> Any:
    """Validate a new or changed Topic and return it as stored."""
    check_name(topic.name, "topics")
    _refuse_left_out(topic, _TOPIC_LEFT_OUT, "topic")
    topic.state = topic.ACTIVE
    return topic


def check_subscription(subscription: Any) -> Any:
    """Validate a new or changed Subscription, fill in the defaults, and return it as stored."""
    check_name(subscription.name, "subscriptions")
    if subscription.topic != DELETED_TOPIC:
        check_name(subscription.topic, "topics")
    _refuse_left_out(subscription, _SUBSCRIPTION_LEFT_OUT, "subscription")
    if not subscription.ack_deadline_seconds:
        subscription.ack_deadline_seconds = 10
    if not 10 <= subscription.ack_deadline_seconds <= 600:
        raise InvalidArgumentError("ack_deadline_seconds must be between 10 and 600")
    if not subscription.HasField("message_retention_duration"):
        subscription.message_retention_duration.seconds = 7 * DAY_S
    if not 600 <= _seconds(subscription.message_retention_duration) <= 31 * DAY_S:
        raise InvalidArgumentError("message_retention_duration must be between 10 minutes and 31 days")
    if not subscription.HasField("expiration_policy"):
        subscription.expiration_policy.ttl.seconds = 31 * DAY_S
    policy = subscription.expiration_policy
    if policy.HasField("ttl") and _seconds(policy.ttl) < DAY_S:
        raise InvalidArgumentError("expiration_policy.ttl must be at least one day, or absent")
    _check_push(subscription.push_config)
    _check_retry(subscription)
    _check_dead_letter(subscription)
    if subscription.filter:
        _filter(subscription.filter)
    subscription.state = subscription.ACTIVE
    return subscription


def check_message(message: Any) -> None:
    """Validate a message to publish."""
    if not message.data and not message.attributes:
        raise InvalidArgumentError("a message needs data or at least one attribute")
    if message.ordering_key:
        raise NotImplementedHereError("ordering_key")
    if message.attributes:
        check_attributes(message.attributes)


def check_attributes(attributes: Mapping[str, str]) -> None:
    """Validate the attributes of a message to publish."""
    if len(attributes) > MAX_ATTRIBUTES:
        raise InvalidArgumentError(f"a message has at most {MAX_ATTRIBUTES} attributes, this one {len(attributes)}")
    for key in attributes:
        value = attributes[key]
        # googclient_ is what Google's own clients use for trace context.
        if not key or (key.startswith("goog") and not key.startswith("googclient_")):
            raise InvalidArgumentError(f"attribute key {key!r}: must not be empty nor start with 'goog'")
        if len(key) > MAX_KEY_BYTES // 4 and len(key.encode()) > MAX_KEY_BYTES:
            raise InvalidArgumentError(f"attribute key {key[:32]!r}...: longer than {MAX_KEY_BYTES} bytes")
        if len(value) > MAX_VALUE_BYTES // 4 and len(value.encode()) > MAX_VALUE_BYTES:
            raise InvalidArgumentError(f"attribute {key!r}: its value is longer than {MAX_VALUE_BYTES} bytes")


def rules_of(subscription: Any) -> Rules:
    """The settings of a stored Subscription."""
    push_endpoint = subscription.push_config.push_endpoint
    # Without a policy Pub/Sub redelivers at once, but backs off where pushing fails.
    backoff_min, backoff_max = (0.1, 60.0) if push_endpoint else (0.0, 0.0)
    if subscription.HasField("retry_policy"):
        backoff_min, backoff_max = _backoff_bounds(subscription.retry_policy)
    dead_letter = subscription.dead_letter_policy
    expiration = subscription.expiration_policy
    return Rules(
        ack_deadline_s=float(subscription.ack_deadline_seconds),
        retention_s=_seconds(subscription.message_retention_duration),
        expires_after_s=_seconds(expiration.ttl) if expiration.HasField("ttl") else float("inf"),
        backoff_min_s=backoff_min,
        backoff_max_s=backoff_max,
        dead_letter_topic=dead_letter.dead_letter_topic,
        max_delivery_attempts=dead_letter.max_delivery_attempts if dead_letter.dead_letter_topic else 0,
        push_endpoint=push_endpoint,
        filter=_filter(subscription.filter) if subscription.filter else None,
    )


def changed(stored: Any, update: Any, paths: list[str], allowed: tuple[str, ...]) -> Any:
    """`stored` with the fields that a field mask names taken from `update`; InvalidArgumentError for any other."""
    if not paths:
        raise InvalidArgumentError("update_mask is empty: name the fields to change")
    for path in paths:
        name = path.split(".")[0]
        if name not in stored.DESCRIPTOR.fields_by_name:
            raise InvalidArgumentError(f"update_mask: there is no field {path!r}")
        if name in allowed:
            continue
        if name in _TOPIC_LEFT_OUT + _SUBSCRIPTION_LEFT_OUT:
            raise NotImplementedHereError(name)
        raise InvalidArgumentError(f"update_mask: {path!r} can't be changed")
    result = type(stored)()
    result.CopyFrom(stored)
    mask = FieldMask(paths=paths)
    try:
        mask.MergeMessage(update, result, replace_message_field=True, replace_repeated_field=True)
    except ValueError as error:
        raise InvalidArgumentError(f"update_mask: {error}") from None
    return result


def _refuse_left_out(message: Any, names: tuple[str, ...], kind: str) -> None:
    for descriptor, _ in message.ListFields():
        if descriptor.name in names:
            raise NotImplementedHereError(f"{kind}.{descriptor.name}")


def _check_push(push: Any) -> None:
    if not push.push_endpoint:
        if push.ListFields():
            raise InvalidArgumentError("push_config without push_endpoint")
        return
    for name in ("oidc_token", "no_wrapper"):
        if push.HasField(name):
            raise NotImplementedHereError(f"push_config.{name}")
    try:
        url = urlsplit(push.push_endpoint)
        usable = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        usable = False
    if not usable or not push.push_endpoint.isascii() or not push.push_endpoint.isprintable():
        raise InvalidArgumentError(f"push_endpoint {push.push_endpoint!r}: expected an http:// or https:// URL")


def _check_retry(subscription: Any) -> None:
    if not subscription.HasField("retry_policy"):
        return
    low, high = _backoff_bounds(subscription.retry_policy)
    if not 0 <= low <= high <= 600:
        raise InvalidArgumentError("retry_policy: expected 0 <= minimum_backoff <= maximum_backoff <= 600 s")


def _backoff_bounds(policy: Any) -> tuple[float, float]:
    low = _seconds(policy.minimum_backoff) if policy.HasField("minimum_backoff") else 10.0
    high = _seconds(policy.maximum_backoff) if policy.HasField("maximum_backoff") else 600.0
    return low, high


def _check_dead_letter(subscription: Any) -> None:
    if not subscription.HasField("dead_letter_policy"):
        return
    policy = subscription.dead_letter_policy
    check_name(policy.dead_letter_topic, "topics")
    if not policy.max_delivery_attempts:
        policy.max_delivery_attempts = 5
    if not 5 <= policy.max_delivery_attempts <= 100:
        raise InvalidArgumentError("dead_letter_policy.max_delivery_attempts must be between 5 and 100")


def _filter(text: str) -> Filter:
    try:
        return parse_filter(text)
    except FilterError as error:
        raise InvalidArgumentError(str(error)) from None


def _seconds(duration: Any) -> float:
    return float(duration.seconds) + float(duration.nanos) / 1e9
