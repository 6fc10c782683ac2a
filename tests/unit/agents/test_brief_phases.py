"""Of each thing a brief tells the phase that counts: what holds, what ended, what began anew, and no plans."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.agents.test_briefs import brief, state_of
from tests.unit.facts import says
from tests.unit.reports import report, verify
from verifleet.agents.briefs.holding import held
from verifleet.agents.facts.extract import facts_of
from verifleet.agents.facts.types import FACTS
from verifleet.envelopes import VerifiedEventData
from verifleet.instants import LATEST
from verifleet.reading.read import read

HOUR = 60


def told(text: str, by: str, minutes: float = 0, source: str = "news") -> VerifiedEventData:
    facts: list[dict[str, Any]] = FACTS.dump_python(facts_of(read(text), LATEST), mode="json")
    return says(text, *({**one, "as_of": None} for one in facts), by=by, minutes=minutes, source=source)


def events(*reports: tuple[str, str, float]) -> list[VerifiedEventData]:
    return [told(text, by, hours * HOUR, "news" if by[0] == "@" else "twitter") for text, by, hours in reports]


def summary(*reports: tuple[str, str, float]) -> str:
    return brief(*events(*reports)).summary


def states(*reports: tuple[str, str, float]) -> set[str]:
    """What holds or has ended in our words, whether or not a brief has better ones."""
    return {kind.says for _, kind in held(state_of(*events(*reports)))}


OUT = (("Fire at the refinery extinguished", "@bbc", 1), ("Refinery fire extinguished", "@reuters", 2))


def test_a_fire_that_was_put_out_is_told_so_however_late_others_tell_that_it_burns() -> None:
    assert "The fire has been put out" in summary(*OUT)
    late = summary(*OUT, ("Flames at the refinery, blaze spreads", "@cnn", 3), ("Fire spreads to tank", "@afp", 3.5))
    assert "The fire has been put out" in late
    assert "spreading" not in late


@pytest.mark.parametrize(
    ("plan", "state"),
    [
        ("Typhoon to make landfall on the coast", "The storm has made landfall"),
        ("Airport to reopen at noon", "The airport is open again"),
        ("State of emergency to be declared", "A state of emergency has been declared"),
    ],
)
def test_what_is_only_planned_is_no_state(plan: str, state: str) -> None:
    assert state not in states((plan, "@bbc", 0), (plan, "@reuters", 1))


def test_a_charge_takes_the_place_of_custody_and_goes_with_a_release() -> None:
    held = ("Train driver detained after derailment", "@bbc", 0), ("Driver of train arrested", "@reuters", 1)
    assert "- Train driver was detained after derailment (" in summary(*held)
    charged = ("Driver charged with homicide", "@bbc", 20), ("Driver accused of reckless homicide", "@reuters", 21)
    made = summary(*held, *charged)
    assert "- The driver has been charged with homicide (" in made
    assert "detained" not in made
    freed = ("Train driver released on bail", "@bbc", 40), ("Maquinista del tren queda en libertad", "@efe", 41)
    made = summary(*held, *charged, *freed)
    assert "- The driver has been released (" in made[made.index("homicide") :]


def test_collection_points_that_are_full_are_not_told_as_collecting() -> None:
    full = told("Centri di raccolta saturi: non inviate aiuti", "@comune", 90, "official")
    collecting = told("Raccolta di aiuti per gli alluvionati", "anna")
    made = brief(collecting, full).summary
    assert "Collection points are full" in made
    assert "Donations are collected" not in made


def test_a_newsroom_alone_is_told_in_our_words_what_it_says_in_another_language() -> None:
    assert "Status:\n- A bridge has collapsed (" in summary(("Ponte crollato sulla strada statale 129", "@ansa", 0))
    assert "A bridge has collapsed" not in summary(("Bridge collapsed on the road", "@bbc", 0))


def test_the_speed_of_a_crash_is_told_and_no_limit() -> None:
    text = "The train crashed at 192 km/h in a zone of 80 km/h"
    assert "The speed was 192 km/h" in summary((text, "@efe", 0), (text, "@bbc", 1))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("The evacuation order for zone A of the town has been lifted", "Evacuation orders have been lifted"),
        ("The airport of the city reopens tomorrow at six", "The airport is open again"),
        ("Shelter open at the civic center, 2400 San Bernardo Avenue", "Roads have been opened again"),
        ("One track has reopened with a speed limit of 30 km/h after the crash", "The speed was too high"),
        ("The bridge reopened to cars, trucks are not allowed yet", "Roads have been opened again"),
    ],
)
def test_what_ends_in_part_or_later_or_is_no_cause_is_not_told_of_the_whole(text: str, state: str) -> None:
    assert state not in states((text, "@bbc", 0), (text, "@afp", 1))


def test_who_tells_in_one_report_that_a_thing_ended_and_holds_ends_nothing() -> None:
    both = "Evacuation orders have been lifted in the north. Mandatory evacuation of the south is ordered"
    ended, holds = both.split(". ")
    made = [told(text, by, minutes) for minutes, by in enumerate(("@bbc", "@afp")) for text in (ended, holds)]
    for one, other in (made[:2], made[2:]):
        other.event_id = one.event_id
        one.verified_claims += other.verified_claims
    told_of = brief(made[0], made[2]).summary
    assert f"- {holds} (" in told_of
    assert "lifted" not in told_of
    assert f"- {ended} (@bbc and 1 other, " in summary((ended, "@bbc", 0), (ended, "@afp", 1))


def test_a_boil_water_notice_that_is_lifted_is_not_in_force() -> None:
    lifted = "The boil water notice for the city of Porto has been lifted"
    made = summary(("A boil water notice is in force", "@efe", 0), (lifted, "@bbc", 1), (lifted, "@afp", 2))
    assert "- The boil-water notice has been lifted (" in made
    assert "in force" not in made


def test_a_telephone_that_somebody_known_warns_of_is_not_passed_on() -> None:
    call = "Call the donations hotline 1-900-555-0666 for the victims"
    calls = [(call, f"@{by}", n) for n, by in enumerate(("bbc", "afp", "cnn"))]
    assert "1-900-555-0666" in summary(*calls)
    assert "0666" not in summary(*calls, ("The donations number 1-900-555-0666 is a scam, police say", "@reuters", 3))


def test_what_is_without_power_are_customers() -> None:
    assert "3,200 customers are without power" in summary(("3,200 without power in the city of Porto", "@bbc", 0))


def test_a_telephone_that_is_closed_is_told_no_more_until_it_is_told_again() -> None:
    opened = ("Helpline for residents of Porto 0316 555 100", "@city", 0)
    closed = ("The helpline 0316 555 100 in Porto is now closed", "@city", 5)
    again = ("Porto: call the helpline 0316 555 100 for a bed tonight", "@city", 7)
    road = ("Rua da Torre in Porto is closed, call 0316 555 100 for help", "@city", 5)
    assert "0316 555 100" in summary(opened)
    assert "0316 555 100" in summary(opened, road)
    assert "0316 555 100" not in summary(opened, closed)
    assert "0316 555 100" in summary(opened, closed, again)


def test_an_authority_that_counts_nobody_outdoes_one_unknown_count_and_no_newsroom() -> None:
    none = told("Nine people were hurt in Porto. There are no deaths", "police", source="official")
    lone = told("3 dead in porto hotel fire, so awful", "x", 60, "twitter")
    assert "3 people" not in brief(none, lone).summary
    assert "3 people" in brief(lone).summary
    assert "3 people" in brief(none, told("3 people have died in the Porto hotel fire", "@bbc", 60)).summary


def test_a_third_death_is_three_at_least() -> None:
    two, third = "Two people have died in the Porto fire", "A third person has died after the Porto fire"
    assert "at least 3 people" in summary((two, "@bbc", 0), (third, "@efe", 2))


@pytest.mark.parametrize(
    ("advice", "end"),
    [
        (
            "All residents of Porto must stay indoors after a chemical leak.",
            "The order to stay indoors has been lifted.",
        ),
        ("Boil water notice for Porto: do not drink tap water.", "The boil water notice for Porto has been lifted."),
    ],
)
def test_advice_whose_end_an_authority_tells_is_told_no_more(advice: str, end: str) -> None:
    def written(*texts: str) -> str:
        made = [report(text, "official", minutes=60 * n, author="city") for n, text in enumerate(texts)]
        return brief(*(verify(one, *(other for other in made if other is not one)) for one in made)).summary

    assert advice.rstrip(".") in written(advice)
    assert advice.rstrip(".") not in written(advice, end)
    assert advice.rstrip(".") in written(advice, "The curfew in Porto has been lifted.")
