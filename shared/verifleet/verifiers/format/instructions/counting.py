"""Words, sentences, paragraphs of a response: what the checks count. All in linear time."""

from __future__ import annotations

import json
import re
import string
from functools import cache
from importlib.resources import files
from typing import Final

PUNCTUATION: Final = string.punctuation + "…–—“”‘’«»¿¡。、！？"
_WORD: Final = re.compile(r"\w+")
_COUNTED: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*+")
_DOTTED: Final = re.compile(r"[a-z](?:\.[a-z])++")
_NEXT: Final = re.compile(r"[\s\"'“‘(*_]*+([^\W\d_]++)(\.?)")
_TOKEN: Final = re.compile(r"\w+(?:['’.-]\w+)*+")
_END: Final = re.compile(r"[.!?。！？]++[\"'”’)\]*_]*+")
_BEFORE: Final = re.compile(r"[\w.]++$")
_NEVER_LAST: Final = frozenset("mr mrs ms dr prof st e.g i.e vs gen col lt rev hon fig vol".split())
_NO_END: Final = _NEVER_LAST | frozenset("inc ltd jr sr co corp etc u.s u.k ph.d a.m p.m no dept".split())
_WITHOUT_PUNCTUATION: Final = str.maketrans("", "", string.punctuation + "“”‘’…–—")
_EMOJI: Final = ((0x1F000, 0x1FAFF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x2300, 0x23FF), (0x1F1E6, 0x1F1FF))
_JOINERS: Final = "\ufe0f\u200d\u20e3"
_UNSPACED: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff\W]"
)


@cache
def listed(name: str) -> tuple[str, ...]:
    """The entries of one list of lists.json, in their order."""
    text = files("verifleet.verifiers.format.instructions").joinpath("lists.json").read_text("utf-8")
    value = str(json.loads(text)[name])
    return tuple(value.split("|") if "|" in value else value.split())


@cache
def in_list(name: str) -> frozenset[str]:
    """The entries of one list, to look words up in."""
    return frozenset(listed(name))


def bare(text: str) -> str:
    """A text without ASCII punctuation."""
    return text.translate(_WITHOUT_PUNCTUATION)


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores."""
    return _WORD.findall(text)


def word_total(text: str) -> int:
    """How many words a text has: don't, well-known and 3.5 are one each."""
    return len(_COUNTED.findall(text))


def tokens(text: str) -> list[str]:
    """Words as they are written, with inner apostrophes, hyphens and dots."""
    return _TOKEN.findall(text)


def plain_words(text: str) -> list[str]:
    """Lower-case words without punctuation, parted by white space."""
    return bare(text.lower()).split()


def sentences(text: str) -> list[str]:
    """Sentences with the marks that end them; a line break alone ends none."""
    text = " ".join(text.split())
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end.end() < len(text) and text[end.end()] != " " and end[0][0] in ".!?":
            continue  # a decimal, an address, a mark inside a word
        if end[0] == "." and _goes_on(text, end.start(), end.end()):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    rest = text[start:].strip()
    if any(c.isalnum() for c in rest):
        found.append(rest)
    elif rest and found:
        found[-1] += " " + rest  # an emoji behind the last mark
    return [sentence for sentence in found if any(c.isalnum() for c in sentence)]


def _goes_on(text: str, dot: int, end: int) -> bool:
    before = _BEFORE.search(text, max(0, dot - 12), dot)
    if before is None or end >= len(text):
        return False
    word = before[0].lower()
    if word in _NEVER_LAST:
        return True
    initial = len(word) == 1 and word != "i" and text[dot - 1].isupper()
    if not initial and word not in _NO_END and not _DOTTED.fullmatch(word):
        return False
    # What may end a sentence or not ends one before a capital that begins a common word: U.S. Navy, the U.S. The …
    after = _NEXT.match(text, end, end + 60)
    return after is None or after[2] == "." or not (after[1][0].isupper() and after[1].lower() in in_list("stop_words"))


def paragraphs(text: str) -> list[str]:
    """Parts with a blank line between them, none empty."""
    return [part for part in re.split(r"\n\s*\n", text) if part.strip()]


def lines(text: str) -> list[str]:
    """Lines that hold more than white space."""
    return [line for line in text.splitlines() if line.strip()]


def stripped(word: str) -> str:
    """A word without punctuation around it."""
    return word.strip(PUNCTUATION + " ")


def is_emoji(char: str) -> bool:
    """Whether a character is a pictograph."""
    return bool(char) and any(low <= ord(char[0]) <= high for low, high in _EMOJI)


def ends_in_emoji(text: str) -> bool:
    """Whether the last thing of a text, marks and joiners aside, is an emoji."""
    last = text.rstrip(PUNCTUATION + " \n")
    return _is_shown_as_emoji(last[-1:]) or is_emoji(last.rstrip(_JOINERS)[-1:])


def begins_with_emoji(text: str) -> bool:
    """Whether the first thing of a text, marks aside, is an emoji."""
    first = text.lstrip(PUNCTUATION + " \n")
    return is_emoji(first[:1]) or _is_shown_as_emoji(first[1:2])


def _is_shown_as_emoji(char: str) -> bool:
    return char in ("\ufe0f", "\u20e3") or "\U000e0020" <= char <= "\U000e007f"  # keycaps, flags of regions


def holds_word(text: str, word: str) -> bool:
    """Whether a text holds a word or phrase as a whole, in any case."""
    return word_count(text, word) > 0


def word_count(text: str, word: str) -> int:
    """How often a text holds a word or phrase as a whole, in any case."""
    word = word.strip()
    return len(re.findall(_edge(word[:1], r"(?<!\w)") + re.escape(word) + _edge(word[-1:], r"(?!\w)"), text, re.I))


def holds_keyword(text: str, word: str) -> bool:
    """Whether a text holds a word or phrase, or an inflected form of it (rivers, walked), in any case."""
    word = word.strip()
    ending = _edge(word[-1:], r"(?:['’]s|e?s|e?d|ing)?(?!\w)")
    return re.search(_edge(word[:1], r"(?<!\w)") + re.escape(word) + ending, text, re.I) is not None


def _edge(char: str, boundary: str) -> str:
    """A boundary of words, where the script of a word's outer letter puts spaces between words."""
    return "" if not char or _UNSPACED.match(char) else boundary


def language(text: str) -> str:
    """ISO 639-1 code of the language a text is in, as langdetect has it; "" where it can't tell."""
    from langdetect import DetectorFactory, detect  # type: ignore[import-untyped]  # its profiles take a while to load
    from langdetect.lang_detect_exception import LangDetectException  # type: ignore[import-untyped]

    DetectorFactory.seed = 0
    try:
        return str(detect(text[:20_000]))
    except LangDetectException:
        return ""
