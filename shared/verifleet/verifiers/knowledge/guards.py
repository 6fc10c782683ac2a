"""The guards of an answer, in order: each tells one way in which a place of it is not what the response answers.

A place guard looks at one place where the expected answer stands; the places that no guard holds back are what the
response says in its own name. An answer guard then looks at all of those beside whatever else the response says.
The name of the first guard that leaves nothing is given in the result.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from verifleet.encoder.answers import gives
from verifleet.reading.dates import MONTHS
from verifleet.reading.numerals import decimal_of
from verifleet.verifiers.knowledge import roles
from verifleet.verifiers.knowledge.alternatives import alternative
from verifleet.verifiers.knowledge.asserted import called_wrong, doubted, left_open, of_others
from verifleet.verifiers.knowledge.choices import loses
from verifleet.verifiers.knowledge.claims import BEATING, HARDLY, KIN, Sought, deed_of, is_bygone, sought
from verifleet.verifiers.knowledge.clauses import lemma, pieces_of, verb_at
from verifleet.verifiers.knowledge.comparisons import compared, other_rank
from verifleet.verifiers.knowledge.denials import last_retraction, negated, offered, outside
from verifleet.verifiers.knowledge.features import unit_of
from verifleet.verifiers.knowledge.golds import Gold
from verifleet.verifiers.knowledge.lists import exonyms, expression, listed, listed_all, phrases
from verifleet.verifiers.knowledge.longer_names import longer_name, namesake, of_institution
from verifleet.verifiers.knowledge.measures import quantities
from verifleet.verifiers.knowledge.names import TITLES
from verifleet.verifiers.knowledge.pattern import credence, described, marks
from verifleet.verifiers.knowledge.places import holds_places, is_place
from verifleet.verifiers.knowledge.questions import Question
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading, retitled
from verifleet.verifiers.knowledge.rows import FRAME, is_longer_row, is_stuffed
from verifleet.verifiers.knowledge.scripts import is_aside, is_caseless
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, UNITS, Token, once, stem
from verifleet.verifiers.knowledge.weighing import MAX_WEIGHED, RIVAL, Weighed, weigh

_VERDICTS = (("yes",), ("no",), ("true",), ("false",))
_OUSTED, _NEAR, _HEADS, _PRIVATIVE, _PLACES_ASKED = listed_all("guards", "ousted near heads privative places_asked")
_NONE, _CALLED, _NAMING, _FORMERLY, _BIRTHPLACES = listed_all("guards", "none called naming formerly birthplaces")
_NAMES_ASKED, _ORIGIN, _JOINING, _UNSURE, _ONCE = listed_all("guards", "names_asked origin joining unsure once")
_BEATING = BEATING - frozenset("over against trail lead top preced".split())
_RECKONED_BEFORE = expression("guards.reckoned_before", r" ?$")
_RECKONED_BEHIND = expression("guards.reckoned_behind", before=" ?")
FAR, LONG, FROM_TO = 24, 4, 6
"""Signs beside a number that reckon with it, digits that its zeros may round, words between "from" and "to"."""
_MERE = _JOINING | listed("guards.mere") | MONTHS.keys()
_NO_PERSON = listed("guards.no_person") | TITLES
"""What a person may be said to be, or to belong to."""
_OFFERING = FRAME - frozenset("so thus hence therefore final".split())  # they offer a thing, and conclude nothing
_APART = re.compile(r"[\n;|]")
_HARD = re.compile(r"[\n;|.!/:]|[\"”»]\s?[\"“«]")
_ARROW = re.compile(r"[→⟶⇒]|[-=]>")
_BESIDE, _BOUNDS, _BOUNDS_BEHIND = (
    frozenset(phrases(f"guards.{name}")) for name in ("beside", "bounds", "bounds_behind")
)
_BETWEEN, _AND, _TO, _BOUND, _ALMOST, _EXAMPLE, _SO = listed_all("guards", "between and to bound almost example so")
_MARGIN = re.compile(r"(?i)\s?\(?(?:±|\+/[-−]|plus or minus|give or take)\s?[1-9]\d*(?![.,]?\d)")
_ABOUT = listed("guards.about") | listed("guards.measured")
CREDIBLE, CLEAR, ENCODED = 0.3, 1.5, 0.3
"""Log-odds from which a response gives the answer as its own, such as leave no doubt, and the encoder's share."""
LIKELY = 0.8
"""How likely the expected answer has to be among other things, if those are all denied."""
SURE = 0.995
"""No likelihood counts for more."""
DENIALS = frozenset({"negation", "called wrong"})
"""The guards of what is denied, which says as much as what is affirmed where yes or no is asked."""
GIVEN_UP = DENIALS | {"question", "retraction", "opinion of others", "left for another", "offered with others"}
GIVEN_UP |= {"replaced by another"}
"""The guards of what gives way to another thing beside it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response read for one expected answer.

    `found` is wherever it stands, `places` what the guards look at, `required` where the others stand that are
    required beside it.
    """

    reading: Reading
    prompted: Prompted
    question: Question
    golds: Sequence[Gold]
    found: Sequence[Occurrence]
    places: Sequence[Occurrence]
    required: Sequence[Occurrence] = ()

    @property
    def retracted(self) -> int:
        """The offset before which all is taken back."""
        return last_retraction(self.reading)

    @property
    def asked(self) -> Sought | None:
        """What is sought, where it is one thing that rivals can be told from."""
        key = ("asked", self.prompted.several, *(gold.raw for gold in self.golds))
        return once(self.reading.tokens, key, self._asked)

    def _asked(self) -> Sought | None:
        gold, golds = self.golds[0], self.golds
        if self.prompted.several or self.prompted.negative or gold.words in _VERDICTS or gold.span is not None:
            return None
        named = gold.capital and any(t.capital for o in self.found for t in self.reading.tokens[o.start : o.end])
        kind = "number" if gold.number or gold.date is not None else "name" if named else "word"
        if kind == "word" and (gold.descriptive or self.question.asked in ("why", "how")):
            return None
        said = frozenset(word for g in golds for form in g.forms for word in form.words)
        if any(g.foreign for g in golds):
            said |= {t.text for o in self.found for t in self.reading.tokens[o.start : o.end]}
        dates = tuple(g.date for g in golds if g.date is not None)
        person = any(g.person or g.name for g in golds)
        common = kind == "name" and not person and all(map(self._only_opens, self.found))
        first, *rest = gold.raw.split() or [""]
        tail = kind == "name" and not person and first[:1].isupper() and bool(rest) and rest[-1][:1].islower()
        return sought(self.question, self.prompted, said, kind, dates, person, common, tail)

    def _only_opens(self, place: Occurrence) -> bool:
        """One word that has its capital, if any, at the beginning of a sentence: `Nitrogen is ...`."""
        opens = place.start == self.reading.sentences[self.reading.sentence_of[place.start]].start
        return place.end == place.start + 1 and (opens or not self.reading.tokens[place.start].capital)


