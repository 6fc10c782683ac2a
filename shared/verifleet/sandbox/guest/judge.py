"""Mode `judge`: the test program, in a process of its own, with stand-ins for what the solution defines.

Nothing of the candidate's runs here: only plain data comes in. A value that can't be carried is a Remote: truthy,
equal to no plain value, without operators that a forger could answer.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import io
import sys
import types
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Any

from verifleet.sandbox.guest import link, packages, pytest_shim, runner, shim, wire

# Yes-or-no methods of builtin types: a test that calls them wants such a type, and an object that says yes to
# everything would pass for it.
_YES_OR_NO = frozenset(
    name
    for kind in (str, bytes, set, float, int, tuple, list, dict)
    for name in dir(kind)
    if name.startswith(("is", "startswith", "endswith"))
)
_CHECK = "__verifleet_check__"
_TYPE = "__verifleet_type__"
_NEVER = (SystemExit, KeyboardInterrupt, GeneratorExit)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    type(__import__("functools").partial(len)),
)
_PLAIN_TYPES: dict[str, type] = {
    t.__name__: t for t in (int, str, float, bool, list, dict, set, tuple, bytes, frozenset, complex, object)
}


class CandidateGoneError(BaseException):
    """The candidate's process ended: nothing can pass any more, whatever the test program catches."""


class CandidateError(Exception):
    """The candidate raised something that has no counterpart here."""


class NotCarriedError(BaseException):
    """The test program passes something that can't be carried to another process."""


