"""A text as the pieces of words that the encoder knows: lower case, without accents, the longest piece first.

The rules are those of BERT's uncased tokenizer (Devlin et al. 2019, https://arxiv.org/abs/1810.04805).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

UNKNOWN = "[UNK]"
MAX_WORD_CHARS = 100
"""Characters of a word up to which it is taken apart; a longer one is unknown."""


def pieces(text: str, vocabulary: Mapping[str, int]) -> list[int]:
    """The numbers of a text's pieces in a vocabulary, in which what continues a word begins with `##`."""
    return [number for word in _words(text) for number in _taken_apart(word, vocabulary)]


def _words(text: str) -> Iterator[str]:
    """The words and signs of a text."""
    for part in _plain(text).split():
        word = ""
        for char in part:
            if _is_sign(char):
                if word:
                    yield word
                yield char
                word = ""
            else:
                word += char
        if word:
            yield word


def _plain(text: str) -> str:
    """A text in lower case without accents, control characters and lone surrogates."""
    spread = unicodedata.normalize("NFD", text.lower())
    kept = (" " if char in "\t\n\r" else char for char in spread if unicodedata.category(char) != "Mn")
    return "".join(char for char in kept if unicodedata.category(char)[0] != "C")


def _is_sign(char: str) -> bool:
    """Punctuation, any other printable sign of ASCII, and an ideograph, which is a word by itself."""
    ascii_sign = char < "\x80" and not (char.isalnum() or char.isspace())
    return ascii_sign or "\u4e00" <= char <= "\u9fff" or unicodedata.category(char)[0] == "P"


def _taken_apart(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    if len(word) > MAX_WORD_CHARS:
        return [vocabulary[UNKNOWN]]
    found: list[int] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), start)
        if end == start:
            return [vocabulary[UNKNOWN]]
        found.append(vocabulary[mark + word[start:end]])
        start = end
    return found
