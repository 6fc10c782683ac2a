"""The facts that a brief tells: one figure of each count, what holds or has ended, what is reported or disputed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, cast

from verifleet.agents.briefs.brings import SECTIONS, Brought, brought
from verifleet.agents.briefs.brings import Section as Told
from verifleet.agents.briefs.circumstances import DAY, HOUR, Circumstance, circumstances, document
from verifleet.agents.briefs.sentences import LANGUAGES, content, quoted_in, sentence, telephones
from verifleet.agents.briefs.state import LEAST_TELLING, Alert, Said, State, Voice, independent, moment
from verifleet.agents.briefs.tolls import (
    LATER,
    PEOPLE,
    SHRINKING,
    THINGS,
    Toll,
    asked_for,
    cited,
    is_measure,
    standing,
    tolls,
)
from verifleet.agents.briefs.where import elsewhere, hazard, hazards_named, known_place, where
from verifleet.agents.briefs.words import clock, figure, figures_in, is_authority
from verifleet.envelopes import BRIEF_WORD_LIMIT, BriefFact, FactSource
from verifleet.reading.words import data, fold, lemma

Status = Literal["confirmed", "reported", "disputed", "ended"]
Section = Literal["tolls", "before", "in force", "ended", "past", "disputed", "earlier"] | Told
MOST: dict[Section, tuple[int, int]] = {
    "tolls": (7, 4), "before": (4, 0), "damage": (4, 4), "people": (3, 3), "in force": (6, 1), "now": (4, 4),
    "ended": (3, 1), "past": (2, 1), "earlier": (4, 4), "advice": (3, 3), "needs": (5, 5), "cause": (2, 2),
    "inquiry": (3, 3), "disputed": (2, 2),
}  # fmt: skip
"""How many facts of each are told, and how many of these may be of one report alone, in the order of the summary."""
MAX_SOURCES, MAX_PLACES = 8, 3
OURS, TITLE = 130, 2
"""Words that what is told in our own words may have, and those of a section's title."""
LEAST_ANEW, LEAST_EVENT = 3, 2
"""Words that a claim adds at least which tells much of another again, and one that tells what happened."""
STRIKING = frozenset({"transport", "attack", "explosion", "collapse"})
HAPPENS: frozenset[Section] = frozenset({"damage", "now", "people", "earlier"})
LEAST_SHARED, TOLD_BY = 0.05, 0.4
"""Kinds of which the name does not tell what happened, the share of all reports that have a word which does, and the
sum of such shares in a claim."""
LEAST_ODDS, LEAST_UNKNOWN, LEAST_HAPPENED, LEAST_EARLIER, LEAST_CALL, LEAST_ADVICE = -0.2, 0.5, -0.7, 0.4, -1.5, 0.8
"""Log-odds from which a claim is told, what is asked for more of one whom nobody knows, of what happened, of what went
on and does no more, of a telephone and advice of authorities, and of advice of one whom nobody knows."""
KNOWN = frozenset({"official", "emergency", "news", "sensor"})
FRESH: Mapping[Section, float] = {
    "damage": 30 * DAY, "now": 2 * DAY, "people": 14 * DAY, "cause": 30 * DAY, "inquiry": 30 * DAY, "needs": 14 * DAY,
    "advice": 4 * DAY, "earlier": 30 * DAY,
}  # fmt: skip
CALLS = 21 * DAY
"""Seconds for which a claim is told after anybody's word of it, and a telephone."""
LATE = 1.0
"""What a claim at the end of that time counts less."""
OF_A_DAY = frozenset(
    "now today tomorrow tonight yesterday will begin expected forecast warning warnings watch alert advisory heading"
    " moving nears psi signal hoy manana alerta oggi domani allerta hoje amanha demain alerte".split()
)
"""Words of its day, and of what changes within one, with which a claim is told for a day."""
SETTLED_LATE = frozenset({"people", "cause"})
EARLY, CARRIED_BY = 6 * HOUR, 3
"""Seconds of an incident whose reports are early ones, and how many say what counts although none repeats it later."""
YEARS = range(1900, 2100)
OLD = 2 * DAY
"""Seconds after which the hour of a time tells nothing."""