class Guard(NamedTuple):
    """A name for the result, and whether it holds back one place."""

    name: str
    holds: Callable[[Answer, Occurrence], object]


class AnswerGuard(NamedTuple):
    """A name for the result, and whether it holds back all places that are left."""

    name: str
    holds: Callable[[Answer, Sequence[Occurrence]], object]


# --- one place -------------------------------------------------------------------


def _is_barred(reason: str) -> Guard:
    """A sentence that asserts nothing, for what it is."""
    return Guard(reason, lambda a, o: a.reading.sentences[a.reading.sentence_of[o.start]].barred == reason)


def _of_kin(answer: Answer, place: Occurrence) -> bool:
    """`a friend of X`, `whose friend X`, where no friend was asked for; `the X sisters`."""
    possessive = answer.reading.tokens[place.end - 1].text != answer.reading.tokens[place.end - 1].base
    owner, behind = not place.exact or possessive, answer.reading.tokens[place.end : place.end + 1 + possessive]
    if owner and any(t.gap == " " and stem(t.text) in (KIN | {"family"}) - {*answer.prompted.words} for t in behind):
        return True
    told = [t.base for t in answer.reading.tokens[place.end : place.end + FROM_TO] if t.text not in ARTICLES]
    if told[3:] and told[0] in BE and told[2] == "of" and told[1] in _BIRTHPLACES:
        whose = [t for t in answer.reading.tokens[place.end :][:FROM_TO] if t.text not in ARTICLES | TITLES][3:4]
        if KIN & {*told[4:5]} or any(t.capital and t.base not in answer.prompted.words for t in whose):
            return True  # "X is the birthplace of his wife"
    words = [t.text for t in answer.reading.tokens[max(0, place.start - 4) : place.start] if t.text not in ARTICLES]
    words = [*words[:-2], words[-1], "of"] if words[-2:-1] == ["whose"] else words
    kin = words[-2] if len(words) > 1 and words[-1] == "of" else ""
    alike = {deed_of(kin), *roles.CONVERSE.get(deed_of(kin), "").split()}
    return kin in KIN and alike.isdisjoint(map(deed_of, answer.prompted.words))


