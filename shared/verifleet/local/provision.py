"""Creates the fleet's topics and subscriptions on a broker, through the ordinary google-cloud-pubsub client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifleet.local.places import Addresses
from verifleet.messaging.topology import (
    DEAD_LETTERS,
    LOCAL_TIMING,
    MAX_DELIVERY_ATTEMPTS,
    SUBSCRIPTIONS,
    TOPICS,
    Subscription,
)

if TYPE_CHECKING:
    from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient


def provision(publisher: PublisherClient, subscriber: SubscriberClient, project: str, addresses: Addresses) -> None:
    """Create what is missing and point push subscriptions at this fleet's ports; safe to repeat."""
    from google.api_core.exceptions import AlreadyExists
    from google.pubsub_v1.types import PushConfig

    for topic in TOPICS:
        try:
            publisher.create_topic(name=f"projects/{project}/topics/{topic}")
        except AlreadyExists:
            continue
    for subscription in SUBSCRIPTIONS:
        request = _subscription_request(subscription, project, addresses)
        try:
            subscriber.create_subscription(request=request)
        except AlreadyExists:
            # A fleet with the same data folder may have run on other ports.
            push = PushConfig(push_endpoint=request.get("push_config", {}).get("push_endpoint", ""))
            subscriber.modify_push_config(subscription=request["name"], push_config=push)
            if "retry_policy" not in request:
                bare = {"name": request["name"], "topic": request["topic"]}
                subscriber.update_subscription(
                    request={"subscription": bare, "update_mask": {"paths": ["retry_policy"]}}
                )


def _subscription_request(subscription: Subscription, project: str, addresses: Addresses) -> dict[str, Any]:
    request: dict[str, Any] = {
        "name": f"projects/{project}/subscriptions/{subscription.name}",
        "topic": f"projects/{project}/topics/{subscription.topic}",
        "ack_deadline_seconds": LOCAL_TIMING.ack_deadline_s,
        "filter": subscription.filter,
    }
    if subscription.push_to:
        request["push_config"] = {"push_endpoint": f"{addresses.url(subscription.push_to)}/"}
    # An archive has no back-off: what was looked at and given back is there for the next look.
    if subscription.dead_letters:
        request["retry_policy"] = {
            "minimum_backoff": {"nanos": int(LOCAL_TIMING.min_backoff_s * 1e9)},
            "maximum_backoff": {"seconds": int(LOCAL_TIMING.max_backoff_s)},
        }
        request["dead_letter_policy"] = {
            "dead_letter_topic": f"projects/{project}/topics/{DEAD_LETTERS}",
            "max_delivery_attempts": MAX_DELIVERY_ATTEMPTS,
        }
    return request