_ANYBODY = frozenset({"nationals"})
_NONE = {"dead": "deaths", "injured": "injuries"}

_SEVERAL = frozenset("police officials authorities".split())
_OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact as it is told; `standing` is 2 for what an authority says itself, 0 for what one report tells.

    `text` tells it in lists, `line` as a sentence of the summary; `guides`: it is advice, and no fact.
    """

    id: str
    kind: str
    section: Section
    text: str
    status: Status
    standing: int
    as_of: float
    voices: tuple[Voice, ...] = ()
    alert: Alert | None = None
    value: dict[str, Any] | None = None
    refuted: bool = False
    line: str = ""
    guides: bool = False

    def fact(self) -> BriefFact:
        """This on the wire, with its sources, those of authorities first."""
        ranked = sorted(self.voices, key=lambda v: (not v.official, v.time, v.event))
        reports = [(v.event, v.source, None if v.nobody else v.author, v.url, v.time) for v in ranked]
        if self.alert:
            reports = [(self.alert.report, "emergency", self.alert.author, self.alert.url, self.alert.sent)]
        names = ("event_id", "source", "author", "url")
        told_by = list(dict.fromkeys(reports))[:MAX_SOURCES]
        claims = {
            event: sorted({v.claim for v in ranked if v.event == event and v.claim >= 0}) for event, *_ in told_by
        }
        sources = [
            FactSource(**dict(zip(names, one, strict=False)), time=moment(one[-1]), claims=claims[one[0]])
            for one in told_by
        ]
        own = {"id": self.id, "kind": self.kind, "text": self.text, "value": self.value, "status": self.status}
        return BriefFact(**own, refuted=self.refuted, as_of=moment(self.as_of), sources=sources)


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A claim or advice that may be told in its words: the voice that is shown, and what tells how much it counts.

    `brings`: what it brings and how much; `first`: it tells what happened; `age`: how long ago anybody said it.
    """

    said: Said
    voice: Voice
    text: str
    about: frozenset[str]
    standing: int
    age: float
    brings: Brought
    first: bool = False

    @property
    def section(self) -> Section:
        """Where it is told: what went on and was said too long ago as something earlier."""
        if self.first:
            return "damage"
        return "earlier" if self.brings.section == "now" and self.age > FRESH["now"] else self.brings.section

    @property
    def least(self) -> float:
        """The log-odds from which it is told: more of one whom nobody knows, or of what is over."""
        if self.telephones or (self.said.kind == "advice" and self.voice.official):
            return LEAST_CALL
        if self.said.kind == "advice" and self.unknown:
            return LEAST_ADVICE
        return LEAST_EARLIER if self.section == "earlier" else LEAST_ODDS + LEAST_UNKNOWN * self.unknown

    @property
    def telephones(self) -> list[str]:
        """The telephones that it names."""
        return telephones(self.text)

    @property
    def unknown(self) -> bool:
        """Whether nobody else says it, and whoever does is neither an authority nor a newsroom."""
        return self.said.heard == 1 and self.voice.source not in KNOWN

    @property
    def cost(self) -> int:
        """How many words it takes, with who says so and when."""
        return len(self.text.split()) + 5

    def rank(self, state: State) -> float:
        """How much it counts: what it brings, who says so, and how new it is."""
        sure = min(1.0, 0.3 * self.standing + 0.4 * math.log(self.said.heard)) + 0.8 * (self.said.id in state.told)
        return self.brings.odds + sure + bool(self.telephones) - LATE * self.age / FRESH[self.section]


