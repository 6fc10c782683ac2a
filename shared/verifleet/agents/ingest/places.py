"""Places in reports: names of the gazetteer in running text and in hashtags, streets and sites by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from verifleet.agents.ingest import gazetteer
from verifleet.agents.ingest.gazetteer import Spot, fold
from verifleet.agents.lexicon import shipped

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_PLACES = 32

Kind = Literal["city", "region", "country", "street", "site"]

_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*\.?")
_TAG = re.compile(r"[#＃](\w{3,60})")
_MASK = re.compile(r"(?:https?:?/{0,2}|www\.)\S+|[@#＃]\w+|[\w.+-]{1,64}@[\w.-]{1,64}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|_")
_CODE = re.compile(r", ?([A-Z]{2,3})\b")

_SITE = re.compile(
    r"\b(?P<before>near|at|outside|inside|around|behind|opposite|in|on|along|off|by|to)\s+(?:the\s+)?"
    r"(?P<site>[A-Z][\w'’&-]*(?:[ ](?:of|de|del|da|la|the|[A-Z][\w'’&-]*)){0,4})"
)

_LAST_LINKS = re.compile(r"(?:\s(?:of|de|del|da|la|the))+$")
_ABOUT = frozenset("near outside around behind opposite at inside".split())
_RANK = {"city": 4.0, "region": 3.4, "country": 2.2, "site": 1.0, "street": 0.8}

_ARTICLES = frozenset({"a", "na", "no"})
"""Prepositions that are articles or denials in English."""

_TAGGED_BY_CODE = frozenset({"PH"})
"""Countries whose hashtags of disasters end in their code: #PabloPH."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place named in a report.

    Attributes:
        name: as the report writes it; of a hashtag or an adjective ("Filipino") the gazetteer's name.
        kind: city, region (state, province, island), country, street, or site ("Central Station").
        country: ISO 3166 code where the gazetteer knows it.
        span: [start, end) in characters of the report.
        introduced: a word such as "in" or "near" stands before it.
        spot: what the gazetteer knows of it; None for streets and sites.
        inside: the state or country behind its comma, as the report writes it: "Ohio" of "Dayton, Ohio".
    """

    name: str
    kind: Kind
    country: str | None
    span: tuple[int, int]
    introduced: bool
    spot: Spot | None = None
    inside: str = ""


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(shipped("ingest/place_words.json")[name].split())


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
    found: list[Place] = []
    for match, _ in zip(_STREET.finditer(text), range(MAX_PLACES), strict=False):
        introduced = _before(text, match.start()) in _listed("locating") | {"on", "along"}
        found.append(Place(match[0].rstrip("."), "street", None, match.span(), introduced))
    # Peoria Avenue is not in Peoria
    named = [place for place in (*_known(text), *_tagged(text)) if not _overlaps(place.span, found)]
    found += [_settled(text, place, named) for place in named]
    headline = is_headline(text)
    for match in _SITE.finditer(text):
        if len(found) < 2 * MAX_PLACES and (site := _site(match, found, headline)) is not None:
            found.append(site)
    return sorted(found, key=lambda place: place.span)[:MAX_PLACES]


def best_place(places: Sequence[Place]) -> Place | None:
    """Where the incident is: the best city, else region, country, site or street; None when no place is named."""
    ranked = [
        (_RANK[place.kind] + (1.5 if place.introduced else 0.0) - 0.05 * index, -index, place)
        for index, place in enumerate(places)
    ]
    return max(ranked, key=lambda item: item[:2])[2] if ranked else None


def location_of(places: Sequence[Place]) -> str | None:
    """The best place, with what it is in: "Portland, Maine"."""
    best = best_place(places)
    return None if best is None else f"{best.name}, {best.inside}" if best.inside else best.name


def _overlaps(span: tuple[int, int], places: Sequence[Place]) -> bool:
    return any(span[0] < place.span[1] and place.span[0] < span[1] for place in places)


def _before(text: str, start: int) -> str:
    """The folded word before a place in a text."""
    words = text[max(0, start - 20) : start].split()
    return words[-1].casefold() if words else ""


def _site(match: re.Match[str], found: Sequence[Place], headline: bool) -> Place | None:
    """A capitalised name after "near" and the like that no other rule has claimed; in a headline all is capitalised."""
    name = _LAST_LINKS.sub("", match["site"])
    span = (match.start("site"), match.start("site") + len(name))
    if fold(name.split()[0]) in _listed("no_site") or _overlaps(span, found):
        return None
    about = match["before"] in _ABOUT and not headline
    return Place(name, "site", None, span, True) if about or _SITE_WORD.search(name) else None


# --- which place a name means ---------------------------------------------------


def _settled(text: str, place: Place, named: Sequence[Place]) -> Place:
    """A place with the meaning that fits the state or country behind it, else the largest."""
    meanings = gazetteer.meanings(fold(place.name)) or tuple(filter(None, [place.spot]))
    inside, regions = _behind(text, place, named)
    there = (spot for region in regions for spot in meanings if gazetteer.within(spot, region))
    spot = next(there, None)
    if spot is None and regions and meanings[0].level == "city":
        spot = replace(regions[0], name=place.name, level="city")  # a town there that the gazetteer does not know
    if spot is None:
        spot, inside = meanings[0], ""  # "Colorado, New Mexico" is a list
    return replace(place, spot=spot, kind=spot.level, country=spot.country, inside=inside)


def _behind(text: str, place: Place, named: Sequence[Place]) -> tuple[str, list[Spot]]:
    """The state or country behind a town as it is written, and what it may mean: "Dayton, Ohio", "Paris (France)"."""
    for other in named:
        if other.spot and other.spot.level != "city" and text[place.span[1] : other.span[0]] in {", ", " ("}:
            return other.name, [other.spot]
    code = _CODE.match(text, place.span[1])
    regions = [spot for spot in gazetteer.coded(code[1]) if spot.level != "city"] if code else []
    regions.sort(key=lambda spot: spot.level != "region")
    shown = code is not None and regions and regions[0].level == "region" and not text.isupper()
    return code[1] if code and shown else "", regions


# --- names in running text ------------------------------------------------------


def _known(text: str) -> Iterator[Place]:
    """Names of the gazetteer, the longest first at each word."""
    masked = _MASK.sub(lambda match: " " * len(match[0]), text)
    words = list(_WORD.finditer(masked))
    headline = is_headline(text)
    index = found = 0
    while index < len(words) and found < MAX_PLACES:
        if words[index][0][0].islower():  # never credible
            index += 1
            continue
        for length in range(min(gazetteer.LONGEST, len(words) - index), 0, -1):
            run = words[index : index + length]
            if not all(masked[left.end() : right.start()].isspace() for left, right in pairwise(run)):
                continue
            name = _plain(" ".join(word[0] for word in run))
            of_people = gazetteer.of_people(fold(name))
            spots = gazetteer.meanings(fold(name)) or of_people
            before = fold(words[index - 1][0]) if index else ""
            paper = before == "the" and index + 1 < len(words) and fold(words[index + 1][0]) in _listed("press")
            if spots and not paper and _credible(name, spots[0], before, headline):
                span = (run[0].start(), run[-1].start() + len(_plain(run[-1][0])))
                told = spots[0].name if spots is of_people else text[slice(*span)]
                introduced = before in _listed("locating")
                yield Place(told, spots[0].level, spots[0].country, span, introduced, spots[0])
                index += length - 1
                found += 1
                break
        index += 1


def _plain(name: str) -> str:
    """A name without the dot of its sentence, and without a possessive's ending."""
    if name.endswith(".") and name.count(".") == 1:
        name = name[:-1]
    return name[:-2] if name[-2:] in {"'s", "’s"} and len(name) > 4 else name


