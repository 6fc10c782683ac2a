"""What is kept of an incident for its brief: what was said, by whom, and what its last revision told.

A claim is one thing that is said, and so is each count in it. What reports say in common is kept once, with a few of
its voices, so that it stays small however many reports come. All of it is plain JSON data in the Store (`State.data`,
`read`): rows without names, times in seconds since 1970.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError

from verifleet.agents.briefs.brings import OFFICIAL, Brought, brought
from verifleet.agents.briefs.circumstances import document, told_in
from verifleet.agents.briefs.sentences import advice
from verifleet.agents.briefs.where import elsewhere
from verifleet.agents.briefs.words import plain, quoted
from verifleet.agents.voices.originals import turns
from verifleet.envelopes import MAX_REVISION, Timestamp, VerifiedEventData
from verifleet.instants import LATEST, read_instant
from verifleet.reading.languages import content, spoken_in
from verifleet.reading.pieces import is_plain
from verifleet.reading.reposts import find_repost, original_of, signatures
from verifleet.reading.speakers import is_authority, is_newsroom, is_public
from verifleet.reading.telephones import telephones
from verifleet.reading.words import fold

FORM = 3
MAX_SEEN, MAX_SEEN_CHARACTERS = 2_400, 200_000
MAX_SAID, MAX_SAID_CHARACTERS = 240, 600_000
MAX_VOICES, MAX_CLAIMS, MAX_FACTS, MAX_SHOWN = 5, 12, 6, 200
MAX_BACKING, MAX_GUIDANCE = 20, 4
MAX_ALERTS, MAX_NAMES, MAX_WORDS = 24, 40, 400
PRESUMED = frozenset({"presum", "fear", "possibl", "possiblement"})
"""Lemmas of a toll of those who are only taken to be dead."""
LEAST_COPIED, COPIED = 4, 0.75
"""Words that two claims have at least, and the share of them in both, for the one to be a copy of the other."""
WORTH_OF_COUNTS = 1.0
"""What a figure that is asked for counts beside the log-odds of a claim, where there is too much of both."""
LEAST_TELLING = 10
"""Smaller figures in a claim may count anything."""
NOBODY = "report "
NAMELESS = {"official": "officials", "emergency": "emergency services", "news": "one news report", "sensor": "a sensor"}
Kind = Literal["quantity", "status", "statement", "circumstance", "advice"]
_NAMED = ("subject", "attribute", "unit", "state", "phase", "comparison")
_OF_REPORTS = ("said", "alerts")
_LISTS = (*_OF_REPORTS, "causes")
_SUMMED = {"families": MAX_NAMES, "places": MAX_NAMES, "entities": MAX_NAMES, "words": MAX_WORDS}

Seconds = Annotated[float, Field(ge=0, lt=LATEST.timestamp())]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MAX_REVISION)]


class Voice(NamedTuple):
    """One claim of one report that says something.

    Attributes:
        claim: which claim of the event, below zero for advice.
        label: the claim as it may be shown; never read.
        counts: ids of the counts and circumstances that the claim states: once one is out of date, so is the claim.
        backing: how many others support it; `worth`: how much it is worth checking, 0 to 1.
        against, why: who contradicts it, and in which words.
        plain: it is whole, and its words are words.
        relayed: its report passes on somebody else's words.
        spoken: the language of its report, "" for one that is not read.
    """

    event: str
    claim: int
    source: str
    author: str
    url: str | None
    time: Seconds
    as_of: Seconds
    verdict: str
    label: str
    attributed: str = ""
    counts: tuple[str, ...] = ()
    backing: Count = 0
    worth: Finite = 0.0
    against: str = ""
    why: str = ""
    plain: bool = True
    spoken: str = "en"
    relayed: bool = False

    @property
    def official(self) -> bool:
        """Whether an authority says so itself."""
        return self.source in OFFICIAL and not self.relayed

    @property
    def stands(self) -> bool:
        """Whether it is neither refuted nor outdated."""
        return self.verdict not in ("refuted", "outdated")

    @property
    def name(self) -> str:
        """Who says so, as readers know them: a body or a newsroom by its name, anybody else as one report."""
        known = is_public(self.author) if self.relayed else self.source in NAMELESS and not self.nobody
        return self.author if known else NAMELESS.get(self.source, "one report")

    @property
    def known(self) -> bool:
        """Whether readers know who says so: an authority, a newsroom, or an instrument, by its kind or its name."""
        return (self.source in NAMELESS and not self.relayed) or is_public(self.author)

    @property
    def brings(self) -> Brought:
        """What its words bring to those who have to act."""
        return brought(self.label, self.source, self.spoken)

    @property
    def nobody(self) -> bool:
        """Whether its report has no author."""
        return self.author.startswith(NOBODY) and self.author == nameless(self.event)

    def copies(self, other: Voice) -> bool:
        """Whether both may be one voice: one has no name and says nearly the same in the same words."""
        if not (self.nobody or other.nobody):
            return False
        mine, theirs = _words_of(self.label), _words_of(other.label)
        return len(mine) >= LEAST_COPIED and len(mine & theirs) >= COPIED * len(mine | theirs)


class Said(NamedTuple):
    """A count or a claim, and who says so; `words` has what its type names, such as `subject` and `attribute`."""

    id: str
    kind: Kind
    polarity: str
    scope: tuple[str, ...]
    about: tuple[str, ...]
    words: dict[str, str]
    low: Finite | None = None
    high: Finite | None = None
    approximate: bool = False
    voices: Annotated[tuple[Voice, ...], Field(min_length=1)] = ()

    @property
    def authors(self) -> frozenset[str]:
        """Who says so; one author is one voice, and so are nearly the same words."""
        return frozenset(voice.author.lstrip("@").casefold() for voice in independent(self.voices))

    @property
    def heard(self) -> int:
        """How many say so, as far as it is known."""
        return max(len(self.authors), *(1 + one.backing * (one.verdict == "supported") for one in self.voices))

    @property
    def first(self) -> float:
        """The first time that it was said."""
        return min(voice.as_of for voice in self.voices)

    @property
    def newest(self) -> float:
        """The last time that it was said."""
        return max(voice.as_of for voice in self.voices)

    @property
    def stands(self) -> bool:
        """Whether anybody's word of it is neither refuted nor outdated."""
        return any(voice.stands for voice in self.voices)

    def has(self, verdict: str) -> bool:
        """Whether a voice of it was judged so."""
        return any(voice.verdict == verdict for voice in self.voices)


