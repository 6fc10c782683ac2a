"""Small spelling slips that leave no doubt which word was meant, and names of which a part is left out."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from verifleet.reading.words import data

MIN_LETTERS = 6
"""Shorter words are too close to one another."""
MIN_SURNAME = 5
"""A surname behind the right given name may be a little shorter."""
MIN_SPOKEN = 4
MIN_CONSONANTS = 3
"""Of a surname that is written in another way behind the right given name; one word alone needs two more."""
# "chloride" and "chlorine", "sulfate" and "sulfite" are different things.
_CHEMICAL = ("ate", "ite", "ide", "ine", "ane", "ene", "yne", "ose", "ase")
_PREFIXES = (("ab", "ad"), ("ante", "anti"))
# How one sound is written in English, German, French, Polish and Latin letters for Russian, longest first.
_SOUNDS = tuple(pair.split("=") for pair in (
    "schtsch=s shch=s tsch=s tch=s sch=s sh=s cz=s sz=s tz=s ts=s zh=s z=s x=ks th=t dh=d ph=f kh=k ck=k q=k oe=o ue=u "
    "ae=a ou=u ye=e je=e off=ov eff=ev w=v y=i j=i"
).split())  # fmt: skip
_WRITTEN = tuple(
    pair.split("=") for pair in "sch=s sh=s kh=k gh=g dj=g zh=g ch=g ph=f th=t dh=d ts=s tz=s ck=k".split()
)
"""Letters of one sound in the Latin spellings of names from other scripts."""
_ROMANISED = str.maketrans("qczx", "kksk", "h")
_GLIDES = re.compile(r"(?<=[aeiouy])[wj](?![aeiouy])")
_VOWEL_ROWS = re.compile(r"[aeiouy]*([aeiouy])")
_VOWEL_CLASSES = str.maketrans("aeiyou", "aiiiuu")
_ARTICLES = frozenset("al el an ar as ad at ul".split())
_VOWELS = re.compile("[aeiou]+")
_LATIN = {ord(letter): latin for letter, latin in data("letters")["latin"].items()}


def one_typo(a: str, b: str, shortest: int = MIN_LETTERS) -> bool:
    """Equal but for one inserted, missing, replaced or swapped letter, in long words with the same first letter."""
    if min(len(a), len(b)) < shortest or a[:1] != b[:1] or abs(len(a) - len(b)) > 1:
        return False
    return a.isalpha() and b.isalpha() and within_one_edit(a, b)


def within_one_edit(a: str, b: str) -> bool:
    """Damerau-Levenshtein distance of at most one."""
    if a == b:
        return True
    if len(a) > len(b):
        a, b = b, a
    i = 0
    while i < len(a) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        return a[i + 1 :] == b[i + 1 :] or (a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :])
    return len(b) - len(a) == 1 and a[i:] == b[i + 1 :]


@lru_cache(maxsize=8192)
def spoken(word: str) -> frozenset[str]:
    """Keys of how a word sounds, with a hard and with a soft c; short words keep theirs, and so do other scripts."""
    word = word if word.isascii() else word.translate(_LATIN)
    if len(word) < MIN_SPOKEN or not (word.isascii() and word.isalpha()):
        return frozenset({word})
    for written, key in _SOUNDS:
        word = word.replace(written, key)
    readings = (word.replace("ch", c).replace("c", c) for c in "ks")
    return frozenset("".join(c for i, c in enumerate(key) if not i or c != key[i - 1]) for key in readings)


def consonants(key: str) -> str:
    """A key without telling its vowels from one another."""
    return _VOWELS.sub(".", key)


@lru_cache(maxsize=8192)
def _skeletons(word: str, least: int) -> frozenset[str]:
    return frozenset(bones for key in spoken(word) if len((bones := consonants(key)).replace(".", "")) >= least)


def same_skeleton(a: str, b: str, least: int) -> bool:
    """Two words of one sound but for their vowels, and of so many consonants."""
    return not _skeletons(a, least).isdisjoint(_skeletons(b, least))


def sounds_like(a: str, b: str, least: int) -> bool:
    """`Gorbatschow` for Gorbachev: in two keys one vowel differs at most."""
    return same_skeleton(a, b, least) and any(
        consonants(key) == consonants(other) and within_one_edit(key, other) for key in spoken(a) for other in spoken(b)
    )


@lru_cache(maxsize=8192)
def romanised(word: str) -> str:
    """One key for `Ferdowsi`, `Firdausi` and `Firdawsi`, `Genghis` and `Chinggis`, `Abdel` and `Abd al`."""
    word = word if word.isascii() else word.translate(_LATIN)
    if word in _ARTICLES or not (word.isascii() and word.isalpha()):
        return ""
    word = "abd" if word.startswith("abd") and len(word) < len("abdull") else word
    for written, key in _WRITTEN:
        word = word.replace(written, key)
    word = _GLIDES.sub(lambda m: "u" if m[0] == "w" else "i", word.replace("v", "w").translate(_ROMANISED))
    word = word.replace("j", "g")
    word = _VOWEL_ROWS.sub(lambda m: m[1].translate(_VOWEL_CLASSES), word)
    return "".join(c for i, c in enumerate(word) if not i or c != word[i - 1])


def misspelt(word: str, meant: str) -> bool:
    """`Ottowa` for Ottawa: one letter off inside a longer word, never at its ends or in the ending of a substance.

    Nor in a prefix: adduction is the opposite of abduction.
    """
    if word == meant or word[-1:] != meant[-1:] or not one_typo(word, meant):
        return False
    if any({word[: len(a)], meant[: len(a)]} == {a, b} for a, b in _PREFIXES):
        return False
    endings = {word[-3:], meant[-3:]}
    return len(endings) == 1 or not all(e in _CHEMICAL for e in endings)


def same_middle(here: tuple[str, ...], gold: tuple[str, ...], particles: Container[str]) -> bool:
    """Whether what stands between a first and a last name may be the same person's, particles aside."""
    here, gold = (tuple(w for w in words if w not in particles) for words in (here, gold))
    if not here or not gold:
        return True
    if len(here) < len(gold):
        return same_middle(here, gold[: len(here)], particles)  # "George W." is not George H. W.
    if len(here) > len(gold):
        if any(len(word) == 1 for word in gold):
            return False  # "George H. W." for "George W."
        here = here[-len(gold) :]  # one more given name
        if len(here[0]) == 1 and here[0] != gold[0]:
            return False  # "George H. W." for "George Walker"
    return len(here) == len(gold) and all(
        a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(here, gold, strict=True)
    )
