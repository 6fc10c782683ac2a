"""The summarizer agent's core: which incident an event belongs to, and the brief of that incident.

A brief is kept as plain data (`merge`) and rendered from it (`render`), so that revisions of events replace what the
earlier revision said.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from verifleet.agents.event_types import CUE, hazard_votes
from verifleet.agents.places import find_places, is_kind_of_place
from verifleet.agents.quantities import Quantity, extract_quantities
from verifleet.agents.verifier import incident
from verifleet.agents.verifier.arithmetic import ARITHMETIC
from verifleet.agents.verifier.credibility import author_of
from verifleet.agents.verifier.denial import denials, is_denial
from verifleet.agents.verifier.figures import compare_quantities
from verifleet.agents.verifier.memory import quantity_from
from verifleet.agents.verifier.status import one_thing, status_of
from verifleet.agents.verifier.venues import place_names, street_names
from verifleet.agents.verifier.wording import concepts, fold, is_repost, overlap, signature
from verifleet.envelopes import (
    BRIEF_WORD_LIMIT,
    NAMESPACE,
    UNVERIFIED_BELOW,
    EventData,
    IncidentBriefData,
    VerifiedClaim,
    VerifiedEventData,
)

MAX_EVENTS = 40
"""Events whose claims a brief keeps in full: the most reliable half and the newest half."""
MAX_EVENT_IDS = 500
MAX_CLAIMS_KEPT = 8
MAX_TEXT = 240
MAX_KEY_FACTS = 10
MAX_CONTRADICTIONS = 6
MAX_EARLIER = 3
MAX_ENTITIES = 12
MAX_SIMILAR = 3
SIMILAR_FROM = 0.3
SAME_FACT_FROM = 0.6
SITES_WITHIN = 600
"""Characters of a report in which its streets and sites are looked for."""
_DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the|a|an|and|of|de|la)$")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
STATES: Mapping[str, int] = {"supported": 0, "conflicting": 1, "insufficient": 2, "refuted": 3}
SLOT_ORDER = (
    "killed", "injured", "missing", "trapped", "rescued", "evacuated", "infected", "affected", "arrested",
    "without_power", "without_water", "buildings_destroyed", "buildings_damaged", "magnitude", "area_burned",
    "containment", "wind_speed",
)  # fmt: skip
"""What responders ask for first."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Claims of several reports that say one thing."""

    text: str
    verdict: str
    confidence: float
    sources: tuple[str, ...]
    official: bool
    slot: str
    figure: float
    reason: str
    since: tuple[str, int]
    """Event time of its newest report, and which report of the incident that was: the later wins."""
    figures: Mapping[str, Quantity]
    """What it counts, by slot and group."""
    earlier: tuple[str, ...] = ()
    """Figures whose place it took."""
    outdated: tuple[str, ...] = ()
    """Figures of its own whose place later ones took."""
    phase: str = ""
    """Whether it says that something is in force ("holds") or no longer ("ends")."""
    marks: frozenset[str] = frozenset()
    """What that is."""
    ended: tuple[str, ...] = ()
    """What was in force before it ended."""
    site: frozenset[str] = frozenset()
    """The streets and sites that it tells of, in words; empty where it names none."""
    over: bool = False
    """Whether only alerts say it that their senders have cancelled."""

    @property
    def told(self) -> str:
        """The fact with its support, as key_facts carry it."""
        return f"{self.text} — {self.support}"

    @property
    def support(self) -> str:
        """Who stands behind the fact, in words, and what became of its figures."""
        notes = [self._standing]
        if self.earlier:
            notes.append("earlier: " + ", ".join(self.earlier))
        if self.outdated:
            notes.append("superseded since: " + ", ".join(self.outdated))
        if self.ended:
            notes.append("no longer so: " + ", ".join(f"“{text}”" for text in self.ended))
        return "; ".join(notes)

    @property
    def _standing(self) -> str:
        count = len(self.sources)
        if self.verdict == "supported" and count > 1:
            return f"confirmed by {count} independent sources" + (", one official" if self.official else "")
        if self.verdict == "supported":
            return "stated by an official source"
        if self.verdict == "conflicting":
            return f"reports conflict: {self.reason}" if self.reason else "reports conflict"
        return "one report, not confirmed" if count <= 1 else f"{count} reports, not confirmed"