class Alert(NamedTuple):
    """A warning that an authority has in force, or had."""

    id: str
    event: str
    author: str
    url: str | None
    report: str
    sent: Seconds
    area: str
    grade: str
    expires: Seconds | None
    ended: Seconds | None


class Told(NamedTuple):
    """What a revision told of one fact, for the next one to tell changes against."""

    status: str
    text: str
    low: Finite | None = None
    high: Finite | None = None
    beside: Finite | None = None


class Cause(NamedTuple):
    """What a revision changed, and the event or act by which it did."""

    revision: Count
    event: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that a brief is made of.

    Attributes:
        first, latest: the times of the first and the last report that state something, of any while none does.
        counted: how many reports there were when this revision was made.
        families, places, entities: how many reports name each; authorities count three times.
        words: how many reports have claims with each content word.
        seen: revision and score of each event, in the order in which they came.
        size: how long `said` is in the Store at most.
        told: the facts of this revision, by id.
        causes: the last revisions that events and acts made, each to be told once more if what made it comes again.
        merged: incidents that turned out to be this one.
        given: marks of reports that went to another incident, in the order in which they went.
        memo: what was worked out of all this, by name; never kept.
    """

    incident_id: str
    created_at: Seconds
    updated_at: Seconds
    first: Seconds
    latest: Seconds
    revision: Count = 0
    reports: Count = 0
    counted: Count = 0
    families: dict[str, Count] = field(default_factory=dict)
    places: dict[str, Count] = field(default_factory=dict)
    entities: dict[str, Count] = field(default_factory=dict)
    words: dict[str, Count] = field(default_factory=dict)
    seen: dict[str, tuple[Count, Finite]] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    alerts: tuple[Alert, ...] = ()
    size: Count = 0
    told: dict[str, Told] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    merged: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def family(self) -> str:
        """The kind of incident that most reports are of."""
        return max(self.families, key=self.families.__getitem__, default="")

    @property
    def location(self) -> str | None:
        """The place that most reports name."""
        return max(self.places, key=self.places.__getitem__, default=None)

    def data(self) -> dict[str, Any]:
        """This as plain JSON data."""
        return {"form": FORM, **{name: getattr(self, name) for name in _fields()}}


@lru_cache(maxsize=4096)
def _words_of(label: str) -> frozenset[str]:
    return frozenset(fold(label).replace(":", " ").split())


def independent(voices: Sequence[Voice]) -> list[Voice]:
    """The first of each voice."""
    if len(voices) < 2:
        return list(voices)
    found: dict[str, Voice] = {}
    nobody = any(voice.author.startswith(NOBODY) for voice in voices)  # only what has no author is a copy
    for voice in sorted(voices, key=lambda one: (one.time, one.event)):
        author = voice.author.lstrip("@").casefold()
        if author not in found and not (nobody and any(voice.copies(other) for other in found.values())):
            found[author] = voice
    return list(found.values())


def nameless(event_id: str) -> str:
    """The voice of a report without an author."""
    return NOBODY + event_id[:12]


def moment(seconds: float) -> datetime:
    """The instant of so many seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def read(data: Any, incident_id: str, revision: int, now: datetime) -> tuple[State, list[str]]:
    """A stored state at `revision`, and the names of its parts that can't be used and are left out.

    Of one of another form only what counts is kept; its revisions go on.
    """
    data = data if isinstance(data, Mapping) else {}
    left_out = [] if data.get("form") == FORM else ["form"]
    parts: dict[str, Any] = dict.fromkeys(("created_at", "updated_at", "first", "latest"), now.timestamp())
    for name, kind in _fields().items():
        value = data.get(name)
        usable = _valid(kind, value) if name in data else None
        left_out += [name] * (name in data and usable is None)
        if usable is None and name in _LISTS and isinstance(value, list):
            usable = tuple(item for one in value if (item := _valid(get_args(kind)[0], one)) is not None)
        parts |= {} if usable is None else {name: usable}
    return State(**{**parts, "incident_id": incident_id, "revision": revision}), left_out