def told(state: State, room: int = BRIEF_WORD_LIMIT) -> list[Telling]:
    """The facts of the brief in so many words, in the order of its summary."""
    counted = tolls(state)
    asked = asked_for(counted, state.latest)
    here = fold(where(state))
    found = [_of_alert(alert, state) for alert in state.alerts]
    named = fold(" ".join((here, *hazards_named(state)[:1])))
    found += [_of_toll(toll, state, named) for toll in asked]
    holding = held(state)
    found += [_of_circumstance(said, kind, state, here) for said, kind in holding]
    found += filter(None, (_refuted(said, state) for said in state.said if not said.stands))
    sections = list(MOST)
    found.sort(key=lambda one: (sections.index(one.section), one.section not in SECTIONS and one.standing == 0))
    ours = list(_within_bounds(found, min(room, OURS)))
    left = room - sum(_words(one) for one in ours)
    numbers = Counter(one.section for one in ours)
    ours += [_of_claim(claim, state) for claim in _brought(state, counted, asked, holding, here, left, numbers)]
    return sorted(ours, key=lambda one: sections.index(one.section))


def _words(one: Telling) -> int:
    return len((one.line or one.text).split()) + 1


def _within_bounds(found: Iterable[Telling], room: int) -> Iterable[Telling]:
    numbers: dict[Section, tuple[int, int]] = {}
    for telling in found:
        told_so_far, open_so_far = numbers.get(telling.section, (0, 0))
        most, most_open = MOST[telling.section]
        fits = _words(telling) <= room
        if fits and told_so_far < most and (telling.standing or open_so_far < most_open):
            numbers[telling.section] = (told_so_far + 1, open_so_far + (telling.standing == 0))
            room -= _words(telling)
            yield telling


def held(state: State) -> list[tuple[Said, Circumstance]]:
    """What holds, and what ended since: of each thing what several or an authority tell, for its time."""
    things: dict[tuple[str, str], list[tuple[Said, Circumstance]]] = {}
    for said, kind in _circumstances(state):
        if said.stands and (standing(said) == 2 or len(said.authors) > 1 or cited(said.voices)):
            things.setdefault((kind.thing, said.words["state"]), []).append((said, kind))
    best = [max(told, key=lambda one: _precedence(one, told)) for told in things.values()]
    return [(said, kind) for said, kind in best if not _is_past(said, kind, state)]


def _circumstances(state: State) -> list[tuple[Said, Circumstance]]:
    known = ((said, circumstances().get(said.words["subject"])) for said in state.said if said.kind == "circumstance")
    return [(said, kind) for said, kind in known if kind is not None]


def _is_past(said: Said, kind: Circumstance, state: State) -> bool:
    """Whether nobody has told it for so long that it need not hold any more."""
    return bool(kind.hours) and said.newest <= state.latest - kind.hours * HOUR


def _precedence(one: tuple[Said, Circumstance], others: Sequence[tuple[Said, Circumstance]]) -> tuple[Any, ...]:
    """The latest counts. That something ended is heard late by many: only an authority has it hold again."""
    said, kind = one
    over = max((other.newest for other, k in others if k.over), default=math.inf)
    again = any(voice.official and voice.stands and voice.as_of > over for voice in said.voices)
    return (kind.over or again or over == math.inf, said.newest)


# --- what sentences bring ----------------------------------------------


