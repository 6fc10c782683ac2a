"""Quantities: a number with its unit, read from tokens, and whether one that is said is the one that is meant.

26.2 miles are 42.2 km, 24 months are two years, 2.2 billion is 2,187,463,944, 537 lies in the 6th century.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from decimal import ROUND_DOWN, Decimal
from itertools import pairwise
from typing import NamedTuple

from verifleet.reading import numerals
from verifleet.reading.units import DEGREES, UNITS_OF_SIZE, converted, measures
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.tokens import ARTICLES, COMPOUND_UNITS, CURRENCIES, UNITS, Token, once, stem

_ABBREVIATED = table("measures.abbreviated")
_LEADING = listed("measures.about") | listed("golds.leading")
_KNOWN = UNITS | UNITS_OF_SIZE | DEGREES.keys() | listed("measures.known")
_ABOUT = frozenset("about around approximately roughly circa nearly almost over some than estimated".split())
_EQUAL, _WITH_EQUAL, _EQUATING = listed("measures.equal"), listed("measures.with_equal"), frozenset("(=≈")
_COUNTS = {"pair": 2, "dozen": 12, "score": 20, "gross": 144}
_PARTS = {"half": 2, "quarter": 4}
MAX_PART = 3
"""Digits of a fraction's numbers."""
HALF_A_PERCENT = 0.5
"""What a fraction may be off: a third is 33 %."""
ROUNDED_SHARE = 0.05
"""What it may be off of itself: 1/30 is no 3 %."""
HALF_A_DEGREE = 0.5
HEDGED = 2.0
"""What a fraction may be off on the side that "a little over" tells."""
_HEDGES = {1: {"over", "above", "more"}, -1: {"under", "below", "less", "nearly", "almost"}}
_AHEAD = frozenset("before ahead prior until till short shy approaching near nearly almost toward towards".split())
_NUMBERED = frozenset("place version release section chapter figure item page paragraph clause article rule".split())
_ON_BIRTHDAYS = frozenset("must has had he she they it and when while".split())
REACH = 4
"""So many words may stand between a unit and its number behind it."""
DECIMALS = Decimal("0.05")
ROUNDING = 0.005
"""Relative difference that rounding in another unit may leave."""
# Above this a number of two or more digits is read as a rounded one, below only behind "about" and the like.
MIN_ROUNDED = 100_000
MIN_HEDGED = 2_500
MIN_DIGITS = 3
"""A measured value with decimals may be said with so many digits."""
CLOSE = Decimal("0.001")
"""Relative difference up to which one digit is enough: 300,000 for 299,792."""


class Quantity(NamedTuple):
    """A number in tokens `start` to `end` (exclusive) in its unit, empty where it has none.

    `text` is the number as its token has it, `units` those as written, `noun` the plain word behind a number without
    a unit, in the singular, `about` says that "about" or the like leads it.
    """

    start: int
    end: int
    text: str
    value: float | None = None
    unit: str = ""
    units: tuple[str, ...] = ()
    noun: str = ""
    about: bool = False


class Meant(NamedTuple):
    """The quantity that is expected, and what the question says of it.

    `scale` is the unit in which it asks; `bare` says what the number alone is: no answer, one that leaves something
    out, or all of it; `alone` that it must be the whole response then; `ranked` that "number 5" is the fifth;
    `exactly` that no rough share answers; `named` are the quantities that the question itself tells.
    """

    quantity: Quantity
    scale: str = ""
    bare: bool | None = None
    alone: bool = False
    ranked: bool = False
    exactly: bool = False
    named: Collection[tuple[str, str]] = ()


def quantities(tokens: Sequence[Token]) -> list[Quantity]:
    """`7`, `42.2 km`, `26 miles and 385 yards`, `four foot eight and a half inches`; kept with the tokens."""
    return once(tokens, "quantities", lambda: list(_quantities(tokens)))


def _quantities(tokens: Sequence[Token]) -> Iterator[Quantity]:
    end = 0
    for start in range(len(tokens)):
        first = _quantity(tokens, start) if start >= end else None
        while first is not None:
            end = first.end
            behind = _quantity(tokens, end + (end < len(tokens) and tokens[end].text == "and"))
            if behind and first.unit == "foot" and (behind.noun == "in" or tokens[end - 1].start == tokens[end].start):
                behind = behind._replace(unit="inch", end=behind.end + (behind.noun == "in"))  # 5 ft 4 in, 5'4"
            if behind and first.unit in CURRENCIES and (behind.unit == "cent" or _are_cents(tokens, behind)):
                behind = behind._replace(value=(behind.value or 0) / 100, unit=first.unit)
                first = first._replace(units=("",))
            smaller = behind and behind.unit and first.unit and behind.unit not in first.units
            more = converted(behind.value, behind.unit, first.unit) if behind and smaller else None
            if behind is None or more is None or first.value is None or not 0 <= more < 1:
                yield first
                break
            units = (*first.units, behind.unit)
            first = first._replace(end=behind.end, value=first.value + more, units=units)


