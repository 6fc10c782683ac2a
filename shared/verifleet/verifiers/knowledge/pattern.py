"""How a response reads with its names taken out, and whether such a text gives the expected answer as its own.

`X wrote it, Y only directed` reads `OTHER wrote it , ANSWER only ASKED` where Y is expected and the question says
"directed". Which words stand around the answer and around the other things of its kind tells what is put forward; a
logistic model over these and over what the guards and the weighing say decides. `tools/train_weighing.py` fits it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from verifleet.verifiers.knowledge.claims import Sought
from verifleet.verifiers.knowledge.clauses import lemma
from verifleet.verifiers.knowledge.lists import listed, pattern_model, pattern_words
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import Token

ANSWER, HELD, OTHER, ASKED, DEED, NAME, NUMBER, RANK = "ANSWER HELD OTHER ASKED DEED NAME NUMBER RANK".split()
MAX_GAP = 8
"""Signs between two words that are looked at."""
_STOPS = frozenset(".!?\n")
_SIGNS = frozenset('.,;:!?()"“”—–*-\n')
_THINGS = frozenset({ANSWER, HELD, OTHER, ASKED, DEED, NAME, NUMBER, RANK})
_PARTING = frozenset('.,;:()\n?"')
_JOINTS = listed("pattern.joints")
_ENDINGS = ("ed", "ing", "ly", "s")
_REACH, _LONGEST = 4, 3
"""Marks to each side of a thing, and marks of a row of them."""


def marks(
    reading: Reading,
    kept: Iterable[Occurrence],
    found: Iterable[Occurrence],
    others: Iterable[Occurrence],
    asked: Sought,
    words: Collection[str] = (),
) -> list[str]:
    """A response as a row of marks: things by what they are to the question, the model's `words` as they are.

    `kept` is where the expected answer stands, `found` where it also does and a guard holds it back, `others` where
    another thing of its kind does. Any other word is told by its ending alone.
    """
    known = words or pattern_words()
    things = dict.fromkeys(_within(others), OTHER) | dict.fromkeys(_within(found), HELD)
    things |= dict.fromkeys(_within(kept), ANSWER)
    row: list[str] = []
    for i, token in enumerate(reading.tokens):
        row += [sign for sign in token.gap[:MAX_GAP] if sign in _SIGNS]
        thing = things.get(i) or _thing(token, asked, known, not row or row[-1] in _STOPS)
        if not thing:
            row.append(_word(token, asked, known))
        elif not row or row[-1] != thing:
            row.append(thing)
    end = reading.tokens[-1].end if reading.tokens else 0
    return row + [sign for sign in reading.text[end : end + MAX_GAP] if sign in _SIGNS]


def _within(places: Iterable[Occurrence]) -> list[int]:
    return [i for place in places for i in range(place.start, place.end)]


def _is_asked(token: Token, asked: Sought) -> bool:
    return lemma(token.base) in asked.terms or token.text in asked.terms


def _thing(token: Token, asked: Sought, known: Collection[str], opens: bool) -> str:
    """What a name or number of no known kind is: another thing of the kind that is asked for, or none."""
    counted, text = asked.kind == "number", token.text
    if _is_asked(token, asked):
        return ""
    if token.number or text[:1].isdigit():
        return RANK if text.endswith("th") else OTHER if counted else NUMBER
    named = token.capital and not (opens and text in known)
    return "" if not named else NAME if counted else OTHER


def _word(token: Token, asked: Sought, known: Collection[str]) -> str:
    text = token.text
    if _is_asked(token, asked):
        return DEED if asked.verb and lemma(text) == asked.verb else ASKED
    return text if text in known else next((f"w-{ending}" for ending in _ENDINGS if text.endswith(ending)), "w")


def described(row: Sequence[str], slot: str = "") -> dict[str, float]:
    """What stands around the first and the last place of the answer and of the other things, by name.

    `slot` is the side of the question's verb on which the answer stands.
    """
    told: dict[str, float] = {}
    text = ["^", *row, "$"]
    places = {name: [i for i, mark in enumerate(text) if mark == name] for name in (ANSWER, OTHER)}
    for name, at in places.items():
        for which, i in (("first", at[0]), ("last", at[-1])) if at else ():
            _around(told, text, f"{which} {name}", i)
    bare = _outline(row, frozenset())
    for name, outline, most in (("outline", bare, 5), ("joined", _outline(row, _JOINTS), 4), (f"as {slot}", bare, 3)):
        told |= dict.fromkeys(_rows_with(outline, name, most), 1.0)
    mine, theirs = places[ANSWER], places[OTHER]
    told["answers"], told["others"] = min(4, len(mine)) / 2, min(6, len(theirs)) / 3
    told["length"] = min(120, len(row)) / 60
    if mine and theirs:
        told[f"order {mine[0] < theirs[0]} {mine[-1] > theirs[-1]}"] = 1.0
    return told


def _outline(row: Sequence[str], joints: Collection[str]) -> list[str]:
    """The row without what is neither a thing, nor of the question, nor a sign, nor one of some words."""
    kept = [mark for mark in row if mark in _THINGS or mark in _PARTING or mark in joints]
    return [mark for n, mark in enumerate(kept) if not n or mark != kept[n - 1] or mark not in (OTHER, ASKED)]


def _rows_with(outline: Sequence[str], name: str, most: int) -> Iterator[str]:
    """The rows of up to so many marks that have the first or the last place of the answer in them."""
    text = ["^", *outline, "$"]
    at = [i for i, mark in enumerate(text) if mark == ANSWER]
    for which, i in (("first", at[0]), ("last", at[-1])) if at else ():
        for size in range(2, most + 1):
            for start in range(max(0, i - size + 1), min(i, len(text) - size) + 1):
                yield f"{name} {which} {i - start} {' '.join(text[start : start + size])}"


def _around(told: dict[str, float], text: Sequence[str], who: str, i: int) -> None:
    """The rows of marks around a place, and its sentence."""
    for size in range(1, _LONGEST + 1):
        for start in range(max(0, i - _REACH), min(i + _REACH, len(text) - size) + 1):
            if size > 1 or start != i:
                told[f"{who} {start - i} {' '.join(text[start : start + size])}"] = 1.0
    first, last = i, i
    while text[first - 1] not in _STOPS and first > 1:
        first -= 1
    while text[last + 1] not in _STOPS and last < len(text) - 2:
        last += 1
    sentence = text[first : last + 1]
    told[f"{who} begins {' '.join(text[first : first + 2])}"] = 1.0
    told[f"{who} behind {text[first - 2] if first > 1 else '^'}"] = 1.0
    told[f"{who} asked"] = min(4, sentence.count(ASKED) + sentence.count(DEED)) / 2
    told[f"{who} deed"] = float(DEED in sentence)
    for side, there in (("before", text[first:i][::-1]), ("behind", text[i + 1 : last + 1])):
        reach = list(takewhile(lambda mark: mark not in (ANSWER, OTHER), there))
        told[f"{who} asked {side}"] = float(ASKED in reach)
        told[f"{who} deed {side}"] = float(DEED in reach)
    told[f"{who} others before"] = min(3, text[:i].count(OTHER)) / 2
    told[f"{who} others behind"] = min(3, text[i + 1 :].count(OTHER)) / 2
    told[f"{who} others before it there"] = min(3, text[first:i].count(OTHER)) / 2
    told[f"{who} others behind it there"] = min(3, text[i + 1 : last + 1].count(OTHER)) / 2
    told[f"{who} at"] = i / len(text)
    told[f"{who} opens"] = float(i == first)
    told[f"{who} in the first sentence"] = float(_STOPS.isdisjoint(text[1:first]))
    told[f"{who} in the last sentence"] = float(last >= len(text) - 3)


def credence(told: Mapping[str, float]) -> float:
    """The log-odds that a response so described gives the expected answer as its own."""
    weights = pattern_model()
    return weights[""] + sum(weights[name] * value for name, value in told.items() if name in weights)
