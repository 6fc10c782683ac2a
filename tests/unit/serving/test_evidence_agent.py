"""The verifier agent on a real store: memory, revision, independence of sessions, Gemini's faults."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.unit.reports import envelope, event, report
from verifleet.agents.belief.revisions import MAX_OVERTURNED, MAX_REVISED
from verifleet.agents.memory.keys import in_session
from verifleet.agents.memory.report import KeptClaim, to_json
from verifleet.envelopes import EventData, VerifiedEventData
from verifleet.errors import GeminiUnavailableError
from verifleet.gemini import GroundedEvidence
from verifleet.serving import report_memory as memory
from verifleet.serving.report_memory import ReportMemory
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.storage.sqlite import SqliteStore

Sender = Callable[..., Awaitable[list[VerifiedEventData]]]


def run(tmp_path: Path, scenario: Callable[[Sender], Awaitable[Any]], gemini: Any = None) -> Any:
    async def main() -> Any:
        store = SqliteStore(tmp_path / "store.db")
        agent = VerifierAgent(store, gemini=gemini)

        async def send(data: EventData, *, session: str = "s", cause: str = "") -> list[VerifiedEventData]:
            outputs = await agent(envelope(data, session=session), cause=cause or f"c-{data.event_id}")
            assert all(output.topic == "verified-events" for output in outputs)
            return [output.envelope.data for output in outputs]

        try:
            return await scenario(send)
        finally:
            await store.close()

    return asyncio.run(main())


SOCIAL = event("62 people injured by the storm in Porto", author="ana")
NEWS = event("Sixty-two hospitalised in Porto, radio reports", "news", minutes=5)
OFFICIAL = event("Fire Service: 62 people were injured in Porto.", "emergency", minutes=9)
WRONG = event("500 people injured in Porto!", author="eva", minutes=12)


def test_new_evidence_publishes_a_revision_of_the_earlier_event(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        first = await send(SOCIAL)
        assert [(v.event_id, v.revision, v.verified_claims[0].verdict) for v in first] == [
            (SOCIAL.event_id, 1, "insufficient")
        ]
        outputs = await send(NEWS)
        assert [(v.event_id, v.revision, v.verified_claims[0].verdict) for v in outputs] == [
            (NEWS.event_id, 1, "supported"),
            (SOCIAL.event_id, 2, "supported"),
        ]
        assert len(await send(OFFICIAL)) == 1  # it changes no verdict any more

    run(tmp_path, scenario)


def test_a_report_sent_again_with_another_text_counts_as_what_it_says_now(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(NEWS)
        assert (await send(SOCIAL))[0].verified_claims[0].verdict == "supported"
        corrected = NEWS.model_copy(update={"content": "Ninety hospitalised in Porto, radio reports"})
        await send(corrected, cause="corrected")
        late, *_ = await send(event("90 people injured by the storm in Porto", author="bo", minutes=13))
        rules = [item.rule for item in late.verified_claims[0].evidence if item.source.startswith("news")]
        assert rules == ["toll.same"]

    run(tmp_path, scenario)


def test_no_rumour_revises_an_official_report(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(OFFICIAL)
        (rumour,) = await send(event("I heard 500 people were injured in Porto", author="eva", minutes=12))
        assert rumour.verified_claims[0].verdict == "refuted"

    run(tmp_path, scenario)


def test_a_later_figure_outdates_an_official_one_and_a_later_official_one_bears_it_out(tmp_path: Path) -> None:
    papers = [
        event("90 people injured in Porto", "news", minutes=20),
        event("Clinic says ninety people were hurt by the storm in Porto", "news", minutes=21),
    ]
    update = event("Fire Service: 90 people are injured in Porto now.", "emergency", minutes=30, author="fire")
    first = OFFICIAL.model_copy(update={"metadata": update.metadata})

    async def scenario(send: Sender) -> None:
        await send(first)
        verdicts = {}
        for data in (*papers, update):
            verdicts |= {v.event_id: (v.revision, v.verified_claims[0].verdict) for v in await send(data)}
            if data is papers[1]:
                assert verdicts[first.event_id] == (2, "outdated")
        assert [verdicts[paper.event_id][1] for paper in papers] == ["supported", "supported"]
        assert verdicts[update.event_id][1] == "supported"

    run(tmp_path, scenario)


def test_the_same_text_of_the_same_author_is_scored_afresh_and_never_supports_itself(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(SOCIAL)
        again = SOCIAL.model_copy(update={"event_id": "another-id"})
        assert (await send(again))[0].verified_claims[0].verdict == "insufficient"
        await send(OFFICIAL)
        resent = await send(SOCIAL, cause="later")
        assert resent[0].verified_claims[0].verdict == "supported"
        assert resent[0].revision == 3

    run(tmp_path, scenario)


def test_a_redelivery_gives_the_same_outputs_again(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(SOCIAL)
        first = await send(NEWS, cause="delivery")
        again = await send(NEWS, cause="delivery")
        assert [(v.event_id, v.revision) for v in again] == [(v.event_id, v.revision) for v in first]

    run(tmp_path, scenario)


def test_sessions_never_share_evidence(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(OFFICIAL, session="one")
        other = await send(SOCIAL, session="two")
        assert other[0].verified_claims[0].verdict == "insufficient"

    run(tmp_path, scenario)


def test_simultaneous_reports_see_each_other(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        everyone = [SOCIAL, NEWS, OFFICIAL, WRONG]
        latest: dict[str, VerifiedEventData] = {}
        for outputs in await asyncio.gather(*(send(data) for data in everyone)):
            for verified in outputs:
                known = latest.get(verified.event_id)
                if known is None or verified.revision > known.revision:
                    latest[verified.event_id] = verified
        verdicts = [latest[data.event_id].verified_claims[0].verdict for data in everyone]
        assert verdicts == ["supported", "supported", "supported", "refuted"]

    run(tmp_path, scenario)


AT_ONCE = (
    "Storm tears the roof off the Arada market hall",
    "The roof of Arada market hall was torn off by the storm, police say",
    "Photos: storm rips roof from market hall in Porto",
    "Market hall loses its roof as the storm hits Porto",
    "Storm hits Porto, trams stopped and schools closed",
    "Trams in Porto are stopped because of the storm",
    "Schools closed across Porto after the storm, the council says",
    "Storm Dora makes landfall near Porto with winds of 130 km/h",
    "Dora reached land near Porto on Monday morning",
    "40 people injured as the storm hits Porto",
    "At least 40 injured by the storm in Porto, hospital says",
    "Storm in Porto injures forty, no deaths",
    "Porto hospital treats 40 people hurt by the storm",
    "The Arada bridge in Porto is closed after the storm",
    "Police close the Arada bridge in Porto, storm continues",
)


@given(st.permutations(AT_ONCE))
@settings(max_examples=5, deadline=None, phases=[Phase.generate])
def test_no_verdict_depends_on_the_order_in_which_reports_of_one_time_arrive(order: list[str]) -> None:
    async def verdicts(told: Sequence[str], path: Path) -> dict[str, list[str]]:
        store = SqliteStore(path / "store.db")
        agent = VerifierAgent(store)
        last: dict[str, VerifiedEventData] = {}
        for text in told:
            data = event(text, "news" if AT_ONCE.index(text) % 3 else "twitter", event_id=text)
            for output in await agent(envelope(data), cause=text):
                last[output.envelope.data.event_id] = output.envelope.data
        await store.close()
        return {id: [claim.verdict for claim in one.verified_claims] for id, one in last.items()}

    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        first, second = (asyncio.run(verdicts(told, Path(path))) for told, path in ((AT_ONCE, one), (order, other)))
    assert first == second


def test_revisions_are_bounded_and_a_flood_of_posts_hides_no_official_report(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(OFFICIAL)
        flood = [
            event(
                f"{500 + n} people injured in Porto, {'so ' * (n % 7)}awful {n * 7919}",
                author=f"bot{n}",
                minutes=10 + n / 4,
            )
            for n in range(120)
        ]
        for data in flood:
            outputs = await send(data)
            assert len(outputs) <= 1 + MAX_REVISED
        assert outputs[0].verified_claims[0].verdict == "refuted"

    run(tmp_path, scenario)


WORDINGS = (
    "30 people injured when the storm hit Porto today, {} writes",
    "When the storm hit Porto today 30 people were injured, {} writes",
    "Today {} writes that 30 people were injured in Porto when the storm hit",
)
"""The same words are passed on, and bear nothing out."""


def test_a_denial_overturns_every_rumour_of_a_flood_some_at_once_and_the_rest_with_the_next_reports(
    tmp_path: Path,
) -> None:
    rumours = [
        event(WORDINGS[n % len(WORDINGS)].format(name), author=name, minutes=n / 10)
        for n, name in enumerate(f"q{n}w{n * 7919}" for n in range(60))
    ]
    denial = event("Fire Service: 2 people were injured by the storm in Porto, not 30.", "emergency", minutes=20)
    later = [
        event(f"Fire Service: road {n} in Porto is open again", "emergency", minutes=21 + n, author="fire")
        for n in range(8)
    ]

    async def scenario(send: Sender) -> None:
        verdicts: dict[str, str] = {}
        sizes = []
        for data in (*rumours, denial, *later, *later[-1:]):
            outputs = await send(data)
            sizes.append(len(outputs))
            verdicts |= {v.event_id: v.verified_claims[0].verdict for v in outputs}
            if data is rumours[-1]:
                assert sum(verdict == "supported" for verdict in verdicts.values()) > 50
        assert 1 + MAX_REVISED < sizes[60] <= 1 + MAX_OVERTURNED
        assert max(sizes[61:]) == 1 + MAX_REVISED
        assert {verdicts[rumour.event_id] for rumour in rumours} == {"refuted"}
        assert sizes[-3:] == [1, 1, 1]

    run(tmp_path, scenario)


def test_revisions_that_waited_come_again_with_the_same_message_and_with_no_other(tmp_path: Path) -> None:
    rumours = [
        event(WORDINGS[n % len(WORDINGS)].format(name), author=name, minutes=n / 10)
        for n, name in enumerate(f"q{n}w{n * 7919}" for n in range(30))
    ]
    denial = event("Fire Service: 2 people were injured by the storm in Porto, not 30.", "emergency", minutes=20)
    road = event("Fire Service: the river road in Porto is open again", "emergency", minutes=21, author="fire")

    async def scenario(send: Sender) -> None:
        for data in (*rumours, denial):
            await send(data)
        first = {(v.event_id, v.revision) for v in (await send(road, cause="road"))[1:]}
        assert first
        assert {(v.event_id, v.revision) for v in (await send(road, cause="road"))[1:]} == first
        assert not first & {(v.event_id, v.revision) for v in (await send(road, cause="other"))[1:]}

    run(tmp_path, scenario)


def test_an_unverified_event_is_logged_with_its_reason_and_forwarded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(send: Sender) -> None:
        outputs = await send(event("So sad, praying for everyone tonight"))
        assert outputs[0].unverified

    with caplog.at_level(logging.INFO):
        run(tmp_path, scenario)
    assert "no checkable claim" in caplog.text


def test_the_record_of_a_source_is_learnt_once_per_event(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        await send(OFFICIAL)
        for cause in ("1", "2", "3"):
            await send(WRONG, cause=cause)
        store = SqliteStore(tmp_path / "store.db")
        record = await store.get("source", in_session("s", "eva"))
        await store.close()
        assert record is not None
        assert record.data["events"] == {WRONG.event_id: [0, 1]}

    run(tmp_path, scenario)


def test_a_report_that_another_version_wrote_is_left_out_and_said_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(send: Sender) -> None:
        await send(SOCIAL)
        store = SqliteStore(tmp_path / "store.db")
        known = await store.get("report", in_session("s", SOCIAL.event_id))
        assert known is not None
        data = {"event_id": SOCIAL.event_id, "statements": [{"text": "62 injured", "unheard_of": 1}]}
        await store.put("report", in_session("s", SOCIAL.event_id), replace(known, data=data))
        await store.close()
        assert [(v.event_id, v.verified_claims[0].verdict) for v in await send(NEWS)] == [
            (NEWS.event_id, "insufficient")
        ]

    run(tmp_path, scenario)
    assert "can't be used and is left out: ValueError" in caplog.text


def test_a_source_that_was_refuted_weighs_less_and_the_output_says_why(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        (_,) = await send(OFFICIAL)
        first = (await send(WRONG))[0].reliability_parts["source_credibility"]
        later = event("The old viaduct is closed", minutes=50, author="eva")
        second = (await send(later))[0].reliability_parts["source_credibility"]
        assert (first["name"], first["reason"]) == ("social", "source class social")
        assert second["weight"] < first["weight"]
        assert second["reason"] == "source class social; record 0 supported, 1 refuted (-0.23)"

    run(tmp_path, scenario)


def test_odd_text_and_long_reports_are_kept_and_revised(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> None:
        odd = event("62 people injured in Porto \ud800\x00 " + "x" * 1_000_000)
        await send(odd)
        outputs = await send(OFFICIAL)
        assert [v.revision for v in outputs] == [1, 2]

    run(tmp_path, scenario)


class _Grounding:
    """Stands in for Gemini's client side: answers, or fails, as told."""

    model = "gemini-test"
    pairs_per_event = 0

    def __init__(self, pages: list[GroundedEvidence] | None) -> None:
        self.pages = pages
        self.asked: list[str] = []

    async def judge(self, pairs: Any) -> dict[Any, Any]:
        return {}

    async def ground(self, claim: str, context: dict[str, Any]) -> list[GroundedEvidence]:
        self.asked.append(claim)
        if self.pages is None:
            raise GeminiUnavailableError("down")
        return self.pages


