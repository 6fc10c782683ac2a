"""What a brief tells of the facts of its incident, and when it is revised."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.facts import count, fact, says
from tests.unit.reports import NOW
from verifleet.agents import briefs
from verifleet.envelopes import IncidentBriefData, VerifiedEventData

POLICE: dict[str, Any] = {"by": "police", "source": "official", "verdict": "supported"}


def state_of(*events: VerifiedEventData) -> briefs.State:
    state = None
    for one in events:
        known = state or briefs.new("i", one, NOW)
        data = json.loads(json.dumps(briefs.revised(briefs.with_event(known, one, "storm", NOW) or known).data()))
        state, unusable = briefs.read(data, "i", data["revision"], NOW)
        assert not unusable
    assert state is not None
    return state


def brief(*events: VerifiedEventData) -> IncidentBriefData:
    return briefs.render(state_of(*events))


def texts(made: IncidentBriefData) -> list[str]:
    return [one.text for one in made.key_facts]


def test_one_current_toll_is_told_with_its_time_its_source_and_what_it_was_before() -> None:
    made = brief(says("8 dead", count(8), **POLICE), says("12 dead", count(12), minutes=90, **POLICE))
    assert texts(made) == ["12 people have died (police, 13:30 UTC), up from 8 (12:00 UTC)"]
    (toll,) = made.key_facts
    assert toll.status == "confirmed"
    assert toll.value is not None
    assert (toll.value["low"], toll.value["previous"]["low"]) == (12, 8)
    assert (
        "A storm in Porto, Portugal, has killed 12 people, according to police (13:30), up from 8 (12:00)."
        in made.summary
    )


def test_an_earlier_figure_repeated_later_is_not_the_current_one() -> None:
    late = says("8 dead", count(8), by="eva", minutes=200, verdict="supported")
    made = brief(says("8 dead", count(8), **POLICE), says("12 dead", count(12), minutes=90, **POLICE), late)
    assert texts(made)[0].startswith("12 people have died")


def test_an_authority_corrects_a_toll_and_a_crowd_does_not() -> None:
    first = says("12 dead", count(12), verdict="supported")
    assert texts(brief(first, says("9 dead", count(9), minutes=60, **POLICE)))[0].startswith("9 people have died")
    rumour = says("9 dead", count(9), by="eva", minutes=60)
    assert texts(brief(says("12 dead", count(12), **POLICE), rumour))[0].startswith("12 people have died")


def test_a_figure_is_given_up_when_several_tell_smaller_ones_hours_after_anybody_told_it() -> None:
    high = says("245 dead", count(245), verdict="supported")
    lower = [
        says(f"{n} dead", count(n), by=f"paper {n}", minutes=600 + n, verdict="supported") for n in (232, 233, 234)
    ]
    assert texts(brief(high, *lower[:2]))[0].startswith("245 people have died")
    told = texts(brief(high, *lower))[0]
    assert told.startswith("234 people have died (one report, not confirmed, 5 May 01:54 UTC)")
    assert "245" not in told


def test_a_newsrooms_later_word_of_a_grown_toll_is_told_and_an_unknown_ones_beside() -> None:
    news: dict[str, Any] = {"by": "post", "source": "news"}
    first = says("234 dead", {**count(234), "attributed_to": "police"}, **news)
    later = says("239 dead - Zero Hora", count(239), minutes=9_000, **{**news, "by": ""})
    assert texts(brief(first, later))[0].startswith("239 people have died (Zero Hora, ")
    post, late = (says("239 dead", count(239), by="eva", minutes=minutes) for minutes in (900, 9_000))
    assert "; 239 also reported (one report, not confirmed, " in texts(brief(first, post))[0]
    assert "also reported" not in texts(brief(first, late))[0]
    assert texts(brief(first, says("9,000 dead", count(9_000), minutes=9_000, **news)))[0].startswith("234 people")


def test_a_new_smaller_figure_of_those_who_know_corrects_a_toll_and_an_old_one_repeated_does_not() -> None:
    news: dict[str, Any] = {"source": "news", "verdict": "supported"}
    high = [says("70 dead", count(70), by=f"paper {n}", minutes=n, **news) for n in (1, 2)]
    police = {**count(14), "attributed_to": "police"}
    assert texts(brief(*high, says("14 dead", police, by="radio", minutes=600, **news)))[0].startswith("14 people")
    early = says("14 dead", count(14), by="radio", **news)
    again = says("14 dead, police", police, by="tv", minutes=600, **news)
    assert texts(brief(early, *high, again))[0].startswith("70 people have died")


def test_a_figure_that_news_attribute_to_an_authority_says_so_and_only_its_own_word_is_confirmed() -> None:
    told = {**count(33), "attributed_to": "police"}
    (toll,) = brief(says("33 dead, police say", told, by="radio", source="news")).key_facts
    assert (toll.text, toll.status) == ("33 people have died (police, 12:00 UTC)", "reported")
    (toll,) = brief(says("33 dead", count(33), **POLICE)).key_facts
    assert toll.status == "confirmed"


def test_what_an_authority_passes_on_is_not_told_as_its_own() -> None:
    post = says("RT @eva_news: 33 dead in the storm", count(33), **POLICE)
    (toll,) = brief(post).key_facts
    assert (toll.text, toll.status) == ("33 people have died (@eva_news, 12:00 UTC)", "reported")


def test_a_newer_toll_that_nobody_confirms_is_told_beside_the_confirmed_one() -> None:
    made = brief(says("8 dead", count(8), **POLICE), says("30 dead", count(30), by="eva", minutes=20))
    assert texts(made) == [
        "8 people have died (police, 12:00 UTC); 30 also reported (one report, not confirmed, 12:20 UTC)"
    ]


@pytest.mark.parametrize("attributed", ["", "officials"])
def test_a_lone_newsroom_does_not_displace_the_figure_of_an_authority(attributed: str) -> None:
    told = {**count(25), "attributed_to": attributed}
    paper = says("25 dead", told, by="radio", source="news", minutes=20, verdict="supported")
    one = briefs.revised(briefs.with_event(state_of(says("12 dead", count(12), **POLICE)), paper, "storm", NOW))  # type: ignore[arg-type]
    (toll,) = briefs.render(one).key_facts
    by = attributed or "radio"
    assert toll.text == f"12 people have died (police, 12:00 UTC); 25 also reported ({by}, 12:20 UTC)"
    assert {source.author for source in toll.sources} == {"police"}
    assert toll.value is not None
    assert toll.value["reported"]["low"] == 25
    assert (one.revision, one.changes) == (2, (f"also reported: {toll.text}",))
    second = says("25 dead", count(25), by="paper", source="news", minutes=40, verdict="supported")
    assert texts(briefs.render(briefs.with_event(one, second, "storm", NOW)))[0].startswith("25 people have died")  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [1, 90_000, 1_000_000])
def test_ids_of_any_length_are_forgotten_one_after_the_other(length: int) -> None:
    state = state_of(says("8 dead", count(8), **POLICE))
    for n in range(5):
        one = says("8 dead", count(8), by=f"voice {n}", minutes=n).model_copy(update={"event_id": f"{n}" * length})
        state = briefs.with_event(state, one, "storm", NOW) or state
    assert state.reports == 6


def test_claims_with_different_figures_are_never_told_as_one() -> None:
    about = ["bridge", "collapse", "kill", "old"]
    official = says("The old bridge collapse killed 12", fact("statement", about=about), count(12), **POLICE)
    paper = says("The old bridge collapse killed 25", fact("statement", about=about), count(25), by="radio",
                 source="news", minutes=20, verdict="supported")  # fmt: skip
    made = brief(official, paper)
    assert not any("25" in one.text and source.author == "police" and one.kind != "quantity"
                   for one in made.key_facts for source in one.sources)  # fmt: skip


def test_a_figure_of_a_claim_counts_one_thing() -> None:
    youths = says("245 youths dead, 245 futures destroyed", count(245), count(245, subject="youths"), **POLICE)
    assert texts(brief(youths)) == ["245 people have died (police, 12:00 UTC)"]


def test_people_missing_become_fewer_when_they_are_found_and_are_told_without_an_earlier_figure() -> None:
    made = brief(says("40", count(40, "missing"), **POLICE), says("3", count(3, "missing"), minutes=60, **POLICE))
    assert texts(made) == ["3 people are missing (police, 13:00 UTC)"]


def test_counts_of_one_source_and_time_are_told_together_and_that_of_one_hospital_not_as_all() -> None:
    told = says("40 missing, 9 trapped", count(40, "missing"), count(9, "trapped"), **POLICE)
    assert "40 people are missing and 9 people are trapped (police, 12:00)." in brief(told).summary
    treated = {**count(10, "injured"), "about": ["hospital"]}
    assert "injured" not in brief(says("The hospital treats 10", treated, by="radio", source="news")).summary


def test_what_somebody_says_before_a_repost_is_not_told_as_the_words_of_whom_he_reposts() -> None:
    text = "They should close the old bridge now RT @radio: Rain has reached the old town"
    said = says(text, count(3), by="eva")
    (judged,) = said.verified_claims
    own = judged.model_copy(update={"claim": judged.claim.model_copy(update={"span": (0, 32)})})
    (toll,) = brief(said.model_copy(update={"verified_claims": [own]})).key_facts
    assert [source.author for source in toll.sources] == ["eva"]


def test_only_the_denial_of_an_authority_is_told_as_a_dispute() -> None:
    made = [says(f"300 dead, {name}", count(300), by=name, verdict="refuted", against="eva") for name in ("ana", "rui")]
    assert any("contradicted" in text for text in texts(brief(*made)))
    joking = [one.model_validate_json(one.model_dump_json().replace("(official)", "(news)")) for one in made]
    assert not any("contradicted" in text for text in texts(brief(*joking)))


def test_refuted_and_outdated_figures_are_not_current_and_a_rumour_of_many_is_named() -> None:
    wrong = [
        says(f"300 dead, says {name}", count(300), by=name, minutes=30, verdict="refuted", against="police")
        for name in ("eva", "rui")
    ]
    made = brief(says("12 dead", count(12), **POLICE), *wrong)
    assert texts(made)[0].startswith("12 people have died (police, 12:00 UTC)")
    assert texts(made)[1] == "“300 people have died” (12:30 UTC) is contradicted by police: “12 dead”"
    assert made.key_facts[1].status == "disputed"


def test_conflicting_figures_are_disputed_with_both_sides() -> None:
    one = says("12 dead", count(12), by="radio", source="news", verdict="conflicting", against="eva")
    made = brief(one, says("30 dead", count(30), by="eva", verdict="conflicting", against="radio"))
    (toll,) = made.key_facts
    assert toll.status == "disputed"
    assert "12" in toll.text
    assert "30" in toll.text
    assert {source.author for source in toll.sources} == {"radio", "eva"}


def test_statements_of_the_same_things_are_one_with_several_sources_and_one_of_a_single_report_is_left_out() -> None:
    about = ["bridge", "collapse", "old", "town"]
    made = brief(
        says("The old bridge has collapsed", fact("statement", about=about), verdict="supported"),
        says("Ponte velha caiu", fact("statement", about=[*about, "river"]), by="rui", minutes=5, verdict="supported"),
        says("The school is shut", fact("statement", about=["school", "shut", "monday", "tuesday"]), by="rui"),
    )
    assert [(len(one.sources), one.status) for one in made.key_facts] == [(2, "reported")]


def test_a_claim_is_told_whole_however_many_clauses_it_has() -> None:
    clauses = [
        fact("statement", about=["mayor", "say"]),
        fact("statement", about=["bridge", "collapse", "old", "river"]),
    ]
    made = brief(says("Mayor says the old bridge fell into the river", *clauses, verdict="supported"))
    assert texts(made) == ["12:00 UTC: The old bridge fell into the river (the mayor, as one report says)"]


def test_the_claim_that_says_most_of_what_reports_speak_of_is_told_and_none_that_repeats_it() -> None:
    crash = ["crash", "helicopter", "pub", "road", "roof"]
    text = "Helicopter crashes through pub roof, roads closed in town"
    told = [
        says(f"{text} {n}", fact("statement", about=crash), by=f"a{n}", minutes=n, verdict="supported")
        for n in range(3)
    ]
    band = fact("statement", about=["guest", "play", "stage", "while"])
    aside = [says("The guests on stage played on for a while", band, by=f"b{n}", verdict="supported") for n in range(2)]
    made = texts(brief(*aside, *told))
    assert made[0].startswith("Helicopter crashes through pub roof, roads closed in town")
    assert sum("roof" in text for text in made) == 1


def test_a_thing_is_told_in_our_words_until_nobody_has_told_it_for_half_a_day() -> None:
    warned = fact("status", subject="warning", state="in force", phase="holds", about=["coast", "tsunami", "warning"])
    first = says("Tsunami warning issued for the coast", warned, **POLICE)
    made = brief(first)
    assert texts(made) == ["A tsunami warning is in force (police, 12:00 UTC)"]
    assert "Status:\n- A tsunami warning is in force (police, 12:00)." in made.summary
    assert "in force" not in brief(first, says("8 dead", count(8), minutes=60 * 30, **POLICE)).summary
    brief_of = brief(says("Tsunami", warned, **POLICE))
    assert "A tsunami warning is in force (police, 12:00)." in brief_of.summary


@pytest.mark.parametrize(
    ("text", "line", "days", "later"),
    [
        (
            "The storm has destroyed homes and the harbour",
            "Course of events:\n- {}: The storm has destroyed homes and the harbour (a0 and 2 others)",
            20,
            True,
        ),
        (
            "The driver was on the phone when the train derailed, police say",
            "Cause:\n- The driver was on the phone when the train derailed (police, {})",
            3,
            True,
        ),
        *(
            (text, f"Needs and help:\n- {text} (a0 and 2 others, {{}})", days, later)
            for text, days, later in (
                ("Families can call the helpline 0800 092 0410", 3, True),
                ("Families can call the helpline 0800 092 0410", 22, True),
                ("Families can call the helpline 0800 092 0410", 31, False),
                ("The town needs clothes and blankets for families", 2.5, True),
                ("The town needs clothes and blankets for families", 4, False),
            )
        ),
    ],
)
def test_telephones_and_what_and_why_it_happened_are_told_for_a_month_and_needs_for_days(
    text: str, line: str, days: float, later: bool
) -> None:
    about = fact("statement", about=["bridge", "derail", "driver", "helpline", "mayor", "river"])
    told = [says(text, about, by=f"a{n}", source="news", minutes=n, verdict="supported") for n in range(3)]
    assert line.format("12:00") in brief(*told).summary
    made = brief(*told, says("8 dead", count(8), minutes=int(1440 * days), **POLICE))
    assert (line.format("4 May") in made.summary) is later


def test_a_larger_total_is_not_what_a_figure_was_before() -> None:
    dead_or_missing, dead = says("50 dead", count(50), **POLICE), says("33 dead", count(33), minutes=60, **POLICE)
    assert not any(" from " in text for text in texts(brief(dead_or_missing, dead)))


@pytest.mark.parametrize(("handle", "by"), [("@radio", "@radio"), ("@bia", "one report")])
def test_reposts_are_one_voice_with_what_they_repeat_which_is_named_where_readers_know_it(handle: str, by: str) -> None:
    text = f"RT {handle}: The old bridge fell into the river"
    about = fact("statement", about=["bridge", "fell", "old", "river"])
    made = brief(*(says(text, about, by=f"fan {n}", minutes=n, verdict="supported") for n in range(4)))
    assert {source.author for source in made.key_facts[0].sources} == {handle}
    assert texts(made) == [f"12:00 UTC: The old bridge fell into the river ({by})"]


def test_what_holds_is_told_in_our_words_until_it_ends_and_holds_again_only_by_an_authority() -> None:
    closed = says("Carretera cortada", fact("statement", about=["closed", "road"], scope=["braga"]), **POLICE)
    ended = fact("status", subject="road", state="closed", phase="ended", about=["open", "road"])
    opened = says("The road is open again", ended, minutes=60, **POLICE)
    assert texts(brief(closed)) == ["Roads are closed in Braga (police, 12:00 UTC)"]
    made = brief(closed, opened)
    assert [(one.status, one.text) for one in made.key_facts] == [
        ("ended", "Roads have been opened again (police, 13:00 UTC)")
    ]
    again = {"minutes": 90, "verdict": "supported"}
    late = says("Road closed", fact("statement", about=["closed", "road"]), by="eva", **again)
    assert [one.status for one in brief(closed, opened, late).key_facts] == ["ended"]
    late = says("Road closed", fact("statement", about=["closed", "road"]), **(POLICE | again))
    assert [one.status for one in brief(closed, opened, late).key_facts] == ["confirmed"]


def test_what_is_told_of_elsewhere_or_by_one_voice_alone_is_no_circumstance_of_the_incident() -> None:
    there = says("Schools closed", fact("statement", about=["school", "closed"], scope=["tokyo"]), **POLICE)
    alone = says("Power cut", fact("statement", about=["power", "cut"]), by="eva", minutes=5)
    assert not any("closed" in text or "Power" in text for text in texts(brief(alone, there)))


def warning(kind: str = "Alert", minutes: float = 0, **details: Any) -> VerifiedEventData:
    cap = {"identifier": f"w{minutes}", "msgType": kind, "event": "Flood Warning", "severity": "Severe", **details}
    references = f"met@x,w0,{NOW.isoformat()}" if kind != "Alert" else None
    metadata = {"author": "Met Office", "cap": cap, "in_reply_to": references}
    own = fact("status", subject="flood warning", state="in force", phase="holds")
    return says("Flood warning", own, source="emergency", minutes=minutes, event={"metadata": metadata})


def test_a_warning_is_told_with_severity_and_expiry_and_as_ended_when_it_is_over() -> None:
    first = warning(expires="2026-05-04T15:00:00+00:00")
    assert texts(brief(first)) == ["Flood Warning for Porto (severe), until 15:00 UTC (12:00 UTC, Met Office)"]
    cancelled = brief(first, warning("Cancel", 30))
    assert [(one.status, one.text) for one in cancelled.key_facts] == [
        ("ended", "Flood Warning for Porto (severe), cancelled 12:30 UTC (Met Office)")
    ]
    later = brief(first, says("8 dead", count(8), minutes=240, **POLICE))
    assert "Flood Warning for Porto (severe), expired 15:00" in later.summary


def test_a_label_with_an_overtaken_figure_is_not_shown() -> None:
    crash = fact("event", type="crash", subject="train")
    made = brief(
        says("Train crash kills 8", crash, count(8), **POLICE),
        says("12 dead", count(12), minutes=60, **POLICE),
        says("A train has crashed", crash, by="rui", minutes=5, verdict="supported"),
    )
    assert texts(made)[0].startswith("12 people have died")
    assert not any("kills 8" in one for one in texts(made))


def test_a_revision_is_made_only_when_a_fact_changes_and_says_what() -> None:
    first = state_of(says("8 dead", count(8), **POLICE))
    assert (first.revision, first.changes) == (1, ("new: 8 people have died (police, 12:00 UTC)",))
    same = briefs.with_event(first, says("8 dead, they say", count(8), by="eva", minutes=9), "storm", NOW)
    assert same is not None
    counted = briefs.revised(same)
    assert (counted.revision, counted.reports, counted.changes) == (1, 2, first.changes)
    more = briefs.with_event(counted, says("12 dead", count(12), minutes=60, **POLICE), "storm", NOW)
    assert more is not None
    assert briefs.revised(more).revision == 2
    assert briefs.revised(more).changes == ("was 8: 12 people have died (police, 13:00 UTC), up from 8 (12:00 UTC)",)
    assert briefs.render(first).key_facts[0].id == briefs.render(briefs.revised(more)).key_facts[0].id


def test_a_revision_of_an_event_replaces_what_it_said() -> None:
    wrong = says("80 dead", count(80))
    made = state_of(wrong, wrong.model_copy(update={"revision": 2, "verified_claims": []}))
    assert briefs.render(made).key_facts == []
    assert made.changes == ("no longer told: 80 people have died (one report, not confirmed, 12:00 UTC)",)
    assert briefs.with_event(made, wrong, "storm", NOW) is None


def test_advice_is_told_official_first() -> None:
    offer = says("Rooms free for families", guidance=["Call me for a room"])
    made = brief(offer, says("Stay inside", minutes=5, guidance=["Stay inside and close the windows"], **POLICE))
    assert made.guidance == ["Stay inside and close the windows (police, 12:05 UTC)"]
    assert "Advice:\n- Stay inside and close the windows (police, 12:05)." in made.summary
    call = says("Call", minutes=9, guidance=["Families can call the helpline 0800 092 0410"], by="radio", source="news")
    stay = says("Stay inside", minutes=5, guidance=["Stay inside and close the windows"], **POLICE)
    assert [line.split()[0] for line in brief(call, stay).guidance] == ["Stay", "Families"]


def test_two_incidents_that_are_one_are_told_as_one() -> None:
    one, other = says("8 dead", count(8), **POLICE), says("12 dead", count(12), minutes=60, **POLICE)
    state = briefs.with_incident(state_of(one), replace(state_of(other), incident_id="j"), "e")
    assert (state.revision, state.reports, state.merged) == (2, 2, ("j",))
    assert state.changes[0] == "joined with incident j"
    assert texts(briefs.render(state)) == ["12 people have died (police, 13:00 UTC), up from 8 (12:00 UTC)"]


def test_what_is_kept_stays_small_with_2000_reports() -> None:
    state = None
    for number in range(2_000):
        text = f"{number} flooded " + "çœ長い " * 60
        one = says(
            text,
            count(number, f"kind {number % 300}", about=[f"w{number}{n}" * 4 for n in range(20)]),
            fact("statement", about=[f"w{number}-{n}" * 3 for n in range(20)]),
            by=f"author {number}",
            minutes=number,
            guidance=[text],
            event={"entities": [f"{number}-{n}" for n in range(20)]},
        )
        state = briefs.with_event(state or briefs.new("i", one, NOW), one, "flood", NOW)
        assert state is not None
    kept = briefs.revised(state)  # type: ignore[arg-type]
    assert len(json.dumps(kept.data())) < 900_000
    made = briefs.render(kept)
    assert made.reports == 2_000
    assert len(made.summary.split()) <= 200
    assert len(made.model_dump_json()) < 100_000


@pytest.mark.parametrize("data", [None, [], {"revision": 3, "events": {}, "seen": {"e": 1}, "reports": 4}])
def test_what_an_older_version_kept_is_read_as_far_as_it_counts(data: Any) -> None:
    state, left_out = briefs.read(data, "i", 3, NOW)
    assert left_out
    assert state.revision == 3
    after = briefs.with_event(state, says("8 dead", count(8), **POLICE), "storm", NOW)
    assert after is not None
    assert briefs.revised(after).revision == 4


def test_a_fact_of_another_shape_is_passed_over() -> None:
    odd: list[dict[str, Any]] = [{}, {"kind": "quantity"}, {**count(1), "low": "x"}, {**count(2), "as_of": None}]
    assert brief(says("8 dead", *odd, count(8), **POLICE)).key_facts[0].text.startswith("8 people have died")


@given(st.lists(st.sampled_from("storm. 62 hurt; Porto! a, 漢字 \ud800".split()), max_size=600))
@settings(max_examples=40, deadline=None)
def test_a_summary_has_at_most_200_words(words: list[str]) -> None:
    assert len(briefs.shorten(" ".join(words)).split()) <= 200


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (1, "30 people are missing (police, 12:00)."),
        (10, "30 people were missing (police, 4 May)."),
        (20, ""),
    ],
)
def test_people_missing_are_told_as_such_for_days_then_as_past_then_not_at_all(days: int, told: str) -> None:
    missing = says("30 missing", count(30, "missing"), **POLICE)
    made = brief(missing, says("It rains", fact("statement", about=["rain"]), minutes=1_440 * days - 1))
    assert told in made.summary.replace("4 May 12:00", "12:00")
    assert bool(told) == ("missing" in made.summary)


def test_a_body_that_is_named_hours_later_answers_for_a_grown_toll_whoever_passes_it_on() -> None:
    first = says("33 dead", count(33), **POLICE)
    named = {**count(37), "attributed_to": "surete quebec"}
    later = says("La Sûreté du Québec a retrouvé deux victimes, total 37", named, by="eva", minutes=2_000)
    assert "according to Sûreté du Québec" in brief(first, later).summary.splitlines()[0]
    soon = says("La Sûreté du Québec a retrouvé deux victimes, total 37", named, by="eva", minutes=20)
    assert "; 37 also reported (Sûreté du Québec" in texts(brief(first, soon))[0]


def test_the_source_and_the_date_of_a_figure_are_those_of_the_body_that_is_named() -> None:
    told = {"source": "news", "verdict": "supported"}
    facts = (count(1), count(1, attributed_to="coroner"), count(1))
    rows = [says("One dead", one, by=f"a{n}", minutes=60 * n, **told) for n, one in enumerate(facts)]
    assert "has killed 1 person, according to the coroner (13:00)." in brief(*rows).summary


def test_nameless_reports_in_the_same_words_are_one_source() -> None:
    text, nobody = "183 dead in the quake", {"event": {"metadata": None}}
    rows = [says(text, count(183), source="news", minutes=n, **nobody) for n in range(2)]
    assert "has killed 183 people, according to one news report" in brief(*rows).summary


def test_a_brief_that_is_hours_old_is_worded_anew_when_reports_are_counted() -> None:
    told = says("8 dead", count(8), **POLICE)
    state = briefs.revised(briefs.with_event(briefs.new("i", told, NOW), told, "storm", NOW))
    made = briefs.render(state)
    again = briefs.with_event(state, says("Terrible", by="a", minutes=60 * 24), "storm", NOW)
    summary = briefs.counted(made, again).summary
    assert "4 May 2026 12:00 to 5 May 12:00" in summary
    assert "police (4 May 12:00)" in summary
    assert briefs.counted(made.model_copy(update={"summary": "In words."}), again).summary == "In words."


def test_a_figure_told_roughly_and_exactly_is_exact_in_whichever_order_it_came() -> None:
    rough = says("About 346 homes were destroyed", count(346, "destroyed", subject="homes", approximate=True), **POLICE)
    exact = says("346 homes were destroyed", count(346, "destroyed", subject="homes"), by="eva", minutes=9)
    assert [texts(brief(*told))[0].partition(" (")[0] for told in ((rough, exact), (exact, rough))] == [
        "346 homes were destroyed"
    ] * 2