def _brought(
    state: State,
    counted: Sequence[Toll],
    asked: Sequence[Toll],
    holding: Sequence[tuple[Said, Circumstance]],
    here: str,
    room: int,
    numbers: Counter[Section],
) -> list[Claim]:
    """What is told as it was worded: first the best of each section, then the best of all that there is room for.

    Nothing that is told already, by a figure or otherwise.
    """
    counts = frozenset[str]().union(*(toll.current for toll in asked))
    ours = frozenset(said.id for said, _ in holding)
    over = {kind.thing: kind.over for _, kind in holding}
    ended = {said.id for said, k in _circumstances(state) if over.get(k.thing, k.over) != k.over}
    attributes = frozenset(toll.attribute for toll in asked)
    current = frozenset[str]().union(*(toll.current for toll in counted))
    told_of = {_counted_as(toll.now) for toll in asked}
    counts_said = (said for said in state.said if said.kind == "quantity" and said.id not in current)
    stale = frozenset(ended).union(said.id for said in counts_said if _counted_as(said) in told_of)
    ours_of = (toll for toll in reversed(asked) if toll.now.words["subject"] in PEOPLE)
    figures = {toll.attribute: (toll.now.low, toll.now.high) for toll in ours_of}
    known_figures = {
        s.low for s in state.said if s.words.get("attribute") in attributes and (s.low or 0) >= LEAST_TELLING
    }
    claims = []
    for said in state.said:
        worded = said.kind not in ("quantity", "circumstance") and not said.has("conflicting")
        worded = worded and not any(elsewhere((place,), state.location) for place in said.scope)
        if worded and (voice := _voice(said, stale, figures)):
            words = _wording(said, voice)
            text, brings = quoted_in(words, voice.spoken), _brings(said, voice)
            age, about = state.latest - said.newest, content(words, voice.spoken).union(said.about)
            claims.append(Claim(said, voice, text, about, standing(said), age, brings))
    held_words = frozenset(lemma(word.casefold(), "en") for _, kind in holding for word in kind.text.split())
    shown = _plain_words() | attributes | held_words | frozenset(here.replace(",", " ").split())
    shown = shown.union(*(fold(name).split() for name in state.places))
    common = state.common
    event = _event(claims, shown, state)
    chosen = [replace(event, first=True)] if event else []
    room -= sum(one.cost + TITLE for one in chosen)
    fit = [one for one in claims if one.brings.odds >= one.least and _is_carried(one, state) and one is not event]
    fit.sort(key=lambda one: (-one.rank(state), one.said.id))
    numbers.update(one.section for one in chosen)
    for every in (False, True):
        for claim in fit:
            section = claim.section
            cost = claim.cost + TITLE * (not numbers[section])
            if cost > room or numbers[section] >= MOST[section][0] or (numbers[section] and not every):
                continue
            again = counts.intersection(claim.voice.counts) or known_figures & figures_in(claim.text)
            told_again = (section in HAPPENS and again) or not ours.isdisjoint(claim.voice.counts)
            if told_again and (again or not _names_more(claim, shown)):
                continue
            if _is_news(claim, chosen, shown, common):
                chosen.append(claim)
                numbers[section] += 1
                room -= cost
    return sorted(chosen, key=lambda one: (not one.first, -one.voice.as_of))


def _counted_as(said: Said) -> tuple[str, str]:
    """What a figure counts: people of any group are people."""
    subject = said.words["subject"]
    return (
        subject if subject in THINGS or (subject.endswith("s") and subject not in PEOPLE) else "",
        said.words.get("attribute", ""),
    )


def _brings(said: Said, voice: Voice) -> Brought:
    return brought(_wording(said, voice), voice.source, voice.spoken)


def _wording(said: Said, voice: Voice) -> str:
    """The words of it that can be told; "" for none."""
    return voice.label if said.kind == "advice" else sentence(voice.label, voice.spoken)


def _names_more(claim: Claim, shown: frozenset[str]) -> bool:
    """Whether a claim of a thing that is told in our words names somebody or something beside."""
    names = (word for word in claim.text.split()[1:] if word[:1].isupper() and not word.isupper())
    return any(lemma(fold(name), "en") in claim.about - shown for name in names)


def _event(claims: Iterable[Claim], shown: frozenset[str], state: State) -> Claim | None:
    """The claim that best tells what happened, where the kind does not: with the most of those words that many have."""
    if state.family not in STRIKING:
        return None
    common = {word: n for word, n in state.words.items() if n >= max(3, LEAST_SHARED * state.reports)}
    hazards = frozenset(word for word in common if word in data("lexicon")["hazards"])
    known = [one for one in claims if one.brings.odds >= LEAST_HAPPENED and not one.unknown and one.section in HAPPENS]
    known = [one for one in known if one.voice.spoken == "en"]
    known = [one for one in known if not hazards.isdisjoint(one.about)]
    told_by = {one: [common[word] for word in (one.about - shown) & common.keys()] for one in known}
    fit = [one for one, words in told_by.items() if len(words) >= LEAST_EVENT and sum(words) >= TOLD_BY * state.reports]
    return max(fit, key=lambda one: (sum(told_by[one]), one.brings.odds, one.said.id), default=None)