@cache
def _fields() -> dict[str, Any]:
    hints = get_type_hints(State, include_extras=True)
    return {one.name: hints[one.name] for one in fields(State) if one.init}


def new(incident_id: str, verified: VerifiedEventData, now: datetime) -> State:
    """The state of an incident before its first report."""
    time = verified.original_event.timestamp.timestamp()
    return State(incident_id, now.timestamp(), now.timestamp(), time, time)


def with_event(state: State, verified: VerifiedEventData, family: str, now: datetime) -> State | None:
    """The state with this event in it, in place of what an earlier revision of it said; None for an outdated one."""
    id, event = verified.event_id, verified.original_event
    known, time = state.seen.get(id), event.timestamp.timestamp()
    if known and known[0] >= verified.revision:
        return None
    cap = _cap(verified)
    table, size = {one.id: one for one in (_without(state.said, id) if known else state.said)}, state.size
    words: dict[str, int] = {}
    for fact in _said(verified, cap, state.words, state.location):
        table[fact.id], size = _joined(table.get(fact.id), fact), size + len(json.dumps(fact))
        words |= dict.fromkeys(fact.about if fact.kind != "advice" else (), 0 if known else 1)
    said, size = _bounded(tuple(table.values()), size)
    weight = 0 if known else 3 if event.source in OFFICIAL else 1
    first, latest = _window(state, time, tells=bool(cap or verified.verified_claims))
    names = dict.fromkeys((plain(entity, 80) for entity in event.entities[:20]), min(weight, 1))
    news = {"families": {family: weight}, "places": {plain(event.location or "", 120): weight}, "entities": names}
    sums: dict[str, Any] = {
        name: _sum(getattr(state, name), new, _SUMMED[name]) for name, new in {**news, "words": words}.items()
    }
    return replace(
        state,
        **sums,
        updated_at=now.timestamp(),
        first=first,
        latest=latest,
        reports=state.reports + (not known),
        seen=_last({**state.seen, id: (verified.revision, round(verified.reliability_score, 4))}),
        said=said,
        size=size,
        alerts=_alerts(state.alerts, verified, cap),
    )


