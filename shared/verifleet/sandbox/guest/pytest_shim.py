"""A small pytest: what test programs commonly use of it, run in this process after the program itself.

Test functions and classes, parametrize, fixtures (with other fixtures, parameters, yield, autouse), raises, warns,
approx, skip, skipif, xfail, capsys, tmp_path, monkeypatch. No collection of files, no plugins, no rewriting of asserts.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import itertools
import math
import os
import pathlib
import re
import sys
import tempfile
import types
import unittest
import unittest.mock
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_MAX_CALLS = 20_000


class FailedError(AssertionError):
    """pytest.fail, or what should have been raised and was not."""


# --- raises, warns, approx ------------------------------------------------------------


class _Raises:
    """The context of pytest.raises, and its ExceptionInfo."""

    def __init__(self, expected: Any, pattern: Any = None, check: Any = None) -> None:
        self.expected, self.pattern, self.check = expected, pattern, check
        self.value: Any = None
        self.tb: Any = None

    @property
    def type(self) -> Any:
        return type(self.value)

    @property
    def typename(self) -> str:
        return type(self.value).__name__

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if kind is None:
            raise FailedError("did not raise")
        if not issubclass(kind, self.expected):
            return False
        self.value, self.tb = error, trace
        if self.pattern is not None:
            self.match(self.pattern)
        if self.check is not None and not self.check(error):
            raise FailedError("the check does not hold")
        return True

    def match(self, pattern: Any) -> bool:
        """Fail unless the message matches."""
        if not re.search(pattern, str(self.value)):
            raise FailedError("the message does not match")
        return True


def _raises(expected: Any, function: Any = None, *arguments: Any, **keywords: Any) -> Any:
    if function is None:
        return _Raises(expected, keywords.get("match"), keywords.get("check"))
    context = _Raises(expected)
    with context:
        function(*arguments, **keywords)
    return context


class _Warns(warnings.catch_warnings):
    """The context of pytest.warns: the list of warnings."""

    def __init__(self, expected: Any = Warning, *, match: Any = None) -> None:
        super().__init__(record=True)
        self.expected, self.pattern = expected, match
        self.list: Any = []

    def __enter__(self) -> Any:
        self.list = super().__enter__()
        warnings.simplefilter("always")
        return self.list

    def __exit__(self, *details: Any) -> None:
        super().__exit__(*details)
        fitting = [w for w in self.list if issubclass(w.category, self.expected)]
        if details[0] is None and not any(
            self.pattern is None or re.search(self.pattern, str(w.message)) for w in fitting
        ):
            raise FailedError("did not warn")


class Approx:
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
        try:
            return self._near(actual, expected)
        except (TypeError, ValueError, ArithmeticError):
            return bool(type(actual) is type(expected) and actual == expected)

    def _near(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, (str, bool)) or isinstance(actual, str) or expected is None:
            return bool(type(actual) is type(expected) and actual == expected)
        if not isinstance(actual, (int, float, complex)) and not hasattr(actual, "as_integer_ratio"):
            return False
        if isinstance(expected, float) and math.isnan(expected):
            return self.nan_ok and isinstance(actual, float) and math.isnan(actual)
        if actual == expected:
            return True
        if isinstance(expected, float) and math.isinf(expected):
            return False
        kind = type(expected) if not isinstance(expected, (int, complex)) else float
        relative = self.rel if self.rel is not None else 0.0 if self.abs is not None else 1e-6
        absolute = self.abs if self.abs is not None else 1e-12
        return bool(abs(actual - expected) <= max(kind(relative) * abs(expected), kind(absolute)))


# --- marks and fixtures --------------------------------------------------------------------


class _Parameters(tuple[Any, ...]):
    """pytest.param: the values of one set, and its marks."""

    marks: tuple[Any, ...] = ()


def _param(*values: Any, marks: Any = (), id: Any = None) -> _Parameters:
    made = _Parameters(values)
    made.marks = tuple(marks) if isinstance(marks, (list, tuple)) else (marks,)
    return made


class _Mark:
    """One use of pytest.mark: `@mark.name` and `@mark.name(...)` alike."""

    def __init__(self, name: str, arguments: tuple[Any, ...] = (), keywords: dict[str, Any] | None = None) -> None:
        self.name, self.args, self.kwargs = name, arguments, keywords or {}

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and not keywords and isinstance(arguments[0], (types.FunctionType, type)):
            target: Any = arguments[0]
            target.pytestmark = [*getattr(target, "pytestmark", []), self]
            return target
        return _Mark(self.name, arguments, keywords)

    def excludes(self) -> bool:
        """Whether the test is not run for it."""
        if self.name == "skip":
            return True
        if self.name != "skipif":
            return False
        return any(bool(condition) for condition in (*self.args, self.kwargs.get("condition", False)))

    def expects_failure(self) -> bool:
        """Whether a failure counts for nothing."""
        return self.name == "xfail" and all(bool(condition) for condition in self.args)


class _Marks:
    def __getattr__(self, name: str) -> _Mark:
        return _Mark(name)


class Fixture:
    """What @pytest.fixture makes of a function."""

    def __init__(self, function: Any, *, params: Any = None, autouse: bool = False, scope: Any = "function",
                 name: str | None = None, ids: Any = None) -> None:  # fmt: skip
        self.function, self.autouse, self.scope = function, autouse, scope
        self.params = list(params) if params is not None else [None]
        self.name = name or function.__name__


def _fixture(function: Any = None, **keywords: Any) -> Any:
    return Fixture(function) if function is not None else lambda decorated: Fixture(decorated, **keywords)


class _Captured(tuple[str, str]):
    out = property(lambda self: self[0])
    err = property(lambda self: self[1])


class _CapSys:
    """capsys: stands in for sys.stdout and sys.stderr until the test ends."""

    def __init__(self) -> None:
        self.kept = sys.stdout, sys.stderr
        self._renew()

    def _renew(self) -> None:
        self.streams = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = self.streams

    def readouterr(self) -> _Captured:
        """What was written since the last call."""
        texts = [stream.getvalue() for stream in self.streams]
        self._renew()
        return _Captured(texts)

    @contextlib.contextmanager
    def disabled(self) -> Iterator[None]:
        """Let output through."""
        sys.stdout, sys.stderr = self.kept
        yield
        sys.stdout, sys.stderr = self.streams


class _MonkeyPatch:
    """monkeypatch, on unittest.mock."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()

    def setattr(self, target: Any, name: Any, value: Any = inspect.Parameter.empty, raising: bool = True) -> None:
        """Set an attribute, given as an object and a name or as a dotted name."""
        if value is inspect.Parameter.empty:
            self._stack.enter_context(unittest.mock.patch(target, name))
        else:
            self._stack.enter_context(unittest.mock.patch.object(target, name, value, create=not raising))

    def setitem(self, mapping: Any, key: Any, value: Any) -> None:
        """Set an item of a dict."""
        self._stack.enter_context(unittest.mock.patch.dict(mapping, {key: value}))

    def setenv(self, name: str, value: Any, prepend: Any = None) -> None:
        """Set an environment variable."""
        self.setitem(os.environ, name, str(value))

    def delenv(self, name: str, raising: bool = True) -> None:
        """Take an environment variable away."""
        self._stack.enter_context(unittest.mock.patch.dict(os.environ))
        os.environ.pop(name, None)

    def chdir(self, path: Any) -> None:
        """Change the current folder."""
        self._stack.callback(os.chdir, os.getcwd())
        os.chdir(path)

    def undo(self) -> None:
        """Take everything back."""
        self._stack.close()


