"""Which words of a report can be told as they are: one whole sentence or headline that stands by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from verifleet.agents.briefs.brings import brought, known_words
from verifleet.agents.briefs.circumstances import document
from verifleet.reading.acts import listed
from verifleet.reading.gazetteer import spot_of
from verifleet.reading.headlines import SPELT_OUT, may_be_verb, plainly, unshouted
from verifleet.reading.languages import small_words
from verifleet.reading.speakers import names_speaker, without_speaker
from verifleet.reading.telephones import placed_telephones, telephones
from verifleet.reading.tokens import tokens
from verifleet.reading.words import fold, lemma, sense

LEAST, MOST = 4, 30
"""Words of a sentence that is told."""
LANGUAGES = {"en": "English", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese"}
LEAST_WORDS_BEHIND = 3
"""Words behind a telephone that are a fragment."""
MOST_SHORT = 1
"""How many of them a sentence has."""
_BREAKS = frozenset({"-", "–", "—", "|", "::"})
_MARKS = ("…", "..", " -", "?", "|", "@", "#", "//", "=", "【", "】", "*", "<", ">", "_", "[", "(courtesy")
_OF_NETWORKS = frozenset("hash hashtag hashtags tweet tweets retweet twitter follow rt pic photo photos video".split())
"""What is told of a network and not of an incident."""
_OPENINGS = ("anaphor", "subjectless", "bait", "cause")
"""What no sentence that stands by itself begins with, by their names in `acts.json`."""
ASKS, USEFUL = frozenset({"needs", "advice"}), -1.8
LEAST_READ, LEAST_BARE, LEAST_ASK, LEAST_CALL, SHORT_CALL = -1.1, 1.0, -2.4, -1.3, 10
"""Sections whose sentences may ask something of readers, and of what use those are; how well any other one reads, one
without a verb, one that asks, and one with telephones, which reads in so few words."""


@lru_cache(maxsize=8192)
def sentence(label: str, spoken: str = "en") -> tuple[str, str]:
    """A claim's words as a sentence that stands by itself, "" for none, and who says so by them.

    It has no labels and names of media around it.
    """
    if spoken not in LANGUAGES:
        return "", ""
    best = max((part for part in _parts(label) if _stands(part, spoken)), key=len, default="")
    if spoken != "en" or telephones(best):
        return unshouted(best) if spoken != "en" else _plainly(best), ""
    said, speaker = without_speaker(best)
    if speaker and _stands(said[:1].upper() + said[1:], spoken):
        return _plainly(said), speaker
    return _plainly(best), ""


def _plainly(text: str) -> str:
    return plainly(unshouted(text), known_words())


@lru_cache(maxsize=4096)
def advice(text: str) -> str:
    """Advice as it can be passed on: it stands by itself; "" for any other."""
    text, called = text.removesuffix(" at this time"), telephones(text)
    end = text.rfind(called[-1][-2:]) + 2 if called else 0
    if end and text[end : end + 1] == " " and len(text[end:].split()) <= LEAST_WORDS_BEHIND:
        text = text[:end]
    return unshouted(text) if _is_whole(text, LEAST) else ""


def as_told(words: str, spoken: str, here: str = "") -> str:
    """Words as they are told: telephones that read badly in ours, "we" and another language in quotation marks."""
    typed = typed_call(words, here) if telephones(words) and not (spoken == "en" and _reads_call(words)) else ""
    if spoken != "en":
        return typed or f"In {LANGUAGES[spoken]}: “{words}”"
    own = listed("first").isdisjoint(words.lower().replace("'", " ").replace("’", " ").split())
    return typed or (words if own else f"“{words}”")


def _reads_call(words: str) -> bool:
    return small_words(words, "en") > 1 and brought(words).reads >= LEAST_CALL


@lru_cache(maxsize=1024)
def typed_call(words: str, here: str = "") -> str:
    """Telephones in our words: "Telephone for relatives: Rome 555 1234"; "" where nothing tells what they are for.

    A place is told where it is not `here`.
    """
    low = [token.low.rpartition("'")[2] for token in tokens(words) if token.kind in ("word", "tag")]
    known = {lemma(fold(word), name) for word in low for name in (*LANGUAGES, "")}
    named = [purpose for purpose, told in _purposes().items() if not told.isdisjoint(known)]
    calls = placed_telephones(words)
    numbers = [f"{place} {number}" if place and fold(place) not in here else number for place, number in calls]
    way = "SMS" if "sms" in low else "Telephone"
    return f"{way} for {' and '.join(named[:2])}: {', '.join(numbers)}" if named and numbers else ""


@cache
def _purposes() -> Mapping[str, frozenset[str]]:
    """What a telephone is for, by the words that tell it."""
    return {
        name: frozenset(lemma(fold(word), spoken) for word in words.split() for spoken in (*LANGUAGES, ""))
        for name, words in document()["telephones"].items()
    }


def _parts(label: str) -> Iterator[str]:
    """A claim's words as they are where a speaker or nobody stands before a colon, else what stands at its breaks.

    Whoever says so there, and where it is, stands before a colon.
    """
    words = label.split()
    if telephones(label):
        yield label
        return
    cuts = [n for n, word in enumerate(words) if word in _BREAKS or (word.endswith(":") and n + 1 < len(words))]
    if not cuts or (len(cuts) == 1 and words[cuts[0]].endswith(":") and names_speaker(words[: cuts[0] + 1])):
        yield label
    parts = []
    for start, end in zip([-1, *cuts], [*cuts, len(words)], strict=True):
        last = words[end][:-1] if end < len(words) and words[end] not in _BREAKS else ""
        parts.append(" ".join([*words[start + 1 : end], last]).strip())
    yield from parts
    for n, (one, other) in enumerate(pairwise(parts), 2):
        if names_speaker(one.split()) and words[cuts[n - 2]].endswith(":"):
            yield f"{one}: {other}"
        elif n == len(parts) and names_speaker(other.split()) and not spot_of(other.title()):
            yield f"{other}: {one}"


def _is_whole(text: str, least: int) -> bool:
    """Whether a text has a fit number of words, nothing of a network, and an end."""
    low = [token.low for token in tokens(text) if token.kind == "word"]
    return (
        least <= len(text.split()) <= MOST
        and bool(low)
        and text[0].isalnum()
        and not any(mark in text for mark in _MARKS)
        and _OF_NETWORKS.isdisjoint(low)
        and not any(one == other and one.isalpha() for one, other in pairwise(text.casefold().split()))
        and not (low[-1] in listed("function") and text.casefold().endswith(low[-1]))
    )


def _stands(text: str, spoken: str) -> bool:
    if telephones(text):
        *_, before, last = text.split()
        if last.isdigit() and before != "to" and not telephones(text)[-1].endswith(last):
            return False  # the last one is cut off
        short = len(text.split()) <= SHORT_CALL
        return _is_whole(text, 2) and (spoken != "en" or _reads_call(text) or bool(short or typed_call(text)))
    low = [token.low for token in tokens(text.partition(": ")[2] or text) if token.kind == "word"]
    if not (low and _is_whole(text, LEAST)):
        return False
    found = brought(text, "", spoken)
    asks = found.section in ASKS and found.use >= USEFUL and found.reads >= LEAST_ASK
    told_by_nobody = asks or ((listed("first") | listed("you")).isdisjoint(low) and low[0] not in listed("imperative"))
    acts = any(map(may_be_verb, low)) or (asks and low[0] in listed("imperative"))
    least = LEAST_READ if acts or any(map(str.isdigit, text)) else LEAST_BARE
    reads = spoken != "en" or (asks and acts) or found.reads >= least
    told_by_nobody &= not (text[0].islower() and low[0] in listed("verb")) and listed("abuse").isdisjoint(low)
    first = text.split()[0].lower()
    going = first.endswith("ing") and not sense(first, "en").name  # "Closing the road"
    rough = going and not listed("function").isdisjoint(low[1:2])
    rough |= sum(word.lower() in SPELT_OUT for word in text.split() if word.isalpha()) > MOST_SHORT
    return reads and told_by_nobody and not rough and not any(first in listed(name) for name in _OPENINGS)
