"""Which figure of a count is the current one, what it was before, and what other figures stand beside it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifleet.agents.briefs.circumstances import DAY, HOUR, document
from verifleet.agents.briefs.state import Said, State, Voice, moment
from verifleet.agents.briefs.where import FEW_NAME, elsewhere
from verifleet.reading.gazetteer import known_place
from verifleet.reading.speakers import is_authority
from verifleet.reading.words import fold

ASKED_FOR: Mapping[str, Mapping[str, Any]] = document()["counts"]
"""What responders ask for, in this order."""
SHRINKING = frozenset(name for name, count in ASKED_FOR.items() if count.get("shrinks"))
"""Of these and of what is measured the latest figure counts; all others add up, so that a smaller one told later is an
earlier one repeated."""
CROWD, RECALLED = 3, 6
"""So many unknown authors count somebody where an authority counts nobody; so many lives long a figure is past."""
VAGUE = 3
"""A figure that leaves open so many times itself, "several", tells nothing after a day."""
LEAST_OF_MANY = 10
"""Fewer evacuated, destroyed and so on are single cases."""
SPEEDS = frozenset({"speed", "wind speed"})
"""What is measured with an error, and of which the whole range or the highest counts, also when it is over."""
PEOPLE = frozenset({"", "people", "person", "persons"})
THINGS = frozenset(
    "homes buildings customers towns vehicles roads bridges aftershocks earthquake air fire storm".split()
)
MEASURED_BY = frozenset({"official", "emergency", "sensor", "news"})
CITING = frozenset({"news", "official", "emergency"})
"""Who cites a body that is in a position to know."""
MISREAD, LONE_GROWTH = 10, 4
"""A figure so many times larger that one report alone tells counts something else, or is a slip; so is one newsroom's
lone word, or that of somebody unknown."""
OF_THE_SITE = 5
"""So many claims have the name of what was struck, where those who were hurt may be told of elsewhere."""
MAGNITUDE_REVISED_BY, LEAST_SHOCK, ANOTHER_SHOCK = 0.6, 5.0, 12 * HOUR
"""A magnitude further below is an aftershock's; main shocks have so much, and lie so many seconds apart."""
GIVEN_UP_BY, LATER, PART = 3, 6 * HOUR, 6
"""A figure is given up when so many tell smaller ones so many seconds after anybody told it; one so many times smaller
is of a part."""
SETTLED = 2 * DAY
"""Seconds for which what an authority tells of those who become fewer stands against newer words of others."""
COMPARED_WITHIN = 3 * DAY
"""Seconds between two figures of which one is told as what the other was before."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure of a count.

    Attributes:
        low, high: what it may be, a tenth more either way where it is approximate; `least`: the least that it says.
        standing: 2 for what an authority says itself, 1 for what others bear out, 0 for what one report tells.
        tellers: who tells it, one that agrees with it, or, of what grows, a later one that includes it.
    """

    said: Said
    low: float
    high: float
    least: float
    first: float
    newest: float
    authors: frozenset[str] = frozenset()
    standing: int = 0
    tellers: frozenset[str] = frozenset()

    @classmethod
    def of(cls, said: Said) -> Figure:
        """A figure by itself."""
        least = said.low if said.low is not None else 0.0
        high = said.high if said.high is not None else math.inf
        rough = said.approximate or said.words["attribute"] in SPEEDS
        low, high = (least * 0.9, high * 1.1) if rough else (least, high)
        return cls(said, low, high, least, said.first, said.newest, said.authors)

    @property
    def width(self) -> float:
        """How much it leaves open."""
        return self.high - self.low

    @property
    def known(self) -> bool:
        """Whether readers know somebody who tells it."""
        return any(voice.known and voice.verdict != "refuted" for voice in self.said.voices)

    @property
    def last(self) -> float:
        """When somebody whom readers know told it last, unless it was disputed then; of others, when any did."""
        sure = (voice for voice in self.said.voices if voice.known and voice.stands and voice.verdict != "conflicting")
        return max((voice.as_of for voice in sure), default=self.newest)

    @property
    def answered_for(self) -> bool:
        """Whether a body in a position to know tells it, or news cite one for it."""
        return self.standing == 2 or bool(cited(self.said.voices))

    @property
    def names_body(self) -> bool:
        """Whether anybody names a body in a position to know for it."""
        return any(is_authority(voice.attributed) for voice in self.said.voices)

    def agrees(self, other: Figure) -> bool:
        """Whether both can be right."""
        return self.low <= other.high and other.low <= self.high

    def same_size(self, other: Figure) -> bool:
        """Whether both come to the same: "hundreds" and 320, but no more "at least 77" and 80."""
        rounded = any(one.said.approximate and one.high <= 1.1 * MISREAD * one.least for one in (self, other))
        return self.agrees(other) and (rounded or self.least == other.least)

    def includes(self, earlier: Figure) -> bool:
        """Whether it is a later figure of what grows: who tells of 33 dead tells of 24, too."""
        grows = self.said.words["attribute"] not in SHRINKING | {"magnitude"}
        return grows and self.newest >= earlier.newest and earlier.least < self.least <= MISREAD * earlier.least

    def among(self, others: Sequence[Figure]) -> Figure:
        """This as it stands among all figures of its count."""
        shrinks = self.said.words["attribute"] in SHRINKING
        agreeing = [o for o in others if (self.same_size(o) if shrinks else self.agrees(o) or o.includes(self))]
        tellers = self.authors.union(*(other.authors for other in agreeing))
        sure = standing(self.said)
        if not sure and not self.said.has("refuted"):
            sure = int(len(tellers) > (1 if any(other.known for other in (self, *agreeing)) else 2))
        return replace(self, standing=sure, tellers=tellers)


