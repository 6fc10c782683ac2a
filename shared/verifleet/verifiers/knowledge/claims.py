"""What a response puts forward as its answer, and what it only speaks of.

Every mention of something that could be an answer, the expected one or another, stands somewhere in a clause, and
that place tells what is claimed for it: "X", "it is X", "the capital is X", "X wrote it" and "written by X" put X
forward; "X is larger", "unlike X", "X wrote another book" speak of it. The expected answer and its rivals are weighed
alike: a response that puts a rival forward, and of the expected answer only speaks, has answered otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise, takewhile

from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.clauses import (
    CONJUNCTIONS,
    Piece,
    contracted,
    is_verb,
    lemma,
    pieces_of,
    superlative,
    verb_at,
)
from verifleet.verifiers.knowledge.dates import MONTHS, Date, find_dates
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.names import PARTICLES, TITLES
from verifleet.verifiers.knowledge.places import countries_in, country_of
from verifleet.verifiers.knowledge.questions import DOERS, FUNCTION_WORDS, Question
from verifleet.verifiers.knowledge.reading import BE, CONCESSIVE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence, same_script
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, once

MAX_FRAGMENT = 6
MAX_PLAIN = 2
MAX_GAPPED = 3
MAX_SYMBOL = 3
MAX_WEIGHED = 400
"""Tokens of a response up to which it is weighed; a longer one is no answer but an essay."""
COPULAS = BE | languages.COPULAS
_NAMED = frozenset("called named known termed dubbed titled as by in on at to from the a an been".split())
SUBJECTS = listed("claims.subjects")
_ANSWERING = frozenset("answer correct right one final".split())
_FRAME = ARTICLES | listed("claims.frame")
PREPOSITIONS = languages.IN - ARTICLES | listed("claims.prepositions")
# What stands behind one of these is spoken of beside something else.
BESIDE = listed("claims.beside")
KIN = listed("claims.kin")
OPENING = listed("claims.opening")
BEATING = listed("claims.beating")
_CONTEST = frozenset("beat defeat los loser against fight play fac opponent runner vs versus over 2th".split())
NEXT = listed("claims.next")
_SEQUENCE = frozenset("follow next after succeed successor replac before predecessor preced previou former 2th".split())
_LESSER = frozenset({"2th", "3th", "4th", "runner"})
_SERVING = frozenset("with from including not rather over near outside".split())
PRONOUNS = frozenset("it he she they this her his its their them him these those which who".split())
SUBJECT_PRONOUNS = PRONOUNS - frozenset("his her its their".split())
_PERSONAL, _IMPERSONAL = frozenset("he she his her him whose".split()), frozenset({"its", "whose"})
_OTHER = frozenset("other others another different else".split())
_LINKING = PARTICLES | {"of", "the"}
_DOER_ENDINGS = ("er", "or", "ist", "ian", "man", "player")
_OPENS, _CLOSES = ("begin", "start", "open", "found", "launch"), ("end", "stop", "clos", "finish", "dissolv")
_TAKES, _GIVES = ("tak", "absorb", "inhal", "consum"), ("emit", "releas", "exhal", "expel", "giv")
_OPPOSITES = {
    "win": ("los",), "los": ("win",), "beat": ("los",), "buy": ("sell",), "sell": ("buy",), "born": ("di",),
    **dict.fromkeys(_TAKES, _GIVES), **dict.fromkeys(_GIVES, _TAKES),
    **dict.fromkeys(_OPENS, _CLOSES), **dict.fromkeys(_CLOSES, _OPENS),
}  # fmt: skip
_HELPING = listed("claims.helping")
_DEEDS = {
    word: group.split()[0]
    for group in ("defeat beat conquer vanquish overcom", "kill murder assassinat shoot slay", "buy acquir purchas",
                  "teach tutor mentor", "succeed replac follow")
    for word in group.split()
}  # fmt: skip
_CAPITALS = re.compile(r"[A-Z]\w+(?: (?:of |the |of the )?[A-Z]\w+)+")
_APART = re.compile(r"[;:.!?\n—–]|\s-\s")
_EMPHASISED = re.compile(r"(?<![*_\w])([*_]{1,2})(?=[^\s*_])[^*_\n]{1,120}\1(?![*_\w])")
"""Titles in Markdown."""
_BOTH_SIDES = frozenset({"whereas", "while"})
"""Between two clauses these set one beside the other, and concede neither."""
_FORMER = frozenset("previously formerly former earlier later afterwards once originally initially until".split())
_THOUGHT = listed("claims.thought")
_OBJECTS = frozenset("his her its their it him them this that these those".split())
_LABELS = listed("claims.labels")
_SPEAKERS = frozenset("i we you he she it they".split())
_TURNED = frozenset("but so thus hence therefore".split())
_ADDING = CONCESSIVE - {"whereas"} | {"because", "since", "as", "after", "before"}
_IN_OTHER_WORDS = frozenset(
    "i.e ie namely meaning equals words call calls spelled signed decir aka alias became turned renamed".split()
)
_CONCLUDING = frozenset("so therefore thus hence consequently".split())
_UNLED = languages.NOT | listed("claims.unled")
_BEFORE_NAMES = FUNCTION_WORDS | OPENING | _FRAME | BESIDE | languages.NOT | languages.COPULAS
_POSSESSIVE = frozenset("his her their".split())
_TURNING = frozenset("but however yet actually aber sondern pero sino mais mas но".split())
_AFTER_VERBS = frozenset("by when after with in through at under".split())
"""What stands behind a verb without an object: `the war ended with X`."""
_HONOURS = frozenset("credit honor honors honour honours status crown title prize award distinction".split())
CREDITED = frozenset("associated credited attributed ascribed due belongs goes went thanks".split())
_RELATED = {
    ("similar", "to"), ("related", "to"), ("next", "to"), ("compared", "to"), ("compared", "with"), ("named", "after"),
    ("common", "with"), ("came", "before"), ("came", "after"), ("opposite", "of"),
}  # fmt: skip
_COMPARING = frozenset("than unlike near like resembles versus vs besides without alias".split())
_OF_THEM = [["of", word] for word in ("whom", "which")]
_BORN = frozenset("born nee formerly originally aka".split())
_ACCOMPANYING = frozenset("with including featuring alongside besides".split())
_PLACING = frozenset("in at near around".split())
_SOMEBODY = frozenset("man woman person one guy fellow brother sister".split())
_ROOT = 5
"""Letters that forms of one word share at least, in any language."""
_PRESENT, _PAST = frozenset("is are has have does do".split()), frozenset("was were did had used".split())
_PLURAL = frozenset("are were have do both each all share".split())
_NOBODY = frozenset("neither no none nothing nobody".split())
_ABOUT = frozenset("about around roughly approximately".split())
_STRESSING = frozenset("far many much even still".split())
_MIGHT = frozenset("might may could will".split())
_MAYBE = frozenset("maybe perhaps possibly alternatively".split())


class Stance(IntEnum):
    """What a place claims for the thing that stands there."""

    SPOKEN_OF = 0
    UNCLEAR = 1
    PUT_FORWARD = 2
    ANSWERS = 3
    """Put forward in the question's own words."""


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


@lru_cache(maxsize=1024)
def sought(
    question: Question,
    prompted: Prompted,
    said: frozenset[str],
    kind: str,
    dates: tuple[Date, ...] = (),
    person: bool = False,
    common: bool = False,
) -> Sought:
    """What a question seeks, with the expected answer's words and kind known."""
    words = [w for w in prompted.words if w not in ARTICLES]
    sort = words[1:2] if words[:1] in (["which"], ["what"]) and words[2:3] and words[1] not in BE else []
    plain = (
        w
        for w in prompted.words
        if w not in FUNCTION_WORDS | PREPOSITIONS | PRONOUNS
        and (len(w) > 1 or w.isdigit())
        and w not in sort
        and w != question.kind
    )
    terms = frozenset(lemma(w) for w in plain)
    capitals = {w.strip("'\"?.,“”‘’").lower() for w in prompted.text[:500].split()[1:] if w[:1].isupper()}
    dated = {c for a, b, c in zip(words, words[1:], words[2:], strict=False) if (a, b) == ("as", "of")}
    proper = frozenset(lemma(w) for w in words if w in capitals or (w.isdigit() and len(w) == 4 and w not in dated))
    numbered = frozenset((a, b) for a, b in pairwise(prompted.words) if b.isdigit() and a not in ("in", "the"))
    verb, slot = _verb_and_slot(words, question, proper)
    if kind == "name" and (question.asked == "where" or _asks_in_which(words)):
        slot = "place"
    present = _is_present(prompted.words)
    runs = _CAPITALS.findall(prompted.text[:500])
    initials = frozenset("".join(w[0] for w in run.split() if w[0].isupper()).lower() for run in runs)
    return Sought(
        kind, said, dates, terms, proper, verb, slot, person, numbered, "".join(sort), common, present, initials
    )