def _left(answer: Answer, place: Occurrence) -> bool:
    """`X → Y`; `from X to Y` where it is asked where something is or goes to, `from Y to X` where it comes from."""
    tokens, words, thing = answer.reading.tokens, {*answer.prompted.words}, answer.asked
    behind = tokens[place.end : answer.reading.sentences[answer.reading.sentence_of[place.start]].end]
    if thing is not None and behind and _ARROW.search(behind[0].gap) and len(_ARROW.findall(answer.reading.text)) == 1:
        kind = (tokens[place.start].capital, tokens[place.start].number)
        again = any(o.start >= place.end for o in answer.found if o.start != place.start)
        alike = (behind[0].capital, behind[0].number) == kind and thing.terms.isdisjoint(lemma(t.base) for t in behind)
        return alike and not (again and place in answer.found)
    before = [t.text for t in tokens[max(0, place.start - FROM_TO) : place.start] if t.text not in ARTICLES]
    if thing is None or thing.kind != "name" or thing.person or {"from", "to"} <= words:
        return False
    if before[-1:] == ["from"]:
        return words.isdisjoint(_ORIGIN) and "to" in (t.text for t in tokens[place.end : place.end + FROM_TO])
    return before[-1:] == ["to"] and "from" in before and not words.isdisjoint(_ORIGIN)


def _restated(answer: Answer, place: Occurrence) -> bool:
    """The Y of `Y, better known as X` and of `X (officially Y)`: the answer by another name."""
    tokens = answer.reading.tokens
    for other in answer.found if not answer.golds[0].number else ():
        first, last = (place, other) if place.start < other.start else (other, place)
        between = tokens[first.end : last.start + 1]
        words = [t.text for t in between[:-1] if t.text not in ARTICLES]
        led = len(words) <= FROM_TO and {*words} <= _CALLED and not _NAMING.isdisjoint(words)
        led = led or (bool(words) and {*words} <= PARTICLES)
        former = first is place and not _FORMERLY.isdisjoint(words)
        if led and not former and between[0].gap.strip() in ("", ",", "(", ", (", "–", "—"):
            return True
    return False


def _exchanged(answer: Answer, place: Occurrence) -> bool:
    """`Norland is the capital of X`, `the capital of X`, where the capital of Norland is asked for."""
    tokens, thing = answer.reading.tokens, answer.asked
    start = answer.reading.sentences[answer.reading.sentence_of[place.start]].start
    at = next((i for i in range(start, place.start) if tokens[i].text in BE), start - 1)
    subject = {lemma(t.base) for t in tokens[start : max(at, start)] if t.text not in ARTICLES and not t.number}
    relation = [t.text for t in tokens[at + 1 : place.start] if t.text not in ARTICLES]
    asked = [word for word in answer.prompted.words if word not in ARTICLES]
    of = {(a, lemma(c)) for a, b, c in zip(asked, asked[1:], asked[2:], strict=False) if b == "of"}
    if thing is None or relation[1:] != ["of"]:
        return False
    if not subject:
        return any(a == relation[0] and b in thing.proper and not b.isdigit() for a, b in of)
    return subject <= thing.terms - {relation[0]} | {"the"} and any((relation[0], word) in of for word in subject)


