"""The stance of a reply to what it answers: support, deny, query or comment, by a small trained model.

A reply is read once, by itself, into a `Reply` that can be kept without its text; its stance is found when what it
answers is at hand, whichever of the two came first. The model (logistic, over marks, word classes and some words;
`reply_model.json`, trained by tools/train_replies.py) needs no framework.
"""

from __future__ import annotations

import html
import itertools
import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from verifleet.agents.lexicon import shipped
from verifleet.agents.voices.originals import fold_author
from verifleet.reading.reposts import find_repost

Stance = Literal["comment", "deny", "query", "support"]
STANCES: tuple[Stance, ...] = ("comment", "deny", "query", "support")
MAX_CHARS = 2_000
MAX_WORDS = 200
_BRIEF = 8
_QUOTED_FROM = 0.6
LIKELY = 0.35
"""Chance of a denial from which a reply may be one."""

_LINK = re.compile(r"https?:?\S*")
_HANDLE = re.compile(r"(?<!\w)@(\w{1,50})")
_LEADING = re.compile(r"[\s.]*+(?:@\w{1,50}[\s:,.]*+)*+")
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!]+|\.{2,}+|…")
_ASKS_LAST = re.compile(r"\?\W*+$")
_WORDS: Mapping[str, Any] = shipped("voices/words.json")
_NEGATION = frozenset(_WORDS["negation"])
_FUNCTION = frozenset(_WORDS["function"])
_CLASSES = {name: frozenset(words) for name, words in _WORDS["reply"].items()}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says by itself, without its text.

    Attributes:
        marks: features by name; those that are 0 are left out.
        words: its own content words, folded.
        quoted: the words that it quotes in another's name, folded.
        handles: whom it addresses, in order.
    """

    marks: Mapping[str, float]
    words: frozenset[str]
    quoted: frozenset[str] = frozenset()
    handles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """What is known of the report that a reply answers; `words` are its words as `words_of` gives them."""

    words: frozenset[str]
    author: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """The stance of a reply, with the chance of each stance by the model."""

    stance: Stance
    chances: tuple[float, ...] = field(default=(1.0, 0.0, 0.0, 0.0))

    def chance(self, stance: Stance) -> float:
        """The model's chance of a stance."""
        return self.chances[STANCES.index(stance)]


def words_of(text: str) -> frozenset[str]:
    """The words by which a reply is compared with what it answers."""
    return frozenset(_tokens(_plain(html.unescape(text[:MAX_CHARS]))))


def read_reply(text: str, vocabulary: Container[str] | None = None) -> Reply:
    """Read a reply by itself.

    Args:
        text: the reply as it was posted, with the handles and quotations in it.
        vocabulary: words and pairs of words to be marked; those of the model by default.
    """
    vocabulary = _vocabulary() if vocabulary is None else vocabulary
    text = html.unescape(text[:MAX_CHARS])
    repost = find_repost(text)
    quoted: frozenset[str] = frozenset()
    own = text
    if repost.author and (repost.added or not text.lstrip(" .").startswith("@")):
        quoted = frozenset(_tokens(_plain(text[slice(*repost.original)])))
        own = " ".join(text[start:end] for start, end in repost.added)
    lead = _LEADING.match(own)
    assert lead is not None
    body = own[lead.end() :]
    plain = _plain(body)
    tokens = _tokens(plain)
    words = [token for token in tokens if token[0].isalnum()]
    handles = tuple(handle.casefold() for handle in _HANDLE.findall(lead[0]))
    marks = _shape(body, plain, words, len(handles)) | _word_marks(plain, tokens, words, vocabulary)
    content = frozenset(word for word in words if word not in _FUNCTION)
    return Reply({name: value for name, value in marks.items() if value}, content, quoted, handles)


def stance(reply: Reply, answered: Answered, *, author: str = "", seconds: float = 0.0) -> Heard:
    """The stance of a reply to what it answers.

    Args:
        reply: the reply as read.
        answered: what it answers.
        author: who wrote the reply.
        seconds: how much later than the answered report it was written.
    """
    return _model().judge(features(reply, answered, author=author, seconds=seconds))


def denies_firmly(reply: Reply, answered: Answered, *, author: str, seconds: float) -> bool:
    """Whether a reply may count against what it answers: a brief, plain denial addressed to its author.

    The model's denials alone are right in one case of four. Those that also negate what the answered report names,
    or call it false at once, in few words and without asking, are right in more than half.
    """
    marks = features(reply, answered, author=author, seconds=seconds)
    negates = marks.get("negated_brief") and (marks["negates_shared"] or marks.get("doubt"))
    if not (negates or (marks.get("false_brief") and marks.get("false_first"))):
        return False
    aside = any(marks.get(name) for name in ("aside", "asks", "own_source"))
    return not aside and _model().judge(marks).chance("deny") >= LIKELY


