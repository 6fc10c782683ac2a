"""Questions that compare things ("who is older, A or B?"), and answers that turn the comparison round.

"A is younger than B" puts B forward and not A; so does "B is older than A".
"""

from __future__ import annotations

from verifleet.verifiers.knowledge.clauses import pieces_of
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import once

# Ordinals are folded: "first" is "1th".
_PAIRS = tuple(
    tuple(pair.split("/"))
    for pair in (
        "older/younger older/newer longer/shorter taller/shorter heavier/lighter larger/smaller bigger/smaller "
        "higher/lower deeper/shallower faster/slower quicker/slower hotter/colder warmer/cooler warmer/colder "
        "wider/narrower broader/narrower stronger/weaker richer/poorer harder/softer thicker/thinner brighter/dimmer "
        "brighter/fainter closer/farther nearer/farther closer/further better/worse greater/lesser more/less "
        "more/fewer earlier/later before/after 1th/last 1th/2th 1th/later 1th/after older/later older/after"
    ).split()
)
_KNOWN = frozenset(word for pair in _PAIRS for word in pair)
_SUPERLATIVES = {"most": "more", "least": "less", "fewest": "fewer"}
_REACH = 8


def compared(reading: Reading, place: Occurrence, prompted: Prompted) -> int:
    """What a comparison says of a place: 1 if it is what the question asks for, -1 if the other is, 0 if nothing.

    Only where the question itself names what is compared.
    """
    tokens = reading.tokens
    asked = once(tokens, ("compared", prompted.words), lambda: _asked(prompted.words))
    named = tokens[place.start : place.end]
    if not asked or not any(t.base in prompted.words or t.text in prompted.words for t in named):
        return 0
    sentence = reading.sentences[reading.sentence_of[place.start]]
    start, end = sentence.start, sentence.end
    for at in range(place.start - 1, max(start, place.start - _REACH) - 1, -1):
        if sign := _sign(tokens[at].text, asked):
            between = {t.text for t in tokens[at : place.start]}
            if not between.isdisjoint(("than", "before", "after")):
                two = prompted.words.count("or") == 1 and prompted.text.count(",") < 2
                return -sign if two or sign > 0 else 0
            return sign if between & BE else 0
    clause = next((p.tokens for p in pieces_of(reading) if place.end - 1 in p), ())
    for at in (i for i in clause if place.end <= i < min(end, place.end + _REACH)):
        if sign := _sign(tokens[at].text, asked):
            said = ("than", "of", "one", "and", *prompted.words)
            return sign if at + 1 == end or tokens[at + 1].gap.strip() or tokens[at + 1].text in said else 0
    return 0


def _asked(words: tuple[str, ...]) -> str:
    """The comparative of a question that names what it compares, else empty."""
    known = _KNOWN - {"before", "after", "2th"}
    return next((c for w in words if "or" in words and (c := _comparative(w)) in known), "")


def _comparative(word: str) -> str:
    return _SUPERLATIVES.get(word) or (word[:-3] + "er" if word.endswith("est") and len(word) > 5 else word)


def _opposites(word: str) -> set[str]:
    return {b if word == a else a for a, b in _PAIRS if word in (a, b)}


def _sign(word: str, asked: str) -> int:
    """1 if the word says the same as what is asked, -1 if the opposite, 0 if it says something else."""
    word, opposites = _comparative(word), _opposites(asked)
    return -1 if word in opposites else int(word == asked or any(word in _opposites(o) for o in opposites))
