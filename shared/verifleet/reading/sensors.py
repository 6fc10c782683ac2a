"""Readings of sensors: JSON objects, seismic networks' lines and airports' weather reports, as numbers with their time.

A reading says which `sensor` measured which `quantity`, its value in base units and when; of one sensor's readings of
one quantity the latest counts. Prose about measurements is read where all prose is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from verifleet.instants import instant, read_instant
from verifleet.reading.dates import MONTHS
from verifleet.reading.words import data

MAX_READINGS = 64
MAX_TEXT = 20_000
MAX_NAME = 120
_NAMES: Mapping[str, Sequence[str]] = data("sensors")["names"]

_QUAKE = re.compile(
    r"(?:^|[\s:#])(?:M|Mag(?:nitude)?|m?M[lwbs]|ML|mb)\s?[:=]?\s?(?P<magnitude>\d(?:\.\d{1,2})?)\b(?!\.\d)",
    re.IGNORECASE,
)
_UTC = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)[T ]{1,4}"
    r"|(?P<month>[A-Z][a-z]{2})[a-z]{0,6}\.? (?P<day>\d{1,2}),? (?P<year>\d{4}),? )"
    r"(?P<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d{1,6})?\s?(?:UTC|GMT|Z)\b"
)
_DEPTH = re.compile(r"(?:depth|prof)\s?[:=]?\s?(\d{1,3}(?:\.\d{1,2})?)\s?km", re.IGNORECASE)
_DISTANCE = re.compile(r"^\d{1,4} ?km (?:[NESW]{1,3} )?(?:of|from) ", re.IGNORECASE)
_BEHIND_PLACE = re.compile(r":|\s-\s|http|#|\b(?:Date|Lat|Depth|Mon|Tue|Wed|Thu|Fri|Sat|Sun)")

_METAR = re.compile(r"(?:METAR |SPECI )?(?:COR )?(?P<station>[A-Z][A-Z0-9]{3}) (?P<day>\d\d)(?P<at>\d\d\d\d)Z ")
_GROUP = re.compile(
    r"(?:\d{3}|VRB)(?P<wind>\d{2,3})(?:G(?P<gusts>\d{2,3}))?(?P<speed>KT|MPS)"
    r"|(?P<visibility>\d{4})|(?P<miles>\d{1,2})SM"
    r"|(?P<temperature>M?\d\d)/(?:M?\d\d)?|Q(?P<pressure>\d{4})"
)
_UNIT_OF = {"visibility": "m", "miles": "miles", "temperature": "degC", "pressure": "hPa"}


@dataclass(frozen=True, slots=True)
class Reading:
    """One measurement; `value` in `unit`, a base unit ("m", "m/s", "degC", "magnitude", "%") or the sensor's own."""

    sensor: str
    quantity: str
    value: float
    unit: str
    time: datetime | None = None
    place: str = ""
    shown: str = ""
    """Value and unit as they came."""

    def as_json(self) -> dict[str, Any]:
        """The reading as plain data."""
        told = {"sensor": self.sensor, "quantity": self.quantity, "value": self.value, "unit": self.unit}
        extra = {"as_of": self.time.isoformat() if self.time else "", "place": self.place}
        return told | {name: value for name, value in extra.items() if value}

    def sentence(self) -> str:
        """The reading for people: "gauge-7, Leeds: water level 4.9 m"."""
        where = ", ".join(dict.fromkeys(part for part in (self.sensor, self.place) if part))
        return f"{where}: {self.quantity} {self.shown}".strip(": ")


def readings_of(content: str, now: datetime) -> tuple[Reading, ...]:
    """The readings that a text is; () for prose."""
    text = content[:MAX_TEXT].strip()
    if text[:1] in "{[" and text[-1:] in "}]":
        return tuple(_from_json(text))
    return tuple(_seismic(text)) or tuple(_weather(text, now))


# --- JSON ---------------------------------------------------------------------


def _from_json(text: str) -> Iterator[Reading]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    yield from filter(None, map(reading_of, document[:MAX_READINGS] if isinstance(document, list) else [document]))