class Judge:
    """The test program's side of the link."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.calls = self.checks = 0
        self.gone = False
        self.exports: list[Any] = []
        self.raised: list[BaseException] = []  # what functions of the test program raised when called from there
        self.passed: list[tuple[Any, dict[str, Any]]] = []  # arguments of the calls under way
        self.drawn: Any = None  # state of the random numbers that the candidate has
        self.remotes: dict[int, Remote] = {}
        self.classes: set[int] = set()  # numbers of classes that the test program itself names as such
        self.stdin: Any = None
        self.errors: dict[str, type[BaseException]] = {}
        self.remote_error: BaseException | None = None

    # --- values ---------------------------------------------------------------

    def handle(self, value: Any) -> dict[str, Any]:
        """The handle of what goes out: a Remote goes back home, functions and iterators can be called back."""
        if isinstance(value, Remote):
            return {"h": ["mine", object.__getattribute__(value, "_number"), ""]}
        if name := packages.name_of(value):
            return {"h": ["numpy", 0, name]}
        if isinstance(value, type):
            if _PLAIN_TYPES.get(value.__name__) is value:
                return {"h": ["type", 0, value.__name__]}
            raise NotCarriedError(value.__name__)
        if callable(value) and isinstance(value, _FUNCTIONS):
            return self._exported("callback", value, str(getattr(value, "__name__", "callback"))[:100])
        if hasattr(type(value), "__next__"):
            return self._exported("iterator", value)
        raise NotCarriedError(type(value).__name__)

    def _exported(self, kind: str, value: Any, name: str = "") -> dict[str, Any]:
        self.exports.append(value)
        return {"h": [kind, len(self.exports) - 1, name]}

    def import_handle(self, data: Any) -> Any:
        """The stand-in for a handle of the candidate's."""
        kind, number, name = data
        if kind == "type":
            return _PLAIN_TYPES[name]
        if kind == "numpy":
            return packages.named(name)
        if kind == "yours":
            return self.exports[number]
        if kind == "argument":  # it returned what it was given
            return self._argument(*number)
        if kind == "module":
            known = name.split(".")[0] in sys.stdlib_module_names or packages.is_offered(name)
            return importlib.import_module(name) if known else None
        if kind == "exception":
            return self.error_class(name)
        remote = self.remotes.setdefault(int(number), Remote(self, int(number), kind, str(name)))
        if kind == "iterator":
            return self._iterate(remote)
        if kind == "coroutine":
            return self._later(remote)
        return remote

    def _iterate(self, remote: Remote) -> Generator[Any, Any, Any]:
        sent = None
        while True:
            more, value = self.do("next", remote) if sent is None else self.do("send", remote, (sent,))
            if more is not True:
                return value
            sent = yield value

    def _argument(self, place: int | str, *way: int) -> Any:
        """The object of the test program's own that the candidate was given there."""
        arguments, keywords = self.passed[-1]
        found = keywords[place] if isinstance(place, str) else arguments[place]
        for index in way:
            if not isinstance(found, (list, tuple, dict)):
                raise wire.WireError("there is no such argument")
            found = list(found.values())[index] if isinstance(found, dict) else found[index]
        return found

    async def steps(self, remote: Remote) -> AsyncIterator[Any]:
        """Iterate asynchronously over an object of the candidate's."""
        iterator = self.do("aiter", remote)
        while (step := self.do("anext", iterator))[0] is True:
            yield step[1]

    async def _later(self, remote: Remote) -> Any:
        return self.do("await", remote)

    def error_class(self, names: Any) -> type[BaseException]:
        """A local exception class for the names of a remote one's bases."""
        names = [str(name) for name in names][:20]
        first = names[0] if names else ""
        known = getattr(builtins, first, None) or packages.error(first)
        if isinstance(known, type) and issubclass(known, BaseException):
            return CandidateError if issubclass(known, _NEVER) else known
        if first not in self.errors:
            base = self.error_class(names[1:]) if len(names) > 1 else CandidateError
            base = base if issubclass(base, Exception) else CandidateError
            text = {"__str__": lambda error: str(getattr(error, "remote_text", error.args))}
            self.errors[first] = type(first, (base,), text)
        return self.errors[first]

    # --- talk -----------------------------------------------------------------

    def do(self, operation: str, target: Any, arguments: Any = (), keywords: Any = None) -> Any:
        """Have the candidate do something; its exceptions are raised here as the same kind."""
        if self.gone:
            raise CandidateGoneError
        keywords = keywords or {}
        if operation == "call" and self.job.get("seeded"):
            self._share_random()
        self.calls += 1
        self.passed.append((arguments, keywords))
        try:
            return self._done(operation, target, arguments, keywords)
        finally:
            self.passed.pop()

    def _done(self, operation: str, target: Any, arguments: Any, keywords: dict[str, Any]) -> Any:
        try:
            link.send(("do", operation, target, list(arguments), keywords, self._typed()), self.handle)
        except wire.WireError as error:
            raise NotCarriedError(str(error)) from None
        except link.LinkLostError:
            self.gone = True
            raise CandidateGoneError from None
        try:
            while (message := link.receive(self.import_handle))[0] == "ask":
                self._serve(message[1], message[2])
            return self._own(target, self._reply(message, arguments, keywords))
        except (link.LinkLostError, wire.WireError, ValueError, TypeError, KeyError, IndexError) as error:
            if getattr(error, "remote", False) or any(error is known for known in self.raised):
                raise
            self.gone = True
            raise CandidateGoneError from None

    def _reply(self, message: Any, arguments: Any, keywords: dict[str, Any]) -> Any:
        if message[0] == "ok":
            _, value, *rest = message
            self._settle(arguments, keywords, *rest)
            return value
        _, names, text, values, attributes, *rest = message
        self._settle(arguments, keywords, *rest)
        number = attributes.pop("judges_number", None)
        if type(number) is int:
            raise self.raised[number]
        kind = self.error_class(names)
        try:
            error = kind(*values) if values else kind(text) if text else kind()
        except Exception:  # noqa: BLE001 - some exceptions want other arguments
            error = CandidateError(f"{kind.__name__}: {text}")
        error.__dict__.update({str(name): value for name, value in attributes.items()}, remote=True, remote_text=text)
        self.remote_error = error
        raise error

    def _share_random(self) -> None:
        """Let the candidate draw what it would draw in this process: the test program seeds."""
        state = packages.random_state()
        if state != self.drawn:
            self.drawn = state
            self.do("random", None, (state,))

    def _typed(self) -> str | None:
        """What a test program has put in place of stdin for the solution to read."""
        if sys.stdin is self.stdin or not hasattr(sys.stdin, "read"):
            return None
        return str(sys.stdin.read())

    def _own(self, target: Any, value: Any) -> Any:
        """Objects that the test program made of a class it names, and what they give, may have operators."""
        if isinstance(value, Remote) and isinstance(target, Remote) and (target._own or target._number in self.classes):
            object.__setattr__(value, "_own", True)
        return value

    def _settle(
        self, arguments: Any, keywords: dict[str, Any], changed: dict[Any, Any], printed: str, unread: str | None
    ) -> None:
        for key, value in changed.items():
            _refresh(keywords[key] if isinstance(key, str) else arguments[key], value)
        if printed:
            sys.stdout.write(str(printed))
        if unread is not None:
            sys.stdin = io.StringIO(str(unread))

    def _serve(self, operation: str, arguments: Any) -> None:
        """Call a function of the test program's for the candidate."""
        try:
            target = self.exports[arguments[0]]
            if operation == "next":
                try:
                    value: Any = (True, next(target))
                except StopIteration:
                    value = (False, None)
            else:
                value = target(*arguments[1], **arguments[2])
            reply: tuple[Any, ...] = ("ok", value)
        except Exception as error:  # noqa: BLE001 - goes back to the one who called
            self.raised.append(error)
            reply = ("err", [base.__name__ for base in type(error).__mro__], "", [], len(self.raised) - 1)
        link.send(reply, self.handle)

    # --- the test program -------------------------------------------------------

    def namespace(self) -> dict[str, Any]:
        """Globals for the test program: what it needs of the solution, checks counted."""
        wanted = [*self.job["names"], *filter(None, (self.job.get("entry_point"),))]
        answer = self.do("names", self.job.get("all_names", False), wanted)
        found, last = dict(answer["found"]), answer["last"]
        self.entry_point = found.get(self.job.get("entry_point") or last)
        if self.entry_point is None and last:
            self.entry_point = self.do("names", False, [last])["found"].get(last)
        # Only a name that reads like a class may bring operators along: no function's result becomes an object by it.
        self.classes = {
            value._number
            for name, value in found.items()
            if isinstance(value, Remote) and value._kind == "class" and name[:1].isupper()
        }
        kept = {name: value for name, value in found.items() if not hasattr(builtins, name)}
        if "candidate" in self.job["names"] and "candidate" not in kept and self.entry_point is not None:
            kept["candidate"] = self.entry_point
        self.calls = 0
        solution = types.ModuleType("solution")
        solution.__dict__.update(found)
        shim.install(self.job.get("modules", ()), solution)
        return kept

    def run(self) -> dict[str, Any]:
        """Run the whole test program; the report never holds anything of it."""
        namespace = runner.fresh_main(runner.ready_streams())
        sys.stdin = self.stdin = io.TextIOWrapper(io.BytesIO(b""))
        namespace.update(self.namespace())
        return run_test_program(self, namespace, self.job)


