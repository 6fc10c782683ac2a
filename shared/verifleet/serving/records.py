"""What the agents keep in the Store beside reports and briefs, read with its types.

A document may be from another version of the program, or from whoever else can write to the Store. One that can't be
read is left out with a warning: no message may fail for what another one left behind.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from verifleet.agents.relate.rarity import Heard
from verifleet.envelopes import MAX_REVISION, Timestamp
from verifleet.instants import read_instant
from verifleet.reading.reposts import NO_ORIGINAL, Original

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=30)
OUTPUTS_KEPT_FOR = timedelta(days=1)
"""As long as it is known which messages were handled."""
UNUSABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading plain data of another form raises."""

T = TypeVar("T")
_PLAIN = ConfigDict(allow_inf_nan=False)
_Id = Annotated[str, Field(pattern=r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
"""Of an incident, as `derived_id` makes it."""
_Number = Annotated[int, Field(ge=0, le=MAX_REVISION)]
Count = Annotated[int, Field(ge=0, le=MAX_REVISION)]


def _readable(text: str) -> str:
    return read_instant(text).isoformat()


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Verified:
    """An event as it was last verified; without a revision only who asked for another look at it."""

    event: dict[str, Any] | None = None
    revision: Annotated[int, Field(ge=0, lt=MAX_REVISION)] = 0
    verdicts: tuple[str, ...] = ()
    cause: str = ""
    asked: tuple[str, ...] = ()
    heard: Heard | None = None


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class SourceRecord:
    """How the claims of a source fared: how many of each event were supported, and refuted."""

    events: dict[str, tuple[_Number, _Number]]


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Pages:
    """What a search for a claim found: title, address, stance, reason."""

    pages: list[tuple[str, str, Literal["supports", "refutes", "neutral"], str]]


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Judgement:
    """How a report stands to a claim, where rules leave it open."""

    stance: Literal["supports", "refutes", "updates", "neutral"]
    reason: str


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class ForeignClaims:
    """The claims of a report in an unread language: where they stand, and what they say in English."""

    claims: list[tuple[int, int, str]]


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Waiting:
    """Events that later reports of a place are to revise, and the causes that took them."""

    events: dict[str, str]


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Member:
    """The incident that an event belongs to."""

    incident_id: _Id


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Seen:
    """The original words of an event, and when it was first seen: the earlier of two copies is the original."""

    event_id: str
    at: Timestamp
    original: Original = NO_ORIGINAL


@with_config(_PLAIN)
class Outline(TypedDict):
    """What an incident is compared with others by; see `briefs.outline`."""

    incident_id: str
    family: str
    location: str | None
    first: Annotated[str, AfterValidator(_readable)]
    figures: dict[str, float]


@with_config(_PLAIN)
@dataclass(frozen=True, slots=True)
class Opened:
    """Incidents that were opened at a place, and the times of their first events."""

    incidents: dict[str, Timestamp]


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(kind: type[T], id: str, data: Any) -> T | None:
    """The record in a document's data; None, with a warning, when it is none of this kind.

    The warning names it by `id`, which is one of ours or an event's: names of sources and places are text of a report.
    """
    try:
        record: T = _adapter(kind).validate_python(data)  # type: ignore[arg-type]
    except ValidationError as error:
        left_out(f"{kind.__name__.strip('_').lower()} record", id, error)
        return None
    return record


def plain(record: Any) -> dict[str, Any]:
    """A record as plain data; see `read`."""
    kind: Any = type(record)
    told: dict[str, Any] = _adapter(kind).dump_python(record, mode="json")
    return told


def revision_of(data: Any) -> int:
    """The revision in a document that can't be read otherwise.

    Where even that is lost, it goes on at the seconds of the clock, above all that can have been published: readers
    ignore a revision that is lower than one they know.
    """
    revision = data.get("revision") if isinstance(data, dict) else None
    return revision if type(revision) is int and 0 < revision < MAX_REVISION else int(time.time())


def left_out(what: str, id: str, error: Exception) -> None:
    """Say that a stored document is passed over; without its text, which is a report's."""
    where = ""
    if isinstance(error, ValidationError):
        where = " at " + ", ".join(".".join(map(str, item["loc"])) or "(root)" for item in error.errors()[:3])
    logger.warning("%s %s in the store can't be used and is left out: %s%s", what, id, type(error).__name__, where)
