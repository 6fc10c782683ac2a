"""What the rules compare, and what they find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Literal

from verifleet.agents.facts.types import Fact, Quantity, Statement, Status
from verifleet.reading.words import LANGUAGES, NO_LONGER, data, fold, lemma, offices, stem

Stance = Literal["supports", "refutes", "updates", "neutral"]
ANSWERABLE = frozenset({"official", "news", "sensor"})
"""Classes of sources that answer for what they tell."""


def of_sensor(fact: Quantity) -> bool:
    """Whether a figure is a sensor's own reading: the sensor is what it is about, and who says so."""
    return bool(fact.subject) and fact.subject == fact.attributed_to


def of_office(fact: Fact) -> bool:
    """Whether an office or an agency is said to say so, not a newsroom that is known by its name alone."""
    return not frozenset(fact.attributed_to.split()).isdisjoint(offices())


@cache
def _in_passing() -> frozenset[str]:
    """Words that belong to figures and to who says so, in the languages that are read: "eight", "at least", "says"."""
    kinds = ("numbers", "vague", "least", "attribution")
    listed = [data("languages")["no_speaker"], *(data("languages")[name][kind] for name in LANGUAGES for kind in kinds)]
    texts = (told if isinstance(told, str) else " ".join(told) for told in listed)
    words = {"people", *(word for text in texts for word in fold(text.replace("|", " ")).split())}
    return frozenset(words | {stem(word, language) for word in words for language in LANGUAGES})


ENDED = frozenset({"cancel", "ended", "open"})
"""Lemmas that tell the end of a state: who denies that says that the state holds."""


@cache
def endings() -> Mapping[str, frozenset[str]]:
    """The lemmas of an end, each with those of what it ends: of what is closed that it is open again."""
    listed: Mapping[str, str] = data("lexicon")["endings"]
    return {
        lemma(end, spoken): frozenset(lemma(fold(word), language) for language in LANGUAGES for word in ended.split())
        for end, ended in listed.items()
        for spoken in LANGUAGES
    }


def is_over(fact: Statement) -> bool:
    """Whether a statement tells that something is not so, or is so no more."""
    return ((fact.polarity == "denied") == ENDED.isdisjoint(fact.about)) != (NO_LONGER in fact.about)


def ends(its: Statement, own: Statement) -> bool:
    """Whether a statement tells the end of what another one tells: that what is closed there is open."""
    if its.polarity != "asserted":
        return False
    told = endings()
    return any(
        (not told[end] or own.about & told[end]) and not own.about & ENDED - told[end]
        for end in told.keys() & (its.about - own.about)
    )


ROOT = 5
"""Letters by which words of several languages and forms are one: "Russia" and "Russian", "Ronaldo" and "Ronald"."""


def roots(words: Iterable[str]) -> frozenset[str]:
    """The roots of some words."""
    return frozenset([word[:ROOT] for word in words])


@dataclass(frozen=True)
class Told:
    """What one claim, or one whole report, tells.

    Attributes:
        facts: its facts.
        time: when its report was made.
        source: class of its source ("official", "news", "sensor", anything else for anybody).
        setting: folded words that name the incident itself (its place, its kind), which make nothing specific.
        marked: it calls itself revised, corrected or a correction.
        claims: of a whole report, the facts of each of its claims.
    """

    facts: tuple[Fact, ...]
    time: datetime
    source: str = "other"
    setting: frozenset[str] = frozenset()
    marked: bool = False
    claims: tuple[tuple[Fact, ...], ...] = ()

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Its quantities."""
        return tuple(fact for fact in self.facts if isinstance(fact, Quantity))

    @cached_property
    def kinds(self) -> frozenset[tuple[str, str]]:
        """What its quantities measure, and in which unit."""
        return frozenset((fact.attribute, fact.unit) for fact in self.quantities)

    @cached_property
    def statuses(self) -> tuple[Status, ...]:
        """Its statuses."""
        return tuple(fact for fact in self.facts if isinstance(fact, Status))

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What its statuses are about."""
        return frozenset(fact.subject for fact in self.statuses)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """One for each of its clauses."""
        return tuple(fact for fact in self.facts if isinstance(fact, Statement))

    @cached_property
    def denials(self) -> tuple[Statement, ...]:
        """What it denies, and what it tells the end of."""
        return tuple(
            one for one in self.statements if one.polarity == "denied" or not endings().keys().isdisjoint(one.about)
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """All its content lemmas."""
        return frozenset(lemma for fact in self.statements for lemma in fact.about)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of all its content lemmas."""
        return roots(self.words)

    @cached_property
    def claimed(self) -> frozenset[str]:
        """The roots of the words of a whole report's claims."""
        facts = {fact for told in self.claims for fact in told if isinstance(fact, Statement)}
        return roots(word for fact in facts for word in fact.about)

    @cached_property
    def clauses(self) -> tuple[frozenset[str], ...]:
        """The roots of the words of each of its clauses."""
        return tuple(roots(fact.about) for fact in self.statements)

    @cached_property
    def core(self) -> frozenset[str]:
        """Its words beside those of its place, of figures and of who says so."""
        speakers = tuple(word[:4] for fact in self.facts for word in fact.attributed_to.split())
        told = self.words - self.setting - _in_passing()
        return frozenset(word for word in told if not word.startswith(speakers))

    @cached_property
    def figures(self) -> frozenset[str]:
        """The telling numbers in it."""
        return frozenset(figure for fact in self.statements for figure in fact.figures)

    @cached_property
    def measured(self) -> bool:
        """Whether it is a sensor's reading."""
        return any(map(of_sensor, self.quantities))

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of the names in its clauses."""
        return frozenset(word for fact in self.statements for name in fact.scope for word in name.split())

    @cached_property
    def main_figures(self) -> tuple[Quantity, ...]:
        """The figures that it is about: the magnitude of the earthquake that caused a toll is not one of them."""
        told = tuple(fact for fact in self.quantities if not fact.beside)
        tolls = tuple(fact for fact in told if fact.unit != "magnitude" and fact.attribute != "amount")
        return tolls or tuple(fact for fact in told if fact.unit == "magnitude")

    @cached_property
    def answerable(self) -> bool:
        """Whether its source, or whom it names as its source, answers for what is told."""
        return self.source in ANSWERABLE or any(fact.attributed_to for fact in self.facts)


def elsewhere(one: Told, other: Told, beside: frozenset[str] = frozenset()) -> bool:
    """Whether both name somebody or some place beside some words, and neither tells of whom the other names."""
    named = [{word[:4] for word in told.names} - {word[:4] for word in beside} for told in (one, other)]
    told = [{word[:4] for word in told.names | told.words} for told in (other, one)]
    return all(mine and mine.isdisjoint(theirs) for mine, theirs in zip(named, told, strict=True))


@dataclass(frozen=True, slots=True)
class Finding:
    """What a report says about a claim.

    Attributes:
        stance: "updates" when both can be right, at their times.
        rule: id of the rule that found it.
        strength: 0..1.
        reason: what was compared, in plain words.
    """

    stance: Stance
    rule: str
    strength: float
    reason: str