def _window(state: State, time: float, *, tells: bool) -> tuple[float, float]:
    """The times of the first and last report that state something, of any where none does, in any order of arrival."""
    told = bool(state.said or state.alerts)
    if tells != told:
        return (time, time) if tells else (state.first, state.latest)
    return min(time, state.first), max(time, state.latest)


def needed(verified: VerifiedEventData) -> VerifiedEventData:
    """A verified event with as many claims, evidence and advice as a brief is made of, and no more."""
    claims = []
    for judged in verified.verified_claims[:MAX_CLAIMS]:
        refuting = [one for one in judged.evidence[MAX_BACKING:] if one.stance == "refutes"][:1]
        claims.append(judged.model_copy(update={"evidence": [*judged.evidence[:MAX_BACKING], *refuting]}))
    return verified.model_copy(update={"verified_claims": claims, "guidance": verified.guidance[:MAX_GUIDANCE]})


def emptied(state: State) -> State:
    """The state without its reports; its revisions, and what they told, go on."""
    none: dict[str, Any] = {name: {} for name in (*_SUMMED, "seen")} | dict.fromkeys(_OF_REPORTS, ())
    return replace(state, **none, size=0, reports=0, counted=0, first=LATEST.timestamp() - 1, latest=0.0)


def untold(state: State, incident_id: str) -> State:
    """An incident without reports and revisions, of the time of another one."""
    return replace(emptied(state), incident_id=incident_id, revision=0, told={}, changes=(), causes=(), merged=())


def given(state: State, event_ids: Iterable[str]) -> State:
    """The state after these reports went to another incident."""
    gone = dict.fromkeys((*state.given, *map(given_mark, event_ids)))
    return replace(state, given=tuple(gone)[-MAX_SEEN:])


def _here(marks: tuple[str, ...], event_ids: Iterable[str]) -> tuple[str, ...]:
    """The marks without those of reports that are here again."""
    own = set(map(given_mark, event_ids)) if marks else set()
    return tuple(mark for mark in marks if mark not in own)


def taken(state: State, event_ids: Iterable[str]) -> State:
    """The state after these reports came from another incident."""
    return replace(state, given=_here(state.given, event_ids))


def given_mark(event_id: str) -> str:
    """What a report is known by after it went to another incident."""
    return _id(event_id)[:12]


def joined(a: State, b: State) -> State:
    """Two incidents that turned out to be one: the first, with what is known of the second."""
    table = {one.id: one for one in a.said}
    table |= {fact.id: _joined(table.get(fact.id), fact) for fact in b.said}
    said, size = _bounded(tuple(table.values()), a.size + b.size)
    parts: dict[str, Any] = {name: _sum(getattr(a, name), getattr(b, name), most) for name, most in _SUMMED.items()}
    parts |= {name: min(getattr(a, name), getattr(b, name)) for name in ("created_at", "first")}
    parts |= {name: max(getattr(a, name), getattr(b, name)) for name in ("updated_at", "latest")}
    return replace(
        a,
        **parts,
        reports=a.reports + b.reports - len(a.seen.keys() & b.seen.keys()),
        seen=_last({**b.seen, **a.seen}),
        said=said,
        size=size,
        alerts=tuple({alert.id: alert for alert in (*b.alerts, *a.alerts)}.values())[-MAX_ALERTS:],
        merged=tuple(dict.fromkeys((*a.merged, b.incident_id, *b.merged)))[:20],
        given=_here(a.given, b.seen),
    )


