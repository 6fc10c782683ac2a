"""What a number counts: the noun behind it and the slot that the words around it name.

The nearest counting word in the same clause decides, unless a later number owns it ("12 hurt, 3 missing") or it only
says who they are ("two of the injured").
"""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.agents.numbers import Number, Token, word_at
from verifleet.agents.quantity_words import (
    BUILDINGS,
    DAMAGED,
    DESTROYED,
    GENERIC_PEOPLE,
    HOUSEHOLDS,
    NEGATIONS,
    PEOPLE,
    SKIPPED,
    SLOT_PHRASES,
    VEHICLES,
    Slot,
    singular,
    words,
)

REACH = 9
"""How many words a number and the word that says what it counts may be apart."""
STOPS = words(
    "that which as after while because when and but since before following amid despite if until though where so "
    "than or"
)
"""Words that begin another clause."""
_LINKS = words(
    "for number numbers numbered total totals to at is was are were of by reached reaches hit hits hitting "
    "passed stands stood near nears now rises rose "
    "climbs climbed jumps jumped grows grew doubles doubled tops = - – : among as measured measuring registered "
    "registering totals totalled totaled totalling a reading"
)
BREAKS = frozenset(".;!?|\n…:")
"""Marks behind which another thing is counted."""
_RESPONDERS = words(
    "firefighter fireman officer policeman cop soldier troops paramedic volunteer rescuer responder nurse doctor"
)
_MEASURED_BEFORE = frozenset({"magnitude", "air_quality", "temperature"})
MEASURED = frozenset({"wind_speed", "rainfall", "water_level", "depth", "containment", *_MEASURED_BEFORE})
"""Slots of what is measured and not counted."""
_PHRASE_STARTS: dict[str, int] = {}
for _phrase in SLOT_PHRASES:
    _PHRASE_STARTS[_phrase[0]] = max(len(_phrase), _PHRASE_STARTS.get(_phrase[0], 0))
_PHRASE_ENDS = frozenset(phrase[-1] for phrase in SLOT_PHRASES)
FATES = frozenset({"injured", "killed", "missing", "evacuated", "trapped", "rescued", "arrested", "infected"})
"""Slots of what befell people."""


def noun_behind(tokens: Sequence[Token], index: int) -> str:
    """The head noun behind a number: a known one among the next words, else the last of the noun-like run."""
    run: list[str] = []
    for at, token in enumerate(tokens[index : index + 6], start=index):
        word = token.low
        if token.kind != "word" or word in STOPS or (word in FUNCTION_WORDS and word not in SKIPPED):
            break
        if word in PEOPLE or word in VEHICLES or word in BUILDINGS or word in _COUNTABLE:
            run.append(word)
            if word.endswith("s") or word in GENERIC_PEOPLE or word in {"men", "women", "children", "troops"}:
                return word
        elif slot_at(tokens, at)[0] is not None:
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
FUNCTION_WORDS = words(
    "came come got went fell fall made had passed passes don "
    "them us those which without in on at by for from with to into near over under across around off out up down "
    "is are was were be been has have had remain remains remained "
    "will would could may might can not no their his her its our your my and or nor who whom whose there here "
    "de del en el la los las di da do dos das em et le les du au im der die und "
)


def slot_of(tokens: Sequence[Token], number: Number, noun: str, starts: set[int], taken: set[int]) -> str:
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
    chosen = _choose(_ahead(tokens, number, noun, starts), _behind(tokens, number, taken), noun)
    if chosen is not None:
        taken.update(range(chosen[1], chosen[2]))
        return chosen[0]
    if noun in BUILDINGS:
        return "buildings"
    if noun in PEOPLE:
        return _moved(tokens, number) or _housed(tokens, number) or "people"
    if not noun and _moved(tokens, number) == "rescued":
        return "rescued"  # "boats lift 128 from roofs"
    return singular(noun) if len(noun) > 2 else ""


