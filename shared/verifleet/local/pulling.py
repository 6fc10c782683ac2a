"""One look into a subscription, through the ordinary Pub/Sub client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pulled(subscriber: Any, subscription: str, most: int, wait_s: float = 1.0) -> Sequence[Any]:
    """Up to `most` received messages, as soon as there are any; none when none comes within `wait_s` seconds."""
    from google.api_core.exceptions import DeadlineExceeded

    try:
        answer = subscriber.pull(subscription=subscription, max_messages=most, timeout=wait_s)
    except DeadlineExceeded:
        return ()
    received: Sequence[Any] = answer.received_messages
    return received
