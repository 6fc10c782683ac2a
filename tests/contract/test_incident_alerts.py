"""What is owed to those who are told, and what people decided, are the same on every store, also opened anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.test_incident_parting import Officer, store
from tests.unit.alerts import test_alerts
from tests.unit.alerts.test_alerts import NOT_NOW, brief, fact
from tests.unit.facts import count, says
from verifleet.errors import TransientError
from verifleet.serving.desk.feeds import entries
from verifleet.serving.desk.kept import SHOWN, as_data
from verifleet.serving.desk.queries import Queries
from verifleet.serving.incidents import id_of
from verifleet.storage.store import Document, Store

__all__ = ["store"]


def test_an_alert_that_is_owed_is_sent_once_and_in_order_by_whoever_opens_the_store(
    store: Callable[[], Store],
) -> None:
    told: list[tuple[str, int, list[str]]] = []
    first, second = brief(1, fact()), brief(2, fact(status="confirmed"))

    async def by_another(*given: Any, fails: bool = False) -> None:
        opened = store()
        try:
            desk = test_alerts.Desk(opened)
            desk.targets.taken = told
            desk.targets.faults = [NOT_NOW] if fails else []
            for one in given:
                await desk.told(one)
        finally:
            await opened.close()

    async def scenario() -> None:
        for one, fails in ((first, True), (second, False)):
            with pytest.raises(TransientError):
                await by_another(one, fails=fails)
        assert told == []
        await by_another(first)
        await by_another(first, second)
        await by_another(second, first)

    asyncio.run(scenario())
    assert told == [("pager", 1, ["new"]), ("pager", 2, ["confirmed"])]


def test_a_feed_has_what_changed_materially_the_latest_first(store: Callable[[], Store]) -> None:
    async def scenario() -> None:
        opened = store()
        try:
            desk = test_alerts.Desk(opened)
            other = brief(1, fact()).model_copy(update={"incident_id": "other"})
            for one in (brief(1, fact()), other, brief(2, fact(status="confirmed"))):
                desk.at += test_alerts.timedelta(minutes=1)
                await desk.told(one)
                await opened.put(SHOWN, id_of("s", one.incident_id), Document({"brief": as_data(one)}))
            made = await entries(opened, "s", {})
            kinds = [[[change.kind for change in told.changes] for told in one.told] for one in made]
            assert [one.row.incident_id for one in made] == [brief(1, fact()).incident_id, "other"]
            assert kinds == [[["new"], ["confirmed"]], [["new"]]]
            assert await entries(opened, "another", {}) == []
        finally:
            await opened.close()

    asyncio.run(scenario())


def test_decisions_are_kept_with_who_and_why_the_latest_first_and_one_that_is_undone_says_so(
    store: Callable[[], Store],
) -> None:
    async def scenario() -> None:
        opened = store()
        try:
            officer = Officer(opened)
            (made,) = await officer.send(says("12 dead after the storm", count(12)))
            id = made.incident_id
            await officer.decide("confirm", incident_id=id)
            await officer.decide("close", incident_id=id, reason="over")
            await officer.decide("undo", undoes="a2")
            officer.acts = 0
            await officer.decide("confirm", incident_id=id)  # the same act once more
        finally:
            await opened.close()
        again = store()
        try:
            found = await Queries(again).incident("s", id)
            assert found is not None
            told = [(act["act_id"], act["kind"], act["by"], act["undone"]) for act in found["acts"]]
            assert told == [("a3", "undo", "Ana", False), ("a2", "close", "Ana", True), ("a1", "confirm", "Ana", False)]
            assert (found["incident"]["state"], found["incident"]["acts"]) == ("confirmed", 3)
        finally:
            await again.close()

    asyncio.run(scenario())
