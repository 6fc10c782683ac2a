"""What is counted: whether some groups can be the parts of another, told mostly by the build of the words.

The kinds here are those that no sum mixes; `count_words` has the classes by which two reports count the same things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from verifleet.agents.caseless import caseless
from verifleet.agents.count_words import ANIMALS, CLASSES, SORTS
from verifleet.agents.quantity_slots import FATES
from verifleet.agents.quantity_words import BUILDINGS, PEOPLE, SKIPPED, SLOT_PHRASES, UNITS, VEHICLES
from verifleet.agents.quantity_words import words as listed

_MORE_PEOPLE = listed(
    "us we them pensioners foreigners nationals ladies gents gentlemen blokes lads lasses guys elders grown-ups "
    "grownups mums dads parents newborns lives casualties survivors labourers laborers strangers bystanders medics "
    "personnel police"
)
_MORE_BUILDINGS = listed(
    "pub pubs bar bars restaurant restaurants cafe cafes office offices mosque mosques temple temples factory "
    "factories workshop workshops shed sheds stable stables villa villas bungalow bungalows hotel hotels kiosk "
    "kiosks stall stalls salon salons bakery bakeries pharmacy pharmacies clinic clinics chapel chapels "
    "farmhouse farmhouses"
)
_OF_ANY_KIND = listed("adult adults male males female females young babies baby juveniles seniors others other mothers")
_OWNERS = listed(
    "police army navy military council private public state province district city county town village municipality "
    "passenger volunteer family staff crew"
)
"""What things are named for: "six army, four police"."""
_PLACES = listed(
    "village villages town towns city cities district districts county counties suburb suburbs hamlet hamlets "
    "barangay barangays province provinces state states region regions municipality municipalities "
    "neighbourhoods neighborhoods"
)
_WORKS = listed(
    "bridge bridges road roads highway highways motorway motorways culvert culverts dam dams levee levees "
    "tunnel tunnels street streets line lines pipeline pipelines substation substations"
)
_EVENTS = listed(
    "blast blasts explosion explosions quake quakes earthquake earthquakes aftershock aftershocks tornado "
    "tornadoes strike strikes attack attacks shot shots crash crashes collision collisions landslide landslides "
    "slide slides fire fires blaze blazes call calls incident incidents alarm alarms storm storms wave waves "
    "accident accidents raid raids eruption eruptions bomb bombs missile missiles rocket rockets shell shells "
    "warning warnings flood floods"
)
_GENERAL = listed(
    "people persons vehicles animals buildings properties structures casualties victims patients passengers "
    "pets livestock staff personnel crew crews volunteers responders rescuers workers employees foreigners "
    "nationals residents evacuees survivors premises outbuildings vessels craft aircraft appliances trees teams "
    "items objects families households members students pupils soldiers troops officers prisoners inmates "
    "detainees migrants refugees tourists guests hostages suspects witnesses bodies lives souls us them "
    "injured hurt wounded trapped missing stranded rescued evacuated dead killed marooned stuck divers "
    "firefighters"
)
"""Words for a whole that a mere comma may divide: "26 people, 10 ladies and 9 gents"."""
_COMPLEMENTS = tuple(
    (listed(one), listed(other))
    for one, other in (
        (
            "men man male males boys boy gents gentlemen blokes lads guys fathers dads",
            "women woman female females girls girl ladies lasses mothers mums moms",
        ),
        ("adults adult grown-ups grownups parents", "children child kids minors babies infants teenagers youths"),
        ("dead killed died fatalities", "injured hurt wounded"),
        (
            "passengers tourists guests customers visitors patients students pupils",
            "crew staff employees teachers guides",
        ),
        ("locals residents nationals natives", "foreigners tourists visitors outsiders"),
        ("professional professionals career full-time", "volunteer volunteers part-time"),
        ("civilians civilian", "soldiers officers military troops police"),
        ("large big", "small little portable"),
        ("open opened reopened", "closed shut"),
        ("full", "empty"),
    )
)
_SUPPLIES = listed(
    "tent tents blanket blankets stove stoves cot cots bed beds mattress mattresses kit kits pack packs parcel "
    "parcels meal meals bottle bottles sandbag sandbags generator generators bag bags box boxes "
    "litres tarp tarps tarpaulins toilets hydrants hoses drones cameras"
)
_KINDS = {
    "supplies": _SUPPLIES,
    "people": (frozenset(PEOPLE) | _MORE_PEOPLE) - listed("camper campers household households"),  # people or vehicles
    "vehicles": frozenset(VEHICLES),
    "animals": ANIMALS,
    "buildings": (frozenset(BUILDINGS) | _MORE_BUILDINGS) - {"case", "unit", "units", "business", "businesses"},
    "places": _PLACES,
    "works": _WORKS,
    "events": _EVENTS,
}
_KIND_OF = {word: kind for kind, listed in _KINDS.items() for word in listed}
_FATES = {
    phrase[0]: slot.name
    for phrase, slot in SLOT_PHRASES.items()
    if len(phrase) == 1 and slot.name in FATES | {"affected"} and phrase[0] not in {"case", "cases", "rescue"}
}
_TOLL_OF = listed("casualties victims")
_PEOPLE_STATES = frozenset(_FATES) | listed(
    "critical serious stable fatal fatally critically seriously badly lightly severe severely minor slightly "
    "unconscious discharged admitted hospitalised hospitalized treated gone alive safe unhurt unharmed out"
)
_ENDED = listed(
    "shut lost hit cut sunk gone fell fallen blown torn burnt broken crushed closed flooded washed swept "
    "reopened used needed required sent called coming responding available ready free spare vacant open"
)
_FINITE = listed(
    "is are was were has have had will would can could may might must fell went came got left hit took died "
    "remain remains reopen reopens close closes start starts return stay stays need needs say says said "
    "fought ran drove stood sat lay held led met saw kept gave put set broke blew sank fled flew drew wore rode spoke "
    "felt grew knew lost made sent spent swam slept shook rose paid hid heard gave forgot burst began became"
)
_NO_COUNT = listed(
    "am pm gmt utc est pst bst january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec th st nd rd year years o'clock hrs degrees "
    "storey storeys story stories times percent million billion crore lakh more others other"
) | frozenset(unit for unit in UNITS if " " not in unit)
_SITED = caseless(
    r"(?:on|of|about|made|in|at|by|near|from|inside|outside|around|for|to|with|under|above|below|behind|along|off|across|aboard"
    r"|beside|between|upstairs|downstairs|indoors|outdoors|ashore|afloat|overhead|north|south|east|west|upstream"
    r"|downstream|yesterday|today|this|last)\b",
)
_STATE_AT = caseless(
    r"\w (?:under (?:water|repair|guard|threat|way)|at (?:risk|work)"
    r"|in (?:use|danger|trouble|flames|hospital|custody|action)|on (?:fire|scene|site|the way|standby|alert)"
    r"|without (?:power|water))\b",
)
_HYPERNYMS = listed(
    "birds dogs cats schools machines venues rooms creatures beasts sorts things pieces items objects weapons"
)
"""Words for a whole whose parts have names of their own: "9 boats, 3 yachts and 6 dinghies"."""
_ANYTHING = listed("things machines things items objects pieces installations facilities sites")
_SEVERAL = listed(
    "family families couple couples pair pairs team teams squad squads group groups party parties gang gangs "
    "twins triplets set sets pack packs batch batches load loads crate crates"
)
_CLASS_NAMES = {
    **dict.fromkeys(("boat", "boats", "vessel", "vessels", "ship", "ships", "craft"), "vessel"),
    **dict.fromkeys(("plane", "planes", "aircraft"), "aircraft"),
    **dict.fromkeys(("tree", "trees"), "tree"),
    **dict.fromkeys(("train", "trains"), "train"),
    **dict.fromkeys(("flight", "flights"), "flight"),
    **dict.fromkeys(("vehicle", "vehicles"), "vehicle"),
}
"""Words for all of a class of `count_words`."""
_COLLECTIVES = listed(
    "family families household households couple couples pair pairs team teams crews squad squads group groups "
    "convoy convoys class classes party parties fleet fleets platoon platoons shift shifts gang gangs herd "
    "herds flock flocks pack packs department departments agency agencies brigade brigades station stations company "
    "companies service services council councils club clubs floors flights trains buses ferries sites scenes locations "
    "spots places rows batches loads trips waves"
)
"""What holds or brings several: "3 teams: 4 divers and 2 medics"."""
_RESPONSE = listed(
    "engine engines pumper pumpers tanker tankers ladder ladders tender tenders ambulance ambulances firefighter "
    "firefighters "
    "fireman firemen medic medics paramedic paramedics responder responders rescuer rescuers officer officers "
    "crews brigade police soldiers troops diver divers"
)
_CLAUSE = listed("after before during since because due following when while as that which who whose but amid despite")
_EACH = caseless(r"\b(?:each|apiece|every|per)\b")
_DONE = listed(
    "given taken found brought seen caught thrown driven stuck struck split dug got put let told left without burst "
    "alight ablaze afloat adrift ashore overboard fine"
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_HARMED = listed("hurt injured wounded dead missing trapped stranded flooded burnt closed")
_PASSING = caseless(
    r"(?:in|under|at|on|out of) (?:hospital|surgery|custody|danger|trouble|use|action|service|order|repair|fire|scene"
    r"|standby|site|intensive care|care|treatment|guard|observation)\b",
)
_PASSING_WORDS = listed("open intact safe down out full empty alight ablaze loose free stuck")
_DEVICES = listed(
    "wheelers cruisers trailers tankers loaders dumpers diggers liners trawlers containers boilers lockers coolers "
    "freezers strollers choppers scooters shelters counters towers rivers corners pumpers heaters printers chargers "
    "speakers lifters carriers crafters hangers planters posters showers strainers ladders bunkers banners tenders "
    "shutters cylinders routers computers papers letters fingers dinners hoppers steamers feeders burners tractors "
    "motors generators reactors transformers elevators escalators monitors meters filters"
)
"""What ends like the word for a person and is none."""
_RATE = caseless(
    r"\b(?:an?|per|each|every) (?:day|week|month|year|hour|night)|\b(?:daily|weekly|normal(?:ly)?|usual(?:ly)?)\b"
)
_BARELY = listed("nearly almost half partly partially still already badly now mostly fully completely very too")
_LEFT_OF = ["left", "of"]
_IRREGULAR = listed("men women people children sheep cattle police staff crew folk aircraft geese mice oxen fish deer")
_PERSON = re.compile(r"(?:ers|eons|ors|ists|men|women|ians|ees|eers|mates|folk|anese|ese|ish)$")


def no_count(words: str) -> bool:
    """Whether words behind a number make it a time, a date, a measure: "5 pm", "20 km"."""
    found = _WORD.findall(words.lower())[:2]
    if found and (found[0] == "barrels" or (len(found) > 1 and _sort_by_time(*found))):
        return False
    return bool(found) and (found[0] in _NO_COUNT or " ".join(found) in UNITS)


def _sort_by_time(word: str, after: str) -> bool:
    """Whether a word for a time only says which sort is counted: "4 night nurses", "6 second class"."""
    return word == "second" or (word in {"day", "night", "weekend"} and after.endswith("s") and after not in UNITS)


def is_plural(words: str) -> bool:
    """Whether the first word can be a plural: "13 Koreans", but not "14 King Street"."""
    first = _WORD.findall(words)[:1]
    return bool(first) and (first[0].endswith("s") or first[0].lower() in _IRREGULAR)


def kind_of_part(words: str) -> str:
    """people, vehicles, animals ... by the noun of a part; else "", as for what can be of any kind ("8 adults")."""
    head = _head(words, known=True)
    if head == words.strip().lower() and head in _OWNERS:
        return ""  # "11 state and 9 private", "13 express and 7 passenger": whose they are, or of which sort
    return "" if head in _OF_ANY_KIND else _KIND_OF.get(head, "people" if head in _FATES else "")


def kind(words: str) -> str:
    """people, vehicles, animals ... of the first words that tell; else ""."""
    plain = [word for word in _WORD.findall(words.lower())[:5] if word not in SKIPPED or word in _KIND_OF]
    # The last noun of the phrase tells: "6 fire engines" are engines; a state tells only when no noun does.
    head: list[str] = []
    for word in plain:
        if head and _names(head[-1], word):
            return ""
        if (
            _SITED.match(word)
            or word in _CLAUSE
            or (head and (word in _DONE or word in _FINITE or (_ended(word) and is_plural(head[-1]))))
            or (head and (word.endswith("ing") or (head[-1] in _KIND_OF and word not in _KIND_OF)))
        ):
            break
        head.append(word)
    known = [_KIND_OF[word] for word in head if word in _KIND_OF]
    if known and known[-1] == "places" and words.lower().lstrip().startswith("of "):
        return ""  # "11 of our village"
    if known:
        return known[-1]
    return "people" if any(word in _FATES for word in head[:2]) else ""


def _names(word: str, after: str) -> bool:
    """Whether a word but names the sort of what the one behind it means: "fire rigs", "school desks"."""
    if word not in _KIND_OF or word.endswith("s") or word in _IRREGULAR or after in _KIND_OF or after in _FINITE:
        return False
    return after.endswith("s") and not _SITED.match(after)


def apart(whole: str, parts: Sequence[str]) -> bool:
    """Whether the parts can't be groups of the whole: of another kind, or of differing fates."""
    of = kind(whole)
    kinds = {kind_of_part(part) for part in parts} - {""}
    if (len(kinds) > 1 and _noun(whole) not in _ANYTHING) or (of and kinds and of not in kinds):
        return True
    if of == "events" and kinds != {"events"} and not all(_SITED.match(part) for part in parts):
        return True
    words = [set(_WORD.findall(part.lower())) for part in parts]
    fates = {_FATES[word] for found in words for word in found if word in _FATES}
    own = {_FATES[word] for word in _WORD.findall(whole.lower())[:4] if word in _FATES}
    if len(fates) > 1 or (fates and own and fates != own):
        return not (set(_WORD.findall(whole.lower())[:2]) & _TOLL_OF and fates <= {"killed", "injured", "missing"})
    return bool(fates & {"killed", "injured"}) and of not in {"", "people", "animals"}


