"""Text as comparable tokens: case, accents, punctuation, number words, ordinals, Roman numerals, units, currency.

Both sides of every comparison go through `tokenize`, so what it folds away can't decide a verdict.
One pass of one regular expression without nested repetition: linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from verifleet.reading import numerals
from verifleet.reading.units import UNITS_BY_CASE
from verifleet.verifiers.knowledge.lists import listed, table

T = TypeVar("T")
_LETTER = (
    r"(?:[^\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2080-\u2089\u2150-\u215e\u3040-\u30ff\u3400-\u9fff]"
    r"|[\u0300-\u036f\u0900-\u0903\u093a-\u094f])"
)
_MONTHS = "january february march april may june july august september october november december"
_BEHIND_NO_MONTH = "".join(rf"(?<!\b{name} )" for month in _MONTHS.split() for name in {month, month[:3]})
_TOKEN = re.compile(
    r"(?P<acronym>(?<![^\W\d_])(?:[A-Z]\.){2,}(?:[A-Z](?![^\W_]))?)"
    rf"|(?P<scientific>{numerals.SCIENTIFIC})"
    r"|(?P<power>\d{1,3}(?:\^\d{1,2}|[\u00b2\u00b3\u2074-\u2079])(?![^\W_]))"
    rf"|(?P<number>{numerals.GROUPED_DECIMALS}"
    r"|\d{1,3}(?:[,'\u2019\u202f\u2009\u00a0]\d{3})+(?!\d)(?:[.,]\d+)?"
    rf"|{_BEHIND_NO_MONTH}\d{{1,3}}(?: \d{{3}})+(?!\d)(?:[.,]\d+)?"  # not "May 5 300 people came"
    r"|\d{1,4},\d{1,2}(?=[ \u00a0]?(?:[%\u00b0]|[mм](?![^\W_])|(?!and\b|or\b|to\b)[^\W\d_]{2}|\Z))"
    r"|(?:(?<![\w.])\.)?\d+(?:\.\d+)*)"
    r"(?P<suffix>(?:st|nd|rd|th|s)(?![^\W_]))?"
    r"|(?P<ranked>(?-i:(?<![^\W_])[IVX]{2,6}(?:st|nd|rd|th))(?![^\W_]))"
    r"|(?P<fraction>[\u00bc-\u00be\u2150-\u215e])"
    r"|(?P<sign>(?-i:(?<![^\W_\u3040-\u9fff])(?:[A-Za-z](?:\+\+|#)|[A-Z]{1,2}[+\u2212-]))(?![^\W\u3040-\u9fff]|[+#-]))"
    rf"|(?P<word>{_LETTER}+(?:['\u2019\u02bc`]{_LETTER}+)*)"
    r"|(?P<ideograph>[\u3040-\u30ff\u3400-\u9fff])"
    r"|(?P<symbol>[&%\u2030$\u20ac\u00a3\u00b0\u266d\u266f])",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"(?:[cldjnstm]|qu|un|(?:d|n|s)ell|all)['\u2019](?=[^\W\d_]{3})", re.IGNORECASE)
"""`l'Allemagne`, `d'Orsay`, `dell'Arno`, `c'est`."""
_THOUSANDS = re.compile(r",\d{3}")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_SUBSCRIPTS = {0x2080 + digit: str(digit) for digit in range(10)}
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\^?\](?!\()|\u3010[^\u3011]{0,40}\u3011")
_EXPONENT_SIGNS = re.compile("(?<=[(=][A-Za-z])[\u00b2\u00b3\u2074-\u2079]")  # O(n²), which is no note
_DECODED_TWICE = re.compile("\u00c2(?=[ \u00a0])")
"""What is left of a no-break space that was decoded twice."""
_YEAR_IN_SIGNS = re.compile("[〇零一二三四五六七八九]{4}(?=年|\\Z|[^\u3400-\u9fff])")
_SIGNS = {ord(sign): str(digit) for digit, sign in enumerate("〇一二三四五六七八九")} | {ord("零"): "0"}
_INVERSE = re.compile(r"(?<=[^\W\d_])[·⋅ ](?P<unit>[A-Za-z]{1,4})(?:⁻|\^[-−]|\^\{[-−])(?P<power>[123¹²³])\}?(?!\w)")
_EXTRA_LETTERS = str.maketrans(table("tokens.extra_letters"))
_SYMBOLS = table("tokens.symbols")
CURRENCIES = frozenset({"dollar", "euro", "pound"})
PARTICLES = listed("tokens.particles")
ARTICLES = frozenset({"a", "an", "the"})
_BEFORE_ME = frozenset("may can could should would shall might must will did do have had am was".split())
_OF_DOLLAR = frozenset({"us", "usa", "a", "au", "c", "ca", "nz", "hk"})
_SAME_WORD = table("tokens.same_word")
_SAME_PHRASE = {word: tuple(phrase.split()) for word, phrase in table("tokens.same_phrase").items()}
_AMOUNTS = {"k": "thousand", "m": "million", "b": "billion", "bn": "billion", "mn": "million"} | {
    scale: scale for scale in numerals.SCALES
}
_TWO_WORDS = {tuple(two.split()): one for two, one in table("tokens.two_words").items()}
# Abbreviations that are units only behind a number: "5 m" is a length, "M" is not.
_UNIT_AFTER_NUMBER = table("tokens.unit_after_number")
# Words that may change what stands before them; everything else passes through `_join_phrases` untouched.
_JOINED = frozenset(_SAME_PHRASE) | {word for _, word in _TWO_WORDS} | {"america", "c", "f", "h", "hour", "hr"}
# Words behind the letter of a blood type, a key or a grade.
_LETTERED = frozenset("positive negative minor major flat sharp plus minus".split())
_OPENING = ARTICLES | frozenset("he she it his her they this that in on at after and but".split())
_BEFORE_RANK = listed("golds.leading")
_NUMBER_GOES_ON = frozenset(".!?;:()\n")
_LETTER_A = "letter a"
_FEET = ("'", "’", "′")  # 5'4"
UNITS = listed("tokens.units")
# The parts of compound units by their written forms; they are read only behind a number.
_LENGTHS = table("tokens.lengths")
_MASSES_AND_MORE = table("tokens.masses_and_more")
_PARTS = _LENGTHS | _MASSES_AND_MORE
_PART_NAMES = frozenset(_PARTS.values()) | {"ton", "day", "ounce"}
_RAISED = {"square": "square", "sq": "square", "squared": "square", "cubic": "cubic", "cu": "cubic", "cubed": "cubic"}
_EXPONENTS = re.compile(r"(?:\^\s?\{?)?(?:(?P<square>[2²])|(?P<cubic>[3³]))\}?(?!\w|\.\d)")
_RAISED_UNITS = frozenset(f"{power} {unit}" for power in ("square", "cubic") for unit in (*_LENGTHS.values(), "second"))
COMPOUND_UNITS = _RAISED_UNITS | frozenset(
    f"{above}/{below}" for above in _PART_NAMES | _RAISED_UNITS for below in _PART_NAMES | _RAISED_UNITS
)
"""`square kilometer`, `meter/second`, `gram/cubic centimeter`, `meter/square second`: one token each."""
UNITS |= COMPOUND_UNITS


@dataclass(frozen=True, slots=True)
class Token:
    """A comparable word, number or unit.

    `text` is the folded form, `start` and `end` are offsets in the given text, `gap` is what stands between the
    previous token and this one, `capital` says that the original begins with a capital letter, `base` is the form
    without a possessive ending or an elided article, `other` is what `1.233` or `1,233` also reads as.
    """

    text: str
    start: int
    end: int
    gap: str
    capital: bool
    base: str
    number: bool = False
    other: str = ""


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """Case, accents and apostrophes removed: `Röntgen's` and `rontgens` are equal."""
    if word.isascii():
        return word.lower().replace("'", "").replace("`", "")
    plain = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return plain.casefold().translate(_EXTRA_LETTERS)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Singular of a regular English plural; other words stay as they are."""
    if len(word) < 4 or not word.isalpha() or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


