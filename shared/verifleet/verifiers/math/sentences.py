"""The answer that a sentence states, such as `She has 12 apples left`."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifleet.verifiers.math import languages
from verifleet.verifiers.math.bounds import bound_before
from verifleet.verifiers.math.restated import agreed, restated
from verifleet.verifiers.math.tokens import repeats

MAX_SENTENCE = 8_000
MAX_VERBS = 20  # of a sentence, from the last one
MAX_PHRASE = 100  # characters before a number in which its verb is looked for

FORMULA = re.compile(
    r"\$\$(?P<dd>.{1,2000}?)\$\$|(?<!\\)\$(?P<d>[^$\n]{1,2000}?)(?<!\\)\$|\\\((?P<p>.{1,2000}?)\\\)|\\\[(?P<b>.{1,2000}?)\\\]",
    re.DOTALL,
)
_SENTENCE_END = re.compile(
    r"(?<![A-Z])(?<![0-9]\.\.)[.!?](?=[\"”]?\s+[A-Z(\[<*]|[\"”]?\s*$)|(?<=[0-9]\.\.\.)(?=\s+[A-Z])|\n"
)
_CONNECTIVE = re.compile(r"(?:[\s,;.\"“”]|\band\b|\bor\b)*", re.IGNORECASE)
_DECORATION = re.compile(r"(?:[\s*_:>#\"“”`]|-\s+(?=[A-Za-z*$\\]))*")
_ADVERBS = re.compile(
    r"(?:(?:approximately|about|exactly|simply|just|equal\s+to|therefore|thus|probably|roughly|clearly|now|either|"
    r"given\s+by|"
    r"actually|indeed|hence|so|then|only|still|also|the\s+(?:number|value|integer|fraction|set|interval|"
    r"expression|point|"
    r"pair|ordered\s+pair|list))\s+)+(?=\S)(?!is\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:\b(?:is|are|was|be|equals?|get|gets|obtain|have|find|has|by|gives?|yields?|to|makes?|costs?|earns?|"
    r"exactly|only|total\s+of)\b|"
    rf"{languages.VERBS}|"
    r"'s\b|(?<![0-9]):|:(?![0-9])|=|\bthere\s+(?:is|are))\s*(?:(?:about|approximately|exactly|only|equal\s+to|simply|just|"
    r"at(?!\s+(?:least|most)\b)|in|on)\s+)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])[-−+]?[$€£]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:[.,]\d+)?(?:\s*/\s*\d+)?\s?\\?%?"
    r"(?:(?=\s?[€$£])|(?=\s?(?:[mck]?m|ft|in|kg|g)[²³]?(?![A-Za-z]))|(?![A-Za-z0-9_]))"
)
NUMERAL = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-\s](?:one|two|three|four|five|six|seven|eight|nine))?|"
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
)
_NUMERAL = re.compile(
    rf"(?<![A-Za-z-])(?!one\b){NUMERAL}(?![A-Za-z-])(?!\s+(?:or|of|hundred|thousand|million)\b)", re.IGNORECASE
)
_NOT_BUT = re.compile(
    r"(?:\bnot|n['’]t)\s(?P<denied>[^;!?\n]{1,60}?)[,\s]\s{0,5}"
    r"(?:but(?:\s+(?:rather|actually|instead))?|rather|it(?:['’]s|\s+is)|they(?:['’]re|\s+are))\s+"
    r"(?!not\b|also\b|only\b)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:,|\s)\s*(?:not|rather\s+than|instead\s+of|because|since|which|where|so\s+that|making|as\s+(?:required|desired|expected|(?:the|my|our)\s+(?:final\s+)?answer)|i\.e\.|"
    r"that\s+is)\b.*$",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"(?<=[\w%)])\*\*(?=[\s.,;!]|$)")
_IN_ALL = re.compile(r"(?<=[\w%])\s(?:in\s(?:all|total)|altogether)$")
_SMILEY = re.compile(r"\s[:;]-?[)D]$|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]{1,5}$")
_ASIDE = re.compile(r"\s*\((?=[^()]*[A-Za-z]{2})(?![^()]*\\[a-z])(?![^()]*\b(?:or|maybe|perhaps|possibly)\b)[^()]*\)$")
_CHOICE_WORDS = re.compile(r"\b(?:or|either|one\s+of|among)\b", re.IGNORECASE)
_FACTORIAL = re.compile(r"(?:[^A-Za-z!?]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))*[0-9)]!\.?")
_NAME = re.compile(r"\\?[A-Za-z]+(?:_\{?\w+\}?)?|\\angle\s*[A-Z]+|[A-Za-z]+\([A-Za-z]\)")
_MATH_WORDS = frozenset(
    "or and sin cos tan cot sec csc ln log exp sqrt pi infty infinity frac text in union inf ab"
    "s dx begin end "
    "pmatrix bmatrix cdot times arctan arcsin arccos sinh cosh tanh theta alpha beta mod cm mm km ft kg mp"
    "h hours minutes "
    "seconds degrees dollars cents units square per percent no solution".split()
)


class Stated(NamedTuple):
    """An answer and where it stands in the text that was searched."""

    text: str
    start: int
    end: int


def formula_text(match: re.Match[str]) -> str:
    """What stands between a formula's delimiters."""
    return next(group for group in match.groups() if group is not None)


