"""What is kept of incidents for those who ask: a row for lists, the brief, each revision, each verified report.

The summarizer agent writes it with each brief, before the brief is published; `serving.desk.queries` reads it. All of
it is bounded, and kept for as long as the incident's other documents. Whatever is older than what is there changes
nothing, so that messages may come twice and in any order.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from verifleet.agents.briefs import needed
from verifleet.envelopes import Evidence, IncidentActData, IncidentBriefData, VerifiedEventData, plain_json
from verifleet.incident_views import (
    SEVERITIES,
    ClaimView,
    EarlierVerdicts,
    IncidentRow,
    ReportView,
    RevisionView,
    Severity,
)
from verifleet.reading.gazetteer import fold, located, middle, names_in
from verifleet.serving import records
from verifleet.serving.incidents import id_of, key_of
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store, as_text, get_all

LISTING, SHOWN, REVISIONS, FINDINGS, ACTS = "listing", "shown", "revision", "finding", "act"
ACCOUNTS = "account"
"""A report as it was verified last, with all that its incident's brief is made of."""
ALERTS = "alert"
FEED = "feed"
"""What the incidents are found by that had a material change."""

MAX_WORDS = 80
"""Words of an incident that it is found by."""
MAX_ID = 200
"""As long as an event's id may be; one that came another way is not kept."""
MAX_HEADLINE = 200
MAX_CONTENT = 4_000
MAX_TEXT = 1_000
MAX_CLAIMS, MAX_EVIDENCE, MAX_EARLIER = 60, 12, 8
MAX_FINDING = 120_000
"""Characters of JSON that a report takes; claims are left out of one that would take more."""
MAX_BRIEF = 800_000
MAX_ACCOUNT = 200_000
"""Characters of JSON of an account; the last claims are left out of one that would take more."""
AT_ONCE = 20
"""Documents that are written at the same time."""
CELL = 15
EVERY = "*"
"""The key of all incidents but those that turned out to be others."""

_WORD = re.compile(r"[^\W_]{2,}")
_ORDER = {severity: rank for rank, severity in enumerate(reversed(SEVERITIES))}
_PEOPLE = frozenset({"", "people", "person", "persons"})
TOLLS: tuple[tuple[frozenset[str], float, Severity], ...] = (
    (frozenset({"dead"}), 10, "extreme"),
    (frozenset({"dead"}), 1, "severe"),
    (frozenset({"injured", "badly injured", "missing", "trapped"}), 10, "severe"),
    (frozenset({"injured", "badly injured", "missing", "trapped"}), 1, "moderate"),
)
"""How severe an incident is by what befell people: so many at least."""


Position = tuple[float, float]
Because = VerifiedEventData | IncidentActData
"""What brings a brief about."""