_CONTRACTED = {
    f"{subject}{ending}": subject
    for subject in ("i", "you", "he", "she", "we", "they", "it", "that", "there", "this", "what", "who")
    for ending in ("d", "ll", "ve", "re", "m")
}


class ReadTokens(list[Token]):
    """The tokens of a response, with what was found out about them: once, however many answers are looked for."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__(tokens)
        self.known: dict[object, Any] = {}


def once(tokens: Sequence[Token], key: object, find: Callable[[], T]) -> T:
    """What `find` finds out about tokens; kept with those of a response."""
    if not isinstance(tokens, ReadTokens):
        return find()
    if key not in tokens.known:
        tokens.known[key] = find()
    found: T = tokens.known[key]
    return found


def tokenize(text: str) -> list[Token]:
    """Fold `text` into tokens, in order. Footnote marks such as `[1]` and superscript digits are no tokens."""
    if not _FOOTNOTE.fullmatch(text.strip()):
        text = _FOOTNOTE.sub(lambda m: " " * len(m.group()), text)
    text = _EXPONENT_SIGNS.sub(lambda m: str(unicodedata.digit(m[0])), text)
    text = text if text.isascii() else _YEAR_IN_SIGNS.sub(lambda m: m[0].translate(_SIGNS), text)
    text = _INVERSE.sub(_per, _DECODED_TWICE.sub(" ", text.translate(_SUBSCRIPTS)))
    return _compound_units(_signed(_mixed(_fold_numbers(_join_phrases(_letters(_raw_tokens(text)))))), text)


def _mixed(tokens: list[Token]) -> list[Token]:
    """`two and a half`, `7 and three quarters`, `twelve and a half thousand` as one number."""
    joined: list[Token] = []
    end = 0
    for at, token in enumerate(tokens):
        if at < end:
            continue
        mixed = numerals.mixed([t.text for t in tokens[at : at + 5]]) if token.number else None
        if mixed is not None and _is_joined(tokens, at, at + mixed[1]):
            end = at + mixed[1]
            token = replace(token, text=mixed[0], base=mixed[0], end=tokens[end - 1].end)
        joined.append(token)
    return joined


def _is_joined(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Nothing stands between the words of a number, unlike in `7, and a half are women`, `a half-time penalty`."""
    behind = tokens[end] if end < len(tokens) else None
    ended = behind is None or (behind.gap != "-" and behind.text not in ("are", "were"))
    return ended and all(t.gap in (" ", "-") for t in tokens[start + 1 : end])


