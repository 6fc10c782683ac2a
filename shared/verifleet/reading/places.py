"""Places in a text: names of the gazetteer in running text and in hashtags, streets and sites by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from verifleet.reading import gazetteer
from verifleet.reading.document import Span
from verifleet.reading.gazetteer import Spot, listed, together, unlisted, within
from verifleet.reading.tokens import Token, tag_parts, tokens
from verifleet.reading.words import fold

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_PLACES = 32
HUGE = 7
"""Digits of the population of a city that its name alone means, whatever country is told beside it."""
LEVELS = {"city": 4.0, "region": 3.4, "country": 2.2, "site": 1.0, "street": 0.8}
"""How much each tells where an incident is; a region is a state, a province or an island, a site "Central Station"."""
INTRODUCED = 1.5
"""How much more a place tells behind a word such as "near"."""
CODE = 3
"""Letters of an airport's code."""
_SHORT = 3
"""Letters of what a dot shortens: "St."."""
_ABOUT = frozenset("near outside around behind opposite at inside".split())
_TAGGED_BY_CODE = frozenset({"PH"})
"""Countries whose hashtags of disasters end in their code: #PabloPH."""


def _any_of(*lists: str) -> str:
    return "|".join(sorted({word for name in lists for word in listed(name)}, key=lambda word: (-len(word), word)))


_STREET = re.compile(
    rf"\b(?:\d{{1,5}}[ ]+)?(?:(?:[A-Z][\w'’.-]*|\d{{1,3}}(?:st|nd|rd|th))[ ]){{1,4}}(?:{_any_of('streets')})\b\.?"
    rf"|\b(?:{_any_of('streets_first')})\.?[ ](?:(?:de|del|la|da|di|do|des|du|los|las)[ ]){{0,2}}"
    r"[A-Z0-9][\w'’-]*(?:[ ][A-Z0-9][\w'’-]*){0,3}"
)
_SITE = re.compile(
    r"\b(near|at|outside|inside|around|behind|opposite|in|on|along|off|by|to)\s+(?:the\s+)?"
    r"([A-Z][\w'’&-]*(?:(?:[ ](?:of|de|del|da|la|the)){0,2}[ ][A-Z][\w'’&-]*){0,4})"
)
_SITE_WORD = re.compile(rf"\b(?:{_any_of('sites')})\b", re.IGNORECASE)
_IDLE = rf"(?:{_any_of('hazard_tags', 'aid_tags', 'tag_words')}|\d)*+"
_CORE = re.compile(rf"{_IDLE}(.*?){_IDLE}")
_HAZARDS = _any_of("hazard_tags", "aid_tags")
_CODED = re.compile(rf"([a-z]{{2,3}})(?:{_HAZARDS})\d*|(?:{_HAZARDS})([a-z]{{2,3}})\d*|([a-z]{{3}})")
"""A state's or an airport's code beside a hazard, or the latter by itself: #nswfires, #reliefPH, #yyc."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place named in a text.

    Attributes:
        name: as the text writes it; of a hashtag or an adjective ("Filipino") the gazetteer's name.
        level: one of LEVELS.
        span: [start, end) in characters of the text.
        introduced: a word such as "in" or "near" stands before it.
        spot: what the gazetteer knows of it, so its country and region; None for streets and sites.
        inside: the state or country behind its comma, as the text writes it: "Ohio" of "Dayton, Ohio".
    """

    name: str
    level: Literal["city", "region", "country", "street", "site"]
    span: Span
    introduced: bool = False
    spot: Spot | None = None
    inside: str = ""

    @property
    def location(self) -> str:
        """The place with what it is in: "Portland, Maine"."""
        return f"{self.name}, {self.inside}" if self.inside else self.name


@dataclass(frozen=True, slots=True)
class _Named:
    """A name as it stands in the text, with all that it may mean, the largest first, and all that it may lie in."""

    place: Place
    spots: tuple[Spot, ...]
    around: tuple[Spot, ...] = ()
    tagged: bool = False