@dataclass(frozen=True, slots=True)
class Cluster:
    """One known incident as the index of its place keeps it."""

    incident_id: str
    places: tuple[str, ...]
    family: str
    first: datetime
    last: datetime
    also: tuple[str, ...] = ()
    """Other kinds that its first report names: "the derailment was an attack" may come before the derailment."""

    def takes(self, event_family: str, event_places: tuple[str, ...], time: datetime) -> bool:
        """Whether an event of this kind, place and time belongs to the incident."""
        near = self.first - incident.WINDOW <= time <= self.last + incident.WINDOW
        here = incident.same_place(self.places, event_places) if self.places and event_places else not self.places
        if not event_places and not self.places:
            return near and self.family == event_family
        return near and here and (incident.compatible(self.family, event_family) or event_family in self.also)

    def with_event(self, event_family: str, time: datetime) -> Cluster:
        """The incident with one more event."""
        first, last = min(self.first, time), max(self.last, time)
        return Cluster(self.incident_id, self.places, self.family or event_family, first, last, self.also)


def assign(clusters: Sequence[Cluster], verified: VerifiedEventData, session_id: str) -> tuple[Cluster, list[Cluster]]:
    """The incident of an event and the incidents of its place afterwards; a new one when none fits."""
    event = verified.original_event
    event_family, named = incident.family(event.event_type), incident.settled(incident.places(event.location))
    # A rumour of another kind that names the incident's own ("the derailment was an attack") belongs to it too.
    votes = hazard_votes(event.content)
    families = dict.fromkeys([event_family, *(incident.family(kind) for kind in votes if votes[kind] >= CUE)])
    fitting = [c for c in clusters if any(c.takes(family, named, event.timestamp) for family in families)]
    if fitting:
        nearest = min(fitting, key=lambda c: (c.family != event_family, abs(c.last - event.timestamp), c.incident_id))
        joined = nearest.with_event(event_family, event.timestamp)
        return joined, [joined if c.incident_id == joined.incident_id else c for c in clusters]
    name = f"{incident.session_key(session_id)}|{'|'.join(named)}|{event_family}|{event.event_id}"
    made = Cluster(
        str(uuid.uuid5(NAMESPACE, name.encode("utf-8", "backslashreplace").decode())),
        named,
        event_family,
        event.timestamp,
        event.timestamp,
        tuple(family for family in families if family and family != event_family),
    )
    return made, [*clusters, made]


def merge(
    state: Mapping[str, Any] | None, verified: VerifiedEventData, incident_id: str, now: datetime
) -> dict[str, Any] | None:
    """The brief's data with this event in it; None when this or a later revision of the event is in it already."""
    seen: dict[str, int] = dict(state["seen"]) if state else {}
    if seen.get(verified.event_id, 0) >= verified.revision:
        return None
    event = verified.original_event
    seen[verified.event_id] = verified.revision
    events = dict(state["events"]) if state else {}
    order = events.get(verified.event_id, {}).get("order", state["reports"] + 1 if state else 1)
    events[verified.event_id] = {**_event_data(verified), "order": order}
    family = incident.family(event.event_type)
    return {
        "incident_id": incident_id,
        "family": (state["family"] if state else "") or family,
        "location": _better_location(state["location"] if state else None, event.location),
        "created_at": state["created_at"] if state else now.isoformat(),
        "updated_at": now.isoformat(),
        "revision": (state["revision"] if state else 0) + 1,
        "reports": (state["reports"] if state else 0) + (verified.event_id not in (state["seen"] if state else {})),
        "first": min(filter(None, (state["first"] if state else "", event.timestamp.isoformat()))),
        "seen": dict(list(seen.items())[-MAX_EVENT_IDS:]),
        "events": _bounded(events),
    }


def render(
    state: Mapping[str, Any], facts: Sequence[Fact], similar: Sequence[Mapping[str, Any]] = ()
) -> IncidentBriefData:
    """The brief of an incident from its data, its facts (`facts_of`) and similar incidents."""
    contradictions = _contradictions(facts)
    return IncidentBriefData(
        incident_id=state["incident_id"],
        summary=_summary(state, facts, contradictions),
        key_facts=[fact.told for fact in facts if fact.verdict != "refuted"][:MAX_KEY_FACTS],
        location=state["location"],
        affected_entities=_entities(state),
        event_ids=list(state["seen"]),
        reliability_score=_reliability(state),
        similar_incidents=list(similar),
        revision=state["revision"],
        created_at=datetime.fromisoformat(state["created_at"]),
        updated_at=datetime.fromisoformat(state["updated_at"]),
        contradictions=contradictions,
        event_type=state["family"] or "other",
        reports=state["reports"],
    )


