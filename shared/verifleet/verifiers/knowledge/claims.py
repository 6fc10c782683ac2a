"""What a response puts forward as its answer, and what it only speaks of.

Every mention of something that could be an answer, the expected one or another, stands somewhere in a clause, and
that place tells what is claimed for it: "X", "it is X", "the capital is X", "X wrote it" and "written by X" put X
forward; "X is larger", "unlike X", "X wrote another book" speak of it. The expected answer and its rivals are weighed
alike: a response that puts a rival forward, and of the expected answer only speaks, has answered otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from verifleet.reading.dates import MONTHS, Date
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.clauses import CONJUNCTIONS, Piece, is_verb, lemma, pieces_of, superlative, verb_at
from verifleet.verifiers.knowledge.dates import find_dates
from verifleet.verifiers.knowledge.lists import listed, phrases, table
from verifleet.verifiers.knowledge.names import TITLES
from verifleet.verifiers.knowledge.places import PEOPLES, countries_in, country_of
from verifleet.verifiers.knowledge.questions import DOERS, FUNCTION_WORDS, Question
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence, same_script
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, Token

MAX_FRAGMENT = 6
MAX_PLAIN = 2
MAX_SYMBOL = 3
COPULAS = BE | languages.COPULAS
SUBJECTS = listed("claims.subjects")
_FRAME = ARTICLES | listed("claims.frame")
PREPOSITIONS = languages.IN - ARTICLES | listed("claims.prepositions")
# What stands behind one of these is spoken of beside something else.
BESIDE = listed("claims.beside")
KIN = listed("claims.kin")
OPENING = listed("claims.opening")
BEATING = listed("claims.beating")
NEXT = listed("claims.next")
PRONOUNS = frozenset("it he she they this her his its their them him these those which who".split())
SUBJECT_PRONOUNS = PRONOUNS - frozenset("his her its their".split())
_LINKING = PARTICLES | {"of", "the"}
_DOER_ENDINGS = ("er", "or", "ist", "ian", "man", "player")
_HELPING = listed("claims.helping")
_DEEDS = table("claims.deeds")
_CAPITALS = re.compile(r"[A-Z]\w+(?: (?:of |the |of the )?[A-Z]\w+)+")
_QUOTE = re.compile("[\"'“”‘’]")
_THOUGHT = listed("claims.thought")
_OBJECTS = frozenset("his her its their it him them this that these those".split())
_LABELS = listed("claims.labels")
_SPEAKERS = frozenset("i we you he she it they".split())
_UNLED = languages.NOT | listed("claims.unled")
_BEFORE_NAMES = FUNCTION_WORDS | OPENING | _FRAME | BESIDE | languages.NOT | languages.COPULAS
CREDITED = frozenset("associated credited attributed ascribed due belongs goes went thanks".split())
_RELATED = frozenset(phrases("claims.related"))
_COMPARING = frozenset("than unlike versus vs besides without alias".split())
_PRESENT, _PAST = frozenset("is are has have does do".split()), frozenset("was were did had".split())
HARDLY = frozenset("just slightly shade little bit touch hair barely tad fraction marginally".split())
_NOBODY = frozenset("neither no none nothing nobody".split())
_STRESSING = frozenset("far many much even still".split())
_WORDS_OF_FRAME = FUNCTION_WORDS | OPENING | CONJUNCTIONS | _LABELS | BESIDE | _SPEAKERS | SUBJECTS | _UNLED


@dataclass(frozen=True, slots=True)
class Sought:
    """What sort of thing answers: `kind` is number, name or word; `said` are the words of the expected answer."""

    kind: str
    said: frozenset[str]
    dates: tuple[Date, ...]
    terms: frozenset[str]
    """What the question speaks of."""
    proper: frozenset[str]
    """Its names and years."""
    verb: str
    slot: str
    """The side of that verb on which the answer stands: agent, patient, place or empty."""
    person: bool = False
    numbered: frozenset[tuple[str, str]] = frozenset()
    """Its numbers, each with the word before."""
    sort: str = ""
    """The noun behind "which": `gas`."""
    common: bool = False
    """A name that may be a plain word with a capital: `Nitrogen`."""
    present: bool = False
    """What is so today."""
    initials: frozenset[str] = frozenset()
    """`un` where the question speaks of the United Nations."""
    tail: bool = False
    """A name that ends with a plain word: `Swiss franc`."""
    year: bool = False
    """A number that is a year."""


@lru_cache(maxsize=1024)
def sought(
    question: Question,
    prompted: Prompted,
    said: frozenset[str],
    kind: str,
    dates: tuple[Date, ...] = (),
    person: bool = False,
    common: bool = False,
    tail: bool = False,
) -> Sought:
    """What a question seeks, with the expected answer's words and kind known."""
    words = [w for w in prompted.words if w not in ARTICLES]
    sort = words[1:2] if words[:1] in (["which"], ["what"]) and words[2:3] and words[1] not in BE else []
    empty = FUNCTION_WORDS | PREPOSITIONS | PRONOUNS | {*sort, question.kind}
    terms = frozenset(lemma(w) for w in prompted.words if w not in empty and (len(w) > 1 or w.isdigit()))
    capitals = {w.strip("'\"?.,“”‘’").lower() for w in prompted.text[:500].split()[1:] if w[:1].isupper()}
    dated = {c for a, b, c in zip(words, words[1:], words[2:], strict=False) if (a, b) == ("as", "of")}
    proper = frozenset(lemma(w) for w in words if w in capitals or (w.isdigit() and len(w) == 4 and w not in dated))
    numbered = frozenset((a, b) for a, b in pairwise(prompted.words) if b.isdigit() and a not in ("in", "the"))
    verb, slot = _verb_and_slot(words, question, proper)
    if kind == "name" and (question.asked == "where" or _asks_in_which(words)):
        slot = "place"
    elif "with" in words:
        slot = ""  # who shared something with somebody stands on either side
    present = not _PRESENT.isdisjoint(prompted.words) and _PAST.isdisjoint(prompted.words)
    present = present and ("used", "to") not in pairwise(prompted.words)
    runs = _CAPITALS.findall(prompted.text[:500])
    initials = frozenset("".join(w[0] for w in run.split() if w[0].isupper()).lower() for run in runs)
    year = question.asked == "when" or "year" in prompted.words or bool(dates)
    return Sought(
        kind, said, dates, terms, proper, verb, slot, person, numbered, "".join(sort), common, present, initials, tail,
        year,
    )  # fmt: skip


