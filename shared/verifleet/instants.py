"""Times as instants: aware, in UTC, within the years that reports are about.

Every time that comes in is read here once, so whatever compares, sorts or tells times further on has instants before it
and never their texts. A time without an offset is UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2200, 1, 1, tzinfo=UTC)
"""Beyond these a time is a slip or an attack: a clock that was never set, milliseconds taken for seconds, the years 1
and 9999 of "no date" and "for ever", around which arithmetic overflows."""


def instant(moment: datetime) -> datetime:
    """A time in UTC. Raises ValueError for one outside of EARLIEST to LATEST."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if EARLIEST.year < moment.year < LATEST.year - 1:  # whatever its offset; comparing takes longer than all else
        return aware.astimezone(UTC)
    if not EARLIEST <= aware < LATEST:
        problem = f"must lie between the years {EARLIEST.year} and {LATEST.year - 1}, not in {moment.year}"
        raise ValueError(problem)
    return aware.astimezone(UTC)


def read_instant(text: str) -> datetime:
    """The instant of a time in ISO 8601. Raises ValueError for what is none, and as `instant` does."""
    return instant(datetime.fromisoformat(text))


def for_people(moment: datetime) -> str:
    """A time for people: `2026-05-04 12:00 UTC`."""
    return f"{instant(moment):%Y-%m-%d %H:%M} UTC"
