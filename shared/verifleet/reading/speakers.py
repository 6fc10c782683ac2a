"""Who says so: newsrooms, public bodies and authorities by their names, and who stands beside what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from verifleet.reading.acts import listed
from verifleet.reading.gazetteer import spot_of
from verifleet.reading.words import data, fold, words_of

LONGEST_SPEAKER = 3
"""Words before a colon that may be whoever says so."""
OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())
"""What is told with its article where nothing stands before it."""
_WORDS = data("speakers")
_IMPOSTOR = re.compile("|".join(_WORDS["impostors"]))
_SAID = r"(?:says?|said|tells?|told|confirms?|confirmed|announces?|announced)"
_WHO = r"(?P<who>(?:[\w.'’&/-]+ ){0,5}?[\w.'’&/-]+)"
_SPEAKER_AHEAD = re.compile(rf"{_WHO}(?:: | says? (?:that )?)(?P<said>(?:\S+ ){{3,}}\S+)")
_SPEAKER_BEHIND = re.compile(rf"(?P<said>(?:\S+ ){{3,}}\S+), {_WHO} {_SAID}(?: [A-Z]\S*){{0,3}}")
"""Who stands before or behind what they say."""


@cache
def _listed(kind: str) -> frozenset[str]:
    return frozenset(_WORDS[kind].split())


# --- by their names -----------------------------------------------------------


def is_authority(name: str) -> bool:
    """Whether somebody who is quoted is named as a body that is in a position to know."""
    return not _listed("authorities").isdisjoint(name.split())


def is_impostor(name: str) -> bool:
    """Whether a handle says that it is none of those whom it names: a parody, a bot, fans."""
    return _IMPOSTOR.search(name) is not None


@lru_cache(maxsize=4096)
def is_public(handle: str) -> bool:
    """Whether a handle is a newsroom's or a public body's, as far as its name tells."""
    named = is_newsroom(handle) or _is_part_of(handle, "public bodies")
    return named and not is_impostor(handle.lstrip("@").casefold())


@lru_cache(maxsize=4096)
def is_newsroom(name: str) -> bool:
    """Whether a handle or a name is a newsroom's, as far as it tells, and no mere word for news."""
    return not words_of("en", "stop").issuperset(name.casefold().split()) and _is_part_of(name, "newsrooms")


def _is_part_of(name: str, kind: str) -> bool:
    name, known = "".join(filter(str.isalnum, name.casefold())), _WORDS[kind].split()
    return any(name == part[1:] if part[0] == "=" else part in name for part in known)


# --- beside what they say -------------------------------------------------------


def without_speaker(text: str) -> tuple[str, str]:
    """A sentence without those by whose word it stands, and who they are: "Mayor: …", "…, police say"."""
    found = next(filter(None, (form.fullmatch(text) for form in (_SPEAKER_AHEAD, _SPEAKER_BEHIND))), None)
    words = found["who"].split() if found else []
    low = [fold(word) for word in words]
    bodies = [is_authority(word) or word in _listed("others") for word in low]
    parts = [body or word[0].isupper() or word in listed("function") for word, body in zip(words, bodies, strict=True)]
    known = len(words) > 1 or any(bodies) or is_public("".join(words))
    led = bool(low) and low[0] in listed("function") - listed("article")  # "After police say …"
    if not (found and known and all(parts)) or led or not _listed("against").isdisjoint(low):
        return text, ""
    if spot_of(found["who"].title()) or not listed("label").isdisjoint(low):
        return text, ""
    who, small = found["who"], low[0] in listed("article") or (len(words) == 1 and is_authority(low[0]))
    who = who if who.isupper() or not small else who[0].lower() + who[1:]
    return found["said"], "the " * (len(words) == 1 and low[0] in OFFICES) + who


def names_speaker(named: Sequence[str]) -> bool:
    """Whether words before a colon name who says what follows or where it is, no subject, medium or kind of post."""
    name = " ".join(named).strip(":").casefold()
    known = is_authority(name) or not _listed("others").isdisjoint(name.split()) or spot_of(name.title())
    return len(named) <= LONGEST_SPEAKER and bool(known)
