"""Whether a place where the reference answer stands really asserts it.

Each guard looks at the words around the place, in linear time, and names what it found: a negation, an alternative,
a list of candidates, a retraction, an opinion that is only reported. The guards are lexical and English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifleet.verifiers.knowledge.extraction import last_match
from verifleet.verifiers.knowledge.occurrences import Occurrence
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.tokens import ARTICLES, UNITS, Token, stem

_NOT = frozenset(
    "not never neither nor isnt wasnt arent werent doesnt didnt dont hasnt havent hadnt cannot cant couldnt wont "
    "wouldnt "
    "shouldnt aint hardly".split()
)
_AWAY = {
    ("rather", "than"), ("instead", "of"), ("other", "than"), ("opposed", "to"), ("contrary", "to"), ("far", "from"),
    ("anything", "but"), ("anyone", "but"), ("everything", "but"), ("ruled", "out"), ("rule", "out"), ("false", "that"),
    ("no", "longer"), ("except", "for"), ("confused", "with"), ("incorrect", "that"), ("wrong", "that"),
    ("doubt", "that"), ("anyone", "except"), ("anything", "except"),
}  # fmt: skip
_AWAY_ALONE = frozenset({"unlike", "except", "excluding", "nor", "denied", "denies", "non"})
_NOT_EXEMPT = frozenset(
    "only just merely simply until till before unless surprisingly long far because sure certain".split()
)
_SCOPE_END = frozenset(
    "but however although though until till unless instead rather actually whereas while because it he she they this "
    "there we i its correct maybe perhaps".split()
)
_BE = frozenset("is was are were be been being isnt wasnt arent werent s".split())
_AUX = _BE | frozenset(
    "has have had do does did can could will would may might must should say says said think thinks believe believes "
    "guess include includes included".split()
)
_WRONG = frozenset("wrong incorrect false untrue mistaken misconception myth inaccurate".split())
_OR_EXEMPT = frozenset(
    "more less older later so over above fewer higher earlier after before not better greater even at otherwise "
    "under below lower longer shorter younger rather".split()
)
_PREPOSITIONS = frozenset("in on at from by of to for with during into".split())
_OR_STOP = frozenset("such including like because when which who if than while although whose where".split())
_DEFINITION = frozenset("mean means meaning definition called stand stands synonym term".split())
_MAYBE = frozenset("maybe perhaps possibly alternatively".split())
_NEGATIVE_PROMPT = _NOT | {"no", "without", "except", "non", "only", "false", "wrong", "myth", "isn", "didn"}

_REPORTED = re.compile(
    r"\b(?:at first (?:glance|sight|thought)|(?:some|many|most|a few|others?) (?:people |sources |would |might "
    r"|may |often |still |wrongly |mistakenly )*"
    r"(?:say|says|think|thinks|believe|believes|claim|claims|argue|assume|guess|call|might|may|would)\b|(?:you"
    r"|one|people|we) (?:might|may|could|would) (?:\w+ )?(?:think|guess|assume|say|expect|believe)"
    r"|(?:commonly|often|widely|frequently|mistakenly|wrongly|incorrectly|erroneously|sometimes) (?:thought"
    r"|believed|mistaken|confused|assumed|cited|attributed|credited|said)"
    r"|(?:i|we) (?:first|initially|originally) (?:thought|guessed|assumed|said)|my (?:first|initial) (?:thought"
    r"|guess|instinct)|it (?:may|might|would) seem)",
    re.IGNORECASE,
)
_RETRACTION = re.compile(
    r"(?:\b(?:but|however|though|yet|although)\b[,;:]?\s+(?:in (?:fact|reality|truth),?\s+"
    r"|actually,?\s+)?(?:the\s+|its\s+)?"
    r"(?:correct|right|real|true|actual|proper|better)\s+(?:answer|one|name|date|year|number|person|place|response)\b"
    r"|(?:^|[.?!;:…—–\n,]\s{0,3}|[\"'”’)*]\s+)(?:no|nope|wait|hold on|oops|scratch that|correction|hmm)\b\s*[,.:;!—–-]"
    r"|(?:^|[.?!;…—–\n]\s{0,3})(?:actually|in fact|in reality|rather)\b,?\s+(?:it(?:'s| is| was)|the (?:correct "
    r"|right )?answer|that(?:'s| is| was))\b"
    r"|\b(?:scratch that|i was wrong|i (?:misspoke|made a mistake|made an error|apologi[sz]e for)|let me correct"
    r"|on second thoughts?|i take that back|strike that|that(?:'s| is| was) (?:not (?:right|correct)|wrong"
    r"|incorrect))\b)",
    re.IGNORECASE,
)
_ASSERTION = re.compile(
    r"\b(?:(?:the|my|our|final|correct|right|actual|real|true|best"
    r"|short)\s+){1,4}answer(?:\s+to\s+[^.?!\n:]{0,80}?)?\s*(?:is|was|would be|must be|:)",
    re.IGNORECASE,
)
_CONCEDING = frozenset("although though while whereas unlike".split())
_VAGUE = frozenset(
    "that yes no complicated not unclear unknown depends difficult simple below as both a definitely certainly "
    "somewhat it".split()
)
_CONCLUSION = re.compile(
    r"^(?:so|thus|therefore|hence|in conclusion|to conclude|ultimately"
    r"|in short)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[,;\n|•]|\s/\s")
_PLURAL = re.compile(
    r"\b(?:list|names|examples|are|were|some of|two|three|four|five|six|seven|eight|nine|ten|types|kinds"
    r"|(?:which|what)\s+(?:\w+\s+)?\w{3,}s)\b|^\w+s\b",
    re.IGNORECASE,
)
MAX_PLURAL_ITEMS = 12
MIN_LIST = 4
MAX_ITEM_WORDS = 6


@dataclass(frozen=True, slots=True)
class Prompted:
    """What the guards know of the prompt."""

    text: str
    words: tuple[str, ...]

    @property
    def negative(self) -> bool:
        """The question itself denies something, so an answer may as well."""
        return any(w in _NEGATIVE_PROMPT for w in self.words)

    @property
    def definition(self) -> bool:
        """A meaning or a name is asked for: "or" then joins synonyms."""
        return any(w in _DEFINITION for w in self.words)

    @property
    def plural(self) -> bool:
        """Several things are asked for."""
        return _PLURAL.search(self.text[:500]) is not None


def asserted(reading: Reading, occurrences: Sequence[Occurrence], prompted: Prompted) -> tuple[list[Occurrence], str]:
    """The occurrences that count, and the guard that removed the last of the others (empty if there were none)."""
    occurrences = _outermost(occurrences)
    window = _assertion_window(reading)
    retracted = _last_retraction(reading)
    kept: list[Occurrence] = []
    reason = ""
    for occurrence in occurrences:
        found = (
            _outside(reading, occurrence, window)
            or ("retraction" if reading.tokens[occurrence.start].start < retracted else "")
            or _barred(reading, occurrence)
            or _negated(reading, occurrence, prompted)
            or _reported(reading, occurrence)
            or _alternative(reading, occurrence, occurrences, prompted)
            or _listed(reading, occurrence, occurrences, prompted)
        )
        if found:
            reason = found
            if found == "negation" and any(k.start < occurrence.start for k in kept) and not prompted.negative:
                kept = []  # first claimed, then denied
        else:
            kept.append(occurrence)
    if kept and _concluded_otherwise(reading, kept):
        return [], "contradiction"
    return kept, reason


def _outermost(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Without the places inside a longer one: "Dylan Thomas" in "Welsh poet Dylan Thomas" is one mention."""
    kept: list[Occurrence] = []
    for occurrence in sorted(occurrences, key=lambda o: (o.start, -o.end)):
        if not kept or occurrence.end > kept[-1].end:
            kept.append(occurrence)
    return kept