def predicated(part: str) -> bool:
    """Whether a part says what became of it: "3 bridges closed", "8 women are out"."""
    found = _WORD.findall(part.lower())
    if found and found[0] in {"is", "are", "was", "were"}:
        found = found[1:]
    if any(word in _FINITE and before != "the" for before, word in pairwise(["", *found])) and found[:2] != _LEFT_OF:
        return True
    if _STATE_AT.search(part) or (len(found) > 1 and found[-1] in {"on", "off", "out", "down", "away"}):
        return True
    return any(_ended(word) for word in found[1:] if word not in {"disabled", "aged"})


def stated(parts: Sequence[str]) -> bool:
    """Whether the parts are states of people, which need not be all there are: "6 missing and 4 hurt"."""
    return any(set(_WORD.findall(part.lower())[:2]) & _PEOPLE_STATES for part in parts) and not _tolls(parts)


def _tolls(parts: Sequence[str]) -> bool:
    return {_FATES.get(word) for part in parts for word in _WORD.findall(part.lower())[:1]} <= {
        "killed",
        "injured",
        "missing",
    }


def passing(parts: Sequence[str]) -> bool:
    """Whether the parts are states that others need not be in: "9 gates, 4 open and 3 guarded"."""
    return not complementary(parts) and all(map(_passes, parts))


