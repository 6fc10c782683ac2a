"""Where a reference answer stands in a text: token-bounded places, whatever its dress."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, product

from verifleet.reading.dates import MONTHS
from verifleet.reading.naming import behind_authority, cut_short, romanised_names
from verifleet.reading.numerals import roman
from verifleet.reading.spelling import MIN_CONSONANTS, misspelt, sounds_like, spoken
from verifleet.reading.written import ranges, written_values
from verifleet.verifiers.knowledge.dates import find_date, find_dates
from verifleet.verifiers.knowledge.exonyms import are_two, words_of_names
from verifleet.verifiers.knowledge.golds import Form, Gold
from verifleet.verifiers.knowledge.languages import cognate, declined, endings_of, is_english, language_in
from verifleet.verifiers.knowledge.lists import exonyms, listed
from verifleet.verifiers.knowledge.measures import find_quantities
from verifleet.verifiers.knowledge.names import find_names, stands_alone
from verifleet.verifiers.knowledge.places import COUNTRIES, COUNTRY_OF, countries_asked, is_place
from verifleet.verifiers.knowledge.questions import STOPWORDS, question_words
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once, stem

# "West Virginia" is not Virginia, "Kansas City" not Kansas.
_OTHER_PLACE_BEFORE = listed("occurrences.other_place_before")
_OTHER_PLACE_BEHIND = frozenset("city beach bay falls springs heights".split())
_OTHER_COUNTRIES = {("ireland",), ("australia",), ("samoa",)}  # "Northern Ireland" is not Ireland
_OTHER_BEFORE = frozenset("vice deputy assistant former ex anti non semi step co pseudo quasi".split())
_ADJECTIVES = frozenset("northern southern eastern western".split())
# A plain word must be longer than a name to be told from its neighbours with a letter off.
_LONG_WORD = 9
_EDGES, _ENDS = frozenset({",", "/", "("}), frozenset(".!;:—–,(")
_LED = frozenset({"", "is", "its", "thats"})
_EARLY_LATE = frozenset({"early", "mid", "late"})
MAX_DECLINED = 400
"""Tokens of a text in which names are looked for in other cases."""
MIN_SINGULAR = 4
"""Letters from which a last e may be of a plural: not in "we"."""
MIN_FOREIGN = 4
"""Letters of a name of another language in an English text."""
LONG_FOREIGN = 8
"""Letters by which it is told without a capital."""
# An honest answer repeats itself a few times; a wall of repetitions is not worth more work.
MAX_OCCURRENCES = 16
# A text that says it more often is a wall, and no answer.
MAX_REPETITIONS = 400


def find(
    tokens: Sequence[Token], gold: Gold, given_units: Collection[str] = (), prompt: str = "", text: str = ""
) -> list[Occurrence]:
    """All token-bounded places of `gold`, in order, each once.

    A quantity may stand in any unit but the `given_units`, in which the answer or an alias of it is known exactly.
    """
    found: dict[tuple[int, int], Occurrence] = {}
    typed = find_date(tokens, gold.date, prompt) if gold.date else ()
    typed = chain(find_quantities(tokens, gold.meant, given_units), _of_year(tokens, gold)) if gold.meant else typed
    typed = chain(typed, _written(text, tokens, gold)) if gold.written else typed
    plain = not (gold.number or gold.date or (gold.written and gold.written.kind != "period"))
    for count, occurrence in enumerate(chain(_all(tokens, gold, text) if plain else (), typed)):
        if count == MAX_REPETITIONS:
            return []
        known = found.get((occurrence.start, occurrence.end))
        if known is None or (occurrence.exact and not known.exact):
            found[occurrence.start, occurrence.end] = occurrence
    asked = countries_asked(question_words(prompt)) if gold.capital and plain else frozenset()
    kept = (o for o in found.values() if not (asked and _lies_elsewhere(tokens, o.end, asked)))
    ordered = sorted(kept, key=lambda o: (o.start, o.end))
    half = MAX_OCCURRENCES // 2
    return ordered if len(ordered) <= MAX_OCCURRENCES else ordered[:half] + ordered[-half:]


def _lies_elsewhere(tokens: Sequence[Token], at: int, asked: frozenset[tuple[str, ...]]) -> bool:
    """`Geneva, New York` where a Swiss city is asked for: behind a comma a part of another country."""
    if at >= len(tokens) or tokens[at].gap != ", " or not tokens[at].capital:
        return False
    parts = [tuple(t.text for t in tokens[at : at + size]) for size in (1, 2, 3)]
    return any(asked.isdisjoint((part, COUNTRY_OF[part])) for part in parts if part in COUNTRY_OF)


def _all(tokens: Sequence[Token], gold: Gold, whole: str) -> Iterator[Occurrence]:
    articles = all(w in ARTICLES for w in gold.words)
    text = once(tokens, ("text", articles), lambda: _Text(tokens, articles))
    for form in gold.forms:
        apart = form.alone and len(text.places) > len(form.words)
        yield from (o for o in _said(tokens, text, form, gold) if not apart or _in_commas(tokens, o, whole))
    yield from _in_other_words(tokens, text, gold)
    if not gold.literal and (gold.capital or len(max(gold.words, key=len)) >= _LONG_WORD):
        for start, end in text.misspelt(tokens, gold.words):
            if bounded(tokens, start, end) and not _is_another(tokens, start, end, gold):
                yield Occurrence(start, end, exact=False)
    if gold.name:
        for named in find_names(tokens, gold.name, gold.hyphenated):
            other = are_two([t.base for t in tokens[named.start : named.end]], gold.name)
            if not (other or _is_another(tokens, named.start, named.end, gold)):
                yield named
    if gold.span:
        yield from (Occurrence(start, end) for start, end in ranges(tokens, gold.span, MONTHS))
    yield from _written_otherwise(tokens, gold)
    yield from _by_initials(tokens, gold.raw.split(), whole)
    if gold.letters:
        yield from _spelt_out(tokens, gold.letters)


def _of_year(tokens: Sequence[Token], gold: Gold) -> Iterator[Occurrence]:
    """`17.11.1869` for 1869: a date of digits that is in the year; `MM` for 2000."""
    dates = find_dates(tokens) if len(gold.number) == len("1869") else ()
    of_digits = (d for d in dates if str(d.year) == gold.number and all(t.number for t in tokens[d.start : d.end]))
    yield from (Occurrence(d.start, d.end, False) for d in of_digits)
    for i, token in enumerate(tokens if dates or len(gold.number) == len("1869") else ()):
        if token.capital and not token.number and roman(token.text) == gold.number:
            yield Occurrence(i, i + 1)


def _written_otherwise(tokens: Sequence[Token], gold: Gold) -> Iterator[Occurrence]:
    """A name in other Latin letters or cut short."""
    if gold.person and gold.capital:
        for start, end in romanised_names(tokens, gold.words):
            if stands_alone(tokens, start, end - 1) if tokens[end - 1].capital else bounded(tokens, start, end):
                yield Occurrence(start, end, exact=False)
    cut = (place for form in gold.forms if not form.alone for place in cut_short(tokens, form.words))
    yield from (Occurrence(start, end) for start, end in cut if bounded(tokens, start, end))


def _written(text: str, tokens: Sequence[Token], gold: Gold) -> Iterator[Occurrence]:
    """`half past nine in the morning` for 9:30 a.m.; a bare `9:30` leaves no doubt where it is a time at all."""
    for said in written_values(text, tokens, gold.written.kind) if gold.written else ():
        if gold.written and gold.written.is_said_by(said) and bounded(tokens, said.start, said.end):
            yield Occurrence(said.start, said.end)


def _in_commas(tokens: Sequence[Token], place: Occurrence, text: str) -> bool:
    """`He, Ne, Ar`, `H and O`, `FRA (4-2)`, `It's RI.`, `the DR`: between commas and the like, or at an edge."""
    first, behind = tokens[place.start], tokens[place.end : place.end + 1]
    before = tokens[max(0, place.start - 1) : place.start]
    beside = {t.text for t in (*before, *behind)} <= {"and", first.text}
    apart = all(t.gap.strip() in _EDGES for t in ((first, *behind) if before else behind))
    led, code = "".join(t.text for t in before), text[first.start : first.end]
    shown = led in _LED and (not behind or behind[0].gap.strip()[:1] in _ENDS)
    shown = shown or (led == "the" and not any(t.capital for t in behind))  # unlike "the DR Congo"
    return first.capital and (beside or apart or (shown and len(code) > 1 and code.isupper()))


def _said(tokens: Sequence[Token], text: _Text, form: Form, gold: Gold) -> Iterator[Occurrence]:
    species = len(gold.words) == 2 and gold.raw[:1].isupper() and gold.raw.split()[-1].islower()
    for start, end in text.find(tokens, form.words, gold.person, gold.literal):
        if bounded(tokens, start, end) and not _is_another(tokens, start, end, gold):
            yield Occurrence(start, behind_authority(tokens, end) if species else end, form.exact)


def _in_other_words(tokens: Sequence[Token], text: _Text, gold: Gold) -> Iterator[Occurrence]:
    """Names of other languages, in any case, and words that differ in their endings alone.

    In an English text a name of another language has to be one by its look: `Donau`, but not the French `or`.
    """
    english = is_english(tokens)
    for name in gold.foreign:
        for start, end in text.written.find(name) if "".join(name) in text.written.text else ():
            place = Occurrence(text.places[start], text.places[end - 1] + 1)
            long = len("".join(name))
            other = (long >= MIN_FOREIGN and tokens[place.start].capital and gold.capital) or long >= LONG_FOREIGN
            if (other or not english or name[0] >= "\u0370") and bounded(tokens, place.start, place.end):
                yield place
    if english or not gold.words[0].isalpha() or len(tokens) > MAX_DECLINED:
        return
    language = "ko" if any("\u1100" <= t.text[0] < "\u1200" for t in tokens) else language_in(tokens)
    names = [*(form.words for form in gold.forms if not form.alone), *gold.foreign, *(gold.name[-1:],)]
    found = [o for n in dict.fromkeys(names if endings_of(language) else ()) for o in _declined(tokens, n, language)]
    if len(gold.words) == 1:
        found += (
            Occurrence(i, i + 1, False)
            for i, t in enumerate(tokens)
            if t.base not in exonyms() and cognate(t.base, gold.words[0])
        )
    for place in found:
        if bounded(tokens, place.start, place.end) and not _is_another(tokens, place.start, place.end, gold):
            yield place


def _declined(tokens: Sequence[Token], name: Sequence[str], language: str) -> Iterator[Occurrence]:
    for at in range(len(tokens) - len(name) + 1 if name else 0):
        row = tokens[at : at + len(name)]
        forms = [(t.text, word) for t, word in zip(row, name, strict=True)]
        if any(a != b for a, b in forms) and all(a == b or declined(a, b, language) for a, b in forms):
            yield Occurrence(at, at + len(name))


def _by_initials(tokens: Sequence[Token], words: list[str], text: str) -> Iterator[Occurrence]:
    """`MoMA`, `MOMA` for Museum of Modern Art; no `got` for Game of Thrones."""
    words = words[1:] if words[0].lower() in ARTICLES else words
    known = len(words) > 2 and all(w.istitle() or w in STOPWORDS for w in words) and words[-1].istitle()
    initials, shouted = "".join(w[0] for w in words), text.isupper() and len(tokens) > 1
    for i, token in enumerate(tokens if known and not (initials.isupper() or shouted) else ()):
        if text[token.start : token.end] in (initials, initials.upper()):
            yield Occurrence(i, i + 1, exact=False)


def _spelt_out(tokens: Sequence[Token], letters: str) -> Iterator[Occurrence]:
    """`Museum of Modern Art` for MoMA: capitals in a row that begin with its letters, or small words as well."""
    for start, small in product(range(len(tokens)), (False, True)):
        told = 0
        for end, token in enumerate(tokens[start : start + 2 * len(letters)], start):
            named = (token.capital or (told and small)) and token.text[0] == letters[told]
            if (end > start and token.gap not in (" ", "-")) or not (named or (told and token.text in STOPWORDS)):
                break
            told += named
            if told == len(letters):
                yield Occurrence(start, end + 1, exact=False)
                break


# --- phrases -----------------------------------------------------------------


class _Row:
    """The words of a text run together: what is found in it begins and ends with words, however they are spaced."""

    def __init__(self, words: Sequence[str]) -> None:
        self.starts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        text = ""
        for at, word in enumerate(words):
            text += "|" if text[-1:].isdigit() and word[:1].isdigit() else ""  # two numbers are never made one
            self.starts[len(text)] = at
            text += word
            self.ends[len(text)] = at + 1
        self.text = text

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where words stand in a row: the first, and the one behind the last."""
        target = _Row(words).text
        at = self.text.find(target)
        while at >= 0:
            if at in self.starts and at + len(target) in self.ends:
                yield self.starts[at], self.ends[at + len(target)]
            at = self.text.find(target, at + 1)


