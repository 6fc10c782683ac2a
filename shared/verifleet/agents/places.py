"""Places in reports, by a small gazetteer and by how places are written.

Countries, regions and larger cities come from `gazetteer.json` (GeoNames data, CC BY 4.0, built by
tools/build_gazetteer.py); streets, squares and sites from their form ("Peoria Avenue", "near Central Station").
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

MAX_TEXT = 16_384
"""Characters of a report that are looked at."""
MAX_PLACES = 32

Kind = Literal["city", "region", "country", "street", "site"]


@dataclass(frozen=True, slots=True)
class Place:
    """One place named in a report.

    Attributes:
        name: as the report writes it (a hashtag is parted into words).
        kind: city, region (state, province, island), country, street, or site ("Central Station").
        country: ISO 3166 code where the gazetteer knows it.
        span: [start, end) in characters of the report.
        introduced: a word such as "in" or "near" stands before it.
    """

    name: str
    kind: Kind
    country: str | None
    span: tuple[int, int]
    introduced: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    kind: Kind
    country: str
    size: int


_COMMON_WORDS = frozenset(
    "nice reading mobile orange bath split cork lincoln victoria independence enterprise hope march may june "
    "august same "
    "van male man of as is it in on at be my me to us so the and but or best most more young long short central union "
    "university temple college park palm bay cape page mission normal surprise troy eagle ada ady along bar bay "
    "bend bo "
    "born bug can come dali date do dole elk ely eye ferry fort gap gary gay hit hull ill jena june kent king "
    "lead lens "
    "love lucky major mary media melton mercy metro mole mono mount must nan nice noble north south east west novi ore "
    "oslo-port oral pala para paris-hilton pasco perm piano plan plano post price pori port pune-it roar rich "
    "rock rome "
    "rush sale salt san sandy santa say see sens sharp shaw sky small soft speed split spring springs stade star storm "
    "stone sugar sun talent tempe tours tower true turku ube ure van vast vita wake warm wash weed well wells "
    "white wien "
    "wishaw york jordan georgia chad turkey jersey guinea cuba-libre niger mali oman togo samoa aurora florence "
    "charlotte "
    "jackson madison victoria austin sydney kent ashley brandon chester chelsea dallas denver-co devon douglas duncan "
    "everett francis franklin gilbert grace hamilton harvey houston-we howard irving jasper joseph kelly "
    "kingston lawrence "
    "leon logan martin mason maria mercedes milan morgan nelson newton oliver palmer parker porter preston "
    "quincy regina "
    "richard richmond rochester roman romeo salem salvador santiago-de savannah shelby sofia spencer stanley "
    "stuart taylor "
    "terry tyler valencia-ca vera vernon vincent wallace warren washington wayne wesley whitney wilson windsor winston "
    "mission george terminal morley phoenix concord liberty buckeye riverside lakewood burnaby pearl gulf "
    "sunrise hyde hart bell deer fire flint flower "
    "grant green hill hills lake lakes marina mesa mine moore orchard palms plains ridge river rivers rowland "
    "royal santee "
    "seaside summer tracy upland valley vista walnut water watts allen amman-in ames anderson arden asia barking "
    "battle "
    "boston-dynamics brent broken bury chino clay clinton corona cary dover dale derby dudley euclid fleet "
    "foggia-it gates "
    "hayes hilton hurst laval lima-beans lorient mansfield medina melville mira nampa noida novo oakley ocean "
    "olive orem "
    "paradise parma pass pearland poole ramat redding redmond rialto sligo-it smyrna stafford st sutton tema "
    "toledo-cut "
    "torre trier troyes union ulm visalia walker westminster windy worth sandwich cannes-film slough staines bray naas "
    "rizal miranda falcon noto java flores emilia marche laguna negros paranoid bali papua urals normandy-inn ancient "
    "china dominica grenada ireland-baldwin monaco peru-it barbados wales".split()
) - frozenset({"wales", "china", "turku", "rome", "washington", "santiago", "barbados", "dominica", "grenada"})
"""Names that are ordinary words or people's names too: taken only after "in", "near" and the like, capitalised."""
_BEFORE = frozenset(
    "in at near from around outside across off over inside throughout towards toward hits hit strikes struck "
    "rocks rocked "
    "shakes hammers batters leaves downtown central northern southern eastern western north south east west northeast "
    "northwest southeast southwest greater en de a da em di do na no nel near sa ng au à bei aus of for to "
    "through into "
    "via between leaving reaching reach devastated devastates slams slammed via by within".split()
)
_LOCATING = frozenset(
    "in at near from around outside across off inside downtown central northern southern eastern western en em "
    "nel sa au à "
    "hits hit strikes struck rocks rocked slams slammed of to toward towards".split()
)
_PERSONAL = frozenset(
    "mr mrs ms dr president governor gov mayor senator sen minister officer chief sheriff captain capt sgt judge "
    "pope king "
    "queen prince princess coach actor singer rapper st saint sta san santa".split()
)
_FACILITIES = frozenset(
    "police airport river fire county university hospital area city state street station port international earthquake "
    "quake flood floods flooding fires wildfire shooting crash haze residents officials mayor governor "
    "department district "
    "province region suburb red news post times herald zoo stadium bay beach lake valley island islands marathon "
    "bombing "
    "bombings train nightclub storm typhoon hurricane refinery authorities metro museum today and is".split()
)
_PRESS = frozenset("post times herald tribune star globe mail sun gazette journal telegraph examiner chronicle".split())
_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*\.?", re.UNICODE)
_TAG = re.compile(r"[#＃](\w{3,60})")
_MASK = re.compile(r"(?:https?:?/{0,2}|www\.)\S+|[@#＃]\w+|[\w.+-]{1,64}@[\w.-]{1,64}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|_")
_TAG_NOISE = re.compile(
    r"pray(?:ing)?for|prayers|help|rescue|relief|strong|update|alert|news|weather|wx|wild|flood(?:s|ing)?|fires?|storm|"
    r"earth|quake|shooting|crash|bomb(?:ing)?s?|attack|explosion|typhoon|hurricane|cyclone|haze|train|tragedy|disaster|"
    r"terremoto|sismo|temblor|incendio|fuerza|forza|allerta|meteo|for|from|in|my|love|is|the|\d"
)

