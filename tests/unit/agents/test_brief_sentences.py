"""Which words of a report a brief quotes, what it advises, and how it tells what holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.agents.test_briefs import POLICE, brief, texts
from tests.unit.facts import count, fact, says
from tests.unit.reports import NOW
from verifleet.agents import briefs
from verifleet.agents.briefs import sentences
from verifleet.agents.briefs.brings import known_words
from verifleet.agents.briefs.sentences import advice, as_told, sentence
from verifleet.reading.headlines import completed, plainly
from verifleet.reading.languages import content, spoken_in
from verifleet.reading.pieces import is_plain
from verifleet.reading.telephones import telephones
from verifleet.reading.words import lemma

NEWS: dict[str, Any] = {"source": "news", "verdict": "supported"}


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Police helicopter crashes into the Clutha pub", "Police helicopter crashes into the Clutha pub"),
        ("Daily Blog: The fire destroyed 346 homes", "The fire destroyed 346 homes"),
        ("THE OLD BRIDGE IN PORTO HAS COLLAPSED", "The old bridge in Porto has collapsed"),
        ("Helpline: families call 0800 092 0410", "Helpline: families call 0800 092 0410"),
        ("Sky News - The fire destroyed 346 homes", "The fire destroyed 346 homes"),
        ("Floods: Floods have destroyed the old bridge", "Floods have destroyed the old bridge"),
        ("PORTO: Schools are closed in all levels", "PORTO: Schools are closed in all levels"),
        ("Schools in QUEZON CITY are closed tomorrow", "Schools in Quezon City are closed tomorrow"),
        ("No evidence of engine fault in helicopter crash", "There is no evidence of engine fault in helicopter crash"),
        ("No road closures in Porto", "There are no road closures in Porto"),
        ("Text AID to 30333 to donate $5 to the flood relief", "Text AID to 30333 to donate $5 to the flood relief"),
        ("Isolated bec bridge broken ppl need food and water", ""),
        ("M 4.8, off the coast of Porto Depth: 35.00 km", ""),
        ("Use the hashtag for any help that is needed", ""),
        ("It has destroyed the old bridge", ""),
        ("Checking the old bridge that has collapsed", ""),
        ("40 of the villages have been evacuated", "40 of the villages have been evacuated"),
        ("We are closing the old bridge", ""),
        ("The bridge you crossed has collapsed", ""),
        ("The bridge has collapsed, says a man on", ""),
        ("", ""),
    ],
)
def test_a_brief_quotes_whole_sentences_that_stand_by_themselves(label: str, told: str) -> None:
    assert sentence(label) == (told, "")


@pytest.mark.parametrize(
    ("label", "told", "by"),
    [
        ("Mayor: The fire destroyed 346 homes", "The fire destroyed 346 homes", "the mayor"),
        ("Mayor says the fire destroyed 346 homes", "The fire destroyed 346 homes", "the mayor"),
        ("The fire destroyed 346 homes, police say", "The fire destroyed 346 homes", "police"),
        ("NDRRMC: The storm destroyed 346 homes", "The storm destroyed 346 homes", "NDRRMC"),
        ("Mayor Ann Keller says the old bridge has collapsed", "The old bridge has collapsed", "Mayor Ann Keller"),
        ("Railway chief: The driver failed to set the brakes", "The driver failed to set the brakes", "Railway chief"),
        ("Porto: Ferry crash: City police: The driver fell asleep", "The driver fell asleep", "City police"),
        ("Sparks set fields alight - State officials", "Sparks set fields alight", "State officials"),
    ],
)
def test_who_stands_before_or_behind_a_sentence_says_so(label: str, told: str, by: str) -> None:
    assert sentence(label) == (told, by)


@pytest.mark.parametrize(
    "text",
    [
        "Mayor: The fire destroyed 346 homes near the old harbour",
        "The fire destroyed 346 homes near the old harbour, the mayor says",
    ],
)
def test_whoever_says_so_in_a_report_is_told_as_its_source(text: str) -> None:
    told = [says(text, fact("statement", about=text.split()), by=by, **NEWS) for by in ("@reuters", "@ap")]
    line = "- 12:00: The fire destroyed 346 homes near the old harbour (the mayor)."
    assert line in brief(*told).summary.splitlines()


@pytest.mark.parametrize(
    ("headline", "told"),
    [
        ("Roads closed as flood nears Porto", "Roads were closed as flood nears Porto"),
        ("Police: ferry forced to turn back", "Police: ferry was forced to turn back"),
        ("Port and both bridges closed", "Port and both bridges were closed"),
        ("Ferry line to resume on Friday", "Ferry line is to resume on Friday"),
        ("Two families living in a school", "Two families are living in a school"),
        ("Water still rising near Porto", "Water is still rising near Porto"),
        ("Hospital in Porto under quarantine", "Hospital in Porto is under quarantine"),
        ("Mayor says ferry blocked by ice", "The mayor says ferry was blocked by ice"),
        ("Ferry hits pier closed for repairs", "Ferry hits pier closed for repairs"),
        ("Efforts to reopen ferry line continue", "Efforts to reopen ferry line continue"),
        ("Fifty people missing in Porto after flood nears", "Fifty people missing in Porto after flood nears"),
        ("Old Bridge In Porto Closed By Police", "Old bridge in Porto was closed by police"),
        ("Porto, Portugal, in flames after crash", "Porto, Portugal, is in flames after crash"),
        ("Police: suspect opened fire", "Police: The suspect opened fire"),
        ("Suspect Ann Keller opened fire", "Suspect Ann Keller opened fire"),
        ("Following storm ferry closed", "Following storm ferry closed"),
        ("", ""),
    ],
)
def test_a_headline_is_told_with_the_be_that_it_leaves_out(headline: str, told: str) -> None:
    assert plainly(headline, known_words()) == told


@pytest.mark.parametrize(
    "text",
    [
        "Schools in the town will be open again tomorrow",
        "Heavy rain is possible in the next three hours",
        "Police are still searching for the missing in the river",
    ],
)
def test_what_is_true_of_its_moment_alone_is_told_no_later_than_that_day(text: str) -> None:
    told = [says(text, fact("statement", about=["town", "boats"]), by=by, **NEWS) for by in ("@reuters", "@ap", "@afp")]
    later = says("2 died", count(2, "dead"), minutes=14 * 60, **POLICE)
    assert text in brief(*told).summary
    assert text not in brief(*told, later).summary


@pytest.mark.parametrize(
    "text", ["Power was cut in half of the town last night", "Rescue teams are en route to the flooded villages"]
)
def test_what_went_on_is_told_later_behind_the_time_when_it_was_said(text: str) -> None:
    told = [says(text, fact("statement", about=["town", "boats"]), by=by, **NEWS) for by in ("@reuters", "@ap", "@afp")]
    later = says("2 died", count(2, "dead"), minutes=14 * 60, **POLICE)
    assert f"Course of events:\n- 4 May 12:00: {text} (" in brief(*told, later).summary


def test_we_is_told_as_a_quotation() -> None:
    assert as_told("Families ride for free, we'll help", "en") == "“Families ride for free, we'll help”"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("The old bridge fell into the river.", True),
        ("@annkeller saw the old bridge fall into the river.", False),
        ("The old bridge fell in the floods #Porto", False),
        ("The #Glasgow bridge fell. http://t.co/x", True),
        ("Aid for the town arrived, says #abflood team", True),
        ("Storm #PabloPH hits the old town.", True),
        ("Flood on the river #river #help", False),
        ("The old bridge fell into the river...", False),
    ],
)
def test_tags_in_a_row_and_what_breaks_off_are_not_quoted(content: str, told: bool) -> None:
    end = content.rstrip(".").find(" http") if " http" in content else len(content.rstrip("."))
    assert is_plain(content, (0, end)) is told


def test_a_call_for_blood_in_another_language_is_told_in_our_words() -> None:
    call = "Se necesitan donantes de sangre en el hospital"
    assert (
        "Needs and help:\n- Blood donors are needed (one report, 12:00)."
        in brief(says(call, fact("statement", about=sorted(content(call, "es"))))).summary
    )


def test_the_language_of_a_short_part_is_that_of_its_report() -> None:
    assert spoken_in("Explosion in Amuay", "Explosion in Amuay, dicen los bomberos que hay heridos en la zona") == "es"
    assert spoken_in("The old bridge fell", "The old bridge fell, Amuay") == "en"


def test_what_is_told_in_another_language_is_quoted_where_nothing_else_is_told() -> None:
    spanish = says("El puente viejo se cayó en el río", fact("event", subject="bridge", about=["puente"]), **POLICE)
    english = [says(f"{n} dead", count(n), by=f"a{n}", **NEWS) for n in range(8, 14)]
    assert "- 12:00: In Spanish: “El puente viejo se cayó en el río” (police)." in brief(spanish).summary
    assert "In Spanish" not in brief(spanish, *english).summary


def test_what_was_expected_days_ago_and_what_is_told_of_elsewhere_is_not_told() -> None:
    closed = says("Officials say roads in Porto will be closed for weeks", fact("statement", about=["road"]), **POLICE)
    did = says("The railway bridge in Porto was destroyed by the storm", fact("statement", about=["railway"]), **NEWS)
    far = says("The storm has destroyed the old bridge in Tokyo", fact("statement", scope=["tokyo"]), **POLICE)
    late = says("8 dead", count(8), minutes=60 * 24 * 4, **POLICE)
    assert "Expected:\n- Roads in Porto will be closed for weeks (officials, 12:00)." in brief(closed).summary
    summary = brief(closed, did, far, late).summary
    assert "- 4 May: The railway bridge in Porto was destroyed by the storm (ana)." in summary
    assert "closed for weeks" not in summary
    assert "Status" not in summary
    assert "Tokyo" not in summary


def test_each_section_gets_its_best_line_before_any_gets_a_second_one() -> None:
    rows = (
        "Homes and shops near the harbour were destroyed by the storm",
        "The railway bridge over the river has collapsed",
        "Two schools in the valley were damaged and lost their roofs",
        "Families of missing people can call the helpline 0800 092 0410",
    )
    told = [
        says(text, fact("statement", about=text.lower().split()), by=f"p{n}", **NEWS) for n, text in enumerate(rows)
    ]
    figures = [says(f"{n} were {what}", count(n, what), **POLICE) for n, what in enumerate(("dead", "injured"), 11)]
    summary = brief(*figures, *told).summary
    assert "Needs and help:\n- Families of missing people can call the helpline 0800 092 0410 (p3, 12:00)." in summary
    assert "Course of events:\n- " in summary
    assert len(summary.split()) <= 200


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Please avoid the old town at this time", "Please avoid the old town"),
        ("Families can call the helpline 0800 092 0410 or visit", "Families can call the helpline 0800 092 0410"),
        (
            "Anybody with losses may call 1-800-621-FEMA",
            "Anybody with losses may call 1-800-621-FEMA",
        ),
        ("Please avoid the", ""),
        ("", ""),
    ],
)
def test_advice_of_authorities_says_what_to_do_or_whom_to_call(text: str, told: str) -> None:
    assert advice(text) == told


def test_advice_of_authorities_that_serves_nobody_is_not_passed_on() -> None:
    told = ["Please pray for the old town", "Keep your children away from the river", "Follow us for the latest news"]
    assert [text.partition(" (")[0] for text in brief(says("Flood", guidance=told, **POLICE)).guidance] == [told[1]]


def test_one_telephone_is_one_piece_of_advice_and_that_of_weeks_before_is_not_passed_on() -> None:
    number = "Relatives can call the helpline 0800 092 0410"
    first = says("Call", guidance=[number], by="radio", source="news")
    again = says("Ring", guidance=["The helpline for relatives is 0800 0920410"], minutes=9, **POLICE)
    made = brief(first, again)
    (told,) = made.guidance
    assert "0800 0920410 (police and 1 other, 12:09 UTC)" in told
    assert brief(first, again, says("8 dead", count(8), minutes=60 * 24 * 31, **POLICE)).guidance == []


def status(state: str, phase: str, places: list[str], subject: str = "warning", **more: Any) -> dict[str, Any]:
    about = ["coast", "tsunami", "warning"]
    return fact("status", subject=subject, state=state, phase=phase, scope=places, about=about, **more)


def test_a_warning_of_the_place_is_told_in_our_words_until_it_is_lifted() -> None:
    chile = says("Alerta para Chile", status("in force", "holds", ["chile"]), by="a", **NEWS)
    here = [says(f"{by}: on", status("in force", "holds", ["porto"]), by=by, minutes=5, **NEWS) for by in "bc"]
    assert texts(brief(chile, *here)) == ["A tsunami warning is in force (c and 1 other, 12:05 UTC)"]
    over = [says(f"{by}: over", status("in force", "ended", []), by=by, minutes=60, **NEWS) for by in "de"]
    late = says("Alerta", status("in force", "holds", []), by="f", minutes=90, **NEWS)
    made = brief(chile, *here, *over, late)
    assert [(one.status, one.text) for one in made.key_facts] == [
        ("ended", "The tsunami warning has been lifted (e and 1 other, 13:00 UTC)")
    ]


def test_what_one_report_lifts_in_part_is_not_told_as_lifted() -> None:
    part = [status("in force", "ended", ["porto"]), status("in force", "holds", ["porto"])]
    both = says("The warning is lifted for the harbour. The warning for the old town holds", *part, by="a", **NEWS)
    assert not [one for one in brief(both).key_facts if one.text.startswith("Tsunami warning")]


def test_nobody_has_died_until_somebody_tells_of_a_death() -> None:
    none = says("No fatalities in Porto", count(0), **POLICE)
    assert "has killed no" not in brief(none).summary
    death = fact("statement", about=["dead", "firefighter", "porto"])
    later = says("A firefighter died fighting the fire in Porto", death, minutes=60, **POLICE)
    made = brief(none, later)
    assert texts(made) == ["13:00 UTC: A firefighter died fighting the fire in Porto (police)"]


def test_a_warning_that_never_was_is_no_ended_one() -> None:
    denied = says("No tsunami threat", status("in force", "holds", [], polarity="denied"), **POLICE)
    made = brief(denied)
    assert [(one.status, one.text) for one in made.key_facts] == [
        ("confirmed", "There is no tsunami warning (police, 12:00 UTC)")
    ]
    later = says("8 dead", count(8), minutes=60 * 30, **POLICE)
    assert "tsunami" not in brief(denied, later).summary


def test_a_revised_magnitude_settles_and_two_shocks_are_two() -> None:
    def quake(size: float, minutes: float, by: str) -> Any:
        told = count(size, "magnitude", subject="earthquake", unit="magnitude")
        return says(f"Magnitude {size}", told, by=by, minutes=minutes, **NEWS)

    first = [quake(7.9, n, f"a{n}") for n in range(5)]
    revised = [quake(7.6, 20 + n, f"b{n}") for n in range(3)]
    late = quake(7.9, 60, "late")
    assert texts(brief(*first, *revised, late))[0].startswith(
        "The earthquake had a magnitude of 7.6 (b0 and 2 others, 12:20 UTC)"
    )
    assert texts(brief(*first, *revised, late))[0].endswith("first given as 7.9 (12:00 UTC)")
    again = [quake(7.5, 60 * 48 + n, f"c{n}") for n in range(3)]
    assert [text.partition(" (")[0] for text in texts(brief(*first, *again))] == [
        "The earthquake had a magnitude of 7.5",
        "Earthquake of 4 May: The earthquake had a magnitude of 7.9",
    ]


def test_the_tolls_of_two_earthquakes_are_told_apart() -> None:
    def shock(size: float, dead: int, minutes: float) -> list[Any]:
        told = count(size, "magnitude", subject="earthquake", unit="magnitude")
        return [
            says(f"{by}: magnitude {size}, {dead} dead", told, count(dead), by=by, minutes=minutes, **NEWS)
            for by in "ab"
        ]

    made = brief(*shock(5.9, 7, 0), *shock(5.8, 16, 60 * 24 * 9))
    assert made.key_facts[0].text.startswith("16 people have died (b and 1 other, 13 May 12:00 UTC)")
    assert "up from" not in made.summary
    assert (
        "Earthquake of 4 May:\n"
        "- 7 people have died and the earthquake had a magnitude of 5.9 (b and 1 other, 4 May)." in made.summary
    )


def test_a_summary_begins_with_the_place_in_full_and_ends_with_the_time_of_its_reports() -> None:
    crash = fact("event", type="crash", subject="helicopter", about=["crash", "helicopter", "pub"])
    here: dict[str, Any] = {"event": {"location": "Glasgow", "event_type": "transport"}}
    told = [says("A helicopter crashed into a pub", crash, by=f"a{n}", minutes=n, **here) for n in range(3)]
    near = [says("Roads are full", by=f"b{n}", minutes=n, event={"location": "Paisley"}) for n in range(2)]
    summary = brief(*told, *near).summary
    assert summary.startswith("There are reports of a storm in Glasgow, Scotland, United Kingdom.\n")
    assert summary.endswith("\nReports of 4 May 2026 12:00 to 12:02 (all times UTC).")


def test_reports_that_state_nothing_move_no_time_of_a_brief() -> None:
    told = says("12 people are dead", count("dead", 12), by="a")
    chatter = says("Have a good trip!", by="b", minutes=90).model_copy(update={"verified_claims": []})
    for order in ((told, chatter), (chatter, told)):
        made = brief(*order)
        assert made.reports == 2
        assert made.summary.endswith("\nReports of 4 May 2026 12:00 (all times UTC).")


@pytest.mark.parametrize(
    ("kind", "head", "sudden"),
    [
        ("crash", "A helicopter crash in Porto, Portugal", True),
        ("explosion", "An explosion in Porto, Portugal", True),
        ("flood", "A flood in Porto, Portugal", False),
        ("airquality", "Air pollution in Porto, Portugal", False),
    ],
)
def test_the_first_line_of_what_happened_at_once_has_its_day(kind: str, head: str, sudden: bool) -> None:
    about = fact("statement", about=[kind, "helicopter"] if kind == "crash" else [kind])
    first = says(" and ".join(about["about"]), about, **POLICE)
    state = briefs.new("i", first, NOW)
    for told in (first, says("8 dead", count(8), minutes=60 * 30, **POLICE)):
        state = briefs.with_event(state, told, kind, NOW) or state
        line = briefs.render(briefs.revised(state)).summary.splitlines()[0]
        assert head.casefold() in line.casefold()
        assert ("on 4 May 2026." in line) is sudden
    assert "has killed 8 people" in line
    assert line.startswith(head)


def test_what_a_rumour_adds_to_a_confirmed_event_is_not_quoted_as_confirmed() -> None:
    about = ["chinook", "derail", "gunman", "power", "road", "station", "train"]
    crash = fact("event", subject="crash", about=about)
    rumour = "Gunmen suspected after train derailed at Chinook station, police investigation under way"
    confirmed = says("Responding to a train derailment at Chinook station", crash, **POLICE)
    alone = brief(says(rumour, crash, by="a"), says(rumour, crash, by="b", minutes=1))
    assert any("Gunmen" in text for text in texts(alone)), "two people say so"
    assert not any("Gunmen" in text for text in texts(brief(confirmed, says(rumour, crash, by="a", minutes=1))))
    told = says(
        "Train derailed at Chinook station, power is cut and the road is closed", crash, by="b", minutes=2, **NEWS
    )
    [text] = texts(brief(confirmed, says(rumour, crash, by="a", minutes=1), told))
    assert "power is cut and the road is closed" in text


def test_a_warning_that_was_lifted_later_is_not_quoted_as_in_force() -> None:
    partly = says("Flood warning still in place for the east bank", status("in force", "holds", []), **POLICE)
    lifted = says("The flood warning has been lifted", status("in force", "ended", []), minutes=60, **POLICE)
    summary = brief(partly, lifted).summary
    assert "still in place" not in summary
    assert "warning has been lifted" in summary


@pytest.mark.parametrize(
    ("words", "language", "told"),
    [
        (
            "El 955123456 es el teléfono habilitado para familiares de los heridos",
            "es",
            "Telephone for relatives: 955123456",
        ),
        ("Numeri per emergenze: 070123456-070654321", "it", "Telephone for emergencies: 070123456, 070654321"),
        (
            "Numeri di emergenza: Ferrara 0532 771546 - Borgoverde (Mo): 0535611039 - San Felice: 800210644",
            "it",
            "Telephone for emergencies: Ferrara 0532 771546, Borgoverde 0535611039, San Felice 800210644",
        ),
        ("Llamen al 955123456", "es", "In Spanish: “Llamen al 955123456”"),
        (
            "Shelter pets 4 help E.Side emergency no. 303-413-7730",
            "en",
            "Telephone for emergencies and help: 303-413-7730",
        ),
        ("Call 0800 092 0410 for news of the missing", "en", "Call 0800 092 0410 for news of the missing"),
    ],
)
def test_telephones_that_readers_can_not_read_are_told_in_our_words(words: str, language: str, told: str) -> None:
    assert sentences.as_told(words, language) == told


def test_telephones_that_stand_in_a_row_are_told_one_by_one() -> None:
    told = telephones("Call 0789/69502 0789/52020 or 0800 123 456")
    assert told == ("078969502", "078952020", "0800123456")


def test_a_status_is_told_in_the_words_that_have_its_degree() -> None:
    about = {"about": ["cancelled", "flights"]}
    told = [
        says("At least 128 flights cancelled", fact("statement", **about), by=by, source="news", minutes=n)
        for n, by in enumerate(("radio", "paper"))
    ]
    assert "At least 128 flights were cancelled" in brief(*told).summary
    assert "Flights are cancelled" not in brief(*told).summary


def test_what_held_for_a_time_is_part_of_the_course_once_nobody_tells_it_any_more() -> None:
    closed = says("Schools are closed", fact("statement", about=["school", "closed"], scope=["braga"]), **POLICE)
    assert "Status:\n- Schools are closed in Braga (police, 12:00)." in brief(closed).summary
    later = says("8 dead", count(8), minutes=60 * 30, **POLICE)
    made = brief(closed, later).summary
    assert "Course of events:\n- 4 May 12:00: Schools are closed in Braga (police)." in made
    assert "Status:" not in made


def test_what_many_tell_is_told_first_and_what_one_unknown_voice_tells_is_not() -> None:
    words = ["bus", "river", "bridge", "plunge"]
    many = [
        says("A bus has plunged off the bridge into the river", fact("statement", about=words), by=f"a{n}", minutes=n)
        for n in range(5)
    ]
    alone = says("Looters have robbed the old museum near the harbour", fact("statement", about=["loot"]), by="eva")
    summary = brief(*many, alone).summary
    assert "Course of events:\n- 12:00: A bus has plunged off the bridge into the river (5 sources)." in summary
    assert "museum" not in summary


def test_what_was_done_is_told_in_its_order() -> None:
    rows = (("A dam has collapsed above the old town", 0), ("The railway bridge over the river was destroyed", 300))
    early = [says(text, fact("statement", about=text.split()), minutes=n, **NEWS, by=f"a{n}") for text, n in rows]
    counts = [says(f"{n} dead", count(n), minutes=400 + n, **POLICE) for n in range(8, 12)]
    last = says("Workers have opened the harbour road", fact("statement", about=["harbour"]), minutes=4000, **NEWS)
    end = says("12 dead", count(12), minutes=6000, **POLICE)
    summary = brief(*early[::-1], *counts, last, end).summary
    course = summary.partition("Course of events:\n")[2].splitlines()
    assert [line.partition(" (")[0] for line in course[:-1]] == [
        "- 4 May: A dam has collapsed above the old town",
        "- 4 May: The railway bridge over the river was destroyed",
        "- 7 May 06:40: Workers have opened the harbour road",
    ]


def test_what_the_same_tell_at_the_same_time_of_several_things_is_one_sentence() -> None:
    things = [
        fact("statement", about=["school", "closed"]),
        fact("statement", about=sorted(content("flights cancelled", "en"))),
    ]
    told = brief(says("Schools are closed and flights are cancelled", *things, **POLICE)).summary
    assert "Status:\n- Schools are closed and flights are cancelled (police, 12:00)." in told


def test_the_strongest_later_shock_and_the_highest_of_speeds_are_told() -> None:
    quake = {"subject": "earthquake", "unit": "magnitude"}
    told = [
        says(f"Magnitude {size} earthquake", count(size, "magnitude", **quake), by=by, minutes=minutes, **NEWS)
        for size, by, minutes in [(7.6, "a", 0), (7.6, "b", 5), (5.1, "c", 2_000), (5.6, "d", 4_000)]
    ]
    made = brief(*told)
    assert made.summary.startswith("A magnitude 7.6 earthquake struck Porto, Portugal, on 4 May.\n")
    assert "A later shock had a magnitude of 5.6 (d, 7 May 06:40)." in made.summary
    speeds = [(53, "a"), (42.5, "b"), (52, "c"), (42.5, "d")]
    fast = [
        says(f"It went at {pace} m/s", count(pace, "speed", subject="crash", unit="m/s"), by=by, minutes=n, **NEWS)
        for n, (pace, by) in enumerate(speeds)
    ]
    assert "- The speed was up to 191 km/h (" in brief(*fast).summary


def test_which_part_of_a_place_was_struck_is_told_before_what_passes() -> None:
    share = fact("statement", about=["flood", "porto", "quarter"], scope=["porto"])
    crowd = fact("statement", about=["commuter", "mall", "strand"])
    made = brief(
        says("Officials say 60 % of Porto is flooded", share, by="a", **NEWS),
        says("Commuters are stranded near a mall in the centre", crowd, by="b", **NEWS),
        says("8 dead", count(8), minutes=3_000, **POLICE),
    )
    assert "60 % of Porto" in made.summary


def test_a_no_that_answers_is_no_headline() -> None:
    assert completed("No, the dam has not burst") == "No, the dam has not burst"
    assert completed("No casualties in fire") == "There are no casualties in fire"


def test_each_need_is_a_line_of_its_own() -> None:
    def call(text: str, by: str, minutes: int) -> Any:
        about = [lemma(word, "es") for word in text.lower().split()]
        return says(text, fact("statement", about=about), by=by, source="news", minutes=minutes)

    both = call("Se necesitan carpas y alimentos", "@radio", 0)
    made = brief(both, call("Se necesitan voluntarios", "@tele", 5))
    needs = made.summary.partition("Needs and help:\n")[2].splitlines()[:-1]
    assert sorted(needs) == [
        "- Food is needed (@radio, 12:00).",
        "- Tents are needed (@radio, 12:00).",
        "- Volunteers are needed (@tele, 12:05).",
    ]


def test_a_circumstance_is_told_of_a_place_that_all_name_who_tell_it() -> None:
    def slide(by: str, minutes: int, *places: str) -> Any:
        told = fact("statement", about=["landslid"], scope=places)
        return says("Landslides are reported", told, by=by, source="news", minutes=minutes, verdict="supported")

    same = brief(slide("@radio", 0, "braga"), slide("@tele", 1, "braga"))
    assert "Landslides are reported in Braga (" in same.summary
    apart = brief(slide("@radio", 0, "braga"), slide("@tele", 1, "faro"), slide("@press", 2, "braga"))
    assert "Landslides are reported (" in apart.summary


def test_a_short_number_is_a_telephone_where_it_is_for_a_message() -> None:
    assert telephones("Invia un sms al 45500 per le popolazioni colpite") == ("45500",)
    assert telephones("An SMS that said 12000 people were evacuated") == ()


def test_what_an_authority_states_in_few_words_is_told_and_small_numbers_of_places_are_no_tolls() -> None:
    road = "The A7 between exits 4 and 6 is closed"
    closed = says(road, fact("statement", about=["a7", "exit", "closed"]), **POLICE)
    advised = says("Stay out", fact("statement", about=["stay"]), guidance=["Residents must stay indoors"], **POLICE)
    toll = says("6 people are injured", count(6, "injured"), by="@reuters", minutes=5, **NEWS)
    summary = brief(closed, advised, toll).summary
    assert "- Residents must stay indoors (police, 12:00)." in summary
    assert "A7" in summary


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("A plane carrying supplies crashed near Porto", "A plane carrying supplies crashed near Porto"),
        ("A train carrying ethanol derailed outside Porto", "A train carrying ethanol derailed outside Porto"),
        ("Crews battling blaze caused by lightning in Porto", "Crews are battling blaze caused by lightning in Porto"),
    ],
)
def test_what_goes_on_beside_what_happened_is_no_verb_of_the_sentence(label: str, told: str) -> None:
    assert sentence(label)[0] == told