def _apart(answer: Answer, place: Occurrence) -> bool:
    """`almost X`; `50 km from X`, `a town near X`, `rhymes with X` and no more: what is beside X, and not X."""
    sentence = answer.reading.sentences[answer.reading.sentence_of[place.start]]
    before = answer.reading.tokens[sentence.start : place.start]
    words = [t.text for t in before if t.text not in ARTICLES | TITLES]
    if not _NEAR.isdisjoint(answer.prompted.words) or not _NONE.isdisjoint(words):
        return False
    rounded = any(g.number and not (g.number.isdigit() and g.number[-1] != "0") for g in answer.golds)
    almost = words[-1:] in (["almost"], ["nearly"]) or words[-2:] == ["something", "like"]
    almost = almost or (rounded and not _ALMOST.isdisjoint(words[-1:]))
    nearly = almost and (not rounded or _is_exact(answer))
    nearly = nearly or words == ["close", "to"]
    gap = answer.reading.tokens[place.start].gap
    beats = words[1:] != [] and words[-1].endswith("s")  # "Bergen beats X", unlike "Ali beat X"
    beaten = beats and lemma(words[-1]) in _BEATING and place.end >= sentence.end
    nearly = nearly or (beaten and BEATING.isdisjoint(map(lemma, answer.prompted.words)) and gap == " ")
    behind = answer.reading.tokens[place.end : sentence.end]
    if not words and [t.text for t in behind[:-1]] == ["in"] and behind[1].capital and answer.asked is not None:
        other = behind[1].text in exonyms() and behind[1].text not in answer.prompted.words
        return other and answer.asked.kind == "name" and not holds_places([behind[1].text])  # "Oslo in Bergen"
    if nearly or sentence.end > place.end:
        return nearly
    if words[1:] == ["in"] and answer.asked is not None and answer.asked.slot != "place":
        return before[0].capital and words[0] not in answer.prompted.words  # "Lyon in Paris"
    of_it = words[:1] != [] and words[0] in _HEADS and words[1:] in (["of"], ["for"]) and not answer.golds[0].number
    if of_it and words[0] not in answer.prompted.words:
        return True  # "University of Oslo"
    measured = words[-1:] == ["from"] and any(q.unit and q.end == len(before) - 1 for q in quantities(before))
    return measured or not _NEAR.isdisjoint(words[-1:]) or tuple(words[-2:]) in _BESIDE


def _called_after(answer: Answer, place: Occurrence) -> bool:
    """`Oslo University` where a place or person is asked for, `artificial amber`: another thing by its name."""
    person = any(gold.name for gold in answer.golds)
    asked = answer.prompted.words
    if (person or not _PLACES_ASKED.isdisjoint(asked)) and of_institution(answer.reading, place, asked):
        return True
    token, before = answer.reading.tokens[place.start], answer.reading.tokens[: place.start][-1:]
    said = {word for gold in answer.golds for word in gold.words} | {*asked}
    led = bool(before) and token.gap in (" ", "-") and before[0].text in _PRIVATIVE - said
    return led and not (token.number or token.capital)


def _reckoned(answer: Answer, place: Occurrence) -> bool:
    """`8 + 1`, `twice 8`, `8 more than 5`, `> 8`, `8+`: a number that another one is made of or bounded by."""
    text, tokens = answer.reading.text, answer.reading.tokens
    if not answer.golds[0].number or not place.exact or not _BOUND.isdisjoint(answer.prompted.words):
        return False
    start, end = tokens[place.start].start, tokens[place.end - 1].end
    if _MARGIN.match(text, end) and _is_exact(answer):
        return True  # "12 ± 5"
    told = (_RECKONED_BEFORE.search(text[max(0, start - FAR) : start]), _RECKONED_BEHIND.match(text[end : end + FAR]))
    known = " ".join(gold.raw for gold in answer.golds)
    return any(match is not None and match[1].strip() not in known for match in told)


def _ousted(answer: Answer, place: Occurrence) -> bool:
    """`having replaced X`, `X until 1990`: X is no more, unless what was replaced is asked for."""
    behind, thing = answer.reading.tokens[place.end : place.end + 2], answer.asked
    clause = next((p.tokens for p in pieces_of(answer.reading) if place.start in p), ())
    before = [answer.reading.tokens[i].text for i in clause if i < place.start]
    if thing is not None and thing.present and is_bygone(before) and not {"now", "today"} & {*before}:
        return True  # "before that it was X"
    if thing is not None and thing.present and [t.text in ("until", "till") or t.number for t in behind] == [True] * 2:
        return behind[0].text in ("until", "till") and "." not in behind[0].gap
    tokens = [t for t in answer.reading.tokens[: place.start][-4:] if t.text not in ARTICLES]
    verb = tokens[-1] if tokens else None
    asked = {lemma(word) for word in answer.prompted.words}
    return verb is not None and lemma(verb.text) in _OUSTED and asked.isdisjoint(_OUSTED | _ONCE)


