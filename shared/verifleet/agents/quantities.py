"""Quantities in reports: "at least eighty-four people hurt" is >= 84 in the slot `injured`.

A quantity has bounds in the slot's base unit, a qualifier and a slot. Many wordings share one slot (injured, hurt,
wounded, hospitalised, casualties are all `injured`), so that two reports can be compared. Clock times, dates, street
and road numbers, ages in names, handles, hashtags and links are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verifleet.agents.caseless import caseless
from verifleet.agents.none_left import none_left
from verifleet.agents.numbers import MAX_NUMBERS, Number, Token, numbers_in, word_at
from verifleet.agents.quantity_slots import (
    BREAKS,
    FATES,
    FUNCTION_WORDS,
    MEASURED,
    REACH,
    STOPS,
    fate_of_one,
    is_negated,
    noun_behind,
    slot_at,
    slot_of,
)
from verifleet.agents.quantity_words import (
    AMBIGUOUS_NUMBERS,
    BUILDINGS,
    EVERYBODY,
    GENERIC_PEOPLE,
    GENERIC_VEHICLES,
    HOUSEHOLDS,
    NEGATIONS,
    PEOPLE,
    SKIPPED,
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


@dataclass(slots=True, unsafe_hash=True)
class Quantity:
    """One number with what it counts. Nobody changes one; it is not frozen, as that makes it slow to make.

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


_ALONG = words("across wide broad long")
"""What follows a length that is no depth, though water is spoken of."""
_OF_LENGTH = frozenset({"water_level", "rainfall", "depth"})
_DRIVING = words("drove drive drives driving crawled crawling cycled rode riding")
_SPEEDING = words("speed travelling traveling moving going km/h driving train car running doing limit")


def extract_quantities(text: str) -> list[Quantity]:
    """The quantities of `text`, in order; at most MAX_QUANTITIES from its first MAX_TEXT characters."""
    tokens, numbers = numbers_in(text[:MAX_TEXT])
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
            if quantity is not None and quantity.slot in FATES:
                quantity = replace(quantity, noun=f"of {whole.low:g}")
        elif of is not None:
            quantity = _whole(text, tokens, number)
        else:
            quantity = _quantity(text, tokens, number, starts, taken)
        if quantity is not None:
            found.append(quantity)
    if len(tokens) < MAX_TEXT // 4:
        found = _without_found(found, zeros := _zeros(text, tokens)) + zeros + _singles(text, tokens, taken)
    if _GIVEN_UP.search(text) is not None:
        found = [quantity for quantity in found if quantity.slot not in _LOST or not _alive_after_all(text, quantity)]
    return sorted(found, key=lambda quantity: quantity.span)[:MAX_QUANTITIES]


_LOST = frozenset({"killed", "missing", "trapped"})
_GIVEN_UP = caseless(
    r"\b(?:reported|feared|thought|believed|presumed|listed|declared|pronounced|counted|considered|said|wrongly"
    r"|mistakenly|initially|first)\b[^.;!?,:]{0,30}\b(?:dead|killed|missing|trapped|lost|drowned|died)\b[^.;!?,:]{0,60}?"
    r"\b(?:is|are|was|were|be|been|turned up)(?: \w+)? (?:alive|safe|fine|well|unharmed|living)\b"
)


def _alive_after_all(text: str, quantity: Quantity) -> bool:
    """Whether those counted are not lost, as was thought: "two people reported dead are alive"."""
    match = _GIVEN_UP.search(text, quantity.span[0], quantity.span[0] + 200)
    between = text[quantity.span[1] : match.start()] if match else ""
    return match is not None and len(between) <= _NEAR and _PARTED.search(between) is None


_NEAR = 40
_PARTED = re.compile(r"[.;!?,:]|\band\b")


# --- what is counted ----------------------------------------------------------


def _quantity(text: str, tokens: Sequence[Token], number: Number, starts: set[int], taken: set[int]) -> Quantity | None:
    unit, after_unit = _unit(tokens, number)
    if unit is not None:
        return _measured(text, tokens, number, unit, after_unit)
    if word_at(tokens, number.last) in {"times", "fold"}:
        return None  # "five times more injured"
    if word_at(tokens, number.last + (word_at(tokens, number.last) == "-")) in _DESCRIBING:
        return None  # an eight-storey block is one
    if _counted_twice(tokens, number.last):
        return None  # what a figure was lowered by
    noun = noun_behind(tokens, number.last)
    slot = slot_of(tokens, number, noun, starts, taken)
    if not slot:
        return None
    if number.figure is False and tokens[number.number].low in AMBIGUOUS_NUMBERS and slot == noun:
        return None
    if slot == "water_level" and _is_hour(tokens, number):
        return None
    slot, _, group = slot.partition("|")
    group = group or _special(noun, slot)
    slot = _as_now(slot, text[tokens[number.first].start :][:160])
    if slot in {"injured", "critical"} and _is_severe(tokens, number.last):
        slot, group = "injured", "severe"
    if slot in FATES and not group and _counts_some(tokens, number):
        group = "some"
    elif slot == "magnitude" and _of_aftershock(tokens, number):
        group = "aftershock"
    elif slot == "air_quality":
        group = _pollutant(tokens, number)
    return _build(text, tokens, number, slot, group, _DUST_UNIT if group in _DUST else "", number.last)


