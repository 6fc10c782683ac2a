"""JSON by RFC 8259, strictly: a fast yes or no, and the exact first fault when it is no.

The standard parser with hooks decides; only when it refuses does a scanner of our own walk the text again
to name the rule, the place and the path (a JSON Pointer).
"""

from __future__ import annotations

import json
import re
from array import array
from decimal import Decimal
from itertools import accumulate
from typing import Any, Final

from verifleet.verifiers.format.fault import Fault, shown

MAX_DEPTH: Final = 512
MAX_LOCATED: Final = 2_000_000  # characters; beyond, a fault keeps the parser's own place and has no path
MAX_LINES: Final = 300_000  # of newline-delimited JSON

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")  # as signed bytes: one level down, one level up
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class _RuleError(ValueError):
    """A rule beyond the standard parser's is broken."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RuleError("duplicate_key")
    return members


def _no_constant(name: str) -> Any:
    raise _RuleError("constant")


_STRICT: Any = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_SCAN = _STRICT.scan_once  # decode() without its two searches for white space: the text is trimmed
# Python limits the digits of an int; RFC 8259 does not.
_LONG: Any = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=Decimal)


def parse(text: str) -> Any:
    """Decode a trimmed JSON text; raises ValueError or RecursionError where it is not strict JSON."""
    # A shorter text can't close that many brackets, so it is refused anyway.
    if len(text) > 2 * MAX_DEPTH and text.count("[") + text.count("{") > MAX_DEPTH and _deeper_than(text, MAX_DEPTH):
        raise _RuleError("depth")
    try:
        value, end = _SCAN(text, 0)
    except StopIteration:
        raise _RuleError("value") from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if isinstance(error, _RuleError):
            raise
        value, end = _LONG.scan_once(text, 0)
    if end != len(text):
        raise _RuleError("end")
    if not text.isascii():
        text.encode()
    if "\\u" in text and _SURROGATE_ESCAPE.search(text) and lone_surrogate(text) is not None:
        raise _RuleError("lone_surrogate")
    return value


def check_json(text: str) -> Fault | None:
    """The first fault of a trimmed text as JSON."""
    return read(text)[1]


def read(text: str) -> tuple[Any, Fault | None]:
    """Decode a trimmed text: its value, or its first fault."""
    try:
        return parse(text), None
    except (ValueError, RecursionError) as error:
        return None, _explained(text, error)


def _explained(text: str, error: Exception) -> Fault:
    if len(text) <= MAX_LOCATED:
        fault = _Scanner(text).run()
        if fault is not None:
            return fault
    offset = getattr(error, "pos", getattr(error, "start", None))
    return Fault("syntax", f"This is not strict JSON: {shown(str(error))}.", offset)


def _deeper_than(text: str, limit: int) -> bool:
    """Whether brackets outside of strings nest deeper; at the speed of C, for documents of many megabytes."""
    if '"' in text:
        text = _STRING.sub("", text)
    steps = array("b", text.encode("utf-8", "replace").translate(_STEPS, _NO_BRACKETS))
    return max(accumulate(steps), default=0) > limit


def lone_surrogate(text: str) -> int | None:
    """The offset of the first escape of a surrogate without its other half."""
    high: re.Match[str] | None = None
    for escape in _ESCAPE.finditer(text):
        code = int(escape[1] or "0", 16)
        paired = high is not None and high.end() == escape.start() and 0xDC00 <= code <= 0xDFFF
        if high is not None and not paired:
            return high.start()
        if paired:
            high = None
        elif 0xDC00 <= code <= 0xDFFF:
            return escape.start()
        elif 0xD800 <= code <= 0xDBFF:
            high = escape
    return None if high is None else high.start()


# --- the exact first fault ----------------------------------------------------

_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING_BODY = re.compile(r'(?:[^"\\\x00-\x1f\ud800-\udfff]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.0-9a-zA-Z_]*+")
_WORD = re.compile(r"[A-Za-z_$][\w$]*+")
_LITERALS = {"true", "false", "null"}
_CONSTANTS = {"NaN", "Infinity"}


class _FoundError(Exception):
    def __init__(self, rule: str, message: str, offset: int) -> None:
        super().__init__(message)
        self.rule, self.message, self.offset = rule, message, offset


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

    def run(self) -> Fault | None:
        try:
            self._document()
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
    """Where the value at `path` begins in a valid JSON text; None if the text is too long to walk."""
    if len(text) > MAX_LOCATED:
        return None
    scanner = _Scanner(text, tuple(str(step) for step in path))
    scanner.run()
    return scanner.reached


def check_ndjson(text: str) -> Fault | None:
    """The first fault of newline-delimited JSON: one value a line, an empty line only at the end."""
    return read_ndjson(text)[1]


def read_ndjson(text: str) -> tuple[list[tuple[int, str, Any]], Fault | None]:
    """Decode newline-delimited JSON: (offset, line, value) of each line, and the first fault."""
    values: list[tuple[int, str, Any]] = []
    offset = 0
    if text.count("\n") > MAX_LINES:
        return values, Fault("lines", f"There are more than {MAX_LINES} lines.", kind="undecided")
    for number, line in enumerate(text.split("\n")):
        body = line.strip(" \t\r")
        start = offset + (len(line) - len(line.lstrip(" \t\r")))
        offset += len(line) + 1
        if not body:
            return values, Fault("empty_line", f"Line {number + 1} is empty; each line holds one value.", start)
        value, fault = read(body)
        if fault is not None:
            place = None if fault.offset is None else start + fault.offset
            path = f"/{number}{fault.path or ''}"
            return values, Fault(fault.rule, f"Line {number + 1}: {fault.message}", place, path)
        values.append((start, body, value))
    return values, None
