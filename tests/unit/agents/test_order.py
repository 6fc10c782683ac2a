"""Verdicts depend on what is told and when, not on the order in which reports of the same time arrive."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.reports import report, verify
from verifleet.agents.pipeline import Prepared

TOLD = (
    ("12 people were killed by the storm in Porto", "twitter"),
    ("Storm kills 12 in Porto, hospital says", "news"),
    ("At least 9 dead in the Porto storm", "news"),
    ("Death toll of the Porto storm rises to 19, police say", "news"),
    ("Nobody died in the storm in Porto", "twitter"),
    ("No deaths in the Porto storm, officials say", "emergency"),
    ("Correction: 11 people were killed by the storm in Porto", "official"),
    ("RT @ana: 12 people were killed by the storm in Porto", "twitter"),
    ("Not true! RT @ana: 12 people were killed by the storm in Porto", "twitter"),
    ("The Arada bridge in Porto is closed", "twitter"),
    ("The Arada bridge in Porto is open again", "official"),
    ("40 injured as the storm hits Porto", "twitter"),
    ("12 muertos por la tormenta en Porto", "twitter"),
    ("???", "twitter"),
)
REPORTS = st.lists(
    st.tuples(st.sampled_from(TOLD), st.sampled_from(("ana", "bo", "radio", "city")), st.sampled_from((0, 0, 0, 30))),
    min_size=2,
    max_size=7,
    unique=True,
)


def _made(told: tuple[tuple[str, str], str, int]) -> Prepared:
    (text, source), author, minutes = told
    return report(text, source, minutes=minutes, author=author, event_id=f"{author} {minutes} {text}")


@settings(max_examples=80, deadline=None)
@given(REPORTS, st.randoms(use_true_random=False))
def test_verdicts_do_not_depend_on_the_order_of_arrival(
    told: list[tuple[tuple[str, str], str, int]], order: Random
) -> None:
    own, *others = map(_made, told)
    first = verify(own, *others).model_dump()
    order.shuffle(others)
    assert verify(own, *others).model_dump() == first
