"""How the verifiers do over time: their own `/metrics`, looked at now and then, and what grew is kept by the hour.

Counters say what was since a process began; what is kept is what came between two looks, in slots of five minutes. Of
several who look, one counts. A verifier that does not answer is counted as away.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import httpx
from pydantic import ConfigDict, Field, with_config

from verifleet.envelopes import Timestamp, derived_id, plain_json
from verifleet.errors import ShapeError, TransientError
from verifleet.identity import identity_headers
from verifleet.serving import records
from verifleet.serving.records import KEPT_FOR
from verifleet.storage.store import Document, Store, get_all
from verifleet.verification import VERIFIER_NAMES
from verifleet.verifier_views import AuditCall, AuditView, Slot, VerifiersView, VerifierView

logger = logging.getLogger(__name__)

TALLIES, LOOKS, AUDITS = "tally", "look", "audit"
STEP = timedelta(minutes=5)
LOOK_EVERY = timedelta(seconds=10)
TIMEOUT_S = 3.0
MAX_METRICS = 2_000_000
"""Bytes of `/metrics` that are read."""
MAX_HOURS = 168
MAX_AUDITS = 60
JUDGING = frozenset({"verify", "verify_batch", "reward", "get_reward", "rm", "nemo_gym", "test_program", "run_code"})
"""Operations that ask for a verdict over HTTP; a delivery that is told "not yet" is no failure."""
_LINE = re.compile(r"([a-z_]{1,80})\{([^}]{0,400})\} ([0-9.e+]{1,30})")
_LABEL = re.compile(r'([a-z]{1,20})="([^"\\]{0,80})"')
_COUNTED = {
    "agent_requests_total": ("requests", "outcome"),
    "verdicts_total": ("verdicts", "verdict"),
    "agent_request_duration_seconds_bucket": ("seconds", "le"),
}

Number = Annotated[float, Field(ge=0)]
Fetch = Callable[[str], Awaitable[str]]


@with_config(ConfigDict(allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one verifier: requests by outcome, verdicts, and how many requests took at most so many seconds."""

    requests: dict[str, Number] = field(default_factory=dict)
    verdicts: dict[str, Number] = field(default_factory=dict)
    seconds: dict[str, Number] = field(default_factory=dict)
    away: Annotated[int, Field(ge=0)] = 0

    def since(self, before: Tally) -> Tally:
        """What came since; all of it where a counter fell, because its process is another one."""
        then = _flat(before)
        now = _flat(self)
        if any(now.get(name, 0) < count for name, count in then.items()):
            return self
        grown = {name: count - then.get(name, 0) for name, count in now.items()}
        return _tally(grown, 0) if any(grown.values()) else Tally()

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        one, two = _flat(self), _flat(other)
        return _tally({name: one.get(name, 0) + two.get(name, 0) for name in {**one, **two}}, self.away + other.away)

    def slot(self, at: datetime) -> Slot:
        """This as it is shown."""
        return Slot(
            at=at,
            requests=int(sum(self.requests.values())),
            rejected=int(self.requests.get("rejected", 0)),
            failed=int(self.requests.get("failed", 0)),
            away=self.away,
            verdicts={name: int(count) for name, count in self.verdicts.items()},
            p50_ms=self.quantile(0.5),
            p95_ms=self.quantile(0.95),
        )

    def quantile(self, share: float) -> float | None:
        """Milliseconds that so many of the requests took at most, between the bounds of their bucket; None of none."""
        bounds = sorted((float(le), count) for le, count in self.seconds.items())
        wanted = share * bounds[-1][1] if bounds else 0.0
        low = counted = 0.0
        for bound, count in bounds:
            if wanted and count >= wanted:
                within = (wanted - counted) / max(1e-9, count - counted)
                return round(1000 * (low if math.isinf(bound) else low + within * (bound - low)), 2)
            low, counted = bound, count
        return None


