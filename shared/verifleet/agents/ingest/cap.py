"""Common Alerting Protocol 1.2: the XML in which emergency services send alerts (also 1.0 and 1.1).

Alerts may stand alone or inside a feed or an EDXL envelope. The XML is untrusted: document types and entities are
refused, depth and number of elements are bounded, nothing outside the text is ever read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from verifleet.agents.lexicon import shipped
from verifleet.envelopes import RawEventData
from verifleet.errors import FieldProblem, ShapeError
from verifleet.instants import read_instant

MAX_DEPTH = 64
MAX_ELEMENTS = 20_000
MAX_ALERTS = 500
MAX_INFOS = 20
MAX_AREAS = 20
MAX_VALUES = 50

NAMESPACE_START = "urn:oasis:names:tc:emergency:cap"
"""How the namespace of every version of CAP begins."""

_WRAPPED = re.compile(r"(?<=[^\n]{40}[^\n.!?:;…])[ \t]*\n[ \t]*(?=[^\s*•·-])")
"""A line break after a long line that ends no sentence, before a line that begins no list item or paragraph."""
_WORDS: Mapping[str, Sequence[str]] = shipped("ingest/cap.json")
_ENDS = re.compile(rf"\b(?:{'|'.join(_WORDS['ended'])})\b", re.IGNORECASE)
"""How a text tells the end of what was alerted to."""
_TAKES_BACK = re.compile(rf"\b(?:{'|'.join((*_WORDS['ended'], *_WORDS['not so']))})\b|n['’]t\b", re.IGNORECASE)
"""How it tells that what was alerted to is not so, or not any more."""
_OF_INFO = ("event", "urgency", "severity", "certainty", "onset", "effective", "expires", "responseType", "category")
_OF_ALERT = ("identifier", "sender", "status", "msgType", "scope")


def parse_alerts(document: bytes | str) -> list[RawEventData]:
    """The alerts of a CAP document, one raw event for each `info` that says something else than the ones before.

    Of several languages English, else the first, is taken; infos that differ only in their areas are one event with all
    areas.

    Raises:
        ShapeError: no well-formed XML, a document type or entity in it, too deep or too many elements, no alert in it,
            an alert without what the standard requires.
    """
    root = _tree(document)
    alerts = list(root.iter("alert"))
    if not alerts:
        raise _refused(f"there is no CAP <alert> in this XML; its outermost element is <{root.tag[:60]}>")
    if len(alerts) > MAX_ALERTS:
        raise _refused(f"there are {len(alerts)} alerts; send at most {MAX_ALERTS} at once")
    return [made for index, alert in enumerate(alerts) for made in _raw_events(alert, index)]


def is_acknowledgement(details: Any) -> bool:
    """Whether the details of an alert (`metadata.cap`) are those of an Ack: it was received, and nothing happened."""
    return isinstance(details, dict) and str(details.get("msgType")).lower() == "ack"


class _Bounded(TreeBuilder):
    """Makes elements by their names without namespaces, no deeper and no more of them than an alert has."""

    depth = count = 0

    def start(self, name: str, _: object, /) -> Element:
        self.depth, self.count = self.depth + 1, self.count + 1
        if self.depth > MAX_DEPTH or self.count > MAX_ELEMENTS:
            raise _refused(f"the XML is deeper than {MAX_DEPTH} or has more than {MAX_ELEMENTS} elements")
        return super().start(name.rpartition("}")[2], {})

    def end(self, name: str, /) -> Element:
        self.depth -= 1
        return super().end(name.rpartition("}")[2])

    def doctype(self, *_: object) -> None:
        raise _refused("a document type is not allowed in an alert")


def _tree(document: bytes | str) -> Element:
    parser = XMLParser(target=_Bounded())  # noqa: S314 - a document type, and so any entity, is refused
    try:
        parser.feed(document)
        return parser.close()
    except ParseError as error:
        raise _refused(f"the XML is not well-formed: {error}") from None
    except (LookupError, ValueError) as error:  # an encoding that does not exist, a lone surrogate
        raise _refused(f"the XML can't be read: {error}") from None


def _value(element: Element, name: str) -> str:
    """The text of the first child of that name that has any; "" when there is none."""
    return next((text for child in element.findall(name) if (text := (child.text or "").strip())), "")


def _raw_events(alert: Element, index: int) -> list[RawEventData]:
    where = f"alert.{index}" if index else "alert"
    for required in ("sender", "sent"):
        if not _value(alert, required):
            raise ShapeError.at(f"{where}.{required}", "is missing or blank")
    try:
        sent = read_instant(_value(alert, "sent"))
    except ValueError as error:
        problem = f"{_value(alert, 'sent')[:40]!r} is no time such as 2026-05-24T16:49:00-07:00: {error}"
        raise ShapeError.at(f"{where}.sent", problem) from None
    told: dict[tuple[str, str], list[Element]] = {}
    for info in _in_one_language(alert.findall("info"))[:MAX_INFOS] or [Element("info")]:
        told.setdefault(_told(alert, info), []).append(info)
    events = [_raw_event(alert, infos, *said, sent) for said, infos in told.items() if said[0]]
    if not events and _value(alert, "msgType").lower() == "ack":
        events = [_raw_event(alert, [Element("info")], "Acknowledged", "", sent)]
    if not events:
        raise ShapeError.at(f"{where}.info.headline", "is missing or blank")
    return events


def _in_one_language(infos: list[Element]) -> list[Element]:
    """The infos in English, else those in the language of the first; the same alert in other languages is left out."""
    spoken = [(_value(info, "language") or "en-US").lower().partition("-")[0] for info in infos]
    chosen = "en" if "en" in spoken else next(iter(spoken), "")
    return [info for info, language in zip(infos, spoken, strict=True) if language == chosen]


def _raw_event(alert: Element, infos: list[Element], content: str, repeated: str, sent: datetime) -> RawEventData:
    info = infos[0]
    areas = [area for one in infos for area in one.findall("area")][:MAX_AREAS]
    names = list(dict.fromkeys(name for area in areas if (name := _value(area, "areaDesc"))))
    details: dict[str, Any] = {name: _value(info, name) for name in _OF_INFO}
    details |= {name: _value(alert, name) for name in _OF_ALERT}
    details |= {
        "areas": names,
        "description": repeated,
        "shapes": [shape for area in areas for name in ("polygon", "circle") if (shape := _value(area, name))],
        "geocodes": _named_values(code for area in areas for code in area.findall("geocode")),
        "parameters": _named_values(info.findall("parameter")),
    }
    return RawEventData.model_validate(
        {
            "source": "emergency",
            "content": content,
            "timestamp": sent,
            "location": "; ".join(names) or None,
            "metadata": {
                "author": _value(info, "senderName") or _value(alert, "sender"),
                "urls": [web] if (web := _value(info, "web")) else None,
                "in_reply_to": _value(alert, "references") or None,
                "cap": {name: value for name, value in details.items() if value},
            },
        }
    )


def _named_values(elements: Iterable[Element]) -> dict[str, list[str]]:
    """Pairs of `valueName` and `value`, by name; the first MAX_VALUES of them."""
    found: dict[str, list[str]] = {}
    for element in list(elements)[:MAX_VALUES]:
        name, value = _value(element, "valueName"), _value(element, "value")
        if name and value:
            found.setdefault(name[:100], []).append(value[:1000])
    return found


# --- what an alert says -------------------------------------------------------


def _told(alert: Element, info: Element) -> tuple[str, str]:
    """Headline (or event), description and instruction, each a sentence at least, else the note; and what is left out.

    One that takes back another alert says so first, unless its headline tells the end itself ("Evacuation order
    lifted"), and what it repeats of that alert is left out. An all-clear says so.
    """
    headline, note = _unwrapped(_value(info, "headline") or _value(info, "event")), _value(alert, "note")
    beside = [_unwrapped(told) for name in ("description", "instruction") if (told := _value(info, name))]
    cancels, repeated = _value(alert, "msgType").lower() in {"cancel", "error"}, ""
    if cancels and headline and not any(map(_TAKES_BACK.search, beside)):
        beside, repeated = [_unwrapped(note)], "\n".join(beside)
    parts = [part for part in (headline, *beside) if part]
    text = "\n".join([*map(_as_sentence, parts[:-1]), *parts[-1:]]) or note
    clear = _value(info, "responseType").lower() == "allclear" and not any(map(_ENDS.search, parts))
    if text and cancels:
        return text if _ENDS.search(headline) else f"Cancelled: {text}", repeated
    return f"All clear: {text}" if text and clear else text, repeated


def _unwrapped(text: str) -> str:
    """The text without the line breaks of a fixed width, which end no sentence."""
    return _WRAPPED.sub(" ", text.replace("\r\n", "\n"))


def _as_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", ":", ";", "。")) else f"{text}."


def _refused(problem: str) -> ShapeError:
    return ShapeError(problem, [FieldProblem("(body)", problem)])
