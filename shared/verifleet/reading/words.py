"""What words mean: the data files as look-ups. Folding, stems, states, things counted, hazards, in six languages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "es", "fr", "de", "it", "pt")
"""The languages that are read."""
MAX_WORD = 60
NO_LONGER = "no longer"
"""Lemma of the idioms that tell that what stands beside them is so no more."""
IDIOM_GAP = 8
"""Words between the parts of an idiom: "is not closed any more"."""
_THAN = frozenset("than de di que do als d'un d'une".split())
MAX_WORDS, _AROUND = 60, ".,;:!?'\"#()-“”‘’"
"""Words of a clause that are looked at, and marks around them."""
_STROKES = str.maketrans("łŁøØđĐıħĦ", "lLoOdDihH")
"""Letters with a stroke, which are no letter and an accent: Łódź, Tromsø."""
RELATIVE = frozenset("that which who que quien che qui quem dass".split())
JOINTS = RELATIVE | frozenset(
    "and but or because as while since after before if when where although so y o pero porque mientras cuando donde "
    "aunque e ma perche mentre quando dove et mais ou car lorsque und oder aber weil wahrend mas enquanto onde".split()
)
"""What a further predication of a clause begins with."""
AUXILIARIES = frozenset(
    "is are was were be been being has have had do does did will would can could may might must says say said hit hits "
    "es son fue fueron ser estan esta ha han hay sera dice deja dejo e sono era stato stata hanno c'e foi foram sao "
    "est sont etait a ont ete ist sind war waren hat haben wird werden wurde wurden gets get got goes went".split()
)
"""Verbs that stand beside others, and those that are told with any subject."""
INSIDE = frozenset("de del la of di da do du".split())
"""Small words within names."""


@dataclass(frozen=True, slots=True)
class Sense:
    """What a word means: the states, things counted, hazards and other concepts that it may name, "" for none."""

    state: str = ""
    noun: str = ""
    hazard: str = ""
    concept: str = ""

    @property
    def name(self) -> str:
        """The one word for it in all languages."""
        return self.state or self.hazard or self.concept or self.noun


NOTHING = Sense()


@dataclass(frozen=True, slots=True)
class Table:
    """Words of one language, whole ones and beginnings, each with what they stand for."""

    whole: Mapping[str, str]
    starts: Mapping[str, str]

    def find(self, word: str) -> str:
        """What a folded word stands for; "" when it is not known."""
        found = self.whole.get(word)
        if found is not None:
            return found
        for length in range(min(len(word), 14), 2, -1):
            found = self.starts.get(word[:length])
            if found is not None:
                return found
        return ""


def fold(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    return unaccented(text.casefold())


def unaccented(text: str) -> str:
    """The text without accents, and without the strokes of letters."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text).translate(_STROKES)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def data(name: str) -> dict[str, Any]:
    """A data file of the package."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("data", f"{name}.json").read_text("utf-8"))
    return found


@cache
def tables(language: str) -> tuple[Table, Table, Table, Table]:
    """States, nouns, hazards and other concepts of a language; of all languages for ""."""
    lexicon = data("lexicon")
    kinds = (lexicon["states"], lexicon["nouns"], lexicon["hazards"], lexicon["concepts"])
    made = [table(kind, language) for kind in kinds]
    return made[0], made[1], made[2], made[3]


def table(kind: Mapping[str, str], language: str) -> Table:
    """Lists of words by what they mean as a look-up, of one language: those for all, and its own."""
    whole: dict[str, str] = {}
    starts: dict[str, str] = {}
    for name, words in kind.items():
        for entry in words.split():
            word, _, only = entry.partition(":")
            if only and only.rstrip("*") != language:
                continue
            if entry.endswith("*"):
                starts.setdefault(fold(word.rstrip("*")), name)
            else:
                whole.setdefault(fold(word), name)
    return Table(whole, starts)


@lru_cache(maxsize=32768)
def sense(word: str, language: str) -> Sense:
    """What a folded word of a language means."""
    if len(word) < 2 or len(word) > MAX_WORD:
        return NOTHING
    states, nouns, hazards, concepts = (table.find(word) for table in tables(language))
    return Sense(states, nouns, hazards, concepts) if states or nouns or hazards or concepts else NOTHING


@cache
def words_of(language: str, kind: str) -> frozenset[str]:
    """A list of function words of a language."""
    if language not in LANGUAGES:
        return frozenset()
    return frozenset(fold(word.replace("-", " ")) for word in data("languages")[language][kind].split())


@cache
def endings_of(language: str) -> tuple[str, ...]:
    """How verbs of the past and the future end in a language, accents kept."""
    return tuple(data("languages")[language]["finite"].split()) if language in LANGUAGES else ()


@cache
def phrases_of(language: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """A list of phrases of a language, each as folded words, the longest first."""
    if language not in LANGUAGES:
        return ()
    listed = data("languages")[language].get(kind, "").split("|")
    made = {tuple(fold(phrase).replace("'", "").replace(".", "").split()) for phrase in listed if phrase}
    return tuple(sorted(made, key=lambda phrase: (-len(phrase), phrase)))


@cache
def offices() -> frozenset[str]:
    """Words for offices and bodies that speak: "minister", "police"."""
    return frozenset(data("languages")["offices"].split())


@cache
def _idioms() -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """Several words that have one lemma, by the first of them."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, listed in data("lexicon")["idioms"].items():
        for phrase in (tuple(fold(told).split()) for told in listed.split("|")):
            found.setdefault(phrase[0], []).append((phrase[1:], name))
    return found