def _is_exact(answer: Answer) -> bool:
    """A count: `100`, unlike `about 100`, `1,500,000`, `60 km` and `7 ± 2`."""
    gold, whole = answer.golds[0], all(g.number.isdigit() for g in answer.golds if g.number)
    short = len(gold.number) < LONG or not gold.number.endswith("00")
    measured = any(g.meant and g.meant.quantity.unit for g in answer.golds) or _MARGIN.search(gold.raw)
    plain = _ABOUT.isdisjoint({*answer.prompted.words} | {w for g in answer.golds for w in g.raw.lower().split()})
    return bool(gold.number and whole and short and not measured) and plain


def _bounded(answer: Answer, place: Occurrence) -> bool:
    """`at least 7`, `7 or more`, `before 1718`, where no bound is asked for or given; `over 7,000,000` rounds it."""
    number = answer.golds[0].number or answer.golds[0].date
    said = {word for gold in answer.golds for word in gold.words} | {*answer.prompted.words}
    before = answer.reading.tokens[max(0, place.start - 3) : place.start]
    words = tuple(t.text for t in before if t.text not in ARTICLES | {"very"})[-2:]
    near = answer.reading.tokens[max(0, place.start - 4) : place.start]
    measured = any(gold.meant and (gold.meant.quantity.unit or "." in gold.number) for gold in answer.golds)
    if measured and not HARDLY.isdisjoint(t.text for t in near) and {"least", "most"}.isdisjoint(t.text for t in near):
        return False  # "a shade over 29,031 ft"
    year = answer.question.asked == "when" and words[-1:] in (("before",), ("after",))
    start = answer.reading.sentences[answer.reading.sentence_of[place.start]].start
    alone = not any(verb_at(answer.reading.tokens, i) for i in range(start, place.start))
    if answer.golds[0].written and words[-1:] in (("before",), ("after",), ("between",)):
        return said.isdisjoint(words[-1:])
    until = words[-1:] in (("until",), ("till",)) and words[:1] != ("not",) and "until" not in answer.prompted.words
    if number and alone and (until or words == ("eve", "of")):
        return True
    if place.exact and isinstance(number, str) and _in_range(answer, place):
        return True
    if not number or (str(number).endswith("00") and not _is_exact(answer)) or not said.isdisjoint(_BOUND):
        return False
    near = answer.reading.tokens[place.end : place.end + 3]
    behind = [t.text for t in takewhile(lambda t: t.gap == " ", near)]
    words = next((w for w in (tuple(behind[i : i + 2]) for i in (0, 1)) if w in _BOUNDS_BEHIND), words)
    bounded = not (_BOUNDS | _BOUNDS_BEHIND).isdisjoint((words, words[-1:]))
    return year or bounded or (answer.question.asked != "when" and words[-1:] in (("over",), ("under",)))


def _in_range(answer: Answer, place: Occurrence) -> bool:
    """`8 to 10`, `between 6 and 8 legs`, `6 to 9, e.g. 8`: of a range of numbers, none of which the question names."""
    tokens, asked = answer.reading.tokens, {*answer.prompted.words}
    near = range(max(0, place.start - FROM_TO), min(len(tokens), place.end + FROM_TO))
    for a, b in pairwise(i for i in near if tokens[i].number):
        one, other = decimal_of(tokens[a].text), decimal_of(tokens[b].text)
        example = b < place.start and _is_example(tokens, (a, b, place.start), asked)
        between = {t.text for t in tokens[a + 1 : b]} - UNITS - {"up"} if example or place.start in (a, b) else set()
        led = tokens[a - 1].text if a else ""
        to = (between <= _TO and between) or (led in _BETWEEN and between and between <= _AND)
        to = to or (example and not between and tokens[b].gap.strip() in ("-", "–", "—"))
        told = led == "from" and any(verb_at(tokens, i) for i in range(a))
        told = told or (answer.question.asked == "when" and led not in _BETWEEN)  # "1939 to 1945" has its end in it
        if to and one is not None and other is not None and one < other and (example or not told):
            return asked.isdisjoint((tokens[a].text, tokens[b].text))
    return False


def _is_example(tokens: Sequence[Token], numbers: tuple[int, int, int], asked: Collection[str]) -> bool:
    """The 8 of `6 to 9, e.g. 8`, unlike that of `9 to 17, so 8`, which is how far it is."""
    one, other, own = (decimal_of(tokens[i].text) for i in numbers)
    words = {t.text for t in tokens[numbers[1] + 1 : numbers[2]]}.difference(UNITS, asked)
    if one is None or other is None or own is None or not words or not words <= _EXAMPLE | _SO:
        return False
    return one < own < other and not (words & _SO and own - (other - one) in (0, 1))


