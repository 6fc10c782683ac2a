"""The broker itself: topics, subscriptions, and the way of a message from one to the other."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifleet.local.broker import protos
from verifleet.local.broker.config import (
    DELETED_TOPIC,
    MAX_PUBLISH_BYTES,
    MAX_PUBLISH_MESSAGES,
    SUBSCRIPTION_CHANGEABLE,
    TOPIC_CHANGEABLE,
    changed,
    check_message,
    check_name,
    check_subscription,
    check_topic,
    rules_of,
)
from verifleet.local.broker.faults import (
    AlreadyExistsError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
)
from verifleet.local.broker.journal import Journal
from verifleet.local.broker.push import Pusher, rfc3339
from verifleet.local.broker.queue import Queue

_LOG = logging.getLogger(__name__)

_SWEEP_S = 30.0
_PURGED_AT_ONCE = 2_000
_ADDED_BYTES = 32  # id and time of publishing


@dataclass(slots=True)
class _Subscription:
    config: Any
    queue: Queue
    pusher: Pusher | None = None


@dataclass(slots=True)
class _Topic:
    config: Any
    subscriptions: dict[str, _Subscription] = field(default_factory=dict)
    everyone: tuple[Queue, ...] | None = ()
    """The queues that get every message; None if one of them filters."""

    def attach(self, name: str, subscription: _Subscription) -> None:
        self.subscriptions[name] = subscription
        self._routes_changed()

    def detach(self, name: str) -> None:
        self.subscriptions.pop(name, None)
        self._routes_changed()

    def route(self, message: Any) -> tuple[Queue, ...]:
        """The queues of the subscriptions that want this message."""
        if self.everyone is not None:
            return self.everyone
        attributes = dict(message.attributes)
        queues = (subscription.queue for subscription in self.subscriptions.values())
        return tuple(q for q in queues if q.rules.filter is None or q.rules.filter.matches(attributes))

    def _routes_changed(self) -> None:
        queues = tuple(subscription.queue for subscription in self.subscriptions.values())
        self.everyone = queues if all(queue.rules.filter is None for queue in queues) else None


class Broker:
    """All topics and subscriptions of one journal. Lives on one event loop."""

    def __init__(self, journal: Journal) -> None:
        """Take over what the journal holds; must be called on the running loop."""
        self._journal = journal
        self._loop = asyncio.get_running_loop()
        self._topics: dict[str, _Topic] = {}
        self._subscriptions: dict[str, _Subscription] = {}
        self._last_id = journal.now_us
        self._purges: set[asyncio.Task[None]] = set()
        self._restore()
        self._sweeper = self._loop.call_later(_SWEEP_S, self._sweep)

    def close(self) -> None:
        """Stop pushing and sweeping. The journal is the caller's to close."""
        self._sweeper.cancel()
        for subscription in self._subscriptions.values():
            if subscription.pusher is not None:
                subscription.pusher.close(abort=True)

    # Topics.

    def create_topic(self, topic: Any) -> Any:
        """Raises InvalidArgumentError, NotImplementedHereError, AlreadyExistsError."""
        check_topic(topic)
        if topic.name in self._topics:
            raise AlreadyExistsError(f"topic {topic.name} exists")
        self._journal.save_topic(topic.name, topic.SerializeToString())
        self._topics[topic.name] = _Topic(topic)
        return topic

    def update_topic(self, update: Any, paths: list[str]) -> Any:
        """Change the fields in `paths`; labels only."""
        topic = self._topic(update.name)
        config = check_topic(changed(topic.config, update, paths, TOPIC_CHANGEABLE))
        self._journal.save_topic(config.name, config.SerializeToString())
        topic.config = config
        return config

    def topic(self, name: str) -> Any:
        """The stored Topic; raises NotFoundError."""
        return self._topic(name).config

    def topics(self, project: str) -> list[Any]:
        """All topics of `projects/P`, by name."""
        return _of_project(project, {name: topic.config for name, topic in self._topics.items()})

    def topic_subscriptions(self, name: str) -> list[str]:
        """Names of a topic's subscriptions."""
        return sorted(self._topic(name).subscriptions)

    def delete_topic(self, name: str) -> None:
        """Its subscriptions stay, with what they have not delivered, and get no more."""
        topic = self._topic(name)
        for subscription_name, subscription in list(topic.subscriptions.items()):
            config = _copy(subscription.config)
            config.topic = DELETED_TOPIC
            self._store(subscription, config)
            topic.detach(subscription_name)
        self._journal.delete_topic(name)
        del self._topics[name]

    # Subscriptions.

    def create_subscription(self, config: Any) -> Any:
        """Raises InvalidArgumentError, NotImplementedHereError, AlreadyExistsError, NotFoundError (topic)."""
        check_subscription(config)
        if config.name in self._subscriptions:
            raise AlreadyExistsError(f"subscription {config.name} exists")
        if config.topic == DELETED_TOPIC:
            raise NotFoundError(f"topic {config.topic} does not exist")
        topic = self._topic(config.topic)
        self._check_dead_letter_topic(config)
        config.detached = False
        number = self._journal.create_subscription(config.name, config.SerializeToString())
        self._add(number, config)
        topic.attach(config.name, self._subscriptions[config.name])
        return config

    def update_subscription(self, update: Any, paths: list[str]) -> Any:
        """Change the fields in `paths`."""
        subscription = self._subscription(update.name)
        config = check_subscription(changed(subscription.config, update, paths, SUBSCRIPTION_CHANGEABLE))
        if any(path.startswith("dead_letter_policy") for path in paths):
            self._check_dead_letter_topic(config)
        self._store(subscription, config)
        return config

    def subscription(self, name: str) -> Any:
        """The stored Subscription; raises NotFoundError."""
        return self._subscription(name).config

    def subscriptions(self, project: str) -> list[Any]:
        """All subscriptions of `projects/P`, by name."""
        return _of_project(project, {name: entry.config for name, entry in self._subscriptions.items()})

    def delete_subscription(self, name: str) -> None:
        """Drops its messages too."""
        subscription = self._subscription(name)
        self._journal.delete_subscription(subscription.queue.id)
        del self._subscriptions[name]
        self._drop_messages(subscription)

    def detach_subscription(self, name: str) -> None:
        """Keep the subscription, without messages, and deliver nothing to it ever again."""
        subscription = self._subscription(name)
        config = _copy(subscription.config)
        config.detached = True
        self._store(subscription, config)
        self._drop_messages(subscription)

    def queue_for_pull(self, name: str) -> Queue:
        """The messages of a pull subscription; raises NotFoundError or FailedPreconditionError."""
        subscription = self._subscription(name)
        if subscription.config.detached:
            raise FailedPreconditionError(f"subscription {name} is detached from its topic")
        if subscription.pusher is not None:
            raise FailedPreconditionError(f"subscription {name} is a push subscription: it can't be pulled")
        return subscription.queue

    def queue(self, name: str) -> Queue:
        """The messages of any subscription, to acknowledge them; raises NotFoundError."""
        return self._subscription(name).queue

    # Messages.

    def publish(self, topic_name: str, messages: Sequence[Any]) -> asyncio.Future[list[str]]:
        """Publish PubsubMessages; the future holds their ids once they are committed, or UnavailableError."""
        topic = self._topic(topic_name)
        if not messages:
            raise InvalidArgumentError("nothing to publish")
        if len(messages) > MAX_PUBLISH_MESSAGES:
            raise InvalidArgumentError(f"at most {MAX_PUBLISH_MESSAGES} messages at once, not {len(messages)}")
        for message in messages:
            check_message(message)
        published: asyncio.Future[list[str]] = self._loop.create_future()
        ids: list[str] = []

        def committed(error: Exception | None) -> None:
            if published.done():  # the client gave up waiting
                return
            if error is not None:
                published.set_exception(error)
            else:
                published.set_result(ids)

        rows: list[tuple[int, bytes, tuple[Queue, ...]]] = []
        now_us = self._journal.now_us
        published_at = protos.publish_time(time.time_ns() // 1000)
        size = 0
        for message in messages:
            number = self._last_id = max(self._last_id + 1, now_us)
            ids.append(str(number))
            body = protos.published(message, ids[-1], published_at)
            size += len(body)
            rows.append((number, body, topic.route(message)))
        if size > MAX_PUBLISH_BYTES + len(messages) * _ADDED_BYTES:
            raise InvalidArgumentError(f"a publish request has at most {MAX_PUBLISH_BYTES} bytes, this one {size}")
        self._append(rows, committed)
        return published

    def _append(
        self, rows: Sequence[tuple[int, bytes, tuple[Queue, ...]]], committed: Callable[[Exception | None], None]
    ) -> None:
        """Write messages for the queues they are routed to, and offer them there after the commit."""
        wanted = [(number, body) for number, body, queues in rows if queues]
        if not wanted:
            self._loop.call_soon(committed, None)
            return
        offers: dict[Queue, list[int]] = {}
        for number, _, queues in rows:
            for queue in queues:
                offers.setdefault(queue, []).append(number)

        def done(error: Exception | None) -> None:
            if error is None:
                for queue, numbers in offers.items():
                    queue.offer(numbers)
            committed(error)

        pending = [(number, queue.id) for queue, numbers in offers.items() for number in numbers]
        self._journal.append(wanted, pending, done)

    def _dead_letter(self, queue: Queue, number: int, failures: int, reason: str, done: Callable[[bool], None]) -> None:
        """Forward a message that failed too often or, with a reason, was never taken; `done(False)` if it can't be."""
        topic = self._topics.get(queue.rules.dead_letter_topic)
        body = self._journal.body(number)
        source = next((entry.config for entry in self._subscriptions.values() if entry.queue is queue), None)
        if topic is None or body is None or source is None:
            _LOG.warning(
                "dead-letter topic %s does not exist: message %d is kept", queue.rules.dead_letter_topic, number
            )
            done(False)
            return
        message = protos.PubsubMessage.FromString(body)
        _, project, _, name = source.name.split("/")
        message.attributes.update(
            {
                "CloudPubSubDeadLetterSourceDeliveryCount": str(failures),
                "CloudPubSubDeadLetterSourceSubscription": name,
                "CloudPubSubDeadLetterSourceSubscriptionProject": project,
                "CloudPubSubDeadLetterSourceTopicPublishTime": rfc3339(message.publish_time),
            }
        )
        if reason:
            message.attributes["reason"] = reason
        self._last_id = max(self._last_id + 1, self._journal.now_us)
        body = protos.published(message, str(self._last_id), protos.publish_time(time.time_ns() // 1000))
        self._append([(self._last_id, body, topic.route(message))], lambda error: done(error is None))

    # Inside.

    def _restore(self) -> None:
        for blob in self._journal.topics():
            config = protos.Topic.FromString(blob)
            self._topics[config.name] = _Topic(config)
        queues: dict[int, Queue] = {}
        for number, blob in self._journal.subscriptions():
            config = protos.Subscription.FromString(blob)
            self._add(number, config)
            subscription = self._subscriptions[config.name]
            queues[number] = subscription.queue
            if not config.detached and config.topic in self._topics:
                self._topics[config.topic].attach(config.name, subscription)
        for row in self._journal.pending():
            queues[row.subscription].restore(row.message, row.failures, row.not_before)

    def _add(self, number: int, config: Any) -> None:
        queue = Queue(number, rules_of(config), self._journal, self._dead_letter)
        subscription = _Subscription(config, queue)
        self._subscriptions[config.name] = subscription
        self._start_pushing(subscription)

    def _store(self, subscription: _Subscription, config: Any) -> None:
        self._journal.save_subscription(subscription.queue.id, config.SerializeToString())
        subscription.config = config
        old, new = subscription.queue.rules, rules_of(config)
        subscription.queue.rules = new
        if old.push_endpoint != new.push_endpoint or config.detached:
            if subscription.pusher is not None:
                subscription.pusher.close()
                subscription.pusher = None
            self._start_pushing(subscription)

    def _start_pushing(self, subscription: _Subscription) -> None:
        if subscription.queue.rules.push_endpoint and not subscription.config.detached:
            subscription.pusher = Pusher(subscription.config.name, subscription.queue)

    def _drop_messages(self, subscription: _Subscription) -> None:
        if subscription.pusher is not None:
            subscription.pusher.close(abort=True)
            subscription.pusher = None
        topic = self._topics.get(subscription.config.topic)
        if topic is not None:
            topic.detach(subscription.config.name)
        task = self._loop.create_task(self._purge(subscription.queue.id, subscription.queue.close()))
        self._purges.add(task)
        task.add_done_callback(self._purges.discard)

    async def _purge(self, subscription: int, messages: Sequence[int]) -> None:
        """Settle many messages without holding up everybody else; what a crash leaves is removed at the next start."""
        for start in range(0, len(messages), _PURGED_AT_ONCE):
            for message in messages[start : start + _PURGED_AT_ONCE]:
                self._journal.settle(message, subscription)
            await asyncio.sleep(0.01)

    def _sweep(self) -> None:
        """Retention, and expiry of unused subscriptions."""
        self._sweeper = self._loop.call_later(_SWEEP_S, self._sweep)
        self._journal.keep_time()
        for name, subscription in list(self._subscriptions.items()):
            if subscription.queue.idle_s > subscription.queue.rules.expires_after_s:
                self.delete_subscription(name)
            elif dropped := subscription.queue.drop_expired():
                _LOG.warning("%s: %d messages outlived its retention and were dropped", name, dropped)

    def _topic(self, name: str) -> _Topic:
        topic = self._topics.get(name)
        if topic is None:
            check_name(name, "topics")
            raise NotFoundError(f"topic {name} does not exist")
        return topic

    def _subscription(self, name: str) -> _Subscription:
        subscription = self._subscriptions.get(name)
        if subscription is None:
            check_name(name, "subscriptions")
            raise NotFoundError(f"subscription {name} does not exist")
        return subscription

    def _check_dead_letter_topic(self, config: Any) -> None:
        name = config.dead_letter_policy.dead_letter_topic
        if name and name not in self._topics:
            raise NotFoundError(f"dead-letter topic {name} does not exist")


def _of_project(project: str, configs: dict[str, Any]) -> list[Any]:
    return [configs[name] for name in sorted(configs) if name.startswith(f"{project}/")]


def _copy(message: Any) -> Any:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy
