"""What reading makes of a text: sentences and clauses with spans, and what each clause says beside its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Span = tuple[int, int]
"""[start, end) in characters of the text that was read."""
Modality = Literal["asserted", "possible", "predicted", "asked", "wished", "ordered", "unreal"]


class Word(Protocol):
    """A word of a text."""

    @property
    def text(self) -> str:
        """Folded, numbers in digits."""

    @property
    def start(self) -> int:
        """Its offset in the text."""

    @property
    def end(self) -> int:
        """The offset behind it."""

    @property
    def gap(self) -> str:
        """What stands before it."""

    @property
    def number(self) -> bool:
        """Whether it is a number."""

    @property
    def base(self) -> str:
        """The text without a possessive ending."""

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts or measures; `low` and `high` are equal for an exact one.

    Attributes:
        span: where number and unit stand.
        low: the least it can be by its own words, in base units (metres, seconds, persons); -inf for "up to".
        high: the most; inf for "at least".
        approximate: "about", "dozens", or a figure rounded to its first digits.
        unit: "" for a count, else the base unit ("m", "m/s", "m2", "degC", "usd", "magnitude", "%" ...).
        noun: the words counted, lower case, as they stand ("people", "homes"); "" when none follows.
        predicate: the words that say what befell them ("dead", "evacuated"), lower case.
        comparison: "more" for "3 more", "total" for "bringing the toll to 33", "before" for "7.9 -> 7.6", else "".
    """

    span: Span
    low: float
    high: float
    approximate: bool = False
    unit: str = ""
    noun: str = ""
    predicate: str = ""
    comparison: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One predication.

    Attributes:
        span: where it stands.
        negated: one negation scope covers its predicate.
        modality: how it is put forward.
        attributed_to: who is said to say so ("police"), "" for the author.
        lemmas: its content words, stemmed, lower case, no stop words.
        quantities: what is counted and measured in it.
        names: runs of capitalised words, persons with a title apart.
        denials: what the negating words in it cover, whether or not that is its predicate.
    """

    span: Span
    text: str
    negated: bool = False
    modality: Modality = "asserted"
    attributed_to: str = ""
    lemmas: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    names: tuple[str, ...] = ()
    denials: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, headline or line, with its clauses in order; `cut`: it breaks off."""

    span: Span
    clauses: tuple[Clause, ...]
    question: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was read.

    Attributes:
        language: ISO 639-1 of the languages that are read (en es fr de it pt), "" for any other: unread, so that no
            negation, quantity noun or status of it is known.
        sentences: in order, without the marks below.
    """

    text: str
    language: str
    sentences: tuple[Sentence, ...]
