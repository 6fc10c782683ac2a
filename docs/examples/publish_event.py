"""Publish one report to the running fleet and print the incident brief that comes back (needs google-cloud-pubsub)."""

import json
import os
import sys
import uuid
from datetime import UTC, datetime

os.environ.setdefault("PUBSUB_EMULATOR_HOST", "127.0.0.1:8085")
from google.api_core.exceptions import ServiceUnavailable
from google.cloud import pubsub_v1

project, session = os.environ.get("GOOGLE_CLOUD_PROJECT", "verifleet-local"), str(uuid.uuid4())
publisher, subscriber = pubsub_v1.PublisherClient(), pubsub_v1.SubscriberClient()
inbox = f"projects/{project}/subscriptions/brief-{session[:8]}"
try:
    subscriber.create_subscription(name=inbox, topic=f"projects/{project}/topics/incident-briefs", retry=None)
except ServiceUnavailable:
    sys.exit(f"no fleet at {os.environ['PUBSUB_EMULATOR_HOST']}; start it with `make run` or set PUBSUB_EMULATOR_HOST")
text = "Fire at the old mill on Canal Street in Leeds, three people injured"
report = {"source": "emergency", "content": text, "location": "Leeds"}
now = datetime.now(UTC).isoformat()
envelope = {"schema": "raw_event_v1", "session_id": session, "timestamp": now, "source_agent": "example"}
envelope["payload"] = {"type": "raw_event", "data": report}
publisher.publish(f"projects/{project}/topics/raw-events", json.dumps(envelope).encode()).result(timeout=10)
received = subscriber.pull(subscription=inbox, max_messages=1, timeout=30).received_messages
brief = json.loads(received[0].message.data)["payload"]["data"]
subscriber.delete_subscription(subscription=inbox)
print(brief["summary"], f"(reliability {brief['reliability_score']:.2f}, {brief['location']})")
print(f"It has a session of its own: verifleet incidents --session {session}")
