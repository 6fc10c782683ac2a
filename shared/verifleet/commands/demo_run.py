"""What the demo does on a running fleet: publish, ask, collect, compare."""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from verifleet.client import VerifierClient
from verifleet.commands.publish import attributes_of, wrap
from verifleet.errors import VerifleetError
from verifleet.local.local_fleet import Fleet
from verifleet.local.pulling import pulled
from verifleet.local.samples import load
from verifleet.messaging.topology import (
    DEAD_LETTERS,
    INCIDENT_BRIEFS,
    RAW_EVENTS,
    VERIFICATION_REQUESTS,
    VERIFICATION_RESULTS,
    VERIFIED_EVENTS,
    subscription_path,
    topic_path,
)
from verifleet.settings import settings

QUIET_S = 1.5
"""Revisions may follow a first result; the run ends when nothing new has come for this long."""


@dataclass(slots=True)
class ReportOutcome:
    """What became of one sample report."""

    sample: str
    expect: str
    text: str
    event: dict[str, Any] | None = None
    dead_letter: bool = False

    @property
    def what(self) -> str:
        """In one word."""
        if self.dead_letter:
            return "dead letter"
        if self.event is None:
            return "missing"
        verdicts = {claim["verdict"] for claim in self.event["verified_claims"]}
        for verdict in ("refuted", "conflicting", "supported", "outdated", "insufficient"):
            if verdict in verdicts:
                return verdict
        return "no claim"

    @property
    def right(self) -> bool:
        """Whether it is what the sample should get."""
        allowed = {
            "supported": {"supported"},
            "outdated": {"outdated"},
            "refuted": {"refuted", "conflicting"},
            "insufficient": {"insufficient", "no claim"},
            "no_claim": {"no claim"},
            "no_claim_or_insufficient": {"no claim", "insufficient"},
            "duplicate": {"supported", "outdated", "insufficient"},
            "dead_letter": {"dead letter"},
        }
        return self.what in allowed[self.expect]

    @property
    def mark(self) -> str:
        """For the table."""
        return "✓" if self.right else "✗"


@dataclass(slots=True)
class ScoreOutcome:
    """What one sample request got."""

    sample: str
    via: str
    expect: dict[str, Any]
    result: dict[str, Any] | None = None

    @property
    def right(self) -> bool:
        """Whether it is what the sample should get."""
        if self.result is None:
            return False
        if self.expect["verdict"] == "error":
            return bool(self.result["status"] == "error")
        score = self.result["score"]
        return score is not None and abs(score - self.expect["score"]) < 1e-9

    @property
    def mark(self) -> str:
        """For the table."""
        return "✓" if self.right else "✗"


@dataclass(slots=True)
class DemoOutcome:
    """Everything that came out."""

    reports: list[ReportOutcome]
    scores: list[ScoreOutcome]
    briefs: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    incidents: int = 0
    seconds: float = 0.0

    @property
    def checked(self) -> int:
        """How many samples there are."""
        return len(self.reports) + len(self.scores) + 1

    def wrong(self) -> list[str]:
        """What is not as it should be, a sentence each."""
        lines = [f"{r.sample} should be {r.expect} and is {r.what}: {r.text}" for r in self.reports if not r.right]
        for score in self.scores:
            if not score.right:
                got = "no answer" if score.result is None else f"{score.result['score']} ({score.result['reason']})"
                lines.append(f"{score.sample} should score {score.expect['score']} and got {got}")
        if len(self.briefs) != self.incidents:
            lines.append(f"there should be {self.incidents} incident briefs and there are {len(self.briefs)}")
        return lines


