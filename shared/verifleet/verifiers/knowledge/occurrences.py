"""Where a reference answer stands in a text: token-bounded places, whatever its dress."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from verifleet.verifiers.knowledge.dates import MONTHS, Date, find_dates
from verifleet.verifiers.knowledge.golds import Form, Gold
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.measures import find_quantities
from verifleet.verifiers.knowledge.names import find_names
from verifleet.verifiers.knowledge.places import COUNTRIES, is_place
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.spelling import MIN_CONSONANTS, consonants, misspelt, sounds_like, spoken
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once, stem

# "West Virginia" is not Virginia, "Kansas City" not Kansas.
_OTHER_PLACE_BEFORE = listed("occurrences.other_place_before")
_OTHER_PLACE_BEHIND = frozenset("city beach bay falls springs heights".split())
_OTHER_COUNTRIES = {("ireland",), ("australia",), ("samoa",)}  # "Northern Ireland" is not Ireland
_OTHER_BEFORE = frozenset("vice deputy assistant former ex anti non semi step co pseudo quasi".split())
_ADJECTIVES = frozenset("northern southern eastern western".split())
# A plain word must be longer than a name to be told from its neighbours with a letter off.
_LONG_WORD = 9
_EARLY_LATE = frozenset({"early", "mid", "late"})
_RANGE_WORDS = frozenset({"to", "until", "and", "through", "till"})
# An honest answer repeats itself a few times; a wall of repetitions is not worth more work.
MAX_OCCURRENCES = 16
# A text that says it more often is a wall, and no answer.
MAX_REPETITIONS = 400


def find(tokens: Sequence[Token], gold: Gold, given_units: Collection[str] = ()) -> list[Occurrence]:
    """All token-bounded places of `gold`, in order, each once.

    A quantity may stand in any unit but the `given_units`, in which the answer or an alias of it is known exactly.
    """
    found: dict[tuple[int, int], Occurrence] = {}
    measured = find_quantities(tokens, gold.meant, given_units) if gold.meant else ()
    for count, occurrence in enumerate(chain(() if gold.number else _all(tokens, gold), measured)):
        if count == MAX_REPETITIONS:
            return []
        known = found.get((occurrence.start, occurrence.end))
        if known is None or (occurrence.exact and not known.exact):
            found[occurrence.start, occurrence.end] = occurrence
    ordered = sorted(found.values(), key=lambda o: (o.start, o.end))
    return (
        ordered
        if len(ordered) <= MAX_OCCURRENCES
        else ordered[: MAX_OCCURRENCES // 2] + ordered[-MAX_OCCURRENCES // 2 :]
    )


def _all(tokens: Sequence[Token], gold: Gold) -> Iterator[Occurrence]:
    if gold.date is not None:
        yield from _dates(tokens, gold.date)
    words = _words(tokens, articles=not any(w not in ARTICLES for w in gold.words))
    for form in gold.forms if gold.date is None else gold.forms[1:]:
        apart = form.alone and len(words.places) > len(form.words)
        yield from (o for o in _said(tokens, words, form, gold) if not apart or _in_commas(tokens, o))
    if gold.date is None and (gold.capital or len(max(gold.words, key=len)) >= _LONG_WORD):
        for start, end in _misspelt(tokens, words, gold.words):
            if bounded(tokens, start, end) and _same_place(tokens, start, end, gold):
                yield Occurrence(start, end, exact=False)
    if gold.name:
        for named in find_names(tokens, gold.name, gold.hyphenated):
            if not _of_another_reign(tokens, named.start, named.end, gold):
                yield named
    if gold.span:
        yield from _ranges(tokens, gold.span)


def _in_commas(tokens: Sequence[Token], place: Occurrence) -> bool:
    """`He, Ne, Ar`: with a comma on each side, or the text's edge."""
    before = tokens[place.start : place.start + 1] if place.start else ()
    edges = [*before, *tokens[place.end : place.end + 1]]
    return all(t.gap == ", " for t in edges) and tokens[place.start].capital


def _said(tokens: Sequence[Token], words: _Words, form: Form, gold: Gold) -> Iterator[Occurrence]:
    for start, end in _phrase(tokens, words, form.words, gold.person):
        if (
            bounded(tokens, start, end)
            and _same_place(tokens, start, end, gold)
            and _same_part(tokens, start, form.words)
            and not _of_another_reign(tokens, start, end, gold)
        ):
            yield Occurrence(start, end, form.exact)