def _per(inverse: re.Match[str]) -> str:
    """`·s⁻²` as `/s²`, as long as before."""
    return f"/{inverse['unit']}{inverse['power'].strip('1¹')}".ljust(len(inverse[0]))


def _signed(tokens: list[Token]) -> list[Token]:
    """`minus forty` and `40 degrees below zero` are -40, `5730 ± 40` is 5730."""
    below = [i for i in range(1, len(tokens) - 1) if (tokens[i].text, tokens[i + 1].text) == ("below", "0")]
    for i in reversed(below):
        at = next((at for at in range(i - 1, max(-1, i - 4), -1) if tokens[at].number), -1)
        if at >= 0:
            tokens[at] = replace(tokens[at], text=f"-{tokens[at].text}", base=f"-{tokens[at].text}")
            del tokens[i : i + 2]
    for i in range(len(tokens) - 1, 0, -1):
        if tokens[i - 1].text == "minus" and tokens[i].number and not (i > 1 and tokens[i - 2].number):
            signed, minus = f"-{tokens[i].text}", tokens[i - 1]
            tokens[i - 1 : i + 1] = [replace(tokens[i], text=signed, base=signed, start=minus.start, gap=minus.gap)]
    margins = {i for i in range(1, len(tokens)) if tokens[i].number and tokens[i].gap.strip() in ("±", "+/-")}
    return [t for i, t in enumerate(tokens) if i not in margins or not tokens[i - 1].number] if margins else tokens


def _letters(tokens: list[Token]) -> list[Token]:
    """The A of `A positive`, `A minor` and `A0` is a letter, no article."""
    for i, (token, after) in enumerate(pairwise(tokens)):
        behind = (after.text in _LETTERED and not after.capital) or (after.number and not after.gap)
        if token.text == "a" and token.capital and behind:
            tokens[i] = replace(token, text=_LETTER_A, base=_LETTER_A)
    return tokens