def _is_present(words: Sequence[str]) -> bool:
    """`is`, with no `was` or `used to` beside it."""
    return not _PRESENT.isdisjoint(words) and _PAST.isdisjoint(words)


def _asks_in_which(words: Sequence[str]) -> bool:
    return words[:1] in (["in"], ["on"], ["at"]) and words[1:2] in (["which"], ["what"])


def _verb_and_slot(words: Sequence[str], question: Question, proper: Collection[str]) -> tuple[str, str]:
    """`who invented`, `which company bought`: (invent, agent); `which gas do plants absorb`: (absorb, patient)."""
    words = words[words.index("who") :] if "who" in words[1:] and words[0] in PREPOSITIONS else words
    if _asks_in_which(words):
        return _main_verb(words, proper) if is_verb(words[-1]) or "did" in words else "", ""
    helped = {"did", "do", "does"} & set(words[1:4])
    passive = {"was", "were"} & set(words[1:5]) and is_verb(words[-1])
    if len(words) > 2 and (helped or passive) and question.asked not in ("who", ""):
        return _main_verb(words, proper), "patient" if question.asked == "what" and not passive else ""
    if question.asked not in ("who", "what") or len(words) < 3:
        return "", ""
    if words[1] in BE and words[2] in DOERS:
        return lemma(words[2]), "agent"  # "who is the founder of"
    of_several = words[1] == "of"
    for at in range(1, MAX_FRAGMENT if of_several else 4):
        present = (
            words[0] == "who"
            if at == 1
            else not of_several and not words[at - 1][:1].isdigit() and not words[at - 1].endswith("s")
        )
        if at < len(words) - 1 and words[at] not in BE | _HELPING and is_verb(words[at], third_person=present):
            return lemma(words[at]), "agent"
        if words[at : at + 1] and words[at] in BE | _HELPING:
            return "", ""
    return "", ""


def _main_verb(words: Sequence[str], proper: Collection[str]) -> str:
    """The verb behind "did": the last plain word that no preposition or number comes before."""
    for at in range(len(words) - 1, 1, -1):
        plain = lemma(words[at]) not in proper and words[at] not in FUNCTION_WORDS | PREPOSITIONS
        plain = plain and not words[at].isdigit()
        if plain and words[at - 1] not in PREPOSITIONS:
            return lemma(words[at])
    return ""


def stances(reading: Reading, occurrence: Occurrence, asked: Sought) -> Stance:
    """What the response claims at one place."""
    pieces = [_with_end(reading, p, occurrence) for p in pieces_of(reading) if occurrence.start in p]
    found = [_stance(reading.tokens, p, occurrence, asked) for p in pieces]
    return max(found, default=Stance.UNCLEAR)


def _with_end(reading: Reading, piece: Piece, occurrence: Occurrence) -> Piece:
    """A clause that is cut inside the place ("Lund, Sudria is the second") goes on behind it."""
    if occurrence.end - 1 in piece:
        return piece
    rest = next((p.tokens for p in pieces_of(reading) if occurrence.end - 1 in p), ())
    return replace(piece, tokens=tuple(sorted({*piece.tokens, *rest})))


