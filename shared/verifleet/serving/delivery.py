"""Pub/Sub deliveries: the three forms they come in, and when they are acknowledged.

An answer of 2xx acknowledges, and is given only when everything is published. What can never succeed goes to
`dead-letters` as it came and is acknowledged; what may succeed later is answered 503 and comes again.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from verifleet import observability
from verifleet.errors import FieldProblem, ShapeError, TransientError, UnpublishableError
from verifleet.instants import read_instant
from verifleet.messaging.topology import DEAD_LETTERS, INCIDENT_BRIEFS, REPLAYED_FOR, short_name, topic_of
from verifleet.serving import strict_json

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.messaging.publisher import Publisher
    from verifleet.storage.idempotency import Idempotency

logger = logging.getLogger(__name__)

EVENT_HEADERS = frozenset({"ce-type", "ce-id", "ce-specversion"})
UNWRAPPED_HEADERS = frozenset({"x-goog-pubsub-subscription-name", "x-goog-pubsub-message-id"})
_UNWRAPPED = (
    "this push carries the bare data of its message: turn payload unwrapping off "
    "(gcloud pubsub subscriptions update SUBSCRIPTION --clear-push-no-wrapper-config)"
)
AT_ONCE = 16
"""How many envelopes of one list are handled at the same time."""
FINAL = {("summarizer_agent", INCIDENT_BRIEFS): "event_to_brief_seconds"}
"""Where a chain ends, and the log field that says how long it took; objectives in infra/ are measured by them."""

FROM_OUTSIDE = frozenset({"raw_event_v1", "incident_act_v1", "verification_request_v1"})
PUBSUB_EVENT_TYPE = "google.cloud.pubsub.topic.v1.messagePublished"
Coerce = Callable[[Any, str | None], list[Any]]
"""Makes the raw envelopes of what came in decoded, for a function that also takes simpler forms; the second argument is
the session of what names none itself, None for the configured default. Raises ShapeError."""
Decode = Callable[[bytes, str], Any]
"""Decodes a body of a content type ("" when none is given), where more than JSON is taken. Raises ShapeError."""
TEXT_TYPES = frozenset({"text/plain", "text/xml", "application/xml", "application/cap+xml"})
"""Media types taken beside JSON where there is a Decode."""

_current: ContextVar[Delivery | None] = ContextVar("delivery", default=None)

_SORTED = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message as Pub/Sub pushed it; `attempt` counts from 1, 0 when the subscription does not count."""

    subscription: str
    message_id: str
    data: bytes
    attributes: Mapping[str, str]
    attempt: int = 0
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """An envelope to publish, and where; without a topic it went another way and only answers a task.

    `began_at` is when what it goes back to reached the fleet; `attributes` of its message beside the envelope's own.
    """

    topic: str | None
    envelope: Envelope[Any]
    began_at: datetime | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


