"""What a reference answer may look like in a response: its readings, from literal to safely shortened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from verifleet.reading.dates import MONTHS, WEEKDAYS, Date
from verifleet.reading.units import measures
from verifleet.reading.written import RANGE_WORDS, Written, written_values
from verifleet.verifiers.knowledge.dates import read_date
from verifleet.verifiers.knowledge.exonyms import codes_of, english_names, other_names
from verifleet.verifiers.knowledge.lists import listed, table
from verifleet.verifiers.knowledge.measures import Meant, read_quantity
from verifleet.verifiers.knowledge.names import NAME_ENDINGS, TITLES, same_given_names
from verifleet.verifiers.knowledge.places import COUNTRIES, PEOPLE_OF, PEOPLES, country_of
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, STOPWORDS, Question, question_words
from verifleet.verifiers.knowledge.reading import Prompted
from verifleet.verifiers.knowledge.tokens import ARTICLES, CURRENCIES, PARTICLES, Token, stem, tokenize

MAX_GOLD_CHARS = 1000
_PARENTHESIS = re.compile(r"\s*[(\[][^()\[\]]{0,200}[)\]]")
_TITLES_JOINED = re.compile(r"[,;]?\s+or,?\s+")
_TAIL = re.compile(r"\s+(?:as|voiced|playing|in|at|from|on|of(?=\s+\d)|(?<=[IVX]\s)of)\s+")
_POWER, _PER = re.compile(r"\b(square|cubic) "), re.compile(r" per (?!cent)")
_ACRONYM = re.compile(r"(?:[A-Z]\.?){3,6}|(?=...)[A-Z](?:[a-z]?[A-Z]){1,4}")
_SAME_NAME = {
    tuple(name.split()): tuple(tuple(other.split()) for other in others.split(","))
    for name, others in table("golds.same_name").items()
}
_LEADING = listed("golds.leading")
_DESCRIPTORS = listed("golds.descriptors")
# "which actor", "the name of the girl": the answer is somebody, and a surname may stand for the name.
_PEOPLE = _DESCRIPTORS | listed("golds.people")
MIN_DOER = 4
_DOERS, _NOBODY = ("er", "or", "ist", "ian"), listed("golds.nobody")
_EXPLAINING = frozenset("mean means meaning purpose function role job difference happens reason why how".split())
_MEASURES_ASKED = listed("golds.measures_asked")
_RANKS = frozenset("rank ranked position place number".split())
_HEIGHTS = frozenset("mountain peak mount mt summit volcano high highest tall tallest elevation climb".split())
_NO_SYMBOLS = FUNCTION_WORDS | listed("golds.no_symbols")
_AGAINST = {"v": "vs", "vs": "v"}
_STATES = frozenset("republic confederation federation kingdom empire".split())
_TWICE = {("congo",)}
"""Two countries have this name: it is that of the one without "Democratic"."""
# What stands before or behind the name of a place or ship.
_KINDS_BEFORE = frozenset("mt lake river hms uss rms ss mv hmas hmcs".split())
_KINDS_BEHIND = frozenset("river ocean desert lake islands city".split())
_LATIN = ("us", "um", "is", "a", "ens", "ae", "i", "es", "o", "x")
_FORMS_ASKED = frozenset("plural singular spell spelled spelt spelling tense participle feminine masculine".split())
_OWN_NAMES = frozenset("real birth full pen stage maiden".split())
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "Å": "Aa"})
_SCHOOLS = frozenset("movement style school philosophy religion ideology doctrine".split())
_GROUPS = frozenset("people group tribe civilization culture ethnic indigenous nation".split())


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

    `meant` is set for what can be measured or counted (`number` is its number, if it is but one), `date` for a date
    that names a month, `name` (words in order) for a person's or group's name of two or more words, `parts` for "A, B
    and C", `span` for a range of numbers, and `descriptive` for a phrase of plain words, beside which no other answer
    is looked for. `person` says that the question asks for somebody, `hyphenated` that the surname alone is no answer,
    `letters` are those of an acronym.
    """

    raw: str
    words: tuple[str, ...]
    forms: tuple[Form, ...]
    number: str = ""
    date: Date | None = None
    name: tuple[str, ...] = ()
    capital: bool = False
    parts: tuple[Gold, ...] = ()
    span: tuple[str, str] | None = None
    descriptive: bool = False
    person: bool = False
    hyphenated: bool = False
    meant: Meant | None = None
    letters: str = ""
    foreign: tuple[tuple[str, ...], ...] = ()
    """Its names in other languages."""
    literal: bool = False
    """A form or spelling of a word is asked for, so no other will do."""
    written: Written | None = None
    """The time of day, the degrees or the part of a decade that it is."""