def places_of(text: str) -> tuple[Place, ...]:
    """The places of a text, that of the incident first, the others in order; at most MAX_PLACES."""
    text = text[:MAX_TEXT]
    found = [Place(m[0].rstrip("."), "street", m.span()) for m in islice(_STREET.finditer(text), MAX_PLACES)]
    pieces = tokens(text)
    headline = is_headline(pieces)
    known = islice(_named(text, pieces, headline), MAX_PLACES)
    named = [one for one in known if not _overlaps(one.place.span, found)]  # Peoria Avenue is not in Peoria
    found += [_settled(one, named) for one in named]
    for match in islice(_SITE.finditer(text), MAX_PLACES):
        # A capitalised name that no other rule has claimed; in a headline all is capitalised.
        about = (match[1] in _ABOUT and not headline) or _SITE_WORD.search(match[2])
        if about and fold(match[2].split()[0]) not in listed("no_site") and not _overlaps(match.span(2), found):
            found.append(Place(match[2], "site", match.span(2), introduced=True))
    found = sorted(found, key=lambda place: place.span)[:MAX_PLACES]
    best = max(found, key=lambda place: _tells(place, found), default=None)
    return tuple(sorted(found, key=lambda place: place is not best))


def _tells(place: Place, others: Sequence[Place]) -> float:
    """How much a place tells where the incident is; of a state and a town in it, the town tells it."""
    spot = place.spot if place.level == "region" else None
    if spot and any(other.spot and other.level == "city" and within(other.spot, spot) for other in others):
        return 0
    return LEVELS[place.level] + INTRODUCED * place.introduced


def spots_of(places: Sequence[Place]) -> tuple[Spot, ...]:
    """What the gazetteer knows of places, each once."""
    return tuple(dict.fromkeys(place.spot for place in places if place.spot is not None))


def is_headline(pieces: Sequence[Token]) -> bool:
    """Whether nearly all words are capitalised, so that capitals tell nothing about a word."""
    words = [piece.text for piece in pieces if piece.kind == "word" and len(piece.text) > _SHORT]
    return sum(word[0].isupper() for word in words) * 4 > len(words) * 3


def _overlaps(span: Span, places: Sequence[Place]) -> bool:
    return any(span[0] < place.span[1] and place.span[0] < span[1] for place in places)


# --- which place a name means ---------------------------------------------------


def _settled(one: _Named, named: Sequence[_Named]) -> Place:
    """A place with the meaning that fits the state or country behind it or others of the text, else the largest."""
    place, largest = one.place, one.spots[0]
    town = largest.level == "city"
    told = [spot for region in one.around for spot in one.spots if within(spot, region)]
    of_state = bool(one.around) and one.around[0].level == "region"
    in_full = largest.size < HUGE and len(place.inside) > CODE  # "RS" may be Serbia or a state of Brazil
    if not told and one.around and ((town and (of_state or in_full)) or (largest.common and of_state)):
        told = [unlisted(place.name, one.around[0])]
    inside = place.inside if told else ""  # "Colorado, New Mexico" is a list
    if not told and not (town and largest.size >= HUGE):
        others = [other.spots[0] for other in named if other.place.name != place.name]
        told = [spot for spot in one.spots if any(together(spot, other) for other in others)]
        told = told or [spot for spot in one.spots if any(_fellow(spot, other) for other in others)]
        if town and not told and not one.tagged:
            countries = {spot.country for spot in one.spots}
            tagged = (other.spots[0] for other in named if other.tagged)
            told = [unlisted(place.name, spot) for spot in tagged if spot.country not in countries]
    spot = (told or one.spots)[0]
    return replace(place, spot=spot, level=spot.level, inside=inside)


def _fellow(one: Spot, other: Spot) -> bool:
    """Whether both are states or towns of one country."""
    return one.country == other.country and "country" not in (one.level, other.level)


# --- names ------------------------------------------------------------------------


def _named(text: str, pieces: Sequence[Token], headline: bool) -> Iterator[_Named]:
    """Names of the gazetteer, the longest at each word or hashtag: #Calgary, #PrayForBoston, #yycflood, "Salem"."""
    done = 0
    for at, piece in enumerate(pieces):
        tagged = piece.kind == "tag"
        if at < done or not (tagged or (piece.kind == "word" and not piece.text[0].islower())):
            continue
        before = pieces[at - 1].low if at and pieces[at - 1].kind == "word" else ""
        for end, key in _keys(pieces, at):
            behind = pieces[end] if end < len(pieces) and pieces[end].kind == "word" else None
            alone = end == at + 1
            known = _in_tag(piece.text[1:]) if tagged and alone else gazetteer.meanings(key)
            spots = known or gazetteer.of_people(key) or (_coded(piece.text, before, behind) if alone else ())
            if not spots or (tagged and not known):
                continue
            inside, around = _around(text, pieces, end, spots)
            named = behind is not None and behind.text[0].isupper()
            paper = named and behind is not None and behind.low in listed("press")
            meant = before in listed("before") and (headline or not named) and key not in listed("compass")
            if tagged or (not paper and (meant or inside or not gazetteer.is_common(key))):
                span = (piece.start, _end(pieces[end - 1]))
                name = text[slice(*span)] if known and not tagged else spots[0].name
                introduced = tagged or before in listed("locating")
                yield _Named(Place(name, spots[0].level, span, introduced, inside=inside), spots, around, tagged)
                done = end
                break