def _words_of_state(part: str) -> list[str]:
    return [word for word in _WORD.findall(part.lower()) if word not in _BARELY][:2] or [""]


def transient(parts: Sequence[str]) -> bool:
    """Whether one of the parts is a state that is soon over: "4 on fire and 3 looted"."""
    return any(_PASSING.match(part) or _words_of_state(part)[0] in _PASSING_WORDS for part in parts)


def _passes(part: str) -> bool:
    first, *others = _words_of_state(part)
    if _PASSING.match(part) is not None:
        return True
    state = first in _PASSING_WORDS or _ended(first) or (first.endswith("ing") and len(first) > 5)
    return state and (not others or _SITED.match(others[0]) is not None)


def graded(parts: Sequence[str]) -> bool:
    """Whether the parts are degrees of harm: "6 critical and 4 serious" leave out the others."""
    return any(word in _PEOPLE_STATES - frozenset(_FATES) for part in parts for word in _WORD.findall(part.lower())[:1])


def complementary(parts: Sequence[str]) -> bool:
    """Whether the parts are two halves of a whole: men and women, adults and children."""
    words = [set(_WORD.findall(part.lower())) for part in parts]
    return any(
        any(one & found for found in words) and any(other & found for found in words) for one, other in _COMPLEMENTS
    )


