"""An answer cut into sentences and clauses, with what can't assert anything marked.

Nothing here knows the reference answer: a sentence is barred for what it is (a question, a refusal, an address to the
grader), never for what it says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from verifleet.verifiers.knowledge.languages import UNSURE, english_of, in_english, is_english, language_in
from verifleet.verifiers.knowledge.lists import expression, listed
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, MEASURES, written_words
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, ReadTokens, Token, tokenize

_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’)\]*_]*(?:\s|$)|\n|[。！？]")
_ABBREVIATIONS = listed("reading.abbreviations")
_CLAUSE_GAP = re.compile(r"[;:()\[\]\n—–…]|\s-\s|--")
_REFUSAL = expression("reading.refusal")
_HEDGED = expression("reading.hedged", "$", r"^(?:[\w.'-]+,? ){1,4}")
_ADDRESS_TO_GRADER = expression("reading.address_to_grader")
_SCORES = frozenset("score scores grade verdict reward rating".split())
# Talk of the judging itself: no part of a response that holds it is an answer.
_JUDGING = expression("reading.judging")
CONCESSIVE = frozenset("although though while whereas despite even unlike albeit".split())
_BUT = re.compile(r"\b(?:but|however|though|although|still|nevertheless|my best guess)\b|[;:—–]", re.IGNORECASE)
BE = frozenset("is was are were be been being isnt wasnt arent werent s".split())
AUXILIARIES = BE | listed("reading.auxiliaries")
_NOT_HEDGED = AUXILIARIES | listed("reading.not_hedged")
_NEGATIVE_PROMPT = listed("reading.negative_prompt")
_PLURAL = expression("reading.plural")
# "How many are there" has one answer for all its plurals.
_ONE_MEASURE = {("how", measure) for measure in MEASURES} | {("what", "year"), ("which", "year")}
_DEFINITION = frozenset("mean means meaning definition called stand stands synonym term".split())
MAX_SHORTENED = 4
# Between digits a narrow blank groups thousands.
_BLANK = re.compile("(?<!\\d)[\u00a0\u2000-\u200a\u202f\u205f\u3000]|[\u00a0\u2000-\u200a\u202f\u205f\u3000](?!\\d)")
_WRITTEN = {0x2018: "'", 0x2019: "'"} | dict.fromkeys((0x200B, 0xAD, 0x2060, 0xFEFF))


@dataclass(frozen=True, slots=True)
class Prompted:
    """What the guards know of the prompt; `several` if the reference requires more than one answer."""

    text: str
    words: tuple[str, ...]
    several: bool = False

    def says(self, text: str) -> bool:
        """Whether each word is the question's own: "impossible" in a title that it asks about."""
        return {*written_words(text)} <= {*self.words}

    @property
    def negative(self) -> bool:
        """The question itself denies something, so an answer may as well."""
        return any(w in _NEGATIVE_PROMPT for w in self.words)

    @property
    def definition(self) -> bool:
        """A meaning or a name is asked for: "or" then joins synonyms."""
        return any(w in _DEFINITION for w in self.words) or self.words[-2:] == ("known", "as")

    @property
    def plural(self) -> bool:
        """Several things are asked for."""
        if self.words[:1] == ("when",) or self.words[:2] in _ONE_MEASURE:
            return self.several
        return self.several or _has_plural(self.text[:500])


@lru_cache(maxsize=1024)
def _has_plural(prompt: str) -> bool:
    return _PLURAL.search(prompt) is not None


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens `start` to `end` (exclusive); `barred` says why it asserts nothing, or is empty."""

    start: int
    end: int
    text: str
    barred: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer as tokens and sentences; `sentence_of[i]` is the sentence of token i."""

    text: str
    tokens: Sequence[Token]
    sentences: Sequence[Sentence]
    sentence_of: Sequence[int] = field(repr=False)
    language: str = ""
    """The language it is in, empty for English and those that are not told."""
    english: bool = True
    """It has English words and no more of another language."""

    def in_english(self, asked: Collection[str]) -> Reading:
        """The same with words in English, as far as they are known: to judge by what stands around a place.

        `asked` are the words of the prompt, whose names are known in other languages.
        """
        tokens = ReadTokens(in_english(self.tokens, self.language, asked)) if self.language else self.tokens
        return replace(self, tokens=tokens)

    def offsets(self, places: Iterable[Occurrence]) -> list[tuple[int, int]]:
        """Where places begin and end in the text."""
        return [(self.tokens[place.start].start, self.tokens[place.end - 1].end) for place in places]

    def clause_break(self, at: int) -> bool:
        """Whether a clause ends between token at-1 and token at (a comma alone does not end one)."""
        return self.sentence_of[at] != self.sentence_of[at - 1] or bool(_CLAUSE_GAP.search(self.tokens[at].gap))


