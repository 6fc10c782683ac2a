"""Where a reference answer stands in a text: token-bounded places, whatever its dress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifleet.verifiers.knowledge.dates import MONTHS, Date, find_dates
from verifleet.verifiers.knowledge.golds import PARTICLES, Gold
from verifleet.verifiers.knowledge.questions import STOPWORDS
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, stem

_TITLES = frozenset(
    "president sir king queen prince princess lord lady dr mr mrs ms miss general senator justice judge captain "
    "colonel pope emperor empress governor rev reverend professor prof sultan chief coach minister author singer actor "
    "actress detective officer sergeant lieutenant admiral secretary mayor congressman representative".split()
)
_NICKNAMES = {
    "mike": "michael", "abe": "abraham", "nate": "nathaniel", "zach": "zachary", "becky": "rebecca", "meg": "margaret",
    "bill": "william", "will": "william", "bob": "robert", "rob": "robert", "bobby": "robert",
    "jim": "james", "jimmy": "james", "joe": "joseph", "tom": "thomas", "dick": "richard", "rick": "richard",
    "ted": "theodore", "teddy": "theodore", "tony": "anthony", "dan": "daniel", "danny": "daniel", "dave": "david",
    "steve": "stephen", "steven": "stephen", "chris": "christopher", "matt": "matthew", "nick": "nicholas",
    "alex": "alexander", "ben": "benjamin", "sam": "samuel", "charlie": "charles", "chuck": "charles", "ed": "edward",
    "eddie": "edward", "liz": "elizabeth", "beth": "elizabeth", "kate": "katherine", "katie": "katherine",
    "catherine": "katherine", "peggy": "margaret", "maggie": "margaret", "jack": "john", "johnny": "john",
    "andy": "andrew", "greg": "gregory", "ron": "ronald", "don": "donald", "ken": "kenneth", "larry": "lawrence",
    "tim": "timothy", "vince": "vincent", "pete": "peter", "phil": "philip", "phillip": "philip", "fred": "frederick",
    "jon": "jonathan", "josh": "joshua", "jeff": "jeffrey", "geoffrey": "jeffrey", "gerry": "gerald", "jerry": "gerald",
    "sue": "susan", "debbie": "deborah", "jen": "jennifer", "jenny": "jennifer", "jess": "jessica", "sandy": "sandra",
}  # fmt: skip
# "West Virginia" is not Virginia, "Kansas City" not Kansas.
_OTHER_PLACE_BEFORE = frozenset(
    "new north south east west northern southern eastern western equatorial papua upper lower".split()
)
_OTHER_PLACE_BEHIND = frozenset("city beach bay falls springs heights".split())
_EARLY_LATE = frozenset({"early", "mid", "late"})
_RANGE_WORDS = frozenset({"to", "until", "and", "through", "till"})
_MIN_TYPO = 6
# An honest answer repeats itself a few times; a wall of repetitions is not worth more work.
MAX_OCCURRENCES = 40


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Tokens `start` to `end` (exclusive) say the reference answer; `exact` if nothing of it is left out."""

    start: int
    end: int
    exact: bool = True


def find(tokens: Sequence[Token], gold: Gold) -> list[Occurrence]:
    """All token-bounded places of `gold`, in order, each once."""
    found: dict[tuple[int, int], Occurrence] = {}
    for occurrence in _all(tokens, gold):
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
    words = [i for i, t in enumerate(tokens) if t.text not in ARTICLES]
    if not any(w not in ARTICLES for w in gold.words):
        words = list(range(len(tokens)))
    for form in gold.forms if gold.date is None else gold.forms[1:]:
        for start, end in _phrase(tokens, words, form.words):
            if (
                _bounded(tokens, start, end)
                and _same_place(tokens, start, end, gold)
                and _same_part(tokens, start, form.words)
            ):
                if gold.number and gold.unit and not form.exact and _other_unit(tokens, end):
                    continue
                yield Occurrence(start, end, form.exact)
        if gold.descriptive:
            yield from _scattered(tokens, form.words)
    if gold.name:
        yield from _names(tokens, gold.name)
    if gold.span:
        yield from _ranges(tokens, gold.span)


# --- phrases -----------------------------------------------------------------