def _asks_in_which(words: Sequence[str]) -> bool:
    return words[:1] in (["in"], ["on"], ["at"]) and words[1:2] in (["which"], ["what"])


def _verb_and_slot(words: Sequence[str], question: Question, proper: Collection[str]) -> tuple[str, str]:
    """`who invented`, `which company bought`: (invent, agent); `which gas do plants absorb`: (absorb, patient)."""
    words = words[words.index("who") :] if "who" in words[1:] and words[0] in PREPOSITIONS else words
    if _asks_in_which(words):
        return main_verb(words, proper) if is_verb(words[-1]) or "did" in words else "", ""
    helped = {"did", "do", "does"} & set(words[1:4])
    passive = {"was", "were"} & set(words[1:5]) and is_verb(words[-1])
    if len(words) > 2 and (helped or passive) and question.asked not in ("who", ""):
        return main_verb(words, proper), "patient" if question.asked == "what" and not passive else ""
    if question.asked not in ("who", "what") or len(words) < 3:
        return "", ""
    if words[1] in BE and words[2] in DOERS:
        return lemma(words[2]), "agent"  # "who is the founder of"
    of_several = words[1] == "of"
    for at in range(1, MAX_FRAGMENT if of_several else 4):
        before = words[at - 1]
        present = before == "who" if at == 1 else not (of_several or before[:1].isdigit() or before.endswith("s"))
        if at < len(words) - 1 and words[at] not in BE | _HELPING and is_verb(words[at], third_person=present):
            return lemma(words[at]), "agent"
        if words[at : at + 1] and words[at] in BE | _HELPING:
            return "", ""
    return "", ""


