"""Names of countries and of their larger parts: which country "Texas" lies in, which people "the French" are.

Only to tell "Paris, France" from "Paris, Texas", and "the French" for France; what is not listed proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from verifleet.verifiers.knowledge.lists import table
from verifleet.verifiers.knowledge.tokens import tokenize

_COUNTRIES = table("places.names")["countries"]
_PARTS = table("places.parts")
_PEOPLES = table("places.peoples")
Name = tuple[str, ...]
_LONGEST = 4
_PARTS_OF_COUNTRIES = frozenset("county province state region district territory prefecture department canton".split())


def _name(text: str) -> Name:
    return tuple(t.text for t in tokenize(text) if t.text != "the")


COUNTRIES = frozenset(_name(name) for name in _COUNTRIES.split(","))
COUNTRY_OF = {_name(part): _name(country) for country, parts in _PARTS.items() for part in parts.split(",")}
PEOPLE_OF = {_name(country): tuple(map(_name, people.split(","))) for country, people in _PEOPLES.items()}
"""`Danish` and `Dane` for Denmark."""
PEOPLES = frozenset(people for peoples in PEOPLE_OF.values() for people in peoples)


def country_of(name: Sequence[str]) -> Name | None:
    """The country that a listed place is or lies in, None for any other word."""
    key = tuple(name)
    return key if key in COUNTRIES else COUNTRY_OF.get(key)


@lru_cache(maxsize=1024)
def countries_asked(words: tuple[str, ...]) -> frozenset[Name]:
    """Every country that a question names, by its people too: Switzerland in "which Swiss city"."""
    spans = _spans(words)
    return frozenset(countries_in(words) | {own for own, people in PEOPLE_OF.items() if not spans.isdisjoint(people)})


def _spans(words: Sequence[str]) -> set[Name]:
    return {tuple(words[i : i + size]) for i in range(len(words)) for size in range(1, _LONGEST + 1)}


def countries_in(words: Sequence[str]) -> set[Name]:
    """Every country that a text names, by itself or by one of its parts."""
    return {country for span in _spans(words) if (country := country_of(span)) is not None}


def parts_in(words: Sequence[str]) -> set[Name]:
    """Every listed part of a country that a text names."""
    return _spans(words) & COUNTRY_OF.keys()


def holds_places(words: Sequence[str]) -> bool:
    """`Ontario`, `Bavaria, Germany`, `Nakuru County`: what a town may be said to lie in."""
    text = [w for w in words if w not in ("the", "in")]
    return bool(text) and (text[-1] in _PARTS_OF_COUNTRIES or country_of(text) is not None)


def is_place(word: str) -> bool:
    """Whether one word is a listed country or part of one."""
    return (word,) in COUNTRIES or (word,) in COUNTRY_OF