def written(text: str) -> str:
    """A text with composed letters, plain blanks and apostrophes, and nothing invisible."""
    return text if text.isascii() else _BLANK.sub(" ", unicodedata.normalize("NFC", text).translate(_WRITTEN))


def read(text: str, prompt_words: Sequence[str]) -> Reading:
    """Cut an answer; `prompt_words` are the folded words of the prompt, which are no address to a grader."""
    text = written(text)
    tokens = ReadTokens(tokenize(text))
    language = language_in(tokens)
    if language:
        numbers = ((t, english_of(t.text, language)) for t in tokens)
        tokens = ReadTokens(replace(t, text=n, base=n, number=True) if n.isdigit() else t for t, n in numbers)
    asked = {*pairwise(prompt_words)}
    starts = [0] + [i for i in range(1, len(tokens)) if _ends_sentence(tokens, i, asked)]
    english = is_english(tokens)
    sentences: list[Sentence] = []
    sentence_of: list[int] = []
    words = {*prompt_words}
    judging = "address to the grader" if _JUDGING.search(text) and not _SCORES & words else ""
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if start == end:
            continue
        behind = tokens[end].gap if end < len(tokens) else text[tokens[-1].end :]
        shown = text[tokens[start].start : tokens[end - 1].end]
        rest = [tokens[start], *tokens[end:]] if _HEDGED.search(shown) else []
        settled = rest and not any(t.text in _NOT_HEDGED or (i and (t.capital or t.number)) for i, t in enumerate(rest))
        barred = judging or _barred(shown, "" if settled else behind, words, english)  # "Oslo, I think?"
        sentence_of += [len(sentences)] * (end - start)
        sentences.append(Sentence(start, end, shown, barred))
    for n, (one, after) in enumerate(pairwise(sentences)):
        if one.barred == "question" and [t.text for t in tokens[after.start : after.end]] == ["yes"]:
            sentences[n] = replace(one, barred="")  # "Is it Oslo? Yes."
    return Reading(text, tokens, sentences, sentence_of, language, english)


def retitled(tokens: Sequence[Token], at: int) -> bool:
    """The "or" of `Moby Dick, or The Whale`: a capital article behind it goes on with a title."""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return tokens[at].text == "or" and behind is not None and behind.capital and behind.text in ARTICLES


def _ends_sentence(tokens: Sequence[Token], at: int, asked: Collection[tuple[str, str]]) -> bool:
    gap = tokens[at].gap
    if not _SENTENCE_END.search(gap):
        return False
    before, after = tokens[at - 1], tokens[at]
    if after.text in ("or", "and") and not after.capital:
        return False
    if "\n" not in gap and gap.startswith(('?"', "?”", "?'", "?’", '!"', "!”")) and not after.capital:
        return False  # a quoted question inside a sentence
    if "\n" in gap or not gap.startswith("."):
        return True
    if before.capital and len(before.text) < MAX_SHORTENED and not after.capital and after.text.isalpha():
        return False  # "C. lupus", "Bd. of Education"
    initial = len(before.text) == 1 and before.capital and after.capital and not before.number and after.text.isalpha()
    initial = initial and (len(after.text) < 2 or after.text not in FUNCTION_WORDS | {"it", "he", "she"})
    led = tokens[at - 2] if at > 1 and before.gap == " " else None
    initial = initial and not (led and (_is_plain(led) or led.text == after.text))  # "in vitamin A. Carrots"
    names = tuple(t.text for t in tokens[at : at + 2])
    initial = initial and names not in asked  # "It is not C. Ana Lindt wrote C++", of whom the question speaks
    letter = len(before.text) == 1 and before.capital
    return not (initial or (not letter and before.text in _ABBREVIATIONS and (after.capital or after.number)))


def _is_plain(token: Token) -> bool:
    return not token.capital and token.text.isalpha() and token.text not in FUNCTION_WORDS | {"it"}


def _barred(text: str, behind: str, asked: set[str], english: bool) -> str:
    if "?" in behind or "？" in behind:
        return "question"
    address = _ADDRESS_TO_GRADER.search(text)
    if address and not {*written_words(address.group())} <= asked:
        return "address to the grader"
    refusal, unsure = _REFUSAL.search(text), not english and UNSURE.search(text)
    return "refusal" if unsure or (refusal and not _BUT.search(text, refusal.end())) else ""