def stated_after(text: str, start: int) -> Stated | None:
    """The answer in the first sentence after a phrase such as "the final answer is"."""
    body = text[start : start + MAX_SENTENCE]
    lead = _DECORATION.match(body)
    start += lead.end() if lead else 0
    body = text[start : start + MAX_SENTENCE]
    end = _sentence_end(body)
    return _stated(body[:end], start)


def stated_last(text: str, start: int) -> Stated | None:
    """The answer in the last sentence of a text, which begins at `start` or later."""
    body = text[start:]
    rest = body.rstrip()
    content = list(re.finditer(r"[A-Za-z0-9\\$]", rest[-200:]))
    last = len(rest) - min(200, len(rest)) + content[-1].start() if content else len(rest)
    begin = max(
        (match.start() + 1 for match in _SENTENCE_END.finditer(_masked(rest)) if match.start() < last), default=0
    )
    lead = _DECORATION.match(rest, begin)
    begin = lead.end() if lead else begin
    return _stated(rest[begin:], start + begin, alone=begin == 0)


def _sentence_end(body: str) -> int:
    end = _SENTENCE_END.search(_masked(body))
    return end.start() if end else len(body)


def _masked(text: str) -> str:
    """The text with its formulas blanked out, so that no sentence ends within one."""
    return FORMULA.sub(lambda match: "x" * len(match.group()), text)


def _stated(sentence: str, offset: int, alone: bool = False) -> Stated | None:
    """What a sentence states; a bound with its words, since `at most 12` is not 12."""
    found = _said_twice(sentence, offset) or _named(sentence, offset, alone)
    bound = bound_before(sentence[: found.start - offset]) if found is not None else None
    if found is None or bound is None:
        return found
    phrase, begin = bound
    return Stated(f"{phrase} {found.text}", offset + begin, found.end)


def _said_twice(sentence: str, offset: int) -> Stated | None:
    """`The area is 9π, which is approximately 28.27`: the value with what it is said to be about."""
    said = restated(sentence)
    found = _named(said.text, offset, False) if said is not None else None
    if said is None or found is None or not _VALUE.search(found.text):
        return None
    unit = said.text[found.end - offset :].strip(" *_$")
    if unit and not _UNIT.fullmatch(unit):
        return None
    text = f"{found.text} {unit}".strip()
    again = said._replace(text=text)
    if not said.rounded and not agreed(again):
        return None
    tail = f"approximately {said.again}" if said.rounded else said.again
    return Stated(f"{text} ({tail})", found.start, offset + len(sentence.rstrip()))


_VALUE = re.compile(r"[0-9π√]|\\[a-z]")
_UNIT = re.compile(r"[A-Za-z°²³%]{1,15}(?:\s[A-Za-z²³]{1,15})?")


