"""Incident clustering and briefs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.facts import count, says
from tests.unit.reports import NOW, report, verify
from verifleet.envelopes import IncidentBriefData, VerifiedEventData, make_envelope
from verifleet.errors import GeminiUnavailableError
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.storage.sqlite import SqliteStore

Sender = Callable[..., Awaitable[IncidentBriefData | None]]

POLICE: dict[str, Any] = {"by": "police", "source": "official", "verdict": "supported"}
OFFICIAL = says("62 people were injured in Porto.", count(62, "injured"), minutes=9, **POLICE)
SOCIAL = says("sixty-two hurt here in Porto by the storm", count(62, "injured"), minutes=2, verdict="supported")
WRONG = says("300 injured!!", count(300, "injured"), minutes=15, by="eva", verdict="refuted", against="police")
SINGLE = says("9,000 homes without power", count(9000, "without power", subject="homes"), minutes=4, by="rui")
EVERYONE = [OFFICIAL, SOCIAL, WRONG, SINGLE]


def run(tmp_path: Path, scenario: Callable[[Sender], Awaitable[Any]], gemini: Any = None) -> Any:
    async def main() -> Any:
        store = SqliteStore(tmp_path / "store.db")
        agent = SummarizerAgent(store, gemini=gemini)

        async def send(data: VerifiedEventData, *, session: str = "s") -> IncidentBriefData | None:
            made = make_envelope(
                "verified_event_v1", data, session_id=session, source_agent="verifier_agent", timestamp=NOW, cause="c"
            )
            outputs = await agent(made, cause=f"{data.event_id}:{data.revision}")
            assert all(output.topic == "incident-briefs" for output in outputs)
            return outputs[-1].envelope.data if outputs else None

        try:
            return await scenario(send)
        finally:
            await store.close()

    return asyncio.run(main())


async def send_all(send: Sender) -> IncidentBriefData:
    for data in EVERYONE:
        brief = await send(data)
    assert brief is not None
    return brief


def test_reports_of_one_incident_make_one_brief_that_is_revised_only_when_a_fact_changes(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        briefs = [brief for data in EVERYONE if (brief := await send(data))]
        assert [(brief.kind, brief.revision, brief.reports) for brief in briefs] == [
            ("brief", 1, 1), ("count", 1, 2), ("count", 1, 3), ("brief", 2, 4),
        ]  # fmt: skip
        first, count, _, last = briefs
        assert set(last.event_ids) == {data.event_id for data in EVERYONE}
        assert (count.key_facts, count.changes) == (first.key_facts, [])
        assert "12:02 to 12:09 (all times UTC)" in count.summary
        assert count.event_ids == [OFFICIAL.event_id, SOCIAL.event_id]
        assert last.changes == ["new: 9,000 homes are without power (one report, not confirmed, 12:04 UTC)"]
        assert "has injured 62 people, according to police (12:09)" in last.summary
        assert last.location == "Porto"

    run(tmp_path, scenario)


def test_a_message_that_comes_again_brings_the_revision_and_the_count_again(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(OFFICIAL)
        count = await send(SOCIAL)
        again = await send(OFFICIAL)
        assert again == count

    run(tmp_path, scenario)


def test_a_revision_that_was_stored_and_never_published_is_told_when_its_event_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "store.db")
        agent = SummarizerAgent(store)

        async def send(data: VerifiedEventData) -> list[IncidentBriefData]:
            made = make_envelope(
                "verified_event_v1", data, session_id="s", source_agent="verifier_agent", timestamp=NOW, cause="c"
            )
            return [output.envelope.data for output in await agent(made, cause=data.event_id)]

        with monkeypatch.context() as killed:
            killed.setattr(agent, "_told", _killed)
            with pytest.raises(KeyboardInterrupt):
                await send(OFFICIAL)
        (second,) = await send(SINGLE)
        late, last = await send(OFFICIAL)
        assert (second.revision, late.revision) == (2, 1)
        assert late.changes
        assert late.changes != second.changes
        assert last == second
        assert [brief.revision for brief in await send(SINGLE)] == [2]
        await store.close()

    asyncio.run(scenario())


async def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_exercise_gets_no_brief(tmp_path: Path) -> None:
    played = report("Exercise only: 62 people were injured by the storm in Porto.", "emergency")

    async def scenario(send: Sender) -> None:
        assert await send(verify(played)) is None

    run(tmp_path, scenario)


def test_another_place_kind_session_or_month_is_another_incident(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> set[str]:
        own = OFFICIAL
        elsewhere = verify(report("Fire Service: 5 hurt in Braga.", "emergency", location="Braga"))
        kind = verify(report("Fire Service: 5 hurt in an attack in Porto.", "emergency", event_type="attack"))
        later = verify(report("Fire Service: 5 hurt in Porto.", "emergency", minutes=60 * 24 * 40))
        briefs = [await send(data) for data in (own, elsewhere, kind, later)]
        briefs.append(await send(own, session="other"))
        return {brief.incident_id for brief in briefs if brief}

    assert len(run(tmp_path, scenario)) == 5


@pytest.mark.parametrize("location", ["Avenida dos Aliados 3, Porto", "Porto, Portugal", "porto"])
def test_other_names_of_the_same_place_join_the_incident(tmp_path: Path, location: str) -> None:
    async def scenario(send: Sender) -> list[str]:
        other = verify(report("7 people trapped in the storm", location=location, minutes=30, event_type="other"))
        return [brief.incident_id for data in (OFFICIAL, other) if (brief := await send(data))]

    one, other = run(tmp_path, scenario)
    assert one == other


def test_a_revision_of_an_event_that_is_older_than_the_known_one_brings_only_what_it_brought_before(
    tmp_path: Path,
) -> None:
    async def scenario(send: Sender) -> None:
        first = await send(SINGLE)
        second = await send(SINGLE.model_copy(update={"revision": 2, "verified_claims": []}))
        assert first is not None
        assert second is not None
        assert (second.incident_id, second.revision, second.event_ids) == (first.incident_id, 2, first.event_ids)
        assert second.key_facts == []
        assert await send(SINGLE) == first
        assert await send(SINGLE.model_copy(update={"revision": 2, "verified_claims": []})) == second

    run(tmp_path, scenario)


def test_simultaneous_first_reports_make_one_incident(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> set[str]:
        briefs = await asyncio.gather(*(send(data) for data in EVERYONE))
        assert max(brief.reports for brief in briefs if brief) == 4
        return {brief.incident_id for brief in briefs if brief}

    assert len(run(tmp_path, scenario)) == 1


def test_reports_that_come_at_once_are_in_one_incident_whatever_they_call_the_place(tmp_path: Path) -> None:
    places = ["Avenida dos Aliados 3, Porto", "Porto, Portugal", "porto", "Portugal"]

    async def scenario(send: Sender) -> set[str]:
        told = [
            verify(report(f"{n + 7} people trapped in the storm", location=place, minutes=n))
            for n, place in enumerate(places)
        ]
        return {brief.incident_id for brief in await asyncio.gather(*map(send, told)) if brief}

    assert len(run(tmp_path, scenario)) == 1


def test_past_incidents_are_named_by_likeness(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> IncidentBriefData:
        await send(says("70 injured", count(70, "injured"), event={"location": "Braga"}, **POLICE))
        await send(says("1 dead", count(1), event={"location": "Faro", "event_type": "attack"}, **POLICE))
        brief = await send(OFFICIAL)
        assert brief is not None
        return brief

    similar = run(tmp_path, scenario).similar_incidents
    assert [(item["location"], item["event_type"]) for item in similar] == [("Braga", "storm")]
    assert "like figures: 70 people were injured" in similar[0]["reason"]


class _Writer:
    def __init__(self, text: str | None) -> None:
        self.text = text

    async def summarise(self, facts: dict[str, Any]) -> str:
        if self.text is None:
            raise GeminiUnavailableError("down")
        return self.text


def test_geminis_summary_is_used_within_bounds_and_only_if_its_figures_are_known(tmp_path: Path) -> None:
    assert run(tmp_path / "a", send_all, _Writer("A storm hurt 62 people. " * 100)).summary.startswith(
        "A storm hurt 62"
    )
    assert len(run(tmp_path / "b", send_all, _Writer("A storm hurt 62 people. " * 100)).summary.split()) <= 200
    extract = run(tmp_path / "c", send_all).summary
    assert run(tmp_path / "d", send_all, _Writer("4,711 people were hurt.")).summary == extract
    assert run(tmp_path / "e", send_all, _Writer(None)).summary == extract
