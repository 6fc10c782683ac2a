"""Texts in scripts without capitals, whose names can't be told from words: Chinese, Japanese, Korean, Arabic, Hindi.

Such a text answers with what its first clause that denies nothing puts forward: what the clause begins or ends with, or
what stands behind a mark of the topic or before "is".
"""

from __future__ import annotations

import re

from verifleet.verifiers.knowledge.lists import language_tables
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import once

_CASELESS = re.compile(r"[\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CASED = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")
_MARKS = {name: "|".join(told.split(",")) for name, told in language_tables()["caseless"].items()}
_DENIED = re.compile(_MARKS["denied"])
_STOPS = ",，、。．;；：:!！?？\n؛،।"
_IN_NUMBER = r"(?:(?<=\d),(?=\d)|(?:(?<=\D\d)|(?<=\D\d\d)),(?= \d{4}))"  # "July 20, 1969"
_STOP = rf"(?!{_IN_NUMBER})[{_STOPS}]"
_CLAUSE = re.compile(rf"(?:{_IN_NUMBER}|[^{_STOPS}])+?(?:(?:{_MARKS['denied behind']})|(?={_STOP}|\Z))")
_TOPIC = re.compile(rf"(?:^|{_MARKS['topic']})[\s「『《\"'“]*(?:\S{{1,20}}[(（])?\Z")
"""Also what stands in brackets behind a name there: `首都是渥太华(Ottawa)`."""
_ENDS = re.compile(rf"[\s」』》\"'”)*_]*(?:{_MARKS['is']})")
_SUFFERS = re.compile(_MARKS["object"])


def is_caseless(reading: Reading) -> bool:
    """Whether most letters of a text are of a script without capitals."""

    def counted() -> bool:
        found = len(_CASELESS.findall(reading.text))
        return found > 0 and found > len(_CASED.findall(reading.text))

    return once(reading.tokens, "caseless", counted)


def is_aside(reading: Reading, place: Occurrence, since: int) -> bool:
    """Whether a text without capitals, read from an offset on, does not put forward what stands at a place."""
    start, end = reading.tokens[place.start].start, reading.tokens[place.end - 1].end
    clauses = (m for m in _CLAUSE.finditer(reading.text, max(0, since)) if m.group().strip())
    labels = (m for m in clauses if not (m.end() <= start and reading.text[m.end() : m.end() + 1] in (":", "：")))
    first = next((m for m in labels if not _DENIED.search(m.group())), None)
    if first is None or not first.start() <= start < first.end():
        return True
    before, behind = reading.text[first.start() : start].strip(), reading.text[end : first.end()]
    return not (_ENDS.match(behind) or (_TOPIC.search(before) and not _SUFFERS.match(behind)))