def _named(sentence: str, offset: int, alone: bool) -> Stated | None:
    start = _after_contrast(sentence)
    sentence, offset = sentence[start:], offset + start
    adverbs = _ADVERBS.match(sentence)
    begin = adverbs.end() if adverbs else 0
    direct = _from_start(sentence[begin:], offset + begin, alone and begin == 0)
    if direct is not None and not (_NAME.fullmatch(direct.text) and _VERB.search(sentence, direct.end - offset)):
        return direct
    formulas = [match.span() for match in FORMULA.finditer(sentence)]
    for verb in reversed(list(_VERB.finditer(sentence))[-MAX_VERBS:]):
        if any(begin < verb.start() < end for begin, end in formulas):
            continue
        found = _from_start(sentence[verb.end() :], offset + verb.end())
        if found is not None:
            return found
    return _last_formula(sentence, offset) or _only_number(sentence, offset) or _words(sentence, offset)


def _after_contrast(sentence: str) -> int:
    """Where the value begins in `It is not 41 but 42`; 0 if nothing is contrasted."""
    begin = languages.after_contrast(sentence)
    if "not" not in sentence and "n't" not in sentence and "n’t" not in sentence:
        return begin
    for match in _NOT_BUT.finditer(sentence):
        begin = match.end() if re.search(r"[0-9$\\]", match.group("denied")) else begin
    return begin


def _from_start(sentence: str, offset: int, alone: bool = False) -> Stated | None:
    """A formula (with those joined to it) or mathematical text at the very start.

    `alone`: no words come before, so that a closing `!` is a factorial rather than an exclamation.
    """
    first = FORMULA.match(sentence)
    if first is not None:
        return _joined(sentence, first, offset)
    text = _REASON.sub("", _trimmed(sentence))
    text = _ASIDE.sub("", text).strip()
    if _FACTORIAL.fullmatch(sentence.strip()) and alone:
        text += "!"
    if not text or (FORMULA.search(text) and not re.match(r"[-+(]?[\d.]", text)):
        return None
    if not is_mathematical(text):
        return None
    start = offset + sentence.find(text[:1])
    return Stated(text, start, start + len(text))


def _trimmed(sentence: str) -> str:
    text = sentence.strip().lstrip("*_`").rstrip('.!*_`"”;, \n\t')
    if text[-1:] in (")", "D") or not text.isascii():
        text = _SMILEY.sub("", text).rstrip()
    if text.endswith(("all", "total", "altogether")):
        text = _IN_ALL.sub("", text)
    if "**" in text:
        text = _EMPHASIS.sub("", text)
    text = text if text.isascii() and "'" not in text else languages.without_closing(text).strip("”» ")
    return f"{text}..." if repeats(f"{text}...") and f"{text}..." in sentence else text


def _joined(sentence: str, first: re.Match[str], offset: int) -> Stated:
    chosen = [first]
    for match in FORMULA.finditer(sentence, first.end()):
        if not _CONNECTIVE.fullmatch(sentence[chosen[-1].end() : match.start()]):
            break
        chosen.append(match)
    end = chosen[-1].end()
    text = ", ".join(formula_text(match).strip() for match in chosen) if len(chosen) > 1 else formula_text(first)
    after = sentence[end:].strip().rstrip(".")
    if len(chosen) == 1 and re.fullmatch(
        r"\\?%|(?!(?:is|are|was|since|because|and|or|as|so|when|if|but|which|that)\b)[a-zA-Z.²³ ]{1,30}", after
    ):
        text = rf"{text} \text{{ {after} }}" if after[-1] != "%" else rf"{text} \%"
    return Stated(text, offset + first.start(), offset + end)


