"""Reposts and their originals: two reports of the same original words are one voice.

A copy keeps the original's words in their order and differs at its ends only: who is named before it, labels, links,
tags, where it was cut. Words that another source chose, another figure, or a denial in front make it a report of its
own. Everything here is linear in the words of a report.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from dataclasses import dataclass, replace

from verifleet.agents.lexicon import shipped
from verifleet.reading.reposts import find_repost

MAX_CHARS = 6_000
LEAST_WORDS = 5
"""Fewer words are alike by chance ("stay safe everyone"): they are copies only when both name the same author."""
SHARE = 0.8
"""Share of the longer text that the common run of words makes up, where the rest is no further sentence."""
ENDS = 3
"""Words that a copy may have more or other at either end."""
MAX_KEPT = 80
"""Words of an original that are kept: posts are short, and copies of long texts begin alike."""
KEYS = 4
SHINGLE = 3

_LINK = re.compile(r"https?:?\S*|www\.\S+|(?<!\w)htt?\S{0,2}(?=\W*$)")
_HANDLE = re.compile(r"(?<!\w)@\w+")
_LAST_TAGS = re.compile(r"(?:\s#\w{1,80}){1,30}\W{0,9}$")
_CUT = re.compile(r"(?:…|\.{3,}+)\W*+$")
_WORD = re.compile(r"[^\W_]+(?:[.,:'’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts without blanks between words: each is a word here."""
_BREAK = re.compile(r"\s*(?:[.:;!?|]|[-–—]+(?=\s))")
_TURNING = frozenset(shipped("voices/words.json")["turning"])
"""Words in front of a copy that say that it is not so."""

_TRIMS = sorted(((lead, tail) for lead in range(ENDS + 1) for tail in range(ENDS + 1)), key=sum)


@dataclass(frozen=True, slots=True)
class Original:
    """The original words of a report.

    Attributes:
        author: handle of whom they are from where the report says so, else "".
        words: folded, in order, without links, handles and the tags behind; a word that was cut is left out.
        breaks: indices of words behind which a clause ends.
        cut: the text ends in an ellipsis.
        added: the reposter's own words, folded, in order.
    """

    author: str
    words: tuple[str, ...]
    breaks: frozenset[int]
    cut: bool
    added: tuple[str, ...] = ()


NO_ORIGINAL = Original("", (), frozenset(), False)


def original_of(text: str) -> Original:
    """The original in a report's text: the reposted words where it marks some as reposted, else its own."""
    text = html.unescape(text[:MAX_CHARS])
    repost = find_repost(text)
    start, end = repost.original
    words, breaks, cut = _words(text[start:end])
    added = tuple(word for start, end in repost.added for word in _words(text[start:end])[0])
    return Original(repost.author, words, breaks, cut, added)


def shortened(original: Original) -> Original:
    """An original as it is kept, of bounded length."""
    words, cut = original.words[:MAX_KEPT], original.cut or len(original.words) > MAX_KEPT
    return replace(original, words=words, added=original.added[:MAX_KEPT], cut=cut)


def same_original(one: Original, other: Original) -> bool:
    """Whether two reports carry the same original words, so that the second is no second voice."""
    short, long = (one, other) if len(one.words) <= len(other.words) else (other, one)
    if not short.words:
        return False
    if len(short.words) < LEAST_WORDS:
        return short.words == long.words and bool(short.author) and short.author == long.author
    if short.words == long.words:
        return True
    core = short.words[ENDS : len(short.words) - ENDS]  # which is in every run
    if core and (core[0] not in long.words or core[-1] not in long.words):
        return False
    text = f" {' '.join(long.words)} "
    if core and f" {' '.join(core)} " not in text:
        return False
    for lead, tail in _TRIMS:
        run = short.words[lead : len(short.words) - tail]
        if len(run) < LEAST_WORDS or len(run) < SHARE * len(short.words):
            continue
        at = text.find(f" {' '.join(run)} ")
        if at >= 0:
            before = text.count(" ", 0, at)
            return _only_ends(short, long, (lead, tail), before, before + len(run))
    return False


def keys(original: Original) -> tuple[str, ...]:
    """Short keys by which copies find each other: the KEYS least hashes of its runs of SHINGLE words.

    Copies share most of their runs, and so, but for a chance of one in hundreds, one of the least ones; a headline
    and the same one with the beginning of its article share their first words.
    """
    words = original.words
    if len(words) < LEAST_WORDS:
        return ()
    first = _hash(" ".join(words[:LEAST_WORDS]))
    least = sorted({_hash(" ".join(words[i : i + SHINGLE])) for i in range(len(words) - SHINGLE + 1)})[:KEYS]
    return (first, *least)


def author_of_words(poster: str, original: Original) -> str:
    """Whose voice a report is: of the author that a repost names, else, and where it turns it, of who posted it."""
    return fold_author(poster) if turns(original) or not original.author else original.author


def turns(original: Original) -> bool:
    """Whether a repost's own words say more than where it is from: "Not true! RT @x …"."""
    return bool(original.author) and any(word in _TURNING for word in original.added)


def fold_author(name: str | None) -> str:
    """The name by which an author is told from others; "" when unknown. One author is one voice."""
    return (name or "").strip().lstrip("@").casefold()[:200]


def adds_nothing(report: Original, seen: Original) -> bool:
    """Whether a report is a copy of one that was seen and says no more: what may be dropped before any cap."""
    longer = len(report.words) - len(seen.words)
    if longer > 2 * ENDS or len(report.added) > ENDS or any(_tells(word) for word in report.added):
        return False
    return same_original(report, seen)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _only_ends(short: Original, long: Original, trimmed: tuple[int, int], start: int, end: int) -> bool:
    """Whether what two texts have beside a common run is no more than copies have at their ends."""
    lead, tail = trimmed
    before, after = long.words[:start], long.words[end:]
    left_out = short.words[:lead] + short.words[len(short.words) - tail :]
    if len(before) > ENDS or any(_tells(word) for word in (*before, *left_out)):
        return False
    if end - start >= SHARE * len(long.words):
        return short.cut or not any(_tells(word) for word in after)
    # A headline with the beginning of its article, or a text that was cut earlier.
    return not left_out and (short.cut or end - 1 in long.breaks)


def _tells(word: str) -> bool:
    """Whether a word makes another report of a copy: a figure, or one that turns what is said."""
    return word in _TURNING or any(letter.isdigit() for letter in word)


def _words(text: str) -> tuple[tuple[str, ...], frozenset[int], bool]:
    text = unicodedata.normalize("NFKC", _LINK.sub(" ", text.replace("…", "… "))).casefold().replace("’", "'")
    text = text.rstrip(" \t\n\"'”“»")
    cut = _CUT.search(text, max(0, len(text) - 200))
    if cut is not None:
        text = text[: cut.start()]
    text = _HANDLE.sub(" ", text)
    tags = _LAST_TAGS.search(text, max(0, len(text) - 600))
    if tags is not None:
        text = text[: tags.start()]
    words: list[str] = []
    breaks: set[int] = set()
    for match in _WORD.finditer(text if text.isascii() else _UNSPACED.sub(r" \g<0> ", text)):
        words.append(match[0])
        if _BREAK.match(match.string, match.end()) is not None:
            breaks.add(len(words) - 1)
    if cut is not None:
        words = words[:-1]  # the last one may be half a word
    return tuple(words), frozenset(breaks), cut is not None