def test_pages_of_a_search_are_evidence_with_their_url_and_are_cached(tmp_path: Path) -> None:
    gemini = _Grounding([GroundedEvidence("https://www.fema.gov/x", "fema.gov", "supports", "names 62 injured")])

    async def scenario(send: Sender) -> None:
        first = (await send(SOCIAL))[0]
        assert (first.method, first.verified_claims[0].verdict) == ("gemini", "supported")
        assert first.verified_claims[0].evidence[0].url == "https://www.fema.gov/x"
        await send(SOCIAL, cause="again")
        assert len(gemini.asked) == 1

    run(tmp_path, scenario, gemini)


def test_without_an_answer_of_gemini_the_verdict_stays_with_less_confidence(tmp_path: Path) -> None:
    async def scenario(send: Sender) -> VerifiedEventData:
        return (await send(OFFICIAL))[0]

    plain = run(tmp_path / "a", scenario)
    degraded = run(tmp_path / "b", scenario, _Grounding(None))
    assert degraded.method == "heuristic"
    assert degraded.verified_claims[0].verdict == plain.verified_claims[0].verdict
    assert degraded.verified_claims[0].confidence == pytest.approx(0.9 * plain.verified_claims[0].confidence, abs=1e-3)


def test_the_reports_at_hand_are_bounded_by_what_they_say_and_not_by_their_number(tmp_path: Path) -> None:
    def told(number: int, claims: int) -> dict[str, Any]:
        said = [KeptClaim(f"{number} people hurt") for _ in range(claims)]
        return to_json(replace(report("12 people hurt").report, event_id=f"e{number}", claims=tuple(said), facts=()))

    reports_at_hand = ReportMemory(SqliteStore(tmp_path / "store.db"), lambda: datetime.now(UTC))
    for number in range(3 * memory.MAX_HELD // 60):
        assert reports_at_hand.report(f"e{number}", told(number, 60)) is not None
        assert reports_at_hand.report(f"e{number}", told(number, 59)) is not None  # sent again with another text
    held = sum(1 + len(kept.claims) for _, kept in reports_at_hand._reports.values() if kept)
    assert held == reports_at_hand._held <= memory.MAX_HELD
    assert len(reports_at_hand._reports) >= memory.MAX_HELD // 61


def test_reposts_that_add_nothing_take_no_other_reports_room(tmp_path: Path) -> None:
    said = "12 people were killed as the storm brought down the Arada bridge"
    crowd = [f"RT @ana: {said} http://t.co/{number}" for number in range(2 * memory.MAX_RELATED - 2)]
    reports = [report("Nobody was killed at the Arada bridge, hospital says", "news").report]
    reports += [report(text, minutes=1 + number / 10).report for number, text in enumerate(crowd)]

    async def related() -> list[str]:
        reports_at_hand = ReportMemory(SqliteStore(tmp_path / "store.db"), lambda: datetime.now(UTC))
        for made in reports:
            await reports_at_hand.remember("s", made)
        own = report("The Arada bridge in Porto came down, 12 killed", minutes=9).report
        return [made.event_id for made in await reports_at_hand.related("s", own)]

    found = asyncio.run(related())
    assert reports[0].event_id in found
    assert len(found) == memory.MAX_RELATED
