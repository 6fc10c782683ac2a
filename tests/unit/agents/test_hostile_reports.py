"""Any report is read and judged within bounds: figures, lists, marks made of anything, and 32 kB of one thing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.reports import claim, event, report, verify
from verifleet.agents.memory.report import MAX_CLAIMS, from_json, to_json
from verifleet.reading.legible import MAX_TEXT

PIECES = st.sampled_from(
    "12|3,400|half a dozen|twenty-one|a|men|women|boats|hurt|saved|of the|: | - |, |. |(|)|and |including |in all|only "
    "|more |no |not |shelter|is at |taken to |at |the |Ashby |Hall|St. |O'Neil's |school|it |was |fire |caused by "
    "|because of |driver |fled|drunk|??|!|'|\"|’|½|ﷺ|İ|\u2028|\0|=|&|\t| |RT @x: |#Tag |@you |http://t.co/x".split("|")
)
TEXTS = st.one_of(st.lists(PIECES, max_size=25).map(" ".join), st.lists(PIECES, max_size=40).map("".join), st.text())


@pytest.mark.parametrize(
    ("piece", "source"),
    [
        ("12, ", "twitter"),
        ("12 men, 5 women: ", "twitter"),
        ("half a dozen of the ", "twitter"),
        (" ", "twitter"),
        ("3 of the ", "emergency"),
        ("no second blast ", "emergency"),
        ("A. ", "emergency"),
        (",", "emergency"),
        ("'", "emergency"),
        ("soup at Ashby Hall ", "emergency"),
    ],
)
def test_a_long_report_of_one_thing_is_judged_within_bounds(piece: str, source: str) -> None:
    started = time.thread_time()
    told = report("x" + (piece * MAX_TEXT)[:MAX_TEXT], source)
    assert len(told.report.claims) <= MAX_CLAIMS
    assert from_json(to_json(told.report)).claims == told.report.claims
    official = report("City: 12 people are dead in Porto, 90 were injured.", "emergency", minutes=9)
    assert claim(official, told).verdict in {"supported", "conflicting", "outdated"}
    assert time.thread_time() - started < 6.0  # 0.1 to 2 s when nothing else runs; a wrong pattern takes minutes


@pytest.mark.parametrize(
    "content",
    [
        "",
        "🔥🔥🔥",
        "ردود " * 2000,
        "\u202eflood 12 dead\u202c \ud800 \x00",
        "12 dead " * 120_000,
        " ".join(str(n) for n in range(9000)),
        "the evacuation centre is at " * 4000,
        "denied that false no truth " * 5000,
        "(" * 50_000 + "1 a and " * 5000,
    ],
    ids=["empty", "emoji", "arabic", "controls", "1 MB", "numbers", "venues", "denials", "sums"],
)
def test_any_content_is_judged_within_seconds(content: str) -> None:
    other = report("Fire Service: 12 dead in Porto.", "emergency", minutes=9)
    started = time.thread_time()
    made = report(content)
    verified = verify(made, other)
    kept = to_json(made.report)
    assert time.thread_time() - started < 3.0
    assert 0.0 <= verified.reliability_score <= 1.0
    assert len(str(kept)) < 300_000


@given(TEXTS, st.sampled_from(["twitter", "emergency", "news", "odd"]))
@settings(max_examples=60, deadline=None)
def test_any_text_is_judged(content: str, source: str) -> None:
    made = report(content, source)
    verified = verify(made, report("Fire Service: 12 dead in Porto.", "emergency", minutes=9))
    assert all(c.verdict in ("supported", "outdated") for c in verified.verified_claims if c.verified)
    assert all(c.confidence <= 0.2 for c in verified.verified_claims if c.verdict == "refuted")
    assert from_json(to_json(made.report)).facts == made.report.facts
    assert event(content).content == content
