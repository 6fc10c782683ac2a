"""The pool of lines from which the rest of a brief is filled: what reports claim and advise, in their own words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from verifleet.agents.briefs.brings import OFFICIAL, Brought, brought
from verifleet.agents.briefs.brings import Section as Told
from verifleet.agents.briefs.circumstances import DAY, HOUR, Circumstance, circumstances, document
from verifleet.agents.briefs.sentences import LANGUAGES, content, quoted_in, sentence, telephones, typed_call
from verifleet.agents.briefs.state import LEAST_TELLING, Said, State, Voice
from verifleet.agents.briefs.tolls import PEOPLE, THINGS, Toll, standing
from verifleet.agents.briefs.where import elsewhere
from verifleet.agents.briefs.words import figures_in
from verifleet.reading.words import data, fold, sense

Section = Literal["tolls", "before", "in force", "ended", "past", "disputed", "earlier"] | Told
MOST: dict[Section, int] = {
    "tolls": 7, "past": 2, "before": 4, "damage": 4, "people": 3, "ended": 3, "in force": 6, "now": 5, "earlier": 5,
    "advice": 3, "needs": 5, "cause": 2, "inquiry": 3, "disputed": 2,
}  # fmt: skip
"""How many facts of each are told, in the order of the summary."""
TITLE, SIGNED, MOST_CALLS = 2, 5, 3
"""Words of a section's title, and of who says so and when; and lines with telephones."""
LEAST_OWN, LEAST_ALONE, TOLD_ENOUGH = 2, 6, 2
"""How many words of its own a line has, how many words one alone tells, and lines of which one more is too much."""
DEAD = frozenset({"dead", "killed"})
HAPPENS: frozenset[Section] = frozenset({"damage", "now", "people", "earlier"})
KNOWN = frozenset({*OFFICIAL, "news", "sensor"})
LEAST_ODDS, LEAST_UNKNOWN, LEAST_EARLIER, LEAST_CALL, LEAST_OFFICIAL, LEAST_ADVICE = -0.3, 0.5, 0.0, -0.5, -1.5, 0.8
"""Log-odds from which a claim is told, what is asked for more of one whom nobody knows, of what went on and does no
more, of a telephone, of advice of authorities, and of advice of one whom nobody knows."""
THIN, THINNER = 20, 0.7
"""Words left from which a brief has room for more, and by how much less log-odds that is told."""
FOREIGN, FOREIGN_ALONE = 0.6, 1.0
"""What a quotation counts less that few readers can read, and what is asked for more of one whom nobody bears out."""
FRESH: Mapping[Section, float] = {
    "damage": 30 * DAY, "now": DAY / 2, "people": 14 * DAY, "cause": 30 * DAY, "inquiry": 30 * DAY, "needs": 5 * DAY,
    "advice": 4 * DAY, "earlier": 14 * DAY,
}  # fmt: skip
LASTING: frozenset[Section] = frozenset({"damage", "people", "cause", "inquiry"})
CALLS = 14 * DAY
"""Seconds for which a claim is told after anybody's word of it, and a telephone."""
LATE = 1.5
"""What the first word of an incident counts less than the last one."""
SETTLED_LATE = frozenset({"people", "cause"})
_WORD = re.compile(r"\w+")
EARLY, CARRIED_BY = 6 * HOUR, 3
"""Seconds of an incident whose reports are early ones, and how many say what counts although none repeats it later."""
YEARS = range(1900, 2100)