def _keys(pieces: Sequence[Token], at: int) -> list[tuple[int, str]]:
    """Where a name that begins at a word may end, and how it is looked up, the longest first."""
    key, end, made = "", at, list[tuple[int, str]]()
    while end < len(pieces) and len(made) < gazetteer.LONGEST and (end == at or pieces[end].kind == "word"):
        key += pieces[end].low.lstrip("#")
        made.append((end + 1, key.removesuffix("'s")))
        mark, behind = (*pieces[end + 1 : end + 3], None, None)[:2]
        dotted = mark is not None and mark.text == "." and mark.glued and len(pieces[end].text) <= _SHORT
        hyphen = mark is not None and mark.text in "-–" and mark.glued
        glued = behind is not None and behind.glued
        key += "" if dotted and glued else " "  # "D.C.", "St. John's"
        end += 1 + (dotted or (hyphen and glued))
    return made[::-1]


def _end(piece: Token) -> int:
    """Where a word ends, without a possessive's ending."""
    return piece.end - 2 * piece.low.endswith("'s")


def _around(text: str, pieces: Sequence[Token], end: int, spots: Sequence[Spot]) -> tuple[str, tuple[Spot, ...]]:
    """The state or country behind a name as it is written, and what it may mean: "Dayton, Ohio", "Paris (France)"."""
    first = pieces[end + 1] if end + 1 < len(pieces) and pieces[end].text in (",", "(") else None
    if first is None or first.kind != "word" or not first.text[0].isupper():
        return "", ()
    for stop, key in _keys(pieces, end + 1)[-3:]:
        code = len(key) <= CODE
        if code and (text.isupper() or not first.text.isupper()):
            break
        wider = gazetteer.regions(key)
        if any(within(spot, region) for spot in spots for region in wider) or (
            wider and (code or not gazetteer.is_common(key))
        ):
            return text[first.start : _end(pieces[stop - 1])], wider
    return "", ()


def _coded(code: str, before: str, behind: Token | None) -> tuple[Spot, ...]:
    """The city of an airport's code beside a word that locates it or a hazard's: "at LAX", "NYC blackout"."""
    beside = before in listed("locating") or (behind is not None and behind.low in listed("hazard_tags"))
    meant = beside and len(code) == CODE and code.isupper() and not gazetteer.is_stop(fold(code))
    return _sole(gazetteer.coded(code)) if meant else ()


def _in_tag(tag: str) -> tuple[Spot, ...]:
    """What place a hashtag's letters name beside words of hazards and of help; () when none, or when it is open."""
    whole, parts = fold(tag), tag_parts(tag)
    lengths = range(min(gazetteer.LONGEST, len(parts)), 0, -1) if len(parts) > 1 else ()
    inside = (parts[at : at + length] for length in lengths for at in range(len(parts) - length + 1))
    parted = (*(fold("".join(some)) for some in inside), _core(whole))
    names = (name for name in (whole, *parted) if len(name) > CODE + (name != whole) and name not in listed("common"))
    known = (gazetteer.joined().get(name) or gazetteer.of_people(name) for name in names)
    if spots := next((spots for spots in known if spots and not spots[0].common), ()):
        return spots
    coded = _CODED.fullmatch(whole)
    code = next(filter(None, coded.groups())) if coded else parts[-1] if parts[-1] in _TAGGED_BY_CODE else ""
    return () if gazetteer.is_stop(code) else _sole(gazetteer.coded(code))


def _sole(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    return spots if len(spots) == 1 else ()


def _core(tag: str) -> str:
    """A folded hashtag without the words of hazards, of help and the digits at its ends."""
    found = _CORE.fullmatch(tag)
    return found[1] if found else tag


def says_nothing(tag: str) -> bool:
    """Whether a folded hashtag says no more than what kind of hazard, or what hashtags of all incidents say."""
    return not _core(tag)