# --- phrases -----------------------------------------------------------------


class _Words:
    """The words of a text, looked up instead of gone through for each form of each answer.

    `places` are their indexes among the tokens; what is found are indexes into `places`.
    """

    def __init__(self, tokens: Sequence[Token], articles: bool) -> None:
        self.places = [i for i, t in enumerate(tokens) if articles or t.text not in ARTICLES]
        self._texts: dict[str, list[int]] = {}
        self._written: dict[str, list[int]] = {}  # the text or the base
        self._stems: dict[str, list[int]] = {}
        self._verbs: dict[str, list[int]] = {}
        self._alike: dict[tuple[str, int], list[int]] = {}  # by the first letter and the length
        self._sounds: dict[str, list[int]] = {}
        for at, index in enumerate(self.places):
            token = tokens[index]
            text = token.text
            self._texts.setdefault(text, []).append(at)
            for written in {text, token.base}:
                self._written.setdefault(written, []).append(at)
            self._stems.setdefault(stem(text), []).append(at)
            self._verbs.setdefault(_verb(text), []).append(at)
            self._alike.setdefault((text[:1], len(text)), []).append(at)
            if token.capital:
                for sound in {consonants(key) for key in spoken(text)}:
                    self._sounds.setdefault(sound, []).append(at)
        self._longest = max(map(len, self._texts), default=0)

    def beginnings(self, form: Sequence[str], target: str, stems: Sequence[str]) -> list[int]:
        """Where a form may begin: with its first word in some dress, or with a beginning of all of it run together."""
        found = {*self._written.get(form[0], ()), *self._stems.get(stems[0], ())}
        if len(form) > 1:
            found.update(self._verbs.get(_verb(form[0]), ()))
            behind = {
                *self._written.get(form[1], ()),
                *self._stems.get(stems[1], ()),
                *self._verbs.get(_verb(form[1]), ()),
            }
            found = {at for at in found if at + 1 in behind}
        for size in range(min(len(target), self._longest) + 1):
            found.update(self._texts.get(target[:size], ()))
        return sorted(found)

    def windows(self, form: Sequence[str]) -> list[int]:
        """Where a form may begin that has a slip in one of its words."""
        found: set[int] = set()
        if len(form) == 1:
            word = form[0]
            for length in range(len(word) - 1, len(word) + 2):
                found.update(self._alike.get((word[:1], length), ()))
            found.update(*(self._sounds.get(consonants(key), ()) for key in spoken(word)))
        for offset, word in enumerate(form if len(form) > 1 else ()):
            found.update(at - offset for at in self._written.get(word, ()))
        return sorted(at for at in found if 0 <= at <= len(self.places) - len(form))


def _words(tokens: Sequence[Token], articles: bool) -> _Words:
    return once(tokens, ("words", articles), lambda: _Words(tokens, articles))


def _phrase(tokens: Sequence[Token], words: _Words, form: Sequence[str], person: bool) -> Iterator[tuple[int, int]]:
    """Places where the words stand in a row, however they are spaced, hyphenated or put in the plural."""
    target = _glue(form)
    stems = [stem(w) for w in form]
    for at in words.beginnings(form, target, stems):
        end = _glued_end(tokens, words.places, at, target)
        if end is None:
            end = _stemmed_end(tokens, words.places, at, stems, form, person)
        if end is not None:
            yield words.places[at], end


def _glue(words: Sequence[str]) -> str:
    """Words joined without blanks, but never two numbers into one."""
    glued = ""
    for word in words:
        glued += "|" + word if glued[-1:].isdigit() and word[:1].isdigit() else word
    return glued


def _glued_end(tokens: Sequence[Token], words: Sequence[int], at: int, target: str) -> int | None:
    glued = ""
    for index in words[at : at + len(target)]:
        text = tokens[index].text
        between = "|" if glued[-1:].isdigit() and text[:1].isdigit() else ""
        joined = glued + between + text
        if not target.startswith(joined):
            base = glued + between + tokens[index].base
            return index + 1 if base == target else None
        glued = joined
        if len(glued) == len(target):
            return index + 1
    return None