def _of_namesake(answer: Answer, place: Occurrence) -> bool:
    """`Holbein the Elder`, where the Younger was asked for."""
    person = any(gold.name for gold in answer.golds)
    whole = not _NAMES_ASKED.isdisjoint(answer.prompted.words)
    return namesake(answer.reading, place, [gold.words for gold in answer.golds], person, whole)


def _aside(answer: Answer, place: Occurrence) -> bool:
    """Where no capitals tell names: what no clause that counts puts forward."""
    told = not answer.prompted.several and is_caseless(answer.reading)
    return told and is_aside(answer.reading, place, answer.retracted)


PLACE_GUARDS = (
    Guard("outside the final answer", lambda a, o: outside(a.reading, o)),
    Guard("retraction", lambda a, o: a.reading.tokens[o.start].start < a.retracted),
    *map(_is_barred, ("question", "address to the grader", "refusal")),
    Guard("negation", lambda a, o: negated(a.reading, o, a.prompted)),
    Guard("called wrong", lambda a, o: called_wrong(a.reading, o, a.prompted)),
    Guard("doubt", lambda a, o: doubted(a.reading, o, a.prompted)),
    Guard("offered with others", lambda a, o: offered(a.reading, o, a.prompted)),
    Guard("opinion of others", lambda a, o: of_others(a.reading, o, a.prompted)),
    Guard("left open", lambda a, o: left_open(a.reading, o, a.prompted)),
    Guard("relation to the answer", lambda a, o: _of_kin(a, o) and not _has_role(a, o, roles.FILLS, roles.ALL_SAID)),
    Guard("left for another", _left),
    Guard("exchanged", _exchanged),
    Guard("beside it", _apart),
    Guard("replaced by another", _ousted),
    Guard("a bound", _bounded),
    Guard("opposite comparison", lambda a, o: compared(a.reading, o, a.prompted) < 0),
    Guard("the one that lost", lambda a, o: loses(a.reading, o, a.prompted)),
    Guard("another rank", lambda a, o: other_rank(a.reading, o, a.prompted)),
    Guard("namesake", _of_namesake),
    Guard("called after it", _called_after),
    Guard("part of a sum", _reckoned),
    Guard("aside", _aside),
    Guard("alternatives", lambda a, o: alternative(a.reading, o, a.places, a.prompted)),
)


# --- the whole answer ------------------------------------------------------------


def _longer(answer: Answer, kept: Sequence[Occurrence]) -> str:
    if answer.reading.language or is_caseless(answer.reading):
        return ""  # its plain words are no parts of names that are known
    words = [gold.words for gold in answer.golds]
    person = any(gold.name for gold in answer.golds)
    somebody = any(gold.person for gold in answer.golds)
    return longer_name(answer.reading, kept, words, answer.prompted, answer.question, person, somebody)


def _stuffed(answer: Answer, kept: Sequence[Occurrence]) -> bool:
    reading, places = answer.reading, [*answer.found, *answer.required]
    words = [t for t in reading.tokens if t.text not in ARTICLES]
    names = all(t.capital or t.number for t in words) or all(_APART.search(t.gap) for t in words[1:])
    names = names and not answer.prompted.plural
    apart = names and any(_APART.search(t.gap) for t in reading.tokens[1:])
    return is_stuffed(reading, places, answer.prompted) or (apart and is_longer_row(reading, places, answer.prompted))


ANSWER_GUARDS = (AnswerGuard("another name", _longer), AnswerGuard("list of candidates", _stuffed))


def held_back(answer: Answer, place: Occurrence, without: Collection[str] = ()) -> str:
    """The first guard that holds a place back, of those `without` which it is looked at; empty if none does."""
    return next((g.name for g in PLACE_GUARDS if g.name not in without and g.holds(answer, place)), "")


def hold_back(answer: Answer) -> tuple[list[Occurrence], list[str]]:
    """The places that no guard holds back, and the guards of those that were, in order."""
    kept: list[Occurrence] = []
    guards: list[str] = []
    for place in answer.places:
        held = held_back(answer, place)
        if not held:
            kept.append(place)
            continue
        guards.append(held)
        if held == "negation" and not (answer.prompted.negative or answer.prompted.several):
            kept = []  # first claimed, then denied
    return kept, guards


