"""Names of places: what kind of building or ground a name tells of, and whether two names mean one place.

"St Anne's Church Hall" is "St Annes church" and may be "the hall"; "Ashby School" is neither. The kinds of building
only tell that two names without a word in common cannot mean one place; no list of them decides what a place is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Relation = Literal["same", "other", "open"]

_KINDS = {
    "sport": "stadium arena gym gymnasium gymnase rink coliseum dome ground grounds field fields "
    "oval pavilion sportsplex "
    "racecourse velodrome courts track pool complex centre center bowl maidan stade estadio coliseo pitch speedway "
    "circuit raceway gimnasio hippodrome ballpark palais precinct park fieldhouse natatorium lido",
    "school": "school college academy university campus kindergarten primary secondary elementary institute institut "
    "instituto istituto lycee liceo lisesi gymnasium gymnase gym escuela colegio ecole hs ps faculty "
    "madrasa polytechnic "
    "hostel dormitory dorm residence seminary conservatory universidad universite universitat nursery institucion "
    "schule skole skola",
    "faith": "church chapel mosque temple synagogue cathedral parish monastery convent gurdwara shrine minster abbey "
    "basilica mission iglesia masjid kirk tabernacle cami vihara pagoda priory",
    "hall": "hall auditorium theatre theater cinema pavilion centre center club clubhouse library "
    "museum building house "
    "room ballroom annexe annex lodge villa gallery salle palace palazzo foyer forum legion "
    "playhouse conservatory arts exhibition expo headquarters offices office chamber gym",
    "care": "hospital clinic infirmary sanatorium surgery hospice medicare healthcare polyclinic ward",
    "open": "park square plaza gardens garden field ground grounds market fairground fairgrounds showground "
    "showgrounds mall lot carpark common green beach esplanade promenade maidan plaza piazza praca parque zoo quad "
    "campground farm orchard fair ghat reclamation precinct bandstand tower meadow",
    "trade": "mall market warehouse depot store supermarket hotel motel inn hostel shop restaurant cafe pub bar "
    "factory mill plant shed hangar garage exhibition centre center arcade superstore godown outlet brewery cannery "
    "bazaar plaza dairy winery casino bank resort",
    "travel": "station terminal airport port pier dock jetty harbour harbor wharf marina quay airfield junction "
    "depot gate aerodrome airbase ferryport interchange stop checkpoint berth roundabout motorway tollgate",
    "state": "barracks base courthouse precinct post prison camp armory armoury fort headquarters office station "
    "firehouse townhall municipality mairie rathaus depot yard embassy consulate brigade",
}
KINDLESS = frozenset("place point site block corner precinct wing compound quarters".split())
_VAGUE_NOUNS = frozenset(
    "hall centre school gymnasium arena building house ground grounds park stadium field room office "
    "club complex station "
    "college hotel site place depot shed yard campus pavilion".split()
)
"""Nouns by which a place with a name of its own may be called for short."""
_LEVEL = frozenset(
    "primary high secondary elementary middle junior senior community public sports sport leisure local municipal city "
    "town village barangay parish the old new main district saint mount".split()
)
KIND_OF: dict[str, frozenset[str]] = {}
for _kind, _nouns in _KINDS.items():
    for _noun in _nouns.split():
        KIND_OF[_noun] = KIND_OF.get(_noun, frozenset()) | {_kind}
NOUNS = frozenset(KIND_OF) | KINDLESS
ENDINGS = (
    "hallen", "halle", "hall", "haus", "huset", "schule", "skole", "skola", "kirche", "kirke", "kyrka", "platz",
    "plass", "paleis", "stadion", "sporthal", "sportplex", "gymnasium", "centrum", "zentrum", "center", "dome", "drome",
    "plein", "church", "school", "house",
)  # fmt: skip
MODIFIERS = frozenset(
    "old new central city town county community civic municipal national high primary secondary elementary middle "
    "senior junior north south east west northern southern eastern western main local public regional state general "
    "sports sport leisure rugby football cricket ice skating student youth naval fire police parish "
    "village barangay brgy car "
    "parking bus railway train army military cultural culture arts exhibition convention conference events base "
    "memorial district ward government university college boys girls children's women's men's day evening upper lower "
    "great grand royal st saint santa san former disused marriage wedding swimming social "
    "athletic athletics recreation rec masonic scout guide working veterans volunteer health medical teaching "
    "and of the de la del el da do das dos di le les du al gate hills family".split()
)
STREETS = frozenset(
    "street st road rd avenue ave lane drive boulevard blvd way highway hwy trail terrace close crescent avenida calle "
    "rua rue via jalan ulica rruga strasse straße gaten gata straat caddesi sokak corso cours chaussee allee ulitsa "
    "marg expressway freeway motorway route".split()
)


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a place as folded words.

    Attributes:
        words: all of them, in order.
        home: those that name the incident's own place, as "Leeds" in "Leeds Arena".
        proper: it is written as a name, in capitals, and of more than one word.
    """

    words: tuple[str, ...]
    home: frozenset[str] = frozenset()
    proper: bool = False

    @property
    def address(self) -> bool:
        """Whether a street is named, and no building."""
        return is_address(set(self.words))

    @property
    def vague(self) -> bool:
        """Whether no kind of place is named, nor a word that only this place has: "Main", "North End"."""
        return not any(word in NOUNS for word in self.words) and all(word in PLAIN for word in self.words)