class Request:
    """What a fixture gets as `request`."""

    def __init__(self, param: Any, close: contextlib.ExitStack) -> None:
        self.param = param
        self._close = close

    def addfinalizer(self, function: Callable[[], Any]) -> None:
        """Call it when the fixture ends."""
        self._close.callback(function)


def _capsys(close: contextlib.ExitStack) -> Any:
    capsys = _CapSys()
    close.callback(lambda: setattr(sys, "stdout", capsys.kept[0]))
    close.callback(lambda: setattr(sys, "stderr", capsys.kept[1]))
    return capsys


def _monkeypatch(close: contextlib.ExitStack) -> Any:
    patch = _MonkeyPatch()
    close.callback(patch.undo)
    return patch


_BUILT_IN: dict[str, Callable[[contextlib.ExitStack], Any]] = {
    "capsys": _capsys,
    "monkeypatch": _monkeypatch,
    "tmp_path": lambda _: pathlib.Path(tempfile.mkdtemp()),
    "tmpdir": lambda _: pathlib.Path(tempfile.mkdtemp()),
}


# --- running ---------------------------------------------------------------------------------


class Session:
    """Runs the test functions and classes that a program defines.

    Args:
        namespace: the program's globals.
        count: called for every test that is run.
    """

    def __init__(self, namespace: dict[str, Any], count: Callable[[], None]) -> None:
        self._count = count
        self._calls = 0
        self._fixtures = _fixtures_in(namespace)
        self._namespace = namespace
        self._kept: dict[tuple[str, int], Any] = {}
        self._end = contextlib.ExitStack()

    def run(self, functions: Iterable[str], classes: Iterable[str]) -> None:
        """Run all; raises what the first failing test raised."""
        with self._end:
            self._hook("setup_module")
            for name in functions:
                self._test(self._namespace[name], None, self._fixtures)
            for name in classes:
                self._class(self._namespace[name])
            self._hook("teardown_module")

    def _hook(self, name: str, *arguments: Any) -> None:
        function = self._namespace.get(name)
        if isinstance(function, types.FunctionType):
            function(*arguments[: len(inspect.signature(function).parameters)])

    def _class(self, kind: type) -> None:
        fixtures = {**self._fixtures, **_fixtures_in({name: getattr(kind, name) for name in dir(kind)})}
        _call_hook(kind, "setup_class")
        for name in [name for name in dir(kind) if name.startswith("test")]:
            if callable(getattr(kind, name)):
                self._test(getattr(kind, name), kind, fixtures)
        _call_hook(kind, "teardown_class")

    def _test(self, function: Any, kind: type | None, fixtures: dict[str, Fixture]) -> None:
        marks = [*getattr(kind, "pytestmark", []), *getattr(function, "pytestmark", [])]
        if any(mark.excludes() for mark in marks):
            return
        used = [name for mark in marks if mark.name == "usefixtures" for name in mark.args]
        for values, own_marks in _parameter_sets(marks):
            if any(mark.excludes() for mark in own_marks):
                continue
            names = [*used, *(name for name in _wanted(function, skip_self=kind is not None) if name not in values)]
            for params in _fixture_parameters(names, fixtures):
                self._calls += 1
                if self._calls > _MAX_CALLS:
                    raise FailedError("too many tests")
                self._count()
                forgiven = any(mark.expects_failure() for mark in (*marks, *own_marks))
                with contextlib.suppress(unittest.SkipTest, *([Exception] if forgiven else [])):
                    self._once(function, kind, fixtures, names, dict(values), params)

    def _once(self, function: Any, kind: type | None, fixtures: dict[str, Fixture], names: list[str],
              values: dict[str, Any], params: dict[str, Any]) -> None:  # fmt: skip
        with contextlib.ExitStack() as close:
            instance = kind() if kind is not None else None
            setting = _Setting(self, instance, fixtures, params, close)
            if instance is None:
                self._hook("setup_function", function)
                close.callback(self._hook, "teardown_function", function)
            else:
                _call_hook(instance, "setup_method", function)
                close.callback(_call_hook, instance, "teardown_method", function)
            for fixture in fixtures.values():
                if fixture.autouse:
                    setting.value(fixture.name)
            given = {name: setting.value(name) for name in names}
            wanted = _wanted(function, skip_self=kind is not None)
            arguments = values | {name: value for name, value in given.items() if name in wanted}
            result = function(instance, **arguments) if kind is not None else function(**arguments)
            if inspect.iscoroutine(result):
                import asyncio

                asyncio.run(result)


