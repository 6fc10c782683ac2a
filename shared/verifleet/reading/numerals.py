"""English number words, ordinals and Roman numerals as digits; `numbers` has the number words of several languages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import takewhile

_UNIT_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_UNITS = {w: n for n, w in enumerate(_UNIT_WORDS)}
_TENS = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_TENS["fourty"] = 40
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_ORDINALS = {w: n for n, w in enumerate(_ORDINAL_WORDS, 1)}
_ORDINALS |= {w[:-1] + "ieth": n for w, n in _TENS.items()}
_ORDINALS |= {"hundredth": 100, "thousandth": 1000, "millionth": 10**6}
_DECADES = {w[:-1] + "ies": f"19{n}s" for w, n in _TENS.items()}
MAX_NUMBER_WORDS, MAX_DECIMALS = 30, 8
EXACT = 1e-9
PRECISE = 5
"""Digits from which a number is not rounded."""
_NOUGHT, _WHOLE = frozenset("oh aught ought".split()), frozenset("round even full good whole cool solid".split())
_PARTS_OF = frozenset("half quarter third of".split())
FIRST_WORDS = frozenset(SCALES) | frozenset(_UNITS) | frozenset(_TENS) | frozenset(_ORDINALS) | frozenset(_DECADES)
# "no one", "this one", "one of the", "one another": a pronoun, no number.
_ONE_AS_PRONOUN_AFTER = frozenset("no any some every the this that which each another".split())
_ONE_AS_PRONOUN_BEFORE = frozenset({"of", "another", "can", "must", "should", "might", "may"})
GROUPED_DECIMALS = r"\d{1,9}\.\d{3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[ \u00a0\u2009\u202f]\d\d?)?(?!\d)"
"""`0.453 592 37`."""
SCIENTIFIC = (
    rf"(?:{GROUPED_DECIMALS}|\d{{1,15}}(?:\.\d{{1,15}})?)"
    r"(?:e[+\-\u2212]?\d{1,3}(?![^\W_])|\s?(?:[\u00d7x*\u00b7\u22c5]|\\times)\s?10"
    r"(?:\s?\^\s?[{(]?[+\-\u2212]?\d{1,3}[})]?|[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,3}))"
)
"""`1.67e-27`, `6.022 × 10^23`, `9.5·10¹²`."""
MAX_PLAIN = 18
"""Digits up to which such a number is written out."""
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--", "⁺+{}() ")
_ROMAN = re.compile(r"(?=[ivxl]|m[cdmxlvi])(m{0,3}(?:cm|cd|d?c{0,3}))(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_FRACTIONS: dict[tuple[str, ...], Decimal] = {
    ("and", "a", "half"): Decimal("0.5"),
    ("and", "a", "quarter"): Decimal("0.25"),
    ("and", "3", "quarter"): Decimal("0.75"),
    ("and", "3", "quarters"): Decimal("0.75"),
}
_NO_FRACTION = frozenset("of past to".split())


def read_number(texts: Sequence[str], start: int, hyphenated: bool = False) -> tuple[str, int] | None:
    """Read a number in words (or digits with a scale word) at `start`: its digits and how many tokens it takes."""
    word = texts[start]
    if word in _DECADES:
        return _DECADES[word], 1
    if texts[start + 1 : start + 2] and texts[start + 1] in _NOUGHT and 13 <= (_amount(word) or 0) <= 20:
        last = _UNITS.get("".join(texts[start + 2 : start + 3]), 0)
        if 0 < last < 10:
            return f"{_amount(word)}0{last}", 3  # "nineteen oh five"
    decade = _DECADES.get(texts[start + 1] if start + 1 < len(texts) else "")
    if decade and _UNITS.get(word, 0) >= 10:
        return f"{_UNITS[word]}{decade[2:]}", 2  # "eighteen-eighties"
    if word in _ORDINALS and not (word == "second" and start and texts[start - 1].isdigit()):
        return f"{_ORDINALS[word]}th", 1
    if word in SCALES and start and texts[start - 1] == "a" and (start < 2 or texts[start - 2] not in _PARTS_OF):
        return _read(texts, start)
    if word in SCALES and start > 1 and texts[start - 1] in _WHOLE and texts[start - 2] in ("a", "an"):
        return _read(texts, start)  # "a round hundred"
    if word in SCALES or (word == "one" and not hyphenated and _is_pronoun(texts, start)):
        return None
    amount = _amount(word)
    if amount is None or (not _is_word(word) and (start + 1 >= len(texts) or texts[start + 1] not in SCALES)):
        return None
    return _read(texts, start)


def _is_pronoun(texts: Sequence[str], at: int) -> bool:
    after = texts[at + 1] if at + 1 < len(texts) else ""
    if at > 1 and texts[at - 1] == "the" and texts[at - 2] in ("just", "only"):
        return False  # "just the one"
    return after in _ONE_AS_PRONOUN_BEFORE or (at > 0 and texts[at - 1] in _ONE_AS_PRONOUN_AFTER)


def _is_word(word: str) -> bool:
    return word in _UNITS or word in _TENS


def _amount(word: str) -> Decimal | None:
    if word in _UNITS:
        return Decimal(_UNITS[word])
    if word in _TENS:
        return Decimal(_TENS[word])
    if word[:1].isdigit() and len(word) <= 18:
        try:
            return Decimal(word)
        except InvalidOperation:
            return None
    return None


def _read(texts: Sequence[str], start: int) -> tuple[str, int]:
    """Groups below a scale add up; a scale multiplies its group; two bare groups are a year ("nineteen eighty")."""
    total, group, i = Decimal(0), Decimal(0), start
    digits_at = -1
    while i < len(texts) and i < start + MAX_NUMBER_WORDS:
        word = texts[i]
        if word == "and" and i > start and texts[i - 1] in SCALES and i + 1 < len(texts) and _is_word(texts[i + 1]):
            i += 1
            continue
        if word in _ORDINALS and i > start and _fits(group, _ORDINALS[word], texts[i - 1]):
            return f"{_plain(total + group + _ORDINALS[word])}th", i - start + 1
        if word in SCALES:
            scale = SCALES[word]
            if scale == 100:
                group = (group or Decimal(1)) * 100
            else:
                total, group = total + (group or Decimal(1)) * scale, Decimal(0)
        else:
            amount = _amount(word)
            if amount is None or digits_at >= 0 or (not _is_word(word) and i > start):
                break
            if i > start and not _fits(group, int(amount), texts[i - 1]):
                if _is_year_pair(texts, start, i, group, amount):
                    group = group * 100 + amount
                    i += 1
                    continue
                break
            group += amount
            if not _is_word(word):
                digits_at = i
                if i + 1 >= len(texts) or texts[i + 1] not in SCALES:
                    i += 1
                    break
                digits_at = -1
        i += 1
    spoken = texts[i + 1 : i + 1 + MAX_DECIMALS] if texts[i : i + 1] == ["point"] else ()
    decimals = "".join(str(_UNITS[w]) for w in takewhile(lambda w: _UNITS.get(w, 10) < 10, spoken))
    if decimals:
        return f"{_plain(total + group)}.{decimals}", i + 1 + len(decimals) - start
    return _plain(total + group), i - start


def _fits(group: Decimal, amount: int, before: str) -> bool:
    if before == "and" or before in SCALES:
        return True
    return before in _TENS and 0 < amount < 10 and group % 10 == 0


def _is_year_pair(texts: Sequence[str], start: int, at: int, group: Decimal, amount: Decimal) -> bool:
    return at - start == 1 and 10 <= group <= 20 and 10 <= amount < 100 and _is_word(texts[at])


def ordinal_of(word: str) -> int:
    """3 for `third`, `thirds` and `3th`, 0 for anything else."""
    digits = word.removesuffix("th")
    return _ORDINALS.get(word.removesuffix("s"), 0) or (int(digits) if digits != word and digits.isdigit() else 0)


def mixed(texts: Sequence[str]) -> tuple[str, int] | None:
    """The value of `2 and a half`, `12 and 3 quarters thousand`, and how many words it takes."""
    share = _FRACTIONS.get(tuple(texts[1:4]))
    whole = texts[0].isascii() and texts[0].isdigit() and len(texts[0]) <= MAX_PLAIN
    if share is None or not whole or not _NO_FRACTION.isdisjoint(texts[4:5]):
        return None
    scale = SCALES.get("".join(texts[4:5]), 0)
    return f"{((Decimal(texts[0]) + share) * (scale or 1)).normalize():f}", 4 + bool(scale)


def _plain(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def plain_scientific(text: str) -> str:
    """The digits of a number in scientific notation, with an exponent only where they would be too many."""
    amount, _, power = re.sub(r"\s?(?:[×x*·⋅]|\\times)\s?10\s?\^?", "e", text.lower()).partition("e")
    value = Decimal("".join(amount.split())).scaleb(int(power.translate(_RAISED)))
    plain = _plain(value)
    return plain if len(plain) <= MAX_PLAIN else f"{value.normalize():e}".replace("+", "")


def raised(text: str) -> str:
    """The digits of a power: 1000 for `10^3` and `10³`."""
    base, _, power = text.partition("^")
    base, power = (base, power) if power else (text[:-1], text[-1:].translate(_RAISED))
    plain = str(int(base) ** int(power))
    return plain if len(plain) <= MAX_PLAIN else f"{Decimal(plain).normalize():e}".replace("+", "")


def roman(word: str) -> str | None:
    """Digits of a Roman numeral in lower case up to 99 or from 1001 on, or None."""
    if not word or not _ROMAN.fullmatch(word):
        return None
    total = 0
    for here, after in zip(word, [*word[1:], "i"], strict=True):
        value = _ROMAN_VALUES[here]
        total += -value if value < _ROMAN_VALUES[after] else value
    return str(total)


def decimal_of(text: str) -> Decimal | None:
    """The value of plain digits such as `8848.86`, None for anything else or for more than 18 characters."""
    digits, _, power = text.partition("e")
    plain = digits.replace(".", "", 1)
    if power and not power.removeprefix("-").isdigit():
        return None
    return Decimal(text) if plain.isascii() and plain.isdigit() and len(text) <= MAX_PLAIN else None


def significant_digits(value: Decimal) -> int:
    """How many digits are left without leading and trailing zeros: 2 for 2,200,000."""
    return len("".join(map(str, value.as_tuple().digits)).strip("0"))


def rounded(value: Decimal, digits: int) -> Decimal:
    """The value rounded half up to so many significant digits."""
    return value.quantize(Decimal(1).scaleb(value.adjusted() - digits + 1), ROUND_HALF_UP)


def is_precise(text: str) -> bool:
    """Whether a number has so many digits that it is not rounded."""
    value = decimal_of(text)
    return value is not None and significant_digits(value) >= PRECISE


def only_shifted(value: float, other: float | None) -> bool:
    """Whether a value differs from another by a power of ten alone: no rounding comes of that."""
    shift = math.log10(value / other) if value > 0 and other and other > 0 else 0.5
    return abs(shift - round(shift)) < EXACT