def main_verb(words: Sequence[str], proper: Collection[str]) -> str:
    """The verb behind "did": the last plain word that no preposition or number comes before."""
    for at in range(len(words) - 1, 1, -1):
        plain = lemma(words[at]) not in proper and words[at] not in FUNCTION_WORDS | PREPOSITIONS
        plain = plain and not words[at].isdigit()
        if plain and words[at - 1] not in PREPOSITIONS:
            return lemma(words[at])
    return ""


def degrees(words: Sequence[Token]) -> set[str]:
    """The superlatives that the comparatives of a clause take up; of "more" and "less" only `far more`."""
    stressed = {after.text for t, after in pairwise(words) if t.text in _STRESSING}
    return {superlative(t.text) for t in words if t.text in stressed or t.text not in ("more", "less")}


@lru_cache(maxsize=1024)
def doings_of(term: str) -> frozenset[str]:
    """What a `drummer` or `guitarist` does or plays, by the form of the word."""
    roots = {term.removesuffix(ending) for ending in _DOER_ENDINGS if term.endswith(ending)}
    roots |= {r[:-1] for r in roots if r[-1:] == r[-2:-1]}
    return frozenset(r for r in roots if len(r) >= MAX_SYMBOL)


def is_bygone(words: Sequence[str]) -> bool:
    """`X used to be the largest`, `X was long believed to be`."""
    if {"was", "were"}.intersection(words) and ("until" in words or ("before", "that") in pairwise(words)):
        return True
    return ("used", "to") in pairwise(words) or not ({"was", "were"}.isdisjoint(words) or _THOUGHT.isdisjoint(words))


def is_frame(token: Token, asked: Sought) -> bool:
    """Whether a word only frames an answer: `the answer is`, a title, a word of the question."""
    word = token.text
    return (
        word in _FRAME | _OBJECTS | TITLES
        or token.base in _FRAME
        or (word.endswith("ly") and len(word) > 4)
        or lemma(token.base) in asked.terms
        or word == asked.sort
    )


