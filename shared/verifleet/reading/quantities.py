"""Numbers with what they count: intervals, units, what befell it. Numbers that count nothing are left out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from verifleet.reading.document import Quantity
from verifleet.reading.numbers import in_digits, in_words, vague
from verifleet.reading.tokens import Token
from verifleet.reading.words import JOINTS, Sense, Table, data, lemma, phrases_of, plain_words, sense, table, words_of

REACH = 8
"""Tokens behind a number in which what it counts, and what befell that, is looked for."""
MAX_QUANTITIES = 24
_STOPS = frozenset(
    "in on at after before from with by as when near that which who if en tras desde con por al cuando dopo nel nella "
    "apres dans nach bei apos no na em que per par and y et und but pero ma mais mas to a".split()
)
_TO = frozenset("to at : = - – a à now already is are was were son sono sao sont sind em para na sa per".split())
"""What a toll is told with behind its head, beside verbs such as "rises" (`reaches` of lexicon.json)."""
_TOLD_WITHIN, _NEAR = 24, 12
"""Tokens between the head of a toll and its number, and of those without a word such as "toll"."""
_ACTIVE = re.compile(
    r"(?:kill|injur|destroy|damag|evacuat|rescu|arrest|claim|burn|displac|trap|strand|wound|detain|sav|leav)"
    r"(?:s|es|ed|ing)$|mata$|mataron$|destruye$|uccide$|tue$"
)
_VICTIMS = {name: frozenset(words.split()) for name, words in data("lexicon")["victims"].items()}
_ORDINALS = data("lexicon")["victims"]["ordinals"].split()
DEATH_WITHIN = 5
"""Words behind a person in which their death is told."""
_OF = frozenset("of de di von des".split())
ENDING = ("missing", "trapped")
"""What befalls people until it ends."""
_ALL = frozenset("all both every todos todas tutti tutte tous toutes alle".split())
WITHOUT_POWER = "without power"
_WITHOUT = frozenset("without sin senza sem sans ohne".split())
_NOT_YET = frozenset("to yet still being".split())
_WHO = frozenset("who that que qui che quem".split())
_BORNE = frozenset(
    "were was have has had been are is fueron fue han ha son estan sido sono e stati state stato stata foram foi estao "
    "sao ont ete sont a wurden wurde sind estaban estavam erano etaient".split()
)
_HEADS = frozenset(data("lexicon")["toll_heads"].split())
_IN = frozenset("in at into en nei em dans".split())
_SITES = frozenset("center centers centre centres site sites".split())
_OF_THINGS = frozenset(("destroyed", "damaged"))
DAMAGED_OR_DESTROYED, _OR = "damaged or destroyed", frozenset("or and o y u e ou et und oder".split())
_ORDINAL = frozenset("st nd rd th º ª er eme ème".split())
_CURRENCY = frozenset("$€£")
_LABELS = frozenset(data("lexicon")["labels"].split())
_LEVELS = {word: name for name, words in data("lexicon")["levels"].items() for word in words.split()}
_BEFALLEN = {word: name for name, words in data("lexicon")["participles"].items() for word in words.split()}
_BEFORE = frozenset(data("units")["before"].split())
_IN_ALL = (
    ("in", "all"),
    ("in", "total"),
    ("all", "told"),
    ("altogether",),
    ("en", "total"),
    ("insgesamt",),
    ("au", "total"),
)
"""Behind a number and its noun, what makes it the total of the numbers before."""
_BETWEEN = frozenset(
    "de of di is at as a - : reading hits now to level era of rises climbs falls dips increases drops remains".split()
)


@dataclass(frozen=True, slots=True)
class _Number:
    start: int
    end: int
    low: float
    high: float
    approximate: bool = False
    glued: str = ""
    words: bool = False


@cache
def _units() -> dict[str, tuple[str, float]]:
    return {name: (unit, float(factor)) for name, (unit, factor) in data("units")["units"].items()}


def quantities_of(
    tokens: Sequence[Token], language: str, quake: bool, lead: Sequence[Token] = ()
) -> tuple[Quantity, ...]:
    """The quantities in the tokens of a clause; `quake`: the text is about an earthquake.

    `lead`: what stands before the clause in its sentence, where the head of a toll may be ("Death toll: 48").
    """
    found: list[Quantity] = []
    used: set[int] = set()
    index = 0
    while index < len(tokens) and len(found) < MAX_QUANTITIES:
        number = _number_at(tokens, index, language)
        if number is None:
            index += 1
            continue
        made = _quantity(tokens, number, language, quake, used, lead)
        if made is not None and (language or made.predicate):  # of a language that is not read, tolls alone
            if made.comparison == "more" and found and found[-1].predicate not in ("", made.predicate):
                made = replace(made, comparison="")  # "24 dead and another 80 injured"
            found += _with_outcome(made, tokens, number, language) if made.predicate in ENDING else [made]
        index = number.end
    return tuple(found)


def _number_at(tokens: Sequence[Token], at: int, language: str) -> _Number | None:
    """The number that begins at a token, ranges and multipliers included; None for none, or one that counts nothing."""
    token = tokens[at]
    if token.kind == "number":
        value = in_digits(token.text, language)
        if value is None:
            return None
        low, end, glued = _with_suffix(tokens, at, value)
        if glued == "ordinal" and low > 1 and _befalls(tokens, end, language):
            return _Number(at, end, low, math.inf)  # who tells of the 10th victim tells of 10 at least
        if glued in ("identifier", "ordinal"):
            return _Number(at, end, math.nan, math.nan)
        high, end, glued = _range_end(tokens, end, low, language, glued)
        if at + 1 < len(tokens) and tokens[at + 1].text == "/" and tokens[at + 1].glued:
            return _Number(at, min(at + 3, len(tokens)), math.nan, math.nan)
        low, high, end = _multiplied(tokens, end, low, high, language)
        return _Number(at, end, low, high, low != high, glued)
    if token.kind != "word":
        return None
    loose = vague(language).get(token.low)
    if loose is not None:
        return _Number(at, at + 1, float(loose[0]), float(loose[1]), True, words=True)
    spelled = in_words(tokens, at, language)
    if spelled is None or (token.low == "one" and _low(tokens, at - 1) == "no"):
        return None
    value, taken = spelled
    high, end, _ = _range_end(tokens, at + taken, value, language, "")
    return _Number(at, end, value, high, value != high, words=True)


def _befalls(tokens: Sequence[Token], at: int, language: str) -> bool:
    """Whether a word is one for people, or for what befell them: person, victim, death."""
    known = sense(_low(tokens, at), language)
    return known.noun == "people" or known.state == "dead"


def _with_suffix(tokens: Sequence[Token], at: int, value: float) -> tuple[float, int, str]:
    """What stands against a number: "83K" multiplies, "60km" is a unit, "2nd" and "3D" are no numbers."""
    if at + 1 >= len(tokens) or not tokens[at + 1].glued or tokens[at + 1].kind != "word":
        return value, at + 1, ""
    word = tokens[at + 1].low
    if word in _ORDINAL or tokens[at + 1].text in _ORDINAL:
        return value, at + 2, "ordinal"
    money = at > 0 and tokens[at - 1].text in _CURRENCY
    suffixes = data("units")["suffixes"]
    if word in suffixes and (word != "m" or money) and word not in ("b",):
        return value * suffixes[word], at + 2, ""
    if word in _units():
        return value, at + 1, "unit"
    return value, at + 2, "identifier"


def _range_end(tokens: Sequence[Token], end: int, low: float, language: str, glued: str) -> tuple[float, int, str]:
    """The higher end of "8-10" or "8 to 10"; `low` again where no range follows."""
    if end + 1 >= len(tokens) or tokens[end].low not in ("-", "–", "to", "or", "a", "o", "ou", "bis", "oder", "and"):
        return low, end, glued
    after = tokens[end + 1]
    value = in_digits(after.text, language) if after.kind == "number" else None
    joined = tokens[end].low not in ("and",)
    if value is None or value <= low or not joined or value > 20 * max(low, 1):
        return low, end, glued
    high, stop, more = _with_suffix(tokens, end + 1, value)
    return high, stop, more or glued


def _multiplied(tokens: Sequence[Token], end: int, low: float, high: float, language: str) -> tuple[float, float, int]:
    """With "million", "mil" or "hundred" behind the digits."""
    while end < len(tokens) and tokens[end].kind == "word":
        named = in_words(tokens, end, language)
        if named is None or named[1] != 1 or named[0] < 100:
            break
        low, high, end = low * named[0], high * named[0], end + 1
    return low, high, end


def _quantity(
    tokens: Sequence[Token], number: _Number, language: str, quake: bool, used: set[int], lead: Sequence[Token]
) -> Quantity | None:
    if math.isnan(number.low) or _counts_nothing(tokens, number, language):
        return None
    low, high, approximate, first = _bounded(tokens, number, language)
    unit, factor, end = _unit(tokens, number, quake)
    if number.glued == "unit" and not unit:
        return None
    level = _level(tokens, number.start)
    if level and not unit:  # "water level 4.9 m" is a length, "alert level 4" a step
        return Quantity(_span(tokens, number.start - 1, number.end), low, high, approximate, "level", level)
    noun, predicate, stop = _counted(tokens, end, language)
    if not predicate:
        before, thing = _state_before(tokens, first, language, used, lead)
        noun, predicate = noun or thing, before or predicate
    if number.words and number.low == 1 and not predicate and not unit:
        return None  # "one" and "una" are seldom counts
    if number.words and number.low == number.high and _low(tokens, number.end) in ("of", "de"):
        return None  # "two of them"
    if _low(tokens, first - 1) in _OF and first > 1 and _is_count(tokens, first - 2, language):
        return None  # "one of two missing": how many there were, and are not
    comparison = _comparison(tokens, number, first, language, lead)
    if not predicate and any(_phrase_after(tokens, at, _IN_ALL) for at in (number.end, stop)):
        comparison = "total"
    if comparison == "total" and low == -math.inf:
        low = high  # "the toll is up to 95"
    span = _span(tokens, first, max(stop, end, number.end))
    return Quantity(span, low * factor, high * factor, approximate, unit, noun, predicate, comparison)


def _span(tokens: Sequence[Token], first: int, end: int) -> tuple[int, int]:
    return tokens[max(first, 0)].start, tokens[min(end, len(tokens)) - 1].end


def _counts_nothing(tokens: Sequence[Token], number: _Number, language: str) -> bool:
    """Dates, years, ages, durations, labels, list positions, designations."""
    months, times = words_of(language or "en", "months"), words_of(language or "en", "unit_time")
    if not number.words and (_low(tokens, number.start - 1) in months or _labelled(tokens, number.start)):
        return True
    if number.end >= len(tokens):
        return _is_year(tokens[number.start].text)
    after, behind = tokens[number.end], _low(tokens, number.end + 1)
    if after.low in times or (after.text == "-" and (_aged(tokens, number.end) or behind in times)):
        return True
    if number.words:
        return False
    if after.low in months:
        return True
    if _low(tokens, number.end + 1) in words_of(language or "en", "ago"):
        return True
    known = sense(after.low, language)
    return _is_year(tokens[number.start].text) and not (known.noun or known.state)


def _labelled(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number is the end of a name: "C-130", "Terminal 3", "No. 4"."""
    if not at:
        return False
    before = tokens[at - 1]
    hyphened = before.text == "-" and before.glued and tokens[at].glued and at > 1
    if hyphened and tokens[at - 2].kind == "word" and tokens[at - 2].low not in _BEFORE:
        return True
    label = tokens[at - 2] if before.text in (".", "#", ":") and at > 1 else before
    return label.low in _LABELS and label.low not in _LEVELS and label.kind == "word"