def _raw_tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        raw = match.group()
        gap = text[end : match.start()]
        capital = raw[0].isupper()
        kind = match.lastgroup
        number = kind in ("number", "suffix", "scientific", "power", "fraction")
        other = ""
        if number:
            folded = base = _number(match, gap, tokens)
            other = _otherwise_grouped(raw)
        elif kind == "ranked" and (rank := numerals.roman(raw[:-2].lower())):
            folded, number = f"{rank}th", True  # "XIIth"
            base = folded
        elif kind == "acronym":
            folded = raw.replace(".", "").lower()
            folded = base = _SAME_WORD.get(folded, folded)
            if folded == "us":
                folded = base = "usa"
        elif sign := _sign(raw, kind, gap, tokens):
            folded = base = sign
        elif raw.isascii() and raw.isalpha() and raw != "US":
            folded = raw.lower()
            folded = base = _SAME_WORD.get(folded, folded)
        else:
            folded = "usa" if raw == "US" else fold(raw)
            if raw in ("à", "À") and text[match.end() + 1 : match.end() + 2].isupper():
                folded = "en"  # "à Paris": a preposition, no article
            base = fold(raw[:-2]) if raw[-2:].lower() in ("'s", "’s", "ʼs") else folded
            elided = _ELIDED.match(raw) if base == folded else None
            base = fold(raw[elided.end() :]) if elided else base
            base = _CONTRACTED.get(folded, base)
            folded, base = _SAME_WORD.get(folded, folded), _SAME_WORD.get(base, base)
        if not folded or (folded in _OF_DOLLAR and text[match.end() : match.end() + 1] == "$"):
            continue  # "US$7 million" is $7 million
        if folded == "s" and tokens and tokens[-1].number and gap in ("'", "\u2019"):
            continue  # "Apollo 11's"
        tokens.append(Token(folded, match.start(), match.end(), gap, capital, base, number, other))
        end = match.end()
    return tokens


def _sign(raw: str, kind: str | None, gap: str, before: list[Token]) -> str:
    """What `C#`, `&` and, behind a number, `µg` stand for."""
    if kind in ("sign", "symbol"):
        return _SYMBOLS.get(raw) or raw.lower().replace("\u2212", "-")
    behind = before and before[-1].number and not gap.strip()
    return UNITS_BY_CASE.get(unicodedata.normalize("NFKC", raw), "") if behind else ""


def _number(match: re.Match[str], gap: str, before: list[Token]) -> str:
    if match["scientific"]:
        return numerals.plain_scientific(match["scientific"])
    if match["power"]:
        return numerals.raised(match["power"])
    if match["fraction"]:
        return unicodedata.normalize("NFKD", match["fraction"]).replace("\u2044", "/")
    digits, suffix = match["number"], match["suffix"]
    digits = digits if _THOUSANDS.search(digits) else digits.replace(",", ".")  # "7,2 millones"
    plain = re.sub(r"[,'\u2019\u202f\u2009\u00a0 ]", "", digits)
    plain = "".join(str(unicodedata.digit(c)) if c != "." else c for c in plain)
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    elif _DOTTED.fullmatch(plain):
        plain = plain.replace(".", "")  # "1.233.000 de habitantes"
    whole = plain.lstrip("0") if plain.isdigit() else f"0{plain}" if plain.startswith(".") else plain
    plain = whole or "0"
    if suffix:
        if suffix.lower() == "s":
            return f"19{plain}s" if len(plain) == 2 and plain.endswith("0") and plain != "10" else f"{plain}s"
        return f"{plain}th"
    signed = gap[-1:] in ("-", "\u2212") and (len(gap) > 1 or not before) and not (before and before[-1].number)
    return f"-{plain}" if signed and not gap[:-1].strip(" (\t\n:") else plain


def _otherwise_grouped(raw: str) -> str:
    """What a number with one mark before its last three digits is where the mark has its other function."""
    whole, mark, rest = raw[:-4], raw[-4:-3], raw[-3:]
    if mark not in (".", ",") or not (whole.isdigit() and rest.isdigit() and len(whole) <= len(rest)):
        return ""
    return whole + rest if mark == "." else f"{whole}.{rest}".rstrip("0").rstrip(".")