def _refresh(old: Any, new: Any) -> None:
    """Carry the candidate's changes of an argument back into the test program's own object."""
    if isinstance(old, list) and isinstance(new, list):
        kept = list(old)
        old[:] = new
        for index, (before, after) in enumerate(zip(kept, new, strict=False)):
            if type(before) is type(after) and isinstance(before, (list, dict, set)):
                _refresh(before, after)
                old[index] = before
    elif isinstance(old, dict) and isinstance(new, dict):
        kept_items = dict(old)
        old.clear()
        for key, value in new.items():
            before = kept_items.get(key)
            if type(before) is type(value) and isinstance(before, (list, dict, set)):
                _refresh(before, value)
                value = before
            old[key] = value
    elif isinstance(old, set) and isinstance(new, set):
        old.clear()
        old.update(new)
    elif isinstance(old, bytearray) and isinstance(new, bytearray):
        old[:] = new
    elif wire.is_array(old) and wire.is_array(new) and old.shape == new.shape:
        old[...] = new


class Remote:
    """An object of the candidate's. Attributes, calls, items and iteration give values; operators need two Remotes."""

    __slots__ = ("_judge", "_kind", "_number", "_own", "_title")

    def __init__(self, judge: Judge, number: int, kind: str, title: str) -> None:
        object.__setattr__(self, "_judge", judge)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_title", title)
        object.__setattr__(self, "_own", False)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it, over there."""
        return self._judge.do("call", self, arguments, keywords)

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__"):
            return self._title
        if (name in _YES_OR_NO and not self._own) or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(name)
        return self._judge.do("getattr", self, (name,))

    def __setattr__(self, name: str, value: Any) -> None:
        self._judge.do("setattr", self, (name, value))

    def __getitem__(self, key: Any) -> Any:
        return self._judge.do("getitem", self, (key,))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._judge.do("setitem", self, (key, value))

    def __delitem__(self, key: Any) -> None:
        self._judge.do("delitem", self, (key,))

    def __len__(self) -> int:
        return int(self._judge.do("len", self))

    def __iter__(self) -> Iterator[Any]:
        found = self._judge.do("iter", self)
        return found if isinstance(found, types.GeneratorType) else iter(())

    def __aiter__(self) -> AsyncIterator[Any]:
        steps: AsyncIterator[Any] = self._judge.steps(self)
        return steps

    def __str__(self) -> str:
        return str(self._judge.do("str", self))

    def __repr__(self) -> str:
        return str(self._judge.do("repr", self))

    def __bool__(self) -> bool:
        return self._judge.do("bool", self) is True if self._own else True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Remote):
            # Compared here, as plain data, whatever the object's own methods say.
            return self._kind == "sub" and bool(self._judge.do("base", self) == other)
        return self._number == other._number or self._judge.do("eq", self, (other,)) is True

    def __hash__(self) -> int:
        return hash(self._judge.do("hash", self) if self._own else self._number)

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, Remote) and self._judge.do("isinstance", self, (instance,)) is True

    def __subclasscheck__(self, subclass: object) -> bool:
        return isinstance(subclass, Remote) and self._judge.do("issubclass", self, (subclass,)) is True

    def __enter__(self) -> Any:
        return self._judge.do("enter", self)

    def __exit__(self, *_: object) -> None:
        self._judge.do("exit", self)

    def __copy__(self) -> Any:
        return self._judge.do("copy", self)

    def __deepcopy__(self, memo: object) -> Any:
        return self._judge.do("deepcopy", self)

    def __contains__(self, item: object) -> bool:
        if self._own:
            return self._judge.do("operator", self, ("contains", item)) is True
        return any(other == item for other in self)


def _operator(name: str, *, swapped: bool = False) -> Callable[..., Any]:
    def operate(self: Remote, *others: Any) -> Any:
        if not self._own:
            if others:
                return NotImplemented
            raise TypeError("a value that can't be carried has no operators")
        return self._judge.do("reversed" if swapped else "operator", self, (name, *others))

    return operate


def _converter(name: str) -> Callable[..., Any]:
    def convert(self: Remote, *arguments: Any) -> Any:
        if not self._own:
            raise TypeError("a value that can't be carried is no number")
        return self._judge.do(name, self, arguments)

    return convert


for _name in (
    "lt",
    "le",
    "gt",
    "ge",
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and",
    "or",
    "xor",
    "matmul",
):
    _known = f"{_name}_" if _name in ("and", "or") else _name
    setattr(Remote, f"__{_name}__", _operator(_known))
    if _name not in ("lt", "le", "gt", "ge"):
        setattr(Remote, f"__r{_name}__", _operator(_known, swapped=True))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Remote, f"__{_name}__", _operator(_name))
for _name in ("int", "float", "round"):
    setattr(Remote, f"__{_name}__", _converter(_name))
Remote.__doc__ = property(lambda self: self._judge.do("getattr", self, ("__doc__",)))  # type: ignore[assignment]


# --- running a test program -----------------------------------------------------


class _Counting(ast.NodeTransformer):
    """Count every assert that is reached; ask for types in a way that knows of stand-ins."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Put a counting call before the assert."""
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name(_CHECK, ast.Load()), [], []))
        return [ast.copy_location(call, node), node]

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """type(x) of a stand-in is the stand-in of its class."""
        self.generic_visit(node)
        asks = isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1 and not node.keywords
        if asks:
            node.func = ast.copy_location(ast.Name(_TYPE, ast.Load()), node.func)
        return node


