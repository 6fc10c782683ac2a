"""The facts that a brief tells: one figure of each count, what holds or has ended, what is reported or disputed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from verifleet.agents.briefs.circumstances import DAY, Circumstance
from verifleet.agents.briefs.holding import Telling as Held
from verifleet.agents.briefs.holding import held, is_past
from verifleet.agents.briefs.pool import PARTS, Claim, Known, Section, brought_by, told_itself
from verifleet.agents.briefs.sources import and_others, counted_by, who
from verifleet.agents.briefs.state import Alert, Said, State, Voice, moment
from verifleet.agents.briefs.tolls import (
    ASKED_FOR,
    PEOPLE,
    THINGS,
    Toll,
    asked_for,
    is_measure,
    later_shock,
    standing,
    tolls,
)
from verifleet.agents.briefs.where import beyond, elsewhere, is_wide, where
from verifleet.agents.briefs.words import clock, figure
from verifleet.envelopes import BRIEF_WORD_LIMIT, BriefFact, FactSource
from verifleet.reading.gazetteer import district, known_place
from verifleet.reading.words import fold, sense

Status = Literal["confirmed", "reported", "disputed", "ended"]
MAX_SOURCES, MAX_PLACES = 8, 3
COUNTS = frozenset({"tolls", "past", "before"})
"""Sections that are not told as it happened, the first first."""
LASTING = 24
"""Hours that a state holds at least which is told when it is past: no more of a storm that comes nearer."""
OLD = 2 * DAY
"""Seconds after which the hour of a time tells nothing."""

_UNLED = THINGS - {"earthquake"}
_LEADS = {"dead": "has killed {} {}", "injured": "has injured {} {}", "magnitude": "magnitude {} {} of {}"}
"""What tolls of these make of the first sentence."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact as it is told; `standing` is 2 for what an authority says itself, 0 for what one report tells.

    `line` is a sentence, behind which stands `tail`: who says so, and what it was before. `lead` tells it in the first
    sentence of the summary, or what earlier shock it is a count of. `guides`: it is advice, no fact.
    """

    id: str
    kind: str
    section: Section
    line: str
    tail: str
    status: Status
    standing: int
    as_of: float
    voices: tuple[Voice, ...] = ()
    alert: Alert | None = None
    value: dict[str, Any] | None = None
    refuted: bool = False
    guides: bool = False
    lead: str = ""

    @property
    def text(self) -> str:
        """It as a sentence without its end."""
        return f"{self.lead}: " * (self.section == "before") + f"{self.line} {self.tail}".strip()

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
    asked = asked_for(counted, state.latest)
    asked = [toll for toll in asked if toll.now.high != 0 or not _has_died_since(toll.now.newest, state)]
    here = fold(where(state))
    found = [_of_alert(alert, state) for alert in state.alerts]
    found += [_of_toll(toll, state, fold(head)) for toll in asked]
    found += _later_shock(state)
    counts = {toll.now.words["subject"] for toll in asked if not toll.shock}
    holding = held(state)
    holding = [one for one in holding if _tells_where(*one, state, here)]
    current = [(said, kind) for said, kind in holding if kind.thing not in counts and not is_past(said, kind, state)]
    found += [_of_circumstance(said, kind, state, here) for said, kind in current if not beyond(said.scope, state)]
    found += filter(None, (_refuted(said, state) for said in state.said if not said.stands))
    sections = list(PARTS)
    found.sort(key=lambda one: (sections.index(one.section), one.standing == 0))
    numbers = Counter[Section]()
    ours = list(_within_bounds(found, room, numbers))
    left = room - sum(_words(one) for one in ours) - sum(len(PARTS[name].title.split()) for name in numbers)
    claims = brought_by(state, Known(counted, asked, holding, f"{head} {here}"), left, numbers)
    ours += [_of_claim(claim, state) for claim in claims]
    left -= sum(claim.cost for claim in claims)
    gone = _past([one for one in holding if one[1].thing not in counts], claims, state)
    ours += _within_bounds((_of_past(said, kind, state, here) for said, kind in gone), left, numbers)
    return sorted(ours, key=lambda one: (sections.index(one.section), one.as_of * (one.section not in COUNTS)))


def _has_died_since(time: float, state: State) -> bool:
    """Whether somebody told of a death, in whatever words, after nobody had died."""
    later = (one for one in state.said if one.kind == "statement" and one.newest > time and one.stands)
    return any(sense(word, "en").state == "dead" for one in later for word in one.about)


def _words(one: Telling) -> int:
    """How many words it takes, with the mark before it."""
    return len(one.text.split()) + 1


def _within_bounds(found: Iterable[Telling], room: int, numbers: Counter[Section]) -> Iterable[Telling]:
    for telling in found:
        part, before = PARTS[telling.section], numbers[telling.section]
        cost = _words(telling) + len(part.title.split()) * (not before)
        if cost <= room and before < part.most:
            numbers[telling.section] += 1
            room -= cost
            yield telling


def _of_alert(alert: Alert, state: State) -> Telling:
    ended = alert.ended or (alert.expires if alert.expires and alert.expires <= state.latest else None)
    text = alert.event + (f" for {alert.area}" if alert.area else "") + (f" ({alert.grade})" if alert.grade else "")
    if ended:
        text += f", {'cancelled' if alert.ended else 'expired'} {_time(ended, state)} ({alert.author})"
        return Telling(f"alert {alert.id}", "status", "ended", text, "", "ended", 2, ended, alert=alert)
    text += f", until {_time(alert.expires, state)}" if alert.expires else ""
    text += f" ({_time(alert.sent, state)}, {alert.author})"
    own: dict[str, Any] = {"alert": alert, "value": {"grade": alert.grade} if alert.grade else None}
    return Telling(f"alert {alert.id}", "status", "in force", text, "", "confirmed", 2, alert.sent, **own)


def _of_toll(toll: Toll, state: State, here: str) -> Telling:
    """A count, who tells it, and what it was before."""
    now, beside, voices = toll.now, toll.beside, toll.now.voices
    by, as_of = (who if is_measure(now) else counted_by)(voices, state, lasts=toll.attribute == "magnitude")
    time, more, status = _time(as_of, state), "", _status(toll.standing)
    section: Section = "before" if toll.shock else "past" if toll.past else "tolls"
    if toll.before:
        relation = "down from" if (toll.before.low or 0) > (now.low or 0) else "up from"
        if toll.attribute == "magnitude":
            relation = "first given as"
        elif now.words.get("unit") == "psi":
            relation = "highest"
        earlier = _time(toll.before.first, state)
        grew = relation.endswith("from") and earlier == time and ":" not in time  # on one day, told days later
        more = "" if grew else f", {relation} {_bare(toll.before)} ({earlier})"
    if beside:
        others, then = counted_by(beside.voices, state)
        shown = f"({others}, {_time(then, state)})"
        if toll.disputed:
            section, status, voices = "disputed", "disputed", (*voices, *beside.voices)
            more += f", but {_bare(beside)} as others say {shown}"
        elif not toll.past:
            more += f"; {_bare(beside)} also reported {shown}"
    line = counted_sentence(now, _where(now, here), past=toll.past)
    lead = f"Earthquake of {_time(toll.shock, state)}" if toll.shock else ""
    if section == "tolls" and toll.attribute in _LEADS and toll.now.words["subject"] not in _UNLED and now.high != 0:
        said_by = "" if toll.attribute == "magnitude" else f", according to {by} ({time}){more}"
        lead = _LEADS[toll.attribute].format(_figure(now), _noun(now), _day(now.first, state)) + said_by
    id = f"count {toll.topic}{f' {toll.shock:.0f}' * bool(toll.shock)}"
    own: dict[str, Any] = {"voices": voices, "value": toll.value, "lead": lead}
    return Telling(id, "quantity", section, line, f"({by}, {time}){more}", status, toll.standing, as_of, **own)


def _later_shock(state: State) -> list[Telling]:
    """The strongest shock after the main one."""
    shock = later_shock(state)
    if shock is None:
        return []
    by, as_of = counted_by(shock.voices, state, lasts=True)
    line, tail = f"A later shock had a magnitude of {_figure(shock)}", f"({by}, {_time(as_of, state)})"
    return [Telling("later shock", "quantity", "tolls", line, tail, "reported", 0, as_of, shock.voices)]


def _where(said: Said, here: str) -> str:
    """The town that a count is of, where the brief's head does not tell it: " in Longmont"."""
    spots = [spot for name in said.scope if (spot := known_place(name) or district(name))]
    relation = "near" if said.words.get("attribute") == "magnitude" else "in"
    return next((f" {relation} {spot}" for spot in spots if fold(spot) not in here), "")


