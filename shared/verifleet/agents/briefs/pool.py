"""The lines of a brief in words of reports: what many tell, and what those who act ask for, each in its best words."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from verifleet.agents.briefs.brings import Brought, brought
from verifleet.agents.briefs.brings import Section as Told
from verifleet.agents.briefs.circumstances import DAY, HOUR, Circumstance, circumstances, document
from verifleet.agents.briefs.sentences import LANGUAGES, content, fluency, quoted_in, sentence, telephones, typed_call
from verifleet.agents.briefs.state import LEAST_TELLING, Said, State, Voice
from verifleet.agents.briefs.tolls import PEOPLE, THINGS, Toll, standing
from verifleet.agents.briefs.where import elsewhere
from verifleet.agents.briefs.words import figures_in
from verifleet.reading.words import data, fold, sense

Section = Literal["tolls", "before", "in force", "ended", "past", "disputed", "course", "earlier"] | Told
MOST: dict[Section, int] = {
    "tolls": 7, "past": 3, "before": 4, "course": 5, "in force": 6, "ended": 3, "now": 4, "earlier": 5, "advice": 2,
    "needs": 4, "cause": 2, "inquiry": 4, "disputed": 2,
}  # fmt: skip
"""How many facts of each are told, in the order of the summary."""
TITLE, SIGNED, MOST_CALLS, MOST_FOREIGN = 2, 5, 3, 2
"""Words of a section's title, and of who says so and when; lines with telephones, and quotations in other languages."""
DEAD = frozenset({"dead", "killed"})
GROUPS: Mapping[Section, Section] = {
    "course": "course", "now": "course", "cause": "inquiry", "inquiry": "inquiry", "needs": "needs", "advice": "needs",
}  # fmt: skip
"""Sections whose lines tell nothing twice."""
PASSES: frozenset[Told] = frozenset({"now"})
"""What is told of the course when it is no more, beside what was done and who was struck."""
FRESH: Mapping[Section, float] = {
    "now": DAY / 2, "cause": 30 * DAY, "inquiry": 30 * DAY, "needs": 5 * DAY, "advice": 2 * DAY, "course": 30 * DAY,
}  # fmt: skip
CALLS = 14 * DAY
"""Seconds for which a line is told after anybody's word of it, and a telephone."""
SUPPORT = 0.55
"""What it counts that many reports have the words of a line, beside the log-odds that it is worth telling."""
SURE, KEPT, OWN_ADVICE = 0.35, 0.4, 1.5
"""What each doubling of its sources counts, that the last revision told it, and that an authority gives advice."""
ALONE, UNKNOWN, GONE, FOREIGN, AGAIN = 0.4, 0.4, 0.8, 1.0, 1.5
"""How much less counts what one tells, whom nobody knows, what went on and does no more, what few readers can read, and
a line whose words others have, by their share."""
LATE = 0.6
"""What the first word of an incident counts less than the last one, where the newest state of a thing is asked for."""
NEWEST: frozenset[Section] = frozenset({"now", "cause", "inquiry", "needs", "advice"})
LEAST: Mapping[Section, float] = {"course": 0.2, "now": 0.6, "advice": 0.6, "needs": 0.8, "cause": 0.0, "inquiry": 0.0}
FLOOR: Mapping[Section, float] = {"course": -1.5, "needs": -0.3, "inquiry": -0.3}
STEP, LEAST_CALL, FEW, FEW_TELL, HOPELESS = 0.3, -0.5, 10, 1.0, -2.0
"""How much the first line of a section must have of all that, without what many tell, each further one more, and a
telephone; and of so few reports that none bears out much how much less; and log-odds of what is never told."""
LEAST_OWN, LEAST_ALONE, POORLY = 2, 6, -0.5
"""How many words a line has that are not told yet, how many words one alone tells, and log-odds of a voice that another
one is told for, even of an authority."""
LEAST_SHARED, ALIKE = 2, 0.6
"""How many words, and which share of them, two lines have in both that tell the same."""
EARLY, CARRIED_BY = 6 * HOUR, 3
"""Seconds of an incident whose reports are early ones, and how many say why although none repeats it later."""
_HOUR = re.compile(r"\bas of\b|\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


class Known(NamedTuple):
    """What a brief tells already: all counts, those that are told, what holds or has ended, and its first sentence."""

    counted: Sequence[Toll]
    asked: Sequence[Toll]
    holding: Sequence[tuple[Said, Circumstance]]
    head: str


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A claim or advice that may be told in its words: the voice that is shown, and what tells how much it counts.

    Attributes:
        section: where it is told: what went on and was said too long ago is part of the course.
        age: how long ago anybody said it, in seconds.
        heard: how many say so; `called`: the telephones that it names.
        odds: log-odds that it is worth telling, with who says so and how well.
        is_foreign: it is told in words that an English reader can't read.
    """

    said: Said
    voice: Voice
    text: str
    about: frozenset[str]
    age: float
    odds: float
    section: Section
    heard: int
    called: frozenset[str]
    is_foreign: bool

    @classmethod
    def of(cls, said: Said, voice: Voice, state: State) -> Claim:
        """What is said, in the words of a voice."""
        words, brings = _wording(said, voice), _brings(said, voice)
        called = frozenset(telephones(words))
        age = state.latest - (said.first if brings.section == "now" else said.newest)
        gone = brings.section in PASSES and not called and age > FRESH[brings.section]
        section: Section = "course" if gone or brings.section in ("damage", "people") else brings.section
        if section == "cause" and (said.polarity != "asserted" or _listed("no cause") & _words_in(words)):
            section = "inquiry"
        heard = said.heard
        odds = brings.odds + fluency(words, voice.spoken) + SURE * math.log2(heard)
        if not called:
            odds -= ALONE * (heard == 1) + UNKNOWN * (not voice.known) + GONE * gone
        odds += KEPT * (said.id in state.told) + OWN_ADVICE * (said.kind == "advice" and voice.official)
        text = (called and typed_call(words, voice.spoken)) or quoted_in(words, voice.spoken)
        if foreign := voice.spoken != "en" and text.endswith("”"):
            odds -= FOREIGN * (1 + 2 * (brings.odds < 0 or (heard == 1 and not voice.official)))
        odds -= LATE * (section in NEWEST) * age / max(state.latest - state.first, DAY)
        about = content(words, voice.spoken).union(said.about)
        return cls(said, voice, text, about, age, odds, section, heard, called, foreign)

    @property
    def cost(self) -> int:
        """How many words it takes."""
        return len(self.text.split()) + SIGNED

    @property
    def time(self) -> float:
        """When it was first said, however late it is passed on."""
        return self.voice.as_of if self.said.kind == "advice" else min(self.said.first, self.voice.as_of)


def brought_by(state: State, known: Known, room: int, numbers: Counter[Section]) -> list[Claim]:
    """What is told as it was worded: again and again what counts most beside all that is told already.

    A line counts by what it brings and by how many reports have those of its words that nothing tells yet. `numbers`:
    how many lines each section has.
    """
    told = _told_words(state, known)
    ours = {said.id for said, kind in known.holding if not is_past(said, kind, state)}
    told_of = {_counted_as(toll.now) for toll in known.asked}
    figures = {one.low for one in state.said if one.kind == "quantity" and _counted_as(one) in told_of}
    figures = {figure for figure in figures if (figure or 0) >= LEAST_TELLING}
    chosen: list[Claim] = []
    groups: dict[Section, set[str]] = {section: set() for section in GROUPS.values()}

    def gain(claim: Claim) -> float:
        lines = groups[GROUPS[claim.section]]
        news = claim.about - told - lines
        repeats = not ours.isdisjoint(claim.voice.counts)
        if len(news) < (1 if claim.called else LEAST_OWN + repeats):
            return -math.inf
        many = sum(math.log2(state.words[word]) for word in news if word in state.words and state.words[word] > 1)
        again = len(claim.about & lines) / max(1, len(claim.about - told))
        again = AGAIN * (again / (1 + (claim.section != "course")) + repeats / 2)
        return claim.odds + SUPPORT * many / math.sqrt(len(claim.about)) - again

    def again(claim: Claim) -> bool:
        figured = claim.section in ("course", "now") and bool(figures & figures_in(claim.text))
        typed = claim.is_foreign and any(said.id in claim.voice.counts for said, _ in known.holding)
        return figured or typed or any(not claim.called.isdisjoint(one.called) for one in chosen)

    ranked = [(-gain(claim), claim.said.id, claim) for claim in _claims(state, known)]
    heapq.heapify(ranked)
    while ranked:
        _, id, claim = heapq.heappop(ranked)
        now = gain(claim)
        if ranked and -now > ranked[0][0] and now > -math.inf:
            heapq.heappush(ranked, (-now, id, claim))
            continue
        calls = bool(claim.called) and sum(bool(one.called) for one in chosen) >= MOST_CALLS
        cost = claim.cost + TITLE * (not numbers[claim.section])
        full = cost > room or numbers[claim.section] >= MOST[claim.section] or calls
        full |= claim.is_foreign and sum(one.is_foreign for one in chosen) >= MOST_FOREIGN
        least = LEAST_CALL if claim.called else LEAST[claim.section] + STEP * numbers[claim.section]
        least -= FEW_TELL * (state.reports < FEW)
        fit = now >= least and (claim.called or claim.odds >= FLOOR[GROUPS[claim.section]])
        if (fit or not (chosen or any(numbers.values()))) and not full and not again(claim):
            chosen.append(claim)
            numbers[claim.section] += 1
            room -= cost
            groups[GROUPS[claim.section]] |= claim.about
    return sorted(chosen, key=lambda one: (one.section != "course") * -one.time or one.time)


def tellers(claim: Claim, state: State, common: frozenset[str]) -> tuple[Voice, ...]:
    """All voices that tell what a line tells: it has most of their words and they of its, beside `common` ones."""
    own, counts = frozenset(claim.said.about) - common, claim.voice.counts
    voices = dict.fromkeys(claim.said.voices)
    for said in state.said:
        if (said.kind, said.polarity) == (claim.said.kind, claim.said.polarity):
            others = frozenset(said.about) - common
            shared = len(own & others)
            if shared >= LEAST_SHARED and shared >= ALIKE * max(len(own), len(others)):
                voices |= dict.fromkeys(one for one in said.voices if not _figures_differ(one.counts, counts))
    return tuple(voices)


def _figures_differ(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether of two claims one or both tell figures, and none of them both: 8 dead and 12 dead."""
    return bool(one or other) and set(one).isdisjoint(other)


def _told_words(state: State, known: Known) -> set[str]:
    """The words of what is told already, and those that every report has and that tell nothing."""
    told = set(_listed("told of")) | set(content(known.head, "en"))
    told |= {fold(word) for name in state.places for word in name.replace(",", " ").split()}
    for toll in known.asked:
        told |= content(" ".join((toll.now.words["subject"], toll.attribute)), "en")
    for said, kind in known.holding:
        if not is_past(said, kind, state):
            told |= content(kind.says, "en").union(*kind.about)
    return told | {word for word in data("lexicon")["hazards"] if 2 * state.words.get(word, 0) >= state.reports}


def _claims(state: State, known: Known) -> Iterable[Claim]:
    """All that can be told: of this place, fresh enough, in words that stand by themselves and figures that hold."""
    over, kinds = {kind.thing: kind.over for _, kind in known.holding}, told_circumstances(state)
    stale = {said.id for said, kind in kinds if over.get(kind.thing, kind.over) != kind.over}
    ended = {kind.thing: said.newest for said, kind in kinds if kind.over and said.stands}
    stale |= {said.id for said, kind in kinds if said.newest < ended.get(kind.thing, 0.0)}  # whatever told it before
    current = frozenset[str]().union(*(toll.current for toll in known.counted))
    told_of = {_counted_as(toll.now) for toll in known.asked}
    counts = (said for said in state.said if said.kind == "quantity" and said.id not in current)
    stale.update(said.id for said in counts if _counted_as(said) in told_of)
    location = state.location
    for said in state.said:
        if said.kind in ("quantity", "circumstance") or said.has("conflicting"):
            continue
        if said.scope and any(elsewhere((place,), location) for place in said.scope):
            continue
        voice = _voice(said, stale)
        if voice and (state.reports < FEW or _brings(said, voice).odds >= HOPELESS):
            claim = Claim.of(said, voice, state)
            unsure = len(claim.text.split()) < LEAST_ALONE
            unsure |= not voice.known and (claim.is_foreign or claim.section in ("course", "cause", "inquiry"))
            if (claim.called or claim.heard > 1 or not unsure) and _is_carried(claim, state):
                yield claim


def told_circumstances(state: State) -> list[tuple[Said, Circumstance]]:
    """What was said of things that hold or have ended."""
    known = ((said, circumstances().get(said.words["subject"])) for said in state.said if said.kind == "circumstance")
    return [(said, kind) for said, kind in known if kind is not None]


def is_past(said: Said, kind: Circumstance, state: State) -> bool:
    """Whether nobody has told it for so long that it need not hold any more."""
    return bool(kind.hours) and said.newest <= state.latest - kind.hours * HOUR


def _counted_as(said: Said) -> tuple[str, str]:
    """What a figure counts: people of any group are people."""
    subject = said.words["subject"]
    thing = subject in THINGS or (subject.endswith("s") and subject not in PEOPLE)
    return (subject if thing else "", said.words.get("attribute", ""))


def _voice(said: Said, stale: set[str]) -> Voice | None:
    """The claim that is shown: an authority's, one borne out, without figures; None where none reads well."""
    fit = [v for v in said.voices if v.stands and v.plain and v.spoken in LANGUAGES and stale.isdisjoint(v.counts)]
    fit = [voice for voice in fit if _wording(said, voice)]
    if fit and any(map(_backed, said.voices)):  # what others confirm is not the rest of what a rumour says
        fit = [voice for voice in fit if _backed(voice)]

    def rank(v: Voice) -> tuple[Any, ...]:
        told_well = _brings(said, v).odds + fluency(_wording(said, v), v.spoken)
        best = (not v.official, not v.known, v.verdict != "supported", -told_well, v.time, v.event)
        return (v.spoken != "en", told_well < POORLY, *best)

    return min(fit, key=rank) if len(fit) > 1 else next(iter(fit), None)


def _backed(voice: Voice) -> bool:
    """Whether somebody else, or an authority, stands by this very claim."""
    return voice.official or voice.verdict == "supported"


def _brings(said: Said, voice: Voice) -> Brought:
    return brought(_wording(said, voice), voice.source, voice.spoken)


def _wording(said: Said, voice: Voice) -> str:
    """The words of it that can be told; "" for none."""
    return voice.label if said.kind == "advice" else sentence(voice.label, voice.spoken)


def _is_carried(claim: Claim, state: State) -> bool:
    """Whether it is fresh enough for its section, and no early word of few on why that none repeated since."""
    said, age = claim.said, claim.age
    if age > (CALLS if claim.called else FRESH[claim.section]):
        return False
    words, lists = (_words_in(claim.text), claim.about), ["ceremonies"]
    if age > DAY and claim.section == "course":
        if _HOUR.search(claim.text) or said.words.get("phase") == "holds":
            return False
        lists.append("of a day")
    if not all(_listed(name).isdisjoint(own) for name in lists for own in words):
        return False
    early = claim.section == "cause" and said.newest < state.first + EARLY < state.latest - EARLY
    return not early or standing(said) == 2 or claim.heard >= CARRIED_BY


def tells_of_death(said: Said) -> bool:
    """Whether a statement tells that somebody died, in whatever words."""
    return said.kind == "statement" and any(sense(word, "en").state in DEAD for word in said.about)


@lru_cache(maxsize=8192)
def _words_in(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(document()[name].split())
