"""Where a response says in its own words what a reference says in a phrase: `speed of the wind` for wind speed.

Of a short phrase every word has to stand close by in one sentence, of a longer one most in two that follow each other,
in any form ("presides", "presiding") and order, denied only where the phrase denies it. Words of the question prove
nothing; of two things that it asks about each keeps what the phrase says of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, IRREGULAR, question_words
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, once, tokenize

SHARE = 0.75
"""Of a phrase of more than `FEW` words, by their lengths: short words are the common ones."""
FEW = 3
REACH = 5
"""Words of the response for each content word of a short phrase."""
MIN_ROOT = 4
MAX_ANCHORS = 200
"""A text that has the words more often is a wall, and no answer."""
MAX_PLACES = 16
_ASKING = frozenset({"what", "why", "how", ""})
_NOT = listed("denials.not") | frozenset("no without nothing instead unlike".split())
_WAY = frozenset("to into than before after over under above below between".split())
_PLAIN = FUNCTION_WORDS | frozenset(
    "it its they their them he his she her you your or but so than thus through around across along within about "
    "make makes made making get gets".split()
)
_EXPLAINING = frozenset("mean means meaning purpose function role job difference happens reason why how".split())
_PAST = IRREGULAR | table("clauses.past_forms")
_BREAK = re.compile(r"[;:—–\n]")
_CLAUSE = re.compile(r"[,;]|\b(?:while|whereas|but)\b")
_ENDING = re.compile(
    r"(?:ations?|ions?|ings?|ments?|ness|[ae]nces?|[ae]nts?|[eo]rs?|ed|es|s|e|al|ally|ly|ic|ical|ive|ies|y|ous|[ai]ble"
    r"|ity|i[sz](?:e|es|ed|ing))$"
)


class Phrase(NamedTuple):
    """The roots of a phrase, of each the thing asked about that it is said of, and pairs that keep their order."""

    roots: tuple[str, ...]
    said_of: Mapping[str, str]
    order: tuple[tuple[str, str], ...]
    denied: bool
    reach: int
    """In how many words of the response a short phrase is said; 0 for a long one."""


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """What the forms of a word and its relatives begin with: `presid`, `atmospher`."""
    word = _PAST.get(word, word)
    cut = _ENDING.sub("", word)
    if len(cut) < MIN_ROOT:
        return word.removesuffix("s") if len(word) >= MIN_ROOT else word
    return cut[:-1] if len(cut) > MIN_ROOT and cut[-1] == cut[-2] else cut


@lru_cache(maxsize=4096)
def _phrase(text: str, words: tuple[str, ...]) -> Phrase | None:
    """A phrase of plain words, without those of the question where two are left; None for names and numbers."""
    asked = frozenset(map(root, words)) - frozenset(map(root, _PLAIN))
    tokens = tokenize(text)
    content = [t for t in tokens if t.text not in _PLAIN | _WAY | _NOT]
    bare = len(content) == 1 and len(tokens) > FEW  # "you have the body"
    content = [t for t in tokens if t.text not in ARTICLES] if bare else content
    proper = sum(t.capital for t in content[1:])
    if len(content) < 2 or proper * 2 > len(content) or any(t.number for t in content):
        return None
    every = tuple(dict.fromkeys(root(t.base) for t in content))
    fresh = tuple(r for r in every if r not in asked)
    roots = fresh if len(fresh) > 1 else every
    clauses = [{root(t.base) for t in tokenize(clause)} for clause in _CLAUSE.split(text)]
    things = [clause & asked for clause in clauses]
    apart = len(clauses) > 1 and all(len(t) == 1 for t in things) and len(set().union(*things)) == len(things)
    said_of = {r: next(iter(t)) for c, t in zip(clauses, things, strict=True) for r in c & {*roots}} if apart else {}
    kept = [root(t.base) if t in content else t.text for t in tokens if t in content or t.text in _WAY]
    way = next((i for i, word in enumerate(kept) if word in _WAY), 0)
    order = tuple((a, b) for a in kept[:way] for b in kept[way + 1 :] if kept.count(a) == kept.count(b) == 1)
    reach = 0 if len(roots) > FEW else len(roots) + 2 if bare else len(roots) * REACH
    return Phrase(roots, said_of, order, any(t.text in _NOT for t in tokens), reach)


@lru_cache(maxsize=1024)
def asks_to_explain(prompt: str) -> bool:
    """`What does X do`, `what is the purpose of X`: a phrase answers, and no name."""
    words = question_words(prompt)
    return not _EXPLAINING.isdisjoint(words[:5]) or words[:2] in (("what", "does"), ("what", "do"))


def restated(reading: Reading, text: str, asked: str, words: tuple[str, ...]) -> list[Occurrence]:
    """The places that say a phrase otherwise, where `asked`, the question word, asks for no name or time."""
    phrase = _phrase(text, words) if asked in _ASKING else None
    if phrase is None:
        return []
    places = once(reading.tokens, "roots", lambda: _roots(reading))
    anchors = sorted({at for r in phrase.roots for at in places.get(r, ())})
    found = (_said_around(reading, phrase, places, at) for at in anchors if len(anchors) <= MAX_ANCHORS)
    return list(dict.fromkeys(o for o in found if o is not None))[:MAX_PLACES]


def _roots(reading: Reading) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for i, token in enumerate(reading.tokens):
        if not reading.sentences[reading.sentence_of[i]].barred:
            places.setdefault(root(token.base), []).append(i)
    return places


def _said_around(reading: Reading, phrase: Phrase, places: Mapping[str, list[int]], anchor: int) -> Occurrence | None:
    sentence_of = reading.sentence_of
    at = {r: _nearest(places[r], anchor) for r in phrase.roots if r in places}
    at = {r: i for r, i in at.items() if 0 <= sentence_of[i] - sentence_of[anchor] <= (not phrase.reach)}
    said = [i for r, i in at.items() if _of_its_own(reading, phrase, places, r, i)]
    share = sum(len(r) for r, i in at.items() if i in said) / sum(map(len, phrase.roots))
    inside = range(min(said, default=0), max(said, default=-1) + 1)
    if share < (1 if phrase.reach else SHARE) or 0 < phrase.reach < len(inside):
        return None
    if phrase.reach and any(_BREAK.search(reading.tokens[i].gap) for i in inside[1:]):
        return None
    denied = any(
        reading.tokens[k].text in _NOT and sentence_of[k] == sentence_of[i]
        for i in said
        for k in range(max(0, i - 3), i)
    )
    if denied != phrase.denied or any(at.get(a, -1) > at.get(b, anchor + len(reading.tokens)) for a, b in phrase.order):
        return None
    fullest = max({sentence_of[i] for i in said}, key=lambda n: sum(sentence_of[i] == n for i in said))
    whole = [i for i in said if sentence_of[i] == fullest]
    return Occurrence(min(whole), max(whole) + 1, exact=False)


def _nearest(places: Sequence[int], at: int) -> int:
    behind = bisect_left(places, at)
    return min(places[max(0, behind - 1) : behind + 1], key=lambda i: abs(i - at))


def _of_its_own(reading: Reading, phrase: Phrase, places: Mapping[str, list[int]], word: str, at: int) -> bool:
    """Whether the thing asked about that stands nearest is the one of which the phrase says a word."""
    near = {_nearest(places[thing], at): thing for thing in set(phrase.said_of.values()) if thing in places}
    near = {i: thing for i, thing in near.items() if reading.sentence_of[i] == reading.sentence_of[at]}
    return not near or word not in phrase.said_of or near[_nearest(sorted(near), at)] == phrase.said_of[word]