def _as_now(slot: str, told: str) -> str:
    """The slot of a count by what a text says at last: who was missing and has been found is rescued."""
    return "rescued" if slot == "missing" and _FOUND_AGAIN.search(told) else slot


_FOUND_AGAIN = re.compile(
    r"(?:missing|unaccounted for)\b[^.;!?]{0,60}?\b(?:(?:has|have|had|was|were) "
    r"(?:now |all |both |since |later )*(?:been )?"
    r"(?:found|located|traced|rescued)|turned up|(?:is|are) (?:now |all |both )*safe)\b(?! (?:dead|drowned))"
)
"""Said of who was missing and is so no more: "two people reported missing have been found safe"."""


def _is_hour(tokens: Sequence[Token], number: Number) -> bool:
    """Whether a number is the hour of something done: "they open the river gates at 8", not "the river is at 8"."""
    if word_at(tokens, number.first - 1) != "at" or not number.low.is_integer():
        return False
    return word_at(tokens, number.first - 2) not in _STANDING


_STANDING = words(
    "is was are were be been stands stood standing level levels remains remained peaked peak crest crested now "
    "currently still sits sat gauge river creek lake reservoir water mark dam stream canal measured reading steady"
)


_DUST = {"pm2.5": "pm2.5", "pm 2.5": "pm2.5", "pm10": "pm10"}
_DUST_UNIT = "µg/m³"
_INDEX = words("aqi psi index")


def _pollutant(tokens: Sequence[Token], number: Number) -> str:
    """The dust that a number without unit measures; "" for a number of an index, even of that dust."""
    near = {token.low for token in tokens[max(0, number.first - REACH) : number.last + 3]}
    if not near.isdisjoint(_INDEX):
        return ""
    return next((dust for name, dust in _DUST.items() if name in near), "")


def _counted_twice(tokens: Sequence[Token], index: int) -> bool:
    """Whether what is counted had been counted in error: "one body counted twice", "two names were on both lists"."""
    behind = []
    for token in tokens[index : index + 8]:
        if token.low in BREAKS or token.low == "," or token.kind == "number":
            break
        behind.append(token.low)
    return not _COUNTING.isdisjoint(behind) and not _TWICE.isdisjoint(behind)


_COUNTING = words("counted listed recorded registered reported included added double-counted count listing")
_TWICE = words("twice double double-counted wrongly mistakenly erroneously")


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
        if tokens[at].low in BREAKS or tokens[at].low == "," or tokens[at].kind == "number":
            break
    for at in range(number.first - 1, max(-1, number.first - 2 - REACH), -1):
        if tokens[at].low in _QUAKES:
            return tokens[at].low in _LESSER_QUAKES
        if tokens[at].low in BREAKS or tokens[at].kind == "number":
            break
    return False


_LESSER_QUAKES = words("aftershock aftershocks foreshock foreshocks réplica réplicas replica replicas nachbeben")
_QUAKES = _LESSER_QUAKES | words(
    "earthquake earthquakes quake quakes mainshock temblor tremor sismo terremoto terremotos séisme erdbeben"
)
_DESCRIBING = words("storey story storied lane bedroom star seater")
_SEVERE = words("critical critically severe severely serious seriously grave gravely life-threatening intensive")
_ILL = words("condition state injuries injured hurt wounded ill burns burned burnt care unwell")
_NOT_SEVERE = BREAKS | {","}


def _is_severe(tokens: Sequence[Token], index: int) -> bool:
    """Whether a count is of the gravely hurt alone: "two of them in critical condition", "3 critical"."""
    for at in range(index, min(len(tokens), index + 6)):
        word = tokens[at].low
        if tokens[at].kind == "number" or word in _NOT_SEVERE or is_negated(tokens, at):
            return False
        if word in _SEVERE:
            ahead = word_at(tokens, at + 1)
            return ahead in _ILL or (word == "critical" and (not ahead or ahead in BREAKS or ahead in {",", "and"}))
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
    noun = noun_behind(tokens, number.last)
    slot = "people" if noun in PEOPLE or not noun else "vehicles" if noun in VEHICLES else singular(noun)
    return _build(text, tokens, number, slot, _special(noun, slot), "", number.last)


