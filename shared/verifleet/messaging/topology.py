"""Every topic and subscription of the fleet, as data: the local fleet creates them, infra/ declares the same.

Code calls them by their short names. Where several installations share a project each has a prefix (VERIFLEET_PREFIX),
which the functions here put before a name on its way out and take away on its way in.

A push subscription delivers to the function named by `push_to`; the others are pulled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

FunctionName = Literal[
    "ingest_agent",
    "verifier_agent",
    "summarizer_agent",
    "math_verifier",
    "code_verifier",
    "knowledge_verifier",
    "format_verifier",
]
FUNCTIONS: tuple[FunctionName, ...] = (
    "ingest_agent",
    "verifier_agent",
    "summarizer_agent",
    "math_verifier",
    "code_verifier",
    "knowledge_verifier",
    "format_verifier",
)

GEMINI_FUNCTIONS: tuple[FunctionName, ...] = ("verifier_agent", "summarizer_agent", "knowledge_verifier")
"""The functions that may ask Gemini; no other is given its key."""

RAW_EVENTS = "raw-events"
EVENTS = "events"
VERIFIED_EVENTS = "verified-events"
INCIDENT_BRIEFS = "incident-briefs"
INCIDENT_ACTS = "incident-acts"
"""What people decide on incidents and claims."""
VERIFICATION_REQUESTS = "verification-requests"
CODE_EXECUTIONS = "code-executions"
CODE_EXECUTIONS_BULK = "code-executions-bulk"
"""What is beyond its caller's share (`serving/shares.py`); runners work on both at the same time."""
CODE_RESULTS = "code-results"
"""From the runner to code_verifier. In the cloud only the runner's account may publish here."""
VERIFICATION_RESULTS = "verification-results"
DEAD_LETTERS = "dead-letters"

TOPICS: tuple[str, ...] = (
    RAW_EVENTS,
    EVENTS,
    VERIFIED_EVENTS,
    INCIDENT_BRIEFS,
    INCIDENT_ACTS,
    VERIFICATION_REQUESTS,
    CODE_EXECUTIONS,
    CODE_EXECUTIONS_BULK,
    CODE_RESULTS,
    VERIFICATION_RESULTS,
    DEAD_LETTERS,
)

UNROUTABLE = f"{VERIFICATION_REQUESTS}.unroutable"
WATCHDOG = f"{CODE_EXECUTIONS}.watchdog"
RUNNER = f"{CODE_EXECUTIONS}.code_runner"
WATCHDOG_BULK = f"{CODE_EXECUTIONS_BULK}.watchdog"
RUNNER_BULK = f"{CODE_EXECUTIONS_BULK}.code_runner"
RUNNER_RESULTS = f"{CODE_RESULTS}.code_verifier"
BRIEFS_TO_ALERT = f"{INCIDENT_BRIEFS}.summarizer_agent"
"""Briefs that owe alerts come back to the function that made them, which sends these."""
OWES_ALERTS = {"alerts": "owed"}
"""The attributes of such a brief's message."""

REPLAYED_FOR = "replayed_for"
"""The attribute of a replayed dead letter that names the subscription it was refused on, where a topic has several."""

MAX_DELIVERY_ATTEMPTS = 20
RESULTS_BACKOFF_S = 0.5
WATCHDOG_BACKOFF_S = (1.0, 60.0)
# Without importing verifleet.verification, whose models would weigh on the start of whoever needs a topic's name.
_VERIFIERS = tuple(name.removesuffix("_verifier") for name in FUNCTIONS if name.endswith("_verifier"))
RETIRED_SUBSCRIPTIONS: tuple[str, ...] = (f"{VERIFICATION_RESULTS}.code_verifier",)
"""Subscriptions of earlier versions: a broker that was used before still has them, and would deliver to them."""


def topic_path(project: str, topic: str, prefix: str = "") -> str:
    """The full name of a topic."""
    return f"projects/{project}/topics/{prefix}{topic}"


def subscription_path(project: str, subscription: str, prefix: str = "") -> str:
    """The full name of a subscription."""
    return f"projects/{project}/subscriptions/{prefix}{subscription}"


def short_name(path: str, prefix: str = "") -> str:
    """The name of a topic or subscription as code knows it, of a full name or one that is short already."""
    return path.rsplit("/", 1)[-1].removeprefix(prefix)