@dataclass(frozen=True, slots=True)
class Toll:
    """The current figure of a count.

    Attributes:
        shock: when that began which it is a toll of, 0 for the latest or only one.
        before: an earlier figure by comparable sources; `beside`: another one that is told at the same time.
        disputed: one of both is refuted by the other.
        current: ids of the figures that come to the same and are no vaguer.
        past: nobody has told it for so long that it need not hold any more.
        course: when figures of it were first told, and these.
    """

    topic: str
    now: Said
    standing: int
    current: frozenset[str]
    shock: float = 0.0
    before: Said | None = None
    beside: Said | None = None
    disputed: bool = False
    past: bool = False
    course: tuple[tuple[float, float], ...] = ()

    def since(self, time: float) -> float:
        """How much it grew after a time."""
        return (self.now.low or 0) - max((figure for first, figure in self.course if first <= time), default=0)

    @property
    def attribute(self) -> str:
        """What befell those who are counted."""
        return self.now.words["attribute"]

    @property
    def value(self) -> dict[str, Any]:
        """The figure as data: low, high, unit, the one before it, and another one that is reported."""
        return {
            "low": self.now.low,
            "high": self.now.high,
            "unit": self.now.words.get("unit", ""),
            "previous": self.before and _as_data(self.before, self.before.first),
            "reported": self.beside and _as_data(self.beside, self.beside.newest),
        }


def _as_data(said: Said, time: float) -> dict[str, Any]:
    return {"low": said.low, "high": said.high, "as_of": moment(time).isoformat()}


def standing(said: Said) -> int:
    """2 for what an authority says itself, 1 for what others bear out, 0 for what is only reported."""
    if any(voice.official and voice.stands for voice in said.voices):
        return 2
    read_off = is_measure(said) and any(voice.source in MEASURED_BY for voice in said.voices)
    return int(said.has("supported") or (said.kind == "quantity" and (read_off or bool(cited(said.voices)))))


def is_measure(said: Said) -> bool:
    """Whether a figure is read off, not counted: what it was before says nothing about what it is."""
    return bool(said.words.get("unit")) and said.words["attribute"] not in ("magnitude", "speed")


def cited(voices: Iterable[Voice]) -> str:
    """The body in a position to know that news or authorities cite, "" when they cite none."""
    return next((v.attributed for v in voices if v.source in CITING and is_authority(v.attributed)), "")


def tolls(state: State) -> list[Toll]:
    """The current figure of each count, and of each earthquake where there were several."""
    counted = [said for said in state.said if _counts(said)]
    began = shocks(counted)
    counts: dict[tuple[str, float], list[Said]] = {}
    often = [fold(name) for name, many in state.places.items() if many * FEW_NAME >= state.reports]
    location = state.location
    named = Counter(name for said in state.said for name in said.scope if not known_place(name))
    for said in counted:
        if any(named[name] >= OF_THE_SITE for name in said.scope) and elsewhere(said.scope, location):
            said = said._replace(scope=())
        if not elsewhere(said.scope, location) and not _of_a_part(said, often):
            topic = "|".join(said.words.get(name, "") for name in ("subject", "attribute", "unit"))
            for since, part in _by_shock(said, began):
                counts.setdefault((topic, since), []).append(part)
    latest = max(began, default=0.0)
    return [_toll(topic, 0.0 if since == latest else since, said) for (topic, since), said in counts.items()]


