"""Which of several numbers, dates or names in an explanation answers the question.

A long answer mentions more than the answer. The place that counts is in the sentence that speaks of what was asked,
and in the grammatical role that was asked for ("written by" for "who wrote").
"""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.verifiers.knowledge.golds import Gold
from verifleet.verifiers.knowledge.guards import Prompted
from verifleet.verifiers.knowledge.occurrences import Occurrence
from verifleet.verifiers.knowledge.questions import Question
from verifleet.verifiers.knowledge.reading import Reading, Sentence
from verifleet.verifiers.knowledge.tokens import Token, stem

_TOTAL = frozenset({"total", "totals", "totaling", "altogether"})
_VERB_GROUPS = {
    "write": "write", "pen": "write", "compose": "write", "author": "write", "sing": "sing", "perform": "sing",
    "record": "sing", "cover": "sing", "play": "play", "portray": "play", "voice": "play", "direct": "direct",
    "produce": "produce", "invent": "invent", "discover": "discover", "found": "found", "design": "design",
    "paint": "paint", "build": "build", "publish": "publish", "edit": "edit",
}  # fmt: skip
_FORMS = {
    "wrote": "write", "written": "write", "writes": "write", "penned": "write", "sang": "sing", "sung": "sing",
    "sings": "sing", "built": "build", "plays": "play",
}  # fmt: skip


def answering(
    reading: Reading, kept: Sequence[Occurrence], gold: Gold, question: Question, prompted: Prompted
) -> list[Occurrence]:
    """The occurrences that stand where the answer stands."""
    asked = frozenset(stem(w) for w in prompted.words)
    if gold.number and not _is_year(gold.number, question):
        return [o for o in kept if _counts(reading, o, gold, question, asked)]
    if gold.number or gold.date is not None:
        return _best_sentences(reading, kept, question, asked)
    return [o for o in kept if not _preempted(reading, o, question, asked) and not _other_role(reading, o, question)]


def _is_year(number: str, question: Question) -> bool:
    return (
        len(number) == 4 and number.isdigit() and "1000" <= number <= "2100" and not question.asked.startswith("how m")
    )


def _counts(reading: Reading, occurrence: Occurrence, gold: Gold, question: Question, asked: frozenset[str]) -> bool:
    tokens = reading.tokens
    rivals = [
        i
        for i, t in enumerate(tokens)
        if t.number
        and t.text not in asked
        and not t.text.endswith("th")
        and not _barred(reading, i)
        and not _listed(tokens, i)
    ]
    at = next((i for i in range(occurrence.start, occurrence.end) if tokens[i].text == gold.number), occurrence.start)
    if gold.number.endswith("th") or gold.number in asked or not rivals or rivals[0] >= at:
        return True
    nouns = frozenset(question.words[:2]) | ({gold.unit} if gold.unit else set())
    here = _counted(tokens, at, nouns)
    if here and not any(_counted(tokens, r, nouns) for r in rivals if r < at and tokens[r].text != gold.number):
        return True
    return any(t.text in _TOTAL for t in tokens[max(0, at - 3) : at])


def _listed(tokens: Sequence[Token], at: int) -> bool:
    """The number of a list item: "1. Paris"."""
    return (
        at + 1 < len(tokens)
        and tokens[at + 1].gap.startswith((". ", ") ", ".) "))
        and (at == 0 or "\n" in tokens[at].gap)
    )


def _counted(tokens: Sequence[Token], at: int, nouns: frozenset[str]) -> bool:
    return any(stem(t.text) in nouns for t in tokens[at + 1 : at + 4])


def _barred(reading: Reading, at: int) -> bool:
    return bool(reading.sentences[reading.sentence_of[at]].barred)


def _overlap(reading: Reading, sentence: Sentence, question: Question) -> int:
    words = {stem(t.base) for t in reading.tokens[sentence.start : sentence.end]}
    return sum(w in words for w in set(question.words))


def _best_sentences(
    reading: Reading, kept: Sequence[Occurrence], question: Question, asked: frozenset[str]
) -> list[Occurrence]:
    dated = [
        s
        for s in reading.sentences
        if not s.barred
        and any(t.number and len(t.text) >= 4 and t.text not in asked for t in reading.tokens[s.start : s.end])
    ]
    if len(dated) < 2:
        return list(kept)
    overlaps = {s.start: _overlap(reading, s, question) for s in dated}
    best = max(overlaps.values())
    good = []
    for occurrence in kept:
        sentence = reading.sentences[reading.sentence_of[occurrence.start]]
        own = overlaps.get(sentence.start, _overlap(reading, sentence, question))
        if own >= best - (2 if sentence.start <= dated[0].start else 0):
            good.append(occurrence)
    return good


def _preempted(reading: Reading, occurrence: Occurrence, question: Question, asked: frozenset[str]) -> bool:
    """An earlier sentence speaks of what was asked much more closely and names somebody else there."""
    own = reading.sentences[reading.sentence_of[occurrence.start]]
    overlap = _overlap(reading, own, question)
    said = {t.base for t in reading.tokens[occurrence.start : occurrence.end]}
    for sentence in reading.sentences[: reading.sentence_of[occurrence.start]]:
        if sentence.barred or _overlap(reading, sentence, question) < overlap + 2:
            continue
        inner = reading.tokens[sentence.start + 1 : sentence.end]
        if any(t.capital and stem(t.base) not in asked and t.base not in said and len(t.text) > 2 for t in inner):
            return True
    return False


def _group(word: str) -> str:
    base = _FORMS.get(word, word)
    for cut in ("", "ed", "d", "s"):
        trimmed = base[: len(base) - len(cut)] if cut and base.endswith(cut) else base
        if trimmed in _VERB_GROUPS:
            return _VERB_GROUPS[trimmed]
        if trimmed + "e" in _VERB_GROUPS:
            return _VERB_GROUPS[trimmed + "e"]
    return ""


def _by_group(reading: Reading, at: int) -> str:
    """The verb of the "... by" that governs token `at`, as a group; empty if there is none close by."""
    tokens = reading.tokens
    i = at - 1
    while i > 0 and at - i < 12 and not reading.clause_break(i + 1):
        if tokens[i].text == "by":
            return next((g for j in (i - 1, i - 2) if j >= 0 and (g := _group(tokens[j].text))), "")
        if tokens[i].text in ("is", "was", "were", "are", "who", "which", "that", "on", "in", "from"):
            return ""
        i -= 1
    return ""


def _other_role(reading: Reading, occurrence: Occurrence, question: Question) -> bool:
    """The question asks who wrote; the text says written by somebody else, and this place is "sung by"."""
    if question.asked != "who":
        return False
    wanted = next((g for w in question.words[:3] if (g := _group(w))), "")
    here = _by_group(reading, occurrence.start)
    if not wanted or not here or here == wanted:
        return False
    return any(
        reading.tokens[i].text == "by" and _group(reading.tokens[i - 1].text) == wanted
        for i in range(1, len(reading.tokens))
    )
