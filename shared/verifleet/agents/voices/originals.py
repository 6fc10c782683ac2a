"""Reposts and their originals: two reports of the same original words are one voice.

A copy keeps the original's words in their order and differs at its ends only: who is named before it, labels, links,
tags, where it was cut. Words that another source chose, another figure, or a denial in front make it a report of its
own. Everything here is linear in the words of a report.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable

from verifleet.agents.lexicon import shipped
from verifleet.reading.reposts import Original

LEAST_WORDS = 5
"""Fewer words are alike by chance ("stay safe everyone"): they are copies only when both name the same author."""
LEAST_REPEATED = 6
"""Fewer words of a claim are the same by chance: two newsrooms tell of "an earthquake off Chile" alike."""
SHARE = 0.8
"""Share of the longer text that the common run of words makes up, where the rest is no further sentence."""
ENDS = 3
"""Words that a copy may have more or other at either end."""
KEYS = 4
SHINGLE = 3

_TURNING = frozenset(shipped("voices/words.json")["turning"])
"""Words in front of a copy that say that it is not so."""
_TRIMS = sorted(((lead, tail) for lead in range(ENDS + 1) for tail in range(ENDS + 1)), key=sum)


def same_original(one: Original, other: Original) -> bool:
    """Whether two reports carry the same original words, so that the second is no second voice."""
    short, long = (one, other) if len(one.words) <= len(other.words) else (other, one)
    if len(short.words) < LEAST_WORDS:
        return bool(short.author and short.words) and (short.words, short.author) == (long.words, long.author)
    core = short.words[ENDS:-ENDS]  # which is in every run
    if core and core[len(core) // 2] not in long.words:
        return False
    text = f" {' '.join(long.words)} "
    if core and f" {' '.join(core)} " not in text:
        return False
    for lead, tail in _TRIMS:
        run = short.words[lead : len(short.words) - tail]
        at = text.find(f" {' '.join(run)} ") if len(run) >= max(LEAST_WORDS, SHARE * len(short.words)) else -1
        if at >= 0:
            start = text.count(" ", 0, at)
            left_out = (*short.words[:lead], *short.words[len(short.words) - tail :])
            return _only_ends(short, long, left_out, start, start + len(run))
    return False


def repeats(words: tuple[str, ...], other: Original) -> bool:
    """Whether a report has nearly all words of a claim in a row: who passes on a sentence has not seen it happen."""
    length = max(LEAST_REPEATED, math.ceil(SHARE * len(words)))
    text = f" {' '.join(other.words)} "
    return any(f" {' '.join(words[at : at + length])} " in text for at in range(len(words) - length + 1))


def _only_ends(short: Original, long: Original, left_out: tuple[str, ...], start: int, end: int) -> bool:
    """Whether what two texts have beside a common run is no more than copies have at their ends."""
    labelled = not left_out and start - 1 in long.breaks  # "Flood news: Weekly: …" before the whole of it
    if (start > ENDS and not labelled) or _tells((*long.words[:start], *left_out)):
        return False
    if end - start >= SHARE * len(long.words):
        return short.cut or not _tells(long.words[end:])
    # A headline with the beginning of its article, or a text that was cut earlier.
    return not left_out and (short.cut or end == len(long.words) or end - 1 in long.breaks)


def keys(original: Original) -> tuple[str, ...]:
    """Short keys by which copies find each other: the KEYS least hashes of its runs of SHINGLE words.

    Copies share most of their runs, and so, but for a chance of one in hundreds, one of the least ones; a headline
    and the same one with the beginning of its article share their first words, one behind labels those behind them.
    """
    words = original.words
    if len(words) < LEAST_WORDS:
        return ()
    behind = max((at + 1 for at in original.breaks if at + LEAST_WORDS < len(words)), default=0)
    firsts = [_hash(" ".join(words[at : at + LEAST_WORDS])) for at in sorted({0, behind})]
    least = sorted({_hash(" ".join(words[i : i + SHINGLE])) for i in range(len(words) - SHINGLE + 1)})[:KEYS]
    return (*firsts, *least)


def author_of_words(poster: str, original: Original) -> str:
    """Whose voice a report is: of the author that a repost names, else, and where it turns it, of who posted it."""
    return fold_author(poster) if turns(original) or not original.author else original.author


def turns(original: Original) -> bool:
    """Whether a repost's own words say more than where it is from: "Not true! RT @x …"."""
    return bool(original.author) and not _TURNING.isdisjoint(original.added)


def fold_author(name: str | None) -> str:
    """The name by which an author is told from others; "" when unknown. One author is one voice."""
    return (name or "").strip().lstrip("@").casefold()[:200]


def adds_nothing(report: Original, seen: Original) -> bool:
    """Whether a report is a copy of one that was seen and says no more: what may be dropped before any cap."""
    longer = len(report.words) - len(seen.words)
    return not (longer > 2 * ENDS or len(report.added) > ENDS or _tells(report.added)) and same_original(report, seen)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _tells(words: Iterable[str]) -> bool:
    """Whether one of some words makes another report of a copy: a figure, or one that turns what is said."""
    return any(word in _TURNING or any(letter.isdigit() for letter in word) for word in words)