@lru_cache(maxsize=4096)
def read_gold(raw: str, question: Question, prompt: str, whole: bool = True) -> Gold:
    """Prepare a reference answer for a question; `whole` is False for the parts of a list."""
    raw = raw[:MAX_GOLD_CHARS]
    tokens = tokenize(raw)
    content = [t for t in tokens if t.text not in ARTICLES] or tokens
    words = tuple(t.text for t in content)
    asked_words = frozenset(map(stem, question_words(prompt)))
    written = _written(raw, content, question, asked_words)
    typed = written is not None and written.kind != "period"
    date = read_date(content) if not typed else None
    meant = _meant(content, asked_words, prompt) if date is None and not typed else None
    number = meant.quantity.text if meant is not None and not meant.quantity.units[1:] else ""
    capital = any(t.capital for t in content)
    forms = [Form(words), Form(tuple(_AGAINST.get(word, word) for word in words))]
    if not number and date is None:
        forms += _shorter(raw, question, asked_words)
    parts = _parts(raw, question, prompt) if whole and not number and date is None else ()
    if (spelt := raw.translate(_UMLAUTS)) != raw:
        forms.append(Form(_words(_content(spelt))))  # "Koenigsberg"
    named = [] if number or date else [form.words for form in forms if not form.alone]
    others = (name for own in named for name in other_names(own, asked_words, question.asked == "who"))
    ends = [stem(t.text) in asked_words for t in (*content[:1], *content[-1:])]
    return Gold(
        raw,
        words,
        tuple(dict.fromkeys(f for f in forms if f.words)),
        number,
        date,
        _name(_named_tokens(raw), question, prompt),
        capital,
        parts,
        _range(content),
        not parts and (_is_descriptive(content, asked_words) or (len(content) > 1 and _asks_to_explain(prompt))),
        (question.asked == "who" or asks_for_somebody(prompt)) and not _GROUPS & asked_words,
        len(content) > 1 and (content[-1].gap == "-" or ends == [False, True]),  # "which of the Lindt sisters"
        meant,
        words[0] if _ACRONYM.fullmatch(raw.strip()) else "",
        tuple(dict.fromkeys(tuple(o.split()) for o in others)),
        len(content) == 1 and not asked_words.isdisjoint(_FORMS_ASKED),
        written,
    )


def _written(raw: str, tokens: list[Token], question: Question, asked: frozenset[str]) -> Written | None:
    """What the whole answer is; `2:15` is a time where a time of day is asked, and with `pm` everywhere."""
    found = next((w for w in written_values(raw, tokens) if (w.start, w.end) == (0, len(tokens))), None)
    if found is not None and found.kind == "angle" and not found.axis:
        return found if not asked.isdisjoint(("latitude", "longitude", "coordinate")) else None
    when = question.asked == "when" or not asked.isdisjoint(("time", "hour", "clock"))
    return found if found is None or found.kind != "time" or found.other is None or when else None


@lru_cache(maxsize=1024)
def asks_for_somebody(prompt: str) -> bool:
    """`which boxer`, `which US president`: by the word itself or by its ending."""
    words = question_words(prompt)
    at = next((n + 1 for n, word in enumerate(words[:3]) if word in ("which", "what")), len(words))
    nouns = [w for w in words[at : at + 2] if w in _PEOPLE or (w.endswith(_DOERS) and len(w) > MIN_DOER)]
    return any(noun not in _NOBODY for noun in nouns)


def _asks_to_explain(prompt: str) -> bool:
    """`What does X do`, `what is the purpose of X`: a phrase answers, and no name."""
    words = question_words(prompt)
    return not _EXPLAINING.isdisjoint(words[:5]) or words[:2] in (("what", "does"), ("what", "do"))


