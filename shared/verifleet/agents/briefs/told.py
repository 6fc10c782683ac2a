"""The facts that a brief tells: what happened, one figure of each count, what holds, what ended, what is disputed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from verifleet.agents.briefs.figures import SHRINKING, cites_authority, standing
from verifleet.agents.briefs.sentences import LANGUAGES, sentence
from verifleet.agents.briefs.state import LEAST_TELLING, Alert, Said, State, Voice, moment, nameless
from verifleet.agents.briefs.statuses import LASTING, STALE_AFTER, Held, held, here, is_status
from verifleet.agents.briefs.tolls import PEOPLE, Toll, asked_for, tolls
from verifleet.agents.briefs.words import clock, figure, figures_in, named_in, tells_of_now
from verifleet.envelopes import BriefFact, FactSource
from verifleet.reading.words import data, fold

Status = Literal["confirmed", "reported", "disputed", "ended"]
Section = Literal["happened", "tolls", "in force", "also", "disputed", "ended"]
MOST: dict[Section, tuple[int, int]] = {
    "happened": (1, 1), "tolls": (7, 2), "in force": (4, 1), "also": (6, 2), "disputed": (2, 2),
    "ended": (3, 1),
}  # fmt: skip
"""How many facts of each are told, and how many of these may be only reported, in the order of the summary."""
MAX_SOURCES = 8
FEW_WORDS = 4
"""Content words that a claim has at least: one with fewer says next to nothing."""
FEW_FOREIGN = 2
"""So many claims in other languages are told, and only where there are fewer in English."""
WORTH_TELLING, WORTH_ALONE = 0.75, 0.9
"""How much a claim is worth checking that is told, and one that a single newsroom tells."""
SOCIAL = frozenset({"donation", "fund", "mourning", "funeral", "visit", "volunteer", "tribut", "spoken", "apolog"})
"""Words of what goes on around an incident and says nothing of it; advice on it is told as advice."""
YEARS = range(1900, 2100)
LEAST_NEW = 3
"""Content words that nothing told before has, nor every report, in a claim that is news."""
_RESPONSE = frozenset(
    "warning closed open cancel shelter power water road bridge emergency hospital police investigat cause school "
    "airport".split()
)
PASSING = SHRINKING | {"warning"}


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact as it is told; `standing` is 0 for what is only reported."""

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

    def fact(self) -> BriefFact:
        """This on the wire, with its sources, those of authorities first."""
        ranked = sorted(self.voices, key=lambda v: (not v.official, v.time, v.event))
        reports = [
            (v.event, v.source, None if v.author == nameless(v.event) else v.author, v.url, v.time) for v in ranked
        ]
        if self.alert:
            reports = [(self.alert.report, "emergency", self.alert.author, self.alert.url, self.alert.sent)]
        names = ("event_id", "source", "author", "url")
        told_by = list(dict.fromkeys(reports))[:MAX_SOURCES]
        claims = {event: sorted({v.claim for v in ranked if v.event == event}) for event, *_ in told_by}
        sources = [
            FactSource(**dict(zip(names, one, strict=False)), time=moment(one[-1]), claims=claims[one[0]])
            for one in told_by
        ]
        own = {"id": self.id, "kind": self.kind, "text": self.text, "value": self.value, "status": self.status}
        return BriefFact(**own, refuted=self.refuted, as_of=moment(self.as_of), sources=sources)


