"""The knowledge verifier: looks the question up if need be, finds the final answer, compares, guards, judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, ClassVar

from verifleet.encoder.answers import SAID, explains
from verifleet.reading.courtesies import without_courtesies, without_next_question
from verifleet.reading.final_answer import Extraction, extract_answer
from verifleet.reading.struck import without_struck
from verifleet.reading.tables import without_other_cells
from verifleet.reading.tex import signed_alike
from verifleet.reading.units import UNITS_BY_CASE
from verifleet.verification import (
    EMPTY_ANSWER,
    BaseVerifier,
    Judgement,
    KnowledgeReference,
    KnowledgeRequest,
    Options,
    VerifierName,
)
from verifleet.verifiers.knowledge.base import KnowledgeBase
from verifleet.verifiers.knowledge.choices import chosen, spelt_out
from verifleet.verifiers.knowledge.claims import of_another_subject
from verifleet.verifiers.knowledge.comparisons import compared
from verifleet.verifiers.knowledge.denials import last_retraction
from verifleet.verifiers.knowledge.golds import Gold, read_gold
from verifleet.verifiers.knowledge.guards import DENIALS, Answer, commit, held_back, outermost
from verifleet.verifiers.knowledge.languages import english_of, language_of
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.measures import find_quantities
from verifleet.verifiers.knowledge.occurrences import find
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS, Question, parse_words, question_words
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading, read
from verifleet.verifiers.knowledge.rows import is_longer_row, lacks_some, out_of_order, says_all_by_one_name
from verifleet.verifiers.knowledge.spans import Occurrence, bounded
from verifleet.verifiers.knowledge.tokens import ARTICLES, PARTICLES, fold, once, stem
from verifleet.verifiers.knowledge.yes_no import contradicted, stated, stated_verdict, verdict

UNKNOWN_SCORE = 0.5
KEY_TERMS_SCORE = 0.8
MAX_SHOWN_CHARS = 200
MAX_EXPLAINED = 8  # forms of an explanation that are read
_PRONOUNS = frozenset("he she his her its or be but they".split())
_MERE_WORDS = _PRONOUNS | {word for word in FUNCTION_WORDS if len(word) > 1 or word in "ai"}
_SHOWING = BE | {"symbol", "code", "letter", "letters", "called", "abbreviated", "as", "abbreviation", "stands"}
_SIGNS, _RAISING = tuple("≠¬<>≤≥"), tuple("+²³⁴±")
_AROUND = " .,;:!*_`\"'“”‘’«»()[]"
_FRAME = listed("verifier.frame")
_REASONS = {
    "alias": "The answer equals an accepted other form of the expected answer.",
    "contained": "The response asserts the expected answer.",
    "exact": "The answer equals the expected answer.",
    "explained": "The response says what the expected answer says, in other words.",
}
_GUARD_REASON = "The response does not commit itself to the expected answer ({})."


@dataclass(frozen=True, slots=True)
class Match:
    """How a response meets one reference answer: `how` is exact, alias, contained or empty; `guard` says why not."""

    how: str = ""
    text: str = ""
    guard: str = ""


@dataclass(frozen=True, slots=True)
class _Case:
    """One response against one question."""

    reading: Reading
    judged: Reading
    """The same with its words in English."""
    prompt: str
    prompted: Prompted
    question: Question
    options: Options
    required: tuple[tuple[Occurrence, ...], ...] = ()
    """Where each of the answers stands that are required together."""

    def for_several(self, answers: Sequence[str] = ()) -> _Case:
        """The same where more than one answer is required."""
        golds = [gold for raw in answers for gold in _read_golds([raw], self.question, self.prompt) if gold.words]
        places = tuple(tuple(_places(self, gold, [gold], self.question)) for gold in golds)
        return replace(self, prompted=replace(self.prompted, several=True), required=places)


class KnowledgeVerifier(BaseVerifier):
    """Scores factual answers against a reference or a knowledge base.

    Exact answer or alias 1.0; all key terms 0.8; a question that the base does not hold 0.5 with status unknown.
    Thread-safe if the base is.
    """

    name: ClassVar[VerifierName] = "knowledge"
    version: ClassVar[str] = "1"

    def __init__(self, knowledge_base: KnowledgeBase | None = None) -> None:
        self._base = knowledge_base

    def judge(self, request: KnowledgeRequest) -> Judgement:
        """Judge one response. Raises VerifierUnavailableError if the knowledge base can't be read."""
        reference, source = request.reference, "request"
        if reference is None:
            fact = self._base.lookup(request.prompt) if self._base is not None else None
            if fact is None:
                return Judgement.unknown("The knowledge base does not hold this question.", UNKNOWN_SCORE)
            reference, source = fact.reference, "knowledge_base"
        answers = reference.answer if isinstance(reference.answer, list) else [reference.answer]
        if not answers or not all(map(str.strip, answers)):
            return EMPTY_ANSWER
        judgement = judge_answer(request.prompt, request.response, reference, request.options)
        judgement.details["reference_from"] = source
        if source == "knowledge_base" and self._base is not None:
            judgement.details["knowledge_base"] = self._base.version
        return judgement