def _is_descriptive(tokens: list[Token], asked: frozenset[str]) -> bool:
    """A phrase of several plain words, of which two at least are no echo of the question; not a name or number."""
    plain = [t for t in tokens if t.text not in STOPWORDS]
    if len(plain) < 3 or sum(_is_proper(t) for t in plain) * 2 > len(plain):
        return False
    return sum(stem(t.text) not in asked for t in plain) >= 2


def _is_proper(token: Token) -> bool:
    if token.number:
        return not token.text.endswith("th")
    return token.capital and token.text not in MONTHS and token.text not in WEEKDAYS


def _scale_asked(prompt: str) -> tuple[str, frozenset[tuple[str, str]]]:
    """The unit that a number is asked in: right behind "how many", or the only one that follows no number.

    And what else is measured in the question: a number or 1, and its unit.
    """
    text = " ".join(map(stem, question_words(prompt))).replace("per 2th", "per second")
    words = [word.replace("_", " ") for word in _PER.sub("/", _POWER.sub(r"\1_", text)).split()]
    counted = words[words.index("many") + 1 :][:1] if "many" in words else []
    units = [("percent" if b.startswith("percent") else b) for a, b in pairwise(words) if not a.isdigit()]
    scales = [unit for unit in dict.fromkeys(units) if measures(unit)]
    named = frozenset((a if a.isdigit() else "1", b) for a, b in pairwise(words) if measures(b) and b not in counted)
    unit = counted[0] if counted and measures(counted[0]) else scales[0] if len(scales) == 1 else ""
    return unit, named


def _meant(tokens: list[Token], asked: frozenset[str], prompt: str) -> Meant | None:
    """`over 3,800 years`: a quantity, and what of it the question says already; None for anything else."""
    quantity = read_quantity(tokens)
    if quantity is None:
        return None
    unit = quantity.unit or quantity.noun
    if not unit:
        scale, named = _scale_asked(prompt)
        return Meant(quantity, scale, bare=True, ranked=not asked.isdisjoint(_RANKS), named=named)
    said = set(unit.replace("/", " per ").split()) <= asked
    counted = not asked.isdisjoint(("many", "old")) or unit in CURRENCIES or unit == "percent"
    measured = not asked.isdisjoint(_MEASURES_ASKED)
    exactly = "exact" in prompt.lower() or "precise" in prompt.lower()
    if "." in quantity.text and len(quantity.text) > len("9.5") and not said:
        return Meant(quantity, "", counted or False, exactly=exactly)  # "9.58" can be nothing else
    alone = measured and not (said or counted)
    return Meant(quantity, "", said if said or counted or measured else None, alone, exactly=exactly)


def _range(tokens: list[Token]) -> tuple[str, str] | None:
    numbers = [t.text for t in tokens if t.number]
    counted = {tokens[-1].text} if len(numbers) == 2 and len(tokens) > 2 and tokens[-2].number else set()
    others = {t.text for t in tokens if not t.number} - RANGE_WORDS - counted
    if len(numbers) != 2 or others or not (numbers[0].isdigit() and numbers[1].isdigit()):
        return None
    first, last = numbers
    if len(last) == 2 and len(first) == 4:
        last = first[:2] + last
    return first, last


def _shorter(raw: str, question: Question, asked: frozenset[str]) -> list[Form]:
    """Readings that drop what a person would drop and still have answered the question, and other names of them."""
    contents = [content for text in _texts(raw, question, asked) if (content := _content(text))]
    forms = [Form(_words(content)) for content in contents]
    forms += [core for content in contents if (core := _core(content, asked, question)) is not None]
    for form in tuple(forms):
        names = _SAME_NAME.get(form.words, ())
        forms += [Form(name, form.exact, form.alone or _is_letter(name)) for name in names]
    whole = contents[0] if contents else []
    forms += [Form(tuple(name.split())) for name in english_names(_words(whole), asked)]
    forms += [Form((code,), alone=True) for code in codes_of(_words(whole))]
    if len(whole) == 2 and whole[1].number and whole[0].capital:
        forms += [Form((name, whole[1].text)) for name in sorted(same_given_names(whole[0].text))]  # "Nikolai II"
        titles = [(), *((title,) for title in sorted(TITLES & asked))]
        forms += [Form((f"{whole[1].text}th", *title, whole[0].text)) for title in titles]  # "the eighth Henry"
    if len(whole) == 2 and whole[0].text.endswith("th") and whole[0].number:
        forms.append(Form((whole[1].text, whole[0].text.removesuffix("th")), exact=False))  # "Amendment XIX"
    if len(whole) == 1 and whole[0].text.endswith("ism") and _SCHOOLS & asked:
        forms.append(Form((whole[0].text[:-1] + "t",), exact=False))  # "an impressionist"
    if len(whole) == 1 and whole[0].capital and _GROUPS & asked:
        forms += [Form((stem(whole[0].text) + end,), exact=False) for end in ("n", "an", "s")]  # "Incan builders"
    forms += _abbreviated(whole, asked) + _people(_words(whole), question)
    fresh = [f for f in forms if any(stem(w) not in asked for w in f.words)]
    return [f for f in fresh if f.alone or any(len(w) > 1 or w.isdigit() for w in f.words)]


