"""The brief of an incident: its revisions, its summary, and what other incidents are like it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from verifleet.agents.briefs.circumstances import HOUR, document
from verifleet.agents.briefs.pool import PARTS
from verifleet.agents.briefs.state import Cause, State, Told, joined, moment
from verifleet.agents.briefs.told import Telling, told
from verifleet.agents.briefs.where import hazards_named, site, where
from verifleet.agents.briefs.words import clock, figure, plain, shorten
from verifleet.envelopes import BRIEF_WORD_LIMIT, UNVERIFIED_BELOW, IncidentBriefData
from verifleet.instants import read_instant
from verifleet.reading.words import data

MAX_EVENT_IDS = 500
MAX_CHANGES = 12
MAX_CAUSES = 16
AGED = 6 * HOUR
NOT_CONFIRMED = 5
"""Words that say so."""
MAX_ENTITIES = 12
MAX_SIMILAR = 3
SIMILAR_FROM = 0.3
_KINDS = {
    "": "incident", "other": "incident", "airquality": "air pollution",
    "transport": "transport accident", "collapse": "structural collapse",
}  # fmt: skip
_VAGUE = frozenset({"", "other", "transport", "attack"})
_SPAN = re.compile(r"\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d[^(\n]{0,30} \(all times UTC\)\.$")
_STRUCK = ("helicopter", "train", "refinery", "nightclub", "airport")
"""What may name an incident together with its kind: a helicopter crash."""
_STRIKING = frozenset("crash explosion fire shooting attack collapse".split())
SUDDEN = frozenset("crash explosion shooting attack collapse meteor accident".split())
"""Kinds of incidents that happen at once, so that the day of their first report is told."""
_UNCOUNTED = frozenset({"air pollution"})


def revised(state: State, *because: str, event: str = "") -> State:
    """The state with a further revision if a fact that the brief tells has changed, or `because`; else as it was.

    `event` is what came to it: a report, or somebody's act.
    """
    facts = _facts(state)
    values = [(item, item.value or {}) for item in facts]
    now = {
        item.id: Told(
            item.status, item.text, value.get("low"), value.get("high"), (value.get("reported") or {}).get("low")
        )
        for item, value in values
    }
    changes = [*because, *_changes(state.told, now)]
    if state.revision and not changes:
        return state
    news = tuple(changes[:MAX_CHANGES])
    revision = state.revision + 1
    causes = (*state.causes, Cause(revision, event, news))[-MAX_CAUSES:] if event else state.causes
    made = replace(state, revision=revision, counted=state.reports, told=now, changes=news, causes=causes)
    made.memo["facts"] = facts  # its brief tells what it was compared by
    return made


def revisions_by(state: State, event: str) -> list[State]:
    """The earlier revisions that an event or act made, each with what it changed, in the light of what is known now.

    Whoever handled it may have ended between storing its revision and publishing it.
    """
    made = [cause for cause in state.causes if cause.event == event and cause.revision < state.revision]
    return [replace(state, revision=cause.revision, changes=cause.changes) for cause in made]


def with_incident(state: State, other: State, event: str) -> State:
    """An incident with what is known of another one that is the same, as `event` showed: its next revision."""
    return revised(joined(state, other), f"joined with incident {other.incident_id}", event=event)


def render(state: State, similar: Sequence[Mapping[str, Any]] = ()) -> IncidentBriefData:
    """The brief of an incident."""
    facts = _facts(state)
    own = {(state.location or "").casefold()}
    return IncidentBriefData(
        incident_id=state.incident_id,
        summary=_summary(state, facts),
        key_facts=[item.fact() for item in facts if not item.guides],
        changes=list(state.changes),
        guidance=[item.text for item in sorted(facts, key=lambda one: -one.standing) if item.guides],
        location=state.location,
        affected_entities=[name for name in state.entities if name and name.casefold() not in own][:MAX_ENTITIES],
        similar_incidents=list(similar),
        revision=max(1, state.revision),
        created_at=moment(state.created_at),
        event_type=state.family or "other",
        merged_incidents=list(state.merged),
        **_counts(state),
    )


def counted(brief: IncidentBriefData, state: State) -> IncidentBriefData:
    """A brief whose facts have not changed, with the reports counted since; worded anew when it is hours old."""
    text = _SPAN.sub(lambda _: f"{_span(state)}.", brief.summary)
    if text != brief.summary and brief.reported_at and state.latest > brief.reported_at.timestamp() + AGED:
        text = _summary(state, _facts(state))
    return brief.model_copy(update={**_counts(state), "summary": text, "kind": "count", "changes": []})


def _span(state: State) -> str:
    """From when to when there are reports, as the last line tells it."""
    first, latest = moment(state.first), moment(state.latest)
    until = f" to {clock(latest, first, zone=False)}" if latest > first else ""
    return f"{first.day} {first:%b %Y %H:%M}{until} (all times UTC)"


def _counts(state: State) -> dict[str, Any]:
    return {
        "reports": state.reports,
        "event_ids": list(state.seen)[-MAX_EVENT_IDS:],
        "updated_at": moment(state.updated_at),
        "reported_at": moment(state.latest),
        "reliability_score": _reliability(state),
    }


def outline(state: State) -> dict[str, Any]:
    """What other incidents are compared with: kind, place, time and the figures that are confirmed."""
    figures = {
        " ".join(one.text.partition(" (")[0].split()[1:])[:60]: one.low
        for one in state.told.values()
        if one.low is not None and one.status != "disputed"
    }
    own = {"incident_id": state.incident_id, "family": state.family, "location": state.location}
    return {**own, "first": moment(state.first).isoformat(), "figures": figures}


def similar_incidents(own: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The most similar other incidents: 0.5 for the kind, 0.2 for the place, 0.3 for figures of like size."""
    found = []
    for other in others:
        kind = bool(own["family"]) and own["family"] == other["family"]
        place = bool(_parts(own["location"]) & _parts(other["location"]))
        mine, theirs = own["figures"], other["figures"]
        shared = sorted(mine.keys() & theirs.keys())
        close = [name for name in shared if max(mine[name], theirs[name]) <= 2 * min(mine[name], theirs[name])]
        alike = round(0.5 * kind + 0.2 * place + 0.3 * len(close) / max(1, len(shared)), 2)
        figures = "like figures: " + ", ".join(f"{theirs[name]:,g} {name}" for name in close[:3])
        reasons = [f"also {own['family']}"] * kind + ["same place"] * place + [figures] * bool(close)
        if alike >= SIMILAR_FROM and other["incident_id"] != own["incident_id"]:
            told_of = {"location": other["location"], "event_type": other["family"] or "other"}
            since = {"since": read_instant(other["first"]).isoformat()}
            likeness = {"incident_id": other["incident_id"], "similarity": alike, "reason": "; ".join(reasons)}
            found.append({**likeness, **told_of, **since})
    return sorted(found, key=lambda item: (-item["similarity"], item["incident_id"]))[:MAX_SIMILAR]