def _barred(reading: Reading, occurrence: Occurrence) -> str:
    return reading.sentences[reading.sentence_of[occurrence.start]].barred


# --- retraction and final assertion ---------------------------------------------


def _last_retraction(reading: Reading) -> int:
    last = -1
    for match in _RETRACTION.finditer(reading.text):
        if (
            reading.tokens
            and match.start() <= reading.tokens[0].start
            and match.group().strip(" ,.:;!-").lower() == "no"
        ):
            continue  # "No, he ends up with Betty": an answer to a yes/no question
        if reading.text[match.end() :].strip(" .!\n*"):
            last = match.end()
    return last


def _assertion_window(reading: Reading) -> tuple[int, int] | None:
    """Token range of the sentence behind the last "the answer is"."""
    last = last_match(_ASSERTION, reading.text)
    if last is None:
        return None
    start = next((i for i, t in enumerate(reading.tokens) if t.start >= last.end()), None)
    if start is None or (reading.tokens[start].text in _VAGUE and not reading.tokens[start].capital):
        return None
    end = reading.sentences[reading.sentence_of[start]].end
    return start, next((i for i in range(start + 1, end) if reading.tokens[i].text in _CONCEDING), end)


def _outside(reading: Reading, occurrence: Occurrence, window: tuple[int, int] | None) -> str:
    if window is None or window[0] <= occurrence.start < window[1]:
        return ""
    return "contradiction"


