"""Who is named for a line is whoever said it in its words, and when."""

from typing import Any

from tests.unit.agents.test_brief_phases import summary
from tests.unit.agents.test_briefs import brief
from tests.unit.facts import count, fact, says

NEWS: dict[str, Any] = {"source": "news", "verdict": "supported"}


def test_what_is_told_in_the_words_of_a_report_has_its_source_and_time() -> None:
    about = fact("statement", about=["evacuated", "mandatory", "porto"])
    old = says("Porto is under a mandatory evacuation order due to flooding", about, by="@bbc", **NEWS)
    late = says("Mandatory evacuation!!! act now porto", about, by="@city", minutes=600, **NEWS)
    line = next(line for line in brief(old, late).summary.splitlines() if "under a mandatory" in line)
    assert "(@bbc and 1 other, 12:00)" in line


def test_a_count_of_one_unknown_voice_yields_to_one_of_a_newsroom_of_the_same_dead() -> None:
    lone = says("he killed one", count(1), by="x", source="twitter")
    known = says("One officer was killed", count(1, subject="officers"), by="@bbc", minutes=20, **NEWS)
    assert "has killed 1 officer, according to @bbc" in brief(lone, known).summary


def test_what_ended_days_ago_is_told_as_past() -> None:
    gone = ("The floodwater is receding in Porto", "@bbc", 0), ("Floodwater is receding in Porto", "@efe", 1)
    assert "Status:\n- Floodwater is receding" in summary(*gone)
    later = summary(*gone, ("8 people have died in the Porto flood", "@bbc", 3 * 24))
    assert "Status:" not in later
    assert "4 May: Floodwater is receding" in later
