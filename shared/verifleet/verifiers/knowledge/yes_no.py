"""Which yes or no a response settles on: the last one that stands as a verdict, whatever else is said beside it.

Where none stands, the first clause that speaks of what was asked tells: it says all of it, denies it, or says the
same of something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifleet.verifiers.knowledge.clauses import lemma, pieces_of
from verifleet.verifiers.knowledge.comparisons import opposite
from verifleet.verifiers.knowledge.lists import listed
from verifleet.verifiers.knowledge.questions import AUXILIARIES, FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import BE, CONCESSIVE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, stem

_PLAIN = frozenset("yes yeah yep yup no nope nah".split())
# These are verdicts only where they are clauses of their own, or said of the answer.
_SAYS = {word: says for says in (True, False) for word in listed(f"yes_no.{'yes' if says else 'no'}")}
# What leads in a verdict: "the answer is yes", "so no", "I would say yes", "botanically yes".
_LEADING = BE | listed("yes_no.leading")
# What turns an earlier verdict around: "No. Actually, yes."
_TURNING = frozenset("answer so thus hence therefore actually but however wait correction rather really final".split())
# "No doubt", "no one", "no question" are no verdicts even where a sentence begins with them.
_QUANTIFIED = frozenset("doubt question wonder one 1 other such way matter longer need evidence problem".split())
_REASON = frozenset("because since as for but although though it its that they he she there this".split())
_ASKING = AUXILIARIES | {"can", "could", "will", "would", "should"}
_DENYING = listed("yes_no.denying")
_SOFTENED = frozenset("quite really exactly at all".split())
"""`Not quite.`"""
_SUBJECTS = frozenset("it he she they this that these those there its theyre hes shes".split())
_ONE, _SAYING = frozenset({"1"}), listed("asserted.believing") | listed("asserted.opining")
_VOUCHED = listed("asserted.vouched") | {"i", "id", "ill", "we"}
MAX_PROFORM = 6
_TAKEN_BACK = re.compile(
    r"\bbut (?:that|this|it)(?:['’]s| is| was) (?:not (?:true|so|correct|right)|(?:an? )?(?:\w+ )?"
    r"(?:misconception|myth|mistake|wrong|false|untrue|incorrect|error|fallacy)\b)",
    re.IGNORECASE,
)
"""`Yes, many say so, but that is a myth`."""


def verdict(words: Sequence[str]) -> bool | None:
    """What `yes`, `False` or `nope` say; None for anything else."""
    return _SAYS.get(words[0]) if len(words) == 1 else None


def stated_verdict(reading: Reading, meant: bool) -> list[Occurrence]:
    """The last verdict of the response if it is the one meant.

    None if it says both without turning from one to the other: "Yes and no", "Yes. No.".
    """
    verdicts = [i for i in range(len(reading.tokens)) if _is_verdict(reading, i)]
    last = verdicts[-1] if verdicts else 0
    if any(_opposed(reading, i, last) for i in verdicts) and not _turned(reading, verdicts, last):
        return []
    if verdicts and _TAKEN_BACK.search(reading.sentences[reading.sentence_of[last]].text):
        return []
    return [Occurrence(i, i + 1) for i in verdicts[-1:] if _SAYS[reading.tokens[i].text] == meant]


def _opposed(reading: Reading, a: int, b: int) -> bool:
    return _SAYS[reading.tokens[a].text] != _SAYS[reading.tokens[b].text]


def _is_verdict(reading: Reading, at: int) -> bool:
    """A yes or no that is a clause of its own, opens the text or is said to be the answer; not "no gills"."""
    tokens = reading.tokens
    if tokens[at].text not in _SAYS:
        return False
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if behind is not None and behind.gap == "-":
        return False  # "yes-men"
    ends = behind is None or not behind.gap.isspace() or behind.text in ("and", "or")
    if at == 0:
        return ends or (tokens[at].text in _PLAIN and (behind is None or behind.text not in _QUANTIFIED))
    if not ends and (behind is None or behind.text not in _REASON):
        return False
    before = tokens[at - 1].text
    return bool(tokens[at].gap.strip()) or before in _LEADING or (len(before) > 4 and before.endswith("ly"))


def _turned(reading: Reading, verdicts: Sequence[int], last: int) -> bool:
    """Whether the last verdict takes back the opposite ones: what stands between says so."""
    tokens = reading.tokens
    before = max(i for i in verdicts if _opposed(reading, i, last))
    between = {t.text for t in tokens[before + 1 : last]}
    if any(t.text == "answer" for t in tokens[max(0, before - 2) : before]):
        between.discard("answer")  # "The answer is yes. The answer is no."
    return not between.isdisjoint(_TURNING)


def stated(reading: Reading, prompted: Prompted) -> tuple[bool, Occurrence] | None:
    """Whether a response without a verdict affirms or denies what a yes/no question asks, and where."""
    terms = _terms(prompted)
    if not terms or any(_is_verdict(reading, i) for i in range(len(reading.tokens))):
        return None
    tokens, seen = reading.tokens, set[int]()
    for piece in pieces_of(reading):
        sentence = reading.sentence_of[piece.tokens[0]]
        conceded = tokens[piece.tokens[0]].text in CONCESSIVE
        if reading.sentences[sentence].barred or conceded or len(seen | {sentence}) > 2:
            continue
        words = [tokens[i] for i in piece.tokens]
        place = Occurrence(piece.tokens[0], piece.tokens[-1] + 1)
        said = {lemma(t.base) for t in words}
        if words[0].text == "not" and {t.text for t in words[1:]} <= _SOFTENED:
            return False, place
        if (denied := _denied(words, terms)) or _stands_for(words):
            return not denied and not _turned_round(words, prompted), place
        if not said & terms:
            continue
        seen.add(sentence)
        whole = range(place.start, reading.sentences[sentence].end)
        missing = terms - said - {lemma(tokens[i].base) for i in whole}
        if (told := _compares(words, said, terms, prompted)) is not None:
            return told, place
        if len(missing) * 4 <= len(terms) or (len(missing) == 1 and words[0].text in _SUBJECTS):
            rest = range(place.end, reading.sentences[sentence].end)
            return not _turned_round(words, prompted) and not _denied([tokens[i] for i in rest], terms), place
    return None


def _compares(words: Sequence[Token], said: set[str], terms: set[str], prompted: Prompted) -> bool | None:
    """What `The Atlantic is larger` says, where it is asked whether it is larger than the Pacific, or the other way."""
    if "than" not in prompted.words or _denied(words, terms):
        return None
    at, turned = prompted.words.index("than"), _turned_round(words, prompted)
    sides = [{*map(lemma, side)} & terms for side in (prompted.words[: at - 1], prompted.words[at + 1 :])]
    told = [bool(side) and side <= said for side in sides]
    compared = turned or lemma(prompted.words[at - 1]) in said
    return told[0] != turned if compared and told[0] != told[1] and not said & terms & (sides[told[0]]) else None


def _terms(prompted: Prompted) -> set[str]:
    """What a yes/no question speaks of; nothing where it is none, or denies something itself."""
    asks = next((n for n, word in enumerate(prompted.words) if word in _ASKING), None)
    if asks is None or prompted.negative or "or" in prompted.words:
        return set()
    return {lemma(w) for w in prompted.words[asks:] if w not in FUNCTION_WORDS | _ASKING and len(w) > 1}


def contradicted(reading: Reading, prompted: Prompted, meant: bool) -> bool:
    """`Yes. It is not cold at all.`, `No. It is cold.`: a clause of nothing but the question's words says otherwise."""
    terms = _terms(prompted)
    known = terms | _SUBJECTS | _ASKING | _DENYING | _SOFTENED | ARTICLES
    for piece in pieces_of(reading) if terms else ():
        words = [t for t in (reading.tokens[i] for i in piece.tokens) if t.text not in _SAYS or t.text in _DENYING]
        if len(words) < 2 or any({t.text, lemma(t.base)}.isdisjoint(known) for t in words):
            continue
        denied, told = any(t.text in _DENYING for t in words), words[0].text in _SUBJECTS
        missing = terms - {lemma(t.base) for t in words}
        if denied == meant and (told or lemma(words[0].base) in terms) and (denied or len(missing) <= told):
            return True
    return False