def _flat(tally: Tally) -> dict[tuple[str, str], float]:
    kinds = {"requests": tally.requests, "verdicts": tally.verdicts, "seconds": tally.seconds}
    return {(kind, name): count for kind, counts in kinds.items() for name, count in counts.items()}


def _tally(counts: Mapping[tuple[str, str], float], away: int) -> Tally:
    requests, verdicts, seconds = (
        {name: count for (of, name), count in counts.items() if of == kind}
        for kind in ("requests", "verdicts", "seconds")
    )
    return Tally(requests, verdicts, seconds, away)


@dataclass(frozen=True, slots=True)
class _Hour:
    slots: dict[str, Tally] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Look:
    """The last look at a verifier: its counters, when, and whether it answered."""

    at: Timestamp
    up: bool = True
    counters: Tally = field(default_factory=Tally)


def read_metrics(text: str) -> Tally:
    """The counters of `/metrics`: of requests that ask for verdicts, and of all verdicts."""
    found: dict[tuple[str, str], float] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line) if line.startswith(tuple(_COUNTED)) else None
        if match is None or match[1] not in _COUNTED:
            continue
        labels = dict(_LABEL.findall(match[2]))
        if labels.get("operation", "verify") in JUDGING:
            kind, label = _COUNTED[match[1]]
            name = labels.get(label, "").removeprefix("+").lower()
            found[kind, name] = found.get((kind, name), 0.0) + float(match[3])
    return _tally(found, 0)


async def fetched(url: str) -> str:
    """The metrics of a function. Raises httpx.HTTPError and TransientError."""
    headers = await asyncio.to_thread(identity_headers, url)
    async with (
        httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client,
        client.stream("GET", f"{url}/metrics", headers=headers) as answer,
    ):
        answer.raise_for_status()
        read = b""
        async for part in answer.aiter_bytes():
            read += part
            if len(read) > MAX_METRICS:
                raise TransientError(f"the metrics of {url} are longer than {MAX_METRICS} bytes")
    return read.decode("utf-8", "replace")


