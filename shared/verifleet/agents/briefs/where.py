"""Where an incident is: the place that most reports name, with what it lies in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from verifleet.agents.memory import keys
from verifleet.reading import gazetteer
from verifleet.reading.gazetteer import known_place
from verifleet.reading.hazards import named_hazard
from verifleet.reading.words import fold, lemma, sense

if TYPE_CHECKING:
    from verifleet.agents.briefs.state import State

MAX_NAMED = 12
MAX_ALSO, LEAST_ALSO = 4, 2
"""How many other names are told, and how many reports at least have each."""
FEW_NAME, MANY_NAME, FEW_OF_NAMED = 6, 10, 3
"""The share of all reports with less than which a place is none of the incident, and the share of those that name a
country with which a place in it is."""
FEW_SITES = 20
"""The share of all reports with less than which a name is that of no site."""
REGIONAL, TOWN_KM = frozenset("flood storm earthquake".split()), 60
"""Kinds of incidents that strike many towns at a time; from which distance a town is none that another kind struck."""
OF_STATE = 0.7
"""The share of those that name a state with which a town in it is the place of all."""
MOST_LONE = 2
"""How many reports there may be of which only one names a place, for it to be that of all."""


def where(state: State) -> str:
    """The place that most reports name, or one in it that many do, with what it lies in; "" for none."""
    if "where" not in state.memo:
        state.memo["where"] = _place_of(state)
    return str(state.memo["where"])


def _place_of(state: State) -> str:
    counts = _told_in_full(state.places)
    names = tuple(sorted(counts, key=lambda name: (len(name) < 4 and name.isupper(), -counts[name])))[:MAX_NAMED]
    most = max(counts.values(), default=0)
    unknown = most * FEW_NAME < state.reports or (FEW_OF_NAMED * most < state.reports and bool(hazards(state)))
    counted = tuple(counts[name] for name in names)
    lone = most == 1 and _is_lone(state, names)
    if not (unknown or lone):
        return _where(names, counted)
    return "" if lone else _wider(names, counted)


def _told_in_full(counts: Mapping[str, int]) -> Mapping[str, int]:
    """How many reports name each place, a name by itself being of the place that is told with what it lies in."""
    alone = Counter(fold(name) for name in Counter(counts).elements())

    def borne_out(name: str) -> int:
        return counts[name] + sum(alone[fold(part.strip())] for part in name.split(",")[1:])

    full = sorted((name for name in counts if "," in name), key=borne_out)
    whole = {fold(name.partition(",")[0]): name for name in full}
    told = Counter[str]()
    for name, count in counts.items():
        told[whole.get(fold(name), name)] += count
    return told


def _is_lone(state: State, names: Sequence[str]) -> bool:
    """Whether one report of several names a place, and no other one in its country, or what it claims is of others."""
    countries = Counter((spot.name, *_around(spot))[-1] for name in names if (spot := _spot_of(name)))
    if max(countries.values(), default=0) > 1:
        return False
    said_of = [name for said in state.said for name in said.scope]
    told = any(name in fold(names[0]) or fold(names[0]) in name for name in said_of)
    return state.reports > MOST_LONE or bool(said_of and not told)


def site(state: State, struck: str) -> str:
    """The place that an accident or attack `struck`, by the name that claims have beside the town; "" for none."""
    own = frozenset(fold(where(state)).replace(",", " ").replace("-", " ").split())
    named = Counter[str]()
    for said in state.said:
        for *before, last in map(str.split, said.scope):
            if (
                len(before) < LEAST_ALSO
                and last not in own
                and last[:5] != struck[:5]
                and sense(last, "en").name in ("", struck)
            ):
                named[last] += len(said.voices)
    told = {last: max(state.words.get(lemma(last, spoken), 0) for spoken in ("en", "")) for last in named}
    fit = [last for last, many in told.items() if many * FEW_SITES >= state.reports and named[last] > LEAST_ALSO]
    best = max((last for last in fit if last != struck and not known_place(last)), key=told.__getitem__, default="")
    if not best:
        return ""
    words = (word.strip(".,:;()#'\"") for said in state.said for one in said.voices for word in one.label.split())
    spelt = Counter(word for word in words if word.casefold() == best)
    return max(spelt, key=spelt.__getitem__, default=best.title())


def hazards_named(state: State) -> list[str]:
    """Names of storms and fires that several claims have, beside the place, those that most do first."""
    own = frozenset(fold(where(state)).replace(",", " ").split())
    return [name for name in hazards(state) if own.isdisjoint(fold(name).split())][:MAX_ALSO]


def hazards(state: State) -> list[str]:
    """Names of storms and fires that several claims have, those that most do first: "Typhoon Pablo"."""
    named = Counter[str]()
    for said in state.said:
        for name in filter(None, map(named_hazard, said.scope)):
            named[name] += len(said.voices)
    return [name.title() for name, count in named.most_common() if count > LEAST_ALSO]


def _spot_of(name: str) -> gazetteer.Spot | None:
    """What a name of a place means, with what it lies in or by itself."""
    parts = gazetteer.names_in(name) if "," in name else ()
    return next(iter(gazetteer.located(parts)), None) if parts else gazetteer.spot_of(name)


@lru_cache(maxsize=4096)
def elsewhere(scope: tuple[str, ...], location: str | None) -> bool:
    """Whether what names some places names known ones, and none in or near that of an incident."""
    known = tuple(name for name in scope if known_place(name))
    return bool(known) and keys.near(known, gazetteer.names_in(location)) is False


def beyond(scope: tuple[str, ...], state: State) -> bool:
    """Whether what names some places is of none of an incident: of what struck one town, it may be of another town."""
    if elsewhere(scope, state.location):
        return True
    own = _spot_of(where(state))
    if own is None or own.level != "city" or state.family in REGIONAL:
        return False
    spots = [spot for name in scope if (spot := gazetteer.spot_of(name)) and spot.level == "city"]
    away = [gazetteer.distance(own, spot) for spot in spots if spot != own]
    return bool(away) and len(away) == len(spots) and all(km is not None and km > TOWN_KM for km in away)


def is_wide(state: State) -> bool:
    """Whether an incident struck more than one town, as far as its place tells."""
    spot = _spot_of(where(state))
    return state.family in REGIONAL and (spot is None or spot.level != "city")


@lru_cache(maxsize=1024)
def _where(names: tuple[str, ...], counts: tuple[int, ...]) -> str:
    if not names:
        return ""
    known: Counter[gazetteer.Spot] = Counter()
    for name, count in zip(names, counts, strict=True):
        if spot := _spot_of(name):
            known[spot] += count
    top = _spot_of(names[0])
    if top is None:
        own = names[0].title() if names[0].isupper() else names[0]
        near = next((spot for spot, _ in known.most_common(1)), None)
        return ", ".join((own, *_around(near))) if near and "," not in own else own
    inside = [spot for spot, count in known.most_common() if MANY_NAME * count >= counts[0] and _lies_in(spot, top)]
    if inside and top.level != "city":
        named = [spot for spot in inside if 2 * known[spot] >= known[inside[0]]]
        best = min(named, key=lambda spot: spot.radius)
        if (top.level, best.level) != ("region", "city") or OF_STATE * known[top] <= known[best]:
            top = best
    written = names[0].partition(",")[0]  # "Ghent" for Gent
    known_so = top.level == "city" and written.istitle() and top in gazetteer.meanings(fold(written))
    own = written if known_so else top.name
    return ", ".join({fold(name): name for name in (own, *_around(top))}.values())


def _wider(names: tuple[str, ...], counts: tuple[int, ...]) -> str:
    """The country in which most of the places lie that reports name, and its state or region that has most of them."""
    known = [(spot, count) for name, count in zip(names, counts, strict=True) if (spot := _spot_of(name))]
    countries, regions, names_in = Counter[str](), Counter[str](), Counter[str]()
    for spot, count in known:
        *smaller, around = (spot.name, *_around(spot))
        countries[around] += count
        names_in[around] += 1
        if smaller:
            regions[f"{smaller[-1]}, {around}"] += count
    country = max(countries, key=lambda name: (names_in[name], countries[name]), default="")
    inside = [name for name in regions if name.endswith(f", {country}") and 2 * regions[name] >= countries[country]]
    return max(inside, key=regions.__getitem__, default=country)


@lru_cache(maxsize=4096)
def _around(spot: gazetteer.Spot) -> tuple[str, ...]:
    """What a place lies in: its state or region where that has another name, and its country."""
    spots = [*gazetteer.meanings(spot.region), *gazetteer.coded(spot.country)] if spot.level != "country" else []
    wider = [other for other in spots if _lies_in(spot, other) and other.level != "city"]
    by_size = sorted(wider, key=lambda other: other.level == "country")
    return tuple(other.name for other in by_size if spot.name not in other.name)


def _lies_in(spot: gazetteer.Spot, other: gazetteer.Spot) -> bool:
    return spot != other and gazetteer.within(spot, other)
