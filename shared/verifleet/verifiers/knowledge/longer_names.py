"""Names and compounds that only contain the answer: "Paris Hilton", "Iron oxide", "Titanic II", "Lincoln, Nebraska".

Only short answers without a verb are looked at: inside a sentence the same words may well be apposed.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.reading.spelling import MIN_CONSONANTS, sounds_like
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.clauses import is_verb
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.names import CHATTING, NAME_ENDINGS, TITLES, is_given, tells_who
from verifleet.verifiers.knowledge.places import COUNTRY_OF, PEOPLES, countries_in, country_of, parts_in
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, IRREGULAR, Question
from verifleet.verifiers.knowledge.reading import AUXILIARIES, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, UNITS, Token, stem

MAX_SHORT_RESPONSE = 6
MAX_MORE_NAMES = 4
LONGEST_STRING = 40
_GENERIC = listed("longer_names.generic")
_NATURE = frozenset("river sea ocean lake mountain mountains desert bay gulf".split())
_SETTLED = frozenset("city capital country state town color colour".split())
_PLACE_KINDS = _NATURE | listed("longer_names.place_kinds")
_MODIFIERS = listed("longer_names.modifiers")
_SUBJECTS = ARTICLES | frozenset("it that this thats answer my final correct".split())
_OBJECTS = ARTICLES | frozenset("him her it them his this that".split())
_ADVERBIAL = ("ly", "ed", "ing")
# Which of two of one name is meant.
_GENERATIONS = {"elder": 0, "sr": 0, "pere": 0, "younger": 1, "jr": 1, "fils": 1, "1": 0, "2": 1, "3": 2, "4": 3}
_INSTITUTIONS = listed("longer_names.institutions")
_PLAIN = FUNCTION_WORDS | languages.COPULAS | languages.FRAME | NAME_ENDINGS | TITLES | PARTICLES | CHATTING
_PLAIN |= listed("longer_names.prepositions")


def longer_name(
    reading: Reading,
    kept: Sequence[Occurrence],
    golds: Sequence[Sequence[str]],
    prompted: Prompted,
    question: Question,
    person: bool,
    somebody: bool,
) -> str:
    """`another name` if every place of the answer in a short response is part of a longer name, else empty.

    `golds` are the folded words of the answer and its aliases: they say which country a place lies in; `person` tells
    that these are a person's full name, `somebody` that a person is asked for.
    """
    tokens = reading.tokens
    verb = next((i for i, t in enumerate(tokens) if t.text in AUXILIARIES), 0)
    if any(_in_a_string(tokens, o) for o in kept):
        return "another name"
    if len(tokens) > MAX_SHORT_RESPONSE or any(t.text not in _SUBJECTS for t in tokens[:verb]):
        return ""
    asked = {stem(w) for w in prompted.words}
    other = (
        _goes_on(reading, o, asked, question, somebody)
        or _begins_before(reading, o, asked, question)
        or _replaced(tokens, o, golds[0], asked)
        or _elsewhere(tokens, o, golds, prompted, question, person)
        for o in kept
    )
    return "another name" if all(other) else ""


def namesake(
    reading: Reading, occurrence: Occurrence, golds: Sequence[Sequence[str]], person: bool, whole: bool
) -> bool:
    """`Holbein the Elder` where the answer or an alias of it is the Younger, `George W.` where it is George H. W.

    More names than the answer has make another person of it, unless the `whole` name is asked for.
    """
    if _of_another(reading, occurrence, golds) if person else _told_elsewhere(reading, occurrence, golds):
        return True
    if person and not whole and _of_other_names(reading.tokens, occurrence, golds):
        return True
    meant = {_GENERATIONS[word] for gold in golds for word in gold[1:] if word in _GENERATIONS}
    behind = [t for t in reading.tokens[occurrence.end : occurrence.end + 2] if t.text not in ARTICLES][:1]
    told = {_GENERATIONS[t.text] for t in behind if t.text in _GENERATIONS and t.gap.strip() in ("", ",", "(")}
    another = person and not whole and any(t.capital and t.text != "jr" for t in behind)  # many leave out a Jr.
    return not meant & told if meant and told else another and bool(told - {0})  # "Ana Lindt III"


def _of_other_names(tokens: Sequence[Token], occurrence: Occurrence, golds: Sequence[Sequence[str]]) -> bool:
    """`Hans Ana Lindt`; `Dante Rossetti` where an alias of Dante tells that he is called Alighieri."""
    start, end = occurrence.start, occurrence.end
    known = {word for words in golds for word in words}
    before = tokens[start - 1] if start and tokens[start].gap == " " and end - start > 1 else None
    alone = start < 2 or not (tokens[start - 2].capital and tokens[start - 1].gap == " ")  # no whole row of given names
    if before is not None and alone and before.capital and before.text == before.base and is_given(before.text):
        return before.text not in known and before.text[0] not in known
    said = tuple(t.text for t in tokens[start:end])
    longer = {words[len(said)] for words in golds if len(words) > len(said) and tuple(words[: len(said)]) == said}
    name = tokens[end] if longer and end < len(tokens) and tokens[end].gap == " " else None
    if name is None or is_verb(name.text) or name.text in NAME_ENDINGS | TITLES | _GENERIC:
        return False
    return _names_one(name, known) and not any(sounds_like(name.text, word, MIN_CONSONANTS) for word in longer)


def of_institution(reading: Reading, occurrence: Occurrence, asked: Sequence[str]) -> bool:
    """`Oslo University`, `Lindt Foundation`: what is called after the answer."""
    behind = reading.tokens[occurrence.end : occurrence.end + 1]
    named = any(t.capital and t.gap == " " and t.text in _INSTITUTIONS and t.text not in asked for t in behind)
    return named and reading.tokens[occurrence.start].capital


def _of_another(reading: Reading, occurrence: Occurrence, golds: Sequence[Sequence[str]]) -> bool:
    """`Moreau, Elena` for Ines Moreau: a surname with another first name behind it, or the other way round."""
    tokens, start, end = reading.tokens, occurrence.start, occurrence.end
    if end - start != 1:
        return False
    known = {word for words in golds for word in words}
    if start > 1 and tokens[start].gap.strip() == "," and tokens[start].text in {words[0] for words in golds}:
        before = tokens[start - 1]
        named = before.capital and tokens[start - 1].gap == " " and not tokens[start - 2].capital
        return named and _names_one(before, known)
    if end >= len(tokens) or tokens[end].gap.strip() != ",":
        return False
    name, after = tokens[end], tokens[end + 1] if end + 1 < len(tokens) else None
    ends = after is None or after.gap.strip()[:1] in (".", "!", ",") or is_verb(after.text)
    other = name.text[:1] not in {word[:1] for words in golds for word in words[:-1]}
    return ends and other and _names_one(name, known)


def _names_one(name: Token, known: set[str]) -> bool:
    """Whether a capital word may be a part of a person's name other than those that are known."""
    place = (name.text,) in PEOPLES or bool(countries_in([name.text]))
    return name.capital and not name.number and not place and name.text not in known