def _denied(words: Sequence[Token], terms: set[str]) -> bool:
    """A denial with nothing behind it, or with something that was asked about."""
    at = next((n for n, t in enumerate(words) if t.text in _DENYING), None)
    if at is None or any(t.text == "only" for t in words[at + 1 : at + 2]):
        return False
    behind = [t for t in words[at + 1 :] if t.text not in FUNCTION_WORDS | _ONE]
    behind = behind[:1] if words[at].text == "no" else behind  # "it has no divisors other than 1 and 51"
    return (not behind and at > 0) or any(lemma(t.base) in terms for t in behind)


def _turned_round(words: Sequence[Token], prompted: Prompted) -> bool:
    return any(opposite(t.text, prompted.words) for t in words)


def _stands_for(words: Sequence[Token]) -> bool:
    """`It is`, `botanically speaking it is one`, `they are not`, `it is indeed ...`."""
    plain = [t.text for t in words if t.text not in ARTICLES and not t.text.endswith("ly")]
    at = next((n for n, word in enumerate(plain) if word in _SUBJECTS), None)
    vouched = any(word.endswith(("ists", "ians")) or stem(word) in _VOUCHED for word in plain[:at])
    said = not (vouched or _SAYING.isdisjoint(plain[:at]))
    rest = plain[at + 1 :] if at is not None and not said else []  # unlike "people say it is"
    helped = rest[:1] and rest[0] in _ASKING
    return bool(helped) and (rest[1:2] == ["indeed"] or (len(plain) <= MAX_PROFORM and {*rest[1:]} <= _DENYING | _ONE))