def _is_news(claim: Claim, chosen: Iterable[Claim], shown: frozenset[str], common: frozenset[str]) -> bool:
    """Whether a claim adds words of its own, most of them in none that is chosen, and repeats none of these."""
    own = claim.about - shown - common
    for one in chosen:
        if claim.text == one.text or not set(claim.telephones).isdisjoint(one.telephones):
            return False
        if 2 * len(claim.about & one.about) >= min(len(claim.about), len(one.about)):
            return False
        both, others = len(own & one.about), len(one.about - shown - common)
        if 2 * both >= max(len(own), 1) or (both > 1 and 2 * both >= others):
            return False
        again = (claim.about - shown) & one.about
        if 2 * len(again) >= len(claim.about - shown) and len(own - one.about) < LEAST_ANEW:
            return False
    return bool(own)


def _is_carried(claim: Claim, state: State) -> bool:
    """Whether it is fresh enough for its section, and no early word of few on whom or why that none repeated since."""
    said, age = claim.said, claim.age
    if age > (CALLS if claim.telephones else FRESH[claim.section]):
        return False
    if age > DAY and not OF_A_DAY.isdisjoint(content(claim.text, "")):
        return False
    early = claim.section in SETTLED_LATE and said.newest < state.first + EARLY < state.latest - EARLY
    return not early or claim.standing == 2 or len(said.authors) >= CARRIED_BY


def _voice(said: Said, stale: frozenset[str], current: Mapping[str, tuple[float | None, ...]]) -> Voice | None:
    """The claim that is shown: an authority's, one borne out, without figures; None where none reads well."""
    counts = [attribute for attribute in current if attribute in said.about]
    figures = {figure for attribute in counts for figure in current[attribute]}
    fit = [v for v in said.voices if v.stands and v.plain and stale.isdisjoint(v.counts)]
    fit = [voice for voice in fit if voice.spoken in LANGUAGES and _wording(said, voice)]
    if any(map(_backed, said.voices)):  # what others confirm is not the rest of what a rumour says
        fit = [voice for voice in fit if _backed(voice)]
    if counts:
        fit = [v for v in fit if all(f < LEAST_TELLING or f in figures or f in YEARS for f in figures_in(v.label))]

    def rank(v: Voice) -> tuple[Any, ...]:
        odds = _brings(said, v).odds
        return (odds < LEAST_ODDS, v.spoken != "en", not v.official, v.verdict != "supported", -odds, v.time, v.event)

    return min(fit, key=rank) if len(fit) > 1 else next(iter(fit), None)


def _backed(voice: Voice) -> bool:
    """Whether somebody else, or an authority, stands by this very claim."""
    return voice.official or voice.verdict == "supported"


@cache
def _plain_words() -> frozenset[str]:
    """What every first report of an incident has: its kind, that it was, and what nothing is told with."""
    return frozenset({*data("lexicon")["hazards"], *document()["told of"].split()})


# --- words -------------------------------------------------------------


def _of_alert(alert: Alert, state: State) -> Telling:
    ended = alert.ended or (alert.expires if alert.expires and alert.expires <= state.latest else None)
    text = alert.event + (f" for {alert.area}" if alert.area else "") + (f" ({alert.grade})" if alert.grade else "")
    if ended:
        text += f", {'cancelled' if alert.ended else 'expired'} {_time(ended, state)} ({alert.author})"
        return Telling(f"alert {alert.id}", "status", "ended", text, "ended", 2, ended, alert=alert)
    text += f", until {_time(alert.expires, state)}" if alert.expires else ""
    text += f" ({_time(alert.sent, state)}, {alert.author})"
    own: dict[str, Any] = {"alert": alert, "value": {"grade": alert.grade} if alert.grade else None}
    return Telling(f"alert {alert.id}", "status", "in force", text, "confirmed", 2, alert.sent, **own)