def fate_of_one(tokens: Sequence[Token], one: Number, noun: str, taken: set[int]) -> str:
    """What befell a single person told without a number ("a man was killed"): one of FATES; "" when nothing tells."""
    chosen = _choose(_ahead(tokens, one, noun, set()), _behind(tokens, one, taken), "person")
    return chosen[0] if chosen is not None and chosen[0] in FATES else ""


_SAVING = words(
    "pulled plucked fished dragged hauled winched lifted fetched pulls plucks drags hauls winches lifts fetches pull "
    "pluck drag haul winch lift fetch rescuing"
)
_TAKING = words("got took taken moved brought carried ferried flew flown bussed shipped led drove")
_PERILS = words("roof roofs rooftop rooftops tree trees wreck wreckage rubble debris water sea river ledge cliff rocks")
_AWAY = words("from out off ashore away")


def _moved(tokens: Sequence[Token], number: Number) -> str:
    """What befell people by the verb around: "pulled 112 people from the sea", "got 650 people off the beach"."""
    ahead = [token.low for token in tokens[max(0, number.first - 2) : number.first]]
    behind = [token.low for token in tokens[number.last : number.last + 5]]
    if _AWAY.isdisjoint(behind):
        return ""
    if not _SAVING.isdisjoint(ahead):
        return "rescued"
    if _TAKING.isdisjoint(ahead):
        return ""
    return "rescued" if not _PERILS.isdisjoint(behind) else "evacuated"


_Found = tuple[str, int, int, int]
"""slot, first token, end token, distance from the number."""


def _measure_named(tokens: Sequence[Token], number: Number, noun: str) -> str:
    """Find "7.2-magnitude", "a 6.4 earthquake": a measure named right behind its number."""
    index = number.last + (word_at(tokens, number.last) == "-")
    slot, _ = slot_at(tokens, index) if index < len(tokens) else (None, 0)
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
    if behind is not None and behind[0] in MEASURED and (noun in PEOPLE or noun in BUILDINGS or noun in VEHICLES):
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
        slot, length = slot_at(tokens, index)
        if slot is not None and slot.name not in MEASURED and slot.side != "before":
            if _names_the_group(tokens, number, index) or _attributed(tokens, index, number.last):
                continue  # "two of the injured have died": who they are, not what befell them
            owned = (slot.active or comma) and _owned_by_later(tokens, index + length, starts)
            if not owned and not is_negated(tokens, index):
                since = _since_found(tokens, index + length, starts) if slot.name in _SOUGHT else None
                return since or (slot.name, index, index + length, distance)
        distance += token.low not in SKIPPED and token.low not in PEOPLE
    return None


def _housed(tokens: Sequence[Token], number: Number) -> str:
    """Whether people are counted where evacuees stay: "5,310 individuals in 17 evacuation centres"."""
    behind = [token.low for token in tokens[number.last : number.last + 8]]
    for at, word in enumerate(behind):
        if word in BREAKS or word in STOPS:
            break
        if word in {"in", "at", "across", "inside"}:
            return "evacuated" if not _REFUGES.isdisjoint(behind[at + 1 : at + 4]) else ""
    return ""


_REFUGES = words("evacuation evac relief shelter shelters camps")


def _names_the_group(tokens: Sequence[Token], number: Number, index: int) -> bool:
    between = [token.low for token in tokens[number.last : index]]
    if len(between) != 2 or between[0] != "of" or between[1] not in {"the", "those", "these"}:
        return False
    return any(slot_at(tokens, at)[0] is not None for at in range(index + 1, min(len(tokens), index + 6)))


def _attributed(tokens: Sequence[Token], index: int, behind: int) -> bool:
    """Whether a participle says of what a place is: "210 lifted from roofs in drowned Pelotas"."""
    if index == behind or word_at(tokens, index - 1) not in _PLACING or index + 1 >= len(tokens):
        return False
    return tokens[index].low.endswith("ed") and tokens[index + 1].raw[:1].isupper() and tokens[index].raw.islower()