def _singular(word: str) -> str:
    """One form for `movie` and `movies`, `city` and `cities`, `gas` and `gases`."""
    stemmed = stem(word)
    if len(stemmed) < MIN_SINGULAR:
        return stemmed
    return stemmed[:-2] + "y" if stemmed.endswith("ie") else stemmed.removesuffix("e")


class _Text:
    """The words of a text as rows: as they are, without possessive endings, in the singular.

    `places` are their indexes among the tokens.
    """

    def __init__(self, tokens: Sequence[Token], articles: bool) -> None:
        self.places = [i for i, t in enumerate(tokens) if articles or t.text not in ARTICLES]
        words = [tokens[i] for i in self.places]
        self.written = _Row([t.text for t in words])
        self.bases = _Row([t.base for t in words]) if any(t.base != t.text for t in words) else self.written
        self.stems = _Row([_singular(t.base) for t in words])
        foreign = any("\u0370" <= t.text[0] < "\u0500" for t in words)
        self.sounds = _Row([min(spoken(t.base)) for t in words]) if foreign else None

    def find(
        self, tokens: Sequence[Token], form: Sequence[str], person: bool, literal: bool
    ) -> Iterator[tuple[int, int]]:
        """Places where the words stand in a row, however spaced, hyphenated or, unless `literal`, put in the plural."""
        found = [*self.written.find(form)]
        found += [*self.bases.find(form)] if self.bases is not self.written else []
        found += [*self.sounds.find([min(spoken(word)) for word in form])] if self.sounds else []  # "Байкал"
        for start, end in () if literal else self.stems.find([_singular(word) for word in form]):
            # A plural is no other answer, but "William" is not "Williams".
            if not person or not any(tokens[i].capital for i in self.places[start:end]):
                found.append((start, end))
        return ((self.places[start], self.places[end - 1] + 1) for start, end in dict.fromkeys(found))

    def misspelt(self, tokens: Sequence[Token], form: Sequence[str]) -> Iterator[tuple[int, int]]:
        """`Ottowa`, `San Bernadino`: a name with one slip in one of its words."""
        places, size = self.places, len(form)
        for at in range(len(places) - size + 1):
            slips = 0
            for offset, word in enumerate(form):
                token = tokens[places[at + offset]]
                if word != token.text and word != token.base:
                    slips += 1 if not slips and _slip(token, word) else 2
                if slips > 1:
                    break
            if slips == 1:
                yield places[at], places[at + size - 1] + 1


