"""Yes or no, true or false, as the first word of an answer that goes on to say why."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from verifleet.verifiers.math.answer.final import answer_text
from verifleet.verifiers.math.answer.stance import WAVERING
from verifleet.verifiers.math.answer.value import Stated
from verifleet.verifiers.math.answer.wording import undressed, words
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.vocabulary import phrased

POLAR: Final = frozenset({"yes", "no", "true", "false"})
MAX_TEXT = 20_000  # characters of a response whose first line may be its answer
_LEAD = re.compile(phrased("polarity.lead"), re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
_IT = r"^[\s,.;!*—–-]*(?:it|this|that|they|he|she)\s*"
_DOES = r"(?:is|are|was|were|does|do|has|can)"
_IT_IS_NOT = rf"{_IT}(?:{_DOES}(?:\s+not|n['’]t)|cannot)\b"
_OPPOSITE = {
    "yes": rf"\b(?:untrue|false|wrong|incorrect)\b|\bno\b(?=\s*(?:[,.;:!?*]|$))|{_IT_IS_NOT}",
    "no": rf"\b(?:yes|(?<!not )(?<!not always )(?:true|right|correct))\b|{_IT}{_DOES}\s*[.!]?\s*$",
    "true": r"(?<!not )\bfalse\b",
    "false": r"(?<!not )\btrue\b",
}
_ASKED = re.compile(phrased("polarity.asked"))
ALTERNATIVES = re.compile(r"\b(?:([a-z-]+), )?([a-z-]{3,}),? (?:or|oder|ou?) ([a-z-]{3,})\b")
_OF_ANOTHER = re.compile(r"[^.;!?]*\b(?:the|its) (?:converse|inverse|negation|opposite)\b[^.;!?]*", re.IGNORECASE)
_OF_TRUTH = re.compile(phrased("polarity.of_truth"))
NOT = re.compile(r"\b(?:not|never|cannot|no|neither|fails?|nicht|pas|não|non(?=\s))\b|n['’]t\b")
_OPEN = re.compile(rf"\?|\b(?:if|whether|clear|obvious|known)\b|{WAVERING.pattern}", re.IGNORECASE)
_IN_PART = re.compile(r"\b(?:absolut|condition|(?:un)?bedingt|uniform|pointwise|gleichm|necessar|only|to\s[-−\d])")
_REASON = re.compile(r",?\s(?:as|because|since)\s|;")
_OPPOSITES = {"prime": "compo", "compo": "prime", "conve": "diver", "konve": "diver", "diver": "[ck]onve"}
_OPPOSITES |= {"even": "odd", "odd": "even", "singu": "inver", "inver": "singu"}
_TRUTH = {"yes": "true", "no": "false", "t": "true", "f": "false"}
_AGREED = {"true": "yes", "false": "no"}


def said_of(question: Question, prefilled: str, response: str, answer: Stated) -> str | None:
    """What a response answers in POLAR: by its first word, or by what it says of what is asked."""
    word = _first_word(prefilled, response, answer)
    if question.judges and word is not None:
        return _TRUTH.get(word, word)
    stem, offered = _asked(question)
    word = None if offered else _AGREED.get(word, word) if word and stem else word  # yes and no choose neither of two
    text = answer_text(prefilled, response)[0] if question.judges else ""
    predicated = _predicated(question, answer.clause) or _predicated(question, answer.whole)
    return word or predicated or _of_truth(_OF_ANOTHER.sub("", text[-MAX_TEXT:].lower()))


def _first_word(prefilled: str, response: str, answer: Stated) -> str | None:
    """The word of POLAR that a response answers with; "" if it wavers or contradicts itself."""
    if answer.how in ("box", "boxes", "JSON object", "####"):
        return _polar(undressed(answer.text))
    text, _ = answer_text(prefilled, response)
    if answer.how == "answer tag":
        return _polar(text.rpartition("<answer>")[2].partition("</answer>")[0])
    last = text.rpartition("\n")[2]
    sentence = _SENTENCE.split(last.rstrip())[-1]
    return _polar(sentence) or _polar(last) or (_polar(text) if len(text) <= MAX_TEXT else None)


def polar(reference: str, question: Question) -> str | None:
    """What a reference answers in POLAR: itself, or yes to `Does it converge?` for `converges`; None for any other."""
    phrase = words(reference) if len(reference) < 40 else ""
    if question.judges:
        return _TRUTH.get(phrase, phrase if phrase in POLAR else None)
    if phrase in POLAR:
        return _AGREED.get(phrase, phrase) if _asked(question)[0] else phrase
    return _told(phrase, _asked(question)[0]) if phrase.isalpha() else None


def _asked(question: Question) -> tuple[str, bool]:
    """The stem of the property that is asked for, and whether its opposite is offered beside it.

    `prime` of `Is 91 prime?` and of `Is 91 a prime number?`, `conve` of `Does it converge or diverge?`.
    """
    asked = _ASKED.search(question.lower)
    if asked and " or " not in asked.group():
        return (asked["which"] or asked["what"])[:5], False
    pairs = [pair for before, *pair in ALTERNATIVES.findall(question.lower) if not before and "even" not in pair]
    either = [(word[:5], other) for pair in pairs for word, other in (pair, pair[::-1])]
    return next(((word, True) for word, other in either if _told(other, word) == "no"), ("", False))


def _told(said: str, stem: str) -> str | None:
    """Yes or no, where a text has the word of a stem or its opposite, as `composite`, with or without denials."""
    opposite = rf"{_OPPOSITES.get(stem, '(?!)')}|(?:in|ir|im|un|non-?|dis){stem}"
    found = list(re.finditer(rf"\b(?:(?P<no>{opposite})|{stem})", said)) if stem else []
    ends = [0, *(match.start() for match in found[1:]), len(said)]
    denials = [len(NOT.findall(said[start:end])) for start, end in pairwise(ends)]
    sides = {(denied + bool(match["no"])) % 2 for denied, match in zip(denials, found, strict=False)}
    return ("no" if sides == {1} else "yes") if len(sides) == 1 else None


def _predicated(question: Question, clause: str) -> str | None:
    """Yes or no, where a clause says of what is asked, `Is 91 prime?`, that it is so, or is not: `it is not prime`.

    Of a statement that is to be judged, true or false: `the statement is not true`.
    """
    said = _REASON.split(clause.lower())[0]
    if question.judges:
        return _of_truth(said)
    stem, offered = _asked(question)
    if _OPEN.search(said) or (offered and _IN_PART.search(said)):
        return None
    return _told(said, stem) or _told(said, "possi")


def _of_truth(said: str) -> str | None:
    found = list(_OF_TRUTH.finditer(said))
    if len(found) != 1 or _OPEN.search(said):
        return None
    return "true" if (found[0]["said"] in ("true", "correct")) != bool(found[0]["turned"]) else "false"


def _polar(text: str) -> str | None:
    lead = _LEAD.match(text)
    if lead is None:
        return None
    word = lead.group("polar").lower()
    rest = _OF_ANOTHER.sub("", text[lead.end() :])
    return "" if WAVERING.search(rest) or re.search(_OPPOSITE.get(word, "(?!)"), rest, re.IGNORECASE) else word