def _by_shock(said: Said, began: Sequence[float]) -> Iterable[tuple[float, Said]]:
    """A count by the shock that it is of: the same magnitude may be that of two, by when each voice tells it."""
    if len(began) < 2 or said.words["attribute"] != "magnitude":
        yield max((time for time in began if time <= said.first), default=min(began, default=0.0)), said
        return
    told: dict[float, list[Voice]] = {}
    for voice in said.voices:
        told.setdefault(max((time for time in began if time <= voice.as_of), default=min(began)), []).append(voice)
    yield from ((since, said._replace(voices=tuple(voices))) for since, voices in told.items())


def _of_a_part(said: Said, often: Sequence[str]) -> bool:
    """Whether one report alone tells a count of a hospital, or of many things at places that few others name."""
    if said.words["attribute"] == "injured" and "hospital" in said.about and len(said.authors) == 1:
        return True
    many = ASKED_FOR.get(said.words["attribute"], {}).get("many")
    alone = many and said.words["subject"] not in PEOPLE and len(said.authors) == 1
    return bool(alone and said.scope) and not any(name in own or own in name for name in said.scope for own in often)


def shocks(counted: Iterable[Said]) -> list[float]:
    """When each main shock of an earthquake was first told, of magnitudes that several tell; none for other kinds."""
    sure = [one for one in counted if _is_shock(one) and (standing(one) or one.heard > 1)]
    most = max((one.low or 0 for one in sure), default=0.0)
    began: list[float] = []
    for time in sorted(one.first for one in sure if (one.low or 0) >= most - MAGNITUDE_REVISED_BY):
        if not began or time > began[-1] + ANOTHER_SHOCK:
            began.append(time)
    return began


def later_shock(state: State) -> Said | None:
    """The strongest shock of the hours and days after the main one that readers know somebody to tell of."""
    told = [one for one in state.said if _counts(one) and not elsewhere(one.scope, state.location)]
    last, most = max(shocks(told), default=math.inf), max((one.low or 0 for one in told if _is_shock(one)), default=0)
    after = [one for one in told if _is_shock(one) and one.first > last + ANOTHER_SHOCK]
    fit = [one for one in after if (one.low or 0) < most and any(voice.known for voice in one.voices)]
    return max(fit, key=lambda one: one.low or 0, default=None)


def _is_shock(said: Said) -> bool:
    named = said.words["attribute"] == "magnitude" and said.words["subject"] == "earthquake"
    return named and LEAST_SHOCK <= (said.low or 0) == said.high


def asked_for(counted: Iterable[Toll], latest: float) -> list[Toll]:
    """Counts that responders ask for, in their order; of groups of people only what no count of all people includes."""
    kept: list[Toll] = []
    told_of: set[tuple[Any, ...]] = set()
    counted = list(counted)
    for toll in sorted(counted, key=_rank):
        now, subject = toll.now, toll.now.words["subject"]
        own = {(voice.event, voice.claim, now.low, now.high) for voice in now.voices}  # a figure has one meaning
        told = any(one.attribute == toll.attribute for one in kept)
        dead = next((one for one in kept if one.attribute == "dead"), None)
        asked = ASKED_FOR.get(toll.attribute, {})
        part = subject not in PEOPLE | THINGS and (told or asked.get("many")) and toll.standing < 2
        life, age = asked.get("days", math.inf) * DAY, latest - now.newest
        recalled = 1 if is_measure(now) else RECALLED
        alone = not (toll.standing or any(voice.known for voice in now.voices))
        lone = toll.attribute in SHRINKING and alone
        found = dead.since(now.newest) if dead and toll.attribute in SHRINKING and subject in PEOPLE else 0
        wide = now.approximate and (now.high or math.inf) > VAGUE * (now.low or 0)
        vague = wide and not asked.get("many")
        old = age >= (DAY if lone or vague else life * recalled) or (now.low or 0) < 2 * found
        toll = replace(toll, past=age >= life)
        some = [*kept, *(one for one in counted if one.attribute == toll.attribute)]
        none = now.high == 0 and (now.newest < latest - DAY or any(one.now.low for one in some))
        single = asked.get("many") and (now.low or 0) < LEAST_OF_MANY
        known = toll.attribute in ASKED_FOR and (toll.standing > 0 or "alone" in asked)
        known &= toll.attribute != "count" or subject == "aftershocks"
        known &= toll.standing > 0 or not is_measure(now) or any(v.source in MEASURED_BY for v in now.voices)
        known &= not (alone and any(v.known for one in some if one.attribute == toll.attribute for v in one.now.voices))
        if known and not (own & told_of or part or old or single or none or (wide and alone)):
            kept.append(toll)
            told_of |= own
    return kept