def commit(answer: Answer) -> tuple[list[Occurrence], str]:
    """The places in which the response gives the answer as its own, and the guard that left none."""
    kept, guards = hold_back(answer)
    if not kept:
        return [], guards[-1] if guards else "not asserted"
    name = next((guard.name for guard in ANSWER_GUARDS if guard.holds(answer, kept)), "")
    weighed = None if name else weighed_of(answer, kept)
    told = _told_by_roles(answer, kept) if weighed is not None else ""
    if weighed is not None and _is_bare_row(answer, weighed):
        name = "list of candidates"
    elif weighed is not None and not _is_credible(answer, kept, guards, weighed) and told != roles.ALL_SAID:
        name = told or weighed.against
    elif told != roles.ALL_SAID:
        name = told or name
    return ([], name) if name else (kept, "")


def _relation(answer: Answer) -> roles.Relation | None:
    english = not (answer.prompted.several or answer.reading.language)
    return roles.relation(answer.prompted) if english else None


def _told_by_roles(answer: Answer, kept: Sequence[Occurrence]) -> str:
    """ALL_SAID if what stands at `kept` has the role asked for and all is said, the guard if it has another role."""
    asked = _relation(answer)
    if asked is None:
        return ""
    mine = {roles.role(answer.reading, o, asked) for o in kept}
    others = roles.fillers(answer.reading, answer.found, asked, named=answer.golds[0].capital)
    others = [o for o in others if not (held_back(replace(answer, places=[o]), o) or _restated(answer, o))]
    if not mine.isdisjoint((roles.FILLS, roles.ALL_SAID)):
        return roles.ALL_SAID if roles.ALL_SAID in mine and not others else ""
    if mine <= roles.NO_ANSWER:
        return min(mine)
    return RIVAL if others else ""


def _has_role(answer: Answer, place: Occurrence, *told: str) -> bool:
    asked = _relation(answer) if len(answer.reading.tokens) <= MAX_WEIGHED else None
    return asked is not None and roles.role(answer.reading, place, asked) in told


def _is_bare_row(answer: Answer, weighed: Weighed) -> bool:
    """`Oslo; Bergen`, `It is Oslo. Or perhaps Bergen.`: nothing but things of the kind asked for."""
    tokens, asked = answer.reading.tokens, {*answer.prompted.words}
    units, named = {unit_of(tokens, o) for o in answer.found}, tokens[answer.found[0].start].capital
    the = any(tokens[max(0, o.start - 1)].text == "the" for o in answer.found)
    others = [o for o in weighed.others if the or tokens[max(0, o.start - 1)].text != "the"]  # "the Bard"
    others = [o for o in others if unit_of(tokens, o) in units and tokens[o.start].capital >= named]
    others = [o for o in others if not {t.text for t in tokens[o.start : o.end]} <= FRAME]
    long = {o for o in others if tokens[o.end - 1].end - tokens[o.start].start > 1}  # unlike "(K. 620)", "(B) Oslo"
    others = [o for o in others if o in long or all(t.gap[:1] not in (".", ")") for t in tokens[o.end : o.end + 1])]
    places = [*answer.found, *others]
    inside = {i for o in places for i in range(o.start, o.end)}
    left = [i for i in range(len(tokens)) if i not in inside and not is_place(tokens[i].text)]
    units_of_numbers = {i for i in left if i and tokens[i - 1].number and stem(tokens[i].text) in UNITS}
    rest = {tokens[i].text for i in left if i not in units_of_numbers and not tokens[i].text.isdigit()} - ARTICLES
    rest -= {answer.asked.sort} if answer.asked is not None else set()
    told = answer.asked is not None and answer.asked.kind == "word" and "it" in rest  # "It is oak. It is heavy."
    told = told or "=" in answer.reading.text or any(retitled(tokens, i) for i in range(len(tokens)))
    if told or not others or answer.prompted.plural:
        return False
    led = all(o.start and (tokens[o.start - 1].text in BE or ":" in tokens[o.start].gap) for o in places)
    apart = len(others) > 1 or not _JOINING.isdisjoint(rest) or any(_HARD.search(t.gap) for t in tokens[1:])
    if not (rest <= (_MERE | _OFFERING if apart else _MERE) or (led and "it" not in rest and rest <= asked | _MERE)):
        return False
    return (apart or _is_pair(answer, others[0])) and not all(_passed_over(answer, o) for o in others)


