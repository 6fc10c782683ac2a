"""Other languages: which one a text is in, and its words by the English ones that do their work.

A sentence so put is read as an English one: `no la escribió X, sino Y` is `not the wrote X, but Y`. Of Chinese,
Japanese and the like a few classes of words are known. Folded, as tokens are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from verifleet.reading.spelling import spoken
from verifleet.verifiers.knowledge.lists import exonyms, language_tables, listed, table
from verifleet.verifiers.knowledge.tokens import PARTICLES, Token, fold, once

COPULAS = listed("languages.copulas")
FRAME = frozenset("de das del der die el la le les il elle ce isso este esta это конечно да si oui ja sim".split())
NOT = frozenset("non pas nicht kein keine keinen nao не 不 没 沒 非 ni".split())
"""`no` is Spanish only before one of the copulas, or behind a comma."""
IN = frozenset("en em a in im à au".split())
OR = frozenset("o ou oder или либо 或 または か".split())
UNSURE = re.compile("|".join(language_tables()["unsure"]), re.IGNORECASE)
"""`no sé`, `je ne sais pas`: an answer that is left open, in any of the languages."""
_NO = "no|non|nein|não|nee|nej|nei|nie|ne|ei|нет|хотя нет|hayır|bukan|anzi no|of nee|eh"
_SORRY = "|".join(language_tables()["sorry"])
TAKEN_BACK = re.compile(
    rf"[.…—–,;:-]\s*(?:(?:{_NO})[,.…]?\s+)?(?:{_SORRY})\b[^.:]{{0,40}}?[,.:;…—–]?\s"
    rf"|{'|'.join(language_tables()['taken_back'])}",
    re.IGNORECASE,
)
"""`no, perdón:`, `nein, Moment,`: what stands before is taken back."""
MAYBE = frozenset("quizas quiza tal peut vielleicht talvez soit либо возможно может 可 許 许".split())
"""`tal vez`, `peut-être`, `soit ... soit`, `可能`."""
DENIED_BEHIND = re.compile(r"^[\"'”’*_»」』)]*\s?(?:[A-Za-z°]{1,3}\s?)?(?:(?:では|じゃ)(?:な|あり)|不是)")

_ENGLISH = listed("languages.english")
_GIVEN = table("names.nicknames").keys() - {"la", "le", "el", "al"}
MIN_STEM = 4
"""Letters by which a deed is told, and a name in another case."""
_LONGEST_ENDING = 5


@cache
def _glossaries() -> dict[str, dict[str, str]]:
    """The English word of each word, by language."""
    return {
        language: {fold(word): english for english, told in words.items() for word in told.split()}
        for language, words in language_tables()["words"].items()
    }


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    words = {word for glossary in _glossaries().values() for word in glossary}
    return {word: tuple(name for name, own in _glossaries().items() if word in own) for word in words}


@cache
def _deeds() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """English deeds by whole words, and by stems."""
    told = [(fold(w), deed) for deed, words in language_tables()["deeds"].items() for w in words.split()]
    return dict(told), tuple((w.removesuffix("-"), deed) for w, deed in told if w.endswith("-"))


@lru_cache(maxsize=4096)
def _deed(word: str) -> str:
    whole, stems = _deeds()
    if word in whole:
        return whole[word]
    if len(word) < MIN_STEM:
        return ""
    return next((d for stem, d in stems if word.startswith(stem) and len(word) - len(stem) <= _LONGEST_ENDING), "")


def language_of(words: Collection[str]) -> str:
    """The language whose words are more than those of English and of any other; empty for English, or if none is."""
    told = {*words}
    foreign = [word for word in told & _languages_of().keys() if len(word) > 1 or not word.isascii()]
    counts = Counter(language for word in foreign for language in _languages_of()[word])
    if "o" in told and "pt" in counts:
        counts["pt"] += 1  # an article there, "or" in others
    language, hits = max(sorted(counts.items()), key=lambda item: item[1], default=("", 0))
    return language if hits > len(told & _ENGLISH) else ""


def language_in(tokens: Sequence[Token]) -> str:
    """The same of a text's tokens that are no part of a name; kept with those of a response."""
    told = (t.text for n, t in enumerate(tokens) if not _is_of_a_name(tokens, n))
    return once(tokens, "language", lambda: language_of({*told}))


def _is_of_a_name(tokens: Sequence[Token], at: int) -> bool:
    """`Hans`, which is "his" in Danish, and the "da" of `Leonardo da Vinci`, which is "when"."""
    inside = tokens[at].text in PARTICLES and [t.capital for t in tokens[max(0, at - 1) : at + 2 : 2]] == [True, True]
    return inside or (tokens[at].capital and tokens[at].text in _GIVEN)


def is_english(tokens: Sequence[Token]) -> bool:
    """Whether a text has English words, and no more of another language."""
    told = once(tokens, "english words", lambda: any(t.text in _ENGLISH for t in tokens))
    return told and not language_in(tokens)


def english_of(word: str, language: str) -> str:
    """The English word for a function word, deed or small number; empty if it is none that is known."""
    return _glossaries()[language].get(word) or _deed(word)


def in_english(tokens: Sequence[Token], language: str, asked: Collection[str]) -> list[Token]:
    """The tokens with the words that are known in English, names of the question too; what they stand for stays."""
    names = {other: word for word in asked for other in exonyms().get(word, ()) if " " not in other}
    told = ((t, english_of(t.text, language) or english_of(t.base, language)) for t in tokens)
    made = [replace(t, text=e, base=e, capital=False, number=e.isdigit()) if e and not t.number else t for t, e in told]
    named = ((t, _name_of(t, names, language) if t.capital else "") for t in made)
    return [replace(t, text=name, base=name) if name else t for t, name in named]


def _name_of(token: Token, names: Mapping[str, str], language: str) -> str:
    declines = endings_of(language)
    known = (word for other, word in names.items() if declines and declined(token.text, other, language))
    return names.get(token.text) or names.get(token.base) or next(known, "")


@cache
def endings_of(language: str) -> frozenset[str]:
    """Endings of names in another case: `Александром`, `Sienkiewicza`."""
    return frozenset(language_tables()["endings"].get(language, "").split())


def declined(word: str, name: str, language: str) -> bool:
    """`Пушкиным` for `Пушкин`: a name with an ending of its language."""
    stem = name.rstrip("aeiouyаеиоуыяьηαοςσ") if len(name) > MIN_STEM else name
    if len(stem) < MIN_STEM - 1 or not word.startswith(stem):
        return False
    return word[len(stem) :] in endings_of(language) or word == stem


_COGNATE_ENDINGS = frozenset("o a e i io us os is es s as um on en eo ee".split()) | {""}
MIN_COGNATE = 5


def cognate(word: str, name: str) -> bool:
    """`palindromo` for palindrome, `Thésée` for Theseus: one word with two languages' endings."""
    if min(len(word), len(name)) >= MIN_COGNATE and word != name and not spoken(word).isdisjoint(spoken(name)):
        return True  # "aracnofobia"
    if min(len(word), len(name)) < MIN_COGNATE or word[:MIN_STEM] != name[:MIN_STEM]:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    ends = {word[at:], name[at:]}
    return at >= len(name) - 2 and ends <= _COGNATE_ENDINGS and not ends <= {"", "s", "es"} and ends != {"a", "o"}