def _counts(said: Said) -> bool:
    return (
        said.kind == "quantity"
        and said.polarity == "asserted"
        and bool(said.words.get("attribute"))
        and said.words.get("comparison") not in ("more", "before")
        and (said.low is not None or said.high is not None)
        and any(voice.verdict != "refuted" for voice in said.voices)
    )


def _rank(toll: Toll) -> tuple[Any, ...]:
    people = toll.now.words["subject"] in PEOPLE
    severity = [*ASKED_FOR, toll.attribute].index(toll.attribute)
    return (toll.shock > 0, toll.standing == 0, severity, not people, -len(toll.now.authors), toll.topic)


def _toll(topic: str, shock: float, said: Sequence[Said]) -> Toll:
    grows = said[0].words["attribute"] not in SHRINKING
    some = [one for one in said if one.high != 0 or not grows] or said  # "no deaths" was before any
    if grows and any(one.high == 0 and standing(one) == 2 for one in said):
        some = [one for one in some if len(one.authors) >= CROWD or any(v.known for v in one.voices)] or said
    made = sorted(map(Figure.of, some), key=lambda one: (one.first, one.least, one.said.id))
    told = [one.among(made) for one in made]
    sure = [one for one in told if one.standing]
    now = _current(told, sure)
    exact = [one for one in sure if one.width < now.width and one.same_size(now)]
    if now.said.approximate and not grows:
        exact = [one for one in exact if one.answered_for and one.newest > now.first - DAY]
    elif not now.said.approximate:
        exact = [one for one in exact if one.newest >= now.first]
    now = max(exact, key=lambda one: (one.least, -one.width), default=now)
    same = (one.said.voices for one in told if one.said == now.said or now.least == one.least > 0)
    all_of_it = now.said._replace(voices=tuple(dict.fromkeys(voice for voices in same for voice in voices)))
    if all_of_it.words["attribute"] == "speed" and sure:
        all_of_it = _span_of(sure)
    beside, now = _beside(now, told), replace(now, said=all_of_it, first=all_of_it.first)
    before = None if beside else _before(now, told if now.said.words.get("unit") == "psi" else sure)
    return Toll(
        topic,
        now.said,
        now.standing,
        frozenset(one.said.id for one in told if one.same_size(now) and one.width <= now.width),
        shock,
        before.said if before else None,
        beside.said if beside else None,
        bool(beside and beside.said.has("conflicting") and now.said.has("conflicting")),
        course=tuple((one.first, one.least) for one in sure if one.least <= now.least),
    )


def _span_of(figures: Sequence[Figure]) -> Said:
    """All that sure voices tell of one thing as one figure, by the most of it: up to 190."""
    voices = dict.fromkeys(voice for one in figures for voice in one.said.voices)
    low, high = min(one.least for one in figures), max(one.said.high or one.least for one in figures)
    return figures[0].said._replace(low=None if low < high else low, high=high, voices=tuple(voices))