def idioms_in(words: Sequence[str]) -> Iterator[tuple[Sequence[int], str]]:
    """The idioms in the folded words of a clause: the places of their words, and their lemma."""
    for at, word in enumerate(words):
        first = "ne" if word.startswith("n'") else "not" if word.endswith("n't") else word
        for rest, name in _idioms().get(first, ()):
            gap, last = rest[0] == "*", rest[-1] == "$"
            after = rest[gap : len(rest) - last]
            for start in range(at + 1, at + 2 + gap * IDIOM_GAP):
                end = start + len(after)
                behind = words[end : end + 1]
                if tuple(words[start:end]) == after and not (behind and (last or (gap and behind[0] in _THAN))):
                    yield (at, *range(start, end)), name
                    break


@lru_cache(maxsize=32768)
def stem(word: str, language: str) -> str:
    """A folded word without its ending, roughly: enough to tell that two forms are one word."""
    if len(word) < 4:
        return word
    if language in ("en", ""):
        for ending, put in (("ies", "y"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", ""), ("ly", ""), ("s", "")):
            if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
                cut = word[: -len(ending)] + put
                return cut[:-1] if len(cut) > 3 and cut[-1] in "e" else cut
        return word[:-1] if word.endswith("e") and len(word) > 4 else word
    if language == "de":
        for ending in ("en", "er", "es", "em", "e", "n", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)]
        return word
    cut = word.removesuffix("s")
    while len(cut) > 4 and cut[-1] in "aeoi":
        cut = cut[:-1]
    return cut


@lru_cache(maxsize=32768)
def lemma(word: str, language: str) -> str:
    """The one name of a folded word: its meaning where it is known in several languages, else its stem."""
    return sense(word, language).name or stem(word, language)


def spoken(pattern: str) -> re.Pattern[str]:
    """A pattern of phrases: in it a blank is any white space and a line's end nothing; upper or lower case."""
    return re.compile("".join(map(str.strip, pattern.splitlines())).replace(" ", r"\s+"), re.IGNORECASE)


@cache
def _votes() -> Mapping[str, tuple[str, ...]]:
    spoken: dict[str, list[str]] = {}
    for language in LANGUAGES:
        counted = frozenset(fold(word) for word in data("languages")[language]["numbers"])
        for word in (
            words_of(language, "stop") | words_of(language, "negation") | words_of(language, "typical") | counted
        ):
            spoken.setdefault(word, []).append(language)
    for language, words in data("languages")["unread"].items():
        for word in words.split():
            spoken.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in spoken.items()}


def language_of(words: list[str], letters: str) -> str:
    """The language of folded words, "" when it is none of those that are read; `letters` are those of the text."""
    foreign = sum(ord(letter) > 0x24F for letter in letters)
    if foreign * 2 > len(letters):
        return ""
    score: dict[str, float] = {}
    votes = _votes()
    for word in words[:400]:
        languages = votes.get(word, ())
        for language in languages:
            score[language] = score.get(language, 0.0) + 1.0 / len(languages)
    spoken = bool(score)
    score.setdefault("en", 0.0)
    best = max(score, key=lambda name: (score[name], name == "en"))
    if score[best] <= score["en"] + 0.01:
        best = "en"
    if not spoken and len(words) > 3 and not any(sense(word, "en").name for word in words[:40]):
        return ""
    return best if best in LANGUAGES else ""


@lru_cache(maxsize=64)  # those of a clause are asked for by each kind of fact
def plain_words(text: str) -> tuple[str, ...]:
    """The folded words of a text without the marks around them, MAX_WORDS at most."""
    return tuple(fold(word).strip(_AROUND) for word in text.split()[:MAX_WORDS])


def to_come(words: Sequence[str]) -> list[bool]:
    """For each word whether it is told as to come: "to make landfall", "landfall expected"."""
    around = zip(["", *words], [*words[1:], ""], strict=False)
    return [before in _listed("to come") or behind in _listed("awaited") for before, behind in around]


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(data("lexicon")[name].split())