def _said(
    verified: VerifiedEventData, cap: Mapping[str, Any], common: Mapping[str, int], location: str | None
) -> Iterable[Said]:
    """The counts of each claim of an event, the circumstances that it tells, and the claim as a whole; its advice."""
    event, place = verified.original_event, location or verified.original_event.location
    (author, relayed), warned = _author(verified), frozenset(str(cap.get("event", "")).lower().split())
    passed, time = range(*find_repost(event.content).original), event.timestamp.timestamp()
    own = Voice(verified.event_id, 0, event.source[:40], author, _link(verified), time, time, "insufficient", "")
    for index, judged in enumerate(verified.verified_claims[:MAX_CLAIMS]):
        refuting = next((evidence for evidence in judged.evidence if evidence.stance == "refutes"), None)
        span = judged.claim.span
        passed_on = relayed and (not span or span[0] in passed)
        voice = own._replace(
            claim=index,
            author=author if passed_on else _poster(verified),
            verdict=judged.verdict,
            label=plain(judged.claim.text, MAX_SHOWN),
            backing=sum(evidence.stance == "supports" for evidence in judged.evidence[:MAX_BACKING]),
            worth=round(judged.claim.checkworthiness, 2),
            against=_named(plain(refuting.source, 80)) if refuting and _is_serious(refuting.reason) else "",
            why=plain(quoted(refuting.reason), 160) if refuting else "",
            plain=is_plain(event.content, span),
            spoken=spoken_in(judged.claim.text, event.content),
            relayed=passed_on,
        )
        read = [(data, fact) for data in judged.claim.facts[:MAX_FACTS] if (fact := _fact(data, voice)) is not None]
        counts = [fact for _, fact in read if fact.kind == "quantity"]
        counts += [] if cap else _circumstances(read, common, place)
        others = [fact for _, fact in read if fact.kind != "quantity"]
        ids = tuple(said.id for said in counts)[:6]
        for said in (*counts, *_whole(others, voice, stated=bool(read))):
            if not (said.kind == "status" and warned.intersection(said.words["subject"].split())):
                yield said._replace(voices=(said.voices[0]._replace(counts=ids),))
    for index, guided in enumerate(verified.guidance[:MAX_GUIDANCE]):
        last = guided.split()[-1]
        ends_there = is_plain(event.content, (end := event.content.rfind(last) + len(last), end)) or end < len(last)
        if ends_there and (told := advice(plain(guided, MAX_SHOWN))):
            language = spoken_in(guided, event.content)
            voice = own._replace(claim=-1 - index, label=told, spoken=language, relayed=relayed)
            about, called = tuple(sorted(content(told, language)))[:20], next(iter(telephones(told)), "")
            words = {"subject": called}
            said = Said(_id(called or told.casefold()), "advice", "asserted", (), about, words, voices=(voice,))
            needs = _circumstances([(_STATED, said)], common, place)
            voice = voice._replace(counts=tuple(need.id for need in needs))
            yield from (one._replace(voices=(voice,)) for one in (said, *needs))


def _circumstances(
    told: Iterable[tuple[Mapping[str, Any], Said]], common: Mapping[str, int], location: str | None
) -> list[Said]:
    """The circumstances of an incident's place that some facts tell, as one thing each, whoever says so."""
    found: dict[str, Said] = {}
    for data, said in told:
        if not any(elsewhere((place,), location) for place in said.scope):
            for text, whom in told_in(data, said.about, said.voices[0].label, common):
                words = {"subject": text, "state": whom}
                made = Said(_id(words), "circumstance", "asserted", said.scope, (), words, voices=said.voices)
                found.setdefault(made.id, made)
    return list(found.values())


def _whole(facts: Sequence[Said], voice: Voice, stated: bool) -> Iterable[Said]:
    """A claim as one thing that is said: a status where it tells one, else of its first type, about all its facts are.

    Of a verifier that makes no facts it is known by its words alone.
    """
    if facts:
        said = min(facts, key=lambda fact: (fact.kind != "status", fact.kind == "statement"))
        about = tuple(sorted({word for one in facts for word in one.about}))[:30]
        yield said._replace(about=about, id=_id(said.kind, said.polarity, said.words, said.scope, about))
    elif voice.label and not stated:
        yield Said(_id(voice.label.casefold()), "statement", "asserted", (), (), {"subject": ""}, voices=(voice,))


