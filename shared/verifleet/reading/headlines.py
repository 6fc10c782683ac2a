"""Headlines and shouted posts as sentences: "ROADS CLOSED after flood" is "Roads were closed after flood".

A headline leaves out forms of "be", which tell nothing but that it is a sentence. They are put back where its first
verb shows which is missing; what has a verb already, or may go on otherwise, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import pairwise

from verifleet.reading.acts import listed
from verifleet.reading.gazetteer import spot_of
from verifleet.reading.words import data, fold, sense, words_of

MOST_OF_A_SPEAKER = 4
"""Words before a colon."""
LEAST_ING = 5
LEAST_LONG, TITLE = 4, 0.7
"""Letters of a longer word, and the share of those with a capital from which a text is a title."""
SHOUTED, LEAST_SHOUTED = 0.8, 3
"""Words in capitals, as a share of all, from which a text shouts, and the letters of one that does."""
FEW = 4
"""Fewer words that shout are a short name as likely as not."""
_ENDINGS = tuple("ent ents tion tions sion ing ed ly ers ous ory ble ness ity".split())
"""What words end with that are no names."""
_SAYS = frozenset({"say", "says", "said", "confirms"})
_REMAINS = re.compile(r"(?<=[a-z]) PH\b|(?<!s)['’](?!\w)|(?<!\w)['‘](?=\w)")
"""The end of Philippine hashtags, "#PabloPH", and quotes."""
_CREDIT = re.compile(r",? (?:FYI|via\b.{0,60}|\(?(?:Reuters|AP|AFP|CNN|ABC News)\)?)$")
"""Who is credited behind a line."""
SPELT_OUT = dict(
    form.split("=")
    for form in "&=and w/=with pls=please plz=please ppl=people govt=government btwn=between bec=because "
    "gov't=government b/c=because thru=through approx=about fam=families u=you ur=your bldg=building".split()
)
"""Short forms of posts, as they are written."""
_LONE = re.compile(r"\d|^[^AEIOU]+$|@|#")
_BE = frozenset("is are was were no".split())


def plainly(text: str, common: Set[str]) -> str:
    """An English headline as a sentence; `common`: further words that no name has."""
    speaker, colon, said = text.rpartition(": ")
    first, _, behind = said.partition(" ")
    if first.lower() in _words()["the"] and behind[:1].islower():
        text = f"{speaker}{colon}The {first.lower()} {behind}"
    return completed(_untitled(text, common))


def _untitled(text: str, common: Set[str]) -> str:
    """A title in which each word has a capital with those only of its first word and of names."""
    first, *words = text.split() or [""]
    long = [word[0].isupper() for word in words if len(word) >= LEAST_LONG]
    titled = any(word[0].isupper() and _bare(word) in _plain_words() for word in words)
    if not titled or sum(long) < TITLE * len(long):
        return text
    return " ".join([first, *(word if _may_be_name(word, common) else word.lower() for word in words)])


def _bare(word: str) -> str:
    return word.strip(".,:;!?'\"()").lower()


def _may_be_name(word: str, common: Set[str]) -> bool:
    low = _bare(word)
    plain = low in _plain_words() or low in common or (low.endswith(_ENDINGS) and word[1:].islower())
    return not plain or low in _words()["names"] or spot_of(low) is not None


@cache
def _plain_words() -> frozenset[str]:
    """What never begins with a capital but in a title."""
    return listed("function") | listed("verb") | _words()["done"]


@cache
def _bases() -> frozenset[str]:
    """Verbs as they are told of several: "warn", "rescue"."""
    return frozenset(verb[:-1] for verb in listed("verb") if len(verb) > LEAST_LONG and verb.endswith("s"))


@lru_cache(maxsize=8192)
def completed(text: str) -> str:
    """An English headline with the form of "be" that its first sentence leaves out."""
    words = text.split()
    low = [*map(_bare, words)]
    if not low or low[0].endswith("ing") or low[0] in listed("imperative"):
        return text
    if low[0] == "no" or (low[0] == "reports" and "of" in low[1:3]):
        named = text.partition(",")[0].lower().split()[1:]
        if not named:
            return text  # "No, the dam has not burst"
        is_one = low[0] == "no" and not _is_plural(named)
        told = f"There {'is' if is_one else 'are'} {low[0]} {' '.join(words[1:])}"
        return text if any(map(_is_whole, words, low)) else told
    speaker = (n + 1 for n, word in enumerate(words[:MOST_OF_A_SPEAKER]) if word.endswith(":") or low[n] in _SAYS)
    start = next(speaker, 0)
    end = next((n + 1 for n in range(start, len(words) - 1) if words[n].endswith((".", ";"))), len(words))
    at = next((n for n in range(start + 1, end) if _ends_subject(words[n - 1 : n + 1], low[n - 1 : n + 2])), end)
    subject = low[start:at]
    if at == end or words[at][0].isupper() or _is_aside(words[start:at]) or subject[-1] in listed("function"):
        return text  # what has capitals throughout is a title
    if subject[0] in _words()["no subject"] and subject[1:2] != ["least"]:
        return text
    other = next((n for n in range(at + 1, end) if low[n] in _words()["next clause"]), end)
    more = any(map(_is_whole, words[at + 2 : other], low[at + 2 : other]))
    be = _missing(words[at], low[at], low[at + 1 : end], more)
    if not be:
        return text
    return " ".join([*words[:at], be.split()[_is_plural(subject)], *words[at:]])


def _is_aside(subject: Sequence[str]) -> bool:
    """Whether what ends with a comma has no other one before its last word."""
    return subject[-1].endswith(",") and not (len(subject) > 1 and subject[-2].endswith(","))


def _is_verb(written: str, low: str) -> bool:
    """Whether a word within a sentence is a verb that makes it one: no name, and none of what was done."""
    return low in listed("verb") and low not in _words()["done"] and written[:1].islower()


def _is_whole(written: str, low: str) -> bool:
    """Whether a word is a verb that is no noun: "crashes", not "crash"."""
    return _is_verb(written, low) and low.endswith(("s", "re", "ve", "d", "ll"))


def _ends_subject(written: Sequence[str], low: Sequence[str]) -> bool:
    """Whether the second of three words is none of what a sentence is about, which may end with the first."""
    before, word, *behind = low
    known, after = _words(), behind[0] if behind else ""
    beside = written[0].endswith(",") and not (
        written[1].endswith(",") and written[1][0].isupper()
    )  # "Porto, Portugal,"
    if beside or written[0].endswith(":") or any(word in known[name] for name in ("done", "clause", "goes on")):
        return True
    if word in _bases() and before.endswith("s") and before not in listed("function"):
        return True
    if _is_verb(written[1], word) or (word.endswith("ed") and after in known["apart"] | listed("article")):
        return True
    going = (word == "to" and _is_infinitive(after)) or (word == "in" and after in known["stands in"])
    going &= before not in known["to"]
    return going or (_goes_on(written[1]) and before not in listed("function"))


def _goes_on(word: str) -> bool:
    return word.endswith("ing") and len(word) > LEAST_ING and word.islower() and word not in _words()["no verb"]


def _is_infinitive(word: str) -> bool:
    return word in _words()["infinitive"] or f"{word}s" in listed("verb")


def _missing(written: str, word: str, behind: Sequence[str], more: bool) -> str:
    """The singular and plural of the form that is missing before the first verb, "" where none is or none is sure.

    `more`: another verb is behind it, so that it may belong to a noun.
    """
    known, after = _words(), behind[0] if behind else ""
    if word in known["goes on"]:
        stands = word in known["apart"] or after in known["done"] | known["apart"] or after.endswith("ing")
        return "is are" if stands else ""
    if more:
        return ""
    apart = (not behind or after in known["apart"] or written.endswith(",")) and behind[:2] != ["at", "least"]
    if word in known["done"]:
        return ("is are" if word in known["to come"] else "was were") if apart else ""
    past = any(one.endswith("ed") and other != "by" for one, other in pairwise([*behind, ""]))  # "carrying … derailed"
    going = _goes_on(written) and (apart or after not in listed("function")) and not past
    return "is are" if going or word in ("to", "in") else ""


def _is_plural(subject: Sequence[str]) -> bool:
    """Whether a subject is of several: by its noun before any preposition, or its number."""
    known = _words()
    noun = next((n for n, word in enumerate(subject) if n and word in (known["apart"] - {"to"}) | {"of"}), len(subject))
    head = subject[noun - 1]
    if head in known["one"] or head.endswith(("ss", "us", "is")):
        return False
    return head in known["several"] or head[:1].isdigit() or "and" in subject[:noun] or head.endswith("s")


# --- shouted ----------------------------------------------------------------


def unshouted(text: str) -> str:
    """A text with a capital first, without credits and short forms, and in lower case where it shouts."""
    words = [SPELT_OUT.get(word.lower(), word) for word in _CREDIT.sub("", text).split()]
    alone = len(words) < FEW or SHOUTED * len(words) > sum(map(str.isupper, words))
    shouts = [word.isupper() and not _LONE.search(word) for word in words]
    loud = [on and (not alone or _is_word(word)) for word, on in zip(words, shouts, strict=True)]
    for n, word in enumerate(words):
        if loud[n]:
            words[n] = word.capitalize() if spot_of(word.strip(".,:;()'\"").capitalize()) else word.lower()
        elif shouts[n] and len(word) >= LEAST_LONG and sum(shouts[max(0, n - 1) : n + 2]) > 1:
            words[n] = word.capitalize()
    text = _REMAINS.sub("", " ".join(words))
    return text[:1].upper() + text[1:]


def _is_word(word: str) -> bool:
    """Whether a shouted word is one of the language, not what an office or a storm is called."""
    low = fold(word.strip(".,:;!()'\"").lower())
    known = low in words_of("en", "stop") or (len(low) > LEAST_LONG and bool(may_be_verb(low) or sense(low, "en").name))
    return known and len(low) >= LEAST_SHOUTED


def may_be_verb(word: str) -> bool:
    """Whether a word may be a verb by its form."""
    return word in _BE or word in listed("verb") or word.endswith(("ed", "ing"))


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """Lists of words by what they do in a headline."""
    return {name: frozenset(words.split()) for name, words in data("headlines").items() if name != "about"}
