"""The model's own turn in what a trainer hands over: without the header before it, end-of-turn tokens and padding.

Trainers decode whole sequences, special tokens and all. `chat_formats.json` is the closed list of those that chat
formats use, each format with

- `own`: the header that opens the model's turn; `begins`: tokens that begin a sequence, before it
- `ends`: tokens that end a turn; `turns`: what opens anybody's turn, and so ends the one before
- `last`: tokens that may as well be text, and so count only at the very end; with what opens them where they close
  something (`</s>` closes an `<s>` of markup)
- `asides`: the model's own messages that are no answer, such as reasoning on a channel of its own

What follows the first end of a turn is padding or somebody's next turn: it belongs to no answer, can't overwrite
one and is never paid. A token that is quoted, stands in a closed fence, or in the reference itself is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

MAX_PADDING: Final = 131_072  # tokens at either end that are taken off
MAX_MARKS: Final = 20_000  # quoted tokens and fences that are told from the end of a turn
_ASIDE_END: Final = "<|end|>"
_ASIDE_OVER: Final = re.compile(r"<\|(?:end|return|call|start)\|>")
_INVISIBLE: Final = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"
_BLANK: Final = _INVISIBLE + " \t\r\n\f\v"
_BLANKS: Final = re.compile(f"[{_BLANK}]*")
_FIRST: Final = frozenset(_INVISIBLE + "<[")  # what may stand first where there is something to take off,
_LAST: Final = frozenset(_INVISIBLE + ">]")  # and last
_HINTS: Final = ("|>", "<|", "\uff5c>", "|]", "<end_of_", "<start_of_", "</s>", "<seed:", "_TOKEN>")


class _Formats(NamedTuple):
    """All chat formats taken together."""

    own: tuple[str, ...]
    begins: tuple[str, ...]
    asides: tuple[str, ...]
    last: tuple[str, ...]  # with the ends, longest first
    opened: dict[str, re.Pattern[str]]
    mark: re.Pattern[str]  # the end of a turn, or a fence


@cache
def _formats() -> _Formats:
    formats = json.loads(Path(__file__).with_name("chat_formats.json").read_text("utf-8")).values()

    def every(field: str) -> tuple[str, ...]:
        return tuple(sorted({token for one in formats for token in one.get(field, ())}, key=lambda t: (-len(t), t)))

    ends = every("ends")
    return _Formats(
        own=every("own"),
        begins=every("begins"),
        asides=every("asides"),
        last=tuple(sorted({*ends, *every("last")}, key=len, reverse=True)),
        opened={token: re.compile(by) for one in formats for token, by in one.get("last", {}).items() if by},
        mark=re.compile(
            rf"(?P<end>{_any_of((*ends, *every('turns')))})"
            r"|^[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^\n<]*)",
            re.MULTILINE,
        ),
    )


def _any_of(tokens: tuple[str, ...]) -> str:
    """A pattern of tokens by their common beginnings: tried one after the other, they would cost a lot on each `<`."""
    rests: dict[str, list[str]] = {}
    for token in tokens:
        rests.setdefault(token[:1], []).append(token[1:])
    ends_here = rests.pop("", None) is not None
    branches = [re.escape(first) + _any_of(tuple(rest)) for first, rest in rests.items()]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)})" + ("?" if ends_here else "")


def is_bare(prefilled: str, response: str) -> bool:
    """Whether it is seen at once that there is nothing to take off: no padding, and no character of any token."""
    return not (prefilled or "<" in response or ">" in response or "|]" in response or _dressed(response))


def _dressed(response: str) -> bool:
    return response[:1] in _FIRST or response[-1:].isspace() or response[-1:] in _LAST


def own_turn(prefilled: str, response: str, reference: Callable[[], str] = str) -> tuple[int, int]:
    """Where the model's turn begins and ends in prefilled + response.

    `reference` gives the text of the reference; it is asked only if there is something to take off.
    """
    whole = prefilled + response if prefilled else response
    marked = any(hint in response for hint in _HINTS)
    if not (prefilled or marked or _dressed(response)):
        return 0, len(whole)
    held = _Held(reference)
    start = _start(whole, len(prefilled), held)
    end = _without_last(whole, start, len(whole), held)
    if marked:
        over = _over(whole, max(start, len(prefilled)), end, held)
        if over < end:
            end = _without_last(whole, start, over, held)
    return start, end


class _Held:
    """Which tokens the reference itself holds, other than to close what it opens: they may be the answer."""

    def __init__(self, reference: Callable[[], str]) -> None:
        self._reference = reference
        self._text: str | None = None
        self._known: dict[str, bool] = {}

    def __contains__(self, token: object) -> bool:
        if self._text is None:
            self._text = self._reference().replace("\\", "")
        known = self._known.get(str(token))
        if known is None:
            opened = _formats().opened.get(str(token))
            openings = sum(1 for _ in opened.finditer(self._text)) if opened is not None else 0
            known = self._known[str(token)] = self._text.count(str(token)) > openings
        return known


def _start(whole: str, prefilled: int, held: _Held) -> int:
    """Behind the last header of the prefilled text, and behind one that begins the rest."""
    formats = _formats()
    start = at = max((i + len(own) for own in formats.own if (i := whole.rfind(own, 0, prefilled)) >= 0), default=0)
    for _ in range(MAX_PADDING):
        at = _BLANKS.match(whole, at).end()  # type: ignore[union-attr]  # it always matches
        if whole.startswith(formats.begins, at):
            start = at = at + _length(formats.begins, whole, at)
        elif whole.startswith(formats.asides, at):
            close = _ASIDE_OVER.search(whole, at + _length(formats.asides, whole, at))
            if close is None or close.group() != _ASIDE_END:
                return len(whole)  # reasoning that never comes to an answer
            start = at = close.end()
        elif whole.startswith(formats.own, at):
            return at + _length(formats.own, whole, at)
        else:
            break
    # White space alone is the verifiers' own business.
    return at if whole[start:at].strip() and not _is_text(whole[start:at], held) else start


def _is_text(blanks: str, held: _Held) -> bool:
    """Whether there is an invisible character among these that the reference holds as well."""
    return any(character in held for character in set(_INVISIBLE).intersection(blanks))


def _length(tokens: tuple[str, ...], whole: str, at: int) -> int:
    return next(len(token) for token in tokens if whole.startswith(token, at))


def _over(whole: str, start: int, end: int, held: _Held) -> int:
    """Where the first turn is over: at a token that is neither quoted nor within a fence that closes."""
    quotes, markup = _Quotes(whole, start, end), _Markup(whole, start)
    fence, pending = "", end
    for count, mark in enumerate(_formats().mark.finditer(whole, start, end)):
        if count >= MAX_MARKS:
            return min(pending, mark.start())
        if mark.lastgroup == "end":
            if mark.group() in held or markup.closes(mark.group(), mark.start()):
                continue
            if not fence and quotes.hold(mark.start(), mark.end()):
                continue
            if not fence:
                return mark.start()
            pending = min(pending, mark.start())
        elif not fence:
            fence = mark.group("fence")
        elif mark.group("fence").startswith(fence) and not mark.group("info").strip():
            fence, pending = "", end
    return pending


class _Markup:
    """Whether a token closes what was opened before it; asked from the front to the back."""

    def __init__(self, whole: str, start: int) -> None:
        self._whole = whole
        self._counted = start
        self._open = dict.fromkeys((token for token, by in _formats().opened.items() if token.startswith("</")), 0)

    def closes(self, mark: str, at: int) -> bool:
        """Whether the token that `mark`, found at `at`, begins with closes something."""
        token = next((token for token in self._open if mark.startswith(token)), None)
        if token is None:
            return False
        for one in self._open:
            openings = sum(1 for _ in _formats().opened[one].finditer(self._whole, self._counted, at))
            self._open[one] += openings - self._whole.count(one, self._counted, at)
        self._counted = at
        return self._open[token] > 0


class _Quotes:
    """What stands in quotes on its line; asked from the front to the back, each character is looked at once."""

    def __init__(self, whole: str, start: int, end: int) -> None:
        self._whole = whole
        self._end = end
        self._line = self._line_end = self._counted = start
        self._open = dict.fromkeys('"`', False)
        self._closed = start  # where the last quotation ends

    def hold(self, start: int, end: int) -> bool:
        """Whether whole[start:end] is between quotes on its line."""
        whole = self._whole
        if end <= self._closed:
            return True
        if start >= self._line_end:
            self._line = self._counted = max(self._line_end, whole.rfind("\n", self._line_end, start) + 1)
            at = whole.find("\n", end, self._end)
            self._line_end = self._end if at < 0 else at
            self._open = dict.fromkeys(self._open, False)
        for quote in self._open:
            signs = whole.count(quote, self._counted, start) - whole.count("\\" + quote, self._counted, start)
            self._open[quote] ^= signs % 2 == 1
        self._counted = start
        for quote, is_open in self._open.items():
            if is_open and (close := whole.find(quote, end, self._line_end)) >= 0:
                self._closed = close
                return True
        opens, closes = whole.rfind("'", self._line, start), whole.find("'", end, self._line_end)
        if opens < 0 or closes < 0 or whole[opens - 1 : opens].isalnum() or whole[closes + 1 : closes + 2].isalnum():
            return False  # apostrophes
        self._closed = closes
        return True


def _without_last(whole: str, start: int, end: int, held: _Held) -> int:
    """Without the tokens and invisible characters at the end."""
    formats = _formats()
    spare: dict[str, int] = {}  # how many tokens of a kind close nothing
    kept = at = end
    for _ in range(MAX_PADDING):
        blanks = _blanks_before(whole, start, at)
        if not whole[blanks:at].isspace() and blanks < at:
            if _is_text(whole[blanks:at], held):
                break
            kept = blanks
        at = blanks
        if not whole.endswith(formats.last, start, at):
            break
        token = next(token for token in formats.last if whole.endswith(token, start, at))
        if token in held:
            break
        opened = formats.opened.get(token)
        if opened is not None:
            if token not in spare:
                spare[token] = whole.count(token, start, at) - sum(1 for _ in opened.finditer(whole, start, at))
            spare[token] -= 1
            if spare[token] < 0:
                break
        kept = at = at - len(token)
    return kept


def _blanks_before(whole: str, start: int, end: int) -> int:
    """Where the white space and the invisible characters before `end` begin."""
    size = 64
    while end > start:
        piece = whole[max(start, end - size) : end]
        left = len(piece.rstrip(_BLANK))
        end -= len(piece) - left
        if left:
            break
        size *= 4
    return end
