"""What `the latter` and `the last of these` stand for: an option of the question, an item of a list."""

from __future__ import annotations

import re

from verifleet.verifiers.knowledge.clauses import is_verb

MAX_OPTIONS = 6
MAX_OPTION_WORDS = 6
MAX_SHOWN = 300
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "latter": -1}
_CHOSEN = re.compile(
    r"\bthe (?P<place>" + "|".join(_PLACES) + r")(?: one| option| choice)?(?P<of> of (?:them|these|those|the \w{3,5}))?"
    r"(?=\s*(?:[.,;:!?)—–]|$)|\s+(?P<behind>[a-z]+)\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+([^\n]{1,200})$", re.MULTILINE)
_ITEM_END = re.compile(r"[,:(]|\s[-–—]\s")
_BECAUSE = frozenset("because since as for by in".split())


def with_choice(text: str, prompt: str) -> str:
    """The text with what it chooses for `the latter` and the like; of a list that it chooses from, only that."""
    chosen = [m for m in _CHOSEN.finditer(text) if _ends_behind(m["behind"])]
    if not chosen:
        return text
    items = list(_ITEM.finditer(text, 0, chosen[-1].start()))
    if len(items) > 1 and chosen[-1].start() >= items[-1].end():
        name = _named([_ITEM_END.split(item[1])[0].strip(" *_") for item in items], chosen[-1])
        return text if name is None else name + text[chosen[-1].end() :]
    name = _named(options_of(prompt), chosen[-1])
    return text if name is None else text[: chosen[-1].start()] + name + text[chosen[-1].end() :]


def options_of(prompt: str) -> list[str]:
    """`Tom` and `Jerry` of `Who is taller, Tom or Jerry?`; the first option may have more words before it."""
    shown = prompt[-MAX_SHOWN:].strip(" ?.\n")
    before, joined, last = shown.rpartition(" or ")
    if not joined:
        return []
    behind_colon = before.rpartition(": ")[2] if ": " in before else before.partition(", ")[2]
    first = behind_colon or " ".join(before.split()[-3:])
    options = [*(option.strip(" ,") for option in first.split(",")), last]
    short = all(0 < len(option.split()) <= MAX_OPTION_WORDS for option in options)
    return options if short and len(options) <= MAX_OPTIONS else []


def _ends_behind(word: str | None) -> bool:
    """Nothing, a verb or a reason stands behind: not `the second planet`."""
    return not word or word in _BECAUSE or is_verb(word, third_person=True)


def _named(options: list[str], chosen: re.Match[str]) -> str | None:
    place = _PLACES[chosen["place"].lower()]
    return options[place] if len(options) > max(1, place) else None