_STREET_TYPES = (
    "Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Way|Court|Highway|Hwy|Terrace|Parkway|Pkwy|"
    "Trail|Crescent|"
    "Close|Square|Sq|Place|Pl|Bridge|Promenade|Quay|Freeway|Expressway|Motorway|Tunnel|Alley|Row|Mall|Strasse|"
    "Straße|straat"
)
_NAME = r"[A-Z0-9][\w'’-]*"
_STREET = re.compile(
    r"\b(?:\d{1,5}[ ]+)?(?:(?:[A-Z][\w'’.-]*|\d{1,3}(?:st|nd|rd|th))[ ]){1,4}(?:" + _STREET_TYPES + r")\b\.?"
    r"|\b(?:Jalan|Jl\.?|Calle|Avenida|Av\.?|Via|Viale|Piazza|Plaza|Rue|Rua|Avenue|Boulevard|Camino|Carrera|Ulica|Ul\.?|"
    r"Highway|Hwy|Interstate|Route|Corso|Paseo|Praça|Platz|EDSA)[ ](?:(?:de|del|la|da|di|do|des|du|la|los|las)[ ]){0,2}"
    + _NAME
    + r"(?:[ ]"
    + _NAME
    + r"){0,3}"
)
_STREET_WORD = re.compile(_STREET_TYPES, re.IGNORECASE)
_SITE = re.compile(
    r"\b(?:near|at|outside|inside|around|behind|opposite|in|on|along|off|by|to)\s+(?:the\s+)?"
    r"(?P<site>[A-Z][\w'’&-]*(?:[ ](?:of|de|del|da|la|the|[A-Z][\w'’&-]*)){0,4})"
)
_SITE_WORDS = re.compile(
    r"\b(?:station|airport|stadium|hospital|school|university|college|mall|market|park|bridge|dam|plant|refinery|"
    r"hotel|church|"
    r"mosque|temple|cathedral|terminal|port|harbou?r|beach|river|creek|lake|canyon|valley|mountain|hall|centre|"
    r"center|tower|"
    r"building|plaza|square|club|theatre|theater|museum|zoo|library|depot|warehouse|factory|mine|camp|bay|island|"
    r"district|"
    r"county|gate|junction|interchange|subway|metro|pier|dock|arena|village|township|barangay|parish|province)\b",
    re.IGNORECASE,
)
_BEHIND_VENUE = re.compile(
    r"\s*(?:[^\w\s]|$)|\s+(?:after|as|at|on|following|where|this|today|tonight|yesterday|early|late|since|amid|due)\b"
)
"""What follows a town that tells where a venue is ("Harbour Hotel, Hull.") and not a name that begins a clause."""
_NOT_SITE = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september "
    "october november december i rt mt twitter facebook instagram god jesus cnn bbc fema breaking the a an this "
    "that my "
    "christmas easter today tomorrow".split()
)


