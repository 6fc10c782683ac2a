"""An incident in the forms that other programs take: CAP 1.2, GeoJSON, CSV, Markdown, JSON.

They are made of what the routes of incidents answer. Texts come from reports and may hold anything: each form has its
own way to keep them texts.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from verifleet.instants import for_people, read_instant

Json = Mapping[str, Any]

CAP_NAMESPACE = "urn:oasis:names:tc:emergency:cap:1.2"
CAP_MEDIA_TYPE = "application/cap+xml"
SENDER = "verifleet"
RADIUS_KM = 25
_CATEGORIES = {
    "flood": "Met", "storm": "Met", "fire": "Fire", "earthquake": "Geo", "explosion": "Safety", "attack": "Security",
    "transport": "Transport", "collapse": "Infra", "airquality": "Env",
}  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""What a cell begins with that spreadsheets run."""
_MARKED = re.compile(r"([\\`*_{}\[\]()#+!|~>-])")
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of what is beside them."""
_COLUMNS = (
    *("incident_id", "revision", "state", "severity", "event_type", "location", "latitude", "longitude"),
    *("fact_id", "kind", "status", "text", "low", "high", "unit", "as_of", "sources", "urls"),
)


def line(text: object) -> str:
    """A text on one line that can be encoded, in which no character is a command or turns what is beside it."""
    text = str(text if text is not None else "").replace("\n- ", " ")
    return " ".join("".join(map(_harmless, text)).split())


def _harmless(character: str) -> str:
    if character in _TURNS:
        return ""
    kind = unicodedata.category(character)
    if kind == "Cs" or character in "\ufffe\uffff":
        return "\ufffd"
    return " " if kind in ("Cc", "Zl", "Zp") else character


def as_json(incident: Json) -> str:
    """All of it."""
    return json.dumps(incident, indent=2, ensure_ascii=True) + "\n"


def as_geojson(incident: Json) -> str:
    """One feature at the incident's place; without a geometry where the place is not known."""
    row, brief = incident["incident"], incident["brief"]
    position = row["position"]
    geometry = {"type": "Point", "coordinates": [position[1], position[0]]} if position else None
    names = ("incident_id", "state", "severity", "event_type", "location", "reports", "reliability_score", "revision")
    properties = {name: row[name] for name in (*names, "created_at", "changed_at")}
    properties |= {"summary": brief["summary"], "guidance": brief["guidance"]}
    properties["facts"] = [
        {name: fact[name] for name in ("id", "kind", "text", "status", "as_of")} for fact in incident["facts"]
    ]
    feature = {"type": "Feature", "id": row["incident_id"], "geometry": geometry, "properties": properties}
    return json.dumps({"type": "FeatureCollection", "features": [feature]}, indent=2, ensure_ascii=True) + "\n"


def as_csv(incident: Json) -> str:
    """A row for each fact."""
    row = incident["incident"]
    latitude, longitude = row["position"] or ("", "")
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for fact in incident["facts"]:
        value = fact["value"] or {}
        sources = fact["sources"]
        cells = [row[name] for name in _COLUMNS[:6]] + [latitude, longitude, fact["id"], fact["kind"], fact["status"]]
        cells += [fact["text"], value.get("low"), value.get("high"), value.get("unit"), fact["as_of"]]
        cells += ["; ".join(_who(source) for source in sources), " ".join(filter(None, (s["url"] for s in sources)))]
        table.writerow([_cell(cell) for cell in cells])
    return out.getvalue()