class Desk:
    """Writes what the desk shows of a store's incidents; every method raises StoreUnavailableError."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def show(self, session: str, brief: IncidentBriefData, because: Because) -> None:
        """Show a brief, which a report or somebody's act brought about, unless a later one is shown already."""
        await asyncio.gather(
            self._list(session, brief), self._keep_brief(session, brief), self._note(session, brief, because)
        )

    async def keep(self, session: str, verified: VerifiedEventData, incident_id: str, kept_out: str = "") -> None:
        """Keep a report with its claims and their evidence, unless a later revision of it is kept already."""
        if len(verified.event_id) > MAX_ID:
            return
        made = report_view(verified, incident_id, kept_out)
        verdicts = [claim.verdict for claim in verified.verified_claims[:MAX_CLAIMS]]

        def change(present: Document | None) -> Document | None:
            known = records.read(ReportView, verified.event_id, present.data) if present else None
            if known is not None and known.revision > made.revision:
                return None
            earlier = known.earlier if known else []
            if known is not None and known.revision < made.revision:
                before = [claim.verdict for claim in known.claims]
                if before != verdicts[: len(before)]:
                    told = EarlierVerdicts(revision=known.revision, at=known.verified_at, verdicts=before)
                    earlier = [*earlier, told][-MAX_EARLIER:]
            keys = (report_key(session, incident_id),) if incident_id else ()
            data, text = fitting(made.model_copy(update={"earlier": earlier}))
            return Document(data, keys, made.time, self._expiry(), text=text)

        id = id_of(session, verified.event_id)
        if kept_out:
            await self._store.update(FINDINGS, id, change)
            return
        data, text = account_of(verified)
        account = Document(data, (), None, self._expiry(), text=text)

        def tell(present: Document | None) -> Document | None:
            known = records.revision_of(present.data) if present else 0
            return account if known <= verified.revision else None

        await asyncio.gather(self._store.update(FINDINGS, id, change), self._store.update(ACCOUNTS, id, tell))

    async def accounts(self, session: str, event_ids: Sequence[str]) -> dict[str, VerifiedEventData]:
        """These reports as they were verified last; without those that are not kept."""
        ids = {id_of(session, id): id for id in event_ids}
        found = await get_all(self._store, ACCOUNTS, list(ids))
        read = {
            ids[key]: records.read(VerifiedEventData, ids[key], one.data.get("verified")) for key, one in found.items()
        }
        return {id: verified for id, verified in read.items() if verified is not None}

    async def move(self, session: str, event_ids: Iterable[str], incident_ids: Sequence[str]) -> None:
        """Show reports with the first of these incidents, where they are not shown with one of them."""
        ids = {id_of(session, id): id for id in event_ids}
        found = await get_all(self._store, FINDINGS, list(ids))
        away = [key for key, document in found.items() if document.data.get("incident_id") not in incident_ids]

        def change(present: Document | None) -> Document | None:
            if present is None:
                return None
            data = {**present.data, "incident_id": incident_ids[0]}
            return Document(data, (report_key(session, incident_ids[0]),), present.time, self._expiry())

        for begin in range(0, len(away), AT_ONCE):
            await asyncio.gather(*(self._store.update(FINDINGS, id, change) for id in away[begin : begin + AT_ONCE]))

    async def _list(self, session: str, brief: IncidentBriefData) -> None:
        def change(present: Document | None) -> Document | None:
            known = records.read(IncidentRow, brief.incident_id, present.data) if present else None
            if known is not None and (known.revision, known.reports) > (brief.revision, brief.reports):
                return None
            row = row_of(brief, known, self._now())
            return Document(row.model_dump(), row_keys(session, row, brief), row.changed_at, self._expiry())

        await self._store.update(LISTING, id_of(session, brief.incident_id), change)

    async def _keep_brief(self, session: str, brief: IncidentBriefData) -> None:
        data = {"brief": brief.model_dump()}
        if len(text := as_text(data)) > MAX_BRIEF:
            data["brief"] |= {"event_ids": [], "affected_entities": []}
            text = as_text(data)

        def change(present: Document | None) -> Document | None:
            known = present.data.get("brief") if present else None
            if isinstance(known, dict) and _age(known) > (brief.revision, brief.reports):
                return None
            return Document(data, (), None, self._expiry(), text=text)

        await self._store.update(SHOWN, id_of(session, brief.incident_id), change)

    async def _note(self, session: str, brief: IncidentBriefData, because: Because) -> None:
        if brief.kind != "brief":
            return
        told = {
            "revision": brief.revision,
            "at": self._now(),
            "changes": brief.changes,
            "reports": brief.reports,
            "reliability_score": brief.reliability_score,
        }
        noted = RevisionView.model_validate(told | _cause(because))
        document = Document(noted.model_dump(), (revision_key(session, brief.incident_id),), noted.at, self._expiry())
        id = id_of(session, f"{brief.incident_id}|{brief.revision}")
        # The first one stays: whoever makes a revision again tells the same.
        await self._store.update(REVISIONS, id, lambda present: None if present else document)

    def _expiry(self) -> datetime:
        return self._now() + KEPT_FOR


def _cause(because: Because) -> dict[str, Any]:
    if isinstance(because, IncidentActData):
        return {"act_id": because.act_id, "author": because.by, "reported_at": because.at}
    event, metadata = because.original_event, because.original_event.metadata
    return {
        "event_id": because.event_id if len(because.event_id) <= MAX_ID else None,
        "source": event.source[:40],
        "author": _cut(metadata.author, 80) if metadata else None,
        "url": _cut(next(iter(metadata.urls), None), 400) if metadata and metadata.urls else None,
        "reported_at": event.timestamp,
    }