def find_places(text: str) -> list[Place]:
    """The places of a report, in order; at most MAX_PLACES."""
    text = text[:MAX_TEXT]
    found = [
        Place(match[0].rstrip("."), "street", None, match.span(), _introduced(text, match.start()))
        for match, _ in zip(_STREET.finditer(text), range(MAX_PLACES), strict=False)
    ]
    taken = [place.span for place in found]
    for place in (*_known(text), *_tagged(text)):
        if not _overlaps(place.span, taken):  # Peoria Avenue is not in Peoria
            found.append(place)
            taken.append(place.span)
    for match in _SITE.finditer(text):
        site = _site(match, taken) if len(found) < 2 * MAX_PLACES else None
        if site is not None:
            found.append(site)
    return sorted(found, key=lambda place: place.span)[:MAX_PLACES]


def location_of(places: Sequence[Place]) -> str | None:
    """Where the incident is: the best city, else region, country, site or street; None when no place is named."""
    best = best_place(places)
    return best.name if best is not None else None


def best_place(places: Sequence[Place]) -> Place | None:
    """The place that `location_of` names."""
    best: tuple[float, Place] | None = None
    for index, place in enumerate(places):
        score = _RANK[place.kind] + (1.5 if place.introduced else 0.0) - 0.05 * index
        if best is None or score > best[0]:
            best = (score, place)
    return best[1] if best is not None else None


def is_kind_of_place(word: str) -> bool:
    """Whether a word tells the kind of a street or site and not which one it is: "road", "hotel"."""
    return (_SITE_WORDS.fullmatch(word) or _STREET_WORD.fullmatch(word)) is not None


_RANK = {"city": 4.0, "region": 3.4, "country": 2.2, "site": 1.0, "street": 0.8}


# --- the gazetteer ------------------------------------------------------------


@cache
def _gazetteer() -> tuple[dict[str, _Entry], int]:
    """Entries by folded name and by folded name without blanks; and the most words that a name has."""
    document = json.loads(files("verifleet.agents").joinpath("gazetteer.json").read_text("utf-8"))
    entries: dict[str, _Entry] = {}
    for code, names in document["cities"].items():
        for name, _, size in (item.rpartition(":") for item in names.split("|")):
            entry = _Entry(name, "city", code, int(size))
            _keep(entries, entry)
    for code, names in document["regions"].items():
        for name in names.split("|"):
            _keep(entries, _Entry(name, "region", code, 7))
    for code, names in document["countries"].items():
        for name in names.split("|"):
            _keep(entries, _Entry(name, "country", code, 9))
    longest = max(name.count(" ") + 1 for name in entries)
    return entries, min(longest, 5)


def _keep(entries: dict[str, _Entry], entry: _Entry) -> None:
    folded = fold(entry.name)
    for key in {folded, folded.replace(" ", "").replace("-", "")}:
        known = entries.get(key)
        if known is None or known.size < entry.size:
            entries[key] = entry


def fold(name: str) -> str:
    """The name without case, accents and dots."""
    if not name.isascii():
        name = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return name.casefold().replace("’", "'").replace(".", "")


