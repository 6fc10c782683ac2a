"""A value that is said twice: exactly and as a decimal, as a fraction and in percent, in one unit and another."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifleet.verifiers.math.algebra.amounts import agree, strip_unit, terminates, unit_letter
from verifleet.verifiers.math.syntax.expression import COLLECTIONS, Node
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.vocabulary import phrased

MAX_TAIL = 120  # characters of the value said again
MAX_AGAIN = 4  # times that a value is said again
_ABOUT = rf"(?:{phrased('restated.about')}|≈|\\approx(?![A-Za-z]))"
_AGAIN = (
    r"(?:(?:or|i\.e\.|that\s+is|which\s+(?:is|equals)|soit|ou|o\s+sea|d\.h\.|то\s+есть)(?:,(?:\s[a-z]+){1,6},|,?)"
    r"(?:\s(?:equivalently|as\s+an?\s[a-z]+(?:\s[a-z]+)?|in\s[a-z]+(?:\s[a-z]+)?),?)?)"
)
_AMOUNT = r"(?P<{}>[-−+]?(?:[$€£]|\\(?=[df]?frac))?[\d√π½⅓¼¾d-f][^\s(),;=]{{0,80}}(?:[\s,][^\s(),;=]{{1,40}}){{0,4}}?)"
_TAIL = re.compile(
    r"(?:"
    rf"\s*,?\s\(\s*(?:{_AGAIN}\s+)?(?P<inside>{_ABOUT})?[\s$]*{_AMOUNT.format('first')}\$?\s*\)|"
    rf"(?:\s*,?\s(?:{_AGAIN}|that['’]s)|,|(?=\s*(?:≈|\\approx)))\s*(?P<after>{_ABOUT})[\s$]*{_AMOUNT.format('second')}|"
    rf"\s*,?\s+{_AGAIN}[\s$]+{_AMOUNT.format('third')}"
    r")(?:\sas\san?\s[a-z]+(?:\s[a-z]+)?)?[\s$.]*$"
)
_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_EXACTLY = re.compile(rf"{_ABOUT}[^,;]{{1,40}},\s*(?:or\s+|and\s+|i\.e\.,?\s+)?(?:more\s+)?(?:exactly|precisely)[\s:]")
_SAID_ABOUT = re.compile(rf"{_ABOUT}(?:\s+an?)?[\s$*]*{_AMOUNT.format('about')}(?=[\s,.;)$*]|$)")


class Restated(NamedTuple):
    """A value and the same once more; `rounded`: the second is said to be an approximation."""

    text: str
    again: str
    rounded: bool


def restated(text: str, times: int = MAX_AGAIN) -> Restated | None:
    """The two values of `9π, approximately 28.27`, `3/8 (37.5%)`, `2.5 hours, or 150 minutes`."""
    start = max(0, len(text) - MAX_TAIL)
    match = _TAIL.search(text, start)
    if match is None or not text[: match.start()].strip():
        return None
    again = match.group("first") or match.group("second") or match.group("third")
    rounded, head = bool(match.group("inside") or match.group("after")), text[: match.start()]
    exactly = restated(head, times - 1) if rounded and times > 1 else None
    if exactly is not None and exactly.rounded and agreed(exactly):
        head = exactly.text  # 5/36 ≈ 0.139, i.e. roughly 13.9%
    return Restated(head, again, rounded)


def exactly_after(text: str) -> int:
    """Where the exact value stands in `about 16.7 %, exactly 1/6`; 0 if it is not said that way."""
    match = _EXACTLY.search(text)
    return match.end() if match else 0


def said_about(text: str) -> list[str]:
    """What a text says that something is about: `That's roughly a 36% chance`."""
    return [match.group("about") for match in _SAID_ABOUT.finditer(text.lower())]


def agreed(said: Restated) -> tuple[Node, ...]:
    """The values that may stand for both, if both are constants and the second is the first up to its rounding.

    A decimal rounded further stands for itself alone: `3.9 ≈ 4` is no 4; `5 mi ≈ 8 km` is.
    """
    both = _constants(said)
    if both is None or not agree(*both, said.rounded):
        return ()
    if not said.rounded:
        return tuple(sorted(both[::-1], key=lambda node: len(list(node.walk()))))
    units = {unit for node in both if (unit := strip_unit(node)[1])}
    return both[:1] if terminates(strip_unit(both[0])[0]) and len(units) < 2 else both


def contradicted(said: Restated) -> bool:
    """Whether the second value is said to be about the first and is not."""
    both = _constants(said)
    return both is not None and not agree(*both, said.rounded)


def _constants(said: Restated) -> tuple[Node, Node] | None:
    written = said.text.rpartition("=")[2], _COMMA.sub(".", said.again)
    nodes = [unit_letter(node) or node for text in written if (node := read(text.strip("$ ."))) is not None]
    constant = all(not node.variables() and node.op not in COLLECTIONS and node.op != "rel" for node in nodes)
    return (nodes[0], nodes[1]) if len(nodes) == 2 and constant else None
