"""Places in reports: names of the gazetteer in running text and in hashtags, streets and sites by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, islice
from typing import Literal

from verifleet.reading import gazetteer
from verifleet.reading.gazetteer import Spot, fold
from verifleet.reading.words import LANGUAGES, data, words_of

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_PLACES = 32
HUGE = 7
"""Digits of the population of a city that its name alone means, whatever country is told beside it."""

Kind = Literal["city", "region", "country", "street", "site"]

_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*\.?")
_MARKS = "#＃"
_TAG = re.compile(rf"[{_MARKS}](\w{{3,60}})")
_MASK = re.compile(r"(?:https?:?/{0,2}|www\.)\S+|[@#＃]\w+|[\w.+-]{1,64}@[\w.-]{1,64}")
_NEXT = re.compile(r" (\w{1,20})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|_")
_INSIDE = re.compile(r"(?:, ?| \()((?:[A-Z][\w.'’-]*)(?: [A-Z][\w'’-]*){0,2})")
_SITE = re.compile(
    r"\b(near|at|outside|inside|around|behind|opposite|in|on|along|off|by|to)\s+(?:the\s+)?"
    r"([A-Z][\w'’&-]*(?:(?:[ ](?:of|de|del|da|la|the)){0,2}[ ][A-Z][\w'’&-]*){0,4})"
)
_ABOUT = frozenset("near outside around behind opposite at inside".split())
_RANK = {"city": 4.0, "region": 3.4, "country": 2.2, "site": 1.0, "street": 0.8}
_ARTICLES = frozenset({"a", "na", "no"})
"""Prepositions that are articles or denials in English."""
CODE = 3
"""Letters of an airport's code."""
_TAGGED_BY_CODE = frozenset({"PH"})
"""Countries whose hashtags of disasters end in their code: #PabloPH."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place named in a report.

    Attributes:
        name: as the report writes it; of a hashtag or an adjective ("Filipino") the gazetteer's name.
        kind: city, region (state, province, island), country, street, or site ("Central Station").
        span: [start, end) in characters of the report.
        introduced: a word such as "in" or "near" stands before it.
        spot: what the gazetteer knows of it; None for streets and sites.
        inside: the state or country behind its comma, as the report writes it: "Ohio" of "Dayton, Ohio".
    """

    name: str
    kind: Kind
    span: tuple[int, int]
    introduced: bool = False
    spot: Spot | None = None
    inside: str = ""


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(data("place_words")[name].split())


def _any_of(*lists: str) -> str:
    return "|".join(sorted({word for name in lists for word in _listed(name)}, key=lambda word: (-len(word), word)))


_STREET = re.compile(
    rf"\b(?:\d{{1,5}}[ ]+)?(?:(?:[A-Z][\w'’.-]*|\d{{1,3}}(?:st|nd|rd|th))[ ]){{1,4}}(?:{_any_of('streets')})\b\.?"
    rf"|\b(?:{_any_of('streets_first')})\.?[ ](?:(?:de|del|la|da|di|do|des|du|los|las)[ ]){{0,2}}"
    r"[A-Z0-9][\w'’-]*(?:[ ][A-Z0-9][\w'’-]*){0,3}"
)
_SITE_WORD = re.compile(rf"\b(?:{_any_of('sites')})\b", re.IGNORECASE)


def find_places(text: str) -> list[Place]:
    """The places of a report, in order; at most MAX_PLACES."""
    text = text[:MAX_TEXT]
    found = [Place(m[0].rstrip("."), "street", m.span()) for m in islice(_STREET.finditer(text), MAX_PLACES)]
    # Peoria Avenue is not in Peoria
    known = chain(islice(_known(text), MAX_PLACES), islice(_tagged(text), MAX_PLACES))
    named = [(place, spots) for place, spots in known if not _overlaps(place.span, found)]
    found += [_settled(text, place, spots, named) for place, spots in named]
    headline = is_headline(text)
    for match in islice(_SITE.finditer(text), MAX_PLACES):
        # A capitalised name that no other rule has claimed; in a headline all is capitalised.
        about = (match[1] in _ABOUT and not headline) or _SITE_WORD.search(match[2])
        if about and fold(match[2].split()[0]) not in _listed("no_site") and not _overlaps(match.span(2), found):
            found.append(Place(match[2], "site", match.span(2), introduced=True))
    return sorted(found, key=lambda place: place.span)[:MAX_PLACES]