def cloud_name(name: str, prefix: str) -> str:
    """What a function or job is called in Google Cloud: with hyphens, after the installation's prefix."""
    return f"{prefix}{name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Subscription:
    """One subscription: its full name is `<topic>.<who>`."""

    topic: str
    who: str
    push_to: FunctionName | None = None
    filter: str = ""
    dead_letters: bool = True

    @property
    def name(self) -> str:
        """The subscription's id in Pub/Sub."""
        return f"{self.topic}.{self.who}"


@dataclass(frozen=True, slots=True)
class Timing:
    """Redelivery of a place: back-off from and to, ack deadline; all in seconds."""

    min_backoff_s: float
    max_backoff_s: float
    ack_deadline_s: int

    def total_backoff_s(self, attempts: int = MAX_DELIVERY_ATTEMPTS) -> float:
        """How long a message is retried in all, with exponential back-off between `attempts` deliveries."""
        return sum(min(self.max_backoff_s, self.min_backoff_s * 2.0**n) for n in range(attempts - 1))


def timing_of(subscription: str, place: Timing) -> Timing:
    """How a subscription's messages are delivered again at a place.

    Results of programs, which somebody waits for, come again at once. The watchdogs' are told "not yet" until there is
    a result: they are no sooner and in all longer about it than a program may take.
    """
    if subscription == RUNNER_RESULTS:
        return replace(place, min_backoff_s=min(place.min_backoff_s, RESULTS_BACKOFF_S))
    if subscription in (WATCHDOG, WATCHDOG_BULK):
        first, most = WATCHDOG_BACKOFF_S
        return replace(
            place, min_backoff_s=max(place.min_backoff_s, first), max_backoff_s=max(place.max_backoff_s, most)
        )
    return place


CLOUD_TIMING = Timing(10.0, 600.0, 120)
LOCAL_TIMING = Timing(0.1, 20.0, 30)


def _is(verifier: str) -> str:
    return f'attributes.verifier = "{verifier}"'


SUBSCRIPTIONS: tuple[Subscription, ...] = (
    Subscription(RAW_EVENTS, "ingest_agent", "ingest_agent"),
    Subscription(EVENTS, "verifier_agent", "verifier_agent"),
    Subscription(VERIFIED_EVENTS, "summarizer_agent", "summarizer_agent"),
    Subscription(VERIFIED_EVENTS, "archive", dead_letters=False),
    Subscription(INCIDENT_BRIEFS, "summarizer_agent", "summarizer_agent", 'attributes.alerts = "owed"'),
    Subscription(INCIDENT_BRIEFS, "archive", dead_letters=False),
    Subscription(INCIDENT_ACTS, "summarizer_agent", "summarizer_agent"),
    Subscription(INCIDENT_ACTS, "verifier_agent", "verifier_agent"),
    Subscription(INCIDENT_ACTS, "archive", dead_letters=False),
    Subscription(VERIFICATION_REQUESTS, "math_verifier", "math_verifier", _is("math")),
    Subscription(VERIFICATION_REQUESTS, "code_verifier", "code_verifier", _is("code")),
    Subscription(VERIFICATION_REQUESTS, "knowledge_verifier", "knowledge_verifier", _is("knowledge")),
    Subscription(VERIFICATION_REQUESTS, "format_verifier", "format_verifier", _is("format")),
    # No verifier answers for these; the format verifier, the lightest function, puts them into dead-letters.
    Subscription(VERIFICATION_REQUESTS, "unroutable", "format_verifier", f"NOT ({' OR '.join(map(_is, _VERIFIERS))})"),
    Subscription(CODE_EXECUTIONS, "code_runner"),
    Subscription(CODE_EXECUTIONS, "watchdog", "code_verifier"),
    Subscription(CODE_EXECUTIONS_BULK, "code_runner"),
    Subscription(CODE_EXECUTIONS_BULK, "watchdog", "code_verifier"),
    Subscription(CODE_RESULTS, "code_verifier", "code_verifier"),
    Subscription(VERIFICATION_RESULTS, "archive", dead_letters=False),
    Subscription(DEAD_LETTERS, "archive", dead_letters=False),
)


def topic_of(subscription: str) -> str | None:
    """The topic of one of SUBSCRIPTIONS, by its name; None for any other name."""
    return next((one.topic for one in SUBSCRIPTIONS if one.name == subscription), None)


def shares_its_topic(subscription: str) -> bool:
    """Whether several functions are pushed each message of the topic that this subscription is of."""
    topic = topic_of(subscription)
    handled = [one for one in SUBSCRIPTIONS if one.topic == topic and one.dead_letters]
    return len(handled) > 1 and all(one.push_to and not one.filter for one in handled)