def is_mathematical(text: str) -> bool:
    """Whether a plain text is an expression or an amount, rather than a sentence."""
    words = re.findall(r"(?<![\\A-Za-z])[A-Za-z]{2,}", re.sub(r"\\[a-zA-Z]+(?:\{[^{}]*\})?", " ", text))
    plain = [word for word in words if word.lower() not in _MATH_WORDS] + languages.words_of(text)
    if re.match(r"[-−+$€£(]*[\d.]", text):
        return len(plain) <= 6 and not re.search(r"\b(?:is|are|was|than|gives?|equals?|yields?|makes?)\b", text)
    return not plain


def _last_formula(sentence: str, offset: int) -> Stated | None:
    """The last formula of a sentence, with those joined to it by "and" or "or", if no number follows it."""
    spans = list(FORMULA.finditer(sentence))
    if not spans or re.search(r"(?<![A-Za-z])\d", sentence[spans[-1].end() :]):
        return None
    first = spans[-1]
    for match in reversed(spans[:-1]):
        if not _CONNECTIVE.fullmatch(sentence[match.end() : first.start()]):
            break
        first = match
    found = _joined(
        sentence[first.start() :], FORMULA.match(sentence[first.start() :]) or first, offset + first.start()
    )
    return found


def _only_number(sentence: str, offset: int) -> Stated | None:
    """The number that a sentence ends on saying, or the only one it has."""
    sentence = _INSTEAD.sub("", sentence)
    clocks = list(_CLOCK.finditer(sentence))
    if clocks and len({match.group() for match in clocks}) == 1 and not _NOT.search(sentence, 0, clocks[0].start()):
        clock = clocks[-1]
        return Stated(clock.group(), offset + clock.start(), offset + clock.end())
    numbers = [match for match in _NUMBER.finditer(sentence) if re.search(r"\d", match.group())]
    if not numbers:
        written = list(_NUMERAL.finditer(sentence))
        if len(written) != 1:
            return None
        return Stated(written[0].group(), offset + written[0].start(), offset + written[0].end())
    different = {match.group().strip() for match in numbers}
    stated = [
        match for match in numbers if _ends_with_verb(sentence[max(0, match.start() - MAX_PHRASE) : match.start()])
    ]
    if len(different) == 1 and not re.match(r"\s+or\b", sentence[numbers[-1].end() :]):
        chosen = numbers[-1]
    elif stated and not _CHOICE_WORDS.search(sentence):
        chosen = stated[-1]
    else:
        results = list(_RESULT.finditer(sentence))
        return _only_number(sentence[results[-1].end() :], offset + results[-1].end()) if results else None
    if _unsaid(sentence, chosen):
        return None
    return Stated(chosen.group().strip(), offset + chosen.start(), offset + chosen.end())


_INSTEAD = re.compile(r",\s(?:and\s)?(?:not|rather\sthan|instead\sof)\b[^,;]*$")
_CLOCK = re.compile(r"(?<![\d:.])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm]\b\.?)?(?![\d:])")
_RESULT = re.compile(r"[,;]\s+(?:and\s+)?(?:so|thus|hence|therefore|leaving)\b")
_CONDITION = re.compile(r"(?:if|unless|suppose|supposing|assuming|whether)\b[^,;]*", re.IGNORECASE)
_NOT = re.compile(r"\b(?:if|unless|not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_NOT_SO = re.compile(
    r"[^,;.]*\b(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?:\s+not|n['’]t)|cannot)\b",
    re.IGNORECASE,
)


def _unsaid(sentence: str, number: re.Match[str]) -> bool:
    """Whether a sentence only supposes a number, or denies what it says of it: `12 apples are not left`."""
    condition = _CONDITION.match(sentence)
    supposed = condition is not None and number.start() < condition.end()
    return supposed or _NOT_SO.match(sentence, number.end()) is not None


def _ends_with_verb(text: str) -> bool:
    verbs = list(_VERB.finditer(text))
    return bool(verbs) and not text[verbs[-1].end() :].strip()


def _words(sentence: str, offset: int) -> Stated | None:
    text = _trimmed(sentence)
    if not text or len(text) > 400:
        return None
    start = offset + sentence.find(text[:1])
    return Stated(text, start, start + len(text))