class Handler(Protocol):
    """What a function does with an envelope.

    `cause` is the input's envelope_id, else its messageId; it names the outputs (`make_envelope`). Raises ShapeError
    for what can never succeed, TransientError or VerifierUnavailableError for what may succeed later.
    """

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Handle one envelope and return what to publish."""
        ...


def on_first_use(make: Callable[[], Handler]) -> Handler:
    """The handler that `make` makes when the first envelope comes, so that what it imports costs a start nothing."""
    made: list[Handler] = []

    async def handle(envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        if not made:
            made.append(make())
        return await made[0](envelope, cause=cause)

    return handle


def current_delivery() -> Delivery | None:
    """The delivery being handled; None when the envelope came another way. For handlers that count attempts."""
    return _current.get()


class NotADeliveryError(ShapeError):
    """A body that Pub/Sub never sends: refused (HTTP 400), since there is no message to dead-letter."""

    code = "not_a_delivery"


class BusyError(TransientError):
    """The same message is being handled right now."""


def refuse_unwrapped(headers: Mapping[str, str]) -> None:
    """Raises NotADeliveryError for the bare data of a message, which may be of any content type."""
    if not UNWRAPPED_HEADERS.isdisjoint(headers.keys()):
        raise NotADeliveryError.at("(body)", _UNWRAPPED)


def decode_delivery(headers: Mapping[str, str], wrapped: Any, prefix: str = "") -> Delivery:
    """Read the decoded JSON of a plain push body, or of a binary or structured CloudEvent around one.

    The subscription is told by its short name, without the installation's prefix.

    Raises:
        NotADeliveryError: this is no Pub/Sub message.
    """
    if headers.get("content-type", "").lower().startswith("application/cloudevents+json"):
        if not isinstance(wrapped, dict):
            raise NotADeliveryError("a structured CloudEvent is a JSON object")
        _check_event_type(wrapped.get("type"), "type")
        wrapped = _event_data(wrapped)
    elif not EVENT_HEADERS.isdisjoint(headers.keys()):
        _check_event_type(headers.get("ce-type"), "ce-type")
    return _push_body(wrapped, prefix)


def _check_event_type(given: object, path: str) -> None:
    if given != PUBSUB_EVENT_TYPE:
        problem = f"this CloudEvent's type is {str(given)[:100]!r}; only {PUBSUB_EVENT_TYPE} is handled here"
        raise NotADeliveryError(problem, [FieldProblem(path, problem)])


def _event_data(event: dict[str, Any]) -> Any:
    if "data_base64" in event:
        return strict_json.loads(_base64(event["data_base64"], "data_base64"))
    return event.get("data")


def _push_body(body: Any, prefix: str) -> Delivery:
    if not isinstance(body, dict) or not isinstance(body.get("message"), dict):
        problem = "a Pub/Sub push body is an object with message and subscription"
        raise NotADeliveryError.at(
            "message", f"{problem} (not the bare data that a subscription with unwrapping sends)"
        )
    message, subscription = body["message"], body.get("subscription")
    message_id = message.get("messageId", message.get("message_id"))
    attributes = message.get("attributes") or {}
    if not isinstance(subscription, str) or not subscription:
        raise NotADeliveryError.at("subscription", "the name of the subscription is missing")
    if not isinstance(message_id, str) or not message_id:
        raise NotADeliveryError.at("message.messageId", "the message's id is missing")
    if not isinstance(attributes, dict) or not all(isinstance(value, str) for value in attributes.values()):
        raise NotADeliveryError.at("message.attributes", "attributes are an object of strings")
    if not attributes and not message.get("data"):
        # Pub/Sub takes no message that has neither, so this was not sent by it.
        raise NotADeliveryError.at("message.data", "the message has no data")
    attempt = body.get("deliveryAttempt")
    return Delivery(
        subscription=short_name(subscription, prefix),
        message_id=message_id,
        data=_base64(message.get("data") or "", "message.data"),
        attributes=attributes,
        attempt=attempt if isinstance(attempt, int) and not isinstance(attempt, bool) else 0,
        published_at=_published_at(message.get("publishTime", message.get("publish_time"))),
    )


def _base64(text: object, path: str) -> bytes:
    try:
        if not isinstance(text, str):
            raise ValueError("it is not a string")
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error) as error:
        raise NotADeliveryError.at(path, f"this is not base64: {error}") from None


class Receiver:
    """Takes envelopes from deliveries and from `/tasks`, runs the handler, publishes what it gives.

    Args:
        function: name of the function, for ids and logs.
        expects: schemas that are handled.
        handler: what to do with an envelope.
        publisher: where outputs and dead letters go.
        idempotency: records of handled deliveries; none where a rerun gives the same outputs.
        coerce: see Coerce.
        decode: see Decode; JSON only by default. A message's media type is its attribute `content_type`.
        unrecorded: schemas of which none is kept, since handling one again changes nothing and publishes nothing.
        max_message_bytes: longer data is dead-lettered unread.
    """

    def __init__(
        self,
        *,
        function: str,
        expects: tuple[str, ...],
        handler: Handler,
        publisher: Publisher,
        idempotency: Idempotency | None,
        max_message_bytes: int,
        coerce: Coerce | None = None,
        decode: Decode | None = None,
        unrecorded: tuple[str, ...] = (),
    ) -> None:
        self.decode = decode
        self._unrecorded = unrecorded
        self._function = function
        self._expects = expects
        self._handler = handler
        self._publisher = publisher
        self._idempotency = idempotency
        self._max_message_bytes = max_message_bytes
        self._coerce = coerce

    async def deliver(self, delivery: Delivery) -> None:
        """Handle a delivery; when this returns it is to be acknowledged. Raises TransientError and other 503s."""
        token = _current.set(delivery)
        try:
            observability.note_envelope(None, _trace_of(delivery.attributes))
            with observability.span("deliver", entry=True, subscription=delivery.subscription):
                await self._take(delivery)
        finally:
            _current.reset(token)

    async def _take(self, delivery: Delivery) -> None:
        meant_for = delivery.attributes.get(REPLAYED_FOR, delivery.subscription)
        if meant_for != delivery.subscription and topic_of(meant_for) == topic_of(delivery.subscription):
            logger.info("message %s is replayed for another subscription", delivery.message_id)
            return
        try:
            raw = self._decode(delivery)
            session = delivery.attributes.get("session_id")
            envelopes = self.parse(raw, session)
            await self._once(delivery, in_session(raw, session), envelopes)
        except ShapeError as error:
            await self._dead_letter(delivery, error)

    def parse(self, raw: Any, session: str | None = None) -> list[Envelope[Any]]:
        """The envelopes in decoded JSON; what names no session itself belongs to `session`. Raises ShapeError."""
        from verifleet.envelopes import parse_envelope

        if self._coerce is None:
            return [parse_envelope(raw, self._expects)]
        envelopes = []
        for index, item in enumerate(self._coerce(raw, session)):
            try:
                envelopes.append(parse_envelope(item, self._expects))
            except ShapeError as error:
                raise error.within(str(index)) if isinstance(raw, list) else error from None
        if not envelopes:
            raise ShapeError("there is nothing to handle: the list is empty")
        return envelopes

    async def handle(self, envelopes: Sequence[Envelope[Any]], fallback_cause: str) -> list[Output]:
        """Run the handler on all envelopes, publish all outputs in their order, return them once they are acknowledged.

        Args:
            envelopes: what to handle.
            fallback_cause: names the outputs of an envelope that has no envelope_id (with its index, if several).
        """
        if len(envelopes) == 1:
            outputs = await self._handle_one(envelopes[0], fallback_cause)
        else:
            few = asyncio.Semaphore(AT_ONCE)

            async def handle(index: int, envelope: Envelope[Any]) -> list[Output]:
                async with few:
                    return await self._handle_one(envelope, f"{fallback_cause}/{index}")

            handled = await asyncio.gather(*(handle(*item) for item in enumerate(envelopes)), return_exceptions=True)
            for failure in handled:
                if isinstance(failure, BaseException):
                    raise failure
            outputs = [output for made in handled if not isinstance(made, BaseException) for output in made]
        await self._publish(outputs)
        return outputs

    async def _handle_one(self, envelope: Envelope[Any], fallback_cause: str) -> list[Output]:
        trace = envelope.metadata.trace if envelope.metadata else None
        observability.note_envelope(envelope.session_id, trace, _caller(envelope))
        cause = envelope.envelope_id or fallback_cause
        began_at = _began_at(envelope)
        with observability.span("handle", schema=envelope.schema_):
            return [self._stamped(output, began_at) for output in await self._handler(envelope, cause=cause)]

    def _stamped(self, output: Output, began_at: datetime) -> Output:
        """The output with its request's trace and caller, and with when its chain began where the chain goes on."""
        metadata = output.envelope.metadata
        assert metadata is not None
        added: dict[str, Any] = {}
        if metadata.trace is None and (trace := observability.traceparent()) is not None:
            added["trace"] = trace
        if metadata.caller is None and (caller := observability.caller()) is not None:
            added["caller"] = caller
        if (self._function, output.topic) not in FINAL:
            added["began_at"] = began_at
        if not added:
            return replace(output, began_at=began_at)
        stamped = output.envelope.model_copy(update={"metadata": metadata.model_copy(update=added)})
        return replace(output, envelope=stamped, began_at=began_at)

    async def _publish(self, outputs: Sequence[Output]) -> None:
        sending = [self._publish_one(output.topic, output) for output in outputs if output.topic]
        for failure in await asyncio.gather(*sending, return_exceptions=True):
            if failure is not None:
                raise failure

    async def _publish_one(self, topic: str, output: Output) -> None:
        with observability.tool("publish", topic=topic) as call:
            await self._send(topic, output)
            call.fields["envelope_id"] = output.envelope.envelope_id
            took = FINAL.get((self._function, topic))
            if took is not None and output.began_at is not None:
                call.fields[took] = round((datetime.now(UTC) - output.began_at).total_seconds(), 3)

    async def _send(self, topic: str, output: Output) -> None:
        if not output.attributes:
            await self._publisher.publish(topic, output.envelope)
            return
        from verifleet.envelopes import message_attributes

        attributes = message_attributes(output.envelope) | dict(output.attributes)
        await self._publisher.publish_raw(topic, output.envelope.encode(), attributes)

    def _decode(self, delivery: Delivery) -> Any:
        if not delivery.data:
            raise ShapeError("the message has no data", [FieldProblem("message.data", "is empty")])
        if len(delivery.data) > self._max_message_bytes:
            problem = f"is larger than {self._max_message_bytes} bytes"
            raise ShapeError(f"the message {problem}", [FieldProblem("message.data", problem)])
        if self.decode is not None:
            return self.decode(delivery.data, delivery.attributes.get("content_type", ""))
        return strict_json.loads(delivery.data)

    async def _once(self, delivery: Delivery, raw: Any, envelopes: Sequence[Envelope[Any]]) -> None:
        if self._idempotency is None or all(envelope.schema_ in self._unrecorded for envelope in envelopes):
            await self.handle(envelopes, delivery.message_id)
            return
        attempt = await self._idempotency.start(f"{delivery.subscription}/{content_digest(raw)}")
        if attempt.state == "busy":
            raise BusyError(f"message {delivery.message_id} is being handled already")
        if attempt.state == "done":
            logger.info("message %s was handled before", delivery.message_id)
            return
        try:
            await self.handle(envelopes, delivery.message_id)
        except BaseException:
            # Also when cancelled: whoever gets the message next need not wait for the lease to end.
            await self._idempotency.abandon(attempt)
            raise
        await self._idempotency.complete(attempt)

    async def _dead_letter(self, delivery: Delivery, error: ShapeError) -> None:
        why = {
            "reason": error.message,
            "path": ", ".join(problem.path for problem in error.fields) or "(body)",
            "origin": f"{delivery.subscription}/{self._function}/{delivery.message_id}",
        }
        # The reason may quote what was sent: it is in the dead letter, and not in the logs.
        logger.warning("message %s is dead-lettered: %s at %s", delivery.message_id, error.code, why["path"][:300])
        try:
            await self._publisher.publish_raw(DEAD_LETTERS, delivery.data, {**why, **_kept(delivery.attributes, why)})
        except UnpublishableError as unpublishable:
            # As long as a message may be: Pub/Sub itself puts it there whole, after its last attempt.
            raise TransientError(f"with its reason {unpublishable.message}") from unpublishable


