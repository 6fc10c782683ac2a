"""A whole fleet of real processes, shared by the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.alerts.test_alerts import Receiver, receiving
from verifleet.commands.demo import free_addresses
from verifleet.local.local_fleet import Fleet

ALERTED = "alerted"
"""The session whose alerts go to `hooks`."""


@pytest.fixture(scope="session")
def hooks() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory, hooks: Receiver) -> Iterator[Fleet]:
    folder: Path = tmp_path_factory.mktemp("fleet")
    rules = folder / "alerts.yaml"
    rules.write_text(
        f"targets:\n  pager: {{webhook: '{hooks.url}', allow_private: true}}\n"
        f"rules:\n- {{name: all, session: [{ALERTED}], to: [pager]}}\n"
    )
    running = Fleet(folder, free_addresses(), {"VERIFLEET_ALERTS": str(rules)})
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def clients(fleet: Fleet) -> Iterator[tuple[Any, Any]]:
    with fleet.clients() as pair:
        yield pair