def _build(text: str, tokens: Sequence[Token], number: Number, slot: str, noun: str, unit: str, last: int) -> Quantity:
    span = (tokens[number.first].start, tokens[last - 1].end)
    return Quantity(
        number.low, number.high, number.qualifier, number.approximate, slot, noun, unit, span, text[span[0] : span[1]]
    )


def _special(noun: str, slot: str) -> str:
    """The group counted, where it is narrower than the slot itself."""
    if not noun or slot in MEASURED or noun in GENERIC_PEOPLE or noun in GENERIC_VEHICLES or singular(noun) == slot:
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
    glued = index < len(tokens) and tokens[index].start == tokens[index - 1].end
    if glued and tokens[index].raw.isupper() and tokens[index].low in _DEGREES:
        return UNITS[_DEGREES[tokens[index].low]], index + 1  # "46.8C"
    if index < len(tokens) and tokens[index].raw == "C" and _slot_named(tokens, number.first, "temperature"):
        return UNITS["°c"], index + 1  # "maximum temperature 45.8 C"
    if word_at(tokens, index) in {"-", "of"}:
        index += 1
    for length in (3, 2, 1):
        behind = [token.low for token in tokens[index : index + length]]
        unit = UNITS.get(" ".join(behind))
        if unit is not None:
            return unit, index + len(behind)
    return None, number.last


def _slot_named(tokens: Sequence[Token], index: int, slot: str) -> bool:
    """Whether one of the three words before a number names what is measured."""
    return any((slot_at(tokens, at)[0] or Slot("")).name == slot for at in range(max(0, index - 3), index))


_DEGREES = {"c": "°c", "f": "°f"}


def _measured(text: str, tokens: Sequence[Token], number: Number, unit: Unit, last: int) -> Quantity:
    near = _near_slots(tokens, number, last)
    slot = unit.slot
    noun = ""
    if unit.slot == "rainfall" and "rainfall" in near:
        slot = "rainfall"  # "rain gauge: 40 mm": the gauge is of no river
    elif unit.base == "m" and _is_altitude(tokens, number, last):
        slot = "altitude"
    elif unit.base == "m" and word_at(tokens, last) not in _ALONG:
        slot = next((name for name in near if name in _OF_LENGTH), unit.slot)
    elif slot == "air_quality":
        noun = _pollutant(tokens, number)
    elif slot == "wind_speed":
        around = {token.low for token in tokens[max(0, number.first - REACH) : last + REACH]}
        speeding = number.low * unit.factor > 500 or ("wind_speed" not in near and around & _SPEEDING)
        speeding = speeding or not _DRIVING.isdisjoint(around)
        slot = "speed" if speeding else "wind_speed"
    elif slot == "percent":
        slot = "containment" if "containment" in near else "percent"
        noun = "" if slot == "containment" else singular(noun_behind(tokens, last + (word_at(tokens, last) == "of")))
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


def _is_altitude(tokens: Sequence[Token], number: Number, last: int) -> bool:
    """Whether a height is of land, where nothing before speaks of water: "go to 30 metres above sea level"."""
    if word_at(tokens, last) != "above" or word_at(tokens, last + 1) not in {"sea", "mean"}:
        return False
    return _WATERS.isdisjoint(token.low for token in tokens[: number.first])


_WATERS = words("river lake reservoir gauge water dam level levels pool canal stage basin creek stream flood")


def _near_slots(tokens: Sequence[Token], number: Number, last: int) -> list[str]:
    """Measuring words around a number with a unit, nearest first."""
    found: list[tuple[int, str]] = []
    for index in range(max(0, number.first - REACH), min(len(tokens), last + REACH)):
        slot, _ = slot_at(tokens, index)
        if slot is not None and slot.name in MEASURED:
            found.append((number.first - index if index < number.first else index - last, slot.name))
    return [name for _, name in sorted(found)]


# --- none, and one ------------------------------------------------------------


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
    found += [
        Quantity(0.0, 0.0, "exact", False, slot, "", "", (first, last), text[first:last])
        for slot, (first, last) in none_left(text[:MAX_TEXT])[:MAX_QUANTITIES]
    ]
    return found + (_all_safe(text[:MAX_TEXT]) if _SAFE_WORD.search(text) else [])


def _without_found(counted: list[Quantity], zeros: Sequence[Quantity]) -> list[Quantity]:
    """Figures without those of the missing of whom none is left: "all 12 missing hikers were found"."""
    found = [(zero.slot, zero.span) for zero in zeros if zero.slot in {"missing", "trapped"}]
    return [q for q in counted if not any(q.slot == slot and a <= q.span[0] < b for slot, (a, b) in found)]