def _fact(data: Mapping[str, Any], voice: Voice) -> Said | None:
    """What a fact says by a voice, at its time and by whom that is said to say so; None for what is no fact."""
    try:
        words = {"subject": "", **{name: str(data[name])[:80] for name in _NAMED if data.get(name)}}
        scope = sorted({str(place)[:80] for place in list(data["scope"])[:6]})
        about = sorted({str(word)[:40] for word in list(data["about"])[:20]})
        low, high = _finite(data.get("low")), _finite(data.get("high"))
        if words.get("attribute") == "dead" and not PRESUMED.isdisjoint(about):
            data = {**data, "polarity": "possible"}
        row = [_id(words, data["polarity"], low, high), data["kind"], str(data["polarity"])]
        said: Said | None = _valid(
            Said, [*row, scope, about, words, low, high, bool(data.get("approximate")), [_NOBODY]]
        )
        as_of: datetime = _adapter(Timestamp).validate_python(data["as_of"])
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    attributed = plain(str(data.get("attributed_to") or ""), 60)
    return said and said._replace(voices=(voice._replace(as_of=as_of.timestamp(), attributed=attributed),))


_STATED = {"kind": "statement", "polarity": "asserted"}
_NOBODY = Voice("", 0, "", "", None, 0.0, 0.0, "", "")