def judge_answer(prompt: str, response: str, reference: KnowledgeReference, options: Options) -> Judgement:
    """Judge a response by rules alone."""
    extraction = extract_answer(without_next_question(options.prefilled + response, prompt))
    if extraction.malformed:
        return Judgement.malformed(f"The response can't be read: {extraction.malformed}.")
    words = _in_english(question_words(prompt))
    answers = [*answer] if isinstance(answer := reference.answer, list) else [answer, *reference.aliases]
    text = spelt_out(without_struck(without_courtesies(extraction.text)), prompt, answers)
    reading = read(without_other_cells(text, words, lambda word: stem(fold(word))), words)
    case = _Case(reading, reading.in_english(words), prompt, Prompted(prompt, words), parse_words(words), options)
    details = _shown(extraction, len(options.prefilled))
    if isinstance(reference.answer, list):
        return _judge_all(case, reference.answer, reference, details)
    golds = [reference.answer, *reference.aliases]
    match = match_any(case, golds)
    if not (match.how or match.guard or reference.key_terms):
        match = _explained(case, golds)
    if match.how:
        details |= {"match": match.how, "matched_text": _printable(match.text)}
        return Judgement.correct(_REASONS[match.how], **details)
    terms = [t for t in reference.key_terms if t.strip()]
    if terms and not match.guard:
        several = case.for_several(terms)
        found = list(takewhile(lambda match: match.how, (match_any(several, [t]) for t in terms)))
        if len(found) == len(terms):
            details |= {"match": "key_terms", "matched_text": _printable(", ".join(f.text for f in found))}
            return Judgement.partial(KEY_TERMS_SCORE, "All key terms of the answer are there.", **details)
    if match.guard:
        details["guard"] = match.guard
        return Judgement.incorrect(_GUARD_REASON.format(match.guard), **details)
    if not reading.tokens:
        return Judgement.incorrect("The response gives no answer.", **details)
    return Judgement.incorrect("The response does not give the expected answer.", **details)


@lru_cache(maxsize=1024)
def _in_english(words: tuple[str, ...]) -> tuple[str, ...]:
    language = language_of(words)
    return tuple(english_of(word, language) or word for word in words) if language else words


def _is_name(text: str) -> bool:
    return all(word[:1].isupper() for word in text.split())


def _shown(extraction: Extraction, prefilled: int) -> dict[str, Any]:
    start = max(0, extraction.start - prefilled)
    shown = _printable(extraction.text)
    return {"extracted": shown, "extracted_from": extraction.how, "span": [start, start + len(extraction.text)]}


def _printable(text: str) -> str:
    """The beginning of a text, without lone surrogates, which no JSON can hold."""
    return text[:MAX_SHOWN_CHARS].encode("utf-8", "replace").decode("utf-8")


# --- one answer ------------------------------------------------------------------


def _read_golds(golds: Sequence[str], question: Question, prompt: str) -> list[Gold]:
    """The answer and its aliases; a surname beside the whole name is no alias: "Theo van Gogh" is not Vincent.

    Nor is a number of other things without them: beside 46, "23 pairs" is not 23.
    """
    read = [read_gold(raw, question, prompt) for raw in golds]
    own = read[0].number
    others = {gold.number for gold in read if own and gold.meant and gold.meant.quantity.noun} - {own}
    read = [replace(g, meant=g.meant._replace(bare=None)) if g.meant and g.number in others else g for g in read]
    unit = read[0].meant.quantity.unit if read[0].meant else ""
    alike = [g.meant if g.number == own and g.meant and not g.meant.quantity.unit else None for g in read]
    if unit.isalpha():  # beside "2000 lb", "2,000" is in pounds
        read = [replace(g, meant=m._replace(scale=unit)) if m else g for g, m in zip(read, alike, strict=True)]
    endings = {gold.name[i:] for gold in read for i in range(1, len(gold.name))}
    surnames = {name for name in endings if len(name) == 1 or name[0] in PARTICLES}
    return [gold for gold in read if not (gold.person and gold.words in surnames)]


