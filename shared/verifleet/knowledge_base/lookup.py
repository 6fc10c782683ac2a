"""Find the stored question that a prompt asks, through a small index protocol.

Precision first: the content must be equal in order, apart from one phrase that moved ("in 1998, who ..."), one
misspelt word that the base does not know as a word, and one question word that is compatible. Anything else, such as
another year, name or relation, is a miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.questions import (
    FUNCTION_WORDS,
    Question,
    normal_word,
    parse_words,
    question_words,
)

MAX_CANDIDATES = 64
MAX_WORD = 40
MIN_CONTEXT = 3
MAX_RENAMED_WORDS = 40
# Each word of a misspelt question may be tried in many spellings; nobody asks a fact in more words than this.
MAX_CORRECTED_WORDS = 60
_LABEL = re.compile(r"(?:^|\n)[ \t]{0,20}(?:question|q|query)[ \t]{0,5}[:：]\s{0,5}([^\n]+)", re.IGNORECASE)
_ASKING = re.compile(r"[^.!?\n]{3,1000}\?")
# "For a quiz: ", "Be honest, ": an opening clause of such words alone says nothing of the question behind it.
_OPENING_CLAUSE = re.compile(r"\s*([^,:;.!?\n–—-]{1,60})[,:;.!–—-]+\s*(?=\S)")
_OPENING_WORDS = FUNCTION_WORDS | listed("lookup.opening_words")
# Other names of countries, as folded words: asked by one name, a question may be stored under another.
_COUNTRY_NAMES = tuple(
    tuple(tuple(name.split()) for name in f"{first},{others}".split(","))
    for first, others in table("lookup.country_names").items()
)
_NAMING = frozenset("called former formerly old previously rename renamed known become became".split())
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
        """Those of the normal words that occur in any stored question."""
        ...

    def near_words(self, words: Iterable[str]) -> Mapping[str, Iterable[str]]:
        """For each word, as written, those of the stored questions that are one edit away."""
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
    for text in _phrasings(prompt[:_MAX_PROMPT]):
        for words in _renamed(question_words(text)):
            found = _match(words, index)
            if found is not None:
                return found
    return None


def _renamed(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words with a country called by each of its other names; longer names first, so that none is cut."""
    if len(words) > MAX_RENAMED_WORDS or _NAMING & set(words):
        return  # "the former name of X" is another question for each name
    for names in _COUNTRY_NAMES:
        for name in sorted(names, key=len, reverse=True):
            at = _position(words, name)
            if at is not None:
                rest = words[at + len(name) :]
                yield from ((*words[:at], *other, *rest) for other in names if other != name)
                break


def _position(words: Sequence[str], name: Sequence[str]) -> int | None:
    if not set(name) <= set(words):
        return None
    return next((i for i in range(len(words)) if tuple(words[i : i + len(name)]) == tuple(name)), None)


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
    for text in (prompt, *reversed(asking[-3:])):
        rest = _without_opening(text)
        if rest != text:
            yield rest


def _without_opening(text: str) -> str:
    """The text behind opening clauses that only address or explain."""
    for _ in range(3):
        match = _OPENING_CLAUSE.match(text)
        if match is None or not all(w in _OPENING_WORDS for w in question_words(match.group(1))):
            break
        text = text[match.end() :]
    return text


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
    ranked = sorted((len({*words} ^ {*question_words(c.question)}), c.id) for c in fitting)
    return ranked[0][1] if ranked[0][0] < ranked[1][0] else None


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


def spelling_keys(word: str) -> set[int]:
    """40-bit hashes of a word and of the word without each one of its letters.

    Two words within one edit (a letter more, less, other, or two swapped) share one of them; what shares one still
    has to be compared.
    """
    forms = {word[:i] + word[i + 1 :] for i in range(len(word))} | {word}
    return {_hash("spelling:" + form) & 0xFF_FFFF_FFFF for form in forms}


def spellable(word: str) -> bool:
    """Whether a word may be misspelt: letters only, of a usual length."""
    return 2 <= len(word) <= MAX_WORD and word.isalpha()


def _corrected(words: tuple[str, ...], question: Question, index: QuestionIndex) -> int | None:
    """One word corrected so that exactly one stored question fits.

    If the base does not know exactly one of the words, that one is misspelt. If it knows all of them, one may have
    become another word ("who lays" for "who plays"), but only a long question tells that from a different question.
    """
    if len(words) > MAX_CORRECTED_WORDS:
        return None
    content = {w: n for w in words if (n := normal_word(w)) in question.words}
    known = index.known_words(set(content.values()))
    unknown = [i for i, w in enumerate(words) if w in content and content[w] not in known]
    if len(unknown) > 1 or any(words[i] in FUNCTION_WORDS for i in unknown):
        return None  # "not" is no misspelling of anything
    long = len(question.words) > MIN_CONTEXT
    places = unknown or [i for i, w in enumerate(words) if long and w in content and w not in FUNCTION_WORDS]
    found = {match for repaired in _respelt(words, places, index) if (match := _match(repaired, index)) is not None}
    return found.pop() if len(found) == 1 else None


def _match(repaired: tuple[str, ...], index: QuestionIndex) -> int | None:
    # Read anew: the corrected word may be part of a number or of "United States of America".
    words = question_words(" ".join(repaired).replace(" 's", "'s"))
    question = parse_words(words)
    return _choose(question, words, index) if question.words else None


def _respelt(words: tuple[str, ...], places: Sequence[int], index: QuestionIndex) -> Iterator[tuple[str, ...]]:
    near = index.near_words({words[i] for i in places if spellable(words[i])})
    for at in places:
        for other in sorted(near.get(words[at], ())):
            yield (*words[:at], *question_words(other), *words[at + 1 :])
