"""`facts_of`: what a claim says as typed facts, by the clauses that it covers; and what a sensor measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any, Literal

from verifleet.agents.facts.types import Fact, Polarity, Quantity, Statement, Status
from verifleet.agents.lexicon import shipped
from verifleet.reading.dates import YEARS
from verifleet.reading.document import Clause, Document, Span
from verifleet.reading.document import Quantity as Number
from verifleet.reading.numbers import telling_figures
from verifleet.reading.quantities import uncounted
from verifleet.reading.read import denies, telling
from verifleet.reading.sensors import MAX_READINGS, reading_of
from verifleet.reading.words import MAX_WORDS, NO_LONGER, data, fold, idioms_in, lemma, plain_words, stem, to_come
from verifleet.reading.words import words_of as words_in

MAX_FACTS = 24
MAX_ABOUT = 40
BESIDE = 5
"""Words before a magnitude among which "after" and the like tell what it brought; of a toll it is the last one."""
BEHIND = 8
"""Words behind those who are hurt that tell in which state they are."""
_Common = tuple[tuple[str, ...], datetime, str, frozenset[str]]
Phase = Literal["holds", "ended"]
_DENIED = ("unreal", "wished", "asked", "ordered")
_SPEEDS = ("wind", "gust", "storm", "mov", "travel", "head")
_TOLD_OF = re.compile(r"[^,;:\d]*")


@cache
def rules() -> Mapping[str, Any]:
    """The data file: which words put what into which state, and which quantities measure what."""
    listed = shipped("facts/rules.json")
    found: dict[str, Any] = {
        name: frozenset(told.split("|") if "|" in told else told.split()) if isinstance(told, str) else told
        for name, told in listed.items()
    }
    for rule in found["states"]:
        rule["of"] = frozenset(rule["of"].split())
        for phase in ("holds", "ended"):
            rule[phase] = {state: frozenset(cues.split()) for state, cues in rule[phase].items()}
    return found


def facts_of(document: Document, time: datetime, span: Span | None = None) -> tuple[Fact, ...]:
    """The facts of the clauses within a span of a document that was made at a time, of all without one.

    Of what is only wished there are none; that a claim says so beside is its last fact.
    """
    found: dict[Fact, None] = {}
    hazards = words_of(document).intersection(data("lexicon")["hazards"])
    clauses = list(_clauses(document, span, time))
    for clause in clauses:
        for fact, at in _of_clause(clause, document.language, time, hazards):
            if span is not None and at is not None and not (at[0] < span[1] and span[0] < at[1]):
                continue
            if isinstance(fact, Quantity) and fact.comparison == "more" and _is_first(fact.attribute, document, clause):
                fact = replace(fact, comparison="")
            found.setdefault(fact)
            if len(found) >= MAX_FACTS:
                return tuple(found)
    wished = frozenset(word for clause in clauses if clause.modality in _DENIED for word in clause.lemmas)
    if span is not None and found and wished:
        found.setdefault(Statement("possible", (), time, "", wished))
    return tuple(found)


def facts_of_readings(readings: Any, scope: tuple[str, ...], time: datetime) -> tuple[Quantity, ...]:
    """Facts of an event's `metadata.readings`; a reading without a time is of the report's."""
    found = []
    for one in filter(None, map(reading_of, readings[:MAX_READINGS])) if isinstance(readings, list) else ():
        names, value = (one.sensor, frozenset[str](), one.sensor, one.quantity), one.value
        found.append(Quantity("asserted", scope, one.time or time, *names, value, value, one.unit))
    return tuple(found)


def _is_first(attribute: str, document: Document, clause: Clause) -> bool:
    """Whether others are counted before a clause and none like these: "24 people died. Another 80 were injured"."""
    before = (one for told in document.sentences for one in told.clauses if one.span[1] <= clause.span[0])
    befell = {number.predicate for one in before for number in one.quantities if number.predicate}
    return bool(befell) and attribute not in befell


def words_of(document: Document) -> frozenset[str]:
    """The content lemmas of a whole document."""
    return frozenset(lemma for sentence in document.sentences for clause in sentence.clauses for lemma in clause.lemmas)


def _clauses(document: Document, span: Span | None, time: datetime) -> Iterator[Clause]:
    """The clauses of a span, but for those of another year."""
    for sentence in document.sentences:
        for clause in sentence.clauses:
            if _is_of_another_year(clause, document.language, time):
                continue
            if span is not None:
                shared = min(span[1], clause.span[1]) - max(span[0], clause.span[0])
                if shared * 3 < min(clause.span[1] - clause.span[0], max(span[1] - span[0], 1)):
                    continue
            yield clause


# A clause is asked for by the whole report and by each claim in it.
@lru_cache(maxsize=256)
def _of_clause(
    clause: Clause, language: str, time: datetime, hazards: frozenset[str]
) -> tuple[tuple[Fact, Span | None], ...]:
    """The facts of a clause; of those that a figure counts with where it stands."""
    figures = telling_figures(clause)
    if clause.modality in _DENIED or not (clause.lemmas or figures or clause.quantities):
        return ()
    polarity: Polarity = "denied" if clause.negated else "asserted"
    if clause.modality in ("possible", "predicted"):
        polarity = "possible"
    noise = _noise(language)
    if clause.negated:
        noise |= {lemma(word, language) for word in plain_words(clause.text) if telling(word) or denies(word)}
    about = frozenset(clause.lemmas[:MAX_ABOUT]) - noise
    scope = tuple(name for name in dict.fromkeys(map(fold, clause.names)) if name not in noise)[:6]
    common: _Common = (scope, time, clause.attributed_to, about)
    none = _none_of(clause, language) if language else ""
    told: list[Fact] = []
    if language:
        if none and not any(number.predicate == none for number in clause.quantities):
            unsure = any(word in fold(clause.text) for word in rules()["no report"])
            told.append(Quantity("possible" if unsure else "asserted", *common, "people", none, 0.0, 0.0))
        for stated, subject, state, phase in _statuses(clause):
            told.append(Status("possible" if polarity == "possible" else stated, *common, subject, state, phase))
        centre = clause.names and "evacuated" in clause.lemmas
        if centre and not rules()["centres"].isdisjoint(plain_words(clause.text)):
            denied: Polarity = "possible" if polarity == "possible" else "denied" if clause.denials else "asserted"
            told.append(Status(denied, *common, "shelter", fold(clause.names[-1])))
    if not (none and polarity == "denied"):  # "No casualties" counts them, and says no more
        told.append(Statement(polarity, *common, figures))
    counted = list(_counted(clause, polarity, common, hazards))
    if language and polarity == "asserted":
        for attribute, low, high in uncounted(clause.text):  # "all 30 missing were found" leaves none
            found = attribute == "missing" and low == high
            counted = [one for one in counted if not (found and one[0].attribute == attribute)]
            if found or not clause.quantities:
                told.append(replace(Quantity(polarity, *common, "people", attribute, low, high), beside=not found))
    return (*counted, *((fact, None) for fact in told))


def _is_of_another_year(clause: Clause, language: str, time: datetime) -> bool:
    """Whether a clause tells of an earlier year: "in 1998"."""
    told = pairwise(plain_words(clause.text)) if language else ()
    dated = (year for before, year in told if before in rules()["in"] and len(year) == len("1998"))
    return any(year.isdecimal() and int(year) in range(YEARS.start, time.year) for year in dated)


@cache
def _noise(language: str) -> frozenset[str]:
    """Words that say nothing of their own, and those that deny."""
    denying = words_in(language or "en", "negation")
    plain = words_in("en", "stop")
    return denying | plain | {lemma(word, language) for word in denying} | {stem(word, language) for word in plain}


def _counted(
    clause: Clause, polarity: Polarity, common: _Common, hazards: frozenset[str]
) -> Iterator[tuple[Quantity, Span | None]]:
    """What figures and words count, and where the figures stand: 12 dead, a suspect who acted alone."""
    told = frozenset(fold(clause.text).split())
    for number in clause.quantities:
        measured = _measured(number, clause, hazards)
        if measured is None:
            continue
        covered = any(start < number.span[1] and number.span[0] < end for start, end in clause.denials)
        stated: Polarity = "denied" if covered else "possible" if polarity == "possible" else "asserted"
        made = Quantity(stated, *common, *measured, number.low, number.high, number.unit)
        compared = "before" if told & rules()["before"] else number.comparison  # "initially 6.3", "7.9 -> 7.6"
        beside = _beside(clause, number)
        yield replace(made, approximate=number.approximate, comparison=compared, beside=beside), number.span
    said = f" {' '.join(plain_words(clause.text))} "
    if any(f" {cue} " in said for cue in rules()["alone"]):
        yield Quantity(polarity, *common, "suspects", "count", 1.0, 1.0), None


def _beside(clause: Clause, number: Number) -> bool:
    """Whether a figure is of what the rest of its clause came after or of: "an alert after a 7.9 earthquake"."""
    before = _around(clause, number)[0]
    return not rules()["after"].isdisjoint(before[-BESIDE:] if number.unit == "magnitude" else before[-1:])


def _around(clause: Clause, number: Number) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The words before a number, its own, and the text behind it."""
    start, end = (max(0, at - clause.span[0]) for at in number.span)
    return plain_words(clause.text[:start]), plain_words(clause.text[start:end]), clause.text[end:]


