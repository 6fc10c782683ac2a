"""Two incidents made of one are the same on every store, whatever comes in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_store_contract import firestore_opener, sqlite_opener
from tests.unit.facts import count, says
from tests.unit.reports import NOW
from verifleet.agents import briefs
from verifleet.envelopes import IncidentActData, IncidentBriefData, VerifiedEventData, make_envelope
from verifleet.errors import ConflictError
from verifleet.serving.desk.kept import ACCOUNTS, Desk
from verifleet.serving.desk.parting import BRIEFS, known_state
from verifleet.serving.incidents import Found, Incidents, Keep, id_of
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.storage.store import Store


@pytest.fixture(params=["sqlite", "firestore"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return sqlite_opener(tmp_path)
    request.getfixturevalue("firestore_emulator")
    return firestore_opener(tmp_path)


class Officer:
    """The summarizer agent of one store, and somebody who decides."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.agent = SummarizerAgent(store)
        self.acts = 0

    async def send(self, *told: VerifiedEventData) -> list[IncidentBriefData]:
        made = []
        for data in told:
            envelope = make_envelope(
                "verified_event_v1", data, session_id="s", source_agent="verifier_agent", timestamp=NOW, cause="c"
            )
            outputs = await self.agent(envelope, cause=f"{data.event_id}:{data.revision}")
            made += [output.envelope.data for output in outputs]
        return made

    async def decide(self, kind: str, **told: Any) -> dict[str, IncidentBriefData]:
        """The briefs that come of an act, by incident."""
        self.acts += 1
        at = datetime.now(UTC)
        act = {"act_id": f"a{self.acts}", "kind": kind, "reason": "seen", "by": "Ana", "at": at, **told}
        data = IncidentActData.model_validate(act)
        envelope = make_envelope(
            "incident_act_v1", data, session_id="s", source_agent="desk", timestamp=at, cause=data.act_id
        )
        outputs = await self.agent(envelope, cause=data.act_id)
        return {
            one.data.incident_id: one.data
            for output in outputs
            if isinstance((one := output.envelope).data, IncidentBriefData)
        }

    async def state(self, incident_id: str) -> briefs.State:
        document = await self.store.get(BRIEFS, id_of("s", incident_id))
        assert document
        return known_state(incident_id, document, NOW)


def running(store: Callable[[], Store], scenario: Callable[[Officer], Any]) -> None:
    async def main() -> None:
        opened = store()
        try:
            await scenario(Officer(opened))
        finally:
            await opened.close()

    asyncio.run(main())


def tells(figure: int, attribute: str = "injured", **fields: Any) -> VerifiedEventData:
    text = f"{figure} {attribute} after the storm"
    return says(
        text, count(figure, attribute), by=f"b{figure}", minutes=figure, guidance=[f"Call 0800 {figure}"], **fields
    )


def told_by(state: briefs.State) -> briefs.State:
    """A state without what its history left in it."""
    return replace(
        state,
        incident_id="",
        created_at=0,
        updated_at=0,
        revision=0,
        counted=0,
        told={},
        changes=(),
        causes=(),
        size=0,
        given=(),
    )


def test_a_brief_made_anew_of_its_reports_is_as_if_the_others_had_never_come(store: Callable[[], Store]) -> None:
    async def scenario(officer: Officer) -> None:
        staying, leaving = [tells(n) for n in (2, 3, 4)], [tells(n, "missing") for n in (31, 32)]
        brief = (await officer.send(staying[0], leaving[0], staying[1], leaving[1], staying[2]))[-1]
        ids = [one.event_id for one in leaving]
        made = await officer.decide("split", incident_id=brief.incident_id, reports=ids, expects=0)
        assert [one.reports for one in made.values()] == [3, 2]
        (other,) = made.keys() - {brief.incident_id}
        for incident_id, told in ((brief.incident_id, staying), (other, leaving)):
            fresh = briefs.new(incident_id, told[0], NOW)
            for one in told:
                fresh = briefs.with_event(fresh, one, "storm", NOW) or fresh
            assert told_by(await officer.state(incident_id)) == told_by(fresh)
        # No report makes the two one again, and what is new of them goes where each is.
        again = [one.model_copy(update={"revision": 2}) for one in (staying[0], leaving[0])]
        assert [one.incident_id for one in await officer.send(*again)] == [brief.incident_id, other]

    running(store, scenario)


def test_a_report_that_comes_while_an_incident_is_parted_is_in_one_of_both(
    store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(officer: Officer) -> None:
        told = [tells(n) for n in range(2, 6)]
        brief = (await officer.send(*told))[-1]
        late = [tells(40), told[3].model_copy(update={"revision": 2})]
        look = Desk.accounts

        async def looked(desk: Desk, session: str, event_ids: Any) -> Any:
            found = await look(desk, session, event_ids)
            if late and officer.acts and len(event_ids) < len(told):
                coming, late[:] = late[:], []
                monkeypatch.setattr(Incidents, "of", stale)
                await officer.send(*coming)
                monkeypatch.setattr(Incidents, "of", of)
            return found

        async def stale(incidents: Incidents, session: str, verified: VerifiedEventData, keep: Keep) -> Found:
            await of(incidents, session, verified, keep)
            await keep(brief.incident_id)
            return Found(brief.incident_id)  # as it was before the act

        of = Incidents.of
        monkeypatch.setattr(Desk, "accounts", looked)
        leaving = [told[3].event_id]
        made = await officer.decide("split", incident_id=brief.incident_id, reports=leaving, expects=0)
        assert not late
        assert {id: one.reports for id, one in made.items()}[brief.incident_id] == 4
        (other,) = made.keys() - {brief.incident_id}
        old, new = await officer.state(brief.incident_id), await officer.state(other)
        assert set(old.seen) == {one.event_id for one in told[:3]} | {tells(40).event_id}
        assert {id: revision for id, (revision, _) in new.seen.items()} == {leaving[0]: 2}

    running(store, scenario)


def test_a_report_that_was_on_its_way_goes_where_it_belongs_now(
    store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(officer: Officer) -> None:
        told = [tells(n) for n in range(2, 5)]
        brief = (await officer.send(*told))[-1]
        leaving = [told[0].event_id]
        made = await officer.decide("split", incident_id=brief.incident_id, reports=leaving, expects=0)
        (other,) = made.keys() - {brief.incident_id}
        of = Incidents.of

        async def stale(incidents: Incidents, session: str, verified: VerifiedEventData, keep: Keep) -> Found:
            await keep(brief.incident_id)
            monkeypatch.setattr(Incidents, "of", of)
            return Found(brief.incident_id)

        monkeypatch.setattr(Incidents, "of", stale)
        (after,) = await officer.send(told[0].model_copy(update={"revision": 2}))
        assert after.incident_id == other
        assert leaving[0] not in (await officer.state(brief.incident_id)).seen

    running(store, scenario)


def test_what_is_no_longer_kept_whole_is_not_taken_apart(store: Callable[[], Store]) -> None:
    async def scenario(officer: Officer) -> None:
        told = [tells(n) for n in range(2, 5)]
        brief = (await officer.send(*told))[-1]
        await officer.store.delete(ACCOUNTS, id_of("s", told[1].event_id))
        with pytest.raises(ConflictError, match="has 3 reports, and 2 of them are kept"):
            await officer.decide("split", incident_id=brief.incident_id, reports=[told[0].event_id], expects=0)
        assert len((await officer.state(brief.incident_id)).seen) == 3

    running(store, scenario)
