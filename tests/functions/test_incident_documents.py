"""The summarizer's incidents in the store: merged, bounded, safe against faults and foreign documents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.unit.facts import count, says
from tests.unit.reports import NOW
from verifleet.envelopes import IncidentBriefData, VerifiedEventData, make_envelope
from verifleet.serving.incidents import CLUSTERS, MEMBERS, OPENINGS
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document

Send = Callable[[VerifiedEventData], Awaitable[list[IncidentBriefData]]]


def run(tmp_path: Path, scenario: Callable[[Send, SqliteStore], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        store = SqliteStore(tmp_path / "store.db")
        agent = SummarizerAgent(store)

        async def send(data: VerifiedEventData) -> list[IncidentBriefData]:
            made = make_envelope(
                "verified_event_v1", data, session_id="s", source_agent="verifier_agent", timestamp=NOW, cause="c"
            )
            return [output.envelope.data for output in await agent(made, cause=f"{data.event_id}:{data.revision}")]

        try:
            return await scenario(send, store)
        finally:
            await store.close()

    return asyncio.run(main())


def tells(text: str, minutes: float, *, location: str | None = None, **metadata: Any) -> VerifiedEventData:
    signs = {"tokens": metadata.pop("tags", []), "kinds": ["explosion"], "sure": True}
    told = {"author": f"{minutes}", "signs": signs, **metadata}
    event = {"location": location, "event_type": "explosion", "metadata": told}
    return says(text, count(minutes + 1), minutes=minutes, event=event)


def two_that_are_one() -> list[VerifiedEventData]:
    shown = [tells(f"blast in Glasgow, {m} hurt #clutha", m, location="Glasgow", tags=["clutha"]) for m in range(2, 6)]
    first = tells("blast at the plant #clutha", 0, tags=["clutha"])
    return [first, tells("blast in Glasgow", 1, location="Glasgow"), *shown]


def test_of_two_incidents_that_are_one_the_later_ends_and_nothing_it_told_is_lost(tmp_path: Path) -> None:
    async def scenario(send: Send, _: SqliteStore) -> None:
        told = two_that_are_one()
        made = [await send(data) for data in told]
        everything = [brief for briefs in made for brief in briefs]
        (last,) = {brief.incident_id: brief for brief in everything if brief.merged_into}.values()
        winner = last.merged_into
        assert last.changes == [f"merged into incident {winner}"]
        assert last.revision > made[1][0].revision
        final = [brief for brief in everything if brief.incident_id == winner][-1]
        assert set(final.event_ids) == {data.event_id for data in told}
        assert final.reports == len(told)
        assert last.incident_id in [m for brief in everything for m in brief.merged_incidents]
        # A later revision of an event of the ended incident goes where its incident went; what it made comes again.
        *before, now = await send(told[1].model_copy(update={"revision": 2}))
        assert now.incident_id == winner
        assert {(one.incident_id, one.revision < last.revision) for one in before} <= {(last.incident_id, True)}

    run(tmp_path, scenario)


def test_the_message_that_merged_two_incidents_brings_both_briefs_again(tmp_path: Path) -> None:
    async def scenario(send: Send, _: SqliteStore) -> None:
        told = two_that_are_one()
        for data in told:
            if any(brief.merged_into for brief in await send(data)):
                again = await send(data)
                assert [brief.merged_into for brief in again if brief.merged_into]
                return
        raise AssertionError("nothing was merged")

    run(tmp_path, scenario)


def test_reports_that_come_at_once_make_one_incident_with_all_of_them(tmp_path: Path) -> None:
    async def scenario(send: Send, _: SqliteStore) -> None:
        told = [tells(f"blast, {m} hurt", m, location="Glasgow", tags=["clutha"]) for m in range(20)]
        briefs = [brief for made in await asyncio.gather(*map(send, told)) for brief in made]
        assert len({brief.incident_id for brief in briefs}) == 1
        assert max(brief.reports for brief in briefs) == 20

    run(tmp_path, scenario)


def test_a_reply_is_of_the_incident_of_what_it_answers_even_without_a_place_or_kind(tmp_path: Path) -> None:
    async def scenario(send: Send, _: SqliteStore) -> None:
        (first,) = await send(tells("blast", 0, location="Glasgow", id="1234"))
        metadata = {"author": "eva", "in_reply_to": "1234"}
        event: dict[str, Any] = {"location": None, "event_type": "none", "metadata": metadata}
        (reply,) = await send(says("No, that was thunder", minutes=3, event=event))
        assert reply.incident_id == first.incident_id

    run(tmp_path, scenario)


def test_chatter_is_acknowledged_and_opens_no_incident(tmp_path: Path) -> None:
    async def scenario(send: Send, store: SqliteStore) -> None:
        chatter = tells("praying for them #clutha", 0, tags=["clutha"]).model_copy(update={"verified_claims": []})
        assert await send(chatter) == []
        assert (await send(tells("blast", 1, location="Glasgow")))[0].event_ids

    run(tmp_path, scenario)


def test_documents_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    async def scenario(send: Send, store: SqliteStore) -> None:
        first = tells("blast", 0, location="Glasgow")
        await send(first)
        poison: list[Any] = [
            {},
            {"incident_id": 7},
            {"incidents": [1]},
            {"incident_id": "x", "events": -1, "first": "0001"},
        ]
        for kind in (CLUSTERS, MEMBERS, OPENINGS):
            for id, document in await _all(store, kind):
                for data in poison:
                    await store.put(kind, id, Document(data, document.keys, document.time, document.expires_at))
                    brief = (await send(tells(f"blast {kind} {data}", 2, location="Glasgow")))[-1]
                    assert brief.event_ids

    run(tmp_path, scenario)


def test_what_is_kept_of_an_incident_stays_small(tmp_path: Path) -> None:
    async def scenario(send: Send, store: SqliteStore) -> None:
        for m in range(60):
            tags = [f"tag{m}{n}" * 20 for n in range(40)]
            await send(tells(f"blast {m}", m, location=f"Glasgow, place {m}, other {m}", tags=["clutha", *tags]))
        sizes = [len(json.dumps(document.data)) for _, document in await _all(store, CLUSTERS)]
        assert sizes
        assert max(sizes) < 20_000
        assert all(len(document.keys) < 80 for _, document in await _all(store, CLUSTERS))

    run(tmp_path, scenario)


async def _all(store: SqliteStore, kind: str) -> list[tuple[str, Document]]:
    ids = await store._ask(
        lambda db: [row[0] for row in db.execute("SELECT id FROM documents WHERE kind = ?", (kind,))], writes=False
    )
    named = [id.decode() for id in ids]
    found = await store.get_many(kind, named)
    return list(found.items())