def reading_of(item: Any) -> Reading | None:
    """The reading that a JSON object is, in its own names or ours: a number, and what measured it or in which unit."""
    if not isinstance(item, dict):
        return None
    told = {
        name: next((item[key] for key in keys if item.get(key) not in (None, "")), "") for name, keys in _NAMES.items()
    }
    sensor, quantity, unit, place = (str(told[name])[:MAX_NAME] for name in ("sensor", "quantity", "unit", "place"))
    value = _number(told["value"])
    if value is None or not (sensor or unit):
        return None
    quantity, shown = quantity.replace("_", " ") or "reading", f"{value:g} {unit}".strip()
    return Reading(sensor, quantity, *_in_base(value, unit), _time(told["time"]), place, shown)


def _number(value: Any) -> float | None:
    told = isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 40)
    try:
        number = float(value) if told and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _time(value: Any) -> datetime | None:
    """A time in ISO 8601 or in seconds or milliseconds since 1970; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return instant(datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC))
        return read_instant(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None


@cache
def _units() -> dict[str, tuple[str, float]]:
    units = {name: (base, float(factor)) for name, (base, factor) in data("units")["units"].items() if base}
    return units | {"kt": units["knots"], "hpa": ("hPa", 1.0), "°c": ("degC", 1.0), "c": ("degC", 1.0)}


def _in_base(value: float, unit: str) -> tuple[float, str]:
    if unit.casefold() in {"°f", "f", "degf"}:
        return round((value - 32) / 1.8, 3), "degC"
    base, factor = _units().get(unit.casefold(), (unit, 1.0))
    return (value * factor, base) if math.isfinite(value * factor) else (value, unit)


# --- lines of networks --------------------------------------------------------


def _seismic(text: str) -> Iterator[Reading]:
    """A line of a seismic network: a magnitude and, in UTC, when; "M 7.2, 5km E of Balilihan, Philippines: …"."""
    text = text[:400]
    quake, moment = _QUAKE.search(text), _UTC.search(text)
    if quake is None or moment is None:
        return
    date = moment["date"] or f"{moment['year']}-{MONTHS.get(moment['month'].lower(), 0):02}-{int(moment['day']):02}"
    time = _time(f"{date}T{moment['clock']}+00:00")
    if time is None:
        return
    end = moment.start() if quake.end() <= moment.start() else quake.end() + 80
    place = _BEHIND_PLACE.split(text[quake.end() : end].strip(" ,-:–"))[0]
    place = _DISTANCE.sub("", place.strip(" ,-–"))[:MAX_NAME]
    magnitude = float(quake["magnitude"])
    yield Reading("earthquake", "magnitude", magnitude, "magnitude", time, place, f"{magnitude:g}")
    depth = _DEPTH.search(text)
    if depth is not None:
        yield Reading("earthquake", "depth", float(depth[1]) * 1000, "m", time, place, f"{depth[1]} km")


def _weather(text: str, now: datetime) -> Iterator[Reading]:
    """A METAR, the report of an airport: the first wind, gusts, visibility, temperature and pressure in it."""
    head = _METAR.match(text)
    if head is None:
        return
    # Of the days before tomorrow the last one with that number.
    day = next((at for back in range(-1, 31) if (at := now - timedelta(days=back)).day == int(head["day"])), None)
    time = _time(f"{day:%Y-%m-%d}T{head['at']}+0000") if day else None
    told: dict[str, Reading] = {}
    for group in filter(None, map(_GROUP.fullmatch, text[head.end() : 300].split())):
        found = {name: value for name, value in group.groupdict().items() if value}
        speed = {"KT": "knots", "MPS": "m/s"}.get(found.pop("speed", ""), "")
        for name, digits in found.items():
            unit, value = _UNIT_OF.get(name, speed), float(digits.replace("M", "-"))
            quantity = "visibility" if name == "miles" else name
            shown = f"{value:g} {unit}".replace("degC", "°C")
            told.setdefault(quantity, Reading(head["station"], quantity, *_in_base(value, unit), time, "", shown))
    yield from told.values()
