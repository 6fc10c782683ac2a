"""The lines of a brief in words of reports: what those who act have most use for, once, in its best words."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from verifleet.agents.briefs.brings import Section as Told
from verifleet.agents.briefs.circumstances import DAY, HOUR, Circumstance, document
from verifleet.agents.briefs.holding import is_past, told_circumstances
from verifleet.agents.briefs.sentences import LANGUAGES, as_told, sentence
from verifleet.agents.briefs.state import LEAST_TELLING, Said, State, Voice
from verifleet.agents.briefs.tolls import PEOPLE, THINGS, Toll, is_measure
from verifleet.agents.briefs.where import beyond
from verifleet.agents.relate.rarity import rarity
from verifleet.agents.relate.types import endings
from verifleet.reading.languages import content
from verifleet.reading.numbers import figures_in
from verifleet.reading.telephones import telephones, warns
from verifleet.reading.words import LANGUAGES as SPOKEN
from verifleet.reading.words import NO_LONGER, data, fold, lemma, sense

Section = Literal["tolls", "before", "past", "course", "in force", "ended", "disputed"] | Told


class Part(NamedTuple):
    """A section of a brief: its title, how many facts it tells, and for how many seconds after anybody's word of it."""

    title: str
    most: int
    lasts: float = 30 * DAY


