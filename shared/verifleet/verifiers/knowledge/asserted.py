"""Whether a response asserts the clause around a place: as a fact, in the writer's own name, about this world.

A clause commits its writer to nothing if it is somebody else's opinion, a supposition or doubt, something called wrong
or one of several things left open. Each is told by a closed class of words in the sentence; which thing is named does
not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from verifleet.verifiers.knowledge.lists import expression, listed, listed_all
from verifleet.verifiers.knowledge.places import holds_places
from verifleet.verifiers.knowledge.reading import AUXILIARIES, BE, CONCESSIVE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once, stem

MAX_CLAUSE_CHARS = 240
MAX_SCOPE = 60
"""Words before a place in which an opinion or a word for wrong reaches it."""
_TURNS, _ANYBODY, _PERSONAL, _OWN, _AT_FIRST = listed_all("asserted", "turns anybody personal own at_first")
_FORMERLY, _COMMONLY, _WRONG, _RIGHT, _NO, _ELSE = listed_all("asserted", "formerly commonly wrong right no else")
_OF_IT, _CHOSEN, _OPEN_WORDS = listed_all("asserted", "of_it chosen open_words")
_TURN_GAP = re.compile(r"[;:—–]\s")
# Verbs of opinion, by all their forms, and those of believing, which nobody uses of a source.
_BELIEVING = listed("asserted.believing")
_OPINING = _BELIEVING | listed("asserted.opining")
_TURN_BEHIND = re.compile(r"[,;] (?:but|however|yet)\b")
_RUMOUR = re.compile(r"\b(?:rumou?r|gossip|hearsay|word) has it\b|\bat first (?:glance|sight|thought)\b", re.IGNORECASE)
_OF_ANYBODY = r"\s+((?:my|our|your|an?|one|another|some|any|many|most|few)\s?[^,;:]{1,40})"
_ACCORDING = expression("asserted.according", _OF_ANYBODY, r"\b")
# What is written down or measured speaks for itself, and so do one's own mind and those who know.
_VOUCHED = listed("asserted.vouched")
_ENDORSED = expression("asserted.endorsed", r"\b", r"\b")
_CALLS = frozenset({"call", "calls", "called"})
_OPINION_ASKED = _OPINING - _CALLS - {"answer", "answers", "answered"}
_WRONG_REACH = 14
_DOUBTED = expression("asserted.doubted", r"(?:(?!\b(?:but|however|then)\b)[^.;!?,\n]){0,100}$")
_UNREAL_BEHIND = re.compile(r"^\W{0,3}(?:should|would|could|might|ought) (?:\w+ ){0,2}have\b", re.IGNORECASE)
_UNREAL = expression("asserted.unreal")
_GUESS_BEHIND = expression("asserted.guess_behind")
_DISOWNED = expression("asserted.disowned", r"[ .!)\]]*\Z", r"(?:\A|[.!?;:,(–—\n-])\W*(?:but |and |though |although )?")
_ONE_BEHIND = expression(
    "asserted.one_of_several", r"(?: here| so far)?\W*\Z", r"^\W{0,3}(?:is|would be|could be|might be) "
)
_ONE_BEFORE = expression("asserted.one_of_several", r" (?:is|would be|could be|might be)\W{0,3}\Z", r"^\W*")
_MANY_DO = expression("asserted.many_do", r"\b", r"\b")
_PASSED_OVER = expression("asserted.passed_over", before=r"^(?:,? who)?,? (?:(?:was|were|had been) )?(?:\w+ )?")
_PASSING = expression("asserted.passing", before=r"\b")
_OFFERED_TO = expression("asserted.offered_to", r"(?: [a-z]+){1,4} ?$")
_ACCEPTED = expression("asserted.accepted", before=r"(?-i:[^A-Z.]{0,60})\b")
_LEFT_OPEN = expression("asserted.left_open")
# "Any of X, Y and Z", unlike "one of Europe's oldest towns, X"
_ANY_OF = re.compile(r"\b(?:any|either|one) of (?:(?!['’]s\b|\b(?:is|was|are|were)\b)[^.;:]){0,80}$", re.IGNORECASE)
_GOES_ON = re.compile(r"^(?: [a-z]+)?(?:,? (?:and|or) |, |[^.;:,]{0,20} (?:might|could|may|would|will|can)\b)")
# A verdict that is a piece of its own: "X: no", "X - nope".
_REFUTED = re.compile(
    r"^\s?[,:–—-]\s?(?:maybe |probably |of course |certainly )?(?:no|nope|nah|not|wrong|incorrect|false)\b\W*$", re.I
)


class Around(NamedTuple):
    """What stands in the sentence before a place and behind it, and all its words."""

    sentence: str
    before: str
    behind: str
    words: frozenset[str]


def around(reading: Reading, occurrence: Occurrence) -> Around:
    """The sentence around a place; empty where the place is all of it."""
    return once(reading.tokens, ("around", occurrence.start, occurrence.end), lambda: _around(reading, occurrence))


def _around(reading: Reading, occurrence: Occurrence) -> Around:
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    if sentence.end - sentence.start <= occurrence.end - occurrence.start:
        return Around("", "", "", frozenset())
    first, end = tokens[occurrence.start].start, tokens[occurrence.end - 1].end
    start = max(tokens[sentence.start].start, first - MAX_CLAUSE_CHARS)
    behind = reading.text[end : tokens[sentence.end - 1].end][:MAX_CLAUSE_CHARS]
    words = frozenset(t.text for t in tokens[sentence.start : sentence.end])
    return Around(sentence.text, reading.text[start:first], behind, words)


def of_others(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> bool:
    """`some say X`, `my friend thinks it is X`, `according to a neighbour X`, and nobody agrees."""
    place = around(reading, occurrence)
    if not place.before or _OPINION_ASKED & {*prompted.words} or _ENDORSED.search(place.behind):
        return False
    tokens, sentence = reading.tokens, reading.sentences[reading.sentence_of[occurrence.start]]
    first = max(sentence.start, occurrence.start - MAX_SCOPE)
    turns = [i for i in range(first, occurrence.start) if _turns(tokens[i])]
    start = turns[-1] if turns and tokens[turns[-1]].text not in CONCESSIVE else first
    commonly = _COMMONLY if _TURN_BEHIND.search(place.behind) else frozenset()
    if not place.words.isdisjoint(_OPINING):
        conceded = tokens[sentence.start].text in CONCESSIVE or tokens[start].text in CONCESSIVE
        for at in range(start, occurrence.start):
            behind = tokens[at + 1 : occurrence.start + 1]
            ended = any("," in t.gap for t in (behind if conceded else behind[:1])) or behind[0].text in BE
            ended = ended or (tokens[at].text == "answer" and ":" in behind[0].gap)
            if tokens[at].text in _OPINING and not ended and _is_opinion(tokens, start, at, commonly):
                return True
    scope = place.before[-(tokens[occurrence.start].start - tokens[start].start) :]
    told = _ACCORDING.search(scope) if "according" in place.words or "the" in place.words else None
    words = set(map(stem, re.findall(r"\w+", told[2].lower()))) if told is not None else _VOUCHED
    return _VOUCHED.isdisjoint(words) or _RUMOUR.search(scope) is not None


def _turns(token: Token) -> bool:
    return token.text in _TURNS or _TURN_GAP.search(token.gap) is not None


def _is_opinion(tokens: Sequence[Token], start: int, verb: int, commonly: frozenset[str]) -> bool:
    """Whether the verb of opinion at a token has a subject that vouches for nothing."""
    first = next((i for i in range(verb, start, -1) if "," in tokens[i].gap), start)
    who = tokens[max(first, verb - 8) : verb]
    words = {t.text for t in who}
    words -= {"people"} if "the" in words else set()
    if "whom" in words and tokens[verb].text in _CALLS:
        return False  # "whom everyone calls X"
    if tokens[verb].text == "called" and words & ARTICLES and tokens[verb + 1].capital and who[-1].text not in _ANYBODY:
        return False  # "in a village called X"
    if words & _OWN:
        return bool(words & _AT_FIRST)
    if any(t.text in BE | {"been"} or (t.text != t.base and t.base in _OF_IT) for t in who[-3:]):
        told = commonly and any(w.endswith("ly") for w in words)  # "it is often claimed ..., but"
        return bool(told or words & (_FORMERLY | commonly))  # "it was once thought"
    if not _VOUCHED.isdisjoint(stem(w) for w in words):
        return False
    believing = tokens[verb].text in _BELIEVING
    if words & _ANYBODY:
        return believing or not words & _ANYBODY <= _PERSONAL
    named = bool(who) and all(t.capital for t in who) and tokens[verb + 1 : verb + 2] != []
    return named and believing and tokens[verb + 1].text in ("it", "that", "its")


def called_wrong(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> bool:
    """`wrong answers include X`, `it is a myth that X`, `X is often given, but it is wrong`, `X (false)`."""
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    words = once(reading.tokens, "wrong", lambda: [i for i, t in enumerate(reading.tokens) if t.text in _WRONG])
    if prompted.negative:
        return False
    if _REFUTED.match(around(reading, occurrence).behind):
        return True
    if not words:
        return False
    first, last = max(sentence.start, occurrence.start - MAX_SCOPE), min(sentence.end, occurrence.end + MAX_SCOPE)
    return any(first <= at < last and _tells_wrong(reading, at, occurrence) for at in words)


def _tells_wrong(reading: Reading, at: int, occurrence: Occurrence) -> bool:
    tokens = reading.tokens
    if tokens[at].text == "myth" and "in" in {t.text for t in tokens[max(0, at - 3) : at]}:
        return False  # "in Greek myth"
    if occurrence.start <= at < occurrence.end or not _NO.isdisjoint(t.text for t in tokens[max(0, at - 2) : at]):
        return False
    if at < occurrence.start:
        between = tokens[at + 1 : occurrence.start + 1]
        cut = any(_turns(t) or "," in t.gap or t.text in _RIGHT for t in between)
        opens = at == reading.sentences[reading.sentence_of[at]].start
        return not cut or (opens and all(t.text in _CHOSEN for t in between[:-1]))
    between = tokens[_end_of(tokens, occurrence) : at]
    if len(between) > _WRONG_REACH or any(t.capital or t.number or t.text in _ELSE for t in between):
        return False
    turn = next((n for n in range(len(between) - 1, -1, -1) if _turns(between[n])), None)
    told = between if turn is None else between[turn + (between[turn].text in _TURNS) :]
    if turn is None and [t.text for t in between[:1]] == ["which"]:
        turn = 0
    if (turn is None and between and "," in between[0].gap) or (turn is not None and not told):
        return False
    plain = all(t.base in _OF_IT or t.text in AUXILIARIES or t.text.endswith("ly") for t in told)
    return plain if turn is not None else not between or any(t.text in AUXILIARIES for t in between)


def _end_of(tokens: Sequence[Token], place: Occurrence) -> int:
    """Where a place ends with what it lies in: `Ajaccio, Corsica, France`."""
    end = place.end
    while end < len(tokens) and tokens[end].gap == ", " and holds_places([tokens[end].text]):
        end += 1
    return end


def doubted(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> bool:
    """`I doubt it is X`, `suppose it were X`, `X should have won`, `X is a common guess`, `X turned it down`."""
    place = around(reading, occurrence)
    if prompted.negative or not place.sentence:
        return not prompted.negative and _disowned(reading, occurrence)
    unreal = _UNREAL.search(place.sentence) is not None and not _TURNS & place.words
    if unreal or _GUESS_BEHIND.match(place.behind) or _disowned(reading, occurrence):
        return True
    unreal = "have" in place.words and _UNREAL_BEHIND.match(place.behind) is not None
    told = _DOUBTED.search(place.before)
    over = _OFFERED_TO.search(place.before) or _PASSED_OVER.match(place.behind)
    if over and not (_ACCEPTED.match(place.behind) or _PASSING.search(prompted.text)):
        return True
    return (unreal and "have" not in prompted.words) or (told is not None and not prompted.says(told[1]))


def _disowned(reading: Reading, occurrence: Occurrence) -> bool:
    """`X (I made that up)`, `X. Just kidding!`: at the end of the text, so that nothing takes its place."""
    return _DISOWNED.search(reading.text[reading.tokens[occurrence.end - 1].end :][-MAX_CLAUSE_CHARS:]) is not None


def left_open(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> bool:
    """`X and Y are equally likely`, `any of X, Y and Z`, `X is one candidate`."""
    sentence, before, behind, words = around(reading, occurrence)
    any_of = " of " in before and _ANY_OF.search(before) and _GOES_ON.match(behind)
    said = not _OPEN_WORDS.isdisjoint(words) and _LEFT_OPEN.search(sentence)
    one = (_ONE_BEHIND.match(behind) or _ONE_BEFORE.search(before)) and not _MANY_DO.search(prompted.text)
    return bool(any_of or said or one) and not prompted.plural