def _told_elsewhere(reading: Reading, occurrence: Occurrence, golds: Sequence[Sequence[str]]) -> bool:
    """`Cambridge, the old town in the east of England` for a Cambridge in America: what is apposed lies elsewhere."""
    known = set().union(*(countries_in(words) for words in golds))
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    if not known or occurrence.end >= sentence.end or "," not in reading.tokens[occurrence.end].gap:
        return False
    behind = reading.tokens[occurrence.end : sentence.end]
    end = next((n for n, t in enumerate(behind) if n and t.gap.strip()), len(behind))
    words = [t.text for t in behind[:end] if t.text not in ARTICLES]
    at = words.index("in") if "in" in words and not any(is_verb(word) for word in words) else len(words)
    told = countries_in(words[at:]) if "to" not in words[at:] else set()
    return bool(told) and not told & known


def _in_a_string(tokens: Sequence[Token], occurrence: Occurrence) -> bool:
    """`Bergen Oslo Narvik Tromsø Bodø`: nothing but capitals without anything between, far more than the answer."""
    if len(tokens) < occurrence.end - occurrence.start + MAX_MORE_NAMES or len(tokens) > LONGEST_STRING:
        return False
    return all(t.capital and not t.number and (not i or t.gap == " ") for i, t in enumerate(tokens))