class Tallies:
    """Looks at the verifiers at these addresses and keeps what they did; raises StoreUnavailableError.

    Args:
        store: where it is kept.
        urls: of the functions that are looked at, by verifier.
        now: the clock.
        fetch: asks one of them.
    """

    def __init__(
        self,
        store: Store,
        urls: Mapping[str, str],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        fetch: Fetch = fetched,
    ) -> None:
        self._store = store
        self._urls = urls
        self._now = now
        self._fetch = fetch

    async def watch(self) -> None:
        """Look for ever."""
        while self._urls:
            try:
                await self.look()
            except TransientError as error:
                logger.info("the verifiers are looked at later: %s", error)
            await asyncio.sleep(LOOK_EVERY.total_seconds())

    async def look(self) -> None:
        """Look at each verifier, unless somebody has just done so."""
        await asyncio.gather(*(self._look(verifier, url) for verifier, url in self._urls.items()))

    async def _look(self, verifier: str, url: str) -> None:
        known = await self._store.get(LOOKS, verifier)
        last = records.read(_Look, verifier, known.data) if known else None
        now = self._now()
        if last is not None and now - last.at < LOOK_EVERY / 2:
            return
        try:
            counters: Tally | None = read_metrics(await self._fetch(url))
        except (httpx.HTTPError, httpx.InvalidURL, TransientError):
            counters = None
        outcome: list[Tally] = []

        def change(present: Document | None) -> Document | None:
            before = records.read(_Look, verifier, present.data) if present else None
            if before is not None and now - before.at < LOOK_EVERY / 2:
                outcome.clear()
                return None
            earlier = before.counters if before else Tally()
            outcome[:] = [Tally(away=1) if counters is None else counters.since(earlier)]
            look = _Look(now, counters is not None, counters or earlier)
            return Document(records.plain(look), (), None, now + KEPT_FOR)

        await self._store.update(LOOKS, verifier, change)
        if outcome and outcome[0] != Tally():
            await self._add(verifier, now, outcome[0])

    async def _add(self, verifier: str, now: datetime, grown: Tally) -> None:
        hour = now.replace(minute=0, second=0, microsecond=0)
        name = str((now - hour) // STEP)

        def change(present: Document | None) -> Document:
            known = (records.read(_Hour, verifier, present.data) if present else None) or _Hour()
            slots = {**known.slots, name: known.slots.get(name, Tally()).plus(grown)}
            return Document(plain_json(records.plain(_Hour(slots))), (), None, now + KEPT_FOR)

        await self._store.update(TALLIES, _hour_id(verifier, hour), change)

    async def record(self, given: AuditCall) -> dict[str, Any]:
        """Keep what an audit measured."""
        view = AuditView(**given.model_dump(), at=self._now())
        data: dict[str, Any] = plain_json(view.model_dump(mode="python"))
        id = derived_id(f"{given.verifier}|{given.file}|{view.at.isoformat()}")
        await self._store.put(AUDITS, id, Document(data, (AUDITS,), view.at, self._now() + KEPT_FOR))
        return data

    async def verifiers(self, hours: int) -> dict[str, Any]:
        """How the verifiers did in the last hours, and the audits that were recorded."""
        await self.look()
        now = self._now()
        begin = now.replace(minute=0, second=0, microsecond=0)
        wanted = [begin - timedelta(hours=ago) for ago in reversed(range(hours + 1))]
        ids = [_hour_id(verifier, hour) for verifier in VERIFIER_NAMES for hour in wanted]
        kept, looks = await asyncio.gather(
            get_all(self._store, TALLIES, ids), self._store.get_many(LOOKS, list(VERIFIER_NAMES))
        )
        found = await self._store.find(AUDITS, [AUDITS], limit=MAX_AUDITS)
        audits = [one for id, document in found if (one := records.read(AuditView, id, document.data)) is not None]
        views = [self._view(verifier, wanted, now - timedelta(hours=hours), kept, looks) for verifier in VERIFIER_NAMES]
        view = VerifiersView(as_of=now, step_s=int(STEP.total_seconds()), verifiers=views, audits=audits)
        told: dict[str, Any] = plain_json(view.model_dump(mode="python"))
        return told

    def _view(
        self,
        verifier: str,
        wanted: Sequence[datetime],
        since: datetime,
        kept: Mapping[str, Document],
        looks: Mapping[str, Document],
    ) -> VerifierView:
        tallies: dict[datetime, Tally] = {}
        for hour in wanted:
            document = kept.get(_hour_id(verifier, hour))
            known = records.read(_Hour, verifier, document.data) if document else None
            for name, tally in sorted((known or _Hour()).slots.items()):
                if name.isdecimal() and len(name) <= 2 and (at := hour + int(name) * STEP) + STEP > since:
                    tallies[at] = tally
        total = Tally()
        for tally in tallies.values():
            total = total.plus(tally)
        document = looks.get(verifier)
        last = records.read(_Look, verifier, document.data) if document else None
        state = "not watched" if verifier not in self._urls or last is None else "up" if last.up else "away"
        slots = [tallies[at].slot(at) for at in sorted(tallies)]
        return VerifierView.model_validate(
            {"verifier": verifier, "state": state, "total": total.slot(since), "slots": slots}
        )


def _hour_id(verifier: str, hour: datetime) -> str:
    return f"{verifier}|{hour:%Y-%m-%dT%H}"


def hours_of(given: str) -> int:
    """How far back is asked. Raises ShapeError."""
    if not (given.isascii() and given.isdecimal() and 1 <= int(given[:6]) <= MAX_HOURS):
        raise ShapeError.at("query.hours", f"is a whole number from 1 to {MAX_HOURS}")
    return int(given)