def _known(text: str) -> Iterator[Place]:
    """Names of the gazetteer in running text, the longest first at each word."""
    entries, longest = _gazetteer()
    masked = _MASK.sub(lambda match: " " * len(match[0]), text)
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(masked)]
    index = found = 0
    shouting = text.isupper()
    while index < len(words) and found < MAX_PLACES:
        for length in range(min(longest, len(words) - index), 0, -1):
            run = words[index : index + length]
            if not _joined(masked, run):
                continue
            entry = entries.get(fold(" ".join(word for word, _, _ in run)))
            if entry is None:
                continue
            end = run[-1][2] - run[-1][0].endswith(".") * (not run[-1][0].count(".") > 1)
            of_venue = index > 0 and _after_venue(masked, words[index - 1], run[0][1], end)
            if _credible(words, index, length, shouting, of_venue):
                before = words[index - 1][0].casefold() if index else ""
                introduced = of_venue or before in _LOCATING
                yield Place(text[run[0][1] : end], entry.kind, entry.country, (run[0][1], end), introduced)
                index += length - 1
                found += 1
                break
        index += 1


def _joined(text: str, run: Sequence[tuple[str, int, int]]) -> bool:
    """Whether only blanks part the words of a name."""
    return all(text[left[2] : right[1]].isspace() for left, right in pairwise(run))


def _after_venue(text: str, before: tuple[str, int, int], start: int, end: int) -> bool:
    """Whether a name stands behind a comma after a street or site, as the town where that is."""
    word, _, stop = before
    if text[stop:start].strip() != "," or not word[0].isupper():
        return False
    return is_kind_of_place(word) and _BEHIND_VENUE.match(text, end) is not None


def _credible(
    words: Sequence[tuple[str, int, int]], index: int, length: int, shouting: bool, of_venue: bool = False
) -> bool:
    """Whether a name of the gazetteer is meant as a place here."""
    first = words[index][0]
    before = words[index - 1][0].casefold().rstrip(".") if index else ""
    if not first[0].isupper() and first[0].lower() != first[0].upper():
        return False
    if length > 1:
        return True
    name = fold(first)
    introduced = of_venue or before in _BEFORE
    if name in _COMMON_WORDS or len(name) < 4 or shouting:
        return introduced and (not shouting or len(name) > 3)
    if before in _PERSONAL:
        return False
    adjoined = index + 1 < len(words) and words[index + 1][1] - words[index][2] == 1 and not first.endswith(".")
    after = words[index + 1][0] if adjoined else ""
    named_person = after[:1].isupper() and after[1:2].islower() and fold(after) not in _gazetteer()[0]
    if before == "the" and after.casefold() in _PRESS:
        return False
    return introduced or not named_person or after.casefold() in _FACILITIES


def _tagged(text: str) -> Iterator[Place]:
    """Places in hashtags: #Calgary, #PrayForBoston, #coloradoflood."""
    entries, longest = _gazetteer()
    for match in _TAG.finditer(text):
        parts = [part for part in _CAMEL.split(match[1]) if part]
        found = None
        for length in range(min(longest, len(parts)), 0, -1):
            for start in range(len(parts) - length + 1):
                found = found or _tag_entry(entries, " ".join(parts[start : start + length]), len(parts) > 1)
        found = found or _tag_entry(entries, _TAG_NOISE.sub("", match[1].lower()), True)
        if found is not None:
            yield Place(found.name, found.kind, found.country, match.span(), True)


def _tag_entry(entries: dict[str, _Entry], name: str, partial: bool) -> _Entry | None:
    folded = fold(name)
    if len(folded) < (5 if partial else 4) or folded in _COMMON_WORDS:
        return None
    return entries.get(folded) or entries.get(folded.replace(" ", ""))


# --- streets and sites --------------------------------------------------------


def _site(match: re.Match[str], taken: list[tuple[int, int]]) -> Place | None:
    """A capitalised name after "near" and the like that no other rule has claimed."""
    name = re.sub(r"(?:\s(?:of|de|del|da|la|the))+$", "", match["site"])
    span = (match.start("site"), match.start("site") + len(name))
    first = fold(name.split()[0])
    if first in _NOT_SITE or (name.isupper() and len(name) > 5) or _overlaps(span, taken):
        return None
    near = match[0].split()[0] in {"near", "outside", "around", "behind", "opposite", "at", "inside", "in"}
    return Place(name, "site", None, span, True) if near or _SITE_WORDS.search(name) else None


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _introduced(text: str, start: int) -> bool:
    words = text[max(0, start - 20) : start].split()
    return bool(words) and words[-1].casefold() in _LOCATING | {"on", "along"}
