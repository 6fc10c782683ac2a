"""Small spelling slips that leave no doubt which word was meant."""

from __future__ import annotations

from verifleet.verifiers.knowledge.lists import table

MIN_LETTERS = 6
"""Shorter words are too close to one another."""
MIN_SURNAME = 5
"""A surname behind the right given name may be a little shorter."""
# "chloride" and "chlorine", "sulfate" and "sulfite" are different things.
_CHEMICAL = ("ate", "ite", "ide", "ine", "ane", "ene", "yne", "ose", "ase")
_SOUNDS = (
    ("zh", "j"), ("ye", "e"), ("je", "e"), ("oe", "o"), ("ue", "u"), ("ae", "a"), ("ph", "f"), ("kh", "k"), ("ck", "k"),
    ("y", "i"), ("w", "v"),
)  # fmt: skip
_CYRILLIC = {ord(letter): latin for letter, latin in table("spelling.cyrillic").items()}


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


def transliterated(word: str) -> str:
    """A key that is the same for `Tchaikovsky` and `Tchaikovski`, `Röntgen` and `Roentgen`; short words keep theirs."""
    word = word if word.isascii() else word.translate(_CYRILLIC)
    if len(word) < MIN_SURNAME or not word.isalpha():
        return word
    for written, key in _SOUNDS:
        word = word.replace(written, key)
    return "".join(c for i, c in enumerate(word) if not i or c != word[i - 1])


def misspelt(word: str, meant: str) -> bool:
    """`Ottowa` for Ottawa: one letter off inside a longer word, never at its ends or in the ending of a substance."""
    if word == meant or word[-1:] != meant[-1:] or not one_typo(word, meant):
        return False
    endings = {word[-3:], meant[-3:]}
    return len(endings) == 1 or not all(e in _CHEMICAL for e in endings)
