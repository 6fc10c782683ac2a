"""Find the stored question that a prompt asks, through a small index protocol.

Precision first: the content must be equal in order, apart from one phrase that moved ("in 1998, who ..."), one
misspelt word that the base does not know as a word, and one question word that is compatible. Anything else, such as
another year, name or relation, is a miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from string import ascii_lowercase
from typing import Protocol

from verifleet.verifiers.knowledge.questions import (
    FUNCTION_WORDS,
    Question,
    normal_word,
    parse_words,
    question_words,
)

MAX_CANDIDATES = 64
_LABEL = re.compile(r"(?:^|\n)\s*(?:question|q|query)\s*[:：]\s*([^\n]+)", re.IGNORECASE)
_ASKING = re.compile(r"[^.!?\n]{3,1000}\?")
_SURFACE = re.compile(r"[^\w]+")
_MAX_PROMPT = 20_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored question: its id in the index and its text."""

    id: int
    question: str


class QuestionIndex(Protocol):
    """What an index can do: find by the hash of a key, and tell which words occur at all."""

    def has(self, id: int) -> bool:
        """Whether a question with this surface id is stored."""
        ...

    def by_key(self, key: int, limit: int) -> Sequence[Stored]:
        """Stored questions under a key hash, at most `limit`."""
        ...

    def known_words(self, words: Iterable[str]) -> set[str]:
        """Those of the words that occur in any stored question."""
        ...


def surface_id(text: str) -> int:
    """63-bit hash of a question's letters and digits in lower case: equal for equal texts but for punctuation."""
    return _hash(_SURFACE.sub(" ", text.casefold()).strip())


def index_keys(question: Question) -> tuple[int, int]:
    """Hashes under which a question is indexed: its ordered content, and its content without order."""
    return _hash("key:" + question.key), _hash("bag:" + question.bag)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> 1


def find_question(prompt: str, index: QuestionIndex) -> int | None:
    """The id of the stored question that the prompt asks, or None."""
    for text in _phrasings(prompt[:_MAX_PROMPT]):
        id = surface_id(text)
        if index.has(id):
            return id
        found = _find(text, index)
        if found is not None:
            return found
    return None


def _phrasings(prompt: str) -> Iterator[str]:
    """The prompt itself, then what stands behind "Question:", then its last sentences that end in a question mark."""
    yield prompt
    labelled = _LABEL.findall(prompt)
    if labelled:
        yield labelled[-1]
    asking = [m.strip() for m in _ASKING.findall(prompt)]
    for text in reversed(asking[-3:]):
        if text != prompt.strip():
            yield text


def _find(text: str, index: QuestionIndex) -> int | None:
    words = question_words(text)
    question = parse_words(words)
    if not question.words:
        return None
    for variant in _variants(question):
        found = _choose(variant, words, index)
        if found is not None:
            return found
    return _corrected(words, question, index)


def _variants(question: Question) -> Iterator[Question]:
    yield question
    if question.words[0] == "city" and "capital" in question.words:
        yield Question(question.words[1:], question.asked, "city")


def _choose(question: Question, words: Sequence[str], index: QuestionIndex) -> int | None:
    key, bag = index_keys(question)
    found = _closest(question, words, index.by_key(key, MAX_CANDIDATES))
    if found is not None or len(question.words) < 2:
        return found
    moved = [s for s in index.by_key(bag, MAX_CANDIDATES) if _phrase_moved(question, _parse(s.question))]
    return _closest(question, words, moved)


def _parse(text: str) -> Question:
    return parse_words(question_words(text))


def _closest(question: Question, words: Sequence[str], candidates: Sequence[Stored]) -> int | None:
    """Of the compatible candidates the one whose wording is nearest; none if two are equally near."""
    fitting = [c for c in candidates if compatible(question, _parse(c.question))]
    if len(fitting) < 2:
        return fitting[0].id if fitting else None
    ranked = sorted((_difference(words, question_words(c.question)), c.id) for c in fitting)
    return ranked[0][1] if ranked[0][0] < ranked[1][0] else None


def _difference(a: Sequence[str], b: Sequence[str]) -> int:
    return len(set(a) ^ set(b))


def compatible(a: Question, b: Question) -> bool:
    """Whether two question words may ask for the same: equal, or one not said at all."""
    if a.asked == b.asked:
        return True
    return "" in (a.asked, b.asked) and len(a.words) > 1


def _phrase_moved(a: Question, b: Question) -> bool:
    """The same words, but one phrase with a preposition changed ends: "in 1998 who won", "who won in 1998"."""
    if len(a.words) != len(b.words):
        return False
    for split in range(1, len(a.words)):
        if a.words[split:] + a.words[:split] == b.words:
            moved = len(a.words) - split
            return (split in a.movable or 0 in a.movable) and (moved in b.movable or 0 in b.movable)
    return False


# --- misspelt words ------------------------------------------------------------------


def _corrected(words: tuple[str, ...], question: Question, index: QuestionIndex) -> int | None:
    """Exactly one word that the base does not know, and exactly one question that it can mean."""
    normal = {w: normal_word(w) for w in words if w not in FUNCTION_WORDS}
    known = index.known_words(set(normal.values()))
    unknown = [i for i, w in enumerate(words) if w in normal and normal[w] not in known and w != "'s"]
    if not unknown or len(unknown) > 2 or (len(unknown) == 2 and unknown[1] - unknown[0] != 1):
        return None
    found: set[int] = set()
    for repaired in _repairs(words, unknown, index):
        other = parse_words(repaired)
        if other.words:
            match = _choose(other, repaired, index)
            if match is not None:
                found.add(match)
    return found.pop() if len(found) == 1 else None


def _repairs(words: tuple[str, ...], unknown: Sequence[int], index: QuestionIndex) -> Iterator[tuple[str, ...]]:
    at = unknown[0]
    word = words[at]
    if any(c.isdigit() for i in unknown for c in words[i]) or len(word) > 40:
        return
    if len(unknown) == 2:
        joined = word + words[at + 1]
        if index.known_words({normal_word(joined)}):
            yield (*words[:at], joined, *words[at + 2 :])
        return
    edits = set(_edits(word)) if len(word) > 2 else set()
    known = index.known_words(
        {normal_word(e) for e in edits} | {w for i in range(1, len(word)) for w in _halves(word, i)}
    )
    for edit in sorted(edits):
        if edit in FUNCTION_WORDS or normal_word(edit) in known:
            yield (*words[:at], edit, *words[at + 1 :])
    for i in range(1, len(word)):
        left, right = word[:i], word[i:]
        if all(h in FUNCTION_WORDS or normal_word(h) in known for h in (left, right)):
            yield (*words[:at], left, right, *words[at + 1 :])
    for neighbour in (at - 1, at + 1):
        if 0 <= neighbour < len(words):
            first = min(at, neighbour)
            joined = words[first] + words[first + 1]
            if joined.isalpha() and index.known_words({normal_word(joined)}):
                yield (*words[:first], joined, *words[first + 2 :])


def _halves(word: str, at: int) -> tuple[str, str]:
    return normal_word(word[:at]), normal_word(word[at:])


def _edits(word: str) -> Iterator[str]:
    """All words at Damerau-Levenshtein distance one."""
    for i in range(len(word) + 1):
        head, tail = word[:i], word[i:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
