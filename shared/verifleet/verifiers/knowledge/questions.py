"""Questions as comparable content: which words carry meaning, in which order, and what kind of answer is asked.

Two wordings ask the same when their content words are equal in the same order (`key`), after polite prefixes,
auxiliaries and articles are gone, "X's Y" has become "Y of X" and a few relations have one name
(author of = wrote). Function words that change the meaning (by, before, not, first, most) are content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from verifleet.verifiers.knowledge.lists import listed, phrases, table
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, fold, stem, tokenize

MAX_QUESTION_CHARS = 2000
MAX_QUESTION_TOKENS = 200
_LETTERS = re.compile(r"[^\W\d_]+")
AUXILIARIES = frozenset("is are was were be been am do does did has have had s re".split())
_LINKS = frozenset("of in on at to for from with as that this there and".split())
_MOVABLE = frozenset("in on at during for from since".split())
STOPWORDS = ARTICLES | AUXILIARIES | _LINKS
# What may stand before a question or behind it without being part of it.
_POLITE = listed("questions.polite")
_TRAILING = frozenset("please thanks pls plz thx again exactly anyone anybody cheers".split())
_TRAILING_PHRASES = phrases("questions.trailing_phrases")
# Inside a polite opening these alone are no opening: "is a ...", "the ..." may begin the content.
_OPENERS = _POLITE - frozenset("was am be is a an the that this do does have to so now well time for".split())
_CONTRACTIONS = table("questions.contractions")
_WH = table("questions.asking")
FUNCTION_WORDS = STOPWORDS | _POLITE | _TRAILING | frozenset(_WH) | {"by", "not", "'s"}
MEASURES = frozenset("many much long old far tall high big large deep fast often wide heavy hot cold".split())
# Safe only because each pair names one relation with the same arguments: "author of X" and "wrote X".
_RELATIONS = table("questions.relations")
DOERS = frozenset(word for word, verb in _RELATIONS.items() if word.endswith(("er", "or")) and word != verb)
_VERBS = frozenset(_RELATIONS.values()) - {"color", "largest"}
# "which actor plays", "the singer who sang": the noun says no more than the verb.
_DOERS = table("questions.doers")
# "what is the height of" asks how tall.
_MEASURED = table("questions.measured")
_SAME_MEASURE = {"high": "tall", "large": "big"}
# Past forms of irregular verbs, which no ending tells from nouns.
IRREGULAR = table("questions.irregular")
_BIRTHS = {("birthplace",): "where", ("birthday",): "when", ("birthdate",): "when", ("date", "birth"): "when"}
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
# "capital city" says no more than "capital": the second word goes.
_REDUNDANT = {("capital", "city"): "city", ("chemical", "symbol"): "chemical", ("official", "currency"): "official"}


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    `words` is the content in order; `asked` is the kind of answer (who, what, where, when, why, how, how many, ...,
    or "" where none is said); `kind` is the noun behind which or what ("year") where it is a kind of answer and not
    content; `movable` holds the positions of words behind "in" and the like, where a phrase begins that may stand
    first or last.
    """

    words: tuple[str, ...]
    asked: str
    kind: str = ""
    movable: frozenset[int] = frozenset()

    @property
    def key(self) -> str:
        """The content key: the words joined by blanks."""
        return " ".join(self.words)

    @property
    def bag(self) -> str:
        """The content without its order."""
        return " ".join(sorted(self.words))


@lru_cache(maxsize=1024)
def parse_question(text: str) -> Question:
    """Parse a question in any wording; never fails (the empty text has no words)."""
    return parse_words(question_words(text))


@lru_cache(maxsize=1024)
def question_words(text: str) -> tuple[str, ...]:
    """The folded words of a question with contractions resolved, possessives as `'s`; the last lines if very long."""
    words: list[str] = []
    for token in tokenize(text[:MAX_QUESTION_CHARS])[:MAX_QUESTION_TOKENS]:
        words.extend(_plain_words(token))
    return tuple(words)


def written_words(text: str) -> list[str]:
    """The words as they are written, case and accents aside: "first" stays "first"."""
    return [fold(word) for word in _LETTERS.findall(text[:MAX_QUESTION_CHARS])]


def _plain_words(token: Token) -> Iterator[str]:
    if token.text in _CONTRACTIONS:
        yield from _CONTRACTIONS[token.text].split()
    elif token.base != token.text and token.text.startswith(token.base):
        yield token.base
        if token.base not in ("it", "that", "there", "he", "she", "let", "here"):
            yield "'s"
    else:
        yield token.text


@lru_cache(maxsize=1024)
def parse_words(words: tuple[str, ...]) -> Question:
    """Parse what `question_words` made."""
    asked, rest = _asked(_without_politeness(list(words)))
    rest = [word for word in rest if word not in ARTICLES]
    rest = _passive_to_active(_possessive_to_of(rest), asked)
    content = [
        _Word(normal_word(word), i > 0 and _before(rest, i) in _MOVABLE)
        for i, word in enumerate(rest)
        if word not in STOPWORDS and word != "'s"
    ]
    kind = ""
    if asked == "what" and len(content) > 1:
        asked, kind, content = _kind_of_answer(content)
    asked, content = _born(asked, content)
    if len(content) > 1 and content[0].text == "name" and asked in ("what", ""):
        content = content[1:]  # "what is the name of X" asks for X
    content = _years_last(_without_redundancy(content))
    return Question(
        tuple(w.text for w in content), asked, kind, frozenset(i for i, w in enumerate(content) if w.movable)
    )


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    movable: bool


