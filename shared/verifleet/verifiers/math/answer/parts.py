"""Answers in several parts that words name: `amplitude 3, period π`, `center (2, -3), radius 5`, `9 at x = 2`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from verifleet.verifiers.math.answer.wording import content, words
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.runs import runs_of

MAX_TEXT = 400
MAX_PARTS = 5

_BETWEEN_EQUATIONS = re.compile(r"(?:,|;|\band\b)(?=[^,;=()\[\]]{1,12}=)")
_HEAD = re.compile(r"\\?[A-Za-zα-ω]{1,8}")


class Part(NamedTuple):
    """A value, and the words before it or the name that it has."""

    label: str
    text: str


def parts_of(text: str) -> list[Part]:
    """The values of a text, each with what it is called."""
    if len(text) > MAX_TEXT:
        return []
    found: list[Part] = []
    at = 0
    for run in runs_of(text):
        said = content(words(text[at : run.start]), frozenset())
        at = run.end
        for piece in _BETWEEN_EQUATIONS.split(run.text):
            head, equals, value = piece.partition("=")
            named = bool(equals) and _HEAD.fullmatch(head.strip()) is not None
            found.append(Part(head.strip() if named else " ".join(said), (value if named else piece).strip()))
    return found


def agree(reference: str, answer: str, question: Question, same: Callable[[str, str], bool]) -> bool | None:
    """Whether the parts of an answer are those of the reference; None where the names do not tell which is which.

    Parts go together by their names, or stand in the reference in the order in which the prompt asks for them.
    """
    wanted, given = parts_of(reference), parts_of(answer)
    if not 2 <= len(given) <= MAX_PARTS or not any(len(part.label) > 2 for part in (*wanted, *given)):
        return None
    if len(wanted) == 1 and wanted[0].text.count(",") + 1 == len(given) and "(" not in wanted[0].text:
        wanted = [Part("", text.strip()) for text in wanted[0].text.split(",")]
    if len(wanted) != len(given):
        return None
    pairs = _by_name(wanted, given) or _by_prompt(wanted, given, question.lower)
    return None if pairs is None else all(same(first.text, second.text) for first, second in pairs)


def _by_name(wanted: list[Part], given: list[Part]) -> list[tuple[Part, Part]] | None:
    pairs: list[tuple[Part, Part]] = []
    left = list(given)
    for part in wanted:
        alike = [other for other in left if _alike(part.label, other.label)]
        if len(alike) == 1:
            pairs.append((part, alike[0]))
            left.remove(alike[0])
    unpaired = [part for part in wanted if all(part is not first for first, _ in pairs)]
    if not pairs or len(unpaired) > 1:
        return None
    return [*pairs, *zip(unpaired, left, strict=True)]


def _by_prompt(wanted: list[Part], given: list[Part], prompt: str) -> list[tuple[Part, Part]] | None:
    places = [prompt.find(part.label.split()[0]) if len(part.label) > 2 else -1 for part in given]
    if -1 in places or len(set(places)) < len(places):
        return None
    ordered = [part for _, part in sorted(zip(places, given, strict=True), key=lambda pair: pair[0])]
    return list(zip(wanted, ordered, strict=True))


def _alike(first: str, second: str) -> bool:
    """`center` and `centred`, `radius` and `r`; nothing is alike to what has no name."""
    short, long = sorted((first.lower(), second.lower()), key=len)
    if len(short) == 1 and len(long) > 1:
        return long.startswith(short)
    return bool(short) and (short == long or any(a[:4] == b[:4] for a in short.split() for b in long.split()))