def _aged(tokens: Sequence[Token], at: int) -> bool:
    return _low(tokens, at + 1) in ("year", "yr", "day", "month", "week", "hour", "minute", "jährige", "jahrige")


def _low(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].low if 0 <= at < len(tokens) else ""


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and 1900 <= int(text) <= 2099


def _bounded(tokens: Sequence[Token], number: _Number, language: str) -> tuple[float, float, bool, int]:
    """The interval by the words around a number, and the first token of these."""
    low, high, approximate, first = number.low, number.high, number.approximate, number.start
    if first and tokens[first - 1].text in _CURRENCY:
        first -= 1
    for _ in range(2):
        for kind in ("least", "most", "about"):
            length = _phrase_before(tokens, first, phrases_of(language, kind))
            if not length:
                continue
            first -= length
            if kind == "least":
                high = math.inf
            elif kind == "most":
                low = -math.inf
            else:
                approximate = True
            break
        else:
            break
    if first and tokens[first - 1].text in (">", "+") and (first < 2 or tokens[first - 2].text != "-"):
        high, first = math.inf, first - 1
    after = number.end
    if after < len(tokens) and tokens[after].text == "+":
        high = math.inf
    plus = after + 1 < len(tokens) and tokens[after].text == "-" and tokens[after + 1].low == "plus"
    if plus or _phrase_after(tokens, after, phrases_of(language, "least_after")):
        high = math.inf
    return low, high, approximate, first