PARTS: Mapping[Section, Part] = {
    "tolls": Part("Figures", 7), "past": Part("Figures", 3), "before": Part("Figures", 4),
    "in force": Part("Status", 6), "now": Part("Status", 4, DAY), "ended": Part("Status", 3),
    "outlook": Part("Expected", 2, 3 * DAY),
    "needs": Part("Needs and help", 5), "advice": Part("Advice", 2, 3 * DAY),
    "course": Part("Course of events", 7),
    "cause": Part("Cause", 3), "inquiry": Part("Inquiry", 4),
    "disputed": Part("Disputed", 2),
}  # fmt: skip
"""The sections in the order of the summary."""
INQUIRY, HELP = frozenset({"cause", "inquiry"}), frozenset({"needs", "advice"})
DONE = frozenset({"damage", "people"})
"""Sections whose sentences are of what is done."""
SIGNED, MOST_CALLS, MOST_FOREIGN = 6, 2, 2
"""Words of who says so and when, and the mark before it; how many lines with telephones, and in another language."""
OWN_ADVICE, CALL, READ, WELL = 2.0, 1.0, 0.5, 0.5
"""What it counts, beside the log-odds that a line is of use, that an authority advises it, that it has telephones, and
how badly it reads; from which log-odds it reads well."""
SHARE, NEAR = 3.0, 4
"""How much more counts which part of a place was struck, also when it is so no more, and where its name stands."""
FRESH, FRESH_FOR = 1.0, 6 * HOUR
"""What it counts that it was said just now, and after how many seconds half of that."""
_AHEAD = re.compile(r"\b(?:will|could|may|might|expected|(?:is|are|set|about) to)\b", re.IGNORECASE)
"""What is only to come."""
_ENDS = frozenset({"closed", NO_LONGER, "ended"})
_LINES = frozenset(lemma(word, spoken) for word in data("lexicon")["lines"].split() for spoken in SPOKEN)
"""Lemmas that tell that something is closed, and names of telephones."""
ENDED_SHARE = 6.0
"""Rarity of the words that advice has to share with the end of it."""
_SHARE = re.compile(r"\d ?(?:%|per ?cent\b)|\b(?:half|thirds?|quarters?|most|all|parts) of\b")
AGAIN, STEP = 0.7, 0.2
"""How much less counts a line for words that others have, and for each other line of its section."""
LEAST, LONE = -0.9, 0.6
"""What a line comes to at least, and how much less one that one unknown voice alone says."""
MOST_AGAIN = 0.5
"""The share of its words that a line may have of others."""
LEAST_OWN, LEAST_ALONE = 3, 6
"""How many words a line has that are not told yet, and how many words one alone tells."""
AT_HOME = 0.4
"""The share of all that is said in a language from which readers of the brief can be thought to read it."""
EVERYBODY, MANY = 8, 20
"""The share of all reports that have a word for it to be known, of so many at least."""
CALLED = 3 * DAY
"""For how many seconds a need is told, and a telephone that one alone whom nobody knows passes on."""


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
        use: log-odds that it is of use, with who says so and how well it reads.
        by: who says so by its own words, "" where they do not tell.
        sure: several say so, or somebody whom readers know; `called`: the telephones that it names.
        is_foreign: it is told in words that an English reader can't read.
    """

    said: Said
    voice: Voice
    text: str
    by: str
    about: frozenset[str]
    section: Section
    use: float
    sure: bool
    called: frozenset[str]
    is_foreign: bool

    @classmethod
    def of(cls, said: Said, voice: Voice, state: State, here: str) -> Claim:
        """What is said of what happened `here`, in the words of a voice."""
        words, by = _wording(said, voice)
        brings = voice.brings
        called = frozenset(telephones(words))
        section: Section = brings.section
        if section not in HELP and (called or said.kind == "advice"):
            section = "needs" if called else "advice"
        gone = section == "now" and state.latest - said.newest > PARTS["now"].lasts
        if gone or section in DONE:
            section = "course"
        if section in ("course", "now", "inquiry") and _AHEAD.search(words):
            section = "outlook"
        elif section == "cause" and said.polarity != "asserted":
            section = "inquiry"
        sure = said.heard > 1 or voice.known
        text = as_told(words, voice.spoken, here)
        foreign = voice.spoken != "en" and text.endswith("”")
        use = brings.use + SHARE * tells_share(said)
        use += FRESH / (1 + (state.latest - said.newest) / FRESH_FOR)
        use += OWN_ADVICE * (said.kind == "advice" and voice.official)
        use += READ * min(0.0, brings.reads) * (voice.spoken == "en") + CALL * bool(called)
        about = content(words, voice.spoken)
        return cls(said, voice, text, by, about, section, use, sure, called, foreign)

    @property
    def cost(self) -> int:
        """How many words it takes."""
        return len(self.text.split()) + SIGNED

    @property
    def time(self) -> float:
        """When its words were first said, however late they are passed on."""
        return min(one.as_of for one in self.said.voices if one.label == self.voice.label)


def brought_by(state: State, known: Known, room: int, numbers: Counter[Section]) -> list[Claim]:
    """What is told as it was worded: again and again what counts most beside all that is told already.

    A line counts by its use, and less for words that others have. `numbers`: how many lines each section has; `room`:
    how many words there may be.
    """
    told, covered = _told_words(state, known), set[str]()
    ours = {said.id for said, kind in known.holding if not is_past(said, kind, state)}
    told_of = {_counted_as(toll.now) for toll in known.asked}
    figures = {one.low for one in state.said if one.kind == "quantity" and _counted_as(one) in told_of}
    figures = {figure for figure in figures if (figure or 0) >= LEAST_TELLING}
    current = frozenset[str]().union(*(toll.current for toll in known.asked))
    measured = {word for toll in known.asked if is_measure(toll.now) for word in content(toll.attribute, "en")}
    chosen: list[Claim] = []

    def told_share(claim: Claim) -> float:
        """The share of its words that lines have already, rare ones counting more."""
        rare = {word: math.log(2 + state.reports / (1 + state.words.get(word, 0))) for word in claim.about - told}
        return sum(rare[word] for word in rare.keys() & covered) / max(1.0, sum(rare.values()))

    def gain(claim: Claim) -> float:
        news = claim.about - told - covered
        repeats = not ours.isdisjoint(claim.voice.counts)
        least = (
            1 if claim.called or tells_share(claim.said) else LEAST_OWN - (claim.said.heard > 1 or claim.voice.official)
        )
        rough = not (claim.sure or claim.called) and claim.voice.brings.reads < 0
        if repeats or rough or len(news) < least or (least > 1 and 3 * len(claim.about - told) <= len(claim.about)):
            return -math.inf
        return claim.use - LONE * (not claim.sure) - AGAIN * told_share(claim) - STEP * numbers[claim.section]

    def again(claim: Claim) -> bool:
        own = figures_in(claim.text)
        figured = claim.section in ("course", "now") and bool(
            figures & own or not current.isdisjoint(claim.voice.counts)
        )
        same = told_share(claim) > MOST_AGAIN
        figured |= bool(own) and not measured.isdisjoint(claim.about) and claim.section not in HELP
        shared = [own & figures_in(one.text) for one in chosen if not (claim.called and one.called)]
        twice = any(len(both) > 1 for both in shared) or any(claim.called & one.called for one in chosen)
        return figured or twice or (same and not claim.called)

    claims, at_home = list(_claims(state, known)), _at_home(state)
    ranked = [(-gain(claim), claim.said.id, claim) for claim in claims]
    heapq.heapify(ranked)
    while ranked:
        _, id, claim = heapq.heappop(ranked)
        now = gain(claim)
        if ranked and -now > ranked[0][0] and now > -math.inf:
            heapq.heappush(ranked, (-now, id, claim))
            continue
        part, before = PARTS[claim.section], numbers[claim.section]
        cost = claim.cost + len(part.title.split()) * (not before)
        full = cost > room or before >= part.most
        full |= claim.is_foreign and sum(one.is_foreign for one in chosen) >= MOST_FOREIGN
        full |= bool(claim.called) and sum(bool(one.called) for one in chosen) >= MOST_CALLS
        fit = now >= LEAST and (not claim.is_foreign or claim.voice.spoken in at_home)  # else it only stands in
        if (fit or not (chosen or any(numbers.values()))) and not full and not again(claim):
            chosen.append(claim)
            numbers[claim.section] += 1
            room -= cost
            covered |= claim.about
    return sorted(chosen, key=lambda one: one.time)


def _at_home(state: State) -> frozenset[str]:
    """The languages that many of an incident's reports are in, so that who acts there reads them."""
    spoken = Counter(voice.spoken for said in state.said for voice in said.voices)
    return frozenset(name for name, many in spoken.items() if many >= AT_HOME * spoken.total())


