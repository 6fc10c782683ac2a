"""No report, and nothing that the Store holds, keeps another report from coming out."""

from __future__ import annotations

import base64
import itertools
import json
import random
import sqlite3
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import agent_app
from verifleet.serving.ingest import IngestAgent, coerce_report, decode_report
from verifleet.serving.profiles import ingest_profile, summarizer_profile, verifier_profile
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore

BEYOND = ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "1969-12-31T23:59:59Z")
FAR = ("1970-01-01T00:00:00Z", "2199-12-31T23:59:59-00:00", "2026-03-01T23:30:00-12:00")
NORMAL = (
    ("social", "ana", "62 people were injured by the storm in Porto"),
    ("news", "radio", "Sixty-two hospitalised in Porto after the storm"),
    ("emergency", "fire", "Fire Service: 62 people were injured in Porto."),
)
SCHEMAS = {"event_v1": "event", "verified_event_v1": "verified_event", "raw_event_v1": "raw_event"}
AGENTS = {"raw_event_v1": "ingest", "event_v1": "verifier", "verified_event_v1": "summarizer"}


class Fleet:
    """The three agents with their real handlers on one real store; what they publish is carried by hand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = SqliteStore(path)
        self.publisher = InMemoryPublisher()
        common: dict[str, Any] = {"settings": load_settings(), "store": self.store, "publisher": self.publisher}
        verifier = VerifierAgent(self.store)
        profile = verifier_profile(lambda: verifier, lambda _: None, "s")  # type: ignore[arg-type,return-value]
        self.agents = {
            "ingest": agent_app(
                "ingest_agent",
                profile=ingest_profile(),
                expects=("raw_event_v1",),
                handler=IngestAgent(self.store),
                coerce=coerce_report("s"),
                decode=decode_report,
                **common,
            ),
            "verifier": agent_app("verifier_agent", profile=profile, expects=("event_v1",), handler=verifier, **common),
            "summarizer": agent_app(
                "summarizer_agent",
                profile=summarizer_profile(),
                expects=("verified_event_v1",),
                handler=SummarizerAgent(self.store),
                **common,
            ),
        }
        self.clients = {name: TestClient(app, raise_server_exceptions=False) for name, app in self.agents.items()}

    def task(self, agent: str, body: Any) -> Any:
        """What an agent answers to an envelope, as a list of the envelopes it made; None when it refuses it."""
        sent = json.dumps(body).encode()
        answer = self.clients[agent].post("/tasks", content=sent, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400), (agent, answer.status_code, answer.text[:300])
        if answer.status_code == 400:
            assert answer.json()["error"]["fields"]
            return None
        result = answer.json()["payload"]["data"]["result"]
        return result if isinstance(result, list) else [result]

    def push(self, agent: str, body: Any) -> int:
        message = {"data": base64.b64encode(json.dumps(body).encode()).decode(), "messageId": uuid.uuid4().hex}
        push = {"message": {**message, "attributes": {}}, "subscription": "projects/p/subscriptions/s"}
        return self.clients[agent].post("/", json=push).status_code

    def report(self, source: str, author: str, content: str, session: str, minute: int = 0) -> list[Any]:
        """One report through all three agents; the briefs that come out of it."""
        raw = {"source": source, "content": content, "location": "Porto", "metadata": {"author": author}}
        raw["timestamp"] = f"2026-03-01T10:{minute:02}:00Z"
        (event,) = self.task("ingest", envelope("raw_event_v1", raw, session))
        briefs = [brief for verified in self.task("verifier", event) for brief in self.task("summarizer", verified)]
        assert event["payload"]["data"]["event_id"] in briefs[0]["payload"]["data"]["event_ids"]
        return briefs


def envelope(schema: str, data: dict[str, Any], session: str) -> dict[str, Any]:
    return {
        "schema": schema,
        "session_id": session,
        "timestamp": "2026-03-01T10:00:00Z",
        "source_agent": "test",
        "payload": {"type": SCHEMAS[schema], "data": data},
    }


def event_data(**changes: Any) -> dict[str, Any]:
    event = {"event_id": uuid.uuid4().hex, "source": "news", "content": "Storm in Porto: 62 people injured"}
    event |= {"location": "Porto", "event_type": "storm", "timestamp": "2026-03-01T10:00:00Z"}
    return event | changes


def verified_data(event: dict[str, Any], **changes: Any) -> dict[str, Any]:
    claim = {"text": str(event.get("content")), "source": "news", "span": [0, 12], "checkworthiness": 0.9}
    judged = {"claim": claim, "verified": True, "verdict": "supported", "confidence": 0.9}
    data = {"event_id": event["event_id"], "reliability_score": 0.9, "unverified": False, "verified_claims": [judged]}
    return data | {"verification_timestamp": "2026-03-01T10:00:00Z", "original_event": event} | changes


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    return Fleet(tmp_path_factory.mktemp("fleet") / "store.db")


@pytest.mark.parametrize("moment", BEYOND)
@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("raw_event_v1", "payload.data.timestamp"),
        ("event_v1", "payload.data.timestamp"),
        ("verified_event_v1", "payload.data.original_event.timestamp"),
        ("verified_event_v1", "payload.data.verification_timestamp"),
        ("event_v1", "timestamp"),
    ],
)
def test_a_time_beyond_what_reports_are_about_is_refused_by_name_over_http_and_dead_lettered_over_pubsub(
    fleet: Fleet, schema: str, path: str, moment: str
) -> None:
    data: dict[str, Any] = {"content": "Storm", "timestamp": "2026-03-01T10:00:00Z"}
    data = {"raw_event_v1": data, "event_v1": event_data(), "verified_event_v1": verified_data(event_data())}[schema]
    body = at = envelope(schema, data, "s")
    *steps, last = path.split(".")
    for step in steps:
        at = at[step]
    at[last] = moment
    answer = fleet.clients[AGENTS[schema]].post("/tasks", json=body)
    assert answer.status_code == 400
    (field,) = answer.json()["error"]["fields"]
    assert (field["path"], "between the years 1970 and 2199" in field["problem"]) == (path, True)
    fleet.publisher.messages.clear()
    assert fleet.push(AGENTS[schema], body) == 204
    (letter,) = fleet.publisher.to("dead-letters")
    assert letter.attributes["path"] == path


def test_an_alert_sent_in_the_year_one_is_refused_by_name(fleet: Fleet) -> None:
    alert = (
        '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A</identifier><sender>m@x.gov</sender>'
        "<sent>0001-01-01T00:00:00+14:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>"
        "<info><event>Flood</event><headline>Flooding</headline></info></alert>"
    )
    answer = fleet.clients["ingest"].post("/tasks", content=alert, headers={"content-type": "application/xml"})
    assert answer.status_code == 400
    assert answer.json()["error"]["fields"][0]["path"] == "alert.sent"


EXTREME_NUMBERS = st.sampled_from(
    [-1, 0, 2**31, 2**63, 2**64, -(2**200), 10**300, 10**1000, 1e308, -1e308, 5e-324, True]
)
EXTREME_TEXTS = st.sampled_from(
    ["", "\x00", "\ud800", "\u202e" * 50, "9" * 4000 + " people were injured in Porto", "x" * 20_000, "🔥" * 3_000]
    + [f"{n} people were injured by the storm in Porto" for n in ("1e308", "9" * 309, "9" * 400, "-0", "½", "٣٤")]
    + [
        "from 0001-01-01 to 9999-12-31, magnitude " + "9" * 320,
        "level " + "1," * 3000 + "1 m",
        "0.0000" + "0" * 400 + "1 m",
    ]
) | st.text(max_size=200)
MOMENTS = st.sampled_from([*BEYOND, *FAR, "", 0, -1, 1e300, 253402300800, -62135596800, 10**18, None, "2026-13-45"])
ANYTHING = EXTREME_NUMBERS | EXTREME_TEXTS | MOMENTS | st.none() | st.lists(EXTREME_NUMBERS, max_size=3)
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "event_id": EXTREME_TEXTS,
        "source": EXTREME_TEXTS,
        "content": EXTREME_TEXTS,
        "location": st.just("Porto") | EXTREME_TEXTS,
        "event_type": EXTREME_TEXTS,
        "timestamp": MOMENTS,
        "entities": st.lists(EXTREME_TEXTS, max_size=2),
        "metadata": st.dictionaries(
            st.sampled_from(["author", "followers", "verified", "urls", "in_reply_to", "cap", "domain", "x"]), ANYTHING
        ),
        "extra": ANYTHING,
    },
)
VERIFIED = st.fixed_dictionaries(
    {},
    optional={
        "reliability_score": EXTREME_NUMBERS,
        "revision": EXTREME_NUMBERS,
        "verification_timestamp": MOMENTS,
        "reliability_parts": st.dictionaries(EXTREME_TEXTS, ANYTHING, max_size=2),
        "unverified_reason": EXTREME_TEXTS,
        "verified_claims": st.lists(
            st.fixed_dictionaries(
                {
                    "claim": st.fixed_dictionaries(
                        {"text": EXTREME_TEXTS, "source": EXTREME_TEXTS},
                        optional={"span": st.lists(EXTREME_NUMBERS, min_size=2, max_size=2)},
                    ),
                    "verified": st.booleans(),
                    "verdict": st.sampled_from(["supported", "refuted", "conflicting", "insufficient"]),
                    "confidence": st.floats(0, 1) | EXTREME_NUMBERS,
                },
                optional={
                    "evidence": st.lists(
                        st.fixed_dictionaries(
                            {"source": EXTREME_TEXTS, "stance": st.just("refutes"), "reason": EXTREME_TEXTS},
                            optional={"observed_at": MOMENTS},
                        ),
                        max_size=2,
                    )
                },
            ),
            max_size=3,
        ),
    },
)
SESSIONS = itertools.count()


def normal_reports_come_out(fleet: Fleet, session: str) -> None:
    for minute, (source, author, content) in enumerate(NORMAL):
        assert fleet.report(source, author, content, session, minute + 2)


@example(raws=[], events=[], verified=[({"timestamp": BEYOND[0]}, {})])
@example(raws=[], events=[], verified=[({"timestamp": BEYOND[2]}, {})])
@example(raws=[], events=[{"timestamp": BEYOND[1]}, {"timestamp": BEYOND[2]}], verified=[])
@given(
    raws=st.lists(EVENTS, max_size=2),
    events=st.lists(EVENTS, max_size=2),
    verified=st.lists(st.tuples(EVENTS, VERIFIED), max_size=2),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_dates_numbers_and_texts_came_before_normal_reports_come_out(
    fleet: Fleet, raws: list[Any], events: list[Any], verified: list[Any]
) -> None:
    session = f"extreme-{next(SESSIONS)}"
    for raw in raws:
        for event in fleet.task("ingest", envelope("raw_event_v1", {"content": "Storm in Porto"} | raw, session)) or ():
            for made in fleet.task("verifier", event) or ():
                fleet.task("summarizer", made)
    for changes in events:
        for made in fleet.task("verifier", envelope("event_v1", event_data(**changes), session)) or ():
            fleet.task("summarizer", made)
    for changes, judged in verified:
        data = verified_data(event_data(**changes), **judged)
        fleet.task("summarizer", envelope("verified_event_v1", data, session))
    normal_reports_come_out(fleet, session)


ODD: list[Any] = [
    None,
    -1,
    10**400,
    1e999,
    True,
    "",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "2026-03-01T10:00:00",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"x": 1},
    [{"x": []}],
    {"": None},
    ["a", "b", "c", "d", "e"],
]


READ_BY_OTHERS = ("report", "verified", "source", "waiting", "cluster", "member", "brief", "incident", "seen", "output")


def damaged(value: Any, odd: random.Random) -> Any:
    """A stored document with something odd in the place of one of its values, at any depth."""
    if odd.random() < 0.25 or not isinstance(value, (dict, list)) or not value:
        return odd.choice(ODD)
    if isinstance(value, list):
        at = odd.randrange(len(value))
        return [damaged(item, odd) if index == at else item for index, item in enumerate(value)]
    name = odd.choice(sorted(value))
    if odd.random() < 0.25:
        return {key: item for key, item in value.items() if key != name}
    return {**value, name: damaged(value[name], odd)}


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_became_of_what_the_store_holds_normal_reports_come_out(fleet: Fleet, seed: int) -> None:
    session, odd = f"damaged-{next(SESSIONS)}", random.Random(seed)
    fleet.report("social", "ana", "9 people were injured by the storm in Porto", session)
    fleet.report("emergency", "fire", "Fire Service: 2 people were injured by the storm in Porto, not 9.", session, 1)
    with sqlite3.connect(fleet.path) as db:
        for kind in READ_BY_OTHERS:
            newest = "SELECT number, data FROM documents WHERE kind = ? ORDER BY number DESC LIMIT 4"
            for number, stored in db.execute(newest, (kind,)).fetchall():
                if odd.random() < 0.5:
                    new = json.dumps(damaged(json.loads(stored), odd))
                    db.execute("UPDATE documents SET data = ? WHERE number = ?", (new, number))
    normal_reports_come_out(fleet, session)


GROUPINGS = st.builds(
    lambda first, groups, mark, scale: first + "".join(mark + group for group in groups) + scale,
    st.sampled_from(["1", "12", "999", "0"]),
    st.lists(st.sampled_from(["000", "999", "00", "123"]), max_size=140),
    st.sampled_from([",", " ", ".", "'", "’", "\u00a0", "\u202f", "\u2009", ""]),
    st.sampled_from(["", ".5", " million", " billion billion", "k", " thousand million"]),
)


@example(number="1" + ",000" * 103, text="{} dead in Leeds")
@example(number="1 " + "000 " * 110, text="{} dead in Leeds")
@example(number="1" + ",000" * 103, text="Fire in Leeds: 3 cars and {} trucks burned, {} in all")
@example(number="0", text="Fire in Leeds: 3 cars and 5 trucks burned, {} vehicles in all")
@given(
    number=GROUPINGS,
    text=st.sampled_from(
        [
            "{} dead in Leeds",
            "5 to {} people injured in Leeds",
            "at least {} injured in Leeds",
            "Fire in Leeds: 3 cars and {} trucks burned, {} vehicles in all",
            "Storm in Leeds: {} km/h wind, water {} ft deep, ${} damage",
            "The town says 12 hurt in Leeds, I counted {}",
        ]
    ),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_report_comes_out_however_long_its_grouped_numbers_are(fleet: Fleet, number: str, text: str) -> None:
    session = f"grouped-{next(SESSIONS)}"
    assert fleet.report("social", "ana", text.replace("{}", number), session)
