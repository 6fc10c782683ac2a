"""A report as the memory keeps it: its claims' facts, whose voice it is, and the features that it is found by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError

from verifleet.agents.facts.types import Fact, Quantity, Status
from verifleet.agents.memory.keys import ANYWHERE, NOWHERE, key
from verifleet.agents.relate.rarity import rarity
from verifleet.agents.relate.types import Told
from verifleet.agents.voices.originals import keys
from verifleet.agents.voices.replies import links
from verifleet.envelopes import Timestamp
from verifleet.reading.replies import Reply
from verifleet.reading.reposts import NO_ORIGINAL, Original
from verifleet.reading.words import data, stem

VERSION = 2
"""Of documents; those of another one can't be read."""
MAX_CLAIMS = 64
MAX_FACTS = 48
MAX_LABEL = 240
MAX_WORDS = 12
MAX_FIGURES = 4
LONG_FIGURE = 3
"""Digits of a figure that reports are found by."""
SPECIFIC = 4.5
"""Rarity from which a word is specific."""
_HAZARDS = frozenset(data("lexicon")["hazards"])
OFFICIAL = "!"
"""Mark of the features under which official reports are found once more, so that no flood of posts hides them."""


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """A claim: how it is shown, its facts, and its words as copies are told by, for `agents.voices` alone."""

    label: str
    facts: tuple[Fact, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What is kept of a report. No floor behind the memory sees more of it.

    Attributes:
        credibility: class of its source; `weight` is how much that counts, in log-odds.
        author: whose voice it is, folded: of a repost, who wrote the original.
        original: its words as copies are told by; for `agents.voices` alone.
        claims: in the order in which the event tells them.
        gist: how it is shown where it claims nothing.
        facts: of the whole report, of what is no claim too.
        marked: it calls itself a correction or revised.
        answers: the event that it replies to, "" for none; original_id: its id as the publisher gave it.
        reply: what is kept of it as a reply, for `agents.voices` alone.
    """

    event_id: str
    time: Timestamp
    source: str = "other"
    credibility: str = "other"
    weight: float = 0.5
    author: str = ""
    places: tuple[str, ...] = ()
    family: str = ""
    claims: tuple[KeptClaim, ...] = ()
    gist: str = ""
    facts: tuple[Fact, ...] = ()
    original: Original = NO_ORIGINAL
    marked: bool = False
    language: str = "en"
    answers: str = ""
    original_id: str = ""
    reply: Reply | None = None
    arrived: float = 0.0

    @property
    def official(self) -> bool:
        """Whether an authority reports."""
        return self.credibility == "official"

    @cached_property
    def told(self) -> Told:
        """All that it tells, as evidence on claims of others."""
        claims = tuple(claim.facts for claim in self.claims)
        return Told(self.facts, self.time, self.credibility, self.setting, self.marked, claims=claims)

    @cached_property
    def setting(self) -> frozenset[str]:
        """The words of its place."""
        return frozenset(form for place in self.places for word in place.split() for form in (word, stem(word, "en")))

    @cached_property
    def told_by_claim(self) -> tuple[Told, ...]:
        """What each of its claims tells."""
        return tuple(Told(c.facts, self.time, self.credibility, self.setting, self.marked) for c in self.claims)

    @cached_property
    def words(self) -> frozenset[str]:
        """All its content lemmas."""
        return self.told.words

    @cached_property
    def copy_keys(self) -> tuple[str, ...]:
        """What copies of its original find each other by."""
        return keys(self.original)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """What it is found by, the most telling first: replies, figures and states, rare words, copies.

        Those that begin with "q" are common, and are looked for at the same place only.
        """
        figures = dict.fromkeys(
            f"{fact.subject} {fact.attribute}"[:40] if isinstance(fact, Quantity) else fact.subject
            for fact in self.facts
            if isinstance(fact, Quantity | Status)
        )
        common = list(figures)[:MAX_FIGURES]
        hazards = [*sorted(self.words & _HAZARDS)[:1], *filter(None, [self.family])]
        ranked = sorted(self.words, key=lambda word: (-rarity((word,)), word))
        words = [word for word in ranked if rarity((word,)) >= SPECIFIC] or ranked[:3]
        found = (
            *links(self.event_id, self.original_id, self.answers),
            *(f"q:{figure}" for figure in common),
            *(f"h:{hazard} {figure}" for figure in common for hazard in hazards),
            *(f"w:{word}"[:40] for word in words[:MAX_WORDS]),
            *(f"f:{figure}" for figure in sorted(self.told.figures) if len(figure) >= LONG_FIGURE),
            *(f"o:{name}" for name in self.copy_keys[:3]),
        )
        return tuple(dict.fromkeys(found))


def stored_keys(session_id: str, report: Report) -> tuple[str, ...]:
    """The keys a report is stored under: each place and "anywhere", each feature; official reports twice."""
    named = report.features
    if report.official:
        named = (*named, *(OFFICIAL + feature for feature in named))
    wheres = (*(report.places or (NOWHERE,)), ANYWHERE)
    return tuple(key(session_id, where, feature) for where in wheres for feature in named)


def query_keys(session_id: str, report: Report, *, official: bool, limit: int) -> tuple[str, ...]:
    """The keys to look for related reports by, at most `limit`.

    Figures and states are looked for at the same place and in reports that name none; rare words and copies anywhere.
    """
    mark = OFFICIAL if official else ""
    near = (*report.places[:2], NOWHERE) if report.places else (NOWHERE,)
    pairs = [(where, feature) for feature in report.features for where in (near if feature[0] == "q" else (ANYWHERE,))]
    return tuple(key(session_id, where, mark + feature) for where, feature in pairs[:limit])


_FORM = TypeAdapter(Report)


def to_json(report: Report) -> dict[str, Any]:
    """A report as plain JSON, as the Store keeps it."""
    claims = tuple(replace(claim, facts=claim.facts[:MAX_FACTS]) for claim in report.claims)
    kept = replace(report, claims=claims, facts=report.facts[:MAX_FACTS])
    return {"version": VERSION, **_FORM.dump_python(kept, mode="json")}


def from_json(data: Mapping[str, Any]) -> Report:
    """A report from its JSON; raises ValueError for anything else, documents of earlier versions too."""
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        raise ValueError(f"no report of version {VERSION}")
    try:
        return _FORM.validate_python(data)
    except ValidationError as error:
        raise ValueError(f"no report: {error.errors()[0]['loc']}") from None
