"""Names as people write them: words cut short, other Latin spellings, the authority behind a species."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifleet.reading.document import Word
from verifleet.reading.spelling import romanised

MIN_CUT = 3
"""Letters of a word that is cut short with a dot behind it."""
_CUT = {"mt": ("mont", "monte"), "ft": ("fort",), "pt": ("point", "port")}
MIN_ROMANISED = 4
"""Consonants of a name that may be written in Latin letters in another way."""
_DESCRIBERS = frozenset("l linn linnaeus linne".split())


def cut_short(words: Sequence[Word], name: Sequence[str]) -> Iterator[tuple[int, int]]:
    """`Mass. Inst. of Tech.`, `Dominican Rep.`, `Mt Blanc`: where words of a name are there by their beginnings."""
    for at in range(len(words) - len(name) + 1 if len(name) > 1 else 0):
        row = words[at : at + len(name)]
        same = [meant in (word.text, word.base) for word, meant in zip(row, name, strict=True)]
        behind = [*(word.gap for word in words[at + 1 : at + len(name) + 1]), "."][: len(name)]
        told = zip(row, name, same, behind, strict=True)
        if not all(same) and all(equal or _is_cut(word, meant, gap) for word, meant, equal, gap in told):
            yield at, at + len(name)


def _is_cut(word: Word, meant: str, behind: str) -> bool:
    dotted = behind.startswith(".") and len(word.text) >= MIN_CUT
    begun = dotted and meant.startswith(word.text) and len(meant) > len(word.text) + 1
    return word.capital and (begun or meant in _CUT.get(word.text, ()))


def romanised_names(words: Sequence[Word], name: Sequence[str]) -> Iterator[tuple[int, int]]:
    """`Firdausi` for Ferdowsi, `Jamal Abd an-Nasir` for Gamal Abdel Nasser: one key in so many consonants."""
    meant = "".join(map(romanised, name))
    if sum(c not in "aiu" for c in meant) < MIN_ROMANISED or not all(word.isalpha() for word in name):
        return
    for at in (i for i, word in enumerate(words) if word.capital and meant.startswith(romanised(word.base)[:1])):
        told = ""
        for end in range(at, min(len(words), at + len(name) + 2)):
            word, key = words[end], romanised(words[end].base)
            joined = end == at or (word.gap == " " and (word.capital or not key)) or word.gap == "-"
            told += key
            if not joined or word.number or not meant.startswith(told):
                break
            behind = words[end + 1] if end + 1 < len(words) else None
            if told == meant and end + 2 > at + len(name) and not (behind and behind.number and behind.gap == " "):
                yield at, end + 1
                break


def behind_authority(words: Sequence[Word], end: int) -> int:
    """Where the name of a species ends that has the name of who described it: `Linnaeus, 1758`, `L.`."""
    name = words[end] if end < len(words) and words[end].capital and words[end].gap in (" ", " (") else None
    year = words[end + 1] if name and end + 1 < len(words) and words[end + 1].gap in (", ", " ") else None
    if year is not None and year.number and len(year.text) == len("1758"):
        return end + 2
    return end + (name is not None and name.text in _DESCRIBERS)