def _about(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> int:
    """How many of the question's terms are said; 0 if they are said of something else of the same kind."""
    words = [tokens[i] for i in places]
    lemmas = {lemma(t.base) for t in words} | {lemma(t.text) for t in words}
    if any(t.capital and t.text in asked.initials for t in words):
        lemmas |= asked.proper  # "the UN"
    shared = lemmas & asked.terms | {t for t in asked.terms if doings_of(t) & lemmas}
    shared |= asked.terms & {r for w in lemmas for r in doings_of(w)} | asked.terms & degrees(words)
    only_names = not asked.verb and shared <= asked.proper < asked.terms
    if only_names and not any(t.base in PRONOUNS or _does(t) for t in words):
        return 0  # "is in France"
    other = any(t.text in _OTHER and after.text not in ("words", "hand") for t, after in pairwise(words))
    if not shared or (other and not lemmas & asked.proper):
        return 0
    if any(t.base in SUBJECT_PRONOUNS for t in words):
        return len(shared)
    if _done_to_another(words, asked):
        return 0
    if asked.proper and not asked.proper & lemmas:
        others = [t for t in words if t.capital and not t.number and t.text not in FUNCTION_WORDS | OPENING]
        if asked.kind == "name" and _names(tokens, places, asked):
            return 0  # "wrote Dracula", where Frankenstein was asked for
        if asked.kind != "name" and others:
            return 0
    return len(shared)


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


def _done_to_another(words: Sequence[Token], asked: Sought) -> bool:
    """`painted the bridge`, where the question asks who painted the harbour."""
    did = (n for n, t in enumerate(words) if lemma(t.text) == asked.verb and t.text not in DOERS)
    at = next(did, None) if asked.slot == "agent" else None
    behind = words[at + 1 :] if at is not None else ()
    if not behind or behind[0].text == "by" or (at and words[at - 1].text in BE):
        return False
    done_to = [t for t in behind if not t.number and t.text not in FUNCTION_WORDS and not t.text.endswith("ly")]
    return bool(done_to) and not any({lemma(t.base), lemma(t.text)} & asked.terms for t in done_to)


def _other_year(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> bool:
    """`won in 2014`, where 2018 was asked for."""
    wanted = {p for p in asked.proper if p.isdigit()}
    years = {t.text for i in places if (t := tokens[i]).number and len(t.text) == 4 and t.text.isdigit()}
    short = {t.text for i in places if (t := tokens[i]).number and t.gap[-1:] in ("'", "’", "‘")}
    years |= {year[:2] + t for t in short for year in wanted if len(t) == 2}
    return bool(wanted and years) and asked.kind != "number" and not years & wanted


def _other_number(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> bool:
    """`season 3`, `the square root of 121`, where season 1 and the root of 144 were asked for."""
    pairs = {(tokens[i - 1].text, tokens[i].text) for i in places if i and tokens[i].number}
    words = {word for word, _ in asked.numbered}
    return not pairs & asked.numbered and any(word in words for word, _ in pairs)


def _stance(tokens: Sequence[Token], piece: Piece, occurrence: Occurrence, asked: Sought) -> Stance:
    inside = [i for i in piece.tokens if i < occurrence.start]
    behind = [i for i in piece.tokens if i >= occurrence.end]
    about = _about(tokens, [*inside, *behind], asked)
    if asked.kind == "number" and behind and not (verb_at(tokens, behind[0]) or tokens[behind[0]].text in PREPOSITIONS):
        behind = behind[1:]  # the unit
    opening = ARTICLES | CONJUNCTIONS
    before = [i for n, i in enumerate(inside) if tokens[i].text not in (ARTICLES if n else opening)]
    concluded = about or tokens[piece.tokens[0]].text in _CONCLUDING
    concluded = concluded or any(tokens[i].text in _HONOURS for i in piece.tokens)
    if concluded and _is_credited(tokens, occurrence.start) and occurrence.start - 2 in piece:
        return Stance.PUT_FORWARD
    if _aside(tokens, piece, occurrence, inside, before, behind, about, asked):
        return Stance.SPOKEN_OF
    rest = [*inside, *behind]
    lemmas = {lemma(tokens[i].text) for i in rest}
    if asked.present and is_bygone([tokens[i].text for i in piece.tokens]):
        return Stance.SPOKEN_OF
    own = asked.verb in lemmas
    pronoun = any(_points(tokens, i, occurrence) for i in rest) or _takes_up(tokens, inside)
    last = [tokens[i].text for i in before[-2:]]
    if last[1:] == ["by"] and lemma(last[0]) in BEATING:
        return Stance.PUT_FORWARD  # "overtaken by X"
    beating = asked.verb == "win" and behind and deed_of(tokens[behind[0]].text) == "defeat"
    if beating and all(is_frame(tokens[i], asked) for i in before):
        return Stance.PUT_FORWARD  # "X beat Y"
    if not lemmas.isdisjoint(_OPPOSITES.get(asked.verb, ())):
        undergone = asked.slot == "agent" and last[-1:] == ["to"]  # "lost to X"
        return Stance.PUT_FORWARD if undergone else Stance.SPOKEN_OF
    if asked.verb and not own and any(_does(tokens[i]) for i in rest):
        return Stance.UNCLEAR if about or pronoun else Stance.SPOKEN_OF
    found = _claimed(tokens, piece, occurrence, before, behind, about, asked)
    if piece.label and found is Stance.PUT_FORWARD and not _answers(tokens, piece.label, asked):
        return Stance.UNCLEAR
    told = any(tokens[i].text in COPULAS for i in before)
    full = (own and about and (pronoun or told)) or (about > 1 and (own or not asked.verb))
    return Stance.ANSWERS if found is Stance.PUT_FORWARD and full else found


def is_bygone(words: Sequence[str]) -> bool:
    """`X used to be the largest`, `X was long believed to be`."""
    if {"was", "were"}.intersection(words) and ("until" in words or ("before", "that") in pairwise(words)):
        return True
    return ("used", "to") in pairwise(words) or not ({"was", "were"}.isdisjoint(words) or _THOUGHT.isdisjoint(words))


def _answers(tokens: Sequence[Token], label: Sequence[int], asked: Sought) -> bool:
    """`The answer:`, `The capital:`, `In short:`, but not `See also:`."""
    words = [tokens[i] for i in label]
    own = any(t.base in SUBJECTS or lemma(t.base) in asked.terms or t.text == asked.sort for t in words)
    return own or all(is_frame(t, asked) and t.text not in TITLES for t in words)


def _points(tokens: Sequence[Token], at: int, occurrence: Occurrence) -> bool:
    """A pronoun may stand for what is asked; "its" behind the thing is the thing's own: `X is famous for its food`."""
    word = tokens[at].base
    if at and tokens[at - 1].text in BESIDE | {"around", "about"}:
        return False
    return word in SUBJECT_PRONOUNS or (word in PRONOUNS and at < occurrence.start)


def _aside(
    tokens: Sequence[Token], piece: Piece, occurrence: Occurrence, inside: Sequence[int], before: Sequence[int],
    behind: Sequence[int], about: int, asked: Sought,
) -> bool:  # fmt: skip
    """The thing stands beside another, behind it, in another year, or is counted by another noun."""
    rest = [*inside, *behind]
    if (
        _other_year(tokens, rest, asked)
        or _other_number(tokens, rest, asked)
        or _owns(tokens, occurrence, behind, asked)
        or _is_beside(tokens, before, asked)
    ):
        return True
    if piece.trails and len(inside) == MAX_GAPPED and tokens[inside[1]].capital and tokens[inside[2]].text in ARTICLES:
        return True  # "Juliet is a Y, and Romeo a X"
    if not asked.terms & _LESSER and any(tokens[i].text in _LESSER for i in behind[:4]):
        return True
    last = tokens[before[-1]].text if before else ""
    if last == "about" and asked.kind != "number" and not any(tokens[i].base == "i" for i in before):
        return True  # "whatever they say about X"
    if asked.kind == "number" and _counts_others(tokens, occurrence.end, asked):
        return True
    if [tokens[i].text for i in range(occurrence.end, min(occurrence.end + 2, len(tokens)))] in _OF_THEM:
        return True
    if not about and (_governed(tokens, piece, before) or _opens_topic(tokens, piece)):
        return True
    valued = asked.kind == "number" and not asked.dates  # "the age of 35"
    if last == "of" and not valued and len(before) > 1 and lemma(tokens[before[-2]].base) in asked.terms:
        return not any(tokens[i].text in COPULAS for i in before)  # "the capital of X"
    beside = [i for i in (before if piece.trails else before[-2:]) if tokens[i].text in BESIDE]
    if beside and (not _about(tokens, inside, asked) or (piece.trails and beside[0] == before[0])):
        return True
    return piece.aside and bool(rest) and not _about(tokens, rest, asked)


def _governed(tokens: Sequence[Token], piece: Piece, before: Sequence[int]) -> bool:
    """`there is a film about X`, `the road to X is long`: what a noun of the clause has behind a preposition."""
    if len(before) < MAX_PLAIN or tokens[before[-1]].text not in PREPOSITIONS | {"about"}:
        return False
    noun = tokens[before[-2]]
    plain = not (noun.capital or noun.number or verb_at(tokens, before[-2]) or noun.text in FUNCTION_WORDS | _FRAME)
    told = any(verb_at(tokens, i) for i in piece.tokens) or tokens[piece.tokens[0]].text.endswith("ing")
    told = told or (piece.trails and tokens[before[-1]].text not in ("of", "by"))
    return plain and told and not any(tokens[i].base in PRONOUNS for i in before)


def _opens_topic(tokens: Sequence[Token], piece: Piece) -> bool:
    """`As for X, ...`, `Speaking of X, ...`: what is said of it comes behind."""
    words = [tokens[i].text for i in piece.tokens[:2]]
    return words in (["as", "for"], ["as", "to"]) or (words[0].endswith("ing") and words[1:] == ["of"])


def _claimed(
    tokens: Sequence[Token], piece: Piece, occurrence: Occurrence, before: Sequence[int], behind: Sequence[int],
    about: int, asked: Sought,
) -> Stance:  # fmt: skip
    """What the form of the clause claims for the thing: "it is X", "X is the capital", "X wrote it"."""
    copula = next((n for n in range(len(before) - 1, -1, -1) if tokens[before[n]].text in COPULAS), None)
    if copula is not None and _equates(tokens, before, copula, asked):
        equated = _equated(tokens, before, copula, about, asked)
        return Stance.UNCLEAR if piece.trails and equated is Stance.PUT_FORWARD else equated
    framed = all(is_frame(tokens[i], asked) and not _does(tokens[i]) for i in before)
    ends = (
        asked.kind == "word" and not behind and not any(tokens[i].number for i in before)
    )  # "men's singles figure skating"
    if framed or _described(tokens, before, asked) or (ends and not _has_verb_or_link(tokens, before)):
        return _headed(tokens, piece, behind, about, asked)
    if about:
        return Stance.PUT_FORWARD if _on_its_side(tokens, before, behind, asked) else Stance.UNCLEAR
    return _elsewhere(tokens, before, asked)


def _is_beside(tokens: Sequence[Token], before: Sequence[int], asked: Sought) -> bool:
    """`after X`, `south of X`, `defeating X`, `followed by X`: X is another thing than the one asked for."""
    words = [tokens[i].text for i in before if tokens[i].text != "of"]
    titled = len(words) > 1 and words[-1] in TITLES | _ABOUT and tokens[before[-1]].text != "of"
    words = words[:-1] if titled else words
    words = words[:-2] if words[-2:] == ["since", "then"] else words
    words = words[:-1] if words[-1:] == ["by"] and words[-2:-1] and words[-2] in NEXT else words
    words = words[:-1] if words[-1:] in (["out"], ["past"]) else words
    word = words[-1] if words else ""
    if not _NOBODY.isdisjoint(words):
        return False
    if lemma(word) in BEATING:
        return not asked.terms & _CONTEST
    if word in NEXT:
        return not asked.terms & _SEQUENCE and "until" not in words
    if _dwarfs(tokens, before, asked):
        return True
    return word in BESIDE - _SERVING and lemma(word) not in asked.terms


def _dwarfs(tokens: Sequence[Token], before: Sequence[int], asked: Sought) -> bool:
    """`Y dwarfs X`, `Y tops even X`, where the greatest is asked for: a plain word between two names is a verb."""
    places = [i for i in before if tokens[i].text != "even"]
    if asked.verb or asked.kind != "name" or len(places) < MAX_PLAIN or tokens[places[-1]].gap != " ":
        return False
    verb, subject = tokens[places[-1]], tokens[places[-2]]
    plain = verb.text.endswith(("s", "ed")) and not verb.capital and lemma(verb.text) not in asked.terms
    plain = plain and verb.text not in COPULAS | FUNCTION_WORDS | BESIDE
    named = subject.capital and not subject.number and subject.text not in FUNCTION_WORDS | PRONOUNS | OPENING
    return plain and named and any(term.endswith("est") or term == "most" for term in asked.terms)


def _owns(tokens: Sequence[Token], occurrence: Occurrence, behind: Sequence[int], asked: Sought) -> bool:
    """`X's assistant`: not X is meant, unless the question speaks of an assistant."""
    last, plain = tokens[occurrence.end - 1], [i for i in behind if tokens[i].text not in ARTICLES]
    return last.text != last.base and bool(plain) and lemma(tokens[plain[0]].base) not in asked.terms


def _equated(tokens: Sequence[Token], before: Sequence[int], copula: int, about: int, asked: Sought) -> Stance:
    """What stands before "is X" decides what is claimed for X."""
    subject = [t for i in before[:copula] if (t := tokens[i]).text not in _HELPING]
    head = list(takewhile(lambda t: t.base not in ("i", "we", "you"), subject[1:]))  # "the one that you mean"
    hollow = all(t.base in SUBJECTS or is_frame(t, asked) for t in [*subject[:1], *head][-1:])
    if hollow or about or tokens[before[copula]].text not in BE:
        return Stance.PUT_FORWARD
    if asked.slot == "agent" and tokens[before[-1]].text == "by" and not any(t.capital for t in subject[1:]):
        return Stance.UNCLEAR  # "the music is by X"
    definite = len(subject) == 1 and not subject[0].capital and tokens[before[0] - 1].text == "the"
    if asked.person and definite and subject[0].text in _SOMEBODY:
        return Stance.PUT_FORWARD  # "the man who showed it was X"
    if len(subject) == MAX_PLAIN and subject[0].text in PRONOUNS and not subject[1].capital:
        return Stance.PUT_FORWARD  # "her successor was X"
    return Stance.UNCLEAR if any(t.text in PRONOUNS for t in subject) else Stance.SPOKEN_OF


def _does(token: Token) -> bool:
    """A verb with a meaning of its own."""
    return not token.capital and token.text not in BE | _HELPING and is_verb(token.text)


def _headed(tokens: Sequence[Token], piece: Piece, behind: Sequence[int], about: int, asked: Sought) -> Stance:
    """The thing opens its clause: alone, or with something said of it."""
    after = tokens[behind[0]] if behind else None
    if after is None or (after.text in PREPOSITIONS and not any(verb_at(tokens, i) for i in behind)):
        return Stance.UNCLEAR if piece.trails and not about else Stance.PUT_FORWARD
    said = {tokens[i].text for i in behind}
    if [tokens[i].text for i in behind if tokens[i].text != "it"] in [[word] for word in COPULAS | _HELPING]:
        return Stance.PUT_FORWARD  # "X did"
    asker = {"you", "your"} & said
    if after.text in COPULAS and (said & _ANSWERING or asker) and len(behind) <= MAX_FRAGMENT:
        return Stance.PUT_FORWARD  # "X is right", "X is what you want"
    if about:
        return Stance.PUT_FORWARD if asked.slot != "patient" or after.text in COPULAS else Stance.UNCLEAR
    own = [tokens[i] for i in behind if tokens[i].text not in FUNCTION_WORDS | _FRAME | UNITS]
    if not own or tokens[behind[0]].number:
        return Stance.UNCLEAR
    if not any(verb_at(tokens, i) for i in piece.tokens) and (
        after.text == "and" or (asked.kind == "number" and not piece.trails)
    ):
        return Stance.UNCLEAR  # "X and four companions", "eleven a side"
    if {tokens[i].text for i in behind} & {"it", "them", "him", "her", "this", "that", "so"}:
        return Stance.UNCLEAR  # "X did it"
    if asked.verb == lemma(after.text) and [tokens[i].text for i in behind[1:2]] == ["the"] and len(own) == MAX_PLAIN:
        return Stance.UNCLEAR  # "X led the country then"
    return Stance.SPOKEN_OF


def is_frame(token: Token, asked: Sought) -> bool:
    """Whether a word only frames an answer: `the answer is`, a title, a word of the question."""
    word = token.text
    return (
        word in _FRAME
        or token.base in _FRAME
        or (word.endswith("ly") and len(word) > 4)
        or word in TITLES
        or lemma(token.base) in asked.terms
        or word == asked.sort
    )


def _described(tokens: Sequence[Token], before: Sequence[int], asked: Sought) -> bool:
    """`English author X`, `the gas giant X`: plain words before a name, with no verb or preposition among them."""
    if asked.kind != "name":
        return False
    words = [tokens[i] for i in before]
    return not any(
        is_verb(t.text) or (t.text in PREPOSITIONS | BESIDE and t.text != "of") or t.text in KIN or t.number
        for t in words
    )


def _has_verb_or_link(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    return any(verb_at(tokens, i) or tokens[i].text in PREPOSITIONS | BESIDE | _UNLED | CONJUNCTIONS for i in places)


def _equates(tokens: Sequence[Token], before: Sequence[int], copula: int, asked: Sought) -> bool:
    """Nothing but a description stands between "is" and the thing."""
    between = [tokens[i] for i in before[copula + 1 :]]
    if not between:
        return True
    verbs = [t for t in between if is_verb(t.text) or t.text.endswith("ing")]
    if verbs and not any(t.text in ("called", "named", "known") for t in verbs):
        return bool({lemma(t.text) for t in verbs} & asked.terms) and between[-1].text in _NAMED
    return len(between) <= MAX_FRAGMENT


def _on_its_side(tokens: Sequence[Token], before: Sequence[int], behind: Sequence[int], asked: Sought) -> bool:
    """The thing stands on the side of the verb on which the question asks for it."""
    by = any(tokens[i].text == "by" for i in before[-4:])
    here = [n for n in before if lemma(tokens[n].text) == asked.verb]
    there = [n for n in behind if lemma(tokens[n].text) == asked.verb]
    if asked.slot == "agent":
        inverted = tokens[before[0]].text in PREPOSITIONS | BESIDE and here[-1:] == before[-1:] if before else False
        return by or not here or inverted  # "between the two lies X"
    return not there or any(tokens[i].text in BE for i in behind[:2])


def _elsewhere(tokens: Sequence[Token], before: Sequence[int], asked: Sought) -> Stance:
    """The clause has neither the question's words nor its form: "animals breathe out X"."""
    own = [i for i in before if tokens[i].text not in FUNCTION_WORDS and not is_frame(tokens[i], asked)]
    verb = any(verb_at(tokens, i) for i in before)
    told = asked.kind == "word" and len(own) > 1 and not tokens[before[0]].text.endswith("ed")
    pronoun = any(tokens[i].base in PRONOUNS for i in before)
    return Stance.SPOKEN_OF if (verb or told) and not pronoun else Stance.UNCLEAR


def _takes_up(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """`the tournament was staged in`: a definite subject of one plain word stands for what was spoken of."""
    n = next((n for n, i in enumerate(places) if tokens[i].text not in CONJUNCTIONS | ARTICLES), 0)
    subject = places[n : n + 1]
    defined = any(i and tokens[i - 1].text == "the" and not tokens[i].capital for i in subject)
    return defined and n + 1 < len(places) and tokens[places[n + 1]].text in BE


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


def exchanged(reading: Reading, occurrence: Occurrence, asked: Sought) -> bool:
    """`Napoleon defeated X`, where the question asks who defeated Napoleon."""
    if asked.slot != "agent" or not asked.verb:
        return False
    tokens = reading.tokens
    piece = next((p for p in pieces_of(reading) if occurrence.start in p), None)
    if piece is None:
        return False
    inside = [i for i in piece.tokens if i < occurrence.start]
    deeds = [deed_of(tokens[i].text) if tokens[i].text not in DOERS else "" for i in inside]
    at = next((n for n, deed in enumerate(deeds) if n and deed == deed_of(asked.verb)), None)
    if at is None:
        behind = [i for i in piece.tokens if i >= occurrence.end]
        by = next((n for n, i in enumerate(behind) if n > 1 and tokens[i].text == "by"), None)
        passive = [tokens[i].text for i in behind[by - 2 : by]] if by else []
        done = bool(by and passive[0] in BE and lemma(passive[1]) == asked.verb)
        return done and any(lemma(tokens[i].base) in asked.proper for i in behind[by or 0 :])
    between = [tokens[i] for i in inside[at + 1 :]]
    if tokens[inside[at - 1]].text in BE or any(t.text in _AFTER_VERBS for t in between):
        return False
    return any(lemma(tokens[i].base) in asked.proper for i in inside[:at])


def one_place(reading: Reading, rival: Occurrence, kept: Sequence[Occurrence], asked: Sought) -> bool:
    """`on the edge of Y, in X`, `in Y, X`: where a place is asked for, one in the other; or Y is who was born in X."""
    if asked.slot != "place":
        return False
    tokens = reading.tokens
    if asked.verb and any(asked.verb == lemma(tokens[i].text) for p in pieces_of(reading) if rival.start in p
                          for i in p.tokens if i >= rival.end):  # fmt: skip
        return True
    for place in kept:
        between = range(min(rival.end, place.end), max(rival.start, place.start))
        alike = not any(_APART.search(tokens[i].gap) for i in [*between, max(rival.start, place.start)])
        apart = CONJUNCTIONS | _MAYBE
        if alike and stances(reading, place, asked) and not any(verb_at(tokens, i) or tokens[i].text in apart
                                                                for i in between):  # fmt: skip
            return True
    return False


# --- rivals ----------------------------------------------------------------------


def rivals(reading: Reading, asked: Sought) -> list[Occurrence]:
    """Other things of the sought kind that the response puts forward, in order."""
    if len(reading.tokens) > MAX_WEIGHED:
        return []
    return once(reading.tokens, ("rivals", asked), lambda: _rivals(reading, asked))


def _rivals(reading: Reading, asked: Sought) -> list[Occurrence]:
    tokens = reading.tokens
    found = []
    plain, labels = asked.kind == "word", {p.label for p in pieces_of(reading) if _is_labelled(tokens, p, asked)}
    accompanied = False
    for piece in pieces_of(reading):
        opening = tokens[piece.tokens[0]].text
        accompanied = piece.trails and not _is_told(tokens, piece) and (accompanied or opening in _ACCOMPANYING)
        if piece.tokens in labels or accompanied or (piece.aside and opening in _BORN):
            continue
        spans = [span for span in candidates(reading, piece, asked) if not _in_title(reading, span[0], asked)]
        spans = [span for span in spans if not (asked.person and _is_placed(tokens, span[0]))]
        found += [
            occurrence
            for start, end in spans
            if not _was_thought(tokens, piece)
            and not _sets_scene(tokens, piece, start, asked)
            and _stance(tokens, piece, occurrence := Occurrence(start, end), asked)
            >= (Stance.PUT_FORWARD if plain or not (tokens[start].capital or tokens[start].number) else Stance.UNCLEAR)
        ]
    return found


def _is_placed(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at].gap == " " and tokens[at - 1].text in _PLACING


def _in_title(reading: Reading, at: int, asked: Sought) -> bool:
    """Whether a name stands in an emphasised title that names what is asked about: `*Candide, or Optimism*`."""
    place = reading.tokens[at].start
    titles = once(reading.tokens, "titles", lambda: [m.span() for m in _EMPHASISED.finditer(reading.text)])
    return any(
        start < place < end
        and any(
            t.base in asked.proper or lemma(t.base) in asked.proper for t in reading.tokens if start < t.start < end
        )
        for start, end in titles
    )


def _is_labelled(tokens: Sequence[Token], piece: Piece, asked: Sought) -> bool:
    """`Gold: X`, but not `Y: X is older` and `Y: the largest`, where the label is what the rest is said of."""
    verbal = any(verb_at(tokens, i) for i in piece.tokens)
    return asked.kind == "name" and not verbal and any(tokens[i].capital for i in piece.tokens)


def candidates(reading: Reading, piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """The other things of the sought kind in a clause."""
    if asked.kind == "name":
        tokens, names = reading.tokens, _names(reading.tokens, piece.tokens, asked)
        plain = _words(tokens, piece, asked) if asked.common else []
        return names + [s for s in plain if tokens[s[0] - 1].text not in ("a", "an") and s[0] not in dict(names)]
    return (_numbers if asked.kind == "number" else _words)(reading.tokens, piece, asked)


def _sets_scene(tokens: Sequence[Token], piece: Piece, at: int, asked: Sought) -> bool:
    """`At the council of Y, ...`, where a doer is asked for; `it was founded by Y`, where none is."""
    before = [tokens[i].text for i in piece.tokens if i < at and tokens[i].text not in ARTICLES]
    if asked.slot == "agent":
        return before[:1] in (["at"], ["during"], ["in"], ["on"]) and COPULAS.isdisjoint(before) and "by" not in before
    return not asked.verb and before[-1:] == ["by"]


def _was_thought(tokens: Sequence[Token], piece: Piece) -> bool:
    """`was long thought to be Y`, `previously Y`: what was believed or was so, not what is."""
    return any(tokens[i].text in _THOUGHT | _FORMER for i in piece.tokens)


def _numbers(tokens: Sequence[Token], piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """Other dates where the answer is a day or month, else other numbers."""
    if any(d.month is not None for d in asked.dates):
        dates = [d for d in find_dates(tokens) if d.start in piece]
        years = {str(d.year) for d in asked.dates}
        found = [(d.start, d.end) for d in dates if not any(d.agrees(meant) for meant in asked.dates)]
        if found or dates or not years & asked.said:
            return found
        return [(i, i + 1) for i in piece.tokens if _is_rival_number(tokens, i, asked) and tokens[i].text not in years]
    dated = {i for d in find_dates(tokens) for i in range(d.start, d.end)}
    return [
        (i, i + 1)
        for i in piece.tokens
        if _is_rival_number(tokens, i, asked) and (i not in dated or len(tokens[i].text) == 4)
    ]


def _is_rival_number(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    token = tokens[at]
    if (
        not token.number
        or token.text in asked.said | asked.proper | {n for _, n in asked.numbered}
        or token.text.endswith("th")
    ):
        return False
    years = any(len(w) == 4 and w.isdigit() for w in asked.said)
    if years != (len(token.text) == 4 and token.text.isdigit()):
        return False
    listed = at + 1 < len(tokens) and tokens[at + 1].gap.startswith((". ", ") ")) and token.end - token.start < 3
    listed = listed and ((at == 0 and token.text == "1") or "\n" in token.gap)
    return not listed


def _counts_others(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    """`300 concubines`, where wives were asked for: what stands behind a number is no thing of the question."""
    counted = tokens[at] if at < len(tokens) else None
    if counted is None or "many" not in asked.terms or counted.gap != " " or counted.number:
        return False
    plain = not is_verb(counted.text) and counted.text not in FUNCTION_WORDS | PREPOSITIONS | BESIDE | CONJUNCTIONS
    return plain and lemma(counted.base) not in asked.terms


def _names(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> list[tuple[int, int]]:
    """Runs of capitalised words that are neither the expected answer nor the question's, months or openings."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    last = -2
    for i in [*places, -1]:
        token = tokens[i] if i >= 0 else None
        joined = token is not None and start is not None and i == last + 1 and not token.gap.strip(" -.\"'“”‘’*_\u00a0")
        named = token is not None and token.capital and not token.number and token.text not in ARTICLES
        numeral = token is not None and token.number and len(token.text) < 3
        reign = numeral and ((token is not None and token.capital) or any(w.isdigit() for w in asked.said))
        if start is not None and joined and token is not None and (named or reign or token.text in _LINKING):
            last = i
            continue
        if start is not None:
            end = last + 1
            while end > start and tokens[end - 1].text in _LINKING and not tokens[end - 1].capital:
                end -= 1
            while start < end - 1 and tokens[start].text in _BEFORE_NAMES:
                start += 1
            if _is_rival(tokens, start, end, asked):
                found.append((start, end))
            start = None
        if named:
            start, last = i, i
    return found


def _may_be_same(words: Sequence[Token], asked: Sought) -> bool:
    """A name that shares words with the answer, unless its numeral or all but its last word is another one."""
    shared = [t for t in words if len(t.text) > 1 and not t.number and {t.base, t.text} & asked.said - TITLES]
    others = [t for t in words if not {t.base, t.text} & asked.said]
    if len(words) == 1 < len(asked.said) and sorted(words[0].text) == sorted(word[0] for word in asked.said):
        return True  # "MJ"
    if any(t.number for t in others) and any(w.isdigit() for w in asked.said):
        return False  # "George IV" for George III
    if asked.person and shared == words[-1:] and len(words) > 1 and _is_first_name(words[0], asked):
        return False  # "Charlotte Brontë" for Emily
    if asked.person and shared == words[:1] and len(words) == 2 and words[0].text not in TITLES and len(asked.said) > 1:
        return False  # "Henry Thomas" for Henry Ford
    return bool(shared) and (
        asked.person or shared not in (words[:1], words[-1:]) or len(words) < 2
    )  # "Atlantic Ocean"


def _is_first_name(word: Token, asked: Sought) -> bool:
    """No title or initial, and no form of a name that is known: `Percy` for Mary, but not `Marie`."""
    alike = len(asked.said) < 2 or any(word.text[:1] == known[:1] for known in asked.said)
    return len(word.text) > 2 and word.text not in TITLES | _BEFORE_NAMES and not alike


def _is_rival(tokens: Sequence[Token], start: int, end: int, asked: Sought) -> bool:
    words = [t for t in tokens[start:end] if t.text not in _LINKING]
    if not words or _may_be_same(words, asked):
        return False
    if words[-1].text != words[-1].base and any(t.gap == " " and t.base in asked.said for t in tokens[end : end + 1]):
        return False  # "Bell's telephone"
    if not any(same_script(words[0].text, word) for word in asked.said):
        return False  # "Оттава (Ottawa)"
    if all(
        lemma(t.base) in asked.terms
        or t.text in MONTHS
        or t.text in ("bc", "ad")
        or t.text in FUNCTION_WORDS | OPENING | _FRAME | SUBJECTS | BESIDE
        or (t.text in TITLES and (len(words) > 1 or not start or t.gap != " "))
        or (len(t.text) < 2 and min(map(len, asked.said), default=0) > MAX_SYMBOL)
        for t in words
    ):
        return False
    first = words[0]
    subject = country_of([first.text]) and (not start or first.gap != " ")
    if len(words) == 1 and end < len(tokens) and tokens[end].gap == " " and not subject:
        behind = tokens[end]
        verb = is_verb(behind.text) or lemma(behind.text) == asked.verb or _takes_an_object(tokens, end)
        plain = not behind.capital and not verb and not behind.text.endswith("ly") and lemma(behind.text) not in BEATING
        if plain and behind.text not in PREPOSITIONS | FUNCTION_WORDS | COPULAS | BESIDE | PRONOUNS | CONJUNCTIONS:
            return False  # "Historical records", "the Colombian novelist"
    opens = (not start or first.gap.strip()) and first.text.endswith("ing") and end < len(tokens)
    opens = opens and tokens[end].gap == " " and not verb_at(tokens, end)  # "Ruling out"
    plain = (
        opens
        or (first.text.endswith("ly") and not country_of([first.text]))
        or is_verb(first.text)
        or first.text in _LABELS
    )
    return not (len(words) == 1 and plain)


def _takes_an_object(tokens: Sequence[Token], at: int) -> bool:
    """A plain word with an article or the like behind it is no noun: `form the border`."""
    return at + 1 < len(tokens) and tokens[at + 1].gap == " " and tokens[at + 1].text in ARTICLES | _OBJECTS


def _words(tokens: Sequence[Token], piece: Piece, asked: Sought) -> list[tuple[int, int]]:
    """Plain words that are a piece by themselves, or follow "is" or come right before the question's verb."""
    places = [i for i in piece.tokens if tokens[i].text not in ARTICLES]
    bounds = [n for n, i in enumerate(places) if verb_at(tokens, i) or tokens[i].text in COPULAS | PREPOSITIONS]
    if bounds[:1] == [0] and not any(verb_at(tokens, i) for i in places):
        return []  # "In other words"
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
        core = core[:-1]
    if any(lemma(tokens[i].base) in asked.terms and tokens[i].gap == " " for i in whole[len(core) : len(core) + 1]):
        return None  # "internal organ", where an organ is asked for
    plain = [tokens[i] for i in core]
    if plain and not any(same_script(plain[0].text, word) for word in asked.said):
        return None
    if not 0 < len(plain) <= MAX_PLAIN or core[-1] - core[0] != len(core) - 1:
        return None
    verbal = ("ed",) if any(word.endswith("ing") for word in asked.said) else ("ed", "ing")
    if any(tokens[i].text.endswith(verbal) or (verb_at(tokens, i) and len(core) > 1) for i in core):
        return None
    for token in plain:
        if token.number or token.base in asked.said or lemma(token.base) in asked.terms:
            return None
        if token.text in FUNCTION_WORDS | OPENING | CONJUNCTIONS | _LABELS | BESIDE | _SPEAKERS | SUBJECTS | _UNLED:
            return None
    return core[0], core[-1] + 1


def idle(reading: Reading, kept: Sequence[Occurrence], asked: Sought) -> bool:
    """Whether nothing that is said of the expected answer has to do with the question: `X is old.`, `films about X`."""
    if len(reading.tokens) > MAX_WEIGHED or any(stances(reading, o, asked) for o in kept):
        return False
    tokens = reading.tokens
    taken_up = (p for p in pieces_of(reading) if not any(o.start in p for o in kept))
    if any(_has_pronoun(tokens, p) and _about(tokens, p.tokens, asked) for p in taken_up):
        return False  # "X is small, but it is the capital"
    return all(_says_nothing(reading, place, asked) for place in kept)


def _has_pronoun(tokens: Sequence[Token], piece: Piece) -> bool:
    return any(tokens[i].base in SUBJECT_PRONOUNS for i in piece.tokens)


def _says_nothing(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """A clause with a verb that has no word of the question, no pronoun, no other name and no object of its own."""
    tokens = reading.tokens
    if not reading.sentences[reading.sentence_of[place.start]].text.isascii() or _is_credited(tokens, place.start):
        return False
    for piece in (p for p in pieces_of(reading) if place.start in p):
        rest = [i for i in piece.tokens if not place.start <= i < place.end]
        verbs = [i for i in rest if verb_at(tokens, i)]
        said = tokens[rest[0]].text == "that" and not tokens[rest[0]].capital if rest else False
        if not verbs or verbs[0] == piece.tokens[0] or (asked.kind == "number" and piece.tokens[0] != place.start):
            return False
        if any(_points(tokens, i, place) or tokens[i].base in _SPEAKERS | _UNLED | {"that"} for i in rest[said:]):
            return False
        echoed = _echoed(tokens, rest, asked, 0)
        if echoed and not _of_another_object(tokens, rest, asked):
            return False
        if all(is_frame(tokens[i], asked) for i in rest) or any(_is_named(reading, i) for i in rest):
            return False
        first = next((i for i in rest if tokens[i].text not in CONJUNCTIONS), place.end)
        if tokens[first].text == "the" and verbs[0] < place.start and tokens[verbs[0] - 1].gap == " ":
            return False  # "the matches were played in X": what was spoken of before
        owned = verbs[0] >= place.end and tokens[verbs[-1]].text not in BE | _HELPING
        if not echoed and owned and _takes_an_object(tokens, verbs[-1]):
            return False
    return True


def _is_named(reading: Reading, at: int) -> bool:
    """A number or a capital word, unless it only begins the sentence."""
    token, opens = reading.tokens[at], at == reading.sentences[reading.sentence_of[at]].start
    behind = reading.tokens[at + 1 : at + 2]
    plain = token.text in FUNCTION_WORDS | OPENING | _FRAME or (opens and not any(t.capital for t in behind))
    return token.number or (token.capital and not plain)


def _of_another_object(tokens: Sequence[Token], places: Sequence[int], asked: Sought) -> bool:
    """The question's verb with another object: `X wrote a novel`, where the author of a play was asked for."""
    words = [tokens[i] for i in places]
    own = asked.slot == "agent" and asked.verb in {lemma(t.text) for t in words}
    return own and not _about(tokens, places, asked) and not any(t.base in PRONOUNS for t in words)


def weighed(
    reading: Reading, kept: Sequence[Occurrence], others: Sequence[Occurrence], asked: Sought,
    stands: Callable[[Occurrence], bool],
) -> bool:  # fmt: skip
    """Whether a rival that `stands` weighs more than every place of the expected answer.

    It does if its clause claims more, claims as much behind it in the same words of the question, concludes, or
    claims anything where the expected answer is only spoken of.
    """
    if all(_beside_another(reading, o, asked) or _is_compared(reading.tokens, o.start, asked) for o in kept):
        return True
    if all(_done_to(reading, o, asked) or _moved_away(reading, o, asked) for o in kept):
        return True
    pieces = pieces_of(reading)
    answering = (r for r in others if _leads(reading, r, asked) and _says_no_more(reading, r, asked))
    if all(_refers_back(reading, o, asked) for o in kept) and any(stands(r) for r in answering):
        return True
    put_forward = (r for r in others if stances(reading, r, asked) >= Stance.PUT_FORWARD)
    if any(all(_is_theirs(reading, o, r, asked) for o in kept) and stands(r) for r in put_forward):
        return True
    if any(
        _concludes(reading, o) and _opens_sentence(reading, o) and all(r.start < o.start for r in others) for o in kept
    ):
        return False
    led = any(_leads(reading, o, asked) for o in kept)
    others = [r for r in others if not (led and _refers_back(reading, r, asked)) and not _moved_away(reading, r, asked)]
    clauses = [p for p in pieces if any(o.start in p for o in kept)]
    best = max(_weight(reading, o, asked, own=True) for o in kept) if others else 0
    terms = [_terms(reading, o, asked) for o in kept] if others else []

    def outweighs(rival: Occurrence) -> bool:
        apart = not any(rival.start in p for p in clauses)
        apart = apart or any(rival.start in p and p not in clauses and _is_told(reading.tokens, p) for p in pieces)
        behind = rival.start > kept[-1].start
        claimed = asked.kind == "number" or stances(reading, rival, asked) >= Stance.PUT_FORWARD
        adds = behind and all(p.trails or p.aside for p in pieces if rival.start in p)
        if not claimed and (best > Stance.SPOKEN_OF or adds or not apart):
            return False
        weight, said = _weight(reading, rival, asked), _terms(reading, rival, asked)
        concludes = _concludes(reading, rival)
        alike = any(own - asked.proper and own <= said for own in terms)
        again = _is_direct(reading, rival, asked, clause=True) and _is_exclaimed(reading, rival)
        final = bool(said) and all(said - own for own in terms) and _is_direct(reading, rival, asked, clause=True)
        if (alike or concludes or again or final) and weight > Stance.UNCLEAR and behind and apart:
            return True
        if best == Stance.SPOKEN_OF and (rival.start < kept[0].start or kept[0].start not in pieces[0]):
            return weight > best
        opening = reading.tokens[reading.sentences[reading.sentence_of[rival.start]].start].text
        less = best <= Stance.UNCLEAR and apart and (opening in _TURNING or all(own <= said for own in terms))
        return weight > best + (not less)

    return any(_in_front(reading, rival) and outweighs(rival) and stands(rival) for rival in others)


def _head(reading: Reading, asked: Sought) -> Piece:
    """The first clause that says anything: not `Short version:`."""
    pieces = pieces_of(reading)
    return next((p for p in pieces if not all(is_frame(reading.tokens[i], asked) for i in p.tokens)), pieces[0])


def _leads(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """The response begins with a thing, alone or as a subject."""
    head = _head(reading, asked)
    return place.start in head and not any(verb_at(reading.tokens, i) for i in head.tokens if i < place.start)


def _says_no_more(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """`X.`, `X and three others`, `X wrote it`: no verb but the question's."""
    tokens, head = reading.tokens, _head(reading, asked)
    told = [i for i in head.tokens if i >= place.end and verb_at(tokens, i)]
    return not told or asked.verb in {lemma(tokens[i].text) for i in told}


def _refers_back(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """`his friend X`, `X, her sister`, `she showed X`: X stands beside the one that was spoken of before."""
    tokens, pieces = reading.tokens, pieces_of(reading)
    if place.start in _head(reading, asked) or stances(reading, place, asked) is Stance.ANSWERS:
        return False
    referring = _PERSONAL if asked.person else _IMPERSONAL
    at = next((n for n, p in enumerate(pieces) if place.start in p), 0)
    own = [p for p in pieces if place.start in p]
    if any(tokens[p.tokens[0]].text in _TURNING for p in own):
        return False  # "but her successor was X"
    near = own + [p for p in pieces[at + 1 : at + 2] if p.trails]
    near += pieces[at - 1 : at] if pieces[at].trails and at else []
    beside = [i for p in near if p not in own for i in p.tokens]
    kin = any(tokens[i].text in KIN for i in beside) and not any(tokens[i].number for i in beside)
    return kin or any(tokens[i].base in referring for p in near for i in p.tokens)


def _is_theirs(reading: Reading, place: Occurrence, rival: Occurrence, asked: Sought) -> bool:
    """`X was it. His secretary, Y, ...`: a sentence begins with what a place is to somebody before."""
    sentence = reading.sentences[reading.sentence_of[place.start]]
    theirs = rival.start < sentence.start <= place.start and reading.tokens[sentence.start].text in _POSSESSIVE
    return theirs and stances(reading, place, asked) <= Stance.UNCLEAR


def _is_exclaimed(reading: Reading, rival: Occurrence) -> bool:
    """`Oh dear, it's Y`: a word or two without a verb or name stand before its clause."""
    tokens, start = reading.tokens, reading.sentences[reading.sentence_of[rival.start]].start
    piece = next(p for p in pieces_of(reading) if rival.start in p)
    before = range(start, piece.tokens[0] if not piece.label else start)
    return 0 < len(before) <= MAX_PLAIN and not any(verb_at(tokens, i) or tokens[i].capital for i in before[1:])


def _opens_sentence(reading: Reading, place: Occurrence) -> bool:
    start = reading.sentences[reading.sentence_of[place.start]].start
    return any(start in p and place.start in p for p in pieces_of(reading))


def _moved_away(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """`from X to Y`: it is Y now, unless what was before is asked for."""
    tokens = reading.tokens
    to = [i for i in range(place.end, min(place.end + MAX_PLAIN, len(tokens) - 1)) if tokens[i].text == "to"]
    left = bool(to) and place.start > 0 and tokens[place.start - 1].text == "from"
    return left and asked.kind == "name" and "from" not in asked.terms and tokens[to[0] + 1].capital


def _done_to(reading: Reading, place: Occurrence, asked: Sought) -> bool:
    """`Y ended X's run`, `it was done by Y, with X`: another name of the clause does something to X or with it."""
    tokens = reading.tokens
    if asked.kind != "name" or asked.slot != "agent" or stances(reading, place, asked) or _restates(reading, place):
        return False
    for piece in (p for p in pieces_of(reading) if place.start in p):
        names = [c for c in candidates(reading, piece, asked) if c[1] <= place.start]
        between = [i for i in piece.tokens if names and names[0][1] <= i < place.start]
        opens = bool(names) and all(is_frame(tokens[i], asked) for i in piece.tokens if i < names[0][0])
        by = bool(names) and tokens[names[0][0] - 1].text == "by"
        did = any(_does(tokens[i]) and lemma(tokens[i].text) != asked.verb for i in between)
        if not (by or (opens and did)) or any(tokens[i].text in ("by", "to", "is", "was", "that") for i in between):
            return False
    return True


def _concludes(reading: Reading, place: Occurrence) -> bool:
    """`So X.`, `the largest is therefore X`."""
    opening = reading.tokens[reading.sentences[reading.sentence_of[place.start]].start].text
    return opening in _CONCLUDING or _is_inferred(reading, place)


def _is_inferred(reading: Reading, rival: Occurrence) -> bool:
    """`the largest is therefore X`: what is said before leads to it."""
    inferring = _CONCLUDING - {"so"}  # "so large"
    return any(reading.tokens[i].text in inferring for p in pieces_of(reading) if rival.start in p for i in p.tokens)


def _weight(reading: Reading, occurrence: Occurrence, asked: Sought, own: bool = False) -> int:
    """A stance; what is put forward alone at the beginning, behind a turn or in other words weighs more.

    `own` is the expected answer, which a clause may also end with: "in the Coral Sea, off Queensland, X".
    """
    stance = stances(reading, occurrence, asked)
    pieces = [p for p in pieces_of(reading) if occurrence.start in p]
    opening = [reading.tokens[p.tokens[0]].text for p in pieces if p.trails and not p.aside]
    if own and stance and _restates(reading, occurrence):
        return Stance.ANSWERS
    added = any(not word.endswith("ing") and word not in PRONOUNS | _MAYBE | _ADDING for word in opening)
    if own and stance is Stance.UNCLEAR and added and not _said_before(reading, occurrence, asked):
        return Stance.ANSWERS
    turned = any(reading.tokens[p.tokens[0]].text in _TURNED for p in pieces)
    adds = any(reading.tokens[p.tokens[0]].text in _ADDING | _BOTH_SIDES for p in pieces)
    if own and (adds or any(_is_unsure(reading.tokens, p) for p in pieces)):
        return min(stance, Stance.UNCLEAR)
    if stance is not Stance.PUT_FORWARD:
        return stance + (turned and stance is Stance.UNCLEAR)
    if occurrence.start in pieces_of(reading)[0] and _is_direct(reading, occurrence, asked):
        return ALONE
    told = any(_is_told(reading.tokens, p) and reading.tokens[p.tokens[0]].base in SUBJECT_PRONOUNS for p in pieces)
    opens = occurrence.start in pieces_of(reading)[0] and _alone(reading, occurrence, asked)
    return stance + (turned or opens or (told and _is_direct(reading, occurrence, asked, clause=True)))


def _is_unsure(tokens: Sequence[Token], piece: Piece) -> bool:
    """`it might be X`, `maybe X`."""
    first = tokens[piece.tokens[0]].text
    return first in _MAYBE or any(tokens[i].text in _MIGHT for i in piece.tokens)


def _said_before(reading: Reading, occurrence: Occurrence, asked: Sought) -> bool:
    """The sentence has put another thing forward in a clause, and nothing turns behind it."""
    tokens, start = reading.tokens, reading.sentences[reading.sentence_of[occurrence.start]].start
    before = [p for p in pieces_of(reading) if start <= p.tokens[0] and p.tokens[-1] < occurrence.start]
    own = range(occurrence.start, occurrence.end)
    pieces = [p for p in pieces_of(reading) if occurrence.start in p]
    bare = any(all(i in own or _is_mere(tokens[i], asked) for i in p.tokens) for p in pieces)
    head = pieces_of(reading)[0]
    alone = not bare and all(tokens[i].capital or tokens[i].number or is_frame(tokens[i], asked) for i in head.tokens)
    told = [p for p in before if _is_told(tokens, p) or (alone and p is head)]
    return any(rival.start in p for rival in rivals(reading, asked) for p in told)


def _is_told(tokens: Sequence[Token], piece: Piece) -> bool:
    return any(verb_at(tokens, i) or contracted(tokens[i]) for i in piece.tokens)


def _terms(reading: Reading, occurrence: Occurrence, asked: Sought) -> set[str]:
    """The question's words in the clause of a place."""
    pieces = [p for p in pieces_of(reading) if occurrence.start in p and not (p.trails or p.aside)]
    rest = (i for p in pieces for i in p.tokens if not occurrence.start <= i < occurrence.end)
    return {lemma(reading.tokens[i].base) for i in rest} & asked.terms


ALONE = Stance.ANSWERS + 1


def _alone(reading: Reading, occurrence: Occurrence, asked: Sought) -> bool:
    bare = (occurrence.start, occurrence.end - 1)
    whole = any((p.tokens[0], p.tokens[-1]) == bare for p in pieces_of(reading))
    return whole or _is_direct(reading, occurrence, asked, clause=True)


def _in_front(reading: Reading, occurrence: Occurrence) -> bool:
    """Not in a bracket or a clause that only adds to another: `although X ...`, `because X ...`."""
    pieces = [p for p in pieces_of(reading) if occurrence.start in p]
    verbal = [p for p in pieces if p.trails and verb_at(reading.tokens, p.tokens[0])]
    first = [reading.tokens[p.tokens[0]] for p in pieces if not p.aside and p not in verbal]
    adverbial = [t.text.endswith("ing") and not t.capital and len(pieces[0].tokens) > 1 for t in first]
    return any(t.text not in _ADDING and not ing for t, ing in zip(first, adverbial, strict=True))


def _restates(reading: Reading, occurrence: Occurrence) -> bool:
    """`i.e. X`, `namely X`: the same in other words."""
    before = {t.text for t in reading.tokens[max(0, occurrence.start - 3) : occurrence.start]}
    return bool(before & _IN_OTHER_WORDS)


def _is_credited(tokens: Sequence[Token], at: int) -> bool:
    """`goes to Y`, `goes to the Scottish painter Y`, `is credited with Y`."""
    while at > 1 and tokens[at].gap == " " and _describes(tokens[at - 1]):
        at -= 1
    return at > 1 and tokens[at - 2].text in CREDITED and tokens[at - 1].text in PREPOSITIONS


def _describes(token: Token) -> bool:
    return not token.number and token.text not in FUNCTION_WORDS - ARTICLES | PREPOSITIONS and not is_verb(token.text)


def shared(reading: Reading, place: Occurrence, found: Sequence[Occurrence], asked: Sought) -> bool:
    """Whether a place is one of several names: `X, Y and Z are`, `X and Y each`, `among them X and Y`."""
    tokens, sentence = reading.tokens, reading.sentences[reading.sentence_of[place.start]]

    def goes_on(i: int, edge: int) -> bool:
        named = tokens[i].capital or tokens[i].text == "and" or tokens[i].text in ARTICLES
        return named and not _APART.search(tokens[edge].gap)

    behind = list(takewhile(lambda i: goes_on(i, i), range(place.end, sentence.end)))
    before = list(takewhile(lambda i: goes_on(i, i + 1), range(place.start - 1, sentence.start - 1, -1)))
    first, end = min(before, default=place.start), max(behind, default=place.end - 1) + 1
    many = end < sentence.end and tokens[end].text in _PLURAL
    among = first > 1 and (tokens[first - 2].text, tokens[first - 1].text) == ("among", "them")
    if asked.kind == "number" or not (many or among) or not any(t.text == "and" for t in tokens[first:end]):
        return False
    others = candidates(reading, Piece(tuple(range(first, end))), asked)
    return any(o.start not in range(*c) for c in others for o in found)


def singled_out(reading: Reading, found: Sequence[Occurrence], kept: Sequence[Occurrence], asked: Sought) -> bool:
    """Whether the expected answer is chosen: `A and X were named, so it goes to X`, `of A and X, it is X`.

    The last clause that names any of them has a verb and names it alone, and it was named before or is concluded.
    """
    tokens, mine = reading.tokens, {i for o in kept for i in range(o.start, o.end)}
    for piece in reversed(pieces_of(reading)):
        if mine.isdisjoint(piece.tokens):
            if piece.aside or not candidates(reading, piece, asked):
                continue
            return False
        before = any(o.start < piece.tokens[0] for o in found) or not _CONCLUDING.isdisjoint(
            tokens[i].text for i in piece.tokens
        )
        rest = [i for i in piece.tokens if i not in mine]
        verbal = any(verb_at(tokens, i) or contracted(tokens[i]) for i in rest)
        others = [c for c in candidates(reading, piece, asked) if c[0] not in mine]
        return before and verbal and not piece.trails and not others
    return False


def _is_compared(tokens: Sequence[Token], at: int, asked: Sought) -> bool:
    """`older than X`, `like X`, but not `other than X`."""
    before = [t.text for t in tokens[max(0, at - 2 * MAX_FRAGMENT) : at] if t.text not in ARTICLES]
    if {lemma(word) for word in before[-3:]} & asked.terms or (_NOBODY | {"other", "further"}) & {*before}:
        return False
    return before[-1:] != [] and (
        before[-1] in _COMPARING or (len(before) > 1 and (before[-2], before[-1]) in _RELATED)
    )


def _echoed(tokens: Sequence[Token], places: Sequence[int], asked: Sought, names: int) -> bool:
    """A clause takes up the question's words, in whatever form: its verb or noun, or more than `names` of its names."""
    words = {lemma(tokens[i].base) for i in places}
    terms = [t for t in asked.terms if len(t) > 3]
    found = {t for t in terms if any(t == w or (len(t) >= _ROOT and t[:_ROOT] in w) for w in words)}
    found |= {t for t in terms if doings_of(t) & words} | asked.terms & degrees([tokens[i] for i in places])
    return bool(found - asked.proper) or len(found) > names


def _beside_another(reading: Reading, occurrence: Occurrence, asked: Sought) -> bool:
    """`Y came before X`: another name of the sentence has X only beside it."""
    tokens, start = reading.tokens, reading.sentences[reading.sentence_of[occurrence.start]].start
    before = [i for i in range(start, occurrence.start) if tokens[i].text not in ARTICLES]
    clause = Piece(tuple(before))
    return _is_beside(tokens, before, asked) and bool(before and candidates(reading, clause, asked))


def _is_direct(reading: Reading, occurrence: Occurrence, asked: Sought, clause: bool = False) -> bool:
    """A sentence or clause of its own that says nothing else: `X`, `It is X`, `In X`."""
    tokens, sentence = reading.tokens, reading.sentences[reading.sentence_of[occurrence.start]]
    whole: Collection[int] = range(sentence.start, sentence.end)
    if clause:
        piece = next(p for p in pieces_of(reading) if occurrence.start in p)
        whole = () if piece.trails or piece.aside else piece.tokens
    rest = [i for i in whole if not occurrence.start <= i < occurrence.end]
    if not whole:
        return False
    if any(tokens[i].text in _OTHER for i in rest):
        return False
    return all(_is_mere(tokens[i], asked) for i in rest)


def _is_mere(token: Token, asked: Sought) -> bool:
    return is_frame(token, asked) or token.text in COPULAS | SUBJECTS | UNITS