def _changes(before: Mapping[str, Told], now: Mapping[str, Told]) -> list[str]:
    """What is told now and was not, is told otherwise, or is told no more."""
    changes = []
    for id, one in now.items():
        known = before.get(id)
        if known is None:
            changes.append(f"new: {one.text}")
        elif (known.low, known.high) != (one.low, one.high):
            changes.append(f"was {figure(known.low, known.high)}: {one.text}")
        elif known.beside != one.beside and one.beside is not None:
            changes.append(f"also reported: {one.text}")
        elif known.status != one.status:
            changes.append(f"now {one.status}: {one.text}")
    return changes + [f"no longer told: {one.text}" for id, one in before.items() if id not in now]


def _summary(state: State, facts: Sequence[Telling]) -> str:
    """What happened, the facts in their fixed order, each on a line below the title of its section, and since when."""
    leads = {item.id.split("|")[1]: item for item in reversed(facts) if item.section == "tolls" and item.lead}
    toll = leads.get("dead") or leads.get("injured")
    shock = leads.get("magnitude")
    head = _head(state, toll.lead if toll else "", shock.lead if shock else "")
    if facts and not any(item.standing for item in facts):
        head += " Nothing is confirmed so far."
    sections: dict[str, list[Telling]] = {}
    for item in facts:
        if item not in (toll, shock):
            sections.setdefault(item.lead if item.section == "before" else PARTS[item.section].title, []).append(item)
    body = [f"{title}:\n{_listed(found)}" for title, found in sections.items()]
    return shorten("\n".join(("\n".join((head, *body)).replace(" UTC", ""), _reports_of(state))))


