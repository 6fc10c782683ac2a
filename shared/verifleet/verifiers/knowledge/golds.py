"""What a reference answer may look like in a response: its readings, from literal to safely shortened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from verifleet.verifiers.knowledge.dates import MONTHS, WEEKDAYS, Date, find_dates
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.measures import Quantity, read_quantity
from verifleet.verifiers.knowledge.names import NAME_ENDINGS, PARTICLES, same_given_names
from verifleet.verifiers.knowledge.phrases import asks_to_explain
from verifleet.verifiers.knowledge.places import COUNTRIES, PEOPLE_OF, PEOPLES, country_of
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, STOPWORDS, Question, question_words
from verifleet.verifiers.knowledge.reading import Prompted
from verifleet.verifiers.knowledge.tokens import ARTICLES, CURRENCIES, UNITS, Token, stem, tokenize

MAX_GOLD_CHARS = 1000
_PARENTHESIS = re.compile(r"\s*[(\[][^()\[\]]{0,200}[)\]]")
_ROLE = re.compile(r"\s+(?:as|in the role of|voiced|playing)\s+", re.IGNORECASE)
_TITLES_JOINED = re.compile(r"[,;]?\s+or,?\s+")
_TAIL = re.compile(r"\s+(?:in|at|from|on|of(?=\s+\d))\s+")
# Units of one dimension: a bare number is read in the one that the question names.
SCALES = (
    frozenset({"celsius", "fahrenheit", "kelvin"}),
    frozenset({"kilometer", "meter", "centimeter", "millimeter", "mile", "foot", "inch", "yard"}),
    frozenset({"kilogram", "gram", "pound", "ounce", "ton", "milligram"}),
    frozenset({"second", "minute", "hour", "day", "week", "month", "year", "decade", "century"}),
    frozenset({"mph", "kmh"}),
    frozenset({"dollar", "euro", "pound", "yen", "rupee"}),
)
_SAME_NAME = {
    tuple(name.split()): tuple(tuple(other.split()) for other in others.split(","))
    for name, others in table("golds.same_name").items()
}
_LEADING = listed("golds.leading")
# These change what is claimed ("after World War I"), so they go only where the response drops them too.
_APPROXIMATE = frozenset("about around circa approximately roughly nearly almost c ca over".split())
_TITLES = listed("golds.titles")
_DESCRIPTORS = listed("golds.descriptors")
# "which actor", "the name of the girl": the answer is somebody, and a surname may stand for the name.
_PEOPLE = _DESCRIPTORS | listed("golds.people")
_DATE_FILLERS = frozenset({"of", "in", "on", "at", "ad", "utc", "gmt", "est"})
RANGE_WORDS = frozenset("to until through and between from till".split())
_MEASURES_ASKED = listed("golds.measures_asked")
_FINER = re.compile(
    r"\b(?:what|which|exact|full|complete|precise)\s+(?:\w+\s+)?(?:day|month|date)\b"
    r"|\b(?:day|month|date)(?:\s*[,/]\s*|\s+)(?:(?:and|of|or)\s+)?(?:(?:the|what|which)\s+)?(?:month|year)\b"
    r"|\b(?:month|year)(?:\s*[,/]\s*|\s+)(?:(?:and|or)\s+)(?:(?:the|what|which)\s+)?(?:day|month|date)\b",
    re.IGNORECASE,
)
_AND_ASKS = re.compile(r"\band\s+(?:\w+\s+)?(?:who|what|which|when|where|how)\b", re.IGNORECASE)
_DAY = re.compile(
    r"\b(?:what|which|exact) day\b|\bday\s*(?:,|and)\s*(?:the )?month\b|\b(?:what|which|exact|full) date\b",
    re.IGNORECASE,
)
_COUNTED = {"1": "single", "2": "pair", "12": "dozen"}
_MOUNTAIN_ASKED = frozenset("mountain peak mount mt summit volcano high highest tall tallest elevation climb".split())
_KINDS = {
    "rio": "river", "fiume": "river", "lago": "lake", "lac": "lake", "mont": "mountain", "monte": "mountain",
    "isla": "island", "isola": "island", "ilha": "island", "ile": "island", "mar": "sea", "mer": "sea",
}  # fmt: skip
"""Kinds of places in Spanish, French, Italian and Portuguese, as they stand before a name."""
_ELEMENTS = table("golds.elements")
_NO_SYMBOLS = FUNCTION_WORDS | listed("golds.no_symbols")
_LACKS = (("lack", "of"), ("shortage", "of"), ("deficiency", "of"), ("too", "little"), ("not", "enough"))
_STATES = ("republic", "confederation", "federation", "kingdom", "empire")
_SHIPS = frozenset("hms uss rms ss mv hmas hmcs".split())
_LATIN = ("us", "um", "is", "a", "ens", "ae", "i", "es", "o", "x")
_OWN_NAMES = frozenset("real birth full".split())


@dataclass(frozen=True, slots=True)
class Form:
    """One reading of a reference answer: folded words without articles; `exact` readings say all that it says.

    `alone` ones count only where the response is nothing else.
    """

    words: tuple[str, ...]
    exact: bool = True
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Gold:
    """A reference answer prepared for comparison.

    `number` is set for a bare quantity (with `unit` where the answer has one), `date` for a date that names a month,
    `name` (words in order) for a person's or group's name of two or more words, `parts` for "A, B and C", `span` for a
    range of numbers, and `descriptive` for a phrase of plain words, beside which no other answer is looked for.
    `person` says that the question asks for somebody, `scale` is the unit in which it asks for a number, `hyphenated`
    that the surname alone is no answer, `quantity` is set for what can be measured or counted.
    """

    raw: str
    words: tuple[str, ...]
    forms: tuple[Form, ...]
    number: str = ""
    unit: str = ""
    date: Date | None = None
    name: tuple[str, ...] = ()
    capital: bool = False
    parts: tuple[Gold, ...] = ()
    span: tuple[str, str] | None = None
    descriptive: bool = False
    person: bool = False
    scale: str = ""
    hyphenated: bool = False
    quantity: Quantity | None = None


@lru_cache(maxsize=4096)
def read_gold(raw: str, question: Question, prompt: str, whole: bool = True) -> Gold:
    """Prepare a reference answer for a question; `whole` is False for the parts of a list."""
    raw = raw[:MAX_GOLD_CHARS]
    tokens = tokenize(raw)
    content = [t for t in tokens if t.text not in ARTICLES] or tokens
    words = tuple(t.text for t in content)
    asked_words = _asked_words(prompt)
    number, unit = _quantity(content)
    date = _date(content)
    capital = any(t.capital for t in content)
    forms = [Form(words)]
    if len(words) == 4 and words[1] == "foot" and content[2].number:
        forms.append(Form(words[:3]))  # 5'4"
    if not number and date is None:
        forms += _shorter(raw, content, question, asked_words)
    elif number:
        forms += _quantity_forms(content, number, unit, asked_words)
    elif date is not None and date.year is not None and _only_year_asked(question, asked_words, prompt):
        forms.append(Form((str(date.year),), exact=False))
    parts = _parts(raw, question, prompt) if whole and not number and date is None else ()
    return Gold(
        raw,
        words,
        tuple(dict.fromkeys(f for f in forms if f.words)),
        number,
        unit,
        date,
        _name(_named_tokens(raw), question),
        capital,
        parts,
        _range(content),
        not parts and (_is_descriptive(content, asked_words) or (len(content) > 1 and asks_to_explain(prompt))),
        question.asked == "who",
        _asked_scale(asked_words) if number and not unit else "",
        len(content) > 1 and (content[-1].gap == "-" or _is_family_asked(content, asked_words)),
        read_quantity(raw) if date is None else None,
    )


def day_asked(prompt: str) -> bool:
    """Whether a day is asked for in so many words, so that a month does not answer."""
    return _DAY.search(prompt[:MAX_GOLD_CHARS]) is not None


def _only_year_asked(question: Question, asked: frozenset[str], prompt: str) -> bool:
    """Whether a bare year answers: a year is asked for, and no day or month beside it."""
    return (question.kind == "year" or "year" in asked) and not _FINER.search(prompt[:MAX_GOLD_CHARS])


def _is_descriptive(tokens: list[Token], asked: frozenset[str]) -> bool:
    """A phrase of several plain words, of which two at least are no echo of the question; not a name or number."""
    plain = [t for t in tokens if t.text not in STOPWORDS]
    if len(plain) < 3 or sum(_is_proper(t) for t in plain) * 2 > len(plain):
        return False
    return sum(stem(t.text) not in asked for t in plain) >= 2


def _asked_scale(asked: frozenset[str]) -> str:
    units = [unit for scale in SCALES for unit in scale if unit in asked]
    return units[0] if len(units) == 1 else ""


def _is_proper(token: Token) -> bool:
    if token.number:
        return not token.text.endswith("th")
    return token.capital and token.text not in MONTHS and token.text not in WEEKDAYS


def _asked_words(prompt: str) -> frozenset[str]:
    return frozenset(stem(w) for w in question_words(prompt))


def _quantity(tokens: list[Token]) -> tuple[str, str]:
    """`over 3,800 years`: ("3800", "year"); anything else but a number with at most one unit: ("", "")."""
    rest = tokens
    while rest and (rest[0].text in _LEADING or rest[0].text in ("more", "than", "just", "total", "combined")):
        rest = rest[1:]
    if not rest or not rest[0].number or len(rest) > 3:
        return "", ""
    units = [stem(t.text) for t in rest[1:]]
    if len(units) > 1 and not all(u in UNITS for u in units):
        return "", ""
    if units and units[0] not in UNITS and not (units[0].isalpha() and not rest[1].capital):
        return "", ""
    return rest[0].text, units[0] if units else ""


def _quantity_forms(tokens: list[Token], number: str, unit: str, asked: frozenset[str]) -> list[Form]:
    forms = []
    if number.endswith("th") and asked & {"rank", "position", "place", "number", "ranked"}:
        forms.append(Form((number.removesuffix("th"),), exact=False))
    if "many" in asked and number in _COUNTED:
        forms.append(Form((_COUNTED[number],), exact=False))
    if tokens[0].text != number:
        at = next(i for i, t in enumerate(tokens) if t.text == number)
        forms.append(Form(tuple(t.text for t in tokens[at:])))
    if unit == "degree" and tokens[-1].text in asked:
        forms += [Form((number, word)) for word in ("degree", "degrees")]
    said = set(unit.replace("/", " per ").split()) <= asked
    if unit and not said and asked & _MEASURES_ASKED:
        forms.append(Form((number,), exact=False, alone=True))
    if unit and (said or "many" in asked or "old" in asked or unit in CURRENCIES or unit == "percent"):
        forms.append(Form((number,), exact=said))
    return forms


def _date(tokens: list[Token]) -> Date | None:
    if any(t.text.endswith("th") and after.text in WEEKDAYS for t, after in pairwise(tokens)):
        return None  # "second Sunday in March"
    rest = [t for t in tokens if t.text not in WEEKDAYS]
    while rest and (rest[0].text in _LEADING or rest[0].text in _DATE_FILLERS):
        rest = rest[1:]
    while rest and rest[-1].text in _DATE_FILLERS:
        rest = rest[:-1]
    dates = find_dates(rest)
    if len(dates) == 1 and dates[0].start == 0 and dates[0].end == len(rest):
        return dates[0]
    return None


def _range(tokens: list[Token]) -> tuple[str, str] | None:
    numbers = [t.text for t in tokens if t.number]
    others = {t.text for t in tokens if not t.number} - RANGE_WORDS
    if len(numbers) != 2 or others or not (numbers[0].isdigit() and numbers[1].isdigit()):
        return None
    first, last = numbers
    if len(last) == 2 and len(first) == 4:
        last = first[:2] + last
    return first, last


def _shorter(raw: str, tokens: list[Token], question: Question, asked: frozenset[str]) -> list[Form]:
    """Readings that drop what a person would drop and still have answered the question."""
    forms: list[Form] = []
    plain = _PARENTHESIS.sub("", raw)
    if plain.strip() and plain != raw:
        forms.append(_form(plain))
        forms += [
            _form(inner) for inner in re.findall(r"\(([^()]{2,12})\)", raw) if inner.isupper() and inner.isalpha()
        ]
    base = _content(plain) or tokens
    start = 0
    while start < len(base) - 1 and base[start].text in _LEADING:
        start += 1
    if start:
        base = base[start:]
        forms.append(Form(tuple(t.text for t in base), exact=base[0].text not in _APPROXIMATE))
    head = _ROLE.split(plain)[0]
    if head != plain and len(_content(head)) > 1:
        forms.append(_form(head))
    place, _, region = plain.partition(",")
    title = _content(region)
    if len(title) > 2 and title[0].text in _TITLES and title[1].text == "of":
        name = tuple(t.text for t in _content(place))
        of = tuple(t.text for t in title[1:])
        forms += [Form((title[0].text, *name, *of)), Form((*name, *of))]  # "Duke William of Normandy"
    where = question.asked == "where" or "city" in asked or "place" in asked or "located" in asked
    if region and (where or country_of([t.text for t in _content(region)])) and _content(place):
        forms.append(Form(tuple(t.text for t in _content(place) if t.text not in _LEADING), exact=False))
    forms += [_form(part) for part in _TITLES_JOINED.split(plain) if part != plain and _names_it(_content(part))]
    tail = _TAIL.split(plain)[0]
    if tail != plain and len(_content(tail)) > 1 and all(t.capital for t in _content(tail)):
        forms.append(_form(tail))
    if len(base) > 2 and base[-1].text == "city" and base[-1].capital:
        forms.append(Form(tuple(t.text for t in base[:-1]), exact=False))
    known = {form.words: form.exact for form in (*forms, Form(tuple(t.text for t in base)))}
    forms += [Form(name, exact) for words, exact in known.items() for name in _SAME_NAME.get(words, ())]
    if len(base) == 2 and base[1].number and base[0].capital:
        forms += [Form((name, base[1].text)) for name in sorted(same_given_names(base[0].text))]  # "Nikolai II"
    forms += _symbol(base) + _abbreviated(base) + _lacking(base)
    forms += _initials(base, asked) + _ruler(base)
    forms += _without_kind(base, asked)
    forms += _without_descriptor(base)
    forms += _people(base, question)
    forms += _without_asked_words(base, asked, question)
    fresh = [f for f in forms if any(stem(w) not in asked for w in f.words)]
    return [f for f in fresh if any(len(w) > 1 or w.isdigit() for w in f.words)]


def _names_it(words: list[Token]) -> bool:
    """One of two names, unlike the `A word` of `A word or phrase that ...`."""
    return bool(words) and (len(words) > 1 or words[0].capital or words[0].number)


def _content(text: str) -> list[Token]:
    return [t for t in tokenize(text) if t.text not in ARTICLES]


def _form(text: str) -> Form:
    return Form(tuple(t.text for t in _content(text)))


def _people(tokens: list[Token], question: Question) -> list[Form]:
    """`the French` for France and the other way round, where somebody or a country is asked for."""
    if question.asked != "who" and not {"country", "nation", "team", "nationality"} & set(question.words):
        return []
    words = tuple(t.text for t in tokens)
    pairs = [(c, p) for c, p in PEOPLE_OF.items() if words == c or (words == p and question.asked == "who")]
    names = [p if words == c else c for c, p in pairs]
    return [Form(n, exact=False) for name in names for n in (name, (*name[:-1], name[-1] + "s"))]


def _symbol(tokens: list[Token]) -> list[Form]:
    """`Au` for gold; symbols that are words as well only where nothing else is said."""
    symbol = _ELEMENTS.get(tokens[0].text, "") if len(tokens) == 1 else ""
    return [Form((symbol,), exact=False, alone=len(symbol) < 2 or symbol in _NO_SYMBOLS)] if symbol else []


def _lacking(tokens: list[Token]) -> list[Form]:
    """`lack of vitamin C` for vitamin C deficiency."""
    words = tuple(t.text for t in tokens)
    known = words[2:] if words[:2] in _LACKS else words[:-1] if words[-1:] == ("deficiency",) else ()
    whats = (known, *_SAME_NAME.get(known, ())) if known else ()
    return [
        form for what in whats for form in (Form((*what, "deficiency")), *(Form((*lack, *what)) for lack in _LACKS))
    ]


def _abbreviated(tokens: list[Token]) -> list[Form]:
    """`M. musculus` for Mus musculus; `Beagle` for HMS Beagle; the Swiss Confederation for Switzerland and back."""
    words = tuple(t.text for t in tokens)
    at = words.index("of") if "of" in words else 0
    country = words[at + 1 :]
    if country in COUNTRIES and not set(_STATES).isdisjoint(words[:at]):
        return [Form(country, exact=False)]  # "United Republic of Tanzania"
    people = PEOPLE_OF.get(words)
    if people is not None:
        return [Form((*people, state)) for state in _STATES]
    if len(words) > 1 and words[0] in _SHIPS:
        return [Form(words[1:], exact=False)]
    species = len(words) == 2 and tokens[0].capital and not tokens[1].capital and words[1].endswith(_LATIN)
    return [Form((words[0][0], words[1]))] if species else []


def _initials(tokens: list[Token], asked: frozenset[str]) -> list[Form]:
    """`MLK` for Martin Luther King Jr., unless the question itself gives the letters."""
    words = [t for t in tokens if t.capital and t.text not in NAME_ENDINGS]
    initials = "".join(t.text[0] for t in words)
    plain = all(t.capital or t.text in STOPWORDS for t in tokens)
    if len(words) < 3 or not plain or not initials.isalpha() or initials in asked or initials in FUNCTION_WORDS:
        return []
    return [Form((initials,), exact=False)]


def _without_kind(tokens: list[Token], asked: frozenset[str]) -> list[Form]:
    """`Everest` for Mount Everest, `Nile` for Nile River, `Victoria` for Lake Victoria where nothing else is said."""
    if not 2 <= len(tokens) <= 3 or not all(t.capital and not t.number for t in tokens):
        return []
    words = tuple(t.text for t in tokens)
    if words[0] in ("mt", "lake", "river"):
        alone = words[0] != "mt" or not asked & _MOUNTAIN_ASKED
        return [Form(words[1:], exact=False, alone=alone)]
    if words[-1] == "islands":
        return [Form(words[:-1], exact=False)]
    if words[-1] in ("river", "ocean", "desert", "lake"):
        return [Form(words[:-1], exact=False, alone=True)]
    return []


def _without_descriptor(tokens: list[Token]) -> list[Form]:
    """`American rock band Nickelback` is Nickelback; `President Lincoln` is Lincoln."""
    forms = []
    for i in range(len(tokens) - 1):
        if tokens[i].text in _DESCRIPTORS and not tokens[i].capital and all(t.capital for t in tokens[i + 1 :]):
            forms.append(Form(tuple(t.text for t in tokens[i + 1 :])))
    if len(tokens) > 2 and tokens[0].text in _TITLES and tokens[0].capital and tokens[1].capital:
        forms.append(Form(tuple(t.text for t in tokens[1:])))
    return forms


def _without_asked_words(tokens: list[Token], asked: frozenset[str], question: Question) -> list[Form]:
    """`synovial joint` where the question asks for a type of joint is `synovial`."""
    start, end = 0, len(tokens)
    if any(t.number for t in tokens):
        return []
    while end - start > 1 and _is_asked(tokens[end - 1], asked) and len(tokens[end - 1].text) > 2:
        end -= 1
    if question.asked != "who":
        while end - start > 1 and _is_asked(tokens[start], asked) and tokens[start + 1].text != "of":
            start += 1
    rest = tokens[start:end]
    if len(rest) == len(tokens) or rest[-1].text in _LEADING | {"of", "and"} or len(rest[0].text) < 3:
        return []
    return [Form(tuple(t.text for t in rest), exact=False, alone=question.asked == "who")]


def _is_asked(token: Token, asked: frozenset[str]) -> bool:
    """A word of the question, or the adjective of a name in it ("Japanese" where Japan was asked about)."""
    if stem(token.text) in asked or _KINDS.get(token.text) in asked:
        return True
    return token.capital and any(len(w) > 3 and token.text.startswith(w) for w in asked)


def _ruler(tokens: list[Token]) -> list[Form]:
    """`Henry VIII` for King Henry VIII of England."""
    at = next((i for i, t in enumerate(tokens) if i and t.number and t.capital and tokens[i - 1].capital), 0)
    start = next((i for i, t in enumerate(tokens) if t.text not in _TITLES), 0)
    words = tuple(t.text for t in tokens[: at + 1])
    return [Form(words[start:]), Form(words)] if start < at and at - start < 4 else []


def _named_tokens(raw: str) -> list[Token]:
    plain = _ROLE.split(_PARENTHESIS.sub("", raw))[0]
    head = re.split(r"\s+of\s+(?=[A-Z])|,", plain)[0]
    if re.search(r"\s(?:and|&)\s", plain[len(head) :]):
        head = plain  # "Ana Lindt of the Reds and Jo Marsh"
    tokens = _content(head)
    while len(tokens) > 2 and tokens[0].text in _TITLES:
        tokens = tokens[1:]
    while len(tokens) > 2 and tokens[-1].text in NAME_ENDINGS:
        tokens = tokens[:-1]
    return tokens


def _name(tokens: list[Token], question: Question) -> tuple[str, ...]:
    """The words of a name: two to five capitalised words, particles apart, where the question asks for somebody."""
    named = "name" in question.words and not _OWN_NAMES.isdisjoint(question.words)
    if question.asked != "who" and not (question.asked in ("what", "") and (named or _PEOPLE & set(question.words))):
        return ()
    if not 2 <= len(tokens) <= 5:
        return ()
    if any(t.number for t in tokens) or not all(t.capital or t.text in PARTICLES for t in tokens):
        return ()
    if (tokens[0].text,) in PEOPLES:
        return ()  # "French Open"
    if not (tokens[0].capital and tokens[-1].capital) or len(tokens[-1].text) < 3 or "and" in (t.text for t in tokens):
        return ()
    return tuple(t.text for t in tokens)


def _is_family_asked(tokens: list[Token], asked: frozenset[str]) -> bool:
    """`Williams` where the question asks which of the Williams sisters."""
    return stem(tokens[-1].text) in asked and stem(tokens[0].text) not in asked


def _asks_two(pieces: list[str], prompt: str) -> bool:
    """`Alexander Fleming, 1928` where one question asks who and in what year: names and a number."""
    if len(pieces) < 2 or _AND_ASKS.search(prompt[:MAX_GOLD_CHARS]) is None:
        return False
    return sum(any(t.number for t in _content(piece)) for piece in pieces) == 1


def _parts(raw: str, question: Question, prompt: str) -> tuple[Gold, ...]:
    """`Hermia and Lysander` and `red, green and blue` have parts that may stand in any order."""
    plain = _PARENTHESIS.sub("", raw)
    pieces = [p.strip() for p in re.split(r",\s*and\s+|[;:]\s+|\s+and\s+|\s*&\s*|,\s+", plain)]
    joined = re.search(r"\band\b|&|;", plain) or (
        len(pieces) > 2 and (Prompted(prompt, ()).plural or str(len(pieces)) in question_words(prompt))
    )
    joined = joined or _asks_two(pieces, prompt)
    if len(pieces) < 2 or len(pieces) > 12 or not all(pieces) or not joined:
        return ()
    golds = tuple(read_gold(piece, question, prompt, whole=False) for piece in pieces)
    if any(len("".join(g.words)) < 2 and not g.number for g in golds) or any(len(g.words) > 4 for g in golds):
        return ()
    return golds