class _Setting:
    """The fixtures of one test."""

    def __init__(self, session: Session, instance: Any, fixtures: dict[str, Fixture], params: dict[str, Any],
                 close: contextlib.ExitStack) -> None:  # fmt: skip
        self._session, self._instance, self._fixtures = session, instance, fixtures
        self._params, self._close = params, close
        self._made: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """The value of a fixture, made once for this test, or once for all where its scope is wider."""
        if name in self._made:
            return self._made[name]
        fixture = self._fixtures.get(name)
        if fixture is None:
            if name not in _BUILT_IN:
                raise ModuleNotFoundError(name=f"pytest fixture {name}")
            self._made[name] = _BUILT_IN[name](self._close)
            return self._made[name]
        kept, close = self._made, self._close
        key: Any = name
        if fixture.scope != "function":
            kept, close = self._session._kept, self._session._end  # type: ignore[assignment]
            key = (name, id(self._params.get(name)))
        if key not in kept:
            kept[key] = self._make(fixture, close)
        return kept[key]

    def _make(self, fixture: Fixture, close: contextlib.ExitStack) -> Any:
        wanted = list(inspect.signature(fixture.function).parameters)
        own = {"request": Request(self._params.get(fixture.name), close), "self": self._instance}
        result = fixture.function(**{name: own[name] if name in own else self.value(name) for name in wanted})
        if inspect.isgenerator(result):
            value = next(result)
            close.callback(lambda: next(result, None))
            return value
        return result