def _are_cents(tokens: Sequence[Token], said: Quantity) -> bool:
    """`four euros fifty`: two digits right behind, that count nothing."""
    bare = not said.unit and (not said.noun or tokens[said.end].text in _LEADING)
    return bare and tokens[said.start].gap == " " and len(said.text) == len("50")


def _quantity(tokens: Sequence[Token], at: int) -> Quantity | None:
    word = tokens[at].text if at < len(tokens) else ""
    if word and (part := _part_of_unit(tokens, at) or _unit_and_part(tokens, at)) is not None:
        return part
    if not word or not (tokens[at].number or _is_count(tokens, at)):
        return None
    about = any(t.text in _ABOUT for t in tokens[max(0, at - 2) : at])
    count = next((_COUNTS.get(stem(t.text), 0) for t in tokens[at + 1 : at + 2] if t.gap == " "), 0)
    if word in _COUNTS:  # "half a dozen"
        halved = "half" in (t.text for t in tokens[max(0, at - 2) : at])
        word = str(_COUNTS[word] // (2 if halved else 1) + _is_bakers(tokens, at))
    elif count and word.isdigit():
        return Quantity(at, at + 2, str(int(word) * count), float(int(word) * count), about=about)  # "23 pairs"
    text = word
    unit, end = _unit(tokens, at + 1)
    minutes = tokens[at + 1].text if [t.gap for t in tokens[at + 1 : at + 2]] == [":"] else ""
    if minutes.isdigit() and word.isdigit() and len(minutes) < MAX_PART and _unit(tokens, at + 2)[0] == "hour":
        return Quantity(at, at + 3, word, int(word) + int(minutes) / 60, "hour", ("hour", "minute"), "", about)
    unit = unit or _unit_before(tokens, at)
    if word.endswith("th") and _is_age(tokens, at):
        word, text, unit, end = word[:-2], word[:-2], "year", at + 2  # "the 35th birthday"
    behind = tokens[end] if end < len(tokens) and not unit else None
    noun = stem(behind.text) if behind and behind.gap in (" ", "-") and behind.text.isalpha() else ""
    amount = None if numerals.decimal_of(text.removeprefix("-")) is None else float(text)
    return Quantity(at, end, text, amount, unit, (unit,) if unit else (), noun, about)


def _is_count(tokens: Sequence[Token], at: int) -> bool:
    """`a dozen`, `half a score`, `dozen` as the first word, `a baker's dozen`."""
    before = tokens[at - 1].text if at else "a" if tokens[at].text == "dozen" else ""
    return tokens[at].text in _COUNTS and (before in ("a", "half") or _is_bakers(tokens, at))


def _is_bakers(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at].text == "dozen" and tokens[at - 1].base == "baker"


def _is_age(tokens: Sequence[Token], at: int) -> bool:
    """`the 35th birthday`, no `35th birthday cake`; shortly before it one is not that old."""
    said, *behind = tokens[at + 1 : at + 3] or tokens[:1]
    ends = all(t.gap.strip() or t.text in FUNCTION_WORDS | _ON_BIRTHDAYS for t in behind)
    return said.text == "birthday" and ends and _AHEAD.isdisjoint(t.text for t in tokens[max(0, at - REACH) : at])


def _part_of_unit(tokens: Sequence[Token], at: int) -> Quantity | None:
    """`half an hour`, `a quarter of a kilo`, `three quarters of a mile`."""
    told = _share(tokens, at) if at + 2 < len(tokens) else None
    if told is None:
        return None
    at_unit = told[1] + (tokens[told[1] : told[1] + 1] != [] and tokens[told[1]].text == "of")
    if at_unit >= len(tokens) or tokens[at_unit].text not in ARTICLES:
        return None
    unit, end = _unit(tokens, at_unit + 1)
    return Quantity(at, end, f"{told[0] / 100:.4g}", told[0] / 100, unit, (unit,)) if measures(unit) else None


def _unit_and_part(tokens: Sequence[Token], at: int) -> Quantity | None:
    """`an hour and a half`, `two miles and a quarter`."""
    unit, end = _unit(tokens, at + 1) if tokens[at].number or tokens[at].text in ARTICLES else ("", at)
    told = [t.text for t in tokens[end : end + 4]] if unit else []
    part = _PARTS.get(told[2], 0) if told[:2] == ["and", "a"] and told[2:] else 0
    whole = numerals.decimal_of(tokens[at].text) if tokens[at].number else Decimal(1)
    if not part or whole is None or "of" in told:
        return None
    return Quantity(at, end + 3, tokens[at].text, float(whole) + 1 / part, unit, (unit, unit))


def _unit_before(tokens: Sequence[Token], at: int) -> str:
    """`In miles, 26.2`, `in Fahrenheit it is 212`."""
    for i in range(at - 2, max(-1, at - 2 - REACH), -1):
        if tokens[i].text in ("in", "to") and measures(unit := stem(tokens[i + 1].text)):
            return unit
        if tokens[i + 1].number or "." in tokens[i + 1].gap:
            break
    return ""


def _share(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """`three quarters`, `3/4`, `¾`, `half` in percent, and where it ends."""
    over, _, under = tokens[at].text.partition("/")
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    end = at + 1
    if not under and (part := _PARTS.get(over, 0)):
        over, under = "1", str(part)
    elif not under and behind is not None:
        part_of = _PARTS.get(stem(behind.text), 0) or numerals.ordinal_of(behind.text)
        below = behind.text if behind.gap == "/" else str(part_of)
        over, under, end = "1" if over == "a" else over, below, at + 2
    digits = all(number.isascii() and number.isdigit() and len(number) <= MAX_PART for number in (over, under))
    if not digits or not 0 < int(over) < int(under) or any(t.gap == "/" for t in tokens[end : end + 1]):
        return None
    return 100 * int(over) / int(under), end


def _read_share(tokens: Sequence[Token]) -> Quantity | None:
    told = _share(tokens, 0) if tokens else None
    if told is None or told[1] != len(tokens):
        return None
    return Quantity(0, told[1], f"{told[0]:.4g}", told[0], "percent", ("percent",), about=True)


def _shares(tokens: Sequence[Token], meant: Quantity, hedged: bool) -> Iterator[Occurrence]:
    """Fractions that are the percentage meant, and percentages that are the fraction, or `0.78`."""
    for at, token in enumerate(tokens):
        told = _share(tokens, at)
        part = told is not None
        value, end = told or (None, at + 1)
        if told is None and (number := numerals.decimal_of(token.text)) is not None:
            unit, behind = _unit(tokens, at + 1)
            part = unit != "percent"  # "0.67"
            value, end = (100 * float(number), end) if part else (float(number), behind)
        if value is None or meant.value is None or (end == at + 1 and not told and value < 1):
            continue
        near = min(HALF_A_PERCENT, ROUNDED_SHARE * meant.value) if part or meant.about else numerals.EXACT
        more = meant.value - value
        led = hedged and told is not None and 0 < _hedge(tokens, at) * more <= HEDGED
        if (abs(more) < near or led) and bounded(tokens, at, end):
            yield Occurrence(at, end)


def _hedge(tokens: Sequence[Token], at: int) -> int:
    """1 for `a little over 7 tenths`, -1 for `just under 4 fifths`, 0 for neither."""
    before = [t.text for t in tokens[max(0, at - 3) : at] if t.text not in ARTICLES | {"than"}]
    return next((sign for sign, words in _HEDGES.items() if words & {*before[-1:]}), 0)


def _angles(tokens: Sequence[Token], meant: Quantity) -> Iterator[Occurrence]:
    """`2π/3 radians` for 120 degrees."""
    for at, token in enumerate(tokens):
        if token.text not in ("π", "pi"):
            continue
        first = at - (at > 0 and tokens[at - 1].number and not token.gap)
        if token.gap.strip("$\\ (") or tokens[first].gap.strip(" (:=≈$\\"):
            continue  # "-π", "sqrt(2)π"
        over = [t.gap for t in tokens[at + 1 : at + 2]] == ["/"]
        times = numerals.decimal_of(tokens[first].text) if first < at else Decimal(1)
        parts = numerals.decimal_of(tokens[at + 1].text) if over else Decimal(1)
        behind, *after = [t.text for t in tokens[at + 1 + over : at + 3 + over]] or [""]
        behind = "" if after == ["per"] else behind
        told = 180 * float(times) / float(parts) if times and parts else None
        if told is not None and stem(behind) in ("radian", "rad") and meant.value is not None and told == meant.value:
            yield Occurrence(first, at + 2 + over)


def read_quantity(tokens: Sequence[Token]) -> Quantity | None:
    """The quantity that an answer is, "about" and the like aside, with what it counts; None if it is anything else."""
    if (share := _read_share(tokens)) is not None:
        return share
    tokens = [t for t in tokens if t.text != "ad"] if len(tokens) == 2 else tokens  # "AD 476"
    meant = next(iter(_quantities(tokens)), None)
    if meant is None or not all(t.text in _LEADING for t in tokens[: meant.start]):
        return None
    counted = bool(meant.noun) and not tokens[meant.end].capital and meant.end + 1 == len(tokens)  # "7 goals"
    meant = meant._replace(noun=meant.noun if counted else "")
    return meant if meant.end + counted == len(tokens) else None


def find_quantities(
    tokens: Sequence[Token], meant: Meant, given: Collection[str], tolerance: float | None = None
) -> Iterator[Occurrence]:
    """Places whose quantity is the one meant, in its unit or another, or within a relative tolerance of it.

    In the units `given`, in which the answer or an alias of it is known, no rounding is allowed for.
    """
    if meant.quantity.unit == "percent" and tolerance is None:
        yield from _shares(tokens, meant.quantity, hedged=not meant.exactly)
    if meant.quantity.unit == "degree" and tolerance is None:
        yield from _angles(tokens, meant.quantity)
    wrong = _contradicted(tokens, meant)
    for said in (q for q in quantities(tokens) if q.start not in wrong):
        exact = _within(said, meant, tolerance) if tolerance is not None else _same(tokens, said, meant, given)
        other = tokens[said.start].other if exact is None and not said.units[1:] else ""
        if other and said.text != meant.quantity.text:
            exact = _same(tokens, said._replace(text=other, value=float(other)), meant, given)
        own = said.end if said.unit and meant.quantity.unit else said.start + 1
        own += bool(said.noun and said.noun == meant.quantity.noun)
        if exact is not None and bounded(tokens, said.start, own):
            yield Occurrence(said.start, own, exact)


def _contradicted(tokens: Sequence[Token], meant: Meant) -> set[int]:
    """Where the first of `0 °C, which is 373.15 K` stands: in the unit asked for it is said to be another value."""
    unit, own, found = meant.quantity.unit or meant.scale, numerals.decimal_of(meant.quantity.text), set[int]()
    for one, other in pairwise(quantities(tokens) if unit else ()):
        asked, same = (one, other) if one.unit == unit else (other, one)
        words, said = {t.text for t in tokens[one.end : other.start]}, numerals.decimal_of(asked.text)
        equal = not (words.isdisjoint(_EQUAL) and _EQUATING.isdisjoint(tokens[other.start].gap))
        if equal and words <= _EQUAL | _WITH_EQUAL | _LEADING and asked.unit == unit and same.unit not in ("", unit):
            apart = said and own and numerals.rounded(own, max(1, numerals.significant_digits(said))) != said
            found |= {same.start} if apart else set()
    return found


def _within(said: Quantity, meant: Meant, tolerance: float) -> bool | None:
    """A number without a unit is taken in the unit meant; one in a unit that can't be converted is another quantity."""
    value, unit = meant.quantity.value, meant.quantity.unit or meant.scale
    if said.unit and unit:
        value = converted(value, unit, said.unit)
    if value is None or said.value is None:
        return None
    return True if abs(value - said.value) <= tolerance * max(abs(said.value), abs(value)) else None


def _same(tokens: Sequence[Token], said: Quantity, meant: Meant, given: Collection[str]) -> bool | None:
    """Whether a quantity is the one meant: all of it, or with something left out; None if it is another."""
    own = meant.quantity
    behind = tokens[said.end].text if said.end < len(tokens) else ""
    if behind == "bc" or (meant.scale != said.unit and (said.text, said.unit) in meant.named):
        return None  # a year before Christ
    if said.unit and said.unit == meant.scale.partition("/")[0]:
        said = said._replace(unit=meant.scale)  # of those asked for "per week"
    if not own.unit and measures(meant.scale) and measures(said.unit):
        own = own._replace(unit=meant.scale, units=(meant.scale,))
    if said.unit and own.unit and (said.units != own.units):
        value = converted(own.value, own.unit, said.unit)
        if value is None or said.value is None:
            return None
        near = numerals.EXACT if said.unit in given and not said.units[1:] else ROUNDING
        near = near / 10 if numerals.only_shifted(value, own.value) and numerals.is_precise(said.text) else near
        near = HALF_A_DEGREE if near == ROUNDING and own.unit in DEGREES else near * max(abs(value), abs(said.value))
        return False if abs(value - said.value) <= near else None
    if not own.unit and said.unit != meant.scale and (measures(said.unit) if meant.scale else said.unit == "percent"):
        return None
    if _in_period(tokens, said, own) or _is_short_year(tokens[said.start], said, own):
        return False
    exact: bool | None = True
    if not (own.unit and said.unit) and (not own.noun or said.noun != own.noun):
        apart = said.unit and (own.unit or own.noun)
        label = own.unit and said.start and tokens[said.start].gap == " " and tokens[said.start - 1].text in _NUMBERED
        exact = None if apart or label or (meant.alone and len(tokens) > said.end - said.start) else meant.bare
    roman = tokens[said.start].capital and own.text.endswith("th")  # "XIV"
    same = said.text == own.text or ((meant.ranked or roman) and said.text + "th" == own.text)
    if exact is None or (same and not said.units[1:]):
        return exact
    return False if _rounds(said, own) else None


def _rounds(said: Quantity, meant: Quantity) -> bool:
    """Whether one is the other rounded: a measured value to its own digits, a large or hedged one to two and more."""
    one, other = numerals.decimal_of(said.text), numerals.decimal_of(meant.text)
    if said.units[1:] or one is None or other is None:
        return said.value is not None and said.value == meant.value
    coarse, fine = sorted((one, other), key=numerals.significant_digits)
    digits, decimals = numerals.significant_digits(coarse), "." in meant.text
    if one == other:
        return True
    if other < MIN_HEDGED and not decimals and (not meant.unit or meant.unit in CURRENCIES):
        return False
    if one != coarse and other == other.to_integral_value() and one.to_integral_value(ROUND_DOWN) == other:
        return one - other <= DECIMALS * other  # the same with decimals
    if decimals and numerals.rounded(other, max(MIN_DIGITS, numerals.significant_digits(one))) == one:
        return True
    large = other >= MIN_ROUNDED or (said.about and coarse == one)
    enough = digits >= 2 or (meant.about and coarse == other) or abs(one - other) <= CLOSE * other
    return large and enough and digits < numerals.significant_digits(fine) and numerals.rounded(fine, digits) == coarse


def _is_short_year(token: Token, said: Quantity, meant: Quantity) -> bool:
    """`'89` for 1989."""
    short = token.gap[-1:] in ("'", "’", "‘") and not meant.unit and token.end - token.start == 2
    return short and meant.text in ("19" + said.text.zfill(2), "20" + said.text.zfill(2))


def _in_period(tokens: Sequence[Token], said: Quantity, meant: Quantity) -> bool:
    """`537` for the 6th century, `1843` for the 1840s, where no century or decade is told."""
    digits = meant.text.removesuffix("th").removesuffix("s")
    century = meant.unit == "century" and meant.text.endswith("th")
    if not digits.isdigit() or not (century or meant.text.endswith("s")) or not 2 < len(said.text) < 6:
        return False
    size = 100 if century else 10
    first = (int(digits) - 1) * size if century else int(digits)
    if century and said.text == f"{first}s":
        return True  # "the 1300s"
    told = any(stem(t.text) in ("century", "decade") or (t.number and t.text.endswith("s")) for t in tokens)
    return not told and said.text.isdigit() and first <= int(said.text) - century < first + size


def _unit(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The unit that begins with token `at` and where it ends; ("", at) if there is none."""
    if at >= len(tokens) or tokens[at].gap.strip().strip("-°$€£¥([*_ '’′"):
        return "", at
    word, following = tokens[at].text, tokens[at + 1].text if at + 1 < len(tokens) else ""
    behind = stem(tokens[at + 2].text) if at + 2 < len(tokens) else ""
    if (word, following, behind) == ("united", "states", "dollar"):
        return _unit(tokens, at + 2)
    if (word, stem(following)) in (("metric", "ton"), ("metric", "tonne"), ("american", "dollar")):
        return _unit(tokens, at + 1)
    if tokens[at].capital and stem(following) == "dollar":
        return f"{word} dollar", at + 2  # "Canadian dollars"
    if word in ("degree", "degrees") and _ABBREVIATED.get(following, following) in DEGREES:
        return _ABBREVIATED.get(following, following), at + 2
    if word in ("de", "di") and stem(following) in CURRENCIES:
        return stem(following), at + 2  # "millones de dólares"
    if word == "light" and stem(following) == "year":
        return "light-year", at + 2
    unit = _ABBREVIATED.get(word) or stem(word)
    return (unit, at + 1) if unit in _KNOWN or unit in COMPOUND_UNITS else ("", at)