def _of_toll(toll: Toll, state: State, here: str) -> Telling:
    now, beside, voices = toll.now, toll.beside, toll.now.voices
    told_by = _of_late(voices) if is_measure(now) or toll.attribute in SHRINKING else voices
    by, as_of = _who(told_by, state, lasts=toll.attribute == "magnitude")
    time, tail = _time(as_of, state), ""
    if toll.before:
        higher = (toll.before.low or 0) > (now.low or 0)
        relation = "down from" if higher else "up from"
        if toll.attribute == "magnitude":
            relation = "first given as"
        elif now.words.get("unit") == "psi":
            relation = "highest"
        elif higher and toll.attribute not in SHRINKING and not is_measure(now):
            relation = "earlier"
        tail = f", {relation} {_bare(toll.before)} ({_time(toll.before.first, state)})"
    own: dict[str, Any] = {"kind": "quantity", "standing": toll.standing, "as_of": as_of, "value": toll.value}
    own["status"] = _status(toll.standing)
    others, then = _who(beside.voices, state) if beside else ("", 0.0)
    if beside and toll.disputed:
        tail += f", but {_bare(beside)} according to {others} ({_time(then, state)})"
        own |= {"status": "disputed", "section": "disputed"}
        voices = (*voices, *beside.voices)
    elif beside:
        tail += f"; {_bare(beside)} also reported ({_time(then, state)}, {others})"
    text = f"{_counted(now)} ({time}, {by}{'' if toll.standing else ' alone'}){tail}"
    if toll.past:
        own["section"], tail = "before" if toll.shock else "past", tail.partition("; ")[0]
    line = counted_sentence(now, _figure(now), _where(now, here), past=toll.past)
    own["line"] = f"{line}, {_says(by)} ({time}){tail}"
    if toll.shock:
        text = f"Earthquake of {_time(toll.shock, state)}: {text}"
        own["line"] = f"Earthquake of {_time(toll.shock, state)}: {own['line']}"
    own.setdefault("section", "before" if toll.shock else "tolls")
    return Telling(f"count {toll.topic}{f' {toll.shock:.0f}' * bool(toll.shock)}", text=text, voices=voices, **own)


def _where(said: Said, here: str) -> str:
    """The town or the named fire that a count is of, where the brief's head does not tell it: " in Longmont"."""
    fires = {name: f"the {name.title()}" for name in said.scope if hazard(name) == name and name.endswith("fire")}
    spots = [spot for name in said.scope if (spot := known_place(name) or fires.get(name, ""))]
    relation = "near" if said.words.get("attribute") == "magnitude" else "in"
    return next((f" {relation} {spot}" for spot in spots if fold(spot) not in here), "")


def _says(by: str) -> str:
    """Who says so, behind a sentence."""
    return by if by.startswith("according to ") else f"according to {by}"


def _status(sure: int) -> Status:
    return "confirmed" if sure == 2 else "reported"


def _of_circumstance(said: Said, kind: Circumstance, state: State, here: str) -> Telling:
    """What holds or has ended, in our words."""
    text = kind.text.format(said.words["state"])
    voices = _of_late(said.voices) if kind.hours else said.voices
    by, as_of = _who(voices, state, lasts=not kind.hours)
    sure = max(1, standing(said))
    spots = [spot for name in said.scope if (spot := known_place(name)) and not elsewhere((name,), state.location)]
    named = [] if kind.over else list(dict.fromkeys(spot for spot in spots if fold(spot) not in here))
    text += f": {', '.join(named[:MAX_PLACES])}" if named else ""
    time = _time(as_of, state)
    line = kind.says.format(said.words["state"]) + (f" ({', '.join(named[:MAX_PLACES])})" if named else "")
    line = f"{line}, {_says(by)} ({time})"
    text = f"{text[:1].upper()}{text[1:]} ({time}, {by})"
    section = cast(Section, kind.section or ("ended" if kind.over else "in force"))
    status: Status = "ended" if kind.over else _status(sure)
    return Telling(said.id, "status", section, text, status, sure, as_of, said.voices, line=line)


