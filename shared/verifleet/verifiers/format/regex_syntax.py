r"""The syntax of ECMA-262 regular expressions.

A pattern is valid if the main grammar takes it, with or without the flag `u`. Annex B's leniency for old web
pages (stray braces, `\a`, `\Z`, octal escapes, ranges over classes) is not granted: there a typing error
would count as a pattern that means something else.
"""

from __future__ import annotations

import re
from typing import Final

from verifleet.verifiers.format.fault import Fault, shown
from verifleet.verifiers.format.unicode_properties import BINARY, GENERAL_CATEGORIES, SCRIPTS

MAX_LENGTH: Final = 20_000  # characters; a pattern for use is far shorter

_QUANTIFIER = re.compile(r"(?:[*+?]|\{(?P<low>[0-9]+)(?P<to>,(?P<high>[0-9]*))?\})\??")
_GROUP_OPEN = re.compile(
    r"\((?:\?(?::|(?P<look><?[=!])|<(?P<name>[^>]*)>|(?P<on>[ims]*)(?P<minus>-)?(?P<off>[ims]*):))?"
)
_DECIMAL = re.compile(r"[1-9][0-9]*")
_PROPERTY = re.compile(r"\{(?:(?P<key>[A-Za-z_]+)=)?(?P<value>[A-Za-z0-9_]+)\}")
_NAME_ESCAPE = re.compile(
    r"\\u(?:\{(?P<code>[0-9A-Fa-f]+)\}|(?P<pair>[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2})"
    "|(?P<hex>[0-9A-Fa-f]{4}))"
)
_HEX2, _HEX4 = re.compile(r"[0-9A-Fa-f]{2}"), re.compile(r"[0-9A-Fa-f]{4}")
_CODE_POINT = re.compile(r"\{([0-9A-Fa-f]+)\}")
_BACK_NAME = re.compile(r"<([^>]*)>")
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|")
_CONTROL: Final = dict(zip("fnrtv", "\f\n\r\t\v", strict=True))
_HIGHEST: Final = 0x10FFFF


class _FoundError(Exception):
    def __init__(self, rule: str, message: str, at: int) -> None:
        super().__init__(message)
        self.fault = Fault(rule, message, at)


def check_regex(text: str) -> Fault | None:
    """The first fault of a trimmed text as a pattern of ECMA-262."""
    if not text:
        return Fault("empty", "There is no pattern: the text is empty.", 0)
    if len(text) > MAX_LENGTH:
        return Fault("length", f"The pattern is longer than {MAX_LENGTH} characters.", MAX_LENGTH)
    if text.startswith("```"):
        return Fault("fence", "The pattern stands in a fenced block; options.extract takes it out.", 0)
    faults = []
    for unicode_mode in (True, False):
        try:
            _Pattern(text, unicode_mode).read()
        except _FoundError as error:
            faults.append(error.fault)
        else:
            return None
    return max(faults, key=lambda fault: fault.offset or 0)


class _Group:
    """An open group: the names that may take part together with what follows in it, and all its names."""

    __slots__ = ("all", "at", "current", "look")

    def __init__(self, at: int, look: bool) -> None:
        self.at = at
        self.look = look
        self.current: set[str] = set()
        self.all: set[str] = set()


