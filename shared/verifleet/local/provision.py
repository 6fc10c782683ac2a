"""Creates the fleet's topics and subscriptions on a broker, through the ordinary google-cloud-pubsub client."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from verifleet.errors import SettingsError
from verifleet.local.addresses import Addresses
from verifleet.local.pubsub import EMULATOR, choose_fleet, pubsub
from verifleet.messaging.topology import (
    CLOUD_TIMING,
    DEAD_LETTERS,
    FUNCTIONS,
    LOCAL_TIMING,
    MAX_DELIVERY_ATTEMPTS,
    RETIRED_SUBSCRIPTIONS,
    SUBSCRIPTIONS,
    TOPICS,
    Subscription,
    Timing,
    subscription_path,
    timing_of,
    topic_path,
)
from verifleet.settings import settings

if TYPE_CHECKING:
    from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient


@dataclass(frozen=True, slots=True)
class Place:
    """Where the fleet's topics are made and what they push to.

    Args:
        endpoints: base URL of each function; a subscription that would push to another one is left out.
        timing: redelivery there.
        push_account: e-mail of the account that signs pushes, in Google Cloud.
        prefix: of the names there; by default the setting's.
    """

    endpoints: Mapping[str, str]
    timing: Timing = LOCAL_TIMING
    push_account: str | None = None
    prefix: str = field(default_factory=lambda: settings().prefix)


def on_this_machine(addresses: Addresses) -> Place:
    """The place of a fleet on these ports."""
    return Place({name: addresses.url(name) for name in FUNCTIONS})


def provision(
    publisher: PublisherClient,
    subscriber: SubscriberClient,
    project: str,
    place: Place,
    *,
    dry_run: bool = False,
    timeout_s: float = 10.0,
) -> Iterator[str]:
    """Create what is missing, remove what is retired, point pushes at the place; says each change, safe to repeat.

    Raises GoogleAPIError, soon: the client's own way is to try for a minute and more.
    """
    once: Any = {"retry": None, "timeout": timeout_s}
    there = f"projects/{project}"
    topics = {topic.name for topic in publisher.list_topics(project=there, **once)}
    present = {config.name: config for config in subscriber.list_subscriptions(project=there, **once)}
    for topic in TOPICS:  # each is told before it is done
        if (name := topic_path(project, topic, place.prefix)) not in topics:
            yield f"topic {topic} created"
            if not dry_run:
                _create(publisher.create_topic, {"name": name}, once)
    for retired in RETIRED_SUBSCRIPTIONS:
        if (name := subscription_path(project, retired, place.prefix)) in present:
            yield f"subscription {retired} removed"
            if not dry_run:
                subscriber.delete_subscription(subscription=name, **once)
    for subscription in SUBSCRIPTIONS:
        if subscription.push_to and subscription.push_to not in place.endpoints:
            yield f"subscription {subscription.name} left out: no URL is given for {subscription.push_to}"
            continue
        request = _subscription_request(subscription, project, place)
        config = present.get(request["name"])
        if config is None:
            pushing = f", pushes to {place.endpoints[subscription.push_to]}" if subscription.push_to else ""
            yield f"subscription {subscription.name} created{pushing}"
            if not dry_run:
                _create(subscriber.create_subscription, request, once)
            continue
        if config.filter != subscription.filter:
            yield f"subscription {subscription.name} has another filter, which can't be changed: delete it and repeat"
        yield from _changed(subscriber, config, request, once, dry_run=dry_run)


def _create(create: Any, request: dict[str, Any], once: Any) -> None:
    from google.api_core.exceptions import AlreadyExists

    with contextlib.suppress(AlreadyExists):  # somebody else was quicker
        create(request=request, **once)


def _changed(subscriber: SubscriberClient, config: Any, request: dict[str, Any], once: Any, *, dry_run: bool) -> Any:
    """Another place to push to, since a fleet may have run on other ports; and another back-off, of an archive none."""
    from google.pubsub_v1.types import PushConfig, RetryPolicy

    name = request["name"]
    push = PushConfig(request.get("push_config", {}))
    if config.push_config.push_endpoint != push.push_endpoint:
        yield f"subscription {name.rsplit('/', 1)[-1]} pushes to {push.push_endpoint or 'nobody'}"
        if not dry_run:
            subscriber.modify_push_config(subscription=name, push_config=push, **once)
    wanted = request.get("retry_policy")
    if (wanted is None and "retry_policy" in config) or (wanted and config.retry_policy != RetryPolicy(wanted)):
        yield f"subscription {name.rsplit('/', 1)[-1]} has {'another' if wanted else 'no'} back-off"
        if not dry_run:
            policy = {"retry_policy": wanted} if wanted else {}
            update = {
                "subscription": {"name": name, "topic": request["topic"], **policy},
                "update_mask": {"paths": ["retry_policy"]},
            }
            subscriber.update_subscription(request=update, **once)


def _subscription_request(subscription: Subscription, project: str, place: Place) -> dict[str, Any]:
    request: dict[str, Any] = {
        "name": subscription_path(project, subscription.name, place.prefix),
        "topic": topic_path(project, subscription.topic, place.prefix),
        "ack_deadline_seconds": place.timing.ack_deadline_s,
        "filter": subscription.filter,
        "expiration_policy": {},  # never: what waits in it must not go with a subscription that nobody asked for long
    }
    if subscription.push_to:
        request["push_config"] = {"push_endpoint": f"{place.endpoints[subscription.push_to].rstrip('/')}/"}
        if place.push_account:
            request["push_config"]["oidc_token"] = {"service_account_email": place.push_account}
    # An archive has no back-off: what was looked at and given back is there for the next look.
    if subscription.dead_letters:
        timing = timing_of(subscription.name, place.timing)
        request["retry_policy"] = {
            "minimum_backoff": timedelta(seconds=timing.min_backoff_s),
            "maximum_backoff": timedelta(seconds=timing.max_backoff_s),
        }
        request["dead_letter_policy"] = {
            "dead_letter_topic": topic_path(project, DEAD_LETTERS, place.prefix),
            "max_delivery_attempts": MAX_DELIVERY_ATTEMPTS,
        }
    return request


def run_provision(
    project: str | None, emulator: str | None, urls: list[str], push_account: str | None, offset: int, *, dry_run: bool
) -> Iterator[str]:
    """What `verifleet provision` prints. Raises SettingsError, TransientError, PublishError."""
    given = dict(_url(text) for text in urls)
    if emulator:
        os.environ[EMULATOR] = emulator
    here = project is None or EMULATOR in os.environ
    if here:
        ours = choose_fleet(None, 0 if emulator else offset)  # raises where nobody answers
        project = project or ours
        place = Place({**on_this_machine(Addresses(offset)).endpoints, **given})
    else:
        place = Place(given, CLOUD_TIMING, push_account)
    changes = 0
    with pubsub(project, 0) as (chosen, publisher, subscriber):
        for change in provision(publisher, subscriber, chosen, place, dry_run=dry_run):
            changes += 1
            yield f"would be: {change}" if dry_run else change
    where = f"{chosen} on {os.environ[EMULATOR]}" if here else chosen
    yield f"{where}: {changes or 'nothing'} {'to change' if dry_run else 'changed'}"
    if not here:
        yield (
            "Pub/Sub's own account needs roles/pubsub.publisher on dead-letters and roles/pubsub.subscriber on each "
            "subscription to forward dead letters; infra/ grants that, and all the rest, by itself."
        )


def _url(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if name not in FUNCTIONS or not url.startswith(("http://", "https://")):
        raise SettingsError(f"--url {text!r}: expected NAME=URL with NAME one of {', '.join(FUNCTIONS)}")
    return name, url