def _phrase_before(tokens: Sequence[Token], end: int, phrases: Sequence[tuple[str, ...]]) -> int:
    for phrase in phrases:
        start = end - len(phrase)
        if start >= 0 and all(tokens[start + at].low == word for at, word in enumerate(phrase)):
            return len(phrase)
    return 0


def _phrase_after(tokens: Sequence[Token], at: int, phrases: Sequence[tuple[str, ...]]) -> int:
    for phrase in phrases:
        if all(_low(tokens, at + place) == word for place, word in enumerate(phrase)):
            return len(phrase)
    return 0


def _unit(tokens: Sequence[Token], number: _Number, quake: bool) -> tuple[str, float, int]:
    """Unit, factor to the base unit, and the token behind it."""
    units = _units()
    before = tokens[number.start - 1] if number.start else None
    if before is not None and before.text in _CURRENCY:
        unit, factor = units[before.text]
        return unit, factor, number.end
    named = _named_before(tokens, number)
    if named:
        return named if named != "magnitude" or number.low < 10 else "", 1.0, number.end
    at = number.end
    if at < len(tokens) and tokens[at].text == "-":
        at += 2 if _low(tokens, at + 1) == "plus" else 1
    if quake and 1 <= number.low < 10 and not number.words and (taken := _of_quake(tokens, number, at)):
        return "magnitude", 1.0, taken
    word = _low(tokens, at)
    if word == "km" and _low(tokens, at + 1) == "/":
        return "m/s", units["kmh"][1], min(at + 3, len(tokens))
    if word in units and units[word][0]:
        unit, factor = units[word]
        return unit, factor, at + 1
    if any(_low(tokens, before) == "acreage" for before in range(number.start - REACH, number.start)):
        return "m2", units["acre"][1], number.end
    return "", 1.0, number.end


