"""Dates, times and durations of RFC 3339 (ISO 8601's Internet profile)."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from typing import Final

from verifleet.verifiers.format.cursor import Cursor, UnexpectedError
from verifleet.verifiers.format.fault import Fault

_FOUR, _TWO = re.compile(r"[0-9]{4}"), re.compile(r"[0-9]{2}")
_DASH, _COLON, _T, _Z = re.compile("-"), re.compile(":"), re.compile("[Tt]"), re.compile("[Zz]")
_SIGN, _FRACTION = re.compile("[+-]"), re.compile(r"\.[0-9]+")
_AMOUNT = re.compile(r"[0-9]+")
_DATE_UNITS: Final = "YMDW"
_TIME_UNITS: Final = "HMS"


def _fault(read: Callable[[Cursor], object], text: str) -> Fault | None:
    cursor = Cursor(text)
    try:
        read(cursor)
        cursor.end()
    except UnexpectedError as error:
        return error.fault
    return None


def check_date(text: str) -> Fault | None:
    """The first fault of a trimmed text as full-date: 2024-02-29."""
    return _fault(_date, text)


def check_time(text: str) -> Fault | None:
    """The first fault of a trimmed text as full-time; the offset is required: 23:59:60Z, 10:00:00.5+02:00."""
    return _fault(_time, text)


def check_date_time(text: str) -> Fault | None:
    """The first fault of a trimmed text as date-time: 2024-02-29T10:00:00Z."""

    def read(cursor: Cursor) -> None:
        _date(cursor)
        cursor.take(_T, "separator", "'T' between date and time")
        _time(cursor)

    return _fault(read, text)


def check_duration(text: str) -> Fault | None:
    """The first fault of a trimmed text as duration (RFC 3339, appendix A): P1Y2M3D, PT36H, P2W."""
    return _fault(_duration, text)


def _number(cursor: Cursor, pattern: re.Pattern[str], low: int, high: int, what: str) -> int:
    start = cursor.at
    number = int(cursor.take(pattern, what, f"the {what}"))
    if not low <= number <= high:
        raise cursor.unexpected(what, f"The {what} must lie between {low} and {high}", start)
    return number


def _date(cursor: Cursor) -> None:
    year = _number(cursor, _FOUR, 0, 9999, "year")
    cursor.take(_DASH, "separator", "'-' after the year")
    month = _number(cursor, _TWO, 1, 12, "month")
    cursor.take(_DASH, "separator", "'-' after the month")
    # The calendar repeats every 400 years, and the library does not know the year 0.
    _number(cursor, _TWO, 1, calendar.monthrange(year % 400 + 400, month)[1], "day")


def _time(cursor: Cursor) -> None:
    hour = _number(cursor, _TWO, 0, 23, "hour")
    cursor.take(_COLON, "separator", "':' after the hour")
    minute = _number(cursor, _TWO, 0, 59, "minute")
    cursor.take(_COLON, "separator", "':' after the minute")
    at_second = cursor.at
    second = _number(cursor, _TWO, 0, 60, "second")
    cursor.maybe(_FRACTION)
    offset = 0
    if cursor.maybe(_Z) is None:
        sign = cursor.take(_SIGN, "offset", "the offset from UTC ('Z' or +hh:mm)")
        hours = _number(cursor, _TWO, 0, 23, "offset hour")
        cursor.take(_COLON, "separator", "':' in the offset")
        offset = hours * 60 + _number(cursor, _TWO, 0, 59, "offset minute")
        offset = -offset if sign == "+" else offset
    if second == 60 and (hour * 60 + minute + offset) % 1440 != 1439:
        raise cursor.unexpected("leap_second", "A leap second is only at 23:59:60 UTC", at_second)


def _duration(cursor: Cursor) -> None:
    cursor.take(re.compile("P"), "designator", "'P'")
    last = _units(cursor, _DATE_UNITS)
    if cursor.maybe(re.compile("T")) is not None:
        if last == "W":
            raise cursor.unexpected("week", "Weeks stand alone", cursor.at - 1)
        if not _units(cursor, _TIME_UNITS):
            raise cursor.unexpected("amount", "Expected an amount of time after 'T'")
    elif not last:
        raise cursor.unexpected("amount", "Expected an amount")


def _units(cursor: Cursor, units: str) -> str:
    """Read amounts with units in order and without a gap (P1Y2D has one); the last unit read."""
    last = ""
    while True:
        start = cursor.at
        if cursor.maybe(_AMOUNT) is None:
            return last
        unit = cursor.text[cursor.at : cursor.at + 1]
        following = units[units.index(last) + 1 :][:1] if last else units
        if last in ("W", "D", "S") or not unit or unit not in following or (last and unit == "W"):
            at = cursor.at if unit else start
            raise cursor.unexpected("unit", f"Expected one of {', '.join(following) or 'no more units'}", at)
        cursor.at += 1
        last = unit