def _status(sure: int) -> Status:
    return "confirmed" if sure == 2 else "reported"


def _of_circumstance(said: Said, kind: Circumstance, state: State, here: str) -> Telling:
    """What holds or has ended, in the words of a report that tells more of it than ours, else in ours."""
    alone = len(said.authors) == 1 and kind.section != "needs"
    by, as_of = (counted_by if alone else who)(said.voices, state, lasts=not kind.hours)
    at = [] if kind.over else _towns(said, state, here)
    line = kind.says.format(said.words["state"])
    line = line[:1].upper() + line[1:] + (f" in {' and '.join(at[:MAX_PLACES])}" if at else "")
    words, voice = told_itself(said, state)
    if voice and kind.section != "needs":
        line, by, as_of = words, and_others(voice, said.voices), voice.as_of
    section: Any = kind.section or ("ended" if kind.over else "in force")
    sure = max(1, standing(said))
    status: Status = "ended" if kind.over else _status(sure)
    tail = f"({by}, {_time(as_of, state)})"
    return Telling(said.id, "status", section, line, tail, status, sure, as_of, said.voices)


def _towns(said: Said, state: State, here: str) -> list[str]:
    """The places that a circumstance is of, where the brief's head does not tell them."""
    spots = [spot for name in said.scope if (spot := known_place(name)) and not elsewhere((name,), state.location)]
    return list(dict.fromkeys(spot for spot in spots if fold(spot) not in here))


