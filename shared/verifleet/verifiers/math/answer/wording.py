"""Answers in words: names, yes and no, "no solution", choice letters, numbers written out."""

from __future__ import annotations

import re

from verifleet.reading.spelled import in_digits
from verifleet.reading.words import spoken
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.syntax.expression import EMPTY_SET, INFINITY, REALS, UNDEFINED, ZERO, Node, neg
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.vocabulary import listed, phrased, table

_COMMAND_WITH_TEXT = re.compile(
    r"\\(?:text|textbf|textit|textrm|texttt|mbox|mathrm|mathbf|mathit|operatorname|emph|textsf|boldsymbol|bm|"
    r"underline)\s*\{([^{}]*)\}"
)
MAX_PHRASE = 120
MAX_FONTS = 12  # commands around each other; deeper ones are no answer that anybody writes
_FORMAT = re.compile(r"\\[,;:!() \[\]]|[${}~]|\\quad|\\qquad|\\left|\\right|\\ ")
_ARTICLES = frozenset({"a", "an", "the"})
_LEAD = rf"(?:(?:{phrased('wording.lead')}) )*"
_KIND = r"(?:such |real |integer |rational |valid |positive |possible |common )*"
_THING = r"(?:solutions?|roots?|zeros?|zeroes|values?|numbers?|answers?|intersections?|pairs?|integers?|functions?|x)"
_NONE = re.compile(
    rf"{_LEAD}(?:(?:no|(?:does not|doesn't|do not|don't) (?:have|admit)(?: any)?) {_KIND}{_THING}"
    r"(?: of x| to (?:equation|system)| that .{1,60})?(?: (?:exists?|(?:in|over) (?:reals|real numbers|ℝ|\\mathbb r)))?"
    rf"|{phrased('wording.none')})"
)
_UNDEFINED = re.compile(rf"{_LEAD}(?:{phrased('wording.undefined')})")
_ENDLESS = re.compile(
    rf"{_LEAD}(?:infinitely many|infinite(?:ly)?|infinite number of|infinity(?: of)?)(?: many)?(?: {_KIND}{_THING})?"
)
_REALS = re.compile(rf"{_LEAD}(?:{phrased('wording.reals')})")
_MEANINGS = (
    (re.compile(r"(?:(?:positive|plus) )?infinity(?: \+?∞)?"), INFINITY),
    (re.compile(r"(?:negative|minus) infinity(?: [-−]∞)?"), neg(INFINITY)),
    *((_NONE, EMPTY_SET), (_UNDEFINED, UNDEFINED), (_REALS, REALS), (_ENDLESS, REALS)),
)
_ARITHMETIC = re.compile(r"[-\d\s/*√π]+(?:pi|i)?")
_WEEKDAYS = table("wording.weekdays")
MAX_CLAUSE = 400
_IS_THE_ANSWER = re.compile(phrased("wording.is_the_answer"))
_ADVERB = re.compile(r"(?:[a-z]+ly|then|thus|hence|just) ")
BANNED = spoken(rf"\b(?:{phrased('wording.not_asserting')})\b|n['’]t\b|[;?\n]")
"""Words of a clause that asserts nothing of its own."""
_LETTER = re.compile(
    r"^(?:(?i:i\s+(?:choose|pick|select)|the|correct|best|right|option|choice|answer|letter|is)\b[\s:]*)*"
    r"(?:[(\[]\s*([A-Ja-j])\s*[)\]]|([A-J]))[\s.):]*$"
)
_LETTER_WITH_TEXT = re.compile(
    r"^\s*(?:option\s+|choice\s+)?(?:\(([A-Ha-h])\)|([A-H])[).:](?=,?\s|$|\\|\$)|([A-H])\s*[-–—:]\s),?\s*(.*)$",
    re.DOTALL | re.IGNORECASE,
)
_FILLERS = listed("wording.fillers")


def words(text: str) -> str:
    """Lower-case words of an answer without LaTeX dress, articles, and punctuation at the ends."""
    text = undressed(text, r" \1 ")
    text = _FORMAT.sub(" ", text).replace("’", "'").lower()
    pieces = [piece.strip(".,;:!?\"'`*_()[]") for piece in text.split()]
    return " ".join(_WEEKDAYS.get(piece, piece) for piece in pieces if piece and piece not in _ARTICLES)


def meaning(phrase: str) -> Node | None:
    """The mathematical meaning of a phrase that `words` returned: ∅, ℝ, undefined, ±∞, a small number."""
    if len(phrase) > MAX_PHRASE:
        return None
    known = (node for pattern, node in _MEANINGS if pattern.fullmatch(phrase))
    digits = in_digits(phrase)
    return next(known, None) or (read(digits) if digits != phrase and _ARITHMETIC.fullmatch(digits) else None)


def is_endless(phrase: str) -> bool:
    """Whether a phrase that `words` returned says that there are infinitely many."""
    return len(phrase) <= MAX_PHRASE and _ENDLESS.fullmatch(phrase) is not None


def said_meaning(phrase: str) -> Node | None:
    """The meaning of a phrase without a value that a sentence ends on: `that would be no solution`."""
    phrase = _IS_THE_ANSWER.sub("", phrase)
    verbs = list(phrases.SAYING.finditer(phrase[-MAX_CLAUSE:]))
    at = verbs[-1].end() + max(0, len(phrase) - MAX_CLAUSE) if verbs else 0
    if phrase.endswith(" vanishes"):
        return None if BANNED.search(phrase) else ZERO
    return None if BANNED.search(phrase[:at]) else meaning(_ADVERB.sub("", phrase[at:].strip()))


def choice_letter(text: str) -> tuple[str, str] | None:
    r"""A choice letter (upper case) and the text after it: "(B)", "B", "\\text{(B)}", "B. Paris"."""
    plain = re.sub(r"\s+", " ", _FORMAT.sub(" ", undressed(text))).strip().strip("*_`").strip()
    if len(plain) > 400:
        return None
    match = _LETTER.match(plain)
    if match and len(plain) <= 40:
        return (match.group(1) or match.group(2)).upper(), ""
    match = _LETTER_WITH_TEXT.match(plain)
    if match is None:
        return None
    letter = (match.group(1) or match.group(2) or match.group(3)).upper()
    if re.match(r"(?:or|and|,|&|/)", match.group(4).strip()):
        return None  # several letters
    return letter, match.group(4).strip()


def undressed(text: str, content: str = r"\1") -> str:
    r"""Text without `\\text{}` and its like, which leave their content."""
    for _ in range(MAX_FONTS):
        previous, text = text, _COMMAND_WITH_TEXT.sub(content, text)
        if previous == text:
            break
    return text


def is_wordy(text: str) -> bool:
    """Whether an answer consists of words: it has a word of three letters, or is no."""
    phrase = words(text)
    return bool(re.fullmatch(r"[a-z' .,&-]+", phrase)) and (len(phrase) > 2 or phrase == "no")


def content(phrase: str, given: frozenset[str]) -> list[str]:
    """The words of a phrase that say something: no fillers, no letters alone, nothing that is given; denials stay."""
    return [word for word in phrase.split() if len(word) > 1 and word not in _FILLERS and word not in given]
