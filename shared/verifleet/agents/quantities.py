"""Quantities in reports: "at least eighty-four people hurt" is >= 84 in the slot `injured`.

A quantity has bounds in the slot's base unit, a qualifier and a slot. Many wordings share one slot (injured, hurt,
wounded, hospitalised, casualties are all `injured`), so that two reports can be compared. Clock times, dates, street
and road numbers, ages in names, handles, hashtags and links are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verifleet.agents.numbers import MAX_NUMBERS, Number, Token, find_numbers, tokenise, word_at
from verifleet.agents.quantity_words import (
    AMBIGUOUS_NUMBERS,
    BUILDINGS,
    DAMAGED,
    DESTROYED,
    EVERYBODY,
    GENERIC_PEOPLE,
    GENERIC_VEHICLES,
    HOUSEHOLDS,
    NEGATIONS,
    PEOPLE,
    SKIPPED,
    SLOT_PHRASES,
    UNITS,
    VEHICLES,
    Qualifier,
    Slot,
    Unit,
    singular,
    words,
)

MAX_TEXT = 32_768
"""Characters of a text that are looked at."""
MAX_QUANTITIES = MAX_NUMBERS
REACH = 9
"""How many words a number and the word that says what it counts may be apart."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with what it counts.

    Attributes:
        low: lower bound in `unit` (0 for at_most).
        high: upper bound in `unit`, equal to `low` for a single number; None for at_least.
        qualifier: exact, at_least ("more than 20"), at_most ("up to 20"), about ("nearly 20"), range ("20-30").
        approximate: the report itself calls it approximate, or it is a rounded word ("dozens").
        slot: what is counted or measured: `injured`, `killed`, `missing`, `evacuated`, `trapped`, `rescued`,
            `arrested`, `without_power`, `buildings_destroyed`, `buildings_damaged`, `vehicles`, `people`,
            `area_burned`, `magnitude`, `wind_speed`, `water_level`, `duration`, ...; else the singular head noun.
        noun: the special group counted ("child", "truck"); "" for people, residents, homes, vehicles in general.
        unit: base unit of the bounds ("ha", "km/h", "m", "h", ...); "" for counts.
        span: [start, end) in characters of the text, qualifier included.
        text: the words at `span`.
    """

    low: float
    high: float | None
    qualifier: Qualifier
    approximate: bool
    slot: str
    noun: str
    unit: str
    span: tuple[int, int]
    text: str

    @property
    def value(self) -> float:
        """One representative number: the figure stated, or the middle of a range."""
        if self.high is None:
            return self.low
        return self.high if self.qualifier == "at_most" else (self.low + self.high) / 2


_STOPS = words(
    "that which as after while because when and but since before following amid despite if until though where so "
    "than or"
)
_LINKS = words(
    "for number numbers numbered total totals to at is was are were of by reached reaches hit hits hitting "
    "passed stands stood near nears now rises rose "
    "climbs climbed jumps jumped grows grew doubles doubled tops = - – : among as measured measuring registered "
    "registering totals totalled totaled totalling a reading"
)
_BREAKS = frozenset(".;!?|\n…:")
_OF_LENGTH = frozenset({"water_level", "rainfall", "depth"})
_RESPONDERS = words(
    "firefighter fireman officer policeman cop soldier troops paramedic volunteer rescuer responder nurse doctor"
)
_MEASURED_BEFORE = frozenset({"magnitude", "air_quality", "temperature"})
_NOT_COUNTED = frozenset({"wind_speed", "rainfall", "water_level", "depth", "containment", *_MEASURED_BEFORE})
_SPEEDING = words("speed travelling traveling moving going km/h driving train car running doing limit")
_PHRASE_STARTS: dict[str, int] = {}
for _phrase in SLOT_PHRASES:
    _PHRASE_STARTS[_phrase[0]] = max(len(_phrase), _PHRASE_STARTS.get(_phrase[0], 0))


def extract_quantities(text: str) -> list[Quantity]:
    """The quantities of `text`, in order; at most MAX_QUANTITIES from its first MAX_TEXT characters."""
    tokens = tokenise(text[:MAX_TEXT])
    numbers = find_numbers(tokens)
    taken: set[int] = set()
    starts = {number.first for number in numbers}
    found = []
    for index, number in enumerate(numbers):
        of = numbers[index - 1] if index and _is_part_of(tokens, numbers[index - 1], number) else None
        whole = numbers[index + 1] if index + 1 < len(numbers) else None
        if whole is not None and _is_part_of(tokens, number, whole):
            # "112 of the 118 on board were rescued": what is said of it is said of the part.
            joint = replace(number, last=whole.last)
            quantity = _quantity(text, tokens, joint, starts - {whole.first}, taken)
            if quantity is not None and quantity.slot in _COUNT_WORDS:
                quantity = replace(quantity, noun=f"of {whole.low:g}")
        elif of is not None:
            quantity = _whole(text, tokens, number)
        else:
            quantity = _quantity(text, tokens, number, starts, taken)
        if quantity is not None:
            found.append(quantity)
    if len(tokens) < MAX_TEXT // 4:
        found += _zeros(text, tokens) + _singles(text, tokens, taken)
    return sorted(found, key=lambda quantity: quantity.span)[:MAX_QUANTITIES]


# --- what is counted ----------------------------------------------------------


def _quantity(text: str, tokens: Sequence[Token], number: Number, starts: set[int], taken: set[int]) -> Quantity | None:
    unit, after_unit = _unit(tokens, number)
    if unit is not None:
        return _measured(text, tokens, number, unit, after_unit)
    if word_at(tokens, number.last) in {"times", "fold"}:
        return None  # "five times more injured"
    if word_at(tokens, number.last + (word_at(tokens, number.last) == "-")) in _DESCRIBING:
        return None  # an eight-storey block is one
    noun = _noun(tokens, number.last)
    slot = _slot(tokens, number, noun, starts, taken)
    if not slot:
        return None
    if number.figure is False and tokens[number.number].low in AMBIGUOUS_NUMBERS and slot == noun:
        return None
    slot, _, group = slot.partition("|")
    group = group or _special(noun, slot)
    if slot in {"injured", "critical"} and _is_severe(tokens, number.last):
        slot, group = "injured", "severe"
    if slot in _COUNT_WORDS and not group and _counts_some(tokens, number):
        group = "some"
    elif slot == "magnitude" and _of_aftershock(tokens, number):
        group = "aftershock"
    return _build(text, tokens, number, slot, group, "", number.last)


def _counts_some(tokens: Sequence[Token], number: Number) -> bool:
    """Whether a count is of some only: "two of the injured have died", "another 12 hurt", "3 more missing"."""
    if word_at(tokens, number.number - 1) in {"another", "further", "additional"}:
        return True
    behind = [token.low for token in tokens[number.last : number.last + 2]]
    return behind[:1] == ["more"] or (behind[:1] == ["of"] and behind[1:] in (["the"], ["those"], ["these"], ["them"]))


def _of_aftershock(tokens: Sequence[Token], number: Number) -> bool:
    """Whether a magnitude is that of a smaller quake before or after: the kind of quake named nearest tells."""
    for at in range(number.last, min(len(tokens), number.last + REACH)):
        if tokens[at].low in _QUAKES:
            return tokens[at].low in _LESSER_QUAKES
        if tokens[at].low in _BREAKS or tokens[at].low == "," or tokens[at].kind == "number":
            break
    for at in range(number.first - 1, max(-1, number.first - 2 - REACH), -1):
        if tokens[at].low in _QUAKES:
            return tokens[at].low in _LESSER_QUAKES
        if tokens[at].low in _BREAKS or tokens[at].kind == "number":
            break
    return False


_LESSER_QUAKES = words("aftershock aftershocks foreshock foreshocks réplica réplicas replica replicas nachbeben")
_QUAKES = _LESSER_QUAKES | words(
    "earthquake earthquakes quake quakes mainshock temblor tremor sismo terremoto terremotos séisme erdbeben"
)
_DESCRIBING = words("storey story storied lane bedroom star seater")
_SEVERE = words("critical critically severe severely serious seriously grave gravely life-threatening intensive")
_ILL = words("condition state injuries injured hurt wounded ill burns burned burnt care unwell")
_NOT_SEVERE = _BREAKS | {","}


def _is_severe(tokens: Sequence[Token], index: int) -> bool:
    """Whether a count is of the gravely hurt alone: "two of them in critical condition", "3 critical"."""
    for at in range(index, min(len(tokens), index + 6)):
        word = tokens[at].low
        if tokens[at].kind == "number" or word in _NOT_SEVERE or _negated_slot(tokens, at):
            return False
        if word in _SEVERE:
            ahead = word_at(tokens, at + 1)
            return ahead in _ILL or (word == "critical" and (not ahead or ahead in _BREAKS or ahead in {",", "and"}))
    return False


_OF = words("of out all the its their those these his her our")


def _is_part_of(tokens: Sequence[Token], part: Number, whole: Number) -> bool:
    """Whether two numbers stand as "4 of the 6", "112 out of 118"."""
    if not 0 < whole.first - part.last <= 4:
        return False
    between = [token.low for token in tokens[part.last : whole.first]]
    joined = "of" in between and _OF.issuperset(between)
    return joined and not (part.currency or whole.currency) and part.low <= whole.low


def _whole(text: str, tokens: Sequence[Token], number: Number) -> Quantity | None:
    """The whole of which a part was counted: how many there are, whatever befell the part."""
    noun = _noun(tokens, number.last)
    slot = "people" if noun in PEOPLE or not noun else "vehicles" if noun in VEHICLES else singular(noun)
    return _build(text, tokens, number, slot, _special(noun, slot), "", number.last)


def _build(text: str, tokens: Sequence[Token], number: Number, slot: str, noun: str, unit: str, last: int) -> Quantity:
    span = (tokens[number.first].start, tokens[last - 1].end)
    return Quantity(
        number.low, number.high, number.qualifier, number.approximate, slot, noun, unit, span, text[span[0] : span[1]]
    )


def _special(noun: str, slot: str) -> str:
    """The group counted, where it is narrower than the slot itself."""
    if not noun or slot in _NOT_COUNTED or noun in GENERIC_PEOPLE or noun in GENERIC_VEHICLES or singular(noun) == slot:
        return ""
    if slot in {"without_power", "without_water", "power_restored"} and noun in HOUSEHOLDS:
        return ""
    if slot in {"buildings", "buildings_destroyed", "buildings_damaged"} and noun in BUILDINGS:
        return "" if noun in _ANY_BUILDING else singular(noun)
    return singular(noun)


_ANY_BUILDING = words(
    "home homes house houses building buildings structure structures property properties "
    "dwelling dwellings residence residences address addresses"
)


def _unit(tokens: Sequence[Token], number: Number) -> tuple[Unit | None, int]:
    """The unit behind the number and the index behind the unit; a currency sign before it counts too."""
    if number.currency:
        return Unit("money", number.currency), number.last
    index = number.last
    if word_at(tokens, index) in {"-", "of"}:
        index += 1
    for length in (3, 2, 1):
        behind = [token.low for token in tokens[index : index + length]]
        unit = UNITS.get(" ".join(behind))
        if unit is not None:
            return unit, index + len(behind)
    return None, number.last


def _measured(text: str, tokens: Sequence[Token], number: Number, unit: Unit, last: int) -> Quantity:
    near = _near_slots(tokens, number, last)
    slot = unit.slot
    noun = ""
    if unit.base == "m":
        slot = next((name for name in near if name in _OF_LENGTH), unit.slot)
    elif slot == "wind_speed":
        around = {token.low for token in tokens[max(0, number.first - REACH) : last + REACH]}
        speeding = number.low * unit.factor > 500 or ("wind_speed" not in near and around & _SPEEDING)
        slot = "speed" if speeding else "wind_speed"
    elif slot == "percent":
        slot = "containment" if "containment" in near else "percent"
        noun = "" if slot == "containment" else singular(_noun(tokens, last + (word_at(tokens, last) == "of")))
    scaled = Number(
        number.first,
        number.number,
        last,
        number.low * unit.factor + (unit.offset if number.qualifier != "at_most" else 0.0),
        None if number.high is None else number.high * unit.factor + unit.offset,
        number.qualifier,
        number.approximate,
    )
    return _build(text, tokens, scaled, slot, noun, unit.base, last)


def _near_slots(tokens: Sequence[Token], number: Number, last: int) -> list[str]:
    """Measuring words around a number with a unit, nearest first."""
    found: list[tuple[int, str]] = []
    for index in range(max(0, number.first - REACH), min(len(tokens), last + REACH)):
        slot, _ = _slot_at(tokens, index)
        if slot is not None and slot.name in _NOT_COUNTED:
            found.append((number.first - index if index < number.first else index - last, slot.name))
    return [name for _, name in sorted(found)]


def _noun(tokens: Sequence[Token], index: int) -> str:
    """The head noun behind a number: a known one among the next words, else the last of the noun-like run."""
    run: list[str] = []
    for at, token in enumerate(tokens[index : index + 6], start=index):
        word = token.low
        if token.kind != "word" or word in _STOPS or (word in _FUNCTION_WORDS and word not in SKIPPED):
            break
        if word in PEOPLE or word in VEHICLES or word in BUILDINGS or word in _COUNTABLE:
            run.append(word)
            if word.endswith("s") or word in GENERIC_PEOPLE or word in {"men", "women", "children", "troops"}:
                return word
        elif _slot_at(tokens, at)[0] is not None:
            break
        elif word not in SKIPPED:
            run.append(word)
            if word.endswith("s") and not word.endswith(("ss", "us")):
                return word
        if len(run) == 3:
            break
    known = [word for word in run if word in PEOPLE or word in VEHICLES or word in BUILDINGS]
    return known[-1] if known else run[0] if run else ""


_COUNTABLE = words("bridge bridges road roads flight flights shelter shelters aftershock aftershocks dam dams")
_FUNCTION_WORDS = words(
    "came come got went fell fall made had passed passes don "
    "them us those which without in on at by for from with to into near over under across around off out up down "
    "is are was were be been has have "
    "had will would could may might can not no their his her its our your my and or nor who whom whose there here "
    "de del en el la los las di da do dos das em et le les du au im in der die das und are"
)


def _slot(tokens: Sequence[Token], number: Number, noun: str, starts: set[int], taken: set[int]) -> str:
    """What a number without unit counts; "" when nothing tells."""
    measured = _measure_named(tokens, number, noun)
    if measured:
        return measured
    if word_at(tokens, number.first - 1) == "the" and "none" in {
        token.low for token in tokens[max(0, number.first - 3) : number.first]
    }:
        return "people" if noun in PEOPLE else singular(noun)
    if noun in BUILDINGS:
        state = _building_state(tokens, number, starts, taken)
        if state:
            return state
    elif noun in VEHICLES:
        return "vehicles"
    ahead = _ahead(tokens, number, noun, starts)
    behind = _behind(tokens, number, taken)
    chosen = _choose(ahead, behind, noun)
    if chosen is not None:
        taken.update(range(chosen[1], chosen[2]))
        return chosen[0]
    if noun in BUILDINGS:
        return "buildings"
    if noun in PEOPLE:
        return _moved(tokens, number) or _housed(tokens, number) or "people"
    return singular(noun) if len(noun) > 2 else ""


_SAVING = words("pulled plucked fished dragged hauled winched lifted pulls plucks rescuing")
_TAKING = words("got took taken moved brought carried ferried flew flown bussed shipped led drove")
_AWAY = words("from out off ashore away")


def _moved(tokens: Sequence[Token], number: Number) -> str:
    """What befell people by the verb around: "pulled 112 people from the sea", "got 650 people off the beach"."""
    ahead = [token.low for token in tokens[max(0, number.first - 2) : number.first]]
    behind = [token.low for token in tokens[number.last : number.last + 5]]
    if _AWAY.isdisjoint(behind):
        return ""
    return "rescued" if not _SAVING.isdisjoint(ahead) else "evacuated" if not _TAKING.isdisjoint(ahead) else ""


_Found = tuple[str, int, int, int]
"""slot, first token, end token, distance from the number."""


def _measure_named(tokens: Sequence[Token], number: Number, noun: str) -> str:
    """Find "7.2-magnitude", "a 6.4 earthquake": a measure named right behind its number."""
    index = number.last + (word_at(tokens, number.last) == "-")
    slot, _ = _slot_at(tokens, index) if index < len(tokens) else (None, 0)
    if slot is not None and slot.name in _MEASURED_BEFORE and word_at(tokens, index) not in {"m", "mw", "ml"}:
        return slot.name
    alone = word_at(tokens, number.first - 1) in {"a", "an"} and not noun and number.high is not None
    if alone and number.figure and 2.5 <= number.low < 10 and "." in tokens[number.number].raw:
        return "magnitude"  # "it was a 7.4 in Izmit"
    quake = noun in {"earthquake", "quake", "earthquakes", "temblor", "tremor", "aftershock", "sismo", "terremoto"}
    return (
        "magnitude" if quake and number.high is not None and number.high < 10 and not number.high.is_integer() else ""
    )


def _choose(ahead: _Found | None, behind: _Found | None, noun: str) -> _Found | None:
    if behind is not None and behind[0] in _MEASURED_BEFORE and noun not in PEOPLE:
        return behind
    if behind is not None and behind[0] in _NOT_COUNTED and (noun in PEOPLE or noun in BUILDINGS or noun in VEHICLES):
        behind = None  # "water inside 140 homes" measures no water
    counts_other = (
        noun != "" and noun not in PEOPLE and noun not in HOUSEHOLDS and noun not in {"life", "lives", "bodies"}
    )
    if counts_other and not (ahead is not None and ahead[3] <= 2):
        return ahead if ahead is not None and ahead[0] == "without_power" else None
    if ahead is None or behind is None:
        return ahead or behind
    return behind if behind[3] < ahead[3] else ahead


def _ahead(tokens: Sequence[Token], number: Number, noun: str, starts: set[int]) -> _Found | None:
    """The nearest counting word behind the number, in the same clause and not owned by a later number."""
    reach = 4 if singular(noun) in _RESPONDERS else REACH
    distance = 0
    comma = False
    resume = 0
    for index in range(number.last, min(len(tokens), number.last + reach + 8)):
        token = tokens[index]
        if token.low in _INCLUDING:
            resume = _end_of_aside(tokens, index)
        if index < resume:
            continue
        if index in starts or _ends_clause(tokens, index) or distance > reach:
            return None
        if token.low in {"who", ","}:
            comma |= token.low == ","
            continue
        slot, length = _slot_at(tokens, index)
        if slot is not None and slot.name not in _NOT_COUNTED and slot.side != "before":
            if _names_the_group(tokens, number, index):
                continue  # "two of the injured have died": who they are, not what befell them
            owned = (slot.active or comma) and _owned_by_later(tokens, index + length, starts)
            if not owned and not _negated_slot(tokens, index):
                since = _since_found(tokens, index + length, starts) if slot.name in _SOUGHT else None
                return since or (slot.name, index, index + length, distance)
        distance += token.low not in SKIPPED and token.low not in PEOPLE
    return None


def _housed(tokens: Sequence[Token], number: Number) -> str:
    """Whether people are counted where evacuees stay: "5,310 individuals in 17 evacuation centres"."""
    behind = [token.low for token in tokens[number.last : number.last + 8]]
    for at, word in enumerate(behind):
        if word in _BREAKS or word in _STOPS:
            break
        if word in {"in", "at", "across", "inside"}:
            return "evacuated" if not _REFUGES.isdisjoint(behind[at + 1 : at + 4]) else ""
    return ""


_REFUGES = words("evacuation evac relief shelter shelters camps")


def _names_the_group(tokens: Sequence[Token], number: Number, index: int) -> bool:
    between = [token.low for token in tokens[number.last : index]]
    if len(between) != 2 or between[0] != "of" or between[1] not in {"the", "those", "these"}:
        return False
    return any(_slot_at(tokens, at)[0] is not None for at in range(index + 1, min(len(tokens), index + 6)))


_SOUGHT = frozenset({"missing", "trapped"})
_OUTCOMES = frozenset({"rescued", "killed", "injured"})


def _since_found(tokens: Sequence[Token], index: int, starts: set[int]) -> _Found | None:
    """What became of those who were sought: "four missing passengers found alive", "2 trapped miners rescued"."""
    if word_at(tokens, index) not in PEOPLE and word_at(tokens, index + 1) not in PEOPLE:
        return None  # "12 missing, 3 found alive"
    for at in range(index, min(len(tokens), index + 6)):
        if at in starts or _ends_clause(tokens, at) or tokens[at].low == "," or tokens[at].low in NEGATIONS:
            return None
        slot, length = _slot_at(tokens, at)
        if slot is not None and slot.name in _OUTCOMES and not _negated_slot(tokens, at):
            return f"{slot.name}|missing", at, at + length, 0
    return None


_INCLUDING = frozenset({"including", "incl", "among", "amongst"})


def _end_of_aside(tokens: Sequence[Token], index: int) -> int:
    """Behind the comma that closes "including 3 children,"; `index` itself when none does."""
    for at in range(index + 1, min(len(tokens), index + 8)):
        if tokens[at].low in {",", ")"}:
            return at + 1
        if tokens[at].low in _BREAKS:
            break
    return index


def _ends_clause(tokens: Sequence[Token], index: int) -> bool:
    word = tokens[index].low
    return word in _BREAKS or (word in _STOPS and not _list_of_people(tokens, index))


def _list_of_people(tokens: Sequence[Token], index: int) -> bool:
    """In "men and women hurt" an "and" between nouns ends no count."""
    return word_at(tokens, index) in {"and", "or"} and word_at(tokens, index + 1) in PEOPLE


def _negated_slot(tokens: Sequence[Token], index: int) -> bool:
    return word_at(tokens, index - 1) in {"no", "not", "nobody", "never"}


def _owned_by_later(tokens: Sequence[Token], index: int, starts: set[int]) -> bool:
    return any(position in starts for position in range(index, index + 2))


def _behind(tokens: Sequence[Token], number: Number, taken: set[int]) -> _Found | None:
    """The nearest counting word before the number: "killed 6", "death toll in X rises to six", "Injured: 12"."""
    link = word_at(tokens, number.first - 1)
    linked = link in _LINKS
    distance = 0
    reach = 2 * REACH if linked else REACH
    for index in range(number.first - 1, max(-1, number.first - 2 - reach), -1):
        token = tokens[index]
        colon = token.low == ":" and index == number.first - 1
        if token.kind == "number" or (token.low in _BREAKS and not colon) or (token.low == "," and distance == 0):
            return None
        found = _slot_ending(tokens, index)
        if found is not None:
            slot, first = found
            if not taken.isdisjoint(range(first, index + 1)):
                return None
            near = distance <= 1 if not slot.active else distance <= 2
            if slot.side != "after" and (near or linked) and not (colon and slot.active):
                return slot.name, first, index + 1, distance
        distance += token.low not in SKIPPED and token.low not in _LINKS
    return None


def _slot_at(tokens: Sequence[Token], index: int) -> tuple[Slot | None, int]:
    longest = _PHRASE_STARTS.get(tokens[index].low, 0)
    for length in range(min(longest, len(tokens) - index), 0, -1):
        slot = SLOT_PHRASES.get(tuple(token.low for token in tokens[index : index + length]))
        if slot is not None:
            return slot, length
    return None, 0


def _slot_ending(tokens: Sequence[Token], index: int) -> tuple[Slot, int] | None:
    for first in range(max(0, index - 4), index + 1):
        slot = SLOT_PHRASES.get(tuple(token.low for token in tokens[first : index + 1]))
        if slot is not None:
            return slot, first
    return None


def _building_state(tokens: Sequence[Token], number: Number, starts: set[int], taken: set[int]) -> str:
    """`buildings_destroyed`, `buildings_damaged` or a state of households, by the words around."""
    for index in range(number.last, min(len(tokens), number.last + REACH)):
        word = tokens[index].low
        if index in starts or word in _BREAKS:
            break
        slot, _ = _slot_at(tokens, index)
        if slot is not None and slot.name in {"without_power", "without_water", "power_restored", "evacuated"}:
            return slot.name
        if word in DESTROYED | DAMAGED:
            return "buildings_destroyed" if word in DESTROYED else "buildings_damaged"
    for index in range(number.first - 1, max(-1, number.first - 5), -1):
        word = tokens[index].low
        if word in _BREAKS or tokens[index].kind == "number" or index in taken:
            break
        if word in DESTROYED | DAMAGED:
            return "buildings_destroyed" if word in DESTROYED else "buildings_damaged"
    return ""


# --- none, and one ------------------------------------------------------------

_COUNT_WORDS = frozenset({"injured", "killed", "missing", "evacuated", "trapped", "rescued", "arrested", "infected"})


def _zeros(text: str, tokens: Sequence[Token]) -> list[Quantity]:
    """Find "no injuries or deaths", "nobody was hurt", "without casualties": nothing, of one or more slots."""
    found: list[Quantity] = []
    for index, token in enumerate(tokens):
        if token.low not in NEGATIONS or len(found) >= MAX_QUANTITIES:
            continue
        for at, slot, length in _negated_slots(tokens, index):
            span = (token.start, tokens[at + length - 1].end)
            # "No serious injuries" counts none of the severe ones.
            severe = any(item.low in _SEVERE for item in tokens[index + 1 : at + length])
            group = "severe" if severe and slot.name == "injured" else _only_of(tokens, index + 1, at)
            if severe and slot.name == "killed" and tokens[at + length - 1].low in _ANY_HARM:
                continue
            found.append(Quantity(0.0, 0.0, "exact", False, slot.name, group, "", span, text[span[0] : span[1]]))
    return found + (_all_safe(text[:MAX_TEXT]) if _SAFE_WORD.search(text) else [])


def _only_of(tokens: Sequence[Token], first: int, last: int) -> str:
    """The group of which alone nobody was harmed: "no patients were hurt"; "" for everybody."""
    groups = [token.low for token in tokens[first:last] if token.low in PEOPLE]
    return "" if not groups or not EVERYBODY.isdisjoint(groups) else singular(groups[-1])


def _all_safe(text: str) -> list[Quantity]:
    """Find "everyone is safe", "all passengers are unharmed": nobody, or nobody of a group, injured or killed."""
    found: list[Quantity] = []
    for match in _SAFE.finditer(text):
        who = (match["who"] or "").lower()
        group = "" if not who or who in EVERYBODY else singular(who)
        for slot in ("injured", "killed"):
            found.append(Quantity(0.0, 0.0, "exact", False, slot, group, "", match.span(), match[0]))
    return found[:MAX_QUANTITIES]


_ANY_HARM = words("harm harmed casualties casualty hurt unscathed")
_SAFE_WORD = re.compile(r"(?i)\b(?:safe|un(?:harmed|hurt|injured|scathed))\b")
_SAFE = re.compile(
    r"\b(?:every(?:one|body)"
    r"|all(?: of)?(?: the| our)?(?: \d+)?(?: (?P<who>(?!of\b|the\b|our\b|is\b|are\b)[a-z]{3,20}))?)"
    r"(?: (?:on board|aboard|inside|involved|there|at the (?:site|scene)))?,?"
    r" (?:is|are|was|were|got out|has been|have been)"
    r"(?: (?:reported|found|confirmed|now|all|both|safe and|alive and))*"
    r" (?:safe|unharmed|unhurt|uninjured|unscathed)\b(?! (?:to|from|for|in case)\b)",
    re.IGNORECASE,
)


def _negated_slots(tokens: Sequence[Token], index: int) -> Iterator[tuple[int, Slot, int]]:
    seen: set[str] = set()
    for at in range(index + 1, min(len(tokens), index + 9)):
        token = tokens[at]
        none_of = token.kind == "number" and tokens[index].low == "none" and at <= index + 3
        if none_of:
            continue
        if (
            token.kind == "number"
            or token.low in _BREAKS
            or token.low in {"but", "longer", "after", "while", "idea", "word"}
        ):
            return
        slot, length = _slot_at(tokens, at)
        if slot is not None and slot.name in _COUNT_WORDS and not slot.active and slot.name not in seen:
            seen.add(slot.name)
            yield at, slot, length
            if tokens[at + length - 1].low in _ANY_HARM and "killed" not in seen:
                seen.add("killed")
                yield at, Slot("killed"), length  # whom nothing harmed is not dead
        elif token.kind == "word" and _far(tokens, index, at, bool(seen)):
            return


def _far(tokens: Sequence[Token], index: int, at: int, listed: bool) -> bool:
    """Whether a word between the negation and the counted thing parts them."""
    word = tokens[at].low
    if listed:
        return word not in {"or", "and", "nor", "no"} and word not in SKIPPED
    joining = (
        word in SKIPPED
        or word in PEOPLE
        or word in {"one", "or", "of", "and", "reports", "report", "immediate", "signs", "there"}
    )
    return not joining and at > index + 1


def _singles(text: str, tokens: Sequence[Token], taken: set[int]) -> list[Quantity]:
    """Find "a man was killed", "a child is missing": one."""
    found: list[Quantity] = []
    for index, token in enumerate(tokens[:-1]):
        if token.low not in {"a", "an"} or len(found) >= MAX_QUANTITIES:
            continue
        at = next((i for i in range(index + 1, min(index + 4, len(tokens))) if _is_single(tokens[i])), None)
        if at is None or any(word_at(tokens, i) in _STOPS | _FUNCTION_WORDS for i in range(index + 1, at)):
            continue
        number = Number(index, index, at + 1, 1.0, 1.0, "exact", False, False)
        chosen = _choose(_ahead(tokens, number, token.low, set()), _behind(tokens, number, taken), "person")
        if chosen is not None and chosen[0] in _COUNT_WORDS:
            found.append(_build(text, tokens, number, chosen[0], _special(tokens[at].low, chosen[0]), "", at + 1))
    return found


def _is_single(token: Token) -> bool:
    return token.low in PEOPLE and singular(token.low) == token.low and token.low not in GROUPS


GROUPS = words("troops staff crew gente elderly family household couple")