def _join_phrases(tokens: list[Token]) -> list[Token]:
    """Countries and wars by their short names, `per cent`, units behind numbers, currency behind its amount."""
    joined: list[Token] = []
    after_number = False
    for token in tokens:
        if not after_number and token.text not in _JOINED:
            joined.append(token)
            after_number = token.number or token.text in CURRENCIES or token.text in numerals.FIRST_WORDS
            continue
        large = token.text in numerals.SCALES or token.text in ("mn", "bn")
        after_number = token.number or token.text in CURRENCIES or (after_number and large)
        last = joined[-1] if joined else None
        scaled = len(joined) > 1 and joined[-1].text in numerals.SCALES and joined[-2].number
        phrase = _SAME_PHRASE.get(token.text)
        if phrase is not None:
            joined.extend(
                replace(token, text=t, base=t, number=t.isdigit(), gap=" " if i else token.gap)
                for i, t in enumerate(phrase)
            )
        elif token.text == "america" and [t.text for t in joined[-3:]] == ["united", "states", "of"]:
            joined.pop()
        elif last is not None and (share := _TWO_WORDS.get((last.text, token.text), "")):
            joined[-1] = replace(last, text=share, base=share, end=token.end)
        elif last is not None and last.text == "degree" and token.text in ("c", "f"):
            scale = "celsius" if token.text == "c" else "fahrenheit"
            joined.append(replace(token, text=scale, base=scale, gap=" "))
        elif last is not None and last.number and token.number and token.gap.strip() in _FEET:
            joined += [replace(token, text="foot", base="foot", number=False), token]
        elif last is not None and last.text in CURRENCIES and not last.gap and token.text in _AMOUNTS:
            scale = _AMOUNTS[token.text]  # "$7.2 million", "$7.2M"
            joined[-1:] = [replace(token, text=scale, base=scale), replace(last, gap=" ", end=token.end)]
        elif unit := _unit_behind(token, last, scaled):
            joined.append(replace(token, text=unit, base=unit))
        elif last is not None and token.number and last.text in CURRENCIES and last.end - last.start == 1:
            amount = replace(token, gap=last.gap, start=last.start)
            joined[-1:] = [amount, replace(last, gap="", start=token.start, end=token.end)]
        else:
            joined.append(token)
    return joined


def _unit_behind(token: Token, last: Token | None, scaled: bool) -> str:
    """The unit that a word is behind a number; behind one in words it has two letters at least."""
    unit = _UNIT_AFTER_NUMBER.get(token.text, "") if not token.number else ""
    if not unit or last is None or token.gap.strip(" -(°\u00a0\u202f\u2009"):
        return ""  # nor the G in "number 43? G. W. Bush"
    if token.capital and token.text in ("d", "t"):
        return ""  # 3D
    if token.text == "c" and last.text.endswith("th"):
        return "century"
    if token.capital and token.text in ("k", "m") and bool(token.gap) == (token.text == "k"):
        unit = "kelvin" if token.text == "k" else "million"
    spoken = len(token.text) > 1 and token.gap == " " and last.text in numerals.FIRST_WORDS
    return unit if last.number or scaled or spoken else ""


def _compound_units(tokens: list[Token], text: str) -> list[Token]:
    """`km²`, `sq km`, `m/s`, `metres per second squared` behind a number as one token."""
    joined: list[Token] = []
    skip = 0
    for i, token in enumerate(tokens):
        if i < skip:
            continue
        if i and tokens[i - 1].number and not token.number and token.gap.strip(" -\u00a0\u202f\u2009") == "":
            unit, end, offset = _compound(tokens, i, text)
            if unit in COMPOUND_UNITS:
                skip = end
                token = replace(token, text=unit, base=unit, end=offset)
        joined.append(token)
    return joined


def _compound(tokens: list[Token], at: int, text: str) -> tuple[str, int, int]:
    """The unit that begins with token `at`, the token behind it and the offset where it ends; empty without one."""
    above, end, offset = _raised(tokens, at, text)
    article = [t.text for t in tokens[end : end + 2]] in (["an", "hour"], ["a", "second"])
    per = end < len(tokens) and (article or tokens[end].text == "per")
    if not above or end + per >= len(tokens) or not (per or "/" in text[offset : tokens[end].start]):
        return above, end, offset
    below, behind, last = _raised(tokens, end + per, text)
    if not below:
        return "", behind, last
    twice = [t.text for t in tokens[behind : behind + 2]] == ["per", tokens[behind - 1].text]
    if twice and below in _PART_NAMES:
        return f"{above}/square {below}", behind + 2, tokens[behind + 1].end
    return f"{above}/{below}", behind, last


