"""What is asked of incidents: lists by filters and pages, one incident, its reports and revisions, one claim."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from pydantic import BaseModel

from verifleet.envelopes import IncidentBriefData
from verifleet.errors import ShapeError
from verifleet.incident_views import (
    SEVERITIES,
    STATES,
    ActAnswer,
    ActView,
    ClaimAnswer,
    EarlierVerdict,
    FactView,
    IncidentPage,
    IncidentRow,
    IncidentView,
    ReportPage,
    ReportView,
    RevisionPage,
    RevisionView,
    State,
)
from verifleet.instants import instant, read_instant
from verifleet.reading.gazetteer import fold
from verifleet.serving import records
from verifleet.serving.desk.kept import (
    ACTS,
    CELL,
    EVERY,
    FINDINGS,
    LISTING,
    REVISIONS,
    SHOWN,
    act_key,
    cell,
    claim_id,
    report_key,
    revision_key,
    words,
)
from verifleet.serving.incidents import id_of, key_of
from verifleet.storage.store import MAX_FIND_KEYS, Document, Store

Json = dict[str, Any]
Params = Mapping[str, str]
T = TypeVar("T", bound=BaseModel)
Word = TypeVar("Word", bound=str)

AT_ONCE = 200
"""Documents read at once where some of them are passed over."""
MAX_SCANNED = 2_000
"""Documents looked through for one answer."""
MAX_LIMIT, LIMIT = 200, 50
ACTS_SHOWN = 50
REPORTS_SHOWN = 30
"""Reports that come with an incident."""
MAX_WANTED = 8
"""Words that are searched for."""
SHORTEST_STEP = timedelta(microseconds=1)
FILTERS = frozenset({"state", "type", "severity", "place", "bbox", "text", "since", "limit", "cursor", "session_id"})
STREAM = FILTERS - {"limit", "cursor"}
PAGING = frozenset({"limit", "cursor", "session_id"})


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: the time of its last document, and those with that time that were given already."""

    time: datetime
    met: tuple[str, ...] = ()

    def after(self, id: str, time: datetime) -> Cursor:
        """The place behind one more document."""
        return Cursor(time, (*self.met, id) if time == self.time else (id,))

    def encode(self) -> str:
        """As text that means nothing to whoever has it."""
        text = json.dumps([self.time.isoformat(), *self.met], separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> Cursor:
        """Raises ShapeError for what is none."""
        try:
            time, *met = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            return cls(read_instant(time), tuple(map(str, met)))
        except (ValueError, TypeError, RecursionError):
            raise ShapeError.at("query.cursor", "is none that was given here") from None


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the earth; one that crosses the 180th meridian has its west east of its east."""

    west: float
    south: float
    east: float
    north: float

    def cells(self) -> list[str]:
        """The parts of the earth that it lies in; see `kept.cell`."""
        east = self.east if self.west <= self.east else self.east + 360
        return [
            cell(latitude * CELL, longitude * CELL)
            for latitude in range(math.floor(self.south / CELL), math.floor(self.north / CELL) + 1)
            for longitude in range(math.floor(self.west / CELL), math.floor(east / CELL) + 1)
        ]

    def has(self, position: tuple[float, float] | None) -> bool:
        """Whether a position lies in it."""
        if position is None or not self.south <= position[0] <= self.north:
            return False
        if self.west <= self.east:
            return self.west <= position[1] <= self.east
        return position[1] >= self.west or position[1] <= self.east


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which incidents are asked for: `keys` finds them, `others` is what else each must be found by."""

    keys: tuple[str, ...]
    others: tuple[frozenset[str], ...]
    box: Box | None
    since: datetime | None
    limit: int
    cursor: Cursor | None

    @classmethod
    def in_any_state(cls, session: str, given: Params) -> Wanted:
        """The same of parameters that leave merged incidents in unless they name states. Raises ShapeError."""
        return cls.of(session, {"state": ",".join(STATES), **given})

    @classmethod
    def of(cls, session: str, given: Params) -> Wanted:
        """What a request's parameters ask for. Raises ShapeError."""
        known(given, FILTERS)
        states = _states(given)
        demands = [[f"w|{word}"] for word in _words(given)]
        if "place" in given:
            demands.append([f"p|{' '.join(fold(given['place'])[:200].split())}"])
        if "type" in given:
            demands.append([f"e|{fold(kind)}" for kind in _listed(given, "type")])
        if "severity" in given:
            demands.append([f"v|{severity}" for severity in _chosen(given, "severity", SEVERITIES)])
        box = _box(given)
        cells = box.cells() if box else []
        if 0 < len(cells) <= MAX_FIND_KEYS:
            demands.insert(0, cells)
        demands.append([f"s|{state}" for state in states] if states else [EVERY])
        keys = [frozenset(key_of(session, name) for name in names) for names in demands]
        # The rarest first: a part of the earth, a word, the longest one, then a place, a type, a state.
        since = _time(given, "since")
        return cls(tuple(keys[0]), tuple(keys[1:]), box, since, _limit(given), _cursor(given))

    def has(self, row: IncidentRow, keys: Sequence[str]) -> bool:
        """Whether an incident is wanted, however it was found."""
        return not frozenset(keys).isdisjoint(self.keys) and self.fits(row, keys)

    def fits(self, row: IncidentRow, keys: Sequence[str]) -> bool:
        """Whether an incident that was found by its keys is wanted."""
        own = frozenset(keys)
        return all(not some.isdisjoint(own) for some in self.others) and (
            self.box is None or self.box.has(row.position)
        )


class Queries:
    """Asks a store what the desk keeps; every method raises ShapeError and StoreUnavailableError."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now

    async def incidents(self, session: str, given: Params) -> Json:
        """A page of incidents."""
        wanted = Wanted.of(session, given)
        as_of = self._now()

        def accept(id: str, document: Document) -> IncidentRow | None:
            row = _read(IncidentRow, id, document)
            return row if row is not None and wanted.fits(row, document.keys) else None

        picky = bool(wanted.others) or wanted.box is not None
        rows, next = await self._page(LISTING, wanted.keys, wanted.limit, wanted.cursor, wanted.since, accept, picky)
        return _answer(IncidentPage(incidents=rows, next=next, as_of=as_of))

    async def changed(self, session: str, since: datetime, most: int, wanted: Wanted) -> list[tuple[IncidentRow, bool]]:
        """The incidents that changed since a time and whether they are wanted, the latest first; at most so many."""
        keys = [key_of(session, EVERY), key_of(session, "s|merged")]
        found = await self._store.find(LISTING, keys, after=since, limit=most)
        rows = ((_read(IncidentRow, id, document), document) for id, document in found)
        return [(row, wanted.has(row, document.keys)) for row, document in rows if row is not None]

    async def incident(self, session: str, incident_id: str) -> Json | None:
        """One incident; None for one that is not known."""
        listed = await self._store.get(LISTING, id_of(session, incident_id))
        shown = await self._store.get(SHOWN, id_of(session, incident_id))
        row = _read(IncidentRow, incident_id, listed) if listed else None
        brief = records.read(IncidentBriefData, incident_id, shown.data.get("brief")) if shown else None
        if row is None or brief is None:
            return None
        reports, more = await self._reports(session, incident_id, brief, REPORTS_SHOWN, None)
        acted = await self._store.find(ACTS, [act_key(session, incident_id)], limit=ACTS_SHOWN)
        acts = [act for id, document in acted if (act := _read(ActView, "of a person", document)) is not None]
        facts = [
            FactView(
                **fact.model_dump(),
                claim_ids=[claim_id(source.event_id, index) for source in fact.sources for index in source.claims],
            )
            for fact in brief.key_facts
        ]
        return _answer(
            IncidentView(incident=row, brief=brief, facts=facts, acts=acts, reports=reports, more_reports=more)
        )

    async def act(self, session: str, act_id: str) -> Json | None:
        """An act as it was applied, and its incident as it is now; None for an act that is not known."""
        document = await self._store.get(ACTS, id_of(session, act_id))
        act = _read(ActView, "of a person", document) if document else None
        if act is None:
            return None
        listed = await self._store.get(LISTING, id_of(session, act.incident_id)) if act.incident_id else None
        row = _read(IncidentRow, act.incident_id or "", listed) if listed else None
        return _answer(ActAnswer(act=act, incident=row))

    async def reports(self, session: str, incident_id: str, given: Params) -> Json | None:
        """A page of an incident's reports; None for an incident that is not known."""
        known(given, PAGING)
        limit, cursor = _limit(given), _cursor(given)
        shown = await self._store.get(SHOWN, id_of(session, incident_id))
        brief = records.read(IncidentBriefData, incident_id, shown.data.get("brief")) if shown else None
        if brief is None:
            return None
        reports, next = await self._reports(session, incident_id, brief, limit, cursor)
        return _answer(ReportPage(reports=reports, next=next))

    async def revisions(self, session: str, incident_id: str, given: Params) -> Json | None:
        """A page of what an incident's revisions changed; None for an incident that is not known."""
        known(given, PAGING)
        limit, cursor = _limit(given), _cursor(given)
        if await self._store.get(LISTING, id_of(session, incident_id)) is None:
            return None
        keys = (revision_key(session, incident_id),)
        found, next = await self._page(
            REVISIONS, keys, limit, cursor, None, lambda id, doc: _read(RevisionView, id, doc)
        )
        # Two that were made at once may have been written the other way round.
        found.sort(key=lambda one: -one.revision)
        return _answer(RevisionPage(revisions=found, next=next))

    async def report(self, session: str, event_id: str) -> Json | None:
        """One report as it was verified last; None for one that is not known."""
        view = await self._report(session, event_id)
        return None if view is None else _answer(view)

    async def claim(self, session: str, id: str) -> Json | None:
        """Why a claim has its verdict; None for one that is not known."""
        event_id, _, number = id.rpartition(".")
        view = await self._report(session, event_id) if event_id else None
        claim = (
            next((claim for claim in view.claims if claim.claim_id == f"{event_id}.{number}"), None) if view else None
        )
        if view is None or claim is None:
            return None
        index = view.claims.index(claim)
        told = [
            EarlierVerdict(revision=one.revision, at=one.at, verdict=one.verdicts[index])
            for one in view.earlier
            if index < len(one.verdicts)
        ]
        by_stance = {
            stance: [one for one in claim.evidence if one.stance == stance]
            for stance in ("supports", "refutes", "updates", "neutral")
        }
        report = view.model_dump(exclude={"claims", "more_claims", "earlier"})
        return _answer(
            ClaimAnswer(
                claim=claim,
                evidence_for=by_stance["supports"],
                evidence_against=by_stance["refutes"],
                evidence_updating=by_stance["updates"],
                evidence_neutral=by_stance["neutral"],
                earlier=told,
                report=report,
            )
        )

    async def _report(self, session: str, event_id: str) -> ReportView | None:
        document = await self._store.get(FINDINGS, id_of(session, event_id))
        return _read(ReportView, event_id, document) if document else None

    async def _reports(
        self, session: str, incident_id: str, brief: IncidentBriefData, limit: int, cursor: Cursor | None
    ) -> tuple[list[ReportView], str | None]:
        """Reports of an incident, and of those that turned out to be it."""
        ids = list(dict.fromkeys([incident_id, *brief.merged_incidents]))[:MAX_FIND_KEYS]
        keys = tuple(report_key(session, id) for id in ids)
        return await self._page(FINDINGS, keys, limit, cursor, None, lambda id, doc: _read(ReportView, id, doc))

    async def _page(
        self,
        kind: str,
        keys: Sequence[str],
        limit: int,
        cursor: Cursor | None,
        since: datetime | None,
        accept: Callable[[str, Document], T | None],
        picky: bool = False,
    ) -> tuple[list[T], str | None]:
        """The next documents that `accept` makes something of, newest first, and where the page after them begins."""
        found: list[T] = []
        scanned = 0
        while scanned < MAX_SCANNED:
            asked = (AT_ONCE if picky else limit - len(found) + 1) + (len(cursor.met) if cursor else 0)
            before = cursor.time + SHORTEST_STEP if cursor else None
            batch = await self._find(kind, keys, since, before, asked)
            for id, document in batch:
                if document.time is None or (cursor and document.time == cursor.time and id in cursor.met):
                    continue
                if len(found) == limit:
                    return found, cursor.encode() if cursor else None
                scanned += 1
                cursor = cursor.after(id, document.time) if cursor else Cursor(document.time, (id,))
                made = accept(id, document)
                found += [] if made is None else [made]
            if len(batch) < asked:
                return found, None
        return found, cursor.encode() if cursor else None

    async def _find(
        self, kind: str, keys: Sequence[str], after: datetime | None, before: datetime | None, limit: int
    ) -> list[tuple[str, Document]]:
        if kind == LISTING:
            return await self._store.find(LISTING, keys, after=after, before=before, limit=limit)
        if kind == REVISIONS:
            return await self._store.find(REVISIONS, keys, after=after, before=before, limit=limit)
        return await self._store.find(FINDINGS, keys, after=after, before=before, limit=limit)


def known(given: Params, names: frozenset[str]) -> None:
    """Raises ShapeError for a parameter that is not taken, which would be passed over in silence otherwise."""
    for name in given:
        if name not in names:
            raise ShapeError.at(f"query.{name[:60]}", f"is not taken here; use {', '.join(sorted(names))}")


def _read(kind: type[T], id: str, document: Document) -> T | None:
    return records.read(kind, id, document.data)


def _answer(model: BaseModel) -> Json:
    answer: Json = _plain(model.model_dump(mode="python"))
    return answer


def _plain(value: Any) -> Any:
    from verifleet.envelopes import plain_json

    return plain_json(value)


def _listed(given: Params, name: str) -> list[str]:
    found = [part.strip() for part in given.get(name, "").split(",") if part.strip()]
    if len(found) > MAX_FIND_KEYS:
        raise ShapeError.at(f"query.{name}", f"has {len(found)} values; at most {MAX_FIND_KEYS} are taken")
    if not found:
        raise ShapeError.at(f"query.{name}", "is empty: leave it out")
    return found


def _states(given: Params) -> list[State]:
    return _chosen(given, "state", STATES) if "state" in given else []


def _chosen(given: Params, name: str, allowed: Sequence[Word]) -> list[Word]:
    told = _listed(given, name)
    chosen = [word for word in allowed if word in told]
    if len(chosen) != len(set(told)):
        raise ShapeError.at(f"query.{name}", f"is one or several of {', '.join(allowed)}, with commas between")
    return chosen


def _words(given: Params) -> list[str]:
    if "text" not in given:
        return []
    found = list(words([given["text"]]))
    if not found:
        raise ShapeError.at("query.text", "has no word of two letters or digits")
    return sorted(found, key=len, reverse=True)[:MAX_WANTED]


def _box(given: Params) -> Box | None:
    if "bbox" not in given:
        return None
    try:
        west, south, east, north = (float(part) for part in given["bbox"].split(","))
    except ValueError:
        raise ShapeError.at("query.bbox", "is west,south,east,north in degrees") from None
    if not (-90 <= south <= north <= 90 and -180 <= west <= 180 and -180 <= east <= 180):
        raise ShapeError.at("query.bbox", "is west,south,east,north in degrees, the south below the north")
    return Box(west, south, east, north)


def _time(given: Params, name: str) -> datetime | None:
    if name not in given:
        return None
    try:
        return instant(datetime.fromisoformat(given[name].replace(" ", "+")))
    except (ValueError, OverflowError):
        raise ShapeError.at(f"query.{name}", "is a time in ISO 8601, such as 2026-03-01T10:00:00Z") from None


def _limit(given: Params) -> int:
    text = given.get("limit", str(LIMIT))
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= MAX_LIMIT):
        raise ShapeError.at("query.limit", f"is a whole number from 1 to {MAX_LIMIT}")
    return int(text)


def _cursor(given: Params) -> Cursor | None:
    return Cursor.decode(given["cursor"]) if "cursor" in given else None