def divides(whole: str, parts: Sequence[str], *, apart_said: bool = False) -> bool:
    """Whether parts behind a mere comma or, `apart_said`, a full stop divide the whole, though they don't add up."""
    if any(map(_ended, _WORD.findall(whole.lower()))) and all(_ended(part.lower()) for part in parts):
        return False  # "25 flights cancelled, 12 delayed and 8 diverted" counts each for itself
    if complementary(parts) or all(_SITED.match(part) or _bare(part) for part in parts):
        return True
    heads = [_head(part) for part in parts]
    first = _WORD.findall(whole.lower())
    if len(set(heads)) == 1 or (first and first[0] in heads):
        return True
    if first and first[0] in _PEOPLE_STATES and set(heads) & _RESPONSE:
        return False  # "6 trapped, 2 crews and 3 medics with them"
    general = bool(set(first[:4]) & _GENERAL)
    of, kinds = kind(whole), {kind_of_part(part) for part in parts}
    if of == "people" and not any(
        kind_of_part(part) == "people" or _PERSON.search(_head(part)) or part[0].isupper() for part in parts
    ):
        return False
    if general:
        return True
    # A list of like things is no sum ("40 homes flooded, 20 shops and 15 pubs"), nor is a row of counts ("12 floors,
    # 8 lifts and 2 exits") or what a team brings ("a team of 12 from Oslo, 5 dogs and 4 drones").
    if apart_said and not of and kinds - {""} - {"people"}:
        return False  # "14 bays at the depot. 3 buses and 4 trams inside"
    return len(first) > 2 and not _SITED.match(whole) and not (of and kinds - {""} == {of})


