"""Word lists that are looked up token by token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

SHORTEST_STEM = 3


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words, beginnings of words and phrases, each with the names that it stands for."""

    words: Mapping[str, tuple[str, ...]]
    stems: Mapping[str, tuple[tuple[str, str], ...]]
    """(stem, name) by the stem's first letters."""
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]

    @classmethod
    def of(cls, entries: Mapping[str, str]) -> Lexicon:
        """Build from {name: "word,stem*,a phrase"}."""
        words: dict[str, tuple[str, ...]] = {}
        stems: dict[str, tuple[tuple[str, str], ...]] = {}
        phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {}
        for name, listed in entries.items():
            for entry in filter(None, listed.split(",")):
                first, *rest = entry.split()
                if rest:
                    phrases[first] = (*phrases.get(first, ()), (tuple(rest), name))
                elif entry.endswith("*"):
                    stems[entry[:SHORTEST_STEM]] = (*stems.get(entry[:SHORTEST_STEM], ()), (entry[:-1], name))
                else:
                    words[entry] = (*words.get(entry, ()), name)
        return cls(words, stems, phrases)

    def names(self, tokens: Sequence[str]) -> Iterator[str]:
        """The names that the tokens stand for, in order, as often as they occur."""
        for index, token in enumerate(tokens):
            yield from self.words.get(token, ())
            for stem, name in self.stems.get(token[:SHORTEST_STEM], ()):
                if token.startswith(stem):
                    yield name
            for rest, name in self.phrases.get(token, ()):
                ahead = tokens[index + 1 : index + 1 + len(rest)]
                if len(ahead) == len(rest) and all(map(_fits, ahead, rest)):
                    yield name


def _fits(token: str, word: str) -> bool:
    return token == word or (word[-1] == "*" and token.startswith(word[:-1]))