def _cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; figures stay figures."""
    if value is None or isinstance(value, int | float):
        return "" if value is None else value
    text = line(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_markdown(incident: Json) -> str:
    """A page to read and to pass on."""
    row, brief = incident["incident"], incident["brief"]
    kind, place = _marked(row["event_type"]), _marked(row["location"] or "place unknown")
    lines = [f"# {kind.capitalize()}: {place}", ""]
    lines += [
        f"{row['state']}, severity {row['severity']}, {row['reports']} reports, reliability "
        f"{row['reliability_score']:.2f}, revision {row['revision']}, {for_people(read_instant(row['changed_at']))}",
        "",
        _marked(brief["summary"]),
        "",
    ]
    lines += _section("Facts", [f"**{fact['status']}**: {_marked(fact['text'])}" for fact in incident["facts"]])
    lines += _section("Advice", [_marked(text) for text in brief["guidance"]])
    lines += _section("Sources", _sources(incident["facts"]))
    revisions = incident.get("revisions", ())
    changes = [
        f"{for_people(read_instant(one['at']))}, revision {one['revision']}: {_marked('; '.join(one['changes']))}"
        for one in revisions
    ]
    lines += _section("Changes", changes)
    lines += [f"Incident {_marked(row['incident_id'])}"]
    return "\n".join(lines) + "\n"


def _section(title: str, items: Iterable[str]) -> list[str]:
    told = [f"- {item}" for item in items]
    return [f"## {title}", "", *told, ""] if told else []


def _sources(facts: Iterable[Json]) -> list[str]:
    told = {}
    for fact in facts:
        for source in fact["sources"]:
            when = for_people(read_instant(source["time"]))
            told[source["event_id"]] = f"{_marked(_who(source))}, {when} {_marked(source['url'] or '')}".rstrip()
    return list(told.values())


def _who(source: Json) -> str:
    return line(source["author"] or source["source"])


def _marked(text: object) -> str:
    """A text in which Markdown and HTML find nothing of theirs."""
    return _MARKED.sub(r"\\\1", line(text).replace("&", "&amp;").replace("<", "&lt;"))


def as_cap(incident: Json) -> str:
    """A CAP 1.2 alert; see `cap_alert`."""
    alert = cap_alert(incident)
    indent(alert)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(alert, encoding="unicode")}\n'


def cap_alert(incident: Json) -> Element:
    """A CAP 1.2 alert: the first revision alerts, later ones update it, what was dismissed or merged is cancelled."""
    row, brief = incident["incident"], incident["brief"]
    revision = row["revision"]
    alert = Element("alert", {"xmlns": CAP_NAMESPACE})
    cancelled = row["state"] in ("dismissed", "merged")
    _add(alert, "identifier", _identifier(row["incident_id"], revision))
    _add(alert, "sender", SENDER)
    _add(alert, "sent", _cap_time(row["changed_at"]))
    _add(alert, "status", "Actual")
    _add(alert, "msgType", "Cancel" if cancelled else "Update" if revision > 1 else "Alert")
    _add(alert, "scope", "Restricted")
    _add(alert, "restriction", "For incident response; made of reports by a program.")
    earlier = {one["revision"]: one["at"] for one in incident.get("revisions", ()) if one["revision"] < revision}
    if earlier:
        before = max(earlier)
        sent = _cap_time(earlier[before])
        _add(alert, "references", f"{SENDER},{_identifier(row['incident_id'], before)},{sent}")
    info = SubElement(alert, "info")
    _add(info, "language", "en-US")
    _add(info, "category", _CATEGORIES.get(row["event_type"], "Other"))
    _add(info, "event", row["event_type"])
    _add(info, "urgency", "Unknown")
    _add(info, "severity", row["severity"].capitalize())
    _add(info, "certainty", "Observed" if row["confirmed"] else "Possible" if row["reported"] else "Unknown")
    _add(info, "headline", line(row["headline"])[:160])
    _add(info, "description", brief["summary"])
    if brief["guidance"]:
        _add(info, "instruction", "\n".join(map(line, brief["guidance"])))
    for name in ("incident_id", "state", "revision", "reports", "reliability_score"):
        parameter = SubElement(info, "parameter")
        _add(parameter, "valueName", name)
        _add(parameter, "value", row[name])
    area = SubElement(info, "area")
    _add(area, "areaDesc", row["location"] or "unknown")
    if row["position"]:
        latitude, longitude = row["position"]
        _add(area, "circle", f"{latitude:g},{longitude:g} {RADIUS_KM}")
    return alert


def _add(parent: Element, name: str, text: object) -> None:
    SubElement(parent, name).text = line(text)


def _identifier(incident_id: str, revision: int) -> str:
    return f"{re.sub(r'[^A-Za-z0-9.-]', '-', incident_id)}.{revision}"


def _cap_time(text: str) -> str:
    return read_instant(text).replace(microsecond=0).isoformat()


FORMS: Mapping[str, Callable[[Json], str]] = {
    "cap": as_cap,
    "csv": as_csv,
    "geojson": as_geojson,
    "json": as_json,
    "md": as_markdown,
}
