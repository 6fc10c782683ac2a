"""What a text settles on: the last thing of the answer's kind that it says of the same subject, or calls its answer.

"X is the author. On reflection Y is the author." settles on Y, and so does "A sign read X. I would say Y."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from verifleet.verifiers.knowledge.dates import MONTHS
from verifleet.verifiers.knowledge.governed import OPENING
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token

# The writer's own choice, in so many words.
_CHOOSING = re.compile(
    r"\bi\s?(?:would|['’]d|will|['’]ll|now|still|do|must|have to)?\s+(?:now\s+|still\s+|rather\s+)?"
    r"(?:say|answer|reply|choose|pick|believe|hold|go with|stick with|settle on)\s+"
    r"(?:that\s+)?(?:it(?:\s+to\s+be|['’]s|\s+is|\s+was)\s+)?"
    r"|\b(?:my|the) (?:own |final |actual )?(?:answer|reply|response|choice|pick|verdict)\s+"
    r"(?:is|was|would be|must be|has to be)\s+"
    r"|\b(?:it|that|this) (?:has to|must|ought to) be\s+|\bhere we need\s+",
    re.IGNORECASE,
)
# "Until 1960 the books gave X. Since then they give Y."
_PAST_OPENING = re.compile(
    r"^\W*(?:until|till|formerly|originally|previously|initially|in the past|back then|in older|in earlier|once)\b"
    r"|\bin (?:older|earlier|previous|former|early) \w+\W*$",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:today|now|nowadays|these days|currently|since then|at present"
    r"|the (?:current|new|newer|latest|modern|present))\b",
    re.IGNORECASE,
)
_LINKING = frozenset("of de da du van von der la le el al in".split())
MAX_NAME_WORDS = 5
MAX_PLAIN_WORDS = 2
MAX_FRAME_WORDS = 12


def settled_otherwise(
    reading: Reading, kept: Sequence[Occurrence], answers: Collection[str], prompted: Prompted
) -> str:
    """`contradiction` if the text settles on another thing of the same kind behind the last of the places `kept`."""
    tokens = reading.tokens
    last = max(kept, key=lambda o: o.end)
    if prompted.plural or prompted.negative or last.end >= len(tokens):
        return ""
    end = tokens[last.end - 1].end
    said = {t.base for o in kept for t in tokens[o.start : o.end]} | {*answers, *prompted.words}
    behind = reading.text[end:]
    for match in _CHOOSING.finditer(behind):
        at = _token_at(tokens, end + match.end(), last.end)
        if _other(reading, at, last, said):
            return "contradiction"
    if _repeated(reading, last, said) or _outdated(reading, last, said, prompted):
        return "contradiction"
    return ""


def _token_at(tokens: Sequence[Token], offset: int, start: int) -> int:
    return next((i for i in range(start, len(tokens)) if tokens[i].start >= offset), len(tokens))


def _other(reading: Reading, at: int, answer: Occurrence, said: Collection[str]) -> bool:
    """Nothing but another thing of the answer's kind stands from token `at` to the end of its clause."""
    tokens = reading.tokens
    while at < len(tokens) and tokens[at].text in ARTICLES:
        at += 1
    if at >= len(tokens) or reading.sentences[reading.sentence_of[at]].barred:
        return False
    end = at + 1
    while end < len(tokens) and reading.sentence_of[end] == reading.sentence_of[at] and tokens[end].gap.isspace():
        end += 1
    return _same_kind(tokens[at:end], tokens[answer.start : answer.end], said)


def _same_kind(thing: Sequence[Token], answer: Sequence[Token], said: Collection[str]) -> bool:
    if any(t.base in said or t.text in FUNCTION_WORDS | OPENING for t in thing if t.text not in _LINKING):
        return False
    if any(t.number or t.text in MONTHS for t in answer):
        return len(thing) <= len(answer) + 1 and all(t.number or t.text in MONTHS for t in thing[: len(answer)])
    if all(t.capital or t.text in _LINKING for t in answer):
        return len(thing) <= MAX_NAME_WORDS and all((t.capital and not t.number) or t.text in _LINKING for t in thing)
    return len(thing) <= MAX_PLAIN_WORDS and not any(t.number or t.text.endswith("ly") for t in thing)


def _repeated(reading: Reading, answer: Occurrence, said: Collection[str]) -> bool:
    """`The author is X. The author is Y.`, `X is the author. Y is the author.`: the same frame with another filling."""
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[answer.start]]
    before = [t.text for t in tokens[sentence.start : answer.start] if t.text not in ARTICLES]
    after = [t.text for t in tokens[answer.end : sentence.end] if t.text not in ARTICLES]
    if len(before) > 2 and before[-1] in BE and len(before) <= MAX_FRAME_WORDS:
        for later in reading.sentences[reading.sentence_of[answer.start] + 1 :]:
            for be in range(later.start + 2, later.end - 1):
                frame = [t.text for t in tokens[later.start : be + 1] if t.text not in ARTICLES]
                if len(frame) > len(before):
                    break
                if tokens[be].text in BE and frame == before and _other(reading, be + 1, answer, said):
                    return True
    if len(after) > 1 and after[0] in BE and len(after) <= MAX_FRAME_WORDS and not before:
        return any(
            _ends_so(reading, s.start, s.end, after, answer, said) for s in reading.sentences if s.start >= answer.end
        )
    return False


def _ends_so(
    reading: Reading, start: int, end: int, frame: Sequence[str], answer: Occurrence, said: Collection[str]
) -> bool:
    """`[On reflection] Y is the author`: the sentence ends in the frame, with another thing right before it."""
    tokens = reading.tokens
    verbs = [i for i in range(start + 1, end) if tokens[i].text == frame[0]]
    for verb in verbs:
        if [t.text for t in tokens[verb:end] if t.text not in ARTICLES] != list(frame):
            continue
        first = verb - 1
        length = len(tokens[answer.start : answer.end])
        capital = tokens[answer.start].capital
        while (
            first > start
            and (tokens[first - 1].capital if capital else verb - first < length)
            and verb - first < MAX_NAME_WORDS
        ):
            if tokens[first].gap.strip() or tokens[first - 1].text in OPENING | FUNCTION_WORDS:
                break
            first -= 1
        return _same_kind(tokens[first:verb], tokens[answer.start : answer.end], said)
    return False


def _outdated(reading: Reading, answer: Occurrence, said: Collection[str], prompted: Prompted) -> bool:
    """Said of the past, with another thing said of today behind it, where the question is about today."""
    if {"was", "were", "did", "until", "before", "former", "formerly", "originally", "first"} & set(prompted.words):
        return False
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[answer.start]]
    before = reading.text[tokens[sentence.start].start : tokens[answer.start].start]
    start, end = reading.unit(answer.start)
    own = reading.text[tokens[start].start : tokens[end - 1].end]
    if not (_PAST_OPENING.match(before) or _PAST_OPENING.search(own)):
        return False
    offset = tokens[answer.end - 1].end
    match = _PRESENT.search(reading.text, offset)
    if match is None:
        return False
    at = _token_at(tokens, match.end(), answer.end)
    final = reading.sentences[reading.sentence_of[at]].end if at < len(tokens) else at
    return any(_other(reading, i, answer, said) for i in range(at, final) if tokens[i].text not in FUNCTION_WORDS)