def _phrase(tokens: Sequence[Token], words: Sequence[int], form: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places where the words stand in a row, however they are spaced, hyphenated or put in the plural."""
    target = _glue(form)
    stems = [stem(w) for w in form]
    first = form[0]
    for at, index in enumerate(words):
        token = tokens[index]
        if not (target.startswith(token.text) or first in (token.text, token.base) or stem(token.text) == stems[0]):
            continue
        end = _glued_end(tokens, words, at, target)
        if end is None:
            end = _stemmed_end(tokens, words, at, form, stems)
        if end is not None:
            yield index, end


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
        joined = glued + ("|" if glued[-1:].isdigit() and text[:1].isdigit() else "") + text
        if not target.startswith(joined):
            base = glued + tokens[index].base
            return index + 1 if base == target else None
        glued = joined
        if len(glued) == len(target):
            return index + 1
    return None


def _stemmed_end(
    tokens: Sequence[Token], words: Sequence[int], at: int, form: Sequence[str], stems: Sequence[str]
) -> int | None:
    if at + len(form) > len(words):
        return None
    for offset, (word, stemmed) in enumerate(zip(form, stems, strict=True)):
        token = tokens[words[at + offset]]
        if word in (token.text, token.base):
            continue
        # A plural is no other answer, but "William" is not "Williams".
        if stem(token.text) != stemmed or (token.capital and offset == len(form) - 1 and token.text.istitle()):
            return None
    return words[at + len(form) - 1] + 1


def _bounded(tokens: Sequence[Token], start: int, end: int) -> bool:
    return _edge(tokens[start - 1] if start else None, tokens[start]) and _edge(
        tokens[end - 1], tokens[end] if end < len(tokens) else None
    )


def _edge(left: Token | None, right: Token | None) -> bool:
    """Whether a word may end between two tokens: not in "300c", "Pryce-Jones", "3-1", "paris.com"."""
    if left is None or right is None:
        return True
    gap = right.gap
    if gap in ("", "_"):
        return (left.number and stem(right.text) in UNITS) or (
            not (left.text.isascii() and right.text.isascii()) and (len(left.text) == 1 or len(right.text) == 1)
        )
    both_numbers = left.number and right.number
    if gap in ("-", "‑"):
        if both_numbers:
            return len(left.text) == 4 and len(right.text) in (2, 4)
        return left.number or right.number or left.capital != right.capital
    if gap == ".":
        return right.capital and not right.number
    if both_numbers and gap in ("/", ":", "–", "−", "—"):
        return len(left.text) == 4
    return True


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
    ):
        return len(gold.words) > 1
    behind = tokens[end] if end < len(tokens) else None
    return not (
        behind is not None
        and behind.gap == " "
        and behind.text in _OTHER_PLACE_BEHIND
        and behind.capital
        and token.capital
    )


def _same_part(tokens: Sequence[Token], start: int, form: Sequence[str]) -> bool:
    """`early 2014` is not `late 2014`."""
    if not start or tokens[start - 1].text not in _EARLY_LATE:
        return True
    return not any(w in _EARLY_LATE for w in form)


def _other_unit(tokens: Sequence[Token], end: int) -> bool:
    return end < len(tokens) and stem(tokens[end].text) in UNITS and tokens[end].gap in (" ", "-", "")


def _scattered(tokens: Sequence[Token], form: Sequence[str]) -> Iterator[Occurrence]:
    """All content words of a descriptive answer close together in any order; of five or more one may be missing."""
    roots = {_root(w) for w in form if w not in STOPWORDS}
    if len(roots) < 3:
        return
    needed = len(roots) - (len(roots) >= 5)
    places = [(i, root) for i, t in enumerate(tokens) if (root := _root(t.base)) in roots]
    width = 3 * len(form) + 4
    for at, (start, _) in enumerate(places):
        seen: set[str] = set()
        for index, root in places[at : at + 3 * len(roots)]:
            if index - start >= width or (index > start and _ends(tokens[start + 1 : index + 1])):
                break
            seen.add(root)
            if len(seen) >= needed and not any(r[0].isdigit() for r in roots - seen):
                yield Occurrence(start, index + 1, exact=False)
                break


def _ends(tokens: Sequence[Token]) -> bool:
    return any(". " in t.gap or "\n" in t.gap or ";" in t.gap for t in tokens)


def _root(word: str) -> str:
    """The first six letters of a longer word: "converts" and "conversion" differ, "protein" and "proteins" do not."""
    return stem(word)[:6]


# --- dates, ranges, names ----------------------------------------------------


def _dates(tokens: Sequence[Token], gold: Date) -> Iterator[Occurrence]:
    for date in find_dates(tokens):
        if date.agrees(gold) and date.covers(gold):
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


def _names(tokens: Sequence[Token], name: tuple[str, ...]) -> Iterator[Occurrence]:
    """Middle names may be left out, added or shortened, one letter may be wrong, the surname may stand alone."""
    first, last = name[0], name[-1]
    if len(name) == 2:
        yield from _family_name_first(tokens, first, last)
    for j, token in enumerate(tokens):
        surname = _same_name(last, token)
        if not surname or not _edge(token, tokens[j + 1] if j + 1 < len(tokens) else None):
            continue
        start = _given_name(tokens, j, first, name[1:-1], exact_surname=last in (token.text, token.base))
        if start is not None:
            yield Occurrence(start, j + 1)
        elif last in (token.text, token.base) and _stands_alone(tokens, j):
            yield Occurrence(j, j + 1, exact=False)
        elif j and len(name) > 2 and (name[-2], last) == (tokens[j - 1].text, token.text) and name[-2] in PARTICLES:
            yield Occurrence(j - 1, j + 1, exact=False)


def _family_name_first(tokens: Sequence[Token], first: str, last: str) -> Iterator[Occurrence]:
    for j in range(len(tokens) - 1):
        here, behind = tokens[j], tokens[j + 1]
        if here.text == last and behind.text == first and behind.gap in (" ", ", ") and _bounded(tokens, j, j + 2):
            yield Occurrence(j, j + 2)


def _given_name(
    tokens: Sequence[Token], at: int, first: str, middle: tuple[str, ...], exact_surname: bool
) -> int | None:
    for i in range(at - 1, max(-1, at - 5), -1):
        if any(c in tokens[i + 1].gap for c in ",;:()\n") or not _edge(tokens[i - 1] if i else None, tokens[i]):
            return None
        if first == "".join(t.text[0] for t in tokens[i:at]) and exact_surname and len(first) > 1 and not middle:
            return i  # "JRR" for John Ronald Reuel
        if not _same_given(first, tokens[i], exact_surname):
            if not tokens[i].capital and tokens[at].capital:
                return None
            continue
        between = tuple(t.text for t in tokens[i + 1 : at])
        return i if _same_middle(between, middle) else None
    return None


def _same_middle(here: tuple[str, ...], gold: tuple[str, ...]) -> bool:
    if not here or not gold:
        return True
    return len(here) == len(gold) and all(
        a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(here, gold, strict=True)
    )


def _same_given(first: str, token: Token, exact_surname: bool) -> bool:
    text = token.text
    if first in (text, token.base):
        return True
    if not exact_surname:
        return False
    if _NICKNAMES.get(text, text) == _NICKNAMES.get(first, first):
        return True
    if 1 in (len(text), len(first)) and token.capital and text[0] == first[0]:
        return True
    return one_typo(first, text)


def _same_name(gold: str, token: Token) -> bool:
    return gold in (token.text, token.base) or (token.capital and one_typo(gold, token.text))


def one_typo(a: str, b: str) -> bool:
    """Equal but for one inserted, missing, replaced or swapped letter, in long words with the same first letter."""
    if min(len(a), len(b)) < _MIN_TYPO or a[0] != b[0] or abs(len(a) - len(b)) > 1 or not (a.isalpha() and b.isalpha()):
        return False
    return within_one_edit(a, b)


def within_one_edit(a: str, b: str) -> bool:
    """Damerau-Levenshtein distance of at most one."""
    if a == b:
        return True
    if len(a) > len(b):
        a, b = b, a
    i = 0
    while i < len(a) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        return a[i + 1 :] == b[i + 1 :] or (a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :])
    return len(b) - len(a) == 1 and a[i:] == b[i + 1 :]


def _stands_alone(tokens: Sequence[Token], at: int) -> bool:
    """The surname with nothing but a title before it and no other name around it."""
    token = tokens[at]
    if not token.capital:
        return len(tokens) == 1
    before = tokens[at - 1] if at else None
    if before is not None and token.gap.strip(" \"'“‘*_") == "" and before.capital and before.text not in _TITLES:
        first_of_sentence = before.text in ARTICLES or (at == 1 and before.text in ("by", "was", "is", "it"))
        if not first_of_sentence and not _opens_sentence(tokens, at - 1):
            return False
    if before is not None and token.gap in ("-", ". "):
        return before.text in _TITLES
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return not (behind is not None and behind.gap in (" ", "-") and behind.capital and not behind.number)


_OPENING_WORDS = frozenset(
    "the a an by was is it in on so when that this and but yes well then as for according".split()
)


def _opens_sentence(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].text in _OPENING_WORDS
