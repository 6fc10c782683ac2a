"""The facts that a brief tells: one figure of each count, what holds or has ended, what is reported or disputed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from verifleet.agents.briefs.brings import brought
from verifleet.agents.briefs.circumstances import DAY, Circumstance, document
from verifleet.agents.briefs.pool import (
    DEAD,
    MOST,
    Claim,
    Known,
    Section,
    brought_by,
    is_past,
    tells_of_death,
    told_circumstances,
)
from verifleet.agents.briefs.sentences import sentence, telephones
from verifleet.agents.briefs.state import Alert, Said, State, Voice, independent, moment
from verifleet.agents.briefs.tolls import LATER, PEOPLE, SHRINKING, Toll, asked_for, cited, is_measure, standing, tolls
from verifleet.agents.briefs.where import elsewhere, hazards_named, known_place, where
from verifleet.agents.briefs.words import clock, figure, is_authority
from verifleet.envelopes import BRIEF_WORD_LIMIT, BriefFact, FactSource
from verifleet.reading.words import fold

Status = Literal["confirmed", "reported", "disputed", "ended"]
MAX_SOURCES, MAX_PLACES = 8, 3
LONGEST_STATUS, LEAST_STATUS = 24, -0.5
"""Words of a report with which a state is told at most, and their log-odds at least."""
SOON_OVER, LONG_PAST = 12, 30 * DAY
"""Hours for which what is no more when they are over tells nothing, and seconds after which nothing past is told."""
OLD = 2 * DAY
"""Seconds after which the hour of a time tells nothing."""

_KILLED = "has killed {} {}"
_LEADS = {"dead": _KILLED, "killed": _KILLED, "injured": "has injured {} {}", "magnitude": "magnitude {}"}
"""What tolls of these make of the first sentence."""
_LED = PEOPLE | {"earthquake"}

_SEVERAL = frozenset("police officials authorities".split())
_OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact as it is told; `standing` is 2 for what an authority says itself, 0 for what one report tells.

    `text` tells it in lists, `line` as a sentence of the summary, whose first one it may complete by `lead`; behind
    `line` stands `tail`: who says so, and what it was before. `guides`: it is advice, and no fact.
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
    tail: str = ""
    lead: str = ""

    @property
    def whole(self) -> str:
        """It as a sentence without its end."""
        return f"{self.line} {self.tail}".strip() or self.text

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


def told(state: State, head: str, room: int = BRIEF_WORD_LIMIT) -> list[Telling]:
    """The facts of the brief in so many words, in the order of its summary."""
    counted = tolls(state)
    asked = [toll for toll in asked_for(counted, state.latest) if toll.now.high != 0 or not _has_died(toll, state)]
    here = fold(where(state))
    found = [_of_alert(alert, state) for alert in state.alerts]
    named = fold(" ".join((here, *hazards_named(state)[:1])))
    found += [_of_toll(toll, state, named) for toll in asked]
    holding = held(state)
    found += filter(None, (_of_circumstance(said, kind, state, here) for said, kind in holding))
    found += filter(None, (_refuted(said, state) for said in state.said if not said.stands))
    sections = list(MOST)
    found.sort(key=lambda one: (sections.index(one.section), one.standing == 0))
    ours = list(_within_bounds(found, room))
    left = room - sum(_words(one) for one in ours)
    numbers = Counter(one.section for one in ours)
    known = Known(counted, asked, holding, f"{head} {here}")
    claims = brought_by(state, known, left, numbers)
    worded = frozenset[str]().union(*(claim.voice.counts for claim in claims))
    ours = [one for one in ours if one.section != "earlier" or one.id not in worded]
    ours += [_of_claim(claim, state) for claim in claims]
    return sorted(ours, key=lambda one: sections.index(one.section))


def _has_died(none: Toll, state: State) -> bool:
    """Whether somebody tells of a death, in whatever words, after nobody had died."""
    later = (one for one in state.said if one.newest > none.now.newest)
    return none.attribute in DEAD and any(map(tells_of_death, later))


def _words(one: Telling) -> int:
    return len(one.whole.split()) + 1


def _within_bounds(found: Iterable[Telling], room: int) -> Iterable[Telling]:
    numbers = Counter[Section]()
    for telling in found:
        if _words(telling) <= room and numbers[telling.section] < MOST[telling.section]:
            numbers[telling.section] += 1
            room -= _words(telling)
            yield telling


def held(state: State) -> list[tuple[Said, Circumstance]]:
    """What holds or held, and what ended since: of each thing what several or an authority tell."""
    things: dict[tuple[str, str], list[tuple[Said, Circumstance]]] = {}
    for said, kind in told_circumstances(state):
        foreign = all(voice.spoken != "en" for voice in said.voices)
        sure = standing(said) == 2 or len(said.authors) > 1 or bool(cited(said.voices))
        if said.stands and (foreign if kind.section == "needs" else sure):  # English calls are told in their words
            things.setdefault((kind.thing, said.words["state"]), []).append((said, kind))
    whole = [told for told in things.values() if not _in_part(told)]
    return [max(told, key=lambda one: _precedence(one, told)) for told in whole]


def _in_part(told: Sequence[tuple[Said, Circumstance]]) -> bool:
    """Whether one report tells both that a thing has ended and that it holds: it tells so of parts."""
    latest = [max((said.newest for said, kind in told if kind.over == over), default=0.0) for over in (True, False)]
    return latest[0] == latest[1]


def _precedence(one: tuple[Said, Circumstance], others: Sequence[tuple[Said, Circumstance]]) -> tuple[Any, ...]:
    """The latest counts. That something ended is heard late by many: only an authority has it hold again."""
    said, kind = one
    over = max((other.newest for other, k in others if k.over), default=math.inf)
    again = any(voice.official and voice.stands and voice.as_of > over for voice in said.voices)
    return (kind.over or again or over == math.inf, said.newest)


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
    own["line"] = counted_sentence(now, _figure(now), _where(now, here), past=toll.past)
    own["tail"] = f"({by.removeprefix('according to ')}, {time}){tail}"
    if toll.shock:
        text = f"Earthquake of {_time(toll.shock, state)}: {text}"
        own["line"] = f"Earthquake of {_time(toll.shock, state)}: {own['line']}"
    own.setdefault("section", "before" if toll.shock else "tolls")
    if own["section"] == "tolls" and toll.attribute in _LEADS and now.words["subject"] in _LED and now.high != 0:
        said_by = (
            "" if toll.attribute == "magnitude" else f", according to {by.removeprefix('according to ')} ({time}){tail}"
        )
        own["lead"] = _LEADS[toll.attribute].format(_figure(now), _noun(now)) + said_by
    return Telling(f"count {toll.topic}{f' {toll.shock:.0f}' * bool(toll.shock)}", text=text, voices=voices, **own)


def _where(said: Said, here: str) -> str:
    """The town that a count is of, where the brief's head does not tell it: " in Longmont"."""
    spots = [spot for name in said.scope if (spot := known_place(name))]
    relation = "near" if said.words.get("attribute") == "magnitude" else "in"
    return next((f" {relation} {spot}" for spot in spots if fold(spot) not in here), "")


