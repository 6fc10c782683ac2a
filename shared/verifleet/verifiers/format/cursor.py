"""Reading a short text from left to right, each step a pattern; the first that does not match is the fault."""

from __future__ import annotations

import re

from verifleet.verifiers.format.fault import Fault


class UnexpectedError(Exception):
    """A step did not match; carries the fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Cursor:
    """A place in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def take(self, pattern: re.Pattern[str], rule: str, expected: str) -> str:
        """Read what the pattern matches here; raises UnexpectedError where it does not."""
        found = self.maybe(pattern)
        if found is None:
            raise self.unexpected(rule, f"Expected {expected}")
        return found

    def maybe(self, pattern: re.Pattern[str]) -> str | None:
        """Read what the pattern matches here, if it does."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def end(self) -> None:
        """Nothing may follow; raises UnexpectedError otherwise."""
        if self.at < len(self.text):
            raise self.unexpected("trailing_text", "Expected the end")

    def unexpected(self, rule: str, message: str, at: int | None = None) -> UnexpectedError:
        """The error for a fault here (or at `at`)."""
        place = self.at if at is None else at
        found = f"found {self.text[place]!r}" if place < len(self.text) else "found the end"
        return UnexpectedError(Fault(rule, f"{message}, {found}.", place))
