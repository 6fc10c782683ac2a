"""What a response says behind its answer: values of other quantities, mistakes that one might make, what was not asked.

`The jacket sells for $280, so you save $120`, asked for the sale price: the last value is of something else.
"""

from __future__ import annotations

import re

from verifleet.verifiers.math.answer import phrases, stance
from verifleet.verifiers.math.answer.spelled import in_digits
from verifleet.verifiers.math.answer.value import STEM, in_unit
from verifleet.verifiers.math.question import Question, fold
from verifleet.verifiers.math.syntax.runs import NAMES, runs_of, without_formulas
from verifleet.verifiers.math.syntax.tables import listed
from verifleet.verifiers.math.syntax.units import dimension
from verifleet.verifiers.math.syntax.vocabulary import spoken

MAX_ASIDES = 6
MAX_TAIL = 1_200

_CUT = spoken(
    r"""(?<=[.!?])[*_)\]}$"”]{0,3}\s+(?=(?-i:[^a-z\s]))|\n+|;\s|\s[—–]\s|\s(?=\((?!\d|.?\)))|
    ,\s(?=(?:so|while|whereas|with|meaning|leaving|since|because|as|where|i\.e\.|its?|an?|the|
    and (?:the|its?|so|an?)) )"""
)
_SENTENCE = re.compile(r"[.!?]\s|\n")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z][a-z]+(?:['’-][a-z]+)*")
_OWN = listed("asides.own")
"""Words of clauses that may go on about the answer itself, or give another one."""
_SOLVED = frozenset("root roots number numbers zero zeros point points pair pairs".split())
"""Those that do so where an equation is to be solved."""
_TAKEN_UP = spoken(
    r"""\b(?:it|this|that|they|these|those|which|both|one)(?:['’]s| (?:is|are|was|were|makes?|gives?|equals?|comes|
    becomes?|works?|ha[sd]|have|would|should|must|leaves?|means|adds?|amounts?|rounds?|turns|reduces|can|=|≈))"""
)
_FILLERS = listed("asides.fillers")
_MISTAKE = spoken(
    r"""\b(?:(?:common|typical|usual|frequent|easy|classic) (?:mistake|error|slip|trap|pitfall|misconception)s?|
    tempt(?:ed|ing)|(?:students?|people|others|many|some|one) (?:would|might|may|could|often|sometimes|mistakenly)|
    would (?:have )?(?:be|been|give|given|get))\b"""
)
"""What opens a remark on a value that the response does not hold."""
_LETTER = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
_HELD = spoken(r"\b(?:thought|guess(?:ed)?|attempt|students?|friend|some(?:one|body)|case \d) ")
"""Who else holds what stands before, or once held it."""
_GOES_ON = spoken(r"\s*(?:but|however|yet|(?!meaning|leaving)[a-z]+ing)\b")
_EQUATION = re.compile(r"\b(?:solve|solutions?|equation|roots?|zeros?)\b|=")
_ASKING = re.compile(r"\b(?:what|which|how|who|when|where)\b")
_OWN_MISTAKE = spoken(r"\b(?:I|my|we|our|above|earlier|previous|actually|sorry|wait|answer is)\b")
_TURNS = spoken(r"\b(?:not|n['’]t|no|none|wrong|incorrect|mistake|false|however|but|answer|solution)\b|n['’]t\b")


def before_asides(text: str, asked: Question) -> str:
    """What a response says up to its last clause that may tell of what is asked; "" if that is its last."""
    start, end = max(0, len(text) - MAX_TAIL), len(text)
    for cut in reversed(list(_CUT.finditer(text, start))[-MAX_ASIDES:]):
        clause, before = text[cut.end() : end], text[: cut.start()]
        if clause.strip(" .()*_$") and not _is_aside(clause, before, asked):
            return "" if end == len(text) or _of_another(clause, asked) else text[:end]
        end = cut.start()
    clause = text[start:end]
    return "" if end == len(text) or _is_aside(clause, "", asked) or _of_another(clause, asked) else clause


def _of_another(clause: str, asked: Question) -> bool:
    """Whether a clause names what it gives the value of, and that is not what is sought."""
    named = {noun for _, noun in phrases.OTHER.findall(clause.lower())}
    return bool(asked.sought and named) and asked.sought not in named


def _is_aside(clause: str, before: str, asked: Question) -> bool:
    """Whether a clause tells of a value that is none of what is asked."""
    opening = _SENTENCE.split(before[-200:])[-1]
    masked = without_formulas(clause)
    if _MISTAKE.search(masked) and not _OWN_MISTAKE.search(masked):
        return True
    runs = [run.text for run in runs_of(clause)]
    if stance.WAVERING.search(clause) or phrases.WITHDRAWAL.search(clause) or "?" in masked:
        return False
    if not runs and in_digits(masked) == masked and not _TURNS.search(masked):
        return True
    if stance.WAVERING.search(opening) or _HELD.search(opening) or _GOES_ON.match(masked):
        return False
    if phrases.REJECTION.search(masked):
        return not _OWN_MISTAKE.search(masked)
    words = map(str.lower, _WORD.findall(masked))
    said = {word for word in words if word not in NAMES and dimension(word) is None} - _FILLERS
    names = {name for run in runs for name in _LETTER.findall(run)}
    heads = {fold(run.partition("=")[0]) for run in runs if "=" in run}
    if (asked.percent and "%" in clause) or any(asked.unit and in_unit(run, asked.unit) for run in runs):
        return False
    if _TAKEN_UP.search(masked) or (said & _SOLVED and _EQUATION.search(asked.lower)):
        return False
    beside, own = clause.lower().startswith("with "), said & _OWN or any(head in asked.folded for head in heads)
    if own or not (said or beside) or names & set(_LETTER.findall(asked.text)):
        return False
    if not asked.sought and not beside and not _ASKING.search(asked.lower):
        return False
    topic = set(map(_stem, asked.topic))
    named = topic & set(map(_stem, _WORD.findall(opening.lower())))
    known = topic if named else topic | set(map(_stem, asked.words))
    return not known & set(map(_stem, said))


def _stem(word: str) -> str:
    return word[:STEM].rstrip("s")