def _tells_where(said: Said, kind: Circumstance, state: State, here: str) -> bool:
    """Whether it is of use: of what struck many towns nobody can use that schools are closed somewhere."""
    return not (kind.local and is_wide(state)) or bool(_towns(said, state, here) or told_itself(said, state)[0])


def _past(holding: Sequence[Held], claims: Sequence[Claim], state: State) -> list[Held]:
    """What held and need not hold any more, the most told first: several or an authority told it, and no claim does."""
    repeated = {id for claim in claims for id in claim.voice.counts}
    known = (one for one in holding if is_past(*one, state) and not beyond(one[0].scope, state))
    sure = (one for one in known if standing(one[0]) or len(one[0].authors) > 1)
    lasting = (one for one in sure if one[1].hours >= LASTING and not one[1].status.endswith("denied"))
    gone = (one for one in lasting if one[0].id not in repeated)
    return sorted(gone, key=lambda one: (-len(one[0].authors), one[0].id))


def _of_past(said: Said, kind: Circumstance, state: State, here: str) -> Telling:
    """What need not hold any more, as it was told last."""
    told_last = _of_circumstance(said, kind, state, here)
    when = _time(told_last.as_of, state)
    tail = told_last.tail.replace(f", {when})", ")")
    return replace(told_last, section="course", line=f"{when}: {told_last.line}", tail=tail)


def _of_claim(claim: Claim, state: State) -> Telling:
    """A claim in the words of one report of it."""
    said, voice, voices = claim.said, claim.voice, claim.said.voices
    sure = standing(said) or int(said.heard > 1)
    by, when = and_others(voice, voices), _time(claim.time, state)
    by = claim.by + ", as one report says" * (not claim.sure) if claim.by else by
    own: dict[str, Any] = {"voices": voices, "guides": said.kind == "advice"}
    line, tail = claim.text, f"({by}, {when})"
    if claim.section == "course":
        line, tail = f"{when}: {line}", f"({by})"
    return Telling(said.id, said.kind, claim.section, line, tail, _status(sure), sure, voice.as_of, **own)


def _refuted(said: Said, state: State) -> Telling | None:
    """What is refuted although several have said it or the brief has told it: readers should know; None else."""
    voice = min(said.voices, key=lambda v: (not v.official, v.time, v.event))
    if not (len(said.authors) > 1 or said.id in state.told) or any(one.verdict != "refuted" for one in said.voices):
        return None
    why = next((f" by {v.against}" + f": “{v.why}”" * bool(v.why) for v in said.voices if v.against), "")
    if not why:
        return None
    line = f"“{counted_sentence(said) if said.kind == 'quantity' else voice.label}”"
    tail = f"({_time(voice.as_of, state)}) is contradicted{why}"
    return Telling(said.id, said.kind, "disputed", line, tail, "disputed", 0, voice.as_of, said.voices, refuted=True)


def counted_sentence(said: Said, place: str = "", *, past: bool = False) -> str:
    """A count as a sentence without its end: "12 people have died", "The earthquake had a magnitude of 7.2"."""
    subject, attribute, many = said.words["subject"], said.words.get("attribute", ""), _figure(said)
    if said.words.get("unit") and (subject or attribute != "magnitude"):
        named = next((name.title() for name in said.scope if name.endswith(f" {subject}")), subject)
        form = str(ASKED_FOR.get(attribute, {}).get("line", f"{{thing}} {attribute} was {{many}}"))
        line = form.format(thing=named or "incident", many=many, place=place).strip()
    elif befell := ASKED_FOR.get(attribute, {}).get("says", ""):
        single, none = said.low == said.high == 1, said.low == said.high == 0
        verbs = {"have": "has", "are": "is", "were": "was"}
        verb, _, rest = befell.partition(" ")
        verb = {"are": "were", "were": "had been"}.get(verb, verb) if past else verb
        line = f"{many} {_noun(said)}{place} {verbs.get(verb, verb) if single and not none else verb} {rest}"
    else:
        line = " ".join(filter(None, (many, _noun(said), attribute)))
    return line[:1].upper() + line[1:]


def _noun(said: Said) -> str:
    """Those who are counted."""
    single, subject = said.low == 1 and said.high in (1, None), said.words["subject"]
    if subject == "things" and said.words.get("attribute") == "without power":
        subject = "customers"
    if subject in PEOPLE | {"nationals"}:
        return "person" if single else "people"
    return subject[:-1] if single and subject.endswith("s") else subject


def _figure(said: Said) -> str:
    return figure(said.low, said.high, said.words.get("unit", ""), said.approximate)


def _bare(said: Said) -> str:
    """Its figure without what it counts."""
    told_bare = _figure(said)
    return "none" if told_bare == "no" else told_bare.removesuffix(" of")


def _day(seconds: float, state: State) -> str:
    day = moment(seconds)
    return f"{day.day} {day:%b}" + (f" {day:%Y}" if day.year != moment(state.latest).year else "")


def _time(seconds: float, state: State) -> str:
    if seconds < state.latest - OLD:
        return _day(seconds, state)
    return clock(moment(seconds), moment(state.latest), dated=moment(state.first).date() != moment(state.latest).date())