def match_any(case: _Case, golds: Sequence[str]) -> Match:
    """The best match of a response with an answer and its aliases; the aliases are one answer for the guards."""
    question = case.question
    found: list[Occurrence] = []
    counted: list[Occurrence] = []
    read_golds = _read_golds(golds, question, case.prompt)
    for gold in read_golds:
        raw = gold.raw
        if not gold.words:
            if raw.strip() and raw.strip() == case.reading.text.strip():
                return Match("exact" if raw == golds[0] else "alias", case.reading.text)
            continue
        if (said := _nothing_else(case, gold)) is not None:
            return Match("exact" if raw == golds[0] else "alias", _text(case.reading, said))
        occurrences = _places(case, gold, read_golds, question)
        bare = next((o for o in occurrences if _is_bare(case.judged, o)), None)
        if bare is not None:
            return Match("exact" if raw == golds[0] else "alias", _text(case.reading, bare))
        found += occurrences
        stands = _standing(case, occurrences, gold)
        stands += [o for o in occurrences if o not in stands and compared(case.judged, o, case.prompted) > 0]
        counted += [o for o in stands if not of_another_subject(case.judged, o, case.prompted)]
        if gold.parts and (by_parts := _by_parts(case, gold, bool(occurrences))) is not None:
            return by_parts
    meant = verdict(read_golds[0].words)
    if meant is not None and not counted and (told := stated(case.judged, case.prompted)) is not None:
        agrees = told[0] == meant
        held = held_back(Answer(case.judged, case.prompted, question, read_golds, [], []), told[1], DENIALS)
        return Match("contained", _text(case.reading, told[1])) if agrees and not held else Match()
    if meant is not None and contradicted(case.judged, case.prompted, meant):
        return Match(guard="the opposite is said beside it")
    return _committed(case, read_golds, question, found, counted)


def _by_parts(case: _Case, gold: Gold, found: bool) -> Match | None:
    """What the parts of `red, green and blue` tell; nothing of a title: `The Lion and the Jewel`."""
    title = all(part.capital for part in gold.parts) and not (gold.person or case.prompted.plural)
    if title and str(len(gold.parts)) not in case.prompted.words:
        return None
    places = [_places(case, part, [part], case.question) for part in gold.parts]
    guard = "list of candidates" if lacks_some(case.judged, places, case.prompted) else ""
    if guard or (all(places) and out_of_order(places, case.prompted)):
        return Match(guard=guard or "another order")
    parts = [match_any(case.for_several(), [part.raw]) for part in gold.parts] if not found else []
    names = [part.words for part in gold.parts if _is_name(part.raw)]
    short = len(names) == len(parts) and says_all_by_one_name(case.judged, names, case.prompted)
    told = bool(parts) and (short or all(p.how for p in parts))
    return Match("contained", ", ".join(p.text for p in parts)) if told else None


def _standing(case: _Case, places: Sequence[Occurrence], gold: Gold) -> list[Occurrence]:
    """The places without those of the same word with another function: a mere pronoun."""
    if len(gold.words) == 1 and gold.words[0] in _MERE_WORDS and not case.prompted.several:
        return [o for o in places if _is_shown(case.reading, o, gold)]
    return list(places)


def _is_shown(reading: Reading, occurrence: Occurrence, gold: Gold) -> bool:
    """`He` as the symbol of helium: written the same way, behind "is" or set off by quotes, not as a pronoun."""
    token = reading.tokens[occurrence.start]
    opens = occurrence.start == reading.sentences[reading.sentence_of[occurrence.start]].start
    if opens or reading.text[token.start : token.end] != gold.raw.strip():
        return False
    return reading.tokens[occurrence.start - 1].text in _SHOWING or any(c in token.gap for c in "\"'“‘*`:(")


def _committed(
    case: _Case, golds: Sequence[Gold], question: Question, found: Sequence[Occurrence], counted: Sequence[Occurrence]
) -> Match:
    """What the guards leave of the places `counted`, of all that were `found`."""
    if not found:
        turn = chosen(case.judged, case.prompted, golds[0])
        return Match("contained", _text(case.reading, turn)) if turn is not None else Match()
    if not counted:
        return Match(guard="another answer stands where the answer is asked")
    kept, guard = commit(
        Answer(case.judged, case.prompted, question, golds, found, outermost(counted), sum(case.required, ()))
    )
    return Match("contained", _text(case.reading, kept[0])) if kept else Match(guard=guard)


def _places(case: _Case, gold: Gold, golds: Sequence[Gold], question: Question) -> list[Occurrence]:
    if (meant := verdict(gold.words)) is not None:
        return stated_verdict(case.reading, meant)
    text, tokens, of = case.reading.text, case.reading.tokens, case.reading.sentence_of
    units = {g.meant.quantity.unit for g in golds if g.meant}
    found = find(tokens, gold, units, case.prompt, text)
    found = [o for o in found if signed_alike(text, tokens[o.start].start, gold.raw)]
    occurrences = [o for o in found if gold.date is not None or gold.name or of[o.start] == of[o.end - 1]]
    if case.options.tolerance is not None and gold.meant is not None and question.asked != "when":
        occurrences += find_quantities(case.reading.tokens, gold.meant, (), case.options.tolerance)
    return occurrences