def _told_words(state: State, known: Known) -> set[str]:
    """The words of what is told already, and those that every report has and that tell nothing."""
    told = set(document()["told of"].split()) | set(content(known.head, "en"))
    told |= {fold(word) for name in state.places for word in name.replace(",", " ").split()}
    for toll in known.asked:
        told |= content(" ".join((toll.now.words["subject"], toll.attribute)), "en")
    for said, kind in known.holding:
        if not is_past(said, kind, state):
            told |= content(kind.says, "en").union(*kind.about)
    told |= {word for word, many in state.words.items() if many * EVERYBODY >= state.reports > MANY}
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
    here = fold(known.head)
    bad, ends = _out_of_use(state), _ends_told(state)
    for said in state.said:
        if said.kind in ("quantity", "circumstance") or said.has("conflicting"):
            continue
        voice = _voice(said, stale)
        if voice is None or beyond(said.scope, state):
            continue
        claim = Claim.of(said, voice, state, here)
        if claim.called & bad or _is_ended(said, ends):
            continue
        unsure = len(claim.text.split()) < LEAST_ALONE and not voice.official
        unsure |= not voice.known and (claim.is_foreign or claim.section in INQUIRY)
        if (claim.called or said.heard > 1 or not unsure) and _is_carried(claim, state):
            yield claim


def _ends_told(state: State) -> list[tuple[float, frozenset[str]]]:
    """What authorities say has ended, and when: the words beside those of an end and of places."""
    places = frozenset(word for said in state.said for name in said.scope for word in name.split())
    told_so = (said for said in state.said if said.kind in ("statement", "status") and said.polarity == "asserted")
    sure = (said for said in told_so if any(voice.official and voice.stands for voice in said.voices))
    told = ((said.newest, frozenset(said.about)) for said in sure)
    return [(time, about - endings().keys() - places) for time, about in told if about & endings().keys()]


def _is_ended(said: Said, ends: Sequence[tuple[float, frozenset[str]]]) -> bool:
    """Whether an authority tells the end of what is advised or holds after anybody told it."""
    return any(time > said.newest and rarity(about.intersection(said.about)) >= ENDED_SHARE for time, about in ends)


