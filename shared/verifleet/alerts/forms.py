"""An alert as each kind of target takes it: signed JSON, a chat's message, an e-mail.

Texts come from reports and may hold anything: each form keeps them texts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from urllib.parse import quote

from verifleet.alerts.changes import Change
from verifleet.alerts.rule_file import Email
from verifleet.envelopes import plain_json
from verifleet.incident_forms import line
from verifleet.incident_views import IncidentRow

_BREAK = "\u2060"
"""A word joiner: nobody sees it, and what it stands in is no command of a chat."""
_LABELS = {
    "new": "New", "confirmed": "Confirmed", "refuted": "Refuted", "corrected": "Corrected by an authority",
    "reliability": "Reliability",
}  # fmt: skip
MAX_SUBJECT = 150
_ROW = (
    *("incident_id", "state", "severity", "event_type", "location", "position", "headline", "reports"),
    *("reliability_score", "confirmed", "reported", "disputed", "revision", "created_at", "changed_at"),
)


@dataclass(frozen=True, slots=True)
class Alert:
    """Changes of one incident that one target is told together."""

    alert_id: str
    session_id: str
    row: IncidentRow
    summary: str
    changes: Sequence[Change]
    at: datetime
    desk: str | None = None

    @property
    def url(self) -> str | None:
        """Where the incident can be looked at."""
        if self.desk is None:
            return None
        page = self.desk + ("&" if "?" in self.desk else "?")
        return f"{page}session_id={_quoted(self.session_id)}#{_quoted(self.row.incident_id)}"

    @property
    def title(self) -> str:
        """One line: what happens, where, how severe."""
        row, kinds = self.row, list(dict.fromkeys(_LABELS[change.kind].lower() for change in self.changes))
        where = line(row.location or "place unknown")[:60]
        return line(f"[{row.severity}] {row.event_type}, {where}: {', '.join(kinds) or 'test'}")

    def lines(self) -> list[str]:
        """A line for each change."""
        return [f"{_told(change)}: {line(change.text)}" for change in self.changes]


def _told(change: Change) -> str:
    if change.kind == "new" and change.before is not None:
        return f"Now {change.severity}, was {change.before}"
    return _LABELS[change.kind]


def as_json(alert: Alert) -> bytes:
    """The body of a webhook."""
    row = alert.row.model_dump(mode="python", include=set(_ROW))
    told = {
        "alert_id": alert.alert_id,
        "session_id": alert.session_id,
        "at": alert.at,
        "title": alert.title,
        "url": alert.url,
        "changes": [change.model_dump(mode="python") for change in alert.changes],
        "incident": row,
        "summary": alert.summary,
    }
    return json.dumps(plain_json(told), ensure_ascii=True, separators=(",", ":")).encode("ascii")


def signed(body: bytes, alert_id: str, now: datetime, key: bytes | None) -> Mapping[str, str]:
    """The headers of a webhook, as Standard Webhooks has them: HMAC-SHA256 of id, time and body."""
    seconds = str(int(now.timestamp()))
    headers = {"content-type": "application/json", "webhook-id": alert_id, "webhook-timestamp": seconds}
    if key is not None:
        digest = hmac.new(key, b".".join((alert_id.encode(), seconds.encode(), body)), hashlib.sha256).digest()
        headers["webhook-signature"] = f"v1,{base64.b64encode(digest).decode()}"
    return headers


def chat_text(text: str) -> str:
    """A text in which a chat finds no mention, no link and no markup of its own."""
    kept = line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for sign in ("@", "://", "]("):
        kept = kept.replace(sign, sign[0] + _BREAK + sign[1:])
    return kept.replace("www.", f"www{_BREAK}.")


def as_chat(alert: Alert) -> bytes:
    """The body of a chat's incoming webhook: its link is ours, everything else is text."""
    lines = [f"*{chat_text(alert.title)}*", *(f"• {chat_text(told)}" for told in alert.lines())]
    if alert.url:
        lines.append(f"<{alert.url}|Open the incident>")
    told = {"text": "\n".join(lines), "unfurl_links": False, "unfurl_media": False}
    return json.dumps(told, ensure_ascii=True).encode("ascii")


def as_email(alert: Alert, target: Email) -> EmailMessage:
    """An e-mail of plain text; nothing of a report stands in an address or breaks out of a header."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = target.sender, ", ".join(target.email)
    message["Subject"] = alert.title[:MAX_SUBJECT]
    message["Date"] = format_datetime(alert.at)
    host = target.sender.rpartition("@")[2].rstrip("> ")
    message["Message-ID"] = f"<{alert.alert_id}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    told = [alert.title, "", *alert.lines(), "", line(alert.summary), ""]
    told += [alert.url or "", f"Incident {line(alert.row.incident_id)}", f"Alert {alert.alert_id}"]
    message.set_content("\n".join(told) + "\n")
    return message


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "backslashreplace"), safe="")