def _named_before(tokens: Sequence[Token], number: _Number) -> str:
    """The scale named before a number: "magnitude 7.9", "PSI is at 290"."""
    for at in range(number.start - 1, max(-1, number.start - REACH), -1):
        low = tokens[at].low
        if low in _BEFORE and tokens[at].kind == "word" and (low != "m" or at < number.start - 1):
            return "psi" if low in ("psi", "aqi") else "magnitude"
        if low not in _BETWEEN and tokens[at].kind != "clock":
            return ""
    return ""


def _of_quake(tokens: Sequence[Token], number: _Number, at: int) -> int:
    """The token behind a number that is a magnitude, by the words behind it in a text on an earthquake; 0 for none."""
    word, text = _low(tokens, at), tokens[number.start].text
    decimal = "." in text or "," in text
    if word in ("magnitude", "richter", "magnitud", "grados", "gradi", "graus"):
        return at + 1
    if word == "m" and decimal and number.end == at and tokens[at].glued:
        return at + 1
    if sense(word, "en").hazard == "earthquake":
        return at
    loose = decimal and number.low >= 3 and word not in _units() and not sense(word, "").noun
    return number.end if loose else 0


def _level(tokens: Sequence[Token], start: int) -> str:
    return _LEVELS.get(tokens[start - 1].low, "") if start and tokens[start - 1].kind == "word" else ""


