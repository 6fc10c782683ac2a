"""A place in a text where an answer stands, and where words end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifleet.verifiers.knowledge.tokens import UNITS, Token, stem


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Tokens `start` to `end` (exclusive) say the reference answer; `exact` if nothing of it is left out."""

    start: int
    end: int
    exact: bool = True


def same_script(a: str, b: str) -> bool:
    """Whether two folded words are both of Latin letters and the like, or both of others."""
    return (max(a, default="") < "\u0370") == (max(b, default="") < "\u0370")


def bounded(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether tokens `start` to `end` (exclusive) are whole words on both sides."""
    return edge(tokens[start - 1] if start else None, tokens[start]) and edge(
        tokens[end - 1], tokens[end] if end < len(tokens) else None
    )


def edge(left: Token | None, right: Token | None) -> bool:
    """Whether a word may end between two tokens: not in "300c", "Pryce-Jones", "3-1", "paris.com"."""
    if left is None or right is None:
        return True
    gap = right.gap
    if gap in ("", "_"):
        return (left.number and stem(right.text) in UNITS) or (
            not (left.text.isascii() and right.text.isascii()) and (len(left.text) == 1 or len(right.text) == 1)
        )
    both_numbers = left.number and right.number
    if gap in ("-", "‑"):
        if both_numbers:
            return len(left.text) == 4 and len(right.text) in (2, 4)
        return left.number or right.number or left.capital != right.capital
    if gap == ".":
        return right.capital and not right.number
    if both_numbers and gap in ("/", ":", "–", "−", "—", "~", "〜", "～"):
        return len(left.text) == 4
    return True
