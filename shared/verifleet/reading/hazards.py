"""What kind of incident a report is about.

Words of incident reports vote for types: a named hazard counts much, what usually goes with it counts little. Where
one hazard brings another (a quake brings down a building, a typhoon floods a town), the cause has the higher weight.
The words are in `data/hazards.json`; each type is described in docs/event-types.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from verifleet.reading.lexicon import Lexicon
from verifleet.reading.tokens import Token, tag_parts, tokens
from verifleet.reading.words import data, fold, lemma, sense

MAX_TEXT = 8_192
"""Characters of a report that are looked at: what it is about stands at its head."""

NAMED = 6
"""Votes of a hazard's own name."""
STRONG = 4
CUE = 2
SHORT_STEM = 4
KINDS = ("earthquake", "attack", "storm", "transport", "airquality", "flood", "explosion", "fire", "collapse")
"""In the order in which they win a tie: the rarer word first, since it is said on purpose."""
CASCADES = {
    frozenset(pair.split())
    for pair in ("flood storm", "fire explosion", "explosion attack", "explosion collapse", "earthquake collapse",
                 "earthquake fire", "earthquake flood", "fire airquality", "transport explosion", "transport fire",
                 "fire collapse", "storm collapse", "transport collapse")
}  # fmt: skip
"""Kinds that one incident can be at once, or of which one brings the other."""
_STORM_TAG = re.compile(r"(?!relief|rescue|help|safe|pray|news|weather|walang)[a-z]{4,14}ph")
"""The Philippines' official hashtags of storms: the storm's name and PH."""


def event_type(text: str) -> str:
    """The type of the incident a report is about; "other" for one of no listed kind, "none" for no incident."""
    votes = hazard_votes(text)
    if votes and max(votes.values()) >= CUE:
        return max((*KINDS, "other"), key=votes.__getitem__)
    return "other" if any(_lists()[2].names(list(_words(tokens(text[:MAX_TEXT]))))) else "none"


@cache
def _lists() -> tuple[Lexicon, dict[str, re.Pattern[str]], Lexicon]:
    """Words of types by "kind votes", what stands in hashtags by kind, and words of any incident."""
    document = data("hazards")
    listed = {f"{kind} {votes}": words for kind, groups in document["votes"].items() for votes, words in groups.items()}
    in_tags = {kind: re.compile("|".join(map(_in_tag, stems.split()))) for kind, stems in document["in_tags"].items()}
    return _lexicon(listed), in_tags, _lexicon({"incident": document["any"]})


def _lexicon(listed: Mapping[str, str]) -> Lexicon:
    return Lexicon.of({name: fold(words).replace("-", " ") for name, words in listed.items()})


def _in_tag(stem: str) -> str:
    """The pattern of a stem in hashtags; a short one ends them: #nswfires, not #Firenze."""
    return stem if len(stem) > SHORT_STEM else rf"{stem}(?:e?s|ph|\d)*$"


@lru_cache(maxsize=4)
def hazard_votes(text: str) -> Mapping[str, int]:
    """Votes for each type, 0 for what nothing points to."""
    pieces = tokens(text[:MAX_TEXT])
    votes: Counter[str] = Counter()
    lexicon, in_tags, _ = _lists()
    for kind, _, count in (name.partition(" ") for name in dict.fromkeys(lexicon.names(list(_words(pieces))))):
        votes[kind] += int(count)
    tags = dict.fromkeys(piece.low[1:] for piece in pieces if piece.kind == "tag")
    votes["storm"] += CUE * any(map(_STORM_TAG.fullmatch, tags))
    for tag in tags:
        for kind, stems in in_tags.items():
            if stems.search(tag):
                votes[kind] += NAMED
    return +votes


def _words(pieces: Sequence[Token]) -> Iterator[str]:
    """The words of a text and of its hashtags; what is elided before one is another: dall'alluvione."""
    for piece in pieces:
        if piece.kind == "tag":
            yield from map(fold, tag_parts(piece.text))
        elif piece.kind == "word":
            yield from piece.low.split("'")


@lru_cache(maxsize=4096)
def named_hazard(name: str) -> str:
    """The storm or fire of which a name has that of its own, "" for any other: "typhoon pablo", "high park fire"."""
    words = name.split() or [""]
    kinds = [lemma(word, "en") for word in words]
    at = next((at for at, kind in enumerate(kinds[:-1]) if kind == "storm"), None)
    told = words if at is None else words[at : at + 2]
    own = told[:-1] if at is None else told[1:]
    meant = any(sense(word, "en").name for word in own if lemma(word, "en") != "storm")
    return " ".join(told) if 0 < len(own) < 3 and not meant and (at is not None or kinds[-1] == "fire") else ""