def best_place(places: Sequence[Place]) -> Place | None:
    """Where the incident is: the best city, else region, country, site or street; None when no place is named."""
    ranks = [_RANK[place.kind] + (1.5 if place.introduced else 0.0) - 0.05 * at for at, place in enumerate(places)]
    ranked = [places[at] for at in sorted(range(len(places)), key=lambda at: -ranks[at])]
    region = ranked[0].spot if ranked and ranked[0].kind == "region" else None
    # Of a state and a town in it, the town.
    towns = (p for p in ranked if region and p.spot and p.kind == "city" and gazetteer.within(p.spot, region))
    return next(towns, ranked[0] if ranked else None)


def spots_of(places: Sequence[Place]) -> tuple[Spot, ...]:
    """What the gazetteer knows of places, each once, the best first."""
    best = best_place(places)
    ordered = sorted(places, key=lambda place: place is not best)
    return tuple(dict.fromkeys(place.spot for place in ordered if place.spot is not None))


@lru_cache(maxsize=4096)  # many reports name one place
def located(location: str) -> tuple[Spot, ...]:
    """What the gazetteer knows of a location, the best first."""
    text = location[:300]
    return spots_of(find_places(text if any(letter.isupper() for letter in text) else text.title()))


def location_of(places: Sequence[Place]) -> str | None:
    """The best place, with what it is in: "Portland, Maine"."""
    best = best_place(places)
    return None if best is None else f"{best.name}, {best.inside}" if best.inside else best.name


def _overlaps(span: tuple[int, int], places: Sequence[Place]) -> bool:
    return any(span[0] < place.span[1] and place.span[0] < span[1] for place in places)


# --- which place a name means ---------------------------------------------------

_Named = tuple[Place, tuple[Spot, ...]]


def _settled(text: str, place: Place, spots: tuple[Spot, ...], named: Sequence[_Named]) -> Place:
    """A place with the meaning that fits the state or country behind it or others of the report, else the largest."""
    inside, regions = _inside(text, place.span[1])
    told = [spot for region in regions for spot in spots if gazetteer.within(spot, region)]
    if not told and regions and regions[0].level == "region" and (spots[0].level == "city" or spots[0].common):
        told = [replace(regions[0], name=place.name, level="city")]  # a town there that the gazetteer does not know
    if not told:
        inside = ""  # "Colorado, New Mexico" is a list
        others = [meant[0] for other, meant in named if other.name != place.name]
        told = [spot for spot in spots if any(_held(spot, spots[0], other) for other in others)]
    if not told and spots[0].level == "city" and spots[0].size < HUGE and text[place.span[0]] not in _MARKS:
        countries = {spot.country for spot in spots}
        tagged = (meant[0] for other, meant in named if text[other.span[0]] in _MARKS)
        told = [replace(spot, name=place.name, level="city") for spot in tagged if spot.country not in countries]
    spot = (told or spots)[0]
    return replace(place, spot=spot, kind=spot.level, inside=inside)


def _held(spot: Spot, largest: Spot, other: Spot) -> bool:
    """Whether a report that names another place means this spot, and not the largest one of its name."""
    if spot.size + 1 < largest.size or (other.level == "country" and largest.size >= HUGE):
        return False
    return gazetteer.within(spot, other) or (spot.region, spot.country) == (other.region, other.country)


def _inside(text: str, end: int) -> tuple[str, list[Spot]]:
    """The state or country behind a name as it is written, and what it may mean: "Dayton, Ohio", "Paris (France)"."""
    match = _INSIDE.match(text, end)
    words = _plain(match[1]).split() if match else []
    for length in range(len(words), 0, -1):
        name = " ".join(words[:length])
        wider = [spot for spot in gazetteer.meanings(fold(name)) if spot.level != "city"]
        if wider and not _is_common(name, wider[0]):
            return name, wider[:1]
    code = words[0] if words and words[0].isupper() and len(words[0]) <= CODE and not text.isupper() else ""
    regions = [spot for spot in gazetteer.coded(code) if spot.level != "city"]
    regions.sort(key=lambda spot: spot.level != "region")
    return code if regions and regions[0].level == "region" else "", regions


# --- names in running text ------------------------------------------------------


def _known(text: str) -> Iterator[_Named]:
    """Names of the gazetteer with what they may mean, the longest first at each word."""
    masked = _MASK.sub(lambda match: " " * len(match[0]), text)
    words = list(_WORD.finditer(masked))
    headline, done = is_headline(text), 0
    introducing = _listed("before") - (_ARTICLES if headline else frozenset())
    for index, word in enumerate(words):
        start = word.start()
        if start < done or word[0][0].islower():  # never credible
            continue
        last = words[index - 1] if index else word
        before = fold(last[0]) if masked[last.end() : start].isspace() else ""
        for end in (other.end() for other in reversed(words[index : index + gazetteer.LONGEST])):
            told = _plain(masked[start:end])
            name, done = fold(" ".join(told.split())), start + len(told)
            after = found[1] if (found := _NEXT.match(masked, done)) else ""
            known = gazetteer.meanings(name)
            spots = known or gazetteer.of_people(name) or (() if headline else _coded(told, before, after))
            part = not headline and after[:1].isupper()
            meant = before in introducing and not part and name not in _listed("compass")
            paper = before == "the" and fold(after) in _listed("press")
            if spots and not paper and (meant or not _is_common(name, spots[0]) or _inside(text, done)[1]):
                introduced = before in _listed("locating")
                shown = told if known else spots[0].name
                yield Place(shown, spots[0].level, (start, done), introduced, spots[0]), spots
                break
        else:
            done = 0