def as_data(model: BaseModel) -> dict[str, Any]:
    """A model as plain JSON data, any text kept."""
    plain: dict[str, Any] = plain_json(model.model_dump(mode="python"))
    return plain


def report_key(session: str, incident_id: str) -> str:
    """What the reports of an incident are found by."""
    return key_of(session, f"i|{incident_id}")


def act_key(session: str, incident_id: str) -> str:
    """What the acts on an incident are found by."""
    return key_of(session, f"a|{incident_id}")


def revision_key(session: str, incident_id: str) -> str:
    """What the revisions of an incident are found by."""
    return key_of(session, f"r|{incident_id}")


def row_of(brief: IncidentBriefData, known: IncidentRow | None, now: datetime) -> IncidentRow:
    """The row of a brief; what people decided on the incident stays as it is in the row that is known."""
    statuses = [fact.status for fact in brief.key_facts]
    changed = known is None or known.revision < brief.revision
    kept = known.state if known and known.state != "merged" else "open"
    position, country_position = positions_of(brief.location)
    headline = brief.key_facts[0].text if brief.key_facts else brief.summary
    return IncidentRow(
        incident_id=brief.incident_id,
        state="merged" if brief.merged_into else kept,
        severity=severity_of(brief),
        event_type=brief.event_type,
        location=brief.location,
        position=position,
        country_position=country_position,
        headline=_cut(headline, MAX_HEADLINE) or "",
        reports=brief.reports,
        reliability_score=brief.reliability_score,
        confirmed=statuses.count("confirmed"),
        reported=statuses.count("reported"),
        disputed=statuses.count("disputed"),
        revision=brief.revision,
        created_at=brief.created_at,
        changed_at=now if changed or known is None else known.changed_at,
        updated_at=brief.updated_at,
        reported_at=brief.reported_at,
        merged_into=brief.merged_into,
        acts=known.acts if known else 0,
        act=known.act if known else None,
        applied=known.applied if known else [],
    )


def severity_of(brief: IncidentBriefData) -> Severity:
    """How severe an incident is: by the grade of warnings in force and by what befell people, as far as it is told."""
    found: list[Severity] = ["unknown"]
    for fact in brief.key_facts:
        value = fact.value or {}
        grade = str(value.get("grade") or "").partition(",")[0]
        found += [severity for severity in SEVERITIES if severity == grade and fact.status == "confirmed"]
        subject, _, rest = fact.id.removeprefix("count ").partition("|")
        least = value.get("low")
        if fact.kind != "quantity" or subject not in _PEOPLE or not isinstance(least, int | float):
            continue
        attribute = rest.partition("|")[0]
        found += [severity for attributes, from_, severity in TOLLS if attribute in attributes and least >= from_]
    return max(found, key=_ORDER.__getitem__)


# Many briefs name one place.
@lru_cache(maxsize=4096)
def positions_of(location: str | None) -> tuple[Position | None, Position | None]:
    """Latitude and longitude of a location that the gazetteer knows; else a point of the country that it lies in."""
    known = located(names_in(location))
    if known and known[0].at is not None:
        return known[0].at, None
    return None, middle(known[0].country) if known else None


def row_keys(session: str, row: IncidentRow, brief: IncidentBriefData) -> tuple[str, ...]:
    """What an incident is found by: its state, type, severity and place, and its words."""
    names = [f"s|{row.state}", f"e|{fold(row.event_type)}", f"v|{row.severity}"]
    names += [f"p|{name}" for name in place_names(row.location)]
    if row.position is not None:
        names.append(cell(*row.position))
    if row.state != "merged":
        names.insert(0, EVERY)
    texts = (
        row.location or "",
        row.event_type,
        row.headline,
        *(fact.text for fact in brief.key_facts),
        *brief.affected_entities,
    )
    names += [f"w|{word}" for word in list(words(texts))[:MAX_WORDS]]
    return tuple(key_of(session, name) for name in names)


def cell(latitude: float, longitude: float) -> str:
    """The part of the earth that a position lies in, CELL degrees high and wide."""
    return f"g|{math.floor(latitude / CELL)}|{math.floor(((longitude + 180) % 360 - 180) / CELL)}"