class Known(NamedTuple):
    """What a brief tells already: all counts, those that are told, what holds or has ended, and where it is."""

    counted: Sequence[Toll]
    asked: Sequence[Toll]
    holding: Sequence[tuple[Said, Circumstance]]
    here: str


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A claim or advice that may be told in its words: the voice that is shown, and what tells how much it counts.

    Attributes:
        section: where it is told: what went on and was said too long ago as something earlier.
        age: how long ago anybody said it, in seconds.
        heard: how many say so; `unknown`: one, who is neither an authority nor a newsroom.
        called: the telephones that it names.
    """

    said: Said
    voice: Voice
    text: str
    about: frozenset[str]
    standing: int
    age: float
    odds: float
    section: Section
    heard: int
    called: frozenset[str]

    @classmethod
    def of(cls, said: Said, voice: Voice, latest: float) -> Claim:
        """What is said, in the words of a voice."""
        words, brings = _wording(said, voice), _brings(said, voice)
        age = latest - (said.first if brings.section == "now" else said.newest)
        section: Section = "earlier" if brings.section == "now" and age > FRESH["now"] else brings.section
        about = content(words, voice.spoken).union(said.about)
        if section == "cause" and (said.polarity != "asserted" or _listed("no cause") & _words_in(words)):
            section = "inquiry"
        called = frozenset(telephones(words))
        text = (called and typed_call(words, voice.spoken)) or quoted_in(words, voice.spoken)
        return cls(said, voice, text, about, standing(said), age, brings.odds, section, said.heard, called)

    @property
    def unknown(self) -> bool:
        """Whether nobody else says it, and whoever does is neither an authority nor a newsroom."""
        return self.heard == 1 and self.voice.source not in KNOWN

    @property
    def least(self) -> float:
        """The log-odds from which it is told."""
        if self.said.kind == "advice" and self.voice.official:
            return LEAST_OFFICIAL
        if self.called:
            return LEAST_CALL
        if self.said.kind == "advice" and self.unknown:
            return LEAST_ADVICE
        alone = FOREIGN_ALONE * (self.voice.spoken != "en" and self.heard == 1 and not self.voice.official)
        least = LEAST_EARLIER if self.section == "earlier" else LEAST_ODDS + LEAST_UNKNOWN * self.unknown
        return least + alone

    @property
    def cost(self) -> int:
        """How many words it takes."""
        return len(self.text.split()) + SIGNED

    @property
    def time(self) -> float:
        """When it was first said, however late it is passed on."""
        return self.voice.as_of if self.said.kind == "advice" else min(self.said.first, self.voice.as_of)

    def rank(self, state: State) -> float:
        """How much it counts: what it brings, who says so, and how new it is."""
        sure = min(1.0, 0.3 * self.standing + 0.4 * math.log(self.heard)) + 0.4 * (self.said.id in state.told)
        foreign = FOREIGN * self.text.startswith("In ") * (self.voice.spoken != "en")
        return self.odds + sure + bool(self.called) - foreign - LATE * self.age / max(state.latest - state.first, DAY)


def brought_by(state: State, known: Known, room: int, numbers: Counter[Section]) -> list[Claim]:
    """What is told as it was worded: first the best of each section, then the best of all that there is room for.

    Nothing that is told already, by a figure or otherwise. `numbers`: how many lines each section has.
    """
    asked, holding = known.asked, known.holding
    told_of = {_counted_as(toll.now) for toll in asked}
    claims = list(_claims(state, known))
    shown = _listed("told of") | data("lexicon")["hazards"].keys() | {word for told in told_of for word in told}
    shown = shown.union(known.here.replace(",", " ").split(), *(fold(name).split() for name in state.places))
    counts = frozenset[str]().union(*(toll.current for toll in asked))
    ours = frozenset(said.id for said, _ in holding)
    told_counts = (one for one in state.said if one.kind == "quantity" and _counted_as(one) in told_of)
    figures = {one.low for one in told_counts if (one.low or 0) >= LEAST_TELLING}
    chosen: list[Claim] = []
    common = state.common

    def is_told(claim: Claim) -> bool:
        again = counts.intersection(claim.voice.counts) or figures & figures_in(claim.text)
        return bool(again and claim.section in HAPPENS) or not ours.isdisjoint(claim.voice.counts)

    def take(among: Iterable[Claim], *, first: bool = False) -> None:
        nonlocal room
        for claim in among:
            number, calls = numbers[claim.section], sum(bool(one.called) for one in chosen)
            cost = claim.cost + TITLE * (not number)
            full = cost > room or number >= MOST[claim.section] or (number and first)
            if full or (claim.called and calls >= MOST_CALLS) or is_told(claim):
                continue
            if _is_news(claim, chosen, shown, common):
                chosen.append(claim)
                numbers[claim.section] += 1
                room -= cost

    ranked = sorted(claims, key=lambda one: (-one.rank(state), one.said.id))
    fit = [one for one in ranked if one.odds >= one.least]
    take(fit, first=True)
    take(fit)
    if room > THIN:
        take(one for one in ranked if one.odds >= one.least - THINNER and one.voice.spoken == "en")
    if not (chosen or asked or holding):  # rather what its reports say than nothing
        take((one for one in ranked if not one.unknown), first=True)
    return sorted(chosen, key=lambda one: -one.time)


def _claims(state: State, known: Known) -> Iterable[Claim]:
    """All that can be told: of this place, fresh enough, in words that stand by themselves and figures that hold."""
    over, kinds = {kind.thing: kind.over for _, kind in known.holding}, told_circumstances(state)
    stale = {said.id for said, kind in kinds if over.get(kind.thing, kind.over) != kind.over}
    closing = [(one, of.thing) for one, of in kinds if of.over and one.stands]
    for said, kind in kinds:  # whatever anybody told of it there before it ended
        ends = (one for one, thing in closing if thing == kind.thing and one.id != said.id and one.newest > said.newest)
        if any(not one.scope or not said.scope or {*one.scope} & {*said.scope} for one in ends):
            stale.add(said.id)
    current = frozenset[str]().union(*(toll.current for toll in known.counted))
    told_of = {_counted_as(toll.now) for toll in known.asked}
    counts = (said for said in state.said if said.kind == "quantity" and said.id not in current)
    stale.update(said.id for said in counts if _counted_as(said) in told_of)
    of_people = (toll for toll in reversed(known.asked) if toll.now.words["subject"] in PEOPLE)
    figures = {toll.attribute: (toll.now.low, toll.now.high) for toll in of_people}
    location = state.location
    for said in state.said:
        if said.kind in ("quantity", "circumstance") or said.has("conflicting"):
            continue
        if said.scope and any(elsewhere((place,), location) for place in said.scope):
            continue
        voice = _voice(said, stale, figures)
        if voice and (_brings(said, voice).odds >= LEAST_OFFICIAL or tells_of_death(said)):
            claim = Claim.of(said, voice, state.latest)
            short = claim.heard == 1 and len(claim.text.split()) < LEAST_ALONE and not claim.called
            if not short and _is_carried(claim, state):
                yield claim


def told_circumstances(state: State) -> list[tuple[Said, Circumstance]]:
    """What was said of things that hold or have ended."""
    known = ((said, circumstances().get(said.words["subject"])) for said in state.said if said.kind == "circumstance")
    return [(said, kind) for said, kind in known if kind is not None]


def _counted_as(said: Said) -> tuple[str, str]:
    """What a figure counts: people of any group are people."""
    subject = said.words["subject"]
    thing = subject in THINGS or (subject.endswith("s") and subject not in PEOPLE)
    return (subject if thing else "", said.words.get("attribute", ""))


def _voice(said: Said, stale: set[str], current: Mapping[str, tuple[float | None, ...]]) -> Voice | None:
    """The claim that is shown: an authority's, one borne out, without figures; None where none reads well."""
    fit = [v for v in said.voices if v.stands and v.plain and v.spoken in LANGUAGES and stale.isdisjoint(v.counts)]
    fit = [voice for voice in fit if _wording(said, voice)]
    if fit and any(map(_backed, said.voices)):  # what others confirm is not the rest of what a rumour says
        fit = [voice for voice in fit if _backed(voice)]
    if fit and (counts := [attribute for attribute in current if attribute in said.about]):
        figures = {figure for attribute in counts for figure in current[attribute]}
        fit = [v for v in fit if all(f < LEAST_TELLING or f in figures or f in YEARS for f in figures_in(v.label))]

    def rank(v: Voice) -> tuple[Any, ...]:
        odds = _brings(said, v).odds
        return (odds < LEAST_ODDS, v.spoken != "en", not v.official, v.verdict != "supported", -odds, v.time, v.event)

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
    """Whether it is fresh enough for its section, and no early word of few on whom or why that none repeated since."""
    said, age = claim.said, claim.age
    if age > (CALLS if claim.called else FRESH[claim.section]):
        return False
    passing = age > DAY and claim.section not in LASTING and _listed("of a day") & _words_in(claim.text)
    if passing or _listed("ceremonies") & _words_in(claim.text):
        return False
    early = claim.section in SETTLED_LATE and said.newest < state.first + EARLY < state.latest - EARLY
    return not early or claim.standing == 2 or claim.heard >= CARRIED_BY


def tells_of_death(said: Said) -> bool:
    """Whether a statement tells that somebody died, in whatever words."""
    return said.kind == "statement" and any(sense(word, "en").state in DEAD for word in said.about)


def _is_news(claim: Claim, chosen: Iterable[Claim], shown: frozenset[str], common: frozenset[str]) -> bool:
    """Whether a claim adds words of its own, most of them in none that is chosen, and repeats none of these."""
    own = claim.about - shown - common
    happened = Counter(word for one in chosen if one.section in HAPPENS for word in one.about)
    if claim.section in HAPPENS and any(happened[word] >= TOLD_ENOUGH for word in own):
        return False
    for one in chosen:
        if claim.text == one.text or not claim.called.isdisjoint(one.called):
            return False
        both, others = len(own & one.about), len(one.about - shown - common)
        if both == len(own) or (both > 1 and 2 * both >= min(len(own), others)):
            return False
    return len(own) >= (1 if claim.called else LEAST_OWN)


@lru_cache(maxsize=8192)
def _words_in(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(document()[name].split())
