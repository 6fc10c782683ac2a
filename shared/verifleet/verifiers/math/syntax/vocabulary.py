"""Words within mathematics: those that join values, condition, number and deny them, and units of other languages."""

from __future__ import annotations

import re

from verifleet.verifiers.math.syntax.tables import listed, table
from verifleet.verifiers.math.syntax.units import dimension

OR = r"(?:\b(?:oder|ou|или|або|atau|hoặc)\b|或者?|または|又は|또는|أو)"
JOINING = table("vocabulary.joining")
"""Words that join values, and what they are in English."""
JOINING_IN_TEXT = JOINING | {"ou": "or", "o": "or", "et": "and", "y": "and", "e": "and"}
"""Those that are names of variables outside `\\text{}`."""
NOT = (
    r"(?:\b(?:nicht|kein(?:e[nmrs]?)?|niemals|no\s+(?:es|son|ser[íi]a|puede\s+ser|fue|hay)|"
    r"n['’](?:est|était|a|était)\s+(?:pas|plus)|ne\s+(?:vaut|sont|fait|peut|serait)\s+(?:pas|plus)|"
    r"não|non\s+(?:è|sono|può|sarebbe)|niet|nie\s+(?:jest|wynosi|to|brzmi)|inte|bukan(?:lah)?|không\s+phải|değil|"
    r"falsch\w*|falso|incorrect[oa]|faux|fausse|fout|не|неверн\w*|неправильн\w*|ошибочн\w*|хибн\w*|δεν)\b|"
    r"不(?:是|为|為|等于|等於|对|對|正确|正確|可能)|并非|並非|错误|錯誤|错的|(?:では|じゃ|で)(?:ない|ありません|なく)|"
    r"間違|아니|아닌|아닙|틀렸|틀린|틀립|ليس|خطأ|नहीं|गलत)"
)
"""Words that deny (a regular expression)."""
JOINING_WORDS = JOINING_IN_TEXT | {"or": "or", "and": "and", "&": "and", "as well as": "and", "sowie": "and"}
REFUSING = re.compile(
    rf"{NOT}|\b(?:not|never|extraneous|reject|discard|invalid|inadmissible|impossible|fail|wrong"
    rf"|incorrect|false|untrue)",
    re.IGNORECASE,
)
"""Words in brackets that take back the value before them."""
CONDITIONAL = listed("vocabulary.conditional")
CONDITIONAL_HINT = r"\b(?:for|where|whenever|with|para|donde|pour|où|avec|für|wobei|mit|com|onde)\b|для|где"
QUANTIFIERS = listed("vocabulary.quantifiers")
NUMBERED = listed("vocabulary.numbered")

_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MAX_UNIT = 20


def spoken(pattern: str) -> re.Pattern[str]:
    """A pattern of phrases: in it a blank is any white space and a line's end nothing; upper or lower case."""
    return re.compile("".join(map(str.strip, pattern.splitlines())).replace(" ", r"\s+"), re.IGNORECASE)


# What a word after a number must not say, if it is to be taken as a unit.
_NO_UNIT = spoken(
    rf"""{NOT}|[不错錯非無无否没誤違]|{OR}|[~至到或约約]|左右|以上|以下|から|まで|정도|이상|이하|примерно|около|
    возможно|может|vielleicht|möglicherweise|quizás|peut-être|forse|talvez|可能|也许|多分|たぶん|아마"""
)


def may_be_unit(word: str) -> bool:
    """Whether a word of another script may be a unit, or what is counted."""
    if dimension(word) is not None:
        return True
    return len(word) <= MAX_UNIT and not _NO_UNIT.search(word) and (len(word) > 2 or bool(_IDEOGRAPHS.search(word)))