def _counted(tokens: Sequence[Token], at: int, language: str) -> tuple[str, str, int]:
    """Noun and state behind a number, and the token behind them."""
    noun, surface, stop = "", "", at
    for index in range(at, min(at + REACH, len(tokens))):
        token = tokens[index]
        if token.kind not in ("word", "tag") and not _within_a_count(tokens, index, at):
            break
        if token.kind not in ("word", "tag") or (index == at and token.low in ("of", "de", "di")):
            continue
        word = token.low.lstrip("#")
        if _moved(tokens, index, noun, language):
            return noun or "people", "evacuated", index + 2
        if is_without_power(tokens, index, language):
            return noun or surface, WITHOUT_POWER, index + 2
        if word == "to" and (_low(tokens, index + 1) in ("have", "be") or _right_next(tokens, index + 1, language)):
            continue
        if word in _WHO and noun and (befell := _who_befell(tokens, index + 1, language)):
            return noun, befell, index + 3
        if word in _STOPS and (language or word != "na"):  # "11 na ang patay"
            break
        known = sense(word, language)
        if known.noun and not noun:
            noun, stop = known.noun, index + 1
        if befell := _befallen(word, known, noun):
            whose = sense(_low(tokens, index + 1), language).noun if befell in ENDING else ""
            return noun or whose or surface, *_either(tokens, index, befell, language)
        if not surface and not known.hazard and word not in words_of(language, "stop"):
            surface = word
    return noun or surface, "", stop


def _either(tokens: Sequence[Token], at: int, befell: str, language: str) -> tuple[str, int]:
    """What befell things by the word at a place, or by that and another one ("damaged or destroyed"); and its end."""
    both = befell in _OF_THINGS and _low(tokens, at + 1) in _OR
    if both and sense(_low(tokens, at + 2), language).state in _OF_THINGS:
        return DAMAGED_OR_DESTROYED, at + 3
    return befell, at + 1


def _with_outcome(made: Quantity, tokens: Sequence[Token], number: _Number, language: str) -> list[Quantity]:
    """Those who are missing or trapped, or what became of them where the clause tells that they are so no more.

    The verb behind them ("the people who were trapped have been rescued") or before them ("rescued 3 trapped miners")
    tells so. Of all, nobody is left.
    """
    became = _done_with(tokens, number.start, made.predicate, language) or _became(tokens, number.end, language)
    if not became:
        return [made]
    of = next((n for n in range(number.start - 1, number.start - 3, -1) if _low(tokens, n) in _OF), 0)
    part = _number_at(tokens, of - 1, language) if of > 0 else None
    if part is not None:  # "9 of the 12 missing have been found"
        return [replace(made, low=part.low, high=part.high, predicate=became), replace(made, comparison="before")]
    whole = any(_low(tokens, place) in _ALL for place in range(number.start - 3, number.start))
    left = replace(made, low=0.0, high=0.0) if whole else replace(made, comparison="before")
    return [replace(made, predicate=became), left]