# --- quantities ------------------------------------------------------------


def _measured(number: Number, clause: Clause, hazards: frozenset[str]) -> tuple[str, str] | None:
    """Subject and attribute of a number: ("people", "dead"), ("earthquake", "magnitude"); None for what has no name."""
    if number.unit:
        return _read_off(number, clause, hazards)
    if number.predicate in rules()["befalls people"]:
        if number.predicate == "injured" and _is_grave(*_around(clause, number)):
            return "people", "badly injured"
        if number.noun in rules()["things"]:
            return number.noun, number.predicate
        return (number.noun if number.noun in rules()["groups"] else "people"), number.predicate
    if number.predicate:
        return number.noun or "things", number.predicate
    return (number.noun, "count") if number.noun in rules()["counted"] else None


def _is_grave(before: Sequence[str], own: Sequence[str], behind: str) -> bool:
    """Whether those who are hurt are so badly: "two critically injured", "30 feridos em estado grave"."""
    told = plain_words(_TOLD_OF.match(behind)[0])[:BEHIND]  # type: ignore[index]
    return not (rules()["gravely"].isdisjoint((*before[-2:], *own)) and rules()["grave"].isdisjoint(told))


def _read_off(number: Number, clause: Clause, hazards: frozenset[str]) -> tuple[str, str] | None:
    """What a number with a unit measures: of what, and which quality."""
    if number.unit == "psi":
        return "air", "24-hour psi" if "24" in clause.text.split("-")[0] else "psi"
    if number.unit == "%":
        return ("fire", "containment") if number.predicate == "contained" else None
    if number.unit == "m/s" and not hazards.isdisjoint(("storm", "crash")):
        return _speed(*_around(clause, number), "storm" in hazards)
    if number.unit == "level":
        return number.noun, "level"
    named = {
        "magnitude": ("earthquake", "magnitude"),
        "m2": ("fire", "area") if "fire" in hazards else ("m2", "amount"),
    }
    return named.get(number.unit, (number.unit, "amount"))