def _credible(name: str, spot: Spot, before: str, headline: bool) -> bool:
    """Whether a name of the gazetteer is meant as a place here, and not as a plain word."""
    plain = fold(name) in _listed("common") or len(name) < 4 or spot.common
    introduced = before in _listed("before") and not (headline and before in _ARTICLES)
    return " " in name or not plain or introduced


def is_headline(text: str) -> bool:
    """Whether nearly all words are capitalised, so that capitals tell nothing about a word."""
    words = [word for word in text.split() if word[0].isalpha() and len(word) > 3]
    return sum(word[0].isupper() for word in words) * 4 > len(words) * 3


# --- names in hashtags ----------------------------------------------------------


def _tagged(text: str) -> Iterator[Place]:
    """Places in hashtags: #Calgary, #PrayForBoston, #coloradoflood, #yycflood, #PabloPH."""
    for match in _TAG.finditer(text):
        spots = in_tag(match[1])
        if spots:
            yield Place(spots[0].name, spots[0].level, spots[0].country, match.span(), True, spots[0])


def in_tag(tag: str) -> tuple[Spot, ...]:
    """What place a hashtag's letters name beside words of hazards and of help; () when none, or when it is open."""
    lower = fold(tag)
    if lower in gazetteer.joined() and lower not in _listed("common") and len(lower) > 3:
        return gazetteer.joined()[lower]
    parts = [part for part in _CAMEL.split(tag) if part]
    for length in range(min(gazetteer.LONGEST, len(parts)), 0, -1):
        for start in range(len(parts) - length + 1):
            spots = _tag_meanings("".join(parts[start : start + length]), len(parts) > 1)
            if spots:
                return spots
    core = _core(lower)
    if core != lower:
        # Letters are an airport's code beside a hazard alone; two letters have too many meanings.
        hazard = lower.startswith("prayfor") or _HAZARD.search(lower.replace(core, " ")) is not None
        return _tag_meanings(core, True) or (_sole(gazetteer.coded(core)) if len(core) == 3 and hazard else ())
    last = parts[-1] if len(parts) > 1 else ""
    return _sole(gazetteer.coded(last)) if last in _TAGGED_BY_CODE else ()


_FIRST = re.compile(rf"^(?:{_any_of('hazard_tags', 'tag_words')}|\d)++")
_LAST = re.compile(rf"(?:{_any_of('hazard_tags', 'tag_words')}|\d)$")
_HAZARD = re.compile(_any_of("hazard_tags"))


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


def _tag_meanings(name: str, partial: bool) -> tuple[Spot, ...]:
    folded = fold(name)
    if len(folded) < (5 if partial else 4) or folded in _listed("common"):
        return ()
    spots = gazetteer.joined().get(folded) or (gazetteer.of_people(folded) if len(folded) > 5 else ())
    return () if spots and spots[0].common else spots
