"""English numbers, fractions and clock times in words as digits, in a text that stays as long.

`three quarters` is 3/4, `six root two` 6√2, `half past nine` 9:30.
"""

from __future__ import annotations

import re

from verifleet.reading.numbers import in_words, named, with_digits
from verifleet.reading.tokens import tokens
from verifleet.reading.words import data, spoken

_PARTS = dict(data("fractions")["parts"])
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_PARTS |= {
    f"{ten}-{unit}": 20 + 10 * place + value
    for place, ten in enumerate(_TENS)
    for unit, value in ({**_PARTS, "first": 1, "second": 2}).items()
    if value < 10 and unit not in ("half", "quarter")
}
_WORD = "|".join(sorted(named("en"), key=len, reverse=True))
_WHOLE = rf"(?:{_WORD})(?:(?:-|(?:(?<=hundred)|(?<=thousand)|(?<=million))\sand\s|\s)(?:{_WORD}))*"
_SAID = r"(?:(?<=\bis\s)|(?<=['’]s\s)|(?<=\bbe\s)|(?<=equals\s)|(?<=makes\s))"
_COUNT, _NUMBER = (
    re.compile(
        rf"(?<![A-Za-z-])(?:(?P<over>{_WHOLE}?(?:\sand\s(?:an?|{_WHOLE}?))?|"
        rf"(?:{_SAID}|^)an?(?=\s[a-z]+[.!]?\s*$))[-\s](?P<part>{parts})s?|(?P<number>{_WHOLE})|"
        rf"half\san?\s(?P<half>hundred|thousand|million|billion)|half(?=\sof\s(?:them|the|these|those)\b)|"
        rf"{_SAID}half(?=[.!]?\s*$))(?![A-Za-z-])",
        re.IGNORECASE,
    )
    for parts in ("(?!)", "|".join(_PARTS))
)
_CLOCK = spoken(
    rf"""\b(?:a )?(?:(?P<part>quarter|half|{_WHOLE})(?: minutes)?) (?P<past>past|(?<=quarter\s)to) (?P<hour>{_WORD})\b
    (?! (?:degrees|dollars))(?: in the (?P<half>morning|afternoon|evening))?"""
)
_CYRILLIC = re.compile("[а-я]")
_TWICE = re.compile(r"(?<![\d.])(\d+)\s+\(\1\)")  # eighteen (18)
_VAGUE = frozenset("one hundred thousand million billion".split())
"""Number words that may be no number where they stand alone."""
_ONE_IN = spoken(rf"\s(?:in|out of|or) (?:{_WORD}|\d)|\W*$")
_MEASURED = spoken(r"\s(?:hour|minute|day|week|month|year|mile|meter|metre|litre|liter|degree)\b")
_NO_NUMBER = spoken(rf"\s(?:or\b(?! (?:(?:{_WORD})\b|[-−]?\d))|of\b(?! (?:them|pi)))")
_IS = re.compile(r"(?:\b(?:to|is|equals)\s|=\s*)(?:(?:minus|negative)\s)?$", re.IGNORECASE)
_SIGNS = (
    (spoken(r"(?<=\b[a-z])(?<!\bof\s[a-z]) (?:equals|is equal to) (?=[-−]?[\d√]|minus|negative)"), "= "),
    (spoken(r"(?<=\d)\s*\btimes(?= (?:the )?(?:square|root|√|\d))"), "*"),
    (spoken(r"(?<!cube\s)\b(?:(?:the )?square )?root (?:of )?(?=\d)"), "√"),
    (spoken(r"(?<=\d)\s+of (?=pi\b|π)"), "*"),
    (
        spoken(
            r"(?<!\s),?(?: and)? the other(?: one| root| solution| number)?(?: is| equals)?,?"
            r" (?=[-−]?[\d√]\S*\s*$)"
        ),
        " and ",
    ),
    (spoken(r"\bis congruent to (?=[-−]?\d)"), "≡ "),
    (spoken(r"(?<=\d) modulo (?=\d)"), " mod "),
    (spoken(r"\bnatural log(?:arithm)? of (?=[|x\d])"), "\\ln "),
    (spoken(r"\bplus or minus (?=\$?(?:\d|√|\\(?:frac|sqrt))|i\b)"), "±"),
    (spoken(r"\b(?:minus|negative) (?=\$?(?:\d|√|\\(?:frac|sqrt))|i\b)"), "-"),
)


def signs(text: str) -> str:
    """The text with signs for the words between its numbers, and before them."""
    for pattern, sign in _SIGNS:
        text = pattern.sub(lambda match, sign=sign: sign.rjust(len(match.group())), text)  # type: ignore[misc]
    return text


def in_digits(text: str, language: str = "en", counted: bool = False) -> str:
    """The text with digits for the numbers in words of English, and of another language; `counted`: no fractions."""
    text = with_digits(text, "ru" if _CYRILLIC.search(text) else language)
    text = _CLOCK.sub(_clock, text)
    found = (_COUNT if counted else _NUMBER).sub(_digits, text)
    return signs(_TWICE.sub(lambda match: match[1].rjust(len(match.group())), found)) if found != text else text


def _clock(match: re.Match[str]) -> str:
    minutes, hour = (
        {"quarter": 15, "half": 30}.get(said.lower()) or _number(said) for said in match.group("part", "hour")
    )
    if not minutes or not hour or minutes > 30 or hour > 12:
        return match.group()
    hour, minutes = (hour, minutes) if match["past"].lower() == "past" else ((hour + 10) % 12 + 1, 60 - minutes)
    half = {"morning": " am", None: ""}.get(match["half"] and match["half"].lower(), " pm")
    return f"{hour}:{minutes:02}{half}".rjust(len(match.group()))


def _digits(match: re.Match[str]) -> str:
    whole, over, part, said = *match.group("number", "over", "part"), match.group()
    before, after = match.string[: match.start()], match.string[match.end() :]
    if match["half"]:
        return str((_number(match["half"]) or 0) // 2).ljust(len(said))
    if whole and before.strip() + after.strip():
        one = whole.lower() == "one" and _ONE_IN.match(after) and (after.strip(" .") or _IS.search(before))
        one = one or (whole.lower() == "one" and _MEASURED.match(after))
        if _NO_NUMBER.match(after) or (whole.lower() in _VAGUE and not one):
            return said
    if over:  # one and seven eighths, five and a half
        over = re.sub(r"\ban?$", "one", over)
        whole, _, over = over.rpartition(" and ") if _number(over) is None else ("", "", over)
    top, units = _number(over or "one"), _number(whole) if whole else 0
    if top is None or units is None:
        return said
    share = f"{top}/{_PARTS[part.lower()] if part else 2}" if over or not whole else ""
    digits = f"{units or ''} {share}".strip() if share else str(units)
    return digits.ljust(len(said)) if len(digits) <= len(said) else said


def _number(phrase: str) -> int | None:
    for written in (phrase, phrase.replace(" and ", " ")):  # five thousand and fifty
        said = tokens(written)
        found = in_words(said, 0, "en")
        if found is not None and found[1] == len(said):
            return int(found[0])
    return None