def place_names(location: str | None) -> Iterable[str]:
    """The folded names of a location: the whole, and each part between commas."""
    whole = " ".join(fold(location or "")[:200].split())
    return [name for name in dict.fromkeys([whole, *(part.strip() for part in whole.split(","))]) if name][:6]


def words(texts: Iterable[str]) -> dict[str, None]:
    """The folded words of texts, each once, in their order."""
    return dict.fromkeys(word[:40] for text in texts for word in _WORD.findall(fold(text[:2_000])))


def report_view(verified: VerifiedEventData, incident_id: str, kept_out: str) -> ReportView:
    """A verified event as the desk shows it."""
    event, metadata = verified.original_event, verified.original_event.metadata
    claims = [
        ClaimView(
            claim_id=claim_id(verified.event_id, index),
            text=_cut(judged.claim.text, MAX_TEXT) or "",
            kind=judged.claim.kind[:40],
            checkworthiness=judged.claim.checkworthiness,
            verdict=judged.verdict,
            verified=judged.verified,
            confidence=judged.confidence,
            evidence=[_bounded(one) for one in judged.evidence[:MAX_EVIDENCE]],
            more_evidence=max(0, len(judged.evidence) - MAX_EVIDENCE),
        )
        for index, judged in enumerate(verified.verified_claims[:MAX_CLAIMS])
    ]
    return ReportView(
        event_id=verified.event_id,
        incident_id=incident_id or None,
        kept_out=kept_out,
        source=event.source[:40],
        author=_cut(metadata.author, 80) if metadata else None,
        url=_cut(next(iter(metadata.urls), None), 400) if metadata and metadata.urls else None,
        time=event.timestamp,
        location=_cut(event.location, 200),
        event_type=event.event_type[:40],
        content=_cut(event.content, MAX_CONTENT) or "",
        reliability_score=verified.reliability_score,
        unverified=verified.unverified,
        unverified_reason=_cut(verified.unverified_reason, 400),
        method=verified.method,
        revision=verified.revision,
        verified_at=verified.verification_timestamp,
        claims=claims,
        more_claims=max(0, len(verified.verified_claims) - MAX_CLAIMS),
    )


def account_of(verified: VerifiedEventData) -> tuple[dict[str, Any], str]:
    """What is kept of a verified event so that a brief can be made of it again, and its text."""
    told = needed(verified)
    while len(text := as_text(data := _account(verified.revision, told))) > MAX_ACCOUNT and told.verified_claims:
        fewer = told.verified_claims[: len(told.verified_claims) // 2]
        event = told.original_event.model_copy(update={"content": told.original_event.content[:MAX_CONTENT]})
        told = told.model_copy(update={"verified_claims": fewer, "original_event": event})
    return data, text


def _account(revision: int, told: BaseModel) -> dict[str, Any]:
    return {"revision": revision, "verified": told.model_dump()}


def _bounded(one: Evidence) -> Evidence:
    return Evidence(
        source=one.source[:200],
        url=_cut(one.url, 400),
        stance=one.stance,
        rule=one.rule[:80],
        reason=one.reason[:MAX_TEXT],
        observed_at=one.observed_at,
    )


def fitting(view: ReportView) -> tuple[dict[str, Any], str]:
    """The data of a report with as many of its claims as there is room for, the first ones, and its text."""
    while len(text := as_text(data := view.model_dump())) > MAX_FINDING and view.claims:
        half = len(view.claims) // 2
        more = view.more_claims + len(view.claims) - half
        view = view.model_copy(update={"claims": view.claims[:half], "more_claims": more})
    return data, text


def claim_id(event_id: str, index: int) -> str:
    """The name of a claim: its report's, and which of the report's claims it is."""
    return f"{event_id}.{index}"


def _cut(text: str | None, most: int) -> str | None:
    return text if text is None or len(text) <= most else text[: most - 1] + "…"


def _age(brief: dict[str, Any]) -> tuple[int, int]:
    revision, reports = brief.get("revision"), brief.get("reports")
    return (revision if isinstance(revision, int) else 0, reports if isinstance(reports, int) else 0)
