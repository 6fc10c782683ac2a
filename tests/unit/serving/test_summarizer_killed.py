"""The summarizer agent killed before each of its writes: whatever comes in between, every revision is told once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.unit.facts import count, says
from verifleet.alerts.rule_file import read_rules
from verifleet.envelopes import Envelope, IncidentActData, make_envelope
from verifleet.errors import ConflictError
from verifleet.serving.desk.alerting import Alerting
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.storage.sqlite import SqliteStore

AT = datetime(2026, 5, 4, 13, tzinfo=UTC)
RULES = read_rules("targets: {pager: {webhook: 'https://pager.example.com'}}\nrules: [{name: a, to: [pager]}]")
WRITES = {"put", "put_many", "update", "delete"}


class Killed(BaseException):
    """The process ended here."""


class DyingStore:
    """A store whose user is killed before the write that `left` counts down to."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.left: int | None = None

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        return self._counted(method) if name in WRITES else method

    def _counted(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def write(*args: Any) -> Any:
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise Killed
            return await method(*args)

        return write


class Fleet:
    """One agent whose messages come again when it was killed over them."""

    def __init__(self, store: DyingStore) -> None:
        self.store = store
        self.agent = SummarizerAgent(store, alerting=Alerting(store, RULES))  # type: ignore[arg-type]
        self.owing: set[int] = set()
        self.revisions: dict[str, dict[int, set[str | None]]] = defaultdict(lambda: defaultdict(set))
        self.order: list[str] = []
        self.reports: set[str] = set()

    async def take(self, message: Envelope[Any], dies_at: int | None = None) -> bool:
        """Whether the agent was not killed before it had published what it made."""
        self.store.left = dies_at
        try:
            outputs = await self.agent(message, cause=message.envelope_id or "")
        except Killed:
            return False
        except ConflictError:
            return True  # refused, as whoever acted on what was not yet so is told
        finally:
            survived = self.store.left is None or self.store.left > 0
            self.store.left = None
        if not survived:
            return False  # killed after its last write
        for output in outputs:
            if output.topic != "incident-briefs":
                continue
            brief, told = output.envelope, output.envelope.data
            if output.attributes:
                self.owing.add(told.revision)
            self.reports |= set(told.event_ids)
            if told.kind == "brief":
                self.revisions[told.incident_id][told.revision].add(brief.envelope_id)
            if told.incident_id not in self.order:
                self.order.append(told.incident_id)
        return True

    def gaps(self) -> dict[str, list[int]]:
        told = {incident: sorted(numbers) for incident, numbers in self.revisions.items()}
        return {incident: numbers for incident, numbers in told.items() if numbers != [*range(1, len(numbers) + 1)]}


def report(text: str, minute: int, *facts: dict[str, Any], place: str | None = None) -> Envelope[Any]:
    tags = ["#clutha"] if "#" in text else []
    event = {
        "location": place,
        "event_type": "explosion",
        "metadata": {"author": f"b{minute}", "signs": {"tokens": tags, "kinds": ["explosion"]}},
    }
    data = says(text, *facts, by=f"b{minute}", minutes=minute, event=event)
    return make_envelope(
        "verified_event_v1", data, session_id="s", source_agent="verifier_agent", timestamp=AT, cause=f"m{minute}"
    )


def reports_that_show_two_incidents_to_be_one() -> list[Envelope[Any]]:
    return [
        report("Explosion at the plant, 2 dead #clutha", 0, count(2)),
        *(report(f"Blast in Glasgow, {n} injured", n, count(n, "injured"), place="Glasgow") for n in (1, 2)),
        *(
            report(f"Explosion in Glasgow: {n + 40} hurt #clutha", n, count(n + 40, "injured"), place="Glasgow")
            for n in (3, 4, 5, 6)
        ),
    ]


def act(kind: str, **told: Any) -> Envelope[Any]:
    data = IncidentActData.model_validate(
        {"act_id": f"act-{kind}", "kind": kind, "reason": "seen", "by": "Ana", "at": AT, **told}
    )
    return make_envelope("incident_act_v1", data, session_id="s", source_agent="desk", timestamp=AT, cause=data.act_id)


async def run(folder: Path, name: str, messages: Sequence[Any], at: int, dies_at: int | None, later: int) -> Fleet:
    """All messages in order; the one `at` dies and comes again `later` than it should, by so many messages."""
    store = SqliteStore(folder / f"{name}.db")
    fleet = Fleet(DyingStore(store))
    waiting: Envelope[Any] | None = None
    try:
        for number, made in enumerate(messages):
            message = made(fleet) if callable(made) else made
            alive = await fleet.take(message, dies_at if number == at else None)
            waiting = waiting if alive else message
            if waiting is not None and number >= at + later:
                await fleet.take(waiting)
                waiting = None
        if waiting is not None:
            await fleet.take(waiting)
    finally:
        await store.close()
    return fleet


def deaths(folder: Path, messages: Sequence[Any], at: int) -> Iterator[int]:
    """Before each write of a message, and after its last."""

    class Counting(DyingStore):
        writes = 0

        def _counted(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            self.writes += 1
            return super()._counted(method)

    async def counted() -> int:
        store = SqliteStore(folder / f"count-{at}.db")
        counting = Counting(store)
        fleet = Fleet(counting)
        for number, made in enumerate(messages[: at + 1]):
            counting.writes = 0
            await fleet.take(made(fleet) if callable(made) else made)
            assert number <= at
        await store.close()
        return counting.writes

    yield from range(asyncio.run(counted()) + 1)


def tried(folder: Path, messages: Sequence[Any], later: Sequence[int]) -> None:
    wrong = {}
    for at in range(len(messages)):
        for dies_at in deaths(folder, messages, at):
            wait = later[dies_at % len(later)]
            fleet = asyncio.run(run(folder, f"{at}-{dies_at}-{wait}", messages, at, dies_at, wait))
            if gaps := fleet.gaps():
                wrong[at, dies_at, wait] = gaps
            assert not [ids for told in fleet.revisions.values() for ids in told.values() if len(ids) > 1]
    assert not wrong


def test_no_revision_is_missing_where_reports_show_two_incidents_to_be_one(tmp_path: Path) -> None:
    messages = reports_that_show_two_incidents_to_be_one()
    fleet = asyncio.run(run(tmp_path, "undisturbed", messages, len(messages), None, 0))
    assert len(fleet.revisions) == 2
    assert not fleet.gaps()
    tried(tmp_path, messages, (1, len(messages)))


def test_no_revision_is_missing_where_somebody_merges_and_parts_incidents(tmp_path: Path) -> None:
    told = [
        report(f"Explosion in {place}: {n} hurt", n, count(n, "injured"), place=place)
        for n, place in ((2, "Leeds"), (3, "Osaka"), (4, "Leeds"), (5, "Osaka"), (6, "Leeds"))
    ]
    messages = [
        *told[:3],
        lambda fleet: act("merge", incident_id=fleet.order[1], into=fleet.order[0]),
        told[3],
        lambda fleet: act("split", incident_id=fleet.order[0], reports=[told[2].data.event_id], expects=1),
        told[4],
    ]
    fleet = asyncio.run(run(tmp_path, "undisturbed", messages, len(messages), None, 0))
    assert len(fleet.revisions) == 3
    assert not fleet.gaps()
    tried(tmp_path, messages, (1,))


def test_a_brief_that_owes_an_alert_says_so_wherever_the_agent_was_killed(tmp_path: Path) -> None:
    messages = [
        report("Explosion in Leeds: 2 hurt", 2, count(2, "injured"), place="Leeds"),
        report("Also hurt in Leeds: 2", 3, count(2, "injured"), place="Leeds"),
    ]
    for dies_at in deaths(tmp_path, messages, 0):
        fleet = asyncio.run(run(tmp_path, f"owing-{dies_at}", messages, 0, dies_at, 1))
        assert fleet.owing == {1}, dies_at