def outline(state: Mapping[str, Any], facts: Sequence[Fact]) -> dict[str, Any]:
    """What other incidents are compared with: kind, place, time and the figures that are supported."""
    figures = {fact.slot: fact.figure for fact in facts if fact.slot and fact.verdict == "supported"}
    return {
        "incident_id": state["incident_id"],
        "family": state["family"],
        "location": state["location"],
        "first": state["first"],
        "figures": figures,
    }


def similar_incidents(own: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The most similar other incidents: 0.5 for the kind, 0.2 for the place, 0.3 for figures of like size."""
    found = []
    for other in others:
        if other["incident_id"] == own["incident_id"]:
            continue
        alike, reasons = _similarity(own, other)
        if alike >= SIMILAR_FROM:
            told = {"incident_id": other["incident_id"], "similarity": round(alike, 2), "reason": "; ".join(reasons)}
            found.append(
                {
                    **told,
                    "location": other["location"],
                    "event_type": other["family"] or "other",
                    "since": other["first"],
                }
            )
    return sorted(found, key=lambda item: (-item["similarity"], item["incident_id"]))[:MAX_SIMILAR]


def facts_of(state: Mapping[str, Any]) -> list[Fact]:
    """The facts of an incident, most important first: supported before unconfirmed, figures in SLOT_ORDER."""
    home = incident.place_words(state["location"])
    location = state["location"] or ""
    town = frozenset(re.findall(r"[\w'’-]+", fold(location))) - street_names(location)
    around = home | incident.FAMILY_WORDS.get(state["family"], frozenset())
    groups: list[tuple[list[dict[str, Any]], list[Quantity], frozenset[str]]] = []
    for claim in _claims(state):
        claim["site"] = frozenset(claim.get("site", ())) - town
        quantities = [quantity_from(q) for q in claim["quantities"]]
        words = frozenset(claim["words"]) - around
        alike = (g for g in groups if _same_fact(g, claim, quantities, words))
        same = next((g for g in alike if not _elsewhere(_sites(g[0]), claim["site"])), None)
        if same:
            same[0].append(claim)
        else:
            groups.append(([claim], quantities, words))
    facts = _latest_only([_fact(claims, quantities) for claims, quantities, _ in groups])
    facts = _without_ended(facts, home)
    return sorted(facts, key=_importance)


def shorten(text: str, limit: int = BRIEF_WORD_LIMIT) -> str:
    """At most `limit` words, cut after a sentence where one ends in the second half, else with an ellipsis."""
    words = text.split()
    if len(words) <= limit:
        return text.strip()
    kept = words[:limit]
    for index in range(len(kept) - 1, limit // 2, -1):
        if kept[index].endswith((".", "!", "?")):
            return " ".join(kept[: index + 1])
    return " ".join(kept[: limit - 1]) + " …"


def disputed(brief: IncidentBriefData) -> list[str]:
    """The contradictions that a brief names."""
    return list((brief.model_extra or {}).get("contradictions", ()))


def rests_on(summary: str, facts: Mapping[str, Any]) -> bool:
    """Whether a summary written by a model has no figure that the facts do not have, and is not empty."""
    known = set(_FIGURE.findall(" ".join(str(value) for value in facts.values())))
    return bool(summary.strip()) and set(_FIGURE.findall(summary)) <= known


def _event_data(verified: VerifiedEventData) -> dict[str, Any]:
    event = verified.original_event
    ranked = sorted(verified.verified_claims, key=lambda c: (STATES[c.verdict], -c.confidence))
    return {
        "time": event.timestamp.isoformat(),
        "score": round(verified.reliability_score, 4),
        "repost": is_repost(event.content),
        "source": event.source,
        "author": author_of(event) or f"{event.source} report {verified.event_id[:12]}",  # as its evidence names it
        **_alert(verified),
        "entities": [entity[:80] for entity in event.entities[:20]],
        "claims": [_claim_data(claim, event) for claim in ranked[:MAX_CLAIMS_KEPT]],
    }


def _alert(verified: VerifiedEventData) -> dict[str, Any]:
    """The identifier of an alert, and those of the alerts that it cancels or takes the place of."""
    metadata = verified.original_event.metadata
    details = (metadata.model_extra or {}).get("cap") if metadata else None
    if not isinstance(details, dict):
        return {}
    name, references = details.get("identifier"), metadata.in_reply_to if metadata else None
    replaces = []
    if str(details.get("msgType")).lower() in {"cancel", "update"} and isinstance(references, str):
        replaces = [part.split(",")[1][:200] for part in references[:4_000].split() if part.count(",") >= 2]
    cancels = str(details.get("msgType")).lower() == "cancel"
    return {"alert": name[:200] if isinstance(name, str) else "", "replaces": replaces[:20], "cancels": cancels}


def _claim_data(claim: VerifiedClaim, event: EventData) -> dict[str, Any]:
    text = " ".join(claim.claim.text.split())[:MAX_TEXT]
    against = next((e.reason for e in claim.evidence if e.stance == "refutes"), "")
    return {
        "text": text,
        "verdict": claim.verdict,
        "confidence": round(claim.confidence, 4),
        "sources": claim.sources[:8],
        "official": any("official" in e.reason for e in claim.evidence if e.stance == "supports"),
        "against": against[:MAX_TEXT],
        "bad_sum": any(e.source == ARITHMETIC and e.stance == "refutes" for e in claim.evidence),
        "quantities": [asdict(q) for q in _figures(text)][:4],
        "site": sorted(_named_sites(text) or _named_sites(event.content) or _named_sites(event.location or ""))[:12],
        "words": sorted(concepts(text))[:20],
        **_status(claim, text),
    }


def _figures(text: str) -> list[Quantity]:
    """The figures that a claim states, without those that it takes back ("our report of 3 dead was wrong")."""
    found = [q for q in extract_quantities(text) if q.slot in SLOT_ORDER]
    if not found or not is_denial(text):
        return found
    denied = [denial.text for denial in denials(text)]
    return [q for q in found if q.value == 0 or not any(q.text in told for told in denied)]


@lru_cache(maxsize=512)
def _named_sites(text: str) -> frozenset[str]:
    """The words that tell which streets and sites a text names, in its beginning."""
    streets = [place for place in find_places(text[:SITES_WITHIN]) if place.kind == "street"]
    words = place_names(text[:SITES_WITHIN]).union(*(fold(place.name).split() for place in streets))
    return frozenset(word for word in words if not (is_kind_of_place(word) or _DAY.match(word)))


def _status(claim: VerifiedClaim, text: str) -> dict[str, Any]:
    """What a claim says of the status of something, as a brief keeps it."""
    status = status_of(text)
    denied = bool((claim.claim.model_extra or {}).get("denies")) and status is not None and status.phase == "ends"
    return {"phase": status.phase, "marks": sorted(status.marks)} if status and not denied else {}


def _bounded(events: dict[str, Any]) -> dict[str, Any]:
    if len(events) <= MAX_EVENTS:
        return events
    newest = sorted(events, key=lambda id: events[id]["time"], reverse=True)[: MAX_EVENTS // 2]
    best = sorted(set(events) - set(newest), key=lambda id: -events[id]["score"])[: MAX_EVENTS // 2]
    kept = {*newest, *best}
    return {id: data for id, data in events.items() if id in kept}


def _claims(state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All kept claims with their author and time, the best supported and newest first.

    Of an alert that its sender has cancelled or replaced only what was in force is left, to be told as ended.
    """
    events = state["events"].values()
    replaced = {(name, event["author"]) for event in events for name in event.get("replaces", ())}
    over = {(name, event["author"]) for event in events if event.get("cancels") for name in event["replaces"]}
    claims = [
        {
            **claim,
            "author": event["author"],
            "since": (event["time"], event.get("order", 0)),
            "score": event["score"],
            "over": (event.get("alert"), event["author"]) in over and claim.get("phase") == "holds",
        }
        for event in state["events"].values()
        if not event["repost"]
        for claim in event["claims"]
        if claim.get("phase") or (event.get("alert"), event["author"]) not in replaced
    ]
    claims.sort(key=lambda c: c["since"], reverse=True)
    claims.sort(
        key=lambda c: (STATES[c["verdict"]], -c["official"], -c["confidence"] if c["verdict"] != "supported" else 0)
    )
    return claims


_words_of = lru_cache(maxsize=2048)(signature)
"""The words of a claim's text, which is compared with all others of its brief, again with each new report."""


def _same_fact(
    group: tuple[list[dict[str, Any]], list[Quantity], frozenset[str]],
    claim: dict[str, Any],
    quantities: list[Quantity],
    words: frozenset[str],
) -> bool:
    claims, known, known_words = group
    if claims[0].get("phase") != claim.get("phase"):
        return False
    if (claims[0]["verdict"] == "refuted") != (claim["verdict"] == "refuted"):
        return False
    if claims[0].get("bad_sum", False) != claim.get("bad_sum", False):
        return False  # others may confirm its total; that its parts don't make it is to be told all the same
    if known and quantities:
        if not {q.slot for q in quantities} <= {q.slot for q in known}:
            return False  # what it counts besides is a fact of its own
        return any(compare_quantities(mine, theirs) == "agree" for mine in known for theirs in quantities)
    if known or quantities:
        return False
    if _words_of(claims[0]["text"]) == _words_of(claim["text"]):
        return True
    return overlap(known_words, words) >= SAME_FACT_FROM


def _sites(claims: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset().union(*(claim["site"] for claim in claims))


def _elsewhere(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two facts name different sites; one that names none may be about any."""
    return bool(one and other) and one.isdisjoint(other)


def _fact(claims: list[dict[str, Any]], quantities: list[Quantity]) -> Fact:
    best = claims[0]
    sources = dict.fromkeys((best["author"], *best["sources"]))
    foremost = min(quantities, key=lambda q: SLOT_ORDER.index(q.slot), default=None)
    return Fact(
        text=best["text"].rstrip(" .;:,"),
        verdict=best["verdict"],
        confidence=max(c["confidence"] for c in claims),
        sources=tuple(sources),
        official=any(c["official"] for c in claims),
        slot=foremost.slot if foremost else "",
        figure=foremost.value if foremost else 0.0,
        reason=next((c["against"] for c in claims if c["against"]), ""),
        since=max(c["since"] for c in claims),
        figures={f"{q.slot}|{q.noun}": q for q in quantities},
        phase=best.get("phase", ""),
        marks=frozenset(best.get("marks", ())),
        site=_sites(claims),
        over=all(c["over"] for c in claims),
    )


def _without_ended(facts: list[Fact], home: frozenset[str]) -> list[Fact]:
    """Facts without what an official source has since ended, which is named there, and without cancelled ones."""
    ends = [fact for fact in facts if fact.phase == "ends" and fact.official and fact.verdict == "supported"]
    told: dict[int, list[str]] = {}
    kept = []
    for fact in facts:
        by = next((end for end in ends if _has_ended(fact, end, home)), None)
        if by is None and not fact.over:
            kept.append(fact)
        elif by is not None:
            told.setdefault(id(by), []).append(fact.text)
    return [replace(fact, ended=tuple(told[id(fact)][:MAX_EARLIER])) if id(fact) in told else fact for fact in kept]


def _has_ended(fact: Fact, end: Fact, home: frozenset[str]) -> bool:
    return fact.phase == "holds" and fact.since < end.since and one_thing(fact.marks - home, end.marks - home)


def _latest_only(facts: list[Fact]) -> list[Fact]:
    """Of several supported figures for one count at one site, the latest, which names the others: its history.

    A fact whose other figures still stand is kept, with a note on the one that does not.
    """
    counting: dict[str, list[Fact]] = {}
    for fact in facts:
        for counted in fact.figures if fact.verdict == "supported" else ():
            counting.setdefault(counted, []).append(fact)
    kept = []
    for fact in facts:
        if fact.verdict != "supported" or not fact.figures:
            kept.append(fact)
            continue
        same = {
            counted: [other for other in counting[counted] if not _elsewhere(other.site, fact.site)]
            for counted in fact.figures
        }
        if any(_latest(same[counted]) is fact for counted in same):
            kept.append(_with_history(fact, same))
    return kept


def _latest(facts: Sequence[Fact]) -> Fact:
    return max(facts, key=lambda one: one.since)


def _with_history(fact: Fact, same: Mapping[str, Sequence[Fact]]) -> Fact:
    """The fact with the figures that it took the place of; `same` has the facts with its counts, by count."""
    current = {counted: figure for counted, figure in fact.figures.items() if _latest(same[counted]) is fact}
    earlier = []
    for counted in current:
        others = sorted((o for o in same[counted] if o is not fact), key=lambda other: other.since, reverse=True)
        others = [o for o in others if o.figures[counted].value != current[counted].value]
        earlier += [_shown(other.figures[counted]) for other in others]
    outdated = tuple(
        _shown(figure)
        for counted, figure in fact.figures.items()
        if counted not in current and figure.value != _latest(same[counted]).figures[counted].value
    )
    named = tuple(dict.fromkeys(earlier))
    foremost = min(current.values(), key=lambda q: SLOT_ORDER.index(q.slot))
    return replace(fact, slot=foremost.slot, figure=foremost.value, earlier=named[:MAX_EARLIER], outdated=outdated)


def _shown(figure: Quantity) -> str:
    """A figure as a number with what it counts: "All patients are safe" is 0 of them."""
    stated = figure.value > 1 or any(character.isdigit() for character in figure.text)
    number = figure.text.strip() if stated else f"{figure.value:g}"
    return " ".join((number, *filter(None, (figure.noun, figure.slot.replace("_", " ")))))


def _importance(fact: Fact) -> tuple[int, int, float, str]:
    slot = SLOT_ORDER.index(fact.slot) if fact.slot else len(SLOT_ORDER)
    return STATES[fact.verdict], slot, -fact.confidence, fact.text


def _contradictions(facts: Sequence[Fact]) -> list[str]:
    told = [f"“{f.text}” is contradicted: {f.reason}" for f in facts if f.verdict == "refuted"]
    told += [f"reports conflict on “{f.text}”: {f.reason}" for f in facts if f.verdict == "conflicting"]
    return told[:MAX_CONTRADICTIONS]


def _summary(state: Mapping[str, Any], facts: Sequence[Fact], contradictions: Sequence[str]) -> str:
    kind = {
        "": "Incident",
        "airquality": "Air pollution",
        "transport": "Transport accident",
        "collapse": "Structural collapse",
    }
    name = kind.get(state["family"], state["family"].capitalize())
    where = f" in {state['location']}" if state["location"] else ""
    count = state["reports"]
    parts = [
        f"{name}{where}, {count} report{'s' if count != 1 else ''} since {state['first'][:16].replace('T', ' ')} UTC."
    ]
    supported = [f for f in facts if f.verdict == "supported"]
    open_facts = [f for f in facts if f.verdict == "insufficient"]
    parts += [f"{f.text} ({f.support})." for f in supported[:6]]
    if not supported:
        parts.append("Nothing is confirmed so far.")
    if contradictions:
        parts.append("Contradicted or disputed: " + "; ".join(contradictions[:3]) + ".")
    if open_facts:
        parts.append("Not confirmed: " + "; ".join(f.text for f in open_facts[:4]) + ".")
    kept, words = [], 0
    for part in parts:
        words += len(part.split())
        if words > BRIEF_WORD_LIMIT:
            break
        kept.append(part)
    return shorten(" ".join(kept or parts[:1]))


def _entities(state: Mapping[str, Any]) -> list[str]:
    own = set(incident.places(state["location"]))
    counted: Counter[str] = Counter()
    for event in state["events"].values():
        counted.update({entity for entity in event["entities"] if entity and fold(entity) not in own})
    return [entity for entity, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))][:MAX_ENTITIES]


def _reliability(state: Mapping[str, Any]) -> float:
    """The mean score of the events that stand; of all events when none does."""
    scores: list[float] = [event["score"] for event in state["events"].values()]
    standing = [score for score in scores if score >= UNVERIFIED_BELOW]
    return round(sum(standing or scores) / max(1, len(standing or scores)), 4)


def _better_location(known: str | None, new: str | None) -> str | None:
    """The location that names a whole place rather than a street; the first one named stays."""
    if not known or not new:
        return known or new
    narrow = incident.settled(incident.places(known)) != incident.places(known)
    return new if narrow and incident.settled(incident.places(new)) == incident.places(new) else known


def _similarity(own: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, list[str]]:
    alike, reasons = 0.0, []
    if own["family"] and own["family"] == other["family"]:
        alike += 0.5
        reasons.append(f"also {own['family']}")
    if (
        own["location"]
        and other["location"]
        and incident.same_place(incident.places(own["location"]), incident.places(other["location"]))
    ):
        alike += 0.2
        reasons.append("same place")
    shared = own["figures"].keys() & other["figures"].keys()
    close = [slot for slot in sorted(shared) if _like_size(own["figures"][slot], other["figures"][slot])]
    if close:
        alike += 0.3 * len(close) / len(shared)
        reasons.append(
            "like figures: " + ", ".join(f"{other['figures'][slot]:g} {slot.replace('_', ' ')}" for slot in close[:3])
        )
    return alike, reasons


def _like_size(one: float, other: float) -> bool:
    return bool(max(one, other) <= 2 * min(one, other))
