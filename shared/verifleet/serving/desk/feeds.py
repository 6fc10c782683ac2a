"""Feeds of what was material lately: Atom with CAP 1.2 alerts in it, and RSS; one incident as a CAP alert.

A feed has each incident once, as it was told of last, and is made of the same documents as the alerts.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from verifleet.alerts.outbox import Outbox, Told
from verifleet.envelopes import IncidentBriefData, derived_id
from verifleet.errors import ShapeError
from verifleet.incident_forms import CAP_MEDIA_TYPE, cap_alert, line
from verifleet.incident_views import IncidentRow
from verifleet.serving import records
from verifleet.serving.desk.kept import ALERTS, FEED, LISTING, SHOWN, as_data
from verifleet.serving.desk.queries import Wanted
from verifleet.serving.incidents import key_of
from verifleet.storage.store import Document, Store

MAX_LOOKED_AT = 200
PARAMETERS = frozenset({"state", "type", "severity", "place", "bbox", "text", "limit", "session_id"})
ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Entry:
    """An incident as its last material change told of it."""

    id: str
    row: IncidentRow
    brief: IncidentBriefData
    told: Sequence[Told]

    @property
    def last(self) -> Told:
        """The changes that it is listed for."""
        return self.told[-1]

    @property
    def title(self) -> str:
        """What happens where, and how severe it is."""
        row = self.row
        state = "" if row.state == "open" else f" ({row.state})"
        return line(f"[{row.severity}] {row.event_type}, {row.location or 'place unknown'}{state}: {row.headline}")[
            :200
        ]

    @property
    def text(self) -> str:
        """What changed, and what is known."""
        changes = "; ".join(f"{change.kind}: {line(change.text)}" for change in self.last.changes)
        return f"{changes}. {line(self.brief.summary)}"

    def cap(self) -> Element:
        """It as a CAP alert, which refers to the one before."""
        revisions = [{"revision": one.key[0], "at": one.at.isoformat()} for one in self.told]
        row = as_data(self.row) | {"revision": self.last.key[0], "changed_at": self.last.at.isoformat()}
        return cap_alert({"incident": row, "brief": as_data(self.brief), "revisions": revisions})


async def entries(store: Store, session: str, given: Mapping[str, str]) -> list[Entry]:
    """The incidents of a feed, those with the latest material change first. Raises ShapeError."""
    for name in given:
        if name not in PARAMETERS:
            raise ShapeError.at(f"query.{name}", f"is not known here; there are: {', '.join(sorted(PARAMETERS))}")
    wanted = Wanted.in_any_state(session, given)
    found = await store.find(ALERTS, [key_of(session, FEED)], limit=MAX_LOOKED_AT)
    listed = await store.get_many(LISTING, [id for id, _ in found])
    chosen = [(id, document) for id, document in found if _fits(wanted, listed.get(id))][: wanted.limit]
    shown = await store.get_many(SHOWN, [id for id, _ in chosen])
    made = (_entry(session, id, document, listed[id], shown.get(id)) for id, document in chosen)
    return [one for one in made if one is not None]


def _fits(wanted: Wanted, listed: Document | None) -> bool:
    row = records.read(IncidentRow, "listed", listed.data) if listed else None
    if row is None or listed is None:
        return False
    return wanted.has(row, listed.keys)


def _entry(session: str, id: str, document: Document, listed: Document, shown: Document | None) -> Entry | None:
    outbox = records.read(Outbox, id, document.data)
    row = records.read(IncidentRow, id, listed.data)
    brief = records.read(IncidentBriefData, id, shown.data.get("brief")) if shown else None
    if outbox is None or row is None or brief is None or not outbox.log:
        return None
    last = outbox.log[-1].key
    return Entry(derived_id(f"feed|{session}|{row.incident_id}|{last[0]}|{last[1]}"), row, brief, outbox.log)


def atom(found: Sequence[Entry], base: str, session: str) -> str:
    """An Atom feed whose entries hold CAP alerts."""
    feed = Element("feed", {"xmlns": ATOM})
    _add(feed, "id", f"urn:uuid:{derived_id(f'feed|{session}')}")
    _add(feed, "title", f"Incidents ({session})")
    _add(feed, "updated", _at(found[0].last.at if found else datetime.fromtimestamp(0, UTC)))
    SubElement(feed, "link", {"rel": "self", "href": f"{base}/incidents/feed.atom?{_query(session)}"})
    _add(SubElement(feed, "author"), "name", "verifleet")
    for one in found:
        entry = SubElement(feed, "entry")
        _add(entry, "id", f"urn:uuid:{one.id}")
        _add(entry, "title", one.title)
        _add(entry, "updated", _at(one.last.at))
        _add(entry, "summary", one.text)
        SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": _page(base, session, one.row)})
        cap = f"{base}/incidents/{_quoted(one.row.incident_id)}/cap?{_query(session)}"
        SubElement(entry, "link", {"rel": "related", "type": CAP_MEDIA_TYPE, "href": cap})
        for kind in dict.fromkeys(change.kind for change in one.last.changes):
            SubElement(entry, "category", {"term": kind})
        SubElement(entry, "content", {"type": CAP_MEDIA_TYPE}).append(one.cap())
    return _document(feed)


def rss(found: Sequence[Entry], base: str, session: str) -> str:
    """An RSS 2.0 feed; its readers take texts for HTML, so they are written as HTML in which nothing is markup."""
    root = Element("rss", {"version": "2.0"})
    channel = SubElement(root, "channel")
    _add(channel, "title", html.escape(f"Incidents ({line(session)})"))
    _add(channel, "link", f"{base}/desk?{_query(session)}")
    _add(channel, "description", "Incidents with what changed materially, the latest first")
    for one in found:
        item = SubElement(channel, "item")
        _add(item, "title", html.escape(one.title))
        _add(item, "link", _page(base, session, one.row))
        SubElement(item, "guid", {"isPermaLink": "false"}).text = f"urn:uuid:{one.id}"
        _add(item, "pubDate", format_datetime(one.last.at))
        _add(item, "description", html.escape(one.text))
    return _document(root)


FEEDS: Mapping[str, tuple[Callable[[Sequence[Entry], str, str], str], str]] = {
    "atom": (atom, "application/atom+xml"),
    "rss": (rss, "application/rss+xml"),
}


def _page(base: str, session: str, row: IncidentRow) -> str:
    return f"{base}/desk?{_query(session)}#{_quoted(row.incident_id)}"


def _query(session: str) -> str:
    return f"session_id={_quoted(session)}"


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "backslashreplace"), safe="")


def _at(time: datetime) -> str:
    return time.astimezone(UTC).replace(microsecond=0).isoformat()


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = line(text)


def _document(root: Element) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'
