"""The ingest agent: the reading and writing around its pure core."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifleet.agents.ingest import cap
from verifleet.agents.ingest.event import normalise, raw_envelopes
from verifleet.agents.ingest.sources import TRUSTING, SourceRules, read_source_rules
from verifleet.agents.memory.keys import session_key
from verifleet.agents.voices import originals
from verifleet.envelopes import Envelope, EventData, RawEventData, ReportMetadata, make_envelope
from verifleet.errors import SettingsError, ShapeError
from verifleet.messaging.topology import EVENTS
from verifleet.observability import tool
from verifleet.reading.reposts import original_of
from verifleet.serving import records, strict_json
from verifleet.serving.bodies import MediaTypeError
from verifleet.serving.delivery import Coerce, Output, current_delivery
from verifleet.serving.http import charset_of, media_type_of
from verifleet.serving.records import Seen
from verifleet.storage.store import Document

if TYPE_CHECKING:
    from verifleet.settings import Settings
    from verifleet.storage.store import Store

INGEST = "ingest_agent"
SEEN = "seen"
"""Kind of the store's documents by which near copies are found."""
SEEN_FOR = timedelta(days=3)
MAX_CANDIDATES = 20
_CHARSETS = re.compile(
    r"iso8859-\d{1,2}|cp(?:437|850|852|866|874|932|949|950|125\d)|utf-(?:16|32)(?:-[bl]e)?|koi8-[rtu]|mac-roman"
    r"|shift_jis\w*|euc_\w+|iso2022_(?:jp|kr)\w*|gb2312|gbk|gb18030|big5(?:hkscs)?|hz|johab|tis-620"
)
"""Python's names of the charsets of texts; its other codecs compress, escape or encode names of hosts."""


class IngestAgent:
    """`raw_event_v1` in, its `event_v1` out for the topic `events`.

    Args:
        store: where the words of recent events are kept, to mark near copies.
        rules: decide a report's source class.
        now: the clock.
    """

    def __init__(
        self,
        store: Store,
        rules: SourceRules = TRUSTING,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._rules = rules
        self._now = now

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Make the event of one raw report; none of an alert's acknowledgement. Raises StoreUnavailableError."""
        raw: RawEventData = envelope.data
        if raw.metadata and cap.is_acknowledgement((raw.metadata.model_extra or {}).get("cap")):
            return []
        now, delivery = self._now(), current_delivery()
        # What waited while something was down comes in any order: a report that tells no time has that of its message.
        published_at = delivery.published_at if delivery is not None else None
        came_in = min(now, published_at) if published_at is not None else now
        with tool("normalise", raw.content) as call:
            event = normalise(raw, session_id=envelope.session_id, now=came_in, rules=self._rules)
            told = {"event_id": event.event_id, "event_type": event.event_type, "source": event.source}
            call.fields |= {**told, "located": event.location is not None}
        await self._mark_copy(envelope.session_id, event, now)
        made = make_envelope(
            "event_v1",
            event,
            session_id=envelope.session_id,
            source_agent=INGEST,
            timestamp=now,
            cause=cause,
            output_key=event.event_id,
        )
        return [Output(EVENTS, made)]

    async def _mark_copy(self, session_id: str, event: EventData, now: datetime) -> None:
        """Note in the metadata which earlier event this one is a near copy of, and remember it for later ones."""
        original = original_of(event.content)
        session = session_key(session_id)
        keys = tuple(f"{session}|{key}" for key in originals.keys(original))
        if not keys:
            return
        # Written before it is read: of two copies coming in together one sees the other, and the later is the copy.
        own = Seen(event.event_id, now, original)
        mine = Document(records.plain(own), keys=keys, time=now, expires_at=now + SEEN_FOR)
        id = f"{session}:{event.event_id}"
        kept = await self._store.update(SEEN, id, lambda present: None if present and _seen(id, present) else mine)
        own = own if kept is mine else (kept and _seen(id, kept)) or own
        found = await self._store.find(SEEN, keys, after=now - SEEN_FOR, limit=MAX_CANDIDATES)
        known = [seen for other, document in found if other != id and (seen := _seen(other, document))]
        earlier = [seen for seen in known if (seen.at, seen.event_id) < (own.at, own.event_id)]
        copied = next((seen.event_id for seen in earlier if originals.same_original(original, seen.original)), None)
        if copied is not None:
            metadata = event.metadata or ReportMetadata()
            event.metadata = metadata.model_copy(update={"near_copy_of": copied})


def _seen(id: str, document: Document) -> Seen | None:
    return records.read(Seen, id, document.data)


def decode_report(body: bytes, content_type: str) -> Any:
    """Decode what may come in: JSON, a CAP alert in XML, a bare text where the media type says so.

    A text is in the charset that its content type names, else in UTF-8, of which wrong bytes are replaced.

    Raises:
        ShapeError: not what it claims to be; MediaTypeError: a text in a charset that is not known here.
    """
    media_type = media_type_of(content_type)
    start = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if media_type.endswith("xml") or start == b"<":
        return [alert.model_dump(mode="json", exclude_none=True) for alert in cap.parse_alerts(body)]
    if media_type == "text/plain":
        return _text(body, charset_of(content_type))
    return strict_json.loads(body)


def _text(body: bytes, charset: str) -> str:
    try:
        codec = codecs.lookup(charset or "utf-8").name
    except (LookupError, ValueError):
        codec = ""
    if codec in {"utf-8", "ascii"}:
        return body.decode("utf-8-sig", "replace")
    if _CHARSETS.fullmatch(codec) is None:
        raise MediaTypeError(f"the charset {charset[:40]!r} is not known here: send text in UTF-8")
    try:
        return body.decode(codec)
    except ValueError as error:
        raise ShapeError.at("(body)", f"is no text in {charset[:40]}: {error}") from None


def coerce_report(default_session: str) -> Coerce:
    """Makes raw envelopes of bare raw events and texts, in the session that they or their sender name."""

    def coerce(received: Any, session: str | None) -> list[Any]:
        chosen = default_session if session is None else session
        return raw_envelopes(received, session_id=chosen, now=datetime.now(UTC))

    return coerce


def source_rules(settings: Settings) -> SourceRules:
    """The rules of VERIFLEET_SOURCE_RULES, or the default that trusts what is declared. Raises SettingsError."""
    path: Path | None = settings.source_rules
    if path is None:
        return TRUSTING
    try:
        return read_source_rules(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ShapeError) as error:
        raise SettingsError(f"VERIFLEET_SOURCE_RULES={path}: {error}") from None
