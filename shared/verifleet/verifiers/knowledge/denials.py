"""Places that the words around them deny, doubt, take back or give as what others think; each in linear time.

The words are English but for the closed classes of `languages`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifleet.reading.final_answer import last_match
from verifleet.verifiers.knowledge import languages
from verifleet.verifiers.knowledge.clauses import pieces_of, verb_at
from verifleet.verifiers.knowledge.lists import expression, listed_all, phrases
from verifleet.verifiers.knowledge.reading import AUXILIARIES, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, Token, once

_NOT, _LACKS, _AWAY_ALONE, _MATCHES, _NOT_EXEMPT = listed_all("denials", "not lacks away_alone matches not_exempt")
_SCOPE_END, _REJECTED, _PLACING, _VAGUE = listed_all("denials", "scope_end rejected placing vague")
_AWAY = frozenset(phrases("denials.away"))
# "neither beats X", "nothing tops X"
_NONE = frozenset("neither none nobody nothing".split())
_SO = frozenset({"so", "thus", "hence", "therefore"})
_RETRACTION = expression("denials.retraction")
_ACTUALLY = expression("denials.actually")
MAX_NAME_WORDS = 3
MAX_PLACING = 5
_ASSERTION = expression("denials.assertion")
# "The possible answers include X, Y and Z", "Answer 1: X"
_CANDIDATES = expression("denials.candidates")


# --- retraction and final assertion ---------------------------------------------


def last_retraction(reading: Reading) -> int:
    """Where the last correction of oneself ends in the text, -1 if there is none; what stands before is taken back."""
    return once(reading.tokens, "retraction", lambda: _last_retraction(reading))


def _last_retraction(reading: Reading) -> int:
    last = -1
    second = reading.tokens[reading.sentences[:2][-1].end - 1].end if reading.sentences else 0
    for match in _RETRACTION.finditer(reading.text):
        said = match.group().strip(" ,.:;!-").lower()
        if said == "no" and reading.tokens and match.start() <= reading.tokens[0].start:
            continue  # "No, he ends up with Betty": an answer to a yes/no question
        if said.lstrip("?…—–\n ").startswith("that") and match.end() > second:
            continue  # "It is Oslo. Some say Bergen. That doesn't hold up."
        corrects = _ACTUALLY.search(said) is None or said.endswith(" no") or _brings_another(reading, match)
        if corrects and reading.text[match.end() :].strip(" .!\n*"):
            last = match.end()
    foreign = () if reading.english else languages.TAKEN_BACK.finditer(reading.text)
    return max((last, *(m.end() for m in foreign if reading.text[m.end() :].strip(" .!\n*"))))


def _brings_another(reading: Reading, match: re.Match[str]) -> bool:
    """Whether a new name or number follows: "actually, it is X", unlike "actually, it is also the largest city"."""
    before = {t.text for t in reading.tokens if t.start < match.start()}
    behind = [t for t in reading.tokens if t.start >= match.end()]
    if not behind:
        return False
    end = reading.sentences[reading.sentence_of[reading.tokens.index(behind[0])]].end
    last = reading.tokens[end - 1].start
    if sum(t.start <= last for t in behind) <= MAX_NAME_WORDS and not any(t.text in before for t in behind):
        return True
    return any((t.capital or t.number) and t.text not in before for t in behind if t.start <= last)


def asserted_from(reading: Reading) -> int | None:
    """The token behind the last "the answer is"."""
    return once(reading.tokens, "asserted", lambda: _asserted_from(reading))


def _asserted_from(reading: Reading) -> int | None:
    last = last_match(_ASSERTION, reading.text)
    if last is None or last.start() < last_retraction(reading):
        return None
    start = next((i for i, t in enumerate(reading.tokens) if t.start >= last.end()), None)
    if start is None or (reading.tokens[start].text in _VAGUE and not reading.tokens[start].capital):
        return None
    return start


def outside(reading: Reading, occurrence: Occurrence) -> bool:
    """Before the last "the answer is", where there is one."""
    start = asserted_from(reading)
    return start is not None and occurrence.start < start


# --- negation --------------------------------------------------------------------


def negated(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> str:
    """`not X`, `rather than X`, `X is not`, unless the question itself denies something."""
    tokens = reading.tokens
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    at = occurrence.start - 1
    distance = 0
    while at >= sentence.start and distance < 14 and not _ends_scope(reading, at + 1, occurrence.start):
        word, after = tokens[at].text, tokens[at + 1].text
        before = tokens[at - 1].text if at else ""
        if _affirms(tokens, at) or (word in _NONE and after in _MATCHES):
            break
        away = (word, after) in _AWAY or (before, word) in _AWAY
        away = away and not (_LACKS & {word, before} and "deficiency" in prompted.words)
        if word in _AWAY_ALONE or (away and not {before, word, after} & {*prompted.words} - {"of", "to", "that"}):
            if at <= sentence.start + 2 and any("," in t.gap for t in tokens[at + 1 : occurrence.start + 1]):
                break  # "Contrary to what many say, it was X"
            return "" if prompted.negative and distance > 1 else "negation"
        foreign = (
            word in languages.NOT or (word == "no" and after in languages.COPULAS) or _no_other(tokens, at, occurrence)
        )
        if foreign and not any("," in t.gap or "，" in t.gap for t in tokens[at + 1 : occurrence.start + 1]):
            return "negation"
        bare = word == "no" and after == tokens[occurrence.start].text and tokens[at + 1].gap == " "
        if bare and not tokens[at + 1].number and reading.english and "no" not in prompted.words:
            return "negation"  # "no water"
        if word in _SCOPE_END:
            break
        exempt = after in _NOT_EXEMPT and not tokens[at + 1].capital
        if word in _NOT and _contrasted(tokens, at, occurrence, sentence.end):
            break
        if word in _NOT and not exempt and not (prompted.negative and distance > 1):
            return "negation"
        at -= 1
        distance += word not in ARTICLES
    signed = tokens[occurrence.start].gap[-1:] in ("≠", "¬")
    if signed or languages.DENIED_BEHIND.match(reading.text[tokens[occurrence.end - 1].end :][:12]):
        return "negation"
    denied = _denied_behind(tokens, occurrence.end, sentence.end, prompted)
    return denied or _denied_behind(tokens, _verb_of(reading, occurrence), sentence.end, prompted, apart=True)


def _contrasted(tokens: Sequence[Token], at: int, place: Occurrence, end: int) -> bool:
    """`Not X, Y.`, `It is not X, Y.`: what stands alone behind the one thing that is denied is put in its place."""
    between = tokens[at + 1 : place.start]
    one = bool(between) and all(t.gap == " " and (t.capital or t.number) for t in between)
    return one and place.end == end and tokens[place.start].gap == ", "


def _verb_of(reading: Reading, occurrence: Occurrence) -> int:
    """Where what is said of a place goes on behind `, on the other hand,` or `in Norway`; else the text's end."""
    tokens = reading.tokens
    rows = [p.tokens for p in pieces_of(reading) if occurrence.end - 1 in p]
    goes_on = [row[row.index(occurrence.end - 1) + 1] for row in rows if row[-1] >= occurrence.end]
    for at in (at for at in goes_on if tokens[at - 1].text not in ("which", "who")):
        apart = any(t.gap != " " for t in tokens[at : at + 2])
        noun = tokens[at].text == "people" or (tokens[at].text.endswith("s") and len(tokens[at].text) > 3)
        counted = not (apart or tokens[at].capital or verb_at(tokens, at)) and noun  # "X stars", "X people"
        if at > occurrence.end or counted:
            return at + counted
        if tokens[at].text in _PLACING:
            within = [i for row in rows if at in row for i in row if at <= i < at + MAX_PLACING]
            return next((i for i in within if verb_at(tokens, i) or tokens[i].text in _NOT), len(tokens))
    return len(tokens)