def _coded(code: str, before: str, after: str) -> tuple[Spot, ...]:
    """The city of an airport's code beside a word that locates it or a hazard's: "at LAX", "NYC blackout"."""
    beside = before in _listed("locating") or fold(after) in _listed("hazard_tags")
    meant = beside and len(code) == CODE and code.isupper() and fold(code) not in _stops()
    return _sole(gazetteer.coded(code)) if meant else ()


def _plain(name: str) -> str:
    """A name without the dot of its sentence, and without a possessive's ending."""
    if name.endswith(".") and name.count(".") == 1:
        name = name[:-1]
    return name[:-2] if name[-2:] in {"'s", "’s"} and len(name) > 4 else name


def _is_common(name: str, spot: Spot) -> bool:
    """Whether a name of the gazetteer may be a plain word."""
    low = fold(name)
    return " " not in low and (len(low) < 4 or low in _listed("common") or low in _stops() or spot.common)


@cache
def _stops() -> frozenset[str]:
    return frozenset().union(*(words_of(language, "stop") for language in LANGUAGES))


def is_headline(text: str) -> bool:
    """Whether nearly all words are capitalised, so that capitals tell nothing about a word."""
    words = [word for word in text.split() if word[0].isalpha() and len(word) > 3]
    return sum(word[0].isupper() for word in words) * 4 > len(words) * 3


# --- names in hashtags ----------------------------------------------------------


def _tagged(text: str) -> Iterator[_Named]:
    """Places in hashtags: #Calgary, #PrayForBoston, #coloradoflood, #yycflood, #PabloPH."""
    for match in _TAG.finditer(text):
        if spots := _in_tag(match[1]):
            yield Place(spots[0].name, spots[0].level, match.span(), True, spots[0]), spots


def _in_tag(tag: str) -> tuple[Spot, ...]:
    """What place a hashtag's letters name beside words of hazards and of help; () when none, or when it is open."""
    lower = fold(tag)
    parts = [part for part in _CAMEL.split(tag) if part] or [tag]
    if spots := _tag_meanings(lower, 4):
        return spots
    for length in range(min(gazetteer.LONGEST, len(parts)), 0, -1):
        for start in range(len(parts) - length + 1):
            if len(parts) > 1 and (spots := _tag_meanings(fold("".join(parts[start : start + length])), 5)):
                return spots
    if spots := _tag_meanings(_core(lower), 5):
        return spots
    coded = _CODED.fullmatch(lower)
    code = next(filter(None, coded.groups())) if coded else parts[-1] if parts[-1] in _TAGGED_BY_CODE else ""
    return () if code in _stops() else _sole(gazetteer.coded(code))


_FIRST = re.compile(rf"^(?:{_any_of('hazard_tags', 'aid_tags', 'tag_words')}|\d)++")
_LAST = re.compile(rf"(?:{_any_of('hazard_tags', 'aid_tags', 'tag_words')}|\d)$")
_HAZARDS = _any_of("hazard_tags", "aid_tags")
_CODED = re.compile(rf"([a-z]{{2,3}})(?:{_HAZARDS})\d*|(?:{_HAZARDS})([a-z]{{2,3}})\d*|([a-z]{{3}})")
"""A state's or an airport's code beside a hazard, or the latter by itself: #nswfires, #reliefPH, #yyc."""


def _core(tag: str) -> str:
    """A folded hashtag without the words of hazards, of help and the digits at its ends."""
    while (found := _LAST.search(tag)) is not None:
        tag = tag[: found.start()]
    return _FIRST.sub("", tag)


def says_nothing(tag: str) -> bool:
    """Whether a folded hashtag says no more than what kind of hazard, or what hashtags of all incidents say."""
    return not _core(tag)


def _sole(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    return spots if len(spots) == 1 else ()


def _tag_meanings(name: str, least: int) -> tuple[Spot, ...]:
    """What a folded name of at least so many letters means in a hashtag."""
    if len(name) < least or name in _listed("common"):
        return ()
    spots = gazetteer.joined().get(name) or (gazetteer.of_people(name) if len(name) > 5 else ())
    return () if spots and spots[0].common else spots