@dataclass(frozen=True, slots=True)
class Current:
    """What is up to date: ids of counts, what befell those who are told as counts, and their figures."""

    ids: frozenset[str]
    attributes: frozenset[str]
    figures: frozenset[float]

    @classmethod
    def of(cls, counted: Iterable[Toll], asked: Sequence[Toll]) -> Current:
        """What some counts come to, of which those asked for are told."""
        figures = {figure for toll in asked for figure in (toll.now.low, toll.now.high) if figure}
        ids = frozenset[str]().union(*(toll.current for toll in counted))
        return cls(ids, frozenset(toll.attribute for toll in asked), frozenset(figures))

    def voice(self, said: Said) -> Voice | None:
        """The claim that is shown: an authority's, confirmed, without figures; None where none reads well."""
        counts = not self.attributes.isdisjoint(said.about)
        fit = [voice for voice in said.voices if voice.stands and self._allows(voice, counts)]
        return min(
            fit,
            key=lambda v: (
                not v.official,
                v.verdict != "supported",
                len(v.counts),
                -named_in(v.label, said.about),
                v.time,
                v.event,
            ),
            default=None,
        )

    def _allows(self, voice: Voice, counts: bool) -> bool:
        """Whether a claim may be shown: a sentence by itself, that has no figure of a count but the current one."""
        label = sentence(voice.label, voice.spoken) if voice.plain else ""
        if not label or not self.ids.issuperset(voice.counts):
            return False
        return not counts or all(f < LEAST_TELLING or f in self.figures or f in YEARS for f in figures_in(label))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that may be told: the voice that is shown of it, and what tells how much it counts."""

    said: Said
    voice: Voice
    about: frozenset[str]
    standing: int
    heard: int

    @property
    def text(self) -> str:
        """Its words."""
        return sentence(self.voice.label, self.voice.spoken)

    @property
    def worth(self) -> float:
        """How much it is worth checking."""
        return max(voice.worth for voice in self.said.voices)

    @property
    def passes(self) -> bool:
        """Whether what is said holds for a time only: a state, or what may be or is denied."""
        words = self.said.words
        holds = (self.said.kind == "status" and words.get("state") not in LASTING) or not PASSING.isdisjoint(self.about)
        held = (holds and words.get("phase") != "ended") or self.said.polarity != "asserted"
        return held or tells_of_now(self.text)

    @property
    def may_lead(self) -> bool:
        """Whether it may be told as what happened: it lasts, several tell it and none disputes it."""
        sure = self.standing > 0 and self.heard > 1 and not self.said.has("conflicting")
        telling = self.about & data("lexicon")["hazards"].keys() and len(self.about - _plain_words()) >= LEAST_NEW
        return sure and bool(telling or self.said.kind == "event") and not self.passes

    def share(self, state: State) -> float:
        """How much it says of what all reports speak of, more where many say it or it was told before."""
        said_of = sum(state.words.get(word, 0) for word in self.about) / math.sqrt(len(self.about) + 4)
        return said_of * (1 + 0.1 * min(self.heard, 5)) * (2 if self.said.id in state.told else 1)

    def gain(self, shown: frozenset[str], state: State) -> float:
        """What it adds, more where it is confirmed, said by many or an authority, new, or was told before."""
        sure = (self.standing > 0) + 0.5 * (self.standing == 2) + 0.4 * min(4, self.heard)
        age = (state.latest - self.said.newest) / max(state.latest - state.first, STALE_AFTER)
        adds = len((self.about & telling_words()) - shown)
        return sure + min(adds, 3) + (1 - age) + 2 * (self.said.id in state.told) + self.worth


def told(state: State) -> list[Telling]:
    """The facts of the brief, in the order of its summary, confirmed ones first."""
    counted = tolls(state)
    asked = asked_for(counted, state.latest)
    current = Current.of(counted, asked)
    claims = list(_claims(state, current))
    found = [_of_alert(alert, state) for alert in state.alerts]
    found += [_of_toll(toll, state) for toll in asked]
    found += _chosen([claim for claim in claims if _worth_telling(claim)], state, asked)
    found += [_of_status(one, state) for one in held(state)]
    found += filter(None, (_refuted(said, state) for said in state.said if not said.stands))
    # A brief that would tell of nothing but figures quotes what says most of what happened.
    uncounted = [claim for claim in claims if not claim.voice.counts and claim.worth >= WORTH_TELLING]
    if uncounted and not any(telling.kind != "quantity" for telling in found):
        best = max(uncounted, key=lambda one: (len(one.about) >= FEW_WORDS, one.heard, one.worth, -one.said.first))
        found.append(_of_claim(best, state, "happened"))
    sections = list(MOST)
    found.sort(key=lambda telling: (sections.index(telling.section), telling.standing == 0))
    return list(_within_bounds(found))


def _claims(state: State, current: Current) -> Iterable[Claim]:
    """What is told as it was worded: what reads well and has not passed, in English where enough is."""
    stated = [said for said in state.said if said.kind != "quantity" and said.stands]
    claims = [
        Claim(said, voice, frozenset(said.about), standing(said), said.heard)
        for said in stated
        if (voice := current.voice(said)) and not is_status(said)
    ]
    claims = [one for one in claims if not one.passes or one.said.newest > state.latest - STALE_AFTER]
    foreign = [one for one in claims if one.voice.spoken != "en"]
    english = [one for one in claims if one not in foreign]
    return english if len(english) >= FEW_FOREIGN else [*english, *foreign[:FEW_FOREIGN]]


def _within_bounds(found: Iterable[Telling]) -> Iterable[Telling]:
    numbers: dict[Section, tuple[int, int]] = {}
    for telling in found:
        told_so_far, open_so_far = numbers.get(telling.section, (0, 0))
        most, most_open = MOST[telling.section]
        if told_so_far < most and (telling.standing or open_so_far < most_open):
            numbers[telling.section] = (told_so_far + 1, open_so_far + (telling.standing == 0))
            yield telling


def _chosen(claims: Sequence[Claim], state: State, asked: Sequence[Toll]) -> Iterable[Telling]:
    """The claims that are told: what happened, then those that tell most that was not told, in the order of time."""
    counted = frozenset(toll.attribute for toll in asked)
    leads = [claim for claim in claims if claim.may_lead and claim.voice.as_of < state.first + STALE_AFTER]
    leads = [claim for claim in leads if not (claim.voice.counts and counted & claim.about)]
    lead = max(leads, key=lambda one: (one.share(state), -one.said.first, one.said.id), default=None)
    if lead:
        yield _of_claim(lead, state, "happened")
    chosen = [lead] if lead else []
    counts = frozenset[str]().union(*(toll.current for toll in asked))
    left = [claim for claim in claims if claim is not lead and counts.isdisjoint(claim.voice.counts)]
    plain = (_plain_words() | here(state) | counted).union(*(fold(name).split() for name in state.places))
    while len(chosen) <= MOST["also"][0]:
        shown = plain.union(*(one.about for one in chosen))
        left = [one for one in left if not _repeats(one, chosen, shown)]
        if not left:
            break
        chosen.append(max(left, key=lambda one: (one.gain(shown, state), one.said.id)))
        left.remove(chosen[-1])
    for claim in sorted((one for one in chosen if one is not lead), key=lambda one: one.voice.as_of):
        yield _of_claim(claim, state, "also")


_TOLD_OF = frozenset(
    "hit strik rock magnitud report strong powerful deadly major massive death toll ris say confirm number people "
    "person least update area stat country northern southern central eastern western".split()
)
"""Words of which every report has some and that tell nothing."""


@cache
def _plain_words() -> frozenset[str]:
    """What every first report of an incident has: its kind, and that it was."""
    lexicon = data("lexicon")
    return frozenset({*lexicon["hazards"], *lexicon["states"], *_TOLD_OF})


@cache
def telling_words() -> frozenset[str]:
    """Content words that tell what an incident is and does, whichever language names it."""
    lexicon = data("lexicon")
    return frozenset({*lexicon["states"], *lexicon["hazards"], *_RESPONSE}) - {"affected"}


def _repeats(claim: Claim, chosen: Sequence[Claim], shown: frozenset[str]) -> bool:
    """Whether a claim has too few words of its own to be news, or tells within hours what another one does."""
    near = [one for one in chosen if abs(one.voice.as_of - claim.voice.as_of) < STALE_AFTER / 2]
    alike = any(2 * len(claim.about & one.about) >= len(one.about) for one in near)
    return bool(claim.about) and (alike or len(claim.about - shown) < LEAST_NEW)


def _worth_telling(claim: Claim) -> bool:
    """Whether a claim is told: it says something, and somebody stands by it."""
    said = claim.said
    disputed_as_count = said.has("conflicting") and all(voice.counts for voice in said.voices)
    if disputed_as_count or not SOCIAL.isdisjoint(claim.about):
        return False
    if not said.about or said.kind in ("cause", "event"):
        return claim.standing > 0
    sure = claim.standing > 0 or len(said.authors) > 1
    alone = claim.voice.source == "news" and claim.worth >= WORTH_ALONE
    return (alone or (sure and claim.worth >= WORTH_TELLING)) and len(said.about) >= FEW_WORDS


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


def _of_toll(toll: Toll, state: State) -> Telling:
    now, rival = toll.now, toll.rival
    told_by = [voice for voice in now.voices if voice.stands or not now.stands]
    as_of = max(voice.as_of for voice in [voice for voice in told_by if voice.official] or told_by)
    sure = "" if toll.standing else ", not confirmed"
    text = f"{_counted(now)} ({_time(as_of, state)}, {_who(now.voices, toll.heard, said=now)}{sure})"
    if toll.before:
        text += f", {toll.relation} {_bare(toll.before)} ({_time(toll.before.first, state)})"
    own: dict[str, Any] = {"id": f"count {toll.topic}", "kind": "quantity", "standing": toll.standing, "as_of": as_of}
    if rival:
        text += f", but {_bare(rival)} according to {_who(rival.voices)} ({_time(rival.newest, state)})"
        voices = (*now.voices, *rival.voices)
        return Telling(**own, section="disputed", text=text, status="disputed", voices=voices, value=toll.value)
    if toll.open:
        by = f"{_time(toll.open.newest, state)}, {_who(toll.open.voices)}"
        text += f"; {_bare(toll.open)} reported ({by}), not confirmed"
    status: Status = "confirmed" if toll.standing else "reported"
    return Telling(**own, section="tolls", text=text, status=status, voices=now.voices, value=toll.value)


def _of_status(one: Held, state: State) -> Telling:
    """A status in our words, or in those of a report."""
    said, quoted = one.said, one.voice is not None and not one.voice.official
    as_of = max(voice.as_of for voice in said.voices if voice.stands)
    sure = standing(said)
    by = f"{_time(as_of, state)}, {_who(said.voices, said.heard, quoted=quoted)}"
    text = f"“{one.text}” ({by})" if quoted else f"{one.text} ({by})"
    section: Section = "ended" if one.over else "in force"
    status: Status = "ended" if one.over else "confirmed" if sure else "reported"
    return Telling(one.id, "status", section, text, status, sure, as_of, said.voices)


def _of_claim(claim: Claim, state: State, section: Section) -> Telling:
    """A claim in the words of one report of it."""
    said, voice, stands = claim.said, claim.voice, claim.standing
    as_of = said.newest if claim.passes else voice.as_of
    spoken = LANGUAGES.get(voice.spoken, "")
    who = _who(said.voices, said.heard, quoted=not voice.official)
    by = f"{_time(as_of, state)}, {who}{'' if stands else ', not confirmed'}"
    own = claim.text if voice.official and not spoken else f"“{claim.text}”"
    text = f"{f'in {spoken}: ' if spoken else ''}{own} ({by})"
    status: Status = "confirmed" if stands else "reported"
    if said.has("conflicting") and not (said.has("supported") and voice.official):
        section, status = "disputed", "disputed"
        text += next((f", contradicted by {_other_side(one)}" for one in said.voices if one.against), "")
    return Telling(said.id, said.kind, section, text, status, stands, as_of, said.voices)


def _refuted(said: Said, state: State) -> Telling | None:
    """What is refuted although several have said it or the brief has told it: readers should know; None else."""
    voice = min(said.voices, key=lambda v: (not v.official, v.time, v.event))
    if not (len(said.authors) > 1 or said.id in state.told) or any(one.verdict != "refuted" for one in said.voices):
        return None
    why = next((f" by {_other_side(one)}" for one in said.voices if one.against), "")
    label = _counted(said) if said.kind == "quantity" else voice.label
    text = f"“{label}” ({_time(voice.as_of, state)}) is contradicted{why}"
    return Telling(said.id, said.kind, "disputed", text, "disputed", 0, voice.as_of, said.voices, refuted=True)


def _other_side(voice: Voice) -> str:
    return voice.against + (f": “{voice.why}”" if voice.why else "")


def _counted(said: Said) -> str:
    """A count in words: "12 dead", "30 homes destroyed", "Magnitude 7.6 earthquake"."""
    subject, attribute, many = said.words["subject"], said.words.get("attribute", ""), _figure(said)
    if attribute == "magnitude":
        return f"Magnitude {many} {subject}".strip()
    if said.words.get("unit") == "psi":
        return f"{attribute.replace('psi', 'pollution index (PSI)')} {many}"
    if said.words.get("unit"):
        return f"{subject} {attribute} {many}".strip()
    noun = ("people" if many.endswith(" of") else "") if subject in PEOPLE else subject
    many = "none" if many == "no" and not noun else many
    noun = noun[:-1] if said.high == 1 and noun.endswith("s") else noun
    return " ".join(part for part in (many, noun, attribute) if part)


def _figure(said: Said) -> str:
    return figure(said.low, said.high, said.words.get("unit", ""), said.approximate)


def _bare(said: Said) -> str:
    """Its figure without what it counts."""
    told_bare = _figure(said)
    return "none" if told_bare == "no" else told_bare.removesuffix(" of")


def _time(seconds: float, state: State) -> str:
    return clock(moment(seconds), moment(state.latest))


def _who(voices: Sequence[Voice], heard: int = 0, said: Said | None = None, *, quoted: bool = False) -> str:
    """Who says so: authorities by name, else the authority that is quoted, else how many and who of them first.

    Of words that are `quoted` from others it is told how many say so, and that an authority does.
    """
    authorities = list(dict.fromkeys(one.name for one in voices if one.official))
    if authorities and quoted:
        return f"{max(heard, len({voice.author for voice in voices}), 2)} sources, {authorities[0]} among them"
    if authorities:
        return " and ".join(authorities[:2])
    if said is not None and (cited := cites_authority(said)):
        return f"according to {cited}"
    count = max(heard, len({voice.author for voice in voices}))
    first = min(voices, key=lambda voice: voice.time)
    if count < 2:
        return first.name
    named = said is not None and first.author != nameless(first.event) and first.source == "news"
    return f"{count} sources" + (f", first {first.author}" if named else "")