def _no_other(tokens: Sequence[Token], at: int, occurrence: Occurrence) -> bool:
    """The Spanish `es Y, no X`."""
    behind = tokens[at + 1] if at + 1 == occurrence.start else None
    return tokens[at].text == "no" and behind is not None and "," in tokens[at].gap and behind.gap == " "


def _affirms(tokens: Sequence[Token], at: int) -> bool:
    """`none other than X` is X, `there is no doubt that X` asserts X."""
    first, *rest = [t.text for t in tokens[max(0, at - 2) : at + 1]]
    doubt = rest == ["doubt", "that"] and first in ("no", "little", "without", "beyond")
    near = tokens[max(0, at - 5) : at - 1]
    denied = not _NOT.isdisjoint(t.text for t in near[:-1]) and all(t.gap == " " for t in near[1:])
    if denied and first.startswith("any") and rest in (["other", "than"], ["else", "than"]):
        return True  # "It can't be anything other than X"
    return doubt or (rest == ["other", "than"] and first in ("none", "no", "nobody", "nothing"))


def _ends_scope(reading: Reading, at: int, target: int) -> bool:
    """A clause ends before token `at`; a comma ends it unless a list of short items goes on to the target."""
    if at + 1 == target and "," in reading.tokens[at].gap and reading.tokens[at].text in _SO:
        return reading.tokens[target].gap.isspace()  # "It is no fish, so X", but "It is not, therefore, X"
    if reading.clause_break(at):
        return True
    if "," not in reading.tokens[at].gap:
        return False
    return any(t.text in AUXILIARIES for t in reading.tokens[at : min(len(reading.tokens), target + 3)])


def _denied_behind(tokens: Sequence[Token], start: int, end: int, prompted: Prompted, apart: bool = False) -> str:
    window = tokens[start : min(end, start + 6)]
    if not window or (not apart and any(c in window[0].gap for c in ",;:(—–")):
        return ""
    if window[0].text in AUXILIARIES or window[0].text in _NOT:
        words = [t.text for t in window if not (t.text.endswith("ly") and not t.capital)]
        if words[0] in _NOT or (len(words) > 1 and words[1] in _NOT and words[2:3] not in (["only"], ["just"])):
            return "" if prompted.negative else "negation"
        if words[1:2] == ["nothing"] and not prompted.negative:
            return "negation"  # "X has nothing to do with it"
        if any(w in _REJECTED and w not in prompted.words for w in words[1:5]):
            return "" if prompted.negative else "negation"
    return ""


_OPTION = re.compile(r"(?:^|\s)\(?[A-Ea-e]\)\s|(?:^|\n)1[.)] (?=[^\n.!?]{1,60} 2[.)] )|(?<=[^\s.!?]) 2[.)] ")


def offered(reading: Reading, occurrence: Occurrence, prompted: Prompted) -> str:
    """One of several answers that the text offers, of which none is chosen."""
    if prompted.plural or asserted_from(reading) is not None:
        return ""
    sentence = reading.sentences[reading.sentence_of[occurrence.start]]
    offers = _CANDIDATES.search(sentence.text)
    before = offers and reading.tokens[sentence.start].start + offers.start() < reading.tokens[occurrence.start].start
    marks = once(reading.tokens, "options", lambda: [match.end() for match in _OPTION.finditer(reading.text)])
    among = len(marks) > 1 and reading.tokens[sentence.start].start <= marks[-1]
    return "list of candidates" if before or among else ""
