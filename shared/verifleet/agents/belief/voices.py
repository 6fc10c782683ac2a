"""Whose voice a report is: one author, and copies of one original, are one voice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from verifleet.agents.memory.keys import WINDOW, compatible, near, same_place
from verifleet.agents.memory.report import Report
from verifleet.agents.relate.rarity import rarity
from verifleet.agents.voices.originals import adds_nothing, repeats, same_original

COMPARED = 3
"""Reports of a voice that a copy is looked for among."""
COMMON = 3.5
"""Rarity of the words that two reports without places, or of near ones, have to share to be of one incident."""
STRANGE = 9.0
"""The same where the places are different names, of which one is not known."""


def voices(reports: Iterable[Report]) -> list[list[Report]]:
    """Reports grouped by voice, each group and all groups in an order that does not depend on that of arrival."""
    groups: list[list[Report]] = []
    found: dict[str, set[int]] = defaultdict(set)
    for report in _ranked(reports):
        author = [f"@{report.author}"] if report.author else []
        known = found[author[0]] if author else set[int]()
        if not known:
            near = {index for name in report.copy_keys if name in found for index in found[name]}
            known = {i for i in near if any(same_original(report.original, o.original) for o in groups[i][:COMPARED])}
        number = min(known, default=len(groups))
        if number == len(groups):
            groups.append([])
        groups[number].append(report)
        for name in (*author, *report.copy_keys):
            found[name].add(number)
    return groups


def _ranked(reports: Iterable[Report]) -> list[Report]:
    """Reports, those that count most first, of those that count alike the earliest."""
    return sorted(reports, key=lambda report: (-report.weight, report.time, report.event_id))


def set_apart(reports: Iterable[Report]) -> tuple[list[Report], list[Report]]:
    """Reports in their order, without the reposts that add nothing to another of them, and these reposts.

    Of a report and its reposts the one that counts most stays, of those that count alike the earliest.
    """
    given = list(reports)
    seen: dict[str, list[Report]] = defaultdict(list)
    apart: set[str] = set()
    for report in _ranked(given):
        near = {other.event_id: other for name in report.copy_keys for other in seen[name][:COMPARED]}
        if any(adds_nothing(report.original, other.original) for other in near.values()):
            apart.add(report.event_id)
        else:
            for name in report.copy_keys:
                seen[name].append(report)
    return [r for r in given if r.event_id not in apart], [r for r in given if r.event_id in apart]


def copies(own: Report, other: Report) -> bool:
    """Whether a report only passes on the words of one's own, or the other way round; no authority copies a rumour."""
    if other.official and not own.official:
        return False
    return same_original(own.original, other.original)


def passes_on(own: Report, index: int, other: Report) -> bool:
    """Whether a report only passes on one claim of another; sensors measure what they tell in the same words."""
    if (other.official and not own.official) or other.source == "sensor":
        return False
    return repeats(own.claims[index].words, other.original)


def same_author(own: Report, other: Report) -> bool:
    """Whether two reports are of one author, who is no second voice for what they say themselves."""
    return bool(own.author) and own.author == other.author


def one_incident(own: Report, other: Report) -> bool:
    """Whether two reports can be of one incident: by time, kind of event, place, and words in common."""
    if abs(own.time - other.time) > WINDOW or not compatible(own.family, other.family):
        return False
    if not own.places or not other.places:
        return rarity(own.words & other.words) >= COMMON
    together = near(own.places, other.places)
    if together is False and own.places[0] == other.places[0]:
        return False
    if same_place(own.places, other.places) or own.setting & other.words or other.setting & own.words:
        return True
    if together is False and own.setting & own.words and other.setting & other.words:
        return False  # the same words of two far places: "Flood warning in force for Leeds"
    return rarity(own.words & other.words) >= (COMMON if together else STRANGE if together is None else 2 * STRANGE)
