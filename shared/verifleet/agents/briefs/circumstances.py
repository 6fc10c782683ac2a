"""What clauses tell of an incident beside counts, in our own words: warnings, closures, arrests, what has ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from verifleet.agents.lexicon import shipped
from verifleet.reading.words import LANGUAGES, data, fold, lemma, to_come

WEATHER = frozenset({"rain", "wind"})
CAUSES = frozenset("earthquake crash shooting meteor attack collapse explosion".split())
"""Hazards that nobody warns of; warnings come of them."""
DAY, HOUR = 86_400, 3_600
_LATER = frozenset("tomorrow manana domani demain morgen amanha".split())
"""When what ends has not yet."""


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A phase of a thing that can be told: its words, which clauses tell it, and for how long (`hours`, 0 for good).

    The data file says what each of these is; `order`: the how many-th phase it is; `local`: of use to those alone who
    know where.
    """

    thing: str
    text: str
    says: str
    order: int
    hours: int = 0
    over: bool = False
    status: str = ""
    about: tuple[frozenset[str], ...] = ()
    unlike: frozenset[str] = frozenset()
    section: str = ""
    slot: str = ""
    forms: bool = False
    yields: str = ""
    local: bool = False

    def named_by(self, clause: Clause) -> bool:
        """Whether a statement in these words tells it: not as something that is to come."""
        words = clause.told if self.forms else clause.about
        words = words if self.section == "needs" else words - clause.planned
        if self.over and not clause.told.isdisjoint(_LATER):
            return False
        return all(not words.isdisjoint(group) for group in self.about) and words.isdisjoint(self.unlike)


class Clause:
    """The words of a claim: lemmas, forms, and those of what is only to come ("to make landfall")."""

    def __init__(self, about: Iterable[str], label: str) -> None:
        self.about = frozenset(about)
        self.row, self.planned = _read(label)
        self.told = frozenset(self.row)


@lru_cache(maxsize=2048)
def _read(label: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of a label, and the names of those that are only to come."""
    row = tuple(word.strip(".,;:!?'\"()") for word in fold(label).split())
    coming = list(zip(row, to_come(row), strict=True))
    planned = frozenset(name for word, comes in coming if comes for name in _names(word))
    return row, planned.difference(name for word, comes in coming if not comes for name in _names(word))


@lru_cache(maxsize=4096)
def _names(word: str) -> frozenset[str]:
    return frozenset((word, *(lemma(word, spoken) for spoken in LANGUAGES)))


@cache
def document() -> Mapping[str, Any]:
    """The data file: what can be told, and what befell those who are counted."""
    found: Mapping[str, Any] = shipped("briefs/circumstances.json")
    return found


@cache
def circumstances() -> Mapping[str, Circumstance]:
    """All that can be told, by its text."""
    groups = document()["words"] | {"person": " ".join(document()["persons"].values())}
    made = []
    for order, row in enumerate(document()["told"]):
        read = _forms if row.get("forms") else _lemmas
        about = tuple(read(groups[one[1:]] if one[0] == "@" else one) for one in row.get("about", ()))
        made.append(Circumstance(**{**row, "order": order, "about": about, "unlike": read(row.get("unlike", ""))}))
    return {one.text: one for one in made}


@cache
def _by_status() -> Mapping[str, Sequence[Circumstance]]:
    """Those that a status tells, by it; under "" those that a statement tells."""
    found: dict[str, list[Circumstance]] = {}
    for one in circumstances().values():
        found.setdefault(one.status, []).append(one)
    return found


@cache
def _by_word() -> Mapping[str, Sequence[Circumstance]]:
    """Those that a statement tells, by each of the words of which it must have one."""
    found: dict[str, list[Circumstance]] = {}
    for one in _by_status()[""]:
        for word in min(one.about, key=len):
            found.setdefault(word, []).append(one)
    return found


def _told_by(fact: Mapping[str, Any], clause: Clause) -> Sequence[Circumstance]:
    """What a fact about these words tells."""
    denied = fact.get("polarity") == "denied"
    if fact.get("kind") == "status":
        phase = "denied" if denied else fact.get("phase", "")
        told = _by_status().get(f"{fact.get('subject', '')} {fact.get('state', '')} {phase}", ())
        return [one for one in told if one.named_by(clause)]
    words = clause.about | clause.told if fact.get("kind") == "statement" else ()
    near = {one.order: one for word in words for one in _by_word().get(word, ())}
    return [] if denied else [one for _, one in sorted(near.items()) if one.named_by(clause)]


def _lemmas(words: str) -> frozenset[str]:
    return frozenset(lemma(fold(word), spoken) for word in words.split() for spoken in LANGUAGES)


def _forms(words: str) -> frozenset[str]:
    return frozenset(words.split())


def told_in(
    fact: Mapping[str, Any], about: Iterable[str], label: str, common: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """What one fact of a claim tells: its text, and of which hazard or whom.

    A warning is of the least `common` hazard that the claim names.
    """
    clause = Clause(about, label)
    told = _told_by(fact, clause) if fact.get("polarity") != "possible" else ()
    hazards = sorted(clause.about & (data("lexicon")["hazards"].keys() - CAUSES | WEATHER))
    hazard = min(hazards, key=lambda word: common.get(word, 0), default="")
    for one in {one.thing: one for one in told}.values():  # what tells two phases of a thing tells the further one
        slot = _person(clause.row) if one.slot else hazard
        if slot or "{}" not in one.text:
            yield one.text, slot if "{}" in one.text else ""


def _person(row: Iterable[str]) -> str:
    """The first of those whom a claim may be about that it names: a suspect, a driver."""
    named = {word: who for who, words in document()["persons"].items() for word in words.split()}
    return next((named[word] for word in row if word in named), "")