def _out_of_use(state: State) -> frozenset[str]:
    """The telephones that somebody whom readers know warns of, or that are closed and nobody known has told since."""
    known = [(number, said, voice) for number, said, voice in _calls(state) if voice.known]
    closed = [not (_ENDS.isdisjoint(said.about) or _LINES.isdisjoint(said.about)) for _, said, _ in known]
    ended = {number: voice.as_of for (number, _, voice), over in zip(known, closed, strict=True) if over}
    told = [(number, voice.as_of) for (number, _, voice), over in zip(known, closed, strict=True) if not over]
    again = {number for number, time in told if time > ended.get(number, math.inf)}
    return frozenset({number for number, _, voice in known if warns(voice.label)} | (ended.keys() - again))


def _calls(state: State) -> Iterable[tuple[str, Said, Voice]]:
    """Each telephone with what is said with it, and by whom, in the order of time."""
    told = sorted(((said, voice) for said in state.said for voice in said.voices), key=lambda one: one[1].as_of)
    return ((number, said, voice) for said, voice in told for number in telephones(voice.label))


def _counted_as(said: Said) -> tuple[str, str]:
    """What a figure counts: people of any group are people."""
    subject = said.words["subject"]
    thing = subject in THINGS or (subject.endswith("s") and subject not in PEOPLE)
    return (subject if thing else "", said.words.get("attribute", ""))


def _voice(said: Said, stale: set[str]) -> Voice | None:
    """The claim that is shown, of most use first and an authority's or one borne out; None where none reads well."""
    plain = (v for v in said.voices if v.plain and v.spoken in LANGUAGES and stale.isdisjoint(v.counts))
    fit = [v for v in plain if v.stands or (v.verdict == "outdated" and tells_share(said))]
    worded = {(v.label, v.spoken): _wording(said, v)[0] for v in fit}
    fit = [v for v in fit if worded[v.label, v.spoken]]

    def rank(v: Voice) -> tuple[Any, ...]:
        return (v.spoken != "en", -(v.brings.use + v.official + v.known + (v.verdict == "supported")), v.time, v.event)

    return min(fit, key=rank) if len(fit) > 1 else next(iter(fit), None)


def _wording(said: Said, voice: Voice) -> tuple[str, str]:
    """The words of it that can be told, "" for none, and who says so by them."""
    return (voice.label, "") if said.kind == "advice" else sentence(voice.label, voice.spoken)


def _is_carried(claim: Claim, state: State) -> bool:
    """Whether it is fresh enough for its section."""
    age = state.latest - claim.said.newest
    passes = claim.voice.brings.passes >= 0 and not claim.called and claim.section not in HELP
    if passes and state.latest - claim.time > DAY / 2:
        return False
    brief = (claim.section == "needs") if not claim.called else not claim.sure
    return age <= (CALLED if brief else PARTS[claim.section].lasts)


def told_itself(said: Said, state: State) -> tuple[str, Voice | None]:
    """What holds or has ended in the words of the report that is of most use for it; "" where none reads well.

    Figures are told apart, by their last word.
    """
    counts = {one.id for one in state.said if one.kind == "quantity"}
    fit = (voice for voice in said.voices if voice.plain and voice.spoken == "en" and voice.stands)
    told = [
        (voice, *sentence(voice.label)) for voice in fit if counts.isdisjoint(voice.counts) and voice.brings.use > 0
    ]
    well = [(words, voice) for voice, words, by in told if words and not by and voice.brings.reads > WELL]
    return max(well, key=lambda one: (one[1].brings.use, one[0]), default=("", None))


def tells_share(said: Said) -> bool:
    """Whether a claim tells which part of a place something befell: "50 % of Porto is flooded"."""
    label = fold(said.voices[0].label)
    share = _SHARE.search(label)
    named = {word for name in said.scope for word in name.split()} if share else set()
    if not share or named.isdisjoint(label[share.end() :].split()[:NEAR]):
        return False
    return any(meant.state or meant.hazard for meant in (sense(word, "en") for word in said.about))
