"""`verifleet smoke`: after a deploy, one report and one answer to each verifier through the real topics."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from verifleet.commands.publish import attributes_of, wrap
from verifleet.errors import TransientError
from verifleet.local.pubsub import pubsub
from verifleet.local.pulling import pulled
from verifleet.local.samples import load
from verifleet.messaging.topology import (
    INCIDENT_BRIEFS,
    RAW_EVENTS,
    VERIFICATION_REQUESTS,
    VERIFICATION_RESULTS,
    subscription_path,
    topic_path,
)
from verifleet.settings import settings

REPORT = {
    "source": "emergency",
    "content": "Smoke test: fire at the old mill on Canal Street in Leeds, three people injured",
    "location": "Leeds",
}


def run_smoke(project: str | None, port_offset: int, timeout_s: float) -> list[str]:
    """Publish and wait for a brief and four results; a line for each that came. Raises TransientError for what did not.

    Args:
        project: Google Cloud project; None for the local fleet.
        port_offset: of the local fleet.
        timeout_s: for all of it; a cold code runner takes a while.
    """
    session, prefix = str(uuid.uuid4()), settings().prefix
    with pubsub(project, port_offset) as (chosen, publisher, subscriber):
        inboxes: dict[str, str] = {}
        try:
            for topic in (INCIDENT_BRIEFS, VERIFICATION_RESULTS):
                inbox = subscription_path(chosen, f"smoke-{topic}-{session[:8]}", prefix)
                subscriber.create_subscription(
                    request={
                        "name": inbox,
                        "topic": topic_path(chosen, topic, prefix),
                        "filter": f'attributes.session_id = "{session}"',
                        "expiration_policy": {"ttl": {"seconds": 24 * 3600}},
                    }
                )
                inboxes[topic] = inbox
            wanted = {"brief", *_publish(publisher, chosen, session)}
            return _collect(subscriber, inboxes, wanted, timeout_s)
        finally:
            for inbox in inboxes.values():
                subscriber.delete_subscription(subscription=inbox)


def _publish(publisher: Any, project: str, session: str) -> set[str]:
    envelopes = [(RAW_EVENTS, wrap(REPORT, session))]
    asked = set()
    for verifier in ("math", "code", "knowledge", "format"):
        row = next(row for row in load("requests") if row["verifier"] == verifier)
        request = {"verifier": verifier, **row["request"], "request_id": verifier}
        envelopes.append((VERIFICATION_REQUESTS, wrap(request, session)))
        asked.add(verifier)
    for topic, envelope in envelopes:
        path = topic_path(project, topic, settings().prefix)
        publisher.publish(path, json.dumps(envelope).encode(), **attributes_of(envelope)).result(timeout=30)
    return asked


def _collect(subscriber: Any, inboxes: dict[str, str], wanted: set[str], timeout_s: float) -> list[str]:
    lines = []
    missing = set(wanted)
    deadline = time.monotonic() + timeout_s
    while missing and time.monotonic() < deadline:
        for inbox in inboxes.values():
            for item in pulled(subscriber, inbox, 20, wait_s=0.5):
                subscriber.acknowledge(subscription=inbox, ack_ids=[item.ack_id])
                data = json.loads(item.message.data)["payload"]["data"]
                name = "brief" if "incident_id" in data else str(data.get("request_id"))
                if name in missing:
                    missing.discard(name)
                    lines.append(f"{name}: {data.get('summary') or data.get('score')}")
        time.sleep(0.2)
    if missing:
        raise TransientError(f"no answer within {timeout_s:g} s from: {', '.join(sorted(missing))}")
    return lines