def _current(told: Sequence[Figure], sure: Sequence[Figure]) -> Figure:
    """The figure that counts now, by what is counted: of an authority where one answers for any."""
    attribute, latest = told[0].said.words["attribute"], max(one.newest for one in sure or told)
    if attribute == "wind speed":
        fit = [one for one in told if one.standing] or told
        return max([one for one in fit if len(one.tellers) > 1] or fit, key=lambda one: one.least)
    if is_measure(told[0].said):
        read_off = [one for one in told if any(voice.source in MEASURED_BY for voice in one.said.voices)]
        return max(read_off or told, key=lambda one: one.newest)
    if not sure:
        return max(told, key=lambda o: (o.known, len(o.authors), not o.said.approximate, o.newest))
    answered = [one for one in sure if one.answered_for]
    if attribute == "magnitude":
        main = [one for one in sure if one.least >= max(o.least for o in sure) - MAGNITUDE_REVISED_BY]
        return max(main, key=lambda one: (len(one.authors) >= GIVEN_UP_BY, one.first))
    if attribute in SHRINKING:
        fresh = [one for one in answered if one.newest > latest - SETTLED]
        return max(fresh or [one for one in told if one.known] or sure, key=lambda one: (one.first, -one.width))
    most = max((one.least for one in sure), default=math.inf)
    held = [
        one
        for one in told
        if not _given_up(one, told) and (one.standing or _grown(one, most, answered if one.known else sure))
    ]
    held = held or list(sure)
    own = [one for one in answered if one.standing == 2 and one.newest > latest - LATER]
    if own:  # a lone voice does not overtake whoever answers for it
        since = max(one.newest for one in own) + LATER
        held = [o for o in held if o in own or len(o.tellers) > 1 or (o.names_body and o.first > since)] or held
    known = [one for one in held if one.known or one.names_body or one.answered_for]
    held = [one for one in held if one in known or len(one.authors) >= GIVEN_UP_BY] if known else held
    exact = [one for one in held if not one.said.approximate]
    return max(exact or held, key=lambda one: (one.least, -one.width, one.standing))


def _grown(one: Figure, most: float, before: Sequence[Figure]) -> bool:
    """Whether a lone word is of what grew since: not much larger, and hours after those, of a body by news at once."""
    since = max((other.newest for other in before if other.least < one.least), default=-math.inf)
    since += LATER * (not (one.known and one.names_body))
    return (one.known or one.names_body) and one.least <= LONE_GROWTH * most and one.first > since


def _before(now: Figure, sure: Sequence[Figure]) -> Figure | None:
    """An earlier figure of the same thing: of what grows the largest smaller one, else the one told last."""
    past = [one for one in sure if not one.same_size(now) and one.first < now.first]
    if now.said.words.get("unit") == "psi":
        return max((one for one in past if one.least > now.least), key=lambda one: one.least, default=None)
    past = [one for one in past if now.first - one.newest < COMPARED_WITHIN and one.least]
    if now.said.words["attribute"] in SPEEDS | (SHRINKING if not is_measure(now.said) else frozenset()):
        return None  # figures of these are of parts and of moments
    if now.said.words["attribute"] == "magnitude":
        return max(past, key=lambda one: (one.said.heard, -one.first), default=None)
    if is_measure(now.said):
        alike = [one for one in past if one.answered_for == now.answered_for]
        return max(alike, key=lambda one: one.first, default=None)
    past = [one for one in past if one.least < now.least and (now.said.approximate or not one.said.approximate)]
    return max(past, key=lambda one: (one.least, -one.first), default=None)


def _beside(now: Figure, told: Sequence[Figure]) -> Figure | None:
    """Another figure that may be the right one: one that contradicts it, or a larger one told later."""
    if now.said.words.get("unit"):
        return None
    others = [one for one in told if not one.agrees(now) and one.said.stands]
    if against := [one for one in others if now.said.has("conflicting") and one.said.has("conflicting")]:
        return max(against, key=lambda one: one.newest)
    if now.said.words["attribute"] in SHRINKING or not now.standing:
        return None
    larger = [one for one in others if now.least < one.least and not _given_up(one, told)]
    larger = [one for one in larger if one.known or 0 < one.first - now.newest < DAY or one.names_body]
    larger = [one for one in larger if one.newest > now.first]
    larger = [one for one in larger if one.least <= (MISREAD if one.known else LONE_GROWTH) * max(now.least, 1)]
    return max(larger, key=lambda one: (one.known, one.newest), default=None)


def _given_up(one: Figure, told: Sequence[Figure]) -> bool:
    """Whether smaller figures took its place: an authority's that is exact, one that stands, or several much later.

    A smaller one told before it is an earlier one repeated.
    """
    less = [o for o in told if o.least < one.least and not o.agrees(one)]
    later = [(o, v) for o in less for v in o.said.voices if v.as_of > one.last]
    if any(v.official and v.stands and o.said.high is not None and not o.said.approximate for o, v in later):
        return True
    fallen = (o for o, _ in later if o.standing and o.said.stands)
    if not one.said.stands and any(2 * o.least >= one.least for o in fallen):
        return True
    later = [(o, v) for o, v in later if v.as_of > one.last + LATER]
    later = [(o, v) for o, v in later if o.least * (PART if o.first > one.last else 2) >= one.least]
    said_by = any(cited((v,)) for _, v in later)
    return one.standing < 2 and (said_by or len({v.author for _, v in later}) >= GIVEN_UP_BY)