def _goes_on(reading: Reading, occurrence: Occurrence, asked: set[str], question: Question, somebody: bool) -> bool:
    """A noun behind the answer is what is really named."""
    tokens = reading.tokens
    if occurrence.end >= len(tokens):
        return False
    last, behind = tokens[occurrence.end - 1], tokens[occurrence.end]
    if any(t.number for t in tokens[occurrence.start : occurrence.end]) and not behind.capital:
        return False  # "21 years old"
    sequel = behind.number and len(behind.text) < 3 and behind.gap == " " and last.capital and behind is tokens[-1]
    if sequel and not last.number:
        return True  # "Shrek 2"
    if behind.gap not in (" ", "-") or behind.number or last.number or _harmless(behind, asked):
        return False
    alone = occurrence.exact and occurrence.end == 1 and all(t.capital for t in tokens)
    if somebody and alone and tells_who(last.text):
        return False  # "Michelangelo Buonarroti"
    object_behind = tokens[occurrence.end + 1 : occurrence.end + 2]
    if not behind.capital and object_behind and object_behind[0].text in _OBJECTS:
        return False  # "Booth shot him"
    return last.capital == behind.capital or occurrence.start == 0 or question.asked != "who"


def _harmless(token: Token, asked: set[str]) -> bool:
    word, plain = token.text, not token.capital
    return (
        word in _PLAIN
        or is_verb(word)
        or (word in _GENERIC and not (word in _NATURE and asked & _SETTLED and not asked & _NATURE))
        or stem(token.base) in asked
        or (plain and (not UNITS.isdisjoint((word, stem(word))) or word.endswith(_ADVERBIAL) or word in IRREGULAR))
        or (word.endswith("ly") and len(word) > 5)
    )


def _begins_before(reading: Reading, occurrence: Occurrence, asked: set[str], question: Question) -> bool:
    """`Bruno Mars`, `Tour de France`: a name before a single word, where no person and no place is asked for."""
    tokens = reading.tokens
    if occurrence.start == 0 or occurrence.end - occurrence.start != 1 or question.asked in ("who", "where", "when"):
        return False
    token, before = tokens[occurrence.start], tokens[occurrence.start - 1]
    if token.number or token.gap not in (" ", "-") or not token.capital:
        return False
    if before.text in ("of", "de") and occurrence.start > 2:
        head = tokens[occurrence.start - 2]
        return head.capital and head.text not in _PLACE_KINDS | FUNCTION_WORDS and stem(head.base) not in asked
    shown = reading.text[before.start : before.end]
    if not shown.istitle() or before.number or before.text != before.base:
        return False
    plain = before.text in _MODIFIERS or (before.text,) in PEOPLES or countries_in([before.text])
    return not (plain or _harmless(before, asked))


def _replaced(tokens: Sequence[Token], occurrence: Occurrence, gold: Sequence[str], asked: set[str]) -> bool:
    """`red panda` for a panda that is the giant one: another word where the whole answer has its own."""
    said = tuple(t.text for t in tokens[occurrence.start : occurrence.end])
    before = tokens[occurrence.start - 1] if occurrence.start else None
    if before is None or len(gold) <= len(said) or tuple(gold[-len(said) :]) != said:
        return False
    apart = tokens[occurrence.start].gap != " " or before.text in gold or before.text != before.base
    return not (apart or before.text in ARTICLES | _MODIFIERS | TITLES or _harmless(before, asked))


def _elsewhere(
    tokens: Sequence[Token],
    occurrence: Occurrence,
    golds: Sequence[Sequence[str]],
    prompted: Prompted,
    question: Question,
    person: bool,
) -> bool:
    """`Paris, Texas` where the question or the reference speaks of France; `Lincoln, Nebraska` for a person."""
    end = occurrence.end
    if prompted.several or end >= len(tokens) or tokens[end].gap.strip() not in (",", "("):
        return False
    behind = [t.text for t in tokens[end:] if t.text not in ARTICLES]
    country = next((c for i in range(min(4, len(behind)), 0, -1) if (c := country_of(behind[:i])) is not None), None)
    if country is None:
        return False
    if question.asked == "who" or person:
        return occurrence.end - occurrence.start == 1  # "Lincoln, Nebraska", but "Abraham Lincoln, Illinois"
    known = set().union(*(countries_in(words) for words in golds))
    parts = set().union(*(parts_in(words) for words in golds), parts_in(prompted.words))
    part = next((tuple(behind[:i]) for i in range(min(4, len(behind)), 0, -1) if tuple(behind[:i]) in COUNTRY_OF), None)
    if part is not None and parts and part not in parts and question.asked != "where":
        return True
    if not known and question.asked != "where":
        known = countries_in(prompted.words)
    return bool(known) and country not in known