def _ended(word: str) -> bool:
    """Whether a word alone says what became of something: "cancelled", "shut"."""
    return word in _ENDED or (word.endswith("ed") and len(word) > 4 and " " not in word)


def _head(part: str, *, known: bool = False) -> str:
    """The noun of a part, which stands before what says where: "city crews", "families from Leeds".

    With `known`, a noun whose kind is known stands before a state behind it: "dogs hurt".
    """
    found: list[str] = []
    for word in _WORD.findall(part.lower()):
        if _SITED.match(word):
            break
        state = word in _FATES or word in _DONE or _ended(word)
        if known and found and (word in _FINITE or (state and is_plural(found[-1]))):
            break
        found.append(word)
    return found[-1] if found else ""


def _bare(part: str) -> bool:
    """Whether a part has no noun of its own: "5 rubber", "4 upright", "8 blue ones"."""
    found = _WORD.findall(part.lower())
    return (
        "ones" in found
        or part[:1].isupper()
        or (len(found) == 1 and not found[0].endswith("s") and found[0] not in _IRREGULAR)
    )


def each(part: str) -> bool:
    """Whether a part is counted for each of several: "2 medics each"."""
    return _EACH.search(part) is not None


def collective(whole: str, parts: Sequence[str] = ()) -> bool:
    """Whether a whole is of things that hold or bring several, which are fewer than what they hold."""
    return _noun(whole) in _COLLECTIVES and not _named(whole, parts)


def several(part: str) -> bool:
    """Whether each of what a part counts is several: "2 couples"."""
    return _noun(part) in _SEVERAL


def only_state(whole: str) -> bool:
    """Whether a whole has no noun but what became of it: "20 saved"."""
    first = (_WORD.findall(whole.lower()) or [""])[0]
    return first in _PEOPLE_STATES | _DONE | _FINITE or _ended(first)


def bare(parts: Sequence[str]) -> bool:
    """Whether the parts have no noun of their own."""
    return all(map(_bare, parts))


def has_word(whole: str, word: str) -> bool:
    """Whether a word is in the noun phrase of a whole."""
    return _singular(word) in _stems(whole)


def _named(whole: str, parts: Sequence[str]) -> bool:
    heads = {_singular(_head(part, known=True)) for part in parts} - {""}
    # "greenhouses: 5 tomato houses and 4 pepper houses"
    return any(word in heads or word.endswith(tuple(head for head in heads if len(head) > 3)) for word in _stems(whole))


def _stems(whole: str) -> list[str]:
    return [_singular(word) for word in _phrase(whole)]