def _speed(before: Sequence[str], own: Sequence[str], behind: str, storm: bool) -> tuple[str, str] | None:
    """The speed of a crash, no limit; of a storm that of its winds, not the one at which it moves."""
    after = (*own, *plain_words(behind))
    if not storm:
        return ("crash", "speed") if rules()["limits"].isdisjoint((*before[-BESIDE:], *after[: len(own) + 2])) else None
    near = (
        known[0] for word in (*reversed(before), *after) for known in _SPEEDS if lemma(word, "en").startswith(known)
    )
    return ("storm", "wind speed") if next(near, "m") != "m" else None


def _none_of(clause: Clause, language: str) -> str:
    """What befell nobody, by a clause such as "no casualties"."""
    start, end = clause.denials[0] if clause.denials else clause.span[:1] * 2
    said = fold(clause.text[max(0, start - clause.span[0]) : end - clause.span[0]]).split()
    befell = rules()["casualties"].intersection(said)
    if not befell:
        named = {lemma(word, language) for word in said}
        nobody = not rules()["nobody"].isdisjoint(said) and clause.negated
        asked = ("dead", "injured") * nobody + ("missing", "trapped")
        return next((name for name in asked if name in named or (nobody and name in clause.lemmas)), "")
    return "injured" if all(lemma(word, language) == "injured" for word in befell) else "dead"


# --- states ------------------------------------------------------------


def _statuses(clause: Clause) -> Iterator[tuple[Polarity, str, str, Phase]]:
    """Whether so or not, subjects, states and phases by the words of a clause: a road closed, a warning lifted."""
    due = [rule for rule in rules()["states"] if not rule["of"].isdisjoint(clause.lemmas)]
    if not due:
        return
    told = list(plain_words(clause.text))
    named = [lemma(word, "") for word in told]
    over = False
    for places, name in idioms_in(told):
        over |= name == NO_LONGER
        for place in places:
            told[place] = named[place] = name
    open_ended = not rules()["conditions"].isdisjoint(told)  # "stranded until the water recedes"
    phases: tuple[Phase, ...] = ("holds",) if open_ended else ("ended", "holds")
    # A hashtag can be what a state is of, but tells none.
    prose = [not word.startswith("#") for word in fold(clause.text).split()[:MAX_WORDS]]
    ends = accumulate((len(word) + 1 for word in clause.text.split()[:MAX_WORDS]), initial=clause.span[0] - 1)
    covered = [any(first < end <= last for first, last in clause.denials) for end in [*ends][1:]]
    coming = to_come(told)
    for rule in due:
        reach = rule.get("within", MAX_WORDS)
        at = [0] if reach == MAX_WORDS else [index for index, name in enumerate(named) if name in rule["of"]]
        near = [j for i in at for j in range(i, min(i + reach + 1, len(told))) if prose[j]]
        for phase, state in [(name, state) for name in phases for state in rule[name]]:
            cues = rule[phase][state]
            cued = [j for j in near if told[j] in cues or (named[j] in cues and not rule.get("forms"))]
            if cued:
                denied = any(covered[j] for j in cued)  # what has not ended holds
                polarity: Polarity = "denied" if denied and phase == "holds" else "asserted"
                polarity = "possible" if all(coming[j] for j in cued) else polarity
                holds = denied or (phase == "holds") != over  # what is closed no longer is closed no more
                yield polarity, rule["subject"], state, "holds" if holds else "ended"
                break