def _passed_over(answer: Answer, other: Occurrence) -> bool:
    """`Bergen? Oslo.`, `Maybe Bergen. It is Oslo.`, `Bergen and Oslo: Oslo.`: what another thing gives way to."""
    reading, chosen = answer.reading, answer.found[-1]
    given_up = held_back(replace(answer, places=[other]), other) in GIVEN_UP
    if given_up or _restated(answer, other):
        return True
    first, last = (reading.sentences[reading.sentence_of[place.start]] for place in (other, chosen))
    words, told = ({t.text for t in reading.tokens[part.start : part.end]} for part in (first, last))
    if not told.isdisjoint(_UNSURE | {"or"}) or other.end > chosen.start:
        return False
    alone = chosen.end == len(reading.tokens) and _HARD.search(reading.tokens[chosen.start].gap) is not None
    again = len(answer.found) > 1 and alone
    return again or (first.start < last.start and not words.isdisjoint(_UNSURE) and not BE.isdisjoint(told))


def _is_pair(answer: Answer, other: Occurrence) -> bool:
    """Of two with a comma between them whether the other is no apposition, as in `Ana Lindt, Royal Academy`."""
    first, size = other.start < answer.found[-1].start, other.end - other.start
    if any(gold.person for gold in answer.golds):
        words = {t.text for t in answer.reading.tokens[other.start : other.end]}
        return words.isdisjoint(_NO_PERSON) and (first or size == answer.found[0].end - answer.found[0].start)
    number = answer.asked is not None and answer.asked.kind == "number"
    return number or (size == 1 and (first or "capital" in answer.prompted.words))


def _is_credible(answer: Answer, kept: Sequence[Occurrence], guards: Sequence[str], weighed: Weighed) -> bool:
    """Whether the response gives what stands at `kept` as its own, or denies all other things that it names."""
    if not weighed.likely or _credence(answer, kept, signs(answer, kept, guards, weighed)) >= CREDIBLE:
        return weighed.likely > 0
    likely = weighed.likely > LIKELY and weighed.others
    return bool(likely) and all(held_back(replace(answer, places=[o]), o) in DENIALS for o in weighed.others)


def _credence(answer: Answer, kept: Sequence[Occurrence], told: Mapping[str, float]) -> float:
    """The log-odds that `kept` is the response's own answer: by `told`, and where this leaves doubt by the encoder."""
    odds = credence(told)
    if abs(odds) >= CLEAR or answer.reading.language:
        return odds
    text, places = answer.reading.text, answer.reading.offsets(kept)
    return odds + ENCODED * (gives(answer.prompted.text, answer.golds[0].raw, text, places) - odds)


def weighed_of(answer: Answer, kept: Sequence[Occurrence]) -> Weighed | None:
    """How likely it is what stands at `kept` that is put forward, None where it is not weighed."""
    asked = answer.asked
    chosen = any(compared(answer.reading, o, answer.prompted) > 0 for o in kept)
    if asked is None or chosen or is_caseless(answer.reading):
        return None

    def stands(o: Occurrence) -> bool:
        another = _restated(answer, o) or _has_role(answer, o, roles.OTHER_SIDE, roles.ANOTHER)
        return not (another or held_back(replace(answer, places=[o]), o))

    return weigh(answer.reading, kept, answer.found, asked, stands)


def signs(
    answer: Answer, kept: Sequence[Occurrence], guards: Sequence[str], weighed: Weighed, words: Collection[str] = ()
) -> dict[str, float]:
    """What tells whether a response gives the answer as its own: how it reads, what `guards` held back, and weighed."""
    asked = answer.asked
    assert asked is not None
    row = marks(answer.reading, kept, answer.found, weighed.others, asked, words)
    told = described(row, asked.slot) | {f"kind: {asked.kind}": 1.0, f"slot: {asked.slot}": 1.0}
    told |= {f"held: {name}": 1.0 for name in guards}
    likely = min(SURE, max(1 - SURE, weighed.likely))
    return told | {"likely": 2 * math.log(likely / (1 - likely))}


def outermost(places: Sequence[Occurrence]) -> list[Occurrence]:
    """Without the places inside a longer one: "Dylan Thomas" in "Welsh poet Dylan Thomas" is one mention."""
    kept: list[Occurrence] = []
    for place in sorted(set(places), key=lambda o: (o.start, -o.end)):
        if not kept or place.end > kept[-1].end:
            kept.append(place)
    return kept
