"""JSON by RFC 8259, strictly: a fast yes or no, and the exact first fault when it is no.

The standard parser with hooks decides; only when it refuses does a scanner of our own walk the text again
to name the rule, the place and the path (a JSON Pointer). Caps on depth and on the number of parts keep any
text of many megabytes within a second and a bounded memory.
"""

from __future__ import annotations

import gc
import json
import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final

from verifleet.verifiers.format.fault import Fault, shown

MAX_DEPTH: Final = 512
MAX_PARTS: Final = 2_500_000  # arrays, objects and members: an ordinary 10 MB document has a million
MAX_LOCATED: Final = 2_000_000  # characters; beyond, a fault keeps the parser's own place and has no path
MAX_STEPS: Final = 100_000  # values before a fault, for the same
MAX_LINES: Final = 1_000_000  # of newline-delimited JSON

_LARGE: Final = 100_000  # characters
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")  # as signed bytes: one level down, one level up
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}:"'))
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_LONE = re.compile(rf"{_HIGH}(?!{_LOW})|(?<!{_HIGH}){_LOW}")
_key = itemgetter(0)
# The standard parser's messages, for faults that are too far into a text to walk there.
_RULES: Final = {
    "Expecting ',' delimiter": "comma",
    "Expecting ':' delimiter": "colon",
    "Expecting property name enclosed in double quotes": "key",
    "Expecting value": "value",
    "Invalid control character at": "control_character",
    "Invalid \\escape": "escape",
    "Invalid \\escape: ": "escape",
    "Invalid \\uXXXX escape": "escape",
    "Unterminated string starting at": "unclosed",
}
_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING_BODY = re.compile(r'(?:[^"\\\x00-\x1f\ud800-\udfff]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.0-9a-zA-Z_]*+")
_WORD = re.compile(r"[A-Za-z_$][\w$]*+")
_LITERALS = {"true", "false", "null"}
_CONSTANTS = {"NaN", "Infinity"}


class _RuleError(ValueError):
    """A rule beyond the standard parser's is broken."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RuleError("duplicate_key")
    return members


def _no_constant(name: str) -> Any:
    raise _RuleError("constant")


def _checked(pairs: list[tuple[str, Any]]) -> None:
    """For a mere verdict the object itself is not kept, which saves most of its time and memory."""
    count = len(pairs)
    if count > 1 and (len(dict(pairs)) if count < 1_000 else len(set(map(_key, pairs)))) != count:
        raise _RuleError("duplicate_key")


def _scanner(hook: Any, parse_int: Any = None) -> Any:
    """A strict decoder's way in without its two searches for white space: the text is trimmed."""
    decoder: Any = json.JSONDecoder(object_pairs_hook=hook, parse_constant=_no_constant, parse_int=parse_int)
    return decoder.scan_once


# Python limits the digits of an int; RFC 8259 does not, so where that is met a second scanner reads them otherwise.
_VALUES: Final = (_scanner(_unique), _scanner(_unique, Decimal))
_VERDICT: Final = (_scanner(_checked), _scanner(_checked, Decimal))


def parse(text: str) -> Any:
    """Decode a trimmed JSON text; raises ValueError or RecursionError where it is not strict JSON."""
    return _scanned(text, _VALUES)


def accept(text: str) -> None:
    """Raise ValueError or RecursionError where a trimmed text is not strict JSON."""
    _scanned(text, _VERDICT)


def _scanned(text: str, scanners: tuple[Any, Any]) -> Any:
    if len(text) <= _LARGE:
        return _strict(text, scanners)
    with without_collections():
        return _strict(text, scanners)


def _strict(text: str, scanners: tuple[Any, Any]) -> Any:
    # A shorter text can't close that many brackets, so it is refused anyway.
    if len(text) > 2 * MAX_DEPTH:
        check_caps(text)
    try:
        value, end = scanners[0](text, 0)
    except StopIteration as stop:
        raise json.JSONDecodeError("Expecting value", text, stop.value) from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if isinstance(error, _RuleError):
            raise
        value, end = scanners[1](text, 0)
    if end != len(text):
        raise _RuleError("end")
    if not text.isascii():
        text.encode()
    if "\\u" in text and lone_surrogate(text) is not None:
        raise _RuleError("lone_surrogate")
    return value


@contextmanager
def without_collections() -> Iterator[None]:
    """No cyclic garbage collection meanwhile.

    What a parser builds has no cycles, and looking for them is most of the time it takes for a million lists.
    Reference counts free it all the same.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def check_json(text: str) -> Fault | None:
    """The first fault of a trimmed text as JSON."""
    try:
        accept(text)
    except (ValueError, RecursionError) as error:
        return _explained(text, error)
    return None


def read(text: str) -> tuple[Any, Fault | None]:
    """Decode a trimmed text: its value, or its first fault."""
    try:
        return parse(text), None
    except (ValueError, RecursionError) as error:
        return None, _explained(text, error)


def _explained(text: str, error: Exception) -> Fault:
    rule = str(error.args[0]) if isinstance(error, _RuleError) else ""
    if rule == "parts":
        message = f"There are more than {MAX_PARTS} arrays, objects and members; so large a document is not read."
        return Fault(rule, message, kind="undecided")
    if len(text) <= MAX_LOCATED:
        fault = _Scanner(text).run()
        if fault is not None:
            return fault
    if isinstance(error, json.JSONDecodeError):
        rule = _RULES.get(error.msg, "syntax")
    elif isinstance(error, RecursionError):
        rule = "depth"
    offset = getattr(error, "pos", getattr(error, "start", None))
    return Fault(rule or "syntax", f"This is not strict JSON: {shown(str(error))}.", offset)


def check_caps(text: str) -> None:
    """Raise ValueError where a text nests too deeply or has too many parts; at the speed of C."""
    brackets = text.count("[") + text.count("{")
    if brackets <= MAX_DEPTH and brackets + text.count(":") <= MAX_PARTS:
        return
    marks = _marks(text)
    brackets = marks.count(b"[") + marks.count(b"{")
    if brackets + marks.count(b":") > MAX_PARTS:
        raise _RuleError("parts")
    if brackets > MAX_DEPTH:
        steps = array("b", marks.translate(_STEPS, b":"))
        if max(accumulate(steps), default=0) > MAX_DEPTH:
            raise _RuleError("depth")


def _marks(text: str) -> bytes:
    """The brackets and colons of a text that stand outside of strings."""
    if "\\" in text:
        text = text.replace("\\\\", "").replace('\\"', "")
    marks = text.encode("utf-8", "replace").translate(None, _NO_MARKS)
    return b"".join(marks.split(b'"')[::2])


def lone_surrogate(text: str) -> int | None:
    """The offset of the first escape of a surrogate without its other half."""
    found = _LONE.search(text.replace("\\\\", "  "))  # what is left of backslashes begins an escape
    return None if found is None else found.start()


# --- the exact first fault ----------------------------------------------------


class _FoundError(Exception):
    def __init__(self, rule: str, message: str, offset: int) -> None:
        super().__init__(message)
        self.rule, self.message, self.offset = rule, message, offset


class _TooFarError(Exception):
    """What is looked for stands behind more values than are worth walking."""


class _Frame:
    """An open array or object: where we are in it."""

    __slots__ = ("closer", "index", "key", "keys")

    def __init__(self, closer: str) -> None:
        self.closer = closer
        self.index = 0
        self.key = ""
        self.keys: set[str] = set()

    def step(self) -> str:
        return str(self.index) if self.closer == "]" else self.key


class _Scanner:
    """Walks a JSON text without recursion up to its first fault, or up to a wanted path."""

    def __init__(self, text: str, wanted: tuple[str, ...] | None = None) -> None:
        self.text = text
        self.at = 0
        self.frames: list[_Frame] = []
        self.wanted = wanted
        self.reached: int | None = None
        self.steps = 0

    def run(self) -> Fault | None:
        try:
            self._document()
        except _TooFarError:
            return None
        except _FoundError as found:
            return Fault(found.rule, found.message, found.offset, pointer([frame.step() for frame in self.frames]))
        return None

    def _document(self) -> None:
        self._space()
        if self.at == len(self.text):
            raise _FoundError("empty", "There is no JSON value: the text is empty.", self.at)
        opened = self._value()
        while opened or self.frames:
            opened = self._member() if opened else self._after_value()
            if self.reached is not None:
                return
        self._space()
        if self.at < len(self.text):
            raise _FoundError("trailing_text", "Text follows the end of the JSON value.", self.at)

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        if match is not None:
            self.at = match.end()

    def _peek(self) -> str:
        if self.at >= len(self.text):
            if not self.frames:
                raise _FoundError("value", "A value is missing at the end.", self.at)
            what = "array" if self.frames[-1].closer == "]" else "object"
            raise _FoundError("unclosed", f"The text ends inside an {what}.", self.at)
        return self.text[self.at]

    def _value(self) -> bool:
        """Read a value, or the opening of one (True)."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise _TooFarError
        self._space()
        if self.wanted is not None and tuple(frame.step() for frame in self.frames) == self.wanted:
            self.reached = self.at
            return False
        first = self._peek()
        if first in "[{":
            if len(self.frames) >= MAX_DEPTH:
                raise _FoundError("depth", f"The nesting is deeper than {MAX_DEPTH} levels.", self.at)
            self.frames.append(_Frame("]" if first == "[" else "}"))
            self.at += 1
            return True
        if first == '"':
            self._string()
        else:
            self._scalar(first)
        return False

    def _member(self) -> bool:
        """Read what follows an opening bracket."""
        self._space()
        frame = self.frames[-1]
        if self._peek() == frame.closer:
            return self._close()
        return self._element(frame)

    def _element(self, frame: _Frame) -> bool:
        if frame.closer == "}":
            self._key(frame)
        return self._value()

    def _after_value(self) -> bool:
        """Read what follows a value inside a container: a comma and the next member, or the end."""
        self._space()
        frame = self.frames[-1]
        found = self._peek()
        if found == frame.closer:
            return self._close()
        if found != ",":
            self._no_comment()
            raise _FoundError("comma", f"Expected ',' or '{frame.closer}', found {found!r}.", self.at)
        comma = self.at
        self.at += 1
        self._space()
        if self._peek() == frame.closer:
            raise _FoundError("trailing_comma", f"A comma stands before '{frame.closer}'.", comma)
        frame.index += 1
        return self._element(frame)

    def _close(self) -> bool:
        self.frames.pop()
        self.at += 1
        return False

    def _key(self, frame: _Frame) -> None:
        start = self.at
        found = self._peek()
        if found != '"':
            self._no_comment()
            rule = "single_quotes" if found == "'" else "key"
            raise _FoundError(rule, f"An object's key must be a string in double quotes, found {found!r}.", start)
        key = self._string()
        if key in frame.keys:
            frame.key = key
            raise _FoundError("duplicate_key", f"The key {shown(json.dumps(key), 60)} stands twice.", start)
        frame.keys.add(key)
        frame.key = key
        self._space()
        if self._peek() != ":":
            raise _FoundError("colon", f"Expected ':' after the key, found {self.text[self.at]!r}.", self.at)
        self.at += 1

    def _string(self) -> str:
        start = self.at
        match = _STRING_BODY.match(self.text, start + 1)
        end = match.end() if match is not None else start + 1
        if end >= len(self.text):
            raise _FoundError("unclosed", "The text ends inside a string.", end)
        stop = self.text[end]
        if stop == "\\":
            raise _FoundError("escape", f"{shown(self.text[end : end + 2])!r} is not an escape of JSON.", end)
        if stop < " ":
            raise _FoundError("control_character", f"The control character {stop!r} must be escaped.", end)
        if stop != '"':
            raise _FoundError("lone_surrogate", "A surrogate stands without its other half.", end)
        raw = self.text[start : end + 1]
        if "\\u" in raw:
            lone = lone_surrogate(raw)
            if lone is not None:
                raise _FoundError("lone_surrogate", "A surrogate stands without its other half.", start + lone)
        self.at = end + 1
        return str(json.loads(raw)) if "\\" in raw else raw[1:-1]

    def _scalar(self, first: str) -> None:
        word = _WORD.match(self.text, self.at)
        if word is not None:
            return self._word(word[0], self.at)
        if first in "-+.0123456789":
            return self._number(first)
        self._no_comment()
        if first == "'":
            raise _FoundError("single_quotes", "A string must stand in double quotes.", self.at)
        if first == "\ufeff":
            raise _FoundError("byte_order_mark", "A byte order mark stands before the value.", self.at)
        if "\ud800" <= first <= "\udfff":
            raise _FoundError("lone_surrogate", "A surrogate stands without its other half.", self.at)
        raise _FoundError("value", f"Expected a value, found {first!r}.", self.at)

    def _word(self, word: str, start: int) -> None:
        if word in _LITERALS:
            self.at += len(word)
            return
        if word in _CONSTANTS:
            raise _FoundError("constant", f"{word} is not a JSON number.", start)
        raise _FoundError("value", f"Expected a value, found {shown(word, 40)!r}.", start)

    def _number(self, first: str) -> None:
        if self.text.startswith("-Infinity", self.at):
            raise _FoundError("constant", "-Infinity is not a JSON number.", self.at)
        match = _NUMBER.match(self.text, self.at)
        like = _NUMBER_LIKE.match(self.text, self.at)
        end = match.end() if match is not None else self.at
        if match is None or (like is not None and like.end() > end):
            token = shown(like[0] if like is not None else first, 40)
            raise _FoundError("number", f"{token!r} is not a JSON number.", end)
        self.at = end

    def _no_comment(self) -> None:
        if self.text.startswith(("//", "/*", "#"), self.at):
            raise _FoundError("comment", "JSON has no comments.", self.at)


def pointer(steps: list[str] | list[str | int] | tuple[str | int, ...]) -> str:
    """A JSON Pointer (RFC 6901) of the steps from the root."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def offset_at(text: str, path: list[str | int]) -> int | None:
    """Where the value at `path` begins in a valid JSON text; None if that is too far to walk."""
    if len(text) > MAX_LOCATED:
        return None
    scanner = _Scanner(text, tuple(str(step) for step in path))
    scanner.run()
    return scanner.reached


def check_ndjson(text: str) -> Fault | None:
    """The first fault of newline-delimited JSON: one value a line, an empty line only at the end."""
    return _lines(text, check_json, [])


def read_ndjson(text: str) -> tuple[list[tuple[int, str, Any]], Fault | None]:
    """Decode newline-delimited JSON: (offset, line, value) of each line, and the first fault."""
    values: list[Any] = []
    places: list[tuple[int, str]] = []

    def kept(body: str) -> Fault | None:
        value, fault = read(body)
        values.append(value)
        return fault

    fault = _lines(text, kept, places)
    return [(*place, value) for place, value in zip(places, values, strict=False)], fault


def _lines(text: str, check: Callable[[str], Fault | None], places: list[tuple[int, str]]) -> Fault | None:
    """Check each line and note where it begins; the first fault."""
    if text.count("\n") > MAX_LINES:
        return Fault("lines", f"There are more than {MAX_LINES} lines; so many are not read.", kind="undecided")
    try:
        check_caps(text)
    except ValueError as error:
        if str(error) == "parts":
            return _explained(text, error)
        # Else the line that nests too deeply, or a fault before it, is found below.
    start = 0
    with without_collections():
        for number, line in enumerate(text.split("\n")):
            body = line.strip(" \t\r")
            if not body:
                return Fault("empty_line", f"Line {number + 1} is empty; each line holds one value.", start)
            begin = start if line[0] == body[0] else start + line.index(body[0])
            fault = check(body)
            if fault is not None:
                place = None if fault.offset is None else begin + fault.offset
                path = f"/{number}{fault.path or ''}"
                return Fault(fault.rule, f"Line {number + 1}: {fault.message}", place, path, fault.kind)
            places.append((begin, body))
            start += len(line) + 1
    return None