def _of_claim(claim: Claim, state: State) -> Telling:
    """A claim in the words of one report of it."""
    said, voice = claim.said, claim.voice
    sure = claim.standing or int(said.heard > 1)
    then = said.newest if claim.section == "now" else voice.as_of
    by, time = _and_others(voice, len(independent(said.voices))), _time(then, state)
    words = claim.text if voice.spoken != "en" else f"“{claim.text}”"
    text, line = f"{time}: {words} ({by})", f"{claim.text} ({by}, {time})"
    own: dict[str, Any] = {"voices": said.voices, "line": line, "guides": said.kind == "advice"}
    return Telling(said.id, said.kind, claim.section, text, _status(sure), sure, voice.as_of, **own)


def _refuted(said: Said, state: State) -> Telling | None:
    """What is refuted although several have said it or the brief has told it: readers should know; None else."""
    voice = min(said.voices, key=lambda v: (not v.official, v.time, v.event))
    if not (len(said.authors) > 1 or said.id in state.told) or any(one.verdict != "refuted" for one in said.voices):
        return None
    why = next((f" by {v.against}" + f": “{v.why}”" * bool(v.why) for v in said.voices if v.against), "")
    label = _counted(said) if said.kind == "quantity" else voice.label
    text = f"“{label}” ({_time(voice.as_of, state)}) is contradicted{why}"
    return Telling(said.id, said.kind, "disputed", text, "disputed", 0, voice.as_of, said.voices, refuted=True)


def _counted(said: Said) -> str:
    """A count in words: "12 dead", "30 homes destroyed", "Magnitude 7.6 earthquake"."""
    subject, attribute, many = said.words["subject"], said.words.get("attribute", ""), _figure(said)
    if attribute == "magnitude":
        return f"Magnitude {many} {subject}".strip()
    if said.words.get("unit") == "psi":
        return f"{attribute.replace('psi', 'pollution index (PSI, hazardous from 301)')} {many}"
    if said.words.get("unit"):
        named = next((name for name in said.scope if name.endswith(f" {subject}")), subject)
        subject = named.title() if named != subject else subject
        return f"{subject} {attribute} {many}".strip()
    if many == "no" and subject in PEOPLE and attribute in _NONE:
        return f"no {_NONE[attribute]}"
    noun = ("people" if many.endswith(" of") else "") if subject in PEOPLE else subject
    many = "none" if many == "no" and not noun else many
    noun = noun[:-1] if said.high == 1 and noun.endswith("s") else noun
    return " ".join(part for part in (many, noun, attribute) if part)


def counted_sentence(said: Said, many: str, place: str, *, past: bool = False) -> str:
    """A count as a sentence without its end: "12 people have died", "The earthquake had a magnitude of 7.2"."""
    subject, attribute = said.words["subject"], said.words.get("attribute", "")
    if attribute == "magnitude" and subject:
        return f"The {subject} had a magnitude of {many}{place}"
    if said.words.get("unit"):
        measure, value = _counted(said).removesuffix(f" {many}"), many
        return f"{measure[:1].upper()}{measure[1:]} was {value}"
    befell = document()["befell"].get(attribute, "")
    if not befell or said.words.get("unit") or many == "no":
        told_as = _counted(said)
        return f"{told_as[:1].upper()}{told_as[1:]}"
    single = said.low == said.high == 1
    noun = ("person" if single else "people") if subject in PEOPLE | _ANYBODY else subject
    noun = noun[:-1] if single and noun.endswith("s") else noun
    verbs = {"have": "has", "are": "is", "were": "was"}
    verb, _, rest = befell.partition(" ")
    verb = {"are": "were", "were": "had been"}.get(verb, verb) if past else verb
    counted_ones = f"{many} {noun}{place} {verbs.get(verb, verb) if single else verb} {rest}"
    return counted_ones[:1].upper() + counted_ones[1:]