_PLACING = words("in across around over through")
_SOUGHT = frozenset({"missing", "trapped"})
_OUTCOMES = frozenset({"rescued", "killed", "injured"})


def _since_found(tokens: Sequence[Token], index: int, starts: set[int]) -> _Found | None:
    """What became of those who were sought: "four missing passengers found alive", "2 trapped miners rescued"."""
    if word_at(tokens, index) not in PEOPLE and word_at(tokens, index + 1) not in PEOPLE:
        return None  # "12 missing, 3 found alive"
    for at in range(index, min(len(tokens), index + 6)):
        if at in starts or _ends_clause(tokens, at) or tokens[at].low == "," or tokens[at].low in NEGATIONS:
            return None
        slot, length = slot_at(tokens, at)
        if slot is not None and slot.name in _OUTCOMES and not is_negated(tokens, at):
            return f"{slot.name}|missing", at, at + length, 0
    return None


_INCLUDING = frozenset({"including", "incl", "among", "amongst"})


def _end_of_aside(tokens: Sequence[Token], index: int) -> int:
    """Behind the comma that closes "including 3 children,"; `index` itself when none does."""
    for at in range(index + 1, min(len(tokens), index + 8)):
        if tokens[at].low in {",", ")"}:
            return at + 1
        if tokens[at].low in BREAKS:
            break
    return index


def _ends_clause(tokens: Sequence[Token], index: int) -> bool:
    word = tokens[index].low
    return word in BREAKS or (word in STOPS and not _list_of_people(tokens, index))


def _list_of_people(tokens: Sequence[Token], index: int) -> bool:
    """In "men and women hurt" an "and" between nouns ends no count."""
    return word_at(tokens, index) in {"and", "or"} and word_at(tokens, index + 1) in PEOPLE


def is_negated(tokens: Sequence[Token], index: int) -> bool:
    """Whether the counting word at an index is denied: "12 people, not injured"."""
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
        if token.kind == "number" or (token.low in BREAKS and not colon) or (token.low == "," and distance == 0):
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


def slot_at(tokens: Sequence[Token], index: int) -> tuple[Slot | None, int]:
    """The slot of the longest counting phrase that begins at an index, and its length in tokens; (None, 0) for none."""
    longest = _PHRASE_STARTS.get(tokens[index].low, 0)
    for length in range(min(longest, len(tokens) - index), 0, -1):
        slot = SLOT_PHRASES.get(tuple(token.low for token in tokens[index : index + length]))
        if slot is not None:
            return slot, length
    return None, 0


def _slot_ending(tokens: Sequence[Token], index: int) -> tuple[Slot, int] | None:
    if tokens[index].low not in _PHRASE_ENDS:
        return None
    for first in range(max(0, index - 4), index + 1):
        slot = SLOT_PHRASES.get(tuple(token.low for token in tokens[first : index + 1]))
        if slot is not None:
            return slot, first
    return None


def _building_state(tokens: Sequence[Token], number: Number, starts: set[int], taken: set[int]) -> str:
    """`buildings_destroyed`, `buildings_damaged` or a state of households, by the words around."""
    for index in range(number.last, min(len(tokens), number.last + REACH)):
        word = tokens[index].low
        if index in starts or word in BREAKS:
            break
        slot, _ = slot_at(tokens, index)
        if slot is not None and slot.name in {"without_power", "without_water", "power_restored", "evacuated"}:
            return slot.name
        if word in DESTROYED | DAMAGED:
            return "buildings_destroyed" if word in DESTROYED else "buildings_damaged"
    for index in range(number.first - 1, max(-1, number.first - 5), -1):
        word = tokens[index].low
        if word in BREAKS or tokens[index].kind == "number" or index in taken:
            break
        if word in DESTROYED | DAMAGED:
            return "buildings_destroyed" if word in DESTROYED else "buildings_damaged"
    return ""