def features(reply: Reply, answered: Answered, *, author: str = "", seconds: float = 0.0) -> dict[str, float]:
    """All that the model sees of a reply; for its training."""
    return {**reply.marks, **_between(reply, answered, author, seconds)}


# --- features -----------------------------------------------------------------


def _plain(text: str) -> str:
    return _LINK.sub(" ", _HANDLE.sub(" ", text))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold().replace("’", "'"))[:MAX_WORDS]


def _shape(body: str, plain: str, words: Sequence[str], addressed: int) -> dict[str, float]:
    """Marks of length, punctuation, links and capitals."""
    asks = plain.count("?")
    return {
        "length": math.log1p(len(words)) / 3,
        "addressed": min(addressed, 3) / 3,
        "links": min(body.count("http"), 2) / 2,
        "asks": float(asks > 0),
        "asks_often": float(asks > 1),
        "asks_last": float(_ASKS_LAST.search(plain, max(0, len(plain) - 40)) is not None),
        "trails_off": float(".." in plain or "…" in plain),
        "tags": min(plain.count("#"), 2) / 2,
        "picture": float(any(ord(letter) > 0x2600 for letter in plain)),
    }


def _word_marks(
    plain: str, tokens: Sequence[str], words: Sequence[str], vocabulary: Container[str]
) -> dict[str, float]:
    """Marks of negation and of the classes of words, alone, at the start, in questions; and the words themselves."""
    asks = "?" in plain
    negated = sum(word in _NEGATION for word in words)
    marks = {
        "negated": float(negated > 0),
        "negated_first": float(any(word in _NEGATION for word in words[:3])),
        "negated_brief": float(negated > 0 and len(words) <= _BRIEF),
    }
    for name, members in _CLASSES.items():
        if members.isdisjoint(words):
            continue
        marks[name] = 1.0
        marks[f"{name}_first"] = float(not members.isdisjoint(words[:2]))
        marks[f"{name}_brief"] = float(len(words) <= _BRIEF)
    marks["begins_asking"] = float(asks and bool(words) and words[0] in _CLASSES["wh"] | _CLASSES["aux"])
    bounded = ["^", *tokens, "$"]
    for one in words:
        if one in vocabulary:
            marks[f"w:{one}"] = 1.0
    for pair in itertools.pairwise(bounded):
        if (both := " ".join(pair)) in vocabulary:
            marks[f"w:{both}"] = 1.0
    return marks


def _between(reply: Reply, answered: Answered, author: str, seconds: float) -> dict[str, float]:
    """Marks of a reply beside what it answers."""
    shared = len(reply.words & answered.words)
    part = shared / max(1, len(reply.words))
    quotes = len(reply.quoted & answered.words) > _QUOTED_FROM * max(3, len(reply.quoted))
    source, by = fold_author(answered.author), fold_author(author)
    return {
        "quotes_it": float(quotes),
        "only_quotes_it": float(quotes and not reply.words),
        "shared": part,
        "shared_words": min(shared, 4) / 4,
        "negates_shared": float("negated" in reply.marks and part > 0.2),
        "answers_negation": float(not _NEGATION.isdisjoint(answered.words)),
        "direct": float(bool(source) and reply.handles[:1] == (source,)),
        "aside": float(bool(source) and bool(reply.handles) and reply.handles[0] != source),
        "own_source": float(bool(source) and source == by),
        "later": math.log1p(max(0.0, min(seconds, 1e7)) / 60) / 5,
    }


# --- the model ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model: by stance a bias and the weights of features."""

    biases: Mapping[str, float]
    weights: Mapping[str, Mapping[str, float]]

    def judge(self, marks: Mapping[str, float]) -> Heard:
        """The stance that features tell."""
        sums = [
            self.biases[stance] + sum(self.weights[stance].get(name, 0.0) * value for name, value in marks.items())
            for stance in STANCES
        ]
        most = max(sums)
        weights = [math.exp(value - most) for value in sums]
        return Heard(STANCES[sums.index(most)], tuple(weight / sum(weights) for weight in weights))


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = shipped("voices/reply_model.json")
    return data


@cache
def _model() -> Model:
    return Model(_data()["biases"], _data()["weights"])


@cache
def _vocabulary() -> frozenset[str]:
    """The single words and pairs that the model knows."""
    return frozenset(_data()["vocabulary"])