def _raised(tokens: list[Token], at: int, text: str) -> tuple[str, int, int]:
    """A simple unit with its power, before it or behind it; empty if token `at` begins none."""
    power = _RAISED.get(tokens[at].text, "")
    at += bool(power)
    unit = stem(tokens[at].text) if at < len(tokens) else ""
    unit = _PARTS.get(unit, unit)
    if unit not in _PART_NAMES:
        return "", at, 0
    end, offset = at + 1, tokens[at].end
    behind = tokens[end].text if end < len(tokens) else ""
    if not power and behind in ("squared", "cubed"):
        return f"{_RAISED[behind]} {unit}", end + 1, tokens[end].end
    exponent = None if power else _EXPONENTS.match(text, offset)
    if exponent is not None:
        power, offset = exponent.lastgroup or "", exponent.end()
        end += end < len(tokens) and tokens[end].start < offset
    return f"{power} {unit}".strip(), end, offset


def _fold_numbers(tokens: list[Token]) -> list[Token]:
    folded: list[Token] = []
    texts = [t.text for t in tokens]
    skip = 0
    for i, token in enumerate(tokens):
        if i < skip:
            continue
        text = token.text
        if token.number or text in numerals.FIRST_WORDS:
            if token.gap == ":" and text == "0" and folded and folded[-1].number:
                continue  # "8:00 pm" is 8 pm
            last = min(len(tokens), i + 1 + numerals.MAX_NUMBER_WORDS)
            end = next((k for k in range(i + 1, last) if not _NUMBER_GOES_ON.isdisjoint(tokens[k].gap)), last)
            hyphenated = i + 1 < len(tokens) and tokens[i + 1].gap == "-"
            read = numerals.read_number(texts[max(0, i - 2) : end], min(i, 2), hyphenated)
            if read is not None:
                value, length = read
                skip = i + length
                if _is_regnal(tokens, i):
                    value = value.removesuffix("th")  # "Henry the Eighth" is Henry VIII
                token = replace(token, text=value, base=value, end=tokens[skip - 1].end, number=True, other="")
            elif text.endswith("th") and _is_regnal(tokens, i):
                value = text.removesuffix("th")
                token = replace(token, text=value, base=value)
        elif text[0] in "ivxlcm":
            roman = _roman(token, tokens[i - 1] if i else None) if not _is_initial(tokens, i) else None
            if roman is not None:
                token = replace(token, text=roman, base=roman, number=True)
        folded.append(token)
    return folded


def _is_regnal(tokens: list[Token], at: int) -> bool:
    return (
        at > 1
        and (tokens[at].capital or tokens[at].text.endswith("th"))
        and tokens[at - 1].text == "the"
        and tokens[at - 2].capital
        and tokens[at - 2].text not in _OPENING | _BEFORE_RANK
        and tokens[at].gap == " "
    )


def _is_initial(tokens: list[Token], at: int) -> bool:
    """The L of `Samuel L. Clemens`, unlike the V of `Charles V. He ...`."""
    behind = tokens[at + 1] if len(tokens[at].text) == 1 and at + 1 < len(tokens) else None
    return behind is not None and behind.gap == ". " and behind.capital and behind.text not in _OPENING


def _roman(token: Token, before: Token | None) -> str | None:
    if token.number or not token.text.isalpha() or token.base != token.text:
        return None
    if token.text == "i" and before is not None and before.text in _BEFORE_ME:
        return None  # "May I ask"
    if len(token.text) == 1 and not (
        before is not None and before.capital and not before.number and token.gap == " " and len(before.text) > 2
    ):
        return None
    if not token.capital and len(token.text) == 1:
        return None  # longer ones are no English words, so "liv" is read as "Liv" is
    return numerals.roman(token.text) if token.text[0] != "m" or len(token.text) > len("mcm") else None