def _stemmed_end(
    tokens: Sequence[Token], words: Sequence[int], at: int, stems: Sequence[str], form: Sequence[str], person: bool
) -> int | None:
    if at + len(form) > len(words):
        return None
    for offset, (word, stemmed) in enumerate(zip(form, stems, strict=True)):
        token = tokens[words[at + offset]]
        if word in (token.text, token.base):
            continue
        # A plural is no other answer, but "William" is not "Williams".
        same = stem(token.text) == stemmed or (len(form) > 1 and _verb(token.text) == _verb(word))
        if not same or (token.capital and person):
            return None
    return words[at + len(form) - 1] + 1


def _verb(word: str) -> str:
    """`protects`, `protecting` and `protected` are one verb; short words stay as they are."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 3 and word.isalpha():
            return word.removesuffix(ending)
    return word


def _misspelt(tokens: Sequence[Token], words: _Words, form: Sequence[str]) -> Iterator[tuple[int, int]]:
    """`Ottowa`, `San Bernadino`: a name with one slip in one of its words."""
    places, size = words.places, len(form)
    for at in words.windows(form):
        slips = 0
        for word, index in zip(form, places[at : at + size], strict=True):
            token = tokens[index]
            if word in (token.text, token.base):
                continue
            slips += 1
            if slips > 1 or is_place(token.text) or not _slip(token, word):
                slips = 2
                break
        if slips == 1:
            yield places[at], places[at + size - 1] + 1


def _slip(token: Token, word: str) -> bool:
    return misspelt(token.text, word) or (token.capital and sounds_like(token.text, word, MIN_CONSONANTS + 2))


def _same_place(tokens: Sequence[Token], start: int, end: int, gold: Gold) -> bool:
    """A single capitalised word is another place or thing inside "West Virginia" or "Kansas City"."""
    if end - start != 1 or not gold.capital:
        return True
    token = tokens[start]
    if (
        start
        and token.gap in (" ", "-")
        and tokens[start - 1].text in _OTHER_PLACE_BEFORE
        and tokens[start - 1].capital == token.capital
        and not (tokens[start - 1].text in _ADJECTIVES and (token.text,) in COUNTRIES - _OTHER_COUNTRIES)
    ):
        return tokens[start - 1].text in gold.words
    behind = tokens[end] if end < len(tokens) else None
    return not (
        behind is not None
        and behind.gap == " "
        and behind.text in _OTHER_PLACE_BEHIND
        and behind.capital
        and token.capital
    )


def _same_part(tokens: Sequence[Token], start: int, form: Sequence[str]) -> bool:
    """`early 2014` is not `late 2014`, a vice president no president."""
    if start and tokens[start - 1].text in _OTHER_BEFORE and tokens[start - 1].text not in form:
        return False
    if not start or tokens[start - 1].text not in _EARLY_LATE:
        return True
    return not any(w in _EARLY_LATE for w in form)


def _of_another_reign(tokens: Sequence[Token], start: int, end: int, gold: Gold) -> bool:
    """`Charles II` for King Charles: a Roman number behind a name makes another one."""
    if end >= len(tokens) or not gold.capital or not tokens[start].capital:
        return False
    behind = tokens[end]
    regnal = behind.number and behind.capital and behind.gap == " " and len(behind.text) < 3
    return regnal and not tokens[end - 1].number


# --- dates, ranges, names ----------------------------------------------------


def _dates(tokens: Sequence[Token], gold: Date) -> Iterator[Occurrence]:
    for date in find_dates(tokens):
        before_christ = date.end < len(tokens) and tokens[date.end].text == "bc"
        if date.agrees(gold) and date.covers(gold) and not before_christ:
            exact = (date.day is not None or gold.day is None) and (date.year is not None or gold.year is None)
            yield Occurrence(date.start, date.end, exact)


def _ranges(tokens: Sequence[Token], span: tuple[str, str]) -> Iterator[Occurrence]:
    first, last = span
    for i, token in enumerate(tokens):
        if token.text != first:
            continue
        j = i + 1
        while j < len(tokens) and j < i + 6 and _between_years(tokens[j], last):
            j += 1
        if j < len(tokens) and tokens[j].text in (last, last[2:] if len(last) == 4 and last[:2] == first[:2] else last):
            yield Occurrence(i, j + 1)


def _between_years(token: Token, last: str) -> bool:
    """`from 28 January 1887 to 31 March 1889` is 1887 to 1889."""
    if token.text in _RANGE_WORDS or token.text in MONTHS:
        return True
    return len(last) == 4 and token.number and len(token.text.removesuffix("th")) <= 2 and token.text != last[2:]