def tied(whole: str, parts: Sequence[str]) -> bool:
    """Whether the words of the parts make them the whole's: its own noun, two halves of it, no noun of their own."""
    if _named(whole, parts) or all(_SITED.match(part) or _bare(part) for part in parts):
        return True
    if complementary(parts) and kind(whole) in {"", "people", "animals"}:
        return True
    noun, heads = _noun(whole), [_head(part, known=True) for part in parts]
    sort, of = _sort(noun), _CLASS_NAMES.get(noun)
    return all(_sort(head) == sort is not None or (of is not None and CLASSES.get(head) == of) for head in heads)


def _sort(noun: str) -> int | None:
    return SORTS.get(noun, SORTS.get(_singular(noun)))


def akin(whole: str, parts: Sequence[str]) -> bool:
    """Whether the parts are tied to the whole, or it is a word for things of their kind."""
    noun = _noun(whole)
    if tied(whole, parts):
        return True
    if collective(whole) or not (noun in _GENERAL | _HYPERNYMS or (noun in _KINDS["people"] and noun not in _RESPONSE)):
        return False
    of, kinds = kind(whole), {kind_of_part(part) for part in parts} - {""}
    if not kinds and of == "people":
        return all(_person(_head(part, known=True)) for part in parts)
    if noun in _ANYTHING:
        return "people" not in kinds
    return kinds == {of} - {""}


def general(whole: str, parts: Sequence[str]) -> bool:
    """Whether the whole is a general word for things of the kind of the parts, which are not those who came to help."""
    if _noun(whole) not in _GENERAL or {_head(part, known=True) for part in parts} & _RESPONSE:
        return False
    return bool(kind(whole)) and akin(whole, parts)


def free(whole: str, parts: Sequence[str]) -> bool:
    """Whether nothing is known of the nouns of the parts that keeps them from being the whole's."""
    if any(map(kind_of_part, parts)):
        return False
    persons = any(_person(_head(part, known=True)) for part in parts)
    return not persons or kind(whole) == "people" or _person(_noun(whole))


def _person(noun: str) -> bool:
    """Whether a noun ends like one for somebody who does something: "plumbers"."""
    return _PERSON.search(noun) is not None and noun.rpartition("-")[2] not in _DEVICES


def sibling(whole: str, parts: Sequence[str]) -> bool:
    """Whether the noun of the whole names another sort of the same kind, as engines beside cars and lorries."""
    if tied(whole, parts):
        return False
    noun, heads = _noun(whole), {_head(part, known=True) for part in parts}
    of = _KIND_OF.get(noun, "")
    kinds = {kind_of_part(part) for part in parts} - {""}
    if noun in _RESPONSE and kinds and not heads & _RESPONSE:
        return True
    if not of and kinds and "people" not in kinds and _person(noun):
        return True
    sorts = {_sort(head) for head in heads}
    return _sort(noun) not in sorts | {None} and None not in sorts


def states(words: str) -> frozenset[str]:
    """The words that say what became of something."""
    return frozenset(word for word in _WORD.findall(words.lower()) if _ended(word) or word in _PEOPLE_STATES | _DONE)


def became(part: str) -> frozenset[str]:
    """What became of a part, told behind its noun: "cats found"."""
    return states(" ".join(part.split()[1:]))


def _phrase(whole: str) -> list[str]:
    """The words of a whole up to what became of it or where it is."""
    found: list[str] = []
    for word in _WORD.findall(whole.lower())[:6]:
        done = word in _DONE or word in _PEOPLE_STATES or _ended(word) or word in _FINITE or word.endswith("ing")
        if found and (_SITED.match(word) or done or word in _CLAUSE):
            break
        found.append(word)
    return found


def _noun(whole: str) -> str:
    words = _phrase(whole)
    known = [word for word in words if word in _KIND_OF or word in _GENERAL - _PEOPLE_STATES]
    return (known or words or [""])[-1]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def acts(word: str) -> bool:
    """Whether a word tells what somebody did to what is counted behind it: "neighbours saved 4 kids"."""
    return (_ended(word.lower()) or word.lower() in _DONE) and word.lower() not in _HARMED


def rated(whole: str) -> bool:
    """Whether a count is of each day, or of what is usual."""
    return _RATE.search(whole) is not None


def sited(part: str) -> bool:
    """Whether a part has no noun but a place: "9 on the taxiway"."""
    return _SITED.match(part) is not None
