"""The values of a statement, each with what it is called: `center (2, -3), radius 5`, `12 rabbits, 23 chickens`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.stance import denied, unsaid
from verifleet.verifiers.math.answer.value import behind_copula, is_mere_name
from verifleet.verifiers.math.answer.wording import content, words
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.runs import Run, runs_of, without_formulas
from verifleet.verifiers.math.syntax.vocabulary import REFUSING

MAX_TEXT = 1_000
MAX_PARTS = 5
_BETWEEN_EQUATIONS = re.compile(r"(?:[,;]|\band\b|\bor\b)(?=[^,;=()\[\]]{1,14}=)")
_BORDER = re.compile(r"[,;.(]|\band\b|\bor\b")
_TOP_COMMA = re.compile(r",(?![^(\[{]*[)\]}])")
_OF_THE = re.compile(r"[\w)$]\s+of\s+(?:the\s+)?[\s$*]*$")
_BARE = re.compile(r"\(([^()]*)\)")
_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_COORDINATES = frozenset("xyz")
_OWN_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LETTERED = re.compile(
    r"(?:^|[\n;,.:]|\band\b)(?:[\s*_#>$-]|\\text\w*\{|\\[ ,;]){0,12}(?i:part\s)?"
    r"\(?(?P<letter>[a-h]|i{1,3}|iv|vi?)(?:\)|[.:](?=[\s*]))[\s*_}:]*+"
)


class Part(NamedTuple):
    """A value, and the words at it or the name that it has; `asserted`: as an equation, or behind a copula."""

    label: str
    text: str
    asserted: bool


@lru_cache(maxsize=256)
def parts_of(text: str) -> list[Part]:
    """The values of a text, each with what it is called."""
    if len(text) > MAX_TEXT:
        return []
    runs = [run for run in runs_of(text) if not _refused(run)]
    if not runs:
        return []
    ends = [0, *(run.end for run in runs), len(text)]
    gaps = [text[end : run.start] for end, run in zip(ends, runs, strict=False)]
    before = [_label(_BORDER.split(gap)[-1]) for gap in gaps]
    behind = [_label(_BORDER.split(gap)[0]) for gap in (*gaps[1:], text[ends[-2] :])]
    labels = before if all(before) or not behind[0] or (before[0] and not all(behind)) else behind
    found: list[Part] = []
    for run, label in zip(runs, labels, strict=True):
        copula = behind_copula(run)
        for piece in _BETWEEN_EQUATIONS.split(run.text):
            head, equals, value = piece.partition("=")
            named = bool(equals) and is_mere_name(head)
            called = head.strip() if named else label
            found.append(Part(called, (value if named else piece).strip(" ,;").rstrip("\\ ,"), named or copula))
    return found


def lettered(text: str) -> dict[str, str]:
    """What a text says of each part by its letter, last of all: `(a) 2x; (b) 7`; {} if they are not (a), (b), ..."""
    found = list(_LETTERED.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    parts = {match["letter"]: text[match.end() : end].strip() for match, end in zip(found, ends, strict=False)}
    known = any({*parts} == set(letters[: len(parts)]) for letters in ("abcdefgh", ("i", "ii", "iii", "iv", "v", "vi")))
    return parts if known and len(parts) > 1 and all(parts.values()) else {}


def _refused(run: Run) -> bool:
    """Whether a value is denied, or belongs to what an amount is of: `7.5 L of the 30% solution`."""
    aside = _IN_BRACKETS.match(run.clause, run.end)
    refused = aside is not None and REFUSING.search(aside.group(1)) is not None
    refused = refused or ("%" in run.text and _OF_THE.search(run.before(20)) is not None)
    where = run.clause, run.start, run.end
    return refused or denied(*where) or unsaid(*where)


def _label(text: str) -> str:
    own = "".join(_OWN_SCRIPT.findall(text))
    return own or " ".join(content(words(text), frozenset()))


def together(text: str) -> str:
    """All the values that a text asserts of several things, as a list: `x = 3, y = 2`; "" if there are not several.

    Of values of several names the last of each counts; equations count before what is behind copulas.
    """
    if phrases.OFFERED.search(without_formulas(text)):
        return ""
    parts = [part for part in parts_of(text) if part.asserted]
    equations = [part for part in parts if is_mere_name(part.label)]
    named = {part.label: f"{part.label} = {part.text}" for part in equations}
    said = list(named.values()) if len(named) > 1 else [part.text for part in equations or parts]
    return ", ".join(said) if len(said) > 1 else ""


def agree(reference: str, answer: str, question: Question, same: Callable[[str, str], bool]) -> bool | None:
    """Whether the parts of an answer are those of the reference; None where the names do not tell which is which.

    Parts go together by their names, or stand in the reference in the order in which the prompt asks for them.
    """
    wanted = parts_of(reference)
    if len(wanted) == 1:
        bare = None if question.intervals and not question.ordered else _BARE.fullmatch(wanted[0].text)
        wanted = [Part("", text.strip(), False) for text in _TOP_COMMA.split(bare[1] if bare else wanted[0].text)]
    names = [part.label for part in wanted if part.label]
    if (
        not 2 <= len(wanted) <= MAX_PARTS
        or len(set(names)) < len(names)
        or phrases.OFFERED.search(without_formulas(answer))
    ):
        return None
    given = parts_of(answer)
    if len(given) < 2 or not any(len(part.label) > 1 or not part.label.isascii() for part in (*wanted, *given)):
        return None
    given = _last_of_each(given, wanted)
    pairs = _by_name(wanted, given) or _by_prompt(wanted, given, question.lower)
    if pairs is not None:
        return all(same(first.text, second.text) and not _of_another(first, second) for first, second in pairs)
    if not all(part.label for part in given) or len(wanted) != len(given):
        return None
    pairs = list(zip(wanted, given, strict=True))
    if any(_of_another(first, second) for first, second in pairs):
        return False
    return True if all(same(first.text, second.text) for first, second in pairs) else None


def _of_another(first: Part, second: Part) -> bool:
    """Whether two parts are values of different coordinates: `x = -3` and `y = -3`."""
    return first.label != second.label and {first.label, second.label} <= _COORDINATES


def _last_of_each(given: list[Part], wanted: list[Part]) -> list[Part]:
    """The last part of each name; without those that have none, where every name that is wanted is given."""
    last = {part.label or str(place): part for place, part in enumerate(given)}
    kept = list(last.values())
    alike = [part for part in kept if part.label and any(_likeness(part.label, own.label) for own in wanted)]
    return alike if len(alike) == len(wanted) else kept


def _by_name(wanted: list[Part], given: list[Part]) -> list[tuple[Part, Part]] | None:
    if len(wanted) != len(given):
        return None
    pairs: list[tuple[Part, Part]] = []
    left = list(given)
    for part in wanted:
        scores = [_likeness(part.label, other.label) for other in left]
        best = max(scores, default=0)
        if best and scores.count(best) == 1:
            pairs.append((part, left.pop(scores.index(best))))
    unpaired = [part for part in wanted if all(part is not first for first, _ in pairs)]
    if not pairs or len(unpaired) > 1:
        return None
    return [*pairs, *zip(unpaired, left, strict=True)]


def _by_prompt(wanted: list[Part], given: list[Part], prompt: str) -> list[tuple[Part, Part]] | None:
    places = [prompt.find(part.label.split()[0]) if len(part.label) > 2 else -1 for part in given]
    if len(wanted) != len(given) or -1 in places or len(set(places)) < len(places):
        return None
    ordered = [part for _, part in sorted(zip(places, given, strict=True), key=lambda pair: pair[0])]
    return list(zip(wanted, ordered, strict=True))


def _likeness(first: str, second: str) -> int:
    """How many words two names share: `center` and `centred`, `radius` and `r`; nothing is like what has no name."""
    short, long = sorted((first.lower(), second.lower()), key=len)
    if short == long:
        return 9 if short else 0
    return sum(any(a[:4] == b[:4] or b.startswith(a) for b in long.split()) for a in short.split())