def _figure(said: Said) -> str:
    return figure(said.low, said.high, said.words.get("unit", ""), said.approximate)


def _bare(said: Said) -> str:
    """Its figure without what it counts."""
    told_bare = _figure(said)
    return "none" if told_bare == "no" else told_bare.removesuffix(" of")


def _time(seconds: float, state: State) -> str:
    if seconds < state.latest - OLD:
        day = moment(seconds)
        return f"{day.day} {day:%b}" + (f" {day:%Y}" if day.year != moment(state.latest).year else "")
    return clock(moment(seconds), moment(state.latest), dated=moment(state.first).date() != moment(state.latest).date())


def _who(voices: Sequence[Voice], state: State, *, lasts: bool = False) -> tuple[str, float]:
    """Who says so and when, first what `lasts`, last what may change: authorities by name, else the one that is named.

    Else that is a newsroom before others, with how many others say so.
    """
    named, count, turn = _weightiest(voices), len(independent(voices)), -1 if lasts else 1
    time = max((one.as_of for one in [o for o in named if o.stands] or named), key=lambda as_of: turn * as_of)
    if names := list(dict.fromkeys(one.name for one in named if one.official)):
        return " and ".join(names[:2]), time
    if is_authority(body := named[0].attributed):
        spelt = {name.casefold(): name for name in sorted(state.entities, key=state.entities.__getitem__)}
        parts = [word.partition("'") for word in _with_article(body, spelt).split()]
        told_as = " ".join(spelt.get(word, word) + mark + tail for word, mark, tail in parts)
        first = min(voices, key=lambda voice: voice.time).name
        return f"according to {told_as}" + ("" if named[0].source == "news" or count > 1 else f" in {first}"), time
    known = [one for one in voices if not one.nobody]
    newest = max(one.as_of for one in voices)
    sure = [o for o in known if o.verdict == "supported" and (lasts or o.as_of > newest - LATER)] or known
    best = max(sure, key=lambda one: (one.source == "news", turn * one.as_of, one.name), default=None)
    return (_and_others(best, count), best.as_of) if best else (_and_others(named[0], count), time)


def _and_others(voice: Voice, count: int) -> str:
    """Whoever is named, and how many others say so; how many sources where nobody has a name."""
    if count < 2:
        return voice.name
    return f"{count} sources" if voice.nobody else f"{voice.name} and {count - 1} other{'s' * (count > 2)}"


def _weightiest(voices: Sequence[Voice]) -> Sequence[Voice]:
    """The voices of those who are named: authorities, else of the body that others name, news first; else all."""
    if authorities := [one for one in voices if one.official]:
        return authorities
    citing = [one for one in voices if is_authority(one.attributed)]
    best = max(citing, key=lambda one: (one.source == "news", one.as_of), default=None)
    return [one for one in citing if one.attributed == best.attributed] if best else voices


def _of_late(voices: Sequence[Voice]) -> Sequence[Voice]:
    """The voices of what may change: an authority that has not said it since others did is none of those named."""
    heard = [one for one in voices if one.stands] or voices
    named, newest = _weightiest(heard), max(one.as_of for one in heard)
    return heard if any(one.as_of > newest - LATER for one in named) else [one for one in heard if one not in named]


def _with_article(body: str, spelt: Mapping[str, str]) -> str:
    """A body as it is told of: "an official", "the mayor", "police in Glasgow"."""
    *before, last = body.split() or [""]
    if before and before[0] in _SEVERAL and body not in spelt:
        return f"{before[0]} in {body.partition(' ')[2]}"
    if last == "official":
        return f"{'an' if (before or [last])[0][:1] in 'aeiou' else 'a'} {body}"
    return f"the {body}" if last in _OFFICES and (not before or last == "agency") else body