def _concluded_otherwise(reading: Reading, kept: Sequence[Occurrence]) -> bool:
    """The last sentence draws a conclusion that names something else."""
    last = reading.sentences[-1]
    if len(reading.sentences) < 2 or last.barred or not _CONCLUSION.match(last.text):
        return False
    if any(o.start >= last.start for o in kept):
        return False
    said = {t.text for t in reading.tokens[: last.start]}
    fresh = [t for t in reading.tokens[last.start + 1 : last.end] if (t.capital or t.number) and t.text not in said]
    return bool(fresh)


# --- negation --------------------------------------------------------------------


def _negated(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> str:
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    at = occurrence.start - 1
    distance = 0
    while at >= sentence.start and distance < 14 and not _ends_scope(reading, at + 1, occurrence.start):
        word, after = tokens[at].text, tokens[at + 1].text
        before = tokens[at - 1].text if at else ""
        if word in _AWAY_ALONE or (word, after) in _AWAY or (before, word) in _AWAY:
            return "" if prompted.negative and distance > 1 else "negation"
        if word in _SCOPE_END:
            break
        if word in _NOT and after not in _NOT_EXEMPT and not (prompted.negative and distance > 1):
            return "negation"
        at -= 1
        distance += word not in ARTICLES
    return _denied_behind(tokens, occurrence.end, sentence.end, prompted)


def _ends_scope(reading: Reading, at: int, target: int) -> bool:
    """A clause ends before token `at`; a comma ends it unless a list of short items goes on to the target."""
    if reading.clause_break(at):
        return True
    if "," not in reading.tokens[at].gap:
        return False
    return any(t.text in _AUX for t in reading.tokens[at : min(len(reading.tokens), target + 3)])


def _denied_behind(tokens: Sequence[Token], start: int, end: int, prompted: Prompted) -> str:
    window = tokens[start : min(end, start + 6)]
    if not window or any(c in window[0].gap for c in ",;:(—–"):
        return ""
    if window[0].text in _BE or window[0].text in _NOT:
        words = [t.text for t in window]
        if words[0] in _NOT or (len(words) > 1 and words[1] in _NOT and words[2:3] not in (["only"], ["just"])):
            return "" if prompted.negative else "negation"
        if any(w in _WRONG for w in words[1:5]):
            return "" if prompted.negative else "negation"
    return ""


def _reported(reading: Reading, occurrence: Occurrence) -> str:
    """Only what others think: "some say X", "X is often believed"."""
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    match = _REPORTED.search(sentence.text)
    if match is None:
        return ""
    offset = reading.tokens[sentence.start].start
    at = reading.tokens[occurrence.start].start - offset
    conceded = sentence.text.lower().startswith(("although", "though", "while", "even though"))
    turns = r"\b(?:but|however|actually|in fact|yet)\b" + ("|," if conceded else "")
    turn = re.search(turns, sentence.text[match.end() :])
    if turn is not None and at > match.end() + turn.start():
        return ""
    word = match.group().lower()
    if word.startswith(("commonly", "often", "widely", "frequently", "sometimes")) and not word.endswith(
        ("mistaken", "confused")
    ):
        return ""  # "often credited to X", "widely believed to be X" is an answer
    if word.startswith(("mistakenly", "wrongly", "incorrectly", "erroneously")) or at > match.start():
        return "reported opinion"
    return ""


# --- alternatives and lists --------------------------------------------------------


def _alternative(
    reading: Reading, occurrence: Occurrence, occurrences: Sequence[Occurrence], prompted: Prompted
) -> str:
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    inside = range(sentence.start, sentence.end)
    hedged = False
    for at in inside:
        word = tokens[at].text
        hedged = hedged or word == "either" or _could_be(tokens, at)
        if word == "or" and hedged and at >= occurrence.end and not _both_sides(at, occurrences):
            return "alternatives"
        if word == "or" and not occurrence.start <= at < occurrence.end:
            if _in_or_list(reading, at, occurrence, occurrences) and not prompted.definition:
                return "alternatives"
        elif (
            word == "between"
            and at < occurrence.start <= at + 6
            and "and" in (t.text for t in tokens[at : sentence.end])
        ) and any(t.text in ("choice", "toss", "torn", "undecided", "either") for t in tokens[sentence.start : at]):
            return "alternatives"
    if _slashed(tokens, occurrence, occurrences):
        return "alternatives"
    hedges = [i for i, t in enumerate(tokens) if t.text in _MAYBE or _could_be(tokens, i)]
    if len(hedges) > 1 and any(not _near(reading, occurrences, h) for h in hedges):
        return "alternatives"
    return ""


def _could_be(tokens: Sequence[Token], at: int) -> bool:
    return (
        tokens[at].text in ("could", "might", "may")
        and at + 1 < len(tokens)
        and tokens[at + 1].text in ("be", "also", "have")
    )


def _near(reading: Reading, occurrences: Sequence[Occurrence], hedge: int) -> bool:
    sentence = reading.sentence_of[hedge]
    return any(o.start - 4 <= hedge <= o.end + 1 and reading.sentence_of[o.start] == sentence for o in occurrences)


def _in_or_list(reading: Reading, at: int, occurrence: Occurrence, occurrences: Sequence[Occurrence]) -> bool:
    tokens = reading.tokens
    if at + 1 >= len(tokens) or tokens[at + 1].text in _OR_EXEMPT:
        return False
    left, right = _or_left(reading, at), _or_right(reading, at)
    if not left <= occurrence.start < right:
        return False
    commas = sum("," in t.gap for t in tokens[left + 1 : at])
    behind = tokens[right].gap if right < len(tokens) else ""
    if "," in tokens[at].gap and not commas and behind.startswith((",", ")")):
        return False  # "the tibia, or shinbone, is": another name
    if _units_of(tokens[left:at]) and _units_of(tokens[at:right]) - _units_of(tokens[left:at]):
        return False  # "50 km, or 31 miles": the same in another unit
    return commas > 0 or not _both_sides(at, [o for o in occurrences if left <= o.start < right])


def _units_of(tokens: Sequence[Token]) -> set[str]:
    return {stem(after.text) for number, after in pairwise(tokens) if number.number and stem(after.text) in UNITS}


def _both_sides(at: int, occurrences: Sequence[Occurrence]) -> bool:
    return any(o.start < at for o in occurrences) and any(at < o.start for o in occurrences)


def _or_left(reading: Reading, at: int) -> int:
    tokens = reading.tokens
    left = at
    while left > 0 and at - left < 60 and not reading.clause_break(left):
        word = tokens[left - 1].text
        if word in _AUX or word in _OR_STOP or word in ("either", "between", "probably", "likely"):
            break
        if word in _PREPOSITIONS and "," not in tokens[left - 1].gap and left < at:
            break
        left -= 1
    return left


def _or_right(reading: Reading, at: int) -> int:
    tokens = reading.tokens
    right = at + 1
    while right < len(tokens) and right - at < 12:
        if right > at + 1 and (reading.clause_break(right) or "," in tokens[right].gap or tokens[right].text in _AUX):
            break
        right += 1
    return right


def _slashed(tokens: Sequence[Token], occurrence: Occurrence, occurrences: Sequence[Occurrence]) -> bool:
    starts = {o.start for o in occurrences}
    ends = {o.end for o in occurrences}
    before = "/" in tokens[occurrence.start].gap and occurrence.start and occurrence.start not in ends
    behind = occurrence.end < len(tokens) and "/" in tokens[occurrence.end].gap and occurrence.end not in starts
    return bool(before or behind)


def _listed(reading: Reading, occurrence: Occurrence, occurrences: Sequence[Occurrence], prompted: Prompted) -> str:
    """One of many short candidates in a row, where a single one was asked for."""
    items = _items(reading)
    at = next((i for i, (start, end) in enumerate(items) if start <= occurrence.start < end), 0)
    first = last = at
    while first > 0 and _short(items[first - 1]) and _short(items[first]):
        first -= 1
    while last + 1 < len(items) and _short(items[last + 1]):
        last += 1
    count = last - first + 1
    if count < MIN_LIST or not _short(items[at]):
        return ""
    whole = sum(end - start for start, end in items[first : last + 1]) * 5 >= len(reading.tokens) * 4
    if not whole and count < MAX_PLURAL_ITEMS:
        return ""
    matched = sum(any(start <= o.start < end for o in occurrences) for start, end in items[first : last + 1])
    if prompted.plural and count <= MAX_PLURAL_ITEMS and (matched * 3 >= count or count <= 6):
        return ""
    return "" if matched == count else "list of candidates"


def _items(reading: Reading) -> list[tuple[int, int]]:
    """Token ranges between commas, semicolons, bars and line ends; the comma in a date is none."""
    tokens = reading.tokens
    starts = [0]
    for at in range(1, len(tokens)):
        gap = tokens[at].gap
        if _ITEM.search(gap) and not (tokens[at].number and len(tokens[at].text) == 4 and tokens[at - 1].number):
            starts.append(at)
    return list(zip(starts, [*starts[1:], len(tokens)], strict=True))


def _short(item: tuple[int, int]) -> bool:
    return item[1] - item[0] <= MAX_ITEM_WORDS