def type_of(value: Any) -> Any:
    """The type of a value; for a stand-in its class's, which is never a type of this process."""
    if type(value) is not Remote:
        return type(value)
    kind = value._judge.do("getattr", value, ("__class__",))
    return kind if isinstance(kind, Remote) else Remote


def run_test_program(judge: Any, namespace: dict[str, Any], job: dict[str, Any]) -> dict[str, Any]:
    """Execute it, then what it defines but does not run itself; report outcome, error names, counts."""

    def count() -> None:
        judge.checks += 1

    namespace[_CHECK], namespace[_TYPE] = count, type_of
    failed = shim.count_unittests(count)
    try:
        tree = _Counting().visit(ast.parse(job["test_code"], "test.py"))
        code = compile(ast.fix_missing_locations(tree), "test.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"outcome": "broken", "error": type(error).__name__}
    try:
        _guarded(lambda: exec(code, namespace))  # noqa: S102 - this is the jail
        if job.get("call_check") and judge.entry_point is not None:
            _guarded(lambda: namespace["check"](judge.entry_point))
        session = pytest_shim.Session(namespace, count)
        _guarded(lambda: session.run(job.get("test_functions", ()), job.get("plain_classes", ())))
        if job.get("test_classes"):
            shim.run_classes(namespace, job["test_classes"])
        if failed:
            raise shim.TestsFailedError
    except BaseException as error:  # noqa: BLE001 - every way to end is an outcome
        report = _reported(judge, error)
    else:
        report = {"outcome": "passed"}
    if getattr(judge, "gone", False):
        report = {"outcome": "gone"}
    if report["outcome"] == "passed" and judge.checks + judge.calls == 0:
        report = {"outcome": "unchecked"}
    return {**report, "checks": judge.checks, "calls": judge.calls}


def _guarded(step: Callable[[], Any]) -> None:
    """Run a step of the test program; unittest.main() leaves by SystemExit, true in `code` for failures."""
    try:
        step()
    except SystemExit as error:
        if error.code not in (None, 0, False):
            raise shim.TestsFailedError from None


def _reported(judge: Any, error: BaseException) -> dict[str, Any]:
    """The outcome for an exception that ended the test program; messages only if they are the candidate's own."""
    if isinstance(error, CandidateGoneError):
        return {"outcome": "gone"}
    if isinstance(error, NotCarriedError):
        return {"outcome": "not_carried", "error": str(error)}
    remote = getattr(error, "remote", False)
    if isinstance(error, ModuleNotFoundError) and not remote:
        return {"outcome": "missing_module", "error": str(error.name)}
    if isinstance(error, (AssertionError, shim.TestsFailedError)) and not remote:
        last = getattr(judge, "remote_error", None)
        if isinstance(error, shim.TestsFailedError) and last is not None:
            return {"outcome": "exception", "error": type(last).__name__, "message": runner.shortened(str(last))}
        return {"outcome": "wrong_output"}
    if isinstance(error, MemoryError):
        return {"outcome": "memory"}
    message = ""
    if remote:
        with contextlib.suppress(Exception):
            message = runner.shortened(str(error))
    if isinstance(error, NameError) and not remote and error.name in set(judge.job.get("names", ())):
        message = f"{error.name} is not defined by the program"  # the name is the task's, not an expected value
    return {"outcome": "exception", "error": type(error).__name__, "message": message}


def run(job: dict[str, Any]) -> None:
    """Wait for the candidate to load, then judge it."""
    judge = Judge(job)
    try:
        if link.receive() != ("ready",):
            raise link.LinkLostError
        report = judge.run()
    except (link.LinkLostError, wire.WireError, CandidateGoneError):
        report = {"outcome": "gone"}
    runner.send(report)
    runner.leave()
