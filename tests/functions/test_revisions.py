"""One revision, one id, one content: whatever dies between storing and publishing, and whoever does it again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.facts import count, says
from tests.unit.reports import NOW, event
from verifleet.envelopes import Envelope, EventData, VerifiedEventData, make_envelope
from verifleet.errors import PublishError
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.delivery import Handler, Receiver
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.storage.sqlite import SqliteStore

FIRE = event("Fire Service: 62 people were injured in Porto.", "emergency", author="fire")
ANA = event("62 people injured by the storm in Porto", minutes=2, author="ana")
RUI = event("9,000 homes without power in Porto", minutes=4, author="rui")
LATE = event("Sixty-two hospitalised in Porto, radio reports", "news", minutes=6)


class Way:
    """One agent on a real store with a publisher that can be away."""

    def __init__(self, path: Path, make: Callable[[SqliteStore], Handler], schema: str) -> None:
        function = {"event_v1": "verifier_agent", "verified_event_v1": "summarizer_agent"}[schema]
        self.store = SqliteStore(path)
        self.publisher = InMemoryPublisher()
        self.handler = make(self.store)
        self.receiver = Receiver(
            function=function,
            expects=(schema,),
            handler=self.handler,
            publisher=self.publisher,
            idempotency=None,
            max_message_bytes=10**7,
        )

    async def send(self, envelope: Envelope[Any]) -> None:
        await self.receiver.handle([envelope], "m")

    async def fail(self, envelope: Envelope[Any]) -> None:
        """Handle a message up to its publishing, which fails."""
        self.publisher.failure = PublishError("the broker is away")
        with pytest.raises(PublishError):
            await self.send(envelope)
        self.publisher.failure = None

    def published(self) -> dict[tuple[str, int, int], set[tuple[str, bytes]]]:
        """Ids and bytes of what was published, by what it is a revision of, and the reports counted for it since."""
        found: dict[tuple[str, int, int], set[tuple[str, bytes]]] = {}
        for message in (*self.publisher.to("incident-briefs"), *self.publisher.to("verified-events")):
            data = json.loads(message.data)["payload"]["data"]
            count = data["reports"] if data.get("kind") == "count" else 0
            key = (data.get("incident_id") or data["event_id"], data["revision"], count)
            found.setdefault(key, set()).add((message.attributes["envelope_id"], message.data))
        return found


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scenario())  # type: ignore[arg-type]


def of(data: EventData, cause: str) -> Envelope[Any]:
    who: dict[str, Any] = {"session_id": "s", "source_agent": "ingest_agent", "timestamp": NOW}
    return make_envelope("event_v1", data, cause=cause, began_at=NOW, **who)


def told(*told_by: VerifiedEventData) -> list[Envelope[Any]]:
    """Verified events on their way to the summarizer."""
    who: dict[str, Any] = {"session_id": "s", "source_agent": "verifier_agent", "timestamp": NOW}
    return [make_envelope("verified_event_v1", one, cause=one.event_id, began_at=NOW, **who) for one in told_by]


HURT = says("62 people were injured.", count(62, "injured"), by="fire", source="emergency", verdict="supported")
DEAD = says("2 dead, we hear", count(2), by="ana", minutes=2)
HOMES = says("900 homes destroyed", count(900, "destroyed", subject="homes"), by="rui", minutes=4)


def test_a_brief_whose_publishing_failed_is_the_same_revision_when_it_is_published_by_another_message(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        way = Way(tmp_path / "s.db", SummarizerAgent, "verified_event_v1")
        first, second, third = told(HURT, DEAD, HOMES)
        await way.fail(first)
        await way.send(second)
        await way.fail(third)
        await way.send(first)
        await way.send(third)
        await way.send(second)
        published = way.published()
        assert {revision for _, revision, _ in published} == {1, 2, 3}, "none is missing"
        assert all(len(forms) == 1 for forms in published.values()), {k: len(v) for k, v in published.items()}

    run(scenario)


def test_a_brief_that_is_written_again_later_says_what_it_said_at_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        way = Way(tmp_path / "s.db", SummarizerAgent, "verified_event_v1")
        (own,) = told(HURT)
        elsewhere = says("62 hurt", count(62, "injured"), by="police", source="official", event={"location": "Faro"})
        (other,) = told(elsewhere)
        await way.send(own)
        await way.send(other)  # now there is a similar incident
        await way.send(own)
        assert all(len(forms) == 1 for forms in way.published().values())

    run(scenario)


def test_handlers_of_one_message_that_run_at_the_same_time_publish_one_content(tmp_path: Path) -> None:
    async def scenario() -> None:
        way = Way(tmp_path / "s.db", SummarizerAgent, "verified_event_v1")
        briefs = told(HURT, DEAD, HOMES)
        await asyncio.gather(*(way.send(made) for made in briefs * 4))
        assert all(len(forms) == 1 for forms in way.published().values())
        checks = Way(tmp_path / "c.db", VerifierAgent, "event_v1")
        await asyncio.gather(*(checks.send(of(data, data.event_id)) for data in (FIRE, ANA, RUI) * 4))
        assert all(len(forms) == 1 for forms in checks.published().values())

    run(scenario)


def test_a_handler_that_is_cancelled_before_it_publishes_leaves_one_content_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        way = Way(tmp_path / "s.db", SummarizerAgent, "verified_event_v1")
        first, second = told(HURT, DEAD)
        for steps in range(40):  # each time a little further on
            handling = asyncio.ensure_future(way.send(first))
            for _ in range(steps):
                await asyncio.sleep(0)
            handling.cancel()
            await asyncio.gather(handling, return_exceptions=True)
            await way.send(second)
        await way.send(first)
        published = way.published()
        assert published
        assert all(len(forms) == 1 for forms in published.values())

    run(scenario)


def test_a_verified_event_that_is_verified_again_by_the_same_message_says_what_it_said_at_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        way = Way(tmp_path / "s.db", VerifierAgent, "event_v1")
        await way.send(of(FIRE, "fire"))
        await way.send(of(ANA, "ana"))
        await way.send(of(LATE, "late"))  # further evidence, which changes no verdict
        for cause, data in (("ana", ANA), ("late", LATE), ("fire", FIRE)):
            await way.send(of(data, cause))
        published = way.published()
        assert len(published) >= 3
        assert all(len({form for _, form in forms}) == 1 for forms in published.values())

    run(scenario)
