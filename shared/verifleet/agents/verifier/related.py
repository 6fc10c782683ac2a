"""Which reports can be of one incident, by what the memory keeps of them."""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.agents.regions import different, region_of
from verifleet.agents.verifier.credibility import CREDIBLE
from verifleet.agents.verifier.incident import compatible, same_place, settled, within_window
from verifleet.agents.verifier.memory import TAKEN_BACK, Report


def same_incident(own: Report, other: Report) -> bool:
    """Whether another report can be of the same incident: by kind, place and time."""
    if other.event_id == own.event_id or other.repost:
        return False
    if not within_window(own.time, other.time):
        return False
    if not compatible(own.family, other.family) and not (other.official and own.places and other.places):
        return False  # an authority may file the denial of a flood rumour under another kind; see stance.findings
    if own.places and other.places:
        return own.places == other.places or same_place(own.places, other.places)
    return bool(own.family) and own.family == other.family


def is_taken_back(report: Report, voice: Sequence[Report]) -> bool:
    """Whether the author of a report, among those of one voice, has since taken back what it tells."""
    if len(voice) < 2 or not report.author:
        return False
    figures = {(q.slot, q.low) for made in report.statements for q in made.quantities}
    words = frozenset().union(*(made.words for made in report.statements))
    for later in voice:
        if later.author != report.author or not later.follows(report):
            continue
        for made in later.statements:
            if made.limited != TAKEN_BACK:
                continue
            told = {(q.slot, q.low) for q in made.quantities}
            if told & figures if told else len(made.words & words) > 1:
                return True
    return False


def has_namesakes(own: Report, grouped: Sequence[Sequence[Report]]) -> bool:
    """Whether credible reports tell of the same from two places of one name: who names no region may mean either."""
    home = settled(own.places)[:1]
    if not home:
        return False
    known = {own.places} if region_of(own.places) else set()
    for group in grouped:
        for other in group:
            if (
                other.credibility in CREDIBLE
                and other.places not in known
                and region_of(other.places)
                and settled(other.places)[:1] == home
                and compatible(own.family, other.family)
                and within_window(own.time, other.time)
            ):
                if any(different(other.places, named) for named in known):
                    return True
                known.add(other.places)
    return False