_ABBREVIATED = {
    "st": "saint", "brgy": "barangay", "bgy": "barangay", "hs": "high", "ps": "primary", "univ": "university",
    "uni": "university", "ctr": "centre", "center": "centre", "theater": "theatre", "gym": "gymnasium", "mt": "mount",
    "sch": "school", "rec": "recreation", "elem": "elementary", "comm": "community",
    "govt": "government", "natl": "national",
    "gimnasio": "gymnasium", "ginasio": "gymnasium", "gymnase": "gymnasium", "estadio": "stadium", "stade": "stadium",
    "stadio": "stadium", "stadion": "stadium", "iglesia": "church", "igreja": "church", "eglise": "church",
    "escuela": "school", "escola": "school", "ecole": "school", "schule": "school", "scuola": "school",
    "mercado": "market", "marche": "market", "mercato": "market", "centro": "centre", "salle": "hall",
    "praca": "square",
    "plaza": "square", "piazza": "square", "parque": "park", "parc": "park", "biblioteca": "library",
    "int'l": "international", "stn": "station", "hosp": "hospital", "bldg": "building", "harbor": "harbour",
}  # fmt: skip
PLAIN = (
    NOUNS
    | MODIFIERS
    | STREETS
    | frozenset(
        "saint mount number no nagar colony layout sector phase barrio kampung desa floor lot bay exit zone".split()
    )
)


def plain_word(word: str) -> str:
    """A word of a name without marks, and written out: "gym" is "gymnasium"."""
    word = word.replace(".", "").removesuffix("'s").replace("'", "").replace("ı", "i")
    return _ABBREVIATED.get(word, word)


@lru_cache(maxsize=8192)
def relation(one: Name, other: Name, *, route: bool) -> Relation:
    """Whether two names mean one place, two, or either; with `route`, of roads that a diversion leads along."""
    mine, theirs = {plain_word(word) for word in one.words}, {plain_word(word) for word in other.words}
    if mine <= theirs or theirs <= mine:
        return "same"
    plain = PLAIN | {plain_word(word) for word in one.home | other.home}
    own, its = mine - plain, theirs - plain
    if any(_alike(word, another) for word in own for another in its):
        return "open" if _unlike_kinds(mine, theirs) else "same"
    short = max(_initials(one, its), _initials(other, own))
    if short:
        return "same" if short > 1 else "open"
    if not route and is_address(mine) != is_address(theirs):
        return "open"  # the one may be the other's address
    if own and its:
        return "other"
    return _general(one, mine, theirs) if not own else _general(other, theirs, mine)


def _general(name: Name, mine: set[str], theirs: set[str]) -> Relation:
    """How a name without a word of its own ("the sports hall", "University College Hospital") relates to another."""
    if _unlike_kinds(mine, theirs):
        return "other"
    left = mine - theirs - _LEVEL - {plain_word(word) for word in name.home}
    if name.proper:
        shared = mine & theirs & NOUNS
        return "other" if left - NOUNS or not shared or left & {"university", "college"} else "open"
    kinds = theirs & NOUNS
    return "other" if left and not kinds and not left & _VAGUE_NOUNS else "open"


def is_address(words: set[str]) -> bool:
    """Whether the words of a name are those of a street, and of no building."""
    return bool(words & STREETS) and not words & NOUNS


def _alike(one: str, other: str) -> bool:
    """Whether two words are one, or one a compound with the other ("Haukelandshallen", "Haukeland hall")."""
    if one == other or one + "s" == other or other + "s" == one:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= 5 and long.startswith(short):
        return True
    return len(short) >= 6 and abs(len(long) - len(short)) <= 1 and _one_slip(short, long)


def _one_slip(short: str, long: str) -> bool:
    start = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    skip = 1 if len(short) == len(long) else 0
    return start > 1 and short[start + skip :] == long[start + 1 :]


def _initials(name: Name, words: set[str]) -> int:
    """Whether one name abbreviates the other: 2 for "UCH" of "University College Hospital", 1 for a part of it.

    A longer one may be of the full name, of which people leave out words.
    """
    letters = "".join(word[0] for word in name.words)
    if len(letters) < 3 or not words:
        return 0
    bare = "".join(word[0] for word in name.words if word not in name.home)
    if letters in words or (len(bare) > 3 and any(_abbreviates(word, bare) for word in words)):
        return 2
    ends = [letters[at:] for at in range(len(letters) - 2)]
    return int(any(word.startswith(end) or word in letters for word in words if len(word) > 2 for end in ends))


def _abbreviates(word: str, letters: str) -> bool:
    """Whether a word has all the letters in their order, and at most two more between them."""
    if not len(letters) < len(word) <= len(letters) + 2 or (word[0], word[-1]) != (letters[0], letters[-1]):
        return False
    left = iter(word)
    return all(letter in left for letter in letters)


def _unlike_kinds(one: set[str], other: set[str]) -> bool:
    """Whether two names are of two kinds of building: a school and a library."""
    mine = frozenset().union(*(_kinds(word) for word in one))
    theirs = frozenset().union(*(_kinds(word) for word in other))
    return bool(mine) and bool(theirs) and mine.isdisjoint(theirs)


def _kinds(word: str) -> frozenset[str]:
    known = KIND_OF.get(word)
    return known if known is not None else _HALL if word.endswith(("hall", "halle", "hallen")) else frozenset()


_HALL = frozenset({"hall", "sport"})