def _id(*told: Any) -> str:
    """The name of what is said: the same words, the same id, whichever report says it first."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("ascii")).hexdigest()[:24]


def _joined(known: Said | None, new_one: Said) -> Said:
    """What is new, or what says the same already with its voices as further ones."""
    if known is None:
        return new_one
    own = {(voice.event, voice.claim) for voice in new_one.voices}
    voices = [voice for voice in known.voices if (voice.event, voice.claim) not in own]
    scope = min(known.scope, new_one.scope, key=lambda one: (len(one), one))  # whichever came first
    if known.kind == "circumstance":
        scope = tuple(sorted({*known.scope} & {*new_one.scope} if known.scope and new_one.scope else ()))
    rough = known.approximate and new_one.approximate
    return known._replace(voices=_few([*voices, *new_one.voices]), scope=scope, approximate=rough)


def _few(voices: Sequence[Voice]) -> tuple[Voice, ...]:
    """The voices that are kept: earliest and newest, then of authorities, confirmed ones, the first of each author."""
    if len(voices) <= MAX_VOICES:
        return tuple(voices)

    def rank(one: Voice) -> tuple[Any, ...]:
        cites = one.known and is_authority(one.attributed)
        return (not one.official, not cites, not one.known, one.verdict != "supported", one.time)

    ranked = sorted(voices, key=rank)
    firsts = {voice.author: voice for voice in reversed(ranked)}
    kept = sorted(ranked, key=lambda voice: firsts[voice.author] is not voice)[:MAX_VOICES]
    ends = dict.fromkeys(pick(ranked, key=lambda voice: voice.time) for pick in (min, max))
    return (*[voice for voice in kept if voice not in ends][: MAX_VOICES - len(ends)], *ends)


def _without(said: Iterable[Said], event_id: str) -> tuple[Said, ...]:
    left = (one._replace(voices=tuple(voice for voice in one.voices if voice.event != event_id)) for one in said)
    return tuple(one for one in left if one.voices)


def _bounded(said: tuple[Said, ...], size: int) -> tuple[tuple[Said, ...], int]:
    """What counts most of what was said, where it became too much, and at most how long that is in the Store.

    That is counts and statuses that authorities tell or others confirm, then what is worth most to those who act.
    """
    if len(said) <= MAX_SAID and size <= MAX_SAID_CHARACTERS:
        return said, size

    def weight(one: Said) -> tuple[Any, ...]:
        sure = any(voice.official or voice.verdict == "supported" for voice in one.voices)
        counted = one.kind in ("quantity", "circumstance")
        told = counted and one.words.get("attribute", "") in ("", *document()["counts"])
        voice = one.voices[0]
        worth = WORTH_OF_COUNTS * told if counted else voice.brings.use
        return (sure and counted, sure + worth, len(one.voices), voice.time)

    size, kept = 0, set()
    for one in sorted(said, key=weight, reverse=True)[: MAX_SAID * 3 // 4]:
        long = len(json.dumps(one))
        if size + long <= MAX_SAID_CHARACTERS * 3 // 4:
            size += long
            kept.add(one.id)
    return tuple(one for one in said if one.id in kept), size


def _last(seen: dict[str, tuple[int, float]]) -> dict[str, tuple[int, float]]:
    """The newest events, a good part of them fewer where they became too many."""
    if len(seen) <= MAX_SEEN and len(seen) * 20 + _length("".join(seen)) <= MAX_SEEN_CHARACTERS:
        return seen
    return _last(dict(list(seen.items())[max(1, len(seen) // 4) :]))


def _length(text: str) -> int:
    """How long a text is at most in the Store, which is ASCII."""
    return len(text) if text.isascii() else 12 * len(text)


def _cap(verified: VerifiedEventData) -> Mapping[str, Any]:
    details = verified.original_event.carries("cap")
    return details if isinstance(details, dict) else {}


def _alerts(known: tuple[Alert, ...], verified: VerifiedEventData, cap: Mapping[str, Any]) -> tuple[Alert, ...]:
    """The alerts with that of this event; one that cancels others ends them, one that updates others replaces them."""
    if not cap:
        return known
    event = verified.original_event
    kind, sent = str(cap.get("msgType", "")).lower(), event.timestamp.timestamp()
    references = (event.published.in_reply_to or "")[:4_000].split()
    alerts = {alert.id: alert for alert in known}
    for id in [part.split(",")[1] for part in references if part.count(",") >= 2]:
        if kind in ("cancel", "error") and id in alerts:
            alerts[id] = alerts[id]._replace(ended=sent)
        elif kind == "update":
            alerts.pop(id, None)
    if kind in ("alert", "update", ""):
        name = plain(str(cap.get("identifier") or verified.event_id))
        grade = (plain(str(cap.get(part) or ""), 20).lower() for part in ("severity", "certainty"))
        alerts[name] = Alert(
            id=name,
            event=plain(str(cap.get("event") or "Alert"), 80),
            author=plain(event.published.author or event.source, 80),
            url=_link(verified),
            report=verified.event_id,
            sent=sent,
            area=plain(event.location or "", 80),
            grade=", ".join(word for word in grade if word and word != "unknown"),
            expires=_instant(cap.get("expires")),
            ended=alerts[name].ended if name in alerts else None,
        )
    return tuple(sorted(alerts.values(), key=lambda alert: alert.sent))[-MAX_ALERTS:]


def _author(verified: VerifiedEventData) -> tuple[str, bool]:
    """Whose voice a report is, and whether others pass it on: many reposts of one are one voice."""
    event = verified.original_event
    original = original_of(event.content)
    author = f"@{original.author}" if original.author and not turns(original) else ""
    if event.source not in OFFICIAL and not is_public(author):
        author = next(filter(is_newsroom, signatures(event.content)), author)
    return plain(author, 80) if author else _poster(verified), bool(author)


def _poster(verified: VerifiedEventData) -> str:
    return plain(verified.original_event.published.author or nameless(verified.event_id), 80)


def _is_serious(reason: str) -> bool:
    """Whether a denial is an authority's."""
    return reason.endswith(tuple(f"({source})" for source in OFFICIAL))


def _named(source: str) -> str:
    """Who contradicts a claim; of a report without an author what kind of source it is."""
    kind, report, _ = source.partition(" report ")
    return NAMELESS.get(kind, "another report") if report else source


def _link(verified: VerifiedEventData) -> str | None:
    return next((url[:200] for url in verified.original_event.published.urls or ()), None)


def _instant(text: Any) -> float | None:
    try:
        return read_instant(text).timestamp()
    except (TypeError, ValueError):
        return None


def _sum(one: Mapping[str, int], other: Mapping[str, int], most: int) -> dict[str, int]:
    """Two counts in one; of too many the highest, and few enough for new ones to grow."""
    counts = {**one, **{name: one.get(name, 0) + count for name, count in other.items() if name and count}}
    return counts if len(counts) <= most else dict(sorted(counts.items(), key=lambda item: -item[1])[: most * 3 // 4])


def _finite(value: Any) -> float | None:
    number = None if value is None else float(value)
    return number if number is not None and math.isfinite(number) else None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _valid(kind: Any, value: Any) -> Any:
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError:
        return None