def _is_letter(name: tuple[str, ...]) -> bool:
    """A symbol of one letter, or one that is a word as well: `He` for helium."""
    return len("".join(name)) < 2 or (len(name) == 1 and name[0] in _NO_SYMBOLS)


def _texts(raw: str, question: Question, asked: frozenset[str]) -> list[str]:
    """The answer without what explains it, the halves of a title that has two, a place without what it lies in."""
    plain = _PARENTHESIS.sub("", raw)
    texts = [plain if plain.strip() else raw]
    texts += [inner for inner in re.findall(r"\(([^()]{2,12})\)", raw) if inner.isupper() and inner.isalpha()]
    heads = [_TAIL.split(plain)[0], plain.rpartition(": ")[2]]
    words = {head: [t for t in _content(head) if t.text not in STOPWORDS] for head in heads}
    texts += [
        head for head, own in words.items() if len(_content(head)) > 1 and all(t.capital or t.number for t in own)
    ]
    named = [(part, _content(part)) for part in _TITLES_JOINED.split(plain)]  # unlike `A word or phrase that ...`
    texts += [part for part, own in named if own and (len(own) > 1 or own[0].capital or own[0].number)]
    place, _, region = plain.partition(",")
    where = question.asked == "where" or not asked.isdisjoint(("city", "place", "located"))
    pair = not asked.isdisjoint(("2", "both"))
    if region and not pair and (where or country_of(_words(_content(region)))):
        texts.append(place)
    return list(dict.fromkeys(texts))


def _core(tokens: list[Token], asked: frozenset[str], question: Question) -> Form | None:
    """`Henry VIII` for King Henry VIII, `Nickelback` for American rock band Nickelback, `synovial` for a type of joint.

    A kind that the question does not speak of goes only where the response is nothing else: `Victoria` for a lake.
    """
    described = (i for i, t in enumerate(tokens[:-1]) if t.text in _DESCRIPTORS and not t.capital)
    at = next((i + 1 for i in described if all(t.capital for t in tokens[i + 1 :])), 0)
    rest, who, alone = tokens[at:], question.asked == "who", False
    named = len(rest) < 4 and all((t.capital and not t.number) or t.text == "of" for t in rest)
    while len(rest) > 1:
        first, last = rest[0], rest[-1]
        titled = first.text in TITLES and first.capital and rest[1].capital and len(rest) > 2
        echoes = not who and _is_asked(first, asked) and rest[1].text != "of"
        if first.text in _LEADING or titled or echoes:
            rest = rest[1:]
        elif not who and named and _is_asked(first, asked) and len(rest) > 2 and rest[2].capital:
            rest = rest[2:]  # "Treaty of Tordesillas"
        elif named and first.text in _KINDS_BEFORE:
            rest, alone = rest[1:], first.text in ("lake", "river") or (first.text == "mt" and not asked & _HEIGHTS)
        elif _is_asked(last, asked) and len(last.text) > 2 and last.gap != "-":
            rest, alone = rest[:-1], who
        elif named and last.text in _KINDS_BEHIND:
            rest, alone = rest[:-1], last.text not in ("islands", "city")
        else:
            break
    if len(rest) == len(tokens) or (rest[-1].text in _LEADING | {"of", "and"} and not rest[-1].capital):
        return None
    alone = alone or len(rest[0].text) < 3  # "D" for vitamin D
    return Form(_words(rest), exact=False, alone=alone)


