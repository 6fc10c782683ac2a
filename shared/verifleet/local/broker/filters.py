r"""Pub/Sub's subscription filters: a recursive-descent parser for the whole language.

    filter     = expression
    expression = term {"AND" term} | term {"OR" term}          AND and OR mix only with parentheses
    term       = ["NOT" | "-"] (comparison | "(" expression ")")
    comparison = "attributes" ":" key
               | "attributes" "." key ("=" | "!=") string
               | "hasPrefix" "(" "attributes" "." key "," string ")"
    key        = letters, digits, "-", "_" | string
    string     = '"' characters or escapes '"'                 \n \" \\ \x4a \u307F \U0001F600 \101 ...

Words are case-sensitive. `!=` is true for a message without the key. A filter has at most 256 bytes, which bounds
the depth of the recursion too. Documented at cloud.google.com/pubsub/docs/subscription-message-filter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, Protocol

MAX_BYTES = 256
_ESCAPED = {'"': '\\"', "\\": "\\\\"}
_SIMPLE_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    '"': '"',
    "'": "'",
    "`": "`",
    "?": "?",
}
_NUMERIC_ESCAPE = re.compile(
    r"x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<o>[0-3][0-7]{2})"
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_WORD = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"[ \t\r\n]*")


class FilterError(ValueError):
    """The text is not a filter; says at which character and what was expected."""


class Filter(Protocol):
    """A parsed filter; `str()` of it is a filter of the same meaning."""

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """Whether a message with these attributes is delivered."""


@dataclass(frozen=True, slots=True)
class Has:
    """`attributes:key`."""

    key: str

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if the key is there, whatever its value."""
        return self.key in attributes

    def __str__(self) -> str:
        return f"attributes:{quote(self.key)}"


@dataclass(frozen=True, slots=True)
class Equals:
    """`attributes.key = "value"`."""

    key: str
    value: str

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if the key is there with exactly this value."""
        return attributes.get(self.key) == self.value

    def __str__(self) -> str:
        return f"attributes.{quote(self.key)} = {quote(self.value)}"


@dataclass(frozen=True, slots=True)
class HasPrefix:
    """`hasPrefix(attributes.key, "prefix")`."""

    key: str
    prefix: str

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if the key is there and its value starts so."""
        value = attributes.get(self.key)
        return value is not None and value.startswith(self.prefix)

    def __str__(self) -> str:
        return f"hasPrefix(attributes.{quote(self.key)}, {quote(self.prefix)})"


@dataclass(frozen=True, slots=True)
class Not:
    """`NOT term`; `!=` is read as this too."""

    term: Filter

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if the term is not."""
        return not self.term.matches(attributes)

    def __str__(self) -> str:
        return f"NOT ({self.term})"


@dataclass(frozen=True, slots=True)
class AllOf:
    """`a AND b AND c`."""

    terms: tuple[Filter, ...]

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if every term is."""
        return all(term.matches(attributes) for term in self.terms)

    def __str__(self) -> str:
        return " AND ".join(f"({term})" for term in self.terms)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """`a OR b OR c`."""

    terms: tuple[Filter, ...]

    def matches(self, attributes: Mapping[str, str]) -> bool:
        """True if one term is."""
        return any(term.matches(attributes) for term in self.terms)

    def __str__(self) -> str:
        return " OR ".join(f"({term})" for term in self.terms)


def parse_filter(text: str) -> Filter:
    """Parse a filter; raises FilterError."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise FilterError(f"a filter has at most {MAX_BYTES} bytes")
    return _Parser(text).parse()


def quote(text: str) -> str:
    """A string literal of the filter language with this value."""
    return '"' + "".join(_ESCAPED.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in text) + '"'


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def parse(self) -> Filter:
        expression = self._expression()
        self._skip_space()
        if self._at < len(self._text):
            self._fail("AND, OR or the end")
        return expression

    def _expression(self) -> Filter:
        terms = [self._term()]
        joiner = None
        while (word := self._peek_word()) in ("AND", "OR"):
            if joiner not in (None, word):
                self._fail("parentheses, as AND and OR are mixed")
            joiner = word
            self._at += len(word)
            terms.append(self._term())
        if joiner is None:
            return terms[0]
        return AllOf(tuple(terms)) if joiner == "AND" else AnyOf(tuple(terms))

    def _term(self) -> Filter:
        if self._peek_word() == "NOT":
            self._at += len("NOT")
            return Not(self._operand())
        if self._accept("-"):
            return Not(self._operand())
        return self._operand()

    def _operand(self) -> Filter:
        if self._accept("("):
            inner = self._expression()
            self._expect(")")
            return inner
        return self._comparison()

    def _comparison(self) -> Filter:
        word = self._peek_word()
        if word == "hasPrefix":
            self._at += len(word)
            self._expect("(")
            self._expect("attributes")
            self._expect(".")
            key = self._key()
            self._expect(",")
            prefix = self._string()
            self._expect(")")
            return HasPrefix(key, prefix)
        if word != "attributes":
            self._fail("attributes, hasPrefix, NOT or (")
        self._at += len("attributes")
        if self._accept(":"):
            return Has(self._key())
        if not self._accept("."):
            self._fail(": or .")
        key = self._key()
        if self._accept("!="):
            return Not(Equals(key, self._string()))
        if not self._accept("="):
            self._fail("= or !=")
        return Equals(key, self._string())

    def _key(self) -> str:
        self._skip_space()
        bare = _BARE_KEY.match(self._text, self._at)
        if bare:
            self._at = bare.end()
            return bare.group()
        return self._string("a key of letters, digits, - and _, or a quoted one")

    def _string(self, expected: str = "a string in double quotes") -> str:
        if not self._accept('"'):
            self._fail(expected)
        out: list[str] = []
        while self._at < len(self._text):
            character = self._text[self._at]
            self._at += 1
            if character == '"':
                self._skip_space()
                return "".join(out)
            out.append(self._escape() if character == "\\" else character)
        self._fail('the closing "')

    def _escape(self) -> str:
        simple = _SIMPLE_ESCAPES.get(self._text[self._at : self._at + 1])
        if simple is not None:
            self._at += 1
            return simple
        numeric = _NUMERIC_ESCAPE.match(self._text, self._at)
        if not numeric:
            self._fail('an escape such as \\n, \\", \\x4a or \\u307F')
        kind = numeric.lastgroup
        code = int(numeric.group(kind or 0), 8 if kind == "o" else 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            self._fail("a Unicode character")
        self._at = numeric.end()
        return chr(code)

    def _peek_word(self) -> str:
        self._skip_space()
        word = _WORD.match(self._text, self._at)
        return word.group() if word else ""

    def _accept(self, token: str) -> bool:
        self._skip_space()
        if not self._text.startswith(token, self._at):
            return False
        self._at += len(token)
        return True

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            self._fail(token)

    def _skip_space(self) -> None:
        space = _SPACE.match(self._text, self._at)
        if space:
            self._at = space.end()

    def _fail(self, expected: str) -> NoReturn:
        found = self._text[self._at : self._at + 20] or "the end"
        raise FilterError(f"filter, character {self._at}: expected {expected}, found {found!r}")
