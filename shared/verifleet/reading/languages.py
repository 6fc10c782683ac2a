"""In which language a part of a report is, and which of its words say something in that."""

from __future__ import annotations

from functools import lru_cache

from verifleet.reading.legible import legible
from verifleet.reading.tokens import tokens
from verifleet.reading.words import fold, language_of, lemma, words_of

MAX_READ = 4_000
"""Characters of a report that tell its language."""


@lru_cache(maxsize=2048)
def _language(text: str) -> str:
    words = [token for token in tokens(legible(text[:MAX_READ])) if token.kind == "word"]
    capital = [False, *(token.text[:1].isupper() for token in words), False]
    named = (capital[at : at + 3] == [True, False, True] for at in range(len(words)))  # "Rua das Flores" is no German
    low = [token.low for token, inside in zip(words, named, strict=True) if not inside]
    return language_of(low, "".join(low))


def spoken_in(text: str, whole: str) -> str:
    """The language of a part of a report: a short part is told by all of it."""
    own = _language(text)
    return own if own not in ("", "en") else _language(whole) or own


@lru_cache(maxsize=4096)
def content(text: str, spoken: str) -> frozenset[str]:
    """The lemmas of the words of a text that are no small ones."""
    words = (fold(token.low) for token in tokens(text) if token.kind in ("word", "tag"))
    return frozenset(lemma(word, spoken) for word in words if word not in words_of(spoken, "stop"))


def small_words(text: str, spoken: str) -> int:
    """How many words of a text are small ones of a language: of fewer than two hardly anybody can tell which it is."""
    return sum(token.low in words_of(spoken, "stop") for token in tokens(text) if token.kind == "word")
