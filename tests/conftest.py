"""Shared test set-up: the network is closed except for loopback; processes share the work."""

import os
import re
import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A time limit for each example measures the machine's load, not our code.
settings.register_profile("verifleet", deadline=None)
settings.load_profile("verifleet")

_LOOPBACK = ("127.", "::1", "localhost")

# They start servers and fleets on the machine's ports and mostly wait: one process runs them all.
_SERVERS = ("tests/contract/", "tests/e2e/", "tests/functions/", "tests/reliability/")

# What takes longest begins first, so that no process is left with it when all others have ended.
_LONGEST = (*_SERVERS, "tests/unit/code/test_cpp.py", "tests/security/test_cpp_attacks.py", "tests/unit/scoring/")


# What a test of the pure cores alone does not import: it is fast, and `make test-fast` runs it.
_EDGE = re.compile(
    r"^\s*(?:from|import) (?:subprocess|multiprocessing|tools|tests\.unit\.test_client|tests\.functions"
    r"|verifleet\.(?:cli|client|commands|doctor|jobs|knowledge_base|local|messaging|ray|rewards|sandbox|scoring"
    r"|serving|storage|second_opinion|workers|verifiers\.code\.verifier|verifiers\.code import))",
    re.MULTILINE,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the pure cores are marked `fast`.

    Where several processes run them, files that take longest come first, then those of most tests.
    """
    if os.environ.get("PYTEST_XDIST_WORKER"):
        tests = Counter(item.path for item in items)
        ranks = {path: _rank(path) for path in tests}
        items.sort(key=lambda item: (ranks[item.path], -tests[item.path], item.path))
    for item in items:
        if _is_of_the_core(item.path) and item.get_closest_marker("slow") is None:
            item.add_marker("fast")


def _rank(file: Path) -> int:
    return next((n for n, part in enumerate(_LONGEST) if f"/{part}" in file.as_posix()), len(_LONGEST))


@cache
def _is_of_the_core(file: Path) -> bool:
    return "/tests/unit/" in file.as_posix() and _EDGE.search(file.read_text("utf-8")) is None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file's tests run in one process, and so do all those that start servers."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "servers" if nodeid.startswith(_SERVERS) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False  # the order is that of the items
    return ByFile(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Each process of a suite has a temporary folder of its own, since tests look at what is left there."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        tempfile.tempdir = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="vft-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test printed travels between the processes of a suite as UTF-8, and hostile texts are none."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "replace").decode("utf-8")) for name, text in report.sections]
    return report


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_LOOPBACK):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
