"""Where a person's or group's name stands in a text, in the forms that people use for one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifleet.reading import spelling
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.exonyms import words_of_names
from verifleet.verifiers.knowledge.lists import exonyms, listed, synonyms, table
from verifleet.verifiers.knowledge.places import PEOPLES
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS
from verifleet.verifiers.knowledge.spans import Occurrence, bounded, edge
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, Token, once

NAME_ENDINGS = frozenset({"jr", "sr", "1", "2", "3", "4"})
TITLES = listed("names.titles")
MIN_CLIPPED, MIN_SLIPPED = 3, 8
_SONS = ("sen", "son", "man", "mann")
_NAMING = frozenset("it this that he she was is by s its i think".split())
_BEFORE = FUNCTION_WORDS | languages.COPULAS | {"it"}
CHATTING = listed("names.behind")
_BEHIND = FUNCTION_WORDS | CHATTING | {"it", "i"}
_COMMON_WORDS = listed("names.words")
"""Surnames that are plain words as well: `king`."""
_ENDINGS = ("ing", "ed", "ly", "ful", "less", "ness", "ish", "ward")
_NICKNAMES = table("names.nicknames")
_COMMON = listed("names.given") | _NICKNAMES.keys() | frozenset(_NICKNAMES.values())


def same_given_names(name: str) -> set[str]:
    """`nikolai`, `nicolas` and `nikolaus` for nicholas."""
    canonical = _NICKNAMES.get(name, name)
    return {canonical, *(other for other, own in _NICKNAMES.items() if own == canonical)} - {name}


def is_given(name: str) -> bool:
    """Whether a word is a given name that many people have."""
    return name in _COMMON and name not in TITLES


def tells_who(name: str) -> bool:
    """Whether a given name alone is enough: `Rembrandt`, unlike Anna; it is none of those that many people have."""
    return len(name) >= spelling.MIN_SURNAME and name not in _COMMON | TITLES | ARTICLES and (name,) not in PEOPLES


def find_names(tokens: Sequence[Token], name: tuple[str, ...], hyphenated: bool = False) -> Iterator[Occurrence]:
    """Middle names may be left out, added or shortened, one letter may be wrong, the surname may stand alone."""
    first, last = name[0], name[-1]
    for j, token in enumerate(tokens if tells_who(first) else ()):
        if token.capital and first in (token.text, token.base) and stands_alone(tokens, j, j):
            yield Occurrence(j, j + 1, exact=False)
    yield from _family_name_first(tokens, first, last)
    for j, token in enumerate(tokens):
        surname = _same_name(last, token)
        if not surname or not edge(token, tokens[j + 1] if j + 1 < len(tokens) else None):
            continue
        exact = last in (token.text, token.base) or _is_slip(last, token.base)
        start = _given_name(tokens, j, first, name[1:-1], exact_surname=exact)
        if start is not None:
            yield Occurrence(start, j + 1)
        elif exact:
            begin = _surname_start(tokens, j, name)
            if stands_alone(tokens, begin, j) and not (hyphenated and begin == j):
                yield Occurrence(begin, j + 1, exact=False)


def _surname_start(tokens: Sequence[Token], at: int, name: tuple[str, ...]) -> int:
    """Where a surname of several words begins: `van Gogh`, `Graham Bell`."""
    begin = at
    for word in reversed(name[1:-1]):
        if not begin or tokens[begin - 1].text != word or tokens[begin].gap not in (" ", "-"):
            break
        begin -= 1
    return begin


def _family_name_first(tokens: Sequence[Token], first: str, last: str) -> Iterator[Occurrence]:
    """`Yamada Taro`, `Gogh, Vincent van`, `Nixon, Richard M.`, `Cervantes Saavedra, Miguel de`."""
    for j, token in enumerate(tokens):
        if last not in (token.text, token.base) and not (
            token.capital and spelling.sounds_like(last, token.base, spelling.MIN_CONSONANTS)
        ):
            continue
        more = [t.gap for t in tokens[j + 1 : j + 3]]
        at = j + 1 + (more == [" ", ", "] and tokens[j + 1].capital and tokens[j + 1].text != first)
        given = tokens[at] if at < len(tokens) else token
        apart = given.gap == ", " or (given.gap == " " and len(given.text) == 1)
        turned = apart and given.capital and _same_given(first, given, exact_surname=True)
        if given is token or not (turned or (given.gap in (" ", ", ") and given.text == first)):
            continue
        end = at + 1
        while (
            end < len(tokens)
            and tokens[end].gap.strip() in ("", ".")
            and (tokens[end].text in PARTICLES or (len(tokens[end].text) == 1 and tokens[end].capital))
        ):
            end += 1
        if bounded(tokens, j, end):
            yield Occurrence(j, end)


def _given_name(
    tokens: Sequence[Token], at: int, first: str, middle: tuple[str, ...], exact_surname: bool
) -> int | None:
    for i in range(at - 1, max(-1, at - 8), -1):
        if any(c in tokens[i + 1].gap for c in ",;:()\n"):
            return None
        if first == "".join(t.text[0] for t in tokens[i:at]) and exact_surname and len(first) > 1 and not middle:
            return i  # "JRR" for John Ronald Reuel
        if middle and exact_surname and i == at - 1 and tokens[i].text == first[0] + "".join(m[0] for m in middle):
            return i  # "A.C. Doyle" for Arthur Conan Doyle
        if not _same_given(first, tokens[i], exact_surname) and not _clipped(tokens, i, first, exact_surname):
            if not tokens[i].capital and tokens[at].capital and tokens[i].text not in PARTICLES:
                return None
            continue
        if not edge(tokens[i - 1] if i else None, tokens[i]) and not (tokens[i - 1].capital and tokens[i].gap == "-"):
            return None  # "Jean-Henri": the second half alone is the same person
        between = tuple(t.text for t in tokens[i + 1 : at])
        return i if spelling.same_middle(between, middle, PARTICLES) else None
    return None


def _clipped(tokens: Sequence[Token], at: int, first: str, exact_surname: bool) -> bool:
    """`Ch.` for Charles."""
    text, dotted = tokens[at].text, tokens[at + 1].gap == ". "
    return exact_surname and dotted and len(text) > 1 and tokens[at].capital and first.startswith(text)


def _same_given(first: str, token: Token, exact_surname: bool) -> bool:
    text = token.text
    if first in (text, token.base) or not spelling.spoken(text).isdisjoint(spelling.spoken(first)):
        return True
    if not exact_surname:
        return False
    if _NICKNAMES.get(text, text) == _NICKNAMES.get(first, first):
        return True
    if 1 in (len(text), len(first)) and token.capital and text[0] == first[0]:
        return True
    if len(text) >= MIN_CLIPPED and first.startswith(text) and text not in _COMMON:
        return True  # "Rafa" for Rafael
    return spelling.same_skeleton(first, text, spelling.MIN_CONSONANTS)  # "Mohammed" for Muhammad


def _same_name(gold: str, token: Token) -> bool:
    if gold in (token.text, token.base) or _is_slip(gold, token.base):
        return True
    return token.capital and (
        spelling.sounds_like(gold, token.base, spelling.MIN_CONSONANTS)
        or spelling.one_typo(gold, token.text, spelling.MIN_SURNAME)
    )


def _is_slip(gold: str, word: str) -> bool:
    """`picaso`, `Beethovan`: of one sound, or one letter off in a long surname that is known and makes no other one."""
    if not spelling.spoken(gold).isdisjoint(spelling.spoken(word)):
        return True
    long = spelling.one_typo(gold, word, MIN_SLIPPED) and not gold.endswith(_SONS)
    return long and gold in words_of_names() and word not in words_of_names()


def stands_alone(tokens: Sequence[Token], at: int, last: int) -> bool:
    """The surname in tokens `at` to `last` with nothing but a title before it and no other name around it."""
    token = tokens[at]
    if not tokens[last].capital:
        return len(tokens) == last + 1 - at or _is_uncapitalised(tokens, at, last + 1)
    before = tokens[at - 1] if at else None
    joined = before is not None and before.capital and not token.gap.strip(" \"'“‘*_")
    if before is not None and joined and before.text not in TITLES and (before.text,) not in PEOPLES:
        plain = before.base in _BEFORE or (before.text.endswith("ly") and before.text not in _COMMON)
        if not (plain and at == 1) and before.text not in ARTICLES:
            return False
    if before is not None and (token.gap == "-" or (token.gap == ". " and len(before.text) < 4)):
        return before.text in TITLES
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    if behind is None or tokens[last].text != tokens[last].base:
        return True  # "Beethoven's Piano Sonata"
    return behind.gap not in (" ", "-") or not behind.capital or behind.number


def _is_uncapitalised(tokens: Sequence[Token], at: int, end: int) -> bool:
    """`that was lindt, in 1990`: no common word, first in a text or where one without capitals names its answer."""
    word = tokens[end - 1].text
    if word in _COMMON_WORDS or word in exonyms() or word in synonyms() or word.endswith(_ENDINGS):
        return False
    plain = once(tokens, "no capitals", lambda: not any(t.capital for t in tokens))
    behind = tokens[end].gap.strip() if end < len(tokens) else "."
    named = at < len(_NAMING) and plain and {t.text for t in tokens[:at]} <= _NAMING
    alone = not at or named
    said = tokens[end].text if end < len(tokens) else ""
    return alone and (behind != "" or (plain and (said in _BEHIND or said.endswith("ly"))))