def _only_of(tokens: Sequence[Token], first: int, last: int) -> str:
    """The group of which alone nobody was harmed: "no patients were hurt"; "" for everybody."""
    groups = [token.low for token in tokens[first:last] if token.low in PEOPLE]
    return "" if not groups or not EVERYBODY.isdisjoint(groups) else singular(groups[-1])


def _all_safe(text: str) -> list[Quantity]:
    """Find "everyone is safe", "all passengers are accounted for": nobody, or nobody of a group, hurt or missing."""
    found: list[Quantity] = []
    for match in _SAFE.finditer(text):
        who = (match["who"] or "").lower()
        if match["found"] and who and who not in PEOPLE | EVERYBODY | PRONOUNS:
            continue  # costs are accounted for, too
        group = "" if not who or who in EVERYBODY else singular(who)
        for slot in ("missing",) if match["found"] else ("injured", "killed"):
            found.append(Quantity(0.0, 0.0, "exact", False, slot, group, "", match.span(), match[0]))
    return found[:MAX_QUANTITIES]


PRONOUNS = words("us them")
_ANY_HARM = words("harm harmed casualties casualty hurt unscathed")
_SAFE_WORD = re.compile(r"(?i)\b(?:safe|un(?:harmed|hurt|injured|scathed)|accounted for)\b")
_SAFE = re.compile(
    r"(?<!not )(?<!nor )\b(?:every(?:one|body)"
    r"|(?:all|both)(?: of)?(?: the| our)?(?: \d+)?(?: crew(?= members?\b))?"
    r"(?: (?P<who>(?!of\b|the\b|our\b|is\b|are\b)[a-z]{3,20}))?)"
    r"(?: (?:on board|aboard|inside|involved|there|at the (?:site|scene)))?"
    r"(?: who (?:was|were|had been)(?: (?!not\b|n['’]t\b)[\w'’-]+){1,6}?)?,?"
    r" (?:is|are|was|were|got out|has been|have been)"
    r"(?: (?:reported|found|confirmed|now|all|both|safe and|alive and))*"
    r" (?:(?:safe|unharmed|unhurt|uninjured|unscathed)\b(?! (?:to|from|for|in case)\b)|(?P<found>accounted for)\b)",
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
            or token.low in BREAKS
            or token.low in {"but", "longer", "after", "while", "idea", "word"}
        ):
            return
        slot, length = slot_at(tokens, at)
        if slot is not None and tokens[index].low == "none" and _of_known(tokens, index, at):
            return  # "none of the injured" says that some are
        if slot is not None and slot.name in FATES and not slot.active and slot.name not in seen:
            seen.add(slot.name)
            yield at, slot, length
            if tokens[at + length - 1].low in _ANY_HARM and "killed" not in seen:
                seen.add("killed")
                yield at, Slot("killed"), length  # whom nothing harmed is not dead
        elif token.kind == "word" and _far(tokens, index, at, bool(seen)):
            return


def _of_known(tokens: Sequence[Token], index: int, at: int) -> bool:
    """Whether a counting word behind "none of the" names those of whom something is said: "none of the dead has"."""
    between = [token.low for token in tokens[index + 1 : at]]
    return between[:1] == ["of"] and _FINITE.isdisjoint(between) and word_at(tokens, at + 1) in _FINITE


_FINITE = words(
    "is are was were has have had will can could would may needs need requires require appears appear remains"
)


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
        if word_at(tokens, index - 1) in _FINITE and "none" in {item.low for item in tokens[max(0, index - 6) : index]}:
            continue  # "none of those hurt is a child"
        first = _after_age(tokens, index + 1)
        at = next((i for i in range(first, min(first + 3, len(tokens))) if _is_single(tokens[i])), None)
        if at is None or any(word_at(tokens, i) in STOPS | FUNCTION_WORDS for i in range(first, at)):
            continue
        number = Number(index, index, at + 1, 1.0, 1.0, "exact", False, False)
        slot = fate_of_one(tokens, number, token.low, taken)
        if slot:
            group = "some" if tokens[index + 1].low in _FURTHER else _special(tokens[at].low, slot)
            found.append(_build(text, tokens, number, slot, group, "", at + 1))
    return found


_FURTHER = words("second third fourth fifth sixth seventh eighth ninth tenth further")


def _after_age(tokens: Sequence[Token], index: int) -> int:
    """Where a text goes on behind an age: "34-year-old", "two year old"."""
    if word_at(tokens, index + 1) == "-" and word_at(tokens, index + 2) in _OLD:
        return index + 3
    return index + 3 if word_at(tokens, index + 1) == "year" and word_at(tokens, index + 2) == "old" else index


_OLD = words("year-old month-old week-old day-old years-old")


def _is_single(token: Token) -> bool:
    return token.low in PEOPLE and singular(token.low) == token.low and token.low not in _GROUPS


_GROUPS = words("troops staff crew gente elderly family household couple")