def _slip(token: Token, word: str) -> bool:
    slipped = misspelt(token.text, word) and token.text not in words_of_names()
    slipped = slipped or (token.capital and sounds_like(token.text, word, MIN_CONSONANTS + 2))
    return slipped and not is_place(token.text)


def _is_another(tokens: Sequence[Token], start: int, end: int, gold: Gold) -> bool:
    """What stands around makes another thing of it: `West Virginia`, `Kansas City`, `Charles II`, `vice president`."""
    place = tokens[start]
    named = gold.capital and place.capital
    before = tokens[start - 1] if start and tokens[start - 1].text not in gold.words else None
    if before is not None:
        part = before.text in _EARLY_LATE and not _EARLY_LATE.isdisjoint(gold.words)
        country = before.text in _ADJECTIVES and (place.text,) in COUNTRIES - _OTHER_COUNTRIES
        other = before.text in _OTHER_PLACE_BEFORE and before.capital == place.capital and not country
        if part or before.text in _OTHER_BEFORE:
            return True
        if other and gold.capital and end - start == 1 and place.gap in (" ", "-"):
            return True
    behind = tokens[end] if end < len(tokens) else None
    if behind is None or not named or not behind.capital or behind.gap != " ":
        return False
    regnal = behind.number and len(behind.text) < 3 and not tokens[end - 1].number
    return regnal or (end - start == 1 and behind.text in _OTHER_PLACE_BEHIND)