def _done_with(tokens: Sequence[Token], at: int, predicate: str, language: str) -> str:
    """What was done with those who are counted, by a verb that has only small words between: "rescued all the 3"."""
    place = at - 1
    while place >= 0 and (_low(tokens, place) in _ALL or _low(tokens, place) in words_of(language, "stop")):
        place -= 1
    low = _low(tokens, place)
    near = {_low(tokens, n) for n in range(place - 3, place)}
    done = _over().find(low) and (predicate == "missing" or sense(low, language).state == "rescued")
    return "rescued" if done and near.isdisjoint(words_of(language, "negation")) and near.isdisjoint(_BORNE) else ""


def _became(tokens: Sequence[Token], at: int, language: str) -> str:
    """What became of those who are counted, by the verb of the clause that has them and a relative clause before it."""
    verbs = relatives = 0
    no_more = JOINTS | _NOT_YET | words_of(language, "negation")
    for place in range(at, min(at + _TOLD_WITHIN, len(tokens))):
        low, before = tokens[place].low, _low(tokens, place - 1)
        state = sense(low, language).state
        if low in _WHO and not relatives:
            relatives = 1
        elif low in _BORNE:
            verbs += before not in _BORNE
        elif verbs > relatives and state in ("dead", *ENDING):
            return "dead" if state == "dead" else ""
        elif _over().find(low) and (verbs > relatives or (sense(before, language).noun and not relatives)):
            behind = (sense(_low(tokens, n), language).state for n in (place + 1, place + 2))
            return "dead" if "dead" in behind else "rescued"
        elif low in no_more or tokens[place].kind == "number" or (tokens[place].kind == "mark" and low != "-"):
            break
    return ""


@cache
def _over() -> Table:
    return table({"over": data("lexicon")["over"]}, "")


def _befallen(word: str, known: Sense, noun: str) -> str:
    """What a word says of what is counted; people are neither destroyed nor damaged ("lost their lives")."""
    if known.state and (noun or not known.hazard) and not (noun == "people" and known.state in _OF_THINGS):
        return known.state
    return _BEFALLEN.get(word, "") if noun else ""


def _within_a_count(tokens: Sequence[Token], index: int, at: int) -> bool:
    """Whether a token that is no word ends no phrase either: "100+ dead", "6 U.S. troops"."""
    token = tokens[index]
    if token.kind != "mark":
        return token.kind not in ("number", "line", "clock", "url")
    initial = token.text == "." and token.glued and index > 0 and len(tokens[index - 1].text) == 1
    return token.text in "-'’#" or initial or (token.text == "+" and index == at)


def _who_befell(tokens: Sequence[Token], at: int, language: str) -> str:
    """What befell those who are counted, by the words behind "who": "who died", "who have been injured"."""
    start = at
    while _low(tokens, at) in _BORNE:
        at += 1
    return sense(_low(tokens, at), language).state if at > start or not _ACTIVE.match(_low(tokens, at)) else ""


def _is_count(tokens: Sequence[Token], at: int, language: str) -> bool:
    return tokens[at].kind == "number" or in_words(tokens, at, language) is not None


def is_without_power(tokens: Sequence[Token], at: int, language: str) -> bool:
    """Whether words tell an outage, which is a state of its own and denies nothing."""
    return _low(tokens, at) in _WITHOUT and sense(_low(tokens, at + 1), language).concept == "power"


def _moved(tokens: Sequence[Token], at: int, noun: str, language: str) -> bool:
    """Whether words tell that people left home: "from their homes", "persons in shelters", "in evacuation centres"."""
    word, known = _low(tokens, at), sense(_low(tokens, at + 1), language)
    if noun == "people" and word in _IN:
        return known.concept == "shelter" or (known.state == "evacuated" and _low(tokens, at + 2) in _SITES)
    return word == "from" and _low(tokens, at + 1) in ("home", "homes", "their")


def _right_next(tokens: Sequence[Token], end: int, language: str) -> bool:
    """Whether the very next words tell a state ("killed 3, 5 injured" tells its own)."""
    return bool(sense(_low(tokens, end), language).state)