def in_session(raw: Any, session: str | None) -> Any:
    """What tells one input from another: a bare text sent to two sessions is two inputs; an envelope names its own."""
    return raw if session is None or (isinstance(raw, dict) and "schema" in raw) else {session: raw}


def content_digest(raw: Any) -> str:
    """A hash of decoded JSON without its trace, which differs from one delivery attempt to the next."""
    if isinstance(raw, dict) and isinstance(raw.get("metadata"), dict):
        raw = {**raw, "metadata": {key: value for key, value in raw["metadata"].items() if key != "trace"}}
    return hashlib.sha256(_SORTED.encode(raw).encode("ascii")).hexdigest()


def _trace_of(attributes: Mapping[str, str]) -> str | None:
    """Ours, else that of a Pub/Sub client which traces by itself."""
    return attributes.get("traceparent") or attributes.get("googclient_traceparent")


def _kept(attributes: Mapping[str, str], why: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in attributes.items() if key not in why}


def _caller(envelope: Envelope[Any]) -> str | None:
    """Who sent what this envelope goes back to; None for who calls by HTTP, whom the edge has named.

    Pub/Sub does not say who published, so of what comes from outside nobody knows more than its session.
    """
    if current_delivery() is None:
        return None
    if envelope.schema_ not in FROM_OUTSIDE and envelope.metadata is not None and envelope.metadata.caller:
        return envelope.metadata.caller
    return f"{observability.SESSION}{envelope.session_id}"


def _began_at(envelope: Envelope[Any]) -> datetime:
    """When what this envelope goes back to reached the fleet; what comes from outside began with its arrival."""
    if (
        envelope.schema_ not in FROM_OUTSIDE
        and envelope.metadata is not None
        and envelope.metadata.began_at is not None
    ):
        return envelope.metadata.began_at
    delivery = current_delivery()
    return (delivery.published_at if delivery is not None else None) or datetime.now(UTC)


def _published_at(given: object) -> datetime | None:
    try:
        return read_instant(given) if isinstance(given, str) else None
    except (ValueError, OverflowError):
        return None