class _Pattern:
    """Reads a pattern from left to right; open groups are a list, so that nesting needs no recursion."""

    def __init__(self, text: str, unicode_mode: bool) -> None:
        self.text = text
        self.at = 0
        self.unicode = unicode_mode
        self.groups = [_Group(0, False)]
        self.captures = 0
        self.names: set[str] = set()
        self.numbers: list[tuple[int, int]] = []
        self.references: list[tuple[str, int]] = []

    def read(self) -> None:
        """Read it all; raises _FoundError at the first fault."""
        while self.at < len(self.text):
            self._term()
        if len(self.groups) > 1:
            raise _FoundError("group", "This group is never closed.", self.groups[-1].at)
        for number, at in self.numbers:
            if number > self.captures:
                raise _FoundError("back_reference", f"There is no group {number}.", at)
        for name, at in self.references:
            if name not in self.names:
                raise _FoundError("back_reference", f"There is no group named {shown(name, 40)!r}.", at)

    def _term(self) -> None:
        character = self.text[self.at]
        if character == "|":
            group = self.groups[-1]
            group.all |= group.current
            group.current = set()
            self.at += 1
        elif character in "^$":
            self.at += 1
            self._no_quantifier("An assertion")
        elif character == "(":
            self._open_group()
        elif character == ")":
            self._close_group()
        else:
            assertion = self._atom(character)
            if assertion:
                self._no_quantifier("An assertion")
            else:
                self._quantifier()

    def _atom(self, character: str) -> bool:
        """Read an atom that is no group; True for the two assertions about word boundaries."""
        if character == "\\":
            if self.text[self.at + 1 : self.at + 2] in ("b", "B"):
                self.at += 2
                return True
            self._escape()
        elif character == "[":
            self._class()
        elif character in "*+?" or (character == "{" and _QUANTIFIER.match(self.text, self.at)):
            raise _FoundError("quantifier", "There is nothing to repeat.", self.at)
        elif character in "]{}":
            raise _FoundError("character", f"{character!r} must be escaped.", self.at)
        else:
            self.at += 1
        return False

    def _quantifier(self) -> None:
        match = _QUANTIFIER.match(self.text, self.at)
        if match is None:
            return
        low, high = match["low"], match["high"]
        if high and (len(low.lstrip("0")), low.lstrip("0")) > (len(high.lstrip("0")), high.lstrip("0")):
            raise _FoundError("quantifier", "The numbers of the quantifier are out of order.", self.at)
        self.at = match.end()

    def _no_quantifier(self, what: str) -> None:
        if _QUANTIFIER.match(self.text, self.at):
            raise _FoundError("quantifier", f"{what} can't be repeated.", self.at)

    def _open_group(self) -> None:
        match = _GROUP_OPEN.match(self.text, self.at)
        start = self.at
        if match is None or (match.end() == start + 1 and self.text.startswith("?", start + 1)):
            raise _FoundError("group", "The group's kind is unknown.", start)
        self.at = match.end()
        if match["on"] is not None:
            flags = match["on"] + match["off"]
            if len(set(flags)) != len(flags) or (match["minus"] and not flags):
                raise _FoundError("modifiers", "A modifier stands twice or is missing.", start)
        elif match["name"] is not None:
            self.captures += 1
            self._name(match["name"], match.start("name"))
        elif match.end() == start + 1:
            self.captures += 1
        self.groups.append(_Group(start, match["look"] is not None))

    def _name(self, raw: str, at: int) -> None:
        name = self._identifier(raw, at)
        if any(name in group.current for group in self.groups):
            raise _FoundError("group_name", f"The group name {shown(name, 40)!r} stands twice.", at)
        self.groups[-1].current.add(name)
        self.names.add(name)

    def _identifier(self, raw: str, at: int) -> str:
        def decoded(match: re.Match[str]) -> str:
            if match["pair"]:
                return bytes.fromhex(match["pair"].replace("\\u", "")).decode("utf-16-be")
            code = int(match["code"] or match["hex"], 16)
            return chr(code) if code <= _HIGHEST else "\0"

        name = _NAME_ESCAPE.sub(decoded, raw)
        # Python's identifiers are ECMA-262's without $, ZWNJ and ZWJ.
        plain = re.sub("[$\u200c\u200d]", "_", name)
        if not plain.isidentifier() or name.startswith(("\u200c", "\u200d")):
            raise _FoundError("group_name", f"{shown(raw, 40)!r} is not a group name.", at)
        return name

    def _close_group(self) -> None:
        if len(self.groups) == 1:
            raise _FoundError("group", "This bracket closes no group.", self.at)
        group = self.groups.pop()
        self.groups[-1].current |= group.all | group.current
        self.at += 1
        if group.look:
            self._no_quantifier("An assertion")
        else:
            self._quantifier()

    def _escape(self) -> None:
        """Read an escape outside of a class."""
        start = self.at
        number = _DECIMAL.match(self.text, start + 1)
        if number is not None:
            self.at = number.end()
            self.numbers.append((int(number[0][:9]), start))
        elif self.text.startswith("k", start + 1):
            match = _BACK_NAME.match(self.text, start + 2)
            if match is None:
                raise _FoundError("back_reference", "A group's name in <…> must follow \\k.", start)
            self.at = match.end()
            self.references.append((self._identifier(match[1], match.start(1)), start))
        else:
            self._character_escape(in_class=False)

    def _character_escape(self, in_class: bool) -> int | None:
        """Read an escape of one character and return its code, or of a class of characters (None)."""
        start = self.at
        letter = self.text[start + 1 : start + 2]
        self.at = start + 2
        if not letter:
            raise _FoundError("escape", "The pattern ends with a backslash.", start)
        if letter in "dDsSwW":
            return None
        if letter in "pP" and self.unicode:
            self._property(start)
            return None
        if letter in _CONTROL:
            return ord(_CONTROL[letter])
        if letter == "b" and in_class:
            return 8
        if letter in "0cxu":
            return self._coded(letter, start)
        return self._identity(letter, start, in_class)

    def _coded(self, letter: str, start: int) -> int:
        following = self.text[self.at : self.at + 1]
        if letter == "0":
            if following.isdigit() and following.isascii():
                raise _FoundError("escape", "Octal escapes are not part of the grammar.", start)
            return 0
        if letter == "c":
            if not (following.isalpha() and following.isascii()):
                raise _FoundError("escape", "A letter must follow \\c.", start)
            self.at += 1
            return ord(following) % 32
        match = (_HEX2 if letter == "x" else _HEX4).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return self._low_half(int(match[0], 16)) if letter == "u" else int(match[0], 16)
        point = _CODE_POINT.match(self.text, self.at) if letter == "u" and self.unicode else None
        if point is None or int(point[1][-7:], 16) > _HIGHEST or len(point[1].lstrip("0")) > 6:
            raise _FoundError("escape", f"Hexadecimal digits must follow \\{letter}.", start)
        self.at = point.end()
        return int(point[1], 16)

    def _low_half(self, high: int) -> int:
        """With `u`, two escapes of surrogates are one character."""
        match = _HEX4.match(self.text, self.at + 2) if self.text.startswith("\\u", self.at) else None
        if not self.unicode or match is None or not 0xD800 <= high <= 0xDBFF:
            return high
        low = int(match[0], 16)
        if not 0xDC00 <= low <= 0xDFFF:
            return high
        self.at = match.end()
        return 0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00

    def _identity(self, letter: str, start: int, in_class: bool) -> int:
        if self.unicode:
            allowed = letter in _SYNTAX or letter == "/" or (in_class and letter == "-")
        else:
            allowed = not (letter in "$_" or f"a{letter}".isidentifier())
        if not allowed:
            raise _FoundError("escape", f"{shown(self.text[start : start + 2])!r} is no escape.", start)
        return ord(letter)

    def _property(self, start: int) -> None:
        match = _PROPERTY.match(self.text, self.at)
        if match is None:
            raise _FoundError("property", "A property in {…} must follow \\p.", start)
        key, value = match["key"], match["value"]
        if key is None:
            known = value in BINARY or value in GENERAL_CATEGORIES
        elif key in ("General_Category", "gc"):
            known = value in GENERAL_CATEGORIES
        else:
            known = key in ("Script", "sc", "Script_Extensions", "scx") and value in SCRIPTS
        if not known:
            raise _FoundError("property", f"{shown(match[0], 60)} is not a Unicode property.", start)
        self.at = match.end()

    def _class(self) -> None:
        start = self.at
        self.at += 2 if self.text.startswith("^", start + 1) else 1
        while not self.text.startswith("]", self.at):
            low_at = self.at
            low = self._class_atom(start)
            if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
                continue
            self.at += 1
            high = self._class_atom(start)
            if low is None or high is None:
                raise _FoundError("range", "A range can't begin or end with a class of characters.", low_at)
            if low > high:
                raise _FoundError("range", "The range is out of order.", low_at)
        self.at += 1

    def _class_atom(self, start: int) -> int | None:
        if self.at >= len(self.text):
            raise _FoundError("class", "This class is never closed.", start)
        if self.text[self.at] == "\\":
            return self._character_escape(in_class=True)
        self.at += 1
        return ord(self.text[self.at - 1])
