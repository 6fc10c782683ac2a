"""What test programs expect around them: a small pytest, modules named like the solution's, counted unittests."""

from __future__ import annotations

import contextlib
import inspect
import math
import re
import sys
import types
import unittest
from collections.abc import Callable, Iterable
from typing import Any


class TestsFailedError(Exception):
    """Some test of several failed."""

    __test__ = False


def install(modules: Iterable[str], found: dict[str, Any]) -> None:
    """Make `pytest` importable, and the solution under each module name that the test program imports it by."""
    sys.modules["pytest"] = _pytest()
    for name in modules:
        module = types.ModuleType(name)
        module.__dict__.update(found)
        sys.modules[name] = module


def count_unittests(count: Callable[[], None]) -> None:
    """Count every unittest that runs."""
    run = unittest.TestCase.run

    def counted(self: unittest.TestCase, result: Any = None) -> Any:
        count()
        return run(self, result)

    unittest.TestCase.run = counted  # type: ignore[method-assign]


def run_classes(namespace: dict[str, Any], names: list[str]) -> None:
    """Run TestCase classes that the program left to a runner."""
    loader = unittest.TestLoader()
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(namespace[name]) for name in names)
    result = suite.run(unittest.TestResult())
    if not result.wasSuccessful():
        raise TestsFailedError


def call_test(function: Any, count: Callable[[], None]) -> None:
    """Call a test function as pytest would, once for each set of parameters."""
    sets = getattr(function, "parameters", [{}])
    wanted = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    for values in sets:
        missing = [name for name in wanted if name not in values]
        if missing:
            raise ModuleNotFoundError(name=f"pytest fixture {missing[0]}")
        count()
        with contextlib.suppress(unittest.SkipTest):
            result = function(**values)
            if inspect.iscoroutine(result):
                import asyncio

                asyncio.run(result)


class _Raises:
    def __init__(self, expected: Any, match: str | None = None) -> None:
        self.expected, self.match = expected, match
        self.value: BaseException | None = None

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if kind is None:
            raise AssertionError("did not raise")
        if not issubclass(kind, self.expected):
            return False
        self.value = error
        if self.match is not None and not re.search(self.match, str(error)):
            raise AssertionError("the message does not match")
        return True


def _raises(expected: Any, function: Any = None, *arguments: Any, match: str | None = None, **keywords: Any) -> Any:
    context = _Raises(expected, match)
    if function is None:
        return context
    with context:
        function(*arguments, **keywords)
    return context


class _Approx:
    """pytest.approx for numbers, sequences and mappings: relative 1e-6, absolute 1e-12."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> None:
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, actual: object) -> bool:
        return self._close(actual, self.expected)

    __hash__ = None  # type: ignore[assignment]

    def _close(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, dict):
            same = isinstance(actual, dict) and actual.keys() == expected.keys()
            return same and all(self._close(actual[key], value) for key, value in expected.items())
        if isinstance(expected, (list, tuple)):
            same = isinstance(actual, (list, tuple)) and len(actual) == len(expected)
            return same and all(map(self._close, actual, expected))
        if not isinstance(actual, (int, float, complex)) or isinstance(expected, str):
            return bool(type(actual) is type(expected) and actual == expected)
        if isinstance(expected, float) and math.isnan(expected):
            return self.nan_ok and isinstance(actual, float) and math.isnan(actual)
        relative = self.rel if self.rel is not None else 0.0 if self.abs is not None else 1e-6
        absolute = self.abs if self.abs is not None else 1e-12
        return bool(actual == expected or abs(actual - expected) <= max(relative * abs(expected), absolute))


class _Marks:
    def parametrize(self, names: Any, values: Iterable[Any], **_: Any) -> Callable[[Any], Any]:
        keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        rows = [dict(zip(keys, value if len(keys) > 1 else (value,), strict=True)) for value in values]

        def decorate(function: Any) -> Any:
            function.parameters = [{**old, **row} for old in getattr(function, "parameters", [{}]) for row in rows]
            return function

        return decorate

    def __getattr__(self, name: str) -> Any:
        def mark(*arguments: Any, **_: Any) -> Any:
            return arguments[0] if len(arguments) == 1 and callable(arguments[0]) else lambda function: function

        return mark


def _fail(reason: str = "", **_: Any) -> None:
    raise AssertionError(reason)


def _skip(reason: str = "", **_: Any) -> None:
    raise unittest.SkipTest(reason)


def _main(*_: Any, **__: Any) -> int:
    return 0  # the test functions are called after the program


def _pytest() -> types.ModuleType:
    module = types.ModuleType("pytest")
    module.__dict__.update(
        raises=_raises, approx=_Approx, mark=_Marks(), fail=_fail, skip=_skip, main=_main, param=lambda *v, **_: v
    )
    return module