def _status(sure: int) -> Status:
    return "confirmed" if sure == 2 else "reported"


def _of_circumstance(said: Said, kind: Circumstance, state: State, here: str) -> Telling | None:
    """What holds, held or has ended, in our words; None for what only told of hours that are over."""
    past = is_past(said, kind, state)
    if past and (kind.section == "needs" or kind.hours <= SOON_OVER or said.newest < state.latest - LONG_PAST):
        return None
    text = kind.text.format(said.words["state"])
    voices = _of_late(said.voices) if kind.hours else said.voices
    quoted = None if past else _in_words(said, kind, here)
    by, as_of = _who(voices, state, lasts=not kind.hours)
    sure = max(1, standing(said))
    spots = [spot for name in said.scope if (spot := known_place(name)) and not elsewhere((name,), state.location)]
    named = [] if kind.over else list(dict.fromkeys(spot for spot in spots if fold(spot) not in here))
    text += f": {', '.join(named[:MAX_PLACES])}" if named else ""
    time = _time(as_of, state)
    line = kind.says.format(said.words["state"]) + (f" ({', '.join(named[:MAX_PLACES])})" if named else "")
    shown = (by.removeprefix("according to "), time)
    if quoted:
        line = sentence(quoted.label)
        shown = (_and_others(quoted, len(independent(said.voices))), _time(quoted.as_of, state))
    text = f"{text[:1].upper()}{text[1:]} ({time}, {by})"
    section = cast(Section, kind.section or ("ended" if kind.over else "in force"))
    if past:
        section, line = "earlier", text.partition(" (")[0]
    status: Status = "ended" if kind.over or past else _status(sure)
    own: dict[str, Any] = {"voices": said.voices, "line": line, "tail": f"({', '.join(shown)})"}
    return Telling(said.id, "status", section, text, status, sure, as_of, **own)