def _state_before(
    tokens: Sequence[Token], first: int, language: str, used: set[int], lead: Sequence[Token]
) -> tuple[str, str]:
    """The state before a number that it counts ("kills 4", "death toll in X has hit 234"), and of which things."""
    of = _low(tokens, first - 1) in _OF
    at = first - 1 - of
    known = sense(_low(tokens, at), language)
    if known.state and at not in used and tokens[at].kind == "word" and not (of and known.noun):
        used.add(at)
        return known.state, ""
    before = [*lead[-_TOLD_WITHIN:], *tokens[max(0, first - _TOLD_WITHIN) : first]]
    topic = not language and before[-1:] and before[-1].text == ","  # "Bilang ng nasawi, 12 na"
    exceeds = _reaches().find(_low(tokens, first))  # "injuries top 750"
    if of or not before or not (topic or exceeds or _leads_to_toll(before[-1])):
        return "", ""
    offset, hedges = first - len(before), words_of(language, "possible") | words_of(language, "predicted")
    senses = [sense(token.low, language) for token in before]
    for index in range(len(before) - 1, -1, -1):
        token, state = before[index], senses[index].state
        if token.kind == "number" or token.low in hedges:
            return "", ""  # "may hit 10,000"
        if state and token.kind == "word" and offset + index not in used:
            near = range(max(0, index - 3), min(index + 3, len(before)))
            headed = any(before[place].low in _HEADS for place in near)
            label = before[-1].text in ":-–" and all(one.noun for one in senses[index + 1 : -1])
            if not (headed or label or (-offset <= index and len(before) - index <= _NEAR)):
                return "", ""
            used.add(offset + index)
            things = (senses[place].noun for place in near if state in _OF_THINGS)
            return state, next(filter(None, things), "")
    return "", ""


def _leads_to_toll(token: Token) -> bool:
    return token.text in _TO or token.low in _TO or bool(_reaches().find(token.low))


@cache
def _reaches() -> Table:
    return table({"reaches": data("lexicon")["reaches"]}, "")


def _comparison(tokens: Sequence[Token], number: _Number, first: int, language: str, lead: Sequence[Token]) -> str:
    behind = "".join(token.text for token in tokens[number.end : number.end + 2])
    if behind.startswith(("->", "→")):
        return "before"  # "revised (7.9 -> 7.6)"
    more = words_of(language, "more")
    if _low(tokens, number.end) in more and _low(tokens, number.end + 1) not in ("than", "de", "di"):
        return "more"
    if first and tokens[first - 1].low in more:
        return "more"
    headed = lead[-1:] and lead[-1].text == ":" and first < 2
    before = [*(lead[-3:] if headed else ()), *tokens[max(0, first - 8) : first]]
    return "total" if any(token.low in _HEADS for token in before) else ""


def uncounted(text: str) -> Iterator[tuple[str, float, float]]:
    """What is counted without a figure: "a man has died" is one dead at least, "all the missing were found" none."""
    words = plain_words(text)
    state = ["" if word in _VICTIMS["kills"] else lemma(word, "en") for word in words]
    found = not _VICTIMS["found"].isdisjoint(words)
    for at, word in enumerate(words):
        behind, before = state[at + 1 : at + 1 + DEATH_WITHIN], words[at - 1] if at else ""
        if word in _VICTIMS["one person"] and ("dead" in behind or (state[at] == "dead" and found)):
            nth = _ORDINALS.index(before) + 1 if before in _ORDINALS else 1  # "a third person died"
            yield "dead", float(nth), math.inf
            return
    at = state.index("missing") if "missing" in state else 0
    every = not _VICTIMS["every"].isdisjoint(words[max(0, at - 3) : at])
    if every and not _VICTIMS["accounted"].isdisjoint(words[at:]):
        yield "missing", 0.0, 0.0