def _text(reading: Reading, occurrence: Occurrence) -> str:
    first, last = reading.tokens[occurrence.start], reading.tokens[occurrence.end - 1]
    return reading.text[first.start : last.end]


def _nothing_else(case: _Case, gold: Gold) -> Occurrence | None:
    """The whole response, if it is the reference answer word for word: no reading of either may get between them."""
    reading, tokens = case.reading, case.reading.tokens
    if not tokens:
        return None
    other = any(sign in gold.raw and sign not in reading.text for sign in UNITS_BY_CASE)  # "3 MW" for "3 mW"
    if not other and once(tokens, "plain text", lambda: _plain_text(reading.text)) == _plain_text(gold.raw):
        return Occurrence(0, len(tokens))
    content = once(tokens, "content", lambda: [i for i, t in enumerate(tokens) if t.text not in ARTICLES])
    content = content[-len(gold.words) :]
    if gold.number or tuple(tokens[i].text for i in content) != gold.words:
        return None  # ">7" and "7+" have no other words than "7"
    occurrence = Occurrence(content[0], content[-1] + 1)
    whole = bounded(tokens, occurrence.start, occurrence.end)
    whole &= signed_alike(case.reading.text, tokens[occurrence.start].start, gold.raw)
    return occurrence if whole and _is_bare(case.judged, occurrence) else None


def _plain_text(text: str) -> str:
    """Case, white space and what stands around a text aside."""
    return " ".join(text.casefold().split()).strip(_AROUND)


def _explained(case: _Case, golds: Sequence[str]) -> Match:
    """The match with an expected explanation or description that is told in other words, as the encoder reads both."""
    gold, text = read_gold(golds[0], case.question, case.prompt), case.reading.text
    told = gold.descriptive or (case.question.asked in ("why", "how") and not gold.capital)
    if not (told and text) or gold.meant or gold.date or gold.written or case.reading.language:
        return Match()
    since, tokens = last_retraction(case.reading), case.reading.tokens
    said = [one.text for one in case.reading.sentences if tokens[one.start].start >= since and not one.barred]
    likely = max(explains(case.prompt, raw, text, said) for raw in golds[:MAX_EXPLAINED])
    return Match("explained", text) if likely >= SAID else Match()


def _is_bare(reading: Reading, occurrence: Occurrence) -> bool:
    """The response is nothing but the answer: before it only "the answer is", after it nothing."""
    tokens = reading.tokens
    if occurrence.end != len(tokens) or reading.sentence_of[0] != reading.sentence_of[occurrence.start]:
        return False
    if reading.sentences[0].barred == "question" or tokens[occurrence.start].gap.strip()[-1:] in _SIGNS:
        return False  # "Is it X?"
    if reading.text[tokens[-1].end :].lstrip()[:1] in _RAISING:
        return False  # "7+", "7 ± 3"
    return all(t.text in _FRAME for t in tokens[: occurrence.start] if t.text not in ARTICLES) and occurrence.start <= 6


# --- several required answers -------------------------------------------------------


def _judge_all(
    case: _Case, answers: Sequence[str], reference: KnowledgeReference, details: dict[str, Any]
) -> Judgement:
    """Every answer is required; each alias may stand for one of them."""
    case = case.for_several(answers)
    found = [bool(match_any(case, [a]).how) for a in answers]
    missing = found.count(False)
    names = [read_gold(a, case.question, case.prompt).words for a in answers if _is_name(a)] if missing else []
    if len(names) == len(answers) and says_all_by_one_name(case.judged, names, case.prompted):
        return Judgement.correct("All required answers are there by one name.", **details)
    spare = sum(1 for alias in reference.aliases if match_any(case, [alias]).how) if missing else 0
    count = len(answers) - max(0, missing - spare)
    details |= {"required": len(answers), "found": count}
    complete = count == len(answers) and not spare
    others = complete and lacks_some(case.judged, case.required, case.prompted)
    if others or (complete and is_longer_row(case.judged, sum(case.required, ()), case.prompted)):
        return Judgement.incorrect("The required answers stand among others.", **details, guard="list of candidates")
    if complete and out_of_order(case.required, case.prompted):
        return Judgement.incorrect("The required answers are in another order.", **details, guard="another order")
    if count == len(answers):
        return Judgement.correct("All required answers are there.", **details)
    if case.options.partial:
        return Judgement.partial(count / len(answers), f"{count} of {len(answers)} required answers.", **details)
    return Judgement.incorrect(f"Only {count} of {len(answers)} required answers are there.", **details)