def _listed(found: Sequence[Telling]) -> str:
    """The facts of a section, each as a sentence; in one the counts that the same tell at the same time."""
    by_voice = groupby(found, key=lambda one: one.tail if one.kind == "quantity" and one.tail else one.id)
    lines = []
    for first, *more in (list(group) for _, group in by_voice):
        told_by = [first.line, *(one.line[:1].lower() + one.line[1:] for one in more)]
        lines.append(f"{', '.join(told_by[:-1])}{' and ' * bool(more)}{told_by[-1]} {first.tail}".strip())
    return "\n".join(f"- {_ended(line[:1].upper() + line[1:])}" for line in lines)


def _ended(line: str) -> str:
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def _facts(state: State) -> list[Telling]:
    """What the brief tells, in the words that its first and last line leave."""
    if "facts" not in state.memo:
        head = _head(state)
        room = BRIEF_WORD_LIMIT - len(f"{head} {_reports_of(state)}".split()) - NOT_CONFIRMED
        state.memo["facts"] = told(state, head, room)
    found: list[Telling] = state.memo["facts"]
    return found


def _reports_of(state: State) -> str:
    return f"Reports of {_span(state)}."


def _head(state: State, toll: str = "", shock: str = "") -> str:
    """What happened, where, when and how bad: with the `toll` and the magnitude (`shock`) in sentences."""
    place, names = plain(where(state), 120), hazards_named(state)
    place = f"the {place}" if place in document()["the"] else place
    kind, struck = _name(state)
    at = f" at {name}" if not names and struck and (name := site(state, struck)) else ""
    what, _, day = shock.rpartition(" of ")
    if what and not names:
        return f"A {what} struck {place or 'there'}{',' * (',' in place)} on {day}." + f" It {toll}." * bool(toll)
    what = kind
    if names:
        also = f" (also {', '.join(names[1:])})" if len(names) > 1 else ""
        what = "the " * names[0].endswith("Fire") + names[0] + also
    article = "" if names or kind in _UNCOUNTED else "an " if what[0] in "aeiou" else "a "
    what = f"{article}{what}{at}" + f" in {place}" * bool(place) + "," * ("," in place)
    capital = what[:1].upper() + what[1:]
    if not names and kind.rpartition(" ")[2] in SUDDEN:
        first = moment(state.first)
        return f"{capital} was first reported on {first.day} {first:%b %Y}." + f" It {toll}." * bool(toll)
    return f"{capital} {toll}." if toll else f"There are reports of {what.rstrip(',')}."


def _name(state: State) -> tuple[str, str]:
    """What is happening: the kind, or the hazard that most reports name where that says little, and what it befell.

    That is "" too for what is no accident or attack.
    """
    hazards = [word for word in state.words if word in data("lexicon")["hazards"]]
    named = max(hazards, key=state.words.__getitem__, default="")
    kind = _KINDS.get(state.family, state.family)
    if state.family in _VAGUE and 10 * state.words.get(named, 0) >= state.reports:
        kind = named
    struck = max(_STRUCK, key=lambda word: state.words.get(word, 0))
    struck *= kind in _STRIKING and 5 * state.words.get(struck, 0) >= state.reports
    kind = f"{struck} {kind}" if struck else kind
    return kind, struck


def _reliability(state: State) -> float:
    """The mean score of the events that stand; of all events when none does."""
    scores = [score for _, score in state.seen.values()]
    standing = [score for score in scores if score >= UNVERIFIED_BELOW]
    mean = sum(standing or scores) / max(1, len(standing or scores))
    return round(min(1.0, max(0.0, mean)), 4)


def _parts(location: str | None) -> set[str]:
    return {part.strip().casefold() for part in (location or "").split(",")} - {""}
