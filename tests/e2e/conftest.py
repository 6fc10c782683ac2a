"""A whole fleet of real processes, shared by the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verifleet.commands.demo import free_addresses
from verifleet.local.fleet import Fleet


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder: Path = tmp_path_factory.mktemp("fleet")
    running = Fleet(folder, free_addresses())
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def clients(fleet: Fleet) -> Iterator[tuple[Any, Any]]:
    with fleet.clients() as pair:
        yield pair