def _content(text: str) -> list[Token]:
    return [t for t in tokenize(text) if t.text not in ARTICLES]


def _words(tokens: list[Token]) -> tuple[str, ...]:
    return tuple(t.text for t in tokens)


def _people(words: tuple[str, ...], question: Question) -> list[Form]:
    """`the French` for France where somebody or a country is asked for, and France for `French`, a nationality."""
    who, kinds = question.asked == "who", {"country", "nation", "team", "nationality"} & {*question.words}
    names = [*PEOPLE_OF.get(words, ())] if who or kinds else []
    if who or "nationality" in kinds:
        names += [name for country, people in PEOPLE_OF.items() if words in people for name in (country, *people)]
    return [Form(n, exact=False) for name in names for n in (name, (*name[:-1], name[-1] + "s"))]


def _abbreviated(tokens: list[Token], asked: frozenset[str]) -> list[Form]:
    """`MLK` for Martin Luther King Jr., `M. musculus` for Mus musculus; Tanzania for the United Republic of it."""
    words = _words(tokens)
    country = words[words.index("of") + 1 :] if "of" in words else ()
    state = [Form(country, exact=False)] if country in COUNTRIES and not _STATES.isdisjoint(words) else []
    state = [] if country in _TWICE and "democratic" in words else state
    if len(words) == 2 and tokens[0].capital and not tokens[1].capital and words[1].endswith(_LATIN):
        return [Form((words[0][0], words[1]))]
    initials = "".join(t.text[0] for t in tokens if t.capital and t.text not in NAME_ENDINGS)
    plain = all(t.capital or t.text in STOPWORDS for t in tokens)
    short = len(initials) < 3 or not plain or not initials.isalpha() or initials in asked | FUNCTION_WORDS
    return state if short else [*state, Form((initials,), exact=False)]


def _is_asked(token: Token, asked: frozenset[str]) -> bool:
    """A word of the question, or the adjective of a name in it ("Japanese" where Japan was asked about)."""
    if stem(token.text) in asked:
        return True
    return token.capital and any(len(w) > 3 and token.text.startswith(w) for w in asked)


def _named_tokens(raw: str) -> list[Token]:
    plain = _TAIL.split(_PARENTHESIS.sub("", raw))[0]
    head = re.split(r"\s+of\s+(?=[A-Z])|,", plain)[0]
    if re.search(r"\s(?:and|&)\s", plain[len(head) :]):
        head = plain  # "Ana Lindt of the Reds and Jo Marsh"
    tokens = _content(head)
    while len(tokens) > 2 and tokens[0].text in TITLES:
        tokens = tokens[1:]
    while len(tokens) > 2 and tokens[-1].text in NAME_ENDINGS:
        tokens = tokens[:-1]
    return tokens


def _name(tokens: list[Token], question: Question, prompt: str) -> tuple[str, ...]:
    """The words of a name: two to five capitalised words, particles apart, where the question asks for somebody."""
    named = "name" in question.words and not _OWN_NAMES.isdisjoint(question.words)
    somebody = question.asked in ("what", "") and (named or _PEOPLE & {*question.words[:3]})
    if not (somebody or question.asked == "who" or asks_for_somebody(prompt)):
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


def _parts(raw: str, question: Question, prompt: str) -> tuple[Gold, ...]:
    """`Hermia and Lysander` and `red, green and blue` have parts that may stand in any order."""
    plain = _PARENTHESIS.sub("", raw)
    pieces = [p.strip() for p in re.split(r",\s*and\s+|[;:]\s+|\s+and\s+|\s*&\s*|,\s+", plain)]
    several = len(pieces) > 2 and (Prompted(prompt, ()).plural or str(len(pieces)) in question_words(prompt))
    joined = several or re.search(r"\band\b|&|;", plain)
    if len(pieces) < 2 or len(pieces) > 12 or not all(pieces) or not joined:
        return ()
    golds = tuple(read_gold(piece, question, prompt, whole=False) for piece in pieces)
    if any(len("".join(g.words)) < 2 and not g.number for g in golds) or any(len(g.words) > 4 for g in golds):
        return ()
    return golds
