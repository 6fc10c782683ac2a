"""What Gemini adds to the rules: pairs they leave open, languages they do not read; by a loopback server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.reports import NOW, envelope, event, report
from tests.unit.test_gemini import GeminiServer, Reply, answer
from verifleet.agents.belief.open_pairs import open_pairs
from verifleet.agents.pipeline import prepare, verify_event
from verifleet.envelopes import VerifiedEventData
from verifleet.gemini import Gemini
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.settings import load_settings
from verifleet.storage.sqlite import SqliteStore

GAS = "Explosion at the Harwick refinery caused by a gas leak"
SABOTAGE = "Sabotage behind the Harwick refinery explosion, minister says"
JAPANESE = "アムアイ製油所で爆発、12人が死亡。"


@pytest.fixture
def server() -> Iterator[GeminiServer]:
    running = GeminiServer()
    yield running
    running.close()


def replies(pair: str | Reply = "refutes", claims: list[dict[str, str]] | None = None) -> Callable[[Any], Reply]:
    """Answers by what is asked: pairs with this stance, claims, and no pages for anything else."""

    def reply(body: Any) -> Reply:
        asked = body["contents"][0]["parts"][0]["text"]
        if '"pair 1"' in asked:
            judged = [{"pair": 1, "stance": pair, "reason": "another cause"}]
            return answer({"judged": judged}) if isinstance(pair, str) else pair
        if '"report"' in asked:
            return answer({"claims": claims or []})
        return answer({"action": "answer"})

    return reply


def questions(server: GeminiServer, mark: str) -> int:
    return sum(mark in body["contents"][0]["parts"][0]["text"] for body in server.requests)


def verified(server: GeminiServer, path: Path, *contents: str, **settings: Any) -> list[VerifiedEventData]:
    """What becomes of each report in turn, by one agent and Gemini; the same content is the same event again."""
    gemini = Gemini(load_settings(google_api_key="k", google_gemini_base_url=server.url, **settings))

    async def main() -> list[VerifiedEventData]:
        store = SqliteStore(path / "store.db")
        agent, made = VerifierAgent(store, gemini=gemini), []
        for turn, content in enumerate(contents):
            number = contents.index(content)
            data = event(content, event_id=f"e{number}", minutes=number, author=f"a{number}", location=None)
            made.append((await agent(envelope(data), cause=f"c{turn}"))[0].envelope.data)
        await gemini.close()
        await store.close()
        return made

    return asyncio.run(main())


def test_a_pair_that_rules_leave_open_is_judged_once(server: GeminiServer, tmp_path: Path) -> None:
    server.replies = [replies("refutes")]
    _, second, again = verified(server, tmp_path, GAS, SABOTAGE, SABOTAGE)
    (evidence,) = second.verified_claims[0].evidence
    assert (evidence.rule, evidence.stance, second.method) == ("gemini.pair", "refutes", "gemini")
    assert evidence.reason.startswith("Gemini: another cause")
    assert again.method == "gemini"
    assert questions(server, '"pair 1"') <= 2  # once in each direction, however often both are verified


@pytest.mark.parametrize(("reply", "method"), [("neutral", "gemini"), ((500, b"oops"), "heuristic")])
def test_without_a_judgement_the_rules_stand(
    server: GeminiServer, tmp_path: Path, reply: str | Reply, method: str
) -> None:
    server.replies = [replies(reply)]
    _, second = verified(server, tmp_path, GAS, SABOTAGE, gemini_timeout_s=1.0)
    assert "refutes" not in [item.stance for item in second.verified_claims[0].evidence]
    assert second.method == method


def test_no_pairs_are_asked_about_where_the_setting_allows_none(server: GeminiServer, tmp_path: Path) -> None:
    server.replies = [replies()]
    verified(server, tmp_path, GAS, SABOTAGE, gemini_pairs_per_event=0)
    assert questions(server, '"pair 1"') == 0


def test_a_claim_that_an_official_body_corrects_is_no_longer_open() -> None:
    claim = report("12 people died in the Amuay refinery explosion", author="a")
    other = report("Several killed after explosion at Amuay refinery", author="b", minutes=5)
    denial = report("Correction: nobody died in the Amuay refinery explosion", "official", minutes=9)
    assert [pair.other.event_id for pair in open_pairs(claim.report, [other.report], 8)] == [other.event.event_id]
    assert open_pairs(claim.report, [other.report, denial.report], 8) == []


def test_a_report_in_an_unread_language_claims_what_gemini_quotes_of_it(server: GeminiServer, tmp_path: Path) -> None:
    told = [{"quote": "アムアイ製油所で爆発、12人が死亡", "english": "Explosion at the Amuay refinery, 12 people dead"}]
    server.replies = [replies("neutral", told)]
    (made,) = verified(server, tmp_path, JAPANESE)
    (claim,) = made.verified_claims
    assert claim.claim.span is not None
    assert JAPANESE[slice(*claim.claim.span)] == told[0]["quote"]
    assert claim.claim.text == told[0]["english"]
    assert any(fact.get("attribute") == "dead" and fact["low"] == 12 for fact in claim.claim.facts)
    assert questions(server, '"report"') == 1
    json.dumps(made.model_dump(mode="json"))


def test_without_gemini_it_claims_nothing_and_rules_never_contradict_it() -> None:
    alone = prepare(event(JAPANESE))
    assert (alone.unread, alone.claims) == (True, ())
    told = prepare(event(JAPANESE), told=[(0, 5, "Nobody died in the Amuay refinery explosion")])
    said = report("12 people died in the Amuay refinery explosion", "news", minutes=5)
    for own, other in ((told, said), (said, told)):
        made = verify_event(own, [other.report], now=NOW)
        assert all(item.stance != "refutes" for claim in made.verified_claims for item in claim.evidence)
