"""Questions that compare things ("who is older, A or B?"), and answers that turn the comparison round.

"A is younger than B" puts B forward and not A; so does "B is older than A".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from verifleet.verifiers.knowledge.clauses import pieces_of
from verifleet.verifiers.knowledge.lists import phrases
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, once

# Ordinals are folded: "first" is "1th".
_PAIRS = phrases("comparisons.pairs")
_KNOWN = frozenset(word for pair in _PAIRS for word in pair)
_SUPERLATIVES = {"most": "more", "least": "less", "fewest": "fewer"}
_REACH = 8
_APART = ("followed", "and", "but")
_RANKING = frozenset("comes came ranks ranked come rank places placed in taking takes holds finished finish".split())


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
            said = ("than", "of", "1", "and", *prompted.words)
            return sign if at + 1 == end or tokens[at + 1].gap.strip() or tokens[at + 1].text in said else 0
    return 0


def other_rank(reading: Reading, place: Occurrence, prompted: Prompted) -> bool:
    """`X is second`, `Y, followed by X`, `X is the largest`, where another place in the order is asked for."""
    asked, counted = once(reading.tokens, ("rank", prompted.words), lambda: _rank_asked(prompted.words))
    return asked > 0 and _rank_said(reading, place, prompted, counted) not in (0, asked)


def _rank_asked(words: tuple[str, ...]) -> tuple[int, str]:
    """Which place in an order is asked for: 2 of "second largest", 1 of "largest"; of "third planet" with its noun."""
    at = next((n for n, word in enumerate(words) if _is_superlative(word)), None)
    if at is None and {"won", "winner", "wins"} & {*words} and not any(map(_ordinal, words)):
        return 1, "place"
    if at is None:
        return next(((_ordinal(a), b) for a, b in pairwise(words) if _ordinal(a) and a != "next"), (0, ""))
    before = [_ordinal(word) for word in words[max(0, at - 2) : at]]
    return next((rank for rank in before if rank), 1), ""


def _is_superlative(word: str) -> bool:
    return word in _SUPERLATIVES or (word.endswith("est") and _comparative(word) in _KNOWN)


def _ordinal(word: str) -> int:
    second = word in ("next", "runner", "runners")  # "runners-up"
    return int(word[:-2]) if word.endswith("th") and word[:-2].isdigit() else 2 * second


def _rank_said(reading: Reading, place: Occurrence, prompted: Prompted, counted: str) -> int:
    """The place in the order that the words around give to a thing, 0 if they give none."""
    tokens, sentence = reading.tokens, reading.sentences[reading.sentence_of[place.start]]
    before = [tokens[i] for i in range(sentence.start, place.start) if tokens[i].text not in ARTICLES]
    followed = next((n for n in range(len(before) - 1, 0, -1) if before[n - 1].text in ("followed", "then")), None)
    if followed is not None and len(before) - followed < _REACH and before[followed].text in ("by", "then"):
        return 2 + sum("," in t.gap or t.text == "and" for t in before[followed + 1 :])
    end = place.end
    behind = list(
        takewhile(lambda t: not t.capital and t.text not in _APART, tokens[end : min(sentence.end, end + _REACH)])
    )
    words = [t.text for t in behind]
    alike: tuple[list[str], ...] = ([], ["place"], ["up"], ["to"], ["behind"], [counted])
    ranks = [r for n, w in enumerate(words) if (r := _ordinal(w)) and (not counted or words[n + 1 : n + 2] in alike)]
    if ranks and (words[0] in BE | _RANKING or "place" in words):
        return ranks[0]
    if counted:
        return 0
    follows = [t.text for t in tokens[end + len(words) : end + len(words) + 2]] == ["followed", "by"]
    superlative = words[:1] and words[0] in BE and any(_is_superlative(w) and w in prompted.words for w in words)
    return int(superlative or follows)


def _asked(words: tuple[str, ...]) -> str:
    """The comparative of a question that names what it compares, else empty."""
    known = _KNOWN - {"before", "after", "2th"}
    return next((c for w in words if "or" in words and (c := _comparative(w)) in known), "")


def _comparative(word: str) -> str:
    return _SUPERLATIVES.get(word) or (word[:-3] + "er" if word.endswith("est") and len(word) > 5 else word)


def _opposites(word: str) -> set[str]:
    return {b if word == a else a for a, b in _PAIRS if word in (a, b)}


def opposite(word: str, words: Sequence[str]) -> bool:
    """Whether a comparative is the opposite of one in the question."""
    return any(_comparative(word) in _opposites(_comparative(w)) for w in words if _comparative(w) in _KNOWN)


def _sign(word: str, asked: str) -> int:
    """1 if the word says the same as what is asked, -1 if the opposite, 0 if it says something else."""
    word, opposites = _comparative(word), _opposites(asked)
    return -1 if word in opposites else int(word == asked or any(word in _opposites(o) for o in opposites))
