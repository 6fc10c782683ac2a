"""What clauses tell of an incident beside counts, in our own words: warnings, closures, arrests, what has ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from verifleet.reading.words import LANGUAGES, data, fold, lemma

WEATHER = frozenset({"rain", "wind"})
DAY, HOUR = 86_400, 3_600


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A thing that can be told: its words, which clauses tell it, and for how long (`hours`, 0 for good).

    With `over` it is told that the thing has ended.
    """

    thing: str
    text: str
    hours: int = 0
    over: bool = False
    status: str = ""
    about: tuple[frozenset[str], ...] = ()
    unlike: frozenset[str] = frozenset()
    says: str = ""
    section: str = ""

    def named_by(self, about: frozenset[str]) -> bool:
        """Whether a statement about these words tells it."""
        return all(not about.isdisjoint(group) for group in self.about) and about.isdisjoint(self.unlike)


@cache
def document() -> Mapping[str, Any]:
    """The data file: what can be told, who answers for it, and what befell those who are counted."""
    found: Mapping[str, Any] = json.loads(files(__package__).joinpath("circumstances.json").read_text("utf-8"))
    return found


@cache
def circumstances() -> Mapping[str, Circumstance]:
    """All that can be told, by its text."""
    made = []
    for row in document()["told"]:
        groups = tuple(map(_lemmas, row.get("about", ())))
        made.append(Circumstance(**{**row, "about": groups, "unlike": _lemmas(row.get("unlike", ""))}))
    return {one.text: one for one in made}


@cache
def _by_status() -> Mapping[str, Sequence[Circumstance]]:
    """Those that a status tells, by it; under "" those that a statement tells."""
    found: dict[str, list[Circumstance]] = {}
    for one in circumstances().values():
        found.setdefault(one.status, []).append(one)
    return found


def _told_by(fact: Mapping[str, Any], about: frozenset[str]) -> Sequence[Circumstance]:
    """What a fact about these words tells; that a thing has not ended, that it holds."""
    denied = fact.get("polarity") == "denied"
    if fact.get("kind") == "status":
        phase = "denied" if denied else fact.get("phase", "")
        told = _by_status().get(f"{fact.get('subject', '')} {fact.get('state', '')} {phase}", ())
        return [one for one in told if one.named_by(about)]
    named = [one for one in _by_status()[""] if one.named_by(about)] if fact.get("kind") == "statement" else []
    if not denied:
        return named
    going_on = {one.thing for one in named if one.over}
    holding = {one.thing: one for one in [*circumstances().values()][::-1] if not one.over}
    return [one for thing, one in holding.items() if thing in going_on]


def _lemmas(words: str) -> frozenset[str]:
    return frozenset(lemma(fold(word), spoken) for word in words.split() for spoken in LANGUAGES)


def told_in(fact: Mapping[str, Any], about: Iterable[str], common: Mapping[str, int]) -> dict[str, str]:
    """What one fact tells, by its text, each with the hazard that a warning is of: the least `common` that it names."""
    if fact.get("polarity") == "possible":
        return {}
    words = frozenset(about)
    found = _told_by(fact, words)
    if not found:
        return {}
    hazards = sorted(words & (data("lexicon")["hazards"].keys() | WEATHER))
    # Nobody warns of an earthquake, which is what the warning came of.
    hazard = min(hazards, key=lambda word: (word == "earthquake", common.get(word, 0)), default="")
    return {one.text: hazard if "{}" in one.text else "" for one in found if hazard or "{}" not in one.text}
