"""What test programs expect around them: a small pytest, modules named like the solution's, counted unittests."""

from __future__ import annotations

import sys
import types
import unittest
from collections.abc import Callable, Iterable
from typing import Any

from verifleet.sandbox.guest import pytest_shim


class TestsFailedError(Exception):
    """Some test of several failed."""

    __test__ = False


def install(modules: Iterable[str], solution: types.ModuleType) -> None:
    """Make `pytest` importable, and the solution under each module name that the test program imports it by."""
    sys.modules["pytest"] = pytest_shim.module()
    for name in modules:
        sys.modules[name] = solution


def count_unittests(count: Callable[[], None]) -> list[str]:
    """Count every unittest that runs; the list fills with those that fail, which a program may leave unsaid."""
    run = unittest.TestCase.run
    failed: list[str] = []

    def counted(self: unittest.TestCase, result: Any = None) -> Any:
        count()
        own = self.defaultTestResult() if result is None else result
        before = len(own.failures) + len(own.errors)
        given = run(self, own)
        if len(own.failures) + len(own.errors) > before:
            failed.append(self.id())
        return given

    unittest.TestCase.run = counted  # type: ignore[method-assign]
    return failed


def run_classes(namespace: dict[str, Any], names: list[str]) -> None:
    """Run TestCase classes that the program left to a runner."""
    loader = unittest.TestLoader()
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(namespace[name]) for name in names)
    result = suite.run(unittest.TestResult())
    if not result.wasSuccessful():
        raise TestsFailedError