def _in_words(said: Said, kind: Circumstance, here: str) -> Voice | None:
    """The newest voice of what holds for a time whose words tell more than ours: where, how much, of which degree."""
    if not kind.hours or kind.over or kind.section == "needs":
        return None
    fit = []
    for voice in said.voices:
        words = sentence(voice.label) if voice.stands and voice.plain and voice.spoken == "en" else ""
        names = (word.strip(".,:;()") for word in words.split()[1:])
        more = any(map(str.isdigit, words)) or any(known_place(n) and fold(n) not in here for n in names)
        worth = more and len(words.split()) <= LONGEST_STATUS and not telephones(words)
        if worth and voice.as_of > said.newest - LATER and brought(words, voice.source).odds >= LEAST_STATUS:
            fit.append(voice)
    return max(fit, key=lambda one: (one.official, one.source == "news", one.as_of), default=None)


def _of_claim(claim: Claim, state: State) -> Telling:
    """A claim in the words of one report of it."""
    said, voice = claim.said, claim.voice
    sure = claim.standing or int(said.heard > 1)
    by, time = _and_others(voice, len(independent(said.voices))), _time(claim.time, state)
    words = claim.text if voice.spoken != "en" else f"“{claim.text}”"
    text, tail = f"{time}: {words} ({by})", f"({by}, {time})"
    own: dict[str, Any] = {"voices": said.voices, "line": claim.text, "tail": tail, "guides": said.kind == "advice"}
    return Telling(said.id, said.kind, claim.section, text, _status(sure), sure, voice.as_of, **own)


def _refuted(said: Said, state: State) -> Telling | None:
    """What is refuted although several have said it or the brief has told it: readers should know; None else."""
    voice = min(said.voices, key=lambda v: (not v.official, v.time, v.event))
    if not (len(said.authors) > 1 or said.id in state.told) or any(one.verdict != "refuted" for one in said.voices):
        return None
    why = next((f" by {v.against}" + f": “{v.why}”" * bool(v.why) for v in said.voices if v.against), "")
    if not why:
        return None
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
    single, noun = said.low == said.high == 1, _noun(said)
    verbs = {"have": "has", "are": "is", "were": "was"}
    verb, _, rest = befell.partition(" ")
    verb = {"are": "were", "were": "had been"}.get(verb, verb) if past else verb
    counted_ones = f"{many} {noun}{place} {verbs.get(verb, verb) if single else verb} {rest}"
    return counted_ones[:1].upper() + counted_ones[1:]


def _noun(said: Said) -> str:
    """Those who are counted."""
    single, subject = said.low == said.high == 1, said.words["subject"]
    if subject in PEOPLE | {"nationals"}:
        return "person" if single else "people"
    return subject[:-1] if single and subject.endswith("s") else subject


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
    best = max(sure, key=lambda one: (one.known, one.source == "news", turn * one.as_of, one.name), default=None)
    return (_and_others(best, count), best.as_of) if best else (_and_others(named[0], count), time)


def _and_others(voice: Voice, count: int) -> str:
    """Whoever is named, and how many others say so; how many sources where nobody has a name."""
    if count < 2:
        return voice.name
    return (
        f"{count} sources"
        if voice.nobody or not voice.known
        else f"{voice.name} and {count - 1} other{'s' * (count > 2)}"
    )


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