def _before(words: list[str], at: int) -> str:
    """The word before, articles skipped."""
    at -= 1
    while at > 0 and words[at] in ARTICLES:
        at -= 1
    return words[at]


def normal_word(word: str) -> str:
    """The form in which a content word is compared and indexed."""
    return _RELATIONS.get(word) or stem(word)


def _without_politeness(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and words[start] in _POLITE and words[start] not in _WH:
        start += 1
    # Only what really opens a request is dropped: "can you tell me ...", "name the ...", but not "is a ...".
    if start == len(words) or not any(w in _OPENERS for w in words[:start]):
        start = 0
    body = words[start:]
    while (cut := _closing(body)) and len(body) - cut > 1:
        body = body[:-cut]
    return body


def _closing(words: list[str]) -> int:
    """How many words at the end are politeness."""
    if words and words[-1] in _TRAILING:
        return 1
    return next((len(p) for p in _TRAILING_PHRASES if tuple(words[-len(p) :]) == p), 0)


def _asked(words: list[str]) -> tuple[str, list[str]]:
    """Find the question word: near the start, or at the end ("Hamlet was written by whom")."""
    for at, word in enumerate(words):
        if word not in _WH:
            continue
        if at and at != len(words) - 1 and not _may_precede(words[:at]):
            break
        rest = words[:at] + words[at + 1 :]
        asked = _WH[word]
        if asked == "how" and at + 1 < len(words) and words[at + 1] in MEASURES:
            return f"how {_SAME_MEASURE.get(words[at + 1], words[at + 1])}", words[:at] + words[at + 2 :]
        return asked, rest
    return "", words


def _may_precede(words: list[str]) -> bool:
    """What may stand before the question word: "in which", "by whom", and a phrase such as "in 1998, who"."""
    return all(w in STOPWORDS or w in ("during", "by") for w in words) or (words[0] in _MOVABLE and len(words) <= 8)


def _possessive_to_of(words: list[str]) -> list[str]:
    """`France 's capital` becomes `capital of France`: the owner runs back to the nearest function word."""
    if "'s" not in words:
        return words
    at = words.index("'s")
    start = at
    while start > 0 and words[start - 1] not in AUXILIARIES | _LINKS | ARTICLES:
        start -= 1
    end = at + 1
    while end < len(words) and words[end] not in STOPWORDS and words[end] != "'s" and end - at <= 3:
        end += 1
    owner, owned = words[start:at], words[at + 1 : end]
    if not owner or not owned or any(w not in AUXILIARIES for w in words[end:]):
        return [w for w in words if w != "'s"]
    return [*words[:start], *owned, "of", *owner]


def _passive_to_active(words: list[str], asked: str) -> list[str]:
    """`was Hamlet written by` becomes `written Hamlet`, the order of the active question."""
    if asked == "who" and words[:1] == ["by"]:
        words = [*words[1:], "by"]  # "by whom was Hamlet written"
    if asked == "who" and len(words) > 2 and words[-1] == "by":
        verb = words[-2]
        if _RELATIONS.get(verb) in _VERBS:
            return [verb, *words[:-2]]
    return words


def _kind_of_answer(content: list[_Word]) -> tuple[str, str, list[_Word]]:
    """`which city is the capital` asks for the capital, `what year did` asks when."""
    first, rest = content[0].text, content[1:]
    if first in ("year", "date"):
        return "when", first, rest
    if first == "person" or (first in _DOERS and _DOERS[first] == rest[0].text):
        return "who", first, rest
    if first in _MEASURED:
        return f"how {_MEASURED[first]}", "", rest
    if len(rest) > 1 and rest[0].text.endswith("est") and len(rest[0].text) > 5:
        return "what", "", [rest[0], content[0], *rest[1:]]  # "which lake is the largest": the largest lake
    return "what", "", content


def _born(asked: str, content: list[_Word]) -> tuple[str, list[_Word]]:
    """`X's birthplace` asks where X was born, the date of birth when; "born" stands first, wherever it was said."""
    texts = tuple(w.text for w in content)
    for birth, sense in _BIRTHS.items():
        size = len(birth)
        if asked in ("what", "", sense) and len(texts) > size and birth in (texts[:size], texts[-size:]):
            return sense, [_Word("born", False), *(content[size:] if texts[:size] == birth else content[:-size])]
    if len(texts) < 2 or texts[-1] != "born":
        return asked, content
    if asked == "what" and texts[0] in ("city", "town", "place") and len(texts) > 2:
        return "where", [content[-1], *content[1:-1]]
    return asked, [content[-1], *content[:-1]] if asked != "what" or texts[0] != "country" else content


def _years_last(content: list[_Word]) -> list[_Word]:
    """`the 1998 cup` is the cup in 1998; several years keep their order, a year alone its place."""
    years = [w for w in content if _YEAR.fullmatch(w.text)]
    if not years or len(years) == len(content):
        return content
    return [w for w in content if not _YEAR.fullmatch(w.text)] + [_Word(y.text, True) for y in years]


def _without_redundancy(content: list[_Word]) -> list[_Word]:
    for i in range(len(content) - 1):
        dropped = _REDUNDANT.get((content[i].text, content[i + 1].text))
        if dropped:
            at = i if content[i].text == dropped else i + 1
            return content[:at] + content[at + 1 :]
    return content