def of_another_subject(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> bool:
    """`The capital of Germany is X` where France was asked about, `the author of Macbeth` where Hamlet was."""
    piece = next((p for p in pieces_of(reading) if occurrence.start in p), None)
    if piece is None or prompted.several:
        return False
    rest = [reading.tokens[i] for i in piece.tokens if not occurrence.start <= i < occurrence.end]
    asked = {lemma(w) for w in prompted.words if w not in FUNCTION_WORDS}
    if any(t.base in PRONOUNS or t.text in BESIDE for t in rest) or not asked & {lemma(t.base) for t in rest}:
        return False
    meant, told = countries_in(prompted.words), countries_in([t.base for t in rest])
    if meant:
        return bool(told) and not told & meant
    named = {word.strip("'\"?.,“”‘’").lower() for word in prompted.text[:500].split() if word[:1].isupper()}
    owners = {lemma(a): b in named for a, b in _of_pairs(prompted.words)}
    capitals = {t.base for t in rest if t.capital}
    told_of = [(lemma(a), b) for a, b in _of_pairs([t.base for t in rest]) if b not in FUNCTION_WORDS | PRONOUNS]
    others = [b for a, b in told_of if a in owners and owners[a] == (b in capitals)]
    return len(owners) == 1 and bool(others) and all(lemma(b) not in asked for b in others)


def _of_pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    """Nouns with what they are of: `symbol of silver`."""
    plain = [w for w in words if w not in ARTICLES]
    return [(a, b) for a, of, b in zip(plain, plain[1:], plain[2:], strict=False) if of == "of"]


def deed_of(word: str) -> str:
    """`defeated` and `beat` are one deed."""
    return _DEEDS.get(lemma(word), lemma(word))


# --- rivals ----------------------------------------------------------------------


def candidates(reading: Reading, piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """The other things of the sought kind in a clause."""
    if asked.kind == "name":
        tokens, names = reading.tokens, _names(reading.tokens, piece.tokens, asked)
        plain = _words(tokens, piece, asked) if asked.common else []
        names += _ranks(tokens, piece, asked)
        return names + [s for s in plain if tokens[s[0] - 1].text not in ("a", "an") and s[0] not in dict(names)]
    found = (_numbers if asked.kind == "number" else _words)(reading.tokens, piece, asked)
    return found + _ranks(reading.tokens, piece, asked) if asked.kind == "word" else found


def _ranks(tokens: Sequence[Token], piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """`the 18th`, where the 19th Amendment is the answer."""
    if not any(w.endswith("th") and w[0].isdigit() for w in asked.said):
        return []
    others = (i for i in piece.tokens if tokens[i].number and tokens[i].text.endswith("th"))
    others = (i for i in others if tokens[i].text not in asked.said | asked.terms)
    return [(i, i + 1) for i in others if "".join(t.text for t in tokens[i + 1 : i + 2]) != "century"]


def _numbers(tokens: Sequence[Token], piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """Other dates where the answer is a day or month, else other numbers."""
    rivals = [i for i in piece.tokens if _is_rival_number(tokens, i, asked)]
    if any(d.month is not None for d in asked.dates):
        dates = [d for d in find_dates(tokens) if d.start in piece]
        years = {str(d.year) for d in asked.dates}
        found = [(d.start, d.end) for d in dates if not any(d.agrees(meant) for meant in asked.dates)]
        if found or dates or not years & asked.said:
            return found
        return [(i, i + 1) for i in rivals if tokens[i].text not in years]
    dated = {i for d in find_dates(tokens) for i in range(d.start, d.end)}
    return [(i, i + 1) for i in rivals if i not in dated or len(tokens[i].text) == 4]


def _is_rival_number(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    token = tokens[at]
    known = asked.said | asked.proper | {n for _, n in asked.numbered}
    if not token.number or token.text in known or token.text.endswith("th"):
        return False
    year = len(token.text) == 4 and token.text.isdigit() and token.end - token.start == 4
    if asked.year != year and (asked.year or not any(len(w) == 4 and w.isdigit() for w in asked.said)):
        return False
    listed = at + 1 < len(tokens) and tokens[at + 1].gap.startswith((". ", ") ")) and token.end - token.start < 3
    listed = listed and ((at == 0 and token.text == "1") or "\n" in token.gap)
    return not listed


def _names(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> list[tuple[int, int]]:
    """Runs of capitalised words that are neither the expected answer nor the question's, months or openings."""
    found: list[tuple[int, int]] = []
    start, last = -1, -2
    for i in [*places, -1]:
        goes_on = start >= 0 and i == last + 1 and not tokens[i].gap.strip(" -.\"'“”‘’*_\u00a0")
        if goes_on and not _is_quoted_apart(tokens, i) and _goes_on(tokens, i, asked):
            last = i
            continue
        if start >= 0:
            found += _trimmed(tokens, start, last + 1, asked)
            start = -1
        if i >= 0 and tokens[i].capital and tokens[i].text not in ARTICLES and _begins(tokens, i):
            start = last = i
    return found


def _is_quoted_apart(tokens: Sequence[Token], at: int) -> bool:
    """The second name of `Paris "Lyon"`, unlike the nickname in `Ana "Annie" Lindt`."""
    marks = len(_QUOTE.findall(tokens[at].gap))
    behind = next((t for t in tokens[at + 1 : at + MAX_FRAGMENT] if _QUOTE.search(t.gap)), None)
    goes_on = behind is not None and behind.capital and behind.gap[1:] == " "
    return marks > 1 or (marks == 1 and tokens[at].gap[:1] == " " and not goes_on)


def _begins(tokens: Sequence[Token], at: int) -> bool:
    """A name may begin with a capital number where a name goes on: `Fourteenth Amendment`."""
    behind = tokens[at + 1 : at + 2]
    return not tokens[at].number or any(t.capital and not t.number and t.gap == " " for t in behind)


def _goes_on(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    """A name goes on with a capital, a linking word, or a number of a reign: `Thomas of Aquin`, `Model A`."""
    token = tokens[at]
    numeral = token.number and len(token.text) < 3
    reign = numeral and (token.capital or any(w.isdigit() for w in asked.said))
    return reign or (token.capital and not token.number) or token.text in _LINKING


def _trimmed(tokens: Sequence[Token], start: int, end: int, asked: Sought) -> list[tuple[int, int]]:
    """A run without linking words at its end and openings before it, if it is a rival, with the rest of its kind."""
    while end > start and tokens[end - 1].text in _LINKING and not tokens[end - 1].capital:
        end -= 1
    while start < end - 1 and tokens[start].text in _BEFORE_NAMES:
        start += 1
    tail = tokens[end] if asked.tail and end < len(tokens) and not verb_at(tokens, end) else None
    plain = tail is not None and tail.gap == " " and not (tail.number or tail.capital)
    if plain and tokens[end].text not in FUNCTION_WORDS | PREPOSITIONS | CONJUNCTIONS:
        end += 1  # "Swedish krone", as the Swiss franc is one
    return [(start, end)] if _is_rival(tokens, start, end, asked) else []


def _may_be_same(words: Sequence[Token], asked: Sought) -> bool:
    """A name that shares words with the answer, unless its numeral or all but its last word is another one."""
    shared = [t for t in words if len(t.text) > 1 and {t.base, t.text} & asked.said - TITLES]
    others = [t for t in words if not {t.base, t.text} & asked.said]
    if len(words) == 1 < len(asked.said) and sorted(words[0].text) == sorted(word[0] for word in asked.said):
        return True  # "MJ"
    if any(t.number for t in others) and any(w.isdigit() or w.endswith("th") for w in asked.said):
        return False  # "George IV" for George III, "Fourteenth Amendment" for the Thirteenth
    if any(len(t.text) < 2 for t in others) and any(len(w) < 2 for w in asked.said):
        return False  # "Model A" for Model T
    if asked.person and shared == words[-1:] and len(words) > 1 and _is_first_name(words[0], asked):
        return False  # "Charlotte Brontë" for Emily
    if asked.person and shared == words[:1] and len(words) == 2 and words[0].text not in TITLES and len(asked.said) > 1:
        return False  # "Henry Thomas" for Henry Ford
    edge = len(words) > 1 and shared in (words[:1], words[-1:])  # "Atlantic Ocean"
    return bool(shared) and (asked.person or not edge)


def _is_first_name(word: Token, asked: Sought) -> bool:
    """No title or initial, and no form of a name that is known: `Percy` for Mary, but not `Marie`."""
    alike = len(asked.said) < 2 or any(word.text[:1] == known[:1] for known in asked.said)
    return len(word.text) > 2 and word.text not in TITLES | _BEFORE_NAMES and not alike


def _is_rival(tokens: Sequence[Token], start: int, end: int, asked: Sought) -> bool:
    words = [t for t in tokens[start:end] if t.text not in _LINKING or t.capital]
    if not words or _may_be_same(words, asked):
        return False
    if words[-1].text != words[-1].base and any(t.gap == " " and t.base in asked.said for t in tokens[end : end + 1]):
        return False  # "Bell's telephone"
    if not any(same_script(words[0].text, word) for word in asked.said):
        return False  # "Оттава (Ottawa)"
    short = min(map(len, asked.said), default=0) > MAX_SYMBOL and len(words) < 2
    if all(
        lemma(t.base) in asked.terms
        or t.text in MONTHS
        or t.text in ("bc", "ad")
        or t.text in FUNCTION_WORDS | OPENING | _FRAME | SUBJECTS | BESIDE
        or (t.text in TITLES and (len(words) > 1 or not start or t.gap != " "))
        or (len(t.text) < 2 and short)
        for t in words
    ):
        return False
    first, opens = words[0], not start or bool(tokens[start].gap.strip(" \"'“”‘’*_"))
    if len(words) > 1:
        return True
    behind = tokens[end] if end < len(tokens) and tokens[end].gap == " " else None
    if behind is not None and (opens or (first.text,) in PEOPLES) and not country_of([first.text]):
        verb = is_verb(behind.text) or lemma(behind.text) == asked.verb or _takes_an_object(tokens, end)
        plain = not behind.capital and not verb and not behind.text.endswith("ly") and lemma(behind.text) not in BEATING
        if plain and behind.text not in PREPOSITIONS | FUNCTION_WORDS | COPULAS | BESIDE | PRONOUNS | CONJUNCTIONS:
            return False  # "Historical records", "the Colombian novelist"
    ing = opens and first.text.endswith("ing") and behind is not None and not verb_at(tokens, end)  # "Ruling out"
    adverb = first.text.endswith("ly") and not country_of([first.text])
    return not (ing or adverb or is_verb(first.text) or first.text in _LABELS)


def _takes_an_object(tokens: Sequence[Token], at: int) -> bool:
    """A plain word with an article or the like behind it is no noun: `form the border`."""
    return at + 1 < len(tokens) and tokens[at + 1].gap == " " and tokens[at + 1].text in ARTICLES | _OBJECTS


def _words(tokens: Sequence[Token], piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """Plain words that are a piece by themselves, or follow "is" or come right before the question's verb."""
    places = [i for i in piece.tokens if tokens[i].text not in ARTICLES]
    bounds = [n for n, i in enumerate(places) if verb_at(tokens, i) or tokens[i].text in COPULAS | PREPOSITIONS]
    if bounds[:1] == [0] and not any(verb_at(tokens, i) for i in places):
        return []  # "In other words"
    if places and tokens[places[0]].text == "to" and "to" not in asked.said:
        return []  # "to be exact"
    if not bounds:
        parts = [] if any(tokens[i].base in _SPEAKERS for i in places) else [places]
    else:
        parts = [places[: bounds[0]], places[bounds[-1] + 1 :]]
        parts += [places[n + 1 : m] for n, m in pairwise(bounds)]
    return [span for part in parts if (span := _plain_span(tokens, part, asked)) is not None]


def _plain_span(tokens: Sequence[Token], core: Sequence[int], asked: Sought) -> tuple[int, int] | None:
    """One or two plain words that are no frame and not the question's, in a row."""
    while core and is_frame(tokens[core[0]], asked):
        core = core[1:]
    whole = core
    while core and (is_frame(tokens[core[-1]], asked) or tokens[core[-1]].text in BESIDE):
        if _is_of_its_kind(tokens, core, asked):
            return core[0], core[-1] + 1
        core = core[:-1]
    if any(lemma(tokens[i].base) in asked.terms and tokens[i].gap == " " for i in whole[len(core) : len(core) + 1]):
        return None  # "internal organ", where an organ is asked for
    if not 0 < len(core) <= MAX_PLAIN or core[-1] - core[0] != len(core) - 1 or not _may_begin(tokens, core[0], asked):
        return None
    plain = [tokens[i] for i in core]
    verbal = ("ed",) if any(word.endswith("ing") for word in asked.said) else ("ed", "ing")
    verb = any(tokens[i].text.endswith(verbal) or (verb_at(tokens, i) and len(core) > 1) for i in core)
    known = any(_is_known(token, asked) or token.base in asked.said for token in plain)
    return (core[0], core[-1] + 1) if _is_of_its_kind(tokens, core, asked) or not (verb or known) else None


def _may_begin(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    """Not a verb behind another word: `it may look larger`; nor a word of another script."""
    before = tokens[at - 1] if at and tokens[at].gap == " " else None
    helped = before is not None and (before.text in _HELPING - BE | {"to"} or before.base in _SPEAKERS)
    return not helped and any(same_script(tokens[at].text, word) for word in asked.said)


def _is_of_its_kind(tokens: Sequence[Token], core: Sequence[int], asked: Sought) -> bool:
    """`basking shark` for whale shark: the noun of the answer with another word before it."""
    if len(core) != MAX_PLAIN or len(asked.said) < MAX_PLAIN:
        return False
    first, noun = (tokens[i] for i in core)
    return noun.base in asked.said - asked.proper and first.base not in asked.said and not _is_known(first, asked)


def _is_known(token: Token, asked: Sought) -> bool:
    birth = "born" in asked.terms and token.text in ("birth", "birthplace")
    return token.number or birth or lemma(token.base) in asked.terms or token.text in _WORDS_OF_FRAME


def is_compared(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    """`older than X`, `like X`, but not `other than X`."""
    before = [t.text for t in tokens[max(0, at - 2 * MAX_FRAGMENT) : at] if t.text not in ARTICLES]
    if asked.kind == "number" and not HARDLY.isdisjoint(before[-3:]):
        return False  # "slightly more than 7 km"
    if {lemma(word) for word in before[-3:]} & asked.terms or (_NOBODY | {"other", "further"}) & {*before}:
        return False
    return not _COMPARING.isdisjoint(before[-1:]) or tuple(before[-2:]) in _RELATED