class DemoRun:
    """One run on a fleet that is up."""

    def __init__(self, fleet: Fleet, publisher: Any, subscriber: Any) -> None:
        self._fleet = fleet
        self._publisher = publisher
        self._subscriber = subscriber
        self._session = str(uuid.uuid4())
        self._reports = {
            row["sample"]: ReportOutcome(row["sample"], row["expect"], _text(row)) for row in load("reports")
        }
        self._scores = {
            row["sample"]: ScoreOutcome(row["sample"], row["via"], row["expect"]) for row in load("requests")
        }
        self._events: dict[str, dict[str, Any]] = {}
        self._sample_events: dict[str, str] = {}
        self._briefs: dict[str, dict[str, Any]] = {}
        self._last_news = time.monotonic()
        self._notes: list[str] = []

    def run(self, timeout_s: float, progress: Callable[[str], None]) -> DemoOutcome:
        """Publish everything, ask everything, collect until all is there and quiet."""
        started = time.monotonic()
        self._expect_what_this_machine_can()
        self._publish_reports()
        self._publish_requests()
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(self._ask, row) for row in load("requests") if row["via"] == "http"]
            while time.monotonic() - started < timeout_s:
                self._collect()
                progress(self._progress())
                if self._complete() and time.monotonic() - self._last_news > QUIET_S:
                    break
            for future in asked:
                future.result()
        return self._outcome(time.monotonic() - started)

    def _expect_what_this_machine_can(self) -> None:
        if shutil.which("node") is not None:
            return
        self._notes.append("node is not on this machine, so the JavaScript request gets an error, as it should.")
        for row in load("requests"):
            if (row["request"].get("reference") or {}).get("language") == "javascript":
                self._scores[row["sample"]].expect = {"verdict": "error", "score": None}

    def _publish(self, topic: str, data: bytes, **attributes: str) -> Any:
        return self._publisher.publish(topic_path(self._fleet.project, topic, settings().prefix), data, **attributes)

    def _publish_reports(self) -> None:
        futures = []
        for row in load("reports"):
            if "message" in row:
                futures.append(self._publish(RAW_EVENTS, row["message"].encode()))
            else:
                envelope = wrap(row["event"], self._session)
                futures.append(self._publish(RAW_EVENTS, json.dumps(envelope).encode(), **attributes_of(envelope)))
        for future in futures:
            future.result(timeout=15)

    def _publish_requests(self) -> None:
        for row in load("requests"):
            if row["via"] == "pubsub":
                envelope = wrap({"verifier": row["verifier"], **row["request"]}, self._session)
                data = json.dumps(envelope).encode()
                self._publish(VERIFICATION_REQUESTS, data, **attributes_of(envelope)).result(timeout=15)

    def _ask(self, row: dict[str, Any]) -> None:
        url = self._fleet.addresses.url(f"{row['verifier']}_verifier")
        with VerifierClient(url, timeout_s=60) as client:
            try:
                self._scores[row["sample"]].result = client.verify_json(row["request"])
                self._last_news = time.monotonic()
            except VerifleetError as error:
                self._notes.append(f"{row['sample']}: {error}")

    def _archive(self, topic: str) -> str:
        return subscription_path(self._fleet.project, f"{topic}.archive", settings().prefix)

    def _collect(self) -> None:
        for data in self._pull(self._archive(VERIFIED_EVENTS)):
            self._take_event(json.loads(data)["payload"]["data"])
        for data in self._pull(self._archive(INCIDENT_BRIEFS)):
            self._take_brief(json.loads(data)["payload"]["data"])
        for data in self._pull(self._archive(VERIFICATION_RESULTS)):
            self._take_result(json.loads(data)["payload"]["data"])
        for data in self._pull(self._archive(DEAD_LETTERS)):
            self._take_dead_letter(data.decode(errors="replace"))

    def _pull(self, subscription: str) -> list[bytes]:
        received = pulled(self._subscriber, subscription, 200, wait_s=0.5)
        if received:
            self._last_news = time.monotonic()
            self._subscriber.acknowledge(subscription=subscription, ack_ids=[item.ack_id for item in received])
        return [item.message.data for item in received]

    def _take_event(self, event: dict[str, Any]) -> None:
        known = self._events.get(event["event_id"])
        if known is None or event["revision"] >= known["revision"]:
            self._events[event["event_id"]] = event
        sample = (event["original_event"].get("metadata") or {}).get("sample")
        if sample:
            self._sample_events[sample] = event["event_id"]

    def _take_brief(self, brief: dict[str, Any]) -> None:
        known = self._briefs.get(brief["incident_id"])
        if known is None or (brief["revision"], brief["reports"]) >= (known["revision"], known["reports"]):
            self._briefs[brief["incident_id"]] = brief

    def _take_result(self, result: dict[str, Any]) -> None:
        score = self._scores.get(str(result.get("request_id")))
        if score is not None and score.via == "pubsub":
            score.result = result

    def _take_dead_letter(self, data: str) -> None:
        for row in load("reports"):
            if row.get("message") == data:
                self._reports[row["sample"]].dead_letter = True

    def _complete(self) -> bool:
        for sample, event_id in self._sample_events.items():
            if sample in self._reports:
                self._reports[sample].event = self._events[event_id]
        seen = all(report.event is not None or report.dead_letter for report in self._reports.values())
        briefed = {event_id for brief in self._briefs.values() for event_id in brief["event_ids"]}
        told = set(self._sample_events.values()) <= briefed
        return seen and told and all(score.result is not None for score in self._scores.values())

    def _progress(self) -> str:
        events = sum(1 for sample in self._sample_events if sample in self._reports)
        scores = sum(score.result is not None for score in self._scores.values())
        return f"{events} reports verified, {len(self._briefs)} briefs, {scores}/{len(self._scores)} scores"

    def _outcome(self, seconds: float) -> DemoOutcome:
        self._complete()
        incidents = {row["incident"] for row in load("reports") if row["incident"]}
        return DemoOutcome(
            reports=list(self._reports.values()),
            scores=list(self._scores.values()),
            briefs=sorted(self._briefs.values(), key=lambda brief: str(brief["location"])),
            notes=self._notes,
            incidents=len(incidents),
            seconds=seconds,
        )


def _text(row: dict[str, Any]) -> str:
    return str(row.get("message") or row["event"]["content"])
