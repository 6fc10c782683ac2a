"""Questions that offer things: "(B)" of lettered ones, of two also "the latter", "not A" and "A lost" for "B"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from verifleet.verifiers.knowledge.comparisons import compared
from verifleet.verifiers.knowledge.denials import last_retraction, negated
from verifleet.verifiers.knowledge.golds import Gold
from verifleet.verifiers.knowledge.questions import FUNCTION_WORDS
from verifleet.verifiers.knowledge.reading import BE, Prompted, Reading
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.tokens import ARTICLES, tokenize

MAX_ASKED, MAX_OPTION, MAX_LEAD = 500, 6, 3
_LETTER = re.compile(r"(?:(?:the )?(?:answer|option)(?: is)?:? )?[(*]*([A-H])[).*]*", re.IGNORECASE)
_OPTION = re.compile(r"(?<!\w)\(?([A-H])[).:] ?([^\n]+?)(?=[\s,;]*(?:$|\n|(?<!\w)\(?[A-H][).:] ))")
_LETTERED = re.compile(r"[(*]*[A-Ha-h](?:[).:*]+ (\w)|[).*]*$)")
_ONE, _OTHER = frozenset("former 1th".split()), frozenset("latter 2th".split())
_OF_TWO = frozenset("1 option of choice named mentioned alternative answer".split())
_BEHIND = frozenset("in by to on at against narrowly that badly".split())
_BEATING = frozenset("beat beats defeated defeats".split())
_WON, _LOST = frozenset("won win wins beat defeated".split()), frozenset("lost lose loses beaten".split())


def spelt_out(text: str, prompt: str, answers: Iterable[str]) -> str:
    """`Jupiter` of `B` where the question offers lettered things, as the answer has it: `B) Jupiter`, `B`."""
    letter = _LETTER.fullmatch(text.strip())
    options = dict(_OPTION.findall(prompt[:MAX_ASKED])) if letter else {}
    if not letter or len(options) < 2 or letter[1].upper() not in options:
        return text
    told = options[letter[1].upper()]
    form = next(filter(None, map(_LETTERED.match, answers)), None)
    return told if form is None else f"{letter[1]}) {told}" if form[1] else letter[1]


@lru_cache(maxsize=1024)
def offered_pair(prompt: str) -> tuple[frozenset[str], ...]:
    """The words of two things between which a question lets choose, none that both have; empty for all others."""
    tokens = tokenize(prompt[:MAX_ASKED])
    at = [i for i, token in enumerate(tokens) if token.text == "or"]
    if len(at) != 1:
        return ()
    start = next((i for i in range(at[0], 0, -1) if tokens[i].gap.strip() in (",", ":", "–", "—")), at[0])
    both = [{t.text for t in part if t.text not in ARTICLES} for part in (tokens[start : at[0]], tokens[at[0] + 1 :])]
    own = frozenset(both[0] - both[1]), frozenset(both[1] - both[0])
    return own if all(0 < len(one) <= MAX_OPTION for one in own) else ()


def loses(reading: Reading, place: Occurrence, prompted: Prompted) -> bool:
    """`A lost`, `A was beaten`, where it is asked which of two won; `A won`, where it is asked which lost."""
    asked = [words for words in (_WON, _LOST) if not words.isdisjoint(prompted.words)]
    passive = [t.text in BE for t in reading.tokens[place.end : place.end + 1]] == [True]
    behind = reading.tokens[place.end + passive :][:2]
    beaten = any(t.text in _BEATING for t in reading.tokens[: place.start][-1:])  # "B beat A"
    if any(t.gap == " " and t.text not in _BEHIND for t in behind[1:]):
        return False  # "A lost the debate but won"
    lost = beaten or any(t.text in _LOST or (passive and t.text == "defeated") for t in behind[:1])
    opposite = lost if asked == [_WON] else asked == [_LOST] and any(t.text in _WON for t in behind[: not passive])
    return bool(offered_pair(prompted.text)) and opposite


def chosen(reading: Reading, prompted: Prompted, gold: Gold) -> Occurrence | None:
    """Where a response that does not name the answer chooses it by its turn, or rejects the other one."""
    pair, tokens = offered_pair(prompted.text), reading.tokens
    mine = [not one.isdisjoint(gold.words) for one in pair]
    if sum(mine) != 1 or last_retraction(reading) >= 0:
        return None
    other, first = pair[mine.index(False)], reading.sentences[0] if reading.sentences else None
    places = [Occurrence(i, i + 1) for i, t in enumerate(tokens) if t.text in other or t.base in other]
    turn = (_ONE, _OTHER)[mine.index(True)]
    for at, behind in pairwise((*range(first.end if first and not places else 0), len(tokens))):
        led = at <= MAX_LEAD and all(t.text in FUNCTION_WORDS | ARTICLES | {"it"} for t in tokens[:at])
        alone = behind >= len(tokens) or tokens[behind].gap.strip() or tokens[behind].text in _OF_TWO
        if tokens[at].text in turn and led and alone:
            return Occurrence(at, at + 1)
    turned = (compared(reading, o, prompted) < 0 or loses(reading, o, prompted) for o in places)
    denied = any(negated(reading, o, prompted) for o in places[-1:]) and len(tokens) <= 2 * MAX_OPTION
    return places[-1] if places and (any(turned) or denied) else None
