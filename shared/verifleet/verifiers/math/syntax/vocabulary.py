"""Words within mathematics: those that join values, condition, number and deny them, and units of other languages."""

from __future__ import annotations

import re

OR = r"(?:\b(?:oder|ou|или|або|atau|hoặc)\b|或者?|または|又は|또는|أو)"
JOINING = dict.fromkeys("oder или або 或 或者 または 又は 또는 أو hoặc".split(), "or") | dict.fromkeys(
    "und и та 和 及 及び 以及 与 と 그리고 và".split(), "and"
)
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
CONDITIONAL = frozenset(
    "for where whenever with para donde con cuando siendo pour où avec quand für wo wobei mit com onde для где "
    "при".split()
)
CONDITIONAL_HINT = r"\b(?:for|where|whenever|with|para|donde|pour|où|avec|für|wobei|mit|com|onde)\b|для|где"
QUANTIFIERS = frozenset(
    "all any every each some arbitrary real integer integers whole natural positive negative nonzero non-zero "
    "constant constants number numbers value values of an a the is are be any complex rational fixed todo todos "
    "toda cualquier número entero real reales tout tous toute entier réel réels est constante alle jede jedes "
    "jeden ganze ganzzahlig reelle zahl zahlen ist qualquer inteiro любого всех любое целого целое число".split()
)
NUMBERED = frozenset(
    "step case part problem question example equation exercise schritt fall paso caso étape cas шаг passo".split()
)

_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MAX_UNIT = 20

UNITS = {
    **dict(zip("мм см дм м км мг г кг т мл л ч час часа часов мин минут минуты с сек секунд".split(),
               "mm cm dm m km mg g kg ton ml l h h h h min min min s s s".split(), strict=True)),
    **dict(zip("毫米 厘米 米 千米 公里 毫克 克 千克 公斤 吨 毫升 升 小时 分钟 秒 度 元 円 원".split(),
               "mm cm m km km mg g kg kg ton ml l h min s degrees yuan yen won".split(), strict=True)),
    **dict(zip("小時 時間 分間 分 時 시간 분 초 미터 센티미터 градусов градуса градус рублей рубля руб".split(),
               "h h min min h h min s m cm degrees degrees degrees rubles rubles rubles".split(), strict=True)),
    **dict.fromkeys(("процент", "процента", "процентов", "процентах", "퍼센트", "パーセント"), "percent"),
}  # fmt: skip
"""Units as other scripts write them, with their English names."""


def spoken(pattern: str) -> re.Pattern[str]:
    """A pattern of phrases: in it a blank is any white space and a line's end nothing; upper or lower case."""
    return re.compile("".join(map(str.strip, pattern.splitlines())).replace(" ", r"\s+"), re.IGNORECASE)


# What a word after a number must not say, if it is to be taken as a unit.
_NO_UNIT = spoken(
    rf"""{NOT}|[不错錯非無无否没誤違]|{OR}|[~至到或约約]|左右|以上|以下|から|まで|정도|이상|이하|примерно|около|
    возможно|может|vielleicht|möglicherweise|quizás|peut-être|forse|talvez|可能|也许|多分|たぶん|아마"""
)


def unit_name(word: str) -> str | None:
    """The unit that a word of another script is; the word itself for what is counted; None for other words."""
    known = UNITS.get(word.lower())
    if known is not None:
        return known
    if len(word) > MAX_UNIT or _NO_UNIT.search(word) or (len(word) < 3 and not _IDEOGRAPHS.search(word)):
        return None
    return word