def _fixtures_in(namespace: dict[str, Any]) -> dict[str, Fixture]:
    return {value.name: value for value in namespace.values() if isinstance(value, Fixture)}


def _call_hook(owner: Any, name: str, *arguments: Any) -> None:
    hook = getattr(owner, name, None)
    if hook is not None:
        hook(*arguments[: len(inspect.signature(hook).parameters)])


def _wanted(function: Any, *, skip_self: bool) -> list[str]:
    names = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    return names[1:] if skip_self else names


def _parameter_sets(marks: list[_Mark]) -> list[tuple[dict[str, Any], tuple[Any, ...]]]:
    """Every combination of the parametrize marks: values by name, and marks of their own."""
    sets: list[tuple[dict[str, Any], tuple[Any, ...]]] = [({}, ())]
    for mark in marks:
        if mark.name != "parametrize":
            continue
        given = dict(zip(("argnames", "argvalues"), mark.args, strict=False)) | mark.kwargs
        names, rows = given["argnames"], list(given["argvalues"])
        keys = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else list(names)
        single = isinstance(names, str) and len(keys) == 1
        sets = [
            ({**values, **dict(zip(keys, _row(row, single=single), strict=True))}, (*own, *getattr(row, "marks", ())))
            for row in rows
            for values, own in sets
        ]
    return sets


def _row(row: Any, *, single: bool) -> Any:
    return (row,) if single and not isinstance(row, _Parameters) else row


def _fixture_parameters(names: list[str], fixtures: dict[str, Fixture]) -> Iterator[dict[str, Any]]:
    """Every combination of the parameters of the fixtures that a test uses, directly or through others."""
    seen: list[str] = []
    pending = [*names, *(fixture.name for fixture in fixtures.values() if fixture.autouse)]
    while pending:
        name = pending.pop()
        if name in fixtures and name not in seen:
            seen.append(name)
            pending += inspect.signature(fixtures[name].function).parameters
    choices = [[param[0] if isinstance(param, _Parameters) else param for param in fixtures[n].params] for n in seen]
    for chosen in itertools.product(*choices):
        yield dict(zip(seen, chosen, strict=True))


# --- the module ----------------------------------------------------------------------------------


def _fail(reason: str = "", **_: Any) -> None:
    raise FailedError(reason)


def _skip(reason: str = "", **_: Any) -> None:
    raise unittest.SkipTest(reason)


def _importorskip(name: str, **_: Any) -> Any:
    return importlib.import_module(name)  # what is missing makes an error: nothing would be checked


def _main(*_: Any, **__: Any) -> int:
    return 0  # the tests are run after the program


def module() -> types.ModuleType:
    """What `import pytest` gives."""
    made = types.ModuleType("pytest")
    made.__dict__.update(
        raises=_raises,
        warns=_Warns,
        deprecated_call=lambda: _Warns((DeprecationWarning, PendingDeprecationWarning)),
        approx=Approx,
        mark=_Marks(),
        param=_param,
        fixture=_fixture,
        fail=_fail,
        skip=_skip,
        xfail=_skip,
        importorskip=_importorskip,
        main=_main,
        FixtureRequest=Request,
        MonkeyPatch=_MonkeyPatch,
    )
    return made
